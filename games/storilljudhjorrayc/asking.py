"""Storilljuðjorrayc asked in words: a space, a radius, a circuit, a unit, and who is in danger."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from games.core import Asking, Phrase, Seat, Who, casefolded, phrase
from games.storilljudhjorrayc.battle import Battle
from games.storilljudhjorrayc.geometry import SPACES, Space
from games.storilljudhjorrayc.names import place, side, unit, unit_at
from games.storilljudhjorrayc.reach import salvo, targets
from games.storilljudhjorrayc.rules import StorillPosition
from games.storilljudhjorrayc.setup import ZONES, SetUp
from games.storilljudhjorrayc.units import ARCHERS, UNITS, Label, label_named

Standing = dict[Space, tuple[Seat, Label]]


def at(seen: StorillPosition, name: str) -> Sequence[Phrase]:
    """The units on a space, a radius (its letter) or a circuit (its number), or where a unit is."""
    wanted, standing = casefolded(name), _standing(seen)
    if wanted in SPACES:
        return (_on(wanted, standing),)
    # A small letter is a radius, a capital one a unit: «a», «A».
    label = None if len(name) == 1 and name.islower() else label_named(name)
    if label is not None:
        return tuple(_where(seen, label))
    row = [space for space in SPACES if wanted and wanted in (space[0], space[1:])]
    if not row:
        return ()
    there = tuple(_owned(*standing[space], space) for space in row if space in standing)
    if not there:
        return (phrase("storilljudhjorrayc.asked.empty-row", row=wanted),)
    return (phrase("storilljudhjorrayc.asked.row", row=wanted, units=there),)


def _standing(seen: StorillPosition) -> Standing:
    stage = seen.stage
    if isinstance(stage, Battle):
        return dict(stage.board.standing)
    return {
        space: (seat, label)
        for seat, line in enumerate(stage.lines)
        for label, space in zip(line or (), ZONES[seat], strict=False)
        if label is not None
    }


def _on(space: Space, standing: Standing) -> Phrase:
    if space not in standing:
        return phrase("storilljudhjorrayc.asked.empty", space=space)
    seat, label = standing[space]
    return phrase("storilljudhjorrayc.asked.space", space=space, unit=unit(label), who=Who(seat))


def _owned(seat: Seat, label: Label, space: Space) -> Phrase:
    return phrase("storilljudhjorrayc.asked.owned", unit=unit_at(label, space), colour=side(seat))


def _where(seen: StorillPosition, label: Label) -> Iterator[Phrase]:
    stage, standing = seen.stage, _standing(seen)
    for seat in (0, 1):
        where = next((s for s, one in standing.items() if one == (seat, label)), None)
        if isinstance(stage, Battle):
            where = stage.board.place(seat, label)
        if where is not None:
            key = "storilljudhjorrayc.asked.unit"
            yield phrase(key, unit=unit(label), place=place(where), who=Who(seat))
        elif isinstance(stage, Battle):
            yield phrase("storilljudhjorrayc.asked.gone", unit=unit(label), who=Who(seat))


def threats(seen: StorillPosition, seat: Seat) -> Sequence[Phrase]:
    """Each unit of *seat* that an enemy could capture now, with who could."""
    stage = seen.stage
    if isinstance(stage, SetUp) or stage.outcome:
        return ()
    board, variant, enemy = stage.board, stage.variant, 1 - seat
    by: dict[Space, list[Phrase]] = {}
    for label in UNITS:
        where = board.place(enemy, label)
        reached = salvo if label in ARCHERS else targets
        for space in reached(board, enemy, label, variant):
            if where is not None and board.standing[space][0] == seat:
                by.setdefault(space, []).append(unit_at(label, where))
    return tuple(
        phrase(
            "storilljudhjorrayc.asked.danger",
            unit=unit_at(board.standing[space][1], space),
            by=tuple(by[space]),
        )
        for space in SPACES
        if space in by
    )


ASKING = Asking(at, threats)
