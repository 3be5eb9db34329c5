"""The operator's page: for who is named and has signed in by a door, or for this machine, once."""

from __future__ import annotations

import asyncio
import logging
import re
from contextlib import asynccontextmanager
from urllib.parse import urlencode

import pytest
from aiohttp import FormData

from bot.chats.web import DiscordApp, DoorKeys, OperatorKeys, WebChat, chat
from bot.chats.web.operator_page import COOKIE, MARKS, PATH
from bot.port import Asker
from storage.records import EPOCH, FaultRow
from storage.table import games
from tests.chats import fake_discord_sign_in
from tests.chats.doors import PUBLIC, Browser
from tests.chats.fake_discord_sign_in import ANA, BEA
from tests.chats.pages import server

NAMED = OperatorKeys(people=frozenset({"discord:11", "telegram:77"}))


@pytest.fixture(name="opened")
def opened_fixture(tmp_path, monkeypatch, discord):
    """Opens a page that *operators* run, near or public."""

    @asynccontextmanager
    async def opened(operators=chat.NO_OPERATORS, *, public=False):
        addresses: list[str] = []
        app = DiscordApp(fake_discord_sign_in.TOKEN, fake_discord_sign_in.SECRET, discord.url)
        more = {"public": PUBLIC, "doors": DoorKeys(discord=app)} if public else {}

        def made(*wishes, **others):
            others |= {"operators": operators, "told_operator": addresses.append, **more}
            return WebChat(*wishes, **others)

        monkeypatch.setattr("tests.chats.pages.WebChat", made)
        async with server(tmp_path) as at:
            at.here, at.addresses = f"http://127.0.0.1:{at.chat.port}", addresses
            yield at

    return opened


class Near:
    """A browser on this machine."""

    def __init__(self, at) -> None:
        self.at, self.cookie = at, ""

    async def get(self, path: str, **headers: str) -> tuple[int, str]:
        if self.cookie:
            headers["Cookie"] = self.cookie
        async with self.at.http.get(f"{self.at.here}{path}", headers=headers) as response:
            if put := response.cookies.get(COOKIE):
                assert put["httponly"]
                assert put["samesite"] == "Strict"
                assert put["path"] == PATH
                self.cookie = f"{COOKIE}={put.value}"
            return response.status, await response.text()

    async def act(self, **form: str) -> tuple[int, str]:
        sent = {"Cookie": self.cookie, "Origin": self.at.here}
        url = f"{self.at.here}{PATH}act"
        async with self.at.http.post(url, data=form, headers=sent) as response:
            assert response.headers["Referrer-Policy"] == "same-origin"
            assert "form-action 'self'" in response.headers["Content-Security-Policy"]
            return response.status, await response.text()

    async def come_in(self) -> Near:
        (address,) = self.at.addresses
        assert (await self.get(address.removeprefix(self.at.here)))[0] == 200
        return self


def told(page: str) -> str:
    """What the page answers to a form."""
    found = re.search(r'<p role="status">(.*?)</p>', page)
    return "" if found is None else found[1]


# ---------------------------------------------------------------- at this machine


async def test_the_address_of_the_start_lets_one_browser_in_once(opened):
    async with opened() as at:
        (address,) = at.addresses
        path = address.removeprefix(at.here)
        stranger, mine, other = Near(at), Near(at), Near(at)
        assert (await stranger.get(PATH))[0] == 401
        assert (await stranger.get(f"{PATH}?once=guess"))[0] == 410
        assert (await mine.get(path))[0] == 200
        assert (await mine.get(PATH))[0] == 200
        assert (await other.get(path))[0] == 410
        assert (await other.get(PATH))[0] == 401
        assert (await other.act(act="ban", platform="web", id="x"))[0] == 401


@pytest.mark.sampled(3)
@pytest.mark.parametrize("mark", MARKS)
async def test_nothing_is_opened_by_a_request_that_was_passed_on(opened, mark):
    async with opened() as at:
        path = at.addresses[0].removeprefix(at.here)
        assert (await Near(at).get(path, **{mark: "198.51.100.4"}))[0] in (404, 421)
        mine = await Near(at).come_in()  # it is unspent
        assert (await mine.get(PATH, **{mark: "198.51.100.4"}))[0] in (404, 421)


async def test_nor_by_one_of_the_old_protocol_as_proxies_speak_it(opened):
    async with opened() as at:
        reader, writer = await asyncio.open_connection("127.0.0.1", at.chat.port)
        path, host = at.addresses[0].removeprefix(at.here), at.here.removeprefix("http://")
        writer.write(f"GET {path} HTTP/1.0\r\nHost: {host}\r\n\r\n".encode())
        assert b" 404 " in await reader.readline()
        writer.close()
        await Near(at).come_in()


