"""One table as an immutable value: a fold over its events. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Final, assert_never

from bot.table import events
from bot.table.controls import read_control
from bot.table.events import Event, OfferKind, UnreadableEvent, Written, decode
from bot.table.game_clock import GameClock, instant
from bot.table.told import KEPT, Told, kept
from bot.texts import language
from games.core import CHANCE, Entry, Game, Outcome, Position, RuleError, Seat, Setting, replay
from games.core.log import read_entry
from games.core.shelf import find_game
from storage.records import EventRow, Named, Status

OPEN: Final = "open"
PLAYING: Final = "playing"
ENDED: Final = "ended"
CLOSED: Final = "closed"


class BrokenTable(Exception):
    """The table *code* cannot be read or played again, an operator's matter.

    *event* is the number of the event at which it broke, ``None`` where none is to blame;
    *why* says it in English.
    """

    def __init__(self, code: str, event: int | None, why: str) -> None:
        super().__init__(code, event, why)
        self.code = code
        self.event = event
        self.why = why

    def __str__(self) -> str:
        at = "" if self.event is None else f" at event {self.event}"
        return f"table {self.code} cannot be read{at}: {self.why}"


@dataclass(frozen=True)
class Player:
    """Who sits in a chair: a person, a computer of a *level*, or nobody yet.

    *side* is the side wished for until the game starts, then the side played. *invited*
    marks a person who was challenged and has not accepted. *left* is the person for whom a
    computer took over. *name* is what the person is called now, which no event says.
    """

    person: int | None = None
    name: str = ""
    level: int | None = None
    side: str | None = None
    invited: bool = False
    left: int | None = None

    @property
    def seated(self) -> bool:
        """Whether the chair is taken by somebody who will play."""
        return (self.person is not None or self.level is not None) and not self.invited


@dataclass(frozen=True)
class Offer:
    """What *seat* has offered and nobody has answered, or not yet all; *agreed* are those who have.

    A rematch waits for everybody, a draw and a take-back for one.
    """

    kind: OfferKind
    seat: Seat
    agreed: frozenset[Seat] = frozenset()


@dataclass(frozen=True)
class Table:
    """A table: who sits at it, what is played, and how far the game is.

    *version* is the number of the last event. *turns* holds, by seat, the number of the
    last event that changed what the seat may do: a button made under an older one is stale.
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
    """Whether players may ask the house what it thinks (``may_ask``)."""
    status: Status = OPEN
    parent: str | None = None
    child: str | None = None
    lot: tuple[int, int] | None = None
    chairs: tuple[int, ...] = ()
    """By seat, the chair of the open table in which the player sat."""
    first: Seat = 0
    words: tuple[str, ...] = ()
    next_words: tuple[tuple[Seat, str], ...] = ()
    """Who has said which words for the draws of the rematch."""
    secret: bytes | None = None
    log: tuple[Entry, ...] = ()
    position: Position[Any] | None = None
    recent: tuple[Told, ...] = ()
    proofs: tuple[tuple[int, tuple[str, ...]], ...] = ()
    """What shows the verdicts on claims, by their places in the log."""
    offers: tuple[Offer, ...] = ()
    turns: tuple[int, ...] = ()
    draws: int = 0
    floor: int = 0
    """How many entries can never be taken back: draws were shown, set-ups were made."""
    outcome: Outcome | None = None
    stirred: datetime | None = None
    """When something last happened, by the steady clock."""
    ended: datetime | None = None
    """When the game ended the last time, by the steady clock."""
    closed: str = ""
    """Why the table was closed: cancelled, declined, expired, idle or managed."""
    closer: Seat | None = None
    """The seat that closed it, if one did."""
    by_rule: bool = field(default=False)
    """Whether the game ended by its own rules, and not by resignation or agreement."""
    control: str = ""
    """The time control, nothing where there is none."""
    clock: GameClock | None = None
    """The clock of a game that has begun."""

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
        return Setting(sides, self.options, self.first)

    @property
    def chance_words(self) -> str:
        """The players' words as they enter every draw."""
        return "/".join(self.words)

    @property
    def leavers(self) -> frozenset[Seat]:
        """The seats whose players have left, so that a computer plays on."""
        return frozenset(n for n, player in enumerate(self.players) if player.left is not None)

    def seat_of(self, person: int | None) -> Seat | None:
        """The chair of *person*, if he sits (or was invited to sit) here."""
        if person is None:
            return None
        chairs = (n for n, player in enumerate(self.players) if player.person == person)
        return next(chairs, None)

    def names(self) -> dict[Seat, str]:
        """The players' names by seat, without empty chairs and computers."""
        return {n: p.name for n, p in enumerate(self.players) if p.person is not None}

    def actors(self) -> frozenset[Seat]:
        """The seats that may move now; empty unless the game is being played."""
        if self.status != PLAYING or self.position is None:
            return frozenset()
        return self.position.actors() - {CHANCE}

    def timed(self) -> frozenset[Seat]:
        """The seats whose time runs: whoever must decide alone, computers and set-ups apart."""
        actors = self.actors()
        if len(actors) != 1:
            return frozenset()
        (seat,) = actors
        timeless = self.players[seat].level is not None or self.present.overdue(seat)
        return frozenset() if timeless else actors

    def computers_to_move(self) -> tuple[Seat, ...]:
        """The seats of computers that may move now."""
        return tuple(s for s in sorted(self.actors()) if self.players[s].level is not None)

    def may_ask(self, seat: Seat) -> bool:
        """Whether *seat* may have the house's opinion of the game that is being played.

        So where it plays against computers alone, or the table was opened so.
        """
        others = (player for n, player in enumerate(self.players) if n != seat)
        return self.hints or all(one.person is None for one in others)

    def claimant(self) -> Seat | None:
        """The seat whose claim waits for its verdict, if one does."""
        if self.status != PLAYING or self.position is None or self.game.judge is None:
            return None
        seats = range(len(self.players))
        return next((seat for seat in seats if self.position.rulings(seat)), None)

    def offered(self, kind: str) -> Offer | None:
        """The offer of *kind* that still stands."""
        return next((offer for offer in self.offers if offer.kind == kind), None)

    def undo_to(self, seat: Seat) -> int | None:
        """How many entries remain when *seat* takes its last choice back, if it may."""
        if not self.game.takes_back(self.options):
            return None
        for index in range(len(self.log) - 1, self.floor - 1, -1):
            entry = self.log[index]
            if entry.seat == seat and not entry.aside:
                return index
        return None

    def people(self) -> frozenset[int]:
        """Every person who is named here: the host, who plays, was asked to, or has left."""
        found = {person for player in self.players for person in (player.person, player.left)}
        found.add(self.host)
        return frozenset(person for person in found if person is not None)

    def called(self, known: Mapping[int, Named]) -> Table:
        """The table with its people as they are *known* now, by the ids that its events say."""

        def same(person: int | None) -> int | None:
            return person if person is None or person not in known else known[person].person

        players = []
        for player in self.players:
            found = known.get(player.person or player.left or 0)
            person, left, name = same(player.person), same(player.left), found.name if found else ""
            players.append(replace(player, person=person, left=left, name=name))
        host = same(self.host) or self.host
        if host == self.host and tuple(players) == self.players:
            return self
        return replace(self, players=tuple(players), host=host)

    def after(self, written: Written) -> Table:
        """The table once something more has happened."""
        changed, steady = _after(self, written.event), written.steady or written.at
        if isinstance(written.event, events.Ended):
            changed = replace(changed, ended=steady)
        if changed.clock is not None:
            now = instant(steady)
            clock = changed.clock.after(written.event, now, changed.log)
            changed = replace(changed, clock=clock.running(changed.timed(), now))
        turns = _turns(self, changed, written)
        return replace(
            changed, version=written.number, touched=written.at, stirred=steady, turns=turns
        )


