"""What fails is asked once more, and neither hides the other."""

import os
import sys
from dataclasses import replace
from pathlib import Path

import pytest

import tests.check
from tests.check import (
    FREED,
    Check,
    check,
    keep_bytecode,
    keep_databases_in_memory,
    keep_memory,
    look,
    quick,
    run,
)

GOOD, BAD = ((sys.executable, "-c", f"raise SystemExit({status})") for status in (0, 1))


@pytest.mark.parametrize(
    ("command", "again", "status"),
    [(GOOD, None, 0), (BAD, None, 1), (GOOD, BAD, 0), (BAD, GOOD, 0), (BAD, BAD, 1)],
)
def test_what_fails_twice_fails(command, again, status):
    assert run((Check("tests", command, again=again),)) == status


@pytest.mark.parametrize(("first", "status"), [(GOOD, 1), (BAD, 0)])
def test_what_needs_a_whole_run_is_not_judged_by_half_of_one(first, status, capsys):
    checks = (Check("tests", first, again=GOOD), Check("coverage", BAD, whole=True))
    assert run(checks) == status
    assert ("skipped: not everything" in capsys.readouterr().out) == (status == 0)


def test_all_static_checks_run_though_the_first_fails(tmp_path):
    said = (sys.executable, "-c", "print('seen')")
    checks = (Check("a", BAD), Check("b", said), Check("c", GOOD, tool=tmp_path / "absent"))
    end = "── b\nseen\n── c\nskipped: npm install has not been run here"
    assert look(checks) == (1, f"── a\n\n{end}")
    assert look(checks[1:]) == (0, end)


def test_the_logic_of_the_page_is_tested_and_missed_where_node_is_absent(tmp_path):
    logic = next(one for one in tests.check.STATIC if one.name == "logic of the page")
    assert {Path(path).name for path in logic.command[2:]} >= {"connection.test.js"}
    without = replace(logic, tool=tmp_path / "node")
    assert look((without,)) == (0, f"── {logic.name}\nskipped: node is not installed here")


def test_wrong_types_fail_a_run_whose_tests_pass_and_are_not_asked_where_the_lint_is_wrong(
    monkeypatch, capsys
):
    monkeypatch.setattr(tests.check, "STATIC", (Check("lint", GOOD),))
    monkeypatch.setattr(tests.check, "TYPES", (Check("types", BAD),))
    assert check((Check("tests", GOOD),)) == 1
    assert "── types" in capsys.readouterr().out
    monkeypatch.setattr(tests.check, "STATIC", (Check("lint", BAD),))
    assert check((Check("tests", GOOD),)) == 1
    assert "── t" not in capsys.readouterr().out


def test_children_may_keep_what_they_compile(monkeypatch):
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    keep_bytecode()
    said = (sys.executable, "-c", "import sys; print(sys.dont_write_bytecode)")
    assert look((Check("a", said),)) == (0, "── a\nFalse")


def test_children_keep_the_memory_that_they_free_unless_somebody_says_otherwise(monkeypatch):
    for name in FREED:
        monkeypatch.setenv(name, "7")
    monkeypatch.delenv("MALLOC_TOP_PAD_")
    keep_memory()
    asked = "import os; print(*(os.environ[one] for one in sorted(os.environ) if 'MALLOC_' in one))"
    assert look((Check("a", (sys.executable, "-c", asked)),)) == (0, "── a\n7 4194304 7")


@pytest.mark.parametrize(("room", "kept"), [(0, True), (2**80, False)])
def test_databases_lie_in_memory_only_where_there_is_room(monkeypatch, tmp_path, room, kept):
    monkeypatch.setattr(tests.check, "IN_MEMORY", tmp_path)
    monkeypatch.setattr(tests.check, "ROOM", room)
    monkeypatch.setenv("PYTEST_DEBUG_TEMPROOT", "")  # to be as it was after the test
    monkeypatch.delenv("PYTEST_DEBUG_TEMPROOT")
    keep_databases_in_memory()
    assert os.environ.get("PYTEST_DEBUG_TEMPROOT") == (str(tmp_path) if kept else None)
    monkeypatch.setattr(tests.check, "IN_MEMORY", tmp_path / "absent")
    keep_databases_in_memory()


def test_the_quick_run_asks_what_opens_no_house_and_what_is_near_to_a_change():
    plain = quick(())
    assert {"tests/games/test_laws.py", "tests/test_check.py"} <= {*plain}
    assert not [one for one in plain if one.startswith(("tests/browser", "tests/evening"))]
    near = {"tests/bot/test_rematch.py", "tests/bot/test_notifications.py"}
    assert {*quick(("tests/bot/test_rematch.py", "bot/service/table/tables.py"))} - {*plain} == near
