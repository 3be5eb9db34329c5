"""Whose board is it: ``python -m tests.drives.presses_of_others [--share S] [--only NAME]``.

Every button of a table is pressed by every other kind of person, and presses meet boards on their
way through a slow network, on an emulated Discord and an emulated Telegram. *share* is the part
of the full numbers. Needs ``../shared/emulators``.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable
from pathlib import Path
from typing import Any

from bot.presenters.button_codes import Action
from games.core.shelf import shelf
from tests.drives import presses_of_others_telegram as telegram
from tests.drives.bench import Bench, bench
from tests.drives.discord_checks import concluded
from tests.drives.findings import Dose, Findings
from tests.drives.others import Pressed, is_own
from tests.drives.stage import EMULATORS, emulators

PACE = 1.0
"""Seconds of each place for each press, those close to each other being made up for after them."""


# ---------------------------------------------------------------- Discord


async def on_discord(folder: Path, dose: Dose) -> Findings:
    """Every button by the opponent, a spectator, a stranger and the owner of the server."""
    found, told = Findings(0, "presses of others on Discord"), Pressed()
    games = sorted(shelf())[: dose.of(len(shelf()), 1)]
    async with bench(folder, human_delay=0.0) as at:
        for locale in ("es-ES", "en-US")[: dose.of(2, 1)]:
            at.fake.guild["locale"] = locale
            for game in games:
                await _one_table(at, game, told)
        told.concluded(found)
        return await concluded(at, found)


async def _one_table(at: Bench, game: str, told: Pressed) -> None:
    """One table from the challenge to the wish for a rematch, and everybody at its buttons."""
    fake = at.fake
    wish = {"game": game, "opponent": fake.B}
    if game.startswith("storill"):
        wish["options"] = "setup=fixed"
    message = await at.kept(await fake.slash(fake.A, "play", {**wish, "rated": "no"})).reply()
    await at.until(lambda: message.buttons, "the invitation")
    await _by_others(at, message, (fake.C, fake.owner), told)
    join = next(b for b in message.buttons if b["custom_id"].startswith("j."))
    await at.click(fake.B, message, custom_id=join["custom_id"])
    await at.until(lambda: at.moves(message), "the first board")
    await at.nothing_owed(20.0)
    code = at.code(message)
    await at.kept(await fake.slash(fake.C, "join", {"table": code})).reply()
    for ply in range(4):
        half = await _half_made(at, message)
        mover = at.mover(message)
        other = fake.B if mover is fake.A else fake.A
        await _by_others(at, message, (other, fake.C, fake.owner), told, half=half)
        if ply == 2:
            await _resigned(at, message, mover, (other, fake.C, fake.owner), told)
        await _played(at, message)
        if at.over(message):
            break
    if not at.over(message):
        asked = await at.kept(await fake.slash(fake.A, "resign", {"table": code})).reply()
        await at.click(fake.A, asked, custom_id=asked.buttons[0]["custom_id"])
        await at.until(lambda: at.table(code).outcome is not None, "the end")
    await at.nothing_owed(20.0)
    await _by_others(at, message, (fake.C, fake.owner), told)


async def _half_made(at: Bench, message: Any) -> bool:
    """Whoever is asked chooses something that is no whole move, where there is such a choice."""
    code, before = at.code(message), at.log_length(message)
    edits = message.edits
    for button in at.moves(message)[:3]:
        if at.table(code).outcome is not None:
            return False
        await at.click(at.mover(message), message, custom_id=button["custom_id"])
        await at.until(lambda: message.edits > edits, "the next board")
        await at.nothing_owed(20.0)
        return at.log_length(message) == before
    return False


async def _played(at: Bench, message: Any) -> None:
    """Play on until the table has moved."""
    before = at.log_length(message)
    for _ in range(6):
        if at.log_length(message) != before or at.over(message):
            return
        edits = message.edits
        code = at.rng.choice(at.moves(message))["custom_id"]
        await at.click(at.mover(message), message, custom_id=code)
        await at.until(lambda e=edits: message.edits > e, "the next board")
        await at.nothing_owed(20.0)


async def _by_others(
    at: Bench, message: Any, people: Iterable[Any], told: Pressed, *, half: bool = False
) -> None:
    """Each of *people* presses each button of *message* and of what he is answered with."""
    code = at.code(message)
    buttons, edits = [dict(b) for b in message.buttons if not b.get("disabled")], message.edits
    version = at.table(code).version
    for who in people:
        plays = who in (at.fake.A, at.fake.B)
        for button in buttons:
            act = Action(button["custom_id"][0])
            if is_own(button["custom_id"], plays=plays) or act in (Action.JOIN, Action.SAY_WORDS):
                continue
            handle = await at.click(who, message, stale=button)
            told.presses += 1
            if handle.type == 7:
                told.wrong.append(f"{button['label']} changed the board for {who['username']}")
            if act is Action.MORE:
                await _card(at, handle, who, told)
    await at.nothing_owed(20.0)
    told.edits += message.edits - edits
    now = [b["custom_id"] for b in message.buttons]
    told.half += half
    told.lost += half and now != [b["custom_id"] for b in buttons]
    if at.table(code).version != version:
        told.wrong.append(f"{code} has moved on by a press of others")


async def _card(at: Bench, handle: Any, who: Any, told: Pressed) -> None:
    """Press what stands on somebody's own card, short of what he asks of the others."""
    card = await handle.reply()
    for button in [dict(b) for b in card.buttons]:
        act = Action(button["custom_id"][0])
        if act in (Action.OFFER, Action.RESIGN, Action.ANSWER):
            continue
        await at.click(who, card, stale=button)
        told.presses += 1


