"""On Discord: faces on buttons, as emojis sent once, and the colour of the side to move."""

from __future__ import annotations

import pytest

from bot.chats.discord.emojis import OURS, emoji_names
from render.kit.button_faces import accent
from tests.chats.discord_table import ANA, Table, discord_house, fake_fixture  # noqa: F401
from tests.chats.fake_discord import FakeDiscord

ALL = len(emoji_names())


def sent(fake: FakeDiscord) -> int:
    return sum(line.startswith("POST /applications") for line, _ in fake.requests)


def faces(message) -> list[str]:
    return [b["emoji"]["name"] for b in message.moves if b.get("emoji")]


@pytest.mark.slow
async def test_faces_are_sent_once_and_stand_on_the_buttons(fake, tmp_path):
    fake.takes_faces = True
    foreign = {"id": "5", "name": "party", "animated": False, "roles": []}
    stale = {**foreign, "id": "6", "name": "lt_niya_M1_000000"}
    fake.emojis |= {"5": foreign, "6": stale}
    async with discord_house(tmp_path) as facade:
        await fake.until(lambda: sent(fake) == ALL and "6" not in fake.emojis)
        names = {one["name"] for one in fake.emojis.values()}
        assert "party" in names, "what is not ours stays"
        assert len(names) == ALL + 1
        assert all(OURS.fullmatch(name) and len(name) <= 32 for name in names - {"party"})
        message = await Table(fake, facade).begun()
        shown = faces(message)
        assert shown
        assert len(shown) == len(message.moves)
        assert all(name.startswith("lt_niya_") for name in shown)
        assert all(button["label"] for button in message.moves), "the words stay"
    async with discord_house(tmp_path):
        await fake.until(
            lambda: sum(line.endswith("/emojis") for line, _ in fake.requests) == ALL + 2
        )
    assert sent(fake) == ALL, "nothing is sent again"


async def test_without_them_the_words_do_and_it_is_told_once(fake, tmp_path, caplog):
    async with discord_house(tmp_path) as facade:
        message = await Table(fake, facade).begun()
        assert message.moves
        assert faces(message) == []
    assert sum("faces" in line for line in caplog.messages) == 1


@pytest.mark.slow
async def test_the_container_bears_the_colour_of_the_side_to_move(fake, tmp_path):
    async with discord_house(tmp_path) as facade:
        at = Table(fake, facade)
        message = await at.begun()
        for _ in range(2):
            table = await at.table(message)
            (seat,) = table.actors()
            (container,) = message.body["components"]
            assert container["accent_color"] == accent("niya", table.players[seat].side)
            await at.move(message)
