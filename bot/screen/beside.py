"""What a page with room for it shows beside a board: whose turn, with whom, the last moves."""

from __future__ import annotations

from dataclasses import dataclass

from bot.port import Button
from bot.screen.buttons import Act
from bot.screen.composer import Composer
from bot.screen.happened import played
from bot.screen.history import Happened, happened
from bot.screen.viewers import Viewer
from bot.table.sight import Seen
from bot.table.table import CLOSED, ENDED, OPEN, PLAYING, Table
from games.core import Phrase, Seat, Who, phrase
from games.core.picker import spelled
from render.kit import painter


@dataclass(frozen=True)
class End:
    """The moves that end on one *cell* of the board, a button for each."""

    cell: str
    moves: tuple[Button, ...]


@dataclass(frozen=True)
class Beside:
    """What stands beside a board: *mine* says that the viewer is to move, or to answer an offer.

    *told* is what is news to the viewer, *count* how many moves there were in all. *ends* are
    the moves that go on from what is chosen, where they are told by the cell on which they end.
    """

    mine: bool
    open: bool
    over: bool
    status: str
    company: str = ""
    told: tuple[Happened, ...] = ()
    count: int = 0
    ends: tuple[End, ...] = ()


def beside(table: Table, person: int, code: str, key: bytes, path: tuple[str, ...] = ()) -> Beside:
    """What stands beside the board of *table* on the page of *person*, who reads *code*.

    *path* is what he has chosen so far.
    """
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
        ends=_ends(composer, path) if path and seat in table.actors() else (),
    )


def _ends(composer: Composer, path: tuple[str, ...]) -> tuple[End, ...]:
    """The moves that begin with *path*, by the cells on which they end."""
    table, seat = composer.table, composer.asked()
    if seat is None:
        return ()
    position = table.present
    found: dict[str, list[Button]] = {}
    for steps, move in spelled(table.game, position, position.legal_moves(seat)).items():
        end = table.game.menus.landing(position, move) if steps[: len(path)] == path else None
        if end is not None:
            cell, label = end
            button = Button(composer.say(label), composer.code(Act.MOVE, *steps), "move")
            found.setdefault(cell, []).append(button)
    return tuple(End(cell, tuple(moves)) for cell, moves in found.items())


@dataclass(frozen=True)
class Pointed:
    """What somebody means who points at his board: a move as it is *typed*, if he has said enough.

    *asked* is what he is asked at present.
    """

    typed: str
    asked: str


def pointed(composer: Composer, path: tuple[str, ...], x: float, y: float) -> Pointed:
    """What the viewer means who has chosen *path* and points at *x*, *y*, parts of the picture."""
    table = composer.table
    scene, seat = composer.board(path).scene, composer.asked()
    if scene is None or seat is None:
        return Pointed("", "")
    menus, seen = table.game.menus, Seen(table, seat).position
    at = next(
        (
            cell.step
            for cell in painter(table.game.key).cells(scene)
            if cell.x <= x < cell.x + cell.w and cell.y <= y < cell.y + cell.h
        ),
        None,
    )
    typed = "" if at is None else menus.pointed(seen, seat, scene.path, at)
    return Pointed(typed, composer.say(menus.question(seen, seat, scene.path)))


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
    return tuple(happened(composer, told) for told in played(composer.seen.recent))
