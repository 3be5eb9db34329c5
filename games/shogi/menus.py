"""What the buttons of the game say, and moves in words (H19)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.core import Phrase, Who, phrase, verbatim
from games.shogi.board import HANDS, TURN, BoardMove, BoardPlay, after, in_check, moves
from games.shogi.notation import kanji, may_choose
from games.shogi.pieces import PROMOTED, base_of, kind_of, piece_of
from games.shogi.plays import ACCEPT, DECLARE, OFFER, Foul, Play, Say, Touch, origin
from games.shogi.points import by_points, points
from games.shogi.sfen import LETTERS, SQUARE_NAMES, SQUARE_OF, kind_name

if TYPE_CHECKING:
    from games.shogi.rules import Shogi

PROMOTE, DECLINE = "+", "="
"""The steps that answer whether a piece promotes."""


def steps(position: Shogi, play: Play) -> tuple[str, ...]:
    """The clicks that spell *play*; H19: promotion is asked for only where it is a choice."""
    match play:
        case Say():
            return (play.what,)
        case Foul() | Touch():
            return (play.text,)
    path = (origin(play), SQUARE_NAMES[play.target])
    if not may_choose(position, play):
        return path
    return (*path, PROMOTE if isinstance(play, BoardMove) and play.promotes else DECLINE)


def _followed(position: Shogi, path: tuple[str, ...]) -> BoardPlay:
    """The first legal play whose steps begin with *path*."""
    return next(
        play
        for play in position.legal_moves(position.turn)
        if steps(position, play)[: len(path)] == path
    )


def standing(position: Shogi, start: str) -> Phrase:
    """The piece on *start*, or the hand piece ``P*``, with its character: "歩 peón"."""
    if start.endswith("*"):
        piece = piece_of(LETTERS.index(start[0]), position.turn)
    else:
        piece = position.board[SQUARE_OF[start]]
    return phrase("shogi.label.piece", sign=kanji(piece), piece=kind_name(kind_of(piece)))


def label(position: Shogi, path: tuple[str, ...], step: str) -> Phrase:
    """What the button says that continues *path* with *step*."""
    if step in SAYINGS:
        return _saying(position, step)
    match path:
        case ():
            return _start_label(position, step)
        case (_,):
            return _target_label(position, (*path, step))
    piece = position.board[SQUARE_OF[path[0]]]
    if step == PROMOTE:
        return phrase("shogi.label.promote", piece=_turned_over(piece))
    return phrase("shogi.label.decline", piece=_signed(piece))


def _signed(piece: int) -> Phrase:
    return phrase("shogi.label.piece", sign=kanji(piece), piece=kind_name(kind_of(piece)))


def _turned_over(piece: int) -> Phrase:
    return _signed(piece + PROMOTED)


def _start_label(position: Shogi, step: str) -> Phrase:
    piece = standing(position, step)
    if step.endswith("*"):
        count = position.board[HANDS[position.turn] + LETTERS.index(step[0])]
        return phrase("shogi.label.hand", piece=piece, n=count)
    return phrase("shogi.label.board", piece=piece, square=step)


def _target_label(position: Shogi, path: tuple[str, ...]) -> Phrase:
    """The square with what happens there: a capture, a forced promotion, check or mate."""
    play = _followed(position, path)
    taken = position.board[play.target]
    consequences: list[Phrase] = []
    if taken:
        consequences.append(_takes(taken))
    asked = may_choose(position, play)
    if isinstance(play, BoardMove) and play.promotes and not asked:
        consequences.append(phrase("shogi.label.promotes"))
    if not asked and (threat := _threat(position, play)):
        consequences.append(threat)
    if not consequences:
        return verbatim(path[1])
    return phrase("shogi.label.target", square=path[1], what=tuple(consequences))


def _takes(taken: int) -> Phrase:
    """The capture, with the sign that stands there and the name that it has in hand (H3)."""
    name = kind_name(base_of(kind_of(taken)))
    piece = phrase("shogi.label.piece", sign=kanji(taken), piece=name)
    return phrase("shogi.label.takes", piece=piece)


def _threat(position: Shogi, play: BoardPlay) -> Phrase | None:
    """Check or mate, where *play* gives it."""
    board = after(position.board, play)
    if not in_check(board, board[TURN]):
        return None
    mates = not position.terms.king_capture and not moves(board)
    return phrase("shogi.label.mate") if mates else phrase("shogi.label.check")


def question(position: Shogi, path: tuple[str, ...]) -> Phrase:
    """What is asked after *path*."""
    match path:
        case ():
            return phrase("shogi.ask.piece")
        case (start,) if start.endswith("*"):
            return phrase("shogi.ask.drop", piece=standing(position, start))
        case (start,):
            return phrase("shogi.ask.target", piece=standing(position, start), square=start)
    return phrase("shogi.ask.promote")


def spoken(position: Shogi, play: Play) -> Phrase:
    """*play* in words, with what it takes, what becomes of it, and the check it gives."""
    match play:
        case Say():
            return phrase(f"shogi.said.{play.what}")
        case Foul():
            return phrase("shogi.said.foul", why=position.refusal(play.seat, play.text).phrase)
        case Touch():
            piece = standing(position, play.origin)
            return phrase("shogi.said.touch", move=play.text, piece=piece)
    said = _played(position, play)
    if isinstance(play, BoardMove) and may_choose(position, play) and not play.promotes:
        said = phrase("shogi.said.declined", move=said)
    if isinstance(play, BoardMove) and play.promotes:
        piece = kind_name(kind_of(position.board[play.start]) + PROMOTED)
        said = phrase("shogi.said.promoted", move=said, piece=piece)
    threat = _threat(position, play)
    return phrase("shogi.said.threat", move=said, threat=threat) if threat else said


def _played(position: Shogi, play: BoardPlay) -> Phrase:
    target = SQUARE_NAMES[play.target]
    if not isinstance(play, BoardMove):
        return phrase("shogi.said.drop", piece=kind_name(play.kind), target=target)
    piece = kind_name(kind_of(position.board[play.start]))
    start = SQUARE_NAMES[play.start]
    taken = position.board[play.target]
    if not taken:
        return phrase("shogi.said.move", piece=piece, start=start, target=target)
    name = kind_name(kind_of(taken))
    return phrase("shogi.said.take", piece=piece, start=start, target=target, taken=name)


SAYINGS = (OFFER, ACCEPT, "jishogi-no", DECLARE)


def _saying(position: Shogi, step: str) -> Phrase:
    """What the button of an aside says, with the points it would be settled by."""
    if step != ACCEPT:
        return phrase(f"shogi.label.{step}")
    sente, gote = points(position.board)
    winner = by_points(position.board, position.terms, "jishogi").winner
    if winner is None:
        return phrase("shogi.label.accept-even", sente=sente, gote=gote)
    return phrase("shogi.label.accept-won", sente=sente, gote=gote, winner=Who(winner))
