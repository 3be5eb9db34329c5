"""By which names the server is reached, and who is believed what he says of himself."""

from __future__ import annotations

import asyncio
import re

import pytest
from aiohttp.test_utils import make_mocked_request
from aiohttp.web import HTTPForbidden, HTTPMisdirectedRequest, HTTPPermanentRedirect

from bot.app.settings import BadSettings, Settings, read_settings
from bot.chats.web import NotHome, WebChat
from bot.chats.web.doors.origins import Origins, Reach
from bot.chats.web.errors import NotLoopback
from tests.chats.pages import Visitor, server

PUBLIC = "https://play.example.org"
NAME = "play.example.org"
PASSED_ON = {"Host": NAME, "X-Forwarded-For": "203.0.113.7", "X-Forwarded-Proto": "https"}


class Peer:
    """The transport of a connection from one address."""

    def __init__(self, address: str) -> None:
        self.address = address

    def get_extra_info(self, name, default=None):
        return (self.address, 50_000) if name == "peername" else default


def asked(headers, method="GET", peer="127.0.0.1"):
    return make_mocked_request(method, "/", headers, transport=Peer(peer))


@pytest.fixture
def origins():
    return Origins("127.0.0.1", PUBLIC, "192.168.1.20", 8765)


@pytest.mark.parametrize(
    ("host", "reach"),
    [
        (NAME, Reach.EVERYWHERE),
        ("PLAY.example.org", Reach.EVERYWHERE),
        ("127.0.0.1:8765", Reach.HERE),
        ("localhost:8765", Reach.HERE),
        ("192.168.1.20:8765", Reach.HOME),
    ],
)
def test_each_name_is_a_door_of_its_own(origins, host, reach):
    assert origins.of(asked({"Host": host})).reach is reach


@pytest.mark.parametrize(
    "host",
    ["evil.example", f"{NAME}:8765", f"{NAME}.evil.example", "127.0.0.1", "", "0.0.0.0:8765"],
)
def test_no_other_name_is(origins, host):
    with pytest.raises(HTTPMisdirectedRequest):
        origins.of(asked({**PASSED_ON, "Host": host}))


@pytest.mark.parametrize("ways", ["HTTP,https", "https, http", "https,https", " HTTPS "])
def test_behind_two_proxies_one_of_which_speaks_tls_nobody_is_led_round_and_round(origins, ways):
    assert origins.of(asked({**PASSED_ON, "X-Forwarded-Proto": ways})).secure


@pytest.mark.parametrize("ways", ["HTTP, http", "http", ""])
def test_behind_proxies_none_of_which_speaks_tls_one_is_led_there(origins, ways):
    with pytest.raises(HTTPPermanentRedirect):
        origins.of(asked({**PASSED_ON, "X-Forwarded-Proto": ways}))


@pytest.mark.parametrize(
    ("target", "status"),
    [
        ("http://{host}/", 200),
        ("/", 200),
        ("http://evil.example/", 421),
        ("http://evil.example@{host}/", 421),
        ("https://evil.example:443/", 421),
    ],
)
async def test_a_target_with_a_foreign_authority_is_refused(tmp_path, target, status):
    async with server(tmp_path) as at:
        host = at.url.removeprefix("http://")
        reader, writer = await asyncio.open_connection(*host.split(":"))
        head = f"GET {target.format(host=host)} HTTP/1.1\r\nHost: {host}\r\nConnection: close"
        writer.write(f"{head}\r\n\r\n".encode())
        answered = await reader.readline()
        writer.close()
    assert int(answered.split()[1]) == status


def test_what_a_proxy_passes_on_comes_by_the_public_name_alone(origins):
    assert origins.of(asked(PASSED_ON)).secure
    with pytest.raises(HTTPMisdirectedRequest):
        origins.of(asked({**PASSED_ON, "Host": "127.0.0.1:8765"}))


def test_the_public_name_is_for_the_proxy_and_not_for_the_network_at_home(origins):
    with pytest.raises(HTTPMisdirectedRequest):
        origins.of(asked(PASSED_ON, peer="192.168.1.7"))


def test_who_comes_to_the_public_name_unencrypted_is_led_to_the_right_address(origins):
    with pytest.raises(HTTPPermanentRedirect) as led:
        origins.of(asked({**PASSED_ON, "X-Forwarded-Proto": "http"}))
    assert led.value.location == f"{PUBLIC}/"


@pytest.mark.parametrize(
    "origin",
    ["", "null", "http://play.example.org", f"{PUBLIC}:8765", "https://evil.example", f"{PUBLIC}."],
)
def test_a_socket_is_for_pages_of_that_very_origin(origins, origin):
    with pytest.raises(HTTPForbidden):
        origins.of(asked({**PASSED_ON, "Upgrade": "websocket", "Origin": origin}))
    assert origins.of(asked({**PASSED_ON, "Upgrade": "websocket", "Origin": PUBLIC}))


def test_a_proxy_of_this_machine_alone_is_believed_where_somebody_comes_from(origins):
    claimed = {"X-Forwarded-For": "198.51.100.1, 203.0.113.7"}
    assert origins.client(asked(claimed)) == "203.0.113.7"
    assert origins.client(asked(claimed, peer="192.168.1.7")) == "192.168.1.7"
    assert origins.client(asked({})) == "127.0.0.1"


@pytest.mark.parametrize(
    "home", ["0.0.0.0", "8.8.8.8", "127.0.0.1", "home", "::", "192.168.1.0/24"]
)
def test_the_address_at_home_is_private(origins, home):
    with pytest.raises(NotHome, match="WEB_LAN_HOST"):
        Origins("127.0.0.1", home=home)


