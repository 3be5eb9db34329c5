"""The devices of a guest: their names, and when they were last seen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

BROWSERS: Mapping[str, str] = {
    "Edg": "Edge",
    "OPR/": "Opera",
    "SamsungBrowser/": "Samsung Internet",
    "Firefox/": "Firefox",
    "FxiOS/": "Firefox",
    "Chrome/": "Chrome",
    "CriOS/": "Chrome",
    "Safari/": "Safari",
}
"""The browsers by their marks in a User-Agent; the first counts, since most claim to be others."""

TELEGRAM, DISCORD = "Telegram", "Discord"
"""The names of devices that open the page within another app."""

SYSTEMS: Mapping[str, str] = {
    "iPhone": "iPhone",
    "iPad": "iPad",
    "Android": "Android",
    "Windows": "Windows",
    "Mac OS X": "macOS",
    "CrOS": "ChromeOS",
    "Linux": "Linux",
}
"""The operating systems by their marks in a User-Agent."""


@dataclass(frozen=True)
class Subscription:
    """A browser's address for web push, and the keys of the browser that reads the messages."""

    endpoint: str
    p256dh: str
    auth: str


@dataclass(frozen=True)
class Device:
    """A browser of a guest: its *id*, and the hash of its cookie's *secret*.

    *seen* is the hour it was last here (ISO 8601, UTC), *theme* that of its page, *calls* its
    subscription to web push. *until* is when a device within Telegram or Discord expires (ISO
    8601), *instance* the Activity by which one within Discord came.
    """

    id: str
    secret: str = field(repr=False)
    name: str = ""
    seen: str = ""
    theme: str = "light"
    until: str = ""
    calls: Subscription | None = field(default=None, repr=False)
    instance: str = field(default="", repr=False)
    door: str = field(default="", repr=False)
    """By whom the browser was signed in at a door, as ``discord:123``."""


def browser_name(user_agent: str) -> str:
    """The name of the browser that sends *user_agent*, such as ``Firefox · Android``."""
    if user_agent in (TELEGRAM, DISCORD):
        return user_agent
    kinds = (BROWSERS, SYSTEMS)
    found = (next((n for mark, n in kind.items() if mark in user_agent), "") for kind in kinds)
    return " · ".join(filter(None, found))


def hour(now: datetime) -> str:
    """The hour of *now*, as a device stores it; finer times would tell more and write oftener."""
    return now.replace(minute=0, second=0, microsecond=0).isoformat()
