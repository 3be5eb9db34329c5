"""Frames while one drags, and what a move costs a page: ``python -m tests.drives.frames``.

Chromium's processor is slowed down four times. In each game a piece is dragged over the board for
``--seconds`` and put back, and the times of the animation frames are taken down; a frame that took
longer than ``LONG`` was late. Where one tap plays a whole move nothing can be dragged: there the
finger stays down and wanders all the same. Then moves are played: the bytes that came over the
socket and as pictures, and the seconds of the main thread for each. A machine that is busy tells of
itself, not of the page: the frames of a box alone that follows the pointer, in the same browser,
are told first. What does not depend on others is the processor's time of the page's own thread,
slowed as it is (Chromium slows a thread down by keeping it busy): what a frame takes, and how many
tasks took more than the ``FRAME`` that 60 a second leave for one. The status is 1 where more than
one in a hundred was late, of the frames where the box alone kept that itself, and else of those
tasks.
"""

from __future__ import annotations

import argparse
import base64
import json
import statistics
from collections import Counter
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from tests.drives.browsing import (
    PLACES,
    TO_CHOOSE,
    browser_of,
    come_in,
    eventually,
    open_table,
    served,
    started,
    until,
)
from tests.drives.report import Report

SLOWER = 4
"""How many times slower the processor is made."""

LONG, MOST = 32.0, 0.01
"""Milliseconds above which a frame is late, and the share of those that may be."""

FRAME = 16.7
"""The milliseconds of a frame, of 60 a second."""

GAMES = {
    "niya": "/play niya opponent=computer level=1 side=red begins=red",
    "parchis": "/play parchis opponent=computer level=1",
    "cirya": "/play cirya opponent=computer level=1",
    "shogi": "/jugar shogi ordenador nivel=1 color=sente",
    "storilljudhjorrayc": "/play storilljudhjorrayc opponent=computer level=1 setup=fixed",
}
"""The games, each with the line that opens its table."""

SETTLED = 1500
"""Milliseconds after which all is drawn that stands beside a new board."""

BINARY = 2
"""The opcode of a frame that is packed (RFC 6455, 5.2)."""

EMPTY = """<!doctype html><html lang=en><body style="margin: 0; height: 100vh">
<div style="position: absolute; width: 60px; height: 60px; background: red; will-change: transform">
</div><script>addEventListener("pointermove", ({ clientX, clientY }) => {
    document.querySelector("div").style.transform = `translate(${clientX}px, ${clientY}px)`;
});</script></body></html>"""
"""The least page on which something follows the pointer."""

FRAMES = """() => {
    window.frames_ = [];
    const look = (at) => { window.frames_.push(at); window.looking = requestAnimationFrame(look); };
    window.looking = requestAnimationFrame(look);
}"""

COUNTED = "cancelAnimationFrame(window.looking), window.frames_"

DRAWN = "FireAnimationFrame"
"""What a trace calls the call of a script for a frame."""

TASKS = ("RunTask", "ThreadControllerImpl::RunTask")
"""What it calls a task of a thread."""

TRACED = ["toplevel", "devtools.timeline", "disabled-by-default-devtools.timeline"]

CHOICE = "#board .spot[data-spot]"


def tasks(trace: bytes) -> list[float]:
    """The milliseconds of the processor of each task of the thread that drew the frames traced."""
    events = json.loads(trace)["traceEvents"]
    drawn = Counter((one["pid"], one["tid"]) for one in events if one["name"] == DRAWN)
    [(thread, _)] = drawn.most_common(1)
    found = [
        one
        for one in events
        if one["name"] in TASKS and "tdur" in one and (one["pid"], one["tid"]) == thread
    ]
    ended, whole = 0.0, []
    for one in sorted(found, key=lambda one: (one["ts"], -one["dur"])):
        # A task is told again within itself by another name.
        if one["ts"] >= ended:
            whole.append(one["tdur"] / 1000)
            ended = one["ts"] + one["dur"]
    return whole


def late(stamps: list[float]) -> tuple[int, int, float]:
    """How many frames there were, how many of them late, and the 99th percentile of their times."""
    spans = sorted(after - before for before, after in pairwise(stamps))
    return len(spans), sum(one > LONG for one in spans), spans[int(len(spans) * 0.99)]


@dataclass(frozen=True)
class Drag:
    """When frames were drawn, the processor's seconds, and the milliseconds of each task."""

    stamps: list[float]
    processor: float
    tasks: list[float]


def tell(name: str, drag: Drag) -> tuple[float, float]:
    """Print how the frames went; the shares of late ones, and of those whose task took long."""
    frames, slow, most = late(drag.stamps)
    long = sum(one > FRAME for one in drag.tasks)
    print(
        f"{name}: {frames} frames, {slow} above {LONG:.0f} ms, 99 % within {most:.1f} ms, "
        f"{drag.processor / frames * 1000:.2f} ms of the processor each; {long} tasks above "
        f"{FRAME} ms of it, the longest {max(drag.tasks):.1f}",
        flush=True,
    )
    return slow / frames, long / frames


def wandered(page: Any, seconds: float, box: dict[str, float]) -> list[float]:
    """The times of the frames while the pointer wanders over *box* for so long."""
    page.evaluate(FRAMES)
    began, now, step = page.evaluate("performance.now()"), 0.0, 0
    while now < seconds * 1000:
        step += 1
        x, y = (step * 7) % int(box["width"] - 20), (step * 5) % int(box["height"] - 20)
        page.mouse.move(box["x"] + 10 + x, box["y"] + 10 + y)
        if step % 16 == 0:
            now = page.evaluate("performance.now()") - began
    return list(page.evaluate(COUNTED))


