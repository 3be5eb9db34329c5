"""A match: pairs of games from the same opening with the same draws, seats exchanged."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from math import inf
from typing import Any

from games.core import CHANCE, Entry, Game, Position, Setting, settle
from games.core.chance import PUBLIC_SECRET, Draws
from games.core.shelf import find_game
from tests.tools.arena.adjudication import Manners
from tests.tools.arena.players import Moment, Player, player


@dataclass(frozen=True)
class Match:
    """Who plays what from which openings.

    *openings* plies are played at random first; *plies* is where a game is broken off, drawn.
    *nodes* and *seconds* limit each move of both; 0 is no limit but that of the level. With
    *manners* levels of this release give up and agree to draws as they do at a table.
    """

    game: str
    a: str
    b: str
    options: Mapping[str, str] = field(default_factory=dict)
    openings: int = 4
    plies: int = 400
    nodes: int = 0
    seconds: float = 0.0
    seed: str = "arena"
    manners: bool = False


@dataclass(frozen=True)
class Played:
    """One game: the *score* of player a, why and after how many *plies* it ended.

    *used* are the seconds of the processor a move took on average, of a and of b.
    """

    score: float
    reason: str
    plies: int
    used: tuple[float, float]


def pair(match: Match, number: int) -> tuple[Played, Played]:
    """Pair *number* of *match*, the same whenever it is played with budgets of nodes."""
    return between(
        *_seated(match.game, match.a, match.b, match.nodes, match.seconds), match, number
    )


def between(a: Player, b: Player, match: Match, number: int) -> tuple[Played, Played]:
    """The same with *a* and *b* in the places of those whom *match* names."""
    game, seed = find_game(match.game), f"{match.seed}:{number}"
    straight = _played(game, match, seed, (a, b))
    crossed = _played(game, match, seed, (b, a))
    return _for_a(straight, 0), _for_a(crossed, 1)


@cache
def _seated(key: str, a: str, b: str, nodes: int, seconds: float) -> tuple[Player, Player]:
    game = find_game(key)
    limits = nodes or inf, seconds or inf
    return player(a, game, *limits), player(b, game, *limits)


@dataclass
class Course:
    """A game as it goes on."""

    game: Game
    setting: Setting
    draws: Draws
    position: Position[Any]
    log: list[Entry] = field(default_factory=list)

    @classmethod
    def begun(cls, game: Game, match: Match, seed: str) -> Course:
        setting = game.setting(match.options, seats=2)
        course = cls(game, setting, Draws(PUBLIC_SECRET, seed), game.start(setting))
        course._settle()
        return course

    def play(self, seat: int, move: Any) -> None:
        self.log.append(Entry(seat, self.game.notation.written(self.position, move)))
        self.position = self.position.after(move)
        self._settle()

    def _settle(self) -> None:
        self.position, drawn = settle(self.game, self.position, self.draws)
        self.log += drawn

    def moment(self, seat: int, seed: str) -> Moment:
        log = tuple(self.log)
        return Moment(self.game, self.setting, log, self.position, seat, f"{seed}:{len(log)}")

    def opened(self, plies: int, seed: str) -> bool:
        """Play *plies* at random; whether the game still goes on after them."""
        chance = random.Random(f"{seed}:opening")
        for _ in range(plies):
            seats = sorted(self.position.actors() - {CHANCE})
            if not seats:
                return False
            self.play(seats[0], chance.choice(self.position.legal_moves(seats[0])))
        return bool(self.position.actors())

    def arranging(self) -> bool:
        """Whether an arrangement is going on, which is the players' own and no opening."""
        return any(self.position.overdue(seat) for seat in self.position.actors())


@dataclass(frozen=True)
class _Ended:
    """A game that is over: who won, if anybody did, and what a move took by seat."""

    winner: int | None
    reason: str
    plies: int
    used: tuple[float, float]


def _played(game: Game, match: Match, seed: str, seated: Sequence[Player]) -> _Ended:
    """One game between those *seated*; who names no move has given it up."""
    used: tuple[list[float], list[float]] = [], []
    course = arranged(game, match, seed, seated)
    manners = Manners(game, tuple(seated)) if match.manners else None
    given_up, agreed = None, False
    while course.position.actors() and len(course.log) < match.plies and not agreed:
        seat = min(course.position.actors())
        answer = seated[seat].move(course.moment(seat, seed))
        used[seat].append(answer.seconds)
        plies = len(course.log)
        if manners is not None:
            manners.note(seat, answer.value)
        resigns = manners is not None and manners.gives_up(seat)
        if answer.move is None or (resigns and manners.confirmed(course.moment(seat, seed))):
            given_up = seat
            break
        course.play(seat, answer.move)
        agreed = manners is not None and manners.agree(seat, plies)
    spent = [sum(one) / max(1, len(one)) for one in used]
    plies, each = len(course.log), (spent[0], spent[1])
    if given_up is not None:
        return _Ended(1 - given_up, "resignation", plies, each)
    if agreed and course.position.actors():
        return _Ended(None, "agreement", plies, each)
    outcome = course.position.outcome()
    if outcome is None:
        return _Ended(None, "unfinished", plies, each)
    return _Ended(outcome.winner, outcome.reason, plies, each)


def arranged(game: Game, match: Match, seed: str, seated: Sequence[Player]) -> Course:
    """A game set up by its players and opened at random, not over yet."""
    attempt = 0
    while True:
        course = Course.begun(game, match, seed)
        while course.arranging():
            seat = min(course.position.actors())
            course.play(seat, seated[seat].move(course.moment(seat, seed)).move)
        if course.opened(match.openings, f"{seed}:{attempt}"):
            return course
        attempt += 1


def _for_a(ended: _Ended, seat: int) -> Played:
    score = 0.5 if ended.winner is None else float(ended.winner == seat)
    used = ended.used[seat], ended.used[1 - seat]
    return Played(score, ended.reason, ended.plies, used)
