"""The answer to one interaction: given once, whether it was deferred before or not."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from enum import Enum
from time import monotonic
from typing import Any, TypeAlias

import aiohttp
import discord
from discord import ui

from bot.chats.discord.emojis import Emojis
from bot.chats.discord.errors import family
from bot.chats.discord.markdown import pieces
from bot.chats.discord.message_formatting import MOST_CONTENT, mentioning, plain_kwargs, reads_alike
from bot.chats.discord.refusals import Family
from bot.port import LONG_WAIT, Screen, Shown

log = logging.getLogger(__name__)

WATCHDOG = 1.2
"""Seconds after which an interaction is deferred, fewer where Discord is far away."""

ANSWER_DUE = 2.4
"""Seconds after an interaction within which its answer should arrive; Discord waits for three."""

LOST = (OSError, aiohttp.ClientError)
"""What is raised where a connection is lost."""

SERVER_ERRORS = 500
"""The first status of faults of Discord's own, after which a message may stand there or not."""

Interaction: TypeAlias = discord.Interaction[discord.Client]


@dataclass
class Pulse:
    """Measures how long Discord has taken of late to receive an answer, in seconds."""

    slowest: float = 0.0

    @contextmanager
    def measure(self) -> Iterator[None]:
        """Measure an answer; earlier ones count less with each."""
        began = monotonic()
        try:
            yield
        finally:
            self.slowest = max(monotonic() - began, 0.8 * self.slowest)

    def patience(self) -> float:
        """Seconds that preparing an answer may take, so that it comes in time."""
        return max(0.1, min(WATCHDOG, ANSWER_DUE - self.slowest))


class State(Enum):
    """What the asker sees of an answer so far."""

    NOTHING = "nothing"
    UPDATE = "the pressed message stays"
    PRIVATE = "«thinking», for the asker alone"
    PUBLIC = "«thinking», for all"
    SAID = "an answer"


