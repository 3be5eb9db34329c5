"""The people of all chats, cached, and where each plays: every press, command and board asks."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field, replace
from datetime import timedelta
from functools import partial
from typing import Any

from cachetools import LRUCache, TTLCache

from bot.port import Asker, Where
from bot.runtime.caches import remembering
from bot.runtime.tasks import Tasks
from bot.service.clock import Clock
from bot.service.place.places import Places
from bot.session import preferences
from bot.session.game_clock import instant
from bot.session.names import cleaned
from bot.session.preferences import Personal
from bot.session.table import PLAYING, Table
from render.kit import themed
from storage.person import people, personal_data
from storage.person.people import owner_of
from storage.records import IdentityRow, PersonName, PersonRow, PlaceKey, PresenceRow
from storage.store import Store, Transaction
from storage.table import games, notifications, views

CACHED_PEOPLE = 4096
"""How many people are cached."""

GIVEN_UP = timedelta(hours=1)
"""How long a dropped name is not stored again: some people have another one in each server."""

LOOKING = 30.0
"""For how many seconds after a press a person counts as looking at the table."""

SEATED = 8192
"""How many people at tables are cached."""

STARTER = "starter"
"""The set of pieces for newcomers, as painters and settings call it."""

FIRST_GAMES = 3
"""In so many first games of a kind it is offered."""

KNOWN_NEWCOMERS = 4096
"""How many answers about a person at a table are remembered."""


@dataclass(kw_only=True)
class People:
    """The people of all chats. Everything written about one goes through here."""

    store: Store
    places: Places
    clock: Clock
    default_language: str
    _known: LRUCache[PlaceKey, PersonRow] = remembering(CACHED_PEOPLE)
    _names: LRUCache[int, PersonName] = remembering(CACHED_PEOPLE)
    _personal: LRUCache[int, Personal] = remembering(CACHED_PEOPLE)
    _heard: LRUCache[tuple[PlaceKey, int], None] = remembering(CACHED_PEOPLE)
    """Who has asked for something in which place."""
    _given_up: TTLCache[tuple[int, str], bool] = field(init=False)

    def __post_init__(self) -> None:
        self._given_up = TTLCache(
            CACHED_PEOPLE, GIVEN_UP.total_seconds(), timer=lambda: self.clock.now().timestamp()
        )

    async def of(self, asker: Asker) -> PersonRow:
        """The person behind *asker*, who acts or is challenged: created or renamed if need be.

        Nothing else may ask this, or it would introduce anew whoever has been forgotten.
        """
        key, name = (asker.platform, asker.external), cleaned(asker.name)
        known = self._known.get(key)
        if known is not None and (known.name == name or (known.id, name) in self._given_up):
            return known
        async with self.store.transaction() as tx:
            person = await people.ensure_person(tx, *key, name, self.clock.now())
            self._call(PersonName(person.id, name, owner_of(*key)))
            await self.store.cluster.tell(tx, "people", person.id)
        if known is not None:
            self._given_up[person.id, known.name] = True
        self._known[key] = person
        return person

    def hear(self, person: int, where: Where) -> None:
        """Note that *person* asks for something in *where*."""
        self._heard[where.key, person] = None

    def heard_in(self, where: Where) -> list[int]:
        """Who has asked for something in *where*, as far as this process remembers."""
        return [person for place, person in self._heard if place == where.key]

    async def find(self, asker: Asker) -> PersonRow | None:
        """The person behind *asker*, if there is one already, under the name last heard."""
        key = (asker.platform, asker.external)
        return await self.store.read_once(self._known, key, people.find_person, *key)

    async def number(self, asker: Asker) -> int | None:
        """The number of the person behind *asker*, if there is one already."""
        known = await self.find(asker)
        return None if known is None else known.id

    async def namesake(self, asker: Asker) -> int | None:
        """The person known only by the @name that *asker* has."""
        if not asker.handle:
            return None
        found = await self.store.read(
            people.find_person, asker.platform, f"@{asker.handle}".casefold()
        )
        return None if found is None else found.id

    def _call(self, named: PersonName) -> None:
        """Cache a person's name, also under the ids that were joined to theirs."""
        for one, before in list(self._names.items()):
            if before.person == named.person:
                self._names[one] = named
        self._names[named.person] = named

    async def same(self, person: int) -> int:
        """The id of the person that *person* means now: identities may have been joined."""
        row = await self.store.read(people.load_person, person)
        return person if row is None else row.id

    async def refuse(self, person: int, others: Iterable[int]) -> bool:
        """Whether *person* has refused one of *others*, or one of them has refused *person*."""
        refused = await self._refused_by(person)
        return any([one in refused or person in await self._refused_by(one) for one in others])

    async def _refused_by(self, person: int) -> frozenset[int]:
        chosen = await self.personal(person)
        # A refused person may have been linked to another since.
        return frozenset([await self.same(one) for one in chosen.refused])

    async def private_chat(
        self, person: int, platform: str, *, unasked: bool = False
    ) -> Where | None:
        """The private chat of *person* on *platform*, if they have opened one, or even *unasked*.

        Its id is the person's own.
        """
        for one in await self.identities(person):
            if one.platform == platform and not one.external.startswith("@"):
                where = Where(platform, one.external, private=True)
                if unasked or await self.places.is_open(where):
                    return where
        return None

    async def identities(self, person: int) -> tuple[IdentityRow, ...]:
        """How the chats know *person*."""
        return await self.store.read(people.load_identities, person)

    async def is_unmet(self, person: int) -> bool:
        """Whether *person* is known only by an @name that others typed: perhaps nobody has it."""
        return all(one.external.startswith("@") for one in await self.identities(person))

    async def askers(self, platform: str, *persons: int) -> list[Asker]:
        """The ids by which *platform* knows *persons*, without a name."""
        return [
            Asker(platform, one.external, "")
            for person in persons
            for one in await self.identities(person)
            if one.platform == platform
        ]

    async def join(self, tx: Transaction, kept: int, other: int) -> None:
        """Let *other* be the same person as *kept* from now on."""
        await personal_data.join_people(tx, kept, other)
        await self._forget(tx, kept, other)

    async def erase(self, tx: Transaction, person: int) -> None:
        """Forget *person*: their games name an id without a person."""
        await personal_data.erase_person_data(tx, person)
        await self._forget(tx, person)

    async def introduce(self, table: Table) -> Table:
        """*table* with its people under the names they have now."""
        await self._learn_names(table.people())
        owners = (self._names[one].owner for one in table.people() if one in self._names)
        await self._learn_names(owner for owner in owners if owner is not None)
        then, now = table.touched - (table.stirred or table.touched), self.clock.now()
        ahead = (now - self.clock.steady() - then).total_seconds() if table.stirred else 0.0
        drift = timedelta(seconds=round(ahead))
        table = table if table.drift == drift else replace(table, drift=drift)
        if table.clock is not None and table.clock.control.rests:
            away = {one: (await self.personal(one)).holidays for one in table.people()}
            return table.called(self._names, away, instant(self.clock.steady()))
        return table.called(self._names)

    async def _learn_names(self, persons: Iterable[int]) -> None:
        """Cache the names of *persons* that are not cached yet."""
        unknown = sorted(person for person in persons if person not in self._names)
        if not unknown:
            return
        async with self.store.reading() as tx:
            # Cached within the transaction, so that no rename comes in between.
            # A name that an earlier release let pass may look empty.
            for person, found in (await people.load_names(tx, unknown)).items():
                named = found._replace(name=cleaned(found.name))
                self._names[person] = self._names[found.person] = named

    async def language_of(self, where: Where, person: PersonRow | None, asker: Asker) -> str:
        """The language of an answer to *asker* alone, who is *person*, if anybody yet."""
        place, chosen = await self.language_in(where), None if person is None else person.language
        client = await self._client_language(person, asker)
        return preferences.answer_language(chosen, client, place)

    async def _client_language(self, person: PersonRow | None, asker: Asker) -> str | None:
        """What the program of *asker* tells or told last, else the language of their words."""
        kept = await self.personal(None if person is None else person.id)
        return asker.language or kept.client or asker.speaks or kept.speaks

    async def language_alone(self, person: int) -> str:
        """The language of what *person* is told alone and unasked; "" where none is known.

        It is the one they have chosen, else that of their chat program, or of their words.
        """
        row = await self.store.read(people.load_person, person)
        chosen, kept = None if row is None else row.language, await self.personal(person)
        return preferences.answer_language(chosen, kept.client or kept.speaks, "")

    async def language_in(
        self, where: Where, opener: PersonRow | None = None, asker: Asker | None = None
    ) -> str:
        """The language of a board in *where*; *opener*, who came as *asker*, opens it.

        What comes there unasked speaks as the newest board does.
        """
        client = None if asker is None else await self._client_language(opener, asker)
        if where.private and opener is not None:
            return preferences.answer_language(opener.language, client, self.default_language)
        chosen = await self.places.language(where)
        locale = None if where.home is None else where.home.locale
        speaks = client
        if opener is not None and opener.language is not None:
            speaks = preferences.answer_language(opener.language, client, self.default_language)
        if not (chosen or locale or speaks):
            speaks = await self.store.read(views.language_at, *where.key)
        return preferences.board_language(chosen, locale, speaks, self.default_language)

    async def personal(self, person: int | None) -> Personal:
        """The settings of *person*; the defaults of nobody."""
        if person is None:
            return Personal()
        return await self.store.read_once(self._personal, person, _load_personal, person)

    async def today(self, person: int) -> int:
        """The ordinal of the day that it is for *person*."""
        zone = preferences.zone_of((await self.personal(person)).zone)
        return self.clock.now().astimezone(zone).toordinal()

    def chosen(self, person: int) -> Personal:
        """The cached settings of *person*; the defaults where they are not cached."""
        return self._personal.get(person, Personal())

    async def choose(
        self, person: int, change: Callable[..., Personal] = replace, **how: Any
    ) -> Personal:
        """Store the settings of *person*: what *change* makes, *how*, of those that are stored."""
        return await self.store.write(self.keep, person, partial(change, **how))

    async def keep(
        self, tx: Transaction, person: int, change: Callable[[Personal], Personal]
    ) -> Personal:
        """The same in a transaction that changes more: it must be the last that can fail."""
        chosen = change(await _load_personal(tx, person))
        await people.change_person(tx, person, settings=preferences.stored(chosen))
        await self.store.cluster.tell(tx, "people", person)
        self._personal[person] = chosen
        return chosen

    async def set_language(self, person: PersonRow, code: str | None) -> None:
        """Speak *code* with this person, or for ``None`` the language of their clients."""
        async with self.store.transaction() as tx:
            await people.change_person(tx, person.id, language=code)
            await self._forget(tx, person.id)

    async def _forget(self, tx: Transaction, *persons: int) -> None:
        self.forget(*persons)
        await self.store.cluster.tell(tx, "people", *persons)

    def forget_all(self) -> None:
        """Evict everybody."""
        for known in (self._known, self._names, self._personal, self._heard):
            known.clear()

    def forget(self, *persons: int) -> None:
        """Evict *persons*."""
        for known, row in list(self._known.items()):
            if row.id in persons:
                del self._known[known]
        for one, named in list(self._names.items()):
            if one in persons or named.person in persons:
                del self._names[one]
        for person in persons:
            self._personal.pop(person, None)


