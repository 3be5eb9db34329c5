"""Three games in a row won by the same player: a suggestion that makes the next one even."""

from __future__ import annotations

from bot.service.tables import Tables
from bot.session.names import level_name
from bot.session.table import Table
from games.core import Game, Option, Phrase, Who, phrase

ROW = 3
"""After so many games in a row something is suggested."""


async def suggestion(tables: Tables, table: Table) -> Phrase | None:
    """The suggestion after three games like *table*, which is over, won in a row by one player.

    Against a computer that is another level; at its last, and between people, a handicap.
    """
    winner = _winner(table)
    if winner is None or table.match_goes_on:
        return None
    last = table
    for _ in range(ROW - 1):
        if last.parent is None:
            return None
        last = await tables.get(last.parent)
        if _winner(last) != winner:
            return None
    return _told(table, winner)


def _winner(table: Table) -> tuple[int | None, int | None] | None:
    """The winner of a game of two without handicap: a person's id or a computer's level."""
    won = table.outcome.winner if table.outcome is not None else None
    if won is None or len(table.players) != 2 or table.game.uneven(table.options):
        return None
    return table.players[won].person, table.players[won].level


def _told(table: Table, winner: tuple[int | None, int | None]) -> Phrase | None:
    game, (person, _) = table.game, winner
    levels = [one.level for one in table.players if one.level is not None]
    for level in levels:
        other = level - 1 if person is None else level + 1
        if 1 <= other <= game.levels:
            key = "house.streak.lost" if person is None else "house.streak.won"
            return phrase(key, level=other, name=level_name(game, other))
    rule = next((one.key for one in game.options if _evens(game, one)), None)
    if rule is None or table.outcome is None:
        return None
    who = Who(min(table.outcome.places[0]))
    return phrase("house.streak.uneven", who=who, rule=phrase(f"{game.key}.option.{rule}"))


def _evens(game: Game, option: Option) -> bool:
    return any(game.uneven({**game.chosen({}), option.key: value}) for value in option.values)
