"""The composition root: every service is made here, in order, and gets what it uses."""

from __future__ import annotations

import asyncio
import logging
import secrets

from bot.boards.closed_places import Reopening
from bot.boards.delivery import Delivery
from bot.boards.duplicate_posting_guard import Postings
from bot.boards.pacing import Pacing
from bot.boards.renderer import PartialMoves, Renderer
from bot.boards.tournament_views import TournamentViews
from bot.boards.views import Views
from bot.commands.dispatcher import Dispatcher
from bot.commands.quotas import CODES, Quota
from bot.commands.request import Services
from bot.facade.archive import Archive
from bot.facade.board_queries import ChatBoards
from bot.facade.button_signing import ChatButtons
from bot.facade.chat_storage import ChatNotes, ChatPlaces
from bot.facade.comments import Comments
from bot.facade.facade import Facade
from bot.facade.house_bans import HouseBans
from bot.facade.launches import Launches
from bot.facade.pages import Lobby, Pages
from bot.facade.people_pages import PeoplePages
from bot.facade.process_duties import Leases
from bot.facade.program_acts import ProgramTables
from bot.facade.recent_opponents import Companions
from bot.facade.table_talk import Talk
from bot.facade.tournament_pages import TournamentPages
from bot.notify.announcement_banner import Announcer
from bot.notify.daily import DailyPuzzles
from bot.notify.due_notifications import DueNotifications
from bot.notify.notifications import Notifications
from bot.notify.seasons import PodiumPoster
from bot.port import Chat, ChatError
from bot.presenters.tournament import round_title
from bot.runtime.rate_limiter import Limiters
from bot.runtime.tasks import Tasks
from bot.service.advice import Advice
from bot.service.announcements import Announcements
from bot.service.bars import Bars
from bot.service.beginner_pieces_offer import Newcomers
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
from bot.service.people import People, Presence
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


