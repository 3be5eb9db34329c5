"""The routes under ``/api/1/``: who asks is known by a key alone, never by a cookie."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Awaitable, Callable
from dataclasses import asdict, dataclass, field
from functools import cache, partial
from importlib.resources import files
from typing import TypeAlias, TypeVar

from aiohttp import web

from bot.chats.web.budget import STRANGER
from bot.chats.web.programs.reading import (
    UPDATE,
    NewLine,
    NewMove,
    NewProgramName,
    NewTable,
    Nothing,
    read_bearer,
    read_body,
    read_number,
    read_update,
)
from bot.chats.web.programs.stream import Cursor, Stream
from bot.chats.web.programs.writing import (
    Problem,
    game_json,
    json_answer,
    program_json,
    written,
)
from bot.facade import (
    ActRefused,
    Program,
    ProgramTables,
    Requests,
    StorageError,
    TableFacts,
    new_update,
)
from bot.texts import Language
from games.core.shelf import shelf

log = logging.getLogger(__name__)

AT = "/api/1"
"""Where the interface stands: the number grows when old programs would not understand it."""

TABLE = "{table:[0-9A-Za-z]{4,8}}"

STREAMS = 2
"""How many streams a program may have open; one more ends the oldest."""

Done = TypeVar("Done")
TableAct: TypeAlias = Callable[[Program, str, str], Awaitable[TableFacts | ActRefused]]
"""What a program does at a table: as what update, and the table's code."""


@cache
def description() -> bytes:
    """The description of the interface, by OpenAPI 3.1."""
    return (files("bot.chats.web.programs") / "openapi.json").read_bytes()


