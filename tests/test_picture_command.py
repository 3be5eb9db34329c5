"""Pictures made by command: with a last move, names, and the words of a language."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

from bot.app.main import parser
from bot.app.offline_game_commands import picture_command
from bot.texts.orthography import capital
from games.core import RuleError
from render.kit.palettes import rgb
from render.kit.themes import THEMES


def made(folder: Path, *more: str) -> Image.Image:
    """The picture that the command makes, in RGB."""
    picture_command(parser().parse_args(["picture", *more, "-o", str(folder / "it.png")]))
    with Image.open(folder / "it.png") as file:
        return file.convert("RGB")


def amber(picture: Image.Image) -> int:
    """How many pixels are amber."""
    counted = picture.getcolors(picture.width * picture.height) or []
    return sum(count for count, colour in counted if colour == rgb(THEMES["light"]["amber"]))


def test_a_move_is_made_first_and_marked(tmp_path: Path) -> None:
    assert amber(made(tmp_path, "shogi")) == 0
    assert amber(made(tmp_path, "shogi", "--move", "7g7f")) > 1000


def test_a_move_that_cannot_be_made_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RuleError):
        made(tmp_path, "shogi", "--move", "7g7e")
    assert not (tmp_path / "it.png").exists()


def test_names_are_those_of_the_players_by_seats(tmp_path: Path) -> None:
    both = made(tmp_path, "shogi", "--name", "Ana", "--name", "Luis")
    one = made(tmp_path, "shogi", "--name", "Ana")
    assert both.crop((0, 860, 800, 956)).tobytes() == one.crop((0, 860, 800, 956)).tobytes()
    assert both.tobytes() != one.tobytes()
    too_many = made(tmp_path, "shogi", "--name", "Ana", "--name", "Luis", "--name", "Eva")
    assert too_many.tobytes() == both.tobytes()


def test_its_words_are_those_of_the_language(tmp_path: Path) -> None:
    named = ("niya", "--demo", "--name", "Ana", "--name", "Luis")
    english, spanish = made(tmp_path, *named), made(tmp_path, *named, "--language", "es")
    assert english.tobytes() != spanish.tobytes()


def test_a_name_without_a_letter_leaves_its_plate_to_the_side(tmp_path: Path) -> None:
    assert made(tmp_path, "cirya", "--name", "🎲🔥").tobytes() == made(tmp_path, "cirya").tobytes()


def test_the_words_of_a_side_keep_their_capitals() -> None:
    assert capital("el Cisne") == "El Cisne"
