"""The search of games of two without chance: alpha-beta with a table, deepened ply by ply.

A game describes its boards by a ``GameTree`` and sets its ``Devices`` as matches between computers
have shown. Values are whole numbers for the side to move, in the game's own measure, well inside
±``WIN``.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from math import copysign, tanh
from typing import Any, Final, Generic

from games.core.computer import Below, Budget
from games.core.position import Position
from games.core.search_types import DEEPEST, B, Devices, Found, GameTree, M, Strength

WIN: Final = 1_000_000
"""The value of a won board, less one for each ply it takes."""

PROVED: Final = WIN // 2
"""Values beyond this are wins or losses that were read to the end."""

BOUND: Final = 2 * WIN
"""Beyond every value."""

FIRST: Final = 30_000
"""The most boards of the first round, where exchanges know no end."""

_EXACT: Final = 0
_AT_LEAST: Final = 1
_AT_MOST: Final = 2


class NodeBudget:
    """A budget of *nodes* positions within the *outer* budget."""

    def __init__(self, outer: Budget, nodes: int) -> None:
        self.outer = outer
        self.left = nodes

    def is_spent(self) -> bool:
        """Whether the nodes or the outer budget are used up."""
        self.left -= 1
        return self.left < 0 or self.outer.is_spent()


class OutOfBudget(Exception):
    """The budget ends in the middle of a search or of a proof."""


class Search(Generic[B, M]):
    """One thought on the boards of *tree*.

    *past* are the keys of boards to which the game must not return; *below* draws the moves to
    overlook. A draw is worth -*contempt* to the side that thinks.
    """

    # No dataclass: those of two kinds of boards and moves cannot be compiled.
    def __init__(
        self,
        tree: GameTree[B, M],
        devices: Devices,
        strength: Strength,
        budget: Budget,
        below: Below,
        past: Collection[Hashable] = (),
        contempt: int = 0,
    ) -> None:
        self.tree = tree
        self.devices = devices
        self.strength = strength
        self.budget = budget
        self.below = below
        self.past = past
        self.contempt = contempt
        self.known: dict[Hashable, tuple[int, int, int, M | None]] = {}
        """By key: the depth searched to, the kind of bound, the value, the best move."""
        self._path: set[Hashable] = set(past)
        self._praise: dict[Hashable, int] = {}
        self._unseen: dict[M, bool] = {}
        self._limit = NodeBudget(EndlessBudget(), FIRST)

    def think(
        self, board: B, moves: Sequence[M], decided: Mapping[M, int] | None = None
    ) -> Found[M]:
        """Search *moves* deeper and deeper until strength or budget end.

        *decided* are the values of moves that end the game. The first round ignores the budget, so
        that no move is played unseen.
        """
        decided = decided or {}
        ranked = [(0, move) for move in self._order(board, moves)]
        ranked, _ = self._round(board, ranked, 1, decided)
        self._limit = NodeBudget(self.budget, self.strength.nodes)
        plies = 1
        while plies < self.strength.plies and len(ranked) > 1 and abs(ranked[0][0]) < PROVED:
            ranked, whole = self._round(board, ranked, plies + 1, decided)
            if not whole:
                break
            plies += 1
        return Found(tuple(ranked), self._line(board, ranked[0][1], plies), plies)

    def _round(
        self, board: B, ranked: list[tuple[int, M]], plies: int, decided: Mapping[M, int]
    ) -> tuple[list[tuple[int, M]], bool]:
        """*ranked* searched to *plies*, best first, and whether the budget was enough.

        Moves that were not reached keep their order behind the others.
        """
        done: list[tuple[int, M]] = []
        best, slack = -BOUND, self.strength.slack
        self._path.add(here := self.tree.key(board))
        try:
            for _, move in ranked:
                value = decided.get(move)
                if value is None:
                    value = self._first(self.tree.after(board, move), plies, best - slack)
                best = max(best, value)
                done.append((value, move))
        except OutOfBudget:
            pass
        if here not in self.past:
            self._path.discard(here)
        if not done:
            return ranked, False
        left = ranked[len(done) :]
        # A move that was not reached may be no better than those that were.
        behind = [(min(value, best - slack - 1), move) for value, move in left]
        return sorted(done, key=lambda one: -one[0]) + behind, not left

    def _first(self, board: B, plies: int, floor: int) -> int:
        """What the root's move to *board* is worth, right above *floor*."""
        if floor > -WIN:
            value = -self.value(board, plies - 1, -floor - 1, -floor, 1)
            if value <= floor:
                return value
        return -self.value(board, plies - 1, -BOUND, -max(floor, -BOUND), 1)

    def _line(self, board: B, move: M, plies: int) -> tuple[M, ...]:
        line = [move]
        board = self.tree.after(board, move)
        while len(line) < plies and self.tree.ended(board) is None:
            found = self.known.get(self.tree.key(board))
            if found is None or found[3] is None:
                break
            line.append(found[3])
            board = self.tree.after(board, found[3])
        return tuple(line)

    def value(
        self, board: B, depth: int, alpha: int, beta: int, ply: int, may_pass: bool = True
    ) -> int:
        """The value of *board* for the mover, right between *alpha* and *beta*.

        *ply* counts from the root. Raises ``OutOfBudget``.
        """
        if self._limit.is_spent():
            raise OutOfBudget
        tree, devices = self.tree, self.devices
        ended = tree.ended(board)
        if ended is not None:
            return self._end(ended, ply)
        key = tree.key(board)
        if key in self._path:
            return self._end(0, ply)
        pressed = tree.is_pressed(board)
        if pressed and ply <= devices.deepened:
            depth += 1
        if depth <= 0 or ply >= DEEPEST:
            return self._settle(board, alpha, beta, ply, pressed)
        hint = None
        known = self.known.get(key)
        if known is not None:
            deep, bound, value, hint = known
            if deep >= depth:
                value = _away(value, -ply)
                if bound == _EXACT or (value >= beta if bound == _AT_LEAST else value <= alpha):
                    return value
        if may_pass and not pressed and depth > 1 and self._passes(board, depth, beta, ply):
            return beta
        self._path.add(key)
        try:
            return self._best(board, key, depth, alpha, beta, ply, pressed, hint)
        finally:
            self._path.discard(key)

    def _passes(self, board: B, depth: int, beta: int, ply: int) -> bool:
        """Whether the mover may even pass and still reach *beta*."""
        tree, less = self.tree, self.devices.null_move
        if not less or abs(beta) >= PROVED or tree.worth(board) < beta:
            return False
        then = tree.passed(board)
        value = -self.value(then, depth - 1 - less, -beta, -beta + 1, ply + 1, may_pass=False)
        return value >= beta

    def _best(
        self,
        board: B,
        key: Hashable,
        depth: int,
        alpha: int,
        beta: int,
        ply: int,
        pressed: bool,
        hint: M | None,
    ) -> int:
        tree, devices, floor = self.tree, self.devices, alpha
        best, chosen, number = -BOUND, None, 0
        if hint is not None:
            # The best move of before is tried before any other move is even made.
            best = self._after(tree.after(board, hint), depth - 1, alpha, beta, ply, 0, False)
            chosen, number = hint, 1
            alpha = max(alpha, best)
        if alpha < beta:
            moves = tree.moves(board)
            if not moves:
                return self._end(tree.stuck(board), ply)
            margin = devices.margin
            hopeless = margin and depth == 1 and not pressed and tree.worth(board) + margin <= alpha
            reducing = devices.late and depth > 2 and not pressed
            blind = self.strength.blind
            for move in self._order(board, moves):
                if move == hint or (blind and self._overlooks(board, move)):
                    continue
                late = False
                if number and (hopeless or (reducing and number >= devices.late)):
                    late = tree.quiet(board, move)
                    if late and hopeless:
                        continue
                then = tree.after(board, move)
                value = self._after(then, depth - 1, alpha, beta, ply, number, late)
                number += 1
                if value > best:
                    best, chosen = value, move
                    if value > alpha:
                        alpha = value
                        if alpha >= beta:
                            break
        if not number:
            return tree.worth(board)
        if best >= beta and chosen is not None and tree.quiet(board, chosen):
            self._remember_refutation(board, chosen, depth)
        bound = _AT_MOST if best <= floor else _AT_LEAST if best >= beta else _EXACT
        self.known[key] = depth, bound, _away(best, ply), chosen
        return best

    def _after(
        self, then: B, depth: int, alpha: int, beta: int, ply: int, number: int, late: bool
    ) -> int:
        """The value of the move that leads to *then*: the first in full, others by proof."""
        if not number:
            return -self.value(then, depth, -beta, -alpha, ply + 1)
        value = -self.value(then, depth - late, -alpha - 1, -alpha, ply + 1)
        if value > alpha and (late or value < beta):
            value = -self.value(then, depth, -beta, -alpha, ply + 1)
        return value

    def _settle(self, board: B, alpha: int, beta: int, ply: int, pressed: bool) -> int:
        """The value after all exchanges; a pressed mover may try every move."""
        tree = self.tree
        if not self.devices.exchanges or ply >= DEEPEST:
            return tree.worth(board)
        if pressed and ply <= self.devices.deepened + 2:
            moves: Sequence[M] = tree.moves(board)
            if not moves:
                return self._end(tree.stuck(board), ply)
            best = self._exchange(board, self._order(board, moves), -BOUND, alpha, beta, ply)
            return best if best > -BOUND else tree.worth(board)
        best = tree.worth(board)
        if best >= beta:
            return best
        moves = tree.captures(board, max(alpha, best) - best)
        return self._exchange(board, moves, best, max(alpha, best), beta, ply)

    def _exchange(
        self, board: B, moves: Sequence[M], best: int, alpha: int, beta: int, ply: int
    ) -> int:
        """The most that one of *moves* settles to, or *best* where none is better."""
        tree, blind = self.tree, self.strength.blind
        for move in moves:
            if blind and self._overlooks(board, move):
                continue
            if self._limit.is_spent():
                raise OutOfBudget
            then = tree.after(board, move)
            ended = tree.ended(then)
            if ended is None:
                value = -self._settle(then, -beta, -alpha, ply + 1, tree.is_pressed(then))
            else:
                value = -self._end(ended, ply + 1)
            if value > best:
                best = value
                if value >= beta:
                    break
                alpha = max(alpha, value)
        return best

    def _order(self, board: B, moves: Sequence[M]) -> list[M]:
        promises = self.tree.promises(board, moves, self._praise)
        order = sorted(range(len(moves)), key=promises.__getitem__, reverse=True)
        return [moves[index] for index in order]

    def _remember_refutation(self, board: B, move: M, depth: int) -> None:
        """Remember that the quiet *move* refuted the other side's line."""
        trace = self.tree.trace(board, move)
        self._praise[trace] = min(4_000, self._praise.get(trace, 0) + depth * depth)

    def _overlooks(self, board: B, move: M) -> bool:
        unseen = self._unseen.get(move)
        if unseen is None:
            often = self.strength.blind * self.tree.obscurity(board, move)
            unseen = self._unseen[move] = self.below(100 * 100) < often
        return unseen

    def _end(self, value: int, ply: int) -> int:
        """The value of an end *ply* plies away: near wins are better, near losses worse."""
        if not value:
            return self.contempt if ply & 1 else -self.contempt
        return value - ply if value > 0 else value + ply


