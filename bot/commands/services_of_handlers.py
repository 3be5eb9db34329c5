"""What each room of commands uses: a handler takes the request and the record of its room."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from bot.boards.tournament_views import TournamentViews
from bot.boards.views import Views
from bot.commands.quotas import ExportQueue, Quota
from bot.commands.table.lookup import TableLookup
from bot.port import Chat
from bot.service.clock import Clock, DeadlineAlarm
from bot.service.club.ladders_and_profiles import Ladders
from bot.service.club.ratings import Ratings
from bot.service.club.season_podiums import Seasons
from bot.service.person.bars import Bars
from bot.service.person.people import People
from bot.service.person.programs import Programs
from bot.service.person.unreachable_people import UnreachablePeople
from bot.service.place.imports import Imports
from bot.service.place.places import Places
from bot.service.place.public_tables_elsewhere import PublicTables
from bot.service.school.advice import Advice
from bot.service.school.daily_moves import DailyMoves
from bot.service.school.mistakes import Mistakes
from bot.service.school.puzzle_collection import PuzzleCollection
from bot.service.school.puzzles import Puzzles
from bot.service.table.changes import Changes
from bot.service.table.computer_turns import ComputerTurns
from bot.service.table.tables import Tables
from bot.service.tournament.tournaments import Tournaments
from storage.store import Store


@dataclass(frozen=True, kw_only=True)
class PlayRoom:
    """What is used for the playing of games."""

    advice: Advice
    computers: ComputerTurns
    clock: Clock
    keepsakes: ExportQueue
    lookup: TableLookup
    people: People
    tables: Tables


@dataclass(frozen=True, kw_only=True)
class ListRoom:
    """What is used for lists of tables."""

    clock: Clock
    lookup: TableLookup
    places: Places
    store: Store
    public_tables: PublicTables
    tables: Tables


@dataclass(frozen=True, kw_only=True)
class OpeningRoom:
    """What is used for the opening of tables, and who sits down."""

    bars: Bars
    changes: Changes
    clock: Clock
    lookup: TableLookup
    people: People
    places: Places
    quota: Quota
    store: Store
    tables: Tables


@dataclass(frozen=True, kw_only=True)
class SchoolRoom:
    """What is used for the school: courses, puzzles and mistakes."""

    advice: Advice
    clock: Clock
    collection: PuzzleCollection
    daily_moves: DailyMoves
    keepsakes: ExportQueue
    mistakes: Mistakes
    puzzles: Puzzles
    store: Store
    tables: Tables


@dataclass(frozen=True, kw_only=True)
class StandingRoom:
    """What is used for ratings and ladders."""

    bars: Bars
    ladders: Ladders
    people: People
    places: Places
    seasons: Seasons
    store: Store


@dataclass(frozen=True, kw_only=True)
class ClubRoom:
    """What is used for tournaments."""

    changes: Changes
    clock: Clock
    lookup: TableLookup
    people: People
    places: Places
    store: Store
    tournament_views: TournamentViews
    tournaments: Tournaments


@dataclass(frozen=True, kw_only=True)
class SettingsRoom:
    """What is used for settings and holidays."""

    alarm: DeadlineAlarm
    clock: Clock
    lookup: TableLookup
    people: People
    places: Places
    ratings: Ratings
    seasons: Seasons
    store: Store
    tables: Tables


@dataclass(frozen=True, kw_only=True)
class ModerationRoom:
    """What is used for those who manage a place."""

    unreachable_people: UnreachablePeople
    bars: Bars
    changes: Changes
    ladders: Ladders
    people: People
    places: Places
    store: Store
    tables: Tables
    tournaments: Tournaments


@dataclass(frozen=True, kw_only=True)
class ExportRoom:
    """What is used for leaving and coming of a place."""

    clock: Clock
    imports: Imports
    ladders: Ladders
    people: People
    places: Places
    store: Store


@dataclass(frozen=True, kw_only=True)
class LinkRoom:
    """What is used for the linking of identities."""

    bars: Bars
    changes: Changes
    clock: Clock
    people: People
    quota: Quota
    ratings: Ratings
    store: Store
    tables: Tables


@dataclass(frozen=True, kw_only=True)
class AccountRoom:
    """What is used for what is kept of somebody: programs, data, forgetting."""

    changes: Changes
    chats: Mapping[str, Chat]
    people: People
    places: Places
    programs: Programs
    store: Store
    tables: Tables
    views: Views
