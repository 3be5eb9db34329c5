"""What a game on the shelf needs, said in a sentence for each thing it still lacks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest

from bot.texts import LANGUAGES, language
from games.core import CHANCE, RuleError, settle
from games.core.chance import public_draws
from games.core.shelf import find_game, find_stored_game, game_names, shelf
from render.kit import painter
from tests.rooms import circles

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = sorted(
    folder.name
    for folder in (ROOT / "games").iterdir()
    if folder.is_dir() and folder.name not in ("core", "__pycache__")
)


def _declared(part: Any) -> list[Callable[..., Any]]:
    """The functions of a part of a game."""
    return [one for field in fields(part) if callable(one := getattr(part, field.name))]


def roles(key: str) -> Iterator[tuple[str, str]]:
    """The role that each thing the game *key* declares plays, and the module it stands in."""
    game = shelf()[key]
    declared: list[tuple[str, Any]] = [
        ("rules", type(game.start(game.setting()))),
        ("rules", game.start),
        ("computer", game.computer.choose),
        *(("formats", form.read) for form in game.records.formats),
        *(("notation", one) for one in _declared(game.notation)),
        *(("menus", one) for one in _declared(game.menus)),
        *(("speech", one) for one in _declared(game.speech)),
    ]
    for role, one in declared:
        module = one.__module__.removeprefix(f"games.{key}.")
        if not module.startswith("games.core."):
            # Long refusals have a file of their own.
            yield role, module.replace("refusals", "speech").partition(".")[0]


def lacking(key: str) -> list[str]:
    """One sentence for each thing that the game in ``games/<key>`` lacks."""
    found = [
        f"games/{key}/{module}.py does what belongs into {role}."
        for role, module in roles(key)
        if module != role
    ]
    if not (ROOT / "render" / key / "painter.py").is_file():
        found.append(f"render/{key}/painter.py is missing: the game has no painter.")
    for code in LANGUAGES:
        for suffix, what in (("po", "catalogue"), ("md", "rule text")):
            if not (ROOT / "bot" / "texts" / code / f"{key}.{suffix}").is_file():
                found.append(f"bot/texts/{code}/{key}.{suffix} is missing: no {what}.")
    if not list((ROOT / "tests" / "games").glob(f"test_{key}*.py")):
        found.append(f"tests/games/test_{key}.py is missing.")
    return found


@pytest.mark.parametrize("key", FOLDERS)
def test_no_game_lacks_anything(key):
    assert not lacking(key), "\n".join(lacking(key))


def test_every_folder_is_a_game_and_every_game_has_its_own_key():
    assert sorted(shelf()) == FOLDERS


@pytest.mark.parametrize("key", FOLDERS)
def test_the_demo_of_every_game_can_be_played_and_painted(key):
    game = shelf()[key]
    position, _ = settle(game, game.start(game.setting()), public_draws())
    assert game.computer.levels >= 1
    assert game.title
    assert set(game.rules.begins) <= {"lot", "rolls", *game.rules.sides}
    painted = painter(key)
    assert isinstance(painted.LETTERS, bool)
    assert all(language("es").say(said) for said in painted.captions(position.seen_by(0)).values())
    assert CHANCE not in position.actors()


@pytest.mark.parametrize("name", ["NIYA", " niya ", "Okiya"])
def test_a_game_is_found_by_key_title_and_alias(name):
    assert find_game(name).key == "niya"


@pytest.mark.parametrize(
    ("name", "key"),
    [("stor", "storilljudhjorrayc"), ("Storillju", "storilljudhjorrayc"), ("PÁR", "parchis")],
)
def test_the_beginning_of_its_name_alone_names_a_game(name, key):
    assert find_game(name).key == key


@pytest.mark.parametrize("name", ["st", "storm", "ajed", ""])
def test_what_is_too_short_or_begins_no_title_names_no_game(name):
    with pytest.raises(RuleError):
        find_game(name)


@pytest.mark.parametrize("key", ["shog", "stor", "Niya"])
def test_a_stored_key_of_a_game_that_is_away_is_taken_for_no_other(key):
    with pytest.raises(RuleError):
        find_stored_game(key)
    assert find_stored_game("niya").key == "niya"


def test_a_beginning_of_two_names_names_no_game(monkeypatch):
    twin = replace(find_game("niya"), key="niyama", title="Niyama", aliases=())
    stock = {**shelf(), twin.key: twin}
    monkeypatch.setattr("games.core.shelf.shelf", lambda: stock)
    names = game_names.__wrapped__()
    assert (names["niya"].key, names["niyam"]) == ("niya", twin)
    assert "niy" not in names


def test_an_unknown_game_names_those_there_are():
    with pytest.raises(RuleError) as refused:
        find_game("ajedrez")
    assert "Niya" in language("es").say(refused.value.phrase)


def test_a_game_is_of_files_that_know_only_those_below_them():
    assert circles(("games",)) == []
