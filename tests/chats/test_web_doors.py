"""The doors of the public page: who signs in is who they are in Discord or Telegram."""

from __future__ import annotations

import asyncio
import re

import aiohttp
import pytest

from bot.chats.web import DiscordApp, DoorKeys, TelegramLogin, chat
from bot.chats.web.doors.house_invitations import make_invitation
from bot.chats.web.doors.mini_app import guest_id_of
from bot.facade import Action
from bot.port import Asker, Command, Home, Where
from bot.session.table import PLAYING
from storage.table import views
from tests.chats import fake_discord_sign_in, telegram_oidc
from tests.chats.doors import PUBLIC, Browser
from tests.chats.fake_discord_sign_in import ANA, BEA
from tests.chats.pages import Page, server
from tests.chats.telegram_oidc import NEREA

HOME = Home("server-200", "es", "300", parts=False)
HERE = Where("discord", "300", home=HOME)


def keys(discord, telegram, /, **more) -> DoorKeys:
    app = DiscordApp(fake_discord_sign_in.TOKEN, fake_discord_sign_in.SECRET, discord.url)
    login = TelegramLogin(telegram_oidc.CLIENT, telegram_oidc.SECRET, telegram.url)
    return DoorKeys(**{"discord": app, "telegram": login, **more})


@pytest.fixture(name="house")
def house_fixture(discord, telegram, tmp_path, monkeypatch):
    """Opens a public page by its doors."""

    def opened(**more):
        def made(*wishes, **others):
            doors = keys(discord, telegram, **more)
            return built(*wishes, **{**others, "public": PUBLIC, "doors": doors})

        built = chat.WebChat
        monkeypatch.setattr("tests.chats.pages.WebChat", made)
        return server(tmp_path)

    return opened


@pytest.fixture(name="at")
async def at_fixture(house):
    async with house() as made:
        made.here = f"http://127.0.0.1:{made.chat.port}"
        yield made


async def person_of(at, asker) -> int:
    return (await at.facade.services.people.of(asker)).id


def discord_asker(person) -> Asker:
    return Asker("discord", person["id"], person["global_name"] or "x", None)


# ---------------------------------------------------------------- coming in


async def test_strangers_see_the_doors_that_are_open(at):
    came = await Browser(at).get("/")
    assert came.status == 200
    assert came.links[:2] == ["/door/discord", "/door/telegram"]
    assert "Entrar con Discord" in came.text


async def test_without_settings_there_are_no_doors(house):
    async with house(discord=None, telegram=None) as at:
        at.here = f"http://127.0.0.1:{at.chat.port}"
        browser = Browser(at)
        assert "/door/guest" not in (await browser.get("/")).text
        for path in ("/door/discord", "/door/telegram", "/door/discord/back", "/door/guest"):
            assert (await browser.get(path)).status == 404


async def test_who_signs_in_with_discord_is_the_same_person_and_sees_his_tables(at, discord):
    call = Command("1", HERE, discord_asker(ANA), "play", {"game": "niya", "opponent": "ordenador"})
    assert (await at.facade.requests.call(call)).good
    browser = Browser(at)
    came = await browser.by_discord(discord, ANA)
    assert came.onward.startswith("/p/")
    guest = await browser.guest()
    assert guest.name == "Ana"
    assert await person_of(at, guest.asker) == await person_of(at, discord_asker(ANA))
    async with await browser.page(guest) as socket:
        page = Page(socket)
        await page.ask("hello", theme="light", language="es")
        assert [board["title"] for board in page.boards.values()] == ["Niya"]


@pytest.mark.slow
async def test_who_signs_in_with_telegram_is_the_same_person(at, telegram):
    browser, nerea = Browser(at), Asker("telegram", str(NEREA["id"]), "Nerea Ruiz", None)
    before = await person_of(at, nerea)
    await browser.by_telegram(telegram)
    guest = await browser.guest()
    assert guest.id == guest_id_of(str(NEREA["id"]))
    assert await person_of(at, guest.asker) == before


async def test_the_answer_to_the_platform_is_a_page_and_no_redirect(at, discord):
    browser = Browser(at)
    asked = await browser.begin("discord")
    assert asked["scope"] == "identify"
    assert asked["code_challenge_method"] == "S256"
    assert asked["redirect_uri"] == f"{PUBLIC}/door/discord/back"
    assert browser.cookies["__Host-ludoteca-door"][1] == "Lax"
    code = discord.code_for(ANA, asked["code_challenge"], asked["redirect_uri"])
    came = await browser.back("discord", code=code, state=asked["state"])
    assert (came.status, came.onward) == (200, "/door/go")
    assert "__Host-ludoteca-door" not in browser.cookies
    assert browser.cookies["__Host-ludoteca-ticket"][1] == "Strict"


