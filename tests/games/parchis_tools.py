"""Short hands for tests of Parchís: positions by text, moves by notation."""

from __future__ import annotations

from games.core import CHANCE, Setting, read_move
from games.parchis import GAME
from games.parchis.rules import Parchis


def at(text: str, **options: str) -> Parchis:
    """The position that *text* writes, with *options* besides the defaults."""
    return GAME.notation.read(text, GAME.chosen(options))


def fresh(*sides: str, **options: str) -> Parchis:
    """A new game of *sides*, yellow and red by default."""
    return GAME.start(Setting(sides or ("yellow", "red"), GAME.chosen(options)))


def moves(position: Parchis) -> list[str]:
    """What may be played now, as written."""
    return [
        GAME.notation.written(position, m)
        for seat in position.actors()
        for m in position.legal_moves(seat)
    ]


def play(position: Parchis, *written: str) -> Parchis:
    """The position after *written*, each read as a player would type it."""
    for text in written:
        (seat,) = position.actors()
        if seat == CHANCE:
            (move,) = (
                m
                for m in position.legal_moves(CHANCE)
                if GAME.notation.written(position, m) == text
            )
        else:
            move = read_move(GAME, position, seat, text)
        position = position.after(move)
    return position


def due(position: Parchis) -> str:
    """The turn and what is due, such as ``A d5``."""
    *_, turn, what, _, _, _ = GAME.notation.text(position).split()
    return f"{turn} {what}"


def pieces(position: Parchis, letter: str) -> str:
    """The word of *letter* in the position text."""
    (word,) = (
        word for word in GAME.notation.text(position).split() if word.startswith(f"{letter}=")
    )
    return word[2:]
