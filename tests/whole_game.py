"""One whole life of a table in the fake chat, for any game: from its opening to the rematch.

Whoever plays knows nothing of the game but its ``Game``: buttons are found by the act they carry,
moves come from ``legal_moves``. What is missing anywhere between a button and the disk shows here.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from pathlib import Path

from bot.port import Asker, Where
from bot.presenters.button_codes import Action
from bot.session.table import ENDED, PLAYING, Table
from games.core import CHANCE, Game
from tests.fakes import Desk, Message, desk, person

PEOPLE = tuple(map(person, ("Ana", "Bruno", "Carla", "Diego")))

BY_BUTTONS = 12
"""How many moves are put together by buttons; the others are typed, which is quicker."""

LONGEST = 2000
"""After so many moves a game counts as one that never ends."""


@dataclass
class Looks:
    """A budget of so many looks at a position."""

    left: int

    def is_spent(self) -> bool:
        self.left -= 1
        return self.left <= 0


@dataclass
class Life:
    """A life at one *desk*: whoever sits in seat 0 plays to win, the others at random."""

    at: Desk
    game: Game
    seats: int
    rng: random.Random = field(default_factory=lambda: random.Random(5))
    code: str = ""
    most: int = LONGEST
    """After so many moves the game is given up."""

    async def table(self, code: str = "") -> Table:
        return await self.at.facade.services.tables.get(code or self.code)

    def board(self, code: str = "") -> Message:
        return self.at.chat.board(code or self.code, self.at.where)

    def codes(self, message: Message, act: Action) -> list[str]:
        """The codes of the buttons on *message* that do *act*."""
        found = [b.code for row in message.screen.rows for b in row]
        return [code for code in found if code.startswith(f"{act}.")]

    async def press(
        self, who: Asker, act: Action, code: str = "", *, message: Message | None = None
    ):
        """*who* presses the first button that does *act*, or the one of *code*."""
        on = message or self.board()
        answer = await self.at.press(who, on, code=code or self.codes(on, act)[0])
        assert answer.good, answer.said
        return answer

    async def opened(self) -> None:
        seats = {"seats": str(self.seats)} if len(self.game.rules.seats) > 1 else {}
        answer = await self.at.call(
            PEOPLE[0], "play", game=self.game.key, opponent="anyone", **seats
        )
        assert answer.good, answer.said
        (self.code,) = {message.screen.table for message in self.at.chat.messages.values()}
        said = await self.at.call(PEOPLE[0], "words", table=self.code, text="olé")
        assert said.good, said.said

    async def joined(self) -> None:
        for who in PEOPLE[1 : self.seats]:
            await self.press(who, Action.JOIN)
        table = await self.table()
        assert table.status == PLAYING, "a full table starts by itself"
        assert len(table.players) == self.seats

    def sitting(self, table: Table, seat: int) -> Asker:
        names = {who.name: who for who in PEOPLE}
        return names[table.players[seat].name]

    async def moved(self, count: int) -> None:
        """The next move: the first ones by buttons, in private where something is hidden."""
        table = await self.table()
        seat = min(table.actors())
        who = self.sitting(table, seat)
        position = table.present
        if len(table.actors()) == 1 and count < BY_BUTTONS:
            await self._clicked(who)
            return
        seen = position.seen_by(seat)
        move = self.rng.choice(list(seen.legal_moves(seat)))
        if seat == 0 and len(table.actors()) == 1:
            move = self.game.computer.choose(seen, seat, 1, Looks(300), self.rng.randrange).move
        private = Where("fake", f"private-{who.external}", private=True)
        text = self.game.notation.written(seen, move)
        answer = await self.at.call(who, "move", private, table=self.code, move=text)
        assert answer.good, f"{text}: {answer.said}"

    async def _clicked(self, who: Asker) -> None:
        version = (await self.table()).version
        for _ in range(8):
            board = self.board()
            moves = [b.code for b in board.moves]
            await self.press(who, Action.MOVE, self.rng.choice(moves))
            if (await self.table()).version != version:
                return
        raise AssertionError("eight clicks spell no move")

    async def played(self) -> int:
        """Play to the end, or *most* moves, with one take-back; answers how many there were."""
        for count in range(LONGEST):
            table = await self.table()
            if table.status == ENDED or count == self.most:
                return count
            if count == BY_BUTTONS - 2:
                await self.taken_back()
            await self.moved(count)
        raise AssertionError(f"{self.game.key}: {LONGEST} moves and no end")

    async def taken_back(self) -> None:
        """One asks to take back and everybody hears of it; another agrees by his own button."""
        table = await self.table()
        for seat in range(self.seats):
            if table.undo_to(seat) is None:
                continue
            before = len(table.log)
            asks = self.sitting(table, seat)
            other = self.sitting(table, (seat + 1) % self.seats)
            answer = await self.at.call(asks, "undo", table=self.code)
            assert answer.good, answer.said
            await self.press(other, Action.ANSWER)
            assert len((await self.table()).log) < before
            return

    async def disputed(self) -> None:
        """Say whatever may still be said of the game; if it goes on by that, it is given up."""
        table = await self.table()
        for seat in range(self.seats):
            if self.codes(self.board(), Action.ASIDE) and table.present.asides(seat):
                aside = self.game.notation.written(table.present, table.present.asides(seat)[0])
                who = self.sitting(table, seat)
                answer = await self.at.call(who, "move", table=self.code, move=aside)
                assert answer.good, answer.said
                break
        while (table := await self.table()).status == PLAYING:
            seat = next(n for n, p in enumerate(table.players) if p.person is not None)
            await self.at.surely(self.sitting(table, seat), "resign", table=self.code)

    async def checked(self) -> None:
        """The record can be had, and its draws are honest."""
        record = await self.at.call(PEOPLE[0], "record", table=self.code)
        assert record.good, record.said
        verdict = await self.at.call(PEOPLE[0], "verify", table=self.code)
        assert verdict.good, verdict.said

    async def again(self) -> str:
        """The rematch, once every person of the table has said yes; the code of the new table."""
        people = PEOPLE[: self.seats]
        for number, who in enumerate(people):
            assert (await self.table()).child is None, "nobody is seated unasked"
            answer = await self.at.call(who, "rematch", table=self.code)
            assert answer.good, f"{number}: {answer.said}"
        child = (await self.table()).child
        assert child is not None
        assert (await self.table(child)).status == PLAYING
        assert self.board(child).screen.rows, "the new table has its board"
        return child

    async def left(self, code: str) -> None:
        """Somebody leaves the new table: it ends, or a computer takes the chair."""
        answer = await self.at.surely(PEOPLE[1], "leave", table=code)
        assert answer.good, answer.said
        table = await self.table(code)
        if self.seats == 2:
            assert table.status == ENDED
        else:
            assert sum(player.left is not None for player in table.players) == 1


async def whole_life(folder: Path, game: Game, seats: int, most: int = LONGEST) -> int:
    """Live through everything once; answers how many moves the game took."""
    async with desk(folder) as at:
        life = Life(at, game, seats, most=most)
        await life.opened()
        await life.joined()
        moves = await life.played()
        await life.disputed()
        await life.checked()
        await life.left(await life.again())
        assert CHANCE not in (await life.table()).actors()
        return moves
