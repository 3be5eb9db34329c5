"""The rules of Parchís in the order of the rule book, P1-P16."""

import random
from dataclasses import fields, replace

import pytest

from games.core import CHANCE, BadOption, Setting
from games.parchis import GAME
from tests.games.parchis_tools import at, due, fresh, moves, pieces, play


def test_what_was_looked_up_at_one_moment_is_not_kept_for_the_next():
    moment = at("A=3,0,0,0 R=1,0,0,0 A d2 0 - -")
    assert moment.crowd
    following = moment.after(moment.legal_moves(0)[0])
    assert vars(following).keys() - {"crowd"} == {one.name for one in fields(moment)}
    assert following.crowd != moment.crowd
    lot = random.Random(1)
    for _ in range(300):
        (seat,) = following.actors()
        following = following.after(lot.choice(following.legal_moves(seat)))
        assert following.crowd == replace(following).crowd


# -- P1 to P5 --------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_p1_two_to_four_play_with_four_pieces_at_home(seats):
    position = GAME.start(GAME.setting(seats=seats))
    assert position.pieces == ((0, 0, 0, 0),) * seats


@pytest.mark.parametrize(
    "sides", [("yellow",), ("yellow", "pink"), ("red", "yellow"), ("yellow", "yellow"), ()]
)
def test_p1_other_sides_are_refused(sides):
    with pytest.raises(BadOption):
        GAME.start(Setting(sides, GAME.chosen({})))


def test_p2_the_highest_roll_begins():
    position = play(fresh("yellow", "blue", "red"), "d2", "d5", "d4")
    assert due(position) == "Z !"
    assert GAME.notation.text(position).endswith("Z ! 0 - -")


def test_p2_who_ties_for_the_highest_rolls_again_and_the_others_do_not():
    position = play(fresh("yellow", "blue", "red", "green"), "d6", "d2", "d6", "d6")
    assert GAME.notation.text(position).endswith(" A o 0 - A:?,R:?,V:?")
    position = play(position, "d3", "d5", "d5")
    assert GAME.notation.text(position).endswith(" R o 0 - R:?,V:?")
    assert due(play(position, "d1", "d2")) == "V !"


def test_p2_a_lower_tie_does_not_matter():
    assert due(play(fresh("yellow", "blue", "red"), "d2", "d2", "d3")) == "R !"


def test_p2_the_rolls_for_the_start_are_draws_of_six():
    assert fresh().actors() == {CHANCE}
    assert moves(fresh()) == ["d1", "d2", "d3", "d4", "d5", "d6"]


def test_p3_one_roll_a_turn_then_the_next_to_the_right():
    position = at("A=2,0,0,0 Z=2,0,0,0 R=2,0,0,0 V=2,0,0,0 A ! 0 - -")
    for letter in "AZRVA":
        assert due(position) == f"{letter} !"
        position = play(position, "tirar", "d3", f"{letter}1")


def test_p3_after_a_six_the_same_player_rolls_again():
    position = play(at("A=2,0,0,0 R=2,0,0,0 A ! 0 - -"), "tirar", "d6", "A1>12")
    assert GAME.notation.text(position) == "A=8,0,0,0 R=2,0,0,0 A ! 1 A1 -"


def test_p3_a_player_who_has_finished_is_skipped():
    position = at("A=2,0,0,0 Z=72,72,72,72#1 R=2,0,0,0 A d3 0 - -")
    assert due(play(position, "A1")) == "R !"


def test_p4_only_who_can_do_nothing_does_nothing():
    assert moves(at("A=0,0,0,0 R=0,0,0,0 A d3 0 - -")) == ["--"]
    assert moves(at("A=1,0,0,0 R=0,0,0,0 A d3 0 - -")) == ["A1>8"]


def test_p4_the_only_move_and_the_pass_play_themselves_but_the_roll_does_not():
    only = at("A=1,0,0,0 R=0,0,0,0 A d3 0 - -")
    assert GAME.notation.written(only, only.forced(0)) == "A1>8"
    nothing = at("A=0,0,0,0 R=0,0,0,0 A d3 0 - -")
    assert GAME.notation.written(nothing, nothing.forced(0)) == "--"
    assert at("A=0,0,0,0 R=0,0,0,0 A ! 0 - -").forced(0) is None
    assert at("A=1,3,0,0 R=0,0,0,0 A d3 0 - -").forced(0) is None
    assert only.forced(1) is None


