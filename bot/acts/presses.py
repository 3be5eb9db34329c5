"""What a pressed button does: each verb of ``bot.screen.buttons`` and its answer to the presser."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from bot.acts.openings import Openings
from bot.outbox.views import Views, viewer_of
from bot.port import Answer, Asker, Press, Screen
from bot.screen.buttons import Click, ForgedClick, decode
from bot.screen.composer import Composer
from bot.screen.papers import NO_TABLE, record_answer, rules_answer
from bot.screen.viewers import Viewer
from bot.table import play
from bot.table.manager import Manager
from bot.table.origin import Origin, SeenBefore
from bot.table.play import Pen, Refused, what_happened
from bot.table.table import ENDED, OPEN, PLAYING, Player, Table
from bot.texts import language
from games.core import Menu, NotYourTurn, Phrase, RuleError, Seat, phrase, pick
from games.core.picker import pick_among
from games.core.shelf import find_game
from render.kit import Gallery
from storage.records import PersonRow, ViewRow


@dataclass
class Pressed:
    """A press with everything known of it: who, where, in which language, on which view."""

    press: Press
    click: Click
    person: PersonRow
    language: str
    views: Views
    _view: ViewRow | None = None
    _looked: bool = False

    @property
    def origin(self) -> Origin:
        """The update as the inbox knows it, and the message that was pressed."""
        press = self.press
        return Origin(
            press.where.platform, press.update, press.where.place, press.message, press.token
        )

    async def view(self) -> ViewRow | None:
        """The view that was pressed, if it shows the button's table; looked up once."""
        if not self._looked:
            found = await self.views.pressed(self.origin)
            self._found((found,) if found is not None else ())
        return self._view

    def changed(self, views: Sequence[ViewRow]) -> None:
        """Every view of the button's table is among *views*, so none must be looked up."""
        self._found(views)

    def _found(self, views: Sequence[ViewRow]) -> None:
        here = (self.press.where.platform, self.press.where.place, self.press.message)
        self._looked, self._view = True, None
        for view in views:
            if view.game == self.click.table and (view.platform, view.place, view.message) == here:
                self._view = view


Handler = Callable[["Presses", Pressed], Awaitable[Answer]]


