"""The page within Discord: whom Discord names is let in as themselves, and nobody else is."""

from __future__ import annotations

import asyncio
import html
import json
import re
import time
from contextlib import asynccontextmanager
from pathlib import Path

import aiohttp
import pytest

from bot.chats.web import DiscordApp, chat
from bot.chats.web.doors import activity
from bot.chats.web.doors.mini_app import guest_id_of
from bot.port import Asker, Command, Home, Where
from tests.chats.fake_discord_sign_in import ANA, APPLICATION, BEA, EVA, SECRET, TOKEN
from tests.chats.pages import Page, server

PUBLIC = "https://play.example.org"
FRAME = f"https://{APPLICATION}.discordsays.com"
PROXIED = {
    "Host": "play.example.org",
    "X-Forwarded-For": "2a06:98c0:3600::103",
    "X-Forwarded-Proto": "https",
}
CHANNEL = "300"
FROM = {**PROXIED, "Origin": FRAME}


@pytest.fixture(name="at")
async def at_fixture(discord, tmp_path, monkeypatch):
    """A browser chat at a public address, which is the Activity of an application."""
    app = DiscordApp(TOKEN, SECRET, discord.url)

    def made(*wishes, **more):
        return built(*wishes, **{**more, "public": PUBLIC, "discord": app, "telegram": "1:x"})

    built = chat.WebChat
    monkeypatch.setattr("tests.chats.pages.WebChat", made)
    monkeypatch.setattr(
        activity, "BOARD_SECONDS", 60.0
    )  # the first pictures take long on a busy machine
    async with server(tmp_path) as opened:
        opened.here = f"http://127.0.0.1:{opened.chat.port}"
        opened.app = app
        yield opened


async def entered(at, code, instance, *, headers=None, way="/d/", verifier="", **more):
    """What the page within Discord is answered: a status and an object."""
    body = json.dumps({"code": code, "instance": instance, "verifier": verifier, **more})
    told = {**FROM, "Content-Type": "application/json", **(headers or {})}
    async with at.http.post(f"{at.here}{way}enter", data=body, headers=told) as response:
        text = await response.text()
        assert "Set-Cookie" not in response.headers
        return response.status, json.loads(text) if text.startswith("{") else {}


@asynccontextmanager
async def opened(at, path: str, headers=FROM):
    url = f"{at.here}/d/{path.partition('#')[0]}socket"
    async with at.http.ws_connect(url, headers=headers) as socket:
        page = Page(socket)
        await page.ask("hello", theme="light", language="es")
        yield page


async def page_of(at, discord, person, instance, **more):
    status, told = await entered(at, discord.code(person), instance, **more)
    assert status == 200, told
    return told["path"]


def asker(person) -> Asker:
    return Asker("discord", person["id"], person["global_name"] or "x", None)


HOME = Home("server-200", "es", CHANNEL, parts=False)
HERE = Where("discord", CHANNEL, home=HOME)


async def played(at, game="niya", number="1", where=HERE, who=ANA, **wishes):
    """A table in the channel, opened by *who*."""
    await at.facade.requests.call(
        Command(number, where, asker(who), "play", {"game": game, **wishes})
    )
    person = await at.facade.services.people.of(asker(who))
    lines = await at.facade.services.tables.list_lines(("open", "playing"), 9, person=person.id)
    return next(line.code for line in lines if line.game == game)


# ---------------------------------------------------------------- coming in


