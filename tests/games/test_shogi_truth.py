"""Figures of others: perft, real games and mate problems, with the source in each row.

``tests/data/shogi`` holds a sample; the whole tables stand in ../shared/truth. Everything,
perft to twenty million leaves and all problems solved, takes about a minute::

    python -m pytest tests/games/test_shogi_truth.py
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from games.core import Entry, replay
from games.core.search import perft
from games.shogi import GAME
from games.shogi.computer.mates import MateSearch

SAMPLE = Path(__file__).resolve().parents[1] / "data" / "shogi"
OPTIONS = GAME.chosen({})
SHORT, LONG = 100_000, 20_000_000


def rows(folder: Path, name: str) -> Iterator[list[str]]:
    for line in (folder / f"{name}.tsv").read_text("utf-8").splitlines():
        if not line.startswith("#"):
            yield line.split("\t")


@pytest.fixture
def tables(truth) -> Path:
    return truth / "shogi"


class Nodes:
    """A budget of so many questions."""

    def __init__(self, left: int) -> None:
        self.left = left

    def is_spent(self) -> bool:
        self.left -= 1
        return self.left < 0


def check_perft(folder: Path, least: int, most: int) -> int:
    checked = 0
    for sfen, counts, source in rows(folder, "perft"):
        position = GAME.notation.read(sfen, OPTIONS)
        for depth, count in enumerate(map(int, counts.split(",")), 1):
            if least < count <= most:
                assert perft(position, depth) == count, (sfen, depth, source)
                checked += 1
            elif count == least == 0:
                assert position.actors() == frozenset(), (sfen, source)
                checked += 1
    return checked


def check_games(folder: Path) -> int:
    checked = 0
    for plies, end, moves, counts, final in rows(folder, "games_usi"):
        position = GAME.start(GAME.setting())
        expected = [int(count) for count in counts.split(",")]
        for number, usi in enumerate(moves.split()):
            if number % 10 == 0:
                assert len(position.legal_moves(position.turn)) == expected[number // 10]
            position = replay(GAME, position, [Entry(position.turn, usi)])
        assert GAME.notation.text(position).startswith(final)
        assert position.ply == int(plies) + 1
        ended = position.outcome()
        reason = {"checkmate": "mate", "stalemate": "stalemate"}.get(end)
        assert (ended.reason if ended else None) == reason
        checked += 1
    return checked


def check_problems(folder: Path) -> int:
    checked = 0
    for plies, number, sfen, solution, counts in rows(folder, "tsume"):
        position = GAME.notation.read(sfen, OPTIONS)
        for usi, count in zip(solution.split(), counts.split(), strict=True):
            assert len(position.legal_moves(position.turn)) == int(count), number
            position = replay(GAME, position, [Entry(position.turn, usi)])
        assert position.outcome().reason == "mate", number
        assert len(solution.split()) == int(plies)
        checked += 1
    return checked


def check_mates(folder: Path, longest: int) -> int:
    solved = 0
    for plies, number, sfen, *_ in rows(folder, "tsume"):
        if int(plies) > longest:
            continue
        position = GAME.notation.read(sfen, OPTIONS)
        line = MateSearch(Nodes(40_000)).solve(position.board, int(plies))
        assert line, number
        assert len(line) <= int(plies)
        for play in line:
            assert play in position.legal_moves(position.turn)
            position = position.after(play)
        assert position.outcome().reason == "mate", number
        solved += 1
    return solved


def test_perft_of_the_sample():
    assert check_perft(SAMPLE, 0, SHORT) > 40


def test_real_games_of_the_sample_replay_with_the_same_counts():
    assert check_games(SAMPLE) == 5


def test_problems_of_the_sample_replay_to_mate_and_are_solved():
    assert check_problems(SAMPLE) == 18
    assert check_mates(SAMPLE, longest=11) == 18


@pytest.mark.truth
def test_every_perft_row_up_to_a_hundred_thousand(tables):
    assert check_perft(tables, 0, SHORT) > 190


@pytest.mark.truth
@pytest.mark.slow
def test_every_perft_row_up_to_twenty_million(tables):
    assert check_perft(tables, SHORT, LONG) > 4


@pytest.mark.truth
def test_every_real_game_replays_with_the_same_counts(tables):
    assert check_games(tables) == 100


@pytest.mark.truth
def test_every_problem_replays_to_mate(tables):
    assert check_problems(tables) == 495


@pytest.mark.truth
def test_the_mate_search_solves_every_short_problem(tables):
    assert check_mates(tables, longest=3) == 57 + 136


@pytest.mark.truth
@pytest.mark.slow
def test_the_mate_search_solves_every_problem(tables):
    assert check_mates(tables, longest=11) == 495
