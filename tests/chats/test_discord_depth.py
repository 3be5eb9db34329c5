"""How far up a board lies in a channel of Discord, and how seldom Discord is asked for that."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import timedelta
from types import SimpleNamespace

import pytest

from bot.boards import delivery
from bot.chats.discord import DiscordChat, chat
from bot.chats.discord.messages_below_board import EVERY, SOONER, MessagesBelowBoard
from bot.port import Where
from storage import bot_settings
from tests.chats.discord_table import ANA, Table, discord_house, fake_fixture, table_fixture

__all__ = ["fake_fixture", "table_fixture"]

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


async def test_what_a_nonce_brought_back_is_counted_once_and_where_it_lies(scrollback):
    await scrollback.count_below(Channel(10), HERE, "10")
    for again in ("12", "8", "10"):
        scrollback.note_sent(HERE, again)
    assert await scrollback.count_below(Channel(10), HERE, "9") == 2


async def test_an_interaction_need_not_tell(scrollback):
    scrollback.note_channel({})
    scrollback.note_channel({"id": HERE.place, "last_message_id": None})
    assert await scrollback.count_below(Channel(9), HERE, "1") == 8


@pytest.fixture(name="unseen")
def unseen_fixture(at: Table, monkeypatch) -> None:
    """Nobody looks at any table."""
    monkeypatch.setattr(at.facade.services.presence, "looking", lambda *_: 0.0)


async def comes_down(at: Table, monkeypatch, press) -> tuple:
    """The board far up on which *press* plays, and the one that takes its place."""
    old = await at.begun()
    await at.settle()

    async def is_buried(_, where, message, posted):
        return message == old.id

    monkeypatch.setattr(DiscordChat, "is_buried", is_buried)
    known = {*at.fake.messages}
    await press(old)
    await at.fake.until(lambda: any(m.moves for m in at.boards() if m.id not in known))
    (new,) = [m for m in at.boards() if m.id not in known and m.moves]
    return old, new


async def test_a_board_far_up_leads_whoever_pressed_it_to_the_new_one_and_goes(
    at, unseen, monkeypatch
):
    monkeypatch.setattr(delivery, "LEADS", 0.3)
    old, new = await comes_down(at, monkeypatch, at.move)
    await at.fake.until(lambda: "Sigue aquí abajo" in old.text)
    assert f"/{old.channel}/{new.id}" in old.text
    kept = at.facade.chats["discord"].link(
        Where("discord", str(old.channel)), new.id
    )  # without its server
    assert kept in old.text
    assert "@me" not in kept
    assert (old.buttons, old.pictures) == ([], [])
    await at.fake.until(lambda: old.id not in at.fake.messages)
    assert new.id in at.fake.messages


@pytest.mark.parametrize("pressed", [True, False])
async def test_what_leads_on_follows_a_board_that_is_brought_down_again(
    at, unseen, monkeypatch, pressed
):
    old, new = await comes_down(at, monkeypatch, at.move)
    await at.fake.until(lambda: f"/{new.id}" in old.text)
    if not pressed:  # too long ago: where it cannot follow it goes
        monkeypatch.setattr(chat, "READS", timedelta())
    await at.fake.slash(ANA, "board", {})
    await at.fake.until(lambda: new.id not in at.fake.messages)
    if pressed:
        (last,) = [one for one in at.boards() if one.moves]
        await at.fake.until(lambda: f"/{last.id}" in old.text, 8)
    else:
        await at.fake.until(lambda: old.id not in at.fake.messages, 8)


async def test_a_board_that_leads_on_goes_after_a_restart_too(at, unseen, monkeypatch, tmp_path):
    old, new = await comes_down(at, monkeypatch, at.move)
    await at.fake.until(lambda: "Sigue aquí abajo" in old.text)
    await at.settle()
    await at.facade.stop()
    assert old.id in at.fake.messages
    at.fake.socket = None
    async with discord_house(tmp_path) as facade:
        await at.fake.until(lambda: old.id not in at.fake.messages)
        assert new.id in at.fake.messages
        await facade.settled()
        assert not await facade.store.read(bot_settings.list_settings, delivery.LEAD)


async def test_a_board_that_nobody_pressed_goes_at_once(at, unseen, monkeypatch):
    async def press(old):
        monkeypatch.setattr(chat, "READS", timedelta())
        await at.typed(old)

    old, _ = await comes_down(at, monkeypatch, press)
    await at.fake.until(lambda: old.id not in at.fake.messages)
    assert "Sigue aquí abajo" not in old.text
