"""One process, one loop, one SIGTERM for all chats."""

from __future__ import annotations

import asyncio
import gc
import itertools
import logging
import os
import signal
import sys
from collections.abc import Awaitable, Callable, Coroutine
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from bot import __version__
from bot.app.control_socket import control_socket
from bot.app.logs import set_up_logs
from bot.app.monitoring import ProcessState, meter, supervise
from bot.app.operator_client import database_file, folder_of
from bot.app.output import say
from bot.app.outside_game_packages import log_packages
from bot.app.settings import BadSettings, Settings
from bot.app.shell_texts import from_below, shell_sentence
from bot.app.start_checks import check_start, ports_of
from bot.app.system_metrics import note_copy, watch
from bot.facade import (
    Chat,
    ChatBoards,
    Cluster,
    Facade,
    Thinkers,
    installed_engine,
    open_facade,
)
from bot.runtime.malloc_trim import return_freed_memory
from bot.runtime.processor_and_memory_limits import allowed_processors
from bot.runtime.tasks import Tasks, wait_until_set
from bot.texts import OURS, fall_back_on
from games.core.shelf import invite, shelf
from render.kit.sprite_cache import STORE
from render.warming import is_warm
from storage import StorageError, Store, write_backup_if_due
from storage.errors import DatabaseAway, DatabaseBusy, DatabaseFull
from storage.upgrade import newest_revision

if TYPE_CHECKING:
    from bot.chats.web import DiscordApp, DoorKeys

try:
    import resource
except ImportError:  # pragma: no cover - Windows knows no such limit
    resource = None  # type: ignore[assignment]

log = logging.getLogger(__name__)

T = TypeVar("T")

Lull: TypeAlias = Callable[[], Awaitable[None]]
"""Waits until nobody presses."""

DESCRIPTORS = 65_536
"""The most open files that we ask for; some systems take no larger number."""

GARBAGE = 20_000
"""How many new objects the garbage collector waits for."""

TURN = 0.0005
"""The seconds that a thread goes on while the loop waits, as it does several times a statement."""

COPIES = 3600.0
"""The seconds between two checks whether a copy of the database is due."""

SPRITES = "ludoteca-sprites.db"
"""The file of drawn sprites; it may be deleted at any time."""

SPRITE_DELAY = 20.0
"""The seconds from the start until sprites are drawn ahead."""

BETWEEN = 2.0
"""The seconds before each of the computer players is made ready."""

AWAY = (1.0, 2.0, 5.0)
"""The seconds between attempts to start on a database that is away; the last one repeats."""

WAITED_FOR = (DatabaseAway, DatabaseBusy, DatabaseFull)
"""What the start waits for: it may be over by itself."""

START = "start"
"""The user of the database, as its availability knows us until we run."""

SHARING = 5.0
"""The seconds between two looks at how many processes share this machine."""

ADDRESS = "ludoteca-address.txt"
"""The file that holds the first address where lines of the log are for programs."""

OPERATOR_ADDRESS = "ludoteca-operator.txt"
"""The same of the operator's page."""


async def run(settings: Settings) -> None:
    """Run the bot until a signal; raises ``BadSettings``, ``StorageError`` or ``ChatError``.

    Where the database is away, locked or full at the start, it waits and is not ready meanwhile.
    """
    set_up_logs(settings)
    await asyncio.to_thread(refuse_bad_settings, settings)
    raise_descriptors()
    return_freed_memory()
    stop, state = asyncio.Event(), ProcessState()
    for name in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(name, _told_to_stop, stop, name)
    async with supervise(settings, state):
        for wait in itertools.chain(AWAY, itertools.repeat(AWAY[-1])):
            try:
                await _serve(settings, state, stop)
            except WAITED_FOR as wrong:
                state.availability.note_failure(START, wrong)
            if await wait_until_set(stop, wait):
                return


def refuse_bad_settings(settings: Settings) -> None:
    """Log what ``ludoteca doctor`` warns of; raise ``BadSettings`` for what it calls errors."""
    found = [one for one in check_start(settings) if one.level != "fine"]
    for one in found:
        if one.level == "warning":
            log.warning("%s", one.text)
    if refused := [one.text for one in found if one.level == "error"]:
        raise BadSettings("\n".join(refused))


def _told_to_stop(stop: asyncio.Event, name: signal.Signals) -> None:
    log.info(shell_sentence("ends", why=name.name))
    stop.set()


