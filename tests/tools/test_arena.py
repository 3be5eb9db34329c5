"""The arena: games in pairs, the same again, kept in a file, and told with an interval."""

from __future__ import annotations

import json
from dataclasses import replace
from math import inf

import pytest

from bot.session import computer_resignation_and_draws
from bot.session.computer_resignation_and_draws import EVEN_FOR, LONGEST, LOST_FOR, PATIENT, SETTLED
from games.core import ChosenMove, Computer
from games.core.shelf import find_game
from tests.tools.arena.__main__ import main, usual_plies
from tests.tools.arena.adjudication import Manners
from tests.tools.arena.match import Match, pair
from tests.tools.arena.players import AtRandom, Level, Moment
from tests.tools.arena.tally import DECIDED, Tally, elo, expected

STORILL = "storilljudhjorrayc"
ELO = [(0.5, 0), (0.75, 190.8), (0.25, -190.8)]


def arena(capsys, *words: str) -> str:
    """What is printed, or the sentence with which it is refused."""
    try:
        main(words)
    except SystemExit as ended:
        return f"{ended}\n"
    return str(capsys.readouterr().out)


@pytest.mark.parametrize(("share", "points"), ELO)
def test_elo_is_the_logistic_one(share, points):
    assert elo(share) == pytest.approx(points, abs=0.1)
    assert expected(points) == pytest.approx(share, abs=0.001)
    assert (elo(1), elo(0)) == (inf, -inf)


def test_the_interval_of_games_without_a_draw_is_wilson_s():
    # 65 of 100: 55.3 % to 73.6 % by Wilson's score interval, z = 1.96.
    pairs = ((1.0, 0.0),) * 10 + ((1.0, 1.0),) * 27 + ((0.0, 0.0),) * 12 + ((1.0, 0.0),)
    low, high = Tally(pairs).interval()
    assert Tally(pairs).share == 0.65
    assert low < 0.553 < 0.65 < 0.736 < high  # pairs that agree prove less than single games


def test_pairs_that_cancel_out_are_not_trusted_more_than_single_games():
    low, high = Tally(((1.0, 0.0),) * 50).interval()
    assert (low, high) == (pytest.approx(0.404, abs=0.001), pytest.approx(0.596, abs=0.001))


def test_a_test_needs_some_pairs_and_then_decides_either_way():
    assert Tally(((1.0, 1.0),) * 7).likelihood(0, 50) == 0
    assert Tally(((1.0, 1.0),) * 20).likelihood(0, 50) > DECIDED
    assert Tally(((0.0, 0.0),) * 20).likelihood(0, 50) < -DECIDED
    assert abs(Tally(((1.0, 0.0),) * 20).likelihood(-25, 25)) < DECIDED


@pytest.mark.sampled
@pytest.mark.parametrize("game", ["niya", "parchis", "storilljudhjorrayc"])
def test_a_pair_is_the_same_whenever_it_is_played_and_two_pairs_differ(game):
    match = Match(game, "1@60", "random", plies=60)
    first = pair(match, 0)
    again = pair(match, 0)
    for one, other in zip(first, again, strict=True):
        assert (one.score, one.reason, one.plies) == (other.score, other.reason, other.plies)
    assert {one.plies for n in range(3) for one in pair(match, n)} != {first[0].plies}


def test_both_seats_meet_the_same_deal():
    # Chance against chance: exchanged seats with the same draws give the mirrored result.
    one, other = pair(Match("niya", "random", "random"), 3)
    assert (one.plies, one.reason) == (other.plies, other.reason)
    assert one.score == 1 - other.score


def test_a_match_in_a_file_goes_on_where_it_stopped(capsys, tmp_path):
    file = tmp_path / "match"
    words = ("niya", "3", "1", "--file", str(file))
    assert "4 games" in arena(capsys, *words, "--games", "4")
    kept = file.read_text().splitlines()
    assert "8 games" in arena(capsys, *words, "--games", "8")
    lines = file.read_text().splitlines()
    assert lines[:3] == kept
    assert [json.loads(line)[0] for line in lines[1:]] == [0, 1, 2, 3]


def test_a_file_of_another_match_is_refused(capsys, tmp_path):
    file = tmp_path / "match"
    arena(capsys, "niya", "3", "1", "--games", "2", "--file", str(file))
    told = arena(capsys, "niya", "3", "2", "--games", "2", "--file", str(file))
    assert "another match" in told


def test_exact_play_beats_chance_and_the_test_stops_early(capsys):
    told = arena(capsys, "niya", "3", "random", "--games", "200", "--sprt", "0", "100")
    assert "accepted" in told
    assert "200 games" not in told


@pytest.mark.slow
@pytest.mark.parametrize("game", ["parchis", "storilljudhjorrayc"])
def test_greed_beats_chance(capsys, game):
    told = arena(capsys, game, "greedy", "random", "--games", "8", "--plies", "4000")
    wins = int(told[told.index("+") + 1 : told.index(" =")])
    assert wins >= 6


def test_games_that_were_broken_off_tell_nothing(capsys):
    told = arena(capsys, "parchis", "greedy", "random", "--games", "2", "--plies", "40")
    assert "2 of 2 games were broken off" in told
    assert "%" not in told
    assert (usual_plies(find_game("parchis")), usual_plies(find_game("niya"))) == (4_000, 400)


def test_greed_takes_a_win_that_lies_on_the_board():
    match = Match("niya", "greedy", "random")
    assert sum(one.score for number in range(20) for one in pair(match, number)) > 22


