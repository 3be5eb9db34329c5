"""Every verb, in every phase of every game: an answer or a refusal in words, never a fault."""

from __future__ import annotations

import logging
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

import pytest

from bot.port import Answer, Asker, Card, MenuAnswer, Press, Where
from bot.presenters.button_codes import Action
from bot.presenters.command_specs import BY_NAME, COMMANDS, CommandSpec
from bot.service.computers.pool import Thinkers
from bot.service.computers.worker import Allowance, think
from bot.texts import language
from games.core import phrase
from games.core.shelf import shelf
from tests.fakes import UPDATES, Desk, desk, person

NEREA, BRUNO, EVA = person("Nerea"), person("Bruno"), person("Eva")
HOME = Where("fake", "nerea", private=True)
STORILL = "storilljudhjorrayc"

CHANGING = ("move", "draw", "undo", "pause", "rematch", "join", "words", "play", "forgetme")
"""The verbs that come last, since what they change ends the phase."""

VALUES: Mapping[str, Mapping[str, str]] = {
    "play": {"game": "niya"},
    "why": {"move": "a1"},
    "ask": {"question": "hint"},
    "words": {"text": "abracadabra"},
    "move": {"move": "a1"},
    "language": {"language": "es"},
    "holidays": {"days": "0"},
    "link": {"code": "AAAAAAAA"},
    "help": {"command": "hint"},
    "board": {"form": "words"},
}
"""What is said to the verbs that need it, besides the table."""


@dataclass
class Hasty(Thinkers):
    """Answers in this process after a glance what a worker would answer."""

    async def _ask(self, question):
        question = {**question, "seconds": 0.005, "nodes": 200}
        return think(question, Allowance(time.process_time() + 0.005, 200))


@pytest.fixture
async def at(tmp_path):
    async with desk(tmp_path, Hasty()) as opened:
        yield opened


async def opened(at: Desk, game: str, **values: str) -> str:
    await at.call(NEREA, "play", game=game, **values)
    return list(at.chat.messages.values())[-1].screen.table


async def waiting(at: Desk, game: str) -> str:
    """The table waits for players."""
    return await opened(at, game, options="hints=on")


async def challenging(at: Desk, game: str) -> str:
    """Somebody else is challenged."""
    return await opened(at, game, opponent="@bruno", options="hints=on")


async def beginning(at: Desk, game: str) -> str:
    """Two have sat down and nobody has moved; a set-up is hidden."""
    code = await opened(at, game, seats="2", options="hints=on")
    await at.call(BRUNO, "join", table=code)
    return code


async def other_stands(at: Desk, game: str) -> str:
    """The other has arranged all, and the asker has not: a set-up that the next «ready» ends."""
    code = await beginning(at, game)
    await at.call(BRUNO, "move", Where("fake", "bruno", private=True), table=code, move="ready")
    # Who has arranged something is advised to be ready, which opens a battle of hidden armies.
    answer = await at.call(NEREA, "move", HOME, table=code, move="swap A T1")
    assert answer.good, answer.said
    return code


async def asker_stands(at: Desk, game: str) -> str:
    """The asker has arranged all, and the other has not."""
    code = await beginning(at, game)
    await at.call(NEREA, "move", HOME, table=code, move="ready")
    return code


async def going_on(at: Desk, game: str) -> str:
    """Some moves have been played, against a computer."""
    code = await opened(at, game, opponent="computer", level="1", options="hints=on")
    for _ in range(4):
        table = await at.facade.services.tables.get(code)
        seat = table.seat_of((await at.facade.services.people.of(NEREA)).id)
        if seat in table.actors():
            moves = table.present.legal_moves(seat)
            move = table.game.notation.written(table.present, moves[0])
            await at.call(NEREA, "move", HOME, table=code, move=move)
    return code


async def over(at: Desk, game: str) -> str:
    """The game is over."""
    code = await going_on(at, game)
    table = await at.facade.services.tables.get(code)
    if table.present.outcome() is None:  # else the computer has won already
        await at.surely(NEREA, "resign", table=code)
    return code


