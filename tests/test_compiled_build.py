"""The faster build holds the same sources, compiled, and chooses the same moves."""

from __future__ import annotations

import re
import runpy
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from bot.app.doctor import computers
from games.core import search
from render.kit.fonts import EAST, OURS, RTL, SCRIPTS, SOUTH, file_of
from tests.compiled_tests import built, chosen

ROOT = Path(__file__).resolve().parents[1]
HOOK = runpy.run_path(str(ROOT / "hatch_build.py"))


def hook(target: str):
    return HOOK["FastBuild"](str(ROOT), {}, None, None, str(ROOT / "dist"), target)


def test_what_is_compiled_is_there():
    assert [path for path in HOOK["COMPILED"] if not (ROOT / path).is_file()] == []


def test_nothing_is_compiled_unless_it_is_asked_for(monkeypatch):
    for said, wanted in (("", False), ("0", False), ("1", True)):
        monkeypatch.setenv(HOOK["VARIABLE"], said)
        assert ("mypy[mypyc]" in hook("wheel").dependencies()) is wanted
        assert not hook("sdist").wanted
    monkeypatch.delenv(HOOK["VARIABLE"])
    assert not hook("wheel").wanted


def test_an_editable_install_is_plain(monkeypatch):
    monkeypatch.setenv(HOOK["VARIABLE"], "1")
    said: dict = {"force_include": {}, "force_include_editable": {}}
    hook("wheel").initialize("editable", said)
    assert said["force_include"] == {}
    assert {name.split("/")[0] for name in said["force_include_editable"].values()} == {OURS}


def test_each_script_of_names_finds_the_font_that_a_wheel_takes_in(monkeypatch, tmp_path):
    packages = {RTL, SOUTH, EAST}
    names = {f"notosans{one.name.lower()}" for one in SCRIPTS if one.package in packages}
    assert set(HOOK["FONT_NAMES"]) == names
    for source, place in HOOK["fonts"]().items():
        (tmp_path / place).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source, tmp_path / place)
    there = {one: file_of(one) for one in SCRIPTS if one.package in packages}
    monkeypatch.syspath_prepend(tmp_path)
    for one, file in there.items():
        ours = file_of.__wrapped__(replace(one, package=OURS))
        assert ours is not None
        assert ours.is_relative_to(tmp_path)
        assert file is not None
        assert ours.read_bytes() == file.read_bytes()


def test_the_doctor_says_which_build_runs(monkeypatch):
    monkeypatch.setattr(search, "__file__", "games/core/search.py")
    assert "plain Python" in computers().text
    monkeypatch.setattr(search, "__file__", "games/core/search.cpython-311.so")
    assert re.search("faster build", computers().text)


@pytest.mark.slow
def test_both_builds_choose_the_same_moves(tmp_path):
    plain, (fast, said) = chosen(ROOT, 200), chosen(built(tmp_path), 200)
    assert "compiled" in said
    assert fast == plain[0]
    assert len(fast.splitlines()) == 200
