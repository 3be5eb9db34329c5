"""The weight of the house: ``python -m tests.laws.weight`` prints the lines of code of each room.

A line of code is neither blank nor a comment, a string by itself (a docstring) or an import: words
that explain are free.
"""

from __future__ import annotations

import ast
from collections import Counter
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

PACKAGES = ("bot", "games", "render", "storage")

SMALL = 60
"""The most lines of a small module."""


@cache
def modules() -> tuple[Path, ...]:
    """The modules of the product, without ``__init__`` and migrations."""
    found = (path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py")))
    return tuple(p for p in found if p.name != "__init__.py" and "migrations" not in p.parts)


def code_lines(path: Path) -> int:
    """How many lines of code stand in the file *path*."""
    text = path.read_text(encoding="utf-8")
    free: set[int] = set()
    for node in ast.walk(ast.parse(text)):
        words = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if isinstance(node, ast.Import | ast.ImportFrom) or (
            words and isinstance(node.value.value, str)
        ):
            free.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    lines = enumerate(map(str.strip, text.splitlines()), 1)
    return sum(bool(line) and line[0] != "#" and number not in free for number, line in lines)


def room_of(path: Path) -> str:
    """The room in which the file *path* counts: a folder of a package, or the package itself.

    >>> room_of(ROOT / "bot" / "chats" / "web" / "rooms.py")
    'bot/chats/web'
    """
    parts = path.relative_to(ROOT).parts
    deep = 3 if parts[:2] == ("bot", "chats") else 2
    return "/".join(parts[: min(deep, len(parts) - 1)])


def weights() -> Counter[str]:
    """The lines of code of each room."""
    found: Counter[str] = Counter()
    for package in PACKAGES:
        for path in (ROOT / package).rglob("*.py"):
            found[room_of(path)] += code_lines(path)
    return found


def long_functions(most: int) -> list[tuple[str, int]]:
    """The functions with more than *most* lines."""
    found = []
    for path in modules():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                length = (node.end_lineno or 0) - node.lineno + 1
                if length > most:
                    found.append((f"{path.relative_to(ROOT)}::{node.name}", length))
    return found


if __name__ == "__main__":
    for room, lines in sorted(weights().items()):
        print(f"{lines:6} {room}")
    print(f"{weights().total():6} in all")
