"""The one door for chats and for the program: everything that they may use of the bot."""

from bot.boards.closed_places import TRIAL_SECONDS
from bot.boards.views_besides_boards import ViewContent
from bot.commands.completion import CLOSED, closed_choices
from bot.facade.archive import Archive
from bot.facade.awaited_launches import Launches
from bot.facade.board_queries import ChatBoards
from bot.facade.chat_storage import (
    ChatNotes,
    ChatPlaces,
    Inbox,
    NotesTransaction,
    log_unstored,
    read_names,
)
from bot.facade.composition import open_facade
from bot.facade.facade import Facade
from bot.facade.fleeting_messages import FleetingMessages
from bot.facade.front_door import (
    NOTIFY,
    TEMPOS,
    FrontDoor,
    board_shape,
    door_picture,
    public_rules,
    rules_picture,
)
from bot.facade.front_door import Listed as ListedTable
from bot.facade.operator import Operator
from bot.facade.pages import Pages
from bot.facade.people_pages import PeoplePages
from bot.facade.process_duties import ProcessDuties
from bot.facade.program_acts import ActRefused, ProgramTables, new_update
from bot.facade.requests import Requests
from bot.facade.status import HouseStatus, LivingTable, house_status, newest_copy
from bot.facade.table_facts_for_programs import TableFacts
from bot.facade.table_talk import Talk
from bot.facade.tournament_pages import TournamentPages
from bot.notify.open_table_alerts import ROLE_CALLED
from bot.port import Chat, ChatError, Diagnosis, Stumbled
from bot.presenters.button_codes import NO_TABLE, Action, ChatButtons, Click, strip_mac
from bot.presenters.command_specs import (
    BY_ACT,
    BY_NAME,
    COMMANDS,
    GROUPS,
    CommandSpec,
    Parameter,
    ParameterKind,
    find_command,
    find_topic,
    group_of,
    names_in,
    nearest_command,
    options_of,
    short_menu,
)
from bot.presenters.table.setup import game_facts
from bot.presenters.table.viewers import is_name_of_computer
from bot.presenters.typed_command_parser import parse, parse_deed, parse_words
from bot.presenters.typed_names import spelling
from bot.runtime.caches import remembering
from bot.runtime.rate_limiter import Limiter, Limiters, Rank, Window
from bot.runtime.tasks import Tasks, wait_until_set
from bot.service.clock import DeadlineKind
from bot.service.club.rating_check import RatingCheck, rebuild
from bot.service.club.rating_rows import is_game, rating_of
from bot.service.computers.pool import Thinkers
from bot.service.computers.usi import Engine, NoEngine, installed_engine
from bot.service.heartbeat import ALIVE, ALIVE_AT, read_instant, read_milliseconds
from bot.service.person.programs import Program, read_program
from bot.service.place.announcements import (
    ANNOUNCEMENT,
    MOST_HOURS,
    read_announcement,
)
from bot.service.place.announcements import LONGEST_TEXT as LONGEST_ANNOUNCEMENT
from bot.service.place.archive import BadArchive
from bot.service.place.places import OPENED
from bot.service.request_rate_limits import Limits, LimitVerdict
from bot.service.school.puzzle_collection import PuzzleOrigin
from bot.service.table.changes import ORIGINS, seat_rows
from bot.service.table.tables import read_table, standing_for_lists
from bot.session.draft import COMPUTER, NOW
from bot.session.names import cleaned, without_marks
from bot.session.play import LONGEST_WORDS
from storage.database.process_cluster import Cluster
from storage.errors import ForgottenPerson, StorageError
from storage.person.people import PROGRAM_PLATFORM as PROGRAM
