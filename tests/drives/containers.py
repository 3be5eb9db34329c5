"""Which containers of this process have grown: lists, sets, dicts, queues and caches."""

from __future__ import annotations

import gc
import sys
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple

from cachetools import Cache

from bot.chats.web.budget import PURSES_KEPT
from bot.chats.web.server import MOST_CONNECTIONS

KINDS = (dict, list, set, deque, OrderedDict, defaultdict, Counter)

LEAST = 256
"""So many entries more are growth; fewer are the work of the moment."""

CAPS: Mapping[str, int] = {
    "StrangerBudget._spent": PURSES_KEPT,
    "_UnixSelectorEventLoop._scheduled": 2 * MOST_CONNECTIONS,
}
"""The containers that hold no more than so many entries, besides caches: a timer that is cancelled
stays with the loop until many are."""


class Grown(NamedTuple):
    """A container that holds so many *entries*, *size* bytes with them, at most *cap* or None."""

    name: str
    entries: int
    size: int
    cap: int | None


@contextmanager
def _all() -> Iterator[list[Any]]:
    """All containers, also those that the collector passes over (``favour_loop``)."""
    gc.unfreeze()
    gc.collect()
    yield [one for one in gc.get_objects() if type(one) in KINDS]
    gc.freeze()


def lengths() -> dict[int, int]:
    """How much each container holds, by its id."""
    with _all() as found:
        return {id(one): len(one) for one in found}


def grown(before: Mapping[int, int]) -> list[Grown]:
    """What holds ``LEAST`` entries more than *before*."""
    with _all() as found:
        return [_about(one) for one in found if len(one) >= before.get(id(one), 0) + LEAST]


def _about(container: Any) -> Grown:
    held = [type(one).__name__ for one in gc.get_referrers(container)]
    name, cap = next(_owners(container), (f"{type(container).__name__} of {', '.join(held)}", None))
    values = container.values() if isinstance(container, dict) else ()
    size = sum(map(sys.getsizeof, (container, *container, *values)))
    return Grown(name, len(container), size, CAPS.get(name, cap))


def _owners(container: object) -> Iterator[tuple[str, int | None]]:
    """The attributes that hold *container*, and the cap of a cache around it."""
    for owner in gc.get_referrers(container):
        kept = owner if isinstance(owner, dict) else getattr(owner, "__dict__", {})
        for key in [key for key, value in tuple(kept.items()) if value is container]:
            if isinstance(owner, Cache):
                name, _ = next(_owners(owner), (type(owner).__name__, None))
                yield name, int(owner.maxsize)
            elif not isinstance(owner, dict):
                yield f"{type(owner).__name__}.{key}", None
            else:
                holders = (
                    one for one in gc.get_referrers(owner) if getattr(one, "__dict__", 0) is owner
                )
                for holder in holders:
                    yield f"{type(holder).__name__}.{key}", None
