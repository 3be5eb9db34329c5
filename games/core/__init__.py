"""What every game is built on: positions, parts, logs, chance and records.

A game needs only the names exported here.
"""

from games.core.computer import Budget as Budget, ChosenMove as ChosenMove, Computer as Computer
from games.core.errors import (
    Ambiguous as Ambiguous,
    BadOption as BadOption,
    IllegalMove as IllegalMove,
    NotYourTurn as NotYourTurn,
    Refusal as Refusal,
    RuleError as RuleError,
    UnknownGame as UnknownGame,
    Unreadable as Unreadable,
)
from games.core.game import (
    Format as Format,
    Game as Game,
    GameRules as GameRules,
    Option as Option,
    Records as Records,
    Ruling as Ruling,
    Setting as Setting,
    Titles as Titles,
)
from games.core.move_parsing import (
    Menu as Menu,
    casefolded as casefolded,
    pick as pick,
    read_aside as read_aside,
    read_move as read_move,
    read_moves as read_moves,
    replay as replay,
    settle as settle,
)
from games.core.parts import (
    TAKES as TAKES,
    Asking as Asking,
    Deed as Deed,
    Editor as Editor,
    EditorPiece as EditorPiece,
    Feat as Feat,
    Grid as Grid,
    Menus as Menus,
    MoveReason as MoveReason,
    Notation as Notation,
    PlannedMove as PlannedMove,
    Speech as Speech,
    Steps as Steps,
)
from games.core.phrases import (
    Arg as Arg,
    Phrase as Phrase,
    Who as Who,
    phrase as phrase,
    verbatim as verbatim,
)
from games.core.position import (
    CHANCE as CHANCE,
    Move as Move,
    Outcome as Outcome,
    Position as Position,
    Seat as Seat,
    drawn as drawn,
    ranking as ranking,
    won_by as won_by,
)
from games.core.record import Entry as Entry, Record as Record
