"""What programs are answered: tables, lines of the stream and problems, as JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from aiohttp import web

from bot.facade import ActRefused, Program
from games.core import Game
from games.core.shelf import highest_level

Json = dict[str, Any]

STATUSES: Mapping[str, int] = {
    "unknown": 404,
    "rated": 403,
    "conflict": 409,
    "bad": 422,
    "fault": 503,
}
"""The status of each kind of refusal."""


class Problem(Exception):
    """Why a request is refused: an HTTP *status*, and *detail* for the program's log."""

    def __init__(self, status: int, detail: str, wait: float = 0.0) -> None:
        super().__init__(detail)
        self.status = status
        self.detail = detail
        self.wait = wait
        """The seconds after which the same may be asked again, if that helps."""

    @classmethod
    def of(cls, refusal: ActRefused) -> Problem:
        """The problem that tells *refusal*."""
        status = STATUSES[refusal.kind]
        return cls(status, refusal.said, 1.0 if status == 503 else 0.0)

    def response(self, allowed: str = "") -> web.Response:
        """The same as RFC 9457 tells it; *allowed* are the methods of its address, if told."""
        told = {
            "type": "about:blank",
            "title": HTTPStatus(self.status).phrase,
            "status": self.status,
            "detail": self.detail,
        }
        headers = {"Cache-Control": "no-store", **({"Allow": allowed} if allowed else {})}
        if self.wait:
            headers["Retry-After"] = str(max(1, round(self.wait)))
        if self.status == 401:
            headers["WWW-Authenticate"] = "Bearer"
        body = written(told)
        kind = "application/problem+json"
        return web.Response(body=body, status=self.status, headers=headers, content_type=kind)


def written(told: Json) -> bytes:
    """*told* as JSON on one line."""
    return json.dumps(told, ensure_ascii=False, separators=(",", ":")).encode()


def json_answer(
    told: Json, status: int = 200, headers: Mapping[str, str] | None = None
) -> web.Response:
    """*told* as the answer to a request; nobody keeps it."""
    kept = {"Cache-Control": "no-store", **(headers or {})}
    return web.Response(
        body=written(told), status=status, headers=kept, content_type="application/json"
    )


def program_json(program: Program) -> Json:
    """The program itself."""
    return {"id": program.id, "name": program.name}


def game_json(game: Game) -> Json:
    """A game of the shelf: how a table of it may be opened."""
    return {
        "key": game.key,
        "seats": list(game.rules.seats),
        "sides": list(game.rules.sides),
        "begins": list(game.rules.begins),
        "levels": highest_level(game),
        "options": {option.key: list(option.values) for option in game.rules.options},
    }
