"""What if, as the page asks for it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.presenters.school.position_editor import editor_screen
from bot.presenters.school.what_if import posed_screen
from bot.presenters.table.viewers import Viewer
from games.core.shelf import shelf
from tests.chats.pages import seated
from tests.chats.test_web_talk import sure


async def test_a_card_that_was_not_taken_is_tried_once_the_game_is_over(at):
    host = await at.first()
    async with host.open() as page:
        table, _ = await seated(at, page)
        assert not (await page.ask("if", table=table, at="0"))["good"], "it is still played"
        await page.press(table, sure(await page.type("/resign", table)))
        over = await page.board(table, lambda board: board["over"])
        begun = (await page.ask("if", table=table, at=str(over["count"])))["if"]
        spot = begun["spots"][0]["step"]
        then = (await page.ask("if", table=table, at=str(over["count"]), moves=spot))["if"]
        assert then["picture"] != begun["picture"]
        assert spot not in [one["step"] for one in then["spots"]]
        status, _ = await host.get(f"{host.path}/{then['picture']}")
        assert status == 200
        assert (await page.board(table))["count"] == over["count"], "nothing of it is kept"
        for wrong in ("999", "x", "", "1" * 16):
            assert not (await page.ask("if", table=table, at=wrong))["good"]


@pytest.mark.slow
async def test_of_a_table_that_is_not_on_the_page_nothing_is_told(at):
    host = await at.first()
    async with host.open() as page:
        table, _ = await seated(at, page)
        await page.press(table, sure(await page.type("/resign", table)))
        await page.board(table, lambda board: board["over"])
        own = (await page.type("/play cirya"))["open"]
        eva = await at.guest(page, own, "Eva")
        async with eva.open() as other:
            assert not (await other.ask("if", table=table, at="0"))["good"]


EMPTY, MATE = "x5/x5/x5/x5/x5 1 1", "4k4/9/4P4/9/9/9/9/9/4K4 b G 1"


async def test_a_position_is_set_up_from_its_text_and_nothing_of_it_is_kept(at):
    host = await at.first()
    async with host.open() as page:
        begun = (await page.ask("position", code="cirya", line=EMPTY))["if"]
        assert begun["headline"] == "Una posición de Cirya"
        assert (await host.get(f"{host.path}/{begun['picture']}"))[0] == 200
        chosen = next(one for row in begun["rows"] for one in row if one.get("plays"))
        moves = chosen["code"].removeprefix("if:")
        tried = await page.ask("position", code="cirya", line=EMPTY, moves=moves)
        assert tried["if"]["picture"] != begun["picture"]
        await page.ask("hello", theme="light", language="es")
        assert page.state["boards"] == []


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("game", "text"), [("shogi", "nonsense"), ("chess", MATE), ("", ""), ("niya", MATE)]
)
async def test_what_cannot_be_set_up_is_refused_in_a_sentence(at, game, text):
    host = await at.first()
    async with host.open() as page:
        told = await page.ask("position", code=game, line=text)
        assert not told["good"]
        assert told["said"].endswith(".")


@pytest.mark.slow
async def test_a_position_of_a_game_that_counts_and_is_being_played_is_not_analysed(at):
    host = await at.first()
    async with host.open() as page:
        table, _ = await seated(at, page)
        playing = await at.facade.services.tables.get(table)
        text = playing.game.notation.text(playing.position)
        assert (await page.ask("position", code="niya", line=text))["if"]["picture"]
        contests = at.facade.services.tables.contests
        seen: list[tuple[int, str]] = []

        async def contested(person: int, game: str):
            seen.append((person, game))
            await contests(person, game)
            return [replace(playing, rated=True)]

        at.facade.services.tables.contests = contested
        refused = (await page.ask("position", code="niya", line=text))["if"]
        assert refused["picture"] == ""
        assert table in refused["headline"]
        assert [game for _, game in seen] == ["niya"]


async def test_a_position_is_set_up_by_hand_and_its_text_is_kept_in_step(at):
    host = await at.first()
    async with host.open() as page:

        async def done(text: str, path: str, piece: str = ""):
            return await page.ask("setup", code="shogi", line=text, path=path, at=piece)

        first = await done("", "")
        assert first["editor"]["text"].startswith("lnsgkgsnl/")
        assert first["editor"]["wrong"] == ""
        assert {one["side"] for one in first["editor"]["pieces"]} == {"sente", "gote"}
        text = (await done(first["editor"]["text"], "clear"))["editor"]["text"]
        for piece, path in (
            ("sente-k8", "put,5i"),
            ("gote-k8", "put,5a"),
            ("sente-k1", "put,5c"),
            ("sente-k4", "put,hand+"),
            ("", "turn"),
        ):
            put = await done(text, path, piece)
            text = put["editor"]["text"]
        assert text.removesuffix(" 1") == "4k4/9/4P4/9/9/9/9/9/4K4 w S"
        spots = {spot["step"] for spot in put["if"]["spots"]}
        buttons = {one["step"]: one["label"] for row in put["if"]["rows"] for one in row}
        assert spots == set(buttons)
        assert "5c" in spots
        assert "peón" in buttons["5c"]
        assert (await host.get(f"{host.path}/{put['if']['picture']}"))[0] == 200
        tried = await page.ask("position", code="shogi", line=text)
        assert tried["if"]["spots"]


async def test_a_draft_that_is_no_position_is_shown_with_one_sentence(at):
    host = await at.first()
    async with host.open() as page:
        first = (await page.ask("setup", code="niya", line="", path=""))["editor"]
        drawn = first["text"]
        for place in ("a4", "b4"):
            put = await page.ask("setup", code="niya", line=drawn, path=f"put,{place}", at="R")
            drawn = put["editor"]["text"]
        assert put["editor"]["wrong"].endswith(".")
        assert put["if"]["picture"]
        refused = await page.ask("position", code="niya", line=drawn)
        assert not refused["good"]
        assert refused["said"] == put["editor"]["wrong"]


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("game", "text", "path", "piece"),
    [
        ("shogi", "nonsense", "", ""),
        ("chess", "", "", ""),
        ("storilljudhjorrayc", "", "put,a5", "gA"),
    ],
)
async def test_what_cannot_be_drawn_is_refused_in_a_sentence(at, game, text, path, piece):
    host = await at.first()
    async with host.open() as page:
        told = await page.ask("setup", code=game, line=text, path=path, at=piece)
        assert not told["good"]
        assert told["said"].endswith(".")
        odd = await page.ask("setup", code="shogi", line="", path="put,zz", at="dragon")
        assert odd["editor"]["text"].startswith("lnsgkgsnl/"), "what does not exist changes nothing"


def test_seats_of_a_position_are_called_by_their_sides():
    viewer, game = Viewer(language="es"), shelf()["shogi"]
    posed = posed_screen(game, MATE, [], (), viewer, bytes(32))
    assert posed.scene.names == ("Sente", "Gote")
    by_hand = editor_screen(game, MATE, (), "", viewer, bytes(32)).screen
    assert by_hand.scene.names == ("Sente", "Gote")
