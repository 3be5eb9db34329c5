"""What the bot says where it has just been added to a server, until somebody has used it."""

from __future__ import annotations

import logging
import math

import discord

from bot.chats.discord.bot_permissions import lacking_in
from bot.chats.discord.inbound import Inbound
from bot.chats.discord.message_formatting import key_view
from bot.chats.discord.reading import PLATFORM
from bot.facade import Action
from bot.port import Button, Where
from bot.texts import language, spoken
from games.core import phrase
from games.core.shelf import shelf

log = logging.getLogger(__name__)


async def greet(guild: discord.Guild, inbound: Inbound) -> None:
    """Say hello in *guild*, in its language or the default one, with a key that sets up a game.

    It stands where the server tells who has come, or in the first channel that takes boards,
    until somebody plays there.
    """
    channels = [*filter(None, [guild.system_channel]), *guild.text_channels]
    may = ((one, one.permissions_for(guild.me)) for one in channels)
    channel = next((one for one, allowed in may if not lacking_in(allowed, thread=False)), None)
    if channel is None:
        return
    tongue = language(spoken(guild.preferred_locale.value) or inbound.requests.default_language)
    games = tuple(tongue.say(phrase(f"{key}.name")) for key in shelf())
    said = tongue.say(phrase("discord.greeting", games=games))
    code = inbound.buttons.of(Action.SHEET, "game", "")
    view = key_view(Button(tongue.say(phrase("house.sheet.new")), code, "good"))
    try:
        message = await channel.send(inbound.link(said), view=view)
    except discord.HTTPException as wrong:
        log.info("no greeting in %s: %s", channel.id, wrong.status)
        return
    where = Where(PLATFORM, str(channel.id))
    await inbound.fleeting.note(where, str(message.id), math.inf, table=where.place)
