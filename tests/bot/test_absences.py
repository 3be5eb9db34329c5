"""Players who are gone: found where they are called, told by the platform, and back again."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from bot.port import ChatError, PlaceShut, Where
from bot.session.table import PLAYING
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
from tests.fakes import Desk, desk

ALONE = Where("fake", "eva-alone", private=True)


# ---------------------------------------------------------------- challenged


async def test_a_challenged_person_who_leaves_is_named_and_the_challenger_hears_of_it(at, clock):
    shown = await challenged(at)
    await after(at, clock, minutes=1)
    await at.facade.boards.places.note_left(at.where, BRUNO.external)
    await at.settle()
    assert "Bruno ya no está aquí, y no hay forma de avisarle." in board(at).screen.lines
    code = shown.screen.table
    words = "Bruno ya no está, y no puede contestar a tu reto de Niya: retíralo, o mándale el "
    assert heard(at) == [(("Nerea",), f"{words}código {code}.")]
    await at.facade.boards.places.note_left(at.where, BRUNO.external)
    await after(at, clock, minutes=1)
    assert len(heard(at)) == 1


async def test_a_challenged_person_who_comes_back_may_accept_as_before(at, clock):
    shown = await challenged(at)
    await at.facade.boards.places.note_left(at.where, BRUNO.external)
    await at.facade.boards.places.note_joined(at.where, BRUNO.external)
    await at.settle()
    assert not any("ya no está" in line for line in board(at).screen.lines)
    await at.facade.boards.places.note_left(at.where, BRUNO.external)
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
    await at.facade.boards.places.note_left(at.where, BRUNO.external)
    await at.settle()
    (said,) = [text for _, text in heard(at)]
    assert said.startswith("Bruno is gone and can’t answer your challenge to Niya: withdraw it")


async def asked_after(at: Desk, clock, **gap: float) -> None:
    """Let time pass, and let it be asked after whoever has not answered."""
    clock.wait(timedelta(**gap))
    await at.facade.process_duties.deadlines.expire()
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
    assert "Bruno ya no está aquí, y no hay forma de avisarle." in board(at).screen.lines
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
            f"{other.name} ya no está en la partida de Niya: en el tablero puedes cerrarla sin "
            "resultado o dejar que siga el ordenador.",
        )
    ]
    shown = board(at)
    assert f"{other.name} ya no está aquí, y no hay forma de avisarle." in shown.screen.lines
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
    await at.facade.boards.places.note_left(at.where, NEREA.external)
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
    assert f"{other.name} is no longer here and can’t be notified." in seen["en"].screen.lines
    assert {"Close without a result", "Let the computer play on"} <= set(seen["en"].labels)
    assert "Que siga la computadora" in seen["es-419"].labels


# ---------------------------------------------------------------- told


async def test_what_the_platform_tells_needs_no_question(at, clock):
    _, mover, other = await playing(at)
    await after(at, clock, minutes=1)
    at.chat.questions.clear()
    at.chat.pings.clear()
    await at.facade.boards.places.note_left(at.where, other.external)
    await at.settle()
    assert called(at) == [mover.name]
    assert other.external not in at.chat.questions


async def test_who_left_a_group_is_not_missed_where_they_play_from_elsewhere(at, clock):
    await at.call(NEREA, "play", game="niya", side="rojo", begins="rojo")
    code = board(at).screen.table
    await at.call(EVA, "join", ALONE, table=code)
    await at.facade.boards.places.note_left(at.where, EVA.external)
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
    await at.facade.boards.places.shut(ALONE)
    await at.settle()
    shown = at.chat.board(code, at.where)
    assert "Eva ya no recibe mis mensajes." in shown.screen.lines
    assert called(at) == ["Nerea"]
    await at.facade.boards.places.let_in(ALONE)
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
        absences = at.facade.services.unreachable_people
        monkeypatch.setattr(absences.places, "_shut", [])
        await at.facade.boards.places.shut(ALONE)
        assert not (await at.facade.services.tables.get(code)).missed
    monkeypatch.undo()
    async with desk(tmp_path, clock=clock) as at:
        await at.settle()
        assert (await at.facade.services.tables.get(code)).missed
        assert "Eva ya no recibe mis mensajes." in at.chat.board(code, at.where).screen.lines


@pytest.mark.slow
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


@pytest.mark.slow
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


@pytest.mark.slow
async def test_whom_the_platform_tells_to_be_back_is_called_to_their_turn(at, clock):
    _, other = await bereft(at, clock)
    at.chat.pings.clear()
    at.chat.gone.clear()
    await at.facade.boards.places.note_joined(at.where, other.external)
    await at.settle()
    assert called(at) == [other.name]
    assert not (await table_of(at)).missed


async def test_who_came_back_unheard_is_found_at_the_next_reminder(at, clock):
    _, other = await bereft(at, clock)
    await after(at, clock, minutes=2)
    at.chat.gone.clear()
    at.chat.pings.clear()
    clock.wait(timedelta(hours=25))
    await at.facade.process_duties.deadlines.expire()
    await after(at, clock, minutes=1)
    assert not (await table_of(at)).missed
    assert other.name in called(at)
