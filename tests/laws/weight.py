"""The weight of the house: ``python -m tests.laws.weight`` prints what each room holds.

A line is blank, a comment, a docstring (any string by itself), an import, or code: what explains
is free.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tests.source_trees import tree_of

ROOT = Path(__file__).resolve().parents[2]

PACKAGES = ("bot", "games", "render", "storage")
KINDS = ("code", "imports", "docstrings", "comments", "blank")

COLUMNS = ("table", "club", "school", "person", "place", "database")
"""The folders of ``storage`` that divide it by subject."""

SMALL = 60
"""The most lines of a small module."""


@cache
def modules() -> tuple[Path, ...]:
    """The modules of the product, without ``__init__`` and migrations."""
    return tuple(p for p in files() if p.name != "__init__.py" and "migrations" not in p.parts)


def files() -> Iterator[Path]:
    """All files of Python of the product."""
    return (path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py")))


def statements(node: ast.AST) -> Iterator[ast.AST]:
    """All statements below *node*, which stand in no expression: most of a tree is left out."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.stmt | ast.excepthandler | ast.match_case):
            yield child
            yield from statements(child)


def lines_by_kind(source: str, tree: ast.Module | None = None) -> Counter[str]:
    """How many lines of *source*, whose *tree* may be known, there are of each kind."""
    kinds = ["comments" if line.startswith("#") else "code" for line in _lines(source)]
    for node in statements(tree or ast.parse(source)):
        match node:
            case ast.Import() | ast.ImportFrom():
                kind = "imports"
            case ast.Expr(value=ast.Constant(value=str())):
                kind = "docstrings"
            case _:
                continue
        first, last = node.lineno - 1, node.end_lineno or node.lineno
        kinds[first:last] = [kind] * (last - first)
    kinds = [kind if line else "blank" for kind, line in zip(kinds, _lines(source), strict=True)]
    return Counter(kinds)


def _lines(source: str) -> list[str]:
    return [line.strip() for line in source.splitlines()]


def room_of(path: Path) -> str:
    """The room in which the file *path* counts: a folder of a package, or the package itself.

    >>> room_of(ROOT / "bot" / "chats" / "web" / "rooms.py")
    'bot/chats/web'
    """
    parts = path.relative_to(ROOT).parts
    deep = 3 if parts[:2] == ("bot", "chats") else 1 if parts[1] in COLUMNS else 2
    return "/".join(parts[: min(deep, len(parts) - 1)])


@cache
def rooms() -> dict[str, Counter[str]]:
    """The lines of each room by kind, and its number of "files"."""
    found: dict[str, Counter[str]] = {}
    for path in files():
        room = found.setdefault(room_of(path), Counter())
        room.update(lines_by_kind(path.read_text(encoding="utf-8"), tree_of(path)), files=1)
    return dict(sorted(found.items()))


def weights() -> dict[str, int]:
    """The lines of code of each room."""
    return {room: kinds["code"] for room, kinds in rooms().items()}


def lines_of_tests() -> int:
    """All lines of the files of Python in ``tests``, of whatever kind."""
    return sum(
        len(path.read_text(encoding="utf-8").splitlines())
        for path in (ROOT / "tests").rglob("*.py")
    )


def long_functions(most: int) -> list[tuple[str, int]]:
    """The functions with more than *most* lines."""
    found = []
    for path in modules():
        for node in statements(tree_of(path)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                length = (node.end_lineno or 0) - node.lineno + 1
                if length > most:
                    found.append((f"{path.relative_to(ROOT)}::{node.name}", length))
    return found


if __name__ == "__main__":
    print(f"{'':32}{'files':>7}" + "".join(f"{kind:>12}" for kind in KINDS))
    everything = {**rooms(), "in all": sum(rooms().values(), Counter())}
    for room, kinds in everything.items():
        print(f"{room:32}{kinds['files']:7}" + "".join(f"{kinds[kind]:12}" for kind in KINDS))
    print(f"{'tests':32}{lines_of_tests():19}")
