"""What the pictures and the page of a tournament show: standings, bracket, podium. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.presenters.tournament.crosstable import CrosstableScreens
from bot.presenters.tournament.tournament import (
    ROWS,
    TournamentScreens,
    deciding_breaks,
    halves,
    scale_number,
)
from bot.tournament.crosstable import Cell, crosstable
from bot.tournament.knockout import Tie, bracket_ties
from bot.tournament.standings import SCALES, TIE_BREAKS, Line, standings
from bot.tournament.values import ENTRANTS, WIN, Phase, TournamentFormat
from render.club.bracket import Bracket, BracketMatch, BracketSide
from render.club.crosstable import Crosstable
from render.club.podium import Podium, PodiumStep
from render.club.ranking import Ranking, RankingRow

NEWEST = 5
"""The last games of a row of the standings."""


def ranking_of_tournament(
    screens: TournamentScreens, own: int | None = None, first: int = 0, count: int = ROWS
) -> Ranking:
    """*count* rows of the standings, with tie-breaks where they decide; *own* is the reader's."""
    now, lines = screens.tournament, standings(screens.tournament)
    knockout = now.rules.format is TournamentFormat.KNOCKOUT
    played, cells = any(line.games for line in lines), crosstable(now)
    breaks, used = TIE_BREAKS[now.rules.format], dict[str, None]()

    def row(line: Line) -> RankingRow:
        deciding = 0 if knockout or not played else deciding_breaks(lines, line)
        note = ""
        if deciding:
            key = breaks[deciding - 1]
            used[screens.say(f"tournament.head.{key}")] = None
            note = scale_number(line.tie_breaks[deciding - 1], SCALES[key])
        figure = str(line.games) if knockout else halves(line.points)
        return RankingRow(
            0 if now.phase is Phase.OPEN else line.place,
            screens.name(line.entrant),
            figure if played else "",
            form="" if knockout else _form(screens, cells[line.entrant]),
            note=note,
            own=line.entrant == own,
        )

    shown = lines[first : first + count]
    mine = [line for line in lines if line.entrant == own and line not in shown]
    rows, apart = tuple(map(row, shown)), tuple(map(row, mine))
    figure = screens.say(f"tournament.head.{'games' if knockout else 'points'}")
    heads = ("", screens.say("club.tie-break") if used else "", figure if played else "")
    return Ranking(
        now.rules.game,
        screens.say(f"{now.rules.game}.name"),
        (screens.say(f"tournament.format.{now.rules.format}"),),
        rows,
        apart,
        heads,
        screens.say("club.results"),
        (", ".join(used), ""),
    )


def _form(screens: TournamentScreens, cells: Sequence[Cell]) -> str:
    """The signs of the newest games, the oldest of them first."""
    double = screens.tournament.rules.double
    if screens.tournament.rules.format is TournamentFormat.TABLES:
        return ""
    drawn = WIN if double else WIN // 2
    over = [one for one in cells if not one.pending and (one.opponents or one.bye)]
    return "".join(
        "-" if one.bye else "w" if one.points > drawn else "d" if one.points == drawn else "l"
        for one in over[-NEWEST:]
    )


def tournament_bracket(screens: TournamentScreens, own: int | None = None) -> Bracket | None:
    """The bracket of a knockout tournament; ``None`` for another, and before it begins."""
    now = screens.tournament
    if now.rules.format is not TournamentFormat.KNOCKOUT or now.phase is Phase.OPEN:
        return None
    rounds = tuple(
        tuple(_match(screens, tie, own, live=number == len(now.rounds)) for tie in one)
        for number, one in enumerate(bracket_ties(now), 1)
    )
    title = (screens.say(f"{now.rules.game}.name"), screens.say("tournament.format.knockout"))
    words = ("club.final", "club.playing", "club.through")
    return Bracket(now.rules.game, *title, rounds, *map(screens.say, words))


def _match(screens: TournamentScreens, tie: Tie, own: int | None, *, live: bool) -> BracketMatch:
    first, second = tie.points if tie.points is not None else (None, None)
    sides = (
        _side(screens, tie, tie.first, first, own),
        _side(screens, tie, tie.second, second, own),
    )
    met = tie.first is not None and tie.second is not None
    return BracketMatch(sides, tie.bye, live and met and tie.winner is None)


def _side(
    screens: TournamentScreens, tie: Tie, entrant: int | None, points: int | None, own: int | None
) -> BracketSide:
    if entrant is None:
        return BracketSide("")
    return BracketSide(
        screens.name(entrant),
        "" if points is None else halves(points),
        won=tie.winner == entrant and not tie.bye,
        own=entrant == own,
    )


def tournament_podium(screens: TournamentScreens) -> Podium | None:
    """The podium, which tells what the lines do; ``None`` before the end."""
    now = screens.tournament
    best = screens.best() if now.phase is Phase.ENDED else []
    if not best:
        return None
    steps = tuple(
        PodiumStep(line.place, screens.name(line.entrant), screens.merit(line)) for line in best
    )
    said = screens.say(f"tournament.ended.{now.why or 'done'}")
    return Podium(now.rules.game, screens.short_title(), said, steps)


MOST_ROWS = max(most for _, most in ENTRANTS.values())
"""How many rows a page shows: everybody."""


@dataclass(frozen=True)
class TournamentPage:
    """All that the page of a tournament shows, as it is at *version*.

    *bracket* has the matches of each round, and is empty where the format has none; *third* says
    how the match for third place stands. *cross* is ``None`` before the first round.
    """

    code: str
    version: int
    title: str
    bracket: Sequence[Sequence[BracketMatch]]
    third: str
    cross: Crosstable | None
    table: Ranking
    over: bool


def tournament_sheet(screens: TournamentScreens, own: int | None) -> TournamentPage:
    """The page of what *screens* are about, for the entrant *own*."""
    now = screens.tournament
    bracket = tournament_bracket(screens, own)
    cross = CrosstableScreens(screens).table(own, count=MOST_ROWS) if now.rounds else None
    return TournamentPage(
        now.code,
        now.version,
        screens.title(),
        () if bracket is None else bracket.rounds,
        next((screens.meeting(m) for one in now.rounds for m in one.meetings if m.third), ""),
        None if cross is None else replace(cross, title=screens.say("tournament.button.cross")),
        replace(
            ranking_of_tournament(screens, own, count=MOST_ROWS),
            title=screens.say("tournament.button.table"),
        ),
        now.phase is Phase.ENDED,
    )
