"""What a command does: each of ``bot.screen.commands`` and its answer to the asker."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from bot.acts.completion import Asked, suggestions
from bot.acts.finding import Called, Finder
from bot.acts.openings import Openings, read_wish
from bot.outbox.views import Views
from bot.port import Answer, Call, Suggestion
from bot.screen.commands import BY_NAME, COMMANDS, Kind, find_command
from bot.screen.composer import Composer
from bot.screen.papers import record_answer, rules_answer, verify_answer
from bot.screen.viewers import Viewer
from bot.table import play
from bot.table.manager import Manager
from bot.table.origin import SeenBefore
from bot.table.play import Pen, Refused, what_happened
from bot.table.table import CLOSED, ENDED, OPEN, PLAYING, Player, Table
from bot.texts import LANGUAGES, language
from games.core import (
    NotYourTurn,
    Phrase,
    RuleError,
    Seat,
    Who,
    phrase,
    read_aside,
    read_moves,
)
from games.core.shelf import find_game, shelf

IDLE = timedelta(days=7)
"""After how long without a move anybody of the place may close a table."""

Handler = Callable[["Calls", Called], Awaitable[Answer]]


@dataclass
class Calls:
    """Handles commands for every chat."""

    manager: Manager
    views: Views
    openings: Openings
    finder: Finder

    async def call(self, call: Call) -> Answer:
        """Do what a command says, and answer in the asker's language. Never raises."""
        person = await self.manager.person(call.asker)
        code = await self.manager.language_of(call.where, person, call.asker)
        called = Called(call, person, code)
        handler = HANDLERS.get(call.name)
        if handler is None:
            return Answer(called.tongue.say(phrase("house.no-command")), good=False)
        missing = [
            parameter
            for parameter in BY_NAME[call.name].parameters
            if parameter.required and not called.value(parameter.name)
        ]
        if missing:
            shown = BY_NAME[call.name].parameter_help(missing[0], code)
            return Answer(called.tongue.say(phrase("house.missing", what=shown)), good=False)
        try:
            return await handler(self, called)
        except SeenBefore:
            return Answer()
        except RuleError as refused:
            return Answer(called.tongue.say(refused.phrase), good=False)

    async def suggest(self, call: Call, parameter: str, text: str) -> tuple[Suggestion, ...]:
        """Completions of *parameter* of a command that is being typed."""
        command = BY_NAME.get(call.name)
        kinds = {p.name: p.kind for p in command.parameters} if command is not None else {}
        if command is None or parameter not in kinds:
            return ()
        person = await self.manager.person(call.asker)
        code = await self.manager.language_of(call.where, person, call.asker)
        called = Called(call, person, code)
        tables: list[Table] = []
        if kinds[parameter] in (Kind.MOVE, Kind.TABLE):
            tables = await self.finder.likely(called, (PLAYING, OPEN, ENDED))
        values = dict(call.values)
        asked = Asked(command, kinds[parameter], text, values, tuple(tables), person.id, code)
        return suggestions(asked)

    def _seat(self, called: Called, table: Table) -> Seat:
        seat = table.seat_of(called.person.id)
        if seat is None:
            raise Refused(phrase("house.not-seated"))
        return seat

    def _said(self, called: Called, table: Table, said: Phrase) -> Answer:
        return Answer(Composer(table, Viewer(language=called.language), b"").say(said))

    async def _change(
        self, called: Called, table: Table, decide: Callable[[Pen], Any]
    ) -> tuple[Table, Any]:
        table, result, _ = await self.manager.change(called.origin, table.code, decide)
        return table, result

    # ---------------------------------------------------------------- opening and joining

    async def _play(self, called: Called) -> Answer:
        call = called.call
        guest = call.people.get("opponent")
        wish = read_wish(call.values, mentioned=guest is not None)
        table = await self.openings.open(called.origin, wish, called.person, guest, call)
        view = await self.views.of(table, call.where)
        key = "house.opened" if table.status == OPEN else "house.begun"
        said = called.tongue.say(phrase(key, game=_name(table), code=table.code))
        return Answer(said, private=False, view=view.id if view is not None else None)

    async def _join(self, called: Called) -> Answer:
        table = await self.finder.meant(called, (OPEN, PLAYING))
        person = called.person

        def decide(pen: Pen) -> bool:
            table = pen.table
            invited = any(p.invited for p in table.players)
            if table.status != OPEN or table.seat_of(person.id) is not None or invited:
                return False
            play.sit(pen, Player(person.id, person.name))
            play.start_if_full(pen)
            return True

        table, sat = await self._change(called, table, decide)
        view = await self.views.ensure(
            table, called.call.where, person, called.language, called.call.token
        )
        key = "house.joined" if sat else "house.watching"
        if table.seat_of(person.id) is not None and not sat:
            key = "house.your-table"
        answer = self._said(called, table, phrase(key))
        return Answer(answer.said, private=False, view=view)

    async def _leave(self, called: Called) -> Answer:
        table = await self.finder.meant(called, (OPEN, PLAYING))

        def decide(pen: Pen) -> None:
            if pen.table.status == OPEN:
                play.stand_up(pen, called.person.id)
            else:
                play.resign(pen, self._seat(called, pen.table))

        table, _ = await self._change(called, table, decide)
        return self._said(called, table, phrase("house.left"))

    async def _close(self, called: Called) -> Answer:
        table = await self.finder.meant(called, (OPEN, PLAYING))
        here = await self.manager.tables_in(called.call.where, (OPEN, PLAYING))
        if table.code not in {one.code for one in here}:
            raise Refused(phrase("house.close-elsewhere"))

        def decide(pen: Pen) -> None:
            idle = pen.now - pen.table.touched
            host = pen.table.status == OPEN and pen.table.host == called.person.id
            if pen.table.status in (ENDED, CLOSED):
                raise Refused(phrase("house.over"))
            if idle < IDLE and not host:
                raise Refused(phrase("house.not-idle", n=IDLE.days))
            play.close(pen, "cancelled" if host else "idle")

        table, _ = await self._change(called, table, decide)
        return self._said(called, table, phrase("house.table-closed", code=table.code))

    # ---------------------------------------------------------------- playing

    async def _move(self, called: Called) -> Answer:
        table = await self.finder.meant(called, (PLAYING,), to_move=True)
        text = called.value("move")

        def decide(pen: Pen) -> Phrase:
            seat = self._seat(called, pen.table)
            discreet = self._ear(called, pen.table, seat) == seat
            if not discreet and len(pen.table.actors()) > 1:
                # What is typed here would be read by those from whom it is hidden.
                raise Refused(phrase("house.in-private"))
            self._typed(pen, seat, text)
            return what_happened(pen, seat if discreet else None)

        table, happened = await self._change(called, table, decide)
        return self._said(called, table, happened)

    def _ear(self, called: Called, table: Table, seat: Seat | None) -> Seat | None:
        """As whom the answer may speak: as the asker where nobody else reads it."""
        discreet = called.call.whispered or called.call.where.private
        if seat is not None and not discreet and table.hides_from_others(seat):
            return None
        return seat

    def _typed(self, pen: Pen, seat: Seat, text: str) -> None:
        """Play what was typed: a move, a line of moves, an aside, or what an error costs."""
        table = pen.table
        if table.status != PLAYING:
            raise Refused(phrase("house.over" if table.status == ENDED else "house.not-playing"))
        position = table.present
        if seat in position.actors():
            try:
                moves = read_moves(position, seat, text)
            except RuleError:
                cost = position.penalty(seat, text)
                if cost is None:
                    self._typed_aside(pen, seat, text)
                    return
                moves = (cost,)
            play.move(pen, seat, moves)
            return
        self._typed_aside(pen, seat, text)

    def _typed_aside(self, pen: Pen, seat: Seat, text: str) -> None:
        """Say the aside that was typed, else raise why the move is not legal."""
        position = pen.table.present
        try:
            aside = read_aside(position, seat, text)
        except RuleError:
            if seat not in position.actors():
                raise NotYourTurn(seat) from None
            read_moves(position, seat, text)
            raise
        play.say_aside(pen, seat, aside)

    async def _why(self, called: Called) -> Answer:
        table = await self.finder.meant(called, (PLAYING,), to_move=True)
        seat = self._seat(called, table)
        text = called.value("move")
        position = table.present.seen_by(seat)
        if seat not in position.actors():
            raise NotYourTurn(seat)
        if self._ear(called, table, seat) != seat:
            raise Refused(phrase("house.in-private"))
        try:
            moves = read_moves(position, seat, text)
        except RuleError as refused:
            answer = self._said(called, table, refused.phrase)
            rule = getattr(getattr(refused, "refusal", None), "rule", "")
            return Answer(f"{answer.said} ({rule})" if rule else answer.said)
        return self._said(called, table, phrase("house.legal", what=position.spoken(moves[0])))

    async def _resign(self, called: Called) -> Answer:
        table = await self.finder.meant(called, (PLAYING,))

        def decide(pen: Pen) -> None:
            play.resign(pen, self._seat(called, pen.table))

        table, _ = await self._change(called, table, decide)
        return self._said(called, table, phrase("house.resigned"))

    async def _draw(self, called: Called) -> Answer:
        return await self._offer(called, "draw")

    async def _undo(self, called: Called) -> Answer:
        return await self._offer(called, "undo")

    async def _offer(self, called: Called, kind: str) -> Answer:
        table = await self.finder.meant(called, (PLAYING,))

        def decide(pen: Pen) -> bool:
            seat = self._seat(called, pen.table)
            standing = pen.table.offered(kind)
            if standing is not None and standing.seat != seat:
                play.answer(pen, seat, kind, accepted=True)
                return True
            return play.offer(pen, seat, kind)

        table, at_once = await self._change(called, table, decide)
        key = f"house.offer-done.{kind}" if at_once else f"house.offer-made.{kind}"
        return self._said(called, table, phrase(key))

    async def _rematch(self, called: Called) -> Answer:
        table = await self.finder.meant(called, (ENDED,))
        child = await self.openings.rematch(called.origin, table.code, called.person)
        key = "house.rematch.offered" if child is None else "house.rematch.begun"
        return Answer(called.tongue.say(phrase(key)))

    async def _words(self, called: Called) -> Answer:
        table = await self.finder.meant(called, (OPEN,))

        def decide(pen: Pen) -> None:
            play.say_words(pen, called.person.id, called.value("text"))

        table, _ = await self._change(called, table, decide)
        return self._said(called, table, phrase("house.words-added", words=table.words))

    # ---------------------------------------------------------------- looking

    async def _board(self, called: Called) -> Answer:
        table = await self.finder.meant(called, (PLAYING, OPEN, ENDED))
        form = called.value("form")
        seat = table.seat_of(called.person.id) if called.call.where.private else None
        if form:
            viewer = Viewer(seat, called.language, personal=called.call.where.private)
            composer = Composer(table, viewer, self.manager.key)
            screen = composer.board()
            text = [screen.headline, *composer.description()]
            if table.position is not None:
                text.append(table.present.seen_by(seat).text())
            return Answer("\n".join(text), private=False)
        where = called.call.where
        place = await self.manager.language_of(
            where, called.person if where.private else None, None
        )
        view = await self.views.post(table, where, called.person, place, called.call.token)
        return Answer(private=False, view=view)

    async def _games(self, called: Called) -> Answer:
        tables = await self.manager.tables_of(called.person.id, (PLAYING, OPEN))
        if not tables:
            return Answer(called.tongue.say(phrase("house.no-games")))
        lines = []
        for table in tables[:20]:
            composer = Composer(table, Viewer(language=called.language), self.manager.key)
            mine = table.seat_of(called.person.id) in table.actors()
            key = "house.game-line.yours" if mine else "house.game-line"
            others: tuple[Who, ...] = tuple(
                Who(n) for n, p in enumerate(table.players) if p.person != called.person.id
            )
            said = phrase(key, code=table.code, game=_name(table), who=others)
            lines.append(composer.say(said))
        return Answer("\n".join(lines))

    async def _record(self, called: Called) -> Answer:
        table = await self.finder.meant(called, (PLAYING, ENDED))
        return record_answer(table, called.language)

    async def _verify(self, called: Called) -> Answer:
        table = await self.finder.meant(called, (ENDED, PLAYING))
        return verify_answer(table, called.language)

    async def _rules(self, called: Called) -> Answer:
        if called.value("game"):
            game = find_game(called.value("game"))
        elif len(shelf()) == 1:
            (game,) = shelf().values()
        else:
            try:
                game = (await self.finder.meant(called, (PLAYING, OPEN, ENDED))).game
            except RuleError:
                known = tuple(phrase(f"{key}.name") for key in shelf())
                return Answer(called.tongue.say(phrase("house.rules-of-which", games=known)))
        return rules_answer(game, called.language, 0, self.manager.key)

    async def _language(self, called: Called) -> Answer:
        wanted = called.value("language").lower()
        spoken = {
            word.lower(): code
            for code in LANGUAGES
            for word in (code, language(code).say(phrase("house.language")))
        }
        if wanted not in spoken:
            known = tuple(language(code).say(phrase("house.language")) for code in LANGUAGES)
            raise Refused(phrase("house.no-language", text=wanted[:32], known=known))
        code = spoken[wanted]
        await self.manager.set_language(called.call.where, called.person, code)
        await self.views.speak(called.call.where, code)
        return Answer(language(code).say(phrase("house.language-set")))

    async def _help(self, called: Called) -> Answer:
        code = called.language
        if wanted := called.value("command"):
            command = find_command(wanted)
            if command is None:
                raise Refused(phrase("house.no-command"))
            lines = [f"/{command.name_in(code)}: {command.help_in(code)}"]
            lines += [
                f"{command.parameter_in(p, code)}: {command.parameter_help(p, code)}"
                for p in command.parameters
            ]
            return Answer("\n".join(lines))
        lines = [called.tongue.say(phrase("house.help"))]
        lines += [f"/{command.name_in(code)}: {command.help_in(code)}" for command in COMMANDS]
        return Answer("\n".join(lines))


def _name(table: Table) -> Phrase:
    return phrase(f"{table.game.key}.name")


HANDLERS: Mapping[str, Handler] = {
    "play": Calls._play,
    "move": Calls._move,
    "board": Calls._board,
    "games": Calls._games,
    "join": Calls._join,
    "leave": Calls._leave,
    "resign": Calls._resign,
    "draw": Calls._draw,
    "undo": Calls._undo,
    "rematch": Calls._rematch,
    "close": Calls._close,
    "rules": Calls._rules,
    "why": Calls._why,
    "words": Calls._words,
    "record": Calls._record,
    "verify": Calls._verify,
    "language": Calls._language,
    "help": Calls._help,
}
"""What each command does."""
