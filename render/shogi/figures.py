"""The figures of the rule text of shogi."""

from __future__ import annotations

from games.core import Seat, phrase
from games.shogi import GAME
from games.shogi.menus import steps
from games.shogi.notation import read
from games.shogi.rules import Shogi
from games.shogi.sfen import SQUARE_NAMES
from render.kit import Figure
from render.scene import Scene, Target

_BOARD = (16, 90, 784, 864)
_FAR = (16, 90, 784, 530)
"""The five far ranks."""
_WITH_HAND = (0, 90, 800, 956)
_MIDDLE = (192, 286, 582, 686)
"""The five files and ranks around 5e."""


def _board(text: str) -> Shogi:
    return read(text, GAME.chosen({}))


def _scene(text: str, path: tuple[str, ...] = (), bottom: Seat = 0) -> Scene:
    """A scene without names; after *path* every square that may follow is a dot."""
    seen = _board(text)
    plays = [steps(seen, play) for play in seen.legal_moves(seen.turn)] if path else []
    ends = dict.fromkeys(one[1] for one in plays if one[0] == path[0])
    targets = tuple(Target("", step) for step in ends if step in SQUARE_NAMES)
    return Scene("shogi", seen, ("", ""), bottom=bottom, path=path, targets=targets)


def _ways(*pieces: str) -> Figure:
    """How each of *pieces* goes, with its name."""
    texts = [f"9/9/9/9/4{piece}4/9/9/9/9 b - 1" for piece in pieces]
    names = tuple(phrase(f"shogi.piece.{piece}") for piece in pieces)
    return Figure(lambda: tuple(_scene(text, ("5e",)) for text in texts), _MIDDLE, names)


FIGURES: dict[str, Figure] = {
    "start": Figure(lambda: (_scene("startpos"),), _BOARD),
    "moves": _ways("K", "G", "S", "N"),
    "slides": _ways("R", "B", "L", "P"),
    "promoted": _ways("+R", "+B", "+S", "+P"),
    "promotion": Figure(
        lambda: (
            _scene("4k4/9/9/4S4/9/9/9/9/9 b - 1", ("5d",)),
            _scene("4k4/9/4+S4/9/9/9/9/9/9 b - 1", ("5c",)),
        ),
        _FAR,
    ),
    "drop": Figure(
        lambda: (_scene("4k4/9/9/2p6/9/9/9/9/4K4 b P 1", ("P*",)),),
        _WITH_HAND,
    ),
    "nifu": Figure(
        lambda: (_scene("4k4/2+P6/9/9/P3P4/7P1/9/9/4K4 b P 1", ("P*",)),),
        _WITH_HAND,
    ),
    "uchifuzume": Figure(lambda: (_scene("kn7/9/1G7/9/9/9/9/9/8K b P 1", ("P*",)),), _FAR),
}
"""The start, the ways of the pieces, promotion, drops, and the two rules of the dropped pawn."""
