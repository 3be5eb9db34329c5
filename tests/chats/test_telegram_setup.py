"""Setting a table up in Telegram: rows of buttons, bound to who asked, gone when used."""

from __future__ import annotations

import pytest

from tests.chats.telegram_room import BRUNO, EVA, NEREA, Room, room
from tests.telegram_api import GROUP, Shown, private


@pytest.fixture
async def at(tmp_path):
    async with room(tmp_path) as opened:
        yield opened


async def asked(at: Room, chat: dict = GROUP, **more) -> Shown:
    await at.api.say(NEREA, "/jugar", chat, **more)
    shown = await at.api.until(lambda: at.api.board(chat["id"]))
    await at.settle()
    return shown


async def test_three_presses_in_a_group_open_a_game_against_the_computer(at):
    sheet = await asked(at)
    await at.press(NEREA, sheet, sheet.code("Niya · 2 jugadores, unos 5 minutos"))
    await at.press(NEREA, sheet, sheet.code("Con el ordenador"))
    assert sheet.labels[:5] == [
        "✓ Con el ordenador", "Con quien quiera", "Nivel 1", "✓ Nivel 2", "Nivel 3"
    ]  # fmt: skip
    await at.press(NEREA, sheet, sheet.code("Empezar"))
    board = await at.api.until(lambda: at.api.board(GROUP["id"]))
    await at.settle()
    assert board.picture
    assert [m.id for m in at.api.messages.values()] == [board.id]


async def test_a_sheet_in_a_group_is_its_askers_alone(at):
    sheet = await asked(at)
    heard = await at.press(EVA, sheet, sheet.code("Niya · 2 jugadores, unos 5 minutos"))
    assert heard["show_alert"] == "true"
    assert "otra persona" in heard["text"]
    assert not at.api.calls("editMessageText")


async def test_who_is_replied_to_is_challenged(at):
    hello = {"message_id": 900, "date": 1, "chat": GROUP, "from": BRUNO, "text": "hola"}
    sheet = await asked(at, reply_to_message=hello)
    await at.press(NEREA, sheet, sheet.code("Niya · 2 jugadores, unos 5 minutos"))
    await at.press(NEREA, sheet, sheet.code("Retar a Bruno"))
    board = await at.api.until(lambda: at.api.board(GROUP["id"]))
    await at.press(BRUNO, board, board.code("Aceptar"))
    assert board.moves


async def test_in_private_the_computer_is_two_presses_away(at):
    mine = private(NEREA)
    sheet = await asked(at, mine)
    await at.press(NEREA, sheet, sheet.code("Cirya · 2 jugadores, unos 20 minutos"))
    await at.press(NEREA, sheet, sheet.code("Empezar"))
    board = await at.api.until(lambda: at.api.board(mine["id"]))
    await at.settle()
    assert board.picture
    assert [m.id for m in at.api.messages.values()] == [board.id]
