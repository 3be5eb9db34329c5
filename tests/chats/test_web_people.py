"""The pages of people: for whoever is signed in, with what club rules let them see."""

from __future__ import annotations

import re
from base64 import b64decode
from io import BytesIO

import pytest
from PIL import Image

from bot.chats.web.person.ladder_and_profile_pages import HIGH, WIDE, curve_points
from bot.commands import standing
from bot.port import Asker, Where
from bot.session.preferences import Personal, PlaceRules
from render.kit.palettes import rgb
from render.medals import METALS
from storage.bot_settings import list_settings
from storage.club.medals import give_medals
from storage.person.people import RENAMED
from storage.records import MedalRow
from tests import plain_pictures
from tests.chats.pages import Visitor, guest_of, named
from tests.fakes import Desk, FakeChat
from tests.standing.simulated import Hall


class People:
    """Guests of a page and others, who have played rated games in a group."""

    def __init__(self, at) -> None:
        self.at, self.hall = at, Hall(Desk(at.facade, FakeChat()))

    async def meet(self) -> None:
        self.visitor = await self.at.first("Nerea")
        guest = await guest_of(self.at, self.visitor)
        people = self.at.facade.services.people
        self.me = (await people.of(guest.asker)).id
        ids = [one.id for one in await self.hall.invite(2)]
        self.seen, self.shy = ids
        await self.choose(self.seen, Personal(seen_everywhere=True))
        self.table = await self.game(self.me, self.seen)
        self.hidden = await self.game(self.seen, self.shy)

    async def choose(self, person: int, chosen: Personal) -> None:
        services = self.at.facade.services
        await services.people.choose(person, lambda _: chosen)
        await services.ratings.show(person, chosen)

    async def game(self, winner: int, loser: int) -> str:
        table = await self.hall.seat("niya", (winner, loser))
        ended = await self.hall.end(table, [[winner], [loser]])
        return ended.code

    async def address(self, person: int) -> str:
        """Below a guest's page, that of *person*."""
        pages = self.at.facade.pages.people_pages
        return f"people/{(await pages.words_of([person]))[person]}"

    async def get(self, path: str) -> tuple[int, str]:
        status, body = await self.visitor.get(f"{self.visitor.path}/sheets/{path}")
        return status, body.decode()


@pytest.fixture
async def people(at):
    found = People(at)
    await found.meet()
    return found


async def test_the_ladder_has_whoever_may_be_seen_in_all_places_and_oneself(people):
    status, body = await people.get("people/niya")
    assert body.startswith('<div lang="es"><h2>'), "a part of a screen, in its language"
    assert status == 200
    assert "Person 0" in body
    assert "Person 1" not in body
    assert '<tr class="own">' in body
    assert "Nerea" in body
    await people.choose(people.seen, Personal(seen_everywhere=True, off_ladders=True))
    assert "Person 0" not in (await people.get("people/niya"))[1]


@pytest.mark.slow
async def test_a_person_has_curves_and_games_that_lead_to_their_tables(people):
    status, body = await people.get(await people.address(people.me))
    assert status == 200
    assert body.count('<svg class="curve"') == 1
    assert "Medalla: Primera victoria · bronce, " in body
    assert re.findall(r'href="t/(\w+)"', body) == [people.table]


@pytest.mark.slow
async def test_of_others_only_what_they_have_chosen_and_games_in_which_all_may_be_seen(people):
    status, body = await people.get(await people.address(people.seen))
    assert (status, "Person 0" in body) == (200, True)
    assert re.findall(r'href="t/(\w+)"', body) == [people.table], "not the one with Person 1"
    for nobody in (people.shy, 99999):
        status, body = await people.get(await people.address(nobody))
        assert (status, "Person 1" in body) == (404, False)
    await people.choose(people.shy, Personal(seen_everywhere=True))
    body = (await people.get(await people.address(people.seen)))[1]
    assert sorted(re.findall(r'href="t/(\w+)"', body)) == sorted([people.table, people.hidden])
    await people.at.facade.operator.forget(people.seen)
    assert (await people.get(await people.address(people.seen)))[0] == 404


@pytest.mark.slow
@pytest.mark.parametrize("known", [True, False])
async def test_from_play_to_the_ladder_on_the_page_for_whom_a_chat_knows(at, known):
    host = await at.first()
    async with host.open() as page:
        table = (await page.type("/play niya rated=yes"))["open"]
        guest = Visitor(at)
        assert await guest.enter((await page.ask("invite", table=table))["link"]) == 200
        if known:
            asker = (await guest_of(at, guest)).asker
            await at.facade.requests.join(Asker("discord", "1", "Bruno"), asker)
        await named(guest, "Bruno")
        async with guest.open() as other:
            await page.board(table, lambda board: not board["open"])
            for _ in range(16):
                boards = [await one.board(table) for one in (page, other)]
                if boards[0]["over"]:
                    break
                mover, version = other if boards[1]["mine"] else page, boards[0]["version"]
                await mover.press(table, mover.moves(table)[0])
                for one in (page, other):
                    await one.board(table, lambda board, old=version: board["version"] > old)
            board = await page.board(table, lambda board: board["over"])
            told = " ".join(board["lines"])
            assert len(re.findall(r"\d{4}\? \([+−]\d+\)", told)) == (2 if known else 0), told
    status, body = await host.get(f"{host.path}/sheets/people/niya")
    assert (status, b'<tr class="own">' in body) == (200, known)


