"""Attacks on instances, cookies and framing: nobody comes in by one."""

from __future__ import annotations

import asyncio
import base64
import json
import time

import aiohttp
import pytest

from bot.chats.web import DiscordApp, DoorKeys, TelegramLogin, chat
from bot.chats.web.doors.mini_app import guest_id_of
from tests.chats import fake_discord_sign_in, telegram_oidc
from tests.chats.doors import PUBLIC, Browser
from tests.chats.fake_discord_sign_in import ANA, APPLICATION, BEA, DiscordApi
from tests.chats.pages import server

FRAME = f"https://{APPLICATION}.discordsays.com"
PROXIED = {
    "Host": "play.example.org",
    "X-Forwarded-For": "2a06:98c0:3600::103",
    "X-Forwarded-Proto": "https",
}
OURS = {**PROXIED, "Origin": FRAME, "Content-Type": "application/json"}
CHANNEL = "300"


@pytest.fixture(name="at")
async def at_fixture(discord, telegram, tmp_path, monkeypatch):
    """A public page with every door, which is an Activity and a Mini App as well."""
    app = DiscordApp(fake_discord_sign_in.TOKEN, fake_discord_sign_in.SECRET, discord.url)
    login = TelegramLogin(telegram_oidc.CLIENT, telegram_oidc.SECRET, telegram.url)

    def made(*wishes, **more):
        keys = DoorKeys(app, login)
        told = {"public": PUBLIC, "discord": app, "telegram": "1:x", "doors": keys}
        return built(*wishes, **{**more, **told})

    built = chat.WebChat
    monkeypatch.setattr("tests.chats.pages.WebChat", made)
    async with server(tmp_path) as opened:
        opened.here, opened.app = f"http://127.0.0.1:{opened.chat.port}", app
        opened.discord, opened.telegram = discord, telegram
        yield opened


async def post(at, body, path="/d/enter", **headers) -> tuple[int, str]:
    """What a request to come in within Discord is answered."""
    data = body if isinstance(body, str) else json.dumps(body)
    told = {key: value for key, value in {**OURS, **headers}.items() if value}
    async with at.http.post(f"{at.here}{path}", data=data, headers=told) as response:
        assert "Set-Cookie" not in response.headers
        return response.status, await response.text()


async def is_anybody_in(at) -> bool:
    ids = [guest_id_of(one["id"], "discord") for one in (ANA, BEA)]
    return any([await at.chat._guests.get(one) for one in ids])


# ---------------------------------------------------------------- codes and instances

GOOD = "i-770-gc-200-300"

BODIES = {
    "a made-up code": {"code": "made-up"},
    "no code": {"code": ""},
    "a code that is a path": {"code": "../../users/@me"},
    "a code of 300 letters": {"code": "a" * 300},
    "no instance": {"instance": ""},
    "an instance that does not run": {"instance": "i-1-gc-200-300"},
    "an instance that is a path": {"instance": "../../../users/@me"},
    "an instance with a query": {"instance": f"{GOOD}?x=1"},
    "an instance of 300 letters": {"instance": "i" * 300},
    "somebody else named in the request": {"user_id": BEA["id"]},
    "another channel named in the request": {"channel_id": "301"},
    "a verifier that is none": {"verifier": "x y"},
    "a code as a number": {"code": 5},
}


@pytest.mark.sampled(5)
@pytest.mark.parametrize("name", BODIES)
async def test_within_discord_nobody_comes_in_by(at, name):
    at.discord.opened(CHANNEL, ANA, name=GOOD)
    body = {"code": at.discord.code(ANA), "instance": GOOD, **BODIES[name]}
    status, _ = await post(at, body)
    assert 400 <= status < 500
    assert not await is_anybody_in(at)


@pytest.mark.parametrize("body", ["", "null", "[]", "{", "code=x&instance=y", '{"code":"x"}', "💥"])
async def test_what_is_no_request_of_our_page_is_refused(at, body):
    assert (await post(at, body))[0] == 400


async def test_a_code_is_for_once_and_for_whom_it_was_given_and_where(at):
    discord, instance = at.discord, at.discord.opened(CHANNEL, ANA)
    code = discord.code(ANA)
    assert (await post(at, {"code": code, "instance": instance}))[0] == 200
    assert (await post(at, {"code": code, "instance": instance}))[0] == 401, "used"
    hers = discord.code(BEA)
    assert (await post(at, {"code": hers, "instance": instance}))[0] == 403, "not in the instance"
    door = discord.code(ANA, back=f"{PUBLIC}/door/discord/back")
    assert (await post(at, {"code": door, "instance": instance}))[0] == 401, "of the door"
    discord.scope = "guilds"
    assert (await post(at, {"code": discord.code(ANA), "instance": instance}))[0] == 401, "scope"


async def test_the_instance_of_others_opens_nobody_s_channel(at):
    mine, theirs = at.discord.opened("301", ANA), at.discord.opened(CHANNEL, BEA)
    status, _ = await post(at, {"code": at.discord.code(ANA), "instance": theirs})
    assert status == 403
    assert (await post(at, {"code": at.discord.code(ANA), "instance": mine}))[0] == 200


