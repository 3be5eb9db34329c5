"""The rematch, or next game of a match: who must agree to it, and who begins it. Pure."""

from __future__ import annotations

import hmac
from dataclasses import replace

from bot.session import play
from bot.session.events import Answered, Offered, OfferKind, Rematched, Worded
from bot.session.match import Match
from bot.session.table import CODE_LENGTH, CODE_LETTERS, ENDED, Table
from bot.session.time_controls import read_control
from bot.session.unit_of_work import Refused, UnitOfWork
from games.core import Seat, phrase
from games.core.game import LOT, ROLLS


def foreseen(table: Table, key: bytes) -> tuple[str, bytes]:
    """The code of the rematch of *table* and the secret of its draws.

    The house's *key* has fixed both, so that the seal can be shown before anybody chooses words.
    """

    def derived(what: str) -> bytes:
        return hmac.digest(key, f"{what}|{table.code}".encode(), "sha256")

    number = int.from_bytes(derived("rematch-code"))
    letters = (number // len(CODE_LETTERS) ** n % len(CODE_LETTERS) for n in range(CODE_LENGTH))
    return "".join(CODE_LETTERS[n] for n in letters), derived("rematch-secret")


def again(work: UnitOfWork, seat: Seat, code: str, secret: bytes) -> bool:
    """*seat* wants a rematch; true where it begins because everybody does.

    It is then opened as the table *code* by the unit's child, and *secret* makes its draws. Who
    began the last game does not begin this one: the sides change where a side begins by rule,
    the beginner where it was a lot (§ every table); a handicap stays with its giver.
    """
    table = work.table
    if table.status != ENDED:
        raise Refused(phrase("house.not-over"))
    if table.child is not None:
        raise Refused(phrase("house.rematch.exists", code=table.child))
    offer = table.offered(OfferKind.REMATCH)
    if offer is None:
        work.write(Offered(seat, OfferKind.REMATCH))
    elif seat in offer.agreed:
        raise Refused(phrase("house.already-offered"))
    else:
        work.write(Answered(seat, OfferKind.REMATCH, accepted=True))
    offer = work.table.offered(OfferKind.REMATCH)
    agreed = {table.players[one].person for one in (offer.agreed if offer is not None else ())}
    people = {player.person for player in table.players if player.person is not None}
    if not people <= agreed:
        return False
    work.child = _opened(work, table.players[seat].person or table.host, code, secret)
    work.write(Rematched(code))
    return True


def _opened(work: UnitOfWork, host: int, code: str, secret: bytes) -> UnitOfWork:
    table = work.table
    begins, sides = _changed_sides(table)
    child = play.open_table(
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
        match=_match(table),
    )
    for player, side in zip(table.players, sides, strict=True):
        play.take_chair(child, replace(player, side=side, left=None))
    for seat, words in table.next_words:
        child.write(Worded(seat, words))
    play.start_if_full(child)
    return child


def _match(table: Table) -> Match | None:
    """The match that the rematch of *table* belongs to: the same, or as long a new one (S4)."""
    match = table.match_now
    return Match(match.length) if match is not None and match.decided else match


def _changed_sides(table: Table) -> tuple[str, tuple[str | None, ...]]:
    """Who begins the rematch, and the sides by seat of the old table."""
    sides = [player.side for player in table.players]
    # H20: a handicap stays with its giver.
    if ROLLS in table.game.begins or table.game.uneven(table.options):
        return table.begins, tuple(sides)
    if LOT not in table.game.begins:
        return table.begins, tuple(sides[1:] + sides[:1])
    # N2: the loser of the last game begins; after a draw the other side. Where several
    # were placed last, the one whose turn came first after the beginner's.
    drawn = table.outcome is None or table.outcome.winner is None
    last = table.outcome.places[-1] if table.outcome and not drawn else range(len(sides))
    first = min(last, key=lambda seat: (seat - table.first - 1) % len(sides))
    begins = sides[first] or LOT
    # A game that only the lot begins has no name for another beginner: the lot is drawn again.
    return begins if begins in table.game.begins else LOT, tuple(sides)
