"""How moves and positions are written (Z14, G17, G19)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import product

from games.core import Notation, Seat, Unreadable
from games.core.errors import reject_if
from games.storilljudhjorrayc.battle_phase import Battle
from games.storilljudhjorrayc.board import Army, Board, army
from games.storilljudhjorrayc.geometry import FOREST, Place, place_named
from games.storilljudhjorrayc.move_types import (
    Act,
    Ambuscade,
    Arranging,
    Attack,
    BothLords,
    Pass,
    Preset,
    Put,
    Ready,
    Salvo,
    SetupSwap,
    Step,
    StorillMove,
    Switch,
)
from games.storilljudhjorrayc.names import own_phrase
from games.storilljudhjorrayc.options import Variant
from games.storilljudhjorrayc.rules import StorillPosition
from games.storilljudhjorrayc.setup import SetUp, faults, line_moves, read_line
from games.storilljudhjorrayc.units import ALIASES, AMBUSH, AMBUSH_USES, UNITS, Label, label_named

DASHES = "--"
"""How a pass is written."""

SIDE_LETTERS = "gp"
HIDDEN = "?"
LONGEST_POSITION = 600
"""The most characters of a position text that are looked at."""

_REMARK = re.compile(r"\{[^{}]*\}")
_SECOND_RADIUS = re.compile(r"[bdfhjlnp][56]", re.IGNORECASE)
_GLYPHS = str.maketrans({"–": "-", "−": "-", "→": "-", "×": "x", "↔": "⇄", "∼": "~", "˜": "~"})


def tidied(_: object, text: str) -> str:
    """*text* without remarks, with one sign for each thing, focus spaces by their first radius."""
    bare = _REMARK.sub("", text).strip()
    if bare in ("—", "–", "-"):
        return DASHES  # Phones like to join the two hyphens of a pass.
    bare = bare.translate(_GLYPHS).replace("⇄", "<>")
    return _SECOND_RADIUS.sub(lambda found: place_named(found[0]) or "", bare)


def written(_: object, move: StorillMove) -> str:
    """*move* in the western notation of G17."""
    match move:
        case Step(label, origin, target):
            return f"{label} {origin}-{target}"
        case Attack(label, origin, target):
            return f"{label} {origin}x{target}"
        case Salvo(label, origin):
            return f"{label} {origin}x"
        case Ambuscade(target):
            return f"{AMBUSH} {FOREST}x{target}"
        case Switch(label, origin, target):
            return f"{label} {origin}<>{target}"
        case BothLords(left, right):
            return f"{written(_, left)} & {written(_, right)}"
        case Pass():
            return DASHES
        case SetupSwap(_, label, other):
            return f"swap {label} {other}"
        case Put(_, label, target):
            return f"place {label} {target}"
        case Preset(_, name):
            return f"preset {name}"
        case Ready():
            return "ready"


_ACT = re.compile(rf"({'|'.join(UNITS)}) (~|[a-p][1-6])(-|x|<>)(~|[a-p][1-6])?")


def parsed(position: StorillPosition, seat: Seat, text: str) -> StorillMove | None:
    """The legal move of *seat* that ``written`` wrote as *text*; None where it is none."""
    stage = position.stage
    if isinstance(stage, SetUp):
        arranging = _arranging(seat, text.split(" "))
        return arranging if arranging is not None and stage.allows(arranging) else None
    act = _act(text)
    legal = act is not None and seat == stage.turn and not stage.outcome and stage.allows(act)
    return act if legal else None


def _arranging(seat: Seat, words: Sequence[str]) -> Arranging | None:
    match words:
        case ["swap", label, other]:
            return SetupSwap(seat, label, other)
        case ["place", label, target]:
            return Put(seat, label, target)
        case ["preset", name]:
            return Preset(seat, name)
        case ["ready"]:
            return Ready(seat)
        case _:
            return None


def _act(text: str) -> Act | None:
    if text == DASHES:
        return Pass()
    first, both, second = text.partition(" & ")
    if both:
        left, right = _act(first), _act(second)
        if isinstance(left, Step) and isinstance(right, Step):
            return BothLords(left, right)
        return None
    found = _ACT.fullmatch(text)
    if found is None:
        return None
    label, origin, sign, target = found.groups("")
    if sign != "x":
        return (Step if sign == "-" else Switch)(label, origin, target)
    if not target:
        return Salvo(label, origin)
    ambush = (label, origin) == (AMBUSH, FOREST)
    return Ambuscade(target) if ambush else Attack(label, origin, target)


def remark(battle: Battle, move: StorillMove) -> str:
    """The remark that a game text adds to *move*: what a salvo captures, else nothing (G17)."""
    return "{" + ",".join(battle.fallen(move)) + "}" if isinstance(move, Salvo) else ""


def spellings(position: StorillPosition, move: StorillMove) -> Sequence[str]:
    """The other ways to type *move*: ASCII labels, no label, the guard first in a switch."""
    partner = None
    if isinstance(move, Switch) and isinstance(position.stage, Battle):
        partner = position.stage.board.standing[move.target][1]
    return tuple(dict.fromkeys(_other_ways(move, partner)))


def expanded(position: StorillPosition, seat: Seat, text: str) -> tuple[StorillMove, ...]:
    """The small moves of a typed set-up line (G17); raises ``IllegalMove`` where it is unsound."""
    return line_moves(position.stage, seat, text) if isinstance(position.stage, SetUp) else ()


def _other_ways(move: StorillMove, partner: Label | None = None) -> Iterator[str]:
    match move:
        case Step(label, origin, target):
            yield from _with_labels(label, f"{origin}-{target}")
        case Attack(label, origin, target):
            yield from _with_labels(label, f"{origin}x{target}")
        case Salvo(label, origin):
            yield from _with_labels(label, f"{origin}x")
        case Ambuscade(target):
            yield f"{FOREST}x{target}"
        case Switch(label, origin, target):
            yield from _with_labels(label, f"{origin}<>{target}")
            if partner:
                yield from _with_labels(partner, f"{target}<>{origin}")
        case BothLords(left, right):
            for one, other in zip(_ways(left), _ways(right), strict=True):
                yield f"{one}&{other}"
                yield f"{other}&{one}"
        case Pass():
            yield from ("pass", "pasar", "paso")
        case SetupSwap() | Put() | Preset() | Ready():
            yield from _other_ways_to_arrange(move)


def _ways(step: Step) -> list[str]:
    return list(dict.fromkeys((written(None, step), *_other_ways(step))))


def _other_ways_to_arrange(move: Arranging) -> Iterator[str]:
    match move:
        case SetupSwap(_, label, other):
            for one, two in product(ALIASES[label], ALIASES[other]):
                yield f"swap {one} {two}"
                yield f"{one}<>{two}"
        case Put(_, label, target):
            for one in ALIASES[label]:
                yield f"place {one} {target}"
                yield f"{one}-{target}"
        case Preset(_, name):
            yield name
        case Ready():
            yield from ("listo", "lista")


def _with_labels(label: Label, act: str) -> Iterator[str]:
    yield from (f"{way} {act}" for way in ALIASES[label])
    yield act


def text(position: StorillPosition) -> str:
    """The position text of G17; during the set-up, the arrangements and who is ready.

    ``A:p2,…,W:~ A:h2,…,W:~ g 0,0 0`` — ``T1,…,.,KÞ,PÞ ? g setup -,ready``
    """
    stage = position.stage
    if isinstance(stage, SetUp):
        sides = [
            HIDDEN if line is None else ",".join(u or "." for u in line) for line in stage.lines
        ]
        ready = ",".join("ready" if one else "-" for one in stage.ready)
        return " ".join([*sides, SIDE_LETTERS[stage.first], "setup", ready])
    sides = [_army_text(one) for one in stage.board.armies]
    counts = ",".join(map(str, stage.ambushes))
    return " ".join([*sides, SIDE_LETTERS[stage.turn], counts, str(stage.passes)])


def _army_text(one: Army) -> str:
    left = [f"{label}:{place}" for label, place in zip(UNITS, one, strict=True) if place]
    return ",".join(left) or "-"


def read(text: str, options: Mapping[str, str]) -> StorillPosition:
    """The position that *text* writes; raises ``Unreadable``.

    A battle read from text has no past: repetitions and quiet plies count from there.
    """
    variant = Variant.chosen(options)
    words = text[:LONGEST_POSITION].split()
    fits = len(text) <= LONGEST_POSITION and len(words) == 5 and words[2] in ("g", "p")
    _reject_if(not fits, "form", text)
    green, purple, mover, counts, last = words
    turn = SIDE_LETTERS.index(mover)
    if counts == "setup":
        return StorillPosition(_read_setup((green, purple), turn, last, variant))
    armies = (_read_army(green, variant), _read_army(purple, variant))
    board = Board(armies)
    taken = sum(p not in (None, FOREST) for a in armies for p in a)
    _reject_if(len(board.standing) != taken, "shared", text)
    _reject_if(not re.fullmatch("[0-3],[0-3]", counts), "counts", counts)
    uses = int(counts[0]), int(counts[2])
    for seat in (0, 1):
        stands = board.place(seat, AMBUSH) is not None
        _reject_if(stands and uses[seat] == AMBUSH_USES, "ambush", counts)
    _reject_if(last not in ("0", "1", "2", "3", "4"), "passes", last)
    return StorillPosition(Battle(variant, board, turn, uses, int(last)))


def _read_army(text: str, variant: Variant) -> Army:
    places: dict[Label, Place] = {}
    for entry in text.split(",") if text != "-" else ():
        name, _, where = entry.partition(":")
        label, place = label_named(name), place_named(where)
        if label is None or place is None:
            raise Unreadable(own_phrase("unreadable.entry", text=entry[:64]))
        _reject_if(label in places, "twice", label)
        _reject_if(not variant.may_stand(label, place), "place", entry)
        places[label] = place
    return army(places)


def _read_setup(sides: tuple[str, str], first: Seat, ready: str, variant: Variant) -> SetUp:
    _reject_if(variant.setup == "fixed", "fixed", "setup")
    _reject_if(not re.fullmatch("(-|ready),(-|ready)", ready), "ready", ready)
    done, too = (mark == "ready" for mark in ready.split(","))
    green, purple = (None if side == HIDDEN else read_line(side) for side in sides)
    for seat, line in enumerate((green, purple)):
        _reject_if(line is not None and faults(seat, line, variant), "line", sides[seat])
    _reject_if(done and too, "ready", ready)
    return SetUp(variant, (green, purple), (done, too), first)


def _reject_if(wrong: object, reason: str, text: str) -> None:
    reject_if(wrong, f"storilljudhjorrayc.unreadable.{reason}", text=text[:64])


NOTATION: Notation[StorillPosition, StorillMove] = Notation(
    written, text, read=read, spellings=spellings, tidied=tidied, expanded=expanded, parsed=parsed
)
