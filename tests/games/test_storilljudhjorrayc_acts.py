"""Storilljuðjorrayc, rule by rule: forest, ambush, switches, both lords (Z10-Z13, G5-G10, G19)."""

from __future__ import annotations

from games.storilljudhjorrayc import GAME
from games.storilljudhjorrayc.units import UNITS
from tests.games.storill_helpers import acts, aims_of, battle, ends_of, play, spaces


def start():
    return GAME.start(GAME.setting({"setup": "fixed"}))


# The forest


def test_g5_units_leave_the_forest_to_any_empty_outer_space_and_stop_there():
    position = battle("A:m2 JÞ:~ JM:m3 T1:a1", "A:i2 T1:b1")
    outer = {f"{radius}1" for radius in "abcdefghijklmnop"}
    assert ends_of(position, "JÞ") == outer - {"a1", "b1"}


def test_g5_who_is_in_the_forest_cannot_attack_nor_be_attacked():
    position = battle("A:m2 JM:~ T1:~ PÞ:~ T2:a1", "A:i2 T1:a2 T2:~ W:~")
    for unit in ("JM", "T1", "PÞ"):
        assert aims_of(position, unit) == set()
    assert not any("x~" in act for act in acts(position))


def test_g5_the_forest_has_room_for_everybody():
    position = battle("A:m2 T1:~ T2:~ T3:~ T4:~ T5:a1", "A:i2")
    assert "~" in ends_of(position, "T5")


def test_g5_option_only_rear_units_and_the_guardmaster_enter_the_forest():
    position = battle("A:m2 SÞ:a1 JM:c1 JÞ:e1 KÞ:g1 PÞ:k1 T1:o1", "A:i2", forest="rear")
    entering = {unit for unit in UNITS if "~" in ends_of(position, unit)}
    assert entering == {"JM", "KÞ", "PÞ"}


# The ambush


def test_z12_the_ambush_only_goes_in_and_out_of_the_forest():
    assert ends_of(battle("A:m2 W:a1", "A:i2"), "W") == {"~"}
    assert ends_of(battle("A:m2 W:~ T1:b1", "A:i2"), "W") == {
        f"{radius}1" for radius in "acdefghijklmnop"
    }


def test_g10_it_attacks_by_moving_out_onto_an_enemy_on_circuit_1():
    position = battle("A:m2 W:~", "A:i1 T1:k2 T2:c1")
    assert aims_of(position, "W") == spaces("i1 c1")
    assert GAME.notation.text(play(position, "W ~xc1")) == "A:m2,W:c1 A:i1,T1:k2 p 1,0 0"


def test_g10_on_the_board_it_attacks_nobody():
    assert aims_of(battle("A:m2 W:a1", "A:i2 T1:b1 T2:a2 T3:b2"), "W") == set()


def test_g10_moving_out_to_an_empty_space_is_no_use():
    position = play(battle("A:m2 W:~", "A:i2 KM:h2"), "W ~-a1", "--", "W a1-~", "--")
    assert position.stage.ambushes == (0, 0)
    assert GAME.notation.text(position) == "A:m2,W:~ A:i2,KM:h2 g 0,0 1"


def test_z12_after_its_third_capture_the_ambush_leaves_bug_magnet_g():
    position = battle("A:m2 W:~", "A:i2 KM:h2 T1:a1 T2:c1 T3:e1 T4:g1")
    position = play(position, "W ~xa1", "--", "W a1-~", "--", "W ~xc1", "--", "W c1-~", "--")
    assert position.stage.ambushes == (2, 0)
    position = play(position, "W ~xe1")
    assert GAME.notation.text(position) == "A:m2 A:i2,KM:h2,T4:g1 p 3,0 0"
    assert acts(play(position, "--"), "W") == set()


def test_z12_the_ambush_may_be_captured_and_keeps_its_count():
    position = play(battle("A:m2 W:a1", "A:i2 T1:b1", turn="p", counts="2,0"), "T1 b1xa1")
    assert GAME.notation.text(position) == "A:m2 A:i2,T1:b1 g 2,0 0"


def test_g12_from_the_default_set_up_only_the_ambush_could_strike_at_once():
    attacking = {act for act in acts(start()) if "x" in act}
    assert attacking == {f"W ~x{radius}1" for radius in "fgjk"}


# Switches


