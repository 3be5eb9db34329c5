"""What the asker hears: the one answer to a press, and the replies to commands.

In a group nobody reads alone. Short words are a toast or an alert; longer ones wait behind a link
in the private chat; buttons for one person stand in a reply that they alone can use.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from functools import partial

from cachetools import TTLCache
from telegram import CallbackQuery

from bot.chats.telegram.card_places import CardPlaces
from bot.chats.telegram.command_answers import IN_PRIVATE, CommandAnswers
from bot.chats.telegram.errors import Unchanged
from bot.chats.telegram.fleeting import CARD, Fleeting, outcome_of, question_of, small_card
from bot.chats.telegram.message_formatting import TOAST, units
from bot.chats.telegram.outbound import Outbound
from bot.chats.telegram.own_screens import OwnScreens
from bot.chats.telegram.paced_messages import (
    MOMENT,
    Following,
    PacedPosting,
    Toast,
    asks_of,
    too_much,
)
from bot.chats.telegram.reading import GREETING, chat_with, payload_of
from bot.facade import NO_TABLE, Action, Click, Facade, Rank, remembering
from bot.port import (
    Answer,
    BoardAnswer,
    Card,
    ChatError,
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
    Screen,
    ThreadShut,
    Where,
)
from games.core import phrase

log = logging.getLogger(__name__)

_LINKED = (
    *(Action.MORE, Action.RULES, Action.RECORD, Action.DESCRIBE, Action.FLIP, Action.VERIFY),
    *(Action.HINT, Action.ODDS, Action.REVIEW, Action.INVITED, Action.LEARN),
    *(Action.PUZZLE, Action.TOP, Action.PROFILE, Action.VERSUS, Action.GAMES, Action.HELP),
    *(Action.SETTINGS, Action.LINK, Action.MY_DATA),
)
"""Acts that change no game that is there, so that anybody may follow a link to them."""

_IN_GROUP = (Action.MORE, Action.DESCRIBE)
"""Acts whose answers a group reads for a while where their asker has opened no private chat."""

EVENING = 43200.0
"""Seconds within which a group leads a person once to a private chat that they have not opened."""

_ASKS = frozenset((Action.RESIGN, Action.LEAVE, Action.CLOSE))
"""Acts that ask for confirmation before they change anything."""


@dataclass
class Answers:
    """Gives the answers of the house to the askers."""

    facade: Facade
    outbound: Outbound
    _led: TTLCache[tuple[str, str], bool] = remembering(4096, EVENING)
    """Who was led from which group to a private chat that they had not opened."""

    def __post_init__(self) -> None:
        self.boards, limits = self.facade.boards, self.facade.requests.limits
        self.buttons, self.places = self.boards.buttons, self.boards.places
        self.posting = PacedPosting(self.facade, self.places, limits, self.outbound)
        self.fleeting = Fleeting(self.posting)
        self.cards = CardPlaces(self.facade.notes)
        self.posting.when_about = self.cards.note
        self.own = OwnScreens(self.posting, self._alone)
        self.outbound.when_shown = self._note_shown
        self.closing, self.tell = self.posting.closing, self.posting.tell
        self.tasks = self.posting.tasks
        self.commands = CommandAnswers(self.posting, self.fleeting, self.own, self.cards)

    def _note_shown(self, where: Where, message: str, screen: Screen | None) -> None:
        """Let go what stands in place of *message*, and what asks about a table that is over."""
        self.commands.serve(where, message)
        self.own.registry.board_shown(where, message, screen)
        if screen is not None and screen.over:
            self.fleeting.end(screen.table)

    def toast(self, query: CallbackQuery) -> Toast:
        """The answer to *query*, which says that it takes a moment if it does."""
        tongue = self.facade.requests.tongue(query.from_user.language_code)
        return Toast(query, tongue.say(phrase("telegram.moment")))

    async def press(self, press: Press, answer: Answer, said: Toast) -> Following | None:
        """Answer the presser, and show what the answer brings, without waiting for either.

        Returns what remains to be done if the answer is only promised or brings a message, or if
        it must first be seen whether a menu may be shown.
        """
        if isinstance(answer, Promised):
            kept = await self.own.promise(press, answer, said) if press.whispered else None
            return kept or self._promise(press, answer, said)
        if press.whispered and await self.own.gives(press, answer, said):
            self.commands.serve(press.where, press.asker)
            return None
        if press.whispered and isinstance(answer, Card | MenuAnswer):
            # Nothing is done yet: what others may see as well is asked for anew.
            shared = replace(press, whispered=False, covers=False)
            return await self.press(shared, await self.facade.requests.press(shared), said)
        if isinstance(answer, Said) and answer.leads is not None:
            card = Card(answer.leads, said=answer.said, good=answer.good)
            # In private the card alone has the words.
            answer = Card(answer.leads) if press.where.private else card
        where, click = press.where, self.buttons.click(press.code)
        if isinstance(answer, BoardAnswer) and answer.board is not None:
            self.tasks.start(self._show_board(answer.board))
        if isinstance(answer, MenuAnswer):
            await self._menu(press, answer, said)
            following: Following | None = said.wait_given()
        elif where.private:
            following = await self._pressed_in_private(press, answer, said)
        else:
            following = await self._pressed_in_group(press, answer, said, click)
        if not where.private and click is not None and click.table != NO_TABLE:
            await self._clear_orphan(press)
        self._use_up(press, answer, click)
        if isinstance(answer, BoardAnswer) and answer.note:
            self.tasks.start(self.commands.note(where, answer.note, press.asker, None))
        return following

    def _use_up(self, press: Press, answer: Answer, click: Click | None) -> None:
        """Remove a sheet, or a group's greeting, that has become a table; what is used stays."""
        where, opens = press.where, click is not None and click.opens
        if not answer.good:
            self.commands.serve(where, press.asker)
        stays = where.private and click is not None and click.act is Action.PLAY
        if opens and isinstance(answer, BoardAnswer) and press.message is not None and not stays:
            self.fleeting.remove(where, press.message)
            self.fleeting.end(where.place)
        elif not where.private:
            self.tasks.start(self.fleeting.use(where, press.message))

    async def _pressed_in_private(self, press: Press, answer: Answer, said: Toast) -> Following:
        words = await self.posting.with_delay(press, answer)
        short = units(words) <= TOAST
        first = said.say(words if short else "", alert=short and not answer.good)
        return self._bring(press, answer, said, told=first and short)

    async def _pressed_in_group(
        self, press: Press, answer: Answer, said: Toast, click: Click | None
    ) -> Following | None:
        sheet = click is not None and click.act is Action.SHEET and isinstance(answer, Card)
        passed = self.posting.passes_over(press.where, press.asker)
        if passed and (too_much(answer) or isinstance(answer, Poster)):
            self._link(press, payload_of(press.code) or GREETING, said)
        elif sheet or isinstance(answer, Poster):
            by = self.posting.only_way(press.where) if sheet else self.posting.rank(press)
            beside = None if sheet else press.message
            # A press is done when this has come: what we promise does not end with a process.
            return await self.posting.follow(press, answer, said, min(Rank.PLAYS, by), beside)
        elif isinstance(answer, PrivateRefusal) and (payload := payload_of(press.code)):
            self._link(press, payload, said)
        elif too_much(answer) and click is not None:
            await self._beside(press, answer, said, click)
        else:
            said.say(await self.posting.with_delay(press, answer), alert=not answer.good)
        return None

    async def _show_board(self, board: ReservedBoard) -> None:
        """Show the board of an answer; its turn in its place is counted already."""
        shown, target = None, board.target
        try:
            picture = None if board.picture is None else await board.picture
            if board.is_held and target.message is not None:
                where, message = target.where, target.message
                screen = self.cards.name_board(board.screen, where, message)
                shown = await self.outbound.edit(where, message, screen, picture)
        except ChatError as wrong:
            board.refuse(wrong)
            if isinstance(wrong, Later):
                self.commands.held_up(target.where, wrong.seconds)
        finally:
            board.report(shown)

    def _promise(self, press: Press, promised: Promised, said: Toast) -> Following | None:
        """Tell the presser of the promise; returns what keeps it."""
        click = self.buttons.click(press.code)
        payload = payload_of(press.code) if click is not None and links(click) else None
        if not press.where.private and payload is not None:
            # The link asks again, in the private chat; what was computed so far is cached.
            promised.answer.cancel()
            said.say(url=self.outbound.link(payload))
            return None
        said.say(promised.said)
        return self._keep(press, promised, said)

    async def _keep(self, press: Press, promised: Promised, said: Toast) -> None:
        where = press.where
        answer = await self.fleeting.wait_for(promised, where, press.message)
        if where.private and isinstance(answer, Said) and answer.leads is not None:
            answer = Card(answer.leads)  # which has the words
        if isinstance(answer, MenuAnswer):
            await self._menu(press, answer, said)
        else:
            await self._bring(press, answer, said, told=False)

    async def bring(self, press: Press, answer: Answer) -> None:
        """Show in the private chat what was asked for by a link from a group."""
        if isinstance(answer, MenuAnswer) and answer.said:
            await self.tell(press.where, answer.said)
        if answer.said or isinstance(answer, Card | MenuAnswer | FileAnswer | Poster):
            await self.commands.in_private(answer, press.where, press.asker)

    async def _bring(self, press: Press, answer: Answer, said: Toast, *, told: bool) -> None:
        """Send what *answer* brings: a card, a file, its words if the presser has missed them."""
        untold = not told or not await said.wait_heard()
        worth = isinstance(answer, Said) or not answer.good or units(answer.said) > TOAST
        if untold and worth and not isinstance(answer, FileAnswer | Poster):
            await self.tell(press.where, answer.said, reply_to=press.message, silent=True)
        where, message, rank = press.where, press.message, self.posting.rank(press)
        await self.posting.bring(where, answer, message, press.asker, rank=rank)

    async def _menu(self, press: Press, answer: MenuAnswer, said: Toast) -> None:
        """Put a menu in place of the keyboard; where one person reads, its picture as well."""
        screen, where, message = answer.screen, press.where, press.message
        paged = screen.table == NO_TABLE
        if message is None or (
            where.private and paged and self.outbound.shows_board(where, message)
        ):
            said.say(answer.said, alert=not answer.good)
            if where.private and not await self.boards.renews(where, message, answer.renewal):
                self.tasks.start(self._bring(press, answer, said, told=True))
        elif where.private or paged:
            show = partial(self._show_in_place, press, answer, message)
            rank = self.posting.rank_soon(where, self.posting.rank(press))
            words = await self.posting.with_wait(outcome_of(answer, press.code), press, rank)
            if words:
                said.say(words, alert=not answer.good)
            else:
                # Where nothing may be shown that is the answer, so it comes first.
                show = partial(self._told_of, show, press, said)
            self.posting.show_menu(press, message, show, rank)
        elif await self.boards.knows(where, message):
            words, rank = question_of(answer), min(Rank.PLAYS, self.posting.rank(press))
            await self.own.tries(press, answer, said)
            words = await self.posting.with_wait(words, press, rank, "telegram.keys-follow")
            said.say(words, alert=not answer.good)
            rekey = partial(self.outbound.rekey, where, message, screen)
            self.posting.show_menu(press, message, rekey, rank)
        else:
            # A board that no view knows would be composed for the presser's eyes alone.
            said.say(answer.said, alert=not answer.good)

    async def _show_in_place(self, press: Press, answer: MenuAnswer, message: str) -> str:
        screen, picture = answer.screen, answer.picture
        show = self.posting.show
        shown = await show(press.where, screen=screen, picture=picture, message=message)
        if screen.table == NO_TABLE:
            await self.posting.go_on(press.where, answer, press.asker, shown)
        return shown

    async def _told_of(self, show: Callable[[], Awaitable[str]], press: Press, said: Toast) -> str:
        """Do *show*, and answer the press: by that, or with why nothing could be shown."""
        try:
            done = await show()
        except (Later, PlaceShut, ThreadShut, Unchanged) as wrong:
            why = "settings.same" if isinstance(wrong, Unchanged) else "telegram.mute"
            why, n = ("telegram.slow", wrong.seconds) if isinstance(wrong, Later) else (why, 0)
            said.say(await self.posting.words_for(press, why, n=math.ceil(n)), alert=True)
            raise
        finally:
            said.say()
        return done

    async def _clear_orphan(self, press: Press) -> None:
        """Remove a board that no view knows: we were killed between sending and noting it."""
        where, message = press.where, press.message
        if message is None or self.outbound.wrote(where, message):
            return
        if not await self.boards.knows(where, message):
            self.fleeting.remove(where, message)

    async def _beside(self, press: Press, answer: Answer, said: Toast, click: Click) -> None:
        """Give an answer too long for a toast: by a link, or by buttons in a reply."""
        payload = _link_payload(press, click)
        late = self.posting.wait(press) > MOMENT
        if payload is not None and await self.own.tries(press, answer, said):
            said.say(await self.posting.words_for(press, "telegram.alone"))
            return
        # A card that waits too long is given up; the private chat takes it at once.
        is_open = await self.places.is_open(chat_with(press.asker))
        card = small_card(answer)
        if click.act in _IN_GROUP and not is_open and self._group_reads(press, late=late):
            await self._hand(press, answer, card or Card(Screen(NO_TABLE, 0, "")), said)
            return
        if payload is None and late and await self._alone(press, answer, said):
            return
        if payload is None and late and click.table == NO_TABLE:
            payload = payload_of(press.code)
        if card is not None and await self._may_hand(press, payload, known=is_open or late):
            await self._hand(press, answer, card, said)
        elif answer.said and payload is None:
            said.say(answer.said, alert=not answer.good)
        else:
            self._link(press, payload or GREETING, said)

    def _group_reads(self, press: Press, *, late: bool) -> bool:
        """Whether the group reads the answer; one at its limit leads elsewhere once an evening."""
        who = (press.asker.external, press.where.place)
        if self.posting.passes_over(press.where, press.asker):
            return False
        if who in self._led or not (late or self.posting.pacing.is_busy(press.where)):
            return True
        self._led[who] = True
        return False

    async def _may_hand(self, press: Press, payload: str | None, *, known: bool) -> bool:
        """Whether buttons are posted in the group, and not led to by *payload* where *known*."""
        known = known or await self.own.clients.shows(press.asker)
        if payload is not None and (known or self.posting.pacing.is_busy(press.where)):
            return False
        return not self.posting.passes_over(press.where, press.asker)

    async def _hand(self, press: Press, answer: Answer, card: Card, said: Toast) -> None:
        """Post *answer* in the group, with the buttons of *card* for the presser's use alone."""
        below = words = answer.said if units(answer.said) <= TOAST else ""
        if not below and card.screen.buttons:
            below = await self.posting.words_for(press, "telegram.card-below")
        rank = min(self.posting.rank(press), self.posting.only_way(press.where))
        below = await self.posting.with_wait(below, press, rank)
        told, click = said.say(below, alert=not answer.good), self.buttons.click(press.code)
        over = await self.fleeting.words_over(answer, press, click, heard=told and bool(words))
        handed = self.fleeting.hand(press.where, card, press.message, press.asker, over, rank)
        self.tasks.start(handed)

    async def _alone(self, press: Press, answer: Answer, said: Toast) -> bool:
        """Give the private chat, if it is open, what the group does not take soon, and say so."""
        given = await self.commands.in_private(answer, press.where, press.asker) is not None
        if given:
            said.say(await self.posting.words_for(press, IN_PRIVATE), alert=not answer.good)
        return given

    def _link(self, press: Press, payload: str, said: Toast) -> None:
        """Lead to the private chat by the answer to *press* or, where that is too late, beside."""
        self.tasks.start(self.cards.note_link(press.asker, press.where, payload))
        if not said.say(url=self.outbound.link(payload)):
            self.tasks.start(self.commands.link(press.where, press.asker, payload))

    async def use(self, press: Press, card: str, answer: Answer, said: Toast) -> Following | None:
        """Answer a press on *card*, which is the presser's: it shows the next question, or goes."""
        where, click = press.where, self.buttons.click(press.code)
        sheet = click is not None and click.act is Action.SHEET
        # A sheet is a message of its own, which stands where its table will.
        asks = None if sheet else small_card(answer) or _page_of(answer)
        if asks is not None:
            rank = self.posting.rank_soon(where, self.posting.rank(press))
            told = await self.posting.with_wait(question_of(answer), press, rank)
            said.say(told, alert=not answer.good)
            words = await self.fleeting.words_over(answer, press, click)
            lines = asks.screen.lines if asks.screen.table == NO_TABLE else ()
            screen = replace(asks.screen, headline="", lines=(words, *lines), alt="", scene=None)
            edited = partial(self.outbound.edit, where, card, screen, None)
            self.posting.show_menu(press, card, edited, rank)
            await self.fleeting.note(where, card, CARD, press.asker.external, asks_of(asks.screen))
            return None
        if isinstance(answer, MenuAnswer):
            # The board itself shows what would take the place of the card.
            answer = BoardAnswer(answer.said, good=answer.good)
        following = await self.press(press, answer, said)
        self.fleeting.remove(where, card)
        return following

    async def close(self) -> None:
        """Give up what waits, and remove short-lived messages now."""
        await self.posting.close()
        self.own.registry.close()
        await self.fleeting.close()


def _link_payload(press: Press, click: Click) -> str | None:
    """What a link to the private chat must say to ask for what *click* asks for, if it may."""
    if click.act is Action.MINE:
        return click.table
    return payload_of(press.code) if links(click) or click.act is Action.TOURNAMENT else None


def _page_of(answer: Answer) -> Card | None:
    """*answer* as a card, if it is a page of words and buttons that belongs to no table."""
    if not isinstance(answer, Card | MenuAnswer) or answer.picture is not None:
        return None
    page = answer.screen.table == NO_TABLE and answer.screen.buttons
    return Card(answer.screen) if page else None


def links(click: Click) -> bool:
    """Whether a link may ask for what *click* asks for."""
    return click.act in _LINKED or (click.act in _ASKS and not click.path)
