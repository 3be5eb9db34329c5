"""The operator's commands reach the bot that runs by a socket beside its database, or go alone."""

from __future__ import annotations

import asyncio
import socket
import stat
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from bot.app import control_socket as control
from bot.app.control_socket import control_socket, perform
from bot.app.main import ID_FORMS
from bot.app.operator_acts import ACTS
from bot.app.operator_client import (
    ACT_WORDS,
    NoBotRuns,
    ask_bot,
    socket_beside,
    sockets_of,
)
from bot.app.output import REFUSED, STUMBLED, CommandError, UnknownPerson
from bot.app.settings import Settings
from bot.facade import Operator, Thinkers, open_facade
from bot.port import Asker
from storage.errors import DatabaseBusy
from storage.store import Store
from tests import postgres
from tests.databases import database_in, of_files
from tests.fakes import Desk, FakeChat, desk, person
from tests.live_bot import live_bot, until

ANA = replace(person("Ana"), external="id-ana")
WORDS = {"platform": "fake", "external": ANA.external}


def settings(url: str) -> Settings:
    return Settings(_env_file=None, database_url=url)


@asynccontextmanager
async def running(folder: Path) -> AsyncIterator[tuple[Desk, str]]:
    """A bot that runs on the database of *folder* and takes commands, and its address."""
    url = database_in(folder)
    async with desk(folder) as at, control_socket(at.facade.operator, url):
        await at.facade.services.people.of(ANA)
        yield at, url


@of_files
async def test_the_bot_that_runs_does_what_the_operator_asks_for(tmp_path):
    async with running(tmp_path) as (at, url):
        said = await perform(settings(url), "forget", **WORDS)
        assert said.startswith("Forgotten.")
        assert await at.facade.services.people.find(ANA) is None
        with pytest.raises(CommandError, match="Nobody is known") as refused:
            await perform(settings(url), "forget", **WORDS)
        assert refused.value.status == REFUSED


@of_files
async def test_only_the_owner_may_connect_and_the_socket_is_gone_with_the_bot(tmp_path):
    async with running(tmp_path) as (_, url):
        (path,) = sockets_of(url)
        assert path == tmp_path.resolve() / "games.db.sock"
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert sockets_of(url) == ()
    assert sorted(one.name for one in tmp_path.glob("*.sock*")) == []


@of_files
async def test_without_a_bot_the_command_opens_the_database_itself(tmp_path):
    async with running(tmp_path) as (_, url):
        pass
    with pytest.raises(NoBotRuns):
        await asyncio.to_thread(ask_bot, url, "forget", WORDS)
    assert (await perform(settings(url), "forget", **WORDS)).startswith("Forgotten.")
    with pytest.raises(UnknownPerson):
        await perform(settings(url), "forget", **WORDS)


@of_files
async def test_the_socket_of_a_killed_bot_hinders_neither_the_command_nor_the_next_bot(tmp_path):
    async with running(tmp_path) as (_, url):
        pass
    path = socket_beside(url)
    assert path is not None
    dead = socket.socket(socket.AF_UNIX)
    dead.bind(str(path))
    dead.close()
    assert sockets_of(url) == (path,)
    assert (await perform(settings(url), "forget", **WORDS)).startswith("Forgotten.")
    async with running(tmp_path):
        assert (await perform(settings(url), "forget", **WORDS)).startswith("Forgotten.")


@of_files
@pytest.mark.filterwarnings("ignore:Sending a large body")
@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("forget", {"platform": "fake"}),
        ("forget", {**WORDS, "more": "x"}),
        ("__init__", {}),
        ("", WORDS),
        ("forget", {**WORDS, "platform": "x" * (1 << 20)}),
    ],
)
async def test_bad_input_gets_one_sentence_and_changes_nothing(tmp_path, name, words):
    async with running(tmp_path) as (at, url):
        with pytest.raises(CommandError, match=r"\.$") as refused:
            await asyncio.to_thread(ask_bot, url, name, words)
        assert refused.value.status == REFUSED
        assert await at.facade.services.people.find(ANA) is not None


@of_files
async def test_an_act_goes_on_though_its_asker_is_gone_and_the_bot_ends_after_it(
    tmp_path, monkeypatch
):
    begun, done = asyncio.Event(), []

    async def slow(operator: Operator) -> str:
        begun.set()
        await asyncio.sleep(0.05)
        done.append(operator)
        return "Done."

    monkeypatch.setitem(ACTS, "slow", slow)
    monkeypatch.setitem(ACT_WORDS, "slow", ())
    async with running(tmp_path) as (at, url):
        (path,) = sockets_of(url)
        _, writer = await asyncio.open_unix_connection(str(path))
        writer.write(b"POST /slow HTTP/1.0\r\n\r\n")
        await begun.wait()
        writer.close()
    assert done == [at.facade.operator]


