"""What a house shows at its front door, to whoever has no page there: a puzzle, tables, games.

Nothing here knows who asks: all is as a spectator may see it.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from io import BytesIO
from itertools import chain, islice
from types import MappingProxyType
from typing import Final

from bot.boards.tournament_views import TournamentViews
from bot.boards.views import Views
from bot.commands.school.exercises import Tried, chosen_answer, known_at
from bot.facade.chat_storage import ChatNotes, NotesTransaction, read_names
from bot.port import Asker, Button, Screen, Where
from bot.presenters.base import PagePresenter
from bot.presenters.button_codes import Action, ForgedClick, decode_click
from bot.presenters.rulebook import RulesBook, figure_file, rules_book
from bot.presenters.school.exercises import ExerciseBoard
from bot.presenters.school.puzzles import PuzzleScreens
from bot.presenters.table.composer import Composer
from bot.presenters.table.viewers import Viewer, player_names
from bot.presenters.tournament.tournament import TournamentScreens
from bot.presenters.typed_names import rated_key
from bot.service.clock import Clock
from bot.service.person.people import People
from bot.service.place.places import Places
from bot.service.place.public_tables_elsewhere import PublicTables
from bot.service.school.puzzle_collection import PuzzleCollection
from bot.service.table.changes import Change, Participant
from bot.service.table.tables import Tables
from bot.service.tournament.tournaments import Tournaments
from bot.session import play
from bot.session.daily_calendar import daily_exercise, number_of
from bot.session.draft import COMPUTER, NOW, TableDraft
from bot.session.exercise_catalogue import Exercise
from bot.session.rated import may_count
from bot.session.table import CLOSED, ENDED, OPEN, PLAYING, Table
from bot.session.time_controls import name_of
from bot.texts import FALLBACK, Language, language
from games.core import Game, Phrase, RuleError, phrase
from games.core.school import LessonState
from games.core.shelf import find_game, shelf
from render.kit import paint, painter, sized, themed
from render.kit.button_faces import face_picture
from render.kit.output import WIDTH
from render.kit.painters import Spot, bars_of, rows_between
from render.scene import Scene
from storage.records import AlertRow
from storage.store import Store, Transaction
from storage.table import open_table_alerts

MOST_TABLES = 50
"""How many tables are told of, those opened to all last."""

AFAR, WATCHED = 5, 12
"""How many free seats of other places, and how many games to be watched, are told of."""

FIGURES = 64
"""How many pictures of the rules are kept, of 10 to 60 KB each, and how many books of them."""

LOBBY = "web:lobby"

PAGE: Final = LOBBY.partition(":")[0]
"""The platform whose tables are listed there."""

TEMPOS: Final = MappingProxyType({"quick": "5m+5s", "calm": "15m+30s", "days": "1d"})
"""The clocks to play at once, by the names of their tempos."""

NOTIFY: Final = "notify"
"""Stands in place of a tempo for the wish to be told once when somebody waits."""

NOBODY: Final = 0
"""The number that no person has."""


@dataclass(frozen=True)
class DoorKey:
    """A choice of the puzzle: its *label*, its *code*, and where it is on the board, if there."""

    label: str
    code: str
    spot: Spot | None = None


@dataclass(frozen=True)
class DoorPuzzle:
    """The move of the day as far as somebody has played it, and what is *said* of that.

    *good* tells whether the last move was right, ``None`` before one; it ended on *mark*.
    """

    game: Game
    screen: Screen
    said: str
    good: bool | None
    solved: bool
    keys: Sequence[DoorKey]
    mark: Spot | None


@dataclass(frozen=True)
class Listed:
    """A table of the *game* that the reader finds, in words; *mine* says that they sit there.

    *open* says that anybody may sit down. *here* tells one that stands where the reader is from
    those that are open to all. *terms* are its *clock* and whether it counts, *rated* says that its
    game is to, if nothing speaks against it.
    """

    table: str
    game: str
    title: str
    who: str
    open: bool
    mine: bool
    here: bool = False
    terms: str = ""
    clock: str = ""
    rated: bool = False


@dataclass(frozen=True)
class Tempo:
    """A tempo to play at once: its *label*, and in words its clock and who waits."""

    key: str
    label: str
    said: str


@dataclass(frozen=True, kw_only=True)
class Lobby:
    """The list of tables open to all. Raises ``StorageError``."""

    tables: Tables
    people: People
    views: Views
    public_tables: PublicTables
    notes: ChatNotes
    places: Places
    clock: Clock
    store: Store
    to_play_now: TablesToPlayNow

    async def list(self, asker: Asker, where: Where, code: str, *, shown: bool) -> Phrase | None:
        """Let the table *code* be *shown* to all, or no longer; answers why *asker* may not."""
        found, me = await self.views.shown_in(where, code), await self.people.number(asker)
        if found is None or found[0].seat_of(me) is None:
            return phrase("web.no-list")
        await self._keep({code}, [code] if shown else [])
        if shown and play.may_sit(found[0]):
            self.to_play_now.listed(code)
        return None

    async def want(self, asker: Asker) -> None:
        """Tell *asker* once, as soon as anybody waits."""
        row = AlertRow((await self.people.of(asker)).id, PAGE, LOBBY, NOTIFY, self.clock.steady())
        await self.store.write(open_table_alerts.set_alert, row)

    async def take_wanting(self, code: str) -> Sequence[str]:
        """The guests to be told that somebody waits at the table *code*; they want no more then.

        Those who sit there, or barred who does, are left out.
        """
        now, sitting = self.clock.steady(), (await self.tables.get(code)).people()
        async with self.store.transaction() as tx:
            told = await open_table_alerts.take_alerts(tx, PAGE, LOBBY, NOTIFY, now, now)
            for one in told:
                await open_table_alerts.clear_alerts(tx, one, PAGE, LOBBY)
        wanted = [one for one in told if not await self.people.refuse(one, sitting - {one})]
        away = [one for one in wanted if one not in sitting]
        return [one.external for one in await self.people.askers(PAGE, *away)]

    async def _keep(self, gone: Collection[str], new: Sequence[str] = ()) -> None:
        """List the tables *new* behind those that are listed and not *gone*."""
        async with self.notes.noting() as notes:
            await _change_list(notes, gone, new)

    async def list_tables(self, asker: Asker | None, spoken: str) -> tuple[Listed, ...]:
        """The tables that *asker* finds in the language *spoken*, the newest first."""
        me = None if asker is None else await self.people.number(asker)
        codes = await self.notes.read(LOBBY, read_names) or []
        found = await self._lines(reversed(codes), me, spoken)
        gone = {*codes} - {one.table for one in found}
        if gone:
            await self._keep(gone)
        return tuple(found)

    async def find_waiting(self, asker: Asker, tempo: str, *, rated: bool) -> Sequence[Listed]:
        """The tables at *tempo* with a seat for *asker*, the one that waits longest first.

        If they wait at one themselves there are no others. *rated* leaves out games that can count
        no more, and its contrary those that are to count.
        """
        found = [o for o in await self.waiting(FALLBACK, asker) if o.clock == TEMPOS[tempo]]
        return [one for one in found if one.mine] or [one for one in found if one.rated == rated]

    async def waiting(self, spoken: str, asker: Asker | None = None) -> Sequence[Listed]:
        """The tables at which anybody may sit down, the one that waits longest first."""
        return [one for one in reversed(await self.list_tables(asker, spoken)) if one.open]

    def tempos(self, listed: Sequence[Listed], spoken: str) -> Sequence[Tempo]:
        """The tempos to play at once, in the language *spoken*, with who waits of *listed*."""
        tongue, found = language(spoken), []
        for key, clock in TEMPOS.items():
            names = [one.who for one in listed if one.open and not one.mine and one.clock == clock]
            told = [name_of(clock)]
            if names:
                told.append(phrase("web.door.waits", n=len(names), who=names[0]))
            said = " · ".join(map(tongue.say, told))
            found.append(Tempo(key, tongue.say(phrase(f"web.door.tempo.{key}")), said))
        if not any(one.open and not one.mine for one in listed):
            words = ("web.door.notify", "web.door.notify.when")
            found.append(Tempo(NOTIFY, *(tongue.say(phrase(key)) for key in words)))
        return found

    async def in_place(self, asker: Asker, where: Where, spoken: str) -> tuple[Listed, ...]:
        """The living tables of the place *where* and of its threads, for *asker* there."""
        me, parts = await self.people.number(asker), await self.places.with_threads(where)
        lines = [
            await self.tables.list_lines((PLAYING, OPEN), MOST_TABLES, where=one) for one in parts
        ]
        codes = dict.fromkeys(line.code for line in chain.from_iterable(lines))
        found = await self._lines(islice(codes, MOST_TABLES), me, spoken)
        return tuple(replace(one, here=True) for one in found)

    async def _lines(self, codes: Iterable[str], me: int | None, spoken: str) -> Sequence[Listed]:
        """The living tables among *codes* for the person *me*."""
        tables = [await self.tables.find(code) for code in codes]
        living = [one for one in tables if one is not None and one.status in (OPEN, PLAYING)]
        return [_line_of(one, me, language(spoken)) for one in living]

    async def elsewhere(self, asker: Asker, where: Where, spoken: str) -> tuple[Listed, ...]:
        """What *asker*, who is in *where*, finds in other places by the choice of all there.

        That is free seats among strangers, and games to be watched.
        """
        me = await self.people.number(asker)
        if me is None:
            return ()
        lines = await self.public_tables.find(me, where, AFAR)
        lines += await self.public_tables.list_watchable(me, WATCHED)
        return tuple(await self._lines([one.code for one in lines], me, spoken))

    async def put_away(self, asker: Asker, where: Where, code: str) -> bool:
        """Take a table off the page *where*, once it is over or *asker* only looks on."""
        found, me = await self.views.shown_in(where, code), await self.people.number(asker)
        if found is None:
            return False
        table, view = found
        if table.status not in (ENDED, CLOSED) and table.seat_of(me) is not None:
            return False
        await self.views.put_away(view)
        return True


@dataclass(frozen=True, kw_only=True)
class FrontDoor(Lobby):
    """Answers strangers, too. Raises ``StorageError``."""

    collection: PuzzleCollection
    tournaments: Tournaments
    boards: TournamentViews
    key: bytes

    async def puzzle(self, spoken: str, pressed: str = "") -> DoorPuzzle | None:
        """The move of the day after the button *pressed*, which may be any letters."""
        exercise = await self._today()
        if exercise is None:
            return None
        screens = PuzzleScreens(spoken, self.key, self.clock.now().toordinal())
        try:
            click = decode_click(pressed, self.key)
            if click.act is Action.PUZZLE and click.path[:1] == (exercise.code,):
                return self._after(screens, exercise, click.turn, click.path[1:])
        except (ForgedClick, RuleError):
            pass
        return self._after(screens, exercise, 0, ())

    def _after(
        self, screens: PuzzleScreens, exercise: Exercise, state: int, path: Sequence[str]
    ) -> DoorPuzzle:
        """The puzzle at *state* after the pressed steps of *path*."""
        before = self._board(screens, exercise, state, known_at(exercise, state))
        tried = chosen_answer(exercise, state, path) if path else None
        if not isinstance(tried, Tried):
            return self._tell(screens, before, path)
        if tried.then is None:
            said = screens.say("web.door.not-it", move=tried.spoken)
            return replace(self._tell(screens, before, (), path[-1]), said=said, good=False)
        if tried.then.is_solved:
            board = self._board(screens, exercise, state, tried.then)
            screen = board.standing(screens.asking(before).headline, (), ())
            found = self._tell(screens, board, (), path[-1], screen)
            return replace(found, said=screens.say("web.door.solved"), good=True, solved=True)
        board = self._board(screens, exercise, tried.next_state, tried.then)
        said = screens.say("school.right-so-far", why=board.last_reply())
        return replace(self._tell(screens, board, ()), said=said, good=True)

    def _board(
        self, screens: PuzzleScreens, exercise: Exercise, state: int, known: LessonState
    ) -> ExerciseBoard:
        viewer = Viewer(language=screens.language)
        return ExerciseBoard(exercise, state, known, viewer, self.key, "")

    def _tell(
        self,
        screens: PuzzleScreens,
        board: ExerciseBoard,
        path: Sequence[str],
        end: str = "",
        over: Screen | None = None,
    ) -> DoorPuzzle:
        screen = over or screens.asking(board, path)
        drawn, scene, code = painter(board.exercise.game.key), screen.scene, board.exercise.code
        cells = {} if scene is None else {one.step: one for one in drawn.cells(scene)}
        spots = {} if scene is None else {one.step: one for one in drawn.spots(scene)}
        # The last row helps who has a page.
        keys = [
            DoorKey(one.label, one.tap or one.code, spots.get(one.step))
            for row in screen.rows[:-1]
            for one in row
            if one.style != "blank"
        ]
        if path:
            keys.append(DoorKey(screens.say("house.button.back"), board.own_code(code)))
        said = screen.lines[-1] if screen.lines else ""
        return DoorPuzzle(board.exercise.game, screen, said, None, False, keys, cells.get(end))

    async def offer_seat(self, asker: Asker, screen: Screen) -> Screen:
        """*screen* with a key to sit down, if somebody waits for what the sheet on it wishes.

        A wish without a clock is met at any. Whoever waits longest comes first.
        """
        sheet = screen.source
        if not isinstance(sheet, TableDraft) or sheet.against not in (COMPUTER, NOW):
            return screen
        me, wish = await self.people.number(asker) or NOBODY, (sheet.game, sheet.rated == "yes")
        for one in await self.waiting(screen.language, asker):
            same = (one.game, one.rated) == wish and sheet.clock in ("", one.clock) and not one.mine
            people = (await self.tables.get(one.table)).people() if same else ()
            if same and not await self.people.refuse(me, people):
                pages = PagePresenter(screen.language, self.key)
                said = pages.say("web.sit-with", who=one.who, terms=one.terms)
                sit = Button(said, pages.code(Action.JOIN, table=one.table), "good")
                return replace(screen, rows=((sit, *screen.rows[0]), *screen.rows[1:]))
        return screen

    async def likely_game(self, asker: Asker) -> str:
        """The game of the last table of *asker*, else that of today's puzzle."""
        me = await self.people.number(asker)
        lines = await self.tables.list_lines((PLAYING, OPEN, ENDED), 1, person=me or NOBODY)
        games = [one.game for one in lines if one.game in shelf()]
        games += [one.game.key for one in [await self._today()] if one]
        return [*games, *shelf()][0]

    async def _today(self) -> Exercise | None:
        return daily_exercise("", self.clock.now().toordinal(), await self.collection.by_game())

    def number(self) -> int:
        """The number of today in the calendar of puzzles."""
        return number_of(self.clock.now().toordinal())

    async def game_to_watch(self, spoken: str) -> Screen | None:
        """A game that is played and that all its players let anybody watch."""
        lines = await self.public_tables.list_watchable(NOBODY, 1)
        return await self.table(lines[0].code, spoken) if lines else None

    async def table(self, code: str, spoken: str) -> Screen | None:
        """The table *code* if all its players let anybody see it; ``None`` for any other."""
        table = await self.tables.find(code)
        sitting = [one.person for one in table.players if one.person] if table else []
        if table is None or not await self.public_tables.may_watch(code, sitting, NOBODY):
            return None
        screen = Composer(table, Viewer(language=spoken), self.key).board()
        return None if screen.scene is None else screen

    async def coming(self, platform: str, spoken: str) -> Sequence[TournamentScreens]:
        """The living tournaments of everybody on *platform*."""
        living = await self.tournaments.list_tournaments(Where(platform, ""), None, NOBODY)
        return [await self.boards.screens(one, spoken) for one in living]


