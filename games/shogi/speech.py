"""Shogi in words: all that the picture shows, moves, answers, and the winner's title."""

from __future__ import annotations

from collections.abc import Sequence

from games.core import (
    Asking,
    Deed,
    Feat,
    Outcome,
    Phrase,
    Seat,
    Speech,
    Who,
    casefolded,
    phrase,
    verbatim,
)
from games.shogi.board import (
    HANDS,
    SQUARES,
    TURN,
    Board,
    BoardMove,
    BoardPlay,
    Drop,
    after,
    in_check,
    is_attacked,
    moves,
    reckless_moves,
)
from games.shogi.off_board_acts import Foul, Play, Say, Touch
from games.shogi.past import WARNING
from games.shogi.piece_and_move_names import kanji, may_choose
from games.shogi.pieces import (
    GOTE,
    IN_HAND,
    KINDS,
    KING,
    PAWN,
    PROMOTED,
    SENTE,
    Piece,
    kind_of,
    owner_of,
    piece_of,
)
from games.shogi.points import both_entered, points
from games.shogi.refusals import why
from games.shogi.rules import REFUSED, SIDES, Shogi
from games.shogi.sfen import LETTERS, SQUARE_NAMES, SQUARE_OF, kind_name, letters, the_kind

ORDER = sorted(KINDS, key=lambda kind: (kind != KING, -(kind & 7), kind))
"""The king first, then from the rook to the pawn, each before its promoted side."""


TURNS = frozenset({"shogi.words.turn"})
"""The keys of whose turn it is."""


def describe(seen: Shogi) -> Sequence[Phrase]:
    """Whose move it is, both armies with their hands, and what is pending or decided."""
    said = [_headline(seen)]
    for seat in (SENTE, GOTE):
        said += [_army(seen, seat), _hand(seen, seat)]
    if seen.outcome() is None and in_check(seen.board, seen.turn):
        said.append(phrase("shogi.notice.check", who=Who(seen.turn)))
    if seen.offer == REFUSED:
        said.append(phrase("shogi.words.refused"))
    elif seen.offer:
        said.append(phrase("shogi.notice.offer", who=Who("bw".index(seen.offer))))
    if seen.touched:
        said.append(phrase("shogi.notice.touched", piece=the_standing(seen, seen.touched)))
    return said


def _headline(seen: Shogi) -> Phrase:
    end = seen.outcome()
    side = phrase(f"shogi.side.{SIDES[seen.turn]}")
    if end is None:
        return phrase("shogi.words.turn", n=seen.ply, side=side)
    sente, gote = points(seen.board)
    how = end.ending(f"shogi.end.{end.reason}")
    return phrase("shogi.words.over", n=seen.ply - 1, how=how, side=side, sente=sente, gote=gote)


def _army(seen: Shogi, seat: int) -> Phrase:
    kinds: list[Phrase] = []
    for kind in ORDER:
        wanted = piece_of(kind, seat)
        squares = [SQUARE_NAMES[s] for s, p in enumerate(seen.board[:SQUARES]) if p == wanted]
        if squares:
            key = f"shogi.at.{letters(kind)}"
            kinds.append(phrase(key, n=len(squares), squares=tuple(squares)))
    side = phrase(f"shogi.side.{SIDES[seat]}")
    *first, pieces = kinds or [verbatim("—")]
    for one in reversed(first):
        pieces = phrase("shogi.words.more", one=one, more=pieces)
    return phrase("shogi.words.army", side=side, who=Who(seat), pieces=pieces)


def _hand(seen: Shogi, seat: int) -> Phrase:
    side = phrase(f"shogi.side.{SIDES[seat]}")
    held = [(kind, seen.board[HANDS[seat] + kind]) for kind in IN_HAND]
    pieces = tuple(phrase(f"shogi.held.{letters(kind)}", n=count) for kind, count in held if count)
    if not pieces:
        return phrase("shogi.words.empty-hand", side=side)
    return phrase("shogi.words.hand", side=side, pieces=pieces)


def notices(position: Shogi) -> Sequence[Phrase]:
    """Check, repetitions, what may be said of jishōgi, and the piece that must move."""
    if position.outcome():
        return ()
    said = []
    if in_check(position.board, position.turn):
        said.append(phrase("shogi.notice.check", who=Who(position.turn)))
    times = position.past.times()
    if times > 1:
        said.append(phrase("shogi.notice.repeated", n=times))
    if times == WARNING and (checker := position.past.perpetual_checker()) is not None:
        said.append(phrase("shogi.notice.perpetual", who=Who(checker)))  # H12
    if position.terms.impasse != "declare27" and both_entered(position.board):
        sente, gote = points(position.board)
        said.append(phrase("shogi.notice.entered", sente=sente, gote=gote))
    if position.offer in ("b", "w"):
        said.append(phrase("shogi.notice.offer", who=Who("bw".index(position.offer))))
    if position.touched:
        said.append(phrase("shogi.notice.touched", piece=the_standing(position, position.touched)))
    return said


def standing(position: Shogi, start: str) -> Phrase:
    """The piece on *start*, or the hand piece ``P*``, with its character: "歩 peón"."""
    return signed(piece_at(position, start))


def the_standing(position: Shogi, start: str) -> Phrase:
    """The same within a sentence, with its article: "el peón (歩)"."""
    piece = piece_at(position, start)
    return phrase("shogi.chosen", piece=the_kind(kind_of(piece)), sign=kanji(piece))


