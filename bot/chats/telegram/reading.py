"""Updates as presses and commands: what Telegram says, in the words of the port. Pure."""

from __future__ import annotations

import base64
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from telegram import Chat, Message, MessageEntity, Update, User
from telegram.constants import ChatType

from bot.facade import BY_ACT, BY_NAME, COMPUTER, Action, CommandSpec, ParameterKind, parse
from bot.port import Asker, Command, Press, Where

PLATFORM = "telegram"

UNKNOWN = "unknown"
"""The name of a command that nobody declared: the house says so."""

START = "start"
"""The name of the command by which Telegram opens a chat with a bot; not one of the house."""

GREETING = "play"
"""What a deep link carries that only opens a chat with us."""

_LINKS: Mapping[str, tuple[Action, str]] = {"settings": (Action.SETTINGS, "place")}
"""What a deep link asks for that names a thing: its first word, the act, its parameter."""

PRESSES, COMMANDS = "b-", "do-"
"""How the payload of a deep link begins that presses a button, or that gives a command."""

SECOND = timedelta(seconds=1)

PAYLOAD = 64
"""The most characters of such a payload (Bot API, deep linking)."""

_TYPED_MOVE = 16
"""How many characters an answer to a board may have to be taken as a move."""

_SPOKEN_TO = 40
"""How many characters may follow our @name to be taken as a move or a command."""


@dataclass(frozen=True)
class Known:
    """What reading needs to know: who we are, and people's ids by their @names."""

    username: str
    handles: Mapping[str, Asker]


def where_of(chat: Chat, topic: int | None = None) -> Where:
    """The place of a chat, or of a *topic* in a forum."""
    thread = str(topic) if topic is not None else None
    return Where(PLATFORM, str(chat.id), thread, private=chat.type == ChatType.PRIVATE)


def place_of(message: Message) -> Where:
    """The place in which *message* stands; what is no topic of a forum has threads as well."""
    return where_of(message.chat, message.message_thread_id if message.is_topic_message else None)


def asker_of(user: User) -> Asker:
    """A person of Telegram."""
    return Asker(PLATFORM, str(user.id), user.full_name, user.language_code, user.username or "")


def _sent(message: Message) -> datetime:
    """When *message* was written or corrected, at the latest: Telegram tells whole seconds."""
    return (message.edit_date or message.date) + SECOND


def press_of(update: Update) -> Press | None:
    """The press that *update* tells of, if it is one of a button of ours.

    Telegram does not tell when a button was pressed: it counts from when we hear of it.
    """
    query = update.callback_query
    if query is None or query.data is None or query.message is None:
        return None
    message = query.message
    where = place_of(message) if isinstance(message, Message) else where_of(message.chat)
    asker, number = asker_of(query.from_user), str(message.message_id)
    return Press(str(update.update_id), where, asker, query.data, number, takes_board=True)


def is_person(message: Message) -> bool:
    """Whether a person wrote *message*, and not an anonymous administrator or a channel."""
    user = message.from_user
    return user is not None and not user.is_bot and message.sender_chat is None


def call_of(update: Update, known: Known) -> Command | None:
    """The command that *update* gives us, if any: typed, corrected, linked, or a bare move."""
    message = update.message or update.edited_message
    if message is None or message.from_user is None or not message.text:
        return None
    text, mentioned = _line(message, known)
    text, spoken_to = _addressed(text, known)
    line = _Line(str(update.update_id), message, message.from_user, known, text, mentioned)
    if spoken_to:
        return line.spoken()
    if not text.startswith("/"):
        return line.move()
    name, _, bot = text.split(" ", 1)[0][1:].partition("@")
    if bot and bot.casefold() != known.username.casefold():
        return None
    if name.casefold() == START:
        return line.started()
    read = parse(text)
    if read is not None:
        return line.command(*read)
    return line.call(UNKNOWN) if bot or line.where.private else None


