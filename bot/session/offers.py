"""What players offer and ask each other: draws, take-backs, pauses, the rematch. Pure."""

from __future__ import annotations

import hmac
from dataclasses import replace

from bot.session import events
from bot.session.events import OfferKind
from bot.session.match import Match
from bot.session.play import end_game, open_table, start_if_full, take_chair
from bot.session.rated import FOR_NOW
from bot.session.table import CODE_LENGTH, CODE_LETTERS, ENDED, OPEN, PLAYING, Table
from bot.session.time_controls import read_control
from bot.session.unit_of_work import Refused, UnitOfWork, need, refuse_if
from games.core import Seat, Who, phrase, ranking
from games.core.game import LOT, ROLLS


def place_offer(work: UnitOfWork, seat: Seat, kind: str, *, agreed: bool = False) -> bool:
    """Offer a draw, a take-back or a pause, or agree; true where it happened at once."""
    table = work.table
    refuse_if(table.status != PLAYING, "house.not-playing")
    # Raise ``Refused`` where nobody at *table* may offer this.
    refuse_if(kind == "draw" and not table.game.rules.draw_by_agreement, "house.no-draws")
    refuse_if(kind == "undo" and table.competes, "standing.no-help")
    standing = table.offered(kind)
    refuse_if(standing is not None and standing.seat == seat, "house.already-offered")
    if standing is not None:
        answer(work, seat, kind, accepted=True)
        return True
    refuse_if(kind == "undo" and table.undo_to(seat) is None, "house.nothing-to-undo")
    refuse_if(kind == "pause" and table.clock is None, "clock.no-clock")
    if kind == "pause" and table.clock is not None and table.clock.paused:
        work.write(events.Resumed(seat))
        return True
    return _offer(work, seat, OfferKind(kind), agreed=agreed)


def _offer(work: UnitOfWork, seat: Seat, kind: OfferKind, *, agreed: bool) -> bool:
    """Make the offer; true where it happened at once, since only computers are asked."""
    others = (p for n, p in enumerate(work.table.players) if n != seat)
    if any(player.person is not None for player in others):
        work.write(events.Offered(seat, kind))
        return False
    refuse_if(kind is OfferKind.DRAW and not agreed, "house.computer-plays-on")
    _settle(work, seat, kind)
    return True


def asked_of(person: int, table: Table, *, anybody: bool = False) -> str:
    """What *person* is to answer at *table*: an offer, "seat" for a challenge, "" for nothing.

    What is asked of *anybody* is asked of them where they speak of that table.
    """
    seat = table.seat_of(person)
    if table.status == OPEN:
        return "seat" if (anybody if seat is None else table.players[seat].invited) else ""
    return next((one.kind for one in table.offers if seat not in (None, *one.agreed)), "")


def answer(work: UnitOfWork, seat: Seat, kind: str, *, accepted: bool) -> None:
    """Answer what another seat has offered."""
    standing = need(work.table.offered(kind), "house.no-offer")
    refuse_if(seat in standing.agreed, "house.own-offer")
    work.write(events.Answered(seat, standing.kind, accepted))
    if accepted:
        _settle(work, standing.seat, standing.kind)


def _settle(work: UnitOfWork, seat: Seat, kind: OfferKind) -> None:
    match kind:
        case OfferKind.DRAW:
            end_game(work, ranking("agreement", [range(len(work.table.players))]), rule=False)
        case OfferKind.UNDO:
            work.write(events.Undone(seat, need(work.table.undo_to(seat), "house.nothing-to-undo")))
        case OfferKind.PAUSE:
            work.give_back()
            work.write(events.Paused(seat))
        case OfferKind.REMATCH:
            pass


def withdraw(work: UnitOfWork, seat: Seat, kind: str) -> None:
    """Take back what *seat* itself has offered."""
    standing = need(work.table.offered(kind), "house.no-offer")
    refuse_if(seat not in standing.agreed, "house.not-your-offer", who=Who(standing.seat))
    work.write(events.Answered(seat, standing.kind, accepted=False))


