"""One table as an immutable value: a fold over its events. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Final

from bot.texts import language
from games.core import CHANCE, Entry, Game, Outcome, Position, RuleError, Seat, Setting, replay
from games.core.log import read_entry
from games.core.shelf import find_game
from storage.records import EventRow, Status

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
    marks a person who was challenged and has not accepted. *left* is set where a computer
    took over.
    """

    person: int | None = None
    name: str = ""
    level: int | None = None
    side: str | None = None
    invited: bool = False
    left: bool = False

    @property
    def seated(self) -> bool:
        """Whether the chair is taken by somebody who will play."""
        return (self.person is not None or self.level is not None) and not self.invited


@dataclass(frozen=True)
class Told:
    """Something that happened: *move* was played by *seat* (or ``CHANCE``) in *before*."""

    before: Position[Any]
    seat: Seat
    move: Any


@dataclass(frozen=True)
class Offer:
    """What *seat* has offered and nobody has answered: ``draw``, ``undo`` or ``rematch``."""

    kind: str
    seat: Seat


@dataclass(frozen=True)
class Table:
    """A table: who sits at it, what is played, and how far the game is.

    *version* is the number of the last event. *turns* holds, by seat, the number of the
    last event that changed what the seat may do: a button made under an older one is stale.
    *recent* is what happened since a player with a choice took over from another.
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
    status: Status = OPEN
    parent: str | None = None
    child: str | None = None
    lot: tuple[int, int] | None = None
    first: Seat = 0
    words: tuple[str, ...] = ()
    secret: bytes | None = None
    log: tuple[Entry, ...] = ()
    position: Position[Any] | None = None
    recent: tuple[Told, ...] = ()
    offers: tuple[Offer, ...] = ()
    turns: tuple[int, ...] = ()
    draws: int = 0
    floor: int = 0
    """How many entries can never be taken back: draws were shown, set-ups were made."""
    outcome: Outcome | None = None
    by_rule: bool = field(default=False)
    """Whether the game ended by its own rules, and not by resignation or agreement."""

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

    def seat_of(self, person: int | None) -> Seat | None:
        """The chair of *person*, if he sits (or was invited to sit) here."""
        if person is None:
            return None
        chairs = (n for n, player in enumerate(self.players) if player.person == person)
        return next(chairs, None)

    def seats_of(self, person: int) -> tuple[Seat, ...]:
        """Every chair of *person*."""
        return tuple(n for n, player in enumerate(self.players) if player.person == person)

    def names(self) -> dict[Seat, str]:
        """The players' names by seat, without empty chairs and computers."""
        return {n: p.name for n, p in enumerate(self.players) if p.person is not None}

    def actors(self) -> frozenset[Seat]:
        """The seats that may move now; empty unless the game is being played."""
        if self.status != PLAYING or self.position is None:
            return frozenset()
        return self.position.actors() - {CHANCE}

    def computers_to_move(self) -> tuple[Seat, ...]:
        """The seats of computers that may move now."""
        return tuple(s for s in sorted(self.actors()) if self.players[s].level is not None)

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

    def after(self, event: EventRow) -> Table:
        """The table once *event* has happened."""
        changed = _after(self, event)
        turns = _turns(self, changed, event)
        return replace(changed, version=event.number, touched=event.at, turns=turns)


def table_of(code: str, events: Iterable[EventRow], parent: str | None = None) -> Table:
    """The table that *events*, all of them in order, make; raises ``BrokenTable``."""
    table = None
    for number, event in enumerate(events, 1):
        if event.number != number:
            raise BrokenTable(code, number, f"event {event.number} stands in its place")
        try:
            table = opened(code, event, parent) if table is None else table.after(event)
        except Exception as wrong:  # whatever the rules raise over what they cannot read
            raise BrokenTable(code, number, _reason(event, wrong)) from wrong
    if table is None:
        raise BrokenTable(code, None, "it has no events")
    return table


def _reason(event: EventRow, wrong: Exception) -> str:
    said = str(wrong)
    if isinstance(wrong, RuleError):
        said = language("en").say(wrong.phrase)
    return f"{event.kind} {event.text!r}: {said or type(wrong).__name__}"


def opened(code: str, event: EventRow, parent: str | None = None) -> Table:
    """The table that an ``open`` event makes."""
    if event.kind != "open":
        raise ValueError("the first event does not open the table")
    data = _data(event)
    game = find_game(data["game"])
    rules = data.get("rules", 1)
    if rules > game.rules_version:
        raise ValueError(f"rules {rules} of {game.key} are newer than {game.rules_version}")
    return Table(
        code=code,
        game=game,
        options=game.chosen(data["options"]),
        begins=data["begins"],
        host=data["host"],
        players=tuple(Player() for _ in range(data["seats"])),
        commitment=data["commitment"],
        created=event.at,
        touched=event.at,
        version=event.number,
        parent=parent,
        turns=(event.number,) * data["seats"],
    )


