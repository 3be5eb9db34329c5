"""``ludoteca doctor`` asks Discord what stands in the way, and says which tables suffer."""

from __future__ import annotations

from typing import Any

import discord
import pytest

from bot.chats.discord.checkup import checkup
from storage.table import views
from tests.command_line import has_spanish_words
from tests.drives.discord_house import SKIP, House, house

pytestmark = SKIP


@pytest.fixture(name="at")
async def outside_fixture(tmp_path):
    async with house(tmp_path) as at:
        yield at


async def found(at: House) -> list[str]:
    """What the doctor says of the places in which boards stand, and of faces."""
    boards = await at.facade.store.read(views.games_by_place, "discord")
    told = await checkup(at.fake.token, boards)
    assert [one.text for one in told if not has_spanish_words(one.text)] == []
    return [one.text for one in told if one.level != "fine"]


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("permission", "said"),
    [
        ("read_message_history", "lacks Read Message History: calls are no replies"),
        ("send_messages", "lacks Send Messages: no board is posted anew"),
        ("attach_files", "lacks Attach Files: no board is posted"),
        ("create_public_threads", "lacks Create Public Threads: no table gets a thread"),
    ],
)
async def test_a_permission_that_is_taken_away_is_named_with_its_tables(at, permission, said):
    message = await at.begun()
    await at.fake.set_permissions(at.fake.channel, **{permission: False})
    (line,) = [one for one in await found(at) if "lacks" in one and "games" in one]
    assert said in line
    assert f"({at.code(message)})." in line


@pytest.mark.slow
async def test_a_locked_thread_and_an_archived_one_are_named_with_their_tables(at):
    fake = at.fake
    thread = fake.add_channel(fake.guild, "t", type=11, parent=fake.channel["id"])
    message = await at.begun(channel=thread)
    await fake.set_permissions(fake.guild, send_messages=True)
    await fake.set_thread(thread, locked=True)
    assert f"The thread 't' is locked: its boards stand still ({at.code(message)})." in await found(
        at
    )
    await fake.set_thread(thread, locked=False, archived=True)
    assert any("is archived" in one and at.code(message) in one for one in await found(at))


@pytest.mark.slow
async def test_a_place_that_is_not_open_to_the_bot_is_named_with_its_tables(at):
    fake = at.fake
    thread = fake.add_channel(fake.guild, "t", type=12, parent=fake.channel["id"])
    message = await at.begun(channel=thread)
    assert any("not open to the bot" in one and at.code(message) in one for one in await found(at))


async def test_faces_that_are_still_to_come_are_counted(at):
    assert any(one.startswith("Discord has 0 of") for one in await found(at))


@pytest.mark.slow
async def test_where_all_is_well_it_says_so(at):
    await at.begun()
    await at.fake.set_permissions(at.fake.guild, administrator=True)
    filters(at)
    boards = await at.facade.store.read(views.games_by_place, "discord")
    told = [one.text for one in await checkup(at.fake.token, boards)]
    assert told[-1] == "Nothing stands in the way of boards (1 places)."


def rule(name: str, **more: Any) -> dict[str, Any]:
    """A rule of AutoMod that blocks messages with words of a list."""
    usual = {"id": "1", "guild_id": "2", "creator_id": "3", "name": name, "event_type": 1}
    usual |= {"actions": [{"type": 1, "metadata": {}}], "trigger_type": 1, "enabled": True}
    usual |= {"trigger_metadata": {"keyword_filter": ["bad*"]}}
    return usual | {"exempt_roles": [], "exempt_channels": []} | more


def filters(at: House, *rules: dict[str, Any]) -> None:
    """Give the emulated server *rules*; the emulator knows none.

    The form is that of Discord's OpenAPI file, operation ``list_auto_moderation_rules``.
    """
    usual = at.fake._route

    async def route(method: str, path: str, *rest: Any) -> Any:
        if method == "GET" and path.endswith("/auto-moderation/rules"):
            return 200, list(rules)
        return await usual(method, path, *rest)

    at.fake._route = route


@pytest.mark.slow
async def test_rules_of_automod_that_block_messages_are_named_where_they_may_be_read(at):
    message = await at.begun()
    await at.fake.set_permissions(at.fake.guild, administrator=True)
    off, other = rule("Sleeps", enabled=False), rule("Only tells", actions=[{"type": 2}])
    apart = rule("Elsewhere", exempt_channels=[at.fake.channel["id"]])
    filters(at, rule("Bad words"), off, other, apart)
    (line,) = [one for one in await found(at) if "AutoMod" in one]
    assert "AutoMod looks at messages (Bad words): a board with a name" in line
    assert f"({at.code(message)})." in line


@pytest.mark.slow
async def test_where_the_rules_of_automod_may_not_be_read_the_doctor_says_so(at):
    await at.begun()
    await at.fake.set_permissions(at.fake.guild, send_messages=True)
    at.fake.guild["_acl"]["bot"] &= ~discord.Permissions(manage_guild=True).value
    boards = await at.facade.store.read(views.games_by_place, "discord")
    told = [one.text for one in await checkup(at.fake.token, boards) if one.level == "fine"]
    assert any("AutoMod keeps boards back is not known in 1 servers" in one for one in told)
    assert told[-1] == "Nothing stands in the way of boards (1 places)."
