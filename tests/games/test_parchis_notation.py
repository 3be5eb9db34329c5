"""How Parchís is written and typed (B14), clicked, labelled and refused."""

from __future__ import annotations

import random

import pytest

from bot.texts import LANGUAGES, language
from games.core import CHANCE, Ambiguous, IllegalMove, Unreadable, pick, read_move
from games.parchis import GAME
from tests.games import parchis_random_positions
from tests.games.parchis_tools import at, fresh, moves, pieces, play

DIE = "A=10,10,70,1 Z=7,0,0,0 R=49,49,0,0 A d4 0 - -"


def refused(position, text):
    (seat,) = position.actors()
    with pytest.raises(IllegalMove) as caught:
        read_move(GAME, position, seat, text)
    return caught.value.refusal


# -- moves -----------------------------------------------------------------------------


def test_b14_piece_and_arrival():
    assert moves(at("A=10,68,66,0 R=0,0,0,0 A d4 0 - -")) == ["A1>18", "A2>meta", "A3>p6"]


def test_b14_of_twins_the_lower_number_moves():
    position = at("A=30,10,30,10 R=0,0,0,0 A d2 0 - -")
    assert moves(position) == ["A1>36", "A2>16"]
    assert GAME.notation.written(position, read_move(GAME, position, 0, "A3>36")) == "A1>36"
    assert GAME.notation.written(position, read_move(GAME, position, 0, "a4")) == "A2>16"


def test_b14_at_home_the_lowest_number_comes_out():
    assert moves(at("A=30,0,72,0 R=0,0,0,0 A d5 0 - -")) == ["A2>5"]


@pytest.mark.parametrize(
    "typed",
    [
        "A1>33xR1",
        "a1>33xr1",
        "A1 > 33",
        "a1→33",
        "A1->33",
        "A1",
        "33",
        "Ａ１＞３３",
        " a 1 > 33 x r1",
    ],
)
def test_b14_a_move_may_be_typed_in_many_ways(typed):
    position = at("A=27,40,0,0 R=63,0,0,0 A d2 0 - -")
    assert GAME.notation.written(position, read_move(GAME, position, 0, typed)) == "A1>33xR1"


def test_b14_an_arrival_that_fits_two_pieces_is_ambiguous():
    # The piece on p7 bounces to p6; so does the one on p4 with 2: told apart by the piece.
    position = at("A=71,69,72,72 R=0,0,0,0 A d2 0 - -")
    assert moves(position) == ["A1>p7", "A2>p7"]
    with pytest.raises(Ambiguous):
        read_move(GAME, position, 0, "p7")


@pytest.mark.parametrize(
    "typed",
    [
        *("tirar", "TIRAR", "tira", "roll", "dado", "tira el dado", "¡Tira los dados!"),
        *("lanzo el dado", "tirá", "roll the dice", "Throw the die."),
    ],
)
def test_b14_the_roll_may_be_typed(typed):
    position = at("A=1,0,0,0 R=0,0,0,0 A ! 0 - -")
    assert GAME.notation.written(position, read_move(GAME, position, 0, typed)) == "tirar"


@pytest.mark.parametrize("typed", ["--", "—", "paso", "pass"])
def test_b14_the_pass_may_be_typed(typed):
    position = at("A=0,0,0,0 R=0,0,0,0 A d3 0 - -")
    assert GAME.notation.written(position, read_move(GAME, position, 0, typed)) == "--"


# -- positions -------------------------------------------------------------------------


def test_b14_the_text_of_the_rule_book_is_read_and_written():
    text = "A=0,1,14,72 R=0,0,0,8 A d6 2 A3 -"
    assert GAME.notation.text(at(text)) == text


def test_b14_texts_of_played_positions_are_read_back():
    rng = random.Random(14)
    for _ in range(150):
        options, position = parchis_random_positions.played(rng, rng.randrange(900))
        assert GAME.notation.read(GAME.notation.text(position), options) == position


