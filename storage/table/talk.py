"""What people said to one another over a game: its newest lines."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import delete, func, select

from storage import schema
from storage.bot_settings import delete_setting, list_settings, put_setting
from storage.person import people
from storage.records import TalkRow
from storage.schema import Transaction

KEPT_LINES = 200
"""The number of lines of a game that are kept."""

HOUSE_LINES = 60
"""The number of lines of the whole house that are kept."""

_talk, _person = schema.talk, schema.person
_COLUMNS = schema.columns_of(_talk, TalkRow)


async def add_talk(tx: Transaction, row: TalkRow) -> TalkRow:
    """Adds a line, and deletes the oldest beyond ``KEPT``; answers it with its number.

    Raises ``ForgottenPerson``.
    """
    await people.check_known(tx, row.person)
    added = await schema.add_numbered(tx, _talk, row)
    mine = select(_talk.c.id).where(_talk.c.game == row.game).order_by(_talk.c.id.desc())
    await tx.execute(delete(_talk).where(_talk.c.id.in_(mine.offset(KEPT_LINES))))
    return added


async def talk_of_game(tx: Transaction, game: str, after: int = 0) -> tuple[TalkRow, ...]:
    """The lines of a game with numbers beyond *after*, the oldest first."""
    asked = select(*_COLUMNS).where(_talk.c.game == game, _talk.c.id > after).order_by(_talk.c.id)
    return await schema.fetch_all(tx, TalkRow, asked)


async def add_house_line(tx: Transaction, person: int, at: datetime, said: str) -> None:
    """Adds what *person* says to the whole house, and deletes the oldest beyond ``HOUSE_LINES``.

    Raises ``ForgottenPerson``.
    """
    await people.check_known(tx, person)
    await put_setting(tx, f"{people.SAID}{person}:{at.timestamp():017.6f}", said)
    for key, *_ in (await house_lines(tx))[:-HOUSE_LINES]:
        await delete_setting(tx, key)


async def house_lines(tx: Transaction) -> list[tuple[str, int, str]]:
    """What is said to the whole house, the oldest first: its key, by whom, and the words."""
    found = await list_settings(tx, people.SAID)
    ordered = sorted(found.items(), key=lambda one: one[0].rpartition(":")[2])
    return [(key, int(key.split(":")[1]), said) for key, said in ordered]


async def load_speakers(tx: Transaction, game: str) -> dict[int, str]:
    """The names of all who said something over a game, by their ids."""
    same = _person.alias()
    asked = (
        select(_talk.c.person, same.c.name)
        .join(_person, _person.c.id == _talk.c.person)
        .join(same, same.c.id == func.coalesce(_person.c.same_as, _person.c.id))
        .where(_talk.c.game == game)
        .distinct()
    )
    return {one.person: one.name for one in await tx.execute(asked)}


async def find_author(tx: Transaction, game: str, number: int) -> int | None:
    """The person who said the line *number* of a game, None if there is no such line."""
    asked = select(_talk.c.person).where(_talk.c.game == game, _talk.c.id == number)
    return (await tx.execute(asked)).scalar_one_or_none()