@pytest.mark.parametrize(
    ("url", "origin"),
    [
        ("https://play.example.org", PUBLIC),
        ("https://PLAY.example.org/", PUBLIC),
        ("https://play.example.org:443", PUBLIC),
        ("https://play.example.org:8443", f"{PUBLIC}:8443"),
        ("", ""),
    ],
)
def test_the_public_address_is_an_origin(monkeypatch, tmp_path, url, origin):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("WEB_PUBLIC_URL", url)
    assert read_settings().public_origin == origin


@pytest.mark.parametrize(
    "url",
    ["http://play.example.org", "https://play.example.org/games", "https://a:b@c.org", "play"],
)
def test_nothing_else_is_a_public_address(monkeypatch, tmp_path, url):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("WEB_PUBLIC_URL", url)
    with pytest.raises(BadSettings, match="WEB_PUBLIC_URL"):
        read_settings()


async def test_links_lead_to_the_public_name_and_its_cookies_are_bound_to_it(tmp_path):
    async with server(tmp_path) as at:
        public = WebChat(at.facade, "127.0.0.1", 0, public=PUBLIC)
        assert public.address == PUBLIC
        assert public.public_address().link == PUBLIC
        assert at.chat.public_address().link == ""  # strangers reach no address of this machine
        at.chat._server.origins.public = PUBLIC
        async with at.http.get(
            at.told[0].replace("?t=", "?on="),
            headers={**PASSED_ON, "Host": NAME},
            allow_redirects=False,
        ) as response:
            assert response.status == 200
            cookies = response.headers.getall("Set-Cookie")
            assert "max-age" in response.headers["Strict-Transport-Security"]
            path = re.search(r"url=(/p/[0-9a-f]+)/", await response.text())[1]
        assert [cookie.partition("=")[0] for cookie in cookies] == [
            f"__Host-ludoteca-{path[3:]}",
            "__Host-ludoteca-home",
        ]
        assert all("Secure" in cookie and "Path=/;" in f"{cookie};" for cookie in cookies)
        kept = "; ".join(cookie.partition(";")[0] for cookie in cookies)
        inside = {**PASSED_ON, "Host": NAME, "Cookie": kept}
        url = f"http://127.0.0.1:{at.chat.port}"
        async with at.http.get(f"{url}{path}/", headers=inside) as response:
            assert response.status == 200
        async with at.http.get(f"{url}{path}/", headers={"Cookie": kept}) as response:
            assert response.status == 401, "the cookies of one door open no other"
        async with at.http.ws_connect(
            f"{url}{path}/socket", headers={**inside, "Origin": PUBLIC}
        ) as socket:
            assert not socket.closed


async def test_at_this_machine_everything_is_as_before(tmp_path):
    async with server(tmp_path) as at:
        visitor = await at.first()
        assert visitor.cookie.startswith("ludoteca=")
        async with at.http.get(f"{at.url}{visitor.path}/", headers=visitor.headers()) as response:
            assert response.status == 200
            assert "Strict-Transport-Security" not in response.headers
        assert (await Visitor(at).get("/static/page.js", Host=NAME))[0] == 421


@pytest.fixture
def elsewhere():
    """A server that proxies in a private network reach."""
    networks = Settings(_env_file=None, web_trusted_proxy="10.0.0.0/8, 172.31.251.2")
    return Origins("10.0.0.11", PUBLIC, "", 8765, networks.trusted_proxies)


@pytest.mark.parametrize("peer", ["10.0.0.2", "::ffff:10.0.0.2", "172.31.251.2", "127.0.0.1"])
def test_a_trusted_proxy_on_another_machine_is_believed(elsewhere, peer):
    request = asked(PASSED_ON, peer=peer)
    assert elsewhere.of(request).secure
    assert elsewhere.client(request) == "203.0.113.7"


@pytest.mark.parametrize("peer", ["192.0.2.1", "11.0.0.1", "172.31.251.3", "fd00::1"])
def test_nobody_else_is_let_in_or_believed_there(elsewhere, peer):
    request = asked(PASSED_ON, peer=peer)
    with pytest.raises(HTTPMisdirectedRequest):
        elsewhere.of(request)
    assert elsewhere.client(request) == peer


@pytest.mark.parametrize(
    "host", ["10.0.0.11:8765", "localhost:8765", "127.0.0.1:8765", "10.0.0.11"]
)
def test_there_the_public_name_is_the_only_one(elsewhere, host):
    with pytest.raises(HTTPMisdirectedRequest):
        elsewhere.of(asked({**PASSED_ON, "Host": host}, peer="10.0.0.2"))


def test_what_a_client_wrote_before_the_chain_of_proxies_is_not_believed(elsewhere):
    chain = {**PASSED_ON, "X-Forwarded-For": "198.51.100.1, 203.0.113.7, 10.0.0.9"}
    assert elsewhere.client(asked(chain, peer="10.0.0.2")) == "203.0.113.7"
    alone = {**PASSED_ON, "X-Forwarded-For": "10.0.0.9"}
    assert elsewhere.client(asked(alone, peer="10.0.0.2")) == "10.0.0.9"


def test_an_address_of_others_needs_a_proxy_and_a_public_name():
    for public, proxies in (("", "10.0.0.0/8"), (PUBLIC, "")):
        networks = Settings(_env_file=None, web_trusted_proxy=proxies).trusted_proxies
        with pytest.raises(NotLoopback):
            Origins("10.0.0.11", public, "", 8765, networks)


@pytest.mark.parametrize("wrong", ["10.0.0.0/99", "proxy.example", "10.0.0.1/8"])
def test_trusted_proxies_are_addresses_and_networks(monkeypatch, tmp_path, wrong):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("WEB_TRUSTED_PROXY", wrong)
    with pytest.raises(BadSettings, match=r"WEB_TRUSTED_PROXY .*10\.0\.0\.0/8"):
        read_settings()