async def test_a_public_page_prints_no_address_and_is_closed_to_this_machine_too(opened):
    async with opened(public=True) as at:
        assert at.addresses == []
        assert (await Near(at).get(PATH))[0] == 404
        assert (await Near(at).get(f"{PATH}?once=guess"))[0] == 404
        assert (await Browser(at).get(PATH)).status == 404


async def test_with_persons_named_no_address_is_printed(opened):
    async with opened(NAMED) as at:
        assert at.addresses == []
        assert (await Near(at).get(f"{PATH}?once=guess"))[0] == 404
        assert (await Near(at).get(PATH))[0] == 401


@pytest.mark.slow
async def test_it_shows_who_plays_what_waits_and_what_is_set_aside(opened):
    async with opened() as at:
        host = await at.first("<script>Nerea")
        async with host.open() as page:
            table = (await page.type("/play niya"))["open"]
            guest = await at.guest(page, table, "Bruno")
            assert guest.path
            waits = (await page.type("/play cirya"))["open"]
            row = FaultRow(waits, 3, "it cannot be read", EPOCH)
            mine = await Near(at).come_in()
            status, shown = await mine.get(PATH, **{"Accept-Language": "en"})
            assert status == 200
            assert table in shown
            assert "&lt;script&gt;Nerea" in shown
            assert "<script" not in shown
            assert "Bruno" in shown
            assert "Tables in play: 1" in shown
            assert "Tables waiting: 1" in shown
            assert waits in shown
            assert "chat:web" in shown
            assert "this process" in shown
            await at.facade.store.write(games.set_game_aside, row)
            assert "it cannot be read" in (await mine.get(PATH))[1]


async def test_it_keeps_out_and_lets_in_and_every_act_is_logged(opened, caplog):
    caplog.set_level(logging.INFO)
    async with opened() as at:
        mine = await Near(at).come_in()
        eva = Asker("discord", "33", "Eva")
        for act, kept, said in (
            ("ban", True, "Queda fuera"),
            ("ban", True, "Ya estaba fuera"),
            ("unban", False, "Puede volver"),
            ("unban", False, "no se ha dejado fuera a nadie"),
        ):
            status, shown = await mine.act(act=act, platform="discord", id=" 33 ")
            assert status == 200
            assert said in told(shown)
            assert await at.facade.requests.is_banned(eva) is kept
        assert caplog.messages.count("operator at this machine: ban discord 33") == 2
        assert caplog.messages.count("operator at this machine: unban discord 33") == 2


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    "form",
    [
        {"act": "ban", "platform": "discord", "id": ""},
        {"act": "ban", "platform": "discord", "id": "1 2"},
        {"act": "ban", "platform": "discord", "id": "1" * 65},
        {"act": "ban", "platform": "discord", "id": "ñ\n"},
        {"act": "unban", "platform": "icq", "id": "1"},
        {"act": "announce", "text": "", "hours": "1"},
        {"act": "announce", "text": "\u200b", "hours": "1"},
        {"act": "announce", "text": "x" * 201, "hours": "1"},
        {"act": "announce", "text": "x", "hours": "0"},
        {"act": "announce", "text": "x", "hours": "169"},
        {"act": "announce", "text": "x", "hours": "²"},
    ],
)
async def test_bad_input_is_told_in_a_sentence_and_changes_nothing(opened, form, caplog):
    async with opened() as at:
        mine = await Near(at).come_in()
        caplog.clear()
        status, shown = await mine.act(**form)
        assert status == 200
        assert re.search(r"hasta 64|entre 1 y 200|de 1 a 168", told(shown))
        assert caplog.messages == []
        assert at.facade.services.announcer.announcements.present is None


async def test_what_is_no_act_or_no_form_is_refused(opened):
    async with opened() as at:
        mine = await Near(at).come_in()
        for form in ({}, {"act": "restart"}):
            assert (await mine.act(**form))[0] == 400
        sent = {"Cookie": mine.cookie, "Origin": at.here}
        data = FormData()
        data.add_field("act", b"ban", filename="ban.txt")
        async with at.http.post(f"{at.here}{PATH}act", data=data, headers=sent) as response:
            assert response.status == 400


