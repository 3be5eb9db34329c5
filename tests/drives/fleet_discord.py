"""Two processes on one PostgreSQL and one Discord: whoever lives is connected, and nobody twice.

    python -m tests.drives.fleet_discord [ROUNDS]

Each round a move is made, then the process that is connected is ended, by SIGKILL or by SIGTERM in
turn, and the game goes on by the other one on the same message.
"""

from __future__ import annotations

import asyncio
import signal
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from tests import postgres
from tests.drives.bench import ROOT, Bench, available, bench
from tests.drives.fork_server import forking


def identified(at: Bench) -> int:
    return sum(event == "IDENTIFY" for _, event, _ in at.fake.gateway_log)


async def rounds(folder: Path, count: int) -> str:
    """*count* rounds; what came of them in a sentence."""
    from harness_common import BotProcess

    env = {"DATABASE_URL": postgres.database(str(folder))}
    gaps: list[float] = []
    async with bench(folder, env=env) as at:
        told = {"DISCORD_TOKEN": at.fake.token, "WEB_PORT": "0", **env}
        log = folder / "second.log"
        second: Any = forking(BotProcess)([], at.fake, env=told, cwd=ROOT, log=log)
        bots = [at.bot, second]
        await second.start()
        try:
            message = await at.open()
            for number in range(count):
                await at.move(message)
                if at.over(message):
                    message = await at.open()
                before, moves = identified(at), at.moves(message)
                await bots[0].stop(signal.SIGTERM if number % 2 else signal.SIGKILL)
                began = time.monotonic()
                # What is pressed while nobody is connected fails visibly, and is pressed again.
                await at.until(lambda b=before: identified(at) > b, "another connection", 30.0)
                gaps.append(time.monotonic() - began)
                assert at.moves(message) == moves
                await asyncio.sleep(0.5)
                await at.move(message)
                if at.over(message):
                    message = await at.open()
                assert identified(at) == before + 1, "two are connected"
                await bots[0].start()
                bots.reverse()
        finally:
            with suppress(ProcessLookupError):
                await second.stop()
            await second.close()
        assert not at.fake.violations, at.fake.violations[:3]
        for bot in bots:
            assert "Traceback" not in bot.output, bot.output[-3000:]
    worst = max(gaps)
    return (
        f"{count} rounds, connected again after {sorted(gaps)[count // 2]:.1f} s, worst {worst:.1f}"
    )


def main() -> None:
    if not available():
        sys.exit("there are no emulators beside this checkout")
    with tempfile.TemporaryDirectory(prefix="fleet-discord-") as folder:
        print(asyncio.run(rounds(Path(folder), int(sys.argv[1]) if sys.argv[1:] else 6)))


if __name__ == "__main__":
    main()
