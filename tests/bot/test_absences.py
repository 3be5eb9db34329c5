"""Players who are gone: found where they are called, told by the platform, and back again."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from bot.port import Asker, ChatError, PlaceShut, Press, Where
from bot.session.table import CLOSED, ENDED, PLAYING, Table
from tests.bot.notification_helpers import (
    BRUNO,
    EVA,
    NEREA,
    after,
    board,
    called,
    challenged,
    heard,
    moved,
    playing,
)
from tests.fakes import Desk, desk

ALONE = Where("fake", "eva-alone", private=True)
CLOSE, PLAY_ON = "Cerrar sin resultado", "Que siga el ordenador"


async def table_of(at: Desk) -> Table:
    return await at.facade.services.tables.get(board(at).screen.table)


async def bereft(at: Desk, clock, game: str = "niya"):
    """A game whose mover's opponent has left: he is found when he is to be called."""
    _, mover, other = await playing(at, game)
    at.chat.gone[other.external, at.where.place] = None
    await after(at, clock, minutes=1)
    at.chat.pings.clear()
    at.chat.questions.clear()
    await moved(at, mover)
    await at.settle()
    return mover, other


# ---------------------------------------------------------------- challenged


async def test_a_challenged_person_who_leaves_is_named_and_the_challenger_hears_of_it(at, clock):
    shown = await challenged(at)
    await after(at, clock, minutes=1)
    await at.facade.places.left(at.where, BRUNO.external)
    await at.settle()
    assert "Bruno ya no está aquí, y no hay forma de avisar." in board(at).screen.lines
    code = shown.screen.table
    words = "Bruno ya no está, y no puede contestar a tu reto de Niya: retíralo, o mándale el "
    assert heard(at) == [(("Nerea",), f"{words}código {code}.")]
    await at.facade.places.left(at.where, BRUNO.external)
    await after(at, clock, minutes=1)
    assert len(heard(at)) == 1


async def test_a_challenged_person_who_comes_back_may_accept_as_before(at, clock):
    shown = await challenged(at)
    await at.facade.places.left(at.where, BRUNO.external)
    await at.facade.places.joined(at.where, BRUNO.external)
    await at.settle()
    assert not any("ya no está" in line for line in board(at).screen.lines)
    await at.facade.places.left(at.where, BRUNO.external)
    await at.settle()
    # By the code, from wherever they are now.
    assert (await at.call(BRUNO, "join", table=shown.screen.table)).good
    table = await table_of(at)
    assert table.status == PLAYING
    assert not table.missed


async def test_the_challenger_reads_it_in_english_too(at, clock):
    nerea = replace(NEREA, language="en")
    await at.call(nerea, "play", game="niya", opponent=BRUNO)
    await after(at, clock, minutes=1)
    await at.facade.places.left(at.where, BRUNO.external)
    await at.settle()
    (said,) = [text for _, text in heard(at)]
    assert said.startswith("Bruno is gone and cannot answer your challenge to Niya: withdraw it")


async def asked_after(at: Desk, clock, **gap: float) -> None:
    """Let time pass, and let it be asked after whoever has not answered."""
    clock.wait(timedelta(**gap))
    await at.facade.leases.deadlines.expire()
    await after(at, clock)


async def test_it_is_asked_after_whoever_does_not_answer_a_challenge(at, clock):
    shown = await challenged(at)
    await after(at, clock, minutes=1)
    at.chat.questions.clear()
    at.chat.gone[BRUNO.external, at.where.place] = None
    await asked_after(at, clock, minutes=3)
    assert not at.chat.questions
    await asked_after(at, clock, minutes=2)
    assert at.chat.questions == [BRUNO.external]
    await after(at, clock)
    assert "Bruno ya no está aquí, y no hay forma de avisar." in board(at).screen.lines
    ((whom, words),) = heard(at)
    assert whom == ("Nerea",)
    assert words.startswith("Bruno ya no está, y no puede contestar a tu reto de Niya")
    assert words.endswith(f"{shown.screen.table}.")
    del at.chat.gone[BRUNO.external, at.where.place]
    await asked_after(at, clock, minutes=6)
    assert not any("ya no está" in line for line in board(at).screen.lines)


async def test_it_is_asked_four_times(at, clock):
    await challenged(at)
    await after(at, clock, minutes=1)
    at.chat.questions.clear()
    for minutes in (6, 26, 91, 361, 600):
        await asked_after(at, clock, minutes=minutes)
    assert at.chat.questions == 4 * [BRUNO.external]


async def test_where_it_is_not_known_whether_they_are_there_nothing_is_said(at, clock):
    await challenged(at)
    await after(at, clock, minutes=1)
    at.chat.gone[BRUNO.external, at.where.place] = ChatError("no answer")
    await asked_after(at, clock, minutes=6)
    assert not heard(at)


# ---------------------------------------------------------------- found