def _data(event: EventRow) -> Mapping[str, Any]:
    if not isinstance(event.data, Mapping):
        raise ValueError("its data are not an object")
    return event.data


def _after(table: Table, event: EventRow) -> Table:
    data = _data(event)
    seat = event.seat if event.seat is not None else CHANCE
    match event.kind:
        case "sit":
            return _with_player(table, seat, Player(**data))
        case "stand":
            return _with_player(table, seat, Player())
        case "words":
            return replace(table, words=(*table.words, event.text))
        case "start":
            return _started(table, data)
        case "move" | "draw" | "aside":
            return _played(table, event, seat)
        case "offer":
            kept = tuple(offer for offer in table.offers if offer.kind != event.text)
            return replace(table, offers=(*kept, Offer(event.text, seat)))
        case "answer":
            return _without_offer(table, event.text)
        case "undo":
            log = table.log[: data["to"]]
            position = replay(table.game.start(table.setting), log)
            return replace(table, log=log, position=position, recent=(), offers=())
        case "leave":
            player = replace(table.players[seat], person=None, level=data["level"], left=True)
            return _with_player(table, seat, player)
        case "end":
            places = tuple(frozenset(place) for place in data["places"])
            outcome = Outcome(event.text, places)
            by_rule = bool(data["rule"])
            return replace(table, status=ENDED, outcome=outcome, by_rule=by_rule, offers=())
        case "reveal":
            return replace(table, secret=bytes.fromhex(event.text))
        case "rematch":
            return replace(_without_offer(table, "rematch"), child=event.text)
        case "close":
            return replace(table, status=CLOSED, offers=())
        case other:
            raise ValueError(f"table {table.code}: no event is called {other}")


def _with_player(table: Table, seat: Seat, player: Player) -> Table:
    players = tuple(player if n == seat else old for n, old in enumerate(table.players))
    return replace(table, players=players)


def _without_offer(table: Table, kind: str) -> Table:
    return replace(table, offers=tuple(o for o in table.offers if o.kind != kind))


def _started(table: Table, data: Mapping[str, Any]) -> Table:
    players = tuple(
        replace(table.players[chair], side=side)
        for chair, side in zip(data["chairs"], data["sides"], strict=True)
    )
    lot = data["lot"]
    seated = replace(
        table,
        players=players,
        status=PLAYING,
        first=data["first"],
        lot=None if lot is None else (lot[0], lot[1]),
        draws=0 if lot is None else 1,
        turns=table.turns[: len(players)],
    )
    return replace(seated, position=table.game.start(seated.setting))


def _played(table: Table, event: EventRow, seat: Seat) -> Table:
    number = _data(event).get("draw")
    draw = number if isinstance(number, int) else None
    entry = Entry(seat, event.text, aside=event.kind == "aside", draw=draw)
    before = table.present
    move = read_entry(before, entry)
    position = before.after(move)
    told = Told(before, seat, move)
    mover = next((one.seat for one in reversed(table.recent) if one.seat != CHANCE), None)
    goes_on = seat in (CHANCE, mover) or bool(_data(event).get("forced"))
    log = (*table.log, entry)
    final = seat == CHANCE or len(before.actors()) > 1
    played = replace(
        table,
        log=log,
        floor=len(log) if final else table.floor,
        position=position,
        recent=(*table.recent, told)[-24:] if goes_on else (told,),
        draws=table.draws if draw is None else draw + 1,
    )
    if entry.aside:
        if table.status == ENDED and position.outcome() is None:
            return replace(played, status=PLAYING, outcome=None)
        return played
    return replace(played, offers=()) if seat != CHANCE else played


def _turns(before: Table, after: Table, event: EventRow) -> tuple[int, ...]:
    """By seat, the number of the last event that changed what the seat may do."""
    old = before.turns
    if event.kind in ("offer", "answer", "words", "reveal", "rematch"):
        return old
    if before.position is None or after.position is None or event.kind in ("undo", "end"):
        return (event.number,) * len(after.players)
    was, now = before.position.actors(), after.position.actors()
    moves = (before.position.legal_moves, after.position.legal_moves)
    return tuple(
        event.number
        if (seat in was) != (seat in now)
        or (seat in now and (event.seat == seat or moves[0](seat) != moves[1](seat)))
        else old[seat]
        for seat in range(len(after.players))
    )
