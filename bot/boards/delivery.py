"""Owed views: each message has a lane of its own, and the newest board wins.

A lane takes the newest version of its table, composes, paints off the event loop, shows,
and marks what was shown. It waits where the platform asks for patience and where a place
is written to too often; one place never delays another.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from cachetools import TTLCache

from bot import metrics
from bot.boards.cache import BoardCache
from bot.boards.order import Order
from bot.boards.pacing import Pacing
from bot.notify.notifications import Notifications
from bot.port import (
    Chat,
    ChatError,
    Later,
    MessageGone,
    PlaceMoved,
    PlaceShut,
    Target,
    Where,
)
from bot.service.manager import Manager
from bot.service.places import view_place
from bot.service.tables import UnknownTable
from bot.session.table import OPEN, PLAYING, BrokenTable, Table
from storage import views as stored
from storage.engine import Store
from storage.errors import StorageError
from storage.records import ViewRow

log = logging.getLogger(__name__)

RETRIES = (1.0, 2.0, 4.0, 8.0, 15.0, 30.0, 60.0)
"""After how many seconds a showing that failed is tried again; the last one for ever."""

TOGETHER = 1.0
"""For how many seconds a board waits for a computer's answer, to be shown once with both."""


LATELY, LATELY_MOST = 3.0, 4096
"""For how many seconds after a showing a press is taken for one made before it, and at how many
views."""


