"""Boards are painted where a test looks at them; elsewhere each is a plain picture of its own.

To paint them took a sixth of the time of all tests that have a house; to paint standings, brackets
and podiums with every step of a tournament, a fifth of those that have one.
"""

from __future__ import annotations

from concurrent.futures import Future
from hashlib import blake2b

from PIL import Image

from bot.boards import tournament_views
from bot.commands import standing
from bot.commands.tournament import tournaments
from render.kit.output import WIDTH, png
from render.kit.painters import Gallery, painter
from render.scene import Poster, Scene

PAINTED = Gallery.fulfil
"""How the product fulfils what is asked for."""


def plain_picture(scene: Scene | Poster) -> bytes:
    """A PNG file as wide as that of *scene*, and like that of an equal scene alone."""
    painter((scene.board if isinstance(scene, Poster) else scene).game)
    return png(_plain(scene))


def _plain(*told: object) -> Image.Image:
    picture = Image.new("P", (WIDTH, WIDTH))
    picture.putpalette(blake2b(repr(told).encode(), digest_size=48).digest())
    return picture


def _plain_file(*told: object) -> bytes:
    return png(_plain(*told))


SHEETS = {
    **{
        (tournament_views, f"{name}_picture"): _plain_file
        for name in ("bracket", "podium", "ranking")
    },
    (tournament_views, "paint"): _plain,
    (tournaments, "crosstable_picture"): _plain_file,
    **{
        (standing, f"{name}_picture"): _plain_file
        for name in ("medal_card", "medal_collection", "rank_card", "ranking", "versus")
    },
}
"""What is painted of clubs and tournaments, where the house asks for it, and what stands for it."""

DRAWN = {(module, name): getattr(module, name) for module, name in SHEETS}
"""How the product paints that."""


def _fulfilled(self: Gallery, scene: Scene | Poster, wanted: Future[bytes]) -> None:
    try:
        wanted.set_result(plain_picture(scene))
    except BaseException as wrong:
        with self._lock:
            self._pictures.pop(scene, None)
        wanted.set_exception(wrong)


def share(*, painted: bool) -> None:
    """Let the boards of the houses from now on be *painted*, or plain."""
    Gallery.fulfil = PAINTED if painted else _fulfilled  # type: ignore[method-assign]
    for (module, name), drawn in (DRAWN if painted else SHEETS).items():
        setattr(module, name, drawn)
