"""Ephemeral messages: sent, edited and removed in a group, for one person's eyes (Bot API 10.3).

The library does not know them: what is theirs travels as ``api_kwargs``. A server that does not
know them either ignores those and shows the message to all. So a process tries one without
words first, and sends none where that was public.
"""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from typing import Any

from cachetools import TTLCache
from pydantic import TypeAdapter
from telegram import InlineKeyboardMarkup, InputFile, InputMediaPhoto, Message
from telegram.constants import ParseMode

from bot.chats.telegram.errors import PictureForgotten, translating
from bot.chats.telegram.message_formatting import (
    CAPTION,
    TEXT,
    TOAST,
    linked,
    sentence,
    units,
)
from bot.chats.telegram.outbound import NO_PREVIEW, Outbound
from bot.chats.telegram.paced_messages import PacedPosting
from bot.chats.telegram.reading import EPHEMERAL, PLATFORM, chat_with, ephemeral_id
from bot.facade import ChatNotes, ChatPlaces, Facade, Tasks, log_unstored, remembering
from bot.port import (
    Answer,
    Asker,
    Attachment,
    Card,
    ChatError,
    FileAnswer,
    MenuAnswer,
    MessageGone,
    PrivateRefusal,
    Said,
    Screen,
    Where,
)

log = logging.getLogger(__name__)

EDITED = 1024
"""Units of a text that takes the place of another (telegram-bot-api#881)."""

TRIAL = "…"
"""What the first ephemeral message of a process says."""


@dataclass(frozen=True)
class Occasion:
    """Why we may write to *receiver* alone in *where*, within fifteen seconds.

    They pressed a button, by the *query*, or wrote the ephemeral message *reply_to*. *covers* says
    that ours stands in place of the message that was pressed.
    """

    where: Where
    receiver: str
    query: str = ""
    reply_to: str = ""
    covers: bool = False

    def parameters(self) -> dict[str, Any]:
        """What a method that sends is told besides its own parameters."""
        told: dict[str, Any] = {"receiver_user_id": int(self.receiver)}
        if self.query:
            told["callback_query_id"] = self.query
        if self.covers:
            told["replace_callback_query_message"] = True
        found: dict[str, Any] = {"ephemeral_message_parameters": told}
        if self.reply_to:
            number = int(self.reply_to.removeprefix(EPHEMERAL))
            found["reply_parameters"] = {"ephemeral_message_id": number}
        if (self.where.thread or "").isdecimal() and not self.covers:
            found["message_thread_id"] = int(self.where.thread or 0)
        return found


@dataclass(frozen=True)
class Content:
    """What a message shows: *words* as HTML, buttons, and a *picture* below them or a *file*."""

    words: str
    markup: InlineKeyboardMarkup | None = None
    picture: bytes | None = None
    file: Attachment | None = None


