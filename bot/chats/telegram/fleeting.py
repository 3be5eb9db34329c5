"""Messages that the bot removes after a while, also over restarts; refused removals are retried."""

from __future__ import annotations

import asyncio
import json
import logging
import math
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

from bot.chats.telegram.message_formatting import keyboard
from bot.chats.telegram.paced_messages import PacedPosting, asks_of
from bot.chats.telegram.reading import PLATFORM
from bot.facade import NO_TABLE, Action, Click, Rank, log_unstored
from bot.port import (
    Answer,
    Asker,
    Card,
    ChatError,
    Command,
    Later,
    MenuAnswer,
    PlaceMoved,
    PlaceShut,
    Press,
    Promised,
    Where,
)

log = logging.getLogger(__name__)

CARD, USED = 60.0, 90.0
"""Seconds after which a card is removed that nobody uses, and one after its last press; what goes
within the first goes at a stop."""

PROMPT, WAITING, PROMISED = 1.5, 5.0, 300.0
"""Seconds after which a group reads of a promised answer, and a private chat how far that is, and
after which these words go."""

AGAIN, SHUT, GIVEN_UP = 30.0, 3600.0, 172_800.0
"""Seconds after which a refused removal is tried again, also where the bot is out, and after which
no message of ours can be removed any more (Bot API, ``deleteMessage``)."""

MOST = 500
"""How many messages are noted: the latest."""

AT_THE_END = 50
"""How many are removed at a stop."""

NOTE = "telegram-fleeting"
"""The note under which they are stored."""


@dataclass(frozen=True)
class FleetingMessage:
    """When it goes, in seconds since the epoch, and who may use it; "" for everybody.

    *table* is the code of the table about which it asks: with that it goes.
    """

    until: float
    owner: str = ""
    table: str = ""


