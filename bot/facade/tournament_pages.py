"""What a page may ask of tournaments: one as it stands, and when that changes.

Like the command, a page shows a tournament to whoever knows its code.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from bot.boards.tournament_views import TournamentViews
from bot.port import Asker, Button, Where
from bot.presenters.tournament.tournament import TournamentScreens
from bot.presenters.tournament.tournament_pictures import TournamentPage, tournament_sheet
from bot.service.person.people import People
from bot.service.tournament.tournaments import ENDED_PHASES, Tournaments

LAST, NOBODY = 6, 0
"""How many that are over are listed, and the number that no person has."""

OfReader: TypeAlias = tuple[TournamentScreens, Sequence[Button]]
"""A tournament, and the key by which its reader may enter it, if any."""


@dataclass(kw_only=True)
class TournamentPages:
    """Answers pages that ask of tournaments. Raises ``StorageError``."""

    people: People
    tournaments: Tournaments
    boards: TournamentViews

    async def sheet(self, asker: Asker, spoken: str, code: str) -> TournamentPage | None:
        """The tournament *code* for *asker*, ``None`` where there is none that can be read."""
        tournament = await self.tournaments.find(code)
        if tournament is None:
            return None
        own = tournament.number_of(await self.people.number(asker) or NOBODY)
        screens = await self.boards.screens(tournament, spoken)
        # The tables of two hundred people take a while.
        return await asyncio.to_thread(tournament_sheet, screens, own)

    async def list(self, asker: Asker, where: Where, spoken: str) -> Sequence[OfReader]:
        """The tournaments of the one house that pages are: those that live, and the last ones.

        What *asker* may enter stands first.
        """
        me = await self.people.number(asker) or NOBODY
        found = await self.tournaments.list_tournaments(where, None, me)
        found += await self.tournaments.list_tournaments(where, None, me, ENDED_PHASES, LAST)
        screens = [await self.boards.screens(one, spoken) for one in found]
        return sorted(((one, one.entry_buttons(me)) for one in screens), key=lambda one: not one[1])

    async def has_changed(self, code: str, version: int, seconds: float) -> bool:
        """Whether the tournament *code* is another than at *version*, or so within *seconds*."""
        return await self.tournaments.until_changed(code, version, seconds)
