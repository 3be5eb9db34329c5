"""Whole games at a table, from the click to the board that is shown."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from datetime import timedelta

import pytest

from bot.port import Card, Said
from bot.presenters.table.composer import Composer
from bot.presenters.table.invitation import legible_seal
from bot.presenters.table.status import clock_words
from bot.presenters.table.viewers import Viewer
from bot.session.game_clock import instant
from tests.fakes import Desk, person

NEREA, BRUNO, EVA = person("Nerea"), person("Bruno"), person("Eva")


async def begun(at: Desk, **wish: str) -> str:
    """A game of Niya between Nerea and Bruno; its table's code."""
    await at.call(NEREA, "play", game="niya", opponent=BRUNO, **wish)
    (message,) = at.chat.messages.values()
    await at.press(BRUNO, message, "Aceptar")
    return message.screen.table


async def mover(at: Desk, code: str):
    table = await at.facade.services.tables.get(code)
    (seat,) = table.actors()
    return NEREA if table.players[seat].name == "Nerea" else BRUNO


async def play_on(at: Desk, code: str, plies: int, rng: random.Random) -> None:
    for _ in range(plies):
        board = at.chat.board(code)
        if board.screen.over:
            return
        await at.press(await mover(at, code), board, rng.choice(board.moves).label)


async def test_two_people_play_a_whole_game_by_buttons(at):
    code = await begun(at)
    await play_on(at, code, 20, random.Random(3))
    board = at.chat.board(code)
    assert board.screen.over
    assert len(at.chat.messages) == 1
    assert board.picture is not None
    assert board.picture.startswith(b"\x89PNG")
    assert "Revancha" in board.labels


async def test_a_stranger_is_refused_and_nothing_changes(at):
    code = await begun(at)
    before = await at.facade.services.tables.get(code)
    board = at.chat.board(code)
    answer = await at.press(EVA, board, board.moves[0].label)
    assert not answer.good
    assert answer.said == f"Estás mirando: ahora juega {(await mover(at, code)).name}."
    assert (await at.facade.services.tables.get(code)).version == before.version


async def test_the_other_player_hears_that_it_is_not_his_turn(at):
    code = await begun(at)
    other = BRUNO if await mover(at, code) is NEREA else NEREA
    board = at.chat.board(code)
    answer = await at.press(other, board, board.moves[0].label)
    assert answer.said == f"Ahora juega {(await mover(at, code)).name}."


@pytest.mark.parametrize("name", ["move", "why"])
async def test_a_move_typed_before_the_game_begins_is_refused_in_a_sentence(at, name):
    await at.call(NEREA, "play", game="niya", opponent=BRUNO)
    (message,) = at.chat.messages.values()
    answer = await at.call(NEREA, name, move="a1", table=message.screen.table)
    assert answer.said == "Esta partida ahora no se está jugando."


async def test_a_stale_button_is_refused_and_the_board_shown_again(at):
    code = await begun(at)
    stale = at.chat.board(code).moves[0]
    await play_on(at, code, 2, random.Random(1))
    board = at.chat.board(code)
    version = (await at.facade.services.tables.get(code)).version
    at.facade.services.delivery.renderer.lately.clear()
    answer = await at.press(await mover(at, code), board, code=stale.code)
    assert "de antes" in answer.said
    assert (await at.facade.services.tables.get(code)).version == version
    assert at.chat.board(code).edits > board.edits


async def test_a_forged_button_is_refused(at):
    code = await begun(at)
    board = at.chat.board(code)
    good = board.moves[0].code
    for forged in (good[:-1] + ("A" if good[-1] != "A" else "B"), "m", "", "x" * 64, "💥"):
        answer = await at.press(NEREA, board, code=forged or ".")
        assert not answer.good


async def test_the_same_update_twice_is_one_move(at):
    code = await begun(at)
    board, who = at.chat.board(code), await mover(at, code)
    button = board.moves[0].code
    await at.press(who, board, code=button, update="twice")
    version = (await at.facade.services.tables.get(code)).version
    again = await at.press(who, board, code=button, update="twice")
    assert (await at.facade.services.tables.get(code)).version == version
    assert again == Said()


