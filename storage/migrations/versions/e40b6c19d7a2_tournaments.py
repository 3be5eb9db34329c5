"""Tournaments, their events, who has entered, and the messages that show them.

Tables of a tournament say so in their first event, in a word that earlier releases do not know, so
none of those may run beside.
"""

import sqlalchemy as sa
from alembic import op

revision = "e40b6c19d7a2"
down_revision = "c3d0a0dc41f7"


def upgrade() -> None:
    """Adds the tables."""
    op.create_table(
        "tournament",
        sa.Column("code", sa.String, primary_key=True),
        sa.Column("platform", sa.String, nullable=False),
        sa.Column("place", sa.String, nullable=False),
        sa.Column("thread", sa.String),
        sa.Column("private", sa.Boolean, nullable=False),
        sa.Column("phase", sa.String, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("touched", sa.BigInteger, nullable=False),
        sa.Column("due", sa.BigInteger),
    )
    op.create_index("ix_tournament_due", "tournament", ["due"])
    op.create_index(
        "ix_tournament_platform_place_phase", "tournament", ["platform", "place", "phase"]
    )
    op.create_table(
        "tournament_event",
        _of("tournament_event", primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("kind", sa.String, nullable=False),
        sa.Column("data", sa.JSON, nullable=False),
        sa.Column("steady", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "entrant",
        _of("entrant", primary_key=True),
        sa.Column(
            "person",
            sa.Integer,
            sa.ForeignKey("person.id", name="fk_entrant_person"),
            primary_key=True,
        ),
        sa.Column("platform", sa.String, nullable=False),
        sa.Column("place", sa.String, nullable=False),
        sa.Column("thread", sa.String),
        sa.Column("private", sa.Boolean, nullable=False),
    )
    op.create_index("ix_entrant_person", "entrant", ["person"])
    op.create_table(
        "tournament_view",
        sa.Column("id", sa.Integer, primary_key=True),
        _of("tournament_view", nullable=False),
        sa.Column("platform", sa.String, nullable=False),
        sa.Column("place", sa.String, nullable=False),
        sa.Column("thread", sa.String),
        sa.Column(
            "person", sa.Integer, sa.ForeignKey("person.id", name="fk_tournament_view_person")
        ),
        sa.Column("language", sa.String, nullable=False),
        sa.Column("message", sa.String),
        sa.Column("shown", sa.Integer, nullable=False),
        sa.Column("owed", sa.Integer, nullable=False),
        sa.Column("posted", sa.BigInteger),
        sa.Column("digest", sa.String, nullable=False),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_tournament_view_tournament", "tournament_view", ["tournament"])
    op.create_index("ix_tournament_view_platform_place", "tournament_view", ["platform", "place"])
    late = sa.text("shown < owed")
    op.create_index(
        "ix_tournament_view_late",
        "tournament_view",
        ["id"],
        sqlite_where=late,
        postgresql_where=late,
    )


def _of(table: str, *, primary_key: bool = False, nullable: bool = True) -> sa.Column[str]:
    key = sa.ForeignKey("tournament.code", name=f"fk_{table}_tournament")
    return sa.Column(
        "tournament", sa.String, key, primary_key=primary_key, nullable=nullable and not primary_key
    )
