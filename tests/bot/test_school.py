"""First steps in a chat: by buttons and by words, right, not it, and not legal."""

from __future__ import annotations

import itertools
import re
from dataclasses import replace
from datetime import timedelta

import pytest

from bot.commands.school.exercises import sample_move_text
from bot.port import Card, MenuAnswer, Said, Screen, Where
from bot.presenters.button_codes import LONGEST_CODE, TYPED, Action, Click, encode_click
from bot.presenters.school.exercises import ExerciseBoard
from bot.presenters.table.keyboard import BLANK
from bot.presenters.table.viewers import Viewer
from bot.session.exercise_catalogue import (
    Exercise,
    advanced,
    code_of,
    exercises,
    games_with_courses,
    stages_of,
    step_that_teaches,
    steps_of_course,
)
from bot.session.preferences import Look
from bot.standing.medals import EXAM
from bot.texts import OURS, language
from games.core.school import BadLesson, check_lesson, exam, opening, read_lesson, resumed
from games.core.shelf import find_game, shelf
from render.kit import paint
from storage.club.medals import give_medals
from storage.person import personal_data
from storage.records import AttemptRow, MedalRow
from storage.school import attempts
from tests.fakes import Message, person
from tests.learner import FakeHands, Learner, moves_of, text_of

STEPS = [one for one in exercises().values() if one.step]
EVERY = pytest.mark.parametrize("exercise", STEPS, ids=lambda e: f"{e.game.key}-{e.lesson.key}")
GAMES = pytest.mark.parametrize("game", list(shelf()))
ANA = person("Ana")
ALONE = Where("fake", "id-Ana", private=True)


def test_every_game_of_ours_has_a_course():
    assert [game.key for game in games_with_courses()] == list(shelf())


def test_no_two_exercises_share_a_code():
    told = [code_of(one.game.key, one.lesson) for one in exercises().values()]
    assert len(set(told)) == len(told)


@EVERY
def test_every_step_is_accepted_by_its_reader_and_every_answer_is_legal(exercise):
    check_lesson(exercise.game, exercise.lesson)  # raises where it is not
    begun = opening(exercise.game, exercise.lesson)
    assert begun.position.legal_moves(begun.seat)


@EVERY
@pytest.mark.parametrize("code", OURS)
def test_every_step_says_what_to_do_why_it_is_right_and_why_others_are_not_it(exercise, code):
    templates, key = language(code).templates, f"{exercise.game.key}.learn.{exercise.lesson.key}"
    known = opening(exercise.game, exercise.lesson)
    _, wrong = moves_of(exercise, known)
    then = known.answers.values()
    assert {key, f"{key}.right"} <= templates.keys()
    # What is said of a wrong move, and what is to be done after the first act.
    assert (f"{key}.wrong" in templates) or not wrong
    assert (f"{key}.then" in templates) == any(one is not None for one in then)


def board(exercise: Exercise, state: int = 0) -> ExerciseBoard:
    return ExerciseBoard(exercise, state, exercise.resumed(state), Viewer(), b"key", "Ana")


@pytest.mark.sampled(8)
@EVERY
def test_every_step_is_painted_and_said(exercise):
    made = board(exercise)
    screen = made.asking("", (), ())
    assert screen.scene is not None
    assert paint(replace(screen.scene, size=160)).width == 160
    seen = made.known.position.seen_by(made.known.seat)
    assert exercise.game.notation.text(seen) not in made.in_words()


@EVERY
def test_every_move_of_every_step_fits_into_a_button(exercise):
    known, steps = opening(exercise.game, exercise.lesson), exercise.game.menus.steps
    for move in known.position.legal_moves(known.seat):
        path = (exercise.code, *steps(known.position, move))
        code = encode_click(Click(Action.LEARN, "0000", 64**4, path), b"key")
        assert len(code.encode()) <= LONGEST_CODE


@pytest.mark.slow
@GAMES
@pytest.mark.parametrize("code", OURS)
async def test_a_course_is_taken_by_words_alone(house, game, code):
    await Learner(FakeHands(house, code), house.facade.services.key).by_words(game)
    store = house.facade.store
    found = await store.read(attempts.attempts_of, 1, game=game)
    assert {one.step for one in found if one.solved} == {
        one.lesson.key for one in steps_of_course(game)
    }


