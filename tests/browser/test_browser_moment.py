"""A link to a moment of a game: it leads those of the house there, whoever played."""

import pytest

from tests.drives.browsing import (
    browser_of,
    chromium,
    come_in,
    invited,
    listed,
    open_table,
    program,
    said,
    to_move,
    until,
)

__all__ = ["chromium", "program"]

DESK = {"viewport": {"width": 1280, "height": 800}}


@pytest.mark.slow
def test_a_link_to_a_moment_leads_others_of_the_house_to_it(program, chromium):
    with browser_of(chromium, **DESK) as here, browser_of(chromium, **DESK) as there:
        ana = come_in(here, program.address, "Ana")
        open_table(ana)
        eva = invited(ana, there, "Eva")
        to_move(ana, eva)
        ana.click("#new")
        code = open_table(ana, "/play game=shogi opponent=computer level=1 side=sente")
        to_move(ana)
        said(ana, "7g7f")
        listed(ana, 2)
        link = f"http://127.0.0.1:{program.port}/g/{code}/1"
        eva.goto(link)
        until(eva, "document.querySelector('#board.past')")
        assert eva.text_content("#code") == f"mesa {code}"
        assert "7g7f" in eva.text_content("#log [aria-current]")
        ana.click("#to-moves")
        ana.click("#log button >> nth=0")
        until(ana, "document.querySelector('#board.past')")
        ana.evaluate(
            "navigator.clipboard.writeText = (text) => (window.copied = text, Promise.resolve())"
        )
        ana.click("#acts [data-key=moment]")
        assert ana.evaluate("window.copied") == link
        ana.click("#acts [data-key=now]")
        until(ana, "!document.querySelector('#board.past')")
