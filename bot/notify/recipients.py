"""Which people a change calls, and for which reason. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum

from bot.session import events
from bot.session.events import Event
from bot.session.table import CLOSED, ENDED, OPEN, PLAYING, Table
from games.core import Seat
from storage.records import Written


class Reason(StrEnum):
    """The reasons of notifications, by the words that storage keeps."""

    CHALLENGE = "challenge"
    ACCEPTED = "accepted"
    BEGUN = "begun"
    DECLINED = "declined"
    EXPIRED = "expired"
    UNFILLED = "unfilled"
    CANCELLED = "cancelled"
    IDLE = "idle"
    TURN = "turn"
    DRAW = "draw"
    UNDO = "undo"
    PAUSE = "pause"
    REMATCH = "rematch"
    OVER = "over"
    LEFT = "left"
    MOVED = "moved"
    HALF = "half"
    """Half of the time is over: ``service.table.reminders`` stores this and the next three."""
    TIME = "time"
    """Only a tenth of it is left."""
    WAITS = "waits"
    """Others have waited for the player for a day."""
    LONG = "long"
    """They have waited for three."""
    LATE = "late"
    """The player's time has run out, and others may claim."""
    CLAIM = "claim"
    """The player may claim."""
    FLAGGED = "flagged"
    """The player's flag has fallen, and a computer plays on."""
    UNCOUNTED = "uncounted"
    """A manager has taken their game out of the ratings."""
    RULED = "ruled"
    """The manager of their tournament has decided about their game."""
    MISSED = "missed"
    """Another player cannot be called any more."""
    TOURNAMENT = "tournament"
    """A game of a tournament has begun."""
    WANTED = "wanted"
    """A table waits for players, of which a person wanted to be told."""
    SEEKING = "seeking"
    """The same for a role, which is called in the name of the host."""


TO_ACT = frozenset(
    {
        *(Reason.TURN, Reason.DRAW, Reason.UNDO, Reason.PAUSE, Reason.REMATCH),
        *(Reason.HALF, Reason.TIME, Reason.WAITS, Reason.LONG, Reason.LATE, Reason.CLAIM),
    }
)
"""Reasons that ask the player to act: all others are news, which any press has seen."""

ASKS = TO_ACT | {Reason.MISSED}
"""Reasons told later to a player who looks; all others they have seen when the board was shown."""

RUNS_OUT = frozenset({Reason.HALF, Reason.TIME})
"""Reminders that time runs out; they have waited for the end of quiet hours where possible."""

FOR_ANYBODY = frozenset({Reason.WANTED, Reason.SEEKING})
"""Reasons that call people to a table at which they do not sit."""

OF_TIME = RUNS_OUT | {Reason.LATE, Reason.TOURNAMENT}
"""Reasons told also to people who want to hear only of time."""

_STANDING = {
    Reason.CHALLENGE: OPEN,
    Reason.ACCEPTED: PLAYING,
    Reason.BEGUN: PLAYING,
    Reason.TOURNAMENT: PLAYING,
    Reason.LEFT: PLAYING,
    Reason.OVER: ENDED,
    Reason.UNCOUNTED: ENDED,
}
"""How a table must stand for news of it to be news still."""


_FOR_ALL: Mapping[type[Event], Reason] = {
    events.Left: Reason.LEFT,
    events.Ended: Reason.OVER,
    events.Uncounted: Reason.UNCOUNTED,
    events.Ruled: Reason.RULED,
}
"""The events that call everybody at the table, each with its reason."""

_BEGINNINGS = frozenset({Reason.ACCEPTED, Reason.BEGUN, Reason.TOURNAMENT})
"""Reasons that tell of a turn as well."""


def reasons(
    before: Table | None, after: Table, written: Iterable[Written[Event]], actor: int | None
) -> dict[int, Reason]:
    """The people called by what was *written* between the two tables, each with one reason.

    *actor* did it, and is called for nothing but their own turn.
    """
    found: dict[int, Reason] = {}
    for one in written:
        if isinstance(one.event, events.Rematched):
            found = {p: why for p, why in found.items() if why is not Reason.REMATCH}
        for reason, persons in _list_told(one.event, before, after):
            found.update((person, reason) for person in persons if person != actor)
    for seat in after.actors():
        person = after.players[seat].person
        if person is None or found.get(person) in _BEGINNINGS:
            continue
        # Whether the seat may do something else than before.
        if before is None or seat >= len(before.turns) or before.turns[seat] != after.turns[seat]:
            found[person] = Reason.TURN
    return found


