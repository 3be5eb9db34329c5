"""Which boards wait: for their place's turn, or for the answer that shows them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import asynccontextmanager, contextmanager, nullcontext, suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeAlias

from cachetools import LRUCache

from bot.port import Command, Press, Where
from bot.runtime.caches import remembering
from bot.runtime.rate_limiter import Limiter, Limiters, Rank
from bot.service.clock import Clock
from bot.service.place.outages import Outages
from bot.service.place.places import view_place
from bot.service.process_cluster import Ownership
from bot.session.play import is_asked_again
from bot.session.table import OPEN, PLAYING, Table
from games.core import CHANCE, Steps
from storage import bot_settings
from storage.column_types import read_json
from storage.records import ViewRow
from storage.store import Store

KEPT, SOON = 4, 5.0
"""How many calls are kept for players in a lively place, and within how many seconds."""

RESTS = 4.0
"""Seconds for which a board waits for the next move where its key is pressed once more."""

SPREAD, LIVELY = 12, 120.0
"""How many calls of a minute are spread over what is left of it in a lively place, and the seconds
for which a place is lively after a board of a running game."""

ASKED_FOR = ((8, 60.0),)
"""How many new boards that somebody asks for go first in a place."""

CALLS = "calls-"
"""What the notes of the calls of a place begin with."""

MessageKey: TypeAlias = tuple[str, str, str]
"""Platform, place and message; the token of its command, or nothing, before it is posted."""


@dataclass(kw_only=True)
class Pacing:
    """How often places may be written to, and which boards wait for their turn."""

    store: Store
    clock: Clock
    ownership: Ownership
    outages: Outages
    background: Callable[[Coroutine[Any, Any, None]], object]
    """Does work beside everything else."""
    _limiters: Limiters[tuple[str, str]] = field(default_factory=Limiters)
    waiting: dict[int, tuple[str, str]] = field(default_factory=dict)
    """The places of boards that wait for their turn, by their views."""
    holding: LRUCache[int, Steps] = remembering(4096)
    """The choices whose keys hold for long on boards that were made for a busy place, by view."""
    _asked: Limiters[tuple[str, str]] = field(default_factory=Limiters)
    _resting: dict[int, asyncio.Future[Rank]] = field(default_factory=dict)
    """The ranks that the next move will give to boards that wait for it, by their views."""

    def limiter(self, where: Where) -> Limiter:
        """The limiter of *where*; a chat notes there what it writes besides boards."""
        windows = self.ownership.chats[where.platform].pace(where).windows
        limiter = self._limiters.at(where.key, windows)
        limiter.noted = partial(self._note, where, limiter)
        return limiter

    def _note(self, where: Where, limiter: Limiter, paused: bool) -> None:
        if paused or (limiter.windows and not where.private):
            self.background(self._note_calls(where, limiter))

    async def _note_calls(self, where: Where, limiter: Limiter) -> None:
        """Note the pause and the calls of *where*: a restart goes on from them."""
        now = self.clock.steady().timestamp()
        noted = json.dumps([now - age for age in limiter.ages()])
        key = CALLS + json.dumps(where.key)
        await self.store.write_beside(bot_settings.put_setting, key, noted)

    @asynccontextmanager
    async def calling(
        self, view: ViewRow, table: Table | None, where: Where
    ) -> AsyncIterator[Callable[[], None]]:
        """Wait until *view*, a board of *table* or what is no board, may be shown in *where*.

        Long waits of players are given back. Yields what spares the call, if none is made.
        """
        rank = rank_of(view, table)
        asked = table is not None and view.message is None
        if asked and self._asked.at(where.key, ASKED_FOR).take():
            rank = Rank.ALONE  # nothing else answers who has asked for it
        if table is not None and self._may_rest(view, table):
            moved = self._resting[view.id] = asyncio.get_running_loop().create_future()
            with suppress(TimeoutError):
                rank = await asyncio.wait_for(moved, RESTS)
            self._resting.pop(view.id, None)
        self.note_game(table, where)
        limiter = self.limiter(where)
        with nullcontext() if table is None else self.outages.queue(table.code, where):
            noted = await limiter.turn(rank, view.id)
        try:
            yield partial(limiter.spare, noted)
        finally:
            limiter.note_end(noted)

    def note_game(self, table: Table | None, where: Where) -> None:
        """Note that a board of *table* is shown in *where*: a group in which a game is played."""
        if table is not None and table.status == PLAYING and not where.private:
            self.limiter(where).enliven(KEPT, SPREAD, LIVELY)

    def hurry(self, view: ViewRow, table: Table) -> None:
        """Let *view*, which waits, go on with the rank that *table* gives it now."""
        rank = rank_of(view, table)
        if not self._may_rest(view, table):
            moved = self._resting.pop(view.id, None)
            if moved is not None and not moved.done():
                moved.set_result(rank)
        self.limiter(view_place(view)).hurry(view.id, rank)

    def comes_in(self, where: Where, view: int) -> tuple[float, float]:
        """Seconds until the turn of *view*, or of one behind all boards that wait in *where*.

        If nobody goes before it meanwhile, and as ``Limiter.latest``.
        """
        limiter = self.limiter(where)
        wait = limiter.next_due(Rank.TURN if view in self.waiting else Rank.BOARD, view)
        return wait, limiter.latest(Rank.BOARD, view)

    def must_wait(self, view: ViewRow, table: Table) -> bool:
        """Whether *view* of *table* has to wait, since its place may be written to but seldom."""
        limiter = self.limiter(view_place(view))
        waits = limiter.wait() > 0 or bool(table.computers_to_move())
        return bool(limiter.windows) and (waits or self._may_rest(view, table))

    def _may_rest(self, view: ViewRow, table: Table) -> bool:
        """Whether *view* may wait for the next move: its place is scarce, and its key still right.

        What has happened the mover was told.
        """
        scarce = not view_place(view).private and bool(self.limiter(view_place(view)).windows)
        held = self.holding.get(view.id, ())
        return scarce and view.message is not None and is_asked_again(table, held)

    def is_busy(self, where: Where) -> bool:
        """Whether boards would have to wait for anything else that *where* is sent now."""
        limiter = self.limiter(where)
        return limiter.due(limiter.ahead(Rank.LOOKS) + KEPT) > SOON

    async def restore(self) -> None:
        """Restore the pauses and the calls of before the start."""
        now = self.clock.steady().timestamp()
        for key, noted in (await self.store.read(bot_settings.list_settings, CALLS)).items():
            where = Where(*json.loads(key.removeprefix(CALLS)))
            if self.ownership.keeps(where.platform):
                with suppress(ValueError, TypeError):
                    self.limiter(where).recall(now - one for one in read_json(noted))


def rank_of(view: ViewRow, table: Table | None) -> Rank:
    """Who waits for *view*, a board of *table* or what is no board."""
    if table is None:
        return Rank.BOARD
    if table.status != PLAYING:
        # Nothing else answers who has just asked for it; a seat that was taken is in the toast.
        asked = Rank.ALONE if table.status == OPEN else Rank.PLAYS
        return Rank.BOARD if table.status == OPEN and view.message is not None else asked
    moved = next((one.seat for one in reversed(table.log) if one.seat != CHANCE), None)
    if moved is None and view.message is None:
        return Rank.ALONE  # so is a game that begins as soon as it is asked for
    waits = {
        seat
        for seat in table.actors()
        if table.turns[seat] > view.shown and table.players[seat].person is not None
    }
    return Rank.TURN if waits - {moved} else Rank.PLAYS if waits else Rank.BOARD


@dataclass(eq=False)
class Reservation:
    """What one message came to owe while *answers* to its presses are being decided."""

    answers: int = 0
    owed: dict[int, ViewRow] = field(default_factory=dict)
    """The views of the message, by their ids: no lane shows them meanwhile."""
    behind: list[ViewRow] = field(default_factory=list)
    """Other views of the same changes: they are shown after the answer."""
    making: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Held while the board of an answer is made, so that there is one at a time."""


