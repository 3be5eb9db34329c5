"""Messages sent, edited and removed: screens, words and files."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import logging
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, TypeAlias
from weakref import WeakValueDictionary

from cachetools import LRUCache, TTLCache
from telegram import (
    Bot,
    InlineKeyboardButton,
    InlineKeyboardMarkup,
    InputFile,
    InputMediaPhoto,
    LinkPreviewOptions,
    Message,
    ReplyKeyboardMarkup,
    ReplyKeyboardRemove,
    ReplyParameters,
    SwitchInlineQueryChosenChat,
    WebAppInfo,
)
from telegram.constants import ParseMode

from bot.chats.telegram.depths import SUPERGROUP, Depths
from bot.chats.telegram.errors import (
    MediaForbidden,
    MediaRefused,
    NoCaption,
    PictureForgotten,
    TopicGone,
    Unchanged,
    translating,
)
from bot.chats.telegram.message_formatting import (
    CAPTION,
    TEXT,
    body,
    keyboard,
    share_link,
    with_copy,
)
from bot.chats.telegram.reading import COMMENTS
from bot.facade import NO_TABLE, remembering
from bot.port import (
    Answer,
    Attachment,
    BoardGone,
    ChatError,
    FileAnswer,
    KeyRows,
    Later,
    MessageGone,
    MessageStuck,
    NotTaken,
    PlaceShut,
    Poster,
    Said,
    Screen,
    Shown,
    Where,
)
from bot.texts import Language, language
from games.core import phrase

log = logging.getLogger(__name__)

Markup: TypeAlias = InlineKeyboardMarkup | ReplyKeyboardMarkup | ReplyKeyboardRemove
"""Buttons below a message, a keyboard in place of the person's own, or its removal."""

HUSHED = 900.0
"""Seconds without reactions in a place after Telegram asked us to wait with one."""

CONFETTI = "5046509860389126442"
"""The effect of a message that is 🎉; everybody has it (https://core.telegram.org/api/effects)."""

NO_PREVIEW = LinkPreviewOptions(is_disabled=True)


