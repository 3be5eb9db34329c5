"""Menus, typed moves, logs, records and search, shown on the toy game."""

from __future__ import annotations

import contextlib
import random
from dataclasses import dataclass, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.core import (
    CHANCE,
    Ambiguous,
    BadOption,
    Entry,
    IllegalMove,
    Menu,
    Menus,
    NotYourTurn,
    Outcome,
    Position,
    Record,
    RuleError,
    Steps,
    Unreadable,
    folded,
    pick,
    ranking,
    read_aside,
    read_move,
    read_moves,
    replay,
    settle,
    won_by,
)
from games.core.chance import public_draws
from games.core.log import read_entry
from games.core.record import LONGEST_RECORD
from games.core.search import FIRST, PROVED, WIN, Found, Search, Spent, chosen, perft
from games.core.tree import Devices, Strength
from tests import toy
from tests.toy import Toy


def rolled(die: int = 3, **changes) -> Toy:
    return replace(Toy(hidden=(1, 2), die=die), **changes)


# ---------------------------------------------------------------- menus


@dataclass(frozen=True)
class Wide(Position[int]):
    """One move of *paths* for seat 0."""

    paths: tuple[tuple[str, ...], ...]

    def actors(self):
        return frozenset({0})

    def legal_moves(self, seat):
        return range(len(self.paths))

    def after(self, move):
        return self

    def outcome(self):
        return None


def wide_steps(position: Wide, move: int) -> Steps:
    return position.paths[move]


def wide_written(position: Wide, move: int) -> str:
    return " ".join(position.paths[move])


WIDE = replace(
    toy.GAME, notation=replace(toy.GAME.notation, written=wide_written), menus=Menus(wide_steps)
)


def test_nothing_is_taken_by_itself_and_a_move_is_played_only_where_it_is_spelled_whole():
    two = Wide((("a", "x", "1"), ("a", "x", "2")))
    assert pick(WIDE, two, 0) == Menu((), ("a",))
    assert pick(WIDE, two, 0, ("a", "x")) == Menu(("a", "x"), ("1", "2"))
    assert pick(WIDE, two, 0, ("a", "x", "2")) == 1
    one = Wide((("a", "x"),))
    assert pick(WIDE, one, 0, ("a",)) == Menu(("a",), ("x",))
    assert pick(WIDE, one, 0, ("a", "x")) == 0


def test_every_option_is_in_the_menu():
    wide = Wide(tuple((f"s{n}",) for n in range(130)))
    menu = pick(WIDE, wide, 0)
    assert isinstance(menu, Menu)
    assert menu.options == tuple(f"s{n}" for n in range(130))


def test_a_path_that_leads_nowhere_is_refused():
    with pytest.raises(IllegalMove):
        pick(toy.GAME, rolled(), 0, ("take", "9"))
    with pytest.raises(NotYourTurn):
        pick(toy.GAME, rolled(), 1)


# ---------------------------------------------------------------- typed moves


@pytest.mark.parametrize("text", ["take2", " TAKE 2 ", "ｔａｋｅ２", "2"])
def test_case_width_and_blanks_do_not_matter(text):
    assert read_move(toy.GAME, rolled(), 0, text) == toy.Take(2)


def test_whose_turn_it_is_comes_first():
    with pytest.raises(NotYourTurn):
        read_move(toy.GAME, rolled(), 1, "take2")


@pytest.mark.parametrize("text", ["take3", "", "x" * 65, "💥", "take2 take2"])
def test_what_is_not_legal_is_refused(text):
    with pytest.raises(IllegalMove):
        read_move(toy.GAME, rolled(), 0, text)


def test_an_ambiguous_spelling_lists_the_moves_that_fit():
    twins = Wide((("a",), ("b",)))
    notation = replace(WIDE.notation, spellings=lambda position, move: ["same"])
    with pytest.raises(Ambiguous) as found:
        read_move(replace(WIDE, notation=notation), twins, 0, "same")
    assert found.value.fits == ("a", "b")


def test_a_longer_line_expands_to_its_moves():
    assert read_moves(toy.GAME, Toy(), 0, "hide the most") == (toy.Hide(0, 3),)
    assert read_moves(toy.GAME, Toy(), 0, "hide2") == (toy.Hide(0, 2),)


def test_an_aside_is_said_out_of_turn_only_where_there_is_one():
    tie = rolled(hidden=(2, 2))
    assert read_aside(toy.GAME, tie, 1, "TIE!") == toy.Claim(1)
    with pytest.raises(IllegalMove):
        read_aside(toy.GAME, rolled(), 1, "tie!")


@given(st.text(max_size=200))
def test_folding_is_done_after_once(text):
    assert folded(folded(text)) == folded(text)


