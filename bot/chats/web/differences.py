"""What has changed of a board since a page was sent it last."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher
from typing import Any

OFFERS = ("label", "step", "kind", "code", "tap", "lengths", "spots", "parts")
"""What differs with whose turn it is: compared with the last board of the same turn."""

KIND = ("style", "letter", "plays", "quiet")
"""What most buttons of a board have in common."""


def columns(board: Mapping[str, Any]) -> dict[str, Any]:
    """*board* as values to be compared one by one: buttons and sprites as lists of their parts."""
    told = {key: board[key] for key in board if key not in ("rows", "scene", "kind")}
    scene = board["scene"] or {"width": 0, "height": 0, "parts": "", "sprites": {}}
    told["size"], told["sprites"] = [scene["width"], scene["height"]], scene["sprites"]
    told["alt"], told["parts"] = told["alt"].split(" "), scene["parts"].split("|")
    told["lengths"] = list(map(len, board["rows"]))
    return told | _button_columns([button for row in board["rows"] for button in row])


def _button_columns(buttons: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    codes = [one["code"] for one in buttons if one["style"] == "move"]
    begin = codes[0].rsplit(".", 2)[0] + "." if codes else "."
    return {
        "begin": begin,
        "kind": ["|".join(str(one.get(key, "")) for key in KIND) for one in buttons],
        **{key: [one[key] for one in buttons] for key in ("label", "step")},
        "code": [_short(one["code"], one["step"], begin) for one in buttons],
        "tap": [_short(one.get("tap", ""), one["step"], begin) for one in buttons],
    }


def _short(code: str, step: str, begin: str) -> str:
    """*code* without what the page puts before it: its *begin* and its *step*."""
    if not code.startswith(begin):
        return f"={code}"
    return code.removeprefix(begin).removeprefix(f"{step}.")


def board_difference(
    known: dict[str, Any], board: Mapping[str, Any], *, keeps: bool
) -> dict[str, Any]:
    """*board* as what differs from what is *known*, which is the same for the page.

    *keeps* says that the page compares the next board with this one. A value of ``edits`` is a list
    of parts of the known one, each its start and its length, and of new parts, each in a list.
    """
    offer, told, edits, now = f" {board['mine']}", {}, {}, columns(board)
    for key, value in now.items():
        at = key + offer if key in OFFERS else key
        old = known.get(at)
        if key == "sprites" or old != value:
            if isinstance(value, list) and isinstance(old, list) and value:
                edits[key] = _edits(old, value)
            elif value != {}:
                told[key] = value
        if keeps:
            known[at] = value
    return {"table": board["table"], "mine": board["mine"], "told": told, "edits": edits}


def _edits(old: Sequence[Any], new: Sequence[Any]) -> list[Any]:
    before, after = (list(map(json.dumps, items)) for items in (old, new))
    matched = SequenceMatcher(None, before, after, autojunk=False)
    return [
        [start, end - start] if what == "equal" else [new[first:last]]
        for what, start, end, first, last in matched.get_opcodes()
        if last > first
    ]
