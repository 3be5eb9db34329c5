"""People, how each chat knows them, and the codes by which they link two chats to themselves."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import combinations
from secrets import token_hex
from typing import Final

from sqlalchemy import bindparam, false, func, or_, select

from storage import schema
from storage.errors import ForgottenPerson
from storage.records import IdentityRow, PersonName, PersonRow
from storage.schema import Transaction

PROGRAM_PLATFORM: Final = "api"
"""The platform of programs, as identities and places name it."""

PROGRAM_NOTE: Final = f"{PROGRAM_PLATFORM}:guest:"
"""Begins the key of the setting that keeps one program; its id follows."""

RENAMED: Final = "renamed:"
"""Begins the key of the setting that another name of a person draws anew; their id follows."""

SAID: Final = "said:"
"""Begins the keys of the settings that keep what people say to the whole house."""

_person, _identity = schema.person, schema.identity
_same = schema.person.alias()
_IS = _same.c.id == func.coalesce(_person.c.same_as, _person.c.id)
"""A person who was joined to another one is that one."""

_COLUMNS = schema.columns_of(_person, PersonRow)

PASSING = ":passing:"
"""The part of a setting's key between the platform and the id of whom anybody's door let in."""

_setting = schema.setting
_PASSED = _setting.c.key == _identity.c.platform + PASSING + _identity.c.external
_HOLDS = _identity.c.person == func.coalesce(_person.c.same_as, _person.c.id)

# Made once: to make such a statement takes longer than to run it.
_BEHIND = (
    select(*_COLUMNS)
    .join(_identity, _identity.c.person == _person.c.id)
    .where(*(_identity.c[name] == bindparam(f"of_{name}") for name in ("platform", "external")))
)
_FOUND = select(*(_same.c[one.name] for one in _COLUMNS)).select_from(_person).join(_same, _IS)
_SEATED = (
    _FOUND.join(schema.seat, schema.seat.c.person == _person.c.id)
    .join(schema.view, schema.view.c.subject == schema.seat.c.game)
    .where(*(schema.view.c[one] == bindparam(f"of_{one}") for one in ("platform", "place")))
    .distinct()
    .limit(500)
)
_THESE = _person.c.id.in_(bindparam("of_people", expanding=True))
_HEARD = _FOUND.where(_THESE)
_PROGRAM = (_identity.c.person == _same.c.id) & (_identity.c.platform == PROGRAM_PLATFORM)
_NAMES = (
    select(_person.c.id, _same.c.id, _same.c.name, _identity.c.external)
    .join(_same, _IS)
    .outerjoin(_identity, _PROGRAM)
    .where(_THESE)
)
_IDS = (
    select(_identity)
    .where(_identity.c.person == bindparam("of_person"))
    .order_by(_identity.c.platform, _identity.c.external)
)
# Erasing deletes the locked rows, so on a server one of the two waits for the other.
_KNOWN = (
    select(_person.c.id)
    .join(_identity, _HOLDS)
    .where(_THESE)
    .with_for_update(read=True, key_share=True, of=_identity)
)
_GUESTS = (
    select(_person.c.id, func.min(_setting.c.value))
    .select_from(_person.join(_identity, _HOLDS).outerjoin(_setting, _PASSED))
    .where(_THESE)
    .group_by(_person.c.id)
    .having(func.count() == func.count(_setting.c.key))
)
"""The guests whom no chat knows otherwise, each with what their note says."""
_tally = schema.tally
_COUNTED = (
    select(_tally.c.person)
    .where(_tally.c.platform == "", _tally.c.person.in_(bindparam("of_people", expanding=True)))
    .group_by(_tally.c.person)
    .having(func.sum(_tally.c.won + _tally.c.drawn + _tally.c.lost) >= bindparam("many"))
)
_HOSTS = (
    select(_identity.c.external, _same.c.id)
    .join(_person, _person.c.id == _identity.c.person)
    .join(_same, _IS)
    .where(_identity.c.external.in_(bindparam("ids", expanding=True)))
)


async def find_person(tx: Transaction, platform: str, external: str) -> PersonRow | None:
    """The person behind a chat's id."""
    of = {"of_platform": platform, "of_external": external}
    return await schema.fetch_one(tx, PersonRow, _BEHIND, of)


