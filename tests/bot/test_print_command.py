"""``ludoteca print``: what it writes, and what it refuses in a sentence."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.app import print_command
from bot.app.main import parser
from bot.app.output import CommandError
from bot.app.print_command import run_print_command
from games.core import RuleError

LARGEST = 10 * 1024 * 1024


def told(folder: Path, *words: str, file: str = "it.pdf") -> Path:
    """The file that the command writes."""
    asked = parser().parse_args(["print", *words, "-o", str(folder / file)])
    assert run_print_command(asked) == 0
    return folder / file


@pytest.mark.slow
def test_a_game_is_written_as_a_pdf(tmp_path, capsys):
    made = told(tmp_path, "Niya", "--language", "es", "--paper", "LETTER")
    written = made.read_bytes()
    assert written.startswith(b"%PDF-")
    assert written.count(b"/Subtype /Image") == 4  # cards, markers, two sheets of rules
    assert len(written) < LARGEST
    assert capsys.readouterr().out == f"{made}\n"


@pytest.fixture
def unpainted(monkeypatch):
    """The command without its sheets, which take seconds."""
    monkeypatch.setattr(print_command, "booklet", lambda *_: b"%PDF-")
    monkeypatch.setattr(print_command, "figure", lambda *_: None)


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("niya", "--paper", "a3"), "no paper a3: there are a4, letter"),
        (("niya", "--language", "xx"), "no language xx: there are es, en"),
    ],
)
def test_what_there_is_not_is_refused_with_what_there_is(tmp_path, words, why, unpainted):
    with pytest.raises(CommandError, match=why):
        told(tmp_path, *words)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "words",
    [
        ("oca",),
        ("niya", "--pieces", "two"),
        ("cirya", "--option", "size=9"),
        ("niya", "--option", "x"),
    ],
)
def test_a_game_set_or_option_that_there_is_not_is_refused(tmp_path, words, unpainted):
    with pytest.raises(RuleError):
        told(tmp_path, *words)
    assert not list(tmp_path.iterdir())


def test_a_file_that_cannot_be_written_is_refused(tmp_path, unpainted):
    with pytest.raises(RuleError):
        told(tmp_path, "niya", file="there/is/no/folder.pdf")
    with pytest.raises(RuleError):
        told(tmp_path, "niya", file="")


def test_a_game_without_sheets_says_so(tmp_path, monkeypatch, unpainted):
    monkeypatch.setattr(print_command, "printable_parts", lambda _: None)
    with pytest.raises(CommandError, match="Niya has nothing to be printed") as refused:
        told(tmp_path, "niya")
    assert refused.value.status == 1


@pytest.mark.parametrize("pieces", ["one", "two", "western", "starter"])
def test_shogi_is_printed_with_the_set_that_is_asked_for(tmp_path, monkeypatch, pieces, unpainted):
    seen = []
    monkeypatch.setattr(print_command, "booklet", lambda *given: seen.append(given) or b"")
    told(tmp_path, "shogi", "--pieces", pieces)
    drawn = seen[0][0].cutouts[0].faces[0].image(8.0)
    seen.clear()
    told(tmp_path, "shogi")
    usual = seen[0][0].cutouts[0].faces[0].image(8.0)
    assert (drawn.tobytes() == usual.tobytes()) == (pieces == "one")