async def _change_list(
    notes: NotesTransaction, gone: Collection[str], new: Sequence[str] = ()
) -> None:
    """List the tables *new* behind those that are listed and not *gone*."""
    kept = [one for one in await notes.read(LOBBY, read_names) or () if one not in gone]
    await notes.put(LOBBY, json.dumps([*kept, *new][-MOST_TABLES:]))


@dataclass(kw_only=True)
class TablesToPlayNow(Participant):
    """Lists each table of the page that is opened for whoever comes, in the same transaction."""

    only_new = True

    store: Store
    listed: Callable[[str], None] = lambda _: None
    """Called with the code of each table that is listed while somebody may sit down."""

    async def store_change(self, tx: Transaction, change: Change) -> None:
        """List the table that *change* opens."""
        if change.table.stand_in and change.update.platform == PAGE:
            await _change_list(NotesTransaction(tx, self.store.cluster), (), [change.table.code])

    def after_commit(self, change: Change) -> None:
        """Tell of the table that is listed now."""
        if change.table.stand_in and change.update.platform == PAGE:
            self.listed(change.table.code)


def _line_of(table: Table, me: int | None, tongue: Language) -> Listed:
    game, mine = table.game.key, table.seat_of(me) is not None
    names = player_names(game, table.players, tongue)
    is_open = table.status == OPEN or play.may_sit(table)
    seated = [one.is_seated and bool(one.person or not is_open) for one in table.players]
    sit = ", ".join(names[seat] for seat, sits in enumerate(seated) if sits)
    title = tongue.say(phrase(f"{game}.name"))
    told = [name_of(table.control), phrase(rated_key(rated=may_count(table)))]
    told += [phrase(f"{game}.side.{one.side}") for one in table.players if one.side]
    terms = " · ".join(map(tongue.say, told))
    counts = table.status == OPEN and bool(table.rated or table.casual)
    of = (table.code, game, title, sit, is_open, mine)
    return Listed(*of, terms=terms, clock=table.control, rated=counts)


