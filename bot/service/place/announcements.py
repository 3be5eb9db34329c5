"""What the operator announces: one line on every living board, until it is over."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from bot.service.clock import Clock
from storage import bot_settings
from storage.store import Store, Transaction
from storage.table import views

ANNOUNCEMENT: Final = "announcement"
"""What storage calls the announcement, and what other processes hear when it changes."""

LONGEST_TEXT: Final = 200
"""The most characters of an announcement."""

MOST_HOURS: Final = 168
"""For how many hours it stands at most."""


@dataclass(frozen=True)
class Announcement:
    """The *text* of the operator, and *until* when it stands."""

    text: str
    until: datetime


def read_announcement(kept: str) -> Announcement | None:
    """What storage keeps, nothing where none stands; raises ``ValueError`` where it is damaged."""
    if not kept:
        return None
    found = json.loads(kept)
    if not isinstance(found, dict) or not isinstance(found.get("text"), str):
        raise ValueError("an announcement has a text")
    until = datetime.fromisoformat(found["until"])
    if until.tzinfo is None:
        raise ValueError("an instant has a time zone")
    return Announcement(found["text"], until)


@dataclass(kw_only=True)
class Announcements:
    """The announcement that stands, remembered: every board asks."""

    store: Store
    clock: Clock
    present: Announcement | None = None

    async def recall(self) -> None:
        """Read what is stored."""
        reader = read_announcement
        self.present = await self.store.read(bot_settings.read_setting, ANNOUNCEMENT, reader)

    async def put(self, tx: Transaction, text: str, hours: int) -> Announcement | None:
        """Store *text* for so many *hours*, or nothing where it is empty; every board owes it."""
        made = Announcement(text, self.clock.now() + timedelta(hours=hours)) if text else None
        told = {"text": text, "until": made.until.isoformat()} if made is not None else None
        await bot_settings.put_setting(tx, ANNOUNCEMENT, json.dumps(told) if told else "")
        await views.owe_living_views(tx)
        return made

    def is_over(self) -> bool:
        """Whether one is remembered that stands no longer."""
        return self.present is not None and self.present.until <= self.clock.now()

    @property
    def text(self) -> str:
        """What is announced now, "" for nothing."""
        return "" if self.present is None or self.is_over() else self.present.text
