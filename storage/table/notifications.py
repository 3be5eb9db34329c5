"""Notifications of people about their games, and the places from which people play."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import and_, bindparam, select, text

from storage import schema
from storage.person import people
from storage.records import NotificationRow, PresenceRow
from storage.schema import Transaction

_call, _presence, _place, _game = schema.call, schema.presence, schema.place, schema.game
_CALL = select(*schema.columns_of(_call, NotificationRow))
_PRESENCE = select(*schema.columns_of(_presence, PresenceRow))
_OF_GAME = _CALL.where(_call.c.game == bindparam("of_game")).order_by(_call.c.person)
_PRESENT = _PRESENCE.where(_presence.c.game == bindparam("of_game"))
_PLAYED = (
    select(_presence.c.game)
    .join_from(_presence, _game, _game.c.code == _presence.c.game)
    .where(_game.c.status.in_(("playing", "open")))
    .order_by(_presence.c.game)
)
_ANSWERED = _CALL.where(text("kind = ''"))  # in the words of its index


_PUT, _SIT = (schema.upserting(one, tuple(one.c.keys())) for one in (_call, _presence))
_ONE = (_call.c.game == bindparam("of_game"), _call.c.person == bindparam("of_person"))
_DROP = _call.delete().where(*_ONE)
_UNPOSTED = {"platform": None, "place": None, "thread": None, "message": None}
_NOTIFIED = (
    _call.update()
    .where(*_ONE, *(_call.c[name] == bindparam(f"of_{name}") for name in ("kind", "turn")))
    .where(_call.c.due.is_not(None))
    .values(due=None, **{name: bindparam(f"new_{name}") for name in _UNPOSTED})
)


async def notifications_of_game(tx: Transaction, code: str) -> tuple[NotificationRow, ...]:
    """The notifications of a game, in the order of its people."""
    return await schema.fetch_all(tx, NotificationRow, _OF_GAME, {"of_game": code})


async def put_notifications(tx: Transaction, changed: Sequence[NotificationRow]) -> None:
    """Stores notifications, each in place of the last one for its game and person.

    Whoever was forgotten is called no more.
    """
    known = await people.known_people(tx, {row.person for row in changed}) if changed else ()
    if kept := [schema.values_of(row) for row in changed if row.person in known]:
        await tx.execute(_PUT, kept)


async def delete_notifications(tx: Transaction, dropped: Sequence[NotificationRow]) -> None:
    """Deletes these notifications."""
    if dropped:
        await tx.execute(_DROP, [{"of_game": row.game, "of_person": row.person} for row in dropped])


async def dismiss_notification(tx: Transaction, row: NotificationRow) -> None:
    """Cancels *row*, whose reason is gone; a newer one for the same person stays."""
    this = (_call.c.game == row.game, _call.c.person == row.person)
    same = (_call.c.kind == row.kind, _call.c.turn == row.turn)
    await tx.execute(_call.update().where(*this, *same).values(kind="", due=None))
    await tx.execute(_call.delete().where(*this, _call.c.kind == "", _call.c.message.is_(None)))


async def forget_notification_message(tx: Transaction, row: NotificationRow) -> None:
    """Notes that the message of *row* was deleted; an answered notification goes with it."""
    this = (_call.c.game == row.game, _call.c.person == row.person)
    same = (_call.c.place == row.place, _call.c.message == row.message)
    await tx.execute(_call.update().where(*this, *same).values(_UNPOSTED))
    await tx.execute(_call.delete().where(*this, _call.c.kind == "", _call.c.message.is_(None)))


async def answered_notifications(tx: Transaction) -> tuple[NotificationRow, ...]:
    """The notifications that are answered but whose message still stands."""
    return await schema.fetch_all(tx, NotificationRow, _ANSWERED)


async def resume_notifications(tx: Transaction, latest: datetime | None) -> tuple[str, ...]:
    """Makes all waiting notifications due at the *latest* then; answers their games in order.

    After a start the clock may have been set. Without *latest*, while another process was running,
    nothing changes.
    """
    waiting = _call.c.due.is_not(None)
    found = await tx.execute(select(_call.c.game).where(waiting).order_by(_call.c.due))
    if latest is not None:
        await tx.execute(_call.update().where(_call.c.due > latest).values(due=latest))
    return tuple(dict.fromkeys(found.scalars()))


async def put_presences(tx: Transaction, sitting: Sequence[PresenceRow]) -> None:
    """Stores the places from which people play; nothing of those who were forgotten."""
    known = await people.known_people(tx, {row.person for row in sitting}) if sitting else ()
    if kept := [schema.values_of(row) for row in sitting if row.person in known]:
        await tx.execute(_SIT, kept)


async def presences_of_game(tx: Transaction, code: str) -> tuple[PresenceRow, ...]:
    """The known places from which people play a game."""
    return await schema.fetch_all(tx, PresenceRow, _PRESENT, {"of_game": code})


async def tables_played_from(
    tx: Transaction, platform: str, place: str, person: int
) -> tuple[str, ...]:
    """The games that *person* plays from a place, or is challenged to there."""
    asked = _PLAYED.filter_by(platform=platform, place=place).where(_presence.c.person == person)
    return tuple((await tx.execute(asked)).scalars())


async def tables_of_private_place(
    tx: Transaction, platform: str, place: str
) -> tuple[tuple[str, int], ...]:
    """The games played from a private place, or waiting there, each with its only reader."""
    here = (_presence.c.platform == platform, _presence.c.place == place, _presence.c.private)
    asked = _PLAYED.add_columns(_presence.c.person).where(*here)
    return tuple((code, person) for code, person in await tx.execute(asked))


async def tables_of_shut_private_places(tx: Transaction) -> tuple[tuple[str, int], ...]:
    """The same for all private places that shut us out."""
    same = (_place.c.platform == _presence.c.platform, _place.c.place == _presence.c.place)
    asked = _PLAYED.add_columns(_presence.c.person).join(_place, and_(*same))
    shut = asked.where(_presence.c.private, _place.c.suspended)
    return tuple((code, person) for code, person in await tx.execute(shut))


async def stranded_people(tx: Transaction, code: str, platform: str) -> tuple[int, ...]:
    """The people who play a game from a place of *platform* that has shut us out."""
    here = (_place.c.platform == _presence.c.platform, _place.c.place == _presence.c.place)
    played = (_presence.c.game == code, _presence.c.platform == platform)
    asked = select(_presence.c.person).where(*played, _place.c.suspended)
    found = await tx.execute(asked.join(_place, and_(*here)).order_by(_presence.c.person))
    return tuple(found.scalars())


async def mark_notified(tx: Transaction, row: NotificationRow, new: NotificationRow) -> bool:
    """Notes that *row* was sent, in the message of *new*, if that has one, or with the board.

    False if it was answered meanwhile.
    """
    of = {f"of_{name}": getattr(row, name) for name in ("game", "person", "kind", "turn")}
    made = {f"new_{name}": getattr(new, name) for name in _UNPOSTED}
    return (await tx.execute(_NOTIFIED, {**of, **made})).rowcount > 0