@dataclass(eq=False)
class ProgramServer:
    """Answers programs."""

    programs: ProgramTables
    said: Callable[[str, int], Awaitable[None]]
    """Tells pages that a line was said at a table, by its number."""
    streams: dict[str, list[Stream]] = field(default_factory=dict)
    stopping: bool = False

    def app(self) -> web.Application:
        """The application at ``AT``."""
        app = web.Application()
        router = app.router
        router.add_get("/openapi.json", self._describe, allow_head=False)
        router.add_get("/games", self._games, allow_head=False)
        router.add_get("/me", self._me, allow_head=False)
        router.add_patch("/me", self._rename)
        router.add_get("/tables", self._tables, allow_head=False)
        router.add_post("/tables", self._open)
        router.add_get(f"/tables/{TABLE}", self._table, allow_head=False)
        router.add_post(f"/tables/{TABLE}/join", partial(self._do, self.programs.join))
        router.add_post(f"/tables/{TABLE}/moves", self._play)
        router.add_post(f"/tables/{TABLE}/talk", self._say)
        router.add_post(f"/tables/{TABLE}/resign", partial(self._do, self.programs.leave))
        router.add_get("/stream", self._stream, allow_head=False)
        return app

    async def _program(self, request: web.Request, *, acts: bool = False) -> Program:
        """Whose key *request* has; raises ``Problem`` without one, or above the limits."""
        if self.stopping:
            raise Problem(503, "The server ends; ask again in a moment.", 2.0)
        key, stranger = read_bearer(request), request[STRANGER]
        await stranger.claim("claim")
        program = await self.programs.of_key(key)
        if program is None:
            raise Problem(401, "No program has this key.")
        stranger.prove("claim")
        stranger.budget.charge("program", str(program.owner), "act" if acts else "read")
        if acts and not await self.programs.is_within_limits(program):
            raise Problem(429, "Too fast.", 1.0)
        return program

    # ---------------------------------------------------------------- reading

    async def _describe(self, _: web.Request) -> web.Response:
        return web.Response(body=description(), content_type="application/json")

    async def _games(self, request: web.Request) -> web.Response:
        await self._program(request)
        return json_answer({"games": [game_json(game) for game in shelf().values()]})

    async def _me(self, request: web.Request) -> web.Response:
        return json_answer(program_json(await self._program(request)))

    async def _tables(self, request: web.Request) -> web.Response:
        found = await self.programs.living(await self._program(request))
        return json_answer({"tables": [asdict(one) for one in found]})

    async def _table(self, request: web.Request) -> web.Response:
        program = await self._program(request)
        table = await self.programs.table(program, _code(request), read_number(request, "since"))
        if table is None:
            raise Problem(404, "No table of yours has this code.")
        return json_answer(asdict(table))

    # ---------------------------------------------------------------- acts

    async def _rename(self, request: web.Request) -> web.Response:
        program = await self._program(request, acts=True)
        body = await read_body(request, NewProgramName)
        renamed = _parse_done(await self.programs.rename(program, body.name))
        return json_answer(program_json(renamed))

    async def _open(self, request: web.Request) -> web.Response:
        program, update = await self._acts(request)
        body = await read_body(request, NewTable)
        table = _parse_done(await self.programs.open(program, update, body.values()))
        return json_answer(asdict(table), 201, {"Location": f"{AT}/tables/{table.code}"})

    async def _do(self, act: TableAct, request: web.Request) -> web.Response:
        """Do at a table the *act* of which nothing more is said."""
        program, update = await self._acts(request)
        await read_body(request, Nothing)
        return _respond(await act(program, update, _code(request)))

    async def _play(self, request: web.Request) -> web.Response:
        program, update = await self._acts(request)
        body = await read_body(request, NewMove)
        return _respond(await self.programs.play(program, update, _code(request), body.move))

    async def _say(self, request: web.Request) -> web.Response:
        program, update = await self._acts(request)
        body, code = await read_body(request, NewLine), _code(request)
        number = _parse_done(await self.programs.say(program, update, code, body.text))
        if number:
            await self.said(code, number - 1)
        return json_answer({"line": number or None})

    async def _acts(self, request: web.Request) -> tuple[Program, str]:
        name, program = read_update(request), await self._program(request, acts=True)
        if not name:
            return program, new_update()
        asked = request.path.encode() + await request.read()
        update = ":".join(hashlib.sha256(one).hexdigest()[:32] for one in (name.encode(), asked))
        if await self.programs.has_done_another(program, update):
            raise Problem(422, f"Another act was done under this {UPDATE}.")
        return program, update

    # ---------------------------------------------------------------- the stream

    async def _stream(self, request: web.Request) -> web.StreamResponse:
        program = await self._program(request)
        stream = Stream(program, self.programs, Cursor.read(request.query.get("last", "")))
        kept = self.streams.setdefault(program.id, [])
        kept.append(stream)
        if len(kept) > STREAMS:
            kept[0].end()
        response = web.StreamResponse(
            headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
        )
        response.content_type = "application/x-ndjson"
        try:
            await response.prepare(request)
            async for line in stream.lines():
                await response.write(written(line) + b"\n")
        except (ConnectionResetError, StorageError) as wrong:
            # What was not told is told when the program asks again from its last id.
            log.info("a stream of a program was cut: %s", type(wrong).__name__)
        finally:
            kept.remove(stream)
            if not kept:
                self.streams.pop(program.id, None)
        return response

    def end(self, program: str) -> None:
        """End all streams of *program*."""
        for stream in self.streams.get(program, ()):
            stream.end()


def answer_program(wrong: Exception, tongue: Language) -> web.Response:
    """What tells a program of *wrong*: a refusal, or a fault of ours."""
    if isinstance(wrong, Problem):
        return wrong.response()
    if isinstance(wrong, web.HTTPException):
        return Problem(wrong.status, wrong.reason).response(wrong.headers.get("Allow", ""))
    said = tongue.say(Requests.fault_phrase(wrong, "the answer to a program"))
    return Problem(503 if isinstance(wrong, StorageError) else 500, said, 1.0).response()


def _code(request: web.Request) -> str:
    return request.match_info["table"].upper()


def _parse_done(done: Done | ActRefused) -> Done:
    if isinstance(done, ActRefused):
        raise Problem.of(done)
    return done


def _respond(done: TableFacts | ActRefused) -> web.Response:
    return json_answer(asdict(_parse_done(done)))
