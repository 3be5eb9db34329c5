"""Databases of earlier releases: each is opened with all its rows and brought to this schema."""

from __future__ import annotations

import re
import shutil
import sqlite3
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from storage import Store, check_database, upgrade
from storage.errors import UnsupportedDatabase
from storage.person import people
from storage.records import GameRow
from storage.table import deadlines, games, notifications, views
from tests.storage.releases import (
    ORIGINS,
    RELEASES,
    ask,
    dumped,
    filled,
    filled_again,
    of_release,
    restored,
)
from tests.storage.rows import NOON, add_view, event, later, one_sentence, seats, seats_of

FILES = True


async def test_f15_a_database_of_release_0_1_opens(url: str, file: Path) -> None:
    with closing(sqlite3.connect(file)) as connection:
        connection.executescript((RELEASES / "0.1.sql").read_text(encoding="utf-8"))
    store = await Store.open(url)
    async with store.reading() as tx:
        assert await games.load_game(tx, "k7") == GameRow(
            "k7", "niya", "playing", 3, NOON, NOON, bytes(range(32)), None, to_move=None
        )
        assert await games.load_events(tx, "k7") == tuple(
            replace(event(number), data={"draw": None, "tags": ["a", 1], "v": 1})
            for number in (1, 2, 3)
        )
        assert await seats_of(tx, "k7") == seats(1)
        row, _ = await views.views_of_game(tx, "k7")
        ana = await people.load_person(tx, 1)
    await store.close()
    assert (row.platform, row.place, row.message, row.owed) == ("telegram", "-100", "41", 3)
    assert ana is not None
    assert (ana.name, ana.language) == ("Ana", "es")


async def house_of_0_1(url: str, file: Path) -> Store:
    return await of_release("0.1-house", url, file)


@pytest.mark.parametrize("origin", ORIGINS[1:])
async def test_f15_a_database_of_every_origin_opens_with_all_its_rows(
    url: str, file: Path, origin: str
) -> None:
    store = await of_release(origin, url, file)
    async with store.reading() as tx:
        events = await games.load_events(tx, "k7")
        assert [event.text for event in events] == ["b3"] * 3
        assert set(await games.codes_by_status(tx, ("playing", "ended"))) == {"k7", "m2"}
        (shown,) = await views.views_of_game(tx, "k7")
        (deadline,) = await deadlines.due_deadlines(tx, later(60))
    await store.close()
    assert (shown.message, deadline.game) == ("41", "k7")
    assert [finding for finding in await check_database(url) if finding.level == "error"] == []


async def test_what_a_kill_has_broken_off_in_an_old_file_is_taken_back(
    url: str, file: Path, tmp_path: Path
) -> None:
    killed = tmp_path / "killed.db"
    restored("0.2.0", killed)
    with closing(sqlite3.connect(killed)) as connection:
        connection.executescript("PRAGMA cache_size = 1; BEGIN; CREATE TABLE half (x)")
        connection.execute("INSERT INTO half VALUES (zeroblob(1000000))")
        for end in ("", "-journal"):
            shutil.copy(f"{killed}{end}", f"{file}{end}")
    await (await Store.open(url)).close()
    assert ask(file, "SELECT * FROM sqlite_master WHERE name = 'half'") == []


async def test_the_call_of_0_2_0_is_taken_away_after_the_upgrade(url: str, file: Path) -> None:
    store = await of_release("0.2.0", url, file)
    async with store.reading() as tx:
        (call,) = await notifications.answered_notifications(tx)
    await store.close()
    assert (call.game, call.message) == ("k7", "m77")


async def test_the_copy_of_0_2_0_bears_the_id_that_its_schema_has_now(url: str, file: Path) -> None:
    await (await of_release("0.2.0", url, file)).close()
    assert file.with_name(f"{file.name}.schema-5c7e91d0a3f4").exists()


def test_no_revision_has_an_id_that_means_another_schema() -> None:
    texts = [path.read_text() for path in upgrade.MIGRATIONS.glob("versions/*.py")]
    ids = re.findall(r'^revision = "(.+)"', "\n".join(texts), re.MULTILINE)
    assert len(ids) == len(set(ids)) >= 4
    assert not set(ids) & upgrade.KNOWN_AS.keys()
    assert set(upgrade.KNOWN_AS.values()) <= set(ids)


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("DROP TABLE call", "call is missing"),
        ("ALTER TABLE event DROP COLUMN steady", "event.steady is missing"),
        ("ALTER TABLE link RENAME COLUMN at TO since", "link.at is missing, link.since is unknown"),
        ("DROP TABLE setting; CREATE TABLE setting (key TEXT PRIMARY KEY, value VARCHAR NOT NULL)",
         "setting.key is of another type"),
        ("DROP TABLE lease; CREATE TABLE lease (name VARCHAR, holder INTEGER, PRIMARY KEY (name))",
         "lease.name may be empty, lease.holder may be empty"),
    ],
)  # fmt: skip
async def test_a_database_with_other_tables_than_it_says_is_refused_and_left_alone(
    url: str, file: Path, change: str, said: str
) -> None:
    await filled(url)
    with closing(sqlite3.connect(file)) as connection:
        connection.executescript(change)
    before = dumped(file)
    with pytest.raises(UnsupportedDatabase) as refused:
        await Store.open(url)
    assert said in one_sentence(refused)
    assert dumped(file) == before
    (finding,) = [finding for finding in await check_database(url) if finding.level == "error"]
    assert finding.check == "schema"
    assert said in finding.text


