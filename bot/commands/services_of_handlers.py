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
from bot.service.person.opened_files import OpenedFiles
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
class CommandRoom:
    """What every room may use: tables, people and places, and how they change."""

    bars: Bars
    changes: Changes
    clock: Clock
    lookup: TableLookup
    people: People
    places: Places
    store: Store
    tables: Tables


@dataclass(frozen=True, kw_only=True)
class PlayRoom(CommandRoom):
    """What is used for the playing of games."""

    advice: Advice
    computers: ComputerTurns
    keepsakes: ExportQueue


@dataclass(frozen=True, kw_only=True)
class ListRoom(CommandRoom):
    """What is used for lists of tables."""

    public_tables: PublicTables


@dataclass(frozen=True, kw_only=True)
class OpeningRoom(CommandRoom):
    """What is used for the opening of tables, and who sits down."""

    quota: Quota


@dataclass(frozen=True, kw_only=True)
class SchoolRoom(CommandRoom):
    """What is used for the school: courses, puzzles and mistakes."""

    advice: Advice
    collection: PuzzleCollection
    daily_moves: DailyMoves
    keepsakes: ExportQueue
    mistakes: Mistakes
    puzzles: Puzzles


@dataclass(frozen=True, kw_only=True)
class FileRoom(CommandRoom):
    """What is used for games from files."""

    opened_files: OpenedFiles


@dataclass(frozen=True, kw_only=True)
class StandingRoom(CommandRoom):
    """What is used for ratings and ladders."""

    ladders: Ladders
    seasons: Seasons


@dataclass(frozen=True, kw_only=True)
class ClubRoom(CommandRoom):
    """What is used for tournaments."""

    tournament_views: TournamentViews
    tournaments: Tournaments


@dataclass(frozen=True, kw_only=True)
class SettingsRoom(CommandRoom):
    """What is used for settings and holidays."""

    alarm: DeadlineAlarm
    ratings: Ratings
    seasons: Seasons


@dataclass(frozen=True, kw_only=True)
class ModerationRoom(CommandRoom):
    """What is used for those who manage a place."""

    unreachable_people: UnreachablePeople
    ladders: Ladders
    tournaments: Tournaments


@dataclass(frozen=True, kw_only=True)
class ExportRoom(CommandRoom):
    """What is used for leaving and coming of a place."""

    imports: Imports
    ladders: Ladders


@dataclass(frozen=True, kw_only=True)
class LinkRoom(CommandRoom):
    """What is used for the linking of identities."""

    quota: Quota
    ratings: Ratings


@dataclass(frozen=True, kw_only=True)
class AccountRoom(CommandRoom):
    """What is used for what is kept of somebody: programs, data, forgetting."""

    chats: Mapping[str, Chat]
    programs: Programs
    views: Views
