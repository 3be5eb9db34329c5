"""Connections and tokens of Discord that end, and a Discord that is not there."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from types import SimpleNamespace

from tests.drives.bench import ROOT, bench
from tests.drives.discord_checks import judged, legal


async def reconnected(folder: Path, full: bool) -> tuple[bool, str]:
    """The gateway cut, asked to go elsewhere and forgotten: the game goes on."""
    async with bench(folder) as at:
        fake, cuts = at.fake, 0
        message = await at.open()
        for _ in range(10 if full else 1):
            for cut in (fake.drop_gateway, fake.request_reconnect, fake.invalidate_session):
                if at.over(message):
                    message = await at.open()
                before = len(fake.gateway_log)
                await cut()

                def back(before: int = before) -> bool:
                    return any(
                        e in ("RESUMED", "IDENTIFY") for _, e, _ in fake.gateway_log[before:]
                    )

                await at.until(back, "a new connection", 30.0)
                await asyncio.sleep(0.3)
                await at.move(message)
                cuts += 1
        return judged(at, f"{cuts} cuts")


async def expired(folder: Path, full: bool) -> tuple[bool, str]:
    """Tokens that run out: a member edits as a member, a visitor waits for the next press."""
    async with bench(folder, token_ttl=2.0) as at:
        fake = at.fake
        message = await at.open()
        away = fake.add_guild("Elsewhere", foreign=True)
        visited = await at.open(guild=away, user_install=True)
        await asyncio.sleep(2.5)
        wrong = 0
        for shown, where in ((message, {}), (visited, {"dm": True})):
            edits = shown.edits
            values = {"move": legal(at, shown), "table": at.code(shown)}
            handle = at.kept(await fake.slash(at.mover(shown), "move", values, **where))
            wrong += "Done" not in (await handle.reply()).text
            if shown is message:
                await at.until(lambda m=shown, e=edits: m.edits > e, "an edit as a member")
        # The old board of the visitor answers, and shows the present one again.
        await at.click(at.mover(visited), visited, custom_id=at.moves(visited)[0]["custom_id"])
        await at.until(lambda: "took" in visited.text or "takes" in visited.text, "the board")
        return judged(at, f"{wrong} moves refused", good=not wrong)


async def unreachable(folder: Path, full: bool) -> tuple[bool, str]:
    """No Discord, and a token that it refuses."""
    from fake_discord import FakeDiscord
    from harness_common import BotProcess

    command = [sys.executable, "-m", "tests.drives.patched_main"]
    env = {"DATABASE_URL": f"sqlite+aiosqlite:///{folder}/games.db", "WEB_PORT": "0"}
    async with FakeDiscord(folder / "out") as fake:
        wrong = BotProcess(
            command, fake, env={**env, "DISCORD_TOKEN": "CANARY.wrong.token"}, cwd=ROOT,
            log=folder / "wrong.log",
        )  # fmt: skip
        await wrong.start()
        status = await asyncio.wait_for(wrong.proc.wait(), 20)
        leaked = "CANARY" in wrong.output
        sentence = wrong.output.strip().splitlines()[-1]
    away = SimpleNamespace(bot_env=lambda: {"FAKE_DISCORD_URL": "http://127.0.0.1:9"})
    lonely = BotProcess(
        command, away, env={**env, "DISCORD_TOKEN": "x.y.z"}, cwd=ROOT, log=folder / "away.log"
    )
    await lonely.start()
    await asyncio.sleep(8)
    alive = lonely.alive
    lines = [line for line in lonely.output.splitlines() if "Discord" in line]
    code, seconds = await lonely.stop()
    good = status == 2 and not leaked and alive and len(lines) == 1 and code == 0
    return good, (
        f"refused with status {status} («{sentence}»), token in the log: {leaked}; "
        f"unreachable: alive {alive}, {len(lines)} line, ends with {code} in {seconds:.1f} s"
    )


DRIVES = {
    "reconnected": reconnected,
    "expired": expired,
    "unreachable": unreachable,
}
