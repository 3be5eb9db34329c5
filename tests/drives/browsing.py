"""A real browser at the page of the real program: who comes in, types, presses and waits.

Needs Playwright's Python package and a Chromium of the system; without them tests are skipped.
"""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

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
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]


@dataclass
class Program:
    """The program ``ludoteca`` as a child process, on one port and one database."""

    folder: Path
    port: int = field(default_factory=free_port)
    child: subprocess.Popen[str] | None = None
    address: str = ""

    def start(self) -> None:
        env = {**os.environ, "WEB_PORT": str(self.port), "PYTHONPATH": str(ROOT)}
        env["DATABASE_URL"] = f"sqlite+aiosqlite:///{self.folder}/games.db"
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
        assert self.address.startswith(f"http://127.0.0.1:{self.port}/?t="), self.log()

    def kill(self) -> None:
        self._end(signal.SIGKILL)

    def stop(self) -> int:
        return self._end(signal.SIGTERM)

    def _end(self, how: signal.Signals) -> int:
        assert self.child is not None
        assert self.child.stdout is not None
        self.child.send_signal(how)
        status = self.child.wait(30)
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


@pytest.fixture(scope="module")
def chromium():
    with playwright.sync_playwright() as play:
        browser = play.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@contextmanager
def browser_of(chromium, **wishes):
    """A browser of its own: cookies, language, size and theme. No page of it may complain."""
    context = chromium.new_context(**{"locale": "es-ES", "color_scheme": "light", **wishes})
    context.set_default_timeout(60_000)
    wrong: list[str] = []
    # A page that waits for a killed server says so in the console: that is no fault of its.
    context.on("weberror", lambda error: wrong.append(str(error.error)))
    context.on(
        "console",
        lambda said: wrong.append(said.text) if "Content Security Policy" in said.text else None,
    )
    yield context
    context.close()
    assert not wrong


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


def open_table(page, line: str = "/jugar niya") -> str:
    """Type the command that opens a table; its code."""
    said(page, line)
    until(page, "!document.body.classList.contains('home')")
    code = page.text_content("#code")
    return code.removeprefix("mesa ")


def said(page, line: str) -> None:
    """Type *line*; on a phone what is typed has a pane of its own."""
    if not page.is_visible("#input"):
        page.click("#to-talk")
    page.fill("#input", line)
    page.press("#input", "Enter")


def press(page, number: int = 0) -> None:
    """Press the button of a choice: where there are many they are folded away."""
    if page.is_visible("#board summary") and not page.is_visible("#board .keys .key"):
        page.click("#board summary")
    page.click(f"#board .keys .key >> nth={number}")


def invited(page, context, name: str):
    """Somebody who comes by an invitation link, which seats him."""
    page.click("text=Invitar con un enlace")
    link = page.input_value("input.link")
    other = come_in(context, link, name)
    other.wait_for_selector(".pic img")
    page.wait_for_selector(".pic img")
    return other


def to_move(*pages):
    """The page whose turn it is, or ``None`` when the game is over."""
    for _ in range(1800):
        if any(page.query_selector("#board.over") for page in pages):
            return None
        for page in pages:
            if page.query_selector(TO_CHOOSE):
                return page
        pages[0].wait_for_timeout(50)
    raise AssertionError("nobody is to move")


def until(page, expression: str, argument: object = None) -> None:
    """Wait until *expression* holds; Playwright's own waiting is what the page's CSP forbids."""
    for _ in range(1800):
        if page.evaluate(expression, argument):
            return
        page.wait_for_timeout(50)
    raise AssertionError(f"never: {expression}")


def played(page) -> None:
    """Wait until what was done has come back as a board."""
    until(page, "what => !document.querySelector(what)", TO_CHOOSE)


def notes(page) -> list[str]:
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
