"""Setting a table up on Discord: a private sheet with lists, and a list of people."""

from __future__ import annotations

from typing import Any

import pytest
from discord.utils import snowflake_time

from bot.texts import language
from games.core import phrase
from games.core.shelf import shelf
from tests.chats.discord_messages import Asked, Shown
from tests.chats.discord_table import (  # noqa: F401
    ANA,
    BEA,
    EVA,
    HERE,
    Table,
    fake_fixture,
    table_fixture,
)
from tests.chats.fake_discord import BOT, EVERYTHING

NIYA = "Niya · 2 jugadores, 10 min"
SELECT, USER_SELECT, RADIOS = 3, 5, 21


async def sheet(at: Table) -> Shown:
    """The sheet of a game of Niya that Ana sets up."""
    asked = await at.fake.slash(ANA, "play")
    assert asked.message is not None
    assert asked.message.ephemeral
    await at.fake.press(ANA, asked.message, asked.message.button(NIYA)["custom_id"])
    return asked.message


def options(shown: Shown) -> dict[str, Any]:
    """Every option of every list by its label."""
    return {one["label"]: one for part in shown.parts(SELECT) for one in part["options"]}


async def test_play_alone_asks_the_asker_alone_and_fills_no_channel(at):
    asked = await at.fake.slash(ANA, "play")
    assert asked.message.ephemeral
    assert NIYA in [button["label"] for button in asked.message.buttons]
    assert at.boards() == []


async def test_what_is_chosen_in_a_list_stays_chosen(at):
    shown = await sheet(at)
    found = options(shown)
    assert found["Con quien se apunte"]["default"]
    await at.fake.choose(ANA, shown, found["Con el ordenador"]["value"])
    await at.fake.choose(ANA, shown, options(shown)["Nivel 1: principiante"]["value"])
    found = options(shown)
    chosen = [label for label, one in found.items() if one.get("default")]
    told = ["Con el ordenador", "Nivel 1: principiante", "Tu bando: a suertes", "Reloj: sin reloj"]
    assert chosen == told
    await at.fake.press(ANA, shown, shown.button("Empezar")["custom_id"])
    await at.fake.until(lambda: at.boards())
    await at.settle()
    (board,) = at.boards()
    assert [player.level for player in (await at.table(board)).players].count(1) == 1
    assert not shown.buttons


@pytest.mark.slow
async def test_a_person_is_picked_from_the_list_of_people(at):
    shown = await sheet(at)
    (people,) = shown.parts(USER_SELECT)
    await at.fake.choose(ANA, shown, people["custom_id"], BEA)
    assert options(shown)["Con Bea"]["default"]
    await at.fake.press(ANA, shown, shown.button("Retar a Bea")["custom_id"])
    await at.fake.until(lambda: any(m.buttons for m in at.boards()))
    (board,) = at.boards()
    await at.fake.press(BEA, board, board.button("Aceptar")["custom_id"])
    await at.fake.until(lambda: board.moves)


@pytest.mark.sampled
@pytest.mark.parametrize("bot", [BOT, "77"])
async def test_a_bot_that_is_picked_is_refused_in_private(at, bot):
    shown = await sheet(at)
    (people,) = shown.parts(USER_SELECT)
    writes = shown.writes
    asked = await at.fake.choose(ANA, shown, people["custom_id"], {**EVA, "id": bot, "bot": True})
    await at.fake.until(lambda: asked.message is not None)
    assert asked.message.ephemeral
    assert "Los bots no juegan" in asked.message.text
    assert shown.writes == writes


async def test_every_command_can_be_given_bare(at):
    needed = [one for command in at.fake.commands for one in command.get("options", ())]
    assert needed
    assert not [one["name"] for one in needed if one.get("required")]


