"""How Niya is written and said (S6)."""

import random

import pytest

from bot.texts import LANGUAGES, language
from games.core import CHANCE, Unreadable, pick, read_move, settle
from games.core.chance import public_draws
from games.niya import GAME
from games.niya.board import BY_CODE, DECK, NAMES
from tests.games.niya_tables import dealt, played, shuffled

NAMES_OF_PLAYERS = {0: "Ana", 1: "Leo"}
ORDERED = "M1,M2,M3,M4/O1,O2,O3,O4/L1,L2,L3,L4/V1,V2,V3,V4"
THREE_EACH = "R,A,R,M4/A,R,A,O4/L1,L2,L3,L4/V1,V2,V3,V4 R O3"


def say(said, code="es"):
    return language(code).say(said, NAMES_OF_PLAYERS)


def test_s6_a_move_is_the_code_of_the_card():
    position = dealt()
    for card in position.legal_moves(0):
        assert GAME.notation.written(position, card) == card.code
        assert GAME.menus.steps(position, card) == (card.code,)


def test_s6_squares_have_files_from_the_left_and_ranks_from_the_bottom():
    assert (NAMES[0], NAMES[3], NAMES[12], NAMES[15]) == ("a4", "d4", "a1", "d1")
    assert read_move(GAME, dealt(), 0, "a1") == BY_CODE["V1"]


@pytest.mark.parametrize(
    "text",
    [
        "O4",
        "o4",
        " O 4 ",
        "d3",
        "D3",
        "azul oscuro 4",
        "Azul Oscuro 4",
        "dark blue 4",
        "navy 4",
        "N4",
        "Ｏ４",
    ],
)
def test_s6_a_card_may_be_typed_by_code_square_or_name(text):
    assert read_move(GAME, dealt(), 0, text) == BY_CODE["O4"]


@pytest.mark.parametrize("text", ["1. O4", "12.O4", "1... O4", "O4!", "O4 ?!", "3. d3!!"])
def test_s6_numbers_and_marks_around_a_move_are_passed_over(text):
    assert read_move(GAME, dealt(), 0, text) == BY_CODE["O4"]


def test_s6_a_square_is_the_card_that_lies_there_now():
    position = dealt("V4 " + " ".join(c.code for c in DECK if c.code != "V4"))
    assert read_move(GAME, position, 0, "a4") == BY_CODE["V4"]


def test_s6_the_whole_game_of_the_seed_is_read():
    # The example of the rule book begins with purple 1, then dark blue 1.
    assert GAME.notation.text(played("M1 O1 O3")) == (
        "R,M2,M3,M4/A,O2,R,O4/L1,L2,L3,L4/V1,V2,V3,V4 A O3"
    )


def test_s6_the_first_turn_is_written_with_a_dash():
    assert GAME.notation.text(dealt()) == f"{ORDERED} R -"
    assert GAME.notation.text(dealt(first=1)) == f"{ORDERED} A -"
    again = GAME.notation.read(f"{ORDERED} A -", {})
    assert again.actors() == {1}
    assert len(again.legal_moves(1)) == 12


def test_s6_the_deal_is_written_with_dots():
    position = GAME.start(GAME.setting())
    assert GAME.notation.text(position) == ".,.,.,./.,.,.,./.,.,.,./.,.,.,. R -"
    for code in ("M1", "O2", "L3", "V4", "M2"):
        position = position.after(BY_CODE[code])
    assert GAME.notation.text(position) == "M1,O2,L3,V4/M2,.,.,./.,.,.,./.,.,.,. R -"
    assert GAME.notation.read(GAME.notation.text(position), {}) == position


def test_s6_texts_are_read_back_throughout_games():
    rng = random.Random(60)
    for full_board in ("block", "draw"):
        for _ in range(20):
            position = shuffled(rng, full_board)
            while not position.outcome():
                position = position.after(rng.choice(position.legal_moves(position.turn)))
                assert (
                    GAME.notation.read(GAME.notation.text(position), {"full_board": full_board})
                    == position
                )


def test_s6_small_letters_are_read_too():
    assert GAME.notation.text(GAME.notation.read(THREE_EACH.lower(), {})) == THREE_EACH


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("", "form"),
        ("x" * 200, "form"),
        (ORDERED, "form"),
        (f"{ORDERED} R", "form"),
        (f"{ORDERED} R - -", "form"),
        (f"{ORDERED}/M1 R -", "form"),
        (ORDERED.replace("M4", "M4,O1") + " R -", "form"),
        (ORDERED.replace("M4", "X9") + " R -", "cell"),
        (ORDERED.replace("M4", "") + " R -", "cell"),
        (f"{ORDERED} RA -", "mover"),
        (f"{ORDERED} 1 -", "mover"),
        (f"{ORDERED} R M5", "last"),
        (ORDERED.replace("M4", "M1") + " R -", "twice"),
        (THREE_EACH.replace("O3", "L1"), "discarded"),
        (ORDERED.replace("M4", ".") + " R -", "deal"),
        (".,.,.,R/A,.,.,./.,.,.,./.,.,.,. R M1", "deal"),
        (ORDERED.replace("M4", "R") + " A -", "first"),
        (ORDERED.replace("V4", "R") + " R V4", "turns"),
        (THREE_EACH.replace("R,A,R,M4", "R,R,R,M4"), "turns"),
        ("R,A,R,M4/R,O2,M3,O4/L1,L2,L3,L4/V1,V2,V3,V4 A O3", "turns"),
        ("R,R,R,R/A,A,A,O4/A,L2,L3,L4/V1,V2,V3,V4 R O3", "over"),
    ],
)
def test_s6_a_wrong_text_gets_a_sentence(text, key):
    with pytest.raises(Unreadable) as caught:
        GAME.notation.read(text, {})
    assert caught.value.phrase.key == f"niya.text.{key}"
    for code in LANGUAGES:
        assert say(caught.value.phrase, code)


