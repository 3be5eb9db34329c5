"""The page's scripts, style and icons, minified at the start, with their ETags.

The scripts that the first board needs are bundled into one, and those that are fetched once they
are wanted into another, for one request instead of twenty. All names of a bundle share one scope:
no two of its scripts declare the same. A bundler such as esbuild would need npm; a few patterns do
for the two forms that our scripts use.
"""

from __future__ import annotations

import gzip
import hashlib
import re
from base64 import b64encode
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources

import rcssmin
import rjsmin
from aiohttp import ETag, web

from render.icon import icon

WANTED_LATER = (
    "arrows book comments devices finished keys line position preferences push sheet sound what-if"
)
"""The scripts that are wanted after the first board, by their names; they are bundled in one."""

WHOLE = "page.js"
"""The script of the page, bundled with all that it imports."""

ENTRIES = {
    WHOLE: ("first-paint.js", WHOLE),
    "later.js": tuple(f"{name}.js" for name in WANTED_LATER.split()),
    "activity.js": ("activity.js",),
    "miniapp.js": ("miniapp.js",),
    "sw.js": ("sw.js",),
}
"""The bundles, each with the scripts that it holds beside what those import."""

_SHOWN = ("cirya", "niya", "parchis", "shogi", "storilljudhjorrayc")
"""The games of which the door has a poster (``tests.tools.door_posters``), which is drawn as ever,
a finished game, and that as a film (``tests.tools.door_films``)."""

STATIC = {
    **dict.fromkeys(("page.css", "door.css", "people.css", "activity.css"), "text/css"),
    **dict.fromkeys(("door.js", *ENTRIES), "text/javascript"),
    "door.txt": "text/plain",
    **{f"{what}-{game}.webp": "image/webp" for what in ("poster", "film") for game in _SHOWN},
    **{f"game-{game}.txt": "text/plain" for game in _SHOWN},
    "manifest.webmanifest": "application/manifest+json",
    **dict.fromkeys(("kanji.woff", "sans.woff", "sans-strong.woff"), "font/woff"),
    **dict.fromkeys(("icon.svg", "icon-turn.svg"), "image/svg+xml"),
}
"""The files that a browser requests by name, with their types."""

STYLES = ("page.css", "cards.css", "screens.css", "seats.css")
"""The parts of the page's style, in the order in which later ones hold."""

STYLE = "<!-- style -->"
"""The place of the style in the page."""

BODY = '<body class="nameless home">'
"""The start of the body while nothing is known of its content."""

BASE = "<!-- base -->"
"""The place of the address below which all screens of the page stand."""

ENTERING = "<!-- entering -->"
"""The place in the page within Discord of what is shown until its reader is known."""

_ENTERING_SCRIPT = '<script type="module" async src="/static/VERSION/activity.js">'
"""The script of the page within Discord, which fetches the page's own once it knows the reader."""

ACTIVITY_STYLE = "activity.css"
"""The style of the page within Discord, which begins with that of the page."""

ICONS = {"icon-192.png": 192, "icon-512.png": 512}
"""Icons for systems that take no SVG, by name, with their size; drawn when requested."""

_MINIFIERS: dict[str, Callable[[str], str]] = {
    "text/css": rcssmin.cssmin,
    "text/javascript": lambda script: rjsmin.jsmin(script).replace(";}", "}"),
}
"""The minifiers, by the type of file; what ends a statement before the end of a block goes."""


_IMPORT = re.compile(r'^import \{((?: \w+,)* \w+) \} from "\./([a-z-]+\.js)";$', re.MULTILINE)
"""An import of names from another script."""

_EXPORT = re.compile(r"^export (?=(?:async )?(?:function|const) (\w+))", re.MULTILINE)
"""An export of a function or a constant."""

_WANTED = re.compile(rf"\bimport\(\"\./(?:{'|'.join(WANTED_LATER.split())})\.js\"\)")
"""The import of a script that is wanted later."""

_OTHER = re.compile(r"^\s*(?:import\s*[\w{*\"']|export\b)", re.MULTILINE)
"""Any other form of import or export."""


@dataclass(frozen=True)
class Asset:
    """One file: its *body*, the same *packed* by gzip, its ETag and its type."""

    body: bytes
    packed: bytes
    tag: str
    type: str

    @classmethod
    def of(cls, body: bytes, content_type: str) -> Asset:
        """The file with this *body*, minified where there is a minifier for its type."""
        minify = _MINIFIERS.get(content_type)
        if minify is not None:
            body = minify(body.decode()).encode()
        tag = hashlib.sha256(body).hexdigest()[:16]
        return cls(body, gzip.compress(body, mtime=0), tag, content_type)

    def answer(self, request: web.Request, *, lasting: bool = False) -> web.Response:
        """The response to *request*; *lasting* says that this address never has other content."""
        kept = "public, max-age=31536000, immutable" if lasting else "no-cache"
        response = web.Response(headers={"Cache-Control": kept, "Vary": "Accept-Encoding"})
        response.etag = ETag(self.tag)
        if any(one.value in (self.tag, "*") for one in request.if_none_match or ()):
            response.set_status(304)
            return response
        packed = "gzip" in request.headers.get("Accept-Encoding", "")
        if packed:
            response.headers["Content-Encoding"] = "gzip"
        response.body = self.packed if packed else self.body
        response.content_type, response.charset = self.type, "utf-8"
        return response


