"""A tournament in a house with a fake chat: people enter by buttons, games are ended by hand."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta

from bot.facade import NO_TABLE
from bot.port import Asker, PlaceStanding, Where
from bot.presenters.button_codes import Action, Click, encode_click
from bot.service.table.changes import Update
from bot.session import play
from bot.session.table import Table
from bot.tournament.values import Phase, Tournament
from games.core import ranking
from storage.tournaments import due_tournaments
from tests.fakes import Desk, FakeClock, Message, person


@dataclass
class Evening:
    """A tournament and whoever is there; *manager* has opened it."""

    at: Desk
    clock: FakeClock
    manager: Asker
    code: str = ""
    people: list[Asker] = field(default_factory=list)
    _updates: int = 0
    _carried: list[tuple[str, str]] = field(default_factory=list)

    def __post_init__(self) -> None:
        show = self.at.chat.show

        async def shown(target, screen, picture):
            self._carried += [(screen.table, one.external) for one in screen.mentions]
            return await show(target, screen, picture)

        self.at.chat.show = shown

    @property
    def calls(self) -> list[tuple[str, str]]:
        """Each call so far: the table, or "" for a message of its own, and who was called."""
        pinged = [("", one.external) for ping in self.at.chat.pings for one in ping.people]
        return self._carried + pinged

    def begun_and_ended(self) -> tuple[list[tuple[str, str]], list[str]]:
        """The calls to tables, and in order who was called to the end of the tournament."""
        called = [one for one in self.calls if one[0]]
        begun = [one for one in called if one[0] != NO_TABLE]
        return begun, sorted(who for code, who in called if code == NO_TABLE)

    @property
    def services(self):
        return self.at.facade.services

    async def now(self) -> Tournament:
        return await self.services.tournaments.get(self.code)

    @property
    def message(self) -> Message:
        """The message that shows the tournament in the group."""
        found = [
            one
            for one in self.at.chat.messages.values()
            if self.code in one.screen.headline and one.where == self.at.where
        ]
        return found[-1]

    async def press(self, who: Asker, *path: str, where: Where | None = None):
        """Press the button of the tournament with *path*, as *who* does in a card of their own."""
        code = encode_click(Click(Action.TOURNAMENT, self.code, 0, path), self.services.key)
        message = Message("card", where or self.at.where, self.message.screen, None, card=True)
        return await self.at.press(who, message, code=code)

    async def look(self) -> None:
        """Let everything be done that is due now."""
        keeper = self.at.facade.process_duties.deadlines
        for _ in range(8):
            await keeper.tournaments.expire()
            due = await keeper.store.read(due_tournaments, keeper.clock.steady())
            if not due:
                break
        await self.at.settle()

    async def wait(self, minutes: float) -> None:
        self.clock.wait(timedelta(minutes=minutes))
        await self.look()

    async def table(self, code: str) -> Table:
        return await self.services.tables.get(code)

    async def end(self, code: str, places: list[list[int]] | None = None) -> None:
        """End the game *code*; *places* are entrants by place, by default the first seat wins."""
        tournament = await self.now()
        game = tournament.find_game(code)
        ranked = places or [[one] for one in game.seats]

        def decide(work):
            persons = [[tournament.entrant(n).person for n in place] for place in ranked]
            seats = [[work.table.seat_of(one) for one in place] for place in persons]
            play.end_game(work, ranking("resign", seats), rule=False)

        self._updates += 1
        await self.services.changes.change(Update("fake", f"end{self._updates}"), code, decide)

    async def waiting(self) -> list[str]:
        """The codes of the games that are played now."""
        return [game.code for _, _, game in (await self.now()).games() if game.result is None]

    async def play_out(self, minutes: float = 1) -> Tournament:
        """Play until the end; the first seat always wins."""
        for _ in range(200):
            if (await self.now()).phase is Phase.ENDED:
                break
            for code in await self.waiting():
                await self.end(code)
            await self.wait(minutes)
        return await self.now()


async def opened(at: Desk, clock: FakeClock, *choices: tuple[str, ...], game: str = "niya"):
    """An evening whose manager has set it up by buttons."""
    manager = person("Marta")
    at.chat.standings[manager.external, at.where.place] = PlaceStanding(manages=True)
    listed = at.card(await at.call(manager, "tournament"))
    sheet = at.card(await at.press(manager, listed, listed.screen.rows[0][0].label))
    evening = Evening(at, clock, manager)
    for path in (("game", game), *choices):
        code = at.facade.boards.buttons.click(sheet.screen.rows[0][0].code)
        button = encode_click(
            Click(Action.TOURNAMENT, "0000", code.turn, path), evening.services.key
        )
        sheet = at.card(await at.press(manager, sheet, code=button))
    await at.press(manager, sheet, "Abrir el torneo")
    evening.code = next(one.screen.headline.rsplit(" ", 1)[-1] for one in at.chat.messages.values())
    return evening


async def entered(evening: Evening, count: int) -> Evening:
    """The same with *count* people who have entered."""
    for number in range(1, count + 1):
        who = person(f"P{number}")
        evening.people.append(who)
        answer = await evening.press(who, "enter")
        assert answer.good, answer
    return evening
