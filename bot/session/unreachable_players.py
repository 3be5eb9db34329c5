"""Players who cannot be called any more: what is noted, and what the others may do. Pure."""

from __future__ import annotations

from bot.session import events
from bot.session.events import Absence
from bot.session.play import end_game, substitute
from bot.session.rated import is_young
from bot.session.table import OPEN, PLAYING, Table
from bot.session.unit_of_work import UnitOfWork, refuse_if
from games.core import Seat, ranking

FORSAKEN = "forsaken"
"""Why a table was closed whose other players were missed."""


def note(work: UnitOfWork, person: int, why: Absence | None) -> None:
    """*person* is missed, and *why*, or for ``None`` back again; nothing where that is known.

    Whoever plays is missed, and whoever is challenged; nobody by computers alone.
    """
    table, seat = work.table, work.table.seat_of(person)
    if seat is None or table.players[seat].absence == why:
        return
    if table.status != PLAYING and not (table.status == OPEN and table.players[seat].invited):
        return
    if why is None:
        work.write(events.Returned(seat))
    elif any(one.person not in (None, person) for one in table.players):
        work.write(events.Missed(seat, why))


def wins(table: Table) -> bool:
    """Whether the only one who is left has won: a game that counts is no longer young."""
    return table.rated and len(table.players) == 2 and not is_young(table)


def may_close(table: Table, person: int) -> bool:
    """Whether *person* is the only one left at *table*, and may close it without a result."""
    left = table.forsaken is not None and table.forsaken == table.seat_of(person)
    return left and not wins(table)


def claim_win(work: UnitOfWork, seat: Seat) -> None:
    """End a game that counts, won by *seat*, the only one left; raises ``Refused``."""
    refuse_if(work.table.forsaken != seat or not wins(work.table), "house.absence.nobody")
    others = [one for one in range(len(work.table.players)) if one != seat]
    end_game(work, ranking("missed", [[seat], others]), rule=False)


def play_on(work: UnitOfWork, by: Seat, seat: Seat) -> None:
    """Let a computer play on for *seat*, as *by* wants; raises ``Refused`` unless it is missed."""
    table = work.table
    refuse_if(table.status != PLAYING or seat not in table.missed, "house.absence.nobody")
    refuse_if(by in table.missed or table.players[by].person is None, "house.not-seated")
    substitute(work, seat)
