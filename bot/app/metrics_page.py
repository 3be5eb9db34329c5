"""``/metrics`` and ``/readyz``: what is counted as it happens, or looked up now and then."""

from __future__ import annotations

import asyncio
import logging
from time import monotonic

from prometheus_client import CONTENT_TYPE_LATEST

from bot.app.health import Page, serving, wellness
from bot.facade import Facade
from bot.runtime import metrics
from storage import games, views
from storage.errors import StorageError

log = logging.getLogger(__name__)

EVERY = 15.0
"""Every how many seconds the database is asked for what no event tells."""

STEP = 1.0
"""Every how many seconds the event loop is looked at."""


async def metrics_server(host: str, port: int, house: Facade) -> asyncio.Server:
    """A server that answers ``/metrics`` and ``/readyz``; raises ``BadSettings``."""
    pages = {
        "/metrics": lambda: Page(metrics.exposed(), kind=CONTENT_TYPE_LATEST),
        "/readyz": wellness(lambda: house.ready, "presses are not taken"),
    }
    house.store.noted = lambda kind, took: metrics.TRANSACTIONS.labels(kind).observe(took)
    return await serving(host, port, pages, "METRICS_PORT")


async def metered(house: Facade) -> None:
    """Keeps the gauges true until it is cancelled."""
    asked = float("-inf")
    while True:
        begun = monotonic()
        await asyncio.sleep(STEP)
        metrics.LAG.set(monotonic() - begun - STEP)
        metrics.CONNECTED.clear()
        for name, connected in house.connections().items():
            metrics.CONNECTED.labels(name).set(connected)
        for lease in house.fleet.wanted:
            metrics.HELD.labels(lease).set(house.fleet.holds(lease))
        if begun - asked >= EVERY:
            asked = begun
            try:
                await _looked_up(house)
            except StorageError as wrong:
                log.warning("nothing is counted: %s", wrong)


async def _looked_up(house: Facade) -> None:
    async with house.store.reading() as tx:
        living, owed = await games.count_living_games(tx), await views.count_owing_views(tx)
    metrics.TABLES.clear()
    for (game, status), count in living.items():
        metrics.TABLES.labels(game, status).set(count)
    metrics.OWED.set(owed)
