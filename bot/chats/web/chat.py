"""The browser behind the port ``Chat``: one WebSocket for each open page."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from aiohttp import WSCloseCode

from bot.chats.web.budget import StrangerBudget
from bot.chats.web.doors.activity import Activity
from bot.chats.web.doors.discord_app import DiscordApp
from bot.chats.web.doors.doors import DoorKeys, Doors
from bot.chats.web.doors.mini_app import MiniApp
from bot.chats.web.doors.origins import Network, Origins
from bot.chats.web.downloads import Downloads
from bot.chats.web.inbound import Inbound
from bot.chats.web.initial_page import InitialPage
from bot.chats.web.message_formatting import Json, PageWriter, Pictures
from bot.chats.web.operator_page import OperatorKeys, OperatorServer
from bot.chats.web.outbound import Visit
from bot.chats.web.pages_of_other_processes import ClusterPages
from bot.chats.web.person.guests import PLATFORM, Guest, Guests
from bot.chats.web.person.ladder_and_profile_pages import LadderAndProfilePages
from bot.chats.web.person.push import PushNotifier
from bot.chats.web.programs import ProgramChat
from bot.chats.web.reading import ClientFrame
from bot.chats.web.server import WebServer
from bot.chats.web.table.activity_rooms import ActivityRooms
from bot.chats.web.table.talk import TableTalk
from bot.chats.web.tournament_page import TournamentServer
from bot.chats.web.websocket_sessions import ENDED, PageSessions
from bot.facade import NO_TABLE, Facade, StorageError
from bot.port import (
    Capabilities,
    Chat,
    Later,
    Ping,
    PublicAddress,
    ReservedBoard,
    Screen,
    Shown,
    Space,
    Stumbled,
    Target,
    Uncalled,
    Upload,
    Where,
)

log = logging.getLogger(__name__)

TODAY_PATH = "puzzle/today"
"""The path of the move of the day on a page, in place of a table's code."""

UNLISTED = "web:unlisted"
"""The news that a table is open to all no longer."""

FORGOTTEN = 4410
"""The close code for a page whose guest asked there to be forgotten; it keeps what it shows."""

STOP_SECONDS = 5.0
"""The seconds that pending requests may take at a stop."""

WATCH = 5.0
"""The seconds between two checks that the server listens."""


NO_OPERATORS = OperatorKeys()
"""Nobody is named: the address of the start opens the operator's page."""

NO_DOORS = DoorKeys()
"""Strangers come in by invitations alone."""


