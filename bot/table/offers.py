"""What players offer and ask each other at a table: draws, take-backs, pauses. Pure."""

from __future__ import annotations

from bot.table import events
from bot.table.events import OfferKind
from bot.table.pen import Pen, Refused
from bot.table.play import end
from bot.table.table import PLAYING
from games.core import Seat, Who, phrase, ranking


def offer(pen: Pen, seat: Seat, kind: str, *, agreed: bool = False) -> bool:
    """Offer a draw or ask to take a move back, or agree where the other side has asked.

    True where it happened at once. Against computers a take-back is immediate, and a draw where
    they have *agreed*.
    """
    table = pen.table
    if table.status != PLAYING:
        raise Refused(phrase("house.not-playing"))
    if kind == "draw" and not table.game.draw_by_agreement:
        raise Refused(phrase("house.no-draws"))
    standing = table.offered(kind)
    if standing is not None and standing.seat == seat:
        raise Refused(phrase("house.already-offered"))
    if standing is not None:
        answer(pen, seat, kind, accepted=True)
        return True
    if kind == "undo" and table.undo_to(seat) is None:
        raise Refused(phrase("house.nothing-to-undo"))
    if kind == "pause":
        if table.clock is None:
            raise Refused(phrase("clock.no-clock"))
        if table.clock.paused:
            pen.write(events.Resumed(seat))
            return True
    others = [p for n, p in enumerate(table.players) if n != seat]
    if all(player.person is None for player in others):
        if kind == "draw" and not agreed:
            raise Refused(phrase("house.computer-plays-on"))
        _settle(pen, seat, OfferKind(kind))
        return True
    pen.write(events.Offered(seat, OfferKind(kind)))
    return False


def answer(pen: Pen, seat: Seat, kind: str, *, accepted: bool) -> None:
    """Answer what another seat has offered."""
    table = pen.table
    standing = table.offered(kind)
    if standing is None:
        raise Refused(phrase("house.no-offer"))
    if seat in standing.agreed:
        raise Refused(phrase("house.own-offer"))
    pen.write(events.Answered(seat, standing.kind, accepted))
    if accepted:
        _settle(pen, standing.seat, standing.kind)


def _settle(pen: Pen, seat: Seat, kind: OfferKind) -> None:
    """What *seat* has asked for happens."""
    match kind:
        case OfferKind.DRAW:
            everybody = range(len(pen.table.players))
            end(pen, ranking("agreement", [everybody]), rule=False)
        case OfferKind.UNDO:
            _take_back(pen, seat)
        case OfferKind.PAUSE:
            pen.give_back()
            pen.write(events.Paused(seat))
        case OfferKind.REMATCH:
            pass


def withdraw(pen: Pen, seat: Seat, kind: str) -> None:
    """Take back what *seat* itself has offered."""
    standing = pen.table.offered(kind)
    if standing is None:
        raise Refused(phrase("house.no-offer"))
    if seat not in standing.agreed:
        raise Refused(phrase("house.not-your-offer", who=Who(standing.seat)))
    pen.write(events.Answered(seat, standing.kind, accepted=False))


def _take_back(pen: Pen, seat: Seat) -> None:
    kept = pen.table.undo_to(seat)
    if kept is None:
        raise Refused(phrase("house.nothing-to-undo"))
    pen.write(events.Undone(seat, kept))
