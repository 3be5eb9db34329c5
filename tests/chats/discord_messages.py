"""What a small Discord keeps: messages, interactions, threads, and what it is to refuse."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

EPHEMERAL, LOADING = 64, 128

Body = dict[str, Any]


@dataclass
class Shown:
    """A message as it stands, and how often it was written."""

    id: str
    channel: str
    body: Body = field(default_factory=dict)
    flags: int = 0
    pictures: list[bytes] = field(default_factory=list)
    writes: int = 0

    def parts(self, kind: int) -> list[Body]:
        return [one for one in walk(self.body.get("components", [])) if one["type"] == kind]

    @property
    def text(self) -> str:
        return "\n".join([self.body.get("content") or "", *(t["content"] for t in self.parts(10))])

    @property
    def buttons(self) -> list[Body]:
        return self.parts(2)

    @property
    def moves(self) -> list[Body]:
        return [button for button in self.buttons if button["style"] == 1]

    @property
    def ephemeral(self) -> bool:
        return bool(self.flags & EPHEMERAL)

    def button(self, label: str) -> Body:
        return next(one for one in self.buttons if one["label"] == label)

    def folded(self, label: str) -> str:
        """The code of what the list of an ended board offers by *label*."""
        return next(
            o["value"] for one in self.parts(3) for o in one["options"] if o["label"] == label
        )


@dataclass
class Asked:
    """An interaction and its first answer: its *type*, its *data* and when it came."""

    id: str
    token: str
    payload: Body
    source: Shown | None = None
    type: int | None = None
    data: Body = field(default_factory=dict)
    message: Shown | None = None
    said: list[Shown] = field(default_factory=list)


@dataclass
class Begun:
    """A thread of *channel*, who was added to it, and how many *minutes* it outlives a word."""

    channel: str
    name: str
    minutes: int
    people: list[str] = field(default_factory=list)


@dataclass
class Failure:
    """Requests that match are answered with *status* and *code*, *times* times."""

    pattern: str
    status: int
    code: int = 0
    times: int = 1


def walk(components: list[Body]) -> Iterator[Body]:
    for one in components:
        yield one
        beside = one.get("accessory")
        yield from walk([*one.get("components", []), *([beside] if beside else [])])


class Refused(Exception):
    def __init__(self, status: int, code: int | str) -> None:
        self.status, self.code = status, code


def numbered(component: Body, numbers: Iterator[int] | None = None) -> Body:
    numbers = numbers or itertools.count(1)
    found = {"id": next(numbers), **component}
    if "components" in component:
        found["components"] = [numbered(one, numbers) for one in component["components"]]
    if "items" in component:
        names = [one["media"]["url"].removeprefix("attachment://") for one in component["items"]]
        found["items"] = [{"media": {"url": f"http://cdn/1/{name}?ex=1"}} for name in names]
    return found
