"""The least value of a smooth function of many numbers, by the method L-BFGS.

D. C. Liu and J. Nocedal, "On the limited memory BFGS method for large scale optimization",
Mathematical Programming 45, 1989.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import mul

KEPT = 12
"""How many of the last steps tell how the function bends."""

DECREASE = 1e-4
"""What a step must gain of what the slope promises."""

SHORTEST = 1e-8
"""The part of a step below which there is nothing more to gain."""


def minimum(
    slope: Callable[[list[float]], tuple[float, list[float]]], begun: list[float], rounds: int
) -> list[float]:
    """Where *slope*, which tells the value and its derivatives, is least; from *begun* on.

    It stops after *rounds* steps, or where no step gains anything.
    """
    here = begun
    value, down = slope(here)
    steps: list[tuple[list[float], list[float], float]] = []
    for _ in range(rounds):
        way = _way(down, steps)
        promise = _times(way, down)
        if promise >= 0:
            break
        part = 1.0 if steps else 1 / max(1.0, sum(map(abs, down)))
        while True:
            there = [a + part * b for a, b in zip(here, way, strict=True)]
            lower, then = slope(there)
            if lower <= value + DECREASE * part * promise:
                break
            part /= 2
            if part < SHORTEST:
                return here
        moved = [a - b for a, b in zip(there, here, strict=True)]
        bent = [a - b for a, b in zip(then, down, strict=True)]
        if _times(moved, bent) > 0:
            steps = [*steps[1 - KEPT :], (moved, bent, 1 / _times(moved, bent))]
        here, value, down = there, lower, then
    return here


def _times(a: list[float], b: list[float]) -> float:
    return sum(map(mul, a, b))


def _way(down: list[float], steps: list[tuple[list[float], list[float], float]]) -> list[float]:
    """The direction in which to go, from the slope *down* and what the last *steps* have told."""
    way = [-one for one in down]
    shares = []
    for moved, bent, weight in reversed(steps):
        share = weight * _times(moved, way)
        shares.append(share)
        way = [a - share * b for a, b in zip(way, bent, strict=True)]
    if steps:
        moved, bent, weight = steps[-1]
        scale = 1 / (weight * _times(bent, bent))
        way = [scale * one for one in way]
    for (moved, bent, weight), share in zip(steps, reversed(shares), strict=True):
        back = share - weight * _times(bent, way)
        way = [a + back * b for a, b in zip(way, moved, strict=True)]
    return way
