"""What the pictures of ladders, profiles and meetings show. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from bot.presenters.base import PagePresenter
from bot.presenters.club.ladder_and_profile_screens import (
    MONTH,
    LadderView,
    StandingScreens,
    drawn_name,
    rarest_first,
)
from bot.presenters.table.status import rating_text, strength_text
from bot.standing.medals import metal_of
from bot.standing.view_models import (
    GameStanding,
    GivenMedal,
    Ladder,
    LadderLine,
    Meetings,
    PersonStanding,
)
from games.core import phrase
from games.core.shelf import find_game
from render.club.medal_collection import MedalCollection, MedalLine
from render.club.rank_card import RankCard, RankFact, RankRow
from render.club.ranking import Ranking, RankingRow
from render.club.versus import Versus, VersusRow
from render.medals import MedalFace


def ranking_of_ladder(screens: StandingScreens, view: LadderView, ladder: Ladder) -> Ranking:
    """The picture of a page of *ladder*; the reader's row is added where it is on another one."""
    mine = ladder.mine

    def row(line: LadderLine) -> RankingRow:
        told = screens.change_words(line, "short")
        return RankingRow(
            line.number or 0,
            drawn_name(line.name),
            strength_text(line.rating),
            settled=not line.rating.provisional,
            change=line.change if line.resting is None else None,
            note=told if line.resting is not None or line.change is None else "",
            own=mine is not None and line.person == mine.person,
        )

    words = [screens.say("standing.button.ladder"), screens.say(f"standing.{view.scope}")]
    if view.span == MONTH:
        words.append(screens.say("standing.button.month"))
    words.append(screens.say("club.people", n=ladder.above))
    return Ranking(
        view.game,
        screens.say(f"{view.game}.name"),
        tuple(words),
        tuple(map(row, ladder.lines)),
        () if mine is None or mine in ladder.lines else (row(mine),),
        foot=(
            f"{screens.say('standing.head.strength')} · ≈ {screens.say('club.unsettled')}",
            f"▲ {screens.say('standing.head.change')}",
        ),
        tall=True,
    )


def rank_card(
    screens: StandingScreens, name: str, found: PersonStanding, ladder: Ladder | None = None
) -> RankCard:
    """The card of a person: a row for each game, the newest medals, deeds and the next goal.

    And their place in a *ladder*, if they have one.
    """
    facts, games, medals, goal = [], found.games, found.medals, found.goal
    best = max(games, key=lambda one: one.streak, default=None)
    if best is not None and best.streak > 1:
        where = screens.say("club.in-a-row", game=phrase(f"{best.game}.name"))
        facts.append(RankFact(screens.say("club.wins", n=best.streak), where, "flame"))
    played = sum(one.tally.games for one in games)
    if played:
        facts.append(RankFact(screens.say("club.games", n=played), screens.say("club.rated")))
    if goal is not None:
        said, done = screens.say(goal.medal.words), f"{goal.done}/{goal.many}"
        facts.append(RankFact(said, done, "goal", goal.done, goal.many))
    elif medals:
        newest = screens.say(medals[-1].medal.words)
        facts.append(RankFact(screens.say("club.medals", n=len(medals)), newest))
    faces = tuple(medal_face(screens, one) for one in sorted(medals, key=lambda one: one.share)[:3])
    rows = tuple(_rank_row(screens, one) for one in games)
    head = screens.say("club.last-five") if rows else ""
    words, place, where = screens.say("club.rank"), ("", ""), ""
    if ladder is not None and ladder.mine is not None and ladder.mine.number is not None:
        number = screens.say("club.place", n=str(ladder.mine.number))
        place, where = (number, screens.say("club.of", n=ladder.above)), ladder.game
    letters, lines = screens.say("club.results"), screens.deed_words(found.deeds)
    shown, facts_ = (drawn_name(name), words, rows, head, place, where, faces), tuple(facts)
    return RankCard(*shown, facts_, letters, lines)


def medal_collection(screens: StandingScreens, name: str, found: PersonStanding) -> MedalCollection:
    """The picture of somebody's medals, the rarest first, and of the next goal."""
    lines = [medal_line(screens, one) for one in rarest_first(found.medals)]
    if (goal := found.goal) is not None:
        called, game = screens.say(goal.medal.words), goal.medal.game
        next_, of = screens.say("club.next"), screens.say(f"{game}.name") if game else ""
        lines.insert(5, MedalLine(MedalFace("", called), of, next_, f"{goal.done}/{goal.many}"))
    many = screens.say("club.medals", n=len(found.medals))
    return MedalCollection(drawn_name(name), many, tuple(lines))


def medal_line(screens: StandingScreens, one: GivenMedal) -> MedalLine:
    """What is drawn of the medal *one*."""
    *what, day, share = screens.medal_facts(one)
    face, told = medal_face(screens, one), screens.medal_deed(one.medal)
    return MedalLine(face, " · ".join(what), day, share=share, told=told)


def medal_face(screens: PagePresenter, one: GivenMedal) -> MedalFace:
    """The medal *one* as it is drawn."""
    return MedalFace(
        one.medal.key, screens.say(one.medal.words), one.medal.game, metal_of(one.share)
    )


def _rank_row(screens: StandingScreens, one: GameStanding) -> RankRow:
    return RankRow(
        one.game,
        screens.say(f"{one.game}.name"),
        one.rating.shown,
        round(one.rating.deviation),
        rating_text(one.rating),
        not one.rating.provisional,
        one.form,
        _side_of(one.game),
    )


def _side_of(game: str) -> str:
    return find_game(game).rules.sides[0]


def meetings_versus(
    screens: StandingScreens, names: tuple[str, str], found: Sequence[Meetings]
) -> Versus:
    """The picture of what two people have played against each other."""
    me, other = map(drawn_name, names)
    won, lost = (sum(one.tally.won for one in found), sum(one.tally.lost for one in found))
    drawn = sum(one.tally.drawn for one in found)
    rows = []
    for one in found:
        name, side = screens.say(f"{one.game}.name"), _side_of(one.game)
        rows.append(VersusRow(one.game, name, one.tally.won, one.tally.lost, side))
    return Versus((me, other), (won, lost), drawn, tuple(rows), screens.say("club.draws", n=drawn))
