"""What a table says of its clock: in words, and the instant that a chat counts down to. Pure."""

from __future__ import annotations

from datetime import UTC, datetime

from babel.dates import format_datetime, format_skeleton

from bot.port import Countdown
from bot.presenters.base import TablePresenter
from bot.session.game_clock import GameClock, instant
from bot.session.table import Table
from bot.session.time_controls import length
from bot.session.timekeeping import running_out
from games.core import Phrase, Seat, Who, phrase
from storage.records import MILLISECOND


def clock_words(presenter: TablePresenter, now: int) -> tuple[str, ...]:
    """What everybody has left at the instant *now*, and how soon somebody's time is over."""
    found = running_out(presenter.table)
    if found is None:
        return clock_lines(presenter, now)
    seat, end = found
    soon = phrase("clock.runs-out", who=Who(seat), time=length(end - now))
    return (*clock_lines(presenter, now), presenter.say(soon))


def clock_lines(presenter: TablePresenter, now: int | None = None) -> tuple[str, ...]:
    """What everybody has left at the instant *now*, else as it was when something last happened."""
    table, clock = presenter.table, presenter.table.clock
    if clock is None:
        return ()
    lines = []
    now = instant(table.stirred or table.touched) if now is None else now
    times = tuple(
        _time_left(clock, seat, now)
        for seat, player in enumerate(table.players)
        if player.person is not None and not clock.control.move
    )
    if times:
        lines.append(phrase("clock.left", times=times))
    lines += [phrase("clock.late", who=Who(seat)) for seat in sorted(clock.late)]
    for seat, player in enumerate(table.players):
        if player.resting is not None:
            day = format_skeleton(
                "MMMMd", shown_at(table, player.resting), locale=_locale(presenter)
            )
            lines.append(phrase("clock.resting", who=Who(seat), day=day))
    if clock.paused:
        lines.append(phrase("clock.paused"))
    return tuple(map(presenter.say, lines))


def countdown(presenter: TablePresenter) -> Countdown | None:
    """Whose time runs, and until when by the clock of the machine."""
    table = presenter.table
    found = running_out(table)
    if found is None:
        return None
    seat, end = found
    mine = presenter.viewer.seat == seat
    said = phrase("clock.until-yours") if mine else phrase("clock.until", who=Who(seat))
    until = shown_at(table, end)
    plain = format_datetime(until, "d MMM HH:mm", tzinfo=UTC, locale=_locale(presenter))
    return Countdown(presenter.say(said), until, f"{plain} UTC")


def _locale(presenter: TablePresenter) -> str:
    return presenter.tongue.code.replace("-", "_")


def shown_at(table: Table, at: int) -> datetime:
    """What the clock of the machine shows at the instant *at*, as far as *table* knows."""
    return table.touched + (at - instant(table.stirred or table.touched)) * MILLISECOND


def _time_left(clock: GameClock, seat: Seat, now: int) -> Phrase:
    bank, periods = clock.bank(seat, now)
    time = length(bank)
    if bank or not periods:
        return phrase("clock.left-one", who=Who(seat), time=time)
    time = length(clock.control.period)
    if clock.control.periods == 1:
        return phrase("clock.left-byoyomi", who=Who(seat), time=time)
    return phrase("clock.left-periods", who=Who(seat), n=periods, time=time)
