"""What somebody asks for, by a button or a command, with everything known of it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from bot.boards.views import Views
from bot.commands.export_queue import Keepsakes
from bot.commands.quota import Quota
from bot.port import (
    Answer,
    Asker,
    BoardAnswer,
    Card,
    Chat,
    Command,
    MenuAnswer,
    PlaceStanding,
    Press,
    PrivateRefusal,
    Role,
    Said,
    Screen,
    Where,
)
from bot.presenters.composer import Composer
from bot.presenters.viewers import LOOK, Viewer, space_of
from bot.service.analysis import Advice
from bot.service.changes import Changes
from bot.service.clock import Clock
from bot.service.computer_turns import ComputerTurns
from bot.service.people import People
from bot.service.places import Places
from bot.service.presence import Presence
from bot.service.schedule import DeadlineAlarm
from bot.service.tables import Tables
from bot.service.updates import Update
from bot.session.preferences import Look
from bot.session.table import Table
from bot.session.unit_of_work import Refused, UnitOfWork
from bot.session.visibility import hides
from bot.tasks import Tasks
from bot.texts import Language, language
from games.core import NotYourTurn, Phrase, RuleError, Seat, Who, phrase
from render.kit import Gallery
from storage.engine import Store
from storage.records import PersonRow, ViewRow

Decided = TypeVar("Decided")


@dataclass(frozen=True, kw_only=True)
class Services:
    """What commands may use."""

    store: Store
    key: bytes
    """Signs the buttons."""
    clock: Clock
    tasks: Tasks
    tables: Tables
    changes: Changes
    people: People
    places: Places
    presence: Presence
    alarm: DeadlineAlarm
    advice: Advice
    computers: ComputerTurns
    views: Views
    gallery: Gallery
    quota: Quota
    chats: Mapping[str, Chat]
    """The chats by their platforms, for what is done in a place."""
    keepsakes: Keepsakes = field(default_factory=Keepsakes)

    def listen(self) -> None:
        """Hear from now on whom other processes have forgotten."""
        self.store.fleet.on("forgotten", self._forgotten_elsewhere)

    async def standing(self, where: Where, asker: Asker) -> PlaceStanding:
        """What somebody is in a place, as its platform tells."""
        chat = self.chats.get(where.platform)
        return PlaceStanding() if chat is None else await chat.standing(where, asker)

    def roles(self, where: Where) -> Sequence[Role]:
        """The roles that people may have in a place."""
        chat = self.chats.get(where.platform)
        return () if chat is None else chat.roles(where)

    async def forgotten(self, platform: str, external: str) -> None:
        """Tell a platform that nobody knows any more who bears an id."""
        if platform in self.chats:
            await self.chats[platform].forgotten(external)
        await self.store.fleet.say("forgotten", platform, external)

    def _forgotten_elsewhere(self, platform: str, external: str) -> None:
        if platform in self.chats:
            self.tasks.start(self.chats[platform].forgotten(external))


class InPrivate(Refused):
    """What is asked for here can be done in the asker's private chat."""


class Overtaken(Refused):
    """The button is of another turn: the board of whoever pressed it may be on its way."""


class Stale(Overtaken):
    """The button is of another turn, and who pressed it is asked now: his board may be an old one.

    Nobody else's refusal shows a board anew.
    """