async def test_who_lost_the_cookie_signs_in_again_and_is_themselves(at, discord):
    first = Browser(at)
    await first.by_discord(discord, ANA)
    guest = await first.guest()
    second = Browser(at)
    await second.by_discord(discord, ANA)
    assert (await second.guest()).id == guest.id


@pytest.mark.slow
async def test_both_doors_lead_one_person_to_their_two_pages_once_they_are_joined(
    at, discord, telegram
):
    browser = Browser(at)
    await browser.by_discord(discord, ANA)
    came = await browser.by_telegram(telegram)
    assert "Ana" in came.said
    assert "Nerea Ruiz (Telegram)" in came.said
    await browser.follow(await browser.get("/door/go?as=join"))
    nerea = Asker("telegram", str(NEREA["id"]), "", None)
    assert await person_of(at, nerea) == await person_of(at, discord_asker(ANA))
    other = Browser(at)
    await other.by_telegram(telegram)
    guest = await other.guest()
    assert await person_of(at, guest.asker) == await person_of(at, nerea)


# ---------------------------------------------------------------- who is here already


async def named_guest(at, name="Zoe") -> Browser:
    """Somebody with a page of their own in a browser."""
    browser = Browser(at)
    token = re.search(r"t=([\w-]+)", at.told[-1])[1]
    await browser.follow(await browser.get(f"/?t={token}"))
    guest = await browser.guest()
    async with await browser.page(guest) as socket:
        await Page(socket).ask("name", name=name)
    return browser


async def test_where_somebody_plays_already_one_question_names_both_and_joins_nobody(at, discord):
    browser = await named_guest(at)
    zoe = (await browser.guest()).asker
    came = await browser.by_discord(discord, ANA)
    assert came.said == "En este navegador juegas como Zoe, y acabas de entrar como Ana (Discord)."
    assert came.links == ["/door/go?as=switch", "/door/go?as=join", "/"]
    assert not await at.facade.requests.are_one(zoe, discord_asker(ANA))
    assert (await browser.guest()).name == "Zoe"


@pytest.mark.sampled
@pytest.mark.parametrize(("wish", "name", "one"), [("switch", "Ana", False), ("join", "Zoe", True)])
async def test_the_question_is_answered_by_switching_or_by_joining(at, discord, wish, name, one):
    browser = await named_guest(at)
    zoe = (await browser.guest()).asker
    await browser.by_discord(discord, ANA)
    await browser.follow(await browser.get(f"/door/go?as={wish}"))
    assert (await browser.guest()).name == name
    assert await at.facade.requests.are_one(zoe, discord_asker(ANA)) is one
    again = await browser.get(f"/door/go?as={wish}")
    assert again.status == 403, "a ticket is for once"


async def test_who_is_one_person_already_is_asked_nothing(at, discord):
    browser = Browser(at)
    await browser.by_discord(discord, ANA)
    came = await browser.by_discord(discord, ANA)
    assert came.onward.startswith("/p/")


@pytest.mark.slow
async def test_an_invited_guest_without_a_name_comes_to_the_table_as_who_signs_in(at, discord):
    host = await named_guest(at)
    guest = await host.guest()
    async with await host.page(guest) as socket:
        page = Page(socket)
        await page.ask("hello", theme="light", language="es")
        table = (await page.type("/play niya"))["open"]
        link = (await page.ask("invite", table=table))["link"]
        browser = Browser(at)
        await browser.follow(await browser.get(link.removeprefix(PUBLIC)))
        await browser.by_discord(discord, BEA)
        assert (await browser.guest()).name == "Bea"
        await page.board(table, lambda board: "Bea" in board["with"])


# ---------------------------------------------------------------- sessions


async def test_the_devices_list_has_browsers_and_apps_of_one_person_and_ends_them(at, discord):
    first, second = Browser(at), Browser(at)
    for browser in (first, second):
        await browser.by_discord(discord, ANA)
    guest = await first.guest()
    async with await first.page(guest) as socket, await second.page(guest) as other:
        page = Page(socket)
        assert len((await page.ask("devices"))["devices"]) == 2
        await page.ask("end")
        while (message := await other.receive()).type is aiohttp.WSMsgType.TEXT:
            pass
        assert message.data == chat.ENDED
    assert await second.guest() is None
    assert await first.guest() is not None


