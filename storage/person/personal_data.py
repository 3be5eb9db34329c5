"""All data of a person: joined with another person's, exported, or erased."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Select, Table, and_, false, or_, select

from storage import schema
from storage.bot_settings import put_setting
from storage.column_types import read_json
from storage.person import people
from storage.person.people import PROGRAM_NOTE, settings_of
from storage.place.places import REMINDED, places_of_reminders
from storage.records import JSON, IdentityRow, PlaceKey
from storage.schema import Transaction

_person, _identity, _seat, _view = schema.person, schema.identity, schema.seat, schema.view
_event, _game, _setting, _place = schema.event, schema.game, schema.setting, schema.place
_inbox, _draft, _call, _link = schema.inbox, schema.draft, schema.call, schema.link
_presence, _deadline, _talk = schema.presence, schema.deadline, schema.talk
_alert, _attempt, _solver, _entrant = schema.alert, schema.attempt, schema.solver, schema.entrant
_cup = schema.tournament
_outage, _tally, _medal, _comment = schema.outage, schema.tally, schema.medal, schema.comment
_mistake, _daily_try, _opened = schema.mistake, schema.daily_try, schema.opened_file

_MOVING = (
    *(_identity, _seat, _view, _draft, _call, _presence, _deadline, _talk, _alert, _attempt),
    *(_solver, _mistake, _daily_try, _medal, _entrant, _comment, _opened),
)
"""Whose rows go along with a person who is joined to another, unless that one has the same."""

PORTION = 200
"""How many rows are read in one turn of the loop."""

GUEST = ":guest:"
"""The part of a setting's key between the platform and the id of its guest."""

LINKS = ":links:"
"""The part of a setting's key between the platform and the table to which its links lead.

The value is a list in JSON of texts that end in a space and the id of the guest who made the link.
"""

OF_OTHERS = frozenset(
    ("reply_to_message", "external_reply", "quote", "forward_origin", "pinned_message")
)
"""The parts of a message on Telegram that somebody else has written."""


async def join_people(tx: Transaction, kept: int, other: int) -> None:
    """Makes *other* the same person as *kept*; the settings of *kept* come first.

    Events that name the id of *other* mean *kept* from now on.
    """
    first, second = await people.load_person(tx, kept), await people.load_person(tx, other)
    if first is None or second is None or first.id == second.id:
        return
    settings = {**second.settings, **first.settings}
    language = first.language or second.language
    mine = _person.c.id == first.id
    await tx.execute(_person.update().where(mine).values(settings=settings, language=language))
    await tx.execute(_link.delete().where(_link.c.person == second.id))
    for table in _MOVING:
        await schema.replace_id(tx, table, "person", second.id, first.id)
    for row in await places_of_reminders(tx, second.id):
        chat = and_(_place.c.platform == row.platform, _place.c.place == row.place)
        chosen = {**row.settings, REMINDED: first.id}
        await tx.execute(_place.update().where(chat).values(settings=chosen))
    nobody: dict[str, Any] = {"name": "", "language": None, "settings": {}, "same_as": first.id}
    gone = or_(_person.c.id == second.id, _person.c.same_as == second.id)
    await tx.execute(_person.update().where(gone).values(nobody))


async def common_games(tx: Transaction, one: int, other: int) -> tuple[str, ...]:
    """The living tables at which both persons sit."""
    mine, theirs = _seat.alias(), _seat.alias()
    asked = (
        select(mine.c.game)
        .join(theirs, theirs.c.game == mine.c.game)
        .where(mine.c.person == one, theirs.c.person == other, mine.c.over_at.is_(None))
        .order_by(mine.c.game)
    )
    return tuple((await tx.execute(asked)).scalars())


