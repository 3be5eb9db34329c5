"""Tables that are open to all who have a page here, and tables that are put away."""

from __future__ import annotations

import pytest

from bot.facade import front_door
from tests.chats.pages import Json, Page, Visitor, named, seated


async def found(page: Page) -> list[Json]:
    return (await page.ask("lobby"))["lobby"]


async def stranger(at, page: Page, name: str = "Eva") -> Visitor:
    """Somebody who knows of no table but one of his own."""
    table = (await page.type("/play parchis"))["open"]
    visitor = Visitor(at)
    assert await visitor.enter((await page.ask("invite", table=table))["link"]) == 200
    await named(visitor, name)
    return visitor


async def test_a_table_is_listed_only_once_its_player_has_opened_it_to_all(at):
    host = await at.first()
    async with host.open() as page:
        eva = await stranger(at, page)
        table = (await page.type("/play cirya"))["open"]
        async with eva.open() as other:
            assert await found(other) == []
            assert not (await other.ask("list", table=table, code="on"))["good"]
            (mine,) = (await page.ask("list", table=table, code="on"))["lobby"]
            assert mine["mine"]
            (one,) = await found(other)
            assert one == {
                "table": table,
                "game": "cirya",
                "title": "Cirya",
                "who": "Nerea",
                "open": True,
                "here": False,
                "mine": False,
                "terms": "sin reloj · amistosa",
                "clock": "",
                "rated": False,
            }
            assert (await other.type(f"/join {table}"))["good"]
            board = await other.board(table, lambda board: board["picture"])
            assert not board["watches"]
            (now,) = await found(page)
            assert (now["open"], now["mine"]) == (False, True)
            assert (await page.ask("list", table=table))["lobby"] == []


@pytest.mark.slow
async def test_a_table_that_is_played_can_be_watched_and_left_again(at):
    host = await at.first()
    async with host.open() as page:
        table, _ = await seated(at, page)
        await page.ask("list", table=table, code="on")
        eva = await stranger(at, page)
        async with eva.open() as other:
            (one,) = await found(other)
            assert not one["open"]
            assert (await other.type(f"/board {table}"))["good"]
            assert (await other.board(table))["watches"]
            assert (await other.ask("away", table=table))["good"]
            await other.ask("hello", theme="light", language="es")
            assert table not in {board["table"] for board in other.state["boards"]}
        assert not (await page.ask("away", table=table))["good"], "who plays stays"


@pytest.mark.slow
async def test_what_is_over_is_listed_no_more_and_can_be_put_away(at):
    host = await at.first()
    async with host.open() as page:
        table, _ = await seated(at, page)
        await page.ask("list", table=table, code="on")
        asked = await page.type("/resign", table)
        rows = (asked.get("card") or asked["board"])["rows"]
        yes = next(button for row in rows for button in row if button["style"] == "danger")
        await page.press(table, yes)
        await page.board(table, lambda board: board["over"])
        assert await found(page) == []
        assert (await page.ask("away", table=table))["good"]
        await page.ask("hello", theme="light", language="es")
        assert page.state["boards"] == []


@pytest.mark.slow
async def test_of_very_many_tables_the_last_are_listed(at, monkeypatch):
    monkeypatch.setattr(front_door, "MOST_TABLES", 2)
    host = await at.first()
    async with host.open() as page:
        tables = [(await page.type(f"/play {game}"))["open"] for game in ("niya", "cirya", "shogi")]
        for table in tables:
            await page.ask("list", table=table, code="on")
        assert [one["table"] for one in await found(page)] == [tables[2], tables[1]]


