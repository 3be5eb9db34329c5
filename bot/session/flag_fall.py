"""What happens when time runs out, and what players may do about it. Pure."""

from __future__ import annotations

from collections.abc import Mapping

from bot.session import play
from bot.session.events import Flagged, Granted, Overstepped
from bot.session.game_clock import instant
from bot.session.rated import turns_made
from bot.session.table import PLAYING, Table
from bot.session.time_controls import grace, read_control
from bot.session.unit_of_work import UnitOfWork, refuse_if
from games.core import Seat


def missing(table: Table) -> frozenset[Seat]:
    """The seats that are to move and have not moved yet."""
    turns = turns_made(table)
    return frozenset(seat for seat in table.actors() if not turns.get(seat))


def first_moves_due(table: Table) -> Mapping[Seat, int]:
    """By what instant each seat that is to make its first move in a tournament must make it.

    Who makes none by then loses. None once everybody has moved.
    """
    if table.status != PLAYING or not table.tournament:
        return {}
    turns = {} if table.clock is None else dict(enumerate(table.clock.turns))
    stirred, allowed = instant(table.stirred or table.touched), grace(read_control(table.control))
    began = {seat: turns.get(seat) for seat in sorted(missing(table))}
    return {seat: (one.began if one else stirred) + allowed for seat, one in began.items()}


def fallen(work: UnitOfWork) -> Seat | None:
    """The seat whose flag has fallen by itself before what is decided here arrived."""
    found = work.table.running_out(work.away)
    if found is None or waits_for_claim(work.table, found[0]):
        return None
    seat, end = found
    return seat if work.arrived > end else None


def fall(work: UnitOfWork, seat: Seat) -> None:
    """The flag of *seat* falls: it loses (H16), in every game."""
    work.give_back()
    work.write(Flagged(seat))
    play.drop_out(work, seat, "time")


def run_out(work: UnitOfWork) -> int | None:
    """Let the time of a player run out, where it is over.

    Else answers before which instant not to look again: ``LASTING`` for an unreachable player.
    """
    found = work.table.running_out(work.away)
    if found is None:
        return None
    seat, end = found
    if work.arrived <= end:
        return end
    if waits_for_claim(work.table, seat):
        work.give_back()
        work.write(Overstepped(seat))
    else:
        fall(work, seat)
    return None


def waits_for_claim(table: Table, seat: Seat) -> bool:
    """Whether the flag of *seat* waits for another person who claims."""
    others = (p.person for n, p in enumerate(table.players) if n != seat)
    long = table.clock is not None and table.clock.control.is_claimed
    return long and any(person is not None for person in others)


def claim(work: UnitOfWork, seat: Seat) -> None:
    """*seat* claims the game of the player whose time has run out."""
    fall(work, _late(work, seat))


def grant(work: UnitOfWork, seat: Seat) -> None:
    """*seat* gives the player whose time has run out a day more."""
    late = _late(work, seat)
    work.give_back()
    work.write(Granted(seat, late))


def _late(work: UnitOfWork, seat: Seat) -> Seat:
    clock = work.table.clock
    late = frozenset() if clock is None else clock.late & work.table.timed()
    refuse_if(not late, "clock.nobody-late")
    refuse_if(seat in late, "clock.your-time")
    return min(late)
