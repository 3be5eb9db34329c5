"""What a record holds beside its game, as tags: comments, bookmarks and branches.

``Note12`` is a comment after twelve entries of the log, ``Note12_2`` one after twelve entries of
branch 2, counted from the first; ``Mark12`` is the name of a bookmark there. ``Branch2 "0 8 8c8d"``
is the second branch: it leaves line 0, which is the game, after eight entries. A blank within a
move is written ``_``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from games.core.errors import RuleError
from games.core.game import Game
from games.core.move_parsing import read_entry, read_move
from games.core.record import Record

NOTE, MARK = "Note", "Mark"

MOST_BRANCHES = 1000
"""A file with more branches than this was not made by people."""

Place = tuple[int, int]
"""A line, 0 for the game or the number of a branch, and how many entries stand before."""

BESIDE = re.compile("(?:Note|Mark|Branch)[0-9_]{1,11}")
"""The keys of all these tags."""

_KEY = re.compile(f"({NOTE}|{MARK})([0-9]{{1,5}})(?:_([0-9]{{1,5}}))?")
_BRANCH = re.compile("([0-9]{1,5}) ([0-9]{1,5})((?: [^ ]+)*)")


@dataclass(frozen=True)
class Branch:
    """*moves* that leave line *parent*, 0 for the game, after so many entries from the first."""

    parent: int
    after: int
    moves: tuple[str, ...] = ()


def branches_of(record: Record) -> tuple[Branch, ...]:
    """The branches of *record*, each after the one that it leaves."""
    branches: list[Branch] = []
    while found := _BRANCH.fullmatch(record.tags.get(f"Branch{len(branches) + 1}", "")):
        if int(found[1]) > len(branches) or len(branches) == MOST_BRANCHES:
            break
        moves = tuple(word.replace("_", " ") for word in found[3].split())
        branches.append(Branch(int(found[1]), int(found[2]), moves))
    return tuple(branches)


def branch_plays(game: Game, record: Record) -> Iterator[tuple[int, Branch, list[Any], list[Any]]]:
    """The branches of *record* with numbers, their positions, the first one too, and moves.

    Each stands behind the line it leaves, those that leave it later first, as KIF orders them.
    What is not legal ends its branch.
    """
    branches, trails = branches_of(record), [[game.beginning(record)]]
    for entry in record.log if branches else ():
        trails[0].append(trails[0][-1].after(read_entry(game, trails[0][-1], entry)))
    moves: list[list[Any]] = [[]]
    for branch in branches:
        trail = trails[branch.parent][: branch.after + 1]
        moves.append([])
        for text in branch.moves:
            try:
                moves[-1].append(read_move(game, trail[-1], min(trail[-1].actors()), text))
            except (RuleError, ValueError):
                break
            trail.append(trail[-1].after(moves[-1][-1]))
        trails.append(trail)
    under: dict[int, list[int]] = {}
    for number in sorted(range(1, len(trails)), key=lambda n: branches[n - 1].after):
        under.setdefault(branches[number - 1].parent, []).append(number)
    waiting = under.pop(0, [])
    while waiting:
        branch = branches[(number := waiting.pop()) - 1]
        yield number, branch, trails[number][branch.after :], moves[number]
        waiting += under.pop(number, [])


def annotations_of(record: Record, kind: str = NOTE) -> dict[Place, str]:
    """The comments or bookmarks of *record* by their places."""
    found = {_KEY.fullmatch(key): value for key, value in record.tags.items()}
    return {
        (int(key[3] or 0), int(key[2])): value.replace("\\n", "\n")
        for key, value in found.items()
        if key and key[1] == kind
    }


def annotation_tags(
    comments: Mapping[tuple[str, Place], Iterable[str]], branches: Iterable[Branch]
) -> dict[str, str]:
    """The tags that hold the lines of *comments*, by kind and place, and the *branches*."""
    tags = {
        f"{kind}{after}{f'_{line}' if line else ''}": "\\n".join(lines)
        for (kind, (line, after)), lines in comments.items()
    }
    for number, branch in enumerate(branches, 1):
        moves = (move.replace(" ", "_") for move in branch.moves)
        tags[f"Branch{number}"] = " ".join((str(branch.parent), str(branch.after), *moves))
    return tags
