"""Invitations that expire, tables that idle, boards that move, people who leave."""

from __future__ import annotations

import asyncio
import random
from dataclasses import replace
from datetime import timedelta

import pytest

from bot.boards.renderer import nameless
from bot.port import (
    Later,
    MessageGone,
    PlaceMoved,
    PlaceShut,
    PlaceStanding,
    Press,
    Where,
)
from bot.presenters.table import status
from bot.session.names import cleaned
from bot.texts import language
from storage.table import views
from tests.fakes import Desk, desk, person

NEREA, BRUNO, EVA = person("Nerea"), person("Bruno"), person("Eva")


async def later(at: Desk, **gap: float) -> None:
    """Let time pass, and the clock look at its deadlines."""
    steady = at.facade.services.clock.steady
    at.facade.services.clock.steady = lambda: steady() + timedelta(**gap)
    await at.facade.process_duties.deadlines.expire()
    await at.settle()


async def game(at: Desk) -> str:
    await at.call(NEREA, "play", game="niya")
    code = list(at.chat.messages.values())[-1].screen.table
    await at.call(BRUNO, "join", table=code)
    return code


async def test_an_open_invitation_expires_after_an_hour(at):
    await at.call(NEREA, "play", game="niya")
    (message,) = at.chat.messages.values()
    await later(at, minutes=59)
    assert (await at.facade.services.tables.get(message.screen.table)).status == "open"
    await later(at, minutes=2)
    assert (await at.facade.services.tables.get(message.screen.table)).status == "closed"
    answer = await at.press(EVA, message, "Sentarme")
    assert not answer.good


async def test_a_challenge_expires_after_a_day(at):
    await at.call(NEREA, "play", game="niya", opponent=BRUNO)
    (message,) = at.chat.messages.values()
    await later(at, hours=23)
    assert (await at.facade.services.tables.get(message.screen.table)).status == "open"
    await later(at, hours=2)
    assert (await at.facade.services.tables.get(message.screen.table)).status == "closed"


async def test_a_dead_table_may_be_closed_after_a_week_by_anyone_of_the_place(at):
    code = await game(at)
    early = await at.call(EVA, "close", table=code)
    assert not early.good
    await later(at, days=6)
    assert not (await at.call(EVA, "close", table=code)).good
    await later(at, days=2)
    elsewhere = await at.call(EVA, "close", table=code, where=Where("fake", "other"))
    assert not elsewhere.good
    assert (await at.surely(EVA, "close", table=code)).good
    assert (await at.facade.services.tables.get(code)).status == "closed"
    told = "Eva ha cerrado esta mesa, que llevaba mucho tiempo parada."
    assert at.chat.board(code, at.where).screen.headline == told


async def test_the_board_that_stays_says_which_manager_has_closed_it(at):
    code = await game(at)
    at.chat.standings = {(EVA.external, at.where.place): PlaceStanding(manages=True)}
    assert (await at.surely(EVA, "close", table=code)).good
    board = at.chat.board(code, at.where)
    assert board.screen.headline == "Eva, que administra este sitio, ha cerrado la mesa."
    table = nameless(await at.facade.services.tables.get(code))
    told = "Alguien sin nombre, que administra este sitio, ha cerrado la mesa."
    assert language("es").say(status.closed(table)) == told


async def test_what_begins_a_game_says_so_and_whose_turn_it_is(at):
    await at.call(NEREA, "play", game="parchis", seats="3")
    (message,) = at.chat.messages.values()
    assert (await at.press(BRUNO, message, "Sentarme")).said == "Ya estás en la mesa."
    code = message.screen.table
    said = (await at.press(NEREA, at.chat.board(code), "Empezar")).said
    table = await at.facade.services.tables.get(code)
    (seat,) = table.actors()
    turn = "Te toca, Nerea, con" if table.players[seat].name == "Nerea" else "Le toca a Bruno, con"
    assert said.startswith(f"Empieza la partida. ▶ {turn}"), said


async def test_so_does_the_press_that_takes_the_last_chair(at):
    await at.call(NEREA, "play", game="niya", side="rojo", begins="rojo")
    (message,) = at.chat.messages.values()
    said = (await at.press(BRUNO, message, "Sentarme")).said
    assert said.startswith("Empieza la partida. ▶ Le toca a Nerea, con rojo")
    abroad = replace(EVA, language="en")
    await at.call(NEREA, "play", game="niya", side="rojo", begins="rojo")
    second = list(at.chat.messages.values())[-1]
    said = (await at.press(abroad, second, "Sentarme")).said
    assert said.startswith("The game begins. ▶ Nerea to move")
    assert said.endswith("The board is in another language: “Más” gives it to you in English.")


