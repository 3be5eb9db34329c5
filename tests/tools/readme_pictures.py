"""The three pictures of the README: ``python -m tests.tools.readme_pictures`` takes them anew.

A message on Discord and one in a group on Telegram are what the bot sends to the small platforms of
the tests: words, picture and buttons. They stand in a frame of our own, which shows no platform's
marks or colours. The third is the page of the real program in a Chromium as wide as a phone. Needs
the chromium of the system, and Playwright's Python package.
"""

from __future__ import annotations

import asyncio
import io
import tempfile
from base64 import b64encode
from html import escape
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from bot.chats.discord import DiscordChat
from bot.facade import Facade, open_facade
from bot.service.computers.pool import Thinkers
from games.core.shelf import find_game
from storage.store import Store
from tests.chats.discord_messages import Body, Shown
from tests.chats.discord_table import ANA, BEA
from tests.chats.fake_discord import HOME, TOKEN, FakeDiscord, point_library_at
from tests.chats.telegram_room import room
from tests.drives.message_mockups import marked
from tests.telegram_api import Asked
from tests.telegram_messages import BOT, GROUP, user

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "pictures"
WIDTH, HEIGHT = 390, 844
"""A common phone, in pixels of its browser."""

COLOURS = 128

PLIES = 20
"""How old the game of Cirya is: nobody may type many more moves at once."""

SETTLED = 1500
"""Milliseconds after which nothing on the page moves any more."""

LOCALES = {"en": "en-US", "es": "es-ES"}

STYLE = """
*{box-sizing:border-box} body{margin:0;background:#efebe4;color:#2b2a28;padding:14px;width:390px;
font:15px/1.4 'DejaVu Sans Condensed','DejaVu Sans',sans-serif}
.m{background:#fffdf9;border:1px solid #d8d1c5;border-radius:4px;padding:12px;
display:flex;flex-direction:column;gap:8px;overflow-wrap:anywhere}
.from{font-weight:bold;color:#6b5d4a} .m div{white-space:pre-wrap} img{width:100%;display:block}
.row{display:flex;gap:5px;white-space:normal!important}
.b{flex:1 1 0;min-width:0;border:1px solid #8c8274;border-radius:3px;text-align:center;
padding:6px 3px;font-size:13px;overflow:hidden;white-space:nowrap!important;text-overflow:ellipsis}
.list{border:1px solid #8c8274;border-radius:3px;padding:6px 10px;font-size:13px}
.move{background:#ece3d2;font-weight:bold} .off{opacity:.55} .sub{font-size:12px;color:#6b655c}
blockquote{margin:6px 0 0;padding-left:8px;border-left:3px solid #d8d1c5}
blockquote[expandable]{max-height:4.2em;overflow:hidden}
hr{border:0;border-top:1px solid #d8d1c5;width:100%;margin:0}
"""


def framed(inside: str) -> str:
    """The page with one message, *inside* of which is what the bot sent."""
    return (
        f"<!doctype html><meta charset=utf-8><style>{STYLE}</style>"
        f"<div class=m><div class=from>Ludoteca</div>{inside}</div>"
    )


def _head(text: str) -> str:
    """The line of a board that says whose turn it is."""
    return text.strip().splitlines()[0]


def _image(data: bytes) -> str:
    return f"<img src='data:image/png;base64,{b64encode(data).decode()}'>"


def _button(label: str, *, move: bool, off: bool = False) -> str:
    kind = " move" * move + " off" * off
    return f"<div class='b{kind}'>{escape(label)}</div>"


# ---------------------------------------------------------------- Discord


def of_discord(shown: Shown, names: dict[str, str]) -> str:
    """The components of a message of the small Discord, in our frame's HTML."""

    def drawn(one: Body) -> str:
        match one["type"]:
            case 1:
                return f"<div class=row>{_inside(one)}</div>"
            case 2:
                label = f"{(one.get('emoji') or {}).get('name') or ''} {one.get('label') or ''}"
                off = bool(one.get("disabled"))
                return _button(label.strip(), move=one["style"] in (1, 3), off=off)
            case 3:
                said = one.get("placeholder") or "…"
                return f"<div class='list'>{escape(said)} ▾</div>"
            case 10:
                return f"<div>{marked(one['content'], names)}</div>"
            case 12:
                return "".join(map(_image, shown.pictures))
            case 14:
                return "<hr>"
        return _inside(one)

    def _inside(one: Body) -> str:
        return "".join(map(drawn, one.get("components", [])))

    return "".join(map(drawn, shown.body["components"]))


