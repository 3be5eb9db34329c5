"""Games of Cirya written as their moves, for the tests."""

from __future__ import annotations

from games.cirya import GAME
from games.core import Entry, Record, replay

SWAN, EAGLE = 0, 1


def record(moves: str, **wishes: str) -> Record:
    """The record of *moves*; ``back`` is Eagle's and ``cede`` Swan's."""
    setting = GAME.setting(wishes)
    log = []
    seat = SWAN
    for text in moves.split():
        if text == "cede":
            log.append(Entry(SWAN, text, aside=True))
        elif text == "back":
            log.append(Entry(EAGLE, text, aside=True))
            seat = EAGLE
        else:
            log.append(Entry(seat, text))
            seat = 1 - seat
    return Record("cirya", setting.sides, setting.options, 0, tuple(log))


def end_of(one: Record):
    return replay(GAME, GAME.beginning(one), one.log)


# -- moves --------------------------------------------------------------------------------
