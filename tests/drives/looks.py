"""Pictures of what people see on their phones: ``python -m tests.drives.looks FOLDER``.

A newcomer's way on an emulated Discord and an emulated Telegram, in Spanish and in English; one
sheet of screens for each into FOLDER, and the labels that do not fit. A sheet takes about six
minutes, and its pictures are written at its end. Needs ``../shared/emulators``
and Debian's chromium. *--only* picks sheets by name, as in ``telegram private es``.
"""

from __future__ import annotations

import argparse
import asyncio
import re
import tempfile
import time
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from playwright.async_api import async_playwright

from bot.presenters.table.setup import MANY
from games.core.shelf import shelf
from tests.drives import message_mockups
from tests.drives.browsing import CHROMIUM
from tests.drives.world import full_name, on_discord, on_telegram, require_emulators

SHEETS = [
    f"{p} {w}" for p in ("discord", "telegram private", "telegram group") for w in ("es", "en")
]

CARD = "^[MOLVAEIPNG][1-4]( |$)"
"""How the buttons of Niya begin that take a card."""

CODE = re.compile(r"· `?([0-9A-Z]{6})\b")
"""The code of a table on its board or its invitation."""

LATE = 20.0
"""Seconds after which nothing is expected any more: groups of Telegram are answered at a pace."""

AWAY = 33.0
"""Seconds after which somebody who has pressed nothing is called."""


class Phone(ABC):
    """One way through the bot; *shots* are titles and what was new on the screen."""

    def __init__(self, fake: Any) -> None:
        self.fake = fake
        self.shots: list[tuple[str, str]] = []
        self.toasts: list[str] = []
        self.known: dict[Any, int] = {}

    async def shot(self, title: str) -> None:
        """Keep what is new since the last shot, once something has come and nothing more does."""
        last, until = -1, time.monotonic() + LATE
        while time.monotonic() < until:
            settled = last == len(self.fake.records)
            if settled and (self.toasts or self.changed()):
                break
            last = len(self.fake.records)
            await asyncio.sleep(0.7)
        new = self.changed()
        self.known = {key: len(m.history) for key, m in self.fake.messages.items()}
        self.shots.append((title, "".join([*self.toasts, *map(self.drawn, new)])))
        self.toasts = []

    def changed(self) -> list[Any]:
        """What stands there of the bot, and did not when the last shot was taken."""
        return [
            m
            for key, m in self.fake.messages.items()
            if not m.deleted and self.of_bot(m) and self.known.get(key) != len(m.history)
        ]

    async def tap(self, words: str, title: str, who: Any = None) -> bool:
        """Press or choose what is labelled like *words* on the newest message that has it."""
        until = time.monotonic() + 6
        while time.monotonic() < until:
            for message in reversed(list(self.fake.messages.values())):
                if not message.deleted and await self.press(message, re.compile(words), who):
                    await self.shot(title)
                    return True
            await asyncio.sleep(0.3)
        self.shots.append((title, f"<div class=toast>nobody offers {words}</div>"))
        return False

    async def has(self, words: str) -> bool:
        """Whether something is labelled like *words* on the newest message with buttons."""
        shown = [m for m in self.fake.messages.values() if not m.deleted and m.buttons]
        labels = [str(b.get("label") or b.get("text") or "") for b in shown[-1].buttons]
        return any(re.search(words, label) for label in labels)

    @abstractmethod
    def of_bot(self, message: Any) -> bool: ...

    @abstractmethod
    def drawn(self, message: Any) -> str: ...

    @abstractmethod
    async def press(self, message: Any, words: re.Pattern[str], who: Any) -> bool: ...

    @abstractmethod
    async def type(self, command: str, title: str, **options: Any) -> None: ...


