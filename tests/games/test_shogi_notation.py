"""H23: how moves and positions of shogi are written, typed and refused."""

from __future__ import annotations

import random

import pytest

from bot.texts import LANGUAGES, language
from games.core import Ambiguous, Unreadable, read_aside, read_move
from games.shogi import GAME
from games.shogi.formats.kif import ki2
from games.shogi.piece_and_move_names import KANJI, NAMES
from games.shogi.wishes import KINDS_JA
from tests.games.random_walks import random_setting, walk
from tests.games.shogi_boards import EVEN, at, begun, legal, played, refused

OPEN = "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 3"


def read(position, text: str) -> str:
    """The USI of the move that *text* is read as."""
    return GAME.notation.written(position, read_move(GAME, position, position.turn, text))


# What is typed.


@pytest.mark.parametrize(
    "text",
    [
        *("7g7f", "7G7F", "７ｇ７ｆ", " 7g 7f ", "7776", "P-7f", "p7f", "P-76", "P7g-7f", "P7g7f"),
        *("７六歩", "76歩", "7六歩", "▲７六歩", "☗７六歩(77)", "７六歩（７７）", "７六歩兵"),
        *("+7776FU", "7776FU"),
    ],
)
def test_a_move_may_be_typed_in_many_ways(text):
    assert read(begun(), text) == "7g7f"


@pytest.mark.parametrize(
    "text", ["8h2b+", "Bx2b+", "B-2b+", "B8hx2b+", "２二角成", "２二角成(88)", "+8822UM", "22角成"]
)
def test_a_promotion_is_typed_with_a_plus_or_nari(text):
    assert read(at(OPEN), text) == "8h2b+"


@pytest.mark.parametrize(
    "text", ["8h2b", "8h2b=", "Bx2b=", "２二角不成", "２二角生", "２二角(88)", "+8822KA"]
)
def test_declining_to_promote_is_typed_with_an_equals_sign_or_narazu(text):
    assert read(at(OPEN), text) == "8h2b"


@pytest.mark.parametrize("text", ["Bx2b", "２二角", "B-2b"])
def test_where_promotion_is_a_choice_leaving_it_out_is_ambiguous(text):
    with pytest.raises(Ambiguous) as ambiguous:
        read(at(OPEN), text)
    assert set(ambiguous.value.fits) == {"8h2b+", "8h2b"}


@pytest.mark.parametrize(
    "text", ["P*5e", "p*5e", "P'5e", "５五歩打", "５五歩", "+0055FU", "P*55", "Ｐ＊５ｅ"]
)
def test_a_drop_may_be_typed_in_many_ways(text):
    assert read(at("4k4/9/9/9/9/9/9/9/4K4 b P 1"), text) == "P*5e"


def test_a_piece_on_the_board_goes_before_one_in_hand_unless_utsu_is_said():
    position = at("4k4/9/9/9/9/9/4G4/9/4K4 b G 1")
    assert read(position, "５六金") == "5g5f"
    assert read(position, "５六金打") == "G*5f"
    assert read(position, "G-5f") == "5g5f"
    assert read(position, "G*5f") == "G*5f"
    assert read(position, "４五金") == "G*4e"


def test_dou_means_the_square_of_the_last_move_where_it_is_known():
    position = played(begun(), "7g7f 3c3d 8h2b+")
    assert read(position, "同銀") == "3a2b"
    assert read(position, "同　銀(31)") == "3a2b"
    assert refused(begun(), "同歩") == "H23 unread"


def test_two_golds_are_told_apart_by_origin_or_by_words():
    with pytest.raises(Ambiguous) as ambiguous:
        read(begun(), "G-5h")
    assert set(ambiguous.value.fits) == {"4i5h", "6i5h"}
    assert read(begun(), "G4i-5h") == "4i5h"
    assert read(begun(), "５八金右") == "4i5h"
    assert read(begun(), "５八金左") == "6i5h"
    assert read(played(begun(), "7g7f"), "５二金右") == "6a5b"
    with pytest.raises(Ambiguous):
        read(begun(), "５八金上")


MANNERS = "4k4/9/9/9/9/3+P1+P3/3+P+P+P3/9/4K4 b - 1"


@pytest.mark.parametrize(
    ("text", "usi"),
    [
        ("５六と直", "5g5f"),
        ("５六と左上", "6g5f"),
        ("５六と右上", "4g5f"),
        ("５六と左寄", "6f5f"),
        ("５六と右寄", "4f5f"),
        ("５八と引", "5g5h"),
    ],
)
def test_the_words_of_ki2_tell_pieces_apart(text, usi):
    assert read(at(MANNERS), text) == usi


