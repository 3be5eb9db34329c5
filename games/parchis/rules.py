"""The rules of Parchís with one die; P and B numbers are those of the rule book.

Seats are the colours in play in the order yellow, blue, red, green, which is the turn order (P3).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Any, Self, TypeAlias

from games.core import CHANCE, BadOption, Option, Outcome, Position, Seat, Setting, phrase, ranking
from games.parchis.board import HOME, LAST, META, ROUTES, SALIDA, SALIDAS, SEGUROS, SIDES, is_white
from games.parchis.moves import Bar, Go, Hindrance, Lapse, Man, Move, Roll, Stage, Throw

SIX = 6
FIVE = 5
CAPTURE_BONUS = 20
META_BONUS = 10

OPTIONS = (
    Option("first_five", ("one", "two"), rated=("two",)),
    Option("mixed_barriers", ("no", "yes"), rated=("yes",)),
    Option("barriers_only_safe", ("no", "yes"), rated=("yes",)),
    Option("overshoot", ("bounce", "exact"), rated=("exact",)),
    Option("exit_captures", ("full", "always"), rated=("always",)),
    Option("ending", ("all", "first"), rated=("first",)),
    Option("rolling", ("hand", "auto"), rated=("auto",)),
)

ROLLS = tuple(Roll(eyes) for eyes in range(1, SIX + 1))


@dataclass(frozen=True)
class House:
    """The options of a table (P16, B4-B6, B13), each as what it changes."""

    two_on_first: bool = False
    mixed_barriers: bool = False
    only_safe: bool = False
    bounces: bool = True
    exit_always: bool = False
    first_ends: bool = False
    by_hand: bool = True

    @classmethod
    def of(cls, options: Mapping[str, str]) -> House:
        """The house rules that *options* choose."""
        return cls(
            two_on_first=options["first_five"] == "two",
            mixed_barriers=options["mixed_barriers"] == "yes",
            only_safe=options["barriers_only_safe"] == "yes",
            bounces=options["overshoot"] == "bounce",
            exit_always=options["exit_captures"] == "always",
            first_ends=options["ending"] == "first",
            by_hand=options["rolling"] == "hand",
        )

    @property
    def before_a_roll(self) -> Stage:
        """What is due where the die must be rolled."""
        return Stage.THROW if self.by_hand else Stage.AIR


Pieces: TypeAlias = tuple[int, int, int, int]
"""The route indices of a colour's four pieces."""


