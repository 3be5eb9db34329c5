"""Parameters of which only some are tried in every run, and the rest in the slow lane."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from _pytest.mark.structures import ParameterSet


def one_and_slowly_all(keys: Iterable[str]) -> list[ParameterSet]:
    """The *keys* in their order: the first for every run, the others for the slow lane."""
    first, *others = sorted(keys)
    return [pytest.param(first), *(pytest.param(key, marks=pytest.mark.slow) for key in others)]