def table_of(
    code: str, rows: Iterable[EventRow], parent: str | None = None, base: Table | None = None
) -> Table:
    """The table that *rows* make, all that followed *base*; raises ``BrokenTable``."""
    table = base
    for number, row in enumerate(rows, 1 if base is None else base.version + 1):
        if row.number != number:
            raise BrokenTable(code, number, f"event {row.number} stands in its place")
        try:
            written = decode(row)
            table = opened(code, written, parent) if table is None else table.after(written)
        except UnreadableEvent as wrong:
            raise BrokenTable(code, number, wrong.why) from wrong
        except Exception as wrong:  # whatever the rules raise over what they cannot read
            raise BrokenTable(code, number, _reason(row, wrong)) from wrong
    if table is None:
        raise BrokenTable(code, None, "it has no events")
    return table


def _reason(row: EventRow, wrong: Exception) -> str:
    said = str(wrong)
    if isinstance(wrong, RuleError):
        said = language("en").say(wrong.phrase)
    return f"{row.kind} {row.text!r}: {said or type(wrong).__name__}"


def opened(code: str, written: Written, parent: str | None = None) -> Table:
    """The table that its first event makes."""
    event = written.event
    if not isinstance(event, events.Opened):
        raise ValueError("the first event does not open the table")
    game = find_game(event.game)
    if event.rules > game.rules_version:
        raise ValueError(f"rules {event.rules} of {game.key} are newer than {game.rules_version}")
    return Table(
        code=code,
        game=game,
        options=game.chosen(event.options),
        begins=event.begins,
        host=event.host,
        players=tuple(Player() for _ in range(event.seats)),
        commitment=event.commitment,
        hints=event.hints,
        created=written.at,
        touched=written.at,
        stirred=written.steady or written.at,
        version=written.number,
        parent=parent,
        turns=(written.number,) * event.seats,
        control=event.clock,
    )


