"""Shogi, in the order of the rule book; the numbers are those of the rules (H1 to H26).

How the pieces step stands in ``pieces``, which moves are legal on a board in ``board``, what
the past decides in ``past``, what is counted in ``points`` and what the players agreed on
in ``terms``. Here they make the position of a game.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from games.core import Outcome, Phrase, Position, Refusal, Seat, Setting, Who, phrase, won_by
from games.shogi import menus, notation, refusals, wishes
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
from games.shogi.past import LIMIT, WARNING, Past
from games.shogi.pieces import GOTE, SENTE
from games.shogi.plays import (
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
from games.shogi.points import (
    both_entered,
    by_points,
    declaration_holds,
    drawn,
    has_entered,
    points,
)
from games.shogi.sfen import read_sfen, sfen, unreadable, usi
from games.shogi.terms import EVEN, HANDICAPS, Terms

SIDES = ("sente", "gote")

REFUSED = "-"
"""The value of ``Shogi.offer`` after a refusal, until the next move."""

NOBODY: frozenset[Seat] = frozenset()
_ALONE = (frozenset({SENTE}), frozenset({GOTE}))


@dataclass(frozen=True)
class Shogi(Position[Play]):
    """One moment of a game.

    *ply* numbers the next move as SFEN does. *offer* tells who offers jishōgi, ``b`` or
    ``w``, ``REFUSED``, or nothing; *touched* is the origin from which the next move must
    come (H17).
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
        return self._plays if seat == self.turn and self.outcome() is None else ()

    @cached_property
    def _plays(self) -> Sequence[BoardPlay]:
        # H9: a king may be left to be taken only where the players agreed so.
        plays = reckless_moves(self.board) if self.terms.king_capture else moves(self.board)
        if self.touched:  # H17: only with that piece.
            return [play for play in plays if origin(play) == self.touched]
        return plays

    def outcome(self) -> Outcome | None:
        """How the game ended: by an act, or because the seat to move has no move."""
        return self._outcome

    @cached_property
    def _outcome(self) -> Outcome | None:
        if self.ended or self._plays:
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
        stands = self.offer == "bw"[self.turn] and both_entered(board)
        return self.offer if stands else ""

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

    def penalty(self, seat: Seat, text: str) -> Foul | Touch | None:
        """H17: what a typed illegal move amounts to; a slip of the pen amounts to nothing."""
        if self.terms.illegal == "warn" or seat not in self.actors():
            return None
        wish = wishes.read_wish(self, text)
        if wish is None or wishes.fits(self, wish):
            return None
        if self.terms.illegal == "lose":
            return Foul(seat, wish.text)
        start = wishes.origin_of(self, wish)
        movable = any(origin(play) == start for play in self._plays)
        return Touch(seat, wish.text, start) if movable and not self.touched else None

    def notices(self) -> Sequence[Phrase]:
        """Check, repetitions, what may be said of jishōgi, and the piece that must move."""
        if self.outcome():
            return ()
        said = []
        if in_check(self.board, self.turn):
            said.append(phrase("shogi.notice.check", who=Who(self.turn)))
        times = self.past.times()
        if times > 1:
            said.append(phrase("shogi.notice.repeated", n=times))
        if times == WARNING and (checker := self.past.perpetual_checker()) is not None:
            said.append(phrase("shogi.notice.perpetual", who=Who(checker)))  # H12
        if self.terms.impasse != "declare27" and both_entered(self.board):
            sente, gote = points(self.board)
            said.append(phrase("shogi.notice.entered", sente=sente, gote=gote))
        if self.offer in ("b", "w"):
            said.append(phrase("shogi.notice.offer", who=Who("bw".index(self.offer))))
        if self.touched:
            said.append(phrase("shogi.notice.touched", piece=menus.standing(self, self.touched)))
        return said

    def refusal(self, seat: Seat, text: str) -> Refusal:
        """Why *text* is not a legal move of *seat*."""
        return refusals.why(self, seat, text)

    def notation(self, move: Play) -> str:
        """USI: ``7g7f``, ``8h2b+``, ``P*5e`` (H23)."""
        match move:
            case Say():
                return move.what
            case Foul() | Touch():
                return move.text
            case _:
                return usi(move)

    def spellings(self, move: Play) -> Sequence[str]:
        """USI, western and Japanese."""
        return notation.spellings(self, move)

    def tidied(self, text: str) -> str:
        """A move typed in any way that fits one legal move, as USI; else *text*."""
        return wishes.tidied(self, text)

    def steps(self, move: Play) -> tuple[str, ...]:
        """The piece or the hand piece, the square, and ``+`` or ``=`` where it is a choice."""
        return menus.steps(self, move)

    def label(self, seat: Seat, path: tuple[str, ...], step: str) -> Phrase:
        """The piece; the square with what happens there; what it turns into."""
        del seat
        return menus.label(self, path, step)

    def question(self, seat: Seat, path: tuple[str, ...]) -> Phrase:
        """Which piece, where to, whether to promote."""
        del seat
        return menus.question(self, path)

    def spoken(self, move: Play) -> Phrase:
        """The move in words, with what it takes and whether it checks."""
        return menus.spoken(self, move)

    def text(self) -> str:
        """SFEN, and behind it what SFEN cannot say: ``jishogi=b``, ``touched=7g``, ``end=…``."""
        marks = [sfen(self.board, self.ply)]
        if self.offer:
            marks.append(f"jishogi={self.offer}")
        if self.touched:
            marks.append(f"touched={self.touched}")
        if self.ended:
            winner = self.ended.winner
            marks.append(f"end={self.ended.reason}:{'-' if winner is None else 'bw'[winner]}")
        return " ".join(marks)


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


def read(text: str, options: Mapping[str, str]) -> Shogi:
    """The position that *text* holds; raises ``Unreadable``.

    ``startpos`` and the words ``position`` and ``sfen`` before it are understood.
    """
    terms = Terms.of(options)
    words = [word for word in text.split() if word not in ("position", "sfen")]
    words = [EVEN if word == "startpos" else word for word in words]
    marks = dict(word.split("=", 1) for word in words if "=" in word)
    board, ply = read_sfen(" ".join(w for w in words if "=" not in w), terms.king_capture)
    position = Shogi(
        board,
        Past(board),
        ply,
        terms,
        ended=_ending(marks.pop("end", "")),
        offer=_one_of(marks.pop("jishogi", ""), ("", "b", "w", REFUSED)),
        touched=marks.pop("touched", ""),
    )
    if marks or (position.touched and not position._plays):
        raise unreadable("mark", text=" ".join(marks)[:40] or position.touched[:10])
    return position


def _one_of(value: str, known: tuple[str, ...]) -> str:
    if value not in known:
        raise unreadable("mark", text=value[:40])
    return value


def _ending(text: str) -> Outcome | None:
    if not text:
        return None
    found = re.fullmatch("([a-z-]+):([bw-])", text)
    if not found or found[1] not in ENDINGS:
        raise unreadable("mark", text=text[:40])
    return drawn(found[1]) if found[2] == "-" else won_by("bw".index(found[2]), found[1])
