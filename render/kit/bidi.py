"""The order in which a line of text stands: scripts of both directions, and isolated names.

The rules are those of the Unicode Bidirectional Algorithm, UAX #9, for one line without explicit
embeddings and overrides; the only formatting characters known are isolates.
"""

from __future__ import annotations

import unicodedata
from itertools import groupby

FSI, PDI = "\u2068", "\u2069"
"""First strong isolate, and its end."""

_ISOLATES = {"\u2066": 0, "\u2067": 1, FSI: None}
_BRACKETS = {"(": ")", "[": "]", "{": "}"}
_STRONG = {"L": 0, "R": 1, "AL": 1}
_NEUTRAL = frozenset({"B", "S", "WS", "ON", "BN", "ES", "ET", "CS", "LRI", "RLI", "FSI", "PDI"})


def isolated(text: str) -> str:
    """*text*, of which neither the letters before nor those after tell the direction."""
    return f"{FSI}{text}{PDI}"


def leads_from_the_right(text: str) -> bool:
    """Whether *text* as a whole runs from right to left (P2 and P3)."""
    depth = 0
    for character in text:
        kind = unicodedata.bidirectional(character)
        if character in _ISOLATES:
            depth += 1
        elif character == PDI:
            depth = max(0, depth - 1)
        elif not depth and kind in _STRONG:
            return bool(_STRONG[kind])
    return False


def visual_order(text: str) -> list[tuple[str, bool]]:
    """The parts of *text* from left to right, each as it is read, and whether from the right.

    Isolates are left out: they have no shape.
    """
    if text.isascii():
        return [(text, False)] if text else []  # nothing in it is from the right
    levels = _levels(text, int(leads_from_the_right(text)))
    shown = [
        (character, level)
        for character, level in zip(text, levels, strict=True)
        if character not in _ISOLATES and character != PDI
    ]
    runs = [
        ("".join(character for character, _ in run), level)
        for level, run in groupby(shown, key=lambda one: one[1])
    ]
    for least in range(max((level for _, level in runs), default=0), 0, -1):  # L2
        runs = _turned(runs, least)
    return [(part, bool(level % 2)) for part, level in runs]


def _turned(runs: list[tuple[str, int]], least: int) -> list[tuple[str, int]]:
    """*runs* with each row of those at *least* at that level in the opposite order."""
    found: list[tuple[str, int]] = []
    for high, row in groupby(runs, key=lambda one: one[1] >= least):
        part = list(row)
        found += reversed(part) if high else part
    return found


def _levels(text: str, base: int) -> list[int]:
    """The level of each character, isolates resolved on their own (X5a to X6a)."""
    levels, at = [base] * len(text), 0
    outer: list[int] = []
    while at < len(text):
        outer.append(at)
        if text[at] in _ISOLATES:
            end = _end(text, at)
            inside = text[at + 1 : end]
            given = _ISOLATES[text[at]]
            own = int(leads_from_the_right(inside)) if given is None else given
            least = base + 1 if (base + 1) % 2 == own else base + 2
            levels[at + 1 : end] = _levels(inside, least)
            at = end
        else:
            at += 1
    for n, kind in zip(outer, _resolve("".join(text[n] for n in outer), base), strict=True):
        levels[n] = _raised(kind, base)
    return levels


def _end(text: str, start: int) -> int:
    """Where the isolate that begins at *start* ends, or the text does."""
    depth = 0
    for at in range(start, len(text)):
        if text[at] in _ISOLATES:
            depth += 1
        elif text[at] == PDI:
            depth -= 1
            if not depth:
                return at
    return len(text)


def _raised(kind: str, level: int) -> int:
    """The level of a resolved *kind* at *level* (I1 and I2)."""
    return level + (kind != "R") if level % 2 else level + {"L": 0, "R": 1}.get(kind, 2)


def _resolve(text: str, base: int) -> list[str]:
    """The kinds of *text* as L, R, EN and AN (W1 to W7, N0 to N2)."""
    edge = "R" if base % 2 else "L"
    kinds = _numbers(_marks([unicodedata.bidirectional(one) for one in text], edge), edge)
    kinds = _bracket(text, kinds, edge)
    found: list[str] = []
    at = 0
    for neutral, row in groupby(kinds, key=lambda kind: kind in _NEUTRAL):
        part = list(row)
        if neutral:
            before = _side(found[-1]) if found else edge
            after = _side(kinds[at + len(part)]) if at + len(part) < len(kinds) else edge
            part = [before if before == after else edge] * len(part)
        found += part
        at += len(part)
    return found


def _bracket(text: str, kinds: list[str], edge: str) -> list[str]:
    """N0: both brackets of a pair go with what they enclose, or with what is before them."""
    other = "L" if edge == "R" else "R"
    for start, end in sorted(_pairs(text, kinds)):
        inside = {_side(kind) for kind in kinds[start + 1 : end] if kind not in _NEUTRAL}
        if edge in inside:
            kinds[start] = kinds[end] = edge
        elif inside:
            near = (_side(kind) for kind in reversed(kinds[:start]) if kind not in _NEUTRAL)
            kinds[start] = kinds[end] = other if next(near, edge) == other else edge
    return kinds


def _pairs(text: str, kinds: list[str]) -> list[tuple[int, int]]:
    found, opened = [], list[tuple[str, int]]()
    for at, (character, kind) in enumerate(zip(text, kinds, strict=True)):
        if kind != "ON":
            continue
        if character in _BRACKETS:
            opened.append((_BRACKETS[character], at))
        elif any(character == closing for closing, _ in opened):
            while opened:
                closing, start = opened.pop()
                if closing == character:
                    found.append((start, at))
                    break
    return found


def _side(kind: str) -> str:
    return "L" if kind == "L" else "R"


def _marks(kinds: list[str], edge: str) -> list[str]:
    """W1 to W3: marks are as their letters, digits after Arabic letters are Arabic."""
    found, strong = [], edge
    before = edge
    for kind in kinds:
        kind = before if kind == "NSM" else kind
        before = kind if kind not in ("LRI", "RLI", "FSI", "PDI") else "ON"
        if kind in _STRONG:
            strong = kind
        found.append("AN" if kind == "EN" and strong == "AL" else kind)
    return ["R" if kind == "AL" else kind for kind in found]


def _numbers(kinds: list[str], edge: str) -> list[str]:
    """W4 to W7: separators and terminators of numbers, and digits among Latin letters."""
    _join_separators(kinds)
    kinds = _with_terminators(_with_terminators(kinds)[::-1])[::-1]
    found, strong = [], edge
    for kind in kinds:
        strong = kind if kind in ("L", "R") else strong
        found.append("L" if kind == "EN" and strong == "L" else kind)
    return found


def _join_separators(kinds: list[str]) -> None:
    """W4: one separator between two numbers of a kind is a part of them."""
    for at in range(1, len(kinds) - 1):
        before, kind, after = kinds[at - 1 : at + 2]
        joins = {"CS": ("EN", "AN"), "ES": ("EN",)}.get(kind, ())
        if before == after and before in joins:
            kinds[at] = before


def _with_terminators(kinds: list[str]) -> list[str]:
    """W5, in the one direction: terminators that follow a number belong to it."""
    found, near = [], False
    for kind in kinds:
        near = kind == "EN" or (near and kind == "ET")
        found.append("EN" if near else kind)
    return found
