"""PostgreSQL that is away at the start or later: the bot waits, says so once, and comes back."""

from __future__ import annotations

import logging
import random
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.app.logs import Redacted
from storage.database.availability import Availability, SaidOnce
from storage.errors import DatabaseAway, DatabaseFull, DatabaseUnavailable
from tests import postgres
from tests.live_bot import LiveBot, asked, live_bot, until

needs_server = pytest.mark.skipif(postgres.programs() is None, reason=postgres.ABSENT)

GONE, BACK = "tried again and again", "the database is back"


@pytest.fixture
def server() -> Iterator[postgres.OwnServer]:
    """A server that does not run yet."""
    own = postgres.OwnServer()
    try:
        yield own
    finally:
        own.remove()


def nothing_said_twice(bot: LiveBot, outages: int) -> None:
    """The log tells of so many *outages* in two lines each, and of no fault of ours."""
    said = bot.said("")
    assert len(bot.said(GONE)) == outages, said
    assert len(bot.said(BACK)) == outages, said
    assert not bot.said("Traceback"), said
    assert not bot.said("never retrieved"), said


def away_twice(folder: Path, server: postgres.OwnServer, first: float, second: float) -> None:
    """The server is away at the start and once more later, for so many seconds at least."""
    with live_bot(folder, f"{server.address}/postgres") as bot:
        until(lambda: asked(bot.health, "/healthz")[0] == 503)
        assert asked(bot.metrics, "/readyz") == (503, "the database is away\n")
        assert "ludoteca_database_reached 0.0" in asked(bot.metrics, "/metrics")[1]
        time.sleep(first)
        assert bot.process.poll() is None
        server.start()
        until(bot.answers, why=bot.log.read_text())
        nothing_said_twice(bot, 1)
        assert len(bot.said("Ludoteca", "runs: schema", "WEB_PORT=")) == 1
        server.stop()
        assert until(lambda: bot.ready() == 503, 10.0) < 5.0
        time.sleep(second)
        assert bot.ready() == 503
        assert asked(bot.health, "/healthz")[0] == 200, "the chats are connected"
        server.start()
        until(bot.answers, why=bot.log.read_text())
        nothing_said_twice(bot, 2)
        assert bot.ended() == 0
        assert bot.said("Ludoteca ends: SIGTERM")


@pytest.mark.slow
@needs_server
def test_a_server_that_is_away_is_waited_for_and_the_log_says_so_once(
    tmp_path: Path, server: postgres.OwnServer
) -> None:
    away_twice(tmp_path, server, 0.5, 1.0)


@needs_server
@pytest.mark.slow
def test_a_server_is_waited_for_95_seconds_at_the_start_and_68_later(
    tmp_path: Path, server: postgres.OwnServer
) -> None:
    away_twice(tmp_path, server, 95.0, 68.0)


@needs_server
@pytest.mark.slow
def test_whoever_is_told_to_stop_while_waiting_stops_at_once(
    tmp_path: Path, server: postgres.OwnServer
) -> None:
    with live_bot(tmp_path, f"{server.address}/postgres") as bot:
        until(lambda: bot.said(GONE))
        assert bot.ended(5.0) == 0


@needs_server
@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_a_server_that_flaps_at_the_start_and_later_ends_in_a_bot_that_answers(
    tmp_path: Path, server: postgres.OwnServer, seed: int
) -> None:
    chance = random.Random(seed)
    with live_bot(tmp_path, f"{server.address}/postgres") as bot:
        for _ in range(8):
            server.start()
            time.sleep(chance.uniform(0.0, 4.0))
            server.stop()
            time.sleep(chance.uniform(0.0, 3.0))
            assert bot.process.poll() is None, bot.log.read_text()
        server.start()
        until(bot.answers, why=bot.log.read_text())
        assert len(bot.said(GONE)) == len(bot.said(BACK)) <= 9
        assert not bot.said("Traceback"), bot.log.read_text()


def test_of_two_users_of_the_database_each_must_find_it_again(
    caplog: pytest.LogCaptureFixture,
) -> None:
    now = [0.0]
    told = Availability(clock=lambda: now[0])
    caplog.set_level(logging.INFO)
    for user in ("processes", "transactions", "processes"):
        told.note_failure(user, DatabaseAway("The database x is away."))
    assert not told.is_reached
    told.note_answer("transactions")
    assert not told.is_reached
    now[0] = 68.0
    told.note_answer("processes")
    assert told.is_reached
    assert [record.levelname for record in caplog.records] == ["ERROR", "INFO"]
    assert "after 68 s" in caplog.text


def test_a_full_disk_is_over_when_something_was_written() -> None:
    told = Availability()
    told.note_failure("transactions", DatabaseFull("The disk is full."))
    told.note_answer("transactions", wrote=False)
    assert not told.is_reached
    told.note_answer("transactions")
    assert told.is_reached


@pytest.mark.parametrize(
    ("wrong", "written"), [(DatabaseAway("away"), False), (DatabaseUnavailable("busy"), True)]
)
def test_a_line_that_tells_what_was_said_is_left_out(wrong: Exception, written: bool) -> None:
    line = logging.LogRecord("bot.x", logging.ERROR, "", 0, "not now: %s", (wrong,), None)
    traced = logging.LogRecord(
        "bot.x", logging.ERROR, "", 0, "not now", (), (type(wrong), wrong, None)
    )
    assert SaidOnce().filter(line) is written
    assert SaidOnce().filter(traced) is written
    assert Redacted([], "plain").format(line).endswith(str(wrong))
