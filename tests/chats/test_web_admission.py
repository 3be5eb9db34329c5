"""Who gets into the browser chat, and who stays out (quality.md §3)."""

import asyncio
import json
import logging
import re
import socket
from base64 import b64encode
from hashlib import sha256
from importlib import resources

import aiohttp
import pytest

from bot.chats.web import NotLoopback, PortBusy, WebChat
from bot.chats.web.assets import (
    ENTRIES,
    STATIC,
    Asset,
    assets_version,
    dependencies,
    load_assets,
    page_html,
)
from bot.chats.web.reading import LARGEST, BadFrame, read_frame
from bot.port import ChatError
from storage import bot_settings
from tests.chats.pages import Visitor

DOOR = {name for name in STATIC if name.startswith(("door.", "poster-", "film-", "game-"))}
"""The files of the front door, which the page does not need."""

TYPEFACE = {"sans.woff", "sans-strong.woff"}
"""The page's typeface, which is fetched beside the first board."""


@pytest.mark.parametrize("host", ["0.0.0.0", "192.168.1.4", "::", "example.org", ""])
async def test_only_loopback_is_listened_on(at, host):
    with pytest.raises(NotLoopback) as refused:
        WebChat(at.facade, host, 0)
    assert isinstance(refused.value, ChatError)
    assert str(refused.value).count(". ") == 0
    assert f"WEB_HOST={host}" in str(refused.value)


@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.9", "::1", "localhost"])
async def test_every_loopback_address_will_do(at, host):
    assert host in WebChat(at.facade, host, 0).address


async def test_a_busy_port_is_one_sentence(at):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(PortBusy, match=f"The port {port}"):
            await WebChat(at.facade, "127.0.0.1", port).start()


async def test_port_zero_takes_a_free_one_and_tells_it(at):
    assert at.chat.port > 0
    assert at.told == [f"http://127.0.0.1:{at.chat.port}/?t={at.told[0].partition('=')[2]}"]


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1", "127.0.0.1:1", "localhost.evil:80"])
async def test_another_host_name_is_misdirected(at, host):
    visitor = await at.first()
    for path in ("/", f"{visitor.path}/", f"{visitor.path}/socket", "/static/page.js"):
        status, _ = await visitor.get(path, Host=host)
        assert status == 421, path


async def test_localhost_is_a_name_of_ours(at):
    status, _ = await Visitor(at).get("/static/page.js", Host=f"localhost:{at.chat.port}")
    assert status == 200


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "", "https://127.0.0.1"])
async def test_a_foreign_page_opens_no_socket(at, origin):
    visitor = await at.first()
    headers = visitor.headers(Origin=origin) if origin else visitor.headers()
    with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
        await at.http.ws_connect(f"{at.url}{visitor.path}/socket", headers=headers)
    assert refused.value.status == 403


@pytest.mark.parametrize("upgrade", ["websocket\xa0", " WebSocket", "h2c"])
async def test_however_it_is_spelled_an_upgrade_is_for_our_own_page(at, upgrade):
    visitor = await at.first()
    host = at.url.removeprefix("http://")
    head = f"GET {visitor.path}/socket HTTP/1.1\r\nHost: {host}\r\nUpgrade: {upgrade}\r\n"
    more = f"Connection: Upgrade\r\nCookie: {visitor.cookie}\r\nConnection: close\r\n\r\n"
    reader, writer = await asyncio.open_connection("127.0.0.1", at.chat.port)
    writer.write(f"{head}{more}".encode("latin-1"))
    assert b" 403 " in await reader.readline()
    writer.close()


async def test_cookies_of_other_servers_on_the_machine_lock_nobody_out(at):
    visitor = await at.first()
    others = "; ".join(f"ludoteca={number}" for number in range(40))
    visitor.cookie = f"{others}; {visitor.cookie}"
    assert (await visitor.get(f"{visitor.path}/"))[0] == 200


async def test_a_foreign_page_posts_nothing(at):
    visitor = await at.first()
    for origin, status in (("http://evil.example", 403), (at.url, 405)):
        headers = visitor.headers(Origin=origin)
        async with at.http.post(f"{at.url}{visitor.path}/", headers=headers) as response:
            assert response.status == status


async def test_without_a_cookie_nothing_is_shown(at):
    visitor = await at.first()
    stranger = Visitor(at)
    picture = f"{visitor.path}/picture/{'0' * 12}.png"
    for path in (f"{visitor.path}", f"{visitor.path}/", picture):
        status, body = await stranger.get(path)
        assert status == 401, path
        assert b"page.js" not in body
    with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
        await at.http.ws_connect(f"{at.url}{visitor.path}/socket", headers={"Origin": at.url})
    assert refused.value.status == 401


