"""The rules of Cirya in the order of the rule book: C1 … C22, with the rulings R1 … R6.

``board`` moves the pieces; this file says what is allowed, when it ends and what is announced.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from games.cirya.board import Board, joins, shape
from games.cirya.move_types import (
    Back,
    Call,
    Cede,
    Judged,
    Kind,
    Move,
    Place,
    Ply,
    Said,
    Shift,
    Verdict,
)
from games.core import Option, Outcome, Position, Seat, Setting, drawn, won_by

OPTIONS = (
    Option("size", ("5", "4", "6"), rated=("6",)),  # C2
    Option("capstone_4x4", ("no", "yes")),  # C3
    Option("opening", ("swapped", "own")),  # C5
    Option("carry_limit", ("none", "board"), rated=("board",)),  # C13
    Option("mode", ("aracirya", "nutacirya"), rated=("nutacirya",)),  # C20
    Option("false_claim", ("offence", "loses"), rated=("loses",)),  # R2
    Option("repetition", ("3", "none"), rated=("none",)),  # R3
)
"""What may be agreed when a table is opened; the first value is the usual one."""

CIRYAR = {3: 10, 4: 15, 5: 21, 6: 30, 7: 40, 8: 50}
"""C3: the ciryar of each player by the width of the board; 3, 7 and 8 are not offered."""

HALLACIRYAR = {3: 0, 4: 0, 5: 1, 6: 1, 7: 2, 8: 2}
"""C3: the hallaciryar of each player by the width of the board."""


@dataclass(frozen=True)
class Customs:
    """What was agreed when the table was opened."""

    size: int = 5
    hallaciryar: int = 1
    swapped: bool = True
    carry_limit: bool = False
    courtly: bool = True
    repetition: bool = True
    strict: bool = False
    """Whether a londetúrë that is refuted loses the game (R2)."""

    @classmethod
    def agreed(cls, options: Mapping[str, str], size: int | None = None) -> Customs:
        """The customs that *options* name; *size* stands above theirs."""
        size = size or int(options["size"])
        return cls(
            size=size,
            hallaciryar=1 if size == 4 and options["capstone_4x4"] == "yes" else HALLACIRYAR[size],
            swapped=options["opening"] == "swapped",
            carry_limit=options["carry_limit"] == "board",
            courtly=options["mode"] == "aracirya",
            repetition=options["repetition"] == "3",
            strict=options["false_claim"] == "loses",
        )

    def bare(self) -> Board:
        """C2, C3, C4: the empty board and two full reserves."""
        limit = self.size if self.carry_limit else None
        return Board.bare(shape(self.size, limit), CIRYAR[self.size], self.hallaciryar)


OPENING_PLIES = 2
"""C5: the plies in which each player places a cirya of the other one."""


@dataclass(frozen=True)
class Claim:
    """A londetúrë that *seat* said with the ply before *ply* (C21), and its verdict.

    *board* is the board at that moment, the last of *since*, the boards since a placement.
    """

    seat: Seat
    ply: int
    board: Board
    since: tuple[Board, ...]
    verdict: Verdict | None = None


@dataclass(frozen=True)
class Cirya(Position[Move]):
    """A moment of a game of Cirya.

    *ply* counts from 0. *last* is the ply that led here, with what was said; *word* is what the
    mover has already said of the coming one. *plies* lead from *origin* here; *since* are the
    boards since the last placement, this one included. *claims* are the londetúrër, in order.
    """

    customs: Customs
    board: Board
    ply: int = 0
    last: Ply | None = None
    word: Said = Said.NOTHING
    ceded: bool = False
    origin: Board | None = field(default=None, compare=False, repr=False)
    plies: tuple[Ply, ...] = field(default=(), compare=False, repr=False)
    since: tuple[Board, ...] = field(default=(), compare=False, repr=False)
    claims: tuple[Claim, ...] = field(default=(), compare=False, repr=False)

    def actors(self) -> frozenset[Seat]:
        """C1: the players alternate, and nobody plays on after the end."""
        return _NOBODY if self.end else _ALONE[self.board.mover]

    @property
    def swapping(self) -> bool:
        """C5: whether this ply places a cirya of the other player."""
        return self.customs.swapped and self.ply < OPENING_PLIES

    def legal_moves(self, seat: Seat) -> Sequence[Move]:
        """C5, C6, C8: place a piece on an empty sat, or move a nossë; no passing."""
        return self._plies if seat in self.actors() else ()

    @cached_property
    def _plies(self) -> Sequence[Move]:
        if not self.swapping:
            return self.board.plies(self.board.kinds())
        # C5: a flat cirya of the other player, and nothing is moved yet.
        empty = self.board.empty
        return [Place(sat, Kind.CIRYA) for sat in range(self.board.shape.count) if empty >> sat & 1]

    def after(self, move: Move) -> Cirya:
        """The position after a ply, or after what was said out of turn."""
        match move:
            case Place(sat, kind):
                # C5: the other player's cirya comes out of the other player's reserve.
                owner = 1 - self.board.mover if self.swapping else self.board.mover
                return self._following(move, self.board.placed(sat, kind, owner), placed=True)
            case Shift(sat, way, drops):
                return self._following(move, self.board.shifted(sat, way, drops), placed=False)
            case Call(seat, said) if seat == self.board.mover:
                return replace(self, word=said)
            case Call(_, said):
                return self._said(said)
            case Judged(verdict):
                return self._judged(verdict)
            case Back():
                return self._returned(self.silence or 0)
            case Cede():
                return replace(self, ceded=True)

    def _following(self, ply: Ply, board: Board, placed: bool) -> Cirya:
        # R3: pieces never leave the board, so nothing older than a placement comes back.
        since = (board,) if placed or not self.customs.repetition else (*self.since, board)
        if self.word and not ply.said:
            ply = replace(ply, said=self.word)
        following = Cirya(
            self.customs,
            board,
            self.ply + 1,
            ply,
            origin=self.origin or self.board,
            plies=(*self.plies, ply),
            since=since,
            claims=self.claims,
        )
        return following._claimed() if ply.said is Said.LONDETURE else following

    def _said(self, said: Said) -> Cirya:
        """The same moment, *said* having been said with the last ply."""
        last = replace(self.plies[-1], said=said)
        position = replace(self, last=last, plies=(*self.plies[:-1], last))
        return position._claimed() if said is Said.LONDETURE else position

    def outcome(self) -> Outcome | None:
        """C14 to C18, R3, C22: how the game ended."""
        return self.end

    @cached_property
    def end(self) -> Outcome | None:
        """How the game ended, tested after every ply; ``None`` while it goes on."""
        by_rule = londe(self.board) or quildear(self.board) or self._repetition()
        if by_rule is None and self.customs.strict:
            # R2: by agreement, a player who says «londetúrë» without reason has lost.
            seat = next(
                (claim.seat for claim in self.claims if claim.verdict is Verdict.REFUTED), None
            )
            by_rule = None if seat is None else won_by(1 - seat, "false_claim")
        if self.ceded and by_rule and by_rule.winner is not None:
            # C22: the victory beyond the board.
            return won_by(1 - by_rule.winner, "ceded")
        return by_rule

    def _repetition(self) -> Outcome | None:
        # R3: the same position with the same player to move for the third time.
        return drawn("repetition") if self.occurrences >= 3 else None

    @property
    def occurrences(self) -> int:
        """How many times this position has stood, this time included (R3)."""
        return self.since.count(self.board) if len(self.since) > 1 else 1

    def asides(self, seat: Seat) -> Sequence[Move]:
        """What may be said: with the coming ply, right after one's ply, after the end."""
        if self.end:
            return tuple(self._last_words(seat))
        if self.ply < OPENING_PLIES:
            return ()
        if seat == self.board.mover:
            # C19, C21, R1: the announcement goes with the move, and no menu grows by it.
            return [Call(seat, said) for said in Said if said is not self.word]
        # The word may still follow the piece, as long as the answer has not come.
        already = self.last.said if self.last else Said.LONDETURE
        return [Call(seat, said) for said in _MORE[already]]

    @property
    def waiting(self) -> Claim | None:
        """The first londetúrë that nobody has judged yet (R2)."""
        return next((claim for claim in self.claims if claim.verdict is None), None)

    def rulings(self, seat: Seat) -> Sequence[Move]:
        """R2: what may come of the londetúrë of *seat* that waits for its verdict."""
        claim = self.waiting
        if self.end or claim is None or claim.seat != seat:
            return ()
        return [Judged(verdict) for verdict in Verdict]

    def _claimed(self) -> Cirya:
        claim = Claim(1 - self.board.mover, self.ply, self.board, self.since)
        return replace(self, claims=(*self.claims, claim))

    def _judged(self, verdict: Verdict) -> Cirya:
        waiting = self.waiting
        claims = (replace(c, verdict=verdict) if c is waiting else c for c in self.claims)
        return replace(self, claims=tuple(claims))

    def _last_words(self, seat: Seat) -> Iterator[Move]:
        end = self.end
        if not (self.customs.courtly and end and end.reason == "londe"):
            return
        if seat == end.winner:
            yield Cede()  # C22
        elif self.silence is not None:
            yield Back()  # C20, R1

    @cached_property
    def silence(self) -> int | None:
        """After how many of ``plies`` the winner's announcement was due; ``None`` if it was not.

        R1: the londë that ends the game is the winner's own, and it was threatened without a word
        by the winner's ply before it, and by an unbroken row of plies before that. The earliest
        counts.
        """
        end = self.end
        winner = 1 - self.board.mover
        if end is None or end.reason != "londe" or end.winner != winner:
            return None
        boards = self.boards()
        due = None
        at = len(self.plies) - 2
        while at >= 1 and self.plies[at - 1].said is Said.NOTHING:
            # A threat that only the opponent's own ply opened called for no word.
            if not one_move_away(boards[at], winner):
                break
            due, at = at, at - 2
        return due

    def boards(self) -> list[Board]:
        """The boards from ``origin`` on, this one included."""
        position = Cirya(self.customs, self.origin or self.board, self.ply - len(self.plies))
        boards = [position.board]
        for ply in self.plies:
            position = position.after(ply)
            boards.append(position.board)
        return boards

    def _returned(self, count: int) -> Cirya:
        """The position after *count* plies, the last of them announced after all (R1)."""
        start = self.origin or self.board
        position = Cirya(self.customs, start, self.ply - len(self.plies), since=(start,))
        for ply in self.plies[:count]:
            position = position.after(ply)
        # What was ruled stays ruled.
        kept = tuple(claim for claim in self.claims if claim.ply <= position.ply)
        return replace(position._said(Said.LONDE), claims=kept)