async def _load_personal(tx: Transaction, person: int) -> Personal:
    row = await people.load_person(tx, person)
    return preferences.read(Personal, {} if row is None else row.settings)


@dataclass
class Presence:
    """The presence of people at tables; the places they play from are stored as well."""

    store: Store
    tasks: Tasks
    clock: Callable[[], float] = time.monotonic
    _pressed: LRUCache[tuple[str, int], float] = remembering(SEATED)
    """When a person last pressed something at a table, by the monotonic clock."""
    _stored: LRUCache[tuple[str, int], Where] = remembering(SEATED)
    _listeners: list[Callable[[Table, int], None]] = field(default_factory=list)

    def when_seen(self, listener: Callable[[Table, int], None]) -> None:
        """Call *listener* whenever a player presses something at their table."""
        self._listeners.append(listener)

    def saw(self, table: Table, person: int, where: Where) -> None:
        """Note that *person* presses something at *table*, in *where*, just now."""
        if table.seat_of(person) is None:
            return
        self.looks(table.code, person)
        for listener in self._listeners:
            listener(table, person)
        if self._stored.get((table.code, person)) != where:
            self.tasks.start(self._sits(table.code, person, where))

    async def _sits(self, code: str, person: int, where: Where) -> None:
        await self.store.write_beside(self.sit, code, person, where)
        self.note(code, person, where)

    def looks(self, code: str, person: int) -> None:
        """Note that *person* looks at the table *code* just now."""
        self._pressed[code, person] = self.clock()

    def looking(self, code: str, person: int) -> float:
        """For how many more seconds *person* counts as looking at the table *code*."""
        pressed = self._pressed.get((code, person))
        return 0.0 if pressed is None else max(0.0, pressed + LOOKING - self.clock())

    def looks_in(self, code: str, person: int, where: Where) -> bool:
        """Whether *person* looks at *code* just now, and does so in *where*."""
        at = self._stored.get((code, person), where)
        return self.looking(code, person) > 0 and at.key == where.key

    def saw_elsewhere(self, code: str, person: int) -> None:
        """Note a press at another process, which may have stored where *person* plays."""
        self.looks(code, person)
        self._stored.pop((code, person), None)

    async def sit(self, tx: Transaction, code: str, person: int, where: Where) -> None:
        """Store that *person* plays at the table *code* from *where*."""
        if self._stored.get((code, person)) == where:
            return
        # Where this is not committed after all, the next press at the table stores it.
        self._stored.pop((code, person), None)
        row = PresenceRow(code, person, *where.key, where.thread, where.private)
        await notifications.put_presences(tx, [row])

    def note(self, code: str, person: int, where: Where) -> None:
        """It is on disk that *person* plays at the table *code* from *where*."""
        self._stored[code, person] = where


