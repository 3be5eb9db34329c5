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
def test_a_film_is_played_on_the_board_and_a_card_is_seen_in_the_talk(
    program, chromium, width, height
):
    with browser_of(chromium, viewport={"width": width, "height": height}) as context:
        page = given_up(context, program.address)
        present = page.get_attribute("#board > .pic", "data-picture")
        page.click("#acts .key:has-text('Verla otra vez')")
        until(page, "document.querySelector('#again').dataset.shape === 'stop'")
        until(page, "document.querySelector('#board > .pic').dataset.picture.startsWith('past/')")
        assert page.query_selector(".film") is None
        until(
            page, "old => document.querySelector('#board > .pic').dataset.picture === old", present
        )
        if not page.is_visible("#acts"):
            page.click("#to-acts" if page.is_visible("#to-acts") else "#wide")
        page.click("#acts .key:has-text('Para compartir')")
        until(page, "document.querySelector('#talk .film[src$=png]')?.naturalWidth")


HANDED = """navigator.canShare = () => true;
navigator.share = async ({ files: [one] }) => void (window.handed = one.size > 99 && one.type);"""
"""A device that hands files to other apps; what was handed is kept."""


def test_whoever_wants_nothing_to_move_has_the_link_to_the_film_alone(program, chromium):
    with browser_of(chromium, reduced_motion="reduce") as context:
        context.add_init_script(HANDED)
        page = given_up(context, program.address)
        said(page, "/repeticion")
        page.wait_for_selector("#talk a[download$=gif]")
        page.click("#talk .say button:text-is('Compartir')")
        until(page, "window.handed === 'image/gif'")
        assert not page.is_visible("#talk .film")
        said(page, "/tarjeta")
        page.wait_for_selector("#talk .film[src$=png]", state="visible")
