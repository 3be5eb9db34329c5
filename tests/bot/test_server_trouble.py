"""A server of PostgreSQL in trouble: connections cut one by one, and what heals by itself."""

from __future__ import annotations

import asyncio
import logging
import os
import shutil
import subprocess
import tempfile
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest
from sqlalchemy import make_url, text

from storage.database import process_cluster as cluster
from storage.database import server_process_cluster as server_cluster
from storage.database.availability import SaidOnce
from tests import postgres
from tests.bot.test_restored_database import moved as moved_in
from tests.chats.fleets import at, process, until
from tests.chats.pages import Json, Page, Server, seated
from tests.fakes import Desk, FakeChat, person

asyncpg = pytest.importorskip("asyncpg", reason="the driver of PostgreSQL is not installed here")

pytestmark = pytest.mark.skipif(postgres.programs() is None, reason=postgres.ABSENT)

NEREA, BRUNO = person("Nerea"), person("Bruno")

WRITES, BEATS = "the connection that writes", "the connection of the beats"


async def backend(one: Server, which: str) -> int:
    """The number of a backend of the process *one*."""
    if which == BEATS:
        raw = await one.facade.fleet._connection.get_raw_connection()
        return int(raw.driver_connection.get_server_pid())
    async with one.facade.store.reading() as tx:
        return int((await tx.exec_driver_sql("select pg_backend_pid()")).scalar_one())


async def cut(*backends: int) -> None:
    """Let the server end these *backends*."""
    for number in backends:
        await asyncio.to_thread(postgres.spoken, f"select pg_terminate_backend({number})")


async def moved(page: Page, table: str) -> None:
    """A move by whoever may, answered well, and shown."""
    board = await page.board(table, lambda board: board["mine"] or board["over"])
    answer = await page.press(table, page.moves(table)[0])
    assert answer["good"], (answer, board["version"])
    await page.board(table, lambda shown: shown["count"] > board["count"])


@pytest.mark.sampled
@pytest.mark.parametrize(
    "cuts",
    [
        pytest.param([(0, WRITES)], id="who writes"),
        pytest.param([(0, BEATS)], id="whose beats they are", marks=pytest.mark.slow),
        pytest.param([(0, WRITES), (0, BEATS)], id="both of one process", marks=pytest.mark.slow),
        pytest.param([(0, WRITES), (1, WRITES)], id="the writers of both"),
        pytest.param([(0, BEATS), (1, BEATS)], id="the beats of both", marks=pytest.mark.slow),
    ],
)
async def test_connections_that_the_server_ends_are_made_anew_before_the_next_press(
    tmp_path: Path, cuts: list[tuple[int, str]], caplog: pytest.LogCaptureFixture
) -> None:
    address = postgres.database(str(tmp_path))
    caplog.set_level(logging.INFO)
    async with process(address) as first, process(address) as second:
        visitor = await first.first()
        async with visitor.open() as page:
            table = (await page.type("/play niya opponent=computer level=1"))["open"]
            await moved(page, table)
            await cut(*[await backend((first, second)[which], what) for which, what in cuts])
            await asyncio.sleep(0.2)
            await moved(page, table)
            fleets = first.facade.fleet, second.facade.fleet
            await until(lambda: all(fleet._connection is not None for fleet in fleets))
            await moved(page, table)
        assert first.facade.failures.empty()
        assert second.facade.failures.empty()
    assert "Traceback" not in caplog.text
    assert not [one for one in caplog.records if one.exc_info]


@asynccontextmanager
async def blocked_queue(address: str) -> AsyncIterator[None]:
    """Another program listens within a transaction, and news fill some pages of the queue."""
    parsed = make_url(address)
    where = {"host": parsed.host, "port": parsed.port, "user": parsed.username}
    blocking = await asyncpg.connect(**where, database=parsed.database)
    try:
        await blocking.add_listener("other", lambda *_: None)
        async with blocking.transaction():
            await blocking.fetchval("select 1")
            telling = await asyncpg.connect(**where, database=parsed.database)
            for number in range(8):
                await telling.execute("select pg_notify('other', $1)", f"{number:07000}")
            await telling.close()
            yield
    finally:
        await blocking.close()


@pytest.mark.slow
async def test_with_a_crowded_queue_of_news_people_play_on_and_see_it_a_beat_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(cluster, "CROWDED_QUEUE", 1e-6)  # a page of the million that there are
    address = postgres.database(str(tmp_path))
    caplog.set_level(logging.INFO)
    async with process(address) as one, process(address) as two:
        queues = [server.facade.fleet.queue for server in (one, two)]
        visitor = await one.first()
        async with visitor.open() as host:
            table, guest = await seated(one, host)
            async with at(two, guest).open() as other:
                pages = [host, other]

                async def move() -> None:
                    (mover,) = [page for page in pages if page.moves(table)]
                    before = mover.boards[table]["version"]
                    await moved(mover, table)
                    for page in pages:
                        await page.board(table, lambda board: board["version"] > before)

                for page in pages:
                    await page.board(table, lambda board: board["picture"])
                await move()
                async with blocked_queue(address):
                    await until(lambda: all(queue.is_crowded for queue in queues))
                    with monkeypatch.context() as full:
                        # A full queue refuses whatever is told.
                        full.setattr(server_cluster, "_TELL", text("select 1 / 0, :told"))
                        for _ in range(3):
                            await move()
                await until(lambda: not any(queue.is_crowded for queue in queues))
                for _ in range(2):
                    await move()
    assert caplog.text.count("The NOTIFY queue of the server is filled") == 2
    assert caplog.text.count("has room again") == 2
    assert "Traceback" not in caplog.text


