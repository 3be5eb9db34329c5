"""Doors of the public page: people sign in by Discord or Telegram, and are who they are there.

The browser goes to the platform's own page and comes back with a code. The visit there is begun by
a cookie that comes back with it (``Lax``); the cookies of guests do not (``Strict``). So the page
that answers only leads on to another of ours, by a ticket in a cookie that is strict as well.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import re
import secrets
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from urllib.parse import urlencode

from aiohttp import web
from cachetools import TTLCache

from bot.chats.web.budget import STRANGER
from bot.chats.web.doors import admission
from bot.chats.web.doors.discord_app import CODE, DiscordApp, PlatformAway
from bot.chats.web.doors.house_invitations import PATH, is_invited, spend_invitation
from bot.chats.web.doors.mini_app import guest_id_of
from bot.chats.web.doors.origins import Origins
from bot.chats.web.doors.telegram_login import TelegramLogin
from bot.chats.web.person.guests import Entrance, Guest, Guests
from bot.facade import NOTIFY, TEMPOS, Action, Facade, cleaned, remembering
from bot.port import Asker
from games.core import Phrase, phrase

BEGUN, TICKET = "__Host-ludoteca-door", "__Host-ludoteca-ticket"
"""The cookies of a visit to a platform, and of who has come back from it."""

LASTS, TICKET_LASTS = 600, 120
"""The seconds for which such a visit and a ticket last."""

DISCORD_ISSUER = "https://discord.com"
"""Who answers there (RFC 9207)."""

NAMES: Mapping[str, str] = MappingProxyType({"discord": "Discord", "telegram": "Telegram"})
"""The platforms by which people may sign in, as people call them."""

SPENT = "door-spent"
"""The news that a visit or a ticket is spent."""

WAYS = re.compile(
    "t/[0-9A-Z]{4,8}|play/[a-z]{1,32}(?:/[1-9][0-9]?)?|tournaments/[0-9A-Z]{4,8}|puzzle/today"
    f"|now/(?:{'|'.join((*TEMPOS, NOTIFY))})/[a-z]{{1,32}}"
)
"""Where a key of the front door may lead: below a guest's page."""

MOST_SPENT = 16_384
"""How many of them are remembered, each by 16 letters of its signature."""


@dataclass(frozen=True)
class Identity:
    """Somebody as a *platform* knows them."""

    platform: str
    external: str
    name: str
    language: str = ""

    @property
    def door(self) -> str:
        """Them as ``OPERATORS`` names people."""
        return f"{self.platform}:{self.external}"

    @property
    def asker(self) -> Asker:
        """Them as the facade knows them."""
        return Asker(self.platform, self.external, self.name, self.language or None)


class NoEntry(Exception):
    """Somebody does not come in; *why* is told them."""

    def __init__(self, why: str, status: int = 403) -> None:
        super().__init__(why)
        self.why, self.status = phrase(why), status


@dataclass(frozen=True)
class DoorKeys:
    """Which doors are open: by *discord* and *telegram*, and for guests in an *open_house*.

    In a *demo* nobody is asked for a name, or sent to look for others.
    """

    discord: DiscordApp | None = None
    telegram: TelegramLogin | None = None
    open_house: bool = False
    demo: bool = False


