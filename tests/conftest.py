"""Fixtures and profiles for the whole test run."""

from __future__ import annotations

import gc
import os
import signal
from collections import Counter
from collections.abc import Generator, Iterator
from pathlib import Path
from zlib import crc32

import pytest
from filelock import FileLock
from hypothesis import HealthCheck, settings

from bot.chats.web import budget
from bot.commands import quotas
from bot.service import request_rate_limits
from render.kit import sprite_cache
from tests import (
    compiled_statements,
    drawn_sprites,
    fakes,
    plain_pictures,
    postgres,
    statements_in_the_loop,
    thinking_here,
    untouched_databases,
)
from tests.command_line import ludoteca

__all__ = ["fakes", "ludoteca"]

TRUTH = Path(__file__).resolve().parents[2] / "shared" / "truth"

ROOT = Path(__file__).resolve().parents[1]

DRAWN_ANEW = (ROOT / "tests/render/kit", ROOT / "tests/render/test_warming.py")

WITH_THREADS = {
    ROOT / f"tests/storage/test_{name}.py"
    for name in (
        *("backups", "killed", "killed_upgrades", "refusals", "restoration"),
        *("sqlite_driver", "store", "transaction_queue", "two_steps"),
    )
}
"""Where statements are run by the thread that the product gives them: what is cancelled, closed,
copied or held by others while one runs."""

WITH_WORKERS = {ROOT / f"tests/bot/test_{name}.py" for name in ("processors", "thinker", "usi")}
"""Where the processes in which computers think are what is tested."""

PLAIN = tuple(ROOT / "tests" / folder for folder in ("bot", "chats", "standing", "tournament"))
PAINTED = {
    ROOT / f"tests/{name}.py"
    for name in (
        *("bot/test_boards_ahead_of_commit", "bot/test_covers_and_posters"),
        *("bot/test_daily_puzzles", "chats/test_discord_slow_answers"),
        *("chats/test_web", "chats/test_web_initial_page", "tournament/test_evening"),
    )
}
"""Those in the folders of ``PLAIN`` that look at the boards of a house."""

EARLY = (
    "tests/evening/",
    "tests/browser/",
    "tests/chats/test_discord_places.py",
    "tests/chats/test_telegram_advice.py",
    "tests/chats/test_telegram_pace.py",
    "tests/chats/test_web_fleet.py",
)
"""What waits long, for a browser or at the pace of a platform; others compute meanwhile."""

LAWS = "tests/laws/"
"""Beside these lies what reads the sources as well: a worker keeps their trees."""

YOUNG = 20_000
"""New objects before the garbage collector looks at them: 700 is for programs that are small."""

LEFT = (".db", ".db-wal", ".db-shm", ".db.lock", ".dump", ".part")
"""How files end that a bot writes where it runs; tests run it in folders of their own."""

settings.register_profile(
    "quick", max_examples=3, deadline=None, suppress_health_check=list(HealthCheck)
)
settings.register_profile(
    "short", max_examples=6, deadline=None, suppress_health_check=list(HealthCheck)
)
settings.register_profile(
    "night", max_examples=40, deadline=None, suppress_health_check=list(HealthCheck)
)
settings.register_profile(
    "long", max_examples=300, deadline=None, suppress_health_check=list(HealthCheck)
)
settings.load_profile(os.environ.get("LUDOTECA_HYPOTHESIS", "short"))

compiled_statements.share()
untouched_databases.share()


def interrupted(*_: object) -> None:
    """Ends the run. Where this stands, asyncio sets no handler of its own around each test.

    Its handler holds the running task, and to set it formats that task with all that it holds,
    three times a test: a fifth of the time of all tests.
    """
    raise KeyboardInterrupt


signal.signal(signal.SIGINT, interrupted)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Keep what is imported and collected, which lives to the end, from the garbage collector.

    It went through all of it again and again while it grew, and at times between tests.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(YOUNG, 10, 20)
        gc.enable()


SECONDS: Counter[str] = Counter()
"""What the tests of each folder took, which the summary of a long run says."""

LONG_RUN = 60
"""From how many seconds of tests a run says them."""


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Add what a step of a test took to its folder."""
    SECONDS[report.nodeid.partition("::")[0].rpartition("/")[0]] += report.duration


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say the seconds of each folder, of all workers together."""
    if sum(SECONDS.values()) >= LONG_RUN:
        said = (f"{folder} {seconds:.0f}" for folder, seconds in SECONDS.most_common())
        terminalreporter.write_line(f"seconds: {' · '.join(said)}")


