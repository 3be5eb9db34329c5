"""A process of its own that stores clicks, and can be killed between any two statements.

``python -m tests.storage.children URL KILL_BEFORE``: writes clicks until it kills itself before
statement KILL_BEFORE (counted from 0 over its transactions), or for ever when that is -1. Prints
the version after each commit, once the bot would have answered.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys

from sqlalchemy import event as events
from sqlalchemy.engine import Engine

from storage import Store, inbox
from storage.table import games, views
from tests.storage.rows import PLAYING, event, later

UPDATES = "telegram"


def kill_before(statement: int) -> None:
    """Kills this process before the given statement, BEGIN and COMMIT counted as statements."""
    done = 0

    def count() -> None:
        nonlocal done
        if done == statement:
            os.kill(os.getpid(), signal.SIGKILL)
        done += 1

    events.listen(Engine, "begin", lambda _: count())
    events.listen(Engine, "before_cursor_execute", lambda *_: count())
    events.listen(Engine, "commit", lambda _: count())


async def click(store: Store, version: int) -> None:
    """Two events on top of *version*, all that belongs to them, in one transaction."""
    async with store.transaction() as tx:
        assert await inbox.finish_update(tx, UPDATES, str(version), later(version))
        moves = [event(version + 1), event(version + 2)]
        await games.append_events(tx, "k7", version, moves, standing=PLAYING, at=later(version))
        await views.owe_views(tx, "k7", version + 2)


async def main(url: str, statement: int) -> None:
    """Clicks until killed."""
    store = await Store.open(url)
    async with store.reading() as tx:
        row = await games.load_game(tx, "k7")
    assert row is not None
    version = row.version
    kill_before(statement)
    while True:
        await click(store, version)
        version += 2
        print(version, flush=True)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], int(sys.argv[2])))