class OnDiscord(Phone):
    def of_bot(self, message: Any) -> bool:
        return message.data["author"]["id"] == self.fake.bot["id"]

    def drawn(self, message: Any) -> str:
        return message_mockups.discord(
            message, {i: u["global_name"] for i, u in self.fake.users.items()}
        )

    async def answered(self, act: Any) -> None:
        try:
            await (await act).acked()
        except TimeoutError as late:
            self.toasts.append(message_mockups.toast(f"UNANSWERED: {late}", alert=True))

    async def press(self, message: Any, words: re.Pattern[str], who: Any) -> bool:
        who = who or self.fake.A
        if message.ephemeral and message.owner and message.owner["id"] != who["id"]:
            return False
        for one in message.selects:
            for option in one.get("options", ()):
                if words.search(option["label"]):
                    value, code = option["value"], one["custom_id"]
                    await self.answered(self.fake.select(who, message, [value], custom_id=code))
                    return True
        for b in message.buttons:
            if not b.get("disabled") and b.get("custom_id") and words.search(b.get("label") or ""):
                await self.answered(self.fake.click(who, message, custom_id=b["custom_id"]))
                return True
        return False

    async def type(self, command: str, title: str, who: Any = None, **options: Any) -> None:
        await self.answered(self.fake.slash(who or self.fake.A, full_name(command), options))
        await self.shot(title)


class OnTelegram(Phone):
    chat: Any = None

    def of_bot(self, message: Any) -> bool:
        return message.data["from"]["is_bot"]

    def drawn(self, message: Any) -> str:
        return message_mockups.telegram(message)

    async def press(self, message: Any, words: re.Pattern[str], who: Any) -> bool:
        who = who or self.fake.A
        if message.chat_id > 0 and message.chat_id != who["id"]:
            return False
        for b in message.buttons:
            if words.search(b["text"]) and "callback_data" in b:
                handle = await self.fake.press(who, message, stale=b)
                try:
                    await handle.answered()
                except TimeoutError as late:
                    self.toasts.append(message_mockups.toast(f"UNANSWERED: {late}", alert=True))
                answer = handle.answer or {}
                if answer.get("text"):
                    self.toasts.append(
                        message_mockups.toast(answer["text"], bool(answer.get("show_alert")))
                    )
                if answer.get("url"):
                    await self.fake.follow_link(who, answer["url"])
                return True
        return False

    async def type(self, command: str, title: str, who: Any = None, **options: Any) -> None:
        words = " ".join([f"/{command}", *options.values()])
        await self.fake.say(who or self.fake.A, words, self.chat)
        await self.shot(title)


async def alone(phone: Phone, game: str) -> None:
    """Against the computer, from ``/play`` to the end of the game."""
    title = shelf()[game].title
    await phone.type("play", f"{title}: /play")
    await phone.tap(f"^{title}", f"{title}: sheet")
    await phone.tap("^(Reglas de la casa|House rules)", f"{title}: house rules")
    await phone.tap("^(Listo|Done)$", f"{title}: back on the sheet")
    if await phone.has("^(Mis palabras|My words)$"):
        await phone.tap("^(Mis palabras|My words)$", f"{title}: my words")
    await phone.tap("ordenador|computer", f"{title}: against the computer")
    if shelf()[game].computer.levels > MANY:
        await phone.tap("^(Nivel|Level) 2:", f"{title}: levels")
        await phone.tap("^(Nivel|Level) 3:", f"{title}: another level")
    await phone.tap("^(Empezar|Start)", f"{title}: first board")
    await phone.tap("^(Preparar lo mío|Set up mine)", "his own") if game.startswith(
        "stor"
    ) else None
    if game.startswith("stor"):
        await phone.tap("Listo|Ready", "set up")
    for step in ("a half-made choice", "and on"):
        await choose(phone, f"{title}: {step}")
    await phone.tap("^(Más|More)$", f"{title}: more")
    await phone.tap("^(En palabras|In words)", f"{title}: in words")
    await phone.tap("^(Reglas|Rules)", f"{title}: rules")
    await phone.tap("^(Siguiente|Next) »", f"{title}: rules, next page")
    await phone.tap("^(Pista|Hint)$", f"{title}: a hint")
    await phone.tap("^(Rendirse|Resign)", f"{title}: resign?")
    await phone.tap("^(Sí, seguro|Yes)", f"{title}: the end")
    if await phone.has("^(¿Dónde la|Where did I|Repasar|Go over)"):
        await phone.tap("^(¿Dónde la|Where did I|Repasar|Go over)", f"{title}: the review")


