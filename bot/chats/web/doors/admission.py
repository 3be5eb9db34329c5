"""Admission: headers, cookies, and the small pages before a guest's own page."""

from __future__ import annotations

import asyncio
from functools import partial
from http.cookies import SimpleCookie

from aiohttp import web
from aiohttp.http_exceptions import BadHttpMessage

from bot.chats.web.budget import STRANGER
from bot.chats.web.doors.origins import WITHIN_DISCORD, Origin
from bot.chats.web.html_documents import html_response
from bot.chats.web.person.devices import DISCORD, TELEGRAM
from bot.chats.web.person.guests import Entrance, Guest, Guests
from bot.texts import LANGUAGES, Language, language, spoken
from games.core import Phrase, phrase

COOKIE = "ludoteca"
"""The cookie of one guest, sent to their own page alone."""

HOME = "ludoteca-home"
"""The cookie that leads from ``/`` to the guest's own page."""

YEAR = 365 * 24 * 3600

POLICY = "Content-Security-Policy"
"""The header that says what the page may load and run."""

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
"""The headers of every response: nothing foreign runs in the page or frames it."""

OPENER = "Cross-Origin-Opener-Policy"
"""The header that says whether the page that opened this one may still reach it."""

OPENED_SAFELY = ("none", "same-origin")
"""The values of Sec-Fetch-Site for a page that was opened by hand, or by one of ours."""


def opener_policy(request: web.Request) -> dict[str, str]:
    """The headers that keep a foreign page that opened this one away from it.

    There are none where no such page can exist: the header costs a browser a new process.
    """
    safe = request.headers.get("Sec-Fetch-Site") in OPENED_SAFELY
    return {} if safe else {OPENER: "same-origin"}


def content_policy(style: str) -> str:
    """The policy of a page with an inline style, whose hash is *style*, and a base."""
    policy = HEADERS[POLICY].replace("base-uri 'none'", "base-uri 'self'")
    return policy.replace("style-src 'self'", f"style-src 'self' {style}")


def guest_cookie(origin: Origin, guest_id: str) -> str:
    """The name of the cookie of one guest.

    On an encrypted connection the browser binds the cookie to our host (``__Host-``). Such a
    cookie has no path, so its name holds the guest.
    """
    return f"__Host-{COOKIE}-{guest_id}" if origin.secure else COOKIE


def home_cookie(origin: Origin) -> str:
    """The name of the cookie that leads from ``/`` to a guest's page."""
    return f"__Host-{HOME}" if origin.secure else HOME


def refuse_prefetch(request: web.Request) -> None:
    """Refuse a prefetch (503), so that it spends no link."""
    if "prefetch" in request.headers.get("Sec-Purpose", ""):
        raise web.HTTPServiceUnavailable(text="503: only when it is opened.")


def is_navigation(request: web.Request) -> bool:
    """Whether a browser asks for a page that it shows, and not for a part of one."""
    return request.headers.get("Sec-Fetch-Dest", "") in ("document", "iframe")


def way_in(request: web.Request, guest: Guest, to: str = "") -> web.Response:
    """The small page that leads on to the page of *guest*, at the screen *to* of it."""
    return lobby(request, phrase("web.door.open"), 200, f"{guest.path}/{to}")


def once_more(request: web.Request, query: str = "?on") -> web.Response:
    """The small page that leads to the same path again, then with all cookies and *query*."""
    return lobby(request, phrase("web.door.open"), 200, f"{request.path}{query}")


def ask_whom(request: web.Request, guest: Guest) -> web.Response:
    """The small page that asks whether an invitation is for *guest* or for somebody else."""
    me = (phrase("web.door.me", name=guest.name), f"{request.path}?as=me")
    other = (phrase("web.door.other"), f"{request.path}?as=other")
    return small_page(request, phrase("web.door.whom"), 200, (me, other))


def admit(request: web.Request, entrance: Entrance, *, settles: bool, to: str = "") -> web.Response:
    """Let a new guest in at the screen *to*, with cookies; *settles* makes ``/`` lead there."""
    guest, origin = entrance.guest, request[ORIGIN]
    response = way_in(request, guest, to)
    path = "/" if origin.secure else guest.path
    put = partial(response.set_cookie, max_age=YEAR, httponly=True, samesite="Strict")
    put(guest_cookie(origin, guest.id), entrance.secret, path=path, secure=origin.secure)
    if settles:
        put(home_cookie(origin), f"{guest.id}.{entrance.secret}", secure=origin.secure)
    return response


ORIGIN: web.RequestKey[Origin] = web.RequestKey("origin", Origin)
"""The origin of a request."""


class Banned(web.HTTPForbidden):
    """The guest is kept out of the whole house."""


