"""The computer player: alpha-beta over routes, threats, flats and captives.

The judgement counts what decides games of this family: how many sati each fleet still needs
for a londë, how many different sati would complete it, lying ciryar on top, and what the
own tops hold beneath them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple

from games.cirya.board import EMPTY, Board, Shape
from games.cirya.moves import Kind, Move, Place, Ply, Said, Shift
from games.cirya.rules import Cirya, completing, one_move_away
from games.core import Budget, Choice, Seat
from games.core.search import WIN, AlphaBeta, Spent

LEVELS = 3


@dataclass(frozen=True)
class Level:
    """How one level plays: *depth* in plies, at most *nodes* positions.

    *slips*: out of twelve, how often it looks no further than its nose; *watches*: whether
    it never leaves a londë in one to the opponent where that can be helped.
    """

    depth: int
    nodes: int
    slips: int
    watches: bool


HOW = {
    1: Level(depth=1, nodes=2_000, slips=4, watches=False),
    2: Level(depth=2, nodes=12_000, slips=0, watches=True),
    3: Level(depth=3, nodes=40_000, slips=0, watches=True),
}

# What things are worth, in hundredths of a lying cirya on top.
FLAT = 100
STANDING = 40
HIGH = 70
OWN_BENEATH = (28, 36, 44)
CAPTIVE = (-8, 16, 24)
"""By top: lying cirya, tampa, hallacirya. Under a lying cirya captives come free again."""
MISSING = (0, 320, 130, 55, 20, 0, 0, 0, 0)
"""By the number of sati that a londë still lacks."""
DOUBLE = 260
"""Two or more sati that would complete a londë: one ply cannot stop them all."""
TURN = 900
"""To be on move with a londë in one."""
CENTRE = 6
BLOCKED = 9


class Way(NamedTuple):
    """The shortest londë a fleet may hope for: the sati it lacks, and those that complete it."""

    missing: int
    last: int


@lru_cache(maxsize=1 << 17)
def shortest(of: Shape, route: int, open_sati: int) -> Way:
    """The shortest way from shore to shore over *route* and *open_sati*."""
    best = Way(BLOCKED, 0)
    for start, goal in ((of.north, of.south), (of.west, of.east)):
        way = _across(of, route, open_sati, start, goal)
        if way.missing < best.missing:
            best = way
        elif way.missing == best.missing == 1:
            best = Way(1, best.last | way.last)
    return best


def _across(of: Shape, route: int, open_sati: int, start: int, goal: int) -> Way:
    reached = of.flood(route & start, route)
    missing, touching = 0, start
    while not reached & goal:
        touching = (of.beside(reached) | start) & open_sati & ~reached
        if not touching:
            return Way(BLOCKED, 0)
        reached |= touching
        reached = of.flood(reached, route | touching & reached)
        missing += 1
    if missing != 1:
        return Way(missing, 0)
    near = of.flood(route & start, route)
    far = of.flood(route & goal, route)
    return Way(1, open_sati & (of.beside(near) | start) & (of.beside(far) | goal))


@lru_cache(maxsize=8)
def _centre(of: Shape) -> tuple[int, ...]:
    """Nested boards: each is one ring smaller than the one before."""
    rings = [of.full]
    while rings[-1]:
        shore = of.north | of.south | of.west | of.east
        inner = rings[-1] & ~of.beside(of.full & ~rings[-1]) if len(rings) > 1 else 0
        rings.append(of.full & ~shore if len(rings) == 1 else inner)
    return tuple(rings[1:-1])


def evaluate(position: Cirya, seat: Seat) -> float:
    """How well *seat* stands, in hundredths of a lying cirya."""
    board = position.board
    mine, theirs = _worth(board, seat), _worth(board, 1 - seat)
    return mine - theirs


def _worth(board: Board, seat: Seat) -> float:
    of = board.shape
    held, route = board.held(seat), board.route(seat)
    flats = board.flats(seat)
    left = min(*(board.ciryar[s] + board.hallaciryar[s] for s in (0, 1)), board.empty.bit_count())
    # Near a quildëar only the lying tops count (C16).
    total = flats * (FLAT + (60 - 10 * left if left < 6 else 0))
    total += (held & board.tampar).bit_count() * STANDING
    total += (held & board.high).bit_count() * HIGH
    total += sum((route & ring).bit_count() for ring in _centre(of)) * CENTRE
    total += _beneath(board, seat, held)
    way = shortest(of, route, board.empty)
    total += MISSING[min(way.missing, 8)]
    if way.missing == 1:
        total += DOUBLE if way.last.bit_count() > 1 else 0
        total += TURN if board.mover == seat else 0
    return total


def _beneath(board: Board, seat: Seat, held: int) -> int:
    """What lies under the tops of *seat*."""
    total = 0
    while held:
        bit = held & -held
        held ^= bit
        nosse = board.nosse[bit.bit_length() - 1]
        under = nosse >> 1
        if under == EMPTY:
            continue
        top = 1 if board.tampar & bit else 2 if board.high & bit else 0
        height = under.bit_length() - 1
        eagles = (under ^ 1 << height).bit_count()
        own = eagles if seat else height - eagles
        total += own * OWN_BENEATH[top] + (height - own) * CAPTIVE[top]
    return total


def ordered(position: Cirya, seat: Seat, moves: Sequence[Ply]) -> Sequence[Ply]:
    """*moves* with the promising ones first: routes completed or stopped, then captures."""
    board = position.board
    of, empty = board.shape, board.empty
    mine = shortest(of, board.route(seat), empty)
    theirs = shortest(of, board.route(1 - seat), empty)
    enemy = board.held(1 - seat) & ~(board.tampar | board.high)
    near = of.beside(board.held(seat))

    def promise(ply: Ply) -> int:
        bit = 1 << ply.sat
        if isinstance(ply, Place):
            if bit & mine.last and ply.kind is not Kind.TAMPA:
                return -1000
            if bit & theirs.last:
                return -500
            lying = 30 if ply.kind is not Kind.TAMPA else 0
            return -(lying + (15 if near & bit else 0))
        ray = of.rays[ply.way][ply.sat]
        taken = sum(1 for there in ray[: len(ply.drops)] if enemy >> there & 1)
        return -(40 * taken - 5 * sum(ply.drops) + 10)

    return sorted(moves, key=promise)


def choose(
    position: Cirya, seat: Seat, level: int, budget: Budget, below: Callable[[int], int]
) -> Choice:
    """The computer's ply, with its announcement where Aracirya asks for it (C20)."""
    how = HOW[min(max(level, 1), LEVELS)]
    if position.swapping:
        return _opening(position, below)
    winning = next(completing(position.board, seat), None)
    if winning is not None:
        return Choice(winning, 1.0, (position.notation(winning),), exact=True)
    candidates = _watched(position, seat) if how.watches else None
    search = AlphaBeta(evaluate, _Order(position, candidates), Spent(budget, how.nodes))
    ranked = search.ranked(position, seat, how.depth)
    best = ranked[0][0]
    if how.slips and below(12) < how.slips:
        good = [one for one in ranked[:8] if one[0] > best - 250]
    else:
        good = [one for one in ranked if one[0] >= best - (25 if how.slips else 0)][:6]
    value, move, line = good[below(len(good))] if how.slips else ranked[0]
    return Choice(
        _announced(position, move, seat),
        _opinion(value),
        _written(position, line),
        exact=abs(value) > WIN / 2,
    )


