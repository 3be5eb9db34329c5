"""What a viewer is shown: whose turn it is, what may be done, and nothing that is hidden."""

from __future__ import annotations

from dataclasses import replace

from bot.port import Where
from tests.fakes import Desk, desk, person

NEREA, BRUNO, EVA = person("Nerea"), person("Bruno"), person("Eva")


async def game(at: Desk, key: str = "niya") -> str:
    await at.call(NEREA, "play", game=key, seats="2")
    code = list(at.chat.messages.values())[-1].screen.table
    await at.call(BRUNO, "join", table=code)
    return code


async def test_the_answer_to_a_press_tells_what_followed(at):
    code = await game(at, "parchis")
    board = at.chat.board(code)
    who = NEREA if "Nerea" in board.screen.headline else BRUNO
    answer = await at.press(who, board, board.moves[0].label)
    assert "sale un" in answer.said


async def test_a_roll_is_told_by_what_comes_of_it(at):
    code = await game(at, "parchis")
    board = at.chat.board(code)
    who = NEREA if "Nerea" in board.screen.headline else BRUNO
    await at.press(who, board, board.moves[0].label)
    lines = at.chat.board(code).screen.lines
    told = [line for line in lines if line.startswith(f"{who.name}:")]
    assert len(told) == 1
    assert "sale un" in told[0] or "no puede" in told[0] or "sale a la" in told[0]


async def test_after_a_resignation_nobody_is_to_move_in_the_picture(at):
    code = await game(at)
    before = at.chat.board(code).screen.scene
    await at.surely(NEREA, "resign")
    after = at.chat.board(code).screen.scene
    assert before.ended is None
    assert after.ended is not None
    assert at.chat.board(code).screen.headline.startswith("★")


async def test_undo_is_offered_only_where_it_can_be_done(at):
    code = await game(at)
    board = at.chat.board(code)
    who = NEREA if "Nerea" in board.screen.headline else BRUNO
    assert "Deshacer" not in at.card(await at.press(who, board, "Más")).labels
    await at.press(who, board, board.moves[0].label)
    assert "Deshacer" in at.card(await at.press(who, at.chat.board(code), "Más")).labels


async def test_anybody_may_have_the_board_in_words(at):
    code = await game(at)
    answer = await at.press(EVA, at.chat.board(code), "En palabras")
    assert answer.good
    assert len(answer.said) > 200


async def test_an_open_parchis_has_four_chairs_and_starts_when_two_sit(at):
    await at.call(NEREA, "play", game="parchis")
    (message,) = at.chat.messages.values()
    assert sum("silla libre" in line for line in message.screen.lines) == 3
    assert "Empezar" not in message.labels
    await at.press(BRUNO, message, "Con verde")
    await at.press(EVA, at.chat.board(message.screen.table), "Sentarme")
    await at.press(NEREA, at.chat.board(message.screen.table), "+ ordenador")
    table = await at.facade.services.tables.get(message.screen.table)
    assert table.status == "playing"
    assert {p.side for p in table.players} == {"yellow", "blue", "red", "green"}
    assert next(p.name for p in table.players if p.side == "green") == "Bruno"


async def test_two_of_four_may_start_without_the_others(at):
    await at.call(NEREA, "play", game="parchis")
    (message,) = at.chat.messages.values()
    await at.press(BRUNO, message, "Sentarme")
    await at.press(NEREA, at.chat.board(message.screen.table), "Empezar")
    table = await at.facade.services.tables.get(message.screen.table)
    assert [p.side for p in table.players] == ["yellow", "red"]


async def test_who_leaves_a_table_of_three_is_replaced_and_placed_last(at):
    await at.call(NEREA, "play", game="parchis", seats="3")
    (message,) = at.chat.messages.values()
    await at.press(BRUNO, message, "Sentarme")
    await at.press(EVA, at.chat.board(message.screen.table), "Sentarme")
    code = message.screen.table
    await at.surely(EVA, "leave", table=code)
    table = await at.facade.services.tables.get(code)
    left = next(p for p in table.players if p.left)
    assert (left.person, left.level) == (None, 2)
    await at.surely(BRUNO, "leave", table=code)
    await at.surely(NEREA, "resign", table=code)
    table = await at.facade.services.tables.get(code)
    assert table.status == "ended"
    places = [sorted(place) for place in table.outcome.places]
    leavers = sorted(n for n, p in enumerate(table.players) if p.left)
    assert places[-1] == leavers


async def test_a_board_of_before_does_not_say_that_it_is_the_viewers_turn(tmp_path):
    async with desk(tmp_path) as at:
        who = person("Nerea")
        where = Where("fake", "own", private=True)
        wish = {"game": "niya", "opponent": "ordenador", "begins": "red", "side": "red"}
        await at.call(who, "play", where, **wish)
        (message,) = at.chat.messages.values()
        beside = await at.facade.boards.beside(message.screen, who)
        assert beside.mine
        before = replace(message.screen, version=message.screen.version - 1)
        assert not (await at.facade.boards.beside(before, who)).mine
