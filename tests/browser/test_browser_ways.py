"""Every game by each way in which people play: keys alone, a reader alone, taps, and dragging."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, Protocol

import pytest

from games.core.shelf import shelf
from tests.browser.keyboard_and_screen_reader import (
    AGAIN,
    ENTER,
    LINE,
    NAME,
    NEW,
    PACE,
    READY,
    Heard,
    Keyboard,
    Reader,
)
from tests.drives.browsing import (
    browser_of,
    chromium,
    come_in,
    eventually,
    open_table,
    program,
    table_opens,
    until,
)

__all__ = ["chromium", "program"]

pytestmark = pytest.mark.slow

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True}
SETTLED = 3
"""After so many presses a set-up is left as it is."""

MOST = 4000
"""Presses after which a game that is not over has gone wrong."""

PLACES = "#board > .pic .spot[data-spot], #board > .pic .end"
KEYS = "#board .acts > .keys .key, #board .acts .key.final, #board .acts .key.pass"
FINAL = "#board .acts .key.final"
MIDDLES = """(all) => all.map((one) => one.getBoundingClientRect())
    .map((box) => [box.x + box.width / 2, box.y + box.height / 2])"""
SHOWN = """() => JSON.stringify([
    document.querySelector('#board h2').textContent,
    document.querySelector('#board > .pic').dataset.picture,
    document.querySelector('#acts').textContent,
    document.querySelectorAll('#log li').length,
])"""

CHOSEN = """() => JSON.stringify(
    [...document.querySelectorAll('#board > .pic > .spot, .pic > .end, #acts .key')]
        .map((one) => one.outerHTML))"""


class Player(Protocol):
    """Somebody who plays in one way, and knows only what that way tells."""

    def begin(self, line: str) -> None:
        """Open a table by typing *line*."""

    def over(self) -> bool:
        """Whether the game is over, as soon as something can be done."""

    def turn(self, *, ready: bool) -> None:
        """Choose something; who is *ready* leaves a set-up as it is."""

    def choose(self, step: str) -> None:
        """Choose *step*, one of what can be chosen now."""


class ByReader:
    """By what a screen reader tells, and what it does."""

    def __init__(self, page: Any, rng: random.Random) -> None:
        self.reader, self.rng = Reader(page, rng), rng
        self.heard: list[str] = []

    def enter(self) -> None:
        self.reader.write("textbox", NAME, "Nerea")
        self.reader.press(self.reader.find("button", ENTER))

    def begin(self, line: str) -> None:
        self.reader.press(self.reader.find("button", NEW))
        self.reader.page.keyboard.press("/")
        self.reader.write("combobox", LINE, line)
        self.reader.page.keyboard.press("Enter")
        self.reader.find("heading", line.split()[1].capitalize()[:3])

    def over(self) -> bool:
        def found() -> tuple[bool] | None:
            if self.choices():
                return (False,)
            return (True,) if self.named(AGAIN) else None

        return eventually(self.reader.page, found, "a reader tells of choices, or of the end")[0]

    def named(self, name: str) -> Heard | None:
        all_ = self.reader.hears()
        return next(
            (one for one in all_ if one.role == "button" and one.name.startswith(name)), None
        )

    def choices(self) -> list[Heard]:
        choices = self.reader.choices()
        names = [one.name for one in choices]
        assert all(names), "every choice has a name"
        assert len(set(names)) == len(names), f"no two choices have one name: {sorted(names)}"
        return choices

    def turn(self, *, ready: bool) -> None:
        final = self.named(READY) if ready else None
        self.presses(final or self.rng.choice(self.choices()))

    def choose(self, step: str) -> None:
        self.presses(next(one for one in self.choices() if self.reader.stands_for(one) == step))

    def presses(self, one: Heard) -> None:
        before = self.tells()
        self.reader.press(one)
        eventually(
            self.reader.page, lambda: self.tells() != before, "a reader tells what came of it"
        )
        # Nobody who hears has to look for what has become of the board: it is said.
        eventually(
            self.reader.page, lambda: self.reader.headline() in self.reader.said(), "it is said"
        )

    def tells(self) -> tuple[str, ...]:
        board = [
            one.name for one in self.reader.hears() if one.role in ("image", "heading", "button")
        ]
        return tuple(board)


class ByKeys:
    """By keys alone: from one thing to the next, until it is the right one."""

    def __init__(self, page: Any, rng: random.Random) -> None:
        self.page, self.keyboard = page, Keyboard(page, rng)

    def enter(self) -> None:
        self.keyboard.reach(NAME)
        self.page.keyboard.type("Nerea")
        self.page.keyboard.press("Enter")
        self.page.wait_for_selector("#asked", state="detached")

    def begin(self, line: str) -> None:
        self.keyboard.reach(NEW)
        self.keyboard.press()
        self.page.keyboard.press("/")
        self.keyboard.reach(LINE)
        self.page.keyboard.type(line)
        self.page.keyboard.press("Escape")
        self.page.keyboard.press("Enter")
        until(self.page, "!document.body.classList.contains('home')")

    def over(self) -> bool:
        return waits(self.page)

    def turn(self, *, ready: bool) -> None:
        before = self.page.evaluate(SHOWN)
        if ready and self.page.query_selector(FINAL):
            self.keyboard.reach(READY)
        else:
            self.keyboard.reach_choice()
            self.keyboard.wander()
        self.keyboard.press()
        until(self.page, f"old => ({SHOWN})() !== old", before)

    def choose(self, step: str) -> None:
        before = self.page.evaluate(SHOWN)
        self.keyboard.reach_choice()
        self.keyboard.go_to(step)
        self.keyboard.press()
        until(self.page, f"old => ({SHOWN})() !== old", before)


def waits(page: Any) -> bool:
    """Wait until something can be chosen; true once the game is over."""
    until(
        page, f"document.querySelector({PLACES + ', ' + KEYS!r}) || document.querySelector('.over')"
    )
    return page.query_selector("#board.over") is not None


class ByTaps:
    """By a finger on the picture; on a button where the picture has nothing to choose."""

    def __init__(self, page: Any, rng: random.Random) -> None:
        self.page, self.rng = page, rng

    def begin(self, line: str) -> None:
        open_table(self.page, line)

    def over(self) -> bool:
        return waits(self.page)

    def turn(self, *, ready: bool) -> None:
        before, final = self.page.evaluate(SHOWN), self.page.query_selector(FINAL)
        if final and ready:
            final.click()
        elif middles := self.page.eval_on_selector_all(PLACES, MIDDLES):
            self.touch(*self.rng.choice(middles))
        elif keys := self.page.query_selector_all(KEYS):
            self.rng.choice(keys).click()
        self.page.wait_for_timeout(PACE)
        until(self.page, f"old => ({SHOWN})() !== old", before)

    def touch(self, x: float, y: float) -> None:
        self.page.touchscreen.tap(x, y)

    def choose(self, step: str) -> None:
        before = self.page.evaluate(SHOWN)
        if at := self.place(step):
            self.page.touchscreen.tap(*at)
        else:
            self.page.click(f"#board .acts .key[data-key={step!r}]")
        self.page.wait_for_timeout(PACE)
        until(self.page, f"old => ({SHOWN})() !== old", before)

    def place(self, step: str) -> tuple[float, float] | None:
        """Where *step* is on the picture, if it has a place there."""
        found = self.page.eval_on_selector_all(f"#board > .pic .spot[data-spot={step!r}]", MIDDLES)
        return tuple(found[0]) if found else None


class ByDragging(ByTaps):
    """By taking a piece and dropping it where it may go."""

    def touch(self, x: float, y: float) -> None:
        chosen, before = self.page.evaluate(CHOSEN), self.page.evaluate(SHOWN)
        self.page.mouse.move(x, y)
        self.page.mouse.down()
        self.page.mouse.move(x + 8, y + 8)
        self.page.mouse.move(x + 14, y + 14)
        if self.page.query_selector(".ghost"):
            until(self.page, f"old => ({CHOSEN})() !== old", chosen)
            if middles := self.page.eval_on_selector_all(PLACES, MIDDLES):
                x, y = self.rng.choice(middles)
                self.page.mouse.move(x, y, steps=3)
                self.page.mouse.up()
                until(self.page, f"old => ({SHOWN})() !== old", before)
                return
        self.page.mouse.move(x, y)
        self.page.mouse.up()

    def carry(self, step: str, to: str) -> bool:
        """Take what is at *step* to where *to* is; false where one of both has no place."""
        before, at = self.page.evaluate(SHOWN), self.place(step)
        if not at:
            return False
        self.page.mouse.move(*at)
        self.page.mouse.down()
        self.page.mouse.move(at[0] + 14, at[1] + 14, steps=3)
        eventually(self.page, lambda: self.offers(to), f"{to} can be reached from {step}")
        there = self.place(to)
        self.page.mouse.move(*(there or at), steps=3)
        self.page.mouse.up()
        if there:
            until(self.page, f"old => ({SHOWN})() !== old", before)
            self.page.wait_for_timeout(PACE)
        return there is not None

    def offers(self, step: str) -> bool:
        return offers(self.page, step)


def offers(page: Any, step: str) -> bool:
    """Whether *step* can be chosen now, on the picture or beside it."""
    return bool(
        page.query_selector(f"#board [data-spot={step!r}], #board .acts [data-key={step!r}]")
    )


WAYS: dict[str, Callable[[Any, random.Random], Any]] = {
    "reader": ByReader,
    "keys": ByKeys,
    "taps": ByTaps,
    "dragging": ByDragging,
}
DRAGGED = {"cirya", "shogi", "storilljudhjorrayc"}
"""Where something goes from one place to another."""


def plays(player: Player, page: Any, key: str, moves: int | None) -> int:
    """Play so many moves of one's own of a new game, or to the end; how many were made."""
    with table_opens(page):
        player.begin(f"/jugar {key} ordenador nivel=1")
    pressed = 0
    while not player.over() and (moves is None or own(page) < moves):
        player.turn(ready=pressed >= SETTLED)
        pressed += 1
        assert pressed < MOST
    return own(page)


