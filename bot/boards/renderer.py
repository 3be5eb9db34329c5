"""What a view is to show: composed, also ahead, painted off the event loop, and noted as shown."""

from __future__ import annotations

import asyncio
import logging
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from cachetools import LRUCache, TTLCache

from bot.boards.closed_places import ClosedPlaces
from bot.boards.pacing import Pacing
from bot.boards.views_besides_boards import ViewKind
from bot.port import Chat, ChatError, Ping, Screen, Shown, Target, Where, capabilities_of
from bot.presenters.table.composer import Composer, with_announcement
from bot.presenters.table.viewers import Viewer
from bot.runtime.caches import remembering
from bot.service.clock import Clock
from bot.service.person.people import BeginnerPieces, People
from bot.service.place.announcements import Announcements
from bot.service.place.places import Places, view_place
from bot.service.process_cluster import Ownership
from bot.service.table.tables import Tables
from bot.session.play import keys_that_hold
from bot.session.preferences import look
from bot.session.table import OPEN, PLAYING, Table
from render.kit import Gallery
from render.scene import Poster, Scene
from storage.records import BOARD, NotificationRow, PersonName, ViewRow
from storage.store import Store, Transaction
from storage.table import views as stored

log = logging.getLogger(__name__)

LATELY, LATELY_MOST = 3.0, 4096
"""Seconds for which a board counts as just shown, and how many such boards are remembered."""


MASKED = 3600.0
"""Seconds for which a board shows seats in place of names after a filter refused it."""

BOARDS_AHEAD = 64
"""Boards made ahead that are kept: each is shown within moments, or never."""

CHOSEN = 4096
"""Boards whose partial moves are remembered: the latest."""

Steps = tuple[str, ...]


@dataclass
class PartialMoves:
    """The choices made so far on shared boards, by view; those forgotten are chosen once more."""

    _paths: LRUCache[int, tuple[int, Steps]] = remembering(CHOSEN)

    def note(self, view: int, turn: int, path: Steps) -> None:
        """Remember that *path* is chosen on *view* in *turn*; an empty path is forgotten."""
        if path:
            self._paths[view] = (turn, path)
        else:
            self._paths.pop(view, None)

    def move(self, old: int, new: int) -> None:
        """Note that the view *new* replaces *old*."""
        if (begun := self._paths.pop(old, None)) is not None:
            self._paths[new] = begun

    def path(self, view: int, table: Table) -> Steps:
        """The steps chosen on *view* of *table*, if their turn still lasts."""
        turn, path = self._paths.get(view, (0, ()))
        return path if any(table.turns[seat] == turn for seat in table.actors()) else ()


@dataclass(frozen=True)
class Made:
    """A *screen* of *table* for *viewer*, with the partial move *path*."""

    table: Table
    viewer: Viewer
    path: Steps
    screen: Screen


@dataclass(frozen=True)
class Notification:
    """The notifications *rows* in one message, the *call*, which answers no board yet."""

    rows: tuple[NotificationRow, ...]
    call: Ping


class Mentions(ABC):
    """Tells which notification a new board carries."""

    @abstractmethod
    async def carry(self, view: ViewRow, table: Table) -> Notification | None:
        """The notification that a new board of *view* carries, if any."""

    @abstractmethod
    async def comes_down(self, view: ViewRow, table: Table) -> bool:
        """Whether a call brings the board of *view* down, in a new message that carries both."""

    @abstractmethod
    async def note(self, tx: Transaction, called: Notification) -> None:
        """Note that a new board carried *called*."""

    @abstractmethod
    async def move_calls(self, tx: Transaction, table: Table, where: Where) -> None:
        """Store the calls that follow from showing *table* in *where* from now on."""


@dataclass(frozen=True)
class RenderedBoard:
    """A *screen* of *view*, to be shown in *target*."""

    view: ViewRow
    target: Target
    screen: Screen
    digest: str
    """The digest of the screen without mentions."""
    wish: object | None
    """The wish to show the view anew that this fulfils."""
    mentioned: Notification | None
    """Whom a new message notifies."""
    replaced: str | None = None
    """The message that a new one, further down, replaces."""
    version: int = 0
    paint: Callable[[], Coroutine[Any, Any, bytes]] | None = None
    """Makes the picture, if there is one."""