@pytest.mark.sampled
@GAMES
async def test_a_course_is_taken_by_the_buttons_of_play(house, game):
    hands = FakeHands(house)
    last = await Learner(hands, house.facade.services.key).by_buttons(game)
    assert "examen" in last.text
    plays = [
        code for code in last.codes if house.facade.boards.buttons.click(code).act is Action.PLAY
    ]
    message = Message("card", ALONE, Screen("0000", 0, ""), None, card=True)
    assert (await house.press(ANA, message, code=plays[0])).good
    (line,) = await house.facade.services.tables.list_lines(("playing",))
    table = await house.facade.services.tables.get(line.code)
    assert sorted(player.level or 0 for player in table.players) == [0, 1]
    wanted = exam(find_game(game))
    assert {key: table.options[key] for key in wanted if key != "side"} == {
        key: value for key, value in wanted.items() if key != "side"
    }
    assert not table.competes


async def take(house, game, stage, *, missing=()):
    """Solve the steps of a *stage* by words, with a wrong move before those *missing*."""
    for one in steps_of_course(game):
        if one.lesson.stage != stage:
            continue
        code = house_code(house, one)
        shown = Message("card", ALONE, Screen("0000", 0, ""), None, card=True)
        await house.press(ANA, shown, code=code)
        known = one.resumed(0)
        if one.lesson.key in missing:
            await house.call(ANA, "learn", ALONE, answer=moves_of(one, known)[1][0])
        told = await house.call(ANA, "learn", ALONE, answer=moves_of(one, known)[0][0])
    return text_of(told)


@pytest.mark.parametrize(
    ("missing", "row"),
    [((), "★★★"), (("row",), "★★☆"), (("row", "column", "square"), "★☆☆")],
)
async def test_a_stage_that_is_done_is_known_and_has_stars(house, missing, row):
    told = await take(house, "niya", "shape", missing=missing)
    assert f"{row} «Figuras que ganan»: esto ya lo sabes." in told
    shelf_of = text_of(await house.call(ANA, "learn", ALONE))
    shown = (await house.call(ANA, "learn", ALONE)).screen
    (label,) = (button.label for line in shown.rows for button in line if "Niya" in button.label)
    assert label.endswith(f"4 de 15 · {row.count('★')} ★"), shelf_of


async def test_the_shelf_shows_which_exam_is_passed(house):
    await house.call(ANA, "learn", ALONE)
    at = house.facade.services.clock.now()
    await house.facade.store.write(give_medals, [MedalRow(1, EXAM, "niya", at, None, {})])
    shown = (await house.call(ANA, "learn", ALONE)).screen
    labels = [button.label for line in shown.rows for button in line]
    (passed,) = (label for label in labels if label.endswith(" · examen ✓"))
    assert passed.startswith("Niya")


async def test_a_stage_with_a_step_left_is_not_said_to_be_known(house):
    shown = Message("card", ALONE, Screen("0000", 0, ""), None, card=True)
    last = steps_of_course("niya")[3]
    await house.press(ANA, shown, code=house_code(house, last))
    assert "ya lo sabes" not in text_of(await house.call(ANA, "learn", ALONE, answer="M3"))


async def test_the_words_of_a_step_change_when_its_first_act_is_done(house):
    step = next(one for one in steps_of_course("niya") if one.lesson.key == "trap")
    shown = Message("card", ALONE, Screen("0000", 0, ""), None, card=True)
    first = text_of(await house.press(ANA, shown, code=house_code(house, step)))
    then = text_of(await house.call(ANA, "learn", ALONE, answer="M4"))
    assert "Prepara un bloqueo" in first
    assert "Prepara un bloqueo" not in then
    assert then.index("Tu rival responde") < then.index("Deja una carta")


def test_a_beginner_sees_the_newcomers_pieces_and_nobody_who_was_never_there():
    shogi, storill = (steps_of_course(key)[0] for key in ("shogi", "storilljudhjorrayc"))
    assert board(shogi).asking("", (), ()).scene.theme.endswith("-starter")
    assert board(storill).asking("", (), ()).scene.posed
    assert "bajas" not in board(storill).in_words().casefold()
    chosen = ExerciseBoard(
        shogi, 0, shogi.resumed(0), Viewer(look=Look(pieces="two")), b"key", "Ana"
    )
    assert chosen.asking("", (), ()).scene.theme.endswith("-two")


