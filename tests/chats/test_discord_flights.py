"""Answers and boards on their way to the same message: nobody is left without an answer."""

from __future__ import annotations

import asyncio

from bot.chats.discord.flights import Flights, Pulse
from bot.presenters.buttons import Action
from tests.chats.discord_messages import Failure, Shown
from tests.chats.discord_table import (  # noqa: F401
    ANA,
    BEA,
    Table,
    fake_fixture,
    table_fixture,
)

PICTURE, OTHER = "a.png", "b.png"


async def storill(at: Table) -> Shown:
    """A game whose moves are of two choices; the message that shows it."""
    wish = {"game": "storilljudhjorrayc", "opponent": BEA, "options": "setup=fixed"}
    asked = await at.fake.slash(ANA, "play", wish)
    await at.fake.until(lambda: asked.message.buttons)
    await at.fake.press(BEA, asked.message, asked.message.button("Aceptar")["custom_id"])
    await at.fake.until(lambda: asked.message.moves)
    await at.settle()
    return asked.message


def pieces(message: Shown) -> list[str]:
    """The codes that choose a piece, after which something is asked."""
    codes = [one["custom_id"] for one in message.moves]
    return [code for code in codes if code.startswith(f"{Action.MOVE}.") and "," not in code]


async def test_a_picture_is_kept_only_where_no_board_is_on_its_way():
    flights = Flights()
    assert flights.keeps(1, PICTURE)
    async with flights.board(1, OTHER):
        assert not flights.keeps(1, PICTURE)
        assert not flights.keeps(1, OTHER)
        assert flights.keeps(2, PICTURE)
    assert not flights.keeps(1, PICTURE)
    assert flights.keeps(1, OTHER)


async def test_nobody_knows_the_picture_after_a_board_that_may_not_have_arrived():
    flights = Flights()
    try:
        async with flights.board(1, OTHER):
            raise OSError
    except OSError:
        pass
    assert not flights.keeps(1, PICTURE)
    assert not flights.keeps(1, OTHER)


async def test_a_board_waits_for_the_answers_to_its_message():
    flights, order = Flights(), []

    async def board() -> None:
        async with flights.board(1, OTHER):
            order.append("board")

    with flights.answer(1):
        going = asyncio.create_task(board())
        await asyncio.sleep(0)
        order.append("answer")
    await going
    assert order == ["answer", "board"]


def test_the_farther_discord_is_the_sooner_an_answer_is_deferred():
    pulse = Pulse()
    assert pulse.patience(1.2) == 1.2
    pulse.slowest = 2.0
    assert 0 < pulse.patience(1.2) < 0.5


async def test_an_answer_that_names_a_picture_that_has_gone_is_given_again_with_it(at, monkeypatch):
    message = await storill(at)
    painted, real = asyncio.Event(), at.house.picture

    async def slow(scene):
        await painted.wait()
        return await real(scene)

    # The new picture comes too late, so that the answer leaves the one that is there.
    monkeypatch.setattr("bot.chats.discord.menus.PAINTING", 0.0)
    monkeypatch.setattr(at.house, "picture", slow)
    asyncio.get_running_loop().call_later(0.5, painted.set)
    uploads = at.fake.uploads
    at.fake.failing.append(Failure(r"/callback", 400, 50035, 1))
    asked = await at.fake.press(at.mover(message), message, pieces(message)[0])
    assert asked.type == 7
    assert at.fake.uploads == uploads + 1
    assert len(message.pictures) == 1


async def test_a_menu_that_a_newer_board_overtook_is_put_right(at):
    message = await storill(at)
    table = await at.table(message)
    mover = at.mover(message)
    other = BEA if mover is ANA else ANA
    real = at.house.press

    async def slow(press):
        answer = await real(press)
        # While the answer to the first choice is under way, a draw is offered.
        at.house.press = real
        await at.fake.slash(other, "draw", {"table": table.code})
        await at.settle()
        return answer

    at.house.press = slow
    await at.fake.press(mover, message, pieces(message)[0])
    await at.fake.until(lambda: any(b["label"] == "Retirar la oferta" for b in message.buttons))
    assert any(b["label"] == "Volver" for b in message.buttons)
