"""The rulings of Parchís, B1-B14, the rolling option, and the places where programs go wrong."""

import pytest

from games.parchis import GAME
from tests.games.parchis_tools import at, due, fresh, moves, pieces, play

# -- B1 to B4 --------------------------------------------------------------------------


def test_b1_a_bonus_may_capture_again_for_another_twenty():
    position = at("A=6,0,0,0 R=60,0,0,0 A +20 0 - -")
    assert moves(position) == ["A1>30xR1"]
    assert GAME.notation.text(play(position, "A1")) == "A=26,0,0,0 R=0,0,0,0 A +20 0 A1 -"


def test_b1_a_bonus_may_enter_meta_for_ten_and_ten_again():
    position = at("A=52,62,10,0 R=0,0,0,0 A +20 0 - -")
    position = play(position, "A1>meta")
    assert due(position) == "A +10"
    assert due(play(position, "A2>meta")) == "A +10"


def test_b1_all_bonuses_come_before_the_roll_of_a_six():
    position = at("A=3,0,0,0 R=39,0,0,0 A d6 0 - -")
    position = play(position, "A1>13")
    assert due(position) == "A !"
    position = at("A=3,0,0,0 R=43,0,0,0 A d6 0 - -")
    position = play(position, "A1>13xR1")
    assert GAME.notation.text(position).endswith("A +20 1 A1 -")
    assert GAME.notation.text(play(position, "A1>33")).endswith("A ! 1 A1 -")


def test_b2_a_usable_bonus_is_compulsory():
    assert "--" not in moves(at("A=3,69,0,0 R=0,0,0,0 A +20 0 - -"))


def test_b2_an_unusable_bonus_is_lost():
    position = at("A=60,0,0,0 R=0,0,0,0 A +20 0 A1 -")
    assert moves(position) == ["--"]
    assert due(play(position, "--")) == "R !"


def test_b2_any_own_piece_on_the_board_takes_it_never_one_at_home():
    assert moves(at("A=3,30,0,72 R=0,0,0,0 A +20 0 A1 -")) == ["A1>27", "A2>54"]


def test_b2_a_bonus_has_no_duty_to_open_a_barrier():
    position = at("A=10,10,30,0 R=0,0,0,0 A +20 1 A1 -")
    assert moves(position) == ["A1>34", "A3>54"]


def test_b3_a_bonus_move_counts_as_moved():
    position = at("A=20,3,0,0 R=60,0,0,0 A d6 1 A2 -")
    position = play(position, "A1>30xR1", "A2>27", "tirar", "d6")
    assert moves(position) == ["A2>casa"]


def test_b3_the_second_six_is_looked_at_too():
    position = at("A=26,0,14,0 R=0,0,0,0 A d6 0 - -")
    position = play(position, "A1>36", "tirar", "d6", "A3>24", "tirar", "d6")
    assert moves(position) == ["A3>casa"]


def test_b3_an_exit_counts_as_moved():
    position = at("A=0,0,0,0 Z=52,52,0,0 A d5 0 - 5:Z1")
    assert GAME.notation.text(play(position, "A1>5")).split()[-2] == "A1"


def test_b3_it_goes_home_even_from_a_safe_square():
    assert moves(at("A=8,0,0,0 R=0,0,0,0 A d6 2 A1 -")) == ["A1>casa"]


def test_b3_where_nothing_was_moved_nobody_goes_home():
    position = at("A=0,0,0,0 R=1,0,0,0 A ! 0 - -")
    position = play(position, "tirar", "d6", "--", "tirar", "d6", "--", "tirar", "d6")
    assert moves(position) == ["--"]
    assert due(play(position, "--")) == "R !"


def test_b3_earlier_turns_do_not_count():
    position = play(at("A=2,0,0,0 R=0,0,0,0 A d1 0 - -"), "A1", "tirar", "d1", "--")
    assert GAME.notation.text(position) == "A=3,0,0,0 R=0,0,0,0 A ! 0 - -"


