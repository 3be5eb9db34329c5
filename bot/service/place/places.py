"""The places of all chats, cached: every press and every board asks for them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, Unpack

from cachetools import LRUCache, TTLCache

from bot.port import Where
from bot.runtime.caches import remembering
from bot.service.place.outages import Outages
from bot.session import preferences
from bot.session.preferences import PlaceRules
from storage.club.place_id_change import move_rows
from storage.place import places
from storage.records import PlaceChange, PlaceKey, PlaceRow, ViewRow
from storage.store import Store, Transaction

OPENED = "opened"
"""The setting of a private chat in which a person has spoken to us."""

HOME = "home"
"""The setting of a place that names its server."""

PART, LEFT = "part", "left"
"""The settings of a table's place that name its channel, while it is played in and later."""

CHANNEL = "channel"
"""The setting of a thread that names its channel, whose people all read it."""

CACHED_PLACES = 4096
"""How many places are cached."""

DISMISSED = 3600.0
"""For how many seconds what is on its way to somebody who was forgotten is waited for."""


_RULES = frozenset(field.name for field in fields(PlaceRules))


@dataclass
class Places:
    """The places of all chats. Everything written about one goes through here.

    The transaction of a change evicts its place; nobody can read it before that is over.
    """

    store: Store
    outages: Outages
    _known: LRUCache[PlaceKey, PlaceRow] = remembering(CACHED_PLACES)
    _dismissed: TTLCache[PlaceKey, bool] = remembering(CACHED_PLACES, DISMISSED)
    _shut: list[Callable[[Where, bool], None]] = field(default_factory=list)
    _moved: list[Callable[[Transaction, Where, Where], Awaitable[None]]] = field(
        default_factory=list
    )

    def when_shut(self, listener: Callable[[Where, bool], None]) -> None:
        """Tell *listener* of every place that shuts us out or lets us in, before it is on disk."""
        self._shut.append(listener)

    def when_moved(
        self, *listeners: Callable[[Transaction, Where, Where], Awaitable[None]]
    ) -> None:
        """Tell *listeners* of every place that gets a new id, in the transaction of that."""
        self._moved += listeners

    async def at(self, where: Where) -> PlaceRow:
        """The row of *where*; defaults where it was never seen."""
        key = where.key
        return await self.store.read_once(self._known, key, places.load_place, *key)

    async def is_open(self, where: Where) -> bool:
        """Whether *where*, a private chat in which a person has spoken to us, still lets us in."""
        known = await self.at(where)
        return bool(known.settings.get(OPENED)) and not known.suspended

    async def home(self, where: Where) -> Where:
        """The place that holds the settings of *where*: its server, or itself."""
        if where.home is not None:
            return Where(where.platform, where.home.id)
        noted = (await self.at(where)).settings.get(HOME)
        return Where(where.platform, noted) if isinstance(noted, str) else where

    async def homes(self, tx: Transaction, at: Sequence[PlaceKey]) -> tuple[PlaceKey, ...]:
        """The platforms and ids under which these places keep their settings, each once."""
        found = []
        for platform, place in at:
            row = self._known.get((platform, place)) or await places.load_place(tx, platform, place)
            noted = row.settings.get(HOME)
            found.append((platform, noted if isinstance(noted, str) else place))
        return tuple(dict.fromkeys(found))

    async def settle(self, where: Where) -> None:
        """Note to which server and channel *where* belongs, if it comes with them."""
        if where.home is None:
            return
        known, noted = (await self.at(where)).settings, {HOME: where.home.id}
        if where.home.channel not in ("", where.place) and not where.home.closed:
            noted[CHANNEL] = where.home.channel
        if not noted.items() <= known.items():
            await self.store.write(self.note, where, noted)

    async def settle_threads(self, platform: str, channel_of: Callable[[str], str]) -> None:
        """Note the channels of threads that never came with one.

        *channel_of* tells that of a place, "" where it is none of which all its people read.
        """
        for row in await self.store.read(places.places_with, HOME):
            if row.platform != platform or CHANNEL in row.settings:
                continue
            if channel := channel_of(row.place):
                await self.store.write(self.note, Where(platform, row.place), {CHANNEL: channel})

    async def language(self, where: Where) -> str | None:
        """The language chosen for *where*, if one was."""
        return (await self.at(await self.home(where))).language or (await self.at(where)).language

    async def speak(self, where: Where, code: str | None) -> None:
        """Store the language chosen for *where*."""
        home = await self.home(where)
        async with self.store.transaction() as tx:
            await self.put(tx, where, language=None)
            await self.put(tx, home, language=code)

    async def rules(self, where: Where) -> PlaceRules:
        """The settings of *where*."""
        return preferences.read(PlaceRules, (await self.at(await self.home(where))).settings)

    async def choose(
        self, where: Where, change: Callable[..., PlaceRules] = replace, **how: Any
    ) -> PlaceRules:
        """Store the settings of *where*: what *change* makes, *how*, of those that are stored."""
        home = await self.home(where)
        async with self.store.transaction() as tx:
            known = (await places.load_place(tx, *home.key)).settings
            chosen = change(preferences.read(PlaceRules, known), **how)
            await self.note(tx, home, preferences.stored(chosen), _RULES)
        return chosen

    async def note(
        self, tx: Transaction, where: Where, noted: Mapping[str, Any], gone: Collection[str] = ()
    ) -> bool:
        """Note of *where* what is *noted* in place of what is *gone*; whether that is news."""
        known = (await places.load_place(tx, *where.key)).settings
        others = {key: value for key, value in known.items() if key not in gone}
        await self.put(tx, where, settings={**others, **noted})
        return known != {**others, **noted}

    async def together(self, where: Where) -> tuple[str, ...]:
        """The ids of all places that share the settings of *where*."""
        home = await self.home(where)
        return await self.store.read(places.places_of_home, home.platform, home.place, HOME)

    async def note_part(self, where: Where, part: Where) -> None:
        """Note that *part* was made within *where* for a table."""
        noted = {HOME: (await self.home(where)).place, PART: where.place}
        await self.store.write(self.note, part, noted)

    async def parts(self, where: Where, *also: str) -> tuple[Where, ...]:
        """*where*, and the places made within it for tables that are played, or noted *also*."""
        keys = (PART, *also)
        found = await self.store.read(places.places_of_home, where.platform, where.place, *keys)
        return tuple(where if one == where.place else Where(where.platform, one) for one in found)

    async def with_threads(self, where: Where) -> tuple[Where, ...]:
        """*where*, and its threads, whoever made them, that everybody there reads."""
        return await self.parts(where, CHANNEL)

    async def within(self, where: Where) -> str:
        """The place within which *where* was made for one table, if it was."""
        noted = (await self.at(where)).settings
        return str(noted.get(PART) or noted.get(LEFT) or "")

    async def is_played_in(self, where: Where) -> bool:
        """Whether *where*, which was made for one table, is noted as one that is played in."""
        return PART in (await self.at(where)).settings

    async def played_in(self, where: Where, *, played: bool) -> None:
        """Note whether something is played in *where*, which was made for one table."""
        noted = {PART if played else LEFT: await self.within(where)}
        await self.store.write(self.note, where, noted, (PART, LEFT))

    async def with_rule(self, name: str) -> tuple[tuple[Where, PlaceRules], ...]:
        """The places whose settings say something else than usual of the rule *name*."""
        rows = await self.store.read(places.places_with, name)
        read = preferences.read
        return tuple((Where(r.platform, r.place), read(PlaceRules, r.settings)) for r in rows)

    async def put(self, tx: Transaction, where: Where, **noted: Unpack[PlaceChange]) -> None:
        """Store the named fields of *where*; nothing of one that was dismissed."""
        if where.key in self._dismissed:
            return
        await places.put_place(tx, where.platform, where.place, **noted)
        if "suspended" in noted:
            await self.outages.note(tx, where, noted["suspended"])
            for listener in self._shut:
                listener(where, noted["suspended"])
        await self._forget(tx, where)

    async def move(self, tx: Transaction, old: Where, new: Where) -> None:
        """*old* has become *new*: its views, outages and settings go there."""
        await self.outages.note(tx, old, shut=False)
        await move_rows(tx, old.platform, old.place, new.place)
        for listener in self._moved:
            await listener(tx, old, new)
        await self._forget(tx, old)
        await self._forget(tx, new)

    async def _forget(self, tx: Transaction, where: Where) -> None:
        self.forget(where.platform, where.place)
        await self.store.cluster.tell(tx, "place", where.platform, where.place)

    def dismiss(self, platform: str, place: str) -> None:
        """Store nothing of a place, whose only reader is forgotten, until they come again."""
        self._dismissed[platform, place] = True
        self.forget(platform, place)

    def welcome(self, where: Where) -> None:
        """The only reader of *where* acts there: it may have been dismissed before."""
        self._dismissed.pop(where.key, None)

    def forget(self, platform: str, place: str) -> None:
        """Evict a place."""
        self._known.pop((platform, place), None)

    def forget_all(self) -> None:
        """Evict every place."""
        self._known.clear()


def new_view(subject: str, version: int, where: Where, person: int, language: str) -> ViewRow:
    """A view not yet stored of *subject* in *where*, which is *person*'s where it is private."""
    alone = person if where.private else None
    return ViewRow(0, subject, *where.key, language, version, thread=where.thread, person=alone)


def view_place(view: ViewRow) -> Where:
    """The place in which *view* stands."""
    return Where(view.platform, view.place, view.thread, private=view.person is not None)
