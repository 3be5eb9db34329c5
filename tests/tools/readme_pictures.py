"""The three pictures of the README: ``python -m tests.tools.readme_pictures`` takes them anew.

They are what ``ludoteca demo`` shows in a Chromium as wide as a phone: its front page with the
puzzle, the films of its games, and a game against the computer. The film that stands above them is
made by ``tests.render.golden``. Needs the chromium of the system, and Playwright's Python package.
"""

from __future__ import annotations

import io
import tempfile
from itertools import product
from pathlib import Path
from typing import Any

from PIL import Image

from tests.live_bot import running_demo

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "pictures"
VIEW = {"width": 390, "height": 844}
"""A common phone, in pixels of its browser."""

SHARPNESS = 1.5
"""Pixels of a picture to one of the browser: the README shows them three in a row."""

COLOURS = 128

OPENING = ("7g7f", "2g2f", "2f2e", "6i7h")
"""Moves of sente in shogi, which the easiest computer lets happen."""

SETTLED = 1500
"""Milliseconds after which nothing on the page moves any more."""

UNDER_WAY = 9000
"""Milliseconds after which the films of the front page are in the middle of their games."""

LOCALES = {"en": "en-US", "es": "es-ES"}


def small(shot: bytes) -> bytes:
    """*shot*, a PNG, in few colours."""
    out = io.BytesIO()
    with Image.open(io.BytesIO(shot)) as whole:
        few = whole.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
    few.save(out, "PNG", optimize=True)
    return out.getvalue()


def front_page(page: Any) -> None:
    """Nothing is to be done: it is what the demo opens with."""


def games(page: Any) -> None:
    """Go down to the films of the games, and wait until they are under way."""
    page.evaluate("document.querySelector('a[href*=cirya] img').scrollIntoView()")
    page.evaluate("scrollBy(0, -42)")
    page.wait_for_timeout(UNDER_WAY)


def table(page: Any) -> None:
    """Sit down against the easiest computer at shogi, and play the opening."""
    from tests.drives.browsing import open_table, played, said, until

    page.click("a[href*='door/guest']")
    open_table(page, "/play shogi sente computer level 1")
    for move in OPENING:
        until(page, "document.querySelector('#board .spot[data-spot]')")
        said(page, f"/move {move}")
        played(page)
    until(page, "document.querySelector('#board .spot[data-spot]')")
    page.click("#to-acts")


PICTURES = {"door": front_page, "games": games, "table": table}
"""What is done before each picture, by its name."""


def main() -> None:
    """Take the pictures in every language."""
    from tests.drives.browsing import browser_of, started

    view = {"viewport": VIEW, "device_scale_factor": SHARPNESS, "is_mobile": True}
    with (
        tempfile.TemporaryDirectory() as folder,
        running_demo(Path(folder)) as (_, port),
        started() as chromium,
    ):
        for name, code in product(PICTURES, LOCALES):
            with browser_of(chromium, locale=LOCALES[code], **view) as context:
                page = context.new_page()
                page.goto(f"http://127.0.0.1:{port}/")
                PICTURES[name](page)
                page.wait_for_timeout(SETTLED)
                shot = small(page.screenshot())
            (FOLDER / f"{name}-{code}.png").write_bytes(shot)
            print(name, code, len(shot))


if __name__ == "__main__":
    main()