def test_b3_a_bounce_onto_its_own_square_counts_as_moved():
    position = at("A=69,0,0,0 R=0,0,0,0 A d6 0 - -")
    assert moves(position) == ["A1>p5"]
    assert GAME.notation.text(play(position, "A1")) == "A=69,0,0,0 R=0,0,0,0 A ! 1 A1 -"


@pytest.mark.parametrize(
    ("index", "die", "square"),
    [(71, "d3", "p6"), (70, "d4", "p6"), (66, "d6", "p7"), (69, "d4", "p7"), (71, "d5", "p4")],
)
def test_b4_the_bounce_goes_to_144_less_both(index, die, square):
    assert moves(at(f"A={index},72,72,72 R=0,0,0,0 A {die} 0 - -")) == [f"A1>{square}"]


def test_b4_a_seven_from_the_last_square_bounces_to_66():
    assert moves(at("A=71,72,72,72 R=0,0,0,0 A d6 0 - -")) == ["A1>p2"]


def test_b4_ten_and_twenty_never_leave_the_corridor_backwards():
    for index in range(1, 72):
        expected = index + 10 <= 72 or 144 - index - 10 >= 65
        assert (moves(at(f"A={index},0,0,0 R=0,0,0,0 A +10 0 - -")) != ["--"]) == expected
        assert (index <= 69) == expected
        expected = index + 20 <= 72 or 144 - index - 20 >= 65
        assert (moves(at(f"A={index},0,0,0 R=0,0,0,0 A +20 0 - -")) != ["--"]) == expected
        assert (index <= 59) == expected


def test_b4_a_barrier_on_the_way_forward_stops_the_bounce():
    assert moves(at("A=68,70,70,72 R=0,0,0,0 A d5 0 - -")) == ["A2>p5"]


def test_b4_a_barrier_on_the_way_back_stops_the_bounce():
    assert moves(at("A=71,69,69,72 R=0,0,0,0 A d5 0 - -")) == ["A2>p6"]


def test_b4_the_pair_that_a_piece_leaves_does_not_stop_its_own_way_back():
    assert moves(at("A=70,70,72,72 R=0,0,0,0 A d5 0 - -")) == ["A1>p5"]


def test_b4_the_landing_square_of_a_bounce_must_have_room():
    assert moves(at("A=71,70,70,0 R=0,0,0,0 A d3 0 - -")) == ["A2>p7"]


def test_b4_exact_forbids_to_overshoot():
    position = "A=70,0,0,0 R=0,0,0,0 A d3 0 - -"
    assert moves(at(position, overshoot="exact")) == ["--"]
    assert moves(at("A=70,0,0,0 R=0,0,0,0 A d2 0 - -", overshoot="exact")) == ["A1>meta"]


# -- B5 to B9 --------------------------------------------------------------------------


def test_b5_with_one_foreign_piece_on_the_salida_both_stay():
    position = at("A=0,0,0,0 Z=52,0,0,0 A d5 0 - -")
    assert moves(position) == ["A1>5"]
    assert GAME.notation.text(play(position, "A1>5")) == "A=1,0,0,0 Z=52,0,0,0 Z ! 0 - 5:A1"


def test_b5_always_captures_a_lone_foreign_piece_too():
    position = at("A=0,0,0,0 Z=52,0,0,0 A d5 0 - -", exit_captures="always")
    assert moves(position) == ["A1>5xZ1"]
    assert due(play(position, "A1>5")) == "A +20"


def test_b5_always_takes_one_of_two():
    base = "A=0,0,0,0 Z=52,0,0,0 R=35,0,0,0 A d5 0 - 5:R1"
    assert moves(at(base, exit_captures="always")) == ["A1>5xR1"]


def test_b5_own_and_foreign_the_foreign_goes():
    for newest in ("A1", "Z1"):
        position = at(f"A=1,0,0,0 Z=52,0,0,0 A d5 0 - 5:{newest}")
        assert moves(position) == ["A2>5xZ1"]


