"""A toy game that uses every hook: a hidden set-up, an aside, a die, a penalty.

Each of two players hides a number from 1 to 3 and says that he is ready; then a die of
six is rolled before each move and the mover takes 1 or 2 counters from a heap of nine,
plus one where the die shows a six. Whoever takes the last wins; a tie of hidden numbers
may be claimed by an aside, which ends the game in a draw.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from games.core import (
    CHANCE,
    ChosenMove,
    Computer,
    Game,
    GameRules,
    Menus,
    Notation,
    Option,
    Outcome,
    Phrase,
    Position,
    Seat,
    Setting,
    Speech,
    Steps,
    Unreadable,
    phrase,
    verbatim,
    won_by,
)


@dataclass(frozen=True)
class Hide:
    seat: Seat
    number: int


@dataclass(frozen=True)
class Roll:
    eyes: int


@dataclass(frozen=True)
class Take:
    count: int


@dataclass(frozen=True)
class Claim:
    seat: Seat


@dataclass(frozen=True)
class Blunder:
    seat: Seat
    text: str


ToyMove = Hide | Roll | Take | Claim | Blunder
UNKNOWN = 0


@dataclass(frozen=True)
class Toy(Position[ToyMove]):
    hidden: tuple[int | None, int | None] = (None, None)
    heap: int = 9
    die: int | None = None
    turn: Seat = 0
    ended: Outcome | None = None

    def actors(self) -> frozenset[Seat]:
        if self.ended:
            return frozenset()
        if None in self.hidden:
            return frozenset(s for s in (0, 1) if self.hidden[s] is None)
        return frozenset({CHANCE if self.die is None else self.turn})

    def legal_moves(self, seat: Seat) -> Sequence[ToyMove]:
        if seat not in self.actors():
            return ()
        if seat == CHANCE:
            return [Roll(eyes) for eyes in range(1, 7)]
        if self.hidden[seat] is None:
            return [Hide(seat, number) for number in (1, 2, 3)]
        most = 3 if self.die == 6 else 2
        return [Take(count) for count in range(1, min(most, self.heap) + 1)]

    def after(self, move: ToyMove) -> Toy:
        match move:
            case Hide(seat, number):
                hidden = (number, self.hidden[1]) if seat == 0 else (self.hidden[0], number)
                return replace(self, hidden=hidden)
            case Roll(eyes):
                return replace(self, die=eyes)
            case Take(count):
                left = self.heap - count
                ended = None if left else won_by(self.turn, "last")
                return replace(self, heap=left, die=None, turn=1 - self.turn, ended=ended)
            case Claim():
                return replace(self, ended=Outcome("tie", (frozenset({0, 1}),)))
            case Blunder(seat):
                return replace(self, ended=won_by(1 - seat, "blunder"))

    def outcome(self) -> Outcome | None:
        return self.ended

    def asides(self, seat: Seat) -> Sequence[ToyMove]:
        tie = self.hidden[0] == self.hidden[1] not in (None, UNKNOWN)
        return [Claim(seat)] if tie and not self.ended and seat in (0, 1) else []

    def seen_by(self, seat: Seat | None) -> Toy:
        if self.ended:
            return self
        first, second = (
            n if s == seat or n is None else UNKNOWN for s, n in enumerate(self.hidden)
        )
        return replace(self, hidden=(first, second))

    def move_seen(self, move: ToyMove, seat: Seat | None, by: Seat) -> ToyMove | None:
        return None if isinstance(move, Hide) and seat != by else move


def start(setting: Setting) -> Toy:
    return Toy(heap=int(setting.options["heap"]), turn=setting.first)


# -- its notation ------------------------------------------------------------------------


def written(_: Toy, move: ToyMove) -> str:
    match move:
        case Hide(_, number):
            return f"hide{number}"
        case Roll(eyes):
            return f"d{eyes}"
        case Take(count):
            return f"take{count}"
        case Claim():
            return "tie!"
        case Blunder(_, text):
            return text


def spellings(_: Toy, move: ToyMove) -> Sequence[str]:
    return [str(move.count)] if isinstance(move, Take) else []


def expanded(position: Toy, seat: Seat, text: str) -> tuple[ToyMove, ...]:
    return (Hide(seat, 3),) if text == "hide the most" and position.hidden[seat] is None else ()


def penalty(_: Toy, seat: Seat, text: str) -> ToyMove | None:
    return Blunder(seat, text) if text.startswith("oops") else None


def text(position: Toy) -> str:
    hidden = ",".join("-" if n is None else str(n) for n in position.hidden)
    ended = position.ended
    end = "-" if ended is None else ended.reason + str(ended.winner)
    return f"{hidden} {position.heap} {position.die or '-'} {position.turn} {end}"


ENDS = {
    "last0": won_by(0, "last"),
    "last1": won_by(1, "last"),
    "blunder0": won_by(0, "blunder"),
    "blunder1": won_by(1, "blunder"),
    "tieNone": Outcome("tie", (frozenset({0, 1}),)),
    "-": None,
}


def read(text: str, options: Mapping[str, str]) -> Toy:
    try:
        hidden, heap, die, turn, end = text.split()
        first, second = (None if n == "-" else int(n) for n in hidden.split(","))
        rolled = None if die == "-" else int(die)
        return Toy((first, second), int(heap), rolled, int(turn), ENDS[end])
    except (ValueError, KeyError) as wrong:
        raise Unreadable(verbatim(f"not a toy: {text[:40]}")) from wrong


# -- its buttons and words ---------------------------------------------------------------


def steps(position: Toy, move: ToyMove) -> Steps:
    return ("take", str(move.count)) if isinstance(move, Take) else (written(position, move),)


def describe(seen: Toy) -> Sequence[Phrase]:
    return [verbatim(text(seen))]


def spoken(position: Toy, move: ToyMove) -> Phrase:
    return verbatim(written(position, move))


# -- its computer player -----------------------------------------------------------------


def choose(position: Toy, seat: Seat, level: int, budget: Any, below: Any) -> ChosenMove:
    moves = position.legal_moves(seat)
    return ChosenMove(moves[below(len(moves))], 0.0)


GAME = Game(
    key="toy",
    title="Toy",
    rules=GameRules(
        ("one", "two"),
        start,
        begins=("lot", "one", "two"),
        options=(Option("heap", ("9", "12")),),
        draw_by_agreement=True,
    ),
    notation=Notation(
        written, text, read=read, spellings=spellings, expanded=expanded, penalty=penalty
    ),
    menus=Menus(steps),
    speech=Speech(describe, spoken),
    computer=Computer(choose),
)

__all__ = ["GAME", "Toy", "phrase"]
