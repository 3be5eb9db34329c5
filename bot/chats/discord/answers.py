"""The answer to one interaction: given once, whether it was deferred before or not."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from enum import Enum
from time import monotonic
from typing import Any, TypeAlias

import aiohttp
import discord
from discord import ui

from bot.chats.discord.errors import too_late
from bot.chats.discord.markdown import pieces
from bot.chats.discord.writing import MOST_CONTENT
from bot.port import Shown

log = logging.getLogger(__name__)

WATCHDOG = 1.2
"""Seconds after which an interaction is deferred, fewer where Discord is far away."""

ANSWER_DUE = 2.4
"""Seconds after an interaction within which its answer should arrive; Discord waits for three."""

Interaction: TypeAlias = discord.Interaction[discord.Client]


@dataclass
class Pulse:
    """How long Discord takes of late to hear an answer, in seconds."""

    slowest: float = 0.0

    @contextmanager
    def measured(self) -> Iterator[None]:
        """Measure an answer; what was slow before counts less with each."""
        began = monotonic()
        try:
            yield
        finally:
            self.slowest = max(monotonic() - began, 0.8 * self.slowest)

    def patience(self) -> float:
        """Seconds that an answer may be worked on, so that it comes in time."""
        return max(0.1, min(WATCHDOG, ANSWER_DUE - self.slowest))


class State(Enum):
    """What the person sees of an answer so far."""

    NOTHING = "nothing"
    UPDATE = "the pressed message stays"
    PRIVATE = "somebody thinks, for him alone"
    PUBLIC = "somebody thinks, for all"
    SAID = "an answer"


@dataclass
class Reply:
    """Answers *interaction*; *private* says whether that of a command is for the asker alone.

    *visitor* says that the bot is no member of the place: the token of a press must stay
    that of its message, so words come after it and not instead of it.
    """

    interaction: Interaction
    pulse: Pulse
    """How long Discord takes of late to hear an answer."""
    visitor: bool = False
    private: bool = True
    state: State = State.NOTHING
    since: float = field(default_factory=monotonic)
    """When the interaction came."""
    promised: bool = False
    """Whether the asker has read that the answer takes longer."""

    def seconds_left(self) -> float:
        """Seconds that may still be worked on the answer before it is deferred."""
        return max(0.0, self.pulse.patience() - (monotonic() - self.since))

    @asynccontextmanager
    async def in_time(self) -> AsyncIterator[None]:
        """The answer is prepared meanwhile; it is deferred where that takes long."""
        late = False

        async def watch() -> None:
            nonlocal late
            await asyncio.sleep(self.seconds_left())
            late = True
            await self.defer()

        watchdog = asyncio.create_task(watch())
        try:
            # Done here and not in a task: the answer goes out before anything else begins.
            yield
        finally:
            if not late:
                watchdog.cancel()
        if late:
            await watchdog

    async def defer(self) -> None:
        """Say that the answer is to come: a command shows so, a pressed message stays as it is."""
        async with self._tolerant():
            if self.state is not State.NOTHING:
                return
            if self._commanded():
                await self.interaction.response.defer(ephemeral=self.private, thinking=True)
                self.state = State.PRIVATE if self.private else State.PUBLIC
            else:
                await self.interaction.response.defer()
                self.state = State.UPDATE

    async def pass_over(self) -> None:
        """Answer so that nobody sees anything: no board, no word, no failure.

        A command has no such answer; its thinking is taken back at once.
        """
        self.private = True
        await self.defer()
        if self._commanded():
            async with self._tolerant():
                await self.interaction.delete_original_response()

    async def edit(self, view: ui.LayoutView, files: Sequence[discord.File] | None) -> bool:
        """Change the pressed message; its picture stays where *files* is ``None``.

        Answers whether it is changed.
        """
        async with self._tolerant():
            changed: dict[str, Any] = {"view": view}
            if files is not None:
                changed["attachments"] = list(files)
            if self.state is State.NOTHING:
                await self.interaction.response.edit_message(**changed)
                self.state = State.SAID
            else:
                await self.interaction.edit_original_response(**changed)
            return True
        return False

    async def promise(self, text: str) -> None:
        """Say *text*, escaped already, to the asker alone; what he waits for takes its place."""
        async with self._tolerant():
            if self.state is not State.NOTHING:
                return  # he hears of it where it takes longer
            self.promised = True
            if self.visitor and self._pressed():
                await self.defer()
                await self._add(text, (), private=True)
            else:
                await self.interaction.response.send_message(text, ephemeral=True)
                self.state = State.PRIVATE

    async def remind(self, text: str) -> None:
        """Say *text*, escaped already, in place of a promise that is not kept yet.

        Where nothing can take its place the asker is told once.
        """
        async with self._tolerant():
            if self.state is State.PRIVATE:
                await self.interaction.edit_original_response(content=text)
            elif self.state is State.UPDATE and not self.promised:
                await self._add(text, (), private=True)
            self.promised = True

    async def say(self, text: str, files: Sequence[discord.File] = (), *, private: bool) -> None:
        """Say *text*, escaped already, in as many messages as it takes."""
        first, *more = pieces(text or "✓", MOST_CONTENT)
        await self.send(first, files, private=private)
        for piece in more:
            await self.add(piece, private=private)

    async def send(
        self,
        content: str | ui.LayoutView,
        files: Sequence[discord.File] = (),
        *,
        private: bool,
    ) -> None:
        """Give the answer: words or a view."""
        async with self._tolerant():
            if self.visitor and self.state is State.NOTHING and self._pressed():
                await self.defer()
            match self.state:
                case State.NOTHING:
                    what = _what(content, files)
                    await self.interaction.response.send_message(ephemeral=private, **what)
                    self.state = State.SAID
                case State.PUBLIC if private:
                    # A deferral fixes who sees the answer: this one is taken back.
                    await self.interaction.delete_original_response()
                    self.state = State.SAID
                    await self._add(content, files, private=True)
                case State.PRIVATE | State.PUBLIC:
                    await self._fill(content, files)
                case State.UPDATE | State.SAID:
                    await self._add(content, files, private=private)

    async def show_all(self, text: str, file: discord.File) -> None:
        """Show *file* with *text*, escaped already, to everybody in the place."""
        async with self._tolerant():
            if self.visitor and self.state is State.NOTHING and self._pressed():
                await self.defer()
            match self.state:
                case State.NOTHING:
                    await self.interaction.response.send_message(text, file=file)
                case State.PUBLIC:
                    await self._fill(text, [file])
                case State.PRIVATE:
                    # A deferral fixes who sees the answer: this one is taken back.
                    await self.interaction.followup.send(text, file=file, wait=True)
                    await self.interaction.delete_original_response()
                case State.UPDATE | State.SAID:
                    await self._add(text, [file], private=False)
            self.state = State.SAID

    async def post(
        self, view: ui.LayoutView, files: Sequence[discord.File], allowed: discord.AllowedMentions
    ) -> Shown | None:
        """Let a new board be the answer to a command; ``None`` where it could not be given."""
        async with self._tolerant():
            if self.state is State.NOTHING:
                sent = await self.interaction.response.send_message(
                    view=view, files=list(files), allowed_mentions=allowed, ephemeral=self.private
                )
                self.state = State.SAID
                return Shown(str(sent.message_id), fresh=True, called=True)
            # What fills a deferral calls nobody.
            filled = await self.interaction.edit_original_response(view=view, attachments=files)
            self.state = State.SAID
            return Shown(str(filled.id), fresh=True)
        return None

    async def add(self, content: str, *, private: bool) -> None:
        """Say something more, *content* being escaped already."""
        async with self._tolerant():
            await self._add(content, (), private=private)

    async def _fill(self, content: str | ui.LayoutView, files: Sequence[discord.File]) -> None:
        what = {"content": None, **_what(content)}  # a view takes the place of words
        await self.interaction.edit_original_response(attachments=list(files), **what)
        self.state = State.SAID

    async def _add(
        self, content: str | ui.LayoutView, files: Sequence[discord.File], *, private: bool
    ) -> None:
        what = _what(content, files)
        await self.interaction.followup.send(ephemeral=private, wait=True, **what)

    def _commanded(self) -> bool:
        return self.interaction.type is discord.InteractionType.application_command

    def _pressed(self) -> bool:
        return self.interaction.type is discord.InteractionType.component

    @asynccontextmanager
    async def _tolerant(self) -> AsyncIterator[None]:
        """Whatever was done stands, whether the person could be told or not."""
        try:
            with self.pulse.measured():
                yield
        except discord.InteractionResponded:
            log.info("interaction %d was answered already", self.interaction.id)
        except discord.HTTPException as wrong:
            level = logging.INFO if too_late(wrong) else logging.WARNING
            log.log(level, "interaction %d was not answered: %s", self.interaction.id, wrong)
        except (OSError, aiohttp.ClientError) as wrong:
            log.warning(
                "interaction %d was not answered: %s", self.interaction.id, type(wrong).__name__
            )


def _what(content: str | ui.LayoutView, files: Sequence[discord.File] = ()) -> dict[str, Any]:
    what: dict[str, Any] = {"content" if isinstance(content, str) else "view": content}
    return {**what, "files": list(files)} if files else what