async def test_who_left_is_not_called_and_the_other_one_reads_it_once(at, clock):
    mover, other = await bereft(at, clock)
    await after(at, clock, minutes=1)
    assert heard(at) == [
        (
            (mover.name,),
            f"{other.name} ya no está en tu partida de Niya: en el tablero puedes cerrarla sin "
            "resultado o dejar que siga el ordenador.",
        )
    ]
    shown = board(at)
    assert f"{other.name} ya no está aquí, y no hay forma de avisar." in shown.screen.lines
    assert {CLOSE, PLAY_ON} <= set(shown.labels)
    assert f"{other.name} (no está)" in shown.screen.scene.names
    assert f"{other.name} ya no está aquí" in shown.screen.alt


async def test_a_call_asks_once(at, clock):
    _, mover, other = await playing(at)
    await after(at, clock, minutes=1)
    at.chat.questions.clear()
    await moved(at, mover)
    assert called(at).count(other.name) == 1
    assert at.chat.questions == [other.external]


async def test_a_call_that_brings_the_board_down_asks_once_too(at, clock):
    shown, mover, other = await playing(at)
    await after(at, clock, minutes=1)
    at.chat.questions.clear()
    at.chat.deep.add(shown.id)
    await moved(at, mover)
    assert [one.name for one in board(at).screen.mentions] == [other.name]
    assert at.chat.questions == [other.external]


async def test_a_board_that_is_posted_anew_mentions_nobody_who_left(at, clock):
    shown, mover, other = await playing(at)
    at.chat.gone[other.external, at.where.place] = None
    await after(at, clock, minutes=1)
    at.chat.deep.add(shown.id)
    at.chat.pings.clear()
    await moved(at, mover)
    await after(at, clock, minutes=1)
    assert all(other not in m.screen.mentions for m in at.chat.messages.values())
    assert (await table_of(at)).missed


async def test_where_the_platform_does_not_say_everybody_is_there(at, clock):
    _, mover, other = await playing(at)
    at.chat.gone[other.external, at.where.place] = ChatError("nobody knows")
    await after(at, clock, minutes=1)
    at.chat.pings.clear()
    await moved(at, mover)
    assert called(at) == [other.name]
    assert not (await table_of(at)).missed


async def test_who_plays_alone_against_a_computer_is_missed_by_nobody(at):
    await at.call(NEREA, "play", game="niya", opponent="ordenador", side="rojo", begins="rojo")
    await at.facade.places.left(at.where, NEREA.external)
    await at.settle()
    assert not (await table_of(at)).missed


async def test_it_is_told_in_english_and_in_american_spanish_too(at, clock):
    mover, other = await bereft(at, clock)
    seen = {}
    for code in ("en", "es-419"):
        asker = replace(mover, language=code)
        answer = await at.call(asker, "board", Where("fake", f"at-{code}", private=True))
        assert answer.good
        seen[code] = board(at, Where("fake", f"at-{code}", private=True))
    assert f"{other.name} is no longer here and cannot be notified." in seen["en"].screen.lines
    assert {"Close without a result", "Let the computer play on"} <= set(seen["en"].labels)
    assert "Que siga la computadora" in seen["es-419"].labels


# ---------------------------------------------------------------- told


async def test_what_the_platform_tells_needs_no_question(at, clock):
    _, mover, other = await playing(at)
    await after(at, clock, minutes=1)
    at.chat.questions.clear()
    at.chat.pings.clear()
    await at.facade.places.left(at.where, other.external)
    await at.settle()
    assert called(at) == [mover.name]
    assert other.external not in at.chat.questions


async def test_who_left_a_group_is_not_missed_where_they_play_from_elsewhere(at, clock):
    await at.call(NEREA, "play", game="niya", side="rojo", begins="rojo")
    code = board(at).screen.table
    await at.call(EVA, "join", ALONE, table=code)
    await at.facade.places.left(at.where, EVA.external)
    await at.settle()
    assert not (await table_of(at)).missed


async def with_a_player_in_private(at: Desk) -> str:
    await at.call(NEREA, "play", game="niya", side="rojo", begins="rojo")
    code = board(at).screen.table
    await at.call(EVA, "join", ALONE, table=code)
    return code


async def test_whose_private_chat_shuts_us_out_is_missed_until_it_lets_us_in(at, clock):
    code = await with_a_player_in_private(at)
    await after(at, clock, minutes=1)
    at.chat.pings.clear()
    await at.facade.places.shut(ALONE)
    await at.settle()
    shown = at.chat.board(code, at.where)
    assert "Eva ya no recibe mis mensajes." in shown.screen.lines
    assert called(at) == ["Nerea"]
    await at.facade.places.let_in(ALONE)
    await at.settle()
    shown = at.chat.board(code, at.where)
    assert not {CLOSE, PLAY_ON} & set(shown.labels)
    assert at.chat.removed  # the call that told of it


async def test_a_call_that_a_private_chat_refuses_tells_of_it(at, clock):
    code = await with_a_player_in_private(at)
    await after(at, clock, minutes=1)
    at.chat.refusing = [PlaceShut("blocked")]
    shown = at.chat.board(code, at.where)
    await at.press(NEREA, shown, code=shown.moves[0].code)
    await at.settle()
    assert "Eva ya no recibe mis mensajes." in at.chat.board(code, at.where).screen.lines