@pytest.hookimpl(wrapper=True)
def pytest_collection_modifyitems(
    config: pytest.Config, items: list[pytest.Item]
) -> Generator[None, object, object]:
    """Deal the modules to the workers by lot, those that wait longest first.

    Each worker begins with a part of the list. In the order of folders the tests that wait would
    lie beside each other, and at the end all workers waited at once.

    One after the other: hypothesis reads all constants of the product here, and keeps them. In a
    fresh checkout all workers would look for them, three seconds each.
    """
    _leave_to_the_night(items)
    if not hasattr(config, "workerinput"):
        return (yield)
    items.sort(key=_place_in_order)
    with FileLock(ROOT / ".hypothesis" / "constants.lock"):
        return (yield)


def _leave_to_the_night(items: list[pytest.Item]) -> None:
    """Mark as slow all but some, drawn by lot, of what is asked by a test that is sampled."""
    drawn: Counter[str] = Counter()
    quick = (item for item in items if item.get_closest_marker("slow") is None)
    for item in sorted(quick, key=lambda item: crc32(item.nodeid.encode())):
        for sampled in item.iter_markers("sampled"):
            test = item.nodeid.partition("[")[0]
            drawn[test] += 1
            if drawn[test] > (sampled.args[0] if sampled.args else 1):
                item.add_marker("slow")


def _place_in_order(item: pytest.Item) -> tuple[bool, int]:
    path = item.path.relative_to(ROOT).as_posix()
    reads_sources = path.startswith(LAWS) or hasattr(getattr(item, "module", None), "tree_of")
    return not path.startswith(EARLY), crc32((LAWS if reads_sources else path).encode())


@pytest.fixture(autouse=True, scope="module")
def sprites_of_the_run(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Sprites are drawn once a run, but where it is tested how they are drawn and kept."""
    if any(request.path.is_relative_to(path) for path in DRAWN_ANEW):
        sprite_cache.STORE.close()
        return
    shared = drawn_sprites.file_of_the_run(tmp_path_factory)
    if sprite_cache.STORE.path != shared:
        sprite_cache.STORE.open(shared)


@pytest.fixture(autouse=True, scope="module")
def statements_run_at_once(request: pytest.FixtureRequest) -> None:
    """The loop of a test runs its statements, but where they are what is tested."""
    statements_in_the_loop.share(threads=request.path in WITH_THREADS)


@pytest.fixture(autouse=True, scope="module")
def a_house_is_light(request: pytest.FixtureRequest) -> None:
    """A house paints its boards, and has workers, where a test looks at them."""
    thinking_here.share(workers=request.path in WITH_WORKERS)
    plain = any(request.path.is_relative_to(folder) for folder in PLAIN)
    plain_pictures.share(painted=not plain or request.path in PAINTED)


@pytest.fixture
def truth() -> Path:
    """The folder of truth tables; tests that need it skip where it is absent."""
    if not TRUTH.is_dir():
        pytest.skip("the tables in ../shared/truth are not here; tests/data holds a sample")
    return TRUTH


@pytest.fixture
def clock() -> object:
    """The time of a house."""
    from tests.fakes import FakeClock  # much is imported by that, which few tests need

    return FakeClock()


@pytest.fixture
def address(tmp_path: Path) -> str:
    """The address of an empty database on a server."""
    return postgres.database(str(tmp_path))


def _databases() -> set[str]:
    return {name for name in os.listdir(ROOT) if name.endswith(LEFT)}


@pytest.fixture(autouse=True)
def leaves_no_database() -> Iterator[None]:
    """Fail a test that leaves a database, or the copy of one, in the project's own folder."""
    before = _databases()
    yield
    left = _databases() - before
    assert not left, f"left in {ROOT.name}: {', '.join(sorted(left))}"


@pytest.fixture(autouse=True)
def unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the people of a test do more than people do; who tests limits takes them back."""
    monkeypatch.setattr(quotas, "PERSON", 10_000)
    monkeypatch.setattr(quotas, "PLACE", 10_000)
    for windows in ("SEATED", "OTHERS", "COMPLETION", "PLACE", "SHARE"):
        monkeypatch.setattr(request_rate_limits, windows, ())
    monkeypatch.setattr(budget, "PURSES", dict.fromkeys(budget.PURSES, budget.Purse(1e9, 1e9)))