@dataclass(frozen=True)
class Parchis(Position[Move]):
    """One moment of a game; everybody sees everything.

    *colours* by seat, ascending; *pieces* by seat. *count* is the die or the bonus due.
    *sixes* are, for a die to come or to play, those of this turn before it, for a bonus
    those in a row ending with the last roll (B14). *last* is the number of the piece moved
    last in this turn (B3). *arrivals* tell for each salida with two pieces, ascending,
    which came last: (square, seat, number). *finished* seats stand in order; *spent* holds
    the seats whose first five is played (B6). *rolls* are those for the start by seat:
    ``None`` still to come, 0 out of it; empty once somebody has begun.
    """

    house: House
    colours: tuple[int, ...]
    pieces: tuple[Pieces, ...]
    turn: Seat = 0
    stage: Stage = Stage.OPENING
    count: int = 0
    sixes: int = 0
    last: int | None = None
    arrivals: tuple[tuple[int, Seat, int], ...] = ()
    finished: tuple[Seat, ...] = ()
    spent: frozenset[Seat] = frozenset()
    rolls: tuple[int | None, ...] = ()

    def _with(self, **changes: Any) -> Self:
        """This moment with *changes* of its fields."""
        # ``dataclasses.replace`` took a quarter of the time of a game that is played out.
        changed = object.__new__(type(self))
        changed.__dict__.update(self.__dict__, **changes)
        if "pieces" in changes:
            changed.__dict__.pop("crowd", None)
        return changed

    def actors(self) -> frozenset[Seat]:
        """Chance while the die is in the air, else the player on turn."""
        if self.stage is Stage.OVER:
            return frozenset()
        return frozenset({CHANCE if self.stage in (Stage.OPENING, Stage.AIR) else self.turn})

    def legal_moves(self, seat: Seat) -> Sequence[Move]:
        """Every move of *seat*, lower piece numbers first."""
        if seat not in self.actors():
            return ()
        if seat == CHANCE:
            return ROLLS
        if self.stage is Stage.THROW:
            return (Throw(),)
        # P4: only who can do nothing does nothing.
        return self.playable() or (Lapse(),)

    def outcome(self) -> Outcome | None:
        """The places once the game is over (P15, B13)."""
        if self.stage is not Stage.OVER:
            return None
        rest = [seat for seat in range(len(self.colours)) if seat not in self.finished]
        places = [*([seat] for seat in self.finished), rest]
        return ranking("first" if self.house.first_ends else "all", places)

    def standings(self) -> Mapping[Seat, int]:
        """The places won so far; once the game is over also the last, which the rest share."""
        places = {seat: place for place, seat in enumerate(self.finished, 1)}
        if self.stage is Stage.OVER:
            for seat in range(len(self.colours)):
                places.setdefault(seat, len(self.finished) + 1)
        return places

    @cached_property
    def crowd(self) -> Mapping[int, tuple[Man, ...]]:
        """Who stands on each place between casa and meta."""
        crowd: dict[int, tuple[Man, ...]] = {}
        for seat, pieces in enumerate(self.pieces):
            route = ROUTES[self.colours[seat]]
            for number, index in enumerate(pieces):
                if HOME < index < META:
                    place = route[index]
                    crowd[place] = (*crowd.get(place, ()), (seat, number))
        return crowd

    @property
    def route(self) -> tuple[int, ...]:
        """The places of the player on turn by route index."""
        return ROUTES[self.colours[self.turn]]

    @property
    def own(self) -> Pieces:
        """The pieces of the player on turn."""
        return self.pieces[self.turn]

    def is_barrier(self, place: int) -> bool:
        """Whether nobody may pass *place*."""
        men = self.crowd.get(place, ())
        if len(men) < 2:
            return False
        if men[0][0] != men[1][0]:
            # P10: two colours bar nobody; P16: unless the house says so, on a seguro.
            return self.house.mixed_barriers and place in SEGUROS
        # B9: a pair in its corridor bars its owner. P16: or only pairs on seguros bar.
        return not self.house.only_safe or place in SEGUROS

    @property
    def reach(self) -> int:
        """The squares that are due: the bonus, or the die with a six perhaps counted seven."""
        # P9, B8: a six counts seven for who has nobody at home when it is rolled.
        if self.stage is Stage.DIE and self.count == SIX and HOME not in self.own:
            return SIX + 1
        return self.count

    @property
    def is_third_six(self) -> bool:
        """Whether the die due is the third six in a row (P9)."""
        return self.stage is Stage.DIE and self.count == SIX and self.sixes == 2

    def way(self, number: int, count: int) -> Go | Hindrance:
        """Where piece *number* of the player on turn comes by *count* squares, or what bars it."""
        start = self.own[number]
        if start in (HOME, META):  # P5
            return Hindrance(Bar.IN_META if start else Bar.AT_HOME, start)
        end = start + count
        back: range = range(0)
        if end > META:  # P14
            if not self.house.bounces:
                return Hindrance(Bar.EXACT, META)
            end = 2 * META - start - count
            if end <= LAST:  # B4: nobody goes backwards on the circuit
                return Hindrance(Bar.OUT_OF_CORRIDOR, end)
            back = range(META - 1, end, -1)
        for index in chain(range(start + 1, min(start + count, META)), back):
            # P10; the pair that the piece leaves is none.
            if index != start and self.is_barrier(self.route[index]):
                return Hindrance(Bar.BARRIER, index)
        return self._landing(number, end)

    def _landing(self, number: int, end: int) -> Go | Hindrance:
        place = self.route[end]
        there = [man for man in self.crowd.get(place, ()) if man != (self.turn, number)]
        if len(there) == 2:  # P6
            return Hindrance(Bar.FULL, end)
        if not there or not is_white(place):
            return Go((number,), end)
        if there[0][0] != self.turn:  # P12
            return Go((number,), end, tuple(there))
        return Hindrance(Bar.WHITE_PAIR, end) if self.house.only_safe else Go((number,), end)

    def exit(self) -> Go | None:
        """The move that brings a piece out on a five, or ``None`` where none can come (P7)."""
        at_home = tuple(number for number, index in enumerate(self.own) if index == HOME)
        there = self.crowd.get(self.route[SALIDA], ())
        foreign = tuple(man for man in there if man[0] != self.turn)
        own = len(there) - len(foreign)
        if not at_home or own == 2:
            return None
        first_five = self.house.two_on_first and self.turn not in self.spent
        if first_five and len(at_home) > 1 and not own:
            # B6: two come out, and the pieces there go.
            return Go(at_home[:2], SALIDA, foreign)
        if len(there) == 2 and not own:
            return Go(at_home[:1], SALIDA, (self.arrived_last(self.route[SALIDA]),))  # P13
        if len(there) == 2 or self.house.exit_always:
            return Go(at_home[:1], SALIDA, foreign)  # B5
        return Go(at_home[:1], SALIDA)

    def arrived_last(self, salida: int) -> Man:
        """Which of the two pieces on the square *salida* came last."""
        return next((seat, number) for square, seat, number in self.arrivals if square == salida)

    def opens(self, move: Go) -> bool:
        """Whether *move* really separates a barrier of the player on turn (B7)."""
        start = self.own[move.pieces[0]]
        if start == HOME or move.to == start:
            return False
        place = self.route[start]
        own = all(seat == self.turn for seat, _ in self.crowd.get(place, ()))
        return own and self.is_barrier(place)

    def playable(self) -> tuple[Go, ...]:
        """The moves that use the die or the bonus due; twins are one choice (B14)."""
        if self.is_third_six:
            # P9, B3: from the corridor on, or where nothing was moved, nobody goes home.
            if self.last is None or not HOME < self.own[self.last] <= LAST:
                return ()
            return (Go((self.last,), HOME),)
        if self.stage is Stage.DIE and self.count == FIVE and (out := self.exit()):
            return (out,)
        moves = tuple(self._advances(self.reach))
        if self.stage is Stage.DIE and self.count == SIX:
            # P11, B7: with a barrier that can be opened nothing else is legal.
            return tuple(move for move in moves if self.opens(move)) or moves
        return moves

    def _advances(self, count: int) -> Iterator[Go]:
        for number, index in enumerate(self.own):
            if index in self.own[:number]:
                continue  # B14: of twins the lower number moves
            if isinstance(way := self.way(number, count), Go):
                yield way

    def after(self, move: Move) -> Self:
        """What follows *move*, which must be legal."""
        match move:
            case Throw():
                return self._with(stage=Stage.AIR)
            case Roll(eyes) if self.stage is Stage.OPENING:
                return self._opening(eyes)
            case Roll(eyes):
                return self._with(stage=Stage.DIE, count=eyes)
            case Lapse():
                return self._five_spent()._go_on(self._row)
            case Go():
                return self._five_spent()._moved(move, self._row)

    @property
    def _row(self) -> int:
        """The sixes in a row up to the last roll."""
        if self.stage is Stage.BONUS:
            return self.sixes
        return self.sixes + 1 if self.count == SIX else 0

    def _five_spent(self) -> Self:
        if self.stage is Stage.DIE and self.count == FIVE and self.house.two_on_first:
            return self._with(spent=self.spent | {self.turn})
        return self

    def _opening(self, eyes: int) -> Self:
        """P2: the highest roll begins; who ties rolls again among the tied."""
        rolls = tuple(eyes if s == self.turn else roll for s, roll in enumerate(self.rolls))
        waiting = [seat for seat, roll in enumerate(rolls) if roll is None]
        if not waiting:
            best = max(roll or 0 for roll in rolls)
            waiting = [seat for seat, roll in enumerate(rolls) if roll == best]
            if len(waiting) == 1:
                return self._with(rolls=(), turn=waiting[0], stage=self.house.before_a_roll)
            rolls = tuple(None if roll == best else 0 for roll in rolls)
        return self._with(rolls=rolls, turn=waiting[0])

    def _moved(self, move: Go, row: int) -> Self:
        pieces = [list(one) for one in self.pieces]
        for number in move.pieces:
            pieces[self.turn][number] = move.to
        for seat, number in move.taken:
            pieces[seat][number] = HOME
        landed = self._with(
            pieces=tuple((a, b, c, d) for a, b, c, d in pieces), arrivals=(), last=move.pieces[-1]
        )
        landed = landed._with(arrivals=self._arrivals(landed, move))
        if move.to == HOME:  # P9: the third six ends the turn
            return landed._pass()
        if all(index == META for index in landed.own):
            return landed._finish()
        if move.taken:  # P12, P13, B1; B6: one single 20
            return landed._bonus(CAPTURE_BONUS, row)
        return landed._bonus(META_BONUS, row) if move.to == META else landed._go_on(row)

    def _arrivals(self, landed: Parchis, move: Go) -> tuple[tuple[int, Seat, int], ...]:
        here = self.route[move.to]
        before = {square: (seat, number) for square, seat, number in self.arrivals}
        return tuple(
            (square, *((self.turn, move.pieces[-1]) if square == here else before[square]))
            for square in SALIDAS
            if len(landed.crowd.get(square, ())) == 2
        )

    def _bonus(self, count: int, row: int) -> Self:
        return self._with(stage=Stage.BONUS, count=count, sixes=row)

    def _go_on(self, row: int) -> Self:
        """P3: after a six the player rolls again (B11: also one that moved nothing)."""
        if row in (0, 3):
            return self._pass()
        return self._with(stage=self.house.before_a_roll, count=0, sixes=row)

    def _finish(self) -> Self:
        """P15, B10: the fourth piece in ends the player's game, without 10 or another roll."""
        done = self._with(finished=(*self.finished, self.turn))
        if self.house.first_ends or len(done.finished) == len(self.colours) - 1:
            over = done._with(stage=Stage.OVER, turn=0, count=0, sixes=0)
            return over._with(last=None, arrivals=())
        return done._pass()

    def _pass(self) -> Self:
        """P3: the turn passes to the right; a player who has finished is skipped."""
        seats = len(self.colours)
        order = ((self.turn + step) % seats for step in range(1, seats + 1))
        turn = next(seat for seat in order if seat not in self.finished)
        return self._with(turn=turn, stage=self.house.before_a_roll, count=0, sixes=0, last=None)

    def forced(self, seat: Seat) -> Move | None:
        """The only move that a die or a bonus leaves (P4); «tirar» is never forced."""
        moves = self.legal_moves(seat)
        if self.stage not in (Stage.DIE, Stage.BONUS) or len(moves) != 1:
            return None
        return None if isinstance(moves[0], Throw) else moves[0]


def start(setting: Setting) -> Parchis:
    """All at home, the rolls to come (P1, P2); raises ``BadOption`` for sides not in turn order."""
    sides = setting.sides
    if not 2 <= len(sides) <= 4 or list(sides) != [side for side in SIDES if side in sides]:
        raise BadOption(phrase("parchis.bad-sides"))
    return Parchis(
        house=House.of(setting.options),
        colours=tuple(map(SIDES.index, sides)),
        pieces=((0, 0, 0, 0),) * len(sides),
        rolls=(None,) * len(sides),
    )
