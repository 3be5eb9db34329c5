"""Setting a table up in Telegram: rows of buttons, bound to who asked, gone when used."""

from __future__ import annotations

import asyncio
import time
from urllib.parse import parse_qs, urlsplit

import pytest

from bot.chats.telegram import command_answers, fleeting, paced_messages
from bot.facade import fleeting_messages
from tests.chats.telegram_room import BRUNO, EVA, NEREA, Room, refusing, room
from tests.telegram_api import Refusal
from tests.telegram_messages import BOT, GROUP, Shown, private


async def asked(at: Room, chat: dict = GROUP, **more) -> Shown:
    await at.api.say(NEREA, "/jugar", chat, **more)
    shown = await at.api.until(lambda: at.api.board(chat["id"]))
    await at.settle()
    return shown


def left(at: Room) -> list[int]:
    """The messages that stand, without the word to newcomers."""
    stand = at.api.messages.values()
    return [one.id for one in stand if not one.text.startswith("¿Primera vez con")]


async def test_three_presses_in_a_group_open_a_game_against_the_computer(at):
    sheet = await asked(at)
    await at.press(NEREA, sheet, sheet.code("Niya · 2 jugadores, 10 min"))
    await at.press(NEREA, sheet, sheet.code("Con el ordenador"))
    assert sheet.labels[:5] == [
        "✓ Con el ordenador", "Con quien se apunte",
        "Nivel 1: principiante", "✓ Nivel 2: avanzado", "Nivel 3: maestro",
    ]  # fmt: skip
    await at.press(NEREA, sheet, sheet.code("Empezar"))
    board = await at.api.until(lambda: at.api.board(GROUP["id"]))
    await at.settle()
    assert board.picture
    assert left(at) == [board.id]


async def test_a_sheet_in_a_group_is_its_askers_alone(at):
    sheet = await asked(at)
    heard = await at.press(EVA, sheet, sheet.code("Niya · 2 jugadores, 10 min"))
    assert heard["show_alert"] == "true"
    assert "otra persona" in heard["text"]
    assert not at.api.calls("editMessageText")


@pytest.mark.slow
async def test_who_is_replied_to_is_challenged(at):
    hello = {"message_id": 900, "date": 1, "chat": GROUP, "from": BRUNO, "text": "hola"}
    sheet = await asked(at, reply_to_message=hello)
    await at.press(NEREA, sheet, sheet.code("Niya · 2 jugadores, 10 min"))
    await at.press(NEREA, sheet, sheet.code("Retar a Bruno"))
    board = await at.api.until(lambda: at.api.board(GROUP["id"]))
    await at.press(BRUNO, board, board.code("Aceptar"))
    assert board.moves


async def test_in_private_the_computer_is_two_presses_away(at):
    mine = private(NEREA)
    sheet = await asked(at, mine)
    await at.press(NEREA, sheet, sheet.code("Cirya · 2 jugadores, 20 min"))
    await at.press(NEREA, sheet, sheet.code("Empezar"))
    board = await at.api.until(lambda: at.api.board(mine["id"]))
    await at.settle()
    assert board.picture
    assert left(at) == [board.id]


@pytest.mark.slow
async def test_a_table_in_private_can_be_sent_into_any_chat(at):
    mine = private(NEREA)
    sheet = await asked(at, mine)
    await at.press(NEREA, sheet, sheet.code("Niya · 2 jugadores, 10 min"))
    await at.press(NEREA, sheet, sheet.code("Con quien yo invite"))
    await at.press(NEREA, sheet, sheet.code("Abrir la mesa"))
    board = await at.api.until(lambda: at.api.board(mine["id"]))
    (button,) = [b for row in board.rows for b in row if b["text"] == "Mandar la invitación"]
    sent = parse_qs(urlsplit(button["url"]).query)
    assert sent["text"] == ["Nerea te invita a una partida de Niya."]
    code = board.code("+ ordenador").split(".")[1]
    assert sent["url"] == [f"https://t.me/{BOT['username']}?start={code}"]
    await at.api.say(BRUNO, f"/start {code}", private(BRUNO))
    theirs = await at.api.until(
        lambda: [m for m in at.api.messages.values() if m.chat == BRUNO["id"] and m.picture]
    )
    assert "Nerea" in theirs[0].text
    await at.settle()
    assert "Mandar la invitación" not in board.labels


async def test_a_table_in_a_group_is_not_sent_elsewhere(at):
    await at.api.say(NEREA, "/jugar niya")
    board = await at.api.until(lambda: at.api.board(GROUP["id"]))
    assert "Mandar la invitación" not in board.labels


async def test_a_sheet_that_nobody_uses_goes_from_its_group(at, monkeypatch):
    monkeypatch.setattr(paced_messages, "LISTS", 0.0)
    await at.api.say(NEREA, "/jugar")
    await at.api.until(lambda: at.api.calls("deleteMessage") and not at.api.messages)
    await at.api.say(NEREA, "/jugar", private(NEREA))
    await at.api.until(lambda: at.api.board(private(NEREA)["id"]))
    await at.settle()
    assert len(at.api.calls("deleteMessage")) == 1


