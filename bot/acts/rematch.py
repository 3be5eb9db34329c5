"""The rematch: who must agree to it, and who begins it."""

from __future__ import annotations

import secrets
from dataclasses import replace

from bot.acts.asked import Asked
from bot.port import Where
from bot.table import play
from bot.table.events import Offered, OfferKind, Rematched
from bot.table.origin import Origin
from bot.table.play import Pen, Refused
from bot.table.table import ENDED, Table
from games.core import phrase
from games.core.game import LOT, ROLLS
from storage import views as stored


async def again(asked: Asked, table: Table) -> Table | None:
    """The rematch of *table*, or ``None`` while others must still agree.

    Who began the last game does not begin this one: the sides change where a side
    begins by rule, the beginner where it was a lot (§ every table).
    """
    seat, person = asked.seat(table), asked.person
    if table.status != ENDED:
        raise Refused(phrase("house.not-over"))
    if table.child is not None:
        raise Refused(phrase("house.rematch.exists", code=table.child))
    offer = table.offered("rematch")
    people = {p.person for p in table.players if p.person is not None and not p.left}
    if people != {person.id} and (offer is None or offer.seat == seat):
        if offer is not None:
            raise Refused(phrase("house.already-offered"))

        def decide(pen: Pen) -> None:
            pen.write(Offered(seat, OfferKind.REMATCH))

        await asked.change(table, decide)
        return None
    return await _begin(asked, table)


async def _begin(asked: Asked, table: Table) -> Table:
    manager, views, person = asked.manager, asked.views, asked.person
    begins, sides = _changed_sides(table)
    pen = play.open_table(
        await manager.free_code(),
        table.game,
        options=table.options,
        begins=begins,
        seats=len(table.players),
        host=person.id,
        secret=secrets.token_bytes(32),
        now=manager.now(),
        parent=table.code,
    )
    for player, side in zip(table.players, sides, strict=True):
        play.sit(pen, replace(player, side=side, left=None))
    play.start_if_full(pen)
    async with manager.store.reading() as tx:
        rows = await stored.of_game(tx, table.code)
    child = await manager.create(asked.origin, pen, None)

    def link(parent: Pen) -> None:
        parent.write(Rematched(child.code))

    await manager.change(Origin("rematch", f"{table.code}:{child.code}"), table.code, link)
    for row in rows:
        where = Where(row.platform, row.place, row.thread, private=row.person is not None)
        viewer = replace(person, id=row.person) if row.person is not None else person
        await views.post(child, where, viewer, row.language, row.token)
    return child


def _changed_sides(table: Table) -> tuple[str, tuple[str | None, ...]]:
    """Who begins the rematch, and the sides by seat of the old table."""
    sides = [player.side for player in table.players]
    if ROLLS in table.game.begins:
        return table.begins, tuple(sides)
    if LOT not in table.game.begins:
        return table.begins, tuple(sides[1:] + sides[:1])
    winner = table.outcome.winner if table.outcome is not None else None
    # N2: the loser of the last game begins; after a draw whoever did not begin it.
    first = 1 - winner if winner is not None else (table.first + 1) % len(sides)
    return sides[first] or "", tuple(sides)
