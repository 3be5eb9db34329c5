"""What the page is made of: scripts, style and icons, compressed once, with validators."""

from __future__ import annotations

import gzip
import hashlib
from dataclasses import dataclass
from importlib import resources

from aiohttp import ETag, web

STATIC = {
    "page.css": "text/css",
    "page.js": "text/javascript",
    "dom.js": "text/javascript",
    "screen.js": "text/javascript",
    "hands.js": "text/javascript",
    "past.js": "text/javascript",
    "line.js": "text/javascript",
    "calls.js": "text/javascript",
    "clock.js": "text/javascript",
    "icon.svg": "image/svg+xml",
    "icon-turn.svg": "image/svg+xml",
}
"""The files by name, with the type of each."""


@dataclass(frozen=True)
class Asset:
    """One file: its *body*, the same *packed*, and the *tag* that changes with it."""

    body: bytes
    packed: bytes
    tag: str
    type: str

    @classmethod
    def of(cls, body: bytes, content_type: str) -> Asset:
        """The file with this *body*."""
        tag = hashlib.sha256(body).hexdigest()[:16]
        return cls(body, gzip.compress(body, mtime=0), tag, content_type)

    def answer(self, request: web.Request) -> web.Response:
        """The file, packed where the browser takes that; 304 where it has it already."""
        headers = {"Cache-Control": "no-cache", "Vary": "Accept-Encoding"}
        known = request.if_none_match or ()
        if any(one.value in (self.tag, "*") for one in known):
            response = web.Response(status=304, headers=headers)
        elif "gzip" in request.headers.get("Accept-Encoding", ""):
            headers["Content-Encoding"] = "gzip"
            response = web.Response(body=self.packed, headers=headers)
            response.content_type = self.type
        else:
            response = web.Response(body=self.body, headers=headers)
            response.content_type = self.type
        if response.body is not None:
            response.charset = "utf-8"
        response.etag = ETag(self.tag)
        return response


def assets() -> dict[str, Asset]:
    """Every file that the page fetches, by name."""
    folder = resources.files("bot.chats.web").joinpath("static")
    return {name: Asset.of(folder.joinpath(name).read_bytes(), STATIC[name]) for name in STATIC}


def page() -> bytes:
    """The page itself."""
    return resources.files("bot.chats.web").joinpath("static", "page.html").read_bytes()
