"""A game between two people who are called, or not."""

from __future__ import annotations

from datetime import timedelta

from bot.port import Asker, Where
from tests.fakes import Desk, FakeClock, Message, person

NEREA, BRUNO, EVA = person("Nerea"), person("Bruno"), person("Eva")


async def after(at: Desk, clock: FakeClock, **gap: float) -> None:
    """Let time pass, and let whoever is due then be called."""
    clock.wait(timedelta(**gap))
    at.facade.notifications.look_now()
    await at.settle()


def board(at: Desk, where: Where | None = None) -> Message:
    return at.chat.board(list(at.chat.messages.values())[-1].screen.table, where)


async def challenged(at: Desk, game: str = "niya", **values: str) -> Message:
    await at.call(NEREA, "play", game=game, opponent=BRUNO, **values)
    return board(at)


async def playing(at: Desk, game: str = "niya") -> tuple[Message, Asker, Asker]:
    """A game just begun; the board, who is to move, and the other."""
    fixed = {"options": "setup=fixed"} if game.startswith("storill") else {}
    shown = await challenged(at, game, **fixed)
    await at.press(BRUNO, shown, "Aceptar")
    table = await at.facade.services.tables.get(shown.screen.table)
    (seat,) = table.actors()
    mover, other = (NEREA, BRUNO) if table.players[seat].name == "Nerea" else (BRUNO, NEREA)
    return board(at), mover, other


async def moved(at: Desk, who: Asker, where: Where | None = None) -> None:
    shown = board(at, where)
    await at.press(who, shown, code=shown.moves[0].code)


def heard(at: Desk) -> list[tuple[tuple[str, ...], str]]:
    """Who was called by messages of their own, and in which words."""
    return [(ping.called, ping.text) for ping in at.chat.pings]


def called(at: Desk) -> list[str]:
    """Who was called by messages of their own, one after the other."""
    return [name for ping in at.chat.pings for name in ping.called]
