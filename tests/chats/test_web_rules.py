"""The rules as a whole on the page: asked for by a press, typed, or beside a board."""

import pytest


async def test_the_rules_of_a_table_are_read_beside_it(at):
    host = await at.first()
    async with host.open() as page:
        table = (await page.type("/play cirya"))["open"]
        told = (await page.ask("rules", table=table))["book"]
        assert (told["game"], told["title"]) == ("cirya", "Cirya")
        titles = [one["title"] for one in told["chapters"]]
        assert titles[:3] == ["Cinco reglas para empezar", "En dos palabras", "Las piezas"]
        assert len(told["signs"]) == 3


async def test_rules_that_are_typed_or_pressed_come_as_a_whole(at):
    host = await at.first()
    async with host.open() as page:
        assert (await page.type("/reglas shogi"))["book"]["game"] == "shogi"
        asked = await page.type("/reglas")
        assert "book" not in asked, "no game is meant: it is asked which"
        (button,) = [b for row in asked["card"]["rows"] for b in row if b["label"] == "Niya"]
        assert (await page.press("", button))["book"]["game"] == "niya"
        assert (await page.type("/ayuda parchís"))["book"]["game"] == "parchis"
        assert "book" not in await page.type("/ayuda jugar")
        wrong = await page.type("/reglas ajedrez")
        assert not wrong["good"]
        assert "ajedrez" in wrong["said"]


async def test_figures_and_pieces_are_fetched_by_name_and_nothing_else_is(at):
    host = await at.first()
    wish = "theme=dark&language=en"
    for path, status in (
        (f"figure/shogi-start.png?{wish}", 200),
        ("face/storilljudhjorrayc-gKM.png", 200),
        (f"figure/shogi-nowhere.png?{wish}", 404),
        (f"figure/chess-start.png?{wish}", 404),
        ("figure/shogi-start.png?theme=red&language=en", 404),
        ("figure/shogi-start.png?theme=dark&language=xx", 404),
        ("face/shogi-k99.png", 404),
        ("face/chess-k1.png", 404),
    ):
        found, body = await host.get(f"{host.path}/{path}")
        assert found == status, path
        assert body.startswith(b"\x89PNG") == (status == 200)


@pytest.mark.parametrize("wish", ["rules", "call"])
async def test_nobody_reads_the_rules_of_a_table_that_is_not_his(at, wish):
    host = await at.first()
    async with host.open() as page:
        told = {"rules": {"table": "ABCDE"}, "call": {"line": "/reglas", "table": "ABCDE"}}[wish]
        assert "book" not in await page.ask(wish, **told)
