"""What players offer and ask each other at a table: draws, take-backs, pauses. Pure."""

from __future__ import annotations

from bot.session import events
from bot.session.events import OfferKind
from bot.session.play import end
from bot.session.table import PLAYING
from bot.session.unit_of_work import Refused, UnitOfWork
from games.core import Seat, Who, phrase, ranking


def offer(work: UnitOfWork, seat: Seat, kind: str, *, agreed: bool = False) -> bool:
    """Offer a draw or ask to take a move back, or agree where the other side has asked.

    True where it happened at once. Against computers a take-back is immediate, and a draw where
    they have *agreed*.
    """
    table = work.table
    if table.status != PLAYING:
        raise Refused(phrase("house.not-playing"))
    if kind == "draw" and not table.game.draw_by_agreement:
        raise Refused(phrase("house.no-draws"))
    standing = table.offered(kind)
    if standing is not None and standing.seat == seat:
        raise Refused(phrase("house.already-offered"))
    if standing is not None:
        answer(work, seat, kind, accepted=True)
        return True
    if kind == "undo" and table.undo_to(seat) is None:
        raise Refused(phrase("house.nothing-to-undo"))
    if kind == "pause":
        if table.clock is None:
            raise Refused(phrase("clock.no-clock"))
        if table.clock.paused:
            work.write(events.Resumed(seat))
            return True
    others = [p for n, p in enumerate(table.players) if n != seat]
    if all(player.person is None for player in others):
        if kind == "draw" and not agreed:
            raise Refused(phrase("house.computer-plays-on"))
        _settle(work, seat, OfferKind(kind))
        return True
    work.write(events.Offered(seat, OfferKind(kind)))
    return False


def answer(work: UnitOfWork, seat: Seat, kind: str, *, accepted: bool) -> None:
    """Answer what another seat has offered."""
    table = work.table
    standing = table.offered(kind)
    if standing is None:
        raise Refused(phrase("house.no-offer"))
    if seat in standing.agreed:
        raise Refused(phrase("house.own-offer"))
    work.write(events.Answered(seat, standing.kind, accepted))
    if accepted:
        _settle(work, standing.seat, standing.kind)


def _settle(work: UnitOfWork, seat: Seat, kind: OfferKind) -> None:
    """What *seat* has asked for happens."""
    match kind:
        case OfferKind.DRAW:
            everybody = range(len(work.table.players))
            end(work, ranking("agreement", [everybody]), rule=False)
        case OfferKind.UNDO:
            _take_back(work, seat)
        case OfferKind.PAUSE:
            work.give_back()
            work.write(events.Paused(seat))
        case OfferKind.REMATCH:
            pass


def withdraw(work: UnitOfWork, seat: Seat, kind: str) -> None:
    """Take back what *seat* itself has offered."""
    standing = work.table.offered(kind)
    if standing is None:
        raise Refused(phrase("house.no-offer"))
    if seat not in standing.agreed:
        raise Refused(phrase("house.not-your-offer", who=Who(standing.seat)))
    work.write(events.Answered(seat, standing.kind, accepted=False))


def _take_back(work: UnitOfWork, seat: Seat) -> None:
    kept = work.table.undo_to(seat)
    if kept is None:
        raise Refused(phrase("house.nothing-to-undo"))
    work.write(events.Undone(seat, kept))
