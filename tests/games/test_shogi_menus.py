"""What buttons and sentences say of shogi: pieces, ways and consequences."""

from __future__ import annotations

import random
import re

import pytest

from bot.texts import LANGUAGES, language
from games.core import Menu, pick
from games.core.move_parsing import follow, spelled
from games.shogi import GAME
from games.shogi.rules import ENDINGS
from tests.games.random_walks import random_setting, walk
from tests.games.shogi_boards import at, begun, played, said

SAY = language("es").say
EVERYTHING = "1r2k4/2P1+n4/3P5/9/9/9/9/9/4K4 b RB3P 1"


def labels(position, *path: str) -> dict[str, str]:
    menu = pick(GAME, position, position.turn, path)
    assert isinstance(menu, Menu)
    return {
        step: SAY(GAME.menus.label(position, position.turn, menu.path, step))
        for step in menu.options
    }


def test_a_piece_is_named_with_its_sign_and_its_square():
    shown = labels(begun())
    assert shown["7g"] == "歩 peón 7g"
    assert shown["2h"] == "飛 torre 2h"
    assert shown["5i"] == "玉 rey 5i"
    assert labels(played(begun(), "7g7f"))["5a"] == "王 rey 5a"


def test_pieces_in_hand_come_after_the_board_with_their_number():
    shown = labels(at(EVERYTHING))
    assert list(shown)[-3:] == ["R*", "B*", "P*"]
    assert shown["P*"] == "歩 peón en mano ×3"


def test_a_square_tells_what_is_taken_and_whether_it_checks_or_mates():
    position = at("4k4/9/4P4/9/9/9/9/9/4K4 b GR 1")
    shown = labels(position, "G*")
    assert shown["5b"] == "金→5b: ¡mate!"
    assert shown["4b"] == "金→4b: jaque"
    assert shown["9c"] == "金→9c"
    taking = labels(at("4k4/9/9/4+n4/4R4/9/9/9/4K4 b - 1"), "5e")
    assert taking["5d"] == "5e→5d: toma 圭 caballero coronado y jaque"


def test_h6_a_forced_promotion_is_told_on_the_square():
    position = at("k8/3PP4/9/9/9/9/9/9/K8 b - 1")
    assert SAY(GAME.menus.label(position, 0, ("5b",), "5a")) == "5b→5a: corona"
    crowded = at("k+n7/1PG6/1G7/9/9/9/9/9/8K b - 1")
    assert (
        SAY(GAME.menus.label(crowded, 0, ("8b",), "8a"))
        == "8b→8a: toma 圭 caballero coronado, corona y ¡mate!"
    )


def test_h19_a_choice_tells_what_the_piece_becomes():
    position = at("4k4/9/9/4S4/9/9/9/9/4K4 b - 1")
    assert labels(position, "5d", "5c") == {
        "+": "Pasa a 全 plata coronada",
        "=": "Sigue siendo 銀 plata",
    }
    asked = [SAY(GAME.menus.question(position, 0, path)) for path in ((), ("5d",), ("5d", "5c"))]
    assert asked == [
        "¿Qué pieza juegas?",
        "Has elegido la plata (銀) de 5d. ¿Adónde va?",
        "¿La coronas?",
    ]


def test_an_answer_to_jishogi_tells_what_it_would_bring():
    offered = said(at("3K5/9/9/9/9/9/9/9/3k5 b RBG 1"), 1, "jishogi")
    menu = follow(spelled(GAME, offered, offered.asides(0)), ())
    shown = [SAY(GAME.menus.label(offered, 0, (), step)) for step in menu.options]
    assert shown == ["Aceptar 11–0: nadie gana", "Rechazar: seguimos jugando"]