# ---------------------------------------------------------------- logs and records


def test_a_penalty_is_replayed_from_the_log():
    entry = Entry(0, "oops, wrong piece")
    assert replay(toy.GAME, rolled(), [entry]).outcome() == won_by(1, "blunder")


def test_a_penalty_is_never_read_into_a_legal_move():
    assert read_entry(toy.GAME, rolled(), Entry(0, "2")) == toy.Take(2)


def test_asides_are_replayed_too():
    ended = replay(toy.GAME, rolled(hidden=(2, 2)), [Entry(1, "tie!", aside=True)])
    assert ended.outcome() == Outcome("tie", (frozenset({0, 1}),))


def test_settle_plays_chance_until_a_player_must_act():
    position, entries = settle(toy.GAME, rolled(die=None), public_draws(7))
    assert [entry.draw for entry in entries] == [7]
    assert position.actors() == {0}


def test_a_hidden_move_is_seen_by_its_owner_only():
    hidden = Toy().after(toy.Hide(0, 3))
    assert hidden.seen_by(1) == Toy().after(toy.Hide(0, 1)).seen_by(1)
    assert hidden.seen_by(0) != Toy().after(toy.Hide(0, 1)).seen_by(0)
    assert Toy().move_seen(toy.Hide(0, 3), 1, 0) is None


def test_a_record_survives_quotes_newlines_and_asides():
    log = (Entry(0, "hide3"), Entry(CHANCE, "d4", draw=12), Entry(1, "tie!", aside=True))
    tags = {"Player0": 'An "odd"\nname', "Words": "a/b"}
    record = Record("toy", ("one", "two"), {"heap": "12"}, 1, log, tags)
    again = Record.read(record.text())
    assert again.log == log
    assert (again.options, again.first) == ({"heap": "12"}, 1)
    assert again.tags["Player0"] == 'An "odd" name'


@pytest.mark.parametrize(
    "text",
    [
        "",
        "hello",
        '[Ludoteca "2"]\n[Game "toy"]\n[Sides "a b"]',
        '[Ludoteca "1"]\n[Game "toy"]',
        '[Ludoteca "1"]\n[Game "toy"]\n[Sides "a b"]\n[First "x"]',
        '[Ludoteca "1"]\n[Game "toy"]\n[Sides "a b"]\n[Options "heap"]',
        '[Ludoteca "1"]\n[Game "toy"]\n[Sides "a b"]\n\nnine lives',
        '[Ludoteca "1"]\n[Game "toy"]\n[Sides "a b"]\n\n03 x y' + "\n" * 9 + "0",
        "x" * (256 * 1024 + 1),
    ],
)
def test_a_broken_record_is_refused_with_a_sentence(text):
    with pytest.raises(Unreadable):
        Record.read(text)


@given(st.text(max_size=400))
def test_no_text_makes_the_reader_of_records_stumble(text):
    with contextlib.suppress(RuleError):
        Record.read(f'[Ludoteca "1"]\n[Game "toy"]\n[Sides "a b"]\n{text}')


# ---------------------------------------------------------------- games


def test_options_are_completed_and_checked():
    assert toy.GAME.chosen({}) == {"heap": "9"}
    with pytest.raises(BadOption):
        toy.GAME.chosen({"heap": "10"})
    with pytest.raises(BadOption):
        toy.GAME.chosen({"speed": "1"})
    with pytest.raises(BadOption):
        toy.GAME.sides_for(5)


def test_places_share_and_empty_ones_are_left_out():
    assert ranking("x", [[1], [], [0, 2]]).places == (frozenset({1}), frozenset({0, 2}))
    assert ranking("x", [[0, 1]]).winner is None
    assert won_by(1, "x").winner == 1


# ---------------------------------------------------------------- search


@dataclass(frozen=True)
class Nim(Position[int]):
    """Take one to three counters; whoever takes the last wins."""

    heap: int
    turn: int = 0

    def actors(self):
        return frozenset({self.turn}) if self.heap else frozenset()

    def legal_moves(self, seat):
        return range(1, min(3, self.heap) + 1) if seat in self.actors() else ()

    def after(self, move):
        return Nim(self.heap - move, 1 - self.turn)

    def outcome(self):
        return None if self.heap else won_by(1 - self.turn, "last")

    def notation(self, move):
        return str(move)

    def text(self):
        return f"{self.heap} {self.turn}"


class Endless:
    def spent(self):
        return False


class Done:
    def spent(self):
        return True


