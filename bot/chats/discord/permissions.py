"""The permissions that the bot needs in a server, and their names in Discord's settings."""

from __future__ import annotations

import discord

from bot.chats.discord.reply import Interaction
from games.core import Phrase, phrase

PERMISSIONS = discord.Permissions(
    view_channel=True,
    send_messages=True,
    send_messages_in_threads=True,
    create_public_threads=True,
    attach_files=True,
    read_message_history=True,
)
"""The permissions that the bot asks for."""

NAMES = {
    "view_channel": "View Channels",
    "send_messages": "Send Messages",
    "send_messages_in_threads": "Send Messages in Threads",
    "create_public_threads": "Create Public Threads",
    "attach_files": "Attach Files",
    "read_message_history": "Read Message History",
}
"""Their names in Discord's settings, in English."""

NEEDED = {
    "view_channel": "discord.permission.view-channel",
    "send_messages": "discord.permission.send-messages",
    "attach_files": "discord.permission.attach-files",
}
"""The permissions that a board in a channel needs, and their names for players."""


def lacking(interaction: Interaction) -> tuple[Phrase, ...]:
    """The permissions that a board lacks in the channel of *interaction*."""
    allowed = interaction.app_permissions
    if isinstance(interaction.channel, discord.Thread):
        allowed.send_messages = allowed.send_messages_in_threads
    return tuple(phrase(key) for name, key in NEEDED.items() if not getattr(allowed, name))


def may_part(interaction: Interaction) -> bool:
    """Whether the bot may start a thread in the channel of *interaction* and write there."""
    allowed, channel = interaction.app_permissions, interaction.channel
    if channel is None or channel.type not in (discord.ChannelType.text, discord.ChannelType.news):
        return False
    return allowed.create_public_threads and allowed.send_messages_in_threads


def unasked(allowed: discord.Permissions) -> tuple[str, ...]:
    """What the bot asks for and is not *allowed*, by the names in Discord's settings."""
    if allowed.administrator:
        return ()
    wanted = (name for name, asked in PERMISSIONS if asked)
    return tuple(NAMES[name] for name in wanted if not getattr(allowed, name))
