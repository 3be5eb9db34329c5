"""How a computer takes a game: it gives up, agrees to a draw or offers one, and lets one see it."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from itertools import pairwise

import pytest

from bot.service.computers.pool import Thinkers
from bot.service.computers.worker import Task
from bot.session import computer_resignation_and_draws
from bot.session.computer_resignation_and_draws import (
    DRAW_OFFER_MOVES,
    EARLY,
    EVEN,
    EVEN_FOR,
    LONG,
    LONGEST,
    LOST_FOR,
    NEARLY_OVER,
    PATIENT,
    SETTLED,
    Opinion,
)
from games.core import replay
from games.core.shelf import shelf
from tests.fakes import Desk, desk, person

pytestmark = pytest.mark.sampled

NEREA = person("Nerea")


@dataclass
class Opinionated(Thinkers):
    """Plays some legal move at once, and takes it for worth *value*; the highest level for *best*.

    *asked* counts how often the highest level was asked.
    """

    value: float = 0.0
    best: float | None = -1.0
    asked: int = 0

    async def answer(self, asked, task, seconds=None):
        assert (task, asked.level) == (Task.HINT, shelf()[asked.game].computer.levels)
        self.asked += 1
        return None if self.best is None else {"value": self.best}

    async def think(self, asked):
        game = shelf()[asked.game]
        position = replay(game, game.start(asked.setting), asked.log)
        legal = position.legal_moves(asked.seat)
        move = game.notation.written(position, legal[7 * len(asked.log) % len(legal)])
        return Opinion(move, self.value, (move,), exact=False)


async def opened(at: Desk, game: str, level: int) -> str:
    values = {"opponent": "ordenador", "level": str(level)}
    if game == "storilljudhjorrayc":
        values["options"] = "setup=fixed"
    await at.call(NEREA, "play", game=game, **values)
    return list(at.chat.messages.values())[-1].screen.table


async def moves(at: Desk, code: str, count: int) -> None:
    """Let Nerea make *count* legal moves, as long as the game goes on."""
    for _ in range(count):
        table = await at.facade.services.tables.get(code)
        if table.status != "playing":
            return
        (seat,) = table.actors()
        legal = table.present.legal_moves(seat)
        move = table.game.notation.written(table.present, legal[5 * len(table.log) % len(legal)])
        answer = await at.call(NEREA, "move", table=code, move=move)
        assert answer.good, answer.said


@pytest.mark.parametrize(
    ("game", "level", "long"),
    [
        ("shogi", 5, PATIENT),
        ("shogi", 9, LOST_FOR),
        ("shogi", 12, LOST_FOR),
        ("niya", 3, LOST_FOR),
    ],
)
async def test_a_strong_computer_gives_up_what_is_long_lost_and_says_so(
    tmp_path, game, level, long
):
    thinkers = Opinionated(value=-0.99)
    async with desk(tmp_path, thinkers) as at:
        code = await opened(at, game, level)
        await moves(at, code, long - 2)
        assert (await at.facade.services.tables.get(code)).status == "playing"
        await moves(at, code, 3)
        assert thinkers.asked == (level in (5, 9)), "the highest level has said so itself"
        table = await at.facade.services.tables.get(code)
        assert (table.status, table.outcome.reason) == ("ended", "resign")
        assert table.players[table.outcome.winner].name == "Nerea"
        assert "«Te doy la partida.»" in at.chat.board(code).screen.headline


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "level"),
    [("shogi", 4), ("shogi", 1), ("storilljudhjorrayc", 4), ("cirya", 2), ("niya", 1)],
)
async def test_whoever_learns_may_win(tmp_path, game, level):
    async with desk(tmp_path, Opinionated(value=-1.0)) as at:
        code = await opened(at, game, level)
        await moves(at, code, PATIENT + 1)
        table = await at.facade.services.tables.get(code)
        assert table.outcome is None or table.outcome.reason != "resign"


@pytest.mark.slow
@pytest.mark.parametrize("best", [-0.9, None])
async def test_it_plays_on_where_the_highest_level_does_not_take_the_game_for_lost(tmp_path, best):
    thinkers = Opinionated(value=-0.99, best=best)
    async with desk(tmp_path, thinkers) as at:
        code = await opened(at, "shogi", 5)
        await moves(at, code, 2 * PATIENT + 1)
        assert (await at.facade.services.tables.get(code)).status == "playing"
        # Who was told to play on asks no more until it has been lost for as long again.
        assert thinkers.asked == 2


@pytest.mark.slow
async def test_it_plays_on_as_long_as_there_is_hope_now_and_then(tmp_path):
    thinkers = Opinionated(value=-0.99)
    async with desk(tmp_path, thinkers) as at:
        code = await opened(at, "shogi", 5)
        for _ in range(3):
            await moves(at, code, PATIENT - 2)
            thinkers.value = -0.5
            await moves(at, code, 1)
            thinkers.value = -0.99
        assert (await at.facade.services.tables.get(code)).status == "playing"


@pytest.mark.slow
async def test_a_draw_is_agreed_where_the_computer_stands_no_better(tmp_path):
    thinkers = Opinionated(value=0.6)
    async with desk(tmp_path, thinkers) as at:
        code = await opened(at, "storilljudhjorrayc", 2)
        await moves(at, code, EARLY // 2 + 1)
        refused = await at.call(NEREA, "draw", table=code)
        assert not refused.good
        assert "seguir jugando" in refused.said
        thinkers.value = 0.0
        await moves(at, code, 1)
        assert (await at.call(NEREA, "draw", table=code)).good
        table = await at.facade.services.tables.get(code)
        assert table.outcome.reason == "agreement"


async def test_nobody_speaks_of_a_draw_at_the_beginning(tmp_path):
    async with desk(tmp_path, Opinionated(value=0.0)) as at:
        code = await opened(at, "storilljudhjorrayc", 2)
        await moves(at, code, 2)
        assert not (await at.call(NEREA, "draw", table=code)).good


@pytest.mark.slow
async def test_where_nothing_happens_for_long_the_computer_offers_a_draw_once(
    tmp_path, monkeypatch
):
    monkeypatch.setattr(computer_resignation_and_draws, "SETTLED", EARLY)
    async with desk(tmp_path, Opinionated(value=0.01)) as at:
        code = await opened(at, "storilljudhjorrayc", 2)
        offers = []
        for _ in range(EVEN_FOR + 4):
            await moves(at, code, 1)
            offers.append((await at.facade.services.tables.get(code)).offered("draw") is not None)
        assert sum(offers) == 1
        assert not any(offers[: EVEN_FOR - 2])


@pytest.mark.slow
async def test_in_a_long_game_it_offers_again_to_whoever_plays_on(tmp_path, monkeypatch):
    for name, plies in (("SETTLED", 2), ("LONG", 2), ("LONGEST", 4), ("DRAW_OFFER_MOVES", 4)):
        monkeypatch.setattr(computer_resignation_and_draws, name, plies)
    async with desk(tmp_path, Opinionated(value=0.5)) as at:
        code = await opened(at, "storilljudhjorrayc", 2)
        offered_after = []
        for _ in range(EVEN_FOR + 6):
            await moves(at, code, 1)
            table = await at.facade.services.tables.get(code)
            if table.offered("draw") is not None:
                offered_after.append(len(table.log))
        assert len(offered_after) >= 3
        gaps = {after - before for before, after in pairwise(offered_after)}
        assert gaps == {4}
        while (await at.facade.services.tables.get(code)).offered("draw") is None:
            await moves(at, code, 1)
        assert (await at.call(NEREA, "draw", table=code)).good
        assert (await at.facade.services.tables.get(code)).outcome.reason == "agreement"


async def test_its_answer_comes_no_faster_than_one_can_see(tmp_path):
    slept = []

    async with desk(tmp_path, Opinionated()) as at:
        at.facade.services.computers.pause = 0.7
        code = await opened(at, "shogi", 1)
        before = asyncio.get_running_loop().time()
        await moves(at, code, 1)
        slept.append(asyncio.get_running_loop().time() - before)
    assert slept[0] >= 0.7


def test_what_was_taken_back_is_not_remembered():
    class At:
        code = "K7K7K7"
        log = ()

    memory = computer_resignation_and_draws.ResignationPolicy()
    for length in (1, 3, 5, 3):
        At.log = (None,) * length
        memory.note(At, 1, -1.0)
    assert [length for length, _ in memory._values["K7K7K7", 1]] == [1, 3]
    memory.forget("K7K7K7")
    assert memory._values == {}


def test_a_long_game_is_even_sooner_and_soon_always_but_never_one_that_is_as_good_as_over():
    assert computer_resignation_and_draws.evenness(LONG) == EVEN
    assert EVEN < computer_resignation_and_draws.evenness((LONG + LONGEST) // 2) < NEARLY_OVER
    assert (
        computer_resignation_and_draws.evenness(LONGEST)
        == computer_resignation_and_draws.evenness(2 * LONGEST)
        == pytest.approx(NEARLY_OVER)
    )
    ahead = [0.5] * EVEN_FOR
    assert not computer_resignation_and_draws.is_dull(ahead, LONG)
    assert computer_resignation_and_draws.is_dull(ahead, LONGEST)
    assert not computer_resignation_and_draws.is_dull(ahead[1:], LONGEST)
    assert not computer_resignation_and_draws.is_dull([*ahead[1:], 1.0], LONGEST)
    assert computer_resignation_and_draws.takes_draw(0.5, LONGEST)
    assert not computer_resignation_and_draws.takes_draw(1.0, LONGEST)


def test_a_draw_is_offered_once_and_in_a_long_game_again_after_a_while():
    assert not computer_resignation_and_draws.may_offer(None, SETTLED - 1)
    assert computer_resignation_and_draws.may_offer(None, SETTLED)
    assert not computer_resignation_and_draws.may_offer(SETTLED, LONG - 1)
    assert computer_resignation_and_draws.may_offer(SETTLED, LONG)
    assert not computer_resignation_and_draws.may_offer(LONG, LONG + DRAW_OFFER_MOVES - 1)
    assert computer_resignation_and_draws.may_offer(LONG, LONG + DRAW_OFFER_MOVES)
