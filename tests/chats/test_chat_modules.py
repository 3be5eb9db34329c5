"""Every chat has the same file for the same job."""

import ast
from dataclasses import fields
from pathlib import Path

import pytest

import bot.chats
from bot.facade import Facade
from tests.source_trees import tree_of

JOBS = ("chat", "inbound", "outbound", "reading", "message_formatting", "errors")
CHATS = sorted(
    folder for folder in Path(bot.chats.__path__[0]).iterdir() if (folder / "__init__.py").exists()
)


@pytest.mark.parametrize("chat", CHATS, ids=lambda folder: folder.name)
def test_a_chat_has_the_file_of_every_job(chat):
    assert [job for job in JOBS if not (chat / f"{job}.py").exists()] == []


def test_a_name_that_two_chats_share_is_that_of_a_shared_job():
    """«Doors» once were shut places in one chat and the front page in another."""
    names = [path.stem for chat in CHATS for path in chat.glob("[!_]*.py")]
    shared = {name for name in names if names.count(name) > 1}
    assert shared == {*JOBS, *("answers", "checkup", "membership")}


DOORS = {
    "boards",
    "failures",
    "fleet",
    "process_duties",
    "notes",
    "operator",
    "pages",
    "programs",
    "requests",
    "tasks",
}
"""What the facade offers to chats: a door for each matter, and what concerns the process."""


@pytest.mark.parametrize("chat", CHATS, ids=lambda folder: folder.name)
def test_no_chat_reaches_through_the_house(chat):
    """What the house is made of is its own; import-linter does not see attributes."""
    rooms = {part.name for part in fields(Facade)} - DOORS
    found = [
        f"{path.name}:{node.lineno} {ast.unparse(node)}"
        for path in chat.glob("*.py")
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.Attribute)
        and node.attr in rooms
        and ast.unparse(node.value).endswith("facade")
    ]
    assert found == []
