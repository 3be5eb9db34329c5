"""The fast half of the rules: a board in 97 bytes and its legal moves.

A board is 81 squares and the two hands, judged with tables made once from ``pieces``. A slow
generator in the tests, which shares nothing with this one, holds it to the rule book.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import compress
from typing import Final, TypeAlias

from games.shogi.pieces import (
    AROUND,
    IN_HAND,
    KINDS,
    KING,
    KNIGHT,
    PAWN,
    PROMOTED,
    SENTE,
    SLIDES,
    STEPS,
    Kind,
    Square,
    has_future,
    line,
    may_promote,
    piece_of,
    stepped,
    turned,
)

Board: TypeAlias = bytes
"""The pieces on the 81 squares, then eight counts of each seat's hand, by kind.

There is no kind 0: its count in sente's hand is the seat to move (``TURN``).
"""

SQUARES: Final = 81
TURN: Final = SQUARES
HANDS: Final = (SQUARES, SQUARES + 8)
"""Where each seat's hand begins: *kind* in hand is counted at ``HANDS[seat] + kind``."""

EVERYWHERE: Final = (1 << SQUARES) - 1


@dataclass(frozen=True, slots=True)
class BoardMove:
    """A piece goes from *start* to *target*, and turns over where it *promotes*."""

    start: Square
    target: Square
    promotes: bool

    def __reduce__(self) -> tuple[object, tuple[Square, Square, bool]]:
        return BoardMove, (
            self.start,
            self.target,
            self.promotes,
        )  # the compiled one has no other way


@dataclass(frozen=True, slots=True)
class Drop:
    """A piece of *kind* comes from the hand to *target*, unpromoted (H7)."""

    kind: Kind
    target: Square

    def __reduce__(self) -> tuple[object, tuple[Kind, Square]]:
        return Drop, (self.kind, self.target)


BoardPlay: TypeAlias = BoardMove | Drop
Reach: TypeAlias = tuple[tuple[Square, tuple[BoardMove, ...]], ...]

_SIDES = tuple((kind, seat) for kind in KINDS for seat in (0, 1))


def _choices(kind: Kind, seat: int, start: Square, target: Square) -> tuple[BoardMove, ...]:
    """The moves of a piece from *start* to *target*: promoting, plain, or both (H5, H6)."""
    plain, promoting = BoardMove(start, target, False), BoardMove(start, target, True)
    if not may_promote(kind, seat, start, target):
        return (plain,)
    return (promoting, plain) if has_future(kind, seat, target) else (promoting,)


def _steps(kind: Kind, seat: int) -> tuple[Reach, ...]:
    def reach(start: Square) -> Iterator[tuple[Square, tuple[BoardMove, ...]]]:
        for way in STEPS[kind]:
            target = stepped(start, turned(way, seat))
            if target is not None:
                yield target, _choices(kind, seat, start, target)

    return tuple(tuple(reach(start)) for start in range(SQUARES))


def _rays(kind: Kind, seat: int) -> tuple[tuple[Reach, ...], ...]:
    def rays(start: Square) -> Iterator[Reach]:
        for way in SLIDES.get(kind, ()):
            ray = line(start, turned(way, seat))
            if ray:
                yield tuple((target, _choices(kind, seat, start, target)) for target in ray)

    return tuple(tuple(rays(start)) for start in range(SQUARES))


_STEPS: Final[list[tuple[Reach, ...]]] = [()] * 32
_RAYS: Final[list[tuple[tuple[Reach, ...], ...]]] = [()] * 32
for _kind, _seat in _SIDES:
    _STEPS[piece_of(_kind, _seat)] = _steps(_kind, _seat)
    _RAYS[piece_of(_kind, _seat)] = _rays(_kind, _seat)

_OWN: Final = tuple(tuple(code != 0 and code >> 4 == seat for code in range(32)) for seat in (0, 1))
_SQUARES: Final = range(SQUARES)
_MINE: Final = tuple(bytes(code < 32 and own[code] for code in range(256)) for own in _OWN)
_FREE: Final = bytes(not code for code in range(256))
_KINGS: Final = (piece_of(KING, 0), piece_of(KING, 1))
_PAWNS: Final = tuple(bytes(code == piece_of(PAWN, seat) for code in range(256)) for seat in (0, 1))

# H8: no drop where the piece could never move.
_DROPS: Final = tuple(
    {
        kind: tuple(
            Drop(kind, square) if has_future(kind, seat, square) else None
            for square in range(SQUARES)
        )
        for kind in IN_HAND
    }
    for seat in (0, 1)
)


