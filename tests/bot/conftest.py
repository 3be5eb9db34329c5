"""A house with a clock that tests set; who needs another one makes it himself."""

from __future__ import annotations

import pytest

from render.kit import Gallery
from tests.engines import program
from tests.fakes import desk

__all__ = ["program"]


@pytest.fixture
async def at(tmp_path, clock):
    """The house, its chat and the people in it."""
    async with desk(tmp_path, clock=clock) as opened:
        yield opened


@pytest.fixture
async def house(tmp_path, monkeypatch):
    """A house whose pictures nobody paints: they take most of the time of an exercise."""

    monkeypatch.setattr(Gallery, "picture", lambda *_: None)
    async with desk(tmp_path) as made:
        yield made
