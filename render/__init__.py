"""What a viewer sees, as pictures: one painter a game, all on the same kit."""

from render.curve import curve
from render.kit.gallery import Gallery, paint
from render.kit.output import png, sized
from render.kit.painters import Figure, NoPainter, Painter, Say, Spot, painter
from render.kit.painters import figure as figure_image
from render.scene import Last, Scene, Target


def figure(game: str, name: str, theme: str = "light", say: Say | None = None) -> bytes:
    """The figure *name* of *game*'s rule text as a PNG file.

    *theme* is ``light`` or ``dark``; *say* puts captions into words. Raises ``NoPainter``
    where there is no such figure.
    """
    return png(figure_image(game, name, theme, say))


__all__ = [
    "Figure",
    "Gallery",
    "Last",
    "NoPainter",
    "Painter",
    "Say",
    "Scene",
    "Spot",
    "Target",
    "curve",
    "figure",
    "paint",
    "painter",
    "png",
    "sized",
]