async def feed(visitor: Visitor) -> tuple[list[str], str]:
    """Where what happened in the house leads, and all that is told of it."""
    status, data = await visitor.get(f"{visitor.path}/sheets/people")
    assert status == 200
    part = data.decode().partition('<ul class="played feed">')[2].partition("</ul>")[0]
    return re.findall(r'href="(?:t/)?([^"]+)"', part), part


async def test_the_house_hears_of_medals_of_puzzles_of_those_who_may_be_seen_alone(people):
    services = people.at.facade.services
    at = services.clock.now()
    given = [
        MedalRow(people.seen, "puzzles", "", at, None, {}),
        MedalRow(people.shy, "week", "", at, None, {}),
        MedalRow(people.me, "course", "niya", at, None, {}),
        MedalRow(people.seen, "champion", "", at, None, {"where": [["fake", "group"]]}),
    ]
    await services.store.write(give_medals, given)
    eva = await people.at.guest_of_house("Eva")

    async def told(visitor: Visitor) -> list[str]:
        found, body = await feed(visitor)
        names = re.findall(r"<span>(\S+ ?\d?) gana una medalla: ([^.<]+)\.<", body)
        assert len(names) == sum(one.startswith("people/") for one in found)
        return sorted(f"{who}: {medal}" for who, medal in names)

    seen = "Person 0: Diez problemas"
    assert await told(eva) == [seen], "neither who is shy nor what a group keeps to itself"
    assert await told(people.visitor) == ["Nerea: Curso completo", seen], "one's own, too"
    await services.places.choose(Where("fake", "group"), lambda _: PlaceRules(strangers=True))
    assert len(await told(eva)) == 2
    for hidden in (
        Personal(seen_everywhere=True, off_ladders=True),
        Personal(seen_everywhere=True, refused=(await person_of(people, eva),)),
        Personal(),
    ):
        await people.choose(people.seen, hidden)
        assert await told(eva) == []
    await people.choose(people.seen, Personal(seen_everywhere=True))
    (path,) = {one for one in (await feed(eva))[0] if one.startswith("people/")}
    assert (await eva.get(f"{eva.path}/sheets/{path}"))[0] == 200
    await people.at.facade.operator.forget(people.seen)
    assert await told(eva) == []


async def person_of(people, visitor: Visitor) -> int:
    asker = (await guest_of(people.at, visitor)).asker
    return (await people.at.facade.services.people.of(asker)).id


@pytest.mark.slow
async def test_the_house_hears_of_finished_games_and_medals_that_may_be_seen_alone(people):
    await people.choose(people.me, Personal(seen_everywhere=True))
    eva = await people.at.guest_of_house("Eva")
    tables, body = await feed(people.visitor)
    assert tables == ["puzzle/today", people.table], "not the one of somebody who is not seen"
    assert "Nerea" in body
    assert "Primera victoria" in body
    assert (await feed(eva))[0] == ["puzzle/today"], "the group keeps to itself"
    places = people.at.facade.services.places
    await places.choose(Where("fake", "group"), lambda _: PlaceRules(strangers=True))
    assert (await feed(eva))[0] == ["puzzle/today", people.table]
    await people.choose(people.shy, Personal(seen_everywhere=True))
    assert (await feed(eva))[0] == ["puzzle/today", people.hidden, people.table]
    await people.choose(people.seen, Personal())
    assert (await feed(eva))[0] == ["puzzle/today"]
    assert (await feed(people.visitor))[0] == ["puzzle/today", people.table], "one's own stays"
    await people.at.facade.operator.forget(people.seen)
    assert "Person 0" not in (await feed(people.visitor))[1]
    assert "feed" not in (await people.get("people/niya"))[1]


async def test_an_empty_ladder_has_one_key_that_leads_to_its_game(people):
    _, body = await people.get("people/shogi")
    assert re.findall(r'class="key good" href="([^"]+)">([^<]+)<', body) == [
        ("play/shogi", "Jugar a Shogi")
    ]
    assert "key good" not in (await people.get("people/niya"))[1]


@pytest.mark.parametrize(("theme", "dark"), [("light", False), ("dark", True)])
async def test_curves_and_tables_are_painted_in_the_theme_of_the_page(
    people, monkeypatch, theme, dark
):
    drawn = plain_pictures.DRAWN[standing, "rank_card_picture"]
    monkeypatch.setattr(standing, "rank_card_picture", drawn)
    async with people.visitor.open(theme=theme) as page:
        card = (await page.type("/profile"))["card"]
        _, data = await people.visitor.get(f"{people.visitor.path}/{card['picture']}")
        corner = Image.open(BytesIO(data)).convert("L").getpixel((0, 690))
        assert (corner < 128) is dark


