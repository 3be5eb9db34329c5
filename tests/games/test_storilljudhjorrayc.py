"""Storilljuðjorrayc, rule by rule: board, units, moves, attacks (Z1-Z11, G1-G9, G18)."""

from __future__ import annotations

import pytest

from games.storilljudhjorrayc import GAME
from games.storilljudhjorrayc.geometry import (
    DIAGONAL,
    FOCUS,
    RADIAL,
    RAYS,
    SPACES,
    STRAIGHT_RAYS,
    TANGENTIAL,
    Ray,
    place_named,
)
from games.storilljudhjorrayc.units import GUARD_CLASS, INFANTRY, NOBLES, REAR, UNITS, label_named
from tests.games.storill_helpers import acts, aims_of, battle, ends_of, play, spaces

SIX = spaces("c6 e6 g6 i6 k6 m6 o6 a6")


def start(**options: str):
    return GAME.start(GAME.setting({"setup": "fixed", **options}))


def tips(ray: Ray, so_far: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    """Every way that *ray* may take, to its end."""
    path = (*so_far, *ray.path)
    return [tip for fork in ray.forks for tip in tips(fork, path)] if ray.forks else [path]


# The board


def test_z1_four_circuits_of_sixteen_spaces_and_two_of_eight():
    assert len(SPACES) == 80
    counts = [sum(space[1] == str(circuit) for space in SPACES) for circuit in range(1, 7)]
    assert counts == [16, 16, 16, 16, 8, 8]
    assert {space[1] for space in FOCUS} == {"5", "6"}


def test_z2_inner_spaces_are_radial_neighbours_but_for_those_beside():
    for space in SIX:
        over = {other for other in RADIAL[space] if other[1] == "6"}
        assert over == SIX - {space} - set(TANGENTIAL[space])


def test_z2_no_corner_contact_over_the_centre():
    for space in SIX:
        assert not SIX & set(DIAGONAL[space])


def test_g1_focus_spaces_bear_the_first_letter_of_their_pair_and_answer_to_both():
    assert place_named("b5") == "a5"
    assert place_named("P6") == "o6"
    assert place_named("b4") == "b4"
    assert place_named("a7") is None


def test_g1_the_space_opposite_a6_is_i6():
    (ray,) = [r for r in STRAIGHT_RAYS["a6"] if r.forks and r.path[0][1] == "6"]
    assert ray.path[0] == "i6"


def test_g2_ring_5_has_two_outward_radial_neighbours_bug_magnet_b():
    assert {s for s in RADIAL["a5"] if s[1] == "4"} == {"a4", "b4"}
    assert "a5" in RADIAL["a4"]
    assert "a5" in RADIAL["b4"]
    assert {s for s in DIAGONAL["a4"] if s[1] == "5"} == {"o5"}
    assert {s for s in DIAGONAL["b4"] if s[1] == "5"} == {"c5"}


def test_g2_the_centre_bug_magnet_c():
    assert set(TANGENTIAL["a6"]) == {"c6", "o6"}
    assert {s for s in RADIAL["a6"] if s[1] == "6"} == spaces("e6 g6 i6 k6 m6")
    assert set(DIAGONAL["a6"]) == {"c5", "o5"}


def test_g3_a_ray_inward_may_cross_once_and_ends_there():
    inward = [tip for ray in RAYS["b2"] for tip in tips(ray) if tip[0] == "b3"]
    trunk = ("b3", "b4", "a5", "a6")
    assert sorted(inward) == sorted((*trunk, six) for six in spaces("e6 g6 i6 k6 m6"))


def test_g3_a_ray_outward_from_the_focus_takes_either_radius():
    outward = [tip for ray in RAYS["a6"] for tip in tips(ray) if tip[0] == "a5"]
    assert outward == [("a5", "a4", "a3", "a2", "a1"), ("a5", "b4", "b3", "b2", "b1")]


def test_g3_straight_crosses_to_the_opposite_space_only_and_goes_on():
    ways = [tip for ray in STRAIGHT_RAYS["b3"] for tip in tips(ray) if tip[0] == "b4"]
    trunk = ("b4", "a5", "a6", "i6", "i5")
    assert ways == [(*trunk, "i4", "i3", "i2", "i1"), (*trunk, "j4", "j3", "j2", "j1")]


def test_g3_straight_leaves_one_step_over_the_centre_to_any_of_the_five():
    # Z2: neighbourhood is not an option; only what follows the crossing is.
    steps = {ray.path[0] for ray in STRAIGHT_RAYS["a6"]}
    assert steps == spaces("e6 g6 i6 k6 m6 a5")
    position = battle("A:p1 T1:a6", "A:i2", crossing="straight")
    assert spaces("e6 g6 i6 k6 m6") <= ends_of(position, "T1")


# The units


def test_z4_seventeen_units_a_side():
    assert len(UNITS) == 17
    for side in GAME.notation.text(start()).split()[:2]:
        assert [entry.split(":")[0] for entry in side.split(",")] == list(UNITS)


def test_z5_four_classes():
    assert (len(NOBLES), len(GUARD_CLASS), len(INFANTRY), len(REAR)) == (3, 3, 6, 5)
    assert {*NOBLES, *GUARD_CLASS, *INFANTRY, *REAR} == set(UNITS)


def test_z15_the_labels_of_other_sets_are_understood():
    assert label_named("R") == "A"
    assert label_named("gm") == "KM"


# The turn


def test_z6_one_act_a_turn_by_one_side():
    position = start()
    assert position.actors() == {0}
    following = play(position, "T1 n3-n4")
    assert following.actors() == {1}
    moved = [
        a != b
        for a, b in zip(*(p.stage.board.armies[0] for p in (position, following)), strict=True)
    ]
    assert sum(moved) == 1


def test_z6_a_pass_changes_nothing_but_the_turn():
    position = start()
    following = play(position, "--")
    assert following.stage.board == position.stage.board
    assert following.actors() == {1}


def test_z7_an_attacker_stays_where_it_is_bug_magnet_a():
    position = play(battle("A:p1 T3:p3", "A:i2 T1:p4"), "T3 p3xp4")
    assert GAME.notation.text(position) == "A:p1,T3:p3 A:i2 p 0,0 0"


def test_z7_no_unit_but_the_ambush_moves_by_capturing():
    position = battle(
        "A:p2 KM:k5 JM:n3 SÞ:e3 JÞ:d2 KÞ:b1 PÞ:m1 T1:o4", "A:i2 T1:p4 T2:b3 T3:m2 T4:k4"
    )
    for move in position.legal_moves(0):
        if "x" in GAME.notation.written(position, move):
            after = position.after(move).stage.board
            assert after.armies[0] == position.stage.board.armies[0]


# King


def test_king_goes_one_space_radially_or_tangentially():
    assert ends_of(battle("A:a2 T1:m3", "A:i2"), "A") == spaces("a1 a3 b2 p2")


def test_king_keeps_out_of_focus_and_forest():
    assert ends_of(battle("A:a4 T1:m3", "A:i2"), "A") == spaces("a3 b4 p4")
    assert ends_of(battle("A:a1 T1:m3", "A:i2"), "A") == spaces("a2 b1 p1")


def test_king_attacks_one_space_radially_or_tangentially_also_into_the_focus():
    position = battle("A:a4", "T1:a3 T2:b4 T3:a5 T4:b3 T5:p3 A:i2")
    assert aims_of(position, "A") == spaces("a3 b4 a5")


def test_z11_kings_may_not_capture_each_other_bug_magnet_h():
    position = battle("A:a2 T1:b2", "A:a3 T1:p2")
    assert aims_of(position, "A") == {"p2"}
    assert aims_of(battle("A:a2 T1:b3", "A:a3"), "T1") == {"a3"}


def test_z11_the_warmaster_may_capture_a_king():
    assert aims_of(battle("KM:a2", "A:a3"), "KM") == {"a3"}


# Warmaster


def test_warmaster_goes_one_or_two_spaces_straight_ahead():
    assert ends_of(battle("KM:a2", "A:i2"), "KM") == spaces("a1 a3 a4 b2 c2 p2 o2")


def test_warmaster_in_the_focus_and_over_the_centre():
    expected = spaces("c5 e5 o5 m5 a6 e6 g6 i6 k6 m6 a4 a3 b4 b3")
    assert ends_of(battle("KM:a5", "A:i2"), "KM") == expected


def test_g19_the_warmaster_may_end_with_a_crossing_but_not_go_on_after_it():
    reached = ends_of(battle("KM:a6", "A:i2"), "KM")
    assert reached == spaces("c6 e6 o6 m6 g6 i6 k6 a5 a4 b4")
    assert "i5" not in reached


def test_g3_straight_lets_the_warmaster_go_on_after_the_crossing():
    reached = ends_of(battle("KM:a6", "A:i2", crossing="straight"), "KM")
    assert reached == spaces("c6 e6 o6 m6 g6 i6 k6 a5 a4 b4 i5")


def test_g6_the_warmaster_does_not_jump():
    position = battle("KM:a2 T1:a3 T2:b2", "A:i2")
    assert ends_of(position, "KM") == spaces("a1 p2 o2")


def test_warmaster_attacks_every_neighbour_and_no_further():
    around = "T1:a3 T2:b3 T3:b2 T4:p1 T5:a4 KM:c2 A:i2"
    assert aims_of(battle("A:m1 KM:a2", around), "KM") == spaces("a3 b3 b2 p1")


def test_g5_the_warmaster_never_enters_the_forest():
    assert "~" not in ends_of(battle("A:p2 KM:a1", "A:i2"), "KM")


# Guardmaster and guards

GUARD_MOVES = spaces("a1 a2 a4 b3 p3 b2 b4 p2 p4 ~")


@pytest.mark.parametrize("unit", ["JM", "JÞ", "JD"])
def test_guards_go_one_space_beside_or_diagonally_and_any_distance_radially(unit):
    others = "" if unit == "JM" else " JM:i4"
    assert ends_of(battle(f"A:m2 {unit}:a3{others}", "A:i2"), unit) == GUARD_MOVES


def test_g4_guards_stop_before_the_focus_but_attack_into_and_across_it():
    position = battle("A:m2 JM:a2", "A:i2 T1:i6 KM:g6")
    assert ends_of(position, "JM") & FOCUS == set()
    assert aims_of(position, "JM") == spaces("i6 g6")


def test_g4_option_guards_may_enter_and_cross_the_focus():
    position = battle("A:m2 JM:a3", "A:i2", guards_in_focus="yes")
    assert spaces("a5 a6 e6 g6 i6 k6 m6") <= ends_of(position, "JM")
    assert "i5" not in ends_of(position, "JM")


def test_g4_option_a_guard_in_the_focus_comes_out_along_either_radius():
    position = battle("A:m2 JM:a6", "A:i2", guards_in_focus="yes")
    assert spaces("a5 a4 a3 a2 a1 b4 b3 b2 b1 ~") <= ends_of(position, "JM")


def test_g6_a_guard_stops_before_anybody_and_attacks_the_first_enemy_only():
    position = battle("A:m2 JM:a1 T1:b1", "A:i2 T1:a3 T2:a4 T3:p1 T4:p2")
    assert ends_of(position, "JM") == spaces("a2 b2 ~")
    assert aims_of(position, "JM") == spaces("a3 p1 p2")


def test_g6_own_units_shield_from_a_guards_ray():
    assert aims_of(battle("A:m2 JM:a1 T1:a2", "A:i2 T1:a3"), "JM") == set()


def test_z9_a_guard_is_abandoned_while_its_master_is_in_the_forest_or_captured():
    for master in (" JM:~", ""):
        position = battle(f"A:m2 JÞ:a3{master}", "A:i2 T1:a5 T2:b4 T3:p3 T4:a1 KM:b2")
        assert ends_of(position, "JÞ") == spaces("a2 a4 b3")
        # Tangentially, diagonally, and up to two spaces radially.
        assert aims_of(position, "JÞ") == spaces("a5 a1 b4 b2 p3")


def test_z9_an_abandoned_guard_sees_two_spaces_and_not_through_anybody():
    assert aims_of(battle("A:m2 JÞ:a2", "A:i2 T1:a5"), "JÞ") == set()
    assert aims_of(battle("A:m2 JÞ:a2 T1:a3", "A:i2 T1:a4"), "JÞ") == set()


def test_z9_abandonment_flips_with_the_guardmaster_bug_magnet_d():
    position = battle("A:m2 JM:c1 JÞ:a2", "A:i2 KM:h2 T1:a6")
    assert aims_of(position, "JÞ") == {"a6"}
    position = play(position, "JM c1-~", "--")
    assert aims_of(position, "JÞ") == set()
    assert "storilljudhjorrayc.notice.abandoned" in {
        one.key for one in GAME.speech.notices(position)
    }
    # G18: full powers again as soon as the master is back.
    position = play(position, "JM ~-c1", "--")
    assert aims_of(position, "JÞ") == {"a6"}


def test_g18_the_guardmaster_itself_is_never_abandoned():
    assert ends_of(battle("A:m2 JM:a3", "A:i2"), "JM") == GUARD_MOVES


def test_g5_the_forest_is_the_last_step_of_a_guards_long_way():
    position = battle("A:m2 JM:a3", "A:i2")
    assert GAME.notation.text(play(position, "JM a3-~")) == "A:m2,JM:~ A:i2 p 0,0 0"
    assert "~" not in ends_of(battle("A:m2 JM:a3 T1:a2", "A:i2"), "JM")


def test_g5_a_diagonal_step_to_the_edge_does_not_lead_into_the_forest():
    assert "~" not in ends_of(battle("A:m2 JM:a2 T1:a1", "A:i2"), "JM")


def test_g19_an_abandoned_guard_may_step_into_the_forest_from_circuit_1_only():
    assert "~" in ends_of(battle("A:m2 JÞ:a1", "A:i2"), "JÞ")
    assert "~" not in ends_of(battle("A:m2 JÞ:a2", "A:i2"), "JÞ")


# Lords, swordsmen


def test_lords_go_and_attack_one_space_radially_or_tangentially():
    position = battle("A:m2 SÞ:a2", "A:i2 T1:a3 T2:b3")
    assert ends_of(position, "SÞ") == spaces("a1 b2 p2")
    assert aims_of(position, "SÞ") == {"a3"}


def test_g5_lords_and_swordsmen_may_enter_the_forest_and_lords_not_the_focus():
    assert ends_of(battle("A:m2 SD:a1", "A:i2"), "SD") == spaces("a2 b1 p1 ~")
    assert ends_of(battle("A:m2 T2:a1", "A:i2"), "T2") == spaces("a2 b1 p1 ~")
    assert ends_of(battle("A:m2 SD:a4", "A:i2"), "SD") == spaces("a3 b4 p4")


def test_swordsmen_go_and_attack_one_space_in_the_focus_too():
    position = battle("A:m2 T1:a6", "A:i2 T1:c5 T2:i6")
    assert ends_of(position, "T1") == spaces("a5 c6 o6 e6 g6 k6 m6")
    assert aims_of(position, "T1") == {"i6"}


# Archers


def test_archers_go_up_to_two_spaces_along_circuit_1_or_into_the_forest():
    assert ends_of(battle("A:m2 KÞ:a1", "A:i2"), "KÞ") == spaces("b1 c1 p1 o1 ~")
    assert ends_of(battle("A:m2 KÞ:a1 T1:b1", "A:i2"), "KÞ") == spaces("p1 o1 ~")


def test_g9_a_salvo_takes_all_units_of_three_spaces_own_ones_too_bug_magnet_e():
    position = battle("A:m2 KD:o1 T1:o3", "A:i2 KM:h2 T1:o2 T2:o4 T3:o5")
    after = play(position, "KD o1x")
    assert GAME.notation.text(after) == "A:m2,KD:o1 A:i2,KM:h2,T3:o5 p 0,0 0"


def test_g9_option_spares_the_own_unit():
    position = battle("A:m2 KD:o1 T1:o3", "A:i2 T1:o2 T2:o4", friendly_fire="no")
    assert GAME.notation.text(play(position, "KD o1x")) == "A:m2,KD:o1,T1:o3 A:i2 p 0,0 0"


@pytest.mark.parametrize("friendly", ["yes", "no"])
def test_g9_a_salvo_needs_an_enemy_among_its_targets(friendly):
    position = battle("A:m2 KD:o1 T1:o3", "A:i2 T3:o5 T4:n2", friendly_fire=friendly)
    assert acts(position, "KD o1x") == set()


def test_g9_an_archer_attacks_nothing_else():
    position = battle("A:m2 KD:o1", "A:i2 T1:p1 T2:p2 T3:o4")
    assert aims_of(position, "KD") == {""}


def test_g9_an_archer_in_the_forest_does_not_shoot():
    assert aims_of(battle("A:m2 KD:~", "A:i2 T1:o2"), "KD") == set()


# Flanks


def test_flanks_go_any_distance_along_circuit_1_or_into_the_forest():
    position = battle("A:m2 PÞ:a1", "A:i2")
    assert ends_of(position, "PÞ") == {*(f"{r}1" for r in "bcdefghijklmnop"), "~"}


def test_g6_a_flank_does_not_jump():
    assert ends_of(battle("A:m2 PÞ:a1 T1:d1", "A:i2 T1:o1"), "PÞ") == spaces("b1 c1 p1 ~")


def test_g19_a_flanks_way_round_is_one_move_and_never_ends_where_it_began():
    position = battle("A:m2 PÞ:a1", "A:i2")
    written = [GAME.notation.written(position, move) for move in position.legal_moves(0)]
    assert sum(act.startswith("PÞ") for act in written) == 16
    assert "PÞ a1-a1" not in written


def test_flanks_attack_diagonally_and_any_distance_radially_never_beside_bug_magnet_f():
    position = battle("A:m2 PÞ:a1", "A:i2 T1:b1 T2:b2 T3:p2 T4:g6")
    assert aims_of(position, "PÞ") == spaces("b2 p2 g6")
    assert aims_of(battle("A:m2 PÞ:a1", "A:i2 T1:a3 T4:a4"), "PÞ") == {"a3"}


@pytest.mark.parametrize("unit", ["KÞ", "PD"])
def test_z5_rear_units_never_leave_circuit_1_but_for_the_forest(unit):
    position = battle(f"A:m2 {unit}:c1", "A:i2")
    assert {space[1] for space in ends_of(position, unit) - {"~"}} == {"1"}
