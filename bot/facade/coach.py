"""The coach of a page: in the first games of a kind one place on the board, and one sentence.

It helps where a hint may be asked for, and goes after a few right answers.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Final

from cachetools import LRUCache

from bot.boards.views import Views
from bot.port import Asker, Said, Where
from bot.presenters.school.analysis import hinted_cells, hinted_reason
from bot.presenters.table.composer import Composer
from bot.presenters.table.side_panel import named_cells
from bot.presenters.table.viewers import Viewer
from bot.service.person.people import BeginnerPieces, People
from bot.service.school.advice import Advice
from bot.service.table.tables import Tables
from bot.session.table import Table
from bot.session.visibility import VisibleTable
from games.core import CHANCE, phrase

RIGHT_ANSWERS: Final = 3
"""After so many right answers in a kind of game the coach says nothing more."""

TABLES_COACHED: Final = 4096
"""At how many tables it is remembered what the coach has said last."""


@dataclass(frozen=True, kw_only=True)
class Coach:
    """Helps newcomers at a table on their page. Raises ``StorageError``."""

    people: People
    tables: Tables
    views: Views
    advice: Advice
    beginner_pieces: BeginnerPieces
    key: bytes
    _said: LRUCache[tuple[int, str], tuple[int, str]] = field(
        default_factory=lambda: LRUCache(TABLES_COACHED)
    )
    """To whom at which table which move was told, and where in the log it would stand."""

    async def speaks(self, asker: Asker, code: str) -> bool:
        """Whether there is something to be told to *asker* at the table *code*."""
        table, me = await self.tables.find(code), await self.people.number(asker)
        return table is not None and await self._is_due(table, me)

    async def _is_due(self, table: Table, me: int | None) -> bool:
        """Whether *me* is to move at *table*, new to its game, and may be helped."""
        seat = table.seat_of(me)
        if me is None or seat not in table.actors() or not table.may_ask(seat):
            return False
        answered = (await self.people.personal(me)).coached.count(table.game.key)
        return answered < RIGHT_ANSWERS and await self.beginner_pieces.is_new(table, me)

    async def tell(self, asker: Asker, where: Where, code: str, spoken: str) -> Said:
        """What is to be done at the table *code* in *where*, and why.

        Nothing where that is not due, or nobody could tell.
        """
        found, me = await self.views.shown_in(where, code), await self.people.number(asker)
        if found is None or me is None:
            return Said()
        table, _ = found
        await self._count(table, me)
        seat = table.seat_of(me)
        # A game that counts could be played on this board.
        contest = await self.tables.contests(me, table.game.key)
        if seat is None or contest or not await self._is_due(table, me):
            return Said()
        composer = Composer(table, Viewer(seat, spoken, personal=True), self.key)
        begins = all(one.seat == CHANCE for one in table.log)
        first = composer.say(phrase(f"{table.game.key}.first-step")) if begins else ""
        opinion = await self.advice.hint(table, seat)
        if opinion is None or not opinion.move:
            return Said(first)
        if len(VisibleTable(table, seat).position.legal_moves(seat)) > 1:
            self._said[me, code] = len(table.log), opinion.move
        cells = hinted_cells(table, seat, opinion)
        ring = next((one for one in cells if named_cells(composer, (one,))), "")
        said = composer.say(phrase("house.coach", what=hinted_reason(table, seat, opinion)))
        return Said(first or said, cells=(ring,))

    async def _count(self, table: Table, me: int) -> None:
        """Count the answer to what was said last, if it was the right one."""
        at, move = self._said.pop((me, table.code), (len(table.log), ""))
        if at < len(table.log) and table.log[at].text == move:
            game = table.game.key
            await self.people.choose(me, lambda on: replace(on, coached=(*on.coached, game)))
