"""First steps in the three chats: for the eyes of one on Discord, in private, on a page."""

from __future__ import annotations

import pytest

from games.core.shelf import shelf
from tests.chats.discord_table import (
    ANA,
    Table,
    fake_fixture,
    table_fixture,
    unhurried_discord_fixture,
)
from tests.chats.pages import server
from tests.chats.telegram_room import NEREA, room
from tests.learner import Learner
from tests.school_hands import DiscordHands, PageHands, TelegramHands

__all__ = ["fake_fixture", "table_fixture", "unhurried_discord_fixture"]

FEW = 2


async def test_on_discord_by_buttons_and_by_words(at: Table, unhurried_discord):
    hands = DiscordHands(at.fake)
    learner = Learner(hands, at.facade.services.key, most_wrong=1)
    await learner.by_buttons("niya", FEW)
    await learner.hands.begin("shogi")
    await learner.by_words("shogi", 1)
    assert learner.tried == {"right": 3, "wrong": 2, "illegal": 3}


async def test_on_discord_a_form_takes_the_typed_move(at: Table, unhurried_discord):
    hands = DiscordHands(at.fake)
    seen = await hands.begin("niya")
    asks = next(code for code in seen.codes if at.facade.boards.buttons.click(code).asks == "move")
    asked = await at.fake.press(ANA, hands.shown, asks)
    assert asked.type == 9
    before = hands.shown.writes
    await at.fake.send_form(asked.payload["member"]["user"], asked, "M1")
    await at.fake.until(lambda: hands.shown.writes > before)
    assert "✅" in hands.shown.text


@pytest.mark.slow
async def test_on_telegram_by_buttons_and_by_words(tmp_path):
    async with room(tmp_path) as at:
        learner = Learner(TelegramHands(at), at.facade.services.key, most_wrong=1)
        await learner.by_buttons("niya", FEW)
        await learner.by_words("shogi", 1)
        assert learner.tried == {"right": 3, "wrong": 2, "illegal": 3}


@pytest.mark.slow
async def test_on_a_page_by_squares_and_by_words(tmp_path):
    async with server(tmp_path) as at:
        visitor = await at.first()
        async with visitor.open() as page:
            learner = Learner(PageHands(page), at.facade.services.key, most_wrong=1)
            await learner.by_buttons("niya", FEW)
            await learner.by_words("shogi", 1)
            assert learner.tried == {"right": 3, "wrong": 2, "illegal": 3}


GAMES = pytest.mark.parametrize("game", list(shelf()))


@pytest.mark.slow
@GAMES
async def test_every_step_is_walked_on_discord(at: Table, unhurried_discord, game):
    learner = Learner(DiscordHands(at.fake), at.facade.services.key, most_wrong=1)
    assert "examen" in (await learner.by_buttons(game)).text


@pytest.mark.slow
@GAMES
async def test_every_step_is_walked_on_telegram_in_english(tmp_path, game):
    async with room(tmp_path) as at:
        learner = Learner(TelegramHands(at, "en"), at.facade.services.key, most_wrong=1)
        assert "exam" in (await learner.by_buttons(game)).text


@pytest.mark.slow
@GAMES
async def test_every_step_is_walked_on_a_page(tmp_path, game):
    async with server(tmp_path) as at:
        visitor = await at.first()
        async with visitor.open() as page:
            learner = Learner(PageHands(page), at.facade.services.key, most_wrong=1)
            assert "examen" in (await learner.by_buttons(game)).text


async def test_on_discord_the_film_of_a_solution_leads_on(at: Table, unhurried_discord):
    asked = await at.fake.slash(ANA, "puzzle", {"game": "niya"}, locale="en-GB")
    await at.fake.until(lambda: asked.message is not None and asked.message.buttons)
    give = asked.message.button("Show the solution")["custom_id"]
    pressed = await at.fake.press(ANA, asked.message, give, locale="en-GB")
    await at.fake.until(lambda: pressed.message is not None and pressed.message.buttons)
    assert [one["label"] for one in pressed.message.buttons] == ["Another puzzle »", "Rules"]
    assert ".gif" in str(pressed.message.body)


async def test_on_telegram_the_film_of_a_solution_leads_on(tmp_path):
    async with room(tmp_path) as at:
        hands = TelegramHands(at)
        hands.shown = puzzle = await hands._said("/problema niya")
        await at.press(NEREA, puzzle, puzzle.code("Ver la solución"))
        seen = at.api.messages
        film = await at.api.until(lambda: [seen[n] for n in seen if seen[n].picture is None][-1:])
        assert film[0].labels == ["Otro problema »", "Reglas"]
        await at.press(NEREA, film[0], film[0].code("Reglas"))
