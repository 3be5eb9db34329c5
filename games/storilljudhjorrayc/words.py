"""All that the picture shows, said in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from games.core import Phrase, Seat, phrase
from games.storilljudhjorrayc.geometry import FOREST
from games.storilljudhjorrayc.names import kind, listed, side, unit_at
from games.storilljudhjorrayc.position import StorillPosition
from games.storilljudhjorrayc.reach import master_needed
from games.storilljudhjorrayc.rules import PASSES_IN_A_ROW, Battle
from games.storilljudhjorrayc.setup import ZONES, SetUp
from games.storilljudhjorrayc.units import AMBUSH_USES, UNITS


def describe(seen: StorillPosition) -> Sequence[Phrase]:
    """What *seen* shows: the mover, each army on the board, in the forest and lost."""
    if isinstance(seen.stage, SetUp):
        return tuple(_setup(seen.stage))
    return tuple(_battle(seen.stage))


def _battle(battle: Battle) -> Iterator[Phrase]:
    if battle.outcome() is None:
        yield phrase("storilljudhjorrayc.words.turn", side=side(battle.turn))
    else:
        yield phrase("storilljudhjorrayc.words.over", side=side(1 - battle.turn))
    for seat in (0, 1):
        yield from _army(battle, seat)
    if battle.passes:
        yield phrase("storilljudhjorrayc.notice.passes", n=battle.passes, most=PASSES_IN_A_ROW)


def _army(battle: Battle, seat: Seat) -> Iterator[Phrase]:
    board = battle.board
    standing = []
    for label in board.left(seat):
        where = board.place(seat, label)
        if where is None or where == FOREST:
            continue
        if master_needed(label) and board.abandoned(seat):
            standing.append(
                phrase(
                    "storilljudhjorrayc.unit-abandoned", kind=kind(label), label=label, place=where
                )
            )
        else:
            standing.append(unit_at(label, where))
    yield _on_board(seat, tuple(standing))
    hidden = [label for label in board.left(seat) if board.place(seat, label) == FOREST]
    if hidden:
        yield phrase("storilljudhjorrayc.words.forest", side=side(seat), units=listed(hidden))
    lost = [label for label in UNITS if board.place(seat, label) is None]
    if lost:
        yield phrase("storilljudhjorrayc.words.lost", side=side(seat), units=tuple(lost))
    uses = battle.ambushes[seat]
    if uses:
        yield phrase("storilljudhjorrayc.words.ambush", side=side(seat), n=uses, most=AMBUSH_USES)


def _on_board(seat: Seat, standing: tuple[Phrase, ...]) -> Phrase:
    if not standing:
        return phrase("storilljudhjorrayc.words.none", side=side(seat))
    return phrase(
        "storilljudhjorrayc.words.board", side=side(seat), units=standing, n=len(standing)
    )


def _setup(setup: SetUp) -> Iterator[Phrase]:
    yield phrase("storilljudhjorrayc.words.setup", side=side(setup.first))
    for seat in (0, 1):
        line = setup.lines[seat]
        if line is None:
            yield phrase("storilljudhjorrayc.words.hidden", side=side(seat))
        else:
            pairs = list(zip(line, ZONES[seat], strict=True))
            yield _on_board(seat, tuple(unit_at(label, space) for label, space in pairs if label))
            empty = tuple(space for label, space in pairs if label is None)
            yield phrase("storilljudhjorrayc.words.empty", side=side(seat), spaces=empty)
        if setup.ready[seat]:
            yield phrase("storilljudhjorrayc.words.ready", side=side(seat))
