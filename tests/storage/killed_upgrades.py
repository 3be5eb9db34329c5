"""An upgrade, a restore or a move, killed before each of its steps; then what the next start finds.

``python -m tests.storage.killed_upgrades upgrade|restore|move FROM TO EVERY`` does it in a child
killed before step 0, EVERY, 2 * EVERY … until one comes to its end, and prints the number of kills.
A step is a statement, a begin, a commit, or a file opened, synced, renamed or removed.
``python -m tests.storage.killed_upgrades move FROM TO EVERY SPARE`` kills before each of the first
and the last steps besides, which are counted at a move to SPARE, an empty database of the same kind
as TO.

- ``upgrade``: FROM is the name of a released database, TO a folder;
- ``restore``: FROM is a copy, TO the address of the database in whose place it is put;
- ``move``: both are addresses.
"""

from __future__ import annotations

import asyncio
import itertools
import os
import shutil
import signal
import sqlite3
import sys
import traceback
from collections.abc import Callable, Coroutine, Iterable
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

from sqlalchemy import event as events
from sqlalchemy import func, select
from sqlalchemy.engine import Engine

from storage import Store, check_database, restore_backup, transfer_database
from storage.schema import metadata, setting
from tests.storage.releases import restored

Action = Callable[[], Coroutine[Any, Any, object]]
"""Something done in a child; where it answers True, the child ends with ``WHOLE``."""

WHOLE = 7

EDGE = 10
"""How many of the first and of the last steps are all killed before."""


def kill_before(step: int) -> None:
    """Kills this process before its step of this number, counted from 0."""
    done = itertools.count()

    def count() -> None:
        if next(done) == step:
            os.kill(os.getpid(), signal.SIGKILL)

    at_each_step(count)


def at_each_step(count: Callable[[], None]) -> None:
    """Lets *count* be called before every step of this process."""
    events.listen(Engine, "begin", lambda _: count())
    events.listen(Engine, "before_cursor_execute", lambda *_: count())
    events.listen(Engine, "commit", lambda _: count())
    for name in ("open", "fsync", "replace", "unlink", "utime"):
        setattr(os, name, _counted(getattr(os, name), count))


def _counted(does: Callable[..., Any], count: Callable[[], None]) -> Callable[..., Any]:
    """The same, and a step."""

    def counted(*arguments: Any, **named: Any) -> Any:
        count()
        return does(*arguments, **named)

    return counted


def in_a_child(action: Action, step: int | None = None) -> int:
    """The status of a child that does *action*, killed before a *step*."""
    child = os.fork()
    if not child:
        try:
            if step is not None:
                kill_before(step)
            os._exit(WHOLE if asyncio.run(action()) is True else 0)  # type: ignore[arg-type]
        except BaseException:
            traceback.print_exc()
            os._exit(1)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def killed_everywhere(
    prepare: Callable[[], None], do: Action, check: Action, steps: Iterable[int]
) -> int:
    """How often *do* was killed, at most until *check* says that it is whole all the same."""
    for kills, step in enumerate(steps):
        prepare()
        status = in_a_child(do, step)
        assert status in (0, -signal.SIGKILL), (step, status)
        found = in_a_child(check)
        assert found in (0, WHOLE), f"killed before step {step}"
        if status == 0 or found == WHOLE:
            return kills
    raise AssertionError("it was killed before each of these steps, and never came to its end")


def steps_of(action: Action) -> int:
    """How many steps *action* takes, which is done once, in a child."""
    told, tells = os.pipe()

    async def counted() -> None:
        steps = itertools.count()
        at_each_step(lambda: next(steps) and None)
        await action()
        os.write(tells, str(next(steps)).encode())

    assert in_a_child(counted) == 0
    os.close(tells)
    with os.fdopen(told) as pipe:
        return int(pipe.read())


def dumped(file: Path) -> list[str]:
    """The rows and tables of *file*, but for the lease."""
    with closing(sqlite3.connect(file)) as connection:
        return [line for line in connection.iterdump() if "'lease'" not in line]


async def opened(url: str) -> None:
    """The next start on the database at *url*; its tables are sound."""
    await (await Store.open(url)).close()
    assert [one for one in await check_database(url) if one.level == "error"] == []


def upgrade(origin: str, folder: Path, every: int) -> int:
    file, whole = folder / "games.db", folder / "whole.db"
    restored(origin, whole)
    assert in_a_child(partial(opened, f"sqlite+aiosqlite:///{whole}")) == 0
    wanted = dumped(whole)
    url = f"sqlite+aiosqlite:///{file}"

    def prepare() -> None:
        for one in folder.glob("games.db*"):
            one.unlink()
        restored(origin, file)

    async def check() -> None:
        await opened(url)
        assert dumped(file) == wanted
        for copy in folder.glob("games.db.schema-*"):
            if copy.suffix != ".part":
                with closing(sqlite3.connect(copy)) as connection:
                    assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]

    return killed_everywhere(prepare, partial(opened, url), check, itertools.count(0, every))


def restore(copy: Path, url: str, every: int) -> int:
    file = Path(url.partition(":///")[2])
    before, kept = dumped(file), file.with_name("before")
    shutil.copy(file, kept)

    def prepare() -> None:
        for one in file.parent.glob(f"{file.name}*"):
            one.unlink()
        shutil.copy(kept, file)

    async def check() -> None:
        await opened(url)
        assert dumped(file) in (before, dumped(copy))

    do = partial(restore_backup, url, copy)
    made = killed_everywhere(prepare, do, check, itertools.count(0, every))
    assert dumped(file) == dumped(copy)
    return made


async def rows_in(url: str) -> dict[str, int]:
    """The rows of each table of the database at *url*, but for what belongs to it alone."""
    store = await Store.open(url)
    async with store.reading() as tx:
        found = {
            table.name: (await tx.execute(select(func.count()).select_from(table))).scalar_one()
            for table in metadata.sorted_tables
            if table is not setting
        }
    await store.close()
    return found


def move(source: str, target: str, every: int, spare: str = "") -> int:
    async def check() -> bool:
        given, taken = await rows_in(source), await rows_in(target)
        assert taken in (given, dict.fromkeys(given, 0))
        assert sum(given.values())
        return taken == given

    steps: Iterable[int] = itertools.count(0, every)
    if spare:
        # Each opening finds the tables that the first one made; so must the one that is counted.
        assert in_a_child(partial(rows_in, spare)) == 0
        count = steps_of(partial(transfer_database, source, spare))
        edges = range(EDGE), range(0, count, every), range(count - EDGE, count + EDGE)
        steps = sorted(set().union(*edges))
    # Killed after its commit it is whole, and would be refused once more.
    move_once = partial(transfer_database, source, target)
    done = killed_everywhere(lambda: None, move_once, check, steps)
    assert in_a_child(check) == WHOLE
    return done


def main(what: str, source: str, target: str, every: str, spare: str = "") -> None:
    match what:
        case "upgrade":
            kills = upgrade(source, Path(target), int(every))
        case "restore":
            kills = restore(Path(source), target, int(every))
        case _:
            kills = move(source, target, int(every), spare)
    print(kills)


if __name__ == "__main__":
    main(*sys.argv[1:])