async def test_what_a_later_release_has_added_is_no_reason_to_refuse(url: str, file: Path) -> None:
    await filled(url)
    with closing(sqlite3.connect(file)) as connection:
        connection.executescript(
            "CREATE TABLE guild (id INTEGER PRIMARY KEY);"
            "ALTER TABLE game ADD COLUMN guild INTEGER;"
            "ALTER TABLE game ADD COLUMN rank INTEGER NOT NULL DEFAULT 0"
        )
    await filled_again(url)


async def test_the_games_of_0_1_are_over_since_they_were_touched_last(url: str, file: Path) -> None:
    await (await house_of_0_1(url, file)).close()
    for table, of in (("game", "code"), ("seat", "game"), ("view", "subject")):
        found = ask(
            file,
            f"SELECT count(*), sum(game.status IN ('ended', 'closed')) FROM {table} AS row "
            f"JOIN game ON game.code = row.{of} WHERE row.over_at IS "
            "CASE WHEN game.status IN ('ended', 'closed') THEN game.touched END",
        )
        assert found[0][0] == ask(file, f"SELECT count(*) FROM {table}")[0][0]
        assert found[0][1] > 3


async def test_of_0_1_only_games_being_played_must_be_read_to_know_whose_turn_it_is(
    url: str, file: Path
) -> None:
    store = await house_of_0_1(url, file)
    async with store.reading() as tx:
        unknown = await games.games_without_standing(tx, 1000)
        playing = await games.codes_by_status(tx, ("playing",))
    await store.close()
    assert playing
    assert set(unknown) == set(playing)


async def test_the_calls_of_0_1_are_taken_away_after_the_upgrade(url: str, file: Path) -> None:
    with closing(sqlite3.connect(file)) as connection:
        connection.executescript((RELEASES / "0.1-house.sql").read_text(encoding="utf-8"))
        (view,) = connection.execute("SELECT max(id) FROM view").fetchone()
        kept = [(f"ping:{view}", "12 m77"), (f"ping:{view + 1}", "3 "), ("pingpong", "stays")]
        connection.executemany("INSERT OR REPLACE INTO setting VALUES (?, ?)", kept)
        connection.commit()
    store = await Store.open(url)
    async with store.reading() as tx:
        (call,) = await notifications.answered_notifications(tx)
    await store.close()
    here = ask(file, f"SELECT subject, platform, place FROM view WHERE id = {view}")
    assert [(call.game, call.platform, call.place)] == here
    assert call.message == "m77"
    assert ask(file, "SELECT key FROM setting WHERE key LIKE 'ping%'") == [("pingpong",)]


async def test_a_view_gets_no_number_that_another_one_had_before_the_upgrade(
    url: str, file: Path
) -> None:
    with closing(sqlite3.connect(file)) as connection:
        connection.executescript((RELEASES / "0.1-house.sql").read_text(encoding="utf-8"))
        (code,) = connection.execute("SELECT min(game) FROM view").fetchone()
        (last,) = connection.execute("SELECT max(id) FROM view").fetchone()
        connection.execute("DELETE FROM view WHERE id = ?", (last,))
        connection.commit()
    store = await Store.open(url)
    async with store.transaction() as tx:
        assert (await add_view(tx, code)).id > last
    await store.close()


async def test_games_of_0_1_that_are_waited_for_today_are_reminded_of(url: str, file: Path) -> None:
    script = (RELEASES / "0.1-house.sql").read_text(encoding="utf-8")
    with closing(sqlite3.connect(file)) as connection:
        connection.executescript(script)
        connection.execute("UPDATE game SET touched = 0")
        (lately, long_ago, *_) = connection.execute(
            "SELECT code FROM game WHERE status = 'playing' ORDER BY code"
        )
        now = int(datetime.now(UTC).timestamp() * 1000)
        connection.execute("UPDATE game SET touched = ? WHERE code = ?", (now - 3_600_000, *lately))
        connection.commit()
    await (await Store.open(url)).close()
    found = ask(file, "SELECT game, person, at - 86400000 FROM deadline WHERE kind = 'reminder'")
    assert found == [(*lately, None, now - 3_600_000)]
    assert (*long_ago, None) not in [row[:2] for row in found]
    assert ask(file, "SELECT count(*) FROM person WHERE reminded IS NOT NULL") == [(0,)]
    assert ask(file, "SELECT count(*) FROM outage") == [(0,)]
