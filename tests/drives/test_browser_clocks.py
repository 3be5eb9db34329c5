"""Clocks in a real browser: holidays, a reminder after days, a claim, a flag that falls."""

from __future__ import annotations

from tests.drives.browsing import (
    browser_of,
    chromium,
    come_in,
    invited,
    open_table,
    program,
    said,
    to_move,
    until,
)
from tests.drives.days import put_forward

__all__ = ["chromium", "program"]

SAYS = "what => document.body.innerText.includes(what)"
SILENT = "what => !document.body.innerText.includes(what)"


def after(program, **gap: float) -> None:
    """Let so much time pass, while nobody is connected."""
    program.stop()
    put_forward(program.folder, **gap)
    program.start()


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


def test_a_short_flag_falls_before_ones_eyes(program, chromium):
    with browser_of(chromium) as context, browser_of(chromium) as another:
        first = come_in(context, program.address, "Nerea")
        open_table(first, "/jugar niya reloj=10s")
        second = invited(first, another, "Bruno")
        for page in (first, second):
            until(page, "!!document.querySelector('#board.over')")
            until(page, SAYS, "se le ha acabado el tiempo")
