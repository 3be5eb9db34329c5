"""The house: everything put together, and what a chat may ask of it."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from bot.acts.act import Acts
from bot.acts.asked import Services
from bot.acts.invited import offers
from bot.acts.person import erase
from bot.acts.quota import CODES, Quota
from bot.computers.pool import Thinkers
from bot.house.boards import Boards
from bot.house.limits import Limits
from bot.house.notes import Notes
from bot.house.pages import Pages
from bot.house.places import ChatPlaces
from bot.house.receipts import Receipts
from bot.outbox.begun import Begun
from bot.outbox.delivery import Delivery
from bot.outbox.views import Views
from bot.pace import Limiters
from bot.port import (
    Answer,
    Asker,
    Call,
    Chat,
    ChatError,
    Offer,
    Press,
    Promised,
    Role,
    Said,
    Standing,
    Suggestion,
    Where,
)
from bot.screen.buttons import Click, ForgedClick, decode, play_code, sheet_code, who_code
from bot.table.manager import Manager
from bot.table.names import cleaned
from bot.table.origin import Origin
from bot.table.table import BrokenTable
from bot.texts import Language, language, spoken
from games.core import Phrase, phrase
from render.kit import Gallery
from render.scene import Scene
from storage import drafts, inbox, links, settings
from storage.engine import Store, Transaction
from storage.errors import DatabaseBusy, DatabaseFull, StorageError

log = logging.getLogger(__name__)

INBOX_KEPT = timedelta(days=3)
"""How long an update is remembered as done: platforms deliver again within a day."""

PAYLOAD_KEPT = timedelta(days=1)
"""How long is kept what an update says that could not be done; of the others nothing is."""

OPERATOR = "operator"
"""The platform, as it were, of what whoever runs the bot does by the command line."""

TICK = 10.0
"""Every how many seconds the clock of our life is written."""

RESTING = 12.0
"""Within how many seconds a chat must have finished what it took, when we stop.

