"""Everything that must hold, in one command: ``python -m tests.check``, which CI runs too.

It takes about seven minutes on two cores. ``--all`` adds the slow lane (whole truth tables,
strengths of levels, long games in a browser, scenes like those that the evenings play, what is else
only sampled) and the branch coverage with its floor: every night and before a release. ``--quick``
takes about half a minute: beside what is static the tests that open no house and paint no board
(rules, notations, texts, documents), and those near what differs from ``main``.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BIN = Path(sys.executable).parent
PAGE = ROOT / "node_modules" / ".bin"
NODE = Path(shutil.which("node") or "node")
LOGIC = tuple(str(path) for path in sorted((ROOT / "tests" / "page").glob("*.test.js")))
"""The tests of the page's scripts without a browser; they need node alone, nothing of npm."""

LONG = (
    "tests/browser",
    "tests/drives",
    "tests/evening",
    "tests/tools",
    "tests/test_whole_game.py",
    "tests/test_new_game.py",
    "tests/test_game_packages.py",
    "tests/test_package.py",
    "tests/bot/test_descriptions.py",
    "tests/bot/test_forged_records.py",
    "tests/bot/test_honest_records.py",
    "tests/bot/test_main.py",
    "tests/bot/test_reckoning.py",
    "tests/bot/test_release_*.py",
    "tests/bot/test_sentences.py",
    "tests/bot/test_start_up.py",
    "tests/bot/test_thinker.py",
    "tests/games/*_computer.py",
    "tests/games/*_games.py",
    "tests/games/*_problems.py",
    "tests/games/*_prover.py",
    "tests/games/*_reference.py",
    "tests/games/*_truth.py",
)
"""What the quick run leaves out: children, browsers, whole games."""

NEAR = 6
"""How many files of tests the quick run asks that open a house or paint."""


def changed() -> list[str]:
    """The files of Python that differ from the branch ``main``; none where nobody can tell."""
    asked = (("diff", "--name-only", "main"), ("ls-files", "--others", "--exclude-standard"))
    with suppress(OSError):
        done = [subprocess.run(("git", *one), cwd=ROOT, capture_output=True) for one in asked]
        return [one for d in done for one in d.stdout.decode().split() if one.endswith(".py")]
    return []


def quick(differ: Sequence[str]) -> list[str]:
    """The files of the quick run: what opens no house and paints no board, and what is near.

    Near are those of *differ* themselves, and the smallest of those that import one of them.
    """
    left_out = {path for one in LONG for path in ROOT.glob(one)}
    files = [
        (len(text := path.read_text()), path.relative_to(ROOT).as_posix(), text)
        for path in sorted((ROOT / "tests").rglob("test_*.py"))
        if not left_out & {path, *path.parents}
    ]
    modules = [one.removesuffix(".py").replace("/", ".") for one in differ]
    names = [name for _, name, text in sorted(files) if any(f"{m} import" in text for m in modules)]
    plain = [
        name for _, name, text in files
        if "async def test" not in text and not name.startswith("tests/render/test_")
    ]  # fmt: skip
    near = [
        name for name in [*(n for _, n, _ in files if n in differ), *names] if name not in plain
    ]
    return sorted({*plain, *near[:NEAR]})


@dataclass(frozen=True)
class Check:
    """One command; *tool* is a file without which it is passed over with a sentence."""

    name: str
    command: tuple[str, ...]
    tool: Path | None = None
    absent: str = "npm install has not been run here"
    """The sentence for an absent tool."""

    again: tuple[str, ...] | None = None
    """What is run where *command* found a fault; without it that fault stands."""

    whole: bool = False
    """Whether it says something only where nothing had to be run again."""


IN_MEMORY = Path("/dev/shm")
ROOM = 4 * 1024**3
"""Bytes that must be free there; a run takes half of that, most of it on its servers."""

FREED = {
    "MALLOC_TRIM_THRESHOLD_": 256 * 1024**2,
    "MALLOC_MMAP_THRESHOLD_": 32 * 1024**2,
    "MALLOC_TOP_PAD_": 4 * 1024**2,
}
"""Up to how many bytes glibc keeps; half of the system's time went into pages. Others ignore it."""

PYTHON = (sys.executable, "-m")
PYTEST = (*PYTHON, "pytest", "-q", "-m", "not slow")
WORKERS = ("-n", "4", "--dist", "worksteal")
"""Twice as many as cores: much of what the chats' tests do is waiting."""

PLAIN = ("--assert=plain",)
"""Each worker rewrote all assertions anew in a fresh checkout, a tenth of the time. What fails is
asked once more with them, and says what it compared."""

TESTS = (*PYTEST, *WORKERS, *PLAIN)
ENDED = ("-o", "faulthandler_timeout=330", "-o", "faulthandler_exit_on_timeout=true")
"""What hangs even in its clean-up is ended from outside, with a look at where it stands."""

