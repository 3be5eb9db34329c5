"""What the page asks of Discord: who signs in, which application we are, who is in an instance.

Only what Discord itself answers counts; what a page says of its reader does not.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import aiohttp
from cachetools import TTLCache

from bot.facade import remembering

API = "https://discord.com/api/v10"
"""Discord's API."""

REQUEST_TIMEOUT = aiohttp.ClientTimeout(total=10.0)

LARGEST_ANSWER = 256 * 1024
"""The most bytes that are read of an answer."""

RETRY_SECONDS = 10.0
"""The seconds after which an application is asked for again that could not be learned."""

SEEN = 5.0
"""The seconds for which it is known who is in an instance."""

INSTANCE = re.compile(r"[A-Za-z0-9_-]{1,128}")
"""The form of an instance's id, which becomes a part of an address."""

SIGN_IN = "https://discord.com/oauth2/authorize"
"""Where Discord asks its people."""

CODE = re.compile(r"[A-Za-z0-9._~-]{1,256}")
"""The form of a code and of a verifier (RFC 6749, RFC 7636)."""


class PlatformAway(Exception):
    """A platform does not answer, or not as documented."""


@dataclass(frozen=True)
class Application:
    """Our application: its *id*, and the hexadecimal *key* by which its proxy signs."""

    id: str
    key: str

    @property
    def origin(self) -> str:
        """The origin of the frames in which Discord shows our page."""
        return f"https://{self.id}.discordsays.com"


@dataclass(frozen=True)
class SignedIn:
    """Who has signed in, and the *token* by which their client lets a page act for them."""

    id: str
    name: str
    language: str = ""
    token: str = field(default="", repr=False)


@dataclass(frozen=True)
class Instance:
    """A running Activity: the *channel* in which it was opened, and who is in it, by their ids."""

    channel: str
    users: frozenset[str]


@dataclass
class DiscordApp:
    """The application of the bot with this *token*, and its client *secret*; neither is shown."""

    token: str = field(repr=False)
    secret: str = field(repr=False)
    api: str = API
    now: Callable[[], float] = time.monotonic
    _known: Application | None = None
    _http: aiohttp.ClientSession | None = None
    _failed: float = float("-inf")
    _instances: TTLCache[str, Instance | None] = remembering(256, SEEN)

    async def application(self) -> Application:
        """Our application, asked for once; raises ``PlatformAway``."""
        if self._known is None:
            if self.now() - self._failed < RETRY_SECONDS:
                raise PlatformAway
            self._failed = self.now()
            _, told = await self._ask("GET", "/applications/@me", f"Bot {self.token}")
            try:
                self._known = Application(str(int(told["id"])), str(told.get("verify_key", "")))
            except (KeyError, ValueError):
                raise PlatformAway from None
        return self._known

    async def sign_in_page(self, _nonce: str) -> tuple[str, dict[str, str]]:
        """Where a browser signs in, and what is asked there; raises ``PlatformAway``."""
        return SIGN_IN, {"client_id": (await self.application()).id, "scope": "identify"}

    async def signed_in(
        self, code: str, verifier: str = "", _nonce: str = "", back: str = ""
    ) -> SignedIn | None:
        """Who signed in by *code*; None where Discord does not take it. Raises ``PlatformAway``.

        *verifier* proves that we have begun it (RFC 7636). *back* is the address to which a
        browser came back; within Discord there is none.
        """
        form = {
            "client_id": (await self.application()).id,
            "client_secret": self.secret,
            "grant_type": "authorization_code",
            "code": code,
            **({"code_verifier": verifier} if verifier else {}),
            **({"redirect_uri": back} if back else {}),
        }
        status, told = await self._ask("POST", "/oauth2/token", form=form)
        token, scopes = told.get("access_token"), str(told.get("scope", "")).split()
        if status != 200 or not isinstance(token, str) or "identify" not in scopes:
            return None
        status, user = await self._ask("GET", "/users/@me", f"Bearer {token}")
        known = user.get("id")
        if status != 200 or not isinstance(known, str) or not known.isdigit():
            raise PlatformAway
        names = (user.get("global_name"), user.get("username"))
        name = next((one for one in names if isinstance(one, str) and one), "")
        locale = user.get("locale")
        return SignedIn(known, name, locale if isinstance(locale, str) else "", token)

    async def instance(self, instance: str) -> Instance | None:
        """Who is in *instance* and where; None where none runs. Raises ``PlatformAway``."""
        if not INSTANCE.fullmatch(instance):
            return None
        if instance not in self._instances:
            number = (await self.application()).id
            path = f"/applications/{number}/activity-instances/{instance}"
            status, told = await self._ask("GET", path, f"Bot {self.token}")
            self._instances[instance] = _instance(told) if status == 200 else None
        return self._instances[instance]

    def has_seen(self, instance: str) -> bool:
        """Whether *instance* was found to run, as far as that is known."""
        return self._instances.get(instance) is not None

    def look_again(self, instance: str) -> None:
        """Ask anew who is in *instance*."""
        self._instances.pop(instance, None)

    async def close(self) -> None:
        """Close the connections to Discord; the next question opens new ones."""
        http, self._http = self._http, None
        if http is not None:
            await http.close()

    def _session(self) -> aiohttp.ClientSession:
        """Connections that are used again: who signs in would wait for three handshakes of TLS."""
        if self._http is None:
            jar = aiohttp.DummyCookieJar()
            self._http = aiohttp.ClientSession(timeout=REQUEST_TIMEOUT, cookie_jar=jar)
        return self._http

    async def _ask(
        self, method: str, path: str, authorization: str = "", form: Mapping[str, str] | None = None
    ) -> tuple[int, Mapping[str, Any]]:
        """The status and the object that Discord answers; raises ``PlatformAway``."""
        asked = self._session(), method, f"{self.api}{path}", authorization, form
        return await ask_platform(*asked)


async def ask_platform(
    http: aiohttp.ClientSession,
    method: str,
    url: str,
    authorization: str = "",
    form: Mapping[str, str] | None = None,
) -> tuple[int, Mapping[str, Any]]:
    """The status and the object that a platform answers; raises ``PlatformAway``."""
    headers = {"Authorization": authorization} if authorization else {}
    try:
        async with http.request(
            method, url, headers=headers, data=form, allow_redirects=False
        ) as answer:
            status, told = answer.status, json.loads(await answer.content.read(LARGEST_ANSWER))
    except (OSError, TimeoutError, aiohttp.ClientError, ValueError):
        raise PlatformAway from None
    if status >= 500 or status == 429:
        raise PlatformAway
    return status, told if isinstance(told, dict) else {}


def _instance(told: Mapping[str, Any]) -> Instance | None:
    where, users = told.get("location"), told.get("users")
    channel = where.get("channel_id") if isinstance(where, dict) else None
    if not isinstance(channel, str) or not channel.isdigit() or not isinstance(users, list):
        return None
    return Instance(channel, frozenset(one for one in users if isinstance(one, str)))