async def list_players(
    tx: Transaction, platform: str, place: str, heard: Sequence[int]
) -> tuple[PersonRow, ...]:
    """Those who sit at a table shown in a place, and those of *heard* who are still known."""
    of = {"of_platform": platform, "of_place": place}
    seated = await schema.fetch_all(tx, PersonRow, _SEATED, of)
    return seated + await schema.fetch_all(tx, PersonRow, _HEARD, {"of_people": heard})


async def ensure_person(
    tx: Transaction, platform: str, external: str, name: str, at: datetime
) -> PersonRow:
    """The person behind a chat's id, added if new, renamed if *name* differs.

    Another name ends what ``load_renamings`` told of them before. For a person who was only named
    by others *external* is ``@`` and that name, case-folded.
    """
    person = await find_person(tx, platform, external)
    if person is None:
        return await _welcome(tx, platform, external, name, at)
    if person.name != name:
        await tx.execute(_person.update().where(_person.c.id == person.id).values(name=name))
        await schema.upsert(tx, _setting, {"key": f"{RENAMED}{person.id}", "value": token_hex(8)})
    return replace(person, name=name)


async def load_names(tx: Transaction, persons: Sequence[int]) -> dict[int, PersonName]:
    """The present ids and names of these people, by the id that was asked for."""
    return {
        asked_for: PersonName(person, name, owner_of(PROGRAM_PLATFORM, external or ""))
        for asked_for, person, name, external in await tx.execute(_NAMES, {"of_people": persons})
    }


async def load_renamings(tx: Transaction, persons: Iterable[int]) -> dict[int, str]:
    """16 digits (hexadecimal) of each of *persons*, others after each change of their name."""
    keys = {f"{RENAMED}{one}": one for one in persons}
    found = await tx.execute(select(_setting).where(_setting.c.key.in_(keys)))
    return dict.fromkeys(keys.values(), "0" * 16) | {keys[key]: value for key, value in found}


async def load_person(tx: Transaction, person: int) -> PersonRow | None:
    """The person of this id, or the one they were joined to."""
    asked = select(*(_same.c[column.name] for column in _COLUMNS)).select_from(_person)
    return await schema.fetch_one(
        tx, PersonRow, asked.join(_same, _IS).where(_person.c.id == person)
    )


async def load_identities(tx: Transaction, person: int) -> tuple[IdentityRow, ...]:
    """The ids of a person in the chats."""
    return await schema.fetch_all(tx, IdentityRow, _IDS, {"of_person": person})


async def known_people(tx: Transaction, persons: Iterable[int]) -> frozenset[int]:
    """Those of *persons* whom a chat knows; none of them is forgotten before the transaction ends.

    Whatever is stored of somebody asks this first, since they may have been forgotten while it
    was on its way.
    """
    return frozenset((await tx.execute(_KNOWN, {"of_people": tuple(persons)})).scalars())


async def barred_groups(
    tx: Transaction, persons: Iterable[int], many: int
) -> frozenset[frozenset[int]]:
    """Those of *persons* who may not sit together at a table that counts, as groups.

    A guest of an open house is barred alone. Who came by a player's link is barred with that
    player, and with whoever else came by the same one, directly or not, until another chat or
    *many* games that counted know them.
    """
    people = seen = asked = frozenset(persons)
    hosts = dict[int, int]()
    while asked:
        came = await _load_guests(tx, asked, many)
        if not came:
            break
        rows = await tx.execute(_HOSTS, {"ids": tuple(came.values())})
        found = {str(external): int(person) for external, person in rows}
        hosts |= {one: found.get(note, 0) for one, note in came.items()}
        asked = frozenset(hosts.values()) - seen - {0}
        seen |= asked

    def root(one: int) -> int:
        for _ in hosts:
            one = hosts.get(one, one)
        return one

    alone = (frozenset({one}) for one in people if root(one) == 0)
    pairs = map(frozenset, combinations(people, 2))
    return frozenset((*alone, *(two for two in pairs if len(set(map(root, two))) == 1)))


