"""The README is short, says the same in both languages, and its lines do what they say."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bot.app.main import parser
from games.core.shelf import shelf

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
SPANISH = (ROOT / "README.es.md").read_text(encoding="utf-8")
COMMANDS = (ROOT / "docs" / "operate" / "commands.md").read_text(encoding="utf-8")
VALUES = {"COMMAND": "doctor", "GAME": "niya", "DEPTH": "3", "FILE": "a.txt", "FILE.png": "a.png"}
VALUES |= {"PLATFORM": "discord", "ID": "123"}
WORDS = 550
"""The most words of a README beside its code."""


def lines() -> list[tuple[str, str]]:
    """The lines that begin with ``ludoteca``: what is typed, and what is said of it."""
    found = re.findall(r"^ludoteca(.*?)(?:  +(.*))?$", COMMANDS, flags=re.MULTILINE)
    return [(one.strip(), said) for typed, said in found for one in typed.split(" | ")]


def subcommands() -> set[str]:
    return set(re.findall(r"^    (\S+)(?:  +|$)", parser().format_help(), flags=re.MULTILINE))


def blocks(text: str) -> list[str]:
    return re.findall(r"```sh\n(.*?)\n```", text, flags=re.DOTALL)


def links(text: str) -> list[str]:
    return re.findall(r"\]\(([^)]+)\)", text)


def test_the_readme_is_short():
    for text in (README, SPANISH):
        assert len(re.sub(r"```.*?```", "", text, flags=re.DOTALL).split()) <= WORDS


def test_each_readme_leads_to_the_other_at_once():
    assert "(README.es.md)" in README.splitlines()[2]
    assert "(README.md)" in SPANISH.splitlines()[2]


def test_both_have_the_same_commands_headings_and_links():
    assert blocks(README) == blocks(SPANISH)
    heads = [[len(m) for m in re.findall(r"^(#+) ", t, re.MULTILINE)] for t in (README, SPANISH)]
    assert heads[0] == heads[1]
    there = [
        one.replace("play/en/", "play/es/").replace("-en.png", "-es.png") for one in links(README)
    ]
    assert sorted(there[1:]) == sorted(links(SPANISH)[1:])


def test_the_two_commands_of_the_readme_are_all_that_it_takes():
    assert len(blocks(README)) == 2
    assert all(one.startswith("python3 -m venv .venv && ") for one in blocks(README))


@pytest.mark.parametrize(("text", "code"), [(README, "en"), (SPANISH, "es")])
def test_each_game_of_the_shelf_has_a_line_that_leads_to_its_page(text, code):
    told = re.findall(rf"^- \*\*\[(.*?)\]\(docs/play/{code}/(\w+)\.md\)\*\*: ", text, re.MULTILINE)
    assert told == sorted((game.title, key) for key, game in shelf().items())


@pytest.mark.parametrize("platform", ["Discord", "Telegram"])
@pytest.mark.parametrize("text", [README, SPANISH], ids=["en", "es"])
def test_each_platform_is_set_up_in_five_lines(text, platform):
    part = text.split(f"## {platform}\n")[1].split("\n##")[0]
    assert re.findall(r"^(\d)\. ", part, re.MULTILINE) == list("12345")
    assert f"{platform.upper()}_TOKEN=" in part


def test_the_figures_of_the_readme_stand_on_the_pages_of_the_evidence():
    evidence = ROOT / "docs" / "evidence"
    surviving = (evidence / "surviving.md").read_text()
    kills = re.findall(r"killed .* \| (\d+) kills \| (\d+) kills \|", surviving)
    assert sum(int(one) for row in kills for one in row) == 3600
    for page, figures in {
        "surviving": (
            "3,600 kills together",
            "10 upgrades",
            "19 presses a second",
            "1,069 presses, none failed",
        ),
        "speed": ("1.1–1.2 times its median", "1.0 times its median", "1,000,000 finished games"),
        "strength": ("Of 112 mates of 13, 15 and 17 plies",),
    }.items():
        text = (evidence / f"{page}.md").read_text()
        assert [one for one in figures if one not in text] == []


@pytest.mark.parametrize(("typed", "said"), lines())
def test_each_line_of_the_command_line_is_understood(typed, said):
    words = [VALUES.get(word, word) for word in typed.split()]
    for option in re.findall(r"--\w+", said):
        flags = ("--demo", "--json", "--quiet", "--package", "--missing", "--check", "--rebuild")
        flags += ("--all",)
        plain = option in flags
        words += [option] if plain else [option, {"--language": "es"}.get(option, "3")]
    if words == ["--version"]:
        with pytest.raises(SystemExit, match="0"):
            parser().parse_args(words)
        return
    assert parser().parse_args(words).command == (words[0] if words else None)


def test_each_subcommand_stands_on_the_page_of_commands():
    assert subcommands() == {typed.split()[0] for typed, _ in lines() if typed[:1].isalpha()}


def test_the_page_of_commands_and_the_help_tell_of_the_same_exit_statuses():
    helped = re.findall(r"^  (\d+) +\S", parser().format_help(), flags=re.MULTILINE)
    assert helped == re.findall(r"^\| (\d+) \|", COMMANDS, flags=re.MULTILINE)
    assert len(helped) > 3


@pytest.mark.parametrize("command", ["perft", "moves", "picture", "best"])
def test_what_is_said_of_positions_and_options_holds(command):
    more = {"perft": ["2"], "picture": ["-o", "a.png"]}.get(command, [])
    words = [command, "niya", *more, "--position", "x", "--option", "k=v"]
    asked = parser().parse_args(words)
    assert (asked.position, asked.option) == ("x", ["k=v"])