async def export_person(tx: Transaction, person: int) -> dict[str, list[dict[str, JSON]]]:
    """All stored data of *person*, by table and column."""
    mine = or_(_person.c.id == person, _person.c.same_as == person)
    known = await people.load_identities(tx, person)
    sent = await _sent_by(tx, known)
    seats = select(_seat.c.game).where(_seat.c.person == person)
    sat = select(_seat.c.game, _seat.c.seat).where(_seat.c.person == person).subquery()
    done = select(_event).join(sat, and_(sat.c.game == _event.c.game, sat.c.seat == _event.c.seat))
    game = select(_game.c.code, _game.c.game, _game.c.status, _game.c.created, _game.c.touched)

    def own(*tables: Table) -> dict[str, Select[Any]]:
        return {table.name: select(table).where(_mine(table, person)) for table in tables}

    asked = {
        "person": select(_person).where(mine),
        **own(_identity),
        "game": game.where(_game.c.code.in_(seats)),
        **own(_seat),
        "event": done.order_by(_event.c.game, _event.c.number),
        **own(_view, _draft, _call, _presence, _deadline, _talk, _link, _alert, _attempt),
        **own(_solver, _mistake, _daily_try, _entrant, _comment, _opened),
        **own(schema.rating_change, schema.rating, _tally, _medal),
        "place": select(_place).where(await _alone(tx, person)),
        "bar": select(schema.bar).where(_where_barred(known)),
        "setting": select(_setting).where(await _settings(tx, person, known)),
        "inbox": select(_inbox).where(_inbox.c.id.in_(sent)).order_by(_inbox.c.id),
    }
    found = {name: await _each(tx, query) for name, query in asked.items()}
    written = [json.dumps(_own(sent[number]), ensure_ascii=False) for number in sorted(sent)]
    updates = zip(found["inbox"], written, strict=True)
    return {**found, "inbox": [{**row, "payload": payload} for row, payload in updates]}


async def erase_person_data(tx: Transaction, person: int) -> None:
    """Erases a person's name, ids in chats, settings, all that only they saw, and what waits.

    Their number stays where games name it.
    """
    known = await people.load_identities(tx, person)
    alone, at = await _alone(tx, person), sorted(await own_places(tx, person))
    await tx.execute(_place.delete().where(alone))
    await tx.execute(_setting.delete().where(await _settings(tx, person, known)))
    await _drop_links(tx, known)
    # Deletes the drafts of others that challenge *person* by their name.
    drafts = await tx.execute(select(_draft.c.id, _draft.c.data))
    gone = [number for number, data in drafts if data.get("against") == f"@{person}"]
    await tx.execute(_draft.delete().where(_draft.c.id.in_(gone)))
    mine = _inbox.c.id.in_(await _sent_by(tx, known))
    await tx.execute(_inbox.update().where(mine, _inbox.c.state == "pending").values(state="done"))
    await tx.execute(_inbox.update().where(mine).values(payload=None))
    for one in known:
        # Where an id begins with that of its sender, as a guest's does. Who is erased sends it no
        # more: it need not be known as done.
        named = _inbox.c.update.startswith(f"{one.external}:", autoescape=True)
        await tx.execute(_inbox.delete().where(_inbox.c.platform == one.platform, named))
    for table in (_link, *_MOVING):
        if table not in (_seat, _deadline):
            await tx.execute(table.delete().where(_mine(table, person)))
    # A tournament that they opened in their private chat goes on; only its address is theirs.
    home = [and_(_cup.c.platform == a, _cup.c.place == b) for a, b in at]
    await tx.execute(_cup.update().where(or_(false(), *home)).values(place="", thread=None))
    # What they played counts for those they played with; on ladders they stand no more.
    await tx.execute(_tally.update().where(_mine(_tally, person)).values(listed=False))
    nobody: dict[str, Any] = {"name": "", "language": None, "settings": {}, "reminded": None}
    them = or_(_person.c.id == person, _person.c.same_as == person)
    await tx.execute(_person.update().where(them).values(nobody))


def _mine(table: Table, person: int) -> ColumnElement[bool]:
    found: ColumnElement[bool] = table.c.person == person
    return found


async def own_places(tx: Transaction, person: int) -> frozenset[PlaceKey]:
    """The platforms and places that only *person* reads: of their own boards, private chats."""
    seen = select(_view.c.platform, _view.c.place).where(_view.c.person == person).distinct()
    played = select(_presence.c.platform, _presence.c.place).where(
        _presence.c.person == person, _presence.c.private
    )
    reminded = await places_of_reminders(tx, person)
    found = {
        (one.platform, one.place) for one in (*await tx.execute(seen.union(played)), *reminded)
    }
    known = await people.load_identities(tx, person)
    return frozenset(found | {(one.platform, one.external) for one in known})


async def _alone(tx: Transaction, person: int) -> ColumnElement[bool]:
    places = sorted(await own_places(tx, person))
    here = (and_(_place.c.platform == a, _place.c.place == b) for a, b in places)
    return or_(_place.c.platform.is_(None), *here)


