"""PTN moves and TPS positions (R5), with the Quenya letters ``T`` and ``H``."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

from games.cirya.board import EMPTY, SIZES, Board
from games.cirya.move_types import Back, Call, Cede, Judged, Kind, Move, Place, Said, Shift
from games.cirya.rules import Cirya, Customs, fresh
from games.core import Ambiguous, Arg, Notation, Seat, Unreadable, phrase
from games.core.errors import reject_if
from games.core.move_parsing import LONGEST_MOVE, casefolded, fitting

LETTERS = {Kind.CIRYA: ("", "F"), Kind.TAMPA: ("S", "T"), Kind.HALLACIRYA: ("C", "H")}
"""The letters before a placement, the one that is written first."""

CALLS = {
    Said.NOTHING: ("unsay", "callar"),
    Said.LONDE: ("'", "londë", "londe", "batân", "batan"),
    Said.LONDETURE: ('"', "londetúrë", "londeture"),
}
"""C19, C21: what is said, as marks and as words."""

BACK = ("back", "volver")
CEDE = ("cede", "ceder")

_QUOTES = str.maketrans(
    {"’": "'", "‘": "'", "´": "'", "”": '"', "“": '"', **dict.fromkeys("!?*¡¿", "")}
)
_LONGEST_TPS = 1024
_COUNT = re.compile(r"\(\d{1,2}\)|\d")
_SHIFT = re.compile(r"^(\(\d{1,2}\)|\d?)([a-h]\d[-+<>])((?:\(\d{1,2}\)|\d)+)", re.IGNORECASE)


def counts(lifted: int, drops: tuple[int, ...]) -> tuple[str, str]:
    """How many are lifted and how they fall; where ten or more are lifted, in brackets (C13)."""
    pattern = "{}" if lifted < 10 else "({})"
    return pattern.format(lifted), "".join(pattern.format(drop) for drop in drops)


def written(position: Cirya, move: Move) -> str:
    """*move* in PTN: a count of one and a single drop are left out."""
    names = position.board.shape.names
    match move:
        case Place(sat, kind, said):
            return f"{LETTERS[kind][0]}{names[sat]}{said}"
        case Shift(sat, way, drops, said):
            count, falls = counts(sum(drops), drops)
            count = "" if count == "1" else count
            falls = "" if len(drops) == 1 else falls
            return f"{count}{names[sat]}{way}{falls}{said}"
        case Call(_, said):
            return CALLS[said][0]
        case Judged(verdict):
            return verdict
        case Back():
            return BACK[0]
        case Cede():
            return CEDE[0]


def written_line(position: Cirya, line: Iterable[Move]) -> tuple[str, ...]:
    """The moves of *line* in PTN, the first of them played in *position*."""
    told = []
    for move in line:
        told.append(written(position, move))
        position = position.after(move)
    return tuple(told)


def spellings(position: Cirya, move: Move) -> Sequence[str]:
    """PTN with everything that may be left out or put in, Quenya letters too."""
    names = position.board.shape.names
    match move:
        case Place(sat, kind, said):
            return [f"{letter}{names[sat]}{said}" for letter in LETTERS[kind][1:]]
        case Shift(sat, way, drops, said):
            count, falls = counts(sum(drops), drops)
            lifts = ("", "1") if count == "1" else (count,)
            ends = ("", falls) if len(drops) == 1 else (falls,)
            if "(" in falls and max(drops) < 10:
                ends = (*ends, "".join(map(str, drops)))
            return [f"{lift}{names[sat]}{way}{end}{said}" for lift in lifts for end in ends][1:]
        case Call(_, said):
            return CALLS[said][1:]
        case Judged():
            return ()
        case Back():
            return BACK[1:]
        case Cede():
            return CEDE[1:]


def tidied(_: object, text: str) -> str:
    """*text* without the remarks ``! ? *``, with straight quotes and brackets as we write them."""
    return _SHIFT.sub(_bracket, text.translate(_QUOTES).replace("''", '"'))


def _bracket(shift: re.Match[str]) -> str:
    """A shift some of whose counts stand in brackets, with all of them so, or none (C13)."""
    lifted, way, fell = shift.groups()
    if "(" not in fell:
        return shift[0]
    drops = tuple(int(count.strip("()")) for count in _COUNT.findall(fell))
    count, falls = counts(int(lifted.strip("()") or 1), drops)
    return f"{count}{way}{falls}"


def announced(position: Cirya, seat: Seat, text: str) -> tuple[Place | Shift, ...]:
    """C19, R1: the ply of *seat* that *text* writes with what is said, ``c3'`` or ``c3 londë``."""
    before, _, word = text.strip().rpartition(" ")
    for mark, *words in (CALLS[Said.LONDE], CALLS[Said.LONDETURE]):
        if before and casefolded(word.strip("¡!")) in map(casefolded, words):
            text = before + mark
    tidy = tidied(position, text.strip())
    plain, mark = tidy[:-1], tidy[-1:]
    if mark not in ("'", '"') or plain.endswith(("'", '"')) or len(plain) > LONGEST_MOVE:
        return ()
    try:
        ply = fitting(NOTATION, position, position.legal_moves(seat), plain)
    except Ambiguous:
        return ()
    return (replace(ply, said=Said(mark)),) if isinstance(ply, (Place, Shift)) else ()