def test_p5_pieces_in_meta_do_not_move():
    assert moves(at("A=72,72,72,10 R=0,0,0,0 A d2 0 - -")) == ["A4>16"]


def test_p5_pieces_at_home_move_only_by_a_five():
    for eyes in (1, 2, 3, 4, 6):
        assert moves(at(f"A=0,0,0,0 R=0,0,0,0 A d{eyes} 0 - -")) == ["--"]
    assert moves(at("A=0,0,0,0 R=0,0,0,0 A d5 0 - -")) == ["A1>5"]


# -- P6 to P9 --------------------------------------------------------------------------


def test_p6_no_third_piece_on_a_square():
    # Blue pair on 29: full.
    assert moves(at("A=24,0,0,0 Z=8,8,0,0 A d1 0 - -")) == ["--"]


def test_p6_meta_holds_more():
    assert moves(at("A=72,72,71,3 R=0,0,0,0 A d1 0 - -")) == ["A3>meta", "A4>8"]


def test_p7_a_five_must_bring_a_piece_out():
    assert moves(at("A=10,20,0,0 R=0,0,0,0 A d5 0 - -")) == ["A3>5"]


def test_p7_with_two_own_on_the_salida_another_moves_five():
    assert moves(at("A=1,1,20,0 R=0,0,0,0 A d5 0 - 5:A2")) == ["A1>10", "A3>29"]


def test_p7_with_nobody_at_home_a_piece_moves_five():
    assert moves(at("A=1,72,20,30 R=0,0,0,0 A d5 0 - -")) == ["A1>10", "A3>29", "A4>39"]


@pytest.mark.parametrize("eyes", [1, 2, 3, 4])
def test_p8_one_to_four_move_one_piece(eyes):
    position = at(f"A=3,20,0,0 R=0,0,0,0 A d{eyes} 0 - -")
    assert moves(position) == [f"A1>{7 + eyes}", f"A2>{24 + eyes}"]


def test_p9_a_six_moves_six_with_somebody_at_home():
    assert moves(at("A=3,20,0,0 R=0,0,0,0 A d6 0 - -")) == ["A1>13", "A2>30"]


def test_p9_a_six_moves_seven_with_nobody_at_home():
    assert moves(at("A=3,20,72,72 R=0,0,0,0 A d6 0 - -")) == ["A1>14", "A2>31"]


def test_p9_the_third_six_sends_the_piece_moved_last_home():
    position = at("A=0,1,14,72 R=0,0,0,8 A d6 2 A3 -")
    assert moves(position) == ["A3>casa"]
    assert GAME.notation.text(play(position, "A3>casa")) == "A=0,1,0,72 R=0,0,0,8 R ! 0 - -"


def test_p9_three_sixes_played():
    position = at("A=2,0,0,0 R=0,0,0,0 A ! 0 - -")
    position = play(position, "tirar", "d6", "A1", "tirar", "d6", "A1", "tirar", "d6")
    assert moves(position) == ["A1>casa"]


def test_p9_the_last_square_of_the_circuit_is_before_the_corridor():
    assert moves(at("A=64,1,14,0 R=0,0,0,8 A d6 2 A1 -")) == ["A1>casa"]


@pytest.mark.parametrize("index", [65, 70, 72])
def test_p9_from_the_corridor_on_nobody_goes_home(index):
    position = at(f"A={index},1,14,0 R=0,0,0,8 A d6 2 A1 -")
    assert moves(position) == ["--"]
    assert GAME.notation.text(play(position, "--")) == f"A={index},1,14,0 R=0,0,0,8 R ! 0 - -"


# -- P10 to P13 ------------------------------------------------------------------------


def test_p10_nobody_passes_a_barrier():
    # Blue pair on 30 (index 9).
    assert moves(at("A=23,0,0,0 Z=9,9,0,0 A d4 0 - -")) == ["--"]


