"""Answers to a page's requests, and the notice that one takes longer."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial

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
    """An answer that is *promised*; *form* composes it once it is known."""

    promised: Promised
    form: Callable[[Answer], Awaitable[Json]]

    async def wait(self, frame: ClientFrame, send: Callable[[str, Json], None]) -> Json:
        """The answer to *frame*; until then the page gets notices by *send*."""
        said = self.promised.said
        try:
            while True:
                send(f"soon {frame.id}", {"kind": "soon", "id": frame.id, "said": said})
                if await self.promised.known(AGAIN):
                    return await self.form(await self.promised.answer)
                said = self.promised.waiting()
        finally:
            self.promised.answer.cancel()


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
        if isinstance(answer, Promised):
            return PendingAnswer(answer, partial(self.form, guest, frame))
        return await self.form(guest, frame, answer)

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