@pytest.mark.parametrize("cookie", ["ludoteca=", "ludoteca=x", 'ludoteca="', "ludoteca=é", ";;="])
async def test_a_wrong_cookie_is_none(at, cookie):
    visitor = await at.first()
    visitor.cookie = cookie
    assert (await visitor.get(f"{visitor.path}/"))[0] == 401


async def test_the_first_address_lets_one_person_in_once(at):
    assert await Visitor(at).enter(at.told[0]) == 200
    second = Visitor(at)
    assert await second.enter(at.told[0]) == 401
    assert not second.cookie
    for wrong in ("x", "A" * 32, "%00", "é"):
        assert await Visitor(at).enter(f"{at.url}/?t={wrong}") == 401


async def test_looking_before_opening_spends_no_token(at):
    async with at.http.head(at.told[0]) as response:
        assert response.status == 405
    async with at.http.get(at.told[0], headers={"Sec-Purpose": "prefetch;prerender"}) as response:
        assert response.status == 503
    assert await Visitor(at).enter(at.told[0]) == 200


async def test_the_first_page_is_found_again_from_the_root(at):
    visitor = await at.first()
    async with at.http.get(f"{at.url}/", headers={"Cookie": visitor.home}) as response:
        assert response.status == 200
        assert f"url={visitor.path}/" in await response.text()
        assert "Set-Cookie" not in response.headers


async def test_an_invitation_lets_one_person_in_once_and_not_the_same(at):
    host = await at.first()
    async with host.open() as page:
        answer = await page.type("/play niya")
        link = (await page.ask("invite", table=answer["open"]))["link"]
    guest, late = Visitor(at), Visitor(at)
    assert await guest.enter(link) == 200
    assert guest.path not in ("", host.path)
    assert guest.home
    assert await late.enter(link) == 410
    assert not late.cookie


async def test_links_are_for_tables_of_ones_own_that_still_wait(at):
    host = await at.first()
    async with host.open() as page:
        table = (await page.type("/play niya opponent=ordenador"))["open"]
        for code in (table, "ZZZZZZ", ""):
            answer = await page.ask("invite", table=code)
            assert not answer["good"]
            assert "link" not in answer


async def test_one_guest_does_not_read_on_the_page_of_another(at):
    host = await at.first()
    async with host.open() as page:
        table = (await page.type("/play niya"))["open"]
        guest = await at.guest(page, table)
        async with guest.open() as other:
            mine = await page.board(table, lambda board: board["picture"])
            theirs = await other.board(table, lambda board: board["picture"])
    assert mine["picture"] != theirs["picture"]
    assert (await host.get(f"{host.path}/{mine['picture']}"))[0] == 200
    # His cookie is not sent to my page, and would not open it; my picture is not on his.
    assert (await guest.get(f"{host.path}/{mine['picture']}"))[0] == 401
    assert (await guest.get(f"{guest.path}/{mine['picture']}"))[0] == 404
    both = Visitor(at, host.path, f"{guest.cookie}; {host.cookie}")
    assert (await both.get(f"{host.path}/"))[0] == 200


async def test_every_answer_forbids_what_is_foreign(at):
    visitor = await at.first()
    paths = ["/", f"{visitor.path}/", "/static/page.css", "/nowhere", f"{visitor.path}/picture/x"]
    for path in paths:
        async with at.http.get(f"{at.url}{path}", headers=visitor.headers()) as response:
            policy = response.headers["Content-Security-Policy"]
            assert "default-src 'none'" in policy
            assert "frame-ancestors 'none'" in policy
            assert "unsafe" not in policy
            assert response.headers["X-Content-Type-Options"] == "nosniff"
            assert response.headers["Referrer-Policy"] == "no-referrer"
            assert response.headers["Server"] == "Ludoteca", (
                "no versions for whoever looks for them"
            )


@pytest.mark.parametrize(
    ("site", "apart"),
    [
        ("none", False),
        ("same-origin", False),
        ("same-site", True),
        ("cross-site", True),
        ("", True),
    ],
)
async def test_a_foreign_page_that_opens_ours_is_kept_away_from_it(at, site, apart):
    visitor = await at.first()
    headers = visitor.headers(**({"Sec-Fetch-Site": site} if site else {}))
    for path in ("/", f"{visitor.path}/"):
        async with at.http.get(f"{at.url}{path}", headers=headers) as response:
            kept = response.headers.get("Cross-Origin-Opener-Policy")
            assert kept == ("same-origin" if apart else None)


