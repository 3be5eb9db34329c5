"""Files that come with commands, fetched from Discord's own server of files and from no other."""

from __future__ import annotations

from dataclasses import dataclass

import aiohttp
import discord
from cachetools import TTLCache
from yarl import URL

from bot.chats.discord.errors import limit_call
from bot.facade import remembering
from bot.port import ChatError, FileTooLarge, Upload

KEPT, LONGEST = 64, 300.0
"""So many files can be fetched, for so many seconds after their commands."""

PART = 64 * 1024
"""Bytes read at a time."""


@dataclass
class Attachments:
    """Where the files of the last minutes lie, by their ids; each is fetched once."""

    _files: TTLCache[str, discord.Attachment] = remembering(KEPT, LONGEST)

    def note(self, file: discord.Attachment) -> Upload:
        """*file*, which came with a command, as the port names it."""
        upload = Upload(file.filename, file.size, str(file.id))
        self._files[upload.key] = file
        return upload

    async def fetch(self, upload: Upload, most: int) -> bytes:
        """The file *upload* of at most *most* bytes; raises ``FileTooLarge`` and ``ChatError``."""
        file = self._files.pop(upload.key, None)
        if file is None:
            raise ChatError("the file came too long ago")
        address = URL(file.url)
        if address.origin() != URL(discord.Asset.BASE).origin():
            raise ChatError("the file does not lie with Discord")
        async with limit_call():
            return await _read(address, most)


async def _read(address: URL, most: int) -> bytes:
    """What lies at *address*, up to *most* bytes, whatever its headers say."""
    read = bytearray()
    async with (
        aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar()) as http,
        # What another address holds was not sent to us.
        http.get(address, allow_redirects=False) as response,
    ):
        if response.status != 200:
            raise ChatError(f"the file is not given out: {response.status}")
        if (response.content_length or 0) > most:
            raise FileTooLarge
        async for part in response.content.iter_chunked(PART):
            read += part
            if len(read) > most:
                raise FileTooLarge
    return bytes(read)
