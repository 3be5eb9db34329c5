"""Days that pass while a process is stopped."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path


def put_forward(folder: Path, **gap: float) -> None:
    """Let the bot in *folder*, which does not run, have run for so much longer.

    Its time goes on from its last sign of life, whatever the clock of the machine shows.
    """
    with closing(sqlite3.connect(folder / "games.db")) as connection, connection:
        (told,) = connection.execute("SELECT value FROM setting WHERE key = 'alive'").fetchone()
        later = datetime.fromisoformat(told.strip('"')) + timedelta(**gap)
        kept = told.replace(told.strip('"'), later.isoformat())
        connection.execute("UPDATE setting SET value = ? WHERE key = 'alive'", (kept,))
