"""Whole games in Telegram against the small Bot API: groups, topics, private chats."""

from __future__ import annotations

import random
import time

import pytest

from bot.chats.telegram import command_answers, paced_messages
from tests.chats.telegram_room import BRUNO, EVA, NEREA, Room, refusing, room
from tests.telegram_api import Refusal
from tests.telegram_messages import BOT, GROUP, private


async def play_on(at: Room, board, plies: int, rng: random.Random) -> None:
    for _ in range(plies):
        if not board.moves:
            return
        await at.press(at.mover(board), board, rng.choice(board.moves))


async def test_a_whole_game_by_buttons_in_one_message(at):
    board = await at.begun()
    await play_on(at, board, 20, random.Random(3))
    assert "★" in board.text
    assert "Revancha" in board.labels
    assert board.picture.startswith(b"\x89PNG")
    assert [m.id for m in at.api.messages.values()] == [board.id]


async def test_a_board_goes_out_before_the_answer_to_the_press_that_made_it(at, monkeypatch):
    monkeypatch.setattr(paced_messages, "BEHIND", 2.0)
    board = await at.begun()
    before = len(at.api.asked)
    await at.press(at.mover(board), board, board.moves[0])
    methods = [one.method.casefold() for one in at.api.asked[before:]]
    assert methods.index("editmessagemedia") < methods.index("answercallbackquery")


@pytest.mark.slow
async def test_the_caption_says_what_the_picture_shows(at):
    board = await at.begun()
    table = await at.table(board)
    described = [str(line) for line in table.game.speech.describe(table.present)]
    assert len(described) > 1
    assert "Fila 4" in board.text


@pytest.mark.slow
async def test_a_typed_move_costs_the_group_one_edit_of_the_board(at):
    board = await at.begun()
    before = len(at.api.asked)
    await at.api.say(at.mover(board), f"/mover@{BOT['username']} {await first_move(at, board)}")
    await at.api.until(lambda: at.api.reactions)
    await at.settle()
    assert len((await at.table(board)).log) == 17
    assert list(at.api.reactions.values()) == ["👍"]
    asked = [one.method for one in at.api.asked[before:]]
    assert sorted(asked) == ["editMessageMedia", "setMessageReaction"]


@pytest.mark.slow
async def test_where_no_reaction_is_allowed_the_board_alone_tells_of_a_typed_move(at):
    board = await at.begun()
    refused = Refusal(400, "Bad Request: REACTION_INVALID")
    at.api.refuse = refusing("setMessageReaction", refused)
    await at.api.say(at.mover(board), f"/mover {await first_move(at, board)}")
    await at.api.until(lambda: at.api.calls("setMessageReaction"))
    await at.settle()
    assert list(at.api.messages.values()) == [board]


@pytest.mark.slow
async def test_what_no_board_of_the_group_shows_is_replied(at):
    board = await at.begun()
    club = {**GROUP, "id": -1002}
    table = await at.table(board)
    await at.api.say(at.mover(board), f"/mover {await first_move(at, board)} {table.code}", club)
    await at.api.say(at.mover(board), f"/mover mesa={table.code} x", club)
    said = await at.api.until(lambda: _replies(at, -1002))
    assert said[0].text
    await at.settle()


@pytest.mark.slow
async def test_a_command_for_another_bot_is_left_to_it(at):
    await at.api.say(NEREA, "/jugar@OtherBot niya")
    await at.api.say(NEREA, "/tirar 3")
    await at.api.say(NEREA, "/partidas")
    await at.api.until(lambda: at.api.calls("sendMessage"))
    assert len(at.api.calls("sendMessage")) == 1


async def test_a_refusal_to_a_typed_command_is_removed_again(at, monkeypatch):
    monkeypatch.setattr(command_answers, "CARD", 0.05)
    await at.api.say(NEREA, "/mover M1")
    await at.api.until(lambda: at.api.calls("deleteMessage") and not at.api.messages)
    (said,) = at.api.calls("sendMessage")
    assert "/jugar" in said.values["text"].replace("\u2060", "")
    assert "Preparar una partida" in str(said.values["reply_markup"])


