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
    return compose(store, thinkers, language, await _button_key(store))


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


def compose(store: Store, thinkers: Thinkers, language: str, key: bytes) -> Facade:
    """Everything put together; *key* signs the buttons."""
    clock, tasks, chats = Clock(), Tasks(expected=(StorageError,)), dict[str, Chat]()

    # What is known and stored.
    alarm, schedule = DeadlineAlarm(), Schedule()
    outages = Outages(store, clock, alarm)
    places = Places(store, outages)
    people = People(store=store, places=places, clock=clock, default_language=language)
    tables = Tables(store=store, tasks=tasks, clock=clock, people=people)
    newcomers = Newcomers(store=store, people=people)
    announcements = Announcements(store=store, clock=clock)
    presence = Presence(store, tasks)
    ownership = Ownership(store.cluster, places, chats)
    absences = Absences(
        store=store, tasks=tasks, tables=tables, people=people, places=places, ownership=ownership
    )

    bars = Bars(store=store, places=places, clock=clock)

    # What takes part in a change.
    ratings, medals = Ratings(store=store, clock=clock, places=places), Medals(places=places)
    tournaments = Tournaments(store=store, clock=clock, alarm=alarm)
    deadlines = Deadlines(clock, alarm)
    computers = ComputerTurns(store=store, tables=tables, thinkers=thinkers, tasks=tasks)
    pacing = Pacing(
        store=store,
        clock=clock,
        places=places,
        ownership=ownership,
        outages=outages,
        background=tasks.start,
    )
    due = DueNotifications(
        store=store,
        clock=clock,
        people=people,
        places=places,
        presence=presence,
        absences=absences,
        ownership=ownership,
        pacing=pacing,
        schedule=schedule,
        key=key,
    )
    gallery, partial_moves = Gallery(), PartialMoves()
    reopening = Reopening(store=store, places=places, ownership=ownership, background=tasks.start)
    renderer = Renderer(
        store=store,
        clock=clock,
        tables=tables,
        places=places,
        ownership=ownership,
        people=people,
        newcomers=newcomers,
        announcements=announcements,
        mentions=due,
        reopening=reopening,
        key=key,
        gallery=gallery,
        partial_moves=partial_moves,
    )
    delivery = Delivery(
        store=store,
        tasks=tasks,
        tables=tables,
        places=places,
        computers=computers,
        ownership=ownership,
        pacing=pacing,
        renderer=renderer,
        reopening=reopening,
        postings=Postings(store=store, tasks=tasks, pacing=pacing, renderer=renderer),
    )
    notifications = Notifications(
        store=store,
        clock=clock,
        background=tasks.start,
        tables=tables,
        presence=presence,
        delivery=delivery,
        due=due,
        schedule=schedule,
    )
    views = Views(
        store=store,
        clock=clock,
        tables=tables,
        places=places,
        delivery=delivery,
        mentions=due,
        partial_moves=partial_moves,
    )
    cluster = ClusterNews(
        fleet=store.cluster,
        tables=tables,
        people=people,
        places=places,
        outages=outages,
        bars=bars,
        participants=(deadlines, notifications, views),
    )
    changes = Changes(
        store=store,
        clock=clock,
        tables=tables,
        people=people,
        outages=outages,
        participants=(
            *(ratings, tournaments, medals, deadlines, notifications, views),
            *(cluster, computers),
        ),
    )

    opener = TournamentTables(
        store=store,
        clock=clock,
        people=people,
        places=places,
        ownership=ownership,
        changes=changes,
        round_title=round_title,
    )

    # What changes tables by time, and for chats.
    arrivals = Arrivals(clock)
    deadline_keeper = DeadlineKeeper(
        store=store,
        clock=clock,
        alarm=alarm,
        tables=tables,
        changes=changes,
        arrivals=arrivals,
        outages=outages,
        ownership=ownership,
        reminders=Reminders(
            store=store, clock=clock, tasks=tasks, people=people, tables=tables, schedule=schedule
        ),
        showing=delivery.busy,
        tournaments=TournamentKeeper(
            store=store,
            clock=clock,
            tournaments=tournaments,
            tables=tables,
            opener=opener,
            changes=changes,
            outages=outages,
        ),
    )
    tournament_views = TournamentViews(
        store=store,
        clock=clock,
        background=tasks.start,
        tournaments=tournaments,
        places=places,
        delivery=delivery,
        key=key,
    )
    tournament_pages = TournamentPages(
        people=people, tournaments=tournaments, boards=tournament_views, key=key
    )
    tries: Limiters[int] = Limiters()
    seasons = Seasons(store=store, clock=clock, places=places)
    strangers = Strangers(store=store, tables=tables, people=people, places=places, bars=bars)
    collection = PuzzleCollection(store=store, clock=clock)
    services = Services(
        store=store,
        key=key,
        clock=clock,
        tables=tables,
        changes=changes,
        people=people,
        newcomers=newcomers,
        places=places,
        ratings=ratings,
        seasons=seasons,
        ladders=Ladders(store=store, clock=clock, places=places, people=people),
        collection=collection,
        puzzles=Puzzles(store=store, clock=clock, people=people, collection=collection),
        mistakes=Mistakes(store=store, clock=clock, people=people),
        presence=presence,
        absences=absences,
        bars=bars,
        strangers=strangers,
        alarm=alarm,
        advice=Advice(thinkers),
        computers=computers,
        views=views,
        tournaments=tournaments,
        tournament_views=tournament_views,
        tournament_tables=opener,
        gallery=gallery,
        quota=Quota(tables, places, lambda person: tries.at(person, CODES)),
        imports=Imports(store=store, clock=clock),
        programs=Programs(store=store, clock=clock, changes=changes),
        chats=chats,
    )
    limits = Limits(store=store, tasks=tasks, people=people, tables=tables)
    talk = Talk(
        store=store, clock=clock, changes=changes, people=people, views=views, limits=limits
    )
    notes = ChatNotes(store)
    heartbeat = Heartbeat(store=store, clock=clock, outages=outages, ownership=ownership)
    given_up = asyncio.Queue[ChatError]()
    announcer = Announcer(
        store=store,
        announcements=announcements,
        delivery=delivery,
        fleet=store.cluster,
        background=tasks.start,
    )
    facade = Facade(
        store=store,
        tasks=tasks,
        services=services,
        dispatcher=Dispatcher(services),
        arrivals=arrivals,
        delivery=delivery,
        notifications=notifications,
        ownership=ownership,
        thinkers=thinkers,
        limits=limits,
        boards=ChatBoards(
            store=store,
            tables=tables,
            people=people,
            views=views,
            announcements=announcements,
            key=key,
        ),
        buttons=ChatButtons(key),
        bans=HouseBans(services=services, tasks=tasks, chats=chats, fleet=store.cluster),
        pages=Pages(people=people, tables=tables, views=views, chats=chats, key=key),
        places=ChatPlaces(
            store=store, places=places, delivery=delivery, pacing=pacing, absences=absences
        ),
        notes=notes,
        lobby=Lobby(
            tables=tables,
            people=people,
            views=views,
            strangers=strangers,
            notes=notes,
            places=places,
        ),
        archive=Archive(tables=tables, people=people),
        companions=Companions(tables=tables, people=people, places=places, chats=chats, key=key),
        comments=Comments(store=store, clock=clock, people=people, views=views),
        people_pages=PeoplePages(store=store, people=people, ladders=services.ladders, key=key),
        tournament_pages=tournament_pages,
        talk=talk,
        programs=ProgramTables(
            store=store,
            clock=clock,
            people=people,
            tables=tables,
            views=views,
            limits=limits,
            programs=services.programs,
            talk=talk,
            quota=services.quota,
            key=key,
            default_language=language,
        ),
        heartbeat=heartbeat,
        launches=Launches(store.cluster),
        announcer=announcer,
        leases=Leases(
            fleet=store.cluster,
            tasks=tasks,
            changes=changes,
            computers=computers,
            cluster=cluster,
            outages=outages,
            ownership=ownership,
            delivery=delivery,
            views=views,
            notifications=notifications,
            deadlines=deadline_keeper,
            heartbeat=heartbeat,
            podiums=PodiumPoster(seasons=seasons, people=people, delivery=delivery, key=key),
            daily=DailyPuzzles(
                store=store,
                clock=clock,
                places=places,
                delivery=delivery,
                collection=collection,
                key=key,
                default_language=language,
            ),
            miner=PuzzleMiner(
                store=store,
                tables=tables,
                thinkers=thinkers,
                ownership=ownership,
                collection=collection,
            ),
            announcer=announcer,
            give_up=given_up.put_nowait,
        ),
        chats=chats,
        failures=given_up,
        fleet=store.cluster,
    )
    absences.serve(changes)
    places.when_moved(ratings.moved, bars.moved, seasons.moved)
    facade.programs.serve(facade.call, facade.press)
    cluster.listen()
    tournaments.listen()
    tournament_views.listen()
    tournament_pages.listen()
    facade.launches.listen()
    announcer.listen()
    notifications.listen()
    facade.bans.listen()
    store.cluster.on("forgotten", facade.forgotten_elsewhere)
    return facade
