"""What a londetúrë is worth: proved, refuted or neither (C21, R2)."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from games.cirya import GAME
from games.cirya.board import Board
from games.cirya.computer.evaluation import nearest
from games.cirya.computer.prover import HORIZON, NODES, Prover, judged
from games.cirya.move_types import Judged, Verdict
from games.cirya.rules import completing, londe, one_move_away, quildear
from games.core import Entry, IllegalMove, Record, read_aside, replay
from tests.games.cirya_positions import at, play, start

SWAN, EAGLE = 0, 1
ONE_WAY = "x5/x5/x5/x2,2,2,2/1,1,1,1,x 2 5"
"""Swan lacks e1 alone, and the eagle, to move, may take it."""
TWO_WAYS = "2,x3,2/x,1,1,x2/x2,1,x2/2,x,1,x2/x2,1,x2 2 5"
"""Swan lacks b5 or c5, and the eagle, to move, cannot take both."""


class Plenty:
    """A budget that never ends."""

    def is_spent(self) -> bool:
        return False


# -- against a plain search ---------------------------------------------------------------


def after(board: Board, seat: int) -> Iterator[Board]:
    return (board.after(ply) for ply in board._replace(mover=seat).plies(board.kinds()))


def ended(board: Board, seat: int) -> bool | None:
    end = londe(board) or quildear(board)
    return None if end is None else end.reason == "londe" and end.winner == seat


def forces(board: Board, seat: int, plies: int) -> bool:
    """Whether *seat* has a londë within *plies* whatever the other plays: nothing left out."""
    end = ended(board, seat)
    if end is not None or plies == 0:
        return bool(end)
    found = (forces(then, seat, plies - 1) for then in after(board, board.mover))
    return any(found) if board.mover == seat else all(found)


def presses(board: Board, seat: int, plies: int) -> bool:
    """Whether *seat* can threaten with each ply of its own until *plies* are over."""
    end = ended(board, seat)
    if end is not None or plies == 0:
        return end is not False
    if board.mover != seat:
        return all(presses(then, seat, plies - 1) for then in after(board, board.mover))
    return any(
        ended(then, seat) or (one_move_away(then, seat) and presses(then, seat, plies - 1))
        for then in after(board, seat)
    )


def boards(count: int, seed: int, most: int, sizes: tuple[int, ...] = (4, 5)) -> Iterator[Board]:
    """Boards of random games with at most *most* legal moves, one side near its londë."""
    rng = random.Random(seed)
    while count:
        position = start(size=str(rng.choice(sizes)))
        while count and position.outcome() is None:
            moves = position.legal_moves(position.board.mover)
            board = position.board
            near = [nearest(board.shape, board.route(n), board.empty).missing for n in (0, 1)]
            if len(moves) <= most and near[board.mover] > 1 and min(near) < 3:
                count -= 1
                yield board
            position = position.after(rng.choice(moves))


def differences(count: int, plies: int, most: int, seed: int) -> list[tuple[Board, int]]:
    """The boards of *count*, and the seats, of which the two searches say different things."""
    wrong = []
    for board in boards(count, seed, most):
        for seat in (0, 1):
            prover = Prover(seat, Plenty())
            said = prover.forces(board, plies), prover.is_pressed(board, plies)
            if said != (forces(board, seat, plies), presses(board, seat, plies)):
                wrong.append((board, seat))
    return wrong


@pytest.mark.slow
def test_the_prover_finds_what_a_plain_search_finds_within_three_plies():
    assert differences(40, plies=3, most=18, seed=1) == []


@pytest.mark.slow
def test_the_prover_finds_what_a_plain_search_finds_in_a_thousand_positions():
    assert differences(1000, plies=3, most=25, seed=2) == []
    assert differences(100, plies=5, most=14, seed=3) == []


# -- the verdict --------------------------------------------------------------------------


def verdict(tps: str, nodes: int = NODES):
    position = at(tps)
    return position, Prover(SWAN, Plenty(), nodes).proof(position.board)


def test_r2_a_londe_that_can_be_completed_in_two_ways_is_proved_with_its_line():
    position, proof = verdict(TWO_WAYS)
    assert proof.verdict is Verdict.PROVED
    for ply in proof.line:
        assert ply in position.legal_moves(position.board.mover)
        position = position.after(ply)
    assert position.outcome().reason == "londe"
    assert position.outcome().winner == SWAN


def test_r2_a_londe_with_one_way_left_is_refuted_by_the_ply_that_takes_it():
    position, proof = verdict(ONE_WAY)
    assert proof.verdict is Verdict.REFUTED
    (escape,) = proof.line
    then = position.after(escape).board
    assert next(completing(then, SWAN), None) is None
    assert not Prover(SWAN, Plenty()).forces(then, HORIZON - 1)


@pytest.mark.parametrize("tps", [ONE_WAY, TWO_WAYS])
def test_r2_nothing_is_decided_where_the_budget_is_too_small(tps):
    assert verdict(tps, nodes=30)[1].verdict is Verdict.UNDECIDED
    assert verdict(tps, nodes=30)[1].line == ()


def test_r3_a_board_that_may_not_come_again_is_an_escape():
    board = at(TWO_WAYS).board
    taken = board.after(next(ply for ply in board.plies(board.kinds())))
    assert Prover(SWAN, Plenty()).forces(taken, 3)
    prover = Prover(SWAN, Plenty())
    prover.past[taken] = 2
    assert not prover.forces(taken, 3)


# -- the claim ----------------------------------------------------------------------------

CLAIMED = 'e5 a1 b1 e4 c1 e3 d1"'
"""Swan lacks e1, and the eagle may take it."""


def test_c21_a_londeture_waits_for_its_verdict_and_the_game_goes_on_meanwhile():
    position = play(CLAIMED)
    assert position.actors() == {EAGLE}
    assert position.rulings(SWAN) == [Judged(one) for one in Verdict]
    assert position.rulings(EAGLE) == ()
    assert play("e1", position).rulings(SWAN) == position.rulings(SWAN)
    assert play("e5 a1 b1 e4 c1 e3 d1").rulings(SWAN) == ()


def test_r2_the_verdict_is_given_once_and_the_log_keeps_it():
    position = play(CLAIMED)
    ruling = judged(position, SWAN, Plenty())
    assert (ruling.move, len(ruling.line)) == (Judged(Verdict.REFUTED), 1)
    ruled = position.after(ruling.move)
    assert ruled.rulings(SWAN) == ()
    assert ruled.outcome() is None
    log = [Entry(n % 2, text) for n, text in enumerate(CLAIMED.split())]
    again = replay(GAME, start(), [*log, Entry(SWAN, "refuted", aside=True)])
    assert again == ruled
    assert again.claims == ruled.claims


def test_r2_the_second_londeture_of_a_game_is_judged_like_the_first():
    first = play(CLAIMED).after(Judged(Verdict.PROVED))
    second = play('e1 a2"', first)
    assert second.rulings(SWAN) == [Judged(one) for one in Verdict]
    ruling = judged(second, SWAN, Plenty()).move
    ruled = second.after(ruling)
    assert ruling == Judged(Verdict.REFUTED)
    assert [claim.verdict for claim in ruled.claims] == [Verdict.PROVED, Verdict.REFUTED]
    assert ruled.rulings(SWAN) == ()


def test_r2_what_an_old_log_says_stands_whatever_the_prover_would_say_now():
    log = [Entry(n % 2, text) for n, text in enumerate(CLAIMED.split())]
    kept = replay(GAME, start(), [*log, Entry(SWAN, "proved", aside=True)])
    assert kept.claims[0].verdict is Verdict.PROVED


def test_r2_no_player_gives_the_verdict():
    position = play(CLAIMED)
    for seat in (SWAN, EAGLE):
        with pytest.raises(IllegalMove):
            read_aside(GAME, position, seat, "proved")


def test_r2_a_claim_is_judged_on_the_board_it_was_made_on():
    later = play("e1", play(CLAIMED))
    assert judged(later, SWAN, Plenty()).move == Judged(Verdict.REFUTED)


def test_r2_by_agreement_a_false_londeture_loses():
    position = play(CLAIMED, false_claim="loses")
    lost = position.after(Judged(Verdict.REFUTED)).outcome()
    assert (lost.reason, lost.winner) == ("false_claim", EAGLE)
    assert position.after(Judged(Verdict.PROVED)).outcome() is None
    assert position.after(Judged(Verdict.UNDECIDED)).outcome() is None


def test_c20_going_back_takes_no_verdict_away():
    position = play('e5 a1 b1 e4 c1" e3')
    position = position.after(Judged(Verdict.UNDECIDED))
    won = play("d1 e2 e1", position)
    (back,) = won.asides(EAGLE)
    assert won.after(back).claims[0].verdict is Verdict.UNDECIDED


def test_r5_the_record_tells_the_verdict_in_a_remark():
    log = [Entry(n % 2, text) for n, text in enumerate(CLAIMED.split())]
    log += [Entry(SWAN, "refuted", aside=True), Entry(EAGLE, "e1")]
    record = Record("cirya", GAME.rules.sides, GAME.chosen({}), 0, tuple(log))
    written = GAME.records.formats[0].write(GAME, record)
    assert 'd1" {londetúrë refuted} e1' in " ".join(written.split())
    assert len(GAME.records.formats[0].read(GAME, written).log) == 8