async def requesting_guest(request: web.Request, guests: Guests) -> Guest:
    """The guest of the page in the path, by cookie, or by the token in it.

    Raises 401 for nobody, and ``Banned`` for whom the operator keeps out.
    """
    guest = await browser_guest(request, guests)
    if guest is None:
        raise web.HTTPUnauthorized(text="401")
    if await guests.is_banned(guest):
        raise Banned(text="403")
    return guest


async def browser_guest(request: web.Request, guests: Guests) -> Guest | None:
    """The guest whom the browser of *request* belongs to, or the page in its path."""
    framed = {"guest", "token"} <= request.match_info.keys()
    within = DISCORD if request.path.startswith(WITHIN_DISCORD) else TELEGRAM
    for guest_id, secret in _claims(request):
        known, stranger = guests.remembers(guest_id, secret), request[STRANGER]
        if not known:
            await stranger.claim("claim")
        finding = guests.identify(guest_id, secret, within) if framed else None
        guest = await (finding or guests.find(guest_id, secret))
        if guest is not None:
            if not known:
                stranger.prove("claim")
            return guest
    return None


def _claims(request: web.Request) -> list[tuple[str, str]]:
    """The ids and the secrets by which *request* may be that of a guest."""
    wanted, origin = request.match_info.get("guest"), request[ORIGIN]
    if wanted is None:
        homes = [one.partition(".") for one in cookie_values(request, home_cookie(origin))]
        return [(guest_id, secret) for guest_id, _, secret in homes]
    token = request.match_info.get("token")
    found = [token] if token else cookie_values(request, guest_cookie(origin, wanted))
    return [(wanted, secret) for secret in found]


def remembered_guest(request: web.Request, guests: Guests) -> str:
    """The id of the guest whose *request* it is, "" where memory alone cannot tell."""
    found = (guest_id for guest_id, one in _claims(request) if guests.remembers(guest_id, one))
    return next(found, "")


async def refuse_unreadable(request: web.Request, seconds: float) -> None:
    """Refuse a body that cannot be decoded (400) or takes more than *seconds* (408)."""
    try:
        if request.can_read_body and not request.content_type.startswith("multipart/"):
            async with asyncio.timeout(seconds):
                await request.text()
    except (UnicodeError, LookupError, BadHttpMessage, web.RequestPayloadError):
        request.content.feed_eof()  # else the server would read what is left, and log why not
        raise web.HTTPBadRequest from None
    except TimeoutError:
        raise web.HTTPRequestTimeout from None


TRIED = 64
"""How many cookies of one name are tried; another server on this machine may set some, too."""


def cookie_values(request: web.Request, name: str) -> list[str]:
    """All values that the browser sends for the cookie *name*."""
    found = []
    for header in request.headers.getall("Cookie", []):
        for part in header.split(";"):
            one = SimpleCookie(part.strip())
            found += [it.value for key, it in one.items() if key == name and it.value]
    return found[:TRIED]


DEFAULT: web.AppKey[str] = web.AppKey("language")
"""The language for browsers that ask for none of ours."""


def first_language(request: web.Request) -> str:
    """The browser's first language, if it is one of ours; empty otherwise."""
    first = request.headers.get("Accept-Language", "").split(",")[0].partition(";")[0].strip()
    return first if spoken(first) else ""


def browser_language(request: web.Request) -> Language:
    """The language for a browser that has no guest yet."""
    offers = request.headers.get("Accept-Language", "").split(",")
    known = (spoken(offer.partition(";")[0].strip()) for offer in offers)
    return language(next(filter(None, known), request.app.get(DEFAULT, LANGUAGES[0])))


def lobby(request: web.Request, said: Phrase, status: int, to: str = "") -> web.Response:
    """A small page with one sentence, which leads on to the address *to*, if any.

    It refreshes instead of redirecting: browsers send no strict cookie on a redirect that began
    on another site, such as the chat where the link was posted.
    """
    links = ((phrase(f"web.door.{'on' if to else 'again'}"), to or "/"),)
    return small_page(request, said, status, links, onward=to)


def try_again(request: web.Request, said: Phrase, status: int) -> web.Response:
    """The small page that says what failed, and leads to the same address again."""
    return small_page(request, said, status, ((phrase("web.door.again"), request.path_qs),))


def small_page(
    request: web.Request,
    said: Phrase,
    status: int,
    links: tuple[tuple[Phrase, str], ...] = (),
    **more: str,
) -> web.Response:
    """A small page with one sentence above *links*, and what *more* ``lobby.html`` takes."""
    tongue = browser_language(request)
    return html_response(tongue, "lobby.html", status=status, said=said, links=links, **more)
