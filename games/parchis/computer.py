"""The computer player: it weighs its own moves and, at its best, every roll that answers.

Values are in squares: a lead of one is one square ahead of the average opponent. What a
piece risks is its road so far times the chance that somebody's next roll takes it.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

from games.core import Budget, Choice, Seat
from games.core.search import Spent
from games.parchis.board import (
    CIRCUIT,
    HOME,
    LAST,
    META,
    ROUTES,
    SAFE,
    SALIDA,
    SALIDAS,
    is_white,
)
from games.parchis.house import Stage
from games.parchis.moves import Go, Move
from games.parchis.position import Parchis
from games.parchis.rules import CAPTURE_BONUS, FIVE, SIX, State

EASY, FAIR, BEST = 1, 2, 3

NODES = 6000
"""The most positions that one answer looks at; reached only in long chains of bonuses."""

AT_HOME = -12.0
"""A piece in its casa waits for a five: this many squares behind the salida."""
IN_META = 8.0
SHELTERED = 2.0
CORRIDOR = 3.0
BARRIER = 2.0
"""For each foreign piece that a barrier holds up."""
AHEAD = 12
"""How many squares behind a barrier a piece is held up."""
PLACE = 100.0
"""One place better in the final order."""
LEAD_OF_A_WIN = 90.0
"""The lead at which the opinion comes near to certainty."""


def choose(
    position: Parchis, seat: Seat, level: int, budget: Budget, below: Callable[[int], int]
) -> Choice:
    """The move of *seat* at *level* 1 to 3, with its opinion.

    Level 1 counts squares and captures and guesses a little, level 2 also fears captures and
    likes shelter, level 3 looks at every roll of the next player and its best answer.
    """
    moves = position.legal_moves(seat)
    limit = Spent(budget, NODES)
    if len(moves) == 1:
        return _choice(position, moves[0], lead(position, seat))
    best, value = moves[0], -math.inf
    for move in moves:
        if level <= EASY:
            found = eagerness(position, move) + below(13)
        else:
            after = settled(position.after(move), limit)
            found = outlook(after, seat, limit) if level >= BEST else lead(after, seat)
        if found > value:
            best, value = move, found
        if limit.spent():
            break
    return _choice(position, best, lead(position, seat) if level <= EASY else value)


def _choice(position: Parchis, move: Move, value: float) -> Choice:
    return Choice(move, math.tanh(value / LEAD_OF_A_WIN), (position.notation(move),))


def eagerness(state: State, move: Move) -> float:
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


def settled(state: State, limit: Spent) -> State:
    """*state* after its bonuses, each played as its player likes best."""
    while state.stage is Stage.BONUS:
        mover = state.turn
        following = [state.after(move) for move in state.legal_moves(mover)]
        if len(following) == 1 or limit.spent():
            state = following[0]
        else:
            state = max(following, key=lambda after: lead(after, mover))
    return state


def outlook(state: State, seat: Seat, limit: Spent) -> float:
    """The lead of *seat* on average over the next roll, whoever rolls it."""
    if state.stage is Stage.OVER:
        return lead(state, seat)
    total = 0.0
    mover = state.turn
    for eyes in range(1, 7):
        rolled = replace(state, stage=Stage.DIE, count=eyes)
        answers = [settled(rolled.after(move), limit) for move in rolled.legal_moves(mover)]
        if limit.spent():
            return lead(state, seat)
        total += lead(max(answers, key=lambda after: lead(after, mover)), seat)
    return total / 6


def lead(state: State, seat: Seat) -> float:
    """How far *seat* is ahead of the average of the others, in squares."""
    worth = [standing(state, one) for one in range(len(state.colours))]
    others = [value for one, value in enumerate(worth) if one != seat]
    return worth[seat] - sum(others) / len(others)


def standing(state: State, seat: Seat) -> float:
    """What the pieces of *seat* are worth: the road made, less what they risk."""
    seats = len(state.colours)
    if seat in state.finished:
        return META * 4 + PLACE * (seats - state.finished.index(seat))
    route = ROUTES[state.colours[seat]]
    value = 0.0
    for index in state.pieces[seat]:
        if index == HOME:
            value += AT_HOME
        elif index == META:
            value += META + IN_META
        elif index > LAST:
            value += index + CORRIDOR
        else:
            value += index + _on_the_circuit(state, seat, index, route[index])
    return value


def _on_the_circuit(state: State, seat: Seat, index: int, place: int) -> float:
    """What a piece is worth besides its road: shelter, a barrier, or danger."""
    men = state.crowd[place]
    worth = 0.0
    if state.is_barrier(place):
        # Half for each of its two pieces.
        worth += BARRIER / 2 * _held_up(state, seat, place)
    if len(men) == 1 and is_white(place):
        chance = danger(state, seat, place)
    else:
        worth += SHELTERED
        chance = _danger_on_a_salida(state, seat, place)
    loss = index - AT_HOME + CAPTURE_BONUS / (len(state.colours) - 1)
    return worth - chance * loss


def _held_up(state: State, seat: Seat, place: int) -> int:
    """How many foreign pieces stand close behind *place* and must pass it."""
    count = 0
    for other, pieces in enumerate(state.pieces):
        if other == seat:
            continue
        ahead = _index_of(state, other, place)
        count += sum(SALIDA <= index < ahead <= index + AHEAD for index in pieces)
    return count


def _index_of(state: State, seat: Seat, place: int) -> int:
    """The route index of the square *place* for *seat*, 0 where it never comes there."""
    index = (place - SALIDAS[state.colours[seat]]) % CIRCUIT + 1
    return index if index <= LAST else 0


def danger(state: State, seat: Seat, place: int) -> float:
    """The chance that a lone piece of *seat* on the white square *place* is taken next round."""
    spared = 1.0
    for other, pieces in enumerate(state.pieces):
        target = _index_of(state, other, place)
        if other == seat or not target:
            continue
        dice = {
            eyes
            for index in pieces
            if SALIDA <= index < target
            for eyes in _dice_for(target - index, HOME in pieces)
            if _road_is_open(state, other, index, target)
        }
        spared *= 1 - min(1.0, sum(1 / 6 if eyes <= SIX else 1 / 36 for eyes in dice))
    return 1 - spared


def _dice_for(distance: int, somebody_at_home: bool) -> tuple[int, ...]:
    """The dice that bring a piece *distance* squares on; above six, a six and another roll."""
    six = SIX if somebody_at_home else SIX + 1
    if distance == six:
        return (SIX,)
    if distance == FIVE and somebody_at_home:
        return ()
    if distance < SIX:
        return (distance,)
    return (SIX + distance - six,) if six < distance <= six + FIVE else ()


def _road_is_open(state: State, seat: Seat, start: int, end: int) -> bool:
    route = ROUTES[state.colours[seat]]
    return not any(state.is_barrier(route[index]) for index in range(start + 1, end))


def _danger_on_a_salida(state: State, seat: Seat, place: int) -> float:
    """P13, B5: the chance that a colour comes out on its salida *place* and takes the piece."""
    if place not in SALIDAS or SALIDAS.index(place) not in state.colours:
        return 0.0
    owner = state.colours.index(SALIDAS.index(place))
    if owner == seat or HOME not in state.pieces[owner]:
        return 0.0
    men = state.crowd[place]
    if len(men) == 1:
        return 1 / 6 if state.house.exit_always else 0.0
    if any(man[0] == owner for man in men):
        return 1 / 6
    # Of two strangers the one that came last goes; of a pair, one of both.
    mine = sum(man[0] == seat for man in men)
    return 1 / 6 / mine if state.arrived_last(place)[0] == seat else 0.0