@dataclass(kw_only=True)
class Renderer:
    """Composes what views owe, and notes what they show."""

    store: Store
    clock: Clock
    tables: Tables
    places: Places
    ownership: Ownership
    people: People
    beginner_pieces: BeginnerPieces
    announcements: Announcements
    mentions: Mentions
    closed_places: ClosedPlaces
    key: bytes
    gallery: Gallery
    pacing: Pacing
    partial_moves: PartialMoves
    kinds: dict[str, ViewKind] = field(default_factory=dict)
    """Who makes what views show that are no boards, by their kinds."""
    what_follows: Callable[[Table, str], Awaitable[str]] = field(init=False)
    """What comes after a game in its tournament, in a language; "" for another one."""
    _ahead: LRUCache[int, Made] = remembering(BOARDS_AHEAD)
    """Boards of tables that are not stored yet, by their views."""
    _wishes: dict[int, object] = field(default_factory=dict)
    """The views that may show something else than is stored, each with its latest wish."""
    lately: TTLCache[int, None] = remembering(LATELY_MOST, LATELY)
    """The views that were just shown."""
    _masked: TTLCache[int, None] = remembering(LATELY_MOST, MASKED)
    """The views on which people are called by their seats."""
    _stuck: set[int] = field(default_factory=set)
    """The views whose messages cannot be edited: new ones replace them."""
    _listeners: list[Callable[[str], None]] = field(default_factory=list)

    def when_shown(self, listener: Callable[[str], None]) -> None:
        """Call *listener* with the code of a table whenever a board of it was shown."""
        self._listeners.append(listener)

    def wish(self, view_id: int) -> None:
        """Show the view anew, whatever it is thought to show."""
        self._wishes[view_id] = object()

    def forget(self, view_id: int) -> None:
        """Forget a view that is gone."""
        self._wishes.pop(view_id, None)
        self._stuck.discard(view_id)

    def mask(self, view_id: int) -> bool:
        """Show the view with seats in place of names for a while; whether that is new."""
        new = view_id not in self._masked
        self._masked[view_id] = None
        return new

    def raise_anew(self, view_id: int) -> None:
        """Post the view as a new message that replaces the one it has."""
        self._stuck.add(view_id)

    def is_owed(self, view: ViewRow) -> bool:
        """Whether *view* is to be shown."""
        return view.shown < view.owed or view.id in self._wishes

    def is_unread(self, view: ViewRow) -> bool:
        """Whether nobody reads *view* by this process, but perhaps by another one."""
        chat = self.ownership.chats[view.platform]
        if not chat.everywhere or self.store.cluster.alone or view.kind != BOARD:
            return False
        return not chat.open_here(view.place)

    def was_just_shown(self, view: ViewRow) -> bool:
        """Whether *view* was shown so lately that a presser may not have seen it."""
        return view.id in self.lately

    async def viewer(self, view: ViewRow, table: Table) -> Viewer:
        """The viewer of *view*: its person, from their seat, or everybody in a shared place."""
        chat = capabilities_of(self.ownership.chats, view.platform)
        rules = await self.places.rules(view_place(view))
        seated = [one.person for one in table.players if one.person is not None]
        readers = seated if view.person is None else [view.person]
        known = [await self.people.personal(one) for one in readers]
        chosen, space = None if view.person is None else known[0], chat.space
        if view.person is None and self.pacing.is_busy(view_place(view)):
            space = replace(space, whole_moves=chat.whole_moves)
        return Viewer(
            table.seat_of(view.person),
            view.language,
            look(chat.theme or view.theme, rules, chosen, known),
            view.side,
            view.person is not None,
            space,
            await self.beginner_pieces.are_offered(table, readers),
            chat.opens_page,
            await self.what_follows(table, view.language),
        )

    async def screen(self, view: ViewRow, table: Table) -> Screen:
        """What *view* shows of *table*, made ahead or now."""
        viewer, path = await self.viewer(view, table), self.partial_moves.path(view.id, table)
        made = self._ahead.pop(view.id, None)
        self.pacing.holding[view.id] = keys_that_hold(table) if viewer.space.whole_moves else ()
        # A board of a change that failed is of another table.
        if made is not None and made.table is table and (made.viewer, made.path) == (viewer, path):
            return made.screen
        return self._compose(view, table, viewer, path)

    async def picture(self, scene: Scene | Poster) -> bytes:
        """The picture of *scene*, painted off the event loop, once for all who ask."""
        wanted, first = self.gallery.ask(scene)
        if first:
            # A caller that is cancelled must not cancel the others' picture.
            await asyncio.shield(asyncio.to_thread(self.gallery.fulfil, scene, wanted))
        return wanted.result() if wanted.done() else await asyncio.wrap_future(wanted)

    async def ahead(self, view: ViewRow, table: Table, *, painted: bool) -> None:
        """Compose what *view* will show of *table* once it is stored; paint it if *painted*."""
        viewer, path = await self.viewer(view, table), self.partial_moves.path(view.id, table)
        screen = self._compose(view, table, viewer, path)
        self._ahead[view.id] = Made(table, viewer, path, screen)
        _ = screen.digest  # it is needed as soon as the table is stored
        if painted and screen.picture is not None:
            await self.picture(screen.picture)

    def _compose(self, view: ViewRow, table: Table, viewer: Viewer, path: Steps) -> Screen:
        if capabilities_of(self.ownership.chats, view.platform).programs:
            # They read the table itself: it is enough that each version is another one.
            return Screen(table.code, table.version, str(table.version))
        board = Composer(table, viewer, self.key).board(path)
        if self.announcements.present is None:
            return board
        return with_announcement(board, self.announcements.text)

    async def render(self, view: ViewRow, table: Table) -> RenderedBoard | None:
        """What *view* is to show of *table*; ``None`` if it shows that already."""
        wish = self._wishes.get(view.id)
        screen = await self.screen(view, nameless(table) if view.id in self._masked else table)
        digest = screen.digest
        mentioned, replaced = await self._mention(view, table, screen)
        if replaced is None and view.message and digest == view.digest and wish is None:
            await self._note_same(view, table.version)
            return None
        if mentioned is not None and not view_place(view).private:
            screen = replace(screen, headline=mentioned.call.text, mentions=mentioned.call.people)
        tells = self.closed_places.is_trial(view)
        target, picture = _target(view, anew=replaced is not None, tells=tells), screen.picture
        paint = None if picture is None else partial(self.picture, picture)
        return RenderedBoard(
            *(view, target, screen, digest, wish, mentioned, replaced, screen.version, paint)
        )

    async def _mention(
        self, view: ViewRow, table: Table, screen: Screen
    ) -> tuple[Notification | None, str | None]:
        """The call that a new message of *view* carries, and the message that it replaces."""
        where, chat = view_place(view), capabilities_of(self.ownership.chats, view.platform)
        if where.lone is not None:
            return None, None
        mentioned, replaced = await self.mentions.carry(view, table), None
        if view.id in self._masked:  # what calls somebody names people
            mentioned = None
        cheered = chat.cheers and where.private and screen.won and view.shown < table.version
        if view.id in self._stuck or cheered:
            replaced = view.message
        elif mentioned is not None and view.message is not None:
            closed = self.closed_places.is_closed(where)
            if closed or not await self.mentions.comes_down(view, table):
                return None, None
            replaced = view.message
        return (mentioned if chat.calls_by_boards or screen.scene is None else None), replaced

    async def render_other(self, view: ViewRow) -> RenderedBoard | None:
        """What a *view* that is no board is to show; ``None`` if it shows that, or no more."""
        wish = self._wishes.get(view.id)
        content = await self.kinds[view.kind].content(view, masked=view.id in self._masked)
        if content is None:  # it owes nothing any more
            await self._note_same(view, view.owed)
            return None
        replaced = view.message if view.id in self._stuck else None
        screen, version = content.screen, content.version or view.owed
        digest = screen.digest
        if replaced is None and view.message and digest == view.digest and wish is None:
            await self._note_same(view, version)
            return None
        target, paint = _target(view, anew=replaced is not None), content.paint
        return RenderedBoard(view, target, screen, digest, wish, None, replaced, version, paint)

    async def _note_same(self, view: ViewRow, version: int) -> None:
        """Note that *view* shows *version* as it is, where its message is still that."""
        same = (None, None, view.message or "")
        await self.store.write_beside(stored.mark_view_shown, view.id, version, view.digest, *same)
        self._notify(view)

    def paint(self, board: RenderedBoard) -> asyncio.Task[bytes] | None:
        """Begin to paint *board*, if it has a picture and its chat does not paint."""
        if board.paint is None or self.ownership.chats[board.view.platform].paints:
            return None
        painting: asyncio.Task[bytes] = asyncio.create_task(board.paint())
        painting.add_done_callback(lambda one: one.cancelled() or one.exception())
        return painting

    async def note(self, board: RenderedBoard, shown: Shown) -> bool:
        """Note that *board* is *shown*; false where its view stands elsewhere by now."""
        view = board.view
        self.lately[view.id] = None
        self._stuck.discard(view.id)
        await self._keep(self.ownership.chats[view.platform], board.target.where)
        new = (shown.message, self.clock.now(), "") if shown.fresh else (None, None, shown.message)
        async with self.store.transaction(beside=True) as tx:
            kept = await stored.mark_view_shown(tx, view.id, board.version, board.digest, *new)
            if board.mentioned is not None and shown.called:
                await self.mentions.note(tx, board.mentioned)
        self._fulfil(view, board.wish)
        self._notify(view)
        return kept

    async def note_unread(self, view: ViewRow) -> None:
        """Note *view* as shown, since nobody reads it by this process."""
        wish = self._wishes.get(view.id)
        new = (view.subject, self.clock.now()) if view.message is None else (None, None)
        await self.store.write_beside(stored.mark_view_shown, view.id, view.owed, view.digest, *new)
        self._fulfil(view, wish)
        self._notify(view)

    def _fulfil(self, view: ViewRow, wish: object | None) -> None:
        if self._wishes.get(view.id) is wish:
            self._wishes.pop(view.id, None)

    def _notify(self, view: ViewRow) -> None:
        for listener in self._listeners if view.kind == BOARD else ():
            listener(view.subject)

    async def _keep(self, chat: Chat, where: Where) -> None:
        """Tell the chat whether a place that was made for one table is still played in."""
        places = self.places
        if where.private or not await places.within(where):
            return
        played = bool(await self.tables.list_lines((PLAYING, OPEN), 1, where=where))
        if played == await places.is_played_in(where):
            return
        try:
            await chat.keep(where, played=played)
        except ChatError as wrong:
            log.info("a thread stays as it is: %s", wrong)
            return
        await places.played_in(where, played=played)


def nameless(table: Table) -> Table:
    """*table* with its people called by their seats, as where they were forgotten."""
    return table.called({person: PersonName(person, "") for person in table.people()})


def _target(view: ViewRow, *, anew: bool, tells: bool = False) -> Target:
    """Where *view* is to be shown, *anew* in a new message; *tells* whether a place is open."""
    posted = view.posted.timestamp() if view.posted is not None else None
    # A new message must not use the token: that edits the old one. It opens what is shut as well.
    tells = tells and view.message is not None  # the first may stand already, as an answer
    message, token = (None, None) if anew else (view.message, None if tells else view.token)
    return Target(view_place(view), message, token, nonce_of(view), posted)


def nonce_of(view: ViewRow) -> str:
    """What names the posting of *view* until it is noted, whatever happens at its table."""
    posted = 0.0 if view.posted is None else view.posted.timestamp()
    return f"{view.id}-{round(1000 * posted)}"
