"""Release 0.4.0: ratings, tournaments, school and more, and one table for all that is shown.

A release before this one knows none of it: it may not go on beside it. A database of what was
developed between 0.3.0 and this release has some of its tables already: they are left as they are.
"""

from collections.abc import Iterable
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "6f1d84b0c9a3"
down_revision = "0008"

LATE = sa.text("shown < owed")

KEPT = (
    *("platform", "place", "message", "thread", "person", "language", "theme", "side", "shown"),
    *("owed", "token", "token_at", "posted", "digest", "over_at"),
)
"""The columns of a view that stay as they are."""

HERE = ("platform", "place", "message", "thread", "person", "language", "shown", "owed", "posted")
"""Those that a message of a tournament had before it was a view."""

UNIQUE = (
    "uq_view_kind_subject_platform_place_message",
    "view",
    ["kind", "subject", "platform", "place", "message"],
)


def upgrade() -> None:
    """Adds the tables that are not there, and makes views of what else is shown."""
    there = sa.inspect(op.get_bind())
    if "rated" not in {column["name"] for column in there.get_columns("game")}:
        rated = sa.Column("rated", sa.Boolean, nullable=False, server_default=sa.false())
        op.add_column("game", rated)  # no game of an earlier release counts
    for name, (columns, indexes) in _tables().items():
        if not there.has_table(name):
            op.create_table(name, *columns, sqlite_autoincrement=name == "rating_entry")
            for index in indexes:
                op.create_index(f"ix_{name}_{'_'.join(index)}", name, index)
    if not there.has_table("tally"):
        ladder = ["pool", "platform", "place", "listed", "mu", "person", "sigma", "met", "last"]
        op.create_index("ix_tally_ladder", "tally", ladder)
    if there.has_table("snapshot"):
        op.drop_table("snapshot")  # folded by an earlier release, and read by none since
    _make_views(tournaments=there.has_table("tournament_view"))


# ------------------------------------------------------------------------------ new tables

IMPORTED = ("platform", "place", "source")

Columns = list[sa.Column[Any]]


def _key(*names: str) -> Columns:
    return [sa.Column(name, sa.String, primary_key=True) for name in names]


def _texts(*names: str) -> Columns:
    return [sa.Column(name, sa.String, nullable=False) for name in names]


def _numbers(*names: str, kind: type[sa.types.TypeEngine[Any]] = sa.Integer) -> Columns:
    return [sa.Column(name, kind, nullable=False) for name in names]


def _instants(*names: str) -> Columns:
    return _numbers(*names, kind=sa.BigInteger)


def _doubles(*names: str) -> Columns:
    return _numbers(*names, kind=sa.Double)


def _person(table: str) -> sa.Column[int]:
    known = sa.ForeignKey("person.id", name=f"fk_{table}_person")
    return sa.Column("person", sa.Integer, known, primary_key=True)


def _of(table: str, column: str, known: str, *, key: bool = False) -> sa.Column[str]:
    foreign = sa.ForeignKey(known, name=f"fk_{table}_{column}")
    return sa.Column(column, sa.String, foreign, primary_key=key)


def _json(name: str = "data") -> sa.Column[Any]:
    return sa.Column(name, sa.JSON, nullable=False)


