"""Takes updates, asks the facade and has its answer shown; tries again or sets aside."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable
from dataclasses import dataclass, field, replace
from datetime import timedelta
from weakref import WeakValueDictionary

from cachetools import LRUCache
from telegram import Message, Update, User
from telegram.constants import ChatType

from bot.chats.telegram.answers import Answers, links
from bot.chats.telegram.card_places import TABLE
from bot.chats.telegram.invitations import (
    MISSING,
    THERE,
    Picking,
    note_feedback,
    offer,
    welcome_guest,
)
from bot.chats.telegram.membership import GREETED, Membership, is_of_members
from bot.chats.telegram.paced_messages import LISTS, Toast
from bot.chats.telegram.reading import (
    EPHEMERAL,
    GREETING,
    START,
    UNKNOWN,
    Known,
    asker_of,
    call_of,
    chosen_press,
    ephemeral_id,
    is_person,
    linked_press,
    place_of,
    post_of,
    press_of,
)
from bot.chats.telegram.update_queue import UNREADABLE, NotWritten, ReceiptQueue, Unfinished
from bot.facade import (
    BY_ACT,
    OPENED,
    Action,
    LimitVerdict,
    StorageError,
    log_unstored,
    remembering,
)
from bot.port import Answer, Asker, Command, Press
from games.core import Phrase, phrase

log = logging.getLogger(__name__)

ATTEMPTS = 3
"""Failures after which an update is set aside."""

CORRECTED = timedelta(minutes=2)
"""How long after it was written a message may be corrected into a command."""


WHY_HERE = phrase("telegram.why-here")
"""Why what was asked in a group comes in the private chat."""


_IN_PRIVATE = frozenset((Action.MOVE, Action.MINE, Action.BOARD, Action.REPLAY, Action.KEEPSAKE))
"""Acts that are done in the private chat in which they are asked for, also about a group."""


class _Closing(Exception):
    """The chat takes nothing more."""


@dataclass
class Inbound:
    """Handles updates, those of one person one after the other."""

    queue: ReceiptQueue
    answers: Answers
    membership: Membership
    _handles: LRUCache[str, Asker] = remembering(4096)
    """People by their @names."""
    _understood: LRUCache[tuple[int, int], bool] = remembering(4096)
    """Messages that were understood, so that no edit of them is taken again."""
    _posts: LRUCache[tuple[int, int], bool] = remembering(4096)
    """Posts of channels in the groups of their comments."""
    _persons: WeakValueDictionary[int, asyncio.Lock] = field(default_factory=WeakValueDictionary)

    _at_work: set[str] = field(default_factory=set)
    """The keys of the updates that are being handled, each in its sender's turn."""

    def __post_init__(self) -> None:
        facade, self.bot = self.answers.facade, self.answers.outbound.bot
        self.requests, self.notes, self.boards = facade.requests, facade.notes, facade.boards
        self.buttons, self.places = self.boards.buttons, self.boards.places
        self.picking = Picking(self.buttons, self.answers.posting)

    async def admits(self, update: Update) -> bool:
        """Whether *update* is within the limits of its sender, who is told once if it is not.

        Further presses are told it quietly. Who types too fast in a group is told nothing, since
        everybody would read it. An inline query is answered here, and never stored.
        """
        if (query := update.inline_query) is not None:
            self.answers.tasks.start(offer(self.requests, self.places, self.notes, query))
            return False
        try:
            asked = self._ask(update)
            if asked is None:
                return True
            click = self.buttons.click(asked.code) if isinstance(asked, Press) else None
            plays = isinstance(asked, Command) and asked.name == BY_ACT[Action.PLAY].name
            opens = click.opens if click is not None else plays
            verdict = await self.requests.limits.judge(asked.asker, asked.where, opens=opens)
        except StorageError as wrong:
            log.error("%s", wrong)
            return True
        except Exception:
            # It fails once more where it is handled, and is set aside there.
            log.exception("update %d cannot be judged", update.update_id)
            return True
        if verdict is not LimitVerdict.TAKEN:
            self.answers.tasks.start(self._too_fast(update, asked, verdict is LimitVerdict.REFUSED))
        return verdict is LimitVerdict.TAKEN

    def _ask(self, update: Update) -> Press | Command | None:
        message = update.message or update.edited_message
        if message is None:
            return press_of(update, self._posts) or chosen_press(update)
        if not is_person(message):
            return None
        return linked_press(update) or self.picking.press_of(update) or self._call_of(update)

    def _call_of(self, update: Update) -> Command | None:
        return call_of(update, Known(self.bot.username, self._handles, self._posts))

    async def _too_fast(self, update: Update, asked: Press | Command, aloud: bool) -> None:
        words = self.membership.tongue(update.effective_user).say(phrase("house.too-fast"))
        if update.callback_query is not None:
            # It has an answer of its own, which costs nobody anything.
            self.answers.toast(update.callback_query).say(words, alert=aloud)
        elif aloud and asked.where.private:
            await self.answers.tell(asked.where, words)

    async def handle(self, update: Update, _context: object) -> None:
        """Handle one update; after ``ATTEMPTS`` failures it is set aside."""
        key = str(update.update_id)
        if update.message is not None:
            said_in, number = str(update.message.chat.id), update.message.message_id
            self.answers.outbound.depths.note_seen(said_in, number)
        query = update.callback_query
        said = self.answers.toast(query) if query is not None else None
        try:
            # If an earlier process settled it, only the answer to a press may be missing.
            while not self.queue.is_settled(key) and await self._fails(update, key, said):
                pass
        except _Closing:
            # Not settled, so it is written down and handled at the next start.
            if said is not None:
                said.leave()
            return
        if said is not None:
            said.say()
            await said.wait_heard()

    async def _fails(self, update: Update, key: str, said: Toast | None) -> bool:
        try:
            if UNREADABLE in update.api_kwargs:
                raise ValueError("the library could not read this update")
            user = update.effective_user
            # By person: others need not wait for their hundred presses.
            async with self._persons.setdefault(user.id if user else 0, asyncio.Lock()):
                if self.answers.closing.is_set():
                    raise _Closing
                if self.queue.is_settled(key):
                    return False  # dropped: its sender is forgotten
                self._at_work.add(key)
                try:
                    showing = await self._handle(update, said)
                finally:
                    self._at_work.discard(key)
            if showing is not None:
                # Without the lock: the person may press again meanwhile.
                await showing
            await self._settle(key)
        except _Closing:
            raise
        except Unfinished:
            log.info("update %s is answered after the next start", key)
        except StorageError as wrong:
            log.error("update %s stays for the next start: %s", key, wrong)
        except Exception as wrong:
            return await self._count(key, None if UNREADABLE in update.api_kwargs else wrong)
        return False

    async def _settle(self, key: str) -> None:
        """Note that an update is done; if that fails it counts as done, since it was answered."""
        if self.queue.is_settled(key):
            return
        with log_unstored():
            await self.queue.receipts.finish(key)
        self.queue.settle(key)

    async def _count(self, key: str, fault: Exception | None) -> bool:
        """Count a failure of an update; whether to try again. A *fault* of ours is traced once."""
        try:
            await self.queue.secure(grace=0.0)
            attempts = await self.queue.receipts.count_failure(key, ATTEMPTS)
        except (StorageError, NotWritten) as shut:
            log.error("update %s stays for the next start: %s", key, shut)
            return False
        if 0 < attempts < ATTEMPTS:
            return True
        if attempts == 0:
            log.error("update %s failed", key, exc_info=fault)
            return False
        self.queue.settle(key)
        log.error("update %s failed %d times and is set aside", key, attempts, exc_info=fault)
        return False

    async def forget(self, external: str) -> None:
        """Drop what waits of the person with the id *external*, and what is known of them."""
        await self.queue.drop(external, self._at_work)
        for handle, asker in list(self._handles.items()):
            if asker.external == external:
                del self._handles[handle]

    async def _handle(self, update: Update, said: Toast | None) -> Awaitable[object] | None:
        """Do what *update* asks for; returns what remains to be shown, which may take long."""
        message = update.message
        await self._heed(update)
        if update.callback_query is not None and said is not None:
            return await self._handle_press(update, said)
        if update.guest_message is not None:
            await welcome_guest(self.requests, update.guest_message)
        elif (chosen := chosen_press(update)) is not None:
            await self._choose(chosen)
        elif (
            message is not None and message.via_bot is not None and message.via_bot == self.bot.bot
        ):
            # The result that was chosen is told by itself.
            await note_feedback(self.notes, MISSING)
        elif update.my_chat_member is not None:
            await self.membership.member(update.my_chat_member)
        elif message is not None and message.migrate_to_chat_id is not None:
            await self.membership.move(message.chat.id, message.migrate_to_chat_id)
        elif message is not None and is_of_members(message):
            await self.membership.of_others(message)
        elif message is not None:
            return await self._handle_message(update, message)
        elif update.edited_message is not None and self._is_corrected(update.edited_message):
            return await self._handle_message(update, update.edited_message)
        return None

    async def _heed(self, update: Update) -> None:
        """Take *update* as a sign that its place takes boards and pictures again, if it did not."""
        message, places, chat = update.message, self.places, update.effective_chat
        if chat is not None and chat.title:
            self.answers.cards.titles[str(chat.id)] = chat.title
        press = press_of(update, self._posts)
        if press is not None:
            where = press.where
            await places.knock(where, press.message)
        elif message is None:
            return
        else:
            post = (message.chat.id, message.message_id)
            found = post if message.is_automatic_forward else post_of(message)
            if found is not None:
                self._posts[found] = True
            where = place_of(message, self._posts)
            if message.forum_topic_reopened is not None:
                await places.let_in(where, thread=True)
            else:
                await places.knock(where)
        if where.place in self.answers.outbound.no_pictures:
            self.answers.tasks.start(self.membership.photo_permissions.look(where.place))

    async def _handle_press(self, update: Update, said: Toast) -> Awaitable[object] | None:
        """Do what was pressed; returns what remains to be shown, if that is not known yet."""
        self._remember(update.effective_user)
        press = press_of(update, self._posts)
        owner = self.answers.fleeting.owner(press) if press is not None else ""
        chat = update.effective_chat
        in_channel = chat is not None and chat.type == ChatType.CHANNEL
        if press is None:
            said.say()
        elif in_channel or owner not in ("", press.asker.external):
            why = phrase("telegram.channel" if in_channel else "telegram.not-yours")
            said.say(self.membership.tongue(update.effective_user).say(why), alert=True)
        elif owner and press.message is not None:
            beside = replace(press, message=None, takes_board=False)
            answer = await self.requests.press(beside)
            return await self.answers.use(beside, press.message, answer, said)
        elif press.own:
            return await self.answers.own.use(press, said)
        elif (where := self.answers.cards.find(press.where, press.message)).about is not None:
            press = replace(press, where=where)
            return await self.answers.press(press, await self._ask_there(press), said)
        elif press.where.private and (wish := self.buttons.click(press.code)) and wish.picks:
            await self.picking.ask(press, wish, said)
        else:
            self.answers.commands.asks(press.where, press.asker, None, press.message)
            press = await self.answers.own.prepare(press)
            return await self.answers.press(press, await self.requests.press(press), said)
        return None

    async def _ask_there(self, by: Press | Command, *why: Phrase) -> Answer:
        """What the house answers to *by* in the place that its private chat is about, if any.

        It says *why* it comes in private.

        Who plays in private does that there: the board goes on with the game. A film or a card of
        it comes where it is asked for.
        """
        cards, requests = self.answers.cards, self.requests
        click = self.buttons.click(by.code) if isinstance(by, Press) else None
        asked = cards.move_there(by)
        if click and click.act in _IN_PRIVATE:
            asked = by
            await cards.note(by.where, f"{TABLE}{click.table}")
        answer = await (requests.press(asked) if isinstance(asked, Press) else requests.call(asked))
        if by.where.about is None:
            return answer
        tongue = await self.answers.posting.tongue(by.asker, by.where)
        return cards.name_place(answer, by.where, tongue, *why)

    async def _choose(self, press: Press) -> None:
        """Make the move that was chosen: its player has said it, and its boards show it."""
        await note_feedback(self.notes, THERE)
        click, home = self.buttons.click(press.code), press.where
        if click is None or click.act is not Action.MOVE:
            return
        where = await self.boards.played_at(press.asker, click.table) or home
        answer = await self.requests.press(replace(press, where=where))
        if not answer.good and await self.places.is_open(home):
            await self.answers.tell(home, answer.said)

    def _is_corrected(self, message: Message) -> bool:
        """Whether an edit makes a command of what was none, or corrects one that was refused."""
        edited = message.edit_date
        if (message.chat.id, message.message_id) in self._understood or edited is None:
            return False
        return edited - message.date <= CORRECTED

    async def _handle_message(self, update: Update, message: Message) -> Awaitable[object] | None:
        """Do what was typed; returns what remains to be shown."""
        if message.is_automatic_forward:
            return None  # a post of a channel: nobody asks for anything
        linked, line = linked_press(update), message.text or ""
        if linked is not None and (linked := self._follow(linked, line)) is not None:
            await self._meet(message)
            return self.answers.bring(linked, await self._ask_there(linked, WHY_HERE))
        picked = self.picking.press_of(update)
        if picked is not None:
            await self._meet(message)
            return self.picking.pick(picked, await self.requests.press(picked))
        call = self._call_of(update)
        if call is None:
            return None
        if not is_person(message):
            words = self.membership.tongue(None).say(phrase("telegram.anonymous"))
            await self.answers.tell(call.where, words, reply_to=str(message.message_id))
            return None
        await self._meet(message)
        if call.name == START:
            return self._greet(call, message)
        alone = ephemeral_id(message)
        reacts = str(message.message_id) if alone is None else None
        self.answers.commands.asks(call.where, call.asker, reacts, None)
        call = replace(call, where=self.answers.cards.find_linked(call.where, line))
        answer = await self._ask_there(call)
        if alone is not None:
            return self.answers.commands.called_alone(call, answer, f"{EPHEMERAL}{alone}")
        if answer.good and call.name != UNKNOWN:
            self._understood[message.chat.id, message.message_id] = True
        return self._answer(call, answer, message)

    def _follow(self, linked: Press, line: str) -> Press | None:
        """The press of a link that may be followed, in the group where its asker was given it."""
        click, where = self.buttons.click(linked.code), linked.where
        where = self.answers.cards.find_linked(where, line)
        follows = click is not None and (where.about is not None or links(click))
        return replace(linked, where=where) if follows else None

    async def _greet(self, call: Command, message: Message) -> None:
        """Greet, unless that was just done because of the same link."""
        linked = (message.text or "").partition(" ")[2] == GREETING
        if linked and not call.where.private and await self.places.is_noted(call.where, GREETED):
            return
        await self.membership.greet(call.where, message.from_user, LISTS)

    async def _answer(self, call: Command, answer: Answer, message: Message) -> None:
        """Reply to a command, and say what could not be said when we came."""
        await self.answers.commands.call(call, answer, str(message.message_id))
        if not call.where.private:
            await self.membership.greet_now(call.where, message.from_user)

    async def _meet(self, message: Message) -> None:
        """Note who speaks to us, and that their place lets us in."""
        self._remember(message.from_user)
        where = place_of(message)
        if where.private:
            await self.places.let_in(where)
            await self.places.first_time(where, OPENED)

    def _remember(self, user: User | None) -> None:
        if user is None or not user.username or user.is_bot:
            return
        self._handles[user.username.casefold()] = asker_of(user)
