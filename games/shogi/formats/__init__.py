"""The notations of whole games, and the text in files of unknown encoding (H23)."""

from __future__ import annotations

from games.shogi.formats.csa import CSA
from games.shogi.formats.kif import KI2, KIF
from games.shogi.formats.usi import USI

FORMATS = (KIF, KI2, CSA, USI)

ENCODINGS = ("cp932",)
"""Beside UTF-8: what Windows in Japan calls Shift_JIS."""


def decode(data: bytes) -> str:
    """The text of a file, in UTF-8 or cp932; what neither can be is marked as unreadable."""
    for encoding in ("utf-8-sig", *ENCODINGS):
        try:
            return data.decode(encoding)
        except UnicodeDecodeError:
            continue
    return data.decode("cp932", "replace")
