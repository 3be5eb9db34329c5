"""Press to own board in a browser, beside a bare page: ``python -m tests.drives.speed_page``.

One Chromium holds two people at our page, who play whole games of Niya by pressing on the board,
and two who play it on the bare page of ``bare_page``, which does what must be done and nothing
else; and once more two before whom nothing is played, stored or painted. They press in turns, a few
presses each. A press begins when the finger comes down, as the page itself hears it. Its board has
come when the picture is loaded, or put together by the page, and is drawn when that is decoded and
the next frame is over. The status is 1 where the median of ours, drawn, is more than one and a half
times the bare page's.

How long a first board takes is told as well, in a browser that has nothing of the page, and again:
until the browser itself says that the picture is seen, and until there is something to choose, too.
The status is 1 as well where the first board, seen, takes more than ``FIRST`` times as long.
"""

from __future__ import annotations

import argparse
import random
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from tests.drives.baseline_page import AGAIN
from tests.drives.browsing import (
    CHROMIUM,
    FLAGS,
    ROOT,
    TO_CHOOSE,
    Program,
    browser_of,
    come_in,
    eventually,
    invited,
    open_table,
    playwright,
    said,
    to_move,
    until,
)
from tests.drives.report import Report, below

MOST = 1.5
"""How many times as long as the bare page ours may take, by the medians."""

FIRST = 1.2
"""The same of the first board, until it is seen."""

BLOCK = 8
"""After how many presses the next page has its turn."""

TURN = 5
"""How often a page is opened before the other has its turn."""

REST = 350
"""Milliseconds between two presses: what is done after a board belongs to no other press."""

TIMED = """
window.pressed = [];
let began = 0;
addEventListener("pointerdown", (event) => { began = event.timeStamp; }, true);
const seen = async ({ target }) => {
  if (!target.closest?.(".pic")) return;
  const from = began, loaded = performance.now();
  began = 0;
  await target.decode?.();
  await new Promise(requestAnimationFrame);
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    const drawn = performance.now();
    if (from) window.pressed.push([loaded - from, drawn - from]);
  };
  port2.postMessage(0);
};
for (const kind of ["load", "seen"]) document.addEventListener(kind, seen, true);
"""
"""What measures in any page: from the finger to the picture, when it has come and is drawn."""

OPENED = """
window.first = [0, 0];
new PerformanceObserver((list) => {
  for (const { element, renderTime } of list.getEntries()) {
    if (element?.closest(".pic")) window.first[0] ||= renderTime;
  }
}).observe({ type: "largest-contentful-paint", buffered: true });
const watching = new MutationObserver(() => {
  if (!document.querySelector(".pic .spot[data-spot], h2:not(:empty) ~ .pic ~ .acts")) return;
  watching.disconnect();
  requestAnimationFrame(() => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => (window.first[1] = performance.now());
    port2.postMessage(0);
  });
});
watching.observe(document, { childList: true, subtree: true });
"""
"""What measures since the page was opened: until the picture is seen, until one can choose.

On the bare page choices come with the words above the picture, where there are any."""

ALL_THERE = "window.first.every(Boolean)"


OVER = f'.key[value="{AGAIN}"]'
"""What stands on the bare page once its game is over."""

Times = tuple[float, float]


class Ours:
    """Two people at a table of ours, and at the next one as soon as it is over."""

    def __init__(self, pages: tuple[Any, Any], rng: random.Random) -> None:
        self.pages, self.rng = pages, rng

    def again(self) -> Any:
        """Whoever is to move, at a new table where the old one is played."""
        if mover := to_move(*self.pages):
            return mover
        first, second = self.pages
        first.click("#new")
        code = open_table(first)
        second.click("#new")
        said(second, f"/unirse {code}")
        until(second, "code => location.pathname.endsWith(`/t/${code}`)", code)
        return to_move(*self.pages)

    def press(self) -> Times:
        """Milliseconds from a press to the board that comes of it."""
        mover = self.again()
        taken = len(mover.evaluate("window.pressed"))
        places = mover.query_selector_all("#board .spot[data-spot]")
        self.rng.choice(places).click()
        found = eventually(mover, lambda: mover.evaluate("window.pressed")[taken:], "a board came")
        until(mover, "what => !document.querySelector(what)", TO_CHOOSE)
        mover.wait_for_timeout(REST)
        return tuple(found[0])


def opened(context: Any, address: str) -> Any:
    """A page with its first board."""
    page = context.new_page()
    page.goto(address)
    until(page, ALL_THERE)
    return page


def bare_press(pages: list[Any], rng: random.Random) -> Times:
    """Milliseconds from a press on the bare page to the board that comes of it."""
    if over := next((page for page in pages if page.query_selector(OVER)), None):
        # Here, too, the first board of the next game is none that comes of a move.
        over.click(OVER)
        for page in pages:
            until(page, "over => !document.querySelector(over)", OVER)
        over.wait_for_timeout(REST)
    page = next(page for page in pages if page.query_selector(".key"))
    taken = len(page.evaluate("window.pressed"))
    rng.choice(page.query_selector_all(".key")).click()
    found = eventually(page, lambda: page.evaluate("window.pressed")[taken:], "a board came")
    page.wait_for_timeout(REST)
    return tuple(found[0])


