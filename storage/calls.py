"""Calls: who is called to a game or will be, and from where each person plays at it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import and_, bindparam, select, text
from sqlalchemy.dialects.postgresql import insert  # SQLite takes the same ON CONFLICT
from sqlalchemy.ext.asyncio import AsyncConnection

from storage import rows, schema
from storage.records import CallRow, PresenceRow

_call, _presence, _place = schema.call, schema.presence, schema.place
_CALL, _PRESENCE = rows.columns(_call, CallRow), rows.columns(_presence, PresenceRow)
_OF_GAME = select(*_CALL).where(_call.c.game == bindparam("of_game")).order_by(_call.c.person)
_PRESENT = select(*_PRESENCE).where(_presence.c.game == bindparam("of_game"))
_ANSWERED = select(*_CALL).where(text("kind = ''"))  # in the words of its index

_ADDING = insert(_call)
_PUT = _ADDING.on_conflict_do_update(
    index_elements=_call.primary_key,
    set_={c.name: c for c in _ADDING.excluded if c.name not in ("game", "person")},
)
_SITTING = insert(_presence)
_SIT = _SITTING.on_conflict_do_update(
    index_elements=_presence.primary_key,
    set_={c.name: c for c in _SITTING.excluded if c.name not in ("game", "person")},
)
_ONE = (_call.c.game == bindparam("of_game"), _call.c.person == bindparam("of_person"))
_DROP = _call.delete().where(*_ONE)
_UNPOSTED = {"platform": None, "place": None, "thread": None, "message": None}


async def of_game(tx: AsyncConnection, code: str) -> tuple[CallRow, ...]:
    """The calls to a game, by persons."""
    return await rows.each(tx, CallRow, _OF_GAME, {"of_game": code})


async def put(tx: AsyncConnection, changed: Sequence[CallRow]) -> None:
    """Each call as it is now, in place of the one to the same game and person."""
    if changed:
        await tx.execute(_PUT, [rows.values(row) for row in changed])


async def drop(tx: AsyncConnection, dropped: Sequence[CallRow]) -> None:
    """These calls are no more."""
    if dropped:
        pairs = [{"of_game": row.game, "of_person": row.person} for row in dropped]
        await tx.execute(_DROP, pairs)


async def dismiss(tx: AsyncConnection, row: CallRow) -> None:
    """The reason of *row* holds no more; a newer one for the same person stays."""
    this = (_call.c.game == row.game, _call.c.person == row.person)
    same = (_call.c.kind == row.kind, _call.c.turn == row.turn)
    await tx.execute(_call.update().where(*this, *same).values(kind="", due=None))
    await tx.execute(_call.delete().where(*this, _call.c.kind == "", _call.c.message.is_(None)))


async def removed(tx: AsyncConnection, row: CallRow) -> None:
    """The message of *row* is gone; with it a call that was answered."""
    this = (_call.c.game == row.game, _call.c.person == row.person)
    same = (_call.c.place == row.place, _call.c.message == row.message)
    await tx.execute(_call.update().where(*this, *same).values(_UNPOSTED))
    await tx.execute(_call.delete().where(*this, _call.c.kind == "", _call.c.message.is_(None)))


async def answered(tx: AsyncConnection) -> tuple[CallRow, ...]:
    """The calls whose message has been answered, and stands all the same."""
    return await rows.each(tx, CallRow, _ANSWERED)


async def take_up(tx: AsyncConnection, now: datetime | None) -> tuple[str, ...]:
    """After a start all calls that wait are due *now*; answers their games, the longest due first.

    Nobody was here to see who looks, and the clock may have been set meanwhile. Without *now*
    somebody was, and nothing changes.
    """
    waiting = _call.c.due.is_not(None)
    found = await tx.execute(select(_call.c.game).where(waiting).order_by(_call.c.due))
    if now is not None:
        await tx.execute(_call.update().where(waiting).values(due=now))
    return tuple(dict.fromkeys(found.scalars()))


async def sit(tx: AsyncConnection, sitting: Sequence[PresenceRow]) -> None:
    """From where each of these people plays from now on."""
    if sitting:
        await tx.execute(_SIT, [rows.values(row) for row in sitting])


async def present(tx: AsyncConnection, code: str) -> tuple[PresenceRow, ...]:
    """From where the people at a game play, as far as we know."""
    found = await tx.execute(_PRESENT, {"of_game": code})
    return tuple(PresenceRow(*row) for row in found)


async def stranded(tx: AsyncConnection, code: str, platform: str) -> tuple[int, ...]:
    """The people of *platform* who play at a game from a place that has shut us out."""
    here = (_place.c.platform == _presence.c.platform, _place.c.place == _presence.c.place)
    played = (_presence.c.game == code, _presence.c.platform == platform)
    asked = select(_presence.c.person).where(*played, _place.c.suspended)
    found = await tx.execute(asked.join(_place, and_(*here)).order_by(_presence.c.person))
    return tuple(found.scalars())


async def migrate_place(tx: AsyncConnection, platform: str, old: str, new: str) -> None:
    """A place has another id from now on; what stood there cannot be removed any more."""
    for table in (_call, _presence):
        here = (table.c.platform == platform, table.c.place == old)
        await tx.execute(table.update().where(*here).values(place=new, thread=None))
    there = (_call.c.platform == platform, _call.c.place == new)
    await tx.execute(_call.update().where(*there).values(message=None))


async def posted(tx: AsyncConnection, row: CallRow, new: CallRow | None) -> bool:
    """The call *row* was made, in the message of *new* or by the board itself.

    Answers False where it was answered meanwhile.
    """
    this = (_call.c.game == row.game, _call.c.person == row.person)
    same = (_call.c.kind == row.kind, _call.c.turn == row.turn, _call.c.due.is_not(None))
    made = {"due": None, **_UNPOSTED}
    if new is not None:
        made |= {name: getattr(new, name) for name in _UNPOSTED}
    updated = await tx.execute(_call.update().where(*this, *same).values(made))
    return updated.rowcount > 0