async def on_discord(code: str, folder: Path) -> str:
    """A game of Niya between two people on a server that speaks *code*, some moves old."""
    home = {"id": HOME, "locale": LOCALES[code]}
    speaks: dict[str, Any] = {"locale": LOCALES[code], "guild": home}
    fake = FakeDiscord()
    with pytest.MonkeyPatch.context() as patched:
        async with fake.running() as base:
            point_library_at(patched, base)
            facade = await _facade(folder, code)
            try:
                await facade.start([DiscordChat(facade, TOKEN)])
                wish = {"game": "niya", "opponent": BEA}
                asked = await fake.slash(ANA, "play", wish, **speaks)
                board = asked.message
                assert board is not None
                await fake.until(lambda: board.buttons)
                await fake.press(BEA, board, board.buttons[0]["custom_id"], **speaks)
                await fake.until(lambda: board.moves)
                for _ in range(5):
                    head = _head(board.text)
                    mover = ANA if "Ana" in head else BEA
                    card = board.moves[len(board.moves) // 2]["custom_id"]
                    await fake.press(mover, board, card, **speaks)
                    await fake.until(lambda: _head(board.text) != head)  # noqa: B023 - awaited here
                return of_discord(board, {one["id"]: one["global_name"] for one in (ANA, BEA)})
            finally:
                await facade.stop()


async def _facade(folder: Path, code: str) -> Facade:
    store = await Store.open(f"sqlite+aiosqlite:///{folder / 'pictures.db'}")
    return await open_facade(store, Thinkers(seconds=0.5), code)


# ---------------------------------------------------------------- Telegram


def of_telegram(words: str, picture: bytes | None, rows: list[list[dict[str, Any]]]) -> str:
    """A message of the small Bot API, in our frame's HTML: its words are HTML as they are sent."""
    keyboard = "".join(
        "<div class=row>"
        + "".join(_button(one["text"], move=bool(one.get("style"))) for one in row)
        + "</div>"
        for row in rows
    )
    return f"{_image(picture) if picture else ''}<div>{words}</div>{keyboard}"


def _words(asked: Asked) -> str:
    """The words of a message as the bot has sent them."""
    media = asked.values.get("media") or {}
    found = media.get("caption") or asked.values.get("caption") or asked.values.get("text")
    return str(found or "")


async def on_telegram(code: str, folder: Path) -> str:
    """A game of Cirya between two people in a group whose members speak *code*."""
    ana, bea = user(11, "Ana", "ana", code), user(12, "Bea", "bea", code)
    async with room(folder) as at:
        await at.api.say(ana, "/play cirya @bea", GROUP)
        board = await at.api.until(lambda: at.api.board(GROUP["id"]))
        await at.settle()
        await at.press(bea, board, board.rows[0][0]["callback_data"])
        for move in find_game("cirya").demo[:PLIES]:
            head = _head(board.text)
            mover = ana if "Ana" in head else bea
            await at.api.say(mover, f"/move@{BOT['username']} {move}", GROUP)
            await at.api.until(lambda: _head(board.text) != head)  # noqa: B023 - awaited here
            await at.settle()
        sent = [one for one in at.api.asked if _words(one) and not one.refused]
        mine = [one for one in sent if int(one.values.get("message_id", 0)) == board.id]
        return of_telegram(_words(mine[-1]), board.picture, board.rows)


# ---------------------------------------------------------------- pictures of all three


def small(shot: bytes) -> bytes:
    """*shot*, a PNG, in few colours."""
    out = io.BytesIO()
    with Image.open(io.BytesIO(shot)) as whole:
        few = whole.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
    few.save(out, "PNG", optimize=True)
    return out.getvalue()


def on_a_phone(chromium: Any, code: str, folder: Path) -> bytes:
    """The page of the real program at a game of shogi against the computer."""
    from tests.drives.browsing import Program, browser_of, come_in, open_table, played, said, until

    program = Program(folder)
    program.start()
    try:
        view = {"width": WIDTH, "height": HEIGHT}
        with browser_of(chromium, locale=LOCALES[code], viewport=view, is_mobile=True) as context:
            page = come_in(context, program.address, "Ana")
            open_table(page, "/play shogi sente computer level 1")
            for move in ("7g7f", "2g2f"):
                until(page, "document.querySelector('#board .spot[data-spot]')")
                said(page, f"/move {move}")
                played(page)
            until(page, "document.querySelector('#board .spot[data-spot]')")
            page.click("#to-acts")
            page.wait_for_timeout(SETTLED)
            return page.screenshot()
    finally:
        program.stop()


def main() -> None:
    """Take the pictures in every language."""
    from tests.drives.browsing import started

    FOLDER.mkdir(exist_ok=True)
    messages = {"discord": on_discord, "telegram": on_telegram}
    written = {}
    for code in LOCALES:
        for name, message in messages.items():
            with tempfile.TemporaryDirectory() as folder:
                written[f"{name}-{code}"] = framed(asyncio.run(message(code, Path(folder))))
    with started() as chromium:
        for name, html in written.items():
            page = chromium.new_page(viewport={"width": WIDTH, "height": 100})
            page.set_content(html)
            (FOLDER / f"{name}.png").write_bytes(small(page.screenshot(full_page=True)))
            page.close()
        for code in LOCALES:
            with tempfile.TemporaryDirectory() as folder:
                shot = on_a_phone(chromium, code, Path(folder))
                (FOLDER / f"phone-{code}.png").write_bytes(small(shot))
    for file in sorted(FOLDER.glob("*.png")):
        print(file.name, file.stat().st_size)


if __name__ == "__main__":
    main()
