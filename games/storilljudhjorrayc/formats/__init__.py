"""The notations of whole games."""

from games.storilljudhjorrayc.formats.western import WESTERN

FORMATS = (WESTERN,)

__all__ = ["FORMATS"]
