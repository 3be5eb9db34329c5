"""What a move gives away against another one, in the opinion of the computer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from games.core.game import Budget, Game
from games.core.position import CHANCE, Position, Seat

Share = Callable[[], Budget]
"""A budget of one half of the whole, from now on."""


@dataclass(frozen=True)
class Comparing:
    """A computer of the highest level that looks at moves of *seat* in *position* of *game*.

    *below* draws the computer's lots, a number below the one given.
    """

    game: Game
    position: Position[Any]
    seat: Seat
    share: Share
    below: Callable[[int], int]

    def lost(self, move: Any, best: Any) -> float | None:
        """What *move* gives away against *best*, from 0 to 2; ``None`` where nobody can tell."""
        if move == best:
            return 0.0
        if self.game.weigh is not None:
            values = dict(self.game.weigh(self.position, self.seat, self.share()))
            if move not in values or best not in values:
                return None
            return max(0.0, values[best] - values[move])
        better, other = self._value(best), self._value(move)
        return None if better is None or other is None else max(0.0, better - other)

    def _value(self, move: Any) -> float | None:
        """The value for the seat after *move*, from -1 to 1."""
        after, budget = self.position.after(move), self.share()
        end = after.outcome()
        if end is not None:
            return 0.0 if end.winner is None else 1.0 if end.winner == self.seat else -1.0
        if len(after.actors()) != 1 or CHANCE in after.actors():
            return None
        (mover,) = after.actors()
        choice = self.game.choose(after.seen_by(mover), mover, self.game.levels, budget, self.below)
        return choice.value if mover == self.seat else -choice.value
