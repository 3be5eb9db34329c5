"""Storilljuðjorrayc the slow way: every unit, every place, every act, one predicate each.

An independent reading of the rules that shares no code with ``games.storilljudhjorrayc``. The
board is made of ring sectors with angles, and who neighbours whom follows from how sectors
touch; a position is its text; a legal act is a notation.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from functools import cache

UNITS = [
    "A",
    "KM",
    "JM",
    "SÞ",
    "SD",
    "JÞ",
    "JD",
    "KÞ",
    "KD",
    "PÞ",
    "PD",
    "T1",
    "T2",
    "T3",
    "T4",
    "T5",
    "W",
]
LETTERS = "abcdefghijklmnop"
TURN = 16  # sixteenths of a full turn
DEFAULTS = {"friendly_fire": "yes", "crossing": "ends", "guards_in_focus": "no", "forest": "all"}

# A space: (ring 1..6, first sixteenth, width in sixteenths).
Sector = tuple[int, int, int]
PLACES: dict[str, Sector] = {
    **{f"{LETTERS[s]}{r}": (r, s, 1) for r in (1, 2, 3, 4) for s in range(16)},
    **{f"{LETTERS[s]}{r}": (r, s, 2) for r in (5, 6) for s in range(0, 16, 2)},
}


def _edges(space: str) -> tuple[int, int]:
    _, start, width = PLACES[space]
    return start % TURN, (start + width) % TURN


def _covers(space: str) -> set[int]:
    _, start, width = PLACES[space]
    return {(start + k) % TURN for k in range(width)}


@cache
def touch(one: str, two: str) -> str:
    """How two spaces touch: ``t`` along the ring, ``r`` along the radius, ``d`` in a corner."""
    if one == two:
        return ""
    ring, other = PLACES[one][0], PLACES[two][0]
    corners = set(_edges(one)) & set(_edges(two))
    if ring == other:
        if corners:
            return "t"
        return "r" if ring == 6 else ""
    if abs(ring - other) == 1:
        if _covers(one) & _covers(two):
            return "r"
        return "d" if corners else ""
    return ""


@cache
def neighbours(space: str, how: str) -> tuple[str, ...]:
    return tuple(other for other in PLACES if touch(space, other) == how)


def _middle(space: str) -> int:
    _, start, width = PLACES[space]
    return (2 * start + width) % (2 * TURN)


@cache
def radial_paths(space: str, straight: bool) -> tuple[tuple[str, ...], ...]:
    """Every longest way along a radius from *space*."""
    found: list[tuple[str, ...]] = []

    def follow(path: tuple[str, ...], way: str) -> None:
        last = path[-1]
        ring = PLACES[last][0]
        onward: list[tuple[str, str]] = []
        if way == "in":
            onward = [(n, "in") for n in neighbours(last, "r") if PLACES[n][0] == ring + 1]
            if ring == 6:
                for n in neighbours(last, "r"):
                    if PLACES[n][0] == 6:
                        facing = abs(_middle(n) - _middle(last)) == TURN
                        if not straight:
                            onward.append((n, "end"))
                        elif facing:
                            onward.append((n, "out"))
                        elif len(path) == 1:
                            onward.append((n, "end"))
        elif way == "out":
            onward = [(n, "out") for n in neighbours(last, "r") if PLACES[n][0] == ring - 1]
        if not onward and len(path) > 1:
            found.append(path[1:])
        for step, then in onward:
            follow((*path, step), then)

    follow((space,), "in")
    follow((space,), "out")
    return tuple(found)


@cache
def ring_paths(space: str) -> tuple[tuple[str, ...], ...]:
    found = []
    for first in neighbours(space, "t"):
        path = [first]
        before = space
        while True:
            (following,) = (n for n in neighbours(path[-1], "t") if n != before)
            if following == space:
                break
            before = path[-1]
            path.append(following)
        found.append(tuple(path))
    return tuple(found)


class Slow:
    """A position from its text, and what may be done in it."""

    def __init__(self, text: str, options: Mapping[str, str] = DEFAULTS) -> None:
        green, purple, mover, uses, passes = text.split()
        self.options = {**DEFAULTS, **options}
        self.sides: list[dict[str, str]] = [
            dict(entry.split(":") for entry in side.split(",")) if side != "-" else {}
            for side in (green, purple)
        ]
        self.turn = "gp".index(mover)
        self.uses = [int(n) for n in uses.split(",")]
        self.passes = int(passes)

    @property
    def own(self) -> dict[str, str]:
        return self.sides[self.turn]

    @property
    def enemy(self) -> dict[str, str]:
        return self.sides[1 - self.turn]

    def text(self) -> str:
        sides = [
            ",".join(f"{unit}:{side[unit]}" for unit in UNITS if unit in side) or "-"
            for side in self.sides
        ]
        return (
            f"{sides[0]} {sides[1]} {'gp'[self.turn]} {self.uses[0]},{self.uses[1]} {self.passes}"
        )

    def busy(self, place: str) -> bool:
        return place != "~" and (place in self.own.values() or place in self.enemy.values())

    def alone(self) -> bool:
        return self.own.get("JM", "~") == "~"

    def welcome(self, unit: str, place: str) -> bool:
        if place == "~":
            if self.options["forest"] == "rear":
                return unit[0] in "PW" or unit in ("KÞ", "KD", "JM")
            return unit not in ("A", "KM")
        ring = PLACES[place][0]
        if unit in ("KÞ", "KD", "PÞ", "PD", "W"):
            return ring == 1
        if ring < 5 or unit == "KM" or unit[0] == "T":
            return True
        return unit[0] == "J" and self.options["guards_in_focus"] == "yes"

    def _paths(self, space: str) -> tuple[tuple[str, ...], ...]:
        return radial_paths(space, self.options["crossing"] == "straight")

    def _open_way(self, unit: str, path: tuple[str, ...], to: str) -> bool:
        """Whether *path* leads to *to* over free spaces that the unit may cross."""
        if to not in path:
            return False
        between = path[: path.index(to)]
        return all(not self.busy(s) and self.welcome(unit, s) for s in between)

    def _sees(self, path: tuple[str, ...], to: str, far: int = 99) -> bool:
        if to not in path[:far]:
            return False
        return not any(self.busy(s) for s in path[: path.index(to)])

    def can_move(self, unit: str, to: str) -> bool:
        at = self.own[unit]
        if at == to or self.busy(to) or not self.welcome(unit, to):
            return False
        if at == "~":
            return to != "~" and PLACES[to][0] == 1
        guard = unit == "JM" or (unit in ("JÞ", "JD") and not self.alone())
        if to == "~":
            if PLACES[at][0] == 1:
                return True
            return guard and any(
                self._open_way(unit, path, s) and not self.busy(s)
                for path in self._paths(at)
                for s in path
                if PLACES[s][0] == 1 and self.welcome(unit, s)
            )
        how = touch(at, to)
        if unit == "W":
            return False
        if unit == "KM":
            ways = [path[:2] for path in (*self._paths(at), *ring_paths(at))]
            return any(self._open_way(unit, path, to) for path in ways)
        if guard:
            return how in ("t", "d") or any(self._open_way(unit, p, to) for p in self._paths(at))
        if unit in ("KÞ", "KD"):
            return any(self._open_way(unit, path[:2], to) for path in ring_paths(at))
        if unit in ("PÞ", "PD"):
            return any(self._open_way(unit, path, to) for path in ring_paths(at))
        return how in ("t", "r")

    def can_attack(self, unit: str, to: str) -> bool:
        at = self.own[unit]
        victims = [name for name, place in self.enemy.items() if place == to and to != "~"]
        if not victims or unit in ("KÞ", "KD"):
            return False
        if unit == "W":
            return at == "~" and PLACES[to][0] == 1
        if at == "~" or (unit == "A" and victims == ["A"]):
            return False
        how = touch(at, to)
        if unit == "KM":
            return bool(how)
        if unit[0] == "J":
            far = 2 if unit != "JM" and self.alone() else 99
            return how in ("t", "d") or any(self._sees(p, to, far) for p in self._paths(at))
        if unit[0] == "P":
            return how == "d" or any(self._sees(p, to) for p in self._paths(at))
        return how in ("t", "r")

    def shot(self, unit: str) -> list[str]:
        """The units, as ``side:unit``, that fall when archers shoot; none if they may not."""
        at = self.own[unit]
        if at == "~":
            return []
        beam = [f"{at[0]}{ring}" for ring in (2, 3, 4)]
        foes = [f"e:{name}" for name, place in self.enemy.items() if place in beam]
        mine = [f"o:{name}" for name, place in self.own.items() if place in beam]
        if not foes:
            return []
        return foes + (mine if self.options["friendly_fire"] == "yes" else [])

    def acts(self) -> Iterator[str]:
        for unit, at in self.own.items():
            for to in (*PLACES, "~"):
                if self.can_move(unit, to):
                    yield f"{unit} {at}-{to}"
                if to != "~" and self.can_attack(unit, to):
                    yield f"{unit} {at}x{to}"
            if unit in ("KÞ", "KD") and self.shot(unit):
                yield f"{unit} {at}x"
            if unit in ("A", "SÞ", "SD") and at != "~":
                for guard in ("JM", "JÞ", "JD"):
                    there = self.own.get(guard, "~")
                    if (
                        there != "~"
                        and touch(at, there) in ("t", "r")
                        and self.welcome(unit, there)
                    ):
                        yield f"{unit} {at}<>{there}"
        yield from self._lords()
        yield "--"

    def _lord_step(self, lord: str, to: str) -> bool:
        """Whether *lord* alone would get to *to*, whoever stands there."""
        at = self.own[lord]
        if at == to or not self.welcome(lord, to):
            return False
        if "~" in (at, to):
            return PLACES[at if to == "~" else to][0] == 1
        return touch(at, to) in ("t", "r")

    def _lords(self) -> Iterator[str]:
        if "SÞ" not in self.own or "SD" not in self.own:
            return
        left, right = self.own["SÞ"], self.own["SD"]
        others = {p for side in self.sides for u, p in side.items()} - {"~"}
        others -= {left, right}
        for one in (*PLACES, "~"):
            if one in others or not self._lord_step("SÞ", one):
                continue
            for two in (*PLACES, "~"):
                if two in others or not self._lord_step("SD", two):
                    continue
                if (one == two and one != "~") or (one == right and two == left):
                    continue
                yield f"SÞ {left}-{one} & SD {right}-{two}"

    def after(self, act: str) -> Slow:
        """The position once *act* has been carried out."""
        following = Slow(self.text(), self.options)
        own, enemy = following.own, following.enemy
        if act == "--":
            following.passes += 1
        else:
            following.passes = 0
            for part in act.split(" & "):
                unit, what = part.split()
                if "<>" in what:
                    at, to = what.split("<>")
                    guard = next(name for name, place in own.items() if place == to)
                    own[unit], own[guard] = to, at
                elif what.endswith("x"):
                    for fallen in self.shot(unit):
                        side, name = fallen.split(":")
                        del (enemy if side == "e" else own)[name]
                elif "x" in what:
                    at, to = what.split("x")
                    del enemy[next(name for name, place in enemy.items() if place == to)]
                    if unit == "W":
                        own["W"] = to
                        following.uses[self.turn] += 1
                        if following.uses[self.turn] == 3:
                            del own["W"]
                else:
                    own[unit] = what.split("-")[1]
        following.turn = 1 - self.turn
        return following


def random_position(rng: random.Random) -> tuple[str, dict[str, str]]:
    """A position text and the options under which it stands; nobody has won in it yet."""
    options = {
        "friendly_fire": rng.choice(["yes", "no"]),
        "crossing": rng.choice(["ends", "ends", "straight"]),
        "guards_in_focus": rng.choice(["no", "no", "yes"]),
        "forest": rng.choice(["all", "rear"]),
    }
    empty = Slow("- - g 0,0 0", options)
    free = set(PLACES)
    fill = rng.uniform(0.2, 1.0)
    royal = [rng.choice(["A", "KM"]) for _ in range(2)]
    for side in (0, 1):
        for unit in UNITS:
            if unit != royal[side] and rng.random() > fill:
                continue
            places = [s for s in (*sorted(free), *["~"] * 4) if empty.welcome(unit, s)]
            near = [s for s in places if s != "~" and PLACES[s][1] < 6]
            place = rng.choice(near if near and rng.random() < 0.5 else places)
            free.discard(place)
            empty.sides[side][unit] = place
    if all(set(side) == {"A"} for side in empty.sides):
        return random_position(rng)
    for side in (0, 1):
        empty.uses[side] = rng.randrange(3 if "W" in empty.sides[side] else 4)
    empty.turn = rng.randrange(2)
    empty.passes = rng.choice([0, 0, 0, 1, 2])
    return empty.text(), options
