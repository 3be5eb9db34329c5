"""The moves of a game on the page: all of them told, every moment shown, the record taken home."""

from __future__ import annotations

import json
from typing import Any

import pytest

from bot.chats.web import budget
from tests.chats.pages import Page, Visitor, seated, server
from tests.chats.test_web_talk import sure


async def mover_of(table: str, *pages: Page) -> Page:
    """Whichever of *pages* is to move at *table*."""
    for page in pages:
        board = page.boards.get(table)
        if board is not None and page.moves(table) and board["mine"]:
            return page
    raise AssertionError("nobody is to move")


async def play(table: str, page: Page, other: Page) -> str:
    """Let whoever is to move play the first thing there is; the notation of it."""
    mover = await mover_of(table, page, other)
    version = mover.boards[table]["version"]
    button = mover.moves(table)[0]
    assert (await mover.press(table, button))["good"]
    for one in (page, other):
        await one.board(table, lambda board: board["version"] > version)
    return str(button["step"])


async def test_every_move_is_told_from_the_first_on_also_to_a_page_that_comes_late(at):
    visitor = await at.first()
    async with visitor.open() as page:
        table, guest = await seated(at, page)
        async with guest.open() as other:
            played = [await play(table, page, other) for _ in range(3)]
        async with guest.open() as late:
            told = await late.ask("moves", table=table)
        assert [one["note"] for one in told["moves"]] == played
        assert [bool(one["who"]) for one in told["moves"]] == [True] * 3
        numbers = [one["number"] for one in told["moves"]]
        assert numbers == sorted(set(numbers))
        assert told["forms"] == ["record"]


@pytest.mark.slow
async def test_a_move_is_written_by_the_letters_that_its_reader_sees(at):
    visitor = await at.first()
    async with visitor.open() as page:
        table, guest = await seated(at, page)
        async with guest.open() as other:
            assert (await other.type("/language en"))["good"]
            await other.board(table, lambda board: board["picture"])
            step = await play(table, page, other)
            spanish, english = (
                await page.ask("moves", table=table),
                await other.ask("moves", table=table),
            )
        letters = {"M": "P", "O": "N", "L": "L", "V": "G"}
        assert [one["note"] for one in spanish["moves"]] == [step]
        assert [one["note"] for one in english["moves"]] == [letters[step[0]] + step[1]]
        roll = (await page.type("/play parchis opponent=computer level=1"))["open"]
        await page.board(roll, lambda board: board["mine"])
        await page.press(roll, page.moves(roll)[0])
        told = await page.ask("moves", table=roll)
        assert "tirar" in [one["note"] for one in told["moves"]]
        assert (await page.type("/language en"))["good"]
        told = await page.ask("moves", table=roll)
        assert "roll" in [one["note"] for one in told["moves"]]
        assert "tirar" not in [one["note"] for one in told["moves"]]


@pytest.mark.slow
async def test_every_moment_can_be_looked_at_and_none_that_was_not(at):
    visitor = await at.first()
    async with visitor.open() as page:
        table, guest = await seated(at, page)
        async with guest.open() as other:
            for _ in range(2):
                await play(table, page, other)
        told = (await page.ask("moves", table=table))["moves"]
        seen = set()
        for number in (told[0]["number"], *(one["number"] + 1 for one in told)):
            status, data = await visitor.get(f"{visitor.path}/past/{table}/{number}.json")
            assert status == 200
            assert json.loads(data)["parts"]
            seen.add(data)
        assert len(seen) == 3
        late = told[-1]["number"] + 2
        assert (await visitor.get(f"{visitor.path}/past/{table}/{late}.json"))[0] == 404
        assert (await visitor.get(f"{visitor.path}/past/ZZZZ/0.json"))[0] == 404


@pytest.mark.slow
async def test_who_looks_at_too_many_moments_is_refused_and_plays_on(at, monkeypatch):
    visitor = await at.first()
    async with visitor.open() as page:
        table, _ = await seated(at, page)
        purses = {"guest": budget.Purse(17, 0.01), "patience": budget.Purse(5, 0.5)}
        monkeypatch.setattr(budget, "PURSES", {**budget.PURSES, **purses})
        asked = [await visitor.get(f"{visitor.path}/past/{table}/0.json?{n}") for n in range(5)]
        assert [status for status, _ in asked] == [200, 200, 200, 429, 429]
        assert (await visitor.get(f"{visitor.path}/record/{table}/record"))[0] == 429
        monkeypatch.undo()
        assert (await page.type("/games"))["good"]


