"""What counts in a place goes along when the place gets a new id, as a Telegram group may."""

from __future__ import annotations

import json
from collections.abc import Mapping

from sqlalchemy import String, Table, bindparam, cast, select, tuple_

from storage import schema
from storage.place import places
from storage.records import JSON
from storage.schema import Transaction

_WHERE = "where"
"""What the data of entries and medals call the places in which something was played."""


async def move_standing(
    tx: Transaction, platform: str, old: str, new: str
) -> Mapping[str, set[int]]:
    """Let the place *old* be *new* in the journal, tallies and medals.

    Answers, by pool, the people who had tallies in both: theirs are to be counted anew.
    """
    for table in (schema.rating_entry, schema.medal):
        await _rewrite(tx, table, platform, old, new)
    twice: dict[str, set[int]] = {}
    for row in await schema.replace_id(tx, schema.tally, "place", old, new, platform=platform):
        twice.setdefault(row.pool, set()).add(row.person)
    return twice


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
    await schema.replace_id(tx, schema.bar, "at_place", old, new, at_platform=platform)


async def move_setting(tx: Transaction, old: str, new: str) -> None:
    """Let the setting *old* be called *new*, unless there is one."""
    await schema.replace_id(tx, schema.setting, "key", old, new)


_OF_MESSAGES = ("message", "thread", "token", "token_at", "posted")


async def move_rows(tx: Transaction, platform: str, old: str, new: str) -> None:
    """Give a place its new id, as when a Telegram group becomes a supergroup.

    Message ids do not survive that (https://core.telegram.org/api/channel#migration), so views and
    notifications forget theirs, and the views of living games owe their board again. It may be
    done again, for a request of before: what is shown in *new* already is not shown twice.
    """
    view, posted = schema.view, (schema.view, schema.call, schema.presence)
    here = {"platform": platform, "place": old}
    what = view.c.kind, view.c.subject
    shown = select(*what).filter_by(platform=platform, place=new, thread=None)
    await tx.execute(view.delete().filter_by(**here).where(tuple_(*what).in_(shown)))
    await tx.execute(view.update().filter_by(**here, over_at=None).values(shown=0))
    for table in posted:
        lost = table.update().values({name: None for name in _OF_MESSAGES if name in table.c})
        await tx.execute(lost.filter_by(**here))
    for table in (*posted, schema.outage, schema.alert, schema.tournament, schema.entrant):
        await schema.replace_id(tx, table, "place", old, new, platform=platform)
    await places.rename_place(tx, platform, old, new)
