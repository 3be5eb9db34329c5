"""Pictures of what a viewer sees: one painter per game, all built on the same kit."""

from render.curve import curve
from render.kit.gallery import Gallery, paint
from render.kit.output import png
from render.kit.painters import NoPainter, figure, painter
from render.scene import Last, Scene, Target

__all__ = [
    "Gallery",
    "Last",
    "NoPainter",
    "Scene",
    "Target",
    "curve",
    "figure",
    "paint",
    "painter",
    "png",
]
