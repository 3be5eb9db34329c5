"""Of every distribution that comes with us we load a module or read a file, but for a few."""

from __future__ import annotations

import json
import re
import runpy
import subprocess
import sys
import tomllib
from importlib.metadata import distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[1]
LICENCES = ROOT / "THIRD_PARTY_LICENSES.md"

LOAD = """
import importlib, json, pkgutil, sys
import bot, games, render, storage
for package in (bot, games, render, storage):
    for one in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        if not one.name.startswith("storage.migrations") and not one.name.endswith("__main__"):
            importlib.import_module(one.name)
from render.kit.fonts import SCRIPTS, file_of, font
fonts = [font(16).path, *map(str, filter(None, map(file_of, SCRIPTS)))]
import asyncpg, storage.upgrade, sqlalchemy.ext.asyncio
from bot.tournament.swiss import why_missing
why_missing()
storage.upgrade.newest_revision()
files = [getattr(one, "__file__", None) for one in list(sys.modules.values())]
print(json.dumps([*filter(None, files), *fonts]))
"""


UNUSED = {
    "anyio": "httpx",
    "certifi": "httpx",
    "h11": "httpcore",
    "httpcore": "httpx",
    "pycparser": "cffi",
}
"""What nobody loads, 5 MB in all, with what requires it: python-telegram-bot and cryptography."""


def requirements(name: str) -> list[Requirement]:
    """What the distribution called *name* requires."""
    return [*map(Requirement, distribution(name).requires or ())]


def needed() -> set[str]:
    """The distributions that are installed with us, the driver of a server too."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    declared = [*project["dependencies"], *project["optional-dependencies"]["postgresql"]]
    asked, seen = [one for one in map(Requirement, declared) if wanted(one)], set[str]()
    while asked:
        one = asked.pop()
        name = canonicalize_name(one.name)
        if name not in seen or one.extras:
            seen.add(name)
            asked += [need for need in requirements(name) if wanted(need, *one.extras)]
    return seen


def wanted(one: Requirement, *extras: str) -> bool:
    """Whether *one* is installed here with whatever asks for it with these *extras*."""
    marker = one.marker
    return marker is None or any(marker.evaluate({"extra": extra}) for extra in ("", *extras))


@pytest.mark.slow
def test_of_each_distribution_but_for_a_few_we_load_a_module_or_read_a_file() -> None:
    done = subprocess.run(
        [sys.executable, "-c", LOAD], cwd=ROOT, capture_output=True, text=True, check=True
    )
    loaded = {Path(one).resolve() for one in json.loads(done.stdout.splitlines()[-1])}
    idle = set()
    for name in sorted(needed()):
        files = {Path(str(one.locate())).resolve() for one in distribution(name).files or ()}
        if not files & loaded:
            idle.add(name)
    assert idle == set(UNUSED)
    for name, by in UNUSED.items():
        assert name in {canonicalize_name(one.name) for one in requirements(by)}


def test_the_list_of_licences_has_all_that_is_installed_with_the_licence_that_it_tells() -> None:
    rows = re.findall(r"^\| ([a-z0-9-]+) \| (\S.*\S) \|$", LICENCES.read_text(), re.MULTILINE)
    told = dict(rows[1:])
    assert len(told) == len(rows) - 1
    here = needed()
    assert here <= told.keys()
    # py4swiss is not for every machine, and what Python 3.13 lacks is not for every Python.
    assert told.keys() - here <= {"audioop-lts", "py4swiss"}
    for name in here:
        about = distribution(name).metadata
        keys = ("License-Expression", "License", "Classifier")
        said = " ".join(one for key in keys for one in about.get_all(key) or ())
        kinds = set(re.findall(r"[A-Z]{3,4}|Apache", told[name])) - {"AND"}
        assert kinds, name
        assert all(kind in said for kind in kinds), (name, told[name])
    assert {"LGPL-3.0-only", "MPL-2.0", "OFL-1.1"} <= set(told.values())


def test_the_list_of_licences_names_the_fonts_of_a_wheel() -> None:
    hook = runpy.run_path(str(ROOT / "hatch_build.py"))
    words = LICENCES.read_text().casefold()
    for name in hook["FONT_NAMES"]:
        assert name.removeprefix("notosans") in words
    assert "ofl-1.1" in words
