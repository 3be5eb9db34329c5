"""Whether prices are what the work takes: ``python -m tests.benchmarks.prices``.

One guest of a house on this machine asks for each kind of frame and of request many times. What
counts is the time of the loop's thread, which is the client's as well: what a ping takes, or a
small file, is taken off. A line says the price in ``bot.chats.web.budget``, the milliseconds that
were taken, and how many prices that is.
"""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

from bot.chats.web import budget
from bot.chats.web.budget import frame_price, request_price
from bot.service import request_rate_limits
from tests.chats.pages import Page, Visitor, seated, server

TIMES = 40

FRAMES = {
    "moves": {},
    "lobby": {},
    "suggest": {"line": "/play ni"},
    "hello": {"theme": "light", "language": "es"},
    "if": {"at": "1"},
    "position": {"code": "shogi"},
    "setup": {"code": "shogi"},
    "call": {"line": "/games"},
    "finished": {},
    "coach": {},
    "comments": {},
    "list": {},
    "rules": {"code": "niya"},
    "devices": {},
    "invite": {},
    "say": {"line": "x"},
    "point": {"at": "0.5,0.5"},
    "plan": {"at": "0.5,0.5"},
}

REQUESTS = {
    "static": "/static/page.js",
    "claim": "/p/00000000000000000000000000000000/",
    "": "/robots.txt",
    "today": "/today/1",
    "front": "/",
    "past": "{page}/past/{table}/1.json",
    "record": "{page}/record/{table}/record",
    "people": "{page}/people",
    "tournaments": "{page}/tournaments",
}


async def mean_cost(what: Callable[[int], Awaitable[object]]) -> float:
    """The milliseconds of the loop that one call of *what* takes."""
    await what(0)
    began = time.thread_time()
    for number in range(TIMES):
        await what(1 + number)
    return (time.thread_time() - began) * 1000 / TIMES


async def frame_costs(page: Page, table: str) -> dict[str, float]:
    """What each kind of frame takes."""
    found = {}
    for kind, told in {"ping": {}, **FRAMES}.items():
        asked = told if kind in ("hello", "ping") else {"table": table, **told}

        async def ask(_: int, kind: str = kind, asked: dict[str, str] = asked) -> None:
            await page.ask(kind, **asked)

        found[kind] = await mean_cost(ask)
    ping = found.pop("ping")
    return {kind: cost - ping for kind, cost in found.items()}


async def request_costs(visitor: Visitor, table: str) -> dict[str, float]:
    """What each kind of request takes."""
    found = {}
    for kind, path in {"nothing": "/static/none", **REQUESTS}.items():
        whole = path.format(page=visitor.path, table=table)

        async def get(number: int, whole: str = whole) -> None:
            await visitor.get(f"{whole}?{number}")

        found[kind] = await mean_cost(get)
    nothing = found.pop("nothing")
    return {kind: cost - nothing for kind, cost in found.items()}


async def main() -> None:
    """Print both tables."""
    budget.PURSES = dict.fromkeys(budget.PURSES, budget.Purse(1e9, 1e9))
    for windows in ("SEATED", "OTHERS", "COMPLETION", "PLACE", "SHARE"):
        setattr(request_rate_limits, windows, ())
    with tempfile.TemporaryDirectory() as folder:
        async with server(Path(folder)) as at:
            visitor = await at.first()
            async with visitor.open() as page:
                table, _ = await seated(at, page)
                for kind, cost in (await frame_costs(page, table)).items():
                    say(f"frame {kind}", frame_price(kind), cost)
                for kind, cost in (await request_costs(visitor, table)).items():
                    say(f"request {kind}", request_price(kind), cost)


def say(what: str, price: float, cost: float) -> None:
    """Print one line."""
    print(f"{what:20} price {price:5.1f}  took {cost:6.2f} ms  {cost / price:5.2f}")


if __name__ == "__main__":
    asyncio.run(main())