def test_z10_a_noble_and_a_guard_beside_it_change_places_written_noble_first():
    position = battle("A:a2 JM:b2 JÞ:a3 JD:b3 SÞ:c2", "A:i2")
    switching = {act for act in acts(position) if "<>" in act}
    assert switching == {"A a2<>b2", "A a2<>a3", "SÞ c2<>b2"}
    after = play(position, "A a2<>b2")
    assert GAME.notation.text(after) == "A:b2,JM:a2,SÞ:c2,JÞ:a3,JD:b3 A:i2 p 0,0 0"


def test_g7_no_switch_on_a_diagonal_with_enemies_or_in_the_forest():
    assert not any("<>" in act for act in acts(battle("A:a2 JM:b3", "A:i2 JÞ:a3")))
    assert not any("<>" in act for act in acts(battle("A:a2 SÞ:a1 JM:~", "A:i2")))


def test_g7_both_must_be_allowed_where_the_other_stands():
    position = battle("A:a4 JM:a5", "A:i2", guards_in_focus="yes")
    assert not any("<>" in act for act in acts(position))


def test_g5_the_king_does_not_enter_the_forest_by_a_switch_either_bug_magnet_h():
    position = battle("A:a1 JM:~ JÞ:b1", "A:i2")
    assert {act for act in acts(position, "A ") if "<>" in act} == {"A a1<>b1"}
    assert "~" not in ends_of(position, "A")


def test_g19_an_abandoned_guard_may_switch():
    assert "SD a2<>b2" in acts(battle("A:m2 SD:a2 JÞ:b2", "A:i2"))


def test_z10_other_classes_do_not_switch():
    position = battle("A:a2 KM:b2 T1:a3 KÞ:a1", "A:i2")
    assert not any("<>" in act for act in acts(position))


# Both lords


def lords(position) -> set[str]:
    return {act for act in acts(position) if "&" in act}


def test_z13_both_lords_may_move_in_one_turn_bug_magnet_i():
    position = battle("A:m2 SÞ:b2 SD:o2", "A:i2")
    assert "SÞ b2-b3 & SD o2-o3" in lords(position)
    after = play(position, "SÞ b2-b3 & SD o2-o3")
    assert GAME.notation.text(after) == "A:m2,SÞ:b3,SD:o3 A:i2 p 0,0 0"
    assert len(lords(position)) == 4 * 4


def test_g8_one_lord_may_follow_into_the_space_the_other_leaves():
    position = battle("A:m2 SÞ:a2 SD:b2", "A:i2")
    after = play(position, "SÞ a2-b2 & SD b2-c2")
    assert GAME.notation.text(after) == "A:m2,SÞ:b2,SD:c2 A:i2 p 0,0 0"


def test_g8_lords_neither_exchange_places_nor_meet_on_one_space():
    position = battle("A:m2 SÞ:a2 SD:b2", "A:i2")
    assert "SÞ a2-b2 & SD b2-a2" not in lords(position)
    assert not any(
        a.split(" & ")[0][-2:] == a[-2:] for a in lords(battle("A:m2 SÞ:a2 SD:c2", "A:i2"))
    )


def test_g8_a_single_lord_may_not_enter_the_others_space():
    assert "SÞ a2-b2" not in acts(battle("A:m2 SÞ:a2 SD:b2", "A:i2"))


def test_g8_lords_never_capture_as_they_move():
    position = battle("A:m2 SÞ:a2 SD:o2", "A:i2 T1:a3")
    assert not any("a2-a3" in act for act in lords(position))


def test_g19_both_lords_may_enter_the_forest_together_and_leave_it_together():
    position = battle("A:m2 SÞ:a1 SD:o1", "A:i2")
    after = play(position, "SÞ a1-~ & SD o1-~", "--")
    assert GAME.notation.text(after) == "A:m2,SÞ:~,SD:~ A:i2 g 0,0 1"
    assert GAME.notation.text(play(after, "SÞ ~-c1 & SD ~-d1")) == "A:m2,SÞ:c1,SD:d1 A:i2 p 0,0 0"
    assert not any("c1 & SD ~-c1" in act for act in lords(after))


def test_g19_no_exchange_with_the_forest_either():
    position = battle("A:m2 SÞ:a1 SD:~", "A:i2")
    assert "SÞ a1-~ & SD ~-b1" in lords(position)
    assert "SÞ a1-~ & SD ~-a1" not in lords(position)


def test_g19_neither_half_may_be_a_switch_or_an_attack():
    position = battle("A:m2 SÞ:a2 SD:o2 JM:a3", "A:i2 T1:o3")
    assert all("<>" not in act and "x" not in act for act in lords(position))


def test_g8_one_lord_alone_has_no_such_act():
    assert lords(battle("A:m2 SÞ:a2", "A:i2")) == set()
