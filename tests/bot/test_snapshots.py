"""Snapshots: a table folded from any of them is the table folded from all its events."""

from __future__ import annotations

import json
import random
import sqlite3
import zlib
from contextlib import closing
from dataclasses import fields, is_dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.computers.pool import Thinkers
from bot.facade import Facade, open_facade
from bot.session import offers, play, snapshot
from bot.session.events import OfferKind, encode
from bot.session.fold import table_of
from bot.session.snapshot import BadSnapshot, frozen, thawed
from bot.session.table import ENDED, PLAYING, BrokenTable, Player, Table
from games.core import CHANCE, Game
from games.core.shelf import shelf
from storage import games
from storage.engine import Store
from storage.records import EventRow, SnapshotRow

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
HOUSE = Path(__file__).resolve().parents[1] / "data" / "storage" / "0.1-house.sql"


def lived(game: Game, seed: int, plies: int) -> tuple[EventRow, ...]:
    """The events of a table where *plies* moves at random were made, some of them taken back."""
    rng = random.Random(seed)
    seats = max(game.seats) if seed % 2 else min(game.seats)
    work = play.open_table(
        "SNAPPY",
        game,
        options={},
        begins="",
        seats=seats,
        host=1,
        secret=bytes(range(32)),
        now=NOON,
    )
    for person in range(seats):
        play.sit(work, Player(person + 1, f"P{person + 1}"))
    play.start(work)
    for _ in range(plies):
        if work.table.status != PLAYING:
            break
        seat = rng.choice(sorted(work.table.actors()))
        play.move(work, seat, (rng.choice(work.table.present.legal_moves(seat)),))
        if rng.random() < 0.05 and work.table.status == PLAYING and work.table.undo_to(seat):
            offers.offer(work, seat, OfferKind.UNDO)
            for other in range(len(work.table.players)):
                if work.table.offered(OfferKind.UNDO) and other != seat:
                    offers.answer(work, other, OfferKind.UNDO, accepted=True)
    return tuple(map(encode, work.written))


def differences(one: object, other: object, path: str = "table") -> list[str]:
    """Where two values differ, fields that equality leaves out and parts of their own included."""
    if type(one) is not type(other):
        return [f"{path}: {type(one)} is not {type(other)}"]
    if hasattr(one, "parts"):
        one, other = one.parts(), other.parts()
    if is_dataclass(one) and not isinstance(one, Game):
        pairs = [(f.name, getattr(one, f.name), getattr(other, f.name)) for f in fields(one)]
    elif isinstance(one, tuple):
        if len(one) != len(other):
            return [f"{path}: {len(one)} are not {len(other)}"]
        pairs = [(str(n), *pair) for n, pair in enumerate(zip(one, other, strict=True))]
    else:
        return [] if one == other else [f"{path}: {one!r} is not {other!r}"]
    return [found for name, a, b in pairs for found in differences(a, b, f"{path}.{name}")]


def assert_same(one: Table, other: Table) -> None:
    assert differences(one, other) == []
    if one.position is not None:
        for seat in (CHANCE, *range(len(one.players))):
            assert one.present.legal_moves(seat) == other.present.legal_moves(seat)
            assert one.present.asides(seat) == other.present.asides(seat)


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("key", sorted(shelf()))
def test_from_any_snapshot_a_game_goes_on_as_from_its_events(key: str, seed: int) -> None:
    events = lived(shelf()[key], seed, 160)
    whole = table_of("SNAPPY", events)
    rng = random.Random(seed)
    for version in sorted({1, 2, len(events), *rng.sample(range(1, len(events)), 8)}):
        kept = thawed(frozen(table_of("SNAPPY", events[:version])))
        assert_same(kept, table_of("SNAPPY", events[:version]))
        assert_same(table_of("SNAPPY", events[version:], base=kept), whole)


async def opened(folder: Path, *changes: str) -> Facade:
    """A manager on the house of 0.1, after SQL has changed it."""
    file = folder / "games.db"
    if not file.exists():
        with closing(sqlite3.connect(file)) as connection:
            connection.executescript(HOUSE.read_text(encoding="utf-8"))
    with closing(sqlite3.connect(file)) as connection:
        for change in changes:
            connection.execute(change)
        connection.commit()
    return await open_facade(await Store.open(f"sqlite+aiosqlite:///{file}"), Thinkers(), "es")


