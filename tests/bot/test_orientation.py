"""From whose side a board is shown: the same for everybody, one's own in private."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.presenters.table.composer import Composer
from bot.presenters.table.viewers import Viewer, can_turn
from bot.session.preferences import Look
from bot.session.table import Table
from games.core.shelf import shelf
from tests.played import begun

KEY = b"k" * 32

CUSTOM = {"shogi": "sente", "storilljudhjorrayc": "purple", "niya": "red", "cirya": "swan"}
"""Who sits at the bottom by custom: in Storilljuðjorrayc north is up, where green begins."""


def table_of(key: str, seed: int) -> Table:
    """A table of two whose sides and whose beginner the lot has decided."""
    return begun(shelf()[key], {}, 2, seed).table


def bottom(table: Table, viewer: Viewer) -> int:
    scene = Composer(table, viewer, KEY).board().scene
    assert scene is not None
    return scene.bottom


@pytest.mark.parametrize(("key", "side"), CUSTOM.items())
def test_the_shared_board_never_turns_by_the_lot(key, side):
    tables = [table_of(key, seed) for seed in range(8)]
    assert len({(table.first, table.players[0].person) for table in tables}) > 1
    assert {table.players[bottom(table, Viewer())].side for table in tables} == {side}


@pytest.mark.parametrize("key", sorted(shelf()))
def test_in_private_one_s_own_side_is_at_the_bottom(key):
    table = table_of(key, 1)
    for seat in (0, 1):
        assert bottom(table, Viewer(seat, personal=True)) == seat


def test_who_does_not_want_his_own_side_sees_what_everybody_sees():
    table = table_of("shogi", 1)
    assert bottom(table, Viewer(1, personal=True, look=Look(own_side=False))) == 0


@pytest.mark.parametrize("key", sorted(shelf()))
def test_against_computers_the_only_person_sits_at_the_bottom(key):
    table = table_of(key, 1)
    for seat in (0, 1):
        computer = replace(table.players[1 - seat], person=None, level=1)
        players = tuple(table.players[n] if n == seat else computer for n in (0, 1))
        assert bottom(replace(table, players=players), Viewer()) == seat


@pytest.mark.parametrize("key", sorted(shelf()))
def test_only_a_board_that_turns_is_offered_to_be_turned(key):
    table = table_of(key, 1)
    rows = Composer(table, Viewer(0, "es", personal=True), KEY).more(0, board=True).rows
    offered = "Girar" in [button.label for row in rows for button in row]
    assert offered == can_turn(key) == (key in ("parchis", "shogi", "storilljudhjorrayc"))
