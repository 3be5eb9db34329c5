"""What happens when time runs out, and what players may do about it. Pure."""

from __future__ import annotations

from bot.table import play
from bot.table.events import Flagged, GivenBack, Granted, Overstepped
from bot.table.pen import Pen, Refused
from bot.table.table import Table
from games.core import Seat, phrase


def fallen(pen: Pen) -> Seat | None:
    """The seat whose flag has fallen by itself before what is decided here arrived."""
    clock = pen.table.clock
    first = None if clock is None else clock.first()
    if first is None or waits_for_claim(pen.table, first[0]):
        return None
    seat, end = first
    return seat if pen.arrived - pen.lost.get(seat, 0) > end else None


def fall(pen: Pen, seat: Seat) -> None:
    """The flag of *seat* falls: it loses (H16), in every game."""
    pen.write(Flagged(seat))
    play.drop_out(pen, seat, "time")


def run_out(pen: Pen) -> None:
    """Look at the clock when the time of somebody is over, by what could be expected."""
    clock = pen.table.clock
    first = None if clock is None else clock.first()
    if clock is None or first is None or not clock.overstepped(first[0], pen.arrived):
        return
    seat, _ = first
    if pen.lost.get(seat):
        pen.write(GivenBack(seat, pen.lost[seat]))
    elif waits_for_claim(pen.table, seat):
        pen.write(Overstepped(seat))
    else:
        fall(pen, seat)


def waits_for_claim(table: Table, seat: Seat) -> bool:
    """Whether the flag of *seat* waits for another person who claims."""
    others = (p.person for n, p in enumerate(table.players) if n != seat)
    long = table.clock is not None and table.clock.control.claimed
    return long and any(person is not None for person in others)


def claim(pen: Pen, seat: Seat) -> None:
    """*seat* claims the game of whoever has run out of time."""
    fall(pen, _late(pen, seat))


def grant(pen: Pen, seat: Seat) -> None:
    """*seat* gives whoever has run out of time a day more."""
    pen.write(Granted(seat, _late(pen, seat)))


def _late(pen: Pen, seat: Seat) -> Seat:
    clock = pen.table.clock
    late = frozenset() if clock is None else clock.late & pen.table.timed()
    if not late:
        raise Refused(phrase("clock.nobody-late"))
    if seat in late:
        raise Refused(phrase("clock.your-time"))
    return min(late)