@dataclass
class EphemeralMessages:
    """The calls for ephemeral messages; they raise the errors of the port.

    None may be sent before ``tried`` has found that the server knows them.
    """

    outbound: Outbound
    known: bool | None = None
    """Whether the server knows them; ``None`` before the first."""

    async def send(self, occasion: Occasion, content: Content) -> str:
        """Send *content*; returns its id, which begins with ``EPHEMERAL``."""
        message = await self._send(int(occasion.where.place), content, occasion.parameters())
        return f"{EPHEMERAL}{ephemeral_id(message)}"

    async def learn(self, occasion: Occasion) -> bool:
        """Learn from a message that holds nothing whether the server knows them."""
        apart = replace(occasion, covers=False)
        message = await self._send(int(occasion.where.place), Content(TRIAL), apart.parameters())
        number = ephemeral_id(message)
        self.known = number is not None
        if number is not None:
            await self.remove(occasion.where, occasion.receiver, f"{EPHEMERAL}{number}")
            return True
        log.warning("This server of the Bot API knows no ephemeral messages; none are sent.")
        await self.outbound.remove(occasion.where, str(message.message_id))
        return False

    async def _send(self, place: int, content: Content, told: dict[str, Any]) -> Message:
        bot, words = self.outbound.bot, content.words
        common: dict[str, Any] = {"parse_mode": ParseMode.HTML, "reply_markup": content.markup}
        common["api_kwargs"] = told
        if content.picture is not None:
            captioned = {**common, "caption": words, "show_caption_above_media": True}
            photo = partial(bot.send_photo, place, **captioned)
            return await self.outbound.show_picture(content.picture, photo)
        with translating():
            if content.file is not None:
                file = InputFile(content.file.data, filename=content.file.name)
                send = partial(bot.send_document, disable_content_type_detection=True)
                return await send(place, file, caption=words, **common)
            return await bot.send_message(place, words, link_preview_options=NO_PREVIEW, **common)

    async def edit(self, where: Where, receiver: str, message: str, content: Content) -> None:
        """Show *content*, which has a picture or is words alone as before, in place of *message*.

        Words alone are at most ``EDITED`` units. Raises ``MessageGone`` where the server has it
        no more, ``Unchanged`` where it shows it already.
        """
        told = {**_address(where, receiver, message), "reply_markup": content.markup}
        if content.picture is None:
            told |= {"text": content.words, "link_preview_options": NO_PREVIEW}
            await self._call("editEphemeralMessageText", parse_mode=ParseMode.HTML, **told)
            return
        known = self.outbound.picture_id(content.picture)
        for photo in (known, content.picture) if known else (content.picture,):
            media = InputMediaPhoto(
                *(photo, content.words, ParseMode.HTML),
                filename="board.png",
                show_caption_above_media=True,
            )
            try:
                await self._call("editEphemeralMessageMedia", media=media, **told)
                return
            except PictureForgotten:
                if photo is content.picture:
                    raise

    async def recaption(self, where: Where, receiver: str, message: str, content: Content) -> None:
        """Change the words and the buttons of a picture; raises as ``edit``."""
        told = {**_address(where, receiver, message), "reply_markup": content.markup}
        told |= {"caption": content.words, "parse_mode": ParseMode.HTML}
        await self._call("editEphemeralMessageCaption", show_caption_above_media=True, **told)

    async def remove(self, where: Where, receiver: str, message: str) -> None:
        """Remove *message*; one that is gone already is no error."""
        with suppress(MessageGone):
            await self._call("deleteEphemeralMessage", **_address(where, receiver, message))

    async def _call(self, method: str, **told: Any) -> None:
        with translating():
            asked = {key: value for key, value in told.items() if value is not None}
            await self.outbound.bot.do_api_request(method, api_kwargs=asked)


def _address(where: Where, receiver: str, message: str) -> dict[str, Any]:
    """How a method is told which *message* is meant."""
    return {
        "chat_id": int(where.place),
        "receiver_user_id": int(receiver),
        "ephemeral_message_id": int(message.removeprefix(EPHEMERAL)),
    }


NOTE = "telegram-ephemeral"
"""The note under which they are stored."""

MOST_NOTED = 500
"""How many are noted: the latest."""

MESSAGE_SECONDS = 172_800.0
"""Seconds for which clients show them (tdesktop, ephemeral_messages.cpp)."""

CARD, STUDIED = 600.0, 7200.0
"""Seconds after which one that stands by itself is removed, and one with a picture: somebody may
think over it, as over a lesson."""


@dataclass(frozen=True)
class EphemeralMessage:
    """An ephemeral message: *message* in *place* and *thread*, which *receiver* alone sees.

    It stands in place of the message *over*, or by itself where that is empty, and shows the
    *version* of the table *table*, a *board* that ends with the next version or something else.
    *pictured* says that it has a picture, *asked* is the code of the button that brought it, and
    *born* when that was, in seconds since the epoch.
    """

    place: str
    message: str
    receiver: str
    thread: str | None = None
    over: str = ""
    table: str = ""
    version: int = 0
    board: bool = False
    pictured: bool = False
    asked: str = ""
    born: float = 0.0

    @property
    def where(self) -> Where:
        """The place in which it stands."""
        return Where(PLATFORM, self.place, self.thread)


