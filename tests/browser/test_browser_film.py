"""What a real browser shows of a film: the pictures that were painted, where it was asked for."""

from __future__ import annotations

import base64
import hashlib
import itertools

import pytest
from PIL import Image

from bot.commands.table.film_and_card import film_frames
from bot.presenters.table.composer import Composer
from bot.presenters.table.film import reel_of, shots
from bot.presenters.table.viewers import Viewer
from games.core.shelf import shelf
from render.kit.film import FILM_COLOURS, HOP, film
from tests.drives.browsing import (
    browser_of,
    chromium,
    come_in,
    open_table,
    press,
    program,
    said,
    to_move,
    until,
)
from tests.played import tables
from tests.render.kit.test_film import seen

pytestmark = pytest.mark.slow

__all__ = ["chromium", "program"]

ADDRESS = "https://film.test/"
"""A page that may decode: browsers let only secure ones."""

SEEN = """
async (file) => {
  const data = Uint8Array.from(atob(file), (sign) => sign.charCodeAt(0));
  const decoder = new ImageDecoder({ data, type: "image/gif" });
  await decoder.tracks.ready;
  await decoder.completed;
  const seen = [];
  for (let frameIndex = 0; frameIndex < decoder.tracks.selectedTrack.frameCount; frameIndex++) {
    const { image } = await decoder.decode({ frameIndex });
    const pixels = new Uint8Array(image.allocationSize({ format: "RGBA" }));
    await image.copyTo(pixels, { format: "RGBA" });
    const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", pixels));
    seen.push([Array.from(hash, (one) => one.toString(16).padStart(2, "0")).join(""),
      image.duration / 10000]);
    image.close();
  }
  return seen;
}
"""
"""Of each part of a film: the digest of what is seen then, and its hundredths of a second."""


@pytest.mark.parametrize("key", sorted(shelf()))
def test_a_browser_shows_the_pictures_that_were_painted(chromium, key: str) -> None:
    *_, table = itertools.islice(tables(shelf()[key], looks=5), 10)
    composer = Composer(table, Viewer(None), b"k" * 32)
    frames = [*film_frames(shots(composer, reel_of(table, 6)))]
    whole, small = film(frames), film(frames, FILM_COLOURS)
    with browser_of(chromium) as context:
        page = context.new_page()
        page.route(ADDRESS, lambda route: route.fulfill(body="<p>", content_type="text/html"))
        page.goto(ADDRESS)
        shown, sent = (
            [
                one
                for one, stands in page.evaluate(SEEN, base64.b64encode(data).decode())
                if stands > HOP
            ]
            for data in (whole, small)
        )
    painted = [digest(one.picture.convert("RGB")) for one in frames]
    assert shown == [one for one, _ in itertools.groupby(painted)]
    # What is sent has fewer colours: Pillow reads the same of it as the browser.
    read = [Image.frombytes("RGB", frames[0].picture.size, data) for data, _ in seen(small)]
    assert sent == [digest(one) for one in read]


def digest(picture: Image.Image) -> str:
    """What ``SEEN`` tells of *picture*."""
    return hashlib.sha256(picture.convert("RGBA").tobytes()).hexdigest()


IN_VIEW = """ending => {
    const image = [...document.querySelectorAll('#talk .film')].at(-1);
    if (!image?.naturalWidth || !image.src.endsWith(ending)) return false;
    const [box, pane] = [image, image.closest('#talk')].map((one) => one.getBoundingClientRect());
    return box.width > 200 && box.height > 150 && box.top >= pane.top && box.bottom <= pane.bottom;
}"""
"""Whether the last picture in the pane is one whose address ends so, and wholly in view."""


def given_up(context, address: str):
    """The page of somebody who has given up a game of Niya."""
    page = come_in(context, address, "Nerea")
    open_table(page, "/jugar niya ordenador nivel=1")
    to_move(page)
    press(page)
    until(page, "document.querySelectorAll('#log .n').length >= 2")
    to_move(page)
    said(page, "/rendirse")
    page.click("#board .acts .danger")
    page.wait_for_selector("#board.over")
    return page


@pytest.mark.parametrize(("width", "height"), [(390, 844), (1280, 800)])
def test_film_and_card_are_seen_where_they_were_asked_for(program, chromium, width, height):
    with browser_of(chromium, viewport={"width": width, "height": height}) as context:
        page = given_up(context, program.address)
        for label, ending in (("Verla otra vez", ".gif"), ("Para compartir", ".png")):
            if not page.is_visible("#acts"):
                page.click("#to-acts" if page.is_visible("#to-acts") else "#wide")
            assert page.is_visible("#board > .pic")
            page.click(f"#acts .key:has-text('{label}')")
            until(page, IN_VIEW, ending)
            shown = page.locator("#talk .say").last
            assert "Nerea" in (shown.locator("img").get_attribute("alt") or "")
            assert (shown.locator("a").get_attribute("download") or "").endswith(ending)


def test_whoever_wants_nothing_to_move_has_the_link_to_the_film_alone(program, chromium):
    with browser_of(chromium, reduced_motion="reduce") as context:
        page = given_up(context, program.address)
        said(page, "/repeticion")
        page.wait_for_selector("#talk a[download$=gif]")
        assert not page.is_visible("#talk .film")
        said(page, "/tarjeta")
        page.wait_for_selector("#talk .film[src$=png]", state="visible")