async def test_nobody_else_sees_anything(people, at):
    for path in ("people", await people.address(people.seen)):
        async with at.http.get(f"{at.url}{people.visitor.path}/sheets/{path}") as response:
            assert response.status == 401, path


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    "asked", ["", "/nothing", "/niya/999999", "/niya/month/7", "/month", "/shogi", "/shogi/0"]
)
async def test_whatever_is_asked_answers_with_a_ladder(people, asked):
    status, body = await people.get(f"people{asked}")
    assert (status, "<script" in body) == (200, False)


async def test_names_are_text(people):
    name = '<b onclick="x">&"</b>'
    await people.at.facade.services.people.of(Asker("fake", "id-0", name, "es"))
    for path in ("people/niya", await people.address(people.seen)):
        body = (await people.get(path))[1]
        assert "<b onclick" not in body
        assert "&lt;b onclick" in body


def test_a_curve_stays_within_its_box():
    for course in ((1500,), (1500, 1500), tuple(range(1400, 1700, 3)), (1500, 1510)):
        points = curve_points(course)
        assert len(points) == len(course)
        for x, y in points:
            assert 0 <= x <= WIDE
            assert 0 <= y <= HIGH
    assert curve_points(()) == []


def near(pixel, colour) -> bool:
    return pixel[3] == 255 and max(map(abs, map(int.__sub__, pixel, colour))) < 9


METAL_WORDS = {"gold": "oro", "silver": "plata", "bronze": "bronce"}


@pytest.mark.slow
async def test_each_medal_has_its_mark_beside_its_words(people):
    body = (await people.get(await people.address(people.me)))[1]
    (given,) = re.findall(r'<ul class="medals">(.*?)</ul>', body)
    rows = re.findall(r'<li><img [^>]*base64,([^"]+)"><span>(.*?)</span></li>', given)
    assert rows, given
    for data, words in rows:
        shown = Image.open(BytesIO(b64decode(data))).convert("RGBA")
        assert shown.getpixel((0, 0))[3] == 0, "the page's own ground is around it"
        (metal,) = [one for one, said in METAL_WORDS.items() if said in words]
        of = {
            one: sum(near(pixel, rgb(inks[1])) for pixel in shown.get_flattened_data())
            for one, inks in METALS.items()
        }
        assert max(of, key=of.get) == metal


async def test_who_is_banned_is_on_no_page_and_back_when_let_in(people):
    facade = people.at.facade
    for banned in (True, False):
        await (facade.operator.ban if banned else facade.operator.unban)("fake", "id-0")
        assert ("Person 0" in (await people.get("people/niya"))[1]) is not banned
        status, _ = await people.get(await people.address(people.seen))
        assert status == (404 if banned else 200)


async def test_no_address_tells_how_many_people_there_are(people):
    words = [await people.address(number) for number in range(1, 60)]
    assert len(set(words)) == 59
    assert not [one for one in words if re.search(r"/0{6}|/\d{1,9}$", one)]
    body = (await people.get("people/niya"))[1]
    assert await people.address(people.me) in body
    for nobody in (f"people/{people.me}", f"people/{'f' * 32}", f"people/{'0' * 32}"):
        assert (await people.get(nobody))[0] == 404
    assert (await people.get(await people.address(people.me)))[0] == 200


async def test_the_address_of_a_person_ends_with_their_name(people):
    before = await people.address(people.me)
    assert (await people.get(before))[0] == 200
    async with people.visitor.open() as page:
        assert (await page.ask("name", name="Otra"))["good"]
    unknown = await people.get(f"people/{'0' * 32}")
    assert await people.get(before) == unknown, "a renamed person is as nobody there"
    after = await people.address(people.me)
    assert (await people.get(after))[0] == 200
    people.at.facade.services.people._given_up.clear()  # an hour later
    async with people.visitor.open() as page:
        assert (await page.ask("name", name="Nerea"))["good"]
    for ended in (before, after):
        assert await people.get(ended) == unknown, "their old name brings no address back"
    assert (await people.get(await people.address(people.me)))[0] == 200


async def test_the_address_of_a_person_ends_with_them(people):
    before = await people.address(people.seen)
    assert (await people.get(before))[0] == 200
    known = people.at.facade.services.people
    (it,) = await known.identities(people.seen)
    await known.of(Asker(it.platform, it.external, "Otra", "es"))
    renamed = await people.address(people.seen)
    await people.at.facade.operator.forget(people.seen)
    again = await known.of(Asker(it.platform, it.external, "Person 0", "es"))
    await people.choose(again.id, Personal(seen_everywhere=True))
    unknown = await people.get(f"people/{'0' * 32}")
    for ended in (before, renamed, await people.address(people.seen)):
        assert await people.get(ended) == unknown
    async with people.at.facade.store.reading() as tx:
        assert await list_settings(tx, RENAMED) == {}


async def test_the_address_of_who_has_become_another_ends(people):
    before = await people.address(people.shy)
    await people.choose(people.shy, Personal(seen_everywhere=True))
    assert (await people.get(before))[0] == 200
    async with people.at.facade.store.transaction() as tx:
        await people.at.facade.services.people.join(tx, people.seen, people.shy)
    assert (await people.get(before))[0] == 404
