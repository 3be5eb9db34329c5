"""One table for every message that shows something: those of tournaments become views as well.

A release before this one knows no views but those of games: it may not go on beside it.
"""

import sqlalchemy as sa
from alembic import op

revision = "6f1d84b0c9a3"
down_revision = "2b91d07ce6f4"

KEPT = (
    *("platform", "place", "message", "thread", "person", "language", "theme", "side", "shown"),
    *("owed", "token", "token_at", "posted", "digest", "over_at"),
)
"""The columns of a view that stay as they are."""

HERE = ("platform", "place", "message", "thread", "person", "language", "shown", "owed", "posted")
"""The columns that a message of a tournament has as well, but for its digest."""


def upgrade() -> None:
    """Names what a view shows by its kind and a subject, and takes in what tournaments show."""
    if op.get_bind().dialect.name == "sqlite":
        _rebuild()
    else:
        op.drop_constraint("fk_view_game", "view")
        op.drop_constraint("uq_view_game_platform_place_message", "view")
        op.drop_index("ix_view_platform_place_over_at_game", "view")
        op.alter_column("view", "game", new_column_name="subject")
        kind = sa.Column("kind", sa.String, nullable=False, server_default="board")
        op.add_column("view", kind)
        op.alter_column("view", "kind", server_default=None)
        op.create_unique_constraint(*UNIQUE)
    op.create_index(
        "ix_view_platform_place_over_at_subject",
        "view",
        ["platform", "place", "over_at", "subject"],
    )
    columns = ", ".join(HERE)
    # Its digest is left out, so that each is looked at once more.
    op.execute(
        f"INSERT INTO view (kind, subject, {columns}, theme, digest) "  # noqa: S608 - names of our own
        f"SELECT 'tournament', tournament, {columns}, 'light', '' FROM tournament_view ORDER BY id"
    )
    op.execute("UPDATE view SET shown = 0 WHERE kind = 'tournament'")
    op.drop_table("tournament_view")


UNIQUE = (
    "uq_view_kind_subject_platform_place_message",
    "view",
    ["kind", "subject", "platform", "place", "message"],
)


def _rebuild() -> None:
    """SQLite drops no foreign key: the table is made anew, and its ids are counted on."""
    for index in ("platform_place_message", "platform_place_over_at_game", "behind"):
        op.drop_index(f"ix_view_{index}", "view")
    op.rename_table("view", "view_before")
    op.create_table(
        "view",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("kind", sa.String, nullable=False),
        sa.Column("subject", sa.String, nullable=False),
        sa.Column("platform", sa.String, nullable=False),
        sa.Column("place", sa.String, nullable=False),
        sa.Column("message", sa.String),
        sa.Column("thread", sa.String),
        sa.Column("person", sa.Integer, sa.ForeignKey("person.id", name="fk_view_person")),
        sa.Column("language", sa.String, nullable=False),
        sa.Column("theme", sa.String, nullable=False),
        sa.Column("side", sa.Integer),
        sa.Column("shown", sa.Integer, nullable=False),
        sa.Column("owed", sa.Integer, nullable=False),
        sa.Column("token", sa.String),
        sa.Column("token_at", sa.BigInteger),
        sa.Column("posted", sa.BigInteger),
        sa.Column("digest", sa.String, nullable=False),
        sa.Column("over_at", sa.BigInteger),
        sa.UniqueConstraint(*UNIQUE[2], name=UNIQUE[0]),
        sqlite_autoincrement=True,
    )
    columns = ", ".join(("id", *KEPT))
    op.execute(
        f"INSERT INTO view (kind, subject, {columns}) "  # noqa: S608 - names of our own
        f"SELECT 'board', game, {columns} FROM view_before"
    )
    # A late report about a view that is gone must not hit a new one.
    op.execute("DELETE FROM sqlite_sequence WHERE name = 'view'")
    op.execute(
        "INSERT INTO sqlite_sequence (name, seq) "
        "SELECT 'view', seq FROM sqlite_sequence WHERE name = 'view_before'"
    )
    op.drop_table("view_before")
    op.create_index("ix_view_platform_place_message", "view", ["platform", "place", "message"])
    op.create_index("ix_view_behind", "view", ["id"], sqlite_where=sa.text("shown < owed"))
