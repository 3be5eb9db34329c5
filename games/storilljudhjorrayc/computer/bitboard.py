"""The fast board beneath the computer player: two armies in bytes, the occupied spaces in bits.

The reach of each kind is looked up by the occupied spaces in its way. The rules' own generators
fill the tables as they are needed: there is no second rule book.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Final, TypeAlias, TypeVar

from games.core import Seat
from games.core.search import WIN
from games.storilljudhjorrayc.battle_phase import QUIET_PLIES, Battle
from games.storilljudhjorrayc.board import Army, Board, Crowd, army
from games.storilljudhjorrayc.geometry import FOREST, OUTER, RADIAL, SPACES, TANGENTIAL, Place
from games.storilljudhjorrayc.move_types import (
    Act,
    Ambuscade,
    Attack,
    BothLords,
    Pass,
    Salvo,
    Step,
    Switch,
)
from games.storilljudhjorrayc.options import Variant
from games.storilljudhjorrayc.reach import aims, beam, destinations, switches, targets
from games.storilljudhjorrayc.units import (
    AMBUSH,
    AMBUSH_USES,
    GUARDMASTER,
    GUARDS,
    INDEX,
    LORDS,
    UNITS,
    Label,
    kind_of,
)

SIDE: Final = len(UNITS)
"""How many units an army has: green's are the bytes before it, purple's those from it on."""

TURN: Final = 2 * SIDE
USED: Final = TURN + 1
"""Where the bytes say who moves, and how often each ambush has captured."""

WOODS: Final = 80
GONE: Final = 81
"""The bytes of the forest and of a captured unit; spaces are numbered as ``SPACES`` lists them."""

PLACES: tuple[Place, ...] = (*SPACES, FOREST, "")
NUMBER = {place: number for number, place in enumerate(PLACES[:GONE])}
BIT: Final = (*(1 << number for number in range(80)), 0, 0)
OUTSIDE: Final = sum(BIT[:16])
MASTER: Final = INDEX[GUARDMASTER]
_LEFT: Final = INDEX[LORDS[0]]
_RIGHT: Final = INDEX[LORDS[1]]
AMBUSH_AT: Final = INDEX[AMBUSH]
GUARDS_AT: Final = tuple(INDEX[label] for label in GUARDS)

# Final numbers, one by one: a compiler writes them where they are used.
STEP: Final = 0
ATTACK: Final = 1 << 24
SALVO: Final = 2 << 24
AMBUSCADE: Final = 3 << 24
SWITCH: Final = 4 << 24
LORDS_STEP: Final = 5 << 24
PASS: Final = 6 << 24
KIND: Final = 7 << 24
"""A move is a number: its kind, its unit << 16, another place << 8, the place it goes to."""

Code: TypeAlias = int
Bits: TypeAlias = int

ROWS: tuple[Label, ...] = ("A", "KM", "JM", "SÞ", "JÞ", "KÞ", "PÞ", "T1", "W")
"""One unit for each kind; a guard without its master is the row after them."""

ABANDONED = len(ROWS)
_ROW_OF_KIND = {kind_of(label): row for row, label in enumerate(ROWS)}
ROW: Final = tuple(_ROW_OF_KIND[kind_of(label)] for label in UNITS)
GUARD: Final = _ROW_OF_KIND["J"]
SHOOTER: Final = _ROW_OF_KIND["K"]
_NOBLE: Final = (_ROW_OF_KIND["A"], _ROW_OF_KIND["S"])
_GUARDIANS: Final = (MASTER, *GUARDS_AT)

FULLEST = 20_000
"""So many looks at the rules are kept: some 10 MB. More find nothing more in a thought."""

T = TypeVar("T")


class Field:
    """*units* by seat, *green* and *purple* spaces as bits, *quiet* plies in a row (G16)."""

    __slots__ = ("green", "purple", "quiet", "units")

    def __init__(self, units: bytes, green: Bits, purple: Bits, quiet: int) -> None:
        self.units = units
        self.green = green
        self.purple = purple
        self.quiet = quiet


class Ground:
    """What the rules of one *variant* allow each kind, by the occupied spaces; see ``ground``."""

    def __init__(self, variant: Variant) -> None:
        self.variant = variant
        rows = range(len(ROWS) + 1)
        self.ways = tuple(tuple(self._way(row, place) for place in range(81)) for row in rows)
        """By row and place: the spaces that matter to a step."""
        self.sights = tuple(tuple(self._sight(row, place) for place in range(81)) for row in rows)
        """By row and place: the spaces that matter to an attack."""
        self.beams = tuple(_bits(beam(space)) for space in OUTER)
        self.exchanges = tuple(
            tuple(self._exchange(row, place) for place in range(80)) for row in range(4)
        )
        """By row and place of a noble: the spaces of guards that it may change places with."""
        self._reached: dict[int, tuple[int, ...]] = {}
        self._aimed: dict[int, Bits] = {}

    def _board(self, row: int, place: int, crowd: Bits) -> Crowd:
        label = _label(row)
        origin = PLACES[place]
        # G18: a guard is abandoned where its master is gone; here only who is missing matters.
        master = {} if row in (ABANDONED, _ROW_OF_KIND["JM"]) else {GUARDMASTER: "a1"}
        own = {**master, label: origin}
        others = tuple((PLACES[n], (1, "T1")) for n in range(80) if crowd >> n & 1)
        here = () if origin == FOREST else ((origin, (0, label)),)
        return Crowd((army(own), army({})), (*others, *here))

    def _way(self, row: int, place: int) -> Bits:
        if not self.variant.may_stand(_label(row), PLACES[place]):
            return 0
        return _bits(destinations(self._board(row, place, 0), 0, _label(row), self.variant))

    def _sight(self, row: int, place: int) -> Bits:
        if place == WOODS:
            return _bits(targets(self._board(row, place, OUTSIDE), 0, _label(row), self.variant))
        if row == SHOOTER or not self.variant.may_stand(_label(row), PLACES[place]):
            return 0
        return _bits(aims(self._board(row, place, 0), 0, _label(row), PLACES[place], self.variant))

    def _exchange(self, row: int, place: int) -> Bits:
        label, origin = _label(row), SPACES[place]
        if row not in _NOBLE:
            return 0
        found = 0
        for space in (*TANGENTIAL[origin], *RADIAL[origin]):
            board = Board((army({label: origin, GUARDMASTER: space}), army({})))
            found |= _bits(switches(board, 0, label, self.variant))
        return found

    def reached(self, row: int, place: int, crowd: Bits) -> tuple[int, ...]:
        """The places to which a unit of *row* on *place* may step where *crowd* stands."""
        key = (crowd & self.ways[row][place]) << 12 | row << 8 | place
        found = self._reached.get(key)
        if found is None:
            board = self._board(row, place, crowd & self.ways[row][place])
            steps = destinations(board, 0, _label(row), self.variant)
            found = _keep(self._reached, key, tuple(NUMBER[one] for one in steps))
        return found

    def aimed(self, row: int, place: int, crowd: Bits) -> Bits:
        """The spaces of *crowd* that a unit of *row* on *place* sees."""
        crowd &= self.sights[row][place]
        if place == WOODS:
            return crowd
        key = crowd << 12 | row << 8 | place
        found = self._aimed.get(key)
        if found is None:
            seen = aims(self._board(row, place, crowd), 0, _label(row), PLACES[place], self.variant)
            found = _keep(self._aimed, key, crowd & _bits(seen))
        return found

    def attacks(self, field: Field, passed: int = 0) -> list[Code]:
        """Every attack of the side to move, or once it has *passed* of the other one.

        Of the archers' only those that the rules allow.
        """
        units, green, purple = field.units, field.green, field.purple
        seat = units[TURN] ^ passed
        base, crowd = SIDE * seat, green | purple
        enemy = green if seat else purple
        master = units[base + MASTER]
        found: list[Code] = []
        for unit in range(SIDE):
            place = units[base + unit]
            if place == GONE:
                continue
            row = ROW[unit]
            if row == SHOOTER:
                if place < 16 and self.beams[place] & enemy:
                    found.append(SALVO | unit << 16)
                continue
            if row == GUARD and master >= WOODS:
                row = ABANDONED
            if not self.sights[row][place] & enemy:
                continue
            hit = self.aimed(row, place, crowd) & enemy
            if unit == 0:
                hit &= ~BIT[units[SIDE - base]]  # Z11: kings may not capture each other.
            code = (AMBUSCADE if unit == AMBUSH_AT else ATTACK) | unit << 16
            while hit:
                low = hit & -hit
                found.append(code | low.bit_length() - 1)
                hit ^= low
        return found

    def steps(self, field: Field) -> list[Code]:
        """Every move of the side to move that takes nothing, the pass left out."""
        units, green, purple = field.units, field.green, field.purple
        base, crowd = SIDE * units[TURN], green | purple
        master = units[base + MASTER]
        found: list[Code] = []
        for unit in range(SIDE):
            place = units[base + unit]
            if place == GONE:
                continue
            row = ROW[unit]
            if row == GUARD and master >= WOODS:
                row = ABANDONED
            code = unit << 16
            found += [code | to for to in self.reached(row, place, crowd)]
            if row in _NOBLE and place < WOODS:
                beside = self.exchanges[row][place]
                for guard in _GUARDIANS:
                    if BIT[units[base + guard]] & beside:
                        found.append(SWITCH | code | units[base + guard])
        left, right = units[base + _LEFT], units[base + _RIGHT]
        if left != GONE and right != GONE:
            self._add_lords(left, right, crowd, found)
        return found

    def _add_lords(self, left: int, right: int, crowd: Bits, found: list[Code]) -> None:
        row = ROW[_LEFT]
        # G8: each may step where the other stands now, provided that the other leaves.
        others = self.reached(row, right, crowd & ~BIT[left])
        for one in self.reached(row, left, crowd & ~BIT[right]):
            for other in others:
                if one == other != WOODS or (one == right and other == left):
                    continue
                found.append(LORDS_STEP | one << 8 | other)

    def after(self, field: Field, move: Code) -> Field:
        """The field once *move* has been carried out (``Battle.after``)."""
        green, purple, quiet = field.green, field.purple, field.quiet + 1
        changed = bytearray(field.units)
        seat = changed[TURN]
        changed[TURN] = 1 - seat
        base = SIDE * seat
        own, enemy = (purple, green) if seat else (green, purple)
        kind, unit, to = move & KIND, base + (move >> 16 & 255), move & 255
        if kind == STEP:
            own = own & ~BIT[changed[unit]] | BIT[to]
            changed[unit] = to
        elif kind == ATTACK:
            changed[changed.index(to, SIDE - base, TURN - base)] = GONE
            enemy ^= BIT[to]
            quiet = 0
        elif kind == SALVO:
            hit = self.beams[changed[unit]] & (own | enemy if self.variant.friendly_fire else enemy)
            own, enemy, quiet = own & ~hit, enemy & ~hit, 0
            while hit:
                low = hit & -hit
                changed[changed.index(low.bit_length() - 1, 0, TURN)] = GONE
                hit ^= low
        elif kind == AMBUSCADE:
            changed[changed.index(to, SIDE - base, TURN - base)] = GONE
            enemy ^= BIT[to]
            quiet = 0
            changed[USED + seat] += 1
            # Z12: after its third capture the ambush leaves the game at once.
            stays = changed[USED + seat] < AMBUSH_USES
            changed[unit] = to if stays else GONE
            own |= BIT[to] if stays else 0
        elif kind == SWITCH:
            changed[changed.index(to, base, base + SIDE)], changed[unit] = changed[unit], to
        elif kind == LORDS_STEP:
            left, right, first = base + _LEFT, base + _RIGHT, move >> 8 & 255
            own &= ~(BIT[changed[left]] | BIT[changed[right]])
            own |= BIT[first] | BIT[to]
            changed[left], changed[right] = first, to
        green, purple = (enemy, own) if seat else (own, enemy)
        return Field(bytes(changed), green, purple, quiet)


@cache
def ground(variant: Variant) -> Ground:
    """The one ``Ground`` of *variant*."""
    return Ground(variant)


def _keep(looks: dict[int, T], key: int, found: T) -> T:
    """*found*, kept among *looks*, which are forgotten all at once when they are too many."""
    if len(looks) > FULLEST:
        looks.clear()
    looks[key] = found
    return found


def _label(row: int) -> Label:
    return ROWS[row] if row < ABANDONED else "JÞ"


def _bits(places: Iterable[Place]) -> Bits:
    found = 0
    for place in places:
        found |= BIT[NUMBER[place]]
    return found


def ended(field: Field) -> int | None:
    """``WIN`` or ``-WIN`` for the mover, 0 for a draw, ``None`` while the battle goes on (G19)."""
    units, quiet = field.units, field.quiet
    base = SIDE * units[TURN]
    if units[base] == GONE == units[base + 1]:
        # G19: also where one salvo empties both sides, since the other one has shot it.
        return -WIN
    if units[SIDE - base] == GONE == units[SIDE - base + 1]:
        return WIN
    return 0 if quiet >= QUIET_PLIES or (not quiet and _only_kings(units)) else None


def _only_kings(units: bytes) -> bool:
    return units.count(GONE, 0, TURN) == TURN - 2 and GONE not in (units[0], units[SIDE])


def search_field_of(battle: Battle) -> Field:
    """The field of *battle*."""
    used, armies = battle.ambushes, battle.board.armies
    return Field(
        units_of(armies, battle.turn, used),
        _bits(place for place in armies[0] if place),
        _bits(place for place in armies[1] if place),
        battle.quiet,
    )


def units_of(armies: tuple[Army, Army], turn: Seat, used: tuple[int, int]) -> bytes:
    """What the bytes of a field say of *armies*: also the key of a repetition (G16)."""
    places = [GONE if one is None else NUMBER[one] for own in armies for one in own]
    return bytes((*places, turn, *used))


def act_of(field: Field, move: Code) -> Act:
    """The act that *move* stands for."""
    base = SIDE * field.units[TURN]
    unit = move >> 16 & 255
    label = UNITS[unit]
    origin, target = PLACES[field.units[base + unit]], PLACES[move & 255]
    match move & KIND:
        case 0:
            return Step(label, origin, target)
        case code if code == ATTACK:
            return Attack(label, origin, target)
        case code if code == SALVO:
            return Salvo(label, origin)
        case code if code == AMBUSCADE:
            return Ambuscade(target)
        case code if code == SWITCH:
            return Switch(label, origin, target)
        case code if code == LORDS_STEP:
            left, right = (PLACES[field.units[base + one]] for one in (_LEFT, _RIGHT))
            return BothLords(
                Step(LORDS[0], left, PLACES[move >> 8 & 255]), Step(LORDS[1], right, target)
            )
        case _:
            return Pass()
