"""What Discord knows of the Activity, for ``ludoteca doctor``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import aiohttp
import discord
from discord.http import Route

from bot.chats.discord.activity import HANDLED_BY_US, entry_point
from bot.port import Diagnosis

UNMADE = "no code of Discord"
"""A code that Discord never gave: whether the secret is right shows in how it is refused."""

PATIENCE = aiohttp.ClientTimeout(total=15.0)


async def activity_checkup(
    client: discord.Client, commands: Sequence[Mapping[str, Any]], secret: str
) -> list[Diagnosis]:
    """Ask with the logged-in *client*, who has fetched *commands*; nothing without Activities."""
    told = client.application
    if told is None or not told.flags.embedded:
        if not secret:
            return []
        said = "DISCORD_CLIENT_SECRET is set, but Activities are off for the application"
        return [Diagnosis("warning", f"{said} (developer portal, Activities).")]
    found = [Diagnosis("fine", "Activities are on for the application."), _entry_point(commands)]
    if not secret:
        said = "DISCORD_CLIENT_SECRET is not set: nobody can sign in within Discord."
        return [*found, Diagnosis("warning", said)]
    return [*found, await _secret(told.id, secret)]


def _entry_point(commands: Sequence[Mapping[str, Any]]) -> Diagnosis:
    entry = entry_point(commands)
    if entry is None:
        said = "There is no Entry Point command: Discord offers the Activity by our buttons alone."
        return Diagnosis("warning", said)
    if entry.get("handler") != HANDLED_BY_US:
        said = "Discord opens the Activity by its Entry Point without us until the bot starts."
        return Diagnosis("warning", said)
    return Diagnosis("fine", f"The Entry Point command is /{entry['name']}.")


async def _secret(application: int, secret: str) -> Diagnosis:
    form = {
        "client_id": str(application),
        "client_secret": secret,
        "grant_type": "authorization_code",
        "code": UNMADE,
    }
    async with (
        aiohttp.ClientSession(timeout=PATIENCE) as http,
        http.post(f"{Route.BASE}/oauth2/token", data=form) as response,
    ):
        told = await response.json(content_type=None)
    why = told.get("error") if isinstance(told, dict) else None
    if why == "invalid_grant":
        return Diagnosis("fine", "Discord knows the secret of DISCORD_CLIENT_SECRET.")
    if why == "invalid_client":
        return Diagnosis("error", "Discord refuses the secret of DISCORD_CLIENT_SECRET.")
    said = f"Discord did not say whether DISCORD_CLIENT_SECRET is right ({response.status})."
    return Diagnosis("warning", said)
