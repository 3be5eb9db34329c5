"""The page of the operator: what goes on, who is kept out, what is announced.

It is for the persons whom ``OPERATORS`` names, in a browser in which they have signed in by a door.
Where nobody is named and the page is not public, an address that is printed at the start lets one
browser on this machine in, once, until the process ends. Behind a proxy every stranger comes from
this machine: so nobody does by a request that was passed on, nor where there is a public address.
"""

from __future__ import annotations

import hmac
import logging
import secrets
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Final

from aiohttp import HttpVersion11, web

from bot.chats.web.doors import admission
from bot.chats.web.doors.admission import ORIGIN
from bot.chats.web.doors.doors import Doors, NoEntry
from bot.chats.web.doors.origins import PASSED_ON, Origins, Reach
from bot.chats.web.html_documents import html_response
from bot.chats.web.person.guests import Guests, hash_token
from bot.facade import (
    LONGEST_ANNOUNCEMENT,
    MOST_HOURS,
    Operator,
    cleaned,
    house_status,
    newest_copy,
)
from games.core import Phrase, phrase
from games.core.shelf import shelf

log = logging.getLogger(__name__)

PATH: Final = "/operator/"

COOKIE: Final = "ludoteca-operator"
"""The cookie of the browser on this machine that has spent the address of the start."""

MARKS: Final = (*PASSED_ON, "Via", "X-Forwarded-Server", "X-Forwarded-Port")
"""The headers of requests that were passed on."""

LONGEST_ID: Final = 64

CHATS: Final = ("discord", "telegram", "web")
"""The platforms of all chats, served here or not."""

HERE: Final = "at this machine"
"""The operator in the log where no persons are named."""


@dataclass(frozen=True)
class OperatorKeys:
    """Whose page it is: *people* as ``discord:123``; *copies* is the folder of copies."""

    people: frozenset[str] = frozenset()
    copies: Path | None = None


