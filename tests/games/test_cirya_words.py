"""Cirya in words and buttons: what is asked, foreseen, told and noticed."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from bot.texts import LANGUAGES, language
from games.cirya import GAME
from games.cirya.menus import MENU_LIMIT
from games.cirya.move_types import Back, Call, Cede, Said
from games.core import CHANCE, Menu, pick, read_move, replay
from games.core.move_parsing import Entry
from tests.games.cirya_positions import HIDDEN, at, play, start
from tests.games.random_walks import random_setting, walk

SWAN, EAGLE = 0, 1
NAMES = {0: "Elwing", 1: "Thoron"}
SEA = "2,1,21,x,2/x,12S,1,12112,x/1,21,2121121221C,2,1S/x,2,1,212C,x/1,x,122,x,x 1 14"


def said(phrase, code: str = "es") -> str:
    return language(code).say(phrase, NAMES)


def described(position, code: str = "es") -> str:
    return " ".join(said(one, code) for one in GAME.speech.describe(position))


def labels(position, *path: str, code: str = "es") -> list[str]:
    """What the buttons say after *path*."""
    menu = pick(GAME, position, position.board.mover, path)
    assert isinstance(menu, Menu)
    seat = position.board.mover
    return [said(GAME.menus.label(position, seat, menu.path, step), code) for step in menu.options]


def asked(position, *path: str) -> str:
    menu = pick(GAME, position, position.board.mover, path)
    assert isinstance(menu, Menu)
    return said(GAME.menus.question(position, position.board.mover, menu.path))


# -- buttons ------------------------------------------------------------------------------


def test_a_placement_takes_a_sat_and_a_piece():
    position = play("e5 a1")
    assert labels(position, "c3") == ["cirya", "tampa", "hallacirya"]
    assert asked(position, "c3") == (
        "¿Qué colocas en c3? Cirya, un barco; tampa, un muro; hallacirya, el buque insignia."
    )
    move = pick(GAME, position, SWAN, ("c3", "S"))
    assert GAME.notation.written(position, move) == "Sc3"


def test_c5_the_first_placement_leaves_no_choice_of_a_piece():
    position = start()
    assert pick(GAME, position, SWAN, ("c3",)) == Menu(("c3",), ("F",))
    assert GAME.notation.written(position, pick(GAME, position, SWAN, ("c3", "F"))) == "c3"
    assert asked(position) == "¿En qué casilla pones el barco de tu rival?"


def test_a_lone_piece_takes_its_sat_and_the_way():
    position = play("e5 a1 c3 d4")
    assert labels(position, "c3") == [
        "1 al norte: c4 ○",
        "1 al este: d3 ○",
        "1 al sur: c2 ○",
        "1 al oeste: b3 ○",
    ]
    assert GAME.notation.written(position, pick(GAME, position, SWAN, ("c3", "1>", "1"))) == "c3>"


def test_a_nossë_asks_how_many_and_which_way_then_the_drops():
    position = at("x5/x5/12C,x,2S,x2/x5/2,x3,1 2 5")
    assert labels(position, "a3") == [
        "1 al norte: a4 ★",
        "2 al norte, hasta a5",
        "1 al este: b3 ★",
        "2 al este, y derriba en c3",
        "1 al sur: a2 ★",
        "2 al sur, hasta a1",
    ]
    assert asked(position, "a3").startswith(
        "a3, de abajo arriba: una del Cisne y hallacirya del Águila."
    )


def test_the_drops_tell_what_would_lie_where():
    position = at(SEA)
    assert labels(position, "c3", "4", "<") == [
        "b3 ○, a3 ●●☆",
        "b3 ○●, a3 ●☆",
        "b3 ○●●, a3 ☆",
        "b3 ○●●☆",
    ]
    assert "derriba: d3 ○●●, e3 ☆" in labels(position, "c3", "4", ">")
    assert asked(position, "c3", "4") == (
        "Tomas, de abajo arriba: una del Cisne, 2 del Águila y hallacirya del Cisne. ¿Hacia dónde?"
    )
    assert asked(position, "c3", "4", "<") == (
        "Llevas al oeste, de abajo arriba: una del Cisne, 2 del Águila y hallacirya del Cisne. "
        "¿Cuántas dejas en cada casilla?"
    )


def test_more_drops_than_a_menu_are_asked_sat_by_sat():
    position = at("11111111,x5/x6/x6/x6/x6/x5,2 1 9")
    assert labels(position, "a6", "7>")[0] == "b6: queda 1"
    assert labels(position, "a6", "7>", "2")[-1] == "c6: quedan 5"
    move = pick(GAME, position, SWAN, ("a6", "7>", "2", "1", "4"))
    assert GAME.notation.written(position, move) == "7a6>214"
    assert "¿Cuántas dejas en c6?" in asked(position, "a6", "7>", "2")


@pytest.mark.sampled
@pytest.mark.parametrize("size", ["4", "5", "6"])
def test_with_the_carry_limit_every_ply_takes_three_choices_or_fewer(size):
    rng = random.Random(4)
    longest = 0
    for _ in range(40):
        setting = GAME.setting({"size": size, "carry_limit": "board"})
        *_, (position, _) = walk(GAME, setting, rng, 70)
        for seat in position.actors():
            for move in position.legal_moves(seat):
                steps = GAME.menus.steps(position, move)
                lifted = sum(getattr(move, "drops", ()))
                # Six pieces over five sati fall in more ways than a menu holds.
                assert len(steps) <= 3 or lifted == 6
                longest = max(longest, len(steps))
    assert longest >= 3


def test_menus_after_the_first_never_turn_a_page():
    rng = random.Random(8)
    tall = 0
    for _ in range(30):
        *_, (position, _) = walk(GAME, random_setting(GAME, rng), rng, 80)
        for seat in position.actors() - {CHANCE}:
            paths = [GAME.menus.steps(position, move) for move in position.legal_moves(seat)]
            menus: dict[tuple[str, ...], set[str]] = {}
            for path in paths:
                for n in range(1, len(path)):
                    menus.setdefault(path[:n], set()).add(path[n])
            tall = max([tall, *(len(options) for options in menus.values())])
    assert 8 < tall <= MENU_LIMIT


@pytest.mark.parametrize("code", LANGUAGES)
def test_buttons_are_short(code):
    rng = random.Random(6)
    for _ in range(40):
        *_, (position, _) = walk(GAME, random_setting(GAME, rng), rng, 90)
        for seat in position.actors():
            for move in position.legal_moves(seat):
                steps = GAME.menus.steps(position, move)
                for n, step in enumerate(steps):
                    assert len(said(GAME.menus.label(position, seat, steps[:n], step), code)) <= 40


@pytest.mark.parametrize("code", LANGUAGES)
def test_asides_have_labels_and_words(code):
    position = play("e5 a1 b1 e4 c1 e3 d1")
    ended = play(HIDDEN)
    ready = play("e5 a1 b1 e4 c1 e3").after(Call(SWAN, Said.LONDE))
    for one, seat in (
        (position, SWAN),
        (position, EAGLE),
        (ended, SWAN),
        (ended, EAGLE),
        (ready, SWAN),
    ):
        assert one.asides(seat)
        for aside in one.asides(seat):
            (step,) = GAME.menus.steps(one, aside)
            assert 1 < len(said(GAME.menus.label(one, seat, (), step), code)) <= 40
            assert said(GAME.speech.spoken(one, aside), code)
    assert (
        said(GAME.speech.spoken(ended, Back()))
        == "vuelve a la jugada 4, donde faltó el aviso de londë, y la victoria queda anulada"
    )
    assert said(GAME.speech.spoken(ended, Cede())) == "cede la victoria"


# -- words --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Tc5", "tampa en c5"),
        ("e2", "cirya en e2"),
        ("e2'", "cirya en e2. «¡Londë!»"),
        ('e2"', "cirya en e2. «¡Londetúrë!»"),
        ("4c3<31", "4 piezas de c3 al oeste (3 en b3 y una en a3)"),
        ("4c3>31", "4 piezas de c3 al este (3 en d3 y una en e3), derribando el tampa"),
        ("a3+", "una pieza de a3 a a4"),
    ],
)
def test_moves_in_words(text, told):
    position = at(SEA.replace("2,1,21,x,2/", "2,1,x,21,2/"))
    move = read_move(GAME, position, SWAN, text)
    assert said(GAME.speech.spoken(position, move)) == told


def test_c19_what_the_words_mean_is_told_where_each_is_first_offered_them():
    four = "e5 a1 b1 e4 c1 e3"
    told = [
        [one.key for one in GAME.speech.notices(play(moves))].count("cirya.keys")
        for moves in ("", "e5 a1", "e5 a1 b1 e4", four, f"{four} d1", f"{four} d1 e2")
    ]
    # Of the first two ciryar no londë can come: no key stood there when the words were explained.
    assert told == [0, 0, 0, 1, 1, 0]


def test_c5_the_first_placement_names_the_other_fleet():
    position = start()
    assert (
        said(GAME.speech.spoken(position, read_move(GAME, position, SWAN, "a1")))
        == "cirya del Águila en a1"
    )


def test_everything_on_the_board_is_told():
    told = described(at(SEA))
    assert "Tablero de 5×5, jugada 14." in told
    assert "Le toca a Elwing." in told
    assert "Reserva de Elwing, con el Cisne: 3 ciryar y ninguna hallacirya." in told
    assert (
        "Nossi, los montones, de abajo arriba (C, del Cisne; A, del Águila): c5 A-C, b4 C con tampa"
        in told
    )
    assert "d4 C-A-2C-A, " in told
    assert "Tampa del Cisne: e3." in told
    assert "Vacías: d5, a4, e4, a2, e2, b1, d1 y e1." in told


def test_the_londe_is_told_sat_by_sat():
    told = described(play(HIDDEN))
    assert "Londë de Elwing: a1, b1, c1, d1 y e1." in told


@pytest.mark.parametrize(
    "other",
    [
        SEA.replace("12112", "11212"),
        SEA.replace("12S", "12"),
        SEA.replace("212C,x/1", "212,x/1"),
        SEA.replace(" 1 14", " 2 14"),
        SEA.replace(" 1 14", " 1 15"),
        SEA.replace("2,1,21,x,2/", "2,1,x,21,2/"),
    ],
)
def test_whatever_differs_is_told_differently(other):
    for code in LANGUAGES:
        assert described(at(other), code) != described(at(SEA), code)


def test_what_the_picture_says_of_a_word_is_told():
    assert "Elwing avisa: «¡Londë!»" in described(play("e5 a1 b1 e4 c1 e3 d1'"))
    ready = play("e5 a1 b1 e4 c1 e3").after(Call(SWAN, Said.LONDE))
    assert "Elwing dirá «¡Londë!» con su jugada." in described(ready)
    assert "avisa" not in described(play("e5 a1 b1 e4 c1 e3 d1' e2 e1'"))


def test_notices_tell_what_was_announced_and_what_comes_back():
    notices = [said(one) for one in GAME.speech.notices(play("e5 a1 b1 e4 c1 e3 d1'"))]
    assert notices[0] == "Elwing avisa: «¡Londë!» Dice que está a una jugada de completar su ruta."


def test_a_word_that_is_to_come_is_told_once_and_then_with_its_ply():
    """«Sol dirá…» stood there twice, and after the answer of a computer the word nowhere."""
    ready = play("e5 a1 b1 e4 c1 e3")
    word = Call(SWAN, Said.LONDE)
    assert GAME.speech.weight(ready, word) == 0
    ready = ready.after(word)
    assert [one.key for one in GAME.speech.notices(ready)] == ["cirya.keys"]
    move = read_move(GAME, ready, SWAN, "d1")
    assert said(GAME.speech.spoken(ready, move)) == "cirya en d1. «¡Londë!»"
    assert GAME.speech.weight(ready, move) == 1


def test_only_who_has_a_flagship_is_asked_about_it():
    sea = at(SEA)
    position, bare = (
        replace(sea, board=sea.board._replace(hallaciryar=left)) for left in ((1, 0), (0, 1))
    )
    square = next(n for n, there in enumerate(position.board.nosse) if not position.board.height(n))
    path = (position.board.shape.names[square],)
    assert GAME.menus.question(position, SWAN, path).key == "cirya.ask.piece"
    assert GAME.menus.question(bare, SWAN, path).key == "cirya.ask.ship"


def test_what_comes_back_is_told():
    again = play("e5 a1 c3 c4 a1> e5< b1< d5>")
    assert "segunda vez" in said(GAME.speech.notices(again)[0])
    (hidden,) = (said(one) for one in GAME.speech.notices(play(HIDDEN)))
    assert hidden.startswith(
        "Elwing ganó sin avisar («¡Londë!») de que le faltaba una sola jugada."
    )
    assert "puede volver a la jugada 4, donde faltó el aviso" in hidden


def test_c19_nobody_is_told_of_a_londe_that_was_not_announced():
    told = [one.key for one in GAME.speech.notices(play("e5 a1 b1 e4 c1 e3 d1"))]
    assert told == ["cirya.keys"]


def test_the_demo_can_be_replayed():
    log = [Entry(n % 2, text) for n, text in enumerate(GAME.demo)]
    position = replay(GAME, start(), log)
    assert position.end is None
    assert len(described(position)) > 350