@pytest.mark.sampled
@pytest.mark.parametrize("origin", [None, "null", "http://evil.example"])
async def test_no_other_page_can_send_a_form(opened, origin):
    async with opened() as at:
        mine = await Near(at).come_in()
        sent = {"Cookie": mine.cookie, **({} if origin is None else {"Origin": origin})}
        form = urlencode({"act": "ban", "platform": "discord", "id": "33"})
        sent["Content-Type"] = "application/x-www-form-urlencoded"
        async with at.http.post(f"{at.here}{PATH}act", data=form, headers=sent) as response:
            assert response.status == 403
        assert not await at.facade.requests.is_banned(Asker("discord", "33", "Eva"))


@pytest.mark.slow
async def test_what_is_announced_stands_on_open_boards_and_goes_again(opened):
    async with opened() as at:
        host = await at.first()
        async with host.open() as page:
            table = (await page.type("/play niya"))["open"]
            await page.board(table)
            mine = await Near(at).come_in()
            await mine.act(act="announce", text="Upgrade at 22:00", hours="2")
            await page.board(table, lambda board: "Upgrade at 22:00" in str(board))
            assert "Upgrade at 22:00" in (await mine.get(PATH))[1]
            async with host.open() as again:
                assert "Upgrade at 22:00" in str(again.boards[table])
            await mine.act(act="end")
            await page.board(table, lambda board: "Upgrade at 22:00" not in str(board))


# ---------------------------------------------------------------- by a door


async def signed_in(at, discord, person) -> Browser:
    browser = Browser(at)
    assert (await browser.by_discord(discord, person)).onward.startswith("/p/")
    return browser


async def act_of(at, browser: Browser, **form: str) -> tuple[int, str]:
    kept = "; ".join(f"{name}={value}" for name, (value, _) in browser.cookies.items())
    sent = {
        "Host": "play.example.org",
        "X-Forwarded-Proto": "https",
        "Origin": PUBLIC,
        "X-Forwarded-For": "203.0.113.7",
        "Cookie": kept,
    }
    async with at.http.post(f"{at.here}{PATH}act", data=form, headers=sent) as response:
        return response.status, await response.text()


@pytest.mark.slow
async def test_who_is_named_runs_the_house_where_they_have_signed_in(opened, discord, caplog):
    caplog.set_level(logging.INFO)
    async with opened(NAMED, public=True) as at:
        stranger = await Browser(at).get(PATH)
        assert stranger.status == 401
        assert "/door/discord" in stranger.links
        bea, ana = await signed_in(at, discord, BEA), await signed_in(at, discord, ANA)
        assert (await bea.get(PATH)).status == 403
        assert (await act_of(at, bea, act="ban", platform="discord", id="33"))[0] == 403
        assert (await ana.get(PATH)).status == 200
        assert (await act_of(at, ana, act="ban", platform="discord", id="12"))[0] == 200
        assert "operator discord:11 (Ana): ban discord 12" in caplog.messages
        shown = (await act_of(at, ana, act="ban", platform="discord", id="11"))[1]
        assert "No puedes dejarte fuera" in told(shown)
        assert (await ana.get(PATH)).status == 200


async def test_whoever_is_one_with_them_by_other_ways_does_not(opened, discord):
    async with opened(NAMED, public=True) as at:
        ana = await signed_in(at, discord, ANA)
        assert (await ana.get(PATH)).status == 200
        other = Browser(at)
        came = await other.get(at.told[0].removeprefix(PUBLIC))
        came = await other.follow(came)
        guest = await other.guest()
        assert guest is not None
        await at.facade.requests.join(Asker("discord", "11", "Ana"), guest.asker)
        assert await at.facade.requests.are_one(Asker("discord", "11", "Ana"), guest.asker)
        assert (await other.get(PATH)).status == 401


async def test_a_browser_that_was_joined_at_the_door_does(opened, discord):
    async with opened(NAMED, public=True) as at:
        ana = Browser(at)
        await ana.follow(await ana.get(at.told[0].removeprefix(PUBLIC)))
        guest = await ana.guest()
        assert guest is not None
        await at.facade.services.people.of(guest.asker)
        assert (await ana.get(PATH)).status == 401
        came = await ana.by_discord(discord, ANA)
        assert came.onward.startswith("/p/")
        assert (await ana.get(PATH)).status == 200


async def test_who_is_named_and_kept_out_does_not(opened, discord):
    async with opened(NAMED, public=True) as at:
        ana = await signed_in(at, discord, ANA)
        await at.facade.operator.ban("discord", "11")
        assert (await ana.get(PATH)).status == 403


async def test_a_guest_of_this_house_is_nobody_there(opened):
    async with opened() as at:
        visitor = await at.first()
        assert (await visitor.get(PATH))[0] == 401