@dataclass
class Outbound:
    """Sends, edits and removes messages of ours; raises the errors of the port."""

    bot: Bot
    page: str = ""
    """The address of our page within Telegram, if it has one."""
    no_pictures: set[str] = field(default_factory=set)
    """The groups in which pictures are forbidden: boards are shown in words there."""
    shown_address: Callable[[Where, bytes], str] = lambda where, picture: ""  # noqa: ARG005
    """Where everybody finds the picture that a place shows; "" for nowhere."""
    store: int | None = None
    """The chat that keeps copies of those pictures, if there is one."""
    when_forbidden: Callable[[str], None] = lambda place: None  # noqa: ARG005
    """Told of each group that refuses a picture."""
    when_shown: Callable[[Where, str, Screen | None], None] | None = None
    """Told of every message that shows another screen now, or is gone."""
    depths: Depths = field(default_factory=Depths)
    _pictures: LRUCache[str, str] = remembering(2048)
    """Telegram's ids of pictures, by their digests."""
    _versions: LRUCache[tuple[str, str], int] = remembering(4096)
    """The version of its table that a message shows, by place and message."""
    _offered: LRUCache[str, int] = remembering(4096)
    """The versions with which tables were offered in the app, by their codes: once each."""
    _hushed: TTLCache[str, None] = remembering(4096, HUSHED)
    """The places in which Telegram took no reaction for now."""
    _locks: WeakValueDictionary[tuple[str, str], asyncio.Lock] = field(
        default_factory=WeakValueDictionary
    )
    _sending: Counter[str] = field(default_factory=Counter)
    """How many screens are on their way to a place as new messages."""

    async def send(
        self, where: Where, screen: Screen, picture: bytes | None, reply_to: str | None = None
    ) -> str:
        """Show *screen* as a new message, in words where pictures are forbidden; returns its id."""
        self._sending[where.place] += 1
        try:
            if screen.won and where.private:
                with contextlib.suppress(NotTaken):
                    cheer = {"message_effect_id": CONFETTI}
                    return await self._send(where, screen, picture, reply_to, **cheer)
            return await self._send(where, screen, picture, reply_to)
        finally:
            self._sending -= Counter({where.place: 1})  # which keeps no place with none

    async def _send(
        self, where: Where, screen: Screen, picture: bytes | None, reply_to: str | None, **how: Any
    ) -> str:
        markup, message, why = self.markup(screen, where), None, ""
        how["disable_notification"] = screen.silent
        if picture is not None and where.place not in self.no_pictures:
            above = {"show_caption_above_media": screen.scene is not None}
            words, shown = self.words(screen, CAPTION), {**above, **how}
            try:
                message = await self.photo(
                    where, picture, words, reply_to=reply_to, markup=markup, **shown
                )
            except MediaRefused as wrong:
                why = self._note_refused(where.place, wrong)
        if message is None:
            words = self._text(where, screen, why)
            message = await self.say(where, words, reply_to=reply_to, markup=markup, **how)
        self._versions[where.place, message] = screen.version
        if screen.over:
            self._tell(where, message, screen)
        return message

    async def edit(
        self,
        where: Where,
        message: str,
        screen: Screen,
        picture: bytes | None,
        *,
        unless_newer: bool = False,
    ) -> Shown:
        """Show *screen* in place of *message*; with *unless_newer* a later board stays.

        Raises ``MessageStuck`` where words are to take the place of a picture.
        """
        async with self._lock(where, message):
            if unless_newer and self._newer(where, message, screen):
                return Shown(message)
            same = True
            with contextlib.suppress(Unchanged), _staying(where):
                await self._edit(where, message, screen, picture)
                same = False
            self._versions[where.place, message] = screen.version
        self._tell(where, message, screen)
        return Shown(message, same=same)

    def _tell(self, where: Where, message: str, screen: Screen | None) -> None:
        if self.when_shown is not None:
            self.when_shown(where, message, screen)

    async def rekey(self, where: Where, message: str, screen: Screen) -> bool:
        """Change the words and buttons of a picture; false if it shows a newer board."""
        rows = screen.buttons
        if screen.scene is not None and screen.scene.path:
            # The picture, which stays, shows the letters of the first step alone.
            rows = tuple(tuple(replace(one, letter="") for one in row) for row in rows)
        async with self._lock(where, message):
            if self._newer(where, message, screen):
                return False
            with contextlib.suppress(Unchanged), _staying(where):
                try:
                    await self._edit_caption(where, message, screen, rows)
                except NoCaption:
                    await self._edit_text(where, message, screen)
        return True

    async def _edit_caption(
        self, where: Where, message: str, screen: Screen, rows: KeyRows | None = None
    ) -> None:
        with translating():
            await self.bot.edit_message_caption(
                **_ids(where, message),
                caption=self.words(screen, CAPTION),
                parse_mode=ParseMode.HTML,
                show_caption_above_media=screen.scene is not None,
                reply_markup=self.markup(screen, where, rows),
            )

    async def react(self, where: Where, message: str, emoji: str) -> bool:
        """React with *emoji* to somebody's message; whether the place lets us."""
        if where.place in self._hushed:
            return False
        try:
            with translating():
                await self.bot.set_message_reaction(int(where.place), int(message), emoji)
            return True
        except Later:
            self._hushed[where.place] = None
        except ChatError as wrong:
            log.debug("no reaction: %s", wrong)
        return False

    def wrote(self, where: Where, message: str) -> bool:
        """Whether this process has sent or edited *message*, or may have sent it just now.

        People can press a new message before Telegram has told us its id.
        """
        return (where.place, message) in self._versions or self._sending[where.place] > 0

    async def _edit(
        self, where: Where, message: str, screen: Screen, picture: bytes | None
    ) -> None:
        why = ""
        if picture is not None and where.place not in self.no_pictures:
            try:
                await self._edit_photo(where, message, screen, picture)
                return
            except MediaRefused as wrong:
                why = self._note_refused(where.place, wrong)
            except PictureForgotten:
                if where.lone is None:
                    raise
        try:
            await self._edit_text(where, message, screen, why)
        except MessageStuck:
            if where.lone is None:
                raise
            await self._edit_caption(where, message, screen)

    def _note_refused(self, place: str, wrong: MediaRefused) -> str:
        """Note that *place* has refused a picture, maybe this one alone; the phrase for that."""
        if isinstance(wrong, MediaForbidden):
            self.no_pictures.add(place)
            self.when_forbidden(place)
        return "telegram.picture-refused"

    def _text(self, where: Where, screen: Screen, why: str = "") -> str:
        """*screen* in words; it says *why*, and where pictures are forbidden that they are."""
        why = "telegram.no-pictures" if where.place in self.no_pictures else why
        if screen.scene is not None and why:
            told = language(screen.language).say(phrase(why))
            screen = replace(screen, lines=(*screen.lines, told))
        return self.words(screen, TEXT)

    async def _edit_text(self, where: Where, message: str, screen: Screen, why: str = "") -> None:
        with translating():
            await self.bot.edit_message_text(
                self._text(where, screen, why),
                **_ids(where, message),
                parse_mode=ParseMode.HTML,
                link_preview_options=NO_PREVIEW,
                reply_markup=self.markup(screen, where),
            )

    async def _edit_photo(self, where: Where, message: str, screen: Screen, picture: bytes) -> None:
        words = self.words(screen, CAPTION)
        async for known in self._ways(where, picture):
            # Without a name it would be sent as application/octet-stream.
            media = InputMediaPhoto(
                known or picture,
                words,
                ParseMode.HTML,
                filename="board.png",
                show_caption_above_media=screen.scene is not None,
            )
            try:
                with translating():
                    edited = await self.bot.edit_message_media(
                        media, **_ids(where, message), reply_markup=self.markup(screen, where)
                    )
            except PictureForgotten:
                if known is None:
                    raise
                self._pictures.pop(_digest(picture), None)
                continue
            if isinstance(edited, Message):
                self.remember(picture, edited)
            return
        raise PictureForgotten("there is no way to send a picture")

    async def _ways(self, where: Where, picture: bytes) -> AsyncIterator[str | None]:
        """What Telegram may know *picture* by, the next if it does not; ``None`` for an upload."""
        if (known := self.picture_id(picture)) is not None:
            yield known
        if where.lone is None:
            yield None
            return
        # In a chat where the bot is no member a message takes no upload: Telegram fetches the
        # picture from our page, or knows it by a copy in a chat that the operator names.
        if address := self.shown_address(where, picture):
            yield address
        if self.store is None:
            return
        try:
            with translating():
                copy = InputFile(picture, filename="board.png")
                sent = await self.bot.send_photo(self.store, copy, disable_notification=True)
            self.remember(picture, sent)
            yield sent.photo[-1].file_id
        except Later:
            raise
        except ChatError as wrong:
            log.warning("TELEGRAM_STORE_CHAT takes no picture: %s", wrong)

    async def say(
        self,
        where: Where,
        words: str,
        *,
        reply_to: str | None = None,
        markup: Markup | None = None,
        calls: bool = False,
        **how: Any,
    ) -> str:
        """Send *words*, which are HTML, as *how* says; returns the id of the message.

        If it *calls* to the board *reply_to* and that was deleted, ``BoardGone`` is raised.
        """
        how = {"link_preview_options": NO_PREVIEW, "reply_markup": markup, **how}
        send = partial(self.bot.send_message, int(where.place), words, **how)
        sent = await self._send_in_topic(where, send, reply_to)
        if calls and reply_to is not None and sent.reply_to_message is None:
            raise BoardGone(str(sent.message_id))
        return str(sent.message_id)

    async def file(
        self,
        where: Where,
        file: Attachment,
        words: str,
        reply_to: str | None = None,
        markup: InlineKeyboardMarkup | None = None,
    ) -> str:
        """Send *file* with *words*, which are HTML; returns the id. Pictures and films show."""
        if file.name.endswith(".png"):
            return await self.photo(where, file.data, words, reply_to=reply_to, markup=markup)
        send: Callable[..., Awaitable[Message]] = self.bot.send_animation
        if not file.name.endswith(".gif"):
            send = partial(self.bot.send_document, disable_content_type_detection=True)
        posting = partial(
            send,
            int(where.place),
            InputFile(file.data, filename=file.name),
            caption=words or None,
            reply_markup=markup,
        )
        return str((await self._send_in_topic(where, posting, reply_to)).message_id)

    async def photo(
        self,
        where: Where,
        picture: bytes,
        words: str = "",
        *,
        reply_to: str | None = None,
        markup: InlineKeyboardMarkup | None = None,
        **how: Any,
    ) -> str:
        """Send *picture* with *words*, which are HTML, as *how* says; returns the id."""
        posting = partial(
            self.bot.send_photo, int(where.place), caption=words or None, reply_markup=markup, **how
        )
        sent = await self.show_picture(
            picture, lambda photo: self._send_in_topic(where, partial(posting, photo), reply_to)
        )
        return str(sent.message_id)

    async def show_picture(
        self, picture: bytes, show: Callable[[str | InputFile], Awaitable[Message]]
    ) -> Message:
        """*show* the picture by its id where Telegram has it, else upload it."""
        whole, known = InputFile(picture, filename="board.png"), self.picture_id(picture)
        try:
            with translating():
                shown = await show(known or whole)
        except PictureForgotten:
            if known is None:
                raise
            with translating():
                shown = await show(whole)
        self.remember(picture, shown)
        return shown

    async def remove(self, where: Where, message: str) -> bool:
        """Remove *message*; false where it is too old for that, and has lost its buttons."""
        self._tell(where, message, None)
        if where.lone is not None:
            return False
        place, number = int(where.place), int(message)
        try:
            with translating():
                await self.bot.delete_message(place, number)
            self.depths.note_removed(where.place, number)
        except MessageGone as gone:
            if "not found" in str(gone):
                return True
            with contextlib.suppress(MessageGone, Unchanged), translating():
                await self.bot.edit_message_reply_markup(
                    chat_id=place, message_id=number, reply_markup=None
                )
            return False
        return True

    def link(self, payload: str, what: str = "start") -> str:
        """The address that starts us with *payload*: "start", "startgroup" or "startapp".

        Without one it leads to what stands in the private chat already.
        """
        return f"https://t.me/{self.bot.username}{payload and f'?{what}={payload}'}"

    @staticmethod
    def address(where: Where, message: str | int) -> str:
        """The address of *message* in a supergroup, for its members; "" elsewhere."""
        if not (message and where.place.startswith(SUPERGROUP)):
            return ""
        return f"https://t.me/c/{where.place.removeprefix(SUPERGROUP)}/{message}"

    def private_links(self, tongue: Language, *leads: tuple[str, str]) -> InlineKeyboardMarkup:
        """A button in *tongue* for each name and payload that leads to it in the private chat.

        Only one of several says for whom it is.
        """
        said, alone = tongue.say(phrase("telegram.button.private")), len(leads) == 1
        keys = [(said if alone else f"{name}: {said}", self.link(to)) for name, to in leads]
        return InlineKeyboardMarkup([[InlineKeyboardButton(key, url=to)] for key, to in keys])

    def words(self, screen: Screen, most: int) -> str:
        """The words of *screen* as HTML, of at most *most* units."""
        # The code of a table that others may join from elsewhere is a link.
        joins = screen.table != NO_TABLE and screen.scene is None
        opens = screen.crowded and self.page and self.bot.bot.has_main_web_app
        if opens and self._offered.setdefault(screen.table, screen.version) == screen.version:
            told = language(screen.language).say(phrase("telegram.page-waits-not"))
            screen = replace(screen, lines=(*screen.lines, told))
        return body(screen, most, self.link(screen.table) if joins else None)

    def markup(
        self, screen: Screen, where: Where, buttons: KeyRows | None = None
    ) -> InlineKeyboardMarkup | None:
        """The *buttons*, by default all of *screen*, and below them those that lead elsewhere."""
        markup = with_copy(keyboard(screen.buttons if buttons is None else buttons), screen)
        say = language(screen.language).say
        rows = list(markup.inline_keyboard) if markup is not None else []
        if screen.invitation:
            said = say(phrase("telegram.button.send"))
            link = share_link(self.link(screen.table), screen.invitation)
            button = InlineKeyboardButton(said, url=link)
            if self.bot.bot.supports_inline_queries:
                # The list there begins with the table, whose board the chat then has.
                kinds = (True, None, True)  # people, no bots, groups
                chat = SwitchInlineQueryChosenChat(screen.table, *kinds)
                button = InlineKeyboardButton(said, switch_inline_query_chosen_chat=chat)
            rows.append((button,))
        if self.page and screen.scene is not None and screen.table != NO_TABLE:
            said = say(phrase("telegram.button.page"))
            if where.private:
                app = WebAppInfo(f"{self.page}?table={screen.table}")
                rows.append((InlineKeyboardButton(said, web_app=app),))
            elif self.bot.bot.has_main_web_app:
                # Telegram takes no app button in groups, but a link to the main app.
                link = self.link(screen.table, "startapp")
                rows.append((InlineKeyboardButton(said, url=link),))
        if screen.crowded and self.bot.bot.supports_inline_queries:
            # A move by a message of one's own takes no call of ours.
            typed = f"{screen.table} "
            key = phrase("telegram.button.by-message")
            button = InlineKeyboardButton(say(key), switch_inline_query_current_chat=typed)
            rows.append((button,))
        about = where.about
        if about is not None and (back := self.address(about, self.depths.newest(about.place))):
            said = say(phrase("telegram.button.back-to-group"))
            rows.append((InlineKeyboardButton(said, url=back),))
        return InlineKeyboardMarkup(rows) if rows else None

    def ways(self, answer: Answer, where: Where) -> InlineKeyboardMarkup | None:
        """The buttons in *where* that lead on from the words of *answer*."""
        leads = answer.leads if isinstance(answer, Said | FileAnswer | Poster) else None
        return None if leads is None else self.markup(leads, where)

    def is_buried(self, where: Where, message: str) -> bool:
        """Whether *message* in *where* lies too far up to be seen."""
        return self.depths.is_buried(where.place, int(message), None)

    def _lock(self, where: Where, message: str) -> asyncio.Lock:
        return self._locks.setdefault((where.place, message), asyncio.Lock())

    def shows_board(self, where: Where, message: str) -> bool:
        """Whether *message* is known to show a table: nothing else takes its place."""
        return self._versions.get((where.place, message), 0) > 0

    def _newer(self, where: Where, message: str, screen: Screen) -> bool:
        return self._versions.get((where.place, message), 0) > screen.version

    async def _send_in_topic(
        self, where: Where, send: Callable[..., Awaitable[Message]], reply_to: str | None
    ) -> Message:
        """*send* in the topic of *where* or, if that is gone, beside all topics.

        Outside forums Telegram takes no thread: what is to stand among comments answers the post.
        """
        sent, thread = None, where.thread
        if thread is not None and thread.startswith(COMMENTS):
            reply_to, thread = reply_to or thread.removeprefix(COMMENTS), None
        send = partial(send, parse_mode=ParseMode.HTML, reply_parameters=_reply(reply_to))
        if thread is not None:
            with contextlib.suppress(TopicGone), translating():
                sent = await send(message_thread_id=int(thread))
        if sent is None:
            with translating():
                sent = await send()
        self.depths.note_seen(where.place, sent.message_id)
        return sent

    def picture_id(self, picture: bytes) -> str | None:
        """Telegram's id of *picture*, if it was sent before."""
        return self._pictures.get(_digest(picture))

    def remember(self, picture: bytes, shown: Message) -> None:
        """Note Telegram's id of *picture*, which *shown* has."""
        if shown.photo:
            self._pictures[_digest(picture)] = shown.photo[-1].file_id


def _ids(where: Where, message: str) -> dict[str, Any]:
    """How Telegram names *message* in *where*."""
    if where.lone is not None:
        return {"inline_message_id": where.lone}
    return {"chat_id": int(where.place), "message_id": int(message)}


@contextlib.contextmanager
def _staying(where: Where) -> Iterator[None]:
    """Raise ``PlaceShut`` for a message that is gone and all that *where* is."""
    try:
        yield
    except MessageGone as gone:
        if where.lone is None:
            raise
        raise PlaceShut(str(gone)) from gone


def _digest(picture: bytes) -> str:
    return hashlib.sha256(picture).hexdigest()


def _reply(message: str | None) -> ReplyParameters | None:
    if message is None:
        return None
    return ReplyParameters(int(message), allow_sending_without_reply=True)
