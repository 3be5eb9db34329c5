"""The players' pages are what the bot says and draws today.

After a change that was meant, write them anew by ``python -m tests.tools.play_pages``.
"""

from __future__ import annotations

import io
import re

import pytest
from PIL import Image, ImageChops, ImageStat

from bot.texts import rules
from games.core.shelf import find_game, shelf
from tests.tools.play_pages import FIGURES, FOLDER, WORDS, figures, pages


def test_each_page_says_what_the_bot_says_today():
    there = {str(one.relative_to(FOLDER)): one.read_text() for one in FOLDER.rglob("*.md")}
    assert there == pages()


def test_each_house_rule_has_a_row_with_a_sentence():
    text = pages()
    for game in shelf().values():
        for option in game.rules.options:
            (row,) = [r for r in text[f"en/{game.key}.md"].splitlines() if f"`{option.key}` |" in r]
            _, _, about, values, _ = (cell.strip() for cell in row.split("|"))
            assert about.endswith("."), row
            assert values.startswith(f"`{option.default}` "), row


def test_each_house_rule_is_told_once_and_what_the_rules_say_of_it_is_not_lost():
    for path, text in pages().items():
        code, _, file = path.partition("/")
        if file == "README.md":
            continue
        heads = re.findall(r"^## (.*)$", text, re.MULTILINE)
        assert len(heads) == len(set(heads))
        assert WORDS[code].chapter not in heads
        assert heads.count(WORDS[code].options) == 1
        names = re.findall(r"^\| \*\*(.*?)\*\* ", text, re.MULTILINE)
        chapter = rules(file.removesuffix(".md"), code).split(f"## {WORDS[code].chapter}\n")[1]
        told = re.findall(r"^(?:- )?\*\*(.+?)\*\*: ", chapter.split("\n## ")[0], re.MULTILINE)
        assert told
        assert [one for one in told if len([n for n in names if n.startswith(one)]) != 1] == []


def test_each_command_and_parameter_has_a_whole_sentence():
    for code in WORDS:
        text = pages()[f"{code}/README.md"]
        said = re.findall(r"^\| `/.* \| (.*) \|$|^- `\w+`: (.*)$", text, re.MULTILINE)
        assert len(said) > 30
        assert [one for pair in said for one in pair if one and one[-1] not in ".…"] == []


def same(name: str, data: bytes) -> None:
    """The committed figure is the drawn one, but for edges that another FreeType draws."""
    with Image.open(FIGURES / name) as file, Image.open(io.BytesIO(data)) as drawn:
        assert file.size == drawn.size
        pair = file.convert("RGB"), drawn.convert("RGB")
    assert sum(ImageStat.Stat(ImageChops.difference(*pair)).mean) / 3 < 1, f"look at {name}"


@pytest.mark.slow
def test_the_figures_of_niya_are_those_that_the_bot_draws():
    for name, data in figures(find_game("niya")).items():
        same(name, data)


@pytest.mark.slow
def test_all_figures_are_those_that_the_bot_draws_and_no_others():
    drawn = {name: data for game in shelf().values() for name, data in figures(game).items()}
    assert sorted(drawn) == sorted(one.name for one in FIGURES.iterdir())
    for name, data in drawn.items():
        same(name, data)


def test_the_figures_are_small():
    assert max(one.stat().st_size for one in FIGURES.iterdir()) < 45_000