def test_b14_a_silent_text_takes_the_piece_named_last_for_the_last_arrived():
    assert GAME.notation.text(at("A=1,0,0,0 Z=52,0,0,0 A d5 0 - -")).endswith("5:Z1")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "A=0,0,0,0 A ! 0 - -",
        "A=0,0,0,0 R=0,0,0,0 A ! 0 -",
        "R=0,0,0,0 A=0,0,0,0 A ! 0 - -",
        "A=0,0,0,0 A=0,0,0,0 A ! 0 - -",
        "A=0,0,0,73 R=0,0,0,0 A ! 0 - -",
        "A=0,0,0 R=0,0,0,0 A ! 0 - -",
        "A=0,0,0,0 R=0,0,0,0 Z ! 0 - -",
        "A=0,0,0,0 R=0,0,0,0 A d7 0 - -",
        "A=0,0,0,0 R=0,0,0,0 A +30 0 - -",
        "A=0,0,0,0 R=0,0,0,0 A ! 3 - -",
        "A=0,0,0,0 R=0,0,0,0 A ! 1 A1 -",
        "A=1,0,0,0 R=0,0,0,0 A ! 1 R1 -",
        "A=7,7,7,0 R=0,0,0,0 A ! 0 - -",
        "A=2,0,0,0 R=36,0,0,0 A ! 0 - -",
        "A=72,72,72,72 R=1,0,0,0 R ! 0 - -",
        "A=72,72,72,1#1 R=1,0,0,0 R ! 0 - -",
        "A=72,72,72,72#1 R=1,0,0,0 R ! 0 - -",
        "A=72,72,72,72#2 Z=1,0,0,0 R=1,0,0,0 R ! 0 - -",
        "A=72,72,72,72#1 Z=1,0,0,0 R=1,0,0,0 A ! 0 - -",
        "A=72,72,72,72#1 Z=1,0,0,0 R=1,0,0,0 - - 0 - -",
        "A=1,0,0,0 R=1,0,0,0 - - 0 - -",
        "A=1,0,0,0 Z=52,0,0,0 A ! 0 - 5:A2",
        "A=1,0,0,0 Z=51,0,0,0 A ! 0 - 5:A1",
        "A=1,0,0,0 Z=51,0,0,0 A ! 0 - nonsense",
        "A=0,0,0,0* R=0,0,0,0 A ! 0 - -",
        "A=0,0,0,0 R=0,0,0,0 A o 0 - -",
        "A=0,0,0,0 R=0,0,0,0 A o 0 - A:4,R:?",
        "A=1,0,0,0 R=0,0,0,0 A o 0 - A:?,R:?",
        "A=0,0,0,0 R=0,0,0,0 A o 0 - A:?",
        "A=0,0,0,0 R=0,0,0,0 A o 0 - A:?,Z:?",
        "A=٣,0,0,0 R=0,0,0,0 A ! 0 - -",
        "A=0,0,0,0 " * 100,
    ],
)
def test_b14_a_text_that_is_no_position_gets_a_sentence(text):
    with pytest.raises(Unreadable) as caught:
        at(text)
    for code in LANGUAGES:
        assert language(code).say(caught.value.phrase)


def test_b14_the_rolls_for_the_start_are_written_too():
    position = play(fresh("yellow", "blue", "green"), "d3")
    text = "A=0,0,0,0 Z=0,0,0,0 V=0,0,0,0 Z o 0 - A:3,Z:?,V:?"
    assert GAME.notation.text(position) == text
    assert at(text) == position
    assert position.actors() == {CHANCE}


# -- clicks and words ------------------------------------------------------------------


def test_one_click_moves_a_piece():
    position = at("A=27,40,0,0 R=63,0,0,0 A d2 0 - -")
    assert pick(GAME, position, 0).options == ("A1", "A2")
    assert GAME.notation.written(position, pick(GAME, position, 0, ["A1"])) == "A1>33xR1"


LABELS = [
    (
        "A=27,40,0,0 R=63,0,0,0 A d2 0 - -",
        "A1",
        "A1 → 33, come R1, +20",
        "Y1 → 33, captures R1, +20",
    ),
    ("A=68,1,0,0 R=0,0,0,0 A d4 0 - -", "A1", "A1 → meta, +10", "Y1 → goal, +10"),
    (
        "A=68,72,72,72 R=0,0,0,0 A d4 0 - -",
        "A1",
        "A1 → meta, ¡y termina!",
        "Y1 → goal, and that is all four!",
    ),
    ("A=70,1,0,0 R=0,0,0,0 A d3 0 - -", "A1", "A1 → p7, rebota", "Y1 → p7, bounces"),
    ("A=10,10,0,0 R=0,0,0,0 A d6 0 - -", "A1", "A1 → 20, abre barrera", "Y1 → 20, barrier opens"),
    ("A=10,12,0,0 R=0,0,0,0 A d2 0 - -", "A1", "A1 → 16, hace barrera", "Y1 → 16, barrier forms"),
    ("A=10,0,0,0 R=0,0,0,0 A d3 0 - -", "A1", "A1 → 17, a salvo", "Y1 → 17, safe"),
    ("A=0,0,0,0 R=0,0,0,0 A d5 0 - -", "A1", "A1 sale a la 5", "Y1 out to 5"),
    (
        "A=1,0,0,0 Z=52,0,0,0 A d5 0 - -",
        "A2",
        "A2 sale a la 5, come Z1, +20",
        "Y2 out to 5, captures B1, +20",
    ),
    (
        "A=10,0,0,0 R=0,0,0,0 A d6 2 A1 -",
        "A1",
        "tercer seis: A1 vuelve a casa",
        "third six: Y1 goes home",
    ),
    (
        "A=0,0,0,0 R=0,0,0,0 A d3 0 - -",
        "--",
        "no puede mover con el 3, y pasa",
        "can’t move with the 3, and passes",
    ),
]


