"""The set-up: sixteen units on eighteen spaces, as each player likes (Z3, G12-G14)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import TypeAlias, TypeVar

from games.core import IllegalMove, Refusal, Seat
from games.storilljudhjorrayc.board import Army, army
from games.storilljudhjorrayc.geometry import FOREST, Space
from games.storilljudhjorrayc.move_types import Arranging, Preset, Put, Ready, SetupSwap
from games.storilljudhjorrayc.names import own_phrase
from games.storilljudhjorrayc.options import Variant
from games.storilljudhjorrayc.units import AMBUSH, UNITS, Label, label_named

Line: TypeAlias = tuple[Label | None, ...]
"""An arrangement: what stands on each of the eighteen spaces, in listing order (G12)."""


T = TypeVar("T")


def _zone(radii: str) -> tuple[Space, ...]:
    return tuple(f"{radius}{circuit}" for circuit in (3, 2, 1) for radius in radii)


ZONES: tuple[tuple[Space, ...], tuple[Space, ...]] = (_zone("nopabc"), _zone("fghijk"))
"""The eighteen spaces of green and of purple in listing order (G12).

Circuit 3 first and then outwards; in each circuit from the right to the left of the
owner, who faces the centre.
"""

PIECES: tuple[Label, ...] = tuple(label for label in UNITS if label != AMBUSH)
"""The units that start on the board; the ambush starts in the forest (Z3, G10)."""


def _line(text: str) -> Line:
    return tuple(None if word == "." else word for word in text.split())


PRESETS: Mapping[str, Line] = {
    "standard": _line("T1 T2 KM T3 T4 T5  JD SD A JM SÞ JÞ  PD KD . . KÞ PÞ"),  # G13
    "mirror": _line("T1 T2 T3 KM T4 T5  JD SD JM A SÞ JÞ  PD KD . . KÞ PÞ"),
    "vanguard": _line("T1 JD KM JM JÞ T5  T2 SD A T3 SÞ T4  PD KD . . KÞ PÞ"),
    "shelter": _line("T1 T2 T3 T4 T5 .  JD JM A SÞ JÞ KM  PD KD SD . KÞ PÞ"),
    "wings": _line("JD T1 T2 T3 T4 JÞ  T5 KM A JM SÞ SD  KD PD . . PÞ KÞ"),
}
"""Arrangements to start from; the first is the default."""

STANDARD = PRESETS["standard"]


def preset(name: str, variant: Variant) -> Line:
    """The arrangement of this *name* without those who take no part (G20)."""
    return tuple(one if one in variant.units else None for one in PRESETS[name])


def army_of(seat: Seat, line: Line) -> Army:
    """The army of *seat* arranged as *line*, its ambush in the forest (G10)."""
    places = {label: space for space, label in zip(ZONES[seat], line, strict=True) if label}
    return army({**places, AMBUSH: FOREST})


@dataclass(frozen=True)
class SetUp:
    """One moment of the set-up.

    *lines* are the arrangements, green's first, ``None`` for a hidden one; *ready* by seat; *first*
    is the seat that will move first.
    """

    variant: Variant
    lines: tuple[Line | None, Line | None] = (STANDARD, STANDARD)
    ready: tuple[bool, bool] = (False, False)
    first: Seat = 0

    def busy(self) -> frozenset[Seat]:
        """Who still arranges: both at once, or green and then purple where it is open (G14)."""
        waiting = [seat for seat in (0, 1) if not self.ready[seat]]
        return frozenset(waiting[:1] if self.variant.setup == "open" else waiting)

    def arrangings(self, seat: Seat) -> tuple[Arranging, ...]:
        """What *seat* may do to its arrangement; nothing where it is hidden."""
        line = self.lines[seat]
        return () if line is None else _arrangings(self.variant, seat, line)

    def allows(self, move: Arranging) -> bool:
        """Whether *move* is legal; the others are not looked at."""
        seat = move.seat
        line = self.lines[seat]
        if line is None or seat not in self.busy():
            return False
        match move:
            case Ready():
                return True
            case Preset(_, name):
                return name in PRESETS
            case SetupSwap(_, label, other):
                if label == other or label not in line or other not in line:
                    return False
                here, there = space_in(seat, line, label), space_in(seat, line, other)
                return self.variant.may_stand(label, there) and self.variant.may_stand(other, here)
            case Put(_, label, target):
                free = target in ZONES[seat] and line[ZONES[seat].index(target)] is None
                return free and label in line and self.variant.may_stand(label, target)

    def after(self, move: Arranging) -> SetUp:
        """The set-up once *move*, which is legal, has been made."""
        line = self.lines[move.seat]
        if line is None:
            raise ValueError("a hidden arrangement cannot be changed")
        match move:
            case Ready(seat):
                return replace(self, ready=_with(self.ready, seat, True))
            case Preset(_, name):
                line = preset(name, self.variant)
            case SetupSwap(_, label, other):
                line = tuple(
                    {label: other, other: label}.get(one, one) if one else None for one in line
                )
            case Put(seat, label, target):
                put = {space_in(seat, line, label): None, target: label}
                line = tuple(
                    put.get(space, one) for space, one in zip(ZONES[seat], line, strict=True)
                )
        return replace(self, lines=_with(self.lines, move.seat, line))

    def armies(self) -> tuple[Army, Army]:
        """Both armies as they enter the battle; the arrangements must not be hidden."""
        green, purple = self.lines
        if green is None or purple is None:
            raise ValueError("a hidden arrangement cannot go to battle")
        return army_of(0, green), army_of(1, purple)

    def seen_by(self, seat: Seat | None) -> SetUp:
        """The set-up as *seat* may see it: the other arrangement is hidden, unless open (G14)."""
        if self.variant.setup == "open":
            return self
        green, purple = (line if seat == owner else None for owner, line in enumerate(self.lines))
        return replace(self, lines=(green, purple))


_swap = cache(SetupSwap)
"""Of some 240 swaps in an arrangement nearly all are legal in the next one as well."""


@lru_cache(maxsize=64)
def _arrangings(variant: Variant, seat: Seat, line: Line) -> tuple[Arranging, ...]:
    found: list[Arranging] = [Ready(seat), *(Preset(seat, name) for name in PRESETS)]
    homes, spaces = variant.homes, ZONES[seat]
    for label in filter(line.__contains__, PIECES):
        home, here = homes[label], space_in(seat, line, label)
        for space, other in zip(spaces, line, strict=True):
            # G12: each of the two must be allowed to stand where the other does.
            if space not in home or other == label:
                continue
            if other is None:
                found.append(Put(seat, label, space))
            elif here in homes[other]:
                found.append(_swap(seat, label, other))
    return tuple(found)


def _with(pair: tuple[T, T], seat: Seat, value: T) -> tuple[T, T]:
    return (value, pair[1]) if seat == 0 else (pair[0], value)


def space_in(seat: Seat, line: Line, label: Label) -> Space:
    """Where *label* stands in the arrangement *line* of *seat*."""
    return ZONES[seat][line.index(label)]


def faults(seat: Seat, line: Sequence[Label | None], variant: Variant) -> tuple[str, str] | None:
    """A ``length unknown twice missing`` or ``rear`` fault and its unit; ``None`` if sound."""
    if len(line) != len(ZONES[seat]):
        return "length", str(len(line))
    standing = [label for label in line if label is not None]
    for label in standing:
        if label not in PIECES or label not in variant.units:
            return "unknown", label
        if standing.count(label) > 1:
            return "twice", label
    for label in PIECES:
        if label in variant.units and label not in standing:
            return "missing", label
    for space, one in zip(ZONES[seat], line, strict=True):
        if one is not None and not variant.may_stand(one, space):
            return "rear", one
    return None


def arrangings_to(seat: Seat, line: Line, wanted: Line, variant: Variant) -> tuple[Arranging, ...]:
    """Small moves from the arrangement *line* of *seat* to *wanted*, both sound.

    The rear units go first: any unit they displace may stand on circuit 1, so every step is legal.
    """
    now = SetUp(variant, lines=(line, line))
    moves: list[Arranging] = []
    order = sorted(
        (label for label in wanted if label),
        key=lambda label: variant.may_stand(label, ZONES[seat][0]),
    )
    for label in order:
        present = now.lines[seat] or ()
        target = ZONES[seat][wanted.index(label)]
        there = present[wanted.index(label)]
        if there == label:
            continue
        move: Arranging = SetupSwap(seat, label, there) if there else Put(seat, label, target)
        moves.append(move)
        now = now.after(move)
    return tuple(moves)


EMPTY = "."
SHORTEST_LINE = 10
"""From so many words on, what is typed in the set-up is taken for a line."""

_WRAPPED = re.compile(r'\[\w{1,16}\s+"([^"]*)"\s*\]')
_PARTING = re.compile(r"[\s,;/|]+")


def read_line(text: str) -> tuple[Label | None, ...]:
    """The arrangement that *text* writes in listing order; unknown words stay as they are.

    Blanks, commas and bars part words; ``.`` and ``·`` are empty spaces; the tag brackets of a game
    text are optional.
    """
    bare = text.strip()
    if wrapped := _WRAPPED.fullmatch(bare):
        bare = wrapped[1]
    words = [word for word in _PARTING.split(bare) if word]
    return tuple(None if word in (EMPTY, "·") else label_named(word) or word for word in words)


def line_text(line: Sequence[Label | None]) -> str:
    """The arrangement *line* as G17 writes it."""
    return " ".join(label or EMPTY for label in line)


def line_moves(setup: SetUp, seat: Seat, text: str) -> tuple[Arranging, ...]:
    """The small moves to the line *text*; () if none; raises ``IllegalMove`` if it is faulty."""
    wanted = read_line(text)
    present = setup.lines[seat]
    if len(wanted) < SHORTEST_LINE or present is None:
        return ()
    fault = faults(seat, wanted, setup.variant)
    if fault is not None:
        reason, what = fault
        raise IllegalMove(Refusal("G12", own_phrase(f"refusal.line.{reason}", what=what[:16])))
    if wanted == present:
        raise IllegalMove(Refusal("G12", own_phrase("refusal.line.same")))
    return arrangings_to(seat, present, wanted, setup.variant)