@pytest.mark.parametrize(
    ("sfen", "usi", "words"),
    [
        (
            "4k4/9/9/4S4/9/9/9/9/4K4 b - 1",
            "5d5c+",
            "la plata va de 5d a 5c y corona: plata coronada",
        ),
        ("4k4/9/9/4S4/9/9/9/9/4K4 b - 1", "5d6c", "la plata va de 5d a 6c, sin coronar"),
        ("4k4/9/9/4S4/9/9/9/9/4K4 b - 1", "5d4e", "la plata va de 5d a 4e"),
        ("4k4/9/9/4p4/4S4/9/9/9/4K4 b - 1", "5e5d", "la plata de 5e toma el peón de 5d"),
        ("4k4/9/4P4/9/9/9/9/9/4K4 b G 1", "G*5b", "mete un oro en 5b: ¡mate!"),
        ("4k4/9/9/9/9/9/9/9/3K5 b R 1", "R*5e", "mete una torre en 5e: jaque"),
    ],
)
def test_a_move_is_spoken_in_words(sfen, usi, words):
    position = at(sfen)
    (play,) = [p for p in position.legal_moves(0) if GAME.notation.written(position, p) == usi]
    assert SAY(GAME.speech.spoken(position, play)).startswith(words)


def test_h17_what_an_illegal_move_costs_is_spoken_too():
    foul = begun(illegal="lose")
    assert SAY(GAME.speech.spoken(foul, GAME.notation.penalty(foul, 0, "7g7e"))) == (
        "jugada ilegal. El peón no llega a 7e."
    )
    touch = begun(illegal="same_piece")
    told = SAY(GAME.speech.spoken(touch, GAME.notation.penalty(touch, 0, "2h2b")))
    assert told == "2h2b no es legal: ahora tiene que jugar la torre (飛)"


@pytest.mark.parametrize("code", LANGUAGES)
def test_no_button_is_longer_than_fifty_two_characters(code):
    rng = random.Random(8)
    say = language(code).say
    longest = 0
    for _ in range(12):
        for position, _ in list(walk(GAME, random_setting(GAME, rng), rng, 150))[::12]:
            for play in list(position.legal_moves(position.turn))[::3]:
                steps = GAME.menus.steps(position, play)
                for n in range(len(steps)):
                    longest = max(
                        longest, len(say(GAME.menus.label(position, 0, steps[:n], steps[n])))
                    )
    assert 20 < longest <= 52
    crowded = at("k+n7/1PG6/1G7/9/9/9/9/9/8K b - 1")
    assert len(say(GAME.menus.label(crowded, 0, ("8b",), "8a"))) <= 52


def test_the_words_tell_everything_that_the_picture_shows():
    position = played(begun(), "7g7f 3c3d 8h2b+ 3a2b B*4e")
    words = [SAY(one, {0: "Nerea", 1: "Bruno"}) for one in GAME.speech.describe(position)]
    assert words[0] == "Jugada 6: mueve gote."
    assert words[1].startswith("Nerea, sente, en el tablero: rey 5i; torre 2h; alfil 4e")
    assert "peones 7f, 9g, 8g, " in words[1]
    assert words[2] == "Sente no tiene piezas en mano."
    assert words[4] == "Gote tiene en mano: un alfil."


def test_the_words_name_the_square_of_every_piece():
    words = " ".join(SAY(one) for one in GAME.speech.describe(begun()))
    squares = re.findall(r"\b[1-9][a-i]\b", words)
    assert len(squares) == len(set(squares)) == 40


def test_the_words_tell_of_check_of_an_offer_and_of_the_end():
    check = at("4k4/9/9/9/4r4/9/9/9/4K4 b P 1")
    assert "Jaque (王手, ōte)" in SAY(GAME.speech.describe(check)[-1])
    offered = said(at("3K5/9/9/9/9/9/9/9/3k5 b RBG 1"), 1, "jishogi")
    assert "propone jishōgi" in SAY(GAME.speech.describe(offered)[-1])
    over = said(offered, 0, "jishogi-yes")
    assert SAY(GAME.speech.describe(over)[0]) == (
        "La partida ha terminado tras 0 jugadas. Jishōgi (持将棋) y los puntos no deciden: tablas. "
        "Le tocaba a sente. Puntos: sente 11, gote 0."
    )


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_ending_has_a_sentence(code):
    for reason in ENDINGS | {"mate", "stalemate", "no-moves"}:
        assert f"shogi.end.{reason}" in language(code).templates
