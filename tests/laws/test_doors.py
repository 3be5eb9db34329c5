"""What goes out of the house goes by one door, and who asks comes to a door of their own."""

from __future__ import annotations

import ast

from tests.laws.weight import ROOT
from tests.source_trees import tree_of

BOT = ROOT / "bot"

COLLABORATORS = 12
"""The most that a class of the facade is given; what it makes itself is its own."""

TOLD = {"HouseStatus", "TableFacts"}
"""Values that are told as they are, of as many fields as there is to tell."""


def test_nothing_goes_out_but_by_one_door():
    """``Chat.show`` is called in one place of what does not belong to a chat."""
    calls = [
        file.name
        for file in sorted(BOT.rglob("*.py"))
        if "chats" not in file.relative_to(BOT).parts
        for node in ast.walk(tree_of(file))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "show"
        and ast.unparse(node.func.value).endswith(("chat", "]"))
    ]
    assert calls == ["duplicate_posting_guard.py"]


def test_no_class_of_the_facade_serves_everybody():
    """Each part answers one kind of asker; a part that grows past this has a second one."""
    given = {
        node.name: len(collaborators(node))
        for file in sorted((BOT / "facade").glob("*.py"))
        for node in tree_of(file).body
        if isinstance(node, ast.ClassDef)
    }
    assert {name for name, count in given.items() if count > COLLABORATORS} == TOLD


def collaborators(node: ast.ClassDef) -> list[str]:
    """What a class is given: its fields, and the parameters of its ``__init__``."""
    found = []
    for one in node.body:
        if isinstance(one, ast.AnnAssign) and not ast.unparse(one.target).startswith("_"):
            if "init=False" not in ast.unparse(one):
                found.append(ast.unparse(one.target))
        elif isinstance(one, ast.FunctionDef) and one.name == "__init__":
            found += [each.arg for each in (*one.args.args, *one.args.kwonlyargs)][1:]
    return found
