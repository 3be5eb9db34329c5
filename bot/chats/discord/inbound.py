"""Takes interactions, asks the house and gives the answer.

A press or a command is decided and stored first and answered once, with the outcome. Where
that takes longer than ``WATCHDOG``, it is deferred, since Discord waits three seconds.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from io import BytesIO

import discord
from cachetools import LRUCache

from bot.chats.discord.answers import Interaction, Reply, State
from bot.chats.discord.depths import Depths
from bot.chats.discord.flights import Flights, Pulse
from bot.chats.discord.markdown import called, escaped
from bot.chats.discord.membership import Membership
from bot.chats.discord.menus import Menus
from bot.chats.discord.reading import (
    asker_of,
    code_of,
    is_private,
    is_us,
    is_visitor,
    person_of,
    picked,
    standing_of,
    text_of,
    ticket_of,
    where_of,
)
from bot.chats.discord.tickets import COMMAND, PRESS, Answering, Ticket
from bot.chats.discord.writing import (
    form,
    laid_out,
    overflow,
    picture_file,
    picture_name,
    worded,
)
from bot.house import LONGEST_WORDS, House, StorageError, Verdict
from bot.port import (
    Answer,
    Asker,
    BoardAnswer,
    Call,
    Card,
    FileAnswer,
    MenuAnswer,
    Press,
    Said,
    Suggestion,
    Where,
)
from bot.screen.buttons import Act
from bot.screen.commands import BY_ACT, BY_NAME, COMPUTER, Command, Kind
from bot.texts import Language, language
from games.core import phrase

log = logging.getLogger(__name__)

WATCHDOG = 1.2
"""Seconds after which an interaction is deferred, fewer where Discord is far away."""

FILLING = 1.0
"""Seconds for which a command waits for its board to be the answer; then somebody thinks."""

SUGGESTING = 2.0
"""Seconds after which completions come too late to be of use."""

REMEMBERED = 4096
"""How many interactions are remembered, so that one delivered twice is taken once."""

PLAY = BY_ACT[Act.PLAY]

NEEDED = {
    "view_channel": "discord.permission.view-channel",
    "send_messages": "discord.permission.send-messages",
    "attach_files": "discord.permission.attach-files",
}
"""What the bot must be allowed in a channel to keep a board there, and how that is called."""


@dataclass
class Inbound:
    """Everything that comes in from Discord."""

    house: House
    tickets: Answering = field(default_factory=Answering)
    flights: Flights = field(default_factory=Flights)
    pulse: Pulse = field(default_factory=Pulse)
    depths: Depths = field(default_factory=Depths)
    closed: bool = False
    mentions: Mapping[str, str] = field(default_factory=dict)
    """By each name of a command, folded, what calls it; none until they are registered."""
    _seen: LRUCache[int, None] = field(default_factory=lambda: LRUCache(REMEMBERED))

    def __post_init__(self) -> None:
        self.membership = Membership(self.house)
        self.menus = Menus(self.house, self.flights)

    # ---------------------------------------------------------------- presses

    async def pressed(self, interaction: Interaction) -> None:
        """A button of ours, or a choice of a list, was pressed."""
        code = code_of(interaction)
        click = self.house.click(code)
        if not await self._take(interaction, opens=click is not None and click.opens):
            return
        asks = click is not None and click.asks_words
        if asks and interaction.type is discord.InteractionType.component:
            await self._ask_words(interaction, code)
            return
        reply = Reply(interaction, self.pulse, is_visitor(interaction))
        ticket = ticket_of(interaction, PRESS)
        opened = False
        with self.tickets.answering(interaction.token):
            where, message = where_of(interaction), interaction.message
            press = Press(
                str(interaction.id),
                where,
                asker_of(interaction),
                code,
                str(message.id) if message is not None else None,
                ticket.text(),
                whispered=True,
                own=is_private(message),
                standing=standing_of(interaction),
                person=_person_picked(interaction),
                text=text_of(interaction),
            )
            async with self._answered(reply):
                answer = await self._in_time(self.house.press(press), reply.wait)
                if isinstance(answer, BoardAnswer) and click is not None and click.opens:
                    # The sheet has become a table, which stands in a message of its own.
                    opened = True
                    await reply.edit(worded(escaped(answer.said) or "✓"), [])
                else:
                    await self._answer_press(reply, where, answer)
        await self.membership.open_again(where)
        if opened:
            await self._warn(reply, where)

    async def _ask_words(self, interaction: Interaction, code: str) -> None:
        """Open a form for a player's own words; what he types comes as a press with a text."""
        tongue = await self._tongue(interaction)
        title, label = (tongue.say(phrase(f"discord.words.{part}")) for part in ("title", "label"))
        async with self._answered(Reply(interaction, self.pulse)):
            await interaction.response.send_modal(form(code, title, label, LONGEST_WORDS))

    async def _answer_press(self, reply: Reply, where: Where, answer: Answer) -> None:
        match answer:
            case MenuAnswer(screen, picture):
                await self.menus.turn(reply, where, screen, picture)
            case Card():
                await self._show(reply, answer)
            case BoardAnswer(aloud=False) | Said(said=""):
                await reply.wait()
            case _:
                await self._say(reply, answer)

    async def _show(self, reply: Reply, card: Card) -> None:
        screen, picture = card.screen, card.picture
        files = [picture_file(picture, screen)] if picture is not None else []
        name = picture_name(picture, screen) if picture is not None else None
        await reply.send(laid_out(screen, name), files, private=True)
        for piece in overflow(screen):
            await reply.add(piece, private=True)

    async def _say(self, reply: Reply, answer: Answer) -> None:
        files = []
        if isinstance(answer, FileAnswer):
            files.append(discord.File(BytesIO(answer.file.data), answer.file.name))
        open_to_all = isinstance(answer, Said | BoardAnswer) and not answer.private
        private = not (open_to_all and answer.good)
        await reply.say(called(escaped(answer.said), self.mentions), files, private=private)

    # ---------------------------------------------------------------- commands

    async def called(
        self,
        interaction: Interaction,
        command: Command,
        values: Mapping[str, str],
        people: Mapping[str, discord.abc.User],
    ) -> None:
        """The command *command* was given."""
        if not await self._take(interaction, opens=command.act is Act.PLAY):
            return
        if any(person.bot and not is_us(interaction, person) for person in people.values()):
            await self._bots_do_not_play(interaction)
            return
        reply = Reply(interaction, self.pulse, is_visitor(interaction))
        ticket = ticket_of(interaction, COMMAND)
        where = where_of(interaction)

        async def think() -> None:
            await reply.think(private=command.private or command.lacks(values))
            self.tickets.keep_original(interaction.token, reply.original)

        fills = False
        with self.tickets.answering(interaction.token):
            async with self._answered(reply):
                call = self._call(interaction, command.name, values, people, ticket)
                answer = await self._in_time(self.house.call(call), think)
                if isinstance(answer, BoardAnswer) and answer.view is not None:
                    fills = await self.house.boards.waits(answer.view, ticket.text())
                if fills:
                    if not await self._filled(
                        reply, private=command.private or command.lacks(values)
                    ):
                        await think()
                elif isinstance(answer, Card):
                    await self._show(reply, answer)
                else:
                    await self._say(reply, answer)
        await self.membership.open_again(where)
        if fills:
            await self._warn(reply, where)

    async def _filled(self, reply: Reply, *, private: bool) -> bool:
        """Whether the board was the answer, and not something that waits for it."""
        if reply.state is not State.NOTHING:
            return False
        token = reply.interaction.token
        return await self.tickets.lend(
            token, reply, private=private, patience=self.pulse.patience(FILLING)
        )

    def _call(
        self,
        interaction: Interaction,
        name: str,
        values: Mapping[str, str],
        people: Mapping[str, discord.abc.User],
        ticket: Ticket,
    ) -> Call:
        typed, asked = dict(values), {}
        for parameter, person in people.items():
            me = interaction.client.user
            if me is not None and person.id == me.id:
                # Whoever challenges the bot itself plays the computer.
                typed[parameter] = COMPUTER
            else:
                asked[parameter] = person_of(person)
        return Call(
            str(interaction.id),
            where_of(interaction),
            asker_of(interaction),
            name,
            typed,
            asked,
            None,
            ticket.text(),
            whispered=BY_NAME[name].private,
            standing=standing_of(interaction),
        )

    async def suggested(
        self, interaction: Interaction, command: Command, parameter: str, text: str
    ) -> list[discord.app_commands.Choice[str]]:
        """Completions of *parameter*, none where they would come too late."""
        typed = {
            key: value
            for key, value in vars(interaction.namespace).items()
            if isinstance(value, str) and key != parameter
        }
        call = self._call(interaction, command.name, typed, {}, ticket_of(interaction, COMMAND))
        try:
            async with asyncio.timeout(SUGGESTING):
                found = await self.house.suggest(call, parameter, text)
        except TimeoutError:
            return []
        except Exception:
            log.exception("no completions of %s", parameter)
            return []
        return [_choice(one) for one in found[:25] if 0 < len(one.value) <= 100]

    # ---------------------------------------------------------------- challenges

    async def challenged(self, interaction: Interaction, person: discord.abc.User) -> None:
        """Somebody chose «Challenge» on a person: he sets a table up with him."""
        (opponent,) = (p.name for p in PLAY.parameters if p.kind is Kind.PERSON)
        await self.called(interaction, PLAY, {}, {opponent: person})

    async def _bots_do_not_play(self, interaction: Interaction) -> None:
        said = (await self._tongue(interaction)).say(phrase("discord.bots-do-not-play"))
        await Reply(interaction, self.pulse).say(escaped(said), private=True)

    # ---------------------------------------------------------------- around

    async def _take(self, interaction: Interaction, *, opens: bool = False) -> bool:
        """Whether this interaction is new, we still take any, and its maker is not too fast."""
        if self.closed or interaction.id in self._seen:
            return False
        self._seen[interaction.id] = None
        if is_visitor(interaction):
            self.membership.heard(where_of(interaction))
        try:
            limits, where = self.house.limits, where_of(interaction)
            verdict = await limits.judge(asker_of(interaction), where, opens=opens)
        except StorageError as wrong:
            log.error("%s", wrong)
            verdict = Verdict.TAKEN
        if self.closed:  # while it was judged: nobody waits any more for what it would do
            return False
        if verdict is not Verdict.TAKEN:
            with self.tickets.answering(interaction.token):
                await self._too_fast(interaction, aloud=verdict is Verdict.REFUSED)
        return verdict is Verdict.TAKEN

    async def _too_fast(self, interaction: Interaction, *, aloud: bool) -> None:
        """Say once that it was too fast; afterwards nothing is seen of what was asked."""
        reply = Reply(interaction, self.pulse, is_visitor(interaction))
        if aloud:
            said = self.house.tongue(interaction.locale.value).say(phrase("house.too-fast"))
            await reply.say(escaped(said), private=True)
        else:
            await reply.pass_over()

    @asynccontextmanager
    async def _answered(self, reply: Reply) -> AsyncIterator[None]:
        """A fault of ours is logged, and the asker is told what it is."""
        try:
            yield
        except Exception as wrong:
            why = self.house.told(wrong, f"interaction {reply.interaction.id}")
            said = self.house.tongue(reply.interaction.locale.value).say(why)
            await reply.say(escaped(said), private=True)

    async def _in_time(
        self, answering: Awaitable[Answer], defer: Callable[[], Awaitable[None]]
    ) -> Answer:
        """What *answering* answers; *defer* is called where that takes too long."""
        late = False

        async def watch() -> None:
            nonlocal late
            await asyncio.sleep(self.pulse.patience(WATCHDOG))
            late = True
            await defer()

        watchdog = asyncio.create_task(watch())
        try:
            # Awaited here and not in a task: the answer goes out before the board is composed.
            answer = await answering
        finally:
            if not late:
                watchdog.cancel()
        if late:
            await watchdog
        return answer

    async def _tongue(self, interaction: Interaction) -> Language:
        where = where_of(interaction)
        return language(await self.house.language_of(asker_of(interaction), where))

    async def _warn(self, reply: Reply, where: Where) -> None:
        """Tell the asker alone what will keep the board from being renewed here."""
        interaction = reply.interaction
        if where.private or not await self.tickets.until_filled(interaction.token):
            return
        tongue = await self._tongue(interaction)
        if reply.visitor:
            await reply.add(escaped(tongue.say(phrase("discord.visitor"))), private=True)
            return
        allowed = interaction.app_permissions
        if isinstance(interaction.channel, discord.Thread):
            allowed.send_messages = allowed.send_messages_in_threads
        lacking = tuple(phrase(key) for name, key in NEEDED.items() if not getattr(allowed, name))
        if lacking:
            said = tongue.say(phrase("discord.lacking", permissions=lacking))
            await reply.add(escaped(said), private=True)

    async def drain(self, patience: float = 3.0) -> None:
        """Take nothing more, and wait for the answers under way."""
        self.closed = True
        until = asyncio.get_running_loop().time() + patience
        # It is many answers that are waited for, not one event.
        while self.tickets.busy() and asyncio.get_running_loop().time() < until:  # noqa: ASYNC110
            await asyncio.sleep(0.02)


def _person_picked(interaction: Interaction) -> Asker | None:
    """Who was picked from a list of people, unless it is a bot."""
    person = picked(interaction)
    return None if person is None or person.bot else person_of(person)


def _choice(one: Suggestion) -> discord.app_commands.Choice[str]:
    return discord.app_commands.Choice(name=one.label[:100] or one.value, value=one.value)
