"""The columns of a floor: folders by subject, and few arrows between them."""

from __future__ import annotations

import ast
from functools import cache

import pytest

from tests.laws.test_weight import CEILINGS
from tests.laws.weight import ROOT, statements
from tests.source_trees import tree_of

SUBJECTS = ("table", "computers", "tournament", "club", "school", "person", "place")
"""What a folder of a floor may be called, unless ``ceilings.toml`` names it as the floor's own."""

MOST_FILES = 25
"""From how many files, its folders aside, a floor is a drawer."""

FLOORS = CEILINGS["columns"]


@cache
def arrows(floor: str) -> frozenset[tuple[str, str]]:
    """Which column of *floor* imports which; what lies in no folder is the column ``.``."""
    files = {
        ".".join(path.relative_to(ROOT).with_suffix("").parts): path
        for path in (ROOT / floor).rglob("*.py")
    }

    def column(module: str) -> str:
        folders = module.removeprefix(f"{floor.replace('/', '.')}.").split(".")[:-1]
        return folders[0] if folders else "."

    found = set()
    for module, path in files.items():
        for node in statements(tree_of(path)):
            if isinstance(node, ast.ImportFrom) and node.module is not None:
                names = {node.module, *(f"{node.module}.{one.name}" for one in node.names)}
                found |= {(column(module), column(name)) for name in names & files.keys()}
    return frozenset((upper, lower) for upper, lower in found if upper != lower)


@pytest.mark.parametrize("floor", FLOORS)
def test_the_columns_of_a_floor_are_subjects(floor):
    own = FLOORS[floor]["own"]
    folders = {path.parent.name for path in (ROOT / floor).glob("*/*.py")}
    assert folders <= {*SUBJECTS, *own}


@pytest.mark.parametrize("floor", FLOORS)
def test_a_floor_is_no_drawer(floor):
    assert len(list((ROOT / floor).glob("*.py"))) - 1 <= MOST_FILES


@pytest.mark.parametrize("floor", FLOORS)
def test_the_columns_of_a_floor_know_few_others(floor):
    assert len(arrows(floor)) <= FLOORS[floor]["arrows"]
    both = [one for one in arrows(floor) if one[::-1] in arrows(floor) and one < one[::-1]]
    assert len(both) <= FLOORS[floor]["both_ways"]