def test_p10_not_even_the_owner():
    assert moves(at("A=10,12,12,0 R=0,0,0,0 A d3 0 - -")) == ["A2>19"]


def test_p10_two_colours_on_a_safe_square_may_be_passed_but_are_full():
    mixed = "A=23,0,0,0 Z=8,0,0,0 R=59,0,0,0 A {} 0 - -"
    assert moves(at(mixed.format("d3"))) == ["A1>30"]
    assert moves(at(mixed.format("d2"))) == ["--"]


def test_p11_with_a_six_a_barrier_must_be_opened():
    assert moves(at("A=10,10,30,0 R=0,0,0,0 A d6 0 - -")) == ["A1>20"]


def test_p11_other_dice_leave_the_barrier_alone():
    assert moves(at("A=10,10,30,0 R=0,0,0,0 A d4 0 - -")) == ["A1>18", "A3>38"]


def test_p11_a_barrier_that_cannot_open_frees_the_other_moves():
    # Red bars 19 (index 49), in the way of the pair on 14.
    assert moves(at("A=10,10,30,0 R=49,49,0,0 A d6 0 - -")) == ["A3>40"]


def test_p12_a_foreign_piece_on_a_white_square_goes_home_and_counts_twenty():
    position = at("A=27,0,0,0 R=63,0,0,0 A d2 0 - -")
    assert moves(position) == ["A1>33xR1"]
    assert GAME.notation.text(play(position, "A1>33xR1")) == "A=29,0,0,0 R=0,0,0,0 A +20 0 A1 -"


@pytest.mark.parametrize("square", [5, 12, 17, 22, 29, 34, 39, 46, 51, 56, 63, 68])
def test_p12_on_salidas_and_seguros_nobody_is_captured(square):
    indices = {salida: (square - salida) % 68 + 1 for salida in (5, 22, 39, 56)}
    mover = next(seat for seat, index in enumerate(indices.values()) if 2 <= index <= 64)
    words = [f"{index if index <= 64 else 0},0,0,0" for index in indices.values()]
    words[mover] = f"{list(indices.values())[mover] - 1},0,0,0"
    other = next(seat for seat in range(4) if seat != mover and not words[seat].startswith("0"))
    words = [word if seat in (mover, other) else "0,0,0,0" for seat, word in enumerate(words)]
    colours = " ".join(f"{letter}={word}" for letter, word in zip("AZRV", words, strict=True))
    assert moves(at(f"{colours} {'AZRV'[mover]} d1 0 - -")) == [f"{'AZRV'[mover]}1>{square}"]


def test_p12_own_pieces_are_never_captured():
    assert moves(at("A=10,12,0,0 R=0,0,0,0 A d2 0 - -")) == ["A1>16", "A2>18"]
    after = play(at("A=10,12,0,0 R=0,0,0,0 A d2 0 - -"), "A1")
    assert pieces(after, "A") == "12,12,0,0"


def test_p13_of_two_foreign_pieces_on_the_salida_the_last_arrived_is_captured():
    base = "A=0,0,0,0 Z=52,0,0,0 R=35,0,0,0 A d5 0 - 5:{}"
    assert moves(at(base.format("Z1"))) == ["A1>5xZ1"]
    assert moves(at(base.format("R1"))) == ["A1>5xR1"]
    after = play(at(base.format("R1")), "A1>5xR1")
    assert GAME.notation.text(after) == "A=1,0,0,0 Z=52,0,0,0 R=0,0,0,0 A +20 0 A1 5:A1"


def test_p13_who_arrived_last_is_remembered_from_the_moves():
    position = at("A=0,0,0,0 Z=50,0,0,0 R=34,0,0,0 Z d2 0 - -")
    position = play(position, "Z1", "tirar", "d1", "R1", "tirar", "d5")
    assert moves(position) == ["A1>5xR1"]


# -- P14 to P16 ------------------------------------------------------------------------


def test_p14_meta_needs_the_exact_count_and_earns_ten():
    position = at("A=68,10,0,0 R=0,0,0,0 A d4 0 - -")
    assert moves(position) == ["A1>meta", "A2>18"]
    assert GAME.notation.text(play(position, "A1")) == "A=72,10,0,0 R=0,0,0,0 A +10 0 A1 -"