def test_b5_even_a_foreign_barrier_on_the_salida_gives_way():
    position = at("A=0,0,0,0 Z=52,52,0,0 A d5 0 - 5:Z1")
    assert moves(position) == ["A1>5xZ1"]
    assert pieces(play(position, "A1>5"), "Z") == "0,52,0,0"


def test_b6_the_first_five_brings_two_out():
    position = at("A=0,0,0,0 R=0,0,0,0 A d5 0 - -", first_five="two")
    assert moves(position) == ["A1,A2>5"]
    assert GAME.notation.text(play(position, "A1,A2>5")) == "A=1,1,0,0* R=0,0,0,0 R ! 0 - 5:A2"


def test_b6_only_the_players_own_first_five():
    position = at("A=1,10,0,0* R=0,0,0,0 R d5 0 - -", first_five="two")
    assert moves(position) == ["R1,R2>39"]
    position = at("A=20,10,0,0* R=0,0,0,0 A d5 0 - -", first_five="two")
    assert moves(position) == ["A3>5"]


def test_b6_whoever_must_go_goes_for_one_single_twenty():
    position = at("A=0,0,0,0 Z=52,0,0,0 R=35,0,0,0 A d5 0 - 5:R1", first_five="two")
    assert moves(position) == ["A1,A2>5xZ1,R1"]
    position = play(position, "A1,A2>5")
    assert GAME.notation.text(position) == "A=1,1,0,0* Z=0,0,0,0 R=0,0,0,0 A +20 0 A2 5:A2"
    assert due(play(position, "A1>25")) == "Z !"


def test_b6_one_comes_out_if_only_one_is_home_or_an_own_piece_stands_there():
    lone = at("A=72,72,72,0 R=0,0,0,0 A d5 0 - -", first_five="two")
    assert moves(lone) == ["A4>5"]
    beside = at("A=72,72,72,0 Z=52,0,0,0 R=0,0,0,0 A d5 0 - -", first_five="two")
    assert moves(beside) == ["A4>5"]
    occupied = at("A=1,0,0,0 R=0,0,0,0 A d5 0 - -", first_five="two")
    assert moves(occupied) == ["A2>5"]


def test_b6_another_die_does_not_spend_the_first_five():
    position = at("A=10,0,0,0 R=0,0,0,0 A d1 0 - -", first_five="two")
    position = play(position, "A1", "tirar", "d1", "--", "tirar", "d5")
    assert moves(position) == ["A2,A3>5"]


def test_b6_a_first_five_that_moves_nobody_is_spent():
    # A red pair on 8 bars the way of the pair on the salida.
    position = at("A=1,1,0,0 R=38,38,0,0 A d5 0 - -", first_five="two")
    assert moves(position) == ["--"]
    assert pieces(play(position, "--"), "A") == "1,1,0,0*"


def test_b7_of_several_barriers_any_may_be_opened():
    assert moves(at("A=10,10,30,30 R=0,0,0,0 A d6 0 - -")) == ["A1>21", "A3>41"]


def test_b7_only_a_barrier_that_can_move_is_the_duty():
    # Red bars 19 (index 49): the pair on 14 cannot open, the one on 34 can.
    assert moves(at("A=10,10,30,30 R=49,49,0,0 A d6 0 - -")) == ["A3>41"]


def test_b7_a_bounce_onto_the_same_square_does_not_open():
    position = at("A=69,69,10,0 R=0,0,0,0 A d6 0 - -")
    assert moves(position) == ["A1>p5", "A3>20"]


def test_b7_a_pair_in_the_corridor_has_the_duty_too():
    assert moves(at("A=66,66,10,0 R=0,0,0,0 A d6 0 - -")) == ["A1>meta"]


def test_b7_opening_and_forming_another_is_allowed():
    assert moves(at("A=10,10,16,0 R=0,0,0,0 A d6 0 - -")) == ["A1>20"]


