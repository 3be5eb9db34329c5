"""Discord at the wire: playing by buttons and commands, and every answer given once."""

import asyncio
import re
import threading
import time

import pytest

from bot.chats.discord import inbound, reply
from storage.errors import DatabaseBusy, DatabaseFull
from tests.chats.discord_messages import Failure
from tests.chats.discord_table import (  # noqa: F401
    ANA,
    BEA,
    EVA,
    HERE,
    fake_fixture,
    table_fixture,
    unhurried_discord_fixture,
)
from tests.chats.fake_discord import CHANNEL

# ---------------------------------------------------------------- playing


@pytest.mark.usefixtures("unhurried_discord")
async def test_a_whole_game_is_played_on_one_message_with_one_picture(at):
    message = await at.begun()
    for _ in range(16):
        if not message.moves:
            break
        sent = at.fake.count("(PATCH|POST) /")
        asked = await at.move(message)
        # One call says that the press has come, and shows what came of it.
        assert asked.type == 7
        assert at.fake.count("(PATCH|POST) /") == sent + 1
        assert len(message.pictures) == 1
        assert message.pictures[0].startswith(b"\x89PNG")
    assert "Revancha" in [button["label"] for button in message.buttons]
    (gallery,) = message.parts(12)
    assert 20 < len(gallery["items"][0]["description"]) <= 1024
    # Nobody is called: both are looking.
    assert at.boards() == [message]


@pytest.mark.slow
@pytest.mark.usefixtures("unhurried_discord")
async def test_the_answer_to_play_becomes_the_board(at):
    asked = await at.fake.slash(ANA, "play", {"game": "niya", "opponent": BEA})
    await at.settle()
    assert asked.type == 4
    assert not asked.message.ephemeral
    assert "Ana te reta" in asked.message.text
    view = (await at.facade.services.views.of(await at.table(asked.message), HERE)).message
    assert view == asked.message.id


@pytest.mark.slow
async def test_a_typed_move_is_answered_to_the_player_alone(at):
    message = await at.begun()
    writes = message.writes
    asked = await at.typed(message)
    assert asked.type == 4
    assert asked.message.ephemeral
    assert "Tomas" in asked.message.text
    await at.fake.until(lambda: message.writes > writes)


@pytest.mark.slow
async def test_completions_are_no_more_than_discord_takes(at):
    mover = at.mover(await at.begun())
    for name, key in (("move", "move"), ("help", "command"), ("board", "table")):
        found = await at.fake.complete(mover, name, key)
        assert 0 < len(found) <= 25
        assert all(0 < len(one["name"]) <= 100 >= len(one["value"]) for one in found)


async def test_a_command_of_before_says_where_it_is_now(at):
    """People's own clients show the old list of commands for a while."""
    old = {"id": "1", "name": "resign", "type": 1, "options": []}
    asked = await at.fake.ask(ANA, 2, old)
    await at.fake.until(lambda: asked.message)
    assert asked.message.ephemeral
    assert re.fullmatch("Ahora es </game resign:[0-9]+>.", asked.message.text)
    await at.fake.again(asked)
    await at.fake.slash(ANA, "games")
    assert at.fake.count(f"{asked.token}/callback") == 1


async def test_for_a_month_each_person_is_told_once_that_commands_are_in_groups(at):
    told = at.facade.chats["discord"]._inbound
    told.grouped_at = time.time() - 29 * 24 * 3600
    first, second = [await at.fake.slash(ANA, "games") for _ in range(2)]
    await at.fake.until(lambda: first.said)
    (note,) = first.said
    assert note.ephemeral
    assert "</game resign:" in note.text
    told.grouped_at = time.time() - 31 * 24 * 3600
    third = await at.fake.slash(EVA, "games")
    assert not second.said
    assert not third.said


@pytest.mark.sampled
@pytest.mark.parametrize("who", [EVA, "other"])
async def test_a_press_that_may_not_be_is_refused_in_private(at, who):
    message = await at.begun()
    mover = at.mover(message)
    presser = (BEA if mover is ANA else ANA) if who == "other" else who
    asked = await at.fake.press(presser, message, message.moves[0]["custom_id"])
    assert asked.type == 4
    assert asked.message.ephemeral
    assert await at.moves(message) == 16


