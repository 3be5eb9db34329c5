"""Lines of the product by room: ``python -m tests.tools.source_lines [FOLDER]``.

A line is an import, a docstring (strings below a name count as such), a comment, blank, or code.
A room is a folder directly in a package, each chat one of its own; a file beside the folders is
counted in the package's own row.
"""

from __future__ import annotations

import ast
import io
import sys
import tokenize
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

PACKAGES = ("bot", "games", "render", "storage")
KINDS = ("code", "imports", "docstrings", "comments", "blank")
ROOT = Path(__file__).resolve().parents[2]


def weight(source: str) -> Counter[str]:
    """How many lines of *source* there are of each kind."""
    kinds = dict.fromkeys(range(1, len(source.splitlines()) + 1), "code")
    for number, line in enumerate(source.splitlines(), 1):
        if not line.strip():
            kinds[number] = "blank"
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT and token.line.strip().startswith("#"):
            kinds[token.start[0]] = "comments"
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Import() | ast.ImportFrom():
                kind = "imports"
            case ast.Expr(value=ast.Constant(value=str())):
                kind = "docstrings"
            case _:
                continue
        for number in range(node.lineno, (node.end_lineno or node.lineno) + 1):
            kinds[number] = kind
    return Counter(kinds.values())


def room_of(file: Path) -> str:
    """The room of *file*, a path from the root: ``bot/chats/web``, ``games/core``, ``storage``."""
    *folders, _ = file.parts
    depth = 3 if folders[:2] == ["bot", "chats"] else 2
    return "/".join(folders[:depth] if folders[0] != "storage" else folders[:1])


def rooms(root: Path) -> Iterator[tuple[str, int, Counter[str]]]:
    """Each room with its number of files and what they weigh, by name."""
    found: dict[str, Counter[str]] = {}
    files: Counter[str] = Counter()
    for package in PACKAGES:
        for path in sorted((root / package).rglob("*.py")):
            room = room_of(path.relative_to(root))
            found.setdefault(room, Counter()).update(weight(path.read_text(encoding="utf-8")))
            files[room] += 1
    for room in sorted(found):
        yield room, files[room], found[room]


def row(name: str, files: int, kinds: Counter[str]) -> str:
    """One line of the table."""
    return f"{name:28}{files:6}{kinds.total():8}" + "".join(f"{kinds[kind]:12}" for kind in KINDS)


def main() -> None:
    """Print a row for each room, each package and all of them."""
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT
    print(f"{'room':28}{'files':>6}{'lines':>8}" + "".join(f"{kind:>12}" for kind in KINDS))
    packages: dict[str, Counter[str]] = {package: Counter() for package in PACKAGES}
    files: Counter[str] = Counter()
    for name, count, kinds in rooms(root):
        print(row(name, count, kinds))
        packages[name.split("/")[0]] += kinds
        files[name.split("/")[0]] += count
    for package, kinds in packages.items():
        print(row(f"= {package}", files[package], kinds))
    print(row("= all", files.total(), sum(packages.values(), Counter())))


if __name__ == "__main__":
    main()
