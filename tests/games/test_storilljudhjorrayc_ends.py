"""Storilljuðjorrayc, rule by rule: how a game ends (Z8, G11, G16, G19)."""

from __future__ import annotations

import random

import pytest

from games.core import Outcome
from games.storilljudhjorrayc import GAME
from games.storilljudhjorrayc.move_types import Pass, Step
from tests.games.storill_helpers import battle, ended, play

SHUFFLE = ("A a2-a3", "A i2-i3", "A a3-a2", "A i3-i2")
"""Four plies that lead back to where they began."""


def test_g11_a_captured_king_does_not_end_the_game():
    position = play(battle("A:m2 T1:a2", "A:a3 KM:i2"), "T1 a2xa3")
    assert position.outcome() is None
    assert position.actors() == {1}


@pytest.mark.parametrize("royal", ["A", "KM"])
def test_z8_the_game_ends_when_king_and_warmaster_have_both_fallen(royal):
    position = play(battle("A:m2 T1:a2", f"{royal}:a3 T5:i2"), "T1 a2xa3")
    assert ended(position).winner == 0
    assert ended(position).reason == "royals"
    assert position.actors() == frozenset()
    assert position.legal_moves(1) == ()


def test_z8_no_warning_is_due_a_side_may_leave_its_last_royal_in_danger():
    position = play(battle("A:a3 T2:c2", "A:i2 T1:a2"), "T2 c2-c1", "T1 a2xa3")
    assert ended(position).winner == 1


def test_g11_king_and_warmaster_may_fall_to_one_salvo():
    position = play(battle("A:m2 KD:a1", "A:a3 KM:a4"), "KD a1x")
    assert ended(position).winner == 0


def test_g9_a_royal_felled_by_its_own_archer_counts_as_captured():
    position = play(battle("A:a3 KD:a1", "A:i2 T1:a4"), "KD a1x")
    assert ended(position) == Outcome("royals", (frozenset({1}), frozenset({0})))


@pytest.mark.parametrize(("turn", "winner"), [("g", 0), ("p", 1)])
def test_g19_if_one_salvo_ends_it_for_both_the_shooter_wins(turn, winner):
    sides = ["A:a2 KD:a1", "A:a3"] if turn == "g" else ["A:a3", "A:a2 KD:a1"]
    assert ended(play(battle(*sides, turn=turn), "KD a1x")).winner == winner


def test_g16_four_passes_in_a_row_are_a_draw():
    position = play(battle("A:a2 T1:c2", "A:i2"), "--", "--", "--")
    assert position.outcome() is None
    assert ended(play(position, "--")) == Outcome("passes", (frozenset({0, 1}),))


def test_g16_a_move_between_passes_starts_the_count_again():
    position = play(battle("A:a2 T1:c2", "A:i2"), "--", "--", "--", "A i2-i3")
    assert position.stage.passes == 0
    assert play(position, "--", "--", "--").outcome() is None


def test_g16_bare_kings_are_a_draw():
    position = play(battle("A:a2", "A:i2 T1:a3"), "A a2xa3")
    assert ended(position).reason == "kings"
    assert ended(position).winner is None


def test_g16_a_unit_in_the_forest_keeps_the_battle_going():
    assert battle("A:a2 W:~", "A:i2").outcome() is None


def test_g16_the_fourth_time_on_the_same_position_is_a_draw():
    position = battle("A:a2 T1:c2", "A:i2")
    position = play(position, *SHUFFLE, *SHUFFLE)
    assert position.stage.times_seen == 3
    assert position.outcome() is None
    position = play(position, *SHUFFLE)
    assert ended(position).reason == "repetition"


def test_g16_repetition_asks_for_the_same_mover():
    # The same units on the same spaces with the other side to move is another position.
    position = play(battle("A:a2 T1:c2", "A:i2"), *SHUFFLE, *SHUFFLE, "--")
    assert position.stage.times_seen == 1


