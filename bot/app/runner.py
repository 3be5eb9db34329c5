"""One process, one loop, one SIGTERM for all chats."""

from __future__ import annotations

import asyncio
import gc
import json
import logging
import os
import re
import signal
import sys
import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic
from types import TracebackType
from typing import TypeAlias

from cachetools import LRUCache
from pydantic import SecretStr

from bot.app.monitoring import health, metered, metrics_server
from bot.app.settings import BadSettings, Settings, doubts
from bot.facade import Chat, Engine, Facade, Thinkers, open_facade
from bot.runtime.metrics import tracing
from bot.runtime.tasks import Tasks
from games.core.shelf import shelf
from render.kit.sprite_cache import STORE
from render.warming import is_warm
from storage import StorageError, Store, write_backup_if_due

try:
    import resource
except ImportError:  # pragma: no cover - Windows knows no such limit
    resource = None  # type: ignore[assignment]

log = logging.getLogger(__name__)

ExceptionInfo: TypeAlias = (
    tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]
)

KINDS = 256
"""For how many kinds of lines the time of the last one is remembered."""

DESCRIPTORS = 65_536
"""The most open files that we ask for; some systems take no larger number."""

GARBAGE = 20_000
"""How many new objects the garbage collector waits for."""

COPIES = 3600.0
"""The seconds between two checks whether a copy of the database is due."""

SPRITES = "ludoteca-sprites.db"
"""The file of drawn sprites; it may be deleted at any time."""

AHEAD = 20.0
"""The seconds from the start until sprites are drawn ahead."""

QUIET = 5.0
"""The seconds from the start until the computer players are made ready."""


class Redacted(logging.Formatter):
    """Log lines without secrets and people, plain or as one JSON object a line.

    Of an exception its class is written and where it was raised. Only what a ``StorageError`` says
    is written as well, a sentence for the operator: any other may repeat what somebody wrote.
    """

    def __init__(self, secrets: Sequence[str], form: str) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s")
        self._secrets = [secret for secret in secrets if secret]
        self._form = form

    def format(self, record: logging.LogRecord) -> str:
        """The line, with three stars for each secret."""
        line = super().format(record)
        if self._form == "json":
            told = {"at": self.formatTime(record), "level": record.levelname}
            told |= {"from": record.name, "press": tracing(), "line": line}
            line = json.dumps(told, ensure_ascii=False)
        for secret in self._secrets:
            line = line.replace(secret, "***")
        # A Telegram token stands in the address of every call.
        return re.sub(r"(?<!\d)\d{6,}:[A-Za-z0-9_-]{30,}", "***", line)

    def formatException(self, ei: ExceptionInfo) -> str:  # noqa: N802 (the name of logging)
        """The traceback of an exception and of what led to it, without what they say."""
        return "\n".join(_traced(ei[1])).rstrip()


def _traced(wrong: BaseException | None) -> Iterator[str]:
    if wrong is None:
        return
    cause = wrong.__cause__ or (None if wrong.__suppress_context__ else wrong.__context__)
    yield from _traced(cause)
    yield "".join(
        ["Traceback (most recent call last):\n", *traceback.format_tb(wrong.__traceback__)]
    )
    said = f": {wrong}" if isinstance(wrong, StorageError) else ""
    yield f"{type(wrong).__module__}.{type(wrong).__qualname__}{said}\n"
    for one in wrong.exceptions if isinstance(wrong, BaseExceptionGroup) else ():
        yield from _traced(one)


