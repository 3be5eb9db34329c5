"""The status of a table in words: its news, its end, its match and its clocks. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import groupby

from babel.dates import format_datetime, format_skeleton

from bot.port import Countdown
from bot.presenters.base import TablePresenter, with_zone
from bot.presenters.table.since_last_turn import returning
from bot.presenters.tournament.tournament import halves
from bot.session.flag_fall import first_moves_due, missing
from bot.session.game_clock import GameClock, instant
from bot.session.match import Match
from bot.session.rated import conditions, is_young
from bot.session.table import CLOSED, ENDED, PLAYING, ManagerRuling, Player, Table
from bot.session.time_controls import DAY, length
from bot.session.visibility import Glimpse, newest_turn
from bot.standing.journal import Shift
from bot.standing.rating import Rating
from games.core import CHANCE, Outcome, Phrase, Seat, Who, phrase, verbatim
from storage.records import MILLISECOND

DEAL = 6
"""More draws than these in a row are a deal: the board shows what they were."""

LINE = 160
"""How many characters a player's line takes before what matters less is left out."""

VITAL = 2
"""The weight of what is never left out (``games.core.Speech.weight``)."""


def ending(presenter: TablePresenter) -> str:
    """Who won and how, or that nobody won, or that the table was closed."""
    table, outcome = presenter.table, presenter.table.outcome
    if outcome is None:
        return presenter.say(closed(table))
    key = f"{table.game.key}.end.{outcome.reason}"
    if not table.by_rule:
        key = f"house.end.{outcome.reason}"
        if outcome.reason == "resign" and _computer_lost(table, outcome):
            key = "house.end.given"
    ended = outcome.ending(key)
    return presenter.say(ended if outcome.winner is None else phrase("house.won", how=ended))


def ranking_line(presenter: TablePresenter) -> str:
    """The final places."""
    outcome = presenter.table.outcome
    places = outcome.places if outcome is not None else ()
    ranks = enumerate((tuple(map(Who, sorted(place))) for place in places), 1)
    return " · ".join(presenter.say("house.place", number=n, who=who) for n, who in ranks)


def closed(table: Table) -> Phrase:
    """Why *table* was closed, and by whom."""
    by = table.closer or Player()
    seat, unseated = table.seat_of(by.person), by.name or phrase("moderation.nameless")
    who = unseated if seat is None else Who(seat)
    return phrase(f"house.closed.{table.closed}".removesuffix("."), who=who)


def cut_short(table: Table) -> bool:
    """Whether the game ended or was closed, as by resignation, where its rules let it go on."""
    return table.status in (ENDED, CLOSED) and not table.by_rule and table.position is not None


def still_disputed(table: Table) -> bool:
    """Whether claims are still possible after an end by the rules (R1)."""
    return table.status == ENDED and table.by_rule and table.child is None


def _computer_lost(table: Table, outcome: Outcome) -> bool:
    """Whether only computers that sat from the beginning came last."""
    players = [table.players[seat] for seat in outcome.places[-1]]
    return all(player.person is None and player.left is None for player in players)


def match_lines(presenter: TablePresenter) -> tuple[str, ...]:
    """Which game of the match is played, or the score after it."""
    table, match = presenter.table, presenter.table.match_now
    if match is None:
        return ()
    score = tuple(
        phrase("house.match.points", who=Who(seat), points=verbatim(halves(half)))
        for seat, half in enumerate(match.score)
    )
    said = {"n": match.length, "number": len(match.games) + 1}
    if table.outcome is None:
        key = "house.match.game" if score else "house.match.first"
        return (presenter.say(key, score=score, **said),)
    if not score:
        return (presenter.say(best_of(match)),)
    if not match.is_decided:
        return (presenter.say("house.match.score", score=score, **said),)
    if match.winner is None:
        return (presenter.say("house.match.drawn", score=score),)
    return (presenter.say("house.match.won", who=Who(match.winner), score=score),)


def standing_lines(presenter: TablePresenter) -> tuple[str, ...]:
    """At the beginning of a game, whether it counts for the ratings, where that was wished."""
    table = presenter.table
    if not (table.rated or table.casual) or not is_young(table):
        return ()
    return (presenter.say(conditions(table)),)


