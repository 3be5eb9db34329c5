"""How a table comes to be: a wish read from words, an invitation, a rematch."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, replace

from bot.outbox.views import Views
from bot.port import Asker, Call, Where
from bot.table import play
from bot.table.manager import Manager
from bot.table.origin import Origin
from bot.table.play import Pen, Refused
from bot.table.table import ENDED, Player, Table
from bot.texts import LANGUAGES, language
from games.core import Game, Phrase, folded, phrase
from games.core.game import LOT, ROLLS
from games.core.shelf import find_game
from storage import views as stored
from storage.records import PersonRow

DEFAULT_LEVEL = 2


@dataclass(frozen=True)
class Wish:
    """What somebody wants to play: every word of ``/play`` understood."""

    game: Game
    options: Mapping[str, str]
    begins: str
    seats: int
    side: str | None
    level: int
    against_computer: bool
    named: str | None
    """The @name of an opponent whom the platform did not tell us the id of."""


def read_wish(values: Mapping[str, str], *, mentioned: bool) -> Wish:
    """The wish that the values of ``/play`` say.

    Raises a ``RuleError`` with one sentence for an unknown game, option, level, side …
    """
    game = find_game(values.get("game", ""))
    opponent = values.get("opponent", "").strip()
    computer = _says(opponent, "house.word.computer")
    anyone = not opponent or _says(opponent, "house.word.anyone")
    named = None
    if not (mentioned or computer or anyone):
        if not opponent.startswith("@") or len(opponent) < 2:
            raise Refused(phrase("house.bad-opponent", text=opponent[:32]))
        named = play.cleaned(opponent)
    level = values.get("level", "").strip()
    if level and not (level.isascii() and level.isdigit() and 1 <= int(level) <= game.levels):
        raise Refused(phrase("house.bad-level", n=game.levels))
    seats = values.get("seats", "").strip()
    if seats and not (seats.isascii() and seats.isdigit()):
        raise play.Refused(phrase("core.bad-seats", few=min(game.seats), many=max(game.seats)))
    # Whoever comes may sit down: an open invitation has every chair, and starts when enough sit.
    open_to_all = anyone and not mentioned and not level
    number = int(seats[:4]) if seats else (max if open_to_all else min)(game.seats)
    game.sides_for(number)
    side = values.get("side", "").strip()
    begins = values.get("begins", "").strip()
    return Wish(
        game=game,
        options=_options(game, values.get("options", "")),
        begins=_begins(game, begins) if begins else "",
        seats=number,
        side=_side(game, side) if side else None,
        level=int(level) if level else min(DEFAULT_LEVEL, game.levels),
        against_computer=computer or bool(level and anyone),
        named=named,
    )


def _says(text: str, key: str) -> bool:
    """Whether *text* is one of the words, separated by blanks, that *key* lists."""
    return any(
        folded(text) in map(folded, language(code).say(phrase(key)).split()) for code in LANGUAGES
    )


def _options(game: Game, text: str) -> dict[str, str]:
    """``key=value`` pairs, keys and values in ASCII or as the catalogues label them."""
    wishes = {}
    for word in text.replace(";", " ").split():
        key, mark, value = word.partition("=")
        if not mark:
            raise Refused(phrase("house.bad-option-form", text=word[:40]))
        wishes[key.strip()] = value.strip()
    return game.chosen(wishes)


def _labelled(keys: Mapping[str, str], text: str) -> str | None:
    """The value whose own name, or whose label in a language, is *text*."""
    for value, key in keys.items():
        labels = (language(code).say(phrase(key)) for code in LANGUAGES)
        if folded(text) in (folded(value), *map(folded, labels)):
            return value
    return None


def _side(game: Game, text: str) -> str:
    found = _labelled({side: f"{game.key}.side.{side}" for side in game.sides}, text)
    if found is None:
        known: tuple[Phrase, ...] = tuple(phrase(f"{game.key}.side.{s}") for s in game.sides)
        raise Refused(phrase("house.bad-side", value=text[:32], known=known))
    return found


def begin_key(game: Game, value: str) -> str:
    """The catalogue key that labels *value* of who begins."""
    return f"house.begins.{value}" if value in (LOT, ROLLS) else f"{game.key}.side.{value}"


def _begins(game: Game, text: str) -> str:
    found = _labelled({value: begin_key(game, value) for value in game.begins}, text)
    if found is None:
        known = tuple(phrase(begin_key(game, value)) for value in game.begins)
        raise Refused(phrase("house.bad-begins", value=text[:32], known=known))
    return found


@dataclass
class Openings:
    """Opens tables."""

    manager: Manager
    views: Views

    async def open(
        self,
        origin: Origin,
        wish: Wish,
        host: PersonRow,
        guest: Asker | None,
        call: Call,
    ) -> Table:
        """A new table where *call* came from, with its host, and whom or what he wants to play."""
        pen = await self._pen(wish, host)
        play.sit(pen, Player(host.id, host.name, side=wish.side))
        if guest is not None:
            person = await self.manager.person(guest)
            if person.id == host.id:
                raise Refused(phrase("house.not-yourself"))
            play.sit(pen, Player(person.id, person.name, invited=True))
        elif wish.named is not None:
            play.sit(pen, Player(name=wish.named, invited=True))
        elif wish.against_computer:
            for _ in range(wish.seats - 1):
                play.sit(pen, Player(level=wish.level))
        play.start_if_full(pen)
        where = call.where
        code = await self.manager.language_of(where, host if where.private else None, call.asker)
        view = self.views.fresh(pen.table, where, host, code, call.token)
        return await self.manager.create(origin, pen, view)

    async def _pen(self, wish: Wish, host: PersonRow, parent: str | None = None) -> Pen:
        return play.open_table(
            await self.manager.free_code(),
            wish.game,
            options=wish.options,
            begins=wish.begins,
            seats=wish.seats,
            host=host.id,
            secret=secrets.token_bytes(32),
            now=self.manager.now(),
            parent=parent,
        )

    async def rematch(self, origin: Origin, code: str, person: PersonRow) -> Table | None:
        """The rematch of the table *code*, or ``None`` while others must still agree.

        Who began the last game does not begin this one: the sides change where a side
        begins by rule, the beginner where it was a lot (§ every table).
        """
        table = await self.manager.table(code)
        seat = table.seat_of(person.id)
        if seat is None:
            raise Refused(phrase("house.not-seated"))
        if table.status != ENDED:
            raise Refused(phrase("house.not-over"))
        if table.child is not None:
            raise Refused(phrase("house.rematch.exists", code=table.child))
        offer = table.offered("rematch")
        people = {p.person for p in table.players if p.person is not None and not p.left}
        if people != {person.id} and (offer is None or offer.seat == seat):
            if offer is not None:
                raise Refused(phrase("house.already-offered"))

            def decide(pen: Pen) -> None:
                pen.write("offer", seat, "rematch")

            await self.manager.change(origin, code, decide)
            return None
        return await self._begin_rematch(origin, table, person)

    async def _begin_rematch(self, origin: Origin, table: Table, person: PersonRow) -> Table:
        begins, sides = _changed_sides(table)
        wish = Wish(table.game, table.options, begins, len(table.players), None, 1, False, None)
        pen = await self._pen(wish, person, parent=table.code)
        for player, side in zip(table.players, sides, strict=True):
            play.sit(pen, replace(player, side=side, left=False))
        play.start_if_full(pen)
        async with self.manager.store.reading() as tx:
            rows = await stored.of_game(tx, table.code)
        child = await self.manager.create(origin, pen, None)

        def link(parent: Pen) -> None:
            parent.write("rematch", None, child.code)

        await self.manager.change(Origin("rematch", f"{table.code}:{child.code}"), table.code, link)
        for row in rows:
            where = Where(row.platform, row.place, row.thread, private=row.person is not None)
            viewer = replace(person, id=row.person) if row.person is not None else person
            await self.views.post(child, where, viewer, row.language, row.token)
        return child


def _changed_sides(table: Table) -> tuple[str, tuple[str | None, ...]]:
    """Who begins the rematch, and the sides by seat of the old table."""
    sides = [player.side for player in table.players]
    if ROLLS in table.game.begins:
        return table.begins, tuple(sides)
    if LOT not in table.game.begins:
        return table.begins, tuple(sides[1:] + sides[:1])
    winner = table.outcome.winner if table.outcome is not None else None
    # N2: the loser of the last game begins; after a draw whoever did not begin it.
    first = 1 - winner if winner is not None else (table.first + 1) % len(sides)
    return sides[first] or "", tuple(sides)
