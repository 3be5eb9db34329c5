"""One's own move is drawn with the tap, and goes back where it is refused."""

from __future__ import annotations

import pytest

from tests.drives.browsing import (
    browser_of,
    chromium,
    come_in,
    notes,
    open_table,
    until,
)
from tests.slow_parameters import one_and_slowly_all

__all__ = ["chromium"]

LINE = """{
    delete window.DecompressionStream; // every message is to be read
    const Plain = WebSocket;
    window.line = { late: 0, refuses: false, sockets: [] };
    window.WebSocket = class extends Plain {
        constructor(...told) {
            super(...told);
            line.sockets.push(this);
        }
        send(text) {
            setTimeout(() => this.readyState === 1 && super.send(text), line.late / 2);
        }
        set onmessage(take) {
            super.onmessage = take && ((event) => setTimeout(() => {
                const message = JSON.parse(event.data);
                if (!line.refuses || !message.current) return take(event);
                const { kind, id } = message;
                take({ data: JSON.stringify({ kind, id, good: false, said: 'Ahí no.' }) });
            }, line.late / 2));
        }
    };
}"""
LINE += """;new MutationObserver(() => {
    if (document.querySelector('.refused')) window.ringed = true;
}).observe(document, { childList: true, subtree: true });"""
"""A line that is late by so many milliseconds there and back, and may refuse what is played."""

AWAY = """() => [...document.querySelectorAll('.scenery > *')].filter((one) => one.getAnimations()
    .some((run) => run.effect.getTiming().fill === 'forwards')).length"""
"""How many sprites stand where the server has not put them yet."""


LAID = """() => [...document.querySelectorAll('.scenery > image')].filter((one) => one
    .getAnimations().some((run) => run.effect.getKeyframes()[0].transform === 'scale(1.3)'))
    .length"""
"""How many sprites are laid that the server has not put yet."""


def chosen(page) -> tuple[float, float]:
    """Open a game of shogi and choose a pawn; where it may go."""
    open_table(page, "/jugar shogi ordenador nivel=1 color=sente")
    page.click("#board .spot[data-spot='7g']")
    page.wait_for_selector("#board .spot[data-spot='7f']")
    page.wait_for_selector("#board .spot[data-spot='7g']", state="detached")
    box = page.locator("#board .spot[data-spot='7f']").bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


@pytest.mark.parametrize("late", one_and_slowly_all([600, 0, 150]))
def test_a_move_is_drawn_with_the_tap_and_stays_when_it_is_taken(program, chromium, late):
    with browser_of(chromium) as context:
        context.add_init_script(LINE)
        page = come_in(context, program.address, "Nerea")
        place = chosen(page)
        page.evaluate("late => { line.late = late; }", late)
        if late:
            page.mouse.click(*place)
            assert page.evaluate(AWAY)
        else:
            page.mouse.dblclick(*place)
        until(page, "document.querySelectorAll('#log .n').length >= 1")
        until(page, f"!({AWAY})()")
        assert notes(page)[0] == "7g7f"


@pytest.mark.parametrize("game", one_and_slowly_all(["cirya", "niya"]))
def test_the_first_piece_that_is_laid_is_drawn_with_the_tap(program, chromium, game):
    with browser_of(chromium) as context:
        context.add_init_script(LINE)
        page = come_in(context, program.address, "Nerea")
        begins = " side=red begins=red" if game == "niya" else ""
        open_table(page, f"/jugar {game} ordenador nivel=1{begins}")
        page.wait_for_selector("#board .scenery image")
        page.wait_for_selector("#board .spot[data-spot]")
        page.evaluate("line.late = 900")
        page.locator("#board .spot[data-spot]").first.click()
        assert page.evaluate(LAID)


LATE_CLICK = """() => {
    const click = new MouseEvent('click', { bubbles: true, detail: 1 });
    Object.defineProperty(click, 'timeStamp', { value: window.lifted });
    document.querySelector("#board .spot[data-spot='7f']").dispatchEvent(click);
}"""
"""The click of the tap before, which a busy browser brings late."""


@pytest.mark.slow
def test_the_click_of_a_tap_that_comes_late_is_no_tap_of_its_own(program, chromium):
    with browser_of(chromium) as context:
        context.add_init_script("addEventListener('pointerup', (e) => lifted = e.timeStamp, true)")
        page = come_in(context, program.address, "Nerea")
        place = chosen(page)
        page.wait_for_timeout(800)
        page.evaluate(LATE_CLICK)
        page.wait_for_timeout(800)
        assert notes(page) == []
        page.mouse.click(*place)
        until(page, "document.querySelectorAll('#log .n').length >= 1")


@pytest.mark.slow
def test_what_is_refused_goes_back_with_the_reason(program, chromium):
    with browser_of(chromium) as context:
        context.add_init_script(LINE)
        page = come_in(context, program.address, "Nerea")
        place = chosen(page)
        page.evaluate("line.refuses = true")
        page.mouse.click(*place)
        until(page, "window.ringed")
        until(page, "document.getElementById('status').textContent === 'Ahí no.'")
        until(page, f"!({AWAY})()")


@pytest.mark.slow
def test_a_move_on_a_lost_line_stays_drawn_and_is_done_once(program, chromium):
    with browser_of(chromium) as context:
        context.add_init_script(LINE)
        page = come_in(context, program.address, "Nerea")
        place = chosen(page)
        page.evaluate("line.late = 400")
        page.mouse.click(*place)
        page.evaluate("line.sockets.at(-1).close()")
        assert page.evaluate(AWAY)
        page.mouse.click(*place)
        until(page, "document.querySelectorAll('#log .n').length >= 2")
        assert notes(page).count("7g7f") == 1
