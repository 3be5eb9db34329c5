"""Release 1.0.0, once called 0.4.0: ratings, tournaments, school and more, one table for screens.

A release before this one knows none of it: it may not go on beside it.
"""

import sqlalchemy as sa
from alembic import op

from storage.migrations.columns import (
    Columns,
    add_table,
    instants,
    key,
    number,
    numbers,
    of,
    of_kind,
    person,
    texts,
)

revision = "6f1d84b0c9a3"
down_revision = "0008"

KEPT = (
    *("platform", "place", "message", "thread", "person", "language", "theme", "side", "shown"),
    *("owed", "token", "token_at", "posted", "digest", "over_at"),
)
"""The columns of a view that stay as they are."""

UNIQUE = (
    "uq_view_kind_subject_platform_place_message",
    "view",
    ["kind", "subject", "platform", "place", "message"],
)


def upgrade() -> None:
    """Adds the new tables, and lets a view show anything."""
    rated = sa.Column("rated", sa.Boolean, nullable=False, server_default=sa.false())
    op.add_column("game", rated)  # no game of an earlier release counts
    for name, columns in _tables().items():
        add_table(name, columns, *INDEXES.get(name, ()), counted=name == "rating_entry")
    ladder = ["pool", "platform", "place", "listed", "mu", "person", "sigma", "met", "last"]
    op.create_index("ix_tally_ladder", "tally", ladder)
    op.drop_table("snapshot", if_exists=True)  # 0.2.0 kept it, and nobody has read it since
    _make_views()


# ------------------------------------------------------------------------------ new tables

IMPORTED = ("platform", "place", "source")

INDEXES: dict[str, list[list[str]]] = {
    "alert": [["platform", "place", "game"]],
    "rating_entry": [["game"], ["of"]],
    "rating_change": [["person", "pool", "entry"]],
    "rating": [["person"]],
    "tally": [["person"]],
    "bar": [["at_platform", "at_place"]],
    "attempt": [["person", "game"]],
    "medal": [["game"]],
    "tournament": [["due"], ["platform", "place", "phase"]],
    "entrant": [["person"]],
    "daily_try": [["platform", "place", "day"]],
    "opened_file": [["at"]],
    "mistake": [["person", "due"]],
}


def _strength() -> Columns:
    """A rating, and when it changed last."""
    return [*of_kind(sa.Double, "mu", "sigma"), *instants("last", nullable=True)]


