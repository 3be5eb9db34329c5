"""The house as people have it, by the name of the file of tests, and both platforms' doors."""

import pytest

from bot.chats.web import budget
from bot.chats.web import server as web_server
from bot.chats.web.budget import PURSES
from tests.chats import known_menus
from tests.chats.fake_discord_sign_in import DiscordApi
from tests.chats.pages import server
from tests.chats.telegram_oidc import TelegramOidc
from tests.chats.telegram_room import room

MENUS = {f"test_telegram_{name}.py" for name in ("ephemeral_answers", "page", "startup")}
"""Those that look at what Telegram is told of the bot."""

known_menus.share_translations()


@pytest.fixture(autouse=True, scope="module")
def menus_are_known(request):
    """Telegram is told the menus and pages of the bot where a test looks at them."""
    known_menus.share(telegram=request.path.name in MENUS)
    yield
    known_menus.share(telegram=True)


@pytest.fixture
async def at(request, tmp_path):
    """The house, and the people before it."""
    opened = server if request.path.name.startswith("test_web") else room
    async with opened(tmp_path) as made:
        yield made


@pytest.fixture
def strangers_pay(monkeypatch, unhurried):
    """What strangers may cost, as it is."""
    monkeypatch.setattr(budget, "PURSES", PURSES)


@pytest.fixture
def nobody_is_held(monkeypatch):
    """Whoever has spent much is answered at once: what it is answered is what is looked at."""
    monkeypatch.setattr(budget, "HELD", 0.0)
    monkeypatch.setattr(web_server, "HELD", 0.0)


@pytest.fixture(name="discord")
async def discord_fixture():
    async with DiscordApi().running() as made:
        yield made


@pytest.fixture(name="telegram")
async def telegram_fixture():
    async with TelegramOidc().running() as made:
        yield made
