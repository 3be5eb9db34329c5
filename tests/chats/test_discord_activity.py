"""The Activity on Discord: its Entry Point is kept, and opened where Activities are on."""

from __future__ import annotations

import pytest

from bot.chats.discord import DiscordChat
from bot.port import Asker
from tests.chats.discord_table import (  # noqa: F401
    ANA,
    BEA,
    Table,
    discord_house,
    fake_fixture,
)
from tests.chats.fake_discord import CHANNEL, ENTRY, LAUNCH, FakeDiscord

OPEN = "Abrir el tablero"


def entries(fake: FakeDiscord) -> list[dict]:
    return [one for one in fake.commands if one["type"] == ENTRY]


def commands(fake: FakeDiscord) -> set[tuple[str, int]]:
    return {(one["name"], one["type"]) for one in fake.commands}


@pytest.fixture(name="inside")
async def inside_fixture(fake, tmp_path):
    """A house whose application has Activities."""
    fake.switch_activities()
    async with discord_house(tmp_path) as facade:
        await fake.until(lambda: fake.socket is not None)
        yield Table(fake, facade)


@pytest.fixture(name="outside")
async def outside_fixture(fake, tmp_path):
    """A house whose application has none."""
    async with discord_house(tmp_path) as facade:
        await fake.until(lambda: fake.socket is not None)
        yield Table(fake, facade)


# ---------------------------------------------------------------- the commands


async def test_with_activities_on_the_commands_are_sent_and_the_entry_point_stays(inside):
    assert ("play", 1) in commands(inside.fake)
    assert [one["handler"] for one in entries(inside.fake)] == [1]
    assert (OPEN, 3) not in commands(inside.fake)
    assert ("Open the board", 3) in commands(inside.fake)


@pytest.mark.slow
async def test_the_entry_point_survives_twenty_starts_and_is_sent_once(fake, tmp_path):
    fake.switch_activities()
    for _ in range(20):
        async with discord_house(tmp_path):
            pass
        assert len(entries(fake)) == 1
    assert fake.pushes == 1


async def test_the_entry_point_survives_three_releases_of_changed_commands(
    fake, tmp_path, monkeypatch
):
    fake.switch_activities()
    for release in range(3):
        monkeypatch.setattr("bot.chats.discord.commands.REGISTERED", f"release {release}")
        async with discord_house(tmp_path):
            pass
        assert fake.pushes == release + 1
        assert [(one["name"], one["handler"]) for one in entries(fake)] == [("launch", 1)]


async def test_an_entry_point_that_discord_opens_itself_again_is_taken_back(fake, tmp_path):
    fake.switch_activities()
    async with discord_house(tmp_path):
        pass
    entries(fake)[0]["handler"] = 2
    async with discord_house(tmp_path):
        pass
    assert [one["handler"] for one in entries(fake)] == [1]


async def test_who_has_a_spanish_client_finds_the_entry_point_by_a_spanish_name(fake, tmp_path):
    fake.switch_activities()
    for _ in range(2):
        async with discord_house(tmp_path):
            pass
        (kept,) = entries(fake)
        assert kept["name_localizations"] == {"es-ES": "abrir", "es-419": "abrir"}
    assert fake.pushes == 1


async def test_a_renamed_entry_point_keeps_its_name(fake, tmp_path):
    fake.switch_activities()
    entries(fake)[0] |= {"name": "mesa", "name_localizations": {"es-ES": "tablero"}}
    async with discord_house(tmp_path):
        pass
    (kept,) = entries(fake)
    assert (kept["name"], kept["name_localizations"]) == ("mesa", {"es-ES": "tablero"})


async def test_an_entry_point_of_which_the_flags_say_nothing_hinders_no_command(fake, tmp_path):
    """The flag might be absent: then the Entry Point stays Discord's own, and all else is sent."""
    fake.switch_activities()
    fake.flags_tell = False
    async with discord_house(tmp_path):
        pass
    assert ("play", 1) in commands(fake)
    assert [one["handler"] for one in entries(fake)] == [2]
    assert ("Open the board", 3) not in commands(fake)


async def test_with_activities_off_nothing_of_them_is_sent_or_asked(outside):
    assert not any(kind == ENTRY for _, kind in commands(outside.fake))
    assert ("Open the board", 3) not in commands(outside.fake)
    assert outside.fake.count(r"GET /applications/\d+/commands") == 0


# ---------------------------------------------------------------- opening it


async def test_the_entry_point_opens_the_activity(inside):
    asked = await inside.fake.ask(ANA, 2, {"id": "1", "name": "launch", "type": ENTRY})
    await inside.fake.until(lambda: asked.type is not None)
    assert asked.type == LAUNCH


async def test_the_button_of_a_board_opens_the_activity_at_its_table(inside):
    message = await inside.begun()
    asked = await inside.fake.press(ANA, message, message.button(OPEN)["custom_id"])
    assert asked.type == LAUNCH
    table = (await inside.table(message)).code
    ana = Asker("discord", ANA["id"], "Ana")
    assert inside.facade.pages.launches.take(ana) == table
    assert inside.facade.pages.launches.take(ana) == ""


async def test_the_shelf_has_the_button(inside):
    asked = await inside.fake.slash(ANA, "play")
    pressed = await inside.fake.press(ANA, asked.message, asked.message.button(OPEN)["custom_id"])
    assert pressed.type == LAUNCH


async def test_the_menu_of_a_message_opens_the_activity_at_its_table(inside):
    message = await inside.begun()
    shown = {**inside.fake.out(message), "channel_id": CHANNEL}
    data = {
        "id": "1",
        "name": "Open the board",
        "type": 3,
        "target_id": message.id,
        "resolved": {"messages": {message.id: shown}},
    }
    asked = await inside.fake.ask(BEA, 2, data)
    await inside.fake.until(lambda: asked.type is not None)
    assert asked.type == LAUNCH
    code = (await inside.table(message)).code
    assert inside.facade.pages.launches.take(Asker("discord", BEA["id"], "Bea")) == code


async def test_the_board_goes_on_by_the_press_before_a_launch(inside):
    """A launch has no message that a later edit could become."""
    message = await inside.begun()
    tickets = inside.facade.chats["discord"]._inbound.access.tickets
    before = tickets.of_message(message.id)
    await inside.fake.press(ANA, message, message.button(OPEN)["custom_id"])
    assert tickets.of_message(message.id) == before


@pytest.mark.slow
async def test_with_activities_off_no_board_and_no_shelf_has_the_button(outside):
    message = await outside.begun()
    asked = await outside.fake.slash(ANA, "play")
    labels = [one["label"] for one in (*message.buttons, *asked.message.buttons)]
    assert OPEN not in labels


async def test_switched_off_later_the_answer_is_a_sentence_and_the_button_goes(inside):
    message = await inside.begun()
    inside.fake.activities = False
    asked = await inside.fake.press(ANA, message, message.button(OPEN)["custom_id"])
    assert asked.type == 4
    assert asked.message.ephemeral
    assert "Aquí no puedo abrirlo" in asked.message.text
    await inside.move(message)
    assert OPEN not in [one["label"] for one in message.buttons]
    assert DiscordChat.capabilities.opens_page is False
