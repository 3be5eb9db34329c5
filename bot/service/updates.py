"""The update that asks for a change, so that it is made once and its message can be edited."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from bot.port import Where
from storage import inbox
from storage.records import TokenRenewal
from storage.store import Transaction

CLOCK = "clock"
"""The platform of updates that come from passing time."""


class DeadlineKind(StrEnum):
    """The kinds of deadlines, by the words that storage keeps."""

    INVITATION = "invitation"
    SET_UP = "set-up"
    FLAG = "flag"
    REMINDER = "reminder"


class SeenBefore(Exception):
    """The update was delivered again and has been done before."""


@dataclass(frozen=True)
class Update:
    """An update: the platform and its id.

    *message* in *place* was pressed, if any; *token* lets it be edited from now on. *person* asked
    for it, if anybody did, and it *arrived* at that steady time.
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
        if not await inbox.finish_update(tx, self.platform, self.update, now):
            raise SeenBefore

    async def is_settled(self, tx: Transaction) -> bool:
        """Whether the update was done before, so that it is not refused when it comes again."""
        return await inbox.is_update_done(tx, self.platform, self.update)

    def renewal(self, now: datetime) -> TokenRenewal | None:
        """The newest token by which the pressed message may be edited, if one has come."""
        if self.message is None or self.token is None:
            return None
        return TokenRenewal(self.platform, self.place, self.message, self.token, now)