async def _serve(settings: Settings, state: ProcessState, stop: asyncio.Event) -> None:
    """Serve once, until *stop*; raises ``WAITED_FOR`` where the start could not be made."""
    url, availability = settings.database_url, state.availability
    store = await _unless_stopped(stop, Store.open(url, shared=True, availability=availability))
    if store is None:
        return
    _keep_sprites(settings)
    beside = Tasks()
    try:
        thinkers = _thinkers(settings, store)
        fall_back_on(settings.ludoteca_language)
        facade = await open_facade(store, thinkers, settings.ludoteca_language)
        facade.process_duties.miner.mines = settings.mine_puzzles
        try:
            lull = facade.requests.arrivals.lull
            beside.start(_made_ready(facade.boards, thinkers, lull, settings.ludoteca_language))
            await facade.start(_chats(facade, settings))
            state.runs(facade)
            _tell_start(settings, facade, thinkers.count)
            favour_loop()
            beside.start(_shared_out(thinkers, store.cluster))
            if settings.metrics_port is not None:
                beside.start(meter(store, facade.process_duties))
                beside.start(watch(settings, store))
            if settings.backup_dir is not None:
                beside.start(_copies(settings, settings.backup_dir))
            async with control_socket(facade.operator, url):
                await _wait_for_end(stop, facade)
        finally:
            state.process_duties = None
            await beside.close()
            await _let_go(facade)
    finally:
        await store.close()
        STORE.close()


def _thinkers(settings: Settings, store: Store) -> Thinkers:
    """The computer players: as many as the settings say, or as the machine bears."""
    allowed, engine = allowed_processors(), installed_engine(settings.shogi_engine)
    engines = {} if engine is None else {"shogi": engine}
    if engine is not None:
        invite("shogi", engine.level_names)
    store.cluster.machine = allowed.machine if settings.computers else allowed.pool
    return Thinkers(settings.computers or allowed.count, engines=engines)


async def _unless_stopped(stop: asyncio.Event, doing: Coroutine[Any, Any, T]) -> T | None:
    """What *doing* returns, None where we are told to stop before."""
    task, stopping = asyncio.create_task(doing), asyncio.create_task(stop.wait())
    await asyncio.wait({task, stopping}, return_when=asyncio.FIRST_COMPLETED)
    stopping.cancel()
    if task.done():
        return task.result()
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    return None


async def _let_go(facade: Facade) -> None:
    """Stop *facade*; a database that is away meanwhile changes nothing of why we end."""
    try:
        await facade.stop()
    except WAITED_FOR as wrong:
        log.warning("the end was not noted: %s", wrong)


def _tell_start(settings: Settings, facade: Facade, computers: int) -> None:
    """Log what runs: release, schema, database, ports and chats."""
    about = {
        "release": __version__,
        "schema": newest_revision(),
        "database": facade.store.backend.name,
        "ports": " ".join(f"{one.setting}={one.port}" for one in ports_of(settings)),
        "chats": " ".join(facade.chats),
    }
    log.info(shell_sentence("runs", computers=computers, **about))
    log_packages()


async def _shared_out(thinkers: Thinkers, fleet: Cluster) -> None:
    """Let the processes of one machine together use no more computers than it bears."""
    total = thinkers.count
    while True:
        await thinkers.resize(fleet.portion(total))
        await asyncio.sleep(SHARING)


def _say_address(address: str) -> None:
    """Print the address of the first page; it must not stand in a log."""
    say(address)
    if "?" in address:
        say(shell_sentence("lets-one-in"))


def _say_operator_page(address: str) -> None:
    """Print the address of the operator's page; it must not stand in a log."""
    say(shell_sentence("operator-page", address=address))


def _written_down(folder: Path, name: str = ADDRESS) -> Callable[[str], None]:
    """Tells an address by a file *name*: a line that is no object would spoil the log."""

    def told(address: str) -> None:
        log.info("the browser chat is at %s", address.partition("?")[0])
        if "?" not in address:
            return
        file = folder.resolve() / name
        try:
            file.unlink(missing_ok=True)
            with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as new:
                new.write(f"{address}\n")
        except OSError as wrong:
            log.warning("an address cannot be written to %s: %s", file, wrong.strerror)
        else:
            log.info("the address that lets one person in, once, stands in %s", file)

    return told


def _keep_sprites(settings: Settings) -> None:
    """Open the file of sprites: beside the database, or in the user's cache for a server's one."""
    if settings.database_url.startswith("sqlite"):
        if (file := database_file(settings.database_url)) is not None:
            STORE.open(file.with_name(SPRITES))
        return
    try:
        folder = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "ludoteca"
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, RuntimeError) as wrong:
        log.info("pictures are drawn without a file of sprites: %s", wrong)
    else:
        STORE.open(folder / SPRITES)


