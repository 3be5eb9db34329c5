"""Places that shut us out, and threads that are closed: one board at a time is tried there.

It is a circuit breaker (https://martinfowler.com/bliki/CircuitBreaker.html). A refusal stops all
boards of its place or thread. They go on once the platform says that we may write there again, or
once one board, the trial, was shown: after a press or a line there, and else at fixed times.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from bot.port import PlaceShut, ThreadShut, Where
from bot.service.place.places import Places, view_place
from bot.service.process_cluster import Ownership
from storage.records import ViewRow
from storage.store import Store
from storage.table import views as stored

log = logging.getLogger(__name__)

TRIAL_SECONDS = (60.0, 240.0, 1500.0, *(3600.0,) * 24, 86400.0)
"""Seconds between trials that nobody asks for: 1, 5 and 30 minutes after the refusal, then hourly,
after a day daily; the last one repeats. So at most four calls an hour are refused for one cause."""

KNOCK = 5.0
"""Seconds between trials that presses and lines ask for."""

PENDING = 60.0
"""Seconds after which a trial that came to nothing is in nobody's way."""

ANY = -1
"""The trial of a thread in which no board is owed: whatever comes next."""


class Door(NamedTuple):
    """What is shut: a place or, if *inner*, one thread of it, ``None`` for what is outside all."""

    platform: str
    place: str
    thread: str | None = None
    inner: bool = False

    @property
    def where(self) -> Where:
        """The place, or the thread."""
        return Where(self.platform, self.place, self.thread)


@dataclass(eq=False)
class _Shut:
    """A door that is shut; *announced* says that the platform tells of its opening."""

    announced: bool = False
    tries: int = 0
    tried: float = float("-inf")
    trial: int | None = None
    """The view that may be shown all the same."""
    timer: asyncio.TimerHandle | None = None


