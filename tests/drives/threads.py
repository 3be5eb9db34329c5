"""A thread for each table: ``python -m tests.drives.threads``.

On an emulated Discord: the owner of a server wants threads, tables are opened by a command and by a
sheet, played and called there, the process is killed at it, and the thread is left when the game is
over. Then Discord refuses to make one. Needs ``../shared/emulators``.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from tests.drives.bench import Bench, bench
from tests.drives.discord_checks import concluded
from tests.drives.findings import Findings
from tests.drives.stage import EMULATORS, emulators

HOUR, WEEK = 60, 10080


async def drive(folder: Path) -> Findings:
    """Every step of the way, each noted where it is not as it should be."""
    found = Findings(0, "steps of tables in threads")
    async with bench(folder, human_delay=0.0) as at:
        at.fake.guild["locale"] = "en-US"
        await _wanted(at)
        await _in_a_thread(at, found)
        await _refused(at, found)
        return await concluded(at, found)


def _noted(found: Findings, good: bool, what: str) -> None:
    found.count += 1
    if not good:
        found.wrong.append(what)


async def _wanted(at: Bench) -> None:
    """The owner of the server wants a thread for each table."""
    fake, owner = at.fake, at.fake.owner
    mine = await at.kept(await fake.slash(owner, "settings")).reply()
    await at.click(owner, mine, label="Settings for this place »")
    await at.until(lambda: any("thread" in str(one) for one in mine.selects), "the settings")
    (row,) = (one for one in mine.selects if "A thread for each table" in str(one))
    value = next(o["value"] for o in row["options"] if o["label"].endswith("yes"))
    handle = at.kept(await fake.select(owner, mine, [value], custom_id=row["custom_id"]))
    await handle.acked()


def _threads(at: Bench) -> list[dict[str, Any]]:
    return [one for one in at.fake.channels.values() if one["type"] == 11]


async def _in_a_thread(at: Bench, found: Findings) -> None:
    """A table from the challenge to its end, with a death in between."""
    fake = at.fake
    wish = {"game": "niya", "opponent": fake.B}
    began = time.monotonic()
    answer = await at.kept(await fake.slash(fake.A, "play", {**wish, "rated": "no"})).reply()
    board = await fake.next_message(lambda one: one.buttons and not one.ephemeral, after=began)
    (thread,) = _threads(at)
    _noted(found, board.data["channel_id"] == thread["id"], "the board is not in the thread")
    _noted(found, thread["id"] in answer.text, "the answer does not lead to the thread")
    added = [r.path.rpartition("/")[2] for r in fake.records if "/thread-members/" in r.path]
    _noted(found, added == [fake.A["id"], fake.B["id"]], f"added were {added}")
    _noted(found, bool(fake.notified(fake.B, thread, began)), "the challenged is not called")
    await at.killed()
    await at.click(fake.B, board, label="Accept")
    await at.until(lambda: at.moves(board), "the first board")
    for _ in range(3):
        await at.move(board)
        await at.nothing_owed(20.0)
    _noted(found, at.log_length(board) == 3, "moves are missing")
    asked = await at.kept(await fake.slash(fake.A, "resign", {}, channel=thread)).reply()
    await at.click(fake.A, asked, custom_id=asked.buttons[0]["custom_id"])
    await at.until(lambda: at.over(board), "the end")
    await at.until(lambda: _minutes(at, thread) == [HOUR], "that the thread may go")
    began = time.monotonic()
    for who in (fake.A, fake.B):
        await at.click(who, board, label="Rematch")
    again = await fake.next_message(lambda one: at.moves(one), after=began)
    _noted(found, again.data["channel_id"] == thread["id"], "the rematch is elsewhere")
    await at.until(lambda: _minutes(at, thread) == [HOUR, WEEK], "that the thread stays")
    _noted(found, len(_threads(at)) == 1, "a second thread")


def _minutes(at: Bench, thread: dict[str, Any]) -> list[int]:
    """How soon Discord was asked to archive *thread*, from first to last."""
    path = f"/channels/{thread['id']}"
    changed = (r for r in at.fake.records if r.method == "PATCH" and r.path.endswith(path))
    return [one.body["auto_archive_duration"] for one in changed]


async def _refused(at: Bench, found: Findings) -> None:
    """Discord makes no thread: the table stays in the channel, and its opener hears why."""
    fake = at.fake
    fake.fail(r"POST .*/threads", status=403, code=50013)
    wish = {"game": "cirya", "opponent": fake.C}
    handle = at.kept(await fake.slash(fake.A, "play", {**wish, "rated": "no"}))
    answer = await handle.reply()
    await at.until(lambda: answer.buttons, "the board in the channel")
    await at.until(lambda: handle.followups, "the sentence")
    said = handle.followups[0]
    _noted(found, said.ephemeral and "Create Public Threads" in said.text, f"said: {said.text}")


def main() -> None:
    if not emulators():
        print(f"There are no emulators in {EMULATORS}: nothing is driven.")
        return
    with tempfile.TemporaryDirectory() as folder:
        found = asyncio.run(drive(Path(folder) / "drive"))
    print(f"{'ok  ' if found.good else 'FAIL'} threads: {found.line()}", flush=True)
    sys.exit(not found.good)


if __name__ == "__main__":
    main()