@dataclass
class Fleeting:
    """Removes messages in time, and knows whose buttons they bear."""

    posting: PacedPosting
    clock: Callable[[], float] = time.time
    _messages: dict[tuple[str, str], FleetingMessage] = field(default_factory=dict)
    """By place and id."""
    _unnoted: set[tuple[str, str]] = field(default_factory=set)
    """Messages of people who were forgotten: they are removed at once, and noted no more."""
    _calls: dict[tuple[str, str], asyncio.TimerHandle] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.outbound, self.notes = self.posting.outbound, self.posting.facade.notes
        self.posting.when_posted = self.note

    def owner(self, press: Press) -> str:
        """The id of the person whose buttons were pressed; "" if they are everybody's."""
        one = self._messages.get((press.where.place, press.message or ""))
        return "" if one is None else one.owner

    async def note(
        self, where: Where, message: str | None, seconds: float, owner: str = "", table: str = ""
    ) -> None:
        """Remove *message*, if there is one, in *seconds*, or at the end of *table*.

        Its buttons are *owner*'s.
        """
        if message is None or where.lone is not None:
            return
        key = (where.place, message)
        self._messages.pop(key, None)
        self._messages[key] = FleetingMessage(self.clock() + seconds, owner, table)
        for oldest in list(self._messages)[:-MOST]:
            self._drop(oldest)
        await self._store()
        if not self.posting.closing.is_set():
            self._set_timer(key, seconds)

    def end(self, table: str) -> None:
        """Remove what asks about *table*, which is over."""
        for (place, message), one in tuple(self._messages.items()):
            if one.table == table:
                self.remove(Where(PLATFORM, place), message)

    async def use(self, where: Where, message: str | None) -> None:
        """Let *message* stand a while from now, if it is one that everybody may use."""
        one = self._messages.get((where.place, message or ""))
        if one is not None and not one.owner and one.until < self.clock() + USED:
            await self.note(where, message, USED)

    def _set_timer(self, key: tuple[str, str], seconds: float, tried: float = 0.0) -> None:
        if (before := self._calls.pop(key, None)) is not None:
            before.cancel()
        place, message = key
        call = asyncio.get_running_loop().call_later
        self._calls[key] = call(seconds, self.remove, Where(PLATFORM, place), message, tried)

    def _drop(self, key: tuple[str, str]) -> None:
        self._messages.pop(key, None)
        self._unnoted.discard(key)
        if (timer := self._calls.pop(key, None)) is not None:
            timer.cancel()

    def remove(self, where: Where, message: str, tried: float = 0.0) -> None:
        """Remove *message*, as has been *tried* for so many seconds.

        Removals do not count against the pace of a place (``COUNTED``).
        """
        if where.lone is not None:
            return
        key = (where.place, message)
        self._messages.setdefault(key, FleetingMessage(self.clock()))
        if (timer := self._calls.pop(key, None)) is not None:
            timer.cancel()
        self.posting.tasks.start(self._remove(where, message, tried))

    async def _remove(self, where: Where, message: str, tried: float) -> None:
        key = (where.place, message)
        one = self._messages.get(key)
        if self.posting.closing.is_set() or one is None:
            return
        # The clock of the machine may jump, so it does not tell how long to wait.
        again, gone = max(AGAIN, tried), False
        try:
            gone = await self.outbound.remove(where, message)
        except Later as later:
            again = max(tried, later.seconds)
        except PlaceMoved:
            gone = True  # what stood there before cannot be removed any more
        except ChatError as wrong:
            again = max(again, SHUT if isinstance(wrong, PlaceShut) else 0.0)
            log.info("a message stays for now: %s", wrong)
        if self.posting.closing.is_set():
            return
        if not gone and self.clock() - one.until < GIVEN_UP:
            self._set_timer(key, again, tried + again)
        else:
            self._drop(key)
            await self._store()

    async def forget(self, external: str) -> None:
        """Remove the messages of the person with the id *external*, and note none of them."""
        theirs = {k for k, one in self._messages.items() if external in (one.owner, k[0])}
        if not theirs:
            return
        self._unnoted |= theirs
        await self._store()
        for place, message in theirs:
            self.remove(Where(PLATFORM, place), message)

    async def take_up(self) -> None:
        """Take up what the last run noted and did not remove."""
        with log_unstored():
            for place, message, until, owner in await self.notes.read(NOTE, read_messages) or ():
                key = (place, message)
                one = self._messages.setdefault(key, FleetingMessage(until, owner))
                # Nothing stands longer, whatever became of the clock meanwhile.
                self._set_timer(key, min(max(0.0, one.until - self.clock()), PROMISED))

    async def _store(self) -> None:
        noted = [
            (*key, one.until, one.owner)
            for key, one in self._messages.items()
            if key not in self._unnoted
        ]
        with log_unstored():
            await self.notes.put(NOTE, json.dumps(noted))

    async def close(self) -> None:
        """Remove now what goes soon and can be removed; the next start removes the rest."""
        for timer in self._calls.values():
            timer.cancel()
        self._calls.clear()
        due = [k for k, one in self._messages.items() if one.until <= self.clock() + CARD]
        await asyncio.gather(*(self._end(*key) for key in due[-AT_THE_END:]))
        await self._store()

    async def _end(self, place: str, message: str) -> None:
        with suppress(ChatError):
            if await self.outbound.remove(Where(PLATFORM, place), message):
                self._messages.pop((place, message), None)

    async def announce(
        self, promised: Promised, where: Where, asker: Asker, reply_to: str | None = None
    ) -> Answer:
        """The promised answer; *where* reads of the promise until then, a group if it takes long.

        There nothing waits behind boards that its asker would take for silence.
        """
        said, group = promised.said, not where.private
        if group and await self.posting.is_done(promised.answer, PROMPT):
            return promised.answer.result()
        tell, rank = self.posting.tell, self.posting.only_way(where) if group else None
        told = await tell(where, said, reply_to=reply_to, asker=asker, rank=rank, silent=True)
        async with self._until_known(where, told):
            return await self.wait_for(promised, where, reply_to)

    async def wait_for(
        self, promised: Promised, where: Where, reply_to: str | None = None
    ) -> Answer:
        """The promised answer, or ``Unfinished``; meanwhile a private chat reads how far it is."""
        told, tell = None, self.posting.tell
        if where.private and not await self.posting.is_done(promised.answer, WAITING):
            told = await tell(where, promised.waiting(), reply_to=reply_to, silent=True)
        async with self._until_known(where, told):
            return await self.posting.await_answer(promised)

    @asynccontextmanager
    async def _until_known(self, where: Where, told: str | None) -> AsyncIterator[None]:
        """Remove the message *told* after the block; if that fails, after ``PROMISED`` seconds."""
        await self.note(where, told, PROMISED)
        yield
        if told is not None:
            self.remove(where, told)

    async def words_over(
        self, answer: Answer, asked: Press | Command, click: Click | None, *, heard: bool = False
    ) -> str:
        """The words over the buttons of a card in a group, with the name of its owner.

        What they have *heard* already is not said again.
        """
        words = question_of(answer)
        if heard or (click is not None and click.act is Action.MORE):
            words = await self.posting.words_for(asked, "telegram.card")
        name = asked.asker.name
        # A question begins with the name of the person it asks.
        return words if words.startswith(f"{name}, ") else f"{name}: {words}"

    async def hand(
        self, where: Where, card: Card, reply_to: str | None, asker: Asker, words: str, rank: Rank
    ) -> None:
        """Post *words* and the buttons of *card* as a reply only *asker* can use, however late."""
        message = await self.posting.tell(
            where,
            words,
            reply_to=reply_to,
            markup=keyboard(card.screen.buttons),
            asker=asker,
            rank=rank,
            stays=math.inf,
        )
        await self.note(where, message, CARD, asker.external, asks_of(card.screen))


def read_messages(kept: str) -> list[tuple[str, str, float, str]]:
    """The places, ids, ends and owners of messages; raises ``ValueError`` for anything else."""
    return [
        # Releases before 0.3 noted no end.
        (str(place), str(message), float(until[0]) if until else 0.0, str(owner))
        for place, message, *until, owner in json.loads(kept)
    ]


def question_of(answer: Answer) -> str:
    """The words of *answer* or, if it has none, the question of its screen."""
    if answer.said or not isinstance(answer, Card | MenuAnswer):
        return answer.said
    screen = answer.screen
    return screen.lines[-1] if screen.lines and screen.table != NO_TABLE else screen.headline


def outcome_of(answer: Answer, code: str) -> str:
    """What a screen as the *answer* to the press of *code* says, or what that has set there."""
    if not isinstance(answer, Card | MenuAnswer):
        return ""
    now = [(c.label, c.options[c.chosen]) for c in answer.screen.choices if c.chosen is not None]
    said = [f"{label}: {option.label}" for label, option in now if option.code == code]
    return answer.said or "".join(said[:1]).removeprefix(": ")


def small_card(answer: Answer) -> Card | None:
    """*answer* if it is buttons at a table, of the open tables here, or below a refusal."""
    if not isinstance(answer, Card) or answer.picture is not None:
        return None
    codes = [button.code.split(".") for row in answer.screen.buttons for button in row]
    belongs = any(code[1:2] != [NO_TABLE] or code[0] == Action.CHAIRS for code in codes)
    return answer if belongs or not answer.good else None