@cache
def load_assets() -> Mapping[str, Asset]:
    """All files that the page fetches, by name; read once a process."""
    folder = resources.files("bot.chats.web").joinpath("static")
    scripts = {
        one.name: one.read_text("utf-8") for one in folder.iterdir() if one.name.endswith(".js")
    }
    whole = dependencies(scripts, *ENTRIES[WHOLE])
    made = {
        name: bundle(scripts, dependencies(scripts, *last), () if name == WHOLE else whole)
        for name, last in ENTRIES.items()
    }
    made[STYLES[0]] = "\n".join(folder.joinpath(one).read_text("utf-8") for one in STYLES)
    own = folder.joinpath(ACTIVITY_STYLE).read_text("utf-8")
    made[ACTIVITY_STYLE] = f"{made[STYLES[0]]}\n{own}"
    return {
        name: Asset.of(
            made[name].encode() if name in made else folder.joinpath(name).read_bytes(), kind
        )
        for name, kind in STATIC.items()
    }


@cache
def icon_asset(name: str) -> Asset:
    """The icon *name* of ``ICONS``."""
    return Asset.of(icon(ICONS[name]), "image/png")


def assets_version(files: Mapping[str, Asset]) -> str:
    """The version of all *files* together, which changes with any of them."""
    return hashlib.sha256("".join(file.tag for file in files.values()).encode()).hexdigest()[:12]


@dataclass(frozen=True)
class PageHtml:
    """The page with its style inlined, which saves a request; *style* is that style's hash."""

    text: str
    style: str


def inline_style(files: Mapping[str, Asset], name: str) -> PageHtml:
    """The style *name* of *files* as it may stand in a page."""
    style = re.sub(
        r"url\((?=\w)", f"url(/static/{assets_version(files)}/", files[name].body.decode()
    )
    digest = b64encode(hashlib.sha256(style.encode()).digest()).decode()
    return PageHtml(style, f"'sha256-{digest}'")


def page_html(files: Mapping[str, Asset]) -> PageHtml:
    """The page, which fetches the other *files*."""
    written = resources.files("bot.chats.web").joinpath("static", "page.html").read_text("utf-8")
    style = inline_style(files, "page.css")
    source = re.sub(r"\n\s+", "\n", written).replace("VERSION", assets_version(files))
    return PageHtml(source.replace(STYLE, f"<style>{style.text}</style>"), style.style)


def activity_html(files: Mapping[str, Asset]) -> str:
    """The page within Discord: its files have relative addresses, and nothing stands inline.

    Discord's proxy forbids inline styles. ``ENTERING`` stands where the page says that it signs
    its reader in; its own script follows then.
    """
    written = resources.files("bot.chats.web").joinpath("static", "page.html").read_text("utf-8")
    version = assets_version(files)
    gone = BASE, "manifest", "touch"
    kept = [line for line in written.splitlines() if not any(one in line for one in gone)]
    source = re.sub(r"\n\s+", "\n", "\n".join(kept))
    # Nothing is seen before the style is there, and what else is fetched is needed later.
    style = f'<link rel="stylesheet" href="/static/VERSION/{ACTIVITY_STYLE}">'
    ahead = '<link rel="modulepreload" href="/static/VERSION/page.js" fetchpriority="low">'
    charset = '<meta charset="utf-8">'
    for old, new in (
        (charset, f"{charset}{style}"),
        (STYLE, ahead),
        # It begins as soon as it is there: what is below the head may take longer.
        ('<script type="module" src="/static/VERSION/page.js">', _ENTERING_SCRIPT),
        ("<html ", '<html data-around="discord" '),
        (BODY, f"{BODY}{ENTERING}"),
    ):
        if source.count(old) != 1:
            raise NotBundled(f"the page has {old!r} not once")
        source = source.replace(old, new)
    return source.replace("/static/", "static/").replace("VERSION", version)


class NotBundled(Exception):
    """A script imports itself, or has another form of import or export."""


def dependencies(sources: Mapping[str, str], *last: str) -> tuple[str, ...]:
    """The scripts *last* of *sources* and all that they import, each after its own imports.

    Raises ``NotBundled`` for a circle, ``KeyError`` for a missing script.
    """
    order: dict[str, None] = {}

    def put(name: str, above: tuple[str, ...]) -> None:
        if name in above:
            raise NotBundled(f"{name} needs itself")
        for found in _IMPORT.finditer(sources[name]):
            put(found[2], (*above, name))
        order[name] = None

    for name in last:
        put(name, ())
    return tuple(order)


def bundle(sources: Mapping[str, str], parts: Collection[str], whole: Collection[str] = ()) -> str:
    """One script of *parts* in one scope, which exports what the other *sources* name.

    What stands in the bundle of *whole* is imported from there. Raises ``NotBundled``.
    """
    own = {name: sources[name] for name in parts if name not in whole}
    text = "\n".join(own.values())
    named = set(re.findall(r"\w+", " ".join(sources[one] for one in sources.keys() - own)))
    taken = ",".join(found[1] for found in _IMPORT.finditer(text) if found[2] in whole)
    exports = [name for name in _EXPORT.findall(text) if name in named]
    body = _WANTED.sub('import("./later.js")', _EXPORT.sub("", _IMPORT.sub("", text)))
    if other := _OTHER.search(body):
        raise NotBundled(other[0])
    imports = ", ".join(sorted(set(re.findall(r"\w+", taken))))
    ahead = f'import {{ {imports} }} from "./{WHOLE}";\n' if imports else ""
    return f"{ahead}{body}\n" + (f"export {{ {', '.join(exports)} }};" if exports else "")
