"""The one road for a change: a lock, a pure decision, one transaction, and the participants.

The decision is collected by a ``UnitOfWork``. Nothing is shown, and nobody is notified, before the
transaction is over.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime
from functools import partial
from typing import TypeVar

from bot.port import Where
from bot.service.clock import Clock
from bot.service.person.people import People
from bot.service.table.tables import Tables, standing_for_lists
from bot.session.table import CLOSED, ENDED, Table
from bot.session.unit_of_work import UnitOfWork, refuse_if
from bot.standing.tallies import Tally
from storage import inbox
from storage.person import people
from storage.records import (
    GameRow,
    NotificationRow,
    PlaceKey,
    SeatRow,
    Status,
    TokenRenewal,
    ViewRow,
)
from storage.store import Store, Transaction
from storage.table import drafts, games, views

CLOCK, BY_COMPUTER, BY_ARBITER, OPERATOR = "clock", "computer", "arbiter", "operator"
TOURNAMENT = "tournament"
"""The platforms of updates that come from passing time, from a computer's move, from whoever judges
a claim, from the operator's command line, and from a tournament that goes on by itself."""

ABSENCE = "absence"
"""The platform of updates that note who is missed."""

ORIGINS = frozenset({CLOCK, BY_COMPUTER, BY_ARBITER, OPERATOR, TOURNAMENT, ABSENCE})
"""Every platform of an update that no chat brought."""

Result = TypeVar("Result")


class SeenBefore(Exception):
    """The update was delivered again and has been done before."""


