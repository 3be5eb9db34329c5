"""Sheets of paper, and what stands at the foot of each: which sheet it is, and a ruler."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from PIL import Image, ImageDraw

from render.paper.styled_text import Style, written

DPI = 300
INCH = 25.4

MARGIN = 10.0
"""What most printers leave white along the edges."""

FOOT = 12.0
"""The height of the foot."""

RULER = 100.0
"""The ruler that tells whether a printer has made the sheet smaller."""

SMALL = 8.0
"""The size of the words at the foot, in points."""

CUT, FOLD = "#8A8A8A", "#404040"
"""The inks of lines that are cut and folded."""


@dataclass(frozen=True)
class Paper:
    """A size of paper."""

    width: float
    height: float

    @property
    def room(self) -> tuple[float, float]:
        """The width and height between the margins, above the foot."""
        return self.width - 2 * MARGIN, self.height - 2 * MARGIN - FOOT


PAPERS = {"a4": Paper(210.0, 297.0), "letter": Paper(215.9, 279.4)}


def dots(length: float) -> int:
    """*length* in dots."""
    return round(length * DPI / INCH)


def points(size: float) -> float:
    """A *size* of letters, in points, in dots."""
    return size * DPI / 72


class Page:
    """A sheet of *paper*, white but for what is put on it; (0, 0) is where the margins meet."""

    def __init__(self, paper: Paper) -> None:
        self.paper = paper
        self.image = Image.new("RGB", (dots(paper.width), dots(paper.height)), "white")
        self._draw = ImageDraw.Draw(self.image)

    def put(self, picture: Image.Image, left: float, top: float) -> None:
        """Put a *picture* of 300 dots an inch with its corner at (*left*, *top*)."""
        at = (dots(MARGIN + left), dots(MARGIN + top))
        self.image.paste(picture, at, picture if picture.mode == "RGBA" else None)

    def line(
        self, start: tuple[float, float], end: tuple[float, float], ink: str, dash: float = 0.0
    ) -> None:
        """A thin line across or down, in dashes of this length or whole."""
        (x, y), (to_x, to_y) = start, end
        for begins, ends in _dashes(max(to_x - x, to_y - y), dash):
            across, down = to_x > x, to_y > y
            self._draw.line(
                [
                    (dots(MARGIN + x + begins * across), dots(MARGIN + y + begins * down)),
                    (dots(MARGIN + x + ends * across), dots(MARGIN + y + ends * down)),
                ],
                fill=ink,
                width=2,
            )

    def foot(self, said: str, ruler: str = "") -> None:
        """Write what is *said* at the foot, and beside a ruler what *ruler* says of it."""
        wide, high = self.paper.room
        low = high + FOOT
        label = written([(Style.PLAIN, said)], points(SMALL))
        self.put(label, wide - label.width * INCH / DPI, low - 3.5)
        if not ruler:
            return
        self.line((0, low - 4), (RULER, low - 4), "black")
        for step in range(11):
            tall = 3 if step % 5 == 0 else 2
            self.line((10.0 * step, low - 4 - tall), (10.0 * step, low - 4), "black")
        self.put(written([(Style.PLAIN, ruler)], points(SMALL)), 0, low - 3.5)


def _dashes(length: float, dash: float) -> Iterator[tuple[float, float]]:
    if not dash:
        yield 0.0, length
        return
    at = 0.0
    while at < length:
        yield at, min(at + dash, length)
        at += 2 * dash
