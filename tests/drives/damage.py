"""One damaged cell at a time: the house starts, everybody else plays on, the doctor names it.

``python -m tests.drives.damage 5000`` draws so many cells by lot over all tables and columns of a
house that was played in; ``--part 0/2`` does one of two halves, ``--several N`` damages N cells
before each start. Every second cell has one flipped bit, the others hold what nobody writes.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import logging
import random
import re
import shutil
import sqlite3
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import aiohttp

from bot.app.doctor import examined
from bot.chats.web import WebChat
from bot.facade import Facade, open_facade
from bot.port import Command, Where
from bot.service.computers.pool import Thinkers
from bot.service.tournaments import event_rows
from bot.session.preferences import NotificationChoice, Personal
from bot.texts import language
from bot.tournament.organizer import enter, open_tournament
from bot.tournament.values import Rules, TournamentFormat
from storage import (
    Finding,
    bot_settings,
    comments,
    games,
    open_table_alerts,
    outages,
    people,
    talk,
    tournaments,
)
from storage.errors import StorageError
from storage.records import (
    AlertRow,
    CommentRow,
    EntrantRow,
    FaultRow,
    TalkRow,
    TournamentRow,
    TournamentViewRow,
)
from storage.schema import metadata
from storage.store import Store
from tests.chats.pages import Server, Visitor, named, seated
from tests.drives.damaged_cells import Damage, damaged
from tests.fakes import Desk, FakeChat, person

NEREA, BRUNO, CARLA = (person(name, "telegram") for name in ("Nerea", "Bruno", "Carla"))
PEOPLE = (NEREA, BRUNO, CARLA)
MISTAKE = (
    '{"position": "L1,A,A,R/A,R,R,R/A,A,L4,R/R,R,L3,A A L2", "theme": "mistake", '
    '"answers": ["L4"], "played": "L3", "line": ["L4"]}'
)
GROUP = Where("telegram", "group")

FAILED = re.compile(r"[Aa]lgo ha fallado|[Ss]omething failed")


@dataclass(frozen=True)
class Base:
    """A house that was played in: its file, one legal move a table, and the cookies of guests."""

    file: Path
    moves: Mapping[str, tuple[str, str, str]]
    """By table, the platform and name of whoever is to move, and what they type."""
    visitors: Mapping[str, tuple[str, str]]
    """The paths and cookies of guests by their names."""
    rows: Mapping[str, int]
    people: Mapping[str, frozenset[tuple[object, ...]]]
    """The keys of the rows by which each person is known, by platform and name."""


class Unpainted(FakeChat):
    """A chat whose pictures nobody paints: a start must be cheap."""

    paints = True


@dataclass
class House:
    """A running house with a page and a fake of Telegram."""

    desk: Desk
    server: Server

    @property
    def facade(self) -> Facade:
        return self.desk.facade


@asynccontextmanager
async def house(file: Path, http: aiohttp.ClientSession) -> AsyncIterator[House]:
    """The house on *file*; raises ``StorageError`` where it refuses to start."""
    store = await Store.open(f"sqlite+aiosqlite:///{file}")
    try:
        facade = await open_facade(store, Thinkers(seconds=0.1), "es")
    except BaseException:
        await store.close()
        raise
    chat, told = Unpainted("telegram"), list[str]()
    web = WebChat(facade, "127.0.0.1", 0, told.append)
    facade.services.computers.pause = 0.0
    try:
        await facade.start([chat, web])
        yield House(Desk(facade, chat, GROUP), Server(facade, web, http, told))
    finally:
        await facade.stop()


async def made(folder: Path) -> Base:
    """A base in *folder* with rows in every table."""
    file = folder / "base.db"
    jar = aiohttp.DummyCookieJar()
    async with aiohttp.ClientSession(cookie_jar=jar) as http, house(file, http) as at:
        desk, server = at.desk, at.server
        for game, host, other, clock in (
            ("niya", NEREA, BRUNO, ""),
            ("niya", BRUNO, CARLA, "10m"),
            ("parchis", NEREA, CARLA, ""),
            ("niya", CARLA, NEREA, ""),
        ):
            wish = {"clock": clock} if clock else {}
            answer = await desk.call(host, "play", game=game, opponent=other, **wish)
            assert answer.good, answer
            message = [*desk.chat.messages.values()][-1]
            assert (await desk.press(other, message, "Aceptar")).good
        over = message.screen.table
        await desk.surely(CARLA, "resign", table=over)
        await desk.call(CARLA, "rematch", table=over)
        await desk.call(NEREA, "rematch", table=over)
        await _counted(desk)
        await desk.call(BRUNO, "play")
        await desk.call(CARLA, "play", game="niya")
        await desk.call(BRUNO, "link")
        visitor = Visitor(server)
        await visitor.enter(server.told[-1].strip())
        await named(visitor, "Wendy")
        async with visitor.open() as page:
            table, guest = await seated(server, page)
            await page.ask("invite", table=table)
            await page.ask("list", code="on", table=table)
        await desk.settle()
        moves = await _moves(at.facade)
        await _filled(at.facade, over)
        visitors = {
            "Wendy": (visitor.path, visitor.cookie),
            "Bruno": (guest.path, guest.cookie),
        }
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        count = "SELECT count(*) FROM {}"
        rows = {
            table.name: connection.execute(count.format(f'"{table.name}"')).fetchone()[0]
            for table in metadata.sorted_tables
        }
        known = connection.execute(
            "SELECT identity.platform, name, external, person FROM identity "
            "JOIN person ON person.id = person"
        ).fetchall()
    people = {
        f"{platform} {name}": frozenset(
            {(platform, external), (number,), (f"web:guest:{external}",)}
        )
        for platform, name, external, number in known
    }
    return Base(file, moves, visitors, rows, people)


async def _moves(facade: Facade) -> dict[str, tuple[str, str, str]]:
    found = {}
    codes = await facade.store.read(games.codes_by_status, ("playing",))
    for code in codes:
        table = await facade.services.tables.get(code)
        seat = min(table.actors())
        position = table.present
        move = position.legal_moves(seat)[0]
        mover, typed = table.players[seat], table.game.typed(position, move)
        assert mover.person is not None
        (identity,) = await facade.services.people.identities(mover.person)
        found[code] = (identity.platform, mover.name, language("es").say(typed))
    return found


async def _counted(desk: Desk) -> None:
    """A game that counts, with two moves of each, given up: what ratings are made of."""
    answer = await desk.call(BRUNO, "play", game="niya", opponent=NEREA, rated="yes")
    assert answer.good, answer
    message = [*desk.chat.messages.values()][-1]
    assert (await desk.press(NEREA, message, "Aceptar")).good
    code = message.screen.table
    players = {who.name: who for who in (BRUNO, NEREA)}
    for _ in range(4):
        table = await desk.facade.services.tables.get(code)
        (seat,) = table.actors()
        move = table.game.notation.written(table.present, table.present.legal_moves(seat)[0])
        who = players[table.players[seat].name]
        assert (await desk.call(who, "move", table=code, move=move)).good
    await desk.surely(BRUNO, "resign", table=code)


async def _filled(facade: Facade, over: str) -> None:
    """Rows of what no play above has made."""
    now, services = facade.services.clock.now(), facade.services
    nerea = await services.people.of(NEREA)
    chosen = Personal(theme="dark", calls=NotificationChoice.ALWAYS, quiet=(23, 7), zone="UTC")
    await services.people.choose(nerea.id, chosen)
    await services.people.set_language(nerea, "es")
    store = facade.store
    async with store.transaction() as tx:
        await bot_settings.put_setting(tx, "telegram-fleeting", json.dumps([["group", "m9", ""]]))
        await bot_settings.put_setting(tx, "discord-command-ids", json.dumps({"play": 7}))
        await outages.begin_outage(tx, "telegram", "group", now)
        await outages.end_outage(tx, "telegram", "group", now)
        row = TalkRow(0, over, nerea.id, 0, "good", "", now)
        await talk.add_talk(tx, row)
        await talk.add_talk(tx, replace(row, preset="", text="hola"))
        await comments.put_comment(tx, CommentRow(nerea.id, over, 1, "aquí", "a1", now))
        await people.put_link_code(tx, "ABCD2345", nerea.id, now)
        await open_table_alerts.set_alert(
            tx, AlertRow(nerea.id, "telegram", "group", "niya", now, now)
        )
        rules = Rules("niya", TournamentFormat.ROBIN, "5m+5s")
        work = open_tournament("CUPCUP", rules, nerea.id, now, now)
        enter(work, nerea.id, 1500)
        rows = event_rows(work.written)
        here = ("telegram", "group", None, False)
        cup = TournamentRow("CUPCUP", *here, "open", len(rows), now, now, now + timedelta(days=9))
        await tournaments.create_tournament(tx, cup, rows)
        await tournaments.put_entrants(tx, [EntrantRow("CUPCUP", nerea.id, *here)])
        seen = ("CUPCUP", "telegram", "group", None, None, "es", "m3", len(rows), len(rows))
        await tournaments.add_tournament_view(tx, TournamentViewRow(0, *seen))
        await games.set_game_aside(tx, FaultRow(over, 3, "once", now))
        statements = (
            f"INSERT INTO snapshot VALUES ('{over}', 2, 'old', x'00ff')",
            "INSERT INTO process VALUES (7, 1700000000000)",
            "INSERT INTO lease VALUES ('clock', 7)",
            "INSERT INTO daily VALUES ('telegram', 'group', 739000, 'n1', 0, 1700000000000)",
            "INSERT INTO puzzle VALUES ('n1', 'niya', 25.0, 8.0, NULL, 2, 1)",
            f"INSERT INTO solver VALUES ({nerea.id}, 'niya', 25.0, 8.0, NULL, 1, 2, 739000)",
            f"INSERT INTO mistake VALUES ({nerea.id}, 'm1', 'niya', {MISTAKE!r}, 1700000000000, "
            "739001, 739000, 2.3, 2.1)",
            "INSERT INTO imported_place VALUES ('telegram', 'group', 'afar', 'Afar', 0, '{}')",
            "INSERT INTO imported_game VALUES ('telegram', 'group', 'afar', 'ABC234', 'niya', "
            "'2026-11-01', '\nAna\nBo\n', '')",
            "INSERT INTO bar VALUES ('telegram', '9', 'telegram', 'group', 1700000000000, NULL)",
        )
        for statement in statements:
            await tx.exec_driver_sql(statement)
        await services.places.put(tx, GROUP, settings={"theme": "dark", "roles": ["7"]})
        elsewhere = Where("telegram", "elsewhere")
        await services.places.put(tx, elsewhere, settings={"home": "x"}, retry_at=now)


# ---------------------------------------------------------------- one trial


@dataclass
class Result:
    """What came of one start: *wrong* are sentences on what may not be."""

    refused: str = ""
    named: bool = False
    silent: int = 0
    """Cells whose new value may be right, too, which the doctor does not name."""

    wrong: list[str] = field(default_factory=list)


class Heard(logging.Handler):
    """What was logged, and the tracebacks in it."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.lines: list[str] = []
        self.tracebacks: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(record.getMessage())
        if record.exc_info and record.exc_info[1] is not None:
            self.tracebacks.append("".join(traceback.format_exception(record.exc_info[1]))[-700:])


