"""The control socket: takes the operator's commands for the bot that runs.

A line of JSON asks for one of ``operator_acts.ACTS`` by its name, a line answers:
``{"act": "forget", "words": {"platform": "discord", "external": "123"}}`` and ``{"said": "…"}``, or
``{"refused": "…", "status": 2}``. Beside a file of SQLite there is one socket; on a database of a
server each process has one in its folder. Only the user of the bot may connect.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import socket
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from bot.app.control_address import short_address, socket_beside, sockets_of
from bot.app.operator_acts import ACTS, act_status
from bot.app.output import STUMBLED, CommandError
from bot.facade import Facade

log = logging.getLogger(__name__)

LARGEST = 1 << 20
"""The most bytes of a line."""

SILENCE = 5.0
"""Seconds in which whoever has connected must have asked."""

ENDING = 10.0
"""Seconds that a running act has where the bot ends."""


@asynccontextmanager
async def control_socket(facade: Facade, url: str) -> AsyncIterator[None]:
    """Take acts from the operator while this lasts.

    Where no socket can be made, the log says why, and the operator's commands need the bot stopped.
    """
    path = socket_beside(url)
    if path is None or not hasattr(socket, "AF_UNIX"):
        yield
        return
    try:
        _remove_dead(url)
        listening = _listening(path)
    except OSError as wrong:
        why = wrong.strerror or str(wrong)
        log.warning("commands of the operator cannot reach this bot: %s: %s", path, why)
        yield
        return
    running: set[asyncio.Task[None]] = set()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        if task is not None:
            running.add(task)
            task.add_done_callback(running.discard)
        await _serve(facade, reader, writer)

    server = await asyncio.start_unix_server(serve, sock=listening, limit=LARGEST)
    try:
        yield
    finally:
        # The name goes first, so that nobody asks a bot that takes nothing more.
        with suppress(OSError):
            path.unlink()
        server.close()
        if running:
            await asyncio.wait(set(running), timeout=ENDING)


def _listening(path: Path) -> socket.socket:
    """A socket that listens at *path* for its owner alone; raises ``OSError``.

    It gets its name when it listens already: one that refuses is dead and may be removed.
    """
    made = path.with_name(f"{path.name}.new")
    made.unlink(missing_ok=True)
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        # Linux gives the file the mode of the socket, so that it is never open to others.
        os.fchmod(listening.fileno(), 0o600)
        with short_address(made) as address:
            listening.bind(address)
        made.chmod(0o600)
        listening.listen()
        made.replace(path)
    except BaseException:
        listening.close()
        made.unlink(missing_ok=True)
        raise
    return listening


def _remove_dead(url: str) -> None:
    """Remove the sockets of killed processes."""
    for path in sockets_of(url):
        asking = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        asking.settimeout(SILENCE)
        try:
            with short_address(path) as address:
                asking.connect(address)
        except ConnectionRefusedError:
            path.unlink(missing_ok=True)
        except OSError:
            continue
        finally:
            asking.close()


async def _serve(
    facade: Facade, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
) -> None:
    """Do what a line asks for, whether or not its asker waits for the answer."""
    try:
        async with asyncio.timeout(SILENCE):
            line = await reader.readline()
    except (TimeoutError, ValueError, OSError):
        line = b""
    answer = await _done(facade, line)
    with suppress(OSError):
        writer.write(json.dumps(answer).encode() + b"\n")
        await writer.drain()
    writer.close()
    with suppress(OSError):
        await writer.wait_closed()


async def _done(facade: Facade, line: bytes) -> Mapping[str, str | int]:
    """The answer to *line*."""
    try:
        name, words = _read(line)
        log.info("the operator asks for %s", name)
        return {"said": await ACTS[name].run(facade, **words)}
    except Exception as wrong:
        status = act_status(wrong)
        if status is not None:
            return {"refused": str(wrong), "status": status}
        log.exception("an act of the operator failed")
        return {"refused": "That failed; the bot's log says why.", "status": STUMBLED}


def _read(line: bytes) -> tuple[str, Mapping[str, str]]:
    """The act that *line* asks for, and its words; raises ``CommandError``."""
    try:
        asked = json.loads(line)
    except (ValueError, RecursionError):
        asked = None
    match asked:
        case {"act": str(name), "words": dict(words)} if all(
            isinstance(one, str) for one in words.values()
        ):
            pass
        case _:
            raise CommandError("That is no command of the operator.")
    act = ACTS.get(name)
    if act is None or sorted(words) != sorted(act.words):
        raise CommandError(f"The bot that runs is of another release: it knows no such {name!r}.")
    return name, words