def _after(table: Table, event: Event) -> Table:  # noqa: C901 - one case a kind
    match event:
        case events.Opened():
            raise ValueError("the table is open already")
        case events.Sat(seat, person, level, side, invited):
            return _with_player(table, seat, Player(person, "", level, side, invited))
        case events.Stood(seat):
            return _with_player(table, seat, Player())
        case events.Worded(seat, words) if table.status == ENDED:
            return replace(table, next_words=(*table.next_words, (seat, words)))
        case events.Worded(_, words):
            return replace(table, words=(*table.words, words))
        case events.Started():
            return _started(table, event)
        case events.Moved(seat, text, forced, hurried):
            return _played(table, Entry(seat, text), chosen=not forced, hurried=hurried)
        case events.Drawn(text, draw):
            return _played(table, Entry(CHANCE, text, draw=draw), chosen=False)
        case events.Said(seat, text):
            return _played(table, Entry(seat, text, aside=True), chosen=False)
        case events.Judged(seat, text, line):
            proofs = (*table.proofs, (len(table.log), line))
            played = _played(table, Entry(seat, text, aside=True), chosen=False)
            return replace(played, proofs=proofs)
        case events.Offered(seat, kind):
            kept = tuple(offer for offer in table.offers if offer.kind != kind)
            return replace(table, offers=(*kept, Offer(kind, seat, frozenset({seat}))))
        case events.Answered(seat, OfferKind.REMATCH, accepted=True):
            offers = (replace(offer, agreed=offer.agreed | {seat}) for offer in table.offers)
            return replace(table, offers=tuple(offers))
        case events.Answered(_, kind):
            return _without_offer(table, kind)
        case events.Undone(_, count):
            return replace(_replayed(table, table.log[:count]), offers=())
        case events.Left(seat, level):
            old = table.players[seat]
            substitute = replace(old, person=None, level=level, left=old.person)
            return _with_player(table, seat, substitute)
        case events.Ended(by_rule=by_rule):
            return replace(table, status=ENDED, outcome=event.outcome, by_rule=by_rule, offers=())
        case events.Revealed(secret):
            return replace(table, secret=secret)
        case events.Rematched(child):
            return replace(_without_offer(table, OfferKind.REMATCH), child=child)
        case events.Closed(why, seat):
            return replace(table, status=CLOSED, offers=(), closed=why, closer=seat)
        case events.Paused() | events.Resumed():
            return _without_offer(table, OfferKind.PAUSE)
        case events.GivenBack() | events.Overstepped() | events.Granted() | events.Flagged():
            return table
        case events.Rested() | events.Returned():
            return table
        case other:
            assert_never(other)


