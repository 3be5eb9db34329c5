"""Cubo in words: all that the picture shows, moves and refusals."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from games.core import Phrase, Refusal, Seat, Speech, Who, casefolded, phrase
from ludoteca_cubo.board import CELLS, LINES, NAMES, NUMBERS
from ludoteca_cubo.rules import EMPTY, MARKS, Cube


def spoken(position: Cube, move: int) -> Phrase:
    """*move* in a few words; the player is not named."""
    del position
    return phrase("cubo.puts", cell=NAMES[move])


def describe(seen: Cube) -> Sequence[Phrase]:
    """The stones of both, where the line is, whose turn it is or how it ended."""
    said = [_stones(seen, seat) for seat in range(len(MARKS))]
    if seen.fall:
        said.append(phrase("cubo.falls"))
    end = seen.outcome()
    if end is None:
        return [*said, phrase(f"cubo.turn.{seen.turn}", who=Who(seen.turn))]
    if end.winner is None:
        return [*said, phrase("cubo.end.full")]
    line = tuple(NAMES[cell] for cell in seen.line())
    won = phrase("cubo.end.line", winner=Who(end.winner))
    return [*said, won, phrase("cubo.line", cells=line)]


def _stones(seen: Cube, seat: Seat) -> Phrase:
    cells = tuple(NAMES[cell] for cell in CELLS if seen.stones[cell] == MARKS[seat])
    key = f"cubo.stones.{seat}" if cells else f"cubo.none.{seat}"
    return phrase(key, who=Who(seat), cells=cells) if cells else phrase(key, who=Who(seat))


def threats(seen: Cube, seat: Seat) -> Sequence[Phrase]:
    """The cells in which the other player would complete a line now, for *seat* to close."""
    cells = tuple(NAMES[cell] for cell in completing(seen, 1 - seat))
    return [phrase("cubo.threat", cells=cells)] if cells else []


def completing(seen: Cube, seat: Seat) -> Iterator[int]:
    """The cells that complete a line of *seat*, in which a stone would stay."""
    mark = MARKS[seat]
    found = set()
    for line in LINES:
        stones = [seen.stones[cell] for cell in line]
        if stones.count(mark) == len(line) - 1 and EMPTY in stones:
            found.add(line[stones.index(EMPTY)])
    yield from sorted(cell for cell in found if seen.is_borne(cell))


def hints(position: Cube) -> Sequence[Phrase]:
    """Where somebody could complete a line now; only for those who want to be told."""
    found = ((seat, tuple(NAMES[cell] for cell in completing(position, seat))) for seat in (0, 1))
    return [phrase("cubo.three", who=Who(seat), cells=cells) for seat, cells in found if cells]


def refusal(position: Cube, seat: Seat, typed: str) -> Refusal:
    """Why *typed* is no legal move: the rule and a sentence."""
    del seat
    cell = NUMBERS.get(casefolded(typed).replace("-", ""))
    if cell is None:
        return Refusal("2", phrase("cubo.no-cell", text=typed[:24]))
    if position.stones[cell] != EMPTY:
        return Refusal("2", phrase("cubo.taken", cell=NAMES[cell]))
    return Refusal("3", phrase("cubo.hovering", cell=NAMES[cell]))


SPEECH: Speech[Cube, int] = Speech(
    describe,
    spoken,
    hints=hints,
    refusal=refusal,
    turns=frozenset({"cubo.turn.0", "cubo.turn.1"}),
)
