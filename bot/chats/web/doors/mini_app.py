"""The page within Telegram: a small page sends what Telegram signed, and is told where to go."""

from __future__ import annotations

import hashlib
import hmac
import json
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from urllib.parse import parse_qsl

from aiohttp import web

from bot.chats.web.budget import STRANGER
from bot.chats.web.doors import admission
from bot.facade import Requests, StorageError
from games.core import Phrase, phrase

FRESH, KEPT = timedelta(hours=24), timedelta(days=30)
"""The greatest age of what Telegram signed, and up to which its reader is told to open the app
anew. Clients keep it for almost a day (https://github.com/telegramdesktop/tdesktop/issues/29456)."""

CLOCK_AHEAD = timedelta(minutes=2)
"""How far Telegram's clock may be ahead of ours."""

LONGEST_INIT_DATA = 4096
"""The most letters of what Telegram signs."""

INSIDE = ("/m/", "/t/")
"""The beginnings of the addresses that Telegram may frame."""

CODE = re.compile(r"[0-9A-Z]{4,8}")
"""The code of a table."""

SCHEME = "tma"
"""The authorization scheme for what Telegram signed, as other Mini Apps call it."""


@dataclass(frozen=True)
class TelegramUser:
    """A Telegram user by *id*, and the *table* to open, empty for none."""

    id: str
    name: str
    language: str
    table: str


def verify_init_data(
    signed: str, token: str, now: datetime, oldest: timedelta = FRESH
) -> TelegramUser | None:
    """The user for whom Telegram signed *signed*; ``None`` for a forgery.

    *signed* is ``initData``. Its hash covers all other fields, under a key made of the bot's
    *token* (Bot API, «Validating data received via the Mini App»). A repeated field or what is
    older than *oldest* is refused as a forgery.
    """
    if not token or len(signed) > LONGEST_INIT_DATA:
        return None
    try:
        pairs = parse_qsl(signed, keep_blank_values=True, strict_parsing=True)
        fields = dict(pairs)
        given = fields.pop("hash")
        if len(fields) + 1 != len(pairs):
            return None
        checked = "\n".join(f"{key}={value}" for key, value in sorted(fields.items()))
        key = hmac.digest(b"WebAppData", token.encode(), "sha256")
        wanted = hmac.new(key, checked.encode(), hashlib.sha256).hexdigest()
        if not hmac.compare_digest(wanted.encode(), given.encode()):
            return None
        made = datetime.fromtimestamp(int(fields["auth_date"]), now.tzinfo)
        user = json.loads(fields["user"])
        known, names = user["id"], (user.get("first_name"), user.get("last_name"))
    except (ValueError, KeyError, TypeError, OverflowError, OSError):
        return None
    if not now - oldest <= made <= now + CLOCK_AHEAD or type(known) is not int:
        return None
    name = " ".join(part for part in names if isinstance(part, str) and part)
    language = user.get("language_code")
    spoken = language if isinstance(language, str) else ""
    return TelegramUser(str(known), name, spoken, fields.get("start_param", ""))


def guest_id_of(external: str, platform: str = "telegram") -> str:
    """The guest id of the person with the id *external* on *platform*, always the same."""
    return hashlib.sha256(f"ludoteca {platform} {external}".encode()).hexdigest()[:32]


@dataclass
class MiniApp:
    """Admits users that Telegram signs for the bot; *enter* answers the address of their page."""

    token: str = field(repr=False)
    enter: Callable[[TelegramUser], Awaitable[str]]
    now: Callable[[], datetime] = lambda: datetime.now(UTC)

    def routes(self) -> tuple[web.RouteDef, ...]:
        """The routes of the small page."""
        return (web.get("/m/", self._open), web.post("/m/enter", self._enter))

    async def _open(self, request: web.Request) -> web.Response:
        return admission.mini_app_page(request)

    async def _enter(self, request: web.Request) -> web.Response:
        scheme, _, signed = request.headers.get("Authorization", "").partition(" ")
        user = verify_init_data(signed, self.token, self.now()) if scheme == SCHEME else None
        if user is None:
            known = verify_init_data(signed, self.token, self.now(), KEPT) is not None
            return _refusal(request, phrase("web.door.stale" if known else "web.door.framed"), 401)
        request[STRANGER].budget.charge("entering", f"telegram {user.id}", "entrance")
        # A button has its table in the address, a link in what Telegram signed.
        table = user.table or request.headers.get("X-Table", "")
        user = replace(user, table=table if CODE.fullmatch(table.upper()) else "")
        headers = {"Cache-Control": "no-store"}
        try:
            return web.json_response({"path": await self.enter(user)}, headers=headers)
        except StorageError as wrong:
            said = Requests.fault_phrase(wrong, "an entrance within Telegram")
            return _refusal(request, said, 503)


def _refusal(request: web.Request, why: Phrase, status: int) -> web.Response:
    say = admission.browser_language(request).say
    told = {"said": say(why), "close": say(phrase("web.door.close"))}
    return web.json_response(told, status=status, headers={"Cache-Control": "no-store"})
