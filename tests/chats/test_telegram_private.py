"""In a group nobody reads alone: links into the private chat, and cards for one person."""

from __future__ import annotations

import asyncio
import time

import pytest

from bot.chats.telegram import fleeting
from bot.chats.telegram.reading import payload_of
from bot.port import Button, Card, Said, Screen
from bot.presenters.button_codes import Action, Click, encode_click
from bot.service.table.changes import Update
from bot.session import play
from tests.chats.telegram_room import BRUNO, EVA, NEREA, Room, refusing, room
from tests.telegram_api import Refusal
from tests.telegram_messages import BOT, GROUP, Shown, private

HOME = private(NEREA)


async def code_of(at: Room, board: Shown, act: Action, *path: str) -> str:
    """The code of a button that asks for *act* at the table of *board*."""
    return encode_click(Click(act, (await at.table(board)).code, 0, path), at.facade.services.key)


async def played(at: Room) -> Shown:
    """A board of Niya in the group, with nothing under way any more."""
    board = await at.begun()
    await at.settle()
    return board


def inside(at: Room, person: dict) -> list[Shown]:
    return [m for m in at.api.messages.values() if m.chat == person["id"]]


def beside(at: Room, board: Shown) -> list[Shown]:
    return [m for m in at.api.messages.values() if m.chat == board.chat and m is not board]


async def opened(at: Room) -> None:
    """Let Nerea open the private chat."""
    await at.api.say(NEREA, "/start", HOME)
    await at.api.until(lambda: inside(at, NEREA))
    await at.settle()


def paced(at: Room) -> int:
    """How many calls were made that count against a group's pace."""
    return len([one for one in at.api.asked if one.method.startswith(("send", "edit"))])


# -------------------------------------------------------------------- by a link


@pytest.mark.sampled
@pytest.mark.parametrize("act", [Action.RULES, Action.RECORD, Action.DESCRIBE])
async def test_what_is_long_waits_in_the_private_chat_and_costs_the_group_nothing(at, act):
    board = await played(at)
    await opened(at)
    before, sent = paced(at), len(inside(at, NEREA))
    heard = await at.press(NEREA, board, await code_of(at, board, act))
    assert heard["url"].startswith(f"https://t.me/{BOT['username']}?start=b-")
    assert paced(at) == before
    await at.api.say(NEREA, f"/start {heard['url'].partition('=')[2]}", HOME)
    (shown,) = await at.api.until(lambda: inside(at, NEREA)[sent:])
    assert "[Game" in str(shown.document) if act is Action.RECORD else len(shown.text) > 200


async def test_who_has_opened_none_reads_the_board_in_the_group_for_a_while(at, monkeypatch):
    monkeypatch.setattr("bot.chats.telegram.answers.CARD", 0.5)
    monkeypatch.setattr("bot.chats.telegram.fleeting.CARD", 0.5)
    board = await played(at)
    for _ in range(3):
        heard = await at.press(NEREA, board, await code_of(at, board, Action.DESCRIBE))
        assert "url" not in heard
        (said,) = await at.api.until(lambda: beside(at, board))
        assert said.text.startswith("Nerea: ")
        assert len(said.text) > 200
        await at.api.until(lambda: not beside(at, board))
    assert inside(at, NEREA) == []


async def test_a_full_group_leads_once_an_evening_to_a_private_chat_that_is_not_open(
    at, monkeypatch
):
    board = await played(at)
    monkeypatch.setattr(at.chat._answers.posting.pacing, "is_busy", lambda where: True)
    for act in (Action.DESCRIBE, Action.MORE, Action.DESCRIBE):
        heard = await at.press(NEREA, board, await code_of(at, board, act))
        assert ("url" in heard) is not bool(beside(at, board))
    assert len(beside(at, board)) == 2


@pytest.mark.slow
async def test_what_is_long_and_comes_too_late_for_the_press_is_linked_beside_it(at, monkeypatch):
    board, real = await played(at), at.facade.requests.press
    await opened(at)
    monkeypatch.setattr("bot.chats.telegram.paced_messages.WATCHDOG", 0.05)

    async def slow(press):
        await asyncio.sleep(0.2)
        return await real(press)

    monkeypatch.setattr(at.facade.requests, "press", slow)
    heard = await at.press(NEREA, board, await code_of(at, board, Action.DESCRIBE))
    assert not heard.get("url")
    (beside,) = [m for m in at.api.messages.values() if "en privado" in m.text]
    assert beside.chat == board.chat
    ((button,),) = beside.rows
    assert button["url"].startswith(f"https://t.me/{BOT['username']}?start=b-")


