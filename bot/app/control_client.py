"""What a command of the operator changes, done by the bot that runs or, where none does, by us."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress

from bot.app.control_address import short_address, sockets_of
from bot.app.control_server import LARGEST
from bot.app.operator_acts import ACTS
from bot.app.output import STUMBLED, CommandError
from bot.app.settings import Settings
from bot.facade import Facade, Thinkers, open_facade
from storage import Store

PATIENCE = 300.0
"""Seconds in which the bot must have answered: who sits at many tables takes a while."""


class NoBotRuns(Exception):
    """No process listens for this database on this machine."""


async def perform(settings: Settings, name: str, **words: str) -> str:
    """Let the act *name* be done, by the bot that runs or, where none does, by ourselves.

    Answers its sentence; raises ``CommandError``, or ``StorageError`` if the database is missing,
    of another release, or in use by a process that cannot be asked. Then nothing is changed.
    """
    try:
        return await ask_bot(settings.database_url, name, words)
    except NoBotRuns:
        async with _own_facade(settings) as facade:
            return await ACTS[name].run(facade, **words)


@asynccontextmanager
async def _own_facade(settings: Settings) -> AsyncIterator[Facade]:
    """A facade that is not started, on a database that is there.

    On a server it stands beside processes of other machines, which hear of what it changes.
    """
    await (await Store.open(settings.database_url, readonly=True)).close()
    store = await Store.open(settings.database_url, shared=True)
    try:
        facade = await open_facade(store, Thinkers(), settings.ludoteca_language)
        try:
            await facade.heartbeat.go_on()
            yield facade
        finally:
            await facade.stop()
    finally:
        await store.close()


async def ask_bot(url: str, name: str, words: Mapping[str, str]) -> str:
    """What the bot that runs on the database at *url* says when it has done the act *name*.

    Raises ``NoBotRuns``, or ``CommandError`` with what it refuses.
    """
    for path in sockets_of(url):
        try:
            with short_address(path) as address:
                reader, writer = await asyncio.open_unix_connection(address, limit=LARGEST)
        except (ConnectionRefusedError, FileNotFoundError):
            continue  # of a killed process
        except OSError as wrong:
            raise CommandError(
                f"The bot that runs cannot be reached by {path}: {wrong.strerror}; give the "
                "command as the user of the bot."
            ) from None
        try:
            return _told(await _answer(reader, writer, name, words))
        finally:
            writer.close()
            with suppress(OSError):
                await writer.wait_closed()
    raise NoBotRuns


async def _answer(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, name: str, words: Mapping[str, str]
) -> bytes:
    line = json.dumps({"act": name, "words": dict(words)}).encode() + b"\n"
    if len(line) > LARGEST:
        raise CommandError("That is more than the bot takes at once.")
    try:
        async with asyncio.timeout(PATIENCE):
            writer.write(line)
            await writer.drain()
            return await reader.readline()
    except TimeoutError:
        raise CommandError(
            f"The bot has not answered in {PATIENCE:.0f} seconds.", STUMBLED
        ) from None
    except (OSError, ValueError):
        return b""


def _told(line: bytes) -> str:
    """What the bot has answered; raises ``CommandError`` where it refuses, or was killed."""
    try:
        answer = json.loads(line)
    except ValueError:
        answer = None
    match answer:
        case {"said": str(said)}:
            return said
        case {"refused": str(why), "status": int(status)}:
            raise CommandError(why, status)
    raise CommandError(
        "The bot ended before it answered; look whether it was done before you say it again.",
        STUMBLED,
    )
