"""What Discord knows of the bot, for ``ludoteca doctor``: name, commands, servers, places."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from types import MappingProxyType

import aiohttp
import discord

from bot.chats.discord.activity_checkup import activity_checkup
from bot.chats.discord.commands import path_of
from bot.chats.discord.emojis import emoji_names
from bot.chats.discord.place_checkup import PlaceCheckup
from bot.chats.discord.reading import list_unasked
from bot.facade import COMMANDS
from bot.port import Diagnosis

PATIENCE, MOST = 60.0, 200
"""Seconds for all requests together, and servers that are checked: Discord lists no more."""


async def checkup(
    token: str,
    boards: Mapping[str, Sequence[str]] = MappingProxyType({}),
    secret: str = "",
    back: str = "",
) -> list[Diagnosis]:
    """Ask Discord with *token* and *secret*, which are never shown; nothing is changed.

    *boards* are the codes of living tables by the places in which their boards stand, *back* is
    where people come back to who sign in with Discord on the public page.
    """
    client = discord.Client(intents=discord.Intents.none(), max_ratelimit_timeout=30.0)
    try:
        async with asyncio.timeout(PATIENCE):
            await client.login(token)
            return [*await _ask(client, secret, back), *await _boards(client, boards)]
    except discord.LoginFailure:
        return [Diagnosis("error", "Discord refuses the token of DISCORD_TOKEN.")]
    except (OSError, TimeoutError, aiohttp.ClientError, discord.DiscordException) as wrong:
        return [Diagnosis("warning", f"Discord could not be asked ({type(wrong).__name__}).")]
    finally:
        await client.close()


async def _ask(client: discord.Client, secret: str, back: str) -> list[Diagnosis]:
    found = [Diagnosis("fine", f"Discord knows the bot as {client.user}.")]
    commands = await client.http.get_global_commands(client.application_id or 0)
    names = {one["name"] for one in commands}
    ours = dict.fromkeys(path_of(command)[0] for command in COMMANDS)
    lacking = [name for name in ours if name not in names]
    if lacking:
        told = f"Discord lacks commands until the bot starts: {', '.join(lacking)}."
        found.append(Diagnosis("warning", told))
    else:
        found.append(Diagnosis("fine", f"All {len(ours)} commands and groups are registered."))
    found += await activity_checkup(client, commands, secret, back)
    try:
        servers = await client.http.get_guilds(limit=MOST)
    except discord.HTTPException as wrong:
        told = f"Discord did not list the servers ({wrong.status})."
        return [*found, Diagnosis("warning", told)]
    count = f"at least {MOST}" if len(servers) == MOST else len(servers)
    found.append(Diagnosis("fine", f"The bot is a member of {count} servers."))
    for server in servers:
        if lacks := list_unasked(discord.Permissions(int(server.get("permissions", 0)))):
            said = f"In {server['name']!r} the bot lacks: {', '.join(lacks)}."
            found.append(Diagnosis("warning", said))
    return found


async def _boards(client: discord.Client, boards: Mapping[str, Sequence[str]]) -> list[Diagnosis]:
    """How many faces there are for buttons, and which tables suffer from what."""
    found: list[Diagnosis] = []
    try:
        there = {one.name for one in await client.fetch_application_emojis()}
    except discord.HTTPException as wrong:
        told = f"Discord did not list the faces of buttons ({wrong.status})."
        found.append(Diagnosis("warning", told))
    else:
        wanted = await asyncio.to_thread(emoji_names)
        count = len(there & set(wanted))
        whole = count == len(wanted)
        told = f"Discord has {count} of {len(wanted)} faces for buttons"
        more = "." if whole else "; the rest is sent while the bot runs."
        found.append(Diagnosis("fine" if whole else "warning", f"{told}{more}"))
    return [*found, *await PlaceCheckup(client).ask(boards)]