def _with_player(table: Table, seat: Seat, player: Player) -> Table:
    players = tuple(player if n == seat else old for n, old in enumerate(table.players))
    return replace(table, players=players)


def _without_offer(table: Table, kind: OfferKind) -> Table:
    return replace(table, offers=tuple(o for o in table.offers if o.kind != kind))


def _started(table: Table, event: events.Started) -> Table:
    players = tuple(
        replace(table.players[chair], side=side)
        for chair, side in zip(event.chairs, event.sides, strict=True)
    )
    control = read_control(table.control)
    seated = replace(
        table,
        clock=None if control is None else GameClock.of(control, len(players)),
        players=players,
        status=PLAYING,
        chairs=event.chairs,
        first=event.first,
        lot=event.lot,
        draws=0 if event.lot is None else 1,
        turns=table.turns[: len(players)],
    )
    return replace(seated, position=table.game.start(seated.setting))


def _replayed(table: Table, log: tuple[Entry, ...]) -> Table:
    """The table as it was when *log* was all that had happened."""
    game, far = table.game, max(0, len(log) - KEPT)
    position = replay(game, game.start(table.setting), log[:far])
    told: tuple[Told, ...] = ()
    for entry in log[far:]:
        move = read_entry(game, position, entry)
        forced = len(position.actors()) == 1 and position.forced(entry.seat) is not None
        chosen = not (entry.aside or entry.seat == CHANCE or forced)
        told = kept((*told, Told(position, entry.seat, move, chosen)), range(len(table.players)))
        position = position.after(move)
    proofs = tuple(one for one in table.proofs if one[0] < len(log))
    return replace(table, log=log, position=position, recent=told, proofs=proofs)


def _played(table: Table, entry: Entry, *, chosen: bool, hurried: bool = False) -> Table:
    """The table after *entry*; *chosen* says that the player had a choice."""
    seat, before = entry.seat, table.present
    move = read_entry(table.game, before, entry)
    position = before.after(move)
    told = Told(before, seat, move, chosen, hurried)
    log = (*table.log, entry)
    final = seat == CHANCE or len(before.actors()) > 1
    played = replace(
        table,
        log=log,
        floor=len(log) if final else table.floor,
        position=position,
        recent=kept((*table.recent, told), range(len(table.players))),
        draws=table.draws if entry.draw is None else entry.draw + 1,
    )
    if entry.aside:
        if table.status == ENDED and position.outcome() is None:
            return replace(played, status=PLAYING, outcome=None)
        return played
    return replace(played, offers=()) if seat != CHANCE else played


_TURNLESS = (
    *(events.Offered, events.Answered, events.Worded, events.Revealed, events.Rematched),
    *(events.GivenBack, events.Overstepped, events.Granted, events.Flagged),
    *(events.Paused, events.Resumed, events.Rested, events.Returned),
)
"""What changes nothing of what a seat may do."""

_ACTED = (events.Moved, events.Said, events.Left, events.Closed)


def _turns(before: Table, after: Table, written: Written) -> tuple[int, ...]:
    """By seat, the number of the last event that changed what the seat may do."""
    old, event, number = before.turns, written.event, written.number
    if isinstance(event, _TURNLESS):
        return old
    anew = isinstance(event, events.Undone | events.Ended)
    if before.position is None or after.position is None or anew:
        return (number,) * len(after.players)
    mover = event.seat if isinstance(event, _ACTED) else None
    was, now = before.position.actors(), after.position.actors()
    moves = (before.position.legal_moves, after.position.legal_moves)
    return tuple(
        number
        if (seat in was) != (seat in now)
        or (seat in now and (mover == seat or moves[0](seat) != moves[1](seat)))
        else old[seat]
        for seat in range(len(after.players))
    )
