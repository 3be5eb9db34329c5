"""Telegram as it is outside, with time that can be skipped: the house in this very process.

The loop's clock, the paces and the emulator's clock are put forward together, so that a wait of
four minutes and a trial after half an hour take a moment.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from bot.app.settings import Settings
from bot.chats.telegram import TelegramChat, paced_messages
from bot.facade import Facade
from bot.port import Pace, Where
from storage.table import views as stored
from tests.drives.world import emulators
from tests.houses import open_house

Result = TypeVar("Result")

UNHURRIED = 2.5
"""Seconds after which a press is answered blank here: machines that test are slow at times, and
three seconds are the law."""

QUIET, UNSETTLED = 0.06, 10.0
"""Seconds without a call or a transaction after which everything that was asked has been done, and
for which that is waited for at most before time is skipped: a transaction that waits would fail."""


class SkippingLoop(asyncio.SelectorEventLoop):
    """A loop whose clock can be put forward."""

    skipped = 0.0

    def time(self) -> float:
        """The loop's clock, in seconds."""
        return super().time() + self.skipped


def run(main: Coroutine[Any, Any, Result]) -> Result:
    """Run *main* in a loop whose clock can be put forward."""
    with asyncio.Runner(loop_factory=SkippingLoop) as runner:
        return runner.run(main)


class Unhurried(TelegramChat):
    """The chat without its own pace: what Telegram itself asks for is all there is to wait for."""

    def pace(self, where: Where) -> Pace:
        """No limit."""
        del where
        return Pace()


@dataclass
class House:
    """The emulator, the house, and their clocks."""

    fake: Any
    facade: Facade
    chat: TelegramChat

    @property
    def now(self) -> float:
        """The loop's clock."""
        return asyncio.get_running_loop().time()

    async def skip(self, seconds: float) -> None:
        """Let *seconds* pass at once, when nothing is on its way: what is would time out."""
        await self.rest(UNSETTLED)
        loop = asyncio.get_running_loop()
        assert isinstance(loop, SkippingLoop)
        loop.skipped += seconds
        self.fake.advance(seconds)
        await self.rest()

    async def rest(self, most: float = 1.5) -> None:
        """Wait until nothing is called any more, *most* seconds at the longest."""
        end, last, count = time.monotonic() + most, time.monotonic(), -1
        while time.monotonic() < end and time.monotonic() - last < QUIET:
            await asyncio.sleep(0.01)
            calls = sum(1 for one in self.fake.records[-400:] if one.method != "getUpdates")
            busy = self.chat._app.update_processor.current_concurrent_updates
            busy = busy or self.facade.store._free._taken
            total = len(self.fake.records) * 1000 + calls
            if total != count or busy:
                last, count = time.monotonic(), total

    async def views(self, code: str, place: int) -> list[Any]:
        """The views of the table *code* in a group."""
        rows = await self.facade.store.read(stored.views_of_game, code)
        return [row for row in rows if row.place == str(place)]


def outside_class() -> type[Any]:
    """The emulator, which puts what answers a post among its comments, as Telegram does.

    https://core.telegram.org/api/discussion: a comment is a message that answers the post's copy
    in the group. ``FakeTelegram`` takes only answers to comments for such.
    """
    assert emulators(), "the emulators are not beside this checkout"
    from fake_telegram import FakeTelegram

    class Outside(FakeTelegram):  # type: ignore[misc]
        refused: dict[int, int]

        def _send(self, p: Any, r: Any, chat: Any, fields: Any) -> Any:
            left = getattr(self, "refused", {})
            if left.get(chat["id"], 0) > 0:
                from fake_telegram import ApiError

                left[chat["id"]] -= 1
                raise ApiError(400, "Bad Request: not enough rights to send text messages")
            sent = super()._send(p, r, chat, fields)
            answered = sent.get("reply_to_message") or {}
            if answered.get("is_automatic_forward") and not chat.get("is_forum"):
                sent["message_thread_id"] = answered["message_id"]
            return sent

    return Outside


@asynccontextmanager
async def house(folder: Path, **options: Any) -> AsyncIterator[House]:
    """A house on a database in *folder*, polling an emulator with *options*."""
    loop = asyncio.get_running_loop()
    fake = outside_class()(folder / "out", human_delay=0, **options)
    async with fake:
        facade = await open_house(folder, "en", seconds=0.2)
        facade.requests.delivery.pacing._limiters.clock = loop.time
        facade.requests.delivery.closed_places.clock = loop.time
        settings = Settings(_env_file=None, telegram_token=fake.token, telegram_api_url=fake.url)
        chat = Unhurried(facade, settings)
        chat._photo_permissions.clock = loop.time
        await facade.start([chat])
        await fake.wait_ready()
        usual, paced_messages.WATCHDOG = paced_messages.WATCHDOG, UNHURRIED
        try:
            yield House(fake, facade, chat)
        finally:
            paced_messages.WATCHDOG = usual
            await facade.stop()