async def test_a_stranger_is_refused_by_an_alert(at):
    board = await at.begun()
    heard = await at.press(EVA, board, board.moves[0])
    assert heard["text"].startswith("Estás mirando: ahora juega ")
    assert heard["show_alert"] == "true"


async def test_stale_and_forged_buttons_are_answered_and_change_nothing(at):
    board = await at.begun()
    stale = board.moves[0]
    await play_on(at, board, 2, random.Random(1))
    version = (await at.table(board)).version
    for code in (stale, stale[:-1] + "~", "x", "m" * 64, "/", "/start", "💥"):
        heard = await at.press(at.mover(board), board, code)
        assert "text" in heard or code.startswith("/")
    assert (await at.table(board)).version == version


async def test_against_the_computer_in_private_by_the_button_of_the_greeting(at):
    await at.api.say(NEREA, "/start", private(NEREA))
    greeting = await at.api.until(lambda: at.api.board(NEREA["id"]))
    assert len(greeting.text.split("\n")) == 2
    assert {"Aprender", "Problemas"} <= set(greeting.labels)
    assert greeting.labels[0] == "La jugada de hoy"
    await at.press(NEREA, greeting, greeting.code("Niya"))
    board = await at.api.until(lambda: _other(at, greeting, NEREA["id"]))
    await at.settle()
    for _ in range(60):
        if not board.moves:
            break
        await at.press(NEREA, board, board.moves[0])
        await at.settle()
        board = _other(at, greeting, NEREA["id"])  # a board that is won comes anew
    assert "★" in board.text


@pytest.mark.slow
async def test_an_answer_to_a_board_is_a_move_and_chatting_is_not(at):
    board = await at.begun()
    table = await at.table(board)
    move = table.game.notation.written(
        table.present, table.present.legal_moves(min(table.actors()))[0]
    )
    who = at.mover(board)
    await at.api.say(who, "qué partida tan bonita, de verdad", reply_to_message=board.data())
    await at.api.say(who, "hola")
    await at.api.say(who, move, reply_to_message=board.data())
    await at.api.until(lambda: at.api.reactions)
    await at.settle()
    assert len((await at.table(board)).log) == 17
    assert not _replies(at)


@pytest.mark.slow
async def test_an_opponent_is_named_by_a_reply(at):
    message = {"message_id": 7, "date": 1, "chat": GROUP, "from": EVA, "text": "hola"}
    await at.api.say(NEREA, "/jugar niya", reply_to_message=message)
    board = await at.api.until(at.api.board)
    assert "Eva" in board.text
    await at.settle()
    assert "otra persona" in (await at.press(BRUNO, board, board.code("Aceptar")))["text"]
    await at.press(EVA, board, board.code("Aceptar"))
    assert board.moves


async def test_an_opponent_is_named_by_a_text_mention(at):
    text = "/jugar niya 🙂 Eva de Mar nivel=2"
    entity = {"type": "text_mention", "offset": 15, "length": 10, "user": EVA}
    await at.api.say(NEREA, text.replace("🙂", "  "), entities=[{**entity, "offset": 15}])
    board = await at.api.until(at.api.board)
    await at.settle()
    await at.press(EVA, board, board.code("Aceptar"))
    assert board.moves


@pytest.mark.slow
async def test_an_opponent_known_only_by_his_at_name_accepts_by_bearing_it(at):
    await at.api.say(NEREA, "/jugar niya @Bruno")
    board = await at.api.until(at.api.board)
    await at.settle()
    assert (await at.press(EVA, board, board.code("Aceptar")))["show_alert"] == "true"
    await at.press(BRUNO, board, board.code("Aceptar"))
    assert board.moves


