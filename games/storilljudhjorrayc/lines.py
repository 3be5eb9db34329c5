"""Set-up lines: eighteen spaces typed in one go (Z14, G17)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from games.core import IllegalMove, Refusal, Seat, phrase
from games.storilljudhjorrayc.moves import Arranging
from games.storilljudhjorrayc.setup import SetUp, arrangings_to, faults
from games.storilljudhjorrayc.units import Label, label_named

EMPTY = "."
SHORTEST_LINE = 10
"""From so many words on, what is typed in the set-up is taken for a line."""

_WRAPPED = re.compile(r'\[\w{1,16}\s+"([^"]*)"\s*\]')
_PARTING = re.compile(r"[\s,;/|]+")


def read_line(text: str) -> tuple[Label | None, ...]:
    """The arrangement that *text* writes in listing order; unknown words stay as they are.

    Words are parted by blanks, commas or bars; ``.`` and ``·`` are empty spaces; the tag
    brackets of a game text may be left on.
    """
    bare = text.strip()
    if wrapped := _WRAPPED.fullmatch(bare):
        bare = wrapped[1]
    words = [word for word in _PARTING.split(bare) if word]
    return tuple(None if word in (EMPTY, "·") else label_named(word) or word for word in words)


def line_text(line: Sequence[Label | None]) -> str:
    """The arrangement *line* as G17 writes it."""
    return " ".join(label or EMPTY for label in line)


def line_moves(setup: SetUp, seat: Seat, text: str) -> tuple[Arranging, ...]:
    """The small moves that lead *seat* to the arrangement that *text* writes.

    Empty when *text* is no set-up line at all; raises ``IllegalMove`` when it is one and
    something is wrong with it.
    """
    wanted = read_line(text)
    present = setup.lines[seat]
    if len(wanted) < SHORTEST_LINE or present is None:
        return ()
    fault = faults(seat, wanted, setup.variant)
    if fault is not None:
        reason, what = fault
        said = phrase(f"storilljudhjorrayc.refusal.line.{reason}", what=what[:16])
        raise IllegalMove(Refusal("G12", said))
    if wanted == present:
        raise IllegalMove(Refusal("G12", phrase("storilljudhjorrayc.refusal.line.same")))
    return arrangings_to(seat, present, wanted, setup.variant)
