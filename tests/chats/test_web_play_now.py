"""Play now: at a tempo whoever waits longest is taken, by a key of the door and of the page."""

from __future__ import annotations

from datetime import timedelta

import pytest

from bot.chats.web import DoorKeys
from bot.presenters.table.composer import Composer
from bot.presenters.table.film import reel_of, turning_point
from bot.presenters.table.viewers import Viewer
from bot.session.table import OPEN, PLAYING, Table
from tests.chats.pages import Json, Page, Server, Visitor, guest_of, server
from tests.chats.test_web_front_door import by_key, door
from tests.tools.door_films import shipped_game


@pytest.fixture
async def opened(tmp_path):
    async with server(tmp_path, doors=DoorKeys(open_house=True)) as at:
        yield at


async def comes(at: Server, to: str, name: str) -> tuple[Visitor, str]:
    """A newcomer by the key that leads *to* a tempo, and the table where they sit."""
    visitor, address = await by_key(at, to, name)
    assert address == f"{visitor.path}/"
    async with visitor.open() as page:
        assert (await page.ask("name", name=name))["good"]
        await page.ask("hello", theme="light", language="es")
        (table,) = page.boards
    return visitor, table


async def member(at: Server, name: str) -> Visitor:
    visitor, _ = await by_key(at, "puzzle/today", name)
    async with visitor.open() as page:
        assert (await page.ask("name", name=name))["good"]
    return visitor


async def table_of(at: Server, code: str) -> Table:
    return await at.facade.services.tables.get(code)


def names(table: Table) -> set[str]:
    return {one.name for one in table.players if one.person}


async def test_strangers_at_the_same_tempo_play_with_each_other(opened):
    _, table = await comes(opened, "now/quick/niya", "Eva")
    waiting = await table_of(opened, table)
    assert (waiting.status, waiting.control, waiting.rated) == (OPEN, "5m+5s", False)
    assert "espera Eva" in await door(opened)
    _, other = await comes(opened, "now/calm/niya", "Max")
    assert other != table, "another tempo"
    _, same = await comes(opened, "now/quick/shogi", "Ana")
    assert same == table, "whoever waits is taken, whatever they wait for"
    assert names(await table_of(opened, table)) == {"Eva", "Ana"}
    assert "espera Eva" not in await door(opened)


async def test_whoever_waits_longest_is_taken(opened):
    _, first = await comes(opened, "now/quick/niya", "Eva")
    max_, _ = await by_key(opened, "puzzle/today", "Max")
    async with max_.open() as page:
        assert (await page.ask("name", name="Max"))["good"]
        await page.type("/play cirya ya 5m+5s")
    assert (await comes(opened, "now/quick/niya", "Ana"))[1] == first


async def now(page: Page, code: str = "quick", **told: str) -> str:
    return str((await page.ask("now", code=code, **told))["open"])


async def test_who_presses_twice_waits_at_one_table(opened):
    eva = await member(opened, "Eva")
    async with eva.open() as page:
        table = await now(page)
        assert await now(page) == table
        assert list(page.boards) == [table]


async def test_a_press_that_is_sent_again_sits_down_once(opened):
    _, first = await comes(opened, "now/quick/niya", "Eva")
    _, second = await comes(opened, "now/calm/niya", "Max")
    ana, update = await member(opened, "Ana"), "6ff19690-3d3c-4f1a-a3b5-6b8b7d1b9c11"
    async with ana.open() as page:
        assert (await page.ask("now", update, code="quick"))["good"]
        await page.ask("now", update, code="calm")
        await page.ask("hello", theme="light", language="es")
        assert list(page.boards) == [first]
    assert names(await table_of(opened, second)) == {"Max"}


async def test_a_tempo_that_there_is_not_is_refused(opened):
    async with (await member(opened, "Eva")).open() as page:
        assert not (await page.ask("now", code="bullet"))["good"]
        assert page.boards == {}


async def test_a_game_that_is_to_count_is_found_only_by_who_wants_that(opened):
    async with (await member(opened, "Eva")).open() as page:
        table = await now(page, "quick/rated")
    assert (await comes(opened, "now/quick/niya", "Max"))[1] != table
    async with (await member(opened, "Ana")).open() as page:
        assert await now(page, "quick/rated") == table


async def test_people_who_barred_each_other_are_not_paired(opened):
    eva, table = await comes(opened, "now/quick/niya", "Eva")
    ana = await member(opened, "Ana")
    people = opened.facade.services.people
    barred = (await people.of((await guest_of(opened, ana)).asker)).id
    me = (await people.of((await guest_of(opened, eva)).asker)).id
    await people.choose(me, refused=(barred,))
    async with ana.open() as page:
        assert await now(page) != table


