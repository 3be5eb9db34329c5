"""A player whose judgement holds other figures than the sources, in a process of its own.

``tests.drives.perturbing`` starts it anew whenever the figures change, and both talk in pickles:
first come the changes, the game and the positions a move; then a position, a seat and a seed are
answered by a move, until the input ends. The modules are read with the changes in the place of
what is written there, so that whatever is made of a figure or remembered by it is made of the new
one.
"""

from __future__ import annotations

import ast
import pickle
import random
import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from math import inf
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

from bot.service.computers.worker import Allowance
from games.core import Game, Position
from games.core.shelf import find_game
from tests.drives.weights import Changes


class Changed(MetaPathFinder):
    """Finds the modules of *changes* before anybody else does."""

    def __init__(self, changes: Changes) -> None:
        self.changes = changes

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Where *fullname* is read, if it is to be changed."""
        if fullname not in self.changes or path is None:
            return None
        file = Path(next(iter(path)), f"{fullname.rpartition('.')[2]}.py")
        loader = Reader(fullname, str(file), self.changes[fullname])
        return spec_from_file_location(fullname, file, loader=loader)


class Reader(SourceFileLoader):
    """Reads a module whose constants hold what *names* say."""

    def __init__(self, fullname: str, path: str, names: dict[str, Any]) -> None:
        super().__init__(fullname, path)
        self.names = names

    def get_code(self, fullname: str) -> CodeType:
        """The changed code; raises ``LookupError`` for a name that the module does not set."""
        del fullname
        tree, missing = ast.parse(self.get_data(self.path)), set(self.names)
        for node in tree.body:
            if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                name = node.target.id
            elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                name = node.targets[0].id
            else:
                continue
            if name in missing:
                node.value = ast.parse(repr(self.names[name]), mode="eval").body
                missing.discard(name)
        if missing:
            raise LookupError(f"{self.path} does not set {', '.join(sorted(missing))}")
        return compile(ast.fix_missing_locations(tree), self.path, "exec")


def move(game: Game, nodes: int, position: Position[Any], seat: int, seed: str) -> Any:
    """What the highest level plays after at most so many *nodes*."""
    seen, below = position.seen_by(seat), random.Random(seed).randrange
    return game.choose(seen, seat, game.levels, Allowance(inf, nodes), below).move


def main() -> None:
    """Answer until the input ends."""
    asked, answers = sys.stdin.buffer, sys.stdout.buffer
    changes, key, nodes = pickle.load(asked)
    sys.meta_path.insert(0, Changed(changes))
    game = find_game(key)
    while True:
        try:
            question = pickle.load(asked)
        except EOFError:
            return
        pickle.dump(move(game, nodes, *question), answers)
        answers.flush()


if __name__ == "__main__":
    main()
