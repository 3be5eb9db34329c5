"""The notations of whole games, and the encodings of their files (H23)."""

from __future__ import annotations

from games.shogi.formats.csa import CSA
from games.shogi.formats.kif import KI2, KIF
from games.shogi.formats.pgn import PGN
from games.shogi.formats.usi import USI

FORMATS = (KIF, KI2, CSA, USI, PGN)

ENCODINGS = ("euc_jp", "cp932")
"""Beside UTF-8: that of Unix in Japan, and what Windows there calls Shift_JIS.

Text in the second is hardly ever valid in the first, but text in the first often is in the second.
"""