async def test_the_table_stays_listed_while_a_computer_yields_its_place(opened):
    _, table = await comes(opened, "now/quick/niya", "Eva")
    steady = opened.facade.services.clock.steady
    opened.facade.services.clock.steady = lambda: steady() + timedelta(seconds=21)
    await opened.facade.process_duties.deadlines.expire()
    assert (await table_of(opened, table)).status == PLAYING
    assert f"/door/guest?to=t/{table}" in await door(opened)
    async with (await member(opened, "Ana")).open() as page:
        (one,) = (await page.ask("lobby"))["lobby"]
        assert (one["table"], one["open"]) == (table, True)
        assert await now(page) == table
        (one,) = (await page.ask("lobby"))["lobby"]
        assert not one["open"]
    assert names(await table_of(opened, table)) == {"Eva", "Ana"}


async def test_a_sheet_offers_whoever_comes_and_its_table_is_listed_as_it_begins(opened):
    async with (await member(opened, "Eva")).open() as page:
        sheet = opened.facade.services.buttons.sheet("cirya")
        card = (await page.ask("press", code=sheet))["card"]
        against = {one["label"]: one["code"] for one in card["choices"][0]["options"]}
        card = (await page.ask("press", code=against["Con quien quiera"]))["card"]
        assert any("20 segundos" in line for line in card["lines"])
        start = card["rows"][0][0]
        assert start["label"] == "Empezar"
        table = (await page.ask("press", code=start["code"]))["open"]
        (one,) = (await page.ask("lobby"))["lobby"]
        assert (one["table"], one["open"], one["mine"]) == (table, True, True)
    assert (await table_of(opened, table)).stand_in


async def sheet(at: Server, page: Page, *chosen: str, game: str = "niya") -> list[Json]:
    """The keys of the sheet of *game* once the options *chosen* are, by their labels."""
    card = (await page.ask("press", code=at.facade.services.buttons.sheet(game)))["card"]
    for label in chosen:
        options = [one for asked in card["choices"] for one in asked["options"]]
        (code,) = [one["code"] for one in options if one["label"] == label]
        card = (await page.ask("press", code=code))["card"]
    return [button for row in card["rows"] for button in row]


async def test_a_sheet_offers_the_seat_of_whoever_waits_longest_for_the_same(opened):
    async with (await member(opened, "Ana")).open() as page:
        assert (await sheet(opened, page))[0]["label"] == "Empezar", "nobody waits"
        eva, first = await comes(opened, "now/quick/niya", "Eva")
        async with (await member(opened, "Max")).open() as other:
            await other.type("/play niya now clock=15m+30s")
        sit, start, *_ = await sheet(opened, page)
        assert sit["label"] == "Sentarme con Eva, que espera · 5 min más 5 s por jugada · amistosa"
        assert start["label"] == "Empezar"
        sit, *_ = await sheet(opened, page, "15 min y luego 30 s por jugada")
        assert sit["label"].startswith("Sentarme con Max, que espera · 15 min")
        for other in ("Con quien yo invite", "1 día por jugada"):
            assert (await sheet(opened, page, other))[0]["style"] == "good"
            assert "espera" not in (await sheet(opened, page, other))[0]["label"], other
        assert (
            "espera"
            not in (await sheet(opened, page, "Con quien quiera", "por puntos"))[0]["label"]
        )
        assert (await sheet(opened, page, game="cirya"))[0]["label"] == "Empezar"
        async with eva.open() as own:
            assert (await sheet(opened, own))[0]["label"].startswith("Sentarme con Max")
        sit, *_ = await sheet(opened, page, "Con quien quiera")
        assert (await page.ask("press", code=sit["code"]))["open"] == first
    assert names(await table_of(opened, first)) == {"Eva", "Ana"}


async def test_a_sheet_offers_no_seat_beside_somebody_barred(opened):
    eva, _ = await comes(opened, "now/quick/niya", "Eva")
    ana, people = await member(opened, "Ana"), opened.facade.services.people
    barred = (await people.of((await guest_of(opened, ana)).asker)).id
    async with ana.open() as page:
        assert "Eva" in (await sheet(opened, page))[0]["label"]
        me = (await people.of((await guest_of(opened, eva)).asker)).id
        await people.choose(me, refused=(barred,))
        assert (await sheet(opened, page))[0]["label"] == "Empezar"


