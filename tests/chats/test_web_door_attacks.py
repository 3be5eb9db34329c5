"""Attacks on the doors of the page: somebody else's address, code, visit, ticket or signature."""

from __future__ import annotations

import base64
import json
import time

import pytest

from bot.chats.web.doors import doors
from bot.chats.web.doors.house_invitations import make_invitation
from tests.chats import telegram_oidc
from tests.chats.doors import Browser
from tests.chats.fake_discord_sign_in import ANA, BEA
from tests.chats.telegram_oidc import packed
from tests.chats.test_web_attacks import at_fixture

__all__ = ["at_fixture"]


def came_in(browser: Browser) -> bool:
    return any(name.startswith("__Host-ludoteca-home") for name in browser.cookies)


async def begun(at, browser, person=ANA):
    """A visit to Discord that was begun, with its code."""
    asked = await browser.begin("discord")
    code = at.discord.code_for(person, asked["code_challenge"], asked["redirect_uri"])
    return asked, code


async def test_somebody_else_s_address_lets_nobody_in(at):
    """Login CSRF: the attacker's code and state in the victim's browser."""
    attacker, victim = Browser(at), Browser(at)
    asked, code = await begun(at, attacker)
    for prepared in (False, True):
        if prepared:
            await victim.begin("discord")
        came = await victim.back("discord", code=code, state=asked["state"])
        assert came.status == 403
        await victim.follow(await victim.get("/door/go"))
        assert not came_in(victim)


async def test_somebody_else_s_code_lets_nobody_in(at):
    """Code injection: the victim's code in the attacker's own visit."""
    attacker, victim = Browser(at), Browser(at)
    _, code = await begun(at, victim)
    asked, _ = await begun(at, attacker, BEA)
    came = await attacker.back("discord", code=code, state=asked["state"])
    assert came.status == 401
    assert not came_in(attacker)


@pytest.mark.parametrize("state", ["", "x", "é"])
async def test_without_the_state_nobody_comes_in(at, state):
    browser = Browser(at)
    _, code = await begun(at, browser)
    assert (await browser.back("discord", code=code, state=state)).status == 403


async def test_a_visit_is_for_once_for_its_platform_and_for_ten_minutes(at, monkeypatch):
    browser = Browser(at)
    asked, code = await begun(at, browser)
    cookie = dict(browser.cookies)
    assert (await browser.back("discord", code=code, state=asked["state"])).status == 200
    browser.cookies = dict(cookie)
    again = at.discord.code_for(ANA, asked["code_challenge"], asked["redirect_uri"])
    assert (await browser.back("discord", code=again, state=asked["state"])).status == 403, "once"
    other = Browser(at)
    asked, code = await begun(at, other)
    came = await other.back("telegram", code=code, state=asked["state"])
    assert came.status == 403, "of another platform"
    late = Browser(at)
    asked, code = await begun(at, late)
    the_doors = at.chat._server.doors
    the_doors.now = lambda: time.time() + doors.LASTS + 1
    assert (await late.back("discord", code=code, state=asked["state"])).status == 403, "late"


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ({"error": "access_denied"}, 403),
        ({"iss": "https://evil.example", "code": "x"}, 403),
        ({"code": ""}, 400),
        ({"code": "../x"}, 400),
        ({}, 400),
        ({"code": "made-up"}, 401),
    ],
)
async def test_what_comes_back_instead_of_a_code_lets_nobody_in(at, query, status):
    browser = Browser(at)
    asked = await browser.begin("discord")
    assert (await browser.back("discord", state=asked["state"], **query)).status == status
    await browser.follow(await browser.get("/door/go"))
    assert not came_in(browser)


