"""Menus, typed moves, logs and records, shown on the toy game."""

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
    casefolded,
    phrase,
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
from games.core.move_parsing import read_entry
from games.core.record import LONGEST_RECORD
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
    assert casefolded(casefolded(text)) == casefolded(text)


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
        read = Record.read(f'[Ludoteca "1"]\n[Game "toy"]\n[Sides "a b"]\n{text}')
        assert isinstance(read, Record)


def test_a_record_may_be_as_long_as_the_limit_and_no_longer():
    text = Record("toy", ("a", "b"), {}, 0, ()).text()
    longest = text + "\n" * (LONGEST_RECORD - len(text.encode()))
    assert Record.read(longest).game == "toy"
    with pytest.raises(Unreadable) as refused:
        Record.read(longest + "\n")
    assert refused.value.phrase == phrase("core.record-too-long", n=LONGEST_RECORD // 1024)


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


def test_the_walks_of_the_laws_reach_the_end_of_the_toy():
    from tests.games.random_walks import walk

    ends = [
        position.outcome()
        for seed in range(20)
        for position, _ in [list(walk(toy.GAME, toy.GAME.setting(), random.Random(seed), 60))[-1]]
    ]
    assert all(ends)
