"""Settings in Discord: what a server speaks, and who manages it, comes with the interaction."""

from __future__ import annotations

from tests.chats.discord_messages import Asked, Shown
from tests.chats.discord_table import (  # noqa: F401
    ANA,
    BEA,
    EVA,
    HERE,
    fake_fixture,
    table_fixture,
)

MANAGES = str(1 << 5)


async def opened(at, message: Shown, label: str) -> Asked:
    """The form that the key *label* opens for Ana."""
    code = message.button(label)["custom_id"]
    return await at.fake.press(ANA, message, code, permissions=MANAGES)


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
    assert [button["label"] for button in mine.message.buttons] == [
        *("Apariencia…", "Avisos y horas…", "Con quién juegas…", "Mis vacaciones »"),
    ]
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
    form = await opened(at, asked.message, "Apariencia…")
    await at.fake.send_choices(ANA, form, {"Tema de los tableros": "claro"}, permissions=MANAGES)
    await at.settle()
    assert message.pictures[-1] != dark
    assert (await at.facade.services.places.rules(HERE)).theme == "light"


async def test_a_form_changes_what_was_chosen_anew_and_says_what_is_chosen(at):
    asked = await at.fake.slash(ANA, "settings", permissions=MANAGES)
    *_, button = asked.message.buttons
    await at.fake.press(ANA, asked.message, button["custom_id"], permissions=MANAGES)
    form = await opened(at, asked.message, "Mesas…")
    assert form.type == 9
    kinds = {one["label"]: one["component"]["type"] for one in form.data["components"]}
    assert kinds["Quién abre mesas"] == kinds["Un hilo por mesa"] == 21
    assert kinds["Mesas abiertas en total"] == 3
    sent = await at.fake.send_choices(
        ANA,
        form,
        {"Mesas abiertas por persona": "2", "Mesas abiertas en total": "10"},
        permissions=MANAGES,
    )
    assert sent.type == 7
    rules = await at.facade.services.places.rules(HERE)
    assert (rules.each, rules.most) == (2, 10)
    assert "Mesas abiertas por persona: 2" in asked.message.text


async def test_a_form_of_somebody_else_or_of_a_number_that_is_none_changes_nothing(at):
    asked = await at.fake.slash(ANA, "settings", permissions=MANAGES)
    *_, button = asked.message.buttons
    await at.fake.press(ANA, asked.message, button["custom_id"], permissions=MANAGES)
    form = await opened(at, asked.message, "Apariencia…")
    before = await at.facade.services.places.rules(HERE)
    stranger = await at.fake.send_choices(EVA, form, {"Tema de los tableros": "claro"})
    assert stranger.type == 4
    code = asked.message.button("Apariencia…")["custom_id"]
    for forged in (code.replace("form:0:", "form:99:"), "form:x:y", "form:0:forged"):
        answered = await at.fake.press(ANA, asked.message, forged, permissions=MANAGES)
        assert answered.type in (4, 7)
    assert await at.facade.services.places.rules(HERE) == before
