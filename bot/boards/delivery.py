"""Owed views: each message has a lane of its own, and the newest board wins.

A lane takes the newest version of its table, composes, paints off the event loop, shows, and marks
what was shown. It waits where the platform asks for patience and where a place is written to too
often; one place never delays another. The board of the message that was pressed goes out with the
answer instead, if its chat takes it: then the lane only waits for the chat's report.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from cachetools import TTLCache

from bot import metrics
from bot.boards.cache import BoardCache
from bot.boards.mentions import Mentions, Notification
from bot.boards.pacing import Pacing
from bot.boards.reservations import MessageKey, Reservation, key_for, key_of
from bot.port import (
    Answer,
    BoardAnswer,
    Chat,
    ChatError,
    Command,
    Later,
    MessageGone,
    PlaceMoved,
    PlaceShut,
    Press,
    ReservedBoard,
    Screen,
    Shown,
    Target,
    Where,
)
from bot.service.clock import Clock
from bot.service.computer_turns import ComputerTurns
from bot.service.ownership import Ownership
from bot.service.places import Places, view_place
from bot.service.tables import Tables, UnknownTable
from bot.session.table import OPEN, PLAYING, BrokenTable, Table
from bot.tasks import Tasks
from storage import views as stored
from storage.engine import Store
from storage.errors import StorageError
from storage.records import ViewRow

log = logging.getLogger(__name__)

RETRIES = (1.0, 2.0, 4.0, 8.0, 15.0, 30.0, 60.0)
"""After how many seconds a showing that failed is tried again; the last one for ever."""

TOGETHER = 1.0
"""For how many seconds a board waits for a computer's answer, to be shown once with both."""

RESERVED = 15.0
"""After how many seconds a lane shows a board that a chat has taken and not reported."""

LATELY, LATELY_MOST = 3.0, 4096
"""For how many seconds after a showing a press is taken for one made before it, and at how many
views."""


@dataclass(frozen=True)
class Composed:
    """A *screen* of *view*, to be shown in *target*.

    *digest* is that of the screen without whom it calls, *wish* what was in ``_anew``.
    """

    view: ViewRow
    target: Target
    screen: Screen
    digest: str
    wish: object | None
    called: Notification | None
    """Whom a new message calls."""
    old: str | None = None
    """The message that the new one replaces, further down."""


