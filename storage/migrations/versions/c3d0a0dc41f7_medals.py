"""Medals: what somebody was given, once."""

import sqlalchemy as sa
from alembic import op

revision = "c3d0a0dc41f7"
down_revision = "5d0c2f7a91e4"


def upgrade() -> None:
    """Adds the table; nobody has a medal before."""
    op.create_table(
        "medal",
        sa.Column(
            "person",
            sa.Integer,
            sa.ForeignKey("person.id", name="fk_medal_person"),
            primary_key=True,
        ),
        sa.Column("key", sa.String, primary_key=True),
        sa.Column("pool", sa.String, primary_key=True),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("game", sa.String, sa.ForeignKey("game.code", name="fk_medal_game")),
        sa.Column("data", sa.JSON, nullable=False),
    )
    op.create_index("ix_medal_game", "medal", ["game"])