def presence_place(row: PresenceRow) -> Where:
    """The place from where somebody plays."""
    return Where(row.platform, row.place, row.thread, row.private)


@dataclass(frozen=True, kw_only=True)
class BeginnerPieces:
    """Tells to whom a board offers the newcomer's set of pieces."""

    store: Store
    people: People
    _new: LRUCache[tuple[int, str], bool] = remembering(KNOWN_NEWCOMERS)
    """Whether a person, at a table, plays one of their first games of its kind."""

    async def are_offered(self, table: Table, readers: Collection[int]) -> bool:
        """Whether a board of *table* that *readers* see offers them the set.

        All are new to the game, nobody has declined it or chosen another, and somebody lacks it.
        """
        if table.status != PLAYING or themed(table.game.key, "", STARTER) == themed(
            table.game.key, "", ""
        ):
            return False
        lacking = False
        for reader in readers:
            chosen = await self.people.personal(reader)
            if chosen.declines_starter or chosen.pieces not in (None, STARTER):
                return False
            if chosen.pieces is None:
                if not await self.is_new(table, reader):
                    return False
                lacking = True
        return lacking

    async def is_new(self, table: Table, person: int) -> bool:
        """Whether *person* plays one of their first games of its kind at *table*."""
        known = self._new.get((person, table.code))
        if known is None:
            played = await self.store.read(
                games.count_games, person, table.game.key, FIRST_GAMES + 1
            )
            known = self._new[person, table.code] = played <= FIRST_GAMES
        return known
