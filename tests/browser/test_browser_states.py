"""Every state of the page: nobody meets a barrier there, and the board stays wholly in view."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.browser.test_browser_layout import AXE, GRAVE, SIZES, everywhere
from tests.drives.browsing import (
    browser_of,
    chromium,
    come_in,
    eventually,
    open_table,
    prefer,
    press,
    program,
    said,
    to_move,
    until,
)

__all__ = ["chromium", "program"]

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True}
GAMES = ("niya", "cirya", "shogi", "parchis", "storilljudhjorrayc")


def key(page: Any, step: str) -> None:
    """Press the button of the page itself that does *step*."""
    page.click("#to-acts")
    page.click(f"#acts [data-key={step}]")


def home(page: Any, language: str) -> Iterator[str]:
    """What the page shows where games are chosen."""
    yield "the shelf"
    page.click("#games .cover >> nth=0")
    page.wait_for_selector("#talk .card .form fieldset >> visible=true")
    yield "a sheet"
    page.click("#talk .back")
    page.click("a[data-place=settings]:visible")
    page.wait_for_selector("#talk .card .form fieldset >> visible=true")
    page.wait_for_selector("#devices li")
    yield "the settings"
    page.click("#named .key")
    page.wait_for_selector("#asked")
    yield "another name"
    page.click("#asked button")
    page.wait_for_selector("#asked", state="detached")
    page.click("#talk .back")
    page.wait_for_selector("#games .cover")
    page.keyboard.press("/")
    page.fill("#input", "/")
    page.wait_for_selector("#options li")
    yield "completions"
    page.fill("#input", "")


def alone(page: Any, language: str) -> Iterator[str]:
    """What the page shows at tables against the computer, and when a game is over."""
    for game in GAMES:
        if not page.is_visible("#games"):
            page.click("#new")
        open_table(page, f"/play {game} computer level=1")
        to_move(page)
        page.wait_for_selector("#board > .pic img")
        yield f"{game}: choices"
        for tab in ("moves", "book", "talk"):
            page.click(f"#to-{tab}")
            if tab == "book":
                page.wait_for_selector("#book .book")
            yield f"{game}: the pane {tab}"
        page.click("#wide")
        yield f"{game}: a wider pane"
        page.click("#wide")
        said(page, "zz")
        page.wait_for_selector(".say.bad >> visible=true")
        yield f"{game}: an error"
    page.click("#new")
    prefer(page, "confirm", "1")
    open_table(page, "/play niya computer level=1")
    to_move(page)
    page.click("#to-acts")
    press(page)
    page.wait_for_selector("#acts .key.final")
    yield "sure of a move"
    page.click("#acts .key.final")
    page.click("#new")
    prefer(page, "confirm", "")
    open_table(page, "/play niya computer level=1")
    while to_move(page):
        page.click("#to-acts")
        before = page.evaluate("document.querySelectorAll('#log li').length")
        press(page)
        until(page, "old => document.querySelectorAll('#log li').length > old", before)
        page.wait_for_timeout(500)
    yield "a game that is over"
    page.click("#to-moves")
    page.click("#prev")
    yield "the past"
    key(page, "if")
    page.wait_for_selector("#acts [data-key=game]")
    yield "what if"
    key(page, "game")


def together(page: Any, other: Any) -> Iterator[str]:
    """What the page shows beside somebody else."""
    if not page.is_visible("#games"):
        page.click("#new")
    open_table(page, "/play shogi")
    page.wait_for_selector("#acts .waiting img.qr")
    yield "a table that waits, with its link and code"
    key(page, "list")
    page.wait_for_selector("#acts [data-key=unlist]")
    other.click("#new")
    other.wait_for_selector(".open-tables .key")
    other.click(".open-tables .key")
    until(other, "!document.body.classList.contains('home')")
    mover = to_move(page, other)
    waits = other if mover is page else page
    waits.wait_for_selector("#board > .pic img")  # The one before may be there still, unseen.
    until(waits, "document.querySelector('#board > .pic').dataset.picture")
    waits.click("#to-acts")
    # A pawn stands for everybody where it stands for whoever is to move: boards are turned.
    pawn = mover.locator("#board .spot[data-spot='7g'], #board .spot[data-spot='3c']").first
    place = eventually(mover, pawn.bounding_box, "the pawn has a place on the picture")
    board = mover.locator("#board > .pic").bounding_box()
    x = (place["x"] + place["width"] / 2 - board["x"]) / board["width"]
    y = (place["y"] + place["height"] / 2 - board["y"]) / board["height"]
    board = eventually(
        waits, waits.locator("#board > .pic").bounding_box, "who waits sees the board"
    )
    waits.mouse.click(board["x"] + board["width"] * x, board["y"] + board["height"] * y)
    waits.wait_for_selector(".planned")
    if waits is page:
        yield "a plan"
    page.click("#to-talk")
    other.click("#to-talk")
    until(other, "!document.querySelector('.presets').hidden")
    other.click(".presets button >> nth=0")
    page.wait_for_selector("#talk .who")
    yield "talk"
    page.click("#talk .who")
    page.click(".hush:visible")
    yield "somebody is muted"


def listed(page: Any, other: Any) -> Iterator[str]:
    """Tables open to all, as others see them."""
    other.click("#new")
    open_table(other, "/play niya")
    key(other, "list")
    other.wait_for_selector("#acts [data-key=unlist]")
    page.click("#new")
    page.wait_for_selector(".open-tables .key")
    yield "open tables"


@pytest.fixture
def two(program, chromium, request):
    """Two people who have come in, the first by a browser as it is asked for, and his language."""
    wishes, language = request.param
    locale = {"es": "es-ES", "en": "en-GB"}[language]
    with (
        browser_of(chromium, **PHONE, locale=locale, **wishes) as here,
        browser_of(chromium, **PHONE) as there,
    ):
        first = come_in(here, program.address, "Nerea")
        open_table(first, "/play niya")
        first.wait_for_selector("input.link")
        second = come_in(there, first.input_value("input.link"), "Bruno")
        second.wait_for_selector("#board > .pic img")
        first.click("#new")
        yield first, second, language


def states(two: tuple[Any, Any, str]) -> Iterator[str]:
    """All states in which the first of *two* can be."""
    page, other, language = two
    yield from home(page, language)
    yield from listed(page, other)
    yield from alone(page, language)
    yield from together(page, other)


LIGHT = pytest.param(({"color_scheme": "light"}, "es"), id="light-es")
OTHERS = [
    pytest.param(({"color_scheme": "dark"}, "en"), id="dark-en", marks=pytest.mark.slow),
    pytest.param(({"contrast": "more"}, "es"), id="contrast-es", marks=pytest.mark.slow),
    pytest.param(({"forced_colors": "active"}, "en"), id="forced-en", marks=pytest.mark.slow),
]


@pytest.mark.slow
@pytest.mark.timeout(7200)
@pytest.mark.skipif(not AXE.exists(), reason="npm install has not brought axe-core")
@pytest.mark.parametrize("two", [LIGHT, *OTHERS], indirect=True)
def test_nobody_meets_a_barrier_in_any_state(two):
    page = two[0]
    met = {}
    for state in states(two):
        for width, height in (SIZES[1], SIZES[3]):
            page.set_viewport_size({"width": width, "height": height})
            until(page, "width => innerWidth === width", width)
            page.evaluate(AXE.read_text())
            if found := page.evaluate(GRAVE):
                met[state, width] = found
        page.set_viewport_size(PHONE["viewport"])
    assert met == {}


@pytest.mark.slow
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("two", [LIGHT], indirect=True)
def test_the_board_is_wholly_in_view_in_every_state_of_a_table(two):
    page, seen = two[0], 0
    for _ in states(two):
        if page.is_visible("#board > .pic img"):
            everywhere(page)
            seen += 1
        page.set_viewport_size(PHONE["viewport"])
    assert seen > 30
