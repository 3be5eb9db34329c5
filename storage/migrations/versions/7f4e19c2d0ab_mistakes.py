"""Positions of finished games that people have kept to try again.

A release before this one would not erase them with the rest of a person, so it may not go on
beside it.
"""

import sqlalchemy as sa
from alembic import op

revision = "7f4e19c2d0ab"
down_revision = "bf0dba76105d"


def upgrade() -> None:
    """Adds the table, in which nobody has kept anything yet."""
    op.create_table(
        "mistake",
        sa.Column("person", sa.Integer, sa.ForeignKey("person.id"), primary_key=True),
        sa.Column("code", sa.String, primary_key=True),
        sa.Column("game", sa.String, nullable=False),
        sa.Column("lesson", sa.JSON, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("due", sa.Integer),
        sa.Column("last", sa.Integer, nullable=False),
        sa.Column("stability", sa.Double),
        sa.Column("difficulty", sa.Double),
    )
    op.create_index("ix_mistake_person_due", "mistake", ["person", "due"])
