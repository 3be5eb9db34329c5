"""Buttons: sat and piece; or sat, how many and which way, and what falls where.

More counts and ways than a menu holds are asked one after the other, more drops sat by sat.
"""

from __future__ import annotations

from itertools import accumulate

from games.cirya import speech
from games.cirya.board import EMPTY, Board, count_drops
from games.cirya.move_types import WAYS, Back, Call, Cede, Judged, Kind, Move, Place, Said, Shift
from games.cirya.rules import Cirya
from games.core import Grid, Menus, Phrase, PlannedMove, Seat, Steps, phrase, verbatim

BACK, CEDE = "back", "cede"
WIDEST = 31
"""The most characters of a preview in signs; a longer one gives figures."""
MENU_LIMIT = 24
"""The most drops, or counts and ways, that are asked in one question."""


def steps(position: Cirya, move: Move) -> Steps:
    """Sat and piece; or sat, how many and which way, and what falls where."""
    board = position.board
    match move:
        case Place(sat, kind):
            return (board.shape.names[sat], str(kind))
        case Shift(sat, way, drops):
            count = sum(drops)
            lift = (f"{count}{way}",) if _is_folded(board, sat) else (str(count), way)
            falls = tuple(map(str, drops))
            if _in_one(board, sat, way, count):
                falls = ("-".join(falls) if count > 9 else "".join(falls),)
            return (board.shape.names[sat], *lift, *falls)
        case Call(_, said):
            return (speech.SAYINGS[said],)
        case Judged(verdict):
            return (verdict,)
        case Back():
            return (BACK,)
        case Cede():
            return (CEDE,)


def _is_folded(board: Board, sat: int) -> bool:
    """Whether counts and ways of *sat* fit in one menu."""
    ways = sum(1 for way in WAYS if board.run(sat, way).reach)
    crushes = sum(1 for way in WAYS if board.crushes(sat, board.run(sat, way)))
    return board.carried(sat) * ways + crushes <= MENU_LIMIT


def _in_one(board: Board, sat: int, way: str, count: int) -> bool:
    """Whether all the drops of *count* pieces fit in one menu."""
    run = board.run(sat, way)
    return count_drops(count, run.reach, board.crushes(sat, run)) <= MENU_LIMIT


def label(position: Cirya, _seat: Seat, path: Steps, step: str) -> Phrase:
    """What the button says that continues *path* with *step*."""
    if step in (*speech.SAYINGS.values(), BACK, CEDE):
        return phrase(f"cirya.say.{step}")
    board = position.board
    if not path:
        return _sat(board, step)
    sat = board.shape.names.index(path[0])
    if board.nosse[sat] == EMPTY:
        return speech.placed_piece(position, Kind(step))
    if len(path) == 1:
        return _lift(board, sat, step)
    if step in WAYS:
        return _lift(board, sat, path[1] + step)
    count, way, fallen = _parse_lift(path[1:])
    if _in_one(board, sat, way, count):
        return _drops(board, sat, way, _falls(step, count))
    return phrase("cirya.label.stay", n=int(step), sat=_along(board, sat, way, len(fallen)))


def question(position: Cirya, _seat: Seat, path: Steps) -> Phrase:
    """What the mover is asked after *path*."""
    board = position.board
    if not path:
        return phrase("cirya.ask.swapped") if position.swapping else phrase("cirya.ask.sat")
    name, *rest = path
    sat = board.shape.names.index(name)
    if board.nosse[sat] == EMPTY:
        kinds = "piece" if board.hallaciryar[board.mover] else "ship"
        return phrase(f"cirya.ask.{kinds}", sat=name)
    if not rest:
        return phrase("cirya.ask.lift", sat=name, pieces=speech.nosse(board, sat))
    if rest[-1].isdigit() and len(rest) == 1:
        hand = speech.top_pieces(board, sat, int(rest[0]))
        return phrase("cirya.ask.way", pieces=hand)
    count, way, fallen = _parse_lift(path[1:])
    hand = speech.top_pieces(board, sat, count, sum(fallen))
    if _in_one(board, sat, way, count):
        return phrase("cirya.ask.drops", pieces=hand, way=speech.towards(way))
    return phrase("cirya.ask.stay", pieces=hand, sat=_along(board, sat, way, len(fallen)))


def _parse_lift(rest: Steps) -> tuple[int, str, tuple[int, ...]]:
    """How many, which way and what has fallen, from the steps after the sat."""
    if rest[0][-1] in WAYS:
        return int(rest[0][:-1]), rest[0][-1], tuple(map(int, rest[1:]))
    return int(rest[0]), rest[1], tuple(map(int, rest[2:]))


def _falls(step: str, count: int) -> tuple[int, ...]:
    return tuple(map(int, step.split("-") if count > 9 else step))