@pytest.mark.slow
async def test_a_table_in_a_topic_stays_in_its_topic(at):
    topic = {"message_thread_id": 77, "is_topic_message": True}
    await at.api.say(NEREA, "/jugar niya", **topic)
    board = await at.api.until(at.api.board)
    assert board.thread == 77
    await at.api.say(NEREA, "/mover X9", **topic)
    reply = (await at.api.until(lambda: _replies(at)))[0]
    assert reply.thread == 77


async def test_a_deleted_topic_does_not_swallow_the_table(at):
    def gone(asked):
        if asked.values.get("message_thread_id"):
            raise Refusal(400, "Bad Request: message thread not found")

    at.api.refuse = gone
    await at.api.say(NEREA, "/jugar niya", message_thread_id=77, is_topic_message=True)
    board = await at.api.until(at.api.board)
    assert board.thread is None


async def test_a_thread_of_replies_is_no_topic(at):
    await at.api.say(NEREA, "/jugar niya", message_thread_id=5)
    board = await at.api.until(at.api.board)
    assert board.thread is None


async def test_what_one_person_may_do_besides_leaves_the_board_of_a_group_alone(at):
    board = await at.begun()
    edits, labels = board.edits, board.labels
    for who in (NEREA, BRUNO):
        await at.press(who, board, board.code("Más"))
    await at.settle()
    assert (board.edits, board.labels) == (edits, labels)


@pytest.mark.slow
async def test_long_words_go_to_the_private_chat_and_not_into_the_group(at):
    board = await at.begun()
    await at.api.say(NEREA, "/start", private(NEREA))
    await at.api.until(lambda: _in(at, NEREA["id"]))
    heard = await at.press(NEREA, board, board.code("En palabras"))
    assert len(_in(at, board.chat)) == 1
    await at.api.say(NEREA, started(heard), private(NEREA))
    words = await at.api.until(lambda: _in(at, NEREA["id"])[1:])
    assert "Fila 4" in words[0].text


def started(heard: dict) -> str:
    """What is written where somebody follows the link that he was answered with."""
    link, _, payload = heard["url"].partition("?start=")
    assert link == f"https://t.me/{BOT['username']}"
    return f"/start {payload}"


@pytest.mark.slow
async def test_rules_are_paged_in_place_with_and_without_figures(at):
    await at.api.say(NEREA, "/reglas niya", private(NEREA))
    await at.api.until(lambda: at.api.board(NEREA["id"]))
    seen = []
    while True:
        page = at.api.board(NEREA["id"])
        seen.append(page.text.partition("\n")[0].rpartition(" ")[2])
        if not any("Siguiente" in label for label in page.labels):
            break
        before = (page.id, page.edits)
        await at.api.press(NEREA, page, page.code("Siguiente"))
        await at.api.until(lambda before=before: _turned(at, before))
    assert seen == [f"({number}/{len(seen)})" for number in range(1, len(seen) + 1)]
    assert len(_in(at, NEREA["id"])) == 1


@pytest.mark.slow
async def test_a_deep_link_seats_whoever_follows_it_in_his_private_chat(at):
    await at.api.say(NEREA, "/jugar niya")
    board = await at.api.until(at.api.board)
    code = (await at.table(board)).code
    assert board.links == [f"https://t.me/{BOT['username']}?start={code}"]
    await at.api.say(BRUNO, f"/start {code}", private(BRUNO))
    mine = await at.api.until(lambda: at.api.board(BRUNO["id"]))
    await at.settle()
    assert mine.picture is not None
    who = at.mover(board)
    shown = mine if who is BRUNO else board
    await at.press(who, shown, shown.moves[0])
    assert len((await at.table(board)).log) == 17
    assert "Nerea" in board.text
    assert board.edits
    assert mine.edits


@pytest.mark.slow
async def test_the_same_picture_is_uploaded_once(at):
    await at.begun()
    (invitation,) = at.api.calls("sendPhoto")
    assert invitation.files  # its poster
    await at.api.say(NEREA, "/tablero")
    await at.api.until(lambda: len(at.api.calls("sendPhoto")) > 1)
    _, again = at.api.calls("sendPhoto")
    assert not again.files