async def test_the_page_has_relative_files_no_inline_style_and_may_be_framed_by_discord(at):
    query = "?instance_id=i&frame_id=f&platform=desktop&channel_id=1"
    async with at.http.get(f"{at.here}/d/{query}", headers=PROXIED) as response:
        text, headers = await response.text(), response.headers
        assert response.status == 200
    policy = headers["Content-Security-Policy"]
    assert "frame-ancestors https://discord.com https://*.discord.com" in policy
    assert "X-Frame-Options" not in headers
    assert "script-src 'self'" in policy
    assert "<style" not in text
    assert f'data-client="{APPLICATION}"' in text
    assert 'data-around="discord"' in text
    files = re.findall(r'(?:src|href)="([^"]{3,})"', text)  # "./" is the way home
    assert len(files) > 4
    for file in files:
        assert re.fullmatch(r"static/[0-9a-f]{12}/[\w.-]+", file), file
        async with at.http.get(f"{at.here}/d/{file}", headers=PROXIED) as response:
            assert response.status == 200
            assert "immutable" in response.headers["Cache-Control"]
    assert "manifest" not in text
    assert "Set-Cookie" not in headers


async def test_whoever_opens_it_outside_of_discord_reads_from_where_it_is_opened(at):
    async with at.http.get(f"{at.here}/d/", headers=PROXIED) as response:
        assert response.status == 200
        assert "desde Discord" in await response.text()


async def test_whom_discord_names_comes_in_as_the_same_person_without_cookie_or_name(at, discord):
    person = await at.facade.services.people.of(asker(ANA))
    path = await page_of(at, discord, ANA, discord.opened(CHANNEL, ANA))
    assert path.startswith(f"s/{guest_id_of('11', 'discord')}-")
    async with opened(at, path) as page:
        assert page.state["name"] == "Ana"
        assert (await page.ask("devices"))["devices"][0]["name"] == "Discord"
        assert (await page.ask("devices"))["push"]["key"] == ""
    guest = await at.chat._guests.get(guest_id_of("11", "discord"))
    assert (await at.facade.services.people.of(guest.asker)).id == person.id


async def test_old_clients_come_by_the_proxy_s_own_path(at, discord):
    instance = discord.opened(CHANNEL, ANA)
    status, told = await entered(at, discord.code(ANA), instance, way="/d/.proxy/")
    assert status == 200
    async with at.http.get(f"{at.here}/d/.proxy/{told['path']}", headers=PROXIED) as response:
        assert response.status == 204


async def test_the_answer_has_the_client_s_token_and_language_and_is_not_kept(at, discord):
    status, told = await entered(at, discord.code(ANA), discord.opened(CHANNEL, ANA))
    assert status == 200
    assert told["access_token"] in discord.tokens
    assert told["locale"] == "es-ES"


async def test_the_code_is_bound_to_the_page_that_asked_for_it(at, discord):
    instance, verifier = discord.opened(CHANNEL, ANA), "v" * 43
    good = await entered(at, discord.code(ANA, verifier), instance, verifier=verifier)
    assert good[0] == 200
    for wrong in ("", "w" * 43):
        bad = await entered(at, discord.code(ANA, verifier), instance, verifier=wrong)
        assert bad[0] == 401


async def test_who_came_by_a_button_sees_that_table_at_once(at, discord):
    table = await played(at)
    await at.facade.pages.launches.note(asker(ANA), table)
    path = await page_of(at, discord, ANA, discord.opened(CHANNEL, ANA))
    assert path.endswith(f"/#{table}")
    async with opened(at, path) as page:
        assert set(page.boards) == {table}
    again = await page_of(at, discord, ANA, discord.opened(CHANNEL, ANA))
    assert not again.endswith(f"#{table}")


async def test_who_came_by_a_link_to_a_table_sees_that_table(at, discord):
    table = await played(at)
    path = await page_of(at, discord, BEA, discord.opened(CHANNEL, BEA), table=table.lower())
    assert path.endswith(f"/#{table}")


async def test_who_came_by_neither_finds_what_they_play_in_chats(at, discord):
    for number, game in enumerate(("niya", "cirya")):
        await played(at, game, str(number), opponent="ordenador")
    path = await page_of(at, discord, ANA, discord.opened(CHANNEL, ANA))
    async with opened(at, path) as page:
        assert sorted(board["title"] for board in page.boards.values()) == [
            "Cirya",
            "Niya",
        ]


