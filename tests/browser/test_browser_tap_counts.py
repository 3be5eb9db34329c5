"""Figures of the hands: how many presses are lost, doubled or have nowhere to go."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from games.core.shelf import shelf
from tests.browser.test_browser_hands import PHONE, middle, shogi, steps
from tests.browser.test_browser_ways import CHOSEN, ByTaps
from tests.drives.browsing import browser_of, chromium, come_in, eventually, notes, program, until

__all__ = ["chromium", "program"]

LONG = [pytest.mark.slow, pytest.mark.timeout(7200)]
SPARING = 360
"""Milliseconds between two choices: no more than somebody may make for long."""


class Between:
    """Stands between a page and the server: counts presses, and tells of other tables.

    As long as presses are *withheld* the server hears nothing of them.
    """

    def __init__(self, page) -> None:
        self.page = page
        self.pressed: list[str] = []
        self.board: dict[str, Any] = {}
        self.shown: dict[str, Any] = {}
        """What the page shows: the newest board, or what was chosen at it."""
        self.withheld = False
        page.route_web_socket("**/socket", self._meet)

    def _meet(self, route) -> None:
        self.route, server = route, route.connect_to_server()

        def out(frame: str) -> None:
            told = json.loads(frame)
            if told["kind"] == "press":
                self.pressed.append(told["code"])
                if self.withheld:
                    answer = {"kind": "answer", "id": told["id"], "good": False, "said": ""}
                    route.send(json.dumps(answer))
                    return
            server.send(frame)

        def back(frame: str) -> None:
            told = json.loads(frame)
            board = told.get("current", told)
            if board["kind"] == "board":
                self.board = self.shown = board
            elif told.get("menu"):
                self.shown = told["board"]
            route.send(frame)

        route.on_message(out)
        server.on_message(back)

    def has(self, sent: int) -> None:
        """Wait until the page has sent so many presses."""
        eventually(self.page, lambda: len(self.pressed) >= sent, f"press {sent} is sent")

    def elsewhere(self, version: int) -> None:
        """Tell the page that a table has moved that is not in view."""
        board = {**self.board, "table": "ZZZZZZ", "version": version, "mine": bool(version % 2)}
        self.route.send(json.dumps(board))


def entered(context, address: str) -> tuple[Any, Between]:
    """Somebody new, and what stands between his page and the server."""
    page = context.new_page()
    page.add_init_script("delete window.DecompressionStream")  # every message is to be read
    between = Between(page)
    page.goto(address)
    page.fill("#name", "Nerea")
    page.click("#asked button")
    page.wait_for_selector("#asked", state="detached")
    return page, between


@pytest.mark.slow
@pytest.mark.parametrize("presses", [100, pytest.param(1000, marks=LONG)])
def test_no_press_is_lost_while_another_table_moves(program, chromium, presses):
    with browser_of(chromium, **PHONE) as context:
        page, between = entered(context, program.address)
        shogi(page)
        between.withheld = True
        spots = {step: middle(page, step) for step in steps(page)}
        page.click("#board summary")
        keys = page.query_selector_all("#board .keys .key")
        rng, last = random.Random(14), ""
        for number in range(presses):
            between.elsewhere(number + 1)
            if number % 4:
                last = rng.choice([step for step in spots if step != last])
                page.mouse.move(*spots[last])
            else:
                key = rng.choice([key for key in keys if key.get_attribute("data-key") != last])
                last = key.get_attribute("data-key")
                key.scroll_into_view_if_needed()
                box = key.bounding_box()
                page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
            page.mouse.down()
            between.elsewhere(10_000 + number)
            page.evaluate("0")
            page.mouse.up()
            between.has(number + 1)
        assert len(between.pressed) == presses


@pytest.mark.slow
@pytest.mark.parametrize("times", [12, pytest.param(1000, marks=LONG)])
def test_a_quick_double_tap_on_a_piece_with_one_way_to_go_plays_nothing(program, chromium, times):
    with browser_of(chromium, **PHONE) as context:
        page = come_in(context, program.address, "Nerea")
        shogi(page)
        spots = {step: middle(page, step) for step in steps(page) if step[1] == "g"}
        rng = random.Random(15)
        for _ in range(times):
            x, y = spots[rng.choice(list(spots))]
            page.mouse.click(x, y)
            page.wait_for_timeout(rng.choice((0, 30, 60, 120)))
            page.mouse.click(x, y)
            page.wait_for_timeout(SPARING)
        # What is chosen by the last tap may come after the key that gives it up.
        eventually(
            page, lambda: page.keyboard.press("Escape") or "7g" in steps(page), "all is free"
        )
        assert notes(page) == []


HITS = """(all) => all.map((one) => {
    const box = one.getBoundingClientRect();
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    const on = document.elementFromPoint(x, y)?.closest('[data-spot]');
    return [one.dataset.spot, on?.dataset.spot ?? '', x, y, Math.min(box.width, box.height)];
})"""


def tapped(page, between: Between, rng: random.Random) -> int:
    """Tap every place that the page shows now, in any order; how many choices there are."""
    while True:
        shown = between.shown
        page.evaluate("0")  # What has come to the page is drawn.
        try:
            return hit(page, between, shown, rng)
        except AssertionError:
            # Another is done with his set-up: the board is a new one.
            if between.shown is shown:
                raise
        finally:
            between.withheld = False


def hit(page, between: Between, shown: dict[str, Any], rng: random.Random) -> int:
    """The same of the board *shown*.

    The server hears nothing of it. Each choice has a place that is hit in its middle, is no smaller
    than half a finger, and sends what it stands for; or it has a button beside the board.
    """
    moves = [one for row in shown["rows"] for one in row if one["style"] == "move"]
    # Where a stack may end is a place of its own: what is meant there is asked next.
    at_ends = {one["code"] for end in shown["ends"] for one in end["moves"]}
    hits = page.eval_on_selector_all("#board > .pic .spot[data-spot]", HITS)
    assert all(step == on for step, on, *_ in hits), hits
    assert all(size >= 12 for *_, size in hits), hits
    placed = {step for step, *_ in hits}
    beside = page.eval_on_selector_all(
        "#board .acts .key[data-key]", "all => all.map((one) => one.dataset.key)"
    )
    if any({one["label"] for one in end["moves"]} <= set(beside) for end in shown["ends"]):
        return 0  # What was meant at one end is being asked, and nothing else.
    for one in moves:
        assert one["step"] in placed or one["code"] in at_ends or one["step"] in beside, one
    if shown["path"] or any(one.get("plays") for one in moves):
        return len(moves)  # A tap here plays: which one is chosen is the game's own walk.
    between.withheld = True
    codes = {one["step"]: one.get("tap") or one["code"] for one in moves}
    rng.shuffle(hits)
    for step, _, x, y, _ in hits:
        sent = len(between.pressed)
        page.touchscreen.tap(x, y)
        between.has(sent + 1)
        assert between.pressed[-1] == codes[step], step
    return len(moves)


@pytest.mark.slow
@pytest.mark.parametrize("positions", [2, pytest.param(200, marks=LONG)])
@pytest.mark.parametrize("game", [*sorted(shelf()), "cirya tablero=4", "cirya tablero=6"])
def test_every_legal_square_can_be_tapped(program, chromium, game, positions):
    rng = random.Random(f"squares of {game}")
    with browser_of(chromium, **PHONE) as context:
        page, between = entered(context, program.address)
        player = ByTaps(page, rng)
        seen = tables = choices = 0
        while seen < positions:
            if not tables or player.over():
                if tables:
                    page.click("#new")
                player.begin(f"/jugar {game} ordenador nivel=1")
                tables, pressed = tables + 1, 0
                continue
            before = page.evaluate(CHOSEN)
            until(page, f"old => ({CHOSEN})() === old", before)
            choices += tapped(page, between, rng)
            seen += 1
            pressed += 1
            player.turn(ready=pressed > 3)
        print(f"{game}: {choices} choices in {seen} positions of {tables} games")
        assert choices >= seen
