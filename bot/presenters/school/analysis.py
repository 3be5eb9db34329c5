"""Analysis in words: hints, odds, reviews and what-if boards. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, takewhile
from typing import Any

from bot.port import Button, Screen
from bot.presenters.button_codes import Action
from bot.presenters.table.composer import Composer
from bot.presenters.table.move_history import replayed
from bot.presenters.table.record_and_draw_proof import RECORD, record_of
from bot.session.computer_resignation_and_draws import Opinion
from bot.session.opened_file import is_from_file
from bot.session.table import Table
from bot.session.visibility import VisibleTable, public
from games.core import (
    CHANCE,
    Game,
    Phrase,
    Position,
    Record,
    Seat,
    Who,
    phrase,
    read_move,
    verbatim,
)
from games.core.advice import Review, Weighed
from games.core.annotations import (
    MARK,
    NOTE,
    Branch,
    annotation_tags,
    annotations_of,
    branches_of,
)
from games.core.move_parsing import play_along, read_entry
from games.core.record import CHECK
from games.core.record_verification import provable
from render.scene import Last

MOST_DECISIONS = 5
"""How many costly decisions of a game are shown."""

LINE = 3
"""How many moves are told that would have followed the better one."""

GRAVE = 0.12
"""How much a costly decision gives away at least, from 0 to 2."""

PRACTISE, TRY, FILM = "practise", "try", "film"
"""End the paths of buttons that keep all moments of a seat, let one be tried, and film it.

The key of a format ends that of a button which writes the review in it.
"""

DEVIATIONS = 1.96
"""So many deviations to either side the chances are told for sure: 95 times of a hundred."""

CLEAR, SLIGHT = 0.5, 0.15
"""The values from which a seat stands much better, and better."""


def hinted(table: Table, seat: Seat, opinion: Opinion) -> Phrase:
    """The best move of *seat*, and why."""
    position, speech = VisibleTable(table, seat).position, table.game.speech
    move = read_move(table.game, position, seat, opinion.move)
    if len(position.legal_moves(seat)) == 1:
        return phrase("house.hint.only", what=speech.spoken(position, move))
    said = phrase("house.hint", what=hinted_reason(table, seat, opinion), why=_reason(opinion))
    reply = _best_reply(table, position, seat, move, opinion)
    return said if reply is None else phrase("house.hint.reply", hint=said, reply=reply)


def hinted_reason(table: Table, seat: Seat, opinion: Opinion) -> Phrase:
    """The best move of *seat*, with what it is good for where that can be said."""
    position = VisibleTable(table, seat).position
    return _because(table.game, position, seat, read_move(table.game, position, seat, opinion.move))


def hinted_cells(table: Table, seat: Seat, opinion: Opinion) -> tuple[str, ...]:
    """The cells of the picture that the best move of *seat* and its reason are about."""
    position = VisibleTable(table, seat).position
    return _cells(table.game, position, seat, read_move(table.game, position, seat, opinion.move))


def _cells(game: Game, position: Position[Any], seat: Seat, move: Any) -> tuple[str, ...]:
    """The cells from and to which *move* goes, and those that its reason is about."""
    menus = game.menus
    landing = menus.landing(position, move)
    ends = (landing[0],) if landing is not None else ()
    cells = (*menus.steps(position, move), *(menus.motion(position, move) or ()), *ends)
    reason = game.asking.reason(position, seat, move)
    return tuple(dict.fromkeys((*cells, *(reason.cells if reason is not None else ()))))


def _way(game: Game, before: Position[Any], move: Any) -> tuple[tuple[Any, str], ...]:
    """What *move* moves: the position *before* with its cell there, and the one after with its."""
    seen = public(before), public(before.after(move))
    return tuple(zip(seen, game.menus.motion(before, move) or (), strict=False))


def _because(game: Game, position: Position[Any], seat: Seat, move: Any) -> Phrase:
    """*move* of *seat* in words, with what it is good for where that can be said."""
    what, reason = game.speech.spoken(position, move), game.asking.reason(position, seat, move)
    return what if reason is None else phrase("house.because", what=what, reason=reason.words)


def _reason(opinion: Opinion) -> Phrase:
    moves, value = (len(opinion.line) + 1) // 2, opinion.value
    if opinion.exact and value > 0:
        return phrase("house.hint.wins", n=max(1, moves))
    if opinion.exact:
        return phrase("house.hint.holds" if value < 0 else "house.hint.draws")
    if abs(value) < SLIGHT:
        return phrase("house.hint.even")
    much = "much-" if abs(value) >= CLEAR else ""
    return phrase(f"house.hint.{much}{'better' if value > 0 else 'worse'}")


def _best_reply(
    table: Table, position: Position[Any], seat: Seat, move: Any, opinion: Opinion
) -> Phrase | None:
    if len(opinion.line) < 2:
        # Nothing follows either where what comes is hidden: such a position cannot go on.
        return None
    for after, other, reply in play_along(table.game, position.after(move), opinion.line[1:2]):
        if other not in (seat, CHANCE):
            return table.game.speech.spoken(after, reply)
    return None


def odds_line(shares: Sequence[float], games: int) -> Phrase:
    """How likely each seat is to win."""
    each = tuple(
        phrase("house.odds.seat", who=Who(seat), percent=round(100 * share))
        for seat, share in enumerate(shares)
    )
    spread = max(share * (1 - share) for share in shares) / max(games, 1)
    sure = round(100 * DEVIATIONS * spread**0.5)
    counted = phrase("house.odds.counted" if games else "house.odds.opinion", n=games, sure=sure)
    return phrase("house.odds", each=each, how=counted)


@dataclass(frozen=True)
class CostlyDecision:
    """A decision that cost something: *number* counts the seat's own, from 1."""

    number: int
    weighed: Weighed


