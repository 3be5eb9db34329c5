"""A forced end of the battle, against a plain search of the rules (Z13, G19)."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from games.core import Unreadable, read_move
from games.storilljudhjorrayc import GAME
from games.storilljudhjorrayc.computer.bitboard import ground, search_field_of
from games.storilljudhjorrayc.computer.hunt import Hunt, hunted
from games.storilljudhjorrayc.geometry import SPACES
from games.storilljudhjorrayc.rules import StorillPosition
from tests.games.storill_helpers import battle


class Plenty:
    """A budget that never ends."""

    def is_spent(self) -> bool:
        return False


class Nothing:
    """A budget that has ended before it begins."""

    def is_spent(self) -> bool:
        return True


def skirmishes(count: int, seed: int) -> Iterator[StorillPosition]:
    """Battles of a few units, purple without its king."""
    rng = random.Random(seed)
    while count:
        green = ["KM", *rng.sample(["SÞ", "SD", "T1", "T2", "JM"], 2)]
        purple = ["KM", *rng.sample(["T1", "T2", "SÞ"], 1)]
        spaces = rng.sample([str(space) for space in SPACES], len(green) + len(purple))
        placed = [f"{unit}:{at}" for unit, at in zip((*green, *purple), spaces, strict=True)]
        try:
            position = battle(" ".join(placed[: len(green)]), " ".join(placed[len(green) :]))
        except Unreadable:
            continue
        if position.outcome() is None:
            count -= 1
            yield position


def wins(position: StorillPosition, seat: int, plies: int) -> bool:
    """Whether *seat* wins within *plies* whatever the other does: nothing left out."""
    end = position.outcome()
    if end is not None or plies == 0:
        return end is not None and end.winner == seat
    (mover,) = position.actors()
    found = (wins(position.after(act), seat, plies - 1) for act in position.legal_moves(mover))
    return any(found) if mover == seat else all(found)


def hunt(position: StorillPosition, plies: int) -> bool:
    return Hunt(ground(position.stage.variant), Plenty()).wins(
        search_field_of(position.stage), plies
    )


def test_a_hunt_finds_what_a_plain_search_finds_within_one_ply_and_three():
    won = 0
    for position in skirmishes(25, seed=1):
        assert hunt(position, 1) == wins(position, 0, 1)
        assert hunt(position, 3) == wins(position, 0, 3), GAME.notation.text(position)
        won += hunt(position, 3)
    assert won


@pytest.mark.slow
def test_a_hunt_finds_what_a_plain_search_finds_in_many_battles():
    for position in skirmishes(300, seed=2):
        assert hunt(position, 3) == wins(position, 0, 3), GAME.notation.text(position)


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("KM:i3,JM:j1,SÞ:p1,SD:a3,KÞ:f1,T1:e5,T2:e6,T3:o3 KM:g4,T1:b2 g 0,0 0", "KÞ f1-g1"),
        ("KM:c2,JM:p4,SÞ:p2,SD:n2,KÞ:p1,T1:d4,T2:d3,T3:h4 KM:a1,T1:c6 g 0,0 0", "JM p4-a4"),
        ("KM:g2,JM:k1,SÞ:h4,SD:f2,KÞ:i1,T1:g5,T2:m4,T3:a6 KM:j4,T1:m6 g 0,0 0", "KÞ i1-j1"),
    ],
)
def test_the_line_of_a_hunt_ends_the_battle(text, first):
    position = GAME.notation.read(text, GAME.chosen({}))
    choice = GAME.computer.advise(position, 0, Plenty())
    assert choice.exact
    assert choice.line[0] == first
    assert len(choice.line) == 3
    for move in choice.line:
        position = position.after(read_move(GAME, position, min(position.actors()), move))
    assert position.outcome().winner == 0


def test_without_a_budget_nothing_is_promised():
    assert all(hunted(position, 0, Nothing()) is None for position in skirmishes(5, seed=4))


def test_nobody_hunts_while_the_armies_are_set_up():
    assert hunted(GAME.start(GAME.setting({})), 0, Plenty()) is None
