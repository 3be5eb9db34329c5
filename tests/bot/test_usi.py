"""A program that plays shogi by USI: asked, watched, started anew, and never trusted."""

from __future__ import annotations

import os

import psutil
import pytest

from bot.app.doctor import ask as examined
from bot.app.settings import Settings
from bot.service.computers.pool import Question, Thinkers
from bot.service.computers.usi import NICENESS, Engine, NoEngine, position
from games.core import Entry
from games.shogi import GAME

START = GAME.notation.text(GAME.start(GAME.setting({})))


def question(level: int = GAME.computer.levels, log: tuple[Entry, ...] = ()) -> Question:
    setting = GAME.setting({})
    return Question("TABLE:1", "shogi", setting, log, 0, level, GAME.start(setting))


async def test_the_strongest_level_is_played_by_the_program(program):
    thinkers = Thinkers(engines={"shogi": Engine(program(), seconds=0.1, patience=100)})
    try:
        thought = await thinkers.think(question())
    finally:
        await thinkers.close()
    assert (thought.move, thought.line, thought.hurried) == ("7g7f", ("7g7f", "3c3d"), False)
    assert 0.1 < thought.value < 0.5


async def test_it_is_one_process_that_gives_way_and_is_told_to_use_one_core(program, tmp_path):
    engine = Engine(program(), seconds=0.1, patience=100)
    try:
        await engine.play(f"position sfen {START}")
        first = engine._process.pid
        assert psutil.Process(first).nice() == max(NICENESS, os.nice(0))
        await engine.play(f"position sfen {START} moves 7g7f 3c3d")
        assert engine._process.pid == first
    finally:
        await engine.close()
    assert not psutil.pid_exists(first)
    heard = (tmp_path / "heard").read_text().splitlines()
    assert heard[0] == "setoption name Threads value 1"
    assert "USI_Hash" not in " ".join(heard), "it has no such option"


@pytest.mark.parametrize("how", ["dumb", "dies", "hangs", "wild", "gives up"])
async def test_f13_where_it_fails_our_own_computer_plays(program, how, monkeypatch):
    engine = Engine(program(how), seconds=0.1, patience=0.5)
    thinkers = Thinkers(engines={"shogi": engine})

    async def own(asked):
        return {"move": "2g2f", "value": 0.0, "line": ["2g2f"], "exact": False, "took": 0.0}

    monkeypatch.setattr(thinkers, "_ask", own)
    try:
        assert (await thinkers.think(question())).move == "2g2f"
    finally:
        await thinkers.close()
    assert engine._process is None


async def test_f13_after_a_death_it_is_started_anew(program):
    engine = Engine(program("dies"), seconds=0.1, patience=100)
    with pytest.raises(NoEngine):
        await engine.play(f"position sfen {START}")
    engine.path = program()
    try:
        assert (await engine.play(f"position sfen {START}")).move == "7g7f"
    finally:
        await engine.close()


async def test_the_weaker_levels_are_our_own(program, monkeypatch):
    thinkers = Thinkers(engines={"shogi": Engine(program())})
    monkeypatch.setattr(thinkers, "_ask", lambda asked: _own())
    try:
        assert (await thinkers.think(question(level=1))).move == "2g2f"
    finally:
        await thinkers.close()


async def _own():
    return {"move": "2g2f", "value": 0.0, "line": ["2g2f"], "exact": False, "took": 0.0}


def test_a_plain_game_is_told_by_its_moves_and_any_other_as_it_stands():
    plain = (Entry(0, "7g7f"), Entry(1, "3c3d"))
    assert position(START, (), "now") == f"position sfen {START}"
    assert position(START, plain, "now") == f"position sfen {START} moves 7g7f 3c3d"
    assert position(START, (*plain, Entry(0, "jishogi", aside=True)), "now") == "position sfen now"


async def test_the_doctor_says_whether_it_answers(program, tmp_path):
    (fine,) = await examined(Settings(_env_file=None, shogi_engine=program()))
    assert (fine.level, "Pipo 1.0" in fine.text) == ("fine", True)
    (wrong,) = await examined(Settings(_env_file=None, shogi_engine=tmp_path / "none"))
    assert wrong.level == "error"
    assert "does not answer" in wrong.text