class Composition:
    """Everything put together, room by room, each once; *key* signs the buttons."""

    def __init__(self, store: Store, thinkers: Thinkers, language: str, key: bytes) -> None:
        self.store, self.thinkers, self.language, self.key = store, thinkers, language, key
        self.clock, self.tasks = Clock(), Tasks(expected=(StorageError,))
        self.alarm, self.schedule, self.chats = DeadlineAlarm(), Schedule(), dict[str, Chat]()
        self._know()
        self._call()
        self._show()
        self._change()
        self._gather()
        self._command()
        self._keep_time()
        self._open()
        self._listen()

    def _know(self) -> None:
        """Who and what is known: people, places and tables."""
        store, clock, tasks = self.store, self.clock, self.tasks
        self.outages = Outages(store, clock, self.alarm)
        self.places = Places(store, self.outages)
        self.people = People(
            store=store, places=self.places, clock=clock, default_language=self.language
        )
        self.tables = Tables(store=store, tasks=tasks, clock=clock, people=self.people)
        self.newcomers = Newcomers(store=store, people=self.people)
        self.announcements = Announcements(store=store, clock=clock)
        self.presence = Presence(store, tasks)
        self.ownership = Ownership(store.cluster, self.places, self.chats)
        self.absences = Absences(
            store=store,
            tasks=tasks,
            tables=self.tables,
            people=self.people,
            places=self.places,
            ownership=self.ownership,
        )
        self.bars = Bars(store=store, places=self.places, clock=clock)

    def _call(self) -> None:
        """Who is called, and at what pace."""
        self.pacing = Pacing(
            store=self.store,
            clock=self.clock,
            places=self.places,
            ownership=self.ownership,
            outages=self.outages,
            background=self.tasks.start,
        )
        self.due = DueNotifications(
            store=self.store,
            clock=self.clock,
            people=self.people,
            places=self.places,
            presence=self.presence,
            absences=self.absences,
            ownership=self.ownership,
            pacing=self.pacing,
            schedule=self.schedule,
            key=self.key,
        )

    def _show(self) -> None:
        """Boards, and how they are delivered."""
        store, tables, tasks, places = self.store, self.tables, self.tasks, self.places
        ownership, clock, due = self.ownership, self.clock, self.due
        self.computers = ComputerTurns(
            store=store, tables=tables, thinkers=self.thinkers, tasks=tasks
        )
        self.gallery, self.partial_moves = Gallery(), PartialMoves()
        self.reopening = Reopening(
            store=store, places=places, ownership=ownership, background=tasks.start
        )
        self.renderer = Renderer(
            store=store,
            clock=clock,
            tables=tables,
            places=places,
            ownership=ownership,
            people=self.people,
            newcomers=self.newcomers,
            announcements=self.announcements,
            mentions=due,
            reopening=self.reopening,
            key=self.key,
            gallery=self.gallery,
            partial_moves=self.partial_moves,
        )
        self.delivery = Delivery(
            store=store,
            tasks=tasks,
            tables=tables,
            places=places,
            computers=self.computers,
            ownership=ownership,
            pacing=self.pacing,
            renderer=self.renderer,
            reopening=self.reopening,
            postings=Postings(store=store, tasks=tasks, pacing=self.pacing, renderer=self.renderer),
        )
        self.notifications = Notifications(
            store=store,
            clock=clock,
            background=tasks.start,
            tables=tables,
            presence=self.presence,
            delivery=self.delivery,
            due=due,
            schedule=self.schedule,
        )
        self.views = Views(
            store=store,
            clock=clock,
            tables=tables,
            places=places,
            delivery=self.delivery,
            mentions=due,
            partial_moves=self.partial_moves,
        )

    def _change(self) -> None:
        """Changes, and who takes part in them."""
        clock, store, places = self.clock, self.store, self.places
        self.ratings = Ratings(store=store, clock=clock, places=places)
        self.tournaments = Tournaments(store=store, clock=clock, alarm=self.alarm)
        shown = (Deadlines(clock, self.alarm), self.notifications, self.views)
        counted = (self.ratings, self.tournaments, Medals(places=places))
        self.cluster = ClusterNews(
            fleet=store.cluster,
            tables=self.tables,
            people=self.people,
            places=places,
            outages=self.outages,
            bars=self.bars,
            participants=shown,
        )
        self.changes = Changes(
            store=store,
            clock=clock,
            tables=self.tables,
            people=self.people,
            outages=self.outages,
            participants=(*counted, *shown, self.cluster, self.computers),
        )

    def _gather(self) -> None:
        """Tournaments, seasons and puzzles."""
        store, clock, people, places = self.store, self.clock, self.people, self.places
        self.opener = TournamentTables(
            store=store,
            clock=clock,
            people=people,
            places=places,
            ownership=self.ownership,
            changes=self.changes,
            round_title=round_title,
        )
        self.tournament_views = TournamentViews(
            store=store,
            clock=clock,
            background=self.tasks.start,
            tournaments=self.tournaments,
            places=places,
            delivery=self.delivery,
            key=self.key,
        )
        self.tournament_pages = TournamentPages(
            people=people, tournaments=self.tournaments, boards=self.tournament_views, key=self.key
        )
        self.seasons = Seasons(store=store, clock=clock, places=places)
        self.collection = PuzzleCollection(store=store, clock=clock)
        self.strangers = Strangers(
            store=store, tables=self.tables, people=people, places=places, bars=self.bars
        )

    def _command(self) -> None:
        """Commands, and what they use."""
        store, clock, tables, changes = self.store, self.clock, self.tables, self.changes
        people, places, views = self.people, self.places, self.views
        self.tries: Limiters[int] = Limiters()
        self.services = Services(
            store=store,
            key=self.key,
            clock=clock,
            tables=tables,
            changes=changes,
            people=people,
            newcomers=self.newcomers,
            places=places,
            ratings=self.ratings,
            seasons=self.seasons,
            ladders=Ladders(store=store, clock=clock, places=places, people=people),
            collection=self.collection,
            puzzles=Puzzles(store=store, clock=clock, people=people, collection=self.collection),
            mistakes=Mistakes(store=store, clock=clock, people=people),
            presence=self.presence,
            absences=self.absences,
            bars=self.bars,
            strangers=self.strangers,
            alarm=self.alarm,
            advice=Advice(self.thinkers),
            computers=self.computers,
            views=views,
            tournaments=self.tournaments,
            tournament_views=self.tournament_views,
            tournament_tables=self.opener,
            gallery=self.gallery,
            quota=Quota(tables, places, lambda person: self.tries.at(person, CODES)),
            imports=Imports(store=store, clock=clock),
            programs=Programs(store=store, clock=clock, changes=changes),
            chats=self.chats,
        )
        self.limits = Limits(store=store, tasks=self.tasks, people=people, tables=tables)
        self.talk = Talk(
            store=store,
            clock=clock,
            changes=changes,
            people=people,
            views=views,
            limits=self.limits,
        )
        self.notes = ChatNotes(store)
        self.programs = ProgramTables(
            store=store,
            clock=clock,
            people=people,
            tables=tables,
            views=views,
            limits=self.limits,
            programs=self.services.programs,
            talk=self.talk,
            quota=self.services.quota,
            key=self.key,
            default_language=self.language,
        )

    def _keep_time(self) -> None:
        """What time does, and one process for all."""
        clock, store, tables, changes = self.clock, self.store, self.tables, self.changes
        outages, ownership, delivery = self.outages, self.ownership, self.delivery
        tasks = self.tasks
        self.arrivals = Arrivals(clock)
        self.deadline_keeper = DeadlineKeeper(
            store=store,
            clock=clock,
            alarm=self.alarm,
            tables=tables,
            changes=changes,
            arrivals=self.arrivals,
            outages=outages,
            ownership=ownership,
            reminders=Reminders(
                store=store,
                clock=clock,
                tasks=tasks,
                people=self.people,
                tables=tables,
                schedule=self.schedule,
            ),
            showing=delivery.busy,
            tournaments=TournamentKeeper(
                store=store,
                clock=clock,
                tournaments=self.tournaments,
                tables=tables,
                opener=self.opener,
                changes=changes,
                outages=outages,
            ),
        )
        self.heartbeat = Heartbeat(store=store, clock=clock, outages=outages, ownership=ownership)
        self.given_up = asyncio.Queue[ChatError]()
        self.announcer = Announcer(
            store=store,
            announcements=self.announcements,
            delivery=delivery,
            fleet=store.cluster,
            background=tasks.start,
        )
        self.leases = Leases(
            fleet=store.cluster,
            tasks=tasks,
            changes=changes,
            computers=self.computers,
            cluster=self.cluster,
            outages=outages,
            ownership=ownership,
            delivery=delivery,
            views=self.views,
            notifications=self.notifications,
            deadlines=self.deadline_keeper,
            heartbeat=self.heartbeat,
            podiums=PodiumPoster(
                seasons=self.seasons, people=self.people, delivery=delivery, key=self.key
            ),
            daily=DailyPuzzles(
                store=store,
                clock=clock,
                places=self.places,
                delivery=delivery,
                collection=self.collection,
                key=self.key,
                default_language=self.language,
            ),
            miner=PuzzleMiner(
                store=store,
                tables=tables,
                thinkers=self.thinkers,
                ownership=ownership,
                collection=self.collection,
            ),
            announcer=self.announcer,
            give_up=self.given_up.put_nowait,
        )

    def _open(self) -> None:
        """The facade."""
        store, services, chats, key = self.store, self.services, self.chats, self.key
        tables, people, views, places = self.tables, self.people, self.views, self.places
        self.facade = Facade(
            store=store,
            tasks=self.tasks,
            services=services,
            dispatcher=Dispatcher(services),
            arrivals=self.arrivals,
            delivery=self.delivery,
            notifications=self.notifications,
            ownership=self.ownership,
            thinkers=self.thinkers,
            limits=self.limits,
            boards=ChatBoards(
                store=store,
                tables=tables,
                people=people,
                views=views,
                announcements=self.announcements,
                key=key,
            ),
            buttons=ChatButtons(key),
            bans=HouseBans(services=services, tasks=self.tasks, chats=chats, fleet=store.cluster),
            pages=Pages(people=people, tables=tables, views=views, chats=chats, key=key),
            places=ChatPlaces(
                store=store,
                places=places,
                delivery=self.delivery,
                pacing=self.pacing,
                absences=self.absences,
            ),
            notes=self.notes,
            lobby=Lobby(
                tables=tables,
                people=people,
                views=views,
                strangers=self.strangers,
                notes=self.notes,
                places=places,
            ),
            archive=Archive(tables=tables, people=people),
            companions=Companions(
                tables=tables, people=people, places=places, chats=chats, key=key
            ),
            comments=Comments(store=store, clock=self.clock, people=people, views=views),
            people_pages=PeoplePages(store=store, people=people, ladders=services.ladders, key=key),
            tournament_pages=self.tournament_pages,
            talk=self.talk,
            programs=self.programs,
            heartbeat=self.heartbeat,
            launches=Launches(store.cluster),
            announcer=self.announcer,
            leases=self.leases,
            chats=chats,
            failures=self.given_up,
            fleet=store.cluster,
        )

    def _listen(self) -> None:
        """Hear of one another from now on."""
        self.absences.serve(self.changes)
        self.places.when_moved(self.ratings.moved, self.bars.moved, self.seasons.moved)
        self.facade.programs.serve(self.facade.call, self.facade.press)
        self.cluster.listen()
        self.tournaments.listen()
        self.tournament_views.listen()
        self.tournament_pages.listen()
        self.facade.launches.listen()
        self.announcer.listen()
        self.notifications.listen()
        self.facade.bans.listen()
        self.store.cluster.on("forgotten", self.facade.forgotten_elsewhere)
