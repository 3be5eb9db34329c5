"""What an examination of a record's fairness has found, as values. Standard library only."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from games.core.phrases import Phrase, phrase

MOVES = "moves"
"""Stands for the lines of moves among the lines that a record does not prove."""


@dataclass(frozen=True)
class CheckedDraw:
    """Draw *number*: *case* of *cases* by the secret, so *expected*; the record says *written*."""

    number: int
    cases: int
    case: int
    written: str
    expected: str

    @property
    def honest(self) -> bool:
        """Whether the record has the case of the secret."""
        return self.written == self.expected


@dataclass(frozen=True)
class Fault:
    """A *line* that no honest house writes, and *why*."""

    line: str
    why: Phrase


@dataclass(frozen=True)
class Unproved:
    """*what* a record states and does not prove, in the *lines* of these tags or ``MOVES``."""

    lines: tuple[str, ...]
    what: Phrase

    @property
    def said(self) -> Phrase:
        """The statement with its lines, as a sentence."""
        if self.lines == (MOVES,):
            return phrase("core.unproved.all", what=self.what)
        return phrase("core.unproved", what=self.what, lines=self.lines)


@dataclass(frozen=True)
class FairnessReport:
    """The *draws* of a record, the lot first, its *faults*, and its *unproved* statements.

    *lacking* are the tags without which it shows too little; *frequencies* are how often each
    result was drawn.
    """

    draws: tuple[CheckedDraw, ...]
    faults: tuple[Fault, ...] = ()
    lacking: tuple[str, ...] = ()
    unproved: tuple[Unproved, ...] = ()
    frequencies: Counter[str] = field(default_factory=Counter)

    @property
    def honest(self) -> bool:
        """Whether the record lacks nothing and contradicts neither seal nor rules nor itself."""
        return not self.faults and not self.lacking
