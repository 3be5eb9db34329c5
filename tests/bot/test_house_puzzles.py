"""Puzzles of the house: an operator's own, verdicts on all, and what a change of rules leaves."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from itertools import islice
from pathlib import Path

import pytest

from bot.app.main import main
from bot.facade import PuzzleOrigin, open_facade
from bot.port import Poster, Where
from bot.service.computers.pool import Thinkers
from bot.service.school.puzzle_collection import PuzzleCollection
from bot.session import exercise_catalogue as shipped
from bot.session.exercise_catalogue import code_of, puzzles_of
from bot.session.puzzle_mining import mine
from games.core.record import Record
from games.core.school import Lesson, lesson_data, puzzles, read_lesson
from games.core.shelf import find_game
from storage.records import AttemptRow
from storage.school import attempts
from storage.school.puzzles import add_puzzles, judge_puzzle
from tests.fakes import Message, person
from tests.learner import text_of

ANA = person("Ana")
ALONE = Where("fake", "id-Ana", private=True)
NIYA = find_game("niya")


@cache
def mined_here() -> tuple[Lesson, ...]:
    """Puzzles of Niya that do not ship, from games of computers of another seed."""
    known = {one.position for one in puzzles(NIYA)}
    return tuple(islice((one for one in mine(NIYA, 9, 3901) if one.position not in known), 3))


def own(number: int = 0) -> Lesson:
    """One of them."""
    return mined_here()[number]


def run(*arguments: str) -> int:
    with pytest.raises(SystemExit) as ended:
        main(["puzzles", *arguments])
    return int(ended.value.code or 0)


# -- put and withdrawn ---------------------------------------------------------------------


async def test_what_is_added_is_put_in_every_process_at_once(house):
    other = await open_facade(house.facade.store, Thinkers(), "es")
    before = len(await other.services.collection.of("niya"))
    added = await house.facade.services.collection.add(NIYA, [own()], PuzzleOrigin.ADDED)
    again = await house.facade.services.collection.add(NIYA, [own()], PuzzleOrigin.ADDED)
    assert (added, again) == (1, 0)
    assert len(await other.services.collection.of("niya")) == before + 1
    answer = await house.call(ANA, "puzzle", ALONE)
    labels = [button.label for row in answer.screen.rows for button in row]
    assert f"Niya · 0 de {before + 1}" in labels
    await other.stop()


async def test_one_that_ships_is_not_kept_twice(house):
    collection = house.facade.services.collection
    assert await collection.add(NIYA, puzzles(NIYA)[:3], PuzzleOrigin.MINED) == 0


@pytest.mark.slow
async def test_what_a_check_finds_wrong_is_put_no_more_until_it_holds_again(house):
    collection, bad = house.facade.services.collection, puzzles_of("niya")[0]
    card = await house.call(ANA, "puzzle", ALONE, game="niya")
    await collection.judge(NIYA, bad.lesson, "two cards win")
    assert await collection.find(bad.code) is None
    assert bad not in await collection.of("niya")
    other = PuzzleCollection(store=house.facade.store, clock=house.facade.services.clock)
    assert await other.find(bad.code) is None
    for _ in puzzles_of("niya"):
        found = await house.facade.services.puzzles.next_for(1, "niya", 0)
        assert found is not None
        assert found.code != bad.code
    await collection.judge(NIYA, bad.lesson, "")
    assert await collection.find(bad.code) is not None
    assert card.good


async def test_tries_and_ratings_stay_when_their_puzzle_is_gone(house):
    collection, records = house.facade.services.collection, house.facade.services.puzzles
    await house.call(ANA, "puzzle", ALONE, game="niya")
    code = (await house.facade.store.read(attempts.latest_attempt, 1, course=False)).exercise
    lesson = next(one.lesson for one in puzzles_of("niya") if one.code == code)
    await house.call(ANA, "puzzle", ALONE, answer=next(iter(lesson.answers)))
    before = await records.record(1, "niya")
    assert before.solved == 1
    await collection.judge(NIYA, lesson, "two cards win")
    after = await records.record(1, "niya")
    assert after.rating == before.rating
    listed = await records.tried_by(1, 0)
    assert (listed.solved, list(listed.tried)) == (1, [])


async def test_a_button_of_a_withdrawn_puzzle_says_so_and_counts_nothing(house):
    collection = house.facade.services.collection
    answer = await house.call(ANA, "puzzle", ALONE, game="niya")
    code = (await house.facade.store.read(attempts.latest_attempt, 1, course=False)).exercise
    card = Message("card", ALONE, answer.screen, None, card=True)
    lesson = next(one.lesson for one in puzzles_of("niya") if one.code == code)
    await collection.judge(NIYA, lesson, "two cards win")
    refused = await house.press(ANA, card, next(iter(lesson.answers)))
    assert not refused.good
    assert (await house.facade.services.puzzles.record(1, "niya")).tried == 0


async def test_a_puzzle_of_older_rules_waits_until_it_is_proved_under_those_of_today(house):
    collection = house.facade.services.collection
    await collection.add(NIYA, [own()], PuzzleOrigin.ADDED)
    code = code_of("niya", own())
    (kept,) = await collection.load()
    old = replace(kept.row, rules=NIYA.rules.version + 1)  # as a release with other rules sees it
    await house.facade.store.write(judge_puzzle, old)
    assert await collection.find(code) is None
    (kept,) = await collection.load()
    assert kept.is_stale
    await collection.judge(NIYA, own(), "")
    assert await collection.find(code) is not None


async def test_damaged_rows_are_passed_over(house):
    collection, store = house.facade.services.collection, house.facade.store
    await collection.add(NIYA, [own()], PuzzleOrigin.ADDED)
    (kept,) = await collection.load()
    for number, wrong in enumerate(
        ({"lesson": {}}, {"game": "ludo"}, {"lesson": {**kept.row.lesson, "answers": ["Z9"]}})
    ):
        row = replace(kept.row, code=f"wrong{number}", **wrong)
        await store.write(add_puzzles, [row])
    assert [one.row.code for one in await collection.load()] == [kept.row.code]


# -- one's own list ------------------------------------------------------------------------


async def test_the_list_tells_what_was_solved_and_missed_with_its_film(house):
    answer = await house.call(ANA, "puzzle", ALONE)
    card = Message("card", ALONE, answer.screen, None, card=True)
    assert "Todavía no" in text_of(await house.press(ANA, card, "Mis problemas"))
    codes = []
    for good in (True, False, True):
        await house.call(ANA, "puzzle", ALONE, game="niya")
        latest = await house.facade.store.read(attempts.latest_attempt, 1, course=False)
        code = latest.exercise.upper()
        known = next(one for one in puzzles_of("niya") if one.code == code.lower())
        position = known.resumed(0).position
        texts = [
            NIYA.notation.written(position, one) for one in position.legal_moves(*position.actors())
        ]
        move = next(one for one in texts if (one in known.lesson.answers) is good)
        await house.call(ANA, "puzzle", ALONE, answer=move)
        codes.append(code)
    listed = await house.press(ANA, card, "Mis problemas")
    assert "resueltos: 2 · fallados: 1" in text_of(listed)
    labels = [button.label for row in listed.screen.rows for button in row]
    assert {f"✅ Niya · {codes[0]}", f"❌ Niya · {codes[1]}"} <= set(labels)
    before = await house.facade.services.puzzles.record(1, "niya")
    there = Message("card", ALONE, listed.screen, None, card=True)
    film = await house.press(ANA, there, "La película")
    assert isinstance(film, Poster)
    assert film.file.data.startswith(b"GIF89a")
    assert await house.facade.services.puzzles.record(1, "niya") == before


async def test_a_long_list_has_pages(house):
    for exercise in puzzles_of("niya")[:8]:
        await house.facade.services.people.of(ANA)
        now = house.facade.services.clock.now()
        row = AttemptRow(1, exercise.code, "niya", "", 0, 1, now)
        await house.facade.store.write(attempts.begin_attempt, row)
        await house.facade.store.write(attempts.miss_attempt, 1, exercise.code)
    first = await house.facade.services.puzzles.tried_by(1, 0)
    second = await house.facade.services.puzzles.tried_by(1, 1)
    assert (len(first.tried), first.goes_on, len(second.tried), second.goes_on) == (
        6,
        True,
        2,
        False,
    )
    assert (await house.facade.services.puzzles.tried_by(1, 99)).page == 1


# -- the operator --------------------------------------------------------------------------


@pytest.fixture
def database(tmp_path, monkeypatch) -> Path:
    file = tmp_path / "games.db"
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DATABASE_URL", f"sqlite+aiosqlite:///{file}")
    assert main_upgrade() == 0
    return file


def main_upgrade() -> int:
    with pytest.raises(SystemExit) as ended:
        main(["upgrade"])
    return int(ended.value.code or 0)


def told(text: str, name: str, folder: Path) -> str:
    file = folder / name
    file.write_text(text, encoding="utf-8")
    return str(file)


@pytest.mark.slow
def test_a_file_of_json_is_proved_and_kept_once(database, tmp_path, capsys):
    lines = "\n".join(json.dumps(lesson_data(own(n))) for n in range(2))
    file = told(lines, "own.jsonl", tmp_path)
    assert run("add", "niya", file) == 0
    assert "Added: 2. There already: 0." in capsys.readouterr().out
    assert run("add", "niya", file) == 0
    assert "Added: 0. There already: 2." in capsys.readouterr().out
    listed = json.dumps([lesson_data(own(2))])
    assert run("add", "niya", told(listed, "own.json", tmp_path)) == 0


def test_of_a_position_alone_the_game_says_what_is_asked(database, tmp_path, capsys):
    file = told(f"# two of them\n{own(0).position}\n\n{own(1).position}\n", "own.txt", tmp_path)
    assert run("add", "niya", file) == 0
    assert "Added: 2." in capsys.readouterr().out
    file = told(json.dumps([lesson_data(own(0))]), "own.json", tmp_path)
    assert run("add", "niya", file) == 0
    assert "Added: 0. There already: 1." in capsys.readouterr().out


@pytest.mark.sampled
@pytest.mark.parametrize("form", ["sfen", "kif"])
def test_shogi_is_read_from_sfen_and_from_a_record_with_a_diagram(form, database, tmp_path, capsys):
    shogi = find_game("shogi")
    text = f"{puzzles(shogi)[100].position}0"  # much later in the game it is another position
    if form == "kif":
        options = shogi.chosen({})
        record = Record("shogi", shogi.rules.sides, options, 0, (), tags={"Position": text})
        text = next(one for one in shogi.records.formats if one.key == "kif").write(shogi, record)
    assert run("add", "shogi", told(text, f"own.{form}", tmp_path)) == 0
    assert "Added: 1. There already: 0." in capsys.readouterr().out


DULL = "1k7/9/Rg3N3/9/4+P4/9/9/9/9 b S 1"
"""9c8c+ and mate: beginners find it each time."""


def test_what_the_miner_would_refuse_is_not_added(database, tmp_path, capsys):
    assert run("add", "shogi", told(DULL, "own.txt", tmp_path)) == 2
    assert "puzzle 1 is no good one: a beginner finds it" in capsys.readouterr().err


BAD = {
    "nothing in it": ("", "is empty"),
    "no JSON": ("[{", "is no JSON"),
    "no lesson": ('[{"theme": "win"}]', "puzzle 1 cannot be read"),
    "an illegal answer": (
        json.dumps([{"position": puzzles(NIYA)[0].position, "answers": ["Z9"]}]),
        "puzzle 1 cannot be read",
    ),
    "a wrong answer": ("WRONG", "puzzle 1 does not hold"),
    "another theme": (
        json.dumps([{**lesson_data(puzzles(NIYA)[0]), "theme": "dance"}]),
        "puzzle 1 does not hold",
    ),
    "no position": ("what is this", ""),
}


@pytest.mark.sampled
@pytest.mark.parametrize("case", BAD)
def test_a_bad_file_gets_one_sentence_and_keeps_nothing(case, database, tmp_path, capsys):
    text, said = BAD[case]
    if text == "WRONG":
        lesson = puzzles(NIYA)[0]
        position = NIYA.notation.read(lesson.position, NIYA.chosen({}))
        legal = position.legal_moves(*position.actors())
        texts = (NIYA.notation.written(position, one) for one in legal)
        wrong = next(one for one in texts if one not in lesson.answers)
        text = json.dumps([lesson_data(own(1)), {**lesson_data(lesson), "answers": [wrong]}])
        said = "puzzle 2 does not hold"
    assert run("add", "niya", told(text, "bad.json", tmp_path)) != 0
    err = capsys.readouterr().err
    assert said in err
    assert err.count("\n") == 1
    good = told(json.dumps(lesson_data(own(1))), "good.json", tmp_path)
    assert run("add", "niya", good) == 0
    assert "Added: 1." in capsys.readouterr().out


@pytest.mark.slow
def test_check_proves_the_houses_own_and_withdraws_what_does_not_hold(
    database, tmp_path, capsys, monkeypatch
):
    monkeypatch.setattr("bot.app.puzzle_commands.puzzles", lambda game: puzzles(game)[:2])
    file = told(json.dumps(lesson_data(own())), "own.json", tmp_path)
    assert run("add", "niya", file) == 0
    assert run("check", "niya") == 0
    assert "niya: 1 puzzles of the house, 0 wrong" in capsys.readouterr().out

    def unproved(game, lesson, seed):
        return "two cards win" if lesson.position == own().position else ""

    monkeypatch.setattr("bot.app.puzzle_commands.proof_fault", unproved)
    assert run("check", "niya") == 1
    assert "WRONG" in capsys.readouterr().out
    monkeypatch.undo()


def test_check_does_without_a_database(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DATABASE_URL", f"sqlite+aiosqlite:///{tmp_path}/none.db")
    monkeypatch.setattr("bot.app.puzzle_commands.puzzles", lambda game: puzzles(game)[:2])
    assert run("check", "niya") == 0
    assert "were not looked at" in capsys.readouterr().out
    assert not (tmp_path / "none.db").exists()


def test_the_code_of_a_puzzle_is_made_of_all_that_it_is():
    again = read_lesson("niya", json.loads(json.dumps(lesson_data(own()))))
    assert code_of("niya", again) == code_of("niya", own())
    assert code_of("niya", own()) not in {one.code for one in shipped.puzzles_of("niya")}
