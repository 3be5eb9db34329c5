"""Games from other distributions: found, refused in a sentence, and left out without harm."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import venv
from dataclasses import replace
from pathlib import Path

import pytest

from bot.app import new_game
from games.core import shelf as core_shelf
from games.core.outside_packages import CONTRACT, BadPackage, find_declared, import_game
from tests.fakes import desk, person

ANA, BEA, LUIS = person("Ana"), person("Bea"), person("Luis")

ROOT = Path(__file__).resolve().parents[1]
CUBO = ROOT / "examples" / "ludoteca-cubo"
TRES = ROOT / "examples" / "ludoteca-tres" / "ludoteca_tres"


def installed(site: Path, key: str, module: str, attribute: str = "GAME") -> None:
    """Declare the game *key* in *site* as an installation of its distribution would."""
    told = site / f"ludoteca_{key.lower()}x-1.0.dist-info"
    told.mkdir(parents=True)
    (told / "METADATA").write_text(f"Metadata-Version: 2.1\nName: ludoteca-{key}\nVersion: 1.0\n")
    (told / "entry_points.txt").write_text(f"[ludoteca.games]\n{key} = {module}:{attribute}\n")


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A folder of installed packages with the example in it."""
    folder = tmp_path / "site"
    shutil.copytree(CUBO / "ludoteca_cubo", folder / "ludoteca_cubo")
    installed(folder, "cubo", "ludoteca_cubo")
    return folder


def heap_in(site: Path, key: str) -> Path:
    """The skeleton as an installed package *key*, to be broken."""
    made = site.parent / "made"
    made.mkdir(exist_ok=True)
    new_game.new_game(key, key.capitalize(), made, package=True)
    package = site / f"ludoteca_{key}"
    shutil.copytree(made / f"ludoteca-{key}" / package.name, package)
    installed(site, key, package.name)
    return package


def ran(site: Path, *command: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join((str(site), str(ROOT)))}
    return subprocess.run(
        [sys.executable, "-m", "bot", *command],
        cwd=site.parent,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
    )


def edited(file: Path, old: str, new: str) -> None:
    text = file.read_text("utf-8")
    assert old in text
    file.write_text(text.replace(old, new), "utf-8")


@pytest.mark.slow
def test_the_example_keeps_every_law(site):
    done = ran(site, "check-game", "cubo", "--walks", "3")
    assert done.returncode == 0, done.stdout
    assert done.stdout.count("ok ") > 15


def test_a_game_that_breaks_a_law_is_told_which_one_and_in_which_walk(site):
    heap = heap_in(site, "oca")
    edited(heap / "notation.py", 'f"take{move}"', '"take"')
    done = ran(site, "check-game", "oca", "--walks", "3")
    assert done.returncode == 1
    (broken, *_) = [line for line in done.stdout.splitlines() if line.startswith("BROKEN")]
    assert "no two legal moves share a notation" in broken
    assert "(walk 202" in broken


REFUSED = {
    "raises": (lambda it: (it / "rules.py").write_text("1 / 0\n"), "ZeroDivisionError"),
    "syntax": (lambda it: (it / "rules.py").write_text("def (\n"), "SyntaxError"),
    "silent": (
        lambda it: edited(it / "__init__.py", f"CONTRACT = {CONTRACT}", "CONTRACTED = 1"),
        "does not say CONTRACT",
    ),
    "old": (
        lambda it: edited(it / "__init__.py", f"CONTRACT = {CONTRACT}", "CONTRACT = 0"),
        f"made for contract 0, and this release has {CONTRACT}",
    ),
    "blind": (lambda it: (it / "painter.py").unlink(), "no painter"),
    "mute": (lambda it: (it / "texts" / "en" / "mute.po").unlink(), "texts/en/mute.po"),
    "other": (lambda it: edited(it / "__init__.py", 'key="other"', 'key="another"'), "another"),
    "thief": (lambda it: edited(it / "__init__.py", 'title="Thief"', 'title="Ñiya"'), "niya"),
    "nogame": (lambda it: edited(it / "__init__.py", "GAME = Game(", "GAME = dict("), "no Game"),
    "gone": (shutil.rmtree, "no package that is installed"),
}
"""What is done to a package, and what its refusal says."""


@pytest.mark.parametrize("key", REFUSED)
def test_a_package_that_cannot_be_a_game_is_refused_in_a_sentence(site, monkeypatch, key):
    breaking, why = REFUSED[key]
    breaking(heap_in(site, key))
    monkeypatch.syspath_prepend(str(site))
    (package,) = (one for one in find_declared() if one.key == key)
    assert package.distribution == f"ludoteca-{key} 1.0"
    with pytest.raises(BadPackage, match=why):
        import_game(package, ["niya"], lambda name: name.replace("Ñ", "n"))