def _hits(way: tuple[int, int], by: int) -> bytes:
    """By piece, how one of *by* along *way* attacks a square: 1 beside it, 3 from afar, 0 not."""
    back = (-way[0], -way[1])
    found = bytearray(32)
    for kind in KINDS:
        if back in {turned(one, by) for one in STEPS[kind]}:
            found[piece_of(kind, by)] = 1
        if back in {turned(one, by) for one in SLIDES.get(kind, ())}:
            found[piece_of(kind, by)] = 3
    return bytes(found)


_HITS = {(way, by): _hits(way, by) for way in AROUND for by in (0, 1)}
_LINES: Final = tuple(
    tuple(
        tuple((line(square, way), _HITS[way, by]) for way in AROUND if line(square, way))
        for square in range(SQUARES)
    )
    for by in (0, 1)
)
"""By attacker and square: each line that leaves the square, and what hits along it."""


def _jumped_from(square: Square, by: int) -> tuple[Square, ...]:
    """Whence a knight of *by* jumps to *square*."""
    ways = [turned(way, by) for way in STEPS[KNIGHT]]
    return tuple(one for one in range(SQUARES) if square in [stepped(one, way) for way in ways])


_JUMPED_FROM: Final = [[_jumped_from(square, by) for square in range(SQUARES)] for by in (0, 1)]
_KNIGHTS: Final = (piece_of(KNIGHT, 0), piece_of(KNIGHT, 1))


def is_attacked(board: Board, square: Square, by: int) -> bool:
    """Whether a piece of seat *by* could capture on *square*."""
    for squares, hits in _LINES[by][square]:
        reach = 1
        for there in squares:
            piece = board[there]
            if piece:
                if hits[piece] & reach:
                    return True
                break
            reach = 2
    for start in _JUMPED_FROM[by][square]:  # noqa: SIM110 (twice as fast as any())
        if board[start] == _KNIGHTS[by]:
            return True
    return False


def king_square(board: Board, seat: int) -> Square:
    """Where the king of *seat* stands, or -1 where it has none (mate problems)."""
    return board.find(_KINGS[seat], 0, SQUARES)


def in_check(board: Board, seat: int) -> bool:
    """Whether the king of *seat* is attacked."""
    king = king_square(board, seat)
    return king >= 0 and is_attacked(board, king, 1 - seat)


def _guard(board: Board, seat: int, king: Square) -> tuple[int, dict[Square, int]]:
    """Where a move that is not the king's must end, and where pinned pieces may go.

    Sets of squares are masks, square 0 in the lowest bit. The first is ``EVERYWHERE`` without
    check, the way to the checker under one check, and 0 under two.
    """
    refuge = EVERYWHERE
    pins: dict[Square, int] = {}
    own = _OWN[seat]
    for squares, hits in _LINES[1 - seat][king]:
        shield = -1
        passed = 0
        reach = 1
        for there in squares:
            passed |= 1 << there
            piece = board[there]
            if piece:
                if own[piece]:
                    if shield >= 0:
                        break
                    shield = there
                else:
                    if hits[piece] & reach:
                        if shield < 0:
                            refuge &= passed
                        else:
                            pins[shield] = passed
                    break
            reach = 2
    knight = _KNIGHTS[1 - seat]
    for start in _JUMPED_FROM[1 - seat][king]:
        if board[start] == knight:
            refuge &= 1 << start
    return refuge, pins


def moves(board: Board) -> list[BoardPlay]:
    """The legal moves of the seat to move (H3 to H9): by square from 9a, then drops."""
    seat = board[TURN]
    king = king_square(board, seat)
    refuge, pins = _guard(board, seat, king) if king >= 0 else (EVERYWHERE, {})
    return _moves(board, refuge, pins, king)


def reckless_moves(board: Board) -> list[BoardPlay]:
    """The moves where a king may be left to be taken (H9, ``king_capture=yes``)."""
    return _moves(board, EVERYWHERE, {}, -1)


def captures(board: Board) -> list[BoardPlay]:
    """The legal moves that take a piece, for a search that follows exchanges."""
    seat = board[TURN]
    other = _OWN[1 - seat]
    king = king_square(board, seat)
    refuge, pins = _guard(board, seat, king) if king >= 0 else (EVERYWHERE, {})
    found: list[BoardPlay] = []
    for start in compress(_SQUARES, board.translate(_MINE[seat])):
        piece = board[start]
        if start == king:
            steps: list[BoardPlay] = []
            _add_king_moves(board, king, steps)
            found += [step for step in steps if board[step.target]]
            continue
        allowed = pins[start] & refuge if start in pins else refuge
        for target, choices in _STEPS[piece][start]:
            if other[board[target]] and allowed >> target & 1:
                found += choices
        for ray in _RAYS[piece][start]:
            for target, choices in ray:
                if board[target]:
                    if other[board[target]] and allowed >> target & 1:
                        found += choices
                    break
    return found


