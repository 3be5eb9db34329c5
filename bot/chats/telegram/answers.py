"""What the asker hears: the one answer to a press, and the replies to commands.

In a group nobody reads alone. Short words are a toast or an alert; longer ones wait behind a link
in the private chat; buttons for one person stand in a reply that they alone can use.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from cachetools import TTLCache
from telegram import CallbackQuery, InlineKeyboardButton, InlineKeyboardMarkup

from bot.chats.telegram.fleeting import CARD, Fleeting, question_of, small_card
from bot.chats.telegram.outbound import Outbound
from bot.chats.telegram.own_screens import OwnScreens
from bot.chats.telegram.posting import PATIENCE, WATCHDOG, Posting, Toast
from bot.chats.telegram.reading import COMMANDS, GREETING, by_link, chat_with, payload_of
from bot.chats.telegram.writing import TOAST, units
from bot.facade import BY_NAME, NO_TABLE, Action, Click, Facade
from bot.port import (
    Answer,
    Asker,
    BoardAnswer,
    Card,
    ChatError,
    Command,
    FileAnswer,
    Later,
    MenuAnswer,
    PlaceShut,
    Poster,
    Press,
    PrivateRefusal,
    Promised,
    ReservedBoard,
    Said,
    ThreadShut,
    Where,
)
from games.core import phrase

log = logging.getLogger(__name__)

DONE, TOLD, MUTE = "👍", "👀", "🙊"
"""The reactions to a command whose outcome the board shows, that is answered in private or later,
and that cannot be answered where it was given."""

SOON, ASKED = 2.0, 10.0
"""Seconds of waiting from which a command gets a reaction first, and for which it is known who has
asked for a board in a group."""

_LINKED = frozenset(
    (
        *(Action.MORE, Action.RULES, Action.RECORD, Action.DESCRIBE, Action.FLIP, Action.VERIFY),
        *(Action.HINT, Action.ODDS, Action.REVIEW, Action.INVITED),
    )
)
"""Acts that change no game that is there, so that anybody may follow a link to them."""

_ASKS = frozenset((Action.RESIGN, Action.LEAVE, Action.CLOSE))
"""Acts that ask for confirmation before they change anything."""


@dataclass
class Answers:
    """Gives the answers of the house to the askers."""

    facade: Facade
    outbound: Outbound
    blank: int = 0
    """Presses that were answered blank, since the outcome was not known in time."""

    def __post_init__(self) -> None:
        self.posting = Posting(self.facade, self.outbound)
        self.fleeting = Fleeting(self.posting)
        self.own = OwnScreens(self.facade, self.posting)
        self.closing, self.tell = self.posting.closing, self.posting.tell
        self.tasks = self.posting.tasks
        self.posting.when_held_up = self.held_up
        self._asked: TTLCache[Where, tuple[Asker, str | None]] = TTLCache(4096, ASKED)

    def toast(self, query: CallbackQuery) -> Toast:
        """The answer to *query*, blank if it takes long."""

        def blank() -> None:
            self.blank += 1
            log.info("a press had to be answered blank after %g s (%d)", WATCHDOG, self.blank)

        return Toast(query, blank)

    def asks(self, where: Where, asker: Asker, command: str | None = None) -> None:
        """Note that *asker* has just asked for something in *where*, by the message *command*."""
        self._asked[where] = (asker, command)

    def shut_out(self, where: Where) -> None:
        """Tell whoever has just asked for a board in *where* that it cannot be posted there."""
        self.posting.refused[where] = None
        asked = self._asked.pop(where, None)
        if asked is not None:
            self.tasks.start(self._unheard(where, *asked))

    def held_up(self, where: Where) -> None:
        """React to what was just asked for in *where*: Telegram asks us to wait with the answer."""
        _, command = self._asked.pop(where, (None, None))
        if command is not None:
            self.tasks.start(self.outbound.react(where, command, TOLD))

    async def _unheard(self, where: Where, asker: Asker, command: str | None) -> None:
        """Tell *asker* that *where* takes no answer: in the private chat, else by a reaction."""
        if where.private or self.posting.passes_over(where, asker):
            return
        if where in self.posting.refused and await self._opened(asker):
            private = chat_with(asker)
            tongue = await self.posting.tongue(asker, private)
            if await self.tell(private, tongue.say(phrase("telegram.shut-out"))) is not None:
                return
        if command is not None:
            await self.outbound.react(where, command, MUTE)

    async def pressed(
        self, press: Press, answer: Answer, said: Toast
    ) -> Coroutine[Any, Any, None] | None:
        """Answer the presser, and show what the answer brings, without waiting for either.

        Returns what remains to be done if the answer is only promised, or if it must first be
        seen whether a menu may be shown.
        """
        if isinstance(answer, Promised):
            kept = await self.own.promised(press, answer, said) if press.whispered else None
            return kept or self._promised(press, answer, said)
        if press.whispered and await self.own.gives(press, answer, said):
            return None
        if press.whispered and isinstance(answer, Card | MenuAnswer):
            # Nothing is done yet: what others may see as well is asked for anew.
            shared = replace(press, whispered=False, covers=False)
            return await self.pressed(shared, await self.facade.press(shared), said)
        await self._pressed(press, answer, said)
        return said.given() if isinstance(answer, MenuAnswer) else None

    async def _pressed(self, press: Press, answer: Answer, said: Toast) -> None:
        where, click = press.where, self.facade.click(press.code)
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
        sheet = click is not None and click.act is Action.SHEET
        if sheet and isinstance(answer, BoardAnswer) and press.message is not None:
            # The sheet has become a table.
            self.tasks.start(self.outbound.remove(where, press.message))

    async def _pressed_in_private(self, press: Press, answer: Answer, said: Toast) -> None:
        words = await self.posting.with_delay(press, answer)
        short = units(words) <= TOAST
        first = said.say(words if short else "", alert=short and not answer.good)
        self.tasks.start(self._brought(press, answer, said, told=first and short))

    async def _pressed_in_group(
        self, press: Press, answer: Answer, said: Toast, click: Click | None
    ) -> None:
        sheet = click is not None and click.act is Action.SHEET and isinstance(answer, Card)
        if sheet or isinstance(answer, Poster):
            said.say(await self.posting.with_wait(answer.said, press))
            if sheet:
                self.tasks.start(self.brought(press, answer))
            else:
                self.tasks.start(self._brought(press, answer, said, told=True))
        elif _too_much(answer) and click is not None:
            await self._beside(press, answer, said, click)
        else:
            said.say(await self.posting.with_delay(press, answer), alert=not answer.good)

    async def _show_board(self, board: ReservedBoard) -> None:
        """Show the board of an answer; its turn in its place is counted already."""
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
        """Tell the presser of the promise; returns what keeps it."""
        click = self.facade.click(press.code)
        payload = payload_of(press.code) if click is not None and links(click) else None
        if not press.where.private and payload is not None:
            # The link asks again, in the private chat; what was computed so far is cached.
            promised.answer.cancel()
            said.say(url=self.outbound.link(payload))
            return None
        said.say(promised.said)
        return self._keep(press, promised, said)

    async def _keep(self, press: Press, promised: Promised, said: Toast) -> None:
        if press.where.private:
            answer = await self.fleeting.awaited(promised, press.where, press.asker, press.message)
        else:
            answer = await self.posting.known(promised)
        if isinstance(answer, MenuAnswer):
            await self._menu(press, answer, said)
        else:
            await self._brought(press, answer, said, told=False)

    async def brought(self, press: Press, answer: Answer) -> None:
        """Show in the private chat what was asked for by a link from a group."""
        if isinstance(answer, Promised):
            answer = await self.fleeting.announced(answer, press.where, press.asker)
        if answer.said and not isinstance(answer, FileAnswer | Poster | Card):
            await self.tell(press.where, answer.said, links=_links(answer))
        await self.posting.bring(press.where, answer, None, press.asker)

    async def _brought(self, press: Press, answer: Answer, said: Toast, *, told: bool) -> None:
        """Send what *answer* brings: a card, a file, its words if the presser has missed them."""
        untold = not told or not await said.heard()
        worth = isinstance(answer, Said) or not answer.good or units(answer.said) > TOAST
        if untold and worth and not isinstance(answer, FileAnswer | Poster):
            await self.tell(press.where, answer.said, reply_to=press.message)
        await self.posting.bring(press.where, answer, press.message, press.asker)

    async def _menu(self, press: Press, answer: MenuAnswer, said: Toast) -> None:
        """Put a menu in place of the keyboard; where one person reads, its picture as well."""
        screen, where, message = answer.screen, press.where, press.message
        if message is None:
            said.say(answer.said, alert=not answer.good)
            if where.private:
                self.tasks.start(self._brought(press, answer, said, told=True))
        elif where.private or screen.table == NO_TABLE:
            show = partial(self.posting.shown, where, screen, answer.picture, message)
            words = await self.posting.with_wait(answer.said, press)
            if words:
                said.say(words, alert=not answer.good)
            else:
                # Where nothing may be shown that is the answer, so it comes first.
                show = partial(self._told_of, show, press, said)
            self.posting.show_menu(press, message, show)
        elif await self.facade.boards.knows(where, message):
            words = question_of(answer)
            await self.own.tries(press, answer, said)
            said.say(await self.posting.with_wait(words, press), alert=not answer.good)
            self.posting.show_menu(
                press, message, partial(self.outbound.rekey, where, message, screen)
            )
        else:
            # A board that no view knows would be composed for the presser's eyes alone.
            said.say(answer.said, alert=not answer.good)

    async def _told_of(self, show: Callable[[], Awaitable[str]], press: Press, said: Toast) -> str:
        """Do *show*, and answer the press: blank, or with why nothing could be shown."""
        try:
            done = await show()
        except (Later, PlaceShut, ThreadShut) as wrong:
            tongue = await self.posting.tongue(press.asker, press.where)
            why = phrase("telegram.mute")
            if isinstance(wrong, Later):
                why = phrase("telegram.slow", n=math.ceil(wrong.seconds))
            said.say(tongue.say(why), alert=True)
            raise
        finally:
            said.say()
        return done

    async def _clear_orphan(self, press: Press) -> None:
        """Remove a board that no view knows: we were killed between sending and noting it."""
        where, message = press.where, press.message
        if message is None or self.outbound.wrote(where, message):
            return
        if not await self.facade.boards.knows(where, message):
            self.tasks.start(self.outbound.remove(where, message))

    async def _beside(self, press: Press, answer: Answer, said: Toast, click: Click) -> None:
        """Give an answer too long for a toast: by a link, or by buttons in a reply."""
        payload = payload_of(press.code) if links(click) else None
        if click.act is Action.MINE:
            payload = click.table
        limiter, where = self.posting.limiter(press.where, press.asker), press.where
        if payload is not None and await self.own.tries(press, answer, said):
            said.say(url=self.outbound.link(payload))
            return
        # A card that waits too long is given up; the private chat takes it at once.
        here = payload is None or not (self.posting.is_busy(where) or limiter.due() > PATIENCE)
        if payload is not None and (
            await self._opened(press.asker) or await self.own.clients.shows(press.asker)
        ):
            here = False
        card = small_card(answer)
        if card is not None and here and not self.posting.passes_over(where, press.asker):
            tongue = await self.posting.tongue(press.asker, where)
            below = answer.said or tongue.say(phrase("telegram.card-below"))
            said.say(await self.posting.with_wait(below, press), alert=not answer.good)
            over = await self.fleeting.words_over(answer, press, click)
            handed = self.fleeting.hand(where, card, press.message, press.asker, over)
            self.tasks.start(handed)
        elif payload is not None:
            said.say(url=self.outbound.link(payload))
        else:
            said.say(answer.said, alert=not answer.good)

    async def used(
        self, press: Press, card: str, answer: Answer, said: Toast
    ) -> Coroutine[Any, Any, None] | None:
        """Answer a press on *card*, which is the presser's: it shows the next question, or goes."""
        where, asks = press.where, small_card(answer)
        if asks is not None:
            said.say(question_of(answer), alert=not answer.good)
            click = self.facade.click(press.code)
            words = await self.fleeting.words_over(answer, press, click)
            screen = replace(asks.screen, headline="", lines=(words,), alt="", scene=None)
            edited = partial(self.outbound.edit, where, card, screen, None)
            self.posting.show_menu(press, card, edited)
            await self.fleeting.note(where, card, CARD, press.asker.external)
            return None
        if isinstance(answer, MenuAnswer):
            # The board itself shows what would take the place of the card.
            answer = BoardAnswer(answer.said, good=answer.good)
        following = await self.pressed(press, answer, said)
        self.fleeting.remove(where, card)
        return following

    async def _opened(self, asker: Asker) -> bool:
        return await self.facade.places.opened(chat_with(asker))

    async def called(self, call: Command, answer: Answer, message: str) -> None:
        """Reply to a command; what a group may not read is shown in the private chat."""
        where, command = call.where, BY_NAME.get(call.name)
        await self._react_first(call, message)
        if isinstance(answer, Promised) and where.private:
            answer = await self.fleeting.announced(answer, where, call.asker, message)
        elif isinstance(answer, Promised):
            await self._react(where, message, TOLD)
            answer = await self.fleeting.awaited(answer, where, call.asker, message)
        own = command is not None and command.own and answer.good
        match answer:
            case BoardAnswer(aloud=False) | Said(said=""):
                await self._look_for_board(where)
            case _ if where.private:
                await self._reply(call, answer, message)
            case PrivateRefusal(table=table):
                await self._in_private(call, table, message)
            case Card() if command is not None and command.act is Action.PLAY:
                # A sheet stands where its table will.
                await self._reply(call, answer, message)
            case Card() | FileAnswer() | Said(private=True) if own or _too_much(answer):
                await self._alone(call, answer, message)
            case Said(good=True) if await self.facade.boards.stands(where, answer.table):
                await self._react(where, message, DONE)
            case _:
                await self._reply(call, answer, message)

    async def _react_first(self, call: Command, message: str) -> None:
        """React to a command whose answer has to wait."""
        if self.posting.limiter(call.where, call.asker).due() > SOON:
            await self._react(call.where, message, TOLD)

    async def _look_for_board(self, where: Where) -> None:
        """Tell the asker of a board that it cannot be posted in *where*, if that is known."""
        if await self.facade.places.is_shut(where):
            self.shut_out(where)

    async def called_alone(self, call: Command, answer: Answer, message: str) -> None:
        """Answer the ephemeral *message* of a command where its sender alone reads it."""
        if await self.own.called(call, answer, message):
            return
        command, private = BY_NAME.get(call.name), chat_with(call.asker)
        if isinstance(answer, PrivateRefusal):
            await self._in_private(call, answer.table)
        elif await self._opened(call.asker):
            if isinstance(answer, Promised):
                answer = await self.fleeting.announced(answer, private, call.asker)
            if isinstance(answer, Said | BoardAnswer):
                await self.tell(private, answer.said, links=_links(answer))
            else:
                await self.posting.bring(private, answer, None, call.asker)
        else:
            linked = command is not None and by_link(command)
            await self._in_private(call, f"{COMMANDS}{call.name}" if linked else GREETING)

    async def _reply(self, call: Command, answer: Answer, message: str) -> None:
        where, command = call.where, BY_NAME.get(call.name)
        if isinstance(answer, Card | FileAnswer | Poster):
            shown = await self.posting.bring(where, answer, message, call.asker)
        elif where.private:
            shown = await self.tell(where, answer.said, links=_links(answer))
        else:
            shown = await self.tell(
                where, answer.said, reply_to=message, asker=call.asker, links=_links(answer)
            )
            if not (answer.good and command is not None and command.lasting):
                await self.fleeting.note(where, shown)
        if shown is None and not where.private:
            await self._unheard(where, call.asker, message)

    async def _alone(self, call: Command, answer: Answer, message: str) -> None:
        """Give an answer to the asker alone: in their private chat, if they have opened it."""
        command, private = BY_NAME.get(call.name), chat_with(call.asker)
        if await self._opened(call.asker):
            if isinstance(answer, Said):
                shown = await self.tell(private, answer.said, links=answer.links)
            else:
                shown = await self.posting.bring(private, answer, None, call.asker)
            if shown is not None:
                await self._react(call.where, message, TOLD)
                return
        card = small_card(answer)
        if card is not None:
            words = await self.fleeting.words_over(answer, call, None)
            await self.fleeting.hand(call.where, card, message, call.asker, words)
        elif command is not None and by_link(command):
            await self._in_private(call, f"{COMMANDS}{call.name}", message)
        else:
            await self._reply(call, answer, message)

    async def _in_private(self, call: Command, payload: str, message: str | None = None) -> None:
        """Link to the private chat, where the asker alone is shown *payload*."""
        where, tongue = call.where, await self.posting.tongue(call.asker, call.where)
        button = InlineKeyboardButton(
            tongue.say(phrase("telegram.button.private")), url=self.outbound.link(payload)
        )
        words = tongue.say(phrase("telegram.in-private"))
        markup = InlineKeyboardMarkup([[button]])
        shown = await self.tell(where, words, reply_to=message, markup=markup, asker=call.asker)
        await self.fleeting.note(where, shown)
        if shown is None:
            await self._unheard(where, call.asker, message)

    async def _react(self, where: Where, message: str, emoji: str) -> None:
        await self.outbound.react(where, message, emoji)

    async def close(self) -> None:
        """Give up what waits, and remove short-lived messages now."""
        await self.posting.close()
        self.own.registry.close()
        await self.fleeting.close()


def _links(answer: Answer) -> tuple[str, ...]:
    return answer.links if isinstance(answer, Said) else ()


def _too_much(answer: Answer) -> bool:
    if isinstance(answer, Card | FileAnswer):
        return True
    return answer.good and units(answer.said) > TOAST


def links(click: Click) -> bool:
    """Whether a link may ask for what *click* asks for."""
    return click.act in _LINKED or (click.act in _ASKS and not click.path)
