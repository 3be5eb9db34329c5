"""A chat of which each of several processes has a share, as with the shards of Discord."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from bot.chats.discord.client import divide_shards, shard_of
from bot.chats.discord.reading import SERVER
from bot.port import Command
from storage.database import server_process_cluster as server_cluster
from tests import postgres
from tests.chats.fleets import killed, process, until
from tests.chats.pages import Server
from tests.fakes import FakeChat, Where, person

on_a_server = pytest.mark.skipif(postgres.programs() is None, reason=postgres.ABSENT)

SHARES = ("0", "1", "2", "3")
PLACES = {share: Where("fake", f"group-{share}") for share in SHARES}
NEREA = person("Nerea")


@dataclass
class SharedChat(FakeChat):
    """A chat whose places end with the names of their shares."""

    shares: tuple[str, ...] = SHARES
    has: set[str] = field(default_factory=set)

    def share_of(self, home: str) -> str:
        return home[-1]

    async def take(self, share: str) -> None:
        self.has.add(share)

    async def drop(self, share: str) -> None:
        self.has.remove(share)


@pytest.mark.parametrize("count", [1, 2, 3, 15, 16, 17, 40, 1000])
def test_every_shard_is_in_one_range_and_ranges_are_alike(count: int) -> None:
    ranges = divide_shards(count)
    assert [shard for one in ranges for shard in one.ids] == list(range(count))
    lengths = {len(one.ids) for one in ranges}
    assert max(lengths) - min(lengths) <= 1
    assert len(ranges) == min(count, 16)
    assert len({one.name for one in ranges}) == len(ranges)


def test_ranges_of_another_number_of_shards_are_called_otherwise() -> None:
    assert {one.name for one in divide_shards(4)}.isdisjoint(one.name for one in divide_shards(8))


def test_a_server_has_its_shard_and_a_private_chat_the_first() -> None:
    # https://discord.com/developers/docs/events/gateway#sharding
    assert shard_of(f"{SERVER}{197038439483310086}", 16) == (197038439483310086 >> 22) % 16
    assert {shard_of(f"{SERVER}{n << 22}", 4) for n in range(100)} == {0, 1, 2, 3}
    assert shard_of("197038439483310086", 16) == 0


def held(*ones: Server) -> list[str]:
    """All that *ones* have, what two have twice."""
    return sorted(share for one in ones for share in one.facade.chats["fake"].has)


async def shared_out(*ones: Server) -> None:
    """Wait until each has his portion, and nobody what another one has."""
    least = len(SHARES) // len(ones)

    def even() -> bool:
        return all(len(held(one)) >= least for one in ones) and held(*ones) == list(SHARES)

    await until(even)


@pytest.fixture
def quick_beats(monkeypatch: pytest.MonkeyPatch) -> None:
    """Processes look around ten times as often, and soon take back what nobody took."""
    monkeypatch.setattr(server_cluster, "BEAT", 0.1)
    monkeypatch.setattr(server_cluster, "GIVEN", 1.0)


@pytest.mark.slow
@on_a_server
@pytest.mark.usefixtures("quick_beats")
async def test_whoever_joins_gets_his_portion_and_whoever_dies_leaves_it(address: str) -> None:
    first, second = SharedChat(), SharedChat()
    async with process(address, first) as one:
        assert held(one) == list(SHARES)
        async with process(address, second) as two:
            await shared_out(one, two)
            async with process(address, SharedChat()) as three:
                await shared_out(one, two, three)
            await shared_out(one, two)
            await killed(two)
            second.has.clear()
            await until(lambda: first.has == set(SHARES))


@on_a_server
async def test_a_board_is_shown_by_whoever_has_its_share_and_by_nobody_else(address: str) -> None:
    first, second = SharedChat(), SharedChat()
    async with process(address, first) as one, process(address, second) as two:
        await shared_out(one, two)
        for number, where in enumerate(PLACES.values()):
            asked = Command(f"u{number}", where, NEREA, "play", {"game": "niya"})
            await one.facade.requests.call(asked)
        await until(lambda: len(first.messages) + len(second.messages) == len(SHARES))
        for chat in (first, second):
            assert {message.where.place[-1] for message in chat.messages.values()} == chat.has