async def test_who_wants_to_know_is_told_once_that_somebody_waits(opened):
    eva = await member(opened, "Eva")
    async with eva.open() as page:
        offered = {one["key"] for one in (await page.ask("lobby"))["tempos"]}
        assert offered == {"quick", "calm", "days", "notify"}
        assert (await page.ask("now", code="notify"))["said"].startswith("Te avisaré una vez")
        _, table = await comes(opened, "now/quick/niya", "Max")
        told = await page.until(lambda one: one["kind"] == "call")
        assert (told["table"], told["said"]) == (table, "Max te invita a una partida de Niya.")
        assert "notify" not in {one["key"] for one in (await page.ask("lobby"))["tempos"]}
        await comes(opened, "now/calm/niya", "Ana")
        update, came = await page.send("lobby"), []
        await page.until(lambda one: came.append(one["kind"]) or one.get("id") == update)
        assert "call" not in came


async def test_a_stranger_asks_for_that_at_the_door_and_the_wish_outlives_a_restart(tmp_path):
    async with server(tmp_path, doors=DoorKeys(open_house=True)) as at:
        assert "/door/guest?to=now/notify/" in await door(at)
        eva, _ = await by_key(at, "now/notify/niya", "Eva")
        async with eva.open() as page:
            assert (await page.ask("name", name="Eva"))["good"]
            await page.ask("hello", theme="light", language="es")
            assert page.boards == {}
    async with server(tmp_path, doors=DoorKeys(open_house=True)) as at:
        eva.server = at
        async with eva.open() as page:
            _, table = await comes(at, "now/quick/niya", "Max")
            assert (await page.until(lambda one: one["kind"] == "call"))["table"] == table


# ---------------------------------------------------------------- waiting, and looks


async def test_the_board_is_laid_out_while_one_waits_and_the_link_comes_first(opened):
    eva = await member(opened, "Ana")
    async with eva.open() as page:
        for game in ("niya", "cirya", "storilljudhjorrayc", "parchis"):
            table = (await page.type(f"/play {game} ya"))["open"]
            board = page.boards[table]
            assert (board["open"], bool(board["picture"])) == (True, True)
            assert (len(board["bars"]), len(board["clocks"])) == (2, 2)
            assert [one["who"] for one in board["clocks"] if one["mine"]] == ["Ana"]
            assert board["spots"] == [], "nothing can be moved yet"
            assert not any(table in line or "Ana" in line for line in board["lines"])
            await page.type("/leave", table)


async def test_every_look_is_chosen_by_a_picture_of_it(opened):
    eva = await member(opened, "Eva")
    async with eva.open() as page:
        card = (await page.type("/settings"))["card"]
        covers = {one["cover"] for choice in card["choices"] for one in choice["options"]}
        wanted = sorted(covers - {""})
        assert {"cover/shogi-material.png", "cover/shogi-light.png"} <= set(wanted)
        pictures = {}
        for cover in wanted:
            status, pictures[cover] = await eva.get(f"{eva.path}/{cover}")
            assert (status, pictures[cover][:4]) == (200, b"\x89PNG"), cover
        assert pictures["cover/shogi-material.png"] != pictures["cover/shogi-light.png"]


@pytest.mark.parametrize("game", ["cirya", "parchis", "shogi", "storilljudhjorrayc"])
def test_where_a_game_turned_is_said_in_words(game):
    table = shipped_game(game)
    at, said = reel_of(table), turning_point(Composer(table, Viewer(language="es"), b""))
    place, count = at.moves.index(at.turning) + 1, len(at.moves)
    assert said.startswith(f"Jugada decisiva, {place}/{count} · ")


async def test_the_end_says_where_the_game_turned_and_has_one_key_to_send_it(opened):
    async with (await member(opened, "Eva")).open() as page:
        asked = await page.type("/play niya level=1 hints=on")
        table = asked["open"]
        while not (board := await page.board(table, lambda one: one["mine"] or one["over"]))[
            "over"
        ]:
            await page.press(table, page.moves(table)[0])
        again, send = board["rows"][0]
        assert (again["label"], again["style"]) == ("Revancha", "good")
        assert send["label"] == "Para compartir"
        labels = [one["label"] for row in board["rows"] for one in row]
        assert labels.count("Para compartir") == 1
        ended = await table_of(opened, table)
        turned = turning_point(Composer(ended, Viewer(language="es"), b""))
        assert [line for line in board["lines"] if line == turned] == [turned] * bool(turned)
        sent = await page.press(table, send)
        assert sent["file"]["name"].endswith(".png")
