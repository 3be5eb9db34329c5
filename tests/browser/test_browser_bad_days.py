"""Bad days of a page: what comes in the middle of something else, long games, old scripts."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from tests.browser.test_browser_hands import PHONE, has, middle, shogi, steps
from tests.drives.browsing import (
    browser_of,
    chromium,
    come_in,
    eventually,
    invited,
    listed,
    open_table,
    program,
    said,
    to_move,
    until,
)

__all__ = ["chromium", "program"]

DRAWN = """[...document.querySelectorAll('.scenery > *')]
    .map((one) => `${one.dataset.name} ${one.getAttribute('x')} ${one.getAttribute('y')}`)
    .join('|')"""
"""What the page has drawn, from the lowest to the highest."""

CHOSEN = """start => {
    const all = [...document.querySelectorAll('#board .spot[data-spot]')];
    return all.length && !all.some((one) => one.dataset.spot === start);
}"""
"""Whether the piece on a place is chosen: its ways are shown."""

DESK = {"viewport": {"width": 1280, "height": 800}}

STILL = "!document.getAnimations().some((one) => one.effect.target?.closest?.('.scenery'))"


@pytest.mark.slow
def test_a_theme_that_changes_while_a_piece_moves_leaves_the_board_as_it_is_drawn_anew(
    program, chromium
):
    with browser_of(chromium, **PHONE, color_scheme="light") as context:
        page = come_in(context, program.address, "Nerea")
        shogi(page)
        light = page.evaluate(DRAWN)
        page.click("#board .spot[data-spot='7g']")
        has(page, "7f", chosen="7g")
        page.click("#board .spot[data-spot='7f']")
        until(page, f"!({STILL})")
        page.emulate_media(color_scheme="dark")
        has(page, "2g")
        listed(page, 2)
        until(page, STILL)
        until(page, f"light => {DRAWN}.split('|')[0] !== light.split('|')[0]", light)
        page.wait_for_timeout(300)
        drawn = page.evaluate(DRAWN)
        page.reload()
        until(page, f"drawn => {DRAWN} === drawn", drawn)


@pytest.mark.slow
def test_a_board_that_comes_while_a_piece_is_dragged_does_not_take_it_from_the_hand(
    program, chromium
):
    with browser_of(chromium, **DESK) as here, browser_of(chromium, **DESK) as there:
        page = come_in(here, program.address, "Nerea")
        open_table(page, "/play game=storilljudhjorrayc setup=fixed")
        guest = invited(page, there, "Bruno")
        mover = to_move(page, guest)
        start = steps(mover)[0]
        x, y = middle(mover, start)
        mover.mouse.move(x, y)
        mover.mouse.down()
        mover.mouse.move(x, y - 20)
        mover.wait_for_selector(".ghost", state="attached")
        until(mover, CHOSEN, start)
        goal = steps(mover)[0]
        light = mover.evaluate(DRAWN)
        mover.emulate_media(color_scheme="dark")
        until(mover, f"light => {DRAWN}.split('|')[0] !== light.split('|')[0]", light)
        until(mover, CHOSEN, start)
        assert mover.query_selector(".ghost")
        mover.mouse.move(*middle(mover, goal), steps=3)
        mover.mouse.up()
        listed(mover, 1)


def changed(page, change: Callable[[dict[str, Any]], None]) -> None:
    """Let what the server says reach *page* after *change*."""

    def meet(route) -> None:
        server = route.connect_to_server()

        def back(frame: str) -> None:
            told = json.loads(frame)
            change(told)
            route.send(json.dumps(told))

        route.on_message(server.send)
        server.on_message(back)

    page.route_web_socket("**/socket", meet)


@pytest.mark.slow
def test_a_page_with_an_old_script_is_loaded_anew_once_and_goes_on(program, chromium):
    with browser_of(chromium, **PHONE) as context:
        come_in(context, program.address, "Nerea").close()
        page, asked = context.new_page(), []
        page.on("request", lambda one: asked.append((one.is_navigation_request(), one.url)))

        def newer(told: dict[str, Any]) -> None:
            if told["kind"] == "state":
                told["scripts"] = "0123456789ab"

        changed(page, newer)
        page.goto(program.address)
        until(page, "sessionStorage.getItem('renewed')")
        page.wait_for_selector("#games .cover")
        shogi(page)
        # Once, although the server says the same again.
        assert len([url for leads, url in asked if leads and "/p/" in url]) == 2


def test_a_line_typed_while_the_page_is_let_in_nowhere_is_done_once_when_it_is(program, chromium):
    with browser_of(chromium, **DESK) as context:
        page = come_in(context, program.address, "Nerea")
        refused: list[Any] = []

        def meet(route) -> None:
            if len(refused) < 2:
                # It is heard, and closed instead of an answer, as by a house that has no patience.
                route.on_message(lambda _: refused.append(route))
            else:
                route.connect_to_server()

        page.route_web_socket("**/socket", meet)
        page.goto(page.url)
        eventually(page, lambda: refused, "the page says hello")
        said(page, "/jugar niya rival=ordenador nivel=1")
        refused[0].close(code=1013)
        eventually(page, lambda: len(refused) == 2, "it says so again")
        refused[1].close(code=1013)
        until(page, "document.getElementById('code').textContent")
        assert page.locator("#tables .t").count() == 1


LONG = 500


@pytest.mark.slow
def test_a_board_after_five_hundred_moves_holds_up_the_page_no_half_second(program, chromium):
    with browser_of(chromium, **PHONE) as context:
        page = come_in(context, program.address, "Nerea")

        def longer(told: dict[str, Any]) -> None:
            if told.get("moves") is not None:
                line = {"who": "Ana", "text": "T", "note": "7g7f", "weight": 1}
                told["moves"] = [{**line, "number": at - LONG} for at in range(LONG)]

        changed(page, longer)
        page.reload()
        shogi(page)
        until(page, f"document.querySelectorAll('#log li').length === {LONG}")
        page.evaluate(
            """() => {
                window.long = [];
                const noted = (list) => list.getEntries().map(({ duration }) => duration);
                new PerformanceObserver((list) => window.long.push(...noted(list)))
                    .observe({ type: 'longtask' });
            }"""
        )
        page.click("#board .spot[data-spot='7g']")
        has(page, "7f", chosen="7g")
        page.click("#board .spot[data-spot='7f']")
        until(page, f"document.querySelectorAll('#log li').length >= {LONG} + 2")
        has(page, "2g")
        assert max(page.evaluate("window.long"), default=0) < 500