async def test_a_typed_move_and_a_bad_one(at):
    code = await begun(at)
    table = await at.facade.services.tables.get(code)
    (seat,) = table.actors()
    move = table.game.notation.written(table.present, table.present.legal_moves(seat)[0])
    who = await mover(at, code)
    bad = await at.call(who, "move", move="Z9")
    assert not bad.good
    good = await at.call(who, "move", move=move.lower())
    assert good.good, good.said
    assert len((await at.facade.services.tables.get(code)).log) == 17


@pytest.mark.slow
async def test_against_the_computer_it_answers_by_itself(at):
    await at.call(NEREA, "play", game="niya", opponent="ordenador", level="1")
    (message,) = at.chat.messages.values()
    code = message.screen.table
    for _ in range(16):
        board = at.chat.board(code)
        if board.screen.over:
            break
        await at.press(NEREA, board, board.moves[0].label)
    assert at.chat.board(code).screen.over


@pytest.mark.slow
async def test_undo_asks_the_other_side_and_is_immediate_against_a_computer(at):
    code = await begun(at)
    who = await mover(at, code)
    other = BRUNO if who is NEREA else NEREA
    board = at.chat.board(code)
    await at.press(who, board, board.moves[0].label)
    await at.call(who, "undo")
    assert len((await at.facade.services.tables.get(code)).log) == 17
    await at.press(other, at.chat.board(code), "Permitir deshacer")
    assert len((await at.facade.services.tables.get(code)).log) == 16


async def test_resigning_asks_once_and_then_ends_the_game(at):
    code = await begun(at)
    more = at.card(await at.press(NEREA, at.chat.board(code), "Más"))
    question = at.card(await at.press(NEREA, more, "Rendirse"))
    assert question.screen.lines == ("Nerea, ¿seguro que te rindes?",)
    assert not (await at.facade.services.tables.get(code)).outcome
    await at.press(NEREA, question, "Sí, seguro")
    table = await at.facade.services.tables.get(code)
    assert table.outcome is not None
    assert table.players[table.outcome.winner].name == "Bruno"
    assert "Gana Bruno" in at.chat.board(code).screen.headline


async def test_a_rematch_needs_both_and_the_loser_begins(at):
    code = await begun(at)
    await at.surely(NEREA, "resign")
    await at.press(NEREA, at.chat.board(code), "Revancha")
    await at.press(BRUNO, at.chat.board(code), "Revancha")
    child = (await at.facade.services.tables.get(code)).child
    table = await at.facade.services.tables.get(child)
    assert table.players[table.first].name == "Nerea"
    assert at.chat.board(child).screen.table == child


async def test_a_rematch_asked_for_at_an_old_table_is_one_of_the_last_game(at):
    code = await begun(at)
    await at.surely(NEREA, "resign")
    await at.press(NEREA, at.chat.board(code), "Revancha")
    await at.press(BRUNO, at.chat.board(code), "Revancha")
    child = (await at.facade.services.tables.get(code)).child
    on = await at.call(NEREA, "rematch", table=code)
    assert on.said == f"Ya hay otra partida en la mesa {child}."
    await at.surely(NEREA, "resign")
    asked = await at.call(NEREA, "rematch", table=code)
    assert asked.good, asked.said
    assert (await at.facade.services.tables.get(child)).offered("rematch")


async def test_a_decline_closes_the_challenge(at):
    await at.call(NEREA, "play", game="niya", opponent=BRUNO)
    (message,) = at.chat.messages.values()
    stranger = await at.press(EVA, message, "Aceptar")
    assert stranger.said == "Este reto es para otra persona."
    await at.press(BRUNO, message, "No, gracias")
    assert (await at.facade.services.tables.get(message.screen.table)).status == "closed"


async def test_an_open_invitation_seats_whoever_comes_first(at):
    await at.call(NEREA, "play", game="niya")
    (message,) = at.chat.messages.values()
    await at.press(EVA, message, "Sentarme")
    table = await at.facade.services.tables.get(message.screen.table)
    assert table.status == "playing"
    assert {p.name for p in table.players} == {"Nerea", "Eva"}


