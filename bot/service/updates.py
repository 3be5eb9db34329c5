"""Where a change comes from, so that it is made once and its message can be edited."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from bot.port import Where
from storage import inbox
from storage.engine import Transaction
from storage.records import Renewal

CLOCK = "clock"
"""The platform, as it were, of what happens because time passes."""


class DeadlineKind(StrEnum):
    """What a deadline is of; storage keeps it by these words."""

    INVITATION = "invitation"
    SET_UP = "set-up"
    FLAG = "flag"
    REMINDER = "reminder"


class SeenBefore(Exception):
    """The platform delivered an update again: what it asked for has been done."""


@dataclass(frozen=True)
class Update:
    """Where a change comes from: the platform and its id of the update.

    *message* in *place* is what was pressed, if anything; *token* lets it be edited from now on.
    *person* is who asked for it, if anybody did, and *arrived* when, by the steady clock.
    """

    platform: str
    update: str
    place: str = ""
    message: str | None = None
    token: str | None = None
    person: int | None = None
    thread: str | None = None
    private: bool = False
    arrived: datetime | None = None

    @classmethod
    def of_deadline(cls, code: str, kind: str, version: int) -> Update:
        """The update of a deadline of the table *code* that was set at *version*."""
        return cls(CLOCK, f"{code}:{kind}:{version}")

    @property
    def where(self) -> Where:
        """The place it comes from."""
        return Where(self.platform, self.place, self.thread, self.private)

    async def settle(self, tx: Transaction, now: datetime) -> None:
        """Note that the update is done; raises ``SeenBefore`` where it was."""
        if not await inbox.finish(tx, self.platform, self.update, now):
            raise SeenBefore

    async def is_settled(self, tx: Transaction) -> bool:
        """Whether the update was done before, so that nothing it asks for is refused again."""
        return await inbox.is_done(tx, self.platform, self.update)

    def renewal(self, now: datetime) -> Renewal | None:
        """The newest token by which the pressed message may be edited, if one has come."""
        if self.message is None or self.token is None:
            return None
        return Renewal(self.platform, self.place, self.message, self.token, now)