@contextmanager
def bare(folder: Path, *wishes: str) -> Iterator[str]:
    """The address of the bare page, as long as it is there."""
    folder.mkdir()
    command = [sys.executable, "-m", "tests.drives.baseline_page", str(folder), *wishes]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        try:
            yield child.stdout.readline().strip()
        finally:
            child.terminate()


def in_turns(presses: int, pages: dict[str, Callable[[], Times]]) -> dict[str, list[Times]]:
    """So many presses of each page, in blocks; the first block of each only warms up."""
    taken: dict[str, list[Times]] = {name: [] for name in pages}
    for turn in range(-1, -(-presses // BLOCK)):
        for name, press in pages.items():
            times = [press() for _ in range(BLOCK)]
            taken[name].extend(times if turn >= 0 else ())
    return taken


def first(page: Any) -> Times:
    """Milliseconds until the first board of *page* was seen, and could be played on, too."""
    seen, chosen = page.evaluate("window.first")
    return seen, max(seen, chosen)


def opening(
    browser: Any, address: str, cookies: Any, times: int
) -> tuple[list[Times], list[Times]]:
    """Milliseconds to the first board of the page at *address*: nothing kept of it, and again."""
    cold: list[Times] = []
    warm: list[Times] = []
    for _ in range(times):
        with browser_of(browser, storage_state=cookies) as context:
            context.add_init_script(OPENED)
            page = opened(context, address)
            cold.append(first(page))
            page.wait_for_timeout(REST)
            page.reload()
            until(page, ALL_THERE)
            warm.append(first(page))
            page.wait_for_timeout(REST)
    return cold, warm


def tell(one: str, other: str, times: list[Times]) -> None:
    """Print both of *times*, under their names."""
    for name, taken in zip((one, other), zip(*times, strict=True), strict=True):
        middle, tail = statistics.median(taken), below(list(taken), 0.99)
        print(f"{name:28} median {middle:6.1f}, p99 {tail:6.1f} ms of {len(taken)}", flush=True)


def measured(presses: int, openings: int) -> tuple[float, float]:
    """Print the times of every page; by how many times ours is slower than the bare one.

    That is for a press, and until a first board is seen.
    """
    rng = random.Random(14)
    with tempfile.TemporaryDirectory() as name, playwright.sync_playwright() as play:
        program = Program(Path(name))
        program.start()
        browser = play.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        with ExitStack() as rooms:
            contexts = [rooms.enter_context(browser_of(browser)) for _ in range(6)]
            for context in contexts:
                context.add_init_script(f"{TIMED}{OPENED}")
            page = come_in(contexts[0], program.address, "Nerea")
            open_table(page)
            ours = Ours((page, invited(page, contexts[1], "Bruno")), rng)
            plays = rooms.enter_context(bare(Path(name) / "plays"))
            still = rooms.enter_context(bare(Path(name) / "still", "--still"))
            plain = {
                kind: [opened(context, address) for context in contexts[at : at + 2]]
                for kind, address, at in (("bare", plays, 2), ("bare, nothing done", still, 4))
            }
            taken = in_turns(
                presses,
                {"ours": ours.press}
                | {kind: partial(bare_press, pages, rng) for kind, pages in plain.items()},
            )
            for kind, times in taken.items():
                tell(f"{kind}, come", f"{kind}, drawn", times)
            mover = ours.again()
            cookies = contexts[0 if mover is page else 1].storage_state()
            addresses = {"ours": mover.url, "bare": plays}
            boards: dict[str, tuple[list[Times], list[Times]]] = {
                kind: ([], []) for kind in addresses
            }
            for begun in range(0, openings, TURN):
                for kind, address in addresses.items():
                    some = opening(browser, address, cookies, min(TURN, openings - begun))
                    for all_times, times in zip(boards[kind], some, strict=True):
                        all_times.extend(times)
            for kind, (cold, warm) in boards.items():
                tell(f"{kind}, first board seen", f"{kind}, first board's choices", cold)
                tell(f"{kind}, seen again", f"{kind}, choices again", warm)
        browser.close()
        program.stop()
    middle = {kind: statistics.median(drawn for _, drawn in times) for kind, times in taken.items()}
    seen = {
        kind: statistics.median(first_seen for first_seen, _ in cold)
        for kind, (cold, _) in boards.items()
    }
    return middle["ours"] / middle["bare"], seen["ours"] / seen["bare"]


def main() -> int:
    """Measure what the command line asks for."""
    parser = argparse.ArgumentParser(prog="python -m tests.drives.speed_page", description=__doc__)
    parser.add_argument("--presses", type=int, default=200, help="of each page")
    parser.add_argument("--openings", type=int, default=20, help="of each page")
    wanted = parser.parse_args()
    ratio, first_ratio = measured(wanted.presses, wanted.openings)
    report = Report()
    for what, times, most in (("a press", ratio, MOST), ("a first board", first_ratio, FIRST)):
        report.lines.append(f"{what} takes {times:.2f} times as long as bare")
        if times > most:
            report.breaches.append(f"{what} takes more than {most:g} times as long")
    return report.conclude()


if __name__ == "__main__":
    sys.exit(main())
