"""What is agreed on before a game of shogi and what is shown of it, H16 to H26."""

import pickle

import pytest

from bot.texts import LANGUAGES, language
from games.core import Menu, pick
from games.shogi import GAME
from games.shogi.board import HANDS, SQUARES
from games.shogi.pieces import COMPLEMENT, KING, base_of, kind_of
from games.shogi.points import points
from tests.games.shogi_boards import EVEN, at, begun, ending, legal, played, refused

SENTE, GOTE = 0, 1
WIDE_OPEN = "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1"
BOTH_IN = "3K5/2GGS4/+P+P+P+P1+R+B2/9/9/9/1+r+b6/3gg+p+p+p+p/3k5 b 3S4N4L5P5p 1"
SHUFFLE = "ln3g2l/1r2g1sk1/1pp1ppn2/p2ps1ppp/1PP6/2GP4P/P1N1PPPP1/1R2S1SK1/L4G1NL w Bb 44"


# H16 to H21.


def test_h17_a_typed_illegal_move_is_only_refused_by_default():
    position = begun()
    assert GAME.notation.penalty(position, SENTE, "7g7e") is None
    assert refused(position, "7g7e") == "H4 no-way"
    assert GAME.rules.takes_back(GAME.chosen({}))


def test_h17_in_a_tournament_it_loses_and_nothing_is_taken_back():
    position = begun(illegal="lose")
    foul = GAME.notation.penalty(position, SENTE, "P-7e")
    assert ending(position.after(foul)) == ("illegal", GOTE)
    assert not GAME.rules.takes_back(GAME.chosen({"illegal": "lose"}))
    assert ending(played(position, GAME.notation.written(position, foul))) == ("illegal", GOTE)


@pytest.mark.parametrize(
    ("sfen", "text"),
    [
        ("k8/9/9/9/9/9/9/9/P8 b P 1", "P*9e"),  # nifu
        ("kn7/9/1G7/9/9/9/9/9/9 b P 1", "P*9b"),  # uchifuzume
        ("4k4/9/9/9/4r4/9/4G4/9/4K4 b - 1", "5g4g"),  # king left in check
        ("4k4/9/9/9/9/9/9/9/4K4 b N 1", "N*1a"),  # no move ever
        (EVEN, "G-5e"),  # no gold goes there
        (EVEN, "５五金"),
    ],
)
def test_h17_every_illegality_counts(sfen, text):
    assert ending(
        at(sfen, illegal="lose").after(GAME.notation.penalty(at(sfen, illegal="lose"), 0, text))
    )


@pytest.mark.parametrize("text", ["", "hola", "7g7f", "P-7f", "resigno", "G-5h", "99", "7"])
def test_h17_legal_ambiguous_and_unreadable_texts_cost_nothing(text):
    assert GAME.notation.penalty(begun(illegal="lose"), SENTE, text) is None
    assert GAME.notation.penalty(begun(illegal="same_piece"), SENTE, text) is None
    assert GAME.notation.penalty(begun(illegal="lose"), GOTE, "7c7e") is None, (
        "it is not gote's turn"
    )


def test_h17_same_piece_the_piece_tried_must_be_played():
    position = begun(illegal="same_piece")
    touched = position.after(GAME.notation.penalty(position, SENTE, "2h2b"))
    assert touched.actors() == {SENTE}
    assert {move[:2] for move in legal(touched)} == {"2h"}
    assert refused(touched, "7g7f") == "H17 touched"
    assert GAME.notation.penalty(touched, SENTE, "7g7e") is None, "the first piece binds"
    assert len(legal(played(touched, "2h3h"))) == 30
    assert played(position, "2h2b") == touched


def test_h17_same_piece_a_second_error_with_it_changes_nothing():
    position = begun(illegal="same_piece")
    touched = position.after(GAME.notation.penalty(position, SENTE, "2h2b"))
    assert GAME.notation.penalty(touched, SENTE, "2h2c") is None


def test_h17_same_piece_a_piece_without_a_move_binds_nobody():
    position = begun(illegal="same_piece")
    assert GAME.notation.penalty(position, SENTE, "8h2b") is None
    assert GAME.notation.penalty(position, SENTE, "9i9e") is not None


def test_h17_same_piece_also_in_hand():
    position = at("k8/9/9/9/9/9/9/9/P7K b PG 1", illegal="same_piece")
    touched = position.after(GAME.notation.penalty(position, SENTE, "P*9e"))
    assert {move[:2] for move in legal(touched)} == {"P*"}


def test_h19_promotion_is_asked_for_only_where_it_is_a_choice():
    position = at("k8/4P4/9/4S4/9/9/9/9/K8 b G 1")
    paths = {
        GAME.notation.written(position, p): GAME.menus.steps(position, p)
        for p in position.legal_moves(SENTE)
    }
    assert paths["5b5a+"] == ("5b", "5a")
    assert paths["5d5c+"] == ("5d", "5c", "+")
    assert paths["5d5c"] == ("5d", "5c", "=")
    assert paths["5d4e"] == ("5d", "4e")
    assert paths["G*5c"] == ("G*", "5c")


