"""The colours of Parchís in every theme, and which of them meet."""

from __future__ import annotations

from functools import cache

from games.parchis.board import LETTERS
from render.kit import EDGES, TOKENS, Palette, mix, plain
from render.kit.materials import Texture, cloth, fibres, material_palette
from render.kit.themes import by_theme

_OWN = by_theme(
    {
        "cell": ("#FFFDF7", "#37322C", "#000000"),
        "grid": ("#8B8071", "#7A7063", "#9C9C9C"),
        "seguro": ("#DCD2C0", "#595147", "#474747"),
        "number": ("#4A433B", "#F2EBDF", "#FFFFFF"),
        "shut": ("#26221D", "#F2EBDF", "#FFFFFF"),
        "shut.ink": ("#F4EFE6", "#1B1815", "#000000"),
        "disc": ("#FBF7EE", "#24211E", "#000000"),
        "shadow": ("#CFC6B8", "#100F0E", "#000000"),
        "shade": ("#726F6C", "#0E0D0C", "#000000"),
        "rim": ("#26221D", "#F2EBDF", "#FFFFFF"),
        "die": ("#FFFFFF", "#F6F1E8", "#FFFFFF"),
        "pips": ("#26221D", "#1E1C1A", "#000000"),
    }
)
_FACES = {
    "light": ("#F5C11E", "#1F5FAE", "#CE3A30", "#2C7F45"),
    "dark": ("#E6B31C", "#2A66B5", "#C23B31", "#2D7D46"),
    "contrast": ("#FFD21F", "#1E66D0", "#BE4C00", "#22B090"),
    "safe": ("#F2DE3A", "#0061B0", "#B84A00", "#24B891"),
}
_DEEPS = {
    "light": ("#8A6200", "#153F78", "#8F211A", "#1C5630"),
    "dark": ("#F4D064", "#8FB8EC", "#F0968E", "#84CB98"),
    "contrast": ("#FFD21F", "#8FBEFF", "#FFA870", "#6FE6C6"),
    "safe": ("#786A00", "#00407A", "#7A3000", "#005A46"),
}
"""The tone of each colour for signs and emblems: dark by day, pale by night."""
_CORRIDORS = {
    "light": ("#FBE391", "#A9CBEE", "#F2B1A8", "#B2DDB4"),
    "dark": ("#6B5513", "#213F6A", "#6E2E29", "#204E31"),
    "contrast": ("#5A4900", "#0B2F68", "#5C2400", "#00463A"),
    "safe": ("#FAF0A0", "#A9CBEE", "#F2C4A0", "#B4EADA"),
}
_FIGURE_INKS = ("line", "white", "white", "white")
_SAFE_INKS = ("line", "white", "white", "line")
FIGURE_INKS = {
    "light": _FIGURE_INKS,
    "dark": _FIGURE_INKS,
    "contrast": _SAFE_INKS,
    "safe": _SAFE_INKS,
}
"""The ink of the figure on a piece, by colour."""


_TEXTURES = {
    "cell": Texture((-0.05, -0.08), fibres()),
    **{f"face.{letter}": Texture((-0.06,), cloth()) for letter in LETTERS},
}
"""Paper, and casas of cloth."""


@cache
def palette(theme: str) -> Palette:
    """The colours of *theme*; those of a colour end in its letter, such as ``face.A``."""
    look = plain(theme)
    own, shared = _OWN[look], TOKENS[plain(theme)]
    flats = {**shared, **own}
    for colour, letter in enumerate(LETTERS):
        face, deep = _FACES[look][colour], _DEEPS[look][colour]
        corridor = _CORRIDORS[look][colour]
        flats[f"face.{letter}"] = face
        flats[f"deep.{letter}"] = deep
        flats[f"corridor.{letter}"] = corridor
        flats[f"figure.{letter}"] = shared[FIGURE_INKS[look][colour]]
        flats[f"empty.{letter}"] = mix(face, own["disc"], 0.72)
        flats[f"rim.{letter}"] = mix(deep, own["disc"], 0.2)
    return material_palette(theme, flats, _edges(), _TEXTURES, {"shade": "cell", "shadow": "paper"})


def _edges() -> dict[str, str]:
    edges = {
        **EDGES,
        "grid": "cell seguro",
        "number": "cell seguro",
        "shut": "shut.ink grid white",
        "line": "cell disc shade paper " + EDGES["line"],
        "rim": "cell disc shade seguro",
        "amber": "cell seguro shut " + EDGES["amber"],
        "blue": "cell paper disc " + EDGES["blue"],
        "red": "cell disc " + EDGES["red"],
        "white": "cell disc",
        "die": "pips line",
        "disc": "shadow",
        "shadow": "paper",
        "shade": "cell disc",
        "gold": "ink disc bar",
        "ink": "bar " + EDGES["ink"],
    }
    for letter in LETTERS:
        edges[f"face.{letter}"] = f"line rim figure.{letter} shut.ink disc red blue"
        edges[f"corridor.{letter}"] = f"grid deep.{letter} line"
        edges[f"empty.{letter}"] = f"rim.{letter}"
        edges[f"rim.{letter}"] = "disc"
        edges[f"deep.{letter}"] = "disc cell"
    return edges
