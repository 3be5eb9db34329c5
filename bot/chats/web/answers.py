"""Answers to a page's requests, and the notice that one takes longer."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass
from typing import Any

from bot.chats.web.guests import Guest
from bot.chats.web.reading import ClientFrame
from bot.chats.web.writing import BoardWriter, Json, Pictures, picture_json
from bot.facade import NO_TABLE, Facade
from bot.port import (
    Answer,
    BoardAnswer,
    Card,
    FileAnswer,
    MenuAnswer,
    Poster,
    Promised,
    ReservedBoard,
)

AGAIN = 5.5
"""The seconds between two notices; the page shows each for six."""


def answer_json(frame: ClientFrame, said: str, *, good: bool) -> dict[str, object]:
    """The answer to *frame* in words."""
    return {"kind": "answer", "id": frame.id, "good": good, "said": said}


@dataclass(frozen=True)
class PendingAnswer:
    """An *answer* that takes long: the page is told *soon*, and *again* while it waits."""

    soon: str
    again: Callable[[], str]
    answer: Coroutine[Any, Any, Json]

    async def wait(self, frame: ClientFrame, send: Callable[[str, Json], None]) -> Json:
        """The answer to *frame*; until then the page gets notices by *send*."""
        answering, said = asyncio.create_task(self.answer), self.soon
        try:
            while True:
                send(f"soon {frame.id}", {"kind": "soon", "id": frame.id, "said": said})
                if (await asyncio.wait({answering}, timeout=AGAIN))[0]:
                    return answering.result()
                said = self.again()
        finally:
            answering.cancel()


@dataclass(frozen=True)
class AnswerWriter:
    """Composes the answers of the facade as the page takes them."""

    house: Facade
    pictures: Pictures
    boards: BoardWriter
    show: Callable[[ClientFrame, ReservedBoard], Awaitable[None]]
    """Shows a board, with the answer to the frame where a page awaits that."""

    async def written(
        self, guest: Guest, frame: ClientFrame, answer: Answer
    ) -> Json | PendingAnswer:
        """*answer* as the page takes it, or as a pending one."""
        if not isinstance(answer, Promised):
            return await self.form(guest, frame, answer)
        return PendingAnswer(answer.said, answer.waiting, self._later(guest, frame, answer))

    async def _later(self, guest: Guest, frame: ClientFrame, promised: Promised) -> Json:
        return await self.form(guest, frame, await promised.answer)

    async def form(self, guest: Guest, frame: ClientFrame, answer: Answer) -> Json:
        """*answer* as the page takes it."""
        told = answer_json(frame, answer.said, good=answer.good)
        told["menu"] = isinstance(answer, MenuAnswer)
        match answer:
            case BoardAnswer(view=view, board=board):
                if board is not None:
                    await self.show(frame, board)
                if view is not None:
                    told["open"] = await self.house.boards.table_of(view)
            case FileAnswer(file=file):
                name = self.pictures.keep(guest.id, file.data)
                told["file"] = {"href": f"file/{name}/{file.name}", "name": file.name}
            case Poster(file=file, alt=alt):
                shown = self.pictures.keep_picture(guest.id, file.data)
                href = f"file/{shown.name}/{file.name}"
                told["file"] = {"href": href, "name": file.name}
                told["seen"] = {**picture_json(shown), "picture": href, "alt": alt, "kind": "film"}
            case MenuAnswer(screen, picture) | Card(screen, picture):
                form = await self.boards.form(guest, screen)
                if screen.scene is None and picture is not None:
                    kept = self.pictures.keep_picture(guest.id, picture)
                    form = {**form, **picture_json(kept)}
                told["card" if screen.table == NO_TABLE else "board"] = form
        return told
