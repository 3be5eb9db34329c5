"""Bad days of the page within Discord, in Chromium, and how soon its first board is seen.

``python -m tests.drives.activity_days FOLDER`` lives through cut connections, storage that the
browser denies to frames of other sites, a client that knows few commands, a phone in picture in
picture, a refused consent, and Activities that are switched off; ``… FOLDER --first 7`` measures
instead, in one run, the first board within Discord beside that of the public page.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

from bot.chats.web.assets import load_assets
from tests.drives.activity import PUBLIC, Inside, Party, inside
from tests.drives.browsing import CHROMIUM
from tests.drives.speed_page import MOST, OPENED

CUTS = 5
"""How often every connection is cut while a game is played."""

SCRIPTS = ("activity.js",)
"""Our scripts that the page within Discord has beside those of the page."""

DENIED = """if (self !== top) {
  const configurable = true;
  const deny = { get() { throw new DOMException("denied", "SecurityError"); }, configurable };
  const all = ["localStorage", "sessionStorage", "indexedDB", "caches"];
  for (const name of all) Object.defineProperty(self, name, deny);
  const none = { get: () => "", set() {}, configurable };
  Object.defineProperty(Document.prototype, "cookie", none);
}"""
"""What a browser does to frames of other sites that blocks their cookies."""

SEEN = "window.first[0]"
"""When the first board was seen, in milliseconds since the page was opened; 0 before."""

WANTED = ("WebSocket connection", "LAUNCH_ACTIVITY (12), but the app has no Activities")
"""What is told of cut connections by the browser, and of a launch with Activities off."""

OLD = frozenset(
    {
        "GET_ACTIVITY_INSTANCE_CONNECTED_PARTICIPANTS",
        "USER_SETTINGS_GET_LOCALE",
        "OPEN_INVITE_DIALOG",
        "SHARE_LINK",
        "SET_ACTIVITY",
        "SET_ORIENTATION_LOCK_STATE",
        "OPEN_EXTERNAL_LINK",
    }
)
"""The commands that an old client refuses as invalid."""


@asynccontextmanager
async def _party(folder: Path, *scripts: str) -> Any:
    from playwright.async_api import async_playwright

    async with inside(folder) as at, async_playwright() as play:
        browser = await play.chromium.launch(executable_path=CHROMIUM, args=at.act.browser_args)
        yield Party(at, browser)
        await browser.close()


async def _begun(at: Inside) -> tuple[str, Any]:
    """A game of Alice and Bob in the channel, and its message."""
    fake = at.fake
    handle = await fake.slash(fake.A, "play", {"game": "cirya", "opponent": fake.B})
    message = await handle.reply(timeout=90)
    await fake.w.until(lambda: message.buttons, 180, "the invitation")
    await (await fake.click(fake.B, message, label="Accept")).acked()
    await at.fake.w.until(
        lambda: any(b["custom_id"].startswith("m.") for b in message.buttons), 180, "a board"
    )
    return str(message.buttons[0]["custom_id"].split(".")[1]), message


async def _old_client(party: Party, code: str) -> None:
    """A client that knows few commands has fewer keys that do something, and no errors."""
    import fake_activity

    known = dict(fake_activity.COMMANDS)
    for one in OLD:
        del fake_activity.COMMANDS[one]
    try:
        client = await party.come(party.at.fake.C, custom_id=code)
        frame = client.frame
        await frame.wait_for_selector("main.board .pic", timeout=60_000)
        for key in await frame.query_selector_all(".around .key"):
            if await key.is_visible() and "show=" not in frame.url:
                await key.click()
                break
        refused = {cmd for cmd, error, _ in client.answers if error}
        assert refused <= OLD, refused
        assert refused, "the client refused nothing"
        print(f"An old client refused {', '.join(sorted(refused))}; the board stands.")
        await party.at.act.close(client)
    finally:
        fake_activity.COMMANDS.update(known)


async def _denied_storage(party: Party, code: str) -> None:
    """Cookies of other sites are off: Alice comes in, plays and is herself."""
    context = await party.browser.new_context(viewport={"width": 1280, "height": 720})
    await context.add_init_script(DENIED)
    client = await party.come(party.at.fake.A, context=context, custom_id=code)
    denied = await client.frame.evaluate(
        "() => { try { return Boolean(localStorage); } catch { return 'denied'; } }"
    )
    assert denied == "denied"
    before = (await party.table(code)).version
    assert await _plays(party, code, 2) == 2
    assert (await party.table(code)).version > before
    print("Without cookies and storage of frames Alice comes in and plays.")


async def _plays(party: Party, code: str, most: int) -> int:
    """So many moves of Alice, and those of Bob between them."""
    played = 0
    while played < most:
        table = await party.table(code)
        mine = table.players[min(table.actors())].name == "Alice"
        assert await party.play(code, 1) == 1
        played += mine
    return played


async def _cuts(party: Party, code: str) -> None:
    """The proxy cuts every connection again and again: each move arrives once all the same."""
    web = party.at.web
    before = await _moves(party, code)
    for _ in range(CUTS):
        cut = 0
        for visit in web._visits.values():
            for page in visit.pages:
                transport = page.socket._req and page.socket._req.transport
                if transport is not None:
                    transport.abort()
                    cut += 1
        assert cut, "nothing was open"
        assert await _plays(party, code, 1) == 1
    await party.shown(code, "Alice")
    after = await _moves(party, code)
    assert after - before == CUTS, (before, after)
    print(f"{CUTS} cuts: each of {CUTS} moves was played once, and the newest board is shown.")


async def _moves(party: Party, code: str) -> int:
    """How many moves Alice has made."""
    table = await party.table(code)
    seats = [seat for seat, one in enumerate(table.players) if one.name == "Alice"]
    return sum(one.seat in seats for one in table.log)


async def _small_phone(party: Party, code: str, folder: Path) -> None:
    """A phone in picture in picture: the board alone, which follows the game."""
    dora = party.at.fake.add_user("dora")
    client = await party.come(dora, platform="mobile", custom_id=code)
    await party.at.act.layout(client, "pip")
    frame = client.frame
    await frame.wait_for_selector("html[data-layout=pip] .pic")
    picture = await frame.get_attribute("#board > .pic", "data-picture")
    assert await _plays(party, code, 1) == 1
    await party.until(lambda: _differs(frame, picture), "the newest board in picture in picture")
    hidden = "[...document.querySelectorAll('.pane, .around')].every((one) => !one.offsetParent)"
    assert await frame.evaluate(hidden)
    await client.page.screenshot(path=str(folder / "pip-phone.png"))
    await party.at.act.layout(client, "focused")
    await frame.wait_for_selector(".around", state="visible")
    await party.at.act.close(client)
    print("A phone in picture in picture shows the board alone, and the newest.")


async def _differs(frame: Any, picture: str | None) -> bool:
    return bool(await frame.get_attribute("#board > .pic", "data-picture") != picture)


async def _shown(party: Party, code: str) -> None:
    """Who wants it lets Discord show what they play, by a consent of its own, and takes it back."""
    act = party.at.act
    client = party.clients["Alice"]
    await client.frame.click("text=/Show what I play|Mostrar a qué juego/")
    until = party.at.fake.w.until
    await until(lambda: "rpc.activities.write" in client.scopes, 60, "the wider consent")
    await until(lambda: client.presence, 60, "a presence")
    assert client.presence["details"] == "Cirya", client.presence
    await client.frame.click("text=/Do not show|No mostrar/")
    await until(lambda: client.presence is None, 60, "the presence to go")
    assert await party.hash("Alice") == code, "the table in view stays"
    act.consent.clear()
    print("«Show what I play» asks for its own consent, shows Cirya, and takes it back.")


async def _refused(party: Party, code: str, folder: Path) -> None:
    """Who does not consent reads why they cannot play, and looks on as the game goes on."""
    eve = party.at.fake.add_user("eve")
    client = await party.at.act.open(party.browser, eve, consent="refuse")
    await client.did("AUTHORIZE", error=True, timeout=60)
    frame = client.frame
    await frame.wait_for_selector("#entering img[src^='data:image/png']", timeout=60_000)
    assert await frame.query_selector("#entering button")
    seen = await frame.get_attribute("#entering img", "src")
    assert await _plays(party, code, 1) == 1

    async def newer() -> bool:
        return bool(await frame.get_attribute("#entering img", "src") != seen)

    await party.until(newer, "a newer board before who looks on")
    await client.page.screenshot(path=str(folder / "looks-on.png"))
    await party.at.act.close(client)
    print("Who refuses reads why, and looks on at the board as it changes.")


async def _switched_off(party: Party, message: Any) -> None:
    """Activities are switched off: the button answers with a link to the page."""
    fake = party.at.fake
    fake.activities = False
    handle = await fake.click(fake.B, message, label="Open the board")
    reply = await handle.reply(timeout=90)
    assert PUBLIC in str(reply), reply
    fake.activities = True
    print("With Activities switched off the button leads to the page in a browser.")


async def days(folder: Path) -> None:
    async with _party(folder) as party:
        code, message = await _begun(party.at)
        await _denied_storage(party, code)
        await _old_client(party, code)
        await _cuts(party, code)
        await _small_phone(party, code, folder)
        await _shown(party, code)
        await _refused(party, code, folder)
        await _switched_off(party, message)
        faults = [one for one in party.at.faults() if not any(part in one for part in WANTED)]
        print(f"{party.moves} moves, faults: {len(faults)}", *faults, sep="\n")
        assert not faults


async def first(folder: Path, times: int) -> None:
    """The first board of who looks on, in browsers that have nothing of either page."""
    async with _party(folder) as party:
        at, browser = party.at, party.browser
        code, _ = await _begun(at)
        page = await browser.new_page()
        await page.goto(f"http://127.0.0.1:{at.web.port}/?{at.told[-1].partition('?')[2]}")
        await page.wait_for_selector("#name", timeout=60_000)
        await page.fill("#name", "Vera")
        await page.press("#name", "Enter")
        await page.wait_for_selector("#games", timeout=60_000)
        party.pages["Vera"] = page
        await party.type("Vera", f"/board {code}")
        await page.wait_for_selector("main.board .pic", timeout=60_000)
        kept, address = await page.context.storage_state(), page.url
        taken: dict[str, list[float]] = {"page": [], "activity": []}
        for turn in range(times + 1):
            context = await browser.new_context(storage_state=kept)
            await context.add_init_script(OPENED)
            alone = await context.new_page()
            await alone.goto(address)
            own = await party.until(partial(alone.evaluate, SEEN), "the page's first board")
            await context.close()
            context = await browser.new_context(viewport={"width": 1280, "height": 720})
            await context.add_init_script(OPENED)
            client = await at.act.open(browser, at.fake.C, context=context, custom_id=code)
            seen = partial(client.frame.evaluate, SEEN)
            within = await party.until(seen, "the first board within Discord")
            await at.act.close(client)
            await context.close()
            if turn:  # the first of each warms the server
                taken["page"].append(own)
                taken["activity"].append(within)
                print(f"{own:7.0f} {within:7.0f} ms", flush=True)
    middle = {name: statistics.median(found) for name, found in taken.items()}
    ratio = middle["activity"] / middle["page"]
    assets = load_assets()
    sizes = {name: (len(assets[name].body), len(assets[name].packed)) for name in SCRIPTS}
    print(f"first board seen, medians of {times}: {middle}, ratio {ratio:.2f}")
    print(f"our scripts, bytes and packed: {sizes}, {sum(one[1] for one in sizes.values())} packed")
    assert ratio <= MOST, ratio


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m tests.drives.activity_days", description=__doc__
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--first", type=int, default=0, help="measure the first board so often")
    wanted = parser.parse_args()
    asyncio.run(first(wanted.folder, wanted.first) if wanted.first else days(wanted.folder))


if __name__ == "__main__":
    main()
