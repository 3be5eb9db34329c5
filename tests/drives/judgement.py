"""The figures of shogi's judgement as one list: which count on a board, which are alike, and text.

It mirrors ``games.shogi.computer.evaluation``: the sum of the figures that ``seen`` names is what
that thinks of a board, but for the last, what it is worth to be the one who moves. That is learnt
so that it does not disturb the others; matches with and without it have shown no difference.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Hashable, Iterator, Sequence
from functools import cache
from itertools import pairwise

from games.shogi.board import HANDS, SQUARES, TURN, Board, king_square
from games.shogi.computer import weights
from games.shogi.computer.evaluation import parts_of
from games.shogi.computer.weights import FARTHEST, FEW
from games.shogi.pieces import GOTE, IN_HAND, KINDS, KING, SENTE, Kind, kind_of, owner_of

NAMES: dict[Kind, str] = {
    1: "PAWN",
    2: "LANCE",
    3: "KNIGHT",
    4: "SILVER",
    5: "GOLD",
    6: "BISHOP",
    7: "ROOK",
    8: "KING",
    9: "TOKIN",
    10: "LANCE + PROMOTED",
    11: "KNIGHT + PROMOTED",
    12: "SILVER + PROMOTED",
    14: "HORSE",
    15: "DRAGON",
}
"""What the sources call the kinds."""

ABOUT_EACH = """
What the first piece of a kind in hand is worth, the second, …; the last is for all others."""

ABOUT_HELD = """
What each of the first ``FEW`` pieces of a kind in hand adds by its own king | by the other:
by the rank of that king from the enemy's edge, then by its column from the left, as the owner
sees it."""

ABOUT_STANDING = """
What a piece adds by where it stands, the enemy's edge above: on the board | to its own king | to
the other. A row to a king is a rank, from ``FARTHEST`` in front of it to as many behind it,
with its column and as many beside it, left or right; what is farther counts as these."""

WIDE = FARTHEST + 1
NEAR = (2 * FARTHEST + 1) * WIDE
EACH = SQUARES + 2 * NEAR
"""Figures by kind on the board: the squares, then those to the own king and to the other."""

KINGS = 2 * 18
DIFFERENT = {kind: len(weights.EACH_IN_HAND[kind]) for kind in IN_HAND}
HELD = len(KINDS) * EACH
COUNTED = HELD + len(IN_HAND) * KINGS
MOVING = COUNTED + sum(DIFFERENT.values())
COUNT = MOVING + 1
"""How many figures there are; the last is what it is worth to move."""

_FIRST = {
    kind: COUNTED + sum(DIFFERENT[other] for other in IN_HAND[:at])
    for at, kind in enumerate(IN_HAND)
}


def seen(board: Board) -> tuple[array[int], array[int]]:
    """The figures that count on *board* for sente, and those for gote; some more than once."""
    return _seen(board, SENTE), _seen(board, GOTE)


def _seen(board: Board, seat: int) -> array[int]:
    own, other = (_turned(king_square(board, one), seat) for one in (seat, 1 - seat))
    found = array("H", [MOVING] if board[TURN] == seat else [])
    for square, piece in enumerate(board[:SQUARES]):
        if piece and owner_of(piece) == seat:
            kind, there = kind_of(piece), _turned(square, seat)
            first = KINDS.index(kind) * EACH
            found.append(first + there)
            if kind != KING:
                found.append(first + SQUARES + _from(there, own))
                found.append(first + SQUARES + NEAR + _from(there, other))
    for at, kind in enumerate(IN_HAND):
        count = board[HANDS[seat] + kind]
        found.extend(_FIRST[kind] + min(one, DIFFERENT[kind] - 1) for one in range(count))
        for part, king in enumerate((own, other)):
            first = HELD + at * KINGS + 18 * part
            found.extend([first + king // 9, first + 9 + king % 9] * min(count, FEW))
    return found


def _turned(square: int, seat: int) -> int:
    return square if seat == SENTE else SQUARES - 1 - square


def _from(square: int, king: int) -> int:
    """The number of the figure of *square* as it stands to *king*."""
    across, down = abs(square % 9 - king % 9), square // 9 - king // 9
    return (max(-FARTHEST, min(FARTHEST, down)) + FARTHEST) * WIDE + min(FARTHEST, across)


def figures() -> list[float]:
    """The present figures, in the order of their numbers."""
    found: list[float] = []
    for kind in KINDS:
        places, *near = parts_of(weights.STANDING[kind])
        found += [weights.ON_BOARD[kind] + one for one in places]
        found += [one for part in near for one in part] or [0] * (2 * NEAR)
    for kind in IN_HAND:
        found += [one for part in parts_of(weights.HELD[kind]) for one in part]
    for kind in IN_HAND:
        found += weights.EACH_IN_HAND[kind]
    return [*found, 0.0]


def _alike() -> Iterator[tuple[float, Callable[[int], Hashable | None]]]:
    """By what figures are alike, and how firmly such a group is drawn to nothing.

    The first of a kind is free: what a piece is worth at all nobody knows beforehand.
    """

    def on_board(at: int) -> tuple[int, int, int] | None:
        """The kind, the part (0 the square, 1 own king, 2 the other), and the number in it."""
        if at >= HELD:
            return None
        kind, rest = divmod(at, EACH)
        if rest < SQUARES:
            return kind, 0, rest
        return kind, 1 + (rest - SQUARES) // NEAR, (rest - SQUARES) % NEAR

    def places(key: Callable[[int, int], Hashable]) -> Callable[[int], Hashable | None]:
        def of(at: int) -> Hashable | None:
            found = on_board(at)
            return None if found is None or found[1] else key(found[0], found[2])

        return of

    def near(key: Callable[[int, int, int], Hashable]) -> Callable[[int], Hashable | None]:
        def of(at: int) -> Hashable | None:
            found = on_board(at)
            return (
                None
                if found is None or not found[1]
                else (found[1], key(found[0], *_way(found[2])))
            )

        return of

    def held(key: Callable[[int], Hashable]) -> Callable[[int], Hashable | None]:
        return lambda at: key(at) if HELD <= at < COUNTED else None

    def counted(key: Callable[[int], Hashable]) -> Callable[[int], Hashable | None]:
        return lambda at: key(at) if COUNTED <= at < MOVING else None

    yield 0.01, places(lambda kind, _: kind)
    yield 0.01, counted(lambda at: max(first for first in _FIRST.values() if first <= at))
    yield 0.01, lambda at: at if at == MOVING else None
    yield 120.0, places(lambda kind, square: (kind, square // 9))
    yield 120.0, places(lambda kind, square: (kind, square % 9))
    yield 480.0, places(lambda kind, square: (kind, square))
    yield 80.0, near(lambda kind, across, down: (kind, max(across, abs(down))))
    yield (
        200.0,
        near(lambda kind, across, down: (kind, max(across, abs(down)), (down > 0) - (down < 0))),
    )
    yield 200.0, near(lambda _, across, down: (across, down))
    yield 640.0, near(lambda kind, across, down: (kind, across, down))
    yield 200.0, held(lambda at: at)
    yield 160.0, counted(lambda at: at)


def _way(at: int) -> tuple[int, int]:
    """How far beside a king and behind it the figure *at* is."""
    return at % WIDE, at // WIDE - FARTHEST


@cache
def _groups() -> tuple[tuple[tuple[int, ...], ...], tuple[float, ...]]:
    of: list[list[int]] = [[] for _ in range(COUNT)]
    firm: list[float] = []
    for firmly, key in _alike():
        numbers: dict[Hashable, int] = {}
        for at in range(COUNT):
            name = key(at)
            if name is None:
                continue
            if name not in numbers:
                numbers[name] = len(firm)
                firm.append(firmly)
            of[at].append(numbers[name])
    return tuple(map(tuple, of)), tuple(firm)


def grouped() -> tuple[tuple[int, ...], ...]:
    """By figure the groups that it belongs to: it is the sum of what they count for."""
    return _groups()[0]


def firmness() -> tuple[float, ...]:
    """By group how firmly it is drawn to nothing."""
    return _groups()[1]


def text(learnt: Sequence[float], often: Sequence[int], head: str) -> str:
    """The module ``weights`` with the figures *learnt*, of which each counted so *often*.

    What a kind is worth wherever it stands is told by itself, so that the rest is around nothing.
    *head* is what stands above.
    """
    worth, standing, held, each = {}, {}, {}, {}
    for at, kind in enumerate(KINDS):
        first = at * EACH
        ends = [first, first + SQUARES, first + SQUARES + NEAR, first + EACH]
        parts = [_centred(learnt[a:b], often[a:b]) for a, b in pairwise(ends)]
        worth[kind] = sum(mean for mean, _ in parts) if kind != KING else 0.0
        standing[kind] = [one for _, one in parts][: 1 if kind == KING else 3]
    for at, kind in enumerate(IN_HAND):
        first = HELD + at * KINGS
        ends = [first, first + 9, first + 18, first + 27, first + KINGS]
        parts = [_centred(learnt[a:b], often[a:b]) for a, b in pairwise(ends)]
        held[kind] = [parts[0][1] + parts[1][1], parts[2][1] + parts[3][1]]
        more, first = sum(mean for mean, _ in parts), _FIRST[kind]
        marginal = learnt[first : first + DIFFERENT[kind]]
        each[kind] = [one + more * (at < FEW) for at, one in enumerate(marginal)]
    return "\n".join(
        [
            head,
            "ON_BOARD: dict[Kind, int] = {",
            *(f"    {NAMES[kind]}: {round(one)}," for kind, one in worth.items()),
            '}\n"""What a piece on the board is worth, wherever it stands."""\n',
            "EACH_IN_HAND: dict[Kind, tuple[int, ...]] = {",
            *(
                f"    {NAMES[kind]}: ({', '.join(str(round(x)) for x in one)}),"
                for kind, one in each.items()
            ),
            _about(ABOUT_EACH),
            "HELD: dict[Kind, str] = {",
            *(_block(kind, one, 9, 9) for kind, one in held.items()),
            _about(ABOUT_HELD),
            "STANDING: dict[Kind, str] = {",
            *(_block(kind, one, 9, WIDE) for kind, one in standing.items()),
            _about(ABOUT_STANDING),
        ]
    )


def _about(said: str) -> str:
    """The end of a constant of which *said* is said."""
    lines = said.strip().splitlines()
    return '}\n"""' + said.strip() + ("\n" if len(lines) > 1 else "") + '"""\n'


def _centred(learnt: Sequence[float], often: Sequence[int]) -> tuple[float, list[float]]:
    """The mean of *learnt*, and what each differs by from it; nothing where it never counts."""
    mean = sum(a * b for a, b in zip(learnt, often, strict=True)) / max(1, sum(often))
    return mean, [one - mean if b else 0.0 for one, b in zip(learnt, often, strict=True)]


def _block(kind: Kind, parts: Sequence[Sequence[float]], first: int, others: int) -> str:
    """The text of the *parts*, the first with so many columns, and the *others*."""
    widths = [first] + [others] * (len(parts) - 1)
    rows = [
        " |".join(
            " ".join(f"{round(one):4}" for one in part[row * wide : (row + 1) * wide])
            for part, wide in zip(parts, widths, strict=True)
        )
        for row in range(len(parts[0]) // first)
    ]
    return f'    {NAMES[kind]}: """\n' + "\n".join(rows) + '\n""",'
