"""The four suits of the Spanish pack: coin, sword, cup and club."""

from __future__ import annotations

from render.kit import Canvas, geometry


def suit(canvas: Canvas, colour: int, size: float, ink: str, gap: str) -> None:
    """The suit of *colour* about the origin, some *size* pixels high; *gap* is its ground."""
    (_coin, _sword, _cup, _club)[colour](canvas, size / 100, ink, gap)


def _coin(canvas: Canvas, scale: float, ink: str, gap: str) -> None:
    canvas.disc(0, 0, 46 * scale, ink)
    canvas.disc(0, 0, 36 * scale, None, gap, 5 * scale)
    canvas.polygon(geometry.star(0, 0, 26 * scale, 13 * scale, 8), gap)
    canvas.disc(0, 0, 6 * scale, ink)


def _sword(canvas: Canvas, scale: float, ink: str, gap: str) -> None:
    blade = [(0, -52), (11, -38), (11, 18), (-11, 18), (-11, -38)]
    canvas.polygon(geometry.moved(blade, 0, 0, scale), ink)
    canvas.box((-1.8 * scale, -38 * scale, 1.8 * scale, 16 * scale), gap)
    canvas.box((-32 * scale, 16 * scale, 32 * scale, 27 * scale), ink, radius=5 * scale)
    canvas.box((-6 * scale, 24 * scale, 6 * scale, 42 * scale), ink)
    canvas.disc(0, 45 * scale, 9 * scale, ink)


def _cup(canvas: Canvas, scale: float, ink: str, gap: str) -> None:
    bowl = [(-38, -46), (38, -46), (34, -10), (16, 8), (-16, 8), (-34, -10)]
    canvas.polygon(geometry.moved(geometry.rounded(bowl, 14), 0, 0, scale), ink)
    rim = [(-30, -32), (30, -32), (29, -25), (-29, -25)]
    canvas.polygon(geometry.moved(rim, 0, 0, scale), gap)
    canvas.box((-7 * scale, 4 * scale, 7 * scale, 32 * scale), ink)
    canvas.box((-13 * scale, 12 * scale, 13 * scale, 20 * scale), ink, radius=4 * scale)
    foot = [(-28, 46), (28, 46), (20, 30), (-20, 30)]
    canvas.polygon(geometry.moved(geometry.rounded(foot, 5), 0, 0, scale), ink)


def _club(canvas: Canvas, scale: float, ink: str, gap: str) -> None:
    # A cudgel held aslant: a grip with a knob, a heavy round head, and the knots of cut branches.
    def aslant(points: geometry.Points) -> list[geometry.Point]:
        return geometry.moved(points, 0, 0, scale, 38)

    right = [(8, 54), (12, 20), (19, -12), (24, -38), (20, -54), (8, -60)]
    canvas.polygon(
        aslant(geometry.rounded([*right, *((-x, y) for x, y in reversed(right))], 6)), ink
    )
    ((x, y),) = aslant([(0, 50)])
    canvas.disc(x, y, 11 * scale, ink)
    for base, tip in (((8, -4), (26, -14)), ((-10, -26), (-30, -36)), ((-4, 14), (-20, 5))):
        canvas.line(aslant([base, tip]), ink, 18 * scale)
        canvas.disc(*aslant([tip])[0], 4.5 * scale, gap)
    for grain in ([(7, -46), (5, -28)], [(-5, -8), (-3, 26)]):
        canvas.line(aslant(grain), gap, 4.5 * scale)