async def test_a_table_opened_elsewhere_is_shown_in_both_places(at):
    code = await game(at)
    other = Where("fake", "elsewhere")
    answer = await at.call(EVA, "join", other, table=code)
    assert answer.said.startswith("Ahora miras una mesa de ")
    first, second = at.chat.board(code, at.where), at.chat.board(code, other)
    table = await at.facade.services.tables.get(code)
    (seat,) = table.actors()
    who = NEREA if table.players[seat].name == "Nerea" else BRUNO
    await at.press(who, first, first.moves[0].label)
    version = (await at.facade.services.tables.get(code)).version
    assert at.chat.board(code, at.where).screen.version == version
    assert at.chat.board(code, other).screen.version == version
    assert second.screen.version < version


async def test_a_board_posted_again_replaces_the_old_message(at):
    code = await game(at)
    (old,) = at.chat.messages
    await at.call(NEREA, "board")
    assert at.chat.removed == [old]
    assert at.chat.board(code).id != old


async def test_a_board_in_text_says_everything_in_words(at):
    await game(at)
    answer = await at.call(NEREA, "board", form="texto")
    assert answer.said.count(",") >= 12
    assert "/" not in answer.said.splitlines()[-1]


async def test_a_deleted_board_is_posted_again_once(at):
    code = await game(at)
    at.chat.failures = [MessageGone()]
    before = len(at.chat.messages)
    await at.call(NEREA, "undo")
    await at.surely(NEREA, "resign")
    assert len(at.chat.messages) == before + 1
    assert at.chat.board(code).screen.over


async def test_a_place_that_asks_for_patience_gets_the_newest_board_only(at):
    code = await game(at)
    at.chat.failures = [Later(0.3)]
    calls = at.chat.calls
    rng = random.Random(5)
    for _ in range(3):
        table = await at.facade.services.tables.get(code)
        if table.outcome:
            break
        (seat,) = table.actors()
        move = table.game.notation.written(
            table.present, rng.choice(list(table.present.legal_moves(seat)))
        )
        who = NEREA if table.players[seat].name == "Nerea" else BRUNO
        await at.facade.requests.call(_typed(at, who, move))
    await at.settle()
    assert at.chat.calls - calls <= 3
    assert at.chat.board(code).screen.version == (await at.facade.services.tables.get(code)).version


def _typed(at: Desk, who, move: str):
    from bot.port import Command
    from tests.fakes import UPDATES

    return Command(f"u{next(UPDATES)}", at.where, who, "move", {"move": move})


async def test_a_shut_place_waits_and_comes_back(at):
    code = await game(at)
    at.chat.failures = [PlaceShut()]
    calls = at.chat.calls
    await at.surely(NEREA, "resign")
    assert at.chat.calls == calls + 1
    assert not at.chat.board(code).screen.over
    await at.facade.services.delivery.closed_places.reopen(at.where)
    await at.settle()
    assert at.chat.board(code).screen.over


async def test_a_place_with_a_new_id_keeps_its_tables(at):
    code = await game(at)
    at.chat.failures = [PlaceMoved("supergroup")]
    await at.surely(NEREA, "resign")
    async with at.facade.store.reading() as tx:
        (view,) = await views.views_of_game(tx, code)
    assert view.place == "supergroup"
    assert at.chat.board(code, Where("fake", "supergroup")).screen.over


async def test_a_language_that_we_do_not_speak_is_refused(at):
    answer = await at.call(NEREA, "language", language="klingon")
    assert not answer.good


async def test_f13_a_computer_that_does_not_answer_moves_at_a_glance_and_the_board_says_so(
    tmp_path,
):
    from bot.service.computers.pool import Thinkers

    dead = Thinkers(command=("false",), seconds=0.2, grace=0.2)
    async with desk(tmp_path, dead) as at:
        await at.call(NEREA, "play", game="niya", opponent="ordenador", side="rojo", begins="rojo")
        await asyncio.sleep(0)
        await at.settle()
        (message,) = at.chat.messages.values()
        table = await at.facade.services.tables.get(message.screen.table)
        board = at.chat.board(table.code)
        await at.press(NEREA, board, board.moves[0].label)
        await at.settle()
        after = await at.facade.services.tables.get(table.code)
        assert len(after.log) == 18
        assert "sin tiempo para pensar" in "".join(at.chat.board(table.code).screen.lines)


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("  Ana  María ", "Ana María"),
        ("A\u202eB\u200bC", "ABC"),
        ("x" * 99, "x" * 31 + "…"),
        ("a\nb\tc", "a b c"),
        ("Z\u0301\u0301\u0301\u0301a", "\u0179\u0301\u0301a"),
        ("\U000f0000", ""),
    ],
)
def test_names_are_one_clean_short_line(name, shown):
    assert cleaned(name) == shown


