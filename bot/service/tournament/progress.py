"""What tournaments do by themselves: begin, pair rounds, open their tables, end.

Every step is a transaction of its own that can be done only once: a tournament knows of the tables
of a round before the first of them is opened, so that a kill at any instant repeats nothing.
"""

from __future__ import annotations

import asyncio
import logging
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from bot.service.clock import Clock
from bot.service.place.outages import Outages
from bot.service.table.changes import TOURNAMENT, Changes, SeenBefore, Update
from bot.service.table.tables import Tables, UnknownTable
from bot.service.tournament.tables import TournamentTables
from bot.service.tournament.tournaments import Tournaments, UnknownTournament
from bot.session import play
from bot.session.flag_fall import first_moves_due, missing
from bot.session.game_clock import at_instant, instant
from bot.session.table import PLAYING, BrokenTable, Table
from bot.session.time_controls import grace, read_control
from bot.session.unit_of_work import UnitOfWork
from bot.tournament import organizer, swiss
from bot.tournament.agenda import Step, next_step
from bot.tournament.events import Withdrew
from bot.tournament.fold import BrokenTournament
from bot.tournament.pairing import next_pairing
from bot.tournament.trf import entrants_in, trf
from bot.tournament.unit_of_work import NotNow, TournamentWork
from bot.tournament.values import How, Tournament, TournamentFormat, TournamentGame
from storage import tournaments as stored
from storage.errors import Conflict, StorageError
from storage.records import MILLISECOND
from storage.store import Store, Transaction
from storage.table import games

log = logging.getLogger(__name__)

STEPS = 8
"""How many steps of tournaments are taken before other deadlines have their turn."""

SOON = timedelta(seconds=1)
"""After what time the steps are taken that are due by then."""

RETRY_TIME = timedelta(seconds=15)
"""After what time a step is tried again that failed."""

ENGINE = (sys.executable, "-m", "bot.tournament.swiss")
"""The program that pairs Swiss rounds: beside the event loop, which would stand still for it."""


async def swiss_pairs(report: str) -> list[swiss.Pair]:
    """The pairs of the round after *report*; raises ``swiss.Unpairable``."""
    pipe = asyncio.subprocess.PIPE
    engine = await asyncio.create_subprocess_exec(*ENGINE, stdin=pipe, stdout=pipe, stderr=pipe)
    printed, wrong = await engine.communicate(report.encode())
    if engine.returncode == swiss.UNPAIRABLE:
        raise swiss.Unpairable
    if engine.returncode:
        raise RuntimeError(wrong.decode(errors="replace").strip().splitlines()[-1])
    return swiss.read_pairs(printed.decode())