class WebChat(Chat):
    """The browser chat, on *host* (loopback without *proxies*) and *port* (0 takes a free one).

    *public* is the origin of a proxy, *proxies* the networks of those on other machines, *home* an
    address of the home network, *telegram* the token of the bot whose Mini App this is, *discord*
    the application whose Activity it is, *doors* those by which strangers come in. *house_talk*
    says that members talk to the whole house. *told* is called with the address of the first page,
    *told_operator* with that of the operator's page, whom *operators* names. Raises
    ``NotLoopback`` or ``NotHome`` for another host or address.
    """

    platform = PLATFORM
    # Players tap the board itself.
    capabilities = Capabilities(Space(None, 0, even=True), takes_unasked=True)
    everywhere = True
    paints = True

    def __init__(
        self,
        facade: Facade,
        host: str,
        port: int,
        told: Callable[[str], None] = print,
        *,
        public: str = "",
        home: str = "",
        proxies: Sequence[Network] = (),
        telegram: str = "",
        discord: DiscordApp | None = None,
        doors: DoorKeys = NO_DOORS,
        house_talk: bool = False,
        operators: OperatorKeys = NO_OPERATORS,
        told_operator: Callable[[str], None] = print,
    ) -> None:
        self._told, self._told_operator = told, told_operator
        self._apps = [app for app in (discord, doors.discord) if app is not None]
        self._origins = Origins(host, public, home, port, proxies)
        requests, boards, pages = facade.requests, facade.boards, facade.pages
        self._guests = Guests(facade.notes, banned=requests.is_banned)
        self._pictures = Pictures(boards)
        self._writer = PageWriter(boards, pages, self._pictures, self._show_in_answer)
        self._pushes = PushNotifier(self._guests, facade.notes, public)
        guests, origins = self._guests, self._origins
        rooms = activity = None
        if public and discord is not None:
            rooms = ActivityRooms(discord, requests, boards, pages, guests, self._tell_news)
            of_rooms = (discord, rooms.enter, rooms.board, rooms.ahead, origins)
            activity = Activity(*of_rooms, boards, pages.launches, requests, facade.notes)
        self._inbound = Inbound(
            *(facade, guests, self._writer, self._pushes, origins),
            *(self._tell_news, self._unlist, rooms),
        )
        start, tell = facade.tasks.start, self._inbound.tell_wanting
        pages.lobby.to_play_now.listed = lambda table: start(tell(table))
        self._facade, fleet = facade, facade.fleet
        self._visits: dict[str, Visit] = {}
        fleet.on(UNLISTED, self._drop_listed)
        self._table_talk = TableTalk(
            requests, fleet, facade.tasks, pages.talk, guests, self._visits, house_talk
        )
        self._cluster = ClusterPages(
            fleet, facade.tasks, guests, self._visits, self._close_lost_pages
        )
        self._guests.ended = self._close_lost_pages
        self._budget = StrangerBudget()
        self._sessions = PageSessions(
            visits=self._visits,
            inbound=self._inbound,
            guests=guests,
            table_talk=self._table_talk,
            cluster=self._cluster,
            stopping=lambda: self._server.stopping,
            scripts=lambda: self._server.scripts,
            budget=self._budget,
        )
        self.programs = ProgramChat(facade, public, self._table_talk.send)
        self._table_talk.heard = self.programs.hear
        entrances = Doors(origins, guests, facade, doors, self._inbound.come)
        self._operator = OperatorServer(origins, guests, facade.operator, entrances, operators)
        mini_app = MiniApp(telegram, self._inbound.enter_mini_app) if public and telegram else None
        self._server = self._serving(facade, mini_app, entrances, activity)
        self._watching: asyncio.Task[None] | None = None

    def _serving(
        self, facade: Facade, mini_app: MiniApp | None, entrances: Doors, activity: Activity | None
    ) -> WebServer:
        """The server of all pages and files."""
        requests, pages, boards = facade.requests, facade.pages, facade.boards
        guests, pictures = self._guests, self._pictures
        return WebServer(
            self._origins,
            guests,
            Downloads(requests, pages, boards, guests, pictures, self._writer),
            facade,
            self._sessions.serve,
            self._inbound.follow,
            InitialPage(boards, self._visits, self._inbound.state, pictures.ready),
            mini_app,
            entrances,
            self.programs.server.app(),
            LadderAndProfilePages(facade, guests, self._table_talk.house),
            self._operator,
            TournamentServer(facade, pages.tournament_pages, guests),
            self._budget,
            activity,
        )

    @property
    def address(self) -> str:
        """The start of all our links, such as ``http://127.0.0.1:8765``."""
        return self._origins.address

    @property
    def port(self) -> int:
        """The port of the server."""
        return self._origins.port

    # ---------------------------------------------------------------- the port

    def public_address(self) -> PublicAddress:
        """The public address, where the page has one: others lead strangers nowhere."""
        return PublicAddress(link=self._origins.public)

    async def start(self) -> None:
        """Listen, and tell the address; raises ``PortBusy`` or ``CannotListen``."""
        await self._pushes.start()
        await self._server.start()
        await self._cluster.start()
        self._watching = asyncio.create_task(self._watch())
        link = ""
        if self._facade.process_duties.ownership.keeps(PLATFORM):
            try:
                link = f"?t={await self._guests.first_token()}"
            except StorageError as wrong:
                # Whoever has been here comes in by their cookie all the same.
                log.warning("there is no new address to come in by: %s", wrong)
        self._told(f"{self.address}/{link}")
        if address := self._operator.first_address():
            self._told_operator(address)

    async def _watch(self) -> None:
        """Give up once the server has stopped listening; only a new process can listen again."""
        while self._server.listens():  # noqa: ASYNC110 (no event tells of a closed socket)
            await asyncio.sleep(WATCH)
        self._facade.failures.put_nowait(
            Stumbled(f"The browser chat does not listen on {self.address} any more.")
        )

    async def rest(self) -> None:
        """Take no further requests, and finish the pending ones."""
        self._server.stopping = True
        if self._watching is not None:
            self._watching.cancel()
        pending = [
            a for visit in self._visits.values() for a in visit.answers.values() if not a.done()
        ]
        if pending:
            await asyncio.wait(pending, timeout=STOP_SECONDS)
        if not self._facade.fleet.alone:
            # The pages connect to other processes while this one finishes.
            await self._close()

    async def stop(self) -> None:
        """Close all pages."""
        await self._close()
        await self._pushes.stop()
        for app in self._apps:
            await app.close()

    async def _close(self) -> None:
        await self._close_pages()
        await self._server.stop()

    async def _close_pages(self) -> None:
        pages = [page for visit in self._visits.values() for page in visit.pages]
        await asyncio.gather(*(page.socket.close(code=WSCloseCode.GOING_AWAY) for page in pages))

    async def fetch(self, upload: Upload, most: int) -> bytes:
        """The file *upload*, which a page has sent in parts."""
        return self._inbound.files.fetch(upload, most)

    def open_here(self, place: str) -> bool:
        """Whether the guest *place* has a page open in this process."""
        visit = self._visits.get(place)
        return visit is not None and bool(visit.pages)

    def versions_open_here(self) -> Mapping[str, set[int]]:
        """By table, the versions that open pages show."""
        found: dict[str, set[int]] = {}
        for page in (page for visit in self._visits.values() for page in visit.pages):
            for table, board in page.boards.items():
                found.setdefault(table, set()).add(board["version"])
        return found

    async def rewind(self) -> None:
        """Let all pages connect anew; they see by the lineage that what they show never was."""
        await self._close_pages()

    def is_connected(self) -> bool:
        """Whether pages can be opened."""
        return self._server.listens() and not self._server.stopping

    async def show(self, target: Target, screen: Screen, _picture: bytes | None) -> Shown:
        """Show *screen* on the guest's open pages; the id of the message is the table's code."""
        if screen.table == NO_TABLE:
            return await self._remind(target, screen)
        visit, forms = await self._forms(target, screen)
        visit.send_board(forms)
        return Shown(screen.table, fresh=target.message is None)

    async def _show_in_answer(self, frame: ClientFrame, board: ReservedBoard) -> None:
        """Show *board* on the guest's open pages, in the answer to *frame* where one awaits it."""
        shown = None
        try:
            visit, forms = await self._forms(board.target, board.screen)
            if board.is_held:
                visit.send_board(forms, frame.id)
                shown = Shown(board.screen.table, fresh=board.target.message is None)
        finally:
            board.report(shown)

    async def _forms(self, target: Target, screen: Screen) -> tuple[Visit, Mapping[str, Json]]:
        """The visit of the guest in *target*, and *screen* in each theme of their open pages."""
        visit = self._visits.get(target.where.place, Visit())
        guest = await self._guests.get(target.where.place)
        if guest is None:
            return visit, {}
        return visit, {
            theme: await self._writer.form(replace(guest, theme=theme), screen)
            for theme in visit.themes()
        }

    async def ping(self, where: Where, ping: Ping) -> str | None:
        """Notify the guest on open pages, and elsewhere by push; raises ``Uncalled``."""
        guest, board = await self._guests.get(where.place), ping.board
        if board is None or guest is None:
            return None
        said = ping.text[:1].upper() + ping.text[1:]
        await self._call(guest, board, said, ping.nonce, news=False)
        return None

    async def reaches(self, where: Where) -> bool:
        """Whether a device of the guest wants notifications."""
        guest = await self._guests.get(where.place)
        return guest is not None and any(one.calls is not None for one in guest.devices)

    async def _remind(self, target: Target, screen: Screen) -> Shown:
        """Tell a guest the headline of *screen*, which leads to the move of the day."""
        guest = await self._guests.get(target.where.place)
        if guest is not None and target.message is None:
            try:
                await self._call(guest, TODAY_PATH, screen.headline, target.nonce)
            except Uncalled as late:
                raise Later(late.seconds) from None
        return Shown(TODAY_PATH, fresh=target.message is None)

    async def _tell_news(self, guest: Guest, table: str, said: str) -> None:
        """Tell *guest* news of *table* that no board of it shows."""
        with contextlib.suppress(Uncalled):  # news need no second try
            await self._call(guest, table, said, f"{table} {said}")

    async def _unlist(self, table: str) -> None:
        """Take *table* off the lists of open tables on all pages, those of other processes too."""
        self._drop_listed(table)
        await self._facade.fleet.say(UNLISTED, table)

    def _drop_listed(self, table: str) -> None:
        for visit in self._visits.values():
            visit.send(f"unlisted {table}", {"kind": "unlisted", "table": table})

    async def _call(
        self, guest: Guest, table: str, said: str, nonce: str, *, news: bool = True
    ) -> None:
        """Tell *guest* on open pages, and elsewhere by push; raises ``Uncalled``.

        Only *news* are said on the page itself, which has a board of the rest.
        """
        told = {"kind": "call", "table": table, "said": said, "news": news}
        await self._cluster.send(guest.id, f"call {table} {said}", told)
        here = {page.device for page in self._visits.get(guest.id, Visit()).pages}
        devices = here | self._cluster.devices(guest.id)
        await self._pushes.send(guest, table, said, nonce, devices)

    async def remove(self, _where: Where, _message: str) -> None:
        """Nothing to do: notifications leave no message."""

    async def forget(self, external: str) -> None:
        """Forget a guest and end their open pages; the one that awaits an answer is told it."""
        self._guests.forget(external)
        for page in self._visits.get(external, Visit()).pages:
            page.leave(FORGOTTEN, ENDED)

    async def shut_out(self, external: str) -> None:
        """Close the open pages of a guest; they load themselves anew and read why."""
        pages = self._visits.get(external, Visit()).pages
        await asyncio.gather(*(page.socket.close(code=ENDED) for page in pages))

    async def _close_lost_pages(self, guest: Guest) -> None:
        """Close the pages of *guest* on devices that they have lost."""
        pages, left = self._visits.get(guest.id, Visit()).pages, {one.id for one in guest.devices}
        lost = [page.socket for page in pages if page.device not in left]
        await asyncio.gather(*(socket.close(code=ENDED) for socket in lost))