@pytest.mark.sampled(2)
@pytest.mark.parametrize("code", ["nothing", "m.AAAAAA.0.a1.aaaaaa", "challenge.niya.1.x", "💥"])
async def test_a_forged_button_is_refused_and_the_board_stays(at, code):
    message = await at.begun()
    text = message.text
    asked = await at.fake.press(ANA, message, code)
    assert asked.type == 4
    assert asked.message.ephemeral
    assert message.text == text


async def test_a_stale_button_is_answered_though_it_is_no_longer_on_the_message(at):
    message = await at.begun()
    stale = message.moves[0]["custom_id"]
    await at.move(message)
    await at.move(message)
    asked = await at.fake.press(at.mover(message), message, stale)
    assert asked.message.ephemeral
    assert "de antes" in asked.message.text


async def test_f3_an_interaction_delivered_again_is_taken_once(at):
    message = await at.begun()
    asked = await at.move(message)
    for _ in range(4):
        await at.fake.again(asked)
    await at.settle()
    assert await at.moves(message) == 17
    assert at.fake.count(f"POST /interactions/{asked.id}/") == 1


async def test_words_and_records_are_shown_in_private(at):
    message = await at.begun()
    asked = await at.fake.press(ANA, message, message.button("En palabras")["custom_id"])
    assert asked.message.ephemeral
    assert "Fila 4" in asked.message.text or "fila 4" in asked.message.text.lower()
    asked = await at.fake.slash(ANA, "record")
    assert asked.message.ephemeral
    assert len(asked.message.pictures) == 1  # the file


@pytest.mark.slow
async def test_what_one_person_may_do_besides_is_seen_by_him_alone(at):
    message = await at.begun()
    uploads, buttons = at.fake.uploads, message.buttons
    asked = await at.fake.press(ANA, message, message.button("Más")["custom_id"])
    assert asked.message.ephemeral
    assert message.buttons == buttons
    question = await at.fake.press(
        ANA, asked.message, asked.message.button("Rendirse")["custom_id"]
    )
    assert question.type == 7
    assert "Ana, ¿seguro que te rindes?" in asked.message.text
    assert at.fake.uploads == uploads
    await at.fake.press(ANA, asked.message, asked.message.button("Sí, seguro")["custom_id"])
    assert "Te has rendido." in asked.message.text
    assert not asked.message.buttons
    await at.fake.until(lambda: any(b["label"] == "Revancha" for b in message.buttons))


async def test_rules_turn_their_pages_and_drop_a_picture_that_has_gone(at):
    asked = await at.fake.slash(ANA, "rules", {"game": "niya"})
    assert asked.message.ephemeral
    seen = set()
    for _ in range(12):
        seen.add(bool(asked.message.parts(12)))
        assert bool(asked.message.parts(12)) == (len(asked.message.pictures) == 1)
        onward = [one for one in asked.message.buttons if one["label"] == "Siguiente »"]
        if not onward:
            break
        await at.fake.press(ANA, asked.message, onward[0]["custom_id"])
    assert seen == {True, False}


# ---------------------------------------------------------------- answering in time


async def test_f7_a_slow_answer_is_deferred_and_given_later(at, monkeypatch):
    monkeypatch.setattr(reply, "WATCHDOG", 0.02)
    message = await at.begun()
    real, deferred = at.facade.requests.press, asyncio.Event()

    async def slow(press):
        await deferred.wait()
        return await real(press)

    monkeypatch.setattr(at.facade.requests, "press", slow)
    asked = await at.fake.press(EVA, message, message.moves[0]["custom_id"])
    assert asked.type == 6
    deferred.set()
    await at.fake.until(lambda: asked.said)
    assert asked.said[0].ephemeral
    assert "Estás mirando" in asked.said[0].text