COVERED = ("--cov", "--cov-report=")
LAST = ("--last-failed", "--last-failed-no-failures=none", "--maxfail=3")
ONCE_MORE = (*PYTEST, *ENDED, *LAST, "-rA", "--show-capture=no")
"""Tests that failed are asked once more, one after the other, and named: what fails only beside
others is told apart from what is broken, and neither is passed over in silence."""

PACKAGES = ("bot", "games", "render", "storage", "tests")

STATIC = (
    Check("bytecode", (*PYTHON, "compileall", "-q", *PACKAGES)),
    Check("format", (*PYTHON, "ruff", "format", "--check", ".")),
    Check("lint", (*PYTHON, "ruff", "check", ".")),
    Check("arrows", (str(BIN / "lint-imports"),)),
    Check("lint of the page", (str(PAGE / "eslint"), "--max-warnings", "0", "."), PAGE / "eslint"),
    Check("logic of the page", (str(NODE), "--test", *LOGIC), NODE, "node is not installed here"),
)
TYPES = (
    Check("types", (*PYTHON, "mypy")),
    Check("types of the page", (str(PAGE / "tsc"),), tool=PAGE / "tsc"),
)
"""What takes a minute and goes on beside the tests."""

WHOLE = (Check("tests", (*TESTS, *ENDED), again=ONCE_MORE),)
ALL = (
    Check("tests", (*TESTS, *ENDED, *COVERED, "--cov-fail-under=0"), again=ONCE_MORE),
    Check("coverage", (*PYTHON, "coverage", "report", "--skip-covered"), whole=True),
    Check("slow tests", (*PYTHON, "pytest", "-q", "-m", "slow", *WORKERS)),
)


def look(checks: tuple[Check, ...]) -> tuple[int, str]:
    """Run all *checks*, two at a time: the status of one that failed, or 0, and what each said."""

    def ran(check: Check) -> tuple[int, str]:
        if check.tool is not None and not check.tool.exists():
            return 0, f"skipped: {check.absent}"
        done = subprocess.run(check.command, cwd=ROOT, capture_output=True, text=True)
        return done.returncode, f"{done.stdout}{done.stderr}".strip()

    with ThreadPoolExecutor(2) as pool:
        found = list(pool.map(ran, checks))
    said = [f"── {check.name}\n{text}" for check, (_, text) in zip(checks, found, strict=True)]
    return next((status for status, _ in found if status), 0), "\n".join(said)


def run(checks: tuple[Check, ...]) -> int:
    """Run *checks* in order; the first that fails ends the run with its status."""
    once = True
    for check in checks:
        print(f"── {check.name}", flush=True)
        if check.whole and not once:
            print("skipped: not everything before it passed at once", flush=True)
            continue
        status = subprocess.run(check.command, cwd=ROOT).returncode
        if status and check.again is not None:
            print(f"── {check.name}: what failed, once more and by itself", flush=True)
            once = False
            status = subprocess.run(check.again, cwd=ROOT).returncode
        if status:
            return status
    return 0


def keep_bytecode() -> None:
    """Let the children keep what they compile, also where an image asks for none to be written.

    Four workers and hundreds of processes that are killed would compile the same files each.
    """
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


def keep_databases_in_memory() -> None:
    """Let the folders of tests lie in memory where there is room: every move waits for its disk.

    A killed process loses nothing there either; a power cut is no test of these. Some tests run
    what they have built.
    """
    with suppress(OSError):
        there = os.statvfs(IN_MEMORY)
        if there.f_bavail * there.f_frsize >= ROOM and not there.f_flag & os.ST_NOEXEC:
            os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(IN_MEMORY))


def keep_memory() -> None:
    """Let the children keep what they free: each picture gave its pages back and took them anew."""
    for name, kept in FREED.items():
        os.environ.setdefault(name, str(kept))


def check(lane: tuple[Check, ...]) -> int:
    """Run what is static and then the *lane*; the first status that is not 0."""
    status, said = look(STATIC)
    print(said, flush=True)
    if status:
        return status
    with ThreadPoolExecutor(1) as beside:
        typed = beside.submit(look, TYPES)
        tested = run(lane)
        status, said = typed.result()
    print(said, flush=True)
    return tested or status


if __name__ == "__main__":
    keep_bytecode()
    keep_databases_in_memory()
    keep_memory()
    if "--quick" in sys.argv[1:]:
        os.environ.setdefault("LUDOTECA_HYPOTHESIS", "quick")
        sys.exit(check((Check("tests", (*PYTEST, "-n", "2", *PLAIN, *quick(changed()))),)))
    if "--all" in sys.argv[1:]:
        os.environ.setdefault("LUDOTECA_HYPOTHESIS", "night")
        sys.exit(check(ALL))
    sys.exit(check(WHOLE))
