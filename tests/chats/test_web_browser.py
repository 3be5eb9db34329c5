"""Whole games in a real browser against the real program, killed in the middle.

Needs Playwright's Python package and a Chromium of the system; without them it is skipped.
"""

from __future__ import annotations

import os
import re
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
    page = context.new_page()
    page.goto(address)
    page.fill("#name", name)
    page.click("#asked button")
    page.wait_for_selector("#asked", state="detached")
    return page


def open_table(page, line: str = "/jugar niya") -> str:
    """Type the command that opens a table; its code."""
    page.fill("#input", line)
    page.press("#input", "Enter")
    until(page, "document.querySelector('#board')?.isConnected")
    code = page.text_content("#code")
    return code.removeprefix("mesa ")


def invited(page, context, name: str):
    """Somebody who comes by an invitation link and sits down."""
    page.click("text=Invitar con un enlace")
    link = page.input_value("input.link")
    other = come_in(context, link, name)
    other.click("text=Sentarme")
    other.wait_for_selector(".pic img")
    page.wait_for_selector(".pic img")
    return other


def to_move(*pages):
    """The page whose turn it is, or ``None`` when the game is over."""
    for _ in range(1800):
        if any(page.query_selector("#board.over") for page in pages):
            return None
        for page in pages:
            if page.query_selector("#board .keys .key"):
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
    until(page, "!document.querySelector('#board .keys .key')")


def notes(page) -> list[str]:
    return page.eval_on_selector_all("#board .log .n", "all => all.map(one => one.textContent)")


def test_two_people_play_a_whole_game_by_buttons_in_one_browser(program, chromium):
    with browser_of(chromium) as context:
        nerea = come_in(context, program.address, "Nerea")
        open_table(nerea)
        bruno = invited(nerea, context, "Bruno")
        assert nerea.url != bruno.url
        assert {name for page in (nerea, bruno) for name in [page.text_content("#rename")]} == {
            "Nerea",
            "Bruno",
        }
        plies = 0
        while page := to_move(nerea, bruno):
            assert page.title() == "▶ Te toca · Niya · Ludoteca"
            # By turns on the button and on the board itself.
            if plies % 2:
                page.click("#board .keys .key >> nth=-1")
            else:
                page.click("#board .spot >> nth=0")
            played(page)
            plies += 1
        # N11: the shortest game takes seven markers, the longest sixteen.
        assert 2 <= plies <= 16
        for page in (nerea, bruno):
            page.wait_for_selector("#board.over")
            assert page.title() == "Niya · Ludoteca"
            assert "Revancha" in page.text_content("#board")


def test_the_program_is_killed_in_the_middle_and_nothing_is_lost(program, chromium):
    with browser_of(chromium) as here, browser_of(chromium, color_scheme="dark") as there:
        nerea = come_in(here, program.address, "Nerea")
        table = open_table(nerea)
        bruno = invited(nerea, there, "Bruno")
        for _ in range(2):
            page = to_move(nerea, bruno)
            page.click("#board .keys .key >> nth=0")
            played(page)
        mover = to_move(nerea, bruno)
        told = len(notes(mover))
        program.kill()
        mover.wait_for_selector("#status.bad")
        assert "Sin conexión" in mover.text_content("#status")
        # Pressed while nobody listens, twice: it is sent when somebody does, and done once.
        mover.click("#board .keys .key >> nth=0")
        mover.click("#board .keys .key >> nth=0")
        program.start()
        played(mover)
        other = nerea if mover is bruno else bruno
        other.wait_for_selector("#board .keys .key")
        assert len(notes(mover)) == told + 1
        assert other.text_content("#code") == f"mesa {table}"
        # A fresh page knows it all again, and the game goes on to its end.
        other.reload()
        other.wait_for_selector("#board .keys .key")
        while page := to_move(nerea, bruno):
            page.click("#board .keys .key >> nth=0")
            played(page)
        # The old first address is void, the new one lets one more person in.
        assert come_in(there, program.address, "Eva").text_content("#rename") == "Eva"


def test_a_game_typed_with_completions(program, chromium):
    with browser_of(chromium) as here, browser_of(chromium) as there:
        nerea = come_in(here, program.address, "Nerea")
        nerea.fill("#input", "/ju")
        nerea.wait_for_selector("#options li")
        nerea.press("#input", "Tab")
        assert nerea.input_value("#input") == "/jugar "
        nerea.wait_for_selector("#options li >> text=Niya")
        nerea.press("#input", "n")
        nerea.click("#options li >> text=Niya")
        assert nerea.input_value("#input") == "/jugar niya "
        nerea.press("#input", "Enter")
        nerea.wait_for_selector("#board")
        bruno = invited(nerea, there, "Bruno")
        first = True
        while page := to_move(nerea, bruno):
            step = page.get_attribute("#board .spot >> nth=0", "data-spot")
            if first:
                page.fill("#input", "zz")
                page.press("#input", "Enter")
                assert "zz" in page.text_content(".say.bad")
                page.fill("#input", step[0].lower())
                page.wait_for_selector(f"#options li >> text={step[0]}")
                page.press("#input", "ArrowDown")
                page.press("#input", "Enter")
                assert re.fullmatch(f"{step[0]}.", page.input_value("#input"))
            else:
                page.fill("#input", step)
            page.press("#input", "Enter")
            played(page)
            first = False
        page = nerea
        page.fill("#input", "/acta")
        page.press("#input", "Enter")
        with page.expect_download() as waiting:
            page.click("text=Descargar")
        assert (
            "Game" in Path(waiting.value.path()).read_text()
            or "niya" in Path(waiting.value.path()).read_text()
        )


