"""What has changed of a board since a page was sent it last."""

from __future__ import annotations

import json
from collections.abc import Hashable, Mapping, Sequence
from difflib import SequenceMatcher
from typing import Any

OFFERS = ("label", "step", "kind", "code", "tap", "lengths", "spots", "parts")
"""What differs with whose turn it is: compared with the last board of the same turn."""

KIND = ("style", "letter", "plays", "quiet")
"""What most buttons of a board have in common."""


def columns(board: Mapping[str, Any]) -> dict[str, Any]:
    """*board* as values to be compared one by one: buttons and sprites as lists of their parts."""
    told = {key: board[key] for key in board if key not in ("rows", "scene", "kind")}
    buttons = [button for row in board["rows"] for button in row]
    codes = [one["code"] for one in buttons if one["style"] == "move"]
    begin = told["begin"] = codes[0].rsplit(".", 2)[0] + "." if codes else "."
    told |= {key: [one[key] for one in buttons] for key in ("label", "step")}
    told["kind"] = ["|".join(str(one.get(key, "")) for key in KIND) for one in buttons]
    for key in ("code", "tap"):
        told[key] = [_short(one.get(key, ""), one["step"], begin) for one in buttons]
    scene = board["scene"] or {"parts": "", "sprites": {}}
    told["size"] = board["scene"] and [scene["width"], scene["height"]]
    told["lengths"] = [len(row) for row in board["rows"]]
    lists = {"alt": told["alt"].split(" "), "parts": scene["parts"].split("|")}
    return {**told, **lists, "sprites": scene["sprites"]}


def _short(code: str, step: str, begin: str) -> str:
    """*code* without what the page puts before it: its *begin* and its *step*."""
    if not code.startswith(begin):
        return f"={code}"
    return code.removeprefix(begin).removeprefix(f"{step}.")


def difference(known: dict[str, Any], board: Mapping[str, Any], *, keeps: bool) -> dict[str, Any]:
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
    matched = SequenceMatcher(None, _hashable(old), _hashable(new), autojunk=False)
    found: list[Any] = []
    for what, start, end, first, last in matched.get_opcodes():
        if what == "equal":
            found.append([start, end - start])
        elif last > first:
            found.append([new[first:last]])
    return found


def _hashable(items: Sequence[Any]) -> list[Hashable]:
    return [one if isinstance(one, str) else json.dumps(one) for one in items]
