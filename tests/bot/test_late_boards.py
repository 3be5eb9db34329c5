"""A late board still offers what its player has done: the key tells that, and does no more."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from bot.port import Pace, Press
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