def test_s6_three_markers_each_are_readable():
    assert GAME.notation.read(THREE_EACH, {}).actors() == {0}


def test_a_card_takes_one_click():
    menu = pick(GAME, dealt(), 0)
    assert menu.options == ("M1", "M2", "M3", "M4", "O1", "O4", "L1", "L4", "V1", "V2", "V3", "V4")
    assert pick(GAME, dealt(), 0, ("V3",)) == BY_CODE["V3"]


def test_moves_are_said_with_card_and_square():
    position = dealt()
    assert say(GAME.speech.spoken(position, BY_CODE["V2"])) == "toma la verde 2 (b1)"
    assert say(GAME.speech.spoken(position, BY_CODE["V2"]), "en") == "takes Green 2 (b1)"
    start = GAME.start(GAME.setting())
    (first, *_) = start.legal_moves(CHANCE)
    assert say(GAME.speech.spoken(start, first)) == "reparte la morada 1 en a4"


def test_the_question_names_colour_and_index():
    assert say(GAME.menus.question(dealt(), 0, ())) == "Toma una carta del borde."
    assert say(GAME.menus.question(played("M2"), 1, ())) == "Toma una carta morada o un 2."
    assert say(GAME.menus.question(played("M2 O2"), 0, ()), "en") == "Take a navy card or a 2."


def test_no_such_card_is_refused_with_the_cards_there_are():
    refusal = GAME.speech.refusal(played("M1 O1"), 0, "M7")
    assert refusal.rule == "S6"
    assert "Azul oscuro 2 (b3)" in say(refusal.phrase)


def test_a_wish_during_the_deal_is_refused():
    assert GAME.speech.refusal(GAME.start(GAME.setting()), 0, "M1").rule == "N3"


def test_the_words_tell_every_square_the_discard_and_the_turn():
    said = " ".join(say(one) for one in GAME.speech.describe(played("M1 O1 O3")))
    for part in (
        "Fila 4, de izquierda a derecha: ficha roja, Morado 2, Morado 3 y Morado 4.",
        "Fila 3, de izquierda a derecha: ficha amarilla, Azul oscuro 2, ficha roja y",
        "Última carta retirada: Azul oscuro 3.",
        "A Ana le quedan 6 fichas rojas.",
        "A Leo le quedan 7 fichas amarillas.",
        "Le toca a Leo, con amarillas.",
        "Azul oscuro 4 (d3)",
    ):
        assert part in said


def test_the_words_tell_how_it_ended_and_where():
    end = played("L1 V1 M1 M3 L3 V3 V4 O4 O2")
    said = " ".join(say(one) for one in GAME.speech.describe(end))
    assert "Cuatro en raya en diagonal: a4, b3, c2 y d1. Ana gana con cuatro en raya." in said


@pytest.mark.parametrize("reason", ["line", "square", "block", "full"])
def test_every_ending_names_the_winner(reason):
    for code in LANGUAGES:
        template = language(code).templates[f"niya.end.{reason}"]
        assert "{winner}" in template


def test_a_pattern_within_reach_is_noticed():
    position = GAME.notation.read("R,R,R,M4/A,A,O3,O4/A,L2,L3,L4/V1,V2,V3,V4 R M1", {})
    notice, *_ = GAME.speech.hints(position)
    assert say(notice) == "Ana puede completar una figura ahora con la morada 4 (d4)."


def test_three_of_four_of_the_other_player_are_noticed():
    position = GAME.notation.read("R,R,R,M4/A,A,O3,O4/A,L2,L3,L4/R,V2,V3,V4 A V1", {})
    (notice,) = GAME.speech.hints(position)
    assert say(notice) == (
        "A Ana le falta una sola carta para ganar: la morada 4 (d4). ¡Ojo, Leo, con dejársela!"
    )


def test_a_block_within_reach_is_noticed():
    position = played("M4 L4 L3 V3 O3 O4 O1 V1 V2")
    notices = [say(one) for one in GAME.speech.hints(position)]
    assert "Leo puede bloquear ahora con la verde 4 (d1)." in notices


def test_nothing_is_noticed_at_the_start_or_after_the_end():
    assert not GAME.speech.hints(dealt())
    assert not GAME.speech.hints(GAME.start(GAME.setting()))
    assert not GAME.speech.hints(played("L1 V1 M1 M3 L3 V3 V4 O4 O2"))


def test_the_demo_is_legal_on_the_public_deal():
    position, _ = settle(GAME, GAME.start(GAME.setting()), public_draws())
    for text in GAME.demo:
        position = position.after(read_move(GAME, position, position.turn, text))
    assert position.outcome() is None
    assert position.in_hand(0) == 4