@dataclass
class Reply:
    """Answers *interaction*; *private*: the answer to a command is for the asker alone.

    *visitor*: the bot is no member of the place. Then the token of a press must stay that of its
    message, so words follow in messages of their own.
    """

    interaction: Interaction
    pulse: Pulse
    visitor: bool = False
    private: bool = True
    state: State = State.NOTHING
    since: float = field(default_factory=monotonic)
    """When the interaction came."""
    promised: bool = False
    """Whether the asker knows that the answer takes longer."""
    refused: discord.HTTPException | None = None
    """Why Discord refused the last thing that was to be shown, if it did."""
    unseen: bool = False
    """Whether Discord showed to the asker alone what was for all."""
    unmoved: bool = False
    """Whether the pressed message was changed last to what it had shown before."""

    def seconds_left(self) -> float:
        """Seconds until the answer is deferred."""
        return max(0.0, self.pulse.patience() - (monotonic() - self.since))

    def patience_left(self) -> float:
        """Seconds until words say what was done, if the pressed message is still changed."""
        return max(LONG_WAIT / 3, LONG_WAIT - (monotonic() - self.since))

    @property
    def own_message(self) -> int | None:
        """The pressed message, if the asker alone sees it."""
        message = self.interaction.message
        return message.id if message is not None and message.flags.ephemeral else None

    @asynccontextmanager
    async def in_time(self) -> AsyncIterator[None]:
        """Defer the answer if the block, which prepares it, takes long."""
        deferring: list[asyncio.Task[None]] = []

        def defer() -> None:
            deferring.append(asyncio.create_task(self.defer()))

        watchdog = asyncio.get_running_loop().call_later(self.seconds_left(), defer)
        try:
            yield
        finally:
            watchdog.cancel()
            for task in deferring:
                await task

    async def defer(self) -> None:
        """Acknowledge: a command shows «thinking», a pressed message stays as it is."""
        if self.state is not State.NOTHING:
            return
        async with self._tolerant():
            if self._is_commanded():
                await self.interaction.response.defer(ephemeral=self.private, thinking=True)
                self.state = State.PRIVATE if self.private else State.PUBLIC
            else:
                await self.interaction.response.defer()
                self.state = State.UPDATE

    def take_refusal(self) -> discord.HTTPException | None:
        """Why the last thing was refused, once."""
        wrong, self.refused = self.refused, None
        return wrong

    async def pass_over(self) -> None:
        """Answer so that nobody sees anything; the «thinking» of a command is deleted at once."""
        self.private = True
        await self.defer()
        if self._is_commanded():
            async with self._tolerant():
                await self.interaction.delete_original_response()

    async def edit(self, view: ui.LayoutView, files: Sequence[discord.File] | None) -> bool:
        """Change the pressed message; without *files* its picture stays. Whether it worked."""
        async with self._tolerant():
            shown: dict[str, Any] = {} if files is None else {"attachments": list(files)}
            # What was of the older kind becomes components.
            changed = {"content": None, "view": view, **shown}
            if self.state is State.NOTHING:
                await self.interaction.response.edit_message(**changed)
                self.state = State.SAID
            else:
                await self.interaction.edit_original_response(**changed)
            self.unmoved = not files and reads_alike(self.interaction, view)
            return True
        return False

    async def renew(self, message: int, view: ui.LayoutView, files: Sequence[discord.File]) -> bool:
        """Change *message*, an answer or the pressed message, once more; whether that worked."""
        async with self._tolerant():
            changed: dict[str, Any] = {"content": None, "view": view, "attachments": files}
            await self.interaction.followup.edit_message(message, **changed)
            return True
        return False

    async def launch(self) -> bool:
        """Answer by opening the Activity; whether Discord did."""
        async with self._tolerant():
            await self.interaction.response.launch_activity()
            self.state = State.SAID
            return True
        return False

    async def open_form(self, modal: ui.Modal) -> None:
        """Answer by a form for the asker."""
        async with self._tolerant():
            await self.interaction.response.send_modal(modal)
            self.state = State.SAID

    async def promise(self, text: str) -> None:
        """Say *text*, escaped already, to the asker alone, until the answer replaces it."""
        async with self._tolerant():
            if self.state is not State.NOTHING:
                return  # the asker is reminded if it takes longer
            self.promised = True
            if self.visitor and self.is_press:
                await self.defer()
                await self._add(text, (), private=True)
            else:
                await self.interaction.response.send_message(text, ephemeral=True)
                self.state = State.PRIVATE

    async def remind(self, text: str) -> None:
        """Replace a promise by *text*, escaped already; without one *text* is said once."""
        async with self._tolerant():
            if self.state is State.PRIVATE:
                await self.interaction.edit_original_response(content=text)
            elif self.state is State.UPDATE and not self.promised:
                await self._add(text, (), private=True)
            self.promised = True

    async def say(self, text: str, files: Sequence[discord.File] = (), *, private: bool) -> None:
        """Say *text*, escaped already, in several messages if need be."""
        first, *more = pieces(text or "✓", MOST_CONTENT)
        await self.send(first, files, private=private)
        for piece in more:
            if self.refused is None:
                await self.add(piece, private=private)

    async def send(
        self,
        content: str | ui.LayoutView,
        files: Sequence[discord.File] = (),
        *,
        private: bool,
        for_all: bool = False,
    ) -> str | None:
        """Answer with words or a view; *for_all*: also after «thinking» for the asker alone.

        Returns the id of the message, ``None`` if it could not be sent.
        """
        async with self._tolerant():
            if self.visitor and self.state is State.NOTHING and self.is_press:
                await self.defer()
            message: int | None
            match self.state:
                case State.NOTHING:
                    what = _what(content, files, silent=True)
                    sent = await self.interaction.response.send_message(ephemeral=private, **what)
                    message = sent.message_id
                case State.PUBLIC if private:
                    # A deferral fixes who sees the answer, so it is deleted.
                    await self.interaction.delete_original_response()
                    self.state = State.SAID  # also where the next line fails
                    message = await self._add(content, files, private=True)
                case State.PRIVATE if for_all:
                    message = await self._add(content, files, private=False)
                    await self.interaction.delete_original_response()
                case State.PRIVATE | State.PUBLIC:
                    what = {"content": None, **_what(content)}  # a view replaces words
                    filled = await self.interaction.edit_original_response(
                        attachments=list(files), **what
                    )
                    message = filled.id
                case State.UPDATE | State.SAID:
                    message = await self._add(content, files, private=private)
            self.state = State.SAID
            return None if message is None else str(message)
        return None

    async def post(
        self, view: ui.LayoutView, files: Sequence[discord.File], screen: Screen, emojis: Emojis
    ) -> Shown | None:
        """Answer a command with *screen*, which is *view*; ``None`` if that failed."""
        async with self._tolerant():
            if self.state is State.NOTHING:
                what = plain_kwargs(screen, files, emojis) or {"view": view, "files": list(files)}
                sent = await self.interaction.response.send_message(
                    **what, allowed_mentions=mentioning(screen.mentions), ephemeral=self.private
                )
                self.state = State.SAID
                told = sent.resource.flags if isinstance(sent.resource, discord.Message) else None
                self.unseen = not self.private and told is not None and told.ephemeral
                return Shown(str(sent.message_id), fresh=True, called=not self.unseen)
            # An edit notifies nobody.
            filled = await self.interaction.edit_original_response(view=view, attachments=files)
            self.state = State.SAID
            return Shown(str(filled.id), fresh=True)
        return await self._taken_all_the_same()

    async def _taken_all_the_same(self) -> Shown | None:
        """The answer that Discord has taken although the word of it was lost; else ``None``.

        Whoever posts it again in that case lets two boards stand.
        """
        if self.refused is not None and self.refused.status < SERVER_ERRORS:
            return None
        with suppress(discord.HTTPException, discord.ClientException, *LOST):
            there = await self.interaction.original_response()
            if not there.flags.loading:
                self.state = State.SAID
                return Shown(str(there.id), fresh=True, called=not there.flags.ephemeral)
        return None

    async def add(self, content: str, *, private: bool) -> None:
        """Say *content*, escaped already, in a further message.

        The first one after «thinking» fills it, for all to see, so what is private is sent as an
        answer where Discord has refused the one that was to come.
        """
        if private and self.refused is not None and self.state is State.PUBLIC:
            await self.send(content, private=True)
            return
        async with self._tolerant():
            await self._add(content, (), private=private)

    async def _add(
        self, content: str | ui.LayoutView, files: Sequence[discord.File], *, private: bool
    ) -> int:
        what = _what(content, files, silent=True)  # whoever has asked reads it
        return (await self.interaction.followup.send(ephemeral=private, wait=True, **what)).id

    def _is_commanded(self) -> bool:
        return self.interaction.type is discord.InteractionType.application_command

    @property
    def is_press(self) -> bool:
        """Whether a button was pressed, or chosen from a list."""
        return self.interaction.type is discord.InteractionType.component

    @asynccontextmanager
    async def _tolerant(self) -> AsyncIterator[None]:
        """Log if Discord refuses an answer: what was done is done."""
        try:
            with self.pulse.measure():
                yield
            self.refused = None
        except discord.InteractionResponded:
            log.info("interaction %d was answered already", self.interaction.id)
        except discord.HTTPException as wrong:
            late = family(wrong) is Family.LATE
            if not late:
                self.refused = wrong
            level = logging.INFO if late else logging.WARNING
            log.log(level, "interaction %d was not answered: %s", self.interaction.id, wrong)
        except LOST as wrong:
            log.warning(
                "interaction %d was not answered: %s", self.interaction.id, type(wrong).__name__
            )


def _what(
    content: str | ui.LayoutView, files: Sequence[discord.File] = (), **how: bool
) -> dict[str, Any]:
    what: dict[str, Any] = {"content" if isinstance(content, str) else "view": content, **how}
    return {**what, "files": list(files)} if files else what
