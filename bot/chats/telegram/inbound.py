"""What becomes of an update: handled, settled, tried again, or set aside."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass, field
from weakref import WeakValueDictionary

from cachetools import LRUCache
from telegram import Bot, Message, Update, User

from bot.chats.telegram.answers import Answers, Toast
from bot.chats.telegram.membership import Membership
from bot.chats.telegram.reading import START, Known, asker_of, call_of, is_person, press_of
from bot.chats.telegram.receipts import NotWritten, ReceiptQueue, check_readable
from bot.house import House, StorageError, Verdict
from bot.port import Asker, Call, Press
from bot.screen.buttons import Act
from bot.screen.commands import BY_ACT
from games.core import phrase

log = logging.getLogger(__name__)

ATTEMPTS = 3
"""After how many failures an update is set aside."""

HANDLES_KEPT = 4096
"""How many @names we know the bearers of."""


@dataclass
class Inbound:
    """Hands updates to the house, those of one person one after the other."""

    house: House
    bot: Bot
    queue: ReceiptQueue
    answers: Answers
    membership: Membership
    _handles: LRUCache[str, Asker] = field(default_factory=lambda: LRUCache(HANDLES_KEPT))
    _persons: WeakValueDictionary[int, asyncio.Lock] = field(default_factory=WeakValueDictionary)

    async def admits(self, update: Update) -> bool:
        """Whether *update* is within the limits of who sent it; if not, he hears it once.

        A press is answered blank afterwards, and neither costs the pace of the place. In a group
        whoever types too fast hears nothing: everybody would read it.
        """
        try:
            asked = self._asked(update)
            if asked is None:
                return True
            click = self.house.click(asked.code) if isinstance(asked, Press) else None
            opens = click.act is Act.PLAY if click is not None else _opens(asked)
            verdict = await self.house.limits.judge(asked.asker, asked.where, opens=opens)
        except StorageError as wrong:
            log.error("%s", wrong)
            return True
        except Exception:
            # It fails once more where it is handled, and is set aside there.
            log.exception("update %d cannot be judged", update.update_id)
            return True
        if verdict is not Verdict.TAKEN:
            self.answers.tasks.start(self._too_fast(update, asked, verdict is Verdict.REFUSED))
        return verdict is Verdict.TAKEN

    def _asked(self, update: Update) -> Press | Call | None:
        """What a person asks of us by *update*, if it is one who asks."""
        message = update.message
        if message is not None:
            known = Known(self.bot.username, self._handles)
            return call_of(update, known) if is_person(message) else None
        return press_of(update)

    async def _too_fast(self, update: Update, asked: Press | Call, aloud: bool) -> None:
        words = ""
        if aloud:
            tongue = self.membership.tongue(update.effective_user)
            words = tongue.say(phrase("house.too-fast"))
        if update.callback_query is not None:
            await Toast(update.callback_query).say(words, alert=aloud)
        elif words and asked.where.private:
            await self.answers.tell(asked.where, words)

    async def handle(self, update: Update, _context: object) -> None:
        """Handle one update; what fails three times is set aside, and the others go on."""
        key = str(update.update_id)
        said = Toast(update.callback_query) if update.callback_query is not None else None
        if self.queue.is_settled(key):
            # By the process before us: only the answer to a press may be missing.
            if said is not None:
                await said.say()
            return
        while True:
            try:
                check_readable(update)
                async with self._one_by_one(update.effective_user):
                    if self.answers.closing.is_set():
                        # First at the next start: it is not settled, so it is written down.
                        if said is not None:
                            said.leave()
                        return
                    await self._handled(update, said)
                await self._settle(key)
            except StorageError as wrong:
                log.error("update %s stays for the next start: %s", key, wrong)
            except Exception:
                log.exception("update %s failed", key)
                if await self._failed(key):
                    continue
            break
        if said is not None:
            await said.say()

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

    async def _failed(self, key: str) -> bool:
        """Count a failure of an update; whether it should be tried again."""
        try:
            await self.queue.secure(grace=0.0)
            attempts = await self.queue.receipts.failed(key, ATTEMPTS)
        except (StorageError, NotWritten) as wrong:
            log.error("update %s stays for the next start: %s", key, wrong)
            return False
        if attempts >= ATTEMPTS:
            self.queue.settled(key)
            log.error("update %s failed %d times and is set aside", key, attempts)
            return False
        return attempts > 0

    def _one_by_one(self, user: User | None) -> asyncio.Lock:
        """The lock of a person: one who presses a hundred times waits for nobody but himself."""
        return self._persons.setdefault(user.id if user is not None else 0, asyncio.Lock())

    async def _handled(self, update: Update, said: Toast | None) -> None:
        if update.callback_query is not None and said is not None:
            await self._pressed(update, said)
        elif update.my_chat_member is not None:
            await self.membership.member(update.my_chat_member)
        elif update.message is not None:
            await self._spoken(update, update.message)

    async def _pressed(self, update: Update, said: Toast) -> None:
        query = update.callback_query
        self._remember(query.from_user if query is not None else None)
        press = press_of(update)
        if press is None:
            await said.say()
            return
        await self.answers.pressed(press, await self.house.press(press), said)

    async def _spoken(self, update: Update, message: Message) -> None:
        if message.migrate_to_chat_id is not None:
            await self.membership.moved(message.chat.id, message.migrate_to_chat_id)
            return
        call = call_of(update, Known(self.bot.username, self._handles))
        if call is None:
            return
        if not is_person(message):
            words = self.membership.tongue(None).say(phrase("telegram.anonymous"))
            await self.answers.tell(call.where, words, reply_to=str(message.message_id))
            return
        self._remember(message.from_user)
        await self.house.places.let_in(call.where)
        if call.name == START:
            await self.membership.greet(call.where, message.from_user)
            return
        await self.answers.called(call, await self.house.call(call), str(message.message_id))

    def _remember(self, user: User | None) -> None:
        """Note who bears an @name, so that he may be challenged by it."""
        if user is None or not user.username or user.is_bot:
            return
        self._handles[user.username.casefold()] = asker_of(user)


def _opens(asked: Press | Call) -> bool:
    return isinstance(asked, Call) and asked.name == BY_ACT[Act.PLAY].name
