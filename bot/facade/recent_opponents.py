"""The people somebody has played with lately, whom a page lets them challenge by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bot.port import Asker, Chat, Where
from bot.presenters.button_codes import NO_TABLE, Action, Click, encode_click
from bot.service.people import People
from bot.service.places import Places
from bot.service.tables import Tables
from bot.session.table import ENDED, PLAYING
from bot.texts import language
from games.core import phrase
from storage.records import GameLine

SEARCHED = 200
"""How many of the latest games of a person are looked through."""

FOUND = 24
"""The most people in one answer."""


@dataclass(frozen=True)
class Companion:
    """Somebody by *name*, the game last played together (*title*) and its *day*.

    *code* is the button that prepares another one against them.
    """

    name: str
    title: str
    day: str
    code: str


@dataclass(frozen=True, kw_only=True)
class Companions:
    """The people somebody has played with. Raises ``StorageError``."""

    tables: Tables
    people: People
    places: Places
    chats: Mapping[str, Chat]
    key: bytes

    async def of(self, asker: Asker, spoken: str) -> tuple[Companion, ...]:
        """Those with whom *asker* has played, the latest first, in the language *spoken*.

        Only whom a challenge by *asker* reaches, and whom they have not refused themselves.
        """
        me = await self.people.number(asker)
        if me is None:
            return ()
        chosen, tongue = await self.people.personal(me), language(spoken)
        refused, found = {await self.people.same(one) for one in chosen.refused}, list[Companion]()
        for person, (name, line) in await self._latest(me):
            if person in refused or not await self._is_reached(person, asker.platform):
                continue
            title, day = tongue.say(phrase(f"{line.game}.name")), f"{line.touched:%Y-%m-%d}"
            found.append(Companion(name, title, day, self._code(line.game, person)))
            if len(found) == FOUND:
                break
        return tuple(found)

    async def _latest(self, me: int) -> Sequence[tuple[int, tuple[str, GameLine]]]:
        """Everybody with whom *me* has played, by name and by the latest game, the latest first."""
        played = dict[int, tuple[str, GameLine]]()
        lines = await self.tables.listed((PLAYING, ENDED), SEARCHED, person=me)
        for line in sorted(lines, key=lambda one: one.touched):
            if line.fault is None:
                others = (seat for seat in line.seats if seat.person != me and seat.name)
                played |= {one.person: (one.name, line) for one in others if one.person is not None}
        return sorted(played.items(), key=lambda one: one[1][1].touched, reverse=True)

    async def _is_reached(self, person: int, platform: str) -> bool:
        """Whether *person* has a private place on *platform* that takes a challenge."""
        chat = self.chats.get(platform)
        for one in await self.people.identities(person):
            if one.platform == platform and not one.external.startswith("@"):
                if chat is not None and chat.capabilities.takes_unasked:
                    return True
                return await self.places.opened(Where(platform, one.external, private=True))
        return False

    def _code(self, game: str, person: int) -> str:
        path = ("game", game, f"@{person}")
        return encode_click(Click(Action.SHEET, NO_TABLE, 0, path), self.key)
