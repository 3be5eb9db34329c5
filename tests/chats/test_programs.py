"""Programs of people play by JSON: who they are, what they may, and what is refused."""

from __future__ import annotations

import json
import random
import re
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from io import BytesIO
from pathlib import Path

import pytest

from bot.chats.web.programs.server import AT
from bot.facade import Facade, Program
from tests.chats.pages import Page, Server, server
from tests.chats.programs import DESCRIBED, ProgramClient, new_program, next_line
from tests.fakes import person

ANA, BRUNO = person("Ana", "web"), person("Bruno", "web")
FREE = ((10_000, 1.0),)


@pytest.fixture(autouse=True)
def _free(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.service.request_rate_limits.SEATED", FREE)
    monkeypatch.setattr("bot.service.request_rate_limits.OTHERS", FREE)


@asynccontextmanager
async def two(folder: Path) -> AsyncIterator[tuple[Server, ProgramClient, ProgramClient]]:
    async with server(folder) as at:
        yield at, await client(at, "Uno"), await client(at, "Dos")


async def client(at: Server, name: str) -> ProgramClient:
    return ProgramClient(at.url, await new_program(at.facade, ANA, name), at.http)


async def begun(one: ProgramClient, other: ProgramClient, game: str = "niya") -> str:
    code = (await one.surely("/tables", {"game": game}))["code"]
    table = await other.surely(f"/tables/{code}/join", {})
    assert table["status"] == "playing"
    return str(code)


async def first_to_move(
    one: ProgramClient, other: ProgramClient, code: str
) -> tuple[ProgramClient, str]:
    """Who is to move at the table *code*, and a legal move."""
    for who in (one, other):
        table = await who.get(f"/tables/{code}")
        if table["legal"]:
            return who, table["legal"][0]
    raise AssertionError("nobody is to move")


@pytest.mark.slow
async def test_two_programs_play_a_game_to_its_end(tmp_path: Path) -> None:
    async with two(tmp_path) as (_, one, other):
        code = await begun(one, other)
        table = await one.get(f"/tables/{code}")
        assert [seat["kind"] for seat in table["seats"]] == ["program", "program"]
        assert sorted(seat["name"] for seat in table["seats"]) == [
            "Dos (programa de Ana)",
            "Uno (programa de Ana)",
        ]
        while table["status"] == "playing":
            who, move = await first_to_move(one, other, code)
            table = await who.surely(f"/tables/{code}/moves", {"move": move})
            assert table["moves"][0]["text"] == move
        assert table["outcome"]["places"]
        assert (await one.get("/tables"))["tables"] == []


async def test_nothing_is_put_into_words_for_programs_which_read_the_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def composed(*_: object) -> None:
        raise AssertionError("nobody reads it")

    async with two(tmp_path) as (_, one, other):
        monkeypatch.setattr("bot.boards.renderer.Composer", composed)
        code = await begun(one, other)
        async with one.stream() as lines:
            seen = (await next_line(lines, "table"))["table"]["version"]
            for _ in range(3):
                who, move = await first_to_move(one, other, code)
                await who.surely(f"/tables/{code}/moves", {"move": move})
                table = (await next_line(lines, "table"))["table"]
                assert table["version"] > seen
                seen = table["version"]


@pytest.mark.slow
async def test_an_act_repeated_under_its_id_is_done_once(tmp_path: Path) -> None:
    async with two(tmp_path) as (_, one, other):
        told = {"game": "niya"}
        first = await one.surely("/tables", told, "open-1")
        assert (await one.surely("/tables", told, "open-1"))["code"] == first["code"]
        assert len((await one.get("/tables"))["tables"]) == 1
        code = first["code"]
        await other.surely(f"/tables/{code}/join", {}, "j")
        await other.surely(f"/tables/{code}/join", {}, "j")
        who, move = await first_to_move(one, other, code)
        for _ in range(3):
            table = await who.surely(f"/tables/{code}/moves", {"move": move}, "move-1")
            played = [one for one in table["moves"] if one["seat"] is not None]
            assert [one["text"] for one in played] == [move]
        assert (await who.surely(f"/tables/{code}/talk", {"text": "hola"}, "t"))["line"]
        assert (await who.surely(f"/tables/{code}/talk", {"text": "hola"}, "t"))["line"] is None
        for _ in range(2):
            table = await who.surely(f"/tables/{code}/resign", {}, "r")
            assert table["status"] == "ended"


async def test_another_act_under_the_id_of_one_that_was_done_is_refused(tmp_path: Path) -> None:
    async with two(tmp_path) as (_, one, other):
        code = await begun(one, other)
        who, move = await first_to_move(one, other, code)
        await who.post(f"/tables/{code}/moves", {"move": "nonsense"}, "m")
        assert who.status == 422, "nothing was done under it"
        done = await who.surely(f"/tables/{code}/moves", {"move": move}, "m")
        for path, told in (("moves", {"move": "nonsense"}), ("resign", {}), ("join", {})):
            refused = await who.post(f"/tables/{code}/{path}", told, "m")
            assert who.status == 422
            assert "Idempotency-Key" in refused["detail"]
        again = await who.surely(f"/tables/{code}/moves", {"move": move}, "m")
        assert (again["version"], again["status"]) == (done["version"], "playing")
        other_than_who = other if who is one else one
        await other_than_who.surely(f"/tables/{code}/talk", {"text": "hola"}, "m")
        await who.surely(f"/tables/{code}/talk", {"text": "hola"}, "m%")
        await who.surely(f"/tables/{code}/talk", {"text": "hola"}, "m:1")


@pytest.mark.slow
async def test_a_repeated_act_is_answered_by_what_it_has_done(tmp_path: Path) -> None:
    """Also while its change is on disk and not yet at hand, as where the program was cut off."""
    async with two(tmp_path) as (at, one, other):
        code, tables = await begun(one, other), at.facade.services.tables
        who, move = await first_to_move(one, other, code)
        before = await tables.load(code)
        done = await who.surely(f"/tables/{code}/moves", {"move": move}, "m")
        tables.keep(*before)
        again = await who.surely(f"/tables/{code}/moves", {"move": move}, "m")
        assert again["version"] == done["version"]
        assert again["legal"] == []


async def test_an_act_that_comes_twice_at_once_is_refused_neither_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first is done between the question whether it was and the second one's turn."""
    async with two(tmp_path) as (at, one, other):
        code, programs = await begun(one, other), at.facade.programs
        really = programs._is_done

        async def late(program: Program, update: str) -> bool:
            monkeypatch.setattr(programs, "_is_done", really)
            return False

        who, move = await first_to_move(one, other, code)
        for path, told in (("moves", {"move": move}), ("resign", {})):
            done = await who.surely(f"/tables/{code}/{path}", told, path)
            monkeypatch.setattr(programs, "_is_done", late)
            again = await who.surely(f"/tables/{code}/{path}", told, path)
            assert again["version"] == done["version"]


@pytest.mark.slow
async def test_the_stream_goes_on_after_the_last_line_that_was_read(tmp_path: Path) -> None:
    async with two(tmp_path) as (_, one, other):
        code = await begun(one, other)
        async with one.stream() as lines:
            line = await next_line(lines, "table")
            assert line["table"]["code"] == code
        last = line["id"]
        who, move = await first_to_move(one, other, code)
        await who.surely(f"/tables/{code}/moves", {"move": move})
        await other.surely(f"/tables/{code}/talk", {"text": "ánimo"})
        async with one.stream(last) as lines:
            said = await next_line(lines, "said")
            assert (said["table"], said["line"]["text"]) == (code, "ánimo")
            moved = await next_line(lines, "table")
            total = line["table"]["moves_total"]
            assert moved["table"]["moves_from"] == total
            assert [one["text"] for one in moved["table"]["moves"]] == [move]
            who, move = await first_to_move(one, other, code)
            await who.surely(f"/tables/{code}/moves", {"move": move})
            moved = await next_line(lines, "table")
            assert [one["text"] for one in moved["table"]["moves"]] == [move]
            await other.surely(f"/tables/{code}/resign", {})
            assert (await next_line(lines, "table"))["table"]["status"] == "ended"
            last = moved["id"]
        async with one.stream(last) as lines:
            assert (await next_line(lines, "table"))["table"]["status"] == "ended"
            # What is over and told is told no more.
            last = (await next_line_of(one, last))["id"]
        async with one.stream(last) as lines:
            assert (await anext(lines))["kind"] == "ping"


async def next_line_of(one: ProgramClient, last: str) -> dict[str, object]:
    async with one.stream(last) as lines:
        return await next_line(lines, "table")


@pytest.mark.usefixtures("strangers_pay")
async def test_no_cookie_counts_and_a_wrong_key_is_refused(tmp_path: Path) -> None:
    async with server(tmp_path) as at:
        visitor = await at.first("Nerea")
        status, _ = await visitor.get(f"{AT}/tables")
        assert status == 401
        key = await new_program(at.facade, ANA)
        for wrong in ("", key[:-1], key + "a", key.replace(".", ""), "1-00000000.x", "é" * 9):
            one = ProgramClient(at.url, wrong, at.http)
            if wrong.isascii():
                await one.get("/me")
                assert one.status == 401
        await ProgramClient(at.url, key, at.http).get("/me")
        guessing = ProgramClient(at.url, "1-1.x", at.http)
        seen = set()
        for _ in range(300):
            await guessing.get("/me")
            seen.add(guessing.status)
            if guessing.status == 429:
                break
        assert seen == {401, 429}
        assert int(guessing.headers["Retry-After"]) >= 1
        good = ProgramClient(at.url, key, at.http)
        await good.get("/me")
        assert good.status in (200, 429)


@pytest.mark.slow
async def test_a_leaked_key_is_revoked_at_once(tmp_path: Path) -> None:
    async with two(tmp_path) as (at, _, other):
        visitor = await at.first("Nerea")
        async with visitor.open() as page:
            card = await pressed(page, await page.type("/settings"), "Mis programas »")
            card = await pressed(page, card, "Añadir un programa")
            one = ProgramClient(at.url, key_in(card), at.http)
            code = await begun(one, other)
            async with one.stream() as lines:
                await next_line(lines, "table")
                card = await pressed(page, card, "Otra clave para Programa 1")
                await next_line(lines, "end")
            await one.get("/me")
            assert one.status == 401
            await one.post(f"/tables/{code}/resign", {})
            assert one.status == 401
            renewed = ProgramClient(at.url, key_in(card), at.http)
            assert [table["code"] for table in (await renewed.get("/tables"))["tables"]] == [code]


async def pressed(page: Page, card: dict, label: str) -> dict:
    """What *page* shows after the button *label* of *card*."""
    (button,) = [one for row in card["card"]["rows"] for one in row if one["label"] == label]
    answer: dict = await page.ask("press", code=button["code"])
    return answer


def key_in(card: dict) -> str:
    found = re.search(r"\d+-[0-9a-f]{8}\.[\w-]+", str(card))
    assert found is not None, card
    return found[0]


@pytest.mark.slow
async def test_a_table_of_people_that_counts_takes_no_program(tmp_path: Path) -> None:
    async with two(tmp_path) as (at, one, _):
        visitor = await at.first("Nerea")
        async with visitor.open() as page:
            rated = (await page.type("/play niya rated=yes"))["open"]
            casual = (await page.type("/play niya"))["open"]
            answer = await one.post(f"/tables/{rated}/join", {})
            assert (one.status, answer["detail"]) == (
                403,
                "Los programas solo juegan partidas que no cuentan.",
            )
            table = await one.surely(f"/tables/{casual}/join", {})
            assert sorted(seat["kind"] for seat in table["seats"]) == ["person", "program"]
            board = await page.board(casual, lambda board: "programa de Ana" in str(board))
            assert "Uno (programa de Ana)" in str(board)
        assert len((await one.get("/tables"))["tables"]) == 1


async def test_a_program_knows_its_own_tables_alone(tmp_path: Path) -> None:
    async with two(tmp_path) as (at, one, other):
        code = (await one.surely("/tables", {"game": "niya"}))["code"]
        for path, told in (("moves", {"move": "a1"}), ("talk", {"text": "x"}), ("resign", {})):
            await other.post(f"/tables/{code}/{path}", told)
            assert other.status == 404
        await other.get(f"/tables/{code}")
        assert other.status == 404
        stranger = ProgramClient(at.url, await new_program(at.facade, BRUNO), at.http)
        await stranger.get(f"/tables/{code}")
        assert stranger.status == 404
        # A full table is none to look on at.
        await other.surely(f"/tables/{code}/join", {})
        await stranger.post(f"/tables/{code}/join", {})
        assert stranger.status == 409
        await stranger.get(f"/tables/{code}")
        assert stranger.status == 404


async def test_what_is_refused_changes_nothing(tmp_path: Path) -> None:
    async with two(tmp_path) as (_, one, other):
        code = await begun(one, other)
        who, move = await first_to_move(one, other, code)
        idle = other if who is one else one
        before = await who.get(f"/tables/{code}")
        for asks, path, told, status in (
            (who, "moves", {"move": "zz"}, 422),
            (who, "moves", {"move": ""}, 422),
            (who, "moves", {"move": move, "more": 1}, 400),
            (who, "moves", {"move": 7}, 400),
            (who, "moves", ["move"], 400),
            (who, "moves", {"move": "a" * 300}, 400),
            (who, "moves", {"move": "\ud800"}, 400),
            (idle, "moves", {"move": move}, 409),
            (who, "talk", {"text": "  "}, 422),
            (who, "join", {}, 409),
            (who, "join", {"side": "red"}, 400),
        ):
            await asks.post(f"/tables/{code}/{path}", told)
            assert asks.status == status, (path, told)
        after = await who.get(f"/tables/{code}")
        assert after["version"] == before["version"]
        for told, status in (
            ({"game": "nothing"}, 422),
            ({"game": "niya", "options": {"a": "b"}}, 422),
            ({"game": "niya", "seats": 7}, 422),
            ({"game": "niya", "clock": "soon"}, 422),
            ({"game": "niya", "rated": "yes"}, 400),
            ({}, 400),
        ):
            await one.post("/tables", told)
            assert one.status == status, told
        # JSON Schema has integers so; 2.5 is none.
        assert (await one.surely("/tables", {"game": "niya", "seats": 2.0}))["code"]
        for wrong in (2.5, 1e400, True, "2"):
            await one.post("/tables", {"game": "niya", "seats": wrong})
            assert one.status == 400, wrong
        await one.get("/stream", last="nonsense")
        assert one.status == 400
        await one.get(f"/tables/{code}", since="x")
        assert one.status == 400


async def test_a_large_or_deep_body_is_refused_and_others_go_on(tmp_path: Path) -> None:
    async with two(tmp_path) as (at, one, other):
        code = await begun(one, other)
        url, head = f"{at.url}{AT}/tables", {"Authorization": f"Bearer {one.key}"}
        plain = {**head, "Content-Type": "application/json"}
        for data, headers, status in (
            (b'{"game": "' + b"x" * 10_000_000 + b'"}', plain, 413),
            (b"[" * 10_000, plain, 400),
            (b"\xff\xfe", plain, 400),
            (b"game=niya", head, 415),
        ):
            async with at.http.post(url, data=BytesIO(data), headers=headers) as response:
                assert response.status == status
                told = json.loads(await response.read())
                DESCRIBED.check_answer("POST", "/tables", None, status, response.content_type, told)
        assert (await one.get(f"/tables/{code}"))["code"] == code


async def test_a_name_is_shown_at_once_and_is_no_computers(tmp_path: Path) -> None:
    async with two(tmp_path) as (_, one, other):
        code = await begun(one, other)
        assert (await one.ask("PATCH", "/me", {"name": "  Paso 🤖 a paso "}))[
            "name"
        ] == "Paso a paso"
        table = await other.get(f"/tables/{code}")
        assert "Paso a paso (programa de Ana)" in [seat["name"] for seat in table["seats"]]
        for wrong in ("", "\u200b", "El ordenador"):
            await one.ask("PATCH", "/me", {"name": wrong})
            assert one.status == 422


@pytest.mark.slow
async def test_the_real_limit_holds_many_calls(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.undo()
    async with server(tmp_path) as at:
        one = await client(at, "Uno")
        taken, began = 0, time.monotonic()
        for _ in range(100):
            await one.post("/tables/AAAA/resign", {})
            assert one.status in (404, 429)
            if one.status == 429:
                assert int(one.headers["Retry-After"]) >= 1
            taken += one.status == 404
        # Ten at once and one a second: a program that sits nowhere is as slow as anybody.
        assert 10 <= taken <= 12 + time.monotonic() - began


async def test_every_operation_is_described(tmp_path: Path) -> None:
    async with server(tmp_path) as at:
        served = {
            (route.method, route.resource.canonical.removeprefix(AT))
            for route in at.chat.programs.server.app().router.routes()
            if route.resource is not None
        }
        told = {
            (method.upper(), path)
            for path, methods in DESCRIBED.told["paths"].items()
            for method in methods
        }
        assert served - {("GET", "/openapi.json")} == told
        async with at.http.get(f"{at.url}{AT}/openapi.json") as response:
            assert (await response.json())["openapi"] == "3.1.0"
        async with at.http.get(f"{at.url}{AT}/nothing") as response:
            assert (response.status, response.content_type) == (404, "application/problem+json")
        async with at.http.delete(f"{at.url}{AT}/me") as response:
            assert (response.status, response.headers["Allow"]) == (405, "GET,PATCH")


@pytest.mark.slow
async def test_a_removed_program_leaves_its_tables_and_its_stream_ends(tmp_path: Path) -> None:
    async with two(tmp_path) as (at, one, other):
        code = await begun(one, other)
        async with one.stream() as lines:
            await next_line(lines, "table")
            await erase(at.facade)
            await next_line(lines, "end")
        await one.get("/me")
        assert one.status == 401
        kept = await at.facade.services.tables.get(code)
        assert kept.status == "ended"
        assert [player.name for player in kept.players] == ["", ""]


async def erase(facade: Facade) -> None:
    owner = await facade.services.people.of(ANA)
    await facade.operator.forget(owner.id)


def junk(rng: random.Random, depth: int = 0) -> object:
    """A JSON value of any kind, often with names that bodies have."""
    kinds = (
        lambda: rng.choice((None, True, 0, -1, 2**70, 1e300, "", "niya", "c3", "\ud800", "x" * 99)),
        lambda: [junk(rng, depth + 1) for _ in range(rng.randrange(3))],
        lambda: {
            rng.choice(("game", "move", "text", "name", "options", "level", "\0")): junk(
                rng, depth + 1
            )
            for _ in range(rng.randrange(4))
        },
    )
    return rng.choice(kinds[:1] if depth > 3 else kinds)()


@pytest.mark.slow
async def test_whatever_is_sent_is_answered_as_the_description_says(tmp_path: Path) -> None:
    rng = random.Random(7)
    async with two(tmp_path) as (_, one, other):
        code = await begun(one, other)
        for path, methods in DESCRIBED.told["paths"].items():
            for method in methods:
                if path == "/stream":
                    continue
                for _ in range(6):
                    at = path.replace(
                        "{table}", rng.choice((code, code.lower(), "ZZZZ", "00000000"))
                    )
                    told = None if method == "get" else junk(rng)
                    update = rng.choice(("", "a", "!" * 64))
                    # It asserts that the answer is described; none is a fault of ours.
                    await one.ask(method.upper(), at, told, update)
                    assert one.status != 500