@dataclass(frozen=True)
class _Order:
    """The order of the moves; at the root only *candidates*, where there are any."""

    root: Cirya
    candidates: Sequence[Move] | None

    def __call__(self, position: Cirya, seat: Seat, moves: Sequence[Move]) -> Sequence[Move]:
        if position is self.root and self.candidates:
            moves = self.candidates
        return ordered(position, seat, [m for m in moves if isinstance(m, (Place, Shift))])


def _watched(position: Cirya, seat: Seat) -> Sequence[Move]:
    """The plies that leave the opponent no londë in one; () where there is none such."""
    return [
        move
        for move in position.legal_moves(seat)
        if (following := position.after(move)).end is None
        and not one_move_away(following.board, 1 - seat)
    ]


def _opening(position: Cirya, below: Callable[[int], int]) -> Choice:
    """C5: the other's first cirya goes to a corner, away from one that stands there."""
    size = position.board.shape.size
    corners = (0, size - 1, size * (size - 1), size * size - 1)
    free = [sat for sat in corners if position.board.empty >> sat & 1]
    move = Place(free[below(len(free))], Kind.CIRYA)
    return Choice(move, 0.0, (position.notation(move),))


def _announced(position: Cirya, move: Ply, seat: Seat) -> Ply:
    following = position.after(move)
    if position.customs.courtly and not following.end and one_move_away(following.board, seat):
        return replace(move, said=Said.LONDE)
    return move


def _opinion(value: float) -> float:
    """*value* of the search as an opinion from -1 to 1."""
    if abs(value) > WIN / 2:
        return 1.0 if value > 0 else -1.0
    return max(-0.99, min(0.99, value / 1500))


def _written(position: Cirya, line: Sequence[Move]) -> tuple[str, ...]:
    told = []
    for move in line:
        told.append(position.notation(move))
        position = position.after(move)
    return tuple(told)