def foreseen(table: Table, key: bytes) -> tuple[str, bytes]:
    """The code and secret of the rematch, fixed by the house's *key* before words are chosen."""

    def derived(what: str) -> bytes:
        return hmac.digest(key, f"{what}|{table.code}".encode(), "sha256")

    number = int.from_bytes(derived("rematch-code"))
    letters = (number // len(CODE_LETTERS) ** n % len(CODE_LETTERS) for n in range(CODE_LENGTH))
    return "".join(CODE_LETTERS[n] for n in letters), derived("rematch-secret")


def again(
    work: UnitOfWork, seat: Seat, code: str, secret: bytes, closed: str | None = None
) -> bool:
    """*seat* wants a rematch; true where it begins because everybody does.

    It is then opened as the table *code* by the unit's child, and *secret* makes its draws. Who
    began the last game does not begin this one: the sides change where a side begins by rule,
    the beginner where it was a lot (§ every table); a handicap stays with its giver. A rematch that
    was *closed* without a result was none.
    """
    table = work.table
    refuse_if(table.status != ENDED, "house.not-over")
    refuse_if(table.child not in (None, closed), "house.rematch.exists", code=table.child or "")
    offer = table.offered(OfferKind.REMATCH)
    if offer is None:
        work.write(events.Offered(seat, OfferKind.REMATCH))
    elif seat in offer.agreed:
        raise Refused(phrase("house.already-offered"))
    else:
        work.write(events.Answered(seat, OfferKind.REMATCH, accepted=True))
    offer = work.table.offered(OfferKind.REMATCH)
    agreed = {table.players[one].person for one in (offer.agreed if offer is not None else ())}
    if not {player.person for player in table.players if player.person is not None} <= agreed:
        return False
    work.child = _open(work, table.players[seat].person or table.host, code, secret)
    work.write(events.Rematched(code))
    return True


def _open(work: UnitOfWork, host: int, code: str, secret: bytes) -> UnitOfWork:
    table, match = work.table, work.table.match_now
    begins, sides = _changed_sides(table)
    child = open_table(
        code,
        table.game,
        options=table.options,
        hints=table.hints,
        begins=begins,
        seats=len(table.players),
        host=host,
        secret=secret,
        now=work.now,
        steady=work.steady,
        parent=table.code,
        control=read_control(table.control),
        computer_clock=table.computer_clock,
        # The same match, or as long a new one (S4).
        match=Match(match.length) if match is not None and match.is_decided else match,
        # What spoke against it may be over; the games of one match all count or none does.
        rated=table.rated or (table.casual in FOR_NOW and not table.match_goes_on),
    )
    child.often, child.barred = work.often, work.barred
    for player, side in zip(table.players, sides, strict=True):
        take_chair(child, replace(player, side=side, left=None))
    for seat, words in table.next_words:
        child.write(events.Worded(seat, words))
    start_if_full(child)
    return child


def _changed_sides(table: Table) -> tuple[str, tuple[str | None, ...]]:
    """Who begins the rematch, and the sides by seat of the old table."""
    sides = [player.side for player in table.players]
    # H20: a handicap stays with its giver.
    if ROLLS in table.game.rules.begins or table.game.rules.uneven(table.options):
        return table.begins, tuple(sides)
    if LOT not in table.game.rules.begins:
        return table.begins, tuple(sides[1:] + sides[:1])
    # N2: the loser of the last game begins; after a draw the other side. Where several
    # were placed last, the one whose turn came first after the beginner's.
    drawn = table.outcome is None or table.outcome.winner is None
    last = table.outcome.places[-1] if table.outcome and not drawn else range(len(sides))
    begins = sides[min(last, key=lambda seat: (seat - table.first - 1) % len(sides))] or LOT
    # A game that only the lot begins has no name for another beginner: the lot is drawn again.
    return begins if begins in table.game.rules.begins else LOT, tuple(sides)
