"""The page on a desk: its keys are told, and the board is as large as one wants it."""

import pytest

from tests.drives.browsing import browser_of, chromium, come_in, open_table, program, until

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