def piece_at(position: Shogi, start: str) -> Piece:
    """The piece on *start*, or the hand piece ``P*``."""
    if start.endswith("*"):
        return piece_of(LETTERS.index(start[0]), position.turn)
    return position.board[SQUARE_OF[start]]


def signed(piece: Piece) -> Phrase:
    """*piece* with its character: "歩 peón"."""
    return phrase("shogi.label.piece", sign=kanji(piece), piece=kind_name(kind_of(piece)))


def threat(position: Shogi, play: BoardPlay) -> Phrase | None:
    """Check or mate, where *play* gives it."""
    board = after(position.board, play)
    if not in_check(board, board[TURN]):
        return None
    mates = not position.terms.king_capture and not moves(board)
    return phrase("shogi.label.mate") if mates else phrase("shogi.label.check")


def spoken(position: Shogi, play: Play) -> Phrase:
    """*play* in words, with what it takes, what becomes of it, and the check it gives."""
    match play:
        case Say():
            return phrase(f"shogi.said.{play.what}")
        case Foul():
            return phrase("shogi.said.foul", why=why(position, play.seat, play.text).phrase)
        case Touch():
            piece = the_standing(position, play.origin)
            return phrase("shogi.said.touch", move=play.text, piece=piece)
    said = play_phrase(position.board, play, taking=True)
    if isinstance(play, BoardMove) and may_choose(position, play) and not play.promotes:
        said = phrase("shogi.said.declined", move=said)
    if isinstance(play, BoardMove) and play.promotes:
        piece = kind_name(kind_of(position.board[play.start]) + PROMOTED)
        said = phrase("shogi.said.promoted", move=said, piece=piece)
    danger = threat(position, play)
    return phrase("shogi.said.threat", move=said, threat=danger) if danger else said


def weight(position: Shogi, play: Play) -> int:
    """A capture is vital."""
    return 2 if isinstance(play, BoardMove) and position.board[play.target] else 1


def play_phrase(board: Board, play: BoardPlay, *, taking: bool = False) -> Phrase:
    """*play* on *board* in words, and if *taking* what it takes."""
    target = SQUARE_NAMES[play.target]
    if not isinstance(play, BoardMove):
        held = phrase(f"shogi.held.{letters(play.kind)}", n=1)
        return phrase("shogi.said.drop", piece=held, target=target)
    piece, start = the_kind(kind_of(board[play.start])), SQUARE_NAMES[play.start]
    taken = board[play.target]
    if not (taken and taking):
        return phrase("shogi.said.move", piece=piece, start=start, target=target)
    name = the_kind(kind_of(taken))
    return phrase("shogi.said.take", piece=piece, start=start, target=target, taken=name)


SPEECH: Speech[Shogi, Play] = Speech(
    describe, spoken, weight, notices=notices, refusal=why, turns=TURNS
)


def at(seen: Shogi, name: str) -> Sequence[Phrase]:
    """The piece on a square."""
    square = SQUARE_OF.get(casefolded(name))
    if square is None:
        return ()
    piece = seen.board[square]
    if not piece:
        return (phrase("shogi.asked.empty", square=SQUARE_NAMES[square]),)
    who = Who(owner_of(piece))
    return (
        phrase("shogi.asked.square", square=SQUARE_NAMES[square], piece=signed(piece), who=who),
    )


def threats(seen: Shogi, seat: Seat) -> Sequence[Phrase]:
    """Check, and the pieces of *seat* that stand where the other may take, with what takes them."""
    said = []
    if in_check(seen.board, seat):
        said.append(phrase("shogi.notice.check", who=Who(seat)))
    board = bytearray(seen.board)
    board[TURN] = 1 - seat
    other = bytes(board)
    taking: dict[int, dict[str, None]] = {}
    for play in reckless_moves(other):
        if isinstance(play, BoardMove) and other[play.target]:
            taking.setdefault(play.target, {})[SQUARE_NAMES[play.start]] = None
    for square in range(SQUARES):
        piece = seen.board[square]
        if square not in taking or kind_of(piece) == KING:
            continue
        key = "guarded" if is_attacked(seen.board, square, seat) else "loose"
        kind, at, by = the_kind(kind_of(piece)), SQUARE_NAMES[square], tuple(taking[square])
        said.append(phrase(f"shogi.asked.{key}", piece=kind, square=at, by=by))
    return said


ASKING = Asking(at, threats)


SHORT = 50
"""Up to how many moves a mate comes like lightning."""

RAIN = 12
"""From how many drops of the winner on it rains pieces."""


def chronicle(deeds: Sequence[Deed], _last: Shogi, outcome: Outcome) -> Feat:
    """The title goes by the mate, or by what the winner dropped."""
    own = [one for one in deeds if one.seat == outcome.winner]
    drops = sum(isinstance(one.move, Drop) for one in own)
    mated = outcome.reason == "mate" and bool(own)
    feats = {
        "pawn": mated and _by_pawn(own[-1]),
        "lightning": mated and len(deeds) < SHORT,
        "drop": mated and isinstance(own[-1].move, Drop),
        "rain": drops >= RAIN,
        "mate": mated,
    }
    title = next((feat for feat, holds in feats.items() if holds), "other")
    return Feat(phrase(f"shogi.feat.{title}"), drops, phrase("shogi.feat.drops", n=drops))


def _by_pawn(deed: Deed) -> bool:
    match deed.move, deed.before:
        case Drop(kind=kind), _:
            return kind == PAWN
        case BoardMove(start=start), Shogi(board=board):
            return kind_of(board[start]) == PAWN
    return False