def _away(value: int, plies: int) -> int:
    """*value* as it is so many *plies* nearer to the end: only wins and losses differ."""
    return value + plies if value > PROVED else value - plies if value < -PROVED else value


class EndlessBudget:
    """A budget without end."""

    def is_spent(self) -> bool:
        """Never."""
        return False


def opinion(value: int, scale: float, proved: int = PROVED) -> float:
    """*value* between -1 and 1: sure beyond *proved*, else by the *scale* on which odds grow."""
    return tanh(value / scale) if abs(value) <= proved else copysign(1.0, value)


def order_near_best(
    found: Found[M], slack: int, below: Below, obscurity: Callable[[M], int] = lambda _: 100
) -> list[tuple[int, M]]:
    """All moves with their values, those within *slack* of the best in a drawn order.

    The nearer and the smaller the *obscurity* (``GameTree``), the likelier to come first; a sure
    win stays first.
    """
    best = found.ranked[0][0]
    if not slack or best > PROVED:
        return list(found.ranked)
    near = [
        (value - below(slack + 1) * obscurity(move) // 100, number)
        for number, (value, move) in enumerate(found.ranked)
        if value >= best - slack
    ]
    first = [number for _, number in sorted(near, key=lambda one: -one[0])]
    return [found.ranked[number] for number in (*first, *range(len(near), len(found.ranked)))]


def shuffled(moves: Sequence[M], below: Below) -> list[M]:
    """*moves* in a drawn order, so that equally good ones take turns."""
    mixed = list(moves)
    for last in range(len(mixed) - 1, 0, -1):
        other = below(last + 1)
        mixed[last], mixed[other] = mixed[other], mixed[last]
    return mixed


def perft(position: Position[Any], depth: int) -> int:
    """How many sequences of *depth* legal moves there are; draws count as moves."""
    if depth == 0:
        return 1
    seats = position.actors()
    if depth == 1:
        return sum(len(position.legal_moves(seat)) for seat in seats)
    return sum(
        perft(position.after(move), depth - 1)
        for seat in seats
        for move in position.legal_moves(seat)
    )
