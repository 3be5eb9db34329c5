"""The lead in a game of Parchís, in squares ahead of the average opponent.

A piece risks its road so far times the chance that the next roll of another takes it.
"""

from __future__ import annotations

from games.core import Seat
from games.parchis.board import CIRCUIT, HOME, LAST, META, ROUTES, SALIDA, SALIDAS, is_white
from games.parchis.rules import CAPTURE_BONUS, FIVE, SIX, Parchis

AT_HOME = -12.0
"""A piece in its casa waits for a five: this many squares behind the salida."""
IN_META = 8.0
SHELTERED = 2.0
CORRIDOR = 3.0
BARRIER = 2.0
"""For each foreign piece that a barrier holds up."""
SQUARES_BEHIND = 12
"""How many squares behind a barrier a piece is held up."""
PLACE = 100.0
"""One place better in the final order."""


def lead(state: Parchis, seat: Seat) -> float:
    """How far *seat* is ahead of the average of the others, in squares."""
    worth = [standing(state, one) for one in range(len(state.colours))]
    others = [value for one, value in enumerate(worth) if one != seat]
    return worth[seat] - sum(others) / len(others)


def standing(state: Parchis, seat: Seat) -> float:
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


def _on_the_circuit(state: Parchis, seat: Seat, index: int, place: int) -> float:
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
    return worth - chance * (index - AT_HOME + CAPTURE_BONUS / (len(state.colours) - 1))


def _held_up(state: Parchis, seat: Seat, place: int) -> int:
    """How many foreign pieces stand close behind *place* and must pass it."""
    count = 0
    for other, pieces in enumerate(state.pieces):
        if other == seat:
            continue
        ahead = _index_of(state, other, place)
        count += sum(SALIDA <= index < ahead <= index + SQUARES_BEHIND for index in pieces)
    return count


def _index_of(state: Parchis, seat: Seat, place: int) -> int:
    """The route index of the square *place* for *seat*, 0 where it never comes there."""
    index = (place - SALIDAS[state.colours[seat]]) % CIRCUIT + 1
    return index if index <= LAST else 0


def danger(state: Parchis, seat: Seat, place: int) -> float:
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


def _road_is_open(state: Parchis, seat: Seat, start: int, end: int) -> bool:
    route = ROUTES[state.colours[seat]]
    return not any(state.is_barrier(route[index]) for index in range(start + 1, end))


def _danger_on_a_salida(state: Parchis, seat: Seat, place: int) -> float:
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
