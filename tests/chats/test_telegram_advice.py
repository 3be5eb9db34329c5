"""In Telegram: a move and the computer's answer in one edit, hints and reviews for one alone."""

from __future__ import annotations

import asyncio
import time

import pytest

from bot.chats.telegram import TelegramChat, fleeting
from bot.commands import request
from bot.presenters.button_codes import Action, Click, encode_click
from bot.service.computers.worker import Allowance, think
from bot.service.table.changes import Update
from bot.session import play
from tests.chats.telegram_room import NEREA, Room, refusing, room, states
from tests.slow_thinking import thoughtful
from tests.telegram_api import Api, Refusal, serving
from tests.telegram_messages import GROUP, Shown, private

HOME = private(NEREA)


async def at_once(question):
    """What a worker process would answer, without the process."""
    return think({**question, "seconds": 0.25}, Allowance(time.process_time() + 0.25))


@pytest.fixture
async def at(tmp_path, monkeypatch):
    async with room(tmp_path, TelegramChat) as opened_room:
        monkeypatch.setattr(request, "PROMPT", 60.0)
        monkeypatch.setattr(opened_room.facade.services.thinkers, "_ask", at_once)
        yield opened_room


async def begun(at: Room, chat: dict) -> Shown:
    """A game of Niya against the computer."""
    await at.api.say(NEREA, "/jugar niya ordenador 3", chat)
    board = await at.api.until(lambda: at.api.board(chat["id"]))
    await at.settle()
    return at.api.board(chat["id"]) or board


async def code_of(at: Room, board: Shown, act: Action, *path: str) -> str:
    return encode_click(Click(act, (await at.table(board)).code, 0, path), at.facade.services.key)


def edits(at: Room) -> int:
    return len([one for one in at.api.asked if one.method.casefold().startswith("edit")])


async def move(at: Room, board: Shown) -> None:
    """Press the first move that the board offers."""
    await at.press(NEREA, board, board.moves[0])


async def over(at: Room, board: Shown) -> None:
    """The person at the table resigns."""
    table = await at.table(board)
    (seat,) = (n for n, player in enumerate(table.players) if player.person is not None)
    origin = Update("test", "resigned")
    await at.facade.services.changes.change(
        origin, table.code, lambda work: play.resign(work, seat)
    )
    await at.settle()


async def test_in_a_group_a_move_and_the_computer_s_answer_are_one_edit(at):
    board = await begun(at, GROUP)
    before, log = edits(at), len((await at.table(board)).log)
    await move(at, board)
    table = await at.table(board)
    assert len(table.log) - log == 2
    assert edits(at) - before == 1


@pytest.mark.slow
async def test_a_hint_is_for_whoever_asked_and_costs_the_board_nothing(at):
    board = await begun(at, GROUP)
    before = edits(at)
    heard = await at.press(NEREA, board, await code_of(at, board, Action.HINT))
    assert heard.get("text", "").startswith(("Yo jugaría: ", "Solo hay una jugada: "))
    assert edits(at) == before


@pytest.mark.slow
async def test_in_a_group_the_review_is_behind_a_link_into_the_private_chat(at, monkeypatch):
    # A link that is too late for the press follows beside it, as test_telegram_private tries.
    monkeypatch.setattr("bot.chats.telegram.paced_messages.WATCHDOG", 30.0)
    board = await begun(at, GROUP)
    await move(at, board)
    await over(at, board)
    heard = await at.press(NEREA, board, board.code("Repasar la partida"))
    before = len(at.api.messages)
    assert heard["url"].startswith("https://t.me/")
    payload = heard["url"].split("start=")[1]
    await at.api.say(NEREA, f"/start {payload}", HOME)
    newest = await at.api.until(lambda: card(at, board))
    await at.settle()
    assert newest.picture
    assert "La partida de Nerea" in newest.text
    # What was written and the review: nothing in the group.
    assert [m.chat for m in list(at.api.messages.values())[before:]] == [HOME["id"]]


@pytest.mark.slow
async def test_the_review_of_a_private_game_comes_with_its_curve(at):
    board = await begun(at, HOME)
    await move(at, board)
    await over(at, board)
    await at.press(NEREA, board, board.code("¿Dónde la perdí?"))
    newest = await at.api.until(lambda: card(at, board))
    await at.settle()
    assert newest.picture
    assert "La partida de Nerea" in newest.text
    assert board.labels.count("¿Dónde la perdí?") == 1, "the board stays as it is"


def card(at: Room, board: Shown) -> Shown | None:
    found = [m for m in at.api.messages.values() if m.chat == HOME["id"] and m is not board]
    return next((m for m in found if m.picture), None)


# -------------------------------------------------------------------- what is kept of a game


@pytest.mark.slow
@pytest.mark.parametrize("chat", [GROUP, HOME], ids=["group", "private"])
async def test_a_finished_game_is_posted_as_a_film_where_it_was_asked_for(at, chat):
    board = await begun(at, chat)
    await move(at, board)
    await over(at, board)
    before = edits(at)
    await at.press(NEREA, board, board.code("Verla otra vez"))
    (film,) = await at.api.until(lambda: at.api.calls("sendAnimation"))
    name, data = next(iter(film.files.values()))
    assert name.endswith(".gif")
    assert data.startswith(b"GIF89a")
    assert int(film.values["chat_id"]) == chat["id"]
    assert film.values["reply_parameters"]["message_id"] == board.id
    assert edits(at) == before, "the board stays as it is"


