"""A problem: what is to be found in a position, and all that is right."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

ANY: Final = "*"
"""Stands for every legal move."""

MOST_ANSWERS: Final = 63
"""How many right moves may have a reply: their numbers travel in buttons."""

DEEPEST: Final = 5
"""How many own moves a lesson takes at most, for the same reason."""


@dataclass(frozen=True)
class LessonReply:
    """What the other side plays after a right move, and the *answers* that are right then."""

    text: str
    answers: Answers


Answers: TypeAlias = Mapping[str, LessonReply | None]
"""The right moves in notation, each with the reply to it; ``None`` where the lesson ends."""


@dataclass(frozen=True)
class PosedProblem:
    """What a position asks for by its *theme*, proved: all *answers*, in *depth* own moves."""

    theme: str
    answers: Answers
    depth: int = 1
