"""Nobody reaches through another: a function calls what it is given, not what that was given.

A reach is a call ``a.b.c()`` or ``self.a.b.c()``, or a longer one, where ``a`` is a parameter of
one of our classes and ``b`` a service of it, which is no value (``VALUES``). A record of a few
fields alone, such as a room of commands, is no more than several parameters under one name.
"""

from __future__ import annotations

import ast
from collections import Counter
from functools import cache

from tests.laws.test_weight import CEILINGS
from tests.laws.weight import ROOT, statements
from tests.source_trees import tree_of

VALUES = (
    "bot/session",
    "bot/tournament",
    "bot/standing",
    "bot/presenters",
    "bot/texts",
    "bot/port",
)
"""Where classes are values: what they hold is part of them."""

SMALL_RECORD = 9
"""The most fields of a record."""

Function = ast.FunctionDef | ast.AsyncFunctionDef


@cache
def trees() -> dict[str, ast.Module]:
    """The modules of the bot and of storage, by their paths."""
    files = sorted(path for room in ("bot", "storage") for path in (ROOT / room).rglob("*.py"))
    return {str(p.relative_to(ROOT)): tree_of(p) for p in files}


def name_of(annotation: ast.expr | None) -> str:
    """The name of an annotated class, without what it may be besides."""
    return "" if annotation is None else ast.unparse(annotation).removesuffix(" | None")


@cache
def classes() -> dict[str, dict[str, str]]:
    """The classes of the bot that are no values, each with the annotations of its fields."""
    found: dict[str, dict[str, str]] = {}
    for path, tree in trees().items():
        for node in () if path.startswith(VALUES) else statements(tree):
            if isinstance(node, ast.ClassDef):
                annotated = (x for x in node.body if isinstance(x, ast.AnnAssign))
                own = found.setdefault(node.name, {})
                own |= {ast.unparse(x.target): name_of(x.annotation) for x in annotated}
                for x in node.body:
                    own |= given(x) if isinstance(x, Function) else {}
                if any(isinstance(x, Function) for x in node.body) or len(own) > SMALL_RECORD:
                    owners().add(node.name)
    return found


@cache
def owners() -> set[str]:
    """The classes through which one may not reach: all but small records."""
    return set()


def given(function: Function) -> dict[str, str]:
    """The parameters that *function*, an ``__init__``, keeps under their own names."""
    if function.name != "__init__":
        return {}
    kinds = {one.arg: name_of(one.annotation) for one in function.args.args}
    kept = (ast.unparse(x.targets[0]) for x in ast.walk(function) if isinstance(x, ast.Assign))
    return {k[5:].lstrip("_"): kinds[k[5:].lstrip("_")] for k in kept if k[5:].lstrip("_") in kinds}


def reaches(tree: ast.AST, own: dict[str, str]) -> list[str]:
    """The reaches in *tree*, a module or a class with the fields *own*."""
    found = []
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.ClassDef):
            found += reaches(node, classes().get(node.name, {}))
        elif isinstance(node, Function):
            given = {
                one.arg: name_of(one.annotation)
                for one in ast.walk(node.args)
                if isinstance(one, ast.arg)
            }
            for call in ast.walk(node):
                if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute):
                    first, *rest = ast.unparse(call.func.value).split(".")
                    kinds = own if first == "self" else given
                    if first == "self" and rest:
                        first, *rest = rest
                    if is_reached(kinds.get(first, ""), rest):
                        found.append(ast.unparse(call.func))
    return found


def is_reached(kind: str, way: list[str]) -> bool:
    """Whether the fields of this *way*, from a parameter of a *kind*, lead through an owner."""
    through = False
    for field in way:
        through = through or kind in owners()
        kind = classes().get(kind, {}).get(field, "")
    return through and kind in owners()


def all_reaches() -> Counter[str]:
    """How many reaches each module has."""
    return Counter({path: n for path, tree in trees().items() if (n := len(reaches(tree, {})))})


def test_few_reach_through_another():
    assert sum(all_reaches().values()) <= CEILINGS["reaches"]


if __name__ == "__main__":
    for path, tree in trees().items():
        for one in reaches(tree, {}):
            print(path, one)
    print(all_reaches().total())
