"""What a view shows that is no board: each kind of view says so for the views of that kind.

How it comes into a place is the same for all (``bot.boards.delivery``): a lane for each view, the
pace of its place, patience, what is shut, words that a filter refuses, and one message, not two.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any

from bot.port import Screen, Where
from storage.records import ViewRow


@dataclass(frozen=True)
class ViewContent:
    """A *screen* with the *version* of what it shows; *paint* makes its picture, if it has one.

    Without a version of its own it is whatever its view owes.
    """

    screen: Screen
    version: int | None = None
    paint: Callable[[], Coroutine[Any, Any, bytes]] | None = None


class ViewKind(ABC):
    """Makes what the views of one kind show."""

    @abstractmethod
    async def content(self, view: ViewRow, *, masked: bool) -> ViewContent | None:
        """What *view* is to show now; ``None`` where there is nothing to be shown any more.

        *masked* says that a filter has refused it: nobody's name may stand in its words.
        """


def of_home(subject: str, home: Where, where: Where) -> str:
    """*subject* with the place *home* whose settings count, where it is shown in another one.

    >>> of_home("2026-11", Where("discord", "server"), Where("discord", "hall"))
    '2026-11/server'
    """
    return subject if home.place == where.place else f"{subject}/{home.place}"


def home_of(view: ViewRow) -> tuple[str, Where]:
    """The subject of *view*, and the place whose settings count for it."""
    subject, _, home = view.subject.partition("/")
    return subject, Where(view.platform, home or view.place)
