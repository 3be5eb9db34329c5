"""The operator's invitations: an address that lets a number of people in for a limited time."""

from __future__ import annotations

import json
import secrets
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta

from pydantic import TypeAdapter

from bot.chats.web.person.guests import hash_token
from bot.facade import ChatNotes, NotesTransaction

INVITATIONS = "web:house-invitations"
"""The note of all invitations that are not used up."""

MOST_KEPT = 64
"""How many invitations stand at once; another one voids the oldest."""

PATH = "/in/"
"""The beginning of an invitation's path."""


@dataclass(frozen=True)
class HouseInvitation:
    """An invitation: the *hash* of its token, *until* when (ISO 8601) and for how many people."""

    hash: str
    until: str
    left: int

    def is_good(self, now: datetime) -> bool:
        """Whether it lets somebody in at *now*."""
        return now < datetime.fromisoformat(self.until) and self.left > 0


_ALL = TypeAdapter(tuple[HouseInvitation, ...])


def read_invitations(kept: str) -> tuple[HouseInvitation, ...]:
    """The invitations that a note keeps; raises ``ValueError`` or ``TypeError`` for others."""
    found = _ALL.validate_json(kept)
    _ = [one.is_good(datetime.now(UTC)) for one in found]
    return found


async def make_invitation(notes: ChatNotes, days: int, count: int) -> str:
    """The path of a new invitation for *count* people and *days* days."""
    token, now = secrets.token_urlsafe(24), datetime.now(UTC)
    made = HouseInvitation(hash_token(token), (now + timedelta(days=days)).isoformat(), count)
    async with notes.noting() as noting:
        kept = [one for one in await _load(noting) if one.is_good(now)]
        await _put(noting, (*kept, made)[-MOST_KEPT:])
    return f"{PATH}{token}"


async def is_invited(notes: ChatNotes, token: str) -> bool:
    """Whether *token* lets somebody in now."""
    wanted, now = hash_token(token), datetime.now(UTC)
    known = await notes.read(INVITATIONS, read_invitations) or ()
    return any(one.hash == wanted and one.is_good(now) for one in known)


async def spend_invitation(notes: ChatNotes, token: str) -> bool:
    """Let one more person in by *token*; whether it did."""
    wanted, now = hash_token(token), datetime.now(UTC)
    async with notes.noting() as noting:
        kept = await _load(noting)
        found = next((one for one in kept if one.hash == wanted and one.is_good(now)), None)
        if found is None:
            return False
        less = HouseInvitation(found.hash, found.until, found.left - 1)
        others = [less if one is found else one for one in kept]
        await _put(noting, [one for one in others if one.is_good(now)])
    return True


async def _load(noting: NotesTransaction) -> tuple[HouseInvitation, ...]:
    return await noting.read(INVITATIONS, read_invitations) or ()


async def _put(noting: NotesTransaction, kept: Sequence[HouseInvitation]) -> None:
    await noting.put(INVITATIONS, json.dumps([asdict(one) for one in kept]))
