"""Puzzles by theme, three minutes of them, what refutes a wrong answer, and what people think."""

from __future__ import annotations

from datetime import timedelta

import pytest

from bot.port import Where
from bot.service.school.puzzle_collection import DISLIKE, LIKE, VOTES
from bot.service.school.puzzles import STORM_SECONDS, has_theme
from bot.session.exercise_catalogue import exercises, puzzles_of
from bot.texts import OURS, language
from games.core import phrase
from games.core.school import right
from games.core.shelf import find_game, shelf
from storage.school import attempts, puzzles
from tests.bot.test_puzzles import solve
from tests.fakes import FakeClock, Message, desk, person
from tests.learner import text_of

ANA = person("Ana")
ALONE = Where("fake", "id-Ana", private=True)
ROOM = Where("fake", "room")


async def latest(desk):
    row = await desk.facade.store.read(attempts.latest_attempt, 1, course=False)
    return exercises()[row.exercise]


def card_of(answer) -> Message:
    return Message("card", ALONE, answer.screen, None, card=True)


def wrong_answer(exercise) -> str:
    known, game = exercise.resumed(0), exercise.game
    moves = known.position.legal_moves(known.seat)
    found = next(one for one in moves if right(game, known, one) is None)
    return game.notation.written(known.position, found)


# -- themes ---------------------------------------------------------------------------------


@pytest.mark.parametrize("game", list(shelf()))
def test_every_theme_has_a_name_of_its_own_in_each_language(game):
    themes = find_game(game).computer.motifs
    for code in OURS:
        names = {language(code).say(phrase(f"{game}.motif.{one}")) for one in themes}
        assert len(names) == len(themes)


async def test_a_theme_is_chosen_by_buttons_and_gives_only_its_own(house):
    games = card_of(await house.call(ANA, "puzzle", ALONE))
    themes = card_of(await house.press(ANA, games, "Por temas"))
    shogi = next(b.label for row in themes.screen.rows for b in row if b.label.startswith("Shogi"))
    listed = card_of(await house.press(ANA, themes, shogi))
    many = sum(has_theme(one, "drop") for one in puzzles_of("shogi"))
    assert (await house.press(ANA, listed, f"reintroducción · {many}")).good
    assert has_theme(await latest(house), "drop")


async def test_a_theme_may_be_typed_and_goes_on_after_a_solution(house):
    await house.call(ANA, "puzzle", ALONE, game="shogi", answer="sacrificio")
    first = await latest(house)
    assert has_theme(first, "sacrifice")
    solved = await solve(house, first)
    await house.press(ANA, card_of(solved), "Más de: sacrificio")
    assert has_theme(await latest(house), "sacrifice")
    assert await latest(house) != first


async def test_a_move_typed_behind_a_game_is_still_an_answer(house):
    await house.call(ANA, "puzzle", ALONE, game="niya")
    exercise = await latest(house)
    answer = await house.call(
        ANA, "puzzle", ALONE, game="niya", answer=next(iter(exercise.lesson.answers))
    )
    assert "Resuelto" in text_of(answer)


# -- three minutes --------------------------------------------------------------------------


async def begin(at, game="niya"):
    games = card_of(await at.call(ANA, "puzzle", ALONE, game="tormenta"))
    assert "corren desde que eliges" in games.screen.headline
    label = next(b.label for row in games.screen.rows for b in row if b.label.startswith("Niya"))
    return await at.press(ANA, games, label)


async def test_three_minutes_count_what_is_solved_and_move_no_rating(at, clock):
    assert "Resueltos: 0. Tu récord: 0." in text_of(await begin(at))
    for solved in (1, 2):
        clock.shown += timedelta(seconds=40)
        answer = await solve(at, await latest(at))
        assert f"Resueltos: {solved}." in text_of(answer)
    missed = await latest(at)
    clock.shown += timedelta(seconds=1)
    answer = await at.call(ANA, "puzzle", ALONE, answer=wrong_answer(missed))
    assert "No era eso" in text_of(answer)
    assert await latest(at) != missed
    assert (await at.facade.services.puzzles.record(1, "niya")).rating.mu == 25.0


