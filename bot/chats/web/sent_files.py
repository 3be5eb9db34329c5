"""Files that pages send in parts, until they are read."""

from __future__ import annotations

import base64
from dataclasses import dataclass

from cachetools import TTLCache

from bot.chats.web.reading import ClientFrame, number_in
from bot.facade import remembering
from bot.port import ChatError, FileTooLarge, Upload

WAITS = 60.0
"""For how many seconds the parts of a file wait for the next one."""

WAITING = 32
"""How many files wait for a part; the oldest go first."""

LONGEST = 360_000
"""The most letters that are kept of a file: a little more than 256 KB in base64."""


@dataclass(frozen=True)
class SentFiles:
    """The files that come from pages, each by the id of its guest and the *code* of its frames."""

    _texts: TTLCache[str, str] = remembering(WAITING, WAITS)

    def take(self, guest: str, frame: ClientFrame) -> Upload | None:
        """The file that ends with the part in *frame*; ``None`` where more is to come."""
        key = f"{guest} {frame.code}"
        text = self._texts.pop(key, "") + frame.data
        self._texts[key] = text[:LONGEST]
        return None if number_in(frame.at) > 0 and len(text) <= LONGEST else Upload("", 0, key)

    def fetch(self, upload: Upload, most: int) -> bytes:
        """The file *upload* of at most *most* bytes; raises ``FileTooLarge`` and ``ChatError``."""
        try:
            data = base64.b64decode(self._texts.pop(upload.key), validate=True)
        except (KeyError, ValueError) as wrong:
            raise ChatError("no file has come from the page") from wrong
        if len(data) > most:
            raise FileTooLarge(upload.name)
        return data
