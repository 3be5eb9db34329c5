"""What a person alone sees goes on with its table or tournament, while its token is valid."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from cachetools import LRUCache
from discord.utils import snowflake_time

from bot.chats.discord.interaction_responses import Replies
from bot.chats.discord.reading import MARGIN, TOKEN_LIFE, press_of, where_of
from bot.chats.discord.reply import Reply
from bot.facade import Action, Requests, log_unstored, remembering
from bot.port import Button, Screen, ScreenAnswer
from bot.texts import language
from games.core import phrase

TOGETHER = 1.0
"""Seconds within which further changes are shown at once."""


@dataclass
class ScreenRenewals:
    """Renews the messages that people alone see, each by the token of its last press."""

    requests: Requests
    replies: Replies
    _running: LRUCache[int, tuple[asyncio.Task[None], str]] = remembering(4096)
    """By message, what renews it, and the code by which it does that."""

    def start(self, reply: Reply, message: int, answer: ScreenAnswer) -> None:
        """Renew *message*, in which *reply* has shown *answer*, from now on."""
        screen, code = answer.screen, answer.renewal
        if message in self._running:
            running, known = self._running.pop(message)
            running.cancel()
            click = self.replies.boards.buttons.click(known)
            if click is not None and screen.scene is not None and click.table == screen.table:
                code = code or known  # a move is begun on the same board
        if code:
            renewing = asyncio.create_task(self._renew(reply, message, code, screen))
            self._running[message] = renewing, code

    def stop(self) -> None:
        """Renew nothing more."""
        for task, _ in self._running.values():
            task.cancel()

    async def _renew(self, reply: Reply, message: int, code: str, screen: Screen) -> None:
        with log_unstored():
            await self._renew_in_time(reply, message, code, screen)

    async def _renew_in_time(self, reply: Reply, message: int, code: str, screen: Screen) -> None:
        boards, interaction = self.replies.boards, reply.interaction
        click = boards.buttons.click(code)
        subject = "" if click is None else click.table
        press = replace(
            press_of(interaction, where_of(interaction), code),
            message=str(message),
            own=True,
            sent=None,
            by_itself=True,
        )
        until = snowflake_time(interaction.id) + TOKEN_LIFE - MARGIN
        version = screen.version or await boards.version(subject)
        while (left := (until - datetime.now(UTC)).total_seconds()) > 0:
            if not await boards.until_changed(subject, version, left):
                break
            await asyncio.sleep(TOGETHER)
            version = await boards.version(subject)
            update = f"{press.update}.{message}.{version}"
            answer = await self.requests.press(replace(press, update=update, code=code))
            if not isinstance(answer, ScreenAnswer):
                return
            screen = answer.screen
            await self.replies.renew(reply, message, answer)
            if not answer.renewal:
                return
            code = answer.renewal
            self._running[message] = self._running[message][0], code
        say, label = language(screen.language).say, "ways.board"
        if click is not None and click.act is Action.TOURNAMENT:
            label = "tournament.button.all"
        rows = screen.rows
        if code not in {button.code for row in rows for button in row}:
            rows += ((Button(say(phrase(label)), code),),)
        last = replace(screen, lines=(*screen.lines, say(phrase("discord.rests"))), rows=rows)
        await self.replies.renew(reply, message, ScreenAnswer(last))
