"""The rules of Cirya, in the order of the rule book; the letters are its bug magnets."""

from math import comb

import pytest

from games.cirya import GAME
from games.cirya.formats.ptn import result
from games.cirya.move_types import Place, Shift
from games.cirya.rules import completing
from tests.games.cirya_positions import at, legal, play, refused, stack, start

SWAN, EAGLE = 0, 1


# -- setting up ---------------------------------------------------------------------------


def test_c1_the_players_alternate():
    position = start()
    for ply in range(6):
        assert position.actors() == {ply % 2}
        assert position.legal_moves(1 - ply % 2) == ()
        position = position.after(position.legal_moves(ply % 2)[0])


@pytest.mark.parametrize("size", ["4", "5", "6"])
def test_c2_the_board_has_four_five_or_six_sati_a_side(size):
    assert len(start(size=size).legal_moves(SWAN)) == int(size) ** 2


def test_c2_five_by_five_is_usual():
    assert start().board.shape.size == 5


@pytest.mark.parametrize(("size", "ciryar", "high"), [("4", 15, 0), ("5", 21, 1), ("6", 30, 1)])
def test_c3_each_fleet_has_its_ciryar_and_hallaciryar(size, ciryar, high):
    board = start(size=size).board
    assert board.ciryar == (ciryar, ciryar)
    assert board.hallaciryar == (high, high)


def test_c3_a_hallacirya_on_four_by_four_is_an_option():
    assert start(size="4", capstone_4x4="yes").board.hallaciryar == (1, 1)
    assert start(size="5", capstone_4x4="yes").board.hallaciryar == (1, 1)
    assert start(size="6", capstone_4x4="yes").board.hallaciryar == (1, 1)


def test_c4_the_board_is_empty_and_the_lot_deals_the_fleets():
    assert GAME.notation.text(start()) == "x5/x5/x5/x5/x5 1 1"
    assert GAME.rules.begins == ("swan",)


def test_c5_in_the_first_turn_each_places_a_flat_cirya_of_the_other():
    position = play("a1 e5")
    assert GAME.notation.text(position) == "x4,1/x5/x5/x5/2,x4 1 2"
    assert position.board.mover == SWAN


def test_g_c5_the_first_pieces_come_out_of_the_other_reserve():
    assert play("a1").board.ciryar == (21, 20)
    assert play("a1 e5").board.ciryar == (20, 20)
    assert play("a1 e5 c3").board.ciryar == (19, 20)


def test_c5_no_tampa_no_hallacirya_and_no_move_in_the_first_turn():
    for position in (start(), play("a1")):
        assert all(isinstance(move, Place) for move in position.legal_moves(position.board.mover))
        assert refused(position, "Sc3") == "C5"
        assert refused(position, "Cc3") == "C5"
    assert refused(play("a1"), "a1>") == "C5"


def test_c5_with_the_opening_own_there_is_no_special_turn():
    position = play("Ca1", opening="own")
    assert GAME.notation.text(position) == "x5/x5/x5/x5/1C,x4 2 1"
    assert len(start(opening="own").legal_moves(SWAN)) == 75


# -- placing ------------------------------------------------------------------------------


def test_c6_a_cirya_a_tampa_or_the_hallacirya_goes_onto_an_empty_sat():
    position = play("a1 e5")
    assert {"c3", "Sc3", "Cc3"} <= legal(position)
    assert refused(position, "a1") == "C6"
    assert refused(position, "Se5") == "C6"


def test_c6_a_tampa_costs_a_cirya_of_the_same_reserve():
    assert play("a1 e5 Sc3").board.ciryar == (19, 20)
    assert play("a1 e5 Cc3").board.ciryar == (20, 20)


def test_c6_what_the_reserve_has_not_is_not_placed():
    position = play("a1 e5 Cc3 Cb3")
    assert refused(position, "Cd3") == "C6"
    ciryar_gone = at(f"{'1' * 21},x4/x5/x5/x5/2,x4 1 22")
    assert legal(ciryar_gone) & {"c3", "Sc3", "Cc3"} == {"Cc3"}
    assert refused(ciryar_gone, "c3") == "C6"
    assert refused(ciryar_gone, "Sc3") == "C6"


def test_c6_nobody_may_pass():
    assert all(isinstance(move, (Place, Shift)) for move in play("a1 e5").legal_moves(SWAN))
    assert refused(play("a1 e5"), "--") == "R5"


