"""What is counted, and that it says nothing about anybody."""

from __future__ import annotations

import asyncio
import json
import logging
import platform
from datetime import UTC, datetime

import pytest

from bot import __version__
from bot.app import monitoring, system_metrics
from bot.app.logs import Redacted
from bot.app.settings import BadSettings, Settings
from bot.runtime import metrics
from storage import inbox, schema
from storage.errors import DatabaseBusy
from storage.upgrade import newest_revision
from tests.bot.test_health import ask, free_port, state
from tests.fakes import desk, person

ANA = person("Ana")

OF_THE_MACHINE = {"version", "schema", "python", "disk", "what"}


def counted(name: str, **labels: str) -> float:
    """The value of a sample, nothing where it was never noted."""
    return metrics.REGISTRY.get_sample_value(name, labels) or 0.0


async def closed(server: asyncio.Server) -> None:
    """Nobody listens any more."""
    server.close()
    await server.wait_closed()


async def page(port: int) -> str:
    """All that ``/metrics`` answers."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b"GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n")
    answer = (await reader.read()).decode()
    writer.close()
    return answer


async def test_presses_boards_and_transactions_are_counted(tmp_path):
    before = counted("ludoteca_answer_seconds_count", platform="fake", kind="command")
    boards = counted("ludoteca_board_seconds_count", platform="fake")
    async with desk(tmp_path) as at:
        server = await monitoring.metrics_server("127.0.0.1", port := free_port(), state(at.facade))
        await at.call(ANA, "play", game="niya")
        told = await page(port)
        await closed(server)
    assert counted("ludoteca_answer_seconds_count", platform="fake", kind="command") == before + 1
    assert counted("ludoteca_board_seconds_count", platform="fake") > boards
    assert counted("ludoteca_transaction_seconds_count", kind="write") > 0
    assert told.startswith("HTTP/1.1 200 OK")
    assert 'ludoteca_answer_seconds_bucket{kind="command"' in told


async def test_a_fault_is_counted_as_one(tmp_path, monkeypatch):
    before = counted("ludoteca_failures_total", platform="fake", kind="command")
    async with desk(tmp_path) as at:

        async def fails(_acts, _call):
            raise DatabaseBusy("The database is locked by another program.")

        monkeypatch.setattr(type(at.facade.services.dispatcher), "call", fails)
        await at.call(ANA, "play", game="niya")
    assert counted("ludoteca_failures_total", platform="fake", kind="command") == before + 1


async def test_ready_is_a_house_between_its_start_and_its_stop(tmp_path):
    async with desk(tmp_path) as at:
        server = await monitoring.metrics_server("127.0.0.1", port := free_port(), state(at.facade))
        assert await ask(port, "GET /readyz HTTP/1.1") == "200 OK"
        at.facade.process_duties.ready = False
        assert await ask(port, "GET /readyz HTTP/1.1") == "503 Service Unavailable"
        await closed(server)
        at.facade.process_duties.ready = True
    assert not at.facade.process_duties.ready


async def test_living_tables_and_owed_boards_are_looked_up(tmp_path, monkeypatch):
    monkeypatch.setattr(monitoring, "STEP", 0.0)
    async with desk(tmp_path) as at:
        await at.call(ANA, "play", game="niya")
        keeping = asyncio.create_task(monitoring.meter(at.facade.store, at.facade.process_duties))
        while not counted("ludoteca_tables", game="niya", status="open"):
            await asyncio.sleep(0)
        keeping.cancel()
    assert counted("ludoteca_connected", platform="fake") == 1
    assert counted("ludoteca_lease_held", lease="clock") == 1
    assert counted("ludoteca_lease_held", lease="chat:fake") == 1


async def test_nobody_stands_in_what_is_counted(tmp_path):
    async with desk(tmp_path) as at:
        await at.call(ANA, "play", game="niya")
    labels = {
        label
        for family in metrics.REGISTRY.collect()
        for sample in family.samples
        for label in sample.labels
    }
    assert labels <= {"platform", "kind", "game", "task", "status", "lease", "le", *OF_THE_MACHINE}


async def test_a_taken_port_gets_one_sentence(tmp_path):
    async with desk(tmp_path) as at:
        server = await monitoring.metrics_server("127.0.0.1", port := free_port(), state(at.facade))
        with pytest.raises(BadSettings, match="METRICS_PORT"):
            await monitoring.metrics_server("127.0.0.1", port, state(at.facade))
        await closed(server)


async def test_all_that_a_press_causes_is_logged_by_one_name(tmp_path):
    formatter = Redacted([], "json")
    async with desk(tmp_path) as at:
        chat, shown, heard = at.chat, at.chat.show, []

        async def show(*of):
            heard.append(metrics.tracing())
            return await shown(*of)

        chat.show = show
        await at.call(ANA, "play", game="niya")
        await at.call(person("Bruno"), "join", table=list(chat.messages.values())[-1].screen.table)
        assert all(heard)
        assert len(set(heard)) == 2
        assert not metrics.tracing()
    record = logging.LogRecord("bot", logging.INFO, "", 0, "a line", (), None)
    with metrics.follow_update("web somebody"):
        told = json.loads(formatter.format(record))
    assert told["press"]
    assert "somebody" not in str(told)
    assert not json.loads(formatter.format(record))["press"]


async def test_the_machine_and_what_was_set_aside_are_watched(tmp_path, monkeypatch):
    (tmp_path / "copies").mkdir()
    monkeypatch.setattr(system_metrics, "EVERY", 0.0)
    settings = Settings(_env_file=None, backup_dir=tmp_path / "copies")
    async with desk(tmp_path) as at:
        keeping = asyncio.create_task(system_metrics.watch(settings, at.facade.store))
        async with at.facade.store.transaction() as tx:
            for update in ("1", "2"):
                await inbox.receive_update(tx, "telegram", update, "{}", datetime.now(UTC))
                of = schema.inbox.c.update == update
                await tx.execute(schema.inbox.update().where(of).values(state="aside"))
        while counted("ludoteca_set_aside", what="updates") != 2:
            await asyncio.sleep(0.01)
        keeping.cancel()
    release = {"version": __version__, "schema": newest_revision()}
    assert counted("ludoteca_build_info", python=platform.python_version(), **release) == 1
    assert counted("ludoteca_set_aside", what="tables") == 0
    assert counted("ludoteca_disk_free_bytes", disk="copies") > 0
    assert counted("ludoteca_memory_bytes") > 1e7
    assert counted("process_resident_memory_bytes") > 1e7
    assert counted("process_open_fds") > 0


async def test_the_age_of_the_newest_copy_and_a_failure_to_make_one_are_counted(tmp_path):
    system_metrics.note_copy(tmp_path, well=False)
    assert counted("ludoteca_copy_failed") == 1
    assert counted("ludoteca_copy_timestamp_seconds") == 0
    (tmp_path / "ludoteca-2026-11-25-120000.db").touch()
    system_metrics.note_copy(tmp_path, well=True)
    assert counted("ludoteca_copy_failed") == 0
    noon = datetime(2026, 11, 25, 12, tzinfo=UTC).timestamp()
    assert counted("ludoteca_copy_timestamp_seconds") == noon
