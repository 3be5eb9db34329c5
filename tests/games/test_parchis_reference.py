"""The rules against an independent slow generator (``parchis_reference``)."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from games.core import CHANCE
from games.parchis import GAME
from tests.games import parchis_random_positions, parchis_reference


def agree(position, options) -> Counter:
    """Both answer the same moves, and the same texts after them; which kinds came up."""
    text = GAME.notation.text(position)
    (seat,) = position.actors()
    moves = position.legal_moves(seat)
    written = [GAME.notation.written(position, move) for move in moves]
    assert sorted(written) == sorted(parchis_reference.moves(text, options)), (text, options)
    kinds: Counter = Counter()
    for move, notation in zip(moves, written, strict=True):
        following = position.after(move)
        assert GAME.notation.text(following) == parchis_reference.played(text, options, notation), (
            text,
            notation,
        )
        if seat != CHANCE:
            kinds.update(kinds_of(text, notation))
    return kinds


def kinds_of(text: str, notation: str) -> list[str]:
    *_, due, _sixes, _last, _arrivals = text.split()
    found = [f"colours {text.count('=')}"]
    for mark, kind in (("x", "capture"), ("meta", "meta"), ("casa", "third six"), ("--", "lapse")):
        if mark in notation:
            found.append(f"{kind} {due[0]}")
    if "," in notation:
        found.append("two out")
    return found


def compare_played(count: int, seed: int) -> Counter:
    rng = random.Random(seed)
    kinds: Counter = Counter()
    done = 0
    while done < count:
        options, position = parchis_random_positions.played(rng, rng.randrange(20, 1200))
        for _ in range(12):
            if GAME.notation.text(position).split()[-4] == "o" or not position.actors():
                break
            kinds += agree(position, options)
            done += 1
            (seat,) = position.actors()
            position = position.after(rng.choice(position.legal_moves(seat)))
    return kinds


def compare_strewn(count: int, seed: int) -> Counter:
    rng = random.Random(seed)
    kinds: Counter = Counter()
    for _ in range(count):
        options, text = parchis_random_positions.strewn(rng)
        position = GAME.notation.read(text, options)
        assert GAME.notation.text(position) == text
        kinds += agree(position, options)
    return kinds


EVERYTHING = {
    "colours 2",
    "colours 3",
    "colours 4",
    "capture d",
    "capture +",
    "meta d",
    "meta +",
    "third six d",
    "lapse d",
    "lapse +",
    "two out",
}


@pytest.mark.slow
def test_a_slow_generator_agrees_on_crowded_positions():
    kinds = compare_strewn(2000, seed=1)
    assert kinds.keys() >= EVERYTHING


def test_a_slow_generator_agrees_on_a_sample_of_played_positions():
    assert compare_played(200, seed=2)["colours 4"] > 20


@pytest.mark.slow
def test_a_slow_generator_agrees_on_many_played_positions():
    assert compare_played(2000, seed=3).keys() >= EVERYTHING


@pytest.mark.slow
def test_a_slow_generator_agrees_on_many_more_crowded_positions():
    assert compare_strewn(20_000, seed=4).keys() >= EVERYTHING
