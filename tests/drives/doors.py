"""Both doors of the public page in Chromium, with small pages in place of Discord's and Telegram's.

``python -m tests.drives.doors FOLDER``. Requests of the browser are led to the house by Playwright,
as a proxy would that speaks TLS: cookies, sites and referrers are the browser's own.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import aiohttp

from bot.chats.web import DiscordApp, DoorKeys, TelegramLogin, WebChat
from bot.chats.web.doors.telegram_login import ISSUER
from bot.facade import open_facade
from bot.port import Asker
from bot.service.computers.pool import Thinkers
from storage.store import Store
from tests.chats import fake_discord_sign_in, telegram_oidc
from tests.chats.doors import PROXIED, PUBLIC
from tests.chats.fake_discord_sign_in import ANA, DiscordApi
from tests.chats.telegram_oidc import NEREA, TelegramOidc
from tests.databases import database_in

HOP = {"content-encoding", "content-length", "transfer-encoding", "connection"}


class LocalLogin(TelegramLogin):
    """The login of Telegram, whose server is a small one here."""

    local = ""

    async def _ask(self, *asked: Any) -> Any:
        issuer, self.issuer = self.issuer, self.local
        try:
            return await super()._ask(*asked)
        finally:
            self.issuer = issuer


async def main(folder: Path) -> None:
    from playwright.async_api import async_playwright

    async with DiscordApi().running() as discord, TelegramOidc().running() as telegram:
        app = DiscordApp(fake_discord_sign_in.TOKEN, fake_discord_sign_in.SECRET, discord.url)
        login = LocalLogin(telegram_oidc.CLIENT, telegram_oidc.SECRET)
        login.local = telegram.url
        facade = await open_facade(await Store.open(database_in(folder)), Thinkers(), "es")
        web = WebChat(facade, "127.0.0.1", 0, print, public=PUBLIC, doors=DoorKeys(app, login))
        await facade.start([web])
        try:
            async with async_playwright() as play:
                browser = await play.chromium.launch(
                    executable_path="/usr/bin/chromium", args=["--no-sandbox"]
                )
                for platform, name in (("discord", "Ana"), ("telegram", "Nerea Ruiz")):
                    await _signs_in(browser, web, discord, telegram, platform, name)
                await _question(browser, web, facade, discord, telegram)
                await browser.close()
        finally:
            await facade.stop()


def asking_page(address: str, discord: DiscordApi, telegram: TelegramOidc) -> str:
    """The page of a platform at *address* that asks, and leads back by its only link."""
    asked = {key: found[0] for key, found in parse_qs(urlsplit(address).query).items()}
    back, proof = asked["redirect_uri"], asked["code_challenge"]
    if asked.get("nonce"):
        code = telegram.code(telegram.claims(asked["nonce"], iss=ISSUER), proof, back)
    else:
        code = discord.code_for(ANA, proof, back)
    link = f"{back}?code={code}&state={asked['state']}"
    return f"<!doctype html><title>?</title><a id=yes href='{link}'>Yes</a>"


async def _context(browser: Any, web: WebChat, discord: Any, telegram: Any) -> Any:
    """A fresh browser whose requests reach the house and the two small pages."""
    context = await browser.new_context(locale="es-ES")

    async def house(route: Any) -> None:
        asked = route.request
        headers = {**await asked.all_headers(), **PROXIED}
        kept = {key: value for key, value in headers.items() if not key.startswith(":")}
        kept = {key: value for key, value in kept.items() if key.lower() != "host"}
        kept["Host"] = PROXIED["Host"]
        url = asked.url.replace(PUBLIC, f"http://127.0.0.1:{web.port}")
        async with (
            aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar()) as http,
            http.request(asked.method, url, headers=kept, allow_redirects=False) as answer,
        ):
            body = await answer.read()
            told = {k: v for k, v in answer.headers.items() if k.lower() not in HOP}
            told["Set-Cookie"] = "\n".join(answer.headers.getall("Set-Cookie", []))
            await route.fulfill(status=answer.status, headers=told, body=body)

    async def platform(route: Any) -> None:
        """A page that asks, and goes back when its only link is pressed."""
        body = asking_page(route.request.url, discord, telegram)
        await route.fulfill(content_type="text/html", body=body)

    await context.route(f"{PUBLIC}/**", house)
    await context.route("https://discord.com/**", platform)
    await context.route(f"{ISSUER}/**", platform)
    return context


async def _press(page: Any, platform: str) -> None:
    await page.goto(f"{PUBLIC}/door/go")  # without a ticket the doors stand there
    await page.click(f"a[href='/door/{platform}']")
    await page.click("#yes")


async def _signs_in(
    browser: Any, web: WebChat, discord: Any, telegram: Any, platform: str, name: str
) -> None:
    context = await _context(browser, web, discord, telegram)
    page = await context.new_page()
    await page.goto(f"{PUBLIC}/")
    await page.click(f"a[href='/door/{platform}']")
    await page.click("#yes")
    await page.wait_for_url(f"{PUBLIC}/p/**", timeout=20_000, wait_until="commit")
    await page.wait_for_selector(f"text={name}", state="attached", timeout=20_000)
    lasting = {one["name"].partition("-")[2][:13]: one for one in await context.cookies()}
    assert {one["sameSite"] for one in lasting.values()} == {"Strict"}, lasting
    print(f"{platform}: in as {name}")
    await context.close()


async def _question(browser: Any, web: WebChat, facade: Any, discord: Any, telegram: Any) -> None:
    """Somebody of both platforms is asked before both become one person."""
    context = await _context(browser, web, discord, telegram)
    page = await context.new_page()
    await _press(page, "discord")
    await page.wait_for_url(f"{PUBLIC}/p/**", timeout=20_000, wait_until="commit")
    await _press(page, "telegram")
    await page.wait_for_selector("a[href='/door/go?as=join']", timeout=20_000)
    said = await page.inner_text("#said")
    ana, nerea = Asker("discord", ANA["id"], ""), Asker("telegram", str(NEREA["id"]), "")
    assert not await facade.requests.are_one(ana, nerea)
    await page.click("a[href='/door/go?as=join']")
    await page.wait_for_url(f"{PUBLIC}/p/**", timeout=20_000, wait_until="commit")
    assert await facade.requests.are_one(ana, nerea)
    print(f"both: {said}")
    await context.close()


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1])))