@asynccontextmanager
async def heard() -> AsyncIterator[Heard]:
    """What is logged in here."""
    handler, root = Heard(), logging.getLogger()
    root.addHandler(handler)
    try:
        yield handler
    finally:
        root.removeHandler(handler)


async def judged(
    file: Path, base: Base, done: Sequence[Damage], http: aiohttp.ClientSession
) -> Result:
    """Start a house on the damaged *file*, let everybody play, and ask the doctor before."""
    result = Result()
    errors = await _doctored(file, result)
    async with heard() as log:
        try:
            async with house(file, http) as at:
                await _played(at, base, done, result)
                with contextlib.suppress(TimeoutError):
                    await at.desk.settle(1.0)
        except StorageError as wrong:
            result.refused = str(wrong)
            result.wrong.append(f"does not start: {wrong}")
        except Exception as wrong:
            lines = traceback.format_exception(wrong)
            result.wrong.append(f"fell: {''.join(lines)[-900:]}")
    result.wrong += [f"traceback: {one}" for one in log.tracebacks]
    result.named = bool(errors)
    _compared(errors, done, result)
    return result


async def _doctored(file: Path, result: Result) -> list[Finding]:
    try:
        found = await examined(f"sqlite+aiosqlite:///{file}")
    except Exception as wrong:
        lines = traceback.format_exception(wrong)
        result.wrong.append(f"the doctor fell: {''.join(lines)[-900:]}")
        return []
    return [one for one in found if one.level == "error"]


