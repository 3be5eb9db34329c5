"""A place with many tables goes to other houses: ``python -m tests.drives.place_export [TABLES]``.

A house of a thousand finished tables writes ``/export``. The file is imported into an empty house
and into one that lives, on SQLite and, where its programs are, on PostgreSQL: every record must
come out as it went in, twice must be once, and the import may take three times the processor time
of ``move-database`` of the same rows. The status is 1 where one of that fails.
"""

from __future__ import annotations

import argparse
import asyncio
import io
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from bot.facade import Facade, Thinkers, open_facade
from bot.port import Command, FileAnswer, PlaceStanding, Promised
from bot.service.place_archive import PlaceArchive, read_archive
from storage import imports
from storage.store import Store
from storage.transfer import transfer_database
from tests import postgres
from tests.bot.many_tables import copied
from tests.fakes import UPDATES, Desk, FakeChat, desk, person

ANA, BRUNO = person("Ana"), person("Bruno")
HERE = ("fake", "group")
MOST = 3.0


async def played(folder: Path, tables: int) -> None:
    """A house in *folder* with so many finished tables of one place."""
    async with desk(folder) as here:
        await here.call(ANA, "play", game="niya")
        (line,) = await here.facade.services.tables.listed(("open",), person=1)
        await here.call(BRUNO, "join", table=line.code)
        while True:
            board = here.chat.board(line.code)
            if board.screen.over:
                break
            table = await here.facade.services.tables.get(line.code)
            (seat,) = table.actors()
            mover = ANA if table.players[seat].name == "Ana" else BRUNO
            await here.press(mover, board, code=board.moves[0].code)
    copied(folder, line.code, range(tables - 1), views=True)


async def exported(folder: Path) -> tuple[bytes, float]:
    """The file of the place in *folder*, and the processor time that it took."""
    async with desk(folder) as here:
        here.chat.standings[ANA.external, HERE[1]] = PlaceStanding(manages=True)
        began = time.process_time()
        answer = await here.facade.call(Command(f"e{next(UPDATES)}", here.where, ANA, "export"))
        if isinstance(answer, Promised):
            answer = await answer.answer
        assert isinstance(answer, FileAnswer), answer
        return answer.file.data, time.process_time() - began


@asynccontextmanager
async def house(url: str) -> AsyncIterator[Facade]:
    """A house on the database at *url*, with one chat."""
    store = await Store.open(url)
    facade = await open_facade(store, Thinkers(seconds=0.5), "es")
    await facade.start([FakeChat()])
    try:
        yield facade
    finally:
        await facade.stop()


async def lively(url: str) -> None:
    """Tables that are played at *url*."""
    async with house(url) as facade:
        at = Desk(facade, FakeChat())
        for _ in range(3):
            await facade.call(
                Command(f"l{next(UPDATES)}", at.where, ANA, "play", {"game": "niya", "level": "1"})
            )
        await facade.settled()


async def taken_in(url: str, file: Path, archive: PlaceArchive) -> tuple[float, list[str]]:
    """The processor time of the import of *file*, and what is wrong after it was done twice."""
    wrong = []
    async with house(url) as facade:
        began = time.process_time()
        found = await facade.import_place(file, *HERE)
        took = time.process_time() - began
        if (found.new, found.known, found.unread) != (len(archive.records), 0, 0):
            wrong.append(f"{url}: {found}")
        again = await facade.import_place(file, *HERE)
        if (again.new, again.known) != (0, len(archive.records)):
            wrong.append(f"{url}: twice is not once: {again}")
        source = archive.head.source
        rows = await facade.store.read(imports.imported_games, *HERE, source, 0, 100_000)
        if {row.code: row.record for row in rows} != archive.texts:
            wrong.append(f"{url}: a record is another one")
    return took, wrong


async def drive(folder: Path, tables: int) -> int:
    home = folder / "home"
    home.mkdir()
    await played(home, tables)
    source = f"sqlite+aiosqlite:///{home}/games.db"
    data, took = await exported(home)
    file = folder / "export.zip"
    file.write_bytes(data)
    archive = read_archive(io.BytesIO(data))
    wrong = [] if len(archive.records) == tables else [f"{len(archive.records)} were exported"]
    print(f"{tables} tables: {len(data) // 1024} KB, exported in {took:.2f} s of processor time")
    kinds = {"sqlite": lambda name: f"sqlite+aiosqlite:///{folder}/{name}.db"}
    if postgres.programs() is not None:
        kinds["postgresql"] = lambda name: postgres.database(f"{folder}/{name}")
    for kind, address in kinds.items():
        began = time.process_time()
        await transfer_database(source, address("moved"))
        moved = time.process_time() - began
        await lively(address("living"))
        for name in ("empty", "living"):
            took, faults = await taken_in(address(name), file, archive)
            wrong += faults
            ratio = took / moved
            print(f"{kind}, {name}: {took:.2f} s, moved in {moved:.2f} s, {ratio:.2f} times")
            if ratio > MOST:
                wrong.append(f"{kind}, {name}: {ratio:.2f} times as long as moving")
    print(*wrong, sep="\n")
    return int(bool(wrong))


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m tests.drives.place_export", description=__doc__
    )
    parser.add_argument("tables", nargs="?", type=int, default=1000)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        sys.exit(asyncio.run(drive(Path(folder), given.tables)))


if __name__ == "__main__":
    main()
