"""The devices by which a guest comes in: what each is called, and when it was last here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from types import MappingProxyType

BROWSERS: Mapping[str, str] = MappingProxyType(
    {
        "Edg": "Edge",
        "OPR/": "Opera",
        "SamsungBrowser/": "Samsung Internet",
        "Firefox/": "Firefox",
        "FxiOS/": "Firefox",
        "Chrome/": "Chrome",
        "CriOS/": "Chrome",
        "Safari/": "Safari",
    }
)
"""What says in a User-Agent which browser it is: the first of these, since most claim to be
others, too."""

TELEGRAM = "Telegram"
"""What a device is called that opens the page from within Telegram."""

SYSTEMS: Mapping[str, str] = MappingProxyType(
    {
        "iPhone": "iPhone",
        "iPad": "iPad",
        "Android": "Android",
        "Windows": "Windows",
        "Mac OS X": "macOS",
        "CrOS": "ChromeOS",
        "Linux": "Linux",
    }
)
"""The same for the system it runs on."""


@dataclass(frozen=True)
class Subscription:
    """A browser's address for web push, and the keys of the browser that reads the messages."""

    endpoint: str
    p256dh: str
    auth: str


@dataclass(frozen=True)
class Device:
    """A browser of a guest: its *id*, and the hash of the *secret* that its cookie holds.

    *name* is what it calls itself, *seen* the hour it was last here (ISO 8601, UTC), *theme*
    what its page is painted in. *calls* is where it wishes to be called while no page is open.
    *until* is when it is void (ISO 8601), for those that come from within Telegram.
    """

    id: str
    secret: str = field(repr=False)
    name: str = ""
    seen: str = ""
    theme: str = "light"
    until: str = ""
    calls: Subscription | None = field(default=None, repr=False)


def read_device(kept: dict[str, str | dict[str, str] | None]) -> Device:
    """The device that is kept as *kept*."""
    calls = kept.pop("calls", None)
    to = Subscription(**calls) if isinstance(calls, dict) else None
    return Device(**{key: str(value) for key, value in kept.items()}, calls=to)


def called(user_agent: str) -> str:
    """What a browser that sends *user_agent* is called: ``Firefox · Android``."""
    if user_agent == TELEGRAM:
        return TELEGRAM
    kinds = (BROWSERS, SYSTEMS)
    found = (next((n for mark, n in kind.items() if mark in user_agent), "") for kind in kinds)
    return " · ".join(filter(None, found))


def hour(now: datetime) -> str:
    """The hour of *now*, as a device keeps it: nobody needs to know more, nor to write oftener."""
    return now.replace(minute=0, second=0, microsecond=0).isoformat()
