"""Small things that a player stumbles over: where the keyboard is, what moves, what a tap meets."""

from __future__ import annotations

import pytest

from tests.drives.browsing import (
    browser_of,
    chromium,
    come_in,
    eventually,
    invited,
    open_table,
    press,
    said,
    to_move,
    until,
)

__all__ = ["chromium"]

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True}
FOCUSED = (
    "document.activeElement !== document.body && document.activeElement.getClientRects().length"
)


def press_by_key(page, selector: str) -> None:
    """Go to *selector* and press it with the keyboard, as whoever has no pointer does."""
    page.wait_for_selector(selector)
    page.focus(selector)
    page.keyboard.press("Enter")


@pytest.mark.slow
def test_the_keyboard_goes_on_from_what_came_in_place_of_what_it_was_on(program, chromium):
    with browser_of(chromium) as context, browser_of(chromium) as others:
        page = context.new_page()
        page.goto(program.address)
        page.wait_for_selector("#name")
        page.keyboard.type("Nerea")
        page.keyboard.press("Enter")
        page.wait_for_selector("#games .cover")
        until(
            page, f"{FOCUSED} && document.activeElement.contains(document.querySelector('#games'))"
        )
        open_table(page, "/jugar storilljudhjorrayc")
        until(invited(page, others, "Bea"), FOCUSED)
        press_by_key(page, "#acts .key:has-text('¡Listo!')")
        page.wait_for_selector("#acts .key:has-text('¡Listo!')", state="detached")
        until(page, f"{FOCUSED} && document.activeElement.closest('#board')")


@pytest.mark.slow
def test_after_a_game_the_keyboard_goes_on_from_the_board_of_the_next(program, chromium):
    with browser_of(chromium) as context:
        page = come_in(context, program.address, "Nerea")
        code = open_table(page, "/jugar niya ordenador nivel=1")
        to_move(page)
        said(page, "/rendirse")
        press_by_key(page, "#board .acts .danger")
        page.wait_for_selector("#board.over")
        until(page, FOCUSED)
        press_by_key(page, "#acts .key:has-text('Revancha')")
        until(page, "old => !document.getElementById('code').textContent.includes(old)", code)
        until(page, f"{FOCUSED} && document.activeElement.closest('#board')")


@pytest.mark.slow
def test_whoever_enters_a_tournament_by_keys_goes_on_from_its_sheet(program, chromium):
    with browser_of(chromium) as context:
        page = come_in(context, program.address, "Nerea")
        page.click("a[data-place=tournaments]:visible")
        page.click(".sheet [data-code]")
        page.click("#talk .card .key:has-text('Niya')")
        page.click("text=Abrir el torneo")
        press_by_key(page, "#talk .key:has-text('Apuntarme')")
        page.wait_for_selector("#talk .key:has-text('Apuntarme')", state="detached")
        until(page, f"{FOCUSED} && document.activeElement.closest('#talk')")


@pytest.mark.parametrize(("width", "height"), [(390, 844), (1280, 800)])
def test_what_is_chosen_among_the_settings_stays_below_the_finger(program, chromium, width, height):
    with browser_of(chromium, viewport={"width": width, "height": height}) as context:
        page = come_in(context, program.address, "Nerea")
        page.click("a[data-place=settings]:visible")
        page.wait_for_selector("#preferences")
        labels = page.locator("#talk .card:not(#preferences) .form label:has(input:not(:checked))")
        for number in (0, labels.count() // 2, labels.count() - 1):
            label = labels.nth(number).element_handle()
            label.scroll_into_view_if_needed()
            before = label.bounding_box()["y"]
            label.click()
            eventually(page, lambda one=label: one.query_selector("input:checked"), "it is chosen")
            page.wait_for_timeout(600)
            assert abs(label.bounding_box()["y"] - before) < 2


def test_a_film_that_stands_still_by_the_wish_of_the_system_begins_by_a_press(program, chromium):
    with browser_of(chromium, reduced_motion="reduce") as context:
        page = context.new_page()
        page.goto(f"http://127.0.0.1:{program.port}/")
        shown = "document.querySelector('#film img').currentSrc"
        assert page.locator("#film .key:visible").first.text_content() == "Ponerla en marcha"
        page.click("#film .key:has-text('Ponerla en marcha')")
        until(page, f"{shown}.includes('/film-')")
        page.click("#film .key:has-text('Parar')")
        until(page, f"{shown}.includes('/poster-')")
        assert page.locator("#film .key:visible").first.text_content() == "Ponerla en marcha"


def test_the_sign_of_the_house_leads_to_the_top_of_the_first_screen(program, chromium):
    with browser_of(chromium, **PHONE) as context:
        page = context.new_page()
        page.goto(f"http://127.0.0.1:{program.port}/?stop#film")
        page.click("header img")
        until(page, "scrollY === 0 && !location.search")
        page = come_in(context, program.address, "Nerea")
        page.evaluate("document.querySelector('#talk').scrollTop = 400")
        page.click(".brand")
        until(page, "document.querySelector('#talk').scrollTop === 0")
        page.click("a[data-place=settings]:visible")
        page.wait_for_selector("#preferences")
        page.click(".brand")
        page.wait_for_selector("#games .cover")


@pytest.mark.parametrize("width", [320, 360, 390, 412, 430])
def test_half_an_entry_says_that_the_menu_of_a_phone_goes_on(program, chromium, width):
    with browser_of(chromium, viewport={"width": width, "height": 844}) as context:
        page = come_in(context, program.address, "Nerea")
        page.wait_for_selector("#doors a >> nth=10")
        lefts = page.eval_on_selector_all("#doors a", "all => all.map((one) => one.offsetLeft)")
        wide = page.evaluate("document.querySelector('#doors a').offsetWidth")
        cut = [one for one in lefts if one + wide * 0.25 < width < one + wide * 0.75]
        assert len(cut) == 1, lefts


def test_nothing_covers_the_code_of_a_table_that_waits(program, chromium):
    with browser_of(chromium, **PHONE) as context:
        page = come_in(context, program.address, "Nerea")
        open_table(page, "/jugar parchis")
        page.wait_for_selector("#acts .waiting img.qr")
        assert not page.text_content("#status")


def test_the_key_to_another_table_is_not_there_for_a_finger_that_comes_twice(program, chromium):
    with browser_of(chromium) as context:
        page = come_in(context, program.address, "Nerea")
        for _ in range(2):
            open_table(page, "/jugar niya ordenador nivel=1")
            to_move(page)
        page.evaluate(
            """() => new MutationObserver(() => {
                const key = document.querySelector('#acts [data-key=next]');
                if (key) window.seen = [...window.seen ?? [], getComputedStyle(key).visibility];
            }).observe(document.querySelector('#acts'), { childList: true, subtree: true })"""
        )
        while not page.evaluate("window.seen"):
            press(page)
            page.wait_for_timeout(400)
        assert page.evaluate("window.seen[0]") == "hidden"