@dataclass
class Request:
    """What *by* asks for, at the table *code* if a button names one, along *path*.

    *turn* is the turn in which a button was made; *table* the table that was meant, as soon as
    it is known.
    """

    services: Services
    by: Press | Command
    person: PersonRow
    language: str
    code: str = ""
    turn: int = 0
    path: tuple[str, ...] = ()
    table: Table | None = None
    look: Look = LOOK
    """How boards look that the asker alone sees."""
    _views: list[ViewRow | None] = field(default_factory=list)
    """The view that was pressed or none, once it has been looked up."""

    @property
    def views(self) -> Views:
        """The views of all tables."""
        return self.services.views

    @property
    def tongue(self) -> Language:
        """The asker's language."""
        return language(self.language)

    @property
    def pressed(self) -> bool:
        """Whether a button was pressed, and not a command typed."""
        return isinstance(self.by, Press)

    @property
    def message(self) -> str | None:
        """The message that was pressed, if any."""
        return self.by.message if isinstance(self.by, Press) else None

    @property
    def origin(self) -> Update:
        """The update as the inbox knows it, and the message that was pressed."""
        where, person = self.by.where, self.person.id
        return Update(
            *(where.platform, self.by.update, where.place, self.message, self.by.token),
            person=person,
            thread=where.thread,
            private=where.private,
            arrived=self.by.arrived,
        )

    def value(self, name: str) -> str:
        """What was typed for the parameter *name*, or nothing."""
        return self.by.values.get(name, "").strip() if isinstance(self.by, Command) else ""

    # ---------------------------------------------------------------- who asks

    def seat(self, table: Table) -> Seat:
        """The asker's seat; raises ``Refused`` for a stranger."""
        seat = table.seat_of(self.person.id)
        if seat is None:
            raise Refused(phrase("house.not-seated"))
        return seat

    @property
    def own(self) -> bool:
        """Whether nobody but the asker sees what he pressed, or reads where he wrote."""
        return self.by.where.private or (isinstance(self.by, Press) and self.by.own)

    @property
    def discreet(self) -> bool:
        """Whether nobody but the asker reads the words of the answer."""
        return self.by.whispered or self.by.where.private

    def ear(self, table: Table, seat: Seat | None) -> Seat | None:
        """As whom the answer may speak: as the asker where nobody else learns anything."""
        if seat is not None and not self.discreet and hides(table, seat):
            return None
        return seat

    async def standing(self, where: Where | None = None) -> PlaceStanding:
        """What the asker is in *where*, or where he is."""
        if where is None or where == self.by.where:
            if self.by.standing is not None:
                return self.by.standing
            where = self.by.where
        if where.private:
            return PlaceStanding(equals=True)
        return await self.services.standing(where, self.by.asker)

    async def place_language(self) -> str:
        """The language of a board that the asker opens where he is."""
        people = self.services.people
        return await people.language_in(self.by.where, self.person, self.by.asker)

    # ---------------------------------------------------------------- the pressed board

    async def view(self) -> ViewRow | None:
        """The view that was pressed, if it shows the button's table; looked up once."""
        if not self._views:
            found = await self.views.pressed(self.origin)
            self._found(() if found is None else (found,))
        return self._views[0]

    def _found(self, views: Sequence[ViewRow]) -> None:
        where = self.by.where
        here = (where.platform, where.place, self.message, self.code)
        shown = (v for v in views if (v.platform, v.place, v.message, v.game) == here)
        self._views = [next(shown, None)]

    async def viewer(self, table: Table) -> Viewer:
        """Whoever looks at the pressed message: its view, else the presser, if it is his own."""
        view = await self.view()
        if view is not None:
            return await self.views.viewer(view, table)
        space = space_of(self.by.where.platform)
        if not self.own:
            # A board that was given up or never noted: everybody sees it still.
            return Viewer(language=self.language, look=self.look, space=space)
        seat = table.seat_of(self.person.id)
        return Viewer(seat, self.language, self.look, personal=True, space=space)

    async def composer(self, table: Table) -> Composer:
        """What composes the pressed message anew."""
        return Composer(table, await self.viewer(table), self.services.key)

    def composer_for(
        self, table: Table, seat: Seat | None = None, bottom: Seat | None = None
    ) -> Composer:
        """What composes *table* for the asker alone, looking from *seat*, *bottom* nearest."""
        space = space_of(self.by.where.platform)
        viewer = Viewer(seat, self.language, self.look, bottom=bottom, personal=True, space=space)
        return Composer(table, viewer, self.services.key)

    # ---------------------------------------------------------------- changing and answering

    async def change(
        self, table: Table, decide: Callable[[UnitOfWork], Decided], *shown: ViewRow
    ) -> tuple[Table, Decided]:
        """Let *decide* write on *table* and store it, once for this update, *shown* as well."""
        after, result, views = await self.services.changes.change(
            self.origin, table.code, decide, *shown
        )
        if views:
            # Every view of the table is among them: none must be looked up.
            self._found(views)
        return after, result

    def is_of(self, turn: int, table: Table) -> bool:
        """Whether the button was made in this *turn*, or pressed below *table* as it is now."""
        return self.turn == turn or (isinstance(self.by, Press) and self.by.seen == table.version)

    async def was_done(self) -> bool:
        """Whether this update was done before: it is delivered again, and nothing is refused."""
        async with self.services.store.reading() as tx:
            return await self.origin.is_settled(tx)

    async def done(self, table: Table, said: Phrase) -> Answer:
        """What was done; a message that no view knows is brought up to date by the answer."""
        words = self.composer_for(table).say(said)
        view = await self.view() if self.message is not None else None
        if self.message is None:
            return Said(words, table=table.code)
        if view is not None:
            return BoardAnswer(words)
        screen = (await self.composer(table)).board()
        return MenuAnswer(screen, await self.painted(screen), words)

    async def told(self, table: Table, said: Phrase, *, good: bool = True) -> Answer:
        """What came of a question that was put to the asker alone: of its card the words stay."""
        composer = self.composer_for(table)
        words = composer.say(said)
        if self.message is None:
            return Said(words, good=good)
        if await self.view() is not None:
            return BoardAnswer(words, good=good)
        return MenuAnswer(composer.words(words), said=words, good=good)

    def beside(self, screen: Screen) -> Answer:
        """*screen*, words and buttons that others need not see, in place of what is the asker's."""
        if not self.by.where.private:
            screen = replace(screen, scene=None, alt="")
        if self.own and self.message is not None:
            return MenuAnswer(screen)
        return Card(screen)

    async def refused(self, refused: RuleError) -> Answer:
        """A polite no to the asker alone, which costs no other message anything."""
        table = self.table
        if table is None and self.pressed:
            try:
                table = await self.services.tables.get(self.code)
            except RuleError:
                table = None
        if table is None:
            return Said(self.tongue.say(refused.phrase), good=False)
        why = await self._why(table, refused)
        words = self.composer_for(table).say(why)
        if isinstance(refused, InPrivate):
            return PrivateRefusal(words, table.code)
        if isinstance(refused, Stale) and self.own and self.message and await self.view() is None:
            # A copy that he alone sees and no view follows: the answer brings it up to date.
            screen = (await self.composer(table)).board()
            return MenuAnswer(screen, await self.painted(screen), words, good=False)
        return Said(words, good=False)

    async def _why(self, table: Table, refused: RuleError) -> Phrase:
        """What the asker is told; the board of whoever is asked there comes right."""
        if isinstance(refused, NotYourTurn) and table.actors():
            return turn_of(table, "house.others-turn")
        view = await self.view() if isinstance(refused, Overtaken) else None
        if view is None:
            return refused.phrase
        if view.shown < view.owed:
            return phrase("house.board-follows")
        if isinstance(refused, Stale):
            await self.views.heal(view)
        return refused.phrase

    def said(self, words: Phrase) -> Said:
        """One sentence in the asker's language."""
        return Said(self.tongue.say(words))

    async def painted(self, screen: Screen) -> bytes | None:
        """The picture of *screen*, painted off the event loop."""
        if screen.scene is None:
            return None
        return await asyncio.to_thread(self.services.gallery.picture, screen.scene)


def turn_of(table: Table, key: str) -> Phrase:
    """The phrase *key* for whoever is to move, or *key*.several for several."""
    who = tuple(map(Who, sorted(table.actors())))
    return phrase(key if len(who) == 1 else f"{key}.several", who=who)
