"""The rules of shogi on the board, H1 to H8: the start, the pieces, promotion, drops."""

import pytest

from games.shogi import GAME
from games.shogi.board import SQUARES
from games.shogi.pieces import COMPLEMENT, kind_of
from tests.games.shogi_boards import EVEN, at, begun, ending, legal, played, refused

SENTE, GOTE = 0, 1


# H1 to H3: the start, the turn, captures.


def test_h1_the_start_has_twenty_pieces_a_side_where_the_seed_puts_them():
    position = begun()
    assert GAME.notation.text(position) == EVEN
    pieces = [piece for piece in position.board[:SQUARES] if piece]
    assert len(pieces) == 40
    for seat in (SENTE, GOTE):
        own = [kind_of(piece) for piece in pieces if piece >> 4 == seat]
        assert {kind: own.count(kind) * 2 for kind in COMPLEMENT} == COMPLEMENT


def test_h1_the_bishop_stands_before_the_left_knight_and_the_rook_before_the_right():
    assert {"2h1h", "2h3h"} <= legal(begun())
    assert not any(move.startswith("8h") for move in legal(begun()))
    assert {"8b9b", "8b7b"} <= legal(played(begun(), "7g7f"))


def test_h2_sente_begins_unless_agreed_otherwise():
    assert begun().actors() == {SENTE}
    assert GAME.rules.begins[0] == "sente"
    other = GAME.start(GAME.setting(first=GOTE))
    assert other.actors() == {GOTE}
    assert GAME.notation.text(other) == EVEN.replace(" b ", " w ")


def test_h3_a_captured_piece_goes_to_the_hand_of_its_captor():
    position = played(begun(), "7g7f 3c3d 8h2b+")
    assert GAME.notation.text(position).split()[2] == "B"
    position = played(position, "3a2b")
    assert GAME.notation.text(position).split()[2] == "Bb"


def test_h3_sliders_stop_at_own_pieces_and_on_a_capture_and_only_the_knight_jumps():
    position = at("4k4/9/4p4/9/4R2P1/9/3N5/3PP4/4K4 b - 1")
    moves = {move for move in legal(position) if move.startswith("5e")}
    ranks = {"5e5f", "5e5g", "5e5d", "5e5c", "5e5c+"}
    assert moves == ranks | {"5e4e", "5e3e", "5e6e", "5e7e", "5e8e", "5e9e"}
    assert {"6g5e", "6g7e"} & legal(position) == {"6g7e"}
    assert "6g5e" in legal(at("4k4/9/9/9/9/3GPG3/3N5/9/4K4 b - 1"))


def test_magnet_i_a_captured_tokin_comes_back_as_a_pawn_and_a_dragon_as_a_rook():
    tokin = played(at("4k4/9/9/9/9/9/9/4+p4/4K4 b - 1"), "5i5h")
    assert GAME.notation.text(tokin).split()[2] == "P"
    dragon = played(at("4k4/9/9/9/9/9/9/4+r4/4K4 b - 1"), "5i5h")
    assert GAME.notation.text(dragon).split()[2] == "R"


# H4: how the pieces go.

MOVES = {
    "K": "4d 5d 6d 4e 6e 4f 5f 6f",
    "G": "4d 5d 6d 4e 6e 5f",
    "S": "4d 5d 6d 4f 6f",
    "N": "4c 6c",
    "L": "5a 5b 5c 5d",
    "P": "5d",
    "R": "5a 5b 5c 5d 5f 5g 5h 5i 9e 8e 7e 6e 4e 3e 2e 1e",
    "B": "9a 8b 7c 6d 4f 3g 2h 1i 1a 2b 3c 4d 6f 7g 8h 9i",
    "+P": "4d 5d 6d 4e 6e 5f",
    "+L": "4d 5d 6d 4e 6e 5f",
    "+N": "4d 5d 6d 4e 6e 5f",
    "+S": "4d 5d 6d 4e 6e 5f",
    "+R": "5a 5b 5c 5d 5f 5g 5h 5i 9e 8e 7e 6e 4e 3e 2e 1e 4d 6d 4f 6f",
    "+B": "9a 8b 7c 6d 4f 3g 2h 1i 1a 2b 3c 4d 6f 7g 8h 9i 5d 5f 4e 6e",
}


