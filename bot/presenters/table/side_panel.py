"""The panel beside a board on the page: whose turn it is, the players, the last moves."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from bot.port import Button
from bot.presenters.button_codes import Action
from bot.presenters.table.composer import Composer
from bot.presenters.table.move_history import HistoryLine, history_line, known_entries
from bot.presenters.table.status import (
    ClockFace,
    clock_faces,
    first_move_line,
    time_lines,
    without_deal,
)
from bot.presenters.table.viewers import Viewer
from bot.session.table import CLOSED, ENDED, OPEN, PLAYING, Table
from bot.session.visibility import VisibleTable
from games.core import CHANCE, Phrase, Seat, Who, phrase
from games.core.move_parsing import spelled
from render.kit import Spot, painter
from render.kit.button_faces import thrown
from render.scene import Scene


@dataclass(frozen=True)
class MoveEnd:
    """The moves that end on one *cell* of the board, a button for each."""

    cell: str
    moves: tuple[Button, ...]


@dataclass(frozen=True)
class Motion:
    """The motion of the entry *number* on the picture, in parts of its width and height.

    *start* and *end* are left, top, width and height. *spins* says that chance moved the piece,
    and *face* names the picture of what it brought, where the picture shows it no more.
    """

    number: int
    start: tuple[float, float, float, float]
    end: tuple[float, float, float, float]
    spins: bool
    face: str = ""


@dataclass(frozen=True)
class SidePanel:
    """The panel beside a board; *mine* says that the viewer is to move or to answer an offer.

    *told* is the news, *count* the number of moves, *motions* are the last of them, *ends* those
    that go on from what is chosen, by cell. *watches* says that the viewer is a spectator.
    *clocks* are those of all people, and *timed* the lines of the board that repeat them.
    """

    mine: bool
    open: bool
    over: bool
    status: str
    company: str = ""
    told: tuple[HistoryLine, ...] = ()
    count: int = 0
    unknown: int = 0
    """How many entries of the log the viewer is not told of."""
    ends: tuple[MoveEnd, ...] = ()
    motions: tuple[Motion, ...] = ()
    watches: bool = False
    clocks: tuple[ClockFace, ...] = ()
    timed: tuple[str, ...] = ()
    due: str = ""
    """What the time means that runs in a seat, where it is not that of its clock."""
    result: str = ""
    """How a finished game went for the viewer: ``won``, ``lost``, ``drawn``, or nothing."""
    turning: str = ""
    """The move on which a finished game turned, in words."""
    warned: bool = False
    """Whether there is something that everybody should notice, such as check."""


def side_panel_of(
    table: Table, person: int | None, code: str, key: bytes, scene: Scene | None = None
) -> SidePanel:
    """The panel for *person* beside the *scene* of *table*, in the language *code*."""
    path = () if scene is None else scene.path
    seat = table.seat_of(person)
    composer = Composer(table, Viewer(seat, code, personal=True), key)
    composer = composer.laid_out() if table.status == OPEN else composer
    known = known_entries(composer.seen)
    sitting = (n for n, player in enumerate(table.players) if player.is_seated)
    others = tuple(Who(number) for number in sitting if number != seat)
    watches = seat is None and table.status != OPEN
    company = "web.watches" if watches else "web.with"
    return SidePanel(
        mine=any(table.players[actor].person == person for actor in table.actors())
        or any(seat is not None and seat not in offer.agreed for offer in table.offers),
        open=table.status == OPEN,
        over=table.status in (ENDED, CLOSED),
        status=composer.say(_status(table, seat)),
        company=composer.say(company, who=others) if others else "",
        told=tuple(
            history_line(composer, one, known) for one in without_deal(composer.seen.recent)
        ),
        count=len(known),
        unknown=len(table.log) - len(known),
        ends=_ends(composer, path),
        watches=watches,
        motions=_motions(composer, scene, known),
        clocks=clock_faces(composer),
        timed=time_lines(composer),
        due=first_move_line(composer),
        result=_result(table, seat),
        warned=table.status == PLAYING and bool(table.game.speech.notices(composer.seen.position)),
    )


def _result(table: Table, seat: Seat | None) -> str:
    if seat is None or table.outcome is None:
        return ""
    first = table.outcome.places[0]
    return "drawn" if len(first) > 1 else "won" if seat in first else "lost"


MOST_MOTIONS = 12
"""How many of the last entries are animated."""


def _motions(composer: Composer, scene: Scene | None, known: Sequence[int]) -> tuple[Motion, ...]:
    """The motions of the last moves on *scene*, which the viewer sees now."""
    if scene is None or scene.path:
        return ()
    recent = composer.seen.last(MOST_MOTIONS)
    painted, found = painter(composer.table.game.key), []
    # A motion that the viewer may not know is not shown.
    afterwards = [*(one.before for one in recent), composer.seen.position][1:]
    for one, after in zip(recent, afterwards, strict=True):
        cells = composer.table.game.menus.motion(one.before, one.move)
        # A die that has been used is blank in the picture.
        used = one.seat == CHANCE and one is not recent[-1]
        face = thrown(composer.table.game.key, one.move) if used else ""
        if cells is None or (used and not face):
            continue
        start, end = (
            next((c for c in painted.cells(replace(scene, seen=seen)) if c.step == cell), None)
            for seen, cell in zip((one.before, after), cells, strict=True)
        )
        if end is not None:
            spins = one.seat == CHANCE
            number = known.index(one.number)
            found.append(Motion(number, _box(start or end), _box(end), spins, face))
    return tuple(found)


def _box(spot: Spot) -> tuple[float, float, float, float]:
    return spot.x, spot.y, spot.w, spot.h


def _ends(composer: Composer, path: tuple[str, ...]) -> tuple[MoveEnd, ...]:
    """The moves that begin with *path*, by the cells on which they end."""
    table, seat = composer.table, composer.asked
    if seat is None or not path:
        return ()
    position = table.present
    found: dict[str, list[Button]] = {}
    for steps, move in spelled(table.game, position, position.legal_moves(seat)).items():
        end = table.game.menus.landing(position, move) if steps[: len(path)] == path else None
        if end is not None:
            cell, label = end
            button = Button(composer.say(label), composer.code(Action.MOVE, *steps), "move")
            found.setdefault(cell, []).append(button)
    return tuple(MoveEnd(cell, tuple(moves)) for cell, moves in found.items())


@dataclass(frozen=True)
class Pointed:
    """What a pointed cell means: the move as *typed* so far, and the question *asked*."""

    typed: str
    asked: str


def meaning_of_point(composer: Composer, path: tuple[str, ...], x: float, y: float) -> Pointed:
    """What the viewer means by pointing at *x*, *y*, parts of the picture, after *path*."""
    table = composer.table
    scene, seat = composer.board(path).scene, composer.asked
    if scene is None or seat is None:
        return Pointed("", "")
    menus, seen = table.game.menus, VisibleTable(table, seat).position
    at = _cell_at(scene, x, y)
    typed = "" if at is None else menus.pointed(seen, seat, scene.path, at.step)
    return Pointed(typed, composer.say(menus.question(seen, seat, scene.path)))


@dataclass(frozen=True)
class Planned:
    """What a viewer pointed at before their turn; the move is *typed* once it is complete."""

    cell: Spot
    step: str
    typed: str


def planned(composer: Composer, path: tuple[str, ...], x: float, y: float) -> Planned | None:
    """What the viewer chooses by pointing at *x*, *y* after *path*, before their turn."""
    table, seat = composer.table, composer.viewer.seat
    scene = composer.board().scene
    if scene is None or seat is None or seat in table.actors():
        return None
    cell = _cell_at(scene, x, y)
    if cell is None:
        return None
    plan = table.game.menus.planned(VisibleTable(table, seat).position, seat, path, cell.step)
    return None if plan is None else Planned(cell, plan.step, plan.typed)


def named_cells(composer: Composer, names: Collection[str]) -> tuple[Spot, ...]:
    """The places on the viewer's board that have one of *names*."""
    scene = composer.board().scene
    if scene is None or not names:
        return ()
    return tuple(cell for cell in painter(scene.game).cells(scene) if cell.step in names)


def _cell_at(scene: Scene, x: float, y: float) -> Spot | None:
    cells = painter(scene.game).cells(scene)
    return next((c for c in cells if c.x <= x < c.x + c.w and c.y <= y < c.y + c.h), None)


def _status(table: Table, seat: Seat | None) -> Phrase:
    actors = sorted(table.actors())
    if table.status == OPEN:
        return phrase("web.status.open")
    if table.status != PLAYING:
        return phrase("web.status.over")
    if seat in actors:
        return phrase("web.status.yours")
    return phrase("web.status.theirs", who=tuple(map(Who, actors)))