async def test_who_is_banned_does_not_come_in_and_is_out_at_once(at, discord):
    browser = Browser(at)
    await browser.by_discord(discord, ANA)
    guest = await browser.guest()
    async with await browser.page(guest) as socket:
        await Page(socket).ask("hello", theme="light", language="es")
        await at.facade.operator.ban("discord", ANA["id"])
        async with asyncio.timeout(1):
            while (await socket.receive()).type is aiohttp.WSMsgType.TEXT:
                pass
    other = Browser(at)
    came = await other.by_discord(discord, ANA)
    assert came.status == 403
    assert await other.guest() is None


# ---------------------------------------------------------------- guests of the house


async def test_an_open_house_lets_anybody_in_and_asks_for_a_name(house):
    async with house(open_house=True) as at:
        at.here = f"http://127.0.0.1:{at.chat.port}"
        browser = Browser(at)
        assert "/door/guest" in (await browser.get("/")).links
        await browser.follow(await browser.get("/door/guest"))
        guest = await browser.guest()
        assert guest.name == ""
        async with await browser.page(guest) as socket:
            page = Page(socket)
            await page.ask("hello", theme="light", language="es")
            await page.ask("name", name="Iris")
            assert (await page.type("/play niya opponent=ordenador"))["open"]
        await browser.follow(await browser.get("/door/guest"))
        assert (await browser.guest()).name == "Iris", "who has a page keeps it"


@pytest.mark.slow
async def test_a_guest_of_an_open_house_plays_rated_games_once_they_have_signed_in(house, discord):
    async with house(open_house=True) as at:
        at.here = f"http://127.0.0.1:{at.chat.port}"
        browser = Browser(at)
        await browser.follow(await browser.get("/door/guest"))
        guest = await browser.guest()
        services = at.facade.services
        async with await browser.page(guest) as socket:
            page = Page(socket)
            await page.ask("hello", theme="light", language="es")
            await page.ask("name", name="Iris")
            opened = await page.type("/play niya opponent=cualquiera rated=yes")
        table = await services.tables.get(opened["open"])
        assert (table.rated, table.casual) == (False, "guest")
        call = Command("1", HERE, discord_asker(BEA), "play", {"game": "niya", "rated": "yes"})
        assert (await at.facade.requests.call(call)).good
        ((code,),) = (await at.facade.store.read(views.games_by_place, "discord")).values()
        refused = await at.facade.requests.call(guest.command("sit", Action.JOIN, table=code))
        assert not refused.good
        assert "los invitados no pueden" in refused.said
        await browser.by_discord(discord, ANA)
        await browser.follow(await browser.get("/door/go?as=join"))
        await at.facade.requests.call(guest.command("again", Action.JOIN, table=code))
        assert (await services.tables.get(code)).rated
        assert (await services.tables.get(code)).status == PLAYING


async def test_whom_the_operator_invites_is_no_passing_guest(at):
    browser = Browser(at)
    await browser.follow(await browser.get(await make_invitation(at.facade.notes, 30, 1)))
    guest = await browser.guest()
    assert await at.facade.notes.read(f"web:passing:{guest.id}", str) is None


@pytest.mark.usefixtures("strangers_pay")
async def test_of_one_address_so_many_guests_come_in_and_no_more(house):
    async with house(open_house=True) as at:
        at.here = f"http://127.0.0.1:{at.chat.port}"
        found = [await Browser(at).get("/door/guest?on") for _ in range(14)]
        assert [one.status for one in found] == [200] * 12 + [429] * 2


async def test_an_invitation_of_the_house_lets_so_many_in_so_long(at):
    path = await make_invitation(at.facade.notes, 30, 2)
    browsers = [Browser(at) for _ in range(3)]
    found = [await one.follow(await one.get(path)) for one in browsers]
    assert [one.status for one in found] == [200, 200, 410]
    assert await browsers[0].guest() is not None
    late = await make_invitation(at.facade.notes, 0, 2)
    assert (await Browser(at).get(late)).status == 410
    await browsers[0].follow(await browsers[0].get(await make_invitation(at.facade.notes, 1, 1)))


async def test_a_preview_spends_no_invitation(at):
    path = await make_invitation(at.facade.notes, 30, 1)
    for _ in range(3):
        assert (await Browser(at).get(path)).status == 200
    browser = Browser(at)
    await browser.follow(await browser.get(path))
    assert await browser.guest() is not None