@pytest.mark.slow
async def test_no_link_resigns_for_whoever_follows_it(at):
    board = await played(at)
    version = (await at.table(board)).version
    code = await code_of(at, board, Action.RESIGN, "yes")
    await at.api.say(NEREA, f"/start {payload_of(code)}", HOME)
    await at.api.until(lambda: inside(at, NEREA))
    assert (await at.table(board)).version == version


@pytest.mark.slow
async def test_a_link_of_nonsense_is_one_sentence(at):
    for payload in ("b-", "b-!!", "b-AAAA", "do-resign", "do-nothing"):
        before = len(inside(at, NEREA))
        await at.api.say(NEREA, f"/start {payload}", HOME)
        await at.api.until(lambda before=before: len(inside(at, NEREA)) > before)
    await at.settle()
    assert all(len(shown.text) < 200 for shown in inside(at, NEREA))


# -------------------------------------------------------------------- commands


@pytest.mark.slow
async def test_one_s_own_games_are_told_in_the_private_chat_of_whoever_has_opened_it(at):
    board = await played(at)
    await at.api.say(NEREA, "/start", HOME)
    await at.api.until(lambda: inside(at, NEREA))
    await at.api.say(NEREA, "/partidas")
    await at.api.until(lambda: inside(at, NEREA)[1:])
    await at.api.until(lambda: at.api.reactions)
    assert (await at.table(board)).code in inside(at, NEREA)[1].text
    assert not inside(at, NEREA)[1].links  # which would die with the message of the board
    await at.press(NEREA, inside(at, NEREA)[1], inside(at, NEREA)[1].rows[0][0]["callback_data"])
    assert any(one.picture for one in inside(at, NEREA))
    assert all("en privado" in one.text for one in beside(at, board))


@pytest.mark.slow
async def test_whoever_has_not_opened_it_gets_a_link_that_goes_away(at, monkeypatch):
    monkeypatch.setattr("bot.chats.telegram.pointers.STANDS", 0.3)
    board = await played(at)
    await at.api.say(BRUNO, "/partidas")
    (said,) = await at.api.until(lambda: beside(at, board))
    assert said.rows[0][0]["url"].endswith("?start=do-games")
    assert (await at.table(board)).code not in said.text
    await at.api.until(lambda: not beside(at, board))


async def test_whoever_has_blocked_us_gets_the_link_too(at):
    board = await played(at)
    await at.api.say(NEREA, "/start", HOME)
    await at.api.until(lambda: inside(at, NEREA))
    blocked = Refusal(403, "Forbidden: bot was blocked by the user")
    at.api.refuse = lambda asked: (
        refusing("sendMessage", blocked)(asked) if asked.values.get("chat_id") == "11" else None
    )
    await at.api.say(NEREA, "/partidas")
    (said,) = await at.api.until(lambda: beside(at, board))
    assert said.rows[0][0]["url"].endswith("?start=do-games")


# -------------------------------------------------------------------- cards for one person


def answering(at: Room, monkeypatch, *answers) -> list:
    """Let the house give *answers* to the next presses; answers the presses."""
    asked, left = [], list(answers)

    async def press(press):
        asked.append(press)
        return left.pop(0)

    monkeypatch.setattr(at.facade.requests, "press", press)
    return asked


async def card(at: Room, board: Shown, question: str = "¿De verdad te rindes?") -> Card:
    """A question with buttons, as an act asks it back."""
    table = await at.table(board)
    yes = Button("Sí", await code_of(at, board, Action.RESIGN, "yes"))
    return Card(Screen(table.code, table.version, "▶", (question,), rows=((yes,),)))


@pytest.mark.slow
async def test_buttons_for_one_person_stand_in_a_reply_that_he_alone_can_use(at, monkeypatch):
    board = await played(at)
    asked = answering(at, monkeypatch, await card(at, board), Said("Hecho."))
    await at.press(NEREA, board, await code_of(at, board, Action.RESIGN))
    (shown,) = await at.api.until(lambda: beside(at, board))
    assert shown.reply_to == board.id
    assert shown.text == "Nerea: ¿De verdad te rindes?"
    heard = await at.press(EVA, shown, shown.code("Sí"))
    assert (heard["text"], heard["show_alert"]) == ("Estos botones son de otra persona.", "true")
    assert len(asked) == 1
    heard = await at.press(NEREA, shown, shown.code("Sí"))
    assert heard["text"] == "Hecho."
    await at.api.until(lambda: not beside(at, board))
    assert board.edits == 1


