"""The announcement of Cirya, londetúrë and the right to go back: C19 to C22, R1 and R2."""

from dataclasses import replace
from random import Random

import pytest

from games.cirya import GAME
from games.cirya.formats.ptn import result
from games.cirya.move_types import Back, Call, Cede, Kind, Said
from games.cirya.rules import completing, one_move_away
from games.core import Entry, Record, read_aside, read_move, replay
from tests.games.cirya_positions import HIDDEN, at, play, stack, start

SWAN, EAGLE = 0, 1


# -- the announcement ---------------------------------------------------------------------


def test_c19_one_move_away_by_a_placement_or_by_a_move():
    assert one_move_away(play("e5 a1 b1 e4 c1 e3 d1").board, SWAN)
    assert not one_move_away(play("e5 a1 b1 e4 c1 e3").board, SWAN)
    assert one_move_away(at("x5/x5/x5/x3,2S,1/1,1,1,1,2 1 9").board, SWAN)  # by e2-
    assert not one_move_away(at("x5/x5/x5/x3,2S,1/1,1,1,1,2S 1 9").board, SWAN)
    assert one_move_away(at("x5/x5/x5/x3,2S,1C/1,1,1,1,2S 1 9").board, SWAN)


def test_c19_a_tampa_is_no_way_to_complete_a_londe():
    only_hallacirya = at(f"{'1' * 17}2,x4/x5/x5/x5/1,1,1,1,x 1 22")
    assert [way.kind for way in completing(only_hallacirya.board, SWAN)] == [Kind.HALLACIRYA]


@pytest.mark.parametrize("mode", ["aracirya", "nutacirya"])
def test_c19_the_announcement_goes_with_the_move(mode):
    position = play("e5 a1 b1 e4 c1 e3 d1'", mode=mode)
    assert position.last.said is Said.LONDE
    assert GAME.notation.text(position) == GAME.notation.text(play("e5 a1 b1 e4 c1 e3 d1"))
    assert position.actors() == {EAGLE}


def test_c19_every_legal_ply_may_be_announced_and_no_menu_grows():
    position = play("e5 a1 b1 e4 c1 e3")
    plain = position.legal_moves(SWAN)
    assert not any(move.said for move in plain)
    for move in plain:
        for said in (Said.LONDE, Said.LONDETURE):
            typed = read_move(GAME, position, SWAN, GAME.notation.written(position, move) + said)
            assert typed == replace(move, said=said)
            assert (
                GAME.notation.written(position, typed)
                == GAME.notation.written(position, move) + said
            )


def test_r1_the_button_goes_with_the_coming_move():
    position = play("e5 a1 b1 e4 c1 e3")
    assert Call(SWAN, Said.LONDE) in position.asides(SWAN)
    ready = position.after(Call(SWAN, Said.LONDE))
    assert ready.actors() == {SWAN}
    assert ready.legal_moves(SWAN) == position.legal_moves(SWAN)
    assert play("d1", ready) == play("d1'", position)
    assert play("d1", ready).plies == play("d1'", position).plies
    assert play("d1", ready).word is Said.NOTHING


def test_c19_the_word_gets_no_button_before_it_can_be_true():
    word = Call(SWAN, Said.LONDE)
    assert not GAME.menus.timely(play("e5 a1"), SWAN, word)
    assert not GAME.menus.timely(play("e5 a1 b1 e4"), SWAN, word)
    assert GAME.menus.timely(play("e5 a1 b1 e4 c1 e3"), SWAN, word)  # d1 would threaten e1
    assert word in play("e5 a1").asides(SWAN), "it may be typed all the same"
    ready = play("e5 a1").after(word)
    assert GAME.menus.timely(ready, SWAN, Call(SWAN, Said.NOTHING)), "and taken back"


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("size", "games"), [("4", 20), ("5", 6), pytest.param("6", 25, marks=pytest.mark.slow)]
)
def test_c19_whatever_ply_leaves_a_player_one_move_away_its_word_had_a_button(size, games):
    chance, threats = Random(34), 0
    for _ in range(games):
        position = start(size=size)
        while not position.outcome():
            (seat,) = position.actors()
            for ply in chance.sample(legal := position.legal_moves(seat), min(6, len(legal))):
                after = position.after(ply)
                if after.outcome() or not one_move_away(after.board, seat):
                    continue
                threats += 1
                before, now = (Call(seat, Said.LONDE), Call(seat, Said.LONDETURE))
                if position.ply >= 2:
                    assert GAME.menus.timely(position, seat, before)
                    assert GAME.menus.timely(after, seat, now)
            position = position.after(chance.choice(legal))
    assert threats > 50


