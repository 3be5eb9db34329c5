"""How the C library gives memory back to the system: glibc keeps what many threads have freed."""

from __future__ import annotations

import ctypes
import os

# The numbers of <malloc.h>, and their variables in the environment.
M_TRIM_THRESHOLD, M_MMAP_THRESHOLD, M_ARENA_MAX = -1, -3, -8
SET_BY_OPERATOR = "MALLOC_"

ARENAS = 2
"""How many heaps all threads share; without a limit eight for each processor."""

OWN = 1024 * 1024
"""From how many bytes on a piece is mapped by itself, and gone once it is freed."""

SLACK = 16 * 1024 * 1024
"""How many free bytes at the end of a heap are kept for what comes next."""


def return_freed_memory() -> bool:
    """Let freed memory return to the system; whether the C library can be told so.

    glibc raises its limit for mapped pieces to the largest one freed, up to 32 MB. The large
    pictures from which sprites are scaled lie between small ones from then on, in a heap for each
    thread that paints: 475 MB after the first sprites instead of 240. What the operator has set
    by variables of glibc stands.
    """
    if any(name.startswith(SET_BY_OPERATOR) for name in os.environ):
        return False
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (AttributeError, OSError, TypeError):  # pragma: no cover - not with glibc
        return False
    wanted = {M_ARENA_MAX: ARENAS, M_MMAP_THRESHOLD: OWN, M_TRIM_THRESHOLD: SLACK}
    return all(mallopt(which, value) for which, value in wanted.items())


def trim_heaps() -> bool:
    """Give the system the free pages inside the heaps too; whether there were any.

    Pictures, pieces of them and boards come and go in all sizes. What lies free between them is
    used again, but by and by less of it: 68 MB of 250 after three quarters of an hour of 17
    presses a second. It takes some milliseconds.
    """
    try:
        trim = ctypes.CDLL(None).malloc_trim
    except (AttributeError, OSError, TypeError):  # pragma: no cover - not with glibc
        return False
    return bool(trim(0))