async def test_the_page_holds_nothing_foreign_and_no_style_but_the_one_that_its_policy_names(at):
    visitor = await at.first()
    async with at.http.get(f"{at.url}{visitor.path}/", headers=visitor.headers()) as response:
        whole, policy = await response.text(), response.headers["Content-Security-Policy"]
    body = whole.replace("xmlns='http://www.w3.org/2000/svg'", "")  # a name, which nothing fetches
    for foreign in ("http://", "https://", "style=", "onclick", "<script>"):
        assert foreign not in body
    [style] = re.findall("<style>(.*?)</style>", whole, re.DOTALL)
    digest = b64encode(sha256(style.encode()).digest()).decode()
    assert f"style-src 'self' 'sha256-{digest}'; " in policy
    assert body.count("<style") == 1


async def test_a_huge_frame_closes_the_connection(at):
    visitor = await at.first()
    async with visitor.open() as page:
        await page.socket.send_str("x" * (LARGEST + 1))
        closed = await page.socket.receive(10)
        assert closed.type in (aiohttp.WSMsgType.CLOSE, aiohttp.WSMsgType.CLOSED)
        assert page.socket.close_code == aiohttp.WSCloseCode.MESSAGE_TOO_BIG


GOOD = {"kind": "call", "id": "6ff19690-3d3c-4f1a-a3b5-6b8b7d1b9c11", "line": "/help"}


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    "frame",
    [
        "",
        "null",
        "[]",
        "{" * 5000,
        json.dumps({**GOOD, "kind": "fly"}),
        json.dumps({**GOOD, "id": "1"}),
        json.dumps({**GOOD, "line": 7}),
        json.dumps({**GOOD, "line": "x" * 513}),
        json.dumps({**GOOD, "more": "x"}),
        json.dumps({"kind": "call"}),
    ],
)
async def test_a_frame_that_no_page_sends_closes_the_connection(at, frame):
    with pytest.raises(BadFrame):
        read_frame(frame)
    visitor = await at.first()
    async with visitor.open() as page:
        await page.socket.send_str(frame)
        await page.socket.receive(10)
        assert page.socket.close_code == aiohttp.WSCloseCode.POLICY_VIOLATION


async def test_a_good_frame_is_read():
    assert read_frame(json.dumps(GOOD)).line == "/help"


async def test_no_token_and_no_cookie_is_stored_or_logged(at, caplog):
    caplog.set_level(logging.DEBUG)
    host = await at.first()
    async with host.open() as page:
        table = (await page.type("/play niya"))["open"]
        link = (await page.ask("invite", table=table))["link"]
        await Visitor(at).enter(link)
        unspent = (await page.ask("invite", table=table))["link"]
        assert unspent != link
    secrets = [at.told[0].partition("t=")[2], host.cookie.partition("=")[2]]
    secrets += [one.partition(f"{table}-")[2] for one in (link, unspent)]
    async with at.facade.services.store.reading() as tx:
        kept = [await bot_settings.load_setting(tx, f"web:guest:{host.path[3:]}")]
        kept += [await bot_settings.load_setting(tx, f"web:links:{table}")]
        kept += [await bot_settings.load_setting(tx, "web:first")]
    for secret in secrets:
        assert len(secret) >= 32
        assert secret not in "".join(filter(None, kept))
        assert secret not in "\n".join(record.getMessage() for record in caplog.records)


MOST = 172_900
"""The most bytes of all that the first board needs, before they are packed: with drawn signs."""

MOST_SCRIPT = 38_900
"""The most bytes of the page's script as they travel: with play at once and the coach."""

MOST_SCRIPTS = 54_400
"""The most bytes of all scripts as they travel: with play at once and the coach."""

LATER = frozenset(STATIC) - {"page.css", "page.js", "icon.svg", "icon-turn.svg"}
"""The files that the first board does not need; the page fetches them later."""

MOST_LETTERS = 40_000
"""The most bytes of the page's typeface."""

MOST_LATER = 58_600
"""The most bytes of all that is fetched only when it is wanted, before they are packed."""

SOURCES = resources.files("bot.chats.web").joinpath("static")

SCRIPTS = {one.name: one.read_text("utf-8") for one in SOURCES.iterdir() if one.suffix == ".js"}
"""What is done on the page, by the names of its files."""


async def test_the_page_is_light_packed_and_fetched_once(at):
    weights = {}
    for name in set(STATIC) - DOOR:
        url = f"{at.url}/static/{name}"
        async with at.http.get(url, headers={"Accept-Encoding": "identity"}) as plain:
            body, tag = await plain.read(), plain.headers["ETag"]
            assert "Content-Encoding" not in plain.headers
            weights[name] = len(body)
        async with at.http.get(url, headers={"Accept-Encoding": "gzip"}) as packed:
            assert packed.headers["Content-Encoding"] == "gzip"
            assert await packed.read() == body
            assert packed.headers["ETag"] == tag
        async with at.http.get(url, headers={"If-None-Match": tag}) as again:
            assert again.status == 304
            assert await again.read() == b""
        async with at.http.get(url, headers={"If-None-Match": '"other"'}) as changed:
            assert changed.status == 200
    visitor = await at.first()
    _, opened = await visitor.get(f"{visitor.path}/")
    # What is told of tables is no part of the page, wherever it is told.
    page = re.sub(rb'<script type="application/json".*?</script>', b"", opened)
    assert len(page) < len(opened)
    # Its style stands in it: the file is for whoever is at the door.
    later = sum(weights[name] for name in LATER - TYPEFACE - DOOR)
    letters = sum(weights[name] for name in TYPEFACE)
    assert letters < MOST_LETTERS
    assert sum(weights.values()) - later - letters - weights["page.css"] + len(page) < MOST
    # The style within Discord is the page's and its own in one.
    assert later - weights["page.css"] < MOST_LATER
    assert len(load_assets()["page.js"].packed) < MOST_SCRIPT
    assert sum(len(load_assets()[name].packed) for name in ENTRIES) < MOST_SCRIPTS


