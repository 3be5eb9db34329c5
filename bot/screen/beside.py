"""What a page with room for it shows beside a board: whose turn, with whom, the last moves."""

from __future__ import annotations

from dataclasses import dataclass

from bot.screen.composer import Composer
from bot.screen.happened import played
from bot.screen.viewers import Viewer
from bot.table.table import CLOSED, ENDED, OPEN, PLAYING, Table
from games.core import CHANCE, Phrase, Seat, Who, phrase, verbatim


@dataclass(frozen=True)
class Happened:
    """The move *number* of the log in words, *who* made it, and how players write it."""

    number: int
    who: str
    text: str
    note: str


@dataclass(frozen=True)
class Beside:
    """What stands beside a board: *mine* says that the viewer is to move, or to answer an offer.

    *told* is what is news to the viewer, *count* how many moves there were in all.
    """

    mine: bool
    open: bool
    over: bool
    status: str
    company: str = ""
    told: tuple[Happened, ...] = ()
    count: int = 0


def beside(table: Table, person: int, code: str, key: bytes) -> Beside:
    """What stands beside the board of *table* on the page of *person*, who reads *code*."""
    seat = table.seat_of(person)
    composer = Composer(table, Viewer(seat, code, personal=True), key)
    others = tuple(
        Who(number)
        for number, player in enumerate(table.players)
        if number != seat and player.seated
    )
    return Beside(
        mine=any(table.players[actor].person == person for actor in table.actors())
        or any(seat is not None and seat not in offer.agreed for offer in table.offers),
        open=table.status == OPEN,
        over=table.status in (ENDED, CLOSED),
        status=composer.say(_status(table, seat)),
        company=composer.say(phrase("web.with", who=others)) if others else "",
        told=_told(composer),
        count=len(table.log),
    )


def _status(table: Table, seat: Seat | None) -> Phrase:
    actors = sorted(table.actors())
    if table.status == OPEN:
        return phrase("web.status.open")
    if table.status != PLAYING:
        return phrase("web.status.over")
    if seat in actors:
        return phrase("web.status.yours")
    return phrase("web.status.theirs", who=tuple(map(Who, actors)))


def _told(composer: Composer) -> tuple[Happened, ...]:
    """What is news to the viewer, numbered in the log."""
    happened = []
    for told in played(composer.seen.recent):
        who: Phrase = verbatim("")
        if told.seat != CHANCE:
            who = phrase("web.who", who=Who(told.seat))
        happened.append(
            Happened(
                told.number,
                composer.say(who),
                composer.spoken(told),
                composer.table.game.notation.written(told.before, told.move),
            )
        )
    return tuple(happened)
