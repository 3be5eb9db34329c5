"""The words of notifications. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from bot.notify.reasons import OFFERS, Reason
from bot.presenters.matches import followed_by
from bot.presenters.viewers import named
from bot.session.table import Table
from bot.texts import Language
from games.core import Phrase, Seat, Who, phrase

Lines = tuple[Phrase | None, ...]


def said(
    reason: Reason, table: Table, people: Sequence[int], tongue: Language, ending: str = ""
) -> str:
    """What *people* hear; *ending* says how a game ended."""
    names = named(table.game.key, table.players, tongue)
    seats = tuple(seat for seat in map(table.seat_of, people) if seat is not None)
    lines = _LINES.get(reason, _Words.usual)(_Words(reason, table, seats, ending))
    return " ".join(tongue.say(line, names) for line in lines if line is not None)


@dataclass(frozen=True)
class _Words:
    """What those in *seats* hear for one *reason*."""

    reason: Reason
    table: Table
    seats: tuple[Seat, ...]
    ending: str

    @property
    def _game(self) -> Phrase:
        return phrase(f"{self.table.game.key}.name")

    @property
    def _others(self) -> tuple[Who, ...]:
        return tuple(Who(n) for n in range(len(self.table.players)) if n not in self.seats)

    @property
    def _turn(self) -> Phrase | None:
        """That it is the turn of those who hear it, by name where they are several."""
        actors = self.table.actors()
        if not actors & set(self.seats):
            return None
        if len(self.seats) == 1:
            return phrase("house.call.and-turn")
        who = tuple(map(Who, sorted(actors)))
        key = "house.others-turn" if len(who) == 1 else "house.others-turn.several"
        return phrase(key, who=who)

    def usual(self) -> Lines:
        return (phrase(f"house.call.{self.reason}", who=self._others, game=self._game),)

    def challenge(self) -> Lines:
        host = Who(self.table.seat_of(self.table.host) or 0)
        return (phrase("house.call.challenge", who=host, game=self._game),)

    def accepted(self) -> Lines:
        players = self.table.players
        guests = tuple(who for who in self._others if players[who.seat].person is not None)
        said = phrase("house.call.accepted", who=guests, game=self._game, n=len(guests))
        return (said, self._turn)

    def begun(self) -> Lines:
        if len(self.seats) > 1:
            return (phrase("house.call.begun-all", game=self._game), self._turn)
        return (phrase("house.call.begun", who=self._others, game=self._game), self._turn)

    def unanswered(self) -> Lines:
        asked = tuple(Who(n) for n, one in enumerate(self.table.players) if one.invited)
        who = asked or self._others
        return (phrase(f"house.call.{self.reason}", who=who, game=self._game),)

    def claim(self) -> Lines:
        clock = self.table.clock
        late = tuple(map(Who, sorted(frozenset() if clock is None else clock.late)))
        return (phrase("house.call.claim", who=late, game=self._game),)

    def offer(self) -> Lines:
        offers = (one.seat for one in self.table.offers if OFFERS[one.kind] is self.reason)
        key = followed_by(self.table) if self.reason is Reason.REMATCH else self.reason
        return (phrase(f"house.call.{key}", who=Who(next(offers, 0)), game=self._game),)

    def over(self) -> Lines:
        if not self._others:
            return (phrase("house.call.over-all", game=self._game, how=self.ending),)
        said = phrase("house.call.over", who=self._others, game=self._game, how=self.ending)
        return (said,)

    def left(self) -> Lines:
        gone = tuple(one.name for one in self.table.players if one.left is not None)
        said = phrase("house.call.left", who=gone, game=self._game, n=len(gone))
        return (said, self._turn)

    def turn(self) -> Lines:
        if len(self.seats) > 1:
            return (phrase("house.call.turn-all", game=self._game),)
        return self.usual()


_LINES: Mapping[Reason, Callable[[_Words], Lines]] = {
    Reason.CHALLENGE: _Words.challenge,
    Reason.ACCEPTED: _Words.accepted,
    Reason.BEGUN: _Words.begun,
    Reason.DECLINED: _Words.unanswered,
    Reason.EXPIRED: _Words.unanswered,
    Reason.CLAIM: _Words.claim,
    Reason.DRAW: _Words.offer,
    Reason.UNDO: _Words.offer,
    Reason.PAUSE: _Words.offer,
    Reason.REMATCH: _Words.offer,
    Reason.OVER: _Words.over,
    Reason.LEFT: _Words.left,
    Reason.TURN: _Words.turn,
}
"""What is said for each reason; all others have the usual line."""
