"""What counts in a place goes along when the place gets a new id, as a Telegram group may."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace

from sqlalchemy import ColumnElement, String, Table, and_, bindparam, cast, select

from storage import schema
from storage.bot_settings import load_setting, put_setting
from storage.person.bars import put_bars
from storage.records import JSON, BarRow
from storage.schema import Transaction

_tally, _bar, _setting = schema.tally, schema.bar, schema.setting
_WHERE = "where"
"""What the data of entries and medals call the places in which something was played."""


async def move_standing(
    tx: Transaction, platform: str, old: str, new: str
) -> Mapping[str, frozenset[int]]:
    """Let the place *old* be *new* in the journal, tallies and medals.

    Answers, by pool, the people who had tallies in both: theirs are to be counted anew.
    """
    for table in (schema.rating_entry, schema.medal):
        await _rewrite(tx, table, platform, old, new)
    here = and_(_tally.c.platform == platform, _tally.c.place == old)
    there = and_(_tally.c.platform == platform, _tally.c.place == new)
    mine, theirs = await _people_of(tx, here), await _people_of(tx, there)
    twice: dict[str, set[int]] = {}
    for pool, person in mine & theirs:
        twice.setdefault(pool, set()).add(person)
        one = and_(here, _tally.c.pool == pool, _tally.c.person == person)
        await tx.execute(_tally.delete().where(one))
    await tx.execute(_tally.update().where(here).values(place=new))
    return {pool: frozenset(people) for pool, people in twice.items()}


async def _people_of(tx: Transaction, where: ColumnElement[bool]) -> set[tuple[str, int]]:
    """The pools and people of the tallies of a place."""
    found = await tx.execute(select(_tally.c.pool, _tally.c.person).where(where))
    return {(one.pool, one.person) for one in found}


async def _rewrite(tx: Transaction, table: Table, platform: str, old: str, new: str) -> None:
    """Name the place *new* in the data of all rows of *table* that name *old*."""
    keys = list(table.primary_key)
    named = cast(table.c.data, String).contains(json.dumps(old), autoescape=True)
    rows = (await tx.execute(select(*keys, table.c.data).where(named))).all()
    changed = []
    for *key, data in rows:
        now = {**data, _WHERE: _renamed(data.get(_WHERE), platform, old, new)}
        if now != data:
            names = {f"of_{column.name}": part for column, part in zip(keys, key, strict=True)}
            changed.append({**names, "now": now})
    if changed:
        one = [column == bindparam(f"of_{column.name}") for column in keys]
        await tx.execute(table.update().where(*one).values(data=bindparam("now")), changed)


def _renamed(places: JSON, platform: str, old: str, new: str) -> JSON:
    if not isinstance(places, list):
        return places
    found: list[JSON] = []
    for one in places:
        place: JSON = [platform, new] if one == [platform, old] else one
        if place not in found:
            found.append(place)
    return found


async def move_bars(tx: Transaction, platform: str, old: str, new: str) -> None:
    """Keep whoever was kept out of the place *old* out of *new*."""
    here = and_(_bar.c.at_platform == platform, _bar.c.at_place == old)
    rows = await schema.fetch_all(tx, BarRow, select(*schema.columns_of(_bar, BarRow)).where(here))
    await tx.execute(_bar.delete().where(here))
    await put_bars(tx, [replace(row, at_place=new) for row in rows])


async def move_setting(tx: Transaction, old: str, new: str) -> None:
    """Let the setting *old* be called *new*, unless there is one."""
    kept = await load_setting(tx, old)
    if kept is None:
        return
    if await load_setting(tx, new) is None:
        await put_setting(tx, new, kept)
    await tx.execute(_setting.delete().where(_setting.c.key == old))
