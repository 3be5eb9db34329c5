"""The front door: what a house shows to whoever has no page there, and what it never shows."""

from __future__ import annotations

import re
from html import unescape
from io import BytesIO
from urllib.parse import unquote

import pytest
from PIL import Image, ImageChops, ImageStat

from bot.chats.web import DoorKeys
from bot.chats.web.doors.doors import WAYS
from bot.session.daily_calendar import daily_exercise
from bot.texts import language
from games.core import phrase
from games.core.recognition import read_file
from games.core.school import answered, right
from games.core.shelf import shelf
from tests.chats.pages import Page, Server, Visitor, guest_of, seated, server
from tests.tools.door_films import frames, shipped_game
from tests.tools.door_posters import SHIPPED, SIZE, door_poster

NAMED = {one: language("es").say(phrase(f"{one}.name")) for one in shelf()}
"""The games, as people of Spain call them."""

MOST_OF_POSTER = 20_000
MOST_OF_FILM = 120_000
MOST_TO_PLAY = 100_000


@pytest.fixture
async def opened(tmp_path):
    async with server(tmp_path, doors=DoorKeys(open_house=True)) as at:
        yield at


async def door(at: Server, path: str = "/") -> str:
    status, body = await Visitor(at).get(path, **{"Accept-Language": "es"})
    assert status == 200
    return unescape(body.decode())


def presses(body: str) -> dict[str, str]:
    """What can be pressed in the puzzle, by its step."""
    found = re.findall(r'href="(/\?press=[^"]+)"', body)
    return {unquote(one).split(".")[3].split(",")[-1]: one for one in found}


async def see(at: Server, *visitors: Visitor, seen: bool = True) -> None:
    people = at.facade.pages.people
    for one in visitors:
        person = await people.of((await guest_of(at, one)).asker)
        await people.choose(person.id, seen_everywhere=seen)


# ---------------------------------------------------------------- for everybody


async def test_a_stranger_finds_a_page_with_title_description_and_preview(at):
    body = await door(at)
    for wanted in ("<title>", 'name="description"', 'property="og:image"', 'rel="manifest"'):
        assert wanted in body
    assert "<script" not in body, "nothing here needs a script"
    status, robots = await Visitor(at).get("/robots.txt")
    assert (status, b"Allow: /$" in robots) == (200, True)
    names = {name.replace("Ð", "ð") for name in re.findall(r"<b>([^<]+)</b><span>", body)}
    assert len(names) == len(shelf())


async def test_the_puzzle_of_today_is_played_without_a_script_or_an_account(at):
    front = at.facade.pages.lobby
    day = front.clock.now().toordinal()
    exercise = daily_exercise("", day, await front.collection.by_game())
    game, known = exercise.game, exercise.resumed(0)
    for move in list(known.position.legal_moves(known.seat))[:8]:
        first, *others = game.menus.steps(known.position, move)
        body = await door(at, presses(await door(at))[first])
        for step in others:
            body = await door(at, presses(body)[step])
        verdict = re.search(r'<p role="status" class="(\w*)">([^<]*)', body)
        is_right = right(game, known, move) is not None
        assert verdict[1] == ("good" if is_right else "bad")
        if is_right and answered(game, known, move).is_solved:
            assert verdict[2] == "¡Resuelto!"
    assert presses(await door(at, "/?press=K.0000.0.x.aaaaaa")) == presses(await door(at))


async def test_what_is_needed_to_play_the_puzzle_is_small(at):
    total = len((await Visitor(at).get("/"))[1])
    for path in ("/door/board/light.webp", "/static/icon.svg"):
        status, data = await Visitor(at).get(path)
        assert status == 200
        total += len(data)
    assert total < MOST_TO_PLAY


def test_posters_are_shipped_small_and_as_they_are_painted():
    for game in shelf():
        data = (SHIPPED / f"poster-{game}.webp").read_bytes()
        assert len(data) < MOST_OF_POSTER
        with Image.open(BytesIO(data)) as shown:
            assert shown.size == SIZE
            gap = ImageChops.difference(shown.convert("RGB"), door_poster(game))
            assert max(ImageStat.Stat(gap).mean) < 8, f"{game}: python -m tests.tools.door_posters"


# ---------------------------------------------------------------- where nobody is