FAILING = {
    "raises": (lambda it: (it / "rules.py").write_text("1 / 0\n"), "ZeroDivisionError"),
    "unpainted": (lambda it: (it / "painter.py").write_text("raise OSError('no ink')\n"), "no ink"),
    "garbled": (
        lambda it: (it / "texts" / "es" / "garbled.po").write_bytes(b"\xff\xfe"),
        "Unicode",
    ),
    "holder": (
        lambda it: edited(it / "texts" / "es" / "holder.po", "{winner}", "{ganador}"),
        "placeholder",
    ),
}
"""What only its use finds."""

BROKEN = FAILING | {key: REFUSED[key] for key in ("syntax", "silent", "old", "nogame", "blind")}
"""Packages, each broken in its way."""

MIXED = ("unpainted", "garbled", "old")


@pytest.mark.slow
@pytest.mark.parametrize("keys", [MIXED, pytest.param(tuple(BROKEN), marks=pytest.mark.slow)])
def test_broken_packages_are_named_in_a_line_each_and_everything_else_goes_on(site, keys):
    for key in keys:
        BROKEN[key][0](heap_in(site, key))
    done = ran(site, "games")
    assert done.returncode == 0, done.stderr
    assert not done.stderr
    lines = done.stdout.splitlines()
    left_out = {line.split()[2]: line for line in lines if line.startswith("Left out: ")}
    assert left_out.keys() == set(keys)
    for key in keys:
        assert BROKEN[key][1] in left_out[key]
    titles = {line.partition(" (")[0] for line in lines if not line.startswith((" ", "Left"))}
    assert titles == {
        "Cirya",
        "Cubo",
        "Niya",
        "Parchís",
        "Shogi",
        "Storilljuðjorrayc",
    }


@pytest.mark.slow
def test_the_example_is_installed_into_a_fresh_environment_beside_the_wheel(tmp_path):
    home = tmp_path / "home"
    venv.create(home, with_pip=True, system_site_packages=True)
    python = home / "bin" / "python"
    for source in (ROOT, CUBO):
        build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "-o", str(tmp_path)]
        subprocess.run(build, cwd=source, check=True, capture_output=True)
    wheels = sorted(map(str, tmp_path.glob("*.whl")))
    assert len(wheels) == 2
    install = [str(python), "-m", "pip", "install", "--quiet", "--no-deps", *wheels]
    subprocess.run(install, check=True, capture_output=True)
    libraries = os.pathsep.join(one for one in sys.path if one.endswith("site-packages"))
    environment = {**os.environ, "PYTHONPATH": libraries}
    command = [str(home / "bin" / "ludoteca"), "check-game", "cubo", "--walks", "10"]
    done = subprocess.run(
        command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stdout + done.stderr


async def test_a_table_of_a_game_that_is_not_installed_is_set_aside_until_it_is(
    tmp_path, monkeypatch
):
    async with desk(tmp_path) as at:
        await at.call(ANA, "play", game="cirya", opponent=BEA)
        await at.call(ANA, "play", game="niya", opponent=LUIS)
        await at.settle()
        shown = {message.screen.table for message in at.chat.messages.values()}
        tables = [await at.facade.services.tables.get(code) for code in shown if code]
        codes = {table.game.key: table.code for table in tables}
    whole = core_shelf._stock()
    fewer = {key: game for key, game in whole.games.items() if key != "cirya"}
    monkeypatch.setattr(core_shelf, "_stock", lambda: replace(whole, games=fewer))
    monkeypatch.setattr(core_shelf, "game_names", core_shelf.game_names.__wrapped__)
    async with desk(tmp_path) as at:
        refused = await at.call(ANA, "board", table=codes["cirya"])
        assert (refused.good, "no se puede leer" in refused.said) == (False, True)
        assert (await at.call(ANA, "board", table=codes["niya"])).good
    monkeypatch.undo()
    async with desk(tmp_path) as at:
        assert (await at.call(ANA, "board", table=codes["cirya"])).good


@pytest.mark.slow
@pytest.mark.parametrize("key", ["cubo", "tres"])
def test_the_examples_live_a_whole_life_at_a_table(site, key):
    shutil.copytree(TRES, site / TRES.name)
    installed(site, "tres", TRES.name)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join((str(site), str(ROOT)))}
    tests = (
        "tests/test_whole_game.py",
        "tests/games/test_laws.py",
        "tests/render/test_painters.py",
        *(["tests/chats/test_smallest_game.py"] if key == "tres" else []),
    )
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", key, *tests],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout[-3000:]
    assert " passed" in done.stdout


def test_the_smallest_game_has_at_most_sixty_lines_and_the_contract_shows_them():
    written = (TRES / "__init__.py").read_text("utf-8")
    assert len(written.splitlines()) <= 60
    assert f"```python\n{written}```" in (ROOT / "docs" / "contract.md").read_text("utf-8")
