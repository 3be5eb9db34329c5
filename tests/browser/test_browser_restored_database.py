"""A page that is open while an older database takes the place of its own."""

from __future__ import annotations

import shutil

import pytest

from tests.drives.browsing import (
    browser_of,
    chromium,
    come_in,
    eventually,
    notes,
    open_table,
    press,
    program,
    to_move,
)

__all__ = ["chromium", "program"]


def moved(page) -> list[str]:
    """Move, wait for the computer's answer, and tell all moves on the list."""
    before = len(notes(page))
    to_move(page)
    press(page)
    eventually(page, lambda: len(notes(page)) >= before + 2, "the computer answers")
    return notes(page)


@pytest.mark.slow
def test_after_a_restore_an_open_page_shows_what_is_stored_and_plays_on(program, chromium):
    file, copy = program.folder / "games.db", program.folder / "copy.db"
    with browser_of(chromium) as context:
        page = come_in(context, program.address, "Nerea")
        open_table(page, "/jugar niya ordenador nivel=1")
        kept = moved(page)
        program.stop()
        shutil.copy(file, copy)
        program.start()
        assert len(moved(page)) > len(kept)
        program.stop()
        copy.replace(file)
        program.start()
        eventually(page, lambda: notes(page) == kept, "the older game is shown")
        assert moved(page)[: len(kept)] == kept
