"""What an engine thinks of a position, for one seat. Pure."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Opinion:
    """What a seat had better play, as notation, with its value from -1 to 1.

    *move* is empty where the seat had better resign. *line* is what is expected to follow, the
    move itself first; *exact* says that it is proved, *hurried* that it was found without a search.
    """

    move: str
    value: float
    line: tuple[str, ...] = ()
    exact: bool = False
    hurried: bool = False