def test_b8_pieces_in_meta_are_not_at_home():
    assert moves(at("A=72,72,72,10 R=0,0,0,0 A d6 0 - -")) == ["A4>21"]


def test_b8_the_count_is_made_at_each_roll():
    six = play(at("A=2,0,72,72 R=0,0,0,0 A d6 0 - -"), "A1>12", "tirar", "d6")
    assert moves(six) == ["A1>18"]
    seven = play(at("A=2,10,72,72 R=0,0,0,0 A d6 0 - -"), "A1>13", "tirar", "d6")
    assert moves(seven) == ["A1>20", "A2>21"]


def test_b9_a_pair_in_the_corridor_bars_its_owner():
    assert moves(at("A=66,68,68,0 R=0,0,0,0 A d3 0 - -")) == ["A2>p7"]


def test_b9_a_pair_in_meta_bars_nobody():
    assert moves(at("A=71,72,72,0 R=0,0,0,0 A d3 0 - -")) == ["A1>p6"]


# -- B10 to B13 ------------------------------------------------------------------------


def test_b10_the_fourth_piece_earns_no_ten_and_no_roll():
    position = at("A=72,72,72,65 Z=1,0,0,0 A d6 0 - -")
    assert moves(position) == ["A4>meta"]
    assert GAME.notation.text(play(position, "A4")) == "A=72,72,72,72#1 Z=1,0,0,0 - - 0 - -"
    three = at("A=72,72,72,65 Z=1,0,0,0 R=1,0,0,0 A d6 0 - -")
    assert due(play(three, "A4")) == "Z !"


def test_b10_a_ten_without_a_usable_piece_is_lost():
    position = at("A=72,72,71,71 R=1,0,0,0 A d1 0 - -")
    position = play(position, "A3>meta")
    assert moves(position) == ["--"]
    assert due(play(position, "--")) == "R !"


def test_b11_a_six_that_moves_nothing_still_repeats():
    position = play(at("A=0,0,0,0 R=1,0,0,0 A d6 0 - -"), "--")
    assert GAME.notation.text(position) == "A=0,0,0,0 R=1,0,0,0 A ! 1 - -"


def test_b12_two_sit_opposite_three_and_four_in_turn_order():
    assert GAME.sides_for(2) == ("yellow", "red")
    assert GAME.sides_for(3) == ("yellow", "blue", "red")
    assert GAME.sides_for(4) == ("yellow", "blue", "red", "green")


def test_b12_any_three_colours_may_play():
    position = fresh("yellow", "red", "green")
    assert GAME.notation.text(position) == "A=0,0,0,0 R=0,0,0,0 V=0,0,0,0 A o 0 - A:?,R:?,V:?"


def test_b12_the_salidas_of_unused_colours_stay_safe():
    assert moves(at("A=17,0,0,0 R=52,0,0,0 A d1 0 - -")) == ["A1>22"]


def test_b13_with_first_the_others_share_the_last_place():
    position = at("A=72,72,72,71 Z=1,0,0,0 R=1,0,0,0 A d1 0 - -", ending="first")
    position = play(position, "A4>meta")
    assert GAME.notation.text(position) == "A=72,72,72,72#1 Z=1,0,0,0 R=1,0,0,0 - - 0 - -"
    assert position.outcome().places == ({0}, {1, 2})
    assert position.outcome().reason == "first"


def test_a_finished_game_keeps_nothing_of_its_last_turn():
    position = at("A=72,72,72,71 Z=1,52,0,0 R=1,35,0,0 A d1 0 - 5:Z2", ending="first")
    over = play(position, "A4>meta")
    assert GAME.notation.text(over).endswith(" - - 0 - -")
    assert at(GAME.notation.text(over), ending="first") == over


def test_rolling_auto_rolls_by_itself():
    position = play(fresh(rolling="auto"), "d2", "d1")
    assert due(position) == "A ?"
    assert due(play(position, "d3", "--")) == "R ?"
    assert due(at("A=0,0,0,0 R=0,0,0,0 A ! 0 - -", rolling="auto")) == "A ?"