@dataclass(frozen=True)
class _Line:
    """What *writer* wrote in one line, with the people *mentioned* in it by their words."""

    update: str
    message: Message
    writer: User
    known: Known
    text: str
    mentioned: Mapping[str, Asker]

    @property
    def where(self) -> Where:
        return place_of(self.message)

    def call(
        self,
        name: str,
        values: Mapping[str, str] | None = None,
        people: Mapping[str, Asker] | None = None,
    ) -> Command:
        reply = self.message.reply_to_message
        ours = reply is not None and reply.from_user is not None and reply.from_user.is_bot
        return Command(
            self.update,
            self.where,
            asker_of(self.writer),
            name,
            values or {},
            people or {},
            str(reply.message_id) if reply is not None and ours else None,
            sent=_sent(self.message),
        )

    def move(self) -> Command | None:
        """The line as a move, where it can be meant as one."""
        meant = self.where.private or _answers_a_board(self.message, self.text, self.known)
        return self.call(BY_ACT[Action.MOVE].name, {"move": self.text}) if meant else None

    def spoken(self) -> Command | None:
        """What follows our @name: a command without its slash, or a move."""
        read = parse(self.text if self.text.startswith("/") else f"/{self.text}")
        if read is not None:
            return self.command(*read)
        if not self.text:
            return self.call(START)
        meant = len(self.text) <= _SPOKEN_TO
        return self.call(BY_ACT[Action.MOVE].name, {"move": self.text}) if meant else None

    def started(self) -> Command:
        """``/start`` alone, or with what a deep link carries: a table, or a word and its object."""
        payload = self.text.partition(" ")[2]
        if payload in ("", GREETING):
            return self.call(START)
        command = BY_NAME.get(payload.removeprefix(COMMANDS))
        if payload.startswith(COMMANDS) and command is not None and command.own:
            return self.call(command.name)
        word, _, thing = payload.partition("-")
        if word in _LINKS and thing:
            act, parameter = _LINKS[word]
            return self.call(BY_ACT[act].name, {parameter: thing})
        return self.call(BY_ACT[Action.JOIN].name, {"table": payload})

    def command(self, command: CommandSpec, typed: Mapping[str, str]) -> Command:
        """The line as *command* with the values *typed*, those that name persons as persons."""
        values, people = dict(typed), {}
        for parameter in command.parameters:
            if parameter.kind is not ParameterKind.PERSON:
                continue
            value = values.get(parameter.name, "")
            if value.casefold() == f"@{self.known.username}".casefold():
                values[parameter.name] = COMPUTER
            elif (person := self.person(value)) is not None:
                people[parameter.name] = person
        return self.call(command.name, values, people)

    def person(self, value: str) -> Asker | None:
        """Whom *value* names, or whom the line answers where it names nobody."""
        if not value:
            return _replied_person(self.message)
        if not value.startswith("@"):
            return None
        known = self.known.handles.get(value.removeprefix("@").casefold())
        return self.mentioned.get(value) or known


def payload_of(code: str) -> str | None:
    """What a deep link carries that presses the button with this *code* in the private chat.

    ``None`` where it would be too long for one.
    """
    payload = PRESSES + base64.urlsafe_b64encode(code.encode()).decode().rstrip("=")
    return payload if len(payload) <= PAYLOAD else None


def linked_press(update: Update) -> Press | None:
    """The press of a button that a deep link makes in the private chat, if *update* is one."""
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
    asker, sent = asker_of(message.from_user), _sent(message)
    return Press(str(update.update_id), place_of(message), asker, code, sent=sent)


def _line(message: Message, known: Known) -> tuple[str, dict[str, Asker]]:
    """The text in one line; people mentioned without an @name become a word, told apart."""
    raw = (message.text or "").encode("utf-16-le")
    mentioned: dict[str, Asker] = {}
    entities = sorted(message.entities, key=lambda entity: -entity.offset)
    for entity in entities:
        if entity.type != MessageEntity.TEXT_MENTION or entity.user is None:
            continue
        if entity.user.username and entity.user.username.casefold() == known.username.casefold():
            continue
        word = f"@{entity.user.id}"
        mentioned[word] = asker_of(entity.user)
        begin, end = 2 * entity.offset, 2 * (entity.offset + entity.length)
        raw = raw[:begin] + f" {word} ".encode("utf-16-le") + raw[end:]
    text = raw.decode("utf-16-le", "replace")
    return re.sub(r"= (?=@)", "=", " ".join(text.split())), mentioned


def _addressed(text: str, known: Known) -> tuple[str, bool]:
    """*text* without our @name at its beginning, and whether it began with it."""
    first, _, rest = text.partition(" ")
    ours = first.rstrip(",:").casefold() == f"@{known.username}".casefold()
    return (rest, True) if ours else (text, False)


def _answers_a_board(message: Message, line: str, known: Known) -> bool:
    """Whether *line* answers one of our messages and looks like a move."""
    reply = message.reply_to_message
    writer = reply.from_user if reply is not None else None
    ours = writer is not None and (writer.username or "").casefold() == known.username.casefold()
    return ours and len(line) <= _TYPED_MOVE and " " not in line


def _replied_person(message: Message) -> Asker | None:
    """Whom *message* answers: a person, and not the first message of a topic."""
    reply = message.reply_to_message
    if reply is None or reply.forum_topic_created is not None or not is_person(reply):
        return None
    return asker_of(reply.from_user) if reply.from_user is not None else None