@dataclass(kw_only=True)
class ClosedPlaces:
    """Knows what is shut, and tries it again."""

    store: Store
    places: Places
    ownership: Ownership
    background: Callable[[Coroutine[Any, Any, None]], object]
    tries: tuple[float, ...] = TRIAL_SECONDS
    clock: Callable[[], float] = time.monotonic
    _shut: dict[Door, _Shut] = field(default_factory=dict)
    _listeners: list[Callable[[], None]] = field(default_factory=list)
    _closed: bool = False

    def serve(self, show: Callable[[int], None], wake: Callable[[Where], Awaitable[None]]) -> None:
        """Try a view by *show*, and have all that is owed in a place shown by *wake*."""
        self._show, self._wake = show, wake

    def when_opened(self, listener: Callable[[], None]) -> None:
        """Call *listener* whenever something lets us in again."""
        self._listeners.append(listener)

    # ---------------------------------------------------------------- asked

    async def admits(self, view: ViewRow) -> bool:
        """Whether *view* may be shown now; a closed thread takes edits."""
        where = view_place(view)
        if (await self.places.at(where)).suspended:
            shut = self._note(_place(where))
            self._set_timer(_place(where), shut)
            return shut.trial == view.id
        inner = self._shut.get(_thread(where))
        return inner is None or view.message is not None or inner.trial in (view.id, ANY)

    def is_trial(self, view: ViewRow) -> bool:
        """Whether *view* is shown to find out whether its place or thread is open again."""
        return any(shut.trial == view.id for shut in self._shut.values())

    async def is_shut(self, where: Where) -> bool:
        """Whether nothing new can be written in *where*."""
        return self.is_closed(where) or (await self.places.at(where)).suspended

    def is_closed(self, where: Where) -> bool:
        """Whether the thread of *where* is closed, while the rest of the place may be open."""
        inner = self._shut.get(_thread(where))
        return inner is not None and inner.trial is None

    # ---------------------------------------------------------------- told

    async def refuse(self, where: Where, why: PlaceShut | ThreadShut) -> bool:
        """Stop the boards of *where*, which was refused; whether that is news, or ends a trial."""
        door = _place(where) if isinstance(why, PlaceShut) else _thread(where)
        known, shut = self._shut.get(door), self._note(door)
        news = known is None or shut.trial is not None
        shut.trial, shut.tried = None, self.clock()
        if isinstance(why, PlaceShut):
            shut.announced = why.announced
            if not (await self.places.at(where)).suspended:
                await self.store.write(self.places.put, where, suspended=True)
        if known is None:
            what = "thread" if door.inner else "place"
            log.info("a %s on %s is shut for us; its boards wait (%s)", what, door.platform, why)
        self._set_timer(door, shut)
        return news

    async def mark_shown(self, view: ViewRow, *, fresh: bool) -> None:
        """*view* was shown, in a *fresh* message or not: what was shut there is open again."""
        where = view_place(view)
        if self._shut or (await self.places.at(where)).suspended:
            if fresh and _thread(where) in self._shut:
                await self.reopen(where, inner=True)
            if (await self.places.at(where)).suspended:
                await self.reopen(where)

    async def reopen(self, where: Where, *, inner: bool = False) -> None:
        """*where* or, if *inner*, only its thread is open again: what waits there is shown."""
        shut = self._shut.pop(_thread(where) if inner else _place(where), None)
        if shut is not None and shut.timer is not None:
            shut.timer.cancel()
        if not inner and (await self.places.at(where)).suspended:
            await self.store.write(self.places.put, where, suspended=False)
        elif shut is None:
            return
        log.info("a %s on %s is open again", "thread" if inner else "place", where.platform)
        await self._wake(where)
        for listener in self._listeners:
            listener()

    async def knock(self, where: Where, message: str | None = None) -> None:
        """Somebody pressed *message* or, without one, wrote in *where*: one board is tried.

        Presses come from old messages too, lines only where we are members.
        """
        doors = [_thread(where)] if _thread(where) in self._shut else []
        if (await self.places.at(where)).suspended:
            doors.append(_place(where))
        for door in doors:
            shut = self._note(door)
            wait = shut.tried + KNOCK - self.clock()
            # What is on its way may have come before the door was opened: soon it is tried again.
            pending = shut.trial is not None and KNOCK - PENDING < wait <= 0
            if pending or (shut.announced and message is not None):
                continue
            if wait > 0:
                self._set_timer(door, shut, wait)
            else:
                await self._try(door, message, asked=True)

    async def resume(self) -> None:
        """Try again, after a start, in the places where boards have waited since before."""
        for platform, place in await self.store.read(stored.suspended_places_owing):
            where = Where(platform, place)
            if await self.ownership.keeps_at(where):
                self._set_timer(_place(where), self._note(_place(where)))

    def close(self) -> None:
        """Try nothing more."""
        self._closed = True
        for shut in self._shut.values():
            if shut.timer is not None:
                shut.timer.cancel()

    # ---------------------------------------------------------------- trials

    def _note(self, door: Door) -> _Shut:
        return self._shut.setdefault(door, _Shut())

    def _set_timer(self, door: Door, shut: _Shut, sooner: float | None = None) -> None:
        """Try *door* in its time, or *sooner*."""
        if self._closed:
            return
        loop = asyncio.get_running_loop()
        wait = self.tries[min(shut.tries, len(self.tries) - 1)] if sooner is None else sooner
        if shut.timer is not None:
            if sooner is None or shut.timer.when() <= loop.time() + wait:
                return
            shut.timer.cancel()
        else:
            shut.tries += sooner is None
        shut.timer = loop.call_later(wait, self._ring, door, shut)

    def _ring(self, door: Door, shut: _Shut) -> None:
        shut.timer = None
        if not self._closed and self._shut.get(door) is shut:
            self.background(self._try(door, None, asked=False))

    async def _try(self, door: Door, message: str | None, *, asked: bool) -> None:
        """Show one view that is owed behind *door*: that of *message*, else the newest."""
        owing = await self.store.read(stored.owing_views_at, door.platform, door.place)
        if door.inner:
            owing = tuple(v for v in owing if v.thread == door.thread and v.message is None)
        shut = self._note(door)
        shut.tried = self.clock()
        # The trial itself may come to nothing.
        self._set_timer(door, shut)
        if owing:
            view = next((view for view in owing if message and view.message == message), owing[-1])
            shut.trial = view.id
            self._show(view.id)
        elif door.inner:
            shut.trial = ANY
            for listener in self._listeners:
                listener()
        elif asked:
            await self.reopen(door.where)


def _place(where: Where) -> Door:
    return Door(where.platform, where.place)


def _thread(where: Where) -> Door:
    return Door(where.platform, where.place, where.thread, inner=True)
