"""Puzzles that a house has beside those that ship, and verdicts on those that do."""

import sqlalchemy as sa
from alembic import op

revision = "2b91d07ce6f4"
down_revision = "7f4e19c2d0ab"
accepts = "7f4e19c2d0ab"


def upgrade() -> None:
    """Adds the table, which is empty."""
    op.create_table(
        "house_puzzle",
        sa.Column("code", sa.String, primary_key=True),
        sa.Column("game", sa.String, nullable=False),
        sa.Column("lesson", sa.JSON, nullable=False),
        sa.Column("origin", sa.String, nullable=False),
        sa.Column("added", sa.BigInteger, nullable=False),
        sa.Column("rules", sa.Integer, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("fault", sa.String, nullable=False),
    )
