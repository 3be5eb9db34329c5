"""Interactions as values of the port, and the permissions that the bot needs in a server."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import discord
from discord.app_commands import Namespace
from discord.utils import snowflake_time

from bot.chats.discord.reply import Interaction
from bot.facade import BY_NAME, COMPUTER
from bot.port import Asker, Command, Home, PlaceStanding, Press, Where
from games.core import Phrase, phrase

PLATFORM = "discord"

SERVER = "server-"
"""The prefix of a server's id as a place: old servers have the id of their first channel."""

TOKEN_LIFE = timedelta(minutes=15)
"""How long a token is valid (Discord's documentation, receiving and responding)."""

MARGIN = timedelta(seconds=20)
"""A token with less time left is not used."""

COMMAND, PRESS = "c", "p"

NAMES = {
    "view_channel": "View Channels",
    "send_messages": "Send Messages",
    "attach_files": "Attach Files",
    "read_message_history": "Read Message History",
    "create_public_threads": "Create Public Threads",
    "send_messages_in_threads": "Send Messages in Threads",
}
"""The permissions that the bot asks for, and their names in Discord's settings, in English."""

PERMISSIONS = discord.Permissions(sum(discord.Permissions.VALID_FLAGS[name] for name in NAMES))

NEEDED = ("view_channel", "send_messages", "attach_files", "read_message_history")
"""The permissions that boards and calls in a channel need."""


@dataclass(frozen=True)
class Ticket:
    """The *token* of an *interaction*, by which its original response can be edited.

    *kind* is ``COMMAND`` if that response is to become the board, ``PRESS`` if it is the pressed
    message. *visitor*: the bot is no member of the place and has nothing but the token.
    """

    kind: str
    visitor: bool
    interaction: int
    token: str

    @classmethod
    def of(cls, interaction: Interaction, kind: str) -> Ticket:
        """The ticket of *interaction*."""
        return cls(kind, is_visitor(interaction), interaction.id, interaction.token)

    def text(self) -> str:
        """The ticket as views store it."""
        return f"{self.kind}{'v' if self.visitor else 'm'}.{self.interaction}.{self.token}"

    @classmethod
    def read(cls, text: str | None) -> Ticket | None:
        """The ticket that *text* stores, or ``None``."""
        head, _, tail = (text or "").partition(".")
        number, _, token = tail.partition(".")
        if len(head) != 2 or not number.isdigit() or not token:
            return None
        return cls(head[0], head[1] == "v", int(number), token)

    def fresh(self, now: datetime) -> bool:
        """Whether the token is still valid at *now*."""
        return now < snowflake_time(self.interaction) + TOKEN_LIFE - MARGIN


def pressed_code(interaction: Interaction) -> str:
    """The code of the pressed button or the chosen option; a list of people has one code."""
    data: Mapping[str, Any] = dict(interaction.data or {})
    values = data.get("values")
    if values and data.get("component_type") == discord.ComponentType.select.value:
        return str(values[0])
    return str(data.get("custom_id", ""))


def picked(interaction: Interaction) -> discord.abc.User | None:
    """The person who was picked from a list."""
    resolved: Any = dict(interaction.data or {}).get("resolved", {})
    found = Namespace._get_resolved_items(interaction, resolved).values()
    return next((one for one in found if isinstance(one, discord.abc.User)), None)


def text_of(interaction: Interaction) -> str:
    """The text that was typed into a form; a choice has a value too, which nobody has typed."""
    data: Mapping[str, Any] = dict(interaction.data or {})
    fields = (part.get("component", {}) for part in data.get("components", ()))
    typed = discord.ComponentType.text_input.value
    return next((str(field["value"]) for field in fields if field.get("type") == typed), "")


def where_of(interaction: Interaction) -> Where:
    """The place of *interaction*; a thread is a place of its own, with its own id."""
    private = interaction.guild_id is None and not interaction.context.private_channel
    home = None
    if interaction.guild_id is not None:
        spoken = interaction.guild_locale.value if interaction.guild_locale else None
        parent = getattr(interaction.channel, "parent_id", None) or interaction.channel_id
        parts = may_part(interaction) and not is_visitor(interaction)
        closed = getattr(interaction.channel, "type", None) is discord.ChannelType.private_thread
        home = Home(f"{SERVER}{interaction.guild_id}", spoken, str(parent), parts, closed)
    circle = interaction.guild_id is None and not private
    return Where(PLATFORM, str(interaction.channel_id), private=private, home=home, circle=circle)