@dataclass(kw_only=True)
class TournamentProgress:
    """Looks at the tournaments whose time has come."""

    store: Store
    clock: Clock
    tournaments: Tournaments
    tables: Tables
    opener: TournamentTables
    changes: Changes
    outages: Outages
    _looking: asyncio.Lock = field(default_factory=asyncio.Lock)
    _began: bool = False

    async def expire(self) -> None:
        """Do what is due; raises ``StorageError``."""
        async with self._looking:
            if not self._began:
                # Clocks went on while we were down, and their beginnings are by them.
                await self.store.write(stored.hasten_open_tournaments, self.clock.steady())
                self._began = True
            # What is done makes more due at once: a round that was paired has tables to open.
            for _ in range(STEPS):
                if not await self._expire():
                    return

    async def _expire(self) -> bool:
        """Do what is due now; whether anything was."""
        due = await self.store.read(stored.due_tournaments, self.clock.steady())
        for code in due:
            try:
                await self._look(code)
            except StorageError:
                raise
            except (UnknownTournament, BrokenTournament) as wrong:
                log.error("%s", wrong)
                await self.store.write(self._drop, code)
            except Exception:
                log.exception("tournament %s could not go on; it is tried again", code)
                later = self.clock.steady() + RETRY_TIME
                await self.tournaments.set_due(await self.tournaments.get(code), later)
        return bool(due)

    @staticmethod
    async def _drop(tx: Transaction, code: str) -> None:
        row = await stored.load_tournament(tx, code)
        if row is not None:
            await stored.set_tournament_due(tx, code, row.version, None)

    async def next_due(self) -> datetime | None:
        """When something is due next; soon, where something is due already."""
        now = self.clock.steady()
        if await self.store.read(stored.due_tournaments, now):
            return now + SOON
        return await self.store.read(stored.next_due_tournament, now)

    async def _look(self, code: str) -> None:
        tournament, now = await self.tournaments.get(code), self.clock.steady()
        step = next_step(tournament, now, self.clock.now())
        if step is not None and step.at <= now:
            with suppress(SeenBefore):
                await self._take(tournament, step.step)
                return
        due = await self._look_at_tables(tournament)
        found = [at for at in (due, None if step is None else step.at) if at is not None]
        await self.tournaments.set_due(tournament, min(found, default=None))

    # ---------------------------------------------------------------- steps

    async def _take(self, tournament: Tournament, step: Step) -> None:
        """Take a *step* of *tournament*, unless it has changed since."""
        match step:
            case Step.START:
                await self._decide(tournament, _start)
            case Step.PAIR:
                await self._pair(tournament)
            case Step.EXTEND:
                codes = await self._codes(len(organizer.undecided(tournament)))
                await self._decide(tournament, lambda work: organizer.extend(work, codes))
            case Step.ADJUDICATE:
                await self._decide(tournament, organizer.adjudicate)
                await self._close_judged(await self.tournaments.get(tournament.code))
            case Step.END:
                await self._decide(tournament, lambda work: organizer.end(work, "done"))
            case Step.EXPIRE:
                await self._decide(tournament, lambda work: organizer.end(work, "few"))

    async def _decide(
        self, tournament: Tournament, decide: Callable[[TournamentWork], None]
    ) -> None:
        """Store what *decide* writes in *tournament* as it was seen; once a version."""
        version = tournament.version

        def decided(work: TournamentWork) -> None:
            if work.tournament.version == version:
                decide(work)

        update = Update(TOURNAMENT, f"{tournament.code}:{version}")
        await self.tournaments.change(update, tournament.code, decided)

    async def _pair(self, tournament: Tournament) -> None:
        if (twin := _twin(tournament)) is not None:
            # Two who entered have become one person, who plays on for the first of them.
            await self._decide(tournament, lambda work: work.write(Withdrew(twin)))
            return
        pairs: Sequence[swiss.Pair] = ()
        if tournament.rules.format is TournamentFormat.SWISS:
            try:
                pairs = entrants_in(tournament, await swiss_pairs(trf(tournament, {})))
            except swiss.Unpairable:
                await self._decide(tournament, lambda work: organizer.end(work, "unpairable"))
                return
        pairing = next_pairing(tournament, pairs)
        if pairing is None:
            await self._decide(tournament, lambda work: organizer.end(work, "few"))
            return
        codes = await self._codes(len(pairing.meetings))
        await self._decide(tournament, lambda work: organizer.pair(work, pairing, codes))

    async def _codes(self, count: int) -> Iterator[str]:
        """Codes of *count* tables to be."""
        found: dict[str, None] = {}
        while len(found) < count:
            found[await self.tables.free_code()] = None
        return iter(found)

    # ---------------------------------------------------------------- tables

    async def _look_at_tables(self, tournament: Tournament) -> datetime | None:
        """Open the tables that are not open yet, and close those to which nobody comes.

        Answers when to look again, if somebody may still not come.
        """
        waiting = {
            game.code: game
            for one, _, game in tournament.games()
            if not one.is_played and game.result is None
        }
        there = await self.store.read(games.load_versions, sorted(waiting))
        for game in waiting.values():
            if game.code not in there and not tournament.paused:
                with suppress(SeenBefore, Conflict):
                    await self.opener.open(tournament, game)
        await self._close_judged(tournament)
        dues = [await self._look_at_table(code) for code in waiting]
        return min((due for due in dues if due is not None), default=None)

    async def _close_judged(self, tournament: Tournament) -> None:
        """Close the tables of the newest round whose games somebody has decided."""
        for game in _judge(tournament):
            await self.opener.close_judged(game.code)

    async def _look_at_table(self, code: str) -> datetime | None:
        try:
            table = await self.tables.get(code)
        except (UnknownTable, BrokenTable):
            return None
        down = await self._down(table)
        due = forfeit_due(table, down)
        if due is None or due > self.clock.steady():
            return due
        update = Update(TOURNAMENT, f"{code}:{play.FORFEIT}:{table.version}")
        with suppress(SeenBefore):
            await self.changes.change(update, code, lambda work: _forfeit(work, down))
        return self.clock.steady() + RETRY_TIME

    async def _down(self, table: Table) -> timedelta:
        """For how long somebody at *table* who has not come could not be reached since then."""
        longest, now, allowed = 0, instant(self.clock.steady()), grace(read_control(table.control))
        for seat, due in first_moves_due(table).items():
            person, began = table.players[seat].person, due - allowed
            if person is not None:
                spans = await self.outages.spans(table.code, person, began)
                down = sum(max(0, min(over, now) - max(start, began)) for start, over in spans)
                longest = max(longest, down)
        return longest * MILLISECOND


def _start(work: TournamentWork) -> None:
    try:
        organizer.begin(work)
    except NotNow:
        organizer.end(work, "few")


def _twin(tournament: Tournament) -> int | None:
    """The number of an entrant who is the same person as an earlier one."""
    seen: set[int] = set()
    for one in tournament.present:
        if one.person in seen:
            return one.number
        seen.add(one.person)
    return None


def _judge(tournament: Tournament) -> list[TournamentGame]:
    """The games of the newest round that somebody has decided."""
    return [
        game
        for one in tournament.rounds[-1:]
        for meeting in one.meetings
        for game in meeting.games
        if game.code and game.result is not None and game.result.how is How.ADJUDICATED
    ]


def forfeit_due(table: Table, down: timedelta = timedelta()) -> datetime | None:
    """When somebody at *table* has not come in time; ``None`` once everybody has moved.

    *down* is for how long they could not be reached.
    """
    due = min(first_moves_due(table).values(), default=None)
    return None if due is None else at_instant(due) + down


def _forfeit(work: UnitOfWork, down: timedelta) -> None:
    """Let whoever has not come lose; at a table of three or four a computer plays for them."""
    table, due = work.table, forfeit_due(work.table, down)
    if due is None or due > (work.steady or work.now):
        return
    gone = missing(table)
    if len(table.players) == 2:
        play.close(work, play.FORFEIT, table.players[min(gone)].person)
        return
    for seat in sorted(gone):
        play.drop_out(work, seat, play.FORFEIT)
        if work.table.status != PLAYING:
            return