def _tables() -> dict[str, Columns]:
    """The columns of the new tables."""
    entry = sa.ForeignKey("rating_entry.number", name="fk_rating_change_entry")
    return {
        "alert": [person("alert"), *key("platform", "place", "game"), *instants("at"),
                  *instants("told", nullable=True)],
        "rating_entry": [number("number"), *texts("kind", "pool"), *instants("at"),
                         of("rating_entry", "game.code"), *texts("formula", "people", "places"),
                         *numbers("of", nullable=True), *of_kind(sa.JSON, "data")],
        "rating_change": [sa.Column("entry", sa.Integer, entry, primary_key=True),
                          person("rating_change"), *key("pool"), *instants("at"),
                          *of_kind(sa.Double, "mu_before", "sigma_before"),
                          *instants("last_before", nullable=True), *_strength()],
        "rating": [*key("pool"), person("rating"), *_strength()],
        "tally": [*key("pool", "platform", "place"), person("tally"),
                  *numbers("won", "drawn", "lost"), *texts("opponents"), *numbers("met"),
                  *instants("last"), *of_kind(sa.Double, "mu", "sigma"),
                  *of_kind(sa.Boolean, "listed")],
        "bar": [*key("platform", "external", "at_platform", "at_place"), *instants("since"),
                *numbers("by", nullable=True)],
        "attempt": [person("attempt"), *key("exercise"), *texts("game", "step"),
                    *numbers("state", "wrong"), *instants("at"),
                    *instants("solved", nullable=True)],
        "medal": [person("medal"), *key("key", "pool"), *instants("at"), of("medal", "game.code"),
                  *of_kind(sa.JSON, "data")],
        "tournament": [*key("code"), *texts("platform", "place"), *texts("thread", nullable=True),
                       *of_kind(sa.Boolean, "private"), *texts("phase"), *numbers("version"),
                       *instants("created", "touched"), *instants("due", nullable=True)],
        "tournament_event": [of("tournament_event", "tournament.code", primary_key=True),
                             number("number", autoincrement=False), *instants("at"),
                             *texts("kind"), *of_kind(sa.JSON, "data"), *instants("steady")],
        "entrant": [of("entrant", "tournament.code", primary_key=True), person("entrant"),
                    *texts("platform", "place"), *texts("thread", nullable=True),
                    *of_kind(sa.Boolean, "private")],
        "solver": [person("solver"), *key("pool"), *_strength(),
                   *numbers("streak", "longest", "day")],
        "puzzle": [*key("code"), *texts("game"), *_strength(), *numbers("tried", "solved")],
        "daily_try": [person("daily_try"), number("day"), *key("exercise"),
                      *texts("platform", "place", "signs"),
                      *of_kind(sa.Boolean, "on_day", "named")],
        "daily": [*key("platform", "place"), *numbers("day"), *texts("puzzle"), *numbers("idle"),
                  *instants("at")],
        "imported_place": [*key(*IMPORTED), *texts("title"), *instants("at"),
                           *of_kind(sa.JSON, "data")],
        "imported_game": [*key(*IMPORTED, "code"), *texts("game", "day", "names", "record")],
        "comment": [person("comment"), of("comment", "game.code", primary_key=True),
                    number("number"), *texts("text", "moves"), *instants("at")],
        "opened_file": [person("opened_file"), *key("code"), *texts("text"), *instants("at")],
        "mistake": [person("mistake"), *key("code"), *texts("game"), *of_kind(sa.JSON, "lesson"),
                    *instants("at"), *numbers("due", nullable=True), *numbers("last"),
                    *of_kind(sa.Double, "stability", "difficulty", nullable=True)],
        "house_puzzle": [*key("code"), *texts("game"), *of_kind(sa.JSON, "lesson"),
                         *texts("origin"), *instants("added"), *numbers("rules"), *instants("at"),
                         *texts("fault")],
    }  # fmt: skip


# ------------------------------------------------------------------------------ views


def _make_views() -> None:
    """Name what a view shows by its kind and a subject."""
    if op.get_bind().dialect.name == "sqlite":
        _rebuild()
    else:
        op.drop_constraint("fk_view_game", "view")
        op.drop_constraint("uq_view_game_platform_place_message", "view")
        op.drop_index("ix_view_platform_place_over_at_game", "view")
        op.alter_column("view", "game", new_column_name="subject")
        op.add_column("view", sa.Column("kind", sa.String, nullable=False, server_default="board"))
        op.alter_column("view", "kind", server_default=None)
        op.create_unique_constraint(*UNIQUE)
    op.create_index(
        "ix_view_platform_place_over_at_subject",
        "view",
        ["platform", "place", "over_at", "subject"],
    )


def _rebuild() -> None:
    """SQLite drops no foreign key: the table is made anew, and its ids are counted on."""
    for index in ("platform_place_message", "platform_place_over_at_game", "behind"):
        op.drop_index(f"ix_view_{index}", "view")
    op.rename_table("view", "view_before")
    op.create_table(
        "view",
        number("id"),
        *texts("kind", "subject", "platform", "place"),
        *texts("message", "thread", nullable=True),
        of("view", "person.id"),
        *texts("language", "theme"),
        *numbers("side", nullable=True),
        *numbers("shown", "owed"),
        *texts("token", nullable=True),
        *instants("token_at", "posted", nullable=True),
        *texts("digest"),
        *instants("over_at", nullable=True),
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
