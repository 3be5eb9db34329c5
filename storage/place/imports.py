"""What places have imported of other houses: text alone, which nothing counts."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import ColumnElement, and_, func, select

from storage import schema
from storage.records import ImportedGameRow, ImportedPlaceRow, PlaceKey
from storage.schema import Transaction

_place, _game = schema.imported_place, schema.imported_game
_PLACE = schema.columns_of(_place, ImportedPlaceRow)
_GAME = select(*schema.columns_of(_game, ImportedGameRow))


async def put_imported_place(tx: Transaction, row: ImportedPlaceRow) -> None:
    """Stores what an export tells of its place, instead of what an earlier one told."""
    await schema.upsert(tx, _place, schema.values_of(row))


async def add_imported_games(tx: Transaction, rows: Sequence[ImportedGameRow]) -> int:
    """Stores those of *rows* that are not there yet; answers how many those are."""
    return len(await schema.add_new(tx, _game, rows))


async def imported_places(
    tx: Transaction, platform: str, place: str
) -> tuple[tuple[ImportedPlaceRow, int], ...]:
    """The places that *place* has imported, each with the number of its games, the newest first."""
    count = select(func.count()).where(
        _game.c.platform == _place.c.platform,
        _game.c.place == _place.c.place,
        _game.c.source == _place.c.source,
    )
    asked = (
        select(*_PLACE, count.scalar_subquery())
        .where(_place.c.platform == platform, _place.c.place == place)
        .order_by(_place.c.at.desc(), _place.c.source)
    )
    return tuple((ImportedPlaceRow(*row[:-1]), row[-1]) for row in await tx.execute(asked))


async def imported_games(
    tx: Transaction, platform: str, place: str, source: str, first: int, many: int
) -> tuple[ImportedGameRow, ...]:
    """At most *many* games of an imported place from the number *first* on, the newest first."""
    asked = _GAME.where(_here(platform, place, source))
    ordered = asked.order_by(_game.c.day.desc(), _game.c.code).offset(first).limit(many)
    return await schema.fetch_all(tx, ImportedGameRow, ordered)


async def imported_game(
    tx: Transaction, platform: str, place: str, source: str, code: str
) -> ImportedGameRow | None:
    """One imported game."""
    here = _here(platform, place, source)
    return await schema.fetch_one(tx, ImportedGameRow, _GAME.where(here, _game.c.code == code))


async def games_with_name(
    tx: Transaction, name: str, at: PlaceKey | None, many: int
) -> tuple[ImportedGameRow, ...]:
    """At most *many* imported games of somebody called *name*; of the place *at* alone, if any."""
    asked = _GAME.where(_game.c.names.contains(f"\n{name}\n", autoescape=True), *_at(at))
    return await schema.fetch_all(tx, ImportedGameRow, asked.limit(many))


async def all_imported_places(tx: Transaction, at: PlaceKey | None) -> tuple[ImportedPlaceRow, ...]:
    """Every imported place; of the place *at* alone, if any."""
    asked = select(*_PLACE)
    if at is not None:
        asked = asked.where(_place.c.platform == at[0], _place.c.place == at[1])
    return await schema.fetch_all(tx, ImportedPlaceRow, asked)


async def replace_imported_game(tx: Transaction, row: ImportedGameRow) -> None:
    """Stores *row* instead of what stands there."""
    await schema.upsert(tx, _game, schema.values_of(row))


def _here(platform: str, place: str, source: str) -> ColumnElement[bool]:
    return and_(_game.c.platform == platform, _game.c.place == place, _game.c.source == source)


def _at(at: PlaceKey | None) -> tuple[ColumnElement[bool], ...]:
    return () if at is None else (_game.c.platform == at[0], _game.c.place == at[1])