async def test_a_kill_before_it_was_noted_loses_nothing(tmp_path, clock, monkeypatch):
    async with desk(tmp_path, clock=clock) as at:
        code = await with_a_player_in_private(at)
        absences = at.facade.services.absences
        monkeypatch.setattr(absences.places, "_shut", [])
        await at.facade.places.shut(ALONE)
        assert not (await at.facade.services.tables.get(code)).missed
    monkeypatch.undo()
    async with desk(tmp_path, clock=clock) as at:
        await at.settle()
        assert (await at.facade.services.tables.get(code)).missed
        assert "Eva ya no recibe mis mensajes." in at.chat.board(code, at.where).screen.lines


async def test_what_was_noted_stands_after_a_kill_and_is_told_once(tmp_path, clock):
    async with desk(tmp_path, clock=clock) as at:
        mover, _ = await bereft(at, clock)
        code = board(at).screen.table
        await after(at, clock, minutes=1)
        assert called(at) == [mover.name]
    async with desk(tmp_path, clock=clock) as at:
        await after(at, clock, minutes=5)
        assert (await at.facade.services.tables.get(code)).missed
        assert heard(at) == []


# ---------------------------------------------------------------- back again


async def test_whoever_presses_anything_is_back_and_is_called_again(at, clock):
    _mover, other = await bereft(at, clock)
    del at.chat.gone[other.external, at.where.place]
    at.chat.pings.clear()
    await at.call(other, "board", table=board(at).screen.table)
    table = await table_of(at)
    assert not table.missed
    assert not {CLOSE, PLAY_ON} & set(board(at).labels)
    await after(at, clock, minutes=1)
    assert called(at) == [other.name]


async def test_whom_the_platform_tells_to_be_back_is_called_to_their_turn(at, clock):
    _, other = await bereft(at, clock)
    at.chat.pings.clear()
    at.chat.gone.clear()
    await at.facade.places.joined(at.where, other.external)
    await at.settle()
    assert called(at) == [other.name]
    assert not (await table_of(at)).missed


async def test_who_came_back_unheard_is_found_at_the_next_reminder(at, clock):
    _, other = await bereft(at, clock)
    await after(at, clock, minutes=2)
    at.chat.gone.clear()
    at.chat.pings.clear()
    clock.wait(timedelta(hours=25))
    await at.facade.leases.deadlines.expire()
    await after(at, clock, minutes=1)
    assert not (await table_of(at)).missed
    assert other.name in called(at)


# ---------------------------------------------------------------- the ways out


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
    await at.facade.places.joined(at.where, other.external)
    await at.settle()
    answer = await at.press(mover, question, code=question.screen.rows[0][0].code)
    assert not answer.good
    assert (await table_of(at)).status == PLAYING


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
    await at.facade.places.joined(at.where, other.external)
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
    await at.facade.places.left(at.where, EVA.external)
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
        await at.facade.places.left(at.where, gone.external)
    await at.settle()
    shown = board(at)
    assert {"Un ordenador por Bruno", "Un ordenador por Eva", CLOSE} <= set(shown.labels)


async def test_the_same_update_twice_is_told_once(at, clock):
    _, mover, other = await playing(at)
    await after(at, clock, minutes=1)
    at.chat.pings.clear()
    for _ in range(3):
        await at.facade.places.left(at.where, other.external)
    await at.settle()
    assert called(at) == [mover.name]


@pytest.mark.parametrize("game", ["niya", "cirya", "shogi", "storilljudhjorrayc"])
async def test_in_every_game_of_two_both_ways_out_stand_on_the_board(at, game):
    _, mover, other = await playing(at, game)
    await at.facade.places.left(at.where, other.external)
    await at.settle()
    assert {CLOSE, PLAY_ON} <= set(board(at).labels)
    answer = await at.press(mover, board(at), PLAY_ON)
    assert answer.good


async def test_a_move_of_somebody_missed_is_made_and_brings_them_back(at, clock):
    _, other = await bereft(at, clock)
    shown = board(at)
    press = Press("late", shown.where, other, shown.moves[0].code, shown.id)
    assert (await at.facade.press(press)).good
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
    await at.facade.places.left(at.where, other.external)
    await at.settle()
    return mover, other


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


async def test_nobody_wins_over_somebody_who_is_back(at):
    mover, other = await counting(at, 4)
    shown = board(at)
    code = shown.button("Quedarme la victoria").code
    await at.facade.places.joined(at.where, other.external)
    await at.settle()
    assert not (await at.press(mover, shown, code=code)).good
    assert (await table_of(at)).status == PLAYING


async def test_its_record_can_be_read_and_says_who_won(at):
    mover, _ = await counting(at, 4, "shogi")
    await at.press(mover, board(at), "Quedarme la victoria")
    code = board(at).screen.table
    for form in ("kif", "csa", ""):
        answer = await at.call(mover, "record", table=code, form=form)
        assert answer.good
    answer = await at.call(mover, "verify", table=code)
    assert answer.good
