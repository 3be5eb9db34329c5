"""How a game of shogi ends, H9 to H15 and H22: mate, stalemate, repetition, points."""

import pytest

from bot.texts import language
from games.core import Unreadable
from games.shogi import GAME
from games.shogi.points import companions, points
from tests.games.shogi_boards import at, begun, ending, legal, played, refused, said

SENTE, GOTE = 0, 1
NO_MOVE = "+R+N+SGKG+S+N+R/+B+N+SG+LG+S+N+B/P+LPP+LPP+LP/1P2P2P1/9/9/9/9/4k4 b 9P 200"
BOTH_IN = "3K5/2GGS4/+P+P+P+P1+R+B2/9/9/9/1+r+b6/3gg+p+p+p+p/3k5 b 3S4N4L5P5p 1"
SHUFFLE = "ln3g2l/1r2g1sk1/1pp1ppn2/p2ps1ppp/1PP6/2GP4P/P1N1PPPP1/1R2S1SK1/L4G1NL w Bb 44"
THRICE = "9d9e 8h6h 8b6b 6h8h 6b8b 8h6h 8b6b 6h8h 6b8b 8h6h 8b6b 6h8h"
CHECKING = "4k4/9/5+R3/9/9/9/9/9/8K b - 1"


# H9 and H10: mate, stalemate, kings that may be taken.


def test_h9_a_move_may_not_leave_the_own_king_attacked():
    position = at("4k4/9/9/9/4r4/9/4G4/9/4K4 b - 1")
    assert refused(position, "5g4g") == "H9 check"
    assert "5g5f" in legal(position)
    assert refused(at("4k4/9/9/9/3r5/9/9/9/4K4 b - 1"), "5i6i") == "H9 check"


def test_h9_the_king_does_not_hide_behind_itself():
    # Stepping back along the line of the rook is no way out of its check.
    position = at("4k4/9/4r4/9/9/4K4/9/9/9 b - 1")
    assert "5f5g" not in legal(position)
    assert {"5f4g", "5f6g"} <= legal(position)


def test_h9_a_check_must_be_answered():
    position = at("4k4/9/9/9/4r4/9/9/9/4K4 b P 1")
    assert legal(position) == {"5i4i", "5i6i", "5i4h", "5i6h", "P*5f", "P*5g", "P*5h"}
    assert refused(position, "P*1e") == "H9 check"


def test_h9_a_double_check_is_answered_by_the_king_alone():
    position = at("4k4/9/9/9/4r4/9/5n3/3G5/4K4 b G 1")
    assert {move[:2] for move in legal(position)} == {"5i"}


def test_h9_checkmate_wins():
    position = played(at("4k4/9/4P4/9/9/9/9/9/4K4 b G 1"), "G*5b")
    assert ending(position) == ("mate", SENTE)
    assert position.actors() == frozenset()
    assert position.legal_moves(GOTE) == ()


def test_h9_one_king_is_enough_for_a_mate_problem():
    position = played(at("9/7Sk/1+R7/9/9/9/9/9/9 b r2b4g3s4n4l18p 1"), "8c1c")
    assert ending(position) == ("mate", SENTE)
    assert ending(played(at("9/9/9/9/9/4p4/9/9/4K4 w g 1"), "5f5g")) is None


KING_EN_PRISE = "4k4/9/9/9/9/9/9/4R4/4K4 b - 1"


def test_h9_king_capture_allows_exposure_and_ends_when_a_king_is_taken():
    position = at("4k4/9/9/9/4r4/9/9/9/4K4 b P 1", king_capture="yes")
    assert "P*1e" in legal(position)
    position = played(position, "P*1e")
    assert ending(position) is None
    taken = played(position, "5e5i+")
    assert ending(taken) == ("king-captured", GOTE)
    assert taken.actors() == frozenset()
    assert GAME.notation.text(taken).split()[2] == "-", "a king goes to no hand"


def test_h9_king_capture_is_no_way_out_by_default():
    with pytest.raises(Unreadable) as unreadable:
        at(KING_EN_PRISE)
    assert unreadable.value.phrase.key == "shogi.unreadable.exposed"
    assert "5h5a+" in legal(at(KING_EN_PRISE, king_capture="yes"))


def test_h9_king_capture_does_not_end_at_mate():
    position = played(at("4k4/9/4P4/9/9/9/9/9/4K4 b G 1", king_capture="yes"), "G*5b")
    assert ending(position) is None
    assert "5a5b" in legal(position)


