"""The page as a house: whose turn it is on every screen, the coach, the talk, the tournaments."""

from __future__ import annotations

import os
import re
from datetime import UTC, datetime, timedelta
from io import BytesIO

import pytest
from PIL import Image

from tests.browser.test_browser_layout import AXE, GRAVE
from tests.browser.test_browser_screens import SCREENS
from tests.drives.browsing import (
    browser_of,
    chromium,
    come_in,
    invited,
    open_table,
    press,
    said,
    until,
)
from tests.slow_parameters import one_and_slowly_all, slowly

__all__ = ["chromium"]

RING = "document.querySelectorAll('.pic .advised').length === 1"
LEADS = "[...document.querySelectorAll('#status .key')].some((one) => /paso/.test(one.textContent))"
SHOTS = os.environ.get("LUDOTECA_SHOTS", "")
"""Where pictures of what was looked at are kept, if anywhere."""


def shoot(page, name: str) -> None:
    if SHOTS:
        page.screenshot(path=f"{SHOTS}/{name}.png")


def ringed(page) -> bool:
    """Whether the ring of the coach is painted where it stands."""
    data = page.locator(".pic .advised").screenshot()
    with Image.open(BytesIO(data)) as shown:
        colours = {one[1][:3] for one in shown.convert("RGB").getcolors(shown.width * shown.height)}
    return (0x6B, 0x2F, 0xB3) in colours


@pytest.fixture(scope="module")
def nerea(chromium, program):
    """The first of the house, in a browser of her own, and where her page is."""
    with browser_of(chromium) as context:
        page = come_in(context, program.address, "Nerea")
        yield page, page.url


@pytest.mark.parametrize(
    ("width", "screens"),
    [(1280, SCREENS[::2]), (390, SCREENS[1::2]), *slowly([1280, 390], SCREENS)],
)
def test_the_tables_and_whose_turn_it_is_are_seen_on_every_screen(nerea, width, screens):
    page, base = nerea
    page.set_viewport_size({"width": width, "height": 844})
    page.goto(base)
    until(page, "!document.body.classList.contains('early')")
    code = open_table(page, "/jugar niya rival=ordenador nivel=1 bando=rojo empieza=rojo")
    until(page, "document.title.startsWith('▶')")
    for path in screens:
        page.goto(base + path.replace("TABLE", code))
        until(page, "document.querySelector('#tables .t.me')?.getClientRects().length > 0")
        until(page, "document.title.startsWith('▶ Te toca · Niya · ')")
        box = page.evaluate(
            "(({ left, top, right, bottom }) => [left, top, right - innerWidth, bottom -"
            " innerHeight])(document.querySelector('#tables .t.me').getBoundingClientRect())"
        )
        assert box[0] >= 0 > box[2], (path, box)
        assert box[1] >= 0 > box[3], (path, box)
        assert page.title().endswith("Torneos · Ludoteca") or path != "tournaments"
        shoot(page, f"{path.replace('/', '-')}-{width}")


def test_the_coach_rings_one_place_and_a_refusal_leads_to_its_step(nerea):
    page, base = nerea
    page.set_viewport_size({"width": 1280, "height": 900})
    page.goto(base)
    until(page, "!document.body.classList.contains('early')")
    open_table(page, "/jugar niya rival=ordenador nivel=1 bando=rojo empieza=rojo")
    until(page, RING)
    assert "Toca una carta del borde" in page.text_content("#acts")
    assert ringed(page), "the ring is seen above the pieces"
    shoot(page, "coach")
    box = page.query_selector(".pic").bounding_box()
    page.mouse.click(box["x"] + box["width"] * 0.4, box["y"] + box["height"] * 0.42)
    until(page, LEADS)
    shoot(page, "refused")
    page.click("#status .key")
    until(page, "location.pathname.endsWith('/learn/niya')")
    until(page, "document.querySelector('#talk h2')?.textContent.includes('paso 1 de')")
    shoot(page, "step")


