"""A request: a press or a command, with its asker and what is used to answer it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, TypeVar

from bot.boards.views import Views
from bot.port import (
    Answer,
    BoardAnswer,
    Button,
    Capabilities,
    Card,
    Chat,
    ChatError,
    Command,
    FileTooLarge,
    MenuAnswer,
    PlaceStanding,
    Press,
    PrivateRefusal,
    Promised,
    Said,
    Screen,
    ScreenAnswer,
    Upload,
    Where,
)
from bot.presenters.base import PagePresenter
from bot.presenters.button_codes import NO_TABLE, Action
from bot.presenters.command_specs import says
from bot.presenters.school.daily import DailyScreens
from bot.presenters.table.composer import Composer
from bot.presenters.table.viewers import LOOK, Viewer
from bot.presenters.typed_names import spelling
from bot.presenters.ways import NEW, Way, leading, ways_from
from bot.service.person.bars import Bars
from bot.service.person.people import BeginnerPieces, People
from bot.service.school.daily_moves import DailyMoves
from bot.service.table.changes import Changes, Update
from bot.service.table.tables import Tables
from bot.session import play
from bot.session.preferences import Look
from bot.session.table import ENDED, PLAYING, Table
from bot.session.unit_of_work import Refused, UnitOfWork
from bot.session.visibility import acts_unseen, hides
from bot.texts import Language, language
from games.core import IllegalMove, NotYourTurn, Phrase, RuleError, Seat, Who, phrase, verbatim
from render.kit import Gallery
from storage.person import people
from storage.records import PersonRow, PlaceKey, ViewRow
from storage.store import Store

log = logging.getLogger(__name__)

Decided = TypeVar("Decided")


@dataclass(frozen=True, kw_only=True)
class RequestRoom:
    """What is used to answer any request."""

    bars: Bars
    changes: Changes
    gallery: Gallery
    beginner_pieces: BeginnerPieces
    daily_moves: DailyMoves
    people: People
    store: Store
    tables: Tables
    views: Views


BUTTON = "button"
"""The argument of a sentence that names a key."""


class InPrivate(Refused):
    """The request can only be handled in the asker's private chat."""


class Leading(Refused):
    """The request is refused, and *ways* lead on from there."""

    def __init__(self, said: Phrase, *ways: Way) -> None:
        super().__init__(said)
        self.ways = ways


class Overtaken(Refused):
    """The button is of another turn; the presser's new board may be on its way."""


class Stale(Overtaken):
    """The button is of an earlier turn of the presser: only this refusal shows a board anew."""