async def test_f14_what_was_taken_before_the_end_is_stored_and_shown(tmp_path, monkeypatch):
    async with desk(tmp_path) as at:
        board = at.chat.board(await game(at))
        mover = NEREA if "Nerea" in board.screen.headline else BRUNO
        real, rest, leaving = at.facade.requests.press, at.chat.rest, asyncio.Event()

        async def slow(press):
            await leaving.wait()
            return await real(press)

        async def resting():
            leaving.set()
            await rest()

        monkeypatch.setattr(at.chat, "rest", resting)

        monkeypatch.setattr(at.facade.requests, "press", slow)
        press = Press("late", board.where, mover, board.moves[0].code, board.id)
        at.chat.taken.append(asyncio.create_task(at.facade.requests.press(press)))
        await asyncio.sleep(0)
    assert at.chat.stopped
    after = at.chat.messages[board.id]
    assert after.edits == board.edits + 1
    assert after.screen.version > board.screen.version


async def test_f14_a_chat_that_never_comes_to_rest_does_not_keep_the_process(tmp_path, monkeypatch):
    monkeypatch.setattr("bot.facade.facade.REST_SECONDS", 0.01)
    async with desk(tmp_path) as at:
        board = at.chat.board(await game(at))
        monkeypatch.setattr(at.chat, "rest", asyncio.Event().wait)
        mover = NEREA if "Nerea" in board.screen.headline else BRUNO
        await at.facade.requests.press(
            Press("1", board.where, mover, board.moves[0].code, board.id)
        )
    assert at.chat.stopped
    assert at.chat.messages[board.id].screen.version > board.screen.version


async def test_who_sits_down_elsewhere_has_his_board_even_if_we_die_of_it(at, monkeypatch):
    await at.call(NEREA, "play", game="niya")
    code = list(at.chat.messages.values())[-1].screen.table
    alone = Where("fake", "of-bruno", private=True)

    async def died(*_args, **_how):
        raise RuntimeError("killed as soon as he sat")

    monkeypatch.setattr(at.facade.services.views, "ensure", died)
    await at.call(BRUNO, "join", where=alone, table=code)
    assert BRUNO.name in [
        player.name for player in (await at.facade.services.tables.get(code)).players
    ]
    async with at.facade.store.reading() as tx:
        assert alone.place in [view.place for view in await views.views_of_game(tx, code)]
    assert at.chat.board(code, alone).screen.table == code


async def test_who_leaves_a_game_of_three_knows_that_there_is_no_way_back_and_what_is_left(at):
    await at.call(NEREA, "play", game="parchis", seats="3")
    code = list(at.chat.messages.values())[-1].screen.table
    for who in (BRUNO, EVA):
        await at.call(who, "join", table=code)
    question = at.card(await at.call(EVA, "resign", table=code))
    assert "no podrás volver" in str(question.screen.lines)
    answer = await at.press(EVA, question, code=question.screen.rows[0][0].code)
    assert answer.said == "Has dejado la mesa. La partida sigue sin ti, y puedes mirarla."
    assert [button.code[0] for row in answer.screen.rows for button in row] == ["P"]


async def test_what_somebody_did_before_leaving_stays_theirs(at):
    await at.call(NEREA, "play", game="parchis", seats="3")
    code = list(at.chat.messages.values())[-1].screen.table
    for who in (BRUNO, EVA):
        await at.call(who, "join", table=code)
    table, by_name = await at.facade.services.tables.get(code), {"Nerea": NEREA, "Bruno": BRUNO}
    (seat,) = table.actors()
    who = by_name.get(table.players[seat].name, EVA)
    await at.press(who, at.chat.board(code), at.chat.board(code).moves[0].label)
    await at.surely(who, "resign")
    told = [line for line in at.chat.board(code).screen.lines if line.startswith(f"{who.name}: ")]
    assert told, at.chat.board(code).screen.lines
