"""Moves as they come: spelled by clicks, typed, written in a log, or drawn by chance."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from games.core.chance import public_draws
from games.core.errors import Ambiguous, IllegalMove, NotYourTurn, Refusal, RuleError
from games.core.game import Game, Setting
from games.core.parts import Notation, Steps
from games.core.phrases import phrase
from games.core.position import CHANCE, AnyPosition, Move, Position, Seat
from games.core.record import Entry

LONGEST_MOVE = 64
"""The most characters of a typed move that are looked at (quality: hostile notation)."""


@dataclass(frozen=True)
class Menu:
    """A question for the player: one of *options* continues *path*."""

    path: Steps
    options: Steps


def pick(game: Game, position: Position[Move], seat: Seat, path: Sequence[str] = ()) -> Menu | Move:
    """The next question after the clicks in *path*, or the whole move that they spell.

    A single option is asked for too. Raises ``NotYourTurn``, and ``IllegalMove`` for a path that
    leads nowhere.

    >>> from games.cirya import GAME
    >>> pick(GAME, GAME.start(), 0, ["a1"]).path
    ('a1',)
    """
    if seat not in position.actors():
        raise NotYourTurn(seat)
    return follow(spelled(game, position, position.legal_moves(seat)), path)


def spelled(game: Game, position: Position[Move], moves: Iterable[Move]) -> Mapping[Steps, Move]:
    """*moves* by the steps that spell them."""
    return {game.menus.steps(position, move): move for move in moves}


def follow(moves: Mapping[Steps, Move], path: Sequence[str]) -> Menu | Move:
    """The same as ``pick`` among *moves* by their steps, such as asides."""
    taken = tuple(path)
    if taken in moves:
        return moves[taken]
    depth = len(taken)
    options = tuple(dict.fromkeys(steps[depth] for steps in moves if steps[:depth] == taken))
    if not options:
        raise IllegalMove(Refusal("", phrase("core.illegal", text=" ".join(taken))))
    return Menu(taken, options)


def casefolded(text: str) -> str:
    """*text* as spellings are compared: Unicode's NFKC_Casefold without blanks."""
    if text.isascii():
        return "".join(text.lower().split())
    wide = unicodedata.normalize("NFKC", unicodedata.normalize("NFD", text).casefold())
    narrow = "".join(unicodedata.normalize("NFKC", wide.casefold()).split())
    # A mark may have moved from a blank to a letter.
    return narrow if narrow == text else casefolded(narrow)


def fitting(
    notation: Notation[AnyPosition, Move], position: AnyPosition, moves: Iterable[Move], text: str
) -> Move | None:
    """The one of *moves* that *text* writes; raises ``Ambiguous``."""
    wanted = casefolded(notation.tidied(position, text))
    fits = []
    for move in moves:
        if casefolded(notation.written(position, move)) == wanted:
            return move
        if any(casefolded(way) == wanted for way in notation.spellings(position, move)):
            fits.append(move)
    if len(fits) > 1:
        raise Ambiguous(text, tuple(notation.written(position, move) for move in fits))
    return fits[0] if fits else None


def read_move(game: Game, position: Position[Move], seat: Seat, text: str) -> Move:
    """The legal move in *text*; raises ``NotYourTurn``, ``Ambiguous`` or ``IllegalMove``.

    >>> from games.cirya import GAME
    >>> GAME.notation.written(GAME.start(), read_move(GAME, GAME.start(), 0, "A1"))
    'a1'
    """
    if seat not in position.actors():
        raise NotYourTurn(seat)
    if len(text) > LONGEST_MOVE:
        raise IllegalMove(Refusal("", phrase("core.too-long", n=LONGEST_MOVE)))
    move: Move | None = fitting(game.notation, position, position.legal_moves(seat), text)
    if move is not None:
        return move
    # A move with its own remark, such as an announcement, is a longer line too.
    longer: tuple[Move, ...] = game.notation.expanded(position, seat, text)
    if len(longer) != 1:
        raise IllegalMove(game.speech.refusal(position, seat, text))
    return longer[0]


def read_moves(game: Game, position: Position[Move], seat: Seat, text: str) -> tuple[Move, ...]:
    """The moves that *text* writes: one, or those of a longer line; raises as ``read_move``."""
    if seat not in position.actors():
        raise NotYourTurn(seat)
    several: tuple[Move, ...] = ()
    if len(text) <= 4 * LONGEST_MOVE:
        several = game.notation.expanded(position, seat, text)
    return several or (read_move(game, position, seat, text),)


def read_aside(game: Game, position: Position[Move], seat: Seat, text: str) -> Move:
    """The aside of *seat* that *text* writes; raises ``IllegalMove`` where there is none."""
    said = position.asides(seat) if len(text) <= LONGEST_MOVE else ()
    move: Move | None = fitting(game.notation, position, said, text)
    if move is None:
        raise IllegalMove(Refusal("", phrase("core.no-such-aside", text=text[:LONGEST_MOVE])))
    return move


def read_entry(game: Game, position: Position[Any], entry: Entry) -> Any:
    """The move of *entry*, by its notation or any spelling; raises a ``RuleError`` if illegal."""
    if entry.aside:
        for ruling in position.rulings(entry.seat):
            if game.notation.written(position, ruling) == entry.text:
                return ruling
        return read_aside(game, position, entry.seat, entry.text)
    notation = game.notation
    if entry.seat in position.actors():
        if (parsed := notation.parsed(position, entry.seat, entry.text)) is not None:
            return parsed
        for move in position.legal_moves(entry.seat):
            if notation.written(position, move) == entry.text:
                return move
        cost = notation.penalty(position, entry.seat, entry.text)
        if cost is not None and notation.written(position, cost) == entry.text:
            return cost
    return read_move(game, position, entry.seat, entry.text)


def replay(game: Game, start: AnyPosition, log: Iterable[Entry]) -> AnyPosition:
    """Rebuild the position that *log* leads to; raises a ``RuleError`` at the first bad line."""
    position = start
    for entry in log:
        position = position.after(read_entry(game, position, entry))
    return position


def play_along(
    game: Game, position: Position[Any], line: Iterable[str]
) -> Iterator[tuple[Position[Any], Seat, Any]]:
    """The moves of *line*, with the positions before and who makes them, up to what is none."""
    for text in line:
        actors = position.actors()
        if len(actors) != 1:
            return
        (seat,) = actors
        try:
            move = read_move(game, position, seat, text)
        except RuleError:
            return
        yield position, seat, move
        position = position.after(move)


def settle(
    game: Game, position: AnyPosition, draw: Callable[[int], tuple[int, int]]
) -> tuple[AnyPosition, tuple[Entry, ...]]:
    """Let chance play until a player must act; the position then and the entries of the draws.

    ``draw(cases)`` is the number of the draw and its case, an index of ``legal_moves(CHANCE)``.
    """
    entries: list[Entry] = []
    while CHANCE in position.actors():
        moves = position.legal_moves(CHANCE)
        number, case = draw(len(moves))
        entries.append(Entry(CHANCE, game.notation.written(position, moves[case]), draw=number))
        position = position.after(moves[case])
    return position, tuple(entries)


def demo_position(game: Game, setting: Setting, *, played: bool = True) -> Position[Any]:
    """The position of *setting* after the moves of the demo, or before them if not *played*."""
    position, drawn = settle(game, game.start(setting), public_draws())
    for text in game.demo if played else ():
        (seat, *_) = sorted(position.actors())
        position = position.after(read_move(game, position, seat, text))
        position, more = settle(game, position, public_draws(len(drawn)))
        drawn += more
    return position