async def _wait_for_end(stop: asyncio.Event, facade: Facade) -> None:
    """Wait for *stop*; raises the ``ChatError`` of a chat that gives up before."""
    if (fallen := await _unless_stopped(stop, facade.failures.get())) is not None:
        log.error(shell_sentence("ends", why=from_below(str(fallen))))
        raise fallen


async def _made_ready(boards: ChatBoards, thinkers: Thinkers, lull: Lull, code: str) -> None:
    """Hire, paint and draw ahead what first presses need: one thing at a time, while none comes.

    *code* is the language of places that have chosen none. Its posters are painted while the chats
    connect, since a first ``/play`` shows them; those of the others follow.
    """
    for spoken in dict.fromkeys((code, *OURS)):
        await boards.paint_posters(spoken, lull)
    for _ in range(thinkers.count + 1):
        await asyncio.sleep(BETWEEN)
        await lull()
        await thinkers.warm()
    await _drawn_ahead()


async def _drawn_ahead() -> None:
    """Draw the sprites of first pictures in a process of its own, unless they are drawn already."""
    await asyncio.sleep(SPRITE_DELAY)
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
            note_copy(folder, well=True)
            if made is not None:
                log.info("the database was copied to %s", made)
        except StorageError as wrong:
            note_copy(folder, well=False)
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


def favour_loop() -> None:
    """Let the loop wait neither for the collector nor for long for threads that paint or read.

    The libraries' objects are never garbage; to look at them takes a tenth of each press, and now
    and then 0.15 s at once. A thread keeps the interpreter for ``TURN`` when the loop asks for it.
    """
    sys.setswitchinterval(TURN)
    gc.collect()
    gc.freeze()
    gc.set_threshold(GARBAGE, 10, 10)


def _chats(facade: Facade, settings: Settings) -> list[Chat]:
    """The browser chat with its programs, and every chat that has a token."""
    from bot.chats.web import OperatorKeys, WebChat

    token, application = settings.telegram_token, _application(settings)
    folder = folder_of(settings.database_url)
    told: tuple[Callable[[str], None], ...] = _say_address, _say_operator_page
    if settings.log_format == "json":
        told = _written_down(folder), _written_down(folder, OPERATOR_ADDRESS)
    if settings.is_demo:
        told = (lambda at: say(at.partition("?")[0])), (lambda _: None)
    named = frozenset(filter(None, settings.operators.split(",")))
    page = WebChat(
        facade,
        settings.web_host,
        settings.web_port,
        public=settings.public_origin,
        home=settings.web_lan_host,
        proxies=settings.trusted_proxies,
        telegram=token.get_secret_value() if token is not None else "",
        discord=application,
        doors=_door_keys(settings, application),
        house_talk=settings.web_house_talk,
        operators=OperatorKeys(named, settings.backup_dir),
        told=told[0],
        told_operator=told[1],
    )
    chats: list[Chat] = [page, page.programs]
    if settings.discord_token is not None:
        from bot.chats.discord import DiscordChat

        shards = settings.discord_shards
        chats.append(DiscordChat(facade, settings.discord_token.get_secret_value(), shards))
    if settings.telegram_token is not None:
        from bot.chats.telegram import TelegramChat

        chats.append(TelegramChat(facade, settings))
    return chats


def _application(settings: Settings) -> DiscordApp | None:
    """The application whose Activity the page is, and by which people sign in."""
    from bot.chats.web import DiscordApp

    token, secret = settings.discord_token, settings.discord_client_secret
    if token is None or secret is None:
        return None
    return DiscordApp(token.get_secret_value(), secret.get_secret_value())


def _door_keys(settings: Settings, application: DiscordApp | None) -> DoorKeys:
    """The doors of the public page that the settings open."""
    from bot.chats.web import DoorKeys, TelegramLogin

    wanted, public = settings.web_sign_in.split(","), bool(settings.public_origin)
    token, secret, login = settings.telegram_token, settings.telegram_client_secret, None
    if token is not None and secret is not None and "telegram" in wanted:
        # The id of a bot stands before the colon of its token, and is the login's client.
        login = TelegramLogin(token.get_secret_value().partition(":")[0], secret.get_secret_value())
    return DoorKeys(
        application if "discord" in wanted and public else None,
        login if public else None,
        settings.web_open_house,
        settings.is_demo,
    )
