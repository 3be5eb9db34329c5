"""Cirya in words: all that the picture shows, moves, notices, answers, and the winner's title."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby, islice

from games.cirya.board import EMPTY, Board, chain
from games.cirya.computer.evaluation import FAR, nearest
from games.cirya.move_types import (
    WAYS,
    Back,
    Call,
    Cede,
    Judged,
    Kind,
    Move,
    Place,
    Ply,
    Said,
    Shift,
)
from games.cirya.notation import written
from games.cirya.rules import OPENING_PLIES, Cirya, completing, separate_londes
from games.core import (
    Asking,
    Deed,
    Feat,
    MoveReason,
    Outcome,
    Phrase,
    Seat,
    Who,
    casefolded,
    phrase,
)

SIDES = ("swan", "eagle")
"""The fleets by seat."""

SIGNS = {Kind.CIRYA: ("○", "●"), Kind.TAMPA: ("□", "■"), Kind.HALLACIRYA: ("☆", "★")}
"""Pieces as signs, by fleet: light signs for the swan, dark ones for the eagle."""

MANY = 12
"""More empty sati than these are told by their number."""

_TOWARDS = dict(zip(WAYS, ("north", "east", "south", "west"), strict=True))
SAYINGS = {Said.NOTHING: "unsay", Said.LONDE: "londe", Said.LONDETURE: "londeture"}
"""What may be said, as the catalogues and the buttons call it."""


def towards(way: str) -> Phrase:
    """The way in words."""
    return phrase(f"cirya.way.{_TOWARDS[way]}")


def nosse(board: Board, sat: int) -> Phrase:
    """The pieces on *sat* from the bottom to the top."""
    return top_pieces(board, sat, board.height(sat))


def top_pieces(board: Board, sat: int, count: int, fallen: int = 0) -> Phrase:
    """The top *count* pieces of *sat* from the bottom to the top, without *fallen* lowest."""
    seats = board.pieces(sat)[-count:][fallen:]
    kind = board.kind(sat)
    lying = seats if kind is Kind.CIRYA else seats[:-1]
    runs = [(seat, len(list(same))) for seat, same in groupby(lying)]
    told = [phrase(f"cirya.pieces.{SIDES[seat]}", n=length) for seat, length in runs]
    if kind is not Kind.CIRYA:
        told.append(top_piece(board, sat))
    return phrase("cirya.pieces", pieces=tuple(told))


def top_piece(board: Board, sat: int) -> Phrase:
    """The piece on top of *sat* and its fleet."""
    seat = board.held(1) >> sat & 1
    return phrase(f"cirya.top.{board.kind(sat).name.lower()}.{SIDES[seat]}")


def signs(board: Board, sat: int, count: int) -> str:
    """The top *count* pieces of *sat* as signs, from the bottom to the top."""
    seats = board.pieces(sat)[-count:]
    lying = [SIGNS[Kind.CIRYA][seat] for seat in seats]
    lying[-1] = SIGNS[board.kind(sat)][seats[-1]]
    return "".join(lying)


def placed_piece(position: Cirya, kind: Kind) -> Phrase:
    """A piece to be placed now: in the opening, a cirya of the other player."""
    if position.swapping:
        return phrase(f"cirya.top.cirya.{SIDES[1 - position.board.mover]}")
    return phrase(f"cirya.kind.{kind.name.lower()}")


def spoken(position: Cirya, move: Move) -> Phrase:
    """*move* in a few words."""
    board = position.board
    names = board.shape.names
    match move:
        case Place(sat, kind, said):
            told = phrase("cirya.spoken.place", piece=placed_piece(position, kind), sat=names[sat])
            return _with_word(told, said or position.word)
        case Shift(sat, way, drops, said):
            ray = board.shape.rays[way][sat]
            falls = tuple(
                phrase("cirya.spoken.drop", sat=names[there], n=drop)
                for there, drop in zip(ray, drops, strict=False)
            )
            end = ray[len(drops) - 1]
            done = "crush" if board.tampar >> end & 1 else "shift" if len(drops) > 1 else "step"
            told = phrase(
                f"cirya.spoken.{done}",
                n=sum(drops),
                sat=names[sat],
                to=names[end],
                way=towards(way),
                drops=falls,
            )
            return _with_word(told, said or position.word)
        case Call(seat, said):
            if seat == board.mover:
                return phrase(f"cirya.spoken.coming.{SAYINGS[said]}")
            return phrase(f"cirya.spoken.{SAYINGS[said]}")
        case Judged(verdict):
            return phrase(f"cirya.spoken.{verdict}")
        case Back():
            return phrase("cirya.spoken.back", number=_number(position, position.silence or 0))
        case Cede():
            return phrase("cirya.spoken.cede")


def _with_word(told: Phrase, said: Said) -> Phrase:
    return phrase(f"cirya.spoken.with-{SAYINGS[said]}", move=told) if said else told


def weight(position: Cirya, move: Move) -> int:
    """What is said with the coming ply is told until that ply says it."""
    return int(not (isinstance(move, Call) and move.seat == position.board.mover))


def _number(position: Cirya, played: int) -> int:
    """The move number of the ply that stands at *played* of the plies kept."""
    return (position.ply - len(position.plies) + played - 1) // 2 + 1


def notices(position: Cirya) -> Sequence[Phrase]:
    """The word said with the last ply, what the words mean, a repetition, what the end allows."""
    last = 1 - position.board.mover
    told = _announce(position)
    end = position.end
    if end is None:
        if position.swapping:
            told.append(phrase("cirya.notice.swapped", mover=Who(1 - last), who=Who(last)))
        elif may_near(position.board, 1 - last):
            before = position.boards()[-3:-2] if position.ply >= OPENING_PLIES + 2 else []
            if not any(may_near(board, 1 - last) for board in before):
                told.append(phrase("cirya.keys"))  # they are offered for the first time
        if position.occurrences == 2:
            told.append(phrase("cirya.notice.repetition"))
    elif end.reason == "londe" and position.silence is not None:
        number = _number(position, position.silence)
        told.append(
            phrase("cirya.notice.silence", who=Who(last), other=Who(1 - last), number=number)
        )
    return told


def may_near(board: Board, seat: Seat) -> bool:
    """Whether the coming ply of *seat*, or its last, may leave it one move away (C19, C21).

    A londë takes a top piece for each sat of the width. A ply adds one by a placement, or as many
    as lie above others; what it heaps up the next one may spread.
    """
    above = sum(map(board.height, range(board.shape.count))) - (
        board.shape.count - board.empty.bit_count()
    )
    plies = 2 if seat == board.mover else 1
    return board.held(seat).bit_count() + plies * (1 + above) >= board.shape.size


def _announce(position: Cirya) -> list[Phrase]:
    """What was said with the last ply."""
    mover = position.board.mover
    told: list[Phrase] = []
    if position.last and position.last.said:
        told.append(phrase(f"cirya.notice.{SAYINGS[position.last.said]}", who=Who(1 - mover)))
    told += [
        phrase(f"cirya.notice.{claim.verdict or 'waiting'}")
        for claim in position.claims
        if claim.ply == position.ply
    ]
    return told


TURNS = frozenset({"cirya.turn", "cirya.turn.swapped"})
"""The keys of whose turn it is."""

PENDING = frozenset({"cirya.notice.coming.londe", "cirya.notice.coming.londeture"})
"""The keys of what is said with the coming ply."""


def describe(seen: Cirya) -> Sequence[Phrase]:
    """Whose turn it is, the reserves, and what lies where, by pieces and then by nossi."""
    board = seen.board
    size, names = board.shape.size, board.shape.names
    told = [phrase("cirya.board", size=size, number=seen.ply // 2 + 1), _turn(seen)]
    told += [] if seen.end else _announce(seen)
    if seen.word:
        told.append(phrase(f"cirya.notice.coming.{SAYINGS[seen.word]}", who=Who(board.mover)))
    told += [_reserve(board, seat) for seat in (0, 1)]
    lone: dict[tuple[int, Kind], list[str]] = {(seat, kind): [] for seat in (0, 1) for kind in Kind}
    tall: list[Phrase] = []
    empty: list[str] = []
    for sat, name in enumerate(names):
        if board.nosse[sat] == EMPTY:
            empty.append(name)
        elif board.height(sat) == 1:
            lone[board.held(1) >> sat & 1, board.kind(sat)].append(name)
        else:
            tall.append(phrase("cirya.sat", sat=name, pieces=_stack_phrase(board, sat)))
    for (seat, kind), sati in lone.items():
        if sati:
            key = f"cirya.lone.{kind.name.lower()}.{SIDES[seat]}"
            told.append(phrase(key, n=len(sati), sati=tuple(sati)))
    if tall:
        told.append(phrase("cirya.nossi", n=len(tall), nossi=tuple(tall)))
    return [*told, *_empty(empty, len(names))]


def _stack_phrase(board: Board, sat: int) -> Phrase:
    """The pieces on *sat* from the bottom to the top, by the letters of their fleets: «2C-A-C»."""
    seats = board.pieces(sat)
    upright = board.kind(sat) is not Kind.CIRYA
    lying = seats[:-1] if upright else seats
    runs = [(phrase(f"cirya.letter.{SIDES[seat]}"), len(list(g))) for seat, g in groupby(lying)]
    *below, (letter, length) = runs
    told = phrase("cirya.run", letter=letter, count=length if length > 1 else "")
    for letter, length in reversed(below):
        run = phrase("cirya.run", letter=letter, count=length if length > 1 else "")
        told = phrase("cirya.runs", below=run, above=told)
    return phrase("cirya.topped", pieces=told, top=top_piece(board, sat)) if upright else told


def _empty(sati: list[str], of: int) -> list[Phrase]:
    if len(sati) == of:
        return [phrase("cirya.empty.all")]
    if len(sati) > MANY:
        return [phrase("cirya.empty.rest", n=len(sati))]
    return [phrase("cirya.empty", n=len(sati), sati=tuple(sati))] if sati else []


def _reserve(board: Board, seat: int) -> Phrase:
    return phrase(
        "cirya.reserve",
        who=Who(seat),
        fleet=phrase(f"cirya.side.{SIDES[seat]}"),
        ciryar=phrase("cirya.reserve.ciryar", n=board.ciryar[seat]),
        hallaciryar=phrase("cirya.reserve.hallaciryar", n=board.hallaciryar[seat]),
    )


def _turn(seen: Cirya) -> Phrase:
    end = seen.end
    last = 1 - seen.board.mover
    if end is None and seen.swapping:
        return phrase("cirya.turn.swapped", who=Who(1 - last))
    if end is None:
        return phrase("cirya.turn", who=Who(1 - last))
    if end.reason not in ("londe", "ceded"):
        return phrase("cirya.over", last=Who(last))
    owner = last if seen.board.londe(last) else 1 - last
    way = chain(seen.board.shape, seen.board.route(owner))
    sati = tuple(seen.board.shape.names[sat] for sat in way)
    return phrase("cirya.over.londe", who=Who(owner), sati=sati, last=Who(last))


MOST_PLIES_TOLD = 4
"""How many plies that complete a londë are told."""


def at(seen: Cirya, name: str) -> Sequence[Phrase]:
    """The pieces on a sat, from the bottom to the top, and whose it is."""
    board, wanted = seen.board, casefolded(name)
    if wanted not in board.shape.names:
        return ()
    sat = board.shape.names.index(wanted)
    if not board.height(sat):
        return (phrase("cirya.asked.empty", sat=wanted),)
    owner = Who(1 if board.held(1) >> sat & 1 else 0)
    return (phrase("cirya.asked.sat", sat=wanted, pieces=nosse(board, sat), who=owner),)


def threats(seen: Cirya, seat: Seat) -> Sequence[Phrase]:
    """The plies with which the other would complete a londë, if it were to play."""
    if seen.end is not None or seen.swapping:
        return ()
    found = tuple(
        written(seen, ply) for ply in islice(completing(seen.board, 1 - seat), MOST_PLIES_TOLD)
    )
    return (phrase("cirya.asked.londe", who=Who(1 - seat), plies=found),) if found else ()


ASKING = Asking(at, threats)


SHORT = 20
"""Up to how many plies a londë comes with a fair wind."""

HIGH = 8
"""From which height on a nossë is a tower."""


def chronicle(deeds: Sequence[Deed], last: Cirya, outcome: Outcome) -> Feat:
    """The title goes by how the londë came about, or by the highest nossë."""
    boards = [one.before for one in deeds if isinstance(one.before, Cirya)] + [last]
    highest = max(one.board.height(sat) for one in boards for sat in range(one.board.shape.size**2))
    londe = outcome.reason == "londe"
    feats = {
        "crusher": any(one.seat == outcome.winner and _crushes(one) for one in deeds),
        "fair-wind": londe and len(deeds) <= SHORT,
        "tower": highest >= HIGH,
        "coast": londe,
    }
    title = next((feat for feat, holds in feats.items() if holds), "other")
    return Feat(phrase(f"cirya.feat.{title}"), highest, phrase("cirya.feat.highest", n=highest))


def _crushes(deed: Deed) -> bool:
    """Whether a tampa was crushed (C12): the nossë came to a stop where one stood."""
    if not isinstance(deed.move, Shift) or not isinstance(deed.before, Cirya):
        return False
    board, move = deed.before.board, deed.move
    return bool(board.tampar >> board.shape.rays[move.way][move.sat][len(move.drops) - 1] & 1)


TWO = 2
"""From so many places on a londë cannot be parried by one ply, as a rule."""


CORNER = 3
"""A corner sat and those beside it."""


def reason(seen: Cirya, seat: Seat, move: Move) -> MoveReason | None:
    """The most telling thing that *move* of *seat*, whose turn it is, does."""
    if not isinstance(move, Place | Shift) or seen.end is not None:
        return None
    if seen.swapping:
        corner = seen.board.shape.beside(1 << move.sat).bit_count() == CORNER
        words = phrase("cirya.reason.corners")
        return MoveReason(words, _cells(seen.board, move)) if corner else None
    before, then = seen.board, seen.board.after(move)
    if then.londe(seat):
        return MoveReason(phrase("cirya.reason.completes"), _cells(then, move))
    danger = _completing(before, 1 - seat)
    if danger and not _completing(then, 1 - seat):
        words = phrase("cirya.reason.parries", ply=written(seen, danger[0]))
        return MoveReason(words, _cells(before, danger[0]))
    ways = _completing(then, seat)
    if ways and not danger:
        plies = tuple(written(seen, ply) for ply in ways)
        words = phrase("cirya.reason.threatens", plies=plies, n=len(plies))
        return MoveReason(words, tuple(dict.fromkeys(c for ply in ways for c in _cells(then, ply))))
    return _capture_reason(before, then, seat) or _distance_reason(before, then, seat, move)


def _completing(board: Board, seat: Seat) -> tuple[Ply, ...]:
    """At most two plies with which *seat* would complete its londë, each in another place."""
    return tuple(islice(separate_londes(board, seat), TWO))


def _capture_reason(before: Board, then: Board, seat: Seat) -> MoveReason | None:
    """The nossi of the other side that are of *seat* now."""
    won = before.held(1 - seat) & then.held(seat)
    sati = tuple(name for sat, name in enumerate(before.shape.names) if won >> sat & 1)
    return MoveReason(phrase("cirya.reason.takes", sati=sati, n=len(sati)), sati) if sati else None


def _distance_reason(before: Board, then: Board, seat: Seat, ply: Ply) -> MoveReason | None:
    """The nearest londë of the other side that lacks more sati than before, or the own one fewer.

    Sati to be filled are counted, as if nobody else moved.
    """
    (mine, theirs), (near, far) = (
        [nearest(one.shape, one.route(of), one.empty).missing for of in (seat, 1 - seat)]
        for one in (before, then)
    )
    if theirs < far < FAR:
        words = phrase("cirya.reason.hinders", n=far, less=theirs)
    elif near < mine:
        words = phrase("cirya.reason.nears", n=near)
    else:
        joined = then.shape.flood(1 << ply.sat & then.route(seat), then.route(seat)).bit_count()
        words = phrase("cirya.reason.joins", n=joined)
        if joined < TWO or isinstance(ply, Shift):
            return None
    return MoveReason(words, _cells(then, ply))


def _cells(board: Board, ply: Ply) -> tuple[str, ...]:
    return (board.shape.names[ply.sat],)
