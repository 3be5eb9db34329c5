"""Messages of our own beside the boards, each when its place takes it."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from telegram.error import TelegramError

from bot.chats.telegram.outbound import Markup, Outbound
from bot.chats.telegram.receipts import Unfinished
from bot.chats.telegram.writing import CAPTION, linked, sentence, units
from bot.facade import Behind, Facade, Limiter, Tasks
from bot.port import (
    Answer,
    Asker,
    Card,
    ChatError,
    FileAnswer,
    Later,
    MenuAnswer,
    Poster,
    Promised,
    Screen,
    Where,
)

log = logging.getLogger(__name__)

PATIENCE = 15.0
"""How many seconds the answer to a passer-by may wait for its turn in a busy group."""

SEATED = 90.0
"""The same for who plays: what he asks is put off by a busy minute, and never dropped for it."""

Sent = TypeVar("Sent")


@dataclass
class Posting:
    """Posts what is no board; what cannot be posted is logged and answers nothing."""

    house: Facade
    outbound: Outbound
    closing: asyncio.Event = field(default_factory=asyncio.Event)
    tasks: Tasks = field(default_factory=lambda: Tasks((ChatError, TelegramError)))

    async def tell(
        self,
        where: Where,
        text: str,
        *,
        reply_to: str | None = None,
        markup: Markup | None = None,
        asker: Asker | None = None,
        links: Sequence[str] = (),
        patience: float | None = None,
    ) -> str | None:
        """Send one of our sentences; answers its id, or nothing where it could not be sent.

        Where *asker* does not play it goes behind the boards of those who do. *links* are where
        its lines lead, *patience* how many seconds it may wait for its turn.
        """
        if self.passes_over(where, asker):
            return None
        words, silent = linked(text, links) if links else sentence(text), not where.private
        return await self.in_turn(
            self.limiter(where, asker),
            lambda: self.outbound.say(
                where, words, reply_to=reply_to, markup=markup, silent=silent
            ),
            patience=patience,
        )

    async def bring(
        self, where: Where, answer: Answer, reply_to: str | None, asker: Asker
    ) -> str | None:
        """The screen or the file of *answer* as a message of its own; answers its id."""
        if self.passes_over(where, asker):
            return None
        limiter = self.limiter(where, asker)
        match answer:
            case FileAnswer(said, file):
                words = sentence(said, CAPTION)
                return await self.in_turn(
                    limiter, lambda: self.outbound.file(where, file, words, reply_to)
                )
            case Poster(said, file):
                words = sentence(said, CAPTION)
                return await self.in_turn(
                    limiter, lambda: self.outbound.poster(where, file, words, reply_to)
                )
            case Card(screen, picture) | MenuAnswer(screen, picture):
                if picture is None and screen.scene is not None:
                    picture = await self.house.picture(screen.scene)
                return await self.in_turn(
                    limiter, lambda: self.shown(where, screen, picture, None, reply_to)
                )
        return None

    async def shown(
        self,
        where: Where,
        screen: Screen,
        picture: bytes | None,
        message: str | None,
        reply_to: str | None = None,
    ) -> str:
        """Show *screen*; words that are too long for a caption stand below their picture."""
        length = units(screen.headline) + 1 + units("\n".join(screen.lines))
        if picture is not None and length > CAPTION:
            await self.outbound.photo(where, picture, reply_to=reply_to)
            if message is not None:
                await self.outbound.remove(where, message)
            picture = message = None
        if message is None:
            return await self.outbound.send(where, screen, picture, reply_to)
        return (
            await self.outbound.edit(where, message, screen, picture, unless_newer=True)
        ).message

    async def known(self, promised: Promised) -> Answer:
        """What was promised, as soon as it is known; raises ``Unfinished`` where we stop before."""
        closing = asyncio.create_task(self.closing.wait())
        try:
            await asyncio.wait({promised.answer, closing}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            closing.cancel()
        if not promised.answer.done():
            promised.answer.cancel()
            raise Unfinished
        return promised.answer.result()

    async def in_turn(
        self,
        limiter: Limiter,
        sending: Callable[[], Awaitable[Sent]],
        *,
        wanted: Callable[[], bool] = lambda: True,
        patience: float | None = None,
    ) -> Sent | None:
        """Do *sending* when the place takes it, once more where it asks for calm.

        It is waited for *patience* seconds: where none are given, for who plays, or a passer-by.
        What fails is logged and answers nothing: what was asked for has been done.
        """
        if patience is None:
            patience = PATIENCE if isinstance(limiter, Behind) else SEATED
        for _ in range(2):
            if not await self._turn(limiter, wanted, patience):
                break
            try:
                return await sending()
            except Later as later:
                limiter.pause(later.seconds)
            except ChatError as wrong:
                log.info("an answer could not be shown: %s", wrong)
                break
        return None

    def passes_over(self, where: Where, asker: Asker | None) -> bool:
        """Whether *where* hears nothing of what *asker* is answered.

        He was too fast just now and does not play there: his answers would cost the pace of those
        who do.
        """
        if where.private or asker is None:
            return False
        limits = self.house.limits
        return limits.hasty(asker) and not limits.plays(asker, where)

    def limiter(self, where: Where, asker: Asker | None) -> Limiter:
        """What keeps an answer to *asker* to the pace of *where*."""
        pacing = self.house.places.pacing
        plays = asker is not None and self.house.limits.plays(asker, where)
        return pacing.limiter(where) if plays else pacing.limiter_behind(where)

    async def _turn(self, limiter: Limiter, wanted: Callable[[], bool], patience: float) -> bool:
        """Wait for a turn of *limiter*; False where that takes too long or it is not wanted."""
        while (wait := limiter.wait()) > 0:
            if wait > patience or self.closing.is_set():
                return False
            patience -= wait
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(wait):
                    await self.closing.wait()
            if not wanted():
                return False
        limiter.note()
        return True

    async def close(self, patience: float = 5.0) -> None:
        """Wait for nothing more: what still waits for its turn is given up."""
        self.closing.set()
        await self.tasks.close(patience)
