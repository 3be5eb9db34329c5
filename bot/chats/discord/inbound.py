"""Takes interactions, asks the facade and gives its answer once, when the change is stored.

If that takes longer than ``reply.WATCHDOG``, it is deferred: Discord waits three seconds.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import discord
from cachetools import LRUCache

from bot.chats.discord.answers import Answers
from bot.chats.discord.attachment_download import Attachments
from bot.chats.discord.bot_permissions import Access, Circumstances, circumstances_of
from bot.chats.discord.emojis import Emojis
from bot.chats.discord.entry_point_command import table_on
from bot.chats.discord.forms import FORM, changed_codes, filled_form, read_form
from bot.chats.discord.interaction_responses import Replies
from bot.chats.discord.markdown import escape, link_commands
from bot.chats.discord.membership import Membership
from bot.chats.discord.message_formatting import form
from bot.chats.discord.messages_below_board import MessagesBelowBoard
from bot.chats.discord.permission_notices import PermissionNotices
from bot.chats.discord.reading import (
    COMMAND,
    PLATFORM,
    PRESS,
    Ticket,
    asker_of,
    call_of,
    is_visitor,
    picked,
    press_of,
    pressed_code,
    where_of,
)
from bot.chats.discord.reply import Interaction, Pulse, Reply
from bot.chats.discord.screen_renewals import ScreenRenewals
from bot.chats.discord.session_starts import SessionStarts
from bot.chats.discord.words_to_bot import WordsToBot
from bot.facade import (
    BY_ACT,
    LONGEST_WORDS,
    NO_TABLE,
    Action,
    CommandSpec,
    Facade,
    FleetingMessages,
    LimitVerdict,
    ParameterKind,
    StorageError,
    remembering,
)
from bot.port import (
    Answer,
    BoardAnswer,
    MenuAnswer,
    Promised,
    ReservedBoard,
    Said,
    Upload,
    Where,
)
from games.core import phrase, verbatim

log = logging.getLogger(__name__)

SUGGESTING = 2.0
"""Seconds after which completions are too late."""

TOLD_FOR = 30 * 24 * 3600.0
"""Seconds for which people are told that commands have gone into groups."""

BAD_REQUEST = 400
"""The status of an answer of a kind that the application may not give."""

PLAY = BY_ACT[Action.PLAY]

OLD_GREETING = "greet:"
"""Begins the codes of the keys of greetings that releases before 1.1 have posted."""


@dataclass
class Inbound:
    """Everything that comes in from Discord."""

    facade: Facade
    fleeting: FleetingMessages
    pulse: Pulse = field(default_factory=Pulse)
    scrollback: MessagesBelowBoard = field(default_factory=MessagesBelowBoard)
    access: Access = field(default_factory=Access)
    emojis: Emojis = field(default_factory=Emojis)
    session_starts: SessionStarts = field(default_factory=SessionStarts)
    files: Attachments = field(default_factory=Attachments)
    closed: bool = False
    launches: bool = False
    """Whether the application has Activities, as far as Discord has told."""
    told_launches: Callable[[bool], None] = lambda _: None
    """Called where that may have changed."""
    grouped_at: float | None = None
    """When the commands of an older release went into groups, in seconds of Unix time."""
    _told: LRUCache[int, None] = remembering(65536)
    """Who has been told so, by their ids, while this process runs."""
    _open: dict[str, asyncio.Future[None]] = field(default_factory=dict)
    """The interactions that are being answered, by their tokens."""
    _seen: LRUCache[int, None] = remembering(4096)
    """Interactions that came, so that one delivered twice is taken once."""
    _changed: LRUCache[str, bool] = remembering(4096)
    """The places that take messages again, as an interaction told that is being answered."""

    def __post_init__(self) -> None:
        self.requests, boards = self.facade.requests, self.facade.boards
        self.buttons, self.places = boards.buttons, boards.places
        self.membership = Membership(self.places, self.access)
        self.replies = Replies(boards, self.emojis, self.access)
        self.renewals = ScreenRenewals(self.requests, self.replies)
        self.answers = Answers(self.requests, self.replies, self.renewals)
        self.words = WordsToBot(self.requests, boards, self.replies, self.fleeting)
        self.permission_notices = PermissionNotices(self.access, self.answers)

    def link_commands(self, mentions: Mapping[str, str]) -> None:
        """Let answers and cards mention commands by these links, by their names."""
        self.answers.mentions = self.replies.mentions = mentions

    def link(self, said: str) -> str:
        """*said*, escaped, with links to its commands."""
        return link_commands(escape(said), self.answers.mentions)

    async def on_press(self, interaction: Interaction) -> None:
        """Answer the press of a button, or a choice from a list."""
        code = pressed_code(interaction).removeprefix(OLD_GREETING)
        click = self.buttons.click(code)
        if click is not None and click.act is Action.PAGE:
            await self.on_launch(interaction, "" if click.table == NO_TABLE else click.table)
            return
        opens = click is not None and click.opens
        if code.startswith(FORM) and (asked := read_form(code)) is not None:
            number, sheet = asked
            await self._answer(interaction, partial(self._fill, number=number, sheet=sheet))
        elif click and click.asks and interaction.type is discord.InteractionType.component:
            await self._answer(interaction, partial(self._ask, code=code, what=click.asks))
        else:
            press = partial(self._press, code=code, opens=opens)
            await self._answer(interaction, press, opens=opens)

    async def on_command(
        self,
        interaction: Interaction,
        command: CommandSpec,
        values: Mapping[str, str],
        people: Mapping[str, discord.abc.User],
        file: discord.Attachment | None = None,
    ) -> None:
        """Answer the command *command*, with which a *file* may come."""
        upload = None if file is None else self.files.note(file)
        call = partial(self._call, command=command, values=values, people=people, upload=upload)
        private = command.private or command.lacks(values)
        await self._answer(interaction, call, opens=command.act is Action.PLAY, private=private)

    async def on_challenge(self, interaction: Interaction, person: discord.abc.User) -> None:
        """Set up a table with *person*, on whom «Challenge» was chosen."""
        (opponent,) = (p.name for p in PLAY.parameters if p.kind is ParameterKind.PERSON)
        await self.on_command(interaction, PLAY, {}, {opponent: person})

    async def on_board(
        self, interaction: Interaction, message: discord.Message, act: Action
    ) -> None:
        """Tell the asker about the board in *message*: how it stands, or what to play."""
        table = table_on(self.buttons, message.components)
        if act is not Action.MOVE and table:
            press = partial(self._press, code=self.buttons.at(act, table), opens=False)
            await self._answer(interaction, press)
        else:
            await self.on_command(interaction, BY_ACT[Action.MOVE], {"table": table}, {})

    async def on_file(self, interaction: Interaction, message: discord.Message) -> None:
        """Open the file in *message*, or the board there for the asker's own side."""
        if table_on(self.buttons, message.components):
            await self.on_board(interaction, message, Action.MINE)
            return
        file = next(iter(message.attachments), None)
        await self.on_command(interaction, BY_ACT[Action.OPEN], {}, {}, file)

    async def on_page(self, interaction: Interaction, message: discord.Message) -> None:
        """Open the page at the board in *message*."""
        await self.on_launch(interaction, table_on(self.buttons, message.components))

    async def on_launch(self, interaction: Interaction, table: str) -> None:
        """Open the page within Discord, at *table* where that is not empty."""
        await self._answer(interaction, partial(self._launch, table=table), keeps_ticket=False)

    async def _launch(self, reply: Reply, where: Where, *, table: str) -> Answer | None:
        # The page may come before Discord has told us that it opens it.
        await self.facade.pages.launches.note(asker_of(reply.interaction), table)
        if self.launches and await reply.launch():
            return None
        refused = reply.take_refusal()
        if refused is not None and refused.status == BAD_REQUEST:
            self.set_launches(launches=False)
        page = self.buttons.at(Action.PAGE, table)
        answer = await self.requests.press(press_of(reply.interaction, where, page))
        await self.answers.answer(reply, answer)
        return None

    def set_launches(self, *, launches: bool) -> None:
        """Note whether the application has Activities."""
        self.launches = launches
        self.told_launches(launches)

    async def _answer(
        self,
        interaction: Interaction,
        answer: Callable[[Reply, Where], Awaitable[Answer | None]],
        *,
        opens: bool = False,
        private: bool = True,
        keeps_ticket: bool = True,
    ) -> None:
        """Give *answer* to *interaction* if it is new and allowed; then keep a promise, or warn."""
        if not self.is_new(interaction, keeps_ticket=keeps_ticket):
            return
        reply = Reply(interaction, self.pulse, is_visitor(interaction), private)
        where, follows = where_of(interaction), None
        answered = self._open[interaction.token] = asyncio.get_running_loop().create_future()
        try:
            async with self.answers.faults(reply):
                if not await self._is_allowed(reply, where, opens=opens):
                    return
                follows = await answer(reply, where)
        finally:
            del self._open[interaction.token]
            answered.set_result(None)
        if isinstance(follows, Promised):
            await self.answers.keep(reply, follows)
        if reply.unseen:
            self.access.note_unseen(where.place)
        message = None if interaction.message is None else str(interaction.message.id)
        changed = self._changed.pop(where.place, False)
        await self.membership.open_again(where, message, changed=changed)
        self.places.try_refused(where)
        if isinstance(follows, BoardAnswer):
            self.fleeting.end(where.place)
        if isinstance(follows, BoardAnswer) and follows.note:
            await reply.add(self.link(follows.note), private=True)
        if not reply.is_press:
            await self._tell_groups(reply)
        # Words of what was done at a table name it: its boards show that.
        acts = isinstance(follows, Said) and follows.table
        if reply.is_press or isinstance(follows, BoardAnswer) or acts:
            await self.permission_notices.look(reply, where)

    async def _ask(self, reply: Reply, where: Where, *, code: str, what: str) -> None:
        """Open a form for *what* is typed (``Click.asks``): nothing can be deferred before it."""
        tongue = await self.answers.tongue(reply.interaction)
        title, label = (tongue.say(phrase(f"discord.{what}.{part}")) for part in ("title", "label"))
        example = ""
        if what == "move":
            example = (await self.requests.press(press_of(reply.interaction, where, code))).said
        await reply.open_form(form(code, title, label, LONGEST_WORDS, example))

    async def _fill(self, reply: Reply, where: Where, *, number: int, sheet: str) -> None:
        """Open the form *number* of the screen *sheet*, or take what was chosen in it."""
        interaction = reply.interaction
        press = press_of(interaction, where, sheet)
        answer = await self.requests.press(press)
        if isinstance(answer, MenuAnswer) and number < len(answer.screen.forms):
            form = answer.screen.forms[number]
            if interaction.type is discord.InteractionType.component:
                await reply.open_form(filled_form(answer.screen, form, pressed_code(interaction)))
                return
            chosen = changed_codes(answer.screen, form, dict(interaction.data or {}))
            async with reply.in_time():
                for n, code in enumerate([*chosen]):
                    one = replace(press, update=f"{press.update}.{n}", code=code)
                    answer = await self.requests.press(one)
        await self._show(reply, answer)

    async def _press(self, reply: Reply, where: Where, *, code: str, opens: bool) -> Answer | None:
        person = picked(reply.interaction)
        if person is not None and not person.bot and await self.answers.decline(reply, person):
            return None
        async with AsyncExitStack() as held:
            async with reply.in_time():
                await held.enter_async_context(self.replies.press_turn(reply))
                answer = await self.requests.press(press_of(reply.interaction, where, code))
            if not opens or not isinstance(answer, BoardAnswer):
                return await self._show(reply, answer)
            # The sheet has become a table, which stands in a message of its own.
            await self.answers.in_place(reply, answer)
            return answer

    async def _show(self, reply: Reply, answer: Answer) -> Answer | None:
        """Show *answer* in place of the pressed message, or else beside it."""
        match answer:
            case BoardAnswer(board=ReservedBoard() as board):
                if not await self.replies.show(reply, board):
                    await self.answers.answer(reply, replace(answer, board=None))
            case BoardAnswer(aloud=False) | Said(said=""):
                await reply.defer()
            case MenuAnswer(screen, picture):
                await self.replies.ask(reply, screen, picture)
                if (message := reply.own_message) is not None:
                    self.renewals.start(reply, message, answer)
            case Promised():
                if answer.in_place and reply.own_message is not None:
                    await reply.defer()
                else:
                    await reply.promise(escape(answer.said))
                return answer
            case _:
                await self.answers.answer(reply, answer)
        if reply.unmoved:
            said = verbatim(answer.said) if answer.said else phrase("settings.same")
            await self.answers.tell(reply, said)
        return None

    async def _call(
        self,
        reply: Reply,
        _: Where,
        *,
        command: CommandSpec,
        values: Mapping[str, str],
        people: Mapping[str, discord.abc.User],
        upload: Upload | None,
    ) -> Answer | None:
        for person in people.values():
            if await self.answers.decline(reply, person, challenges=command.act is Action.PLAY):
                return None
        async with reply.in_time():
            call = call_of(reply.interaction, command.name, values, people)
            answer = await self.requests.call(replace(call, upload=upload))
        match answer:
            case BoardAnswer(board=ReservedBoard() as board):
                await self.replies.post(reply, board)
            case Promised():
                await reply.promise(escape(answer.said))
            case _:
                await self.answers.answer(reply, answer)
        return answer

    async def complete(
        self, interaction: Interaction, command: CommandSpec, parameter: str, text: str
    ) -> list[discord.app_commands.Choice[str]]:
        """Completions of *parameter*; none if they are too late."""
        typed = {
            key: value
            for key, value in vars(interaction.namespace).items()
            if isinstance(value, str) and key != parameter
        }
        call = call_of(interaction, command.name, typed, {})
        try:
            async with asyncio.timeout(SUGGESTING):
                found = await self.requests.suggest(call, parameter, text)
        except TimeoutError:
            return []
        except Exception:
            log.exception("no completions of %s", parameter)
            return []
        choice = discord.app_commands.Choice
        fit = ((one.label[:100], one.value) for one in found[:25] if 0 < len(one.value) <= 100)
        return [choice(name=label or value, value=value) for label, value in fit]

    def is_new(self, interaction: Interaction, *, keeps_ticket: bool = True) -> bool:
        """Note *interaction*, and the ticket that it is; false if it came before, or we stop."""
        if self.closed or interaction.id in self._seen:
            return False
        self._seen[interaction.id] = None
        if is_visitor(interaction):
            self.membership.hear(where_of(interaction))
        if keeps_ticket:
            # The first response to a launch is no message that could become a board.
            place, message = str(interaction.channel_id), interaction.message
            kind = COMMAND if message is None else PRESS
            pressed = None if message is None else str(message.id)
            self.access.tickets.note(place, Ticket.of(interaction, kind), pressed)
        return True

    def note(self, data: Mapping[str, Any], *, member: bool, known: bool) -> None:
        """Note what an interaction, as Discord sends it, tells of its place."""
        channel = data.get("channel") or {}
        self.scrollback.note_channel(channel)
        if "id" in channel:
            now = circumstances_of(data, member=member, known=known)
            if self.access.note(str(channel["id"]), now):
                self._changed[str(channel["id"])] = True

    async def note_place(self, place: str, now: Circumstances) -> None:
        """An event tells what *place* is like *now*: what waited is shown, or people are told."""
        if now == self.access.at(place):
            return
        where = Where(PLATFORM, place)
        if self.access.note(place, now):
            await self.places.let_in(where)
        else:
            await self.permission_notices.change(where)

    async def _is_allowed(self, reply: Reply, where: Where, *, opens: bool) -> bool:
        """Whether the asker is not too fast, which they are told, and we still take anything."""
        try:
            asker = asker_of(reply.interaction)
            verdict = await self.requests.limits.judge(asker, where, opens=opens)
        except StorageError as wrong:
            log.error("%s", wrong)
            verdict = LimitVerdict.TAKEN
        if self.closed:  # meanwhile
            return False
        if verdict is not LimitVerdict.TAKEN:
            await self.answers.too_fast(reply, aloud=verdict is LimitVerdict.REFUSED)
        return verdict is LimitVerdict.TAKEN

    async def _tell_groups(self, reply: Reply) -> None:
        """Tell the asker once, for a while, that commands have gone into groups."""
        asker, since = reply.interaction.user.id, self.grouped_at
        if since is None or time.time() >= since + TOLD_FOR or asker in self._told:
            return
        self._told[asker] = None
        said = (await self.answers.tongue(reply.interaction)).say(phrase("discord.groups"))
        await reply.add(self.link(said), private=True)

    async def until_answered(self, token: str) -> None:
        """Wait until the interaction of *token* is answered: its token is not valid before."""
        if (answered := self._open.get(token)) is not None:
            await asyncio.wait({answered})

    async def drain(self, patience: float = 3.0) -> None:
        """Take nothing more and wait for the answers under way."""
        self.closed = True
        self.renewals.stop()
        await self.until_quiet(patience)

    async def until_quiet(self, patience: float) -> None:
        """Wait for the answers under way, at most *patience* seconds."""
        if self._open:
            await asyncio.wait(set(self._open.values()), timeout=patience)
