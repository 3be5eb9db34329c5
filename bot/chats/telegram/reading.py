"""Updates as values of the port. Pure."""

from __future__ import annotations

import base64
import re
from collections.abc import Container, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from telegram import Chat, Message, MessageEntity, Update, User
from telegram.constants import ChatType

from bot.facade import (
    BY_ACT,
    BY_NAME,
    COMPUTER,
    Action,
    CommandSpec,
    ParameterKind,
    nearest_command,
    parse,
    parse_deed,
    parse_words,
)
from bot.port import LONE, Asker, Command, Press, Upload, Where
from bot.texts.orthography import JOINER

PLATFORM = "telegram"

UNKNOWN, START = "unknown", "start"
"""The names of a command that we do not have, and of that by which Telegram opens a chat."""

GREETING = "play"
"""The payload of a deep link that only opens a chat with us."""

PLACE_SETTINGS = "settings"
"""The first word of a payload that asks for the settings of the place behind it."""

PRESSES, COMMANDS = "b-", "do-"
"""The beginning of a payload that presses a button, or that gives a command."""

COMMENTS = "c"
"""The beginning of the thread of a place that is the comments under the post of a channel. The
number of the post follows, as it stands in the group: whatever answers it stands there too."""

EPHEMERAL = "e"
"""The beginning of our ids of ephemeral messages, which Telegram numbers apart from all others."""

SECOND = timedelta(seconds=1)

PAYLOAD = 64
"""Characters of a payload (Bot API, deep linking)."""

_TYPED_MOVE, _SPOKEN_TO = 16, 200
"""Characters that are taken as a move, in an answer to a board and around our @name."""


@dataclass(frozen=True)
class Known:
    """Our @name, people by theirs, and the posts of channels under which there are comments."""

    username: str
    handles: Mapping[str, Asker]
    posts: Container[tuple[int, int]] = ()
    """The groups of the posts, and their numbers there."""


def where_of(chat: Chat, thread: str | None = None) -> Where:
    """The place of *chat*, or of its topic or comments *thread*."""
    return Where(PLATFORM, str(chat.id), thread, private=chat.type == ChatType.PRIVATE)


def place_of(message: Message, posts: Container[tuple[int, int]] = ()) -> Where:
    """The place of *message*: a chat, a topic of a forum, or the comments under a post.

    Outside forums Telegram numbers each chain of answers as a thread; only the comments under a
    post of a channel, one of *posts* if they do not answer it directly, are a place of their own.
    """
    number = message.message_thread_id
    if number is None or message.chat.type == ChatType.PRIVATE:
        # Topics there hold boards alone: the chat is one place.
        return where_of(message.chat)
    if message.is_topic_message:
        return where_of(message.chat, str(number))
    if post_of(message) is not None or (message.chat.id, number) in posts:
        return where_of(message.chat, f"{COMMENTS}{number}")
    return where_of(message.chat)


def post_of(message: Message) -> tuple[int, int] | None:
    """The group and the number of a channel's post that *message* answers, if it does."""
    answered = message.reply_to_message
    if answered is None or not answered.is_automatic_forward:
        return None
    return message.chat.id, answered.message_id


def asker_of(user: User) -> Asker:
    """*user* as an asker."""
    return Asker(PLATFORM, str(user.id), user.full_name, user.language_code, user.username or "")


def chat_with(asker: Asker) -> Where:
    """The private chat with *asker*, which has their id."""
    return Where(PLATFORM, asker.external, private=True)


def _time_of(message: Message) -> datetime:
    """When *message* was written or corrected, at the latest: Telegram tells whole seconds."""
    return (message.edit_date or message.date) + SECOND


def ephemeral_id(message: Message) -> int | None:
    """The number of an ephemeral message (Bot API 10.2); ``None`` for all others."""
    number = message.api_kwargs.get("ephemeral_message_id")
    return number if isinstance(number, int) else None


def press_of(update: Update, posts: Container[tuple[int, int]] = ()) -> Press | None:
    """The press of a button of ours in *update*, if any; Telegram does not tell its time.

    *posts* are as in ``place_of``.
    """
    query = update.callback_query
    if query is None or query.data is None:
        return None
    if (inline := query.inline_message_id) is not None:
        # A message where we are no member is a place of its own.
        where, asker = Where(PLATFORM, f"{LONE}{inline}", circle=True), asker_of(query.from_user)
        return Press(str(update.update_id), where, asker, query.data, inline, takes_board=True)
    if (message := query.message) is None:
        return None
    where = place_of(message, posts) if isinstance(message, Message) else where_of(message.chat)
    alone = ephemeral_id(message) if isinstance(message, Message) else None
    own, asker = alone is not None, asker_of(query.from_user)
    told = (where, asker, query.data, f"{EPHEMERAL}{alone}" if own else str(message.message_id))
    return Press(str(update.update_id), *told, whispered=own, own=own, takes_board=not own)


