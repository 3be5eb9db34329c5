"""The notations of whole games."""

from games.cirya.formats.ptn import PTN

FORMATS = (PTN,)

__all__ = ["FORMATS"]