@dataclass(kw_only=True)
class Delivery:
    """Shows what is owed, for all chats."""

    store: Store
    clock: Clock
    tasks: Tasks
    tables: Tables
    places: Places
    computers: ComputerTurns
    ownership: Ownership
    pacing: Pacing
    easel: BoardCache
    mentions: Mentions
    retries: tuple[float, ...] = RETRIES
    _lanes: dict[int, asyncio.Task[None]] = field(default_factory=dict)
    _again: set[int] = field(default_factory=set)
    _reserved: dict[MessageKey, Reservation] = field(default_factory=dict)
    _anew: dict[int, object] = field(default_factory=dict)
    """The views that may show something else than we know, and which wish that was."""
    lately: TTLCache[int, None] = field(default_factory=lambda: TTLCache(LATELY_MOST, LATELY))
    """The views that were shown just now."""
    _listeners: list[Callable[[str], None]] = field(default_factory=list)
    _closed: bool = False

    def when_shown(self, listener: Callable[[str], None]) -> None:
        """Tell *listener* of every table of which a board has been shown, by its code."""
        self._listeners.append(listener)

    def _told(self, code: str) -> None:
        for listener in self._listeners:
            listener(code)

    # ---------------------------------------------------------------- told of changes

    def owed(self, views: Sequence[ViewRow]) -> None:
        """Show *views* in lanes of their own, after the one that an answer is about to show.

        They are as the transaction just over left them.
        """
        owed = [view for view in views if view.shown < view.owed and self._shows(view)]
        keys = [key_of(view) for view in owed]
        first = next((self._reserved[key] for key in keys if key in self._reserved), None)
        for view, key in zip(owed, keys, strict=True):
            if first is None or key in self._reserved:
                self._start(view.id, view)
            else:
                first.behind.append(view)

    def ahead(self, table: Table, views: Sequence[ViewRow]) -> None:
        """Make the board of whoever waits for it, the first of *views*, before *table* is stored.

        Nobody sees it unless that succeeds.
        """
        view = next(iter(views), None)
        if view is None or self._closed or view.id in self._lanes or not self._shows(view):
            return
        chat, where = self.ownership.chats[view.platform], view_place(view)
        if self._must_wait(where, table) or (chat.everywhere and not chat.open_here(view.place)):
            return
        self.tasks.start(self.easel.ahead(view, table, painted=not chat.paints))

    def _must_wait(self, where: Where, table: Table) -> bool:
        """Whether a board of *table* has to wait in *where*, where one may write but seldom."""
        limiter = self.pacing.limiter(where)
        return bool(limiter.windows) and (limiter.wait() > 0 or bool(table.computers_to_move()))

    def _shows(self, view: ViewRow) -> bool:
        own = self.ownership
        return own.keeps(view.platform) or own.opens(view.platform, view.place)

    def wake(self, code: str) -> None:
        """Show whatever is owed of the table *code*, by whichever process shows it."""
        if not self._closed:
            self.tasks.start(self._woken(code))
            self._say("wake", code)

    def again(self, view: ViewRow) -> None:
        """Show *view* whatever is on its way to it: it may come to show something older."""
        if self._shows(view):
            self._again_here(view.id)
        self._say("again", view.id)

    def _say(self, topic: str, *words: str | int | None) -> None:
        """Tell the other processes what they may have to show."""
        if not (self.store.fleet.alone or self._closed):
            self.tasks.start(self.store.fleet.say(topic, *words))

    def _again_here(self, view_id: int) -> None:
        """The same by this process."""
        self._anew[view_id] = object()
        self._start(view_id)

    def listen(self) -> None:
        """Hear from now on what other processes want to be shown."""
        on, start = self.store.fleet.on, self.tasks.start
        on("wake", lambda code: start(self._woken(code)))
        on("again", self._again_here)
        on("retire", lambda *view: self._retire_here(*view))

    def changed_elsewhere(self, code: str, places: Sequence[tuple[str, str]]) -> None:
        """Show what the table *code* owes in *places*: another process has changed it."""
        keeping = any(map(self.ownership.keeps, self.ownership.chats))
        opened = any(self.ownership.opens(platform, place) for platform, place in places)
        if not self._closed and (keeping or opened):
            self.tasks.start(self._woken(code))

    def just_shown(self, view: ViewRow) -> bool:
        """Whether *view* was shown so lately that whoever presses it may not have seen it."""
        return view.id in self.lately

    async def renew(self, view: ViewRow) -> None:
        """Show *view* again, whatever it shows."""
        await self.store.write_beside(stored.owe_again, view.id)
        self._start(view.id)

    def retire(self, view: ViewRow) -> None:
        """Remove the message of a view that another one has replaced: boards do not pile up."""
        if self._closed or view.message is None:
            return
        where = view_place(view)
        here = self.ownership.keeps(view.platform)
        if here:
            self.tasks.start(self._retired(where, view.message))
        if not here or len(self.ownership.chats[view.platform].shares) > 1:
            self._say("retire", view.message, where.platform, where.place, where.thread)

    def _retire_here(self, message: str, platform: str, place: str, thread: str | None) -> None:
        if self.ownership.keeps(platform):
            self.tasks.start(self._retired(Where(platform, place, thread), message))

    async def _retired(self, where: Where, message: str) -> None:
        if not await self.ownership.keeps_at(where):
            return
        chat = self.ownership.chats[where.platform]
        await self.pacing.limiter_behind(where).turn()
        try:
            await chat.remove(where, message)
        except ChatError as wrong:
            log.info("an old board on %s stays: %s", where.platform, wrong)

    async def _woken(self, code: str) -> None:
        for view in await self.store.read(stored.of_game, code):
            if self._noted_elsewhere(view):
                self._anew[view.id] = object()
                self._start(view.id, view)
            elif view.shown < view.owed and self.ownership.keeps(view.platform):
                self._start(view.id, view)

    async def wake_place(self, where: Where) -> None:
        """Show again what is owed in a place that was shut or has just come back."""
        await self.store.write(self.places.put, where, suspended=False)
        await self.wake_all()

    async def wake_all(self) -> None:
        """Show everything owed, after a start."""
        self.owed(await self.store.read(stored.owed))

    def _noted_elsewhere(self, view: ViewRow) -> bool:
        """Whether another process may note *view* as shown, though only this one can show it."""
        return not self.store.fleet.alone and self.ownership.opens(view.platform, view.place)

    # ---------------------------------------------------------------- the board of an answer

    @contextmanager
    def reserving(self, by: Press | Command) -> Iterator[Reservation]:
        """While this lasts, no lane shows what *by* lets its own message owe."""
        key = key_for(by)
        if key is None:
            yield Reservation()
            return
        reservation = self._reserved.setdefault(key, Reservation())
        reservation.answers += 1
        try:
            yield reservation
        finally:
            reservation.answers -= 1
            behind, reservation.behind = reservation.behind, []
            if not reservation.answers:
                del self._reserved[key]
                for view_id in reservation.owed:
                    self._start(view_id)
            for view in behind:
                self._start(view.id, view)

    async def with_board(self, answer: Answer, reservation: Reservation) -> Answer:
        """*answer* with the board that is owed to its message, for its chat to show."""
        if not isinstance(answer, BoardAnswer):
            return answer
        owed = reservation.owed.values()
        mine = [one.id for one in owed if one.message is not None or one.id == answer.view]
        view_id = max(mine, default=0)
        known: ViewRow | None = reservation.owed.get(view_id)
        lane = self._lanes.get(view_id)
        if lane is not None and view_id not in self.pacing.waiting:
            # An older board is on its way there, and may show this change as well.
            await asyncio.wait({lane}, timeout=RESERVED)
            known = None
        if view_id in self._lanes or reservation.owed.pop(view_id, None) is None:
            return answer
        handed: asyncio.Future[ReservedBoard | None] = asyncio.get_running_loop().create_future()
        self._run(view_id, self._answered(view_id, known, handed))
        return replace(answer, board=await handed)

    async def _answered(
        self, view_id: int, known: ViewRow | None, handed: asyncio.Future[ReservedBoard | None]
    ) -> None:
        """The lane of a board that is *handed* to its chat; what fails there is shown again."""
        noted = False
        try:
            view = known or await self.store.read(stored.get, view_id)
            made = None if view is None else await self._for_answer(view)
            if view is None or made is None or handed.done():
                return
            board = ReservedBoard(made.target, made.screen, self._painting(view, made.screen))
            handed.set_result(board)
            with metrics.timed(metrics.BOARDS, view.platform):
                async with asyncio.timeout(RESERVED):
                    shown = await board.reported
            if shown is not None:
                await self._note(made, shown)
                noted = True
        except (ChatError, StorageError, TimeoutError, OSError, UnknownTable, BrokenTable) as wrong:
            log.info("view %d was not shown by an answer: %s", view_id, wrong)
        except Exception:
            # The change is stored: whoever made it is answered all the same.
            log.exception("view %d cannot be shown by an answer", view_id)
        finally:
            if not noted:
                self._again.add(view_id)
            if not handed.done():
                handed.set_result(None)

    async def _for_answer(self, view: ViewRow) -> Composed | None:
        """What an answer shows of *view*, ``None`` where that is left to a lane."""
        chat, where = self.ownership.chats[view.platform], view_place(view)
        if view.shown >= view.owed and view.id not in self._anew:
            return None
        if self._is_unread(chat, view) or not await self._is_ours(view):
            return None
        table = await self.tables.get(view.game)
        if self._must_wait(where, table):
            return None
        made = await self._composed(view, table)
        if made is None or made.old is not None:
            return None
        self.pacing.limiter(where).note()
        return made

    def _painting(self, view: ViewRow, screen: Screen) -> asyncio.Task[bytes] | None:
        """The picture of *screen*, being painted."""
        if screen.scene is None or self.ownership.chats[view.platform].paints:
            return None
        painting = asyncio.create_task(self.easel.picture(screen.scene))
        painting.add_done_callback(lambda one: one.cancelled() or one.exception())
        return painting

    # ---------------------------------------------------------------- a lane

    def _start(self, view_id: int, view: ViewRow | None = None) -> None:
        """Let the lane of a view run; *view* is its row where that was read just now."""
        if self._closed or (view is not None and self._is_reserved(view)):
            return
        if view_id in self._lanes:
            self._again.add(view_id)
            if view is not None and self._noted_elsewhere(view):
                self._anew[view_id] = object()
            return
        if view is not None:
            self.pacing.waiting[view_id] = (view.platform, view.place)
        self._run(view_id, self._lane(view_id, view))

    def _run(self, view_id: int, lane: Coroutine[Any, Any, None]) -> None:
        task = self._lanes[view_id] = asyncio.create_task(lane)

        def ended(_: asyncio.Task[None]) -> None:
            self._lanes.pop(view_id, None)
            self.pacing.waiting.pop(view_id, None)
            if view_id in self._again:
                self._start(view_id)

        task.add_done_callback(ended)

    def _is_reserved(self, view: ViewRow) -> bool:
        """Whether *view* is left to an answer, which is told that it owes something."""
        reservation = self._reserved.get(key_of(view))
        if reservation is not None:
            reservation.owed[view.id] = view
        return reservation is not None

    async def _is_ours(self, view: ViewRow) -> bool:
        """Whether this process may show *view*."""
        opened = self.ownership.opens(view.platform, view.place)
        return opened or await self.ownership.keeps_at(view_place(view))

    async def _is_due(self, view: ViewRow) -> bool:
        """Whether a lane has anything to show of *view*, and may."""
        if view.shown >= view.owed and view.id not in self._anew:
            return False
        if self._is_reserved(view) or not await self._is_ours(view):
            return False
        return not (await self.places.at(view_place(view))).suspended

    async def _lane(self, view_id: int, known: ViewRow | None) -> None:
        failures = 0
        while not self._closed:
            view, known = known, None
            if view is None:
                self._again.discard(view_id)
                view = await self.store.read(stored.get, view_id)
            if view is None:
                self._anew.pop(view_id, None)
            if view is None or not await self._is_due(view):
                return
            try:
                self.pacing.waiting[view_id] = (view.platform, view.place)
                with metrics.timed(metrics.BOARDS, view.platform):
                    await self._show(view)
                failures = 0
                if view_id not in self._again:
                    return
            except (Later, PlaceShut, PlaceMoved, MessageGone) as told:
                if not await self._goes_on(view, told):
                    return
            except (ChatError, StorageError, TimeoutError, OSError) as wrong:
                wait = self.retries[min(failures, len(self.retries) - 1)]
                failures += 1
                metrics.UNSHOWN.labels(view.platform).inc()
                log.warning("view %d on %s: %s; again in %g s", view.id, view.platform, wrong, wait)
                self.pacing.waiting[view_id] = (view.platform, view.place)
                await asyncio.sleep(wait)
            except (UnknownTable, BrokenTable):
                return
            except Exception:
                # A fault of ours: logged with all it needs, and not tried for ever.
                log.exception("view %d of table %s cannot be shown", view.id, view.game)
                return

    async def _goes_on(
        self, view: ViewRow, told: Later | PlaceShut | PlaceMoved | MessageGone
    ) -> bool:
        """Do what the chat has *told*; whether *view* is to be shown then."""
        match told:
            case Later(seconds=seconds):
                metrics.PATIENCE.labels(view.platform).inc()
                await self.pacing.pause(view, seconds)
            case PlaceMoved(place=place):
                new = Where(view.platform, place)
                await self.store.write(self.places.move, view_place(view), new)
            case MessageGone():
                # The message is gone or too old: the board is posted anew, once.
                await self.store.write_beside(stored.forget_message, view.id)
            case PlaceShut():
                log.info("a place on %s is shut for us; its boards wait", view.platform)
                await self.store.write(self.places.put, view_place(view), suspended=True)
                return False
        return True

    async def _show(self, view: ViewRow) -> None:
        chat, where = self.ownership.chats[view.platform], view_place(view)
        if self._is_unread(chat, view):
            wish = self._anew.get(view.id)
            new = (view.game, self.clock.now()) if view.message is None else (None, None)
            await self.store.write_beside(stored.shown, view.id, view.owed, view.digest, *new)
            self._granted(view, wish)
            self._told(view.game)
            return
        table = await self.tables.get(view.game)
        if not where.private and chat.pace(where).windows:
            # Where one may write but seldom, a move and the computer's answer are one edit.
            await self.computers.answered(table, TOGETHER)
        # Whoever plays comes before whoever only waits for others.
        limiter = self.pacing.limiter_behind if table.status == OPEN else self.pacing.limiter
        await limiter(where).turn()
        self.pacing.waiting.pop(view.id, None)
        # Only now, so that whatever happened while waiting is in the picture.
        made = await self._composed(view, await self.tables.get(view.game))
        if made is None:
            return
        painting = self._painting(view, made.screen)
        picture = None if painting is None else await painting
        await self._note(made, await chat.show(made.target, made.screen, picture))

    def _is_unread(self, chat: Chat, view: ViewRow) -> bool:
        """Whether nobody reads *view* by this process: another one shows it, if anybody does."""
        if not chat.everywhere or self.store.fleet.alone:
            return False
        return not chat.open_here(view.place)

    async def _composed(self, view: ViewRow, table: Table) -> Composed | None:
        """What *view* is to show of *table*; ``None`` where it shows that already."""
        where, wish = view_place(view), self._anew.get(view.id)
        screen = await self.easel.screen(view, table)
        digest = screen.digest
        called, old = await self.mentions.carried(view, table), None
        if called is not None and view.message is not None:
            if await self.mentions.is_buried(view):
                old = view.message
            else:
                called = None
        if old is None and view.message is not None and digest == view.digest and wish is None:
            await self.store.write_beside(stored.shown, view.id, table.version, digest)
            self._told(view.game)
            return None
        if called is not None and not where.private:
            screen = replace(screen, headline=called.words, mentions=called.people)
        posted = view.posted.timestamp() if view.posted is not None else None
        # The same until this posting is noted, whatever happens at the table meanwhile.
        nonce = f"{view.id}-{round(1000 * (posted or 0))}"
        # What moves down needs no token: by it the old board was said.
        by = (view.message, view.token) if old is None else (None, None)
        target = Target(where, *by, nonce, posted)
        return Composed(view, target, screen, digest, wish, called, old)

    async def _note(self, made: Composed, shown: Shown) -> None:
        """Mark *made* as *shown*."""
        view, chat = made.view, self.ownership.chats[made.view.platform]
        self.lately[view.id] = None
        await self._keep(chat, made.target.where)
        new = (shown.message, self.clock.now()) if shown.fresh else (None, None)
        async with self.store.transaction(beside=True) as tx:
            await stored.shown(tx, view.id, made.screen.version, made.digest, *new)
            if made.called is not None and shown.called:
                await self.mentions.note(tx, made.called)
        self._granted(view, made.wish)
        if made.old is not None:
            self.tasks.start(self._retired(made.target.where, made.old))
        self._told(view.game)

    def _granted(self, view: ViewRow, wish: object | None) -> None:
        """Forget the *wish* to show *view*, unless there is a newer one."""
        if self._anew.get(view.id) is wish:
            self._anew.pop(view.id, None)

    async def _keep(self, chat: Chat, where: Where) -> None:
        """Let a place that was made for one table go when nothing is played there any more."""
        places = self.places
        if where.private or not await places.within(where):
            return
        played = bool(await self.tables.listed((PLAYING, OPEN), 1, where=where))
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
        for task in tuple(self._lanes.values()):
            task.cancel()
        await asyncio.gather(*self._lanes.values(), return_exceptions=True)
