"""A real browser at the page of the real program: who comes in, types, presses and waits.

Needs Playwright's Python package and a Chromium of the system; without them tests are skipped.
"""

from __future__ import annotations

import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

import pytest

from bot.app.control_socket import ask_bot, sockets_of
from tests import drawn_sprites

Held = TypeVar("Held")

CHROMIUM = shutil.which("chromium") or "/usr/bin/chromium"
ROOT = Path(__file__).resolve().parents[2]

playwright = pytest.importorskip(
    "playwright.sync_api", reason="the Python package playwright is not installed here"
)
if not Path(CHROMIUM).exists():
    pytest.skip("there is no chromium on this machine", allow_module_level=True)

FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def free_port() -> int:
    """A port that nothing listens on, out of those that no connection of others is given."""
    while True:
        port = random.randrange(15_000, 30_000)
        with suppress(OSError), socket.socket() as taken:
            taken.bind(("127.0.0.1", port))
            return port


@dataclass
class Program:
    """The program ``ludoteca`` as a child process, on one port and one database."""

    folder: Path
    port: int = field(default_factory=free_port)
    child: subprocess.Popen[str] | None = None
    address: str = ""
    settings: dict[str, str] = field(default_factory=dict)
    """Further settings, by their names in the environment."""

    @property
    def database(self) -> str:
        return f"sqlite+aiosqlite:///{self.folder}/games.db"

    def invite(self) -> None:
        """Let the address be one by which many come in, each as somebody else."""
        words = {"days": "1", "count": "9999", "at": f"http://127.0.0.1:{self.port}"}
        while not sockets_of(self.database):
            time.sleep(0.05)
        self.address = ask_bot(self.database, "invite", words)

    def start(self) -> None:
        env = {**os.environ, **self.settings, "WEB_PORT": str(self.port), "PYTHONPATH": str(ROOT)}
        env["DATABASE_URL"] = self.database
        drawn_sprites.lend(self.folder)
        with (self.folder / "log.txt").open("a") as log:
            self.child = subprocess.Popen(
                [sys.executable, "-m", "bot.app.main"],
                cwd=self.folder,
                env=env,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
            )
        assert self.child.stdout is not None
        self.address = self.child.stdout.readline().strip()
        origin = self.settings.get("WEB_PUBLIC_URL") or f"http://127.0.0.1:{self.port}"
        assert self.address.startswith(f"{origin}/?t="), self.log()

    def kill(self) -> None:
        self._end(signal.SIGKILL)

    def stop(self) -> int:
        return self._end(signal.SIGTERM)

    def _end(self, how: signal.Signals) -> int:
        assert self.child is not None
        assert self.child.stdout is not None
        self.child.send_signal(how)
        status = self.child.wait(120)
        self.child.stdout.close()
        return status

    def log(self) -> str:
        return (self.folder / "log.txt").read_text()


@pytest.fixture
def program(tmp_path: Path) -> Iterator[Program]:
    running = Program(tmp_path)
    running.start()
    yield running
    if running.child is not None and running.child.poll() is None:
        assert running.stop() == 0, running.log()
    assert "Traceback" not in running.log(), running.log()


@contextmanager
def served(**settings: str) -> Iterator[Program]:
    """The program in a folder of its own with further *settings*, ended in order."""
    with tempfile.TemporaryDirectory(prefix="browsing-") as folder:
        running = Program(Path(folder), settings=settings)
        running.start()
        yield running
        assert running.stop() == 0, running.log()


@contextmanager
def started(*flags: str):
    """A Chromium with *flags* beside those that every drive needs."""
    with playwright.sync_playwright() as play:
        browser = play.chromium.launch(executable_path=CHROMIUM, args=[*FLAGS, *flags])
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def chromium():
    with started() as browser:
        yield browser


TOLD = """addEventListener('DOMContentLoaded', () => {
    const status = document.getElementById('status');
    window.told = [];
    if (status) new MutationObserver(() => window.told.push(status.textContent))
        .observe(status, { childList: true, characterData: true, subtree: true });
})"""
"""Keeps what the page says in passing: who looks late would find it gone."""


def passing(page, words: str) -> None:
    """Wait until *page* has said *words* in passing, ever since it was opened."""
    until(page, "words => window.told.some((one) => one.includes(words))", words)


@contextmanager
def browser_of(chromium, **wishes):
    """A browser of its own: cookies, language, size and theme. No page of it may complain."""
    context = chromium.new_context(**{"locale": "es-ES", "color_scheme": "light", **wishes})
    context.set_default_timeout(60_000)
    context.add_init_script(TOLD)
    wrong: list[str] = []
    # A page that waits for a killed server says so in the console: that is no fault of its.
    context.on("weberror", lambda error: wrong.append(str(error.error)))
    context.on(
        "console",
        lambda said: wrong.append(said.text) if "Content Security Policy" in said.text else None,
    )
    yield context
    context.close()
    assert not wrong, wrong


def come_in(context, address: str, name: str):
    """Somebody who is new: where another is known to the browser already, somebody else."""
    page = context.new_page()
    page.goto(address)
    page.wait_for_selector("#name, a[href$='as=other']")
    if other := page.query_selector("a[href$='as=other']"):
        other.click()
    page.fill("#name", name)
    page.click("#asked button")
    page.wait_for_selector("#asked", state="detached")
    return page


TO_CHOOSE = "#board .spot[data-spot], #board .acts > .keys .key"
"""What somebody has to choose from who is to move."""


