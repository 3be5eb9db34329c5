"""The parts of a game above its rules: how it is written, chosen by buttons, and told.

Each part is a value of plain functions whose first argument is the position. Those with a
default need not be given. The rules know none of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeAlias

from games.core.errors import Refusal
from games.core.phrases import Phrase, phrase, verbatim
from games.core.position import AnyPosition, Move, Seat

Steps: TypeAlias = tuple[str, ...]
"""Clicks that spell a move or its beginning."""

Grid: TypeAlias = tuple[Steps, ...]
"""The first steps that the cells of a small board stand for, row by row from the top.

A cell that nobody can choose now has a step that no move begins with, or "".
"""


def _none(*_: object) -> tuple[()]:
    return ()


def _nothing(*_: object) -> None:
    return None


def _as_typed(_: object, text: str) -> str:
    return text


def _the_step(_: object, seat: Seat, path: Steps, step: str) -> Phrase:
    del seat, path
    return verbatim(step)


def _one(*_: object) -> int:
    return 1


def _joined(_: object, seat: Seat, path: Steps, cell: str) -> str:
    del seat
    return "".join((*path, cell))


def _choose(*_: object) -> Phrase:
    return phrase("core.choose")


def _illegal(_: object, seat: Seat, text: str) -> Refusal:
    del seat
    return Refusal("", phrase("core.illegal", text=text))


@dataclass(frozen=True)
class Notation(Generic[AnyPosition, Move]):
    """How moves and positions are typed, and kept in storage.

    ``written(position, move)`` is the move as players write it and as storage keeps it;
    ``text(position)`` the position in its standard notation, which ``read(text, options)``
    reads again (it raises ``Unreadable``).

    ``spellings(position, move)`` are the other ways to type a move. ``tidied(position, text)``
    is what was typed, freed of remarks that the notation allows.
    ``expanded(position, seat, text)`` are the moves that a longer line stands for, such as a
    whole set-up. ``sides(position)`` are the sides in play by seat, where games of the same
    options may have other ones. ``penalty(position, seat, text)`` is the move that a typed
    illegal move amounts to where it costs something (H17). ``parsed(position, seat, text)`` is
    the legal move of *seat* whose notation is *text*, found without listing the others, for a
    game with very many; it may answer None, and then they are listed.
    """

    written: Callable[[AnyPosition, Move], str]
    text: Callable[[AnyPosition], str]
    read: Callable[[str, Mapping[str, str]], AnyPosition]
    spellings: Callable[[AnyPosition, Move], Sequence[str]] = _none
    tidied: Callable[[AnyPosition, str], str] = _as_typed
    expanded: Callable[[AnyPosition, Seat, str], tuple[Move, ...]] = _none
    sides: Callable[[AnyPosition], tuple[str, ...]] = _none
    penalty: Callable[[AnyPosition, Seat, str], Move | None] = _nothing
    parsed: Callable[[AnyPosition, Seat, str], Move | None] = _nothing


@dataclass(frozen=True)
class Plan:
    """A move that shall be played later: its first *step*, and the whole as *typed*, if known."""

    step: str
    typed: str = ""


@dataclass(frozen=True)
class Menus(Generic[AnyPosition, Move]):
    """How a move is put together by buttons.

    ``steps(position, move)`` are the clicks that spell a move, such as ``("c3", "2", "+")``:
    short, without language, blanks, commas or dots; no move's steps are the beginning of
    another's; joined they take at most 40 bytes.

    ``label(position, seat, path, step)`` is what the button says that continues *path* with
    *step*, ``question(position, seat, path)`` what *seat* is asked after *path*, in one short
    sentence. ``brief`` is the same as ``label`` in few words, for where there are many to choose
    from. ``grid(position)`` gives the rows of a board of up to 8 × 8 on whose cells every
    move begins, so that chats can keep buttons in their places; ``None`` where there is none.
    ``apart`` are first steps that are no piece and no cell, such as a pass: they stand last.

    ``landing(position, move)`` is the cell on which a move ends whose later steps name no cell,
    with a label that says all of it; ``None`` for others.
    ``motion(position, move)`` are the cells of the picture between which something goes, once the
    same for what stays where it is; ``None`` where nothing goes.
    ``planned(position, seat, path, cell)`` is what *seat* has chosen who points at *cell* after
    *path* while others are to move; ``None`` where the rules let nothing of it be foreseen.
    ``pointed(position, seat, path, cell)`` is what somebody would type who points at *cell* of the
    picture after *path*; "" where he has not said enough for a move yet.
    """

    steps: Callable[[AnyPosition, Move], Steps]
    label: Callable[[AnyPosition, Seat, Steps, str], Phrase] = _the_step
    question: Callable[[AnyPosition, Seat, Steps], Phrase] = _choose
    brief: Callable[[AnyPosition, Seat, Steps, str], Phrase] | None = None
    grid: Callable[[AnyPosition], Grid | None] = _nothing
    apart: Steps = ()
    landing: Callable[[AnyPosition, Move], tuple[str, Phrase] | None] = _nothing
    motion: Callable[[AnyPosition, Move], tuple[str, str] | None] = _nothing
    planned: Callable[[AnyPosition, Seat, Steps, str], Plan | None] = _nothing
    pointed: Callable[[AnyPosition, Seat, Steps, str], str] = _joined


@dataclass(frozen=True)
class Speech(Generic[AnyPosition, Move]):
    """A game in words; every position told of is one that ``seen_by`` gave.

    ``describe(seen)`` says all that the picture shows. ``spoken(position, move)`` says a move,
    legal there, in a few words; the player is not named. ``weight(position, move)`` is how much
    it matters to somebody who was not looking: 0 where a later move tells it too (a die that
    was thrown), 1 for a move, 2 for what is never left out, such as a capture.

    ``notices(position)`` is what everybody should notice now: check, a barrier, a draw near.
    ``hints(position)`` is what plays a part of the game for people, such as a pattern that is one
    card away: it is told only to those who want it. ``refusal(position, seat, text)`` tells why
    a text is not a legal move of *seat*: the rule and a sentence. ``turns`` are the keys of what
    ``describe`` says of who is to move, which is so no more once somebody has given up.
    """

    describe: Callable[[AnyPosition], Sequence[Phrase]]
    spoken: Callable[[AnyPosition, Move], Phrase]
    weight: Callable[[AnyPosition, Move], int] = _one
    notices: Callable[[AnyPosition], Sequence[Phrase]] = _none
    hints: Callable[[AnyPosition], Sequence[Phrase]] = _none
    refusal: Callable[[AnyPosition, Seat, str], Refusal] = _illegal
    turns: frozenset[str] = frozenset()