def test_p14_ten_and_twenty_enter_meta_too():
    assert moves(at("A=52,0,0,0 R=0,0,0,0 A +20 0 - -")) == ["A1>meta"]
    assert moves(at("A=62,0,0,0 R=0,0,0,0 A +10 0 - -")) == ["A1>meta"]


def test_p14_who_overshoots_goes_back_the_excess():
    assert moves(at("A=70,0,0,0 R=0,0,0,0 A d3 0 - -")) == ["A1>p7"]


def test_p15_the_first_with_four_pieces_in_wins_and_the_others_play_on():
    position = at("A=72,72,72,71 Z=1,0,0,0 R=1,0,0,0 A d1 0 - -")
    position = play(position, "A4>meta")
    assert GAME.notation.text(position) == "A=72,72,72,72#1 Z=1,0,0,0 R=1,0,0,0 Z ! 0 - -"
    assert position.outcome() is None


def test_p15_the_game_goes_on_until_one_remains():
    position = at("A=72,72,72,72#1 Z=72,72,72,71 R=1,0,0,0 Z d1 0 - -")
    position = play(position, "Z4>meta")
    assert GAME.notation.text(position) == "A=72,72,72,72#1 Z=72,72,72,72#2 R=1,0,0,0 - - 0 - -"
    assert position.outcome().places == ({0}, {1}, {2})
    assert position.outcome().reason == "all"
    assert position.actors() == frozenset()


def test_p16_mixed_barriers_stop_everyone_on_a_seguro():
    mixed = "A=23,0,0,0 Z=8,0,0,0 R=59,0,0,0 A d3 0 - -"
    assert moves(at(mixed, mixed_barriers="yes")) == ["--"]


def test_p16_mixed_barriers_are_not_for_salidas():
    # A blue and a red piece on the blue salida, 22.
    salida = "A=16,0,0,0 Z=1,0,0,0 R=52,0,0,0 A d3 0 - 22:Z1"
    assert moves(at(salida, mixed_barriers="yes")) == ["A1>23"]


def test_p16_a_mixed_barrier_need_not_be_opened_with_a_six():
    position = "A=25,1,0,0 Z=8,0,0,0 R=0,0,0,0 A d6 0 - -"
    assert moves(at(position, mixed_barriers="yes")) == ["A1>35", "A2>11"]


def test_p16_barriers_only_safe_allows_no_pair_on_a_white_square():
    position = "A=10,12,0,0 R=0,0,0,0 A d2 0 - -"
    assert moves(at(position, barriers_only_safe="yes")) == ["A2>18"]


def test_p16_barriers_only_safe_lets_pairs_on_a_seguro_bar():
    # A blue pair on the seguro 29.
    position = "A=23,0,0,0 Z=8,8,0,0 A d3 0 - -"
    assert moves(at(position, barriers_only_safe="yes")) == ["--"]


def test_p16_barriers_only_safe_pairs_on_salidas_and_in_corridors_bar_nobody():
    salida = "A=16,0,0,0 Z=1,1,0,0 A d3 0 - 22:Z2"
    assert moves(at(salida)) == ["--"]
    assert moves(at(salida, barriers_only_safe="yes")) == ["A1>23"]
    corridor = "A=66,67,67,0 R=0,0,0,0 A d2 0 - -"
    assert moves(at(corridor)) == ["A2>p5"]
    assert moves(at(corridor, barriers_only_safe="yes")) == ["A1>p4", "A2>p5"]


def test_p16_barriers_only_safe_pairs_may_still_form_in_corridors():
    position = at("A=66,68,0,0 R=0,0,0,0 A d2 0 - -", barriers_only_safe="yes")
    assert moves(position) == ["A1>p4", "A2>p6"]


def test_p16_barriers_only_safe_a_pair_that_bars_nobody_need_not_be_opened():
    position = "A=1,1,10,0 R=0,0,0,0 A d6 0 - 5:A2"
    assert moves(at(position)) == ["A1>11"]
    assert moves(at(position, barriers_only_safe="yes")) == ["A1>11", "A3>20"]
