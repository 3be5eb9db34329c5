"""What the asker hears: the one answer to a press, and the replies to commands."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import math
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from telegram import CallbackQuery, InlineKeyboardButton, InlineKeyboardMarkup
from telegram.error import BadRequest, NetworkError, RetryAfter, TelegramError

from bot.chats.telegram.outbound import Outbound
from bot.chats.telegram.reading import payload_of
from bot.chats.telegram.writing import CAPTION, TEXT, TOAST, sentence, toast, units
from bot.house import House
from bot.pace import Limiter
from bot.port import (
    Answer,
    Asker,
    BoardAnswer,
    Call,
    Card,
    ChatError,
    Elsewhere,
    FileAnswer,
    Later,
    MenuAnswer,
    Press,
    Said,
    Screen,
    Where,
)
from bot.screen.buttons import NO_TABLE, Act, Click
from bot.screen.commands import BY_NAME
from bot.tasks import Tasks
from bot.texts import language
from games.core import phrase

log = logging.getLogger(__name__)

WATCHDOG = 1.2
"""After how many seconds a press is answered blank: its spinner turns until then."""

SHORT_LIVED = 20.0
"""After how many seconds a refusal in a group is removed again."""

PATIENCE = 15.0
"""How many seconds a menu or a reply may wait for its turn in a busy group."""

NOTICEABLE = 1.5
"""From how many seconds of waiting the presser is told of it."""


class Toast:
    """The one answer to a press: the first that is given, or a blank one in good time."""

    def __init__(self, query: CallbackQuery, watchdog: float = WATCHDOG) -> None:
        self._query = query
        self._given = False
        self._watchdog = asyncio.create_task(self._blank(watchdog))

    def leave(self) -> None:
        """Let the press be answered at another time."""
        self._watchdog.cancel()

    async def _blank(self, seconds: float) -> None:
        await asyncio.sleep(seconds)
        await self.say()

    async def say(self, text: str = "", *, alert: bool = False, url: str | None = None) -> bool:
        """Answer the press; False where it was answered before, and nothing is said."""
        if self._given:
            return False
        self._given = True
        if asyncio.current_task() is not self._watchdog:
            self._watchdog.cancel()
        for wait in (0.3, 1.0, None):
            try:
                await self._query.answer(toast(text) or None, show_alert=alert or None, url=url)
                return True
            except BadRequest as wrong:
                log.debug("a press cannot be answered any more: %s", wrong.message)
                return False
            except (NetworkError, RetryAfter) as wrong:
                if wait is not None:
                    await asyncio.sleep(wait)
                else:
                    log.info("a press could not be answered: %s", type(wrong).__name__)
        return False


@dataclass
class Answers:
    """Shows the answers of the house to whoever asked."""

    house: House
    outbound: Outbound
    closing: asyncio.Event = field(default_factory=asyncio.Event)
    _menus: dict[tuple[str, str], object] = field(default_factory=dict)
    tasks: Tasks = field(default_factory=lambda: Tasks((ChatError, TelegramError)))

    # ---------------------------------------------------------------- presses

    async def pressed(self, press: Press, answer: Answer, said: Toast) -> None:
        """Answer the presser; what the answer brings with it is shown when the place takes it.

        That is not waited for: the presser's next press is answered meanwhile.
        """
        where = press.where
        click = self.house.click(press.code)
        if isinstance(answer, MenuAnswer):
            await self._menu(press, answer, said, click)
        elif where.private:
            await self._pressed_in_private(press, answer, said)
        elif _too_much(answer) and click is not None:
            asks = click.act is Act.RULES and click.table != NO_TABLE
            game = await self.house.boards.game_of(click.table) if asks else ""
            await said.say(url=self.outbound.link(payload_of(click, game)))
        else:
            await said.say(answer.said, alert=not answer.good)
        if not where.private and click is not None and click.table != NO_TABLE:
            await self._clear_orphan(press)

    async def _pressed_in_private(self, press: Press, answer: Answer, said: Toast) -> None:
        short = units(answer.said) <= TOAST
        heard = await said.say(answer.said if short else "", alert=short and not answer.good)
        untold = not isinstance(answer, FileAnswer) and (
            not short or (not heard and not answer.good)
        )
        self.tasks.start(self._brought(press, answer, tell=untold))

    async def _brought(self, press: Press, answer: Answer, *, tell: bool) -> None:
        if tell:
            await self.tell(press.where, answer.said, reply_to=press.message)
        await self._bring(press.where, answer, press.message, press.asker)

    async def _menu(
        self, press: Press, answer: MenuAnswer, said: Toast, click: Click | None
    ) -> None:
        """Put a menu in place of the keyboard; where one person reads, its picture as well."""
        screen, where, message = answer.screen, press.where, press.message
        if message is None:
            return
        if where.private or screen.table == NO_TABLE:
            await said.say(answer.said, alert=not answer.good)
            self._show_menu(press, message, lambda: self._painted_menu(press, answer))
            return
        if not await self.house.boards.knows(where, message):
            # A board that no view knows would be composed for the presser's eyes alone.
            await said.say(answer.said, alert=not answer.good)
            return
        asks = click is not None and click.act in (Act.MOVE, Act.RESIGN) and screen.lines
        words = answer.said or (screen.lines[-1] if asks else "")
        wait = self._limiter(where, press.asker).wait()
        if wait > NOTICEABLE:
            tongue = language(screen.language)
            words = tongue.say(phrase("telegram.slow", n=math.ceil(wait)))
        await said.say(words, alert=not answer.good)
        self._show_menu(press, message, lambda: self.outbound.rekey(where, message, screen))

    async def _painted_menu(self, press: Press, answer: MenuAnswer) -> None:
        """The menu of *answer* in place of the message, with its picture."""
        screen, picture = answer.screen, answer.picture
        if picture is None and screen.scene is not None:
            picture = await self.house.picture(screen.scene)
        await self._shown(press.where, screen, picture, press.message)

    def _show_menu(self, press: Press, message: str, show: Callable[[], Awaitable[Any]]) -> None:
        """Do *show* when the place takes it, unless another menu of *message* comes before."""
        key, mine = (press.where.place, message), object()
        limiter = self._limiter(press.where, press.asker)
        self._menus[key] = mine

        async def shown() -> None:
            try:
                await self._in_turn(limiter, show, lambda: self._menus.get(key) is mine)
            finally:
                if self._menus.get(key) is mine:
                    del self._menus[key]

        self.tasks.start(shown())

    async def _clear_orphan(self, press: Press) -> None:
        """Remove a board of ours that no view knows: we died between sending and noting it."""
        where, message = press.where, press.message
        if message is None or self.outbound.wrote(where, message):
            return
        if not await self.house.boards.knows(where, message):
            await self.outbound.remove(where, message)

    # ---------------------------------------------------------------- commands

    async def called(self, call: Call, answer: Answer, message: str) -> None:
        """Reply to a command; what a group may not read is shown in the private chat."""
        where = call.where
        match answer:
            case Elsewhere(table=table) if not where.private:
                await self._in_private(call, table, message)
            case FileAnswer() | Card():
                self.tasks.start(self._bring(where, answer, message, call.asker))
            case BoardAnswer(aloud=False) | Said(said=""):
                pass
            case _ if where.private:
                await self._reply(call, answer, message)
            case _:
                # Not waited for in a busy group: the command is done, and settled meanwhile.
                self.tasks.start(self._reply(call, answer, message))

    async def _reply(self, call: Call, answer: Answer, message: str) -> None:
        where = call.where
        if where.private:
            await self.tell(where, answer.said)
            return
        command = BY_NAME.get(call.name)
        shown = await self.tell(where, answer.said, reply_to=message, asker=call.asker)
        if not (answer.good and command is not None and command.lasting):
            self._remove_later(where, shown)

    def _remove_later(self, where: Where, message: str | None) -> None:
        """Remove *message*, if there is one, in a while, or at once when the bot stops."""

        async def removed(message: str) -> None:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self.closing.wait(), SHORT_LIVED)
            await self.outbound.remove(where, message)

        if message is not None:
            self.tasks.start(removed(message))

    async def _in_private(self, call: Call, table: str, message: str) -> None:
        """Ask the asker into the private chat, where his table is shown to him alone."""
        where = call.where
        tongue = language(await self.house.language_of(call.asker, where))
        button = InlineKeyboardButton(
            tongue.say(phrase("telegram.button.private")), url=self.outbound.link(table)
        )
        words = tongue.say(phrase("telegram.in-private"))
        markup = InlineKeyboardMarkup([[button]])
        shown = await self.tell(where, words, reply_to=message, markup=markup, asker=call.asker)
        self._remove_later(where, shown)

    # ---------------------------------------------------------------- both

    async def _bring(
        self, where: Where, answer: Answer, reply_to: str | None, asker: Asker
    ) -> None:
        """The card or the file of an answer, as a message of its own."""
        match answer:
            case FileAnswer(said, file):
                words = sentence(said, CAPTION)
                await self._in_turn(
                    self._limiter(where, asker),
                    lambda: self.outbound.file(where, file, words, reply_to),
                )
            case Card(screen, picture):
                await self._in_turn(
                    self._limiter(where, asker),
                    lambda: self._shown(where, screen, picture, None, reply_to),
                )

    async def _shown(
        self,
        where: Where,
        screen: Screen,
        picture: bytes | None,
        message: str | None,
        reply_to: str | None = None,
    ) -> None:
        """Show *screen*; words that are too long for a caption stand below their picture."""
        length = units(screen.headline) + 1 + units("\n".join(screen.lines))
        if picture is not None and length > CAPTION:
            await self.outbound.photo(where, picture, reply_to=reply_to)
            if message is not None:
                await self.outbound.remove(where, message)
            picture = message = None
        if message is None:
            await self.outbound.send(where, screen, picture, reply_to)
        else:
            await self.outbound.edit(where, message, screen, picture, unless_newer=True)

    async def tell(
        self,
        where: Where,
        text: str,
        *,
        reply_to: str | None = None,
        markup: InlineKeyboardMarkup | None = None,
        asker: Asker | None = None,
    ) -> str | None:
        """Send one of our sentences; answers its id, or nothing where it could not be sent.

        Where *asker* does not play it goes behind the boards of those who do.
        """
        words, silent = sentence(text, TEXT), not where.private
        shown: str | None = await self._in_turn(
            self._limiter(where, asker),
            lambda: self.outbound.say(
                where, words, reply_to=reply_to, markup=markup, silent=silent
            ),
        )
        return shown

    async def _in_turn(
        self,
        limiter: Limiter,
        sending: Callable[[], Awaitable[Any]],
        wanted: Callable[[], bool] = lambda: True,
    ) -> Any:
        """Do *sending* when the place takes it, once more where it asks for patience.

        What fails is logged and answers nothing: what was asked for has been done.
        """
        for _ in range(2):
            if not await self._turn(limiter, wanted):
                break
            try:
                return await sending()
            except Later as later:
                limiter.pause(later.seconds)
            except ChatError as wrong:
                log.info("an answer could not be shown: %s", wrong)
                break
        return None

    def _limiter(self, where: Where, asker: Asker | None) -> Limiter:
        """What keeps an answer to *asker* to the pace of *where*."""
        places = self.house.places
        plays = asker is not None and self.house.limits.plays(asker, where)
        return places.limiter(where) if plays else places.limiter_behind(where)

    async def _turn(self, limiter: Limiter, wanted: Callable[[], bool]) -> bool:
        """Wait for a turn of *limiter*; False where that takes too long or it is not wanted."""
        left = PATIENCE
        while (wait := limiter.wait()) > 0:
            if wait > left or self.closing.is_set():
                return False
            left -= wait
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self.closing.wait(), wait)
            if not wanted():
                return False
        limiter.note()
        return True

    async def close(self, patience: float = 5.0) -> None:
        """Wait for nothing more: short-lived words are removed now."""
        self.closing.set()
        await self.tasks.close(patience)


def _too_much(answer: Answer) -> bool:
    """Whether an answer is more than a short word to the presser."""
    if isinstance(answer, Card | FileAnswer):
        return True
    return answer.good and units(answer.said) > TOAST
