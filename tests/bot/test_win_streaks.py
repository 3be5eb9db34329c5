"""Three games in a row won by the same: what would even the next one is told with the rematch."""

from __future__ import annotations

import pytest

from bot.service.table.changes import Update
from bot.session.events import Ended
from bot.session.unit_of_work import UnitOfWork
from games.core import ranking
from tests.fakes import Desk, person

NEREA, BRUNO = person("Nerea"), person("Bruno")


async def opened(at: Desk, game: str, **values: str) -> str:
    await at.call(NEREA, "play", game=game, **values)
    code = list(at.chat.messages.values())[-1].screen.table
    if "opponent" not in values:
        await at.call(BRUNO, "join", table=code)
    return code


async def rematch(at: Desk, code: str, winner: str | None) -> tuple[str, str]:
    """End the game at *code* for *winner*, ask for the next: its code, and what was said."""
    table = await at.facade.services.tables.get(code)
    names = [player.name for player in table.players]
    won = names.index(winner or "")

    def over(work: UnitOfWork) -> None:
        places = ranking("first", [[won], [1 - won]])
        work.write(Ended(places.reason, places.places, by_rule=True))

    await at.facade.services.changes.change(Update("test", f"over {code}"), code, over)
    players = [who for who in (NEREA, BRUNO) if who.name in names]
    said = [(await at.call(who, "rematch", table=code)).said for who in players]
    child = (await at.facade.services.tables.get(code)).child
    assert child is not None
    return child, said[-1]


async def row(at: Desk, code: str, winners: list[str | None]) -> list[str]:
    """What was said after each of several games in a row."""
    told = []
    for winner in winners:
        code, said = await rematch(at, code, winner)
        told.append(said)
    return told


async def test_who_beats_the_computer_three_times_is_told_of_the_next_level(at):
    code = await opened(at, "cirya", opponent="ordenador", level="2")
    first, second, third = await row(at, code, ["Nerea"] * 3)
    assert "nivel" not in first + second
    assert third.endswith("Tres seguidas: con /jugar puedes probar el nivel 3, «competente».")


async def test_who_loses_three_times_is_told_of_the_level_below(at):
    code = await opened(at, "cirya", opponent="ordenador", level="2")
    *_, third = await row(at, code, [None] * 3)
    assert "puedes bajar al nivel 1, «principiante»" in third


async def test_two_in_a_row_and_one_for_the_other_are_nothing_to_even(at):
    code = await opened(at, "cirya", opponent="ordenador", level="2")
    told = await row(at, code, ["Nerea", None, "Nerea", "Nerea"])
    assert "seguidas" not in " ".join(told)


@pytest.mark.slow
async def test_below_the_first_level_there_is_the_handicap_where_a_game_has_one(at):
    code = await opened(at, "shogi", opponent="ordenador", level="1")
    *_, third = await row(at, code, [None] * 3)
    assert "«Ventaja que da gote» iguala las fuerzas" in third
    code = await opened(at, "niya", opponent="ordenador", level="1")
    assert "seguidas" not in " ".join(await row(at, code, [None] * 3))


@pytest.mark.slow
async def test_between_people_the_handicap_is_told_to_who_begins_the_rematch(at):
    code = await opened(at, "shogi", seats="2")
    *_, third = await row(at, code, ["Bruno"] * 3)
    assert (
        "Tres seguidas para Bruno: con /jugar, «Ventaja que da gote» iguala las fuerzas." in third
    )
