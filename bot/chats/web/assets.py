"""What the page is made of: scripts, style and icons, made small once, with validators.

The files are written to be read; what travels is the same without comments and indents, and all
scripts that the first board needs are one (``joining``).
"""

from __future__ import annotations

import gzip
import hashlib
import re
from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources

import rcssmin
import rjsmin
from aiohttp import ETag, web

from bot.chats.web.joining import beside, joined, needed
from render.icon import icon

STATIC = {
    "page.css": "text/css",
    "page.js": "text/javascript",
    "book.js": "text/javascript",
    "devices.js": "text/javascript",
    "push.js": "text/javascript",
    "miniapp.js": "text/javascript",
    "sw.js": "text/javascript",
    "manifest.webmanifest": "application/manifest+json",
    "kanji.woff": "font/woff",
    "icon.svg": "image/svg+xml",
    "icon-turn.svg": "image/svg+xml",
}
"""The files that are fetched by name, with the type of each."""

LATER = frozenset(
    {
        "kanji.woff",
        "book.js",
        "devices.js",
        "push.js",
        "miniapp.js",
        "sw.js",
        "manifest.webmanifest",
    }
)
"""Those that the page does not need for the first board; it fetches them when they are wanted."""

WHOLE = "page.js"
"""The script of the page, with all others that it needs."""

STYLE = "<!-- style -->"
"""Where in the page its style stands."""

DRAWN = {"icon-192.png": 192, "icon-512.png": 512}
"""Icons for systems that take pictures only, by name, with their size; drawn when asked for."""

_SMALLER = {"text/css": rcssmin.cssmin, "text/javascript": rjsmin.jsmin}
"""What leaves comments and indents out of a file, by its type."""


@dataclass(frozen=True)
class Asset:
    """One file: its *body* as it travels, the same *packed*, and the *tag* that changes with it."""

    body: bytes
    packed: bytes
    tag: str
    type: str

    @classmethod
    def of(cls, body: bytes, content_type: str) -> Asset:
        """The file with this *body*, which is made as small as its type allows."""
        smaller = _SMALLER.get(content_type)
        if smaller is not None:
            body = smaller(body.decode()).encode()
        tag = hashlib.sha256(body).hexdigest()[:16]
        return cls(body, gzip.compress(body, mtime=0), tag, content_type)

    def answer(self, request: web.Request, *, lasting: bool = False) -> web.Response:
        """The file, packed where the browser takes that; 304 where it has it already.

        Where it is *lasting* its address never leads to another one.
        """
        kept = "public, max-age=31536000, immutable" if lasting else "no-cache"
        headers = {"Cache-Control": kept, "Vary": "Accept-Encoding"}
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
    scripts = {
        one.name: one.read_text("utf-8") for one in folder.iterdir() if one.name.endswith(".js")
    }
    parts = needed(scripts, WHOLE)
    made = {name: beside(scripts[name], parts, WHOLE) for name in scripts if name in LATER}
    made[WHOLE] = joined(scripts, parts)
    return {
        name: Asset.of(
            made[name].encode() if name in made else folder.joinpath(name).read_bytes(), kind
        )
        for name, kind in STATIC.items()
    }


@cache
def drawn(name: str) -> Asset:
    """The icon called *name*, of ``DRAWN``."""
    return Asset.of(icon(DRAWN[name]), "image/png")


def version(files: Mapping[str, Asset]) -> str:
    """What all *files* together are called, another name as soon as one of them is another."""
    return hashlib.sha256("".join(file.tag for file in files.values()).encode()).hexdigest()[:12]


@dataclass(frozen=True)
class Styled:
    """The page itself, with its style in it: there is no trip for that before the board is seen.

    *style* is what a policy calls that style, so that no other one is worn.
    """

    text: str
    style: str


def page(files: Mapping[str, Asset]) -> Styled:
    """The page, which fetches what else it needs of *files*."""
    written = resources.files("bot.chats.web").joinpath("static", "page.html").read_text("utf-8")
    source = re.sub(r"\n\s+", "\n", written)
    style = files["page.css"].body.decode().replace("url(", "url(/static/VERSION/")
    source = source.replace(STYLE, f"<style>{style}</style>").replace("VERSION", version(files))
    [worn] = re.findall("<style>(.*)</style>", source, re.DOTALL)
    digest = b64encode(hashlib.sha256(worn.encode()).digest()).decode()
    return Styled(source, f"'sha256-{digest}'")
