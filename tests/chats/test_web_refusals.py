"""What the browser chat does not do, and says so: too much, too long, broken, unreadable."""

import asyncio
import uuid

import pytest
from aiohttp import WSCloseCode, WSMsgType

from bot.chats.web import budget, message_formatting
from bot.chats.web.budget import PURSES, Purse
from bot.chats.web.person.guests import Guests
from bot.service import request_rate_limits
from storage.errors import DatabaseBusy, DatabaseFull
from tests.slow_thinking import thoughtful


async def test_who_asks_too_fast_is_asked_for_patience(at, monkeypatch):
    monkeypatch.setattr(request_rate_limits, "OTHERS", ((10, 10.0),))
    host = await at.first()
    async with host.open() as page:
        answers = [await page.type("/games") for _ in range(30)]
        slow = [answer for answer in answers if "despacio" in answer["said"]]
        assert 5 <= len(slow) <= 20
        assert not slow[0]["good"]


async def test_what_a_page_asks_for_by_itself_takes_nothing_from_what_its_player_may_do(
    at, monkeypatch
):
    told = {"guest": Purse(250, 0.01), "patience": PURSES["patience"]}
    monkeypatch.setattr(budget, "PURSES", {**budget.PURSES, **told})
    host = await at.first()
    async with host.open() as page:
        table = (await page.type("/play niya"))["open"]
        asked = [await page.ask("moves", table=table) for _ in range(180)]
        assert not asked[-1]["good"]
        assert not asked[-1]["said"], "he has asked for nothing that could be too much"
        answers = [await page.type("/games") for _ in range(9)]
        assert all(answer["good"] for answer in answers)


def spend(at, monkeypatch, spent=200.0, patience=PURSES["patience"]):
    """Let the only guest of the house have spent so much, and all words of refusal."""
    told = {"guest": Purse(200, 10), "patience": patience, "words": Purse(0.5, 0.001)}
    monkeypatch.setattr(budget, "PURSES", {**budget.PURSES, **told})
    (whose,) = at.chat._visits
    at.chat._budget.spend("guest", whose, spent)


@pytest.mark.parametrize(
    ("spent", "kind", "told", "has"),
    [(200.0, "call", {"line": "/play niya"}, "open"), (145.0, "lobby", {}, "tempos")],
)
async def test_who_has_looked_around_quickly_is_answered_a_moment_later(
    at, monkeypatch, spent, kind, told, has
):
    host = await at.first()
    async with host.open() as page:
        spend(at, monkeypatch, spent)
        answer = await page.ask(kind, **told)
        assert answer["good"], "it was lost without a word"
        assert answer[has]


async def test_who_has_looked_around_quickly_comes_in_a_moment_later(at, monkeypatch):
    host = await at.first()
    async with host.open():
        spend(at, monkeypatch)
        assert (await host.get(f"{host.path}/"))[0] == 200
        async with host.open() as again:
            assert again.state["name"] == "Nerea"


async def broken(*_):
    raise DatabaseBusy("busy")


@pytest.mark.parametrize("why", ["haste", "a fault", "a fault before"])
async def test_a_page_that_is_given_no_state_is_closed_so_that_it_connects_again(
    at, monkeypatch, why
):
    host = await at.first()
    async with host.open() as page:
        if why == "haste":
            spend(at, monkeypatch, patience=Purse(0, 0.001))
        elif why == "a fault":
            monkeypatch.setattr(at.chat._inbound, "state", broken)
        else:
            monkeypatch.setattr(at.chat._sessions, "_present", broken)
        await page.send("hello", theme="light")
        async with asyncio.timeout(60):
            while (came := await page.socket.receive()).type is not WSMsgType.CLOSE:
                assert came.type is not WSMsgType.CLOSED
        assert came.data == WSCloseCode.TRY_AGAIN_LATER


async def test_each_action_that_is_too_much_is_refused_in_words(at, monkeypatch):
    monkeypatch.setattr(request_rate_limits, "OTHERS", ((1, 600.0),))
    host = await at.first()
    async with host.open() as page:
        monkeypatch.setattr(budget, "PURSES", {**budget.PURSES, "words": Purse(0.5, 0.001)})
        assert (await page.type("/games"))["good"]
        for _ in range(5):
            assert "despacio" in (await page.type("/games"))["said"]


