"""A small Discord for signing in: codes, tokens, people, our application and its instances."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tests.loopback import listening

APPLICATION, TOKEN, SECRET = "5150", "bot.token", "client.secret"
ANA = {"id": "11", "username": "ana", "global_name": "Ana", "locale": "es-ES"}
BEA = {"id": "12", "username": "bea", "global_name": "Bea", "locale": "en-US"}
EVA = {"id": "13", "username": "eva", "global_name": None, "locale": "fr"}
PEOPLE = {one["id"]: one for one in (ANA, BEA, EVA)}


@dataclass
class DiscordApi:
    """What it knows; ``down`` answers 502 to all."""

    codes: dict[str, tuple[str, str, str]] = field(default_factory=dict)
    """By code: whose it is, its challenge, and the address it is for."""
    tokens: dict[str, str] = field(default_factory=dict)
    instances: dict[str, dict[str, Any]] = field(default_factory=dict)
    requests: list[str] = field(default_factory=list)
    connections: set[tuple[str, int]] = field(default_factory=set)
    """From where they came, one for each connection."""
    waits: asyncio.Event | None = None
    """For what every answer waits, if it does."""
    key: Ed25519PrivateKey = field(default_factory=Ed25519PrivateKey.generate)
    scope: str = "identify"
    down: bool = False
    url: str = ""
    given: int = 0

    def code(self, person: dict[str, Any], verifier: str = "", back: str = "") -> str:
        """A code of *person* for us, bound to *verifier* where there is one."""
        return self.code_for(person, challenge(verifier) if verifier else "", back)

    def code_for(self, person: dict[str, Any], proof: str, back: str) -> str:
        """A code of *person* bound to the challenge *proof* and the address *back*."""
        made = f"code{self.given}"
        self.given += 1
        self.codes[made] = (person["id"], proof, back)
        return made

    def opened(self, channel: str, *people: dict[str, Any], name: str = "") -> str:
        """An instance in *channel* with *people* in it."""
        made = name or f"i-77{len(self.instances)}-gc-200-{channel}"
        self.instances[made] = {
            "application_id": APPLICATION,
            "instance_id": made,
            "launch_id": "77",
            "location": {"id": f"gc-200-{channel}", "kind": "gc", "channel_id": channel},
            "users": [one["id"] for one in people],
        }
        return made

    def signed(self, now: float, person: str, instance: str, **more: Any) -> dict[str, str]:
        """The headers by which the proxy signs a request."""
        told = {
            "user_id": person,
            "instance_id": instance,
            "created_at": now,
            "expires_at": now + 300,
        }
        payload = json.dumps({**told, **more}).encode()
        signature = self.key.sign(payload)
        return {
            "X-Signature-Ed25519": base64.b64encode(signature).decode(),
            "X-Discord-Proxy-Payload": base64.b64encode(payload).decode(),
        }

    @asynccontextmanager
    async def running(self) -> AsyncIterator[DiscordApi]:
        app = web.Application()
        app.router.add_route("*", "/{tail:.*}", self._answer)
        async with listening(app) as self.url:
            yield self

    async def _answer(self, request: web.Request) -> web.Response:
        line, given = f"{request.method} {request.path}", request.headers.get("Authorization", "")
        self.requests.append(line)
        assert request.transport is not None
        self.connections.add(request.transport.get_extra_info("peername"))
        if self.waits is not None:
            await self.waits.wait()
        if self.down:
            return web.Response(status=502, text="<html>")
        if line == "GET /applications/@me" and given == f"Bot {TOKEN}":
            key = self.key.public_key().public_bytes_raw().hex()
            return web.json_response({"id": APPLICATION, "verify_key": key})
        if line == "POST /oauth2/token":
            return self._token(dict(await request.post()))
        if line == "GET /users/@me" and given.removeprefix("Bearer ") in self.tokens:
            return web.json_response(PEOPLE[self.tokens[given.removeprefix("Bearer ")]])
        name = line.removeprefix(f"GET /applications/{APPLICATION}/activity-instances/")
        if given == f"Bot {TOKEN}" and self.instances.get(name, {}).get("users"):
            return web.json_response(self.instances[name])
        return web.json_response({"message": "404: Not Found", "code": 0}, status=404)

    def _token(self, form: dict[str, Any]) -> web.Response:
        if (form.get("client_id"), form.get("client_secret")) != (APPLICATION, SECRET):
            return web.json_response({"error": "invalid_client"}, status=401)
        whose, wanted, back = self.codes.pop(form.get("code", ""), ("", "", ""))
        proof = challenge(form["code_verifier"]) if form.get("code_verifier") else ""
        if not whose or proof != wanted or form.get("redirect_uri", "") != back:
            return web.json_response({"error": "invalid_grant"}, status=400)
        token = f"token{len(self.tokens)}"
        self.tokens[token] = whose
        told = {"access_token": token, "token_type": "Bearer", "scope": self.scope}
        return web.json_response({**told, "expires_in": 604800})


def challenge(verifier: str) -> str:
    """The S256 challenge of *verifier* (RFC 7636)."""
    digest = hashlib.sha256(verifier.encode()).digest()
    return base64.urlsafe_b64encode(digest).decode().rstrip("=")
