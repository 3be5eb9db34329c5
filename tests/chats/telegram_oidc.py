"""A small Telegram for signing in: codes, and the tokens that it signs (OpenID Connect)."""

from __future__ import annotations

import base64
import json
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from aiohttp import web
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey, generate_private_key
from cryptography.hazmat.primitives.hashes import SHA256

from tests.chats.fake_discord_sign_in import challenge
from tests.loopback import listening

CLIENT, SECRET = "110201543", "telegram.secret"
NEREA = {"id": 99281932, "name": "Nerea Ruiz", "preferred_username": "nerea"}


@cache
def made_key(number: int) -> RSAPrivateKey:
    """A key of Telegram, or another one."""
    del number
    return generate_private_key(65537, 2048)


def packed(told: bytes) -> str:
    return base64.urlsafe_b64encode(told).decode().rstrip("=")


@dataclass
class TelegramOidc:
    """What it knows; ``down`` answers 502 to all."""

    codes: dict[str, tuple[dict[str, Any], str, str]] = field(default_factory=dict)
    """By code: the claims it stands for, the challenge, and the address."""
    url: str = ""
    down: bool = False
    asked: list[str] = field(default_factory=list)

    def code(self, claims: dict[str, Any], proof: str, back: str) -> str:
        made = f"code{len(self.codes)}"
        self.codes[made] = (claims, proof, back)
        return made

    def claims(self, nonce: str, /, **more: Any) -> dict[str, Any]:
        """What Telegram signs of Nerea."""
        now = time.time()
        told = {"iss": self.url, "aud": CLIENT, "sub": "opaque", "nonce": nonce, **NEREA}
        return {**told, "iat": int(now), "exp": int(now) + 3600, **more}

    def token(
        self, claims: dict[str, Any], key: int = 0, alg: str = "RS256", kid: str = "k"
    ) -> str:
        head = packed(json.dumps({"alg": alg, "kid": kid}).encode())
        body = packed(json.dumps(claims).encode())
        signed = f"{head}.{body}"
        signature = made_key(key).sign(signed.encode(), PKCS1v15(), SHA256())
        return f"{signed}.{packed(signature)}"

    @asynccontextmanager
    async def running(self) -> AsyncIterator[TelegramOidc]:
        app = web.Application()
        app.router.add_get("/.well-known/jwks.json", self._keys)
        app.router.add_post("/token", self._token)
        async with listening(app) as self.url:
            yield self

    async def _keys(self, request: web.Request) -> web.Response:
        self.asked.append(request.path)
        numbers = made_key(0).public_key().public_numbers()
        n, e = (
            packed(one.to_bytes((one.bit_length() + 7) // 8, "big"))
            for one in (numbers.n, numbers.e)
        )
        return web.json_response(
            {"keys": [{"kty": "RSA", "kid": "k", "alg": "RS256", "n": n, "e": e}]}
        )

    async def _token(self, request: web.Request) -> web.Response:
        self.asked.append(request.path)
        if self.down:
            return web.Response(status=502)
        form = dict(await request.post())
        login = base64.b64encode(f"{CLIENT}:{SECRET}".encode()).decode()
        claims, proof, back = self.codes.pop(str(form.get("code")), ({}, "", ""))
        good = request.headers.get("Authorization") == f"Basic {login}"
        good = good and bool(claims) and challenge(str(form.get("code_verifier"))) == proof
        if not good or form.get("redirect_uri") != back:
            return web.json_response({"error": "invalid_grant"}, status=400)
        return web.json_response({"id_token": self.token(claims), "access_token": "x"})
