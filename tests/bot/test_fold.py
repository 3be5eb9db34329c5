"""A table goes on from an earlier version of itself as from all its events."""

from __future__ import annotations

import random
from dataclasses import fields, is_dataclass
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.session import offers, play
from bot.session.events import EVENTS, OfferKind
from bot.session.fold import TABLES
from bot.session.table import PLAYING, Player, Table
from games.core import CHANCE, Game, replay
from games.core.shelf import find_game, shelf
from storage.records import EventRow
from tests.played import tables

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
HOUSE = Path(__file__).resolve().parents[1] / "data" / "storage" / "0.1-house.sql"


def lived(game: Game, seed: int, plies: int) -> tuple[EventRow, ...]:
    """The events of a table where *plies* moves at random were made, some of them taken back."""
    rng = random.Random(seed)
    seats = max(game.rules.seats) if seed % 2 else min(game.rules.seats)
    work = play.open_table(
        "SNAPPY",
        game,
        options={},
        begins="",
        seats=seats,
        host=1,
        secret=bytes(range(32)),
        now=NOON,
    )
    for person in range(seats):
        play.take_chair(work, Player(person + 1, f"P{person + 1}"))
    play.start(work)
    for _ in range(plies):
        if work.table.status != PLAYING:
            break
        seat = rng.choice(sorted(work.table.actors()))
        play.play_moves(work, seat, (rng.choice(work.table.present.legal_moves(seat)),))
        if rng.random() < 0.05 and work.table.status == PLAYING and work.table.undo_to(seat):
            offers.place_offer(work, seat, OfferKind.UNDO)
            for other in range(len(work.table.players)):
                if work.table.offered(OfferKind.UNDO) and other != seat:
                    offers.answer(work, other, OfferKind.UNDO, accepted=True)
    return tuple(map(EVENTS.encode, work.written))


def differences(one: object, other: object, path: str = "table") -> list[str]:
    """Where two values differ, fields that equality leaves out and parts of their own included."""
    if type(one) is not type(other):
        return [f"{path}: {type(one)} is not {type(other)}"]
    if hasattr(one, "parts"):
        one, other = one.parts(), other.parts()
    if is_dataclass(one) and not isinstance(one, Game):
        pairs = [(f.name, getattr(one, f.name), getattr(other, f.name)) for f in fields(one)]
    elif isinstance(one, tuple):
        if len(one) != len(other):
            return [f"{path}: {len(one)} are not {len(other)}"]
        pairs = [(str(n), *pair) for n, pair in enumerate(zip(one, other, strict=True))]
    else:
        return [] if one == other else [f"{path}: {one!r} is not {other!r}"]
    return [found for name, a, b in pairs for found in differences(a, b, f"{path}.{name}")]


def assert_same(one: Table, other: Table) -> None:
    assert differences(one, other) == []
    if one.position is not None:
        for seat in (CHANCE, *range(len(one.players))):
            assert one.present.legal_moves(seat) == other.present.legal_moves(seat)
            assert one.present.asides(seat) == other.present.asides(seat)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("among", [4, pytest.param(16, marks=pytest.mark.slow)])
@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("key", sorted(shelf()))
def test_from_any_version_a_game_goes_on_as_from_its_events(
    key: str, seed: int, among: int
) -> None:
    events = lived(shelf()[key], seed, 160)
    whole = TABLES.of("SNAPPY", events)
    rng = random.Random(seed)
    for version in sorted({1, 2, len(events), *rng.sample(range(1, len(events)), among)}):
        older = TABLES.of("SNAPPY", events[:version])
        assert_same(TABLES.of("SNAPPY", events[version:], base=older), whole)


def test_nobody_takes_back_what_the_rules_would_play_again_at_once():
    game, looked = find_game("parchis"), 0
    for table in tables(game):
        for seat in range(len(table.players)):
            if (count := table.undo_to(seat)) is not None:
                before = replay(game, game.start(table.setting), table.log[:count])
                assert before.forced(seat) is None, (seat, table.log[count:])
                looked += 1
    assert looked > 20
