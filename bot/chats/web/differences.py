"""What has changed of a board since a page was sent it last."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher
from os.path import commonprefix
from typing import Any

from bot.chats.web.message_formatting import Json

_BUTTONS = ("begin", "label", "step", "kind", "code", "tap", "lengths", "spots")

OFFERS = {*_BUTTONS, "parts", "corners", "lines", "headline", "status", "runs", "result"}
"""What differs with whose turn it is: compared with the last board of the same turn."""

KIND = ("style", "letter", "plays", "quiet")
"""What most buttons of a board have in common."""

BARS = {"alt": " "}
"""What stands between the items of a column in a text, where that is no bar."""

APART = ("rows", "scene", "kind", "mine")
"""What of a board is told otherwise."""


def columns(board: Json, sprites: Mapping[str, int], places: Mapping[str, str]) -> dict[str, Any]:
    """*board* as values to be compared one by one: buttons and sprites as lists of their parts.

    *sprites* are the numbers that stand for names, *places* those of spots.
    """
    cells = {place: step for step, place in places.items()}
    scene = board["scene"] or {"width": 0, "height": 0, "parts": "", "lays": ""}
    parts = [part.split(" ") for part in scene["parts"].split("|")]
    lines, alt, again = _words(board)
    return {
        **{key: board[key] for key in board if key not in APART},
        **_button_columns([button for row in board["rows"] for button in row]),
        "size": [scene["width"], scene["height"]],
        "lays": scene["lays"],
        "parts": [str(sprites.get(name, name)) for name, *_ in parts],
        "corners": [" ".join(place) for _, *place in parts],
        "motions": [_motion(one, cells) for one in board["motions"]],
        "told": [_move(one, board["clocks"]) for one in board["told"]],
        "spots": [one["step"] for one in board["spots"]],
        "lines": lines,
        "alt": alt,
        "again": again,
        "lengths": list(map(len, board["rows"])),
    }


def _button_columns(buttons: Sequence[Json]) -> dict[str, Any]:
    begin = _begin(buttons)
    return {
        "begin": begin,
        "kind": [" ".join(str(one.get(key, "")) for key in KIND).rstrip() for one in buttons],
        **{key: [one[key] for one in buttons] for key in ("label", "step")},
        "code": [_short(one["code"], one["step"], begin) for one in buttons],
        "tap": [_short(one.get("tap") or one["code"], one["step"], begin) for one in buttons],
    }


def _move(move: Json, seats: Sequence[Json]) -> list[Any]:
    """*move* with the number of its seat in place of a name that the page has."""
    number = {one["who"]: seat for seat, one in enumerate(seats)}
    return [number.get(value, value) if key == "who" else value for key, value in move.items()]


def _motion(motion: Json, cells: Mapping[str, str]) -> list[Any]:
    """*motion* with the step of a spot in place of its box, where it has that of one."""
    start, end = (" ".join(map(str, motion[key])) for key in ("start", "end"))
    thrown = filter(None, (motion.get("spins"), motion.get("face")))
    return [motion["number"], cells.get(start, start), cells.get(end, end), *thrown]


def _words(board: Json) -> tuple[list[str], list[str], int]:
    """Lines and description of *board* without what is told already, and what that is.

    1 stands for a first line that is the last move, 2 for a description that begins with it.
    """
    lines, alt = board["lines"], board["alt"]
    first = lines[0] if lines else "\n"
    moved = bool(board["told"]) and first == "{who}: {text}.".format_map(board["told"][-1])
    begins = alt.startswith(f"{first} ")
    return lines[moved:], alt[begins * (len(first) + 1) :].split(" "), moved + 2 * begins


def _begin(buttons: Sequence[Json]) -> str:
    """What the codes of all moves of *buttons* begin with, up to a point or a comma."""
    moves = [one["code"].rpartition(".")[0] for one in buttons if one["style"] == "move"]
    same = str(commonprefix(moves))  # noqa: RUF071
    return same[: max(same.rfind("."), same.rfind(",")) + 1]


def _short(code: str, step: str, begin: str) -> str:
    """*code* without what the page puts before it: its *begin* and its *step*."""
    known = f"{begin}{step}"
    short = begin and code.startswith((f"{known}.", f"{known},"))
    return code[len(known) :] if short else f"={code}"


def board_difference(
    known: dict[str, Any], board: Json, sprites: dict[str, int], *, keeps: bool
) -> dict[str, Any]:
    """*board* as what differs from what is *known*, which is the same for the page.

    *keeps* says that the page compares the next board with this one. A value of ``edits`` is a list
    of parts of the known one, each its start and its length, and of new parts: a list, or a text
    with bars or blanks between its items. *sprites* are numbered in the order in which they are
    told; the place of a spot is told where it is another than before.
    """
    mine, told = board["mine"], _news(board, known.setdefault("places", {}), sprites)
    now = columns(board, sprites, known["places"])
    old = {key: known.get(_at(key, mine), known.get(_at(key, not mine))) for key in now}
    other = {key: value for key, value in now.items() if old[key] != value}
    lists = [key for key, value in other.items() if isinstance(value, list)]
    edits = {key: _edits(old[key] or [], other.pop(key), BARS.get(key, "|")) for key in lists}
    if keeps:
        known |= {_at(key, mine): value for key, value in now.items()}
    return {"table": board["table"], "mine": mine, "told": told | other, "edits": edits}


def _at(key: str, mine: bool) -> str:
    return f"{key} {mine}" if key in OFFERS else key


def _news(board: Json, places: dict[str, str], sprites: dict[str, int]) -> dict[str, Any]:
    """The places of spots and the sprites of *board* of which the page was not told."""
    there = {one["step"]: "{x} {y} {w} {h}".format_map(one) for one in board["spots"]}
    sizes = board["scene"]["sprites"] if board["scene"] else {}
    moved = {step: place for step, place in there.items() if places.get(step) != place}
    new = [[name, *sizes[name]] for name in sizes if name not in sprites]
    places |= there
    sprites |= {name: number for number, (name, *_) in enumerate(new, len(sprites))}
    listed = "|".join("{} {} {}".format(*one) for one in new)
    return {key: told for key, told in (("places", moved), ("sprites", listed)) if told}


def _edits(old: Sequence[Any], new: Sequence[Any], bar: str) -> list[Any]:
    before, after = (list(map(json.dumps, items)) for items in (old, new))
    edits: list[Any] = []
    matched = SequenceMatcher(None, before, after, autojunk=False)
    for what, start, end, first, last in matched.get_opcodes():
        if what == "equal":
            edits += start, end - start
        elif items := new[first:last]:
            texts = all(isinstance(one, str) and bar not in one for one in items)
            edits.append(bar.join(items) if texts else items)
    return edits
