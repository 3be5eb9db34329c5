"""What an interaction says, in the words of the port."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import discord
from discord.app_commands import Namespace
from discord.utils import snowflake_time

from bot.chats.discord.answers import Interaction
from bot.chats.discord.permissions import may_part
from bot.port import Asker, Command, Home, PlaceStanding, Press, Where
from bot.presenters.command_specs import BY_NAME, COMPUTER

PLATFORM = "discord"

SERVER = "server-"
"""How the id of a server begins as a place: an old server has the id of its first channel."""

LIFE = timedelta(minutes=15)
"""How long a token is valid (https://discord.com/developers/docs, receiving and responding)."""

MARGIN = timedelta(seconds=20)
"""What a token must have left to be worth trying."""

COMMAND, PRESS = "c", "p"


@dataclass(frozen=True)
class Ticket:
    """The *token* of an *interaction*.

    *kind* is ``COMMAND`` where the original response is still to become the board, ``PRESS``
    where it is a message that stood there before. *visitor* says that the bot is no member
    of the place: there is nothing but the token.
    """

    kind: str
    visitor: bool
    interaction: int
    token: str

    def text(self) -> str:
        """The ticket as a word, as the house keeps it."""
        return f"{self.kind}{'v' if self.visitor else 'm'}.{self.interaction}.{self.token}"

    @classmethod
    def read(cls, text: str | None) -> Ticket | None:
        """The ticket that *text* is, or ``None``."""
        head, _, tail = (text or "").partition(".")
        number, _, token = tail.partition(".")
        if len(head) != 2 or not number.isdigit() or not token:
            return None
        return cls(head[0], head[1] == "v", int(number), token)

    def fresh(self, now: datetime | None = None) -> bool:
        """Whether the token is still valid."""
        now = now or datetime.now(UTC)
        return now < snowflake_time(self.interaction) + LIFE - MARGIN


def code_of(interaction: Interaction) -> str:
    """The code of the button pressed, or of the choice made in a list.

    A list of people has one code, whoever is picked.
    """
    data: Mapping[str, Any] = dict(interaction.data or {})
    values = data.get("values")
    if values and data.get("component_type") == discord.ComponentType.select.value:
        return str(values[0])
    return str(data.get("custom_id", ""))


def picked(interaction: Interaction) -> discord.abc.User | None:
    """Who was picked from a list of people."""
    resolved: Any = dict(interaction.data or {}).get("resolved", {})
    found = Namespace._get_resolved_items(interaction, resolved).values()
    return next((one for one in found if isinstance(one, discord.abc.User)), None)


def text_of(interaction: Interaction) -> str:
    """What was typed into the field of a form."""
    data: Mapping[str, Any] = dict(interaction.data or {})
    fields = (part.get("component", {}) for part in data.get("components", ()))
    return next((str(field["value"]) for field in fields if "value" in field), "")


def where_of(interaction: Interaction) -> Where:
    """The place of *interaction*; a thread is a place of its own, with its own id."""
    private = interaction.guild_id is None and not interaction.context.private_channel
    home = None
    if interaction.guild_id is not None:
        spoken = interaction.guild_locale.value if interaction.guild_locale else None
        parent = getattr(interaction.channel, "parent_id", None) or interaction.channel_id
        parts = may_part(interaction) and not is_visitor(interaction)
        home = Home(f"{SERVER}{interaction.guild_id}", spoken, str(parent), parts)
    return Where(PLATFORM, str(interaction.channel_id), private=private, home=home)


def is_visitor(interaction: Interaction) -> bool:
    """Whether only an installation of a person brings us here: we are no member."""
    if interaction.guild_id is None:
        return interaction.context.private_channel
    return interaction.client.get_guild(interaction.guild_id) is None


def ticket_of(interaction: Interaction, kind: str) -> Ticket:
    """The token of *interaction*, to be kept by a view."""
    return Ticket(kind, is_visitor(interaction), interaction.id, interaction.token)


def asker_of(interaction: Interaction) -> Asker:
    """Who asks, with the language of his Discord."""
    return person_of(interaction.user, interaction.locale.value)


def person_of(user: discord.abc.User, language: str | None = None) -> Asker:
    """A person as the house knows him, with the *language* of his Discord where that is known."""
    return Asker(PLATFORM, str(user.id), user.display_name, language, user.name)


def standing_of(interaction: Interaction) -> PlaceStanding:
    """What who asks is where he asks; without a server nobody manages anything."""
    if interaction.guild_id is None:
        return PlaceStanding(equals=True)
    user = interaction.user
    roles = user.roles if isinstance(user, discord.Member) else ()
    manages = interaction.permissions.manage_guild
    return PlaceStanding(manages, frozenset(str(role.id) for role in roles))


def press_of(interaction: Interaction, where: Where, code: str) -> Press:
    """The press in *where* of a button with *code*, or what was chosen in a list."""
    message, person = interaction.message, picked(interaction)
    return Press(
        str(interaction.id),
        where,
        asker_of(interaction),
        code,
        str(message.id) if message is not None else None,
        ticket_of(interaction, PRESS).text(),
        whispered=True,
        own=is_private(message),
        standing=standing_of(interaction),
        person=None if person is None or person.bot else person_of(person),
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
    """The command *name* with its *values* and the *people* who were picked.

    Whoever challenges the bot itself plays the computer.
    """
    bot = {parameter for parameter, person in people.items() if is_us(interaction, person)}
    return Command(
        str(interaction.id),
        where_of(interaction),
        asker_of(interaction),
        name,
        {**values, **dict.fromkeys(bot, COMPUTER)},
        {name: person_of(person) for name, person in people.items() if name not in bot},
        None,
        ticket_of(interaction, COMMAND).text(),
        whispered=BY_NAME[name].private,
        standing=standing_of(interaction),
        sent=interaction.created_at,
        takes_board=True,
    )


def is_us(interaction: Interaction, person: discord.abc.User | str) -> bool:
    """Whether *person*, or the person of that id, is the bot itself."""
    me = interaction.client.user
    number = person if isinstance(person, str) else str(person.id)
    return me is not None and str(me.id) == number


def is_private(message: discord.Message | None) -> bool:
    """Whether *message* is one that the presser alone sees, and not somebody's board."""
    return message is not None and message.flags.ephemeral
