"""What several threads have freed goes back to the system."""

from __future__ import annotations

import os
import platform
import subprocess
import sys

import pytest

pytestmark = pytest.mark.skipif(
    platform.libc_ver()[0] != "glibc", reason="the C library here is not glibc"
)

CHILD = """
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

from bot.runtime.malloc_trim import return_freed_memory

told = len(sys.argv) > 1 and return_freed_memory()
together = Barrier(6)

def painted(_):
    together.wait()
    bytearray(20_000_000)
    large, small = [], []
    for _ in range(4):
        large.append(bytearray(3_000_000))
        small.append(bytearray(2_000))
    large.clear()
    return small

with ThreadPoolExecutor(6) as threads:
    kept = list(threads.map(painted, range(6)))
    pages = int(Path("/proc/self/statm").read_text().split()[1])
print(told, pages * 4096 // 1_000_000)
"""


HOLES = """
import os
from pathlib import Path

from bot.runtime.malloc_trim import trim_heaps

def megabytes():
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096 // 1_000_000

pieces = [bytearray(os.urandom(1) * 60_000) for _ in range(1500)]
del pieces[::2]
full = megabytes()
print(trim_heaps(), full - megabytes())
"""


def resident(*arguments: str, **settings: str) -> tuple[str, int]:
    """Whether glibc could be told, and the megabytes of a child that has freed nearly all."""
    environment = {name: at for name, at in os.environ.items() if not name.startswith("MALLOC_")}
    done = subprocess.run(
        [sys.executable, "-c", CHILD, *arguments],
        env=environment | settings,
        capture_output=True,
        text=True,
        check=True,
    )
    told, megabytes = done.stdout.split()
    return told, int(megabytes)


@pytest.mark.slow
def test_large_pieces_between_small_ones_go_back_to_the_system() -> None:
    assert resident()[1] > 50
    told, kept = resident("told")
    assert told == "True"
    assert kept < 30


def test_what_the_operator_has_set_stands() -> None:
    assert resident("told", MALLOC_ARENA_MAX="4")[0] == "False"


def test_what_is_free_between_pieces_in_use_goes_back_too() -> None:
    command = [sys.executable, "-c", HOLES]
    told, megabytes = subprocess.run(command, capture_output=True, text=True).stdout.split()
    assert told == "True"
    assert int(megabytes) > 30  # of the 45 that are free
