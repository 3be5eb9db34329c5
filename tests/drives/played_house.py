"""A house that was played in, with rows in every table: what damage is tried on."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path

import aiohttp

from bot.chats.web import WebChat
from bot.facade import Facade, open_facade
from bot.port import Where
from bot.service.computers.pool import Thinkers
from bot.service.tournament.tournaments import TOURNAMENT_VIEW
from bot.session.preferences import NotificationChoice, Personal
from bot.texts import language
from bot.tournament.organizer import enter, open_tournament
from bot.tournament.values import Rules, TournamentFormat
from storage import bot_settings, tournaments
from storage.person import people
from storage.place import outages
from storage.records import (
    AlertRow,
    CommentRow,
    EntrantRow,
    FaultRow,
    TalkRow,
    TournamentRow,
    ViewRow,
)
from storage.schema import metadata
from storage.store import Store
from storage.table import comments, games, open_table_alerts, talk, views
from tests.chats.pages import Server, Visitor, named, seated
from tests.fakes import Desk, FakeChat, person

NEREA, BRUNO, CARLA = (person(name, "telegram") for name in ("Nerea", "Bruno", "Carla"))
PEOPLE = (NEREA, BRUNO, CARLA)
MISTAKE = (
    '{"position": "L1,A,A,R/A,R,R,R/A,A,L4,R/R,R,L3,A A L2", "theme": "mistake", '
    '"answers": ["L4"], "played": "L3", "line": ["L4"]}'
)
GROUP = Where("telegram", "group")


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
        visitors = {"Wendy": (visitor.path, visitor.cookie), "Bruno": (guest.path, guest.cookie)}
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
    await services.people.choose(nerea.id, lambda _: chosen)
    await services.people.set_language(nerea, "es")
    store = facade.store
    async with store.transaction() as tx:
        await bot_settings.put_setting(tx, "telegram-fleeting", json.dumps([["group", "m9", ""]]))
        cards = json.dumps([["1", "m8", "group", None, "Familia"]])
        await bot_settings.put_setting(tx, "telegram-card-places", cards)
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
        rows = work.rows()
        here = ("telegram", "group", None, False)
        cup = TournamentRow("CUPCUP", *here, "open", len(rows), now, now, now + timedelta(days=9))
        await tournaments.create_tournament(tx, cup, rows)
        await tournaments.put_entrants(tx, [EntrantRow("CUPCUP", nerea.id, *here)])
        seen = ("CUPCUP", "telegram", "group", "es", len(rows), len(rows), "m3")
        await views.add_view(tx, ViewRow(0, *seen, kind=TOURNAMENT_VIEW))
        await games.set_game_aside(tx, FaultRow(over, 3, "once", now))
        statements = (
            "INSERT INTO process VALUES (7, 1700000000000)",
            "INSERT INTO lease VALUES ('clock', 7)",
            "INSERT INTO daily VALUES ('telegram', 'group', 739000, 'n1', 0, 1700000000000)",
            "INSERT INTO puzzle VALUES ('n1', 'niya', 25.0, 8.0, NULL, 2, 1)",
            f"INSERT INTO daily_try VALUES ({nerea.id}, 739000, 'n1', 'telegram', 'group', 'wws', "
            "1, 0)",
            f"INSERT INTO opened_file VALUES ({nerea.id}, '1ABCDE', 'x', 1700000000000)",
            f"INSERT INTO solver VALUES ({nerea.id}, 'niya', 25.0, 8.0, NULL, 1, 2, 739000)",
            f"INSERT INTO house_puzzle VALUES ('hp', 'niya', {MISTAKE!r}, 'added', 1700000000000, "
            "1, 1700000000000, '')",
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