async def choose(phone: Phone, title: str) -> None:
    """Press the first button that moves."""
    for message in reversed(list(phone.fake.messages.values())):
        for b in message.buttons:
            if (b.get("custom_id") or b.get("callback_data") or "").startswith("m."):
                label = b.get("label") or b.get("text") or ""
                if not message.deleted and not b.get("disabled"):
                    await phone.tap(f"^{re.escape(label)}$", f"{title} ({label})")
                    return


async def beside(phone: Phone) -> None:
    """Help, settings of a person and a place, whatever is bare."""
    await phone.type("help", "/help")
    await phone.type("settings", "/settings")
    await phone.tap("(Tema|Theme)", "settings: theme")
    await phone.tap("^« (Ajustes|Settings)", "settings: back")
    await phone.type("settings", "a manager's /settings", who=getattr(phone.fake, "owner", None))
    await phone.tap(
        "Ajustes de este|Settings for this", "a place's", who=getattr(phone.fake, "owner", None)
    )
    await phone.type("move", "a bare /move")
    await phone.type("rules", "a bare /rules")
    await phone.type("games", "/games")
    for command in ("privacy", "link", "language", "forgetme"):
        await phone.type(command, f"/{command}")
    await phone.tap("^No$", "/forgetme: no")


async def apart(phone: Phone) -> None:
    """A server that wants a thread for each table, and a table with a clock in one."""
    if not isinstance(phone, OnDiscord):
        return
    owner = phone.fake.owner
    await phone.type("settings", "a manager's /settings", who=owner)
    await phone.tap("Ajustes de este|Settings for this", "a place's", who=owner)
    await phone.tap("(hilo por mesa|thread for each table): (sí|yes)", "threads", who=owner)
    wish = {"game": "niya", "opponent": phone.fake.B, "clock": "5m+5s"}
    await phone.type("play", "an invitation in a thread", **wish)
    await phone.tap("^(Aceptar|Accept)", "accepted there", who=phone.fake.B)
    for who in (phone.fake.A, phone.fake.B):
        await phone.tap(CARD, "a move", who=who)


async def together(phone: Phone) -> None:
    """A challenge that is declined, one that is accepted, and a call."""
    b = phone.fake.B
    for answer in ("^(No, gracias|No, thanks)", "^(Aceptar|Accept|Sentarme|Sit down)"):
        if isinstance(phone, OnDiscord):
            await phone.type("play", "an invitation", game="niya", opponent=b)
        else:
            name = "@bob_t" if phone.chat and phone.chat["type"] != "private" else ""
            await phone.type("play", "an invitation", game="niya", opponent=name)
        if not await phone.tap(answer, f"answered: {answer[2:9]}", who=b):
            links = [x.get("url", "") for m in phone.fake.messages.values() for x in m.buttons]
            shared = [unquote(found[1]) for u in links if (found := re.search(r"url=([^&]+)", u))]
            for link in shared[-1:]:
                await phone.fake.follow_link(b, link)
                await phone.shot("follows the link")
    for who in (phone.fake.A, b, phone.fake.A):
        await phone.tap(CARD, "a move", who=who)
    await phone.tap(CARD, "a move out of turn", who=phone.fake.A)
    await phone.tap("^(Más|More)$", "More", who=phone.fake.A)
    await phone.tap("^(Deshacer|Take back)$", "a take-back is asked for", who=phone.fake.A)
    await phone.tap("^(No deshacer|No take-back)$", "and declined", who=b)
    await asyncio.sleep(AWAY)
    await phone.shot("a call, after half a minute")
    await phone.tap("^(Más|More)$", "More, pressed by a stranger", who=phone.fake.C)
    codes = [found[1] for m in phone.fake.messages.values() if (found := CODE.search(m.text))]
    if codes:
        await phone.type("board", "a spectator's /board", who=phone.fake.C, table=codes[-1])
    await phone.tap("^(Más|More)$", "More", who=b)
    await phone.tap("^(Rendirse|Resign)$", "resign?", who=b)
    await phone.tap("^(Sí, seguro|Yes, I’m sure)$", "the end, for two people", who=b)
    await phone.tap("^(Revancha|Rematch)$", "a rematch is asked for", who=b)
    await phone.tap("^(Verificar|Verify)$", "verified", who=phone.fake.A)


