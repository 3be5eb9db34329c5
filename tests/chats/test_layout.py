"""Every chat has the same file for the same job."""

from __future__ import annotations

from pathlib import Path

import pytest

import bot.chats

JOBS = ("chat", "inbound", "outbound", "reading", "writing", "errors")
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
    assert shared == {*JOBS, "answers", "commands", "membership"}