def _moves(board: Board, refuge: int, pins: dict[Square, int], king: Square) -> list[BoardPlay]:
    """Moves that end in *refuge* and obey *pins*; the piece on *king* must find safety."""
    seat = board[TURN]
    own = _OWN[seat]
    free = refuge == EVERYWHERE
    found: list[BoardPlay] = []
    for start in compress(_SQUARES, board.translate(_MINE[seat])):
        piece = board[start]
        if start == king:
            _add_king_moves(board, king, found)
        elif free and start not in pins:
            for target, choices in _STEPS[piece][start]:
                if not own[board[target]]:
                    found += choices
            for ray in _RAYS[piece][start]:
                _add_slides(board, ray, found)
        elif refuge:
            _add_bound_moves(board, start, pins.get(start, EVERYWHERE) & refuge, found)
    if refuge:
        _add_drops(board, refuge, found)
    return found


def _add_slides(board: Board, ray: Reach, found: list[BoardPlay]) -> None:
    """H3: a slider goes on until an own piece stops it or it takes an enemy one."""
    for target, choices in ray:
        there = board[target]
        if there:
            if not _OWN[board[TURN]][there]:
                found += choices
            return
        found += choices


def _add_bound_moves(board: Board, start: Square, allowed: int, found: list[BoardPlay]) -> None:
    """Moves of a piece that must shield its king or answer a check."""
    own = _OWN[board[TURN]]
    for target, choices in _STEPS[board[start]][start]:
        if allowed >> target & 1 and not own[board[target]]:
            found += choices
    for ray in _RAYS[board[start]][start]:
        for target, choices in ray:
            there = board[target]
            if there and own[there]:
                break
            if allowed >> target & 1:
                found += choices
            if there:
                break


def _add_king_moves(board: Board, king: Square, found: list[BoardPlay]) -> None:
    """H9: the king goes where nothing attacks it, seen without the king in between."""
    seat = board[TURN]
    own = _OWN[seat]
    vacated = board[:king] + b"\0" + board[king + 1 :]
    for target, choices in _STEPS[board[king]][king]:
        if not own[board[target]] and not is_attacked(vacated, target, 1 - seat):
            found += choices


def _add_drops(board: Board, refuge: int, found: list[BoardPlay]) -> None:
    """H7, H8: every kind in hand on every empty square of *refuge* where it may be."""
    seat = board[TURN]
    held = [kind for kind in IN_HAND if board[HANDS[seat] + kind]]
    if not held:
        return
    empty = [*compress(_SQUARES, board.translate(_FREE))]
    if refuge != EVERYWHERE:
        empty = [square for square in empty if refuge >> square & 1]
    for kind in held:
        drops = _DROPS[seat][kind]
        if kind == PAWN:
            # H8: those of *empty* where a dropped pawn is no second one (nifu) and does not mate.
            taken = {square % 9 for square in compress(_SQUARES, board.translate(_PAWNS[seat]))}
            allowed = [square for square in empty if square % 9 not in taken]
            mating = _mating_pawn(board, allowed)
            empty = [square for square in allowed if square != mating] if mating >= 0 else allowed
        found += [drop for square in empty if (drop := drops[square])]


def _mating_pawn(board: Board, squares: list[Square]) -> Square:
    """H8, uchifuzume: the one of *squares* where a dropped pawn would mate, or -1."""
    seat = board[TURN]
    king = king_square(board, 1 - seat)
    front = king + 9 if seat == SENTE else king - 9
    vacated = board[:king] + b"\0" + board[king + 1 :]
    if king < 0 or front not in squares or not is_attacked(vacated, front, seat):
        return -1  # the king takes what nothing guards
    return -1 if has_answer(after(board, Drop(PAWN, front))) else front


def has_answer(board: Board) -> bool:
    """Whether the seat to move has a move, or could take a king left to be taken."""
    other = king_square(board, 1 - board[TURN])
    return bool(moves(board)) or (other >= 0 and is_attacked(board, other, board[TURN]))


def after(board: Board, move: BoardPlay) -> Board:
    """The board after *move*: H3, the captured piece changes owner and loses its promotion."""
    changed = bytearray(board)
    seat = changed[TURN]
    changed[TURN] = 1 - seat
    target = move.target
    if isinstance(move, BoardMove):
        taken = changed[target] & 7
        if taken:
            changed[HANDS[seat] + taken] += 1
        piece = changed[move.start]
        changed[move.start] = 0
        changed[target] = piece + PROMOTED if move.promotes else piece
    else:
        changed[HANDS[seat] + move.kind] -= 1
        changed[target] = piece_of(move.kind, seat)
    return bytes(changed)
