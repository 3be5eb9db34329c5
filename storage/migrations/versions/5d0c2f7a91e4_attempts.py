"""What people have tried at exercises: first steps and puzzles.

A release before this one would not erase it with the rest of a person: it may not go on beside it.
"""

import sqlalchemy as sa
from alembic import op

revision = "5d0c2f7a91e4"
down_revision = "aa3dc282b1cc"


def upgrade() -> None:
    """Adds the table, in which nobody has tried anything yet."""
    op.create_table(
        "attempt",
        sa.Column("person", sa.Integer, sa.ForeignKey("person.id"), primary_key=True),
        sa.Column("exercise", sa.String, primary_key=True),
        sa.Column("game", sa.String, nullable=False),
        sa.Column("step", sa.String, nullable=False),
        sa.Column("state", sa.Integer, nullable=False),
        sa.Column("wrong", sa.Integer, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("solved", sa.BigInteger),
    )
    op.create_index("ix_attempt_person_game", "attempt", ["person", "game"])