def test_a_bishop_named_in_full_is_no_bishop_that_goes_forwards():
    assert read(at("9/9/9/9/4B4/9/9/9/9 b - 1"), "６六角行") == "5e6f"
    forwards = at("9/9/9/9/4B4/9/2B6/9/9 b - 1")
    assert read(forwards, "６六角行") == "7g6f"
    assert read(forwards, "６六角引") == "5e6f"


JAPANESE = {
    *(("全", "+S"), ("成銀", "+S"), ("圭", "+N"), ("今", "+N"), ("成桂", "+N"), ("杏", "+L")),
    *(("仝", "+L"), ("成香", "+L"), ("と", "+P"), ("个", "+P"), ("と金", "+P"), ("龍", "+R")),
    *(("竜", "+R"), ("龍王", "+R"), ("竜王", "+R"), ("馬", "+B"), ("龍馬", "+B"), ("竜馬", "+B")),
    *(("飛", "R"), ("飛車", "R"), ("王", "K"), ("玉", "K"), ("王将", "K"), ("玉将", "K")),
    *(("金", "G"), ("金将", "G"), ("銀", "S"), ("銀将", "S"), ("香", "L"), ("香車", "L")),
    *(("歩", "P"), ("歩兵", "P")),
}


@pytest.mark.parametrize(("sign", "piece"), sorted(JAPANESE))
def test_every_japanese_name_of_the_seed_is_understood(sign, piece):
    assert read(at(f"9/9/9/9/9/4{piece}4/9/9/9 b - 1"), f"５五{sign}") == "5f5e"


def test_so_are_those_of_the_bishop_and_the_knight():
    assert read(at("9/9/9/9/9/3B5/9/9/9 b - 1"), "５五角") == "6f5e"
    for sign in ("桂", "桂馬"):
        assert read(at("9/9/9/9/9/9/4N4/9/9 b - 1"), f"４五{sign}") == "5g4e"


def test_no_japanese_name_means_two_kinds():
    assert len(KANJI) == len(NAMES) == 14
    assert set(KINDS_JA.values()) == set(KANJI)


def fits(position, way) -> tuple[str, ...]:
    try:
        return (read(position, way),)
    except Ambiguous as several:
        return several.fits


def test_nothing_that_is_spelled_means_another_move():
    rng = random.Random(4)
    for _ in range(6):
        *_, (position, _) = walk(GAME, random_setting(GAME, rng), rng, rng.randrange(40, 160))
        for play in position.legal_moves(position.turn)[:40]:
            for way in GAME.notation.spellings(position, play):
                assert GAME.notation.written(position, play) in fits(position, way)


@pytest.mark.slow
def test_ki2_words_lead_back_to_the_move_they_were_made_for():
    rng = random.Random(9)
    seen = 0
    for _ in range(6):
        for position, _ in walk(GAME, GAME.setting(), rng, 180):
            for play in list(position.legal_moves(position.turn))[::11]:
                try:
                    text = ki2(position, play)
                except Unreadable:
                    continue
                seen += any(word in text for word in "右左直上行寄引打")
                assert read(position, text) == GAME.notation.written(position, play), (
                    text,
                    GAME.notation.text(position),
                )
    assert seen > 120


def test_asides_are_typed_by_their_names():
    both = at("3K5/9/9/9/9/9/9/9/3k5 b - 1")
    for text in ("jishogi", "Jishōgi", "持将棋"):
        assert read_aside(GAME, both, 1, text).what == "jishogi"
    offered = both.after(read_aside(GAME, both, 1, "jishogi"))
    assert read_aside(GAME, offered, 0, "sí").what == "jishogi-yes"
    assert read_aside(GAME, offered, 0, "no").what == "jishogi-no"


# Why not.


