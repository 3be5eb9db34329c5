"""Buttons: the piece, the square, and whether it promotes where that is a choice (H19)."""

from __future__ import annotations

from games.core import Menus, Phrase, PlannedMove, Seat, Steps, Who, phrase, verbatim
from games.shogi.board import HANDS, BoardMove, BoardPlay
from games.shogi.off_board_acts import ACCEPT, DECLARE, OFFER, Foul, Play, Say, Touch, origin
from games.shogi.piece_and_move_names import kanji, may_choose
from games.shogi.pieces import PROMOTED, kind_of, owner_of, piece_of
from games.shogi.points import by_points, points
from games.shogi.rules import Shogi
from games.shogi.sfen import LETTERS, SQUARE_NAMES, SQUARE_OF, kind_name
from games.shogi.speech import signed, standing, the_standing, threat

PROMOTE, DECLINE = "+", "="
"""The steps that answer whether a piece promotes."""


def steps(position: Shogi, play: Play) -> Steps:
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


def _follow(position: Shogi, path: Steps) -> BoardPlay:
    return next(
        play
        for play in position.legal_moves(position.turn)
        if steps(position, play)[: len(path)] == path
    )


def label(position: Shogi, _seat: Seat, path: Steps, step: str) -> Phrase:
    """The piece; the square with what happens there; what it turns into."""
    if step in SAYINGS:
        # What the button of an aside says, with the points it would be settled by.
        if step != ACCEPT:
            return phrase(f"shogi.label.{step}")
        sente, gote = points(position.board)
        winner = by_points(position.board, position.terms, "jishogi").winner
        if winner is None:
            return phrase("shogi.label.accept-even", sente=sente, gote=gote)
        return phrase("shogi.label.accept-won", sente=sente, gote=gote, winner=Who(winner))
    match path:
        case ():
            return _start_label(position, step)
        case (_,):
            return _target_label(position, (*path, step))
    piece = position.board[SQUARE_OF[path[0]]]
    if step == PROMOTE:
        return phrase("shogi.label.promote", piece=signed(piece + PROMOTED))
    return phrase("shogi.label.decline", piece=signed(piece))


def _start_label(position: Shogi, step: str) -> Phrase:
    piece = standing(position, step)
    if step.endswith("*"):
        count = position.board[HANDS[position.turn] + LETTERS.index(step[0])]
        return phrase("shogi.label.hand", piece=piece, n=count)
    return phrase("shogi.label.board", piece=piece, square=step)


def brief(position: Shogi, seat: Seat, path: Steps, step: str) -> Phrase:
    """The label, of a piece to be moved its name and its square without its sign."""
    if path or step in SAYINGS or step.endswith("*"):
        return label(position, seat, path, step)
    piece = kind_name(kind_of(position.board[SQUARE_OF[step]]))
    return phrase("shogi.label.board", piece=piece, square=step)


def _target_label(position: Shogi, path: Steps) -> Phrase:
    """Where from and to, and what happens: a capture, a forced promotion, check or mate."""
    play = _follow(position, path)
    taken = position.board[play.target]
    consequences: list[Phrase] = []
    if taken:
        consequences.append(phrase("shogi.label.takes", piece=signed(taken)))
    asked = may_choose(position, play)
    if isinstance(play, BoardMove) and play.promotes and not asked:
        consequences.append(phrase("shogi.label.promotes"))
    if not asked and (danger := threat(position, play)):
        consequences.append(danger)
    way = f"{_from(position, path[0])}→{path[1]}"
    if not consequences:
        return verbatim(way)
    return phrase("shogi.label.target", way=way, what=tuple(consequences))


def _from(position: Shogi, start: str) -> str:
    return kanji(piece_of(LETTERS.index(start[0]), position.turn)) if start.endswith("*") else start


def question(position: Shogi, _seat: Seat, path: Steps) -> Phrase:
    """Which piece, where to, whether to promote."""
    match path:
        case ():
            return phrase("shogi.ask.piece")
        case (start,) if start.endswith("*"):
            return phrase("shogi.ask.drop", piece=the_standing(position, start))
        case (start,):
            return phrase("shogi.ask.target", piece=the_standing(position, start), square=start)
    return phrase("shogi.ask.promote")


def pointed(_position: Shogi, seat: Seat, path: Steps, cell: str) -> str:
    """The way from *path* to *cell*, or a step ahead of what stands on *cell*."""
    if cell not in SQUARE_OF:
        return ""
    if path:
        return f"{path[0]}{cell}"
    ahead = SQUARE_OF[cell] + (-9 if seat == 0 else 9)
    if not 0 <= ahead < len(SQUARE_NAMES):
        ahead = SQUARE_OF[cell] + (9 if seat == 0 else -9)
    return f"{cell}{SQUARE_NAMES[ahead]}"


SAYINGS = (OFFER, ACCEPT, "jishogi-no", DECLARE)


def motion(_position: Shogi, play: Play) -> tuple[str, str] | None:
    """From its square or from the hand to where it goes."""
    if isinstance(play, Say | Foul | Touch):
        return None
    return origin(play), SQUARE_NAMES[play.target]


def planned(position: Shogi, seat: Seat, path: Steps, cell: str) -> PlannedMove | None:
    """A piece of one's own, then wherever it goes: onto one's own piece too, to take back."""
    if cell not in SQUARE_OF:
        return None
    if path:
        return PlannedMove(path[0], f"{path[0]}{cell}")
    piece = position.board[SQUARE_OF[cell]]
    return PlannedMove(cell) if piece and owner_of(piece) == seat else None


MENUS: Menus[Shogi, Play] = Menus(
    steps,
    label=label,
    question=question,
    brief=brief,
    motion=motion,
    planned=planned,
    pointed=pointed,
)
