"""Houses with many tables: rows of one table that was played, copied by the database itself."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from contextlib import closing
from pathlib import Path

LETTERS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"

GAME = "game, status, version, created, touched, secret, parent, over_at, to_move, computer"
SEAT = "seat, person, level, side, place, over_at"
EVENT = "number, at, kind, seat, text, data"
VIEW = (
    "platform, place, thread, person, language, theme, side, shown, owed, token, token_at, "
    "posted, digest, over_at"
)


def code_of(number: int) -> str:
    """A table code of its own for each number."""
    code = ""
    for _ in range(5):
        number, letter = divmod(number, len(LETTERS))
        code = LETTERS[letter] + code
    return f"Z{code}"


def change(folder: Path, *statements: str) -> None:
    """Runs SQL on the house in *folder*, whose bot does not run."""
    with closing(sqlite3.connect(folder / "games.db")) as connection:
        for statement in statements:
            connection.execute(statement)
        connection.commit()


def copied(folder: Path, code: str, numbers: Iterable[int], *, views: bool) -> Sequence[str]:
    """Copies of the table *code*, one a number, with its *views* or with none; their codes."""
    codes = [code_of(number) for number in numbers]
    with closing(sqlite3.connect(folder / "games.db")) as connection:
        connection.execute("CREATE TEMP TABLE copy (code TEXT, n INTEGER)")
        connection.executemany(
            "INSERT INTO copy VALUES (?, ?)", ((new, n) for n, new in enumerate(codes))
        )
        connection.execute(
            f"INSERT INTO game (code, {GAME}) "
            f"SELECT copy.code, {GAME.replace('over_at', 'over_at + n')} FROM copy, game "
            "WHERE game.code = ?",
            (code,),
        )
        for table, columns in (("seat", SEAT), ("event", EVENT)):
            chosen = columns.replace("over_at", "over_at + n")
            connection.execute(
                f"INSERT INTO {table} (game, {columns}) SELECT copy.code, {chosen} "
                f"FROM copy, {table} WHERE {table}.game = ?",
                (code,),
            )
        if views:
            connection.execute(
                f"INSERT INTO view (kind, subject, message, {VIEW}) "
                "SELECT 'board', copy.code, 'c' || copy.code, "
                f"{VIEW.replace('over_at', 'over_at + n')} FROM copy, view "
                "WHERE view.subject = ?",
                (code,),
            )
        connection.commit()
    return codes
