"""What the pages in ``docs`` name exists, and their tables are whole."""

from __future__ import annotations

import doctest
import re
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

from storage import schema
from tests.laws.test_weight import CEILINGS
from tests.rooms import arrows, circles, floors

DOCS = Path(__file__).resolve().parents[1] / "docs"
PAGES = sorted(DOCS.glob("*.md"))
SHOWN = (
    *("games.core.computer", "games.core.game", "games.core.move_parsing", "games.core.phrases"),
    *("games.core.position", "games.core.record", "games.core.shelf", "bot.port.requests"),
    *("render.kit.geometry", "render.kit.painters", "render.kit.palettes", "storage.store"),
)
"""Public modules whose docstrings have examples."""


def named(text: str) -> list[str]:
    """The names of ours in *text*, with their dots."""
    return re.findall(r"`((?:bot|games|render|storage|tests)\.[\w.]+)`", text)


def there(name: str) -> bool:
    """Whether *name* is a module of ours, or something in one."""
    module, rest = name, []
    while "." in module and not _is_module(module):
        module, _, last = module.rpartition(".")
        rest.insert(0, last)
    found: object = import_module(module)
    for part in rest:
        if not hasattr(found, part) and part not in getattr(found, "__annotations__", {}):
            return False
        found = getattr(found, part, None)
    return True


def _is_module(name: str) -> bool:
    try:
        return find_spec(name) is not None
    except ModuleNotFoundError:
        return False


def first_cells(page: str, head: str) -> list[str]:
    """The names in the first column of the table below *head* in the *page*."""
    _, below = (DOCS / page).read_text(encoding="utf-8").split(f"{head}\n|---|---|\n", 1)
    rows = below.split("\n\n", 1)[0].splitlines()
    return [name for row in rows for name in re.findall(r"`([\w.]+)`", row.split("|")[1])]


def test_the_games_as_a_library_do_what_their_page_shows():
    found = doctest.testfile(str(DOCS / "games.md"), module_relative=False)
    assert (found.failed, found.attempted > 40) == (0, True)


def test_at_most_forty_names_of_the_games_stay():
    told = (DOCS / "games.md").read_text("utf-8").partition("## A position")[0]
    assert 0 < len(set(named(told))) <= 40


@pytest.mark.parametrize("name", SHOWN)
def test_the_examples_in_docstrings_show_what_happens(name):
    found = doctest.testmod(import_module(name))
    assert (found.failed, found.attempted > 0) == (0, True)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_name_of_ours_in_the_page_exists(page):
    names = named(page.read_text(encoding="utf-8"))
    assert names
    assert [name for name in names if not there(name)] == []


def test_a_name_that_does_not_exist_is_noticed():
    assert not there("bot.service.table.changes.Changes.vanish")
    assert not there("bot.tables.manager")


def test_the_table_of_rooms_names_them_all_from_the_top_down():
    heights = floors(set(arrows()))
    told = first_cells("architecture.md", "| room | what is done there |")
    assert sorted(told) == sorted(heights)
    assert [heights[room] for room in told] == sorted(heights.values(), reverse=True)


def test_the_table_of_what_is_stored_names_every_table():
    told = first_cells("tables.md", "| table | one row for each |")
    assert sorted(told) == sorted(schema.metadata.tables)


def test_the_words_of_the_glossary_are_few_and_in_order():
    rows = re.findall(r"^\| (\w[\w ]*?) \|", (DOCS / "glossary.md").read_text(), re.MULTILINE)
    assert rows[1:] == sorted(rows[1:])
    assert len(rows[1:]) <= CEILINGS["words_of_our_own"]


def test_the_bot_has_at_most_eight_floors_and_few_arrows():
    pairs = set(arrows())
    assert max(floors(pairs).values()) <= 8
    chats = {room for pair in pairs for room in pair if room.startswith("chats.")}
    assert len(pairs) <= 45 + 4 * len(chats)  # a chat has its start, the facade, the port and texts


def test_no_modules_import_one_another_in_a_circle():
    assert circles() == []
