"""The board, edge by edge; the legal acts, position by position; the counts."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from games.core.search import perft
from games.storilljudhjorrayc import GAME
from games.storilljudhjorrayc.geometry import DIAGONAL, OUTER, RADIAL, SPACES, TANGENTIAL
from games.storilljudhjorrayc.setup import STANDARD, ZONES
from tests.games.storill_reference import Slow, neighbours, random_position

SAMPLE = Path(__file__).resolve().parents[1] / "data" / "storilljudhjorrayc" / "geometry.json"
EDGES = {"tangential": TANGENTIAL, "radial": RADIAL, "diagonal": DIAGONAL}


def edges(table) -> set[frozenset[str]]:
    return {frozenset((space, other)) for space in table for other in table[space]}


@pytest.mark.truth
def test_the_eighty_spaces_and_three_hundred_edges_of_the_truth_file(truth):
    told = json.loads((truth / "storilljudhjorrayc" / "geometry.json").read_text())
    assert list(SPACES) == told["spaces"]
    assert list(OUTER) == told["forest_adjacent"]
    for kind, table in EDGES.items():
        assert edges(table) == {frozenset(edge) for edge in told[kind]}


@pytest.mark.truth
def test_the_zones_and_the_default_set_up_of_the_truth_file(truth):
    told = json.loads((truth / "storilljudhjorrayc" / "geometry.json").read_text())
    for seat, name in enumerate(("north_green", "south_purple")):
        assert list(ZONES[seat]) == told["start_zone"][name]
        standing = {
            space: label
            for space, label in zip(ZONES[seat], STANDARD, strict=True)
            if label is not None
        }
        assert standing == told["default_setup"][name]


@pytest.mark.parametrize("space", json.loads(SAMPLE.read_text())["neighbours"])
def test_the_neighbours_of_a_sample_of_spaces(space):
    told = json.loads(SAMPLE.read_text())["neighbours"][space]
    for kind, table in EDGES.items():
        assert sorted(table[space]) == sorted(told[kind])


def test_g2_there_are_80_tangential_92_radial_and_128_diagonal_edges():
    assert {kind: len(edges(table)) for kind, table in EDGES.items()} == {
        "tangential": 80,
        "radial": 92,
        "diagonal": 128,
    }


@pytest.mark.parametrize(
    ("space", "degrees"),
    [("a1", (2, 1, 2)), ("a2", (2, 2, 4)), ("a4", (2, 2, 3)), ("a5", (2, 3, 4)), ("a6", (2, 6, 2))],
)
def test_g2_degrees_by_circuit(space, degrees):
    circuit = [s for s in SPACES if s[1] == space[1]]
    for one in circuit:
        found = tuple(len(EDGES[kind][one]) for kind in ("tangential", "radial", "diagonal"))
        assert found == degrees


@pytest.mark.parametrize("table", EDGES.values(), ids=EDGES)
def test_every_edge_runs_both_ways_and_to_another_space(table):
    for space in SPACES:
        assert len(set(table[space])) == len(table[space])
        assert space not in table[space]
        assert all(space in table[other] for other in table[space])


def test_the_arithmetic_agrees_with_how_ring_sectors_touch():
    for space in SPACES:
        for kind, letter in (("tangential", "t"), ("radial", "r"), ("diagonal", "d")):
            assert sorted(EDGES[kind][space]) == sorted(neighbours(space, letter))


def start(first: int = 0):
    return GAME.start(GAME.setting({"setup": "fixed"}, first=first))


@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize(("depth", "count"), [(1, 48), (2, 2_284)])
def test_perft_from_the_default_set_up(first, depth, count):
    # rules 4.2b; the board looks the same from both sides.
    assert perft(start(first), depth) == count


def test_perft_3_from_the_default_set_up():
    assert perft(start(), 3) == 108_316  # rules 4.2b


def agrees(seed: int) -> int:
    rng = random.Random(seed)
    text, options = random_position(rng)
    slow, position = Slow(text, options), GAME.notation.read(text, options)
    assert GAME.notation.text(position) == text
    moves = list(position.legal_moves(slow.turn))
    ours = sorted(GAME.notation.written(position, one) for one in moves)
    assert sorted(slow.acts()) == ours, (text, options)
    for move in rng.sample(moves, min(6, len(moves))):
        written = GAME.notation.written(position, move)
        following = GAME.notation.text(position.after(move))
        assert following == slow.after(written).text(), (text, written)
    return len(moves)


@pytest.mark.slow
def test_the_slow_generator_agrees_on_a_sample_of_positions():
    assert sum(agrees(seed) for seed in range(150)) > 3_000


@pytest.mark.slow
def test_the_slow_generator_agrees_on_two_thousand_positions():
    assert sum(agrees(seed) for seed in range(2_000)) > 50_000


@pytest.mark.slow
def test_five_hundred_random_games_end_or_are_cut(capsys):
    ends: dict[str, int] = {}
    lengths = []
    for number in range(500):
        rng = random.Random(number)
        position, plies = start(number % 2), 0
        while position.actors() and plies < 400:
            (seat,) = position.actors()
            position = position.after(rng.choice(position.legal_moves(seat)))
            plies += 1
        outcome = position.outcome()
        end = "cut at 400" if outcome is None else f"{outcome.reason}, winner {outcome.winner}"
        ends[end] = ends.get(end, 0) + 1
        lengths.append(plies)
    lengths.sort()
    with capsys.disabled():
        print(f"\nrandom games: {ends}; plies {lengths[0]}, {lengths[250]}, {lengths[-1]}")
    assert sum(ends.values()) == 500
    assert ends.get("royals, winner 0", 0) > 100
    assert ends.get("royals, winner 1", 0) > 100
