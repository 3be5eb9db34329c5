"""Which release this is: a number, its heading in the CHANGELOG, and the commit it is made of."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from bot import __version__
from bot.app import release as releases
from bot.app.git_commit import checked_out

ROOT = Path(__file__).resolve().parents[2]
COMMIT = "0123456789abcdef0123456789abcdef01234567"
CHANGES = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def heading_of(version: str, changes: str) -> bool:
    """Whether the first heading of *changes* is that of *version*: a date, or «Unreleased»."""
    (first, *_) = re.findall(r"^## (.*)$", changes, re.MULTILINE)
    if ".dev" in version:
        return bool(re.fullmatch(r"\d+\.\d+\.\d+\.dev\d+", version)) and first == "Unreleased"
    return bool(re.fullmatch(rf"{re.escape(version)} – \d{{4}}-\d\d-\d\d", first))


def test_the_number_is_that_of_a_release_or_of_the_work_on_the_next_one():
    assert heading_of(__version__, CHANGES)


@pytest.mark.parametrize(
    ("version", "heading", "right"),
    [
        ("0.3.0", "0.3.0 – 2026-11-26", True),
        ("0.4.0.dev0", "Unreleased", True),
        ("0.3.0", "Unreleased", False),
        ("0.3.0", "0.2.0 – 2026-11-22", False),
        ("0.4.0.dev0", "0.3.0 – 2026-11-26", False),
        ("0.4.0dev", "Unreleased", False),
    ],
)
def test_a_number_without_its_heading_is_noticed(version, heading, right):
    assert heading_of(version, f"# Changes\n\n## {heading}\n\n## 0.1.0\n") == right


def test_the_changes_of_each_recent_release_are_short_and_in_order():
    recent = CHANGES.split("## 0.2.0")[0]
    for part in re.split(r"^## ", recent, flags=re.MULTILINE)[1:]:
        assert len(part.splitlines()) <= 120
        kinds = re.findall(r"^### (.*)$", part, re.MULTILINE)
        assert kinds == [one for one in ("Added", "Changed", "Fixed") if one in kinds]


def git(folder: Path, *arguments: str) -> str:
    command = ["git", "-c", "user.name=a", "-c", "user.email=a@b", *arguments]
    return subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout with one commit."""
    try:
        git(tmp_path, "init", "-q", "-b", "main")
    except (FileNotFoundError, subprocess.CalledProcessError):
        pytest.skip("there is no git on this machine that makes a repository")
    git(tmp_path, "commit", "-q", "--allow-empty", "-m", "x")
    return tmp_path


def test_the_commit_of_a_checkout_is_the_one_that_git_tells(checkout, tmp_path):
    head = git(checkout, "rev-parse", "HEAD").strip()
    assert checked_out(checkout) == head
    git(checkout, "pack-refs", "--all")
    assert checked_out(checkout) == head, "packed"
    git(checkout, "checkout", "-q", "--detach")
    assert checked_out(checkout) == head, "on no branch"
    git(checkout, "worktree", "add", "-q", "-b", "other", str(tmp_path / "other"))
    assert checked_out(tmp_path / "other") == head, "in a worktree"


def test_a_folder_that_is_no_checkout_has_no_commit(tmp_path):
    assert checked_out(tmp_path) is None
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "HEAD").write_bytes(b"\xff\xfe")
    assert checked_out(tmp_path) is None
    (tmp_path / ".git" / "HEAD").write_text("ref: refs/heads/unborn\n")
    assert checked_out(tmp_path) is None


@pytest.fixture
def package(tmp_path, monkeypatch) -> Path:
    """Stands for the folder of the installed package ``bot``."""
    folder = tmp_path / "bot"
    folder.mkdir()
    monkeypatch.setattr(releases, "__file__", str(folder / "app" / "release.py"))
    return folder


def test_the_release_names_the_commit_that_the_build_has_noted(package):
    (package / "commit.txt").write_text(f"{COMMIT}\n")
    assert releases.release() == f"{__version__} (0123456789)"


def test_the_release_is_a_number_alone_where_no_commit_is_known(package):
    assert releases.release() == __version__