@pytest.fixture
def small_disk(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A disk of 120 MB, in memory; tests that need it skip where nothing may be mounted."""
    disk = Path(tempfile.mkdtemp(prefix="ludoteca-disk-"))
    disk.chmod(0o755)  # the server is another user
    mount = ["mount", "-t", "tmpfs", "-o", "size=120m,mode=777", "tmpfs", str(disk)]
    if os.geteuid() or subprocess.run(mount, capture_output=True).returncode:
        disk.rmdir()
        pytest.skip("nothing may be mounted here")
    monkeypatch.setattr(tempfile, "tempdir", str(disk))
    yield disk
    subprocess.run(["umount", "--lazy", str(disk)], check=True)
    disk.rmdir()


def filled(disk: Path) -> Path:
    """A file that takes all the room that is left."""
    file = disk / "filling"
    with file.open("wb", buffering=0) as filling, suppress(OSError):
        while True:
            filling.write(bytes(4096))
    return file


async def opened(page: Page, answers: Sequence[str], seconds: float = 60.0) -> str:
    """Ask for tables until one of these *answers* comes, or a table with "": what was said."""
    async with asyncio.timeout(seconds):
        while True:
            answer = await page.type("/play niya opponent=computer level=1")
            if answer["good"] == (not answers) and any(
                one in answer["said"] for one in answers or [""]
            ):
                return str(answer["said"])
            await asyncio.sleep(0.02)


@pytest.mark.slow
async def test_a_full_disk_of_the_server_is_told_and_over_as_soon_as_there_is_room(
    small_disk: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    server = postgres.OwnServer()
    try:
        server.start()
        async with process(f"{server.address}/postgres") as one:
            visitor = await one.first()
            async with visitor.open() as page:
                await opened(page, [])
                filling = filled(small_disk)
                said = await opened(page, ["disco"])
                assert "no se puede guardar nada" in said
                assert (await page.type("/games"))["good"]
                assert not one.facade.store.availability.is_reached
                filling.unlink()
                await opened(page, [])
                await until(lambda: one.facade.store.availability.is_reached)
            assert one.facade.failures.empty()
    finally:
        server.remove()
    told = [one.message for one in caplog.records if SaidOnce().filter(one)]
    assert len([one for one in told if "cannot grow because its disk is full" in one]) == 1
    assert len([one for one in told if one.startswith("the database is back")]) == 1
    assert "Traceback" not in caplog.text


def put_back(server: postgres.OwnServer, older: Path) -> None:
    """Fail over to the copy *older* of the server's data, which begins a new timeline."""
    server.stop()
    data = server.folder / "data"
    shutil.rmtree(data)
    shutil.copytree(older, data)
    owner = server.folder.stat()
    for one in (data, *data.rglob("*")):
        os.chown(one, owner.st_uid, owner.st_gid)
    server.start()
    server.restart(timeline=True)


@pytest.mark.slow
async def test_after_a_failover_that_lost_what_was_newest_all_show_what_is_stored_and_play_on(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    server, chat = postgres.OwnServer(), FakeChat()
    try:
        server.start()
        address = f"{server.address}/postgres"
        async with process(address, chat) as one, process(address) as two:
            desk, visitor = Desk(one.facade, chat), at(two, await one.first())
            await desk.call(NEREA, "play", game="niya", seats="2")
            shared = list(chat.messages.values())[-1].screen.table
            await desk.call(BRUNO, "join", table=shared)
            async with visitor.open() as page:
                table = (await page.type("/play niya opponent=computer level=1"))["open"]
                await moved(page, table)
                before = (await page.board(table, mine))["version"]
                stands = chat.board(shared).screen.version
                await asyncio.to_thread(server.stop, "fast")
                await asyncio.to_thread(shutil.copytree, server.folder / "data", tmp_path / "older")
                await asyncio.to_thread(server.start)
                await until(lambda: both_connected(one, two))
                await moved(page, table)
                await page.board(table, lambda board: mine(board) and board["version"] > before)
                await moved_in(desk, shared)
                assert chat.board(shared).screen.version > stands
                await asyncio.to_thread(put_back, server, tmp_path / "older")
                with pytest.raises(AssertionError, match=r"CLOSE.* data=1001"):
                    await page.until(lambda _: False, 60)  # the page is told to connect anew
                assert page.socket.closed
            await until(lambda: chat.board(shared).screen.version == stands)
            async with visitor.open() as page:
                assert (await page.board(table, mine))["version"] == before
                await moved(page, table)
            await moved_in(desk, shared)
            assert one.facade.failures.empty()
            assert two.facade.failures.empty()
    finally:
        server.remove()
    assert "Traceback" not in caplog.text


def mine(board: Json) -> bool:
    """Whether whoever reads the *board* is to move."""
    return bool(board["mine"])


def both_connected(*servers: Server) -> bool:
    """Whether all beat again and their transactions were answered."""
    fleets = [one.facade.fleet for one in servers]
    reached = [one.facade.store.availability.is_reached for one in servers]
    return all(reached) and all(fleet._connection is not None for fleet in fleets)
