"""A house with a clock that tests set; who needs another one makes it himself."""

from __future__ import annotations

import pytest

from tests.engines import program
from tests.fakes import FakeClock, desk

__all__ = ["program"]


@pytest.fixture
def clock() -> FakeClock:
    """The time of the house."""
    return FakeClock()


@pytest.fixture
async def at(tmp_path, clock):
    """The house, its chat and the people in it."""
    async with desk(tmp_path, clock=clock) as opened:
        yield opened