@dataclass
class Request:
    """The press or command *by* of *person*, with the *code*, *turn* and *path* of its button.

    *table* is the table that is meant, as soon as it is known.
    """

    room: RequestRoom
    key: bytes
    """Signs the buttons."""
    chats: Mapping[str, Chat]
    """The chats by platform."""
    by: Press | Command
    person: PersonRow
    language: str
    chat: Capabilities
    """What the asker's chat can do."""
    act: Action | None = None
    """What a command asks for; none for a press, below which buttons stand already."""
    code: str = ""
    turn: int = 0
    path: tuple[str, ...] = ()
    table: Table | None = None
    look: Look = LOOK
    """The look of the asker's private boards."""
    kept_out: frozenset[PlaceKey] = frozenset()
    """The places out of whose tables the asker is kept."""
    _views: list[ViewRow | None] = field(default_factory=list)
    """The pressed view or none; empty before it was looked up."""

    @property
    def views(self) -> Views:
        """The views of all tables."""
        return self.room.views

    @property
    def tongue(self) -> Language:
        """The asker's language."""
        return language(self.language)

    @property
    def pages(self) -> PagePresenter:
        """The presenter of what belongs to no table."""
        return PagePresenter(self.language, self.key)

    @property
    def is_press(self) -> bool:
        """Whether a button was pressed, and not a command typed."""
        return isinstance(self.by, Press)

    def answer_in_place(self, screen: Screen, picture: bytes | None = None) -> Answer:
        """*screen* in place of the asker's own pressed message, else in one of its own."""
        return (MenuAnswer if self.is_press and self.own else Card)(screen, picture)

    @property
    def form_text(self) -> str:
        """What was typed into the field that the pressed button opened; "" for nothing."""
        return self.by.text if isinstance(self.by, Press) else ""

    @property
    def message(self) -> str | None:
        """The message that was pressed, if any."""
        return self.by.message if isinstance(self.by, Press) else None

    @property
    def origin(self) -> Update:
        """The update with the message that was pressed."""
        where, person = self.by.where, self.person.id
        return Update(
            *(where.platform, self.by.update, where.place, self.message, self.by.token),
            person=person,
            thread=where.thread,
            private=where.private,
            arrived=self.by.arrived,
        )

    def value(self, name: str) -> str:
        """The value of the parameter *name*; "" for none."""
        return self.by.values.get(name, "").strip() if isinstance(self.by, Command) else ""

    def seat(self, table: Table) -> Seat:
        """The asker's seat; raises ``Refused`` for a stranger."""
        seat = table.seat_of(self.person.id)
        if seat is None and table.status == ENDED:
            raise Leading(play.stranger(table).phrase, replace(NEW, path=("game", table.game.key)))
        if seat is None:
            raise play.stranger(table)
        return seat

    def trial(self, decide: Callable[[UnitOfWork], object]) -> Callable[[Table], bool]:
        """Says yes to a table where *decide* would not be refused, and raises where it would."""
        return partial(self.room.changes.would, decide)

    @property
    def own(self) -> bool:
        """Whether only the asker sees the pressed message or the place."""
        return self.by.where.private or (isinstance(self.by, Press) and self.by.own)

    @property
    def renews(self) -> bool:
        """Whether nobody asks: a chat shows anew what changes."""
        return isinstance(self.by, Press) and self.by.by_itself

    @property
    def covers(self) -> bool:
        """Whether the next screen stands in place of a shared board, for the asker alone."""
        return isinstance(self.by, Press) and self.by.covers

    @property
    def discreet(self) -> bool:
        """Whether nobody but the asker reads the words of the answer."""
        return self.by.whispered or self.by.where.private

    async def view(self) -> ViewRow | None:
        """The view that was pressed, if it shows the button's table; looked up once."""
        if not self._views:
            found = await self.views.find_pressed(self.origin)
            self._find(() if found is None else (found,))
        return self._views[0]

    def _find(self, views: Sequence[ViewRow]) -> None:
        here = (*self.by.where.key, self.message, self.code)
        shown = (v for v in views if (v.platform, v.place, v.message, v.subject) == here)
        self._views = [next(shown, None)]

    async def change(
        self, table: Table, decide: Callable[[UnitOfWork], Decided], *shown: ViewRow
    ) -> tuple[Table, Decided]:
        """Store what *decide* does to *table*, once per update, together with the views *shown*.

        Raises ``Refused`` where the asker is kept out of the places of the table.
        """
        if self.kept_out and await self.room.bars.hold_at(table.code, self.kept_out):
            raise Refused(phrase("moderation.barred"))
        changes = self.room.changes
        after, result, views = await changes.change(self.origin, table.code, decide, *shown)
        if views:
            # All views of the table are among them, so none needs a query.
            self._find(views)
        return after, result

    async def keys_of_day(self) -> list[Button]:
        """What the asker may do today by one key each."""
        offers = await self.room.daily_moves.offers(self.person.id)
        return DailyScreens(self.language, self.key).keys_of_day(offers)

    async def tongue_of_keys(self) -> Language:
        """The language of the keys that were pressed."""
        view = None if self.covers else await self.view()
        return self.tongue if view is None else language(view.language)

    async def name_key(self, words: Phrase) -> Phrase:
        """*words*, whose argument ``button`` is a key, as the pressed message names it."""
        args, tongue = dict(words.args), await self.tongue_of_keys()
        if isinstance(key := args.get(BUTTON), Phrase):
            args[BUTTON] = verbatim(tongue.say(key))
        return phrase(words.key, **args)

    def said(self, words: Phrase) -> Said:
        """One sentence in the asker's language."""
        return Said(self.tongue.say(words))


def ear_of(request: Request, table: Table, seat: Seat | None) -> Seat | None:
    """The seat whose secrets the answer may tell: *seat*, or none where others read."""
    return None if seat is not None and not request.discreet and hides(table, seat) else seat


def check_playing(table: Table) -> None:
    """Raise ``Refused`` where *table* is not played."""
    if table.status != PLAYING:
        raise Refused(phrase("house.over" if table.status == ENDED else "house.not-playing"))


def check_private(request: Request, table: Table, seat: Seat | None) -> None:
    """Raise ``InPrivate`` where others would read what *seat* keeps secret."""
    if ear_of(request, table, seat) != seat:
        raise InPrivate(phrase("house.in-private", button=phrase("house.button.mine")))