@dataclass
class Doors:
    """The doors that *keys* opens."""

    origins: Origins
    guests: Guests
    facade: Facade
    keys: DoorKeys = DoorKeys()
    seat: Callable[[Guest, str], Awaitable[object]] | None = None
    """Seats a guest who has a name where they wish."""
    now: Callable[[], float] = time.time
    _spent: TTLCache[str, None] = remembering(MOST_SPENT, LASTS)

    def __post_init__(self) -> None:
        self.requests = self.facade.requests
        self.facade.fleet.on(SPENT, lambda one: self._spent.__setitem__(one, None))

    def routes(self) -> list[web.RouteDef]:
        """The routes of all doors; those that are closed answer 404."""
        return [
            web.get("/door/go", self._go, allow_head=False),
            web.get("/door/guest", self._as_guest, allow_head=False),
            web.get(f"{PATH}{{token:[A-Za-z0-9_-]{{16,64}}}}", self._invite, allow_head=False),
            web.get("/door/{platform:discord|telegram}", self._begin, allow_head=False),
            web.get("/door/{platform:discord|telegram}/back", self._back, allow_head=False),
        ]

    def ways(self) -> tuple[tuple[Phrase, str], ...]:
        """The doors that are open, as labels and addresses."""
        found = [
            (phrase("web.door.sign-in", platform=name), f"/door/{platform}")
            for platform, name in NAMES.items()
            if getattr(self.keys, platform) is not None
        ]
        if self.keys.open_house:
            found.append((phrase("web.door.as-guest"), "/door/guest"))
        return tuple(found)

    def _door(self, request: web.Request) -> tuple[str, DiscordApp | TelegramLogin]:
        """The platform of a request and its door; 404 where that is closed, or not encrypted."""
        platform = request.match_info["platform"]
        door: DiscordApp | TelegramLogin | None = getattr(self.keys, platform)
        if door is None or not request[admission.ORIGIN].secure:
            raise web.HTTPNotFound
        return platform, door

    def _return_address(self, platform: str) -> str:
        return f"{self.origins.public}/door/{platform}/back"

    # ---------------------------------------------------------------- there and back

    async def _begin(self, request: web.Request) -> web.Response:
        """Lead to the platform's own page."""
        platform, door = self._door(request)
        state, verifier, nonce = (secrets.token_urlsafe(32) for _ in range(3))
        digest = hashlib.sha256(verifier.encode()).digest()
        asked = {
            "response_type": "code",
            "redirect_uri": self._return_address(platform),
            "state": state,
            "code_challenge": base64.urlsafe_b64encode(digest).decode().rstrip("="),
            "code_challenge_method": "S256",
        }
        try:
            page, more = await door.sign_in_page(nonce)
        except PlatformAway:
            return admission.try_again(request, phrase("web.door.away"), 503)
        response = web.Response(status=303, headers={"Cache-Control": "no-store"})
        response.headers["Location"] = f"{page}?{urlencode({**asked, **more})}"
        begun = f"{platform}.{int(self.now())}.{state}.{verifier}.{nonce}"
        _put(response, BEGUN, f"{begun}.{self._mac(f'visit {begun}')}", LASTS, "Lax")
        return response

    async def _back(self, request: web.Request) -> web.Response:
        """Take who comes back: 200 with a page of ours that goes on."""
        try:
            identity = await self._came_back(request, *self._door(request))
        except NoEntry as refused:
            response = self._refusal(request, refused)
        except PlatformAway:
            response = self._refusal(request, NoEntry("web.door.away", 503))
        else:
            response = admission.lobby(request, phrase("web.door.open"), 200, "/door/go")
            _put(response, TICKET, self._ticket(identity), TICKET_LASTS, "Strict")
        _put(response, BEGUN, "", 0, "Lax")
        return response

    async def _came_back(
        self, request: web.Request, platform: str, door: DiscordApp | TelegramLogin
    ) -> Identity:
        """Who comes back, as the platform tells; raises ``NoEntry``."""
        asked = request.query
        verifier, nonce = await self._read_visit(request, platform, asked.get("state", ""))
        if asked.get("error"):
            raise NoEntry("web.door.refused")
        if platform == "discord" and asked.get("iss", DISCORD_ISSUER) != DISCORD_ISSUER:
            raise NoEntry("web.door.not-begun")
        if not CODE.fullmatch(asked.get("code", "")):
            raise NoEntry("web.door.not-begun", 400)
        user = await door.signed_in(asked["code"], verifier, nonce, self._return_address(platform))
        if user is None:
            raise NoEntry("web.door.not-begun", 401)
        found = Identity(platform, user.id, cleaned(user.name) or NAMES[platform], user.language)
        if await self.requests.is_banned(found.asker):
            raise NoEntry("moderation.banned")
        request[STRANGER].budget.charge("entering", found.door, "entrance")
        return found

    async def _read_visit(self, request: web.Request, platform: str, state: str) -> tuple[str, str]:
        """The verifier and the nonce of the visit that this browser has begun, which it spends.

        Raises ``NoEntry`` for a visit that it has not begun, or not lately, or not with *state*.
        """
        for kept in admission.cookie_values(request, BEGUN):
            begun, _, mac = kept.rpartition(".")
            if not self._is_ours(f"visit {begun}", mac):
                await request[STRANGER].claim("claim")
                continue
            where, when, wanted, verifier, nonce = begun.split(".")
            late = not 0 <= self.now() - int(when) <= LASTS
            same = hmac.compare_digest(wanted.encode(), state.encode())
            if where == platform and same and not late:
                stranger = request[STRANGER]
                stranger.budget.charge("address", stranger.network, "code")
                if await self._spend(mac[:16]):
                    return verifier, nonce
        raise NoEntry("web.door.not-begun")

    # ---------------------------------------------------------------- coming in

    async def _go(self, request: web.Request) -> web.Response:
        """Let in who has a ticket, and ask them where this browser is somebody else's.

        Nobody is joined who was not asked, by both names.
        """
        try:
            ticket, identity = self._read_ticket(request)
        except NoEntry as refused:
            return self._refusal(request, refused)
        guest = await admission.browser_guest(request, self.guests)
        wish = request.query.get("as", "")
        same = guest is not None and await self.requests.are_one(guest.asker, identity.asker)
        if guest is not None and guest.name and not same:
            if wish not in ("join", "switch"):
                return self._question(request, guest, identity)
        else:
            wish = "switch" if guest is None or not guest.name else "stay"
        if not await self._spend(ticket):
            return self._refusal(request, NoEntry("web.door.not-begun"))
        if guest is not None and wish in ("join", "stay"):
            await self.requests.join(identity.asker, guest.asker)
            await self._bring(guest)
            await self.guests.with_device(guest, lambda one: replace(one, door=identity.door))
            response = admission.way_in(request, guest)
        else:
            entrance = await self._entrance(identity, request.headers.get("User-Agent", ""))
            if guest is not None and guest.table:
                # They were invited to a table, and had not said a name yet.
                table = guest.table
                come = entrance.guest.command(f"invited:{table}", Action.JOIN, table=table)
                await self.requests.call(come)
            response = admission.admit(request, entrance, settles=True)
        _put(response, TICKET, "", 0, "Strict")
        return response

    def _question(self, request: web.Request, guest: Guest, identity: Identity) -> web.Response:
        platform = NAMES[identity.platform]
        said = phrase("web.door.both", here=guest.name, there=identity.name, platform=platform)
        ways = (
            (phrase("web.door.switch", there=identity.name), "/door/go?as=switch"),
            (phrase("web.door.join", here=guest.name, there=identity.name), "/door/go?as=join"),
            (phrase("web.door.stay", here=guest.name), "/"),
        )
        return admission.small_page(request, said, 200, ways)

    async def _entrance(self, identity: Identity, user_agent: str) -> Entrance:
        """The page of *identity* on one more device, always the same page."""
        known = guest_id_of(identity.external, identity.platform)
        entrance = await self.guests.signed_in(
            known, identity.name, identity.language, user_agent, identity.door
        )
        await self.requests.join(identity.asker, entrance.guest.asker)
        await self._bring(entrance.guest)
        return entrance

    async def _bring(self, guest: Guest) -> None:
        """Let all that *guest* plays in chats stand on their page."""
        for code in await self.facade.boards.missing(guest.asker, guest.where):
            update = f"door:{secrets.token_hex(8)}:{code}"
            await self.requests.call(guest.command(update, Action.BOARD, table=code))

    async def _as_guest(self, request: web.Request) -> web.Response:
        """Let anybody in by no name, where the house is open."""
        if not self.keys.open_house:
            raise web.HTTPNotFound
        return await self._welcome(request)

    async def _invite(self, request: web.Request) -> web.Response:
        """Let somebody in by an invitation of the operator."""
        token, notes = request.match_info["token"], self.facade.notes
        if not await is_invited(notes, token):
            return self._refusal(request, NoEntry("web.door.invited-out", 410))
        return await self._welcome(request, lambda: spend_invitation(notes, token))

    async def _welcome(
        self, request: web.Request, spend: Callable[[], Awaitable[bool]] | None = None
    ) -> web.Response:
        """Let in a new guest, who may *spend* an invitation; who has a page goes on there."""
        found = WAYS.fullmatch(request.query.get("to", ""))
        to = found[0] if found else ""
        if "on" not in request.query:
            # Then with all cookies.
            return admission.once_more(request, f"?{urlencode({'on': '', 'to': to})}")
        # A game that begins with the name has no address before.
        at = "" if to.count("/") == 2 else to
        guest = await admission.browser_guest(request, self.guests)
        if guest is not None:
            return admission.way_in(request, guest, at)
        if not request[STRANGER].take_newcomer():
            return admission.lobby(request, phrase("web.door.crowded"), 429)
        if spend is not None and not await spend():
            return self._refusal(request, NoEntry("web.door.invited-out", 410))
        tongue, demo = admission.browser_language(request), self.keys.demo
        entrance = await self.guests.welcome(
            request.headers.get("User-Agent", ""),
            invited=spend is not None,
            wish="" if demo else to,
            name=tongue.say(phrase("web.door.demo.name")) if demo else "",
            language=admission.first_language(request),
        )
        if demo and self.seat is not None and to and not at:
            guest, lobby = entrance.guest, self.facade.pages.lobby
            await self.seat(guest, to)
            tables = await lobby.in_place(guest.asker, guest.where, tongue.code)
            at = "".join(f"t/{one.table}" for one in tables)
        return admission.admit(request, entrance, settles=True, to=at)

    def _refusal(self, request: web.Request, refused: NoEntry) -> web.Response:
        ways = (*self.ways(), (phrase("web.door.again"), "/"))
        return admission.small_page(request, refused.why, refused.status, ways)

    # ---------------------------------------------------------------- tickets

    def _ticket(self, identity: Identity) -> str:
        """A ticket that lets *identity* in, once and soon."""
        told = {**vars(identity), "until": self.now() + TICKET_LASTS, "one": secrets.token_hex(8)}
        body = base64.urlsafe_b64encode(json.dumps(told).encode()).decode().rstrip("=")
        return f"{body}.{self._mac(body)}"

    def _read_ticket(self, request: web.Request) -> tuple[str, Identity]:
        """The ticket of the browser, and whom it lets in; raises ``NoEntry``."""
        for kept in admission.cookie_values(request, TICKET):
            body, _, mac = kept.partition(".")
            if not self._is_ours(body, mac):
                continue
            told = json.loads(base64.urlsafe_b64decode(body + "=" * (-len(body) % 4)))
            one, until = told.pop("one"), told.pop("until")
            if until > self.now() and one not in self._spent:
                return one, Identity(**told)
        raise NoEntry("web.door.not-begun")

    def _mac(self, body: str) -> str:
        return self.requests.signature(f"door {body}")

    def _is_ours(self, body: str, mac: str) -> bool:
        """Whether *mac* is our signature of *body*."""
        return hmac.compare_digest(mac.encode(), self._mac(body).encode())

    async def _spend(self, one: str) -> bool:
        """Spend a visit or a ticket, in all processes; whether it was not spent before."""
        if one in self._spent:
            return False
        self._spent[one] = None
        await self.facade.fleet.say(SPENT, one)
        return True


def _put(response: web.Response, name: str, value: str, lasts: int, site: str) -> None:
    """Set a cookie of our host alone; one that lasts no time goes."""
    response.set_cookie(
        name, value, max_age=lasts, path="/", httponly=True, secure=True, samesite=site
    )
