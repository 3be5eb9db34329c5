"""Each line of a source is of one kind, and of one room."""

from pathlib import Path

import pytest

from tests.tools.source_lines import room_of, weight

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
    kinds = {"docstrings": 4, "imports": 4, "comments": 1, "code": 3, "blank": 4}
    assert weight(SOURCE) == kinds
    assert weight(SOURCE).total() == len(SOURCE.splitlines())


@pytest.mark.parametrize(
    ("file", "room"),
    [
        ("bot/__main__.py", "bot"),
        ("bot/texts/inline_markup.py", "bot/texts"),
        ("bot/chats/web/chat.py", "bot/chats/web"),
        ("games/shogi/computer/search_adapter.py", "games/shogi"),
        ("storage/migrations/env.py", "storage"),
    ],
)
def test_each_file_is_in_one_room(file, room):
    assert room_of(Path(file)) == room
