"""Where each kind of unit may move and what it may attack (the table of section 4, G3-G10)."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator

from games.core import Seat
from games.storilljudhjorrayc.board import Board
from games.storilljudhjorrayc.geometry import (
    CLEARING_RAYS,
    DIAGONAL,
    FOREST,
    OUTER,
    RADIAL,
    RAYS,
    ROUND,
    STRAIGHT_RAYS,
    TANGENTIAL,
    Place,
    Ray,
    Space,
    along,
    circuit_of,
    inward,
)
from games.storilljudhjorrayc.options import Variant
from games.storilljudhjorrayc.units import GUARD_CLASS, GUARDS, KING, LORDS, NOBLES, Label, kind_of


def rays_of(space: Space, variant: Variant) -> tuple[Ray, ...]:
    """The radial ways from *space* (G3)."""
    return STRAIGHT_RAYS[space] if variant.straight else RAYS[space]


def destinations(board: Board, seat: Seat, label: Label, variant: Variant) -> tuple[Place, ...]:
    """The empty places to which the unit *label* of *seat* may move, the forest last."""
    origin = board.place(seat, label)
    if origin is None:
        return ()
    standing = board.standing
    if origin == FOREST:
        # G5: out of the forest to any empty outer space, where the move ends.
        return tuple(space for space in OUTER if space not in standing)
    ways = dict.fromkeys(_ways(board, seat, label, origin, variant))
    reached: list[Place] = [
        space for space in ways if space not in standing and variant.may_stand(label, space)
    ]
    if variant.may_stand(label, FOREST) and _at_the_edge(board, seat, label, origin, reached):
        reached.append(FOREST)
    return tuple(reached)


def _at_the_edge(
    board: Board, seat: Seat, label: Label, origin: Space, reached: Iterable[Place]
) -> bool:
    """Whether the forest is a radial step away, or the end of a guard's long way (G5)."""
    if circuit_of(origin) == 1:
        return True
    if label not in GUARD_CLASS or _is_abandoned(board, seat, label):
        return False
    # Diagonal steps to circuit 1 do not lead on: the way must be a radial one.
    beside = (*DIAGONAL[origin], *TANGENTIAL[origin])
    return any(circuit_of(space) == 1 and space not in beside for space in reached)


def _is_abandoned(board: Board, seat: Seat, label: Label) -> bool:
    """Whether *label* is a guard without a guardmaster; G18: the master itself never is."""
    return label in GUARDS and board.is_abandoned(seat)


def _ways(
    board: Board, seat: Seat, label: Label, origin: Space, variant: Variant
) -> Iterator[Space]:
    """Where the legs of *label* carry it, occupied spaces included."""
    standing = board.standing
    match kind_of(label):
        case "KM":
            yield from _far(ROUND[origin], standing, 2)
            yield from _far(rays_of(origin, variant), standing, 2)
        case "JM" | "J" if not _is_abandoned(board, seat, label):
            yield from (*TANGENTIAL[origin], *DIAGONAL[origin])
            # G4: a guard may not pass through the focus either.
            free = variant.guards_in_focus
            yield from _far(rays_of(origin, variant) if free else CLEARING_RAYS[origin], standing)
        case "A" | "S" | "T" | "J":
            # Z9: an abandoned guard, too, goes one space, along the circuit or the radius.
            yield from (*TANGENTIAL[origin], *RADIAL[origin])
        case "K":
            yield from _far(ROUND[origin], standing, 2)
        case "P":
            yield from _far(ROUND[origin], standing)
        case _:
            return  # Z12: the ambush only goes in and out of the forest.


def _far(rays: Iterable[Ray], standing: Container[Space], limit: int = 16) -> Iterator[Space]:
    """Every space that *rays* reach in *limit* steps; nobody jumps (G6)."""
    for ray in rays:
        yield from along(ray, standing, limit)


