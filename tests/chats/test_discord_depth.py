"""How far up a board lies in a channel of Discord, and how seldom Discord is asked for that."""

from __future__ import annotations

from collections.abc import AsyncIterator
from types import SimpleNamespace

import pytest

from bot.chats.discord.messages_below_board import EVERY, SOONER, MessagesBelowBoard
from bot.port import Where

HERE = Where("discord", "300")


class Channel:
    """A channel with the messages 1 to *newest*, which counts how often it is asked."""

    def __init__(self, newest: int) -> None:
        self.newest = newest
        self.asked = 0

    def get_partial_messageable(self, number: int) -> Channel:
        assert number == int(HERE.place)
        return self

    async def history(self, limit: int) -> AsyncIterator[SimpleNamespace]:
        self.asked += 1
        for number in range(self.newest, max(0, self.newest - limit), -1):
            yield SimpleNamespace(id=number)

    def told(self) -> dict[str, object]:
        """How an interaction describes the channel."""
        return {"id": HERE.place, "last_message_id": str(self.newest)}


class Clock:
    def __init__(self) -> None:
        self.seconds = 100.0

    def __call__(self) -> float:
        return self.seconds


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def scrollback(clock) -> MessagesBelowBoard:
    return MessagesBelowBoard(clock)


async def test_a_place_is_asked_once_a_minute(scrollback, clock):
    channel = Channel(10)
    for seconds in (0.0, EVERY - 1.0):
        clock.seconds = 100.0 + seconds
        assert await scrollback.count_below(channel, HERE, "4") == 6
    assert channel.asked == 1
    clock.seconds += 1.0
    await scrollback.count_below(channel, HERE, "4")
    assert channel.asked == 2


async def test_it_is_asked_sooner_when_an_interaction_tells_of_something_newer(scrollback, clock):
    channel = Channel(10)
    await scrollback.count_below(channel, HERE, "10")
    channel.newest = 50
    clock.seconds += SOONER
    assert await scrollback.count_below(channel, HERE, "10") == 0
    scrollback.note_channel(channel.told())
    assert await scrollback.count_below(channel, HERE, "10") == 40
    assert channel.asked == 2


async def test_a_flood_of_messages_does_not_make_us_ask_without_end(scrollback, clock):
    channel = Channel(10)
    for newest in range(10, 10 + int(SOONER)):
        channel.newest = newest
        scrollback.note_channel(channel.told())
        await scrollback.count_below(channel, HERE, "4")
        clock.seconds += 1.0
    assert channel.asked == 1


async def test_what_we_say_ourselves_is_counted_and_not_asked_for(scrollback, clock):
    channel = Channel(10)
    await scrollback.count_below(channel, HERE, "10")
    channel.newest = 11
    scrollback.note_sent(HERE, "11")
    scrollback.note_channel(channel.told())
    clock.seconds += SOONER
    assert await scrollback.count_below(channel, HERE, "10") == 1
    scrollback.note_removed(HERE, "11")
    assert await scrollback.count_below(channel, HERE, "11") == 0


async def test_an_interaction_need_not_tell(scrollback):
    scrollback.note_channel({})
    scrollback.note_channel({"id": HERE.place, "last_message_id": None})
    assert await scrollback.count_below(Channel(9), HERE, "1") == 8
