"""How many computers think at once: by affinity, by quota, by setting, and shared by a machine."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from bot.runtime.processor_and_memory_limits import allowed_processors, memory_limit
from bot.service.computers.pool import Thinkers, ThinkingTurns


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine of eight processors, and the files by which it says what we may use."""
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(8)))
    write(tmp_path / "proc/sys/kernel/random/boot_id", "boot\n")
    return tmp_path


def write(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)


def test_without_a_quota_it_is_the_affinity_and_the_whole_machine_shares_it(root: Path) -> None:
    write(root / "proc/self/cgroup", "0::/system.slice/ludoteca.service\n")
    write(root / "sys/fs/cgroup/system.slice/ludoteca.service/cpu.max", "max 100000\n")
    found = allowed_processors(root)
    assert (found.count, found.machine, found.pool) == (8, "boot", "boot")


@pytest.mark.parametrize(
    ("inner", "outer", "count"),
    [
        ("200000 100000", "max 100000", 2),
        ("max 100000", "300000 100000", 3),
        ("250000 100000", "300000 100000", 2),
        ("50000 100000", "max 100000", 1),
        ("900000 100000", "max 100000", 8),
    ],
)
def test_the_smallest_quota_above_us_counts(root: Path, inner: str, outer: str, count: int) -> None:
    write(root / "proc/self/cgroup", "0::/house.slice/ludoteca.service\n")
    write(root / "sys/fs/cgroup/house.slice/cpu.max", f"{outer}\n")
    write(root / "sys/fs/cgroup/house.slice/ludoteca.service/cpu.max", f"{inner}\n")
    found = allowed_processors(root)
    assert found.count == count
    assert (found.pool == found.machine) is (count == 8)


def test_limits_count_also_where_the_path_is_that_of_the_host(root: Path) -> None:
    write(root / "proc/self/cgroup", "0::/docker/1a\n")
    write(root / "sys/fs/cgroup/cpu.max", "400000 100000\n")
    write(root / "sys/fs/cgroup/memory.max", "1073741824\n")
    assert allowed_processors(root).count == 4
    assert memory_limit(root) == 1 << 30
    write(root / "sys/fs/cgroup/memory.max", "max\n")
    assert memory_limit(root) is None


def test_where_the_system_says_nothing_affinity_alone_counts(tmp_path: Path) -> None:
    assert allowed_processors(tmp_path).count == len(os.sched_getaffinity(0))
    assert memory_limit(tmp_path) is None


async def test_fewer_workers_think_at_once_after_the_pool_was_made_smaller() -> None:
    turns = ThinkingTurns(2)
    async with turns.turn(9.0):
        async with turns.turn(9.0):
            turns.resize(-1)
        entered = turns.turn(9.0)
        assert turns._free == 0
        turns.resize(1)
        async with entered:
            assert turns._free == 0
    assert turns._free == 2


async def test_workers_too_many_are_dismissed() -> None:
    thinkers = Thinkers(3, command=("cat",))
    for _ in range(4):
        await thinkers.warm()
    workers = [*thinkers._idle]
    assert len(workers) == 4
    await thinkers.resize(1)
    assert [worker.process.returncode is None for worker in workers] == [False, False, True, True]
    await thinkers.close()