@pytest.mark.parametrize(("text", "step", "spanish", "english"), LABELS)
def test_a_label_names_piece_arrival_and_consequence(text, step, spanish, english):
    said = GAME.menus.label(at(text), 0, (), step)
    assert language("es").say(said) == spanish
    assert language("en").say(said) == english


def test_labels_are_short():
    rng = random.Random(40)
    for _ in range(300):
        options, text = parchis_random_positions.strewn(rng)
        position = GAME.notation.read(text, options)
        for seat in position.actors() - {CHANCE}:
            for move in position.legal_moves(seat):
                label = GAME.menus.label(position, seat, (), GAME.menus.steps(position, move)[0])
                for code in LANGUAGES:
                    assert len(language(code).say(label)) <= 40, text


def test_the_log_names_the_square_that_was_left():
    position = at("A=27,40,0,0 R=63,0,0,0 A d2 0 - -")
    said = GAME.speech.spoken(position, read_move(GAME, position, 0, "A1"))
    assert language("es").say(said) == "A1 de la 31 a la 33, come R1, +20"


@pytest.mark.parametrize(("text", "again"), [("d6 1 - -", True), ("d4 0 - -", False)])
def test_a_six_that_moves_says_that_its_player_rolls_again(text, again):
    position = at(f"A=10,0,0,0 R=40,0,0,0 A {text}")
    said = GAME.speech.spoken(position, position.legal_moves(0)[0])
    spanish = language("es")
    assert spanish.say(said).endswith(", y vuelve a tirar") == again
    assert spanish.say(spanish.of_reader(said)).endswith(", y vuelves a tirar") == again


REFUSALS = [
    ("A=1,0,0,0 R=0,0,0,0 A ! 0 - -", "A1>6", "P3"),
    (DIE, "tirar", "P3"),
    (DIE, "Z1>30", "P1"),
    (DIE, "--", "P4"),
    (DIE, "A1>20", "P8"),
    ("A=10,0,0,0 R=0,0,0,0 A d3 0 - -", "A2>5", "P5"),
    ("A=10,72,0,0 R=0,0,0,0 A d3 0 - -", "A2", "P5"),
    ("A=23,10,0,0 Z=9,9,0,0 A d3 0 - -", "A1>30", "P6"),
    ("A=10,0,0,0 R=0,0,0,0 A d5 0 - -", "A1>19", "P7"),
    ("A=1,1,0,0 R=0,0,0,0 A d5 0 - -", "A3>5", "P7"),
    ("A=10,0,0,0 R=0,0,0,0 A d6 2 A1 -", "A1>20", "P9"),
    ("A=23,10,0,0 Z=9,9,0,0 A d4 0 - -", "A1>31", "P10"),
    ("A=10,10,30,0 R=0,0,0,0 A d6 0 - -", "A3>40", "P11"),
    ("A=10,0,0,0 R=0,0,0,0 A +20 0 A1 -", "A2>25", "B2"),
    ("A=10,70,0,0 R=0,0,0,0 A +20 0 A1 -", "A2>p6", "B4"),
]


@pytest.mark.parametrize(("text", "typed", "rule"), REFUSALS)
def test_a_refusal_knows_its_rule_and_does_not_say_its_number(text, typed, rule):
    refusal = refused(at(text), typed)
    assert refusal.rule == rule
    for code in LANGUAGES:
        assert rule not in language(code).say(refusal.phrase)


def test_p14_the_refusal_of_an_inexact_count():
    position = at("A=10,70,0,0 R=0,0,0,0 A d3 0 - -", overshoot="exact")
    assert refused(position, "A2>p6").rule == "P14"


