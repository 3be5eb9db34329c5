"""People talk over a table, each before his own page, on a phone and on the desk."""

from __future__ import annotations

import pytest

from tests.browser.test_browser_layout import AXE, GRAVE, everywhere
from tests.drives.browsing import (
    browser_of,
    chromium,
    come_in,
    fits,
    invited,
    open_table,
    passing,
    program,
    to_move,
    until,
)

__all__ = ["chromium", "program"]

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


def talked(page) -> list[str]:
    return page.eval_on_selector_all(
        "#talk [data-line]", "all => all.map(one => one.innerText.replace(/\\s+/g, ' '))"
    )


@pytest.mark.slow
def test_two_people_talk_while_they_play_and_find_it_again_after_a_kill(program, chromium):
    with browser_of(chromium) as desk, browser_of(chromium, locale="en-GB", **PHONE) as phone:
        nerea = come_in(desk, program.address, "Nerea")
        open_table(nerea, "/jugar cirya")
        bruno = invited(nerea, phone, "Bruno")
        # On the phone the line is there to talk, on the desk to play until one says otherwise.
        bruno.click("#to-talk")
        until(bruno, "document.querySelector('#speak').ariaPressed === 'true'")
        nerea.click("#to-moves")
        picture = nerea.get_attribute("#board > .pic", "data-picture")
        bruno.click(".presets button >> nth=0")
        passing(nerea, "Bruno: ¡Suerte!")
        assert nerea.query_selector("#to-talk.new-word")
        assert nerea.get_attribute("#board > .pic", "data-picture") == picture, (
            "the board stays as it is"
        )
        nerea.click("#speak")
        nerea.fill("#input", "<i>hola</i>")
        nerea.press("#input", "Enter")
        until(bruno, "document.querySelectorAll('#talk [data-line]').length === 2")
        assert talked(bruno) == ["Good luck!", "Nerea <i>hola</i>"]
        # An order stays an order, and a press on the board plays.
        nerea.fill("#input", "/por")
        nerea.wait_for_selector("#options li")
        nerea.fill("#input", "")
        everywhere(bruno)
        program.kill()
        program.start()
        nerea.reload()
        until(nerea, "document.querySelectorAll('#talk [data-line]').length === 2")
        nerea.click("#to-talk")
        assert talked(nerea) == ["Bruno ¡Suerte!", "<i>hola</i>"]
        assert to_move(nerea, bruno)


@pytest.mark.slow
def test_who_is_muted_is_hidden_until_he_is_wanted_again(program, chromium):
    with browser_of(chromium) as desk, browser_of(chromium, **PHONE) as phone:
        nerea = come_in(desk, program.address, "Nerea")
        open_table(nerea, "/jugar niya")
        bruno = invited(nerea, phone, "Bruno")
        bruno.click("#to-talk")
        until(bruno, "document.querySelector('#speak').ariaPressed === 'true'")
        for text in ("uno", "dos"):
            bruno.fill("#input", text)
            bruno.press("#input", "Enter")
        until(nerea, "document.querySelectorAll('#talk [data-line]').length === 2")
        nerea.click("#to-talk")
        nerea.click(".who >> nth=1")
        nerea.click(".hush:visible")
        until(nerea, "document.querySelectorAll('#talk [data-line]').length === 1")
        assert talked(nerea) == ["Bruno · en silencio Quitar el silencio"]
        bruno.fill("#input", "tres")
        bruno.press("#input", "Enter")
        until(bruno, "document.querySelectorAll('#talk [data-line]').length === 3")
        nerea.click(".hush:visible")
        until(nerea, "document.querySelectorAll('#talk [data-line]').length === 3")
        assert talked(nerea) == ["Bruno uno", "Bruno dos", "Bruno tres"]
        if AXE.exists():
            for page in (nerea, bruno):
                page.evaluate(AXE.read_text())
                assert page.evaluate(GRAVE) == []
        fits(bruno)
