"""``ludoteca doctor`` asks the platforms who the bot is, where, what it may do; no token shows."""

from __future__ import annotations

import pytest

from bot.app.doctor import _read, ask
from bot.app.settings import Settings
from bot.chats.discord import checkup as discord
from bot.chats.discord.commands import path_of
from bot.chats.discord.reading import PERMISSIONS
from bot.chats.telegram import checkup as telegram
from bot.presenters.command_specs import COMMANDS, short_menu
from storage.table import views
from tests.chats.discord_messages import Failure
from tests.chats.fake_discord import SECRET as CLIENT_SECRET
from tests.chats.fake_discord import FakeDiscord, point_library_at
from tests.command_line import has_spanish_words
from tests.databases import database_in
from tests.fakes import desk, person, silence
from tests.telegram_api import TOKEN, Api, Refusal, serving

SECRET = "MTIz.abc.secret-of-the-bot"

TOP = list(dict.fromkeys(path_of(command)[0] for command in COMMANDS))
"""The names of the commands and groups that Discord has."""


@pytest.fixture
async def fake(monkeypatch):
    made = FakeDiscord()
    async with made.running() as base:
        point_library_at(monkeypatch, base)
        yield made


def told(found) -> list[tuple[str, str]]:
    assert not any(SECRET in one.text or TOKEN in one.text for one in found)
    assert [one.text for one in found if not has_spanish_words(one.text)] == []
    return [(one.level, one.text) for one in found]


async def test_discord_says_who_the_bot_is_and_which_commands_it_lacks(fake):
    fake.commands = [{"name": name, "type": 1} for name in TOP[1:]]
    who, lacking, servers, faces = told(await discord.checkup(SECRET))
    assert who[0] == "fine"
    assert lacking == ("warning", "Discord lacks commands until the bot starts: play.")
    assert servers == ("fine", "The bot is a member of 0 servers.")
    assert faces == ("warning", "Discord did not list the faces of buttons (403).")


async def test_discord_says_where_the_bot_lacks_which_permission_by_discord_s_own_name(fake):
    fake.commands = [{"name": name, "type": 1} for name in TOP]
    everything, without = PERMISSIONS.value, PERMISSIONS.value
    without &= ~discord.discord.Permissions(attach_files=True).value
    fake.servers = [
        {"id": "1", "name": "Good", "permissions": str(everything)},
        {"id": "2", "name": "Strict", "permissions": str(without)},
        {"id": "3", "name": "Ours", "permissions": "8"},
    ]
    *_, count, strict, _ = told(await discord.checkup(SECRET))
    assert count == ("fine", "The bot is a member of 3 servers.")
    assert strict == ("warning", "In 'Strict' the bot lacks: Attach Files.")


@pytest.mark.parametrize(("status", "level"), [(401, "error"), (403, "warning")])
async def test_a_wrong_token_is_a_fault_and_a_silent_discord_a_warning(fake, status, level):
    fake.failing.append(Failure("GET /users/@me", status, 0, 9))
    assert [one.level for one in await discord.checkup(SECRET)] == [level]


async def test_without_activities_discord_is_asked_nothing_of_them(fake):
    fake.commands = [{"name": name, "type": 1} for name in TOP]
    said = [text for _, text in told(await discord.checkup(SECRET))]
    assert not any("Activit" in text or "DISCORD_CLIENT_SECRET" in text for text in said)
    assert fake.count("oauth2/token") == 0


async def test_a_secret_without_activities_is_told(fake):
    said = [one for one in told(await discord.checkup(SECRET, secret="x")) if "SECRET" in one[1]]
    assert [level for level, _ in said] == ["warning"]