def _along(board: Board, sat: int, way: str, passed: int) -> str:
    """The name of the sat on the way from *sat* after *passed* sati."""
    return board.shape.names[board.shape.rays[way][sat][passed]]


def _sat(board: Board, name: str) -> Phrase:
    sat = board.shape.names.index(name)
    if board.nosse[sat] == EMPTY:
        return phrase("cirya.label.empty", sat=name)
    if board.height(sat) == 1:
        return phrase(f"cirya.label.lone.{board.kind(sat).name.lower()}", sat=name)
    return phrase(
        f"cirya.label.nosse.{board.kind(sat).name.lower()}", sat=name, n=board.height(sat)
    )


def _lift(board: Board, sat: int, step: str) -> Phrase:
    """What a button of counts, or of counts and ways, says."""
    if step.isdigit():
        return phrase("cirya.label.lift", n=int(step))
    count, way = int(step[:-1]), step[-1]
    run = board.run(sat, way)
    crush = board.crushes(sat, run)
    if count_drops(count, run.reach, crush) == 1:
        # The only drop follows by itself: its consequence is said here.
        return _drops(board, sat, way, (count,), towards=True)
    if crush and count > run.reach:
        stop = board.shape.names[run.stop]
        return phrase("cirya.label.lift-crush", n=count, way=speech.towards(way), sat=stop)
    last = _along(board, sat, way, min(run.reach, count) - 1)
    return phrase("cirya.label.lift-way", n=count, way=speech.towards(way), sat=last)


def _drops(
    board: Board, sat: int, way: str, drops: tuple[int, ...], towards: bool = False
) -> Phrase:
    """What would lie where, in signs: sat and pieces from the bottom to the top."""
    signs = speech.signs(board, sat, sum(drops))
    ends = list(accumulate(drops))
    ray = board.shape.rays[way][sat]
    sati = [board.shape.names[there] for there in ray[: len(drops)]]
    fallen = [signs[end - drop : end] for drop, end in zip(drops, ends, strict=True)]
    told = ", ".join(f"{name} {part}" for name, part in zip(sati, fallen, strict=True))
    if len(told) > WIDEST:
        told = ", ".join(f"{name} {drop}" for name, drop in zip(sati, drops, strict=True))
    if board.tampar >> ray[len(drops) - 1] & 1:
        return phrase("cirya.label.crush", drops=told)
    if towards:
        return phrase("cirya.label.only", n=sum(drops), way=speech.towards(way), drops=told)
    return verbatim(told)


def grid(position: Cirya) -> Grid:
    """The sati as the board shows them."""
    names, size = position.board.shape.names, position.board.shape.size
    return tuple(names[row : row + size] for row in range(0, size * size, size))


def landing(position: Cirya, move: Move) -> tuple[str, Phrase] | None:
    """The sat where a nossë that moves comes to its end, and what lies where then."""
    if not isinstance(move, Shift):
        return None
    board, sat, way = position.board, move.sat, move.way
    return _along(board, sat, way, len(move.drops) - 1), _drops(board, sat, way, move.drops)


def motion(position: Cirya, move: Move) -> tuple[str, str] | None:
    """Where a piece is placed, or the way that a nossë goes."""
    names = position.board.shape.names
    match move:
        case Place(sat):
            return names[sat], names[sat]
        case Shift(sat):
            return names[sat], _along(position.board, sat, move.way, len(move.drops) - 1)
    return None


def pointed(position: Cirya, _seat: Seat, path: Steps, cell: str) -> str:
    """A piece to be placed on *cell*, a nossë that leaves it, or the way there from *path*."""
    board = position.board
    names = board.shape.names
    there = names.index(cell)
    if not path or path[0] not in names:
        if board.nosse[there] == EMPTY:
            return cell
        return cell + next(way for way in WAYS if board.shape.rays[way][there])
    here = names.index(path[0])
    ways = [way for way in WAYS if there in board.shape.rays[way][here]]
    return f"{path[0]}{ways[0]}" if ways else ""


def planned(position: Cirya, _seat: Seat, _path: Steps, cell: str) -> PlannedMove | None:
    """A piece on a sat that is empty: what a nossë may do nobody knows before."""
    there = position.board.shape.names.index(cell)
    return PlannedMove(cell, cell) if position.board.nosse[there] == EMPTY else None


def timely(position: Cirya, seat: Seat, move: Move) -> bool:
    """Whether a word of *seat* may be true once their coming ply is made."""
    said = move.said if isinstance(move, Call) else Said.NOTHING
    return said is Said.NOTHING or speech.may_near(position.board, seat)


MENUS = Menus(
    steps,
    label=label,
    question=question,
    grid=grid,
    apart=(BACK, CEDE),
    landing=landing,
    motion=motion,
    planned=planned,
    pointed=pointed,
    timely=timely,
)
