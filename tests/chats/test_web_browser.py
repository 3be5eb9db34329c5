"""Whole games in a real browser against the real program, killed in the middle."""

import re
from pathlib import Path

import pytest

from tests.drives.browsing import (
    PACE,
    TO_CHOOSE,
    browser_of,
    chromium,
    come_in,
    fits,
    invited,
    listed,
    open_table,
    played,
    press,
    program,
    to_move,
    until,
)

__all__ = ["chromium", "program"]


@pytest.mark.slow
@pytest.mark.parametrize("to_the_end", [False, True], ids=["short", "whole"])
def test_the_program_is_killed_in_the_middle_and_nothing_is_lost(program, chromium, to_the_end):
    with browser_of(chromium) as here, browser_of(chromium, color_scheme="dark") as there:
        nerea = come_in(here, program.address, "Nerea")
        table = open_table(nerea)
        bruno = invited(nerea, there, "Bruno")
        before = 2 if to_the_end else 1
        for _ in range(before):
            page = to_move(nerea, bruno)
            press(page)
            played(page)
        mover = to_move(nerea, bruno)
        listed(mover, before)
        program.kill()
        mover.wait_for_selector("#status.bad")
        assert "Sin conexión" in mover.text_content("#status")
        # Pressed while nobody listens, twice: it is sent when somebody does, and done once.
        press(mover)
        press(mover)
        program.start()
        played(mover)
        other = nerea if mover is bruno else bruno
        other.wait_for_selector(TO_CHOOSE)
        listed(mover, before + 1)
        assert other.text_content("#code") == f"mesa {table}"
        # A fresh page knows it all again, and the game goes on to its end.
        other.reload()
        other.wait_for_selector(TO_CHOOSE)
        while to_the_end and (page := to_move(nerea, bruno)):
            press(page)
            played(page)
        # The new first address leads whoever is known home, and lets one more person in.
        page = there.new_page()
        page.goto(program.address)
        page.wait_for_selector("#rename")  # which waits for the page that is led to
        until(page, "document.querySelector('#rename')?.textContent === 'Bruno'")
        with browser_of(chromium) as elsewhere:
            eva = come_in(elsewhere, program.address, "Eva")
            assert eva.text_content("#rename") == "Eva"


@pytest.mark.slow
def test_a_game_typed_with_completions(program, chromium):
    with browser_of(chromium) as here, browser_of(chromium) as there:
        nerea = come_in(here, program.address, "Nerea")
        nerea.keyboard.press("/")
        nerea.fill("#input", "/ju")
        nerea.wait_for_selector("#options li")
        nerea.press("#input", "Tab")
        assert nerea.input_value("#input") == "/jugar "
        nerea.wait_for_selector("#options li >> text=Niya")
        nerea.press("#input", "n")
        nerea.click("#options li >> text=Niya")
        assert nerea.input_value("#input") == "/jugar niya "
        nerea.press("#input", "Enter")
        until(nerea, "!document.body.classList.contains('home')")
        bruno = invited(nerea, there, "Bruno")
        first = True
        while page := to_move(nerea, bruno):
            step = page.get_attribute("#board .spot >> nth=0", "data-spot")
            if first:
                page.fill("#input", "zz")
                page.press("#input", "Enter")
                assert "zz" in page.text_content(".say.bad")
                page.fill("#input", step[0].lower())
                page.wait_for_selector(f"#options li >> text={step[0]}")
                page.press("#input", "ArrowDown")
                page.press("#input", "Enter")
                assert re.fullmatch(f"{step[0]}.", page.input_value("#input"))
            else:
                page.fill("#input", step)
            page.press("#input", "Enter")
            played(page)
            first = False
        page = nerea
        page.fill("#input", "/acta")
        page.press("#input", "Enter")
        with page.expect_download() as waiting:
            page.click("text=Descargar")
        assert (
            "Game" in Path(waiting.value.path()).read_text()
            or "niya" in Path(waiting.value.path()).read_text()
        )


@pytest.mark.slow
def test_a_game_against_the_computer_with_the_keyboard_alone(program, chromium):
    with browser_of(chromium, viewport={"width": 360, "height": 740}) as context:
        page = come_in(context, program.address, "Nerea")
        page.focus('#games .cover:has-text("Niya")')
        page.keyboard.press("Enter")
        page.wait_for_selector(".card .key.good")
        page.focus(".card .key.good")
        page.keyboard.press("Enter")
        moves = 0
        while to_move(page):
            if not page.evaluate("document.activeElement.closest('#board .keys, #board .pic')"):
                assert moves == 0, "the focus was lost when the board was drawn anew"
                page.focus("#board .spot >> nth=0")
            step = page.evaluate("(({ spot, key }) => spot ?? key)(document.activeElement.dataset)")
            page.keyboard.press("Enter")
            # The picture of a board is there before its choices: until then the old ones are.
            gone = "step => !document.querySelector(`[data-spot='${step}'], [data-key='${step}']`)"
            until(page, gone, step)
            # A second press so soon after one that has played is taken for a slip.
            page.wait_for_timeout(2 * PACE)
            moves += 1
            fits(page)
        assert 2 <= moves <= 8
        until(page, "document.querySelector('#live').textContent.length > 10")


@pytest.mark.slow
def test_the_page_follows_the_theme_and_the_language(program, chromium):
    with browser_of(chromium, locale="en-GB") as context:
        page = come_in(context, program.address, "Ann")
        assert page.get_attribute("html", "lang") == "en"
        page.keyboard.press("/")
        page.fill("#input", "/play niya computer")
        page.press("#input", "Enter")
        page.wait_for_selector(TO_CHOOSE)
        until(page, "document.title.startsWith('▶ Your turn · Niya')")
        light = page.get_attribute("#board > .pic", "data-picture")
        page.emulate_media(color_scheme="dark")
        until(page, "old => document.querySelector('#board > .pic').dataset.picture !== old", light)
        page.fill("#input", "/language es")
        page.press("#input", "Enter")
        until(page, "document.documentElement.lang === 'es'")
        until(page, "document.title.startsWith('▶ Te toca')")
        assert page.get_attribute("#board .pic img", "alt")
