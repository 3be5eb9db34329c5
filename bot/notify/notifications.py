"""Calls: short messages that reach people, one a table and person, gone when they are answered.

A call is stored as due in the transaction of the change that gives the reason, so that it is
neither lost nor made twice. It is looked at when the board has been shown, and again at its time.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from bot.notify.context import Notification, NotificationContext
from bot.notify.notifier import AGAIN, Carrying, Notifier
from bot.notify.presence import Presence
from bot.notify.reasons import OF_TIME, RUNS_OUT, TO_ACT, Reason, still
from bot.notify.schedule import Schedule
from bot.notify.store import NotificationStore, StoredNotifications
from bot.port import Where
from bot.service.change import Change
from bot.service.manager import Manager
from bot.service.tables import UnknownTable
from bot.session.preferences import NotificationChoice as Wanted
from bot.session.quiet_hours import quiet_for
from bot.session.table import BrokenTable, Table
from storage import calls as stored
from storage.engine import Transaction
from storage.errors import StorageError
from storage.records import CallRow, ViewRow
from storage.turns import patiently

log = logging.getLogger(__name__)

GRACE = timedelta(seconds=5)
"""How long after a start nobody is called: what people did meanwhile comes in first."""

SPREAD = timedelta(seconds=0.25)
"""How far apart the tables are looked at whose calls have waited for the start."""

FEW = 2
"""Of how many tables it is found out at once whom to call."""


@dataclass
class Notifications:
    """The calls of all tables: stored with what gives reason for them, made when they are due."""

    manager: Manager
    carrying: Carrying
    presence: Presence = field(default_factory=Presence)
    due: NotificationStore = field(init=False)
    herald: Notifier = field(init=False)
    _agenda: Schedule = field(default_factory=Schedule)
    """The tables to look at: then it is seen when each of them must be again."""
    _waiting: set[str] = field(default_factory=set)
    """The tables with calls that are due as soon as their board has been shown."""
    _looked_at: set[str] = field(default_factory=set)
    _again: set[str] = field(default_factory=set)
    _watching: asyncio.Task[None] | None = None
    _few: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(FEW))

    def __post_init__(self) -> None:
        self.due = NotificationStore(self.manager, self.presence)
        self.herald = Notifier(self.manager, self.carrying, self._agenda)

    # ---------------------------------------------------------------- with a change

    async def calling(
        self, tx: Transaction, change: Change, called: Sequence[CallRow] = ()
    ) -> Callable[[], None]:
        """Store whom *change* calls, in the transaction that stores it; *called* are so far.

        Answers what is to be done as soon as that is over.
        """
        noted = await self.due.noted(tx, change, called)
        return lambda: self._committed(change.work.table.code, noted)

    def _committed(self, code: str, noted: StoredNotifications) -> None:
        for person, where in noted.sitting.items():
            self.presence.kept(code, person, where)
        self._taken_up(code, noted.rows)

    async def changed_elsewhere(self, code: str) -> None:
        """Another process has changed whom the table *code* calls."""
        self._taken_up(code, await self.manager.store.read(stored.of_game, code))

    def _taken_up(self, code: str, rows: Sequence[CallRow]) -> None:
        now = self.manager.steady()
        for row in rows:
            if row.message is not None and (not row.kind or row.due is not None):
                self.manager.tasks.start(self.herald.remove(row))
            if row.due is not None and row.due <= now:
                self._waiting.add(code)
            elif row.due is not None:
                self.look(code, row.due)

    async def moved(self, tx: Transaction, table: Table, where: Where) -> None:
        """*table* is shown in *where* now: call there who played where we are not let in."""
        if await self.due.moved(tx, table, where):
            self._waiting.add(table.code)

    # ---------------------------------------------------------------- presses

    def saw(self, code: str, person: int, where: Where) -> None:
        """Note that *person*, who sits at the table *code*, presses something there."""
        if self.presence.saw(code, person, where):
            self.manager.tasks.start(self._sits(code, person, where))

    async def _sits(self, code: str, person: int, where: Where) -> None:
        async with self.manager.store.transaction(beside=True) as tx:
            await self.presence.sit(tx, code, person, where)
        self.presence.kept(code, person, where)

    # ---------------------------------------------------------------- the queue

    async def start(self) -> None:
        """Take up what is due since before the start, spread out, and remove what was answered.

        Where another process was here meanwhile, what is due later stays so.
        """
        now, fleet = self.manager.steady(), self.manager.store.fleet
        async with self.manager.store.transaction() as tx:
            codes = await stored.take_up(tx, now if fleet.alone else None)
            answered = await stored.answered(tx)
        for number, code in enumerate(codes):
            self.look(code, now + GRACE + number * SPREAD)
        for row in answered:
            self.manager.tasks.start(self.herald.remove(row))
        if self._watching is None:
            self._watching = asyncio.create_task(self._keep_looking())

    async def close(self) -> None:
        """Call nobody any more: what is due stays so, and what is on its way is noted."""
        if self._watching is not None:
            self._watching.cancel()
            await asyncio.gather(self._watching, return_exceptions=True)
        await self.herald.close()

    def look(self, code: str, at: datetime) -> None:
        """Look at the calls of the table *code* at the instant *at*, if not before."""
        self._agenda.put(code, at)

    def shown(self, code: str) -> None:
        """A board of the table *code* has been shown."""
        if code in self._waiting:
            self._waiting.discard(code)
            self._look(code)

    def look_now(self) -> None:
        """Look at every table whose time has come."""
        for code in self._agenda.due(self.manager.steady()):
            self._look(code)

    async def _keep_looking(self) -> None:
        while True:
            self.look_now()
            await self._agenda.wait(self.manager.steady())

    def _look(self, code: str) -> None:
        if code in self._looked_at:
            self._again.add(code)
            return
        self._looked_at.add(code)
        self.manager.tasks.start(self._looked(code))

    async def _looked(self, code: str) -> None:
        try:
            # Many may be due at once, and presses must not wait behind them all.
            with patiently():
                await self._called(code)
        except (UnknownTable, BrokenTable):
            return
        except StorageError as wrong:
            log.error("table %s: its calls wait: %s", code, wrong)
            self.look(code, self.manager.steady() + AGAIN)
        finally:
            self._looked_at.discard(code)
            if code in self._again:
                self._again.discard(code)
                self._look(code)

    # ---------------------------------------------------------------- calling

    async def _called(self, code: str) -> None:
        """Make every call to the table *code* whose time has come."""
        async with self._few:
            table = await self.manager.table(code)
            around = await NotificationContext.read(self.manager.store, code, self.manager.steady())
        if around.following is not None:
            self.look(code, around.following)
        together: dict[tuple[Where, str], list[CallRow]] = {}
        boards: dict[Where, ViewRow | None] = {}
        for row in around.rows:
            place = around.place(row.person)
            if place is None or not await self.carrying.keeps_at(place[0]):
                continue
            where, view = place
            if not await self._is_time(row, table, where):
                continue
            if view is not None and (view.message is None or view.shown < view.owed):
                self._waiting.add(code)
                continue
            boards[where] = view
            together.setdefault((where, row.kind), []).append(row)
        for (where, _), rows in together.items():
            view = boards[where]
            summons = around.summons(table, view, rows, where.platform, self.manager.key)
            if summons is None:
                await self.herald.dismiss(rows)
            elif view is not None and await self.herald.buried(view):
                self._waiting.add(code)
                await self.carrying.renew(view)
            elif not await self.herald.call(code, where, view, summons):
                self._again.add(code)

    async def carried(self, view: ViewRow, table: Table) -> Notification | None:
        """Whom a new board of *view* is to call; ``None`` for nobody."""
        if view.game not in self._waiting or not self.carrying.keeps(view.platform):
            return None
        around = await NotificationContext.read(
            self.manager.store, view.game, self.manager.steady()
        )
        rows: list[CallRow] = []
        for row in around.rows:
            place = around.place(row.person)
            if place is None or place[1] is None or place[1].id != view.id:
                continue
            alike = not rows or row.kind == rows[0].kind
            if alike and await self._is_time(row, table, place[0]):
                rows.append(row)
        if not rows:
            return None
        return around.summons(table, view, rows, view.platform, self.manager.key)

    async def note(self, tx: Transaction, summons: Notification) -> None:
        """The board itself has called: nothing is to be removed when that is answered."""
        for row in summons.rows:
            await stored.posted(tx, row, None)

    async def _is_time(self, row: CallRow, table: Table, where: Where) -> bool:
        """Whether a call is to be made now; it is dropped or looked at again where it is not."""
        now = self.manager.steady()
        # What is newer than *table*, as it was read, is looked at when its change has come through.
        if row.due is None or row.due > now or row.turn > table.version:
            return False
        wait = await self._wait(row, table, where)
        if wait is None:
            await self.herald.dismiss([row])
        elif wait > 0:
            self.look(row.game, now + timedelta(seconds=wait))
        return wait == 0

    async def _wait(self, row: CallRow, table: Table, where: Where) -> float | None:
        """For how many seconds a call must wait, ``None`` where it is not to be made at all."""
        reason = Reason(row.kind)
        chosen = await self.manager.people.personal(row.person)
        unwanted = {Wanted.NEVER} if reason in OF_TIME else {Wanted.NEVER, Wanted.TIME}
        if chosen.calls in unwanted or not still(reason, row.person, table):
            return None
        if not (await self.manager.places.rules(where)).calls:
            return None
        if reason in RUNS_OUT:
            return 0.0
        looks = self.presence.looking(row.game, row.person)
        if looks > 0 and chosen.calls is not Wanted.ALWAYS:
            # He has pressed something since: of news he knows.
            return looks if reason in TO_ACT else None
        return quiet_for(chosen, self.manager.now())
