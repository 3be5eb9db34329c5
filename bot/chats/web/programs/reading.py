"""What programs send: small objects of a known shape, keys, and ids of acts."""

from __future__ import annotations

import re
from typing import Annotated, TypeVar

from aiohttp import web
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from bot.chats.web.programs.writing import Problem
from bot.chats.web.reading import LARGEST

_BEARER = re.compile(r"Bearer +([\x21-\x7e]{1,128})", re.IGNORECASE)
_UPDATE = re.compile(r"[\x21-\x7e]{1,64}")
_NUMBER = re.compile(r"\d{1,6}", re.ASCII)

UPDATE = "Idempotency-Key"
"""The header by which a repeated act is recognized."""

Word = Field("", max_length=64)


def _whole(told: object) -> object:
    """*told* as an integer where it is a number without a fraction, as JSON Schema has integers."""
    return int(told) if isinstance(told, float) and told.is_integer() else told


Whole = Annotated[int, BeforeValidator(_whole)]


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class NewTable(_Body):
    """The table to be opened; what is left out is as usual for its *game*."""

    game: str = Field(max_length=64)
    options: dict[str, str] = Field(default_factory=dict, max_length=32)
    seats: Whole | None = Field(None, ge=1, le=16)
    side: str = Word
    begins: str = Word
    clock: str = Word
    level: Whole | None = Field(None, ge=1, le=99)

    def values(self) -> dict[str, str]:
        """The same as the values of ``/play``; a *level* is that of a computer to play against."""
        said = {"game": self.game, "side": self.side, "begins": self.begins, "clock": self.clock}
        numbers = {"seats": self.seats, "level": self.level}
        said |= {name: str(value) for name, value in numbers.items() if value is not None}
        return {**self.options, **{name: value for name, value in said.items() if value}}


class Nothing(_Body):
    """A body that says nothing."""


class NewMove(_Body):
    """The *move* to be played, in the notation of its game."""

    move: str = Field(max_length=256)


class NewLine(_Body):
    """The *text* to be said over a table."""

    text: str = Field(max_length=1000)


class NewProgramName(_Body):
    """The *name* under which the program plays from now on."""

    name: str = Field(max_length=256)


Body = TypeVar("Body", bound=_Body)


def read_bearer(request: web.Request) -> str:
    """The key of *request*, which no cookie replaces; raises ``Problem``."""
    given = request.headers.getall("Authorization", [])
    found = _BEARER.fullmatch(given[0]) if len(given) == 1 else None
    if found is None:
        raise Problem(401, "Say your key in the header Authorization, as: Bearer KEY")
    return found[1]


def read_update(request: web.Request) -> str:
    """The id of an act, empty where the program gives none; raises ``Problem``."""
    given = request.headers.getall(UPDATE, [])
    if not given:
        return ""
    if len(given) > 1 or not _UPDATE.fullmatch(given[0]):
        raise Problem(400, f"{UPDATE} takes 1 to 64 visible characters of ASCII.")
    return given[0]


def read_number(request: web.Request, name: str) -> int:
    """The number *name* of the query, 0 where it is not given; raises ``Problem``."""
    given = request.query.get(name, "0")
    if not _NUMBER.fullmatch(given):
        raise Problem(400, f"{name} is a number of at most six digits.")
    return int(given)


async def read_body(request: web.Request, kind: type[Body]) -> Body:
    """The body of *request* as a *kind*; raises ``Problem``."""
    if (request.content_length or 0) > LARGEST:
        raise Problem(413, f"A body has at most {LARGEST} bytes.")
    if request.content_type != "application/json" and request.body_exists:
        raise Problem(415, "Send application/json.")
    try:
        return kind.model_validate_json(await request.read() or b"{}")
    except ValidationError as wrong:
        raise Problem(400, _faults(wrong)) from None


def _faults(wrong: ValidationError) -> str:
    """What is wrong in a body, without what it says."""
    told = wrong.errors(include_input=False, include_url=False)[:5]
    places = (".".join(str(part)[:32] for part in one["loc"]) or "body" for one in told)
    return "; ".join(f"{at}: {one['msg']}" for at, one in zip(places, told, strict=True))
