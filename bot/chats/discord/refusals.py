"""Discord's error codes: for each the error of the port, and what the asker is told.

The codes are those of Discord's documentation ("JSON error codes",
https://docs.discord.com/developers/topics/opcodes-and-status-codes#json), and 40333 (trouble in
its network) and 50278 (no server in common), which it answers without listing them. A code of
none of these families is judged by the status: a refusal for a reason that nobody knows does not
shut its place.

| family | error of the port | what happens | said to the asker (``discord.refused.…``) |
|---|---|---|---|
| ``GONE`` | ``MessageGone`` | the board is posted anew | ``unknown`` |
| ``STUCK`` | ``MessageStuck`` | posted anew, and the old message deleted | ``unknown`` |
| ``NOT_ALLOWED`` | ``PlaceShut`` | the place's boards wait | ``permission`` |
| ``LOCKED`` | ``PlaceShut`` | the place's boards wait | ``locked`` |
| ``NOWHERE`` | ``PlaceShut`` | the place's boards wait | ``place`` |
| ``UNREACHED`` | ``PlaceShut`` | the person's boards wait | ``person`` |
| ``FILTERED`` | ``BlockedByFilter`` | shown with seats for names, else tried later | ``filter`` |
| ``BUSY`` | ``Later`` | tried when Discord says so | ``later`` |
| ``HISTORY`` | ``ChatError`` | calls carry a link and are no replies | ``permission`` |
| ``LIMITS`` | ``RequestRefused`` | tried after minutes, then hourly | ``limit`` |
| ``PICTURE`` | ``RequestRefused`` | shown in words by the same message | ``picture`` |
| ``LATE`` | ``ChatError`` | the next way to show it is taken | ``later`` |
| all others | ``RequestRefused`` | tried after minutes, then hourly | ``unknown`` |
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from bot.port import (
    BlockedByFilter,
    ChatError,
    Later,
    MessageGone,
    MessageStuck,
    PlaceShut,
    RequestRefused,
)
from games.core import Phrase, phrase

UNKNOWN_CHANNEL, UNKNOWN_GUILD, UNKNOWN_MESSAGE = 10003, 10004, 10008
UNKNOWN_WEBHOOK, UNKNOWN_INTERACTION = 10015, 10062
MISSING_ACCESS, CANNOT_WRITE_TO_PERSON, MISSING_PERMISSIONS = 50001, 50007, 50013
BAD_TOKEN, ANSWERED_ALREADY = 50027, 40060
TOO_OLD_TO_EDIT = 30046
ARCHIVED, THREAD_LOCKED = 50083, 160005
NO_HISTORY = 160002
TITLE_BLOCKED = 200001
BAD_FORM = 50035

TOO_LARGE = 413
"""The status of what is too large, which is only ever a file."""

PERSON_GONE = frozenset({10007, 10013})
"""The codes of people who have left a server, or whose account was deleted."""


class Family(Enum):
    """Codes that mean the same to us; the value ends the key of what the asker is told."""

    GONE = "gone"
    STUCK = "stuck"
    NOT_ALLOWED = "permission"
    LOCKED = "locked"
    NOWHERE = "place"
    UNREACHED = "person"
    FILTERED = "filter"
    BUSY = "later"
    HISTORY = "history"
    LIMITS = "limit"
    LATE = "late"
    PICTURE = "picture"
    UNEXPECTED = "unknown"


@dataclass(frozen=True)
class Meaning:
    """The *error* of the port for a family, and the *key* of what the asker is told."""

    error: type[ChatError]
    key: str

    @property
    def said(self) -> Phrase:
        """What the asker is told."""
        return phrase(f"discord.refused.{self.key}")


REFUSALS = {
    Family.GONE: Meaning(MessageGone, "unknown"),
    Family.STUCK: Meaning(MessageStuck, "unknown"),
    Family.NOT_ALLOWED: Meaning(PlaceShut, "permission"),
    Family.LOCKED: Meaning(PlaceShut, "locked"),
    Family.NOWHERE: Meaning(PlaceShut, "place"),
    Family.UNREACHED: Meaning(PlaceShut, "person"),
    Family.FILTERED: Meaning(BlockedByFilter, "filter"),
    Family.BUSY: Meaning(Later, "later"),
    Family.HISTORY: Meaning(ChatError, "permission"),
    Family.LIMITS: Meaning(RequestRefused, "limit"),
    Family.LATE: Meaning(ChatError, "later"),
    Family.PICTURE: Meaning(RequestRefused, "picture"),
    Family.UNEXPECTED: Meaning(RequestRefused, "unknown"),
}

CODES: dict[Family, frozenset[int]] = {
    Family.GONE: frozenset({UNKNOWN_MESSAGE}),
    Family.STUCK: frozenset({TOO_OLD_TO_EDIT, ARCHIVED}),
    Family.NOT_ALLOWED: frozenset(
        {MISSING_ACCESS, MISSING_PERMISSIONS, 50003, 50008, 50009, 50024, 40058, 20012, 60003}
    ),
    Family.LOCKED: frozenset({THREAD_LOCKED}),
    Family.NOWHERE: frozenset({UNKNOWN_CHANNEL, UNKNOWN_GUILD, 40007, 50055, 50095}),
    Family.UNREACHED: frozenset({CANNOT_WRITE_TO_PERSON, 50033, 50278}),
    Family.FILTERED: frozenset({20009, 20031, 200000, TITLE_BLOCKED, 240000}),
    Family.BUSY: frozenset({20016, 20022, 20028, 20029, 40003, 40004, 40006, 40062, 40333, 130000}),
    Family.HISTORY: frozenset({NO_HISTORY}),
    Family.LIMITS: frozenset({*range(30001, 30046), *range(30047, 30062), 40094, 160006, 160007}),
    Family.PICTURE: frozenset({400001, 40005, 50045, 50046, 50110, 50123, 50146}),
    Family.LATE: frozenset({UNKNOWN_WEBHOOK, UNKNOWN_INTERACTION, BAD_TOKEN, ANSWERED_ALREADY}),
}

_FAMILIES = {code: family for family, codes in CODES.items() for code in codes}


def family_of(code: int, status: int) -> Family:
    """The family of an error *code*, or where that has none, of an HTTP *status*."""
    known = _FAMILIES.get(code)
    if known is not None:
        return known
    return {429: Family.BUSY, TOO_LARGE: Family.PICTURE}.get(status, Family.UNEXPECTED)
