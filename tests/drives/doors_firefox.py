"""Both doors of the public page in Debian's Firefox, over TLS, with small pages of both platforms.

``python -m tests.drives.doors_firefox FOLDER``. Firefox is led by a proxy to a server on this
machine, which is the public page, Discord's and Telegram's by name: cookies, sites, redirects and
referrers are the browser's own.
"""

from __future__ import annotations

import asyncio
import ssl
import sys
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import aiohttp
from aiohttp import web

from bot.chats.web import DiscordApp, DoorKeys, WebChat
from bot.chats.web.doors.telegram_login import ISSUER
from bot.facade import open_facade
from bot.port import Asker, Command, Home, Where
from bot.service.computers.pool import Thinkers
from storage.store import Store
from tests.browser.test_browser_proxies import certificate
from tests.chats import fake_discord_sign_in, telegram_oidc
from tests.chats.doors import PROXIED, PUBLIC
from tests.chats.fake_discord_sign_in import ANA, DiscordApi
from tests.chats.telegram_oidc import NEREA, TelegramOidc
from tests.databases import database_in
from tests.drives.doors import HOP, LocalLogin, asking_page
from tests.drives.firefox_driver import Page, Refused, running
from tests.loopback import listening

HOSTS = {urlsplit(one).hostname for one in (PUBLIC, "https://discord.com", ISSUER)}
"""Which names the proxy leads to the server here; to all others there is no way."""

SECONDS = 60.0