async def fetch_sent(request: Request, upload: Upload, most: int, too_large: Phrase) -> bytes:
    """The file *upload* of at most *most* bytes; raises ``Refused`` where it does not come."""
    if upload.size > most:
        raise Refused(too_large)
    try:
        return await request.chats[request.by.where.platform].fetch(upload, most)
    except FileTooLarge:
        raise Refused(too_large) from None
    except ChatError as wrong:
        log.info("a file was not fetched: %s", wrong)
        raise Refused(phrase("leaving.not-fetched")) from None


async def standing_of_asker(request: Request, where: Where | None = None) -> PlaceStanding:
    """The asker's standing in *where*, or in the place of the request."""
    where = where or request.by.where
    if where == request.by.where and request.by.standing is not None:
        return request.by.standing
    if where.private:
        return PlaceStanding(equals=True)
    chat = request.chats.get(where.platform)
    return PlaceStanding() if chat is None else await chat.standing(where, request.by.asker)


async def language_of_board(request: Request) -> str:
    """The language of a board that the asker opens in this place."""
    people = request.room.people
    return await people.language_in(request.by.where, request.person, request.by.asker)


async def pressed_viewer(request: Request, table: Table) -> Viewer:
    """The viewer of the pressed message: that of its view, else the presser or everybody."""
    view, alone = await request.view(), request.own or request.covers
    if view is not None and not request.covers:
        return await request.views.viewer(view, table)
    # A board without a view is seen by everybody in a shared place.
    seat = table.seat_of(request.person.id) if alone else None
    viewer = _viewed_from(request, seat, personal=alone)
    return await with_starter_offer(request, viewer, table) if alone else viewer


async def with_starter_offer(request: Request, viewer: Viewer, table: Table) -> Viewer:
    """*viewer*, who is the asker alone, with the newcomer's pieces offered where they are new.

    Those who only look on are not asked.
    """
    me = request.person.id
    plays = table.seat_of(me) is not None
    new = plays and await request.room.beginner_pieces.are_offered(table, (me,))
    return replace(viewer, offers_starter=new)


async def pressed_composer(request: Request, table: Table) -> Composer:
    """A composer of the pressed message."""
    return Composer(table, await pressed_viewer(request, table), request.key)


def own_composer(
    request: Request, table: Table, seat: Seat | None = None, bottom: Seat | None = None
) -> Composer:
    """A composer of *table* for the asker alone, from *seat* with *bottom* nearest."""
    viewer = replace(_viewed_from(request, seat, personal=True), bottom=bottom)
    return Composer(table, viewer, request.key)


def _viewed_from(request: Request, seat: Seat | None, *, personal: bool) -> Viewer:
    """A viewer in the asker's chat, who has turned no board."""
    chat = request.chat
    return Viewer(
        seat,
        request.language,
        request.look,
        personal=personal,
        space=chat.space,
        opens_page=chat.opens_page,
    )


def is_of_turn(request: Request, turn: int, table: Table) -> bool:
    """Whether the button is of this *turn*, or was pressed on the present board of *table*."""
    sees = isinstance(request.by, Press) and request.by.seen == table.version
    return request.turn == turn or sees


async def is_barred_from(request: Request, where: Where) -> bool:
    """Whether the asker is kept out of the tables of *where*."""
    return await request.room.bars.hold_in(where, request.kept_out)


async def find_called(request: Request, typed: str) -> PersonRow | None:
    """Whom *typed* names: who plays or asks here with this @name or name, else by @name.

    Of several whose name begins so, the one who is called nothing else is meant.
    """
    where, name, read = request.by.where, typed.removeprefix("@"), request.room.store.read
    heard = request.room.people.heard_in(where)
    borne = await read(people.find_person, where.platform, f"@{name}".casefold())
    there = () if where.private else await read(people.list_players, *where.key, heard)
    for many in (None, 1):
        called = {one.id: one for one in there if _plain_name(one.name, many) == _plain_name(name)}
        if len(called) == 1 and (borne is None or borne.id not in {one.id for one in there}):
            return next(iter(called.values()))
    return borne


def _plain_name(name: str, many: int | None = None) -> str:
    """The first *many* words of *name*, or all, as they are compared.

    Those are left out that a typed line may lose, such as «de».
    """
    words = [one for one in name.split() if not says(one, "house.word.joining")]
    return spelling("".join(words[:many]))


