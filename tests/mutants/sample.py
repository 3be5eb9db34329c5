"""The mutants of the games, and which of them are in the sample."""

from __future__ import annotations

import difflib
import hashlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import libcst as cst
from mutmut.mutation.file_mutation import Mutation, create_mutations

ROOT = Path(__file__).resolve().parents[2]
GAMES = ROOT / "games"


@dataclass(frozen=True)
class Mutant:
    """One small change of a file of *game*; *text* is the whole file with it.

    *key* stays what it is while the file changes elsewhere; *diff* are the lines that differ.
    """

    key: str
    game: str
    file: str
    diff: str
    text: str


@dataclass(frozen=True)
class _Found:
    key: str
    game: str
    file: Path
    module: cst.Module
    mutation: Mutation

    def mutant(self) -> Mutant:
        code = self.module.code
        changed = self.module.deep_replace(self.mutation.original_node, self.mutation.mutated_node)
        text = changed.code if isinstance(changed, cst.Module) else code
        lines = difflib.unified_diff(code.splitlines(), text.splitlines(), n=0, lineterm="")
        diff = "\n".join(line for line in lines if line[:3] not in ("---", "+++"))
        return Mutant(self.key, self.game, str(self.file), diff, text)


def sampled(count: int, seed: int, folder: Path = GAMES) -> list[Mutant]:
    """So many mutants of all in *folder*, the same ones for the same *seed*.

    Each has a lot of its own, drawn from its key: a change of the code replaces few of them.
    """
    found = [one for file in sorted(folder.rglob("*.py")) for one in _mutants(file, folder)]
    found.sort(key=lambda one: _digest(f"{seed} {one.key}"))
    return [one.mutant() for one in found[:count]]


def _mutants(file: Path, folder: Path) -> Iterator[_Found]:
    path = file.relative_to(folder.parent)
    if len(path.parts) < 3:  # a file beside the games holds no rule
        return
    code = file.read_text()
    module, mutations, _, _ = create_mutations(str(path), code)
    seen: Counter[str] = Counter()
    for mutation in mutations:
        before = module.code_for_node(mutation.original_node)
        after = module.code_for_node(mutation.mutated_node)
        what = f"{path} {_where(mutation)} {before} {after}"
        seen[what] += 1
        yield _Found(_digest(f"{what} {seen[what]}")[:12], path.parts[1], path, module, mutation)


def _where(mutation: Mutation) -> str:
    outer = mutation.contained_by_top_level_function
    return outer.name.value if isinstance(outer, cst.FunctionDef) else ""


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
