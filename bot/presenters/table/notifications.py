"""The words of notifications. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from bot.presenters.table.composer import Composer
from bot.presenters.table.status import closed, followed_by, ruled
from bot.presenters.table.viewers import Viewer, player_names
from bot.presenters.typed_names import rated_key
from bot.session.flag_fall import first_moves_due
from bot.session.rated import may_count
from bot.session.table import OPEN, Table
from bot.session.time_controls import grace, length, read_control
from bot.session.unreachable_players import wins
from bot.texts import Language, language
from games.core import Phrase, Seat, Who, phrase
from storage.records import GameLine


@dataclass(frozen=True)
class NotificationWords:
    """What people at *table* are told in the language *code*."""

    table: Table
    code: str
    now: int = 0
    """The instant at which they are told."""

    @cached_property
    def names(self) -> Mapping[int, str]:
        """What the players are called, by their seats."""
        return player_names(self.table.game.key, self.table.players, self._language)

    @property
    def _language(self) -> Language:
        return language(self.code)

    def said(self, reason: str, people: Sequence[int], key: bytes = b"") -> str:
        """What *people* hear for a *reason* of ``bot.notify.recipients``; *key* signs buttons."""
        seats = tuple(seat for seat in map(self.table.seat_of, people) if seat is not None)
        lines = [self._line(reason, seats, self.table.others(seats), key)]
        if reason in ("accepted", "begun", "left", "tournament"):
            lines += self._turn(seats)
        lines += self._first_move(reason, seats)
        return " ".join(self._language.say(one, self.names) for one in lines)

    def also(self, lines: Sequence[GameLine]) -> str:
        """A sentence on the other tables at which time runs out."""
        tables = tuple(
            phrase("house.call.one-of", game=phrase(f"{one.game}.name"), code=one.code)
            for one in lines
        )
        return self._language.say(phrase("house.call.also", tables=tables))

    def _line(
        self, reason: str, seats: Sequence[Seat], others: tuple[Who, ...], key: bytes
    ) -> Phrase:
        """What those in *seats* hear; *others* are all other players."""
        table, game = self.table, phrase(f"{self.table.game.key}.name")
        said = f"house.call.{reason}"
        if len(seats) > 1 and reason in ("begun", "turn", "tournament"):
            return phrase(f"{said}-all", game=game)
        match reason:
            case "challenge" | "wanted" | "seeking":
                host = Who(table.seat_of(table.host) or 0)
                counts = phrase(rated_key(rated=may_count(table)))
                return phrase(said, who=host, game=game, counts=counts, n=table.vacant)
            case "accepted":
                guests = tuple(one for one in others if table.players[one.seat].person is not None)
                return phrase(said, who=guests, game=game, n=len(guests))
            case "missed" if table.status == OPEN:
                gone = tuple(map(Who, sorted(table.uncalled)))
                return phrase(f"{said}-invited", who=gone, game=game, code=table.code)
            case "declined" | "expired":
                asked = tuple(Who(n) for n, one in enumerate(table.players) if one.invited)
                return phrase(said, who=asked or others, game=game)
        decided = _ruling_phrase(table, reason, others)
        if decided is not None:
            return decided
        if table.closed in ("forfeit", "judged"):
            return phrase("house.call.tournament-closed", game=game, how=self._how(key))
        return self._line_of_game(said, reason, others, key)

    def _line_of_game(self, said: str, reason: str, others: tuple[Who, ...], key: bytes) -> Phrase:
        """The same for a *reason* that only a game in play or an ended one has."""
        table, game = self.table, phrase(f"{self.table.game.key}.name")
        match reason:
            case "claim":
                late = sorted(table.clock.late) if table.clock is not None else ()
                return phrase(said, who=tuple(map(Who, late)), game=game)
            case "draw" | "undo" | "pause" | "rematch":
                offer = table.offered(reason)
                name = followed_by(table) if reason == "rematch" else reason
                who = Who(0 if offer is None else offer.seat)
                return phrase(f"house.call.{name}", who=who, game=game)
            case "over" | "moved" | "idle":
                said = said if others else f"{said}-all"
                return phrase(said, who=others, game=game, how=self._how(key))
            case "missed":
                missed = tuple(map(Who, sorted(table.missed)))
                several = "" if table.forsaken is not None else "-among-several"
                several = "-rated" if table.forsaken is not None and wins(table) else several
                return phrase(f"{said}{several}", who=missed, game=game, n=len(missed))
            case "left":
                gone = tuple(one.name for one in table.players if one.left is not None)
                return phrase(said, who=gone, game=game, n=len(gone))
        return phrase(said, who=others, game=game, why=closed(table))

    def _how(self, key: bytes) -> str:
        return Composer(self.table, Viewer(language=self._language.code), key).headline()

    def _first_move(self, reason: str, seats: Sequence[Seat]) -> list[Phrase]:
        """How long those in *seats* have for their first move in a tournament, as long as it lacks.

        Who is only called to the beginning hears the rule.
        """
        table, due = self.table, first_moves_due(self.table)
        if len(seats) == 1 and (end := due.get(seats[0])) is not None:
            return [phrase("clock.first-move", time=length(end - self.now))]
        if reason != "tournament" and not due.keys() & set(seats):
            return []
        return [phrase("tournament.come", time=length(grace(read_control(table.control))))]

    def _turn(self, seats: Sequence[Seat]) -> list[Phrase]:
        """Whose turn it is, by name unless it is that of the only one in *seats*."""
        actors = self.table.actors()
        if not actors:
            return []
        if len(seats) == 1 and seats[0] in actors:
            return [phrase("house.call.and-turn")]
        who = tuple(map(Who, sorted(actors)))
        key = "house.others-turn" if len(who) == 1 else "house.others-turn.several"
        return [phrase(key, who=who)]


def _ruling_phrase(table: Table, reason: str, others: tuple[Who, ...]) -> Phrase | None:
    """What a manager has decided about the game, by name, if that is the *reason*."""
    if reason == "ruled" and table.ruling is not None:
        return ruled("house.call.ruled", table, table.ruling)
    if reason != "uncounted":
        return None
    by = "" if table.uncounted is None else table.uncounted.name
    said = "house.call.uncounted" if others else "house.call.uncounted-all"
    return phrase(said, name=by, game=phrase(f"{table.game.key}.name"), code=table.code, who=others)