async def test_where_somebody_was_is_kept_and_a_skipped_step_is_offered_at_the_end(house):
    steps = steps_of_course("niya")
    await house.call(ANA, "learn", ALONE, game="niya")
    answer = await house.call(ANA, "learn", ALONE, answer="M1")
    assert "✅" in text_of(answer)
    again = await house.call(ANA, "learn", ALONE, game="niya")
    assert "2 de 15" in again.screen.headline
    code = house_code(house, steps[-1])
    message = Message("card", ALONE, again.screen, None, card=True)
    shown = await house.press(ANA, message, code=code)
    assert "15 de 15" in shown.screen.headline
    await house.call(ANA, "learn", ALONE, answer="M3")
    done = await house.call(ANA, "learn", ALONE, answer="L1")
    assert "13 pasos" in text_of(done)


async def test_a_course_that_is_done_opens_again_with_its_exam_and_its_stages(house):
    await house.call(ANA, "learn", ALONE, game="niya")
    now = house.facade.services.clock.now()
    for one in steps_of_course("niya"):
        row = AttemptRow(1, one.code, "niya", one.lesson.key, 0, 0, now)
        await house.facade.store.write(attempts.begin_attempt, row)
        await house.facade.store.write(attempts.solve_attempt, 1, one.code, now)
    shelf_of = (await house.call(ANA, "learn", ALONE)).screen
    (niya,) = (key.code for row in shelf_of.rows for key in row if "Niya" in key.label)
    shown = Message("card", ALONE, Screen("0000", 0, ""), None, card=True)
    for answer in (
        await house.call(ANA, "learn", ALONE, game="niya"),
        await house.press(ANA, shown, code=niya),
    ):
        assert "Queda el examen" in text_of(answer)
        (play,), *again = answer.screen.rows
        assert house.facade.boards.buttons.click(play.code).path == ("niya", "exam")
        assert len(again) == len(stages_of("niya"))
    (row,) = again[1]
    assert row.label == "Figuras que ganan · ★★★"
    assert "paso 5 de 15" in text_of(await house.press(ANA, shown, code=row.code))


def house_code(house, exercise, *path, state=0):
    click = Click(Action.LEARN, "0000", state, (exercise.code, *path))
    return encode_click(click, house.facade.services.key)


async def test_a_wrong_move_is_counted_until_the_step_is_solved(house):
    row = next(one for one in steps_of_course("niya") if one.lesson.key == "row")
    shown = await house.call(ANA, "learn", ALONE, game="niya")
    message = Message("card", ALONE, shown.screen, None, card=True)
    await house.press(ANA, message, code=house_code(house, row))
    for answer in ("O2", "V2", "M1", "O2"):
        await house.call(ANA, "learn", ALONE, answer=answer)
    found = (await house.facade.store.read(attempts.attempts_of, 1, game="niya"))[0]
    assert found.exercise == row.code
    assert found.wrong == 2
    assert found.solved is not None


async def test_two_wrong_moves_in_a_row_are_answered_each_by_its_name(house):
    await house.call(ANA, "learn", ALONE, game="niya")
    await house.call(ANA, "learn", ALONE, answer="M1")
    shown = await house.call(ANA, "learn", ALONE, game="niya")
    known = steps_of_course("niya")[1].resumed(0)
    wrong = moves_of(steps_of_course("niya")[1], known)[1][:2]
    told = [text_of(await house.call(ANA, "learn", ALONE, answer=move)) for move in wrong]
    # In words: who learns does not read its notation yet.
    assert len(set(told)) == len(wrong), shown
    assert all("Se puede jugar, pero no es lo que se pide: " in text for text in told)
    assert told[0] != told[1]


async def test_an_illegal_move_is_refused_with_its_rule_and_its_chapter(house):
    last = next(one for one in steps_of_course("shogi") if one.lesson.key == "uchifuzume")
    shown = await house.call(ANA, "learn", ALONE, game="shogi")
    message = Message("card", ALONE, shown.screen, None, card=True)
    await house.press(ANA, message, code=house_code(house, last))
    answer = await house.call(ANA, "learn", ALONE, answer="P*9b")
    assert isinstance(answer, Said)
    assert not answer.good
    assert "uchifuzume" in answer.said.casefold()
    assert "Meter piezas" in answer.said


async def test_a_cell_where_nothing_can_be_chosen_says_so(house):
    shown = await house.call(ANA, "learn", ALONE, game="niya")
    message = Message("card", ALONE, shown.screen, None, card=True)
    assert BLANK in message.labels
    answer = await house.press(ANA, message, BLANK)
    assert isinstance(answer, Said)


