"""The fast board beneath the rules: a nossë is an integer, the tops are bitboards.

Sati are numbered in reading order from the north-west corner. The lowest bit of a nossë is its top
piece (0 swan, 1 eagle), its highest bit an end mark: an empty sat is 1, and to lift pieces is a
shift. Turns are the matter of ``rules``.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import combinations, pairwise
from math import comb
from typing import Final, NamedTuple

from games.cirya.move_types import EAST, NORTH, SOUTH, WAYS, WEST, Kind, Place, Shift

SWAN: Final = 0
EAGLE: Final = 1
EMPTY: Final = 1
"""The integer of a nossë without pieces."""

SIZES = range(3, 9)
"""The widths of board that this file can do; ``rules`` offers fewer."""

TABLED: Final = 8
"""Moves with more pieces in hand than this are made anew each time, not kept in tables."""


class Run(NamedTuple):
    """How far a nossë gets one way: *reach* open sati, then *stop* (-1: the shore)."""

    reach: int
    stop: int


class Shape:
    """A board of *size* × *size* sati with at most *limit* pieces carried (C13); see ``shape``."""

    def __init__(self, size: int, limit: int | None) -> None:
        self.size = size
        self.limit = size**3 if limit is None else limit
        self._limit = limit
        self.count = size * size
        self.full = (1 << self.count) - 1
        rows = [sum(1 << (row * size + file) for file in range(size)) for row in range(size)]
        files = [sum(1 << (row * size + file) for row in range(size)) for file in range(size)]
        self.north, self.south, self.west, self.east = rows[0], rows[-1], files[0], files[-1]
        self.names = tuple(
            f"{chr(ord('a') + sat % size)}{size - sat // size}" for sat in range(self.count)
        )
        self.step = {NORTH: -size, EAST: 1, SOUTH: size, WEST: -1}
        self.rays = {
            way: tuple(tuple(self._ray(sat, way)) for sat in range(self.count)) for way in WAYS
        }
        self.runs = tuple(
            tuple((way, _mask(self.rays[way][sat]), self._runs(sat, way)) for way in WAYS)
            for sat in range(self.count)
        )

    def __reduce__(self) -> tuple[object, tuple[int, int | None]]:
        """Another process finds its own table for the same figures."""
        return shape, (self.size, self._limit)

    def __repr__(self) -> str:
        """The same in every process: a board is known by it that was shown before a restart."""
        return f"shape({self.size}, {self._limit})"

    def _ray(self, sat: int, way: str) -> Iterator[int]:
        last = {NORTH: self.north, EAST: self.east, SOUTH: self.south, WEST: self.west}[way]
        while not last >> sat & 1:
            sat += self.step[way]
            yield sat

    def _runs(self, sat: int, way: str) -> dict[int, Run]:
        """The runs from *sat* by the upright pieces that stand on the ray."""
        ray = self.rays[way][sat]
        found = {}
        for pattern in range(1 << len(ray)):
            standing = [there for n, there in enumerate(ray) if pattern >> n & 1]
            stop = standing[0] if standing else -1
            found[_mask(standing)] = Run(ray.index(stop) if standing else len(ray), stop)
        return found

    def beside(self, pieces: int) -> int:
        """The sati of *pieces* and those connected to them by a side."""
        size = self.size
        return (
            pieces
            | (pieces & ~self.east) << 1
            | (pieces & ~self.west) >> 1
            | pieces << size & self.full
            | pieces >> size
        )

    def flood(self, seed: int, pieces: int) -> int:
        """All of *pieces* that are connected with those of *seed*."""
        while True:
            grown = self.beside(seed) & pieces
            if grown == seed:
                return seed
            seed = grown


@cache
def shape(size: int, limit: int | None = None) -> Shape:
    """The one ``Shape`` of *size* and *limit*."""
    return Shape(size, limit)


def _mask(sati: tuple[int, ...] | list[int]) -> int:
    return sum(1 << sat for sat in sati)


@lru_cache(maxsize=1 << 14)
def joins(board: Shape, pieces: int) -> bool:
    """Whether *pieces* hold a chain between two opposite sides (C14)."""
    for start, goal in ((board.north, board.south), (board.west, board.east)):
        if pieces & start and pieces & goal and board.flood(pieces & start, pieces) & goal:
            return True
    return False


def chain(board: Shape, pieces: int) -> tuple[int, ...]:
    """The sati of a shortest londë among *pieces*, from shore to shore; () if there is none."""
    found: list[tuple[int, ...]] = []
    for start, goal in ((board.north, board.south), (board.west, board.east)):
        waves = [pieces & start]
        while waves[-1] and not waves[-1] & goal:
            waves.append(board.beside(waves[-1]) & pieces & ~sum(waves))
        if not waves[-1]:
            continue
        way = [_lowest(waves[-1] & goal)]
        for wave in reversed(waves[:-1]):
            way.append(_lowest(board.beside(1 << way[-1]) & wave))
        found.append(tuple(reversed(way)))
    return min(found, key=len, default=())


def _lowest(bits: int) -> int:
    return (bits & -bits).bit_length() - 1


def compositions(count: int, sati: int) -> Iterator[tuple[int, ...]]:
    """Every way to leave *count* pieces on exactly *sati* sati, at least one on each (C8)."""
    for cuts in combinations(range(1, count), sati - 1):
        yield tuple(end - start for start, end in pairwise((0, *cuts, count)))


def drops(count: int, reach: int, crush: bool) -> Iterator[tuple[int, ...]]:
    """Every way to drop *count* pieces over *reach* open sati, and the crush beyond (C12)."""
    for sati in range(1, min(count, reach) + 1):
        yield from compositions(count, sati)
    if crush and reach == 0 and count == 1:
        yield (1,)
    if crush and 0 < reach < count:
        # C12: the hallacirya alone falls on the tampa, its companions lie before it.
        yield from ((*before, 1) for before in compositions(count - 1, reach))


def count_drops(count: int, reach: int, crush: bool) -> int:
    """How many ways ``drops`` tells, without making them."""
    ways = sum(comb(count - 1, sati - 1) for sati in range(1, min(count, reach) + 1))
    if crush:
        ways += comb(count - 2, reach - 1) if reach and count > 1 else int(reach + 1 == count)
    return ways


def _shifts(sat: int, way: str, most: int, reach: int, crush: bool) -> Iterator[Shift]:
    for count in range(1, most + 1):
        yield from (Shift(sat, way, falls) for falls in sorted(drops(count, reach, crush)))


@lru_cache(maxsize=1 << 15)
def _tabled(sat: int, way: str, most: int, reach: int, crush: bool) -> tuple[Shift, ...]:
    return tuple(_shifts(sat, way, most, reach, crush))


@cache
def placements(sat: int, kinds: tuple[Kind, ...]) -> tuple[Place, ...]:
    """The placements of *kinds* on *sat*."""
    return tuple(Place(sat, kind) for kind in kinds)


class Board(NamedTuple):
    """The pieces on the board and in the reserves, and the seat to play.

    *nosse* is the integer of each sat; *swan* and *eagle* are the sati they control, *tampar* and
    *high* those topped by a tampa and by a hallacirya. *ciryar* and *hallaciryar* are the reserves
    by seat.
    """

    shape: Shape
    nosse: tuple[int, ...]
    swan: int
    eagle: int
    tampar: int
    high: int
    ciryar: tuple[int, int]
    hallaciryar: tuple[int, int]
    mover: int

    @classmethod
    def bare(cls, of: Shape, ciryar: int, hallaciryar: int) -> Board:
        """The empty board, swan to play."""
        both = (ciryar, ciryar), (hallaciryar, hallaciryar)
        return cls(of, (EMPTY,) * of.count, 0, 0, 0, 0, *both, SWAN)

    def held(self, seat: int) -> int:
        """The sati whose top piece is of *seat* (C7)."""
        return self.eagle if seat else self.swan

    def route(self, seat: int) -> int:
        """The sati that count for a londë of *seat*: no tampar (C14)."""
        return (self.eagle if seat else self.swan) & ~self.tampar

    def flats(self, seat: int) -> int:
        """How many nossi of *seat* are topped by a lying cirya (C16)."""
        return (self.held(seat) & ~(self.tampar | self.high)).bit_count()

    @property
    def empty(self) -> int:
        """The sati without pieces."""
        return self.shape.full & ~(self.swan | self.eagle)

    def height(self, sat: int) -> int:
        """How many pieces lie on *sat*."""
        return self.nosse[sat].bit_length() - 1

    def pieces(self, sat: int) -> tuple[int, ...]:
        """The seats of the pieces on *sat*, from the bottom to the top."""
        nosse = self.nosse[sat]
        return tuple(nosse >> up & 1 for up in range(self.height(sat) - 1, -1, -1))

    def kind(self, sat: int) -> Kind:
        """What the top piece of *sat* is."""
        if self.tampar >> sat & 1:
            return Kind.TAMPA
        return Kind.HALLACIRYA if self.high >> sat & 1 else Kind.CIRYA

    def run(self, sat: int, way: str) -> Run:
        """How far pieces from *sat* get that *way* (C9, C10)."""
        _, ray, runs = self.shape.runs[sat][WAYS.index(way)]
        return runs[(self.tampar | self.high) & ray]

    def crushes(self, sat: int, run: Run) -> bool:
        """Whether the top of *sat* may end its run on the tampa that stops it (C12)."""
        return run.stop >= 0 and bool(self.high >> sat & 1) and bool(self.tampar >> run.stop & 1)

    def carried(self, sat: int) -> int:
        """The most pieces that may be lifted from *sat* (C8, C13)."""
        return min(self.nosse[sat].bit_length() - 1, self.shape.limit)

    def plies(self, kinds: tuple[Kind, ...]) -> list[Place | Shift]:
        """Every placement of *kinds* and every move of the mover, sat by sat."""
        found: list[Place | Shift] = []
        of, nosse, tampar, limit = self.shape, self.nosse, self.tampar, self.shape.limit
        upright, held, high = tampar | self.high, self.held(self.mover), self.high
        for sat in range(of.count):
            if nosse[sat] == EMPTY:
                found += placements(sat, kinds)
            elif held >> sat & 1:
                most = nosse[sat].bit_length() - 1
                most = min(most, limit)
                table = _tabled if most <= TABLED else _shifts
                crusher = high >> sat & 1
                for way, ray, runs in of.runs[sat]:
                    reach, stop = runs[upright & ray]
                    crush = bool(crusher and stop >= 0 and tampar >> stop & 1)
                    if reach or crush:
                        found += table(sat, way, most, reach, crush)
        return found

    def placed(self, sat: int, kind: Kind, seat: int) -> Board:
        """The board after a piece of *seat* was placed on the empty *sat* by the mover."""
        of, nosse, swan, eagle, tampar, high, ciryar, hallaciryar, mover = self
        bit = 1 << sat
        if seat:
            eagle |= bit
        else:
            swan |= bit
        if kind is Kind.HALLACIRYA:
            high |= bit
            hallaciryar = _less(hallaciryar, seat)
        else:
            # C6: a tampa is one of the ciryar, stood up.
            ciryar = _less(ciryar, seat)
            if kind is Kind.TAMPA:
                tampar |= bit
        nosse = (*nosse[:sat], EMPTY << 1 | seat, *nosse[sat + 1 :])
        return Board(of, nosse, swan, eagle, tampar, high, ciryar, hallaciryar, 1 - mover)

    def shifted(self, sat: int, way: str, drops: tuple[int, ...]) -> Board:
        """The board after the mover's move from *sat*: bottom piece first (C8)."""
        of, before, swan, eagle, tampar, high, ciryar, hallaciryar, mover = self
        nosse = list(before)
        left = sum(drops)
        here = nosse[sat]
        hand = here & ((1 << left) - 1)
        nosse[sat] = rest = here >> left
        bit = 1 << sat
        was_tampa, was_high = tampar & bit, high & bit
        tampar &= ~bit
        high &= ~bit
        if mover:
            eagle &= ~bit
        else:
            swan &= ~bit
        if rest != EMPTY:
            if rest & 1:
                eagle |= bit
            else:
                swan |= bit
        step = of.step[way]
        for drop in drops:
            sat += step
            left -= drop
            bit = 1 << sat
            nosse[sat] = here = nosse[sat] << drop | hand >> left
            hand &= (1 << left) - 1
            if here & 1:
                eagle |= bit
                swan &= ~bit
            else:
                swan |= bit
                eagle &= ~bit
        if was_tampa:
            tampar |= bit  # C11: it stays upright
        elif was_high:
            high |= bit
            tampar &= ~bit  # C12: the tampa beneath is a flat cirya now
        return Board(of, tuple(nosse), swan, eagle, tampar, high, ciryar, hallaciryar, 1 - mover)

    def after(self, ply: Place | Shift) -> Board:
        """The board after an ordinary ply of the mover."""
        if isinstance(ply, Place):
            return self.placed(ply.sat, ply.kind, self.mover)
        return self.shifted(ply.sat, ply.way, ply.drops)

    def londe(self, seat: int) -> bool:
        """Whether *seat* has a londë (C14)."""
        return joins(self.shape, self.route(seat))

    def is_spent(self) -> bool:
        """Whether a player has nothing left to place, hallacirya included (C16)."""
        ciryar, high = self.ciryar, self.hallaciryar
        return not (ciryar[0] or high[0]) or not (ciryar[1] or high[1])

    def kinds(self) -> tuple[Kind, ...]:
        """What the mover may place from the reserve (C6)."""
        return _KINDS[self.ciryar[self.mover] > 0, self.hallaciryar[self.mover] > 0]


_KINDS = {
    (True, True): (Kind.CIRYA, Kind.TAMPA, Kind.HALLACIRYA),
    (True, False): (Kind.CIRYA, Kind.TAMPA),
    (False, True): (Kind.HALLACIRYA,),
    (False, False): (),
}


def _less(reserve: tuple[int, int], seat: int) -> tuple[int, int]:
    first, second = reserve
    return (first, second - 1) if seat else (first - 1, second)