@dataclass
class Delivery(Pacing):
    """Shows what is owed, for all chats."""

    manager: Manager
    easel: BoardCache
    chats: Mapping[str, Chat] = field(default_factory=dict)
    retries: tuple[float, ...] = RETRIES
    _lanes: dict[int, asyncio.Task[None]] = field(default_factory=dict)
    _again: set[int] = field(default_factory=set)
    _order: Order = field(default_factory=Order)
    _anew: dict[int, object] = field(default_factory=dict)
    """The views that may show something else than we know, and which wish that was."""
    _coming: dict[int, tuple[str, str, str | None]] = field(default_factory=dict)
    """The messages that are about to show a newer board, by their views."""
    lately: TTLCache[int, None] = field(default_factory=lambda: TTLCache(LATELY_MOST, LATELY))
    """The views that were shown just now."""
    calls: Notifications = field(init=False)
    _closed: bool = False

    def __post_init__(self) -> None:
        self.calls = Notifications(self.manager, self)

    @property
    def _store(self) -> Store:
        return self.manager.store

    # ---------------------------------------------------------------- told by the manager

    def owed(self, views: Sequence[ViewRow]) -> None:
        """Show *views* in lanes of their own, the first before the others.

        They are as the transaction just over left them.
        """
        owed = [view for view in views if view.shown < view.owed and self._shows(view)]
        self._order.line_up([view.id for view in owed])
        for view in owed:
            self._start(view.id, view)

    def ahead(self, table: Table, views: Sequence[ViewRow]) -> None:
        """Make the board of whoever waits for it, the first of *views*, before *table* is stored.

        Nobody sees it unless that succeeds.
        """
        view = next(iter(views), None)
        if view is None or self._closed or view.id in self._lanes or not self._shows(view):
            return
        chat, limiter = self.chats[view.platform], self.limiter(view_place(view))
        later = limiter.wait() > 0 or (limiter.windows and table.computers_to_move())
        if later or (chat.everywhere and not chat.open_here(view.place)):
            return
        self.manager.tasks.start(self.easel.ahead(view, table, painted=not chat.paints))

    def _opens(self, platform: str, place: str) -> bool:
        """Whether somebody reads *place* by this process, whoever keeps *platform*."""
        return platform in self.chats and self.chats[platform].open_here(place)

    def _shows(self, view: ViewRow) -> bool:
        return self.keeps(view.platform) or self._opens(view.platform, view.place)

    def wake(self, code: str) -> None:
        """Show whatever is owed of the table *code*, by whichever process shows it."""
        if not self._closed:
            self.manager.tasks.start(self._woken(code))
            self._say("wake", code)

    def again(self, view: ViewRow) -> None:
        """Show *view* whatever is on its way to it: it may come to show something older."""
        if self._shows(view):
            self._again_here(view.id)
        self._say("again", view.id)

    def _say(self, topic: str, *words: str | int | None) -> None:
        """Tell the other processes what they may have to show."""
        if not (self._store.fleet.alone or self._closed):
            self.manager.tasks.start(self._store.fleet.say(topic, *words))

    def _again_here(self, view_id: int) -> None:
        """The same by this process."""
        self._anew[view_id] = object()
        self._start(view_id)

    def listen(self) -> None:
        """Hear from now on what other processes want to be shown."""
        on, start = self._store.fleet.on, self.manager.tasks.start
        on("wake", lambda code: start(self._woken(code)))
        on("again", self._again_here)
        on("call", lambda code, at: self.calls.look(code, datetime.fromisoformat(at)))
        on("retire", lambda *view: self._retire_here(*view))

    def changed_elsewhere(self, code: str, places: Sequence[tuple[str, str]]) -> None:
        """Show what the table *code* owes in *places*, and call to it: others changed it."""
        if self._closed:
            return
        keeping = any(map(self.keeps, self.chats))
        if keeping or any(self._opens(platform, place) for platform, place in places):
            self.manager.tasks.start(self._woken(code))
        if keeping:
            self.manager.tasks.start(self.calls.changed_elsewhere(code))

    def saw_elsewhere(self, code: str, person: int, where: Where) -> None:
        """Note that *person* acts at the table *code*, in *where*, by another process."""
        self.calls.presence.saw_elsewhere(code, person, where)

    def comes(self, where: Where, message: str) -> bool:
        """Whether a newer board is about to be shown as *message* in *where*, by this process."""
        return (where.platform, where.place, message) in self._coming.values()

    def just_shown(self, view: ViewRow) -> bool:
        """Whether *view* was shown so lately that whoever presses it may not have seen it."""
        return view.id in self.lately

    def call_at(self, code: str, at: datetime) -> None:
        """Make the calls to the table *code* that are due, at the instant *at*."""
        self.calls.look(code, at)
        self._say("call", code, at.isoformat())

    async def renew(self, view: ViewRow) -> None:
        """Show *view* again, whatever it shows."""
        await self._store.write_beside(stored.owe_again, view.id)
        self._start(view.id)

    def retire(self, view: ViewRow) -> None:
        """Remove the message of a view that another one has replaced: boards do not pile up."""
        if self._closed or view.message is None:
            return
        where = view_place(view)
        here = self.keeps(view.platform)
        if here:
            self.manager.tasks.start(self._retired(where, view.message))
        if not here or len(self.chats[view.platform].shares) > 1:
            self._say("retire", view.message, where.platform, where.place, where.thread)

    def _retire_here(self, message: str, platform: str, place: str, thread: str | None) -> None:
        if self.keeps(platform):
            self.manager.tasks.start(self._retired(Where(platform, place, thread), message))

    async def _retired(self, where: Where, message: str) -> None:
        if not await self.keeps_at(where):
            return
        chat = self.chats[where.platform]
        await self.limiter_behind(where).turn()
        try:
            await chat.remove(where, message)
        except ChatError as wrong:
            log.info("an old board on %s stays: %s", where.platform, wrong)

    async def _woken(self, code: str) -> None:
        for view in await self._store.read(stored.of_game, code):
            if self._noted_elsewhere(view):
                self._anew[view.id] = object()
                self._start(view.id, view)
            elif view.shown < view.owed and self.keeps(view.platform):
                self._start(view.id, view)

    async def wake_place(self, where: Where) -> None:
        """Show again what is owed in a place that was shut or has just come back."""
        await self._store.write(self.manager.places.put, where, suspended=False)
        await self.wake_all()

    async def wake_all(self) -> None:
        """Show everything owed, after a start."""
        self.owed(await self._store.read(stored.owed))

    def _noted_elsewhere(self, view: ViewRow) -> bool:
        """Whether another process may note *view* as shown, though only this one can show it."""
        return not self._store.fleet.alone and self._opens(view.platform, view.place)

    def _start(self, view_id: int, view: ViewRow | None = None) -> None:
        """Let the lane of a view run; *view* is its row where that was read just now."""
        if self._closed:
            return
        if view is not None:
            self._coming[view_id] = (view.platform, view.place, view.message)
        if view_id in self._lanes:
            self._again.add(view_id)
            if view is not None and self._noted_elsewhere(view):
                self._anew[view_id] = object()
            return
        if view is not None:
            self._before[view_id] = (view.platform, view.place)
        task = asyncio.create_task(self._lane(view_id, view))
        self._lanes[view_id] = task

        def ended(_: asyncio.Task[None]) -> None:
            self._lanes.pop(view_id, None)
            self._before.pop(view_id, None)
            self._order.went(view_id)
            if view_id in self._again:
                self._start(view_id)
            else:
                self._coming.pop(view_id, None)

        task.add_done_callback(ended)

    # ---------------------------------------------------------------- a lane

    async def _lane(self, view_id: int, known: ViewRow | None) -> None:
        await self._order.turn(view_id)
        failures = 0
        while not self._closed:
            view, known = known, None
            if view is None:
                self._again.discard(view_id)
                view = await self._store.read(stored.get, view_id)
            anew = self._anew.get(view_id) if view is not None else self._anew.pop(view_id, None)
            if view is None or (view.shown >= view.owed and anew is None):
                return
            if not (
                await self.keeps_at(view_place(view)) or self._opens(view.platform, view.place)
            ):
                return
            if (await self.manager.places.at(view_place(view))).suspended:
                return
            try:
                self._before[view_id] = (view.platform, view.place)
                self._coming[view_id] = (*self._before[view_id], view.message)
                with metrics.timed(metrics.BOARDS, view.platform):
                    await self._show(view, anew=anew is not None)
                failures = 0
                if self._anew.get(view_id) is anew:
                    self._anew.pop(view_id, None)
                if view_id not in self._again:
                    return
            except Later as later:
                metrics.PATIENCE.labels(view.platform).inc()
                await self._pause(view, later.seconds)
            except PlaceShut:
                log.info("a place on %s is shut for us; its boards wait", view.platform)
                await self._store.write(self.manager.places.put, view_place(view), suspended=True)
                return
            except PlaceMoved as moved:
                new = Where(view.platform, moved.place)
                await self._store.write(self.manager.places.move, view_place(view), new)
            except MessageGone:
                # The message is gone or too old: the board is posted anew, once.
                await self._store.write_beside(stored.forget_message, view.id)
            except (ChatError, StorageError, TimeoutError, OSError) as wrong:
                wait = self.retries[min(failures, len(self.retries) - 1)]
                failures += 1
                metrics.UNSHOWN.labels(view.platform).inc()
                log.warning("view %d on %s: %s; again in %g s", view.id, view.platform, wrong, wait)
                await asyncio.sleep(wait)
            except (UnknownTable, BrokenTable):
                return
            except Exception:
                # A fault of ours: logged with all it needs, and not tried for ever.
                log.exception("view %d of table %s cannot be shown", view.id, view.game)
                return

    async def _show(self, view: ViewRow, *, anew: bool) -> None:
        chat, where = self.chats[view.platform], view_place(view)
        if chat.everywhere and not (self._store.fleet.alone or chat.open_here(view.place)):
            # Whoever reads there does so by another process, which shows it; else nobody does.
            new = (view.game, self.manager.now()) if view.message is None else (None, None)
            await self._store.write_beside(stored.shown, view.id, view.owed, view.digest, *new)
            self.calls.shown(view.game)
            return
        table = await self.manager.table(view.game)
        if not where.private and chat.pace(where).windows:
            # Where one may write but seldom, a move and the computer's answer are one edit.
            await self.manager.computers.answered(table, TOGETHER)
        # Whoever plays comes before whoever only waits for others.
        limiter = self.limiter_behind if table.status == OPEN else self.limiter
        await limiter(where).turn()
        self._before.pop(view.id, None)
        # Only now, so that whatever happened while waiting is in the picture.
        table = await self.manager.table(view.game)
        screen = await self.easel.screen(view, table)
        digest = screen.digest
        summons, old = await self.calls.carried(view, table), None
        if summons is not None and view.message is not None:
            if await self.calls.herald.buried(view):
                old = view.message
            else:
                summons = None
        if old is None and view.message is not None and digest == view.digest and not anew:
            await self._store.write_beside(stored.shown, view.id, table.version, digest)
            self.calls.shown(view.game)
            return
        if summons is not None and not where.private:
            screen = replace(screen, headline=summons.words, mentions=summons.people)
        picture = None
        if screen.scene is not None and not chat.paints:
            picture = await self.easel.picture(screen.scene)
        posted = view.posted.timestamp() if view.posted is not None else None
        # The same until this posting is noted, whatever happens at the table meanwhile.
        nonce = f"{view.id}-{round(1000 * (posted or 0))}"
        target = Target(where, view.message, view.token, nonce, posted)
        if old is not None:
            # Not by a token: what was said by it is the old board.
            target = Target(where, None, None, nonce, posted)
        shown = await chat.show(target, screen, picture)
        self._order.went(view.id)
        if view.id not in self._again:
            self._coming.pop(view.id, None)
        self.lately[view.id] = None
        await self._keep(chat, where)
        new = (shown.message, self.manager.now()) if shown.fresh else (None, None)
        async with self._store.transaction(beside=True) as tx:
            await stored.shown(tx, view.id, table.version, digest, *new)
            if summons is not None and shown.called:
                await self.calls.note(tx, summons)
        if old is not None:
            self.manager.tasks.start(self._retired(where, old))
        self.calls.shown(view.game)

    async def _keep(self, chat: Chat, where: Where) -> None:
        """Let a place that was made for one table go when nothing is played there any more."""
        places = self.manager.places
        if where.private or not await places.within(where):
            return
        played = bool(await self.manager.tables.listed((PLAYING, OPEN), 1, where=where))
        if played == await places.is_played_in(where):
            return
        try:
            await chat.keep(where, played=played)
        except ChatError as wrong:
            log.info("a thread stays as it is: %s", wrong)
            return
        await places.played_in(where, played=played)

    # ---------------------------------------------------------------- when it does not go

    def busy(self) -> frozenset[asyncio.Task[Any]]:
        """The lanes in which a board is on its way."""
        return frozenset(self._lanes.values())

    async def close(self, patience: float = 5.0) -> None:
        """Finish the showings under way, at most *patience* seconds; the rest stays owed."""
        tasks: set[asyncio.Task[Any]] = set(self._lanes.values())
        if tasks:
            await asyncio.wait(tasks, timeout=patience)
        self._closed = True
        await self.calls.close()
        for task in tuple(self._lanes.values()):
            task.cancel()
        await asyncio.gather(*self._lanes.values(), return_exceptions=True)