def chosen_press(update: Update) -> Press | None:
    """The press of what was chosen from a list of ours above a keyboard, if *update* tells one."""
    chosen = update.chosen_inline_result
    if chosen is None:
        return None
    asker = asker_of(chosen.from_user)
    return Press(str(update.update_id), chat_with(asker), asker, chosen.result_id)


def is_person(message: Message) -> bool:
    """Whether a person wrote *message*, and not an anonymous administrator or a channel."""
    user = message.from_user
    return user is not None and not user.is_bot and message.sender_chat is None


def call_of(update: Update, known: Known) -> Command | None:
    """The command in *update*, if there is one: typed, corrected, linked, or a bare move."""
    message = update.message or update.edited_message
    if message is None or message.from_user is None:
        return None
    files = message.document is not None and not message.text
    text, mentioned = _line(message, known)
    if not (message.text or files):
        return None
    before, us, behind = _around_name(text, known)
    spoken_to = bool(us) and not before.startswith("/")
    text = f"{before} {behind}".strip() if spoken_to else text
    asker, where = asker_of(message.from_user), place_of(message, known.posts)
    line = _Line(str(update.update_id), message, asker, where, known, text, mentioned)
    if files:
        return line.caption()
    slash = text.startswith("/") and not spoken_to
    return line.slashed() if slash else line.plain(spoken_to=spoken_to)


def _around_name(text: str, known: Known) -> tuple[str, str, str]:
    """What stands before our @name in *text*, the name itself, and what stands behind it."""
    us = rf"(?<!\S)@{re.escape(known.username)}(?!\w)[,:;.!?]?"
    before, *rest = re.split(f"({us})", text, maxsplit=1, flags=re.IGNORECASE)
    name, behind = rest or ("", "")
    return before.strip(), name, behind.strip()


def _upload(name: str, message: Message) -> Upload | None:
    """The file that comes with the command *name*, or that it answers."""
    command, reply = BY_NAME.get(name), message.reply_to_message
    if command is None or not command.file:
        return None
    sent = message.document or (reply.document if reply is not None else None)
    return None if sent is None else Upload(sent.file_name or "", sent.file_size or 0, sent.file_id)


@dataclass(frozen=True)
class _Line:
    """A line of *asker*, and the people *mentioned* in it, by the words for them."""

    update: str
    message: Message
    asker: Asker
    where: Where
    known: Known
    text: str
    mentioned: Mapping[str, Asker]

    def call(
        self,
        name: str,
        values: Mapping[str, str] | None = None,
        people: Mapping[str, Asker] | None = None,
    ) -> Command:
        reply = self.message.reply_to_message if self.answers else None
        shared = reply is not None and ephemeral_id(reply) is None
        return Command(
            *(self.update, self.where, self.asker, name, values or {}, people or {}),
            str(reply.message_id) if reply is not None and shared else None,
            whispered=ephemeral_id(self.message) is not None and not spells_move(name),
            sent=_time_of(self.message),
            keys=self.keys,
            upload=_upload(name, self.message),
        )

    @property
    def answers(self) -> bool:
        """Whether it answers what we have written."""
        reply = self.message.reply_to_message
        writer = reply.from_user if reply is not None else None
        return writer is not None and _is_us(writer, self.known)

    @property
    def keys(self) -> dict[str, str]:
        """The codes of the keys below what it answers, by what stands on them."""
        reply = self.message.reply_to_message if self.answers else None
        rows = reply.reply_markup.inline_keyboard if reply and reply.reply_markup else ()
        return {one.text: str(one.callback_data) for row in rows for one in row}

    def plain(self, *, spoken_to: bool) -> Command | None:
        """The line without a slash as a deed in whole words, a name alone or a move.

        Where it is not *spoken_to* us by our @name, only if it can be meant so.
        """
        bare, alone = " " not in self.text, self.where.private
        read = (parse_words if spoken_to or alone else parse_deed)(self.text, self.keys)
        if read is not None and (spoken_to or alone or self.answers):
            return self.command(*read)
        if spoken_to and not self.text:
            return self.call(START)
        short = len(self.text) <= (_SPOKEN_TO if spoken_to else _TYPED_MOVE)
        # Several words under a board are talk, unless a field or a piece is among them.
        written = self.answers and (bare or re.search(r"\d", self.text) is not None)
        meant = alone or (short and (spoken_to or written))
        return self.call(BY_ACT[Action.MOVE].name, {"move": self.text}) if meant else None

    def caption(self) -> Command | None:
        """The command below a file, if it is one that takes files; without one it is opened.

        So is a file in a private chat or in answer to us alone.
        """
        if not self.text.startswith("/"):
            opens = self.where.private or self.answers
            return self.call(BY_ACT[Action.OPEN].name) if opens else None
        call = self.slashed()
        return call if call is not None and call.upload is not None else None

    def slashed(self) -> Command | None:
        """What the line asks that begins with a slash, unless it asks another bot."""
        name, _, bot = self.text.split(" ", 1)[0][1:].partition("@")
        if bot and bot.casefold() != self.known.username.casefold():
            return None
        if name.casefold() == START:
            return self.started()
        read = parse(self.text)
        if read is not None:
            return self.command(*read)
        # In a group it may ask another bot, unless it is nearly one of our names.
        ours = bot or self.where.private or nearest_command(name) is not None
        return self.call(UNKNOWN, {"command": name}) if ours else None

    def started(self) -> Command:
        """``/start`` alone, or with the payload of a deep link: a table, a command, an object."""
        payload = self.text.partition(" ")[2]
        if payload in ("", GREETING):
            return self.call(START)
        name = payload.removeprefix(COMMANDS)
        if payload.startswith(COMMANDS) and by_link(name):
            return self.call(BY_NAME[name].name)
        word, _, thing = payload.partition("-")
        if word == PLACE_SETTINGS and thing:
            return self.call(BY_ACT[Action.SETTINGS].name, {"place": thing})
        return self.call(BY_ACT[Action.JOIN].name, {"table": payload})

    def command(self, command: CommandSpec, typed: Mapping[str, str]) -> Command:
        """The line as *command*; of the values *typed* those for a person become people."""
        values, people = dict(typed), {}
        for parameter in command.parameters:
            if parameter.kind is not ParameterKind.PERSON:
                continue
            value = values.get(parameter.name, "")
            if value.casefold() == f"@{self.known.username}".casefold():
                values[parameter.name] = COMPUTER
            elif (person := self.person(value)) is not None:
                people[parameter.name] = person
            else:  # of several each is found by the word for them
                people |= {word: one for word in value.split() if (one := self.person(word))}
        return self.call(command.name, values, people)

    def person(self, value: str) -> Asker | None:
        """The person whom *value* names or, if it is empty, whom the line answers."""
        if not value:
            return _replied_person(self.message)
        if not value.startswith("@"):
            return None
        known = self.known.handles.get(value.removeprefix("@").casefold())
        return self.mentioned.get(value) or known


