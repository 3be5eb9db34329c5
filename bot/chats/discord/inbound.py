"""Takes interactions, asks the house and lets what comes of it be told.

A press or a command is decided and stored first and answered once, with the outcome. Where
that takes longer than ``telling.WATCHDOG``, it is deferred, since Discord waits three seconds.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from dataclasses import dataclass, field
from time import monotonic

import discord
from cachetools import LRUCache

from bot.chats.discord.answers import Interaction, Reply, State
from bot.chats.discord.depths import Depths
from bot.chats.discord.faces import Faces
from bot.chats.discord.flights import Flights, Pulse
from bot.chats.discord.membership import Membership
from bot.chats.discord.menus import Menus
from bot.chats.discord.pressing import Presses, Pressing
from bot.chats.discord.reading import (
    asker_of,
    call_of,
    code_of,
    is_us,
    is_visitor,
    press_of,
    ticket_of,
    where_of,
)
from bot.chats.discord.telling import WATCHDOG, Telling
from bot.chats.discord.tickets import COMMAND, Answering
from bot.chats.discord.writing import form
from bot.facade import LONGEST_WORDS, Facade, StorageError, Verdict
from bot.port import Answer, BoardAnswer, Card, MenuAnswer, Promised, Said, Suggestion, Where
from bot.presenters.buttons import Action
from bot.presenters.command_specs import BY_ACT, CommandSpec, ParameterKind
from games.core import phrase

log = logging.getLogger(__name__)

FILLING = 1.0
"""Seconds for which a command waits for its board to be the answer; then somebody thinks."""

SOON = 0.1
"""Seconds for which a press waits at least for its board to be the answer."""

SUGGESTING = 2.0
"""Seconds after which completions come too late to be of use."""

REMEMBERED = 4096
"""How many interactions are remembered, so that one delivered twice is taken once."""

PLAY = BY_ACT[Action.PLAY]


@dataclass
class Inbound:
    """Everything that comes in from Discord."""

    house: Facade
    tickets: Answering = field(default_factory=Answering)
    flights: Flights = field(default_factory=Flights)
    presses: Presses = field(default_factory=Presses)
    pulse: Pulse = field(default_factory=Pulse)
    depths: Depths = field(default_factory=Depths)
    faces: Faces = field(default_factory=Faces)
    closed: bool = False
    _seen: LRUCache[int, None] = field(default_factory=lambda: LRUCache(REMEMBERED))

    def __post_init__(self) -> None:
        self.membership = Membership(self.house)
        self.menus = Menus(self.house, self.flights, self.faces)
        self.telling = Telling(self.house, self.tickets, self.pulse, self.faces)

    # ---------------------------------------------------------------- presses

    async def pressed(self, interaction: Interaction) -> None:
        """A button of ours, or a choice of a list, was pressed."""
        if not self._is_new(interaction):
            return
        code = code_of(interaction)
        click = self.house.click(code)
        opens = click is not None and click.opens
        asks = "" if click is None else click.asks
        reply, since = Reply(interaction, self.pulse, is_visitor(interaction)), monotonic()
        where = where_of(interaction)
        with self.tickets.answering(interaction.token):
            if asks and interaction.type is discord.InteractionType.component:
                await self._ask(reply, where, code, asks)
                return
            opened, note, promised = False, "", None
            number = interaction.message.id if interaction.message is not None else 0
            async with self.telling.faults(reply):
                if not await self._taken(reply, where, opens=opens):
                    return
                with self.presses.deciding(number, reply) as pressing:

                    async def late() -> None:
                        pressing.decide()
                        await reply.wait()

                    async with self.telling.in_time(late, since):
                        answer = await self.house.press(press_of(interaction, where, code))
                    if not opens and _is_board(answer):
                        await self._show(pressing, where, str(number), since)
                if opens and isinstance(answer, BoardAnswer):
                    # The sheet has become a table, which stands in a message of its own.
                    opened, note = True, answer.note
                    await self.telling.in_place(reply, answer)
                elif isinstance(answer, Promised):
                    promised = answer
                    await self.telling.promise(reply, answer)
                else:
                    await self._answer_press(reply, where, answer)
        if promised is not None:
            await self.telling.keep(reply, promised)
        await self.membership.open_again(where)
        if opened:
            await self.telling.warn(reply, where, note)

    async def _show(self, pressing: Pressing, where: Where, message: str, since: float) -> None:
        """Let the board that is owed to the pressed *message* be the answer, if it is in time."""
        reply = pressing.reply
        if reply.state is State.NOTHING and self.house.owes(where, message):
            patience = self.pulse.patience(WATCHDOG) - (monotonic() - since)
            with self.tickets.open_to_boards(reply.interaction.token):
                await pressing.offer(max(SOON, patience))

    async def _ask(self, reply: Reply, where: Where, code: str, what: str) -> None:
        """Open a form for *what* is typed (``Click.asks``); it comes as a press with a text.

        A form must be the first answer: nothing can be deferred before it.
        """
        async with self.telling.faults(reply):
            if not await self._taken(reply, where):
                return
            tongue = await self.telling.tongue(reply.interaction)
            title, label = (
                tongue.say(phrase(f"discord.{what}.{part}")) for part in ("title", "label")
            )
            modal = form(code, title, label, LONGEST_WORDS)
            await reply.interaction.response.send_modal(modal)

    async def _answer_press(self, reply: Reply, where: Where, answer: Answer) -> None:
        match answer:
            case MenuAnswer(screen, picture):
                await self.menus.turn(reply, where, screen, picture)
            case Card():
                await self.telling.card(reply, answer)
            case _ if _is_board(answer):
                await reply.wait()
            case _:
                await self.telling.answer(reply, answer)

    # ---------------------------------------------------------------- commands

    async def called(
        self,
        interaction: Interaction,
        command: CommandSpec,
        values: Mapping[str, str],
        people: Mapping[str, discord.abc.User],
    ) -> None:
        """The command *command* was given."""
        if not self._is_new(interaction):
            return
        reply, since = Reply(interaction, self.pulse, is_visitor(interaction)), monotonic()
        where, ticket = where_of(interaction), ticket_of(interaction, COMMAND)
        private = command.private or command.lacks(values)

        async def think() -> None:
            await reply.think(private=private)
            self.tickets.keep_original(interaction.token, reply.original)

        fills, note, promised = False, "", None
        with self.tickets.answering(interaction.token):
            async with self.telling.faults(reply):
                if not await self._taken(reply, where, opens=command.act is Action.PLAY):
                    return
                if any(one.bot and not is_us(interaction, one) for one in people.values()):
                    await self.telling.bots_do_not_play(reply)
                    return
                async with self.telling.in_time(think, since):
                    call = call_of(interaction, command.name, values, people)
                    answer = await self.house.call(call)
                    if isinstance(answer, BoardAnswer) and answer.view is not None:
                        fills = await self.house.boards.waits(answer.view, ticket.text())
                        note = answer.note
                if fills:
                    if not await self._filled(reply, private=private):
                        await think()
                elif isinstance(answer, Promised):
                    promised = answer
                    await self.telling.promise(reply, answer)
                elif isinstance(answer, Card):
                    await self.telling.card(reply, answer)
                else:
                    await self.telling.answer(reply, answer)
        if promised is not None:
            await self.telling.keep(reply, promised)
        await self.membership.open_again(where)
        if fills or note:
            await self.telling.warn(reply, where, note)

    async def _filled(self, reply: Reply, *, private: bool) -> bool:
        """Whether the board was the answer, and not something that waits for it."""
        if reply.state is not State.NOTHING:
            return False
        patience = self.pulse.patience(FILLING)
        token = reply.interaction.token
        return await self.tickets.lend(token, reply, private=private, patience=patience)

    async def challenged(self, interaction: Interaction, person: discord.abc.User) -> None:
        """Somebody chose «Challenge» on a person: he sets a table up with him."""
        (opponent,) = (p.name for p in PLAY.parameters if p.kind is ParameterKind.PERSON)
        await self.called(interaction, PLAY, {}, {opponent: person})

    async def suggested(
        self, interaction: Interaction, command: CommandSpec, parameter: str, text: str
    ) -> list[discord.app_commands.Choice[str]]:
        """Completions of *parameter*, none where they would come too late."""
        typed = {
            key: value
            for key, value in vars(interaction.namespace).items()
            if isinstance(value, str) and key != parameter
        }
        call = call_of(interaction, command.name, typed, {})
        try:
            async with asyncio.timeout(SUGGESTING):
                found = await self.house.suggest(call, parameter, text)
        except TimeoutError:
            return []
        except Exception:
            log.exception("no completions of %s", parameter)
            return []
        return [_choice(one) for one in found[:25] if 0 < len(one.value) <= 100]

    # ---------------------------------------------------------------- around

    def _is_new(self, interaction: Interaction) -> bool:
        """Whether this interaction has not come before, and we still take any."""
        if self.closed or interaction.id in self._seen:
            return False
        self._seen[interaction.id] = None
        if is_visitor(interaction):
            self.membership.heard(where_of(interaction))
        return True

    async def _taken(self, reply: Reply, where: Where, *, opens: bool = False) -> bool:
        """Whether it is to be done; who is too fast is told, and nobody once we have ended."""
        try:
            asker = asker_of(reply.interaction)
            verdict = await self.house.limits.judge(asker, where, opens=opens)
        except StorageError as wrong:
            log.error("%s", wrong)
            verdict = Verdict.TAKEN
        if self.closed:  # while it was judged: nobody waits any more for what it would do
            return False
        if verdict is not Verdict.TAKEN:
            await self.telling.too_fast(reply, aloud=verdict is Verdict.REFUSED)
        return verdict is Verdict.TAKEN

    async def drain(self, patience: float = 3.0) -> None:
        """Take nothing more, and wait for the answers under way."""
        self.closed = True
        await self.answered(patience)

    async def answered(self, patience: float) -> None:
        """Wait for the answers under way, at most *patience* seconds."""
        until = asyncio.get_running_loop().time() + patience
        # It is many answers that are waited for, not one event.
        while self.tickets.busy() and asyncio.get_running_loop().time() < until:  # noqa: ASYNC110
            await asyncio.sleep(0.02)


def _is_board(answer: Answer) -> bool:
    """Whether a board says all that there is to say."""
    match answer:
        case BoardAnswer(aloud=False) | Said(said=""):
            return True
        case _:
            return False


def _choice(one: Suggestion) -> discord.app_commands.Choice[str]:
    return discord.app_commands.Choice(name=one.label[:100] or one.value, value=one.value)
