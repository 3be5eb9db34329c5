"""How people do with puzzles, and how hard puzzles have proved.

A release before this one would not erase it with the rest of a person: it may not go on beside it.
"""

import sqlalchemy as sa
from alembic import op

revision = "c41e7ab0d9f3"
down_revision = "e40b6c19d7a2"


def upgrade() -> None:
    """Adds the tables, in which nobody has solved anything yet."""
    op.create_table(
        "solver",
        sa.Column("person", sa.Integer, sa.ForeignKey("person.id"), primary_key=True),
        sa.Column("pool", sa.String, primary_key=True),
        sa.Column("mu", sa.Double, nullable=False),
        sa.Column("sigma", sa.Double, nullable=False),
        sa.Column("last", sa.BigInteger),
        sa.Column("streak", sa.Integer, nullable=False),
        sa.Column("longest", sa.Integer, nullable=False),
        sa.Column("day", sa.Integer, nullable=False),
    )
    op.create_table(
        "puzzle",
        sa.Column("code", sa.String, primary_key=True),
        sa.Column("game", sa.String, nullable=False),
        sa.Column("mu", sa.Double, nullable=False),
        sa.Column("sigma", sa.Double, nullable=False),
        sa.Column("last", sa.BigInteger),
        sa.Column("tried", sa.Integer, nullable=False),
        sa.Column("solved", sa.Integer, nullable=False),
    )