@pytest.mark.slow
async def test_a_picture_that_telegram_forgot_is_uploaded_again(at):
    board = await at.begun()
    at.api.forget_pictures()
    await at.api.say(NEREA, "/tablero")
    again = await at.api.until(lambda: _other(at, board, GROUP["id"]))
    assert again.picture == board.picture


async def test_what_is_shown_already_needs_no_other_try(at):
    board = await at.begun()
    stale = board.moves[0]
    await play_on(at, board, 2, random.Random(3))
    edits = len(at.api.calls("editMessageMedia"))
    at.facade.services.delivery.renderer.lately.clear()
    heard = await at.press(at.mover(board), board, stale)
    assert heard["show_alert"] == "true"
    assert [one.refused for one in at.api.calls("editMessageMedia")][-1].startswith("Bad Request")
    assert len(at.api.calls("editMessageMedia")) == edits + 1


@pytest.mark.slow
async def test_a_press_that_crossed_the_board_on_its_way_costs_no_edit(at):
    board = await at.begun()
    stale = board.moves[0]
    await play_on(at, board, 2, random.Random(3))
    edits = board.edits
    heard = await at.press(at.mover(board), board, stale)
    assert "es de antes" in heard["text"]
    await at.settle()
    assert board.edits == edits


async def test_anonymous_administrators_are_told_that_they_are_nobody(at):
    ghost = {"id": 1087968824, "is_bot": True, "first_name": "Group"}
    await at.api.say(ghost, "/jugar niya", sender_chat=GROUP)
    said = await at.api.until(lambda: at.api.calls("sendMessage"))
    assert "anónimo" in said[0].values["text"]
    assert not at.api.board()


async def test_a_challenge_mentions_whom_it_asks_and_an_answer_calls_who_has_gone(tmp_path):
    async with room(tmp_path) as at:
        await at.begun()
        # Both look: only the invitation has called anybody.
        assert [m.links for m in at.api.messages.values() if m.links] == []
        said = [m.values["caption"] for m in at.api.calls("sendPhoto")]
        first = next(words for words in said if "te reta" in words)
        # Known by his @name alone: he has never spoken to us.
        assert first.startswith("<b>@bruno: ") or "@bruno: <b>" in first


@pytest.mark.slow
async def test_a_call_answers_the_board_and_goes_when_the_turn_does(tmp_path):
    async with room(tmp_path) as at:
        board = await at.begun()
        at.facade.services.presence.clock = lambda: time.monotonic() + 60
        await at.press(at.mover(board), board, board.moves[0])
        (call,) = await at.api.until(lambda: [m for m in at.api.messages.values() if m.links])
        assert call.links == [f"tg://user?id={at.mover(board)['id']}"]
        sent = next(m for m in at.api.calls("sendMessage") if "te toca en" in m.values["text"])
        assert sent.values["reply_parameters"]["message_id"] == board.id
        assert sent.values.get("disable_notification", "false") != "true"
        await at.press(at.mover(board), board, board.moves[0])
        await at.api.until(lambda: call.id not in {m.id for m in at.api.messages.values()})


async def first_move(at: Room, board) -> str:
    """The first legal move of whoever is to move, as it is typed."""
    table = await at.table(board)
    (seat,) = table.actors()
    written = table.game.notation.written(table.present, table.present.legal_moves(seat)[0])
    return str(written).lower()


def _replies(at: Room, chat: int = GROUP["id"]) -> list:
    here = [m for m in at.api.messages.values() if m.chat == chat]
    return [m for m in here if m.reply_to is not None or not m.rows]


def _in(at: Room, chat: int) -> list:
    return [m for m in at.api.messages.values() if m.chat == chat]


def _other(at: Room, first, chat: int):
    board = at.api.board(chat)
    return board if board is not first else None


def _turned(at: Room, before: tuple[int, int]) -> bool:
    pages = _in(at, NEREA["id"])
    return len(pages) == 1 and (pages[0].id, pages[0].edits) != before
