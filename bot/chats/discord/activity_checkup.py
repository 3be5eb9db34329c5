"""What Discord knows of the Activity, for ``ludoteca doctor``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import aiohttp
import discord
from discord.http import Route

from bot.chats.discord.entry_point_command import HANDLED_BY_US, entry_point
from bot.port import Diagnosis

UNMADE = "no code of Discord"
"""A code that Discord never gave: whether the secret is right shows in how it is refused."""

REQUEST_TIMEOUT = aiohttp.ClientTimeout(total=15.0)


async def activity_checkup(
    client: discord.Client, commands: Sequence[Mapping[str, Any]], secret: str, back: str = ""
) -> list[Diagnosis]:
    """Ask with the logged-in *client*, who has fetched *commands*; nothing without Activities.

    *back* is the address to which people come back who sign in on the public page, if they may.
    """
    told = client.application
    if told is None:
        return []
    found = []
    if told.flags.embedded:
        found = [
            Diagnosis("fine", "Activities are on for the application."),
            _entry_point(commands),
        ]
    if not secret:
        said = "DISCORD_CLIENT_SECRET is not set: nobody can sign in within Discord."
        return [*found, Diagnosis("warning", said)] if found else []
    if not found and not back:
        said = "DISCORD_CLIENT_SECRET is set, but Activities are off for the application"
        return [Diagnosis("warning", f"{said} (developer portal, Activities).")]
    found += _redirects(told.redirect_uris, back, inside=told.flags.embedded)
    return [*found, await _secret(told.id, secret)]


def _redirects(registered: Sequence[str], back: str, *, inside: bool) -> list[Diagnosis]:
    """Whether the addresses are registered by which people come back; *inside* Discord any does."""
    where = "(developer portal, OAuth2, Redirects)"
    found = []
    if back and back not in registered:
        said = f"Discord does not know the redirect {back}: its door on the page refuses everybody"
        found.append(Diagnosis("error", f"{said} {where}."))
    if inside and not registered:
        said = "No redirect is registered, and without one nobody can sign in within Discord"
        found.append(Diagnosis("error", f"{said} {where}."))
    if found:
        return found
    said = "Redirects are registered. Which platforms the Activity supports and where its URL"
    return [Diagnosis("fine", f"{said} mapping leads, only the developer portal knows.")]


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
        aiohttp.ClientSession(timeout=REQUEST_TIMEOUT) as http,
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
