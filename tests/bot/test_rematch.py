"""The rematch: everybody must want it, and it begins whole or not at all."""

from __future__ import annotations

import asyncio
import contextlib
import re
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from bot.commands.table import resignation_and_offers
from bot.port import Press
from bot.presenters.button_codes import Action, Click, encode_click
from bot.presenters.table.invitation import legible_seal
from bot.service.table.changes import Update
from bot.session import play
from bot.session.events import Ended, OfferKind
from bot.session.offers import again
from bot.session.table import Player
from bot.session.unit_of_work import UnitOfWork
from games.core import ranking
from games.core.shelf import find_game
from storage.table import views
from tests.databases import copied
from tests.fakes import Desk, desk, person

NEREA, BRUNO, EVA = person("Nerea"), person("Bruno"), person("Eva")
NOW = datetime(2026, 11, 22, tzinfo=UTC)
DECIDED = ranking("first", [[0], [1], [2]])


async def three(at: Desk) -> str:
    """A game of Parchís between three people that is over."""
    await at.call(NEREA, "play", game="parchis", seats="3")
    (message,) = at.chat.messages.values()
    code = message.screen.table
    await at.press(BRUNO, message, "Sentarme")
    await at.press(EVA, at.chat.board(code), "Sentarme")

    def over(work: UnitOfWork) -> None:
        work.write(Ended(DECIDED.reason, DECIDED.places, by_rule=True))

    await at.facade.services.changes.change(Update("test", "over"), code, over)
    await at.settle()
    return code


async def test_a_rematch_of_three_begins_when_all_three_want_it(at):
    code = await three(at)
    for who in (NEREA, BRUNO):
        assert (await at.press(who, at.chat.board(code), "Revancha")).good
        assert (await at.facade.services.tables.get(code)).child is None
    assert "Quieren la revancha: Nerea y Bruno." in at.chat.board(code).screen.lines
    assert not (await at.press(BRUNO, at.chat.board(code), "Revancha")).good
    await at.call(EVA, "rematch", table=code)
    child = (await at.facade.services.tables.get(code)).child
    table = await at.facade.services.tables.get(child)
    assert table.status == "playing"
    assert {player.name for player in table.players} == {"Nerea", "Bruno", "Eva"}
    assert at.chat.board(child).screen.table == child


async def test_a_rematch_that_was_closed_without_a_result_may_be_played_again(at):
    code = await three(at)
    old = at.chat.board(code)
    for who in (NEREA, BRUNO, EVA):
        await at.press(who, old, "Revancha")
    tables = at.facade.services.tables
    first = (await tables.get(code)).child
    refused = await at.press(NEREA, old, "Revancha")
    assert refused.said == f"Ya hay otra partida en la mesa {first}."
    await at.facade.services.changes.change(
        Update("test", "shut"), first, lambda work: play.close(work, "managed", None)
    )
    await at.settle()
    assert (await at.press(NEREA, old, "Revancha")).good
    for who in (BRUNO, EVA):
        assert (await at.press(who, at.chat.board(code), "Revancha")).good
    second = (await tables.get(code)).child
    assert second != first
    assert (await tables.get(second)).status == "playing"


async def test_one_no_ends_the_wish_for_all(at):
    code = await three(at)
    await at.press(NEREA, at.chat.board(code), "Revancha")
    await at.press(BRUNO, at.chat.board(code), "Revancha")
    no = encode_click(Click(Action.ANSWER, code, 0, ("rematch", "no")), at.facade.services.key)
    await at.press(EVA, at.chat.board(code), code=no)
    table = await at.facade.services.tables.get(code)
    assert table.offered(OfferKind.REMATCH) is None
    await at.press(EVA, at.chat.board(code), "Revancha")
    assert (await at.facade.services.tables.get(code)).child is None


@pytest.mark.parametrize("begins", [("lot",), ("lot", "yellow", "blue", "red", "green")])
@pytest.mark.parametrize("number", [2, 3, 4])
def test_every_way_to_begin_has_a_rematch_for_every_number_of_players(begins, number):
    game = find_game("parchis")
    game = replace(game, rules=replace(game.rules, begins=begins))
    work = play.open_table(
        "AAAAAA", game, options={}, begins="lot", seats=number, host=1, secret=bytes(32), now=NOW
    )
    work.state = replace(work.table, game=game)
    for one in range(number):
        play.take_chair(work, Player(one + 1))
    play.start_if_full(work)
    places = ranking("first", [[seat] for seat in range(number)])
    work.write(Ended(places.reason, places.places, by_rule=True))
    begun = [again(work, seat, "BBBBBB", bytes(32)) for seat in range(number)]
    assert begun == [False] * (number - 1) + [True]
    assert work.child is not None
    child = work.child.table
    assert child.status == "playing"
    if len(begins) > 1:
        assert child.first == number - 1


