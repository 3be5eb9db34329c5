"""What becomes of an update: handled, settled, tried again, or set aside."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable
from dataclasses import dataclass, field, replace
from datetime import timedelta
from weakref import WeakValueDictionary

from cachetools import LRUCache
from telegram import Bot, Message, Update, User

from bot.chats.telegram.answers import Answers, links
from bot.chats.telegram.inline import offer
from bot.chats.telegram.membership import Membership
from bot.chats.telegram.picking import Picking
from bot.chats.telegram.reading import (
    START,
    UNKNOWN,
    Known,
    asker_of,
    call_of,
    is_person,
    linked_press,
    place_of,
    press_of,
)
from bot.chats.telegram.receipts import (
    NotWritten,
    ReceiptQueue,
    Unfinished,
    UnreadableUpdate,
    check_readable,
)
from bot.chats.telegram.toast import Toast
from bot.facade import BY_ACT, OPENED, Action, Facade, LimitVerdict, StorageError
from bot.port import Asker, Command, Press
from games.core import phrase

log = logging.getLogger(__name__)

ATTEMPTS = 3
"""After how many failures an update is set aside."""

CORRECTED = timedelta(minutes=2)
"""For how long after it was written a message may be corrected into a command."""

UNDERSTOOD = 4096
"""Of how many messages we remember that they were understood, so that no edit repeats them."""

HANDLES_KEPT = 4096
"""How many @names we know the bearers of."""


class _Closing(Exception):
    """The chat takes nothing more."""


@dataclass
class Inbound:
    """Hands updates to the house, those of one person one after the other."""

    house: Facade
    bot: Bot
    queue: ReceiptQueue
    answers: Answers
    membership: Membership
    _handles: LRUCache[str, Asker] = field(default_factory=lambda: LRUCache(HANDLES_KEPT))
    _understood: LRUCache[tuple[int, int], bool] = field(
        default_factory=lambda: LRUCache(UNDERSTOOD)
    )
    _persons: WeakValueDictionary[int, asyncio.Lock] = field(default_factory=WeakValueDictionary)

    def __post_init__(self) -> None:
        self.picking = Picking(self.house, self.answers.posting)

    async def admits(self, update: Update) -> bool:
        """Whether *update* is within the limits of who sent it; if not, he hears it once.

        What is typed of an invitation is answered beside everything else, and never kept.

        A press is answered blank afterwards, and neither costs the pace of the place. In a group
        whoever types too fast hears nothing: everybody would read it.
        """
        if update.inline_query is not None:
            outbound = self.answers.outbound
            self.answers.tasks.start(offer(self.house, outbound, update.inline_query))
            return False
        try:
            asked = self._asked(update)
            if asked is None:
                return True
            click = self.house.click(asked.code) if isinstance(asked, Press) else None
            opens = click.opens if click is not None else _opens(asked)
            verdict = await self.house.limits.judge(asked.asker, asked.where, opens=opens)
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

    def _asked(self, update: Update) -> Press | Command | None:
        """What a person asks of us by *update*, if it is one who asks."""
        message = update.message or update.edited_message
        if message is None:
            return press_of(update)
        known = Known(self.bot.username, self._handles)
        if not is_person(message):
            return None
        return linked_press(update) or self.picking.press_of(update) or call_of(update, known)

    async def _too_fast(self, update: Update, asked: Press | Command, aloud: bool) -> None:
        words = ""
        if aloud:
            tongue = self.membership.tongue(update.effective_user)
            words = tongue.say(phrase("house.too-fast"))
        if update.callback_query is not None:
            self.answers.toast(update.callback_query).say(words, alert=aloud)
        elif words and asked.where.private:
            await self.answers.tell(asked.where, words)

    async def handle(self, update: Update, _context: object) -> None:
        """Handle one update; what fails three times is set aside, and the others go on."""
        key = str(update.update_id)
        if update.message is not None:
            said_in, number = str(update.message.chat.id), update.message.message_id
            self.answers.outbound.depths.seen(said_in, number)
        query = update.callback_query
        said = self.answers.toast(query) if query is not None else None
        try:
            # Settled by an earlier process: only the answer to a press may be missing.
            while not self.queue.is_settled(key) and await self._fails(update, key, said):
                pass
        except _Closing:
            # Not settled, so it is written down and handled first at the next start.
            if said is not None:
                said.leave()
            return
        if said is not None:
            said.say()
            await said.heard()

    async def _fails(self, update: Update, key: str, said: Toast | None) -> bool:
        """Try to handle *update*; whether it failed and is to be tried again."""
        try:
            check_readable(update)
            async with self._one_by_one(update.effective_user):
                if self.answers.closing.is_set():
                    raise _Closing
                showing = await self._handled(update, said)
            if showing is not None:
                # Outside of the lock: the person may press again meanwhile.
                await showing
            await self._settle(key)
        except _Closing:
            raise
        except Unfinished:
            log.info("update %s is answered after the next start", key)
        except StorageError as wrong:
            log.error("update %s stays for the next start: %s", key, wrong)
        except Exception as wrong:
            return await self._failed(key, wrong)
        return False

    async def _settle(self, key: str) -> None:
        """Note that an update is done, unless the change it made has done so.

        Where that cannot be noted the asker has heard so: it must not be done at the next start.
        """
        if self.queue.is_settled(key):
            return
        try:
            await self.queue.receipts.finish(key)
        except StorageError as wrong:
            log.error("update %s is done and cannot be noted as such: %s", key, wrong)
        self.queue.settled(key)

    async def _failed(self, key: str, wrong: Exception) -> bool:
        """Count a failure of an update; whether it should be tried again.

        One line tells of an update that nobody can read, and the traceback of a fault of ours once.
        """
        try:
            await self.queue.secure(grace=0.0)
            attempts = await self.queue.receipts.failed(key, ATTEMPTS)
        except (StorageError, NotWritten) as shut:
            log.error("update %s stays for the next start: %s", key, shut)
            return False
        if 0 < attempts < ATTEMPTS:
            return True
        traced = None if isinstance(wrong, UnreadableUpdate) else wrong
        if attempts == 0:
            log.error("update %s failed", key, exc_info=traced)
            return False
        self.queue.settled(key)
        said = "update %s failed %d times and is set aside"
        log.error(said, key, attempts, exc_info=traced)
        return False

    def _one_by_one(self, user: User | None) -> asyncio.Lock:
        """The lock of a person: one who presses a hundred times waits for nobody but himself."""
        return self._persons.setdefault(user.id if user is not None else 0, asyncio.Lock())

    async def _handled(self, update: Update, said: Toast | None) -> Awaitable[None] | None:
        """Do what *update* asks for; answers what is to be shown of it, which takes its time."""
        message = update.message
        if update.callback_query is not None and said is not None:
            return await self._pressed(update, said)
        if update.my_chat_member is not None:
            await self.membership.member(update.my_chat_member)
        elif message is not None and message.migrate_to_chat_id is not None:
            await self.membership.moved(message.chat.id, message.migrate_to_chat_id)
        elif message is not None:
            return await self._spoken(update, message)
        elif update.edited_message is not None and self._is_corrected(update.edited_message):
            return await self._spoken(update, update.edited_message)
        return None

    async def _pressed(self, update: Update, said: Toast) -> Awaitable[None] | None:
        """Do what was pressed; answers what is to be shown of it that is not known yet."""
        query = update.callback_query
        self._remember(query.from_user if query is not None else None)
        press = press_of(update)
        if press is None:
            said.say()
        elif self.answers.cards.is_anothers(press):
            tongue = self.membership.tongue(query.from_user if query is not None else None)
            said.say(tongue.say(phrase("telegram.not-yours")), alert=True)
        elif press.message is not None and self.answers.cards.is_own(press):
            beside = replace(press, message=None, takes_board=False)
            answer = await self.house.press(beside)
            return await self.answers.used(beside, press.message, answer, said)
        elif (wish := self.picking.asks(press)) is not None:
            await self.picking.ask(press, wish, said)
        else:
            return await self.answers.pressed(press, await self.house.press(press), said)
        return None

    def _is_corrected(self, message: Message) -> bool:
        """Whether an edit makes a command of what was none, or corrects one that was refused."""
        edited = message.edit_date
        if (message.chat.id, message.message_id) in self._understood or edited is None:
            return False
        return edited - message.date <= CORRECTED

    async def _spoken(self, update: Update, message: Message) -> Awaitable[None] | None:
        """Do what was typed; answers what is to be shown of it."""
        linked = linked_press(update)
        click = self.house.click(linked.code) if linked is not None else None
        if linked is not None and click is not None and links(click):
            await self._met(message)
            answer = await self.house.press(linked)
            return self.answers.brought(linked, answer)
        picked = self.picking.press_of(update)
        if picked is not None:
            await self._met(message)
            return self.picking.picked(picked, await self.house.press(picked))
        call = call_of(update, Known(self.bot.username, self._handles))
        if call is None:
            return None
        if not is_person(message):
            words = self.membership.tongue(None).say(phrase("telegram.anonymous"))
            await self.answers.tell(call.where, words, reply_to=str(message.message_id))
            return None
        await self._met(message)
        if call.name == START or await self._is_chat(call, message):
            words = "telegram.greeting" if call.name == START else "telegram.lost"
            return self.membership.greet(call.where, message.from_user, words)
        answer = await self.house.call(call)
        if answer.good and call.name != UNKNOWN:
            self._understood[message.chat.id, message.message_id] = True
        return self.answers.called(call, answer, str(message.message_id))

    async def _met(self, message: Message) -> None:
        """Somebody speaks to us: his place lets us in, and we know him by his name."""
        self._remember(message.from_user)
        where = place_of(message)
        await self.house.places.let_in(where)
        if where.private:
            await self.house.places.first_time(where, OPENED)

    async def _is_chat(self, call: Command, message: Message) -> bool:
        """Whether a line in private is no move, since nothing is played."""
        typed = call.where.private and call.name == BY_ACT[Action.MOVE].name
        if not typed or (message.text or "").startswith("/"):
            return False
        return not await self.house.boards.seats(call.asker)

    def _remember(self, user: User | None) -> None:
        """Note who bears an @name, so that he may be challenged by it."""
        if user is None or not user.username or user.is_bot:
            return
        self._handles[user.username.casefold()] = asker_of(user)


def _opens(asked: Press | Command) -> bool:
    return isinstance(asked, Command) and asked.name == BY_ACT[Action.PLAY].name
