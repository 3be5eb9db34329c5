"""Where changes go on disk: each in one transaction, with the views that owe it and its calls."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from typing import NamedTuple

from bot.service.change import Change
from bot.service.cluster import ClusterNews
from bot.service.deadlines import Deadlines, set_deadlines
from bot.service.people import People
from bot.service.showing import Showing
from bot.service.tables import Tables, standing_of
from bot.service.updates import Update
from bot.session.events import encode
from bot.session.table import OPEN, Table
from bot.session.unit_of_work import Refused, UnitOfWork
from games.core import phrase
from storage import calls, drafts, games, views
from storage.engine import Store, Transaction
from storage.records import GameRow, SeatRow, ViewRow


class Stored(NamedTuple):
    """What is to be done once a change is on disk: the views that owe it, and what follows."""

    owing: tuple[ViewRow, ...] = ()
    following: tuple[Callable[[], None], ...] = ()


@dataclass
class Ledger:
    """Stores changes, and keeps the tables as they have left them."""

    store: Store
    steady: Callable[[], datetime]
    people: People
    tables: Tables
    deadlines: Deadlines
    elsewhere: ClusterNews
    showing: Callable[[], Showing | None]
    _told: dict[str, Callable[[str], None]] = field(default_factory=dict)

    async def change(
        self, origin: Update, before: Table, work: UnitOfWork, shown: Sequence[ViewRow] = ()
    ) -> Stored:
        """Store what *work* has written at the table *before*, which owes it to whoever sees it.

        It is *shown* from then on where it was not before. A table that the pen's child has opened
        is stored with it and shown where this one is.

        Raises ``SeenBefore``, and ``Conflict`` where another process was before us.
        """
        work.table = await self.people.introduced(work.table)
        if work.child is not None:
            work.child.table = await self.people.introduced(work.child.table)
        try:
            stored = await self._changed(origin, before, work, shown)
        except BaseException:
            # Cancelled while it commits, a transaction may have done so or not.
            self.tables.forget(before.code)
            raise
        self.tables.keep(work.table, work.hidden, before.version)
        if work.child is not None:
            self.tables.keep(work.child.table, work.child.secret, 0)
        return stored

    async def open(
        self, origin: Update, work: UnitOfWork, shown: Sequence[ViewRow], draft: int | None
    ) -> Stored:
        """Store a new table and the views that will show it; it uses up the sheet *draft*.

        Raises ``SeenBefore``, and ``Refused`` where another table has used the sheet up.
        """
        work.table = await self.people.introduced(work.table)
        async with self.store.transaction() as tx:
            await origin.settle(tx, self.steady())
            if draft is not None and not await drafts.take(tx, draft):
                raise Refused(phrase("house.sheet.gone"))
            stored = await self._opened(tx, origin, work, shown)
        self.settled(origin)
        self.tables.keep(work.table, work.secret, 0)
        return stored

    async def _changed(
        self, origin: Update, before: Table, work: UnitOfWork, shown: Sequence[ViewRow]
    ) -> Stored:
        table, showing = work.table, self.showing()
        async with self.store.transaction(beside=True) as tx:
            await origin.settle(tx, self.steady())
            await games.append(
                tx,
                table.code,
                before.version,
                [encode(one) for one in work.written],
                standing=standing_of(table),
                at=work.now,
                holder=self.store.fleet.number,
            )
            if table.players != before.players or table.outcome != before.outcome:
                await games.set_seats(tx, table.code, _seats(table))
            if table.secret is not None and before.secret is None:
                await games.clear_secret(tx, table.code)
            first = None
            if table.status != before.status or table.status == OPEN or table.clock is not None:
                first = await set_deadlines(tx, before, table, self.steady())
            following = self._looking(first)
            called = await calls.of_game(tx, table.code)
            owing = await views.owe(tx, table.code, table.version, origin.renewal(work.now))
            there = {(view.platform, view.place, view.thread) for view in owing}
            for view in shown:
                if (view.platform, view.place, view.thread) not in there:
                    owing += (await views.add(tx, replace(view, owed=table.version)),)
            # Whoever pressed waits for his board; the others do not know that there is a new one.
            owing = tuple(sorted(owing, key=lambda view: view.place != origin.place))
            if showing is not None:
                change = Change(origin, before, work)
                following += (await showing.calls.calling(tx, change, called),)
            await self.elsewhere.tell(tx, table, owing, first, origin)
            if work.child is not None:
                shown = _shown_anew(await views.of_game(tx, table.code), work.child.table)
                child = await self._opened(tx, origin, work.child, shown)
                owing, following = owing + child.owing, following + child.following
            if showing is not None:
                showing.ahead(table, owing)
        self.settled(origin)
        return Stored(owing, following)

    async def _opened(
        self, tx: Transaction, origin: Update, work: UnitOfWork, shown: Sequence[ViewRow]
    ) -> Stored:
        table, showing = work.table, self.showing()
        standing = standing_of(table)
        row = GameRow(
            code=table.code,
            game=table.game.key,
            status=table.status,
            version=table.version,
            created=table.created,
            touched=table.touched,
            secret=None if table.secret is not None else work.secret,
            parent=table.parent,
            to_move=standing.to_move,
            computer=standing.computer,
            match=standing.match,
        )
        events, holder = [encode(one) for one in work.written], self.store.fleet.number
        await games.create(tx, row, events, _seats(table), holder)
        first = await set_deadlines(tx, None, table, self.steady())
        following = self._looking(first)
        if showing is not None:
            following += (await showing.calls.calling(tx, Change(origin, None, work)),)
        owing = tuple([await views.add(tx, view) for view in shown])
        await self.elsewhere.tell(tx, table, owing, first, origin)
        return Stored(owing, following)

    def _looking(self, first: datetime | None) -> tuple[Callable[[], None], ...]:
        """What follows where a table must be looked at again, at the instant *first*."""
        return () if first is None else (partial(self.deadlines.look, first),)

    def when_settled(self, platform: str, told: Callable[[str], None]) -> None:
        """Tell *told* of every update of *platform* whose change is on disk, by its id."""
        self._told[platform] = told

    def settled(self, origin: Update) -> None:
        """What *origin* asked for is on disk."""
        told = self._told.get(origin.platform)
        if told is not None:
            told(origin.update)


def _shown_anew(shown: Sequence[ViewRow], table: Table) -> list[ViewRow]:
    """A view of *table*, not yet posted, wherever another table is *shown*."""
    newest = {(row.platform, row.place, row.thread): row for row in shown}
    return [
        ViewRow(
            *(0, table.code, row.platform, row.place, row.language, table.version),
            thread=row.thread,
            person=row.person,
            theme=row.theme,
            token=row.token,
            token_at=row.token_at,
        )
        for row in newest.values()
    ]


def _seats(table: Table) -> tuple[SeatRow, ...]:
    outcome = table.outcome
    places = enumerate(outcome.places, 1) if outcome is not None else ()
    place_of = {seat: number for number, place in places for seat in place}
    return tuple(
        SeatRow(seat, player.person, player.level, player.side or "", place_of.get(seat))
        for seat, player in enumerate(table.players)
    )
