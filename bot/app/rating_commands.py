"""The operator's command for ratings: told, checked, or reckoned anew."""

from __future__ import annotations

import argparse
import asyncio

from bot.app.output import REFUSED, CommandError, say
from bot.app.settings import Settings, read_settings
from bot.app.shell_texts import from_below, shell_sentence
from bot.facade import RatingCheck, rating_of, rebuild
from games.core.shelf import find_game
from storage import Store
from storage.club import ratings
from storage.errors import StorageError

MOST_DIFFERENCES = 20
"""How many differences are told one by one."""


def run_rating_command(asked: argparse.Namespace) -> int:
    """Run the command *asked* and return its status; raises ``CommandError`` or ``RuleError``."""
    if asked.check and asked.rebuild:
        raise CommandError(shell_sentence("check-or-rebuild"))
    pool, settings = find_game(asked.game).key if asked.game else "", read_settings()
    if asked.rebuild and pool:
        raise CommandError(shell_sentence("rebuild-all"))
    try:
        if asked.check:
            return asyncio.run(_check(settings, pool))
        asyncio.run(_rebuild(settings) if asked.rebuild else _tell(settings.database_url, pool))
    except (StorageError, ValueError) as refused:
        raise CommandError(str(refused), REFUSED) from None
    return 0


async def _check(settings: Settings, pool: str) -> int:
    rating_check = RatingCheck(pool)
    async with await Store.open(settings.database_url, readonly=True) as store:
        found = await store.read(rating_check.run)
    for one in found[:MOST_DIFFERENCES]:
        say(f"{one}")
    if len(found) > MOST_DIFFERENCES:
        say(from_below(f"… and {len(found) - MOST_DIFFERENCES} more"))
    say(shell_sentence("differences", count=len(found), entries=rating_check.entries))
    return 1 if found else 0


async def _rebuild(settings: Settings) -> None:
    async with await Store.open(settings.database_url) as store:
        if await store.cluster.others():
            raise CommandError(shell_sentence("bot-runs"))
        count = await store.write(rebuild)
    say(shell_sentence("rebuilt", count=count))


async def _tell(url: str, pool: str) -> None:
    async with await Store.open(url, readonly=True) as store, store.reading() as tx:
        rows = [row for row in await ratings.all_ratings(tx) if row.last is not None]
        people = await ratings.load_people(tx, sorted({row.person for row in rows}))
    rows.sort(key=lambda row: (row.pool, -row.mu, row.person))
    for row in rows:
        if pool in ("", row.pool):
            rating, person = rating_of(row), people.get(row.person)
            name = "—" if person is None or not person.name else person.name
            mark = "?" if rating.provisional else ""
            shown = f"{rating.shown}{mark} ± {rating.deviation:.0f}"
            say(f"{row.pool:18} {shown:14} {name}")