@pytest.mark.parametrize("name", ["9", "0", "nobody", "nowhere:2", "3@x"])
def test_who_does_not_exist_does_not_play(capsys, name):
    told = arena(capsys, "niya", name, "1")
    assert told.count("\n") == 1
    assert "Traceback" not in told


def test_a_level_of_another_checkout_answers_through_its_own_worker(capsys):
    told = arena(capsys, "niya", ".:3", "random", "--games", "2", "--nodes", "400")
    assert "2 games" in told


def test_a_program_that_gives_up_has_lost(capsys, program):
    told = arena(capsys, "shogi", f"usi:{program('gives up')}@9", "random", "--games", "2")
    assert "+0 =0 -2" in told
    assert "resignation 2" in told


@pytest.mark.parametrize("how", ["dies", "wild"])
def test_a_program_that_does_not_play_ends_the_match_in_one_sentence(capsys, program, how):
    told = arena(capsys, "shogi", f"usi:{program(how)}", "random", "--games", "2")
    assert told.count("\n") == 1
    assert "Traceback" not in told


@pytest.mark.parametrize("game", ["niya", "shogi"])
def test_only_shogi_has_programs_and_only_such_as_exist(capsys, program, game):
    name = program() if game == "niya" else "no-such-program"
    assert "usi:PROGRAM" in arena(capsys, game, f"usi:{name}", "random")


def test_a_program_that_plays_tak_plays_cirya(capsys, tak_program):
    line = f"tei:'{tak_program}' -depth 3"
    told = arena(capsys, "cirya", line, "random", "--games", "2", "--option", "size=6")
    assert "2 games" in told


@pytest.mark.parametrize("line", ["tei:no-such-program", "tei:'never ends", "tei:"])
def test_no_program_for_tak_is_said_in_one_sentence(capsys, line):
    assert arena(capsys, "cirya", line, "random").count("\n") == 1


def test_only_cirya_has_programs_for_tak(capsys, tak_program):
    assert "tei:COMMAND" in arena(capsys, "shogi", f"tei:'{tak_program}'", "random")


def seen_at(*values: float, other: float = 0.0, level: int = 14) -> Manners:
    """Two levels of Storilljuðjorrayc, the first of whom took its moves for worth *values*."""
    manners = Manners(find_game(STORILL), (Level(level, inf, inf), Level(level, inf, inf)))
    for value in values:
        manners.note(1, other)
        manners.note(0, value)
    return manners


def test_a_level_with_manners_gives_up_what_is_long_lost_unless_it_is_for_learners():
    assert seen_at(*[-0.99] * LOST_FOR).gives_up(0)
    assert not seen_at(*[-0.99] * (LOST_FOR - 1)).gives_up(0)
    assert not seen_at(*[-0.99] * PATIENT, level=1).gives_up(0)
    assert seen_at(*[-0.99] * PATIENT, level=6).gives_up(0)
    assert not seen_at(*[-0.99] * (PATIENT - 1), level=6).gives_up(0)


@pytest.mark.parametrize(("value", "lost"), [(-0.96, True), (-0.94, False)])
def test_a_game_is_given_up_where_the_highest_level_agrees_and_else_played_on(value, lost):
    game = find_game(STORILL)
    opinion = ChosenMove(None, value)
    computer = Computer(lambda _position, _seat, level, *_: opinion if level == 14 else None, 14)
    game = replace(game, computer=computer)
    manners = Manners(game, (Level(6, inf, inf), Level(6, inf, inf)))
    for _ in range(PATIENT):
        manners.note(0, -0.99)
    setting = game.setting({"setup": "fixed"})
    moment = Moment(game, setting, (), game.start(setting), 0, "seed")
    assert manners.confirmed(moment) == lost
    assert manners.gives_up(0) == lost


def test_levels_with_manners_agree_to_a_draw_where_both_think_that_nothing_happens():
    even = seen_at(*[0.01] * EVEN_FOR)
    assert not even.agree(0, SETTLED - 1)
    assert even.agree(0, SETTLED)
    assert not seen_at(*[0.01] * EVEN_FOR, other=0.5).agree(0, SETTLED)
    assert seen_at(*[0.01] * EVEN_FOR, other=0.5).agree(0, LONGEST)
    # Who was refused does not ask again with every move.
    refused = seen_at(*[0.01] * EVEN_FOR, other=0.5)
    assert not refused.agree(0, SETTLED)
    refused.note(1, 0.0)
    assert not refused.agree(0, SETTLED + 1)


def test_nobody_agrees_with_who_has_no_opinion():
    manners = Manners(find_game(STORILL), (Level(14, inf, inf), AtRandom()))
    for _ in range(EVEN_FOR):
        manners.note(0, 0.0)
        manners.note(1, None)
    assert not manners.agree(0, LONGEST)
    assert not manners.gives_up(1)


@pytest.mark.slow
def test_a_match_with_manners_ends_where_a_game_at_a_table_would(capsys, monkeypatch, tmp_path):
    monkeypatch.setattr(computer_resignation_and_draws, "SETTLED", 20)
    monkeypatch.setattr(computer_resignation_and_draws, "LONG", 24)
    monkeypatch.setattr(computer_resignation_and_draws, "LONGEST", 40)
    file = tmp_path / "match"
    words = (STORILL, "4@40", "4@40", "--games", "2", "--file", str(file))
    told = arena(capsys, *words, "--manners")
    assert "agreement 2" in told
    assert int(told.split("longest ")[1].split()[0]) <= 60
    # Without them it is another match.
    assert "another match" in arena(capsys, *words)
