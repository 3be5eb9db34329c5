"""The door within Telegram: a small page that hands over what Telegram signed, and the way in."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from aiohttp import web

from bot.chats.web import admission
from bot.chats.web.framed import ANCESTORS, Framed, framed
from bot.facade import Limiters
from games.core import phrase

INSIDE = ("/m/", "/t/")
"""How the addresses begin of what Telegram may frame."""

OFTEN = ((10, 60.0),)
"""How often one person may come in: he need not write to our database oftener."""

CODE = re.compile(r"[0-9A-Z]{4,8}")
"""The code of a table."""

SCHEME = "tma"
"""The scheme of authorization for what Telegram signed, as others call it, too."""


@dataclass
class Frames:
    """Lets in whom Telegram signs for the bot with this *token*; *come* says where his page is."""

    token: str
    come: Callable[[Framed], Awaitable[str]]
    now: Callable[[], datetime] = lambda: datetime.now(UTC)
    _often: Limiters[str] = field(default_factory=Limiters)

    def routes(self) -> tuple[web.RouteDef, ...]:
        """What is asked for here."""
        return (web.get("/m/", self._open), web.post("/m/enter", self._enter))

    async def _open(self, request: web.Request) -> web.Response:
        return admission.within(request)

    async def _enter(self, request: web.Request) -> web.Response:
        scheme, _, signed = request.headers.get("Authorization", "").partition(" ")
        known = framed(signed, self.token, self.now()) if scheme == SCHEME else None
        if known is None:
            return _no(request, "web.door.framed", 401)
        if not self._often.at(known.id, OFTEN).take():
            return _no(request, "web.door.crowded", 429)
        # A button has its table in the address, a link in what Telegram signed.
        table = known.table or request.headers.get("X-Table", "")
        known = replace(known, table=table if CODE.fullmatch(table.upper()) else "")
        headers = {"Cache-Control": "no-store"}
        return web.json_response({"path": await self.come(known)}, headers=headers)


def _no(request: web.Request, why: str, status: int) -> web.Response:
    said = admission.tongue_of(request).say(phrase(why))
    return web.json_response({"said": said}, status=status, headers={"Cache-Control": "no-store"})


def frameable(response: web.StreamResponse) -> None:
    """Let Telegram's own pages frame the answer, and nobody else's."""
    policy = response.headers[admission.POLICY]
    response.headers[admission.POLICY] = policy.replace(
        "frame-ancestors 'none'", f"frame-ancestors {ANCESTORS}"
    )
    del response.headers["X-Frame-Options"]
