"""A position set up by hand on the page: by fingers, by the keyboard, and for who hears it."""

from __future__ import annotations

import pytest

from tests.browser.test_browser_hands import PHONE
from tests.browser.test_browser_layout import AXE, GRAVE
from tests.drives.browsing import browser_of, chromium, come_in, program, until

__all__ = ["chromium", "program"]

TEXT = "document.querySelector('#position input').value"


def set_up(page, game: str) -> None:
    """Begin to set up a position of *game*."""
    page.click("#doors [data-place=position]")
    page.wait_for_selector("#position")
    page.select_option("#position select", game)
    page.click("#position >> text=Ponerla a mano")
    page.wait_for_selector("#position .stamp")


def says(page, text: str) -> None:
    """Wait until the text of the position is *text*."""
    until(page, f"text => {TEXT} === text", text)


@pytest.mark.slow
def test_pieces_are_chosen_and_put_and_moves_are_tried_from_there(program, chromium):
    with browser_of(chromium, **PHONE) as context:
        page = come_in(context, program.address, "Nerea")
        set_up(page, "shogi")
        page.tap("#position >> text=Vaciar el tablero")
        says(page, "9/9/9/9/9/9/9/9/9 b - 1")
        for side, kind, place in (
            ("sente", "rey", "5i"),
            ("gote", "rey", "5a"),
            ("sente", "oro", "5c"),
        ):
            page.tap(f"#position .stamp[aria-label='{kind} · {side}']")
            page.wait_for_selector(f".stamp[aria-label='{kind} · {side}'][aria-pressed=true]")
            page.tap(f"#position .spot[data-spot='{place}']")
        says(page, "4k4/9/4G4/9/9/9/9/9/4K4 b - 1")
        page.tap("#position >> text=Deshacer")
        says(page, "4k4/9/9/9/9/9/9/9/4K4 b - 1")
        page.tap("#position >> text=Probar jugadas")
        page.wait_for_selector("#position .setup", state="hidden")
        # Whichever of its ways the king may go, from where it stands or at once.
        until(page, "document.querySelector('#position .spot[data-spot^=\"5\"]')")


@pytest.mark.slow
def test_a_position_is_set_up_by_the_keyboard_and_what_is_wrong_is_said(program, chromium):
    with browser_of(chromium, viewport={"width": 320, "height": 700}) as context:
        page = come_in(context, program.address, "Nerea")
        set_up(page, "niya")
        first = page.evaluate(TEXT)
        page.focus("#position .stamp[title=rojo]")
        page.keyboard.press("Enter")
        page.wait_for_selector(".stamp[title=rojo][aria-pressed=true]")
        page.focus("#position .spot[data-spot='a4']")
        page.keyboard.press("Enter")
        until(page, f"text => {TEXT}.startsWith('R,')", first)
        assert page.evaluate("document.activeElement.dataset.spot") == "a4"
        until(page, "document.getElementById('live').textContent.includes('A4')")
        page.keyboard.press("ArrowRight")
        page.keyboard.press("Enter")
        until(page, "document.querySelector('.wrong').textContent.endsWith('.')")
        assert page.get_attribute(".wrong", "role") == "status"
        assert page.evaluate("document.documentElement.scrollWidth") <= 320
        if AXE.exists():
            page.evaluate(AXE.read_text())
            assert page.evaluate(GRAVE) == []