@pytest.mark.slow
async def test_the_sheet_has_a_field_for_ones_own_words(at):
    shown = await sheet(at)
    pressed = await at.fake.press(
        ANA, shown, shown.button("Mis palabras para la suerte")["custom_id"]
    )
    await at.fake.send_form(ANA, pressed, "gato azul")
    await at.fake.until(lambda: "gato azul" in shown.text)
    await at.fake.press(ANA, shown, shown.button("Abrir la mesa")["custom_id"])
    await at.fake.until(lambda: at.boards())
    (board,) = at.boards()
    assert (await at.table(board)).words == ("gato azul",)


@pytest.mark.slow
async def test_the_sheet_has_a_field_for_another_clock(at):
    shown = await sheet(at)
    pressed = await at.fake.press(ANA, shown, shown.button("Otro reloj…")["custom_id"])
    assert pressed.data["title"] == "Otro reloj"
    await at.fake.send_form(ANA, pressed, "7m+3s")
    await at.fake.until(lambda: "7 min" in str(shown.body))
    await at.fake.press(ANA, shown, shown.button("Abrir la mesa")["custom_id"])
    await at.fake.until(lambda: at.boards())
    (board,) = at.boards()
    assert (await at.table(board)).control == "7m+3s"


@pytest.mark.parametrize("game", shelf())
async def test_every_house_rule_is_taken_from_its_form_and_no_choice_is_read_as_words(at, game):
    shown = (await at.fake.slash(ANA, "play")).message
    name = language("es").say(phrase(f"{game}.name"))
    (label,) = (one["label"] for one in shown.buttons if one["label"].startswith(f"{name} · "))
    await at.fake.press(ANA, shown, shown.button(label)["custom_id"])
    await at.fake.press(ANA, shown, shown.button("Reglas de la casa")["custom_id"])
    kinds, wanted = set(), {}
    for key in [one for one in shown.buttons if one["label"].startswith("Reglas de la casa")]:
        form = await at.fake.press(ANA, shown, key["custom_id"])
        fields = form.data["components"]
        kinds |= {one["component"]["type"] for one in fields}
        chosen = {one["label"]: one["component"]["options"][-1]["label"] for one in fields}
        await at.fake.send_choices(ANA, form, chosen)
        wanted |= chosen
    assert kinds == {SELECT, RADIOS}
    assert [said for said in wanted.items() if ": ".join(said) not in shown.text] == []
    await at.fake.press(ANA, shown, shown.button("Listo")["custom_id"])
    assert "Palabras de los jugadores" not in shown.text


@pytest.mark.slow
async def test_a_press_and_a_command_say_when_they_were_made_by_discords_clock(at, monkeypatch):
    heard, press, call = [], at.facade.requests.press, at.facade.requests.call
    monkeypatch.setattr(at.facade.requests, "press", lambda one: (heard.append(one), press(one))[1])
    monkeypatch.setattr(at.facade.requests, "call", lambda one: (heard.append(one), call(one))[1])
    await sheet(at)
    assert len(heard) == 2
    assert [one.sent for one in heard] == [snowflake_time(int(one.update)) for one in heard]


async def test_a_form_takes_ones_own_words_for_the_draws(at):
    asked = await at.fake.slash(ANA, "play", {"game": "niya", "opponent": BEA})
    board = asked.message
    pressed = await at.fake.press(
        ANA, board, board.button("Mis palabras para la suerte")["custom_id"]
    )
    assert pressed.type == 9
    assert pressed.data["title"] == "Tus palabras"
    await at.fake.send_form(ANA, pressed, "gato azul")
    await at.settle()
    assert (await at.table(board)).words == ("gato azul",)
    assert "gato azul" in board.text


@pytest.mark.slow
async def test_words_of_nobody_at_the_table_are_refused(at):
    asked = await at.fake.slash(ANA, "play", {"game": "niya", "opponent": BEA})
    button = asked.message.button("Mis palabras para la suerte")["custom_id"]
    sent = await at.fake.send_form(EVA, await at.fake.press(EVA, asked.message, button), "perro")
    await at.fake.until(lambda: sent.message is not None)
    assert sent.message.ephemeral
    assert (await at.table(asked.message)).words == ()