def review_forms(game: Game) -> dict[str, str]:
    """The formats that hold a review of *game*, and how the names of their files end."""
    own = {form.key: form.suffix for form in game.records.formats if form.branches}
    return {**own, RECORD: ".txt"}


def moments(found: Review, seat: Seat) -> list[CostlyDecision]:
    """The costliest decisions of *seat*, in the order in which they were made."""
    own = [CostlyDecision(number, one) for number, one in enumerate(_of(found, seat), 1)]
    grave = [one for one in own if one.weighed.lost >= GRAVE]
    worst = sorted(grave, key=lambda one: (-one.weighed.lost, -one.number))[:MOST_DECISIONS]
    return sorted(worst, key=lambda one: one.number)


def _of(found: Review, seat: Seat) -> list[Weighed]:
    return [one for one in found if one.seat == seat]


def curve(found: Review, seat: Seat, table: Table) -> tuple[float, ...]:
    """The value for *seat* at every decision and at the end, if there is one, from -1 to 1.

    Among more than two, only at its own decisions.
    """
    shown = found if len(table.players) == 2 else _of(found, seat)
    values = tuple(one.before if one.seat == seat else -one.before for one in shown)
    return values if table.outcome is None else (*values, table.outcome.worth(seat))


def moment_marks(found: Review, seat: Seat, seats: int) -> tuple[tuple[int, int], ...]:
    """The points of ``curve`` at which the moments of *seat* lie, with their numbers."""
    shown = [one for one in found if seats == 2 or one.seat == seat]
    return tuple((shown.index(moment.weighed), moment.number) for moment in moments(found, seat))


def _turning_point(own: Review) -> int | None:
    """After which of a seat's *own* decisions, from 1, its odds fell most; ``None`` for none."""
    fell = {n: one.after - then.before for n, (one, then) in enumerate(pairwise(own), 1)}
    most = max(fell, key=lambda n: fell[n], default=0)
    return most if fell.get(most, 0.0) >= GRAVE else None