@pytest.mark.parametrize("piece", MOVES)
def test_h4_each_piece_goes_its_way(piece):
    position = at(f"9/9/9/9/4{piece}4/9/9/9/9 b - 1")
    assert {move[2:4] for move in legal(position)} == set(MOVES[piece].split())


@pytest.mark.parametrize("piece", MOVES)
def test_h4_gote_goes_the_same_ways_turned_round(piece):
    position = at(f"9/9/9/9/4{piece.lower()}4/9/9/9/9 w - 1")
    turned = {
        f"{10 - int(s[0])}{'ihgfedcba'['abcdefghi'.index(s[1])]}" for s in MOVES[piece].split()
    }
    assert {move[2:4] for move in legal(position)} == turned


def test_h4_the_king_and_the_gold_do_not_promote():
    moves = legal(at("9/4G4/9/2K6/9/9/9/9/9 b - 1"))
    assert len(moves) > 8
    assert not any(move.endswith("+") for move in moves)


# H5 and H6: promotion.


@pytest.mark.parametrize(
    ("sfen", "both"),
    [
        ("9/9/9/4S4/9/9/9/9/9 b - 1", "5d5c"),  # into the zone
        ("9/4S4/9/9/9/9/9/9/9 b - 1", "5b4c"),  # within it
        ("9/9/4S4/9/9/9/9/9/9 b - 1", "5c4d"),  # out of it
        ("9/9/4p4/4S4/9/9/9/9/9 b - 1", "5d5c"),  # with a capture
        ("9/9/9/9/9/4s4/9/9/9 w - 1", "5f5g"),  # gote's zone lies below
        ("9/9/9/4R4/9/9/9/9/9 b - 1", "5d5a"),
        ("9/9/9/4B4/9/9/9/9/9 b - 1", "5d2a"),
        ("9/9/9/4P4/9/9/9/9/9 b - 1", "5d5c"),
        ("9/9/9/4L4/9/9/9/9/9 b - 1", "5d5b"),
        ("9/9/9/9/4N4/9/9/9/9 b - 1", "5e4c"),
    ],
)
def test_h5_a_move_into_within_or_out_of_the_zone_may_promote_or_not(sfen, both):
    assert {both, f"{both}+"} <= legal(at(sfen))


def test_h5_a_move_outside_the_zone_does_not_promote():
    assert not any(move.endswith("+") for move in legal(at("9/9/9/9/4S4/9/9/9/9 b - 1")))


def test_h5_promotion_may_be_put_off_and_lasts_until_the_piece_is_captured():
    position = played(at("4k4/9/9/4S4/9/9/9/9/4K4 b - 1"), "5d5c 5a6a")
    assert {"5c4b", "5c4b+"} <= legal(position)
    position = played(position, "5c4b+ 6a7a 4b4c 7a8a 4c4d 8a9a")
    assert "4d4c" in legal(position)
    assert "4d4c+" not in legal(position)


@pytest.mark.parametrize(
    ("sfen", "forced"),
    [
        ("k8/4P4/9/9/9/9/9/9/K8 b - 1", "5b5a"),
        ("k8/4L4/9/9/9/9/9/9/K8 b - 1", "5b5a"),
        ("k8/9/9/4N4/9/9/9/9/K8 b - 1", "5d4b"),
        ("k8/9/4N4/9/9/9/9/9/K8 b - 1", "5c4a"),
        ("k8/9/9/9/9/9/9/4p4/K8 w - 1", "5h5i"),
        ("k8/9/9/9/9/4n4/9/9/K8 w - 1", "5f4h"),
    ],
)
def test_h6_magnet_c_pawn_lance_and_knight_must_promote_where_they_could_not_go_on(sfen, forced):
    assert f"{forced}+" in legal(at(sfen))
    assert forced not in legal(at(sfen))
    assert refused(at(sfen), forced) == "H6 must-promote"


# H7 and H8: drops.


