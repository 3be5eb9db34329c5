"""What an operator watches besides the chats: release, copies, disk, memory, what was set aside."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import platform
import shutil
from datetime import UTC, datetime
from pathlib import Path

import psutil

from bot import __version__
from bot.app.settings import Settings
from bot.runtime import metrics
from bot.runtime.malloc_trim import trim_heaps
from bot.runtime.processor_and_memory_limits import memory_limit
from storage.database.backups import backups_in
from storage.database.sqlite import SqliteBackend
from storage.doctor import count_set_aside
from storage.errors import StorageError
from storage.store import Store
from storage.upgrade import newest_revision

log = logging.getLogger(__name__)

EVERY = 15.0
"""The seconds between two looks at the machine and at what was set aside."""


def note_copy(folder: Path, *, well: bool) -> None:
    """Note whether the last copy could be made, and when the newest one in *folder* was begun."""
    metrics.COPY_FAILED.set(not well)
    made = backups_in(folder, datetime.now(UTC))
    metrics.COPIED.set(made[-1].at.timestamp() if made else 0.0)


async def watch(settings: Settings, store: Store) -> None:
    """Update what is watched until cancelled."""
    metrics.BUILD.labels(__version__, newest_revision(), platform.python_version()).set(1)
    limit = memory_limit()
    if limit is not None:
        metrics.MEMORY_LIMIT.set(limit)
    backend = store.backend
    file = backend.path if isinstance(backend, SqliteBackend) else None
    disks = {
        "copies": settings.backup_dir,
        "database": None if file is None else file.parent,
        "here": Path.cwd(),
    }
    while True:
        for disk, folder in disks.items():
            if folder is not None:
                with contextlib.suppress(OSError):
                    metrics.DISK_FREE.labels(disk).set(shutil.disk_usage(folder).free)
        if store.cluster.queue is not None:
            metrics.NEWS_QUEUE.set(store.cluster.queue.usage)
        await asyncio.to_thread(trim_heaps)
        metrics.MEMORY.set(await asyncio.to_thread(_memory))
        try:
            updates, tables = await store.read(count_set_aside)
        except StorageError as wrong:
            log.warning("what was set aside is not counted: %s", wrong)
        else:
            metrics.SET_ASIDE.labels("updates").set(updates)
            metrics.SET_ASIDE.labels("tables").set(tables)
        await asyncio.sleep(EVERY)


def _memory() -> int:
    """The bytes that this process and its workers have in memory, what they share counted once."""
    total = 0
    ours = psutil.Process()
    for process in (ours, *ours.children(recursive=True)):
        with contextlib.suppress(psutil.Error):
            memory = process.memory_full_info()
            total += getattr(memory, "pss", memory.rss)
    return total