PLACES = """() => {
    const tapped = [...document.querySelectorAll('#board .spot[data-spot]')];
    const keys = [...document.querySelectorAll('#acts > .keys .key, #acts .key.final')];
    const seen = (tapped.length ? tapped : keys).filter((one) => one.getClientRects().length);
    const within = (one) => one.getBoundingClientRect().bottom <= innerHeight;
    if (!seen.some(within)) seen[0]?.scrollIntoView({ block: 'center' });
    return seen.map((one) => one.getBoundingClientRect())
        .filter((box) => box.top >= 0 && box.bottom <= innerHeight)
        .map((box) => [box.left + box.width / 2, box.top + box.height / 2]);
}"""
"""The middles of all that can be tapped: places on the board, or else keys."""


def open_table(page, line: str = "/jugar niya") -> str:
    """Type the command that opens a table; its code."""
    with table_opens(page):
        said(page, line)
    return page.text_content("#code").removeprefix("mesa ")


@contextmanager
def table_opens(page) -> Iterator[None]:
    """What is done within opens a table: wait until it is that one that is shown."""
    before = page.text_content("#code")
    yield
    until(page, "old => document.getElementById('code').textContent !== old", before)
    until(page, "!document.body.classList.contains('home')")


def said(page, line: str) -> None:
    """Type *line*; on a phone what is typed has a pane of its own, and elsewhere a key shows it.

    A board that came with the page itself has no keys yet.
    """
    until(page, "!document.body.classList.contains('early')")
    if not page.is_visible("#input"):
        page.keyboard.press("/") if page.query_selector("body.home") else page.click("#to-talk")
    if page.query_selector("#speak[aria-pressed=true]") and not line.startswith("/"):
        page.click("#speak")
    page.fill("#input", line)
    page.press("#input", "Enter")


def prefer(page, name: str, value: str) -> None:
    """Choose *value* for *name* in the form of this device; games are being chosen."""
    if not page.query_selector("#preferences"):
        page.click("a[data-place=settings]:visible")
        page.wait_for_selector("#preferences")
    page.check(f"#preferences input[name='{name}'][value='{value}']", force=True)


def press(page, number: int = 0) -> None:
    """Press the button of a choice: where there are many they are folded away."""
    for left in reversed(range(20)):
        if page.is_visible("#board summary") and not page.is_visible("#board .keys .key"):
            page.click("#board summary")
        # A board that is drawn anew meanwhile has folded them again.
        try:
            page.click(f"#board .keys .key >> nth={number}", timeout=3000)
        except playwright.TimeoutError:
            if not left:
                raise
        else:
            return


def invited(page, context, name: str):
    """Somebody who comes by the link that stands beside a waiting board, which seats him."""
    page.wait_for_selector("#acts .waiting:has(img.qr) input.link")
    other = come_in(context, page.input_value("input.link"), name)
    other.wait_for_selector(".pic img")
    page.wait_for_selector(".pic img")
    return other


PATIENCE = 120.0
"""Seconds after which what has not come will not come, however busy the machine is."""


def eventually(page, what: Callable[[], Held], meant: str) -> Held:
    """What *what* answers as soon as that is true of anything, asked while *page* lives on."""
    given_up = time.monotonic() + PATIENCE
    while time.monotonic() < given_up:
        # A page that is being loaded anew cannot be asked.
        with suppress(playwright.Error):
            if held := what():
                return held
        page.wait_for_timeout(50)
    raise AssertionError(f"after {PATIENCE:.0f} s still not so: {meant}. {shows(page)}")


def shows(page) -> str:
    """What *page* shows, for whoever reads why a test failed."""
    told = page.evaluate(
        """() => ['#title', '#board h2', '#status', '#said', '#talk .told', '#talk .bad']
            .map((one) => document.querySelector(one)?.textContent ?? '')
            .concat(window.told?.slice(-3) ?? [])"""
    )
    return f"The page at {page.url} shows {' | '.join(filter(None, told))!r}."


def to_move(*pages):
    """The page whose turn it is, or ``None`` when the game is over."""

    def found():
        if any(page.query_selector("#board.over") for page in pages):
            return (None,)
        return [page for page in pages if page.query_selector(TO_CHOOSE)]

    return eventually(pages[0], found, "somebody is to move, or the game is over")[0]


def until(page, expression: str, argument: object = None) -> None:
    """Wait until *expression* holds; Playwright's own waiting is what the page's CSP forbids."""

    def holds() -> bool:
        try:
            return bool(page.evaluate(expression, argument))
        except playwright.Error as gone:
            # The page is being led elsewhere: what comes next is asked.
            if "context was destroyed" not in str(gone):
                raise
            return False

    eventually(page, holds, f"{expression} of {argument}" if argument else expression)


PACE = 200
"""Milliseconds between two moves: nobody plays faster for long."""


def played(page) -> None:
    """Wait until what was done has come back as a board."""
    until(page, "what => !document.querySelector(what)", TO_CHOOSE)
    page.wait_for_timeout(PACE)


def listed(page, moves: int) -> None:
    """Wait until so many moves are on the list, which is drawn a little after the board."""
    until(page, "count => document.querySelectorAll('#log li').length === count", moves)


def notes(page) -> list[str]:
    """The moves on the list, which may lag behind the board."""
    return page.eval_on_selector_all("#log .n", "all => all.map(one => one.textContent)")


def fits(page) -> None:
    """Nothing is wider than the window, and nothing covers the board."""
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    covered = page.evaluate(
        """() => {
            const pic = document.querySelector('#board > .pic').getBoundingClientRect();
            const seen = [];
            for (let y = pic.top + 4; y < pic.bottom - 4; y += 20)
                for (const x of [pic.left + 8, (pic.left + pic.right) / 2, pic.right - 8])
                    seen.push(document.elementFromPoint(x, y)?.closest('.pic') != null);
            return [seen.length, seen.filter(one => !one).length];
        }"""
    )
    assert covered[0] > 30
    assert covered[1] == 0, "the board is wholly visible"
