"""How long one's own roll is seen at Parchís: ``python -m tests.drives.own_rolls [ROLLS]``.

Somebody plays the lowest level in a real browser and presses on the board, always at once. A roll
that ends a turn is followed by the computer's own, which may come in a few milliseconds: it is
taken down how long the words of its result stood. After another one there is something to choose,
which stands for as long as one likes. The status is 1 where a result stood for less than ``LEAST``
milliseconds.
"""

from __future__ import annotations

import math
import random
import sys
from contextlib import suppress
from typing import Any

from tests.drives.browsing import (
    browser_of,
    come_in,
    eventually,
    open_table,
    playwright,
    served,
    started,
    until,
)
from tests.drives.report import Report

LEAST = 600
"""The least milliseconds for which one's own roll is to be seen."""

LINE = "/jugar parchis ordenador nivel=1"

WATCHED = """() => {
    window.boards = [];
    const board = document.getElementById('board');
    const told = () => [board.querySelector('h2').textContent,
        ...[...board.querySelectorAll('.said p')].map((one) => one.textContent)].join(' | ');
    let last = '';
    const look = () => {
        const now = told();
        if (now === last) return;
        last = now;
        window.boards.push([performance.now(), now]);
    };
    new MutationObserver(() => queueMicrotask(look))
        .observe(board, { childList: true, subtree: true, characterData: true });
    look();
}"""
"""Takes down when the board came to say something else: with each roll its words change."""

DIE = "#board .spot[data-spot='tirar']"
MINE = "#board .spot[data-spot], #board .acts > .keys .key"
SETTLED = f"!!document.querySelector({MINE!r}) || !!document.querySelector('#board.over')"


AT_WILL = math.inf
"""How long that stands which waits for a choice."""


def rolled(page: Any) -> float | None:
    """Roll; for how many milliseconds what came of it stood; ``None`` where nobody could roll."""
    before = len(page.evaluate("window.boards"))
    try:
        page.click(DIE, timeout=3000)
    except playwright.Error:
        return None  # Another board has just come.
    boards = eventually(
        page, lambda: (found := page.evaluate("window.boards"))[before:] and found, "a roll came"
    )
    until(page, SETTLED)
    # What comes of it may be one's own choice, which lasts for as long as one likes.
    page.wait_for_timeout(50)
    boards = page.evaluate("window.boards")[before:]
    if len(boards) < 2:
        return AT_WILL
    return float(boards[1][0] - boards[0][0])


def main(rolls: int) -> int:
    """Roll so often; the status."""
    rng, report = random.Random(36), Report()
    with served() as program, started() as chromium, browser_of(chromium) as context:
        page = come_in(context, program.address, "Nerea")
        page.evaluate(WATCHED)
        open_table(page, LINE)
        while report.counts["rolls"] < rolls:
            until(page, SETTLED)
            if page.query_selector("#board.over"):
                open_table(page, LINE)
            elif page.query_selector(DIE):
                span = rolled(page)
                if span is None:
                    continue
                report.counts["rolls"] += 1
                if span < AT_WILL:
                    report.took("one that ended a turn was seen for", span / 1000)
                if span < LEAST:
                    report.breaches.append(f"seen for {span:.0f} ms")
            elif choices := page.query_selector_all(MINE):
                # A board that is just drawn anew may have other choices.
                with suppress(playwright.Error):
                    rng.choice(choices).click(timeout=3000)
                page.wait_for_timeout(100)
    return report.conclude()


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 100))