async def test_who_is_challenged_in_the_channel_finds_the_challenge(at, discord):
    call = Command("1", HERE, asker(ANA), "play", {"game": "niya"}, {"opponent": asker(BEA)})
    assert (await at.facade.requests.call(call)).good
    path = await page_of(at, discord, BEA, discord.opened(CHANNEL, BEA))
    async with opened(at, path) as page:
        (board,) = page.boards.values()
        assert "Ana" in board["headline"]


async def test_a_table_that_is_none_leads_to_the_shelf(at, discord):
    path = await page_of(at, discord, ANA, discord.opened(CHANNEL, ANA), table="ZZZZZZ")
    assert path.endswith("/")


# ---------------------------------------------------------------- being there


@pytest.mark.slow
async def test_the_tables_of_the_channel_are_listed_for_who_is_in_its_instance(at, discord):
    table, elsewhere = await played(at), Where("discord", "301")
    await played(at, "cirya", "2", where=elsewhere, who=EVA)
    instance = discord.opened(CHANNEL, ANA, BEA)
    path = await page_of(at, discord, BEA, instance)
    async with opened(at, path) as page:
        assert [one["table"] for one in (await page.ask("lobby"))["lobby"]] == [table]
        at.app.look_again(instance)
        discord.instances[instance]["users"].remove(BEA["id"])
        assert (await page.ask("lobby"))["lobby"] == []


@pytest.mark.slow
async def test_the_tables_in_threads_of_the_channel_are_listed_too(at, discord):
    places = at.facade.services.places
    thread, other = Where("discord", "3001"), Where("discord", "3002")
    await places.note_part(HERE, thread)
    await places.note_part(Where("discord", "301"), other)
    table = await played(at, where=thread)
    await played(at, "cirya", "2", where=other, who=EVA)
    here = await played(at, "shogi", "3")
    path = await page_of(at, discord, BEA, discord.opened(CHANNEL, ANA, BEA))
    async with opened(at, path) as page:
        assert [one["table"] for one in (await page.ask("lobby"))["lobby"]] == [here, table]
        board = await page.type(f"/board {table}")
        assert board["open"] == table


@pytest.mark.slow
async def test_the_tables_in_threads_of_people_are_listed_but_of_closed_ones(at, discord):
    def thread(place: str, channel: str, *, closed: bool = False) -> Where:
        home = Home("server-200", "es", channel, parts=False, closed=closed)
        return Where("discord", place, home=home)

    table = await played(at, where=thread("3001", CHANNEL))
    await played(at, "cirya", "2", where=thread("3002", "301"), who=EVA)
    await played(at, "parchis", "3", where=thread("3003", CHANNEL, closed=True), who=EVA)
    instance = discord.opened(CHANNEL, ANA, BEA)
    path = await page_of(at, discord, BEA, instance)
    async with opened(at, path) as page:
        assert [one["table"] for one in (await page.ask("lobby"))["lobby"]] == [table]
        board = await page.type(f"/board {table}")
        assert board["open"] == table


@pytest.mark.slow
async def test_who_is_here_looks_on_and_is_counted(at, discord):
    table = await played(at, opponent="ordenador")
    instance = discord.opened(CHANNEL, ANA, BEA)
    path = await page_of(at, discord, BEA, instance, table=table)
    async with opened(at, path) as page:
        board = await page.board(table)
        assert not board["mine"]
        await page.send("look", table=table)
        told = await page.until(lambda one: one["kind"] == "watching")
        assert told["table"] == table
        assert told["said"]


@pytest.mark.slow
async def test_who_opens_a_table_invites_by_name_who_is_here(at, discord):
    instance = discord.opened(CHANNEL, ANA, BEA, EVA)
    mine, hers = [await page_of(at, discord, who, instance) for who in (ANA, BEA)]
    async with opened(at, mine) as page, opened(at, hers) as other:
        table = (await page.type("/play niya"))["open"]
        answer = await page.ask("invite", table=table, code=BEA["id"])
        assert answer["good"]
        told = await other.until(lambda one: one["kind"] == "call")
        assert told["said"] == "Ana te invita a Niya."
        board = await other.board(table)
        sit = next(b for row in board["rows"] for b in row if b["style"] == "good")
        await other.press(table, sit)
        await page.board(table, lambda board: not board["open"])
        for wrong in (EVA["id"], "99", ANA["id"]):
            assert not (await page.ask("invite", table=table, code=wrong))["good"]


