"""The course of a game as a curve, the same for every game."""

from __future__ import annotations

from collections.abc import Sequence

from render.club.club_canvas import BOLD, ClubCanvas
from render.kit.output import WIDTH

HEIGHT = 420
LEFT, RIGHT, TOP, BOTTOM = 100, WIDTH - 40, 36, HEIGHT - 36
RADIUS = 21


def curve(
    values: Sequence[float], marks: Sequence[tuple[int, int]] = (), theme: str = "light"
) -> bytes:
    """A PNG file of *values*, each from -1 (lost) to 1 (won).

    *marks* are indices of *values* with the numbers to write there; *theme* is that of the boards.
    """
    canvas = ClubCanvas(theme, size=(WIDTH, HEIGHT))
    canvas.box((LEFT, TOP, RIGHT, BOTTOM), "bar", "hair", 2, 10)
    for share in (0.25, 0.5, 0.75):
        y = TOP + (BOTTOM - TOP) * share
        canvas.line([(LEFT + 2, y), (RIGHT - 2, y)], "soft" if share == 0.5 else "hair", 2)
    for said, value in (("100 %", 1.0), ("50 %", 0.0), ("0 %", -1.0)):
        canvas.words(LEFT - 12, _y(value), said, 27, "soft", anchor="r")
    step = (RIGHT - LEFT - 48) / max(1, len(values) - 1)
    points = [(LEFT + 24 + step * n, _y(value)) for n, value in enumerate(values)]
    if len(points) > 1:
        canvas.line(points, "ink", 6)
    elif points:
        canvas.disc(*points[0], 6, "ink")
    for mark, number in marks:
        x, y = points[mark]
        canvas.disc(x, y, RADIUS, "amber", "line", 2)
        canvas.words(x, y, str(number), 27, "dark", BOLD, "m")
    return canvas.png()


def _y(value: float) -> float:
    middle, half = (TOP + BOTTOM) / 2, (BOTTOM - TOP) / 2 - 24
    return middle - half * max(-1.0, min(1.0, value))
