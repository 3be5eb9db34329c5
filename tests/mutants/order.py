"""A plugin of pytest: run the tests in the order that a file tells, all others after them."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

ORDER = "LUDOTECA_TESTS_IN_ORDER"
"""The variable that names the file."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put *items* into that order."""
    if file := os.environ.get(ORDER):
        place = {name: index for index, name in enumerate(json.loads(Path(file).read_text()))}
        items.sort(key=lambda item: place.get(item.nodeid, len(place)))
