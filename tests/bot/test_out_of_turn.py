"""What is said out of turn and after the end reaches the table, and the right to it ends."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest

from bot.port import Command
from games.cirya.move_types import Verdict
from tests.fakes import Desk, desk, person

NEREA, BRUNO = person("Nerea"), person("Bruno")
SILENT_LONDE = ("e5", "a1", "b1", "a5", "c1", "b5", "d1", "c5", "e1")
"""Swan builds a londë on the first row and never says a word."""


async def silent_game(at: Desk, options: str = "", **wish: str) -> str:
    """A game of Cirya that ends in a londë nobody announced; its table's code."""
    await at.call(NEREA, "play", game="cirya", side="cisne", seats="2", options=options, **wish)
    code = list(at.chat.messages.values())[-1].screen.table
    await at.call(BRUNO, "join", table=code)
    for move in SILENT_LONDE:
        table = await at.facade.services.tables.get(code)
        (seat,) = table.actors()
        who = NEREA if table.players[seat].name == "Nerea" else BRUNO
        answer = await at.call(who, "move", table=code, move=move)
        assert answer.good, (move, answer.said)
    return code


def returning(at: Desk, code: str):
    """The button with which the loser goes back, if it is there."""
    buttons = [b for row in at.chat.board(code).screen.rows for b in row]
    return next((b for b in buttons if b.code.startswith("y.") and "back" in b.code), None)


async def test_c20_the_loser_goes_back_to_where_the_announcement_was_due(at):
    code = await silent_game(at)
    assert (await at.facade.services.tables.get(code)).status == "ended"
    button = returning(at, code)
    assert button is not None
    answer = await at.press(BRUNO, at.chat.board(code), code=button.code)
    assert answer.good, answer.said
    table = await at.facade.services.tables.get(code)
    assert table.status == "playing"
    assert table.outcome is None


async def test_r1_the_right_to_go_back_ends_after_a_day(at):
    code = await silent_game(at)
    button = returning(at, code)
    now = at.facade.services.clock.steady
    at.facade.services.clock.steady = lambda: now() + timedelta(hours=25)
    answer = await at.press(BRUNO, at.chat.board(code), code=button.code)
    assert not answer.good
    assert (await at.facade.services.tables.get(code)).status == "ended"


async def test_r1_the_day_to_go_back_is_counted_from_the_end_whatever_happens_later(at):
    code = await silent_game(at)
    button = returning(at, code)
    now = at.facade.services.clock.steady
    at.facade.services.clock.steady = lambda: now() + timedelta(hours=23)
    await at.press(BRUNO, at.chat.board(code), "Revancha")
    at.facade.services.clock.steady = lambda: now() + timedelta(hours=25)
    answer = await at.press(BRUNO, at.chat.board(code), code=button.code)
    assert not answer.good
    assert (await at.facade.services.tables.get(code)).status == "ended"


async def test_r1_the_right_to_go_back_ends_with_the_rematch(at):
    code = await silent_game(at)
    button = returning(at, code)
    await at.press(NEREA, at.chat.board(code), "Revancha")
    await at.press(BRUNO, at.chat.board(code), "Revancha")
    assert returning(at, code) is None
    answer = await at.press(BRUNO, at.chat.board(code), code=button.code)
    assert not answer.good


# -- londetúrë ----------------------------------------------------------------------------


class Arbiter:
    """Judges claims as it is told to, and notes how often it was asked."""

    def __init__(self, *rulings: tuple[str, tuple[str, ...]] | None) -> None:
        self.rulings = list(rulings)
        self.asked = 0

    async def answer(self, asked, task):
        self.asked += 1
        move, line = self.rulings.pop(0) or (None, ())
        return move and {"move": move, "line": line}

    async def warm(self, count=None):
        pass

    async def close(self):
        pass


async def before_a_claim(at: Desk, **options: str) -> str:
    """A game of Cirya in which swan is about to say «londetúrë» without reason; its code."""
    wishes = [f"{key}={value}" for key, value in options.items()]
    await at.call(NEREA, "play", game="cirya", side="cisne", seats="2", options=" ".join(wishes))
    code = list(at.chat.messages.values())[-1].screen.table
    await at.call(BRUNO, "join", table=code)
    for number, move in enumerate(("e5", "a1", "b1", "e4", "c1", "e3")):
        answer = await at.call((NEREA, BRUNO)[number % 2], "move", table=code, move=move)
        assert answer.good, answer.said
    return code


async def claimed(at: Desk, **options: str) -> str:
    """The same once swan has said it."""
    code = await before_a_claim(at, **options)
    answer = await at.call(NEREA, "move", table=code, move='d1"')
    assert answer.good, answer.said
    return code


async def settled(at: Desk, code: str):
    """The table, once nothing waits for a verdict any more."""
    while busy := at.facade.tasks.busy():
        await asyncio.wait(busy)
    return await at.facade.services.tables.get(code)


