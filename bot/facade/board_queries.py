"""What chats show, as they ask for it: boards, their pictures, and codes of buttons."""

from __future__ import annotations

import asyncio
import hmac
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from hashlib import blake2s
from itertools import product

from bot.boards.renderer import Renderer
from bot.boards.tournament_views import TournamentViews
from bot.boards.views import Views
from bot.facade.chat_storage import ChatPlaces
from bot.facade.coach import Coach
from bot.port import Asker, Chat, Screen, Where
from bot.presenters.button_codes import ChatButtons
from bot.presenters.game_poster import poster
from bot.presenters.table.composer import Composer, with_announcement
from bot.presenters.table.film import turning_point
from bot.presenters.table.side_panel import SidePanel, side_panel_of
from bot.presenters.table.viewers import Viewer, player_names, theme_for
from bot.service.person.people import People
from bot.service.place.announcements import Announcements
from bot.service.place.places import view_place
from bot.service.table.tables import Tables
from bot.service.tournament.tournaments import Tournaments
from bot.session.preferences import PlaceRules, look
from bot.session.table import ENDED, OPEN, PLAYING, BrokenTable, Table
from bot.session.visibility import acts_unseen
from bot.texts import language
from games.core import phrase
from games.core.shelf import shelf
from render.kit import themed
from render.kit.sprite_placements import Scenery, scenery_of
from render.scene import Poster, Scene
from storage.store import Store
from storage.table import games
from storage.table import views as stored

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
    tournament_views: TournamentViews
    people: People
    views: Views
    announcements: Announcements
    renderer: Renderer
    buttons: ChatButtons
    places: ChatPlaces
    chats: Mapping[str, Chat]
    coach: Coach
    key: bytes

    @property
    def lineage(self) -> str:
        """Names our database; it changes where an older one takes its place."""
        return blake2s(self.views.lineage.encode(), digest_size=6).hexdigest()

    async def knows(self, where: Where, message: str) -> bool:
        """Whether *message* in *where* is a board that is kept up to date."""
        return await self.views.at(where, message) is not None

    async def renews(self, where: Where, message: str | None, code: str) -> bool:
        """Whether *message* in *where* shows the tournament of the button *code*, and goes on."""
        click = self.buttons.click(code) if code else None
        shown = self.tournament_views.is_shown_in
        return click is not None and await shown(click.table, where, message)

    def address_of_shown(self, where: Where, picture: bytes) -> str:
        """The path on our page of what *where* shows, at which anybody finds it.

        It is another one for another *picture*, and signed.
        """
        name = f"{where.platform}/{where.place}/{blake2s(picture, digest_size=8).hexdigest()}"
        return f"/shown/{name}-{self._mac(name)}.png"

    async def shown_at(self, platform: str, place: str, name: str, mac: str) -> bytes | None:
        """The picture that *place*, one message, shows now; ``None`` unless we signed that."""
        where = Where(platform, place)
        if not hmac.compare_digest(self._mac(f"{platform}/{place}/{name}"), mac):
            return None
        view = await self.views.at(where, where.lone)
        table = None if view is None else await self.tables.find(view.subject)
        if view is None or table is None:
            return None
        shown = (await self.renderer.screen(view, table)).picture
        return None if shown is None else await self.picture(shown)

    def _mac(self, name: str) -> str:
        return hmac.new(self.key, f"shown {name}".encode(), "sha256").hexdigest()[:24]

    async def stands(self, where: Where, code: str) -> bool:
        """Whether a board of the table *code* stands in *where* for everybody."""
        return bool(code) and await self.views.stand(code, where) is not None

    async def message_of_board(self, where: Where, code: str) -> str | None:
        """The message of that board, "" while it is posted; ``None`` if there is no board."""
        view = await self.views.stand(code, where) if code else None
        return None if view is None else view.message or ""

    async def follow(self, asker: Asker, where: Where, message: str, code: str) -> None:
        """Let *message* in *where*, a private chat, go on with the table or tournament *code*."""
        me, table = await self.people.of(asker), await self.tables.find(code)
        spoken = await self.people.language_of(where, me, asker)
        if table is not None:
            board = self.views.fresh(table, where, me, spoken)
            await self.views.post(table, replace(board, message=message))
        else:
            await self.tournament_views.follow(code, where, me.id, spoken, message)

    async def most_played(self) -> tuple[str, ...]:
        """The games that are played now, by their keys: the one with most tables first."""
        counts: Counter[str] = Counter()
        for (game, _), count in (await self.store.read(games.count_living_games)).items():
            counts[game] += count
        return tuple(game for game, _ in counts.most_common())

    async def played_at(self, asker: Asker, code: str) -> Where | None:
        """Where *asker* sees the table *code* on their platform, at best with others."""
        me = await self.people.number(asker)
        rows = await self.store.read(stored.views_of_game, code)
        seen = [one for one in rows if one.platform == asker.platform and one.person in (None, me)]
        newest = max(seen, key=lambda one: (one.person is None, one.id), default=None)
        return None if newest is None else view_place(newest)

    async def version(self, code: str) -> int:
        """The version of what has the *code*; -1 where there is none, or it cannot be read."""
        found = await (await self._kind(code)).find(code)
        return -1 if found is None else found.version

    async def until_changed(self, code: str, version: int, seconds: float) -> bool:
        """Whether what has the *code* is another than at *version*, or so within *seconds*."""
        return await (await self._kind(code)).until_changed(code, version, seconds)

    async def _kind(self, code: str) -> Tables | Tournaments:
        """What has the table or tournament *code*."""
        return self.tables if await self.tables.find(code) else self.tournament_views.tournaments

    async def acts_unseen(self, asker: Asker, code: str) -> bool:
        """Whether *asker* is to act at the table *code* out of the others' sight."""
        me, table = await self.people.number(asker), await self.tables.find(code)
        return me is not None and table is not None and acts_unseen(table, me)

    async def missing(self, asker: Asker, where: Where) -> tuple[str, ...]:
        """The codes of tables that *asker* plays and that stand elsewhere, not in *where*."""
        me = await self.people.number(asker)
        if me is None:
            return ()
        playing = await self.tables.list_lines((PLAYING,), BROUGHT, person=me)
        known = {line.code for line in await self.tables.list_lines((PLAYING,), where=where)}
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
                board = Composer(table, await self.views.viewer(view, table), self.key).board()
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
        if table.status == ENDED:
            composer = Composer(table, Viewer(language=screen.language), self.key)
            found = replace(found, turning=await asyncio.to_thread(turning_point, composer))
        # Where the table has moved on since, whose turn it is comes with its newer board.
        return replace(found, mine=found.mine and latest == screen.version)

    async def open_in(self, where: Where) -> frozenset[str]:
        """The codes of the tables in *where* that wait for somebody."""
        return frozenset(line.code for line in await self.tables.list_lines((OPEN,), where=where))

    async def find_invitation(self, code: str, spoken: str) -> Invited | None:
        """The invitation to the table *code*, if there is one, in the language *spoken*."""
        table = await self.tables.find(code)
        if table is None:
            return None
        seat = table.seat_of(table.host)
        names = player_names(table.game.key, table.players, language(spoken))
        return Invited("" if seat is None else names[seat], table.game.key)

    async def dress_scene(self, scene: Scene, asker: Asker, theme: str) -> Scene:
        """*scene* as *asker* alone sees it: in their chosen theme, else in their page's *theme*."""
        return replace(scene, theme=await chosen_theme(self.people, asker, scene.game, theme))

    async def show_name(self, asker: Asker) -> None:
        """Show the living tables of *asker* once more: their name has changed."""
        me = await self.people.number(asker)
        if me is not None:
            for line in await self.tables.list_lines((PLAYING, OPEN), person=me):
                await self.views.show_table(line.code)

    async def dress(self, where: Where, theme: str) -> None:
        """Let every board in *where* be painted in *theme* from now on."""
        await self.store.write(stored.set_theme_in_place, where.platform, where.place, theme)

    async def picture(self, scene: Scene | Poster) -> bytes:
        """The picture of *scene*, painted off the event loop."""
        return await self.renderer.picture(scene)

    def painted(self, scene: Scene | Poster) -> bytes | None:
        """The picture of *scene* where it is painted already."""
        return self.renderer.gallery.ready(scene)

    async def scenery(self, scene: Scene) -> Scenery:
        """*scene* as sprites at places, put together off the event loop."""
        return await asyncio.to_thread(scenery_of, scene)

    async def paint_posters(self, code: str, pause: Callable[[], Awaitable[None]]) -> None:
        """Paint what a first ``/play`` in the language *code* shows in chats that do not paint.

        Before each poster it waits for a *pause*: players' pictures come first.
        """
        themes = {chat.capabilities.theme for chat in self.chats.values() if not chat.paints}
        for theme, game in product(sorted(themes), shelf().values()):
            shown = poster(game, themed(game.key, theme, ""), code)
            if shown is not None and self.painted(shown) is None:
                await pause()
                await self.picture(shown)


async def chosen_theme(people: People, asker: Asker, game: str, theme: str) -> str:
    """The theme in which *asker* sees *game*: the chosen one, else the *theme* of their page."""
    personal = await people.personal(await people.number(asker))
    return theme_for(game, look(theme, PlaceRules(), personal))
