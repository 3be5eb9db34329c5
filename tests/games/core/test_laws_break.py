"""Each law finds a game that breaks it: the toy game with one part that is wrong."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace

import pytest

from games.core import ChosenMove, Computer, laws, verbatim
from games.core.laws import BrokenLaw, Law
from tests import toy

GAME = toy.GAME


@dataclass(frozen=True)
class Forcing(toy.Toy):
    def forced(self, seat):
        return toy.Take(9)


@dataclass(frozen=True)
class Endless(toy.Toy):
    def outcome(self):
        return None


@dataclass(frozen=True)
class Generous(toy.Toy):
    def legal_moves(self, seat):
        return super().legal_moves(seat) or (toy.Take(1),)


@dataclass(frozen=True)
class Fading(toy.Toy):
    def seen_by(self, seat):
        return replace(super().seen_by(seat), heap=self.heap + 1)


@dataclass(frozen=True)
class Forgetful(toy.Toy):
    """Each position is another one than itself reached again."""

    def __eq__(self, other):
        return self is other

    def __hash__(self):
        return 1


def starting(kind: type[toy.Toy]):
    """The toy game with positions of *kind*."""

    def start(setting):
        plain = toy.start(setting)
        return kind(**{name: getattr(plain, name) for name in plain.__dataclass_fields__})

    return replace(GAME, rules=replace(GAME.rules, start=start))


def notated(**parts):
    return replace(GAME, notation=replace(GAME.notation, **parts))


def with_menus(**parts):
    return replace(GAME, menus=replace(GAME.menus, **parts))


BREAKERS = [
    (laws.a_forced_move_is_a_legal_one, starting(Forcing)),
    (laws.somebody_may_act_exactly_while_there_is_no_outcome, starting(Endless)),
    (laws.a_seat_has_moves_exactly_while_it_may_act, starting(Generous)),
    (
        laws.no_two_legal_moves_share_a_notation_and_each_is_read_back,
        notated(written=lambda position, move: "same"),
    ),
    (
        laws.what_is_parsed_is_what_is_found_among_the_legal_moves,
        notated(parsed=lambda position, seat, text: toy.Take(7)),
    ),
    (
        laws.no_spelling_hides_behind_the_notation_of_another_move,
        notated(spellings=lambda position, move: ("d1", "d2", "hide1", "hide2", "take1", "take2")),
    ),
    (
        laws.steps_are_short_clean_and_prefix_free,
        with_menus(steps=lambda position, move: (f"a b {GAME.notation.written(position, move)}",)),
    ),
    (
        laws.every_move_begins_on_a_cell_of_the_grid_and_each_cell_is_another,
        with_menus(grid=lambda position: (("a", "b"),)),
    ),
    (laws.clicking_through_menus_ends_in_a_legal_move, with_menus(label=lambda *_: 1 / 0)),
    (laws.replay_of_a_log_gives_the_same_position, starting(Forgetful)),
    (
        laws.reading_the_text_gives_the_same_moves_and_words,
        notated(read=lambda text, options: toy.start(GAME.setting())),
    ),
    (laws.a_view_of_a_view_shows_no_more, starting(Fading)),
    (
        laws.different_positions_have_different_words,
        replace(GAME, speech=replace(GAME.speech, describe=lambda seen: (verbatim("same"),))),
    ),
    (laws.nonsense_is_refused, notated(read=lambda text, options: 1 / 0)),
    (
        laws.the_computer_plays_legal_moves,
        replace(GAME, computer=Computer(lambda *_: ChosenMove(toy.Take(9), 0.0))),
    ),
]


def seeds_that_break(law: Law, game) -> list[int]:
    found = []
    for seed in range(30):
        try:
            law(game, random.Random(seed).randrange)
        except (BrokenLaw, ArithmeticError):
            found.append(seed)
    return found


def test_every_law_has_a_game_that_breaks_it():
    assert {law for law, _ in BREAKERS} == {*laws.LAWS, laws.the_computer_plays_legal_moves}


@pytest.mark.parametrize(("law", "broken"), BREAKERS, ids=lambda one: getattr(one, "__name__", ""))
def test_a_game_that_breaks_the_law_is_found_and_the_toy_itself_is_not(law, broken):
    assert seeds_that_break(law, broken)
    assert not seeds_that_break(law, GAME)
