"""Takes interactions, asks the house and gives the answer.

A press or a command is decided and stored first and answered once, with the outcome. Where
that takes longer than ``WATCHDOG``, it is deferred, since Discord waits three seconds.
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from io import BytesIO

import discord

from bot.chats.discord.layout import laid_out, overflow, picture_file, worded
from bot.chats.discord.markdown import escaped
from bot.chats.discord.reply import Interaction, Reply
from bot.chats.discord.tickets import COMMAND, PRESS, Answering, Ticket
from bot.chats.port import Answer, Asker, Call, Press, Suggestion, Where
from bot.commands import Command
from bot.house import House
from bot.screens import Button, Screen
from bot.texts import Language, language
from games.core import phrase
from games.core.shelf import shelf
from storage import places
from storage import views as stored

log = logging.getLogger(__name__)

PLATFORM = "discord"

WATCHDOG = 1.2
"""Seconds after which an interaction is deferred."""

SUGGESTING = 2.0
"""Seconds after which completions come too late to be of use."""

REMEMBERED = 4096
"""How many interactions are remembered, so that one delivered twice is taken once."""

NEEDED = {
    "view_channel": "discord.permission.view-channel",
    "send_messages": "discord.permission.send-messages",
    "attach_files": "discord.permission.attach-files",
}
"""What the bot must be allowed in a channel to keep a board there, and how that is called."""

CHALLENGE = "challenge"
"""Begins the codes of the buttons that choose the game of a challenge."""


@dataclass
class Reception:
    """Everything that comes in from Discord."""

    house: House
    tickets: Answering = field(default_factory=Answering)
    closed: bool = False
    _seen: OrderedDict[int, None] = field(default_factory=OrderedDict)
    _open: set[str] = field(default_factory=set)
    """The places that are known to let us in."""
    _left: set[str] = field(default_factory=set)
    """The places of servers that we were put out of."""

    # ---------------------------------------------------------------- presses

    async def pressed(self, interaction: Interaction) -> None:
        """A button of ours, or a choice of a list, was pressed."""
        if not self._take(interaction):
            return
        code = _code(interaction)
        if code.startswith(f"{CHALLENGE}.") and _asked_alone(interaction.message):
            await self._chosen(interaction, code)
            return
        reply = Reply(interaction, _visitor(interaction))
        ticket = _ticket(interaction, PRESS)
        with self.tickets.answering(interaction.token):
            where, message = _where(interaction), interaction.message
            press = Press(
                str(interaction.id),
                where,
                _asker(interaction),
                code,
                str(message.id) if message is not None else None,
                ticket.text(),
            )
            answer = await self._in_time(self.house.press(press), reply.wait)
            await self._answer_press(reply, answer)
        await self._open_again(where)

    async def _answer_press(self, reply: Reply, answer: Answer) -> None:
        screen = answer.screen
        if answer.menu and screen is not None:
            await self._turn(reply, screen, answer.picture)
        elif screen is not None:
            await self._show(reply, answer, screen)
        elif answer.file is not None or not (answer.on_board or not answer.said):
            await self._say(reply, answer)
        else:
            await reply.wait()

    async def _turn(self, reply: Reply, screen: Screen, picture: bytes | None) -> None:
        """Put *screen* in place of the pressed message; a picture that still holds stays."""
        stands = _has_picture(reply.interaction.message)
        if picture is None and screen.scene is not None and not stands:
            picture = await asyncio.to_thread(self.house.gallery.picture, screen.scene)
        if picture is not None:
            view = laid_out(screen, pictured=True)
            await reply.edit(view, [picture_file(picture, screen)])
        elif screen.scene is not None:
            await reply.edit(laid_out(screen, pictured=True), None)
        else:
            await reply.edit(laid_out(screen, pictured=False), [])
        for piece in overflow(screen):
            await reply.add(piece, private=True)

    async def _show(self, reply: Reply, answer: Answer, screen: Screen) -> None:
        files = [picture_file(answer.picture, screen)] if answer.picture is not None else []
        view = laid_out(screen, pictured=bool(files))
        await reply.send(view, files, private=answer.private)
        for piece in overflow(screen):
            await reply.add(piece, private=answer.private)

    async def _say(self, reply: Reply, answer: Answer) -> None:
        files = []
        if answer.file is not None:
            files.append(discord.File(BytesIO(answer.file.data), answer.file.name))
        private = answer.private or not answer.good
        await reply.say(escaped(answer.said), files, private=private)

    # ---------------------------------------------------------------- commands

    async def called(
        self,
        interaction: Interaction,
        command: Command,
        values: Mapping[str, str],
        people: Mapping[str, discord.abc.User],
    ) -> None:
        """The command *command* was given."""
        if not self._take(interaction):
            return
        reply = Reply(interaction, _visitor(interaction))
        ticket = _ticket(interaction, COMMAND)
        where = _where(interaction)

        async def think() -> None:
            await reply.think(private=command.private)
            self.tickets.keep_original(interaction.token, reply.original)

        with self.tickets.answering(interaction.token):
            call = self._call(interaction, command.name, values, people, ticket)
            answer = await self._in_time(self.house.call(call), think)
            fills = answer.view is not None and await self._fills(answer.view, ticket)
            if fills:
                await think()
            elif answer.screen is not None:
                await self._show(reply, answer, answer.screen)
            else:
                await self._say(reply, answer)
        if fills:
            await self._warn(reply, where)
        await self._open_again(where)

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
                typed[parameter] = language("en").say(phrase("house.word.computer")).split()[0]
            elif person.bot:
                typed[parameter] = f"bot {person.display_name}"
            else:
                asked[parameter] = _person(person)
        return Call(
            str(interaction.id),
            _where(interaction),
            _asker(interaction),
            name,
            typed,
            asked,
            None,
            ticket.text(),
        )

    async def _fills(self, view_id: int, ticket: Ticket) -> bool:
        """Whether the board of this view is to become the answer to the command."""
        async with self.house.store.reading() as tx:
            view = await stored.get(tx, view_id)
        return view is not None and view.message is None and view.token == ticket.text()

    async def suggested(
        self, interaction: Interaction, command: Command, parameter: str, text: str
    ) -> list[discord.app_commands.Choice[str]]:
        """Completions of *parameter*, none where they would come too late."""
        typed = {
            key: value
            for key, value in vars(interaction.namespace).items()
            if isinstance(value, str) and key != parameter
        }
        call = self._call(interaction, command.name, typed, {}, _ticket(interaction, COMMAND))
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
        """Somebody chose «Challenge» on a person: ask for the game where there are several."""
        if not self._take(interaction):
            return
        tongue = await self._tongue(interaction)
        rows = tuple(
            (
                Button(
                    tongue.say(phrase(f"{game.key}.name")),
                    f"{CHALLENGE}.{game.key}.{person.id}.{person.display_name}"[:100],
                    "good",
                ),
            )
            for game in shelf().values()
        )
        asked = tongue.say(phrase("discord.which-game", name=person.display_name))
        screen = Screen("", 0, asked, rows=rows, language=tongue.code)
        if person.bot and not _is_us(interaction, person):
            sentence = tongue.say(phrase("discord.bots-do-not-play"))
            await Reply(interaction).say(escaped(sentence), private=True)
            return
        await Reply(interaction).send(laid_out(screen, pictured=False), private=True)

    async def _chosen(self, interaction: Interaction, code: str) -> None:
        """The game of a challenge was chosen: the table opens beside the question."""
        _, game, number, name = (*code.split(".", 3), "", "", "")[:4]
        reply = Reply(interaction)
        values = {"game": game}
        people = {}
        if _is_us(interaction, number):
            values["opponent"] = language("en").say(phrase("house.word.computer")).split()[0]
        elif number.isdigit():
            people["opponent"] = Asker(PLATFORM, number, name)
        ticket = _ticket(interaction, PRESS)
        with self.tickets.answering(interaction.token):
            call = self._call(interaction, "play", values, {}, ticket)
            call = replace(call, people=people)
            answer = await self._in_time(self.house.call(call), reply.wait)
            await reply.edit(worded(escaped(answer.said) or "✓"), [])
        if answer.good:
            await self._warn(reply, _where(interaction))
        await self._open_again(_where(interaction))

    # ---------------------------------------------------------------- around

    def _take(self, interaction: Interaction) -> bool:
        """Whether this interaction is new, and we still take any."""
        if self.closed or interaction.id in self._seen:
            return False
        self._seen[interaction.id] = None
        while len(self._seen) > REMEMBERED:
            self._seen.popitem(last=False)
        return True

    async def _in_time(
        self, answering: Awaitable[Answer], defer: Callable[[], Awaitable[None]]
    ) -> Answer:
        """What *answering* answers; *defer* is called where that takes too long."""
        task = asyncio.ensure_future(answering)
        done, _ = await asyncio.wait({task}, timeout=WATCHDOG)
        if not done:
            await defer()
        return await task

    async def _tongue(self, interaction: Interaction) -> Language:
        manager, asker = self.house.manager, _asker(interaction)
        person = await manager.person(asker)
        return language(await manager.language_of(_where(interaction), person, asker))

    async def _warn(self, reply: Reply, where: Where) -> None:
        """Tell the asker alone what will keep the board from being renewed here."""
        interaction = reply.interaction
        if where.private:
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

    async def _open_again(self, where: Where) -> None:
        """Where somebody gives an order we are let in again: show what waited there."""
        if where.place in self._open:
            return
        self._left.discard(where.place)
        async with self.house.store.reading() as tx:
            shut = (await places.place(tx, PLATFORM, where.place)).suspended
        if len(self._open) > REMEMBERED:
            self._open.clear()
        self._open.add(where.place)
        if shut:
            await self.house.delivery.wake_place(where)

    def put_out(self, channels: Iterable[str]) -> None:
        """We are no member any more where these *channels* are."""
        self._left.update(channels)
        self._open.difference_update(self._left)

    def is_out(self, where: Where) -> bool:
        """Whether we were put out of *where*."""
        return where.place in self._left

    async def back_in(self, channels: Collection[str]) -> None:
        """We are a member again where these *channels* are."""
        self._left.difference_update(channels)
        async with self.house.store.reading() as tx:
            shut = [
                Where(PLATFORM, channel)
                for channel in channels
                if (await places.place(tx, PLATFORM, channel)).suspended
            ]
        for where in shut:
            await self.house.delivery.wake_place(where)

    def shut(self, where: Where) -> None:
        """The place does not let us in."""
        self._open.discard(where.place)

    async def drain(self, patience: float = 3.0) -> None:
        """Take nothing more, and wait for the answers under way."""
        self.closed = True
        until = asyncio.get_running_loop().time() + patience
        # It is many answers that are waited for, not one event.
        while self.tickets.busy() and asyncio.get_running_loop().time() < until:  # noqa: ASYNC110
            await asyncio.sleep(0.02)


def _code(interaction: Interaction) -> str:
    data: Mapping[str, object] = dict(interaction.data or {})
    values = data.get("values")
    if isinstance(values, list) and values:
        return str(values[0])
    return str(data.get("custom_id", ""))


def _where(interaction: Interaction) -> Where:
    """The place of *interaction*; a thread is a place of its own, with its own id."""
    private = interaction.guild_id is None and not interaction.context.private_channel
    return Where(PLATFORM, str(interaction.channel_id), private=private)


def _visitor(interaction: Interaction) -> bool:
    """Whether only an installation of a person brings us here: we are no member."""
    if interaction.guild_id is None:
        return interaction.context.private_channel
    return interaction.client.get_guild(interaction.guild_id) is None


def _ticket(interaction: Interaction, kind: str) -> Ticket:
    return Ticket(kind, _visitor(interaction), interaction.id, interaction.token)


def _asker(interaction: Interaction) -> Asker:
    return replace(_person(interaction.user), language=interaction.locale.value)


def _person(user: discord.abc.User) -> Asker:
    return Asker(PLATFORM, str(user.id), user.display_name, handle=user.name)


def _is_us(interaction: Interaction, person: discord.abc.User | str) -> bool:
    me = interaction.client.user
    number = person if isinstance(person, str) else str(person.id)
    return me is not None and str(me.id) == number


def _has_picture(message: discord.Message | None) -> bool:
    """Whether *message* shows a picture of ours."""
    return message is not None and any(
        isinstance(part, discord.MediaGalleryComponent)
        for top in message.components
        for part in (top, *getattr(top, "children", ()))
    )


def _asked_alone(message: discord.Message | None) -> bool:
    """Whether *message* is one that the presser alone sees, and not somebody's board."""
    return message is not None and message.flags.ephemeral


def _choice(one: Suggestion) -> discord.app_commands.Choice[str]:
    return discord.app_commands.Choice(name=one.label[:100] or one.value, value=one.value)
