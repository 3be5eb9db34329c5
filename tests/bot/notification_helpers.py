"""A game between two people who are called, or not."""

from __future__ import annotations

from datetime import timedelta

from bot.port import Asker, Where
from bot.session.table import Table
from tests.fakes import Desk, FakeClock, Message, person

NEREA, BRUNO, EVA = person("Nerea"), person("Bruno"), person("Eva")


async def after(at: Desk, clock: FakeClock, **gap: float) -> None:
    """Let time pass, and let whoever is due then be called."""
    clock.wait(timedelta(**gap))
    at.facade.services.notifications.look_now()
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


CLOSE, PLAY_ON = "Cerrar sin resultado", "Que siga el ordenador"


async def table_of(at: Desk) -> Table:
    return await at.facade.services.tables.get(board(at).screen.table)


async def bereft(at: Desk, clock, game: str = "niya"):
    """A game whose mover's opponent has left: he is found when he is to be called."""
    _, mover, other = await playing(at, game)
    at.chat.gone[other.external, at.where.place] = None
    await after(at, clock, minutes=1)
    at.chat.pings.clear()
    at.chat.questions.clear()
    await moved(at, mover)
    await at.settle()
    return mover, other
