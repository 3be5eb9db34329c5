"""The four suits of the Spanish pack: coin, sword, cup and club."""

from __future__ import annotations

from render.kit import Canvas, shapes

_TURN = 28
"""How far the club leans, in degrees."""


def suit(canvas: Canvas, colour: int, size: float, ink: str, gap: str) -> None:
    """The suit of *colour* about the origin, some *size* pixels high; *gap* is its ground."""
    (_coin, _sword, _cup, _club)[colour](canvas, size / 100, ink, gap)


def _coin(canvas: Canvas, scale: float, ink: str, gap: str) -> None:
    canvas.disc(0, 0, 46 * scale, ink)
    canvas.disc(0, 0, 36 * scale, None, gap, 5 * scale)
    canvas.polygon(shapes.star(0, 0, 26 * scale, 13 * scale, 8), gap)
    canvas.disc(0, 0, 6 * scale, ink)


def _sword(canvas: Canvas, scale: float, ink: str, gap: str) -> None:
    blade = [(0, -52), (11, -38), (11, 18), (-11, 18), (-11, -38)]
    canvas.polygon(shapes.moved(blade, 0, 0, scale), ink)
    canvas.box((-1.8 * scale, -38 * scale, 1.8 * scale, 16 * scale), gap)
    canvas.box((-32 * scale, 16 * scale, 32 * scale, 27 * scale), ink, radius=5 * scale)
    canvas.box((-6 * scale, 24 * scale, 6 * scale, 42 * scale), ink)
    canvas.disc(0, 45 * scale, 9 * scale, ink)


def _cup(canvas: Canvas, scale: float, ink: str, gap: str) -> None:
    bowl = [(-38, -46), (38, -46), (34, -10), (16, 8), (-16, 8), (-34, -10)]
    canvas.polygon(shapes.moved(shapes.rounded(bowl, 14), 0, 0, scale), ink)
    rim = [(-30, -32), (30, -32), (29, -25), (-29, -25)]
    canvas.polygon(shapes.moved(rim, 0, 0, scale), gap)
    canvas.box((-7 * scale, 4 * scale, 7 * scale, 32 * scale), ink)
    canvas.box((-13 * scale, 12 * scale, 13 * scale, 20 * scale), ink, radius=4 * scale)
    foot = [(-28, 46), (28, 46), (20, 30), (-20, 30)]
    canvas.polygon(shapes.moved(shapes.rounded(foot, 5), 0, 0, scale), ink)


def _stub(x: float, y: float, side: int) -> list[tuple[float, float]]:
    return [
        (x - side * 6, y + 20),
        (x - side * 4, y - 2),
        (x + side * 17, y - 19),
        (x + side * 27, y - 9),
        (x + side * 6, y + 16),
    ]


def _club(canvas: Canvas, scale: float, ink: str, gap: str) -> None:
    trunk = [(-8, 54), (8, 54), (13, 16), (20, -30), (17, -50), (8, -55)]
    trunk += [(-8, -55), (-17, -50), (-20, -30), (-13, 16)]
    canvas.polygon(shapes.moved(shapes.rounded(trunk, 7), 0, 0, scale, _TURN), ink)
    for stub in (_stub(13, -12, 1), _stub(-12, 10, -1), _stub(9, 30, 1)):
        canvas.polygon(shapes.moved(shapes.rounded(stub, 3.5), 0, 0, scale, _TURN), ink)
    cut = [(x * 9, -44 + y * 5) for x, y in shapes.circle(0, 0, 1)]
    canvas.polygon(shapes.moved(cut, 0, 0, scale, _TURN), gap)
    for grain in ([(-8, -26), (-5, -4)], [(4, 0), (2, 30)]):
        canvas.line(shapes.moved(grain, 0, 0, scale, _TURN), gap, 4 * scale)