@dataclass
class OneASecond(logging.Filter):
    """Passes lines with the same beginning once a second, with the number of those left out.

    Nothing is filled into them: it would be exceptions, requests and the addresses of people.
    """

    clock: Callable[[], float] = monotonic
    _written: LRUCache[str, float] = field(default_factory=lambda: LRUCache(KINDS))
    _left_out: LRUCache[str, int] = field(default_factory=lambda: LRUCache(KINDS))

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether *record* is written."""
        said = str(record.msg).partition("\n")[0]
        record.msg, record.args, kind = said, (), said[:60]
        now = self.clock()
        if now < self._written.get(kind, now - 1) + 1:
            self._left_out[kind] = self._left_out.get(kind, 0) + 1
            return False
        self._written[kind] = now
        more = self._left_out.pop(kind, 0)
        if more:
            record.msg = f"{said} (and {more} more like this)"
        return True


def set_up_logs(settings: Settings) -> None:
    """Log to standard error; of libraries that log tokens only warnings are logged."""
    secrets = [one.get_secret_value() for _, one in settings if isinstance(one, SecretStr)]
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(Redacted(secrets, settings.log_format))
    logging.basicConfig(level=logging.INFO, handlers=[handler], force=True)
    for loud in ("httpx", "httpcore", "discord", "telegram", "aiohttp.access", "alembic"):
        logging.getLogger(loud).setLevel(logging.WARNING)
    sparing = OneASecond()
    for stormy in ("asyncio", "aiohttp.server"):
        logging.getLogger(stormy).addFilter(sparing)


async def run(settings: Settings) -> None:
    """Run the bot until a signal; raises ``BadSettings``, ``StorageError`` or ``ChatError``."""
    if settings.backup_dir is not None and not settings.backup_dir.is_dir():
        raise BadSettings(f"The folder {settings.backup_dir} of BACKUP_DIR does not exist.")
    if settings.backup_dir is not None and settings.database_url.startswith("postgresql"):
        raise BadSettings("BACKUP_DIR is for SQLite; let pg_dump copy a database of PostgreSQL.")
    set_up_logs(settings)
    for doubt in doubts(settings):
        log.warning("%s", doubt)
    raise_descriptors()
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for name in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(name, stop.set)
    store = await Store.open(settings.database_url, shared=True)
    _keep_sprites(settings)
    beside = Tasks()
    try:
        engine = settings.shogi_engine
        thinkers = Thinkers(engines={} if engine is None else {"shogi": Engine(engine)})
        facade = await open_facade(store, thinkers, settings.ludoteca_language)
        telling: list[asyncio.Server] = []
        try:
            if settings.health_port is not None:
                telling.append(await health(settings.health_port, facade.is_connected))
            if settings.metrics_port is not None:
                host = str(settings.metrics_host)
                telling.append(await metrics_server(host, settings.metrics_port, facade))
                beside.start(metered(facade))
            await facade.start(_chats(facade, settings))
            _spare_the_collector()
            beside.start(_warmed(thinkers))
            beside.start(_drawn_ahead())
            if settings.backup_dir is not None:
                beside.start(_copies(settings, settings.backup_dir))
            await _ended(stop, facade)
        finally:
            for server in telling:
                server.close()
            await beside.close()
            await facade.stop()
    finally:
        await store.close()
        STORE.close()


def _keep_sprites(settings: Settings) -> None:
    """Open the file of sprites: beside the database, or in the user's cache for a server's one."""
    kind, _, file = settings.database_url.partition(":///")
    if kind.startswith("sqlite"):
        if file and file != ":memory:":
            STORE.open(Path(file.partition("?")[0]).with_name(SPRITES))
        return
    try:
        folder = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "ludoteca"
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, RuntimeError) as wrong:
        log.info("pictures are drawn without a file of sprites: %s", wrong)
    else:
        STORE.open(folder / SPRITES)


async def _ended(stop: asyncio.Event, facade: Facade) -> None:
    """Wait for *stop*; raises the ``ChatError`` of a chat that gives up before."""
    stopping, falling = asyncio.create_task(stop.wait()), asyncio.create_task(facade.failures.get())
    await asyncio.wait({stopping, falling}, return_when=asyncio.FIRST_COMPLETED)
    stopping.cancel()
    if falling.done():
        raise falling.result()
    falling.cancel()


async def _warmed(thinkers: Thinkers) -> None:
    """Make the computer players ready, after everything else."""
    await asyncio.sleep(QUIET)
    await thinkers.warm()


async def _drawn_ahead() -> None:
    """Draw the sprites of first pictures in a process of its own, unless they are drawn already."""
    await asyncio.sleep(AHEAD)
    if STORE.path is None or all(map(is_warm, shelf())):
        return
    command = [sys.executable, "-m", "render.warming", str(STORE.path), *shelf()]
    nothing = asyncio.subprocess.DEVNULL
    try:
        drawing = await asyncio.create_subprocess_exec(*command, stdin=nothing, stdout=nothing)
    except OSError as wrong:
        log.info("no sprites are drawn ahead: %s", wrong)
        return
    try:
        await drawing.wait()
    finally:
        if drawing.returncode is None:
            drawing.kill()
            await drawing.wait()


async def _copies(settings: Settings, folder: Path) -> None:
    """Copy the database into *folder* whenever that is due; a failure is tried again in an hour."""
    url, keep = settings.database_url, settings.backup_keep
    while True:
        try:
            made = await write_backup_if_due(url, folder, keep, datetime.now(UTC))
            if made is not None:
                log.info("the database was copied to %s", made)
        except StorageError as wrong:
            log.error("no copy of the database: %s", wrong)
        await asyncio.sleep(COPIES)


def raise_descriptors() -> None:
    """Raise the soft limit of open files to the hard one, up to ``DESCRIPTORS``."""
    if resource is None:
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = DESCRIPTORS if hard == resource.RLIM_INFINITY else min(hard, DESCRIPTORS)
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    except (OSError, ValueError) as wrong:
        log.warning("the limit of open files stays at %d: %s", soft, wrong)


def _spare_the_collector() -> None:
    """Leave the libraries' objects out of garbage collection, which takes a tenth of each press."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(GARBAGE, 10, 10)


def _chats(facade: Facade, settings: Settings) -> list[Chat]:
    """The browser chat, and every chat that has a token."""
    from bot.chats.web import WebChat

    token = settings.telegram_token
    public, home = settings.public_origin, settings.web_lan_host
    chats: list[Chat] = [
        WebChat(
            facade,
            settings.web_host,
            settings.web_port,
            public=public,
            home=home,
            telegram=token.get_secret_value() if token is not None else "",
        )
    ]
    if settings.discord_token is not None:
        from bot.chats.discord import DiscordChat

        shards = settings.discord_shards
        chats.append(DiscordChat(facade, settings.discord_token.get_secret_value(), shards))
    if settings.telegram_token is not None:
        from bot.chats.telegram import TelegramChat

        chats.append(TelegramChat(facade, settings))
    return chats