def is_visitor(interaction: Interaction) -> bool:
    """Whether we are no member here: somebody has installed the bot for themselves."""
    if interaction.guild_id is None:
        return interaction.context.private_channel
    return interaction.client.get_guild(interaction.guild_id) is None


def asker_of(interaction: Interaction) -> Asker:
    """The person who asks, with the language of their Discord."""
    return asker_from(interaction.user, interaction.locale.value)


def asker_from(user: discord.abc.User, language: str | None = None) -> Asker:
    """*user* as an asker, with the *language* of their Discord if it is known."""
    return Asker(PLATFORM, str(user.id), user.display_name, language, user.name)


def place_standing_of(interaction: Interaction) -> PlaceStanding:
    """The standing of the asker in the place; nobody manages a private chat."""
    if interaction.guild_id is None:
        return PlaceStanding(equals=True)
    user = interaction.user
    roles = user.roles if isinstance(user, discord.Member) else ()
    manages = interaction.permissions.manage_guild
    return PlaceStanding(manages, frozenset(str(role.id) for role in roles))


def press_of(interaction: Interaction, where: Where, code: str) -> Press:
    """The press in *where* of a button, or of a list's option, with *code*."""
    message, person = interaction.message, picked(interaction)
    return Press(
        str(interaction.id),
        where,
        asker_of(interaction),
        code,
        str(message.id) if message is not None else None,
        token=Ticket.of(interaction, PRESS).text(),
        whispered=True,
        own=message is not None and message.flags.ephemeral,
        standing=place_standing_of(interaction),
        person=None if person is None or person.bot else asker_from(person),
        text=text_of(interaction),
        sent=interaction.created_at,
        takes_board=True,
    )


def call_of(
    interaction: Interaction,
    name: str,
    values: Mapping[str, str],
    people: Mapping[str, discord.abc.User],
) -> Command:
    """The command *name*; a challenge to the bot itself is one to the computer."""
    bot = {parameter for parameter, person in people.items() if is_us(interaction, person)}
    return Command(
        str(interaction.id),
        where_of(interaction),
        asker_of(interaction),
        name,
        {**values, **dict.fromkeys(bot, COMPUTER)},
        {name: asker_from(person) for name, person in people.items() if name not in bot},
        token=Ticket.of(interaction, COMMAND).text(),
        whispered=BY_NAME[name].private,
        standing=place_standing_of(interaction),
        sent=interaction.created_at,
        takes_board=True,
    )


def why_not(
    interaction: Interaction, person: discord.abc.User, *, challenges: bool
) -> Phrase | None:
    """Why *person* cannot be named where *interaction* was made, or challenged, if they cannot."""
    name, us = person.display_name, is_us(interaction, person)
    if person.bot and not us:
        return phrase("discord.bots-do-not-play")
    if interaction.guild_id is None or is_visitor(interaction) or us or not challenges:
        return None
    if not isinstance(person, discord.Member):
        return None  # whether they are no member is not sure
    if person.pending:
        return phrase("discord.pending", name=name)
    return phrase("discord.timed-out", name=name) if person.is_timed_out() else None


def is_us(interaction: Interaction, person: discord.abc.User) -> bool:
    """Whether *person* is the bot itself."""
    me = interaction.client.user
    return me is not None and me.id == person.id


def may_part(interaction: Interaction) -> bool:
    """Whether the bot may start a thread in the channel of *interaction* and write there."""
    allowed, channel = interaction.app_permissions, interaction.channel
    if channel is None or channel.type not in (discord.ChannelType.text, discord.ChannelType.news):
        return False
    return allowed.create_public_threads and allowed.send_messages_in_threads


def list_unasked(allowed: discord.Permissions) -> tuple[str, ...]:
    """The permissions that the bot asks for and lacks, by their names in Discord's settings."""
    if allowed.administrator:
        return ()
    return tuple(said for name, said in NAMES.items() if not getattr(allowed, name))