def test_members_read_at_once_what_is_said_while_they_write(nerea, chromium):
    page, base = nerea
    page.goto(f"{base}people")
    page.wait_for_selector(".sheet form input")
    page.fill(".sheet form input", "Yo, en cin")
    with browser_of(chromium) as other:
        # The same person on another device hears it as everybody does.
        other.add_cookies(page.context.cookies())
        second = other.new_page()
        second.goto(f"{base}people")
        second.wait_for_selector(".sheet form input")
        second.fill(".sheet form input", "¿Alguien para una de Niya?")
        second.press(".sheet form input", "Enter")
        until(page, "document.querySelector('.sheet').textContent.includes('Alguien para una')")
        assert second.input_value(".sheet form input") == ""
    assert page.input_value(".sheet form input") == "Yo, en cin"
    assert page.evaluate("document.activeElement === document.querySelector('.sheet form input')")
    shoot(page, "people")


def test_a_dated_tournament_counts_down_on_the_list_and_at_the_front_door(nerea, chromium):
    page, base = nerea
    page.goto(f"{base}tournaments")
    page.click(".sheet [data-code]")
    page.click("#talk .card .key:has-text('Niya')")
    page.wait_for_selector("text=Abrir el torneo")
    at = datetime.now(UTC) + timedelta(hours=2)
    said(page, f"/tournament start={at:%H:%M}")
    page.wait_for_selector(".card time")
    page.click("text=Abrir el torneo")
    page.wait_for_selector("text=Apuntarme")
    counting = "/\\(\\d\\d:\\d\\d:\\d\\d\\)/.test(document.querySelector('main time')?.textContent)"
    page.goto(f"{base}tournaments")
    until(page, counting)
    shoot(page, "list")
    with browser_of(chromium, viewport={"width": 390, "height": 844}) as strangers:
        door = strangers.new_page()
        door.goto(re.match(r"https?://[^/]+/", base)[0])
        until(door, counting)
        first = door.text_content("main time")
        until(door, "old => document.querySelector('main time').textContent !== old", first)
        left = [_seconds(one) for one in (first, door.text_content("main time"))]
        assert 0 < left[0] - left[1] < 60
        door.locator("main time").scroll_into_view_if_needed()
        shoot(door, "door")


def test_after_a_move_one_key_leads_to_another_table_that_waits_for_one(nerea, chromium):
    page, base = nerea
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(base)
    until(page, "!document.body.classList.contains('early')")
    open_table(page, "/jugar niya rival=ordenador nivel=1 bando=rojo empieza=rojo")
    until(page, "document.title.startsWith('▶')")
    here = open_table(page, "/jugar niya bando=rojo empieza=rojo")
    with browser_of(chromium) as there:
        invited(page, there, "Bruno").close()
        until(page, "document.querySelector('#tables .t.me[aria-current]')")
        assert page.query_selector("#acts [data-key=next]") is None, "it is one's own turn here"
        press(page)
        page.wait_for_selector("#acts [data-key=next]")
        shoot(page, "next")
        assert page.text_content("#acts [data-key=next]") == "Otra mesa"
        page.click("#acts [data-key=next]")
        until(page, "old => !document.getElementById('code').textContent.includes(old)", here)
        until(page, "document.querySelector('#tables .t.me[aria-current]')")
        page.wait_for_selector("#board .spot[data-spot]")


@pytest.mark.skipif(not AXE.exists(), reason="npm install has not brought axe-core")
@pytest.mark.parametrize("look", one_and_slowly_all(["light", "dark"]))
def test_nobody_meets_a_barrier_in_what_strangers_read(program, chromium, look):
    origin, met = re.match(r"https?://[^/]+", program.address)[0], {}
    with browser_of(chromium, color_scheme=look) as strangers:
        page = strangers.new_page()
        for path in (
            "/",
            "/rules",
            "/rules/shogi",
            "/rules/niya?language=en",
            "/today",
            "/today/1",
        ):
            page.goto(f"{origin}{path}")
            for width in (320, 390, 1280):
                page.set_viewport_size({"width": width, "height": 844})
                until(page, "width => innerWidth === width", width)
                page.evaluate(AXE.read_text())
                found = page.evaluate(GRAVE)
                if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
                    found.append("wider than the screen")
                if found:
                    met[path, width] = found
            shoot(page, f"strangers-{path.split('?')[0].replace('/', '-')}-{look}")
    assert met == {}


def _seconds(text: str) -> int:
    hours, minutes, seconds = map(int, re.search(r"\((\d+):(\d+):(\d+)\)", text).groups())
    return (hours * 60 + minutes) * 60 + seconds
