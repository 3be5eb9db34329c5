"""Owed views: each message has a lane of its own, and the newest state wins.

Whatever stands in a chat goes out by here: boards, and ``bot.boards.views_besides_boards``.

A lane waits if the platform asks for patience or a place was written to too often; one place never
delays another. A chat may show the board of a pressed message itself, with its answer: then the
lane only waits for the chat's report.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
from collections.abc import Coroutine, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

from bot.boards.closed_places import ClosedPlaces
from bot.boards.duplicate_posting_guard import REFUSED, PostingGuard
from bot.boards.pacing import Pacing, Reservation, Reservations
from bot.boards.refused_board_retries import RefusedBoards
from bot.boards.renderer import RenderedBoard, Renderer
from bot.port import (
    LONG_WAIT,
    Answer,
    BlockedByFilter,
    BoardAnswer,
    ChatError,
    Command,
    Later,
    MessageGone,
    MessageStuck,
    PlaceMoved,
    PlaceShut,
    Press,
    RequestRefused,
    ReservedBoard,
    Shown,
    ThreadShut,
    Where,
)
from bot.runtime import metrics
from bot.runtime.rate_limiter import Limiter
from bot.runtime.tasks import Tasks, wait_until_set
from bot.service.place.places import Places, view_place
from bot.service.process_cluster import Ownership
from bot.service.table.computer_turns import ComputerTurns
from bot.service.table.tables import Tables, UnknownTable
from bot.session.table import BrokenTable, Table
from storage import bot_settings
from storage.errors import StorageError
from storage.records import BOARD, ViewRow
from storage.store import Store
from storage.table import views as stored

log = logging.getLogger(__name__)

RETRIES = (1.0, 2.0, 4.0, 8.0, 15.0, 30.0, 60.0)
"""Seconds between the attempts to show a view, where the last one repeats, or to remove one."""

TOGETHER = 1.0
"""Seconds for which a board waits for a computer's move, to show both at once."""

LEADS = 240.0
"""Seconds for which a board that somebody pressed far up leads to the one that replaced it."""

LEAD, LEFT = "lead-", "left-"
"""How the keys of notes begin that name such messages, and those that we are shut out from.

They go after a stop or a kill as well.
"""

LEFT_FOR = timedelta(days=2)
"""For how long messages that we are shut out from are to go: some are never within reach again."""

RESERVED = 15.0
"""Seconds after which a lane shows a board that a chat has taken and not reported."""


