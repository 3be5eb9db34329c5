"""The marks that mean the same on every board.

Last move: amber with ink on both sides over a pale fill. Chosen, or free to choose: blue.
A target: a white lozenge with the letter of its button. Danger: a double red ring.
Victory: gold in ink, around the name and around what has won. The star before a name is full
after a victory, half full after a draw and empty after a defeat.
"""

from __future__ import annotations

from render.kit import fonts
from render.kit.canvas import Canvas
from render.kit.geometry import Box, Points, arrow_head, cut_back, star

RING = 6
"""The breadth of the amber and blue outlines."""

KEYLINE = 2
"""The breadth of the ink on either side of amber."""


def grown(box: Box, by: float) -> Box:
    """*box* with *by* pixels more on each side."""
    return (box[0] - by, box[1] - by, box[2] + by, box[3] + by)


def last_move(
    canvas: Canvas, box: Box, radius: float = 0, fill: str = "pale", ink: float = KEYLINE
) -> None:
    """The frame of the last move, its outer edge on *box*; *ink* is how broad its outlines are."""
    canvas.box(box, "line", radius=radius)
    canvas.box(grown(box, -ink), "amber", radius=max(0, radius - ink))
    inner = ink + RING
    canvas.box(grown(box, -inner), "line", radius=max(0, radius - inner))
    inner += ink
    canvas.box(grown(box, -inner), fill, radius=max(0, radius - inner))


def chosen_frame(
    canvas: Canvas, box: Box, radius: float = 0, fill: str | None = None, keyline: str | None = None
) -> None:
    """The blue frame of what is chosen, its outer edge on *box*; *keyline* for dark boards."""
    if keyline:
        canvas.box(grown(box, 3), None, keyline, 4, radius + 3)
    canvas.box(box, fill, "blue", RING, radius)
    if keyline:
        canvas.box(grown(box, -RING), None, keyline, 3, max(0, radius - RING))


def free(canvas: Canvas, box: Box, keyline: str | None = None, arm: float = 17) -> None:
    """Four blue corners inside *box*: what stands there may be chosen."""
    left, top, right, bottom = grown(box, -4)
    for x, across in ((left, 1), (right, -1)):
        for y, down in ((top, 1), (bottom, -1)):
            corner = [(x, y + down * arm), (x, y), (x + across * arm, y)]
            if keyline:
                canvas.line(corner, keyline, 8)
            canvas.line(corner, "blue", 4.5)


def victory(canvas: Canvas, box: Box, radius: float = 0, fill: str | None = None) -> None:
    """The gold frame of what has won, with ink on both sides, its outer edge on *box*."""
    canvas.box(box, None, "line", KEYLINE + 1, radius)
    inner = grown(box, -KEYLINE)
    canvas.box(inner, None, "gold", RING, max(0, radius - KEYLINE))
    inner = grown(inner, -RING)
    canvas.box(inner, fill, "line", KEYLINE, max(0, radius - KEYLINE - RING))


def danger(canvas: Canvas, x: float, y: float, radius: float) -> None:
    """Two red rings with white between them, the outer one at *radius*."""
    canvas.disc(x, y, radius, None, "white", 14)
    canvas.disc(x, y, radius, None, "red", 5)
    canvas.disc(x, y, radius - 9, None, "red", 4)


def lozenge(
    canvas: Canvas,
    x: float,
    y: float,
    letter: str,
    px: float = 28,
    face: str = "white",
    rim: str = "blue",
    ink: str = "line",
) -> None:
    """The white lozenge of a target, centred on (x, y), with the letter its button bears."""
    half, high = lozenge_size(letter, px)
    canvas.box((x - half, y - high, x + half, y + high), face, rim, 3.5, 9)
    canvas.text(x, y, letter, px, ink)


def lozenge_size(letter: str, px: float = 28) -> tuple[float, float]:
    """Half the width and half the height of the lozenge with *letter*."""
    high = round(px * 0.68)
    return (max(high, round(fonts.width(letter, px) / 2 + 10)), high)


def arrow(canvas: Canvas, way: Points, width: float = 11, head: float = 30) -> None:
    """An arrow along *way* in amber, outlined so that it stands out on any ground."""
    shaft, tip = cut_back(way, head * 0.8), arrow_head(way, head, head * 1.2)
    canvas.line(shaft, "line", width + 2 * KEYLINE)
    canvas.polygon(tip, "line", "line", 2 * KEYLINE)
    canvas.line(shaft, "amber", width)
    canvas.polygon(tip, "amber")


def victory_star(
    canvas: Canvas,
    x: float,
    y: float,
    radius: float = 17,
    share: float = 1.0,
    empty: str = "white",
    rim: str = "line",
) -> None:
    """The star before a name when all is over: gold as far as *share* of it was won."""
    outline = star(x, y, radius, radius * 0.48)
    canvas.polygon(outline, rim, rim, 5)
    canvas.polygon(outline, "gold" if share == 1 else empty)
    if 0 < share < 1:
        left = [(x - 2 * radius, y - 2 * radius), (x + (2 * share - 1) * radius, y - 2 * radius)]
        right = [(px, y + 2 * radius) for px, _ in reversed(left)]
        with canvas.within([*left, *right]):
            canvas.polygon(outline, "gold")


def white_flag(canvas: Canvas) -> None:
    """The flag of who has resigned, about the origin."""
    canvas.line([(-13, -19), (-13, 20)], "ink", 5)
    canvas.polygon([(-11, -18), (2, -14), (17, -18), (17, 4), (2, 8), (-11, 4)], "white", "line", 3)


def hourglass(canvas: Canvas) -> None:
    """The hourglass of who ran out of time, about the origin: all sand lies below."""
    for side in (-1, 1):
        canvas.polygon([(-13, 17 * side), (13, 17 * side), (2, 0), (-2, 0)], "white", "line", 3)
    canvas.polygon([(-10, 15), (10, 15), (4, 6), (-4, 6)], "amber")
    for y in (-18, 18):
        canvas.line([(-14, y), (14, y)], "ink", 5)


def even(canvas: Canvas) -> None:
    """The sign of a draw, about the origin: both sides weigh the same."""
    canvas.disc(0, 0, 20, "white", "line", 3)
    for y in (-6, 6):
        canvas.line([(-9, y), (9, y)], "line", 5)