def test_r1_a_word_whose_ply_is_not_made_may_be_withdrawn():
    ready = play("e5 a1 b1 e4 c1 e3").after(Call(SWAN, Said.LONDETURE))
    assert Call(SWAN, Said.NOTHING) in ready.asides(SWAN)
    assert play("d1", ready.after(Call(SWAN, Said.NOTHING))).last.said is Said.NOTHING
    assert play("d1'", ready).last.said is Said.LONDE


def test_c19_the_word_may_follow_the_piece_until_the_answer_comes():
    position = play("e5 a1 b1 e4 c1 e3 d1")
    assert position.asides(SWAN) == [Call(SWAN, Said.LONDE), Call(SWAN, Said.LONDETURE)]
    said = position.after(read_aside(GAME, position, SWAN, "londë"))
    assert said == play("e5 a1 b1 e4 c1 e3 d1'")
    assert said.plies == play("e5 a1 b1 e4 c1 e3 d1'").plies
    assert said.asides(SWAN) == [Call(SWAN, Said.LONDETURE)]
    assert said.after(Call(SWAN, Said.LONDETURE)).asides(SWAN) == []
    assert Call(SWAN, Said.LONDE) not in play("e2", position).asides(EAGLE)


def test_c19_no_button_announces_anything_in_the_first_turn():
    assert start().asides(SWAN) == ()
    assert play("a1").asides(EAGLE) == ()
    assert play("a1").asides(SWAN) == ()


def test_c20_aracirya_a_hidden_londe_may_be_taken_back():
    position = play(HIDDEN)
    assert result(position.outcome()) == "R-0"
    assert position.asides(EAGLE) == (Back(),)
    again = position.after(Back())
    assert GAME.notation.text(again) == GAME.notation.text(play("e5 a1 b1 e4 c1 e3 d1"))
    assert again.plies == play("e5 a1 b1 e4 c1 e3 d1'").plies
    assert again.actors() == {EAGLE}


def test_c20_nutacirya_nothing_is_compulsory_and_nothing_taken_back():
    position = play(HIDDEN, mode="nutacirya")
    assert result(position.outcome()) == "R-0"
    assert position.asides(EAGLE) == ()
    assert position.asides(SWAN) == ()


@pytest.mark.parametrize("mark", ["'", '"'])
def test_r1_an_announced_londe_stands(mark):
    assert play(f"e5 a1 b1 e4 c1 e3 d1{mark} e2 e1").asides(EAGLE) == ()


def test_r1_the_earliest_of_an_unbroken_row_of_silence_counts():
    position = play("e5 a1 b1 e4 c1 e3 d1 c5 a5 c4 a4 c3 e1")
    assert position.silence == 7
    assert GAME.notation.text(position.after(Back())) == GAME.notation.text(
        play("e5 a1 b1 e4 c1 e3 d1")
    )


def test_r1_an_announcement_breaks_the_row_of_silence():
    position = play("e5 a1 b1 e4 c1 e3 d1' c5 a5 c4 a4 c3 e1")
    assert position.silence == 9
    assert position.after(Back()).last == play("e5 a1 b1 e4 c1 e3 d1' c5 a5'").last


def test_r1_a_ply_that_threatens_nothing_breaks_the_row():
    position = play("e5 a1 b1 e4 c1 e3 d1 Se1 a5 e1+ a4 c3 e1")
    assert result(position.outcome()) == "R-0"
    # Eagle's tampa stood on e1 after a5: only from a4 on was swan one move away again.
    assert position.silence == 11


def test_r1_a_threat_that_the_opponents_own_ply_opened_called_for_no_word():
    position = play("a5 d1+ e1", at("x5/x5/x5/x5/1,1,1,12,x 1 9"))
    assert result(position.outcome()) == "R-0"
    assert position.asides(EAGLE) == ()


def test_r1_a_londe_that_the_loser_completed_himself_called_for_no_word():
    position = play("a5 e1+", at("x5/x5/x5/x5/1,1,1,1,12 1 9"))
    assert result(position.outcome()) == "R-0"
    assert position.asides(EAGLE) == ()


