"""What takes long is promised at once, and told when it is known."""

from __future__ import annotations

import asyncio

import pytest

from bot.port import Card, Command, Promised, Said
from bot.service.computers.worker import Task
from tests.fakes import Desk, person
from tests.slow_thinking import thoughtful

NEREA, BRUNO = person("Nerea"), person("Bruno")


async def against_computer(at: Desk) -> str:
    await at.call(NEREA, "play", game="niya", opponent="ordenador", level="1")
    return list(at.chat.messages.values())[-1].screen.table


async def lost(at: Desk) -> str:
    """A game of Niya that Nerea gives up after its first move."""
    await at.call(NEREA, "play", game="niya", seats="2")
    code = list(at.chat.messages.values())[-1].screen.table
    await at.call(BRUNO, "join", table=code)
    table = await at.facade.services.tables.get(code)
    (seat,) = table.actors()
    who = NEREA if table.players[seat].name == "Nerea" else BRUNO
    move = table.game.notation.written(table.present, table.present.legal_moves(seat)[0])
    await at.call(who, "move", table=code, move=move)
    await at.surely(NEREA, "resign", table=code)
    return code


def asks(at: Desk, name: str, code: str, update: str = "u-asks"):
    return at.facade.requests.call(Command(update, at.where, NEREA, name, {"table": code}))


@pytest.mark.sampled
@pytest.mark.parametrize("name", ["hint", "odds"])
async def test_whoever_asks_for_much_hears_at_once_that_it_takes_longer(at, monkeypatch, name):
    code = await against_computer(at)
    thinks = thoughtful(at.facade, monkeypatch)
    answer = await asks(at, name, code)
    assert isinstance(answer, Promised)
    assert answer.said == "Un momento: lo estoy pensando."
    thinks.speaks.set()
    known = await answer.answer
    assert isinstance(known, Said)
    assert known.good
    assert len(known.said) > 25


async def test_what_is_refused_is_refused_at_once(at, monkeypatch):
    code = await lost(at)
    thinks = thoughtful(at.facade, monkeypatch)
    answer = await asks(at, "hint", code)
    assert isinstance(answer, Said)
    assert not answer.good
    assert not thinks.asked


@pytest.mark.slow
async def test_two_who_ask_for_the_same_review_are_promised_the_same(at, monkeypatch):
    code = await lost(at)
    thinks = thoughtful(at.facade, monkeypatch)
    promises = [await asks(at, "review", code, f"u-asks-{number}") for number in range(2)]
    assert all(isinstance(one, Promised) for one in promises)
    thinks.speaks.set()
    known = [await one.answer for one in promises]
    assert len(thinks.asked) == 1
    assert known[0] == known[1]
    assert isinstance(known[0], Card | Said)


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        (None, "Ahora mismo no sé decirte. Prueba dentro de un rato."),
        (RuntimeError("no worker of this world"), "Algo ha fallado por nuestra parte"),
    ],
)
async def test_what_nobody_could_tell_in_the_end_is_said_politely(at, monkeypatch, fault, said):
    code = await against_computer(at)
    thinks = thoughtful(at.facade, monkeypatch)

    async def nothing(_question):
        await thinks.speaks.wait()
        if fault:
            raise fault

    monkeypatch.setattr(at.facade.services.thinkers, "_ask", nothing)
    answer = await asks(at, "hint", code)
    thinks.speaks.set()
    known = await answer.answer
    assert not known.good
    assert known.said.startswith(said)


@pytest.mark.slow
async def test_whoever_does_not_wait_for_the_promise_does_not_end_the_review(at, monkeypatch):
    code = await lost(at)
    thinks = thoughtful(at.facade, monkeypatch)
    first = await asks(at, "review", code, "u-first")
    first.answer.cancel()
    await asyncio.gather(first.answer, return_exceptions=True)
    thinks.speaks.set()
    second = await asks(at, "review", code, "u-second")
    known = await second.answer if isinstance(second, Promised) else second
    assert isinstance(known, Card | Said)
    assert len(thinks.asked) == 1


@pytest.mark.slow
async def test_whoever_waits_for_a_review_is_told_how_long_it_may_take_and_how_far_it_is(
    at, monkeypatch
):
    code = await lost(at)
    thinks = thoughtful(at.facade, monkeypatch)
    promise = await asks(at, "review", code)
    assert promise.said == (
        "Un momento: estoy repasando la partida. Tarda de medio minuto a tres, o más si hay mucha "
        "gente. Mientras tanto puedes usar el tablero."
    )
    assert promise.waiting().startswith("El repaso de la partida espera su turno.")
    async with asyncio.timeout(10):
        while not thinks.asked:
            await asyncio.sleep(0.01)
    (question,) = thinks.asked
    at.facade.services.thinkers._along[question["seed"], Task.REVIEW] = 7, 40, ()
    assert promise.waiting() == "Sigo con el repaso: he mirado 7 de 40 jugadas."
    thinks.speaks.set()
    await promise.answer
    assert promise.waiting() == "Sigo pensándolo."
    later = await asks(at, "review", code, "u-later")
    assert later.said == "Un momento: lo estoy pensando.", "only its picture is still to be made"
    await later.answer


@pytest.mark.slow
async def test_what_else_takes_long_is_still_being_thought_about(at, monkeypatch):
    code = await against_computer(at)
    thinks = thoughtful(at.facade, monkeypatch)
    promise = await asks(at, "hint", code)
    assert promise.waiting() == "Sigo pensándolo."
    thinks.speaks.set()
    await promise.answer


@pytest.mark.parametrize("name", ["hint", "odds"])
@pytest.mark.parametrize("then", ["plays on", "takes back"])
async def test_what_was_asked_of_an_older_position_is_no_advice_for_the_present_one(
    at, monkeypatch, name, then
):
    code = await against_computer(at)

    async def play() -> None:
        table = await at.facade.services.tables.get(code)
        (seat,) = table.actors()
        move = table.game.notation.written(table.present, table.present.legal_moves(seat)[0])
        told = Command("u-plays", at.where, NEREA, "move", {"table": code, "move": move})
        assert (await at.facade.requests.call(told)).good

    if then == "takes back":
        await play()
        await at.facade.settled()
    thinks = thoughtful(at.facade, monkeypatch)
    answer = await asks(at, name, code)
    if then == "takes back":
        await at.call(NEREA, "undo", table=code)
    else:
        await play()
    thinks.speaks.set()
    known = await answer.answer
    assert not known.good
    assert known.said == "Mientras lo pensaba ha cambiado la partida."
    assert [button.label for row in known.leads.rows for button in row] == ["Otra vez"]
