"""Looks and keepsakes in both chats: ``python -m tests.drives.keepsakes [discord|telegram]``.

The real process on an emulated platform: boards are dark on Discord until somebody chooses, what
was chosen outlives SIGKILL, emojis are sent once, a finished game is posted as a film and as a card
at the pace of the place, and the board answers questions. Needs ``../shared/emulators``.
"""

from __future__ import annotations

import argparse
import asyncio
import io
import re
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from PIL import Image, ImageStat

from games.core.shelf import shelf
from render.kit.button_faces import face_names
from tests.drives.bench import EMULATORS, Bench, available, bench
from tests.drives.stage import PATIENCE, Stage, staged
from tests.drives.telegram_checks import clean, ended

NIGHT, DAY = 90, 140
"""How light a dark board is at most, on the average of its pixels, and a light one at least."""

CHOSEN = "Board theme: light"
"""How the choice of a light board is called."""


def lightness(data: bytes) -> float:
    """How light a picture is on the average, 0 to 255."""
    return float(ImageStat.Stat(Image.open(io.BytesIO(data)).convert("L")).mean[0])


def film_and_card(film: bytes, card: bytes) -> str:
    """What was posted, in short; raises where it is no film of several pictures or no card."""
    moving, still = Image.open(io.BytesIO(film)), Image.open(io.BytesIO(card))
    assert moving.format == "GIF", moving.format
    assert moving.n_frames > 7, f"{moving.n_frames} pictures"
    assert still.format in ("PNG", "JPEG"), still.format
    return f"film of {len(film) / 1000:.0f} kB, card of {len(card) / 1000:.0f} kB"


# -- Discord ---------------------------------------------------------------------------------


async def discord(folder: Path) -> str:
    """Everything, in an emulated Discord."""
    async with bench(folder) as at:
        fake, wanted = at.fake, sum(len(face_names(key)) for key in shelf())
        await at.until(lambda: len(fake.app_emojis) == wanted, "the emojis", 120.0)
        first = _sent(at)
        message = await at.open()
        dark = lightness(message.images[-1].data)
        assert dark < NIGHT, f"a board is not dark: {dark:.0f}"
        assert any(button.get("emoji") for button in at.moves(message)), "no button has a face"

        asked = await _settings(at)
        await at.until(lambda: any(CHOSEN in _options(one) for one in asked.selects), "the themes")
        index = next(n for n, one in enumerate(asked.selects) if CHOSEN in _options(one))
        at.kept(await fake.select(fake.owner, asked, CHOSEN, index=index))
        await at.until(lambda: lightness(message.images[-1].data) > DAY, "a light board")
        await at.killed()
        await at.move(message)
        light = lightness(message.images[-1].data)
        assert light > DAY, f"the choice is forgotten: {light:.0f}"
        assert _sent(at) == first == wanted, f"{first} emojis sent, then {_sent(at) - first}"

        answer = await at.kept(await fake.slash(fake.A, "ask", {"question": "a1"})).reply()
        said = answer.text
        assert "a1" in said, said
        while not at.over(message):
            await at.move(message)
        film, slow = await _posted(at, "replay", ".gif")
        card, sooner = await _posted(at, "card", ".png")
        faults = at.faults()
        assert not faults, faults[:4]
        assert not at.unanswered(), f"{at.unanswered()} unanswered"
        return (
            f"boards {dark:.0f} dark, {light:.0f} once light was chosen, also after SIGKILL;"
            f" {wanted} emojis sent at the first start, 0 at the second;"
            f" {film_and_card(film, card)}, posted after {slow:.1f} and {sooner:.1f} s;"
            f" «{said[:60]}»; violations 0, unanswered 0"
        )


def _sent(at: Bench) -> int:
    """How many emojis were sent to Discord."""
    return sum(one.method == "POST" and one.path.endswith("/emojis") for one in at.fake.records)


def _options(one: Any) -> list[str]:
    return [option["label"] for option in one.get("options", ())]


async def _settings(at: Bench) -> Any:
    """The settings of the server, before its owner."""
    asked = await at.kept(await at.fake.slash(at.fake.owner, "settings")).reply()
    await at.click(at.fake.owner, asked, custom_id=asked.buttons[-1]["custom_id"])
    return asked


async def _posted(at: Bench, command: str, end: str) -> tuple[bytes, float]:
    """The file, called something with *end*, that a command posts, and after how many seconds."""
    began = time.monotonic()

    def found() -> Any:
        shown = [one for message in at.fake.channel_messages() for one in message.images]
        return [
            one
            for one in shown
            if one.filename.startswith("ludoteca-") and one.filename.endswith(end)
        ]

    at.kept(await at.fake.slash(at.fake.A, command))
    await at.until(found, f"the answer to {command}: {at.fake.channel_messages()}", 60.0)
    return found()[-1].data, time.monotonic() - began


