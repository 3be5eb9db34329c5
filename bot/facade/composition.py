"""The composition root: every service is made here, in order, and gets what it uses."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Callable
from inspect import Signature, signature
from typing import TypeVar

from bot.boards.closed_places import ClosedPlaces
from bot.boards.delivery import Delivery
from bot.boards.duplicate_posting_guard import PostingGuard
from bot.boards.pacing import Pacing
from bot.boards.renderer import PartialMoves, Renderer
from bot.boards.tournament_views import TournamentViews
from bot.boards.views import Views
from bot.commands.dispatcher import Dispatcher
from bot.commands.quotas import CODES, ExportQueue, Quota
from bot.commands.request import RequestRoom
from bot.commands.services_of_handlers import (
    AccountRoom,
    ClubRoom,
    ExportRoom,
    FileRoom,
    LinkRoom,
    ListRoom,
    ModerationRoom,
    OpeningRoom,
    PlayRoom,
    SchoolRoom,
    SettingsRoom,
    StandingRoom,
)
from bot.commands.table.lookup import TableLookup
from bot.facade.archive import Archive
from bot.facade.awaited_launches import Launches
from bot.facade.board_queries import ChatBoards
from bot.facade.chat_storage import ChatNotes, ChatPlaces
from bot.facade.coach import Coach
from bot.facade.comments import Comments
from bot.facade.facade import Facade
from bot.facade.front_door import FrontDoor, TablesToPlayNow
from bot.facade.operator import Operator
from bot.facade.pages import Pages
from bot.facade.people_pages import PeoplePages
from bot.facade.process_duties import Backlog, ProcessDuties
from bot.facade.program_acts import ProgramTables
from bot.facade.requests import Requests
from bot.facade.table_talk import Talk
from bot.facade.tournament_pages import TournamentPages
from bot.notify.announcement_banner import Announcer
from bot.notify.daily import DailyPuzzles
from bot.notify.due_notifications import DueNotifications
from bot.notify.notifications import Notifications
from bot.notify.seasons import PodiumPoster
from bot.notify.storm_ends import StormEnds
from bot.port import Chat, ChatError
from bot.presenters.button_codes import ChatButtons
from bot.presenters.tournament.tournament import round_title
from bot.runtime.rate_limiter import Limiters
from bot.runtime.tasks import Tasks
from bot.service.clock import Arrivals, Clock, DeadlineAlarm, Schedule
from bot.service.club.ladders_and_profiles import Ladders
from bot.service.club.medals import Medals
from bot.service.club.ratings import Ratings
from bot.service.club.season_podiums import Seasons
from bot.service.computers.chances import Chances
from bot.service.computers.pool import Thinkers
from bot.service.heartbeat import Heartbeat
from bot.service.person.bars import Bars
from bot.service.person.opened_files import OpenedFiles
from bot.service.person.people import BeginnerPieces, People, Presence
from bot.service.person.programs import Programs
from bot.service.person.unreachable_people import UnreachablePeople
from bot.service.place.announcements import Announcements
from bot.service.place.imports import Imports
from bot.service.place.outages import Outages
from bot.service.place.places import Places
from bot.service.place.public_tables_elsewhere import PublicTables
from bot.service.process_cluster import ClusterNews, Ownership
from bot.service.request_rate_limits import Limits
from bot.service.school.advice import Advice
from bot.service.school.daily_moves import DailyMoves
from bot.service.school.mistakes import Mistakes
from bot.service.school.puzzle_collection import PuzzleCollection
from bot.service.school.puzzle_miner import PuzzleMiner
from bot.service.school.puzzles import Puzzles
from bot.service.table.changes import Changes
from bot.service.table.computer_turns import ComputerTurns
from bot.service.table.deadlines import DeadlineKeeper, Deadlines
from bot.service.table.reminders import Reminders
from bot.service.table.tables import Tables
from bot.service.tournament.progress import TournamentProgress
from bot.service.tournament.tables import TournamentTables
from bot.service.tournament.tournaments import Tournaments
from render.kit import Gallery
from storage import bot_settings
from storage.errors import StorageError
from storage.store import Store

log = logging.getLogger(__name__)

BUTTON_KEY = "button-key"
"""What storage calls the key by which buttons are signed."""

KEY_LENGTH = 32
"""The bytes of that key."""


async def open_facade(store: Store, thinkers: Thinkers, language: str) -> Facade:
    """The facade on *store*; nothing is shown before its ``start``."""
    return Composition(store, thinkers, language, await _button_key(store)).facade


async def _button_key(store: Store) -> bytes:
    """The key by which buttons are signed, made at the first start, and where it is damaged."""
    async with store.transaction() as tx:
        key = await bot_settings.read_setting(tx, BUTTON_KEY, read_button_key)
        if key is None:
            key = secrets.token_bytes(KEY_LENGTH)
            if await bot_settings.load_setting(tx, BUTTON_KEY) is not None:
                log.error("a new key for buttons was made: boards are shown anew at a press")
            await bot_settings.put_setting(tx, BUTTON_KEY, key.hex())
    return key


def read_button_key(kept: str) -> bytes:
    """The key that storage keeps; raises ``ValueError`` where it is none."""
    key = bytes.fromhex(kept)
    if len(key) != KEY_LENGTH:
        raise ValueError(f"a key has {KEY_LENGTH} bytes")
    return key


Kind = TypeVar("Kind")

EMPTY = Signature.empty


class Composition:
    """Everything put together, room by room, each once; *key* signs the buttons."""

    def __init__(self, store: Store, thinkers: Thinkers, default_language: str, key: bytes) -> None:
        self.store, self.fleet, self.thinkers = store, store.cluster, thinkers
        self.default_language, self.key = default_language, key
        self.clock, self.tasks = Clock(), Tasks(expected=(StorageError,))
        self.background, self.chats = self.tasks.start, dict[str, Chat]()
        self.alarm, self.schedule, self.arrivals = DeadlineAlarm(), Schedule(), Arrivals(self.clock)
        self._know()
        self._show()
        self._change()
        self._gather()
        self._command()
        self._keep_time()
        self._ask()
        self.facade = self._make(Facade, programs=self._make(ProgramTables))
        self._listen()

    def _make(self, kind: Callable[..., Kind], **others: object) -> Kind:
        """A *kind*, which is given what it asks for of all that is made, by name, and *others*."""
        wanted = {name for name, one in signature(kind).parameters.items() if one.default is EMPTY}
        return kind(**{name: vars(self)[name] for name in wanted - set(others)}, **others)

    def _know(self) -> None:
        """Who and what is known: people, places and tables."""
        self.outages = Outages(self.store, self.clock, self.alarm)
        self.places = Places(self.store, self.outages)
        self.people = self._make(People)
        self.tables = self._make(Tables)
        self.beginner_pieces = self._make(BeginnerPieces)
        self.announcements = self._make(Announcements)
        self.presence = Presence(self.store, self.tasks)
        self.ownership = Ownership(self.fleet, self.places, self.chats)
        self.unreachable_people = self._make(UnreachablePeople)
        self.bars = self._make(Bars)

    def _show(self) -> None:
        """Boards and calls, and how they are delivered."""
        self.chances = self._make(Chances)
        self.computers = self._make(ComputerTurns)
        self.pacing = self._make(Pacing)
        self.due = self.mentions = self._make(DueNotifications)
        self.gallery, self.partial_moves = Gallery(), PartialMoves()
        self.closed_places = self._make(ClosedPlaces)
        self.renderer = self._make(Renderer)
        self.posting_guard = self._make(PostingGuard)
        self.delivery = self._make(Delivery)
        self.notifications = self._make(Notifications)
        self.views = self._make(Views)
        self.announcer = self._make(Announcer)

    def _change(self) -> None:
        """Changes, and who takes part in them."""
        self.ratings = self._make(Ratings)
        self.tournaments = self._make(Tournaments)
        counted = (self.ratings, self.tournaments, self._make(Medals))
        shown = (self._make(Deadlines), self.due, self.notifications, self.views)
        self.cluster = self._make(ClusterNews, participants=shown)
        self.to_play_now = self._make(TablesToPlayNow)
        last = (self.cluster, self.computers, self.to_play_now)
        self.changes = self._make(Changes, participants=(*counted, *shown, *last))

    def _gather(self) -> None:
        """Tournaments, ladders and puzzles."""
        self.tournament_tables = self._make(TournamentTables, round_title=round_title)
        self.tournament_views = self._make(TournamentViews)
        self.tournament_pages = self._make(TournamentPages, boards=self.tournament_views)
        self.seasons = self._make(Seasons)
        self.ladders = self._make(Ladders)
        self.collection = self._make(PuzzleCollection)
        self.mistakes = self._make(Mistakes)
        self.daily_moves = self._make(DailyMoves)
        self.puzzles = self._make(Puzzles)
        self.public_tables = self._make(PublicTables)

    def _command(self) -> None:
        """Commands, by rooms, and what they use."""
        tries: Limiters[int] = Limiters()
        self.quota = Quota(self.tables, self.places, lambda person: tries.at(person, CODES))
        self.advice, self.keepsakes = Advice(self.thinkers, self.chances), ExportQueue()
        self.programs = self._make(Programs)
        self.imports = self._make(Imports)
        self.opened_files = self._make(OpenedFiles)
        self.lookup = self._make(TableLookup)
        self.account = self._make(AccountRoom)
        self.moderation = self._make(ModerationRoom)
        self.leaving = self._make(ExportRoom)
        games = (PlayRoom, ListRoom, OpeningRoom, SchoolRoom, FileRoom, StandingRoom, ClubRoom)
        made = (self._make(room) for room in (*games, SettingsRoom, LinkRoom))
        rooms = (*made, self.lookup, self.account, self.moderation, self.leaving)
        self.dispatcher = self._make(Dispatcher, room=self._make(RequestRoom), rooms=rooms)

    def _keep_time(self) -> None:
        """What time does, and one process for all."""
        self.heartbeat = self._make(Heartbeat)
        self.deadlines = self._make(
            DeadlineKeeper,
            reminders=self._make(Reminders),
            showing=self.delivery.busy,
            tournaments=self._make(TournamentProgress, opener=self.tournament_tables),
        )
        self.failures, self.backlog = asyncio.Queue[ChatError](), self._make(Backlog)
        self.storm_ends = self._make(StormEnds)
        self.process_duties = self._make(
            ProcessDuties,
            podiums=self._make(PodiumPoster),
            daily=self._make(DailyPuzzles),
            miner=self._make(PuzzleMiner),
            looks=(self.announcer.look, self.storm_ends.look),
            give_up=self.failures.put_nowait,
        )

    def _ask(self) -> None:
        """Whatever may be asked, by who asks."""
        self.limits, self.notes = self._make(Limits), self._make(ChatNotes)
        self.buttons = ChatButtons(self.key)
        self.requests = self._make(Requests)
        self.coach = self._make(Coach)
        self.boards = self._make(ChatBoards, places=self._make(ChatPlaces))
        self.talk, self.launches = self._make(Talk), Launches(self.fleet)
        self.pages = self._make(
            Pages,
            lobby=self._make(FrontDoor, boards=self.tournament_views),
            archive=self._make(Archive),
            comments=self._make(Comments),
            people_pages=self._make(PeoplePages),
        )
        self.operator = self._make(Operator)

    def _listen(self) -> None:
        """Hear of one another from now on."""
        self.unreachable_people.serve(self.changes)
        self.places.when_moved(self.ratings.move, self.bars.move, self.seasons.move)
        self.cluster.listen()
        self.tournaments.listen()
        self.tournament_views.listen()
        self.launches.listen()
        self.announcer.listen()
        self.notifications.listen()
        self.operator.listen()
