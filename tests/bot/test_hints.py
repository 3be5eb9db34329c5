"""Hints that play a part of the game: only where a place or a person wants them."""

from __future__ import annotations

import pytest

from bot.presenters.table.composer import Composer
from bot.presenters.table.viewers import Viewer
from bot.session.preferences import Look, Personal, PlaceRules, look
from games.core import CHANCE
from games.core.shelf import find_game
from tests.chats.test_keyboards import table_at

GAME = find_game("niya")


def threatened() -> Composer:
    """Somebody has three of four on the table."""
    setting = GAME.setting({}, 2, 0)
    frontier = [GAME.start(setting)]
    while frontier:
        position = frontier.pop()
        actors = position.actors()
        if CHANCE not in actors and GAME.speech.hints(position):
            return Composer(table_at(GAME, position, setting, offers=()), Viewer(), b"key")
        frontier += [
            position.after(move) for seat in actors for move in position.legal_moves(seat)[:2]
        ]
    raise AssertionError("nobody ever has three of four")


def lines(told: bool) -> tuple[str, ...]:
    table = threatened().table
    return Composer(table, Viewer(look=Look(hints=told)), b"key").board().lines


def test_nobody_is_told_how_to_win_unless_he_wants_it():
    without, told = lines(told=False), lines(told=True)
    assert set(without) < set(told)
    (hint,) = set(told) - set(without)
    assert "completa" in hint or "falta" in hint or "puede" in hint


@pytest.mark.parametrize(
    ("place", "person", "told"),
    [
        (False, None, False),
        (True, None, True),
        (False, Personal(), False),
        (True, Personal(), True),
        (True, Personal(hints=False), False),
        (False, Personal(hints=True), True),
    ],
)
def test_a_person_decides_for_his_own_boards_and_the_place_for_the_others(place, person, told):
    assert look("light", PlaceRules(hints=place), person).hints is told


def test_what_the_rules_demand_is_no_hint():
    """Check, a barrier or a draw near are told to everybody."""
    for key in ("shogi", "parchis", "cirya", "storilljudhjorrayc"):
        game = find_game(key)
        assert not game.speech.hints(game.start(game.setting({}, game.rules.seats[0], 0)))
