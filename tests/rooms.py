"""The rooms of ``bot``, their floors and the arrows between them: ``python -m tests.rooms``.

A room is a folder or a file directly in ``bot``, each chat a room of its own; ``__main__`` is the
street door and none. An arrow is a pair of rooms with an import; a floor is a room on the longest
chain of arrows. Imports for type checking only count like all others. Nothing is taken from a
cache, which goes by the times of files.
"""

from __future__ import annotations

from functools import cache

import grimp

CHATS = "bot.chats"


def room_of(module: str) -> str:
    """The room in which *module* stands: ``table`` for ``bot.session.play``."""
    parts = module.split(".")
    inside = parts[1:3] if module.startswith(f"{CHATS}.") else parts[1:2]
    return ".".join(inside)


def arrows(package: str = "bot") -> dict[tuple[str, str], list[tuple[str, str]]]:
    """The imports behind every arrow, by the pair of rooms it leads from and to."""
    graph = grimp.build_graph(package, cache_dir=None)
    found: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for importer in sorted(graph.modules):
        for imported in sorted(graph.find_modules_directly_imported_by(importer)):
            pair = room_of(importer), room_of(imported)
            if not {"", "__main__"} & set(pair) and pair[0] != pair[1]:
                found.setdefault(pair, []).append((importer, imported))
    return found


def floors(pairs: set[tuple[str, str]]) -> dict[str, int]:
    """The floor of each room, 1 for those that know no other; raises ``ValueError`` for circles."""
    below: dict[str, set[str]] = {}
    for upper, lower in pairs:
        below.setdefault(upper, set()).add(lower)
        below.setdefault(lower, set())
    climbing: set[str] = set()

    @cache
    def floor(room: str) -> int:
        if room in climbing:
            raise ValueError(f"the rooms know one another in a circle through {room}")
        climbing.add(room)
        height = 1 + max((floor(lower) for lower in below[room]), default=0)
        climbing.discard(room)
        return height

    return {room: floor(room) for room in sorted(below)}


def circles(packages: tuple[str, ...] = ("bot", "games", "render", "storage")) -> list[set[str]]:
    """The modules that import one another in a circle, each circle once."""
    graph = grimp.build_graph(*packages, cache_dir=None)
    known = {m: set(graph.find_modules_directly_imported_by(m)) for m in graph.modules}
    order: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    found: list[set[str]] = []

    def visit(module: str) -> None:
        order[module] = low[module] = len(order)
        stack.append(module)
        for other in sorted(known[module]):
            if other not in order:
                visit(other)
                low[module] = min(low[module], low[other])
            elif other in stack:
                low[module] = min(low[module], order[other])
        if low[module] == order[module]:
            circle = set(stack[stack.index(module) :])
            del stack[stack.index(module) :]
            if len(circle) > 1:
                found.append(circle)

    for module in sorted(known):
        if module not in order:
            visit(module)
    return found


def main() -> None:
    """Print the rooms from the highest floor to the lowest, the arrows and the circles."""
    pairs = arrows()
    try:
        for room, height in sorted(
            floors(set(pairs)).items(), key=lambda item: (-item[1], item[0])
        ):
            lower = sorted(to for start, to in pairs if start == room)
            print(f"{height}  {room:16} → {', '.join(lower)}")
        print(f"floors: {max(floors(set(pairs)).values())}")
    except ValueError as wrong:
        print(wrong)
    print(f"arrows: {len(pairs)}")
    print(f"circles: {len(circles())}")
    for circle in circles():
        print("  " + ", ".join(sorted(circle)))


if __name__ == "__main__":
    main()