async def test_what_is_typed_into_the_field_of_the_button_is_an_answer(house):
    first = steps_of_course("cirya")[0]
    shown = await house.call(ANA, "learn", ALONE, game="cirya")
    message = Message("card", ALONE, shown.screen, None, card=True)
    button = message.button("Escribir")
    told = await house.press(ANA, message, code=button.code)
    assert "/aprender" in told.said
    click = house.facade.boards.buttons.click(button.code)
    assert click.asks == "move"
    assert click.path == (TYPED, first.code)


async def test_a_move_typed_by_who_plays_nothing_answers_what_is_open(house, monkeypatch):
    await house.call(ANA, "learn", ALONE, game="cirya")
    step = exercises()[steps_of_course("cirya")[0].code]
    example = sample_move_text(step)
    told = await house.call(ANA, "move", ALONE, move=example)
    assert isinstance(told, Card)
    assert told.screen.headline.startswith("Cirya")
    monkeypatch.setattr("bot.commands.school.puzzles.IN_FRONT", timedelta())
    late = await house.call(ANA, "move", ALONE, move=example)
    assert not late.good


async def test_no_move_answers_first_steps_that_were_only_offered(house):
    bruno = person("Bruno")
    await house.call(ANA, "play", game="shogi", opponent=bruno)
    await house.press(bruno, list(house.chat.messages.values())[-1], "Aceptar")
    assert await house.facade.store.read(attempts.latest_attempt, 1)
    await house.surely(ANA, "resign")
    for where in (house.where, ALONE):
        told = await house.call(ANA, "move", where, move="7g7f")
        assert told.said.startswith("Aquí no estás jugando ninguna partida.")
        assert told.leads.rows[0][0].label == "Preparar una partida"


async def test_a_move_typed_in_private_that_no_game_takes_answers_what_is_open(house):
    bruno = person("Bruno")
    for game, side in (("niya", "red"), ("shogi", "sente")):
        await house.call(bruno, "play", game=game, opponent=ANA, side=side, begins=side)
        board = list(house.chat.messages.values())[-1]
        await house.press(ANA, board, "Aceptar")
    await house.call(ANA, "learn", ALONE, game="cirya")
    step = exercises()[steps_of_course("cirya")[0].code]
    example = sample_move_text(step)
    told = await house.call(ANA, "move", ALONE, move=example)
    assert isinstance(told, Card)
    assert told.screen.headline.startswith("Cirya")
    refused = await house.call(ANA, "move", ALONE, move="zz99")
    assert not refused.good or "¿En cuál" in str(refused)
    in_group = await house.call(ANA, "move", move=example)
    assert "¿En cuál de tus mesas?" in str(in_group), "there it is no answer"


async def test_a_button_of_a_lesson_that_has_changed_gets_a_sentence(house):
    shown = await house.call(ANA, "learn", ALONE, game="cirya")
    message = Message("card", ALONE, shown.screen, None, card=True)
    gone = replace(steps_of_course("cirya")[0], code="zzzzzz")
    answer = await house.press(ANA, message, code=house_code(house, gone))
    assert not answer.good
    assert "/aprender" in answer.said


async def test_in_public_a_step_is_for_the_eyes_of_the_asker_alone(house):
    answer = await house.call(ANA, "learn", game="niya", whispered="yes")
    assert isinstance(answer, Card)
    card = house.card(answer)
    again = await house.press(ANA, card, "M1")
    assert isinstance(again, MenuAnswer)


async def test_the_shelf_of_a_bare_play_offers_to_learn(house):
    shown = await house.call(ANA, "play", ALONE)
    message = Message("card", ALONE, shown.screen, None, card=True)
    answer = await house.press(ANA, message, "Aprender")
    assert "aprender" in answer.screen.headline
    *games, (mistakes,) = answer.screen.rows
    assert len(games) == len(shelf())
    assert "errores" in mistakes.label


async def test_no_step_opens_on_the_position_of_a_rated_game_of_the_asker(house):
    step = steps_of_course("cirya")[0]
    ben = person("Ben")
    await house.call(ANA, "play", game="cirya", opponent=ben, rated="yes")
    message = list(house.chat.messages.values())[-1]
    await house.press(ben, message, "Aceptar")
    playing = await house.facade.services.tables.get(message.screen.table)
    assert playing.competes
    assert playing.game.notation.text(playing.present) == step.lesson.position
    answer = await house.call(ANA, "learn", ALONE, game="cirya")
    assert not answer.good
    assert playing.code in answer.said