def test_h9_king_capture_keeps_uchifuzume_with_strict_checks():
    assert "P*9b" not in legal(at("kn7/9/1G7/9/9/9/9/9/9 b P 1", king_capture="yes"))
    # Who can take a king in return is not mated.
    exposed = "kn7/9/1G7/9/1K7/9/9/9/1r7 b P 1"
    assert "P*9b" in legal(at(exposed, king_capture="yes"))
    assert "P*9b" not in legal(at(exposed.replace("1r7", "9"), king_capture="yes"))


def test_h10_magnet_e_no_move_without_check_is_a_draw_by_the_seed():
    assert legal(at(NO_MOVE)) == set()
    assert ending(at(NO_MOVE)) == ("stalemate", None)


def test_h10_no_move_loses_where_so_agreed():
    assert ending(at(NO_MOVE, stalemate="loss")) == ("no-moves", GOTE)


def test_h10_where_kings_may_be_taken_only_a_side_without_any_move_is_stalemated():
    cornered = "8k/9/7GG/9/9/9/9/9/4K4 w - 1"
    assert ending(at("8k/6G2/7G1/9/9/9/9/9/4K4 w - 1")) == ("stalemate", None)
    assert ending(at(cornered, king_capture="yes")) is None
    assert ending(at(NO_MOVE, king_capture="yes")) == ("stalemate", None)


def test_h10_a_boxed_king_in_check_is_stalemated_where_kings_may_be_taken():
    boxed = "nS+SG+PG+S+N+R/BR+NG+LG+S+N+B/+PK+PP+LPP+LP/PPP1P2P1/9/9/9/9/4k4 b - 1"
    assert ending(at(boxed)) == ("mate", GOTE)
    assert ending(at(boxed, king_capture="yes")) == ("stalemate", None)


# H11, H12, H15: repetitions.


def test_h11_magnet_f_the_fourth_occurrence_ends_the_game_and_not_the_third():
    position = played(at(SHUFFLE), THRICE)
    assert ending(position) is None
    assert points(position.board) == (27, 27)
    assert ending(played(position, "6b8b")) == ("sennichite-tie", None)


def test_h11_the_side_to_move_counts():
    # The same board after an odd number of moves is another position.
    lost_tempo = "4k4/9/9/9/9/9/9/9/R3K4 b - 1"
    position = played(at(lost_tempo), "9i9h 5a5b 9h9i 5b5a")
    assert position.past.times() == 2
    triangle = played(at(lost_tempo), "5i4h 5a5b 4h5h 5b5a 5h5i 5a4a")
    assert triangle.past.times() == 1


def test_h11_other_hands_are_another_position():
    # The pawn changes hands; the board and the turn come back.
    before = at("4k4/9/4g4/9/9/9/9/9/4K4 b P 1")
    moves = "P*5d 5c5d 5i5h 5d5c 5h5i 5a5b 5i5h 5b4a 5h5i 4a5a"
    after = played(before, moves)
    assert GAME.notation.text(after).split()[:2] == GAME.notation.text(before).split()[:2]
    assert GAME.notation.text(after).split()[2] == "p"
    assert after.past.times() == 1


def test_h11_by_the_seed_the_points_decide_a_repetition():
    even = played(begun(), " ".join(["2h3h 8b7b 3h2h 7b8b"] * 3))
    assert ending(even) == ("sennichite-tie", None)
    uneven = "ln1gkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"
    repeated = played(at(uneven), " ".join(["2h3h 8b7b 3h2h 7b8b"] * 3))
    assert ending(repeated) == ("sennichite-points", SENTE)


@pytest.mark.parametrize(
    ("repetition", "reason"), [("draw", "sennichite"), ("replay", "sennichite-replay")]
)
def test_h15_a_repetition_may_be_a_plain_draw_or_be_played_again(repetition, reason):
    position = played(at(SHUFFLE, repetition=repetition), THRICE + " 6b8b")
    assert ending(position) == (reason, None)


def test_h12_magnet_g_perpetual_check_loses():
    position = played(at(CHECKING), " ".join(["4c5c 5a4a 5c4c 4a5a"] * 2))
    assert ending(position) is None
    assert ending(played(position, "4c5c 5a4a 5c4c 4a5a")) == ("perpetual", GOTE)


def test_h12_who_checks_loses_also_when_his_own_move_repeats():
    position = played(at(CHECKING), "4c5c " + "5a4a 5c4c 4a5a 4c5c " * 2 + "5a4a 5c4c 4a5a")
    assert ending(position) == ("perpetual", GOTE)
    position = at("4k4/9/4+R4/9/9/9/9/9/8K w - 1")
    assert ending(played(position, "5a4a 5c4c 4a5a 4c5c " * 3)) == ("perpetual", GOTE)


