"""A late board still offers what its player has done: the key tells that, and does no more."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from bot.port import Pace, Press
from bot.presenters.button_codes import Action, Click, encode_click
from bot.session.table import PLAYING
from tests.fakes import person

NEREA, BRUNO = person("Nerea"), person("Bruno")
PEOPLE = {one.name: one for one in (NEREA, BRUNO)}


async def test_who_has_rolled_and_presses_the_late_key_again_hears_the_roll(at, monkeypatch):
    monkeypatch.setattr("bot.boards.pacing.RESTS", 0.0)
    monkeypatch.setattr("bot.session.play.SETTLED", timedelta(0))  # no press is a double tap
    await at.call(NEREA, "play", game="parchis", opponent=BRUNO)
    code = list(at.chat.messages.values())[-1].screen.table
    await at.press(BRUNO, at.chat.board(code), "Aceptar")
    at.chat.limit = Pace(18, 60.0)
    pacing, tables = at.facade.services.delivery.pacing, at.facade.services.tables
    pacing._limiters._kept.clear()
    for number in range(200):
        table = await tables.get(code)
        assert table.status == PLAYING
        (seat,) = table.actors()
        mover, moves = PEOPLE[table.players[seat].name], at.chat.board(code).moves
        rolls = len(moves) == 1 and "tirar" in moves[0].code
        pacing.limiter(at.where)._done.clear()
        if rolls:
            for _ in range(18):
                pacing.limiter(at.where).note()
        press = Press(f"roll{number}", at.where, mover, moves[0].code, at.chat.board(code).id)
        await at.facade.requests.press(press)
        now = await tables.get(code)
        if rolls and now.actors() == {seat} and len(now.present.legal_moves(seat)) > 1:
            break
        pacing.limiter(at.where)._done.clear()
        await at.settle()
    again = await at.facade.requests.press(replace(press, update="again"))
    assert again.good
    assert again.said.startswith("Te sale un ")
    assert (await tables.get(code)).version == now.version


async def test_the_key_of_whoever_comes_next_asks_who_must_choose_before(at, monkeypatch):
    monkeypatch.setattr("bot.boards.pacing.RESTS", 0.0)
    monkeypatch.setattr("bot.session.play.SETTLED", timedelta(0))  # no press is a double tap
    await at.call(NEREA, "play", game="parchis", opponent=BRUNO)
    code = list(at.chat.messages.values())[-1].screen.table
    await at.press(BRUNO, at.chat.board(code), "Aceptar")
    tables, key = at.facade.services.tables, at.facade.services.key
    asked = set()
    for number in range(1000):
        table, board = await tables.get(code), at.chat.board(code)
        (seat,) = table.actors()
        mover = PEOPLE[table.players[seat].name]
        if len(table.present.legal_moves(seat)) > 1:
            for path in (("tirar",), ("tirar", "A1")):
                click = Click(Action.MOVE, code, table.acted[seat] - 1, path)
                early = encode_click(click, key)
                press = Press(f"early{number}{len(path)}", at.where, mover, early, board.id)
                told = await at.facade.requests.press(press)
                assert told.good, told.said
                if not told.said.startswith(("Te sale un ", "Cuentas ", "Ha salido un ")):
                    break  # the key by which they have just moved, or a move that means the same
                asked.add(told.said.split()[0])
                assert (await tables.get(code)).version == table.version
        if {"Te", "Cuentas"} <= asked:
            return
        press = Press(f"move{number}", at.where, mover, board.moves[0].code, board.id)
        await at.facade.requests.press(press)
        await at.settle()
    raise AssertionError(asked)


async def test_three_rolls_in_a_row_that_hand_on_the_turn_are_one_edit_where_a_group_waits(
    at, monkeypatch
):
    monkeypatch.setattr("bot.session.play.SETTLED", timedelta(0))  # no press is a double tap
    await at.call(NEREA, "play", game="parchis", opponent=BRUNO)
    code = list(at.chat.messages.values())[-1].screen.table
    await at.press(BRUNO, at.chat.board(code), "Aceptar")
    await at.settle()
    at.chat.limit = Pace(18, 60.0)
    delivery, tables = at.facade.services.delivery, at.facade.services.tables
    delivery.pacing._limiters._kept.clear()
    limiter, passes = delivery.pacing.limiter(at.where), 0
    for number in range(100):
        table, board = await tables.get(code), at.chat.board(code)
        if not passes:
            before, roll = board.edits, board.moves[0].code
            for _ in range(18):
                limiter.note()
        (seat,) = table.actors()
        press = Press(f"p{number}", at.where, PEOPLE[table.players[seat].name], roll, board.id)
        assert (await at.facade.requests.press(press)).good
        now = await tables.get(code)
        passes = passes + 1 if "tirar" in roll and now.actors() != {seat} else 0
        if passes == 3:
            break
        if not passes:  # a die that moves a piece: its board comes, and we begin again
            limiter._done.clear()
            limiter._wake_first()
            await at.settle()
            limiter._done.clear()
    assert passes == 3
    assert at.chat.board(code).edits == before
    limiter._done.clear()
    limiter._wake_first()
    await at.settle()
    assert at.chat.board(code).edits == before + 1