# -- Telegram --------------------------------------------------------------------------------


async def telegram(folder: Path) -> str:
    """The same in an emulated Telegram, whose boards are light, and whose buttons have no faces."""
    async with staged(folder) as stage:
        fake = stage.fake
        await stage.pressed(
            fake.A, await (await fake.start_bot(fake.A)).reply(), label=re.compile("Niya")
        )
        (mine,) = await stage.until(stage.playing)
        stage.known.add(mine)
        light = _lightness_of(await stage.shown(mine))
        assert light > DAY, f"a board is not light: {light:.0f}"
        card = await (await fake.say(fake.A, "/settings", fake.private(fake.A))).reply()
        await stage.pressed(fake.A, card, label=re.compile("^Theme"))
        await stage.until(lambda: _offered(card, "dark"))
        await stage.pressed(fake.A, card, label=re.compile("dark$"))
        # Nobody is shown another board than the one he asked for: it comes with the next move.
        await _moved(stage, mine)
        await stage.bot.kill()
        await stage.begin()
        await _moved(stage, mine)
        dark = _lightness_of(await stage.shown(mine))
        assert dark < NIGHT, f"the choice is forgotten: {dark:.0f}"
        asked = await (await fake.say(fake.A, "what is on a1?", fake.private(fake.A))).reply()
        assert "a1" in asked.text, asked.text

        code = await stage.opened(fake.group, first=fake.A, second=fake.B)
        while not await stage.over(code):
            await _moved(stage, code)
        await stage.current(PATIENCE)
        film, slow = await _sent_to(stage, "/replay", "animation")
        still, sooner = await _sent_to(stage, "/card", "photo")
        clean(stage)
        assert not any(one.error and one.error.startswith("429") for one in fake.records)
        return (
            f"boards {light:.0f} light, {dark:.0f} once dark was chosen, also after SIGKILL;"
            f" {film_and_card(film, still)}, in the group after {slow:.1f} and {sooner:.1f} s;"
            f" «{asked.text[:60]}»; violations 0, unanswered 0; {await ended(stage)}"
        )


async def _offered(card: Any, end: str) -> bool:
    return any(button["text"].endswith(end) for button in card.buttons)


async def _moved(stage: Stage, code: str) -> None:
    """A move at a table by whoever of the people there is to move, once it is his turn."""

    async def ready() -> bool:
        # A computer that begins is waited for.
        return bool(await stage.codes(code)) or await stage.over(code)

    await stage.current(PATIENCE)
    await stage.until(ready, PATIENCE)
    codes = await stage.codes(code)
    if codes:
        await stage.pressed(await stage.mover(code), await stage.message(code), code=codes[0])
    await stage.current(PATIENCE)


async def _sent_to(stage: Stage, command: str, kind: str) -> tuple[bytes, float]:
    """The file of a *kind* that a command posts in the group, and after how many seconds."""
    fake, began = stage.fake, time.monotonic()
    known = set(fake.messages)
    await fake.say(fake.A, command, fake.group)

    async def posted() -> Any:
        new = (one for key, one in fake.messages.items() if key not in known)
        return next((one for one in new if kind in one.data), None)

    message = await stage.until(posted, PATIENCE)
    return Path(message.photo.path).read_bytes(), time.monotonic() - began


def _lightness_of(message: Any) -> float:
    return lightness(Path(message.photo.path).read_bytes())


CHATS: dict[str, Callable[[Path], Awaitable[str]]] = {"discord": discord, "telegram": telegram}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.drives.keepsakes", description=__doc__)
    parser.add_argument("chats", nargs="*", metavar="CHAT", help=", ".join(CHATS))
    asked = parser.parse_args()
    if not available():
        print(f"There are no emulators in {EMULATORS}: nothing is driven.")
        return
    failed = False
    for name in asked.chats or CHATS:
        began = time.monotonic()
        with tempfile.TemporaryDirectory() as folder:
            try:
                said, mark = asyncio.run(CHATS[name](Path(folder) / name)), "ok  "
            except (AssertionError, TimeoutError) as wrong:
                failed, mark, said = True, "FAIL", f"{type(wrong).__name__} {wrong}"
                log = Path(folder) / name / "bot.log"
                print(log.read_text()[-2000:] if log.exists() else "", file=sys.stderr)
        print(f"{mark} {name}: {said} ({time.monotonic() - began:.0f} s)", flush=True)
    sys.exit(failed)


if __name__ == "__main__":
    main()
