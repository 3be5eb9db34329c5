"""Cirya against figures and games that others made: perft tables and a Tak engine's games.

The short run takes the sample in ``tests/data/cirya`` and what is quick of
``../shared/truth``; ``pytest -m slow tests/games/test_cirya_truth.py`` takes the rest.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from games.cirya import GAME
from games.cirya.formats.ptn import result
from games.cirya.rules import Cirya
from games.core import read_move
from games.core.search import perft

SAMPLE = Path(__file__).resolve().parents[1] / "data" / "cirya"
SHORT = 100_000
LONG = 20_000_000
"""Leaves of the rows that the short and the slow run count."""

TAK = GAME.chosen({"carry_limit": "board"})
"""Every published table is played with the carry limit of Tak."""


def counted(position: Cirya, depth: int) -> int:
    """Perft in the other convention: a finished game counts one."""
    if depth == 0 or position.end:
        return 1
    moves = position.legal_moves(position.board.mover)
    if depth == 1:
        return len(moves)
    return sum(counted(position.after(move), depth - 1) for move in moves)


def start_of(size: str, text: str) -> Cirya:
    if text.startswith("tps "):
        return GAME.notation.read(text.removeprefix("tps "), TAK)
    position = GAME.notation.read("/".join([f"x{size}"] * int(size)) + " 1 1", TAK)
    for move in [] if text == "startpos" else text.split():
        position = position.after(read_move(GAME, position, position.board.mover, move))
    return position


def rows(file: Path) -> Iterator[tuple[Cirya, str, str]]:
    for line in file.read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            size, _, text, ones, noughts, *_ = line.split("\t")
            yield start_of(size, text), ones, noughts


def figures(told: str, fewest: int, most: int) -> Iterator[tuple[int, int]]:
    for figure in [] if told == "-" else told.split():
        depth, nodes = map(int, figure.split(":"))
        if fewest < nodes <= most:
            yield depth, nodes


def check(file: Path, fewest: int, most: int) -> int:
    done = 0
    for position, ones, noughts in rows(file):
        for depth, nodes in figures(noughts, fewest, most):
            assert perft(position, depth) == nodes, (GAME.notation.text(position), depth)
            done += 1
        for depth, nodes in figures(ones, fewest, most):
            assert counted(position, depth) == nodes, (GAME.notation.text(position), depth)
            done += 1
    return done


def test_perft_of_the_sample():
    assert check(SAMPLE / "perft.tsv", 0, SHORT) == 36


def test_i_the_two_conventions_of_perft_differ_on_the_suicide_position():
    """1.4 i: same rules, other counting."""
    position, *_ = next(one for one in rows(SAMPLE / "perft.tsv") if "11206" in one[1])
    assert (counted(position, 1), counted(position, 2)) == (85, 11_206)
    assert (perft(position, 1), perft(position, 2)) == (85, 11_204)


@pytest.mark.truth
def test_perft_of_every_row_of_the_truth_table(truth):
    assert check(truth / "cirya" / "perft.tsv", 0, SHORT) == 54


@pytest.mark.slow
@pytest.mark.truth
def test_deep_perft_of_every_row_of_the_truth_table(truth):
    assert check(truth / "cirya" / "perft.tsv", SHORT, LONG) == 25


def games(file: Path) -> list[dict]:
    return [json.loads(line) for line in file.read_text("utf-8").splitlines() if line]


def told_result(text: str) -> str:
    """The engine's result as PTN writes it; "" for a game cut short."""
    if "Draw" in text:
        return "1/2-1/2"
    mark = "R" if "Road" in text else "F"
    return f"{mark}-0" if "White" in text else f"0-{mark}" if "Black" in text else ""


def follow(game: dict) -> str:
    """Replay one game, comparing every position; the answer is how it ended.

    For the position after the last move the engine counts what could be played if the game
    went on.
    """
    *lines, last = game["positions"]
    position = GAME.notation.read(lines[0]["tps"], TAK)
    for line in lines:
        assert GAME.notation.text(position) == line["tps"]
        assert len(position.legal_moves(position.board.mover)) == line["n"]
        position = position.after(read_move(GAME, position, position.board.mover, line["move"]))
    assert GAME.notation.text(position) == last["tps"]
    assert len(position.board.plies(position.board.kinds())) == last["n"]
    return result(position.end)


def test_the_games_of_the_sample():
    sample = games(SAMPLE / "engine_games.jsonl")
    assert len(sample) == 4
    for game in sample:
        assert follow(game) == told_result(game["result"])


@pytest.mark.truth
def test_every_game_of_the_engine(truth):
    """57 results are equal; three games are cut at 160 plies, without result."""
    every = games(truth / "cirya" / "engine_games.jsonl")
    ends = [(follow(game), told_result(game["result"])) for game in every]
    assert len(ends) == 60
    assert [ours for ours, theirs in ends if ours != theirs] == []
    assert [theirs for _, theirs in ends].count("") == 3
