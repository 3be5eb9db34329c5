"""The fast board of Storilljuðjorrayc says what the rules say, in every variant."""

from __future__ import annotations

import random

import pytest

from games.core.search import WIN
from games.storilljudhjorrayc import GAME
from games.storilljudhjorrayc.computer.evaluation import worth
from games.storilljudhjorrayc.computer.field import (
    PASS,
    TURN,
    act_of,
    ended,
    field_of,
    ground,
    units_of,
)
from games.storilljudhjorrayc.computer.tree import BattleTree
from tests.games.storill_helpers import battle

VARIANTS = [{}] + [
    {option.key: value} for option in GAME.options[1:] for value in option.values[1:]
]
WORTH_ENDS = {"royals", "kings", "quiet"}
"""The ends that are seen on the field; the search knows repetitions and passes by its path."""


def games(options, seed):
    """The positions of a game of captures and steps, each with the field that moves led to."""
    rng = random.Random(f"{options}{seed}")
    position = GAME.start(GAME.setting({**options, "setup": "fixed"}, first=seed % 2))
    rules = ground(position.stage.variant)
    field = field_of(position.stage)
    while True:
        yield position, rules, field
        if not position.actors():
            return
        attacks, steps = rules.attacks(field), rules.steps(field)
        code = rng.choice(attacks if attacks and rng.random() < 0.2 else [*steps, *attacks, PASS])
        position, field = position.after(act_of(field, code)), rules.after(field, code)


@pytest.mark.parametrize("options", VARIANTS, ids=str)
@pytest.mark.parametrize("seed", range(2))
def test_it_makes_the_same_moves_and_meets_the_same_ends(options, seed):
    for position, rules, field in games(options, seed):
        assert field == field_of(position.stage)
        outcome = position.outcome()
        if outcome is None:
            codes = [*rules.attacks(field), *rules.steps(field), PASS]
            acts = [act_of(field, code) for code in codes]
            (seat,) = position.actors()
            assert len(acts) == len(set(acts))
            assert set(acts) == set(position.legal_moves(seat))
            assert ended(field) is None
        elif outcome.reason in WORTH_ENDS:
            won = {None: 0, field.units[TURN]: WIN}.get(outcome.winner, -WIN)
            assert ended(field) == won


def test_its_key_is_that_of_a_repetition():
    for position, _, field in games({}, 5):
        assert units_of(*position.stage.key) == field.units


def test_one_salvo_that_empties_both_sides_is_won_by_who_shot():
    position = battle("A:a2 KD:a1", "A:a3")
    field = field_of(position.stage)
    (salvo,) = ground(position.stage.variant).attacks(field)
    assert ended(ground(position.stage.variant).after(field, salvo)) == -WIN


def test_what_falls_is_reckoned_with_one_s_own():
    position = battle("A:m2 KM:n2 KD:a1 T1:a2", "A:i2 KM:a3 JM:a4")
    rules = ground(position.stage.variant)
    tree, field = BattleTree(rules, 0, 0), field_of(position.stage)
    # A warmaster and a guardmaster for a swordsman: 1000 + 600 - 150.
    assert tree.captures(field, 1_400)
    assert not tree.captures(field, 4_000)


def test_the_judgement_knows_no_side():
    for position, rules, field in games({}, 3):
        # Time passes with the pass; how it stands is asked of the same moment.
        assert worth(rules.after(field, PASS)._replace(quiet=field.quiet)) == -worth(field)
        del position
