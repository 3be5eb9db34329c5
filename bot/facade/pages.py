"""What a page may ask: the history of its tables, what is pointed at, the tables open to all."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from bot.boards.views import Views
from bot.facade.archive import Archive
from bot.facade.awaited_launches import Launches
from bot.facade.board_queries import chosen_theme
from bot.facade.comments import Comments
from bot.facade.front_door import FrontDoor, rules_picture
from bot.facade.people_pages import PeoplePages
from bot.facade.table_talk import Talk
from bot.facade.tournament_pages import TournamentPages
from bot.port import Asker, Attachment, Chat, Screen, Where, capabilities_of
from bot.presenters.button_codes import Action, ForgedClick, decode_click
from bot.presenters.game_poster import cover_scene, poster
from bot.presenters.rulebook import RulesBook, rules_book
from bot.presenters.school.position_editor import EditorScreen, editor_screen
from bot.presenters.school.what_if import posed_screen, what_if_screen
from bot.presenters.table.composer import Composer
from bot.presenters.table.move_history import HistoryLine, moment_screen, move_lines
from bot.presenters.table.record_and_draw_proof import forms_of, written_as
from bot.presenters.table.side_panel import Planned, Pointed, meaning_of_point, named_cells, planned
from bot.presenters.table.viewers import Viewer
from bot.service.person.people import People
from bot.service.table.tables import Tables
from bot.session.table import PLAYING, Table
from bot.texts import LANGUAGES
from games.core import Phrase, RuleError, Steps, UnknownGame, phrase
from games.core.shelf import find_game, shelf
from render.kit import Spot, figure, paint, painter, png, sized, themed
from render.kit.button_faces import face_names, face_picture, thrown_names
from render.kit.themes import TEXTURED
from render.scene import Scene
from storage.records import ViewRow

COVER, POSTER = 320, 640
"""How wide the pictures and posters are that stand for games, in pixels."""

POSTERS = 32
"""How many posters are kept once they were painted, of 30 to 60 KB each."""


@dataclass(frozen=True)
class Past:
    """All *moves* of a game, and the *forms* in which its record may be had."""

    moves: tuple[HistoryLine, ...] = ()
    forms: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Pages:
    """What a page may ask: of the tables that stand on it, and of what is beside them."""

    people: People
    tables: Tables
    views: Views
    chats: Mapping[str, Chat]
    key: bytes
    lobby: FrontDoor
    archive: Archive
    comments: Comments
    people_pages: PeoplePages
    tournament_pages: TournamentPages
    talk: Talk
    launches: Launches

    async def point(
        self, where: Where, code: str, path: tuple[str, ...], x: float, y: float
    ) -> Pointed:
        """What pointing at *x*, *y* means, in parts of width and height, after *path*."""
        composer = await self._playing(where, code)
        return Pointed("", "") if composer is None else meaning_of_point(composer, path, x, y)

    async def plan(
        self, where: Where, code: str, path: tuple[str, ...], x: float, y: float
    ) -> Planned | None:
        """What is chosen in *where* for later by pointing, which is told as to ``pointed``."""
        composer = await self._playing(where, code)
        return None if composer is None else planned(composer, path, x, y)

    async def cells(self, where: Where, code: str, names: tuple[str, ...]) -> tuple[Spot, ...]:
        """The places on the board of the table *code* in *where* that have one of *names*."""
        composer = await self._playing(where, code)
        return () if composer is None else named_cells(composer, names)

    async def past(self, where: Where, code: str) -> Past:
        """Everything that was played at the table *code*, as the page *where* may know it."""
        composer = await self._composer(where, code)
        if composer is None or composer.table.position is None:
            return Past()
        # A long game takes longer to play again than others may wait.
        return Past(await asyncio.to_thread(move_lines, composer), forms_of(composer.table))

    async def moment(self, where: Where, code: str, number: int) -> Scene | None:
        """The picture of the table *code* after *number* entries of its log."""
        composer = await self._composer(where, code)
        return await asyncio.to_thread(moment_screen, composer, number) if composer else None

    async def find_board(self, code: str, spoken: str) -> Screen | None:
        """The board of the table *code* as it stands for all, in the language *spoken*."""
        table = await self.tables.find(code)
        return None if table is None else Composer(table, Viewer(language=spoken), self.key).board()

    async def suppose(
        self, where: Where, code: str, number: int, line: Sequence[Steps], path: Steps
    ) -> Screen | Phrase:
        """The board of a finished game after *number* entries and *line*, with *path* chosen.

        Or why there is none.
        """
        found = await self.views.shown_in(where, code)
        if found is None:
            return phrase("web.no-if")
        table, view = found
        composer, running = await self._composer_of(table, view), list[Table]()
        if view.person is not None:
            running = await self.tables.contests(view.person, table.game.key)
        asked = (composer, number, line, path, running)
        return await asyncio.to_thread(what_if_screen, *asked) or phrase("web.no-if")

    async def pose(
        self, asker: Asker, name: str, text: str, line: Sequence[Steps], path: Steps, spoken: str
    ) -> Screen | Phrase:
        """The board that *text* writes of the game *name*, after *line* and *path*, or why not.

        It is stored nowhere: moves can be tried from there as in a finished game.
        """
        space = capabilities_of(self.chats, asker.platform).space
        viewer = Viewer(language=spoken, personal=True, space=space)
        try:
            game, me = find_game(name), await self.people.number(asker)
            running = [] if me is None else await self.tables.contests(me, game.key)
            asked = (game, text, line, path, viewer, self.key, running)
            return await asyncio.to_thread(posed_screen, *asked) or phrase("web.no-if")
        except RuleError as wrong:
            return wrong.phrase

    async def set_up(
        self, asker: Asker, name: str, text: str, act: Steps, piece: str, spoken: str
    ) -> EditorScreen | Phrase:
        """What is set up by hand of the game *name*, as *text*, once *act* was done, or why not."""
        space = capabilities_of(self.chats, asker.platform).space
        viewer = Viewer(language=spoken, personal=True, space=space)
        try:
            told = (find_game(name), text, act, piece, viewer, self.key)
            return await asyncio.to_thread(editor_screen, *told)
        except RuleError as wrong:
            return wrong.phrase

    async def record(self, where: Where, code: str, form: str) -> Attachment | None:
        """The record of the table *code* in *form*, if it can be had so."""
        composer = await self._composer(where, code)
        return None if composer is None else written_as(composer.table, form)

    async def cover(self, key: str, theme: str) -> bytes | None:
        """A small picture that stands for the game *key*, painted off the event loop.

        *theme* is one of ``render.kit.themed``; for any other there is none.
        """
        worn, _, pieces = theme.partition("-")
        plain, textured = TEXTURED.get(worn, worn), worn in TEXTURED
        if key not in shelf() or themed(key, plain, pieces, material=textured) != theme:
            return None
        return await asyncio.to_thread(_cover, key, theme)

    async def poster(self, key: str, theme: str, code: str) -> bytes | None:
        """The poster of the game *key* in the language *code*, if it has one."""
        return await asyncio.to_thread(_poster, key, theme, code) if key in shelf() else None

    async def book(self, where: Where, name: str, table: str, code: str) -> RulesBook | None:
        """The rules, in language *code*, of the game *name* or else of *table*, if there is one."""
        if not name:
            composer = await self._composer(where, table)
            return None if composer is None else rules_book(composer.table.game, code)
        try:
            return rules_book(find_game(name), code)
        except UnknownGame:
            return None

    def rules_meant(self, code: str) -> tuple[str, str] | None:
        """The game and the table whose rules the button of *code* shows; no other button does."""
        try:
            click = decode_click(code, self.key)
        except ForgedClick:
            return None
        game = click.path[0] if click.path else ""
        return (game, click.table) if click.act is Action.RULES else None

    async def figure(
        self, asker: Asker, game: str, name: str, theme: str, code: str
    ) -> bytes | None:
        """A figure of the rules of *game* as *asker* looks at boards, with words of *code*."""
        if game not in shelf():
            return None
        dressed = await chosen_theme(self.people, asker, game, theme)
        return await asyncio.to_thread(rules_picture, game, name, dressed, code)

    async def face(self, game: str, name: str) -> bytes | None:
        """A piece of *game* by itself, as the rules name it."""
        if game not in shelf() or name not in (*face_names(game), *thrown_names(game)):
            return None
        return await asyncio.to_thread(_face, game, name)

    async def _playing(self, where: Where, code: str) -> Composer | None:
        composer = await self._composer(where, code)
        return composer if composer is not None and composer.table.status == PLAYING else None

    async def _composer(self, where: Where, code: str) -> Composer | None:
        found = await self.views.shown_in(where, code)
        return found and await self._composer_of(*found)

    async def _composer_of(self, table: Table, view: ViewRow) -> Composer:
        return Composer(table, await self.views.viewer(view, table), self.key)


@cache
def _face(game: str, name: str) -> bytes:
    return face_picture(game, name)


@lru_cache(POSTERS)
def _poster(key: str, theme: str, code: str) -> bytes | None:
    shown = poster(find_game(key), theme, code)
    return None if shown is None else png(sized(paint(shown), POSTER))


@cache
def _cover(key: str, theme: str) -> bytes:
    """The board without its bars, in the middle of a game; else the cover of its painter."""
    drawn, game = painter(key), find_game(key)
    crop = drawn.FIGURES[drawn.COVER].crop
    if not game.demo:
        return png(sized(figure(key, drawn.COVER, theme), COVER))
    picture = paint(cover_scene(game, theme, LANGUAGES[0]))
    return png(sized(picture.crop(crop) if crop else picture, COVER))
