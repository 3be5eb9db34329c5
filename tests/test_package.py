"""The wheel holds everything and runs from another folder."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from bot import __version__
from bot.app.git_commit import checked_out
from bot.app.release import COMMIT
from tests.check import LONG

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "-o", str(folder)]
    environment = {**os.environ, "LUDOTECA_URL": "https://example.org/house"}
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True, env=environment)
    (built,) = folder.glob("*.whl")
    return built


def test_the_wheel_holds_texts_migrations_and_the_page(wheel):
    names = zipfile.ZipFile(wheel).namelist()
    for wanted in ("bot/texts/es/house.po", "bot/texts/en/niya.md"):
        assert wanted in names
    assert any(name.startswith("storage/migrations/versions/") for name in names)
    assert any(name.startswith("bot/chats/web/static/") for name in names)
    assert not any(name.startswith("tests/") for name in names)


def test_the_wheel_tells_type_checkers_that_it_is_typed(wheel):
    names = zipfile.ZipFile(wheel).namelist()
    for package in ("bot", "games", "render", "storage"):
        assert f"{package}/py.typed" in names


def test_the_wheel_holds_licences_and_fonts_and_names_the_repository(wheel):
    with zipfile.ZipFile(wheel) as opened:
        names = opened.namelist()
        (about,) = (opened.read(one).decode() for one in names if one.endswith("/METADATA"))
    assert any(one.endswith("licenses/THIRD_PARTY_LICENSES.md") for one in names)
    fonts = {one.split("/")[1] for one in names if re.fullmatch(r"ludoteca_fonts/\w+/.*\.ttf", one)}
    assert fonts
    assert all(f"ludoteca_fonts/{one}/OFL.txt" in names for one in fonts)
    assert "Project-URL: Source, https://example.org/house" in about
    targets = re.findall(r"\]\(([^)]+)\)", about)
    assert "https://example.org/house/raw/main/docs/replay.gif" in targets
    assert "https://example.org/house/blob/main/docs/operate/README.md" in targets
    assert [one for one in targets if not one.startswith("https://")] == []
    assert "fonttools" not in re.sub("Requires-Dist: .*extra == 'dev'", "", about)


def test_the_wheel_names_the_commit_that_it_is_made_of(wheel):
    commit = checked_out(ROOT)
    if commit is None:
        pytest.skip("the sources are no checkout here")
    with zipfile.ZipFile(wheel) as opened:
        assert opened.read(f"bot/{COMMIT}").decode().strip() == commit


@pytest.mark.slow
def test_the_wheel_runs_from_another_folder(wheel, tmp_path):
    """Unpacked and first on the path, it answers without the sources."""
    zipfile.ZipFile(wheel).extractall(tmp_path / "site")
    environment = {**os.environ, "PYTHONPATH": str(tmp_path / "site")}
    for command, word in (
        (["--version"], f"ludoteca {__version__}"),
        (["games"], "Niya"),
        (["perft", "niya", "3"], "3 360"),
        (["picture", "niya", "-o", "niya.png"], "niya.png"),
    ):
        done = subprocess.run(
            [sys.executable, "-m", "bot", *command],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert done.returncode == 0, done.stderr
        assert word in done.stdout
    assert (tmp_path / "niya.png").read_bytes().startswith(b"\x89PNG")


def test_ci_calls_the_second_command_of_the_readme():
    blocks = re.findall(r"```sh\n(python3 -m venv .*?)\n```", (ROOT / "README.md").read_text())
    assert len(blocks) == 2
    assert blocks[1] in (ROOT / ".ci" / "run").read_text()


@pytest.mark.parametrize("path", LONG)
def test_whatever_the_quick_run_leaves_out_is_there(path):
    assert list(ROOT.glob(path))


def test_every_setting_is_in_the_example_file():
    from bot.app.settings import Settings

    example = (ROOT / ".env.example").read_text()
    names = re.findall(r"^#([A-Z_]+)=", example, flags=re.MULTILINE)
    assert sorted(name.lower() for name in names) == sorted(Settings.model_fields)


def test_a_copy_of_the_example_file_changes_nothing_and_shows_the_defaults(tmp_path):
    from bot.app.settings import Settings

    example = (ROOT / ".env.example").read_text()
    copy, bare = tmp_path / "copy", tmp_path / "bare"
    copy.write_text(example)
    bare.write_text(re.sub(r"^#(?=[A-Z_]+=)", "", example, flags=re.MULTILINE))
    nothing = Settings(_env_file=None)
    assert Settings(_env_file=copy) == nothing
    assert Settings(_env_file=bare) == nothing
    assert re.findall(r"^[^#\n].*", example, flags=re.MULTILINE) == []
