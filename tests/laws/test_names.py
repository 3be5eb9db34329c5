"""Names say what things are: verbs for what does something, and one word for a file and its class.

``participles.txt`` lists the functions that may be named by one participle, as ``module:name``,
where *module* is a file's name and *name* stands below its class: values made of another, mostly.
``other_words.txt`` lists the modules whose main class bears no word of theirs. Both only shrink.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tests.laws.weight import ROOT
from tests.source_trees import tree_of

ROOMS = ("bot", "games", "render", "storage")

LISTED = Path(__file__).parent

MOST_PARTICIPLES = 350

MAIN_SHARE = 0.3
"""From this share of a module's lines on its largest public class is its main class."""

IRREGULAR = frozenset(
    re.findall(
        "[a-z]+",
        """
        beaten begotten begun bent bitten blown born borne bought bound bred broken
        brought built caught chosen come dealt done drawn driven eaten fallen fed felt
        fled flown forgotten fought found frozen given gone got gotten grown heard held
        hid hidden hung kept known laid left lent lit lost made meant met mistaken
        overdue overtaken paid rebuilt redrawn remade repaid reread resent retold
        rewritten ridden risen rung said sat seen sent sewn shaken shot shown slept slid
        sold sought spent spoken stolen stood struck stuck sung sunk swept sworn taken
        taught thought thrown told torn understood undertaken undone unheard unknown
        unread unseen withdrawn woken won worn woven written
        """,
    )
)

NO_PARTICIPLES = frozenset(
    re.findall(
        "[a-z]+",
        """
        bed bleed breed deed embed exceed feed greed hundred need proceed red seed shed
        sped
        """,
    )
)

Defined = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def is_participle(name: str) -> bool:
    """Whether *name*, a leading underscore aside, is one participle."""
    word = name.strip("_")
    if not word.islower() or "_" in word or word in NO_PARTICIPLES:
        return False
    return word in IRREGULAR or (word.endswith("ed") and len(word) > 3)


def modules() -> Iterator[tuple[str, ast.Module]]:
    for room in ROOMS:
        for path in sorted((ROOT / room).rglob("*.py")):
            stem = path.parent.name if path.stem == "__init__" else path.stem
            yield stem, tree_of(path)


def functions(node: ast.AST, within: str = "") -> Iterator[str]:
    """The functions below *node*, by their names below their classes."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, Defined):
            if not isinstance(child, ast.ClassDef):
                yield within + child.name
            yield from functions(child, f"{within}{child.name}.")
        elif not isinstance(child, ast.expr):
            yield from functions(child, within)


def listed(name: str) -> list[str]:
    return (LISTED / name).read_text(encoding="utf-8").split()


@cache
def participles() -> set[str]:
    return {
        f"{stem}:{name}"
        for stem, tree in modules()
        for name in functions(tree)
        if is_participle(name.rpartition(".")[2])
    }


def words(name: str) -> set[str]:
    """The stems of the words of *name*, so that ``tables`` and ``TableLists`` share one."""
    plain = re.findall("[a-z]+", re.sub("([A-Z])", r" \1", name).lower())
    return {re.sub("(ies|ing|ion|es|ed|er|or|y|s|e)$", "", word)[:5] for word in plain}


def strangers() -> set[str]:
    """The modules, with their main class, that share no word with it."""
    found = set()
    for stem, tree in modules():
        lines = max((getattr(node, "end_lineno", 0) for node in tree.body), default=0)
        classes = [
            (node.end_lineno - node.lineno, node.name)
            for node in tree.body
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_") and node.end_lineno
        ]
        size, name = max(classes, default=(0, ""))
        if size > MAIN_SHARE * lines and not words(stem) & words(name):
            found.add(f"{stem}:{name}")
    return found


def test_a_function_that_does_something_is_a_verb():
    new = participles() - set(listed("participles.txt"))
    assert new == set(), "name what it does; a value made of another may be listed"


def test_the_list_of_participles_names_only_what_there_is():
    assert set(listed("participles.txt")) - participles() == set()
    assert len(listed("participles.txt")) <= MOST_PARTICIPLES


def test_a_file_and_its_main_class_share_a_word():
    assert strangers() == set(listed("other_words.txt"))
