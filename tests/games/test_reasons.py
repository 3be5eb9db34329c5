"""Why a move is good, in one plain fact: what each game says, and that it is so."""

import random

import pytest

from games.core import read_move
from games.core.shelf import find_game
from tests.games.reason_proofs import wrong

SHOGI = [
    # A rook that nothing guards is taken for nothing.
    ("4k4/9/9/4r4/9/9/4R4/9/4K4 b - 1", "5g5d", "free", ("5d",)),
    # A gold guarded by another falls to a knight.
    ("4k4/4g4/4g4/9/3N5/9/9/9/4K4 b - 1", "6e5c+", "gains", ("5c",)),
    # The knight stands where it hits king and rook, and nobody reaches it.
    ("4k1r2/9/9/9/9/9/9/9/4K4 b N 1", "N*4c", "forks", ("5a", "3a")),
    # The same silver would be taken by the king, and forks nothing.
    ("4k1r2/9/9/9/9/9/9/9/4K4 b S 1", "S*4b", "checks", ("5a",)),
    # A bishop threatened by a pawn steps aside.
    ("4k4/9/9/4p4/4B4/9/9/9/K8 b - 1", "5e9a+", "saves", ("5e",)),
    ("4k4/9/9/9/g8/9/9/9/4K4 b L 1", "L*9g", "threatens", ("9e",)),
    # The pawn will carry a gold, and the king has nowhere to go.
    ("4k4/9/9/4P4/9/9/9/9/4K4 b G 1", "5d5c", "mates-next", ("5b",)),
    ("k8/5s3/5p3/9/4N4/9/9/9/4K4 b - 1", "5e4c", "takes", ("4c",)),
    ("4k4/P8/9/9/9/9/9/9/4K4 b - 1", "9b9a+", "promotes", ("9a",)),
    ("4k4/6g2/6p2/9/9/9/9/9/4K4 b S 1", "S*2d", "attacks", ("3c",)),
    ("4k4/9/9/9/9/9/P8/9/4K4 b L 1", "L*9i", "guards", ("9g",)),
    ("4k4/9/9/9/9/9/9/9/K8 b - 1", "9i8h", "frees", ("8h",)),
]


@pytest.mark.parametrize(("sfen", "usi", "key", "cells"), SHOGI)
def test_shogi_says_what_is_won_forked_saved_and_threatened(sfen, usi, key, cells):
    game = find_game("shogi")
    position = game.notation.read(sfen, game.chosen({}))
    move = read_move(game, position, 0, usi)
    reason = game.asking.reason(position, 0, move)
    assert reason.words.key == f"shogi.reason.{key}"
    assert reason.cells == cells
    assert not wrong(game, position, move, reason)


def test_niya_says_which_card_is_denied():
    game = find_game("niya")
    text = "R,R,R,L3/A,A,M1,M2/M3,A,V1,V2/O1,O2,V3,L2 A L1"
    position = game.notation.read(text, game.chosen({}))
    reason = game.asking.reason(position, 1, read_move(game, position, 1, "L3"))
    assert (reason.words.key, reason.cells) == ("niya.reason.denies", ("L3",))


@pytest.mark.parametrize(
    ("tps", "ply", "cells"),
    [
        # A cirya and the hallacirya complete the route, both on e1: one stone stops both.
        ("x5/x5/2,2,2,x2/x5/1,1,1,x2 1 4", "d1", ("e1",)),
        # b3 threatens both a3 … e3 by c3 and b1 … b5 by b5, and c3 by the hallacirya too.
        ("x2,2,x2/x,1,x,2,x/1,x2,1,1/2,1,x,2,2/x,1,x3 1 9", "b3", ("b5", "c3")),
    ],
)
def test_cirya_counts_the_places_that_complete_a_route(tps, ply, cells):
    game = find_game("cirya")
    position = game.notation.read(tps, game.chosen({}))
    reason = game.asking.reason(position, 0, read_move(game, position, 0, ply))
    assert reason.words.key == "cirya.reason.threatens"
    assert dict(reason.words.args)["n"] == len(cells)
    assert set(reason.cells) == set(cells)
    assert not wrong(game, position, read_move(game, position, 0, ply), reason)


@pytest.mark.parametrize(
    ("key", "text", "seat", "move", "told"),
    [
        ("cirya", "x5/x5/x5/x5/x5 1 1", 0, "e5", "corners"),
        ("cirya", "x5/x5/x,1,x3/x,1,x3/x,1,x,2,2 1 4", 0, "a2", "joins"),
        ("cirya", "x5/x5/x,2,x3/x,2,x3/1,2,x2,1 1 4", 0, "b4", "hinders"),
        ("cirya", "1,x4/x5/x5/x5/x4,2 1 2", 0, "b5", "nears"),
        ("parchis", "A=71,28,1,1 R=72,1,72,0 A d1 0 - -", 0, "A1>meta", "arrives"),
        ("parchis", "A=64,28,1,1 R=72,1,72,0 A d1 0 - -", 0, "A1>p1", "enters"),
        ("parchis", "A=10,0,0,0 R=5,0,0,0 R d3 0 - -", 1, "R1>46", "shelters"),
        ("parchis", "A=72,6,0,72 R=72,72,54,49 R d5 0 - -", 1, "R4>24", "bars"),
        ("parchis", "A=18,0,0,0 R=13,1,0,0 R d6 0 - -", 1, "R2>45", "clear"),
    ],
)
def test_a_quiet_move_is_good_for_something_too(key, text, seat, move, told):
    game = find_game(key)
    position = game.notation.read(text, game.chosen({}))
    played = read_move(game, position, seat, move)
    reason = game.asking.reason(position, seat, played)
    assert reason.words.key == f"{key}.reason.{told}"
    assert not wrong(game, position, played, reason)


def test_what_is_not_so_is_found():
    game = find_game("shogi")
    position = game.notation.read(SHOGI[0][0], game.chosen({}))
    move = read_move(game, position, 0, "5g5e")
    taken = game.asking.reason(position, 0, read_move(game, position, 0, "5g5d"))
    assert wrong(game, position, move, taken)


@pytest.mark.parametrize(
    ("key", "plies"),
    [("niya", 40), ("parchis", 300), ("cirya", 40), ("shogi", 90), ("storilljudhjorrayc", 40)],
)
def test_every_reason_of_a_game_at_random_is_so(key, plies):
    game, lot = find_game(key), random.Random(39)
    options = {"setup": "fixed"} if key == "storilljudhjorrayc" else {}
    position, told = game.start(game.setting(options)), set()
    for _ in range(plies):
        if not position.actors():
            break
        seat = min(position.actors())
        move = lot.choice(position.legal_moves(seat))
        reason = game.asking.reason(position, seat, move) if seat >= 0 else None
        if reason is not None:
            told.add(reason.words.key)
            assert not wrong(game, position, move, reason)
        position = position.after(move)
    assert told, "a game in which nothing was said proves nothing"
