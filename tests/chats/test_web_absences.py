"""On a page: an opponent who is gone elsewhere, and strangers whom both sides let in."""

import pytest

from bot.session.events import Absence
from tests.chats.pages import guest_of, seated
from tests.chats.test_web_lobby import stranger

PLAY_ON = "Que siga el ordenador"


async def test_a_page_tells_who_is_gone_and_lets_the_computer_play_on(at):
    host = await at.first()
    async with host.open() as page:
        table, guest = await seated(at, page)
        asker = (await guest_of(at, guest)).asker
        number = await at.facade.services.people.number(asker)
        await at.facade.services.unreachable_people.note(table, number, Absence.LEFT)

        def told(board):
            return any(PLAY_ON in str(row) for row in board["rows"])

        board = await page.board(table, told)
        assert "ya no está aquí" in str(board)
        answer = await page.press(table, page.button(table, PLAY_ON))
        assert answer["good"]
        await page.board(table, lambda board: not told(board))
        players = (await at.facade.services.tables.get(table)).players
        assert sum(one.level is not None for one in players) == 1


@pytest.mark.slow
async def test_two_who_want_strangers_find_each_other_on_their_pages(at):
    host = await at.first()
    async with host.open() as page:
        eva = await stranger(at, page)
        table = (await page.type("/play niya"))["open"]
        async with eva.open() as other:
            assert table not in str(await other.type("/unirse"))
            for visitor in (host, eva):
                people = at.facade.services.people
                number = await people.number((await guest_of(at, visitor)).asker)
                await people.choose(number, strangers=True)
            found = str(await other.type("/unirse"))
            assert "Sentarme: Niya con Nerea" in found
