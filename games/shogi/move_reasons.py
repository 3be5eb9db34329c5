"""What a move of shogi is good for: a mate parried, a piece won or saved, a fork, a threat."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

from games.core import Arg, MoveReason, Phrase, Seat, phrase
from games.shogi.board import (
    SQUARES,
    TURN,
    Board,
    BoardMove,
    BoardPlay,
    Drop,
    after,
    captures,
    in_check,
    is_attacked,
    king_square,
    reckless_moves,
)
from games.shogi.computer.mates import mate_in_one
from games.shogi.off_board_acts import Play
from games.shogi.pieces import (
    BISHOP,
    DRAGON,
    GOLD,
    HORSE,
    KING,
    KNIGHT,
    LANCE,
    PAWN,
    PROMOTED,
    ROOK,
    SILVER,
    Kind,
    Square,
    kind_of,
    owner_of,
)
from games.shogi.rules import Shogi
from games.shogi.sfen import SQUARE_NAMES, the_kind
from games.shogi.speech import play_phrase

WORTH: dict[Kind, int] = {PAWN: 1, LANCE: 3, KNIGHT: 4, SILVER: 5, GOLD: 6, BISHOP: 8, ROOK: 10}
WORTH |= {kind + PROMOTED: WORTH[GOLD] for kind in (PAWN, LANCE, KNIGHT, SILVER)}
WORTH |= {HORSE: 10, DRAGON: 12, KING: 100}
"""What a piece counts where one is exchanged for another, in pawns, as books teach it."""

PIECE = WORTH[LANCE]
"""What is worth less is not saved or threatened: it would be said of every other move."""


@dataclass(frozen=True)
class _Played:
    """The *play* of *seat*, and the boards *before* and *then* after it."""

    before: Board
    then: Board
    seat: Seat
    play: BoardPlay

    @property
    def target(self) -> Square:
        return self.play.target

    @property
    def other(self) -> Seat:
        return 1 - self.seat

    @cached_property
    def safe(self) -> bool:
        """Whether nobody can take what has moved."""
        return not _takers(self.then, self.target)

    @cached_property
    def at_ease(self) -> bool:
        """Whether neither king is in check: only then may the other side be thought to move."""
        return not in_check(self.before, self.seat) and not in_check(self.then, self.other)


def reason(seen: Shogi, seat: Seat, play: Play) -> MoveReason | None:
    """The most telling thing that *play* of *seat*, whose turn it is, does."""
    if not isinstance(play, BoardMove | Drop) or seen.terms.king_capture:
        return None
    played = _Played(seen.board, after(seen.board, play), seat, play)
    return next((one for one in (find(played) for find in _FINDERS) if one is not None), None)


def _takers(board: Board, square: Square) -> list[BoardMove]:
    """The legal moves of whoever is to move on *board* that take on *square*."""
    return [one for one in captures(board) if isinstance(one, BoardMove) and one.target == square]


def _worth(board: Board, square: Square) -> int:
    return WORTH[kind_of(board[square])]


def _turned(board: Board, seat: Seat) -> Board:
    """*board* with *seat* to move."""
    other = bytearray(board)
    other[TURN] = seat
    return bytes(other)


def _hangs(board: Board, square: Square) -> bool:
    """Whether whoever is to move on *board* wins the piece on *square* by taking it."""
    takers = _takers(board, square)
    guarded = is_attacked(board, square, owner_of(board[square]))
    worth = _worth(board, square)
    return any(not guarded or _worth(board, one.start) < worth for one in takers)


def _at(board: Board, square: Square) -> Phrase:
    return phrase(
        "shogi.reason.at", piece=the_kind(kind_of(board[square])), square=SQUARE_NAMES[square]
    )


def _pieces(board: Board, seat: Seat, least: int = PIECE) -> Iterator[Square]:
    """Where the pieces of *seat* stand that are worth *least* and more, the best ones first."""
    own = [
        square
        for square in range(SQUARES)
        if board[square] and owner_of(board[square]) == seat
        if least <= _worth(board, square) < WORTH[KING]
    ]
    return iter(sorted(own, key=lambda square: -_worth(board, square)))


def _about(key: str, square: Square, **more: Arg) -> MoveReason:
    """The reason *key* about what is on *square*, with *more* arguments."""
    return MoveReason(phrase(f"shogi.reason.{key}", **more), (SQUARE_NAMES[square],))


def _parry_reason(played: _Played) -> MoveReason | None:
    """A mate in one of the other side that is none any more."""
    if not played.at_ease:
        return None
    mate = mate_in_one(_turned(played.before, played.other))
    if mate is None or mate_in_one(played.then) is not None:
        return None
    return _about("parries", mate.target, play=play_phrase(played.before, mate))


def _capture_reason(played: _Played) -> MoveReason | None:
    """A piece taken: for nothing, for a lesser one, or for another."""
    board, target = played.before, played.target
    if not isinstance(played.play, BoardMove) or not board[target]:
        return None
    if played.safe:
        return _about("free", target, piece=_at(board, target))
    if _worth(board, target) <= _worth(board, start := played.play.start):
        return _about("takes", target, piece=_at(board, target))
    return _about("gains", target, piece=_at(board, target), own=the_kind(kind_of(board[start])))


def _mate_threatened(played: _Played) -> MoveReason | None:
    """A mate in one that comes unless something is done."""
    mate = mate_in_one(_turned(played.then, played.seat)) if played.at_ease else None
    if mate is None:
        return None
    return _about("mates-next", mate.target, play=play_phrase(played.then, mate))


def _fork_reason(played: _Played) -> MoveReason | None:
    """Two pieces attacked at once by one that cannot be taken."""
    if not played.safe:
        return None
    mover, mine = _worth(played.then, played.target), _turned(played.then, played.seat)
    hit = []
    for square in _targets(mine, played.target):
        loose = not is_attacked(played.then, square, played.other)
        if _worth(mine, square) >= PIECE and (loose or _worth(mine, square) > mover):
            hit.append(square)
    if len(hit) < 2:
        return None
    one, two = sorted(hit, key=lambda square: -_worth(mine, square))[:2]
    words = phrase("shogi.reason.forks", one=_at(mine, one), two=_at(mine, two))
    return MoveReason(words, (SQUARE_NAMES[one], SQUARE_NAMES[two]))


def _targets(board: Board, start: Square) -> list[Square]:
    """The squares of enemy pieces, king included, that the piece on *start* attacks."""
    plays = reckless_moves(board)
    hit = [one.target for one in plays if isinstance(one, BoardMove) and one.start == start]
    return [square for square in dict.fromkeys(hit) if board[square]]


def _rescue_reason(played: _Played) -> MoveReason | None:
    """The best piece that was about to be lost and is no longer."""
    if not played.at_ease:
        return None
    theirs = _turned(played.before, played.other)
    moved = played.play.start if isinstance(played.play, BoardMove) else None
    for square in _pieces(played.before, played.seat):
        if not _hangs(theirs, square):
            continue
        now = played.target if square == moved else square
        if not (_takers(played.then, now) if square == moved else _hangs(played.then, now)):
            return _about("saves", square, piece=_at(played.before, square))
    return None


def _threat_reason(played: _Played) -> MoveReason | None:
    """The best piece that may be taken next, and could not be before."""
    if not played.at_ease or not played.safe:
        return None
    mine, was = _turned(played.then, played.seat), played.before
    for square in _pieces(mine, played.other):
        if _hangs(mine, square) and not _takers(was, square):
            return _about("threatens", square, piece=_at(mine, square))
    return None


def _check_reason(played: _Played) -> MoveReason | None:
    """A check, or a promotion."""
    play, target = played.play, played.target
    if in_check(played.then, played.other):
        return _about("checks", king_square(played.then, played.other))
    if isinstance(play, BoardMove) and play.promotes:
        return _about("promotes", target, piece=the_kind(kind_of(played.before[play.start])))
    return None


def _reach_reason(played: _Played) -> MoveReason | None:
    """The best piece that is attacked or guarded and was not, be it a pawn."""
    before, then, seat = played.before, played.then, played.seat
    for key, owner in (("attacks", played.other), ("guards", seat)):
        for square in _pieces(then, owner, WORTH[PAWN]):
            new = is_attacked(then, square, seat) and not is_attacked(before, square, seat)
            if new and square != played.target and (played.safe or owner == seat):
                return _about(key, square, piece=_at(then, square))
    return None


def _room_reason(played: _Played) -> MoveReason | None:
    """More room for the own pieces."""
    moves = _room(played.then, played.seat)
    more = moves > _room(played.before, played.seat)
    return _about("frees", played.target, n=moves) if more else None


def _room(board: Board, seat: Seat) -> int:
    """How many moves on the board *seat* has, checks apart."""
    plays = reckless_moves(_turned(board, seat))
    return len({(one.start, one.target) for one in plays if isinstance(one, BoardMove)})


_FINDERS: tuple[Callable[[_Played], MoveReason | None], ...] = (
    _parry_reason,
    _capture_reason,
    _mate_threatened,
    _fork_reason,
    _rescue_reason,
    _threat_reason,
    _check_reason,
    _reach_reason,
    _room_reason,
)
"""What is looked for, the most telling first."""
