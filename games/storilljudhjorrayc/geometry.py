"""The round board, from a few lines of arithmetic (Z1, Z2, G1, G2, G3).

A space is named by its radius and its circuit: ``a1`` … ``p4`` in the clearing, ``a5`` … ``o6`` in
the focus, by the first letter of its pair of radii. Circuit 1 is the outermost. Radii run
clockwise; the north meridian lies between ``p`` and ``a``.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

Space: TypeAlias = str
"""The name of one of the eighty spaces."""

Place: TypeAlias = str
"""A space, or the forest."""

RADII = "abcdefghijklmnop"
CLEARING_CIRCUITS = range(1, 5)
FOCUS_CIRCUITS = range(5, 7)
FOREST: Place = "~"
"""The forest: one region round the board, room for everybody (G5)."""


def place_named(text: str) -> Place | None:
    """The space that *text* names, or the forest; G1: ``b5`` is accepted for ``a5``."""
    return _NAMED.get(text.strip().lower())


def sectors(circuit: int) -> int:
    """How many spaces *circuit* has: sixteen in the clearing, eight in the focus (Z1)."""
    return 16 if circuit in CLEARING_CIRCUITS else 8


def named(circuit: int, sector: int) -> Space:
    """The space of *circuit* (1 … 6) in *sector*, counted clockwise from north, round and round."""
    count = sectors(circuit)
    return f"{RADII[sector % count * (16 // count)]}{circuit}"


def circuit_of(space: Space) -> int:
    """The circuit of *space*, 1 (outermost) to 6."""
    return int(space[1])


def sector_of(space: Space) -> int:
    """The sector of *space* in its circuit: 0 … 15, in the focus 0 … 7."""
    return RADII.index(space[0]) // (16 // sectors(circuit_of(space)))


SPACES: tuple[Space, ...] = tuple(
    named(circuit, sector) for circuit in range(1, 7) for sector in range(sectors(circuit))
)
OUTER: tuple[Space, ...] = SPACES[:16]
"""Circuit 1, where the forest begins."""

FOCUS: frozenset[Space] = frozenset(s for s in SPACES if circuit_of(s) in FOCUS_CIRCUITS)


def inward(space: Space) -> tuple[Space, ...]:
    """The neighbour of *space* towards the centre; none on circuit 6."""
    circuit, sector = circuit_of(space), sector_of(space)
    match circuit:
        case 6:
            return ()
        case 4:
            return (named(5, sector // 2),)
        case _:
            return (named(circuit + 1, sector),)


def outward(space: Space) -> tuple[Space, ...]:
    """The neighbours of *space* away from the centre: on circuit 5 there are two (G2)."""
    circuit, sector = circuit_of(space), sector_of(space)
    match circuit:
        case 1:
            return ()
        case 5:
            return named(4, 2 * sector), named(4, 2 * sector + 1)
        case _:
            return (named(circuit - 1, sector),)


def across(space: Space) -> tuple[Space, ...]:
    """The five spaces of circuit 6 that face *space* over the centre (Z2); none elsewhere."""
    if circuit_of(space) != 6:
        return ()
    return tuple(named(6, sector_of(space) + step) for step in (2, 3, 4, 5, 6))


def diagonal(space: Space) -> tuple[Space, ...]:
    """The spaces that touch *space* in a corner only, never over the centre (Z2, G2)."""
    circuit, sector = circuit_of(space), sector_of(space)
    near: list[Space] = []
    if circuit == 5:
        near += [named(4, 2 * sector - 1), named(4, 2 * sector + 2)]
    elif circuit > 1:
        near += [named(circuit - 1, sector - 1), named(circuit - 1, sector + 1)]
    if circuit == 4:
        # The outer half of one corner only: the other lies in the middle of an edge.
        near.append(named(5, sector // 2 + (1 if sector % 2 else -1)))
    elif circuit < 6:
        near += [named(circuit + 1, sector - 1), named(circuit + 1, sector + 1)]
    return tuple(near)


@dataclass(frozen=True, slots=True)
class Ray:
    """A way along a radius: spaces in order, then the ways that it may take from there."""

    path: tuple[Space, ...]
    forks: tuple[Ray, ...] = ()


def _run(space: Space, stop: Container[Space] = ()) -> tuple[Space, ...]:
    """The spaces inward of *space* up to circuit 6, or up to the first one in *stop*."""
    found: list[Space] = []
    while (step := inward(found[-1] if found else space)) and step[0] not in stop:
        found += step
    return tuple(found)


def _outward_rays(space: Space) -> tuple[Ray, ...]:
    """The ways out: on circuit 5 along either of two radii (G3)."""
    circuit, sector = circuit_of(space), sector_of(space)
    if circuit == 6:
        (five,) = outward(space)
        return (Ray((five,), _outward_rays(five)),)
    if circuit == 5:
        return tuple(Ray((four, *_outward_rays(four)[0].path)) for four in outward(space))
    return (Ray(tuple(named(further, sector) for further in range(circuit - 1, 0, -1))),)


def _crossings(space: Space, straight: bool) -> tuple[Ray, ...]:
    """The ways over the centre from *space* on circuit 6, for a ray from outside.

    G3: one crossing to any of five spaces, where the ray ends; with *straight* only to the space
    opposite, and outward from there.
    """
    if not straight:
        return tuple(Ray((six,)) for six in across(space))
    opposite = named(6, sector_of(space) + 4)
    return (Ray((opposite,), _outward_rays(opposite)),)


def _rays(space: Space, straight: bool) -> tuple[Ray, ...]:
    if circuit_of(space) == 6:
        # Z2: one step over the centre is a step to any of the five, under either option.
        onward = _crossings(space, straight)
        begun = {ray.path[0] for ray in onward}
        steps = tuple(Ray((six,)) for six in across(space) if six not in begun)
        return (*steps, *onward, *_outward_rays(space))
    path = _run(space)
    return (Ray(path, _crossings(path[-1], straight)), *_outward_rays(space))


_NAMED: Mapping[str, Place] = {
    **{space: space for space in (*SPACES, FOREST)},
    **{RADII[RADII.index(s[0]) + 1] + s[1]: s for s in FOCUS},
}

TANGENTIAL: Mapping[Space, tuple[Space, ...]] = {
    s: tuple(named(circuit_of(s), sector_of(s) + step) for step in (-1, 1)) for s in SPACES
}
"""The two neighbours of each space along its circuit (Z2), counter-clockwise first."""

RADIAL: Mapping[Space, tuple[Space, ...]] = {
    s: (*inward(s), *outward(s), *across(s)) for s in SPACES
}
"""Every neighbour of each space along a radius, those over the centre included (Z2)."""

DIAGONAL: Mapping[Space, tuple[Space, ...]] = {s: diagonal(s) for s in SPACES}
RAYS: Mapping[Space, tuple[Ray, ...]] = {s: _rays(s, straight=False) for s in SPACES}
"""The rays of each space where a crossing ends the ray (G3)."""

STRAIGHT_RAYS: Mapping[Space, tuple[Ray, ...]] = {s: _rays(s, straight=True) for s in SPACES}
"""The rays of each space with the option ``crossing=straight`` (G3)."""

CLEARING_RAYS: Mapping[Space, tuple[Ray, ...]] = {
    s: (Ray(_run(s, FOCUS)), *_outward_rays(s)) for s in SPACES if s not in FOCUS
}
"""The rays of each space of the clearing for those who may not enter the focus (G4)."""


def _round(space: Space, way: int) -> Ray:
    circuit, sector = circuit_of(space), sector_of(space)
    return Ray(tuple(named(circuit, sector + way * n) for n in range(1, sectors(circuit))))


ROUND: Mapping[Space, tuple[Ray, Ray]] = {s: (_round(s, -1), _round(s, 1)) for s in SPACES}
"""Both ways round the circuit of each space, back to the space next to it."""


def along(ray: Ray, standing: Container[Space], limit: int = 16) -> Iterator[Space]:
    """The spaces that *ray* reaches in at most *limit* steps.

    The first one in *standing* comes last: it can be attacked and not moved to.
    """
    for space in ray.path[:limit]:
        yield space
        if space in standing:
            return
    if limit > len(ray.path):
        for fork in ray.forks:
            yield from along(fork, standing, limit - len(ray.path))
