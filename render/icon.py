"""The icon of the program as a PNG file, for places that take no SVG."""

from __future__ import annotations

from PIL import Image, ImageDraw

from render.kit.output import optimised_png

GROUND, LINE = "#26221D", "#F2EDE4"
YELLOW, BLUE, RED, GREEN = "#F5C11E", "#6FA8E6", "#EE6A60", "#5CBB78"

UNITS = 32
"""The width of the drawing in units; the page's icon.svg has the same shapes."""

FINER = 2
"""How many times larger it is painted than shown."""


def icon(size: int) -> bytes:
    """The icon as a PNG file of *size* pixels, its shapes inside a circle."""
    scale = FINER * size / UNITS
    image = Image.new("RGB", (FINER * size, FINER * size), GROUND)
    draw = ImageDraw.Draw(image)

    def at(*points: tuple[float, float]) -> list[tuple[float, float]]:
        # A fifth smaller: systems cut icons to a circle.
        middle = UNITS / 2
        return [
            ((middle + (x - middle) * 0.8) * scale, (middle + (y - middle) * 0.8) * scale)
            for x, y in points
        ]

    draw.ellipse(at((6, 6), (14, 14)), fill=YELLOW)
    draw.polygon(at((22, 5), (27, 10), (22, 15), (17, 10)), fill=BLUE)
    draw.polygon(at((5.5, 17.5), (14.5, 17.5), (12.3, 26.5), (7.7, 26.5)), fill=RED)
    draw.rounded_rectangle(at((18, 18), (26, 26)), radius=1.2 * scale, fill=GREEN)
    return optimised_png(image.resize((size, size), Image.Resampling.LANCZOS))
