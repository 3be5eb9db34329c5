"""A third aggregate brings its events, its fold and what it allows, and nothing else."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

import pytest

from bot.service.aggregates import CHANGE_TRIES, Aggregates
from storage.errors import Conflict
from storage.records import (
    BrokenAggregate,
    EventCodec,
    EventRow,
    EventWriter,
    Fold,
    KeptEvent,
    Written,
)
from tests.storage.rows import NOON


class Begun(KeptEvent, kind="begin"):
    first: int


class Added(KeptEvent, kind="add"):
    more: int


@dataclass(frozen=True)
class Sum:
    version: int
    total: int


class BrokenSum(BrokenAggregate):
    noun = "sum"


def begin(_: str, written: Written[Any]) -> Sum:
    return Sum(written.number, written.event.first)


def after(sum_: Sum, written: Written[Any]) -> Sum:
    return replace(sum_, version=written.number, total=sum_.total + written.event.more)


SUMS = Fold(EventCodec(Begun | Added), begin, after, BrokenSum)


class SumWriter(EventWriter[Sum, Any]):
    fold = SUMS


class Sums(Aggregates[Sum]):
    """Sums whose rows are kept in memory; *disturbed* changes are lost to others."""

    most_kept = 2

    def __init__(self, disturbed: int = 0) -> None:
        super().__init__(store=None, clock=None)  # type: ignore[arg-type]
        first = Written(1, NOON, Begun(1), NOON)
        self.rows, self.disturbed, self.read = [SUMS.codec.encode(first)], disturbed, list[int]()

    async def get(self) -> Sum:
        async def read(base: Sum | None) -> Sum:
            newer = self.rows[base.version if base is not None else 0 :]
            self.read.append(len(newer))
            return SUMS.of("S", newer, base)

        found = await self.read_anew("S", len(self.rows), read)
        self.remember("S", found.version, found)
        return found

    async def begun(self) -> SumWriter:
        return SumWriter(await self.get(), NOON, NOON)

    async def store_rows(self, work: SumWriter) -> None:
        await asyncio.sleep(0)
        if self.disturbed:
            self.disturbed -= 1
            raise Conflict
        assert work.before.version == len(self.rows)
        self.rows += work.rows()

    async def add(self, more: int) -> int:
        def decided(work: SumWriter) -> int:
            if more:
                work.write(Added(more))
            return work.state.total

        return (await self.decide("S", self.begun, decided, self.store_rows))[1]


async def test_changes_of_one_aggregate_wait_for_one_another():
    sums = Sums()
    assert await asyncio.gather(*(sums.add(n) for n in (1, 2, 3))) == [2, 4, 7]
    assert [row.kind for row in sums.rows] == ["begin", "add", "add", "add"]


async def test_a_decision_that_writes_nothing_stores_nothing():
    sums = Sums(disturbed=1)
    assert (await sums.add(0), sums.disturbed) == (1, 1)


@pytest.mark.parametrize(("disturbed", "rows"), [(CHANGE_TRIES - 1, 2), (CHANGE_TRIES, 1)])
async def test_a_change_that_comes_too_late_is_decided_anew_so_many_times(disturbed, rows):
    sums = Sums(disturbed)
    with suppress(Conflict):
        await sums.add(1)
    assert len(sums.rows) == rows


async def test_only_newer_events_are_read_after_another_process_has_changed_it():
    sums = Sums()
    assert await sums.add(1) == 2
    sums.read.clear()
    assert (await sums.get()).total == 2
    sums.rows.append(SUMS.codec.encode(Written(3, NOON, Added(5), NOON)))
    sums.hear_version("S", 3)
    assert sums.at_hand("S") is None
    assert (await sums.get()).total == 7
    assert sums.read == [1, 1]


async def test_what_is_older_than_others_told_is_not_kept():
    sums = Sums()
    sums.hear_version("S", 9)
    await sums.get()
    assert not sums.stands("S", 1)
    sums.forget_all()


@pytest.mark.parametrize(
    ("number", "kind", "data", "why"),
    [
        (3, "add", {"v": 1, "more": 1}, "event 3 stands in its place"),
        (2, "sing", {"v": 1}, "sing: no event is called so"),
        (2, "add", {"v": 1, "more": "1"}, "add: more is '1'"),
        (2, "add", {"v": 2, "more": 1}, "add: v is 2"),
        (2, "add", [], "add: its data are no object"),
        (2, "begin", {"v": 1, "first": 1}, "begin: "),
    ],
)
def test_a_row_that_cannot_be_read_is_named(number, kind, data, why):
    rows = [*Sums().rows, EventRow(number, NOON, kind, None, "", data, NOON)]
    with pytest.raises(BrokenSum, match=f"sum S cannot be read at event 2: {why}"):
        SUMS.of("S", rows)


def test_without_events_there_is_nothing():
    with pytest.raises(BrokenSum, match="sum S cannot be read: it has no events"):
        SUMS.of("S", [])
