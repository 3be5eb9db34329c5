"""The computers' turns: a computer to move is asked until its move is on disk."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import chain, repeat
from math import inf

from bot.runtime.tasks import Tasks, wait_until_set
from bot.service.computers.chances import Chances
from bot.service.computers.pool import Question, Thinkers
from bot.service.computers.worker import Task
from bot.service.table.changes import (
    BY_ARBITER,
    BY_COMPUTER,
    Change,
    Changes,
    Participant,
    SeenBefore,
    Update,
)
from bot.service.table.tables import Tables, UnknownTable
from bot.session import offers, play
from bot.session.computer_resignation_and_draws import ResignationPolicy, is_hopeless
from bot.session.events import OfferKind
from bot.session.table import CLOSED, ENDED, PLAYING, BrokenTable, Table
from bot.session.unit_of_work import UnitOfWork
from games.core import Seat, read_move
from storage.errors import StorageError
from storage.store import Store
from storage.table import games

log = logging.getLogger(__name__)

RETRIES = (1.0, 2.0, 4.0, 8.0, 15.0, 30.0, 60.0)
"""After how many seconds a move that could not be stored is tried again; the last one for ever."""

ADOPTED = 50
"""How many tables at most one process takes over at once, where another one has ended."""

PAUSE = 0.7
"""How many seconds after a turn began a computer moves at the earliest: one wants to see it."""

MANY_CHOICES, SLOWEST = 80, 3.0
"""Among so many moves in an even game it takes so many times as long."""


def hesitation(choices: int, value: float) -> float:
    """How many times ``PAUSE`` a computer takes for one of so many *choices* in a game of *value*.

    >>> hesitation(2, 1.0), hesitation(80, 0.0)
    (1.0, 3.0)
    """
    return 1 + (SLOWEST - 1) * min(choices / MANY_CHOICES, 1.0) * (1 - abs(value))


@dataclass(kw_only=True)
class ComputerTurns(Participant):
    """Asks computers for their moves, once for each version of a table."""

    store: Store
    tables: Tables
    thinkers: Thinkers
    chances: Chances
    tasks: Tasks
    retries: tuple[float, ...] = RETRIES
    pause: float = PAUSE
    resignation: ResignationPolicy = field(default_factory=ResignationPolicy)
    _asked: dict[str, tuple[int, asyncio.Event]] = field(default_factory=dict)
    """For which version of a table a computer is asked; the event is set when that is over."""
    _judging: set[str] = field(default_factory=set)
    """The tables at which a claim is being judged."""

    def after_commit(self, change: Change) -> None:
        """Ask the computers to move."""
        self.ask(change.table, change.changes)

    async def adopt(self, changes: Changes) -> None:
        """Resume computer moves whose process has died."""
        fleet = self.store.cluster
        if fleet.alone:
            codes = await self.store.read(games.games_awaiting_computer)
        else:
            codes = await self.store.write_beside(games.adopt_orphaned_games, fleet.number, ADOPTED)
        for code in codes:
            with suppress(BrokenTable, UnknownTable):
                self.ask(await self.tables.get(code), changes)

    async def resume(self, changes: Changes) -> None:
        """After a start: resume computer moves, and read what an earlier release left."""
        await self.adopt(changes)
        await self.tables.read_again(lambda table: self.ask(table, changes))

    def ask(self, table: Table, changes: Changes) -> None:
        """Ask the computers to move at *table*, and have claims judged."""
        if table.status in (ENDED, CLOSED):
            self.resignation.forget(table.code)
        asked = self._asked.get(table.code)
        if table.computers_to_move() and (asked is None or asked[0] != table.version):
            moved = asyncio.Event()
            self._asked[table.code] = table.version, moved
            self.tasks.start(self._play(table, changes, moved))
        if table.claimant() is not None and table.code not in self._judging:
            self._judging.add(table.code)
            self.tasks.start(self._judge(table, changes))

    async def _play(self, table: Table, changes: Changes, moved: asyncio.Event) -> None:
        try:
            seat = table.computers_to_move()[0]
            began = asyncio.get_running_loop().time()
            text, hurried, value = await self._think(table, seat)
            gives_up = self.resignation.gives_up(table, seat) and await self._is_lost(table, seat)
            draws = not gives_up and self.resignation.offers_draw(table, seat)

            def decide(work: UnitOfWork) -> None:
                # An undo or a resignation came in between: the newer version was asked for anew.
                if work.table.version != table.version:
                    return
                if gives_up:
                    play.resign(work, seat)
                    return
                one = read_move(table.game, work.table.present, seat, text)
                play.play_moves(work, seat, (one,), hurried=hurried)
                if draws and work.table.status == PLAYING:
                    offers.place_offer(work, seat, OfferKind.DRAW)

            choices = len(table.present.legal_moves(seat))
            if choices > 1:
                # A move that appears at once looks like a fault.
                pause = min(self.pause * hesitation(choices, value), _spare(table, seat))
                await asyncio.sleep(began + pause - asyncio.get_running_loop().time())
            await self._keep_storing(BY_COMPUTER, table, decide, changes)
        finally:
            moved.set()
            if self._asked.get(table.code) == (table.version, moved):
                del self._asked[table.code]

    async def wait_for_move(self, table: Table, seconds: float) -> None:
        """Wait until the computer to move at *table* has moved, at most so many *seconds*."""
        version, moved = self._asked.get(table.code, (0, None))
        if moved is None or version != table.version:
            return
        await wait_until_set(moved, seconds)

    async def _judge(self, table: Table, changes: Changes) -> None:
        try:
            while (seat := table.claimant()) is not None:
                await self._keep_storing(BY_ARBITER, table, await self._rule(table, seat), changes)
                # At hand, it is as it was stored last: no claim is missed while names are read.
                table, _ = self.tables.at_hand(table.code) or await self.tables.load(table.code)
        except (BrokenTable, StorageError) as wrong:
            log.error("table %s: its claim is judged later: %s", table.code, wrong)
        finally:
            self._judging.discard(table.code)

    async def _rule(self, table: Table, seat: Seat) -> Callable[[UnitOfWork], None]:
        asked = Question(table.code, table.game.key, table.setting, table.log, seat)
        ruling = await self.thinkers.answer(asked, Task.RULING) or {"move": "", "line": ()}
        said, line = ruling["move"], ruling["line"]

        def decide(work: UnitOfWork) -> None:
            # The claim may have been taken back; if not, more may have been played since.
            if work.table.claimant() != seat or work.table.log[: len(table.log)] != table.log:
                return
            position, written = work.table.present, table.game.notation.written
            rulings = {written(position, one): one for one in position.rulings(seat)}
            play.judge(work, seat, rulings.get(said, [*rulings.values()][-1]), line)

        return decide

    async def _think(self, table: Table, seat: Seat) -> tuple[str, bool, float]:
        """The computer's move, whether it had no time to think, and what it is worth."""
        level = table.players[seat].level or 1
        try:
            thought = await self.thinkers.think(_question(table, seat, level))
            move = read_move(table.game, table.present, seat, thought.move)
            hurried, value = thought.hurried, thought.value
            self.resignation.note(table, seat, thought.value)
        except Exception:  # whatever it is, a table that waits for ever would be worse
            log.exception("table %s: no thought, the first legal move is played", table.code)
            move, hurried, value = table.present.legal_moves(seat)[0], True, 0.0
        return table.game.notation.written(table.present, move), hurried, value

    async def _is_lost(self, table: Table, seat: Seat) -> bool:
        """Whether the highest level, too, takes the game for lost that *seat* would give up."""
        highest, level = table.game.computer.levels, table.players[seat].level or 1
        if level >= highest:
            return True
        found = await self.thinkers.answer(_question(table, seat, highest), Task.HINT)
        # Who has got a level into a lost game, unrated, is taken for as good as it.
        curve = await self.chances.curve(table, level)
        lost = found is not None and is_hopeless(curve.value(found["value"]))
        if not lost:
            self.resignation.hope(table, seat)
        return lost

    async def _keep_storing(
        self, platform: str, table: Table, decide: Callable[[UnitOfWork], None], changes: Changes
    ) -> None:
        """Store what *decide* writes, however long it takes, unless it was overtaken."""
        origin = Update(platform, f"{table.code}:{table.version}")
        for wait in chain(self.retries, repeat(self.retries[-1])):
            try:
                await changes.change(origin, table.code, decide)
            except (SeenBefore, BrokenTable):
                return
            except StorageError as wrong:
                log.error("table %s: what a computer decided waits: %s", table.code, wrong)
            except Exception:
                log.exception("table %s: what a computer decided failed", table.code)
            else:
                return
            await asyncio.sleep(wait)


def _question(table: Table, seat: Seat, level: int) -> Question:
    """What is asked of *level* where it is for *seat* to move; the version seeds the answer."""
    name = f"{table.code}:{table.version}"
    key, now = table.game.key, table.present
    return Question(
        *(name, key, table.setting, table.log, seat, level, now), seconds=_spare(table, seat)
    )


def _spare(table: Table, seat: Seat) -> float:
    """How many seconds *seat* has for its move where its time runs; else without end."""
    return table.clock.pace(seat) if table.clock and seat in table.timed() else inf
