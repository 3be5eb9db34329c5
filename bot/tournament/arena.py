"""Arenas: whoever is free meets whoever is free and stands next. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bot.tournament.values import WIN, Tournament

DOUBLED = 2
"""After so many wins in a row every point counts twice, as long as the wins go on."""

FACTOR = 2
"""What the half points of a game count in an arena: 2–1–0 points for a win, draw and loss."""


def arena_points(results: Sequence[int]) -> int:
    """The half points of an arena for games with the half points *results*, the first first.

    A win has 2 points, a draw 1; from the third win in a row on all is doubled.
    """
    total = row = 0
    for points in results:
        total += FACTOR * points * (2 if row >= DOUBLED else 1)
        row = row + 1 if points == WIN else 0
    return total


def results_in_order(tournament: Tournament) -> Mapping[int, list[int]]:
    """By entrant, the half points of their games that are over, in the order of their ends."""
    over = [game for _, _, game in tournament.games() if game.result is not None]
    found: dict[int, list[int]] = {one.number: [] for one in tournament.entrants}
    for game in sorted(over, key=lambda one: one.order):
        for entrant in game.seats:
            found[entrant].append(game.points_of(entrant))
    return found


def free_pairs(tournament: Tournament) -> list[tuple[int, int]]:
    """Who is to play whom now; the one who has had the first side less often has it."""
    busy = {n for _, _, game in tournament.games() if game.result is None for n in game.seats}
    results = results_in_order(tournament)
    free = [one.number for one in tournament.present if one.number not in busy]
    free.sort(key=lambda n: (-arena_points(results[n]), n))
    last, sides = _last_opponents(tournament), _sides(tournament)
    found: list[tuple[int, int]] = []
    while len(free) > 1:
        first = free.pop(0)
        others = [one for one in free if last.get(first) != one or last.get(one) != first]
        if not others:
            # Somebody else may be free soon, unless these two are all that is left.
            if busy or found:
                break
            others = free
        second = others[0]
        free.remove(second)
        found.append((first, second) if sides[first] <= sides[second] else (second, first))
    return found


def _last_opponents(tournament: Tournament) -> dict[int, int]:
    found: dict[int, int] = {}
    for _, _, game in tournament.games():
        first, second = game.seats
        found[first], found[second] = second, first
    return found


def _sides(tournament: Tournament) -> dict[int, int]:
    """By entrant, how much oftener they had the first side than the second."""
    found = {one.number: 0 for one in tournament.entrants}
    for _, _, game in tournament.games():
        first, second = game.seats
        found[first] += 1
        found[second] -= 1
    return found