def _tables() -> dict[str, tuple[Iterable[sa.Column[Any]], list[list[str]]]]:
    """The new tables, each with its columns and the columns of its indexes."""
    instant = sa.BigInteger
    entry = sa.ForeignKey("rating_entry.number", name="fk_rating_change_entry")
    return {
        "alert": (
            [_person("alert"), *_key("platform", "place", "game"), *_instants("at"),
             sa.Column("told", instant)],
            [["platform", "place", "game"]],
        ),
        "rating_entry": (
            [sa.Column("number", sa.Integer, primary_key=True), *_texts("kind", "pool"),
             *_instants("at"), _of("rating_entry", "game", "game.code"),
             *_texts("formula", "people", "places"), sa.Column("of", sa.Integer), _json()],
            [["game"], ["of"]],
        ),
        "rating_change": (
            [sa.Column("entry", sa.Integer, entry, primary_key=True), _person("rating_change"),
             *_key("pool"), *_instants("at"), *_doubles("mu_before", "sigma_before"),
             sa.Column("last_before", instant), *_doubles("mu", "sigma"),
             sa.Column("last", instant)],
            [["person", "pool", "entry"]],
        ),
        "rating": (
            [*_key("pool"), _person("rating"), *_doubles("mu", "sigma"),
             sa.Column("last", instant)],
            [["person"]],
        ),
        "tally": (
            [*_key("pool", "platform", "place"), _person("tally"),
             *_numbers("won", "drawn", "lost"), *_texts("opponents"), *_numbers("met"),
             *_instants("last"), *_doubles("mu", "sigma"), *_numbers("listed", kind=sa.Boolean)],
            [["person"]],
        ),
        "bar": (
            [*_key("platform", "external", "at_platform", "at_place"), *_instants("since"),
             sa.Column("by", sa.Integer)],
            [["at_platform", "at_place"]],
        ),
        "attempt": (
            [_person("attempt"), *_key("exercise"), *_texts("game", "step"),
             *_numbers("state", "wrong"), *_instants("at"), sa.Column("solved", instant)],
            [["person", "game"]],
        ),
        "medal": (
            [_person("medal"), *_key("key", "pool"), *_instants("at"),
             _of("medal", "game", "game.code"), _json()],
            [["game"]],
        ),
        "tournament": (
            [*_key("code"), *_texts("platform", "place"), sa.Column("thread", sa.String),
             *_numbers("private", kind=sa.Boolean), *_texts("phase"), *_numbers("version"),
             *_instants("created", "touched"), sa.Column("due", instant)],
            [["due"], ["platform", "place", "phase"]],
        ),
        "tournament_event": (
            [_of("tournament_event", "tournament", "tournament.code", key=True),
             sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
             *_instants("at"), *_texts("kind"), _json(), *_instants("steady")],
            [],
        ),
        "entrant": (
            [_of("entrant", "tournament", "tournament.code", key=True), _person("entrant"),
             *_texts("platform", "place"), sa.Column("thread", sa.String),
             *_numbers("private", kind=sa.Boolean)],
            [["person"]],
        ),
        "solver": (
            [_person("solver"), *_key("pool"), *_doubles("mu", "sigma"),
             sa.Column("last", instant), *_numbers("streak", "longest", "day")],
            [],
        ),
        "puzzle": (
            [*_key("code"), *_texts("game"), *_doubles("mu", "sigma"),
             sa.Column("last", instant), *_numbers("tried", "solved")],
            [],
        ),
        "daily_try": (
            [_person("daily_try"), sa.Column("day", sa.Integer, primary_key=True),
             *_key("exercise"), *_texts("platform", "place", "signs"),
             *_numbers("on_day", "named", kind=sa.Boolean)],
            [["platform", "place", "day"]],
        ),
        "daily": (
            [*_key("platform", "place"), *_numbers("day"), *_texts("puzzle"), *_numbers("idle"),
             *_instants("at")],
            [],
        ),
        "imported_place": (
            [*_key(*IMPORTED), *_texts("title"), *_instants("at"), _json()],
            [],
        ),
        "imported_game": (
            [*_key(*IMPORTED, "code"), *_texts("game", "day", "names", "record")],
            [],
        ),
        "comment": (
            [_person("comment"), _of("comment", "game", "game.code", key=True),
             sa.Column("number", sa.Integer, primary_key=True), *_texts("text", "moves"),
             *_instants("at")],
            [],
        ),
        "opened_file": (
            [_person("opened_file"), *_key("code"), *_texts("text"), *_instants("at")],
            [["at"]],
        ),
        "mistake": (
            [_person("mistake"), *_key("code"), *_texts("game"), _json("lesson"),
             *_instants("at"), sa.Column("due", sa.Integer), *_numbers("last"),
             sa.Column("stability", sa.Double), sa.Column("difficulty", sa.Double)],
            [["person", "due"]],
        ),
        "house_puzzle": (
            [*_key("code"), *_texts("game"), _json("lesson"), *_texts("origin"),
             *_instants("added"), *_numbers("rules"), *_instants("at"), *_texts("fault")],
            [],
        ),
    }  # fmt: skip


# ------------------------------------------------------------------------------ views


def _make_views(*, tournaments: bool) -> None:
    """Name what a view shows by its kind and a subject, and take in what *tournaments* show."""
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
    if not tournaments:
        return
    columns = ", ".join(HERE)
    # Its digest is left out, so that each is looked at once more.
    op.execute(
        f"INSERT INTO view (kind, subject, {columns}, theme, digest) "  # noqa: S608 - names of our own
        f"SELECT 'tournament', tournament, {columns}, 'light', '' FROM tournament_view ORDER BY id"
    )
    op.execute("UPDATE view SET shown = 0 WHERE kind = 'tournament'")
    op.drop_table("tournament_view")


def _rebuild() -> None:
    """SQLite drops no foreign key: the table is made anew, and its ids are counted on."""
    for index in ("platform_place_message", "platform_place_over_at_game", "behind"):
        op.drop_index(f"ix_view_{index}", "view")
    op.rename_table("view", "view_before")
    op.create_table(
        "view",
        sa.Column("id", sa.Integer, primary_key=True),
        *_texts("kind", "subject", "platform", "place"),
        sa.Column("message", sa.String),
        sa.Column("thread", sa.String),
        sa.Column("person", sa.Integer, sa.ForeignKey("person.id", name="fk_view_person")),
        *_texts("language", "theme"),
        sa.Column("side", sa.Integer),
        *_numbers("shown", "owed"),
        sa.Column("token", sa.String),
        sa.Column("token_at", sa.BigInteger),
        sa.Column("posted", sa.BigInteger),
        *_texts("digest"),
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
