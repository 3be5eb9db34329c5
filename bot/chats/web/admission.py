"""Who gets in: addresses, cookies, and the small pages of those who are not in yet."""

from __future__ import annotations

import html
import ipaddress
from http.cookies import SimpleCookie

from aiohttp import web

from bot.chats.web.errors import NotLoopback
from bot.chats.web.guests import Entrance, Guest
from bot.texts import LANGUAGES, Language, language, spoken
from games.core import Phrase, phrase

COOKIE = "ludoteca"
"""The cookie of one guest, sent to his own page alone."""

HOME = "ludoteca-home"
"""The cookie by which whoever came by the first address finds his page from ``/``."""

YEAR = 365 * 24 * 3600

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
        "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Server": "Ludoteca",
}
"""What every answer says, so that nothing foreign runs in the page or frames it."""


def loopback(host: str) -> str:
    """*host*, if only this machine reaches it; raises ``NotLoopback``."""
    try:
        inside = host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        inside = False
    if not inside:
        raise NotLoopback(host)
    return host


def authority(host: str, port: int) -> str:
    """*host* and *port* as an address says them."""
    shown = f"[{host}]" if ":" in host else host
    return shown if port == 80 else f"{shown}:{port}"


def guarded(request: web.Request, authorities: frozenset[str]) -> None:
    """Refuse who comes by another name (421) or from another page (403)."""
    host = request.headers.get("Host", "").lower()
    # A foreign name that leads to this machine would make its page one of ours.
    if host not in authorities:
        raise web.HTTPMisdirectedRequest(text="421: not by this name.")
    # Whatever it would be upgraded to: others read this header more leniently than we would.
    safe = request.method in ("GET", "HEAD") and "Upgrade" not in request.headers
    if not safe and request.headers.get("Origin", "").lower() != f"http://{host}":
        raise web.HTTPForbidden(text="403: not from another page.")
    # A browser that fetches an address before anybody opens it would spend a one-time token.
    if "prefetch" in request.headers.get("Sec-Purpose", ""):
        raise web.HTTPServiceUnavailable(text="503: only when it is opened.")


def way_in(request: web.Request, guest: Guest, table: str = "") -> web.Response:
    """The small page that leads on to the page of *guest*, where he looks at *table*."""
    at = f"#{table}" if table else ""
    return lobby(request, phrase("web.door.open"), 200, f"{guest.path}/{at}")


def once_more(request: web.Request) -> web.Response:
    """The small page that leads to the same address again: then all cookies come along."""
    return lobby(request, phrase("web.door.open"), 200, f"{request.path}?on")


def as_whom(request: web.Request, guest: Guest) -> web.Response:
    """The small page that asks whether *guest* follows an invitation, or somebody beside him."""
    me = (phrase("web.door.me", name=guest.name), f"{request.path}?as=me")
    other = (phrase("web.door.other"), f"{request.path}?as=other")
    return _small(request, phrase("web.door.whom"), 200, (me, other))


def admitted(request: web.Request, entrance: Entrance, *, home: bool) -> web.Response:
    """The way in of a guest who has just come, with the cookies for his browser.

    By the one that is *home* he is known again wherever he comes in.
    """
    guest = entrance.guest
    response = way_in(request, guest)
    _put(response, COOKIE, entrance.secret, guest.path)
    if home:
        _put(response, HOME, f"{guest.id}.{entrance.secret}", "/")
    return response


def _put(response: web.Response, name: str, value: str, path: str) -> None:
    response.set_cookie(name, value, max_age=YEAR, path=path, httponly=True, samesite="Strict")


TRIED = 64
"""How many cookies of one name are tried: another server on this machine may have set some, too."""


def cookies(request: web.Request, name: str) -> list[str]:
    """Every value that the browser sends for the cookie *name*."""
    found = []
    for header in request.headers.getall("Cookie", []):
        for part in header.split(";"):
            one = SimpleCookie(part.strip())
            found += [morsel.value for key, morsel in one.items() if key == name]
    return found[:TRIED]


DEFAULT: web.AppKey[str] = web.AppKey("language")
"""Under which the language is found of whoever's browser speaks none of ours."""


def tongue_of(request: web.Request) -> Language:
    """The language of a browser that has no guest yet."""
    offers = request.headers.get("Accept-Language", "").split(",")
    known = (spoken(offer.partition(";")[0].strip()) for offer in offers)
    return language(next(filter(None, known), request.app.get(DEFAULT, LANGUAGES[0])))


def lobby(request: web.Request, said: Phrase, status: int, to: str = "") -> web.Response:
    """A small page that says one sentence, or leads on to the address *to*.

    It leads on by itself and not by a redirect: a strict cookie is not sent on a redirect
    that began on another site, such as a chat where the link was posted.
    """
    return _small(
        request, said, status, ((phrase(f"web.door.{'on' if to else 'again'}"), to or "/"),), to
    )


def _small(
    request: web.Request,
    said: Phrase,
    status: int,
    links: tuple[tuple[Phrase, str], ...],
    to: str = "",
) -> web.Response:
    """A small page that says one sentence above *links*, and goes *to* an address by itself."""
    tongue = tongue_of(request)
    sentence = html.escape(tongue.say(said))
    onward = f'<meta http-equiv="refresh" content="0;url={html.escape(to)}">' if to else ""
    ways = "".join(
        f'<p><a class="key" href="{html.escape(link)}">{html.escape(tongue.say(word))}</a></p>'
        for word, link in links
    )
    return web.Response(
        status=status,
        content_type="text/html",
        charset="utf-8",
        headers={"Cache-Control": "no-store"},
        text=(
            f'<!doctype html><html lang="{tongue.code}"><head><meta charset="utf-8">'
            '<meta name="viewport" content="width=device-width,initial-scale=1">'
            f"{onward}<title>Ludoteca</title>"
            '<link rel="stylesheet" href="/static/page.css">'
            '<link rel="icon" href="/static/icon.svg"></head>'
            f'<body class="lobby"><main><h1>Ludoteca</h1><p>{sentence}</p>'
            f"{ways}</main></body></html>"
        ),
    )