async def _load_guests(tx: Transaction, persons: Iterable[int], many: int) -> dict[int, str]:
    """Those of *persons* whom no chat and fewer than *many* games know, with their notes."""
    rows = await tx.execute(_GUESTS, {"of_people": tuple(persons)})
    found = {int(one): str(note) for one, note in rows}
    if not found:
        return {}
    known = await tx.execute(_COUNTED, {"of_people": tuple(found), "many": many})
    return {one: found[one] for one in found.keys() - set(known.scalars())}


async def check_known(tx: Transaction, person: int) -> None:
    """Raises ``ForgottenPerson`` unless a chat knows *person*, as ``known_people`` says."""
    if not await known_people(tx, (person,)):
        raise ForgottenPerson


async def change_person(tx: Transaction, person: int, /, **changed: object) -> None:
    """Changes columns of a person, as the language or all settings; raises ``ForgottenPerson``."""
    await check_known(tx, person)
    await tx.execute(_person.update().where(_person.c.id == person).values(changed))


async def _welcome(
    tx: Transaction, platform: str, external: str, name: str, at: datetime
) -> PersonRow:
    added = await tx.execute(
        _person.insert().values(name=name, language=None, created=at).returning(_person.c.id)
    )
    person = added.scalar_one()
    # The id of a chat may stand there for somebody who is gone, in a damaged database alone.
    known = {"platform": platform, "external": external, "person": person}
    await schema.upsert(tx, _identity, known)
    return PersonRow(person, name, None)


LINK_KEPT = timedelta(minutes=10)
"""How long a code is good; each is good once."""

_link = schema.link
_PRUNE_LINKS = _link.delete().where(_link.c.at <= bindparam("until"))


async def put_link_code(tx: Transaction, code: str, person: int, at: datetime) -> None:
    """Stores a new code of *person*, and deletes their last one and those that are too old.

    Raises ``ForgottenPerson``.
    """
    await check_known(tx, person)
    await tx.execute(
        _link.delete().where((_link.c.person == person) | (_link.c.at <= at - LINK_KEPT))
    )
    await tx.execute(_link.insert().values(code=code, person=person, at=at))


async def find_link_owner(tx: Transaction, code: str, now: datetime) -> int | None:
    """The person with this code, ``None`` if it is unknown, used or too old."""
    asked = select(_link.c.person).where(_link.c.code == code, _link.c.at > now - LINK_KEPT)
    return (await tx.execute(asked)).scalar_one_or_none()


async def delete_link_codes(tx: Transaction, person: int) -> None:
    """Deletes the code of *person*, which was used."""
    await tx.execute(_link.delete().where(_link.c.person == person))


async def prune_link_codes(tx: Transaction, now: datetime) -> None:
    """Deletes the codes that are too old."""
    await tx.execute(_PRUNE_LINKS, {"until": now - LINK_KEPT})


def owner_of(platform: str, external: str) -> int | None:
    """The person whose program has the id *external* on *platform*; ``None`` for people."""
    owner = external.partition("-")[0]
    return (
        int(owner) if platform == PROGRAM_PLATFORM and owner.isascii() and owner.isdigit() else None
    )


async def programs_of(tx: Transaction, person: int) -> Mapping[str, str]:
    """What is kept of the programs of *person*, and of whoever became the same, by their ids."""
    found = await settings_of(tx, person, f"{PROGRAM_NOTE}%s-")
    return {key.removeprefix(PROGRAM_NOTE): value for key, value in found.items()}


async def settings_of(tx: Transaction, person: int, begins: str) -> dict[str, str]:
    """The settings whose keys begin as *begins*, with an id of *person* in place of ``%s``."""
    same = or_(_person.c.id == person, _person.c.same_as == person)
    ids = (await tx.execute(select(_person.c.id).where(same))).scalars().all()
    keys = [_setting.c.key.startswith(begins % one, autoescape=True) for one in ids]
    found = select(_setting).where(or_(false(), *keys)).order_by(_setting.c.key)
    return {row.key: row.value for row in await tx.execute(found)}
