"""The notations of whole games, and the encodings of their files (H23)."""

from __future__ import annotations

from games.shogi.formats.csa import CSA
from games.shogi.formats.kif import KI2, KIF
from games.shogi.formats.usi import USI

FORMATS = (KIF, KI2, CSA, USI)

ENCODINGS = ("cp932",)
"""Beside UTF-8: what Windows in Japan calls Shift_JIS."""
