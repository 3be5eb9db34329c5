"""The page within Telegram: whom Telegram signs is let in as himself, and nobody else is."""

from __future__ import annotations

import hashlib
import hmac
import json
import random
import re
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from urllib.parse import parse_qsl, urlencode

import aiohttp
import pytest

from bot.chats.web import chat
from bot.chats.web.doors.mini_app import FRESH, MiniApp, guest_id_of, verify_init_data
from bot.chats.web.person.guests import DEVICE_LIFE
from bot.port import Asker, Command, Where
from tests.chats.pages import Page, server

TOKEN = "110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw"
NOW = datetime(2026, 11, 22, 12, tzinfo=UTC)
NEREA = {"id": 99281932, "first_name": "Nerea", "last_name": "Ruiz", "language_code": "es"}


def signed(token: str = TOKEN, **fields: str) -> str:
    """What Telegram signs for the bot with this *token*, as its documentation has it."""
    told = {"auth_date": str(int(NOW.timestamp())), "user": json.dumps(NEREA), **fields}
    told = {key: value for key, value in told.items() if value}
    lines = "\n".join(f"{key}={told[key]}" for key in sorted(told))
    key = hmac.new(b"WebAppData", token.encode(), hashlib.sha256).digest()
    return urlencode({**told, "hash": hmac.new(key, lines.encode(), hashlib.sha256).hexdigest()})


def test_whom_telegram_signs_is_known():
    found = verify_init_data(
        signed(start_param="NIYA01", query_id="AAH", signature="x"), TOKEN, NOW
    )
    assert found is not None
    assert (found.id, found.name, found.language) == ("99281932", "Nerea Ruiz", "es")
    assert found.table == "NIYA01"


def test_the_example_of_others_is_known():
    """From the documentation of @telegram-apps/init-data-node, with its token and date."""
    text = (
        "query_id=AAHdF6IQAAAAAN0XohDhrOrc&user=%7B%22id%22%3A279058397%2C%22first_name%22%3A%22"
        "Vladislav%22%2C%22last_name%22%3A%22Kibenko%22%2C%22username%22%3A%22vdkfrost%22%2C%22"
        "language_code%22%3A%22ru%22%2C%22is_premium%22%3Atrue%7D&auth_date=1662771648"
        "&hash=c501b71e775f74ce10e377dea85a7ea24ecd640b223ea86dfe453e0eaed2e2b2"
    )
    token = "5768337691:AAH5YkoiEuPk8-FZa32hStHTqXiLPtAEhx8"
    found = verify_init_data(text, token, datetime.fromtimestamp(1662771700, UTC))
    assert found is not None
    assert found.id == "279058397"


@pytest.mark.parametrize(
    ("gap", "good"),
    [
        (timedelta(0), True),
        (FRESH, True),
        (FRESH + timedelta(seconds=1), False),
        (timedelta(days=365), False),
        (timedelta(minutes=-1), True),
        (timedelta(minutes=-3), False),
    ],
)
def test_what_was_signed_long_ago_is_stale(gap, good):
    assert (verify_init_data(signed(), TOKEN, NOW + gap) is not None) == good


def forged(chance: random.Random) -> str:
    """What Telegram did not sign for this bot now."""
    real = signed(start_param="NIYA01", query_id=f"AAH{chance.random()}")
    pairs = parse_qsl(real)
    other = chance.choice([name for name, _ in pairs])
    match chance.randrange(10):
        case 0:  # One letter of one field is another one.
            value = dict(pairs)[other]
            at = chance.randrange(len(value))
            letter = chance.choice([c for c in "abcdef0123456789" if c != value[at]])
            changed = f"{value[:at]}{letter}{value[at + 1 :]}"
            return urlencode([(k, changed if k == other else v) for k, v in pairs])
        case 1:  # Another bot's.
            return signed(f"{chance.randrange(10**9)}:AAH{chance.random()}")
        case 2:  # A field is missing.
            return urlencode([(k, v) for k, v in pairs if k != other])
        case 3:  # A field more.
            return urlencode([*pairs, (f"x{chance.randrange(99)}", "1")])
        case 4:  # A field stands there twice.
            return urlencode([*pairs, (other, dict(pairs)[other])])
        case 5:  # Somebody else.
            user = json.dumps({**NEREA, "id": chance.randrange(1, 10**9)})
            return urlencode([(k, user if k == "user" else v) for k, v in pairs])
        case 6:  # Signed too long ago, or ahead of time.
            gap = chance.choice([-1, 1]) * chance.randrange(86401, 10**8)
            return signed(auth_date=str(int(NOW.timestamp()) + gap))
        case 7:  # Signed right, but of nobody.
            user = chance.choice(['{"id":"1"}', "{}", "[]", "null", '{"id":true}', '{"id":1', "1"])
            return signed(user=user, query_id=f"AAH{chance.random()}")
        case 8:  # No hash of that length, or of that alphabet.
            told = chance.choice(["", "0" * 64, "é" * 64, "f" * 63, dict(pairs)["hash"].upper()])
            return urlencode([(k, told if k == "hash" else v) for k, v in pairs])
        case _:  # Cut, or no such text at all.
            return chance.choice(
                [real[: chance.randrange(len(real))], f"&&{real}", f"{real}&=", "x" * 9000]
            )