@pytest.mark.slow
async def test_a_card_that_asks_on_does_so_in_its_place(at, monkeypatch):
    board = await played(at)
    answering(at, monkeypatch, await card(at, board), await card(at, board, "¿Seguro?"))
    await at.press(NEREA, board, await code_of(at, board, Action.RESIGN))
    (shown,) = await at.api.until(lambda: beside(at, board))
    await at.press(NEREA, shown, shown.code("Sí"))
    await at.api.until(lambda: shown.text == "Nerea: ¿Seguro?")
    assert beside(at, board) == [shown]


@pytest.mark.slow
async def test_a_card_that_nobody_uses_goes_away(at, monkeypatch):
    monkeypatch.setattr("bot.chats.telegram.fleeting.CARD", 0.3)
    board = await played(at)
    answering(at, monkeypatch, await card(at, board))
    await at.press(NEREA, board, await code_of(at, board, Action.RESIGN))
    assert await at.api.until(lambda: beside(at, board))
    assert await at.api.until(lambda: not beside(at, board))


@pytest.mark.slow
async def test_whoever_has_opened_the_private_chat_is_asked_there(at, monkeypatch):
    board = await played(at)
    await at.api.say(NEREA, "/start", HOME)
    await at.api.until(lambda: inside(at, NEREA))
    question = await card(at, board)
    answering(at, monkeypatch, question, question)
    heard = await at.press(NEREA, board, await code_of(at, board, Action.RESIGN))
    await at.api.say(NEREA, f"/start {heard['url'].partition('=')[2]}", HOME)
    await at.api.until(lambda: inside(at, NEREA)[1:])
    assert "rindes" in inside(at, NEREA)[1].text
    assert beside(at, board) == []


@pytest.mark.slow
async def test_a_card_is_swept_at_the_next_start_and_stays_its_owner_s_till_then(
    tmp_path, monkeypatch
):
    async with room(tmp_path) as at:
        at.chat._answers.fleeting.clock = lambda: time.time() - fleeting.CARD
        board = await played(at)
        answering(at, monkeypatch, await card(at, board))
        await at.press(NEREA, board, await code_of(at, board, Action.RESIGN))
        (shown,) = await at.api.until(lambda: beside(at, board))
        await at.api.until(lambda: not at.chat._answers.tasks.busy())
        # As a kill would leave it.
        monkeypatch.setattr(fleeting.Fleeting, "close", lambda self: at.settle())
        api = at.api
    assert api.messages[board.chat, shown.id] is shown
    async with room(tmp_path, api=api) as at:
        await at.api.until(lambda: not beside(at, board))


async def test_a_stop_leaves_no_short_word_behind(tmp_path):
    async with room(tmp_path) as at:
        await at.api.say(NEREA, "/mover M1", GROUP)
        await at.api.until(lambda: at.api.messages)
        await at.api.until(lambda: not at.facade.tasks.busy())
        api = at.api
    assert not api.messages


async def test_a_short_word_that_stays_at_a_stop_goes_after_the_next_start(tmp_path):
    async with room(tmp_path) as at:
        await at.api.say(NEREA, "/mover M1", GROUP)
        await at.api.until(lambda: at.api.messages)
        await at.api.until(lambda: not at.facade.tasks.busy())
        api = at.api
        stays = Refusal(400, "Bad Request: message can't be deleted")
        api.refuse = refusing("deleteMessage", stays)
    left = [str(one.id) for one in api.messages.values()]
    assert left
    async with room(tmp_path, api=api) as at:
        assert [message for _, message in at.chat._answers.fleeting._messages] == left


# -------------------------------------------------------------------- the acts themselves


async def test_who_gives_up_in_a_group_is_asked_back_beside_the_board_and_nobody_else_can_answer(
    at,
):
    board = await played(at)
    before = board.edits
    await at.api.say(NEREA, "/rendirse")
    (shown,) = await at.api.until(lambda: beside(at, board))
    assert shown.text.startswith("Nerea, ")
    heard = await at.press(BRUNO, shown, shown.code("Sí"))
    assert heard["text"] == "Estos botones son de otra persona."
    assert board.edits == before
    await at.press(NEREA, shown, shown.code("Sí"))
    await at.api.until(lambda: "★" in board.text)
    await at.api.until(lambda: not beside(at, board))
    assert "Bruno" in board.text.split("\n")[0]


