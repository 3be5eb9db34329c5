"""Clocks in a real browser: holidays, reminders, quiet hours, a claim, a flag that falls."""

from __future__ import annotations

import json
import sqlite3
import time
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from storage.records import EPOCH, MILLISECOND
from tests.drives.browsing import (
    browser_of,
    chromium,
    come_in,
    eventually,
    invited,
    open_table,
    program,
    said,
    to_move,
    until,
)

__all__ = ["chromium", "program"]

SAYS = "what => document.body.innerText.includes(what)"
SILENT = "what => !document.body.innerText.includes(what)"


def put_forward(folder: Path, **gap: float) -> None:
    """Let the bot in *folder*, which does not run, have run for so much longer.

    Its time goes on from its last sign of life, whatever the clock of the machine shows.
    """
    with closing(sqlite3.connect(folder / "games.db")) as connection, connection:
        (told,) = connection.execute("SELECT value FROM setting WHERE key = 'alive'").fetchone()
        later = datetime.fromisoformat(told.strip('"')) + timedelta(**gap)
        kept = told.replace(told.strip('"'), later.isoformat())
        connection.execute("UPDATE setting SET value = ? WHERE key = 'alive'", (kept,))


def after(program, **gap: float) -> None:
    """Let so much time pass, while nobody is connected."""
    program.stop()
    put_forward(program.folder, **gap)
    program.start()


@pytest.mark.slow
def test_holidays_are_among_the_settings_and_stop_the_clock_on_the_board(program, chromium):
    with browser_of(chromium) as context:
        page = come_in(context, program.address, "Nerea")
        open_table(page, "/jugar niya ordenador nivel=1 reloj=1d")
        to_move(page)
        said(page, "/vacaciones 3")
        until(page, SAYS, "Estás de vacaciones.")
        until(page, SAYS, "Nerea está de vacaciones hasta el")
        said(page, "/vacaciones 0")
        until(page, SILENT, "Nerea está de vacaciones hasta el")


@pytest.mark.slow
def test_days_of_a_game_by_the_clock_go_by_in_the_browser(program, chromium):
    with browser_of(chromium) as context, browser_of(chromium) as another:
        first = come_in(context, program.address, "Nerea")
        open_table(first, "/jugar niya reloj=1d")
        second = invited(first, another, "Bruno")
        mover = to_move(first, second)
        other = second if mover is first else first
        after(program, days=1, minutes=1)
        until(other, SAYS, "Reclamar la partida")
        other.click("text=Reclamar la partida")
        until(mover, "!!document.querySelector('#board.over')")
        until(mover, SAYS, "se le ha acabado el tiempo")


@pytest.mark.slow
def test_a_short_flag_falls_before_ones_eyes(program, chromium):
    with browser_of(chromium) as context, browser_of(chromium) as another:
        first = come_in(context, program.address, "Nerea")
        open_table(first, "/jugar niya reloj=10s")
        second = invited(first, another, "Bruno")
        for page in (first, second):
            until(page, "!!document.querySelector('#board.over')")
            until(page, SAYS, "se le ha acabado el tiempo")


HEARD = """
window.heard = [];
document.hasFocus = () => false;
window.Notification = class {
  static permission = "granted";
  constructor(title, { body }) { window.heard.push(body); }
  close() {}
};
"""
"""A page that nobody looks at, and what it notifies of."""


def back(*pages) -> None:
    """Let *pages* look for the program at once that was started again, and find it."""
    for page in pages:
        page.evaluate("dispatchEvent(new Event('online'))")
    for page in pages:
        until(page, "!document.querySelector('#status').textContent.includes('Sin conexión')")


def settings(program, chosen: str) -> None:
    """What everybody has chosen, while the program does not run."""
    with closing(sqlite3.connect(program.folder / "games.db")) as connection, connection:
        connection.execute("UPDATE person SET settings = ?", (chosen,))


def reminder(program) -> datetime:
    """When the one reminder is due by the steady clock."""
    with closing(sqlite3.connect(program.folder / "games.db")) as connection:
        asked = connection.execute("SELECT at FROM deadline WHERE kind = 'reminder'")
        ((at,),) = asked.fetchall()
    return EPOCH + at * MILLISECOND


def slowness(program, *pages) -> float:
    """How many seconds this machine takes until *pages* are back at the program."""
    program.stop()
    began = time.monotonic()
    program.start()
    back(*pages)
    return time.monotonic() - began


def just_before(program, connected: float) -> None:
    """Let time pass, while nobody is connected, until so many seconds before the reminder."""
    with closing(sqlite3.connect(program.folder / "games.db")) as connection:
        (told,) = connection.execute("SELECT value FROM setting WHERE key = 'alive'").fetchone()
    gap = reminder(program) - datetime.fromisoformat(told.strip('"'))
    put_forward(program.folder, seconds=gap.total_seconds() - connected)


@pytest.mark.slow
def test_reminders_reach_a_page_that_nobody_looks_at_but_not_in_quiet_hours(program, chromium):
    with browser_of(chromium) as context, browser_of(chromium) as another:
        context.add_init_script(HEARD)
        another.add_init_script(HEARD)
        first = come_in(context, program.address, "Nerea")
        open_table(first, "/jugar niya reloj=3d")
        second = invited(first, another, "Bruno")
        mover = to_move(first, second)
        other = second if mover is first else first

        def heard(words: str) -> int:
            return sum(words in one for one in mover.evaluate("window.heard"))

        # However slow the machine is, by then the pages are back.
        connected = 15 + 3 * slowness(program, first, second)
        half, tenth = "e queda la mitad del tiempo", "e te acaba el tiempo"
        program.stop()
        just_before(program, connected)
        program.start()
        back(first, second)
        until(mover, "what => window.heard.some(one => one.includes(what))", half)
        program.stop()
        hour = datetime.now(UTC).hour
        settings(program, json.dumps({"quiet": [hour, (hour + 2) % 24], "zone": "UTC"}))
        due = reminder(program)
        just_before(program, connected)
        program.start()
        back(first, second)
        eventually(mover, lambda: reminder(program) > due, "the reminder was put off")
        assert heard(tenth) == 0, "it was put off"
        program.stop()
        settings(program, "{}")
        just_before(program, connected)
        program.start()
        back(first, second)
        until(mover, "what => window.heard.some(one => one.includes(what))", tenth)
        assert (heard(half), heard(tenth)) == (1, 1)
        assert not [one for one in other.evaluate("window.heard") if half in one or tenth in one]