def test_of_a_thousand_forgeries_none_is_taken():
    chance = random.Random(14)
    all_of_them = [forged(chance) for _ in range(1000)]
    assert len(set(all_of_them)) > 900
    assert [one for one in all_of_them if verify_init_data(one, TOKEN, NOW) is not None] == []
    assert verify_init_data(signed(""), "", NOW) is None, "without a token nobody signs"


PUBLIC = "https://play.example.org"
INSIDE = {
    "Host": "play.example.org",
    "X-Forwarded-For": "149.154.160.1",
    "X-Forwarded-Proto": "https",
}


@asynccontextmanager
async def within(folder):
    """A browser chat at a public address, of a bot of Telegram."""
    async with server(folder) as at:
        at.chat._server.origins.public = PUBLIC
        yield at


@pytest.fixture
async def at(tmp_path, monkeypatch):
    def made(*wishes, **more):
        return built(*wishes, **{**more, "public": PUBLIC, "telegram": TOKEN})

    built = chat.WebChat
    monkeypatch.setattr("tests.chats.pages.WebChat", made)
    monkeypatch.setattr(MiniApp, "now", staticmethod(lambda: NOW), raising=False)
    async with server(tmp_path) as opened:
        opened.chat._server.mini_app.now = lambda: NOW
        yield opened


def here(at) -> str:
    return f"http://127.0.0.1:{at.chat.port}"


async def entered(at, text: str = "", origin: str = PUBLIC, **headers: str):
    """What the page within Telegram is answered."""
    told = {**INSIDE, "Authorization": f"tma {text or signed()}", "Origin": origin, **headers}
    async with at.http.post(f"{here(at)}/m/enter", headers=told) as response:
        body = await response.text()
        assert "Set-Cookie" not in response.headers
        return response.status, json.loads(body) if body.startswith("{") else {}


@asynccontextmanager
async def opened(at, path: str):
    """The page at *path*, without any cookie."""
    url = f"{here(at)}{re.match('/t/[^/]+/', path)[0]}socket"
    async with at.http.ws_connect(url, headers={**INSIDE, "Origin": PUBLIC}) as socket:
        page = Page(socket)
        await page.ask("hello", theme="light", language="es")
        yield page


async def test_within_telegram_nobody_needs_a_cookie_or_a_name(at):
    status, told = await entered(at)
    assert status == 200
    assert told["path"].startswith(f"/t/{guest_id_of('99281932')}-")
    async with at.http.get(f"{here(at)}{told['path']}", headers=INSIDE) as response:
        assert response.status == 200
        policy = response.headers["Content-Security-Policy"]
        assert "frame-ancestors https://web.telegram.org " in policy
        assert "'none'; script-src 'self'" in policy
        assert "X-Frame-Options" not in response.headers
    async with opened(at, told["path"]) as page:
        assert page.state["name"] == "Nerea Ruiz"
        assert (await page.ask("devices"))["devices"][0]["name"] == "Telegram"
        table = (await page.type("/play niya opponent=ordenador"))["open"]
        board = await page.board(table, lambda board: board["picture"])
        picture = f"{here(at)}{told['path']}{board['picture']}"
        async with at.http.get(picture, headers=INSIDE) as response:
            assert response.status == 200


async def test_nothing_else_may_be_framed(at):
    for path in ("/", "/static/page.js", f"/p/{'0' * 32}/"):
        async with at.http.get(f"{here(at)}{path}", headers=INSIDE) as response:
            assert "frame-ancestors 'none'" in response.headers["Content-Security-Policy"]
            assert response.headers["X-Frame-Options"] == "DENY"


async def test_forgeries_get_one_sentence_and_store_nothing(at):
    for text in (signed("1:x"), "x", signed(auth_date="1")):
        status, told = await entered(at, text)
        assert status == 401
        assert told == {"said": "Abre esta página desde el bot, en Telegram.", "close": "Cerrar"}
    assert (await entered(at, origin="https://evil.example"))[0] == 403
    assert (await entered(at, Authorization=f"Bearer {signed()}"))[0] == 401
    assert await at.facade.notes.read(f"web:guest:{guest_id_of('99281932')}", str) is None


async def test_who_reopens_what_telegram_signed_yesterday_is_let_in_and_after_that_told_to_close(
    at,
):
    for hours, status in ((23, 200), (25, 401)):
        made = int((NOW - timedelta(hours=hours)).timestamp())
        got, told = await entered(at, signed(auth_date=str(made)))
        assert got == status
    assert told["said"] == "Esta ventana ha caducado. Ciérrala y ábrela otra vez desde el chat."