@dataclass
class Town:
    """The house, and the small platforms around it."""

    facade: Any
    web: WebChat
    discord: DiscordApi
    telegram: TelegramOidc
    tls: int = 0
    proxy: int = 0

    async def answer(self, request: web.Request) -> web.StreamResponse:
        """What a host of ``HOSTS`` answers."""
        if request.host != urlsplit(PUBLIC).hostname:
            if "redirect_uri" not in request.query:  # its icon
                return web.Response(status=204)
            body = asking_page(str(request.url), self.discord, self.telegram)
            return web.Response(text=body, content_type="text/html")
        told = {**request.headers, **PROXIED}
        inner = f"http://127.0.0.1:{self.web.port}{request.raw_path}"
        async with aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar()) as http:
            if request.headers.get("Upgrade", "").lower() == "websocket":
                return await _joined(request, http, inner, told)
            async with http.request(
                request.method,
                inner,
                headers=told,
                data=await request.read(),
                allow_redirects=False,
            ) as came:
                kept = [(k, v) for k, v in came.headers.items() if k.lower() not in HOP]
                answer = web.Response(status=came.status, body=await came.read())
                answer.headers.clear()
                for name, value in kept:
                    answer.headers.add(name, value)
                return answer

    async def lead(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """The proxy: a way to the server here for each of ``HOSTS``."""
        try:
            wanted = (await reader.readuntil(b"\r\n\r\n")).split()[1].decode()
        except asyncio.IncompleteReadError:  # opened ahead, and not used
            writer.close()
            return
        if wanted.rpartition(":")[0] not in HOSTS:
            writer.write(b"HTTP/1.1 502 No way\r\nContent-Length: 0\r\n\r\n")
            writer.close()
            return
        there, back = await asyncio.open_connection("127.0.0.1", self.tls)
        writer.write(b"HTTP/1.1 200 Go\r\n\r\n")
        await asyncio.gather(_pour(reader, back), _pour(there, writer))


async def _pour(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        while found := await reader.read(65536):
            writer.write(found)
            await writer.drain()
        writer.close()


async def _joined(
    request: web.Request, http: aiohttp.ClientSession, inner: str, told: dict[str, str]
) -> web.WebSocketResponse:
    """A WebSocket through the proxy."""
    outer = web.WebSocketResponse()
    kept = {key: one for key, one in told.items() if not key.lower().startswith("sec-websocket")}
    async with http.ws_connect(inner, headers=kept) as there:
        await outer.prepare(request)

        async def to_browser() -> None:
            async for message in there:
                packed = message.type is aiohttp.WSMsgType.BINARY
                await (outer.send_bytes if packed else outer.send_str)(message.data)
            await outer.close(code=there.close_code or 1000)

        back = asyncio.create_task(to_browser())
        async for message in outer:
            await there.send_str(message.data)
        back.cancel()
    return outer


@asynccontextmanager
async def _town(folder: Path) -> AsyncIterator[Town]:
    async with DiscordApi().running() as discord, TelegramOidc().running() as telegram:
        app = DiscordApp(fake_discord_sign_in.TOKEN, fake_discord_sign_in.SECRET, discord.url)
        login = LocalLogin(telegram_oidc.CLIENT, telegram_oidc.SECRET)
        login.local = telegram.url
        facade = await open_facade(await Store.open(database_in(folder)), Thinkers(), "es")
        house = WebChat(facade, "127.0.0.1", 0, print, public=PUBLIC, doors=DoorKeys(app, login))
        await facade.start([house])
        town = Town(facade, house, discord, telegram)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(*certificate(folder))
        server = web.Application()
        server.router.add_route("*", "/{rest:.*}", town.answer)
        async with listening(server, context) as address:
            town.tls = int(address.rpartition(":")[2])
            proxy = await asyncio.start_server(town.lead, "127.0.0.1", 0)
            town.proxy = proxy.sockets[0].getsockname()[1]
            try:
                yield town
            finally:
                proxy.close()
        await facade.stop()


@contextmanager
def _town_beside(folder: Path) -> Iterator[tuple[Town, Callable[[Any], Any]]]:
    """The town in a thread of its own, and what awaits something there."""
    loop, opened = asyncio.new_event_loop(), _town(folder)
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()

    def there(what: Any) -> Any:
        return asyncio.run_coroutine_threadsafe(what, loop).result(SECONDS)

    town = there(opened.__aenter__())
    try:
        yield town, there
    finally:
        there(opened.__aexit__(None, None, None))
        loop.call_soon_threadsafe(loop.stop)
        thread.join()


def _until(page: Page, source: str, argument: object = None) -> Any:
    """What *source* comes to once it is something; a page that is on its way is asked again."""
    until = time.monotonic() + SECONDS
    while True:
        with suppress(Refused):
            if found := page.evaluate(source, argument):
                return found
        if time.monotonic() > until:
            raise AssertionError(f"never: {source} at {page.url}: {page.text_content('body')}")
        page.wait_for_timeout(100)


def _press(page: Page, what: str) -> None:
    _until(page, "(what) => Boolean(document.querySelector(what))", what)
    page.click(what)


def _by(page: Page, platform: str) -> None:
    """Sign in by the door of *platform*, at which the page stands."""
    _press(page, f"a[href='/door/{platform}']")
    _press(page, "#yes")


def _is_in(page: Page, name: str) -> None:
    _until(page, "() => location.pathname.startsWith('/p/')")
    _until(page, "(name) => document.body.innerText.includes(name)", name)


def main(folder: Path) -> None:
    profile = folder / "profile"
    profile.mkdir()
    with _town_beside(folder) as (town, there):
        ana = Asker("discord", ANA["id"], "Ana", None)
        nerea = Asker("telegram", str(NEREA["id"]), "Nerea Ruiz", None)
        here = Where("discord", "300", home=Home("server-200", "es", "300", parts=False))
        call = Command("1", here, ana, "play", {"game": "niya", "opponent": "ordenador"})
        assert there(town.facade.requests.call(call)).good
        led = {"network.proxy.type": 1, "network.proxy.ssl": "127.0.0.1"}
        led |= {"network.proxy.ssl_port": town.proxy, "network.proxy.allow_hijacking_localhost": 1}
        with running(profile, trusting=True, **led) as firefox:
            page = firefox.new_page()
            page.goto(f"{PUBLIC}/")
            _by(page, "discord")
            _is_in(page, "Ana")
            _until(page, "() => Boolean(document.querySelector('main.board .pic'))")
            print("discord: in as Ana, at her table of Discord at once")
            _by_question(page)
            assert not there(town.facade.requests.are_one(ana, nerea)), "nobody is joined unasked"
            said = page.text_content("#said")
            page.click("a[href='/door/go?as=join']")
            _is_in(page, "Ana")
            assert there(town.facade.requests.are_one(ana, nerea))
            print(f"both: {said}")
            other = firefox.new_page()
            other.goto(f"{PUBLIC}/")
            _by(other, "telegram")
            _is_in(other, "Niya")
            print("telegram: in, in a browser of its own, at the same tables")
            assert not page.evaluate("document.cookie"), "no cookie is for scripts"


def _by_question(page: Page) -> None:
    """Sign in by Telegram where the browser is Ana's: the page asks before it joins anybody."""
    page.goto(f"{PUBLIC}/door/go")  # without a ticket the doors stand there
    _by(page, "telegram")
    _until(page, "() => Boolean(document.querySelector(\"a[href='/door/go?as=join']\"))")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