async def test_r2_a_londeture_is_judged_by_itself_and_everybody_reads_the_verdict(tmp_path):
    async with desk(tmp_path, Arbiter(("refuted", ("Ca3",)))) as at:
        table = await settled(at, await claimed(at))
        assert table.log[-1].text == "refuted"
        assert table.status == "playing"
        await at.settle()
        shown = at.chat.board(table.code).screen
        assert any("Refutado" in one for one in shown.lines)
        assert not any("a3" in one for one in shown.lines), "nobody is told what to play"


async def test_r2_the_verdict_is_asked_for_once_and_read_again_after_a_restart(tmp_path):
    arbiter = Arbiter(("proved", ("e1",)))
    async with desk(tmp_path, arbiter) as at:
        code = (await settled(at, await claimed(at))).code
    later = Arbiter()
    async with desk(tmp_path, later) as at:
        table = await settled(at, code)
    assert table.present.claims[0].verdict is Verdict.PROVED
    assert table.proofs == ((7, ("e1",)),)
    assert (arbiter.asked, later.asked) == (1, 0)


async def test_r2_a_claim_that_nobody_could_judge_is_left_undecided(tmp_path):
    async with desk(tmp_path, Arbiter(None)) as at:
        table = await settled(at, await claimed(at))
    assert table.present.claims[0].verdict is Verdict.UNDECIDED


async def test_r2_where_it_was_agreed_a_false_londeture_ends_the_game(tmp_path):
    async with desk(tmp_path, Arbiter(("refuted", ("e1",)))) as at:
        table = await settled(at, await claimed(at, false_claim="loses"))
    assert (table.status, table.outcome.reason, table.outcome.winner) == ("ended", "false_claim", 1)


async def test_r2_a_claim_made_before_a_crash_is_judged_after_it(tmp_path):
    class Dying(Arbiter):
        async def answer(self, asked, task):
            raise asyncio.CancelledError

    async with desk(tmp_path, Dying()) as at:
        code = await claimed(at)
        assert (await at.facade.services.tables.get(code)).claimant() == 0
    async with desk(tmp_path, Arbiter(("refuted", ("e1",)))) as at:
        assert (await settled(at, code)).log[-1].text == "refuted"


class LateTables:
    """The tables of a house, as they were before something was *done*."""

    def __init__(self, tables, done: asyncio.Event) -> None:
        self.tables, self.done = tables, done

    def __getattr__(self, name: str):
        return getattr(self.tables, name)

    async def get(self, code: str):
        found = await self.tables.get(code)
        await self.done.wait()
        return found


async def test_r2_a_londeture_that_is_said_while_the_last_verdict_comes_in_is_judged(tmp_path):
    arbiter, said = Arbiter(("refuted", ("Ca3",)), ("refuted", ("Ca3",))), asyncio.Event()
    async with desk(tmp_path, arbiter) as at:
        code, tables = await before_a_claim(at), at.facade.services.tables
        at.facade.services.computers.tables = LateTables(tables, said)

        async def say(who, move: str) -> None:
            told = {"table": code, "move": move}
            answer = await at.facade.requests.call(Command(move, at.where, who, "move", told))
            assert answer.good, answer.said

        await say(NEREA, 'd1"')
        while (await tables.get(code)).claimant() is not None:
            await asyncio.sleep(0.01)
        await say(BRUNO, "e1")
        await say(NEREA, 'd2"')
        said.set()
        table = await settled(at, code)
        assert (arbiter.asked, table.claimant()) == (2, None)


async def test_c22_a_won_game_is_given_away_only_by_whoever_says_so_twice(at):
    code = await silent_game(at)

    async def pressed(label: str, message):
        return await at.press(NEREA, message, label)

    cede = "Nerea: Ceder la victoria"
    card = at.card(await pressed(cede, at.chat.board(code)))
    assert "¿seguro?" in card.screen.lines[0]
    table = await at.facade.services.tables.get(code)
    assert table.players[table.outcome.winner].name == "Nerea"
    assert (await at.press(BRUNO, card, "Sí, seguro")).good is False
    await pressed("No", card)
    card = at.card(await pressed(cede, at.chat.board(code)))
    assert (await pressed("Sí, seguro", card)).good
    table = await at.facade.services.tables.get(code)
    assert table.players[table.outcome.winner].name == "Bruno"


@pytest.mark.parametrize("word", ["londë", "londetúrë"])
async def test_in_words_a_coming_call_is_told_once(at, word):
    await at.call(NEREA, "play", game="cirya", side="cisne", seats="2")
    code = list(at.chat.messages.values())[-1].screen.table
    await at.call(BRUNO, "join", table=code)
    people = {0: NEREA, 1: BRUNO}
    for move in ["e5", "a1", "b1", "e4", "c1", "e3"]:
        (seat,) = (await at.facade.services.tables.get(code)).actors()
        await at.call(people[seat], "move", move=move, table=code)
    await at.call(NEREA, "move", move=word, table=code)
    told = await at.call(BRUNO, "board", table=code, form="words")
    assert told.said.count("con su jugada") == 1
