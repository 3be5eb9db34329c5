"""What every game is built on: positions, parts, logs, chance and records.

A game needs only the names exported here.
"""

from games.core.editing import TAKES, Editor, EditorPiece
from games.core.errors import (
    Ambiguous,
    BadOption,
    IllegalMove,
    NotYourTurn,
    Refusal,
    RuleError,
    UnknownGame,
    Unreadable,
)
from games.core.game import Budget, ChosenMove, Format, Game, Option, Ruling, Setting
from games.core.move_parsing import (
    Menu,
    casefolded,
    pick,
    read_aside,
    read_move,
    read_moves,
    replay,
    settle,
)
from games.core.parts import (
    Asking,
    Deed,
    Feat,
    Grid,
    Menus,
    MoveReason,
    Notation,
    Plan,
    Speech,
    Steps,
)
from games.core.phrases import Arg, Phrase, Who, phrase, verbatim
from games.core.position import CHANCE, Move, Outcome, Position, Seat, drawn, ranking, won_by
from games.core.record import Entry, Record

__all__ = [
    "CHANCE",
    "TAKES",
    "Ambiguous",
    "Arg",
    "Asking",
    "BadOption",
    "Budget",
    "ChosenMove",
    "Deed",
    "Editor",
    "EditorPiece",
    "Entry",
    "Feat",
    "Format",
    "Game",
    "Grid",
    "IllegalMove",
    "Menu",
    "Menus",
    "Move",
    "MoveReason",
    "NotYourTurn",
    "Notation",
    "Option",
    "Outcome",
    "Phrase",
    "Plan",
    "Position",
    "Record",
    "Refusal",
    "RuleError",
    "Ruling",
    "Seat",
    "Setting",
    "Speech",
    "Steps",
    "UnknownGame",
    "Unreadable",
    "Who",
    "casefolded",
    "drawn",
    "phrase",
    "pick",
    "ranking",
    "read_aside",
    "read_move",
    "read_moves",
    "replay",
    "settle",
    "verbatim",
    "won_by",
]