def own(page: Any) -> int:
    """How many moves Nerea has made, by the list of moves."""
    names = page.eval_on_selector_all("#log b", "all => all.map((one) => one.textContent)")
    return names.count("Nerea")


def entered(context: Any, address: str, way: str, rng: random.Random) -> tuple[Any, Any]:
    """A page, and who plays there in this *way*, from the first page on."""
    if way in ("taps", "dragging"):
        page = come_in(context, address, "Nerea")
        return page, WAYS[way](page, rng)
    page = context.new_page()
    page.goto(address)
    page.wait_for_selector("#name")
    player = WAYS[way](page, rng)
    player.enter()
    return page, player


@pytest.mark.parametrize("way", sorted(WAYS))
def test_every_game_begins_in_every_way(program, chromium, way):
    rng = random.Random(way)
    with browser_of(chromium, **PHONE) as context:
        page, player = entered(context, program.address, way, rng)
        for key in sorted(shelf()):
            if way != "dragging" or key in DRAGGED:
                assert plays(player, page, key, 1) >= 1, key


@pytest.mark.slow
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("way", sorted(WAYS))
@pytest.mark.parametrize("key", ["cirya", "niya", "parchis"])
def test_a_whole_game_is_played_in_every_way(program, chromium, key, way):
    if way == "dragging" and key not in DRAGGED:
        pytest.skip("nothing goes from one place to another")
    rng = random.Random(f"{way} {key}")
    with browser_of(chromium, **PHONE) as context:
        page, player = entered(context, program.address, way, rng)
        assert plays(player, page, key, None) >= 2
        assert player.over()
