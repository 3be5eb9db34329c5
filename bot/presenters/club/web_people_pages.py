"""The pages of people as values: the ladder of all places, a person, and their games. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from babel.dates import format_date

from bot.presenters.club.ladder_and_profile_screens import (
    StandingScreens,
    tally_text,
)
from bot.presenters.club.standing_pictures import medal_face
from bot.presenters.table.composer import Composer
from bot.presenters.table.status import medal_lines, rating_text, strength_text
from bot.presenters.table.viewers import Viewer
from bot.session.table import Table
from bot.standing.journal import JournalEntry
from bot.standing.medals import Medal
from bot.standing.tallies import DRAWN, WON, score_of
from bot.standing.view_models import GameStanding, Ladder, LadderLine, PersonStanding
from bot.texts import language
from games.core import phrase
from render.medals import MedalFace
from storage.records import MedalRow


@dataclass(frozen=True)
class LadderEntry:
    """A line of the ladder; *person* is the word by which their page is opened."""

    number: str
    name: str
    strength: str
    change: str
    games: str
    person: str
    own: bool


@dataclass(frozen=True)
class LadderSheet:
    """A page of the ladder of *game*: *page* counts from 0, *games* are all by key and name."""

    title: str
    game: str
    games: Sequence[tuple[str, str]]
    lines: Sequence[LadderEntry]
    mine: LadderEntry | None
    page: int
    pages: int
    month: bool
    note: str


@dataclass(frozen=True)
class StandingSheet:
    """How somebody stands in one game, with the *course* of their rating."""

    game: str
    rating: str
    deviation: str
    games: str
    remarks: Sequence[str]
    course: Sequence[int]


@dataclass(frozen=True)
class PlayedGame:
    """A game, or a medal: where it is opened, its *title*, *who* played, the *day*, the result."""

    path: str
    title: str
    who: str
    day: str
    result: str


@dataclass(frozen=True)
class MedalSheet:
    """A medal as it is drawn, and its *words*."""

    face: MedalFace
    words: str


@dataclass(frozen=True)
class PersonSheet:
    """A person by *name*, as the reader may see them."""

    name: str
    standings: Sequence[StandingSheet]
    deeds: Sequence[str]
    medals: Sequence[MedalSheet]
    played: Sequence[PlayedGame]


def ladder_sheet(
    found: Ladder, me: int, spoken: str, words: Mapping[int, str], *, month: bool
) -> LadderSheet:
    """The ladder *found*, for the reader *me*, in the language *spoken*.

    *words* are those by which addresses name people.
    """
    say, screens = language(spoken).say, StandingScreens(spoken, b"")
    about = phrase("standing.seen" if not found.lines and found.mine is None else "standing.key")
    if any(one.rating.provisional for one in found.lines):
        about = phrase("standing.key.unsettled", said=about)
    return LadderSheet(
        say(phrase("people.title")),
        found.game,
        [(key, say(phrase(f"{key}.name"))) for key in found.games],
        [_entry(one, me, words, screens) for one in found.lines],
        None if found.mine is None else _entry(found.mine, me, words, screens),
        found.page,
        found.pages,
        month,
        say(about),
    )


def _entry(
    line: LadderLine, me: int, words: Mapping[int, str], screens: StandingScreens
) -> LadderEntry:
    return LadderEntry(
        "–" if line.number is None else str(line.number),
        line.name,
        strength_text(line.rating),
        screens.change_words(line, "medium"),
        tally_text(line.tally, line.places),
        words[line.person],
        line.person == me,
    )


def standing_sheet(one: GameStanding, screens: StandingScreens) -> StandingSheet:
    """How somebody stands in one game, in the language of *screens*."""
    head = "standing.head.places" if one.places else "standing.head.games"
    return StandingSheet(
        screens.say(f"{one.game}.name"),
        rating_text(one.rating),
        f"± {round(one.rating.deviation)}",
        f"{screens.say(head)}: {tally_text(one.tally, one.places)}",
        list(map(screens.say, screens.remarks(one))),
        tuple(one.course),
    )


def person_sheet(
    name: str, found: PersonStanding, played: Sequence[PlayedGame], screens: StandingScreens
) -> PersonSheet:
    """All that is *found* of somebody, and the games that can be opened."""
    return PersonSheet(
        name,
        [standing_sheet(one, screens) for one in found.games],
        screens.deed_words(found.deeds),
        [MedalSheet(medal_face(screens, one), screens.medal_words(one)) for one in found.medals],
        played,
    )


def happening(table: Table, spoken: str) -> PlayedGame:
    """How the finished *table* ended, and as its result the medals that it gave."""
    composer = Composer(table, Viewer(language=spoken), b"")
    game, medals = composer.say(f"{table.game.key}.name"), " ".join(medal_lines(composer))
    day = _day(table.touched, spoken)
    return PlayedGame(f"t/{table.code}", composer.headline(), game, day, medals)


def earned_medal(row: MedalRow, who: str, word: str, spoken: str) -> PlayedGame:
    """*who*, named by *word* in addresses, was given the medal of *row* for no single game."""
    screens, medal = StandingScreens(spoken, b""), Medal(row.key, row.pool)
    title = screens.say("standing.given", n=1, who=who, medals=phrase(medal.words))
    told, day = screens.medal_deed(medal), _day(row.at, spoken)
    return PlayedGame(f"people/{word}", title, told, day, "")


def _day(at: datetime, spoken: str) -> str:
    return format_date(at.date(), "medium", language(spoken).code.replace("-", "_"))


def played_game(entry: JournalEntry, index: int, others: Sequence[str], spoken: str) -> PlayedGame:
    """The game of *entry* as the player of this *index* sees it, against *others*."""
    say, result = language(spoken).say, score_of(entry.places, index)
    key = {WON: "people.won", DRAWN: "people.drawn"}.get(result, "people.lost")
    if len(entry.places) > 2:
        key = "people.place"
    return PlayedGame(
        f"t/{entry.table}",
        say(phrase(f"{entry.pool}.name")),
        ", ".join(filter(None, others)) or say(phrase("moderation.nameless")),
        _day(entry.at, spoken),
        say(phrase(key, n=entry.places[index])),
    )
