"""The themes: the colours that all games share, and which of them touch."""

from __future__ import annotations

from collections.abc import Mapping

LIGHT: Mapping[str, str] = {
    "paper": "#F4EFE6",
    "ink": "#26221D",
    "soft": "#6A6157",
    "hair": "#C9BEAC",
    "bar": "#FFFDF8",
    "pale": "#FFE9B8",
    "line": "#26221D",
    "white": "#FFFFFF",
    "amber": "#E58A00",
    "blue": "#0B4FA3",
    "red": "#B51F17",
    "gold": "#E8B400",
}
"""By day.

*ink* and *soft* are for text and *hair* for rules on *paper* and *bar*; *line* is the dark
outline of things; *amber* over *pale* is the last move, *blue* a choice, *red* danger, *gold*
victory.
"""

DARK: Mapping[str, str] = {
    **LIGHT,
    "paper": "#1E1C1A",
    "ink": "#F2EDE4",
    "soft": "#A79D90",
    "hair": "#4A443D",
    "bar": "#2A2724",
    "pale": "#4A3013",
    "amber": "#FFB02E",
    "blue": "#1F72D0",
    "red": "#D8392E",
    "gold": "#F5DC5A",
}
"""By night: all are brighter, since dark outlines vanish on dark boards; gold is far from amber."""

CONTRAST: Mapping[str, str] = {
    "paper": "#000000",
    "ink": "#FFFFFF",
    "soft": "#D2D2D2",
    "hair": "#8A8A8A",
    "bar": "#101010",
    "pale": "#3D2B00",
    "line": "#000000",
    "white": "#FFFFFF",
    "amber": "#FFC61A",
    "blue": "#1A6FE8",
    "red": "#DB1A0D",
    "gold": "#FFD21F",
}
"""For weak eyes: black, white, and colours as far from both as possible.

The colours differ in every kind of colour blindness: this is the safe theme by night, too.
"""

SAFE: Mapping[str, str] = {
    **LIGHT,
    "amber": "#E69F00",
    "blue": "#004C99",
    "red": "#A33F00",
    "gold": "#F0DC32",
}
"""By day, in colours that differ in every kind of colour blindness.

After Masataka Okabe and Kei Ito, https://jfly.uni-koeln.de/color/ (2008): orange, blue, vermilion
and yellow; vermilion darker, so that white can be written on it.
"""

THEMES: Mapping[str, Mapping[str, str]] = {
    "light": LIGHT,
    "dark": DARK,
    "contrast": CONTRAST,
    "safe": SAFE,
}
"""The themes by name, in the order in which they are offered."""

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
