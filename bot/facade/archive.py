"""The finished games of one person, found again by words."""

from __future__ import annotations

from dataclasses import dataclass

from bot.port import Asker
from bot.presenters.viewers import player_names
from bot.service.people import People
from bot.service.tables import Tables
from bot.session.table import ENDED
from bot.texts import language
from games.core import phrase
from games.core.move_parsing import casefolded

SEARCHED = 400
"""How many of the latest games of a person are looked through."""

FOUND = 40
"""The most games in one answer."""


@dataclass(frozen=True)
class Finished:
    """A finished game in words: its *title*, *who* else played, and the *day* it ended."""

    table: str
    title: str
    who: str
    day: str


@dataclass(frozen=True, kw_only=True)
class Archive:
    """The finished games of people. Raises ``StorageError``."""

    tables: Tables
    people: People

    async def finished(self, asker: Asker, spoken: str, wanted: str = "") -> tuple[Finished, ...]:
        """The games that *asker* has finished, the latest first, in the language *spoken*.

        Only those whose game, players, code or day (``2026-11-26``) have all words of *wanted*.
        """
        me = await self.people.number(asker)
        if me is None:
            return ()
        tongue, words, found = language(spoken), casefolded(wanted).split(), list[Finished]()
        for line in await self.tables.listed((ENDED,), SEARCHED, person=me):
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