def rating_lines(presenter: TablePresenter) -> tuple[str, ...]:
    """What the ended game made of all ratings: «Rating: Ana 1532 (+14) · Bo 1468 (−14)».

    Below provisional ones stands the strength, which ladders show instead.
    """
    found, by = rating_notes(presenter), presenter.table.uncounted
    if by is not None:
        return (presenter.say("standing.uncounted", name=by.name),)
    if not found:
        return ()
    lines = [presenter.say("standing.points", changes=verbatim(" · ".join(found)))]
    if any(one.after.provisional for one in presenter.table.shifts.values()):
        told = " · ".join(rating_notes(presenter, lambda one: strength_text(one.after)))
        lines.append(presenter.say("standing.strengths", strengths=verbatim(told)))
    return tuple(lines)


def ruling_lines(presenter: TablePresenter) -> tuple[str, ...]:
    """What the manager of its tournament has decided about the game, on a line."""
    table = presenter.table
    if table.ruling is None:
        return ()
    return (presenter.say(ruled("tournament.ruled", table, table.ruling)),)


def ruled(key: str, table: Table, ruling: ManagerRuling) -> Phrase:
    """*key* with who decided about the game at *table*, and the points of each player."""
    score = tuple(
        phrase("tournament.ruled.one", who=Who(seat), points=verbatim(halves(points)))
        for seat, points in enumerate(ruling.points)
    )
    by = ruling.by.name or phrase("tournament.organizer")
    return phrase(key, name=by, game=phrase(f"{table.game.key}.name"), code=table.code, score=score)


def medal_lines(presenter: TablePresenter) -> tuple[str, ...]:
    """Who was given which medals by the ended game, on one line."""
    given = presenter.table.medals
    found = []
    for seat, each in sorted(given.items()):
        named, n = tuple(phrase(one.words) for one in each), len(each)
        found.append(presenter.say("standing.given", who=Who(seat), medals=named, n=n))
    return (" ".join(found),) if found else ()


def result_lines(presenter: TablePresenter) -> tuple[str, ...]:
    """What came of the ended game: a ruling, the ratings, and medals."""
    return (*ruling_lines(presenter), *rating_lines(presenter), *medal_lines(presenter))


def rating_notes(
    presenter: TablePresenter, text: Callable[[Shift], str] | None = None
) -> tuple[str, ...]:
    """The same, or another *text* of each shift, for its people in the order of their seats."""
    shifts = presenter.table.shifts
    told = {Who(seat): verbatim((text or shift_text)(shifts[seat])) for seat in sorted(shifts)}
    changes = (phrase("standing.change", who=who, rating=rating) for who, rating in told.items())
    return tuple(map(presenter.say, changes))


def rating_text(rating: Rating) -> str:
    """*rating* as people read it; «?» stands behind a provisional one."""
    return f"{rating.shown}{'?' if rating.provisional else ''}"


def strength_text(rating: Rating) -> str:
    """The strength of *rating*; «≈» stands before one that is not settled yet."""
    return f"{'≈' if rating.provisional else ''}{rating.strength}"


def shift_text(shift: Shift) -> str:
    """A rating after a game, and by how much that has changed it: «1532 (+14)»."""
    return f"{rating_text(shift.after)} ({points_text(shift.points)})"


def points_text(points: int) -> str:
    """A difference with its sign."""
    return f"−{-points}" if points < 0 else f"+{points}"


def best_of(match: Match) -> Phrase:
    """How many games *match* may have."""
    return phrase("house.match.best-of", n=match.length)


def followed_by(table: Table) -> str:
    """The name of the next game after *table* in the keys of catalogues."""
    return "next-game" if table.match_goes_on else "rematch"


def match_standing(match: Match, me: Seat) -> Phrase:
    """Which game of *match* is played and the score, that of *me* first, for a list."""
    mine, others = match.score[me : me + 1], (*match.score[:me], *match.score[me + 1 :])
    score = "–".join(map(halves, (*mine, *others)))
    key = "house.match.standing" if score else "house.match.standing-first"
    return phrase(key, number=len(match.games) + 1, n=match.length, score=verbatim(score))


def clock_words(presenter: TablePresenter, now: int) -> tuple[str, ...]:
    """The time left of everybody at *now*, and how soon a time runs out."""
    found = soonest_end(presenter.table)
    if found is None:
        return clock_lines(presenter, now)
    seat, end, kind = found
    soon = phrase(f"clock.runs-out{kind}", who=Who(seat), time=length(end - now))
    return (*clock_lines(presenter, now), presenter.say(soon))