async def test_in_a_private_chat_the_table_says_how_somebody_else_comes(at):
    asked = await at.fake.slash(ANA, "play", {"game": "shogi"}, channel="900")
    code = (await at.table(asked.message)).code
    assert f"/unirse {code}" in asked.message.text.replace("\\", "")
    assert "Mis palabras para la suerte" not in [
        button["label"] for button in asked.message.buttons
    ]


def greetings(at: Table) -> list[Shown]:
    """The messages in the channel of a server to which the bot has just been added."""
    every = at.fake.messages.values()
    return [one for one in every if one.channel == "501" and not one.ephemeral]


async def asked_about(at: Table, who: dict, name: str, message: Shown) -> Asked:
    """The answer to the command *name* in the menu of *message*."""
    data = {"id": "1", "name": name, "type": 3, "target_id": message.id}
    out = at.fake.out(message)
    asked = await at.fake.ask(who, 2, {**data, "resolved": {"messages": {message.id: out}}})
    await at.fake.until(lambda: asked.message)
    return asked


async def added_to_a_server(at: Table) -> Shown:
    """The greeting in a server to which the bot has just been added."""
    me = {"user": at.fake.user(BOT), "roles": [], "joined_at": None, "deaf": False, "mute": False}
    everyone = {
        "id": "205",
        "name": "@everyone",
        "permissions": EVERYTHING,
        "position": 0,
        "color": 0,
        "hoist": False,
        "managed": False,
        "mentionable": False,
        "colors": {},
    }
    channel = {"id": "501", "type": 0, "name": "c", "position": 0, "permission_overwrites": []}
    about = {"name": "new", "emojis": [], "features": [], "owner_id": "1", "member_count": 2}
    parts = {"roles": [everyone], "channels": [channel], "members": [{**me, "flags": 0}]}
    await at.facade.chats["discord"]._find_client(HERE).wait_until_ready()
    await at.fake.emit("GUILD_CREATE", {"id": "205", "preferred_locale": "es-ES", **about, **parts})
    await at.fake.until(lambda: any("¡Hola!" in one.text for one in greetings(at)))
    (greeting,) = greetings(at)
    return greeting


async def test_the_greeting_of_a_server_goes_when_a_table_is_opened_in_words(at):
    greeting = await added_to_a_server(at)
    await at.fake.slash(ANA, "play", {"game": "niya"}, channel="501")
    await at.fake.until(lambda: greeting.id not in at.fake.messages)


async def test_a_new_server_is_greeted_with_one_key_until_somebody_has_used_it(at):
    greeting = await added_to_a_server(at)
    assert "Parchís" in greeting.text
    (button,) = greeting.buttons
    asked = await at.fake.press(ANA, greeting, button["custom_id"])
    assert asked.message.ephemeral
    assert any(one["label"].startswith("Niya") for one in asked.message.buttons)
    # Whoever pressed it may be a stranger: it stays for the others until a game stands there.
    await at.settle()
    assert greetings(at)
    await at.fake.press(ANA, asked.message, asked.message.buttons[0]["custom_id"], channel="501")
    opens = next(
        one for one in asked.message.buttons if one["label"] in ("Abrir la mesa", "Invitar")
    )
    await at.fake.press(ANA, asked.message, opens["custom_id"], channel="501")
    await at.fake.until(lambda: greeting.id not in at.fake.messages)


async def test_a_message_with_a_board_is_told_in_words_and_so_is_what_can_be_played(at):
    message = await at.begun()
    told = await asked_about(at, ANA, "In words", message)
    assert told.message.ephemeral
    assert "fila" in told.message.text.lower()
    listed = await asked_about(at, at.mover(message), "What can I play?", message)
    assert listed.message.ephemeral
    assert "Toma una carta" in listed.message.text
    assert listed.message.moves