@of_files
async def test_what_fails_is_told_by_its_family(tmp_path, monkeypatch, caplog):
    async def busy(operator: Operator) -> str:
        raise DatabaseBusy("The database is locked.")

    async def broken(operator: Operator) -> str:
        raise ZeroDivisionError

    monkeypatch.setitem(ACTS, "busy", busy)
    monkeypatch.setitem(ACT_WORDS, "busy", ())
    monkeypatch.setitem(ACTS, "broken", broken)
    monkeypatch.setitem(ACT_WORDS, "broken", ())
    async with running(tmp_path) as (_, url):
        with pytest.raises(CommandError, match=r"^The database is locked\.$") as refused:
            await asyncio.to_thread(ask_bot, url, "busy", {})
        assert refused.value.status == STUMBLED
        with pytest.raises(CommandError, match="log says why") as refused:
            await asyncio.to_thread(ask_bot, url, "broken", {})
        assert refused.value.status == STUMBLED
    assert "ZeroDivisionError" in caplog.text


@of_files
async def test_a_bot_that_is_killed_in_the_middle_is_told_as_such(tmp_path):
    url = database_in(tmp_path)
    path = socket_beside(url)
    assert path is not None

    async def dies(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readline()
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nForgo")
        writer.transport.abort()

    async with await asyncio.start_unix_server(dies, str(path)):
        with pytest.raises(CommandError, match="ended before it answered") as refused:
            await perform(settings(url), "forget", **WORDS)
    assert refused.value.status == STUMBLED


@of_files
async def test_a_folder_may_have_a_longer_name_than_a_socket(tmp_path):
    folder = tmp_path / ("n" * 120)
    folder.mkdir()
    async with running(folder) as (_, url):
        assert (await perform(settings(url), "forget", **WORDS)).startswith("Forgotten.")


@of_files
async def test_where_no_socket_can_be_made_the_bot_runs_all_the_same(tmp_path, caplog, monkeypatch):
    monkeypatch.setattr(control, "_listening", _refused)
    async with running(tmp_path) as (_, url):
        assert sockets_of(url) == ()
    assert "commands of the operator cannot reach this bot" in caplog.text


def _refused(path: Path) -> socket.socket:
    raise PermissionError(13, "Permission denied", str(path))


@pytest.mark.slow
@pytest.mark.skipif(postgres.programs() is None, reason=postgres.ABSENT)
async def test_on_a_server_any_process_takes_it_and_all_hear_of_it(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    url = postgres.database(str(tmp_path))
    stores = [await Store.open(url, shared=True) for _ in range(2)]
    facades = [await open_facade(store, Thinkers(seconds=0.5), "es") for store in stores]
    try:
        for number, facade in enumerate(facades):
            await facade.start([FakeChat(platform=f"fake{number}")])
        known = [facade.services.people for facade in facades]
        async with (
            control_socket(facades[0].operator, url),
            control_socket(facades[1].operator, url),
        ):
            assert len(sockets_of(url)) == 2
            await _forgotten_by_all(url, known)
        assert sockets_of(url) == ()
        await _forgotten_by_all(url, known)  # by the command itself, beside both
    finally:
        for facade in facades:
            await facade.stop()


async def _forgotten_by_all(url: str, known: list) -> None:
    before = (await known[0].of(ANA)).id
    assert (await known[1].of(ANA)).id == before
    assert (await perform(settings(url), "forget", **WORDS)).startswith("Forgotten.")
    async with asyncio.timeout(5):
        while any([await one.find(ANA) for one in known]):
            await asyncio.sleep(0.01)


async def _met(folder: Path, *others: Asker) -> str:
    """The address of a database that knows Ana and these *others*."""
    async with running(folder) as (at, url):
        for one in others:
            await at.facade.services.people.of(one)
    return url


@of_files
@pytest.mark.slow
def test_a_whole_bot_is_asked_and_after_its_kill_the_command_goes_alone(
    tmp_path, ludoteca, monkeypatch
):
    monkeypatch.setitem(ID_FORMS, "fake", ".+")
    bo = replace(ANA, external="id-bo")
    url = asyncio.run(_met(tmp_path, bo))

    def forgets(external: str) -> int:
        done = ludoteca(tmp_path, "forget", "fake", external, DATABASE_URL=url)
        assert not done.returncode or done.stderr.count("\n") == 1
        return done.returncode

    with live_bot(tmp_path, url) as bot:
        until(bot.answers)
        assert forgets(ANA.external) == 0
        assert bot.said("the operator asks for forget")
        assert forgets(ANA.external) == REFUSED
        bot.process.kill()
        bot.process.wait()
        assert len(sockets_of(url)) == 1
        assert forgets(bo.external) == 0
