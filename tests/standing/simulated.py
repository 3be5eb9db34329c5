"""Rated games by the hundred on a real store: opened, hardly played, and ended as somebody says."""

from __future__ import annotations

import itertools
import os
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache

from bot.port import Asker
from bot.service.club.medals import Medals
from bot.service.club.ratings import Ratings
from bot.service.table.changes import Change, Participant, Update
from bot.session import play
from bot.session.rated import turns_made
from bot.session.table import PLAYING, Player, Table
from bot.session.unit_of_work import UnitOfWork
from games.core import CHANCE, ranking
from games.core.shelf import find_game
from storage.records import PersonRow, ViewRow
from storage.store import Transaction
from storage.table import views
from tests.fakes import Desk

SECRET = bytes(range(32))

UPDATES = itertools.count(1)


@cache
def _process(number: int) -> str:
    """A name of this process, which one that gets its *number* later does not have."""
    return f"{number}-{secrets.token_hex(4)}"


def update_id(what: str) -> str:
    """The id of an update that no other process has: some are forked from one."""
    return f"{what}-{_process(os.getpid())}-{next(UPDATES)}"


class _ViewsAlone(Participant):
    """Stores the views of new tables, and shows nothing."""

    async def store_change(self, tx: Transaction, change: Change) -> None:
        if change.before is None:
            for view in change.shown:
                await views.add_view(tx, view)


@dataclass
class Hall:
    """The people of a house, who play rated games with one another."""

    at: Desk
    people: list[PersonRow] = field(default_factory=list)
    codes: itertools.count = field(default_factory=lambda: itertools.count(10_000))

    def hush(self) -> None:
        """Show no board and call nobody from now on: what counts is stored all the same."""
        changes = self.at.facade.services.changes
        counting = [one for one in changes.participants if isinstance(one, Ratings | Medals)]
        changes.participants = (*counting, _ViewsAlone())

    async def invite(self, count: int, platform: str = "fake") -> list[PersonRow]:
        """So many more people."""
        number = len(self.people)
        for n in range(number, number + count):
            asker = Asker(platform, f"id-{n}", f"Person {n}", "es", handle=f"p{n}")
            self.people.append(await self.at.facade.services.people.of(asker))
        return self.people[number:]

    async def seat(
        self, game: str, persons: Sequence[int], *, rated: bool = True, asked: bool = False
    ) -> Table:
        """The table at which these *persons* have begun to play.

        With *asked* it is asked before who may play for the ratings, and how often.
        """
        services = self.at.facade.services
        work = play.open_table(
            f"S{next(self.codes)}",
            find_game(game),
            options={},
            begins="",
            seats=len(persons),
            host=persons[0],
            secret=SECRET,
            now=services.clock.now(),
            steady=services.clock.steady(),
            rated=rated,
        )
        for person in persons:
            play.take_chair(work, Player(person))
        if asked:
            await services.ratings.prepare(Update("fake", update_id("asked"), ""), work)
        play.start(work)
        where = self.at.where
        shown = ViewRow(0, work.table.code, where.platform, where.place, "es", work.table.version)
        update = Update("fake", update_id("seat"), where.place)
        return await services.changes.create(update, work, shown)

    async def open(self, table: Table) -> None:
        """Let everybody make the moves before which a game may be aborted."""
        changes = self.at.facade.services.changes
        update = Update("fake", update_id("open"), self.at.where.place)
        await changes.change(update, table.code, open_game)

    async def end(
        self, table: Table, places: Sequence[Sequence[int]], leaving: Sequence[int] = ()
    ) -> Table:
        """End the game with *places* of persons, after those *leaving* have left in this order."""

        def decide(work: UnitOfWork) -> None:
            open_game(work)
            for person in leaving:
                play.drop_out(work, seat_of(work.table, person), "resign")
            seats = [[seat_of(work.table, one) for one in place] for place in places]
            gone = {seat for seat, player in enumerate(work.table.players) if player.left}
            # Those who play on for others come first of all: they must be struck out.
            outcome = ranking("resign", [sorted(gone), *seats])
            play.end_game(work, outcome, rule=False)

        changes = self.at.facade.services.changes
        update = Update("fake", update_id("end"), self.at.where.place)
        ended, _, _ = await changes.change(update, table.code, decide)
        return ended


def seat_of(table: Table, person: int) -> int:
    """The seat at which *person* sits, or sat before they left."""
    return next(
        seat for seat, player in enumerate(table.players) if person in (player.person, player.left)
    )


def open_game(work: UnitOfWork, turns: int = 2) -> None:
    """Let everybody make so many moves."""
    made = dict(turns_made(work.table))
    while work.table.status == PLAYING:
        actors = work.table.actors() - {CHANCE}
        seat = min(actors, key=lambda one: made.get(one, 0))
        if made.get(seat, 0) >= turns:
            return
        made[seat] = made.get(seat, 0) + 1
        play.play_moves(work, seat, [work.table.present.legal_moves(seat)[0]])