@dataclass
class EphemeralRegistry:
    """Knows which ephemeral messages stand, and removes them in time."""

    messages: EphemeralMessages
    facade: Facade
    notes: ChatNotes
    tasks: Tasks
    clock: Callable[[], float] = time.time
    _standing: dict[tuple[str, str], EphemeralMessage] = field(default_factory=dict)
    _timers: dict[tuple[str, str], asyncio.TimerHandle] = field(default_factory=dict)
    _storing: asyncio.Lock = field(default_factory=asyncio.Lock)
    _changed: bool = False

    def find(self, place: str, message: str | None) -> EphemeralMessage | None:
        """The *message* in *place*, if it is known."""
        return self._standing.get((place, message or ""))

    def of(self, place: str, receiver: str) -> Iterator[EphemeralMessage]:
        """Those of *receiver* in *place*."""
        return (one for one in self._all() if (one.place, one.receiver) == (place, receiver))

    def _all(self) -> tuple[EphemeralMessage, ...]:
        return tuple(self._standing.values())

    def note(self, one: EphemeralMessage) -> None:
        """Note that *one* stands; it goes away in time, a board when the next one is shown."""
        key = (one.place, one.message)
        self._standing.pop(key, None)
        self._standing[key] = one
        for oldest in list(self._standing)[:-MOST_NOTED]:
            self._drop(oldest)
        self._set_timer(one)
        self._store()

    def _set_timer(self, one: EphemeralMessage) -> None:
        life = STUDIED if one.pictured else CARD
        life = MESSAGE_SECONDS if one.over or one.board else life
        # None stands longer than that, whatever became of the clock meanwhile.
        self.expire(one, min(max(0.0, one.born + life - self.clock()), life))

    def expire(self, one: EphemeralMessage, seconds: float) -> None:
        """Remove *one* in so many *seconds*."""
        key = (one.place, one.message)
        if (before := self._timers.pop(key, None)) is not None:
            before.cancel()
        if key in self._standing:
            self._timers[key] = asyncio.get_running_loop().call_later(seconds, self.remove, one)

    def _drop(self, key: tuple[str, str]) -> None:
        self._standing.pop(key, None)
        if (timer := self._timers.pop(key, None)) is not None:
            timer.cancel()

    def remove(self, one: EphemeralMessage) -> None:
        """Remove *one*: the message under it is seen again."""
        self.forget(one)
        self.tasks.start(self._remove(one))

    def forget(self, one: EphemeralMessage) -> None:
        """Note that *one* stands no more."""
        key = (one.place, one.message)
        if key in self._standing:
            self._drop(key)
            self._store()

    async def _remove(self, one: EphemeralMessage) -> None:
        try:
            await self.messages.remove(one.where, one.receiver, one.message)
        except ChatError as wrong:
            log.info("an ephemeral message stays: %s", wrong)

    def left_behind(self, old: str) -> None:
        """Forget those of the group *old*, which has become another: they stay in the old one."""
        for one in self._all():
            if one.place == old:
                self.forget(one)

    async def forget_person(self, receiver: str) -> None:
        """Remove all of *receiver*, and keep no note of them."""
        for one in self._all():
            if one.receiver == receiver:
                self.remove(one)
        await self._save()

    def board_shown(self, where: Where, message: str, screen: Screen | None) -> None:
        """The shared *message* shows *screen* now, or is gone: nothing older stands in its place.

        What is asked about a table goes when it is over. Whoever acts out of the others' sight goes
        on where they are.
        """
        for one in (one for one in self._all() if one.place == where.place):
            covers = one.over == message
            if screen is None:
                if covers:
                    self.remove(one)
            elif one.version < screen.version and (covers or one.table == screen.table):
                if screen.over:
                    self.remove(one)
                elif covers or one.board:
                    self.tasks.start(self._expire(one))

    async def _expire(self, one: EphemeralMessage) -> None:
        asker = Asker(one.where.platform, one.receiver, "")
        if not await self.facade.boards.acts_unseen(asker, one.table):
            self.remove(one)

    async def take_up(self) -> None:
        """Take up what the last run noted: what shows an older board than the table's goes."""
        with log_unstored():
            for one in await self.notes.read(NOTE, _read) or ():
                if one.born + MESSAGE_SECONDS > self.clock():
                    self._standing.setdefault((one.place, one.message), one)
                    self._set_timer(one)
        for one in self._all():
            if one.board and await self.facade.boards.version(one.table) > one.version:
                await self._expire(one)

    def _store(self) -> None:
        """Store what stands soon: several changes are stored at once."""
        if not self._changed:
            self._changed = True
            self.tasks.start(self._save())

    async def _save(self) -> None:
        async with self._storing:
            self._changed = False
            noted = json.dumps([asdict(one) for one in self._all()])
            with log_unstored():
                await self.notes.put(NOTE, noted)

    def close(self) -> None:
        """Leave everything as it stands: the next start takes it up."""
        for timer in self._timers.values():
            timer.cancel()
        self._timers.clear()


