"""Programs at the interface: a client that holds every answer against ``openapi.json``."""

from __future__ import annotations

import asyncio
import itertools
import json
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import aiohttp
from jsonschema import Draft202012Validator

from bot.chats.web.programs.server import AT, description
from bot.facade import Facade
from bot.port import Asker
from bot.service.table.changes import Update

Json = dict[str, Any]

_NUMBERS = itertools.count(1)


class Described:
    """The interface as its description tells it."""

    def __init__(self) -> None:
        self.told: Json = json.loads(description())
        self._checks: dict[str, Draft202012Validator] = {}
        self._paths = {
            re.compile(re.sub(r"\{\w+\}", r"[^/]+", path)): methods
            for path, methods in self.told["paths"].items()
        }

    def operation(self, method: str, path: str) -> Json | None:
        for pattern, methods in self._paths.items():
            if pattern.fullmatch(path):
                return methods.get(method.lower())
        return None

    def check(self, schema: Json, told: Any) -> None:
        """Assert that *told* is as the *schema* says."""
        key = json.dumps(schema)
        if key not in self._checks:
            whole = {**schema, "components": self.told["components"]}
            Draft202012Validator.check_schema(whole)
            self._checks[key] = Draft202012Validator(whole)
        faults = [f"{one.json_path}: {one.message}" for one in self._checks[key].iter_errors(told)]
        assert not faults, faults

    def response(self, operation: Json, status: int) -> Json:
        assert str(status) in operation["responses"], (operation["operationId"], status)
        found = operation["responses"][str(status)]
        name = found.get("$ref", "").rpartition("/")[2]
        return self.told["components"]["responses"][name] if name else found

    def check_answer(
        self, method: str, path: str, sent: Any, status: int, kind: str, told: Any
    ) -> None:
        """Assert that an answer is described, and that what was accepted may be sent."""
        operation = self.operation(method, path)
        assert operation is not None, (method, path)
        content = self.response(operation, status)["content"]
        assert kind in content, (kind, content)
        self.check(content[kind]["schema"], told)
        body = operation.get("requestBody")
        if status < 300 and body is not None and sent is not None:
            self.check(body["content"]["application/json"]["schema"], sent)


DESCRIBED = Described()


@dataclass
class ProgramClient:
    """A program that speaks to the server at *url* with its *key*."""

    url: str
    key: str
    http: aiohttp.ClientSession
    status: int = 0
    headers: dict[str, str] = field(default_factory=dict)

    async def ask(
        self, method: str, path: str, told: Any = None, update: str = "", **query: str
    ) -> Json:
        headers = {"Authorization": f"Bearer {self.key}"}
        if update:
            headers["Idempotency-Key"] = update
        url = f"{self.url}{AT}{path}"
        async with self.http.request(
            method, url, json=told, headers=headers, params=query
        ) as response:
            self.status, self.headers = response.status, dict(response.headers)
            answer = json.loads(await response.read())
            kind = response.content_type
        DESCRIBED.check_answer(method, path, told, self.status, kind, answer)
        return answer

    async def get(self, path: str, **query: str) -> Json:
        return await self.ask("GET", path, **query)

    async def post(self, path: str, told: Any = None, update: str = "") -> Json:
        return await self.ask("POST", path, told, update)

    async def surely(self, path: str, told: Any = None, update: str = "") -> Json:
        answer = await self.post(path, told, update)
        assert self.status in (200, 201), answer
        return answer

    @asynccontextmanager
    async def stream(self, last: str = "") -> AsyncIterator[AsyncIterator[Json]]:
        headers = {"Authorization": f"Bearer {self.key}"}
        query = {"last": last} if last else {}
        url = f"{self.url}{AT}/stream"
        # A stream lasts for hours, but is never silent for more than 15 seconds.
        lasts = aiohttp.ClientTimeout(total=None, sock_read=60)
        async with self.http.get(url, headers=headers, params=query, timeout=lasts) as response:
            assert response.status == 200, await response.text()
            operation = DESCRIBED.operation("GET", "/stream")
            assert operation is not None
            schema = operation["responses"]["200"]["content"][response.content_type]["schema"]

            async def lines() -> AsyncIterator[Json]:
                while line := await response.content.readline():
                    told = json.loads(line)
                    DESCRIBED.check(schema, told)
                    yield told

            yield lines()


async def next_line(lines: AsyncIterator[Json], kind: str, seconds: float = 10.0) -> Json:
    """The next line of *kind*."""
    async with asyncio.timeout(seconds):
        async for line in lines:
            if line["kind"] == kind:
                return line
    raise AssertionError(f"no line {kind!r}")


async def new_program(facade: Facade, owner: Asker, name: str = "Robot") -> str:
    """The key of a new program of *owner*."""
    person = await facade.services.people.of(owner)
    origin = Update(owner.platform, f"make{next(_NUMBERS)}")
    _, key = await facade.services.programs.make(origin, person.id, name)
    return key
