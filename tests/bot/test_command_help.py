"""``ludoteca help``: each command says what it does, what it takes, and what its status means."""

from __future__ import annotations

import argparse
import json
import re
from pathlib import Path

import pytest

from bot.app.main import COMMANDS, parser
from bot.app.shell_texts import other_words, shell_texts
from bot.texts import catalogues_of
from tests.command_line import one_sentence

ROOT = Path(__file__).parents[2]
ARGPARSE = Path(argparse.__file__).read_text()


def parser_of() -> dict[str, argparse.ArgumentParser]:
    """The parser of each command."""
    (commands,) = (one for one in parser()._actions if one.dest == "command")
    return dict(commands.choices)


def test_help_alone_lists_every_command(ludoteca, tmp_path):
    done = ludoteca(tmp_path, "help")
    assert done.returncode == 0
    assert done.stdout == ludoteca(tmp_path, "--help").stdout
    listed = set(re.findall(r"^    (\S+)(?:  +|$)", done.stdout, flags=re.MULTILINE))
    assert listed == set(COMMANDS)


@pytest.mark.sampled(6)
@pytest.mark.parametrize("name", COMMANDS)
def test_help_of_a_command_says_what_its_status_means(ludoteca, tmp_path, name):
    done = ludoteca(tmp_path, "help", name)
    assert done.returncode == 0
    assert done.stdout == ludoteca(tmp_path, name, "--help").stdout
    statuses = re.findall(r"^  (\d+) +\S", done.stdout.split("exit status:")[1], re.MULTILINE)
    assert {"0", "2"} <= set(statuses)


@pytest.mark.parametrize("name", COMMANDS)
def test_each_argument_of_a_command_is_explained(name):
    command = parser_of()[name]
    unexplained = [one.dest for one in command._actions if not one.help]
    assert unexplained == []


@pytest.mark.parametrize("name", ["backup", "restore", "verify", "replay"])
def test_whoever_asks_reads_what_a_file_is(ludoteca, tmp_path, name):
    assert "FILE" in shell_texts()[f"shell.{name}.more"]
    assert len(shell_texts()[f"shell.{name}.more"].split()) > 15


def test_help_of_no_command_names_those_there_are(ludoteca, tmp_path):
    done = ludoteca(tmp_path, "help", "nonsense")
    assert done.returncode == 2
    assert "`ludoteca help` names all" in done.stderr


def test_the_findings_of_the_doctor_are_objects_for_programs(ludoteca, tmp_path):
    plain = ludoteca(tmp_path, "doctor").stdout.splitlines()
    found = json.loads(ludoteca(tmp_path, "doctor", "--json").stdout)
    assert [f"{one['level']:8}{one['text']}" for one in found] == plain
    assert {"fine", "warning"} == {one["level"] for one in found}


def test_a_quiet_doctor_says_only_what_is_not_fine(ludoteca, tmp_path):
    plain = ludoteca(tmp_path, "doctor").stdout.splitlines()
    quiet = ludoteca(tmp_path, "doctor", "--quiet").stdout.splitlines()
    assert quiet == [line for line in plain if not line.startswith("fine")]
    both = json.loads(ludoteca(tmp_path, "doctor", "--quiet", "--json").stdout)
    assert len(both) == len(quiet)


def keys_of_commands() -> set[str]:
    """What is said of every command and its arguments, by key."""
    found = {f"shell.any.{key}" for key in ("statuses", "status.0", "status.2")}
    for name, command in {"ludoteca": parser(), **parser_of()}.items():
        for key in ("about", "more", *(f"status.{n}" for n in (0, 1, 2, 3, 75, 130))):
            found.add(f"shell.{name}.{key}")
        for dest in {one.dest for one in command._actions} | {"status.1", "status.75"}:
            found |= {f"shell.{name}.{dest}", f"shell.any.{dest}"}
    return found


SOURCES = "".join(one.read_text() for one in sorted(ROOT.joinpath("bot/app").glob("*.py")))


@pytest.mark.parametrize("code", ["en", "es"])
def test_the_texts_of_the_command_line_are_those_of_its_catalogue(monkeypatch, code):
    monkeypatch.setenv("LUDOTECA_LANGUAGE", code)
    told = {k: v for k, v in catalogues_of(code).templates.items() if k.startswith("shell.")}
    assert shell_texts() == told
    of_library = {key for key in told if key.startswith("shell.argparse.")}
    said = {key for key in told if key.startswith("shell.say.")}
    below = {key for key in told if key.startswith("shell.below.")}
    words = {f"shell.{name}.also" for name in other_words().values()}
    read = keys_of_commands() | of_library | said | below | words
    assert told.keys() <= read, "a text that nobody reads"
    assert [
        k for k in said if not re.search(f"['\"]{k.removeprefix('shell.say.')}['\"]", SOURCES)
    ] == []
    assert all(key.removeprefix("shell.argparse.") in ARGPARSE for key in of_library)
    named = re.findall(r"""shell_sentence\(\s*["']([a-z-]+)["']""", SOURCES)
    assert {f"shell.say.{one}" for one in named} <= said


@pytest.mark.parametrize(
    ("setting", "language", "said"),
    [
        ("LUDOTECA_LANGUAGE", "es-419", "estado de salida"),
        ("LANG", "es_ES.UTF-8", "estado de salida"),
        ("LANG", "de_DE.UTF-8", "exit status"),
    ],
)
def test_the_operator_reads_the_help_in_their_language(ludoteca, tmp_path, setting, language, said):
    done = ludoteca(tmp_path, "help", "ban", **{setting: language})
    assert f"{said}:\n  0 " in done.stdout


def test_a_refusal_of_a_game_is_said_in_the_language_of_the_operator(ludoteca, tmp_path):
    assert "juego" in one_sentence(ludoteca(tmp_path, "moves", "ajedrez", LANG="es_ES.UTF-8"), 1)


def test_a_picture_is_worded_in_a_language_that_there_is(ludoteca, tmp_path):
    done = ludoteca(tmp_path, "picture", "niya", "-o", "a.png", "--language", "xx")
    assert done.returncode == 2
    assert "es, en" in done.stderr