@dataclass
class OperatorServer:
    """Answers whoever runs this house."""

    origins: Origins
    guests: Guests
    operator: Operator
    doors: Doors
    keys: OperatorKeys = OperatorKeys()
    _once: str = ""
    """The hash of the token that lets a browser on this machine in."""
    _browsers: set[str] = field(default_factory=set)
    """The hashes of the cookies of those that were let in."""

    def routes(self) -> list[web.RouteDef]:
        """The page, and what is sent from it."""
        return [web.get(PATH, self._page, allow_head=False), web.post(f"{PATH}act", self._page)]

    def first_address(self) -> str:
        """A new address that lets one browser in, once; empty where it would let strangers in."""
        if self.keys.people or self.origins.public:
            return ""
        token = secrets.token_urlsafe(24)
        self._once = hash_token(token)
        near = next(one.url for one in self.origins.all() if one.reach is Reach.HERE)
        return f"{near}{PATH}?once={token}"

    # ---------------------------------------------------------------- who asks

    async def _operator(self, request: web.Request) -> str:
        """How the log names the operator who asks; raises ``NoEntry``."""
        if self.keys.people:
            return await self._by_door(request)
        if not self._is_near(request):
            raise web.HTTPNotFound
        for secret in admission.cookie_values(request, COOKIE):
            if hash_token(secret) in self._browsers:
                return HERE
        raise NoEntry("operator.once", 401)

    async def _by_door(self, request: web.Request) -> str:
        """The person whom ``OPERATORS`` names and who has signed in in this browser."""
        guest = await admission.browser_guest(request, self.guests)
        door = "" if guest is None or guest.device is None else guest.device.door
        if guest is None or not door:
            raise NoEntry("operator.sign-in", 401)
        if door not in self.keys.people or await self.guests.is_banned(guest):
            raise NoEntry("operator.not-you")
        return f"{door} ({guest.name})"

    def _is_near(self, request: web.Request) -> bool:
        """Whether *request* was made by a browser on this machine and passed on by nothing."""
        return (
            not self.origins.public
            and request[ORIGIN].reach is Reach.HERE
            # Browsers speak 1.1 at least; nginx passes on by 1.0 what nobody has told it about.
            and request.version >= HttpVersion11
            and not any(name in request.headers for name in MARKS)
        )

    def _refusal(self, request: web.Request, refused: NoEntry) -> web.Response:
        ways = self.doors.ways() if self.keys.people else ()
        return admission.small_page(request, refused.why, refused.status, ways)

    def _enter(self, request: web.Request, token: str) -> web.Response:
        """Let a browser on this machine in by the address of the start, which this spends."""
        if self.keys.people or not self._is_near(request):
            raise web.HTTPNotFound
        if not self._once or not hmac.compare_digest(self._once, hash_token(token)):
            return self._refusal(request, NoEntry("operator.spent", 410))
        self._once, secret = "", secrets.token_urlsafe(24)
        self._browsers.add(hash_token(secret))
        log.info("operator %s: comes in", HERE)
        response = admission.lobby(request, phrase("web.door.open"), 200, PATH)
        response.set_cookie(COOKIE, secret, path=PATH, httponly=True, samesite="Strict")
        return response

    # ---------------------------------------------------------------- the page

    async def _page(self, request: web.Request) -> web.Response:
        if request.method == "GET" and (token := request.query.get("once", "")):
            return self._enter(request, token)
        try:
            who = await self._operator(request)
        except NoEntry as refused:
            return self._refusal(request, refused)
        told = None if request.method == "GET" else await self._act(request, who)
        return await self._show(request, told)

    async def _act(self, request: web.Request, who: str) -> Phrase:
        sent = (await request.post()).items()
        form = {key: value for key, value in sent if isinstance(value, str)}
        act = self._acts.get(form.get("act", ""))
        if act is None:
            raise web.HTTPBadRequest
        return await act(who, form)

    async def _show(self, request: web.Request, told: Phrase | None) -> web.Response:
        tongue = admission.browser_language(request)
        house = await house_status(self.operator, tongue.code)
        copies = self.keys.copies
        copied = None if copies is None else newest_copy(copies)
        return html_response(
            tongue,
            "operator.html",
            path=PATH,
            told=told,
            most_hours=MOST_HOURS,
            house=house,
            playing=house.count("playing"),
            waiting=house.count("open"),
            copied=copied,
            copies=copies is not None,
            name_of=lambda key: tongue.say(phrase(f"{key}.name")) if key in shelf() else key,
        )

    # ---------------------------------------------------------------- what is done

    @property
    def _acts(self) -> Mapping[str, Callable[[str, Mapping[str, str]], Awaitable[Phrase]]]:
        return {
            "ban": partial(self._judge, "ban"),
            "unban": partial(self._judge, "unban"),
            "announce": self._announce,
            "end": self._end,
        }

    async def _judge(self, act: str, who: str, form: Mapping[str, str]) -> Phrase:
        """Ban somebody, or unban them."""
        platform, external = _person_in(form)
        if not external:
            return phrase("operator.bad-id")
        if act == "ban" and who.startswith(f"{platform}:{external} "):
            return phrase("operator.not-yourself")
        log.info("operator %s: %s %s %s", who, act, platform, external)
        does = self.operator.ban if act == "ban" else self.operator.unban
        done = await does(platform, external)
        words = {"ban": ("banned-already", "banned"), "unban": ("not-banned", "unbanned")}
        return phrase(f"operator.{words[act][done]}")

    async def _announce(self, who: str, form: Mapping[str, str]) -> Phrase:
        text, hours = cleaned(form.get("text", ""), LONGEST_ANNOUNCEMENT + 1), form.get("hours", "")
        if not 0 < len(text) <= LONGEST_ANNOUNCEMENT:
            return phrase("operator.bad-text", most=LONGEST_ANNOUNCEMENT)
        if not hours.isdecimal() or not 1 <= int(hours[:6]) <= MOST_HOURS:
            return phrase("operator.bad-hours", most=MOST_HOURS)
        log.info("operator %s: announce for %s h: %s", who, hours, text)
        await self.operator.announcer.announce(text, int(hours))
        return phrase("operator.announced")

    async def _end(self, who: str, _form: Mapping[str, str]) -> Phrase:
        log.info("operator %s: end the announcement", who)
        await self.operator.announcer.announce("", 0)
        return phrase("operator.ended")


def _person_in(form: Mapping[str, str]) -> tuple[str, str]:
    """The platform and the id that *form* names; an empty id where it is none."""
    platform, external = form.get("platform", ""), form.get("id", "").strip()
    good = external.isascii() and external.isprintable() and len(external) <= LONGEST_ID
    return platform, external if good and platform in CHATS and " " not in external else ""