# -- bug magnets -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A=64,0,0,0 Z=0,0,0,0 A d1 0 - -", "A1>p1"),
        ("A=0,0,0,0 Z=47,0,0,0 Z d1 0 - -", "Z1>1"),
        ("A=0,0,0,0 Z=64,0,0,0 Z d1 0 - -", "Z1>p1"),
        ("A=13,0,0,0 Z=0,0,0,0 A d1 0 - -", "A1>18"),
    ],
)
def test_magnet_a_each_colour_turns_into_its_own_corridor(text, expected):
    assert moves(at(text)) == [expected]


@pytest.mark.parametrize(("eyes", "expected"), [(3, "--"), (4, "--"), (2, "A1>29")])
def test_magnet_b_a_barrier_on_30_from_27(eyes, expected):
    assert moves(at(f"A=23,0,0,0 Z=9,9,0,0 A d{eyes} 0 - -")) == [expected]


def test_magnet_c_a_mixed_pair_on_29_may_be_passed_not_joined():
    mixed = "A=23,0,0,0 Z=8,0,0,0 R=59,0,0,0 A d{} 0 - -"
    assert moves(at(mixed.format(2))) == ["--"]
    assert moves(at(mixed.format(4))) == ["A1>31"]


def test_magnet_d_the_five_and_the_salida():
    forced = at("A=1,0,0,0 Z=52,0,0,0 A d5 0 - 5:Z1")
    assert moves(forced) == ["A2>5xZ1"]
    assert due(play(forced, "A2")) == "A +20"
    assert moves(at("A=1,1,0,0 Z=0,0,0,0 A d5 0 - 5:A2")) == ["A1>10"]


def test_magnet_e_barriers_that_cannot_be_opened():
    assert moves(at("A=10,10,30,0 R=49,49,0,0 A d6 0 - -")) == ["A3>40"]
    assert moves(at("A=10,10,30,30 R=49,49,0,0 A d6 0 - -")) == ["A3>41"]


def test_magnet_f_a_seven_captures_seven_away():
    position = at("A=12,72,72,72 R=52,53,0,0 A d6 0 - -")
    # 16 + 7 = 23, where R2 stands; R1 on 22 stays.
    assert moves(position) == ["A1>23xR2"]


def test_magnet_g_a_chain_within_a_six():
    position = at("A=3,0,0,0 R=43,63,0,0 V=53,53,0,0 A d6 0 - -")
    position = play(position, "A1>13xR1")
    assert moves(position) == ["A1>33xR2"]
    position = play(position, "A1>33xR2")
    # The green barrier on 40 bars the second twenty.
    assert moves(position) == ["--"]
    assert GAME.notation.text(play(position, "--")).endswith("A ! 1 A1 -")


def test_magnet_h_a_third_six_with_the_last_piece_in_its_corridor():
    position = at("A=60,72,72,10 R=0,0,0,0 A d6 1 A4 -")
    position = play(position, "A1>p3", "tirar", "d6")
    assert moves(position) == ["--"]
    assert due(play(position, "--")) == "R !"


def test_magnet_i_the_bounce_is_legal_and_forced():
    position = at("A=71,0,0,0 R=0,0,0,0 A d3 0 - -")
    assert GAME.notation.written(position, position.forced(0)) == "A1>p6"
    assert moves(at("A=71,0,0,0 R=0,0,0,0 A +10 0 - -")) == ["--"]


def test_magnet_j_a_ten_may_capture_for_a_twenty():
    position = at("A=72,16,0,0 R=60,0,0,0 A +10 0 A1 -")
    assert due(play(position, "A2>30xR1")) == "A +20"


def test_magnet_k_a_winner_with_a_six_does_not_roll_again():
    position = at("A=72,72,72,65 Z=1,0,0,0 R=1,0,0,0 A d6 0 - -")
    assert due(play(position, "A4>meta")) == "Z !"