def test_h12_one_quiet_move_on_the_way_makes_it_a_plain_repetition():
    quiet = "4c5c 5a4a 5c4c 4a5a " * 2 + "4c9c 5a4a 9c4c 4a5a"
    position = played(at(CHECKING, repetition="draw"), quiet)
    assert ending(position) == ("sennichite", None)


def test_h12_checks_count_since_the_first_occurrence_and_not_since_the_last():
    # The last round is all checks, but on the way from the first occurrence sente played 7i6h.
    opened = "5g5f 5c5d 2h5h 5a5b 5f5e 5b5c 5h5f 5c6d 5f6f 6d7d 6f7f 7d6d "
    rounds = "7f6f 6d7d 6f7f 7d6d 7i6h 3a4b 6h7i 4b3a 7f6f 6d7d 6f7f 7d6d"
    position = played(begun(repetition="draw"), opened + rounds)
    assert ending(position) == ("sennichite", None)


def test_h12_gote_too_loses_by_perpetual_check():
    mirrored = "k8/9/9/9/9/9/3+r5/9/4K4 w - 1"
    position = played(at(mirrored), "6g5g 5i6i 5g6g 6i5i " * 3)
    assert ending(position) == ("perpetual", SENTE)


def test_h12_the_third_occurrence_is_a_warning():
    position = played(at(CHECKING), " ".join(["4c5c 5a4a 5c4c 4a5a"] * 2))
    keys = [notice.key for notice in GAME.speech.notices(position)]
    assert "shogi.notice.perpetual" in keys
    assert "shogi.notice.repeated" in keys
    plain = [
        notice.key for notice in GAME.speech.notices(played(at(SHUFFLE), THRICE.rsplit(" ", 3)[0]))
    ]
    assert "shogi.notice.perpetual" not in plain


def test_h12_where_both_give_check_throughout_it_is_a_plain_repetition():
    # Only where checks may be left unanswered; both kings stand in check all the time.
    both = "4k3R/9/9/g8/9/G8/9/9/4K3r b - 1"
    position = at(both, repetition="draw", king_capture="yes")
    assert ending(played(position, "9f8f 9d8d 8f9f 8d9d " * 3)) == ("sennichite", None)
    one = at(both.replace("K3r", "K4"), repetition="draw", king_capture="yes")
    assert ending(played(one, "9f8f 9d8d 8f9f 8d9d " * 3)) == ("perpetual", GOTE)


# H13, H14, H22: jishōgi, points and the declaration.


def test_h13_jishogi_is_offered_while_both_kings_have_entered_and_needs_both():
    position = at(BOTH_IN)
    assert [aside.what for aside in position.asides(SENTE)] == ["jishogi"]
    assert [aside.what for aside in position.asides(GOTE)] == ["jishogi"]
    offered = said(position, GOTE, "jishogi")
    assert ending(offered) is None
    assert offered.asides(GOTE) == ()
    assert [aside.what for aside in offered.asides(SENTE)] == ["jishogi-yes", "jishogi-no"]
    assert ending(said(offered, SENTE, "jishogi-yes")) == ("jishogi-points", SENTE)


def test_h13_the_other_side_may_refuse_and_play_on():
    refused_ = said(said(at(BOTH_IN), SENTE, "jishogi"), GOTE, "jishogi-no")
    assert ending(refused_) is None
    assert refused_.asides(SENTE) == refused_.asides(GOTE) == ()
    following = played(refused_, "6a7a")
    assert [aside.what for aside in following.asides(SENTE)] == ["jishogi"]


def test_h13_an_offer_stands_until_the_other_side_moves():
    offered = said(at(BOTH_IN), SENTE, "jishogi")
    own_move = played(offered, "6a7a")
    assert own_move.offer == "b"
    assert played(own_move, "6i7i").offer == ""


def test_h13_an_offer_lapses_when_the_king_of_who_made_it_leaves_the_zone():
    offered = said(at("9/9/4K4/9/9/9/9/9/4k4 b - 1"), SENTE, "jishogi")
    assert [aside.what for aside in offered.asides(GOTE)] == ["jishogi-yes", "jishogi-no"]
    assert played(offered, "5c5d").asides(GOTE) == ()


def test_h13_nothing_is_offered_before_both_kings_have_entered():
    assert begun().asides(SENTE) == ()
    one_in = BOTH_IN.replace("3K5", "9").replace("3k5", "3k1K3")
    assert at(one_in).asides(SENTE) == ()


def test_h14_magnet_h_the_points_are_five_for_rook_and_bishop_and_one_for_others():
    assert points(begun().board) == (27, 27)
    assert points(at(BOTH_IN).board) == (33, 21)
    assert points(at("4k4/9/9/9/9/9/9/9/4K4 b RBGSNLP 1").board) == (15, 0)