async def test_what_asks_about_a_table_goes_with_its_end(at):
    board = await played(at)
    home = private(BRUNO)
    await at.api.say(BRUNO, "/start", home)
    await at.api.say(NEREA, "/rendirse")
    (asked,) = await at.api.until(lambda: beside(at, board))
    heard = await at.press(BRUNO, board, board.code("Más"))
    await at.api.say(BRUNO, f"/start {heard['url'].partition('=')[2]}", home)
    (more,) = await at.api.until(lambda: inside(at, BRUNO)[1:])
    await at.api.say(BRUNO, f"/rendirse {(await at.table(board)).code}", home)
    sure = (await at.api.until(lambda: inside(at, BRUNO)[2:]))[0]
    assert "Sí, seguro" in asked.labels
    assert "Rendirse" in more.labels
    await at.settle()
    origin, code = Update("test", "flag"), (await at.table(board)).code
    await at.facade.services.changes.change(origin, code, lambda work: play.resign(work, 0))
    await at.api.until(lambda: not beside(at, board))
    gone = lambda: not {one.id for one in (more, sure)} & {one.id for one in inside(at, BRUNO)}  # noqa: E731
    assert await at.api.until(gone)
    assert inside(at, BRUNO), "what asks about no table stays"


async def test_a_stranger_who_wants_a_rematch_hears_once_why_not_and_has_a_way_on(at):
    board = await played(at)
    await at.api.say(NEREA, "/rendirse")
    (asks,) = await at.api.until(lambda: beside(at, board))
    await at.press(NEREA, asks, asks.code("Sí"))
    await at.api.until(lambda: not beside(at, board))
    heard = await at.press(EVA, board, board.code("Revancha"))
    (shown,) = await at.api.until(lambda: beside(at, board))
    assert heard["text"].startswith("No juegas en esta mesa.")
    assert shown.text == "Eva: elige; solo tú puedes usar estos botones."
    assert shown.code("Preparar una partida")


async def test_more_is_handed_to_each_beside_the_board_or_in_his_private_chat(at):
    board = await played(at)
    heard = await at.press(NEREA, board, board.code("Más"))
    assert heard["text"] == "Tienes tus botones justo debajo."
    (shown,) = await at.api.until(lambda: beside(at, board))
    assert shown.text == "Nerea: elige; solo tú puedes usar estos botones."
    await at.api.say(BRUNO, "/start", private(BRUNO))
    await at.api.until(lambda: inside(at, BRUNO))
    heard = await at.press(BRUNO, board, board.code("Más"))
    await at.api.say(BRUNO, f"/start {heard['url'].partition('=')[2]}", private(BRUNO))
    mine = await at.api.until(lambda: inside(at, BRUNO)[1:])
    assert "Rendirse" in mine[0].labels
    heard = await at.press(NEREA, shown, shown.code("Rendirse"))
    await at.api.until(lambda: any("Sí" in label for label in shown.labels))
    assert board.edits == 1


async def test_the_help_in_a_group_turns_its_pages_and_sets_a_game_up_in_a_message_of_its_own(at):
    await at.api.say(NEREA, "/ayuda")
    helped = await at.api.until(lambda: at.api.board())
    assert helped.text == "¿Qué quieres hacer?"
    await at.press(NEREA, helped, helped.code("Todas las órdenes"))
    await at.api.until(lambda: helped.text.startswith("Jugar\n/jugar:"))
    await at.press(NEREA, helped, helped.code("Volver"))
    await at.api.until(lambda: "Preparar una partida" in helped.labels)
    await at.press(NEREA, helped, helped.code("Preparar una partida"))
    messages = at.api.messages
    (sheet,) = await at.api.until(lambda: [m for m in messages.values() if m is not helped])
    assert sheet.text.startswith("¿A qué jugamos?")


@pytest.mark.parametrize("label", ["Elegir a alguien", "Mi perfil"])
async def test_what_leads_on_from_a_refusal_in_a_group_is_never_silent(at, label):
    await at.api.say(NEREA, "/perfil Luis")
    refused = await at.api.until(lambda: at.api.board())
    heard = await at.press(NEREA, refused, refused.code(label))
    assert heard.get("text") or heard.get("url")


async def test_words_that_answer_what_was_typed_in_private_make_no_sound(at):
    await at.api.say(NEREA, "/start", HOME)
    await at.api.until(lambda: inside(at, NEREA))
    await at.settle()
    asked = len(at.api.calls("sendMessage"))
    await at.api.say(NEREA, "/partidas", HOME)
    await at.api.until(lambda: at.api.calls("sendMessage")[asked:])
    (told,) = at.api.calls("sendMessage")[asked:]
    assert told.values.get("disable_notification") == "true"


async def test_the_key_of_a_copy_that_a_group_reads_leads_whoever_presses_it_to_a_board(at):
    board = await at.begun()
    await at.api.say(EVA, "/tablero")
    copy = await at.api.until(lambda: (new := at.api.board()) is not board and new)
    for who in (EVA, BRUNO):
        heard = await at.press(who, copy, copy.code("Ver el tablero"))
        assert "start=" in heard.get("url", ""), who["first_name"]
