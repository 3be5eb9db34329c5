"""Each line of a source is of one kind."""

from tests.laws.weight import lines_by_kind

SOURCE = '''"""A module,

of two."""

import sys  # why
from pathlib import (
    Path,
)

# A reason.
NAME = 1
"""What it is."""


def done() -> int:
    return """no docstring""".count("n")
'''


def test_each_line_is_counted_once():
    kinds = {"docstrings": 3, "imports": 4, "comments": 1, "code": 3, "blank": 5}
    assert lines_by_kind(SOURCE) == kinds
    assert lines_by_kind(SOURCE).total() == len(SOURCE.splitlines())