def test_c20_who_completed_the_londe_of_the_other_takes_nothing_back_for_his_own_silence():
    # Eagle threatens e4 without a word, then opens swan's londë by leaving e1.
    position = play("d4 c5 e1+", at("x5/2,2,2,x2/x5/x5/1,1,1,1,12 2 9"))
    assert one_move_away(play("d4 c5", at("x5/2,2,2,x2/x5/x5/1,1,1,1,12 2 9")).board, EAGLE)
    assert result(position.outcome()) == "R-0"
    assert position.silence is None
    assert position.asides(EAGLE) == ()


def test_r1_a_false_londe_costs_nothing():
    position = play("a1 e5 c3'")
    assert position.outcome() is None
    assert position.actors() == {EAGLE}


def test_r1_the_return_is_a_line_of_the_log_and_the_game_goes_on():
    log = [Entry(n % 2, text) for n, text in enumerate(HIDDEN.split())]
    log += [Entry(EAGLE, "back", aside=True), Entry(EAGLE, "Se1"), Entry(SWAN, "d2'")]
    setting = GAME.setting()
    position = replay(GAME, GAME.start(setting), log)
    assert stack(position, "e1") == "2S"
    assert position.actors() == {EAGLE}
    assert GAME.notation.text(position) == GAME.notation.text(play("e5 a1 b1 e4 c1 e3 d1' Se1 d2'"))
    record = Record("cirya", setting.sides, setting.options, 0, tuple(log))
    assert replay(GAME, GAME.start(setting), Record.read(record.text()).log).plies == position.plies


def test_r1_a_return_works_from_a_position_that_was_read():
    position = play("a5 c5 e1", at("x5/x5/x5/x5/1,1,1,1,x 1 9"))
    assert GAME.notation.text(position.after(Back())) == "1,x4/x5/x5/x5/1,1,1,1,x 2 9"


def test_r3_after_a_return_the_position_that_was_read_is_its_first_time():
    position = play("d2- a5> e1", at("2,x4/x5/x5/x3,1,x/1,1,1,x2 1 9"))
    again = position.after(Back())
    assert play("a5> d1+ b5< d2- a5> d1+", again).outcome() is None
    assert play("a5> d1+ b5< d2- a5> d1+ b5<", again).outcome().reason == "repetition"


@pytest.mark.parametrize("word", ["londetúrë", '"', "Londeture!"])
def test_c21_londeture_may_be_announced_and_is_recorded(word):
    position = play("e5 a1 b1 e4 c1 e3 d1")
    said = position.after(read_aside(GAME, position, SWAN, word))
    assert said.last.said is Said.LONDETURE
    assert GAME.notation.written(said, said.last) == 'd1"'
    assert play('e5 a1 b1 e4 c1 e3 d1"') == said


def test_r2_a_londeture_stands_in_the_record_and_the_game_goes_on():
    log = [Entry(n % 2, text) for n, text in enumerate(["e5", "a1", "b1", "e4", 'c1"', "e3"])]
    position = replay(GAME, start(), log)
    assert position.plies[4].said is Said.LONDETURE
    assert position.actors() == {SWAN}
    record = Record("cirya", GAME.rules.sides, GAME.chosen({}), 0, tuple(log))
    assert '0 c1"' in record.text().splitlines()
    assert replay(GAME, start(), Record.read(record.text()).log).plies == position.plies


def test_c22_the_winner_of_a_londe_may_give_the_victory_away():
    position = play(HIDDEN)
    assert position.asides(SWAN) == (Cede(),)
    end = position.after(Cede())
    assert (end.outcome().reason, end.outcome().winner) == ("ceded", EAGLE)
    assert end.asides(SWAN) == end.asides(EAGLE) == ()


def test_c22_eagle_may_give_its_victory_away_too():
    position = play("e5 a1 b1 e4 c1 e3 d1 e2 a2 e1")
    assert position.outcome().winner == EAGLE
    assert position.asides(EAGLE) == (Cede(),)
    end = position.after(Cede())
    assert (end.outcome().reason, end.outcome().winner) == ("ceded", SWAN)


def test_c22_only_a_londe_is_given_away():
    full = "1,2,1,2,1/2,1,2,1,2/1,2,1,2,1/2,1,2,1,2/1,2,1,2,x 1 13"
    assert play("e1", at(full)).asides(SWAN) == ()


@pytest.mark.parametrize("typed", ["d1'", "d1 londë", "d1 batân", "D1 ¡Batan!", "d1 londe"])
def test_c19_the_word_may_be_typed_behind_the_move(typed):
    position = play("e5 a1 b1 e4 c1 e3")
    assert read_move(GAME, position, SWAN, typed).said is Said.LONDE
    assert read_move(GAME, position, SWAN, "d1 londetúrë").said is Said.LONDETURE
