"""The colours of shogi's board and pieces in every theme, and which of them meet."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from functools import cache

from games.shogi.rules import SIDES
from render.kit import DARK_THEMES, EDGES, TOKENS, Canvas, Palette, mix, plain
from render.kit.materials import Texture, grain, lying_grain, material_palette
from render.kit.themes import by_theme

_GROUNDS = by_theme(
    {
        "frame": ("#B9803F", "#4B3119", "#000000"),
        "slab": ("#8A5B28", "#2F1E0E", "#000000"),
        "cell": ("#EFD7A4", "#7E5831", "#686868"),
        "grid": ("#8C6532", "#4B3119", "#000000"),
        "names": ("#2B1B0A", "#F2DDB5", "#FFFFFF"),
        "shade": ("#C9A96D", "#5A3D20", "#3C3C3C"),
        "sente": ("#FFF9EA", "#FBEFD2", "#FFFFFF"),
        "sente.edge": ("#3F2810", "#2B1A09", "#000000"),
        "sente.foot": ("#E2C08A", "#D0A96B", "#C4C4C4"),
        "sente.ink": ("#26221D", "#26221D", "#000000"),
        "sente.red": ("#BE1610", "#BE1610", "#C00000", "#0055AA"),
        "gote": ("#E4B273", "#D6A260", "#000000"),
        "gote.edge": ("#3F2810", "#2B1A09", "#FFFFFF"),
        "gote.foot": ("#B57B38", "#9A6629", "#5C5C5C"),
        "gote.ink": ("#26221D", "#26221D", "#FFFFFF"),
        "gote.red": ("#880705", "#7C0604", "#FF9A8C", "#003C85"),
    }
)


_TEXTURES = {
    # The grain repeats from square to square, so that all squares can share sprites.
    "cell": Texture((-0.05, 0.09), grain(78, 80)),
    "frame": Texture((-0.08, 0.06), lying_grain(96, 48)),
}
"""Kaya: straight grain along the files."""


@cache
def palette(theme: str) -> Palette:
    """The colours of *theme*; a dark board has paler fields, on which the marks stand out."""
    own, shared = _GROUNDS[plain(theme)], TOKENS[plain(theme)]
    light = plain(theme) not in DARK_THEMES
    fields = {
        "chosen": mix(own["cell"], shared["blue"], 0.45) if light else "#BCD3EE",
        "aimed": mix(own["cell"], shared["blue"], 0.30) if light else "#BCD3EE",
        "danger": mix(own["cell"], shared["red"], 0.40) if light else "#F0B9B2",
        "bar.shade": mix(shared["bar"], "#000000", 0.18 if light else 0.45),
        "picked": mix(shared["bar"], shared["blue"], 0.35),
    }
    flats, shadows = {**shared, **own, **fields}, {"shade": "cell", "bar.shade": "bar"}
    return material_palette(theme, flats, _edges(), _TEXTURES, shadows)


def keyline(canvas: Canvas) -> str | None:
    """What keeps blue and red apart from a dark board."""
    return "white" if canvas.palette.night else None


def _edges() -> Mapping[str, str]:
    edges = defaultdict(str, EDGES)
    grounds = "cell pale chosen aimed danger bar picked"
    for side in SIDES:
        edges[side] += f" {side}.foot {side}.red {side}.ink {side}.edge"
        edges[f"{side}.edge"] += f" {side}.foot {side}.red {grounds} shade bar.shade grid"
    edges["shade"] += " cell pale chosen aimed danger"
    edges["bar.shade"] += " bar picked"
    edges["grid"] += " cell"
    edges["names"] += " frame"
    edges["frame"] += " slab paper"
    edges["slab"] += " paper"
    edges["blue"] += " cell chosen aimed picked bar grid"
    edges["white"] += " cell aimed chosen danger grid sente gote bar"
    edges["red"] += " cell danger grid bar"
    edges["amber"] += " pale cell"
    edges["gold"] += " cell sente.edge gote.edge shade"
    edges["line"] += " cell"
    edges["ink"] += " bar"
    return edges