def board_shape(scene: Scene) -> tuple[float, float, float]:
    """Top and bottom of the board in the picture of *scene*, in parts, and its height by width."""
    top, bottom = rows_between(bars_of(scene))
    return top, bottom, (bottom - top) * getattr(painter(scene.game), "HEIGHT", WIDTH) / WIDTH


@lru_cache(FIGURES)
def public_rules(game: str, code: str) -> RulesBook:
    """The rules of the game with this key, in the language *code*; raises ``UnknownGame``."""
    return rules_book(find_game(game), code)


@lru_cache(FIGURES)
def rules_picture(game: str, name: str, theme: str, code: str) -> bytes | None:
    """The figure or the sign with this *name* in the rules of *game*, as a PNG file."""
    book = public_rules(game, code)
    if any(name in one.faces for one in book.signs):
        return face_picture(game, name)
    told = any(name == part.figure for one in book.chapters for part in one.parts)
    return figure_file(find_game(game), name, theme, code) if told else None


async def door_picture(scene: Scene, theme: str, width: int) -> bytes:
    """The board of *scene* without its bars, *width* pixels wide, as a WebP file."""

    def paint_board() -> bytes:
        dressed = replace(scene, theme=themed(scene.game, theme, ""))
        whole, file, (top, bottom, _) = paint(dressed), BytesIO(), board_shape(scene)
        box = (0, round(top * whole.height), whole.width, round(bottom * whole.height))
        sized(whole.crop(box), width).convert("RGB").save(file, "WEBP", lossless=True)
        return file.getvalue()

    return await asyncio.to_thread(paint_board)