# -- moving -------------------------------------------------------------------------------


@pytest.mark.parametrize("top", ["1", "1S", "1C"])
def test_c7_the_top_piece_commands_whatever_its_kind(top):
    tps = f"x5/x5/x2,22{top},x2/x5/x5"
    assert "3c3+" in legal(at(f"{tps} 1 9"))
    assert refused(at(f"{tps} 2 9"), "c3+") == "C7"


def test_c7_an_empty_sat_has_nothing_to_move():
    assert refused(play("a1 e5"), "c3+") == "C7"


def test_c8_straight_orthogonal_at_least_one_on_every_sat():
    position = at("x5/x5/1111,x4/x5/x4,2 1 9", carry_limit="board")
    mine = {text for text in legal(position) if "a3" in text and text[-2:] != "a3"}
    east = {text for text in mine if ">" in text}
    assert len(east) == sum(comb(4, sati) for sati in range(1, 5))
    assert {"4a3>1111", "4a3>22", "4a3>31", "3a3>12", "a3>", "4a3>"} <= east
    assert not any("<" in text for text in mine)
    assert refused(position, "4a3>12") == "C8"
    assert refused(position, "4a3>103") == "C8"
    assert refused(position, "5a3>") == "C8"
    assert refused(position, "4a3+1111") == "C8"


def test_c8_the_bottom_piece_of_the_hand_drops_first():
    position = play("4a3>112", at("x5/x5/21221,x4/x5/x4,2 1 9"))
    assert [stack(position, name) for name in ("a3", "b3", "c3", "d3")] == ["2", "1", "2", "21"]


def test_c8_the_origin_may_be_left_empty():
    assert stack(play("3a3>", at("x5/x5/121,x4/x5/x4,2 1 9")), "a3") == ""


def test_c9_drops_fall_on_empty_sati_and_on_flat_tops_of_both():
    position = play("3a3>111", at("x5/x5/111,2,x,12,x/x5/x4,2 1 9"))
    assert [stack(position, name) for name in ("b3", "c3", "d3")] == ["21", "1", "121"]


@pytest.mark.parametrize("wall", ["1S", "2S", "1C", "2C"])
def test_c10_nothing_covers_a_tampa_or_a_hallacirya(wall):
    position = at(f"x5/x5/111,x,{wall},x2/x5/x4,2 1 9")
    east = {text for text in legal(position) if text.startswith(("a3>", "2a3>", "3a3>"))}
    assert east == {"a3>", "2a3>", "3a3>"}  # up to the sat just before it
    assert refused(position, "2a3>11") == "C10"


def test_c10_a_tampa_on_the_next_sat_bars_that_way_altogether():
    assert "c3>" not in legal(at("x5/x5/x2,1,2S,x/x5/x5 1 9"))
    assert refused(at("x5/x5/x2,1,2S,x/x5/x5 1 9"), "c3>") == "C10"


def test_c11_a_tampa_moves_like_a_cirya_and_stays_upright():
    position = play("3a3>12", at("x5/x5/221S,2,x3/x5/x4,2 1 9"))
    assert stack(position, "b3") == "22"
    assert stack(position, "c3") == "21S"


def test_c11_what_a_moved_tampa_leaves_behind_lies_flat():
    assert stack(play("c3+", at("x5/x5/x2,21S,x2/x5/x5 1 9")), "c3") == "2"


def test_a_c12_the_hallacirya_alone_crushes():
    position = at("x5/x5/x,12C,2S,x2/x5/2,x3,1 2 5")
    assert "b3>" in legal(position)
    assert "2b3>" not in legal(position)
    assert "2b3<" in legal(position)
    assert refused(position, "2b3>") == "C12"


def test_a_c12_companions_may_be_dropped_before():
    position = at("x5/x5/12C,x,2S,x2/x5/2,x3,1 2 5")
    east = {text for text in legal(position) if "a3>" in text}
    assert east == {"a3>", "2a3>", "2a3>11"}


@pytest.mark.parametrize("wall", ["1S", "2S"])
def test_b_c12_any_tampa_may_be_crushed_the_own_one_too(wall):
    position = at(f"x5/x5/x,12C,{wall},x2/x5/2,x3,1 2 5")
    assert {text for text in legal(position) if "b3" in text} == {
        "b3+", "2b3+", "2b3+11", "b3-", "2b3-", "2b3-11", "b3<", "2b3<", "b3>",
    }  # fmt: skip


