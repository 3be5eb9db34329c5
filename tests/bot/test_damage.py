"""Damaged cells of every table: the house starts, all else plays on, and the doctor names each."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import aiohttp
import pytest
from sqlalchemy import select

from bot.app.doctor import examine
from bot.app.row_checks import JUDGES
from bot.notify.recipients import Reason
from bot.service.table.changes import ORIGINS
from bot.texts import language
from storage import schema
from storage.schema import CALL_KINDS, metadata
from storage.store import Transaction
from storage.table import games
from tests.databases import of_files
from tests.drives.damage import judged, tried
from tests.drives.damaged_cells import Damage, put
from tests.drives.played_house import NEREA, Base, house, made

pytestmark = of_files

KINDS: dict[str, list[tuple[str, str, object]]] = {
    "the settings of the house": [
        ("setting:alive", "value", "no date"),
        ("setting:button-key", "value", "no key"),
        ("setting:web:lobby", "value", "{"),
        ("setting:web:links:", "value", '{"a": 1}'),
        ("setting:telegram-fleeting", "value", "["),
        ("setting:telegram-card-places", "value", '[["1"]]'),
        ("setting:web:guest:", "value", "[1]"),
        ("setting:web:guest:", "value", '{"id": "0123456789abcdef0123456789abcdef"}'),
    ],
    "what is known of people": [
        ("person:1", "settings", "nonsense"),
        ("person:2", "settings", "[1]"),
        ("person:3", "settings", '{"quiet": [77, -5]}'),
        ("person:1", "name", b"\xff"),
        ("person:2", "language", "tlh"),
        ("person:3", "created", -1),
        ("person:3", "reminded", "soon"),
        ("person:4", "same_as", 4),
        ("identity", "person", 999),
        ("link", "person", 999),
        ("link", "at", 2**62),
    ],
    "events": [
        ("event:3", "at", 2**62),
        ("event:4", "at", -(2**63)),
        ("event:5", "steady", "noon"),
        ("event:6", "steady", -1),
        ("event:7", "kind", b"move"),
        ("event:8", "seat", 1.5),
        ("event:9", "text", b"\x00"),
        ("event:10", "data", "{"),
        ("event:11", "data", "[1]"),
    ],
    "what a table cannot go on without": [("game", "version", "many"), ("game", "secret", b"\x00")],
    "what rows repeat of the events": [
        ("game", "game", "go"),
        ("game", "match", "junk"),
        ("game", "touched", "late"),
        ("game", "created", 2**62),
        ("game", "to_move", -1),
        ("game", "computer", 7),
        ("game", "over_at", "never"),
        ("game", "holder", b"me"),
        ("seat", "level", "good"),
        ("seat", "place", -1),
        ("seat", "side", b"black"),
        ("seat", "person", None),
        ("game", "status", "sold"),
        ("game", "parent", "itself"),
    ],
    "boards": [
        ("view", "platform", "pigeon"),
        ("view", "language", "tlh"),
        ("view", "theme", "plaid"),
        ("view", "shown", -5),
        ("view", "token_at", "noon"),
        ("view", "digest", b"\x01"),
        ("presence", "platform", "pigeon"),
        ("presence", "private", 5),
    ],
    "what is due": [
        ("deadline", "kind", "doom"),
        ("deadline", "at", -1),
        ("deadline", "person", 999),
        ("call", "kind", "doom"),
        ("call", "platform", "pigeon"),
        ("call", "due", "noon"),
    ],
    "ratings": [
        ("rating_entry", "places", "2"),
        ("rating", "mu", 1e300),
        ("rating", "sigma", 0.0),
        ("tally", "opponents", "-1"),
        ("tally", "sigma", "wide"),
    ],
    "places": [
        ("place", "settings", "nonsense"),
        ("place", "suspended", 5),
        ("place", "retry_at", 2**62),
        ("outage", "platform", "pigeon"),
        ("outage", "began", -1),
    ],
    "the rest": [
        ("draft", "data", '{"code": 5}'),
        ("draft", "at", "noon"),
        ("alert", "game", "ludo"),
        ("alert", "told", "noon"),
        ("talk", "preset", "insult"),
        ("talk", "text", b"\xff"),
        ("comment", "text", b"\xff"),
        ("comment", "number", -1),
        ("tournament_event:1", "kind", "dance"),
        ("tournament_event:2", "data", '{"v": 99}'),
        ("mistake", "lesson", "[1]"),
        ("mistake", "due", -1),
        ("mistake", "stability", "long"),
        ("inbox", "state", "lost"),
        ("inbox", "attempts", "few"),
        ("fault", "event", "first"),
        ("lease", "holder", "me"),
    ],
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("damage")


@pytest.fixture(scope="module")
def kept() -> list[Base]:
    return []


@pytest.fixture
async def base(folder: Path, kept: list[Base]) -> Base:
    if not kept:
        kept.append(await made(folder))
    return kept[0]


def struck(file: Path, base: Base, where: str, column: str, value: object) -> Damage:
    """The damage of one row: of the first table in play, or with the beginning of its key."""
    table, _, begin = where.partition(":")
    keys = [one.name for one in metadata.tables[table].primary_key]
    names = ", ".join(f'"{name}"' for name in (*keys, column))
    code = next(code for code, mover in base.moves.items() if mover[0] == "telegram")
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        rows = connection.execute(f'SELECT {names} FROM "{table}" ORDER BY {names}').fetchall()
        if table in ("game", "event", "seat"):
            rows = [row for row in rows if row[0] == code]
        if begin:
            numbered = table in ("event", "tournament_event")
            at, same = int(numbered), numbered or table == "person"
            rows = [r for r in rows if (str(r[at]) == begin if same else r[0].startswith(begin))]
        *key, before = rows[0]
        given = code if value == "itself" else value
        done = put(connection, table, column, dict(zip(keys, key, strict=True)), given)
    assert done is not None
    set_aside = code if table in ("game", "event") and column != "over_at" else None
    return Damage(table, column, tuple(key), before, done[0], impossible=True, game=set_aside)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("kind", KINDS)
async def test_everybody_plays_on_and_the_doctor_names(kind: str, base: Base, tmp_path: Path):
    file = tmp_path / "games.db"
    shutil.copy(base.file, file)
    done = [struck(file, base, *one) for one in KINDS[kind]]
    async with aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar()) as http:
        result = await judged(file, base, done, http)
    assert result.wrong == []


async def test_the_base_itself_is_well(base: Base, tmp_path: Path):
    async with aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar()) as http:
        file = tmp_path / "games.db"
        shutil.copy(base.file, file)
        result = await judged(file, base, [], http)
    assert (result.wrong, result.named) == ([], False)
    assert all(base.rows.values())


async def origins(tx: Transaction) -> frozenset[str]:
    return frozenset((await tx.execute(select(schema.inbox.c.platform))).scalars())


async def test_the_doctor_complains_of_nothing_after_a_game_against_the_computer(tmp_path: Path):
    file = tmp_path / "games.db"
    async with aiohttp.ClientSession() as http, house(file, http) as at:
        wish = {"opponent": "computer", "level": "1"}
        await at.desk.call(NEREA, "play", game="niya", **wish)
        (code,) = await at.facade.store.read(games.codes_by_status, ("playing",))
        async with asyncio.timeout(20):
            while "computer" not in await at.facade.store.read(origins):
                table = await at.facade.services.tables.get(code)
                seat = min(table.actors())
                if table.players[seat].person is not None:
                    typed = table.game.typed(table.present, table.present.legal_moves(seat)[0])
                    move = language("es").say(typed)
                    await at.desk.call(NEREA, "move", table=code, move=move)
                await asyncio.sleep(0.01)
        await at.desk.settle()
    found = await examine(f"sqlite+aiosqlite:///{file}")
    assert [one.text for one in found if one.level == "error"] == []


@pytest.mark.parametrize("origin", sorted(ORIGINS))
def test_the_doctor_knows_every_origin_of_updates(origin: str):
    assert JUDGES["inbox", "platform"]({"platform": origin}) == ""


@pytest.mark.sampled
@pytest.mark.parametrize("number", [3, 4])  # bits, and what nobody writes
async def test_cells_chosen_by_lot_harm_nobody_else(number: int, base: Base):
    _, result = await tried(base, number, several=16, seed=7)
    assert result.wrong == []


def test_storage_knows_the_reasons_of_calls():
    assert tuple(map(str, Reason)) == CALL_KINDS
