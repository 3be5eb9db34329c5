"""A move by a message of one's own: ``@bot `` lists what may be moved, and the chosen one plays."""

from __future__ import annotations

import pytest

from bot.chats.telegram.invitations import FEEDBACK, MISSING
from tests.chats.telegram_room import BRUNO, EVA, NEREA, Room
from tests.telegram_messages import Shown, private

CALLS = ("sendMessage", "sendPhoto", "sendAnimation", "editMessageText", "deleteMessage")


def moves(told: dict) -> list[dict]:
    """The results that are moves."""
    return [one for one in told["results"] if one["id"].startswith("m.")]


async def listed(at: Room, who: dict, typed: str = "") -> list[dict]:
    """The moves that *who* is offered for what he types."""
    return moves(await at.api.types(who, typed))


async def played(at: Room, who: dict, card: dict) -> None:
    """*who* chooses *card*, and all that comes of it."""
    await at.api.choose(who, card)
    await at.api.until(lambda: not at.api.updates)
    await at.settle()


def other(mover: dict) -> dict:
    return BRUNO if mover is NEREA else NEREA


async def test_the_chosen_move_is_played_by_its_sender_and_costs_one_edit_of_the_board(at):
    board = await at.begun()
    mover, before = at.mover(board), board.edits
    cards = await listed(at, mover)
    assert {card["id"] for card in cards} == set(board.moves)
    assert all(card["input_message_content"]["message_text"][:6] == "Niya: " for card in cards)
    made = len(at.api.calls(*CALLS, "editMessageMedia"))
    await played(at, mover, cards[0])
    assert board.edits == before + 1
    assert len(at.api.calls(*CALLS, "editMessageMedia")) == made + 1
    assert at.mover(board) is not mover


async def test_who_is_not_to_move_and_who_looks_on_are_offered_invitations_alone(at):
    board = await at.begun()
    for who in (other(at.mover(board)), EVA):
        told = await at.api.types(who, "")
        assert told["results"]
        assert moves(told) == []


async def test_a_table_where_others_are_to_move_says_whose_turn_it_is(at):
    board = await at.begun()
    mover, table = at.mover(board), await at.table(board)
    told = await at.api.types(other(mover), f"{table.code} ")
    assert told["results"] == []
    assert mover["first_name"] in told["button"]["text"]
    assert told["button"]["start_parameter"] == table.code
    assert "button" not in await at.api.types(EVA, f"{table.code} ")


async def test_a_code_names_the_table_and_letters_narrow_the_list(at):
    board = await at.begun()
    mover, table = at.mover(board), await at.table(board)
    whole = await listed(at, mover, f"{table.code.lower()} ")
    assert {card["id"] for card in whole} == set(board.moves)
    title = whole[0]["title"]
    assert [card["title"] for card in await listed(at, mover, f"{table.code} {title}")] == [title]


async def test_a_stale_choice_changes_nothing_and_is_told_in_private(at):
    board = await at.begun()
    mover = at.mover(board)
    await at.api.say(mover, "/start", private(mover))
    await at.api.until(lambda: at.api.board(mover["id"]))
    first, second, *_ = await listed(at, mover)
    await played(at, mover, first)
    edits = board.edits
    await played(at, mover, second)
    assert board.edits == edits
    told = [m.text for m in at.api.messages.values() if m.chat == mover["id"]]
    assert told[-1].startswith("Ahora juega")


@pytest.mark.parametrize("game", ["niya", "cirya", "shogi", "parchis"])
async def test_whatever_is_said_before_others_is_a_whole_move(at, game):
    board = await at.begun(game=game)
    mover, table = at.mover(board), await at.table(board)
    (seat,) = table.actors()
    cards, offset, asked = [], "", 0
    while not asked or offset:
        told = await at.api.types(mover, table.code, offset)
        cards, offset, asked = cards + moves(told), told.get("next_offset", ""), asked + 1
    assert len(cards) == len(table.present.legal_moves(seat)) == len({c["title"] for c in cards})
    assert not any("reply_markup" in card for card in cards)
    first = cards[-1]["title"].split()[0]
    narrowed = await listed(at, mover, f"{table.code} {first}")
    assert cards[-1] in narrowed
    edits = board.edits
    await played(at, mover, cards[-1])
    assert board.edits > edits
    assert (await at.table(board)).version > table.version


async def test_nothing_is_offered_while_we_are_not_told_what_is_chosen(at):
    board = await at.begun()
    await at.facade.notes.put(FEEDBACK, MISSING)
    assert await listed(at, at.mover(board)) == []


@pytest.mark.parametrize("full", [False, True])
async def test_a_full_group_s_board_offers_it(at, full, monkeypatch):
    at.api.flags = {"supports_inline_queries"}
    await at.chat._app.bot.get_me()
    pacing = at.facade.requests.delivery.pacing
    monkeypatch.setattr(type(pacing), "is_busy", lambda self, where: full)
    board: Shown = await at.begun()
    keys = [key for row in board.rows for key in row if "switch_inline_query_current_chat" in key]
    table = await at.table(board)
    told = [key["switch_inline_query_current_chat"] for key in keys]
    assert told == ([f"{table.code} "] if full else [])
