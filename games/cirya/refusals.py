"""Why a wish is not a legal move: the rule that stands against it, in a sentence."""

from __future__ import annotations

import re

from games.cirya import notation
from games.cirya.board import EMPTY, Board
from games.cirya.move_types import Kind
from games.cirya.rules import Cirya
from games.cirya.speech import towards
from games.core import Refusal, Seat, Who, phrase
from games.core.move_parsing import casefolded

_PLACE = re.compile(r"(?P<kind>[fstch]?)(?P<file>[a-z])(?P<rank>[0-9]{1,2})")
_SHIFT = re.compile(
    r"(?P<count>[0-9]|\([0-9]{1,2}\))?(?P<file>[a-z])(?P<rank>[0-9]{1,2})"
    r"(?P<way>[-+<>])(?P<falls>(?:[0-9]|\([0-9]{1,2}\)){0,12})"
)
_COUNT = re.compile(r"[0-9]|\([0-9]{1,2}\)")
_KINDS = {letter.lower(): kind for kind, letters in notation.LETTERS.items() for letter in letters}


def why_not(position: Cirya, seat: Seat, text: str) -> Refusal:
    """The rule that *text* breaks for *seat*, which may move but not like this."""
    wish = casefolded(notation.tidied(position, text)).strip("'\"")
    read, names = _PLACE.fullmatch(wish) or _SHIFT.fullmatch(wish), position.board.shape.names
    found: Refusal | None = None
    if read and (name := read["file"] + read["rank"]) not in names:
        corner = names[position.board.shape.size - 1]
        found = Refusal("C2", phrase("cirya.no.off-board", sat=name, corner=corner))
    elif read and read.re is _PLACE:
        found = _no_placement(position, seat, _KINDS[read["kind"]], names.index(name))
    elif read:
        lifted = _count(read["count"] or "1")
        drops = tuple(map(_count, _COUNT.findall(read["falls"]))) or (lifted,)
        found = _no_shift(position, seat, names.index(name), read["way"], lifted, drops)
    return found or Refusal("R5", phrase("cirya.no.unclear", text=text[:32]))


def _count(text: str) -> int:
    return int(text.strip("()"))


def _no_placement(position: Cirya, seat: Seat, kind: Kind, sat: int) -> Refusal | None:
    board, name = position.board, position.board.shape.names[sat]
    if position.swapping and kind is not Kind.CIRYA:
        return Refusal("C5", phrase("cirya.no.swapped", who=Who(1 - seat)), (name,))
    if board.nosse[sat] != EMPTY:
        return Refusal("C6", phrase("cirya.no.occupied", sat=name), (name,))
    if kind in board.kinds():
        return None
    return Refusal("C6", phrase(f"cirya.no.reserve.{kind.name.lower()}"), (name,))


def _no_shift(
    position: Cirya, seat: Seat, sat: int, way: str, lifted: int, drops: tuple[int, ...]
) -> Refusal | None:
    board, name = position.board, position.board.shape.names[sat]
    if position.swapping:
        return Refusal("C5", phrase("cirya.no.swapped", who=Who(1 - seat)), (name,))
    if board.nosse[sat] == EMPTY:
        return Refusal("C7", phrase("cirya.no.empty", sat=name), (name,))
    if not board.held(seat) >> sat & 1:
        return Refusal("C7", phrase("cirya.no.foreign", sat=name), (name,))
    if lifted > board.height(sat):
        return Refusal("C8", phrase("cirya.no.height", sat=name, n=board.height(sat)), (name,))
    if lifted > board.carried(sat):
        return Refusal("C13", phrase("cirya.no.limit", n=board.shape.limit), (name,))
    if lifted < 1 or 0 in drops or sum(drops) != lifted:
        return Refusal("C8", phrase("cirya.no.sum", lifted=lifted, dropped=sum(drops)), (name,))
    return _no_way(board, sat, way, drops)


def _no_way(board: Board, sat: int, way: str, drops: tuple[int, ...]) -> Refusal | None:
    ray = board.shape.rays[way][sat]
    run = board.run(sat, way)
    name = board.shape.names[sat]
    if len(drops) > len(ray):
        return Refusal("C8", phrase("cirya.no.shore", sat=name, way=towards(way)), (name,))
    if run.stop < 0:
        return None
    stop = board.shape.names[run.stop]
    if board.high >> run.stop & 1:
        return Refusal("C10", phrase("cirya.no.hallacirya", sat=stop), (stop,))
    if not board.high >> sat & 1:
        return Refusal("C10", phrase("cirya.no.tampa", sat=stop), (stop,))
    return Refusal("C12", phrase("cirya.no.crush", sat=stop), (stop,))
