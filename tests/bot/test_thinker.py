"""The computer players: who thinks next, what hangs or dies, and the worker as a process."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import signal
import subprocess
import sys
from collections.abc import Callable

import pytest

from bot.service.computers import process
from bot.service.computers.pool import SHORT, Question, Thinkers, ThinkingTurns
from bot.service.computers.worker import Task, think
from games.cirya import GAME

QUESTION = {
    "game": "cirya",
    "sides": list(GAME.sides_for(2)),
    "options": GAME.chosen({}),
    "first": 0,
    "log": [],
    "seat": 0,
    "level": 1,
    "seconds": 0.1,
    "seed": "x",
}


def asked(level: int = 1) -> Question:
    return Question("TABLE:1", "cirya", GAME.setting(GAME.chosen({})), (), 0, level)


def worker() -> subprocess.Popen:
    command = [sys.executable, "-m", "bot.service.computers.worker"]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True)


def test_f13_a_worker_that_nobody_listens_to_ends_without_a_word():
    process = worker()
    process.stdout.close()
    process.stdin.write(json.dumps(QUESTION) + "\n")
    process.stdin.close()
    assert process.wait(30) == 0
    assert process.stderr.read() == ""
    process.stderr.close()


def test_a_worker_ends_with_its_input():
    process = worker()
    said, complaints = process.communicate(json.dumps(QUESTION) + "\n", timeout=30)
    answer = json.loads(said)
    assert answer["move"]
    assert 0 < answer["took"] < 30
    assert (process.returncode, complaints) == (0, "")


def test_r2_a_worker_judges_a_claim_and_says_what_shows_it():
    moves = ("e5", "a1", "b1", "e4", "c1", "e3", 'd1"')
    log = [[number % 2, text, False, None] for number, text in enumerate(moves)]
    answer = think({**QUESTION, "log": log, "task": "ruling"}, Patience())
    assert (answer["move"], len(answer["line"])) == ("refuted", 1)


async def test_f13_a_claim_that_no_worker_judges_is_left_to_the_caller():
    silent = (sys.executable, "-c", "import sys; sys.exit(1)")
    thinkers = Thinkers(command=silent)
    try:
        assert await thinkers.answer(asked(), Task.RULING) is None
    finally:
        await thinkers.close()


class Patience:
    """A budget without end."""

    def is_spent(self) -> bool:
        return False


# ---------------------------------------------------------------- who thinks next


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(30):
        while not condition():
            await asyncio.sleep(0)


async def order(turns: ThinkingTurns, expected: dict[str, float]) -> list[str]:
    """In which order those who wait are let in, one ending after the other."""
    admitted: list[str] = []

    async def think(name: str, seconds: float) -> None:
        async with turns.turn(seconds):
            admitted.append(name)
            await asyncio.sleep(0)

    await asyncio.gather(*(think(name, seconds) for name, seconds in expected.items()))
    return admitted


async def test_short_thoughts_go_before_long_ones_that_came_before_them():
    turns = ThinkingTurns(1)
    async with turns.turn(4.0), turns.turn(SHORT):
        waiting = asyncio.create_task(order(turns, {"long": 4.0, "middle": 2.0, "short": 0.1}))
        await until(lambda: len(turns._waiting) == 3)
    assert await waiting == ["short", "middle", "long"]


async def test_a_short_thought_never_waits_for_the_end_of_a_long_one():
    turns = ThinkingTurns(2)
    async with turns.turn(4.0), turns.turn(4.0):
        async with asyncio.timeout(10):
            assert await order(turns, {"short": 0.1, "another": SHORT}) == ["short", "another"]
        long = asyncio.create_task(order(turns, {"long": SHORT + 0.1}))
        await until(lambda: len(turns._waiting) == 1)
        assert not long.done()
    assert await long == ["long"]


async def test_whoever_gives_up_waiting_leaves_his_place_to_the_next():
    turns = ThinkingTurns(1)
    async with turns.turn(4.0):
        waiting = [asyncio.create_task(order(turns, {name: 4.0})) for name in ("first", "second")]
        await until(lambda: len(turns._waiting) == 2)
        waiting[0].cancel()
    assert await waiting[1] == ["second"]
    assert await order(turns, {"third": 4.0}) == ["third"]


# ---------------------------------------------------------------- what hangs and dies


@pytest.fixture
def unhurried(monkeypatch):
    monkeypatch.setattr(process, "GLANCE", 0.05)


def lines(*code: str) -> tuple[str, ...]:
    """A worker that does *code* at each question."""
    return (sys.executable, "-c", "\n".join(code))


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    "command",
    [
        lines("import sys; sys.stdin.readline(); sys.exit(3)"),
        lines("import sys; sys.stdin.readline(); print('no answer', flush=True)"),
        lines("while True: pass"),
        lines("import sys, time", "sys.stdin.readline()", "time.sleep(3600)"),
    ],
    ids=["crashed", "babbled", "ran away", "hung"],
)
async def test_f13_whatever_a_worker_does_a_move_is_found_and_said_to_be_hurried(
    command, unhurried, caplog
):
    thinkers = Thinkers(command=command, seconds=0.2, grace=0.2)
    try:
        with caplog.at_level(logging.WARNING):
            thought = await thinkers.think(asked(2))
    finally:
        await thinkers.close()
    assert thought.hurried
    assert thought.move
    assert "a move is found at a glance" in caplog.text


async def test_f13_a_question_whose_worker_dies_meanwhile_is_asked_of_the_next(tmp_path, unhurried):
    died = tmp_path / "died"
    command = lines(
        "import json, pathlib, sys",
        "sys.stdin.readline()",
        f"died = pathlib.Path({str(died)!r})",
        "if not died.exists(): died.touch(); sys.exit(-9)",
        "print(json.dumps({'weighed': []}), flush=True)",
    )
    thinkers = Thinkers(command=command)
    try:
        assert await thinkers.answer(asked(), Task.REVIEW, 1.0) == {"weighed": []}
    finally:
        await thinkers.close()


async def test_f13_a_worker_that_has_died_is_put_away_without_a_complaint(caplog):
    for _ in range(10):
        hired = await process.Worker.hire((sys.executable, "-c", "input()"))
        os.kill(hired.process.pid, signal.SIGKILL)
        os.sched_yield()
        await hired.kill()
        assert hired.process.returncode == -signal.SIGKILL
    assert caplog.messages == []


async def test_f13_a_worker_that_waits_for_the_processor_is_not_taken_for_hung(unhurried):
    stopped = lines(
        "import json, sys, time",
        "sys.stdin.readline()",
        "end = time.process_time() + 0.4",
        "while time.process_time() < end: pass",
        "print(json.dumps({'move': 'a1', 'value': 0, 'line': [], 'exact': False}), flush=True)",
    )
    thinkers = Thinkers(command=stopped, seconds=2.0, grace=2.0)
    try:
        thought = await thinkers.think(asked())
    finally:
        await thinkers.close()
    assert (thought.move, thought.hurried) == ("a1", False)


@pytest.mark.slow
async def test_a_worker_is_kept_and_how_long_it_thinks_is_learnt():
    thinkers = Thinkers(1, seconds=0.2)
    try:
        await thinkers.warm()
        await thinkers.warm()
        before = list(thinkers._idle)
        assert len(before) == 2
        for _ in range(3):
            assert not (await thinkers.think(asked(3))).hurried
        assert set(map(id, thinkers._idle)) == set(map(id, before))
        assert 0 < thinkers._took["cirya", "move", 3] < 2
    finally:
        await thinkers.close()


def test_a_worker_tells_with_each_decision_of_a_review_how_many_it_has_weighed():
    log = [[number % 2, text, False, None] for number, text in enumerate(("e5", "a1", "b1"))]
    told: list[tuple[int, int, int]] = []
    question = {**QUESTION, "log": log, "task": "review"}
    think(question, Patience(), lambda done, parts, found: told.append((done, parts, len(found))))
    # The position at the end is weighed as well, but nobody has decided there. A decision is
    # known once the next one has been looked at.
    assert told == [(0, 3, 0), (1, 3, 0), (2, 3, 1), (3, 3, 2)]


async def test_how_far_a_worker_is_may_be_asked_until_it_answers(tmp_path):
    go = tmp_path / "go"
    slow = lines(
        "import json, os, sys, time",
        "sys.stdin.readline()",
        "print(json.dumps({'done': 3, 'of': 9, 'weighed': [['one']]}), flush=True)",
        f"while not os.path.exists({str(go)!r}): time.sleep(0.01)",
        "print(json.dumps({'weighed': []}), flush=True)",
    )
    thinkers = Thinkers(command=slow, seconds=10.0)
    try:
        answering = asyncio.create_task(thinkers.answer(asked(), Task.REVIEW))
        async with asyncio.timeout(30):
            while (along := thinkers.along("TABLE:1", Task.REVIEW)) is None:
                await asyncio.sleep(0.01)
        assert along == (3, 9, [["one"]])
        assert thinkers.along("TABLE:1", Task.HINT) is None
        go.touch()
        assert await answering == {"weighed": []}
        assert thinkers.along("TABLE:1", Task.REVIEW) is None
    finally:
        await thinkers.close()
