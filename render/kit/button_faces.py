"""Faces: small pictures of what a button stands for, and the colours of the sides.

A game has them in a module ``button_faces`` beside its painter, found by its name; without it its
buttons have words alone.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib import resources
from typing import Any, Protocol, cast

from PIL import Image

from games.core import Seat
from render.kit.game_modules import module_of, package_of
from render.kit.output import optimised_png
from render.kit.palettes import Palette, rgb
from render.kit.sprite_placements import cut_out
from render.kit.sprites import Sprite

SIDE = 128
"""How wide and high a face is, in pixels."""


class FaceSet(Protocol):
    """What a module ``render.<game>.button_faces`` exports.

    ``FACES`` are the functions that draw the faces, by names of ASCII letters and digits;
    ``ACCENTS`` the colours of the sides, ``#RRGGBB`` by side. ``LEGEND``, which is optional, names
    the faces of each kind of piece that the legend beside the board explains. ``THROWN``, optional
    too, draws what chance may bring, and ``thrown(move)`` names what it brought.
    """

    FACES: Mapping[str, Callable[[], tuple[Sprite, Palette]]]
    ACCENTS: Mapping[str, str]

    def face(self, seen: Any, seat: Seat, path: Sequence[str], step: str) -> str:
        """The face of the button that continues *path* with *step*; "" if it has none."""


@cache
def face_set(game: str) -> FaceSet | None:
    """The faces of *game*, found by its name; ``None`` where its buttons have words alone."""
    found = module_of(game, "button_faces")
    return None if found is None else cast(FaceSet, found)


@cache
def accent(game: str, side: str) -> int | None:
    """The colour of *side* in *game* as one number, red first."""
    found = face_set(game)
    if found is None or side not in found.ACCENTS:
        return None
    r, g, b = rgb(found.ACCENTS[side])
    return r << 16 | g << 8 | b


def legend(game: str) -> Mapping[str, tuple[str, ...]]:
    """The kinds of pieces that the legend of *game* explains, with their faces."""
    return getattr(face_set(game), "LEGEND", {})


def thrown_names(game: str) -> Sequence[str]:
    """The names of the faces of what chance may bring in *game*."""
    return tuple(_thrown(game))


def thrown(game: str, move: Any) -> str:
    """The game and the face of what chance brought by *move*, as it lies; "" if it has none."""
    named: Callable[[Any], str] | None = getattr(face_set(game), "thrown", None)
    face = "" if named is None else named(move)
    return f"{game}-{face}" if face else ""


def face_names(game: str) -> Sequence[str]:
    """The names of all faces of *game*."""
    found = face_set(game)
    return () if found is None else tuple(found.FACES)


def face_picture(game: str, name: str) -> bytes:
    """The face *name* of *game*, a transparent PNG file; raises ``KeyError`` for an unknown one."""
    found = face_set(game)
    if found is None:
        raise KeyError(name)
    return _draw(*{**found.FACES, **_thrown(game)}[name]())


def _thrown(game: str) -> Mapping[str, Callable[[], tuple[Sprite, Palette]]]:
    return getattr(face_set(game), "THROWN", {})


@cache
def drawn_by(game: str) -> str:
    """Six hexadecimal digits that change with the code that draws the pictures of *game*."""
    digest = hashlib.sha256()
    for package in (package_of(game), "render.kit"):
        for file in sorted(resources.files(package).iterdir(), key=lambda one: one.name):
            if file.name.endswith(".py"):
                digest.update(file.read_bytes())
    return digest.hexdigest()[:6]


def _draw(sprite: Sprite, palette: Palette) -> bytes:
    """*sprite* in the middle of a square of ``SIDE``."""
    shown = cut_out(sprite, palette).convert("RGBA")
    scale = SIDE / max(shown.size)
    wide, high = (max(1, round(length * scale)) for length in shown.size)
    square = Image.new("RGBA", (SIDE, SIDE))
    fine = shown.resize((wide, high), Image.Resampling.LANCZOS)
    square.paste(fine, ((SIDE - wide) // 2, (SIDE - high) // 2))
    return optimised_png(square)
