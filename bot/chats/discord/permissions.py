"""What the bot must be allowed in a server, and how Discord's own settings call it."""

from __future__ import annotations

import discord

from bot.chats.discord.answers import Interaction
from games.core import Phrase, phrase

PERMISSIONS = discord.Permissions(
    view_channel=True,
    send_messages=True,
    send_messages_in_threads=True,
    create_public_threads=True,
    attach_files=True,
    read_message_history=True,
)
"""What the bot asks for where it is invited."""

NAMES = {
    "view_channel": "View Channels",
    "send_messages": "Send Messages",
    "send_messages_in_threads": "Send Messages in Threads",
    "create_public_threads": "Create Public Threads",
    "attach_files": "Attach Files",
    "read_message_history": "Read Message History",
}
"""The permissions as Discord's own settings call them in English."""

NEEDED = {
    "view_channel": "discord.permission.view-channel",
    "send_messages": "discord.permission.send-messages",
    "attach_files": "discord.permission.attach-files",
}
"""What it takes to keep a board in a channel, and how that is called to people."""


def lacking(interaction: Interaction) -> tuple[Phrase, ...]:
    """What the bot lacks to keep a board where *interaction* was made."""
    allowed = interaction.app_permissions
    if isinstance(interaction.channel, discord.Thread):
        allowed.send_messages = allowed.send_messages_in_threads
    return tuple(phrase(key) for name, key in NEEDED.items() if not getattr(allowed, name))


def may_part(interaction: Interaction) -> bool:
    """Whether the bot may start a thread where *interaction* was made, and write there."""
    allowed, channel = interaction.app_permissions, interaction.channel
    if channel is None or channel.type not in (discord.ChannelType.text, discord.ChannelType.news):
        return False
    return allowed.create_public_threads and allowed.send_messages_in_threads


def unasked(allowed: discord.Permissions) -> tuple[str, ...]:
    """What the bot asks for and is not *allowed*, by Discord's own names."""
    if allowed.administrator:
        return ()
    wanted = (name for name, asked in PERMISSIONS if asked)
    return tuple(NAMES[name] for name in wanted if not getattr(allowed, name))
