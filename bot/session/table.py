"""One table as an immutable value, which ``bot.session.fold`` makes of its events."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import cached_property
from typing import Any, Final

from bot.session.events import Absence, OfferKind
from bot.session.game_clock import GameClock, Span
from bot.session.match import Match
from bot.standing.journal import Shift
from bot.standing.medals import Medal
from games.core import CHANCE, Entry, Game, Outcome, Position, Record, Seat, Setting, Who
from storage.records import BrokenAggregate, PersonName, Status

CODE_LETTERS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
"""What table codes are made of: nothing that reads like something else."""

CODE_LENGTH = 6

OPEN: Final = "open"
PLAYING: Final = "playing"
ENDED: Final = "ended"
CLOSED: Final = "closed"


class BrokenTable(BrokenAggregate):
    """The table *code* cannot be read."""

    noun = "table"


@dataclass(frozen=True)
class Player:
    """The player in a chair: a person, a computer of a *level*, or nobody yet.

    *side* is the side wished for until the game starts, then the side played. *invited*
    marks a challenged person who has not accepted. *left* is the person replaced by a computer,
    who played until the log had *left_at* entries.
    *name* is the present name, which no event says. *away* are
    the holidays, where clocks wait for them, and *resting* is the end of the present one. *absence*
    is why a person cannot be called any more, if so. *owner* is the name of the person whose
    program it is; nothing for people.
    """

    person: int | None = None
    name: str = ""
    level: int | None = None
    side: str | None = None
    invited: bool = False
    left: int | None = None
    left_at: int = 0
    away: tuple[Span, ...] = ()
    resting: int | None = None
    absence: Absence | None = None
    owner: str = ""

    @property
    def is_seated(self) -> bool:
        """Whether the chair is taken by somebody who will play."""
        return (self.person is not None or self.level is not None) and not self.invited


@dataclass(frozen=True)
class HistoryEntry:
    """Something that happened: *move* was played by *seat* (or ``CHANCE``) in *before*.

    *chosen* says that the player had a choice: neither forced nor said out of turn; *hurried* of
    a computer's move that it was found at a glance. *at* is when, by the steady clock; ``None``
    for what stayed when moves were taken back.
    """

    before: Position[Any]
    seat: Seat
    move: Any
    chosen: bool = False
    hurried: bool = False
    at: datetime | None = field(default=None, compare=False)


@dataclass(frozen=True)
class Offer:
    """An open offer of *seat*; *agreed* are the seats that have: a rematch waits for all."""

    kind: OfferKind
    seat: Seat
    agreed: frozenset[Seat] = frozenset()


@dataclass(frozen=True)
class ManagerRuling:
    """The result that the manager *by* of a tournament gave its game: half *points* by seat."""

    by: Player
    points: tuple[int, ...]


@dataclass(frozen=True)
class Table:
    """A table: its players, its game, and how far that is.

    *version* is the number of the last event. *turns* holds, by seat, the number of the
    last event that changed what the seat may do, and *acted* that of the last one which was
    the seat's own move, or took moves back: a button made before it is of an earlier turn.
    *recent* is what happened since each seat's turn before this one, as far as ``KEPT``.
    """

    code: str
    game: Game
    options: Mapping[str, str]
    begins: str
    host: int
    players: tuple[Player, ...]
    commitment: str
    created: datetime
    touched: datetime
    version: int = 0
    hints: bool = False
    """Whether players may ask for hints (``may_ask``)."""
    status: Status = OPEN
    parent: str | None = None
    child: str | None = None
    lot: tuple[int, int] | None = None
    chairs: tuple[int, ...] = ()
    """By seat, the chair of the open table in which the player sat."""
    first: Seat = 0
    words: tuple[str, ...] = ()
    next_words: tuple[tuple[Seat, str], ...] = ()
    """The words for the draws of the rematch, with the seats that said them."""
    secret: bytes | None = None
    log: tuple[Entry, ...] = ()
    position: Position[Any] | None = None
    recent: tuple[HistoryEntry, ...] = ()
    proofs: tuple[tuple[int, tuple[str, ...]], ...] = ()
    """What shows the verdicts on claims, by their places in the log."""
    offers: tuple[Offer, ...] = ()
    declined: Offer | None = None
    """The offer that was declined last, with the seat that declined, until the game goes on."""
    turns: tuple[int, ...] = ()
    acted: tuple[int, ...] = ()
    draws: int = 0
    floor: int = 0
    """How many entries can never be taken back: draws were shown, set-ups were made."""
    outcome: Outcome | None = None
    stirred: datetime | None = None
    """When something last happened, by the steady clock."""
    drift: timedelta = timedelta()
    """By how much the machine's clock has gone ahead of that since, as while the bot was down."""
    ended: datetime | None = None
    """When the game ended the last time, by the steady clock."""
    closed: str = ""
    """Why the table was closed: cancelled, declined, expired, idle, managed or aborted."""
    closer: Player | None = None
    """Who closed it; nobody, if that was the clock."""
    by_rule: bool = field(default=False)
    """Whether the game ended by its own rules, and not by resignation or agreement."""
    control: str = ""
    """The time control, nothing where there is none."""
    clock: GameClock | None = None
    """The clock of a game that has begun."""
    match: Match | None = None
    """The match of which this is a game, as it stood before it; ``None`` for a single game."""
    rated: bool = False
    """Whether the game counts for the ratings, or will once it has begun."""
    casual: str = ""
    """Why it does not, a word of ``bot.session.rated.Casual``; "" where nobody wished it to."""
    tournament: str = ""
    """The code of the tournament of which it is a game; "" for any other."""
    start: str = ""
    """What writes the position that the game began from; "" where that is the usual one."""
    stand_in: int = 0
    """The level of computers that sit down where nobody comes soon; 0 for none."""
    computer_clock: bool = False
    """Whether the time of computers counts as people's does, in a game of two."""
    shifts: Mapping[Seat, Shift] = field(default_factory=dict)
    """What the ended game made of the ratings of its people, which no event says."""
    medals: Mapping[Seat, tuple[Medal, ...]] = field(default_factory=dict)
    """What people were given at its end, which no event says."""
    uncounted: Player | None = None
    """Who has taken the ended game out of the ratings, a manager of its place."""
    ruling: ManagerRuling | None = None
    """What the manager of its tournament has decided about the game."""
    gone: tuple[Seat, ...] = ()
    """The seats whose players have left, in that order; a computer plays on for each."""
    absent: tuple[Seat, ...] = ()
    """Those of them who had not come."""
    record: Record | None = None
    """What was read of a game from a file; ``None`` for one that is played here."""

    @property
    def present(self) -> Position[Any]:
        """The position now; raises ``ValueError`` before the game starts."""
        if self.position is None:
            raise ValueError(f"table {self.code} has not started")
        return self.position

    @property
    def setting(self) -> Setting:
        """What the game started from."""
        sides = tuple(player.side or "" for player in self.players)
        return Setting(sides, self.options, self.first, self.start)

    @property
    def chance_words(self) -> str:
        """The players' words as they enter every draw."""
        return "/".join(self.words)

    @property
    def leavers(self) -> frozenset[Seat]:
        """The seats among three or four whose players have left, so that a computer plays on.

        They come last whatever it achieves. Between two, its result counts.
        """
        if len(self.players) == 2:
            return frozenset()
        return frozenset(n for n, player in enumerate(self.players) if player.left is not None)

    @property
    def seeks(self) -> bool:
        """Whether anybody may sit down: nobody is challenged, and a chair is free."""
        return self.status == OPEN and self.vacant > 0 and not any(p.invited for p in self.players)

    @property
    def vacant(self) -> int:
        """How many chairs are free."""
        return sum(not player.is_seated for player in self.players)

    @property
    def has_open_stakes(self) -> bool:
        """Whether its host may still choose whether the game counts: nobody else sits there yet."""
        seated = sum(player.is_seated for player in self.players)
        return self.status == OPEN and seated < 2 and not self.tournament

    @property
    def missed(self) -> frozenset[Seat]:
        """The seats of the players who cannot be called any more, while the game is played."""
        if self.status != PLAYING:
            return frozenset()
        return frozenset(n for n, player in enumerate(self.players) if player.absence is not None)

    @property
    def uncalled(self) -> frozenset[Seat]:
        """The seats of challenged people who cannot be called any more, before they answer."""
        if self.status != OPEN:
            return frozenset()
        invited = ((n, player) for n, player in enumerate(self.players) if player.invited)
        return frozenset(n for n, player in invited if player.absence is not None)

    def misses(self, person: int) -> bool:
        """Whether *person* plays here, or is challenged to, and cannot be called any more."""
        seat = self.seat_of(person)
        return seat is not None and seat in self.missed | self.uncalled

    @property
    def forsaken(self) -> Seat | None:
        """The seat of the only person who is still there, where all others are missed."""
        people = {n for n, player in enumerate(self.players) if player.person is not None}
        there = people - self.missed
        return min(there) if self.missed and len(there) == 1 else None

    @property
    def loser(self) -> Seat | None:
        """The seat in last place, if it is alone there."""
        places = self.outcome.places if self.outcome is not None else ()
        last = places[-1] if len(places) > 1 else frozenset()
        return min(last) if len(last) == 1 else None

    @property
    def match_now(self) -> Match | None:
        """The match with this game, once that is over; one to be played again is none of it."""
        if self.match is None or self.outcome is None or self.outcome.is_replayed:
            return self.match
        return self.match.after(self.outcome, len(self.players))

    @property
    def match_goes_on(self) -> bool:
        """Whether another game of the match follows this one."""
        match = self.match_now
        return match is not None and not match.is_decided

    @property
    def competes(self) -> bool:
        """Whether a game is played that counts for the ratings: nobody gets help in it."""
        return self.rated and self.status == PLAYING

    def seat_of(self, person: int | None) -> Seat | None:
        """The chair of *person*, if they sit (or were invited to sit) here."""
        if person is None:
            return None
        return next((n for n, player in enumerate(self.players) if player.person == person), None)

    def others(self, seats: Collection[Seat | None]) -> tuple[Who, ...]:
        """Who else than those in *seats* sits here, or is invited to."""
        taken = (n for n, one in enumerate(self.players) if one.is_seated or one.invited)
        return tuple(Who(n) for n in taken if n not in seats)

    def names(self) -> dict[Seat, str]:
        """The players' names by seat, without empty chairs and computers."""
        return {n: p.name for n, p in enumerate(self.players) if p.person is not None}

    def actors(self) -> frozenset[Seat]:
        """The seats that may move now; empty unless the game is being played."""
        return self._actors

    @cached_property
    def _actors(self) -> frozenset[Seat]:
        # Asked for with every button, and a game may have to look at its whole board.
        if self.status != PLAYING or self.position is None:
            return frozenset()
        return self.position.actors() - {CHANCE}

    def timed(self) -> frozenset[Seat]:
        """The seats whose time runs: one player must decide who has a clock, and no set-up."""
        actors = self.actors()
        if len(actors) != 1:
            return frozenset()
        (seat,) = actors
        return frozenset() if not self.has_clock(seat) or self.present.overdue(seat) else actors

    def has_clock(self, seat: Seat) -> bool:
        """Whether the time of *seat* counts: a person's, and a computer's where it is to."""
        return (self.computer_clock and len(self.players) == 2) or self.players[seat].level is None

    def computers_to_move(self) -> tuple[Seat, ...]:
        """The seats of computers that may move now."""
        return tuple(s for s in sorted(self.actors()) if self.players[s].level is not None)

    def may_ask(self, seat: Seat) -> bool:
        """Whether *seat* may have a hint: against computers alone, or where *hints* allows it."""
        if self.competes:
            return False
        others = (player for n, player in enumerate(self.players) if n != seat)
        return self.hints or all(one.person is None for one in others)

    def claimant(self) -> Seat | None:
        """The seat whose claim waits for its verdict, if one does."""
        if self.status != PLAYING or self.position is None or self.game.rules.judge is None:
            return None
        seats = range(len(self.players))
        return next((seat for seat in seats if self.position.rulings(seat)), None)

    def running_out(
        self, away: Mapping[Seat, Sequence[Span]] | None = None
    ) -> tuple[Seat, int] | None:
        """The seat whose time runs, and the last instant that counts, as far as can be foreseen.

        *away* is when players cannot be reached, where more is known of it than of their holidays.
        """
        seat = None if self.clock is None else self.clock.running_out()
        if self.clock is None or seat is None:
            return None
        spans = self.players[seat].away if away is None else away.get(seat, ())
        end = self.clock.ends(seat, spans)
        return None if end is None else (seat, end)

    def offered(self, kind: str) -> Offer | None:
        """The offer of *kind* that still stands."""
        return next((offer for offer in self.offers if offer.kind == kind), None)

    def last_choice(self, seat: Seat) -> HistoryEntry | None:
        """What *seat* chose last, if it is still among what is recent."""
        return next((one for one in reversed(self.recent) if one.seat == seat and one.chosen), None)

    def undo_to(self, seat: Seat) -> int | None:
        """How many entries remain when *seat* takes its last choice back, if it may."""
        if self.competes or not self.game.rules.takes_back(self.options):
            return None
        for back, entry in enumerate(reversed(self.log[self.floor :]), 1):
            # What was forced would be forced again.
            free = back > len(self.recent) or self.recent[-back].chosen
            if entry.seat == seat and free and not entry.aside:
                return len(self.log) - back
        return None

    def people(self) -> frozenset[int]:
        """Every person of the table: host, players, invited, those who have left, its managers."""
        by = None if self.ruling is None else self.ruling.by
        known = (*self.players, *filter(None, (self.uncounted, self.closer, by)))
        found = {person for player in known for person in (player.person, player.left)}
        found.add(self.host)
        return frozenset(person for person in found if person is not None)

    def called(
        self,
        known: Mapping[int, PersonName],
        away: Mapping[int, tuple[Span, ...]] | None = None,
        now: int = 0,
    ) -> Table:
        """The table with its people as they are *known* now, by the ids that its events say.

        *away* is when who is or was on holiday, of which those are told that are not over *now*.
        """

        def same(person: int | None) -> int | None:
            return person if person is None or person not in known else known[person].person

        def introduced(player: Player) -> Player:
            found = known.get(player.person or player.left or 0)
            person, left, name = same(player.person), same(player.left), found.name if found else ""
            days = () if away is None or person is None else away.get(person, ())
            resting = next((end for start, end in days if start <= now < end), None)
            whose = known.get(found.owner) if found and found.owner is not None else None
            changed = replace(player, person=person, left=left, name=name)
            changed = replace(changed, away=days, resting=resting)
            changed = replace(changed, owner=whose.name if whose else "")
            return player if changed == player else changed

        players = tuple(map(introduced, self.players))
        host = same(self.host) or self.host
        uncounted, closer = (one and introduced(one) for one in (self.uncounted, self.closer))
        ruling = self.ruling and replace(self.ruling, by=introduced(self.ruling.by))
        known_so = (self.host, self.players, self.uncounted, self.closer, self.ruling)
        if (host, players, uncounted, closer, ruling) == known_so:
            return self
        called = replace(self, players=players, host=host, uncounted=uncounted)
        return replace(called, closer=closer, ruling=ruling)
