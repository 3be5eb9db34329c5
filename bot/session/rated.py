"""Whether a game counts for the ratings, why it does not, and when it is aborted. Pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from datetime import timedelta
from enum import StrEnum
from itertools import combinations, groupby
from typing import Any, Final, TypeAlias

from bot.session.table import OPEN, PLAYING, Table
from games.core import CHANCE, Game, Phrase, Position, Seat, phrase

Pair: TypeAlias = frozenset[int]
"""The ids of two people."""

MOST_GAMES: Final = 6
"""How many games of the same two people count within ``WITHIN``; a match is one of them."""

WITHIN: Final = timedelta(hours=24)

KNOWN_BY: Final = 10
"""So many games that counted make known who came by a player's link."""

SECOND: Final = 2
"""Before everybody has moved so often, resigning or leaving aborts a game that counts."""


class Casual(StrEnum):
    """Why a game does not count although that was wished, by the words that events keep."""

    LADDER = "ladder"
    """The place has no ladder."""
    HINTS = "hints"
    HANDICAP = "handicap"
    RULE = "rule"
    """A house rule makes it another game."""
    COMPUTER = "computer"
    """A computer sits at the table from the beginning."""
    OFTEN = "often"
    """Two of its people have played as many games that count as one day may have."""
    GUEST = "guest"
    """Somebody has come in by an open house or another player's link, and is not known yet."""


FOR_NOW: Final = frozenset({Casual.COMPUTER, Casual.OFTEN, Casual.GUEST})
"""What may be over with the next game of the same players."""


def casual_by_rules(game: Game, options: Mapping[str, str], *, hints: bool) -> Casual | None:
    """Why no game under these *options* counts; ``None`` where it may."""
    if hints:
        return Casual.HINTS
    if game.rules.uneven(options):
        return Casual.HANDICAP
    if any(not one.compares(options[one.key]) for one in game.rules.options):
        return Casual.RULE
    return None


def casual_at_start(
    table: Table, chairs: Sequence[int], often: Collection[Pair], barred: Collection[Pair] = ()
) -> Casual | None:
    """Why the game that begins on these *chairs* does not count, where *table* was to count.

    *often* are the pairs who have played as many games as count, *barred* those who may not sit
    together, or at all. The games of a match that has begun stay what the first was.
    """
    people = [table.players[chair].person for chair in chairs]
    seated = [person for person in people if person is not None]
    if len(set(seated)) < len(chairs):
        return Casual.COMPUTER
    if table.match is not None and table.match.games:
        return None
    if any(group <= set(seated) for group in barred):
        return Casual.GUEST
    pairs = map(frozenset, combinations(seated, 2))
    return Casual.OFTEN if any(pair in often for pair in pairs) else None


def is_abortable(table: Table) -> bool:
    """Whether the game counts, so that it can be aborted while it is young.

    In a tournament somebody waits for its result: who resigns there has lost.
    """
    return table.rated and not table.tournament and is_young(table)


def is_young(table: Table) -> bool:
    """Whether a game is played in which somebody has not made their second move."""
    if table.status != PLAYING:
        return False
    turns = turns_made(table)
    people = (seat for seat, player in enumerate(table.players) if player.person is not None)
    return any(turns.get(seat, 0) < SECOND for seat in people)


def turns_made(table: Table) -> Mapping[Seat, int]:
    """How many turns each seat has had: moves that it made one after the other are one."""
    played = (one.seat for one in table.log if not one.aside and one.seat != CHANCE)
    return Counter(seat for seat, _ in groupby(played))


def stands_alike(table: Table, position: Position[Any] | None) -> bool:
    """Whether a game that counts is played at *table*, and stands as in *position*.

    The number of the move, with which texts of positions end, makes no other position.
    """
    if not table.competes or position is None or type(position) is not type(table.position):
        return False
    told = (table.game.notation.text(one) for one in (position, table.position))
    return len({re.sub(r" \d+$", "", text) for text in told}) == 1


def placed_people(table: Table) -> tuple[tuple[int, int], ...]:
    """The people of a game that has ended and counts, by seats, each with their place from 1 on.

    The places are those among people alone. Who has left stands behind everybody else, the first
    who left last; computers that played on for them have none. Nobody has a place in a game that
    is to be played again.
    """
    if table.outcome is None or table.outcome.is_replayed:
        return ()
    stayed = (place - frozenset(table.gone) for place in table.outcome.places)
    left = (frozenset({seat}) for seat in reversed(table.gone))
    ranked = [place for place in (*stayed, *left) if place]
    found = {seat: number for number, place in enumerate(ranked, 1) for seat in place}
    seated = [(table.players[seat], place) for seat, place in sorted(found.items())]
    return tuple((player.person or player.left or 0, place) for player, place in seated)


def conditions(table: Table) -> Phrase:
    """One sentence: whether the game counts, and why it does not where that was wished."""
    if may_count(table):
        return phrase("standing.rated")
    return casual_sentence(Casual.COMPUTER if table.rated else table.casual)


def may_count(table: Table) -> bool:
    """Whether the game counts, or would if it began as people and computers sit now."""
    computer = any(one.level is not None for one in table.players)
    return table.rated and not (table.status == OPEN and computer)


def casual_sentence(casual: str) -> Phrase:
    """That a game does not count, with the reason of this word, if any."""
    return phrase(f"standing.casual.{casual}" if casual in frozenset(Casual) else "standing.casual")
