"""How a computer takes a game: when it gives up, agrees to a draw, or offers one."""

from __future__ import annotations

from dataclasses import dataclass, field

from bot.table.table import Table
from games.core import Seat

HOPELESS = -0.95
"""From which value down a computer takes a game for lost."""

LOST_FOR = 3
"""For how many of its moves in a row it has to be lost before it gives up."""

LEARNERS = 3
"""The first of so many parts of a game's levels play on: who learns wants to win, not be given."""

EVEN = 0.05
"""Up to which value a game is even."""

EVEN_FOR = 8
"""For how many of its moves in a row a game has to be even before it offers a draw."""

EARLY = 20
"""Before so many moves of both nobody speaks of a draw."""


@dataclass
class Temper:
    """What the computers at each table have thought of their own moves of late.

    Nothing of it is stored: after a restart they think a while before they speak again.
    """

    _values: dict[tuple[str, Seat], tuple[tuple[int, float], ...]] = field(default_factory=dict)
    """By table and seat, how long the log was and what the move was worth."""
    _offered: set[str] = field(default_factory=set)
    """The tables at which a computer has offered a draw: once a game is enough."""

    def note(self, table: Table, seat: Seat, value: float) -> None:
        """Note that *seat*, about to move, takes its move for worth *value*, from -1 to 1."""
        length = len(table.log)
        kept = [one for one in self._values.get((table.code, seat), ()) if one[0] < length]
        self._values[table.code, seat] = (*kept[1 - EVEN_FOR :], (length, value))

    def gives_up(self, table: Table, seat: Seat) -> bool:
        """Whether *seat* has been lost for so long that it gives the game up."""
        last = self._last(table, seat, LOST_FOR)
        level = table.players[seat].level or 1
        learns = level * LEARNERS <= table.game.levels
        ready = table.game.gives_up and len(table.players) == 2 and not learns
        return ready and len(last) == LOST_FOR and max(last) <= HOPELESS

    def offers_draw(self, table: Table, seat: Seat) -> bool:
        """Whether *seat* offers a draw with its move: once, where nothing has happened for long."""
        last = self._last(table, seat, EVEN_FOR)
        even = len(last) == EVEN_FOR and max(map(abs, last)) <= EVEN
        offers = table.game.draw_by_agreement and even and table.code not in self._offered
        if offers:
            self._offered.add(table.code)
        return offers

    def agrees(self, table: Table) -> bool:
        """Whether the computer at *table* takes the draw that is offered to it."""
        seats = [n for n, player in enumerate(table.players) if player.level is not None]
        last = [value for seat in seats for value in self._last(table, seat, 1)]
        return len(table.log) >= EARLY and bool(last) and max(last) <= EVEN

    def forget(self, code: str) -> None:
        """Forget the table *code*, whose game is over."""
        self._offered.discard(code)
        for key in [key for key in self._values if key[0] == code]:
            del self._values[key]

    def _last(self, table: Table, seat: Seat, count: int) -> tuple[float, ...]:
        """The last *count* values that *seat* has noted, at most."""
        return tuple(value for _, value in self._values.get((table.code, seat), ())[-count:])