def targets(board: Board, seat: Seat, label: Label, variant: Variant) -> tuple[Space, ...]:
    """The enemies that a unit may attack, also out of the forest; archers have a ``salvo``."""
    origin = board.place(seat, label)
    if origin is None:
        return ()
    standing = board.standing
    if origin == FOREST:
        # G5, G10: of the units in the forest only the ambush can attack.
        seen: Iterable[Space] = OUTER if kind_of(label) == "W" else ()
    else:
        seen = dict.fromkeys(aims(board, seat, label, origin, variant))
    enemy_king = (1 - seat, KING)
    return tuple(
        space
        for space in seen
        if (unit := standing.get(space)) is not None
        and unit[0] != seat
        and not (label == KING and unit == enemy_king)  # Z11: kings may not capture each other.
    )


def aims(
    board: Board, seat: Seat, label: Label, origin: Space, variant: Variant
) -> Iterator[Space]:
    """The spaces on which the unit *label*, standing on *origin*, might capture an enemy."""
    standing = board.standing
    match kind_of(label):
        case "A" | "S" | "T":
            yield from (*TANGENTIAL[origin], *RADIAL[origin])
        case "KM":
            yield from (*TANGENTIAL[origin], *RADIAL[origin], *DIAGONAL[origin])
        case "JM" | "J":
            yield from (*TANGENTIAL[origin], *DIAGONAL[origin])
            # Z9: an abandoned guard sees two spaces along the radius, the others any number.
            limit = 2 if _is_abandoned(board, seat, label) else 16
            yield from _far(rays_of(origin, variant), standing, limit)
        case "P":
            # A flank never attacks along its circuit.
            yield from DIAGONAL[origin]
            yield from _far(rays_of(origin, variant), standing)
        case _:
            return


def beam(origin: Space) -> tuple[Space, ...]:
    """The three spaces before an archer on *origin* (circuit 1), the nearest first (G9)."""
    (two,) = inward(origin)
    (three,) = inward(two)
    return (two, three, *inward(three))


def salvo(board: Board, seat: Seat, label: Label, variant: Variant) -> tuple[Space, ...]:
    """The spaces that the archers *label* of *seat* would empty; () without an enemy there (G9)."""
    origin = board.place(seat, label)
    if origin is None or origin == FOREST:
        return ()
    hit = [space for space in beam(origin) if space in board.standing]
    enemies = [space for space in hit if board.standing[space][0] != seat]
    return tuple(hit if variant.friendly_fire else enemies) if enemies else ()


def switches(board: Board, seat: Seat, label: Label, variant: Variant) -> tuple[Space, ...]:
    """The spaces of the guards that the noble *label* of *seat* may change places with (G7)."""
    origin = board.place(seat, label)
    if label not in NOBLES or origin is None or origin == FOREST:
        return ()
    return tuple(
        space
        for space in (*TANGENTIAL[origin], *RADIAL[origin])
        if (unit := board.standing.get(space)) is not None
        and unit[0] == seat
        and unit[1] in GUARD_CLASS
        and variant.may_stand(label, space)
        and variant.may_stand(unit[1], origin)
    )


def lord_steps(
    board: Board, seat: Seat, variant: Variant
) -> Iterator[tuple[tuple[Place, Place], tuple[Place, Place]]]:
    """The pairs of steps, left lord's first, that both lords may take at once (G8)."""
    left, right = (board.place(seat, label) for label in LORDS)
    if left is None or right is None:
        return
    # Each may step where the other stands now, provided that the other leaves.
    left_alone = board.with_unit(seat, LORDS[1], FOREST)
    right_alone = board.with_unit(seat, LORDS[0], FOREST)
    for one in destinations(left_alone, seat, LORDS[0], variant):
        for other in destinations(right_alone, seat, LORDS[1], variant):
            # G8: not the same target; the forest has room for both.
            # G19: exchanging places is not moving.
            if (one != other or one == FOREST) and (one, other) != (right, left):
                yield (left, one), (right, other)
