"""How two computers end a game that need not be played to its end, as each would at a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from bot.session.computer_resignation_and_draws import (
    is_dull,
    is_hopeless,
    is_lost,
    learns,
    lost_for,
    may_offer,
    takes_draw,
)
from games.core import Game, Seat
from tests.tools.arena.players import Level, Moment, Player


@dataclass
class Manners:
    """What those *seated* have thought of their moves in one *game* so far.

    Only levels of this release have manners: nobody agrees to a draw with anybody else.
    """

    game: Game
    seated: Sequence[Player]
    _values: tuple[list[float], list[float]] = field(default_factory=lambda: ([], []))
    _offered: int | None = None

    def note(self, seat: Seat, value: float | None) -> None:
        """Note that *seat*, about to move, takes its move for worth *value*."""
        if isinstance(self.seated[seat], Level) and value is not None:
            self._values[seat].append(value)

    def gives_up(self, seat: Seat) -> bool:
        """Whether *seat* gives the game up instead of moving, if the highest level agrees."""
        who = self.seated[seat]
        if not isinstance(who, Level) or learns(self.game, who.level):
            return False
        return is_lost(self._values[seat], lost_for(self.game, who.level))

    def confirmed(self, moment: Moment) -> bool:
        """Whether the highest level takes the game for lost that somebody would give up."""
        who = self.seated[moment.seat]
        if not isinstance(who, Level) or who.level == self.game.computer.levels:
            return True
        value = replace(who, level=self.game.computer.levels).move(moment).value
        lost = value is not None and is_hopeless(value)
        if not lost:
            self._values[moment.seat].clear()
        return lost

    def agree(self, seat: Seat, plies: int) -> bool:
        """Whether *seat* offered a draw with its move, after so many *plies*, and has got it."""
        mine, other = self._values[seat], self._values[1 - seat]
        ready = (
            self.game.rules.draw_by_agreement and may_offer(self._offered, plies) and bool(other)
        )
        if not ready or not is_dull(mine, plies):
            return False
        self._offered = plies
        return takes_draw(other[-1], plies)
