"""Pictures on buttons: emojis of the application, uploaded once and named by their drawing."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import aiohttp
import discord

from bot.chats.discord.errors import short, translate
from bot.port import Later
from games.core.shelf import shelf
from render.kit import figure, painter, png, sized
from render.kit.button_faces import SIDE, drawn_by, face_names, face_picture

log = logging.getLogger(__name__)

OURS = re.compile(r"lt_[A-Za-z0-9]+_[A-Za-z0-9]+_[0-9a-f]{6}")
"""The names of emojis that any release of this program has uploaded."""

COVER = "cover"
"""The name of the emoji that shows the board of a game, beside words about it."""

Face: TypeAlias = tuple[str, str]
"""A game, and the name of one of its faces."""


@dataclass
class Emojis:
    """The uploaded emojis by the faces that they show (``Button.face``)."""

    known: dict[str, discord.PartialEmoji] = field(default_factory=dict)
    """Those that are there already."""

    async def upload(self, client: discord.Client, games: Sequence[str] = ()) -> None:
        """Upload the emojis that are missing, those of *games* first, and delete earlier ones.

        Where Discord takes no more for now, the rest goes on when it says so.
        """
        try:
            there = {one.name: one for one in await client.fetch_application_emojis()}
            wanted = await asyncio.to_thread(emoji_names)
            order = {game: number for number, game in enumerate(games)}
            for name in wanted.keys() & there.keys():
                self._know(name, wanted[name], there[name])
            for name in sorted(wanted, key=lambda one: order.get(wanted[one][0], len(order))):
                if name not in there:
                    await self._create(client, name, wanted[name])
            for name in there.keys() - wanted.keys():
                if OURS.fullmatch(name):
                    await there[name].delete()
        except (OSError, aiohttp.ClientError, discord.DiscordException) as wrong:
            log.warning("Not all buttons have faces on Discord: %s", short(wrong))
        except Exception:
            log.exception("uploading the emojis to Discord failed")

    async def _create(self, client: discord.Client, name: str, face: Face) -> None:
        picture = await asyncio.to_thread(_picture, *face)
        while True:
            try:
                emoji = await client.create_application_emoji(name=name, image=picture)
            except (discord.RateLimited, discord.HTTPException) as wrong:
                # The library waits by itself, but not long.
                await asyncio.sleep(_patience(wrong))
            else:
                self._know(name, face, emoji)
                return

    def _know(self, name: str, face: Face, emoji: discord.Emoji) -> None:
        self.known["/".join(face)] = discord.PartialEmoji(name=name, id=emoji.id)


def _picture(game: str, name: str) -> bytes:
    if name == COVER:
        return png(sized(figure(game, painter(game).COVER), SIDE))
    return face_picture(game, name)


def _patience(wrong: discord.RateLimited | discord.HTTPException) -> float:
    """Seconds after which Discord takes more; raises *wrong* where it says nothing of the kind."""
    told = (
        translate(wrong) if isinstance(wrong, discord.HTTPException) else Later(wrong.retry_after)
    )
    if not isinstance(told, Later):
        raise wrong
    log.info("Discord takes more faces for buttons in %g s.", told.seconds)
    return told.seconds


def emoji_names() -> dict[str, Face]:
    """The game and the name of every face, by the name of its emoji."""
    return {
        f"lt_{game[:7]}_{name}_{drawn_by(game)}": (game, name)
        for game in shelf()
        for name in (COVER, *face_names(game))
    }
