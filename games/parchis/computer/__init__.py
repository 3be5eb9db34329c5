"""The computer player: it weighs its own moves and, at its best, every roll that answers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from math import inf, tanh

from games.core import CHANCE, Budget, ChosenMove, Seat
from games.core.computer import Below, Odds
from games.core.search import NodeBudget
from games.parchis.board import HOME, LAST, META, SAFE
from games.parchis.computer.evaluation import lead
from games.parchis.moves import Go, Move, Stage
from games.parchis.notation import written
from games.parchis.rules import CAPTURE_BONUS, Parchis

EASY, BEST = 1, 3

ROUGHLY = 25
"""Within so many squares the middle level judges by eye."""

NODES = 6000
"""The most positions that one answer looks at; reached only in long chains of bonuses."""

LEAD_OF_A_WIN = 90.0
"""The lead at which the opinion comes near to certainty."""


def choose(position: Parchis, seat: Seat, level: int, budget: Budget, below: Below) -> ChosenMove:
    """The move of *seat* at *level* 1 to 3, with its opinion.

    Level 1 counts squares and captures and guesses a little; level 2 also fears captures and likes
    shelter; level 3 looks at every roll of the next player and its best answer.
    """
    moves = position.legal_moves(seat)
    limit = NodeBudget(budget, NODES)
    if len(moves) == 1:
        return _choice(position, moves[0], lead(position, seat))
    best, value = liked(position, moves, level, limit, below)
    return _choice(position, best, value if level >= BEST else lead(position, seat))


def liked(
    position: Parchis, moves: Sequence[Move], level: int, limit: Budget, below: Below
) -> tuple[Move, float]:
    """Which of *moves* whoever is on turn likes best at *level*, and how much."""
    seat, best, value = position.turn, moves[0], -inf
    for move in moves:
        after = position if level <= EASY else settled(position.after(move), limit)
        if level >= BEST:
            found = outlook(after, seat, limit)
        elif level > EASY:
            found = lead(after, seat) + below(ROUGHLY)
        else:
            found = eagerness(position, move) + below(13)
        if found > value:
            best, value = move, found
        if limit.is_spent():
            break
    return best, value


def _choice(position: Parchis, move: Move, value: float) -> ChosenMove:
    return ChosenMove(move, tanh(value / LEAD_OF_A_WIN), (written(position, move),))


def eagerness(state: Parchis, move: Move) -> float:
    """What a beginner sees in *move*, in squares: meta, captures, shelter, a barrier kept."""
    if not isinstance(move, Go) or move.to == HOME:
        return 0.0
    start = state.own[move.pieces[0]]
    value = float(CAPTURE_BONUS * len(move.taken))
    value += 16.0 if move.to == META else 0.0
    value += 4.0 if state.route[move.to] in SAFE else 0.0
    value += 6.0 if start <= LAST < move.to else 0.0
    value -= 4.0 if state.route[start] in SAFE or state.opens(move) else 0.0
    return value - (4.0 if start > LAST and move.to <= start else 0.0)


def settled(state: Parchis, limit: Budget) -> Parchis:
    """*state* after its bonuses, each played as its player likes best."""
    while state.stage is Stage.BONUS:
        mover = state.turn
        following = [state.after(move) for move in state.legal_moves(mover)]
        if len(following) == 1 or limit.is_spent():
            state = following[0]
        else:
            state = max(following, key=lambda after: lead(after, mover))
    return state


def outlook(state: Parchis, seat: Seat, limit: Budget) -> float:
    """The lead of *seat* on average over the next roll of any player."""
    if state.stage is Stage.OVER:
        return lead(state, seat)
    total = 0.0
    mover = state.turn
    for eyes in range(1, 7):
        rolled = replace(state, stage=Stage.DIE, count=eyes)
        answers = [settled(rolled.after(move), limit) for move in rolled.legal_moves(mover)]
        if limit.is_spent():
            return lead(state, seat)
        total += lead(max(answers, key=lambda after: lead(after, mover)), seat)
    return total / 6


GAMES = 400
"""From how many games at most the chances are counted."""

LONGEST_GAME = 4_000
"""More steps than any game takes whose players move as they can."""


def weigh(position: Parchis, seat: Seat, budget: Budget) -> list[tuple[Move, float]]:
    """Every move of *seat* with its value, over every roll that follows."""
    found = []
    for move in position.legal_moves(seat):
        limit = NodeBudget(budget, NODES)
        after = outlook(settled(position.after(move), limit), seat, limit)
        found.append((move, tanh(after / LEAD_OF_A_WIN)))
    return found


def odds(position: Parchis, budget: Budget, below: Below, _level: int = 1) -> Odds:
    """The share of games, played out from *position* by beginners, in which each seat was first."""
    first: list[Seat] = []
    seats, like = range(len(position.colours)), partial(_prefer_by_eye, below)
    while len(first) < GAMES and not (first and budget.is_spent()):
        first.append(winner_of_playout(position, [below] * len(seats), like))
    return tuple(first.count(seat) / len(first) for seat in seats), len(first)


def _prefer_by_eye(below: Below, state: Parchis, moves: Sequence[Move]) -> Move:
    """What a beginner plays; a draw of their own breaks the ties, so that games differ."""
    return moves[max((eagerness(state, one) + below(13), n) for n, one in enumerate(moves))[1]]


def winner_of_playout(
    state: Parchis, dice: Sequence[Below], like: Callable[[Parchis, Sequence[Move]], Move]
) -> Seat:
    """Who is first where each rolls one of *dice*, and all play what they *like*."""
    for _ in range(LONGEST_GAME):
        if state.finished:
            break
        (seat,) = state.actors()
        moves = state.legal_moves(seat)
        move = moves[0]
        if seat == CHANCE:
            move = moves[dice[state.turn](len(moves))]
        elif len(moves) > 1:
            move = like(state, moves)
        state = state.after(move)
    return state.finished[0]
