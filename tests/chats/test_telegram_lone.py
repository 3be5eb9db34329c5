"""Boards where the bot is no member: in the answer to a guest message, and in inline messages."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager

import pytest
from sqlalchemy import text

from bot.chats.telegram.invitations import FEEDBACK, MISSING, THERE
from bot.chats.telegram.message_formatting import Key
from bot.port import LONE, Where
from games.core.shelf import shelf
from storage.table import views
from tests.chats.telegram_room import BRUNO, EVA, NEREA, Room, room
from tests.telegram_api import Api, Refusal
from tests.telegram_messages import BOT, Shown, private

NAME = f"@{BOT['username']}"
ORIGIN = "https://play.example.org"


async def rows(at: Room, shown: Shown) -> list[str]:
    """The codes of the tables that stand in *shown*."""
    async with at.facade.store.reading() as tx:
        told = await tx.execute(text("select subject, place, message from view order by id"))
        return [s for s, place, message in told if (place, message) == _at(shown)]


def _at(shown: Shown) -> tuple[str, str]:
    return f"{LONE}{shown.inline}", shown.inline


async def begun(at: Room, game: str = "niya") -> Shown:
    """A game of Nerea, who has called the bot, and Bruno."""
    board = await at.api.summon(NEREA, f"{NAME} {game}")
    await at.press(BRUNO, board, board.code("Sentarme"))
    return board


async def move(at: Room, board: Shown) -> None:
    """Whoever is to move presses the first key."""
    before = board.edits
    await at.press(at.mover(board), board, board.moves[0])
    assert board.edits > before


async def test_a_game_that_is_named_is_an_invitation_of_its_caller(at):
    board = await at.api.summon(NEREA, f"{NAME} parchís")
    assert board.text.startswith("Nerea invita a una partida de Parchís")
    assert board.labels == ["Sentarme"]
    await at.settle()
    assert await rows(at, board) == []


async def test_without_a_game_every_game_has_a_key(at):
    board = await at.api.summon(NEREA, f"{NAME} hola")
    assert len(board.labels) == len(shelf())
    await at.press(BRUNO, board, board.code("Niya"))
    assert "Bruno" in board.text
    assert board.moves
    (code,) = await rows(at, board)
    table = await at.facade.services.tables.get(code)
    assert [one.name for one in table.players] == ["Nerea", "Bruno"]
    assert not table.rated


async def test_the_board_is_played_by_its_keys_and_stays_one_message(at):
    board = await begun(at)
    (code,) = await rows(at, board)
    dealt = len((await at.facade.services.tables.get(code)).log)
    for _ in range(3):
        await move(at, board)
    assert len((await at.facade.services.tables.get(code)).log) == dealt + 3
    assert at.api.calls("sendMessage", "sendPhoto") == []


async def test_an_inline_message_is_a_board_too_and_its_first_presser_is_the_host(at):
    (card,) = (await at.api.types(NEREA, "niya"))["results"]
    board = await at.api.choose(NEREA, card)
    await at.press(EVA, board, board.code("Sentarme"))
    await at.press(BRUNO, board, board.code("Sentarme"))
    (code,) = await rows(at, board)
    table = await at.facade.services.tables.get(code)
    assert [one.name for one in table.players] == ["Eva", "Bruno"]
    assert board.moves


async def test_two_who_press_at_once_meet_at_one_table(at):
    (card,) = (await at.api.types(NEREA, "niya"))["results"]
    board = await at.api.choose(NEREA, card)
    code = board.code("Sentarme")
    await at.api.press(EVA, board, code)
    await at.press(BRUNO, board, code)
    assert len(await rows(at, board)) == 1


async def test_who_does_not_play_is_refused_in_words(at):
    board = await begun(at)
    before = board.edits
    heard = await at.press(EVA, board, board.moves[0])
    assert "mirando" in heard["text"]
    assert board.edits == before


async def test_who_waits_long_is_refused_in_words_too_since_nothing_else_can_be_said(
    at, monkeypatch
):
    board, real = await begun(at), at.facade.requests.press
    monkeypatch.setattr("bot.chats.telegram.paced_messages.WATCHDOG", 0.05)

    async def slow(press):
        await asyncio.sleep(0.3)
        return await real(press)

    monkeypatch.setattr(at.facade.requests, "press", slow)
    heard = await at.press(EVA, board, board.moves[0])
    assert "mirando" in heard["text"]


async def test_what_a_toast_cannot_hold_waits_in_private(at):
    board = await begun(at)
    heard = await at.press(EVA, board, board.code("Más"))
    assert heard["url"].startswith(f"https://t.me/{BOT['username']}?start=")
    await at.api.say(EVA, f"/start {heard['url'].partition('=')[2]}", private(EVA))
    await at.api.until(lambda: at.api.board(EVA["id"]))


async def test_a_half_made_move_is_shown_in_words_as_well(at):
    board = await begun(at, "cirya")
    before = board.edits
    first = next(code for code in board.moves if code)
    await at.press(at.mover(board), board, first)
    assert board.edits > before
    assert board.picture is None


async def test_a_rematch_takes_the_message_over(at):
    board = await begun(at)
    (old,) = await rows(at, board)
    while board.moves:
        await move(at, board)
    await at.press(NEREA, board, board.code("Revancha"))
    await at.press(BRUNO, board, board.code("Revancha"))
    (new,) = await rows(at, board)
    assert new != old
    assert board.moves


async def test_a_message_that_is_gone_is_a_shut_place_and_nothing_else(at):
    board = await begun(at)
    other = await begun(at)
    del at.api.inline[board.inline]
    await at.api.press(at.mover(board), board, board.moves[0])
    await move(at, other)
    assert at.api.calls("sendMessage", "sendPhoto") == []


async def test_a_call_comes_in_private_to_who_has_a_chat_with_us(at):
    await at.api.say(BRUNO, "/start", private(BRUNO))
    await at.api.until(lambda: at.api.board(BRUNO["id"]))
    board = await begun(at)
    heard = [m.text for m in at.api.messages.values() if m.chat == BRUNO["id"]][1:]
    assert all("Niya" in said for said in heard)
    assert board.moves


@asynccontextmanager
async def pictured(folder, **settings):
    """A house whose page is at ``ORIGIN``, or with the *settings*."""
    api = Api()
    async with room(folder, api=api, **settings) as at:

        async def fetch(address: str) -> bytes | None:
            *_, platform, place, told = address.removesuffix(".png").split("/")
            assert address.startswith(f"{ORIGIN}/shown/")
            name, _, mac = told.partition("-")
            return await at.facade.boards.shown_at(platform, place, name, mac)

        api.fetch = fetch
        yield at


@pytest.mark.slow
async def test_pictures_come_by_an_address_that_only_we_can_write(tmp_path):
    async with pictured(tmp_path, web_public_url=ORIGIN) as at:
        board = await begun(at)
        assert board.picture is not None
        await move(at, board)
        first, second = [a.values["media"]["media"] for a in at.api.calls("editMessageMedia")][-2:]
        assert first != second
        assert await at.api.fetch(f"{second[:-6]}ab.png") is None
        at.api.fetch = None  # Telegram does not reach the page any more
        await move(at, board)
        assert board.picture is not None


@pytest.mark.slow
async def test_pictures_come_by_a_copy_in_the_chat_of_the_operator(tmp_path):
    async with pictured(tmp_path, telegram_store_chat=-1009) as at:
        board = await begun(at)
        await move(at, board)
        assert board.picture is not None
        sent = at.api.calls("sendPhoto")
        assert {one.values["chat_id"] for one in sent} == {"-1009"}
        assert len(sent) == board.edits


@pytest.mark.slow
async def test_a_board_lives_on_after_a_restart(tmp_path):
    api = Api()
    async with room(tmp_path, api=api) as at:
        board = await begun(at)
    async with room(tmp_path, api=api) as at:
        await move(at, board)
        view = await at.facade.store.read(
            views.view_by_message, "telegram", f"{LONE}{board.inline}", board.inline
        )
        assert view.shown == view.owed


def test_a_place_that_is_one_message_says_which():
    assert Where("telegram", f"{LONE}abc").lone == "abc"
    assert Where("telegram", "-1001").lone is None


async def test_it_is_noted_whether_we_are_told_of_what_was_chosen(at):
    (card,) = (await at.api.types(NEREA, "niya"))["results"]
    for found in (MISSING, THERE, THERE):
        if found == THERE:
            await at.api.choose(NEREA, card)
        await at.api.say(NEREA, "Niya", via_bot=BOT)
        await at.api.until(lambda: not at.api.updates)
        await at.settle()
        assert await at.facade.notes.read(FEEDBACK, str) == found


async def test_an_invitation_of_an_open_table_brings_its_board_to_the_chosen_chat(at):
    at.api.flags = {"supports_inline_queries"}
    await at.chat._app.bot.get_me()
    await at.api.say(NEREA, "/jugar niya", private(NEREA))
    mine = await at.api.until(lambda: at.api.board(NEREA["id"]))
    key = "switch_inline_query_chosen_chat"
    (sent,) = [one[key] for row in mine.rows for one in row if key in one]
    assert sent["allow_user_chats"]
    assert sent["allow_group_chats"]
    first, *_ = (await at.api.types(NEREA, sent["query"]))["results"]
    board = await at.api.choose(NEREA, first)
    await at.press(EVA, board, board.code("Sentarme"))
    assert await rows(at, board) == [sent["query"]]
    assert board.moves
    assert "Eva" in at.api.board(NEREA["id"]).text


async def test_the_code_that_links_two_chats_is_copied_by_a_key(at):
    await at.api.say(NEREA, "/enlazar", private(NEREA))
    told = await at.api.until(lambda: at.api.board(NEREA["id"]))
    (copied,) = [one["copy_text"] for row in told.rows for one in row if "copy_text" in one]
    assert copied["text"] in told.text


async def test_a_key_where_nothing_can_be_chosen_is_disabled_unless_the_server_is_older(at):
    def older(asked):
        if "'disabled'" in repr(asked.values.get("reply_markup")):
            raise Refusal(400, "Bad Request: Text buttons are unallowed in the inline keyboard")

    async def blanks() -> tuple[bool, bool]:
        board = await at.begun(game="cirya")
        keys = [key for row in board.rows for key in row if key["text"] == "·"]
        await at.press(at.mover(board), board, board.moves[0])
        keys += [key for row in board.rows for key in row if key["text"] == "·"]
        return any("disabled" in key for key in keys), any("callback_data" in key for key in keys)

    try:
        assert await blanks() == (True, False)
        at.api.messages.clear()
        at.api.refuse = older
        assert await blanks() == (False, True)
    finally:
        Key.disables = True
