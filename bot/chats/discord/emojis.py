"""Pictures on buttons: emojis of the application, uploaded once and named by their drawing."""

from __future__ import annotations

import asyncio
import logging
import re
from dataclasses import dataclass, field

import aiohttp
import discord

from bot.chats.discord.errors import short
from games.core.shelf import shelf
from render.kit.button_faces import drawn_by, face_names, face_picture

log = logging.getLogger(__name__)

OURS = re.compile(r"lt_[A-Za-z0-9]+_[A-Za-z0-9]+_[0-9a-f]{6}")
"""The names of emojis that any release of this program has uploaded."""


@dataclass
class Emojis:
    """The uploaded emojis by the faces that they show (``Button.face``)."""

    _known: dict[str, discord.PartialEmoji] = field(default_factory=dict)

    def get(self, face: str) -> discord.PartialEmoji | None:
        """The emoji of *face*, if there is one yet."""
        return self._known.get(face)

    async def upload(self, client: discord.Client) -> None:
        """Upload the emojis that are missing, delete those of earlier releases, log failures."""
        try:
            there = {one.name: one for one in await client.fetch_application_emojis()}
            wanted = await asyncio.to_thread(_names)
            for name, face in wanted.items():
                emoji = there.pop(name, None)
                if emoji is None:
                    picture = await asyncio.to_thread(face_picture, *face)
                    emoji = await client.create_application_emoji(name=name, image=picture)
                self._known["/".join(face)] = discord.PartialEmoji(name=name, id=emoji.id)
            for stale in (one for name, one in there.items() if OURS.fullmatch(name)):
                await stale.delete()
        except (OSError, aiohttp.ClientError, discord.DiscordException) as wrong:
            log.warning("Not all buttons have faces on Discord: %s", short(wrong))
        except Exception:
            log.exception("uploading the emojis to Discord failed")


def _names() -> dict[str, tuple[str, str]]:
    """The game and the name of every face, by the name of its emoji."""
    return {
        f"lt_{game[:7]}_{name}_{drawn_by(game)}": (game, name)
        for game in shelf()
        for name in face_names(game)
    }