@pytest.mark.slow
async def test_a_move_costs_one_of_what_its_player_may_do_whatever_the_page_reads_beside(
    at, monkeypatch
):
    # Two moves and one too many: a computer with four tokens could have won before the last.
    monkeypatch.setattr(request_rate_limits, "SEATED", ((2, 600.0),))
    monkeypatch.setattr(request_rate_limits, "KNOWN_FOR", {True: 60.0, False: 0.0})
    host = await at.first()
    async with host.open() as page:
        table = (await page.type("/play niya computer"))["open"]
        for number in range(3):
            board = await page.board(table, lambda board: board["mine"])
            step = page.moves(table)[0]["step"]
            for typed in (step[0], step):
                await page.send("suggest", line=typed, table=table)
            await page.send("look", table=table)
            await page.ask("moves", table=table)
            await page.ask("say", table=table, code="luck")
            answer = await page.type(step, table)
            assert answer["good"] == (number < 2), answer["said"]
            if answer["good"]:
                version = board["version"]
                await page.board(table, lambda b, before=version: b["version"] > before)
        assert "despacio" in answer["said"]


async def test_what_fails_on_our_side_is_said_and_may_be_asked_again(at, monkeypatch, caplog):
    host = await at.first()
    once = str(uuid.uuid4())
    async with host.open() as page:
        with monkeypatch.context() as broken:
            broken.setattr(Guests, "invite", None)
            table = (await page.type("/play niya"))["open"]
            answer = await page.ask("invite", once, table=table)
            assert "Algo ha fallado" in answer["said"]
        assert "link" in await page.ask("invite", once, table=table)
    assert "a page's invite failed" in caplog.text


@pytest.mark.parametrize(
    ("wrong", "word"), [(DatabaseBusy("busy"), "ocupada"), (DatabaseFull("full"), "disco")]
)
async def test_f11_what_the_database_lacks_is_said_also_by_the_page_itself(
    at, monkeypatch, wrong, word
):
    async def broken(*_):
        raise wrong

    host = await at.first()
    async with host.open() as page:
        table = (await page.type("/play niya"))["open"]
        monkeypatch.setattr(Guests, "invite", broken)
        assert word in (await page.ask("invite", table=table))["said"]


async def test_half_a_character_is_refused_in_a_sentence_and_the_page_lives(at):
    visitor = await at.first()
    async with visitor.open() as page:
        for kind, told in (
            ("call", {"line": "/play game=\ud800x"}),
            ("suggest", {"line": "\udfff"}),
            ("press", {"code": "\ud800", "message": "\udc00"}),
            ("name", {"name": "\ud83d"}),
        ):
            answer = await page.ask(kind, **told)
            assert not answer["good"]
            assert "carácter" in answer["said"]
        assert (await page.type("/play niya"))["open"]


@pytest.mark.slow
async def test_a_long_question_is_answered_soon_and_the_page_may_ask_on(at, monkeypatch):
    visitor = await at.first()
    async with visitor.open() as page:
        table = (await page.type("/play niya computer"))["open"]
        await page.board(table, lambda board: page.moves(table))
        thinks = thoughtful(at.facade, monkeypatch)
        long = await page.send("call", line="/pista", table=table)
        soon = await page.until(lambda message: message["kind"] == "soon")
        assert soon["id"] == long
        assert soon["said"] == "Un momento: lo estoy pensando."
        assert (await page.type("/ayuda"))["good"]
        assert not thinks.speaks.is_set()
        thinks.speaks.set()
        answer = await page.until(lambda message: message.get("id") == long)
        assert answer["kind"] == "answer"
        assert answer["good"]
        assert len(answer["said"]) > 25


@pytest.mark.slow
async def test_a_page_that_waits_is_told_again_and_again_how_far_it_is(at, monkeypatch):
    monkeypatch.setattr(message_formatting, "NOTICE_SECONDS", 0.02)
    host = await at.first()
    async with host.open() as page:
        table = (await page.type("/play niya opponent=computer level=1"))["open"]
        await page.board(table, lambda board: page.moves(table))
        thinks = thoughtful(at.facade, monkeypatch)
        long = await page.send("call", line="/pista", table=table)
        told = [(await page.until(lambda one: one["kind"] == "soon"))["said"] for _ in range(3)]
        assert told == ["Un momento: lo estoy pensando.", *["Sigo pensándolo."] * 2]
        assert (await page.type("/reglas niya"))["book"], "other things may be asked meanwhile"
        thinks.speaks.set()
        answer = await page.until(lambda one: (one["kind"], one.get("id")) == ("answer", long))
        assert answer["good"]