class NimTree:
    """Nim as the search sees it: a board is the heap."""

    def key(self, board):
        return board

    def ended(self, board):
        return None if board else -WIN

    def stuck(self, board):
        return -WIN

    def worth(self, board):
        return 0

    def pressed(self, board):
        return False

    def moves(self, board):
        return [n for n in (1, 2, 3) if n <= board]

    def promises(self, board, moves, praise):
        return [praise.get(move, 0) for move in moves]

    def trace(self, board, move):
        return move

    def quiet(self, board, move):
        return True

    def captures(self, board, needed):
        return ()

    def after(self, board, move):
        return board - move

    def passed(self, board):
        return board


def searched(heap, strength=None, budget=None, devices=None, **known) -> Found:
    below = random.Random(1).randrange
    strength = strength or Strength(nodes=10_000)
    search = Search(NimTree(), devices or Devices(), strength, budget or Endless(), below, **known)
    return search.think(heap, NimTree().moves(heap))


@pytest.mark.parametrize("heap", range(1, 14))
@pytest.mark.parametrize(
    "devices", [Devices(), Devices(killers=True, exchanges=False), Devices(late=1)]
)
def test_the_search_solves_nim_whatever_its_devices(heap, devices):
    found = searched(heap, devices=devices)
    value, move = found.ranked[0]
    assert (value > PROVED) == (heap % 4 != 0)
    if heap % 4:
        assert move == heap % 4
    assert found.line[0] == move
    assert len(found.ranked) == len(NimTree().moves(heap))


def test_the_quickest_win_and_the_slowest_loss_are_preferred():
    assert searched(3).ranked[0] == (WIN - 1, 3)
    assert searched(5).ranked[0][0] == WIN - 3
    assert searched(4).ranked[0][0] == -WIN + 2


def test_a_spent_budget_still_answers_with_every_move_seen_once():
    found = searched(9, budget=Done())
    assert found.depth == 1
    assert sorted(move for _, move in found.ranked) == [1, 2, 3]


def test_who_looks_less_far_does_not_see_the_end():
    assert abs(searched(9, Strength(nodes=10_000, plies=2)).ranked[0][0]) < PROVED


def test_what_is_overlooked_is_never_reckoned_with():
    # One's own next move is always seen; of what follows nothing is.
    assert searched(5, Strength(nodes=10_000, blind=100)).ranked[0][0] == 0
    assert searched(3, Strength(nodes=10_000, blind=100)).ranked[0] == (WIN - 1, 3)


def test_a_board_of_the_past_is_a_draw_and_worth_the_contempt():
    assert {m: v for v, m in searched(4, past={3, 2, 1}, contempt=7).ranked} == {
        1: -7,
        2: -7,
        3: -7,
    }


class Quarrel(NimTree):
    """Nobody is content, and there is always something to take."""

    made = 0

    def worth(self, board):
        return -1

    def captures(self, board, needed):
        return (1, 2, 3)

    def after(self, board, move):
        self.made += 1
        return board + move


def test_exchanges_without_an_end_are_given_up():
    tree = Quarrel()
    below = random.Random(1).randrange
    search = Search(tree, Devices(), Strength(nodes=100), Endless(), below)
    found = search.think(9, (1, 2, 3))
    assert len(found.ranked) == 3
    assert tree.made < 2 * FIRST


def test_a_choice_within_the_slack_is_drawn_and_a_sure_win_is_not():
    ranked = ((10, 1), (8, 2), (1, 3))
    found = Found(ranked, (1,), 1)
    drawn = {chosen(found, 5, random.Random(n).randrange) for n in range(40)}
    assert drawn == {(10, 1), (8, 2)}
    sure = Found(((WIN - 1, 1), (WIN - 3, 2)), (1,), 1)
    assert {chosen(sure, 5, random.Random(n).randrange) for n in range(9)} == {(WIN - 1, 1)}


def test_a_node_bound_is_spent_after_so_many_looks():
    bound = Spent(Endless(), 3)
    assert [bound.spent() for _ in range(5)] == [False, False, False, True, True]


def test_perft_counts_draws_as_moves():
    assert perft(rolled(die=None), 1) == 6
    assert perft(rolled(die=None), 2) == 6 * 2 + 1
    assert perft(Nim(9), 0) == 1


def test_the_walks_of_the_laws_reach_the_end_of_the_toy():
    from tests.games.laws import walk

    ends = [
        position.outcome()
        for seed in range(20)
        for position, _ in [list(walk(toy.GAME, toy.GAME.setting(), random.Random(seed), 60))[-1]]
    ]
    assert all(ends)


def test_a_record_may_be_as_long_as_the_limit_and_no_longer():
    text = Record("toy", ("a", "b"), {}, 0, ()).text()
    longest = text + "\n" * (LONGEST_RECORD - len(text.encode()))
    assert Record.read(longest).game == "toy"
    with pytest.raises(Unreadable) as refused:
        Record.read(longest + "\n")
    assert refused.value.phrase.key == "core.record-too-long"
