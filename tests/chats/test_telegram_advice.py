"""In Telegram: a move and the computer's answer in one edit, hints and reviews for one alone."""

from __future__ import annotations

import asyncio
import time

import pytest

from bot.chats.telegram import TelegramChat
from bot.computers.worker import Allowance, think
from bot.screen.buttons import Act, Click, encode
from bot.table import play
from bot.table.origin import Origin
from tests.chats.telegram_room import NEREA, Room, room
from tests.telegram_api import GROUP, Shown, private

HOME = private(NEREA)


@pytest.fixture
async def at(tmp_path, monkeypatch):
    async with room(tmp_path, TelegramChat) as opened_room:

        async def at_once(question):
            return think({**question, "seconds": 1.0}, Allowance(time.process_time() + 1.0))

        monkeypatch.setattr(opened_room.house.manager.thinkers, "_ask", at_once)
        yield opened_room


async def begun(at: Room, chat: dict) -> Shown:
    """A game of Niya against the computer."""
    await at.api.say(NEREA, "/jugar niya ordenador 3", chat)
    board = await at.api.until(lambda: at.api.board(chat["id"]))
    await at.settle()
    return at.api.board(chat["id"]) or board


async def code_of(at: Room, board: Shown, act: Act, *path: str) -> str:
    return encode(Click(act, (await at.table(board)).code, 0, path), at.house.manager.key)


def edits(at: Room) -> int:
    return len([one for one in at.api.asked if one.method.casefold().startswith("edit")])


async def move(at: Room, board: Shown) -> None:
    """Press the first move that the board offers."""
    await at.press(NEREA, board, board.moves[0])


async def over(at: Room, board: Shown) -> None:
    """The person at the table resigns."""
    table = await at.table(board)
    (seat,) = (n for n, player in enumerate(table.players) if player.person is not None)
    origin = Origin("test", "resigned")
    await at.house.manager.change(origin, table.code, lambda pen: play.resign(pen, seat))
    await at.settle()


async def test_in_a_group_a_move_and_the_computer_s_answer_are_one_edit(at):
    board = await begun(at, GROUP)
    before, log = edits(at), len((await at.table(board)).log)
    await move(at, board)
    table = await at.table(board)
    assert len(table.log) - log == 2
    assert edits(at) - before == 1


async def test_a_hint_is_for_whoever_asked_and_costs_the_board_nothing(at):
    board = await begun(at, GROUP)
    before = edits(at)
    heard = await at.press(NEREA, board, await code_of(at, board, Act.HINT))
    assert heard.get("text", "").startswith(("Yo jugaría: ", "No hay elección: "))
    assert edits(at) == before


async def test_a_hint_that_takes_long_is_told_when_it_is_found_and_holds_nobody_up(at, monkeypatch):
    monkeypatch.setattr("bot.chats.telegram.toast.WATCHDOG", 0.1)
    board = await begun(at, HOME)
    found, real = asyncio.Event(), at.house.manager.advice.hint

    async def late(*asked):
        await found.wait()
        return await real(*asked)

    monkeypatch.setattr(at.house.manager.advice, "hint", late)
    heard = await at.api.press(NEREA, board, await code_of(at, board, Act.HINT))
    assert heard["text"] == "Un momento: lo estoy pensando."
    monkeypatch.setattr("bot.chats.telegram.toast.WATCHDOG", 60.0)
    meanwhile = await at.api.press(NEREA, board, await code_of(at, board, Act.LANGUAGE))
    assert meanwhile["text"]
    found.set()
    await at.settle()
    told = await at.api.until(lambda: [m.text for m in at.api.messages.values()])
    assert [t for t in told if t.startswith(("Yo jugaría: ", "No hay elección: "))]


async def test_in_a_group_the_review_is_behind_a_link_into_the_private_chat(at):
    board = await begun(at, GROUP)
    await move(at, board)
    await over(at, board)
    heard = await at.press(NEREA, board, board.code("¿Dónde la perdí?"))
    before = len(at.api.messages)
    assert heard["url"].startswith("https://t.me/")
    payload = heard["url"].split("start=")[1]
    await at.api.say(NEREA, f"/start {payload}", HOME)
    newest = await at.api.until(lambda: card(at, board))
    assert newest.picture
    assert "La partida de Nerea" in newest.text
    # What was written and the review: nothing in the group.
    assert [m.chat for m in list(at.api.messages.values())[before:]] == [HOME["id"]]


async def test_the_review_of_a_private_game_comes_with_its_curve(at):
    board = await begun(at, HOME)
    await move(at, board)
    await over(at, board)
    await at.press(NEREA, board, board.code("¿Dónde la perdí?"))
    newest = await at.api.until(lambda: card(at, board))
    assert newest.picture
    assert "La partida de Nerea" in newest.text
    assert board.labels.count("¿Dónde la perdí?") == 1, "the board stays as it is"


def card(at: Room, board: Shown) -> Shown | None:
    found = [m for m in at.api.messages.values() if m.chat == HOME["id"] and m is not board]
    return next((m for m in found if m.picture), None)
