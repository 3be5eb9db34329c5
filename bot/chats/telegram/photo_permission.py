"""Groups that forbid pictures: learned from refusals, and asked again until they allow them.

No update tells of a group's default permissions, but ``getChat`` does (Bot API,
ChatPermissions); an administrator is above them, and a restricted member has fewer.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from time import monotonic

from telegram import Bot, ChatMemberRestricted
from telegram.constants import ChatMemberStatus
from telegram.error import NetworkError, TelegramError, TimedOut

from bot.chats.telegram.outbound import Outbound
from bot.chats.telegram.reading import PLATFORM
from bot.facade import TRIAL_SECONDS, ChatNotes, ChatPlaces, Tasks, log_unstored, read_names
from bot.port import Where

log = logging.getLogger(__name__)

NOTE = "telegram-no-pictures"
"""The note that names the groups."""

ASKED = 5.0
"""Seconds between two questions to Telegram that presses and lines give rise to."""

ABOVE = (ChatMemberStatus.ADMINISTRATOR, ChatMemberStatus.OWNER)
"""The members whom the permissions of a group do not concern (tdlib, DialogParticipant)."""


@dataclass(eq=False)
class _Forbidden:
    """A group without pictures: when Telegram was *asked* last, and how often it will be."""

    asked: float
    tries: int = 0
    timer: asyncio.TimerHandle | None = None


@dataclass
class PhotoPermissions:
    """Knows in which groups pictures are forbidden, and asks Telegram whether they still are."""

    notes: ChatNotes
    places: ChatPlaces
    outbound: Outbound
    tasks: Tasks
    tries: Sequence[float] = TRIAL_SECONDS
    clock: Callable[[], float] = monotonic
    _forbidden: dict[str, _Forbidden] = field(default_factory=dict)

    def forbid(self, place: str) -> None:
        """Telegram has refused a picture in *place*, or says that it would."""
        if place in self._forbidden:
            return
        log.info("pictures are forbidden in a group: boards are shown there in words")
        self._note(place, self.clock())
        self.tasks.start(self._store())

    def _note(self, place: str, asked: float) -> None:
        self.outbound.no_pictures.add(place)
        self._forbidden[place] = _Forbidden(asked)
        self._set_timer(place)

    async def look(self, place: str, *, now: bool = False) -> None:
        """Ask whether pictures are allowed again in *place*, where somebody acts.

        That is asked every few seconds at most, but *now* where Telegram tells of a change.
        """
        known = self._forbidden.get(place)
        if known is None:
            return
        wait = known.asked + ASKED - self.clock()
        if now or wait <= 0:
            await self._ask(place, known)
        else:
            self._set_timer(place, sooner=wait)

    async def take_up(self) -> None:
        """Go on asking about the groups of the last run."""
        for place in await self.notes.read(NOTE, read_names) or ():
            if place not in self._forbidden:
                self._note(place, float("-inf"))

    def close(self) -> None:
        """Ask nothing more."""
        for known in self._forbidden.values():
            if known.timer is not None:
                known.timer.cancel()

    def _set_timer(self, place: str, sooner: float | None = None) -> None:
        """Ask about *place* in its time, or *sooner*."""
        known, loop = self._forbidden[place], asyncio.get_running_loop()
        wait = self.tries[min(known.tries, len(self.tries) - 1)] if sooner is None else sooner
        if known.timer is not None:
            if known.timer.when() <= loop.time() + wait:
                return
            known.timer.cancel()
        elif sooner is None:
            known.tries += 1
        known.timer = loop.call_later(wait, self._ring, place, known)

    def _ring(self, place: str, known: _Forbidden) -> None:
        known.timer = None
        if self._forbidden.get(place) is known:
            self.tasks.start(self._ask(place, known))

    async def _ask(self, place: str, known: _Forbidden) -> None:
        known.asked = self.clock()
        try:
            allowed = await may_send_pictures(self.outbound.bot, place)
        except TelegramError as wrong:
            log.info("nobody knows whether pictures are allowed: %s", type(wrong).__name__)
            if type(wrong) in (NetworkError, TimedOut):  # nobody has answered
                self._set_timer(place, sooner=self.tries[0])
            return
        finally:
            if self._forbidden.get(place) is known:
                self._set_timer(place)
        if not allowed or self._forbidden.get(place) is not known:
            return
        del self._forbidden[place]
        self.outbound.no_pictures.discard(place)
        if known.timer is not None:
            known.timer.cancel()
        log.info("pictures are allowed again in a group")
        await self._store()
        await self.places.show_again(Where(PLATFORM, place))

    async def _store(self) -> None:
        with log_unstored():
            await self.notes.put(NOTE, json.dumps(list(self._forbidden)))


async def may_send_pictures(bot: Bot, place: str) -> bool:
    """Whether we may send pictures in the group *place*; raises ``TelegramError``."""
    me = await bot.get_chat_member(int(place), bot.id)
    if me.status in ABOVE:
        return True
    if isinstance(me, ChatMemberRestricted) and not me.can_send_photos:
        return False
    permissions = (await bot.get_chat(int(place))).permissions
    return permissions is None or permissions.can_send_photos is not False