async def _settings(
    tx: Transaction, person: int, known: Sequence[IdentityRow]
) -> ColumnElement[bool]:
    """Their notes as a guest *known* so, of their programs and renaming, and what they said."""
    parts = (GUEST, people.PASSING)
    keys = [f"{one.platform}{part}{one.external}" for one in known for part in parts]
    for begins in (f"{PROGRAM_NOTE}%s-", f"{people.SAID}%s:"):
        keys += await settings_of(tx, person, begins)
    return _setting.c.key.in_([*keys, f"{people.RENAMED}{person}"])


def _where_barred(known: Sequence[IdentityRow]) -> ColumnElement[bool]:
    bar = schema.bar
    mine = (and_(bar.c.platform == a.platform, bar.c.external == a.external) for a in known)
    return or_(bar.c.platform.is_(None), *mine)


async def _drop_links(tx: Transaction, known: Sequence[IdentityRow]) -> None:
    """Deletes the links to tables that a guest made."""
    for one in known:
        led = _setting.c.key.startswith(f"{one.platform}{LINKS}", autoescape=True)
        for key, value in (await tx.execute(select(_setting).where(led))).all():
            links = read_json(value)
            known_links = links if isinstance(links, list) else []  # nobody reads what is damaged
            kept = [link for link in known_links if str(link).rpartition(" ")[2] != one.external]
            if kept != links and one.external in value:
                await put_setting(tx, key, json.dumps(kept))


async def _sent_by(tx: Transaction, known: Sequence[IdentityRow]) -> dict[int, JSON]:
    """What the updates say that the person *known* by these ids has sent, by their numbers."""
    ids = {(one.platform, one.external) for one in known}
    asked = select(_inbox.c.id, _inbox.c.platform, _inbox.c.payload).where(
        _inbox.c.platform.in_({platform for platform, _ in ids}), _inbox.c.payload.is_not(None)
    )
    waiting = [(n, name, _read(payload)) for n, name, payload in await tx.execute(asked)]
    return {n: update for n, name, update in waiting if ids & {(name, s) for s in _senders(update)}}


def _read(payload: str) -> JSON:
    """An update as it was written down; nothing of one that is no object.

    What the library of a chat cannot read is an update written down in a text of another.
    """
    update = read_json(payload)
    if not isinstance(update, dict):
        return None
    within = {name: _read(part) for name, part in update.items() if isinstance(part, str)}
    return {**update, **{name: part for name, part in within.items() if part is not None}}


def _senders(update: JSON) -> set[str]:
    """The ids of whoever sent an update, and of the private chat in which they did.

    On Telegram they stand in the one object that the update is about; on Discord and on a page
    in the update itself.
    """
    if not isinstance(update, Mapping):
        return set()
    about = [update, *(part for part in update.values() if isinstance(part, Mapping))]
    within = (_senders(part) for part in about[1:] if "update_id" in part)
    found = [part.get(key) for part in about for key in ("from", "user", "author")]
    for part in about:
        chat = part.get("chat")
        if isinstance(chat, Mapping) and chat.get("type") == "private":
            found.append(chat)
    return {str(one.get("id")) for one in found if isinstance(one, Mapping)}.union(*within)


def _own(update: JSON) -> JSON:
    """An update without what others have written or are named by in it."""
    if not isinstance(update, Mapping):
        return update
    return {
        name: _own(part) if isinstance(part, Mapping) and "update_id" in part else _write(part)
        for name, part in update.items()
    }


def _write(part: JSON) -> JSON:
    if not isinstance(part, Mapping):
        return part
    kept = {name: value for name, value in part.items() if name not in OF_OTHERS}
    pressed = kept.pop("message", None)  # it is ours, and names whoever plays
    if isinstance(pressed, Mapping):
        kept["message"] = {"message_id": pressed.get("message_id")}
    for words in ("entities", "caption_entities"):
        marked = kept.get(words)
        if isinstance(marked, list):
            kept[words] = [
                {name: value for name, value in one.items() if name != "user"}
                for one in marked
                if isinstance(one, Mapping)
            ]
    return kept


async def _each(tx: Transaction, asked: Select[Any]) -> list[dict[str, JSON]]:
    found: list[dict[str, JSON]] = []
    # Whoever has played thousands of games has as many rows: others are served in between.
    async for rows in (await tx.stream(asked)).partitions(PORTION):
        found += read_json(json.dumps([dict(row._mapping) for row in rows], default=_value))
    return found


def _value(value: object) -> JSON:
    """What JSON does not know, as it knows it."""
    if isinstance(value, datetime):
        return value.isoformat()
    return value.hex() if isinstance(value, bytes) else str(value)
