"""What the asker hears: the one answer to a press, and the replies to commands.

In a group nobody reads alone. What is short is a toast or an alert; what is longer waits behind a
link in the private chat; buttons for one person stand in a reply that he alone can use.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Coroutine
from dataclasses import dataclass, replace
from typing import Any

from telegram import CallbackQuery, InlineKeyboardButton, InlineKeyboardMarkup

from bot.chats.telegram.cards import Cards, asks, home, is_small, too_much
from bot.chats.telegram.fleeting import CARD
from bot.chats.telegram.menus import MenuEdits
from bot.chats.telegram.outbound import Outbound
from bot.chats.telegram.posting import PATIENCE, Posting
from bot.chats.telegram.reading import payload_of
from bot.chats.telegram.toast import WATCHDOG, Toast
from bot.chats.telegram.writing import TOAST, cut, units
from bot.facade import BY_NAME, NO_TABLE, Action, Click, Facade, Limiter, Tasks
from bot.port import (
    Answer,
    BoardAnswer,
    Card,
    ChatError,
    Command,
    FileAnswer,
    MenuAnswer,
    Poster,
    Press,
    PrivateRefusal,
    Promised,
    ReservedBoard,
    Said,
    Where,
)
from bot.texts import language
from games.core import phrase

log = logging.getLogger(__name__)

NOTICEABLE = 1.5
"""From how many seconds of waiting the presser is told of it."""

DONE = "👍"
"""The reaction to a command of which the board tells."""

TOLD = "👀"
"""The reaction to a command that is answered in the private chat."""

_SHOWS = frozenset(
    (
        *(Action.MORE, Action.RULES, Action.RECORD, Action.DESCRIBE, Action.FLIP, Action.VERIFY),
        *(Action.HINT, Action.ODDS, Action.REVIEW),
    )
)
"""Acts that change nothing, so that a link may lead to them whoever follows it."""

_ASKS = frozenset((Action.RESIGN, Action.LEAVE, Action.CLOSE))
"""Acts that ask back before they change anything."""


@dataclass
class Answers:
    """Shows the answers of the house to whoever asked."""

    house: Facade
    outbound: Outbound
    blank: int = 0
    """How many presses were answered blank, since nothing was known of them in time."""

    def __post_init__(self) -> None:
        self.posting = Posting(self.house, self.outbound)
        self.cards, self.menus = Cards(self.posting), MenuEdits(self.posting)
        self.fleeting = self.cards.fleeting
        self.closing, self.tell = self.posting.closing, self.posting.tell

    @property
    def tasks(self) -> Tasks:
        """What is shown beside everything else."""
        return self.posting.tasks

    def toast(self, query: CallbackQuery) -> Toast:
        """The answer to *query*, blank in good time."""

        def blank() -> None:
            self.blank += 1
            log.info("a press had to be answered blank after %g s (%d)", WATCHDOG, self.blank)

        return Toast(query, blank)

    # ---------------------------------------------------------------- presses

    async def pressed(
        self, press: Press, answer: Answer, said: Toast
    ) -> Coroutine[Any, Any, None] | None:
        """Answer the presser; what the answer brings with it is shown when the place takes it.

        Neither is waited for: the presser's next press is answered meanwhile. Answers what
        remains to be done where only a promise could be made.
        """
        where, click = press.where, self.house.click(press.code)
        if isinstance(answer, Promised):
            return self._promised(press, answer, said)
        if isinstance(answer, BoardAnswer) and answer.board is not None:
            self.tasks.start(self._show_board(answer.board))
        if isinstance(answer, MenuAnswer):
            await self._menu(press, answer, said)
        elif where.private:
            await self._pressed_in_private(press, answer, said)
        else:
            await self._pressed_in_group(press, answer, said, click)
        if not where.private and click is not None and click.table != NO_TABLE:
            await self._clear_orphan(press)
        if isinstance(answer, BoardAnswer) and click is not None and click.act is Action.SHEET:
            self._put_away(press)
        return None

    async def _pressed_in_group(
        self, press: Press, answer: Answer, said: Toast, click: Click | None
    ) -> None:
        """Answer the presser where others read too."""
        sheet = click is not None and click.act is Action.SHEET and isinstance(answer, Card)
        if sheet or isinstance(answer, Poster):
            limiter = self.posting.limiter(press.where, press.asker)
            said.say(await self._with_wait(answer.said, press, limiter))
            if sheet:
                self.tasks.start(self.brought(press, answer))
            else:
                self.tasks.start(self._brought(press, answer, said, told=True))
        elif too_much(answer) and click is not None:
            await self._beside(press, answer, said, click)
        else:
            said.say(await self._with_delay(press, answer), alert=not answer.good)

    async def _show_board(self, board: ReservedBoard) -> None:
        """Show the board of an answer; its slot in the pace of the place is taken already."""
        shown, target = None, board.target
        try:
            picture = None if board.picture is None else await board.picture
            if board.held and target.message is not None:
                outbound = self.outbound
                shown = await outbound.edit(target.where, target.message, board.screen, picture)
        except ChatError as wrong:
            board.refuse(wrong)
        finally:
            board.report(shown)

    def _promised(
        self, press: Press, promised: Promised, said: Toast
    ) -> Coroutine[Any, Any, None] | None:
        """Tell the presser of the promise; answers what keeps it."""
        click = self.house.click(press.code)
        payload = payload_of(press.code) if click is not None and links(click) else None
        if not press.where.private and payload is not None:
            # The link asks for it anew, in the private chat; what was found so far is kept.
            promised.answer.cancel()
            said.say(url=self.outbound.link(payload))
            return None
        said.say(promised.said)
        return self._kept(press, promised, said)

    async def _kept(self, press: Press, promised: Promised, said: Toast) -> None:
        """Bring what was promised to the presser, who has had his toast."""
        if press.where.private:
            answer = await self.fleeting.awaited(promised, press.where, press.asker, press.message)
        else:
            answer = await self.posting.known(promised)
        if isinstance(answer, MenuAnswer):
            await self._menu(press, answer, said)
        else:
            await self._brought(press, answer, said, told=False)

    async def _with_delay(self, press: Press, answer: Answer) -> str:
        """What is said, and when the board follows where its place makes it wait."""
        where, words = press.where, answer.said
        if press.message is None or self.house.places.pacing.comes_in(where) <= NOTICEABLE:
            return words
        wait = await self.house.places.board_follows_in(where, press.message)
        if wait is None or wait <= NOTICEABLE:
            return words
        tongue = language(await self.house.language_of(press.asker, where))
        follows = tongue.say(phrase("telegram.board-follows", n=math.ceil(wait)))
        return f"{cut(words, TOAST - units(follows) - 1)} {follows}".strip()

    async def _pressed_in_private(self, press: Press, answer: Answer, said: Toast) -> None:
        words = await self._with_delay(press, answer)
        short = units(words) <= TOAST
        first = said.say(words if short else "", alert=short and not answer.good)
        self.tasks.start(self._brought(press, answer, said, told=first and short))

    async def brought(self, press: Press, answer: Answer) -> None:
        """Show in the private chat what a link from a group asked for."""
        if isinstance(answer, Promised):
            answer = await self.fleeting.announced(answer, press.where, press.asker)
        if answer.said and not isinstance(answer, FileAnswer | Poster | Card):
            await self.tell(press.where, answer.said, links=_links(answer))
        await self.posting.bring(press.where, answer, None, press.asker)

    async def _brought(self, press: Press, answer: Answer, said: Toast, *, told: bool) -> None:
        """What an answer in private brings: its words where they were not heard, a card, a file."""
        untold = not told or not await said.heard()
        worth = isinstance(answer, Said) or not answer.good or units(answer.said) > TOAST
        if untold and worth and not isinstance(answer, FileAnswer | Poster):
            await self.tell(press.where, answer.said, reply_to=press.message)
        await self.posting.bring(press.where, answer, press.message, press.asker)

    async def _menu(self, press: Press, answer: MenuAnswer, said: Toast) -> None:
        """Put a menu in place of the keyboard; where one person reads, its picture as well."""
        screen, where, message = answer.screen, press.where, press.message
        limiter = self.posting.limiter(where, press.asker)
        if message is None:
            said.say(answer.said, alert=not answer.good)
            if where.private:
                self.tasks.start(self._brought(press, answer, said, told=True))
            return
        if where.private or screen.table == NO_TABLE:
            said.say(await self._with_wait(answer.said, press, limiter), alert=not answer.good)
            self.menus.show(press, message, lambda: self._painted_menu(press, answer))
            return
        if not await self.house.boards.knows(where, message):
            # A board that no view knows would be composed for the presser's eyes alone.
            said.say(answer.said, alert=not answer.good)
            return
        words = answer.said or (screen.lines[-1] if screen.lines else screen.headline)
        said.say(await self._with_wait(words, press, limiter), alert=not answer.good)
        self.menus.show(press, message, lambda: self.outbound.rekey(where, message, screen))

    async def _with_wait(self, words: str, press: Press, limiter: Limiter) -> str:
        """*words*, and how long what follows them waits for its turn, where that is noticed."""
        wait = limiter.due(limiter.waiting + 1)
        if wait <= NOTICEABLE:
            return words
        tongue = language(await self.house.language_of(press.asker, press.where))
        slow = tongue.say(phrase("telegram.slow", n=math.ceil(wait)))
        return f"{cut(words, TOAST - units(slow) - 1)} {slow}".strip()

    async def _painted_menu(self, press: Press, answer: MenuAnswer) -> None:
        """The menu of *answer* in place of the message, with its picture."""
        screen, picture = answer.screen, answer.picture
        if picture is None and screen.scene is not None:
            picture = await self.house.picture(screen.scene)
        await self.posting.shown(press.where, screen, picture, press.message)

    def _put_away(self, press: Press) -> None:
        """Remove the sheet that was pressed: it has become a table."""
        message, where = press.message, press.where
        if message is not None:
            self.tasks.start(self.outbound.remove(where, message))

    async def _clear_orphan(self, press: Press) -> None:
        """Remove a board of ours that no view knows: we died between sending and noting it."""
        where, message = press.where, press.message
        if message is None or self.outbound.wrote(where, message):
            return
        if not await self.house.boards.knows(where, message):
            self.tasks.start(self.outbound.remove(where, message))

    # ---------------------------------------------------------------- for one person alone

    async def _beside(self, press: Press, answer: Answer, said: Toast, click: Click) -> None:
        """What is more than a toast holds: in the private chat, where *press* leads by a link.

        Who has never opened it is asked beside the board, as far as it is about buttons.
        """
        payload = payload_of(press.code) if links(click) else None
        if click.act is Action.MINE:
            payload = click.table
        limiter = self.posting.limiter(press.where, press.asker)
        # A card that waits too long is given up; the private chat takes it at once.
        here = payload is None or limiter.due() <= PATIENCE
        if payload is not None and await self.cards.opened(press.asker):
            here = False
        here = here and not self.posting.passes_over(press.where, press.asker)
        if is_small(answer) and here:
            tongue = language(await self.house.language_of(press.asker, press.where))
            below = answer.said or tongue.say(phrase("telegram.card-below"))
            said.say(await self._with_wait(below, press, limiter), alert=not answer.good)
            over, where = await self.cards.over(answer, press, click), press.where
            self.tasks.start(self.cards.hand(where, answer, press.message, press.asker, over))
        elif payload is not None:
            said.say(url=self.outbound.link(payload))
        else:
            said.say(answer.said, alert=not answer.good)

    async def used(
        self, press: Press, card: str, answer: Answer, said: Toast
    ) -> Coroutine[Any, Any, None] | None:
        """Answer a press on *card*, which is the presser's: it asks on, or goes away."""
        where = press.where
        if isinstance(answer, Card) and is_small(answer):
            said.say(asks(answer), alert=not answer.good)
            words = await self.cards.over(answer, press, self.house.click(press.code))
            screen = replace(answer.screen, headline="", lines=(words,), alt="", scene=None)
            self.menus.show(press, card, lambda: self.outbound.edit(where, card, screen, None))
            await self.fleeting.note(where, card, CARD, press.asker.external)
            return None
        if isinstance(answer, MenuAnswer):
            # What a board would show instead of the card is shown by the board itself.
            answer = BoardAnswer(answer.said, good=answer.good)
        following = await self.pressed(press, answer, said)
        self.fleeting.remove(where, card)
        return following

    # ---------------------------------------------------------------- commands

    async def called(self, call: Command, answer: Answer, message: str) -> None:
        """Reply to a command; what a group may not read is shown in the private chat."""
        where, command = call.where, BY_NAME.get(call.name)
        if isinstance(answer, Promised) and where.private:
            answer = await self.fleeting.announced(answer, where, call.asker, message)
        elif isinstance(answer, Promised):
            await self._react(where, message, TOLD)
            answer = await self.fleeting.awaited(answer, where, call.asker, message)
        own = command is not None and command.own and answer.good
        match answer:
            case BoardAnswer(aloud=False) | Said(said=""):
                pass
            case _ if where.private:
                await self._reply(call, answer, message)
            case PrivateRefusal(table=table):
                await self._in_private(call, table, message)
            case Card() if command is not None and command.act is Action.PLAY:
                # A sheet stands where its table will.
                await self._reply(call, answer, message)
            case Card() | FileAnswer() | Said(private=True) if own or too_much(answer):
                await self._alone(call, answer, message)
            case Said(good=True) if await self.house.boards.stands(where, answer.table):
                await self._react(where, message, DONE)
            case _:
                await self._reply(call, answer, message)

    async def _reply(self, call: Command, answer: Answer, message: str) -> None:
        where, command = call.where, BY_NAME.get(call.name)
        if isinstance(answer, Card | FileAnswer | Poster):
            await self.posting.bring(where, answer, message, call.asker)
        elif where.private:
            await self.tell(where, answer.said, links=_links(answer))
        else:
            shown = await self.tell(
                where, answer.said, reply_to=message, asker=call.asker, links=_links(answer)
            )
            if not (answer.good and command is not None and command.lasting):
                await self.fleeting.note(where, shown)

    async def _alone(self, call: Command, answer: Answer, message: str) -> None:
        """An answer for the asker alone: in his private chat, if he has opened it."""
        command, private = BY_NAME.get(call.name), home(call.asker)
        if await self.cards.opened(call.asker):
            if isinstance(answer, Said):
                shown = await self.tell(private, answer.said, links=answer.links)
            else:
                shown = await self.posting.bring(private, answer, None, call.asker)
            if shown is not None:
                await self._react(call.where, message, TOLD)
                return
        if is_small(answer):
            words = await self.cards.over(answer, call, None)
            await self.cards.hand(call.where, answer, message, call.asker, words)
        elif command is not None and command.own:
            await self._in_private(call, f"do-{call.name}", message)
        else:
            await self._reply(call, answer, message)

    async def _in_private(self, call: Command, payload: str, message: str) -> None:
        """Ask the asker into the private chat, where *payload* is shown to him alone."""
        where = call.where
        tongue = language(await self.house.language_of(call.asker, where))
        button = InlineKeyboardButton(
            tongue.say(phrase("telegram.button.private")), url=self.outbound.link(payload)
        )
        words = tongue.say(phrase("telegram.in-private"))
        markup = InlineKeyboardMarkup([[button]])
        shown = await self.tell(where, words, reply_to=message, markup=markup, asker=call.asker)
        await self.fleeting.note(where, shown)

    async def _react(self, where: Where, message: str, emoji: str) -> None:
        """Show by a reaction that a command was done, if the place takes it at once."""
        if self.house.places.pacing.limiter_behind(where).wait() <= 0:
            await self.outbound.react(where, message, emoji)

    async def close(self) -> None:
        """Wait for nothing more: short-lived words are removed now."""
        await self.posting.close()
        await self.fleeting.close()


def _links(answer: Answer) -> tuple[str, ...]:
    """Where the lines of *answer* lead."""
    return answer.links if isinstance(answer, Said) else ()


def links(click: Click) -> bool:
    """Whether a link may lead to what *click* asks for: to nothing that changes a game."""
    return click.act in (*_SHOWS, Action.INVITED) or (click.act in _ASKS and not click.path)
