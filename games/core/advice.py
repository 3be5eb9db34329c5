"""What the computer thinks of a game: a hint, chances, the worth of decisions and of a move."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from games.core.computer import Below, Budget, ChosenMove, Curve, Odds
from games.core.game import Game
from games.core.move_parsing import read_entry
from games.core.position import CHANCE, Position, Seat
from games.core.record import Entry

Share = Callable[[int], Budget]
"""A budget of one *n*-th of the whole, from now on: one for every decision, one for the end."""


@dataclass(frozen=True)
class Weighed:
    """What entry *number* of the log was worth to its *seat*, from -1 to 1.

    *before* is the value of *best*, in notation, *after* that of the move played. *exact* says that
    both are proved. *line* is what is expected to follow *best*, *allowed* what the move played
    has let the other side do.
    """

    number: int
    seat: Seat
    before: float
    after: float
    best: str
    exact: bool = False
    line: tuple[str, ...] = ()
    allowed: tuple[str, ...] = ()

    @property
    def lost(self) -> float:
        """What the move lost, from 0 to 2."""
        return max(0.0, self.before - self.after)

    def with_curve(self, curve: Curve) -> Weighed:
        """The same among players whose chances come true by *curve*; what is proved stays."""
        before, after = curve.value(self.before), curve.value(self.after)
        return self if self.exact else replace(self, before=before, after=after)


Review: TypeAlias = Sequence[Weighed]
"""What a review has found: the worth of decisions."""


@dataclass(frozen=True)
class GameDecision:
    """A choice of a player: *move* as entry *number* of a log, in the *position* that they saw."""

    number: int
    seat: Seat
    position: Position[Any]
    move: Any


def hint(
    game: Game, position: Position[Any], seat: Seat, budget: Budget, below: Below
) -> ChosenMove:
    """The best move of *seat* that the computer knows."""
    advise = game.computer.advise
    known = None if advise is None else advise(position, seat, budget)
    return known or game.computer.best(position, seat, budget, below)


def chances(game: Game, position: Position[Any], budget: Budget, below: Below, level: int) -> Odds:
    """The odds among players of *level*, or as the computer sees them."""
    if game.computer.odds is not None:
        return game.computer.odds(position, budget, below, level)
    (seat,) = position.actors()
    mine = (1 + game.computer.best(position, seat, budget, below).value) / 2
    return ((mine, 1 - mine) if seat == 0 else (1 - mine, mine)), 0


def weighing(
    game: Game, start: Position[Any], log: Iterable[Entry], share: Share, below: Below
) -> Iterator[Weighed]:
    """The worth of every decision of the game in order.

    Each is told as soon as the decision after it has been looked at.
    """
    decisions, last = list_decisions(game, start, log)
    parts = len(decisions) + 1
    if game.computer.weigh is not None:
        yield from (_by_weighing(game, one, share(parts)) for one in decisions)
        return
    choices = (game.computer.best(one.position, one.seat, share(parts), below) for one in decisions)
    following = next(choices, None)
    for number, one in enumerate(decisions):
        choice, following = following, next(choices, None)
        assert choice is not None  # noqa: S101 - each decision has its choice
        allowed: tuple[str, ...] = ()
        if choice.move == one.move:
            after, exact = choice.value, choice.exact
        elif following is not None:
            then, other = decisions[number + 1], following
            after = other.value if then.seat == one.seat else -other.value
            exact = choice.exact and other.exact
            # Only where the other side has its choice at once after that of *one*.
            allowed = other.line if then.seat != one.seat and then.number == one.number + 1 else ()
        else:
            after = _worth(game, last, one.seat, share(parts), below) or 0.0
            exact = choice.exact and last.outcome() is not None
        best = game.notation.written(one.position, choice.move)
        told = (choice.value, after, best, exact, choice.line[1:], allowed)
        yield Weighed(one.number, one.seat, *told)


def list_decisions(
    game: Game, start: Position[Any], log: Iterable[Entry]
) -> tuple[list[GameDecision], Position[Any]]:
    """The choices of the players of *log*, and the last position."""
    position, found = start, []
    for number, entry in enumerate(log):
        move = read_entry(game, position, entry)
        if position.actors() == {entry.seat} and entry.seat != CHANCE and not entry.aside:
            seen = position.seen_by(entry.seat)
            if len(seen.legal_moves(entry.seat)) > 1:
                found.append(GameDecision(number, entry.seat, seen, move))
        position = position.after(move)
    return found, position


def _by_weighing(game: Game, one: GameDecision, budget: Budget) -> Weighed:
    assert game.computer.weigh is not None  # noqa: S101 - the caller has looked
    values = dict(game.computer.weigh(one.position, one.seat, budget))
    best = max(values, key=lambda move: values[move])
    after = values.get(one.move, values[best])
    written = game.notation.written(one.position, best)
    return Weighed(one.number, one.seat, values[best], after, written)


def _worth(
    game: Game, position: Position[Any], seat: Seat, budget: Budget, below: Below
) -> float | None:
    """The value of *position* for *seat*, from -1 to 1; ``None`` where nobody can tell."""
    end = position.outcome()
    if end is not None:
        return end.worth(seat)
    if len(position.actors()) != 1 or CHANCE in position.actors():
        return None
    # In the last position of a game a player resigned or ran out of time.
    (mover,) = position.actors()
    value = game.computer.best(position.seen_by(mover), mover, budget, below).value
    return value if mover == seat else -value


HalfBudget = Callable[[], Budget]
"""A budget of one half of the whole, from now on."""


@dataclass(frozen=True)
class Comparing:
    """A computer of the highest level that looks at moves of *seat* in *position* of *game*.

    *below* draws the computer's lots, a number below the one given.
    """

    game: Game
    position: Position[Any]
    seat: Seat
    share: HalfBudget
    below: Below

    def lost(self, move: Any, best: Any) -> float | None:
        """What *move* gives away against *best*, from 0 to 2; ``None`` where nobody can tell."""
        if move == best:
            return 0.0
        if self.game.computer.weigh is not None:
            values = dict(self.game.computer.weigh(self.position, self.seat, self.share()))
            if move not in values or best not in values:
                return None
            return max(0.0, values[best] - values[move])
        better, other = self._value(best), self._value(move)
        return None if better is None or other is None else max(0.0, better - other)

    def _value(self, move: Any) -> float | None:
        """The value for the seat after *move*."""
        return _worth(self.game, self.position.after(move), self.seat, self.share(), self.below)
