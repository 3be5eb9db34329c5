"""A program that plays shogi by USI: asked, watched, started anew, and never trusted."""

from __future__ import annotations

import logging
import os
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from bot.app.doctor import ask as examined
from bot.app.settings import Settings
from bot.presenters.table.viewers import player_names
from bot.service.computers.pool import Question, Thinkers
from bot.service.computers.usi import NICENESS, Engine, NoEngine, installed_engine, position
from bot.session.draft import COMPUTER, TableDraft
from bot.session.names import check_level
from bot.texts import language
from games.core import BadOption, Entry, read_move
from games.core.shelf import invite
from games.shogi import GAME
from tests.bot.test_setup import ALONE, begun, tables

START = GAME.notation.text(GAME.start(GAME.setting({})))


OURS = GAME.computer.levels


@pytest.fixture
def guests():
    """Fairy-Stockfish plays three levels of shogi above ours, until the test is over."""
    invite("shogi", Engine(Path("/usr/games/fairy-stockfish")).level_names)
    yield
    invite("shogi", ())


def question(level: int = OURS + 1, log: tuple[Entry, ...] = ()) -> Question:
    setting = GAME.setting({})
    return Question("TABLE:1", "shogi", setting, log, 0, level, GAME.start(setting))


async def test_the_levels_above_ours_are_played_by_the_program_at_their_positions(
    program, tmp_path
):
    thinkers = Thinkers(engines={"shogi": Engine(program(), seconds=0.1, patience=100)})
    try:
        thought = await thinkers.think(question())
        await thinkers.think(replace(question(OURS + 3), seconds=0.05))
    finally:
        await thinkers.close()
    assert (thought.move, thought.line, thought.hurried) == ("7g7f", ("7g7f", "3c3d"), False)
    assert 0.1 < thought.value < 0.5
    heard = (tmp_path / "heard").read_text().splitlines()
    assert [line for line in heard if line.startswith("go")] == [
        "go btime 0 wtime 0 byoyomi 100 nodes 20000",
        "go btime 0 wtime 0 byoyomi 50 nodes 320000",
    ]


async def test_they_are_offered_by_its_name_where_it_is_installed_and_kept_on_the_table(at, guests):
    sheet = await begun(at, ALONE)
    await sheet.press("Shogi")
    await sheet.press("Nivel 2: novato")
    assert sheet.labels[-5:-1] == ["Nivel 12: maestro", *_fairies(13, 14, 15)]
    await sheet.press("Nivel 14: Fairy-Stockfish")
    await sheet.press("Tu bando: a suertes")
    await sheet.press("Empezar")
    (table,) = await tables(at)
    assert 14 in [player.level for player in table.players]
    named = player_names("shogi", table.players, language("es"))
    assert "Fairy-Stockfish (nivel 14)" in named.values()


def _fairies(*levels: int) -> list[str]:
    return [f"Nivel {level}: Fairy-Stockfish" for level in levels]


def test_where_it_is_not_installed_they_are_not_offered():
    draft = TableDraft("AAAAAA", "00", game="shogi", against=COMPUTER, level=14)
    assert draft.values()["level"] == str(OURS)
    with pytest.raises(BadOption):
        check_level(GAME, OURS + 1)


@pytest.mark.parametrize("engines", [{}, {"shogi": Engine(Path("/nowhere"))}])
async def test_where_it_is_dead_our_highest_level_goes_on_and_one_sentence_says_so(
    engines, monkeypatch, caplog
):
    thinkers, asked = Thinkers(engines=engines), []

    async def own(question):
        asked.append(question["level"])
        return {"move": "2g2f", "value": 0.0, "line": ["2g2f"], "exact": False, "took": 0.0}

    monkeypatch.setattr(thinkers, "_ask", own)
    with caplog.at_level(logging.ERROR):
        for _ in range(3):
            assert (await thinkers.think(question(OURS + 2))).move == "2g2f"
    assert asked == [OURS] * 3
    assert [one.getMessage().endswith("level 12 goes on") for one in caplog.records] == [True]


@pytest.mark.skipif(installed_engine(None) is None, reason="no fairy-stockfish is installed")
async def test_debians_program_plays_legal_moves_at_every_level():
    engine = installed_engine(None)
    thinkers, position, log = Thinkers(engines={"shogi": engine}), GAME.start(GAME.setting({})), ()
    engine.patience = 100
    try:
        for ply in range(6):
            asked = replace(question(OURS + 1 + ply % 3, log), seat=ply % 2, now=position)
            thought = await thinkers._from_engine(replace(asked, seconds=0.2))
            position = position.after(read_move(GAME, position, ply % 2, thought.move))
            log = (*log, Entry(ply % 2, thought.move))
    finally:
        await thinkers.close()
    assert "Fairy-Stockfish" in engine.name


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