@pytest.mark.slow
async def test_in_a_group_the_film_comes_once_and_a_command_brings_it_too(at):
    board = await begun(at, GROUP)
    await move(at, board)
    await over(at, board)
    await at.api.say(NEREA, f"/repeticion 1 {(await at.table(board)).code}", GROUP)
    await at.api.until(lambda: at.api.calls("sendAnimation"))
    board_code = board.code("Verla otra vez")
    await at.press(NEREA, board, board_code)
    await at.api.until(lambda: len(at.api.calls("sendAnimation")) == 2)
    heard = await at.press(NEREA, board, board_code)
    assert heard["text"] == "Ya está aquí, un poco más arriba."
    assert len(at.api.calls("sendAnimation")) == 2


# -------------------------------------------------------------------- what takes long

LOOKING = "Un momento: lo estoy pensando."
REVIEWING = "Un momento: estoy repasando la partida. Tarda de medio minuto a tres"
QUEUED = "El repaso de la partida espera su turno."


def heard_in(at: Room, chat: dict, words: str) -> list[Shown]:
    return [m for m in at.api.messages.values() if m.chat == chat["id"] and words in m.text]


def is_silent(at: Room, words: str) -> bool:
    """Whether no telephone rings at the message that has *words* and is taken away again."""
    (sent,) = [m for m in at.api.calls("sendMessage") if words in str(m.values["text"])]
    return sent.values.get("disable_notification") == "true"


@pytest.mark.slow
async def test_a_long_question_is_answered_at_once_and_holds_up_nothing_else(at, monkeypatch):
    board = await begun(at, HOME)
    hint = await code_of(at, board, Action.HINT)
    thinks = thoughtful(at.facade, monkeypatch)
    heard = await at.api.press(NEREA, board, hint)
    assert heard["text"] == LOOKING
    again = await at.api.press(NEREA, board, board.code("En palabras"))
    assert not thinks.speaks.is_set(), "another question is answered meanwhile"
    assert again["callback_query_id"] != heard["callback_query_id"]
    thinks.speaks.set()
    await at.api.until(lambda: heard_in(at, HOME, "Yo jugaría") + heard_in(at, HOME, "elección"))


async def test_of_a_promise_in_the_private_chat_nothing_stays_once_it_is_kept(at, monkeypatch):
    await begun(at, HOME)
    thinks = thoughtful(at.facade, monkeypatch)
    await at.api.say(NEREA, "/pista", HOME)
    (told,) = await at.api.until(lambda: heard_in(at, HOME, LOOKING))
    assert is_silent(at, LOOKING)
    thinks.speaks.set()
    await at.api.until(lambda: heard_in(at, HOME, "Yo jugaría") + heard_in(at, HOME, "elección"))
    await at.settle()
    assert told.id not in {one.id for one in at.api.messages.values()}


@pytest.mark.slow
async def test_in_a_group_a_hint_that_takes_long_waits_behind_a_link(at, monkeypatch):
    board = await begun(at, GROUP)
    thinks = thoughtful(at.facade, monkeypatch)
    heard = await at.api.press(NEREA, board, await code_of(at, board, Action.HINT))
    await at.api.say(NEREA, f"/start {heard['url'].partition('=')[2]}", HOME)
    await at.api.until(lambda: heard_in(at, HOME, LOOKING))
    thinks.speaks.set()
    await at.api.until(lambda: heard_in(at, HOME, "Yo jugaría") + heard_in(at, HOME, "elección"))
    assert len(thinks.asked) == 1, "what was asked for the press serves the link"
    assert not heard_in(at, GROUP, "Yo jugaría")


@pytest.mark.slow
async def test_the_review_of_a_game_in_a_group_waits_behind_a_link(at, monkeypatch):
    board = await begun(at, GROUP)
    await move(at, board)
    await over(at, board)
    thinks = thoughtful(at.facade, monkeypatch)
    heard = await at.api.press(NEREA, board, board.code("Repasar la partida"))
    assert "?start=b-" in heard["url"]
    await at.api.say(NEREA, f"/start {heard['url'].partition('=')[2]}", HOME)
    await at.api.until(lambda: heard_in(at, HOME, REVIEWING))
    thinks.speaks.set()
    await at.api.until(lambda: heard_in(at, HOME, "La partida de Nerea"))
    assert len(thinks.asked) == 1, "what was found for the press serves the link"