async def _resigned(
    at: Bench, message: Any, asks: Any, others: Iterable[Any], told: Pressed
) -> None:
    """*asks* is asked whether he resigns, and everybody else says yes for him."""
    code = at.code(message)
    asked = await at.kept(await at.fake.slash(asks, "resign", {"table": code})).reply()
    yes = dict(asked.buttons[0])
    for who in others:
        await at.click(who, message, stale=yes)
        told.presses += 1
        told.resigned += at.table(code).outcome is not None
    await at.click(asks, asked, custom_id=asked.buttons[1]["custom_id"])


async def in_flight(folder: Path, dose: Dose) -> Findings:
    """Presses 0 to 0.3 s after each other's moves, through a network of 200 ms."""
    count, rounds = dose.of(40, 4), dose.of(10, 3)
    found = Findings(0, f"presses at {count} tables, 200 ms away", slowest=3.0)
    async with bench(folder, human_delay=0.0) as at:
        return await _meeting(at, found, count, rounds, 200)


async def far_away(folder: Path, dose: Dose) -> Findings:
    """The same through a network of two seconds, of which Discord waits three."""
    count = dose.of(8, 2)
    found = Findings(0, f"presses at {count} tables, 2 s away", slowest=3.0)
    async with bench(folder, human_delay=0.0) as at:
        return await _meeting(at, found, count, dose.of(5, 2), 2000)


async def _meeting(at: Bench, found: Findings, count: int, rounds: int, latency: int) -> Findings:
    fake, tables = at.fake, []
    for number in range(count):
        people = fake.add_user(f"a{number:03}"), fake.add_user(f"b{number:03}")
        game = ("cirya", "niya", "storilljudhjorrayc", "shogi")[number % 4]
        options = "setup=fixed" if game.startswith("storill") else ""
        where = {"channel": fake.add_channel(fake.guild, f"c{number}")}
        tables.append((people, await at.open(*people, game, options, **where)))
    await at.nothing_owed(60.0)
    # The first answers through it show how far it is.
    at.handles.clear()
    fake.latency_ms = latency
    await asyncio.gather(*(_played_in_flight(at, *one, rounds) for one in tables))
    found.stale += not await at.nothing_owed(60.0)
    fake.latency_ms = 0
    await asyncio.sleep(0.5)
    found.count = len(at.handles)
    found.stale += sum(not _newest(at, m) for _, m in tables)
    refused = Counter(
        (one.response or {}).get("code", one.status)
        for one in fake.records
        if one.path.endswith("/callback") and (one.status or 0) >= 400
    )
    blank = [m for _, m in tables if not m.text or not (m.images or at.over(m))]
    found.also["answers refused"] = refused.total()
    found.also.update({f"with error {code}": count for code, count in refused.items()})
    found.also["blank"] = len(blank)
    if blank:
        found.wrong.append("a board is blank")
    return await concluded(at, found)


