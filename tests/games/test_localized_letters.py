"""Pieces and cards are called by the letters of the reader's language, and typed by either."""

from __future__ import annotations

import pytest

from bot.texts import language
from games.core import IllegalMove, read_move
from games.core.shelf import find_game
from games.niya.board import COLOURS, deck
from games.niya.notation import ENGLISH, meant
from games.niya.rules import FOUR_COLOURS, Niya
from games.parchis.board import LETTERS
from render.kit.painters import painter
from tests.games.parchis_tools import at

BOARD = "A=5,18,8,0 Z=19,19,22,0 R=61,72,42,72 V=4,67,72,59 {} d4 0 - -"


def said(code: str, phrases) -> str:
    return " ".join(map(language(code).say, phrases))


def test_a_description_calls_parchis_pieces_by_the_letters_of_its_language():
    seen = at(BOARD.format("A"))
    speech = find_game("parchis").speech
    spanish, english = (said(code, speech.describe(seen)) for code in ("es", "en"))
    assert all(name in spanish for name in ("A1", "Z1", "R2", "V1"))
    assert all(name in english for name in ("Y1", "B1", "R2", "G1"))
    assert not any(name in english for name in ("A1", "Z1", "V1"))


@pytest.mark.parametrize(("turn", "english"), ["AY", "ZB", "RR", "VG"])
def test_a_piece_may_be_typed_by_either_letter(turn, english):
    position = at(BOARD.format(turn))
    game = find_game("parchis")
    seat = "AZRV".index(turn)
    for number in range(1, 5):
        try:
            move = read_move(game, position, seat, f"{turn}{number}")
        except IllegalMove:
            continue
        for typed in (f"{english}{number}", f"{english.lower()}{number}"):
            assert read_move(game, position, seat, typed) == move
        written = game.notation.written(position, move)
        assert f"{turn}{number}" in written or written[0] == turn, (
            "records keep the letters of the Spanish colours"
        )


def test_a_card_may_be_typed_by_either_letter():
    for colours in FOUR_COLOURS.values:
        for code, card in deck(colours).items():
            typed = f"{ENGLISH[card.colour]}{card.index}"
            seen = Niya(colours=colours)
            assert meant(seen, typed) == meant(seen, code) == card
    assert {c for c in COLOURS if c in ENGLISH.values()} == {
        c for c in COLOURS if ENGLISH[c] == c
    }, "no letter means two colours"


@pytest.mark.parametrize(("code", "tag"), [("es", "M2"), ("en", "P2")])
def test_the_button_of_a_card_bears_the_letter_of_its_language(code, tag):
    position = find_game("niya").start(find_game("niya").setting())
    while position.undealt():
        position = position.after(position.undealt()[0])
    label = find_game("niya").menus.label(position, 0, (), "M2")
    assert language(code).say(label).startswith(tag)


@pytest.mark.parametrize(
    ("key", "code", "letters"),
    [
        ("parchis", "es", "AZRV"),
        ("parchis", "en", "YBRG"),
        ("niya", "es", "MOLVRYRA"),
        ("niya", "en", "PNLGRYRY"),
    ],
)
def test_the_picture_has_the_letters_of_the_words(key, code, letters):
    seen = at(BOARD.format("A")) if key == "parchis" else Niya()
    assert language(code).say(painter(key).captions(seen)["letters"]) == letters
    assert len(LETTERS) == 4