async def test_after_three_minutes_the_end_is_told_once_and_the_answer_counts_as_ever(at, clock):
    await begin(at)
    clock.shown += timedelta(seconds=1)
    await solve(at, await latest(at))
    clock.shown += timedelta(seconds=STORM_SECONDS)
    answer = await solve(at, await latest(at))
    assert "Se acabaron los tres minutos. Resueltos: 1. Tu récord: 1." in text_of(answer)
    assert (await at.facade.services.puzzles.record(1, "niya")).rating.mu > 25.0
    clock.shown += timedelta(seconds=1)
    await at.call(ANA, "puzzle", ALONE, game="niya")
    assert "tres minutos" not in text_of(await solve(at, await latest(at)))


async def test_what_was_solved_in_them_is_put_no_more_for_points(at):
    await begin(at)
    done = await latest(at)
    await solve(at, done)
    for turn in range(12):
        assert await at.facade.services.puzzles.next_for(1, "niya", turn) != done


async def test_three_minutes_are_refused_where_others_read(at):
    answer = await at.call(ANA, "puzzle", ROOM, game="tormenta")
    assert "en privado" in text_of(answer)
    alone = await at.call(ANA, "puzzle", ROOM, game="tormenta", whispered=True)
    assert "en privado" not in text_of(alone)


# -- wrong answers --------------------------------------------------------------------------


async def test_a_wrong_answer_is_refuted_by_what_follows(house):
    await house.call(ANA, "puzzle", ALONE, game="niya")
    exercise = await latest(house)
    answer = await house.call(ANA, "puzzle", ALONE, answer=wrong_answer(exercise))
    assert "❌" in text_of(answer)
    assert "Mira cómo seguiría. " in text_of(answer)


# -- opinions -------------------------------------------------------------------------------


async def solved_card(house):
    await house.call(ANA, "puzzle", ALONE, game="niya")
    exercise = await latest(house)
    return exercise, card_of(await solve(house, exercise))


async def test_an_opinion_is_one_press_and_the_last_one_counts(house):
    exercise, card = await solved_card(house)
    for label, sign in (("Bueno 👍", LIKE), ("Flojo 👎", DISLIKE)):
        assert "Anotado, gracias." in text_of(await house.press(ANA, card, label))
        said = await house.facade.store.write(puzzles.put_opinion, 1, exercise.code, sign)
        assert said == {sign: 1}


@pytest.mark.parametrize(("liked", "stays"), [(8, True), (7, False)])
async def test_what_few_of_twenty_like_is_put_no_more_even_if_it_holds(house, liked, stays):
    exercise, _ = await solved_card(house)
    collection = house.facade.services.collection
    for number in range(VOTES):
        who = person(f"P{number}")
        await house.call(who, "help", Where("fake", who.external, private=True))
        sign = LIKE if number < liked else DISLIKE
        assert await collection.find(exercise.code) is not None
        await collection.rate(number + 2, exercise, sign)
    assert (await collection.find(exercise.code) is not None) is stays
    await collection.judge(exercise.game, exercise.lesson, "")
    assert (await collection.find(exercise.code) is not None) is stays
    assert (await house.facade.services.puzzles.record(1, "niya")).rating.mu > 25.0


async def test_the_end_of_three_minutes_is_told_by_itself_once(at, clock):
    shown = (await begin(at)).screen
    assert (shown.countdown.until - clock.shown).total_seconds() == STORM_SECONDS
    ends = at.facade.services.storm_ends
    assert 0 < await ends.look() <= STORM_SECONDS
    clock.shown += timedelta(seconds=STORM_SECONDS)
    for _ in range(2):
        await ends.look()
        await at.settle()
    told = [one for one in at.chat.messages.values() if "Se acabaron" in one.screen.headline]
    assert [one.where for one in told] == [ALONE]
    assert told[0].screen.rows, "with a way on"
    assert await at.facade.services.puzzles.storm_of(1, "niya") is None


async def test_three_minutes_that_ran_out_while_we_were_down_are_told_after_the_start(tmp_path):
    clock = FakeClock()
    async with desk(tmp_path, clock=clock) as at:
        await begin(at)
    clock.shown += timedelta(seconds=STORM_SECONDS + 60)
    async with desk(tmp_path, clock=clock) as at:
        await at.facade.services.storm_ends.look()
        await at.settle()
        assert any("Se acabaron" in one.screen.headline for one in at.chat.messages.values())
