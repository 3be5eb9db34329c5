"""The boards in chats, as chats ask for them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from hashlib import blake2s

from bot.boards.views import Views
from bot.port import Asker, Screen, Where
from bot.presenters.composer import Composer, with_announcement
from bot.presenters.side_panel import SidePanel, side_panel_of
from bot.presenters.viewers import player_names, theme_for
from bot.service.announcements import Announcements
from bot.service.people import People
from bot.service.tables import Tables
from bot.session.preferences import PlaceRules, look
from bot.session.table import OPEN, PLAYING, BrokenTable, Table
from bot.session.visibility import acts_unseen
from bot.texts import language
from games.core import phrase
from render.scene import Scene
from storage import games
from storage import views as stored
from storage.store import Store

OVER_SHOWN = 3
"""How many tables that are over stay on a page, the latest."""

BROUGHT = 20
"""How many tables of other places are brought to somebody's page at once, the latest."""

UNREADABLE = phrase("house.unreadable")


@dataclass(frozen=True)
class Invited:
    """The host of an invitation, and the key of its game."""

    host: str
    game: str


@dataclass(frozen=True, kw_only=True)
class ChatBoards:
    """What a chat may ask of the boards it shows. Raises ``StorageError``."""

    store: Store
    tables: Tables
    people: People
    views: Views
    announcements: Announcements
    key: bytes

    @property
    def lineage(self) -> str:
        """Names our database; it changes where an older one takes its place."""
        return blake2s(self.views.lineage.encode(), digest_size=6).hexdigest()

    async def knows(self, where: Where, message: str) -> bool:
        """Whether *message* in *where* is a board that is kept up to date."""
        return await self.views.at(where, message) is not None

    async def stands(self, where: Where, code: str) -> bool:
        """Whether a board of the table *code* stands in *where* for everybody."""
        return bool(code) and await self.views.stand(code, where)

    async def most_played(self) -> tuple[str, ...]:
        """The games that are played now, by their keys: the one with most tables first."""
        counts: Counter[str] = Counter()
        for (game, _), count in (await self.store.read(games.count_living_games)).items():
            counts[game] += count
        return tuple(game for game, _ in counts.most_common())

    async def seats(self, asker: Asker) -> bool:
        """Whether *asker* sits at a table that is played."""
        me = await self.people.number(asker)
        return me is not None and bool(await self.tables.listed((PLAYING,), 1, person=me))

    async def version(self, code: str) -> int:
        """The version of the table *code*; -1 where there is none, or it cannot be read."""
        table = await self.tables.find(code)
        return -1 if table is None else table.version

    async def acts_unseen(self, asker: Asker, code: str) -> bool:
        """Whether *asker* is to act at the table *code* out of the others' sight."""
        me, table = await self.people.number(asker), await self.tables.find(code)
        return me is not None and table is not None and acts_unseen(table, me)

    async def missing(self, asker: Asker, where: Where) -> tuple[str, ...]:
        """The codes of tables that *asker* plays and that stand elsewhere, not in *where*."""
        me = await self.people.number(asker)
        if me is None:
            return ()
        playing = await self.tables.listed((PLAYING,), BROUGHT, person=me)
        here = await self.tables.listed((PLAYING,), where=where)
        known = {line.code for line in here}
        return tuple(line.code for line in playing if line.code not in known)

    async def table_of(self, view: int) -> str:
        """The code of the table that the board numbered *view* shows, or nothing."""
        row = await self.store.read(stored.load_view, view)
        return row.subject if row is not None else ""

    async def on_page(self, where: Where) -> tuple[Screen, ...]:
        """Every board on the page *where* as it is now, the latest first, those over last."""
        code = await self.people.language_in(where)
        shown = []
        for name, view in await self.views.on_page(where, OVER_SHOWN):
            try:
                table = await self.tables.get(name)
            except BrokenTable:
                said = language(code).say(UNREADABLE)
                shown.append(Screen(name, 0, said, title=name, language=code, over=True))
                continue
            if view is not None:
                viewer = await self.views.viewer(view, table)
                board = Composer(table, viewer, self.key).board()
                shown.append(with_announcement(board, self.announcements.text))
        return tuple(shown)

    async def beside(self, screen: Screen, asker: Asker) -> SidePanel:
        """What stands beside *screen*, a board, on the page of *asker*."""
        try:
            table = await self.tables.get(screen.table)
        except BrokenTable:
            said = language(screen.language).say(UNREADABLE)
            return SidePanel(mine=False, open=False, over=True, status=said)
        me = await self.people.number(asker)
        latest, then = table.version, screen.source
        if isinstance(then, Table) and then.version == screen.version < latest:
            table = then  # What is told beside a board belongs to that board.
        found = side_panel_of(table, me, screen.language, self.key, screen.scene)
        # Where the table has moved on since, whose turn it is comes with its newer board.
        return replace(found, mine=found.mine and latest == screen.version)

    async def open_in(self, where: Where) -> frozenset[str]:
        """The codes of the tables in *where* that wait for somebody."""
        lines = await self.tables.listed((OPEN,), where=where)
        return frozenset(line.code for line in lines)

    async def invited(self, code: str, spoken: str) -> Invited | None:
        """The invitation to the table *code*, if there is one, in the language *spoken*."""
        table = await self.tables.find(code)
        if table is None:
            return None
        seat = table.seat_of(table.host)
        names = player_names(table.game.key, table.players, language(spoken))
        return Invited("" if seat is None else names[seat], table.game.key)

    async def dressed(self, scene: Scene, asker: Asker, theme: str) -> Scene:
        """*scene* as *asker* alone sees it: in their chosen theme, else in their page's *theme*."""
        people = self.people
        personal = await people.personal(await people.number(asker))
        chosen = look(theme, PlaceRules(), personal)
        return replace(scene, theme=theme_for(scene.game, chosen))

    async def show_name(self, asker: Asker) -> None:
        """Show the living tables of *asker* once more: their name has changed."""
        me = await self.people.number(asker)
        if me is not None:
            for line in await self.tables.listed((PLAYING, OPEN), person=me):
                await self.views.show_table(line.code)

    async def dress(self, where: Where, theme: str) -> None:
        """Let every board in *where* be painted in *theme* from now on."""
        await self.store.write(stored.set_theme_in_place, where.platform, where.place, theme)
