"""A table for whoever comes: a computer sits down soon, and yields its place to a person."""

from __future__ import annotations

from datetime import timedelta

import pytest

from bot.session.fold import TABLES
from bot.session.game_clock import instant
from bot.session.play import YIELDING, may_sit, yielding_seat
from bot.session.rated import turns_made
from bot.session.table import OPEN, PLAYING, Table
from storage.table import games
from tests.fakes import Desk, FakeClock, Message, desk, person

NEREA, BRUNO, EVA = person("Nerea"), person("Bruno"), person("Eva")


async def opened(at: Desk, game: str = "niya", **values: str) -> str:
    """A table that Nerea has opened for whoever comes."""
    await at.call(NEREA, "play", game=game, opponent="ya", **{"clock": "5m+5s", **values})
    return list(at.chat.messages.values())[-1].screen.table


async def table_of(at: Desk, code: str) -> Table:
    return await at.facade.services.tables.get(code)


def board(at: Desk, code: str) -> Message:
    return at.chat.board(code)


async def after(at: Desk, clock: FakeClock, seconds: float) -> None:
    clock.wait(timedelta(seconds=seconds))
    await at.facade.process_duties.deadlines.expire()
    await at.settle()


async def nerea_moves(at: Desk, code: str, times: int = 1) -> None:
    """Nerea moves, and the computer answers each time."""
    for _ in range(times):
        table = await table_of(at, code)
        (seat,) = table.actors()
        assert table.players[seat].name == "Nerea"
        move = table.game.notation.written(table.present, table.present.legal_moves(seat)[0])
        await at.call(NEREA, "move", move=move, table=code)
        await at.settle()


async def test_who_comes_within_twenty_seconds_is_taken_and_no_computer_sits_down(at, clock):
    code = await opened(at)
    assert any("20 segundos" in line for line in board(at, code).screen.lines)
    await after(at, clock, 19)
    assert (await table_of(at, code)).status == OPEN
    await at.call(BRUNO, "join", table=code)
    await after(at, clock, 60)
    assert {one.name for one in (await table_of(at, code)).players} == {"Nerea", "Bruno"}


async def test_after_twenty_seconds_a_computer_sits_down_that_suits_who_waits(at, clock):
    code = await opened(at)
    await after(at, clock, 20)
    table = await table_of(at, code)
    assert table.status == PLAYING
    assert [one.level for one in table.players if one.level] == [2]
    await at.surely(NEREA, "resign", table=code)
    again = await opened(at)
    await after(at, clock, 20)
    assert [one.level for one in (await table_of(at, again)).players if one.level] == [1]


async def test_a_computer_sits_down_at_once_if_one_wishes(at):
    code = await opened(at)
    await at.press(NEREA, board(at, code), "+ ordenador")
    table = await table_of(at, code)
    assert table.status == PLAYING
    assert yielding_seat(table) is not None


async def test_a_newcomer_takes_board_and_clock_as_they_stand(at, clock):
    code = await opened(at)
    await after(at, clock, 20)
    await nerea_moves(at, code)
    before = await table_of(at, code)
    seat, side = yielding_seat(before), [one.side for one in before.players]
    assert not (await at.press(NEREA, board(at, code), "Sentarme")).good
    answer = await at.press(BRUNO, board(at, code), "Sentarme")
    table = await table_of(at, code)
    assert answer.good
    assert (table.players[seat].name, table.players[seat].level) == ("Bruno", None)
    assert [one.side for one in table.players] == side
    assert (table.log, table.position) == (before.log, before.position)
    assert table.clock.left == before.clock.left
    assert not may_sit(table)
    assert "Sentarme" not in {one.label for row in board(at, code).screen.rows for one in row}
    await nerea_moves(at, code)
    clock.wait(timedelta(seconds=7))
    left = (await table_of(at, code)).clock.left[seat]
    move = (await table_of(at, code)).present.legal_moves(seat)[0]
    await at.call(BRUNO, "move", move=table.game.notation.written(table.present, move), table=code)
    assert (await table_of(at, code)).clock.left[seat] == left - 7_000 + 5_000