@dataclass(frozen=True)
class Update:
    """An update of a *platform* by its id, with the *message* pressed, and who asked when.

    *token* lets the message be edited from now on; *arrived* is a steady time.
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
    channel: str = ""
    """The place whose people are told of the new table, if they want to be; "" tells nobody."""
    role_of: str = ""
    """The place whose role is called to the new table, if it was not lately; "" calls none."""

    @property
    def where(self) -> Where:
        """The place it comes from."""
        return Where(self.platform, self.place, self.thread, self.private)

    async def settle(self, tx: Transaction, now: datetime, draft: int | None = None) -> None:
        """Note that the update is done, and use up *draft*.

        Raises ``SeenBefore`` where it was done, ``Refused`` where the draft was used up before, and
        ``ForgottenPerson`` where its person was forgotten while it was on its way.
        """
        if not await inbox.finish_update(tx, self.platform, self.update, now):
            raise SeenBefore
        if self.person is not None:
            await people.check_known(tx, self.person)
        refuse_if(draft is not None and not await drafts.take_draft(tx, draft), "house.sheet.gone")

    async def is_settled(self, tx: Transaction) -> bool:
        """Whether the update was done before, so that it is not refused when it comes again."""
        return await inbox.is_update_done(tx, self.platform, self.update)

    def renewal(self, now: datetime) -> TokenRenewal | None:
        """The newest token by which the pressed message may be edited, if one has come."""
        if self.message is None or self.token is None:
            return None
        return TokenRenewal(self.platform, self.place, self.message, self.token, now)


@dataclass
class Change:
    """The events that *work* has written for *update* at a table *before*; ``None`` opens one.

    The participants fill in what stands below *is_child*, the views that are new.
    """

    changes: Changes
    """The ``Changes`` that store it, for a participant whose work ends in another change."""
    update: Update
    before: Table | None
    work: UnitOfWork
    shown: Sequence[ViewRow] = ()
    child: Change | None = None
    """The opening of another table in the same transaction."""
    is_child: bool = False
    due: datetime | None = None
    """The earliest deadline of the table, where it is another one than before."""
    calls: Sequence[NotificationRow] = ()
    """The notifications that have changed."""
    sitting: Mapping[int, Where] = field(default_factory=dict)
    """The places from which people newly play."""
    tallies: Mapping[int, Tally] = field(default_factory=dict)
    """What the people of a game that has ended and counts have won in all places, with it."""
    owing: Sequence[ViewRow] = ()
    """The views that owe the change."""

    @property
    def table(self) -> Table:
        """The table after the change."""
        return self.work.table


@dataclass(frozen=True)
class RemoteChange:
    """A change that another process has stored; *person* has made it, if anybody.

    *due* is the earliest new deadline, *places* are those that show the table.
    """

    code: str
    version: int
    due: datetime | None
    person: int | None
    places: Sequence[PlaceKey]


class Participant:
    """Takes part in every change of a table; this one does nothing."""

    prepares: Collection[Status] = ()
    """The statuses of the tables on which it must tell a decision something (``begun``)."""

    only_over = False
    """Whether it takes part only in changes of tables that are over, before or afterwards."""

    only_new = False
    """Whether it takes part only in the opening of tables."""

    async def prepare(self, update: Update, work: UnitOfWork) -> Update | None:
        """Tell *work* what a decision must know; write what was due before *update* arrived.

        The update of that, if anything was due: it is stored first, and the decision begins anew.
        """
        return None

    async def store_change(self, tx: Transaction, change: Change) -> None:
        """Store what follows from *change*, in the transaction that stores it."""

    def after_commit(self, change: Change) -> None:
        """Act on *change*, which is on disk."""

    def hear(self, change: RemoteChange) -> None:
        """Act on a change by another process."""


@dataclass(kw_only=True)
class Changes:
    """Changes tables, one change of each at a time.

    The *participants* stand in this order: ratings, tournaments, medals, deadlines, notifications,
    boards, cluster, computers, lists. The cluster tells other processes what those before it have
    stored.
    """

    store: Store
    clock: Clock
    tables: Tables
    people: People
    participants: tuple[Participant, ...]
    _listeners: dict[str, Callable[[str], None]] = field(default_factory=dict)

    # ---------------------------------------------------------------- changing

    async def change(
        self, update: Update, code: str, decide: Callable[[UnitOfWork], Result], *shown: ViewRow
    ) -> tuple[Table, Result, Sequence[ViewRow]]:
        """Let *decide* write on the table *code*, and store that; the views *shown* are new.

        Answers the table, what *decide* answered, and the views that owe the change. Raises what
        *decide* raises, ``UnknownTable``, ``BrokenTable``, ``SeenBefore`` and ``Conflict``.
        """
        begin, store = partial(self._begin, update, code), partial(self._store, update, shown=shown)
        work, result, changed = await self.tables.decide(code, begin, decide, store)
        if changed is None:
            return work.table, result, ()
        self._commit(changed)
        return work.table, result, changed[0].owing

    def would(self, decide: Callable[[UnitOfWork], object], table: Table) -> bool:
        """Raise what *decide* would raise at *table*, or say yes; nothing is stored."""
        decide(UnitOfWork(table, self.clock.now(), self.clock.steady(), b""))
        return True

    async def create(
        self,
        update: Update,
        work: UnitOfWork,
        *shown: ViewRow,
        draft: int | None = None,
        sitting: Mapping[int, Where] | None = None,
    ) -> Table:
        """Store a new table and use up *draft*; raises ``SeenBefore`` or ``Refused``.

        *sitting* are the places from which people play who did not ask for it here.
        """
        work.state = await self.people.introduce(work.table)
        change = Change(self, update, None, work, shown, sitting=sitting or {})
        await self.once(update, partial(self._open, change=change), draft)
        self.tables.keep(work.table, work.secret)
        self._commit([change])
        return work.table

    async def once(
        self,
        update: Update,
        done: Callable[[Transaction], Awaitable[Result]],
        draft: int | None = None,
    ) -> Result:
        """Do *done* in the transaction that settles the update, and raises as that does."""
        async with self.store.transaction() as tx:
            await update.settle(tx, self.clock.steady(), draft)
            result = await done(tx)
        self._settle(update)
        return result

    def when_settled(self, platform: str, listener: Callable[[str], None]) -> None:
        """Tell *listener* of every update of *platform* whose change is on disk, by its id."""
        self._listeners[platform] = listener

    def _settle(self, update: Update) -> None:
        listener = self._listeners.get(update.platform)
        if listener is not None:
            listener(update.update)

    # ---------------------------------------------------------------- deciding

    async def _begin(self, update: Update, code: str) -> UnitOfWork:
        """A unit of work on the table *code*; what was due before *update* is stored."""
        table, secret = await self.tables.load(code)
        work = UnitOfWork(table, self.clock.now(), self.clock.steady(), secret)
        for participant in self.participants:
            if table.status not in participant.prepares:
                continue
            earlier = await participant.prepare(update, work)
            if earlier is not None:
                self._commit(await self._store(earlier, work))
                return await self._begin(update, code)
        return work

    # ---------------------------------------------------------------- storing

    async def _store(
        self, update: Update, work: UnitOfWork, shown: Sequence[ViewRow] = ()
    ) -> list[Change]:
        """Store what *work* has written, and its child; raises ``SeenBefore`` or ``Conflict``."""
        child: Change | None = None
        work.state = await self.people.introduce(work.table)
        if work.child is not None:
            work.child.state = await self.people.introduce(work.child.table)
            child = Change(self, update, None, work.child, is_child=True)
        change = Change(self, update, work.before, work, shown, child)
        try:
            await self._write(change)
        except BaseException:
            # Cancelled while it commits, a transaction may have done so or not.
            self.tables.forget(work.table.code)
            raise
        stored = [change] if child is None else [change, child]
        for one in stored:
            self.tables.keep(one.table, one.work.hidden)
        return stored

    async def _write(self, change: Change) -> None:
        child = change.child
        async with self.store.transaction(beside=True) as tx:
            await change.update.settle(tx, self.clock.steady())
            await self._append(tx, change.work)
            await self._take_part(tx, change)
            if child is not None:
                rows = await views.views_of_game(tx, change.table.code)
                child.shown = _shown_anew(rows, child.table)
                await self._open(tx, child)
        self._settle(change.update)

    async def _append(self, tx: Transaction, work: UnitOfWork) -> None:
        table, before = work.table, work.before
        standing, number = standing_for_lists(table), self.store.cluster.number
        await games.append_events(
            *(tx, table.code, before.version, work.rows()),
            standing=standing,
            at=work.now,
            holder=number,
            publishes=table.secret is not None and before.secret is None,
        )
        if table.players != before.players or table.outcome != before.outcome:
            await games.replace_seats(tx, table.code, seat_rows(table))

    async def _open(self, tx: Transaction, change: Change) -> None:
        table, work = change.table, change.work
        row = GameRow(
            code=table.code,
            game=table.game.key,
            version=table.version,
            created=table.created,
            touched=table.touched,
            secret=None if table.secret is not None else work.secret,
            parent=table.parent,
            **asdict(standing_for_lists(table)),
        )
        await games.create_game(tx, row, work.rows(), seat_rows(table), self.store.cluster.number)
        await self._take_part(tx, change)

    async def _take_part(self, tx: Transaction, change: Change) -> None:
        for participant in self._taking_part(change):
            await participant.store_change(tx, change)

    def _commit(self, changes: Sequence[Change]) -> None:
        for change in changes:
            for participant in self._taking_part(change):
                participant.after_commit(change)

    def _taking_part(self, change: Change) -> list[Participant]:
        before = change.before and change.before.status
        over = not {before, change.table.status}.isdisjoint((ENDED, CLOSED))
        part = [one for one in self.participants if over or not one.only_over]
        return [one for one in part if before is None or not one.only_new]


def _shown_anew(shown: Sequence[ViewRow], table: Table) -> list[ViewRow]:
    """A view of *table*, not yet posted, wherever another table is *shown*."""
    return [
        ViewRow(
            *(0, table.code, row.platform, row.place, row.language, table.version),
            thread=row.thread,
            person=row.person,
            theme=row.theme,
            token=row.token,
            token_at=row.token_at,
            message=Where(row.platform, row.place).lone,
        )
        for row in {(row.platform, row.place, row.thread): row for row in shown}.values()
    ]


def seat_rows(table: Table) -> tuple[SeatRow, ...]:
    """The seats of *table* as lists show them."""
    outcome = table.outcome
    places = enumerate(outcome.places, 1) if outcome is not None else ()
    place_of = {seat: number for number, place in places for seat in place}
    return tuple(
        SeatRow(seat, player.person, player.level, player.side or "", place_of.get(seat))
        for seat, player in enumerate(table.players)
    )