@dataclass
class Presses:
    """Handles presses for every chat."""

    manager: Manager
    views: Views
    openings: Openings
    gallery: Gallery

    async def press(self, press: Press) -> Answer:
        """Do what a button says, and answer the presser in his language. Never raises."""
        person = await self.manager.person(press.asker)
        code = await self.manager.language_of(press.where, person, press.asker)
        try:
            click = decode(press.code, self.manager.key)
        except ForgedClick:
            return Answer(language(code).say(phrase("house.forged")), good=False)
        pressed = Pressed(press, click, person, code, self.views)
        try:
            return await VERBS[click.verb](self, pressed)
        except SeenBefore:
            return Answer()
        except KeyError:
            return Answer(language(code).say(phrase("house.forged")), good=False)
        except RuleError as refused:
            return await self._refused(pressed, refused.phrase)

    async def _refused(self, pressed: Pressed, why: Phrase) -> Answer:
        """A polite no to the presser alone; a stale board is shown again as it is now."""
        view = await pressed.view()
        if view is not None:
            await self.views.show_again(view)
        try:
            table = await self.manager.table(pressed.click.table)
        except RuleError:
            return Answer(language(pressed.language).say(why), good=False)
        composer = Composer(table, Viewer(language=pressed.language), self.manager.key)
        return Answer(composer.say(why), good=False)

    # ---------------------------------------------------------------- helpers

    async def _viewer(self, pressed: Pressed, table: Table) -> Viewer:
        """Whoever looks at the pressed message: its view, else the presser, if it is his own."""
        view = await pressed.view()
        if view is not None:
            return viewer_of(view, table)
        if not (pressed.press.own or pressed.press.where.private):
            # A board that was given up or never noted: everybody sees it still.
            return Viewer(language=pressed.language)
        seat = table.seat_of(pressed.person.id)
        return Viewer(seat, pressed.language, personal=True)

    def _seat(self, pressed: Pressed, table: Table) -> Seat:
        seat = table.seat_of(pressed.person.id)
        if seat is None:
            raise Refused(phrase("house.not-seated"))
        return seat

    def _ear(self, pressed: Pressed, table: Table, seat: Seat | None) -> Seat | None:
        """As whom the answer may speak: as the presser where nobody else reads it."""
        discreet = pressed.press.whispered or pressed.press.where.private
        if seat is not None and not discreet and table.hides_from_others(seat):
            return None
        return seat

    def _playing_seat(self, pressed: Pressed, table: Table) -> Seat:
        """The presser's seat, if he may act now and the button is of this turn."""
        seat = self._seat(pressed, table)
        if table.status != PLAYING:
            raise Refused(phrase("house.over" if table.status == ENDED else "house.not-playing"))
        if seat not in table.actors():
            raise NotYourTurn(seat)
        if pressed.click.turn != table.turns[seat]:
            raise Refused(phrase("house.stale"))
        return seat

    async def _done(self, pressed: Pressed, table: Table, said: Phrase) -> Answer:
        """What was done; a message that no view knows is brought up to date by the answer."""
        composer = Composer(table, Viewer(language=pressed.language), self.manager.key)
        view = await pressed.view()
        if view is not None or pressed.press.message is None:
            return Answer(composer.say(said), on_board=view is not None)
        screen = (await self._composer(pressed, table)).board()
        return Answer(
            composer.say(said), screen=screen, menu=True, picture=await self._painted(screen)
        )

    async def _painted(self, screen: Screen) -> bytes | None:
        """The picture of *screen*, painted off the event loop."""
        if screen.scene is None:
            return None
        return await asyncio.to_thread(self.gallery.picture, screen.scene)

    def _menu(self, screen: Screen) -> Answer:
        return Answer(screen=screen, menu=True)

    async def _composer(self, pressed: Pressed, table: Table) -> Composer:
        return Composer(table, await self._viewer(pressed, table), self.manager.key)

    # ---------------------------------------------------------------- the game

    async def _move(self, pressed: Pressed) -> Answer:
        table = await self.manager.table(pressed.click.table)
        seat = self._playing_seat(pressed, table)
        found = pick(table.present, seat, pressed.click.path)
        if isinstance(found, Menu):
            return self._menu((await self._composer(pressed, table)).board(pressed.click.path))

        def decide(pen: Pen) -> Phrase:
            seat = self._playing_seat(pressed, pen.table)
            move = pick(pen.table.present, seat, pressed.click.path)
            play.move(pen, seat, (move,))
            return what_happened(pen, self._ear(pressed, pen.table, seat))

        table, happened = await self._change(pressed, decide)
        return await self._done(pressed, table, happened)

    async def _aside(self, pressed: Pressed) -> Answer:
        def decide(pen: Pen) -> Phrase:
            table = pen.table
            seat = self._seat(pressed, table)
            if pressed.click.turn != max(table.turns):
                raise Refused(phrase("house.stale"))
            said = pick_among(table.present, tuple(table.present.asides(seat)), pressed.click.path)
            if isinstance(said, Menu):
                raise Refused(phrase("house.stale"))
            play.say_aside(pen, seat, said)
            return what_happened(pen, self._ear(pressed, pen.table, seat))

        table, happened = await self._change(pressed, decide)
        return await self._done(pressed, table, happened)

    async def _resign(self, pressed: Pressed) -> Answer:
        table = await self.manager.table(pressed.click.table)
        self._seat(pressed, table)
        if pressed.click.path != ("yes",):
            leaving = len(table.players) > 2
            question = "house.sure.leave" if leaving else "house.sure.resign"
            composer = await self._composer(pressed, table)
            yes = phrase("house.button.sure")
            return self._menu(composer.confirm("r", phrase(question), yes))

        def decide(pen: Pen) -> None:
            play.resign(pen, self._seat(pressed, pen.table))

        table, _ = await self._change(pressed, decide)
        return await self._done(pressed, table, phrase("house.resigned"))

    async def _offer(self, pressed: Pressed) -> Answer:
        kind = pressed.click.path[0] if pressed.click.path else ""
        if kind not in ("draw", "undo"):
            raise Refused(phrase("house.forged"))

        def decide(pen: Pen) -> bool:
            return play.offer(pen, self._seat(pressed, pen.table), kind)

        table, at_once = await self._change(pressed, decide)
        key = f"house.offer-done.{kind}" if at_once else f"house.offer-made.{kind}"
        return await self._done(pressed, table, phrase(key))

    async def _answer(self, pressed: Pressed) -> Answer:
        kind, _, word = ",".join(pressed.click.path).partition(",")
        accepted = word == "yes"
        if kind == "rematch" and accepted:
            return await self._rematch(pressed)

        def decide(pen: Pen) -> None:
            play.answer(pen, self._seat(pressed, pen.table), kind, accepted=accepted)

        table, _ = await self._change(pressed, decide)
        key = "house.answered.yes" if accepted else "house.answered.no"
        return await self._done(pressed, table, phrase(key))

    async def _rematch(self, pressed: Pressed) -> Answer:
        table = await self.openings.rematch(pressed.origin, pressed.click.table, pressed.person)
        key = "house.rematch.offered" if table is None else "house.rematch.begun"
        said = language(pressed.language).say(phrase(key))
        return Answer(said, on_board=await pressed.view() is not None)

    # ---------------------------------------------------------------- the invitation

    async def _join(self, pressed: Pressed) -> Answer:
        side = pressed.click.path[0] if pressed.click.path else None

        def decide(pen: Pen) -> None:
            table, person = pen.table, pressed.person
            chair = table.seat_of(person.id)
            invited = [n for n, p in enumerate(table.players) if p.invited]
            if chair is None and invited:
                chair = _claimed(table, pressed.press.asker)
                if chair is None:
                    raise Refused(phrase("house.not-invited"))
            if chair is not None and table.players[chair].seated and side is None:
                raise Refused(phrase("house.sitting-already"))
            play.sit(pen, Player(person.id, person.name, side=side), chair)
            play.start_if_full(pen)

        table, _ = await self._change(pressed, decide)
        where, token = pressed.press.where, pressed.press.token
        code = await self.manager.language_of(where, None, pressed.press.asker)
        view = await self.views.ensure(table, where, pressed.person, code, token)
        answer = await self._done(pressed, table, phrase("house.joined"))
        return replace(answer, view=view)

    async def _computer(self, pressed: Pressed) -> Answer:
        def decide(pen: Pen) -> None:
            self._host_or_seated(pressed, pen.table)
            level = int(pressed.click.path[0]) if pressed.click.path else 2
            play.sit(pen, Player(level=min(level, pen.table.game.levels)))
            play.start_if_full(pen)

        table, _ = await self._change(pressed, decide)
        return await self._done(pressed, table, phrase("house.computer-joined"))

    async def _start(self, pressed: Pressed) -> Answer:
        def decide(pen: Pen) -> None:
            self._host_or_seated(pressed, pen.table)
            play.start(pen)

        table, _ = await self._change(pressed, decide)
        return await self._done(pressed, table, phrase("house.started"))

    async def _cancel(self, pressed: Pressed) -> Answer:
        def decide(pen: Pen) -> None:
            play.stand_up(pen, pressed.person.id)

        table, _ = await self._change(pressed, decide)
        return await self._done(pressed, table, phrase("house.left"))

    def _host_or_seated(self, pressed: Pressed, table: Table) -> None:
        if pressed.person.id != table.host and table.seat_of(pressed.person.id) is None:
            raise Refused(phrase("house.not-seated"))

    # ---------------------------------------------------------------- looking

    async def _back(self, pressed: Pressed) -> Answer:
        table = await self.manager.table(pressed.click.table)
        return self._menu((await self._composer(pressed, table)).board())

    async def _more(self, pressed: Pressed) -> Answer:
        table = await self.manager.table(pressed.click.table)
        seat = self._seat(pressed, table)
        return self._menu((await self._composer(pressed, table)).more(seat))

    async def _words(self, pressed: Pressed) -> Answer:
        table = await self.manager.table(pressed.click.table)
        seat = self._ear(pressed, table, table.seat_of(pressed.person.id))
        viewer = Viewer(seat, pressed.language, personal=True)
        composer = Composer(table, viewer, self.manager.key)
        said = composer.description() or (composer.board().headline,)
        return Answer("\n".join(said))

    async def _mine(self, pressed: Pressed) -> Answer:
        table = await self.manager.table(pressed.click.table)
        seat = self._seat(pressed, table)
        viewer = Viewer(seat, pressed.language, personal=True)
        screen = Composer(table, viewer, self.manager.key).board()
        return Answer(screen=screen, picture=await self._painted(screen), visit=table.code)

    async def _flip(self, pressed: Pressed) -> Answer:
        table = await self.manager.table(pressed.click.table)
        view = await pressed.view()
        if view is None or table.status == OPEN:
            raise Refused(phrase("house.cannot-flip"))
        await self.views.flip(view, table)
        return await self._done(pressed, table, phrase("house.flipped"))

    async def _rules(self, pressed: Pressed) -> Answer:
        if pressed.click.table != NO_TABLE:
            table = await self.manager.table(pressed.click.table)
            return rules_answer(table.game, pressed.language, 0, self.manager.key)
        key, _, page = ",".join(pressed.click.path).partition(",")
        answer = rules_answer(find_game(key), pressed.language, _page(page), self.manager.key)
        return replace(answer, menu=True)

    async def _record(self, pressed: Pressed) -> Answer:
        table = await self.manager.table(pressed.click.table)
        return record_answer(table, pressed.language)

    async def _change(self, pressed: Pressed, decide: Callable[[Pen], Any]) -> tuple[Table, Any]:
        table, result, views = await self.manager.change(
            pressed.origin, pressed.click.table, decide
        )
        if views:
            pressed.changed(views)
        return table, result


VERBS: Mapping[str, Handler] = {
    "m": Presses._move,
    "y": Presses._aside,
    "r": Presses._resign,
    "o": Presses._offer,
    "t": Presses._answer,
    "n": Presses._rematch,
    "j": Presses._join,
    "c": Presses._computer,
    "g": Presses._start,
    "x": Presses._cancel,
    "b": Presses._back,
    "z": Presses._more,
    "w": Presses._words,
    "v": Presses._mine,
    "f": Presses._flip,
    "i": Presses._rules,
    "e": Presses._record,
}
"""What each verb on a button does."""


def _claimed(table: Table, asker: Asker) -> Seat | None:
    """The chair kept for whoever bears the @name that *asker* bears."""
    wanted = f"@{asker.handle or ''}".casefold()
    for chair, player in enumerate(table.players):
        if player.invited and player.person is None and player.name.casefold() == wanted:
            return chair
    return None


def _page(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() else 0
