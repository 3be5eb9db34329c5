"""What the players agree on before a game: the options and the handicaps (H10 to H20)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from games.core import Option

EVEN = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL"
"""H1: the board of an even game; capitals are sente's."""

_UNTOUCHED = "/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL"

# H20: what gote, who gives the handicap and moves first, plays without.
_HOME = {
    "lance": "lnsgkgsn1/1r5b1",
    "right_lance": "1nsgkgsnl/1r5b1",
    "bishop": "lnsgkgsnl/1r7",
    "rook": "lnsgkgsnl/7b1",
    "rook_lance": "lnsgkgsn1/7b1",
    "2": "lnsgkgsnl/9",
    "3": "lnsgkgsn1/9",
    "4": "1nsgkgsn1/9",
    "5": "2sgkgsn1/9",
    "left_5": "1nsgkgs2/9",
    "6": "2sgkgs2/9",
    "left_7": "2sgkg3/9",
    "right_7": "3gkgs2/9",
    "8": "3gkg3/9",
    "10": "4k4/9",
}
HANDICAPS = {"none": EVEN, **{key: home + _UNTOUCHED for key, home in _HOME.items()}}
"""The boards of H1 and H20 by the value of the option ``handicap``."""

OPTIONS = (
    Option("handicap", tuple(HANDICAPS)),
    Option("stalemate", ("draw", "loss"), rated=("loss",)),
    Option("repetition", ("points", "draw", "replay"), rated=("draw", "replay")),
    Option("impasse", ("seed", "jsa", "declare27"), rated=("jsa", "declare27")),
    Option("tie", ("draw", "replay"), rated=("replay",)),
    Option("illegal", ("warn", "lose", "same_piece"), rated=("lose", "same_piece")),
    Option("king_capture", ("no", "yes")),
)


@dataclass(frozen=True)
class Terms:
    """The options as the rules ask for them; strings are the values of the options of that name."""

    stalemate_loses: bool = False
    repetition: str = "points"
    impasse: str = "seed"
    ties_are_replayed: bool = False
    illegal: str = "warn"
    king_capture: bool = False

    @classmethod
    def of(cls, options: Mapping[str, str]) -> Terms:
        """The terms that the *options* of a table say."""
        return cls(
            stalemate_loses=options["stalemate"] == "loss",
            repetition=options["repetition"],
            impasse=options["impasse"],
            ties_are_replayed=options["tie"] == "replay",
            illegal=options["illegal"],
            king_capture=options["king_capture"] == "yes",
        )