@pytest.mark.parametrize(
    ("sfen", "text", "why"),
    [
        (EVEN, "hola", "H23 unread"),
        (EVEN, "5e5d", "H3 not-yours"),
        (EVEN, "3c3d", "H3 not-yours"),
        (EVEN, "G7g-7f", "H3 other-piece"),
        (EVEN, "9i9g", "H3 own-piece"),
        (EVEN, "8h2b", "H3 blocked"),
        (EVEN, "2h2b", "H3 blocked"),
        (EVEN, "7g7e", "H4 no-way"),
        (EVEN, "8i8g", "H3 own-piece"),
        (EVEN, "+R-5e", "H4 none-on-board"),
        (EVEN, "7g7f+", "H5 no-promotion"),
        (EVEN, "K*5e", "H7 never-in-hand"),
        (EVEN, "P*5e", "H7 not-in-hand"),
        (EVEN, "５五金", "H4 no-way"),
        ("4k4/9/9/4p4/4P4/9/9/9/4K4 b - 1", "7g7f", "H3 not-yours"),
        ("4k4/9/4G4/9/9/9/9/9/4K4 b - 1", "5c5b+", "H5 no-promotion"),
        ("4k4/9/9/9/9/9/9/9/4K4 b P 1", "P*5a", "H7 occupied"),
        ("4k4/9/9/9/4r4/9/9/9/4K4 b P 1", "K-5h", "H9 check"),
        ("4k4/9/9/9/4r4/9/9/9/4K4 b G 1", "G*1a", "H9 check"),
    ],
)
def test_a_refusal_names_the_rule_and_says_why(sfen, text, why):
    assert refused(at(sfen), text) == why


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_refusal_has_a_sentence_that_fits_a_chat(code):
    rng = random.Random(11)
    kinds = set()
    for _ in range(12):
        *_, (position, _) = walk(GAME, random_setting(GAME, rng), rng, rng.randrange(100))
        if position.outcome():
            continue
        for _ in range(60):
            start, target = (f"{rng.randint(1, 9)}{rng.choice('abcdefghi')}" for _ in range(2))
            text = rng.choice([f"{rng.choice('PLNSGBR')}*{target}", start + target, f"+R-{target}"])
            if text in legal(position):
                continue
            refusal = GAME.speech.refusal(position, position.turn, text)
            kinds.add(refusal.phrase.key)
            said = language(code).say(refusal.phrase)
            assert said[0].isupper() or said[0].isdigit()
            assert said.endswith(".")
            assert len(said) < 240
    assert len(kinds) > 6


# Positions.


@pytest.mark.parametrize(
    "text",
    [
        *(EVEN, f"sfen {EVEN}", f"position sfen {EVEN}", "startpos", "position startpos"),
        *(EVEN.removesuffix(end) for end in (" 1", " - 1", " b - 1")),
    ],
)
def test_sfen_is_read_with_its_words_and_without_its_end(text):
    assert at(text) == begun()


def test_what_sfen_cannot_say_stands_behind_it():
    offered = at("3K5/9/9/9/9/9/9/9/3k5 b - 1 jishogi=w")
    assert [aside.what for aside in offered.asides(0)] == ["jishogi-yes", "jishogi-no"]
    touched = at(f"{EVEN} touched=2h", illegal="same_piece")
    assert {move[:2] for move in legal(touched)} == {"2h"}
    over = at(f"{EVEN} end=perpetual:w")
    assert over.outcome().winner == 1
    for position in (offered, touched, over):
        text = GAME.notation.text(position)
        assert GAME.notation.text(GAME.notation.read(text, GAME.chosen({}))) == text


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("", "sfen"),
        ("hola", "sfen"),
        ("9/9 b - 1", "sfen"),
        (EVEN.replace("9/9/9", "9/8/9"), "rank"),
        (EVEN.replace("9/9/9", "9/91/9"), "rank"),
        (EVEN.replace("lnsg", "lnxg"), "piece"),
        (EVEN.replace("lnsg", "ln+g"), "piece"),
        (EVEN.replace("9/9/9", "9/4+K4/9"), "piece"),
        (EVEN.replace(" b ", " x "), "turn"),
        (EVEN.replace(" - ", " K "), "hand"),
        (EVEN.replace(" - ", " 0P "), "hand"),
        (EVEN.replace(" - ", " P "), "too-many"),
        (EVEN.replace("9/9/9", "9/4K4/9"), "too-many"),
        (EVEN.replace(" - 1", " - x"), "number"),
        (f"{EVEN} jishogi=x", "mark"),
        (f"{EVEN} end=nothing:b", "mark"),
        (f"{EVEN} touched=5e", "mark"),
        (f"{EVEN} colour=red", "mark"),
        ("4k4/9/9/9/9/9/9/9/4RK3 b - 1", "exposed"),
        ("9" * 500, "sfen"),
    ],
)
def test_a_text_that_is_no_position_is_refused_with_a_sentence(text, key):
    with pytest.raises(Unreadable) as unreadable:
        at(text)
    assert unreadable.value.phrase.key == f"shogi.unreadable.{key}"
    assert all(language(code).say(unreadable.value.phrase) for code in LANGUAGES)
