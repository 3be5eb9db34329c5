"""What a chat can do is asked of the chat: nothing behind it knows a chat by its name."""

import ast
from pathlib import Path

import pytest

import bot
from bot.port import Capabilities
from bot.presenters.settings import Chosen, SettingsSheet
from bot.session.preferences import Openers, PlaceRules
from tests.chat_capabilities import CAPABILITIES
from tests.source_trees import tree_of

ROOMS = (
    *("session", "service", "boards", "notify", "commands"),
    *("presenters", "facade", "port", "texts"),
)


@pytest.mark.parametrize("room", ROOMS)
def test_no_room_behind_the_chats_names_a_chat(room):
    named = [
        f"{file}:{node.lineno}"
        for file in Path(*bot.__path__, room).rglob("*.py")
        for node in ast.walk(tree_of(file))
        if isinstance(node, ast.Constant) and node.value in CAPABILITIES
    ]
    assert not named


@pytest.mark.parametrize(
    ("chat", "threads", "roles"),
    [(Capabilities(), False, False), (CAPABILITIES["discord"], True, True)],
)
def test_a_place_chooses_only_what_its_chat_can_do(chat, threads, roles):
    chosen = Chosen(None, PlaceRules())
    screen = SettingsSheet("en", b"key", "place", chosen, chat, "here").screen()
    labels = {one.label for one in screen.choices}
    values = {option.code for one in screen.choices for option in one.options}
    assert any("hread" in label for label in labels) == threads
    assert any(f"openers,{Openers.ROLES}." in code for code in values) == roles
