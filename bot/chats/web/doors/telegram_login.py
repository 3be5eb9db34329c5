"""Signing in with Telegram by a browser: OpenID Connect, as Telegram has offered it since 2025.

No script of Telegram's runs in our page: the browser goes to Telegram's own and comes back with a
code, for which Telegram gives us a signed token
(https://core.telegram.org/bots/telegram-login). The widget of before, whose data the bot's token
signs, is only documented as an archive by now.
"""

from __future__ import annotations

import base64
import json
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import aiohttp
import jwt
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey

from bot.chats.web.doors.discord_app import REQUEST_TIMEOUT, PlatformAway, SignedIn, ask_platform

ISSUER = "https://oauth.telegram.org"
"""Who signs, and where browsers are sent."""

FRESH = 300.0
"""The seconds since Telegram signed after which that is too old."""

CLOCK_AHEAD = 60.0
"""The seconds by which Telegram's clock may be ahead of ours."""

KEYS_AGAIN = 60.0
"""The seconds between two requests for Telegram's keys, where one is not among them."""

LEAST_BITS = 2048
"""The least size of a key that is believed."""


class NotSigned(Exception):
    """Telegram has not signed this for us now."""


@dataclass
class TelegramLogin:
    """The login of the bot with the id *client* and this *secret*, which @BotFather gives."""

    client: str
    secret: str = field(repr=False)
    issuer: str = ISSUER
    now: Callable[[], float] = time.time
    _keys: dict[str, RSAPublicKey] = field(default_factory=dict)
    _asked: float = float("-inf")

    async def sign_in_page(self, nonce: str) -> tuple[str, dict[str, str]]:
        """Where a browser signs in, and what is asked there."""
        asked = {"client_id": self.client, "scope": "openid profile", "nonce": nonce}
        return f"{self.issuer}/auth", asked

    async def signed_in(self, code: str, verifier: str, nonce: str, back: str) -> SignedIn | None:
        """Who signed in by *code*; None where Telegram does not take it, or has not signed it.

        *verifier* and *nonce* prove that this browser has begun it, *back* is where it came back
        to. Raises ``PlatformAway``.
        """
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "code_verifier": verifier,
            "redirect_uri": back,
            "client_id": self.client,
        }
        # RFC 6749, 2.3.1
        login = base64.b64encode(f"{self.client}:{self.secret}".encode()).decode()
        status, told = await self._ask("POST", "/token", form, f"Basic {login}")
        token = told.get("id_token")
        if status != 200 or not isinstance(token, str):
            return None
        try:
            return await self.verify(token, nonce)
        except NotSigned:
            return None

    async def verify(self, token: str, nonce: str) -> SignedIn:
        """Whom *token*, signed for *nonce*, is about; raises ``NotSigned`` or ``PlatformAway``."""
        try:
            key = await self._key(str(jwt.get_unverified_header(token).get("kid", "")))
            told = dict(json.loads(jwt.PyJWS().decode(token, key, ["RS256"])))
        except (jwt.PyJWTError, ValueError, TypeError):
            raise NotSigned from None
        return self._person(told, nonce)

    def _person(self, told: Mapping[str, Any], nonce: str) -> SignedIn:
        """The person of the claims *told*, which Telegram has signed."""
        made, until, known = told.get("iat"), told.get("exp"), told.get("id")
        now = self.now()
        # Only the id of the Bot API names the person whom the bot knows; `sub` need not be it.
        good = (
            told.get("iss") == self.issuer
            and str(told.get("aud")) == self.client
            and told.get("nonce") == nonce
            and type(known) is int
            and known > 0
            and isinstance(made, int | float)
            and isinstance(until, int | float)
            and made - CLOCK_AHEAD <= now <= min(until, made + FRESH)
        )
        if not good:
            raise NotSigned
        names = (told.get("name"), told.get("preferred_username"))
        name = next((one for one in names if isinstance(one, str) and one), "")
        return SignedIn(str(known), name)

    async def _key(self, name: str) -> RSAPublicKey:
        """Telegram's key of this *name*; raises ``NotSigned`` where there is none."""
        if name not in self._keys and self.now() - self._asked >= KEYS_AGAIN:
            self._asked = self.now()
            status, told = await self._ask("GET", "/.well-known/jwks.json")
            if status != 200:
                raise PlatformAway
            self._keys = dict(_read_keys(told))
        if name not in self._keys:
            raise NotSigned
        return self._keys[name]

    async def _ask(
        self, method: str, path: str, form: Mapping[str, str] | None = None, login: str = ""
    ) -> tuple[int, Mapping[str, Any]]:
        """The status and the object that Telegram answers; raises ``PlatformAway``."""
        async with aiohttp.ClientSession(timeout=REQUEST_TIMEOUT) as http:
            return await ask_platform(http, method, f"{self.issuer}{path}", login, form)


def _read_keys(told: Mapping[str, Any]) -> Iterator[tuple[str, RSAPublicKey]]:
    """The keys in a set of JSON Web Keys (RFC 7517) that can be believed, by their names."""
    with suppress(jwt.PyJWTError, AttributeError):  # a set without any that can be used
        for one in jwt.PyJWKSet.from_dict(dict(told)).keys:
            if isinstance(one.key, RSAPublicKey) and one.key.key_size >= LEAST_BITS:
                yield str(one.key_id or ""), one.key