@pytest.mark.slow
async def test_a_sheet_outlives_a_restart_for_its_minutes_since_the_last_press(tmp_path):
    ago = paced_messages.LISTS
    async with room(tmp_path) as at:
        at.chat._answers.fleeting.clock = lambda: time.time() - ago
        used, api = await asked(at), at.api
        await api.say(EVA, "/jugar")
        left = await api.until(lambda: next((m for m in api.messages.values() if m != used), None))
        await at.settle()
        ago = 0.0
        await at.press(NEREA, used, used.code("Niya · 2 jugadores, 10 min"))
    # What would go within half a minute goes at the stop; who uses a sheet finds it again.
    assert (GROUP["id"], left.id) not in api.messages
    async with room(tmp_path, api=api) as at:
        assert set(api.messages) == {(GROUP["id"], used.id)}
        await at.press(NEREA, used, used.code("Con el ordenador"))
        await at.press(NEREA, used, used.code("Empezar"))
        await at.settle()
        await api.until(lambda: (GROUP["id"], used.id) not in api.messages)
        assert not at.chat._answers.fleeting._messages


@pytest.mark.slow
async def test_a_removal_that_is_refused_is_tried_again_also_after_a_kill(tmp_path, monkeypatch):
    monkeypatch.setattr(paced_messages, "LISTS", 0.2)
    monkeypatch.setattr(fleeting_messages, "AGAIN", 0.2)
    monkeypatch.setattr(fleeting_messages, "SHUT", 0.2)
    async with room(tmp_path) as at:
        api = at.api
        api.refuse = refusing("deleteMessage", Refusal(403, "Forbidden: bot was kicked"), 2)
        await asked(at)
        await api.until(lambda: not api.messages)
        assert len([one for one in api.asked if one.method == "deleteMessage"]) == 3
        api.refuse = refusing("deleteMessage", Refusal(403, "Forbidden: bot was kicked"), 1000)
        await asked(at)
        monkeypatch.setattr(fleeting.Fleeting, "close", lambda self: at.settle())
    assert api.messages
    api.refuse = lambda asked: None
    async with room(tmp_path, api=api):
        await api.until(lambda: not api.messages)


async def test_a_removal_is_tried_again_soon_though_the_clock_jumps_ahead(at, monkeypatch):
    monkeypatch.setattr(paced_messages, "LISTS", 0.2)
    monkeypatch.setattr(fleeting_messages, "AGAIN", 0.2)
    refusal = Refusal(400, "Bad Request: message can't be deleted")
    at.api.refuse = refusing("deleteMessage", refusal, 2)
    await asked(at)
    at.chat._answers.fleeting.clock = lambda: time.time() + 86_400.0
    await at.api.until(lambda: not at.api.messages)


async def test_a_sheet_outlives_no_restart_for_longer_though_the_clock_goes_back(
    tmp_path, monkeypatch
):
    async with room(tmp_path) as at:
        at.chat._answers.fleeting.clock = lambda: time.time() + 3600.0
        await asked(at)
        api = at.api
        monkeypatch.setattr(fleeting.Fleeting, "close", lambda self: at.settle())
    assert api.messages
    monkeypatch.setattr(fleeting_messages, "LONGEST", 0.2)
    async with room(tmp_path, api=api):
        await api.until(lambda: not api.messages)


async def test_a_group_that_put_the_bot_out_is_not_asked_again_at_once(at, monkeypatch):
    monkeypatch.setattr(paced_messages, "LISTS", 0.1)
    monkeypatch.setattr(fleeting_messages, "AGAIN", 0.05)
    at.api.refuse = refusing("deleteMessage", Refusal(403, "Forbidden: bot was kicked"), 1000)
    await asked(at)
    await at.api.until(lambda: at.api.calls("deleteMessage"))
    await asyncio.sleep(0.5)
    assert len(at.api.calls("deleteMessage")) == 1


async def test_the_greeting_goes_when_a_table_is_opened_in_words_also_after_a_restart(at):
    before, now = ({"status": one, "user": BOT} for one in ("left", "member"))
    told = {"chat": GROUP, "from": NEREA, "date": 1, "old_chat_member": before}
    await at.api.give("my_chat_member", {**told, "new_chat_member": now})
    (greeting,) = await at.api.until(lambda: list(at.api.messages.values()))
    await at.settle()
    fleeting = at.chat._answers.fleeting
    fleeting._messages.clear()
    await fleeting.take_up()
    assert not fleeting._calls
    await at.api.say(NEREA, "/jugar niya")
    await at.api.until(lambda: greeting not in at.api.messages.values())


async def test_the_greeting_stands_until_its_first_use_and_words_and_lists_go(at, monkeypatch):
    monkeypatch.setattr(paced_messages, "SHORT_LIVED", 0.1)
    monkeypatch.setattr(paced_messages, "LISTS", 0.1)
    monkeypatch.setattr(command_answers, "CARD", 0.1)
    monkeypatch.setattr(fleeting, "CARD", 0.1)
    before, now = ({"status": one, "user": BOT} for one in ("left", "member"))
    told = {"chat": GROUP, "from": NEREA, "date": 1, "old_chat_member": before}
    await at.api.give("my_chat_member", {**told, "new_chat_member": now})
    (greeting,) = await at.api.until(lambda: list(at.api.messages.values()))
    await at.settle()
    for line in ("/unirse", "/torneo", "/mover M1", "/reglas niya", "/ayuda"):
        await at.api.say(NEREA, line)
        await at.api.until(lambda: len(at.api.messages) > 1)
        await at.api.until(lambda: list(at.api.messages.values()) == [greeting])
    await at.press(NEREA, greeting, greeting.code("Niya"))
    await at.api.until(lambda: greeting not in at.api.messages.values())
    await at.settle()
    (table,) = at.api.messages.values()
    assert "Sentarme" in table.labels
