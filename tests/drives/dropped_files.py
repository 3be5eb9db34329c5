"""Files that people drop: ``python -m tests.drives.dropped_files FOLDER [--only CHAT]``.

A file of each format, a broken one, one of 256 KB and bombs are opened on an emulated Discord, an
emulated Telegram, both times by somebody new, and the page in Chromium. What came back first, after
how long, and how late the loop was meanwhile are told; pictures of the answers go into FOLDER. The
status is 1 where nothing came back, what came back is not what is due, or a loop stood still for
more than a second. Needs ``../shared/emulators`` and Debian's chromium.
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import io
import sys
import tempfile
import threading
import time
import urllib.request
import zipfile
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import discord
import psutil
import pytest

from games.core.record import LONGEST_RECORD
from tests.bot.test_opened_files import wandering_kings
from tests.browser.test_browser_hands import PHONE
from tests.chats.test_opened_in_chats import CASES, KIF
from tests.drives import discord_house, message_mockups, telegram_house
from tests.drives.browsing import browser_of, come_in, served, started
from tests.drives.hazards import watched
from tests.drives.report import Report
from tests.drives.world import require_emulators

WAITS = 40.0
"""Seconds after which nothing is expected any more."""


def zipped(size: int) -> bytes:
    """A small archive that would unfold to *size* bytes."""
    with zipfile.ZipFile(file := io.BytesIO(), "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("game.kif", b"0" * size)
    return file.getvalue()


FILES = [
    *CASES,
    ("zip-bomb.kif", zipped(100_000_000), "refused"),
    ("nested.ptn", b"1. " + b"(" * 200_000 + b"a1", "refused"),
    ("long-line.kif", KIF + b"*" + b"x" * (LONGEST_RECORD - len(KIF) - 1), "read"),
    ("branches.kif", KIF + "変化：1手\n".encode() * 12_000, "stops"),
    ("kings.usi", wandering_kings(20_000).encode(), "stops"),
]
"""The name, the bytes, and whether it is due to be read, read up to a line, or refused."""

FAST = ("Not so fast", "Más despacio")
READ, STOPS = ("leídas", "moves read"), ("Hasta ahí", "up to there")


def is_due(told: str, text: str) -> bool:
    """Whether *text* is an answer such as is due to a file of the kind *told*."""
    read, stops = (any(one in text for one in words) for words in (READ, STOPS))
    return {"read": read and not stops, "stops": read and stops}.get(told, bool(text) and not read)


async def until(found: Callable[[], Any]) -> Any:
    """What is *found* within ``WAITS``, or what is not."""
    with suppress(TimeoutError):
        async with asyncio.timeout(WAITS):
            while not found():
                await asyncio.sleep(0.02)
    return found()


class Dropped:
    """What came back in one *chat*."""

    def __init__(self, report: Report, chat: str) -> None:
        self.report, self.chat = report, chat
        self.shots: list[tuple[str, str]] = []

    def note(self, name: str, told: str, seconds: float, text: str) -> None:
        """Note the *text* that came after *seconds* of the file *name*."""
        self.report.took(self.chat, seconds)
        self.report.forbid(int(not is_due(told, text)), f"wrong answers on {self.chat}")
        print(f"{self.chat:9}{name:20}{seconds:6.2f} s  {' | '.join(text.splitlines())[:150]}")


async def on_discord(dropped: Dropped, folder: Path) -> None:
    """Each file by ``/open``, in a server, for whoever sends it alone."""
    async with discord_house.house(folder) as at:
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(discord.Asset, "BASE", f"{at.fake.url}/cdn")
            names = {i: u["global_name"] for i, u in at.fake.users.items()}
            async with watched(dropped.report, dropped.chat):
                for number, (name, data, told) in enumerate(FILES):
                    who, text = at.fake.add_user(f"Ana {number}"), FAST[0]
                    while text.startswith(FAST):
                        began = time.monotonic()
                        handle = await at.slash(who, "open", {"file": (data, name)})
                        text = await until(lambda one=handle: _last(at.told(one)))
                        await asyncio.sleep(2.0 * text.startswith(FAST))
                    dropped.note(name, told, time.monotonic() - began, text)
                    shown = handle.followups[-1] if handle.followups else handle.message
                    dropped.shots.append((name, message_mockups.discord(shown, names)))
        dropped.report.forbid(len(at.fake.violations), "violations on Discord")


def _last(text: str) -> str:
    """*text* unless it only says that a file is being looked at."""
    return "" if text.startswith(WAITING) else text


WAITING = ("I’m reading", "I’m still", "Estoy leyendo", "Sigo", "Aún", "Todavía")


def send(fake: Any, who: Any, name: str, data: bytes) -> None:
    """*who* sends a document to the bot: the emulator has no such act of its own."""
    from fake_telegram import Handle
    from harness_common import store

    kept, chat = store(fake.outdir, next(fake._n), "document", name, data), fake.private(who)
    key = f"d{len(fake.files)}"
    fake.files[key] = kept
    about = {
        "file_id": f"doc-{key}",
        "file_unique_id": key,
        "file_name": name,
        "file_size": len(data),
    }
    fake.started.add(who["id"])
    fake.known.add(who["id"])
    handle = Handle(fake, f"document {name}", None, chat["id"], who)
    handle.place, handle.message = chat, fake._user_message(who, chat, document=about)
    handle.update = fake._push("message", handle.message.data, handle)


async def on_telegram(dropped: Dropped, folder: Path) -> None:
    """Each file in the private chat of somebody new."""
    async with telegram_house.house(folder) as at:
        async with watched(dropped.report, dropped.chat):
            for number, (name, data, told) in enumerate(FILES):
                text, tries = FAST[0], 0
                while text.startswith(FAST):
                    tries += 1
                    who = at.fake.add_user(f"Ana{number}", f"ana{number}x{tries}", lang="es")
                    began = time.monotonic()
                    send(at.fake, who, name, data)

                    def answers(who: Any = who) -> list[Any]:
                        ours = (m for m in at.fake.messages.values() if m.data["from"]["is_bot"])
                        return [m for m in ours if m.chat_id == who["id"] and _last(m.text)]

                    found = await until(answers)
                    text = found[-1].text if found else ""
                    await asyncio.sleep(2.0 * text.startswith(FAST))
                dropped.note(name, told, time.monotonic() - began, text)
                dropped.shots += [(name, message_mockups.telegram(m)) for m in found[-1:]]
        dropped.report.forbid(len(at.fake.violations), "violations on Telegram")


DROP = """([name, data]) => {
    const bytes = Uint8Array.from(atob(data), (one) => one.charCodeAt(0));
    const held = new DataTransfer();
    held.items.add(new File([bytes], name));
    const event = { dataTransfer: held, bubbles: true, cancelable: true };
    document.getElementById('position').dispatchEvent(new DragEvent('drop', event));
}"""

SAID = """() => {
    const board = document.getElementById('board')?.innerText ?? '';
    return [...window.told, board.includes('leídas') ? board : ''];
}"""


def on_page(dropped: Dropped, folder: Path) -> None:
    """Each file dropped on the card for positions, in Chromium."""
    lags, own, over = [0.0], [0.0], threading.Event()
    with started() as chromium, served() as program:
        plain = program.address.partition("?")[0]
        assert program.child is not None
        process = psutil.Process(program.child.pid)

        def watch() -> None:
            while not over.wait(0.05):
                began, busy = time.monotonic(), sum(process.cpu_times()[:2])
                with suppress(OSError):
                    urllib.request.urlopen(f"{plain}healthz", timeout=10).read()
                lags.append(time.monotonic() - began)
                own.append(min(lags[-1], sum(process.cpu_times()[:2]) - busy))

        watching = threading.Thread(target=watch)
        watching.start()
        try:
            with browser_of(chromium, **PHONE) as context:
                page = come_in(context, program.address, "Ana")
                for number, (name, data, told) in enumerate(FILES):
                    text = FAST[1]
                    while text.startswith(FAST):
                        page.wait_for_timeout(2_000)
                        page.goto(page.url.partition("#")[0])
                        page.click("a[data-place=position]:visible")
                        page.wait_for_selector("#position")
                        page.evaluate("window.told.length = 0")
                        began, text = time.monotonic(), ""
                        page.evaluate(DROP, [name, base64.b64encode(data).decode()])
                        while time.monotonic() < began + WAITS and not is_due(told, text):
                            page.wait_for_timeout(50)
                            text = " ".join(map(_last, page.evaluate(SAID))).strip()
                            if text.startswith(FAST):
                                break
                    dropped.note(name, told, time.monotonic() - began, text)
                    page.screenshot(path=folder / f"page-{number:02}-{name}.png")
        finally:
            over.set()
            watching.join()
    # Another process asks, on the same processors: it waits for more than what this one computes.
    dropped.report.forbid(int(max(own) > 1.0), "loops that stand still: page")
    print(f"page: the latest of {len(lags)} answers in between after {max(lags):.2f} s")
    print(f"page: the process itself computed for {max(own):.2f} s at most during one of them")


@asynccontextmanager
async def painted(dropped: Dropped, folder: Path) -> AsyncIterator[Path]:
    """A folder for a house; the pictures of what stood on its screens go into *folder*."""
    from playwright.async_api import async_playwright

    from tests.drives.browsing import CHROMIUM

    with tempfile.TemporaryDirectory() as work:
        yield Path(work)
        async with async_playwright() as p:
            browser = await p.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
            tab = await browser.new_page(viewport={"width": 1660, "height": 900})
            for at in range(0, len(dropped.shots), 8):
                some = dropped.shots[at : at + 8]
                columns = [
                    message_mockups.phone(dropped.chat, some[n : n + 2])
                    for n in range(0, len(some), 2)
                ]
                (written := Path(work, "page.html")).write_text(message_mockups.page(columns))
                await tab.goto(written.as_uri())
                await tab.screenshot(path=folder / f"{dropped.chat}-{at:02}.png", full_page=True)
            await browser.close()


async def _in_chat(report: Report, folder: Path, chat: str, drop: Callable[..., Any]) -> None:
    dropped = Dropped(report, chat)
    async with painted(dropped, folder) as work:
        await drop(dropped, work)


def main() -> int:
    parser = argparse.ArgumentParser(prog="tests.drives.dropped_files", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", choices=("discord", "telegram", "page"))
    asked, report = parser.parse_args(), Report()
    asked.folder.mkdir(parents=True, exist_ok=True)
    require_emulators()
    if asked.only in (None, "discord"):
        asyncio.run(_in_chat(report, asked.folder, "discord", on_discord))
    if asked.only in (None, "telegram"):
        telegram_house.run(_in_chat(report, asked.folder, "telegram", on_telegram))
    if asked.only in (None, "page"):
        on_page(Dropped(report, "page"), asked.folder)
    print(report)
    return len(report.breaches) > 0


if __name__ == "__main__":
    sys.exit(main())