def clock_lines(presenter: TablePresenter, now: int | None = None) -> tuple[str, ...]:
    """The time left of everybody at *now*, or at the last event where *now* is not given."""
    table, clock = presenter.table, presenter.table.clock
    if clock is None:
        return ()
    lines: list[Phrase] = []
    now = instant(table.stirred or table.touched) if now is None else now
    lines += _times_left(presenter, clock, now)
    lines += [phrase("clock.late", who=Who(seat)) for seat in sorted(clock.late)]
    for seat, player in enumerate(table.players):
        if player.resting is not None:
            back = shown_at(table, player.resting)
            day = format_skeleton("MMMMd", back, locale=_locale(presenter))
            lines.append(phrase("clock.resting", who=Who(seat), day=day))
    if clock.paused:
        lines.append(phrase("clock.paused"))
    return tuple(map(presenter.say, lines))


@dataclass(frozen=True)
class ClockFace:
    """The seat of *who*, the milliseconds *left* of their clock, and whether it is their turn.

    Without a clock -1 is left. *mine* says that it is the viewer's seat; *side* names it.
    *typed* says that a person has chosen the name.
    """

    who: str
    left: int
    runs: bool
    mine: bool
    side: str
    typed: bool


def clock_faces(presenter: TablePresenter) -> tuple[ClockFace, ...]:
    """The seats of the table in their order, with the clocks that count while it is played.

    One that runs shows what is left at the last event: what is left now is in ``countdown``.
    """
    table = presenter.table
    clock = table.clock if table.status == PLAYING else None
    now = instant(table.stirred or table.touched)
    faces = []
    for seat, player in enumerate(table.players):
        left = -1
        if clock is not None and table.has_clock(seat):
            left = clock.control.move or clock.bank(seat, now)[0] or clock.control.period
        side = presenter.say(f"{table.game.key}.side.{player.side}") if player.side else ""
        runs, mine, typed = seat in table.actors(), seat == presenter.viewer.seat, player.person
        faces.append(ClockFace(presenter.names[seat], left, runs, mine, side, typed is not None))
    return tuple(faces)


def time_lines(presenter: TablePresenter) -> tuple[str, ...]:
    """The lines of a board that its clocks say already."""
    table, clock = presenter.table, presenter.table.clock
    if clock is None or table.status != PLAYING:
        return ()
    now = instant(table.stirred or table.touched)
    return tuple(map(presenter.say, _times_left(presenter, clock, now)))


def first_move_line(presenter: TablePresenter) -> str:
    """Who loses a game of a tournament without a first move, as ``countdown`` says it, or ""."""
    found, count = soonest_end(presenter.table), countdown(presenter)
    return count.said if count is not None and found is not None and found[2] else ""


def countdown(presenter: TablePresenter) -> Countdown | None:
    """Whose time runs, and until which wall-clock time."""
    table = presenter.table
    found = soonest_end(table)
    if found is None:
        return None
    seat, end, kind = found
    mine = presenter.viewer.seat == seat or (kind and presenter.viewer.seat in missing(table))
    said = phrase(f"clock.until{kind}{'-yours' if mine else ''}", who=Who(seat))
    until = shown_at(table, end)
    left = end - instant(table.stirred or table.touched)
    form = "HH:mm" if left < DAY else "d MMM HH:mm"
    plain = with_zone(format_datetime(until, form, UTC, _locale(presenter)), presenter.tongue.code)
    if left < DAY:
        plain = f"{presenter.say(length(left))} ({plain})"
    return Countdown(presenter.say(said), until, plain)


def soonest_end(table: Table) -> tuple[Seat, int, str] | None:
    """The seat that loses soonest, when, and by what: "" by its clock, else by no first move."""
    running, due = table.running_out(), first_moves_due(table) if table.tournament else {}
    first = [(end, seat) for seat, end in due.items() if running is None or end < running[1]]
    if first:
        end, seat = min(first)
        return seat, end, ".first"
    return None if running is None else (*running, "")


def _locale(presenter: TablePresenter) -> str:
    return presenter.tongue.code.replace("-", "_")


def shown_at(table: Table, at: int) -> datetime:
    """The wall-clock time of the instant *at*, as far as *table* knows."""
    since = (at - instant(table.stirred or table.touched)) * MILLISECOND
    return table.touched + since + table.drift


def _times_left(presenter: TablePresenter, clock: GameClock, now: int) -> tuple[Phrase, ...]:
    """The sentence with the time left of all who have a clock; none where each move has its own."""
    table = presenter.table
    timed = [seat for seat in range(len(table.players)) if table.has_clock(seat)]
    if not timed or clock.control.move or table.status == CLOSED:
        return ()
    return (phrase("clock.left", times=tuple(_time_left(clock, seat, now) for seat in timed)),)


