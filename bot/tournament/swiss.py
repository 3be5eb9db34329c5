"""The Swiss system: pairings of FIDE's Dutch system, by ``py4swiss``.

``python -m bot.tournament.swiss`` reads a report from its input and prints the pairs: a round of
many people takes a second of a processor, which is none of the event loop's business.
"""

from __future__ import annotations

import sys
from typing import TypeAlias

Pair: TypeAlias = tuple[int, int]
"""The numbers of two entrants, the first side first; 0 is the bye."""

UNPAIRABLE = 3
"""The status with which the program ends where no round can be paired."""


class Unpairable(Exception):
    """No further round can be paired without people meeting again."""


def why_missing() -> str:
    """Why Swiss tournaments cannot be offered here, in English; "" where they can."""
    try:
        import py4swiss.engines  # noqa: F401
    except ImportError as wrong:
        return str(wrong)
    return ""


def pairs(report: str) -> list[Pair]:
    """The pairs of the round that follows *report*, a TRF16; raises ``Unpairable``."""
    # Imported here: most that import this module never pair, and it takes a third of a second.
    from py4swiss.engines import DutchEngine
    from py4swiss.engines.common import PairingError
    from py4swiss.trf import ParsedTrf, TrfLine
    from py4swiss.trf.codes import PlayerCode, XCode
    from py4swiss.trf.sections import PlayerSection, XSection

    lines = [TrfLine(number, line) for number, line in enumerate(report.splitlines())]
    parsed = ParsedTrf(
        player_sections=[
            PlayerSection.from_string(str(line)) for line in lines if line.code_type is PlayerCode
        ],
        x_section=XSection.from_lines([line for line in lines if line.code_type is XCode]),
    )
    parsed.validate_contents()
    try:
        found = DutchEngine.generate_pairings(parsed)
    except PairingError as wrong:
        raise Unpairable from wrong
    return [(one.white, one.black) for one in found]


def pair_input() -> int:
    """Pair the report on the standard input."""
    sys.stdin.reconfigure(encoding="utf-8")  # type: ignore[union-attr]
    try:
        found = pairs(sys.stdin.read())
    except Unpairable:
        return UNPAIRABLE
    sys.stdout.write("".join(f"{first} {second}\n" for first, second in found))
    return 0


def read_pairs(printed: str) -> list[Pair]:
    """The pairs that the program has *printed*."""
    split = (line.split() for line in printed.splitlines())
    return [(int(first), int(second)) for first, second in split]


if __name__ == "__main__":
    sys.exit(pair_input())
