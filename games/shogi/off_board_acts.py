"""What may happen in a game beside the moves on the board (H13, H17, H22)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from games.core import Seat
from games.shogi.board import BoardMove, BoardPlay
from games.shogi.sfen import LETTERS, SQUARE_NAMES

OFFER = "jishogi"
ACCEPT = "jishogi-yes"
REFUSE = "jishogi-no"
DECLARE = "declare27"


@dataclass(frozen=True)
class Say:
    """*seat* says one of ``OFFER``, ``ACCEPT``, ``REFUSE`` (H13) and ``DECLARE`` (H22)."""

    seat: Seat
    what: str


@dataclass(frozen=True)
class Foul:
    """H17: *seat* has played the illegal move *text* where that loses."""

    seat: Seat
    text: str


@dataclass(frozen=True)
class Touch:
    """H17: *seat* has tried the illegal move *text* and must now play what stands on *origin*."""

    seat: Seat
    text: str
    origin: str


Play: TypeAlias = BoardPlay | Say | Foul | Touch


def origin(play: BoardPlay) -> str:
    """Where *play* comes from: a square such as ``7g``, or a hand piece such as ``P*``."""
    return SQUARE_NAMES[play.start] if isinstance(play, BoardMove) else f"{LETTERS[play.kind]}*"
