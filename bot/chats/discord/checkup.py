"""What Discord knows of the bot, for ``ludoteca doctor``: name, commands, servers, permissions."""

from __future__ import annotations

import asyncio

import aiohttp
import discord

from bot.chats.discord.reading import unasked
from bot.facade import COMMANDS
from bot.port import Diagnosis

PATIENCE, MOST = 15.0, 200
"""Seconds for all requests together, and servers that are checked: Discord lists no more."""


async def checkup(token: str) -> list[Diagnosis]:
    """Ask Discord with *token*, which is never shown; nothing is changed."""
    client = discord.Client(intents=discord.Intents.none(), max_ratelimit_timeout=30.0)
    try:
        async with asyncio.timeout(PATIENCE):
            await client.login(token)
            return await _asked(client)
    except discord.LoginFailure:
        return [Diagnosis("error", "Discord refuses the token of DISCORD_TOKEN.")]
    except (OSError, TimeoutError, aiohttp.ClientError, discord.DiscordException) as wrong:
        return [Diagnosis("warning", f"Discord could not be asked ({type(wrong).__name__}).")]
    finally:
        await client.close()


async def _asked(client: discord.Client) -> list[Diagnosis]:
    found = [Diagnosis("fine", f"Discord knows the bot as {client.user}.")]
    names = {
        one["name"] for one in await client.http.get_global_commands(client.application_id or 0)
    }
    lacking = [command.name for command in COMMANDS if command.name not in names]
    if lacking:
        told = f"Discord lacks commands until the bot starts: {', '.join(lacking)}."
        found.append(Diagnosis("warning", told))
    else:
        found.append(Diagnosis("fine", f"All {len(COMMANDS)} commands are registered."))
    try:
        servers = await client.http.get_guilds(limit=MOST)
    except discord.HTTPException as wrong:
        told = f"Discord did not list the servers ({wrong.status})."
        return [*found, Diagnosis("warning", told)]
    more = " at least" if len(servers) == MOST else ""
    found.append(Diagnosis("fine", f"The bot is a member of{more} {len(servers)} servers."))
    for server in servers:
        may = discord.Permissions(int(server.get("permissions", 0)))
        if lacks := unasked(may):
            said = f"In {server['name']!r} the bot lacks: {', '.join(lacks)}."
            found.append(Diagnosis("warning", said))
    return found
