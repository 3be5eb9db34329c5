"""What a newcomer sees on each platform, and how he presses it: texts and labels, no codes."""

from __future__ import annotations

import asyncio
import re
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from urllib.parse import unquote

import aiohttp

from tests.chats.pages import Page, Visitor
from tests.drives.world import Discord, Telegram, on_discord, on_telegram

PLACES = ("discord", "telegram group", "telegram private", "browser")

HAND = 0.4
"""Seconds that a hand needs for a press, at least: who presses faster is asked to go slower."""

TRIES = 3
"""How often somebody types or presses the same to whom nothing answers."""


class Eyes(ABC):
    """One person before one screen."""

    @abstractmethod
    async def play(self) -> None:
        """Type ``/play``."""

    @abstractmethod
    def said(self) -> str:
        """The words that stand on the newest message."""

    @abstractmethod
    def labels(self) -> list[str]:
        """What can be pressed or chosen on it, as it is labelled."""

    @abstractmethod
    async def press(self, label: str) -> None:
        """Press or choose what is labelled so."""

    @abstractmethod
    async def other_comes(self, sees: Callable[..., Any]) -> int:
        """Another person sits down or accepts; how many presses that took him."""

    @abstractmethod
    def faults(self) -> list[str]:
        """What may never be."""

    async def pick(self) -> bool:
        """Pick a person from a list, where there is one."""
        return False

    async def wait(self) -> None:
        """Look away for a moment."""
        await asyncio.sleep(0.05)

    def can_choose(self, label: str) -> bool:
        """Whether *label* stands there and is not chosen yet."""
        return label in self.labels()

    def others_turn(self) -> bool:
        """Whether the screen says that it is the other person's turn."""
        return "Bob to move" in self.said()


class OnDiscord(Eyes):
    """A channel of a server: private answers and the board below them."""

    def __init__(self, at: Discord) -> None:
        self.at, self.private, self.since = at, None, 0.0

    def _messages(self) -> list[Any]:
        mine = [
            m for m in self.at.fake.messages.values() if not m.deleted and m.created >= self.since
        ]
        return [m for m in mine if m.buttons and (not m.ephemeral or m is self.private)]

    @property
    def message(self) -> Any:
        found = self._messages()
        return self.private if self.private in found else (found[-1] if found else None)

    async def play(self) -> None:
        for _ in range(TRIES):
            # A machine that is busy with something else is no fault of the way: he types again.
            handle = self.at.kept(await self.at.fake.slash(self.at.fake.A, "play", {}))
            with suppress(TimeoutError):
                self.private = await handle.reply()
                break
        assert self.private is not None, "no answer to /play"
        self.since = self.private.created
        assert self.private.ephemeral

    def said(self) -> str:
        return self.message.text if self.message is not None else ""

    def labels(self) -> list[str]:
        message = self.message
        if message is None:
            return []
        lists = [
            o["label"]
            for s in message.selects
            for o in s.get("options", ())
            if not o.get("default")
        ]
        return [*lists, *(b["label"] for b in message.buttons if not b.get("disabled"))]

    async def press(self, label: str) -> None:
        fake, message = self.at.fake, self.message
        before = (message.text, self.labels())
        for one in message.selects:
            if any(o["label"] == label for o in one.get("options", ())):
                handle = self.at.kept(
                    await fake.select(fake.A, message, [label], custom_id=one["custom_id"])
                )
                with suppress(TimeoutError):
                    await handle.acked()
                return
        handle = self.at.kept(await fake.click(fake.A, message, label=label))
        with suppress(TimeoutError):
            await handle.acked()
        if handle.followups or (handle.message is not None and handle.message is not message):
            self.private = next(
                (m for m in (handle.message, *handle.followups) if m is not None and m.buttons),
                self.private,
            )
        if not message.buttons:
            self.private = None
        until = asyncio.get_running_loop().time() + 5
        while (self.said(), self.labels()) == before and asyncio.get_running_loop().time() < until:
            await asyncio.sleep(0.05)

    async def pick(self) -> bool:
        (people,) = [s for s in self.message.selects if s["type"] == 5]
        handle = await self.at.fake.select(
            self.at.fake.A, self.message, [self.at.fake.B], custom_id=people["custom_id"]
        )
        await self.at.kept(handle).acked()
        return True

    async def other_comes(self, sees: Callable[..., Any]) -> int:
        await sees(lambda: "Accept" in self.labels(), "the challenge")
        await self.at.click(self.at.fake.B, self.message, label="Accept")
        await sees(lambda: "Accept" not in self.labels(), "the game")
        return 1

    def faults(self) -> list[str]:
        return self.at.breaches()


