"""Who has left a server of Discord: asked when they are called, by one question."""

from __future__ import annotations

import asyncio
import time

import pytest

from tests.chats.discord_messages import Failure, Shown
from tests.chats.discord_table import (  # noqa: F401
    ANA,
    BEA,
    Body,
    Table,
    fake_fixture,
    table_fixture,
    unhurried_discord_fixture,
)

CLOSE, PLAY_ON = "Cerrar sin resultado", "Que siga el ordenador"
ASKED = "GET /guilds/.*/members/"

UNTIL = "2199-01-01T00:00:00+00:00"
"""When a moderator lets somebody speak again."""


async def played(at: Table) -> tuple[Shown, Body]:
    """A board of Niya, and the one who is not to move and does not look any more."""
    message = await at.begun()
    await at.settle()
    at.facade.services.presence.clock = lambda: time.monotonic() + 60
    return message, BEA if at.mover(message) is ANA else ANA


def labels(message: Shown) -> list[str]:
    return [one["label"] for one in message.buttons]


async def test_a_leaver_is_found_by_one_question_and_not_called(at):
    message, other = await played(at)
    at.fake.gone.add(other["id"])
    await at.move(message)
    await at.fake.until(lambda: CLOSE in labels(message))
    await at.settle()
    assert PLAY_ON in labels(message)
    assert f"{other['global_name']} ya no está aquí" in message.text
    assert at.fake.count(ASKED) == 1
    assert not [one for one in at.boards() if f"<@{other['id']}>" in one.text]


@pytest.mark.slow
async def test_a_leaver_who_presses_again_is_back(at):
    message, other = await played(at)
    at.fake.gone.add(other["id"])
    await at.move(message)
    await at.fake.until(lambda: CLOSE in labels(message))
    at.fake.gone.clear()
    await at.fake.slash(other, "board", {"table": (await at.table(message)).code})
    await at.settle()
    assert not (await at.table(message)).missed


@pytest.mark.slow
async def test_where_discord_is_in_trouble_they_are_called(at):
    message, other = await played(at)
    at.fake.failing.append(Failure(ASKED, 403, 50001, 9))
    await at.move(message)
    await at.settle()
    assert [one for one in at.boards() if f"<@{other['id']}>" in one.text]
    assert CLOSE not in labels(message)


@pytest.mark.slow
async def test_the_challenger_hears_that_the_challenged_person_has_left(at):
    asked = await at.fake.slash(ANA, "play", {"game": "niya", "opponent": BEA, "rated": "no"})
    await at.fake.until(lambda: asked.message.buttons)
    await at.settle()
    at.facade.services.presence.clock = lambda: time.monotonic() + 60
    at.fake.gone.add(BEA["id"])
    table = await at.table(asked.message)
    await at.facade.services.notifications.due.unreachable_people.ask_after_invited(table)
    await at.settle()
    assert at.fake.count(ASKED) == 1
    assert "Bea ya no está aquí, y no hay forma de avisarle." in asked.message.text
    assert [one for one in at.boards() if f"<@{ANA['id']}>" in one.text and "reto" in one.text]


@pytest.mark.parametrize(
    ("told", "said"),
    [({"pending": True}, "normas"), ({"communication_disabled_until": UNTIL}, "silenciado")],
)
async def test_who_can_press_nothing_is_not_challenged(at, told, said):
    at.fake.members[BEA["id"]] = told
    asked = await at.fake.slash(ANA, "play", {"game": "niya", "opponent": BEA})
    assert asked.message.ephemeral
    assert said in asked.message.text
    await at.settle()
    assert not at.boards()


async def test_who_is_timed_out_is_called_later_and_gets_that_time_back(at):
    message, waits = await played(at)
    at.fake.members[waits["id"]] = {"communication_disabled_until": UNTIL}
    services = at.facade.services
    await at.move(message)
    await at.settle()
    assert not [one for one in at.boards() if not one.moves]
    table = await at.table(message)
    (person,) = [p.person for p in table.players if p.name == waits["global_name"]]
    outages = services.deadlines.outages
    spans = await outages.spans(table.code, person, 0)
    assert 600_000 in {over - began for began, over in spans}
    at.fake.members.clear()
    await asyncio.sleep(2.1)  # what Discord has just told is not asked again
    services.notifications._look(table.code)
    await at.settle()
    assert [one for one in at.boards() if not one.moves and waits["id"] in one.text]