@pytest.mark.parametrize(
    ("secret", "level", "text"),
    [
        (CLIENT_SECRET, "fine", "Discord knows the secret of DISCORD_CLIENT_SECRET."),
        ("another", "error", "Discord refuses the secret of DISCORD_CLIENT_SECRET."),
        ("", "warning", "DISCORD_CLIENT_SECRET is not set: nobody can sign in within Discord."),
    ],
)
async def test_with_activities_the_secret_is_tried_by_a_made_up_code(fake, secret, level, text):
    fake.commands = [{"name": name, "type": 1} for name in TOP]
    fake.switch_activities()
    found = told(await discord.checkup(SECRET, secret=secret))
    assert ("fine", "Activities are on for the application.") in found
    assert (level, text) in found
    assert any("Entry Point" in text for kind, text in found if kind == "warning")
    fake.commands[-1]["handler"] = 1
    found = told(await discord.checkup(SECRET, secret=secret))
    assert ("fine", "The Entry Point command is /launch.") in found


DOOR = "https://play.example.org/door/discord/back"


@pytest.mark.parametrize(
    ("registered", "back", "levels"),
    [
        ((), "", ["error"]),
        ((), DOOR, ["error", "error"]),
        (("https://other.example/",), "", ["fine"]),
        (("https://other.example/",), DOOR, ["error"]),
        ((DOOR,), DOOR, ["fine"]),
    ],
)
async def test_the_redirects_that_discord_knows_are_told(fake, registered, back, levels):
    fake.switch_activities()
    fake.redirects = registered
    asked = await discord.checkup(SECRET, secret=CLIENT_SECRET, back=back)
    found = [(level, text) for level, text in told(asked) if "edirect" in text]
    assert [level for level, _ in found] == levels
    assert all((DOOR in text) is (back not in registered) for _, text in found[:1] if back)


async def test_a_door_alone_needs_its_redirect_and_no_activities(fake):
    fake.redirects = (DOOR,)
    found = told(await discord.checkup(SECRET, secret=CLIENT_SECRET, back=DOOR))
    assert not any("Activities are off" in text for _, text in found)
    assert ("fine", "Discord knows the secret of DISCORD_CLIENT_SECRET.") in found


@pytest.mark.parametrize(
    ("sign_in", "public", "door"),
    [
        ("discord", "https://play.example.org/", DOOR),
        ("telegram", "https://play.example.org", ""),
        ("discord", None, ""),
    ],
)
def test_the_redirect_is_that_of_an_open_door(sign_in, public, door):
    made = Settings(_env_file=None, web_sign_in=sign_in, web_public_url=public)
    assert made.discord_door == door


async def test_telegram_says_who_the_bot_is_what_it_sees_and_what_waits_for_it():
    api = Api()
    api.menu = [{"command": command.name, "description": "x"} for command in short_menu()]
    async with serving(api):
        found = told(await telegram.checkup(TOKEN, api.url, hooked=False))
    texts = [text for _, text in found]
    assert any("https://t.me/" in text for text in texts)
    assert "Privacy mode: in groups the bot sees commands and replies only." in texts
    assert "Updates that wait for the bot: 0." in texts
    assert texts[-1] == f"All {len(short_menu())} commands of the menu are there."
    # The server of the tests says that the bot may join no groups.
    mode, first, *rest = [text for level, text in found if level == "warning"]
    assert mode.startswith("Guest Mode is off (@BotFather, Bot Settings)")
    assert first == "The bot may not be added to groups (@BotFather)."
    assert [text.startswith("Inline mode is off: send /setinline to @Bot") for text in rest] == [
        True
    ]


async def test_nothing_is_to_be_switched_on_at_a_bot_with_inline_mode_that_may_join_groups():
    api = Api()
    api.flags = {"can_join_groups", "supports_inline_queries", "supports_guest_queries"}
    api.menu = [{"command": command.name, "description": "x"} for command in short_menu()]
    async with serving(api):
        found = told(await telegram.checkup(TOKEN, api.url, hooked=False))
    assert {level for level, _ in found} == {"fine"}


async def test_telegram_says_what_boards_lack_where_the_bot_is_no_member():
    api = Api()
    api.flags = {"can_join_groups", "supports_inline_queries", "supports_guest_queries"}
    api.menu = [{"command": command.name, "description": "x"} for command in short_menu()]
    async with serving(api):
        asked = {"pictured": False, "feedback": False}
        found = told(await telegram.checkup(TOKEN, api.url, hooked=False, **asked))
    words, moves = [text for level, text in found if level == "warning"]
    assert "set WEB_PUBLIC_URL or TELEGRAM_STORE_CHAT" in words
    assert "send /setinlinefeedback to @BotFather" in moves


