"""The house as people have it: on the page or on Telegram, by the name of the file of tests."""

import pytest

from tests.chats.pages import server
from tests.chats.telegram_room import room


@pytest.fixture
async def at(request, tmp_path):
    """The house, and the people before it."""
    opened = server if request.path.name.startswith("test_web") else room
    async with opened(tmp_path) as made:
        yield made