def _list_told(
    event: Event, before: Table | None, after: Table
) -> Sequence[tuple[Reason, Sequence[int]]]:
    """The reasons that *event* gives, each with the people it calls."""
    match event:
        case events.Sat(person=person, invited=True) if person is not None:
            return ((Reason.CHALLENGE, [person]),)
        case events.Started():
            if before is None:
                return ((Reason.TOURNAMENT if after.tournament else Reason.BEGUN, _persons(after)),)
            host = [after.host] if any(one.invited for one in before.players) else []
            return ((Reason.BEGUN, _persons(after)), (Reason.ACCEPTED, host))
        case events.Closed(why=why):
            # The invited person sees on the invitation what has become of it.
            seated = [p.person for p in after.players if p.person is not None and not p.invited]
            return ((_closing_reason(why, after), seated),)
        case events.Offered(seat, kind):
            return ((Reason(kind), _others(after, seat)),)
        case events.Overstepped(seat):
            late = after.players[seat].person
            return ((Reason.CLAIM, _others(after, seat)), (Reason.LATE, _list_known(late)))
        case events.Flagged(seat) if before is not None:
            return ((Reason.FLAGGED, _list_known(after.players[seat].left)),)
        case events.Left() | events.Ended() | events.Uncounted() | events.Ruled():
            return ((_FOR_ALL[type(event)], _persons(after)),)
        case events.Missed(seat):
            return ((Reason.MISSED, _others(after, seat)),)
        case events.Returned(seat) if seat in after.actors():
            # The call to their turn was dropped when they were not there.
            return ((Reason.TURN, _list_known(after.players[seat].person)),)
    return ()


def _list_known(person: int | None) -> list[int]:
    return [] if person is None else [person]


def _persons(table: Table) -> list[int]:
    return [one.person for one in table.players if one.person is not None]


def _others(table: Table, seat: Seat) -> list[int]:
    return [person for person in _persons(table) if table.seat_of(person) != seat]


def _closing_reason(why: str, table: Table) -> Reason:
    if why in ("expired", "unanswered"):
        invited = any(player.invited for player in table.players)
        return Reason.EXPIRED if invited else Reason.UNFILLED
    return {"declined": Reason.DECLINED, "idle": Reason.IDLE}.get(why, Reason.CANCELLED)


def still(reason: Reason, person: int, table: Table) -> bool:
    """Whether *reason* still holds for *person* at *table*."""
    seat = table.seat_of(person)
    match reason:
        case Reason.FLAGGED:
            return table.status == PLAYING and any(p.left == person for p in table.players)
        case Reason.WANTED:
            return table.seeks and seat is None
        case Reason.SEEKING:
            return table.seeks and seat is not None
    return seat is not None and _still_seated(reason, seat, table)


def _still_seated(reason: Reason, seat: Seat, table: Table) -> bool:
    """The same for a reason that concerns players alone, of whom one sits in *seat*."""
    match reason:
        case Reason.TURN | Reason.HALF | Reason.TIME | Reason.WAITS | Reason.LONG:
            return seat in table.actors()
        case Reason.LATE | Reason.CLAIM:
            late = frozenset() if table.clock is None else table.clock.late
            return bool(late) and (seat in late) == (reason is Reason.LATE)
        case Reason.DRAW | Reason.UNDO | Reason.PAUSE | Reason.REMATCH:
            offer = table.offered(reason)
            return offer is not None and seat not in offer.agreed
        case Reason.MISSED:
            return bool((table.missed | table.uncalled) - {seat})
        case Reason.RULED:
            return table.ruling is not None
        case Reason.CHALLENGE:
            return table.status == OPEN and table.players[seat].invited
        case Reason.MOVED:
            return table.status in (OPEN, PLAYING)
    return table.status == _STANDING.get(reason, CLOSED)


def alone(table: Table, person: int) -> bool:
    """Whether only computers play with *person*, so that nobody waits for them."""
    return all(player.person in (None, person) for player in table.players)
