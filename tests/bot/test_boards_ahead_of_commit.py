"""A board is made while the change that it shows goes to the disk, and shown once it is there."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from bot.presenters.table.composer import Composer
from render.kit.painters import painter
from storage.errors import DatabaseFull
from storage.store import Store
from tests.fakes import Desk, Message, person

NEREA, BRUNO = person("Nerea"), person("Bruno")


async def begun(at: Desk) -> Message:
    """The board of a game of Niya between Nerea and Bruno."""
    await at.call(NEREA, "play", game="niya", opponent=BRUNO)
    await at.press(BRUNO, list(at.chat.messages.values())[-1], "Aceptar")
    await at.settle()
    return list(at.chat.messages.values())[-1]


async def mover(at: Desk, board: Message) -> Any:
    table = await at.facade.services.tables.get(board.screen.table)
    (seat,) = table.actors()
    return NEREA if table.players[seat].name == NEREA.name else BRUNO


class Held:
    """Holds the next change of a table until it is told how its commit goes."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, at: Desk, wrong: Exception | None) -> None:
        self.painted: list[object] = []
        gallery, real = at.facade.services.gallery, Store.transaction
        fulfil = gallery.fulfil

        def fulfilled(scene: Any, wanted: Any) -> None:
            self.painted.append(scene)
            fulfil(scene, wanted)

        @asynccontextmanager
        async def transaction(store: Store, *, beside: bool = False) -> AsyncIterator[Any]:
            async with real(store, beside=beside) as tx:
                before = len(self.painted)
                yield tx
                if beside and not before:
                    await at.facade.tasks.settle()
                    self.ready = len(self.painted)
                    self.shown = at.chat.calls
                    if wrong is not None:
                        raise wrong

        monkeypatch.setattr(gallery, "fulfil", fulfilled)
        monkeypatch.setattr(Store, "transaction", transaction)


async def test_a_board_is_painted_before_it_is_stored_and_shown_afterwards(at, monkeypatch):
    board = await begun(at)
    calls = at.chat.calls
    held = Held(monkeypatch, at, None)
    await at.press(await mover(at, board), board, code=board.moves[0].code)
    await at.settle()
    assert (held.ready, held.shown) == (1, calls)
    assert at.chat.board(board.screen.table).screen.version > board.screen.version
    assert len(held.painted) == 1


async def test_what_was_made_of_a_change_that_failed_is_never_shown(at, monkeypatch):
    board = await begun(at)
    calls, (first, second) = at.chat.calls, board.moves[:2]
    with monkeypatch.context() as broken:
        held = Held(broken, at, DatabaseFull("full"))
        answer = await at.press(await mover(at, board), board, code=first.code)
        assert not answer.good
        assert held.ready == 1
    await at.settle()
    assert at.chat.calls == calls
    await at.press(await mover(at, board), board, code=second.code)
    await at.settle()
    taken = at.chat.board(board.screen.table).screen.scene.seen.discard
    assert taken.code == second.label


async def test_a_board_is_composed_once(at, monkeypatch):
    board, composed, real = await begun(at), [], Composer.board

    def counted(composer: Composer, *path: Any) -> Any:
        composed.append(composer.table.version)
        return real(composer, *path)

    monkeypatch.setattr(Composer, "board", counted)
    await at.press(await mover(at, board), board, code=board.moves[0].code)
    await at.settle()
    assert len(composed) == 1


async def test_a_board_waits_for_its_picture_and_asks_no_second_thread_for_it(at, monkeypatch):
    board, painted = await begun(at), []
    paints, go = threading.Event(), threading.Event()
    fulfil = at.facade.services.gallery.fulfil

    def fulfilled(scene: Any, wanted: Any) -> None:
        painted.append(scene)
        fulfil(scene, wanted)

    def held(scene: Any) -> Any:
        paints.set()
        go.wait(5)
        return drawn(scene)

    drawn = painter("niya").paint
    monkeypatch.setattr("render.niya.painter.paint", held)
    monkeypatch.setattr(at.facade.services.gallery, "fulfil", fulfilled)
    who = await mover(at, board)
    pressed = asyncio.create_task(at.press(who, board, code=board.moves[0].code))
    assert await asyncio.to_thread(paints.wait, 60)
    await asyncio.sleep(0.05)
    go.set()
    await pressed
    await at.settle()
    assert at.chat.board(board.screen.table).screen.version > board.screen.version
    assert len(painted) == 1
