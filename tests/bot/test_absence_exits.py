"""The ways out of a game whose player is gone: closed, played on by a computer, or won."""

from __future__ import annotations

import pytest

from bot.port import Asker, Press
from bot.session.table import CLOSED, ENDED, PLAYING
from tests.bot.notification_helpers import (
    BRUNO,
    CLOSE,
    EVA,
    NEREA,
    PLAY_ON,
    after,
    bereft,
    board,
    called,
    challenged,
    heard,
    moved,
    playing,
    table_of,
)
from tests.fakes import Desk


async def test_the_only_one_left_closes_the_table_without_a_result(at, clock):
    mover, other = await bereft(at, clock)
    question = at.card(await at.press(mover, board(at), CLOSE))
    assert "¿cierras la mesa" in question.screen.lines[0]
    await at.press(mover, question, code=question.screen.rows[0][0].code)
    table = await table_of(at)
    assert (table.status, table.outcome) == (CLOSED, None)
    assert f"{mover.name} ha cerrado la mesa sin resultado" in board(at).screen.headline
    await after(at, clock, minutes=5)
    assert other.name not in called(at)


async def test_nobody_else_closes_it(at, clock):
    await bereft(at, clock)
    answer = await at.press(EVA, board(at), CLOSE)
    assert not answer.good
    assert (await table_of(at)).status == PLAYING


async def test_who_came_back_while_it_was_asked_keeps_the_game(at, clock):
    mover, other = await bereft(at, clock)
    question = at.card(await at.press(mover, board(at), CLOSE))
    at.chat.gone.clear()
    await at.facade.boards.places.note_joined(at.where, other.external)
    await at.settle()
    answer = await at.press(mover, question, code=question.screen.rows[0][0].code)
    assert not answer.good
    assert (await table_of(at)).status == PLAYING


@pytest.mark.slow
async def test_the_computer_plays_on_and_its_result_counts(at, clock):
    mover, other = await bereft(at, clock)
    await at.press(mover, board(at), PLAY_ON)
    table = await table_of(at)
    (left,) = [one for one in table.players if one.left is not None]
    assert left.level is not None
    assert not table.missed
    assert table.leavers == frozenset()
    assert other.name not in board(at).screen.headline
    for _ in range(20):
        if (await table_of(at)).status == ENDED:
            break
        await moved(at, mover)
    table = await table_of(at)
    assert table.status == ENDED
    assert table.outcome.places == table.present.outcome().places
    assert (await at.call(mover, "verify", table=table.code)).good


async def test_an_old_button_takes_nobody_s_chair_who_is_back(at, clock):
    mover, other = await bereft(at, clock)
    shown = board(at)
    code = shown.button(PLAY_ON).code
    at.chat.gone.clear()
    await at.facade.boards.places.note_joined(at.where, other.external)
    await at.settle()
    answer = await at.press(mover, shown, code=code)
    assert not answer.good
    assert answer.said == "Ya no falta nadie en esta mesa."
    assert all(one.left is None for one in (await table_of(at)).players)


async def test_a_stranger_lets_no_computer_play_on(at, clock):
    await bereft(at, clock)
    answer = await at.press(EVA, board(at), PLAY_ON)
    assert not answer.good
    assert (await table_of(at)).missed


async def test_among_several_a_computer_takes_the_chair_and_nobody_closes(at, clock):
    await at.call(NEREA, "play", game="parchis", seats="3")
    shown = board(at)
    await at.call(BRUNO, "join", table=shown.screen.table)
    await at.call(EVA, "join", table=shown.screen.table)
    await after(at, clock, minutes=1)
    at.chat.pings.clear()
    await at.facade.boards.places.note_left(at.where, EVA.external)
    await at.settle()
    shown = board(at)
    assert CLOSE not in shown.labels
    assert sorted(called(at)) == ["Bruno", "Nerea"]
    assert all("dejar que siga un ordenador" in text for _, text in heard(at))
    await at.press(BRUNO, shown, PLAY_ON)
    table = await table_of(at)
    assert [one.left is not None for one in table.players].count(True) == 1
    assert table.leavers


