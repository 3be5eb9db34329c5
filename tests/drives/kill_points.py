"""Where a driven process dies, and how slow its pictures are: said from outside, while it runs.

``Switches`` is what a drive holds: a folder in which a file says at which point the process
kills itself, and another how long a picture takes. ``plant`` wraps the store, the house and the
chats of a process so that they look into that folder. Nothing of this stands in the product.

The points, in the order in which a press passes them:

* ``asked``: the house has a press or a command before it;
* ``before receipt``, ``after receipt``: an update of Telegram is written down, which happens to
  one that takes long; where the process is to die there, the house takes long;
* ``before change``, ``after change``: a table made or moved on is committed;
* ``before show``, ``after show``: a board goes to the platform, which answers that it has it;
* ``before mark``: what the platform has is noted as shown;
* ``after call``: a call has gone to the platform, and that is not on disk.
"""

from __future__ import annotations

import asyncio
import os
import random
import signal
import threading
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Point = tuple[str, float]
"""A point, and within how many seconds after it the process dies: 0 for at once."""

AFTER_COMMIT: tuple[Point, ...] = (
    ("after change", 0.0),
    ("before show", 0.0),
    ("after change", 0.03),
)
"""F1: what was asked for is on disk, and its board is not sent."""

AFTER_SENDING: tuple[Point, ...] = (("after show", 0.0), ("before mark", 0.0))
"""F4: the board is sent, and that is not on disk."""

RECEIPT = ("before receipt", "after receipt")

LONG = 1.0
"""Seconds that the house takes where a receipt is to be written."""

FOLDER = "DRIVE_SWITCHES"
"""The variable that names the folder."""


@dataclass(frozen=True)
class Switches:
    """What a drive may do to the process that looks into *folder*."""

    folder: Path

    def environment(self) -> dict[str, str]:
        """What the process must be told."""
        self.folder.mkdir(parents=True, exist_ok=True)
        return {FOLDER: str(self.folder)}

    def die_at(self, point: str, within: float = 0.0) -> None:
        """Let the process die when it passes *point*, or at any moment of *within* seconds after.

        Its successor does the same until ``died`` has seen it.
        """
        (self.folder / "die").write_text(f"{point}\n{within}")

    async def died(self, bot: Any) -> None:
        """Wait until the process *bot* has killed itself; the next one lives."""
        # A board that the last kill brought may wait until the group takes it.
        status = await asyncio.wait_for(bot.proc.wait(), 75.0)
        assert status == -signal.SIGKILL, f"the process ended with {status}"
        (self.folder / "die").unlink()

    def slow_pictures(self, seconds: float) -> None:
        """Let each picture take *seconds* more."""
        (self.folder / "slow").write_text(str(seconds))


def plant(folder: Path) -> None:
    """Make this process look into *folder* at each of its points."""
    _slow_pictures(folder / "slow")
    death = Death(folder / "die")
    _watch_store(death)
    _watch_house(death)
    if "DISCORD_TOKEN" in os.environ:
        from bot.chats.discord import DiscordChat

        _watch_chat(DiscordChat, death)
    if "TELEGRAM_TOKEN" in os.environ:
        from bot.chats.telegram import TelegramChat

        _watch_chat(TelegramChat, death)


def _slow_pictures(file: Path) -> None:
    from render.kit import Gallery

    real = Gallery.picture

    def picture(self: Any, scene: Any) -> bytes:
        if file.exists():
            time.sleep(float(file.read_text()))
        return real(self, scene)

    Gallery.picture = picture


@dataclass(frozen=True)
class Death:
    """Kills this process at the point that *file* names."""

    file: Path

    @property
    def point(self) -> str:
        """The point at which the process is to die, if any."""
        return self._asked()[0]

    def passed(self, point: str) -> None:
        """Note that *point* is passed."""
        wanted, within = self._asked()
        if wanted != point:
            return
        if not float(within):
            self._die()
        threading.Timer(random.random() * float(within), self._die).start()

    def _asked(self) -> tuple[str, str]:
        if not self.file.exists():
            return "", ""
        point, _, within = self.file.read_text().partition("\n")
        return point, within

    @staticmethod
    def _die() -> None:
        os.kill(os.getpid(), signal.SIGKILL)


def _watch_store(death: Death) -> None:
    """Around each commit, named after what the transaction carries."""
    from storage import games, inbox, views
    from storage.store import Store

    carried: ContextVar[str] = ContextVar("carried", default="")

    def named(module: Any, function: str, what: str) -> None:
        real = getattr(module, function)

        async def naming(*values: Any, **options: Any) -> Any:
            carried.set(what)
            return await real(*values, **options)

        setattr(module, function, naming)

    named(inbox, "receive_update", "receipt")
    named(games, "create_game", "change")
    named(games, "append_events", "change")
    named(views, "mark_view_shown", "mark")
    real = Store.transaction

    @asynccontextmanager
    async def transaction(self: Store, *, beside: bool = False) -> AsyncIterator[Any]:
        carried.set("")
        async with real(self, beside=beside) as tx:
            yield tx
            death.passed(f"before {carried.get()}")
        death.passed(f"after {carried.get()}")

    Store.transaction = transaction


def _watch_house(death: Death) -> None:
    """Around a press or command, and around the showing of the board in its answer."""
    from bot.facade import Facade
    from bot.port import BoardAnswer, ReservedBoard

    def watched(function: str) -> None:
        real = getattr(Facade, function)

        async def asked(self: Facade, what: Any) -> Any:
            death.passed("asked")
            if death.point in RECEIPT:
                await asyncio.sleep(LONG)
            answer = await real(self, what)
            if isinstance(answer, BoardAnswer) and answer.board is not None:
                death.passed("before show")
            return answer

        setattr(Facade, function, asked)

    watched("press")
    watched("call")
    report = ReservedBoard.report

    def reported(self: ReservedBoard, shown: Any) -> None:
        if shown is not None and self.held:
            death.passed("after show")
        report(self, shown)

    setattr(ReservedBoard, "report", reported)  # noqa: B010


def _watch_chat(chat: Any, death: Death) -> None:
    real = chat.show

    async def show(self: Any, *what: Any) -> Any:
        death.passed("before show")
        shown = await real(self, *what)
        death.passed("after show")
        return shown

    chat.show = show
    call = chat.ping

    async def ping(self: Any, *what: Any) -> Any:
        message = await call(self, *what)
        death.passed("after call")
        return message

    chat.ping = ping