async def was_done(request: Request) -> bool:
    """Whether this update was handled before and is delivered again."""
    return await request.room.store.read(request.origin.is_settled)


async def answer_done(request: Request, table: Table, said: Phrase) -> Answer:
    """The answer after a change; it updates a pressed message that has no view.

    In a private chat where no board shows the change, a key leads to the board that goes on.
    """
    words = own_composer(request, table).say(said)
    if request.message is None:
        now, where = table.child or table.code, request.by.where
        elsewhere = where.private and await request.views.stand(now, where) is None
        leads = leading(request.pages, words, ways_from(Action.BOARD, now)) if elsewhere else None
        return Said(words, table=table.code, leads=leads)
    if await request.view() is not None or shared_board_returns(request, table):
        return BoardAnswer(words)
    if request.by.where.private and table.status == PLAYING:
        # A board in private changes when the game goes on.
        return BoardAnswer(words, view=await post_board(request, table, request.message))
    return await show_copy(request, await pressed_composer(request, table), said=words)


async def post_board(request: Request, table: Table, message: str | None = None) -> int:
    """The view of a board of *table* where it was asked for, in *message* if that is given."""
    code, by = await language_of_board(request), request.by
    fresh = request.views.fresh(table, by.where, request.person, code, by.token)
    return await request.views.post(table, replace(fresh, message=message or fresh.message))


AGAIN = ("again",)
"""The path of the key that renews a copy of a board."""


async def show_copy(
    request: Request, composer: Composer, form: type[MenuAnswer | Card] = MenuAnswer, said: str = ""
) -> MenuAnswer | Card:
    """The board for the asker alone, with a key that renews it where it does not change itself.

    Where they are to move, the keys of the move do that.
    """
    screen, code = composer.board(), ""
    if composer.table.status == PLAYING and not (request.by.where.private or request.covers):
        renewing = composer.button("ways.board", Action.MINE, *AGAIN)
        code = renewing.code
        if composer.asked is None:
            screen = replace(screen, rows=(*screen.rows, (renewing,)))
    return form(screen, await painted_screen(request, screen), said, renewal=code)


def shared_board_returns(request: Request, table: Table) -> bool:
    """Whether the shared board comes back in place of the asker's own message.

    It stays covered while the asker acts out of the others' sight.
    """
    return request.covers and request.own and not acts_unseen(table, request.person.id)


async def answer_told(request: Request, table: Table, said: Phrase) -> Answer:
    """The answer to a question that was put to the asker alone; its card keeps the words."""
    composer = own_composer(request, table)
    words = composer.say(said)
    if request.message is None:
        return Said(words)
    if request.covers and request.own:
        return await answer_done(request, table, said)
    if await request.view() is not None:
        return BoardAnswer(words)
    return MenuAnswer(composer.words(words), said=words)


def with_key(answer: Answer, key: Button) -> Answer:
    """*answer*, with *key* as the only way on if it is a screen in place of the pressed one."""
    if not isinstance(answer, MenuAnswer):
        return answer
    return replace(answer, screen=replace(answer.screen, rows=((key,),)))


def answer_beside(request: Request, screen: Screen) -> Answer:
    """*screen* without its picture in public, in place of a message of the asker's own."""
    if not request.by.where.private:
        screen = replace(screen, scene=None, alt="")
    return MenuAnswer(screen) if request.own and request.message is not None else Card(screen)


def with_ways(request: Request, answer: Answer, ways: tuple[Way, ...] = ()) -> Answer:
    """*answer* with the buttons that lead on, where it is a sentence alone.

    Where a board shows what was done, or a line has its own link, nothing is added.
    """
    if not ways and request.act is not None:
        ways = ways_from(request.act, NO_TABLE if request.table is None else request.table.code)
        # A command alone does not lead to itself.
        bare = isinstance(request.by, Command) and not request.by.values
        ways = tuple(one for one in ways if not (bare and one.act is request.act))
    match answer:
        case Said(str(said), leads=None) if said and ways and not (answer.table or answer.link):
            return replace(answer, leads=leading(request.pages, said, ways))
        case ScreenAnswer(screen, None) if ways and not (screen.rows or screen.choices):
            rows = leading(request.pages, screen.headline, ways).rows
            return replace(answer, screen=replace(screen, rows=rows))
    return answer


async def answer_refusal(request: Request, refused: RuleError) -> Answer:
    """The refusal, told to the asker alone, and where to go from there."""
    ways = refused.ways if isinstance(refused, Leading) else ()
    return with_ways(request, await _refusal(request, refused), ways)