def londe(board: Board) -> Outcome | None:
    """C14: the game as a londë ends it, right after the ply of ``1 - board.mover``."""
    # C15: where a move makes both londër, it is the mover's that counts.
    seats = (1 - board.mover, board.mover)
    return next((_LONDE[seat] for seat in seats if board.londe(seat)), None)


def quildear(board: Board) -> Outcome | None:
    """C16: the sea is calm when a reserve or the empty sati are spent. C17: londë goes first."""
    if board.empty and not board.is_spent():
        return None
    swan, eagle = board.flats(0), board.flats(1)
    return drawn("quildear_tie") if swan == eagle else won_by(0 if swan > eagle else 1, "quildear")


def one_move_away(board: Board, seat: Seat) -> bool:
    """C19: whether *seat*, if it were to play on this very board, could complete its londë."""
    return next(completing(board, seat), None) is not None


def completing(board: Board, seat: Seat) -> Iterator[Ply]:
    """The plies with which *seat* would complete its own londë on *board* (C14)."""
    board = board._replace(mover=seat)
    of, route = board.shape, board.route(seat)
    for ply in board.plies(board.kinds()):
        if isinstance(ply, Shift):
            if board.after(ply).londe(seat):
                yield ply
        elif ply.kind is not Kind.TAMPA and joins(of, route | 1 << ply.sat):
            yield ply


def separate_londes(board: Board, seat: Seat) -> Iterator[Ply]:
    """Plies that complete the londë of *seat*, each on other sati than those before."""
    board = board._replace(mover=seat)
    route = board.route(seat)
    gains = [(board.after(ply).route(seat) & ~route, ply) for ply in completing(board, seat)]
    seen = 0
    for gained, ply in sorted(gains, key=lambda one: one[0].bit_count()):
        if not seen & gained:
            seen |= gained
            yield ply


def start(setting: Setting) -> Cirya:
    """C4: the first position; the lot has dealt the sides, and swan begins."""
    customs = Customs.agreed(setting.options)
    return fresh(customs, customs.bare(), 0)


def fresh(customs: Customs, board: Board, ply: int) -> Cirya:
    """The position of *board* before *ply*, without a past."""
    return Cirya(customs, board, ply, origin=board, since=(board,))


_LONDE = (won_by(0, "londe"), won_by(1, "londe"))
_NOBODY: frozenset[Seat] = frozenset()
_ALONE = (frozenset({0}), frozenset({1}))
_MORE = {
    Said.NOTHING: (Said.LONDE, Said.LONDETURE),
    Said.LONDE: (Said.LONDETURE,),
    Said.LONDETURE: (),
}