@pytest.mark.slow
async def test_a_stranger_sees_no_moment_and_takes_no_record_home(at):
    visitor = await at.first()
    async with visitor.open() as page:
        table, guest = await seated(at, page)
        other = (await page.type("/play niya"))["open"]
        for what in ("past/{}/0.json", "record/{}/record"):
            mine, foreign = what.format(table), what.format(other)
            assert (await guest.get(f"{guest.path}/{mine}"))[0] == 200
            assert (await guest.get(f"{guest.path}/{foreign}"))[0] == 404
            assert (await Visitor(at).get(f"{guest.path}/{mine}"))[0] == 401
        async with guest.open() as late:
            assert (await late.ask("moves", table=other))["moves"] == []


@pytest.mark.slow
async def test_a_record_is_had_in_every_form_of_its_game(at):
    visitor = await at.first()
    async with visitor.open() as page:
        table = (await page.type("/play shogi computer level=1 side=sente"))["open"]
        await page.board(table, lambda board: board["mine"])
        assert (await page.type("7g7f", table))["good"]
        forms = (await page.ask("moves", table=table))["forms"]
        assert forms == ["record", "kif", "ki2", "csa", "usi", "pgn"]
        kept: dict[str, Any] = {}
        for form in forms:
            status, data = await visitor.get(f"{visitor.path}/record/{table}/{form}")
            assert status == 200
            kept[form] = data.decode()
        assert "７六歩(77)" in kept["kif"]
        assert "+7776FU" in kept["csa"]
        assert "7g7f" in kept["usi"]
        assert (await visitor.get(f"{visitor.path}/record/{table}/png"))[0] == 404


async def test_a_hidden_set_up_stays_hidden_in_the_past_and_gives_no_record(at):
    visitor = await at.first()
    async with visitor.open() as page:
        table = (await page.type("/play storilljudhjorrayc"))["open"]
        guest = await at.guest(page, table)
        async with guest.open() as other:
            await page.board(table, lambda board: board["mine"])
            await other.board(table, lambda board: board["mine"])
            before = page.boards[table]["version"]
            assert (await other.type("preset wings", table))["good"]
            async with visitor.open() as anew:
                told = (await anew.ask("hello", table=table))["boards"]
            assert [(one["version"], "unknown" in one) for one in told] == [(before, False)]
            own = await other.board(table, lambda board: board["version"] > before)
            assert "unknown" not in own
            told = await page.ask("moves", table=table)
            assert told["forms"] == []
            assert [one for one in told["moves"] if one["who"] == "Bruno"] == []
            assert (await visitor.get(f"{visitor.path}/record/{table}/record"))[0] == 404
            assert (await visitor.get(f"{visitor.path}/past/{table}/0.json"))[0] == 200
            after = await visitor.get(f"{visitor.path}/past/{table}/1.json")
            assert after[0] == 404, "not even that something was changed"
            assert (await guest.get(f"{guest.path}/past/{table}/1.json"))[0] == 200
            assert page.boards[table]["count"] == 0


@pytest.mark.slow
async def test_what_a_killed_process_has_shown_is_had_from_the_next_one(tmp_path):
    async with server(tmp_path) as before:
        host = await before.first()
        async with host.open() as page:
            table, guest = await seated(before, page)
            async with guest.open() as other:
                await play(table, page, other)
            await page.press(table, sure(await page.type("/resign", table)))
            over = await page.board(table, lambda board: board["over"])
            lines = ("/replay", "/card", "/record", "/mydata")
            files = [(await page.type(line, table))["file"]["href"] for line in lines]
            shown = (over["picture"], *files)
            had = [(await host.get(f"{host.path}/{one}"))[1] for one in shown]
    async with server(tmp_path) as after:
        again = Visitor(after, host.path, host.cookie)
        # Nothing has been said to this one yet.
        got = [await again.get(f"{host.path}/{one}") for one in shown]
        assert got == [(200, data) for data in had]
        third = await after.first("Eva")
        for one in files[:-1]:
            assert (await third.get(f"{third.path}/{one}"))[0] == 404, one
        for one in ("ludoteca.exe", f"ludoteca-{table}.js", f"ludoteca-{table}-x.json"):
            assert (await again.get(f"{host.path}/file/{'0' * 32}/{one}"))[0] == 404, one
