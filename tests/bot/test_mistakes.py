"""One's own mistakes: kept after a review, put again at growing distances, few a day, once."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest

from bot.facade import open_facade
from bot.port import Card, FileAnswer, Poster, Where
from bot.service.computers.pool import Thinkers
from bot.service.school.mistakes import TRIED_KEPT
from bot.session.exercise_catalogue import Exercise
from bot.session.mistake_repetition import (
    A_DAY,
    THEME,
    Mistake,
    mistake_code,
    mistake_of,
    read_mistake,
    rescheduled,
)
from games.core import CHANCE
from games.core.advice import Weighed
from games.core.move_parsing import read_entry
from games.core.school import BadLesson, Lesson, puzzles
from games.core.shelf import find_game, shelf
from render.kit import Gallery
from storage.person import personal_data
from storage.records import EPOCH, MistakeRow
from storage.school import attempts, mistakes
from tests.bot.test_advice import Inline
from tests.fakes import FakeClock, Message, desk, person
from tests.learner import text_of
from tests.played import tables

ANA, EVA = person("Ana"), person("Eva")
ALONE = Where("fake", "id-Ana", private=True)
NIYA = find_game("niya")
DAY = 740_000


@pytest.fixture
async def house(tmp_path, monkeypatch):
    monkeypatch.setattr(Gallery, "picture", lambda *_: None)
    clock = FakeClock()
    async with desk(tmp_path, Inline(), clock=clock) as made:
        made.clock = clock
        yield made


def slips(many: int) -> list[Mistake]:
    """So many mistakes made of puzzles of Niya, in which one card wins and each other loses."""
    found = []
    for lesson in puzzles(NIYA)[:many]:
        position = NIYA.notation.read(lesson.position, NIYA.chosen({}))
        (seat,), (best,) = position.actors(), lesson.answers
        moves = (NIYA.notation.written(position, one) for one in position.legal_moves(seat))
        asked = Lesson("", lesson.position, {best: None}, options=NIYA.chosen({}), theme=THEME)
        exercise = Exercise(mistake_code(NIYA, asked), NIYA, asked)
        found.append(Mistake(exercise, next(one for one in moves if one != best), (best,)))
    return found


def right(mistake: Mistake) -> str:
    return next(iter(mistake.exercise.lesson.answers))


async def put(house) -> tuple[object, str]:
    """What is put next to Ana, and the code of it."""
    house.clock.wait(timedelta(seconds=1))
    answer = await house.call(ANA, "puzzle", ALONE, game="errores")
    last = await house.facade.store.read(attempts.latest_attempt, 1, course=False)
    return answer, "" if last is None else last.exercise


async def typed(house, text: str) -> str:
    return text_of(await house.call(ANA, "puzzle", ALONE, answer=text))


async def kept(house, many: int) -> dict[str, Mistake]:
    await house.facade.services.people.of(ANA)
    found = slips(many)
    await house.facade.services.mistakes.keep(1, found)
    return {one.exercise.code: one for one in found}


# -- when they come again ------------------------------------------------------------------


def row(**more) -> MistakeRow:
    return MistakeRow(1, "abc", "niya", {}, EPOCH, DAY, **more)


def days_between(answers: str) -> list[int]:
    """The days after each of these answers, + or -, given on the day that was due."""
    now, found = row(), []
    for one in answers:
        day = now.due
        now = rescheduled(now, day, right=one == "+")
        found.append(now.due - day)
    return found


def test_the_distances_grow_with_right_answers_up_to_a_year():
    # The defaults of fsrs 6: an initial stability of 2.3065 days.
    assert days_between("++++++") == [2, 11, 46, 163, 365, 365]


def test_a_wrong_answer_brings_it_back_the_next_day():
    assert days_between("-") == [1]
    assert days_between("---") == [1, 1, 1]
    again = days_between("++-+")
    assert again[2] < again[1]
    assert again[3] < 46


def test_who_comes_late_and_still_knows_is_left_alone_for_longer():
    first = rescheduled(row(), DAY, right=True)
    late = rescheduled(first, first.due + 30, right=True)
    soon = rescheduled(first, first.due, right=True)
    assert late.due - (first.due + 30) > soon.due - first.due


# -- put, answered, once -------------------------------------------------------------------


async def test_a_mistake_is_solved_by_words_and_comes_again_in_two_days(house):
    known = await kept(house, 1)
    answer, code = await put(house)
    assert "Niya · Mis errores" in text_of(answer)
    assert "¿Qué era mejor?" in text_of(answer)
    said = await typed(house, right(known[code]))
    assert "✅" in said
    assert "Dentro de 2 días" in said
    answer, _ = await put(house)
    assert "no te queda ningún error" in text_of(answer)
    house.clock.wait(timedelta(days=1))
    assert "Mañana te lo vuelvo a poner" in text_of((await put(house))[0])
    house.clock.wait(timedelta(days=1))
    assert (await put(house))[1] == code
    assert "¿Qué era mejor?" in text_of((await put(house))[0])
    assert "Dentro de 11 días" in await typed(house, right(known[code]))


async def test_it_is_answered_by_the_buttons_of_play(house):
    known = await kept(house, 2)
    answer, code = await put(house)
    card = Message("card", ALONE, answer.screen, None, card=True)
    answer = await house.press(ANA, card, right(known[code]))
    assert "✅" in text_of(answer)
    card = Message("card", ALONE, answer.screen, None, card=True)
    onward = await house.press(ANA, card, "Otro error »")
    assert "¿Qué era mejor?" in text_of(onward)
    assert text_of(onward) != text_of(answer)


async def test_of_a_wrong_answer_and_what_is_tried_after_it_the_first_counts(house):
    known = await kept(house, 1)
    _, code = await put(house)
    wrong = known[code].played
    assert "❌" in await typed(house, wrong)
    rows = [await house.facade.store.read(mistakes.load_mistake, 1, code)]
    position = NIYA.notation.read(known[code].exercise.lesson.position, NIYA.chosen({}))
    for move in position.legal_moves(*position.actors()):
        await typed(house, NIYA.notation.written(position, move))
        rows.append(await house.facade.store.read(mistakes.load_mistake, 1, code))
    assert len(rows) > 3
    assert {(one.due, one.stability) for one in rows} == {(rows[0].due, rows[0].stability)}
    assert "Mañana te lo vuelvo a poner" in await typed(house, right(known[code]))


async def test_the_same_answer_twice_counts_once_also_in_two_processes(house):
    known = await kept(house, 1)
    _, code = await put(house)
    other = await open_facade(house.facade.store, Thinkers(), "es")
    other.services.people.clock = house.facade.services.clock
    each = (house.facade, other, house.facade, other)
    days = await asyncio.gather(
        *(one.services.mistakes.answer(1, code, right=True) for one in each)
    )
    assert days == [2, 2, 2, 2]
    found = await house.facade.store.read(mistakes.load_mistake, 1, code)
    once = rescheduled(replace(found, stability=None, difficulty=None), found.last, right=True)
    assert found.stability == pytest.approx(once.stability)
    assert known


async def test_at_most_five_are_put_on_one_day(house):
    known = await kept(house, A_DAY + 2)
    seen = set()
    for _ in range(A_DAY):
        _, code = await put(house)
        seen.add(code)
        await typed(house, right(known[code]))
    assert len(seen) == A_DAY
    answer, _ = await put(house)
    assert "Por hoy basta" in text_of(answer)
    house.clock.wait(timedelta(days=1))
    answer, code = await put(house)
    assert code in known.keys() - seen


async def test_a_move_as_good_as_the_best_is_right_and_a_worse_one_is_not(house):
    (one,) = slips(1)
    position = NIYA.notation.read(one.exercise.lesson.position, NIYA.chosen({}))
    moves = [NIYA.notation.written(position, m) for m in position.legal_moves(*position.actors())]
    best = right(one)
    # As if the review had named a move that loses too: each other one that loses is as good.
    bad = next(move for move in moves if move not in (best, one.played))
    lesson = replace(one.exercise.lesson, answers={bad: None})
    asked = Mistake(replace(one.exercise, lesson=lesson), one.played, (bad,))
    await house.facade.services.people.of(ANA)
    await house.facade.services.mistakes.keep(1, [asked])
    _, code = await put(house)
    assert "✅" in await typed(house, best)
    found = await house.facade.services.mistakes.find(1, code)
    assert best in found.mistake.exercise.lesson.answers
    known = await kept(house, 2)
    _, code = await put(house)
    worse = [m for m in _moves(known[code]) if m not in (right(known[code]), known[code].played)]
    assert "❌" in await typed(house, worse[0])


def _moves(mistake: Mistake) -> list[str]:
    position = NIYA.notation.read(mistake.exercise.lesson.position, NIYA.chosen({}))
    return [NIYA.notation.written(position, m) for m in position.legal_moves(*position.actors())]


async def test_an_illegal_answer_counts_nothing(house):
    await kept(house, 1)
    _, code = await put(house)
    answer = await house.call(ANA, "puzzle", ALONE, answer="99zz")
    assert not answer.good
    assert (await house.facade.store.read(mistakes.load_mistake, 1, code)).last == 0


async def test_the_better_line_is_a_film_and_counts_as_missed(house):
    await kept(house, 1)
    answer, code = await put(house)
    card = Message("card", ALONE, answer.screen, None, card=True)
    film = await house.press(ANA, card, "Ver la solución")
    assert isinstance(film, Poster | FileAnswer)
    assert film.file.data.startswith(b"GIF89a")
    assert "Mejor era" in film.said
    found = await house.facade.store.read(mistakes.load_mistake, 1, code)
    assert found.due == found.last + 1


async def test_one_that_is_dropped_is_put_no_more(house):
    known = await kept(house, 1)
    _, code = await put(house)
    answer = await house.call(ANA, "puzzle", ALONE, answer=right(known[code]))
    card = Message("card", ALONE, answer.screen, None, card=True)
    assert "no vuelve" in text_of(await house.press(ANA, card, "No repetirlo"))
    house.clock.wait(timedelta(days=30))
    assert "No tienes errores guardados" in text_of((await put(house))[0])


async def test_nobody_opens_what_another_person_has_kept(house):
    known = await kept(house, 1)
    answer, code = await put(house)
    card = Message("card", Where("fake", "id-Eva", private=True), answer.screen, None, card=True)
    await house.facade.services.people.of(EVA)
    refused = await house.press(EVA, card, right(known[code]))
    assert not refused.good
    assert (await house.facade.store.read(mistakes.load_mistake, 1, code)).last == 0


async def test_what_new_rules_read_otherwise_is_put_no_more(house):
    good, broken = slips(2)
    await house.facade.services.people.of(ANA)
    await house.facade.services.mistakes.keep(1, [good, broken])
    spoilt = {**broken.data, "answers": ["Z9"]}
    code = broken.exercise.code
    await house.facade.store.write(mistakes.set_lesson, 1, code, spoilt)
    agenda = await house.facade.services.mistakes.agenda(1)
    assert [one.code for one in agenda.waiting] == [good.exercise.code]
    with pytest.raises(BadLesson):
        read_mistake(NIYA, spoilt)


async def test_both_lists_lead_to_them_and_say_how_many_wait(house):
    await kept(house, 2)
    for command in ("puzzle", "learn"):
        answer = await house.call(ANA, command, ALONE)
        labels = [button.label for line in answer.screen.rows for button in line]
        assert "Mis errores · 2 hoy" in labels
        card = Message("card", ALONE, answer.screen, None, card=True)
        assert "¿Qué era mejor?" in text_of(await house.press(ANA, card, "Mis errores · 2 hoy"))


async def test_what_is_kept_is_told_moved_and_forgotten(house):
    await kept(house, 2)
    store = house.facade.store
    other = (await house.facade.services.people.of(EVA)).id
    await house.facade.services.mistakes.keep(other, slips(3))
    async with store.transaction() as tx:
        await personal_data.join_people(tx, 1, other)
    assert len((await store.read(personal_data.export_person, 1))["mistake"]) == 3
    await store.write(personal_data.erase_person_data, 1)
    assert not (await store.read(personal_data.export_person, 1))["mistake"]


async def test_what_was_only_tried_is_deleted_after_a_month(house):
    await house.facade.services.people.of(ANA)
    first, second = slips(2)
    service = house.facade.services.mistakes
    await service.try_out(1, first)
    assert (await service.agenda(1)).waiting == []
    assert (await service.find(1, first.exercise.code)).due is None
    house.clock.wait(TRIED_KEPT + timedelta(days=1))
    await service.try_out(1, second)
    assert await service.find(1, first.exercise.code) is None


# -- out of a review -----------------------------------------------------------------------


async def ended_game(house, monkeypatch) -> str:
    """The code of a game of Niya that Ana and Eva have played, and whose review is known.

    By it the first two choices that Ana had lost the game; another card was better.
    """
    await house.call(ANA, "play", game="niya", seats="2")
    code = list(house.chat.messages.values())[-1].screen.table
    await house.call(EVA, "join", table=code)
    found = []
    for _ in range(16):
        table = await house.facade.services.tables.get(code)
        if table.outcome is not None:
            break
        (seat,) = table.actors()
        mine = table.players[seat].name == "Ana"
        moves = [
            NIYA.notation.written(table.present, one) for one in table.present.legal_moves(seat)
        ]
        if mine and len(moves) > 1 and len(found) < 2:
            found.append(Weighed(len(table.log), seat, 1.0, -1.0, moves[1], exact=True))
        answer = await house.call(ANA if mine else EVA, "move", table=code, move=moves[0])
        assert answer.good

    async def review(table):
        return tuple(found)

    monkeypatch.setattr(house.facade.services.advice, "review", review)
    return code


@pytest.mark.slow
async def test_a_review_is_practised_by_whoever_played_and_tried_by_anybody(house, monkeypatch):
    code = await ended_game(house, monkeypatch)
    review = await house.call(ANA, "review", ALONE, table=code)
    if review.screen.headline != "La partida de Ana":  # that of the loser comes first
        other = Message("card", ALONE, review.screen, None, card=True)
        review = await house.press(ANA, other, "La partida de Ana")
    card = Message("card", ALONE, review.screen, None, card=True)
    moments = [b.label for line in review.screen.rows for b in line if b.label[:6] == "Jugada"]
    assert len(moments) == 2
    kept_now = await house.press(ANA, card, "Practicar")
    assert isinstance(kept_now, Card)
    assert "Niya · Mis errores" in text_of(kept_now)
    again = await house.press(ANA, card, "Practicar")
    assert "Mis errores" in text_of(again)
    told = await house.facade.store.read(personal_data.export_person, 1)
    assert len(told["mistake"]) == len(moments), "the same press twice keeps each once"
    moment = await house.press(ANA, card, moments[0])
    there = Message("card", ALONE, moment.screen, None, card=True)
    film = await house.press(ANA, there, "La película")
    assert film.file.data.startswith(b"GIF89a")
    elsewhere = replace(there, where=Where("fake", "id-Eva", private=True))
    trial = await house.press(EVA, elsewhere, "Pruébalo")
    assert "¿Qué era mejor?" in text_of(trial)
    assert (await house.facade.services.mistakes.agenda(2)).waiting == []
    refused = await house.press(EVA, replace(card, where=elsewhere.where), "Practicar")
    assert not refused.good


@pytest.mark.sampled
@pytest.mark.parametrize("game", list(shelf()))
def test_every_decision_that_can_be_told_becomes_a_mistake_that_is_read_again(game):
    *_, table = tables(find_game(game), seed=39, looks=3, most=40)
    found = 0
    position = table.game.start(table.setting)
    for number, entry in enumerate(table.log):
        moves = position.legal_moves(entry.seat) if position.actors() == {entry.seat} else ()
        texts = [table.game.notation.written(position, one) for one in moves]
        others = [text for text in texts if text != entry.text]
        if entry.seat != CHANCE and others:
            one = mistake_of(table, Weighed(number, entry.seat, 0.5, -0.5, others[0]))
            assert one is not None
            assert read_mistake(table.game, one.data) == one
            found += 1
        position = position.after(read_entry(table.game, position, entry))
    assert found > 5
