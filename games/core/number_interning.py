"""Numbers of which a process keeps one object each, however many tables hold them."""

from __future__ import annotations

from functools import cache


@cache
def shared(number: int) -> int:
    """The one object of *number*.

    CPython makes a new object of 28 bytes for nearly every result of a sum, so a table of points
    is mostly copies of numbers that others hold as well. Meant for tables that are kept, whose
    numbers are few thousand; what was once given stays.
    """
    return number
