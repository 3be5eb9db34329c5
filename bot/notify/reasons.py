"""Whom a change at a table calls, for which reason, and in which words. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum

from bot.presenters.status import followed_by
from bot.presenters.viewers import player_names
from bot.session.events import (
    Closed,
    Ended,
    Flagged,
    Left,
    Offered,
    OfferKind,
    Overstepped,
    Rematched,
    Sat,
    Started,
    Written,
)
from bot.session.table import CLOSED, ENDED, OPEN, PLAYING, Table
from bot.texts import Language
from games.core import Phrase, Seat, Who, phrase


class Reason(StrEnum):
    """Why somebody is called; storage keeps it by these words."""

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
    """Half of his time is over: ``bot.service.reminders`` stores this and the next three as due."""
    TIME = "time"
    """Only a tenth of it is left."""
    WAITS = "waits"
    """Others have waited for him for a day."""
    LONG = "long"
    """They have waited for three."""
    LATE = "late"
    """His time has run out, and others may claim."""
    CLAIM = "claim"
    """He may claim."""
    FLAGGED = "flagged"
    """His flag has fallen, and a computer plays on for him."""


AT_ONCE = frozenset(
    {
        Reason.ACCEPTED,
        Reason.DECLINED,
        Reason.EXPIRED,
        Reason.UNFILLED,
        Reason.CANCELLED,
        Reason.IDLE,
    }
)
"""What whoever looks at the table has seen by himself: he is not called later either."""

TO_ACT = frozenset(
    {
        *(Reason.TURN, Reason.DRAW, Reason.UNDO, Reason.PAUSE, Reason.REMATCH),
        *(Reason.HALF, Reason.TIME, Reason.WAITS, Reason.LONG, Reason.LATE, Reason.CLAIM),
    }
)
"""What asks for something to be done: the others are news, and seen by whoever presses anything."""

RUNS_OUT = frozenset({Reason.HALF, Reason.TIME})
"""What reminds of time that runs out; it has waited for the end of quiet hours where it could."""

OF_TIME = RUNS_OUT | {Reason.LATE}
"""What is told also to whoever wants to hear only of time."""

_OFFERS = {
    OfferKind.DRAW: Reason.DRAW,
    OfferKind.UNDO: Reason.UNDO,
    OfferKind.PAUSE: Reason.PAUSE,
    OfferKind.REMATCH: Reason.REMATCH,
}
_STANDING = {
    Reason.CHALLENGE: OPEN,
    Reason.ACCEPTED: PLAYING,
    Reason.BEGUN: PLAYING,
    Reason.LEFT: PLAYING,
    Reason.OVER: ENDED,
}
"""How a table must stand for news of it to be news still."""


def reasons(
    before: Table | None, after: Table, written: Iterable[Written], actor: int | None
) -> dict[int, Reason]:
    """Who is called by what was *written* between the two, by person, each for one reason.

    *actor* did it: he is called for nothing but his own turn.
    """
    found: dict[int, Reason] = {}

    def tell(reason: Reason, whom: Iterable[int]) -> None:
        found.update((person, reason) for person in whom if person != actor)

    everybody = [one.person for one in after.players if one.person is not None]
    for one in written:
        match one.event:
            case Sat(person=person, invited=True) if person is not None:
                tell(Reason.CHALLENGE, [person])
            case Started():
                tell(Reason.BEGUN, everybody)
                if before is not None and any(player.invited for player in before.players):
                    tell(Reason.ACCEPTED, [after.host])
            case Closed(why=why):
                # Whom the invitation asked sees there what has become of it.
                seated = [p.person for p in after.players if p.person is not None and not p.invited]
                tell(_closed(why, after), seated)
            case Offered(seat, kind):
                tell(_OFFERS[kind], [p for p in everybody if after.seat_of(p) != seat])
            case Overstepped(seat):
                tell(Reason.CLAIM, [p for p in everybody if after.seat_of(p) != seat])
                tell(Reason.LATE, [p for p in everybody if after.seat_of(p) == seat])
            case Flagged(seat) if before is not None and after.players[seat].left is not None:
                tell(Reason.FLAGGED, [p for p in [after.players[seat].left] if p is not None])
            case Left():
                tell(Reason.LEFT, everybody)
            case Ended():
                tell(Reason.OVER, everybody)
            case Rematched():
                found = {p: why for p, why in found.items() if why is not Reason.REMATCH}
            case _:
                pass
    for seat in after.actors():
        person = after.players[seat].person
        anew = (
            before is None or seat >= len(before.turns) or before.turns[seat] != after.turns[seat]
        )
        if person is not None and anew and found.get(person) not in (Reason.ACCEPTED, Reason.BEGUN):
            found[person] = Reason.TURN
    return found


def _closed(why: str, table: Table) -> Reason:
    match why:
        case "declined":
            return Reason.DECLINED
        case "expired" if any(player.invited for player in table.players):
            return Reason.EXPIRED
        case "expired":
            return Reason.UNFILLED
        case "idle":
            return Reason.IDLE
    return Reason.CANCELLED


def still(reason: Reason, person: int, table: Table) -> bool:
    """Whether *reason* holds at *table* as it is now; a call whose turn is over is dropped."""
    seat = table.seat_of(person)
    match reason:
        case Reason.TURN | Reason.HALF | Reason.TIME | Reason.WAITS | Reason.LONG:
            return seat in table.actors()
        case Reason.LATE | Reason.CLAIM:
            late = frozenset() if table.clock is None else table.clock.late
            return bool(late) and seat is not None and (seat in late) == (reason is Reason.LATE)
        case Reason.FLAGGED:
            return table.status == PLAYING and any(p.left == person for p in table.players)
        case Reason.DRAW | Reason.UNDO | Reason.PAUSE | Reason.REMATCH:
            offer = table.offered(reason)
            return seat is not None and offer is not None and seat not in offer.agreed
        case Reason.CHALLENGE:
            return table.status == OPEN and seat is not None and table.players[seat].invited
        case Reason.MOVED:
            return seat is not None and table.status in (OPEN, PLAYING)
        case Reason.ACCEPTED | Reason.BEGUN | Reason.LEFT | Reason.OVER:
            return seat is not None and table.status == _STANDING[reason]
    return seat is not None and table.status == CLOSED


def alone(table: Table, person: int) -> bool:
    """Whether nobody but computers plays with *person*, so that nobody waits for him."""
    return all(player.person in (None, person) for player in table.players)


def said(
    reason: Reason, table: Table, people: Sequence[int], tongue: Language, ending: str = ""
) -> str:
    """What *people* hear; *ending* says how a game ended."""
    names = player_names(table.game.key, table.players, tongue)
    seats = [seat for seat in map(table.seat_of, people) if seat is not None]
    lines = _lines(reason, table, seats, ending)
    return " ".join(tongue.say(line, names) for line in lines if line is not None)


def _lines(
    reason: Reason, table: Table, seats: Sequence[Seat], ending: str
) -> tuple[Phrase | None, ...]:
    game = phrase(f"{table.game.key}.name")
    others = tuple(Who(n) for n in range(len(table.players)) if n not in seats)
    theirs = next((offer.seat for offer in table.offers if _OFFERS[offer.kind] is reason), None)
    turn = _whose(seats, table) if set(seats) & table.actors() else None
    match reason:
        case Reason.CHALLENGE:
            host = table.seat_of(table.host)
            return (phrase("house.call.challenge", who=Who(host or 0), game=game),)
        case Reason.ACCEPTED:
            guests = tuple(who for who in others if table.players[who.seat].person is not None)
            return (phrase("house.call.accepted", who=guests, game=game, n=len(guests)), turn)
        case Reason.BEGUN:
            if len(seats) > 1:
                return (phrase("house.call.begun-all", game=game), turn)
            return (phrase("house.call.begun", who=others, game=game), turn)
        case Reason.DECLINED | Reason.EXPIRED:
            asked = tuple(Who(n) for n, player in enumerate(table.players) if player.invited)
            return (phrase(f"house.call.{reason}", who=asked or others, game=game),)
        case Reason.CLAIM:
            clock = table.clock
            late = tuple(map(Who, sorted(frozenset() if clock is None else clock.late)))
            return (phrase("house.call.claim", who=late, game=game),)
        case Reason.DRAW | Reason.UNDO | Reason.PAUSE | Reason.REMATCH:
            key = followed_by(table) if reason is Reason.REMATCH else reason
            return (phrase(f"house.call.{key}", who=Who(theirs or 0), game=game),)
        case Reason.OVER:
            from_words = phrase("house.call.over", who=others, game=game, how=ending)
            return (from_words if others else phrase("house.call.over-all", game=game, how=ending),)
        case Reason.LEFT:
            gone = tuple(player.name for player in table.players if player.left is not None)
            return (phrase("house.call.left", who=gone, game=game, n=len(gone)), turn)
        case Reason.TURN if len(seats) > 1:
            return (phrase("house.call.turn-all", game=game),)
        case _:
            return (phrase(f"house.call.{reason}", who=others, game=game),)


def _whose(seats: Sequence[Seat], table: Table) -> Phrase:
    """That it is the turn of whoever hears it, by name where *seats* are several."""
    if len(seats) == 1:
        return phrase("house.call.and-turn")
    who = tuple(map(Who, sorted(table.actors())))
    return phrase("house.others-turn" if len(who) == 1 else "house.others-turn.several", who=who)