def _compared(errors: Sequence[Finding], done: Sequence[Damage], result: Result) -> None:
    """Whether the doctor names what is impossible, and nothing that was not damaged."""
    cells = [one.text for one in errors if one.check == "cell"]
    told = " ".join(one.text for one in errors)
    for damage in done:
        place = f"table {damage.table}, row "
        here = [one for one in cells if place in one and f"column {damage.column}:" in one]
        broken = damage.game is not None and f"Table {damage.game}" in told
        result.silent += not (here or broken or damage.impossible)
        if damage.impossible and not here and not broken:
            result.wrong.append(f"the doctor does not name {damage}: {told[:300]}")
    for cell in cells:
        if not any(_follows(cell, damage) for damage in done):
            result.wrong.append(f"the doctor names {cell} for {done[0]}")


def _follows(cell: str, damage: Damage) -> bool:
    """Whether the doctor may name *cell* for what was done: it, or a row that refers to it."""
    keys = [one.name for one in metadata.tables[damage.table].primary_key]
    if f"table {damage.table}," in cell and (
        f"column {damage.column}:" in cell or damage.column in keys or damage.table == "event"
    ):
        return True
    beside = {"tournament_event": ("kind", "data"), "rating_entry": ("people", "places")}
    own, judged = beside.get(damage.table, ("", ""))  # the second is judged by what the first says
    if damage.column == own and f"table {damage.table}," in cell and f"column {judged}:" in cell:
        return True
    if damage.column in keys and "there is no such row of" in cell:
        return cell.split("there is no such row of ")[1].startswith(damage.table)
    if (damage.table, damage.column) == ("outage", "began") and "before the beginning" in cell:
        return True
    # What the rows repeat of the events differs where an event was changed to another valid one.
    derived = damage.table == "event" or damage.column in keys
    return derived and ("the events of the table say" in cell or "it is missing" in cell)