@dataclass(kw_only=True)
class Delivery:
    """Shows what is owed, for all chats."""

    store: Store
    tasks: Tasks
    tables: Tables
    places: Places
    computers: ComputerTurns
    ownership: Ownership
    pacing: Pacing
    renderer: Renderer
    closed_places: ClosedPlaces
    posting_guard: PostingGuard
    retries: tuple[float, ...] = RETRIES
    _lanes: dict[int, asyncio.Task[None]] = field(default_factory=dict)
    _again: set[int] = field(default_factory=set)
    _resting: dict[int, asyncio.Event] = field(default_factory=dict)
    """What ends the rest of a lane after a failure, by the numbers of views."""
    _closed: bool = False

    def __post_init__(self) -> None:
        self.reservations = Reservations(self._start)
        self.refused_boards = RefusedBoards(self._start)
        self.closed_places.serve(self._start, self.wake_place)
        self.closed_places.when_opened(lambda: self.tasks.start(self._retire_left()))

    # ---------------------------------------------------------------- told of changes

    def show_owed(self, views: Sequence[ViewRow]) -> None:
        """Show *views*, as the last transaction left them, after the one that an answer shows."""
        owed = [view for view in views if view.shown < view.owed and self.ownership.may_show(view)]
        held = [self.reservations.of(view) for view in owed]
        first = next(filter(None, held), None)
        for view, reservation in zip(owed, held, strict=True):
            if first is None or reservation is not None:
                self._start(view.id, view)
            else:
                first.behind.append(view)

    def ahead(self, table: Table, views: Sequence[ViewRow]) -> None:
        """Render the presser's board, the first of *views*, while *table* is being stored."""
        if self._closed or not views:
            return
        view = views[0]
        if view.id in self._lanes or not self.ownership.may_show(view):
            return
        chat = self.ownership.chats[view.platform]
        if self.pacing.must_wait(view, table) or (
            chat.everywhere and not chat.open_here(view.place)
        ):
            return
        self.tasks.start(self.renderer.ahead(view, table, painted=not chat.paints))

    def wake(self, code: str) -> None:
        """Show what is owed of the table *code*, here and by other processes."""
        self.wake_here(code)
        self._say("wake", code)

    def wake_here(self, code: str) -> None:
        """Show what this process owes of the table *code*."""
        if not self._closed:
            self.tasks.start(self._wake(code))

    def again(self, view: ViewRow) -> None:
        """Show *view* once more: what is on its way to it may be older."""
        if self.ownership.may_show(view):
            self._again_here(view.id)
        self._say("again", view.id)

    def _say(self, topic: str, *words: str | int | None) -> None:
        if not (self.store.cluster.alone or self._closed):
            self.tasks.start(self.store.cluster.say(topic, *words))

    def _again_here(self, view_id: int) -> None:
        self.renderer.wish(view_id)
        self._start(view_id)

    def listen(self) -> None:
        """Listen from now on to what other processes want to be shown."""
        on, start = self.store.cluster.on, self.tasks.start
        on("wake", lambda code: start(self._wake(code)))
        on("again", self._again_here)
        on("retire", lambda message, *at: start(self.take_away(Where(*at), message)))

    async def renew(self, view: ViewRow) -> None:
        """Show *view* again, whatever it shows."""
        await self.store.write_beside(stored.owe_view_again, view.id)
        self._start(view.id)

    def retire(self, view: ViewRow) -> None:
        """Remove the message of a view that another one replaced: boards do not pile up."""
        if self._closed or view.message is None:
            return
        where, here = view_place(view), self.ownership.keeps(view.platform)
        if here:
            self.tasks.start(self.take_away(where, view.message))
        if not here or len(self.ownership.chats[view.platform].shares) > 1:
            self._say("retire", view.message, where.platform, where.place, where.thread)

    async def _replace(self, made: RenderedBoard, old: str, new: str) -> None:
        """Remove the message *old*, of which *made* stands in the message *new*.

        Where its chat lets it lead there, it does so for a while first.
        """
        where, chat = made.target.where, self.ownership.chats[made.view.platform]
        with contextlib.suppress(ChatError):
            if await chat.lead_on(where, old, new, made.view.language):
                note = LEAD + json.dumps((*where.key, where.thread, old))
                later = asyncio.get_running_loop().call_later
                later(LEADS, lambda: self.tasks.start(self._end_lead(note)))
                await self.store.write_beside(bot_settings.put_setting, note, made.view.subject)
                return
        await self.take_away(where, old)

    async def _turn_leads(self, made: RenderedBoard, new: str) -> None:
        """Let what leads to older messages of *made* lead to the message *new*, or remove it."""
        where, chat = made.target.where, self.ownership.chats[made.view.platform]
        for note, subject in (await self.store.read(bot_settings.list_settings, LEAD)).items():
            *at, message = json.loads(note.removeprefix(LEAD))
            if subject != made.view.subject or at != [*where.key, where.thread]:
                continue
            with contextlib.suppress(ChatError):
                if await chat.lead_on(where, message, new, made.view.language):
                    continue
            await self._end_lead(note)

    async def _end_lead(self, note: str) -> None:
        """Remove the message of *note*, which leads to the board that replaced it."""
        *at, message = json.loads(note.removeprefix(LEAD))
        if await self.ownership.keeps_at(Where(*at)):
            await self.take_away(Where(*at), message)
            await self.store.write_beside(bot_settings.delete_setting, note)

    async def take_away(self, where: Where, message: str) -> None:
        """Remove *message*, which nobody needs any more; where we are shut out, once we are in."""
        if await self.ownership.keeps_at(where) and not await self._remove(where, message):
            note = LEFT + json.dumps((*where.key, where.thread, message))
            since = self.renderer.clock.now().isoformat()
            await self.store.write_beside(bot_settings.put_setting, note, since)

    async def _remove(self, where: Where, message: str) -> bool:
        """Remove *message*; false where we are shut out."""
        chat = self.ownership.chats[where.platform]
        for pause in (*self.retries, None):
            try:
                # Platforms count what is sent and edited, not what is removed.
                await chat.remove(where, message)
                break
            except PlaceShut:
                return False
            except ChatError as wrong:
                later = wrong.seconds if isinstance(wrong, Later) else None
                if pause is None or (later is None and isinstance(wrong, REFUSED)):
                    log.info("an old message on %s stays: %s", where.platform, wrong)
                    break
            await asyncio.sleep(pause if later is None else later)
        return True

    async def _retire_left(self) -> None:
        """Remove what was replaced where we were shut out."""
        for note, since in (await self.store.read(bot_settings.list_settings, LEFT)).items():
            *at, message = json.loads(note.removeprefix(LEFT))
            if await self.ownership.keeps_at(Where(*at)):
                over = self.renderer.clock.now() - datetime.fromisoformat(since) > LEFT_FOR
                if over or await self._remove(Where(*at), message):
                    await self.store.write_beside(bot_settings.delete_setting, note)

    async def _wake(self, code: str) -> None:
        for view in await self.store.read(stored.views_of_game, code):
            if self._noted_elsewhere(view):
                self.renderer.wish(view.id)
                self._start(view.id, view)
            elif view.shown < view.owed and self.ownership.keeps(view.platform):
                if view.message is not None and not view.shown and view.id in self._lanes:
                    # It owes all anew: what is on its way may still have an old name.
                    self.renderer.wish(view.id)
                self._start(view.id, view)

    async def wake_place(self, where: Where) -> None:
        """Show what is owed in one place, such as one that lets us in again."""
        self.show_owed(await self.store.read(stored.owing_views_at, where.platform, where.place))

    async def wake_all(self) -> None:
        """Show everything owed, after a start."""
        for view_id in await self.posting_guard.take_up():
            self._start(view_id)
        self.show_owed(await self.store.read(stored.owing_views))
        for note in await self.store.read(bot_settings.list_settings, LEAD):
            self.tasks.start(self._end_lead(note))
        self.tasks.start(self._retire_left())
        await self.closed_places.resume()

    def _noted_elsewhere(self, view: ViewRow) -> bool:
        """Whether another process may note *view* as shown, although only this one shows it."""
        return not self.store.cluster.alone and self.ownership.opens(view.platform, view.place)

    # ---------------------------------------------------------------- the board of an answer

    async def with_board(
        self, answer: Answer, reservation: Reservation, by: Press | Command
    ) -> Answer:
        """*answer* with the board owed to the message of *by*, for its chat to show.

        An older board under way is awaited only where *by* has a token; elsewhere words go first,
        and where it takes long.
        """
        waits = by.token is None and reservation.making.locked()
        if not isinstance(answer, BoardAnswer) or waits:
            return answer
        async with reservation.making:
            owed = reservation.owed.values()
            mine = [one.id for one in owed if one.message is not None or one.id == answer.view]
            view_id = max(mine, default=0)
            known: ViewRow | None = reservation.owed.get(view_id)
            lane, rest = self._lanes.get(view_id), self._resting.get(view_id)
            if rest is not None:
                rest.set()  # whoever presses there again is shown it now
            if lane is not None and (rest is not None or view_id not in self.pacing.waiting):
                # An older board is on its way there, and may show this change as well.
                _, late = await asyncio.wait({lane}, timeout=0.0 if by.token is None else LONG_WAIT)
                if late and by.token is not None:
                    return replace(answer, aloud=True)
                known = None
            if view_id in self._lanes or view_id not in reservation.owed:
                return answer
            owing, board = reservation.owed.pop(view_id), None
            try:
                board = await self._reserved_board(view_id, known, by)
            finally:
                if board is None:
                    # A lane shows it when the reservation ends.
                    reservation.owed.setdefault(view_id, owing)
            return replace(answer, board=board)

    async def _reserved_board(
        self, view_id: int, known: ViewRow | None, by: Press | Command
    ) -> ReservedBoard | None:
        """The board of a view for its chat to show, with a lane that awaits the chat's report."""
        try:
            view = known or await self.store.read(stored.load_view, view_id)
            if view is None:
                return None
            made = await self._for_answer(view, by)
        except (ChatError, StorageError, TimeoutError, OSError, UnknownTable, BrokenTable) as wrong:
            log.info("view %d was not shown by an answer: %s", view_id, wrong)
            return None
        except Exception:
            # The change is stored, so the presser is answered all the same.
            log.exception("view %d cannot be shown by an answer", view_id)
            return None
        if made is None or view_id in self._lanes:
            self.pacing.waiting[view_id] = (view.platform, view.place)
            return None
        board = ReservedBoard(made.target, made.screen, self.renderer.paint(made))
        limiter = self.pacing.limiter(view_place(view))
        self._run(view_id, self._report_noted(made, board, limiter, limiter.note()))
        return board

    async def _report_noted(
        self, made: RenderedBoard, board: ReservedBoard, limiter: Limiter, counted: float
    ) -> None:
        """The lane of a *board* that its chat shows; what the chat cannot show is shown again."""
        view, noted = made.view, False
        try:
            with metrics.timing(metrics.BOARDS, view.platform):
                shown = await self._report(view, board)
            limiter.note_end(counted)
            if shown is not None:
                await self._note(made, shown)
                noted = True
        except (ChatError, StorageError, TimeoutError, OSError) as wrong:
            log.info("view %d was not shown by an answer: %s", view.id, wrong)
        except Exception:
            log.exception("view %d was not shown by an answer", view.id)
        finally:
            if not noted:
                self._again.add(view.id)

    async def _report(self, view: ViewRow, board: ReservedBoard) -> Shown | None:
        try:
            async with asyncio.timeout(RESERVED):
                return await board.reported
        except (Later, PlaceShut, ThreadShut, PlaceMoved, MessageGone) as told:
            await self._goes_on(view, told)
            return None
        except BlockedByFilter:
            self.renderer.mask(view.id)
            return None

    async def _for_answer(self, view: ViewRow, by: Press | Command) -> RenderedBoard | None:
        """What an answer shows of *view*; ``None`` if that is left to a lane."""
        if view.kind != BOARD or not self.renderer.is_owed(view) or self.renderer.is_unread(view):
            return None
        # An answer by a token is taken also where we are shut out.
        shut = by.token is None and not await self.closed_places.admits(view)
        # A token changes what was pressed, which may be the board no more.
        left = isinstance(by, Press) and by.token and view.message not in (None, by.message)
        if shut or left or not await self.ownership.shows(view):
            return None
        table = await self.tables.get(view.subject)
        self.pacing.note_game(table, view_place(view))
        if self.pacing.must_wait(view, table):
            return None
        made = await self.renderer.render(view, table)
        return None if made is None or made.replaced is not None else made

    async def _note(self, made: RenderedBoard, shown: Shown) -> None:
        kept = await self.renderer.note(made, shown)
        if await self.posting_guard.note_shown(made, shown) or not kept:
            self._again.add(made.view.id)
        self.refused_boards.forget(made.view.id)
        if not shown.by_token:
            await self.closed_places.mark_shown(made.view, fresh=shown.fresh)
        if shown.fresh:
            self.tasks.start(self._turn_leads(made, shown.message))
        if made.replaced is not None:
            self.tasks.start(self._replace(made, made.replaced, shown.message))
        if shown.fresh and await self.store.read(stored.load_view, made.view.id) is None:
            # Somebody had the board posted once more while this one was on its way.
            self.tasks.start(self.take_away(made.target.where, shown.message))

    # ---------------------------------------------------------------- a lane

    def _start(self, view_id: int, view: ViewRow | None = None) -> None:
        """Run the lane of a view; *view* is its row if that was just read."""
        if self._closed or (view is not None and self.reservations.take(view)):
            return
        if view_id in self._lanes:
            self._again.add(view_id)
            if view is not None and self._noted_elsewhere(view):
                self.renderer.wish(view_id)
            if view is not None and view_id in self.pacing.waiting:
                self.tasks.start(self._hurry(view))
            return
        if view is not None:
            self.pacing.waiting[view_id] = (view.platform, view.place)
        self._run(view_id, self._lane(view_id, view))

    def _run(self, view_id: int, lane: Coroutine[Any, Any, None]) -> None:
        task = self._lanes[view_id] = asyncio.create_task(lane)

        def ended(_: asyncio.Task[None]) -> None:
            self._lanes.pop(view_id, None)
            if view_id in self._again:
                self._start(view_id)
            else:
                self.pacing.waiting.pop(view_id, None)

        task.add_done_callback(ended)

    async def _lane(self, view_id: int, known: ViewRow | None) -> None:
        failures = 0
        while not self._closed:
            try:
                again = await self._attempt(view_id, known)
                failures = 0
                if not again:
                    return
            except (ChatError, StorageError, TimeoutError, OSError) as wrong:
                wait = self.retries[min(failures, len(self.retries) - 1)]
                failures += 1
                log.warning("view %d is not shown: %s; again in %g s", view_id, wrong, wait)
                await wait_until_set(self._resting.setdefault(view_id, asyncio.Event()), wait)
                del self._resting[view_id]
            except (UnknownTable, BrokenTable):
                return
            except Exception:
                # A fault of ours: it is logged, and not tried for ever.
                log.exception("view %d cannot be shown", view_id)
                return
            known = None

    async def _attempt(self, view_id: int, view: ViewRow | None) -> bool:
        """Show a view, where it is due; whether that is to be done once more."""
        if view is None:
            self._again.discard(view_id)
            view = await self.store.read(stored.load_view, view_id)
        if view is None:
            self.posting_guard.give_up(view_id)
            self.renderer.forget(view_id)
            self.refused_boards.forget(view_id)
            return False
        if not self.renderer.is_owed(view) or self.reservations.take(view):
            return False
        if not (await self.ownership.shows(view) and await self.closed_places.admits(view)):
            return False
        try:
            self.pacing.waiting[view_id] = (view.platform, view.place)
            with metrics.timing(metrics.BOARDS, view.platform):
                await self._show(view)
            return view_id in self._again
        except BlockedByFilter as wrong:
            new = self.renderer.mask(view_id)
            if not new:
                self.refused_boards.later(view, wrong)
            return new
        except RequestRefused as wrong:
            self.refused_boards.later(view, wrong)
            return False
        except (Later, PlaceShut, ThreadShut, PlaceMoved, MessageGone) as told:
            return await self._goes_on(view, told)
        except (ChatError, StorageError, TimeoutError, OSError):
            metrics.UNSHOWN.labels(view.platform).inc()
            self.pacing.waiting[view_id] = (view.platform, view.place)
            raise

    async def _goes_on(
        self, view: ViewRow, told: Later | PlaceShut | ThreadShut | PlaceMoved | MessageGone
    ) -> bool:
        """Do what the chat has *told*; whether to show *view* then."""
        match told:
            case Later(seconds=seconds):
                metrics.PATIENCE.labels(view.platform).inc()
                self.pacing.limiter(view_place(view)).pause(seconds)
            case PlaceMoved(place=place):
                new = Where(view.platform, place)
                await self.store.write(self.places.move, view_place(view), new)
            case MessageStuck():
                self.renderer.raise_anew(view.id)
            case MessageGone():
                # The message is gone or too old: the board is posted anew, once.
                await self.store.write_beside(stored.miss_message, view.id, view.message)
            case ThreadShut() | PlaceShut():
                # A board that was to come anew, further down, is changed where it is instead.
                news = await self.closed_places.refuse(view_place(view), told)
                return news and isinstance(told, ThreadShut) and view.message is not None
        return True

    async def _show(self, view: ViewRow) -> None:
        if self.renderer.is_unread(view):
            await self.renderer.note_unread(view)
            return
        chat, where = self.ownership.chats[view.platform], view_place(view)
        table = await self._table(view)
        if table is not None and not where.private and chat.pace(where).windows:
            # Where one may write but seldom, a move and the computer's answer are one edit.
            await self.computers.wait_for_move(table, TOGETHER)
            table = await self._table(view)
        async with self.pacing.calling(view, table, where) as spare:
            self.pacing.waiting.pop(view.id, None)
            made = None
            if await self.closed_places.admits(view):
                # Only now, so that the picture has everything that happened meanwhile.
                table = await self._table(view)
                made = await (
                    self.renderer.render_other(view)
                    if table is None
                    else self.renderer.render(view, table)
                )
            if made is None:
                spare()
                return
            painting = self.renderer.paint(made)
            picture = None if painting is None else await painting
            shown = await self.posting_guard.show(chat, made, picture)
        await self._note(made, shown)

    async def _hurry(self, view: ViewRow) -> None:
        """Let a lane that waits go on as its table wants it now."""
        with contextlib.suppress(UnknownTable, BrokenTable):
            if (table := await self._table(view)) is not None:
                self.pacing.hurry(view, table)

    async def _table(self, view: ViewRow) -> Table | None:
        """The table of which *view* is a board; ``None`` for a view of another kind."""
        return await self.tables.get(view.subject) if view.kind == BOARD else None

    # ---------------------------------------------------------------- the end

    def busy(self) -> frozenset[asyncio.Task[Any]]:
        """The lanes under way."""
        return frozenset(self._lanes.values())

    async def close(self, patience: float = 5.0) -> None:
        """Finish the lanes under way, in *patience* seconds at most; the rest stays owed."""
        self.closed_places.close()
        if self._lanes:
            await asyncio.wait(self._lanes.values(), timeout=patience)
        self._closed = True
        for task in tuple(self._lanes.values()):
            task.cancel()
        await asyncio.gather(*self._lanes.values(), return_exceptions=True)
