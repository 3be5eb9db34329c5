"""Hands for the first steps on the three chats, before their small platforms."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tests.chats.discord_messages import Asked
from tests.chats.discord_messages import Shown as DiscordShown
from tests.chats.discord_table import ANA
from tests.chats.fake_discord import FakeDiscord
from tests.chats.pages import Page
from tests.chats.telegram_room import NEREA, Room
from tests.learner import Seen
from tests.telegram_messages import Shown as TelegramShown
from tests.telegram_messages import private

LOCALES = {"es": "es-ES", "en": "en-GB"}
"""How Discord names the languages."""


@dataclass
class DiscordHands:
    """Ana, who sees an answer for her eyes alone in a channel."""

    fake: FakeDiscord
    language: str = "es"
    shown: DiscordShown | None = None

    async def begin(self, game: str) -> Seen:
        asked = await self._slash({"game": game})
        await self.fake.until(lambda: asked.message is not None and asked.message.buttons)
        self.shown = asked.message
        assert self.shown is not None
        assert self.shown.ephemeral
        return self._seen()

    async def press(self, code: str) -> Seen:
        assert self.shown is not None
        before = self.shown.writes
        await self.fake.press(ANA, self.shown, code, locale=LOCALES[self.language])
        await self.fake.until(lambda: self.shown.writes > before)
        return self._seen()

    async def say(self, text: str) -> str:
        asked = await self._slash({"answer": text})
        await self.fake.until(lambda: bool(asked.message and asked.message.text))
        return asked.message.text

    async def _slash(self, options: dict[str, str]) -> Asked:
        return await self.fake.slash(ANA, "learn", options, locale=LOCALES[self.language])

    def _seen(self) -> Seen:
        codes = (button.get("custom_id", "") for button in self.shown.buttons)
        return Seen(self.shown.text, tuple(filter(None, codes)))


@dataclass
class TelegramHands:
    """Nerea in her private chat."""

    room: Room
    language: str = "es"
    shown: TelegramShown | None = None

    @property
    def who(self) -> dict[str, Any]:
        return {**NEREA, "language_code": self.language}

    async def begin(self, game: str) -> Seen:
        self.shown = await self._said(f"/aprender {game}")
        return self._seen()

    async def press(self, code: str) -> Seen:
        before = self.shown.edits
        await self.room.api.press(self.who, self.shown, code)
        await self.room.api.until(lambda: self.shown.edits > before)
        return self._seen()

    async def say(self, text: str) -> str:
        return (await self._said(f"/aprender {text}")).text

    async def _said(self, line: str) -> TelegramShown:
        before = set(self.room.api.messages)
        await self.room.api.say(self.who, line, private(NEREA))

        def fresh() -> list[TelegramShown]:
            found = self.room.api.messages
            return [found[n] for n in found if n not in before and found[n].text]

        return (await self.room.api.until(fresh))[-1]

    def _seen(self) -> Seen:
        codes = (one.get("callback_data", "") for row in self.shown.rows for one in row)
        return Seen(self.shown.text, tuple(filter(None, codes)))


@dataclass
class PageHands:
    """A guest at an open page, which answers with a board of its own."""

    page: Page
    language: str = "es"

    async def begin(self, game: str) -> Seen:
        answer = await self.page.ask("call", line=f"/aprender {game}")
        assert answer["card"]["spots"], "a board of its own has squares that can be tapped"
        return self._seen(answer)

    async def press(self, code: str) -> Seen:
        return self._seen(await self.page.ask("press", code=code, message=""))

    async def say(self, text: str) -> str:
        return self._seen(await self.page.ask("call", line=f"/aprender {text}")).text

    def _seen(self, answer: dict[str, Any]) -> Seen:
        card = answer.get("card")
        if card is None:
            return Seen(answer["said"], ())
        assert card["picture"]
        codes = (button["code"] for row in card["rows"] for button in row)
        return Seen("\n".join((card["headline"], *card["lines"])), tuple(codes))
