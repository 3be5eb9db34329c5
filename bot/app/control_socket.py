"""The control socket: takes the operator's commands for the bot that runs.

A form posted over HTTP asks for one of ``operator_acts.ACTS``: ``/forget`` with the fields
``platform=discord&external=123``. The answer is what is said, and in ``STATUS`` the exit status of
the command. Beside a file of SQLite there is one socket; on a database of a server each process has
one in its folder. Only the user of the bot may connect.

The operator's command asks there; where no bot runs, it does the act itself.
"""

from __future__ import annotations

import asyncio
import logging
import os
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from functools import partial
from pathlib import Path

from aiohttp import web

from bot.app.operator_acts import ACTS, act_status
from bot.app.operator_client import (
    ACT_WORDS,
    STATUS,
    NoBotRuns,
    ask_bot,
    short_address,
    socket_beside,
    sockets_of,
)
from bot.app.output import REFUSED, STUMBLED, CommandError
from bot.app.settings import Settings
from bot.app.shell_texts import shell_sentence
from bot.facade import Operator, Thinkers, open_facade
from storage import Store

log = logging.getLogger(__name__)

SILENCE = 5.0
"""Seconds in which a socket that is not dead takes a connection."""

ENDING = 10.0
"""Seconds that a running act has where the bot ends."""


@asynccontextmanager
async def control_socket(operator: Operator, url: str) -> AsyncIterator[None]:
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
    server = web.Server(partial(_serve, operator), access_log=None)
    listener = await asyncio.get_running_loop().create_unix_server(server, sock=listening)
    try:
        yield
    finally:
        # The name goes first, so that nobody asks a bot that takes nothing more.
        with suppress(OSError):
            path.unlink()
        listener.close()
        await server.shutdown(ENDING)


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
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as asking, suppress(OSError):
            asking.settimeout(SILENCE)
            try:
                with short_address(path) as address:
                    asking.connect(address)
            except ConnectionRefusedError:
                path.unlink(missing_ok=True)


async def _serve(operator: Operator, request: web.BaseRequest) -> web.Response:
    """Do what *request* asks for, whether or not its asker waits for the answer."""
    name, status = request.path[1:], 0
    act = ACTS.get(name)
    try:
        words = await request.post()
        if act is None:
            raise CommandError(shell_sentence("no-act"))
        if sorted(words) != sorted(ACT_WORDS[name]):
            raise CommandError(shell_sentence("other-release", name=name))
        log.info("the operator asks for %s", name)
        said = await act(operator, **words)
    except web.HTTPRequestEntityTooLarge:
        said, status = shell_sentence("too-much"), REFUSED
    except Exception as wrong:
        said, status = str(wrong), act_status(wrong) or 0
        if not status:
            log.exception("an act of the operator failed")
            said, status = shell_sentence("act-failed"), STUMBLED
    return web.Response(text=said, headers={STATUS: f"{status}"})


async def perform(settings: Settings, name: str, **words: str) -> str:
    """Let the act *name* be done, by the bot that runs or, where none does, by ourselves.

    Answers its sentence; raises ``CommandError``, or ``StorageError`` if the database is missing,
    of another release, or in use by a process that cannot be asked. Then nothing is changed.
    """
    try:
        return await asyncio.to_thread(ask_bot, settings.database_url, name, words)
    except NoBotRuns:
        async with _own_house(settings) as operator:
            return await ACTS[name](operator, **words)


@asynccontextmanager
async def _own_house(settings: Settings) -> AsyncIterator[Operator]:
    """The operator's part of a facade that is not started, on a database that is there.

    On a server it stands beside processes of other machines, which hear of what it changes.
    """
    await (await Store.open(settings.database_url, readonly=True)).close()
    async with await Store.open(settings.database_url, shared=True) as store:
        facade = await open_facade(store, Thinkers(), settings.ludoteca_language)
        try:
            await facade.process_duties.heartbeat.go_on()
            yield facade.operator
        finally:
            await facade.stop()
