"""The page on a desk: its keys are told, and the board is as large as one wants it."""

import pytest

from tests.drives.browsing import (
    browser_of,
    chromium,
    come_in,
    open_table,
    prefer,
    program,
    until,
)

__all__ = ["chromium", "program"]

DESK = {"viewport": {"width": 1280, "height": 800}}
WIDE = "document.querySelector('#board > .pic').clientWidth"


@pytest.mark.slow
def test_a_question_mark_shows_the_keys_and_the_handle_makes_the_board_smaller(program, chromium):
    with browser_of(chromium, **DESK) as context:
        page = come_in(context, program.address, "Nerea")
        open_table(page, "/jugar niya ordenador nivel=1")
        page.wait_for_selector("#board > .pic img")
        page.fill("#input", "")
        page.keyboard.press("?")
        assert page.input_value("#input") == "?"
        page.fill("#input", "")
        page.evaluate("document.activeElement.blur()")
        page.keyboard.press("?")
        page.wait_for_selector("#keys[open]")
        assert page.evaluate("document.activeElement.textContent") == "Cerrar"
        page.keyboard.press("Escape")
        page.wait_for_selector("#keys", state="detached")
        page.keyboard.press("/")
        assert page.evaluate("document.activeElement.id") == "input"
        page.evaluate("document.activeElement.blur()")
        before, told = (
            page.evaluate(WIDE),
            page.evaluate("document.querySelectorAll('.say').length"),
        )
        grip = page.locator("#board > .pic .grip").bounding_box()
        page.mouse.move(grip["x"] + 12, grip["y"] + 12)
        page.mouse.down()
        page.mouse.move(grip["x"] + 12 - before / 4, grip["y"] + 12, steps=5)
        page.mouse.up()
        until(page, f"Math.abs({WIDE} - {before * 0.75}) < 4")
        page.keyboard.press("+")
        until(page, f"Math.abs({WIDE} - {before * 0.8}) < 4")
        assert page.evaluate("document.querySelectorAll('.say').length") == told
        page.reload()
        page.wait_for_selector("#board > .pic img")
        until(page, f"Math.abs({WIDE} - {before * 0.8}) < 4")
        page.focus("#board > .pic .grip")
        page.keyboard.press("End")
        until(page, f"{WIDE} === {before}")


@pytest.mark.slow
def test_letters_open_doors_and_panels_unless_the_player_does_without_them(program, chromium):
    with browser_of(chromium, **DESK) as context:
        page = come_in(context, program.address, "Nerea")
        for key, path in (("t", "tournaments"), ("c", "people"), ("i", "")):
            page.keyboard.press("g")
            page.keyboard.press(key)
            until(page, "path => location.pathname.endsWith(`/${path}`)", path)
        page.click(".try >> nth=0")
        until(page, "location.pathname.includes('/t/')")
        page.wait_for_selector("#board .spot[data-spot]")
        page.evaluate("document.activeElement.blur()")
        page.keyboard.press("t")
        assert page.get_attribute("#to-talk", "aria-selected") == "true"
        page.keyboard.press("m")
        assert page.get_attribute("#to-moves", "aria-selected") == "true"
        page.keyboard.press("1")
        until(page, "document.querySelectorAll('#log li').length > 0")
        prefer(page, "letters", "off")
        page.keyboard.press("g")
        page.keyboard.press("t")
        page.wait_for_timeout(300)
        assert page.url.endswith("/settings")


@pytest.mark.slow
def test_the_keyboard_goes_on_from_what_is_looked_at(program, chromium):
    with browser_of(chromium, **DESK) as context:
        page = come_in(context, program.address, "Nerea")
        page.focus("#doors [data-place=learn]")
        page.keyboard.press("Enter")
        until(page, "location.pathname.endsWith('/learn')")
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.id") == "talk", "what it scrolls"
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.className") == "back"
        page.keyboard.press("Enter")
        until(page, "!location.pathname.endsWith('/learn')")
        assert page.evaluate("document.activeElement.id") == "board"
        page.reload()
        page.wait_for_selector("#games")
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.textContent") == "Ir al contenido"
