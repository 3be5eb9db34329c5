"""The medals that one ended game is worth by itself, whatever was played before. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from bot.session.rated import SECOND, turns_made
from bot.session.table import ENDED, Table
from bot.standing.medals import COMPUTER, EXAM, FIRST, Medal
from games.core import CHANCE, Seat
from games.core.move_parsing import read_entry
from games.core.parts import Deed
from games.core.school import exam


def winner_of(table: Table) -> Seat | None:
    """The seat of the person who has won the ended game alone, if one has, and all have played."""
    outcome = table.outcome
    if table.status != ENDED or outcome is None or outcome.is_replayed or outcome.winner is None:
        return None
    turns = turns_made(table)
    if any(turns.get(seat, 0) < SECOND for seat in range(len(table.players))):
        return None
    return outcome.winner if table.players[outcome.winner].person is not None else None


def ended_by_rule(table: Table) -> bool:
    """Whether the position itself is won as the game was: nobody gave up, left or ran out of time.

    What a title tells of has then been done.
    """
    end = None if table.position is None else table.present.outcome()
    got = table.outcome
    return (
        end is not None and got is not None and (end.reason, end.winner) == (got.reason, got.winner)
    )


def earned(table: Table, known: Collection[Medal] = ()) -> tuple[Medal, ...]:
    """What the winner of *table* has earned by this game, without what is *known* as theirs."""
    winner = winner_of(table)
    if winner is None or table.start:
        return ()
    highest = table.game.computer.levels
    others = [one for seat, one in enumerate(table.players) if seat != winner]
    if all(one.person is not None or one.left is not None for one in others):
        found = [Medal(FIRST), *_titles(table, known)]
    elif all((one.level or 0) >= highest and one.left is None for one in others):
        found = [] if table.hints else [Medal(COMPUTER, table.game.key)]
    elif all(one.level == 1 and one.left is None for one in others) and _is_exam(table):
        found = [Medal(EXAM, table.game.key)]
    else:
        found = []
    return tuple(one for one in found if one not in known)


def _is_exam(table: Table) -> bool:
    """Whether *table* was opened as the short game is that ends the course."""
    options, asked = table.setting.options, exam(table.game).items()
    return all(options.get(name, value) == value for name, value in asked)


def _titles(table: Table, known: Collection[Medal]) -> Iterator[Medal]:
    """The title of the game, where it is one that is collected and not *known*."""
    game = table.game
    wanted = [one for one in game.titles.collected if Medal(one, game.key) not in known]
    if not wanted or game.titles.chronicle is None or table.outcome is None:
        return  # to play the game again costs more than all the rest
    if not ended_by_rule(table):
        return
    title = game.titles.chronicle(_deeds(table), table.present, table.outcome).title
    if title.key in wanted:
        yield Medal(title.key, game.key)


def _deeds(table: Table) -> list[Deed]:
    position, found = table.game.start(table.setting), []
    for entry in table.log:
        move = read_entry(table.game, position, entry)
        if entry.seat != CHANCE:
            found.append(Deed(position, entry.seat, move))
        position = position.after(move)
    return found