async def test_two_who_left_are_each_named_on_their_button(at, clock):
    await at.call(NEREA, "play", game="parchis", seats="3")
    shown = board(at)
    await at.call(BRUNO, "join", table=shown.screen.table)
    await at.call(EVA, "join", table=shown.screen.table)
    for gone in (EVA, BRUNO):
        await at.facade.boards.places.note_left(at.where, gone.external)
    await at.settle()
    shown = board(at)
    assert {"Un ordenador por Bruno", "Un ordenador por Eva", CLOSE} <= set(shown.labels)


async def test_the_same_update_twice_is_told_once(at, clock):
    _, mover, other = await playing(at)
    await after(at, clock, minutes=1)
    at.chat.pings.clear()
    for _ in range(3):
        await at.facade.boards.places.note_left(at.where, other.external)
    await at.settle()
    assert called(at) == [mover.name]


@pytest.mark.sampled
@pytest.mark.parametrize("game", ["niya", "cirya", "shogi", "storilljudhjorrayc"])
async def test_in_every_game_of_two_both_ways_out_stand_on_the_board(at, game):
    _, mover, other = await playing(at, game)
    await at.facade.boards.places.note_left(at.where, other.external)
    await at.settle()
    assert {CLOSE, PLAY_ON} <= set(board(at).labels)
    answer = await at.press(mover, board(at), PLAY_ON)
    assert answer.good


async def test_a_move_of_somebody_missed_is_made_and_brings_them_back(at, clock):
    _, other = await bereft(at, clock)
    shown = board(at)
    press = Press("late", shown.where, other, shown.moves[0].code, shown.id)
    assert (await at.facade.requests.press(press)).good
    await at.settle()
    table = await table_of(at)
    assert not table.missed
    assert len(table.log) >= 2


# ---------------------------------------------------------------- games that count


async def counting(at: Desk, plies: int, game: str = "niya") -> tuple[Asker, Asker]:
    """A rated game after so many moves; who is to move, and the other, who has left."""
    shown = await challenged(at, game, rated="")
    await at.press(BRUNO, shown, "Aceptar")
    table = await table_of(at)
    (seat,) = table.actors()
    nerea = table.players[seat].name == "Nerea"
    mover, other = (NEREA, BRUNO) if nerea else (BRUNO, NEREA)
    for typed in ("7g7f", "3c3d", "2g2f", "8c8d")[:plies]:
        if game == "shogi":
            await at.call(mover, "move", move=typed)
        else:
            await moved(at, mover)
        mover, other = other, mover
    assert (await table_of(at)).rated
    await at.facade.boards.places.note_left(at.where, other.external)
    await at.settle()
    return mover, other


@pytest.mark.slow
async def test_a_game_that_counts_is_won_after_the_second_move_and_not_closed(at):
    mover, other = await counting(at, 4)
    shown = board(at)
    assert CLOSE not in shown.labels
    assert not (await at.call(mover, "close", table=shown.screen.table)).good
    answer = await at.press(mover, shown, "Quedarme la victoria")
    assert answer.good
    table = await table_of(at)
    assert table.status == ENDED
    assert table.players[table.outcome.winner].name == mover.name
    assert board(at).screen.headline == f"★ Gana {mover.name}: {other.name} ya no está."


async def test_a_young_game_that_counts_is_closed_without_a_result(at):
    await counting(at, 1)
    assert CLOSE in board(at).labels
    assert "Quedarme la victoria" not in board(at).labels


@pytest.mark.slow
async def test_nobody_wins_over_somebody_who_is_back(at):
    mover, other = await counting(at, 4)
    shown = board(at)
    code = shown.button("Quedarme la victoria").code
    await at.facade.boards.places.note_joined(at.where, other.external)
    await at.settle()
    assert not (await at.press(mover, shown, code=code)).good
    assert (await table_of(at)).status == PLAYING


@pytest.mark.slow
async def test_its_record_can_be_read_and_says_who_won(at):
    mover, _ = await counting(at, 4, "shogi")
    await at.press(mover, board(at), "Quedarme la victoria")
    code = board(at).screen.table
    for form in ("kif", "csa", ""):
        answer = await at.call(mover, "record", table=code, form=form)
        assert answer.good
    answer = await at.call(mover, "verify", table=code)
    assert answer.good