async def test_f7_a_board_that_is_long_in_coming_is_no_answer_and_comes_later(at, monkeypatch):
    monkeypatch.setattr(reply, "WATCHDOG", 0.0)
    message = await at.begun()
    deferred, fulfil = threading.Event(), at.facade.services.gallery.fulfil

    def slow(scene, wanted):
        deferred.wait(60)
        fulfil(scene, wanted)

    monkeypatch.setattr(at.facade.services.gallery, "fulfil", slow)
    writes = message.writes
    asked = await at.fake.press(at.mover(message), message, message.moves[0]["custom_id"])
    assert asked.type == 6
    assert message.writes == writes
    deferred.set()
    await at.fake.until(lambda: message.writes > writes)
    assert await at.moves(message) == 17


async def test_f7_a_board_comes_also_where_the_answer_to_the_press_was_lost(at):
    message = await at.begun()
    at.fake.failing.append(Failure("POST /interactions", 404, 10062))
    writes = message.writes
    who, code = at.mover(message), message.moves[0]["custom_id"]
    await at.fake.ask(who, 3, {"custom_id": code, "component_type": 2}, source=message)
    await at.fake.until(lambda: message.writes > writes)
    assert at.fake.failing[0].times == 0
    assert await at.moves(message) == 17


@pytest.mark.slow
@pytest.mark.usefixtures("unhurried_discord")
async def test_who_presses_beside_another_does_not_wait_for_a_board_of_his_own(at):
    message = await at.begun()
    mover = at.mover(message)
    other = BEA if mover is ANA else ANA
    code = message.moves[0]["custom_id"]
    first = await at.fake.ask(mover, 3, {"custom_id": code, "component_type": 2}, source=message)
    second = await at.fake.press(other, message, code)
    await at.fake.until(lambda: first.type is not None)
    await at.settle()
    assert 7 in (first.type, second.type)
    assert await at.moves(message) == 17


async def test_f7_a_refusal_after_a_public_deferral_is_taken_back_and_said_in_private(
    at, monkeypatch
):
    monkeypatch.setattr(reply, "WATCHDOG", 0.02)
    real, deferred = at.facade.requests.call, asyncio.Event()

    async def slow(call):
        await deferred.wait()
        return await real(call)

    monkeypatch.setattr(at.facade.requests, "call", slow)
    data = {"id": "1", "name": "play", "type": 1, "options": [
        {"name": "game", "type": 3, "value": "chess"}]}  # fmt: skip
    asked = await at.fake.ask(ANA, 2, data)
    await at.fake.until(lambda: asked.type == 5)
    deferred.set()
    await at.fake.until(lambda: asked.said)
    assert asked.message.id not in at.fake.messages
    assert asked.said[0].ephemeral


async def test_f7_a_move_stands_whose_answer_came_too_late(at):
    message = await at.begun()
    at.fake.failing.append(Failure("POST /interactions", 404, 10062))
    writes = message.writes
    data = {"custom_id": message.moves[0]["custom_id"], "component_type": 2}
    await at.fake.ask(at.mover(message), 3, data, source=message)
    # The token is worth nothing then: the board is edited as a member of the place.
    await at.fake.until(lambda: message.writes > writes)
    assert at.fake.count(rf"PATCH /channels/{CHANNEL}/messages/{message.id}") == 1
    assert await at.moves(message) == 17


async def test_a_fault_of_ours_is_answered_and_the_board_stays(at, monkeypatch):
    message = await at.begun()

    async def broken(*_):
        raise RuntimeError("a fault")

    monkeypatch.setattr(at.facade.requests, "press", broken)
    asked = await at.fake.press(ANA, message, message.moves[0]["custom_id"])
    assert asked.message.ephemeral
    assert "Prueba otra vez" in asked.message.text


@pytest.mark.parametrize(
    ("wrong", "word"), [(DatabaseBusy("busy"), "ocupada"), (DatabaseFull("full"), "disco")]
)
async def test_f11_what_the_database_lacks_is_said_also_by_the_chat_itself(
    at, monkeypatch, wrong, word
):
    message = await at.begun()

    async def broken(*_):
        raise wrong

    monkeypatch.setattr(at.facade.requests, "press", broken)
    asked = await at.fake.press(ANA, message, message.moves[0]["custom_id"])
    assert word in asked.message.text
    monkeypatch.setattr(inbound.Inbound, "on_command", broken)
    typed = await at.fake.slash(ANA, "games", {})
    assert word in typed.message.text