async def test_a_newcomer_whose_turn_it_is_has_their_own_time_from_then_on(at, clock, monkeypatch):
    code = await opened(at)
    monkeypatch.setattr(at.facade.services.computers, "ask", lambda *_: None)
    await after(at, clock, 20)
    table = await table_of(at, code)
    if table.players[min(table.actors())].name == "Nerea":
        await nerea_moves(at, code)
    clock.wait(timedelta(seconds=30))
    await at.call(BRUNO, "join", table=code)
    table = await table_of(at, code)
    (seat,) = table.actors()
    assert table.players[seat].name == "Bruno"
    assert table.clock.ends(seat) - instant(table.stirred) == 300_000


async def test_from_its_third_move_on_the_computer_stays_and_who_comes_looks_on(at, clock):
    code = await opened(at)
    await after(at, clock, 20)
    while yielding_seat(await table_of(at, code)) is not None:
        await nerea_moves(at, code)
    table = await table_of(at, code)
    seat = next(n for n, one in enumerate(table.players) if one.level)
    assert turns_made(table)[seat] == YIELDING
    answer = await at.call(BRUNO, "join", table=code)
    assert answer.said.startswith("Ahora miras una mesa de ")
    assert (await table_of(at, code)).players == table.players


async def test_a_computer_that_was_chosen_from_the_start_yields_to_nobody(at):
    await at.call(NEREA, "play", game="niya", opponent="ordenador")
    code = list(at.chat.messages.values())[-1].screen.table
    await at.settle()
    answer = await at.call(BRUNO, "join", table=code)
    assert answer.said.startswith("Ahora miras una mesa de ")


async def test_a_game_in_which_a_computer_sat_down_counts_for_nothing_to_its_end(at, clock):
    code = await opened(at, rated="por puntos")
    assert (await table_of(at, code)).rated
    await after(at, clock, 20)
    await at.call(BRUNO, "join", table=code)
    table = await table_of(at, code)
    assert (table.rated, table.casual) == (False, "computer")
    await at.surely(BRUNO, "resign", table=code)
    table = await table_of(at, code)
    assert table.outcome is not None
    assert not table.shifts


async def test_nobody_is_paired_with_whom_they_have_barred(at, clock):
    code = await opened(at)
    people = at.facade.services.people
    nerea = (await table_of(at, code)).host
    await at.call(BRUNO, "games")
    await people.choose((await people.of(BRUNO)).id, refused=(nerea,))
    assert not (await at.call(BRUNO, "join", table=code)).good
    await after(at, clock, 20)
    assert not (await at.call(BRUNO, "join", table=code)).good
    assert (await at.call(EVA, "join", table=code)).good
    assert "Eva" in {one.name for one in (await table_of(at, code)).players}


async def test_nobody_takes_a_place_while_units_are_set_up_unseen(at, clock):
    code = await opened(at, "storilljudhjorrayc")
    await after(at, clock, 20)
    table = await table_of(at, code)
    assert table.status == PLAYING
    assert not may_sit(table)
    answer = await at.call(BRUNO, "join", table=code)
    assert answer.said.startswith("Ahora miras una mesa de ")


async def test_a_restart_meets_the_promise_and_folds_the_same_table(tmp_path, clock):
    async with desk(tmp_path, clock=clock) as at:
        code = await opened(at)
    async with desk(tmp_path, clock=clock) as at:
        await after(at, clock, 21)
        await at.call(BRUNO, "join", table=code)
        table = await table_of(at, code)
        assert {one.name for one in table.players} == {"Nerea", "Bruno"}
        async with at.facade.store.reading() as tx:
            events = await games.load_events(tx, code)
        told = TABLES.of(code, events)
        assert [one.person for one in told.players] == [one.person for one in table.players]
        assert (told.log, told.clock, told.stand_in) == (table.log, table.clock, table.stand_in)


@pytest.mark.parametrize("game", ["cirya", "shogi", "parchis"])
async def test_every_game_can_be_played_at_once(at, clock, game):
    code = await opened(at, game)
    await after(at, clock, 20)
    table = await table_of(at, code)
    assert (table.status, len(table.players)) == (PLAYING, 2)
    assert (await at.call(BRUNO, "join", table=code)).good
    assert "Bruno" in {one.name for one in (await table_of(at, code)).players}
