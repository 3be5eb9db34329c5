"""The themes: the colours that all games share, and which of them touch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence


def by_theme(colours: Mapping[str, Sequence[str]]) -> dict[str, dict[str, str]]:
    """The colours of each theme, where *colours* has each by day, by night, and for weak eyes.

    A fourth one is for whoever sees few colours, by day; without it the first is.
    """
    every = {name: (*tones, tones[0]) for name, tones in colours.items()}
    themes = ("light", "dark", "contrast", "safe")
    return {theme: {k: tones[n] for k, tones in every.items()} for n, theme in enumerate(themes)}


THEMES: Mapping[str, Mapping[str, str]] = by_theme(
    {
        "paper": ("#F4EFE6", "#1E1C1A", "#000000"),
        "ink": ("#26221D", "#F2EDE4", "#FFFFFF"),
        "soft": ("#6A6157", "#A79D90", "#D2D2D2"),
        "hair": ("#C9BEAC", "#4A443D", "#8A8A8A"),
        "bar": ("#FFFDF8", "#2A2724", "#101010"),
        "pale": ("#FFE9B8", "#4A3013", "#3D2B00"),
        "line": ("#26221D", "#26221D", "#000000"),
        "white": ("#FFFFFF", "#FFFFFF", "#FFFFFF"),
        "amber": ("#E58A00", "#FFB02E", "#FFC61A", "#E69F00"),
        "blue": ("#0B4FA3", "#1F72D0", "#1A6FE8", "#004C99"),
        "red": ("#B51F17", "#D8392E", "#DB1A0D", "#A33F00"),
        "gold": ("#E8B400", "#F5DC5A", "#FFD21F", "#F0DC32"),
    }
)
"""The themes by name, in the order in which they are offered.

*ink* and *soft* are for text and *hair* for rules on *paper* and *bar*; *line* is the dark
outline of things; *amber* over *pale* is the last move, *blue* a choice, *red* danger, *gold*
victory.

*dark* is for the night: all are brighter, since dark outlines vanish on dark boards; gold is far
from amber. *contrast* is for weak eyes: black, white, and colours as far from both as possible;
they differ in every kind of colour blindness, so this is the safe theme by night, too. So do those
of *safe*, by day: after Masataka Okabe and Kei Ito, https://jfly.uni-koeln.de/color/ (2008):
orange, blue, vermilion and yellow; vermilion darker, so that white can be written on it.
"""

MATERIALS: Mapping[str, str] = {"light": "material", "dark": "material_dark"}
"""The themes that may be shown in materials, and what painters call them then.

The themes for weak eyes stay flat.
"""

TEXTURED: Mapping[str, str] = {textured: plain for plain, textured in MATERIALS.items()}
"""The same from the other side."""

TOKENS: Mapping[str, Mapping[str, str]] = {
    **THEMES,
    **{textured: THEMES[plain] for textured, plain in TEXTURED.items()},
}
"""The shared colours of every theme, flat or in materials."""


def plain(theme: str) -> str:
    """The theme of which *theme* is a look: in materials, with a set of pieces."""
    theme = theme.partition("-")[0]
    return TEXTURED.get(theme, theme)


def is_textured(theme: str) -> bool:
    """Whether *theme* is a look in materials."""
    return theme.partition("-")[0] in TEXTURED


DARK_THEMES = frozenset({"dark", "contrast"})
"""The themes with dark boards, where blue and red marks need a white line beside them."""

EDGES: Mapping[str, str] = {
    "ink": "paper bar",
    "soft": "paper bar",
    "hair": "paper bar",
    "line": "amber gold white",
    "amber": "pale",
    "blue": "white",
    "red": "white",
    "gold": "bar",
}
"""Which shared colours touch: the edges that every palette softens."""
