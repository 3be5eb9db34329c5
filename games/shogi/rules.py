"""Shogi in the order of the rule book (H1 to H26).

``pieces`` holds the steps, ``board`` the legal moves, ``past`` what repetition decides, ``points``
what is counted, ``terms`` what the players agreed on. This file makes them a position.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from games.core import Outcome, Position, Seat, Setting, drawn, won_by
from games.shogi.board import (
    TURN,
    Board,
    BoardPlay,
    after,
    in_check,
    king_square,
    moves,
    reckless_moves,
)
from games.shogi.off_board_acts import (
    ACCEPT,
    DECLARE,
    OFFER,
    REFUSE,
    Foul,
    Play,
    Say,
    Touch,
    origin,
)
from games.shogi.options import HANDICAPS, Terms
from games.shogi.past import LIMIT, Past
from games.shogi.pieces import GOTE, SENTE
from games.shogi.points import both_entered, by_points, declaration_holds, has_entered
from games.shogi.sfen import read_sfen

SIDES = ("sente", "gote")

REFUSED = "-"
"""The value of ``Shogi.offer`` after a refusal, until the next move."""

NOBODY: frozenset[Seat] = frozenset()
_ALONE = (frozenset({SENTE}), frozenset({GOTE}))


@dataclass(frozen=True)
class Shogi(Position[Play]):
    """One moment of a game.

    *ply* numbers the next move as SFEN does. *offer* is the side that offers jishōgi, ``b`` or
    ``w``, ``REFUSED``, or nothing; *touched* is the origin of the next move (H17).
    """

    board: Board
    past: Past = field(compare=False, repr=False)
    ply: int = 1
    terms: Terms = field(default_factory=Terms)
    ended: Outcome | None = None
    offer: str = ""
    touched: str = ""

    @property
    def turn(self) -> Seat:
        """The seat to move, also where the game is over."""
        return self.board[TURN]

    def actors(self) -> frozenset[Seat]:
        """The seat to move, or nobody."""
        return NOBODY if self.outcome() else _ALONE[self.turn]

    def legal_moves(self, seat: Seat) -> Sequence[BoardPlay]:
        """By square from 9a to 1i, then the drops from the rook to the pawn."""
        return self.plays if seat == self.turn and self.outcome() is None else ()

    @cached_property
    def plays(self) -> Sequence[BoardPlay]:
        """What the seat to move could play, were the game not ended by an act."""
        plays = self.possible
        return [play for play in plays if origin(play) == self.touched] if self.touched else plays

    @cached_property
    def possible(self) -> Sequence[BoardPlay]:
        """What the seat to move could play, whatever they touched."""
        # H9: a king may be left to be taken only where the players agreed so.
        return reckless_moves(self.board) if self.terms.king_capture else moves(self.board)

    def outcome(self) -> Outcome | None:
        """How the game ended: by an act, or because the seat to move has no move."""
        return self._outcome

    @cached_property
    def _outcome(self) -> Outcome | None:
        if self.ended or self.plays:
            return self.ended
        # H9: mate wins; where kings are taken, mate ends nothing by itself.
        if not self.terms.king_capture and in_check(self.board, self.turn):
            return won_by(1 - self.turn, "mate")
        # H10: with no move and no check the seed draws and the federations do not.
        if self.terms.stalemate_loses:
            return won_by(1 - self.turn, "no-moves")
        return drawn("stalemate")

    def after(self, move: Play) -> Shogi:
        """The position after *move*."""
        match move:
            case Say():
                return self._told(move)
            case Foul(seat):
                return replace(self, ended=won_by(1 - seat, "illegal"))  # H17
            case Touch():
                return replace(self, touched=move.origin)  # H17
            case _:
                return self._moved(move)

    def _moved(self, play: BoardPlay) -> Shogi:
        board = after(self.board, play)
        past = Past(board, play, self.past)
        return Shogi(board, past, self.ply + 1, self.terms, self._end(past), self._offer(board))

    def _end(self, past: Past) -> Outcome | None:
        """How the move that led to the newest moment of *past* ends the game, if it does."""
        if self.terms.king_capture and self._took_king(past.board):
            return won_by(self.turn, "king-captured")  # H9
        if past.times() < LIMIT:
            return None
        checker = past.perpetual_checker()
        if checker is not None:
            return won_by(1 - checker, "perpetual")  # H12
        match self.terms.repetition:  # H11, H15
            case "points":
                return by_points(past.board, self.terms, "sennichite")
            case "replay":
                return drawn("sennichite-replay")
            case _:
                return drawn("sennichite")

    def _took_king(self, board: Board) -> bool:
        other = 1 - self.turn
        return king_square(self.board, other) >= 0 > king_square(board, other)

    def _offer(self, board: Board) -> str:
        """H13: an offer lapses when the other side moves on or a king leaves the zone."""
        return self.offer if self.offer == "bw"[self.turn] and both_entered(board) else ""

    def asides(self, seat: Seat) -> Sequence[Say]:
        """H13: jishōgi is offered and answered out of turn. H22: a declaration, in turn."""
        if self.outcome() or seat not in (SENTE, GOTE):
            return ()
        if self.terms.impasse == "declare27":
            mine = seat == self.turn and has_entered(self.board, seat)
            return (Say(seat, DECLARE),) if mine else ()
        if self.offer == "bw"[1 - seat]:
            return Say(seat, ACCEPT), Say(seat, REFUSE)
        return () if self.offer or not both_entered(self.board) else (Say(seat, OFFER),)

    def _told(self, said: Say) -> Shogi:
        if said.what == OFFER:
            return replace(self, offer="bw"[said.seat])
        if said.what == REFUSE:
            return replace(self, offer=REFUSED)
        if said.what == ACCEPT:  # H13: both agree that neither king can be mated.
            return replace(self, offer="", ended=by_points(self.board, self.terms, "jishogi"))
        if declaration_holds(self.board, said.seat):
            return replace(self, ended=won_by(said.seat, "declared"))
        return replace(self, ended=won_by(1 - said.seat, "misdeclared"))  # H22


ENDINGS = frozenset(
    {"king-captured", "perpetual", "illegal", "declared", "misdeclared", "sennichite"}
    | {"sennichite-replay"}
    | {
        f"{end}-{how}"
        for end in ("sennichite", "jishogi")
        for how in ("points", "tie", "tie-replay")
    }
)
"""The reasons that a position text may name; mate and stalemate are seen on the board."""


def start(setting: Setting) -> Shogi:
    """The first position: H2, sente begins unless agreed otherwise; H20, the giver begins."""
    handicap = setting.options["handicap"]
    first = GOTE if handicap != "none" else setting.first
    board, ply = read_sfen(f"{HANDICAPS[handicap]} {'bw'[first]} - 1")
    return Shogi(board, Past(board), ply, Terms.of(setting.options))
