"""Ratings: the journal of what counts, what it changed, what people have, and their tallies."""

import sqlalchemy as sa
from alembic import op

revision = "78ee1be32d09"
down_revision = "a7c31d90be42"


def upgrade() -> None:
    """Adds the tables; no game of an earlier release counts."""
    op.create_table(
        "rating_entry",
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("kind", sa.String, nullable=False),
        sa.Column("pool", sa.String, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("game", sa.String, sa.ForeignKey("game.code", name="fk_rating_entry_game")),
        sa.Column("formula", sa.String, nullable=False),
        sa.Column("people", sa.String, nullable=False),
        sa.Column("places", sa.String, nullable=False),
        sa.Column("of", sa.Integer),
        sa.Column("data", sa.JSON, nullable=False),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_rating_entry_game", "rating_entry", ["game"])
    op.create_index("ix_rating_entry_of", "rating_entry", ["of"])
    op.create_table(
        "rating_change",
        sa.Column(
            "entry",
            sa.Integer,
            sa.ForeignKey("rating_entry.number", name="fk_rating_change_entry"),
            primary_key=True,
        ),
        _person("rating_change"),
        sa.Column("pool", sa.String, primary_key=True),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("mu_before", sa.Double, nullable=False),
        sa.Column("sigma_before", sa.Double, nullable=False),
        sa.Column("last_before", sa.BigInteger),
        sa.Column("mu", sa.Double, nullable=False),
        sa.Column("sigma", sa.Double, nullable=False),
        sa.Column("last", sa.BigInteger),
    )
    op.create_index(
        "ix_rating_change_person_pool_entry", "rating_change", ["person", "pool", "entry"]
    )
    op.create_table(
        "rating",
        sa.Column("pool", sa.String, primary_key=True),
        _person("rating"),
        sa.Column("mu", sa.Double, nullable=False),
        sa.Column("sigma", sa.Double, nullable=False),
        sa.Column("last", sa.BigInteger),
    )
    op.create_index("ix_rating_person", "rating", ["person"])
    op.create_table(
        "tally",
        *(sa.Column(name, sa.String, primary_key=True) for name in ("pool", "platform", "place")),
        _person("tally"),
        *(sa.Column(name, sa.Integer, nullable=False) for name in ("won", "drawn", "lost")),
        sa.Column("opponents", sa.String, nullable=False),
        sa.Column("met", sa.Integer, nullable=False),
        sa.Column("last", sa.BigInteger, nullable=False),
        sa.Column("mu", sa.Double, nullable=False),
        sa.Column("sigma", sa.Double, nullable=False),
        sa.Column("listed", sa.Boolean, nullable=False),
    )
    op.create_index(
        "ix_tally_ladder",
        "tally",
        ["pool", "platform", "place", "listed", "mu", "person", "sigma", "met", "last"],
    )
    op.create_index("ix_tally_person", "tally", ["person"])


def _person(table: str) -> sa.Column[int]:
    known = sa.ForeignKey("person.id", name=f"fk_{table}_person")
    return sa.Column("person", sa.Integer, known, primary_key=True)