def text(position: Cirya) -> str:
    """The position in TPS: rows from the north, pieces from the bottom, player, move number."""
    board = position.board
    size = board.shape.size
    rows = []
    for row in range(size):
        cells: list[str] = []
        gap = 0
        for sat in range(row * size, (row + 1) * size):
            if board.nosse[sat] == EMPTY:
                gap += 1
                continue
            cells += _gap(gap)
            gap = 0
            cells.append("".join(cell_of(board, sat)))
        rows.append(",".join([*cells, *_gap(gap)]))
    return f"{'/'.join(rows)} {board.mover + 1} {position.ply // 2 + 1}"


def read(text: str, options: Mapping[str, str]) -> Cirya:
    """The position that the TPS *text* writes (R5), of any width from 3; raises ``Unreadable``."""
    return fresh(*read_tps(text, lambda size: Customs.agreed(options, size)))


def _gap(count: int) -> list[str]:
    return [] if count == 0 else ["x"] if count == 1 else [f"x{count}"]


_CELL = re.compile(r"x([1-8]?)|([12]{1,100})([SC]?)")


def read_tps(text: str, agreed: Callable[[int], Customs]) -> tuple[Customs, Board, int]:
    """The customs *agreed* on, board and ply of the TPS *text*; raises ``Unreadable`` (also C3)."""
    _reject_if(len(text) > _LONGEST_TPS, "cirya.tps.long", n=_LONGEST_TPS)
    fields = text.split()
    _reject_if(len(fields) != 3, "cirya.tps.fields")
    rows = fields[0].split("/")
    size = len(rows)
    _reject_if(size not in SIZES, "cirya.tps.rows", n=size)
    turn = " ".join(fields[1:])
    _reject_if(not re.fullmatch(r"[12] [1-9][0-9]{0,4}", turn), "cirya.tps.turn", text=turn)
    mover = int(fields[1]) - 1
    customs = agreed(size)
    cells = [cell for row in rows for cell in _cells(row, size)]
    return customs, laid(customs, mover, cells), 2 * (int(fields[2]) - 1) + mover


def laid(customs: Customs, mover: Seat, cells: list[Cell]) -> Board:
    """The board with *cells* on its sati; raises ``Unreadable`` for more pieces than there are."""
    board = _with_cells(customs.bare()._replace(mover=mover), cells)
    for seat in (0, 1):
        left = min(board.ciryar[seat], board.hallaciryar[seat])
        _reject_if(left < 0, "cirya.tps.pieces", player=seat + 1)
    return board


Cell: TypeAlias = tuple[str, str]
"""The pieces of a sat from the bottom, each its player's number, and the letter of the top one."""


def cell_of(board: Board, sat: int) -> Cell:
    """What lies on *sat*; an empty one is ``("", "")``."""
    if board.nosse[sat] == EMPTY:
        return "", ""
    kind = board.kind(sat)
    pieces = "".join(str(seat + 1) for seat in board.pieces(sat))
    return pieces, str(kind) if kind is not Kind.CIRYA else ""


def _cells(row: str, size: int) -> list[Cell]:
    """The pieces and the letter of each sat of a row; empty ones are ``("", "")``."""
    cells: list[Cell] = []
    for cell in row.split(","):
        found = _CELL.fullmatch(cell)
        if not found:
            raise Unreadable(phrase("cirya.tps", reason=phrase("cirya.tps.cell", text=cell[:16])))
        if found[2]:
            cells.append((found[2], found[3]))
        else:
            cells += [("", "")] * int(found[1] or "1")
    _reject_if(len(cells) != size, "cirya.tps.row", row=row[:48], n=size)
    return cells


def _with_cells(board: Board, cells: list[Cell]) -> Board:
    for sat, (pieces, letter) in enumerate(cells):
        if not pieces:
            continue
        kind = Kind(letter or "F")
        top = int(pieces[-1]) - 1
        nosse = list(board.nosse)
        nosse[sat] = int("1" + pieces.translate(_BITS), 2)
        ciryar, hallaciryar = list(board.ciryar), list(board.hallaciryar)
        for piece in pieces:
            ciryar[int(piece) - 1] -= 1
        if kind is Kind.HALLACIRYA:
            ciryar[top] += 1
            hallaciryar[top] -= 1
        bit = 1 << sat
        board = board._replace(
            nosse=tuple(nosse),
            swan=board.swan | (0 if top else bit),
            eagle=board.eagle | (bit if top else 0),
            tampar=board.tampar | (bit if kind is Kind.TAMPA else 0),
            high=board.high | (bit if kind is Kind.HALLACIRYA else 0),
            ciryar=(ciryar[0], ciryar[1]),
            hallaciryar=(hallaciryar[0], hallaciryar[1]),
        )
    return board


_BITS = str.maketrans("12", "01")


def _reject_if(wrong: object, key: str, **args: Arg) -> None:
    reject_if(wrong, "cirya.tps", reason=phrase(key, **args))


NOTATION: Notation[Cirya, Move] = Notation(
    written, text, read=read, spellings=spellings, tidied=tidied, expanded=announced
)
