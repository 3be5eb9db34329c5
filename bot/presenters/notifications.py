"""The words of notifications. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from bot.presenters.composer import Composer
from bot.presenters.status import followed_by
from bot.presenters.viewers import Viewer, player_names
from bot.session.table import Table
from bot.texts import Language, language
from games.core import Phrase, Seat, Who, phrase
from storage.records import GameLine

Lines = tuple[Phrase | None, ...]


@dataclass(frozen=True)
class NotificationWords:
    """What people at *table* are told in the language *code*."""

    table: Table
    code: str

    @cached_property
    def names(self) -> Mapping[int, str]:
        """What the players are called, by their seats."""
        return player_names(self.table.game.key, self.table.players, self._language)

    @property
    def _language(self) -> Language:
        return language(self.code)

    def said(self, reason: str, people: Sequence[int], key: bytes = b"") -> str:
        """What *people* hear for a *reason* of ``bot.notify.reasons``; *key* signs buttons."""
        seats = tuple(seat for seat in map(self.table.seat_of, people) if seat is not None)
        ending = ""
        if reason == "over":
            viewer = Viewer(language=self._language.code)
            ending = Composer(self.table, viewer, key).board().headline
        lines = _LINES.get(reason, _Sentence.usual)(_Sentence(reason, self.table, seats, ending))
        return " ".join(self._language.say(one, self.names) for one in lines if one is not None)

    def also(self, lines: Sequence[GameLine]) -> str:
        """A sentence on the other tables at which time runs out."""
        tables = tuple(
            phrase("house.call.one-of", game=phrase(f"{one.game}.name"), code=one.code)
            for one in lines
        )
        return self._language.say(phrase("house.call.also", tables=tables))


@dataclass(frozen=True)
class _Sentence:
    """What those in *seats* hear for one *reason*."""

    reason: str
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
        offers = (one.seat for one in self.table.offers if one.kind == self.reason)
        key = followed_by(self.table) if self.reason == "rematch" else self.reason
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


_LINES: Mapping[str, Callable[[_Sentence], Lines]] = {
    "challenge": _Sentence.challenge,
    "accepted": _Sentence.accepted,
    "begun": _Sentence.begun,
    "declined": _Sentence.unanswered,
    "expired": _Sentence.unanswered,
    "claim": _Sentence.claim,
    "draw": _Sentence.offer,
    "undo": _Sentence.offer,
    "pause": _Sentence.offer,
    "rematch": _Sentence.offer,
    "over": _Sentence.over,
    "left": _Sentence.left,
    "turn": _Sentence.turn,
}
"""What is said for each reason; all others have the usual line."""