async def test_whoever_opens_a_game_for_the_first_time_is_offered_it_once(house):
    first = await house.call(ANA, "play", ALONE, game="niya", opponent="ordenador")
    assert "/aprender" in first.note
    again = await house.call(ANA, "play", ALONE, game="niya", opponent="ordenador")
    assert not again.note
    other = await house.call(ANA, "play", ALONE, game="cirya", opponent="ordenador")
    assert "Cirya" in other.note


async def test_whoever_has_begun_a_course_is_not_offered_it(house):
    await house.call(ANA, "learn", ALONE, game="niya")
    answer = await house.call(ANA, "play", ALONE, game="niya", opponent="ordenador")
    assert not answer.note


async def test_a_refusal_names_the_step_and_a_page_of_the_rules_leads_to_it(house):
    await house.call(ANA, "play", ALONE, game="shogi", opponent="ordenador", side="sente")
    answer = await house.call(ANA, "why", ALONE, move="P*5e")
    ((learn,),) = answer.leads.rows
    assert re.fullmatch(r"Aprenderlo: paso \d+", learn.label)
    rules = await house.call(ANA, "rules", ALONE, game="shogi")
    message = Message("card", ALONE, rules.screen, None, card=True)
    while "Practicarlo »" not in message.labels:
        turned = await house.press(ANA, message, "Siguiente »")
        message = Message("card", ALONE, turned.screen, None, card=True)
    step = await house.press(ANA, message, "Practicarlo »")
    assert "paso" in step.screen.headline


async def test_attempts_are_exported_joined_and_forgotten(house):
    await house.call(ANA, "learn", ALONE, game="niya")
    await house.call(ANA, "learn", ALONE, answer="M1")
    store = house.facade.store
    exported = await store.read(personal_data.export_person, 1)
    assert [row["step"] for row in exported["attempt"]] == ["border"]
    ben = person("Ben")
    there = Where("fake", "id-Ben", private=True)
    await house.call(ben, "learn", there, game="niya")
    await house.call(ben, "learn", there, game="cirya")
    await store.write(personal_data.join_people, 1, 2)
    games = [one["game"] for one in (await store.read(personal_data.export_person, 1))["attempt"]]
    assert sorted(games) == ["cirya", "niya"]
    await store.write(personal_data.erase_person_data, 1)
    assert not (await store.read(personal_data.export_person, 1))["attempt"]


def test_a_rule_leads_to_the_step_that_teaches_it():
    assert step_that_teaches("shogi", "H8").lesson.key == "nifu"
    assert step_that_teaches("shogi", "") is None
    assert step_that_teaches("shogi", "H99") is None


BAD = (
    [],
    {"position": 3},
    {"position": "x", "answers": []},
    {"position": "x", "answers": {"a": 3}},
    {"position": "x", "answers": {"a": {"reply": 3, "answers": "*"}}},
)


@pytest.mark.parametrize("told", BAD, ids=repr)
def test_what_is_no_lesson_is_refused(told):
    with pytest.raises(BadLesson):
        read_lesson("niya", told)


@pytest.mark.parametrize(
    "answers",
    [
        ["V9"],
        ["L2"],
        {"M1": {"reply": "V4", "answers": ["O1"]}},
        {"M1": {"reply": "M2", "answers": ["V9"]}},
    ],
    ids=repr,
)
def test_a_lesson_with_a_move_that_is_not_legal_is_refused(answers):
    start = "M1,O2,L3,V4/O1,L2,V3,M4/L1,V2,M3,O4/V1,M2,O3,L4 R -"
    lesson = read_lesson("niya", {"position": start, "answers": answers})
    with pytest.raises(BadLesson):
        check_lesson(find_game("niya"), lesson)


def test_a_state_remembers_each_answer_and_no_more():
    two = next(one for one in steps_of_course("niya") if one.lesson.key == "two")
    state = advanced(0, 1)
    assert not two.resumed(state).is_solved
    assert two.resumed(advanced(state, 1)).is_solved
    for numbers in itertools.chain([(2,)], [(1, 5)], [(1, 1, 1)]):
        with pytest.raises(BadLesson):
            resumed(two.game, two.lesson, numbers)
