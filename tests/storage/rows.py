"""Rows as the bot would write them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import select, text
from sqlalchemy.ext.asyncio import AsyncConnection

from storage import Store, schema
from storage.records import EventRow, GameRow, SeatRow, Standing, Status, ViewRow
from storage.table import games, views

PLAYING = Standing("playing")
ENDED = Standing("ended")
NOON = datetime(2026, 3, 1, 12, 0, 0, 123000, tzinfo=UTC)


def later(seconds: float) -> datetime:
    """So many seconds after noon."""
    return NOON + timedelta(seconds=seconds)


def game(code: str = "k7", *, status: Status = "playing", version: int = 1) -> GameRow:
    """A game with a secret and no parent."""
    return GameRow(code, "niya", status, version, NOON, NOON, bytes(range(32)), None)


def event(number: int, text: str = "b3") -> EventRow:
    """A move of seat 0."""
    return EventRow(number, later(number), "move", 0, text, {"draw": None, "tags": ["a", 1]})


def seats(first: int | None = None) -> tuple[SeatRow, SeatRow]:
    """A person, or nobody yet, against a computer of level 2."""
    return SeatRow(0, first, None, "black", None), SeatRow(1, None, 2, "white", None)


async def seats_of(tx: AsyncConnection, code: str) -> tuple[SeatRow, ...]:
    """The seats of a game as they are kept, in their order."""
    columns = schema.columns_of(schema.seat, SeatRow)
    asked = select(*columns).where(schema.seat.c.game == code).order_by(schema.seat.c.seat)
    return await schema.fetch_all(tx, SeatRow, asked)


async def add_game(
    tx: AsyncConnection,
    code: str = "k7",
    *,
    status: Status = "playing",
    version: int = 1,
    person: int | None = None,
) -> GameRow:
    """A game with *version* events and two seats."""
    row = game(code, status=status, version=version)
    await games.create_game(tx, row, [event(n) for n in range(1, version + 1)], seats(person))
    return row


async def add_view(
    tx: AsyncConnection,
    code: str = "k7",
    *,
    place: str = "-100",
    message: str | None = "41",
    platform: str = "telegram",
    owed: int = 1,
) -> ViewRow:
    """A Spanish view for all."""
    return await views.add_view(tx, view(code, platform, place, message, owed))


def view(code: str, platform: str, place: str, message: str | None, owed: int) -> ViewRow:
    """A Spanish view for all that has shown nothing yet, as it is before it is added."""
    return ViewRow(
        id=0,
        subject=code,
        platform=platform,
        place=place,
        message=message,
        language="es",
        theme="paper",
        owed=owed,
    )


async def pragma(store: Store, name: str) -> object:
    """What SQLite answers to a pragma on the store's connection."""
    async with store.reading() as tx:
        return (await tx.execute(text(f"PRAGMA {name}"))).scalar_one()


def one_sentence(error: pytest.ExceptionInfo[BaseException]) -> str:
    """What the operator reads: one line that ends like a sentence."""
    said = str(error.value)
    assert said.endswith(".")
    assert "\n" not in said
    assert "Traceback" not in said
    return said