@pytest.mark.sampled(2)
@pytest.mark.parametrize("game", shelf())
def test_a_finished_game_is_shipped_with_the_film_that_its_record_makes(game):
    table = shipped_game(game)
    assert table.outcome is not None
    assert table.outcome.winner is not None
    data = (SHIPPED / f"film-{game}.webp").read_bytes()
    assert len(data) < MOST_OF_FILM
    with Image.open(BytesIO(data)) as film:
        painted = list(frames(game))
        assert film.n_frames == len(painted)
        for at in (0, len(painted) // 2, len(painted) - 1):
            film.seek(at)
            # Of colours such a file keeps a quarter of the pixels.
            gap = ImageChops.difference(film.convert("L"), painted[at][0].convert("L"))
            assert max(ImageStat.Stat(gap).mean) < 6, f"{game}: python -m tests.tools.door_films"


async def test_where_nobody_plays_a_finished_game_plays_itself_and_can_be_stopped(opened):
    front = opened.facade.pages.lobby
    day = front.clock.now().toordinal()
    game = daily_exercise("", day, await front.collection.by_game()).game.key
    body = await door(opened)
    (film,) = re.findall(rf'<img src="(/static/\w+/film-{game}.webp)"', body)
    status, data = await Visitor(opened).get(film)
    assert (status, data[8:12]) == (200, b"WEBP")
    assert "prefers-reduced-motion: reduce" in body
    (record,) = re.findall(rf'href="(/static/\w+/game-{game}.txt)"', body)
    status, text = await Visitor(opened).get(record)
    assert read_file(text.decode(), shelf()).game.key == game
    assert "film-" not in await door(opened, "/?stop")
    # Whoever wants nothing to move has asked for it all the same.
    asked = await door(opened, "/?play")
    assert film in asked
    assert 'prefers-reduced-motion: reduce)" srcset' not in asked
    host = await opened.first("Nerea")
    async with host.open() as page:
        _, guest = await seated(opened, page)
        await see(opened, host, guest)
        assert "film-" not in await door(opened), "a living game comes first"


@pytest.mark.parametrize("game", [*shelf(), "chess"])
async def test_the_keys_of_the_door_say_which_game_they_begin_and_another_can_be_chosen(
    opened, game
):
    body = await door(opened, f"/?game={game}")
    begun = {*re.findall(r"to=now/\w+/(\w+)", body), *re.findall(r"to=play/(\w+)/\d", body)}
    (chosen,) = re.findall(r'href="/\?game=(\w+)" aria-current', body)
    assert begun == {chosen}
    assert chosen == game or game not in shelf()
    assert len(re.findall(rf"<h[23]>(?:Jugar ya|Con el ordenador) · {NAMED[chosen]}<", body)) == 2


async def test_the_door_and_the_rules_come_packed_to_whoever_takes_that(opened):
    for path in ("/", "/rules", "/rules/shogi"):
        came = {}
        for coding in ("gzip", "identity"):
            headers = {"Accept-Encoding": coding}
            async with opened.http.get(f"{opened.url}{path}", headers=headers) as response:
                came[coding] = await response.text()
                assert response.headers.get("Content-Encoding", "identity") == coding
        assert came["gzip"] == came["identity"]


async def test_no_list_is_empty_without_a_key_that_fills_it(opened):
    keys = re.findall(r'href="/door/guest\?to=([^"]+)"', await door(opened))
    assert {one.partition("/")[0] for one in keys} == {"now", "play"}
    levels = {one.rpartition("/")[2] for one in keys if one.count("/") == 2 and one[:4] == "play"}
    assert len(levels) == 3
    assert sum("now/notify" in one for one in keys) == 1


# ---------------------------------------------------------------- who sees what


async def listed(page: Page, game: str = "cirya") -> str:
    table = (await page.type(f"/play {game}"))["open"]
    await page.ask("list", table=table, code="on")
    return str(table)


async def test_a_closed_house_is_shown_without_its_people(at):
    host = await at.first("Nerea")
    async with host.open() as page:
        table = await listed(page)
        playing, guest = await seated(at, page)
        await see(at, host, guest)
        body = await door(at)
        assert not {one for one in (table, playing, "Nerea", "Bruno") if one in body}
        assert "/door/guest" not in body


async def test_an_open_house_shows_who_waits_until_they_do_not(opened):
    host = await opened.first("Nerea")
    async with host.open() as page:
        table = await listed(page)
        later, body = await listed(page), await door(opened)
        assert f"/door/guest?to=t/{later}" in body
        assert f"/door/guest?to=t/{table}" in body
        await page.ask("list", table=later)
        assert "sin reloj · amistosa" in body
        await page.ask("list", table=table)
        body = await door(opened)
        assert table not in body, "it is gone at once"


async def test_a_game_is_shown_to_strangers_only_where_all_who_play_let_them(opened):
    host = await opened.first("Nerea")
    async with host.open() as page:
        table, guest = await seated(opened, page)
        picture = f"/door/table/{table}/light.webp"
        unknown = await Visitor(opened).get("/door/table/ZZZZZZ/light.webp")
        await see(opened, host)
        assert table not in await door(opened)
        assert await Visitor(opened).get(picture) == unknown
        shut, none = await door(opened, f"/g/{table}/1"), await door(opened, "/g/ZZZZZZ/1")
        assert shut == none, "a closed code is answered like an unknown one"
        await see(opened, guest)
        body = await door(opened)
        assert f"/door/guest?to=t/{table}" in body
        status, data = await Visitor(opened).get(picture)
        assert (status, data[8:12]) == (200, b"WEBP")
        assert picture in await door(opened, f"/g/{table}/1")
        await see(opened, guest, seen=False)
        assert table not in await door(opened)
        assert await Visitor(opened).get(picture) == unknown


@pytest.mark.usefixtures("strangers_pay", "nobody_is_held")
async def test_who_tries_codes_is_charged(opened):
    opened.chat._server.budget.clock = lambda: 0.0
    tried = [(await Visitor(opened).get(f"/g/ZZZZ{n:02}/1"))[0] for n in range(80)]
    assert tried[0] == 200
    assert tried[-1] == 429


# ---------------------------------------------------------------- coming in by a key


async def by_key(at: Server, to: str, name: str) -> tuple[Visitor, str]:
    """A newcomer who has pressed the key that leads *to* somewhere, and where that is."""
    visitor = Visitor(at)
    async with at.http.get(f"{at.url}/door/guest?on&to={to}") as response:
        for header in response.headers.getall("Set-Cookie", []):
            pair, *flags = header.split("; ")
            path = next(flag[5:] for flag in flags if flag.startswith("Path="))
            if path == "/":
                visitor.home = pair
            else:
                visitor.path, visitor.cookie = path, pair
        body = await response.text()
    return visitor, re.search(r'content="0;url=([^"]+)"', body)[1]


@pytest.mark.parametrize("game", shelf())
async def test_the_name_is_asked_on_the_key_that_needs_it_and_then_one_sits(opened, game):
    host = await opened.first("Nerea")
    async with host.open() as page:
        table = await listed(page, game)
        visitor, to = await by_key(opened, f"t/{table}", "Eva")
        assert to == f"{visitor.path}/t/{table}"
        async with visitor.open() as other:
            assert (await other.ask("name", name="Eva"))["good"]
            assert not (await other.board(table))["watches"]


@pytest.mark.parametrize("game", shelf())
async def test_a_game_with_the_computer_begins_with_the_name(opened, game):
    level = shelf()[game].computer.levels
    visitor, to = await by_key(opened, f"play/{game}/{level}", "Eva")
    assert to == f"{visitor.path}/"
    async with visitor.open() as page:
        assert (await page.ask("name", name="Eva"))["good"]
        await page.ask("hello", theme="light", language="es")
        (board,) = page.boards.values()
        assert (board["game"], board["open"], board["over"]) == (game, False, False)
        table = await opened.facade.services.tables.get(board["table"])
        assert {one.level for one in table.players if one.level} == {level}


async def test_a_level_that_no_computer_has_begins_no_game(opened):
    visitor, _ = await by_key(opened, "play/niya/99", "Eva")
    async with visitor.open() as page:
        assert (await page.ask("name", name="Eva"))["good"]
        await page.ask("hello", theme="light", language="es")
        assert page.boards == {}


async def test_every_key_of_the_door_leads_somewhere(opened):
    host = await opened.first("Nerea")
    async with host.open() as page:
        await listed(page)
        keys = re.findall(r'href="/door/guest\?to=([^"]+)"', await door(opened))
    assert len(keys) > len(shelf()) + 3
    assert [one for one in map(unquote, keys) if not WAYS.fullmatch(one)] == []


async def test_a_demo_plays_every_game_and_asks_for_no_name(tmp_path):
    async with server(tmp_path, doors=DoorKeys(open_house=True, demo=True)) as at:
        body = await door(at)
        assert {f"film-{game}.webp" for game in shelf()} <= set(re.findall(r"film-\w+\.webp", body))
        assert "guest?to=now/" not in body
        visitor, to = await by_key(at, "play/niya/1", "")
        async with visitor.open() as page:
            (board,) = page.boards.values()
            assert board["game"] == "niya"
            assert to == f"{visitor.path}/t/{board['table']}"


@pytest.mark.parametrize("to", ["https://evil.example", "//evil.example", "t/../x", "play/niya/0"])
async def test_a_key_leads_nowhere_but_below_ones_own_page(opened, to):
    visitor, address = await by_key(opened, to, "Eva")
    assert address == f"{visitor.path}/"


@pytest.mark.usefixtures("strangers_pay", "nobody_is_held")
async def test_who_asks_for_the_door_again_and_again_is_refused(opened):
    opened.chat._server.budget.clock = lambda: 0.0
    asked = [(await Visitor(opened).get("/"))[0] for _ in range(180)]
    assert asked[0] == 200
    assert asked[-1] == 429
