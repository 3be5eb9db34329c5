"""Many fingers on every game: at most 8 pixels off, they play what they mean."""

from __future__ import annotations

import asyncio
import json
import shutil
import subprocess
from pathlib import Path

import pytest

from games.core.shelf import shelf
from tests.chats.pages import Json, Page, server

NODE = shutil.which("node")
SCRIPT = Path(__file__).resolve().parents[1] / "page" / "fingers.js"
TAPS, OFF = "1000", "8"

WIDE = (336, 366)
"""How many pixels wide the board is on phones of 360 and 390."""

OPTIONS = {"storilljudhjorrayc": " setup=fixed"}


async def screens(page: Page, game: str) -> list[tuple[Json, Json | None]]:
    """The board of a new table of *game* with nothing chosen, and with each of its first places."""
    line = f"/play {game} opponent=computer level=1{OPTIONS.get(game, '')}"
    table = (await page.type(line))["open"]
    base = await page.board(table, lambda board: board["mine"] and board["picture"])
    found: list[tuple[Json, Json | None]] = [(base, None)]
    for button in page.moves(table)[:4]:
        if button["step"] and not button.get("plays"):
            frame = {"code": button.get("tap") or button["code"], "message": table}
            chosen = (await page.ask("press", **frame)).get("board")
            if chosen is not None and chosen["spots"]:
                found.append((chosen, base))
    return found


@pytest.mark.sampled
@pytest.mark.parametrize("game", sorted(shelf()))
@pytest.mark.skipif(NODE is None, reason="node is not installed here")
async def test_no_finger_plays_what_it_did_not_mean(tmp_path, game):
    async with server(tmp_path) as at:
        host = await at.first()
        async with host.open() as page:
            shown = await screens(page, game)
    asked = [
        {
            "screen": screen,
            "base": base,
            "width": wide,
            "height": wide * screen["height"] / screen["width"],
        }
        for screen, base in shown
        if screen["spots"]
        for wide in WIDE
    ]
    assert asked
    run = await asyncio.to_thread(
        subprocess.run,
        [NODE, SCRIPT, TAPS, OFF],
        input=json.dumps(asked),
        capture_output=True,
        text=True,
        check=True,
    )
    counts = json.loads(run.stdout)
    assert sum(one["meant"] for one in counts) > 0
    assert [one["played"] for one in counts] == [0] * len(counts), counts
