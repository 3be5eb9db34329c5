"""The daily puzzle of places.

A release before this one knows nothing of it: it may not go on beside it.
"""

import sqlalchemy as sa
from alembic import op

revision = "9b27f03ce5d8"
down_revision = "c41e7ab0d9f3"


def upgrade() -> None:
    """Adds the table; no place wants one yet."""
    op.create_table(
        "daily",
        sa.Column("platform", sa.String, primary_key=True),
        sa.Column("place", sa.String, primary_key=True),
        sa.Column("day", sa.Integer, nullable=False),
        sa.Column("puzzle", sa.String, nullable=False),
        sa.Column("idle", sa.Integer, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
    )
