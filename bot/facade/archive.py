"""The games of somebody: the finished ones, found by words, and with whom they were played."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from babel.dates import format_date

from bot.port import Asker, Chat
from bot.presenters.button_codes import ChatButtons
from bot.presenters.table.viewers import player_names
from bot.service.person.people import People
from bot.service.table.tables import Tables
from bot.session.table import ENDED, PLAYING
from bot.texts import language
from games.core import phrase
from games.core.move_parsing import casefolded
from storage.records import GameLine

SEARCHED = 400
"""How many of the latest games of a person are looked through."""

FOUND = 40
"""The most games in one answer."""


LOOKED_THROUGH = 200
"""How many of the latest games of a person are looked through for companions."""

MOST_COMPANIONS = 24
"""The most people in one answer."""


@dataclass(frozen=True)
class Finished:
    """A finished game in words: its *title*, *who* else played, and the *day* it ended."""

    table: str
    title: str
    who: str
    day: str


@dataclass(frozen=True)
class Opponent:
    """Somebody by *name*, the game last played together (*title*) and its *day*.

    *code* is the button that prepares another one against them.
    """

    name: str
    title: str
    day: str
    code: str


@dataclass(frozen=True, kw_only=True)
class Archive:
    """The games of people, and those with whom they were played. Raises ``StorageError``."""

    tables: Tables
    people: People
    chats: Mapping[str, Chat]
    buttons: ChatButtons

    async def search(self, asker: Asker, spoken: str, wanted: str = "") -> tuple[Finished, ...]:
        """The games that *asker* has finished, the latest first, in the language *spoken*.

        Only those whose game, players, code or day (``2026-11-26``) have all words of *wanted*.
        """
        me = await self.people.number(asker)
        if me is None:
            return ()
        tongue, words, found = language(spoken), casefolded(wanted).split(), list[Finished]()
        for line in await self.tables.list_lines((ENDED,), SEARCHED, person=me):
            if line.fault is not None:
                continue
            names = player_names(line.game, line.seats, tongue)
            others = [names[n] for n, seat in enumerate(line.seats) if seat.person != me]
            title, day = tongue.say(phrase(f"{line.game}.name")), f"{line.touched:%Y-%m-%d}"
            told = casefolded(" ".join((title, *others, line.code, day)))
            if all(word in told for word in words):
                found.append(Finished(line.code, title, ", ".join(others), day))
                if len(found) == FOUND:
                    break
        return tuple(found)

    async def companions(self, asker: Asker, spoken: str) -> tuple[Opponent, ...]:
        """Those with whom *asker* has played, the latest first, in the language *spoken*.

        Only whom a challenge by *asker* reaches, and whom they have not refused themselves.
        """
        me = await self.people.number(asker)
        if me is None:
            return ()
        chosen, tongue = await self.people.personal(me), language(spoken)
        refused, found = {await self.people.same(one) for one in chosen.refused}, list[Opponent]()
        for person, (name, line) in await self._latest(me):
            if person in refused or not await self._is_reached(person, asker.platform):
                continue
            title, locale = tongue.say(phrase(f"{line.game}.name")), tongue.code.replace("-", "_")
            day = format_date(line.touched.date(), "medium", locale)
            found.append(Opponent(name, title, day, self.buttons.sheet(line.game, f"@{person}")))
            if len(found) == MOST_COMPANIONS:
                break
        return tuple(found)

    async def _latest(self, me: int) -> Sequence[tuple[int, tuple[str, GameLine]]]:
        """Everybody with whom *me* has played, by name and by the latest game, the latest first."""
        played = dict[int, tuple[str, GameLine]]()
        lines = await self.tables.list_lines((PLAYING, ENDED), LOOKED_THROUGH, person=me)
        for line in sorted(lines, key=lambda one: one.touched):
            if line.fault is None:
                others = (seat for seat in line.seats if seat.person != me and seat.name)
                played |= {one.person: (one.name, line) for one in others if one.person is not None}
        return sorted(played.items(), key=lambda one: one[1][1].touched, reverse=True)

    async def _is_reached(self, person: int, platform: str) -> bool:
        """Whether *person* has a private place on *platform* that takes a challenge."""
        chat = self.chats.get(platform)
        unasked = chat is not None and chat.capabilities.takes_unasked
        return await self.people.private_chat(person, platform, unasked=unasked) is not None
