"""From a board in Telegram (emulated) to the same table on our page, by each of its buttons."""

from __future__ import annotations

import re
from urllib.parse import parse_qs, urlsplit

import pytest

from tests.browser.test_browser_framed import PUBLIC, launched
from tests.drives.browsing import CHROMIUM, FLAGS, free_port
from tests.drives.world import PATIENCE, emulators, on_telegram

playwright = pytest.importorskip("playwright.async_api")

pytestmark = pytest.mark.skipif(not emulators(), reason="there are no emulators here")


def button(message, kind: str) -> str:
    """The address of the one button of *message* that opens the board."""
    (found,) = [one[kind] for one in message.buttons if kind in one]
    return found["url"] if kind == "web_app" else found


@pytest.mark.slow
async def test_each_way_from_telegram_opens_the_very_table(tmp_path):
    port = free_port()
    here = f"http://127.0.0.1:{port}"
    env = {"WEB_PUBLIC_URL": PUBLIC, "WEB_PORT": str(port)}
    async with (
        on_telegram(tmp_path, env, main_web_app=True) as world,
        playwright.async_playwright() as play,
    ):
        browser = await play.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        fake = world.fake
        group = fake.add_group("Lunes", [fake.A, fake.B])

        async def shown(address: str, start: str = "") -> str:
            """The address of the page that Telegram's own window comes to at *address*."""
            context = await browser.new_context(locale="es-ES")
            context.set_default_timeout(120_000)
            page = await context.new_page()
            query = f"?{urlsplit(address).query}" if urlsplit(address).query else ""
            await page.goto(launched(here, fake.token, query, who=fake.A["id"], start=start))
            await page.wait_for_selector("#board")
            if not (query or start):
                code = await page.text_content("#games .goes")
            else:
                await page.wait_for_selector("#board > .pic img")
                # The picture of a board may be seen before anything is known of it.
                await page.wait_for_selector("#code:not(:empty)", state="attached")
                code = await page.text_content("#code")
            await context.close()
            return code or ""

        asked = await fake.say(fake.A, "/play niya computer")
        board = await asked.reply(PATIENCE, predicate=lambda one: "web_app" in str(one.buttons))
        address = button(board, "web_app")
        alone = re.fullmatch(rf"{PUBLIC}/m/\?table=(\w+)", address)
        assert alone
        assert alone[1] in await shown(address)

        together = await world.opened(group, first=fake.A, second=fake.B)
        link = button(await world.shown(together), "url")
        assert re.fullmatch(rf"https://t\.me/\w+\?startapp={together}", link)
        (start,) = parse_qs(urlsplit(link).query)["startapp"]
        assert together in await shown(f"{PUBLIC}/m/", start)

        menu = fake.menu_buttons[None]
        assert menu["web_app"]["url"] == f"{PUBLIC}/m/"
        assert await shown(menu["web_app"]["url"])
        await browser.close()