SCENES = {"beside": beside, "together": together, "apart": apart}


@asynccontextmanager
async def taken(sheet: str, folder: Path) -> AsyncIterator[Phone]:
    """The bot and the phone of one sheet."""
    language = sheet.split()[-1]
    if sheet.startswith("discord"):
        async with on_discord(folder, locale={"es": "es-ES", "en": "en-US"}[language]) as at:
            at.fake.guild["locale"] = at.fake.locale
            yield OnDiscord(at.fake)
        return
    async with on_telegram(folder) as stage:
        for user in stage.fake.users.values():
            user["language_code"] = language
        phone = OnTelegram(stage.fake)
        phone.chat = stage.fake.group if "group" in sheet else None
        yield phone


async def look(sheet: str, folder: Path, scenes: str) -> None:
    """Walk the way of *sheet*, and write its pictures and the labels that are cut."""
    with tempfile.TemporaryDirectory() as work:
        async with taken(sheet, Path(work)) as phone:
            for game in shelf():
                if not re.search(scenes, game):
                    continue
                if isinstance(phone, OnTelegram) and phone.chat:
                    # A group of its own: Telegram's pace is another matter.
                    people = [phone.fake.A, phone.fake.B, phone.fake.C]
                    phone.chat = phone.fake.add_group(game, people)
                await alone(phone, game)
            for scene, way in SCENES.items():
                if not re.search(scenes, scene):
                    continue
                if isinstance(phone, OnTelegram) and phone.chat:
                    people = [phone.fake.A, phone.fake.B, phone.fake.C]
                    phone.chat = phone.fake.add_group(scene, people)
                await way(phone)
            shots = phone.shots
            async with async_playwright() as p:
                browser = await p.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
                tab = await browser.new_page(viewport={"width": 1660, "height": 900})
                for number in range(0, len(shots), 12):
                    some = shots[number : number + 12]
                    columns = [
                        message_mockups.phone(sheet.split()[0], some[i : i + 3])
                        for i in range(0, len(some), 3)
                    ]
                    written = Path(work) / "page.html"
                    written.write_text(message_mockups.page(columns))
                    await tab.goto(written.as_uri())
                    for label in await tab.evaluate(message_mockups.MEASURE):
                        print(f"{sheet}: cut: {label}", flush=True)
                    name = f"{sheet.replace(' ', '-')}-{number // 12:02}.png"
                    await tab.screenshot(path=folder / name, full_page=True)
                await browser.close()
            (folder / f"{sheet}.log").write_text(Path(work, "bot.log").read_text())
            found = [*phone.fake.violations[:3], *getattr(phone.fake, "unanswered", [])[:3]]
            print(f"{sheet}: {len(shots)} screens {found or ''}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.drives.looks", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", default="", help="sheets whose name has this in it")
    parser.add_argument("--scenes", default="", help="a game, beside, together, apart: a pattern")
    asked = parser.parse_args()
    asked.folder.mkdir(parents=True, exist_ok=True)
    require_emulators()
    for sheet in SHEETS:
        if asked.only in sheet:
            asyncio.run(look(sheet, asked.folder, asked.scenes))


if __name__ == "__main__":
    main()