def test_a_game_against_the_computer_with_the_keyboard_alone(program, chromium):
    with browser_of(chromium, viewport={"width": 360, "height": 740}) as context:
        page = come_in(context, program.address, "Nerea")
        page.focus('#games .key:has-text("Niya")')
        page.keyboard.press("Enter")
        page.wait_for_selector("#board")
        page.focus('#board button:has-text("+ ordenador")')
        page.keyboard.press("Enter")
        moves = 0
        while to_move(page):
            if not page.evaluate("document.activeElement.closest('#board .keys')"):
                assert moves == 0, "the focus was lost when the board was drawn anew"
                page.focus("#board .keys .key >> nth=0")
            version = page.text_content("#board .head")
            page.keyboard.press("Enter")
            until(
                page, "old => document.querySelector('#board .head').textContent !== old", version
            )
            moves += 1
            fits(page)
        assert 2 <= moves <= 8
        until(page, "document.querySelector('#live').textContent.length > 10")


def fits(page) -> None:
    """Nothing is wider than the window, and nothing covers the board."""
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    covered = page.evaluate(
        """() => {
            const pic = document.querySelector('.pic').getBoundingClientRect();
            const talk = document.querySelector('#talk').getBoundingClientRect();
            const [top, bottom] = [Math.max(pic.top, talk.top), Math.min(pic.bottom, talk.bottom)];
            const seen = [];
            for (let y = top + 4; y < bottom - 4; y += 20)
                for (const x of [pic.left + 8, (pic.left + pic.right) / 2, pic.right - 8])
                    seen.push(document.elementFromPoint(x, y)?.closest('.pic') !== null);
            return [seen.length, seen.filter(one => !one).length];
        }"""
    )
    assert covered[0] > 10
    assert covered[1] == 0


SAY = """([path, frame]) => new Promise((done) => {
    const socket = new WebSocket(`ws://${location.host}${path}`);
    const id = crypto.randomUUID();
    socket.onerror = () => done({ refused: true });
    socket.onopen = () => socket.send(JSON.stringify({ ...frame, id }));
    socket.onmessage = (event) => {
        const told = JSON.parse(event.data);
        if (told.id === id) { socket.close(); done(told); }
    };
})"""


def test_stale_foreign_and_forged_presses(program, chromium):
    with browser_of(chromium) as here, browser_of(chromium) as there:
        nerea = come_in(here, program.address, "Nerea")
        codes: list[str] = []
        nerea.on(
            "websocket",
            lambda made: made.on(
                "framesent",
                lambda frame: codes.extend(re.findall(r'"code":"([^"]+)"', str(frame))),
            ),
        )
        nerea.reload()
        nerea.wait_for_selector("#games")
        table = open_table(nerea)
        bruno = invited(nerea, there, "Bruno")
        while len([code for code in codes if code.startswith("m.")]) < 1:
            page = to_move(nerea, bruno)
            page.click("#board .keys .key >> nth=0")
            played(page)
        stale = next(code for code in codes if code.startswith("m."))
        to_move(nerea, bruno)
        before = notes(nerea)
        path = {page: page.evaluate("location.pathname") + "socket" for page in (nerea, bruno)}
        for page, code, why in (
            (nerea, stale, "juega|de antes"),
            (bruno, stale, "juega|de antes"),
            (nerea, f"{stale[:-1]}{'A' if stale[-1] != 'A' else 'B'}", "no es de aquí"),
            (nerea, "m.x", "no es de aquí"),
        ):
            frame = {"kind": "press", "code": code, "message": table}
            told = page.evaluate(SAY, [path[page], frame])
            assert not told["good"]
            assert re.search(why, told["said"])
        # Another person's socket does not open at all: his cookie is not sent there.
        hello = {"kind": "hello", "theme": "light", "language": "es"}
        assert bruno.evaluate(SAY, [path[nerea], hello]) == {"refused": True}
        assert notes(nerea) == before


def test_the_page_follows_the_theme_and_the_language(program, chromium):
    with browser_of(chromium, locale="en-GB") as context:
        page = come_in(context, program.address, "Ann")
        assert page.get_attribute("html", "lang") == "en"
        page.fill("#input", "/play niya computer")
        page.press("#input", "Enter")
        page.wait_for_selector("#board .keys .key")
        assert page.title().startswith("▶ Your turn · Niya")
        light = page.get_attribute("#board .pic img", "src")
        page.emulate_media(color_scheme="dark")
        until(
            page,
            "old => document.querySelector('#board .pic img').getAttribute('src') !== old",
            light,
        )
        page.fill("#input", "/language es")
        page.press("#input", "Enter")
        until(page, "document.documentElement.lang === 'es'")
        until(page, "document.title.startsWith('▶ Te toca')")
        assert page.get_attribute("#board .pic img", "alt")


def test_a_second_start_on_the_port_ends_with_one_sentence(program, tmp_path):
    env = {**os.environ, "WEB_PORT": str(program.port), "PYTHONPATH": str(ROOT)}
    env["DATABASE_URL"] = f"sqlite+aiosqlite:///{tmp_path}/other.db"
    for host, word in (("127.0.0.1", "WEB_PORT"), ("0.0.0.0", "WEB_HOST=0.0.0.0")):
        ended = subprocess.run(
            [sys.executable, "-m", "bot.app.main"],
            env={**env, "WEB_HOST": host},
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=30,
        )
        assert ended.returncode == 2
        assert ended.stdout == ""
        assert word in ended.stderr.splitlines()[-1]
        assert "Traceback" not in ended.stderr
