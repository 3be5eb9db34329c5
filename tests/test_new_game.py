"""``ludoteca new-game KEY``: its skeleton passes every law there is, and nothing is overwritten."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.command_line import one_sentence

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = ("bot", "games", "render", "storage", "tests")


def ran(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    here = {**os.environ, "PYTHONPATH": str(folder)}
    return subprocess.run(
        [sys.executable, *command], cwd=folder, env=here, capture_output=True, text=True
    )


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A copy of the project in which a game may be added."""
    for name in FOLDERS:
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md"):
        shutil.copy(ROOT / name, tmp_path / name)
    return tmp_path


@pytest.mark.slow
def test_the_skeleton_of_a_game_passes_the_laws_its_own_tests_and_lives_a_whole_life(checkout):
    made = ran(checkout, "-m", "bot", "new-game", "monton", "--title", "Montón")
    assert made.returncode == 0, made.stderr
    assert "games/monton/rules.py" in made.stdout.split()
    laws = ("tests/games/test_laws.py", "tests/render/test_painters.py", "tests/test_whole_game.py")
    done = ran(checkout, "-m", "pytest", "-q", "-k", "monton", *laws, "tests/test_shelf.py")
    assert done.returncode == 0, done.stdout[-3000:]
    own = ("tests/games/test_monton.py", "tests/bot/test_texts.py")
    done = ran(checkout, "-m", "pytest", "-q", *own)
    assert done.returncode == 0, done.stdout[-3000:]
    files = made.stdout.split()
    for check in (("ruff", "check"), ("ruff", "format", "--check")):
        sources = [file for file in files if file.endswith(".py")]
        done = ran(checkout, "-m", *check, *sources)
        assert done.returncode == 0, done.stdout
    typed = ran(checkout, "-m", "mypy", "-p", "games.monton", "-p", "render.monton")
    assert typed.returncode == 0, typed.stdout


@pytest.mark.parametrize("key", ["niya", "core", "Oca", "class", "x" * 40, "../oca", "1oca", ""])
def test_a_key_that_cannot_be_or_is_taken_is_refused_in_a_sentence(ludoteca, tmp_path, key):
    for name in ("games/core", "games/niya", "render/kit", "tests/games"):
        (tmp_path / name).mkdir(parents=True)
    before = sorted(tmp_path.rglob("*"))
    one_sentence(ludoteca(tmp_path, "new-game", key), 2)
    assert sorted(tmp_path.rglob("*")) == before


def test_elsewhere_than_in_a_checkout_nothing_is_written(ludoteca, tmp_path):
    assert "checkout" in one_sentence(ludoteca(tmp_path, "new-game", "oca"), 2)
    assert not list(tmp_path.iterdir())
