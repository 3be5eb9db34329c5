"""Statements about some people, of which there are mostly as few as sit at a table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Column, ColumnElement, Integer, Select, bindparam
from sqlalchemy.ext.asyncio import AsyncConnection

from storage.schema import fetch_all

FEW: Final = 4
"""So many people are named one by one."""


@dataclass(frozen=True)
class PeopleQuery:
    """A query about people, spelled once for a *few*, and anew at each execution for *many*.

    To spell it anew takes a third of what a query takes altogether.
    """

    few: Select[Any]
    many: Select[Any]

    @classmethod
    def about(
        cls, column: Column[Any], make: Callable[[ColumnElement[bool]], Select[Any]]
    ) -> PeopleQuery:
        """What *make* makes of the condition that *column* is one of the people."""
        named = [bindparam(f"person_{number}", type_=Integer) for number in range(FEW)]
        listed = bindparam("persons", expanding=True, type_=Integer)
        return cls(make(column.in_(named)), make(column.in_(listed)))

    async def run(
        self, tx: AsyncConnection, persons: Iterable[int], **given: str
    ) -> Sequence[Sequence[Any]]:
        """The rows for *persons*, with all else that is *given* by its name."""
        ids = tuple(persons)
        if not 0 < len(ids) <= FEW:
            return await fetch_all(tx, _as_it_is, self.many, {"persons": ids, **given})
        named = (*ids, *ids[:1] * (FEW - len(ids)))
        people = {f"person_{number}": one for number, one in enumerate(named)}
        return await fetch_all(tx, _as_it_is, self.few, {**people, **given})


def _as_it_is(*row: object) -> Sequence[Any]:
    return row