async def test_a_ticket_is_ours_for_one_browser_once_and_soon(at):
    browser = Browser(at)
    asked, code = await begun(at, browser)
    await browser.back("discord", code=code, state=asked["state"])
    ticket = browser.cookies["__Host-ludoteca-ticket"][0]
    body, _, mac = ticket.partition(".")
    told = json.loads(base64.urlsafe_b64decode(body + "=" * (-len(body) % 4)))
    for change in ({"external": BEA["id"]}, {"until": 1e12}, {"one": "x"}):
        forged = packed(json.dumps({**told, **change}).encode())
        thief = Browser(at, {"__Host-ludoteca-ticket": (f"{forged}.{mac}", "Strict")})
        assert (await thief.get("/door/go")).status == 403
    for wrong in ("", ".", "x.y", f"{body}.", "é.é"):
        thief = Browser(at, {"__Host-ludoteca-ticket": (wrong, "Strict")})
        assert (await thief.get("/door/go")).status == 403
    assert (await browser.get("/door/go", from_elsewhere=True)).status == 403, "from elsewhere"
    await browser.follow(await browser.get("/door/go"))
    assert came_in(browser)
    used = Browser(at, {"__Host-ludoteca-ticket": (ticket, "Strict")})
    assert (await used.get("/door/go")).status == 403, "once"


async def test_a_late_ticket_lets_nobody_in(at):
    browser = Browser(at)
    asked, code = await begun(at, browser)
    await browser.back("discord", code=code, state=asked["state"])
    at.chat._server.doors.now = lambda: time.time() + doors.TICKET_LASTS + 1
    assert (await browser.get("/door/go")).status == 403


@pytest.mark.parametrize("where", ["//evil.example", "https://evil.example", "/\\evil.example"])
async def test_no_address_leads_elsewhere(at, where):
    browser = Browser(at)
    for path in (f"/door/go?as={where}", f"/door/discord/back?next={where}&return_to={where}"):
        came = await browser.get(path)
        assert "evil" not in came.text + came.headers.get("Location", "")
    came = await browser.get(f"/door/discord?redirect_uri={where}&next={where}")
    assert came.headers["Location"].startswith("https://discord.com/oauth2/authorize?")
    assert "evil" not in came.headers["Location"]


async def test_a_prefetch_begins_nothing(at):
    came = await Browser(at).get("/door/discord", **{"Sec-Purpose": "prefetch"})
    assert came.status == 503


CLAIMS = {
    "for another bot": {"aud": "5"},
    "for several bots": {"aud": [telegram_oidc.CLIENT, "5"]},
    "by another issuer": {"iss": "https://evil.example"},
    "for another visit": {"nonce": "another"},
    "for no visit": {"nonce": None},
    "six minutes ago": {"iat": int(time.time()) - 360},
    "ahead of time": {"iat": int(time.time()) + 86_400},
    "that is over": {"exp": int(time.time()) - 1},
    "without a time": {"iat": None},
    "of nobody": {"id": None},
    "of an id in words": {"id": "99281932"},
    "of a truth": {"id": True},
    "of a negative id": {"id": -1},
}


@pytest.mark.sampled(5)
@pytest.mark.parametrize("name", CLAIMS)
async def test_by_telegram_nobody_comes_in_who_was_signed(at, name):
    browser = Browser(at)
    came = await browser.by_telegram(at.telegram, **CLAIMS[name])
    assert came.status == 401
    assert not came_in(browser)


@pytest.mark.parametrize("how", ["key", "none", "HS256", "kid", "cut", "swapped"])
async def test_what_telegram_did_not_sign_lets_nobody_in(at, how, monkeypatch):
    signed = at.telegram.token

    def forged(claims):
        head, body, signature = signed(claims).split(".")
        other = packed(json.dumps({**claims, "id": 1}).encode())
        return {
            "key": signed(claims, 1),
            "none": f"{packed(json.dumps({'alg': 'none'}).encode())}.{body}.",
            "HS256": signed(claims, alg="HS256"),
            "kid": signed(claims, kid="another"),
            "cut": f"{head}.{body}",
            "swapped": f"{head}.{other}.{signature}",
        }[how]

    monkeypatch.setattr(at.telegram, "token", forged)
    browser = Browser(at)
    assert (await browser.by_telegram(at.telegram)).status == 401
    assert not came_in(browser)


async def test_invitations_of_the_house_are_not_guessed_or_used_up_twice(at):
    path = await make_invitation(at.facade.notes, 1, 1)
    for wrong in (f"{path}x", path[:-1], "/in/" + "a" * 32):
        assert (await Browser(at).get(f"{wrong}?on")).status == 410
    first, second = Browser(at), Browser(at)
    assert (await first.get(f"{path}?on")).status == 200
    assert (await second.get(f"{path}?on")).status == 410
    assert not came_in(second)