@pytest.mark.slow
async def test_the_record_verifies_after_the_end_and_not_before(at):
    await begun(at)
    early = await at.call(NEREA, "verify")
    assert "al final podrás comprobar" in early.said
    await at.surely(NEREA, "resign")
    late = await at.call(NEREA, "verify")
    assert late.good, late.said
    assert "17" in late.said
    table = await at.facade.services.tables.get(next(iter(at.chat.messages.values())).screen.table)
    assert len(late.said.split()) <= 25, late.said
    assert legible_seal(table.commitment) not in late.said, "nobody reads digits there"
    ((how,),) = late.screen.rows
    board = next(iter(at.chat.messages.values()))
    whole = await at.press(NEREA, board, code=how.code)
    assert f"(código {legible_seal(table.commitment)} …)" in whole.said
    assert len(whole.file.data.splitlines()) == 17, "each draw can be reckoned again"
    assert legible_seal(table.commitment) in early.said, "as it was told before the end"


async def test_words_against_the_computer_can_be_chosen_after_the_seal_was_seen(at):
    await at.call(NEREA, "play", game="niya")
    (message,) = at.chat.messages.values()
    code = message.screen.table
    sealed = (await at.facade.services.tables.get(code)).commitment
    assert legible_seal(sealed) in (await at.call(NEREA, "verify", table=code)).said
    assert legible_seal(sealed) not in " ".join(message.screen.lines), "nobody reads digits there"
    await at.call(NEREA, "words", text="quién sabe", table=code)
    await at.press(NEREA, message, "+ ordenador")
    table = await at.facade.services.tables.get(code)
    assert table.status == "playing"
    assert (table.commitment, table.chance_words) == (sealed, "quién sabe")


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("wish", "word"),
    [
        ({"game": "ajedrez"}, "No conozco el juego"),
        ({"game": "niya", "options": "full_board=maybe"}, "no vale"),
        ({"game": "niya", "options": "speed=1"}, "No hay ninguna opción"),
        ({"game": "niya", "level": "9", "opponent": "ordenador"}, "nivel"),
        ({"game": "niya", "side": "azul"}, "bando"),
        ({"game": "niya", "seats": "5"}, "Aquí juegan"),
        ({"game": "niya", "opponent": "qwerty"}, "No sé quién"),
        ({"game": "niya", "opponent": NEREA}, "retarte"),
    ],
)
async def test_a_bad_wish_gets_one_sentence_and_opens_nothing(at, wish, word):
    answer = await at.call(NEREA, "play", **wish)
    assert not answer.good
    assert word in answer.said
    assert not at.chat.messages


async def test_unknown_tables_and_moves_of_strangers(at):
    await begun(at)
    for name, values in (
        ("join", {"table": "XXXXXX"}),
        ("move", {"move": "M1", "table": "XXXXXX"}),
        ("board", {"table": "zz"}),
    ):
        answer = await at.call(EVA, name, **values)
        assert not answer.good
        assert "mesa" in answer.said


async def test_a_button_of_another_table_plays_at_its_own_table_only(at):
    first = await begun(at)
    button = at.chat.board(first).moves[0]
    await at.call(NEREA, "play", game="niya")
    second = list(at.chat.messages.values())[-1]
    before = (await at.facade.services.tables.get(second.screen.table)).version
    await at.press(await mover(at, first), second, code=button.code)
    assert (await at.facade.services.tables.get(second.screen.table)).version == before
    assert len((await at.facade.services.tables.get(first)).log) == 17


async def test_why_names_the_rule_and_leads_to_the_step_that_teaches_it(at):
    code = await begun(at)
    table = await at.facade.services.tables.get(code)
    centre = table.game.notation.written(table.present, table.present.cells[5])
    who = await mover(at, code)
    answer = await at.call(who, "why", move=centre)
    assert answer.said.endswith("tiene que ser del borde. Reglas: «El turno».")
    ((learn,),) = answer.leads.rows
    assert learn.label == "Aprenderlo: paso 1"
    step = await at.press(who, list(at.chat.messages.values())[-1], code=learn.code)
    assert " paso 1 de " in step.screen.headline


