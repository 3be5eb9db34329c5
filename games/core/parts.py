"""The parts of a game above its rules: how it is written, chosen by buttons, told and asked.

Each part is a value of plain functions whose first argument is the position. The rules know none
of them. A game that says nothing itself is written, pressed and told by ``str`` of its moves and
positions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeAlias

from games.core.errors import Refusal
from games.core.phrases import Phrase, phrase, verbatim
from games.core.position import AnyPosition, Move, Outcome, Position, Seat

Steps: TypeAlias = tuple[str, ...]
"""Clicks that spell a move or its beginning."""

Grid: TypeAlias = tuple[Steps, ...]
"""The first steps of the cells of a small board, row by row from the top.

A cell that nobody can choose now has "" or a step with which no move begins.
"""


def _illegal(_: object, _seat: Seat, text: str) -> Refusal:
    return Refusal("", phrase("core.illegal", text=text))


@dataclass(frozen=True)
class Notation(Generic[AnyPosition, Move]):
    """How moves and positions are typed and stored.

    ``written(position, move)`` is the move as players and storage write it, ``text(position)``
    the position in its standard notation; ``read(text, options)`` reads that again and raises
    ``Unreadable``.

    ``spellings(position, move)`` are other ways to type a move. ``tidied(position, text)`` is
    typed text without the remarks that the notation allows. ``expanded(position, seat, text)``
    are the moves of a longer line, such as a whole set-up. ``sides(position)`` are the sides by
    seat where the options do not tell. ``penalty(position, seat, text)`` is the move that a typed
    illegal move costs (H17). ``parsed(position, seat, text)`` is the legal move with the
    notation *text*, found without listing all moves; ``None`` where they must be listed.
    """

    written: Callable[[AnyPosition, Move], str] = lambda _, move: str(move)
    text: Callable[[AnyPosition], str] = str
    read: Callable[[str, Mapping[str, str]], AnyPosition] = field(kw_only=True)
    spellings: Callable[[AnyPosition, Move], Sequence[str]] = lambda *_: ()
    tidied: Callable[[AnyPosition, str], str] = lambda _, text: text
    expanded: Callable[[AnyPosition, Seat, str], tuple[Move, ...]] = lambda *_: ()
    sides: Callable[[AnyPosition], tuple[str, ...]] = lambda *_: ()
    penalty: Callable[[AnyPosition, Seat, str], Move | None] = lambda *_: None
    parsed: Callable[[AnyPosition, Seat, str], Move | None] = lambda *_: None


@dataclass(frozen=True)
class PlannedMove:
    """A move to play later: its first *step*, and the whole as *typed*, if known."""

    step: str
    typed: str = ""


@dataclass(frozen=True)
class Menus(Generic[AnyPosition, Move]):
    """How buttons build a move.

    ``steps(position, move)`` are the clicks that spell a move, such as ``("c3", "2", "+")``:
    without language, blanks, commas or dots; no move's steps begin another's; joined they take
    at most 40 bytes.

    ``label(position, seat, path, step)`` is the text of the button that continues *path* with
    *step*, ``brief`` the same in few words. ``question(position, seat, path)`` is the short
    question after *path*. ``grid(position)`` are the rows of a board of up to 8 × 8 on whose
    cells every move begins; ``None`` where there is none. ``apart`` are first steps that are
    neither piece nor cell, such as a pass: they stand last. ``quiet`` are those of them that
    nobody should be tempted to.

    ``landing(position, move)`` is the cell where a move ends whose later steps name no cell, with
    a label for the whole move; ``None`` for other moves. ``motion(position, move)`` are the cells
    of the picture between which something moves, twice the same for what stays; else ``None``.
    ``planned(position, seat, path, cell)`` is the later move of a *seat* that points at *cell*
    after *path* while others move; ``None`` where the rules foresee none.
    ``pointed(position, seat, path, cell)`` is what a player would type who points at *cell* of
    the picture after *path*; "" while that is not enough for a move.
    *lasting* says that a step means the same at every later turn, whoever takes it.
    ``onward(position, seat)`` are the moves that *seat* may choose between after its only one,
    whatever chance brings, each a single step: a key that spells both holds until both are made.
    Where *seat* has several, it is what whoever acts after them begins with.
    ``timely(position, seat, move)`` is whether an aside of *seat* is worth a button now; whatever
    is legal can be typed.
    """

    steps: Callable[[AnyPosition, Move], Steps] = lambda _, move: (str(move),)
    label: Callable[[AnyPosition, Seat, Steps, str], Phrase] = lambda _, _seat, _path, step: (
        verbatim(step)
    )
    question: Callable[[AnyPosition, Seat, Steps], Phrase] = lambda *_: phrase("core.choose")
    brief: Callable[[AnyPosition, Seat, Steps, str], Phrase] | None = None
    grid: Callable[[AnyPosition], Grid | None] = lambda *_: None
    apart: Steps = ()
    quiet: Steps = ()
    lasting: bool = False
    onward: Callable[[AnyPosition, Seat], Steps] | None = None
    landing: Callable[[AnyPosition, Move], tuple[str, Phrase] | None] = lambda *_: None
    motion: Callable[[AnyPosition, Move], tuple[str, str] | None] = lambda *_: None
    planned: Callable[[AnyPosition, Seat, Steps, str], PlannedMove | None] = lambda *_: None
    pointed: Callable[[AnyPosition, Seat, Steps, str], str] = lambda _, _seat, path, cell: "".join(
        (*path, cell)
    )
    timely: Callable[[AnyPosition, Seat, Move], bool] = lambda *_: True


@dataclass(frozen=True)
class Speech(Generic[AnyPosition, Move]):
    """A game in words; every position comes from ``seen_by``.

    ``describe(seen)`` says all that the picture shows. ``spoken(position, move)`` says a legal
    move in a few words, without the player's name. ``weight(position, move)`` is how much the
    move matters to a player who was away: 0 where a later move tells it too (a thrown die), 1
    for a usual move, 2 for what is never left out, such as a capture.

    ``notices(position)`` is what everybody should notice: check, a barrier, a draw near.
    ``hints(position)`` is what plays a part of the game for people, such as a pattern one card
    away; only those who want it are told. ``refusal(position, seat, text)`` is why *text* is no
    legal move of *seat*. ``turns`` are the keys of the phrases of ``describe`` that say who is
    to move, ``pending`` of those that say what the last move does that weighs nothing.
    """

    describe: Callable[[AnyPosition], Sequence[Phrase]] = lambda seen: [verbatim(str(seen))]
    spoken: Callable[[AnyPosition, Move], Phrase] = lambda _, move: verbatim(str(move))
    weight: Callable[[AnyPosition, Move], int] = lambda *_: 1
    notices: Callable[[AnyPosition], Sequence[Phrase]] = lambda *_: ()
    hints: Callable[[AnyPosition], Sequence[Phrase]] = lambda *_: ()
    refusal: Callable[[AnyPosition, Seat, str], Refusal] = _illegal
    turns: frozenset[str] = frozenset()
    pending: frozenset[str] = frozenset()


@dataclass(frozen=True)
class MoveReason:
    """What a move is good for, by one plain fact that two boards show, before and after it.

    *words* go on after its name, «…, which saves the rook on 2h»; *cells* are the places of the
    picture that they are about.
    """

    words: Phrase
    cells: tuple[str, ...] = ()


@dataclass(frozen=True)
class Asking(Generic[AnyPosition]):
    """The answers to questions about a board; every position comes from ``seen_by``.

    ``at(seen, name)`` says what is on the place *name* or where the piece *name* is; nothing
    where there is neither. ``threats(seen, seat)`` says what *seat* may lose next; ``None`` where
    the rules cannot tell. ``typed(seen, move)`` is the move in the reader's language, where that
    is not the notation. ``reason(seen, seat, move)`` is the most telling thing that *move* of
    *seat* does; ``None`` where it does nothing that can be said in a few words.
    ``opening(start, moves)`` is the name of what the *moves* in notation begin with; ``None`` for
    none.
    """

    at: Callable[[AnyPosition, str], Sequence[Phrase]] = lambda *_: ()
    threats: Callable[[AnyPosition, Seat], Sequence[Phrase]] | None = None
    typed: Callable[[AnyPosition, Any], Phrase] | None = None
    reason: Callable[[AnyPosition, Seat, Any], MoveReason | None] = lambda *_: None
    opening: Callable[[AnyPosition, Sequence[str]], Phrase | None] = lambda *_: None


@dataclass(frozen=True)
class Deed:
    """*seat* played *move* in *before*; draws are no deeds."""

    before: Position[Any]
    seat: Seat
    move: Any


@dataclass(frozen=True)
class Feat:
    """The *title* of a winner, and the *count* of *what*, which takes the number ``n``."""

    title: Phrase
    count: int
    what: Phrase


Chronicle: TypeAlias = Callable[[Sequence[Deed], Any, Outcome], Feat]
"""``chronicle(deeds, last, outcome)`` of a game that was won by its rules."""


@dataclass(frozen=True)
class EditorPiece:
    """What an editor can put: its *key*, its name, and the *side* it belongs to, "" for none.

    A key has no commas; what follows its last dash is the name of its picture, if it has one.
    """

    key: str
    label: Phrase
    side: str = ""


TAKES = ""
"""The key of no piece: it takes away what lies on a place."""


@dataclass(frozen=True)
class Editor(Generic[AnyPosition]):
    """How a position is set up by hand, for analysis.

    What is being set up is a **draft**, to which no game need lead: the notation's ``text`` writes
    it, and ``read`` may refuse that. All functions raise ``Unreadable`` for what cannot be drawn.

    ``begin(options)`` is the first draft, ``draft(text, options)`` the one that *text* writes.
    ``bare(draft)`` is the same without pieces, ``turned(draft)`` with the next side to move.
    ``pieces(draft)`` are all that can be put. ``put(draft, key, place)`` has that piece on *place*;
    ``TAKES`` takes away what lies on top. Places are cells of the picture, and those of
    ``beside(draft, key)``, with their names. ``mover(draft)`` is the side to move.
    """

    begin: Callable[[Mapping[str, str]], AnyPosition]
    draft: Callable[[str, Mapping[str, str]], AnyPosition]
    bare: Callable[[AnyPosition], AnyPosition]
    turned: Callable[[AnyPosition], AnyPosition]
    pieces: Callable[[AnyPosition], Sequence[EditorPiece]]
    put: Callable[[AnyPosition, str, str], AnyPosition]
    mover: Callable[[AnyPosition], str]
    beside: Callable[[AnyPosition, str], Sequence[tuple[str, Phrase]]] = lambda *_: ()