Supervisors kill after thirty; what is stored and not shown by then is shown at the next start.
"""

_WHY: Mapping[type[StorageError], str] = {
    DatabaseBusy: "house.database-busy",
    DatabaseFull: "house.disk-full",
}


@dataclass
class House:
    """A running house. Chats hand presses and commands in; boards go out by the delivery."""

    store: Store
    manager: Manager
    gallery: Gallery
    views: Views
    acts: Acts
    delivery: Delivery
    chats: dict[str, Chat] = field(default_factory=dict)
    _ticking: asyncio.Future[tuple[None, None]] | None = None
    _given_up: asyncio.Queue[ChatError] = field(default_factory=asyncio.Queue)

    def __post_init__(self) -> None:
        self.boards = Boards(self.manager, self.views)
        self.pages = Pages(self.manager, self.views)
        self.manager.outages.connected = self._connected
        self.places = ChatPlaces(self.manager, self.delivery)
        self.notes = Notes(self.store)
        self.limits = Limits(self.manager)

    @classmethod
    async def open(cls, store: Store, thinkers: Thinkers, language: str) -> House:
        """The house on *store*; nothing is shown before ``start``."""
        manager = await Manager.open(store, thinkers, language)
        gallery = Gallery()
        begun = Begun()
        views = Views(manager, begun)
        chats: dict[str, Chat] = {}

        async def standing(where: Where, asker: Asker) -> Standing:
            chat = chats.get(where.platform)
            return Standing() if chat is None else await chat.standing(where, asker)

        def roles(where: Where) -> Sequence[Role]:
            chat = chats.get(where.platform)
            return () if chat is None else chat.roles(where)

        async def forgotten(platform: str, external: str) -> None:
            if platform in chats:
                await chats[platform].forgotten(external)

        told = (standing, roles, chats, forgotten)
        services = Services(manager, views, gallery, _quota(manager), *told)
        delivery = Delivery(manager, gallery, begun=begun)
        manager.showing = delivery
        return cls(store, manager, gallery, views, Acts(services), delivery, chats)

    # ---------------------------------------------------------------- for the chats

    async def press(self, press: Press) -> Answer:
        """What the presser of a button hears; never raises."""
        with self.manager.arrivals.taking(press.sent) as arrived:
            press = replace(press, arrived=arrived)
            return await self._guarded(self.acts.press(press), press)

    async def call(self, call: Call) -> Answer:
        """What the giver of a command hears; never raises."""
        with self.manager.arrivals.taking(call.sent) as arrived:
            call = replace(call, arrived=arrived)
            return await self._guarded(self.acts.call(call), call)

    async def suggest(self, call: Call, parameter: str, text: str) -> Sequence[Suggestion]:
        """Completions of a parameter that is being typed, none for whoever asks too often.

        Never raises.
        """
        if not self.limits.completes(call.asker):
            return ()
        try:
            return await self.acts.suggest(call, parameter, text)
        except (StorageError, BrokenTable) as wrong:
            log.warning("nothing is suggested: %s", wrong)
        except Exception:
            log.exception("what completes %s of %s failed", parameter, call.name)
        return ()

    async def offers(self, asker: Asker, where: Where, text: str) -> Sequence[Offer]:
        """Invitations that *asker* may send into any chat, none where he asks too often.

        *text* is what he typed of a game, *where* his private chat. Never raises.
        """
        if not self.limits.completes(asker):
            return ()
        try:
            return await offers(self.manager, asker, where, text)
        except StorageError as wrong:
            log.warning("no invitation is offered: %s", wrong)
        except Exception:
            log.exception("offering invitations failed")
        return ()

    def click(self, code: str) -> Click | None:
        """What the button with this *code* asks for, ``None`` where it is none of ours."""
        try:
            return decode(code, self.manager.key)
        except ForgedClick:
            return None

    def play_code(self, game: str, against: str = "") -> str:
        """The code of a button that opens a table of *game*, for whoever comes first.

        *against* is ``computer``, or somebody as ``meet`` names him.
        """
        return play_code(game, against, self.manager.key)

    def sheet_code(self, game: str) -> str:
        """The code of a button by which whoever presses it sets a table of *game* up."""
        return sheet_code(game, self.manager.key)

    def who_code(self, sheet: int) -> str:
        """The code of the button by which somebody is picked to be challenged on *sheet*."""
        return who_code(sheet, self.manager.key)

    async def picture(self, scene: Scene) -> bytes:
        """The picture of *scene*, painted off the event loop."""
        return await asyncio.to_thread(self.gallery.picture, scene)

    @property
    def default_language(self) -> str:
        """The language of whoever speaks none of ours."""
        return self.manager.default_language

    async def language_of(self, asker: Asker, where: Where) -> str:
        """The language of a word to *asker* alone."""
        person = await self.manager.people.of(asker)
        return await self.manager.people.language_of(where, person, asker)

    async def language_in(self, where: Where, asker: Asker | None = None) -> str:
        """The language of a place, of *asker* where it has none."""
        return await self.manager.people.language_in(where, asker=asker)

    def tongue(self, locale: str | None) -> Language:
        """The language of whoever has *locale* and of whom we know no more."""
        return language(spoken(locale) or self.default_language)

    async def meet(self, asker: Asker) -> str:
        """Know *asker* by the name he has now; answers how the code of a button names him."""
        return f"@{(await self.manager.people.of(asker)).id}"

    @staticmethod
    def name_of(text: str) -> str:
        """*text* as a name that everybody may see; nothing where nothing of it can be shown."""
        return cleaned(text)

    def receipts(self, platform: str) -> Receipts:
        """The updates of *platform*."""
        return Receipts(platform, self.manager)

    def give_up(self, wrong: ChatError) -> None:
        """A chat has failed so often that only a new process may help."""
        self._given_up.put_nowait(wrong)

    async def given_up(self) -> ChatError:
        """Wait until a chat has given up; answers why."""
        return await self._given_up.get()

    def is_connected(self) -> bool:
        """Whether every chat takes presses and commands just now."""
        return all(chat.connected() for chat in self.chats.values())

    async def show_owed(self) -> None:
        """Show every board that waits: a platform is reached again."""
        await self.delivery.wake_all()

    async def _guarded(self, answering: Awaitable[Answer], asked: Press | Call) -> Answer:
        """A fault of ours is logged and told as ours, in the language the asker has chosen."""
        said = phrase("house.try-again")
        try:
            answer = await answering
            if isinstance(answer, Promised):
                following = asyncio.create_task(self._guarded(answer.answer, asked))
                return replace(answer, answer=following)
            return answer
        except BrokenTable as broken:
            said = phrase("house.broken-table", code=broken.code)
        except StorageError as wrong:
            said = self.told(wrong, asked.update)
        except Exception:
            log.exception("%s %s failed", type(asked).__name__, asked.update)
            if await self._was_done(asked):
                said = phrase("house.done-but")
        code = await self._language(asked)
        return Said(language(code).say(said), good=False)

    @staticmethod
    def told(wrong: BaseException, what: str) -> Phrase:
        """What a person hears of *wrong*, a fault of ours that is logged; *what* has failed."""
        if not isinstance(wrong, StorageError):
            log.error("%s failed", what, exc_info=wrong)
            return phrase("house.try-again")
        log.error("%s", wrong)
        return phrase(_WHY.get(type(wrong), "house.try-again"))

    async def _was_done(self, asked: Press | Call) -> bool:
        """Whether what failed had been stored before, so that it is not to be tried again."""
        try:
            return await self.store.read(inbox.is_done, asked.where.platform, asked.update)
        except StorageError:
            return False

    async def _language(self, asked: Press | Call) -> str:
        """The asker's chosen language, or what his client speaks where that cannot be read."""
        try:
            return await self.language_of(asked.asker, asked.where)
        except StorageError:
            return self.tongue(asked.asker.language).code

    # ---------------------------------------------------------------- life

    async def start(self, chats: Sequence[Chat]) -> None:
        """Open *chats* and show what is owed; computers and what else is due follow at once."""
        for chat in chats:
            self.chats[chat.platform] = chat
        self.delivery.chats = self.chats
        await self._go_on_in_time()
        await self.manager.outages.restored(self.chats)
        await self.delivery.restore_pauses()
        for chat in chats:
            await chat.start()
        await self.manager.outages.look()
        await self.delivery.wake_all()
        await self.delivery.calls.start()
        self.manager.tasks.start(self.manager.resume())
        self._ticking = asyncio.gather(self._tick(), self.manager.deadlines.keep())

    async def stop(self) -> None:
        """Take nothing more, finish what was taken, show what can be shown, close."""
        if self._ticking is not None:
            self._ticking.cancel()
            await asyncio.gather(self._ticking, return_exceptions=True)
        await asyncio.gather(*(_rested(chat) for chat in self.chats.values()))
        await self.delivery.calls.close()
        await self.manager.close()
        await self.delivery.close()
        for chat in self.chats.values():
            await chat.stop()
        await self.store.close()

    async def forget(self, person: int) -> None:
        """Forget *person* as he would by himself, in a house that is not started.

        What his tables owe others, boards and calls, is shown after the next start.
        """
        await self._go_on_in_time()
        await erase(self.acts.services, Origin(OPERATOR, secrets.token_hex(8)), person)

    async def settled(self) -> None:
        """Wait until nobody thinks, no lane is busy and all is shown that can be shown."""
        while busy := self.manager.busy() | self.delivery.busy():
            await asyncio.wait(busy, return_when=asyncio.FIRST_COMPLETED)

    async def _tick(self) -> None:
        while True:
            try:
                if jump := self.manager.steady.jump():
                    log.warning("the clock was set by %s; deadlines do not follow it", jump)
                await self.manager.outages.look()
                async with self.store.transaction() as tx:
                    await self._alive(tx)
            except StorageError as wrong:
                log.error("%s", wrong)
            except Exception:
                log.exception("what is due every %g seconds failed; it is tried again", TICK)
            await asyncio.sleep(TICK)

    async def _alive(self, tx: Transaction) -> None:
        """Note that we live now, and forget the updates that no platform delivers again."""
        now = self.manager.steady()
        await settings.put(tx, "alive", now.isoformat())
        await inbox.prune(tx, now - INBOX_KEPT)
        await drafts.prune(tx, self.manager.now())
        await links.prune(tx, now)
        if dropped := await inbox.strip(tx, now - PAYLOAD_KEPT):
            log.warning("%d updates that could not be done in a day are set aside", dropped)

    def _connected(self) -> Mapping[str, bool]:
        return {name: chat.connected() for name, chat in self.chats.items()}

    async def _go_on_in_time(self) -> None:
        """Neither the time we were down nor a clock that was set meanwhile counts for anybody."""
        async with self.store.transaction() as tx:
            stopped = await settings.get(tx, "alive")
            if stopped is not None:
                self.manager.steady.go_on(datetime.fromisoformat(stopped))
            await settings.put(tx, "alive", self.manager.steady().isoformat())


def _quota(manager: Manager) -> Quota:
    tries: Limiters[int] = Limiters()
    return Quota(manager.tables, manager.places, lambda person: tries.at(person, CODES))


async def _rested(chat: Chat) -> None:
    """Let *chat* finish what it took; what hangs is given up, since it would keep us for ever."""
    try:
        async with asyncio.timeout(RESTING):
            await chat.rest()
    except TimeoutError:
        log.warning("%s did not come to rest in %g s and is left as it is", chat.platform, RESTING)