async def test_an_invitation_goes_to_nobody_elsewhere(at, discord):
    mine = await page_of(at, discord, ANA, discord.opened(CHANNEL, ANA))
    hers = await page_of(at, discord, BEA, discord.opened("301", BEA))
    async with opened(at, mine) as page, opened(at, hers):
        table = (await page.type("/play niya"))["open"]
        assert not (await page.ask("invite", table=table, code=BEA["id"]))["good"]


async def test_who_presses_in_the_channel_is_at_the_same_table(at, discord):
    path = await page_of(at, discord, ANA, discord.opened(CHANNEL, ANA))
    table = await played(at)
    async with opened(at, path) as page:
        assert (await page.type(f"/board {table}"))["good"]
        await page.board(table)
        call = Command("9", HERE, asker(BEA), "join", {"table": table})
        assert (await at.facade.requests.call(call)).good
        await page.board(table, lambda board: not board["open"])


async def test_somebody_in_three_clients_keeps_the_newest(at, discord):
    instance = discord.opened(CHANNEL, ANA)
    paths = [await page_of(at, discord, ANA, instance) for _ in range(4)]
    found = []
    for path in paths:
        async with at.http.get(f"{at.here}/d/{path}", headers=PROXIED) as response:
            found.append(response.status)
    assert found == [401, 204, 204, 204]


async def test_a_device_that_is_ended_is_out_at_once(at, discord):
    path = await page_of(at, discord, ANA, discord.opened(CHANNEL, ANA))
    async with opened(at, path) as page:
        listed = (await page.ask("devices"))["devices"]
        await page.send("end", device=listed[0]["id"])
        while (message := await page.socket.receive()).type is aiohttp.WSMsgType.TEXT:
            pass
        assert message.data == chat.ENDED
    async with at.http.get(f"{at.here}/d/{path}", headers=PROXIED) as response:
        assert response.status == 401


async def test_who_is_banned_does_not_come_in_and_is_out_within_a_second(at, discord):
    instance = discord.opened(CHANNEL, ANA)
    path = await page_of(at, discord, ANA, instance)
    async with opened(at, path) as page:
        await at.facade.operator.ban("discord", ANA["id"])
        async with asyncio.timeout(1):
            while (await page.socket.receive()).type is aiohttp.WSMsgType.TEXT:
                pass
    async with at.http.get(f"{at.here}/d/{path}", headers=PROXIED) as response:
        assert response.status == 403
    status, told = await entered(at, discord.code(ANA), instance)
    assert status == 403
    assert "path" not in told


# ---------------------------------------------------------------- Discord away


async def looked(at, instance, *, headers=None, **more):
    """What the page of somebody is answered who has not said who they are."""
    body = json.dumps({"instance": instance, **more})
    told = {**FROM, "Content-Type": "application/json", **(headers or {})}
    async with at.http.post(f"{at.here}/d/look", data=body, headers=told) as response:
        assert "Set-Cookie" not in response.headers
        return response.status, json.loads(await response.text())


async def began(at, instance, table="", **headers) -> str:
    """The page within Discord before anybody has said who they are."""
    query = f"frame_id=f&instance_id={instance}" + (f"&custom_id={table}" if table else "")
    async with at.http.get(f"{at.here}/d/?{query}", headers={**PROXIED, **headers}) as response:
        assert response.status == 200
        return await response.text()


async def quiet(at) -> None:
    """Wait until no computer thinks, which would change a board."""
    async with asyncio.timeout(60):
        await at.facade.settled()