@dataclass
class Reservations:
    """The messages whose next boards are parts of answers; *start* runs the lane of a view."""

    start: Callable[[int, ViewRow | None], None]
    _of: dict[MessageKey, Reservation] = field(default_factory=dict)

    @contextmanager
    def reserving(self, by: Press | Command) -> Iterator[Reservation]:
        """Keep lanes from the message of *by* in the block: its board is part of the answer."""
        named = by.message if isinstance(by, Press) else by.token or ""
        if named is None or not by.takes_board:  # its chat leaves the board to a lane
            yield Reservation()
            return
        key = (by.where.platform, by.where.place, named)
        reservation = self._of.setdefault(key, Reservation())
        reservation.answers += 1
        try:
            yield reservation
        finally:
            reservation.answers -= 1
            behind, reservation.behind = reservation.behind, []
            if not reservation.answers:
                del self._of[key]
                for view_id, view in reservation.owed.items():
                    self.start(view_id, view)  # a lane that waits already goes on sooner
            for view in behind:
                self.start(view.id, view)

    def of(self, view: ViewRow) -> Reservation | None:
        """The reservation of the message of *view*, if there is one."""
        return self._of.get((view.platform, view.place, view.message or view.token or ""))

    def take(self, view: ViewRow) -> bool:
        """Whether an answer shows *view*; it is told that the view owes something."""
        reservation = self.of(view)
        if reservation is not None:
            reservation.owed[view.id] = view
        return reservation is not None