@dataclass
class Reviewed:
    """Composes the review of *seat* in the game of *composer*."""

    composer: Composer
    seat: Seat
    found: Review

    def __post_init__(self) -> None:
        self.moments = moments(self.found, self.seat)

    def lines(self, most: int) -> list[str]:
        """The *most* costliest decisions, a line each, in their order."""
        worst = sorted(self.moments, key=lambda one: -one.weighed.lost)[:most]
        return [self._line(one) for one in self.moments if one in worst]

    def overview(self) -> Screen:
        """All costly decisions, a line each, beside the curve."""
        table = self.composer.table
        name = table.game.asking.opening(self._before(0)[0], [one.text for one in table.log])
        lines = [self.composer.say("house.review.opening", name=name)] if name else []
        lines += [*self._proofs(), *(self._line(moment) for moment in self.moments)]
        if not self.moments:
            lines.append(self.composer.say(self._blameless()))
        points = curve(self.found, self.seat, self.composer.table)
        some = tuple(f"{_percent(value)} %" for value in points[:: max(1, len(points) // 8)])
        return self._screen(lines, self.composer.say("house.review.curve", points=some))

    def _blameless(self) -> Phrase:
        """The words for a seat without costly decisions."""
        own = _of(self.found, self.seat)
        if own and all(one.exact and one.before < 0 for one in own):
            return phrase("house.review.lost-anyway")
        turned = _turning_point(own)
        # Dice and draws between two decisions may turn a game too.
        if turned is None or any(entry.seat == CHANCE for entry in self.composer.table.log):
            return phrase("house.review.none")
        return phrase("house.review.unforeseen", number=turned)

    def moment(self, number: int) -> Screen:
        """The board before the costly decision *number*, from 0, and the better move."""
        moment = self.moments[number]
        before, last = self._before(moment.weighed.number)
        game, one = self.composer.table.game, moment.weighed
        best = read_move(game, before, one.seat, one.best)
        played = read_entry(game, before, self.composer.table.log[one.number])
        better, moves = _cells(game, before, one.seat, best), (played, best)
        ways = tuple(_way(game, before, move) for move in moves)
        scene = replace(self.composer.past(public(before), last), pointed=better, ways=ways)
        shown = self.composer.table.game.speech.describe(public(before))
        alt = " ".join(map(self.composer.say, shown))
        told = *self._replies(one, before.after(played)), *self._better(one, before.after(best))
        return replace(self._screen([self._line(moment), *told], alt, number + 1), scene=scene)

    def _replies(self, one: Weighed, played: Position[Any]) -> list[str]:
        """What the move that was *played* has let the other side do."""
        told = self._played_on(played, one.allowed[:1])
        if one.after >= one.before or not told:
            return []
        return [self.composer.say("house.review.allowed", reply=told[0])]

    def _better(self, one: Weighed, best: Position[Any]) -> list[str]:
        """What would have followed the *best* move, as far as it is known."""
        told = self._played_on(best, one.line[:LINE])
        return [self.composer.say("house.review.then", moves=told)] if told else []

    def _played_on(self, position: Position[Any], line: Sequence[str]) -> tuple[Phrase, ...]:
        """The moves of *line* from *position* on in words, up to the first draw or unknown one."""
        game = self.composer.table.game
        spoken = game.speech.spoken
        # What a move is good for is said of the first: the rest is how it might go on.
        return tuple(
            spoken(before, move) if number else _because(game, before, seat, move)
            for number, (before, seat, move) in enumerate(self._moves(position, line))
        )

    def _moves(
        self, position: Position[Any], line: Sequence[str]
    ) -> Iterator[tuple[Position[Any], Seat, Any]]:
        """The moves of *line* with the positions before, up to the first draw or unknown one."""
        found = play_along(self.composer.table.game, position, line)
        return takewhile(lambda one: one[1] != CHANCE, found)

    def write_record(self) -> Record:
        """The record of the game with the moments of all seats as comments and branches."""
        table = self.composer.table
        record, written = record_of(table), table.game.notation.written
        said = [(kind, annotations_of(record, kind)) for kind in (NOTE, MARK)]
        beside = {(kind, at): told.split("\n") for kind, of in said for at, told in of.items()}
        branches = list(branches_of(record))
        for seat in range(len(table.players)):
            for moment in moments(self.found, seat):
                one = moment.weighed
                beside.setdefault((NOTE, (0, one.number + 1)), []).append(self._line(moment))
                line = self._moves(self._before(one.number)[0], (one.best, *one.line))
                moves = tuple(written(before, move) for before, _, move in line)
                branches.append(Branch(0, one.number, moves))
        told = replace(record, tags={**record.tags, **annotation_tags(beside, branches)})
        return provable(told, table.game) if CHECK in record.tags else told

    def _practice(self, shown: int) -> list[Button]:
        """The buttons that let the reader try the moment *shown*, from 1, see it, or keep all."""
        button, seat, keys = self.composer.button, str(self.seat), []
        if shown:
            at = (Action.REVIEW, seat, str(shown))
            keys = [button("mistake.button.try", *at, TRY), button("puzzle.button.film", *at, FILM)]
        mine = self.composer.viewer.seat == self.seat or is_from_file(self.composer.table.code)
        if self.moments and mine:
            keys.append(button("mistake.button.practise", Action.REVIEW, seat, "0", PRACTISE))
        if self.moments and not shown:
            for form, suffix in review_forms(self.composer.table.game).items():
                said = self.composer.say("house.review.file", form=suffix)
                keys.append(Button(said, self.composer.code(Action.REVIEW, seat, "0", form)))
        return keys

    def _screen(self, lines: Sequence[str], alt: str, shown: int = 0) -> Screen:
        title = self.composer.say("house.review.title", who=Who(self.seat))
        row, others = [], []
        for number, moment in enumerate(self.moments, 1):
            said = self.composer.say("house.review.move", number=moment.number)
            code = self.composer.code(Action.REVIEW, str(self.seat), str(number))
            if number != shown:
                row.append(Button(said, code))
        if shown:
            row.append(self.composer.button("house.review.all", Action.REVIEW, str(self.seat), "0"))
        for seat in sorted({one.seat for one in self.found} - {self.seat}):
            said = self.composer.say("house.review.title", who=Who(seat))
            others.append(Button(said, self.composer.code(Action.REVIEW, str(seat), "0")))
        screen = self.composer.words(title)
        rows = tuple(tuple(one) for one in (row, self._practice(shown), others) if one)
        return replace(screen, lines=tuple(lines), rows=rows, alt=alt)

    def _line(self, moment: CostlyDecision) -> str:
        one, table = moment.weighed, self.composer.table
        before, _ = self._before(one.number)
        played = read_entry(table.game, before, table.log[one.number])
        best = read_move(table.game, before, one.seat, one.best)
        spoken = table.game.speech.spoken
        cost = phrase("house.review.fell", before=_percent(one.before), after=_percent(one.after))
        if one.exact:
            cost = phrase(f"house.review.{_sign(one.before)}-{_sign(one.after)}")
        what, better = spoken(before, played), _because(table.game, before, one.seat, best)
        line = phrase("house.review.line", number=moment.number, what=what, how=cost, better=better)
        return self.composer.say(line)

    def _proofs(self) -> list[str]:
        """The reasons of verdicts on claims, which stay secret during the game."""
        table, spoken = self.composer.table, self.composer.table.game.speech.spoken
        found = []
        for number, line in table.proofs:
            before, _ = self._before(number)
            ruling = read_entry(table.game, before, table.log[number])
            moves = phrase("house.review.shown", moves=line) if line else verbatim("")
            said = phrase("house.review.claim", what=spoken(before, ruling), shown=moves)
            found.append(self.composer.say(said).strip())
        return found

    def _before(self, number: int) -> tuple[Position[Any], tuple[Last, ...]]:
        """The position before the entry *number*, and the move that led there."""
        told, position = replayed(self.composer.table, number)
        pairs = zip(told, self.composer.table.log, strict=False)
        moves = [one for one, entry in pairs if entry.seat != CHANCE and not entry.aside]
        return position, tuple(Last(public(one.before), one.seat, one.move) for one in moves[-1:])


def _sign(value: float) -> str:
    return "won" if value > 0 else "lost" if value < 0 else "drawn"


def _percent(value: float) -> int:
    return round(50 * (1 + value))