async def closed(at: Desk, game: str) -> str:
    """The table was closed before a game."""
    code = await waiting(at, game)
    await at.call(NEREA, "leave", table=code)
    return code


Phase = Callable[[Desk, str], Awaitable[str]]

PHASES: tuple[Phase, ...] = (waiting, challenging, beginning, going_on, over, closed)
SET_UP: tuple[Phase, ...] = (other_stands, asker_stands)

OFTEN = {(going_on, game) for game in shelf()} | {(waiting, "niya"), (over, "niya")}
OFTEN.add((other_stands, STORILL))
"""What is tried at every run of the tests."""

SLOW = {"replay", "card"}
"""The verbs that make films and cards."""


def cases() -> list[object]:
    found = []
    for game in shelf():
        for phase in (*PHASES, *(SET_UP if game == STORILL else ())):
            marks = () if (phase, game) in OFTEN else pytest.mark.slow
            found.append(pytest.param(phase, game, id=f"{game}-{phase.__name__}", marks=marks))
    return found


def values_of(command: CommandSpec, code: str) -> dict[str, str]:
    takes = {parameter.name for parameter in command.parameters}
    table = {"table": code} if "table" in takes else {}
    return {**VALUES.get(command.name, {}), **table}


class Faults:
    """What was said or logged as a fault of ours."""

    def __init__(self, caplog: pytest.LogCaptureFixture) -> None:
        self.found: list[str] = []
        self._log = caplog
        self._sentence = language("es").say(phrase("house.try-again"))

    def look(self, verb: str, answer: Answer) -> None:
        """Note where *verb* was answered, or logged, as a fault."""
        logged = [one.getMessage() for one in self._log.records if one.levelno >= logging.ERROR]
        if logged or getattr(answer, "said", "") == self._sentence:
            self.found.append(f"{verb}: {logged}")
            self._log.clear()


async def press_all(at: Desk, code: str, where: Where, faults: Faults) -> None:
    """Press every button of the board in *where*, and every one behind «More»."""
    boards = [m for m in at.chat.messages.values() if (m.screen.table, m.where) == (code, where)]
    for board in boards[-1:]:
        codes = [button.code for row in board.screen.buttons for button in row]
        for pressed in codes:
            press = Press(f"e{next(UPDATES)}", where, NEREA, pressed, board.id)
            answer = await at._known(await at.facade.requests.press(press))
            faults.look(Action(pressed[0]).name, answer)
            if isinstance(answer, Card | MenuAnswer) and pressed[0] == Action.MORE:
                shown = (button.code for row in answer.screen.buttons for button in row)
                codes += [code for code in shown if code[0] != Action.MORE]


async def do_all(at: Desk, code: str, who: Asker, where: Where, faults: Faults) -> None:
    """Give every command about the table *code*."""
    for command in sorted(COMMANDS, key=lambda command: command.name in CHANGING):
        if command.name not in SLOW:
            answer = await at.call(who, command.name, where, **values_of(command, code))
            faults.look(command.name, answer)


@pytest.mark.sampled(2)
@pytest.mark.parametrize(("phase", "game"), cases())
async def test_no_verb_fails_in_any_phase(at, phase, game, caplog):
    faults = Faults(caplog)
    code = await phase(at, game)
    await do_all(at, code, NEREA, HOME, faults)
    assert not faults.found


@pytest.mark.slow
@pytest.mark.parametrize(("phase", "game"), cases())
async def test_no_verb_and_no_button_fails_for_anybody_in_any_phase(at, phase, game, caplog):
    faults = Faults(caplog)
    code = await phase(at, game)
    for command in map(BY_NAME.__getitem__, sorted(SLOW)):
        faults.look(command.name, await at.call(NEREA, command.name, HOME, table=code))
    await do_all(at, code, EVA, at.where, faults)
    for where in (at.where, HOME):
        await press_all(at, code, where, faults)
        await do_all(at, code, NEREA, where, faults)
    assert not faults.found
