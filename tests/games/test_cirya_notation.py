"""R5: plies and positions as text, PTN's and TPS's, in and out."""

import pytest

from bot.texts import LANGUAGES, language
from games.cirya import GAME
from games.cirya.move_types import Said, Shift
from games.core import IllegalMove, Unreadable, read_move
from tests.games.cirya_positions import at, play
from tests.games.cirya_records import SWAN


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("(12)a5>(9)21", "(12)a5>(9)(2)(1)"),
        ("(12)a5>(10)11", "(12)a5>(10)(1)(1)"),
        ("3a5>(2)1'", "3a5>21'"),
        ("(12)a5>921", "(12)a5>921"),
    ],
)
def test_brackets_may_stand_where_they_are_not_needed(typed, meant):
    assert GAME.notation.tidied(play("e5 a1"), typed) == meant


@pytest.mark.parametrize(
    ("typed", "written"),
    [
        ("c3", "c3"),
        ("Fc3", "c3"),
        ("C3", "c3"),
        ("Sc3", "Sc3"),
        ("Tc3", "Sc3"),
        ("tc3", "Sc3"),
        ("Cc3", "Cc3"),
        ("Hc3", "Cc3"),
        (" h c3 ", "Cc3"),
        ("a1>", "a1>"),
        ("1a1>", "a1>"),
        ("1a1>1", "a1>"),
        ("a1>1", "a1>"),
        ("a1>!?", "a1>"),
        ("c3!!", "c3"),
    ],
)
def test_r5_what_may_be_typed_for_a_ply(typed, written):
    position = play("e5 a1")
    assert GAME.notation.written(position, read_move(GAME, position, SWAN, typed)) == written


@pytest.mark.parametrize("typed", ["3a3>12", "3A3>12", "3a3>12*", "3a3>12 !"])
def test_r5_a_move_with_drops(typed):
    position = at("x5/x5/121,x4/x5/x4,2 1 9")
    assert read_move(GAME, position, SWAN, typed) == Shift(10, ">", (1, 2))


def test_r5_a_single_drop_and_a_count_of_one_are_left_out():
    position = at("x5/x5/121,x4/x5/x4,2 1 9")
    assert GAME.notation.written(position, read_move(GAME, position, SWAN, "3a3>3")) == "3a3>"
    assert GAME.notation.written(position, read_move(GAME, position, SWAN, "1a3>1")) == "a3>"


def test_r5_ten_and_more_are_written_in_brackets_and_read_without_where_clear():
    position = at("x5/x5/x2,222222222221,x2/x5/x4,2 1 22")
    move = read_move(GAME, position, SWAN, "(12)c3>75")
    assert GAME.notation.written(position, move) == "(12)c3>(7)(5)"
    assert read_move(GAME, position, SWAN, "(12)c3>(7)(5)") == move


@pytest.mark.parametrize(
    ("typed", "said"),
    [("c3'", Said.LONDE), ("c3’", Said.LONDE), ('c3"', Said.LONDETURE), ("c3''", Said.LONDETURE)],
)
def test_r5_the_mark_of_tak_is_the_announcement(typed, said):
    position = play("e5 a1")
    move = read_move(GAME, position, SWAN, typed)
    assert move.said is said
    assert GAME.notation.written(position, move) == f"c3{said}"


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("z9", "C2"),
        ("f1", "C2"),
        ("Se5", "C6"),
        ("b1>", "C7"),
        ("e5<", "C7"),
        ("2a1>", "C8"),
        ("a1<", "C8"),
        ("a1>2", "C8"),
        ("0a1>", "C8"),
        ("hello", "R5"),
        ("", "R5"),
        ("1", "R5"),
        ("(99)a1>(99)", "C8"),
        ("e5'", "C6"),
        ("b3''\"", "R5"),
    ],
)
def test_r5_a_refusal_names_the_rule_and_has_words(text, rule):
    position = play("e5 a1")
    with pytest.raises(IllegalMove) as error:
        read_move(GAME, position, SWAN, text)
    assert error.value.refusal.rule == rule
    for code in LANGUAGES:
        assert language(code).say(error.value.refusal.phrase, {0: "Ana", 1: "Ben"})


# -- positions ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "tps",
    [
        "x5/x5/x5/x5/x5 1 1",
        "x4,1/x5/x,12C,2S,x2/x5/2,x3,1 2 5",
        "2,2,21S,2,2,2/2,x,222221,2,2,x/1,1,2221C,x,111112C,2S/x,1,2S,x2,121211212"
        "/1,1,1212S,1S,2,1S/x2,2,1,21,1 1 42",
    ],
)
def test_r5_tps_is_written_as_it_was_read(tps):
    assert GAME.notation.text(at(tps)) == tps


def test_r5_tps_with_other_blanks_and_gaps_is_read_too():
    assert GAME.notation.text(at("  x1,x4/x2,x3/x5/x5/x5   2  7 ")) == "x5/x5/x5/x5/x5 2 7"


@pytest.mark.parametrize(
    "tps",
    [
        "",
        "x5/x5/x5/x5/x5",
        "x5/x5/x5/x5/x5 3 1",
        "x5/x5/x5/x5/x5 1 0",
        "x5/x5/x5/x5/x5 1 ١",
        "x5/x5/x5/x5/x4 1 1",
        "x5/x5/x5/x5/x6 1 1",
        "x5/x5/x5/x5/x4,3 1 1",
        "x5/x5/x5/x5/x4,S 1 1",
        "x5/x5/x5/x5/x4,1C2 1 1",
        "x2/x2 1 1",
        "/".join(["x9"] * 9) + " 1 1",
        f"x5/x5/x5/x5/x4,{'1' * 22} 1 30",
        "x5/x5/x5/x5/x3,1C,1C 1 9",
        "1" * 5000,
    ],
)
def test_r5_what_is_no_tps_gets_a_sentence(tps):
    with pytest.raises(Unreadable) as error:
        at(tps)
    for code in LANGUAGES:
        assert 10 < len(language(code).say(error.value.phrase)) < 200


def test_r5_the_width_comes_from_the_text_and_the_customs_from_the_options():
    position = at("x4/x4/x4/x4 1 1", size="6", capstone_4x4="yes")
    assert position.board.hallaciryar == (1, 1)
    assert at("x3/x3/x3 1 1").board.ciryar == (10, 10)


# -- whole games --------------------------------------------------------------------------