ORIGINS = {
    "our public page": {"Origin": PUBLIC},
    "another application's frame": {"Origin": "https://6160.discordsays.com"},
    "a name that ends alike": {"Origin": f"https://evil-{APPLICATION}.discordsays.com"},
    "a name that begins alike": {"Origin": f"{FRAME}.evil.example"},
    "Discord itself": {"Origin": "https://discord.com"},
    "a page without origin": {"Origin": "null"},
    "nobody": {"Origin": ""},
    "unencrypted": {"Origin": FRAME.replace("https", "http")},
}


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", ORIGINS)
async def test_within_discord_nobody_asks_from(at, name):
    instance = at.discord.opened(CHANNEL, ANA)
    body = {"code": at.discord.code(ANA), "instance": instance}
    assert (await post(at, body, **ORIGINS[name]))[0] == 403
    assert not await is_anybody_in(at)


async def test_the_page_within_discord_stands_at_the_public_name_alone(at):
    async with at.http.get(f"{at.here}/d/?frame_id=1") as response:
        assert response.status == 404
    assert (await post(at, {}, Host="evil.example"))[0] == 421
    async with at.http.get(f"{at.here}/d/enter", headers=PROXIED) as response:
        assert response.status == 405


async def test_what_the_proxy_signs_must_be_true_where_it_comes(at):
    discord, now = at.discord, time.time()
    instance = discord.opened(CHANNEL, ANA, BEA)

    async def tried(headers) -> int:
        body = {"code": discord.code(ANA), "instance": instance}
        return (await post(at, body, **headers))[0]

    good = discord.signed(now, ANA["id"], instance)
    assert await tried(good) == 200
    as_hex = base64.b64decode(good["X-Signature-Ed25519"]).hex()
    assert await tried({**good, "X-Signature-Ed25519": as_hex}) == 200
    wrong = [
        discord.signed(now, BEA["id"], instance),
        discord.signed(now, ANA["id"], "i-0-gc-200-300"),
        discord.signed(now - 900, ANA["id"], instance),
        discord.signed(now + 900, ANA["id"], instance),
        DiscordApi().signed(now, ANA["id"], instance),
        {**good, "X-Signature-Ed25519": ""},
        {**good, "X-Signature-Ed25519": "00" * 64},
        {**good, "X-Discord-Proxy-Payload": "e30="},
        {"X-Signature-Ed25519": good["X-Signature-Ed25519"]},
        {"X-Discord-Proxy-Payload": good["X-Discord-Proxy-Payload"]},
    ]
    assert [await tried(one) for one in wrong] == [403] * len(wrong)


async def test_who_looks_on_is_where_the_proxy_signs_that_they_are(at):
    discord, now = at.discord, time.time()
    instance, others = discord.opened("300", ANA), discord.opened("301", BEA)
    body = json.dumps({"instance": instance})
    assert (await post(at, body, "/d/look"))[0] == 200
    assert (await post(at, body, "/d/look", **discord.signed(now, ANA["id"], instance)))[0] == 200
    attacks = [
        discord.signed(now, BEA["id"], instance),
        discord.signed(now, BEA["id"], others),
        discord.signed(now, ANA["id"], others),
        discord.signed(now - 900, ANA["id"], instance),
        DiscordApi().signed(now, ANA["id"], instance),
    ]
    assert {(await post(at, body, "/d/look", **headers))[0] for headers in attacks} == {403}
    assert not await is_anybody_in(at)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", ORIGINS)
async def test_nobody_looks_on_from(at, name):
    body = json.dumps({"instance": at.discord.opened("300", ANA)})
    status, said = await post(at, body, "/d/look", **ORIGINS[name])
    assert status == 403, said


@pytest.mark.parametrize("path", ["/look", "/d/s/x/look", "/door/look"])
async def test_outside_of_its_page_nothing_is_looked_at(at, path):
    body = json.dumps({"instance": at.discord.opened("300", ANA)})
    assert (await post(at, body, path))[0] in (401, 403, 404, 405)


@pytest.mark.usefixtures("strangers_pay")
async def test_junk_by_the_shared_proxy_keeps_nobody_out_whom_it_signs_or_whose_instance_runs(at):
    here, there = at.discord.opened(CHANNEL, ANA), at.discord.opened("301", BEA)
    assert (await post(at, {"code": at.discord.code(ANA), "instance": here}))[0] == 200
    instant = time.monotonic()
    at.chat._budget.clock = lambda: instant
    junk = {"code": "x", "instance": "i"}
    found = [(await post(at, junk))[0] for _ in range(17)]
    assert found == [401] * 15 + [429] * 2, "a code in no instance is paid as junk"
    found = await asyncio.gather(*(post(at, "{") for _ in range(9)))
    assert {status for status, _ in found} <= {400, 429}
    again = {"code": at.discord.code(ANA), "instance": here}
    assert (await post(at, again))[0] == 200, "their instance runs"
    signed = at.discord.signed(time.time(), BEA["id"], there)
    await post(at, junk)
    hers = {"code": at.discord.code(BEA), "instance": there}
    assert (await post(at, hers, **signed))[0] == 200, "the proxy signs who it is"
    async with at.http.get(f"{at.here}/d/?frame_id=1", headers=PROXIED) as response:
        assert response.status == 200
    async with at.http.get(f"{at.here}/static/page.js", headers=PROXIED) as response:
        assert response.status == 200


