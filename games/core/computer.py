"""The computer players of a game: how they choose, how long they think, what they pose."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, Protocol, TypeAlias

from games.core.position import Position, Seat

Below: TypeAlias = Callable[[int], int]
"""``below(n)`` draws from 0 … n-1."""


class Budget(Protocol):
    """How long a computer player may think; games have no clock of their own."""

    def is_spent(self) -> bool:
        """Whether to answer now with the best move so far."""


@dataclass(frozen=True)
class ChosenMove:
    """The move of a computer player and its opinion.

    *value* is from -1 (lost) to 1 (won) for the seat that moves; *line* is the expected play in
    notation, its own move first. *exact* says that *value* is proved.
    """

    move: Any
    value: float
    line: tuple[str, ...] = ()
    exact: bool = False


ANY: Final = "*"
"""Stands for every legal move."""

MOST_ANSWERS: Final = 63
"""How many right moves may have a reply: their numbers travel in buttons."""

DEEPEST: Final = 5
"""How many own moves a lesson takes at most, for the same reason."""


@dataclass(frozen=True)
class LessonReply:
    """What the other side plays after a right move, and the *answers* that are right then."""

    text: str
    """"" where the same side goes on."""
    answers: Answers


Answers: TypeAlias = Mapping[str, LessonReply | None]
"""The right moves in notation, each with the reply to it; ``None`` where the lesson ends."""


@dataclass(frozen=True)
class PosedProblem:
    """What a position asks for by its *theme*, proved: all *answers*, in *depth* own moves."""

    theme: str
    answers: Answers
    depth: int = 1
    proof: str = ""
    """Where luck proves it, what came of it: the same luck proves it again with the same words."""


Chooser = Callable[[Any, Seat, int, Budget, Below], ChosenMove]
"""``choose(position, seat, level, budget, below)``; ``below(n)`` draws from 0 … n-1."""

Advisor = Callable[[Any, Seat, Budget], ChosenMove | None]
"""``advise(position, seat, budget)`` is the best move of *seat*, or ``None`` where it is unsure."""

Weigher = Callable[[Any, Seat, Budget], Sequence[tuple[Any, float]]]
"""``weigh(position, seat, budget)`` gives every move of *seat* its value, from -1 to 1."""

Glance = Callable[[Any, Seat], float]
"""``glance(position, seat)``: the worth to *seat*, whose turn or not, in the game's measure."""

Odds = tuple[tuple[float, ...], int]
"""The chances by seat, and from how many games played out; 0 where they are an opinion."""

Bookmaker = Callable[[Any, Budget, Below, int], Odds]
"""``odds(position, budget, below, level)``: the odds among players of *level*."""

Poser = Callable[[Any, Seat, Budget, Below], PosedProblem | None]
"""``pose(position, seat, budget, below)`` is the problem that *seat* has to solve, proved.

``None`` where the position asks for nothing in particular, or the budget ends before the proof.
"""


SURE: Final = 0.99
"""What is said to be surer than this counts as this much when a curve is fitted."""

INFORMATION: Final = 0.3
"""How much one chance and its outcome tell of a curve's steepness, about: its squared log odds."""

MOST_GAMES: Final = 1_000
"""Of so many games a curve is made; after them the oldest count less and less."""


@dataclass(frozen=True)
class Curve:
    """How chances come true among players of one strength, fitted to so many *games* of theirs.

    The log odds that the computer says are taken *steepness* times; whoever is lost for certain
    wins a share of *overlooked*.

    >>> Curve(overlooked=0.25).chance(1.0)
    0.75
    """

    steepness: float = 1.0
    overlooked: float = 0.0
    games: int = 0
    level: int = 1
    """The strength of those players."""

    def chance(self, said: float) -> float:
        """What of games is won of which the computer *said* so, from 0 to 1."""
        won, lost = math.pow(said, self.steepness), math.pow(1 - said, self.steepness)
        return self.overlooked + (1 - 2 * self.overlooked) * won / (won + lost)

    def value(self, said: float) -> float:
        """The same from -1 to 1."""
        return 2 * self.chance((1 + said) / 2) - 1

    def after_game(self, said: float, won: float) -> Curve:
        """The curve fitted to one more game, of which *said* was said, and which was *won*."""
        odds = math.log(min(max(said, 1 - SURE), SURE) / min(max(1 - said, 1 - SURE), SURE))
        learnt = odds * (won - self.chance(said)) / (INFORMATION * min(self.games + 1, MOST_GAMES))
        return replace(self, steepness=max(self.steepness + learnt, 0.1), games=self.games + 1)


PLAYOUTS = 20
"""How often level 1 plays out each move; each further level does so eight times as often."""

LONGEST_PLAYOUT = 200
"""After so many moves a game that is played out counts as drawn."""


def play_out(
    position: Position[Any], seat: Seat, level: int, budget: Budget, below: Below
) -> ChosenMove:
    """The move of *seat* after which it wins most of the games that end at random.

    It knows the rules alone, so it plays any game whose seats see everything.

    >>> from random import Random
    >>> from games.niya import GAME
    >>> class Patience:
    ...     def is_spent(self):
    ...         return False
    >>> text = "R,M2,R,V4/A,O4,O1,M4/R,M3,A,L2/L4,O2,M1,L1 A V2"
    >>> row = GAME.notation.read(text, GAME.chosen({}))
    >>> GAME.notation.written(row, play_out(row, 1, 1, Patience(), Random(1).randrange).move)
    'M2'
    """
    moves = position.legal_moves(seat)
    ends: list[list[float]] = [[] for _ in moves]
    for game in range(PLAYOUTS * 8 ** (level - 1) * len(moves)):
        if game and budget.is_spent():
            break
        tried = game % len(moves)
        ends[tried].append(_random_end(position.after(moves[tried]), seat, below))
    value, best = max((sum(found) / len(found), -n) for n, found in enumerate(ends) if found)
    return ChosenMove(moves[-best], value)


def _random_end(position: Position[Any], seat: Seat, below: Below) -> float:
    """What a game that goes on at random from *position* is worth to *seat* in the end."""
    for _ in range(LONGEST_PLAYOUT):
        if (outcome := position.outcome()) is not None:
            return outcome.worth(seat)
        moves = position.legal_moves(min(position.actors()))
        position = position.after(moves[below(len(moves))])
    return 0.0


@dataclass(frozen=True)
class Computer:
    """The computer players of a game, and what else a computer says of its positions.

    *choose* plays at *levels*, from 1. Where a game brings none, ``play_out`` does.
    """

    choose: Chooser = play_out
    levels: int = 3
    advise: Advisor | None = None
    """Knows better than the best level, for hints."""
    weigh: Weigher | None = None
    """Compares the moves of a game of chance."""
    glance: Glance | None = None
    """The worth of a position at first sight, by which levels are measured."""
    odds: Bookmaker | None = None
    """Estimates the chances in a game of chance."""
    pose: Poser | None = None
    """Finds problems in positions, for puzzles."""
    motifs: Mapping[str, str] = field(default_factory=dict)
    """What there is to learn in a problem, each with the pattern of it (``school.motifs``).

    The plainest comes first: newcomers begin with it.
    """

    def best(self, position: Any, seat: Seat, budget: Budget, below: Below) -> ChosenMove:
        """What the highest level plays."""
        return self.choose(position, seat, self.levels, budget, below)
