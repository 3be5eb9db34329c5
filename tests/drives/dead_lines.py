"""Lines that a network swallows: how soon a page notices, and that nothing is lost or done twice.

    .venv/bin/python -m tests.drives.dead_lines [ROUNDS]

A relay stands between a real browser and the real program. In each round it forwards nothing more
of the old connections, as after a NAT timeout, and takes new ones. In every second round the player
taps meanwhile. Measured are the seconds until the page opens another connection and until it is
ready again; the moves on the list are compared with the taps.
"""

from __future__ import annotations

import asyncio
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, TypeVar

from tests.drives.browsing import (
    browser_of,
    come_in,
    free_port,
    notes,
    open_table,
    served,
    started,
    until,
)
from tests.drives.report import Report

WITH, WITHOUT, HEALED = 8.0, 20.0, 3.0
"""The seconds within which a dead line is noticed with a wish waiting and without, and healed."""


@dataclass
class Relay:
    """Forwards connections to *port*, until it swallows them."""

    port: int
    own: int = field(default_factory=free_port)
    _loop: asyncio.AbstractEventLoop = field(default_factory=asyncio.new_event_loop)
    _generation: int = 0
    opened: list[float] = field(default_factory=list)

    def start(self) -> None:
        threading.Thread(target=self._run, daemon=True).start()

    def _run(self) -> None:
        self._loop.create_task(asyncio.start_server(self._serve, "127.0.0.1", self.own))
        self._loop.run_forever()

    def swallow(self) -> None:
        """Forward nothing more of the present connections, which stay open."""
        self._generation += 1

    async def passing(self) -> None:
        """Take the time that something needs to pass: here none."""

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        mine = self._generation
        self.opened.append(time.monotonic())
        with suppress(OSError):
            there_reader, there_writer = await asyncio.open_connection("127.0.0.1", self.port)
            await asyncio.gather(
                self._pump(mine, reader, there_writer), self._pump(mine, there_reader, writer)
            )

    async def _pump(
        self, mine: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        with suppress(OSError):
            while data := await reader.read(65536):
                await self.passing()
                if mine == self._generation:
                    writer.write(data)
                    await writer.drain()
        if mine == self._generation:
            writer.close()


RelayKind = TypeVar("RelayKind", bound=Relay)

OPENED = """(() => {
    const real = WebSocket;
    window.begun = [];
    window.WebSocket = class extends real {
        constructor(address) { super(address); window.begun.push(performance.now()); }
    };
    window.WebSocket.CLOSED = real.CLOSED;
})()"""


def main(rounds: int) -> int:
    """Drive *rounds* rounds; the status, 0 where all were in time and nothing was lost."""
    report = Report()
    with (
        served() as program,
        relayed(Relay(program.port)) as (relay, chromium),
        browser_of(chromium) as context,
    ):
        context.add_init_script(OPENED)
        page = come_in(context, program.address, "Nerea")
        open_table(page, "/jugar niya ordenador nivel=1")
        for number in range(rounds):
            page.wait_for_timeout(700)
            tapping = number % 2 == 0
            noticed, healed = _round(page, relay, tapping=tapping)
            wish, most = ("with a wish", WITH) if tapping else ("without a wish", WITHOUT)
            report.took(f"noticed {wish}", noticed)
            report.took("healed then", healed - noticed)
            if noticed > most or healed - noticed > HEALED:
                report.breaches.append(f"{wish}: noticed {noticed:.1f}, healed {healed:.1f} s")
    return report.conclude()


@contextmanager
def relayed(relay: RelayKind) -> Iterator[tuple[RelayKind, Any]]:
    """*relay*, and a Chromium whose lines to its port go through it."""
    relay.start()
    through = f"--host-resolver-rules=MAP 127.0.0.1:{relay.port} 127.0.0.1:{relay.own}"
    with started(through) as chromium:
        yield relay, chromium


def _round(page, relay: Relay, *, tapping: bool) -> tuple[float, float]:
    """The seconds until the line was opened and ready again."""
    # The computer may be about to end the game.
    until(page, "document.querySelector('#board .spot[data-spot], #board.over')")
    if page.query_selector("#board.over"):
        open_table(page, "/jugar niya ordenador nivel=1")
        until(page, "document.querySelector('#board .spot[data-spot]')")
    before = len(notes(page))
    relay.swallow()
    began = page.evaluate("[performance.now(), window.begun.length]")
    if tapping:
        page.click("#board .spot[data-spot] >> nth=0")
    until(page, "old => window.begun.length > old", began[1])
    noticed = (page.evaluate("window.begun[window.begun.length - 1]") - began[0]) / 1000
    until(page, "!document.getElementById('status').textContent.includes('conexión')")
    healed = (page.evaluate("performance.now()") - began[0]) / 1000
    if tapping:
        until(page, "old => document.querySelectorAll('#log li').length > old", before)
        # Between its two boards nobody is to move.
        until(page, "document.querySelector('#board .spot[data-spot], #board.over')")
        page.wait_for_timeout(300)
        assert len(notes(page)) - before <= 2, "one's own move, once, and an answer"
    return noticed, healed


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 50))