def test_g16_repetition_does_not_look_at_the_passes():
    position = play(battle("A:a2 T1:c2", "A:i2"), *SHUFFLE, *SHUFFLE)
    assert position.stage.passes == 0
    position = play(position, "--", "--")
    assert position.stage.passes == 2
    assert ended(position).reason == "repetition"


def test_g16_repetition_asks_for_the_same_ambush_counts():
    one, other = (battle("A:a2 W:~", "A:i2", counts=counts) for counts in ("0,0", "1,0"))
    assert one.stage.key != other.stage.key


def test_g16_a_pass_count_is_no_part_of_the_position_compared():
    one, other = (battle("A:a2 W:~", "A:i2", passes=passes) for passes in (0, 2))
    assert one.stage.key == other.stage.key


def quiet_position(plies: int):
    """A battle without a capture for *plies* plies and no position often enough for a draw."""
    rng = random.Random(7)
    position = battle("A:a2 KM:c2 T1:b3 T2:p3", "A:i2 KM:k2 T1:j3 T2:h3")
    while position.stage.quiet < plies:
        (seat,) = position.actors()
        steps = [
            move
            for move in position.legal_moves(seat)
            if isinstance(move, Step) and position.after(move).outcome() is None
        ]
        position = position.after(rng.choice(steps))
    return position


def test_g16_a_hundred_plies_without_a_capture_are_a_draw():
    position = quiet_position(99)
    assert position.outcome() is None
    assert ended(play(position, "--")).reason == "quiet"


def test_g16_a_capture_starts_the_count_again():
    position = play(battle("A:a2 T1:c2", "A:i2 T1:c3 T2:k2"), "--", "--", "T1 c2xc3")
    assert position.stage.quiet == 0


def test_g16_quiet_plies_and_repetitions_count_from_the_record_only():
    position = play(battle("A:a2 T1:c2", "A:i2"), *SHUFFLE, *SHUFFLE)
    again = GAME.notation.read(GAME.notation.text(position), GAME.chosen({}))
    assert again.stage.quiet == 0
    assert again.stage.times_seen == 1


def test_g16_a_draw_may_be_agreed():
    assert GAME.rules.draw_by_agreement


def test_g16_pass_is_legal_as_long_as_the_game_lasts():
    rng = random.Random(3)
    position = GAME.start(GAME.setting({"setup": "fixed"}))
    for _ in range(200):
        if not position.actors():
            break
        (seat,) = position.actors()
        assert Pass() in position.legal_moves(seat)
        position = position.after(rng.choice(position.legal_moves(seat)))


@pytest.mark.parametrize(
    ("green", "purple", "passes", "reason"),
    [
        ("A:a2", "T1:i2", 4, "royals"),  # before the passes
        ("A:a2", "A:i2", 4, "passes"),  # before the bare kings
        ("A:a2", "A:i2", 0, "kings"),
    ],
)
def test_g19_the_order_of_the_ends(green, purple, passes, reason):
    assert ended(battle(green, purple, passes=passes)).reason == reason


def test_g19_the_fourth_repetition_comes_before_the_hundredth_quiet_ply():
    position = battle("A:a2 T1:c2 T2:n3", "A:i2")
    position = play(position, *SHUFFLE, *SHUFFLE, "A a2-a3", "A i2-i3", "A a3-a2")
    padded = type(position.stage)(
        position.stage.variant,
        position.stage.board,
        position.stage.turn,
        past=(*((None,) * (99 - position.stage.quiet)), *position.stage.past),
    )
    assert ended(play(type(position)(padded), "A i3-i2")).reason == "repetition"


def test_the_demo_leads_from_the_default_set_up_to_a_shot_across_the_centre():
    position = play(GAME.start(GAME.setting({"setup": "fixed"})), *GAME.demo)
    assert position.stage.board.place(0, "PÞ") == "d1"
    assert position.stage.board.place(1, "T5") is None
    assert position.outcome() is None