@pytest.mark.slow
async def test_the_ended_board_shows_the_seal_of_the_rematch_and_takes_words_for_it(at):
    await at.call(NEREA, "play", game="niya", opponent=BRUNO)
    (message,) = at.chat.messages.values()
    code = message.screen.table
    await at.press(BRUNO, message, "Aceptar")
    assert not (await at.call(NEREA, "words", text="tarde", table=code)).good
    await at.surely(NEREA, "resign")
    (sealed,) = (line for line in at.chat.board(code).screen.lines if "sellado" in line)
    assert not re.search("[0-9a-f]{4} [0-9a-f]{4}", sealed), "nobody reads digits there"
    short = await at.call(NEREA, "verify", table=code)
    told = await at.press(NEREA, at.chat.board(code), code=short.screen.rows[0][0].code)
    assert (await at.call(NEREA, "words", text="uno")).good
    assert (await at.call(BRUNO, "words", text="dos", table=code)).good
    assert not (await at.call(EVA, "words", text="tres", table=code)).good
    assert "Palabras de los jugadores: uno y dos." in at.chat.board(code).screen.lines
    assert sealed in at.chat.board(code).screen.lines
    await at.press(NEREA, at.chat.board(code), "Revancha")
    await at.press(BRUNO, at.chat.board(code), "Revancha")
    child = await at.facade.services.tables.get(
        (await at.facade.services.tables.get(code)).child or ""
    )
    assert child.code in sealed
    assert legible_seal(child.commitment) in told.said, "it could be seen before the words"
    assert child.chance_words == "uno/dos"
    assert not any("sellado" in line for line in at.chat.board(code).screen.lines)
    assert not (await at.call(NEREA, "words", text="ya no", table=code)).good
    await at.surely(NEREA, "resign", table=child.code)
    assert (await at.call(NEREA, "verify", table=child.code)).good


async def test_a_rematch_finds_another_code_where_its_own_is_taken(at, monkeypatch):
    await at.call(NEREA, "play", game="niya", opponent=BRUNO)
    (message,) = at.chat.messages.values()
    code = message.screen.table
    await at.press(BRUNO, message, "Aceptar")
    await at.surely(NEREA, "resign")
    monkeypatch.setattr(resignation_and_offers, "foreseen", lambda table, key: (code, bytes(32)))
    await at.press(NEREA, at.chat.board(code), "Revancha")
    await at.press(BRUNO, at.chat.board(code), "Revancha")
    child = (await at.facade.services.tables.get(code)).child
    assert child not in (None, code)


class Cut:
    """Awaits *work* and cuts it at its suspension number *at*."""

    def __init__(self, work, at: int) -> None:
        self.work, self.at, self.cut = work, at, False

    def __await__(self):
        waiting, answer = self.work.__await__(), None
        for number in range(1_000_000):
            try:
                if number == self.at:
                    self.cut = True
                    asked = waiting.throw(asyncio.CancelledError())
                else:
                    asked = waiting.send(answer)
            except StopIteration as done:
                return done.value
            answer = yield asked


@pytest.mark.slow
async def test_b6_a_rematch_that_is_cut_anywhere_leaves_all_of_it_or_nothing(tmp_path):
    start = tmp_path / "start"
    start.mkdir()
    async with desk(start) as at:
        await at.call(NEREA, "play", game="niya", opponent=BRUNO)
        (message,) = at.chat.messages.values()
        code = message.screen.table
        await at.press(BRUNO, message, "Aceptar")
        await at.surely(NEREA, "resign")
        await at.press(NEREA, at.chat.board(code), "Revancha")
        button = at.chat.board(code).button("Revancha").code
    for number in range(200):
        folder = tmp_path / str(number)
        copied(start, folder)
        consent = Press("consent", message.where, BRUNO, button, message.id)
        async with desk(folder) as at:
            cut = Cut(at.facade.requests.press(consent), number)
            with contextlib.suppress(asyncio.CancelledError):
                await cut
        async with desk(folder) as at:
            await at.facade.requests.press(consent)
            await at.settle()
            child = (await at.facade.services.tables.get(code)).child
            assert child is not None
            async with at.facade.store.reading() as tx:
                shown = await views.views_of_game(tx, child)
            playing = await at.call(BRUNO, "games")
            assert re.findall(r"[0-9A-Z]{6}", playing.said) == [child]
            assert [view.platform for view in shown] == ["fake"]
        if not cut.cut:
            break
    else:
        raise AssertionError("a press is cut in two hundred places and not over")
    assert number > 5


async def test_the_board_says_who_wants_no_rematch_until_it_is_asked_for_again(at):
    code = await three(at)
    await at.press(NEREA, at.chat.board(code), "Revancha")
    await at.press(BRUNO, at.chat.board(code), "No, sin revancha")
    assert "Bruno no quiere la revancha." in at.chat.board(code).screen.lines
    await at.press(EVA, at.chat.board(code), "Revancha")
    assert "no quiere" not in str(at.chat.board(code).screen.lines)
    await at.press(EVA, at.chat.board(code), "Retirar la revancha")
    assert "no quiere" not in str(at.chat.board(code).screen.lines), "their own offer"
