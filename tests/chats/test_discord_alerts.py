"""Who is called to an open table of a Discord server: who asked for it, and exactly one role."""

from __future__ import annotations

from bot.port import Home, Where
from tests.chats.discord_table import (  # noqa: F401
    ANA,
    BEA,
    Table,
    fake_fixture,
    table_fixture,
    unhurried_discord_fixture,
)
from tests.chats.fake_discord import CHANNEL, HOME

HERE = Where("discord", CHANNEL, home=Home(f"server-{HOME}", channel=CHANNEL))


def posted(at: Table) -> list[dict]:
    return [body for line, body in at.fake.requests if line == f"POST /channels/{CHANNEL}/messages"]


async def test_the_role_of_the_place_is_mentioned_and_nobody_else(at):
    await at.facade.services.places.choose(HERE, seeking="77")
    asked = await at.fake.slash(ANA, "play", {"game": "niya"})
    await at.fake.until(lambda: any("<@&77>" in str(one) for one in posted(at)))
    (call,) = [one for one in posted(at) if "<@&77>" in str(one)]
    assert call["content"] == "<@&77>: Ana busca a alguien para jugar a Niya."
    assert call["allowed_mentions"] == {
        "parse": [],
        "roles": [77],
        "users": [],
        "replied_user": False,
    }
    assert call["message_reference"]["message_id"] == int(asked.message.id)


async def test_who_asked_is_mentioned_and_no_role(at):
    card = await at.fake.slash(BEA, "join")
    codes = {one["label"]: one["custom_id"] for one in card.message.buttons}
    shown = await at.fake.press(BEA, card.message, codes["Avísame cuando alguien quiera jugar"])
    await at.fake.until(lambda: any(one["label"] == "Niya" for one in card.message.buttons))
    codes = {one["label"]: one["custom_id"] for one in card.message.buttons}
    await at.fake.press(BEA, card.message, codes["Niya"])
    await at.fake.until(lambda: any(one["label"] == "✓ Niya" for one in card.message.buttons))
    await at.fake.slash(ANA, "play", {"game": "niya"})
    await at.fake.until(lambda: any(f"<@{BEA['id']}>" in one.text for one in at.boards()))
    await at.settle()
    bodies = [body for _, body in at.fake.requests if f"<@{BEA['id']}>" in str(body)]
    allowed = [(body.get("data") or body)["allowed_mentions"] for body in bodies]
    assert [one["users"] for one in allowed] == [[int(BEA["id"])]]
    assert not any(one.get("roles") for one in allowed)
    assert shown.message is not None