def settled(counts, **options):
    """How a jishōgi ends with these points."""
    text = {
        (27, 27): "3K5/9/9/9/9/9/9/9/3k5 b RB2G2S2N2L9Prb2g2s2n2l9p 1",
        (28, 26): "3K5/9/9/9/9/9/9/9/3k5 b RB2G2S2N2L10Prb2g2s2n2l8p 1",
        (26, 28): "3K5/9/9/9/9/9/9/9/3k5 b RB2G2S2N2L8Prb2g2s2n2l10p 1",
        (31, 23): "3K5/9/9/9/9/9/9/9/3k5 b RB4G2S2N2L11Prb2s2n2l7p 1",
        (23, 22): "3K5/9/9/9/9/9/9/9/3k5 b RB2G2S2N2L5Prb2g2s2n2l4p 1",
        (20, 20): "3K5/9/9/9/9/9/9/9/3k5 b RB2G2S2N2L2Prb2g2s2n2l2p 1",
    }[counts]
    position = at(text, **options)
    assert points(position.board) == counts
    return ending(said(said(position, SENTE, "jishogi"), GOTE, "jishogi-yes"))


def test_h14_by_the_seed_more_points_win_and_equal_points_draw():
    assert settled((28, 26)) == ("jishogi-points", SENTE)
    assert settled((31, 23)) == ("jishogi-points", SENTE)
    assert settled((26, 28)) == ("jishogi-points", GOTE)
    assert settled((27, 27)) == ("jishogi-tie", None)


def test_h14_where_neither_reaches_24_it_is_a_draw():
    assert settled((23, 22)) == ("jishogi-tie", None)
    assert settled((20, 20)) == ("jishogi-tie", None)


def test_h14_jsa_calls_it_a_draw_where_both_have_24():
    assert settled((28, 26), impasse="jsa") == ("jishogi-tie", None)
    assert settled((31, 23), impasse="jsa") == ("jishogi-points", SENTE)


def test_h14_h18_a_tie_may_be_played_again_with_sides_changed():
    assert settled((27, 27), tie="replay") == ("jishogi-tie-replay", None)
    words = language("es").say(
        GAME.speech.notices(at(BOTH_IN).after(at(BOTH_IN).asides(SENTE)[0]))[-1]
    )
    assert "jishōgi" in words


# 26 points in the zone and hand, one pawn short; gote needs 27, sente 28.
ENTERED = "3K5/2GGS4/+P+P+P+P1+R+B2/9/9/9/9/9/4k4 b RB2S2N 1"


def test_h22_the_declaration_replaces_the_offer():
    position = at(ENTERED, impasse="declare27")
    assert [aside.what for aside in position.asides(SENTE)] == ["declare27"]
    assert position.asides(GOTE) == ()
    assert begun(impasse="declare27").asides(SENTE) == ()
    assert [a.what for a in at(BOTH_IN, impasse="declare27").asides(SENTE)] == ["declare27"]


def declared(sfen):
    position = at(sfen, impasse="declare27")
    return ending(said(position, position.turn, "declare27"))


def test_h22_sente_declares_with_28_points_and_gote_with_27():
    # Nine others in the zone are too few, whatever the hand holds.
    assert companions(at(ENTERED).board, SENTE) == (9, 17)
    assert declared(ENTERED.replace("RB2S2N", "RB2S4N4L14P")) == ("misdeclared", GOTE)
    ten = ENTERED.replace("3K5", "3KL4")
    assert companions(at(ten).board, SENTE) == (10, 18)
    assert declared(ten.replace("RB2S2N", "RB")) == ("declared", SENTE)
    assert declared(ten.replace("RB2S2N", "R4P")) == ("misdeclared", GOTE)
    gote = "4K4/9/9/9/9/9/2+b+r1+p+p+p+p/4sgg2/4lk3 w rb 1"
    assert companions(at(gote).board, GOTE) == (10, 18)
    assert declared(gote) == ("declared", GOTE)
    assert declared(gote.replace(" rb ", " r4p ")) == ("declared", GOTE)
    assert declared(gote.replace(" rb ", " r3p ")) == ("misdeclared", SENTE)


def test_h22_a_king_in_check_declares_wrongly():
    ten = "3K5/2GGSL3/+P+P+P+P1+R+B2/9/9/9/9/9/4k4 b RB 1"
    assert declared(ten) == ("declared", SENTE)
    checked = ten.replace("3K5", "r2K5").replace(" RB ", " B5P ")
    assert declared(checked) == ("misdeclared", GOTE)