def test_p16_the_refusal_of_a_pair_on_a_white_square():
    position = at("A=10,12,0,0 R=0,0,0,0 A d2 0 - -", barriers_only_safe="yes")
    assert refused(position, "A1>16").rule == "P16"


def test_a_refusal_names_the_square():
    assert refused(at("A=23,10,0,0 Z=9,9,0,0 A d4 0 - -"), "A1").squares == ("30",)


def test_nobody_is_moved_by_a_refusal():
    position = at(DIE)
    refused(position, "A1>20")
    assert pieces(position, "A") == "10,10,70,1"


def test_the_words_say_who_where_and_what_is_due():
    position = at("A=0,1,14,72 Z=0,66,52,8 R=0,0,49,49 A d6 1 A3 5:Z3")
    said = "\n".join(map(language("es").say, GAME.speech.describe(position)))
    for piece in ("Amarillo", "un 6", "A1 en casa", "A2 en la salida 5", "A3 en la 18"):
        assert piece in said
    for piece in ("A4 en la meta", "Z2 en la p2 del pasillo", "Z4 en el seguro 29"):
        assert piece in said
    assert "Barrera en la 19: R3 y R4" in said
    assert "La última que llegó a la 5 es Z3" in said
    assert "La última ficha movida en este turno es A3" in said


def test_different_crowded_positions_have_different_words():
    rng = random.Random(5)
    said = {}
    for _ in range(400):
        options, text = parchis_random_positions.strewn(rng)
        words = tuple(GAME.speech.describe(GAME.notation.read(text, options)))
        assert said.setdefault((words, tuple(options.items())), text) == text


NOTICES = [
    ("A=10,0,0,0 R=0,0,0,0 A d5 0 - -", ["Con un 5 hay que sacar ficha."]),
    ("A=10,10,0,0 R=0,0,0,0 A d6 0 - -", ["Con un 6 hay que abrir la barrera."]),
    ("A=10,1,2,3 R=0,0,0,0 A d6 0 - -", ["No quedan fichas en casa: el 6 cuenta 7."]),
    ("A=10,0,0,0 R=0,0,0,0 A ! 2 A1 -", ["Van dos seises: con otro, A1 vuelve a casa."]),
    ("A=66,0,0,0 R=0,0,0,0 A ! 2 A1 -", []),
    ("A=10,0,0,0 R=0,0,0,0 A d4 0 - -", []),
    ("A=10,0,0,0 R=0,0,0,0 A ! 0 - -", []),
    # Fifteen times somebody could not move and passed, and nothing said what they waited for.
    (
        "A=0,0,72,0 R=10,0,0,0 A ! 0 - -",
        ["Asiento 1 no tiene ninguna ficha en camino: con un 5 sale una."],
    ),
]


@pytest.mark.parametrize(("text", "expected"), NOTICES)
def test_notices_tell_duties_and_dangers(text, expected):
    assert list(map(language("es").say, GAME.speech.notices(at(text)))) == expected
    waits = [one.key for one in GAME.speech.describe(at(text))].count("parchis.notice.out")
    assert waits == any("sale una" in one for one in expected)


def told(text: str, code: str = "es") -> str:
    return " ".join(map(language(code).say, GAME.speech.describe(at(text))))


def test_who_can_be_captured_by_one_throw_is_told_with_the_distance():
    assert "R1 (a 4) puede comer a A1." in told("A=10,0,0,0 R=40,0,0,0 A ! 0 - -")
    assert "R1 (4 away) and R2 (2 away) can take Y1." in told(
        "A=10,0,0,0 R=40,42,0,0 A ! 0 - -", "en"
    )


@pytest.mark.parametrize(
    "text",
    [
        "A=10,0,0,0 R=37,0,0,0 A ! 0 - -",  # Seven behind, and not all of red are out.
        "A=10,10,0,0 R=40,0,0,0 A ! 0 - -",  # A barrier.
        "A=13,0,0,0 R=46,0,0,0 A ! 0 - -",  # Past it.
        "A=8,0,0,0 R=38,0,0,0 A ! 0 - -",  # Safe on 12.
    ],
)
def test_who_cannot_be_captured_by_one_throw_is_not_told(text):
    assert "comer" not in told(text)


def test_seven_behind_is_near_where_nobody_is_at_home():
    assert "R1 (a 7) puede comer a A1." in told("A=10,0,0,0 R=37,70,71,69 A ! 0 - -")
