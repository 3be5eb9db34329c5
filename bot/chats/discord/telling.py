"""What people are told by the answer to an interaction, and that it comes in time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from io import BytesIO
from time import monotonic

import discord

from bot.chats.discord.answers import Interaction, Reply
from bot.chats.discord.faces import Faces
from bot.chats.discord.flights import Pulse
from bot.chats.discord.markdown import called, escaped, shortened
from bot.chats.discord.permissions import lacking
from bot.chats.discord.reading import asker_of, where_of
from bot.chats.discord.tickets import Answering
from bot.chats.discord.writing import ALT, laid_out, overflow, picture_file, picture_name, worded
from bot.facade import Facade
from bot.port import (
    Answer,
    BoardAnswer,
    Card,
    FileAnswer,
    MenuAnswer,
    Poster,
    Promised,
    Said,
    Where,
)
from bot.texts import Language, language
from games.core import phrase

WATCHDOG = 1.2
"""Seconds after which an interaction is deferred, fewer where Discord is far away."""


AGAIN = 6.0
"""Every how many seconds whoever was promised something is told how far it is."""


@dataclass
class Telling:
    """Tells people what came of their interactions."""

    house: Facade
    tickets: Answering
    pulse: Pulse
    faces: Faces = field(default_factory=Faces)
    mentions: Mapping[str, str] = field(default_factory=dict)
    """By each name of a command, folded, what calls it; none until they are registered."""

    # ---------------------------------------------------------------- in time, whatever happens

    @asynccontextmanager
    async def in_time(
        self, defer: Callable[[], Awaitable[None]], since: float
    ) -> AsyncIterator[None]:
        """What is done meanwhile decides on the answer; *defer* is called where it takes long.

        *since* is when the interaction came, by the monotonic clock.
        """
        late = False

        async def watch() -> None:
            nonlocal late
            await asyncio.sleep(self.pulse.patience(WATCHDOG) - (monotonic() - since))
            late = True
            await defer()

        watchdog = asyncio.create_task(watch())
        try:
            # Done here and not in a task: the answer goes out before the board is composed.
            yield
        finally:
            if not late:
                watchdog.cancel()
        if late:
            await watchdog

    @asynccontextmanager
    async def faults(self, reply: Reply) -> AsyncIterator[None]:
        """A fault of ours meanwhile is logged, and the asker is told what it is."""
        try:
            yield
        except Exception as wrong:
            why = self.house.told(wrong, f"interaction {reply.interaction.id}")
            said = self.house.tongue(reply.interaction.locale.value).say(why)
            await reply.say(escaped(said), private=True)

    # ---------------------------------------------------------------- what came of it

    async def card(self, reply: Reply, card: Card) -> None:
        """Show *card* to the asker alone."""
        screen, picture = card.screen, card.picture
        name = picture_name(picture, screen) if picture is not None else None
        files = [] if picture is None or name is None else [picture_file(picture, screen, name)]
        await reply.send(laid_out(screen, name, faces=self.faces), files, private=True)
        for piece in overflow(screen):
            await reply.add(piece, private=True)

    async def answer(self, reply: Reply, answer: Answer) -> None:
        """Say what came of it, with the file if there is one."""
        files = []
        if isinstance(answer, Poster):
            await self.poster(reply, answer)
            return
        if isinstance(answer, FileAnswer):
            files.append(discord.File(BytesIO(answer.file.data), answer.file.name))
        open_to_all = isinstance(answer, Said | BoardAnswer) and not answer.private
        private = not (open_to_all and answer.good)
        said = called(escaped(answer.said), self.mentions)
        if isinstance(answer, Said) and answer.links:
            lines = zip(said.split("\n"), answer.links, strict=True)
            said = "\n".join(f"{line} {link}".rstrip() for line, link in lines)
        if isinstance(answer, BoardAnswer):
            said = f"{said} {answer.link}".rstrip()
        await reply.say(said, files, private=private)

    async def poster(self, reply: Reply, poster: Poster) -> None:
        """Show *poster* to everybody in the place."""
        file = discord.File(
            BytesIO(poster.file.data),
            poster.file.name,
            description=shortened(poster.alt, ALT) or None,
        )
        await reply.show_all(escaped(poster.said), file)

    async def promise(self, reply: Reply, promised: Promised) -> None:
        """Say that the answer takes longer."""
        await reply.promise(escaped(promised.said))

    async def keep(self, reply: Reply, promised: Promised) -> None:
        """Say what was promised, in place of the promise, and until then how far it is."""
        async with self.faults(reply):
            while not await promised.known(AGAIN):
                await reply.remind(escaped(promised.waiting()))
            match await promised.answer:
                case Card(screen, picture) | MenuAnswer(screen, picture):
                    await self.card(reply, Card(screen, picture))
                case answer:
                    await self.answer(reply, answer)

    async def in_place(self, reply: Reply, answer: BoardAnswer) -> None:
        """Let what *answer* says take the place of what was pressed."""
        await reply.edit(worded(f"{escaped(answer.said)} {answer.link}".strip() or "✓"), [])

    # ---------------------------------------------------------------- what did not

    async def too_fast(self, reply: Reply, *, aloud: bool) -> None:
        """Say once that it was too fast; afterwards nothing is seen of what was asked."""
        if aloud:
            said = self.house.tongue(reply.interaction.locale.value).say(phrase("house.too-fast"))
            await reply.say(escaped(said), private=True)
        else:
            await reply.pass_over()

    async def bots_do_not_play(self, reply: Reply) -> None:
        """Say that whom the asker has picked is another bot."""
        said = (await self.tongue(reply.interaction)).say(phrase("discord.bots-do-not-play"))
        await reply.say(escaped(said), private=True)

    async def warn(self, reply: Reply, where: Where, note: str = "") -> None:
        """Tell the asker alone what will keep the board from being renewed here, and *note*."""
        interaction = reply.interaction
        if where.private or not await self.tickets.until_filled(interaction.token):
            return
        tongue = await self.tongue(interaction)
        if note:
            await reply.add(escaped(note), private=True)
        if reply.visitor:
            await reply.add(escaped(tongue.say(phrase("discord.visitor"))), private=True)
            return
        if lacks := lacking(interaction):
            said = tongue.say(phrase("discord.lacking", permissions=lacks))
            await reply.add(escaped(said), private=True)

    async def tongue(self, interaction: Interaction) -> Language:
        """The language of whoever made *interaction*."""
        where = where_of(interaction)
        return language(await self.house.language_of(asker_of(interaction), where))