async def _refusal(request: Request, refused: RuleError) -> Answer:
    table = request.table
    if table is None and request.is_press:
        with suppress(RuleError):
            table = await request.room.tables.get(request.code)
    if table is None:
        return Said(request.tongue.say(refused.phrase), good=False)
    why = await _why(request, table, refused)
    words = own_composer(request, table).say(why)
    if isinstance(refused, InPrivate):
        return PrivateRefusal(words, table.code)
    if (
        isinstance(refused, Stale | NotYourTurn)
        and request.own
        and request.message
        and await request.view() is None
    ):
        # A private copy without a view: the answer updates it.
        return replace(await answer_done(request, table, why), good=False)
    return Said(words, good=False)


async def _why(request: Request, table: Table, refused: RuleError) -> Phrase:
    """The reason that the asker is told; an outdated board is shown anew."""
    written, where = not request.is_press and request.by.where.private, request.by.where
    if isinstance(refused, NotYourTurn) and table.actors():
        return turn_of(table, "house.others-turn")
    said = await request.name_key(refused.phrase)
    if written and isinstance(refused, IllegalMove) and not await request.views.of(table, where):
        return phrase("house.of-game", game=phrase(f"{table.game.key}.name"), said=said)
    view = await request.view() if isinstance(refused, Overtaken) else None
    if view is not None and view.shown < view.owed:
        return phrase("house.over" if table.status == ENDED else "house.board-follows")
    if view is not None and isinstance(refused, Stale):
        await request.views.heal(view)
    return said


async def painted_screen(request: Request, screen: Screen) -> bytes | None:
    """The picture of *screen*, painted off the event loop."""
    if screen.picture is None:
        return None
    return await asyncio.to_thread(request.room.gallery.picture, screen.picture)


async def with_prompt_poster(request: Request, screen: Screen) -> tuple[Screen, bytes | None]:
    """*screen* and the picture of its poster, or without it where that is not ready soon."""
    painting = asyncio.create_task(painted_screen(request, screen))
    painting.add_done_callback(lambda one: one.cancelled() or one.exception())
    done, _ = await asyncio.wait({painting}, timeout=PROMPT)
    return (screen, painting.result()) if done else (replace(screen, poster=None, alt=""), None)


def turn_of(table: Table, key: str) -> Phrase:
    """The phrase *key* for the player to move, or *key*.several for several."""
    who = tuple(map(Who, sorted(table.actors())))
    game = phrase(f"{table.game.key}.name")
    return phrase(key if len(who) == 1 else f"{key}.several", who=who, game=game)


def name_table(request: Request, table: Table, key: str) -> Phrase:
    """The phrase *key* with the game of *table*, who else sits there, and how it stands."""
    me, game = table.seat_of(request.person.id), phrase(f"{table.game.key}.name")
    others = tuple(Who(n) for n, one in enumerate(table.players) if one.is_seated and n != me)
    named = phrase("house.game-line", game=game, who=others) if others else game
    composer = own_composer(request, table, ear_of(request, table, me))
    return phrase(key, table=named, how=verbatim(composer.headline()))


PROMPT = 0.4
"""After how many seconds the asker is told that the answer takes longer."""

LOOKING, STILL_LOOKING = phrase("house.looking"), phrase("house.still-looking")


async def in_time(
    request: Request,
    work: Coroutine[Any, Any, Answer],
    said: Phrase = LOOKING,
    waiting: Callable[[], Phrase] = lambda: STILL_LOOKING,
    *,
    in_place: bool = False,
) -> Answer:
    """The answer of *work*, or a promise of it where that takes long.

    *work* changes nothing. *said* is the promise, *waiting* what is said while it lasts; *in_place*
    is as in ``Promised``. An error within ``PROMPT`` seconds is raised.
    """
    task = asyncio.create_task(_polite(request, work))
    try:
        await asyncio.wait({task}, timeout=PROMPT)
    except asyncio.CancelledError:
        task.cancel()
        raise
    if task.done():
        return task.result()
    say = request.tongue.say
    return Promised(say(said), task, lambda: say(waiting()), in_place=in_place)


async def _polite(request: Request, work: Coroutine[Any, Any, Answer]) -> Answer:
    """The answer of *work*; a refusal becomes an answer."""
    try:
        return with_ways(request, await work)
    except RuleError as refused:
        return await answer_refusal(request, refused)
