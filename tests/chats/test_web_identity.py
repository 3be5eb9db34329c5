"""Who is known stays himself, whatever link he follows, and whatever browser he comes with."""

from __future__ import annotations

import re
from base64 import b64decode
from io import BytesIO

import pytest
import segno
from PIL import Image

from tests.chats.pages import Visitor, named, seated


async def link_to(page, game: str = "niya") -> tuple[str, str]:
    """A table of *game* that *page* opens, and a link to it."""
    table = (await page.type(f"/play {game}"))["open"]
    return table, (await page.ask("invite", table=table))["link"]


async def test_an_invitation_seats_whoever_follows_it_and_the_host_hears_who_came(at):
    host = await at.first()
    async with host.open() as page:
        table, link = await link_to(page)
        guest = Visitor(at)
        assert await guest.enter(link) == 200
        await named(guest, "Bruno")
        news = await page.until(lambda message: message["kind"] == "call")
        assert (news["table"], news["news"]) == (table, True)
        assert news["said"] == "Bruno ha venido con tu enlace."
        board = await page.board(table, lambda board: board["picture"] and not board["open"])
        assert "Bruno" in board["with"]


@pytest.mark.slow
async def test_where_all_seats_are_taken_he_looks_on(at):
    host = await at.first()
    async with host.open() as page:
        table, link = await link_to(page)
        came = {"Bruno": Visitor(at), "Eva": Visitor(at)}
        for visitor in came.values():
            assert await visitor.enter(link) == 200
            link = (await page.ask("invite", table=table))["link"]
        for name, visitor in came.items():
            await named(visitor, name)
        async with visitor.open() as third:
            board = await third.board(table, lambda board: board["picture"])
            assert not board["mine"]
            assert third.moves(table) == []


@pytest.mark.slow
async def test_whoever_is_known_is_asked_who_plays_and_may_be_himself(at):
    host = await at.first()
    async with host.open() as page:
        guest = await at.guest(page, (await link_to(page))[0])
        table, link = await link_to(page)
        path, address = guest.path, link.removeprefix(at.url)
        status, asked = await guest.get(f"{address}?on")
        assert status == 200
        assert "Bruno" in asked.decode()
        # Having been asked spends nothing.
        status, onward = await guest.get(f"{address}?as=me")
        assert status == 200
        assert f"{path}/t/{table}" in onward.decode()
        board = await page.board(table, lambda board: not board["open"])
        assert "Bruno" in board["with"]
        assert (await guest.get(f"{address}?as=me"))[0] == 410
        async with guest.open() as other:
            assert len(other.boards) == 2


async def test_somebody_else_at_the_same_browser_is_a_person_of_his_own(at):
    host = await at.first()
    async with host.open() as page:
        _, link = await link_to(page)
        known, home = host.path, host.home
        second = Visitor(at, host.path, host.cookie, host.home)
        assert await second.enter(f"{link}?as=other") == 200
        assert second.path != known
        assert second.home == home


async def test_an_address_that_is_only_looked_at_is_not_spent(at):
    host = await at.first()
    async with host.open() as page:
        _, link = await link_to(page)
        for _ in range(3):
            status, body = await Visitor(at).get(link.removeprefix(at.url))
            assert status == 200
            assert re.search(r'content="0;url=/i/', body.decode())
        assert await Visitor(at).enter(link) == 200


@pytest.mark.slow
async def test_a_way_back_opens_the_same_page_in_another_browser_once(at):
    host = await at.first()
    async with host.open() as page:
        table, _ = await link_to(page)
        old = (await page.ask("back"))["link"]
        link = (await page.ask("back"))["link"]
        elsewhere = Visitor(at)
        assert await elsewhere.enter(old) == 410
        assert await elsewhere.enter(link) == 200
        assert elsewhere.path == host.path
        assert elsewhere.cookie != host.cookie
        assert await Visitor(at).enter(link) == 410
        async with elsewhere.open() as same:
            assert table in same.boards
            assert same.state["name"] == "Nerea"
        # The first browser is as good as before.
        assert (await host.get(f"{host.path}/"))[0] == 200


async def test_a_link_comes_with_a_picture_that_a_camera_reads(at):
    host = await at.first()
    async with host.open() as page:
        table, _ = await link_to(page)
        answer = await page.ask("invite", table=table)
    kind, _, data = answer["seen"]["picture"].partition(",")
    assert kind == "data:image/png;base64"
    assert read_qr(b64decode(data)) == segno.make(answer["link"], error="m", micro=False).matrix


async def test_a_table_that_waits_has_one_link_until_that_is_spent(at):
    host = await at.first()
    async with host.open() as page:
        table, link = await link_to(page)
        assert (await page.ask("invite", table=table))["link"] == link
        assert await Visitor(at).enter(link) == 200
        other = (await page.ask("invite", table=table))["link"]
    assert await Visitor(at).enter(link) == 410
    assert await Visitor(at).enter(other) == 200


async def test_one_link_lets_in_as_many_as_there_are_free_seats(at):
    host = await at.first()
    async with host.open() as page:
        _, link = await link_to(page, "parchis seats=4")
        came = [await Visitor(at).enter(link) for _ in range(4)]
    assert came == [200, 200, 200, 410]


@pytest.mark.slow
async def test_a_link_that_opens_on_this_machine_only_comes_with_a_note_that_says_so(at):
    host = await at.first()
    async with host.open() as page:
        table, _ = await link_to(page)
        for kind in ("invite", "back"):
            note = (await page.ask(kind, table=table))["note"]
            assert note == "De momento, este enlace solo se abre en este ordenador."
        await page.type("/language en")
        assert (await page.ask("back"))["note"].startswith("For now, this link")


@pytest.mark.sampled
@pytest.mark.parametrize(
    "reached", [{"public": "https://play.example.org"}, {"home": "192.168.1.20"}], ids=str
)
async def test_a_link_that_opens_elsewhere_comes_without_a_note(at, monkeypatch, reached):
    host = await at.first()
    async with host.open() as page:
        table, _ = await link_to(page)
        for name, value in reached.items():
            monkeypatch.setattr(at.chat._origins, name, value)
        answer = await page.ask("invite", table=table)
        assert next(iter(reached.values())) in answer["link"]
        assert "note" not in answer


def read_qr(png: bytes) -> tuple[bytearray, ...]:
    """The dark and light fields of the code on a picture, without its margin."""
    image = Image.open(BytesIO(png)).convert("L")
    fields = range(4, image.width - 4)
    return tuple(bytearray(image.getpixel((x, y)) < 128 for x in fields) for y in fields)


async def test_a_wrong_way_back_is_none(at):
    host = await at.first()
    for link in (f"/b/{host.path[3:]}-{'A' * 32}", f"/b/{'0' * 32}-{'A' * 32}"):
        assert await Visitor(at).enter(f"{at.url}{link}") == 410


async def test_whoever_takes_another_name_is_called_by_it_at_the_boards_of_others_at_once(at):
    host = await at.first()
    async with host.open() as page:
        table, guest = await seated(at, page)
        async with guest.open() as other:
            assert (await other.ask("name", name="Bruna"))["good"]
            await page.board(table, lambda board: board["with"].endswith("Bruna"))
