"""Open chairs in a group of Telegram: «Sit down» in a list, and who asked to be told is."""

from __future__ import annotations

from tests.chats.telegram_room import BRUNO, EVA, NEREA, Room
from tests.telegram_messages import GROUP, Shown

ALERTS = "Avísame cuando alguien quiera jugar"


async def shown(at: Room, label: str) -> Shown:
    """The newest message in the group with a button that begins so."""

    def found() -> Shown | None:
        there = [m for m in at.api.messages.values() if m.chat == GROUP["id"]]
        fits = [m for m in there if any(one.startswith(label) for one in m.labels)]
        return max(fits, key=lambda message: message.id, default=None)

    return await at.api.until(found)


async def test_the_list_seats_whoever_presses_its_button(at):
    await at.api.say(NEREA, "/jugar niya", GROUP)
    await shown(at, "Con rojo")
    await at.api.say(EVA, "/unirse", GROUP)
    listed = await shown(at, "Sentarme: Niya con Nerea")
    await at.api.press(EVA, listed, listed.code("Sentarme: Niya"))
    await at.settle()
    assert [one for one in at.api.messages.values() if "Le toca" in one.text]


async def test_who_asked_is_mentioned_by_the_invitation(at):
    await at.api.say(BRUNO, "/unirse", GROUP)
    listed = await shown(at, ALERTS)
    await at.api.press(BRUNO, listed, listed.code(ALERTS))
    games = await shown(at, "Niya")
    await at.api.press(BRUNO, games, games.code("Niya"))
    await shown(at, "✓ Niya")
    await at.api.say(NEREA, "/jugar niya", GROUP)
    invitation = await shown(at, "Con rojo")
    await at.settle()
    told = [m for m in at.api.messages.values() if "quiere jugar a Niya" in m.text]
    assert told == [invitation]
    assert f"tg://user?id={BRUNO['id']}" in invitation.links
    assert "Bruno" in invitation.text