async def _played_in_flight(at: Bench, people: tuple[Any, Any], message: Any, rounds: int) -> None:
    """The one moves, and the other presses something before the board has come."""
    # Tables do not beat time together: a round is at most four presses.
    await asyncio.sleep(4 * PACE * at.rng.random())
    for number in range(rounds):
        if at.over(message):
            return
        mover = at.mover(message)
        other = people[1] if mover["id"] == people[0]["id"] else people[0]
        moves = [b for b in at.moves(message) if _pressable(b)]
        if not moves:
            await asyncio.sleep(0.3)
            continue
        began = time.monotonic()
        handles = [await at.fake.click(mover, message, custom_id=at.rng.choice(moves)["custom_id"])]
        await asyncio.sleep(0.3 * at.rng.random())
        buttons = [b for b in message.buttons if _pressable(b)]
        handles.append(await at.fake.click(other, message, stale=dict(at.rng.choice(buttons))))
        if number % 2:
            # The board of an offer meets the next choice.
            handles.append(await at.fake.slash(other, "undo", {"table": at.code(message)}))
        await asyncio.sleep(0.3 * at.rng.random())
        if now := [b for b in at.moves(message) if _pressable(b)]:
            who = at.mover(message)
            handles.append(await at.fake.click(who, message, stale=dict(at.rng.choice(now))))
        at.handles += handles
        await asyncio.sleep(max(0.0, began + PACE * len(handles) - time.monotonic()))


def _newest(at: Bench, message: Any) -> bool:
    """Whether the choices of *message*, as buttons or in a list, are of the present turn."""
    turns = re.findall(r'"m\.[0-9A-Z]+\.([0-9a-z]+)\.', json.dumps(message.data["components"]))
    present = at.table(at.code(message)).turns
    return at.over(message) or any(int(turn, 36) in present for turn in turns)


def _pressable(button: dict[str, Any]) -> bool:
    """Whether a press of *button* is one that others may make: no blank, and no form."""
    return not button.get("disabled") and button["custom_id"][0] != Action.SAY_WORDS


Drive = Callable[[Path, Dose], Awaitable[Findings]]

DRIVES: dict[str, Drive] = {
    "discord": on_discord,
    "in flight": in_flight,
    "far away": far_away,
    "buttons on telegram": telegram.everybody,
    "near telegram": telegram.in_flight,
    "far from telegram": telegram.far_away,
}


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m tests.drives.presses_of_others", description=__doc__
    )
    parser.add_argument("--share", type=float, default=1.0, help="of the full numbers")
    parser.add_argument("--only", default="", help="drives whose name has this in it")
    asked = parser.parse_args()
    if not emulators():
        print(f"There are no emulators in {EMULATORS}: nothing is driven.")
        return
    good = True
    for name, drive in DRIVES.items():
        if asked.only not in name:
            continue
        began = time.monotonic()
        with tempfile.TemporaryDirectory() as folder:
            found = asyncio.run(drive(Path(folder) / "drive", Dose(asked.share)))
        good = good and found.good
        mark = "ok  " if found.good else "FAIL"
        print(f"{mark} {name}: {found.line()} ({time.monotonic() - began:.0f} s)", flush=True)
    sys.exit(not good)


if __name__ == "__main__":
    main()
