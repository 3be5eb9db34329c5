"""Answers of commands in a group that the asker alone sees, also where it takes long or is busy."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from bot.port import Asker, Press
from bot.presenters.button_codes import Action
from tests.chats.telegram_room import BRUNO, EVA, NEREA
from tests.chats.test_telegram_ephemeral import (
    GROUP_PLACE,
    at,
    code_of,
    inside,
    own,
    patient,
    public,
    shows,
)
from tests.chats.test_telegram_spoken import first_move
from tests.slow_thinking import thoughtful
from tests.telegram_messages import GROUP, private

__all__ = ["at", "patient"]


async def test_what_commands_answer_privately_the_asker_alone_sees(at):
    board = await at.begun()
    for line in ("/partidas", "/ayuda", "/privacidad", "/reglas niya", "/ajustes"):
        before = own(at, NEREA)
        await at.api.whisper(NEREA, line)
        (told,) = await at.api.until(
            lambda before=before: [m for m in own(at, NEREA) if m not in before]
        )
        assert len(told.text) > 10, line
    await at.settle()
    assert public(at) == [board]
    assert own(at, BRUNO) == []


@pytest.mark.slow
async def test_old_clients_leave_no_wall_of_text_in_the_group(at, monkeypatch):
    lists = "paced_messages.LISTS", "command_answers.LISTS", "command_answers.CARD"
    for seconds in (
        "paced_messages.SHORT_LIVED",
        "fleeting.CARD",
        "fleeting.USED",
        "pointers.STANDS",
        *lists,
    ):
        monkeypatch.setattr(f"bot.chats.telegram.{seconds}", 0.5)
    board = await at.begun()
    await at.api.say(NEREA, "/reglas niya")
    (rules,) = await at.api.until(lambda: [m for m in public(at) if m is not board])
    assert rules.picture, "one chapter for everybody, and it goes away"
    await at.api.until(lambda: public(at) == [board])
    for line in ("/ayuda", "/privacidad"):
        await at.api.say(NEREA, line)
        (said,) = await at.api.until(lambda: [m for m in public(at) if m is not board])
        assert len(said.text) < 100, line
        if line == "/ayuda":  # its buttons stand where it was asked for, for everybody
            heard = await at.api.press(EVA, said, said.code("Mis mesas"))
            assert heard["text"].startswith("Esto solo lo ves tú")
            await at.api.until(lambda: public(at) == [board])
            continue
        payload = said.rows[0][0]["url"].split("start=")[1]
        assert payload.startswith("do-"), line
        await at.api.until(lambda: public(at) == [board])
    await at.api.say(NEREA, f"/start {payload}", private(NEREA))
    alone = await at.api.until(lambda: [m for m in at.api.messages.values() if m.chat == 11])
    assert len(alone[0].text) > 20


@pytest.mark.parametrize("line", ["/hoy", "/aprender cirya"])
async def test_an_exercise_stands_while_its_answer_is_typed(at, line):
    await at.api.whisper(NEREA, line)
    (shown,) = await at.api.until(lambda: own(at, NEREA))
    registry = at.chat._answers.own.registry
    key = (str(GROUP["id"]), f"e{shown.id}")
    timer = await at.api.until(lambda: registry._timers.get(key))
    assert timer.when() - asyncio.get_running_loop().time() > 3600, "one may think over it"
    heard = await at.api.press(NEREA, shown, shown.code("Escribir"))
    await at.settle()
    assert own(at, NEREA) == [shown]
    await at.api.whisper(NEREA, f"/{heard['text'].rpartition('/')[2]}")
    pictured = await at.api.until(lambda: [one for one in own(at, NEREA)[1:] if one.picture])
    assert pictured[0] is not shown


async def test_a_move_typed_in_private_answers_the_lesson_that_is_open(at):
    await at.api.say(NEREA, "/aprender cirya", private(NEREA))
    (shown,) = await at.api.until(lambda: [one for one in inside(at, NEREA) if one.picture])
    heard = await at.api.press(NEREA, shown, shown.code("Escribir"))
    move = heard["text"].rpartition("/aprender ")[2]
    await at.api.say(NEREA, move, private(NEREA))
    pictured = await at.api.until(
        lambda: [one for one in inside(at, NEREA) if one.picture and one is not shown]
    )
    assert move in pictured[0].text


def moves(shown):
    """The codes of the moves of an exercise."""
    return [one["callback_data"] for row in shown.rows for one in row if one.get("style")]


@pytest.mark.parametrize("alone", [True, False])
async def test_who_gives_the_same_wrong_move_again_hears_that_nothing_has_changed(at, alone):
    """The screen stayed as it was, and nothing was said."""
    if alone:
        await at.api.whisper(NEREA, "/problema niya")
        (shown,) = await at.api.until(lambda: own(at, NEREA))
    else:
        await at.api.say(NEREA, "/problema niya", private(NEREA))
        (shown,) = await at.api.until(lambda: [one for one in inside(at, NEREA) if one.picture])
    code = ""
    while code not in moves(shown):
        code = moves(shown)[0]
        for _ in range(2):  # the second time it says less
            await at.press(NEREA, shown, code)
    heard = await at.press(NEREA, shown, code)
    assert heard["text"] == "Ya estaba así."


async def test_commands_that_speak_privately_are_declared_so(at):
    menus = [one for one in at.api.asked if one.method == "setMyCommands"]
    lines = {one["command"]: one for menu in menus for one in menu.values["commands"]}
    assert lines["games"]["is_ephemeral"] is True
    assert lines["settings"]["is_ephemeral"] is True
    assert "is_ephemeral" not in lines["play"]
    assert "is_ephemeral" not in lines["board"]


# -------------------------------------------------------------------- what takes long, busy places


@pytest.mark.slow
async def test_a_hint_that_takes_long_is_promised_and_told_in_one_message(at, monkeypatch):
    await at.api.say(NEREA, "/jugar niya ordenador 3")
    board = await at.api.until(lambda: at.api.board())
    await at.settle()
    await shows(at, NEREA)
    thinks = thoughtful(at.facade, monkeypatch)
    await at.api.press(NEREA, board, await code_of(at, board, Action.HINT))
    (told,) = own(at, NEREA)
    assert "Un momento" in told.text
    thinks.speaks.set()
    await at.api.until(lambda: "Un momento" not in told.text)
    assert own(at, NEREA) == [told]
    assert public(at) == [board]


@pytest.mark.slow
async def test_where_the_group_takes_nothing_now_the_link_comes_at_once(at):
    board = await at.begun()
    await shows(at, NEREA)
    places = at.facade.boards.places.pacing
    places.limiter(GROUP_PLACE).pause(30.0)
    sent = len(at.api.calls("sendPhoto", "sendMessage"))
    heard = await at.press(NEREA, board, board.code("Más"))
    assert "url" in heard
    assert len(at.api.calls("sendPhoto", "sendMessage")) == sent


@pytest.mark.slow
@pytest.mark.parametrize("unseen", [True, False])
async def test_where_a_group_is_busy_a_hint_is_promised_and_told_in_one_message(
    at, monkeypatch, unseen
):
    """Asked for unseen it is told there; where all have read it, in an opened private chat."""
    await at.api.say(NEREA, "/jugar niya ordenador 3")
    board = await at.api.until(lambda: at.api.board())
    await at.api.say(NEREA, "/start", private(NEREA))
    before = await at.api.until(lambda: inside(at, NEREA))
    await at.settle()
    pacing = at.chat._answers.posting.pacing
    monkeypatch.setattr(pacing, "is_busy", lambda where: True)
    thinks = thoughtful(at.facade, monkeypatch)
    if unseen:
        await at.api.whisper(NEREA, "/pista")
    else:
        pacing.limiter(GROUP_PLACE).pause(30.0)
        await at.api.say(NEREA, "/pista")

    def answers():
        return [*own(at, NEREA), *(one for one in inside(at, NEREA) if one not in before)]

    (told,) = await at.api.until(answers)
    assert "Un momento" in told.text
    thinks.speaks.set()
    await at.api.until(lambda: "Un momento" not in answers()[-1].text)
    assert len(answers()) == 1
    assert bool(own(at, NEREA)) is unseen
    assert public(at) == [board]


@pytest.mark.slow
@pytest.mark.parametrize("waits", [False, True])
async def test_a_move_typed_in_a_busy_group_is_told_in_private_only_if_its_board_waits(
    at, monkeypatch, waits
):
    board = await at.begun()
    mover = at.mover(board)
    await at.api.say(mover, "/start", private(mover))
    before = await at.api.until(lambda: inside(at, mover))
    await at.settle()
    posting, edits = at.chat._answers.posting, len(at.api.calls("editMessageMedia"))
    monkeypatch.setattr(posting.pacing, "is_busy", lambda where: True)
    if waits:
        posting.pacing.limiter(GROUP_PLACE).pause(30.0)
    await at.api.whisper(mover, f"/mover {await first_move(at, board)}")
    if waits:
        await at.api.until(lambda: inside(at, mover) != before)
    else:
        await at.api.until(lambda: at.api.calls("editMessageMedia")[edits:])
        await at.settle()
    told = [one.text for one in inside(at, mover) if one not in before]
    assert [one.startswith("En Club: Tomas ") for one in told] == [True] * waits, told
    alone = [one.text for one in own(at, mover)]
    assert [one.startswith("Tomas ") for one in alone] == [True] * (not waits), alone


@pytest.mark.slow
async def test_the_word_to_newcomers_stands_in_their_private_chat_and_in_no_busy_group(
    at, monkeypatch
):
    def words(where: int) -> list[str]:
        here = [one.text for one in at.api.messages.values() if one.chat == where]
        return [text for text in here if "¿Primera vez con" in text]

    await at.api.say(NEREA, "/start", private(NEREA))
    await at.api.until(lambda: inside(at, NEREA))
    await at.begun()
    await at.api.until(lambda: words(NEREA["id"]))
    sent = [one.values for one in at.api.calls("sendMessage") if "¿Primera" in one.values["text"]]
    assert [one["disable_notification"] for one in sent] == ["true"]
    assert not words(GROUP["id"])
    monkeypatch.setattr(at.chat._answers.posting.pacing, "is_busy", lambda where: True)
    await at.api.say(EVA, "/jugar cirya")
    await at.api.until(lambda: "Eva" in str([one.text for one in public(at)]))
    await at.settle()
    assert not words(GROUP["id"])


async def test_what_the_group_would_take_late_is_given_in_an_opened_private_chat(at):
    await at.begun()
    await at.api.say(NEREA, "/start", private(NEREA))
    before = await at.api.until(lambda: inside(at, NEREA))
    await at.api.whisper(NEREA, "/hoy")
    (told,) = await at.api.until(lambda: own(at, NEREA))
    at.facade.boards.places.pacing.limiter(GROUP_PLACE).pause(30.0)
    heard = await at.press(NEREA, told, told.code("Los cinco"))
    assert "privado" in heard["text"]
    (shown,) = await at.api.until(lambda: [one for one in inside(at, NEREA) if one not in before])
    assert "Los cinco de hoy" in shown.text
    assert shown.text.startswith("En Club: "), "it says of which group it is"
    await at.api.until(lambda: own(at, NEREA) == [])


@pytest.mark.parametrize("opened", [True, False])
async def test_what_one_alone_asks_a_group_that_takes_no_message_is_given_or_refused_in_words(
    at, opened
):
    board = await at.begun()
    if opened:
        await at.api.say(NEREA, "/start", private(NEREA))
        await at.api.until(lambda: inside(at, NEREA))
    before = inside(at, NEREA)
    await at.press(NEREA, board, board.code("Más"))
    (shown,) = own(at, NEREA)
    at.facade.boards.places.pacing.limiter(GROUP_PLACE).pause(30.0)
    heard = await at.press(NEREA, shown, shown.code("Reglas"))
    assert ("privado" in heard["text"]) is opened
    assert (inside(at, NEREA) == before) is not opened
    assert own(at, NEREA) == [shown], "what has brought it can be pressed again"


async def test_a_board_that_comes_in_private_goes_on_with_its_game(at):
    board = await at.begun()
    mover = at.mover(board)
    await at.api.say(mover, "/start", private(mover))
    await at.api.until(lambda: inside(at, mover))
    asker = Asker("telegram", str(mover["id"]), mover["first_name"], "es", mover["username"])
    code = await code_of(at, board, Action.MINE)
    press = Press("late", GROUP_PLACE, asker, code, own=True, whispered=True)
    answer = await at.facade.requests.press(press)
    await at.chat._answers.commands.in_private(answer, press.where, press.asker)
    await at.api.until(lambda: "Te toca" in at.api.board(mover["id"]).text)
    await at.settle()
    await at.press(mover, board, board.moves[0])
    await at.api.until(lambda: "Te toca" not in at.api.board(mover["id"]).text)


async def test_what_a_toast_says_is_said_in_the_group_however_late_its_screen_comes(
    at, monkeypatch
):
    await at.begun()
    await at.api.say(NEREA, "/start", private(NEREA))
    before = await at.api.until(lambda: inside(at, NEREA))
    await at.api.whisper(NEREA, "/ajustes")
    (told,) = await at.api.until(lambda: own(at, NEREA))
    await at.press(NEREA, told, told.code("Tema"))
    at.facade.boards.places.pacing.limiter(GROUP_PLACE).pause(30.0)
    real = at.facade.requests.press

    async def pressed(press):
        return replace(await real(press), said="Hecho.")

    monkeypatch.setattr(at.facade.requests, "press", pressed)
    heard = await at.api.press(NEREA, told, told.code("el normal"))
    assert heard["text"].startswith("Hecho.")
    assert "privado" not in heard["text"]
    await at.api.until(lambda: not at.chat._app.update_processor.current_concurrent_updates)
    assert inside(at, NEREA) == before


async def test_what_waits_for_a_busy_group_says_in_the_toast_what_was_set(at):
    await at.begun()
    await at.api.whisper(NEREA, "/ajustes")
    (told,) = await at.api.until(lambda: own(at, NEREA))
    at.facade.boards.places.pacing.limiter(GROUP_PLACE).pause(2.0)
    heard = await at.api.press(NEREA, told, told.code("Gente de otros sitios"))
    assert heard["text"].startswith("Gente de otros sitios: jugar"), heard


async def test_who_asks_unseen_in_a_busy_group_is_answered_there(at, monkeypatch):
    await at.begun()
    await at.api.say(NEREA, "/start", private(NEREA))
    before = await at.api.until(lambda: inside(at, NEREA))
    monkeypatch.setattr(at.chat._answers.posting.pacing, "is_busy", lambda where: True)
    await at.api.whisper(NEREA, "/perfil")
    await at.api.until(lambda: own(at, NEREA))
    await at.settle()
    assert inside(at, NEREA) == before