def test_c12_the_crushed_tampa_is_a_flat_cirya_under_the_hallacirya():
    position = play("b3>", at("x5/x5/x,12C,21S,x2/x5/2,x3,1 2 5"))
    assert stack(position, "c3") == "212C"
    moved = play("e1+ c3+", position)
    assert stack(moved, "c3") == "21"


def test_c12_a_hallacirya_is_never_covered():
    position = at("x5/x5/x,2C,1C,x2/x5/2,x3,1 2 5")
    assert "b3>" not in legal(position)
    assert refused(position, "b3>") == "C10"


def test_c12_a_cirya_and_a_tampa_crush_nothing():
    for top in ("2", "2S"):
        assert "b3>" not in legal(at(f"x5/x5/x,1{top},1S,x2/x5/2,x3,1 2 5"))


def test_c_c13_without_limit_as_many_as_lie_there():
    tps = "x5/x5/x2,121212C,x2/1,x4/1,x4 2 7"
    assert len(legal(at(tps, carry_limit="board"))) == 104
    assert len(legal(at(tps))) == 128
    assert "6c3>" in legal(at(tps))
    assert refused(at(tps, carry_limit="board"), "6c3>") == "C13"


def test_c13_a_count_above_nine_stands_in_brackets():
    position = play("(12)c3>(7)(5)", at("x5/x5/x2,222222222221,x2/x5/x4,2 1 22"))
    assert (stack(position, "d3"), stack(position, "e3")) == ("2222222", "22221")
    assert "(12)c3>(11)(1)" in legal(at("x5/x5/x2,222222222221,x2/x5/x4,2 1 22"))
    assert "9c3>72" in legal(at("x5/x5/x2,222222222221,x2/x5/x4,2 1 22"))


# -- the end ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "tps", ["x,1,x3/x,1,x3/x,1,x3/x,1,x3/2,x,2,2,2 1 9", "2,2,2,2,x/x5/x5/x5/x2,1,1,x 2 9"]
)
def test_c14_a_londe_joins_two_opposite_sides(tps):
    position = at(tps)
    winner = position.board.mover
    for way in completing(position.board, winner):
        end = position.after(way).outcome()
        assert end is not None
        assert (end.reason, end.winner) == ("londe", winner)


def test_c14_not_two_neighbouring_sides_and_not_by_corners():
    assert at("1,1,1,x2/x2,1,x2/x5/x5/x5 1 9").outcome() is None
    assert at("1,x4/x,1,x3/x2,1,x2/x3,1,x/x4,1 1 9").outcome() is None


def test_c14_a_corner_belongs_to_both_of_its_sides():
    position = play("e1", at("x5/x5/x5/x5/1,1,1,1,x 1 9"))
    assert position.outcome().reason == "londe"
    position = play("e1", at("x4,1/x4,1/x4,1/x4,1/x5 1 9"))
    assert position.outcome().reason == "londe"


def test_c14_the_hallacirya_counts_and_the_tampa_does_not():
    tps = "x5/x5/x5/x5/1,1,1,1,x 1 9"
    assert play("Ce1", at(tps)).outcome().reason == "londe"
    assert play("Se1", at(tps)).outcome() is None


def test_c14_what_lies_beneath_does_not_count():
    assert at("x5/x5/x5/x5/1,1,12,1,1 1 9").outcome() is None


def test_c14_a_move_may_complete_several_sati_at_once():
    end = play("4a3>1111", at("x5/x5/11111,x4/x5/x4,2 1 9"))
    assert result(end.outcome()) == "R-0"


def test_d_c15_both_londer_at_once_the_mover_wins():
    position = play("a4 a5 b5 b4 c5 c4 1c5- d4 d5 e4 e5 c3 c4+")
    assert position.board.londe(SWAN)
    assert position.board.londe(EAGLE)
    assert result(position.outcome()) == "R-0"


def test_d_c15_both_at_once_on_six_by_six():
    position = play("a4 a3 b3 b4 c3 c4 d3 d4 d3+ e4 e3 f4 f3 Cb5 d4-", size="6")
    assert position.board.londe(SWAN)
    assert position.board.londe(EAGLE)
    assert result(position.outcome()) == "R-0"


def test_c15_a_move_that_makes_only_the_opponents_londe_loses():
    position = play("e1+", at("x5/x5/x5/x5/1,1,1,1,12 2 9"))
    assert result(position.outcome()) == "R-0"


