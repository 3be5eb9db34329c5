"""The facade: everything that a chat may ask of the bot."""

from __future__ import annotations

import asyncio
import hmac
import logging
import secrets
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import TypeVar

from bot.boards.delivery import Delivery
from bot.commands.account import erase_person
from bot.commands.dispatcher import Dispatcher
from bot.commands.place_export import archive_of
from bot.commands.rooms import AccountRoom, ExportRoom
from bot.commands.seating import invitations_for
from bot.facade.archive import Archive
from bot.facade.board_queries import ChatBoards
from bot.facade.button_signing import ChatButtons
from bot.facade.chat_storage import ChatNotes, ChatPlaces, Inbox
from bot.facade.comments import Comments
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
from bot.notify.notifications import Notifications
from bot.port import (
    Answer,
    Asker,
    Chat,
    ChatError,
    Command,
    FaultAnswer,
    Press,
    Promised,
    Said,
    ShareableInvitation,
    Suggestion,
    Where,
)
from bot.presenters.game_poster import poster
from bot.runtime import metrics
from bot.runtime.tasks import Tasks
from bot.service.changes import OPERATOR, Changes, SeenBefore, Update
from bot.service.clock import Arrivals, Clock
from bot.service.cluster import Ownership
from bot.service.computers.pool import Thinkers
from bot.service.heartbeat import Heartbeat
from bot.service.people import People
from bot.service.place_import import Imported
from bot.service.puzzle_collection import PuzzleCollection
from bot.service.request_rate_limits import Limits
from bot.service.tables import Tables
from bot.session.table import BrokenTable
from bot.texts import Language, language, spoken
from games.core import Phrase, phrase
from games.core.shelf import shelf
from render.kit import themed
from render.kit.sprite_placements import Scenery, scenery_of
from render.scene import Poster, Scene
from storage import inbox, personal_data
from storage.cluster import Cluster
from storage.errors import (
    DatabaseBusy,
    DatabaseFull,
    DatabaseReplaced,
    ForgottenPerson,
    StorageError,
)
from storage.store import Store

log = logging.getLogger(__name__)

_WHY: Mapping[type[StorageError], str] = {
    DatabaseBusy: "house.database-busy",
    DatabaseFull: "house.disk-full",
    DatabaseReplaced: "house.database-replaced",
}

Asked = TypeVar("Asked", Press, Command)
Offer = TypeVar("Offer", Suggestion, ShareableInvitation)

RESTING = 12.0
"""Seconds in which a chat must finish what it took, at a stop; supervisors kill after thirty."""


