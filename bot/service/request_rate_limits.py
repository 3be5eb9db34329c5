"""Rate limits of people and places, applied before anything is stored."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from time import monotonic

from cachetools import TLRUCache

from bot.port import Asker, Where
from bot.runtime.rate_limiter import Limiters, Window
from bot.runtime.tasks import Tasks
from bot.service.person.people import People
from bot.service.table.tables import Tables
from bot.session.table import PLAYING
from storage.store import Store

SEATED: tuple[Window, ...] = ((20, 20 / 3),)
"""A player: twenty at once, then three a second."""

OTHERS: tuple[Window, ...] = ((10, 10.0),)
"""Everybody else: ten at once, then one a second."""

COMPLETION: tuple[Window, ...] = ((60, 20.0),)
"""Completions are asked for at every letter: sixty at once, then three a second."""

TALK: tuple[Window, ...] = ((5, 10.0), (60, 600.0))
"""Lines of talk of one person: five in ten seconds, sixty in ten minutes."""

PLACE: tuple[Window, ...] = ((60, 60.0),)
"""Requests in one place by people who do not play there."""

SHARE: tuple[Window, ...] = ((30, 60.0),)
"""The share of one of them, so that nobody alone keeps the others from opening tables."""

FILES: tuple[Window, ...] = ((6, 6.0),)
"""Files that are sent to the house, by whomever: six at once, then one a second."""

FILES_OF_ONE: tuple[Window, ...] = ((5, 10.0),)
"""Those of one person: five at once, then one every two seconds, so that others have a turn."""

WORD: tuple[Window, ...] = ((1, 60.0),)
"""How often a person is told that they are too fast."""

TOGETHER = 0.25
"""For how many seconds news of what was taken is gathered for other processes."""

KNOWN = 4096
"""Of how many people we remember whether they play where they ask."""

KNOWN_FOR = {True: 60.0, False: 5.0}
"""For how many seconds that is remembered, by whether they play."""

Key = tuple[str, ...]


class LimitVerdict(Enum):
    """What to do with a request."""

    TAKEN = "taken"
    REFUSED = "refused, in one sentence to the asker alone"
    DROPPED = "dropped without a word"


@dataclass(kw_only=True)
class Limits:
    """The limits of every person and place; a chat asks before it writes anything down."""

    store: Store
    tasks: Tasks
    people: People
    tables: Tables
    clock: Callable[[], float] = monotonic
    _persons: Limiters[Key] = field(init=False)
    _places: Limiters[Key] = field(init=False)
    _playing: TLRUCache[Key, bool] = field(init=False)
    _untold: list[tuple[Key, bool, bool]] = field(default_factory=list)
    """What was taken and other processes have not been told yet."""

    def __post_init__(self) -> None:
        self._persons = Limiters(clock=lambda: self.clock())
        self._places = Limiters(clock=lambda: self.clock())
        self._playing = TLRUCache(
            KNOWN, lambda _, plays, now: now + KNOWN_FOR[plays], timer=lambda: self.clock()
        )
        self.store.cluster.on("taken", self._elsewhere)

    async def judge(self, asker: Asker, where: Where, *, opens: bool = False) -> LimitVerdict:
        """Whether a request, which perhaps *opens* a table, is taken; raises ``StorageError``."""
        me, plays = (asker.platform, asker.external), await self._plays(asker, where)
        mine = self._persons.at((*me, str(plays)), SEATED if plays else OTHERS)
        if mine.wait() > 0:
            told = self._persons.at((*me, "told"), WORD).take()
            return LimitVerdict.REFUSED if told else LimitVerdict.DROPPED
        mine.note()
        # In private all is one's own, and one's own limit is enough.
        shared = not where.private and (opens or not plays)
        if shared:
            share = self._places.at((*where.key, asker.external), SHARE)
            if share.wait() > 0 or not self._places.at(where.key, PLACE).take():
                # Others are too many: each press is told so, and counts among those of its person.
                return LimitVerdict.REFUSED
            share.note()
        if not self.store.cluster.alone:
            self._untold.append(((*me, where.place), plays, shared))
            if len(self._untold) == 1:
                self.tasks.start(self._tell_all())
        return LimitVerdict.TAKEN

    async def _tell_all(self) -> None:
        await asyncio.sleep(TOGETHER)
        untold, self._untold = self._untold, []
        await self.store.cluster.say("taken", *untold)

    def _elsewhere(self, *taken: tuple[Key, bool, bool]) -> None:
        for (platform, who, place), plays, shared in taken:
            self._persons.at((platform, who, str(plays)), SEATED if plays else OTHERS).note()
            if shared:
                self._places.at((platform, place), PLACE).note()
                self._places.at((platform, place, who), SHARE).note()

    def completes(self, asker: Asker) -> bool:
        """Whether completions are made for *asker*."""
        return self._persons.at((asker.platform, asker.external, "types"), COMPLETION).take()

    def talks(self, asker: Asker) -> bool:
        """Whether *asker* may say another line over a table."""
        return self._persons.at((asker.platform, asker.external, "talks"), TALK).take()

    def takes_file(self, asker: Asker) -> bool:
        """Whether the house looks at one more file now, sent by *asker*."""
        own = self._persons.at((asker.platform, asker.external, "files"), FILES_OF_ONE)
        return own.take() and self._places.at(("files",), FILES).take()

    def hasty(self, asker: Asker) -> bool:
        """Whether *asker* was too fast within the last minute."""
        return self._persons.at((asker.platform, asker.external, "told"), WORD).wait() > 0

    def plays(self, asker: Asker, where: Where) -> bool:
        """Whether *asker* was just seen to play in *where*."""
        return self._playing.get(_key(asker, where), False)

    async def _plays(self, asker: Asker, where: Where) -> bool:
        """Whether *asker* sits at a table that is played: in *where*, or anywhere in private."""
        key = _key(asker, where)
        known = self._playing.get(key)
        if known is None:
            person = await self.people.find(asker)
            found = person is not None and await self.tables.list_lines(
                (PLAYING,), 1, person=person.id, where=None if where.private else where
            )
            known = self._playing[key] = bool(found)
        return known


def _key(asker: Asker, where: Where) -> Key:
    return (asker.platform, asker.external, "" if where.private else where.place)
