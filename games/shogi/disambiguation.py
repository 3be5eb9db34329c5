"""The Japanese words that tell apart pieces that could play the same move.

The way comes first (上 or 行 forwards, 寄 sideways, 引 backwards, 直 straight on), then the side
(左, 右), both as the player sees them: the federation's notation in short.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from games.shogi.board import BoardMove, reckless_moves
from games.shogi.pieces import BISHOP, DRAGON, HORSE, ROOK, SENTE, Kind, Square, kind_of
from games.shogi.rules import Shogi

FORWARD = "上行入"
"""Three ways to say forwards: in general, of rooks and bishops, and an old one."""

WORDS = f"{FORWARD}寄引直左右"


def _advance(play: BoardMove, seat: int) -> int:
    ranks = play.start // 9 - play.target // 9
    return ranks if seat == SENTE else -ranks


def _column(play: BoardMove, seat: int) -> int:
    return play.start % 9 if seat == SENTE else 8 - play.start % 9


def _goes(play: BoardMove, word: str, seat: int) -> bool:
    advance = _advance(play, seat)
    match word:
        case "寄":
            return advance == 0
        case "引":
            return advance < 0
        case "直":
            return advance > 0 and play.start % 9 == play.target % 9
        case _:
            return advance > 0


def in_manner(plays: Sequence[BoardMove], words: str, seat: int) -> list[BoardMove]:
    """Those of *plays*, all to one square, that *words* describe; the side counts last."""
    ways = [word for word in words if word not in "左右"]
    left = [play for play in plays if all(_goes(play, way, seat) for way in ways)]
    for word, extreme in (("左", min), ("右", max)):
        if word in words and left:
            edge = extreme(_column(play, seat) for play in left)
            left = [play for play in left if _column(play, seat) == edge]
    return left


def rivals(position: Shogi, target: Square, kind: Kind) -> list[BoardMove]:
    """What pieces of *kind* reach *target*, one move each, pinned or not, as records count them."""
    starts = {
        play.start: BoardMove(play.start, target, False)
        for play in reckless_moves(position.board)
        if isinstance(play, BoardMove)
        and play.target == target
        and kind_of(position.board[play.start]) == kind
    }
    return list(starts.values())


def manner_of(position: Shogi, play: BoardMove) -> str | None:
    """The words that tell *play* from its rivals; ``None`` where no words do."""
    kind, seat = kind_of(position.board[play.start]), position.turn
    reaching = rivals(position, play.target, kind)
    legal = {other.start for other in position.legal_moves(seat) if isinstance(other, BoardMove)}
    wanted = [BoardMove(play.start, play.target, False)]
    # Where words cannot tell all apart, it is enough to tell those apart that may move.
    for others in (reaching, [rival for rival in reaching if rival.start in legal]):
        for words in _candidates(play, kind, seat):
            if in_manner(others, words, seat) == wanted:
                return words
    return None


def _candidates(play: BoardMove, kind: Kind, seat: int) -> Iterator[str]:
    advance = _advance(play, seat)
    way = "上" if advance > 0 else "寄" if advance == 0 else "引"
    yield ""
    yield way
    if kind not in (BISHOP, ROOK, HORSE, DRAGON) and _goes(play, "直", seat):
        yield "直"
    yield from ("左", "右", f"左{way}", f"右{way}")
