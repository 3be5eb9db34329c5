"""What goes out of the house goes by one door."""

from __future__ import annotations

import ast

from tests.laws.weight import ROOT

BOT = ROOT / "bot"


def test_nothing_goes_out_but_by_one_door():
    """``Chat.show`` is called in one place of what does not belong to a chat."""
    calls = [
        file.name
        for file in sorted(BOT.rglob("*.py"))
        if "chats" not in file.parts
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "show"
        and ast.unparse(node.func.value).endswith(("chat", "]"))
    ]
    assert calls == ["duplicate_posting_guard.py"]
