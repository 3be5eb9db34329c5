"""Who comes from within Telegram: known by what Telegram signs, and let in without a cookie."""

from __future__ import annotations

import hashlib
import hmac
import json
from dataclasses import dataclass
from datetime import datetime, timedelta
from urllib.parse import parse_qsl

FRESH = timedelta(hours=1)
"""How old what Telegram signed may be: it is made anew whenever the app is opened."""

AHEAD = timedelta(minutes=2)
"""How far its clock may go before ours."""

LIFE = timedelta(hours=1)
"""For how long somebody stays in who does nothing."""

LONGEST = 4096
"""The most letters of what Telegram signs."""

ANCESTORS = "https://web.telegram.org https://webk.telegram.org https://weba.telegram.org"
"""The pages of Telegram's own that may frame ours."""


@dataclass(frozen=True)
class Framed:
    """Somebody of Telegram, by its *id* there, and the *table* he wants to see, if any."""

    id: str
    name: str
    language: str
    table: str


def framed(signed: str, token: str, now: datetime) -> Framed | None:
    """Who *signed* says that opens the app of the bot with this *token*; ``None`` for a forgery.

    *signed* is Telegram's ``initData``, whose hash is that of all other fields, under a key made of
    the token (Bot API, «Validating data received via the Mini App»). What stands there twice, or
    was made more than an hour ago, is forged as well.
    """
    if not token or len(signed) > LONGEST:
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
    if not now - FRESH <= made <= now + AHEAD or type(known) is not int:
        return None
    name = " ".join(part for part in names if isinstance(part, str) and part)
    language = user.get("language_code")
    spoken = language if isinstance(language, str) else ""
    return Framed(str(known), name, spoken, fields.get("start_param", ""))


def guest_id(telegram: str) -> str:
    """The id of the guest that somebody of Telegram is on our page: always the same one."""
    return hashlib.sha256(f"ludoteca telegram {telegram}".encode()).hexdigest()[:32]