async def test_he_is_the_same_person_as_in_telegram_and_sees_that_very_table(at):
    there = Asker("telegram", "99281932", "Nerea Ruiz", "es", "nerea")
    where = Where("telegram", "99281932", private=True)
    person = await at.facade.services.people.of(there)
    wish = Command("1", where, there, "play", {"game": "niya", "opponent": "ordenador"})
    answer = await at.facade.requests.call(wish)
    assert answer.good
    (line,) = await at.facade.services.tables.list_lines(("playing",), 2, person=person.id)
    for wanted in ({"start_param": line.code}, {}):
        status, told = await entered(at, signed(**wanted), **{"X-Table": line.code})
        assert status == 200
        assert told["path"].endswith(f"/t/{line.code}")
        async with opened(at, told["path"]) as page:
            board = await page.board(line.code, lambda board: board["picture"])
            assert "ordenador" in board["with"]
            assert len(page.boards) == 1
    guest = await at.chat._guests.get(guest_id_of("99281932"))
    assert (await at.facade.services.people.of(guest.asker)).id == person.id
    assert (await at.facade.services.people.of(there)).id == person.id


@pytest.mark.slow
async def test_without_a_table_he_finds_all_that_he_plays_in_chats(at):
    there = Asker("telegram", "99281932", "Nerea Ruiz", "es", "nerea")
    where = Where("telegram", "99281932", private=True)
    group, wish = Where("telegram", "-100"), {"opponent": "ordenador"}
    for number, (place, game) in enumerate(((where, "niya"), (group, "cirya"), (where, "shogi"))):
        call = Command(str(number), place, there, "play", {**wish, "game": game})
        assert (await at.facade.requests.call(call)).good
    for _ in range(2):
        status, told = await entered(at)
        assert status == 200
        assert told["path"].endswith("/")
        async with opened(at, told["path"]) as page:
            titles = sorted(board["title"] for board in page.boards.values())
            assert titles == ["Cirya", "Niya", "Shogi"]


@pytest.mark.sampled
@pytest.mark.parametrize("table", ["", "ZZZZZZ", "../..", "<script>", "niya 01"])
async def test_a_table_that_is_none_leads_to_the_shelf(at, table):
    status, told = await entered(at, **{"X-Table": table})
    assert status == 200
    assert told["path"].endswith("/")


async def test_a_token_is_short_lived_is_renewed_by_use_and_ends_with_its_device(at):
    guests, now = at.chat._guests, datetime.now(UTC)
    _, told = await entered(at)
    url = f"{here(at)}{told['path']}"

    async def status(minutes: float) -> int:
        guests.now = lambda: now + timedelta(minutes=minutes)
        async with at.http.get(url, headers=INSIDE) as response:
            return response.status

    assert [await status(minutes) for minutes in (0, 40, 80, 130)] == [200] * 4
    assert await status(130 + DEVICE_LIFE.total_seconds() / 60 + 1) == 401
    guests.now = lambda: now
    _, told = await entered(at)
    async with opened(at, told["path"]) as page:
        listed = (await page.ask("devices"))["devices"]
        await page.send("end", device=next(one["id"] for one in listed if one["here"]))
        while (message := await page.socket.receive()).type is aiohttp.WSMsgType.TEXT:
            pass
        assert message.data == chat.ENDED
    async with at.http.get(f"{here(at)}{told['path']}", headers=INSIDE) as response:
        assert response.status == 401


async def test_token_and_cookie_do_not_stand_for_each_other(at):
    _, told = await entered(at)
    guest, _, token = told["path"].strip("/").removeprefix("t/").partition("-")
    cookie = {"Cookie": f"__Host-ludoteca-{guest}={token}; __Host-ludoteca-home={guest}.{token}"}
    async with at.http.get(f"{here(at)}/p/{guest}/", headers={**INSIDE, **cookie}) as response:
        assert response.status == 401
    for wrong in ("A" * 32, token[:-1], f"{token}x"):
        async with at.http.get(f"{here(at)}/t/{guest}-{wrong}/", headers=INSIDE) as response:
            assert response.status == 401


@pytest.mark.usefixtures("strangers_pay")
async def test_who_opens_it_often_keeps_a_few_devices_and_is_asked_for_patience(at):
    seen = [(await entered(at))[0] for _ in range(12)]
    assert seen == [200] * 10 + [429] * 2
    guest = await at.chat._guests.get(guest_id_of("99281932"))
    assert len(guest.devices) == 3


async def test_without_a_public_address_there_is_no_door_within_telegram(tmp_path):
    async with server(tmp_path) as at, at.http.get(f"{at.url}/m/") as response:
        assert response.status == 404
