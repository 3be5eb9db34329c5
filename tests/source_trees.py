"""The syntax trees of our files, each parsed once a process: laws and tests of texts share them."""

from __future__ import annotations

import ast
import gc
from functools import cache
from pathlib import Path


@cache
def tree_of(path: Path) -> ast.Module:
    """The tree of the file *path*, which nobody changes."""
    gc.disable()  # it would go through a million nodes, which live to the end
    try:
        return ast.parse(path.read_text(encoding="utf-8"))
    finally:
        gc.enable()