_read = TypeAdapter(list[EphemeralMessage]).validate_json
"""What a note tells of; raises ``ValueError`` for anything else."""


@dataclass(frozen=True)
class EphemeralContents:
    """Makes messages of answers."""

    posting: PacedPosting

    async def of(self, where: Where, asker: Asker, answer: Answer) -> Content | None:
        """*answer* as a message to *asker* in *where*, ``None`` where a toast holds it."""
        match answer:
            case Card(screen, picture) | MenuAnswer(screen, picture):
                return await self._screen(where, screen, picture)
            case FileAnswer(words, file):
                shown = self.words(where, answer)
                return replace(shown, words=sentence(words, CAPTION), file=file)
            case PrivateRefusal(said, payload):
                tongue = await self.posting.tongue(asker, where)
                below = self.posting.outbound.private_links(tongue, ("", payload))
                return Content(sentence(said), below)
            case Said() if units(answer.said) > TOAST or answer.leads is not None:
                return self.words(where, answer)
            case _:
                return None

    def words(self, where: Where, answer: Answer) -> Content:
        """The words of *answer* in *where* alone."""
        below = self.posting.outbound.ways(answer, where)
        return Content(linked(answer.said, link_of(answer)), below)

    async def _screen(self, where: Where, screen: Screen, picture: bytes | None) -> Content:
        length = units(screen.headline) + 1 + units("\n".join(screen.lines))
        if length > CAPTION:
            # The words tell what a figure shows.
            picture = None
        elif picture is None and screen.scene is not None:
            picture = await self.posting.facade.boards.picture(screen.scene)
        outbound = self.posting.outbound
        words = outbound.words(screen, TEXT if length > EDITED else CAPTION)
        return Content(words, outbound.markup(screen, where), picture)


def link_of(answer: Answer) -> str:
    """The address to which the words of *answer* lead."""
    return answer.link if isinstance(answer, Said) else ""


def fits(shown: EphemeralMessage, content: Content) -> bool:
    """Whether *content* can be shown in place of the message *shown*."""
    if content.file is not None:
        return False
    if content.picture is not None:
        return True
    # The words of a board may change below its picture; other pictures belong to their words.
    return shown.board if shown.pictured else units(content.words) <= EDITED


SHOWS = "ephemeral"
"""The setting of the private chat with a person whose client shows ephemeral messages."""

TRIES, DAY = 3, 86_400.0
"""Messages without a press after which a client counts as an old one, and for how many seconds."""


@dataclass
class EphemeralClients:
    """Knows whose client shows ephemeral messages."""

    places: ChatPlaces
    _tries: TTLCache[str, int] = remembering(4096, DAY)
    """Messages that were sent since the last proof to people of whom we are not sure."""
    _doubted: TTLCache[str, bool] = remembering(4096, DAY)
    """People who have missed one since the last proof."""

    async def shows(self, asker: Asker) -> bool:
        """Whether the client of *asker* has shown one, and has not missed one since."""
        if asker.external in self._doubted:
            return False
        return bool(await self.places.is_noted(chat_with(asker), SHOWS))

    def may_show(self, asker: Asker) -> bool:
        """Whether it is worth trying once more with a client that has never shown one."""
        return self._tries.get(asker.external, 0) < TRIES

    def note_trial(self, asker: Asker) -> None:
        """Note that a message was sent to a client of which we are not sure."""
        self._tries[asker.external] = self._tries.get(asker.external, 0) + 1

    def note_missed(self, asker: Asker) -> None:
        """Note that *asker* has not seen a message."""
        self._doubted[asker.external] = True

    async def note_proof(self, asker: Asker) -> None:
        """Note that *asker* has used an ephemeral message."""
        self.forget(asker.external)
        await self.places.first_time(chat_with(asker), SHOWS)

    def forget(self, external: str) -> None:
        """Forget what is remembered of the person with the id *external*."""
        self._tries.pop(external, None)
        self._doubted.pop(external, None)
