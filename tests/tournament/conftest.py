"""A house with a clock that tests set."""

import pytest

from tests.fakes import desk


@pytest.fixture
async def at(tmp_path, clock):
    async with desk(tmp_path, clock=clock) as opened:
        yield opened
