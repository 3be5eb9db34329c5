"""The page's scripts, style and icons, minified at the start, with their ETags.

The scripts that the first board needs are bundled into one, for one request instead of twenty.
Each becomes a function that returns the script's exports, called after those that it imports. A
bundler such as esbuild would need npm; a few patterns do for the two forms that our scripts use.
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

_FETCHED_LATER = (
    "activity arrows board-editor book comments companions devices discord file finished keys line "
    "miniapp onlooking position preferences push sheet sound sw what-if"
)
"""The scripts that are fetched once they are wanted, by their names."""

_POSTERS = "cirya niya parchis shogi storilljudhjorrayc"
"""The games whose posters are shipped (``tests.tools.door_posters``); they are drawn as ever."""

STATIC = {
    "page.css": "text/css",
    "door.css": "text/css",
    "door.js": "text/javascript",
    **{f"poster-{game}.webp": "image/webp" for game in _POSTERS.split()},
    "people.css": "text/css",
    "page.js": "text/javascript",
    **{f"{name}.js": "text/javascript" for name in _FETCHED_LATER.split()},
    "activity.css": "text/css",
    "manifest.webmanifest": "application/manifest+json",
    "kanji.woff": "font/woff",
    "sans.woff": "font/woff",
    "sans-strong.woff": "font/woff",
    "icon.svg": "image/svg+xml",
    "icon-turn.svg": "image/svg+xml",
}
"""The files that a browser requests by name, with their types."""

LATER = frozenset(STATIC) - {"page.css", "page.js", "icon.svg", "icon-turn.svg"}
"""The files that the first board does not need; the page fetches them later."""

DOOR = frozenset(name for name in STATIC if name.startswith(("door.", "poster-")))
"""The files of the front door, which the page does not need."""

TYPEFACE = frozenset({"sans.woff", "sans-strong.woff"})
"""The page's typeface, which is fetched beside the first board."""

STYLES = ("page.css", "cards.css", "screens.css", "seats.css")
"""The parts of the page's style, in the order in which later ones hold."""

WHOLE = "page.js"
"""The script of the page, bundled with all that it imports."""

GATE = "first-paint.js"
"""The script that the bundle begins with; the rest waits for what its ``ready`` promises."""

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


_IMPORT = re.compile(r'^import \{(.*)\} from "\./([a-z-]+\.js)";$', re.MULTILINE)
"""An import of names from another script."""

_EXPORT = re.compile(r"^export (?=(?:async )?(?:function|const) (\w+))", re.MULTILINE)
"""An export of a function or a constant."""

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
        headers = {"Cache-Control": kept, "Vary": "Accept-Encoding"}
        response = web.Response(headers=headers)
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
    parts = tuple(dict.fromkeys((*dependencies(scripts, GATE), *dependencies(scripts, WHOLE))))
    made = {
        name: importing_bundle(scripts[name], parts, WHOLE) for name in scripts if name in LATER
    }
    made[WHOLE] = bundle(scripts, parts, GATE)
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


def dependencies(sources: Mapping[str, str], last: str) -> tuple[str, ...]:
    """The script *last* of *sources* and all that it imports, each after its own imports.

    Raises ``NotBundled`` for a circle, ``KeyError`` for a missing script.
    """
    order: dict[str, None] = {}

    def put(name: str, above: tuple[str, ...]) -> None:
        if name in above:
            raise NotBundled(f"{name} needs itself")
        for found in _IMPORT.finditer(sources[name]):
            put(found[2], (*above, name))
        order[name] = None

    put(last, ())
    return tuple(order)


def bundle(sources: Mapping[str, str], parts: Collection[str], gate: str = "") -> str:
    """One script of *parts*, each as an object of its exports; raises ``NotBundled``.

    Those after *gate* begin once what its ``ready`` promises has come.
    """
    done = []
    for name in parts:
        done.append(f"const {_variable(name)} = (() => {{\n{_body(sources[name])}\n}})();")
        if name == gate:
            done.append(f"await {_variable(name)}.ready();")
    return "\n".join([*done, f"export {{ {', '.join(map(_variable, parts))} }};"])


def importing_bundle(source: str, parts: Collection[str], whole: str) -> str:
    """The script *source*, importing the *parts* from the bundle *whole* that holds them."""

    def from_bundle(found: re.Match[str]) -> str:
        if found[2] not in parts:
            return found[0]
        return f'import {{ {_variable(found[2])} }} from "./{whole}";\n{_unpacking(found)}'

    return _IMPORT.sub(from_bundle, source)


def _body(source: str) -> str:
    exports = ", ".join(_EXPORT.findall(source))
    done = _EXPORT.sub("", _IMPORT.sub(_unpacking, source))
    if other := _OTHER.search(done):
        raise NotBundled(other[0])
    return f"{done}\nreturn {{ {exports} }};"


def _unpacking(found: re.Match[str]) -> str:
    """The imported names, taken out of the object that the other script has become."""
    return f"const {{ {found[1].strip().replace(' as ', ': ')} }} = {_variable(found[2])};"


def _variable(name: str) -> str:
    """The variable that holds the script *name* within the bundle."""
    return f"${name.removesuffix('.js').replace('-', '_')}"
