"""Shipped puzzles against the second opinion, a few of each game.

All of them are proved by ``python -m tests.drives.every_puzzle``.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import pytest

from bot.session.puzzle_mining import EASIEST, Stock, grade, hardness, posed, proof_fault
from games.core.school import Lesson, motifs, puzzles
from games.core.shelf import find_game, shelf
from tests import puzzle_proofs
from tests.games.shogi_mates import COMPILER, compiled
from tests.tools import judge_puzzles
from tests.tools.stock_puzzles import pattern_of

FEW = 3


def some(game: str, many: int = FEW):
    """A few of the shipped ones, the same in every run."""
    every = list(puzzles(find_game(game)))
    return random.Random(1).sample(every, min(many, len(every)))


@pytest.mark.parametrize("game", list(shelf()))
def test_every_game_has_so_many_of_them_no_two_alike_and_of_every_strength(game):
    every = puzzles(find_game(game))
    # The calendar takes one a day, and none again within four weeks.
    assert len({one.position for one in every}) == len(every) >= 35
    hard = Counter(one.mu for one in every)
    assert len(hard) >= min(20, len(every) / 4)
    assert max(hard.values()) <= len(every) * 2 / 5


def test_shogi_s_are_mates_in_one_to_nine_half_of_one_first_move():
    every = puzzles(find_game("shogi"))
    themes = Counter(one.theme for one in every)
    assert min(themes["mate3"], themes["mate5"]) >= 15
    assert themes["mate1"]
    assert sum(len(one.answers) == 1 for one in every) >= len(every) / 2


def test_many_things_are_taught_by_ten_puzzles_each():
    taught = Counter(
        (game.key, one)
        for game in shelf().values()
        for lesson in puzzles(game)
        for one in motifs(game, lesson)
    )
    assert sum(many >= 10 for many in taught.values()) >= 30


def test_no_pattern_is_found_in_more_than_a_third_of_storilljudhjorrayc_s():
    every = puzzles(find_game("storilljudhjorrayc"))
    patterns = Counter(pattern_of(one) for one in every)
    # Such are both lords who come out of the forest, and the ambush that goes back to strike again.
    assert {"W -~", "SÞ ~- & SD ~-"} <= set(patterns)
    assert max(patterns.values()) <= len(every) / 3


def test_cirya_asks_for_londes_and_for_what_stops_them():
    themes = Counter(one.theme for one in puzzles(find_game("cirya")))
    assert min(themes["londe"], themes["stop"]) >= 10


DEAR = (
    "A:p1,KM:p3,JM:a2,SÞ:~,SD:~,JÞ:c2,JD:n2,T1:n3,T2:o3,T3:a3,T4:b3,T5:c3,W:~ "
    "A:h2,KM:k2,JM:g2,JÞ:k3,JD:f2,KD:n1,T1:f3,T2:g3,T3:h3,T4:i3,T5:j3,W:~ g 0,0 0"
)
"""A great unit falls, and more is paid for it than it is worth."""


@pytest.mark.parametrize("game", ["cirya", "storilljudhjorrayc"])
def test_no_right_answer_leads_to_a_lost_game(game):
    bad = {
        # Both stop the route that threatens; after the first the other fleet forces another one.
        "cirya": "1,x,2,x,2/x,1,1,1,2/x,1,12,2,x/x,1,x,2,x/x,1,x3 2 8",
        "storilljudhjorrayc": DEAR,
    }[game]
    found = find_game(game)
    here = found.notation.read(bad, found.chosen({}))
    (seat,) = here.actors()
    asked = posed(found, here, seat, 1)
    assert asked is None or grade(found, asked) is None
    # A lot of what is shipped passes, though not all that was mined against other levels.
    lot = some(game, 3)
    assert {proof_fault(found, one, 1) for one in lot} == {""}
    assert any(grade(found, one) for one in lot)


def test_a_stricter_look_finds_what_is_planted_and_agrees_with_exact_ones(monkeypatch):
    assert judge_puzzles.doubtful("niya", 3, 5, 1) == (3, [])
    game = find_game("storilljudhjorrayc")
    here = game.notation.read(DEAR, game.chosen({}))
    planted = posed(game, here, min(here.actors()), 1)
    monkeypatch.setattr(judge_puzzles, "puzzles", lambda _: (planted,))
    assert judge_puzzles.doubtful(game.key, 3, 1, 1) == (1, [planted])


def test_what_the_lowest_level_plays_every_time_is_no_puzzle():
    niya = find_game("niya")
    text = "R,R,R,L3/A,A,M1,M2/M3,A,V1,V2/O1,O2,V3,L2 R L1"
    lesson = Lesson("", text, {"L3": None}, theme="win")
    assert hardness(niya, lesson) == EASIEST
    assert grade(niya, lesson) is None


def test_a_ply_that_a_computer_announces_is_the_answer_all_the_same():
    cirya = find_game("cirya")
    # b3 threatens a3 … e3 and b1 … b5; the highest level plays and announces it.
    text = "x2,2,x2/x,1,x,2,x/1,x2,1,1/2,1,x,2,2/x,1,x3 1 9"
    hard = hardness(cirya, Lesson("", text, {"b3": None}, theme="londe", depth=2))
    assert hard < hardness(cirya, Lesson("", text, {"Sa1": None}, theme="londe", depth=2))


def test_one_that_is_like_another_does_not_come_in():
    stock = Stock()
    one, other = some("niya", 2)
    assert stock.takes(one)
    assert stock.takes(other)
    assert not stock.takes(one)
    card = next(c for c in ("M1", "M2", "O1", "V2") if c in one.position and c not in one.answers)
    assert not stock.takes(replace(one, position=one.position.replace(card, "R", 1)))


def asks_in_shogi(sfen):
    shogi = find_game("shogi")
    here = shogi.notation.read(sfen, shogi.chosen({}))
    return posed(shogi, here, min(here.actors()), 1)


def test_shogi_asks_for_the_only_move_that_prevents_mate():
    # A gold on 5h would mate; only the rook takes the pawn that would guard it.
    found = asks_in_shogi("7gk/9/9/9/9/9/R3p4/3P1P3/3LKL3 b g 1")
    assert (found.theme, dict(found.answers)) == ("defend", {"9g5g": None})
    # Without the gold nothing threatens.
    assert asks_in_shogi("7gk/9/9/9/9/9/R3p4/3P1P3/3LKL3 b - 1") is None


FORK = "lnsk1g2l/2r6/pppgpp1p1/3p2p1p/9/PP2P1PP1/3P1PN1P/3SG1R2/+b4KS1L w Nbgsnlp 38"
"""A gold on 2g attacks the rook that nobody defends twice."""


def test_shogi_asks_for_the_only_move_that_wins_material_and_not_for_what_is_seen_at_once():
    found = asks_in_shogi(FORK)
    assert (found.theme, set(found.answers), found.depth) == ("material", {"G*2g"}, 2)
    lesson = Lesson("", FORK, found.answers, theme="material", depth=2)
    assert grade(find_game("shogi"), lesson) is not None
    assert puzzle_proofs.wins_material(lesson) == ""
    assert "wins but" in puzzle_proofs.wins_material(replace(lesson, answers={"N*9e": None}))
    # A rook that stands there to be taken is a gift, not a problem.
    assert asks_in_shogi("lnsgkgsnl/9/ppppppppp/4r4/4G4/9/PPPP1PPPP/1B5R1/LNS1KGSNL b - 1") is None


def test_a_pawn_dropped_in_the_way_to_be_taken_lengthens_no_mate():
    found = asks_in_shogi("7lk/7p1/9/9/5B3/9/9/9/K3R4 b - 1")
    assert (found.theme, dict(found.answers)) == ("mate1", {"5i1i": None})
    assert asks_in_shogi("7lk/7p1/9/9/5B3/9/9/9/K3R4 b p 1") is None


@pytest.mark.slow
def test_niya_s_answer_is_the_only_card_that_wins():
    assert [puzzle_proofs.niya(one) for one in some("niya", 8)] == [""] * 8


@pytest.mark.slow
def test_cirya_s_answers_are_all_that_force_or_prevent_a_londe():
    assert {puzzle_proofs.cirya(one) for one in some("cirya")} <= {""}


def test_storilljudhjorrayc_s_answer_is_the_only_move_after_which_a_great_unit_falls():
    assert {puzzle_proofs.storill(one) for one in some("storilljudhjorrayc", 1)} <= {""}


@pytest.mark.slow
def test_parchis_s_answer_is_better_than_any_other_with_other_luck():
    assert {puzzle_proofs.parchis(one, 5) for one in some("parchis", 1)} <= {""}


@pytest.mark.skipif(COMPILER is None, reason="no C++ compiler here")
@pytest.mark.slow
def test_shogi_s_answers_are_all_that_mate_in_time(tmp_path):
    assert set(puzzle_proofs.shogi(some("shogi"), compiled(tmp_path))) <= {""}


@pytest.mark.sampled
@pytest.mark.parametrize("game", ["niya", "cirya", "storilljudhjorrayc"])
def test_the_second_opinion_sees_an_answer_that_is_missing_or_wrong(game):
    proof = {"storilljudhjorrayc": puzzle_proofs.storill}.get(game) or getattr(puzzle_proofs, game)
    for one in some(game, 1):
        here = find_game(game).notation.read(one.position, find_game(game).chosen({}))
        (seat,) = here.actors()
        others = (find_game(game).notation.written(here, m) for m in here.legal_moves(seat))
        wrong = next(text for text in others if text not in one.answers)
        assert proof(replace(one, answers={wrong: None}))
        assert proof(replace(one, answers={**one.answers, wrong: None}))
