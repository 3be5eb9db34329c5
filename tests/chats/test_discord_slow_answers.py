"""On Discord, what takes long is promised to the asker alone and takes the promise's place."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from bot.chats.discord import answers
from bot.commands import request
from bot.commands.school import hints_and_review
from bot.presenters.button_codes import Action, Click, encode_click
from bot.service.computers.worker import Task
from bot.service.table.changes import Update
from bot.session import play
from games.core import CHANCE
from tests.chats.discord_messages import Asked
from tests.chats.discord_table import (  # noqa: F401
    ANA,
    BEA,
    EVA,
    Table,
    fake_fixture,
    table_fixture,
)
from tests.chats.fake_discord import CHANNEL, HOME, Shown
from tests.slow_thinking import Thoughtful, thoughtful

LOOKING = "Un momento: lo estoy pensando."
REVIEWING = (
    "Un momento: estoy repasando la partida. Tarda de medio minuto a tres, o más si hay mucha "
    "gente. Mientras tanto puedes usar el tablero."
)
QUEUED = "El repaso de la partida espera su turno. Te lo enseño en cuanto esté."


async def given_up(at: Table) -> Shown:
    """The board of a game that Ana gave up after its first move."""
    message = await at.begun()
    await at.move(message)
    await at.settle()
    table = await at.table(message)
    seat = next(n for n, one in enumerate(table.players) if one.name == "Ana")
    origin = Update("test", "resigned")
    await at.facade.services.changes.change(
        origin, table.code, lambda work: play.resign(work, seat)
    )
    await at.settle()
    return message


async def weighed(at: Table, message: Shown, thinks: Thoughtful, monkeypatch: Any) -> None:
    """Let the one decision of the game be found to have thrown it away."""
    log = (await at.table(message)).log
    number, entry = next((n, e) for n, e in enumerate(log) if e.seat != CHANCE)

    async def ask(question: dict[str, Any]) -> dict[str, Any]:
        await thinks.speaks.wait()
        found = [[number, entry.seat, 0.9, -0.9, entry.text, False, [], []]]
        return {"weighed": found, "took": 9.0}

    monkeypatch.setattr(at.facade.services.thinkers, "_ask", ask)


@pytest.mark.slow
@pytest.mark.parametrize("by", ["key", "command"])
async def test_the_review_takes_the_place_of_the_words_that_promised_it(at, monkeypatch, by):
    message = await given_up(at)
    thinks = thoughtful(at.facade, monkeypatch)
    await weighed(at, message, thinks, monkeypatch)
    writes, table = message.writes, (await at.table(message)).code
    if by == "key":
        asked = await at.fake.choose(BEA, message, message.folded("Repasar la partida"))
    else:
        asked = await at.fake.slash(BEA, "review", {"table": table})
    assert asked.type == 4
    assert asked.message.ephemeral
    assert asked.message.text == REVIEWING
    thinks.speaks.set()
    await at.fake.until(lambda: asked.message.pictures)
    assert REVIEWING not in asked.message.text
    assert asked.message.body["content"] is None
    assert message.writes == writes, "the board that others see stays as it is"


@pytest.mark.slow
async def test_the_film_of_a_game_is_for_everybody_and_the_promise_of_it_goes(at, monkeypatch):
    message = await given_up(at)
    writes = message.writes
    monkeypatch.setattr(request, "PROMPT", 0.0)
    asked = await at.fake.choose(BEA, message, message.folded("Verla otra vez"))
    assert asked.message.ephemeral
    assert asked.message.text == LOOKING
    await at.fake.until(lambda: asked.said and asked.said[0].pictures)
    (film,) = asked.said
    assert not film.ephemeral
    assert film.pictures[0].startswith(b"GIF89a")
    await at.fake.until(lambda: asked.message.id not in at.fake.messages)
    assert message.writes == writes, "the board stays as it is"


@pytest.mark.slow
async def test_the_film_that_is_ready_is_the_answer_itself(at, monkeypatch):
    monkeypatch.setattr(request, "PROMPT", 60.0)
    message = await given_up(at)
    table = (await at.table(message)).code
    asked = await at.fake.slash(BEA, "replay", {"table": table})
    await at.fake.until(lambda: asked.message.pictures)
    assert not asked.message.ephemeral
    assert asked.message.pictures[0].startswith(b"GIF89a")


def posted(asked: Asked) -> list[Shown]:
    """What *asked* has posted with a picture: at once, or behind a promise."""
    found = [one for one in (asked.message, *asked.said) if one is not None]
    return [one for one in found if one.pictures]


@pytest.mark.slow
@pytest.mark.parametrize("prompt", [60.0, 0.0])
async def test_whoever_asks_again_for_what_was_posted_is_led_to_it(at, monkeypatch, prompt):
    monkeypatch.setattr(request, "PROMPT", prompt)
    message = await given_up(at)
    film = message.folded("Verla otra vez")
    first = await at.fake.choose(BEA, message, film)
    await at.fake.until(lambda: posted(first))
    while not any(at.facade.services.keepsakes._posted.values()):  # of that the fake knows nothing
        await asyncio.sleep(0.01)
    await at.settle()
    again = await at.fake.choose(ANA, message, film)
    address = f"https://discord.com/channels/{HOME}/{CHANNEL}/{posted(first)[0].id}"
    told = f"Ya está aquí, un poco más arriba. {address}"
    await at.fake.until(lambda: again.message is not None and again.message.text == told)
    assert again.message.ephemeral


@pytest.mark.sampled
@pytest.mark.parametrize("name", ["board", "card", "replay"])
async def test_whoever_has_no_table_for_a_command_is_offered_one(at, name):
    asked = await at.fake.slash(EVA, name)
    await at.fake.until(lambda: asked.message is not None)
    assert asked.message.ephemeral
    assert asked.message.button("Preparar una partida")


@pytest.mark.slow
async def test_whoever_waits_longer_for_a_review_reads_how_far_it_is(at, monkeypatch):
    message = await given_up(at)
    thinks = thoughtful(at.facade, monkeypatch)
    await weighed(at, message, thinks, monkeypatch)
    monkeypatch.setattr(answers, "REPORT_SECONDS", 0.05)
    writes = message.writes
    asked = await at.fake.choose(BEA, message, message.folded("Repasar la partida"))
    await at.fake.until(lambda: asked.message.text == QUEUED)
    assert asked.message.ephemeral
    table = await at.table(message)
    about = f"{table.code}:{len(table.log)}", Task.REVIEW
    at.facade.services.thinkers._along[about] = 7, 40, ()
    along = "Sigo con el repaso: he mirado 7 de 40 jugadas."
    await at.fake.until(lambda: asked.message.text == along)
    # As soon as decisions are weighed, the costliest are told.
    number = next(n for n, one in enumerate(table.log) if one.seat >= 0)
    seat, text = table.log[number].seat, table.log[number].text
    monkeypatch.setattr(hints_and_review, "_of_whom", lambda *_: (seat, 0))
    told_so = [(number, seat, 0.5, -0.5, text, False, (), ())]
    at.facade.services.thinkers._along[about] = 7, 40, told_so
    told = f"{along} De momento: Jugada 1: "
    await at.fake.until(lambda: asked.message.text.startswith(told))
    thinks.speaks.set()
    await at.fake.until(lambda: asked.message.pictures)
    assert asked.message.body["content"] is None
    assert message.writes == writes, "the board stays as it is"


async def test_where_we_are_no_member_the_board_keeps_the_token_of_the_press(at, monkeypatch):
    asked = await at.fake.slash(ANA, "play", {"game": "niya", "level": "1"}, channel="900")
    await at.fake.until(lambda: asked.message.moves and "Te toca, Ana" in asked.message.text)
    await at.settle()
    table = await at.table(asked.message)
    thinks = thoughtful(at.facade, monkeypatch)
    code = encode_click(Click(Action.HINT, table.code, 0, ()), at.facade.services.key)
    abroad = {"authorizing_integration_owners": {"1": ANA["id"]}, "context": 2}
    pressed = await at.fake.press(ANA, asked.message, code, **abroad)
    assert pressed.type == 6
    await at.fake.until(lambda: pressed.said)
    assert pressed.said[0].text == LOOKING
    thinks.speaks.set()
    await at.fake.until(lambda: len(pressed.said) == 2)