def spells_move(name: str) -> bool:
    """Whether the command *name* takes a move, which everybody may read if it is typed."""
    command = BY_NAME.get(name)
    kinds = () if command is None else (one.kind for one in command.parameters)
    return ParameterKind.MOVE in kinds


def by_link(name: str) -> bool:
    """Whether a link may give the command *name* in private, for the eyes of its sender."""
    command = BY_NAME.get(name)
    return command is not None and (command.own or (command.private and command.lasting))


def payload_of(code: str) -> str | None:
    """The payload that presses the button *code* in the private chat; ``None`` if too long."""
    payload = PRESSES + base64.urlsafe_b64encode(code.encode()).decode().rstrip("=")
    return payload if len(payload) <= PAYLOAD else None


def linked_press(update: Update) -> Press | None:
    """The press that a deep link makes in the private chat, if *update* is one."""
    message = update.message
    if message is None or message.from_user is None or message.chat.type != ChatType.PRIVATE:
        return None
    command, _, payload = (message.text or "").partition(" ")
    if command != f"/{START}" or not payload.startswith(PRESSES):
        return None
    told = payload.removeprefix(PRESSES)
    try:
        code = base64.urlsafe_b64decode(told + "=" * (-len(told) % 4)).decode()
    except ValueError:
        return None
    asker, sent = asker_of(message.from_user), _time_of(message)
    return Press(str(update.update_id), place_of(message), asker, code, sent=sent)


def _line(message: Message, known: Known) -> tuple[str, dict[str, Asker]]:
    """The text as one line, and the people mentioned without an @name, by the words for them."""
    raw = (message.text or message.caption or "").encode("utf-16-le")
    mentioned: dict[str, Asker] = {}
    for entity in sorted(message.entities, key=lambda entity: -entity.offset):
        if entity.type != MessageEntity.TEXT_MENTION or entity.user is None:
            continue
        if _is_us(entity.user, known):
            continue
        word = f"@{entity.user.id}"
        mentioned[word] = asker_of(entity.user)
        begin, end = 2 * entity.offset, 2 * (entity.offset + entity.length)
        raw = raw[:begin] + f" {word} ".encode("utf-16-le") + raw[end:]
    # Whoever copies from a message of ours copies joiners as well.
    text = raw.decode("utf-16-le", "replace").replace(JOINER, "")
    return re.sub(r"= (?=@)", "=", " ".join(text.split())), mentioned


def _is_us(user: User, known: Known) -> bool:
    return (user.username or "").casefold() == known.username.casefold()


def _replied_person(message: Message) -> Asker | None:
    """The person whom *message* answers, if it is one; in a topic it always answers the first."""
    reply = message.reply_to_message
    if reply is None or reply.forum_topic_created is not None or not is_person(reply):
        return None
    return asker_of(reply.from_user) if reply.from_user is not None else None
