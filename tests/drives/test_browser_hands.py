"""Hands on the board of the page: what is tapped, dragged, pressed twice or pressed in a hurry."""

from __future__ import annotations

import json
import random

from tests.drives.browsing import (
    TO_CHOOSE,
    browser_of,
    chromium,
    come_in,
    notes,
    open_table,
    program,
    said,
    to_move,
    until,
)

__all__ = ["chromium", "program"]

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True}
PRESSES, TWICE = 200, 12


def steps(page) -> list[str]:
    """The places of the picture where there is something to choose."""
    return page.eval_on_selector_all(
        "#board .spot[data-spot]", "all => all.map(one => one.dataset.spot)"
    )


def middle(page, step: str) -> tuple[float, float]:
    """Where the place *step* of the picture is in the window."""
    box = page.locator(f"#board .spot[data-spot='{step}']").bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def has(page, step: str, *, chosen: str = "") -> None:
    """Wait until *step* can be tapped, or with *chosen* until only that one's places can."""
    until(
        page,
        """([step, chosen]) => {
            const all = [...document.querySelectorAll('#board .spot[data-spot]')];
            const steps = all.map((one) => one.dataset.spot);
            return steps.includes(step) && (!chosen || !steps.includes(chosen));
        }""",
        [step, chosen],
    )


def shogi(page) -> str:
    """A game of shogi that *page* begins, against the lowest level; its table."""
    table = open_table(page, "/jugar shogi ordenador nivel=1 color=sente")
    has(page, "7g")
    return table


def test_a_tap_selects_and_the_second_plays_and_everything_in_between_can_be_undone(
    program, chromium
):
    with browser_of(chromium, **PHONE) as context:
        page = come_in(context, program.address, "Nerea")
        shogi(page)
        spots = {step: middle(page, step) for step in steps(page)}
        # From, from again: nothing is chosen any more.
        page.mouse.click(*spots["7g"])
        has(page, "7f", chosen="7g")
        seventh = middle(page, "7f")
        page.mouse.click(*spots["7g"])
        has(page, "2g")
        # Another piece instead of the first, then Escape.
        page.mouse.click(*spots["7g"])
        has(page, "7f", chosen="7g")
        page.mouse.click(*spots["2g"])
        has(page, "2f", chosen="2g")
        page.keyboard.press("Escape")
        has(page, "7g")
        # Where it cannot go is answered with the reason, and it stays chosen.
        page.mouse.click(*spots["7g"])
        has(page, "7f", chosen="7g")
        page.mouse.click(seventh[0], seventh[1] - (spots["7g"][1] - seventh[1]) * 2)
        until(page, "document.querySelector('#status').textContent.includes('(H4)')")
        assert steps(page) == ["7f"]
        assert notes(page) == []
        page.mouse.click(*seventh)
        until(page, "document.querySelectorAll('#log li').length")
        assert notes(page)[0] == "7g7f"


def test_a_piece_is_dragged_and_dropped(program, chromium):
    with browser_of(chromium, **PHONE) as context:
        page = come_in(context, program.address, "Nerea")
        shogi(page)
        x, y = middle(page, "7g")
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x, y - 20)
        page.mouse.move(x, y - 44, steps=3)
        assert page.query_selector(".ghost")
        page.mouse.up()
        until(page, "document.querySelectorAll('#log li').length")
        assert notes(page)[0] == "7g7f"
        assert not page.query_selector(".ghost")


def test_a_stack_of_cirya_goes_where_it_is_to_end(program, chromium):
    with browser_of(chromium, **PHONE) as here, browser_of(chromium, **PHONE) as there:
        page = come_in(here, program.address, "Nerea")
        open_table(page, "/jugar cirya")
        page.click("text=Invitar con un enlace")
        page.wait_for_selector("input.link")
        other = come_in(there, page.input_value("input.link"), "Bruno")
        for move in ("a1", "e5", "c3", "c4", "c3+", "d4", "b4", "d4<", "b4>", "a5"):
            mover = to_move(page, other)
            said(mover, move)
            until(mover, "what => !document.querySelector(what)", TO_CHOOSE)
        mover = to_move(page, other)
        before = len(notes(mover))
        mover.click("#to-acts")
        mover.mouse.click(*middle(mover, "c4"))
        until(mover, "document.querySelectorAll('#board .end').length > 3")
        ends = mover.query_selector_all("#board .end")
        boxes = [end.bounding_box() for end in ends]
        near = min(boxes, key=lambda box: (round(box["y"]), box["x"]))
        mover.mouse.click(near["x"] + near["width"] / 2, near["y"] + near["height"] / 2)
        # Where only one way ends there it is played; else what falls where is asked.
        until(
            mover,
            "([what, before]) => document.querySelectorAll('#log li').length > before || "
            "document.querySelector(what)",
            ["#board .acts > .keys .key", before],
        )
        if choice := mover.query_selector("#board .acts > .keys .key"):
            choice.click()
        until(mover, "old => document.querySelectorAll('#log li').length > old", before)
        assert "c4" in notes(mover)[before]


class Between:
    """Stands between a page and the server: counts presses, and tells of other tables."""

    def __init__(self, page) -> None:
        self.pressed: list[str] = []
        self.board: dict[str, object] = {}
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
            if told["kind"] == "board":
                self.board = told
            route.send(frame)

        route.on_message(out)
        server.on_message(back)

    def elsewhere(self, version: int) -> None:
        """Tell the page that a table has moved that is not in view."""
        board = {**self.board, "table": "ZZZZZZ", "version": version, "mine": bool(version % 2)}
        self.route.send(json.dumps(board))


def test_no_press_is_lost_while_another_table_moves(program, chromium):
    with browser_of(chromium, **PHONE) as context:
        page = context.new_page()
        between = Between(page)
        page.goto(program.address)
        page.fill("#name", "Nerea")
        page.click("#asked button")
        page.wait_for_selector("#asked", state="detached")
        shogi(page)
        between.withheld = True
        spots = {step: middle(page, step) for step in steps(page)}
        page.click("#board summary")
        keys = page.query_selector_all("#board .keys .key")
        rng, last, lost = random.Random(14), "", 0
        for number in range(PRESSES):
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
            for _ in range(200):
                if len(between.pressed) > number - lost:
                    break
                page.wait_for_timeout(5)
            else:
                lost += 1
        assert lost == 0
        assert len(between.pressed) == PRESSES


def test_a_quick_double_tap_on_a_piece_with_one_way_to_go_plays_nothing(program, chromium):
    with browser_of(chromium, **PHONE) as context:
        page = come_in(context, program.address, "Nerea")
        shogi(page)
        spots = {step: middle(page, step) for step in steps(page) if step[1] == "g"}
        rng = random.Random(15)
        for _ in range(TWICE):
            x, y = spots[rng.choice(list(spots))]
            page.mouse.click(x, y)
            page.wait_for_timeout(rng.choice((0, 30, 60, 120)))
            page.mouse.click(x, y)
            page.wait_for_timeout(120)
        page.keyboard.press("Escape")
        has(page, "7g")
        assert notes(page) == []
