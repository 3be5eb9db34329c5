"""Killed at any point of a round: none is paired twice, no game opened twice, no result lost.

    python -m tests.drives.tournament_kills 200
    python -m tests.drives.tournament_kills 200 --processes 2

A child keeps tournaments going on a file of SQLite (their rounds are paired and their tables opened
by the bot itself) and ends their games; it is killed by SIGKILL at an instant drawn by lot. With
several *processes* they do so on one PostgreSQL, and one of them is killed. After every few kills
the database is opened as after a restart and compared: the tables that name a tournament must be
those of its rounds, each once, and every table that has ended must have its result there.
"""

from __future__ import annotations

import asyncio
import os
import random
from collections import Counter

from sqlalchemy import select

from bot.facade import Facade
from bot.port import Asker
from bot.service.table.changes import SeenBefore, Update
from bot.session import play
from bot.session.table import PLAYING
from bot.tournament import organizer
from bot.tournament.fold import TOURNAMENTS, BrokenTournament
from bot.tournament.values import Phase, Rules, Tournament, TournamentFormat
from games.core import ranking
from storage import schema, tournaments
from storage.errors import Conflict, StorageError
from storage.records import EntrantRow, TournamentRow
from storage.store import Store
from tests.drives.kill_loop import KillLoop, begun_facade, drive_kills
from tests.drives.report import Report
from tests.standing.simulated import update_id
from tests.tournament import laws

PEOPLE = 6
LONGEST = 0.25
"""Within how many seconds after a game is about to end the kill falls."""

FORMATS = (TournamentFormat.ROBIN, TournamentFormat.KNOCKOUT, TournamentFormat.SWISS)


async def open_tournament(facade: Facade, dice: random.Random) -> None:
    """A tournament that begins at once, of a format drawn by lot."""
    services = facade.services
    people = [
        await services.people.of(Asker("fake0", f"id-{n}", f"P{n}", "es")) for n in range(PEOPLE)
    ]
    rules = Rules("niya", dice.choice(FORMATS), "5m+5s", rounds=3, pause=0)
    now, steady = services.clock.now(), services.clock.steady()
    code = await services.tournaments.free_code()
    work = organizer.open_tournament(code, rules, people[0].id, now, steady)
    for one in people:
        organizer.enter(work, one.id, 1500)
    organizer.begin(work)
    here = ("fake0", "group", None, False)
    row = TournamentRow(code, *here, work.tournament.phase, len(work.written), now, now, steady)
    async with services.store.transaction() as tx:
        await tournaments.create_tournament(tx, row, work.rows())
        await tournaments.put_entrants(tx, [EntrantRow(code, one.id, *here) for one in people])
    services.alarm.look(steady)


async def living(facade: Facade) -> list[Tournament]:
    """The tournaments that are not over."""
    async with facade.services.store.reading() as tx:
        asked = select(schema.tournament.c.code).where(schema.tournament.c.phase != "ended")
        codes = list((await tx.execute(asked)).scalars())
    return [await facade.services.tournaments.get(code) for code in codes]


async def end(facade: Facade, code: str, dice: random.Random) -> None:
    """End the game at the table *code* by lot, if it is still played."""
    places = dice.choice(([[0], [1]], [[1], [0]], [[0, 1]]))

    def decide(work) -> None:
        if work.table.status == PLAYING:
            play.end_game(work, ranking("resign", places), rule=False)

    update = Update("fake0", update_id("end"))
    await facade.services.changes.change(update, code, decide)


async def go_on(url: str, slot: int, serial: int, ready: int, *, shared: bool) -> None:
    """Keep tournaments going for ever; a byte is written to *ready* before each game ends."""
    facade = await begun_facade(url, slot, shared=shared)
    dice = random.Random(serial)
    while True:
        try:
            now = await living(facade)
            if len(now) < 2:
                await open_tournament(facade, dice)
                continue
            waiting = [g.code for t in now for _, _, g in t.games() if g.result is None]
            find = facade.services.tables.find
            there = [code for code in waiting if await find(code) is not None]
            for code in there:
                os.write(ready, b".")
                await end(facade, code, dice)
            await asyncio.sleep(0 if there else 0.02)
        except (Conflict, SeenBefore, StorageError):
            await asyncio.sleep(0.05)


async def look(url: str) -> Report:
    """Compare every tournament with its tables."""
    store, report = await Store.open(url), Report()
    try:
        async with store.reading() as tx:
            codes = list((await tx.execute(select(schema.tournament.c.code))).scalars())
            event, game = schema.event, schema.game
            opening = select(event.c.game, event.c.data).where(event.c.number == 1)
            of: dict[str, list[str]] = {}
            for code, data in await tx.execute(opening):
                of.setdefault(data.get("tournament", ""), []).append(code)
            status = {row.code: row.status for row in await tx.execute(select(game))}
            for code in codes:
                try:
                    rows = await tournaments.load_tournament_events(tx, code)
                    compare(report, TOURNAMENTS.of(code, rows), Counter(of.get(code, ())), status)
                except BrokenTournament as broken:
                    report.breaches.append(str(broken))
    finally:
        await store.close()
    return report


def compare(
    report: Report, tournament: Tournament, tables: Counter[str], status: dict[str, str]
) -> None:
    """Note what is wrong with *tournament*, whose *tables* are counted."""
    named = {game.code: game for _, _, game in tournament.games() if game.code}
    report.counts.update(tournaments=1, rounds=tournament.number, games=len(named))
    wrong = [f"table {code} is of no round" for code in tables.keys() - named.keys()]
    wrong += [f"table {code} twice" for code, many in tables.items() if many > 1]
    numbers = [one.number for one in tournament.rounds]
    if numbers != list(range(1, len(numbers) + 1)):
        wrong.append(f"{tournament.code}: rounds {numbers}")
    for code, game in named.items():
        if status.get(code) == "ended" and game.result is None:
            wrong.append(f"the result of {code} is lost")
        if game.result is not None and code not in status:
            wrong.append(f"{code} has a result and no table")
    if tournament.phase is Phase.ENDED:
        report.counts["tournaments ended"] += 1
        try:
            laws.check(tournament)
        except AssertionError as broken:
            wrong.append(f"{tournament.code}: {broken!r}")
    report.breaches += wrong


def killed(url: str, kills: int, processes: int, rng: random.Random) -> Report:
    """What is lost or done twice in so many *kills*."""

    async def work(slot: int, serial: int, ready: int) -> None:
        await go_on(url, slot, serial, ready, shared=processes > 1)

    report = KillLoop(work, lambda: asyncio.run(look(url)), processes, LONGEST, rng).run(kills)
    report.forbid(not report.counts["games"], "times nothing was played")
    return report


if __name__ == "__main__":
    raise SystemExit(drive_kills(__doc__, killed, seed=40))
