"""Scenes of Storilljuðjorrayc that the tests of its picture share."""

from __future__ import annotations

from games.core import Seat, read_move
from games.storilljudhjorrayc import GAME
from render.scene import Last, Scene
from render.storilljudhjorrayc import board
from tests.games.storill_helpers import battle
from tests.render.pictures import asked, dressed

KEY = "storilljudhjorrayc"
NAMES = ("Redentran", "Xtol")
GREEN = (
    "A:p2 KM:m5 JM:a3 SÞ:b2 SD:o2 JÞ:c4 JD:n2 KÞ:b1 KD:p1 PÞ:e1 PD:n1 T1:n4 T2:p4 T3:a6 T5:g4 W:~"
)
PURPLE = (
    "A:h2 KM:i5 SÞ:j2 SD:g3 JM:~ JÞ:k2 JD:f2 KÞ:j1 KD:g1 PÞ:~ PD:f1 T1:f4 T3:i4 T4:k6 T5:e4 W:~"
)
FLATS = board.palette("light").flats


def scene(position, bottom: Seat = 1, **more) -> Scene:
    return dressed(Scene(KEY, position, NAMES, bottom, **more))


def studied(turn: str = "g", counts: str = "0,1", purple: str = PURPLE):
    return battle(GREEN, purple, turn, counts)


def acted(text: str, turn: str = "g", bottom: Seat = 1, **more) -> Scene:
    before = studied(turn, **more)
    seat = "gp".index(turn)
    move = read_move(GAME, before, seat, text)
    return scene(before.after(move), bottom, last=(Last(before, seat, move),))


def chosen(position, *path: str, bottom: Seat = 0) -> Scene:
    return asked(scene(position, bottom), bottom, path)


def setting_up(*moves: str):
    position = GAME.start(GAME.setting())
    for text in moves:
        position = position.after(read_move(GAME, position, 1, text))
    return position


def at(space: str, half: int = 22, turn: bool = False) -> tuple[int, int, int, int]:
    """A box inside the picture of whatever stands on *space*."""
    x, y = (round(part) for part in board.point(board.turned(space, turn)))
    return (x - half, y - half, x + half, y + half)
