"""The mutants of the games, and which of them are in the sample."""

from __future__ import annotations

import difflib
import hashlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # mutmut and what it stands on take long to import, in each worker of a run
    import libcst as cst
    from mutmut.mutation.file_mutation import Mutation

ROOT = Path(__file__).resolve().parents[2]
GAMES = ROOT / "games"


@dataclass(frozen=True)
class Mutant:
    """One small change of a file of *game*; its *key* stays while the file changes elsewhere."""

    key: str
    game: str
    file: str
    _module: cst.Module
    _mutation: Mutation

    @cached_property
    def text(self) -> str:
        """The whole file with the change; it takes a while to be written."""
        from libcst import Module

        node, other = self._mutation.original_node, self._mutation.mutated_node
        changed = self._module.deep_replace(node, other)
        return changed.code if isinstance(changed, Module) else self._module.code

    @cached_property
    def diff(self) -> str:
        """The lines that differ."""
        before, after = self._module.code.splitlines(), self.text.splitlines()
        lines = difflib.unified_diff(before, after, n=0, lineterm="")
        return "\n".join(line for line in lines if line[:3] not in ("---", "+++"))


def sampled(count: int, seed: int, folder: Path = GAMES) -> list[Mutant]:
    """So many mutants of all in *folder*, the same ones for the same *seed*.

    Each has a lot of its own, drawn from its key: a change of the code replaces few of them.
    """
    found = [one for file in sorted(folder.rglob("*.py")) for one in _mutants(file, folder)]
    found.sort(key=lambda one: _digest(f"{seed} {one.key}"))
    return found[:count]


def _mutants(file: Path, folder: Path) -> Iterator[Mutant]:
    path = file.relative_to(folder.parent)
    if len(path.parts) < 3:  # a file beside the games holds no rule
        return
    from mutmut.mutation.file_mutation import create_mutations

    code = file.read_text()
    module, mutations, _, _ = create_mutations(str(path), code)
    seen: Counter[str] = Counter()
    for mutation in mutations:
        before = module.code_for_node(mutation.original_node)
        after = module.code_for_node(mutation.mutated_node)
        what = f"{path} {_where(mutation)} {before} {after}"
        seen[what] += 1
        key = _digest(f"{what} {seen[what]}")[:12]
        yield Mutant(key, path.parts[1], str(path), module, mutation)


def _where(mutation: Mutation) -> str:
    from libcst import FunctionDef

    outer = mutation.contained_by_top_level_function
    return outer.name.value if isinstance(outer, FunctionDef) else ""


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
