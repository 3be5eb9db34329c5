"""Two devices that play over slow lines: ``python -m tests.drives.slow_lines``.

A phone (390×844, touched) and a desk (1280×800, clicked) play every game with each other through a
relay, which needs half of 0, 150 or 600 ms for each way and holds 2 % of the writes for 200 to
1,000 ms more. They tap, by lot, what is offered to them. A tap is dead where nothing is seen of it
within ``SEEN`` seconds; it is double where the page sends more than one press for it. It is late,
and no fault, where what it was meant for had gone when it came down: the answer to the tap before,
or the other player, has changed the board between the look and the tap. In the end both lists of
moves are to be the same. The status is 1 where a tap was dead or double, or lists differ.

What a tap moves on the board is to be drawn at once, whatever the line: from the finger to the end
of the frame is told for each game and latency, and is a breach where the median is above ``DRAWN``.
``--lost`` times a game and latency the lines of both are lost with a tap on its way: nothing may be
lost of it, and the table in view is to stay. ``--seconds`` of ``tests.drives.frames`` follow.

``--taps`` are those of a game at a latency, at one table after the other; ``--games`` and
``--latencies`` name fewer. All that is told of the page at once, within 10 minutes:

    python -m tests.drives.slow_lines --taps 12 --lost 4 --seconds 4
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
from collections import Counter
from dataclasses import dataclass, field
from statistics import median
from typing import Any

from games.core.shelf import shelf
from tests.drives import frames
from tests.drives.browsing import (
    PLACES,
    TO_CHOOSE,
    browser_of,
    come_in,
    eventually,
    invited,
    notes,
    open_table,
    served,
    until,
)
from tests.drives.dead_lines import Relay, relayed
from tests.drives.report import Report

SEEN = 5.0
"""The seconds within which something is to be seen of a tap, beside the latency."""

DRAWN = 0.05
"""The seconds from a tap to its move drawn, by the median."""

TWICE = 400
"""The milliseconds within which the page takes a second tap at one place for a double one."""

HELD, SHORTEST, LONGEST = 0.02, 0.2, 1.0
"""The share of writes that are held, and for how many seconds."""

WRONG = ("dead", "double", "apart", "led away")
"""What may not become of a tap, nor of the lists."""

TRIES = 8
"""How often at most it is looked for something to tap, for each tap."""

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True}
DESK = {"viewport": {"width": 1280, "height": 800}}
OPTIONS = {"storilljudhjorrayc": " setup=fixed", "parchis": " seats=2"}

WAITS = f"{TO_CHOOSE}, #acts .key.final"
"""What somebody has to press: a choice, or the yes to a move on a place that fingers often miss."""

UNDER = """{
    const { animate } = Element.prototype, Plain = WebSocket;
    let began = 0;
    window.drawn = [];
    window.lines = [];
    addEventListener('pointerdown', ({ target, timeStamp }) => {
        window.under = Boolean(target.closest('#board .spot[data-spot], #acts .key'));
        // A tap on what has gone meanwhile draws nothing, and the next board is not its own.
        began = window.under ? timeStamp : 0;
    }, true);
    Element.prototype.animate = function (...told) {
        const from = this.closest('#board .scenery') ? began : 0;
        if (from) requestAnimationFrame(() => {
            const { port1, port2 } = new MessageChannel();
            port1.onmessage = () => drawn.push((performance.now() - from) / 1000);
            port2.postMessage(0);
        });
        if (from) began = 0;
        return animate.apply(this, told);
    };
    window.WebSocket = class extends Plain {
        constructor(...told) { super(...told); lines.push(this); }
        send(text) {
            // What is planned is drawn on no scene: the other's move, which comes next, is not its.
            if (JSON.parse(text).kind === 'plan') began = 0;
            super.send(text);
        }
    };
}"""
"""Notes whether there was something to tap where a tap came down, when it was drawn, and lines."""

STATE = """() => JSON.stringify([
    document.querySelector('#board h2').textContent,
    document.querySelector('#status').textContent,
    document.querySelectorAll('#log li').length,
    [...document.querySelectorAll('#board .spot')].map((one) => one.dataset.spot + one.className),
    [...document.querySelectorAll('#acts .key, .said p')].map((one) => one.textContent),
])"""
"""What is seen of a table."""


@dataclass
class SlowRelay(Relay):
    """Forwards everything after *latency* seconds for both ways, and some of it later."""

    latency: float = 0.0
    chance: random.Random = field(default_factory=lambda: random.Random(36))

    async def passing(self) -> None:
        held = self.chance.random() < HELD
        wait = self.latency / 2 + (self.chance.uniform(SHORTEST, LONGEST) if held else 0)
        if wait:
            await asyncio.sleep(wait)


def presses(page: Any) -> list[str]:
    """The ids and codes of the presses that *page* sends from now on, as they come."""
    sent: list[str] = []

    def told(frame: object) -> None:
        found = json.loads(str(frame))
        if found["kind"] == "press":
            sent.append(f"{found['id']} {found['code']}")

    page.on("websocket", lambda line: line.on("framesent", told))
    return sent


def tap(page: Any, place: list[float], relay: SlowRelay, lines: list[Any], *, touch: bool) -> str:
    """Tap *place* while *lines* are lost; how that went: ``seen`` in time, ``late`` or ``dead``."""
    before, where = page.evaluate(STATE), page.url
    if lines:
        relay.swallow()
    if touch:
        page.touchscreen.tap(*place)
    else:
        page.mouse.click(*place)
    for one in lines:
        one.evaluate("lines.at(-1).close()")
        until(one, "lines.at(-1).readyState === 1")
        until(one, "!document.getElementById('status').textContent.includes('conexión')")
    if page.url != where:
        return "led away"
    for _ in range(int((SEEN + 2 * relay.latency) / 0.05)):
        if page.evaluate(STATE) != before:
            return "seen"
        page.wait_for_timeout(50)
    return "dead" if page.evaluate("window.under") else "late"


def play(
    pages: dict[Any, list[str]], relay: SlowRelay, taps: int, lost: int, tally: Counter[str]
) -> int:
    """Tap so often, by lot, on whichever of *pages* is to move; how often, until the game ends.

    Until *lost* lines are, each second tap is on its way when they are.
    """
    phone, done = next(iter(pages)), 0
    before: list[float] = []
    # A board that is just being drawn may offer nothing for a moment.
    for _ in range(taps * TRIES):
        if done == taps:
            return done
        found = eventually(
            phone,
            lambda: (
                [page for page in pages if page.query_selector(WAITS)]
                or [page for page in pages if page.query_selector("#board.over")]
            ),
            "somebody is to move, or the game is over",
        )
        page = found[0]
        places = page.evaluate(PLACES)
        if page.query_selector("#board.over"):
            return done
        if not places:
            page.wait_for_timeout(100)
            continue
        done += 1
        place = relay.chance.choice(places)
        # What the tap before has sent is told a moment later than it is seen. At its place a tap
        # as quick as this would be the second half of a double one, as is meant.
        page.wait_for_timeout(TWICE if place == before else 100)
        before = place
        sent = len(pages[page])
        lines = list(pages) if done % 2 and tally["lines lost"] < lost else []
        tally["lines lost"] += bool(lines)
        tally[tap(page, place, relay, lines, touch=page is phone)] += 1
        tally["taps"] += 1
        # What had no answer yet is sent again over a new line.
        if len(set(pages[page][sent:]) - set(pages[page][:sent])) > 1:
            tally["double"] += 1
            print("double", pages[page][sent:], flush=True)
    return done


def same(pages: dict[Any, list[str]]) -> bool:
    """Whether both lists of moves come to be the same."""
    one, other = pages
    for _ in range(200):
        if notes(one) == notes(other):
            return True
        one.wait_for_timeout(50)
    return False


def at_table(
    game: str,
    latency: int,
    host: tuple[Any, list[str]],
    chromium: Any,
    relay: SlowRelay,
    taps: int,
    lost: int,
    report: Report,
    tally: Counter[str],
) -> int:
    """Play a new table of *game* by *taps* at most; how many there were."""
    relay.latency = 0.0
    until(host[0], "document.querySelector('#tables')")
    open_table(host[0], f"/play game={game}{OPTIONS.get(game, '')}")
    tally["tables"] += 1
    # Each guest has a browser of their own: none goes on by a connection that was swallowed before.
    with browser_of(chromium, **PHONE) as phone:
        phone.add_init_script(UNDER)
        guest = invited(host[0], phone, f"Bruno {tally['tables']}")
        pages = {guest: presses(guest), host[0]: host[1]}
        guest.reload()
        guest.wait_for_selector("#board > .pic img")
        relay.latency = latency / 1000
        host[0].evaluate("drawn = []")
        done = play(pages, relay, taps, lost, tally)
        relay.latency = 0.0
        tally["apart"] += not same(pages)
        for seconds in (one for page in pages for one in page.evaluate("drawn")):
            report.took(f"{game} {latency} ms: drawn", seconds)
    return done


def main(games: list[str], latencies: list[int], taps: int, lost: int) -> int:
    """Play *games* at each of *latencies*, in milliseconds; the status."""
    report = Report()
    with (
        served() as program,
        relayed(SlowRelay(program.port)) as (relay, chromium),
        browser_of(chromium, **DESK) as desk,
    ):
        desk.add_init_script(UNDER)
        host = come_in(desk, program.address, "Nerea")
        sent = presses(host)
        host.reload()
        for game in games:
            for latency in latencies:
                tally, left = Counter[str](), taps
                while left > 0:
                    told = (left, lost, report, tally)
                    left -= max(1, at_table(game, latency, (host, sent), chromium, relay, *told))
                print(f"{game} {latency} ms: {dict(tally)}", flush=True)
                report.counts.update(tally)
                wrong = {what: tally[what] for what in WRONG if tally[what]}
                report.breaches += [f"{game} {latency} ms: {wrong}"] if wrong else []
    slow = {what: median(took) for what, took in report.times.items() if median(took) > DRAWN}
    report.breaches += [f"{slow}"] if slow else []
    return report.conclude()


if __name__ == "__main__":
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--games", nargs="+", default=sorted(shelf()))
    asked.add_argument("--latencies", nargs="+", type=int, default=[0, 150, 600])
    asked.add_argument("--taps", type=int, default=140)
    asked.add_argument("--lost", type=int, default=0, help="lines of a game at a latency")
    asked.add_argument("--seconds", type=float, default=0, help="of frames in each game")
    given = asked.parse_args()
    status = main(given.games, given.latencies, given.taps, given.lost)
    if given.seconds:
        status |= frames.main(given.games, given.seconds, 4)
    raise SystemExit(status)
