"""The tables and lines of the README say what the program does."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bot.app.main import parser
from bot.presenters.command_specs import COMMANDS
from games.core.shelf import shelf

README = (Path(__file__).resolve().parents[1] / "README.md").read_text(encoding="utf-8")
VALUES = {"GAME": "niya", "DEPTH": "3", "FILE": "a.txt", "FILE.png": "a.png"}


def table(head: str) -> list[list[str]]:
    """The rows below the line *head* of the README, each as its cells."""
    _, below = README.split(f"{head}\n", 1)
    rows = below.split("\n\n", 1)[0].splitlines()[1:]
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]


def lines() -> list[tuple[str, str]]:
    """The lines that begin with ``ludoteca``: what is typed, and what is said of it."""
    found = re.findall(r"^ludoteca(.*?)(?:  +(.*))?$", README, flags=re.MULTILINE)
    return [(one.strip(), said) for typed, said in found for one in typed.split(" | ")]


def subcommands() -> set[str]:
    return set(re.findall(r"^    (\S+)(?:  +|$)", parser().format_help(), flags=re.MULTILINE))


@pytest.mark.parametrize(("column", "code"), [(0, "en"), (1, "es")])
def test_each_command_stands_in_the_table_by_both_its_names(column, code):
    told = [name for row in table("| command | | does |") for name in row[column].split()]
    assert sorted(told) == sorted(f"`/{command.name_in(code)}`" for command in COMMANDS)


def test_both_names_of_a_command_stand_at_the_same_place():
    spanish = {command.name_in("en"): command.name_in("es") for command in COMMANDS}
    for english, translated, _ in table("| command | | does |"):
        names = re.findall(r"/(\w+)", english)
        assert [spanish[name] for name in names] == re.findall(r"/(\w+)", translated)


@pytest.mark.parametrize("game", shelf().values(), ids=lambda game: game.key)
def test_each_game_stands_in_the_table_with_its_options_the_default_first(game):
    told = dict(table("| game | options, the first value is the default |"))[game.title]
    for entry, option in zip(re.findall("`(.*?)`", told), game.options, strict=True):
        key, values = entry.split(" = ")
        others = [value for value in option.values if value != option.default]
        first, _, last = values.partition(", …, ")
        shown = first.split(", ")
        assert key == option.key
        assert shown == [option.default, *others][: len(shown)]
        assert last in ("", others[-1])
        assert last or len(shown) == len(option.values)


def test_no_game_stands_in_the_table_that_is_not_on_the_shelf():
    rows = table("| game | options, the first value is the default |")
    assert [title for title, _ in rows] == sorted(game.title for game in shelf().values())


@pytest.mark.parametrize(("typed", "said"), lines())
def test_each_line_of_the_command_line_is_understood(typed, said):
    words = [VALUES.get(word, word) for word in typed.split()]
    for option in re.findall(r"--\w+", said):
        words += [option] if option == "--demo" else [option, {"--language": "es"}.get(option, "3")]
    if words == ["--version"]:
        with pytest.raises(SystemExit, match="0"):
            parser().parse_args(words)
        return
    assert parser().parse_args(words).command == (words[0] if words else None)


def test_each_subcommand_stands_in_the_readme():
    assert subcommands() == {typed.split()[0] for typed, _ in lines() if typed[:1].isalpha()}


@pytest.mark.parametrize("command", ["perft", "moves", "picture", "best"])
def test_what_is_said_of_positions_and_options_holds(command):
    more = {"perft": ["2"], "picture": ["-o", "a.png"]}.get(command, [])
    words = [command, "niya", *more, "--position", "x", "--option", "k=v"]
    asked = parser().parse_args(words)
    assert (asked.position, asked.option) == ("x", ["k=v"])