def watched(chromium: Any, page: Any, line: Any, seconds: float, box: dict[str, float]) -> Drag:
    """What the frames of *page* were while the pointer wandered over *box* for so long."""
    chromium.start_tracing(page=page, categories=TRACED)
    before = busy(line)
    stamps = wandered(page, seconds, box)
    spent = busy(line) - before
    return Drag(stamps, spent, tasks(chromium.stop_tracing()))


def dragged(chromium: Any, page: Any, line: Any, seconds: float) -> tuple[Drag, bool]:
    """What the frames of *page* were for so long; whether a piece was dragged meanwhile."""
    until(page, f"document.querySelector({TO_CHOOSE!r})")
    while not page.query_selector(CHOICE):
        tap(page)
    page.wait_for_timeout(SETTLED)
    box = page.locator("#board > .pic").bounding_box()
    places = page.evaluate(PLACES)
    for x, y in places:
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x + 15, y + 5)
        lifted = page.query_selector(".ghost")
        if lifted or [x, y] == places[-1]:
            drag = watched(chromium, page, line, seconds, box)
            # Outside of the board nothing is chosen by letting go.
            page.mouse.move(*((x, y) if lifted else (box["x"] + box["width"] + 9, 5)))
            page.mouse.up()
            page.keyboard.press("Escape")
            return drag, bool(lifted)
        page.mouse.move(box["x"] + box["width"] + 9, 5)
        page.mouse.up()
    raise AssertionError("nobody is to move")


def tap(page: Any) -> None:
    """Tap the first place that may be, or else the first key."""
    for x, y in page.evaluate(PLACES)[:1]:
        page.mouse.click(x, y)
    page.wait_for_timeout(400)


def cost(page: Any, line: Any, moves: int) -> None:
    """Print what so many moves by pressing cost, each with the computer's answer."""
    came: list[int] = []
    line.on(
        "Network.webSocketFrameReceived",
        lambda told: came.append(_bytes(told["response"])),
    )
    pictures: list[int] = []
    line.on("Network.loadingFinished", lambda told: pictures.append(int(told["encodedDataLength"])))
    line.send("Network.enable")
    taken: list[tuple[float, float]] = []
    for _ in range(moves):
        if page.query_selector("#board.over"):
            break
        before, bytes_ = busy(line), sum(came)
        logged = page.evaluate("document.querySelectorAll('#log li').length")
        for _ in range(4):
            tap(page)
            if page.evaluate("document.querySelectorAll('#log li').length") > logged:
                break
        eventually(
            page,
            lambda: page.query_selector(TO_CHOOSE) or page.query_selector("#board.over"),
            "one is to move again",
        )
        page.wait_for_timeout(500)
        taken.append((busy(line) - before, sum(came) - bytes_))
    seconds, sizes = zip(*taken, strict=True)
    print(
        f"  a move with its answer: {statistics.median(sizes):.0f} bytes by the socket, "
        f"{statistics.median(seconds) * 1000 / SLOWER:.0f} ms of the main thread, unslowed; "
        f"{sum(pictures)} bytes of pictures in {len(taken)} moves"
    )


def _bytes(frame: Any) -> int:
    """How many bytes a *frame* of a socket brought."""
    data = frame["payloadData"]
    return len(base64.b64decode(data) if frame["opcode"] == BINARY else data.encode())


def busy(line: Any) -> float:
    """The processor's seconds that the main thread has taken, being slowed down included."""
    found = {one["name"]: one["value"] for one in line.send("Performance.getMetrics")["metrics"]}
    return float(found["TaskDuration"])


def main(games: list[str], seconds: float, moves: int) -> int:
    """Drag in each of *games* and play; the status."""
    report = Report()
    with (
        served() as program,
        started() as chromium,
        browser_of(chromium, viewport={"width": 1280, "height": 800}) as context,
    ):
        empty = context.new_page()
        empty.set_content(EMPTY)
        beside = context.new_cdp_session(empty)
        beside.send("Performance.enable", {"timeDomain": "threadTicks"})
        beside.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
        whole = {"x": 0.0, "y": 0.0, "width": 800.0, "height": 700.0}
        least, _ = tell("a box alone", watched(chromium, empty, beside, seconds, whole))
        # Its process may be that of the next page, which would be slowed down twice.
        beside.send("Emulation.setCPUThrottlingRate", {"rate": 1})
        empty.close()
        page = come_in(context, program.address, "Nerea")
        line = context.new_cdp_session(page)
        line.send("Performance.enable", {"timeDomain": "threadTicks"})
        for game in games:
            open_table(page, GAMES[game])
            line.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
            drag, lifted = dragged(chromium, page, line, seconds)
            slow, long = tell(game if lifted else f"{game}, nothing to drag", drag)
            share = long if least > MOST else slow
            report.counts["games"] += 1
            report.breaches += [f"{game}: {share:.1%} of its frames are late"] * (share > MOST)
            cost(page, line, moves)
            line.send("Emulation.setCPUThrottlingRate", {"rate": 1})
            page.click("#new")
    return report.conclude()


if __name__ == "__main__":
    asked = argparse.ArgumentParser(prog="python -m tests.drives.frames")
    asked.add_argument("--games", nargs="+", default=list(GAMES), choices=list(GAMES))
    asked.add_argument("--seconds", type=float, default=10.0, help="of dragging in each game")
    asked.add_argument("--moves", type=int, default=8)
    given = asked.parse_args()
    raise SystemExit(main(given.games, given.seconds, given.moves))