def test_h7_a_piece_in_hand_enters_on_any_empty_square_and_uses_the_turn():
    position = at("4k4/9/9/9/9/9/9/9/4K4 b G 1")
    assert len([move for move in legal(position) if move.startswith("G*")]) == 79
    assert played(position, "G*5e").actors() == {GOTE}
    assert refused(position, "G*5a") == "H7 occupied"
    assert refused(position, "S*5e") == "H7 not-in-hand"


def test_h7_it_enters_unpromoted_and_must_move_first_even_in_the_zone():
    position = played(at("4k4/9/9/9/9/9/9/9/4K4 b S 1"), "S*5c 5a6a")
    assert "S" in GAME.notation.text(position).split("/")[2]
    assert "5c4b+" in legal(position)
    assert refused(at("4k4/9/9/9/9/9/9/9/4K4 b S 1"), "S*5c+") == "H7 drop-promoted"


def test_h8_magnet_b_nifu_no_second_unpromoted_pawn_on_a_file():
    position = at("k8/9/9/9/9/9/9/9/P8 b P 1")
    assert len(legal(position)) == 65
    assert not any(move.startswith("P*9") for move in legal(position))
    assert refused(position, "P*9e") == "H8 nifu"


def test_h8_magnet_b_a_tokin_or_an_enemy_pawn_on_the_file_does_not_matter():
    tokin = at("k8/9/+P8/9/9/9/9/9/9 b P 1")
    assert len(legal(tokin)) == 75
    assert "P*9e" in legal(tokin)
    assert "P*9e" in legal(at("k8/9/p8/9/9/9/9/9/9 b P 1"))


@pytest.mark.parametrize(
    ("piece", "ranks"), [("P", "a"), ("L", "a"), ("N", "ab"), ("S", ""), ("G", "")]
)
def test_h8_no_drop_where_the_piece_could_never_move(piece, ranks):
    position = at(f"4k4/9/9/9/9/9/9/9/4K4 b {piece} 1")
    missing = {r for r in "abcdefghi" if f"{piece}*1{r}" not in legal(position)}
    assert missing == set(ranks)
    if ranks:
        assert refused(position, f"{piece}*1a") == "H8 no-future"


def test_h8_gote_drops_no_pawn_on_its_last_rank():
    position = at("4k4/9/9/9/9/9/9/9/4K4 w pln 1")
    assert not {"P*1i", "L*1i", "N*1i", "N*1h"} & legal(position)
    assert {"P*1h", "L*1h", "N*1g", "P*1a"} <= legal(position)


def test_h8_magnet_a_uchifuzume_no_mate_by_dropping_a_pawn():
    position = at("kn7/9/1G7/9/9/9/9/9/9 b P 1")
    assert len(legal(position)) == 76
    assert "P*9b" not in legal(position)
    assert refused(position, "P*9b") == "H8 uchifuzume"


def test_h8_uchifuzume_a_pawn_drop_that_checks_without_mating_is_legal():
    position = at("kg7/9/1G7/9/9/9/9/9/9 b P 1")
    assert len(legal(position)) == 77
    assert "P*9b" in legal(position)


def test_h8_uchifuzume_pushing_a_pawn_to_mate_is_legal():
    position = at("kn7/9/PG7/9/9/9/9/9/9 b - 1")
    assert "9c9b" in legal(position)
    assert ending(played(position, "9c9b")) == ("mate", SENTE)


def test_h8_uchifuzume_dropping_another_piece_to_mate_is_legal():
    position = at("kn7/9/1G7/9/9/9/9/9/9 b L 1")
    assert ending(played(position, "L*9b")) == ("mate", SENTE)


def test_h8_uchifuzume_a_pinned_defender_cannot_take_the_pawn():
    # The gold on 8b may take on 9b, unless the bishop pins it.
    free = "kn7/1g7/1G7/9/9/9/9/9/9 b P 1"
    pinned = "kn7/1g7/1GB6/9/9/9/9/9/9 b P 1"
    assert "P*9b" in legal(at(free))
    assert "P*9b" not in legal(at(pinned))


def test_h8_uchifuzume_holds_for_gote_too():
    position = at("9/9/9/9/9/9/7g1/9/7NK w p 1")
    assert refused(position, "P*1h") == "H8 uchifuzume"
