"""What a real browser shows of a film: the very pictures that were painted."""

from __future__ import annotations

import base64
import hashlib
import itertools

import pytest
from PIL import Image

from bot.screen.composer import Composer
from bot.screen.replay import reel, shots
from bot.screen.viewers import Viewer
from games.core.shelf import shelf
from render import paint
from render.kit.film import FEW, HOP, Frame, film
from tests.drives.browsing import browser_of, chromium
from tests.played import tables
from tests.render.kit.test_film import seen

__all__ = ["chromium"]

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
    frames = [Frame(paint(one.scene), one.stands) for one in shots(composer, reel(table, 6))]
    whole, small = film(frames), film(frames, FEW)
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
