"""What holds for the code as a whole: short functions, one place for each name, quiet arrows."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.source_trees import tree_of

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("bot", "games", "render", "storage")

COGNITIVE = 20
"""The most that ``cognitive`` says of a function; ruff counts its branches (C901)."""

SEARCHES = {
    ("games/core/search.py", "_best"),
    ("games/niya/computer/solver.py", "_search"),
    ("games/shogi/board.py", "_guard"),
    ("games/shogi/board.py", "captures"),
}
"""Loops of searches, which may be longer: taken apart they would look at fewer positions."""

NAMED_ONCE = ("bot", "storage", "render/kit", "games/core")
CHATS = "bot/chats"


def modules(*folders: str) -> Iterator[Path]:
    """The modules below *folders*, without migrations, which stand alone."""
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*.py")):
            if "migrations" not in path.parts and "skeleton" not in path.parts:
                yield path


def cognitive(node: ast.AST, depth: int = 0) -> int:
    """How hard *node* is to follow: its branches, by the *depth* of each, and its operators.

    After G. Ann Campbell, Cognitive Complexity (SonarSource, 2018); a comprehension counts once.

    """
    total = 0
    for child in ast.iter_child_nodes(node):
        deeper = depth
        match child:
            case ast.If() if isinstance(node, ast.If) and node.orelse == [child]:
                pass  # elif: as the else of the one before it has been counted
            case ast.If() | ast.For() | ast.AsyncFor() | ast.While() | ast.ExceptHandler():
                deeper += 1
                total += deeper
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                deeper += 1
            case ast.BoolOp() | ast.IfExp() | ast.comprehension():
                total += 1
        branches = isinstance(child, ast.If | ast.For | ast.AsyncFor | ast.While)
        total += (1 if branches and child.orelse else 0) + cognitive(child, deeper)
    return total


def test_what_is_nested_is_harder_than_what_follows():
    flat = "for a in b:\n  c\nif a and c:\n  d\nelse:\n  e"
    nested = "for a in b:\n  if a and c:\n    d\n  else:\n    e"
    assert [cognitive(ast.parse(one)) for one in (flat, nested)] == [4, 5]


def functions(node: ast.AST) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """The functions and methods below *node*; those within one are part of it."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
            yield child
        elif not isinstance(child, ast.expr):
            yield from functions(child)


@pytest.mark.parametrize("package", PACKAGES)
def test_no_function_but_search_loops_is_hard_to_follow(package):
    found = []
    for path in modules(package):
        name = str(path.relative_to(ROOT))
        for function in functions(tree_of(path)):
            count = cognitive(function)
            if count > COGNITIVE and (name, function.name) not in SEARCHES:
                found.append((name, function.name, count))
    assert found == []


def test_each_public_name_is_defined_in_one_module():
    """The chats' modules of one name do the same job, and may use the same names."""
    where: dict[str, set[str]] = defaultdict(set)
    for path in modules(*NAMED_ONCE):
        name = str(path.relative_to(ROOT))
        if name.startswith(CHATS):
            name = f"{CHATS}/*/{path.name}"
        for node in tree_of(path).body:
            named = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
            if named and not node.name.startswith("_"):
                where[node.name].add(name)
    assert {name: sorted(places) for name, places in where.items() if len(places) > 1} == {}


@pytest.mark.slow
def test_programs_beside_the_tests_import_what_is_there():
    """Nobody imports drives and tools every day, and no type checker reads them."""
    missing = []
    for path in modules("tests"):
        for node in ast.walk(tree_of(path)):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("tests"):
                missing += [
                    f"{path.relative_to(ROOT)}: {node.module}.{one.name}"
                    for one in node.names
                    if not _is_there(ROOT.joinpath(*node.module.split(".")), one.name)
                ]
    assert missing == []


def _is_there(module: Path, name: str) -> bool:
    if module.is_dir() and ((module / name).is_dir() or (module / f"{name}.py").exists()):
        return True
    file = module / "__init__.py" if module.is_dir() else module.with_suffix(".py")
    return file.exists() and name in _words(file)


@cache
def _words(file: Path) -> set[str]:
    """The words of *file* outside its comments."""
    return set(re.findall(r"\w+", re.sub(r"#.*", "", file.read_text("utf-8"))))
