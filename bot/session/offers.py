"""What players offer and ask each other at a table: draws, take-backs, pauses. Pure."""

from __future__ import annotations

from bot.session import events
from bot.session.events import OfferKind
from bot.session.play import end_game
from bot.session.table import PLAYING, Table
from bot.session.unit_of_work import Refused, UnitOfWork
from games.core import Seat, Who, phrase, ranking


def place_offer(work: UnitOfWork, seat: Seat, kind: str, *, agreed: bool = False) -> bool:
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
    _check_offer(table, seat, kind)
    if kind == "pause" and table.clock is not None and table.clock.paused:
        work.write(events.Resumed(seat))
        return True
    return _offered(work, seat, OfferKind(kind), agreed=agreed)


def _check_offer(table: Table, seat: Seat, kind: str) -> None:
    """Raise ``Refused`` where there is nothing of which *seat* could make an offer."""
    if kind == "undo" and table.undo_to(seat) is None:
        raise Refused(phrase("house.nothing-to-undo"))
    if kind == "pause" and table.clock is None:
        raise Refused(phrase("clock.no-clock"))


def _offered(work: UnitOfWork, seat: Seat, kind: OfferKind, *, agreed: bool) -> bool:
    """Make the offer; whether it happened at once, since only computers are asked."""
    others = (p for n, p in enumerate(work.table.players) if n != seat)
    if any(player.person is not None for player in others):
        work.write(events.Offered(seat, kind))
        return False
    if kind is OfferKind.DRAW and not agreed:
        raise Refused(phrase("house.computer-plays-on"))
    _settle(work, seat, kind)
    return True


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
            end_game(work, ranking("agreement", [everybody]), rule=False)
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
