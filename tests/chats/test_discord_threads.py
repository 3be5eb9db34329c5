"""A thread for each table: made where a server wants it, led to, and left when the game is over."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from bot.port import Asker, Home, Where
from bot.service.place.places import LEFT, PART
from storage.records import AlertRow
from storage.table import open_table_alerts
from tests.chats.discord_messages import Failure, Shown
from tests.chats.discord_table import (  # noqa: F401
    ANA,
    BEA,
    EVA,
    HERE,
    Table,
    discord_house,
    fake_fixture,
    table_fixture,
)
from tests.chats.fake_discord import CHANNEL, EVERYTHING, HOME
from tests.chats.test_discord_settings import MANAGES, opened
from tests.chats.test_discord_setup import sheet

NO_THREADS = str(int(EVERYTHING) & ~(1 << 35))
"""All permissions but to create public threads."""


async def wanted(at: Table) -> None:
    """Let the server want a thread for each table."""
    asked = await at.fake.slash(ANA, "settings", permissions=MANAGES)
    *_, button = asked.message.buttons
    await at.fake.press(ANA, asked.message, button["custom_id"], permissions=MANAGES)
    form = await opened(at, asked.message, "Mesas…")
    await at.fake.send_choices(ANA, form, {"Un hilo por mesa": "sí"}, permissions=MANAGES)


def board_in(at: Table, thread: str) -> Shown:
    """The board that stands in *thread*."""
    (board,) = boards_in(at, thread)
    return board


def boards_in(at: Table, place: str) -> list[Shown]:
    """What everybody sees in *place* besides words."""
    shown = (m for m in at.fake.messages.values() if m.channel == place and m.parts(17))
    return [message for message in shown if not message.ephemeral]


async def begun(at: Table, **more: Any) -> tuple[str, Shown]:
    """A table of Niya that Ana opens for Bea: its thread and its board."""
    wish = {"game": "niya", "opponent": BEA, "rated": "no"}
    await at.fake.slash(ANA, "play", wish, **more)
    await at.settle()
    (thread,) = at.fake.threads
    return thread, board_in(at, thread)


async def test_a_table_gets_a_thread_and_its_people_are_brought_there(at):
    await wanted(at)
    asked = await at.fake.slash(ANA, "play", {"game": "niya", "opponent": BEA})
    await at.settle()
    (number,) = at.fake.threads
    thread, board = at.fake.threads[number], board_in(at, number)
    assert thread.channel == CHANNEL
    assert thread.name.startswith("Niya · Ana – Bea · ")
    assert thread.people == ["11", "12"]
    assert "<@12>" in board.text
    assert asked.message.ephemeral, "Discord itself tells the channel of a new thread"
    assert asked.message.text.endswith(f"https://discord.com/channels/{HOME}/{number}")
    assert boards_in(at, CHANNEL) == []


@pytest.mark.slow
async def test_a_sheet_leads_to_the_thread_as_well(at):
    await wanted(at)
    shown = await sheet(at)
    await at.fake.press(ANA, shown, shown.button("Abrir la mesa")["custom_id"])
    await at.settle()
    (number,) = at.fake.threads
    assert number in shown.text
    assert board_in(at, number).buttons


@pytest.mark.slow
async def test_a_game_in_a_thread_is_played_and_called_there_also_after_a_restart(at, tmp_path):
    await wanted(at)
    thread, board = await begun(at)
    await at.fake.press(BEA, board, board.button("Aceptar")["custom_id"])
    await at.fake.until(lambda: board.moves)
    await at.facade.stop()
    async with discord_house(tmp_path) as facade:
        again = Table(at.fake, facade)
        writes = board.writes
        await at.fake.press(again.mover(board), board, board.moves[0]["custom_id"])
        await at.fake.until(lambda: board.writes > writes)
        assert await facade.services.places.within(Where("discord", thread)) == CHANNEL


@pytest.mark.slow
async def test_a_thread_goes_an_hour_after_its_game_and_stays_for_the_rematch(at):
    await wanted(at)
    thread, board = await begun(at)
    await at.fake.press(BEA, board, board.button("Aceptar")["custom_id"])
    await at.fake.until(lambda: board.moves)
    assert at.fake.threads[thread].minutes == 10080
    asked = await at.fake.slash(ANA, "resign", {}, channel=thread)
    await at.fake.press(ANA, asked.message, asked.message.buttons[0]["custom_id"])
    await at.settle()
    places, where = at.facade.services.places, Where("discord", thread)
    assert at.fake.threads[thread].minutes == 60
    assert (await places.at(where)).settings[LEFT] == CHANNEL
    again = board.button("Revancha")["custom_id"]
    for person in (ANA, BEA):
        await at.fake.press(person, board, again)
    await at.settle()
    assert at.fake.threads[thread].minutes == 10080
    assert (await places.at(where)).settings[PART] == CHANNEL


@pytest.mark.slow
async def test_without_the_permission_the_table_stays_in_the_channel_with_a_sentence(at):
    await wanted(at)
    asked = await at.fake.slash(
        ANA, "play", {"game": "niya", "opponent": BEA}, app_permissions=NO_THREADS
    )
    await at.fake.until(lambda: asked.said)
    assert at.fake.threads == {}
    assert asked.message.buttons
    (said,) = asked.said
    assert said.ephemeral
    assert "«Crear hilos públicos»" in said.text


@pytest.mark.slow
@pytest.mark.parametrize(
    ("status", "code", "words"),
    [(403, 50013, "me falta el permiso"), (400, 160006, "No he podido abrir un hilo")],
)
async def test_a_thread_that_discord_refuses_leaves_the_table_in_the_channel(
    at, status, code, words
):
    await wanted(at)
    at.fake.failing.append(Failure(r"POST /channels/\d+/threads", status, code))
    asked = await at.fake.slash(ANA, "play", {"game": "niya", "opponent": BEA})
    await at.fake.until(lambda: asked.said)
    assert words in asked.said[0].text
    assert asked.message.buttons


@pytest.mark.slow
async def test_a_table_that_is_not_opened_after_all_leaves_no_thread_behind(at, monkeypatch):
    await wanted(at)

    async def broken(*_: Any) -> None:
        raise RuntimeError("a fault")

    monkeypatch.setattr(at.facade.services.changes, "create", broken)
    asked = await at.fake.slash(ANA, "play", {"game": "niya", "opponent": BEA})
    (thread,) = at.fake.threads.values()
    assert thread.minutes == 60
    assert "Prueba otra vez" in asked.message.text


async def test_whoever_joins_by_the_code_in_the_channel_is_led_to_the_thread(at):
    await wanted(at)
    await at.fake.slash(ANA, "play", {"game": "niya", "opponent": BEA})
    await at.settle()
    (number,) = at.fake.threads
    board = board_in(at, number)
    code = board.buttons[0]["custom_id"].split(".")[1]
    asked = await at.fake.slash(BEA, "join", {"table": code})
    await at.settle()
    assert number in asked.message.text
    assert at.fake.threads[number].people == ["11", "12", "12"]
    assert boards_in(at, CHANNEL) == []


@pytest.mark.slow
async def test_what_waits_in_threads_counts_for_their_channel(at):
    await wanted(at)
    await begun(at)
    parts = await at.facade.services.places.parts(HERE)
    assert [part.place for part in parts] == [CHANNEL, *at.fake.threads]


@pytest.mark.slow
async def test_within_a_thread_no_other_is_made(at):
    await wanted(at)
    thread, _ = await begun(at)
    await at.fake.slash(EVA, "play", {"game": "niya", "opponent": ANA}, channel=thread)
    await at.settle()
    assert list(at.fake.threads) == [thread]
    inside = replace(HERE, place=thread)
    assert len(await at.facade.services.tables.list_lines(("open",), where=inside)) == 2


@pytest.mark.slow
async def test_a_role_and_who_asked_are_called_in_the_channel_and_not_into_the_thread(at):
    await wanted(at)
    server = replace(HERE, home=Home(f"server-{HOME}", channel=CHANNEL))
    await at.facade.services.places.choose(server, seeking="77")
    bea = await at.facade.services.people.of(Asker("discord", BEA["id"], "Bea"))
    row = AlertRow(bea.id, "discord", CHANNEL, "niya", at.facade.services.clock.steady())
    await at.facade.store.write(open_table_alerts.set_alert, row)
    await at.fake.slash(ANA, "play", {"game": "niya"})
    await at.settle()
    (thread,) = at.fake.threads
    said = {one.channel: one.text for one in at.boards() if "<@" in one.text}
    texts = [one.text for one in at.boards() if one.channel == CHANNEL]
    assert thread not in said
    assert sum("<@&77>: Ana busca a alguien" in one for one in texts) == 1
    assert sum(f"<@{BEA['id']}>: Ana quiere jugar a Niya" in one for one in texts) == 1


@pytest.mark.slow
async def test_a_thread_whose_name_a_filter_refuses_is_named_by_the_table_alone(at):
    await wanted(at)
    at.fake.failing.append(Failure("POST /channels/[0-9]+/threads", 400, 200001))
    thread, board = await begun(at)
    table = await at.table(board)
    assert at.fake.threads[thread].name == table.code
