"""Rated games by buttons alone, on both emulated platforms: ``python -m tests.drives.standing``.

The real process on an emulated Discord and Telegram (``discord``, ``telegram`` for one of them):
from ``/play`` to the changed ratings on the board, ladder, profile and versus, in English and in
Spanish; a stranger presses what is not theirs, and what is everybody's. Needs
``../shared/emulators``.
"""

from __future__ import annotations

import argparse
import asyncio
import re
import sys
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from tests.drives.bench import EMULATORS, Bench, available, bench
from tests.drives.stage import PATIENCE, Stage, staged
from tests.drives.telegram_checks import clean

CHANGED = re.compile(r"\d{4}\?? \([+−]\d+\)")
"""A rating and what a game has changed of it: «1532? (+32)»."""

Drive = Callable[[Path], Awaitable[str]]


# -- Discord ---------------------------------------------------------------------------------


async def discord(folder: Path) -> str:
    """Two people on a server."""
    async with bench(folder) as at:
        fake, message = at.fake, await at.open()
        assert "Rated" in message.text, message.text
        await _refused_stranger(at, message)
        moves = 0
        while not at.over(message):
            await at.move(message)
            moves += 1
        assert len(CHANGED.findall(message.text)) == 2, message.text
        before = message.edits
        card = await _own(at, fake.A, message, "Ladder")
        names = [str(one["global_name"]) for one in (fake.A, fake.B)]
        told = card.images[-1].description
        assert all(name in told for name in names), told
        theirs = await _own(at, fake.C, message, "Ladder")
        assert names[0] in theirs.images[-1].description, "everybody may look"
        assert message.edits == before, "the shared board was redrawn"
        profile = await _pressed_on(at, fake.A, card, "My profile")
        assert "Niya" in profile.images[-1].description, profile.text
        whom = await at.kept(await fake.slash(fake.A, "versus")).reply()
        meetings = await _pressed_on(at, fake.A, whom, names[1])
        assert re.search(r"\d–\d–\d", meetings.text), meetings.text
        spoken = await at.kept(
            await fake.slash(fake.B, "top", {"game": "niya"}, locale="es-ES")
        ).reply()
        assert "Clasificación de Niya" in spoken.text, spoken.text
        assert not at.faults(), at.faults()[:4]
        assert not at.unanswered(), f"{at.unanswered()} unanswered"
        return f"{moves} moves, {CHANGED.findall(message.text)}; «{told.splitlines()[0]}»"


async def _refused_stranger(at: Bench, message: Any) -> None:
    before, code = message.edits, at.moves(message)[0]["custom_id"]
    handle = await at.click(at.fake.C, message, custom_id=code)
    refused = await handle.reply()
    assert refused.ephemeral, refused.text
    assert message.edits == before, "the shared board was redrawn"


async def _own(at: Bench, who: Any, message: Any, label: str) -> Any:
    """What *who* alone sees after a press on a shared message."""
    handle = await at.click(who, message, label=label)
    answer = await handle.reply()
    await at.until(lambda: answer.images or answer.text, f"the answer to {label}")
    assert answer.ephemeral, answer.text
    return answer


async def _pressed_on(at: Bench, who: Any, card: Any, label: str) -> Any:
    """The card of *who* after a press on it."""
    handle = await at.click(who, card, label=label)
    return await handle.reply()


# -- Telegram --------------------------------------------------------------------------------


async def telegram(folder: Path) -> str:
    """Two people in a group, and each in their private chat."""
    async with staged(folder) as stage:
        fake = stage.fake
        code = await stage.opened(fake.group, first=fake.A, second=fake.B)
        table = await stage.table(code)
        assert table.rated, "a game between people in a group counts"
        await _strange_press(stage, code)
        while not await stage.over(code):
            await stage.current(PATIENCE)
            codes = await stage.codes(code)
            mover, message = await stage.mover(code), await stage.message(code)
            await stage.pressed(mover, message, code=codes[0])
        await stage.current(PATIENCE)
        board = await stage.message(code)
        assert len(CHANGED.findall(board.text)) == 2, board.text
        private, shown = fake.private(fake.A), board.text
        await fake.start_bot(fake.A)
        for who in (fake.A, fake.C):
            await stage.pressed(who, board, label="Ladder")
        assert board.text == shown, "the shared board was redrawn"
        ladder = await (await fake.say(fake.A, "/top niya", private)).reply()
        assert "Niya" in ladder.text, ladder.text
        profile = await (await fake.say(fake.A, "/profile", private)).reply()
        assert "Niya" in profile.text, profile.text
        await stage.pressed(fake.A, profile, label=re.compile("^Niya ladder"))
        whom = await (await fake.say(fake.A, "/versus", private)).reply()
        (other, *_) = [
            one for row in whom.labels for one in ([row] if isinstance(row, str) else row)
        ]
        answer = await (await stage.pressed(fake.A, whom, label=other)).reply()
        assert re.search(r"\d–\d–\d", answer.text), answer.text
        await (await fake.say(fake.B, "/language es", fake.private(fake.B))).reply()
        spoken = await (await fake.say(fake.B, "/perfil", fake.private(fake.B))).reply()
        assert "Ganadas" in spoken.text, spoken.text
        clean(stage)
        return f"{CHANGED.findall(board.text)}; «{answer.text.splitlines()[0]}»"


async def _strange_press(stage: Stage, code: str) -> None:
    message = await stage.message(code)
    before, codes = (await stage.table(code)).version, await stage.codes(code)
    handle = await stage.pressed(stage.fake.C, message, code=codes[0])
    assert handle.answer, "a stranger's press is answered"
    assert (await stage.table(code)).version == before


DRIVES: dict[str, Drive] = {"discord": discord, "telegram": telegram}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("which", nargs="*", default=[*DRIVES], choices=[*DRIVES])
    asked = parser.parse_args()
    if not available():
        print(f"there are no emulators in {EMULATORS}")
        return 0
    for name in asked.which:
        with tempfile.TemporaryDirectory() as folder:
            print(f"{name}: {asyncio.run(DRIVES[name](Path(folder)))}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