HANDICAPS = {
    "lance": "lnsgkgsn1/1r5b1",
    "right_lance": "1nsgkgsnl/1r5b1",
    "bishop": "lnsgkgsnl/1r7",
    "rook": "lnsgkgsnl/7b1",
    "rook_lance": "lnsgkgsn1/7b1",
    "2": "lnsgkgsnl/9",
    "3": "lnsgkgsn1/9",
    "4": "1nsgkgsn1/9",
    "5": "2sgkgsn1/9",
    "left_5": "1nsgkgs2/9",
    "6": "2sgkgs2/9",
    "left_7": "2sgkg3/9",
    "right_7": "3gkgs2/9",
    "8": "3gkg3/9",
    "10": "4k4/9",
}


@pytest.mark.parametrize("handicap", HANDICAPS)
def test_h20_the_giver_plays_without_these_pieces_and_moves_first(handicap):
    position = begun(handicap=handicap)
    assert position.actors() == {GOTE}
    rest = "/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"
    assert GAME.notation.text(position) == HANDICAPS[handicap] + rest


def test_h20_the_giver_begins_whoever_was_asked_to_begin():
    handicap = GAME.setting({"handicap": "2"}, first=SENTE)
    assert GAME.start(handicap).actors() == {GOTE}
    assert GAME.start(GAME.setting({"handicap": "2"}, first=GOTE)).actors() == {GOTE}


def test_h20_every_handicap_of_the_option_is_one_of_these():
    (option,) = (option for option in GAME.rules.options if option.key == "handicap")
    assert option.values == ("none", *HANDICAPS)
    assert points(begun(handicap="6").board) == (27, 27 - 10 - 4)


def test_h21_a_game_may_last_beyond_five_hundred_moves():
    position = at("4k4/9/9/9/9/9/9/9/R3K4 b - 501")
    assert ending(played(position, "9i8i 5a5b")) is None


def test_h16_h18_the_clock_and_the_rematch_are_matters_of_the_table():
    keys = {option.key for option in GAME.rules.options}
    assert keys == {
        "handicap",
        "stalemate",
        "repetition",
        "impasse",
        "tie",
        "illegal",
        "king_capture",
    }


# H23 stands in test_shogi_notation, H24 and H25 in tests/render/test_shogi.


def test_h25_the_side_of_the_viewer_changes_nothing_in_the_position():
    assert begun().seen_by(GOTE) == begun().seen_by(None) == begun()


@pytest.mark.parametrize("code", LANGUAGES)
def test_h26_check_mate_and_repetition_are_said_with_their_japanese_words(code):
    say = language(code).say
    check = at("4k4/9/9/9/4r4/9/9/9/4K4 b P 1")
    assert "王手" in say(GAME.speech.notices(check)[0])
    repeated = played(at(SHUFFLE), "9d9e 8h6h 8b6b 6h8h 6b8b")
    assert "千日手" in say(GAME.speech.notices(repeated)[0])
    assert "持将棋" in say(GAME.speech.notices(at(BOTH_IN))[0])


# Menus, and what is kept.


def test_magnet_d_593_moves_are_three_choices():
    position = at(WIDE_OPEN)
    assert len(position.legal_moves(SENTE)) == 593
    assert max(len(GAME.menus.steps(position, play)) for play in position.legal_moves(SENTE)) <= 3
    menu = pick(GAME, position, SENTE)
    assert isinstance(menu, Menu)
    assert len(menu.options) <= 25
    drop = pick(GAME, position, SENTE, ("G*",))
    assert isinstance(drop, Menu)
    assert len(drop.options) == 71


def test_magnet_j_hands_are_written_in_the_order_of_sfen():
    position = at("4k4/9/9/9/9/9/9/9/4K4 b PLNSGBRplnsgbr 1")
    assert GAME.notation.text(position).split()[2] == "RBGSNLPrbgsnlp"
    assert GAME.notation.text(at("4k4/9/9/9/9/9/9/9/4K4 b 10Pp2l 1")).split()[2] == "10P2lp"


def test_magnet_k_both_hands_are_always_said():
    said_ = [phrase.key for phrase in GAME.speech.describe(begun())]
    assert said_.count("shogi.words.empty-hand") == 2
    held = [phrase.key for phrase in GAME.speech.describe(at("4k4/9/9/9/9/9/9/9/4K4 b Pp 1"))]
    assert held.count("shogi.words.hand") == 2


def test_a_game_never_gains_or_loses_a_piece():
    position = played(begun(), "7g7f 3c3d 8h2b+ 3a2b B*4e 8b4b 4e3d B*5e 5g5f 5e7g+ 8i7g")
    everything = [base_of(kind_of(piece)) for piece in position.board[:SQUARES] if piece]
    for kind, count in COMPLEMENT.items():
        held = sum(position.board[hand + kind] for hand in HANDS) if kind != KING else 0
        assert everything.count(kind) + held == count


def test_three_hundred_moves_of_past_survive_a_pickle():
    position = at("4k4/9/9/9/9/9/9/9/R3K4 b - 1", repetition="draw")
    squares = [f"{file}{rank}" for file in "98765432" for rank in "hgfedcb"]
    here = "9i"
    for square in (squares * 3)[:150]:
        if position.outcome():
            break
        moves = legal(position)
        step = next((m for m in sorted(moves) if m.startswith(here) and m[2:4] == square), None)
        position = played(position, step or sorted(moves)[0])
        here = step[2:4] if step else here
    again = pickle.loads(pickle.dumps(position))
    assert again == position
    assert again.past.times() == position.past.times()
    assert len(list(again.past)) == len(list(position.past)) > 20