class OnTelegram(Eyes):
    """A group or a private chat: the newest message with buttons."""

    def __init__(self, stage: Telegram, chat: dict) -> None:
        self.stage, self.chat, self.since = stage, chat, 0

    @property
    def message(self) -> Any:
        found = [
            m for (place, _), m in self.stage.fake.messages.items() if place == self.chat["id"]
        ]
        found = [m for m in found if m.buttons and not m.deleted and m.id > self.since]
        return found[-1] if found else None

    async def play(self) -> None:
        handle = await self.stage.fake.say(self.stage.fake.A, "/play", self.chat)
        self.since = handle.message.id

    def said(self) -> str:
        return self.message.text if self.message is not None else ""

    def labels(self) -> list[str]:
        return [b["text"] for b in self.message.buttons] if self.message is not None else []

    def _links(self) -> list[str]:
        buttons = self.message.buttons if self.message is not None else ()
        return [b["url"] for b in buttons if b.get("url")]

    async def press(self, label: str) -> None:
        message, fake = self.message, self.stage.fake
        before = (message.id, self.said(), self.labels())
        handle = await fake.press(fake.A, message, label)
        await handle.answered()
        url = (handle.answer or {}).get("url")
        if url:
            # What is his alone is shown in the private chat.
            self.chat, self.since = fake.private(fake.A), 0
            await fake.follow_link(fake.A, url)
        until = asyncio.get_running_loop().time() + 5
        while (self.message and self.message.id, self.said(), self.labels()) == before:
            if asyncio.get_running_loop().time() > until:
                return
            await asyncio.sleep(0.05)

    async def other_comes(self, sees: Callable[..., Any]) -> int:
        fake = self.stage.fake
        if self.chat["type"] != "private":
            await sees(lambda: "Sit down" in self.labels(), "the table")
            await (await fake.press(fake.B, self.message, "Sit down")).answered()
            await sees(lambda: "Sit down" not in self.labels() or "Start" in self.labels(), "him")
            return 1
        await sees(self._links, "the invitation")
        (sent,) = self._links()
        link = re.search(r"url=([^&]+)", sent)
        assert link
        await fake.follow_link(fake.B, unquote(link[1]))
        await sees(lambda: getattr(self.message, "photo", None) or "Start" in self.labels(), "him")
        return 1

    def faults(self) -> list[str]:
        unanswered = [f"unanswered {u}" for u in self.stage.fake.unanswered[:3]]
        return self.stage.breaches() + unanswered


class InBrowser(Eyes):
    """A page: its newest card, or the board that was opened last."""

    def __init__(self, stack: AsyncExitStack, server: Any, page: Page) -> None:
        self.stack, self.server, self.page = stack, server, page
        self.card: dict | None = None
        self.table = ""

    def _shown(self) -> dict:
        return (
            self.card
            or self.page.boards.get(self.table)
            or {"headline": "", "lines": [], "rows": []}
        )

    async def _answered(self, answer: dict) -> None:
        assert answer["good"], answer
        if answer.get("open"):
            self.card, self.table = None, answer["open"]
            await self.page.board(self.table)
        elif answer.get("card"):
            self.card = answer["card"]
        elif answer.get("board"):
            self.page.boards[self.table] = {**self.page.boards[self.table], **answer["board"]}

    async def play(self) -> None:
        await self._answered(await self.page.type("/play"))

    def said(self) -> str:
        shown = self._shown()
        return "\n".join([shown["headline"], *shown["lines"]])

    def labels(self) -> list[str]:
        return [b["label"] for b in self._buttons() if b.get("style") != "blank"]

    def _buttons(self) -> list[dict]:
        """What can be pressed: the options of the form first."""
        shown = self._shown()
        options = [one for asked in shown.get("choices", ()) for one in asked["options"]]
        return [*options, *(button for row in shown["rows"] for button in row)]

    async def press(self, label: str) -> None:
        button = next(b for b in self._buttons() if b["label"] == label)
        told, before = "" if self.card else self.table, self._shown()
        await asyncio.sleep(HAND)
        await self._answered(await self.page.ask("press", code=button["code"], message=told))
        for _ in range(10):
            # The answer comes before the board that it leads to.
            if self._shown() is before:
                await self.wait()

    async def wait(self) -> None:
        try:
            await self.page.until(lambda _: True, 0.5)
        except TimeoutError:
            return

    async def other_comes(self, sees: Callable[..., Any]) -> int:
        answer = await self.page.ask("invite", table=self.table)
        visitor = Visitor(self.server)
        await visitor.enter(answer["link"])
        other = await self.stack.enter_async_context(visitor.open("en"))
        assert (await other.ask("name", name="Bob"))["good"]
        await sees(lambda: self._shown().get("picture") or "2. Bob" in self.said(), "him")
        return 0

    def faults(self) -> list[str]:
        return []


@asynccontextmanager
async def looking_from(place: str, folder: Path) -> AsyncIterator[Eyes]:
    """The real process with one newcomer in *place*."""
    folder.mkdir(parents=True, exist_ok=True)
    async with AsyncExitStack() as stack:
        if place == "discord":
            yield OnDiscord(await stack.enter_async_context(on_discord(folder)))
        elif place == "browser":
            at = await stack.enter_async_context(on_discord(folder))
            http = await stack.enter_async_context(aiohttp.ClientSession())
            address = re.search(r"http://127\.0\.0\.1:\S+", at.bot.output)
            assert address
            server = SimpleNamespace(http=http, url=address[0].split("/?")[0])
            visitor = Visitor(server)
            await visitor.enter(address[0])
            page = await stack.enter_async_context(visitor.open("en"))
            assert (await page.ask("name", name="Alice"))["good"]
            yield InBrowser(stack, server, page)
        else:
            stage = await stack.enter_async_context(on_telegram(folder))
            fake = stage.fake
            yield OnTelegram(stage, fake.group if place.endswith("group") else fake.private(fake.A))