@pytest.mark.usefixtures("strangers_pay")
async def test_who_enters_often_is_asked_for_patience_with_a_sentence(at):
    instance = at.discord.opened(CHANNEL, ANA)
    found = [
        await post(at, {"code": at.discord.code(ANA), "instance": instance}) for _ in range(12)
    ]
    assert [status for status, _ in found] == [200] * 10 + [429] * 2
    assert "said" in json.loads(found[-1][1])


# ---------------------------------------------------------------- tokens, cookies, frames


async def status_of(at, path, **headers) -> int:
    async with at.http.get(f"{at.here}{path}", headers={**PROXIED, **headers}) as response:
        return response.status


async def test_tokens_and_cookies_of_one_place_open_no_other(at):
    instance = at.discord.opened(CHANNEL, ANA)
    _, told = await post(at, {"code": at.discord.code(ANA), "instance": instance})
    path = json.loads(told)["path"]
    guest, _, token = path.removeprefix("s/").rstrip("/").partition("-")
    assert await status_of(at, f"/d/s/{guest}-{token}/") == 204
    framed = await at.chat._guests.enter_within(guest_id_of("7"), "Iris", "es")
    theirs = f"{framed.guest.id}-{framed.secret}"
    browser = Browser(at)
    await browser.by_discord(at.discord, ANA)
    cookies = {name: value for name, (value, _) in browser.cookies.items()}
    secret = cookies[f"__Host-ludoteca-{guest}"]
    as_cookie = f"__Host-ludoteca-{guest}={token}; __Host-ludoteca-home={guest}.{token}"
    wrong = {
        "a token in a cookie": await status_of(at, f"/p/{guest}/", Cookie=as_cookie),
        "a cookie's secret as a token": await status_of(at, f"/d/s/{guest}-{secret}/"),
        "no token but a cookie": await status_of(
            at, f"/d/s/{guest}-{'a' * 32}/", Cookie=f"__Host-ludoteca-{guest}={secret}"
        ),
        "Telegram's token within Discord": await status_of(at, f"/d/s/{theirs}/"),
        "Discord's token within Telegram": await status_of(at, f"/t/{guest}-{token}/"),
        "somebody else's": await status_of(at, f"/d/s/{framed.guest.id}-{token}/"),
        "a part of one": await status_of(at, f"/d/s/{guest}-{token[:-1]}/"),
        "a page of the public way": await status_of(at, f"/d/p/{guest}/"),
    }
    assert {name: one for name, one in wrong.items() if one not in (401, 404)} == {}


async def test_sockets_are_opened_by_their_own_pages_alone(at):
    instance = at.discord.opened(CHANNEL, ANA)
    _, told = await post(at, {"code": at.discord.code(ANA), "instance": instance})
    browser = Browser(at)
    await browser.by_discord(at.discord, ANA)
    guest = await browser.guest()
    cookie = f"__Host-ludoteca-{guest.id}={browser.cookies[f'__Host-ludoteca-{guest.id}'][0]}"
    within, page = f"/d/{json.loads(told)['path']}socket", f"/p/{guest.id}/socket"
    for path, origin in ((within, PUBLIC), (within, "https://evil.example"), (page, FRAME)):
        headers = {**PROXIED, "Origin": origin, "Cookie": cookie}
        with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
            await at.http.ws_connect(f"{at.here}{path}", headers=headers)
        assert refused.value.status == 403


async def test_only_the_page_within_discord_is_framed_by_discord(at):
    for path in ("/", "/door/discord/back", "/static/page.js", "/m/", f"/p/{'0' * 32}/"):
        async with at.http.get(f"{at.here}{path}", headers=PROXIED) as response:
            assert "discord" not in response.headers["Content-Security-Policy"], path
    async with at.http.get(f"{at.here}/d/?frame_id=1", headers=PROXIED) as response:
        policy = response.headers["Content-Security-Policy"]
        assert "telegram" not in policy
        assert "frame-ancestors https://discord.com https://*.discord.com" in policy
        assert "'unsafe" not in policy


async def test_what_is_written_into_the_address_stands_in_no_page(at):
    mark = "%22%3E%3Cscript%3Ealert(1)%3C/script%3E"
    for path in (
        f"/d/?frame_id={mark}&instance_id={mark}&custom_id={mark}",
        f"/door/discord/back?error={mark}&error_description={mark}&state={mark}",
        f"/door/go?as={mark}",
    ):
        async with at.http.get(f"{at.here}{path}", headers=PROXIED) as response:
            assert "alert(1)" not in await response.text()