def shows(text: str) -> str:
    """The headline of the board in *text*, "" for none."""
    found = re.search(
        r'<body class="early" data-w="1" data-h="[\d.]+" data-above="[\d.]+" data-under="[\d.]+">.*'
        r'<div class="head"><h2[^>]*>([^<]+)<',
        text,
        re.S,
    )
    assert (found is not None) == ('<div class="pic"><img src="data:image/png;base64,iV' in text)
    return html.unescape(found[1]) if found else ""


async def test_the_board_is_seen_before_it_is_known_who_looks(at, discord):
    instance = discord.opened(CHANNEL, ANA)
    assert not shows(await began(at, instance)), "there is none"
    table = await played(at, opponent="ordenador")
    await quiet(at)
    shared = await at.facade.pages.find_board(table, "es")
    for named in ("", table, table.lower()):
        assert shows(await began(at, instance, named)) == shared.headline.removeprefix("▶ ")
    assert not shows(await began(at, instance, "ZZZZZZ"))


async def test_no_board_is_seen_that_might_be_another_than_the_one_that_comes(at, discord):
    instance, table = discord.opened(CHANNEL, ANA, BEA), await played(at, opponent="ordenador")
    other = await played(at, "cirya", "2", opponent="ordenador")
    elsewhere = Where("discord", "301")
    theirs = await played(at, "shogi", "3", where=elsewhere, who=EVA, opponent="ordenador")
    await quiet(at)
    assert not shows(await began(at, instance))
    assert not shows(await began(at, instance, theirs)), "only the tables of the channel"
    await at.facade.pages.launches.note(asker(ANA), other)
    seen = await at.facade.pages.find_board(other, "es")
    assert shows(await began(at, instance)) == seen.headline.removeprefix("▶ "), (
        "it was opened there"
    )
    await at.facade.pages.launches.note(asker(BEA), table)
    assert not shows(await began(at, instance)), "two people opened two tables"
    assert at.facade.pages.launches.take(asker(ANA)) == other, "looking has not taken it"


async def test_whoever_is_elsewhere_or_kept_out_sees_no_board_before_they_are_known(at, discord):
    instance, table = discord.opened(CHANNEL, ANA), await played(at, opponent="ordenador")
    now = time.time()
    assert shows(await began(at, instance, table, **discord.signed(now, ANA["id"], instance)))
    for wrong in (
        discord.signed(now, BEA["id"], instance),
        discord.signed(now, ANA["id"], "i-other"),
        {"X-Signature-Ed25519": "00", "X-Discord-Proxy-Payload": "e30="},
    ):
        assert not shows(await began(at, instance, table, **wrong))
    for wrong in ("i-none", "../x", ""):
        assert not shows(await began(at, wrong, table))
    await at.facade.operator.ban("discord", ANA["id"])
    assert not shows(await began(at, instance, table, **discord.signed(now, ANA["id"], instance)))


async def test_the_page_begins_without_a_board_where_that_takes_long(at, discord, monkeypatch):
    instance, table = discord.opened(CHANNEL, ANA), await played(at, opponent="ordenador")
    assert shows(await began(at, instance, table))
    monkeypatch.setattr(activity, "BOARD_SECONDS", 0.0)
    assert not shows(await began(at, instance, table))
    monkeypatch.undo()
    discord.down = True
    at.app.look_again(instance)
    text = await began(at, instance, table)
    assert not shows(text)
    assert f'data-client="{APPLICATION}"' in text


async def test_a_page_that_fails_half_way_ends_and_is_not_waited_for(at, discord, monkeypatch):
    instance = discord.opened(CHANNEL, ANA)
    monkeypatch.setattr(activity, "board_body", {}.__getitem__)
    with pytest.raises(aiohttp.ClientPayloadError):
        await asyncio.wait_for(began(at, instance, "QQQQQQ"), 10)