async def test_the_shelf_leads_to_a_sheet_on_which_opponent_and_rules_are_chosen(at):
    host = await at.first()
    async with host.open() as page:
        (game,) = [one for one in page.state["games"] if one["key"] == "cirya"]
        sheet = (await page.ask("press", code=game["sheet"]))["card"]
        assert "Cirya" in sheet["headline"] + sheet["title"]
        assert sheet["cover"] == "cover/cirya-light.png"
        asked = {one["name"]: one for one in sheet["choices"]}
        assert list(asked) == ["Rival", "Nivel", "Tu bando", "Reloj"]
        rivals = ["Con quien quiera", "Con el ordenador", "Con quien yo invite"]
        assert [one["label"] for one in asked["Rival"]["options"]] == rivals
        assert [one["colour"] for one in asked["Tu bando"]["options"]] == ["", "#eadfc6", "#5a4296"]
        third = asked["Nivel"]["options"][2]
        (changed,) = [
            one
            for one in (await page.ask("press", code=third["code"]))["card"]["choices"]
            if one["name"] == "Nivel"
        ]
        assert (asked["Nivel"]["chosen"], changed["chosen"]) == (1, 2)


@pytest.mark.slow
async def test_the_shelf_shows_posters_in_the_readers_language(at):
    host = await at.first()
    async with host.open() as page:
        shown = {one["key"]: (one["cover"], one["named"]) for one in page.state["games"]}
        assert shown["shogi"] == ("poster/shogi-light.png?language=es", True)
        found = {}
        for language in ("es", "en"):
            status, found[language] = await host.get(
                f"{host.path}/poster/shogi-light.png?language={language}"
            )
            assert status == 200
        assert found["es"] != found["en"]
        for other in (
            "shogi-light.png?language=zz",
            "shogi-light.png",
            "chess-light.png?language=es",
        ):
            assert (await host.get(f"{host.path}/poster/{other}"))[0] == 404, other


@pytest.mark.slow
async def test_settings_show_the_themes_and_pieces_by_boards_that_can_be_fetched(at):
    host = await at.first()
    async with host.open() as page:
        told = (await page.type("/settings"))["card"]
        asked = {one["name"]: one["options"] for one in told["choices"]}
        signed = {name: [one["cover"] for one in options] for name, options in asked.items()}
        pieces = signed.pop("Piezas de shogi")
        themes = signed.pop("Tema")
        looks = signed.pop("Aspecto de los tableros")
        assert themes[0] == pieces[0] == looks[0] == ""
        assert looks[1:] == ["cover/shogi-material.png", "cover/shogi-light.png"]
        assert {"cover/shogi-light-western.png", "cover/shogi-light.png"} <= {*pieces}
        assert not any(cover for covers in signed.values() for cover in covers)
        for cover in ("cover/shogi-light-western.png", themes[-1]):
            assert (await host.get(f"{host.path}/{cover}"))[0] == 200, cover
        for cover in ("cover/shogi-light-elvish.png", "cover/niya-light-western.png"):
            assert (await host.get(f"{host.path}/{cover}"))[0] == 404, cover


async def test_ones_finished_games_are_found_by_words_and_nobody_elses(at):
    host = await at.first()
    async with host.open() as page:
        assert (await page.ask("finished"))["finished"] == []
        table, _ = await seated(at, page)
        assert (await page.ask("finished"))["finished"] == []
        sure = (await page.type("/resign", table))["board"]
        (resign,) = [one for row in sure["rows"] for one in row if one["style"] == "danger"]
        await page.press(table, resign)
        await page.board(table, lambda board: board["over"])
        (one,) = (await page.ask("finished"))["finished"]
        assert (one["table"], one["title"], one["who"]) == (table, "Niya", "Bruno")
        for line in ("niya bruno", "NIYA", table.lower(), one["day"]):
            assert (await page.ask("finished", line=line))["finished"] == [one], line
        assert (await page.ask("finished", line="shogi"))["finished"] == []
        eva = await stranger(at, page)
        async with eva.open() as other:
            assert (await other.ask("finished"))["finished"] == []
        assert (await page.type(f"/board {table}"))["open"] == table


async def test_a_table_that_is_listed_no_more_leaves_the_list_of_who_looks_on_at_once(at):
    host = await at.first()
    async with host.open() as page:
        eva = await stranger(at, page)
        table = (await page.type("/play cirya"))["open"]
        await page.ask("list", table=table, code="on")
        async with eva.open() as other:
            assert [one["table"] for one in await found(other)] == [table]
            await page.ask("list", table=table)
            gone = await other.until(lambda told: told["kind"] == "unlisted", 5.0)
            assert gone["table"] == table
            assert await found(other) == []
