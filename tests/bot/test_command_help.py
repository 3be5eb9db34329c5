"""``ludoteca help``: each command says what it does, what it takes, and what its status means."""

from __future__ import annotations

import argparse
import json
import re

import pytest

from bot.app.help_texts import HELP
from bot.app.main import parser


def parser_of() -> dict[str, argparse.ArgumentParser]:
    """The parser of each command."""
    (commands,) = (one for one in parser()._actions if one.dest == "command")
    return dict(commands.choices)


def test_help_alone_lists_every_command(ludoteca, tmp_path):
    done = ludoteca(tmp_path, "help")
    assert done.returncode == 0
    assert done.stdout == ludoteca(tmp_path, "--help").stdout
    listed = set(re.findall(r"^    (\S+)(?:  +|$)", done.stdout, flags=re.MULTILINE))
    assert listed == set(HELP)


@pytest.mark.sampled(6)
@pytest.mark.parametrize("name", HELP)
def test_help_of_a_command_says_what_its_status_means(ludoteca, tmp_path, name):
    done = ludoteca(tmp_path, "help", name)
    assert done.returncode == 0
    assert done.stdout == ludoteca(tmp_path, name, "--help").stdout
    statuses = re.findall(r"^  (\d+) +\S", done.stdout.split("exit status:")[1], re.MULTILINE)
    assert {"0", "2"} <= set(statuses)


@pytest.mark.parametrize("name", HELP)
def test_each_argument_of_a_command_is_explained(name):
    command = parser_of()[name]
    unexplained = [one.dest for one in command._actions if not (one.help or one.choices)]
    assert unexplained == []


@pytest.mark.parametrize("name", ["backup", "restore", "verify", "replay"])
def test_whoever_asks_reads_what_a_file_is(ludoteca, tmp_path, name):
    assert "FILE" in HELP[name].more
    assert len(HELP[name].more.split()) > 15


def test_help_of_no_command_names_those_there_are(ludoteca, tmp_path):
    done = ludoteca(tmp_path, "help", "nonsense")
    assert done.returncode == 2
    assert "doctor" in done.stderr


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


def test_every_command_of_the_parser_has_its_help():
    assert set(parser_of()) == set(HELP)
