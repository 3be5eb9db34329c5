"""Positions of Cirya for the tests: started, read, played to, and asked."""

from __future__ import annotations

import pytest

from bot.texts import LANGUAGES, language
from games.cirya import GAME
from games.cirya.rules import Cirya
from games.core import IllegalMove, read_move

HIDDEN = "e5 a1 b1 e4 c1 e3 d1 e2 e1"
"""Swan stands one move away after d1, says nothing and wins with e1."""


def start(**wishes: str) -> Cirya:
    return GAME.start(GAME.setting(wishes))


def at(tps: str, **wishes: str) -> Cirya:
    return GAME.notation.read(tps, GAME.chosen(wishes))


def play(moves: str, position: Cirya | None = None, **wishes: str) -> Cirya:
    """Type *moves*; those with a mark are announced."""
    position = position or start(**wishes)
    for text in moves.split():
        position = position.after(read_move(GAME, position, position.board.mover, text))
    return position


def legal(position: Cirya) -> set[str]:
    return {
        GAME.notation.written(position, move) for move in position.legal_moves(position.board.mover)
    }


def refused(position: Cirya, text: str) -> str:
    """The number of the rule that stands against *text*, which is said in words, too."""
    with pytest.raises(IllegalMove) as error:
        read_move(GAME, position, position.board.mover, text)
    assert all(language(code).say(error.value.refusal.phrase) for code in LANGUAGES)
    return error.value.refusal.rule


def stack(position: Cirya, name: str) -> str:
    """The pieces of a sat, from the bottom up, as TPS writes them."""
    sat = position.board.shape.names.index(name)
    letter = position.board.kind(sat).replace("F", "") if position.board.height(sat) else ""
    return "".join(str(seat + 1) for seat in position.board.pieces(sat)) + letter
