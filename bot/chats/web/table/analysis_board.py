"""Boards that are stored nowhere: other moves, positions by their text or set up by hand."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import asdict, dataclass

from bot.chats.web.message_formatting import Json, PageWriter, answer_json
from bot.chats.web.person.guests import Guest
from bot.chats.web.reading import ClientFrame, number_in, steps_in, tried_in
from bot.chats.web.table.lists import Handler
from bot.facade import Pages, Requests
from bot.texts import language
from games.core import Phrase


@dataclass(frozen=True)
class AnalysisAnswers:
    """Answers the frames that ask for such boards."""

    requests: Requests
    pages: Pages
    writer: PageWriter
    tongue: Callable[[Guest], Awaitable[str]]
    """The language of a guest's page."""

    def handlers(self) -> Mapping[str, Handler]:
        """The handlers by the kinds of their frames."""
        return {"if": self._suppose, "position": self._suppose, "setup": self._set_up}

    async def _suppose(self, guest: Guest, frame: ClientFrame) -> Json:
        """The board after other moves than those that were played, or from a text."""
        number, line, path = number_in(frame.at), tried_in(frame), steps_in(frame.path)
        if frame.kind == "position":
            told = (frame.code, frame.line, line, path, await self.tongue(guest))
            screen = await self.pages.pose(guest.asker, *told)
        else:
            screen = await self.pages.suppose(guest.where, frame.table, number, line, path)
        if isinstance(screen, Phrase):
            return await self._no(guest, frame, screen)
        form = await self.writer.form(guest, screen)
        chosen = [] if screen.scene is None else list(screen.scene.path)
        return {**answer_json(frame, "", good=True), "if": {**form, "path": chosen}}

    async def _set_up(self, guest: Guest, frame: ClientFrame) -> Json:
        """What is being set up, after one more thing was done to it.

        The places are those on which the chosen piece may be put.
        """
        act, spoken = steps_in(frame.path), await self.tongue(guest)
        asked = (frame.code, frame.line, act, frame.at, spoken)
        shown = await self.pages.set_up(guest.asker, *asked)
        if isinstance(shown, Phrase):
            return await self._no(guest, frame, shown)
        form = await self.writer.form(guest, shown.screen)
        board = {**form, "path": [], "ends": [], "spots": list(map(vars, shown.spots))}
        told = {"text": shown.text, "wrong": shown.wrong, "beside": list(map(list, shown.beside))}
        editor = {**told, "pieces": [asdict(one) for one in shown.pieces]}
        return {**answer_json(frame, "", good=True), "if": board, "editor": editor}

    async def _no(self, guest: Guest, frame: ClientFrame, why: Phrase) -> Json:
        return answer_json(frame, language(await self.tongue(guest)).say(why), good=False)
