"""The composition root: every service is made here, in order, and gets what it uses."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Callable
from inspect import Signature, signature
from typing import TypeVar

from bot.boards.closed_places import Reopening
from bot.boards.delivery import Delivery
from bot.boards.duplicate_posting_guard import Postings
from bot.boards.pacing import Pacing
from bot.boards.renderer import PartialMoves, Renderer
from bot.boards.tournament_views import TournamentViews
from bot.boards.views import Views
from bot.commands.dispatcher import Dispatcher
from bot.commands.quotas import CODES, ExportQueue, Quota
from bot.commands.request import RequestRoom
from bot.commands.rooms import (
    AccountRoom,
    ClubRoom,
    ExportRoom,
    LinkRoom,
    ListRoom,
    ModerationRoom,
    OpeningRoom,
    PlayRoom,
    SchoolRoom,
    SettingsRoom,
    StandingRoom,
)
from bot.commands.table_lookup import TableLookup
from bot.facade.archive import Archive
from bot.facade.board_queries import ChatBoards
from bot.facade.chat_storage import ChatNotes, ChatPlaces
from bot.facade.comments import Comments
from bot.facade.facade import Facade
from bot.facade.launches import Launches
from bot.facade.operator import Operator
from bot.facade.pages import Lobby, Pages
from bot.facade.people_pages import PeoplePages
from bot.facade.process_duties import Backlog, Leases
from bot.facade.program_acts import ProgramTables
from bot.facade.requests import Requests
from bot.facade.table_talk import Talk
from bot.facade.tournament_pages import TournamentPages
from bot.notify.announcement_banner import Announcer
from bot.notify.daily import DailyPuzzles
from bot.notify.due_notifications import DueNotifications
from bot.notify.notifications import Notifications
from bot.notify.seasons import PodiumPoster
from bot.port import Chat, ChatError
from bot.presenters.button_codes import ChatButtons
from bot.presenters.tournament import round_title
from bot.runtime.rate_limiter import Limiters
from bot.runtime.tasks import Tasks
from bot.service.advice import Advice
from bot.service.announcements import Announcements
from bot.service.bars import Bars
from bot.service.changes import Changes
from bot.service.clock import Arrivals, Clock, DeadlineAlarm, Schedule
from bot.service.cluster import ClusterNews, Ownership
from bot.service.computer_turns import ComputerTurns
from bot.service.computers.pool import Thinkers
from bot.service.deadlines import DeadlineKeeper, Deadlines
from bot.service.heartbeat import Heartbeat
from bot.service.ladders import Ladders
from bot.service.medals import Medals
from bot.service.mistakes import Mistakes
from bot.service.outages import Outages
from bot.service.people import Newcomers, People, Presence
from bot.service.place_import import Imports
from bot.service.places import Places
from bot.service.programs import Programs
from bot.service.public_tables import Strangers
from bot.service.puzzle_collection import PuzzleCollection
from bot.service.puzzle_miner import PuzzleMiner
from bot.service.puzzles import Puzzles
from bot.service.ratings import Ratings
from bot.service.reminders import Reminders
from bot.service.request_rate_limits import Limits
from bot.service.season_podiums import Seasons
from bot.service.tables import Tables
from bot.service.tournament_progress import TournamentKeeper
from bot.service.tournament_tables import TournamentTables
from bot.service.tournaments import Tournaments
from bot.service.unreachable_people import Absences
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
        self.alarm, self.schedule = DeadlineAlarm(), Schedule()
        self._know()
        self._show()
        self._change()
        self._gather()
        self._command()
        self._keep_time()
        self._ask()
        self.facade = self._made(Facade, programs=self._made(ProgramTables))
        self._listen()

    def _made(self, kind: Callable[..., Kind], **others: object) -> Kind:
        """A *kind*, which is given what it asks for of all that is made, by name, and *others*."""
        wanted = {name for name, one in signature(kind).parameters.items() if one.default is EMPTY}
        return kind(**{name: vars(self)[name] for name in wanted - set(others)}, **others)

    def _know(self) -> None:
        """Who and what is known: people, places and tables."""
        self.outages = Outages(self.store, self.clock, self.alarm)
        self.places = Places(self.store, self.outages)
        self.people = self._made(People)
        self.tables = self._made(Tables)
        self.newcomers = self._made(Newcomers)
        self.announcements = self._made(Announcements)
        self.presence = Presence(self.store, self.tasks)
        self.ownership = Ownership(self.fleet, self.places, self.chats)
        self.absences = self._made(Absences)
        self.bars = self._made(Bars)

    def _show(self) -> None:
        """Boards and calls, and how they are delivered."""
        self.computers = self._made(ComputerTurns)
        self.pacing = self._made(Pacing)
        self.due = self.mentions = self._made(DueNotifications)
        self.gallery, self.partial_moves = Gallery(), PartialMoves()
        self.reopening = self._made(Reopening)
        self.renderer = self._made(Renderer)
        self.postings = self._made(Postings)
        self.delivery = self._made(Delivery)
        self.notifications = self._made(Notifications)
        self.views = self._made(Views)
        self.announcer = self._made(Announcer)

    def _change(self) -> None:
        """Changes, and who takes part in them."""
        self.ratings = self._made(Ratings)
        self.tournaments = self._made(Tournaments)
        counted = (self.ratings, self.tournaments, self._made(Medals))
        shown = (self._made(Deadlines), self.notifications, self.views)
        self.cluster = self._made(ClusterNews, participants=shown)
        last = (self.cluster, self.computers)
        self.changes = self._made(Changes, participants=(*counted, *shown, *last))

    def _gather(self) -> None:
        """Tournaments, ladders and puzzles."""
        self.tournament_tables = self._made(TournamentTables, round_title=round_title)
        self.tournament_views = self._made(TournamentViews)
        self.tournament_pages = self._made(TournamentPages, boards=self.tournament_views)
        self.seasons = self._made(Seasons)
        self.ladders = self._made(Ladders)
        self.collection = self._made(PuzzleCollection)
        self.puzzles = self._made(Puzzles)
        self.mistakes = self._made(Mistakes)
        self.strangers = self._made(Strangers)

    def _command(self) -> None:
        """Commands, by rooms, and what they use."""
        tries: Limiters[int] = Limiters()
        self.quota = Quota(self.tables, self.places, lambda person: tries.at(person, CODES))
        self.advice, self.keepsakes = Advice(self.thinkers), ExportQueue()
        self.programs = self._made(Programs)
        self.imports = self._made(Imports)
        self.lookup = self._made(TableLookup)
        self.account = self._made(AccountRoom)
        self.moderation = self._made(ModerationRoom)
        self.leaving = self._made(ExportRoom)
        games = (PlayRoom, ListRoom, OpeningRoom, SchoolRoom, StandingRoom, ClubRoom)
        rooms = tuple(self._made(room) for room in (*games, SettingsRoom, LinkRoom))
        rooms += (self.lookup, self.account, self.moderation, self.leaving)
        self.dispatcher = self._made(Dispatcher, room=self._made(RequestRoom), rooms=rooms)

    def _keep_time(self) -> None:
        """What time does, and one process for all."""
        self.arrivals, self.heartbeat = Arrivals(self.clock), self._made(Heartbeat)
        keeper = self._made(TournamentKeeper, opener=self.tournament_tables)
        self.deadlines = self._made(
            DeadlineKeeper,
            reminders=self._made(Reminders),
            showing=self.delivery.busy,
            tournaments=keeper,
        )
        self.failures, self.backlog = asyncio.Queue[ChatError](), self._made(Backlog)
        self.leases = self._made(
            Leases,
            podiums=self._made(PodiumPoster),
            daily=self._made(DailyPuzzles),
            miner=self._made(PuzzleMiner),
            give_up=self.failures.put_nowait,
        )

    def _ask(self) -> None:
        """Whatever may be asked, by who asks."""
        self.limits, self.notes = self._made(Limits), self._made(ChatNotes)
        self.buttons = ChatButtons(self.key)
        self.requests = self._made(Requests)
        self.boards = self._made(ChatBoards, places=self._made(ChatPlaces))
        self.talk, self.launches = self._made(Talk), Launches(self.fleet)
        self.pages = self._made(
            Pages,
            lobby=self._made(Lobby),
            archive=self._made(Archive),
            comments=self._made(Comments),
            people_pages=self._made(PeoplePages),
        )
        self.operator = self._made(Operator)

    def _listen(self) -> None:
        """Hear of one another from now on."""
        self.absences.serve(self.changes)
        self.places.when_moved(self.ratings.moved, self.bars.moved, self.seasons.moved)
        self.cluster.listen()
        self.tournaments.listen()
        self.tournament_views.listen()
        self.tournament_pages.listen()
        self.launches.listen()
        self.announcer.listen()
        self.notifications.listen()
        self.operator.listen()