async def _played(at: House, base: Base, done: Sequence[Damage], result: Result) -> None:
    strangers = _strangers(base, done)
    aside = {damage.game for damage in done}
    for asker in PEOPLE:
        answer = await at.facade.call(Command(f"g{asker.name}", GROUP, asker, "games"))
        if FAILED.search(answer.said):
            result.wrong.append(f"/games of {asker.name}: {answer.said}")
    for name, (path, cookie) in base.visitors.items():
        visitor = Visitor(at.server, path, cookie)
        try:
            async with visitor.open() as page:
                await _at_page(page, name, base, aside, strangers, result)
        except aiohttp.WSServerHandshakeError as wrong:
            if f"web {name}" not in strangers or wrong.status != 401:
                result.wrong.append(f"the page of {name}: {wrong.status}")
        except Exception as wrong:
            result.wrong.append(f"the page of {name} broke: {type(wrong).__name__} {wrong}")
    for code, (platform, name, text) in base.moves.items():
        if platform != "telegram" or code in aside or f"{platform} {name}" in strangers:
            continue
        asker = next(one for one in PEOPLE if one.name == name)
        call = Command(f"m{code}", GROUP, asker, "move", {"table": code, "move": text})
        answer = await at.facade.call(call)
        if not answer.good:
            result.wrong.append(f"{name} cannot play {text} at {code}: {answer.said}")


async def _at_page(
    page: Any, name: str, base: Base, aside: set[str | None], strangers: set[str], result: Result
) -> None:
    if page.state.get("kind") != "state":
        result.wrong.append(f"the page of {name} has no state")
        return
    for code, (platform, mover, text) in base.moves.items():
        if (platform, mover) != ("web", name) or code in aside:
            continue
        answer = await page.type(f"/move {text} #{code}")
        if not answer.get("good") and f"web {name}" not in strangers:
            result.wrong.append(f"{name} at the page: {answer}")


def _strangers(base: Base, done: Sequence[Damage]) -> set[str]:
    """Those whom the damaged house may not know any more."""
    own = {damage.key for damage in done if damage.table in ("identity", "person", "setting")}
    return {name for name, keys in base.people.items() if keys & own}


async def tried(
    base: Base, number: int, *, several: int = 1, seed: int = 2026
) -> tuple[list[Damage], Result]:
    """The trial of this *number*: so many cells of a copy of *base* are damaged."""
    rng = random.Random(f"{seed} {number}")
    with tempfile.TemporaryDirectory(prefix="damage-") as folder:
        file = Path(folder) / "games.db"
        shutil.copy(base.file, file)
        done: list[Damage] = []
        while len(done) < several:
            before = {row for one in done for row in one.rows}
            done.append(damaged(file, base.rows, rng, before, bit=bool(number % 2)))
        async with aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar()) as http:
            return done, await judged(file, base, done, http)


async def drive(count: int, part: int, parts: int, several: int) -> int:
    """Try *count* cells and print what came of them; the number of those that went wrong."""
    tally: Counter[str] = Counter()
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="damage-") as folder:
        base = await made(Path(folder))
        for number in range(part, count // several, parts):
            done, result = await tried(base, number, several=several)
            tally["cells"] += len(done)
            tally["impossible"] += sum(one.impossible for one in done)
            tally["starts"] += 1
            tally["named"] += result.named
            tally["silent"] += result.silent
            tally["wrong"] += bool(result.wrong)
            for one in result.wrong:
                sys.stdout.write(f"{number} {'; '.join(map(str, done))}\n    {one}\n")
                sys.stdout.flush()
            if number % 20 < parts:
                seconds = time.monotonic() - began
                sys.stdout.write(f"{number}: {dict(tally)} {seconds:.0f} s\n")
                sys.stdout.flush()
    sys.stdout.write(f"{dict(tally)} {time.monotonic() - began:.0f} s\n")
    return tally["wrong"]


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("count", type=int, nargs="?", default=200)
    asked.add_argument("--part", default="0/1")
    asked.add_argument("--several", type=int, default=1)
    given = asked.parse_args()
    part, parts = map(int, given.part.split("/"))
    sys.exit(1 if asyncio.run(drive(given.count, part, parts, given.several)) else 0)


if __name__ == "__main__":
    main()
