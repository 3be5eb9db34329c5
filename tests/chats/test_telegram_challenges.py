"""In Telegram: whom one challenges from a private chat is asked in his own."""

from __future__ import annotations

import pytest

from tests.chats.telegram_room import BRUNO, NEREA, Room, room
from tests.telegram_api import Shown, private

HOME, HIS = private(NEREA), private(BRUNO)


@pytest.fixture
async def at(tmp_path):
    async with room(tmp_path) as opened_room:
        yield opened_room


def board(at: Room, chat: dict) -> Shown | None:
    """The newest message with buttons in *chat*."""
    found = [m for m in at.api.messages.values() if m.chat == chat["id"] and m.labels]
    return found[-1] if found else None


async def test_who_has_opened_his_private_chat_is_asked_there(at):
    await at.api.say(BRUNO, "/start", HIS)
    await at.settle()
    await at.api.say(NEREA, "/jugar niya @bruno", HOME)
    asked = await at.api.until(
        lambda: ((b := board(at, HIS)) and "Aceptar" in b.labels and b) or None
    )
    assert "Nerea te reta a una partida de Niya" in asked.text
    assert "Retirar el reto" not in asked.labels
    mine = await at.api.until(lambda: board(at, HOME))
    await at.press(BRUNO, asked, asked.code("Aceptar"))
    for shown in (board(at, HIS), board(at, HOME)):
        assert shown is not None
        assert (await at.table(shown)).status == "playing"
        assert shown.picture
    assert board(at, HOME).id == mine.id


async def test_he_declines_there_and_the_challenger_sees_it(at):
    await at.api.say(BRUNO, "/start", HIS)
    await at.settle()
    await at.api.say(NEREA, "/jugar niya @bruno", HOME)
    asked = await at.api.until(
        lambda: ((b := board(at, HIS)) and "Aceptar" in b.labels and b) or None
    )
    mine = board(at, HOME)
    await at.press(BRUNO, asked, asked.code("No, gracias"))
    assert "Bruno no ha aceptado el reto." in at.api.messages[(mine.chat, mine.id)].text


async def test_who_has_never_opened_it_is_sent_the_invitation_by_the_challenger(at):
    await at.api.say(BRUNO, "hola")
    await at.api.say(NEREA, "/jugar niya @bruno", HOME)
    mine = await at.api.until(lambda: board(at, HOME))
    await at.settle()
    assert "Mandar la invitación" in mine.labels
    assert board(at, HIS) is None
