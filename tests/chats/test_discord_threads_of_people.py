"""Threads that people made: to which channel they belong is learned of whoever acts there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from bot.port import Where
from bot.service.place.places import CHANNEL, HOME
from tests.drives.discord_house import SKIP, House, house

pytestmark = SKIP


def thread_of(at: House, kind: int = 11) -> dict[str, Any]:
    fake = at.fake
    more = {"parent": fake.channel["id"], "owner_id": fake.A["id"]}
    made: dict[str, Any] = fake.add_channel(fake.guild, "t", type=kind, **more)
    return made


def place_of(channel: dict[str, Any]) -> Where:
    return Where("discord", channel["id"])


async def read_with(at: House, channel: dict[str, Any]) -> set[str]:
    """The places that whoever reads *channel* reads."""
    found = await at.facade.services.places.with_threads(place_of(channel))
    return {one.place for one in found}


async def test_a_thread_belongs_to_its_channel_once_somebody_plays_there(tmp_path: Path) -> None:
    async with house(tmp_path) as at:
        public, private = thread_of(at), thread_of(at, 12)
        for thread in (public, private):
            await at.begun(channel=thread)
        assert await read_with(at, at.fake.channel) == {at.fake.channel["id"], public["id"]}
        assert await read_with(at, public) == {public["id"]}


@pytest.mark.slow
async def test_what_the_gateway_tells_of_threads_is_noted_at_the_start(tmp_path: Path) -> None:
    async with house(tmp_path) as at:
        public, private, unplayed = thread_of(at), thread_of(at, 12), thread_of(at)
        for thread in (public, private):
            await at.begun(channel=thread)
            # As an earlier release has noted it, which asked nobody for the channel.
            settings = {HOME: f"server-{at.fake.guild['id']}"}
            await at.facade.store.write(
                at.facade.services.places.put, place_of(thread), settings=settings
            )
        assert await read_with(at, at.fake.channel) == {at.fake.channel["id"]}
        (client,) = at.facade.services.chats["discord"]._list_clients()
        await at.fake.add_to_thread(private, at.fake.bot)
        for thread in (public, unplayed):
            await at.fake.set_thread(thread, archived=False)  # it is told of again
        for thread in (public, private, unplayed):
            await at.until(lambda number=int(thread["id"]): client.get_channel(number) is not None)
        await client.on_ready()
        assert await read_with(at, at.fake.channel) == {at.fake.channel["id"], public["id"]}
        row = await at.facade.services.places.at(place_of(unplayed))
        assert CHANNEL not in row.settings
