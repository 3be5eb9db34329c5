"""Who gets in: addresses, cookies, and the small pages of those who are not in yet."""

from __future__ import annotations

import html
from http.cookies import SimpleCookie

from aiohttp import web

from bot.chats.web.doors import Door
from bot.chats.web.guests import Entrance, Guest
from bot.texts import LANGUAGES, Language, language, spoken
from games.core import Phrase, phrase

COOKIE = "ludoteca"
"""The cookie of one guest, sent to his own page alone."""

HOME = "ludoteca-home"
"""The cookie by which whoever came by the first address finds his page from ``/``."""

YEAR = 365 * 24 * 3600

POLICY = "Content-Security-Policy"
"""Says what may run in the page, and whence it comes."""

HEADERS = {
    POLICY: (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        "font-src 'self'; connect-src 'self'; manifest-src 'self'; base-uri 'none'; "
        "form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Server": "Ludoteca",
}
"""What every answer says, so that nothing foreign runs in the page or frames it."""

OPENER = "Cross-Origin-Opener-Policy"
"""Says whether the page that opened this one may still reach it."""

OPENED_SAFELY = ("none", "same-origin")
"""How browsers say (Sec-Fetch-Site) that a page was opened by hand, or by one of ours."""


def apart(request: web.Request) -> dict[str, str]:
    """What keeps a foreign page that opened this one away from it.

    Where there can be none it is not said: a browser that hears it starts another process for
    the page, which takes longer than all else until the first board is seen.
    """
    safe = request.headers.get("Sec-Fetch-Site") in OPENED_SAFELY
    return {} if safe else {OPENER: "same-origin"}


def policy(style: str) -> str:
    """The policy of a page in which a *style* stands, which policies call so."""
    return HEADERS[POLICY].replace("style-src 'self'", f"style-src 'self' {style}")


def cookie(door: Door, guest_id: str) -> str:
    """The name of the cookie of one guest.

    Where it is encrypted the browser binds it to our host, which others on it cannot then set;
    such a cookie knows no path, so that its name says whose it is.
    """
    return f"__Host-{COOKIE}-{guest_id}" if door.secure else COOKIE


def home(door: Door) -> str:
    """The name of the cookie by which somebody finds his page from ``/``."""
    return f"__Host-{HOME}" if door.secure else HOME


def opened(request: web.Request) -> None:
    """Refuse a browser that fetches an address before anybody opens it (503): it spends nothing."""
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


def admitted(
    request: web.Request, door: Door, entrance: Entrance, *, settles: bool
) -> web.Response:
    """The way in of a guest who has just come through *door*, with the cookies for his browser.

    Where he *settles* there he is known again wherever he comes in.
    """
    guest = entrance.guest
    response = way_in(request, guest)
    path = "/" if door.secure else guest.path
    _put(response, cookie(door, guest.id), entrance.secret, path, secure=door.secure)
    if settles:
        both = f"{guest.id}.{entrance.secret}"
        _put(response, home(door), both, "/", secure=door.secure)
    return response


def _put(response: web.Response, name: str, value: str, path: str, *, secure: bool) -> None:
    response.set_cookie(
        name, value, max_age=YEAR, path=path, httponly=True, secure=secure, samesite="Strict"
    )


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


def offered(request: web.Request) -> str:
    """What the browser of *request* speaks before all else, if we speak that; or nothing."""
    first = request.headers.get("Accept-Language", "").split(",")[0].partition(";")[0].strip()
    return first if spoken(first) else ""


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
    onward = f'<meta http-equiv="refresh" content="0;url={html.escape(to)}">' if to else ""
    links = ((phrase(f"web.door.{'on' if to else 'again'}"), to or "/"),)
    return _small(request, said, status, links, onward)


def within(request: web.Request) -> web.Response:
    """The page that Telegram opens, which hands over what Telegram signed."""
    script = '<script type="module" src="/static/miniapp.js"></script>'
    return _small(request, phrase("web.door.moment"), 200, head=script)


def _small(
    request: web.Request,
    said: Phrase,
    status: int,
    links: tuple[tuple[Phrase, str], ...] = (),
    head: str = "",
) -> web.Response:
    """A small page that says one sentence above *links*; *head* is what else stands in its head."""
    tongue = tongue_of(request)
    sentence = html.escape(tongue.say(said))
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
            f"{head}<title>Ludoteca</title>"
            '<link rel="stylesheet" href="/static/page.css">'
            '<link rel="icon" href="/static/icon.svg"></head>'
            f'<body class="lobby"><main><h1>Ludoteca</h1><p id="said" role="status">{sentence}</p>'
            f"{ways}</main></body></html>"
        ),
    )
