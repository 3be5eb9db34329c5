"""The computer player: the house's search at twelve levels, with a mate solver beside it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from games.core import Budget, ChosenMove, Seat
from games.core.computer import Below
from games.core.search import WIN, NodeBudget, Search, opinion, order_near_best
from games.core.search_types import Strength
from games.shogi.board import Board, BoardPlay, after, king_square, moves
from games.shogi.computer.evaluation import evaluate
from games.shogi.computer.mates import MateSearch, checks, mate_in_one
from games.shogi.computer.openings import next_moves
from games.shogi.computer.search_adapter import DEVICES, BoardTree
from games.shogi.rules import Shogi
from games.shogi.sfen import usi


@dataclass(frozen=True)
class Level:
    """A *strength*, and mates sought, in plies; the *careful* never walk into a mate in one.

    Of a hundred mates in one of its own it misses *missed*, as beginners do.
    """

    strength: Strength
    mates: int
    careful: bool = True
    missed: int = 0


STYLES = (
    Level(Strength(nodes=600, plies=1, blind=90, slack=1_050), 1, careful=False, missed=50),
    Level(Strength(nodes=1_100, plies=1, blind=58, slack=460), 1, careful=False, missed=25),
    Level(Strength(nodes=1_400, plies=2, blind=31, slack=240), mates=1, careful=False),
    Level(Strength(nodes=1_900, plies=2, blind=24, slack=175), mates=1, careful=False),
    Level(Strength(nodes=3_000, plies=3, blind=18, slack=130), mates=3),
    Level(Strength(nodes=3_500, plies=3, blind=11, slack=82), mates=3),
    Level(Strength(nodes=4_000, plies=3, blind=5, slack=40), mates=3),
    Level(Strength(nodes=1_250, slack=25), mates=3),
    Level(Strength(nodes=3_000, slack=15), mates=5),
    Level(Strength(nodes=8_000, slack=8), mates=9),
    Level(Strength(nodes=20_000, slack=3), mates=15),
    Level(Strength(nodes=60_000), mates=15),
)
"""The levels from 1 on; values are in points, a pawn is about 100."""

LEVELS = len(STYLES)

MATE_NODES = 3_000
"""Positions that the mate solver may look at."""

OPENING = 10
OPENING_SLACK = 25
"""In the first plies even the strongest level varies among moves this close."""

HINT_PLIES = 17
HINT_NODES = 30_000
"""How long a mate that is hinted at may be, and how many positions the search for it looks at."""

SCALE = 5000.0
"""Twice the points by which the odds grow e times: fitted to games (docs/evidence/chances.md)."""


def choose(position: Shogi, seat: Seat, level: int, budget: Budget, below: Below) -> ChosenMove:
    """A move for *seat*, whose turn it is; *value* is exact where a mate is proved."""
    style = STYLES[min(max(level, 1), LEVELS) - 1]
    legal = list(position.legal_moves(seat))
    taking = _takes_king(position, legal)
    if taking is not None:
        return ChosenMove(taking, 1.0, (usi(taking),), exact=True)
    misses = bool(style.missed) and below(100) < style.missed
    mate = [] if misses else _mate(position, legal, style, budget)
    if mate:
        return ChosenMove(mate[0], 1.0, tuple(map(usi, mate)), exact=True)
    safe = set(moves(position.board))
    plays = [play for play in legal if play in safe] or legal
    known = next_moves(position, plays) if style.careful else []
    if known:
        play = known[below(len(known))]
        return ChosenMove(play, 0.0, (usi(play),))
    if misses:
        plays = _without_mates(position.board, plays) or plays
    return _search(position, plays, style, budget, below)


def glance(position: Shogi, seat: Seat) -> float:
    """How the board looks to *seat*, in points."""
    value = evaluate(position.board)
    return value if position.turn == seat else -value


def _takes_king(position: Shogi, plays: Sequence[BoardPlay]) -> BoardPlay | None:
    """H9: where a king has been left to be taken, it is taken."""
    king = king_square(position.board, 1 - position.turn)
    return next((play for play in plays if play.target == king), None)


def _mate(
    position: Shogi, legal: Sequence[BoardPlay], style: Level, budget: Budget
) -> list[BoardPlay]:
    solver = MateSearch(NodeBudget(budget, min(MATE_NODES, style.strength.nodes // 4)))
    found = solver.solve(position.board, style.mates)
    # A mate in one is never missed for want of time; a touched piece may forbid the rest.
    at_once = mate_in_one(position.board)
    if at_once is not None and at_once in legal:
        return [at_once]
    return found if found and found[0] in legal else []


def _without_mates(board: Board, plays: Sequence[BoardPlay]) -> list[BoardPlay]:
    mating = {play for play, following in checks(board) if not moves(following)}
    return [play for play in plays if play not in mating]


def _search(
    position: Shogi, plays: Sequence[BoardPlay], style: Level, budget: Budget, below: Below
) -> ChosenMove:
    strength = style.strength
    if position.ply <= OPENING:
        strength = replace(strength, slack=max(strength.slack, OPENING_SLACK))
    before = position.past.earlier
    tree = BoardTree(before.play.target if before and before.play else -1)
    search = Search(tree, DEVICES, strength, budget, below)
    found = search.think(position.board, plays, _decided_values(position, plays))
    order = order_near_best(found, strength.slack, below, partial(tree.obscurity, position.board))
    value, play = order[0]
    if style.careful:
        value, play = next((one for one in order if _survives(position.board, one[1])), order[0])
    line = found.line if play == found.line[0] else (play,)
    return ChosenMove(play, opinion(value, SCALE), tuple(map(usi, line)))


def _decided_values(position: Shogi, plays: Sequence[BoardPlay]) -> dict[BoardPlay, int]:
    """What those of *plays* are worth that end the game at once, by repetition or otherwise."""
    found = {}
    for play in plays:
        end = position.after(play).ended
        if end is not None:
            found[play] = 0 if end.winner is None else WIN if end.winner == position.turn else -WIN
    return found


def _survives(board: Board, play: BoardPlay) -> bool:
    return mate_in_one(after(board, play)) is None


def mate(position: Shogi, seat: Seat, budget: Budget) -> ChosenMove | None:
    """A hint: the first move of a shortest mate by checks, with the line, where one is found."""
    found = MateSearch(NodeBudget(budget, HINT_NODES)).solve(position.board, HINT_PLIES)
    if not found or found[0] not in position.legal_moves(seat):
        return None
    return ChosenMove(found[0], 1.0, tuple(map(usi, found)), exact=True)
