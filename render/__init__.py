"""Pictures of what a viewer sees: one painter per game, all built on the same kit."""

from render.curve import curve
from render.kit.gallery import Gallery, paint
from render.kit.output import png, sized
from render.kit.painters import Figure, NoPainter, Painter, Say, Spot, figure, painter
from render.scene import Last, Scene, Target

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