def test_c16_an_empty_reserve_ends_the_game():
    position = play("a1", at(f"{'1' * 20}C,x4/x5/x5/x5/x4,2 1 21"))
    assert position.outcome() is None  # a cirya is left: the 21 are on the board but one
    position = play("b5 b1", position)
    assert result(position.outcome()) == "1/2-1/2"


def test_h_c16_the_hallacirya_must_be_gone_too():
    last_cirya = play("a1", at(f"{'1' * 20},x4/x5/x5/x5/x4,2 1 21"))
    assert last_cirya.board.ciryar == (0, 20)
    assert last_cirya.outcome() is None
    assert result(play("b1 Cc1", last_cirya).outcome()) == "1/2-1/2"


def test_c16_the_reserve_of_whoever_is_to_play_counts_as_well():
    position = at(f"{'1' * 22}C,x4/x5/x5/x5/x4,2 1 22")
    assert position.board.mover == SWAN
    assert result(position.outcome()) == "0-F"


def test_f_c16_a_full_board_with_equal_flats_is_a_tie():
    position = play("a1 a2 b1 b2 c2 c1 d1 d2 d3 c3 b3 a3 a4 b4 c4 d4", size="4")
    assert position.outcome().reason == "quildear_tie"
    assert position.outcome().winner is None


def test_c16_most_flat_tops_win_tampar_and_hallaciryar_do_not_count():
    full = "1,2,1,2,1/2S,1,2,1,2/1,2,1,2C,1/2,1,2,1,2/1S,2,1,2,x"
    position = at(f"{full} 1 13")
    assert (position.board.flats(SWAN), position.board.flats(EAGLE)) == (11, 10)
    assert result(play("Se1", position).outcome()) == "F-0"
    assert play("Ce1", position).outcome().reason == "quildear"
    beneath = at(f"{full.replace('1,2,1,2,1/', '111,2,1,2,1/', 1)} 1 13")
    assert beneath.board.flats(SWAN) == 11


def test_e_c17_a_londe_goes_before_a_quildear():
    three = GAME.notation.read("x3/x3/x3 1 1", GAME.chosen({"carry_limit": "board"}))
    position = play("a1 c1 c2 a2 Sa3 b1 Sb3 b2 c3", three)
    assert position.board.empty == 0
    assert result(position.outcome()) == "R-0"


def test_c18_the_kind_of_the_win_is_named():
    assert play("e1", at("x5/x5/x5/x5/1,1,1,1,x 1 9")).outcome().reason == "londe"
    full = "1,2,1,2,1/2,1,2,1,2/1,2,1,2,1/2,1,2,1,2/1,2,1,2,x 1 13"
    assert play("e1", at(full)).outcome().reason == "quildear"


def test_the_end_ends_everything():
    position = play("e1", at("x5/x5/x5/x5/1,1,1,1,x 1 9"))
    assert position.actors() == frozenset()
    assert position.legal_moves(EAGLE) == ()


# -- the rulings --------------------------------------------------------------------------

SHUFFLE = "a1> e5< b1< d5>"


def test_r3_the_third_time_of_a_position_is_a_draw():
    position = play(f"e5 a1 c3 c4 {SHUFFLE} {SHUFFLE}")
    assert position.outcome().reason == "repetition"
    assert position.outcome().winner is None
    assert play(f"e5 a1 c3 c4 {SHUFFLE} a1> e5< b1<").outcome() is None


def test_r3_a_placement_begins_anew_and_another_mover_is_another_position():
    assert play(f"e5 a1 c3 c4 {SHUFFLE} c2 c5 {SHUFFLE}").outcome() is None
    assert play(f"e5 a1 c3 c4 {SHUFFLE} {SHUFFLE}", repetition="none").outcome() is None
    board = play("e5 a1 c3 c4").board
    assert board._replace(mover=EAGLE) != board


def test_r3_a_position_that_was_read_counts_as_the_first_time():
    tps = GAME.notation.text(play("e5 a1 c3 c4"))
    assert play(f"{SHUFFLE} {SHUFFLE}", at(tps)).outcome().reason == "repetition"


def test_r4_while_the_game_lasts_there_is_a_placement():
    position = at("2S,2S,2S,2S,2S/x,2S,2S,2S,2S/1,2S,2,2S,2S/2S,2,2S,2,2/2S,2S,2S,x2 1 13")
    assert position.outcome() is None
    assert any(isinstance(move, Place) for move in position.legal_moves(SWAN))
