"""The fast board of Storilljuðjorrayc says what the rules say, in every variant."""

from __future__ import annotations

import random

import pytest

from games.core.search import WIN
from games.storilljudhjorrayc import GAME
from games.storilljudhjorrayc.computer.bitboard import (
    PASS,
    SIDE,
    TURN,
    act_of,
    ended,
    ground,
    search_field_of,
    units_of,
)
from games.storilljudhjorrayc.computer.cage import CAGED_UNITS, FREEDOM, ROOM, caged
from games.storilljudhjorrayc.computer.evaluation import worth
from games.storilljudhjorrayc.computer.search_adapter import BattleTree
from tests.games.storill_helpers import acts, battle

VARIANTS = [{}] + [
    {option.key: value} for option in GAME.rules.options[1:] for value in option.values[1:]
]
WORTH_ENDS = {"royals", "kings", "quiet"}
"""The ends that are seen on the field; the search knows repetitions and passes by its path."""


def games(options, seed):
    """The positions of a game of captures and steps, each with the field that moves led to."""
    rng = random.Random(f"{options}{seed}")
    position = GAME.start(GAME.setting({**options, "setup": "fixed"}, first=seed % 2))
    rules = ground(position.stage.variant)
    field = search_field_of(position.stage)
    while True:
        yield position, rules, field
        if not position.actors():
            return
        attacks, steps = rules.attacks(field), rules.steps(field)
        code = rng.choice(attacks if attacks and rng.random() < 0.2 else [*steps, *attacks, PASS])
        position, field = position.after(act_of(field, code)), rules.after(field, code)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("options", VARIANTS, ids=str)
@pytest.mark.parametrize("seed", range(2))
def test_it_makes_the_same_moves_and_meets_the_same_ends(options, seed):
    for position, rules, field in games(options, seed):
        for part in ("units", "green", "purple", "quiet"):
            assert getattr(field, part) == getattr(search_field_of(position.stage), part)
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
    field = search_field_of(position.stage)
    (salvo,) = ground(position.stage.variant).attacks(field)
    assert ended(ground(position.stage.variant).after(field, salvo)) == -WIN


def test_what_falls_is_reckoned_with_one_s_own():
    position = battle("A:m2 KM:n2 KD:a1 T1:a2", "A:i2 KM:a3 JM:a4")
    rules = ground(position.stage.variant)
    tree, field = BattleTree(rules, 0, 0), search_field_of(position.stage)
    # A warmaster and a guardmaster for a swordsman: 1000 + 600 - 150.
    assert tree.captures(field, 1_400)
    assert not tree.captures(field, 4_000)


def test_the_judgement_knows_no_side():
    for position, rules, field in games({}, 3):
        # Time passes with the pass; how it stands is asked of the same moment.
        then = rules.after(field, PASS)
        then.quiet = field.quiet
        assert worth(then) == -worth(field)
        del position


def safe_spaces(green: str, royal: str, space: str, rest: str, **options: str) -> int:
    """Where purple's *royal* on *space* may go or stay and nobody of *green* can take it (slow)."""
    away = acts(battle(green, f"{royal}:{space} {rest}", "p", **options), f"{royal} {space}-")
    count = 0
    for place in [space, *(one.split("-")[1] for one in away)]:
        after = battle(green, f"{royal}:{place} {rest}", **options)
        (seat,) = after.actors()
        fallen = (after.after(act).stage.board for act in after.legal_moves(seat))
        count += all(board.place(1, royal) == place for board in fallen)
    return count


HUNTS = [
    ("A:a2 KM:c3 JM:e2 JÞ:g3 T1:k4", "KM", "i3", "T1:p4"),
    ("KM:b2 JM:~ JÞ:c2 JD:o1 PÞ:e1", "KM", "d4", "T1:h2"),
    ("A:h2 KM:i4 KÞ:i1 KD:g1 PD:k1", "A", "g2", "T1:l2"),
    ("A:h2 KM:k3 JM:i3 W:~ SÞ:f1", "A", "h1", "SD:p3"),
]


@pytest.mark.parametrize(("green", "royal", "space", "rest"), HUNTS)
@pytest.mark.parametrize("options", [{}, {"friendly_fire": "no"}], ids=str)
def test_a_hunted_royal_is_caged_by_every_space_that_is_not_safe(
    green, royal, space, rest, options
):
    position = battle(green, f"{royal}:{space} {rest}", **options)
    field, rules = search_field_of(position.stage), ground(position.stage.variant)
    safe = safe_spaces(green, royal, space, rest, **options)
    assert caged(rules, field, 0) == FREEDOM * max(0, ROOM[royal == "KM"] - safe)
    assert caged(rules, field, SIDE) == 0


def test_only_a_small_army_with_one_royal_left_is_hunted():
    hunters = "A:a2 KM:c3 JM:e2 JÞ:g3 T1:k4"
    many = " ".join(f"T{number}:{radius}3" for number, radius in enumerate("hijl"[:CAGED_UNITS], 1))
    for prey in (f"KM:n3 {many}", "KM:n3 A:m2"):
        position = battle(hunters, prey)
        assert caged(ground(position.stage.variant), search_field_of(position.stage), 0) == 0, prey
    # Nor is one by as few.
    alone = battle("KM:a2 A:b2", "KM:n3 T1:k4")
    assert caged(ground(alone.stage.variant), search_field_of(alone.stage), 0) == 0
