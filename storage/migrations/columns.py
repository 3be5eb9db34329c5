"""The columns of the tables that migrations add, by what they hold."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import sqlalchemy as sa
from alembic import op

Columns = list[sa.Column[Any]]


def key(*names: str) -> Columns:
    """Texts of the primary key."""
    return [sa.Column(name, sa.String, primary_key=True) for name in names]


def of_kind(kind: type[sa.types.TypeEngine[Any]], *names: str, nullable: bool = False) -> Columns:
    """Columns of one *kind*."""
    return [sa.Column(name, kind, nullable=nullable) for name in names]


def texts(*names: str, nullable: bool = False) -> Columns:
    """Texts."""
    return of_kind(sa.String, *names, nullable=nullable)


def numbers(*names: str, nullable: bool = False) -> Columns:
    """Whole numbers."""
    return of_kind(sa.Integer, *names, nullable=nullable)


def instants(*names: str, nullable: bool = False) -> Columns:
    """Milliseconds since 1970."""
    return of_kind(sa.BigInteger, *names, nullable=nullable)


def number(name: str, **more: Any) -> sa.Column[int]:
    """A number of the primary key."""
    return sa.Column(name, sa.Integer, primary_key=True, **more)


def of(table: str, known: str, **more: Any) -> sa.Column[Any]:
    """The row that a row of *table* is about: *known* is its table and column, as ``game.code``."""
    name = known.partition(".")[0]
    kind = sa.Integer if name == "person" else sa.String
    return sa.Column(name, kind, sa.ForeignKey(known, name=f"fk_{table}_{name}"), **more)


def person(table: str) -> sa.Column[Any]:
    """The person of a row of *table*, of its primary key."""
    return of(table, "person.id", primary_key=True)


def add_table(
    name: str, columns: Iterable[sa.Column[Any]], *indexes: list[str], counted: bool = False
) -> None:
    """Adds a table with an index for each list of columns; *counted* gives no id twice."""
    op.create_table(name, *columns, sqlite_autoincrement=counted)
    for index in indexes:
        op.create_index(f"ix_{name}_{'_'.join(index)}", name, index)
