"""A second opinion on every puzzle, by exhaustion, that shares nothing with what posed it.

Cirya and Storilljuðjorrayc are searched through with the slow engines of the tests, Niya with rules
written out here, shogi with the program in C++, and Parchís is played out with other luck. Each
proof answers what is wrong with the lesson, "" where nothing is.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

from games.core import CHANCE, read_move
from games.core.computer import Answers
from games.core.school import Lesson
from games.core.search import EndlessBudget
from games.core.shelf import find_game
from games.shogi import GAME as SHOGI
from games.shogi.board import HANDS, TURN, Board, after, captures, in_check, moves
from games.shogi.move_reasons import WORTH as BOOK
from games.shogi.pieces import IN_HAND, kind_of, owner_of
from games.shogi.rules import Shogi
from tests.games.cirya_reference import Slow as SlowCirya
from tests.games.shogi_mates import counted
from tests.games.storill_reference import Slow as SlowStorill

# ------------------------------------------------------------------------------------- Niya

SQUARES = range(16)
LINES = [
    *({4 * row + n for n in range(4)} for row in range(4)),
    *({4 * n + file for n in range(4)} for file in range(4)),
    {0, 5, 10, 15},
    {3, 6, 9, 12},
    *({4 * r + f, 4 * r + f + 1, 4 * r + f + 4, 4 * r + f + 5} for r in range(3) for f in range(3)),
]


def niya(lesson: Lesson) -> str:
    """Whether the answer is the only card that wins, by looking at every game that may follow."""
    rows, turn, last = lesson.position.split()
    cells = tuple(cell for row in rows.split("/") for cell in row.split(","))
    own, other = turn, "A" if turn == "R" else "R"
    winning = set()
    for square in _fitting(cells, last):
        if _wins_by(cells, square, own, other):
            winning.add(cells[square])
    return "" if winning == set(lesson.answers) else f"winning are {sorted(winning)}"


def _fitting(cells: tuple[str, ...], last: str) -> list[int]:
    if last == "-":  # the first card of a game is one of the border
        return [n for n in SQUARES if n // 4 in (0, 3) or n % 4 in (0, 3)]
    return [
        n
        for n in SQUARES
        if len(cells[n]) == 2 and (cells[n][0] == last[0] or cells[n][1] == last[1])
    ]


@cache
def _wins_by(cells: tuple[str, ...], square: int, own: str, other: str) -> bool:
    """Whether *own* wins who takes the card on *square*."""
    card, after = cells[square], (*cells[:square], own, *cells[square + 1 :])
    mine = {n for n in SQUARES if after[n] == own}
    if any(line <= mine for line in LINES):
        return True
    answers = _fitting(after, card)
    return all(not _wins_by(after, answer, other, own) for answer in answers)


# ------------------------------------------------------------------------------------- Cirya


def cirya(lesson: Lesson) -> str:
    """Whether exactly the answers force a londë in two moves, or prevent one."""
    caps = {"4": 0, "6": 1}.get(lesson.options.get("board", "")[:1], 1)
    here = SlowCirya.read(lesson.position, caps, True, None)
    me, mine = here.player, ("R-0", "0-R")[here.player - 1]
    if any(then.result() == mine for then in here.moves().values()):
        return "there is a londë in one"
    right = {}
    for text, then in here.moves().items():
        if then.result():
            continue
        if lesson.theme == "stop":
            if not _road_next(then, 3 - me):
                right[text] = None
        elif all(_ends_well(answer, me) for answer in then.moves().values()):
            right[text] = then
    if set(right) != set(lesson.answers):
        return f"right are {sorted(right)}"
    for text, reply in lesson.answers.items():
        if reply is not None:
            left = right[text].moves()[reply.text].moves()
            wins = {move for move, then in left.items() if then.result() == mine}
            if wins != set(reply.answers):
                return f"after {text} {reply.text} right are {sorted(wins)}"
    return ""


def _road_next(here: SlowCirya, player: int) -> bool:
    wanted = ("R-0", "0-R")[player - 1]
    return any(then.result() == wanted for then in here.moves().values())


def _ends_well(here: SlowCirya, player: int) -> bool:
    """Whether *player*, who is to move unless it is over, has a route or completes one."""
    result = here.result()
    return result == ("R-0", "0-R")[player - 1] if result else _road_next(here, player)


# --------------------------------------------------------------------------- Storilljuðjorrayc

GREAT = ("A", "KM", "SÞ", "SD")


def storill(lesson: Lesson) -> str:
    """Whether only the answers lead to the fall of a great unit whatever is answered."""
    here = SlowStorill(lesson.position)
    if _blows(here):
        return "a great unit falls at once"
    right = [act for act in here.acts() if act != "--" and _falls(here.after(act))]
    if set(right) != set(lesson.answers):
        return f"right are {right}"
    for act, reply in lesson.answers.items():
        if reply is not None:
            left = set(_blows(here.after(act).after(reply.text)))
            if left != set(reply.answers):
                return f"after {act} {reply.text} right are {sorted(left)}"
    return ""


def _falls(here: SlowStorill) -> bool:
    """Whether after every answer there is a blow."""
    return all(_blows(here.after(answer)) for answer in here.acts())


def _blows(here: SlowStorill) -> list[str]:
    """The acts that take a great unit of the other side."""
    before = set(here.enemy) & set(GREAT)
    return [act for act in here.acts() if "x" in act and before - set(here.after(act).own)]


# ------------------------------------------------------------------------------------- Shogi

NODES = 1_000_000


def shogi(lessons: Sequence[Lesson], program: Path) -> Iterator[str]:
    """For each of *lessons* whether exactly its answers mate or defend, as the program counts."""
    for lesson in lessons:
        if lesson.theme == "defend":
            yield _defends(lesson, program)
            continue
        if lesson.theme == "material":
            yield wins_material(lesson)
            continue
        wanted = int(lesson.theme.removeprefix("mate"))
        (count,) = counted(program, [lesson.position], NODES, wanted)
        if count != wanted:
            yield f"it is mate in {count}"
            continue
        here = SHOGI.notation.read(lesson.position, SHOGI.chosen({}))
        yield _every_turn(here, lesson.answers, wanted, program)


THREAT = 5
"""Within so many plies whoever defends is not mated."""


def _defends(lesson: Lesson, program: Path) -> str:
    """Whether exactly the answers of *lesson* keep the other side from mating, as it threatens."""
    here = SHOGI.notation.read(lesson.position, SHOGI.chosen({}))
    turned = lesson.position.split()
    turned[1] = "w" if turned[1] == "b" else "b"
    if counted(program, [" ".join(turned)], NODES, 3)[0] not in (1, 3):
        return "no mate in three threatens"
    moves = here.legal_moves(here.turn)
    after = [SHOGI.notation.text(here.after(one)) for one in moves]
    counts = counted(program, after, NODES, THREAT)
    told = zip(moves, counts, strict=True)
    right = {SHOGI.notation.written(here, one) for one, count in told if count <= 0}
    unsure = min(counts) < 0
    return "" if right == set(lesson.answers) and not unsure else f"right are {sorted(right)}"


WON = 2
"""Pawns that a move must win at least."""


def wins_material(lesson: Lesson) -> str:
    """Whether by the values that books teach the answer wins something and nothing else more.

    It looks three plies ahead and at captures after them, and knows of nothing but material.
    """
    here = SHOGI.notation.read(lesson.position, SHOGI.chosen({}))
    (text,) = lesson.answers
    best = read_move(SHOGI, here, here.turn, text)
    stands = _material(here.board)
    won = -_worth_of(after(here.board, best), 2, -BOUND, -stands)
    if won < stands + WON:
        return f"{text} wins but {won - stands}"
    for other in here.legal_moves(here.turn):
        if -_worth_of(after(here.board, other), 2, -won - 1, -won) > won:
            return f"{SHOGI.notation.written(here, other)} wins more"
    return ""


BOUND = 10_000


def _material(board: Board) -> int:
    """The pawns by which the mover is ahead; what is in hand counts as on the board."""
    seat = board[TURN]
    total = sum(
        BOOK[kind_of(piece)] * (1 if owner_of(piece) == seat else -1)
        for piece in board[: HANDS[0]]
        if piece
    )
    for owner in (0, 1):
        for kind in IN_HAND:
            total += board[HANDS[owner] + kind] * BOOK[kind] * (1 if owner == seat else -1)
    return total


def _worth_of(board: Board, plies: int, low: int, high: int) -> int:
    """What *board* is worth to the mover, between *low* and *high*."""
    plays = moves(board)
    if not plays:
        return -BOUND
    if plies <= 0 and not in_check(board, board[TURN]):
        low = max(low, _material(board))
        plays = captures(board)
    plays = sorted(plays, key=lambda one: -BOOK.get(kind_of(board[one.target]), 0))
    best = low if plies <= 0 else -BOUND
    for play in plays:
        if low >= high or plies < -4:
            break
        best = max(best, -_worth_of(after(board, play), plies - 1, -high, -low))
        low = max(low, best)
    return best


def _every_turn(here: Shogi, answers: Answers, wanted: int, program: Path) -> str:
    """Whether exactly *answers* mate within *wanted* plies, and after each reply those below it."""
    right = _checks(here, wanted, program)
    if right != set(answers):
        return f"in {SHOGI.notation.text(here)} right are {sorted(right)}"
    for text, reply in answers.items():
        if reply is not None:
            then = here.after(read_move(SHOGI, here, here.turn, text))
            then = then.after(read_move(SHOGI, then, then.turn, reply.text))
            wrong = _every_turn(then, reply.answers, wanted - 2, program)
            if wrong:
                return wrong
    return ""


def _checks(here: Shogi, wanted: int, program: Path) -> set[str]:
    """The checks that mate within *wanted* plies, and with a "?" those of which it is unsure."""
    found: set[str] = set()
    asked: list[tuple[str, str]] = []
    for move in here.legal_moves(here.turn):
        then, text = here.after(move), SHOGI.notation.written(here, move)
        if in_check(then.board, then.turn):
            found.add(text)
            asked += [
                (text, SHOGI.notation.text(then.after(one))) for one in then.legal_moves(then.turn)
            ]
    if wanted == 1:
        return found - {text for text, _ in asked}
    counts = counted(program, [sfen for _, sfen in asked], NODES, wanted - 2)
    for (text, _), count in zip(asked, counts, strict=True):
        if count < 0:
            found.add(f"{text}?")
        elif count == 0:
            found.discard(text)
    return found


# ------------------------------------------------------------------------------------ Parchís

LEVEL, SURE, MOST = 2, 2.576, 4_000


def parchis(lesson: Lesson, seed: int, pairs: int = MOST) -> str:
    """Whether the answer wins more than each other move, 99 times in 100, with other luck."""
    game = find_game("parchis")
    here = game.notation.read(lesson.position, game.chosen({}))
    (seat,) = here.actors()
    (text,) = lesson.answers
    best = read_move(game, here, seat, text)
    for other in here.legal_moves(seat):
        if other != best and not _is_better(here, seat, best, other, seed, pairs):
            return f"{text} is not shown to be better than {game.notation.written(here, other)}"
    return ""


def _is_better(here, seat, best, other, seed, pairs) -> bool:
    gains = []
    for number in range(pairs):
        first, second = (
            _winner(here.after(move), random.Random(seed * 100_003 + number)) == seat
            for move in (best, other)
        )
        gains.append(first - second)
        if number % 50 == 49:
            mean = sum(gains) / len(gains)
            spread = (sum((g - mean) ** 2 for g in gains) / (len(gains) - 1)) ** 0.5
            if mean - SURE * spread / len(gains) ** 0.5 > 0:
                return True
    return False


def _winner(state, lot: random.Random) -> int:
    game, never = find_game("parchis"), EndlessBudget()
    while not state.finished:
        (seat,) = state.actors()
        moves = state.legal_moves(seat)
        if seat == CHANCE or len(moves) == 1:
            move = lot.choice(moves)
        else:
            move = game.computer.choose(state, seat, LEVEL, never, lot.randrange).move
        state = state.after(move)
    return state.finished[0]
