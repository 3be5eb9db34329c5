"""Puzzles in a chat: posed at one's strength, the first answer counts, so do days in a row."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from bot.app.main import main
from bot.port import Card, FileAnswer, MenuAnswer, Poster, Where
from bot.presenters.button_codes import Action, Click, encode_click
from bot.presenters.school.daily import OVER
from bot.presenters.school.exercises import ExerciseBoard
from bot.presenters.school.puzzles import GIVEN, solution
from bot.presenters.table.viewers import Viewer
from bot.session.exercise_catalogue import exercises, puzzles_of, steps_of_course
from bot.session.puzzle_mining import SOURCES, mine, proof_fault
from bot.texts import OURS, language
from games.core import phrase
from games.core.school import check_lesson, motifs, right
from games.core.shelf import find_game, shelf
from storage.person import personal_data
from storage.records import AttemptRow
from storage.school import attempts, puzzles
from tests.fakes import Message, person
from tests.learner import text_of

ANA = person("Ana")
ALONE = Where("fake", "id-Ana", private=True)
GAMES = [key for key in shelf() if puzzles_of(key)]


async def posed(house, game="niya", **more):
    answer = await house.call(ANA, "puzzle", ALONE, game=game, **more)
    code = (await house.facade.store.read(attempts.latest_attempt, 1, course=False)).exercise
    return Message("card", ALONE, answer.screen, None, card=True), exercises()[code]


def written(exercise, *, good: bool) -> str:
    known = exercise.resumed(0)
    moves = known.position.legal_moves(known.seat)
    fitting = (m for m in moves if (right(exercise.game, known, m) is not None) is good)
    return exercise.game.notation.written(known.position, next(fitting))


async def solve(house, exercise, who=ANA, where=ALONE):
    """Answer by the solution, each move typed; the last answer."""
    answer = None
    for before, seat, move in solution(exercise).played:
        if seat == exercise.resumed(0).seat:
            text = exercise.game.notation.written(before, move)
            answer = await house.call(who, "puzzle", where, answer=text)
    return answer


async def test_no_move_answers_an_exercise_that_is_solved(house):
    _, exercise = await posed(house)
    await solve(house, exercise)
    for where in (ALONE, house.where):
        told = await house.call(ANA, "move", where, move=written(exercise, good=True))
        assert told.said.startswith("Aquí no estás jugando ninguna partida.")


@pytest.mark.sampled
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("step", [7, pytest.param(1, marks=pytest.mark.slow)])
def test_every_shipped_puzzle_is_legal_and_has_its_words_and_a_picture(game, step):
    assert puzzles_of(game)
    for exercise in puzzles_of(game)[::step]:
        check_lesson(exercise.game, exercise.lesson)
        for code in OURS:
            assert f"{game}.puzzle.{exercise.lesson.theme}" in language(code).templates
        board = ExerciseBoard(exercise, 0, exercise.resumed(0), Viewer(), b"key", "Ana")
        assert board.asking("", (), ()).scene is not None


@pytest.mark.sampled
@pytest.mark.parametrize("game", GAMES)
async def test_a_puzzle_is_solved_by_words_and_counts(house, game):
    _, exercise = await posed(house, game)
    answer = await solve(house, exercise)
    assert "✅ ¡Resuelto!" in text_of(answer)
    record = await house.facade.services.puzzles.record(1, game)
    assert (record.solved, record.tried) == (1, 1)
    assert record.rating.shown > 1500


async def test_a_puzzle_is_answered_by_the_buttons_of_play(house):
    message, exercise = await posed(house)
    answer = await house.press(ANA, message, written(exercise, good=True))
    assert isinstance(answer, MenuAnswer)
    assert "¡Resuelto!" in text_of(answer)
    following = Message("card", ALONE, answer.screen, None, card=True)
    onward = await house.press(ANA, following, "Otro problema »")
    assert onward.screen.headline != message.screen.headline


async def test_who_tries_all_moves_loses_once_and_wins_nothing_by_it(house):
    _, exercise = await posed(house)
    record, known = house.facade.services.puzzles.record, exercise.resumed(0)
    fell = []
    for move in known.position.legal_moves(known.seat):
        if right(exercise.game, known, move) is None:
            text = exercise.game.notation.written(known.position, move)
            answer = await house.call(ANA, "puzzle", ALONE, answer=text)
            assert "❌" in text_of(answer)
            fell.append((await record(1, "niya")).rating.shown)
    assert len(fell) > 1
    assert fell[0] < 1500
    assert set(fell) == {fell[0]}
    await solve(house, exercise)
    found = await record(1, "niya")
    assert (found.rating.shown, found.solved) == (fell[0], 1)


async def test_the_same_answer_twice_counts_once(house):
    _, exercise = await posed(house)
    await solve(house, exercise)
    first = await house.facade.services.puzzles.record(1, "niya")
    again = await house.call(ANA, "puzzle", ALONE, answer=written(exercise, good=True))
    assert "Tu nivel" not in text_of(again)
    assert await house.facade.services.puzzles.record(1, "niya") == first
    row = await house.facade.store.read(puzzles.load_puzzle, exercise.code)
    assert (row.tried, row.solved) == (1, 1)


async def test_an_illegal_answer_counts_nothing(house):
    _, exercise = await posed(house)
    answer = await house.call(ANA, "puzzle", ALONE, answer="99zz")
    assert not answer.good
    (row,) = await house.facade.store.read(attempts.attempts_of, 1, game=exercise.game.key)
    assert row.wrong == 0


async def test_a_puzzle_that_waits_comes_again_until_it_is_answered(house):
    _, first = await posed(house)
    _, again = await posed(house)
    assert again == first
    await solve(house, first)
    _, other = await posed(house)
    assert other != first


async def test_the_solution_is_a_film_and_counts_as_missed(house):
    message, _ = await posed(house)
    answer = await house.press(ANA, message, "Ver la solución")
    assert isinstance(answer, Poster)
    assert answer.file.data.startswith(b"GIF89a")
    # Only the moves stood there: what they are good for was left to be guessed.
    assert "Solución del problema" in answer.said
    assert ". Tema: " in answer.said
    assert answer.leads is not None
    assert [one.label for one in answer.leads.buttons[0]] == ["Otro problema »", "Reglas"]
    other = await house.press(ANA, message, code=answer.leads.buttons[0][0].code)
    assert other.screen.headline.startswith("Niya · Problema")
    record = await house.facade.services.puzzles.record(1, "niya")
    assert record.rating.shown < 1500
    answer = await house.press(ANA, message, "Ver la solución")
    assert await house.facade.services.puzzles.record(1, "niya") == record


@pytest.mark.parametrize("game", GAMES)
async def test_a_puzzle_has_a_key_to_the_rules_of_its_game_and_stays(house, game):
    message, exercise = await posed(house, game)
    (rules,) = (one for one in message.screen.buttons[-1] if one.label == "Reglas")
    answer = await house.press(ANA, message, code=rules.code)
    assert isinstance(answer, Card)
    assert language("es").say(phrase(f"{game}.name")) in answer.screen.headline
    again = await house.call(ANA, "puzzle", ALONE, game=game)
    assert exercise.code.upper() in again.screen.headline


@pytest.mark.parametrize(("theme", "named"), [("mate1", False), ("mate3", True)])
def test_where_both_sides_play_a_solution_says_whose_each_move_is(theme, named):
    one = next(one for one in puzzles_of("shogi") if one.lesson.theme == theme)
    board = ExerciseBoard(one, 0, solution(one), Viewer(language="en"), b"key", "Ana")
    first, *others = board.plies_in_words(board.known.played)
    assert first.startswith("Ana: ") is named
    assert [said.partition(": ")[0] for said in others] == ["your rival", "Ana"] * named


async def test_in_public_the_solution_is_for_the_asker_alone(house):
    card = house.card(await house.call(ANA, "puzzle", game="niya", whispered="yes"))
    assert isinstance(await house.press(ANA, card, "Ver la solución"), FileAnswer)


@pytest.mark.parametrize("game", GAMES)
async def test_a_stranger_begins_at_the_bottom_third(house, game):
    every = sorted(one.lesson.mu for one in puzzles_of(game))
    for turn in range(8):
        found = await house.facade.services.puzzles.next_for(1, game, turn)
        assert found.lesson.mu <= every[len(every) // 3]


@pytest.mark.parametrize("game", GAMES)
async def test_who_has_taken_the_course_begins_with_the_easiest_of_the_plainest_theme(house, game):
    await house.call(ANA, "learn", ALONE, game=game)
    for step in steps_of_course(game):
        row = AttemptRow(
            1, step.code, game, step.lesson.key, 0, 0, house.facade.services.clock.now()
        )
        await house.facade.store.write(attempts.begin_attempt, row)
        await house.facade.store.write(attempts.solve_attempt, 1, step.code, row.at)
    _, exercise = await posed(house, game)
    assert (
        exercise.lesson.mu
        <= sorted(o.lesson.mu for o in puzzles_of(game))[len(puzzles_of(game)) // 3]
    )
    assert next(iter(exercise.game.computer.motifs)) in motifs(exercise.game, exercise.lesson)
    assert exercise.lesson.theme == "mate1" or game != "shogi"
    answer = await solve(house, exercise)
    assert "diez primeros" in text_of(answer)


async def test_what_is_opened_of_a_day_is_not_what_a_newcomer_begins_with(house):
    await house.call(ANA, "today", ALONE)
    opened = await house.facade.store.read(attempts.latest_attempt, 1, course=False)
    _, exercise = await posed(house, opened.game)
    assert exercise.code != opened.exercise


async def test_a_wrong_answer_where_luck_decides_hears_why_another_is_better(house):
    _, exercise = await posed(house, "parchis")
    answer = await house.call(ANA, "puzzle", ALONE, answer=written(exercise, good=False))
    told = text_of(answer)
    assert "La jugada buena mueve una ficha y hace perder" in told
    (least,) = map(int, re.findall(r"al menos (\d+) partidas", told))
    leads = [
        (int(a) + int(b)) / 20 for a, b in re.findall(r"(\d+)\.\.(\d+)", exercise.lesson.proof)
    ]
    assert 4 <= least <= min(leads) < least + 1
    assert "Mira cómo seguiría" not in told
    assert f"al menos {least} partidas" in text_of(await solve(house, exercise))


async def test_who_solves_climbs_and_who_misses_does_not(house):
    reached = []
    for _ in range(5):
        _, exercise = await posed(house)
        reached.append(exercise.lesson.mu)
        await solve(house, exercise)
    assert max(reached[2:]) > reached[0]
    assert reached[4] > reached[0]
    _, exercise = await posed(house)
    await house.call(ANA, "puzzle", ALONE, answer=written(exercise, good=False))
    _, after = await posed(house)
    assert after.lesson.mu <= exercise.lesson.mu + 0.5


async def test_the_first_ten_tries_hardly_count_and_say_so(house):
    changes = []
    for number in range(11):
        _, exercise = await posed(house)
        before = (await house.facade.services.puzzles.record(1, "niya")).rating.shown
        answer = await house.call(ANA, "puzzle", ALONE, answer=written(exercise, good=False))
        assert ("diez primeros" in text_of(answer)) is (number < 10)
        after = (await house.facade.services.puzzles.record(1, "niya")).rating.shown
        changes.append(before - after)
    assert 0 < changes[0] < 20
    assert changes[10] > max(changes[:10])


async def test_what_a_puzzle_teaches_is_said_once_it_is_solved(house):
    _, exercise = await posed(house, "shogi")
    assert "Tema:" not in text_of(await house.call(ANA, "puzzle", ALONE, game="shogi"))
    answer = await solve(house, exercise)
    taught = motifs(exercise.game, exercise.lesson)
    words = [language("es").say(phrase(f"shogi.motif.{one}")) for one in taught]
    assert all(word.casefold() in text_of(answer).casefold() for word in words)


async def test_without_a_game_each_is_offered_with_what_was_solved(house):
    _, exercise = await posed(house)
    await solve(house, exercise)
    answer = await house.call(ANA, "puzzle", ALONE)
    keys = [button for row in answer.screen.rows for button in row]
    many = len(puzzles_of("niya"))
    begun = next(one for one in keys if one.label == f"Niya · 1 de {many}")
    assert begun.part == ("niya", 1, many)
    # What is begun is gone on with.
    assert [one for one in keys if one.style == "good"] == [begun]
    assert isinstance(answer, Card)


@pytest.mark.slow
async def test_who_has_solved_everything_is_told_so(house):
    for exercise in puzzles_of("niya"):
        await posed(house)
        latest = await house.facade.store.read(attempts.latest_attempt, 1, course=False)
        await solve(house, exercises()[latest.exercise])
        del exercise
    answer = await house.call(ANA, "puzzle", ALONE, game="niya")
    assert "todos los problemas" in answer.screen.headline


async def test_what_is_kept_of_puzzles_is_told_and_forgotten(house):
    _, exercise = await posed(house)
    await solve(house, exercise)
    store = house.facade.store
    told = await store.read(personal_data.export_person, 1)
    assert {row["pool"] for row in told["solver"]} == {"niya"}
    await store.write(personal_data.erase_person_data, 1)
    assert not (await store.read(personal_data.export_person, 1))["solver"]


@pytest.mark.slow
def test_two_puzzles_of_one_game_are_so_many_plies_apart(monkeypatch):
    niya = find_game("niya")
    assert len(list(mine(niya, 4, 1))) > 4
    monkeypatch.setitem(SOURCES, "niya", replace(SOURCES["niya"], apart=99))
    assert 0 < len(list(mine(niya, 4, 1))) <= 4


def test_a_shipped_puzzle_is_proved_anew_and_one_with_another_answer_is_not():
    one, niya = puzzles_of("niya")[0].lesson, find_game("niya")
    assert proof_fault(niya, one, 1) == ""
    known = puzzles_of("niya")[0].resumed(0)
    (wrong, *_) = (
        m.code for m in known.position.legal_moves(known.seat) if m.code not in one.answers
    )
    assert proof_fault(niya, replace(one, answers={wrong: None}), 1)
    assert proof_fault(niya, replace(one, position=one.position[::-1]), 1)


@pytest.mark.slow
def test_the_operator_proves_the_shipped_puzzles_and_finds_new_ones(capsys):
    with pytest.raises(SystemExit) as ended:
        main(["puzzles", "mine", "niya", "--games", "4"])
    assert ended.value.code == 0
    found = capsys.readouterr().out.splitlines()
    assert found
    assert all(line.startswith('{"theme": "win"') for line in found)
    with pytest.raises(SystemExit) as ended:
        main(["puzzles", "mine"])
    assert ended.value.code == 2


async def test_a_solution_that_everybody_may_read_wins_no_points_afterwards(house):
    message, exercise = await posed(house)
    film = Click(Action.PUZZLE, "0000", 0, (GIVEN, exercise.code, OVER))
    await house.press(ANA, message, code=encode_click(film, house.facade.services.key))
    before = (await house.facade.services.puzzles.record(1, "niya")).rating
    await solve(house, exercise)
    found = await house.facade.services.puzzles.record(1, "niya")
    assert (found.solved, found.rating) == (1, before)
