"""The fields of a dataclass that remember what is newest."""

from __future__ import annotations

from dataclasses import field
from typing import Any

from cachetools import LRUCache, TTLCache


def remembering(most: int, seconds: float | None = None) -> Any:
    """A field that holds the newest *most* of something, each for so many *seconds*."""
    if seconds is None:
        return field(default_factory=lambda: LRUCache(most))
    return field(default_factory=lambda: TTLCache(most, seconds))
