"""Presses and commands: what people ask by a chat, each answered whatever happens."""

from __future__ import annotations

import asyncio
import hmac
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from bot.boards.delivery import Delivery
from bot.commands.dispatcher import Dispatcher
from bot.commands.table.moves import moves_for
from bot.commands.table.seating import invitations_for
from bot.port import (
    Answer,
    Asker,
    Button,
    ChatError,
    Command,
    FaultAnswer,
    Press,
    Promised,
    Said,
    ShareableInvitation,
    ShareableMove,
    Suggestion,
    Where,
)
from bot.presenters.button_codes import ChatButtons
from bot.presenters.help_card import first_keys
from bot.presenters.school.daily import DailyScreens
from bot.runtime import metrics
from bot.service.clock import Arrivals, Clock
from bot.service.person.bars import Bars
from bot.service.person.people import People
from bot.service.request_rate_limits import Limits
from bot.service.school.daily_moves import DailyMoves
from bot.service.table.changes import SeenBefore
from bot.service.table.tables import Tables
from bot.session.table import BrokenTable
from bot.texts import Language, language, spoken
from games.core import Phrase, phrase
from storage import inbox
from storage.errors import (
    DatabaseBusy,
    DatabaseFull,
    DatabaseReplaced,
    ForgottenPerson,
    StorageError,
)
from storage.person import personal_data
from storage.store import Store

log = logging.getLogger(__name__)

_WHY: Mapping[type[StorageError], str] = {
    DatabaseBusy: "house.database-busy",
    DatabaseFull: "house.disk-full",
    DatabaseReplaced: "house.database-replaced",
}

Asked = TypeVar("Asked", Press, Command)
Offer = TypeVar("Offer", Suggestion, ShareableInvitation, ShareableMove)


@dataclass(kw_only=True, repr=False)
class Requests:
    """Answers presses and commands, and completes what is being typed."""

    store: Store
    clock: Clock
    people: People
    tables: Tables
    key: bytes
    dispatcher: Dispatcher
    arrivals: Arrivals
    delivery: Delivery
    limits: Limits
    buttons: ChatButtons
    bars: Bars
    daily_moves: DailyMoves

    async def press(self, press: Press) -> Answer:
        """What the presser of a button hears; never raises."""
        return await self._handled(press, "press", self.dispatcher.press)

    async def call(self, call: Command) -> Answer:
        """What the giver of a command hears; never raises."""
        if call.upload is not None and not self.limits.takes_file(call.asker):
            return Said(self.tongue(call.asker.language).say(phrase("house.too-fast")), good=False)
        return await self._handled(call, "command", self.dispatcher.call)

    async def _handled(
        self, asked: Asked, kind: str, answering: Callable[[Asked], Awaitable[Answer]]
    ) -> Answer:
        platform = asked.where.platform
        with (
            self.arrivals.taking(asked.sent) as arrived,
            metrics.timing(metrics.ANSWERS, platform, kind),
            metrics.follow_update(f"{platform} {asked.update}"),
        ):
            asked = replace(asked, arrived=arrived)
            with self.delivery.reservations.reserving(asked) as reserved:
                answer = await self._answered(answering(asked), asked, kind)
                if not answer.good and await self._is_outdated(asked):
                    answer = await self._answered(answering(asked), asked, kind)
                return await self.delivery.with_board(answer, reserved, asked)

    async def _is_outdated(self, asked: Press | Command) -> bool:
        """Whether a press was judged by a table that another process had changed since."""
        if self.store.cluster.alone or not isinstance(asked, Press):
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

    async def offers(
        self, asker: Asker, where: Where, text: str, *, moves: bool = False
    ) -> Sequence[ShareableMove | ShareableInvitation]:
        """What *asker* may send into any chat, at most so often: *moves*, and then invitations.

        Never raises.
        """
        if not self.limits.completes(asker) or await self.is_banned(asker):
            return ()
        of = (self.people, self.tables, self.key, asker, where, text)
        found = await _or_nothing(moves_for(*of), "listing moves") if moves else ()
        return (*found, *await _or_nothing(invitations_for(*of, self.clock), "inviting"))

    @property
    def default_language(self) -> str:
        """The language of people who speak none of ours."""
        return self.people.default_language

    async def language_of(self, asker: Asker, where: Where) -> str:
        """The language of a word to *asker* alone."""
        return await self.people.language_of(where, await self.people.find(asker), asker)

    async def language_in(self, where: Where, asker: Asker | None = None) -> str:
        """The language of a place, of *asker* where it has none."""
        return await self.people.language_in(where, asker=asker)

    def tongue(self, locale: str | None) -> Language:
        """The language of a person of whom only *locale* is known."""
        return language(spoken(locale) or self.default_language)

    async def is_banned(self, asker: Asker) -> bool:
        """Whether *asker* is kept out of the whole house."""
        return await self.bars.is_banned(asker)

    def signature(self, words: str) -> str:
        """What only this house can write of *words*: 64 digits, as long as its key is the same."""
        return hmac.new(self.key, words.encode(), "sha256").hexdigest()

    async def first_keys(self, asker: Asker, code: str) -> list[Button]:
        """What *asker* may do alone by one key each, in the language *code*."""
        offers = await self.daily_moves.offers(await self.people.number(asker))
        pages = DailyScreens(code, self.key)
        return first_keys(pages, pages.keys_of_day(offers))

    async def meet(self, asker: Asker) -> str:
        """Store *asker* under their present name; answers how the code of a button names them."""
        return f"@{(await self.people.of(asker)).id}"

    async def join(self, known: Asker, other: Asker) -> None:
        """Let *other* and *known* be one person; where both sit at one table they stay two."""
        people = self.people
        first = await people.find(known) or await people.of(known)
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


async def _or_nothing(asking: Awaitable[Sequence[Offer]], what: str) -> Sequence[Offer]:
    """What *asking* answers; nothing where *what* fails, which is logged."""
    try:
        return await asking
    except (StorageError, BrokenTable) as wrong:
        log.warning("%s failed: %s", what, wrong)
    except Exception:
        log.exception("%s failed", what)
    return ()