GROUPS = {
    -1: {"title": "Club"},
    -2: {"title": "Mudo", "permissions": {"can_send_photos": False}},
    -3: {"title": "Foro", "is_forum": True, "has_hidden_members": True},
    -4: {"title": "Noticias", "type": "channel"},
}


class Groups(Api):
    """A server with groups that forbid this and that."""

    def getchat(self, asked):
        more = dict(GROUPS[int(asked.values["chat_id"])])
        self.permissions[int(asked.values["chat_id"])] = more.pop("permissions", {})
        return super().getchat(asked) | more


def kicked(asked):
    if asked.values.get("chat_id") == "-5":
        raise Refusal(403, "Forbidden: bot was kicked from the supergroup chat")


async def test_telegram_says_which_group_forbids_what_and_which_tables_suffer():
    api = Groups(refuse=kicked)
    api.flags = {"can_join_groups", "supports_inline_queries", "supports_guest_queries"}
    api.menu = [{"command": command.name, "description": "x"} for command in short_menu()]
    tables = {f"-{n}": (f"TABLE{n}",) for n in range(1, 6)} | {"77": ("PRIVATE",)}
    async with serving(api):
        found = told(
            await telegram.checkup(TOKEN, api.url, hooked=False, paged=True, tables=tables)
        )
    warned = [text for level, text in found if level == "warning"]
    assert warned[0].startswith("The bot has no main Mini App")
    assert warned[1:] == [
        "In 'Mudo' the bot may not send pictures, so that boards come in words: an administrator "
        "can allow it. Tables: TABLE2.",
        "'Noticias' is a channel: nobody can play there. Tables: TABLE4.",
        "The group -5 does not let the bot in: Forbidden: bot was kicked from the supergroup chat. "
        "Tables: TABLE5.",
    ]
    fine = [text for level, text in found if level == "fine"]
    assert sum("'Foro' has topics" in text or "'Foro' hides" in text for text in fine) == 2
    assert "Groups in which something is played: 5; asked about: 5." in fine
    assert not any("Club" in text or "PRIVATE" in text for _, text in found)


async def test_the_doctor_knows_which_tables_are_played_in_which_group(tmp_path):
    async with desk(tmp_path) as at:
        await at.call(person("Nerea"), "play", game="niya")
        (message,) = at.chat.messages.values()
        url = database_in(tmp_path)
        found = await at.facade.store.read(views.games_by_place, "fake")
    assert found == {"group": (message.screen.table,)}
    assert await _read(url, views.games_by_place, "fake") == found
    none = f"sqlite+aiosqlite:///{tmp_path}/none.db"
    assert await _read(none, views.games_by_place, "fake") is None


async def test_telegram_says_that_the_settings_and_the_webhook_differ_and_commands_are_missing():
    api = Api()
    async with serving(api):
        found = await telegram.checkup(TOKEN, api.url, hooked=True)
    warnings = [one.text for one in found if one.level == "warning"]
    assert any("no webhook is set" in text for text in warnings)
    assert any(f"has 0 commands instead of {len(short_menu())}" in text for text in warnings)


async def test_a_wrong_token_of_telegram_is_a_fault_and_a_silent_telegram_a_warning():
    api = Api()
    async with serving(api):
        wrong = "1:" + "x" * 35
        (refused,) = await telegram.checkup(wrong, api.url, hooked=False)
    assert (refused.level, wrong in refused.text) == ("error", False)
    async with silence() as (url, _):
        (silent,) = await telegram.checkup(TOKEN, url, hooked=False)
    assert silent.level == "warning"


async def test_nobody_is_asked_without_a_token(monkeypatch):
    monkeypatch.setattr("bot.app.doctor.installed_engine", lambda _: None)
    for name in ("DISCORD_TOKEN", "TELEGRAM_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    assert await ask(Settings(_env_file=None)) == []