def _time_left(clock: GameClock, seat: Seat, now: int) -> Phrase:
    bank, periods = clock.bank(seat, now)
    kind, each = "byoyomi" if clock.control.periods == 1 else "periods", clock.control.period
    time = length(bank if bank or not periods else each)
    if bank or not periods:
        kind = f"then-{kind}" if periods else "one"
    return phrase(f"clock.left-{kind}", who=Who(seat), time=time, each=length(each), n=periods)


def absence_lines(presenter: TablePresenter) -> tuple[str, ...]:
    """Who cannot be called any more, and why."""
    players, gone = presenter.table.players, presenter.table.missed | presenter.table.uncalled
    said = ((seat, players[seat].absence) for seat in sorted(gone))
    return tuple(presenter.say(f"house.absence.{why}", who=Who(seat)) for seat, why in said)


@dataclass(frozen=True)
class Remark:
    """Something that happened, *said* in words, with its *weight*; *hurried*, at a glance."""

    weight: int
    said: str
    hurried: bool = False


def without_deal(glimpses: Sequence[Glimpse]) -> tuple[Glimpse, ...]:
    """*glimpses* without the draws of a deal."""
    runs = (tuple(run) for _, run in groupby(glimpses, lambda one: one.seat == CHANCE))
    return tuple(one for run in runs if run[0].seat != CHANCE or len(run) <= DEAL for one in run)


def _find_unseen(presenter: TablePresenter, news: Sequence[Glimpse]) -> Iterable[Glimpse]:
    """The turn before *news* of the only person at the table: computers answered it at once."""
    table, seen = presenter.table, presenter.seen
    people = [seat for seat, one in enumerate(table.players) if one.level is None]
    if len(people) != 1 or not news or news[0].seat in (people[0], CHANCE):
        return ()
    past = len(table.log) - len(table.recent)
    told = table.recent[: max(0, news[0].number - past)]
    start = newest_turn(told)
    own = bool(told) and told[start].seat == people[0] and returning(presenter) is None
    return seen.glimpses(enumerate(told[start:], past + start)) if own else ()


def news_lines(presenter: TablePresenter) -> list[str]:
    """A line for each player of what is news to the viewer, in the order in which they began."""
    news = presenter.seen.recent
    told = [*_find_unseen(presenter, news), *without_deal(news)]
    if news and not told:
        if presenter.table.status != PLAYING:
            return []  # It was dealt, and nobody has played.
        return [presenter.say("house.dealt", n=len(news))]
    lines: dict[tuple[int, str], list[Remark]] = {}
    for number, one in enumerate(told):
        weight, seat = presenter.weight(one), one.seat
        if not weight and number < len(told) - 1:
            continue
        if seat == CHANCE and not weight and number:
            # What was drawn belongs to the player who may use it.
            seat = min(one.before.after(one.move).actors(), default=told[number - 1].seat)
        remark = Remark(weight, presenter.spoken(one), one.hurried)
        lines.setdefault((seat, _player_then(presenter, seat, one)), []).append(remark)
    return [_line(presenter, *by, remarks) for by, remarks in lines.items()]


def _player_then(presenter: TablePresenter, seat: int, one: Glimpse) -> str:
    """The name of who played in *seat* then: who has left it since, or who plays there now."""
    if seat == CHANCE:
        return ""
    player = presenter.table.players[seat]
    return player.name if one.number < player.left_at else presenter.names[seat]


def _line(presenter: TablePresenter, seat: int, name: str, remarks: Sequence[Remark]) -> str:
    """What *name* did in *seat*: all vital remarks, and the newest others that have room."""
    left = LINE - sum(len(one.said) for one in remarks if one.weight >= VITAL)
    kept: list[str] = []
    for one in reversed(remarks):
        left -= len(one.said) if one.weight < VITAL else 0
        if one.weight >= VITAL or left >= 0 or one is remarks[-1]:
            kept.append(one.said)
    what = "; ".join(reversed(kept))
    if rest := len(remarks) - len(kept):
        what = presenter.say("house.and-more", what=what, n=rest)
    if seat == CHANCE:
        return presenter.say("house.chance", what=what[:1].upper() + what[1:])
    key = "house.played.hurried" if any(one.hurried for one in remarks) else "house.played"
    said = phrase(key, who=Who(seat), what=what)
    return presenter.tongue.say(said, {**presenter.names, seat: name})
