"""Settings in Discord: what a server speaks, and who manages it, comes with the interaction."""

from __future__ import annotations

from tests.chats.discord_messages import Shown
from tests.chats.discord_table import (  # noqa: F401
    ANA,
    BEA,
    EVA,
    HERE,
    fake_fixture,
    table_fixture,
)

MANAGES = str(1 << 5)


def option(message: Shown, label: str) -> str:
    """The code of what a list calls *label*."""
    lists = message.parts(3)
    (code,) = (o["value"] for one in lists for o in one["options"] if o["label"] == label)
    return str(code)


async def test_a_board_speaks_as_the_server_does_and_an_answer_as_the_client(at):
    asked = await at.fake.slash(
        ANA, "play", {"game": "niya", "opponent": BEA}, guild_locale="en-US"
    )
    await at.settle()
    assert "Ana challenges you" in asked.message.text
    heard = await at.fake.slash(EVA, "help", {"command": "play"}, locale="es-419")
    assert "computadora" in heard.message.text


async def test_who_may_manage_the_server_is_offered_its_settings_and_nobody_else(at):
    mine = await at.fake.slash(EVA, "settings")
    assert mine.message.ephemeral
    assert [button["label"] for button in mine.message.buttons] == ["Mis vacaciones »"]
    asked = await at.fake.slash(ANA, "settings", permissions=MANAGES)
    *_, button = asked.message.buttons
    refused = await at.fake.press(EVA, mine.message, button["custom_id"])
    assert "Ajustes de este sitio" not in mine.message.text
    assert refused.type == 4
    await at.fake.press(ANA, asked.message, button["custom_id"], permissions=MANAGES)
    assert "Ajustes de este sitio" in asked.message.text


async def test_boards_are_dark_until_the_server_has_chosen(at):
    message = await at.begun()
    dark = message.pictures[-1]
    asked = await at.fake.slash(ANA, "settings", permissions=MANAGES)
    *_, button = asked.message.buttons
    await at.fake.press(ANA, asked.message, button["custom_id"], permissions=MANAGES)
    light = option(asked.message, "Tema de los tableros: claro")
    await at.fake.press(ANA, asked.message, light, permissions=MANAGES)
    await at.settle()
    assert message.pictures[-1] != dark
    assert (await at.facade.services.places.rules(HERE)).theme == "light"