async def test_many_tables_at_once_ask_which_one_is_meant(at):
    first = await begun(at)
    await at.call(NEREA, "play", game="niya")
    second = list(at.chat.messages.values())[-1].screen.table
    await at.call(BRUNO, "join", table=second)
    who = await mover(at, first)
    if await mover(at, second) is not who:
        board = at.chat.board(second)
        await at.press(await mover(at, second), board, board.moves[0].label)
    answer = await at.call(who, "move", move="Z9")
    labels = [button.label for row in answer.screen.rows for button in row]
    assert [code for code in (first, second) if any(code in label for label in labels)] == [
        first, second
    ]  # fmt: skip
    answer = await at.call(who, "resign")
    chosen = next(b.code for row in answer.screen.rows for b in row if second in b.label)
    assert chosen.startswith(f"r.{second}.")
    listed = await at.call(who, "games")
    assert listed.said.count("te toca") == 2


@pytest.mark.slow
async def test_games_lists_ones_turns_first_with_age_and_place(at, clock):
    first = await begun(at)
    await at.call(NEREA, "play", game="niya")
    second = at.chat.board((await at.facade.services.tables.list_lines(("open",), 1))[0].code)
    await at.call(BRUNO, "join", table=second.screen.table)
    who = await mover(at, second.screen.table)
    while await mover(at, first) is who:
        await at.press(who, at.chat.board(first), at.chat.board(first).moves[0].label)
    clock.wait(timedelta(minutes=1))
    lines = (await at.call(who, "games")).said.split("\n")
    assert [line.split(" · ")[-1] for line in lines] == [second.screen.table, first]
    assert lines[0].startswith("▶ Niya con ")
    assert " · te toca · hace 1 minuto · aquí mismo · " in lines[0]
    assert f" · le toca a {'Bruno' if who is NEREA else 'Nerea'} · " in lines[1]
    elsewhere = await at.call(who, "games", where=replace(at.where, place="other"))
    assert "aquí" not in elsewhere.said


async def test_games_lists_first_what_runs_out_first(at):
    codes = {}
    for clock in ("", "3d", "15m+30s", "1d"):
        await at.call(NEREA, "play", game="niya", opponent="ordenador", clock=clock)
        codes[clock] = list(at.chat.messages.values())[-1].screen.table
    await at.settle()
    listed = (await at.call(NEREA, "games")).said
    order = ["15m+30s", "1d", "3d", ""]
    assert [line.split(" · ")[-1] for line in listed.split("\n")] == [codes[one] for one in order]
    assert re.search("te toca · tiempo: 1[45] min", listed)
    assert re.search("te toca · tiempo: (3 días|2 días 23 h)", listed)


async def test_games_lead_to_the_boards_by_keys_also_once_a_board_is_posted_anew(at):
    code = await begun(at)
    listed = await at.call(NEREA, "games")
    assert not listed.link
    await at.call(NEREA, "board", table=code)
    (key,) = [one for row in listed.leads.rows for one in row]
    shown = await at.press(NEREA, at.card(Card(listed.leads)), code=key.code)
    assert shown.screen.table == code
    assert shown.screen.scene is not None


async def test_words_that_reach_a_phone_say_which_game_whose_and_whose_turn(at):
    code = await begun(at)
    mine = await at.call(NEREA, "join", table=code)
    assert mine.said.startswith("Tu mesa de ")
    watched = await at.call(EVA, "join", table=code)
    assert watched.said.startswith("Ahora miras una mesa de ")
    table = await at.facade.services.tables.get(code)
    for answer in (mine, watched):
        assert "con " in answer.said
        assert any(table.players[seat].name in answer.said for seat in table.actors())


@pytest.mark.parametrize(
    ("control", "after"), [("15m+30s", "30 s por jugada"), ("10m+3x30s", "3 veces 30 s")]
)
async def test_the_time_left_says_what_comes_after_it(at, control, after):
    await at.call(NEREA, "play", game="niya", opponent=BRUNO, clock=control)
    await at.press(BRUNO, list(at.chat.messages.values())[-1], "Aceptar")
    await at.settle()
    table = await at.facade.services.tables.get(list(at.chat.messages.values())[-1].screen.table)
    left = clock_words(Composer(table, Viewer(language="es"), b"k"), instant(table.touched))[0]
    assert left.count(f" min y después {after}") == 2
