"""R1: a game that its rules had ended and that goes on counts by its second end alone."""

from __future__ import annotations

import pytest

from bot.service.club.rating_check import RatingCheck
from storage.club import ratings
from tests.bot.test_out_of_turn import BRUNO, NEREA, returning, silent_game
from tests.fakes import desk


@pytest.fixture
async def at(tmp_path):
    async with desk(tmp_path) as opened:
        yield opened


async def kinds(at) -> list[str]:
    async with at.facade.services.store.reading() as tx:
        assert await RatingCheck().run(tx) == []
        return [row.kind for row in await ratings.journal(tx)]


async def test_r1_a_game_that_goes_on_is_taken_out_and_counts_again_at_its_second_end(at):
    code = await silent_game(at, rated="yes")
    assert await kinds(at) == ["game"]
    before = (await at.facade.services.tables.get(code)).shifts
    assert before
    back = returning(at, code)
    await at.press(BRUNO, at.chat.board(code), code=back.code)
    table = await at.facade.services.tables.get(code)
    assert (table.outcome, table.shifts) == (None, {})
    assert await kinds(at) == ["game", "correction"]
    assert "(+" not in " ".join(at.chat.board(code).screen.lines)
    await at.surely(NEREA, "resign", table=code)
    assert await kinds(at) == ["game", "correction", "game"]
    again = (await at.facade.services.tables.get(code)).shifts
    assert again
    assert again.keys() == before.keys()
