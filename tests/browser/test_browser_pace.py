"""How much the page asks for while somebody plays quickly."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from tests.drives.browsing import (
    TO_CHOOSE,
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

LISTS = 2
"""How often the page may have the list of moves fetched: with the board, and as the game begins."""


def counted(context) -> Counter[str]:
    """The kinds of what the pages of *context* send from now on."""
    kinds: Counter[str] = Counter()

    def sent(frame: str | bytes) -> None:
        kinds[json.loads(frame)["kind"]] += 1

    def opened(page) -> None:
        page.on("websocket", lambda socket: socket.on("framesent", sent))

    context.on("page", opened)
    return kinds


@pytest.mark.slow
def test_a_typed_move_is_one_wish_and_nothing_is_read_again_for_it(program, chromium):
    with browser_of(chromium) as here, browser_of(chromium) as there:
        kinds = counted(here), counted(there)
        nerea = come_in(here, program.address, "Nerea")
        open_table(nerea)
        bruno = invited(nerea, there, "Bruno")
        before = [dict(one) for one in kinds]
        played = {nerea: 0, bruno: 0}
        while page := to_move(nerea, bruno):
            step = page.get_attribute("#board .spot >> nth=0", "data-spot")
            said(page, step)
            played[page] += 1
            listed(page, sum(played.values()))
            until(page, "what => !document.querySelector(what)", TO_CHOOSE)
        for page, sent, at_first in zip(played, kinds, before, strict=True):
            assert sent["call"] - at_first.get("call", 0) == played[page]
            assert sent["moves"] <= LISTS + 1, "and once when it is over"
            assert sent["press"] == at_first.get("press", 0)
            assert not page.query_selector("#status.bad")
