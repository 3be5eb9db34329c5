"""Problems of shogi: mate by checks, the only defence to one, and what wins material by force."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field

from games.core import Budget, Seat
from games.core.computer import Answers, Below, LessonReply, PosedProblem
from games.core.search import PROVED, NodeBudget, OutOfBudget, Search
from games.core.search_types import Found, Strength
from games.shogi.board import TURN, Board, BoardPlay, Drop, after, in_check, moves
from games.shogi.computer.evaluation import evaluate
from games.shogi.computer.mates import UNSETTLED, MateSearch, checks, mate_in_one
from games.shogi.computer.search_adapter import DEVICES, BoardTree
from games.shogi.notation import written
from games.shogi.rules import Shogi

LONGEST_MATE = 9
"""The plies of the longest mate that is asked for."""

THREAT, THREATENED = 5, 3
"""Within how many plies whoever defends must not be mated, and how soon that threatens."""

NODES = 20_000
"""The most boards that one position is worth."""

LOOK = 1_000
"""How many of them a first look takes that finds out whether there is a mate at all."""

MOST_FIRST = 3
"""With more right first moves a mate is no riddle."""

MOST_TRIED, MOST_DEFENCES = 8, 2
"""How many moves may help for the moment, and how many in the end."""

GAIN, CLEAR = 320, 300
"""By how many points the best move betters how the board looks, all that it costs paid, and by how
many it is ahead of any other. A silver is about 500, a pawn 100.
"""

ROUGHLY, CLOSELY = 1_500, 10_000
"""How many boards the search for such a move takes: first, and where it has found one."""


MOTIFS = {
    "mate1": "mate1$",
    "drop": r"\| .\*",
    "board": r"^[^|]*\| \d",
    "promotion": r"^[^|]*\| [^|]*\+ ",
    "sacrifice": r"^[^|]*\| ..(..)\+? \| ..\1",
    "rook": r"^[^|]*\| R\*",
    "bishop": r"^[^|]*\| B\*",
    "gold": r"^[^|]*\| G\*",
    "silver": r"^[^|]*\| S\*",
    **{f"mate{plies}": f"mate{plies}$" for plies in range(3, LONGEST_MATE + 1, 2)},
    "defend": r"defend$",
    "material": r"material$",
}
"""What the first move is, and how it is answered."""


@dataclass
class _Mates:
    """What mates in how many plies, within a budget; raises ``OutOfBudget``."""

    search: MateSearch
    _known: dict[tuple[Board, int], bool] = field(default_factory=dict)

    def mates(self, board: Board, plies: int) -> bool:
        """Whether the attacker, to move on *board*, mates within *plies*, an odd number."""
        proved, refuted = self.search.settled.get(board, UNSETTLED)
        if proved <= plies:
            return True
        if plies < 1 or refuted >= plies:
            return False
        if (board, plies) not in self._known:
            if self.search.budget.is_spent():
                raise OutOfBudget
            found = any(self.is_mated(then, plies - 1) for _, then in checks(board))
            self._known[board, plies] = found
        return self._known[board, plies]

    def is_mated(self, then: Board, plies: int) -> bool:
        """Whether the defender, to move on *then*, is mated within *plies*, an even number."""
        return all(self.mates(after(then, one), plies - 1) for one in moves(then))

    def right(self, board: Board, plies: int) -> list[tuple[BoardPlay, Board]]:
        """The checks that mate within *plies*, the check itself counted."""
        return [(play, then) for play, then in checks(board) if self.is_mated(then, plies - 1)]

    def slowest(self, then: Board, plies: int) -> BoardPlay:
        """The answer on *then* that is mated latest of all, within *plies*."""
        # A piece that is dropped in the way comes last: it is but put there to be taken.
        answers = sorted(moves(then), key=lambda one: isinstance(one, Drop))
        for fewer in range(1, plies, 2):
            answers = [one for one in answers if not self.mates(after(then, one), fewer)] or answers
        return answers[0]

    def answers(self, position: Shogi, plies: int) -> Answers:
        """All right checks in *position*, with the longest defence and what mates then."""
        found: dict[str, LessonReply | None] = {}
        for play, then in self.right(position.board, plies):
            reply = None
            if moves(then):
                following, defence = position.after(play), self.slowest(then, plies - 1)
                rest = self.answers(following.after(defence), plies - 2)
                reply = LessonReply(written(following, defence), rest)
            found[written(position, play)] = reply
        return found


def pose(position: Shogi, seat: Seat, budget: Budget, _below: Below) -> PosedProblem | None:
    """A mate of *seat* by checks in few plies, the only defence to one, or what wins material."""
    board = position.board
    if position.turn != seat:
        return None
    plies = len(MateSearch(NodeBudget(budget, LOOK)).solve(board, LONGEST_MATE))
    with suppress(OutOfBudget):
        if plies:
            return _find_mate(position, plies, budget)
        return _find_defence(position, budget) or _find_gain(position, budget)
    return None


def _find_mate(position: Shogi, plies: int, budget: Budget) -> PosedProblem | None:
    """The mate within *plies* that the side to move has, where few first moves begin it."""
    board = position.board
    mates = _Mates(MateSearch(NodeBudget(budget, NODES)))
    plies = len(mates.search.solve(board, plies)) or plies
    right = mates.right(board, plies)
    if not 0 < len(right) <= MOST_FIRST:
        return None
    # What mates a little later is right as well: where something does, the task is vague.
    if 1 < plies < LONGEST_MATE and len(mates.right(board, plies + 2)) > len(right):
        return None
    answers = mates.answers(position, plies)
    lengthened = _is_lengthened(answers)
    return None if lengthened else PosedProblem(f"mate{plies}", answers, (plies + 1) // 2)


def _is_lengthened(answers: Answers) -> bool:
    """Whether a defence of *answers* only drops a piece in the way, which is taken at once."""
    return any(
        ("*" in reply.text and any(then[2:4] == reply.text[2:4] for then in reply.answers))
        or _is_lengthened(reply.answers)
        for reply in answers.values()
        if reply is not None
    )


def _find_defence(position: Shogi, budget: Budget) -> PosedProblem | None:
    """The only moves after which the other side, which threatens mate, has none."""
    board = position.board
    passed = board[:TURN] + bytes((1 - position.turn,)) + board[TURN + 1 :]
    threat = MateSearch(NodeBudget(budget, LOOK)).solve(passed, THREATENED)
    if in_check(board, position.turn) or not threat:
        return None
    left = [one for one in moves(board) if mate_in_one(after(board, one)) is None]
    if len(threat) == 1 and len(left) > MOST_TRIED:
        return None
    right: list[BoardPlay] = []
    for play in left:
        if len(right) > MOST_DEFENCES:
            return None
        search, then = MateSearch(NodeBudget(budget, LOOK)), after(board, play)
        if search.solve(then, THREAT):
            continue
        if search.settled.get(then, UNSETTLED)[1] < THREAT:
            return None
        right.append(play)
    if not 0 < len(right) <= MOST_DEFENCES:
        return None
    return PosedProblem("defend", {written(position, play): None for play in right})


def _find_gain(position: Shogi, budget: Budget) -> PosedProblem | None:
    """The only move that wins material by force and that no look at captures finds."""
    board = position.board
    roughly = None if in_check(board, position.turn) else _best_by(board, ROUGHLY, budget)
    found = roughly and _best_by(board, CLOSELY, budget)
    if not roughly or not found or found.ranked[0][0] < evaluate(board) + GAIN:
        return None
    play, reply = found.line[0], None
    glanced = _think(board, Strength(ROUGHLY, plies=1), budget).line[0]
    if roughly.line[0] != play or glanced == play:
        return None
    for answer in found.line[1:2]:
        # What wins it is asked for too, where nothing else does.
        following, last = position.after(play), position.after(play).after(answer)
        then = None if mate_in_one(last.board) else _best_by(last.board, CLOSELY, budget)
        rest = {} if then is None else {written(last, then.line[0]): None}
        reply = LessonReply(written(following, answer), rest) if rest else None
    return PosedProblem("material", {written(position, play): reply}, 1 + (reply is not None))


def _think(board: Board, strength: Strength, budget: Budget) -> Found[BoardPlay]:
    return Search(BoardTree(), DEVICES, strength, budget, lambda _: 0).think(board, moves(board))


def _best_by(board: Board, nodes: int, budget: Budget) -> Found[BoardPlay] | None:
    """What a search of *nodes* finds on *board* where the best move is ahead by ``CLEAR``."""
    found = _think(board, Strength(nodes, slack=CLEAR), budget)
    best, *others = [value for value, _ in found.ranked]
    return found if others and abs(best) < PROVED and best - others[0] >= CLEAR else None