async def test_what_the_page_fetches_is_kept_by_the_browser_until_there_is_something_new(at):
    visitor = await at.first()
    _, page = await visitor.get(f"{visitor.path}/")
    wanted = set(re.findall(r'(?:href|src)="(/static/[0-9a-f]{12}/[^"]+)"', page.decode()))
    assert {path.rpartition("/")[2] for path in wanted} == {"page.js", "icon.svg", *TYPEFACE}
    for path in wanted:
        async with at.http.get(f"{at.url}{path}") as file:
            assert "immutable" in file.headers["Cache-Control"]
            assert file.status == 200
    old = f"/static/{'0' * 12}/page.js"
    async with at.http.get(f"{at.url}{old}") as file:
        assert file.headers["Cache-Control"] == "no-cache"
        assert file.status == 200


def test_every_picture_of_the_page_has_a_name_or_is_marked_as_decoration():
    made = re.findall(r'make\("img", (.+)', "\n".join(SCRIPTS.values()))
    assert len(made) > 5
    assert [one for one in made if " alt: " not in one] == []
    html = SOURCES.joinpath("page.html").read_text("utf-8")
    assert [one for one in re.findall(r"<img[^>]*>", html) if " alt=" not in one] == []
    assert [one for one in re.findall(r"<svg[^>]*>", html) if "aria-hidden" not in one] == []


def test_what_the_page_fetches_is_called_by_all_of_it():
    files = load_assets()
    other = {**files, "page.js": Asset.of(b"other", "text/javascript")}
    assert assets_version(files) == assets_version(load_assets()) != assets_version(other)


def test_every_script_is_needed_for_the_first_board_or_fetched_later_but_never_both():
    parts = {name: set(dependencies(SCRIPTS, *last)) for name, last in ENTRIES.items()}
    first = parts.pop("page.js")
    assert len(first) > 20
    own = [name for later in parts.values() for name in later - first]
    assert sorted([*first, *own, "door.js"]) == sorted(SCRIPTS)


def test_what_travels_is_page_and_script_without_comments_and_indents():
    source = SOURCES.joinpath("page.js").read_bytes()
    small = Asset.of(source, "text/javascript")
    assert small.body.startswith(b"import{")
    assert load_assets()["page.js"].body.startswith(b"const BESIDE=80;")
    assert b"/*" not in small.body
    assert b"\n " not in small.body
    assert len(small.body) < 0.8 * len(source)
    assert small.tag != Asset.of(source + b"\n;0", "text/javascript").tag
    assert "\n " not in page_html(load_assets()).text


@pytest.mark.parametrize("name", sorted(SCRIPTS))
def test_no_template_stands_in_another_which_would_lose_its_blanks(name):
    # rjsmin knows templates, but none within ${…} of another.
    text = SCRIPTS[name]
    inside = re.findall(r"\$\{[^}`]*`", "".join(re.findall(r"`[^`]*`", text)))
    assert not [*inside, *re.findall(r"[\"'`].*;\}.*[\"'`]", text)]


async def test_a_preview_of_the_first_address_lets_nobody_in_and_spends_nothing(at):
    async with at.http.get(at.told[0]) as preview:
        assert preview.status == 200
        assert preview.headers.getall("Set-Cookie", []) == []
    assert await Visitor(at).enter(at.told[0]) == 200
    assert await Visitor(at).enter(at.told[0]) == 401


async def test_who_opens_an_address_where_nothing_is_gets_a_page_that_leads_on(at):
    host = await at.first()
    for path in ("/nothing", f"{host.path}/nothing", "/operator/x"):
        opened = {"Sec-Fetch-Dest": "document", "Accept-Language": "en"}
        status, page = await host.get(path, **opened)
        assert status == 404
        assert b'<html lang="en">' in page
        assert b'<a class="key" href="/">' in page
        # A part of a page that is missing needs no page of its own.
        assert await host.get(path) == (404, b"404: Not Found")
