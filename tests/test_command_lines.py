"""Every command line on a page is understood: its command by the parser, its module by Python."""

from __future__ import annotations

import re
import shlex
from importlib.util import find_spec
from pathlib import Path

import pytest

from bot.app.main import COMMANDS, parser
from tests.command_line import Ludoteca, one_sentence
from tests.test_readme import VALUES, lines
from tests.tools.build_site import ROOT, pages

TYPED = re.compile(
    r"(?:^|[`\s/])(?:ludoteca|ludoteca-run|python -m bot|bot)"
    rf" +((?:{'|'.join(map(re.escape, COMMANDS))})(?: [^`\n|;&>]*)?)(?=[`\n|;&>])"
)
"""A command of ours in a page's code, with its arguments."""

MODULE = re.compile(r"python3? -m ([\w.]+)\b(?!/)")

MORE = {"TEXT": "x", "NAME": "x", "CODE": "es", "KEY": "oca", "FROM": "a", "TO": "b", "SEAL": "ab"}
MORE |= {"PLACE": "123", "GAME": "niya"}

NOT_RUN = {
    "new-game": "writes into the checkout; tests/test_new_game.py runs it",
    "puzzles": "proves every puzzle, for hours",
}
"""Why a command of the pages is not run here."""


def code(page: Path) -> str:
    """The code of *page*, each piece on lines of its own."""
    text = (ROOT / page).read_text(encoding="utf-8")
    blocks = re.findall(r"^```\w*[^\n]*\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    spans = re.findall(
        r"`([^`\n]+)`", re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE)
    )
    return "\n".join([*blocks, *spans, ""])


def typed() -> list[tuple[str, str]]:
    """The pages and what they say to type; the table of all commands is read by itself."""
    return [
        (str(page), one.strip())
        for page in pages()
        if page.name not in ("commands.md", "CHANGELOG.md")
        for one in TYPED.findall(code(page))
    ]


def test_the_pages_have_command_lines():
    assert len(typed()) > 40
    assert lines()


@pytest.mark.parametrize(("page", "line"), sorted(set(typed())))
def test_every_command_of_ours_on_a_page_is_understood(page, line):
    words = [{**MORE, **VALUES}.get(one, one) for one in shlex.split(line.partition(" #")[0])]
    if len(words) == 1:
        assert words[0] in COMMANDS  # told of, and not typed
    else:
        assert parser().parse_args(words).command == words[0]


@pytest.mark.parametrize("line", sorted({line for _, line in typed() if " " in line}))
def test_every_command_of_ours_on_a_page_does_its_work_or_says_in_a_sentence_why_not(
    line, ludoteca: Ludoteca, tmp_path
):
    if why := NOT_RUN.get(line.split()[0]):
        pytest.skip(why)
    words = [{**MORE, **VALUES}.get(one, one) for one in shlex.split(line.partition(" #")[0])]
    done = ludoteca(tmp_path, *words)
    assert done.stdout if done.returncode == 0 else one_sentence(done, done.returncode)


def test_every_module_that_a_page_runs_is_there():
    named = {one for page in pages() for one in MODULE.findall(code(page))}
    assert len(named) > 15
    ours = {one for one in named if one.partition(".")[0] in ("bot", "tests", "render")}
    assert [one for one in sorted(ours) if "NAME" not in one and not find_spec(one)] == []
    assert named - ours <= {"venv", "pip", "pytest"}