async def test_the_head_is_sent_before_discord_has_answered(at, discord):
    """Its script begins to sign in by then."""
    instance, table = discord.opened(CHANNEL, ANA), await played(at, opponent="ordenador")
    await at.app.application()
    asked = asyncio.Event()
    discord.waits = asked
    query = f"frame_id=f&instance_id={instance}&custom_id={table}"
    async with at.http.get(f"{at.here}/d/?{query}", headers=PROXIED) as response:
        head = await asyncio.wait_for(response.content.readuntil(b"</head>"), 10)
        assert b"async src=" in head
        asked.set()
        assert shows((head + await response.content.read()).decode())


async def test_connections_to_discord_are_used_again(at, discord):
    await page_of(at, discord, ANA, discord.opened(CHANNEL, ANA))
    first = len(discord.connections)
    await page_of(at, discord, ANA, discord.opened(CHANNEL, ANA))
    assert len(discord.connections) == first <= 2, "the exchange, and the instance beside it"


async def test_who_does_not_consent_looks_on_at_the_board_of_the_channel(at, discord):
    instance = discord.opened(CHANNEL, ANA)
    assert await looked(at, instance) == (200, {})
    table = await played(at, opponent="ordenador")
    status, told = await looked(at, instance)
    assert status == 200
    assert told["picture"].startswith("data:image/png;base64,iVBOR")
    assert told["said"][0] == "Niya"
    assert told["seen"].startswith(f"{table}:")
    assert await looked(at, instance, seen=told["seen"]) == (200, {"seen": told["seen"]})
    other = await played(at, "cirya", "2", opponent="ordenador")
    assert (await looked(at, instance, table=table))[1]["seen"].startswith(table)
    assert (await looked(at, instance))[1]["seen"].startswith(other)


async def test_nobody_looks_on_from_elsewhere(at, discord):
    table, elsewhere = await played(at, opponent="ordenador"), Where("discord", "301")
    theirs = await played(at, "cirya", "2", where=elsewhere, who=EVA, opponent="ordenador")
    instance = discord.opened(CHANNEL, ANA)
    _, told = await looked(at, instance, table=theirs)
    assert told["seen"].startswith(table), "only the tables of the instance's channel"
    for wrong in ("i-none", instance[:-1], f"{instance}/../x"):
        status, told = await looked(at, wrong, table=table)
        assert status in (400, 403)
        assert list(told) == ["said"]
    outside = {**PROXIED, "Origin": "https://evil.example"}
    async with at.http.post(f"{at.here}/d/look", data="{}", headers=outside) as response:
        assert response.status == 403
    discord.down = True
    at.app.look_again(instance)
    assert (await looked(at, instance))[0] == 503


async def test_who_looks_on_sees_no_secret_of_the_players(at, discord):
    table = await played(at, "storilljudhjorrayc", opponent="ordenador")
    instance = discord.opened(CHANNEL, ANA)
    _, told = await looked(at, instance)
    assert told["seen"].startswith(table)
    shared = await at.facade.pages.find_board(table, "es")
    assert told["said"][1:] == [shared.headline, *shared.lines]


async def test_while_discord_is_away_nobody_comes_in_and_reads_why(at, discord):
    instance, code = discord.opened(CHANNEL, ANA), discord.code(ANA)
    await at.app.application()
    discord.down = True
    status, told = await entered(at, code, instance)
    assert (status, told["said"]) == (503, "Discord no contesta ahora. Prueba dentro de un rato.")


async def test_before_discord_says_who_we_are_no_frame_is_ours(at, discord):
    discord.down = True
    assert (await entered(at, "x", "y"))[0] == 403
    async with at.http.get(f"{at.here}/d/?frame_id=1", headers=PROXIED) as response:
        assert response.status == 503


async def test_without_a_secret_there_is_no_page_within_discord(tmp_path):
    async with server(tmp_path) as at, at.http.get(f"{at.url}/d/?frame_id=1") as response:
        assert response.status == 404


def test_the_script_for_discord_stays_small():
    folder = Path(chat.__file__).parent / "static"
    whole = sum((folder / name).stat().st_size for name in ("activity.js", "discord.js"))
    assert whole < 14_000
