"""The crosstable of a tournament: a picture, and the same in words. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from bot.port import Screen
from bot.presenters.tournament.tournament import MARKS, SHOWN, WORDS, TournamentScreens, halves
from bot.tournament.crosstable import Cell, crosstable, meetings_by_opponent
from bot.tournament.standings import Line, standings
from bot.tournament.values import How, TournamentFormat
from games.core import phrase
from render.club.crosstable import CrossCell, CrossRow, Crosstable

GAMES = 9
"""How many games of an arena a row shows: the newest."""


@dataclass(frozen=True)
class CrosstableScreens:
    """Composes the crosstable of what *screens* are about; people are numbered as they stand."""

    screens: TournamentScreens

    @cached_property
    def _lines(self) -> Sequence[Line]:
        return standings(self.screens.tournament)

    @cached_property
    def _numbers(self) -> Mapping[int, int]:
        """The number of each entrant's line, from 1 on."""
        return {line.entrant: n for n, line in enumerate(self._lines, 1)}

    @cached_property
    def _cells(self) -> Mapping[int, Sequence[Cell]]:
        found = crosstable(self.screens.tournament)
        if self._form is TournamentFormat.ARENA:
            return {one: cells[-GAMES:] for one, cells in found.items()}
        return found

    @property
    def _form(self) -> TournamentFormat:
        return self.screens.tournament.rules.format

    # ---------------------------------------------------------------- the picture

    def table(self, own: int | None = None, first: int = 0, count: int = SHOWN) -> Crosstable:
        """The picture of *count* rows; that of *own*, the reader's number, is added."""
        say = self.screens.say
        if self._form is TournamentFormat.ROBIN:
            heads = tuple(str(number) for number in self._numbers.values())
        else:
            most = max(map(len, self._cells.values()), default=0)
            arena = self._form is TournamentFormat.ARENA
            heads = tuple("" if arena else str(n + 1) for n in range(most))
        rows = tuple(
            CrossRow(
                str(self._numbers[line.entrant]),
                self.screens.name(line.entrant),
                self._row(line.entrant, len(heads)),
                "" if self._form is TournamentFormat.KNOCKOUT else halves(line.points),
                own=line.entrant == own,
            )
            for line in self._page_lines(own, first, count)
        )
        rules = self.screens.tournament.rules
        titles = (self.screens.short_title(), say("tournament.button.cross"))
        total = "" if self._form is TournamentFormat.KNOCKOUT else say("tournament.head.points")
        return Crosstable(rules.game, *titles, heads, total, rows)

    def _page_lines(self, own: int | None, first: int, count: int) -> list[Line]:
        shown = list(self._lines[first : first + count])
        if own is not None and all(line.entrant != own for line in shown):
            shown += [line for line in self._lines if line.entrant == own]
        return shown

    def _row(self, entrant: int, count: int) -> tuple[CrossCell, ...]:
        cells = self._cells[entrant]
        if self._form is TournamentFormat.ROBIN:
            met = meetings_by_opponent(cells)
            return tuple(
                CrossCell(barred=True) if one == entrant else self._both(met.get(one, ()))
                for one in self._numbers
            )
        shown = [self._picture(cell) for cell in cells]
        return (*shown, *[CrossCell()] * (count - len(shown)))

    def _both(self, cells: Sequence[Cell]) -> CrossCell:
        """The games of two people in a round robin, one above the other."""
        told = [self._mark(cell) for cell in cells]
        if self.screens.tournament.rules.double:
            first, second, *_ = (*told, "", "")
            return CrossCell(first or " ", second, alike=True)
        return CrossCell("", told[0] if told else "")

    def _picture(self, cell: Cell) -> CrossCell:
        if not cell.opponents:
            return CrossCell("", self._mark(cell), soft=True)
        return CrossCell(self._against(cell), self._mark(cell))

    def _against(self, cell: Cell) -> str:
        """Whom somebody met, by the number of the line; "" at tables, which have too many."""
        return "" if len(cell.opponents) > 1 else str(self._numbers[cell.opponents[0]])

    def _mark(self, cell: Cell) -> str:
        """What came of it, in a letter or two."""
        if not cell.opponents:
            return halves(cell.points) if cell.points else "–" if cell.bye else ""
        if cell.pending:
            return "·"
        if cell.how is How.FORFEIT:
            return "+" if cell.points else "–"
        return halves(cell.points) + ("*" if cell.how is How.ADJUDICATED else "")

    # ---------------------------------------------------------------- words

    def words(self) -> tuple[str, ...]:
        """The rows in words, the best first."""
        return tuple(map(self._line, self._lines))

    def _line(self, line: Line) -> str:
        say, cells = self.screens.say, self._cells[line.entrant]
        told = [one for one in map(self._cell_text, cells) if one]
        name = f"{self._numbers[line.entrant]}. {self.screens.name(line.entrant)}"
        if self._form is not TournamentFormat.KNOCKOUT:
            name = f"{name}, {self.screens.merit(line)}"
        return say("tournament.cross.line", name=name, cells=", ".join(told)) if told else name

    def _cell_text(self, cell: Cell) -> str:
        say = self.screens.say
        if not cell.opponents:
            # A round robin has no column for a round in which one meets nobody.
            bye = cell.bye and self._form is not TournamentFormat.ROBIN
            return say(f"tournament.cross.{'half' if cell.points else 'bye'}") if bye else ""
        who = self._against(cell)
        if cell.pending:
            return say("tournament.cross.plays", who=who) if who else say("tournament.cross.open")
        result = halves(cell.points)
        told = say("tournament.cross.met", result=result, who=who) if who else result
        mark = MARKS.get(cell.how)
        return f"{told} {say(f'tournament.mark.{mark}')}" if mark else told

    # ---------------------------------------------------------------- the screen

    def page(self, page: int) -> Screen:
        """The crosstable for one reader, from the row ``page * SHOWN`` on."""
        screens = self.screens
        words = screens.button("house.button.words", "cross", WORDS)
        looks = [words, screens.button("tournament.button.table", "table")]
        rows = [looks, screens.pages("cross", page)]
        legend = [] if self._form is TournamentFormat.TABLES else [self._legend()]
        screen = screens.page(screens.title(), legend, rows)
        first = page * SHOWN
        return replace(screen, alt="\n".join(self.words()[first : first + SHOWN]))

    def _legend(self) -> str:
        say, robin = self.screens.say, self._form is TournamentFormat.ROBIN
        what = phrase("tournament.cross.all" if robin else "tournament.cross.rounds")
        return say("tournament.cross.legend", what=what)