async def closed(manager: Facade) -> None:
    await manager.services.tasks.settled()
    await manager.services.tasks.close()
    await manager.thinkers.close()
    await manager.store.close()


async def test_every_table_of_0_1_is_the_same_from_its_snapshot(tmp_path: Path) -> None:
    manager = await opened(tmp_path)
    async with manager.store.reading() as tx:
        codes = await games.codes(tx, ("open", "playing", "ended", "closed"))
    for code in codes:
        table = await manager.services.tables.get(code)
        kept = frozen(table)
        assert_same(thawed(kept), table.called({}))
        assert not any(
            p.name and p.name.encode() in zlib.decompress(kept.data) for p in table.players
        )
    assert len(codes) > 20
    await closed(manager)


LONG = "3PY6PY"
EARLY = f"UPDATE event SET text = 'ZZ' WHERE game = '{LONG}' AND number = 9"


async def test_a_long_game_that_was_read_is_not_read_from_its_beginning_again(
    tmp_path: Path,
) -> None:
    manager = await opened(tmp_path)
    before = await manager.services.tables.get(LONG)
    await closed(manager)
    again = await opened(tmp_path, EARLY)
    assert_same(await again.services.tables.get(LONG), before)
    await closed(again)


@pytest.mark.parametrize(
    "spoilt",
    [
        "UPDATE snapshot SET format = 'of another release'",
        "UPDATE snapshot SET data = x'789c00'",
        "UPDATE snapshot SET version = version - 1",
        "DELETE FROM snapshot",
    ],
)
async def test_a_snapshot_of_other_rules_or_one_that_is_damaged_is_not_used(
    tmp_path: Path, spoilt: str
) -> None:
    manager = await opened(tmp_path)
    before = await manager.services.tables.get(LONG)
    await closed(manager)
    again = await opened(tmp_path, spoilt)
    assert_same(await again.services.tables.get(LONG), before)
    await closed(again)
    last = await opened(tmp_path, spoilt, EARLY)
    with pytest.raises(BrokenTable) as broken:
        await last.services.tables.get(LONG)
    assert broken.value.event == 9
    await closed(last)


def test_what_is_kept_of_a_long_game_stays_small_and_needs_the_same_sources() -> None:
    table = table_of("SNAPPY", lived(shelf()["shogi"], 0, 200))
    row = frozen(table)
    assert row.format == snapshot.format_of("shogi") != snapshot.format_of("niya")
    assert len(row.data) < 40_000


@pytest.mark.parametrize(
    "name",
    [
        "os:system",
        "subprocess:Popen",
        "bot.service.tables:Tables",
        "games.core.shelf:find_game",
        "games.shogi.board:in_check",
        "games.cirya.computer:Path",
        "games.nothing:Here",
        "Tables",
    ],
)
def test_nothing_is_made_of_a_snapshot_but_plain_values_of_games(name: str) -> None:
    kept = json.dumps([[name], [["made", 0, "true"]], [0]])
    with pytest.raises(BadSnapshot):
        thawed(SnapshotRow(1, "", zlib.compress(kept.encode())))


@pytest.mark.parametrize(
    "bytes_", [b"", b"\x00", zlib.compress(b"[]"), zlib.compress(b"[[],[],1]")]
)
def test_bytes_that_are_no_snapshot_are_refused(bytes_: bytes) -> None:
    with pytest.raises(BadSnapshot):
        thawed(SnapshotRow(1, "", bytes_))


def test_a_snapshot_of_another_version_is_refused() -> None:
    row = frozen(table_of("SNAPPY", lived(shelf()["niya"], 0, 3)))
    with pytest.raises(BadSnapshot):
        thawed(replace(row, version=row.version + 1))


def test_the_lives_of_the_law_are_long_and_some_end() -> None:
    tables = [
        table_of("SNAPPY", lived(game, seed, 160)) for game in shelf().values() for seed in (0, 1)
    ]
    assert any(table.status == ENDED for table in tables)
    assert sum(table.version > snapshot.EVERY for table in tables) >= 4
