"""The people of all chats: who they are, what they are called, which language they are spoken to.

What is known of them is kept in memory: every press, every command and every board asks for it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta

from cachetools import LRUCache, TTLCache

from bot.port import Asker, Where
from bot.service.clock import Clock
from bot.service.places import Places
from bot.session import languages, preferences
from bot.session.game_clock import instant
from bot.session.names import cleaned
from bot.session.preferences import Personal
from bot.session.table import Table
from storage import people, personal
from storage.engine import Store, Transaction
from storage.records import IdentityRow, Named, PersonRow

KEPT = 4096
"""Of how many people we remember what is stored."""

GIVEN_UP = timedelta(hours=1)
"""For how long a name that a person gave up is not taken up again.

Who has another name in each server would else be renamed, on disk, with every press.
"""


@dataclass(kw_only=True)
class People:
    """The people of all chats. Whatever is written of one goes through here."""

    store: Store
    places: Places
    clock: Clock
    default_language: str
    _known: LRUCache[tuple[str, str], PersonRow] = field(default_factory=lambda: LRUCache(KEPT))
    _names: LRUCache[int, Named] = field(default_factory=lambda: LRUCache(KEPT))
    _personal: LRUCache[int, Personal] = field(default_factory=lambda: LRUCache(KEPT))
    _given_up: TTLCache[tuple[int, str], bool] = field(init=False)

    def __post_init__(self) -> None:
        seconds = GIVEN_UP.total_seconds()
        self._given_up = TTLCache(KEPT, seconds, timer=lambda: self.clock.now().timestamp())

    async def of(self, asker: Asker) -> PersonRow:
        """The person behind *asker*, known from now on, and by the name he has here."""
        return await self.mentioned(asker)

    async def known(self, asker: Asker) -> PersonRow | None:
        """The person behind *asker*, if he is one already."""
        kept = self._known.get((asker.platform, asker.external))
        return kept or await self.store.read(people.find, asker.platform, asker.external)

    async def named(self, platform: str, name: str) -> PersonRow:
        """Whoever bears the @name *name* on *platform*, of whom we need to know no more."""
        return await self.mentioned(Asker(platform, name.casefold(), name))

    async def namesake(self, asker: Asker) -> int | None:
        """The person of whom nothing was known but the @name that *asker* bears."""
        if not asker.handle:
            return None
        found = await self.store.read(people.find, asker.platform, f"@{asker.handle}".casefold())
        return None if found is None else found.id

    async def mentioned(self, asker: Asker) -> PersonRow:
        """The person behind *asker*, whom another one has named."""
        key, name = (asker.platform, asker.external), cleaned(asker.name)
        known = self._known.get(key)
        if known is not None and (known.name == name or (known.id, name) in self._given_up):
            return known
        async with self.store.transaction() as tx:
            person = await people.person_of(tx, *key, name, self.clock.now())
            self._call(Named(person.id, name))
            await self.store.fleet.tell(tx, "people", person.id)
        if known is not None:
            self._given_up[person.id, known.name] = True
        self._known[key] = person
        return person

    def _call(self, named: Named) -> None:
        """Remember what a person is called, also by the ids of those who were joined to him."""
        for one, before in list(self._names.items()):
            if before.person == named.person:
                self._names[one] = named
        self._names[named.person] = named

    async def same(self, person: int) -> int:
        """The person whom the number *person* means now."""
        row = await self.store.read(people.get, person)
        return person if row is None else row.id

    async def identities(self, person: int) -> tuple[IdentityRow, ...]:
        """How the chats know *person*."""
        return await self.store.read(people.identities, person)

    async def join(self, tx: Transaction, kept: int, other: int) -> None:
        """Let *other* be the same person as *kept* from now on; nobody knows him otherwise."""
        await personal.join(tx, kept, other)
        await self._forget(tx, kept, other)

    async def erase(self, tx: Transaction, person: int) -> None:
        """Forget who *person* is; games name a number that is nobody's any more."""
        await personal.erase(tx, person)
        await self._forget(tx, person)

    async def introduced(self, table: Table) -> Table:
        """*table* with its people under the names they have now."""
        unknown = sorted(person for person in table.people() if person not in self._names)
        if unknown:
            async with self.store.reading() as tx:
                # Kept while the transaction lasts, so that nobody is renamed in between.
                # What an earlier release let pass as a name may look empty.
                found = await people.names(tx, unknown)
                for person, (same, name) in found.items():
                    self._names[person] = self._names[same] = Named(same, cleaned(name))
        if table.clock is not None and table.clock.control.rests:
            away = {one: (await self.personal(one)).holidays for one in table.people()}
            return table.called(self._names, away, instant(self.clock.steady()))
        return table.called(self._names)

    async def language_of(self, where: Where, person: PersonRow, asker: Asker) -> str:
        """The language of a word to *asker* alone, who is *person*."""
        place = await self.language_in(where)
        return languages.of_answer(person.language, asker.language, place)

    async def language_in(
        self, where: Where, opener: PersonRow | None = None, asker: Asker | None = None
    ) -> str:
        """The language of a board in *where* that *opener* opens, as whom *asker* came."""
        client = None if asker is None else asker.language
        if where.private and opener is not None:
            return languages.of_answer(opener.language, client, self.default_language)
        chosen = await self.places.language(where)
        locale = None if where.home is None else where.home.locale
        speaks = client
        if opener is not None and opener.language is not None:
            speaks = languages.of_answer(opener.language, client, self.default_language)
        return languages.of_board(chosen, locale, speaks, self.default_language)

    async def personal(self, person: int) -> Personal:
        """What *person* has chosen for himself."""
        known = self._personal.get(person)
        if known is not None:
            return known
        async with self.store.reading() as tx:
            # Kept while the transaction lasts, so that no writer comes in between.
            row = await people.get(tx, person)
            known = preferences.read(Personal, {} if row is None else row.settings)
            self._personal[person] = known
        return known

    def chosen(self, person: int) -> Personal:
        """What *person* is remembered to have chosen; the defaults where nobody has asked yet."""
        return self._personal.get(person, Personal())

    async def choose(self, person: int, chosen: Personal) -> None:
        """Keep what *person* has chosen for himself."""
        async with self.store.transaction() as tx:
            await self.keep(tx, person, chosen)

    async def keep(self, tx: Transaction, person: int, chosen: Personal) -> None:
        """The same in a transaction that changes more: it must be the last that can fail."""
        await people.set_settings(tx, person, preferences.stored(chosen))
        await self.store.fleet.tell(tx, "people", person)
        self._personal[person] = chosen

    async def set_language(self, person: PersonRow, code: str | None) -> None:
        """Speak *code* with this person, or for ``None`` as his clients do."""
        async with self.store.transaction() as tx:
            await people.set_language(tx, person.id, code)
            await self._forget(tx, person.id)

    async def _forget(self, tx: Transaction, *persons: int) -> None:
        """Read anew what is stored of *persons*, within the transaction that changes it."""
        self.forget(*persons)
        await self.store.fleet.tell(tx, "people", *persons)

    def forget_all(self) -> None:
        """What is stored of everybody is read anew."""
        for known in (self._known, self._names, self._personal):
            known.clear()

    def forget(self, *persons: int) -> None:
        """What is stored of *persons* is read anew."""
        for known, row in list(self._known.items()):
            if row.id in persons:
                del self._known[known]
        for one, named in list(self._names.items()):
            if one in persons or named.person in persons:
                del self._names[one]
        for person in persons:
            self._personal.pop(person, None)
