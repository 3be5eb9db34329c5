"""What people write for themselves on moments of finished games.

A release before this one would not erase it with the rest of a person: it may not go on beside it.
"""

import sqlalchemy as sa
from alembic import op

revision = "bf0dba76105d"
down_revision = "d19b7f3ac6e5"


def upgrade() -> None:
    """Adds the table, in which nobody has written anything yet."""
    op.create_table(
        "comment",
        sa.Column("person", sa.Integer, sa.ForeignKey("person.id"), primary_key=True),
        sa.Column("game", sa.String, sa.ForeignKey("game.code"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("text", sa.String, nullable=False),
        sa.Column("moves", sa.String, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
    )
