"""What Discord lets us do in each place, as interactions, events and refusals tell.

Discord counts requests that it refuses, and shuts out an address with too many of them
(https://docs.discord.com/developers/topics/rate-limits#invalid-request-limit-aka-cloudflare-bans):
what is known to be refused is not asked for, and the tokens of interactions are used instead.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from time import monotonic
from typing import Any

import discord
from cachetools import LRUCache, TTLCache

from bot.chats.discord.reading import NEEDED, Ticket
from bot.chats.discord.refusals import BAD_FORM, Family, family_of
from bot.facade import remembering

PUBLIC_THREADS, PRIVATE_THREAD = (10, 11), 12
"""Types of channels."""

REFUSED, MOST_REFUSED = 3600.0, 4
"""Seconds for which refusals are remembered, unless something about their place changes, and how
many of them are risked meanwhile."""

UNPICTURED = 30.0
"""Seconds for which no picture is sent to a place that has refused one: nobody tells us when it
takes them again, and to ask with a board costs one call."""

REMEMBERED_PLACES = 4096
"""Places and messages that are remembered: the latest."""


@dataclass(frozen=True)
class Circumstances:
    """What an interaction or an event tells of its place.

    *lacks*: the permissions that the bot needs there and has not. *visitor*: it is reached by
    tokens alone, as a visitor or in a private thread. *unseen*: its answers are shown to the
    asker alone, whatever it wants.
    """

    lacks: frozenset[str] = frozenset()
    thread: bool = False
    private_thread: bool = False
    locked: bool = False
    archived: bool = False
    visitor: bool = False
    unseen: bool = False

    @property
    def takes_messages(self) -> bool:
        """Whether a message of the bot would be taken, as far as this tells."""
        written = {"view_channel", "send_messages", "attach_files"}
        return not (self.locked or self.visitor or self.private_thread or self.lacks & written)


def circumstances_of(data: Mapping[str, Any], *, member: bool, known: bool) -> Circumstances:
    """The circumstances of an interaction as Discord sends it.

    *member*: the bot is a member of its server. *known*: we were told of its thread.
    """
    channel: Mapping[str, Any] = data.get("channel") or {}
    about: Mapping[str, Any] = channel.get("thread_metadata") or {}
    kind = channel.get("type")
    thread = kind in (*PUBLIC_THREADS, PRIVATE_THREAD)
    archived = bool(about.get("archived"))
    server = data.get("guild_id") is not None
    visitor = data.get("context") == 2 or (server and not member)
    allowed = discord.Permissions(int(data.get("app_permissions") or 0))
    theirs = discord.Permissions(int((data.get("member") or {}).get("permissions") or 0))
    return Circumstances(
        lacks=lacking_in(allowed, thread=thread) if server and not visitor else frozenset(),
        thread=thread,
        # We are told of every active thread that we are in.
        private_thread=kind == PRIVATE_THREAD and not (known or archived),
        locked=bool(about.get("locked")) and not allowed.manage_threads,
        archived=archived,
        visitor=visitor,
        unseen=visitor and server and not theirs.use_external_apps,
    )


def lacking_in(allowed: discord.Permissions, *, thread: bool) -> frozenset[str]:
    """The names of the permissions that a board needs and are not *allowed*."""
    if allowed.administrator:
        return frozenset()
    names = {name: name for name in NEEDED}
    if thread:
        names["send_messages"] = "send_messages_in_threads"
    found = frozenset(name for name, of in names.items() if not getattr(allowed, of))
    # Who may not write may attach nothing either, whether Discord says so or not.
    return found - {"attach_files"} if "send_messages" in found else found


@dataclass
class Tickets:
    """The newest tokens of interactions, by place and by the message that each can change."""

    _at: LRUCache[str, Ticket] = remembering(REMEMBERED_PLACES)
    _of: LRUCache[str, Ticket] = remembering(REMEMBERED_PLACES)

    def note(self, place: str, ticket: Ticket, message: str | None = None) -> None:
        """Note the *ticket* of an interaction in *place*, which can change *message*."""
        known = self._at.get(place)
        if known is None or known.interaction <= ticket.interaction:
            self._at[place] = ticket
        if message is not None:
            self._of[message] = ticket

    def drop(self, place: str, ticket: Ticket) -> None:
        """Use *ticket* no more: its interaction was never answered, or is over."""
        if self._at.get(place) == ticket:
            del self._at[place]

    def newest(self, place: str) -> Ticket | None:
        """The newest ticket of *place* that is still valid."""
        return _fresh(self._at.get(place))

    def of_message(self, message: str) -> Ticket | None:
        """A valid ticket that can change or delete *message*."""
        return _fresh(self._of.get(message))


def _fresh(ticket: Ticket | None) -> Ticket | None:
    return ticket if ticket is not None and ticket.fresh(datetime.now(UTC)) else None


@dataclass(frozen=True)
class Setback:
    """The family of the last refusal in a place, and when there were some."""

    why: Family
    times: tuple[float, ...]


@dataclass
class Access:
    """What is known of places since the start."""

    tickets: Tickets = field(default_factory=Tickets)
    clock: Callable[[], float] = monotonic
    _known: LRUCache[str, Circumstances] = remembering(REMEMBERED_PLACES)
    _refused: LRUCache[str, Setback] = remembering(REMEMBERED_PLACES)
    _unread: TTLCache[str, bool] = remembering(REMEMBERED_PLACES, REFUSED)
    """The places whose history turned out to be closed to us."""
    _unpictured: TTLCache[str, bool] = remembering(REMEMBERED_PLACES, UNPICTURED)

    def at(self, place: str) -> Circumstances:
        """What is known of *place*; as if all were well where nothing is."""
        return self._known.get(place, Circumstances())

    def knows(self, place: str) -> bool:
        """Whether anything is known of *place*."""
        return place in self._known

    def note(self, place: str, now: Circumstances) -> bool:
        """Note what *place* is like now; whether it takes messages that it did not take before."""
        before = self._known.get(place)
        self._known[place] = now
        if before is None or before == now:
            return False
        self._unread.pop(place, None)
        self._refused.pop(place, None)
        return now.takes_messages

    def note_unseen(self, place: str) -> None:
        """Note that what we say in *place* is shown to the asker alone."""
        self._known[place] = replace(self.at(place), visitor=True, unseen=True)

    def refuse(self, place: str, why: Family) -> None:
        """Note that a request of ours was refused in *place* for a reason of the family *why*."""
        before = self._refused.get(place)
        times = () if before is None else before.times
        self._refused[place] = Setback(why, (*times, self.clock())[-MOST_REFUSED:])

    def refused(self, place: str) -> Family | None:
        """Why our requests are refused in *place*, if nothing has changed there since."""
        found = self._refused.get(place)
        return None if found is None or self._is_over(found.times[-1]) else found.why

    def allow(self, place: str) -> None:
        """Note that a request of ours was taken in *place*."""
        self._refused.pop(place, None)

    def is_exhausted(self, place: str) -> bool:
        """Whether so many requests were refused in *place* that none is risked for now."""
        found = self._refused.get(place)
        if found is None or len(found.times) < MOST_REFUSED:
            return False
        return not self._is_over(found.times[0])

    def _is_over(self, instant: float) -> bool:
        return self.clock() - instant >= REFUSED

    def by_token(self, place: str) -> bool:
        """Whether a new message in *place* is better sent by a token."""
        return not self.at(place).takes_messages or self.refused(place) is not None

    def unreachable(self, place: str) -> bool:
        """Whether nothing of *place* can be changed without a token."""
        known = self.at(place)
        return known.visitor or known.private_thread or "view_channel" in known.lacks

    def costs_picture(self, place: str, wrong: discord.HTTPException) -> bool:
        """Whether *wrong*, the answer to something with a file, may be meant for the file alone.

        That *place* takes no pictures for now, such as those of a limited server, is noted.
        """
        refused = family_of(wrong.code, wrong.status) is Family.PICTURE
        if refused:
            self._unpictured[place] = True
        return refused or wrong.code == BAD_FORM

    def takes_pictures(self, place: str) -> bool:
        """Whether pictures may be sent to *place*."""
        return place not in self._unpictured

    def close_history(self, place: str) -> None:
        """Note that we may not read what was written in *place* before."""
        self._unread[place] = True

    def reads_history(self, place: str) -> bool:
        """Whether we may read what was written in *place* before."""
        return place not in self._unread and "read_message_history" not in self.at(place).lacks
