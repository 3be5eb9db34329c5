"""The processes on one database: who takes what another had, and whose turn it is."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import pytest

from storage import Store
from storage.database import server_process_cluster as server_cluster
from storage.database.process_cluster import Cluster
from tests import postgres

FILES = True  # the addresses are this module's own

pytestmark = pytest.mark.skipif(postgres.programs() is None, reason=postgres.ABSENT)


@dataclass
class Noted:
    """Duties that are noted and nothing else."""

    wrong: list[str] = field(default_factory=list)

    async def take(self, names: Sequence[str]) -> None:
        pass

    async def drop(self, name: str) -> None:
        pass

    async def take_over(self) -> None:
        pass

    def catch_up(self) -> None:
        pass

    def stop(self, why: str) -> None:
        self.wrong.append(why)


@asynccontextmanager
async def member(address: str, *wanted: str) -> AsyncIterator[Cluster]:
    """A process that would do what is *wanted*."""
    store = await Store.open(address, shared=True)
    noted = Noted()
    await store.cluster.begin(wanted, noted)
    try:
        yield store.cluster
    finally:
        await store.cluster.leave()
        await store.close()
        assert not noted.wrong


async def until(true: Callable[[], object]) -> None:
    """Wait until *true* answers so."""
    async with asyncio.timeout(60):
        while not true():
            await asyncio.sleep(0.02)


async def given_up(fleet: Cluster) -> None:
    """Wait for a turn that another has, and no longer."""
    waiting = asyncio.create_task(fleet.turn("identify", 3600.0))
    await asyncio.sleep(0.1)
    assert not waiting.done()
    waiting.cancel()
    await asyncio.gather(waiting, return_exceptions=True)


async def test_what_becomes_free_is_taken_also_where_others_have_what_comes_before_it(
    address: str,
) -> None:
    async with (
        member(address, "first"),
        member(address, "second"),
        member(address, "third") as third,
        member(address, "first", "second", "third") as last,
    ):
        assert not any(map(last.holds, last.wanted))
        await third.leave()
        await until(lambda: last.holds("third"))


async def test_a_turn_lasts_though_the_process_that_had_it_is_gone(address: str) -> None:
    async with member(address) as other:
        async with member(address) as one:
            await one.turn("identify", 3600.0)
            await other.turn("something else", 3600.0)
        await given_up(other)
        assert await asyncio.wait_for(other.turn("identify", 0.0), 60) is None


async def test_whoever_is_gone_while_he_waits_for_his_turn_keeps_nobody(address: str) -> None:
    async with member(address) as other, member(address) as one:
        await one.turn("identify", 0.0)
        await given_up(one)
        assert await asyncio.wait_for(other.turn("identify", 0.0), 60) is None


async def test_who_has_two_shares_more_gives_one_away(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server_cluster, "BEAT", 0.1)
    monkeypatch.setattr(server_cluster, "GIVEN", 1.0)
    shares = [f"chat/{number}" for number in range(5)]
    async with member(address, "clock", *shares) as one:
        assert all(map(one.holds, one.wanted))
        async with member(address, *shares) as two:
            await until(lambda: sum(map(two.holds, shares)) == 2)
            await until(lambda: sum(map(one.holds, shares)) == 3)
            assert one.holds("clock")
        await until(lambda: all(map(one.holds, shares)))


async def cut_off(address: str, *members: Cluster) -> None:
    """Let the server end every connection, as when it is restarted; *members* come back."""
    before = [one._connection for one in members]
    name = address.rpartition("/")[2]
    postgres.spoken(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
        f"WHERE datname = '{name}' AND pid <> pg_backend_pid()"
    )
    for member, connection in zip(members, before, strict=True):
        await until(lambda m=member, c=connection: m._connection not in (None, c))


@pytest.fixture
def quickly(monkeypatch):
    """Beats and terms that a test can wait for."""
    monkeypatch.setattr(server_cluster, "BEAT", 0.1)
    monkeypatch.setattr(server_cluster, "TERM", 1.5)


@pytest.mark.usefixtures("quickly")
async def test_who_is_connected_again_first_buries_nobody_who_is_about_to_come_back(
    address, monkeypatch
):
    async with member(address, "clock") as first, member(address, "chat:web") as second:
        await until(lambda: first.lives(second.number) and second.lives(first.number))
        enter = second._enter

        async def late() -> None:
            await asyncio.sleep(0.7)
            await enter()

        monkeypatch.setattr(second, "_enter", late)
        await cut_off(address, first, second)
        await asyncio.sleep(0.3)
        assert first.lives(second.number)
        assert second.holds("chat:web")


@pytest.mark.slow
@pytest.mark.usefixtures("quickly")
async def test_who_does_not_come_back_is_buried_a_term_after_ones_own_reconnection(address):
    async with member(address, "clock") as first:
        gone = await Store.open(address, shared=True)
        await gone.cluster.begin(("chat:web",), Noted())
        number = gone.cluster.number
        await until(lambda: first.lives(number))
        gone.cluster._running.cancel()
        await cut_off(address, first)
        began = asyncio.get_running_loop().time()
        await until(lambda: not first.lives(number))
        assert asyncio.get_running_loop().time() - began > 1.0
        await gone.cluster._give_broken_back()
        await gone.cluster._engine.dispose()
        await gone.close()


async def test_who_loses_the_connection_while_he_waits_to_speak_says_nothing(address):
    async with member(address) as one:
        async with one._talking:
            saying = asyncio.create_task(one.say("anything"))
            await asyncio.sleep(0)
            one._lose_connection()
        assert await saying is None


@asynccontextmanager
async def on_machine(address: str, machine: str) -> AsyncIterator[Cluster]:
    """A process on a *machine*."""
    store = await Store.open(address, shared=True)
    store.cluster.machine = machine
    await store.cluster.begin((), Noted())
    try:
        yield store.cluster
    finally:
        await store.cluster.leave()
        await store.close()


@pytest.mark.sampled
@pytest.mark.parametrize(("total", "parts"), [(8, [3, 3, 2]), (3, [1, 1, 1]), (1, [1, 1, 1])])
async def test_the_processes_of_one_machine_divide_its_processors(
    address: str, total: int, parts: list[int]
) -> None:
    async with on_machine(address, "one") as first, on_machine(address, "other") as elsewhere:
        assert first.portion(total) == total
        async with on_machine(address, "one") as second, on_machine(address, "one") as third:
            mine = (first, second, third)
            await until(lambda: [one.portion(total) for one in mine] == parts)
            assert elsewhere.portion(total) == total
        await until(lambda: first.portion(total) == total)
