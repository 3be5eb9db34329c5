"""Puzzles out of finished games: found at leisure, without names, by a worker that stands back."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from math import inf
from typing import Any

import psutil
import pytest

from bot.service.computers.chances import shipped_curve
from bot.service.computers.process import Worker
from bot.service.computers.worker import SPARING, Allowance, Task, think
from bot.service.school.puzzle_collection import PuzzleOrigin
from bot.service.school.puzzle_miner import COMMAND, CURSOR, PuzzleMiner
from bot.session.puzzle_mining import mine, mined_from, proof_fault
from games.core.computer import Curve
from games.core.move_parsing import read_entry
from games.core.school import lesson_data, puzzles
from games.core.search import EndlessBudget
from games.core.shelf import find_game
from storage import bot_settings
from storage.club.ratings import put_ratings
from storage.records import RatingRow
from storage.school.puzzles import house_puzzles, judge_puzzle
from tests.fakes import FakeClock, desk, person
from tests.played import tables

NIYA = find_game("niya")
ANA, EVA = person("Ana"), person("Eva")


@dataclass(kw_only=True)
class InProcess(PuzzleMiner):
    """Answers in this process what the worker would answer; *told* in its place."""

    asked: list[Task] = field(default_factory=list)
    told: list[Any] = field(default_factory=list)
    about: Any = None
    """What the last question said besides."""

    async def _ask(self, question):
        self.asked.append(question["task"])
        self.about = question.get("about")
        if self.told:
            return self.told.pop()
        return {**think({**question, "seed": "x"}, Allowance(inf)), "took": 2.5}


@pytest.fixture
async def house(tmp_path):
    clock = FakeClock()
    async with desk(tmp_path, clock=clock) as made:
        made.clock = clock
        services = made.facade.services
        made.miner = InProcess(
            store=made.facade.store,
            tables=services.tables,
            thinkers=made.facade.services.thinkers,
            ownership=made.facade.services.ownership,
            collection=services.collection,
            chances=services.chances,
            mines=True,
        )
        yield made


def other_puzzles(many: int):
    """So many puzzles of Niya that do not ship."""
    known = {one.position for one in puzzles(NIYA)}
    found = (one for one in mine(NIYA, 30, 3901) if one.position not in known)
    return [lesson for _, lesson in zip(range(many), found, strict=False)]


async def ended_game(house) -> str:
    """The code of a game of Niya that Ana and Eva have played to its end."""
    house.clock.wait(timedelta(seconds=1))
    await house.call(ANA, "play", game="niya", seats="2")
    code = list(house.chat.messages.values())[-1].screen.table
    await house.call(EVA, "join", table=code)
    while (table := await house.facade.services.tables.get(code)).outcome is None:
        (seat,) = table.actors()
        who = ANA if table.players[seat].name == "Ana" else EVA
        move = NIYA.notation.written(table.present, table.present.legal_moves(seat)[0])
        assert (await house.call(who, "move", table=code, move=move)).good
    return code


def answer(*lessons) -> dict[str, Any]:
    return {"lessons": [lesson_data(one) for one in lessons], "took": 2.5}


@pytest.mark.slow
async def test_each_finished_game_is_looked_at_once_and_what_is_found_is_put(house):
    first, second = other_puzzles(2)
    await ended_game(house)
    await ended_game(house)
    house.miner.told = [answer(second), answer(first, first)]
    before = len(await house.facade.services.collection.of("niya"))
    assert await house.miner.step() == 2.5
    assert len(await house.facade.services.collection.of("niya")) == before + 1
    assert await house.miner.step() == 2.5
    assert len(await house.facade.services.collection.of("niya")) == before + 2
    assert [await house.miner.step() for _ in range(3)] == [2.5, 2.5, 0.0], "chances are fitted too"
    assert house.miner.asked == [Task.MINE, Task.MINE, Task.ODDS, Task.ODDS]
    await ended_game(house)
    assert await house.miner.step() == 2.5, "a game that ends later is looked at as well"


async def test_a_game_that_still_runs_is_left_alone(house):
    await house.call(ANA, "play", game="niya", seats="2")
    code = list(house.chat.messages.values())[-1].screen.table
    await house.call(EVA, "join", table=code)
    assert await house.miner.step() == 0.0
    assert house.miner.asked == []


async def test_killed_before_the_end_is_noted_the_same_puzzles_are_kept_once(house):
    found = other_puzzles(2)
    await ended_game(house)
    house.miner.told = [answer(*found), answer(*found)]
    await house.miner.step()
    await house.facade.store.write(bot_settings.put_setting, CURSOR, "")
    await house.miner.step()
    rows = await house.facade.store.read(house_puzzles)
    assert len(rows) == 2


@pytest.mark.slow
async def test_a_worker_that_dies_does_not_stop_the_others(house):
    await ended_game(house)
    await ended_game(house)
    house.miner.told = [answer(*other_puzzles(1)), None]
    assert await house.miner.step() > 2.5
    await house.miner.step()
    assert len(await house.facade.store.read(house_puzzles)) == 1


async def test_it_mines_only_if_that_is_wished_and_fits_the_chances_of_beginners_all_the_same(
    house,
):
    assert house.facade.process_duties.miner.mines is False
    table = await house.facade.services.tables.get(await ended_game(house))
    house.miner.mines = False
    house.miner.told = [{"shares": [0.8, 0.2], "games": 100, "took": 1.5}]
    before = shipped_curve("niya", 1)
    assert await house.miner.step() == 1.5
    assert await house.miner.step() == 0.0, "each game is asked about once"
    assert house.miner.asked == [Task.ODDS]
    kept = await house.facade.store.read(bot_settings.list_settings, "chances:niya:")
    assert list(kept) == ["chances:niya:1"]
    after = await house.facade.services.chances.curve(table)
    assert after.games == before.games + 1
    assert (after.steepness > before.steepness) == (table.outcome.winner == 0)


async def test_the_chances_of_the_strong_are_fitted_to_games_played_out_as_they_would(house):
    table = await house.facade.services.tables.get(await ended_game(house))
    at = datetime(2026, 11, 1, tzinfo=UTC)
    strong = tuple(RatingRow("niya", one, 60.0, 2.0, at) for one in table.people())
    await house.facade.store.write(put_ratings, strong)
    house.miner.mines = False
    house.miner.told = [{"shares": [0.8, 0.2], "games": 100, "took": 1.5}]
    await house.miner.step()
    kept = await house.facade.store.read(bot_settings.list_settings, "chances:niya:")
    assert list(kept) == ["chances:niya:3"]
    assert Curve(*house.miner.about["curve"]) == Curve(level=3), "what was learnt bends it not yet"


async def test_nothing_is_done_while_a_computer_thinks_or_another_process_keeps_the_clock(
    house, monkeypatch
):
    monkeypatch.setattr(type(house.miner.ownership.fleet), "holds", lambda self, duty: True)
    assert house.miner._is_idle()
    async with house.miner.thinkers._turns.turn(1.0):
        assert not house.miner._is_idle()
    assert house.miner._is_idle()
    monkeypatch.setattr(type(house.miner.ownership.fleet), "holds", lambda self, duty: False)
    assert not house.miner._is_idle()


async def stale(house, lesson):
    """*lesson* kept under other rules than those of today."""
    collection = house.facade.services.collection
    await collection.add(NIYA, [lesson], PuzzleOrigin.ADDED)
    (kept,) = await collection.load()
    old = replace(kept.row, rules=NIYA.rules.version - 1)
    await house.facade.store.write(judge_puzzle, old)
    return kept.row.code


async def test_a_puzzle_of_older_rules_is_proved_and_put_again_also_where_none_are_mined(house):
    (lesson,) = other_puzzles(1)
    house.miner.mines = False
    code = await stale(house, lesson)
    assert await house.facade.services.collection.find(code) is None
    assert await house.miner.step() == 2.5
    assert await house.facade.services.collection.find(code) is not None
    assert await house.miner.step() == 0.0


async def test_one_that_the_new_rules_make_wrong_is_put_no_more(house):
    (lesson,) = other_puzzles(1)
    code = await stale(house, lesson)
    house.miner.told = [{"fault": "two cards win", "decided": True, "took": 1.0}]
    await house.miner.step()
    assert await house.facade.services.collection.find(code) is None
    (kept,) = await house.facade.services.collection.load()
    assert (kept.row.fault, kept.is_stale) == ("two cards win", False)


@pytest.mark.slow
@pytest.mark.parametrize("told", [None, {"fault": "", "decided": False, "took": 30.0}])
async def test_one_that_nobody_could_prove_in_time_waits_and_holds_nobody_up(house, told):
    (lesson,) = other_puzzles(1)
    code = await stale(house, lesson)
    await ended_game(house)
    house.miner.told = [answer(), told]
    await house.miner.step()
    await house.miner.step()
    assert house.miner.asked == [Task.PROVE, Task.MINE]
    assert await house.facade.services.collection.find(code) is None


# -- what is found -------------------------------------------------------------------------


def game_of(seed: int):
    *_, table = tables(NIYA, seed=seed, looks=30)
    return table


def found_in(seed: int):
    table = game_of(seed)
    start = table.game.start(table.setting)
    return list(mined_from(table.game, start, table.log, seed, EndlessBudget()))


@pytest.mark.slow
def test_what_is_found_holds_and_stood_on_the_board():
    found = 0
    for seed in range(1, 9):
        table, seen = game_of(seed), set()
        position = table.game.start(table.setting)
        for entry in table.log:
            seen.add(NIYA.notation.text(position.seen_by(entry.seat)))
            position = position.after(read_entry(NIYA, position, entry))
        for lesson in found_in(seed):
            assert proof_fault(NIYA, lesson, seed + 1) == ""
            assert lesson.position in seen
            found += 1
    assert found


def test_a_spent_budget_finds_nothing_rather_than_what_is_not_proved():
    table = game_of(1)
    start = table.game.start(table.setting)
    spent = Allowance(time.process_time() - 1)
    assert list(mined_from(table.game, start, table.log, 1, spent)) == []


@pytest.mark.slow
async def test_the_worker_stands_behind_everybody_and_names_nobody():
    seed = next(seed for seed in range(1, 30) if found_in(seed))
    table = game_of(seed)
    log = [[one.seat, one.text, one.aside, one.draw] for one in table.log]
    setting = table.setting
    question = {"game": "niya", "task": Task.MINE, "seconds": 30.0, "seed": "x", "seat": 0}
    question |= {"sides": setting.sides, "options": dict(setting.options)}
    question |= {"first": setting.first, "log": log}
    worker = await Worker.hire(COMMAND)
    try:
        told = await worker.ask(question, 60.0)
        assert psutil.Process(worker.process.pid).nice() == SPARING
    finally:
        await worker.kill()
    assert told["lessons"]
    assert not any(player.name in json.dumps(told) for player in table.players)
