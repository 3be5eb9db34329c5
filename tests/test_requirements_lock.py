"""The lock file says the same as the other two files that name what we stand on."""

import re
import tomllib
from importlib.metadata import distribution

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.requirements_lock import CONSTRAINTS, LOCK, ROOT, Found, needed

PINS = dict(
    line.split("==") for line in CONSTRAINTS.read_text().splitlines() if not line.startswith("#")
)
VERSIONS = {canonicalize_name(name): version for name, version in PINS.items()}
ENTRIES = [
    line
    for line in LOCK.read_text().replace("\\\n", "").splitlines()
    if line and not line.startswith("#")
]
LOCKED = {
    canonicalize_name(name): version
    for name, version in (re.split("==| ", line)[:2] for line in ENTRIES)
}


def test_each_locked_version_is_the_one_of_the_constraints():
    assert {name: VERSIONS.get(name) for name in LOCKED} == LOCKED


def test_each_locked_distribution_has_a_hash():
    for line in ENTRIES:
        assert re.search(r" --hash=sha256:[0-9a-f]{64}( |$)", line), line


def test_the_lock_names_no_place_to_download_from():
    text = LOCK.read_text()
    assert "://" not in text
    assert not re.search(r"^\s*--(?!hash=)", text, flags=re.MULTILINE)


def test_whatever_is_needed_at_run_time_is_locked():
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
    asked, seen = [*map(Requirement, declared)], set()
    while asked:
        one = asked.pop()
        name = canonicalize_name(one.name)
        if (name, frozenset(one.extras)) in seen:
            continue
        seen.add((name, frozenset(one.extras)))
        needs = distribution(name).requires or []
        asked += [
            need
            for need in map(Requirement, needs)
            if need.marker is None
            or any(need.marker.evaluate({"extra": extra}) for extra in ("", *one.extras))
        ]
    assert {name for name, _ in seen} <= set(LOCKED)


def test_what_only_a_newer_python_needs_is_found_by_its_marker():
    extra = "audioop-lts; python_version >= '3.13'"
    chat = Found("discord-py", "2.7.1", "", (), ("aiohttp", extra, "orjson; extra == 'speed'"))
    assert needed([chat], "3.11") == {"aiohttp"}
    assert needed([chat], "3.13") == {"aiohttp", "audioop-lts"}
