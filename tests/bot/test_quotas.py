"""How many tables may be open, how many codes tried, and what a stranger cannot move."""

from __future__ import annotations

import asyncio

import pytest

from bot.commands import quotas
from bot.port import Card, Where
from tests.fakes import Desk, person

EVA, NEREA, BRUNO = person("Eva"), person("Nerea"), person("Bruno")


@pytest.fixture(autouse=True)
def unhurried():
    """The limits as they are."""


async def begun(at: Desk, game: str = "niya") -> str:
    await at.call(NEREA, "play", game=game, opponent=BRUNO)
    (code,) = [m.screen.table for m in at.chat.messages.values()]
    await at.press(BRUNO, at.chat.board(code), "Aceptar")
    return code


async def test_a_person_has_no_more_open_tables_than_he_may(at):
    answers = [await at.call(EVA, "play", game="niya") for _ in range(quotas.PERSON + 1)]
    assert [answer.good for answer in answers] == [True] * quotas.PERSON + [False]
    assert "3 mesas abiertas" in answers[-1].said
    assert (await at.call(NEREA, "play", game="niya")).good


async def test_openings_at_the_same_moment_count_one_another(at):
    answers = await asyncio.gather(
        *(at.call(EVA, "play", game="niya", opponent="ordenador") for _ in range(12))
    )
    assert sum(answer.good for answer in answers) == quotas.PERSON


async def test_who_closes_a_table_may_open_another(at):
    for _ in range(quotas.PERSON):
        await at.call(EVA, "play", game="niya")
    code = next(iter(at.chat.messages.values())).screen.table
    assert (await at.surely(EVA, "close", table=code)).good
    assert (await at.call(EVA, "play", game="niya")).good


@pytest.mark.slow
async def test_a_game_with_somebody_else_is_no_open_table(at):
    for _ in range(quotas.PERSON + 2):
        await at.call(NEREA, "play", game="niya", opponent=BRUNO)
        message = list(at.chat.messages.values())[-1]
        assert (await at.press(BRUNO, message, "Aceptar")).good


@pytest.mark.slow
async def test_a_place_has_no_more_tables_than_fit(at):
    people = [person(f"P{n}") for n in range(quotas.PLACE + 1)]
    answers = [await at.call(one, "play", game="niya") for one in people]
    assert sum(answer.good for answer in answers) == quotas.PLACE
    assert "20 mesas" in answers[-1].said
    elsewhere = Where("fake", "another")
    assert (await at.call(people[-1], "play", elsewhere, game="niya")).good


async def test_codes_cannot_be_guessed(at):
    code = await begun(at)
    answers = [await at.call(EVA, "board", table=f"ZZZZZ{n}") for n in range(9)]
    assert [("muchos códigos" in answer.said) for answer in answers] == [False] * 5 + [True] * 4
    assert "muchos códigos" in (await at.call(EVA, "join", table=code)).said, "nor a right one"
    assert (await at.call(NEREA, "board", table=code)).good, "others are not held up"


async def test_a_stranger_gets_the_board_for_himself_and_moves_nothing(at):
    code = await begun(at, "shogi")
    before, edits = at.chat.board(code).id, at.chat.board(code).edits
    answer = await at.call(EVA, "board", table=code)
    assert isinstance(answer, Card)
    assert answer.picture
    assert (at.chat.board(code).id, at.chat.removed) == (before, [])
    assert not [b for row in answer.screen.rows for b in row if b.style == "move"]
    assert isinstance(await at.press(EVA, at.chat.board(code), "Más"), Card)
    assert (at.chat.board(code).id, at.chat.board(code).edits) == (before, edits)
    await at.call(BRUNO, "board", table=code)
    assert at.chat.board(code).id != before
    assert at.chat.removed == [before]


async def test_a_stranger_may_show_a_table_where_it_does_not_stand_yet(at):
    code = await begun(at)
    elsewhere = Where("fake", "another")
    assert (await at.call(EVA, "board", elsewhere, table=code)).good
    assert at.chat.board(code, elsewhere)