@pytest.mark.slow
async def test_whoever_waits_longer_for_a_review_reads_so_until_it_is_there(at, monkeypatch):
    board = await begun(at, HOME)
    await move(at, board)
    await over(at, board)
    thinks = thoughtful(at.facade, monkeypatch)
    monkeypatch.setattr(fleeting, "WAITING", 0.05)
    heard = await at.api.press(NEREA, board, board.code("¿Dónde la perdí?"))
    assert heard["text"].startswith(REVIEWING)
    (told,) = await at.api.until(lambda: heard_in(at, HOME, QUEUED))
    assert is_silent(at, QUEUED)
    rows = board.labels
    assert rows, "the board keeps its buttons meanwhile"
    thinks.speaks.set()
    await at.api.until(lambda: heard_in(at, HOME, "La partida de Nerea"))
    await at.api.until(lambda: told.id not in {one.id for one in at.api.messages.values()})


async def test_what_nobody_could_tell_has_a_key_that_asks_anew(at, monkeypatch):
    board = await begun(at, HOME)
    await move(at, board)
    await over(at, board)
    thinks = thoughtful(at.facade, monkeypatch)
    answering = thinks.ask

    async def nothing(_question):
        await thinks.speaks.wait()

    monkeypatch.setattr(at.facade.services.thinkers, "_ask", nothing)
    heard = await at.api.press(NEREA, board, board.code("¿Dónde la perdí?"))
    assert heard["text"].startswith(REVIEWING)
    thinks.speaks.set()
    (told,) = await at.api.until(lambda: heard_in(at, HOME, "Ahora mismo no sé decirte"))
    assert told.labels == ["Otra vez"]
    monkeypatch.setattr(at.facade.services.thinkers, "_ask", answering)
    await at.api.press(NEREA, told, told.code("Otra vez"))
    await at.api.until(lambda: heard_in(at, HOME, "La partida de Nerea"))


@pytest.mark.slow
async def test_the_page_of_a_review_that_comes_late_does_not_come_back(at, monkeypatch):
    board = await begun(at, HOME)
    await move(at, board)
    await over(at, board)
    await at.press(NEREA, board, board.code("¿Dónde la perdí?"))
    review = await at.api.until(lambda: card(at, board))
    other, mine = "La partida del ordenador", "La partida de Nerea"
    page = review.code(other)
    may, slow = asyncio.Event(), at.facade.services.advice.review

    async def review_late(table):
        await may.wait()
        return await slow(table)

    monkeypatch.setattr(request, "PROMPT", 0.0)
    monkeypatch.setattr(at.facade.services.advice, "review", review_late)
    await at.api.press(NEREA, review, page)
    monkeypatch.setattr(request, "PROMPT", 60.0)
    monkeypatch.setattr(at.facade.services.advice, "review", slow)
    before = edits(at)
    seat = (await at.table(board)).loser
    await at.api.press(NEREA, review, await code_of(at, board, Action.REVIEW, str(seat), "0"))
    await at.api.until(lambda: edits(at) > before)
    may.set()
    await at.settle()
    await asyncio.sleep(2.0)  # the place takes a message a second
    assert mine in review.text
    assert other not in review.text


@pytest.mark.slow
async def test_a_review_that_is_typed_in_a_group_is_waited_for_in_words(at, monkeypatch):
    board = await begun(at, GROUP)
    await move(at, board)
    await over(at, board)
    thinks = thoughtful(at.facade, monkeypatch)
    await at.api.say(NEREA, f"/repaso {(await at.table(board)).code}", GROUP)
    (told,) = await at.api.until(lambda: heard_in(at, GROUP, "de medio minuto a tres"), seconds=5.0)
    thinks.speaks.set()
    gone = lambda: told.id not in {one.id for one in at.api.messages.values()}  # noqa: E731
    assert await at.api.until(gone)


@pytest.mark.slow
async def test_a_typed_question_in_a_group_is_seen_at_once(at, monkeypatch):
    await begun(at, GROUP)
    thinks = thoughtful(at.facade, monkeypatch)
    await at.api.say(NEREA, "/pista", GROUP)
    await at.api.until(lambda: at.api.calls("setMessageReaction"))
    thinks.speaks.set()
    said = lambda: heard_in(at, GROUP, "Yo jugaría") + heard_in(at, GROUP, "elección")  # noqa: E731
    assert await at.api.until(said)


@pytest.mark.slow
async def test_what_was_promised_before_a_stop_is_told_after_the_next_start(tmp_path, monkeypatch):
    async with serving(Api()) as api:
        async with room(tmp_path, TelegramChat, api) as at:
            monkeypatch.setattr(at.facade.services.thinkers, "_ask", at_once)
            board = await begun(at, HOME)
            hint = await code_of(at, board, Action.HINT)
            thoughtful(at.facade, monkeypatch)
            assert (await api.press(NEREA, board, hint))["text"] == LOOKING
            async with asyncio.timeout(60):
                while "pending" not in (await states(at)).values():
                    await asyncio.sleep(0.005)  # a kill would leave it there as well
        api.refuse = refusing("answerCallbackQuery", Refusal(400, "Bad Request: query is too old"))
        async with room(tmp_path, TelegramChat, api) as at:
            monkeypatch.setattr(at.facade.services.thinkers, "_ask", at_once)
            await api.until(lambda: heard_in(at, HOME, "Yo jugaría") + heard_in(at, HOME, "elecc"))
