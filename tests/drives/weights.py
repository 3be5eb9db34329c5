"""Which numbers of the computers' judgements are weights, that may be learnt from games."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib import import_module
from types import ModuleType
from typing import Any, TypeAlias

WEIGHTS: dict[str, tuple[str, str]] = {
    "cirya": (
        "games.cirya.computer.evaluation",
        "FLAT ENDING STANDING HIGH OWN_BENEATH CAPTIVE MISSING SEVERAL CENTRE BARRED WATCHED"
        " ROOM TURN",
    ),
    "storilljudhjorrayc": (
        "games.storilljudhjorrayc.computer.evaluation",
        "WORTH ROYAL_FALLEN ABANDONED APPROACH HIDDEN CIRCUITS ASIDE",
    ),
}
"""By game where its judgement is, and its weights: the first keeps its value, which is the unit."""

BESIDES: dict[str, tuple[tuple[str, str], ...]] = {
    "storilljudhjorrayc": (
        ("games.storilljudhjorrayc.computer.evaluation", "HUNT PULL LEAST TRADE"),
        ("games.storilljudhjorrayc.computer.cage", "FREEDOM"),
        ("games.storilljudhjorrayc.computer.tree", "THREAT"),
    ),
}
"""By game what else judges and is not added up, so that only whole games can weigh it."""

DIVISORS = ("HUNT", "TRADE")
"""What others are divided by is never less than 1."""

Changes: TypeAlias = dict[str, dict[str, Any]]
"""By module and name what constants hold in place of what is written there."""


@dataclass(frozen=True)
class Weight:
    """One number of the judgement: what *keys* lead to in the constant *name* of *module*."""

    module: ModuleType
    name: str
    keys: tuple[Any, ...] = ()

    def __str__(self) -> str:
        return self.name + "".join(f"[{key}]" for key in self.keys)

    @property
    def held(self) -> Any:
        """What the whole constant holds now."""
        return getattr(self.module, self.name)

    @property
    def value(self) -> int:
        """What it is now."""
        held = self.held
        for key in self.keys:
            held = held[key]
        return int(held)

    def nearest(self, value: float) -> int:
        """The whole number nearest to *value* that it may be."""
        return max(1, round(value)) if self.name in DIVISORS else round(value)

    def put(self, value: int) -> None:
        """Let it be *value* for as long as this process lives, for all that is asked from now.

        What the module made of it when it was read, and what others took from it, stays.
        """
        setattr(self.module, self.name, _put(self.held, self.keys, value))
        for kept in vars(self.module).values():
            if hasattr(kept, "cache_clear"):
                kept.cache_clear()


def weights(key: str) -> list[Weight]:
    """The weights that are added up in the judgement of the game *key*."""
    return list(_found(*WEIGHTS[key]))


def everything(key: str) -> list[Weight]:
    """The weights of the game *key*, those after them that are not added up."""
    return weights(key) + [one for place in BESIDES.get(key, ()) for one in _found(*place)]


def changes(valued: Iterable[tuple[Weight, int]]) -> Changes:
    """What the constants hold where each weight has the value beside it."""
    made: Changes = {}
    for weight, value in valued:
        names = made.setdefault(weight.module.__name__, {})
        held = names.get(weight.name, weight.held)
        names[weight.name] = _put(held, weight.keys, value)
    return made


def leaves(held: Any, keys: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], int]]:
    """Every number of *held*, after the keys that lead to it."""
    if isinstance(held, int):
        yield keys, held
    else:
        for key in held if isinstance(held, dict) else range(len(held)):
            yield from leaves(held[key], (*keys, key))


def _found(place: str, names: str) -> Iterator[Weight]:
    """The weights in the constants of these *names* in the module *place*."""
    module = import_module(place)
    for name in names.split():
        for keys, _ in leaves(getattr(module, name)):
            yield Weight(module, name, keys)


def _put(held: Any, keys: tuple[Any, ...], value: int) -> Any:
    """*held* with *value* where *keys* lead to."""
    if not keys:
        return value
    inner = _put(held[keys[0]], keys[1:], value)
    if isinstance(held, dict):
        return {**held, keys[0]: inner}
    return (*held[: keys[0]], inner, *held[keys[0] + 1 :])