# No repr: it would hold every table, and asyncio makes one of what a task returns.
@dataclass(kw_only=True, repr=False)
class Facade:
    """A running bot. Chats hand presses and commands in; boards go out by the delivery."""

    store: Store
    tasks: Tasks
    clock: Clock
    people: People
    tables: Tables
    changes: Changes
    account: AccountRoom
    collection: PuzzleCollection
    leaving: ExportRoom
    key: bytes
    dispatcher: Dispatcher
    arrivals: Arrivals
    delivery: Delivery
    notifications: Notifications
    ownership: Ownership
    thinkers: Thinkers
    limits: Limits
    boards: ChatBoards
    buttons: ChatButtons
    bans: HouseBans
    pages: Pages
    places: ChatPlaces
    notes: ChatNotes
    lobby: Lobby
    archive: Archive
    companions: Companions
    comments: Comments
    people_pages: PeoplePages
    tournament_pages: TournamentPages
    talk: Talk
    programs: ProgramTables
    heartbeat: Heartbeat
    launches: Launches
    announcer: Announcer
    leases: Leases
    chats: dict[str, Chat]
    failures: asyncio.Queue[ChatError]
    """Why chats have failed so often that only a new process may help."""
    fleet: Cluster
    """The processes that share our database: what chats tell one another over them."""
    ready: bool = False
    """Whether we take presses: from the end of the start to the beginning of the stop."""

    # ---------------------------------------------------------------- for the chats

    async def press(self, press: Press) -> Answer:
        """What the presser of a button hears; never raises."""
        return await self._handled(press, "press", self.dispatcher.press)

    async def call(self, call: Command) -> Answer:
        """What the giver of a command hears; never raises."""
        return await self._handled(call, "command", self.dispatcher.call)

    async def _handled(
        self, asked: Asked, kind: str, answering: Callable[[Asked], Awaitable[Answer]]
    ) -> Answer:
        platform = asked.where.platform
        with (
            self.arrivals.taking(asked.sent) as arrived,
            metrics.timing(metrics.ANSWERS, platform, kind),
            metrics.followed(f"{platform} {asked.update}"),
        ):
            asked = replace(asked, arrived=arrived)
            with self.delivery.reservations.reserving(asked) as reserved:
                answer = await self._answered(answering(asked), asked, kind)
                if not answer.good and await self._is_outdated(asked):
                    answer = await self._answered(answering(asked), asked, kind)
                return await self.delivery.with_board(answer, reserved, asked)

    async def _is_outdated(self, asked: Press | Command) -> bool:
        """Whether a press was judged by a table that another process had changed since."""
        if self.fleet.alone or not isinstance(asked, Press):
            return False
        click = self.buttons.click(asked.code)
        try:
            return click is not None and await self.tables.is_outdated(click.table)
        except StorageError:
            return False

    async def _answered(self, answering: Awaitable[Answer], asked: Asked, kind: str) -> Answer:
        """What *answering* answers; a fault of ours is logged and told as ours."""
        said = phrase("house.try-again")
        try:
            answer = await answering
            if isinstance(answer, Promised):
                following = asyncio.create_task(self._answered(answer.answer, asked, kind))
                return replace(answer, answer=following)
            return answer
        except SeenBefore:
            return Said()
        except ForgottenPerson:
            return Said(language(await self._spoken_by(asked)).say(phrase("forget.done")))
        except BrokenTable as broken:
            said = phrase("house.broken-table", code=broken.code)
        except StorageError as wrong:
            said = self.fault_phrase(wrong, asked.update)
        except ChatError as wrong:
            log.warning("%s waits for its platform: %s", type(asked).__name__, wrong)
            if await self._was_done(asked):
                said = phrase("house.done-but")
        except Exception:
            # Not under its own id, in which that of a guest stands.
            log.exception("%s %s failed", type(asked).__name__, metrics.tracing())
            if await self._was_done(asked):
                said = phrase("house.done-but")
        metrics.FAILURES.labels(asked.where.platform, kind).inc()
        return FaultAnswer(language(await self._spoken_by(asked)).say(said))

    async def _was_done(self, asked: Press | Command) -> bool:
        """Whether what failed had been stored before, so that it is not to be tried again."""
        try:
            return await self.store.read(inbox.is_update_done, asked.where.platform, asked.update)
        except StorageError:
            return False

    async def _spoken_by(self, asked: Press | Command) -> str:
        """The asker's chosen language, or that of their client where it cannot be read."""
        try:
            return await self.language_of(asked.asker, asked.where)
        except StorageError:
            return spoken(asked.asker.language) or self.default_language

    @staticmethod
    def fault_phrase(wrong: BaseException, what: str) -> Phrase:
        """What a person hears of *wrong*, a fault of ours that is logged; *what* has failed."""
        if not isinstance(wrong, StorageError):
            log.error("%s failed", what, exc_info=wrong)
            return phrase("house.try-again")
        log.error("%s", wrong)
        return phrase(_WHY.get(type(wrong), "house.try-again"))

    async def suggest(self, call: Command, parameter: str, text: str) -> Sequence[Suggestion]:
        """Completions of a parameter, none where *call* comes too fast; never raises."""
        if not self.limits.completes(call.asker):
            return ()
        suggested = self.dispatcher.suggest(call, parameter, text)
        return await _or_nothing(suggested, f"what completes {parameter} of {call.name}")

    async def offers(self, asker: Asker, where: Where, text: str) -> Sequence[ShareableInvitation]:
        """Invitations that *asker* may send into any chat, at most so often; never raises."""
        if not self.limits.completes(asker) or await self.bans.is_banned(asker):
            return ()
        offered = invitations_for(
            self.people, self.tables, self.clock, self.key, asker, where, text
        )
        return await _or_nothing(offered, "offering invitations")

    def signature(self, words: str) -> str:
        """What only this house can write of *words*: 64 digits, as long as its key is the same."""
        return hmac.new(self.key, words.encode(), "sha256").hexdigest()

    async def picture(self, scene: Scene | Poster) -> bytes:
        """The picture of *scene*, painted off the event loop."""
        return await self.delivery.renderer.picture(scene)

    async def scenery(self, scene: Scene) -> Scenery:
        """*scene* as sprites at places, put together off the event loop."""
        return await asyncio.to_thread(scenery_of, scene)

    async def paint_posters(self, code: str, pause: float) -> None:
        """Paint what a first ``/play`` in the language *code* shows in each chat.

        Between two posters it waits for *pause* seconds: players' pictures come first.
        """
        themes = {chat.capabilities.theme for chat in self.chats.values()}
        for theme, game in product(sorted(themes), shelf().values()):
            shown = poster(game, themed(game.key, theme, ""), code)
            if shown is not None:
                await self.picture(shown)
                await asyncio.sleep(pause)

    def painted(self, scene: Scene | Poster) -> bytes | None:
        """The same where it is painted already."""
        return self.delivery.renderer.gallery.ready(scene)

    @property
    def default_language(self) -> str:
        """The language of people who speak none of ours."""
        return self.people.default_language

    async def language_of(self, asker: Asker, where: Where) -> str:
        """The language of a word to *asker* alone."""
        person = await self.people.known(asker)
        return await self.people.language_of(where, person, asker)

    async def language_in(self, where: Where, asker: Asker | None = None) -> str:
        """The language of a place, of *asker* where it has none."""
        return await self.people.language_in(where, asker=asker)

    def tongue(self, locale: str | None) -> Language:
        """The language of a person of whom only *locale* is known."""
        return language(spoken(locale) or self.default_language)

    async def meet(self, asker: Asker) -> str:
        """Store *asker* under their present name; answers how the code of a button names them."""
        return f"@{(await self.people.of(asker)).id}"

    async def join(self, known: Asker, other: Asker) -> None:
        """Let *other* and *known* be one person; where both sit at one table they stay two."""
        people = self.people
        first = await people.known(known) or await people.of(known)
        kept, same = first.id, (await people.of(other)).id
        if kept == same:
            return
        async with self.store.transaction() as tx:
            if not await personal_data.common_games(tx, kept, same):
                await people.join(tx, kept, same)

    async def are_one(self, one: Asker, other: Asker) -> bool:
        """Whether both are known, and as one person."""
        known = await self.people.number(one)
        return known is not None and known == await self.people.number(other)

    def receipts(self, platform: str) -> Inbox:
        """The updates of *platform*."""
        return Inbox(platform, self.store, self.clock, self.changes)

    def is_connected(self) -> bool:
        """Whether every chat takes presses and commands just now."""
        return all(self.connections().values())

    def connections(self) -> Mapping[str, bool]:
        """Whether each chat that this process runs takes presses just now."""
        runs = {
            name
            for name, chat in self.chats.items()
            if chat.everywhere or self.ownership.keeps(name)
        }
        return {name: self.chats[name].connected() for name in runs}

    def sessions_left(self) -> Mapping[str, int]:
        """How many more sessions each platform lets begin that counts them."""
        counted = {name: chat.sessions_left() for name, chat in self.chats.items()}
        return {name: left for name, left in counted.items() if left is not None}

    def takes_over(self) -> bool:
        """Whether we have started and no chat waits for sessions that its platform refuses."""
        return self.ready and not any(chat.held_up() for chat in self.chats.values())

    async def show_owed(self) -> None:
        """Show every board that waits: a platform is reached again."""
        await self.delivery.wake_all()

    # ---------------------------------------------------------------- life

    async def start(self, chats: Sequence[Chat]) -> None:
        """Open *chats* and show what is owed; computers and what else is due follow at once."""
        for chat in chats:
            self.chats[chat.platform] = chat
        await self.heartbeat.go_on()
        await self.leases.begin(chats)
        self.tasks.start(self.places.absences.catch_up())
        self.ready = True

    async def stop(self) -> None:
        """Take nothing more, finish what was taken, show what can be shown, close."""
        self.ready = False
        await self.leases.hand_over()
        await self.leases.end()
        await asyncio.gather(*(_rested(chat) for chat in self.chats.values()))
        await self.notifications.close()
        await self.tasks.close()
        await self.thinkers.close()
        await self.delivery.close()
        await self.notifications.close()
        for chat in self.chats.values():
            await chat.stop()
        await self.fleet.leave()
        await self.store.close()

    async def forget(self, person: int) -> None:
        """Forget *person*; in a facade not started what their tables owe is shown later."""
        await erase_person(self.account, Update(OPERATOR, secrets.token_hex(8)), person)

    async def import_place(self, file: Path, platform: str, place: str) -> Imported:
        """Import *file* into the house of a place; raises ``BadArchive`` or ``OSError``."""
        home = await self.leaving.places.home(Where(platform, place))
        return await self.leaving.imports.read(file, home)

    async def export_place(self, platform: str, place: str) -> tuple[bytes, int]:
        """What ``/export`` writes of a place, however large, and how many games are in it."""
        return await archive_of(self.leaving, self.key, Where(platform, place))

    async def forget_imported(self, name: str) -> int:
        """Erase *name* in all that was imported; in how many games it was."""
        return await self.leaving.imports.forget(name)

    async def settled(self) -> None:
        """Wait until nobody thinks, no lane is busy and all is shown that can be shown."""
        while busy := self.tasks.busy() | self.delivery.busy():
            await asyncio.wait(busy, return_when=asyncio.FIRST_COMPLETED)

    def forgotten_elsewhere(self, platform: str, external: str) -> None:
        """Let a chat forget the person of an id, whom another process forgets."""
        self.leaving.places.dismiss(platform, external)
        if platform in self.chats:
            self.tasks.start(self.chats[platform].forgotten(external))


async def _or_nothing(asking: Awaitable[Sequence[Offer]], what: str) -> Sequence[Offer]:
    """What *asking* answers; nothing where *what* fails, which is logged."""
    try:
        return await asking
    except (StorageError, BrokenTable) as wrong:
        log.warning("%s failed: %s", what, wrong)
    except Exception:
        log.exception("%s failed", what)
    return ()


async def _rested(chat: Chat) -> None:
    """Let *chat* finish what it took; what hangs is given up, since it would keep us for ever."""
    try:
        async with asyncio.timeout(RESTING):
            await chat.rest()
    except TimeoutError:
        log.warning("%s did not come to rest in %g s and is left as it is", chat.platform, RESTING)
