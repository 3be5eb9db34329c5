"""Whose board is it, on an emulated Telegram: what others press, and presses in flight."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bot.presenters.button_codes import Action
from games.core.shelf import shelf
from tests.drives.findings import Dose, Findings
from tests.drives.others import Pressed, is_own
from tests.drives.stage import PATIENCE, Stage, staged
from tests.drives.telegram_checks import concluded
from tests.drives.telegram_pace import Pressed as Toasts
from tests.drives.telegram_pace import mover, shown_moves, slow

CARD = 16.0
"""Seconds that a card may wait for its turn in a busy group; after that it is given up."""

_ASKS_ALL = (
    Action.OFFER,
    Action.RESIGN,
    Action.ANSWER,
    Action.REMATCH,
    Action.CLOSE,
    Action.FORGET,
)
"""What somebody's own card may ask of everybody."""


@dataclass
class Seats:
    """A group with a table in it, its two players, and everybody else who is there."""

    stage: Stage
    group: dict
    first: dict
    second: dict
    spectator: dict
    stranger: dict
    manager: dict
    rng: random.Random
    code: str = ""

    @classmethod
    def made(cls, stage: Stage, name: str, language: str) -> Seats:
        """All of it, for people who speak *language*; the manager runs the group."""
        names = ("First", "Second", "Third", "Fourth", "Chief")
        people = [stage.fake.add_user(f"{one}{name}x", lang=language) for one in names]
        group = stage.fake.add_group(f"Club {name}", people)
        group["_members"][people[4]["id"]] = "administrator"
        return cls(stage, group, *people, random.Random(name))

    @property
    def others(self) -> tuple[dict, ...]:
        """Who does not play."""
        return self.spectator, self.stranger, self.manager

    async def begun(self, game: str) -> Any:
        """A challenge of the second by the first; the message that asks him."""
        stage, fake = self.stage, self.stage.fake
        for one in (self.second, self.spectator, self.manager):
            await fake.start_bot(one)
        options = " setup=fixed" if game.startswith("storill") else ""
        hello = await fake.say(self.second, "hola", self.group)
        line = f"/play {game} casual{options}"
        asked = await fake.say(self.first, line, self.group, reply_to=hello.message)
        board = await asked.reply(PATIENCE, predicate=lambda m: m.buttons)
        self.code = board.buttons[0]["callback_data"].split(".")[1]
        stage.known.add(self.code)
        return board

    async def owing(self) -> bool:
        """Whether the table's board is behind."""
        query = "select count(*) from view where game = ? and shown < owed"
        async with self.stage.store.reading() as tx:
            (count,) = (await tx.exec_driver_sql(query, (self.code,))).one()
        return bool(count)

    async def shown(self) -> Any:
        """The board, once it is the newest."""

        async def there() -> Any:
            message = await self.stage.message(self.code)
            usable = message is not None and message.photo and not message.deleted
            return message if usable and not await self.owing() else None

        return await self.stage.until(there, PATIENCE)

    async def moves(self) -> int:
        """How many entries the table's record has."""
        return len((await self.stage.table(self.code)).log)

    async def over(self) -> bool:
        return await self.stage.over(self.code)


# ---------------------------------------------------------------- everybody's buttons


async def everybody(folder: Path, dose: Dose) -> Findings:
    """Every button by the opponent, a spectator, a stranger and who manages the group."""
    found, told = Findings(0, "presses of others on Telegram"), Pressed()
    games = sorted(shelf())[: dose.of(len(shelf()), 1)]
    async with staged(folder) as stage:
        tables = [
            (Seats.made(stage, f"{language}{number}", language), game)
            for language in ("es", "en")[: dose.of(2, 1)]
            for number, game in enumerate(games)
        ]
        await asyncio.gather(*(_one_table(at, game, told) for at, game in tables))
        found.latencies = stage.latencies
        told.concluded(found)
        await concluded(stage, found)
    return found


async def _one_table(at: Seats, game: str, told: Pressed) -> None:
    """One table from the challenge to the wish for a rematch, and everybody at its buttons."""
    stage, fake = at.stage, at.stage.fake
    message = await at.begun(game)
    await _by_others(at, message, at.others, told)
    accept = next(b for b in message.buttons if b["callback_data"].startswith("j."))
    await stage.pressed(at.second, message, code=accept["callback_data"])
    await at.shown()
    await fake.say(at.spectator, f"/join {at.code}", at.group)
    for ply in range(4):
        if await at.over():
            break
        message = await at.shown()
        who = mover((at.first, at.second), message)
        other = at.second if who is at.first else at.first
        if ply == 1:
            await _offered(at, who, other, told)
        half = await _half_made(at, who)
        told.half += half
        if await at.over():
            break
        if not half:
            # It was a whole move: the next one is the other's, or his own once more.
            who = mover((at.first, at.second), await at.shown())
            other = at.second if who is at.first else at.first
        await _by_others(at, await _board(at), (other, *at.others), told, half=half)
        if ply == 2:
            await _resigned(at, who, (other, *at.others), told)
        await _played(at, who)
    if not await at.over():
        await _says_yes(at, at.first)
    await _by_others(at, await at.shown(), at.others, told)


async def _board(at: Seats) -> Any:
    """The message that shows the table."""
    return await at.stage.message(at.code)


async def _half_made(at: Seats, who: dict) -> bool:
    """Whoever is asked chooses something that is no whole move, where there is such a choice."""
    message, before = await at.shown(), await at.moves()
    shown = message.buttons
    await at.stage.pressed(who, message, code=shown_moves(message)[0])

    async def changed() -> bool:
        board = await _board(at)
        return board.buttons != shown and not await at.owing()

    await at.stage.until(changed, PATIENCE)
    return not await at.over() and await at.moves() == before


async def _played(at: Seats, who: dict) -> None:
    """Play on until the table has moved."""
    before = await at.moves()
    for _ in range(8):
        if await at.over() or await at.moves() != before:
            return
        message = await _board(at)
        shown, moves = message.buttons, shown_moves(message)
        if moves:
            await at.stage.pressed(who, message, code=at.rng.choice(moves))

        async def changed(old: Any = shown) -> bool:
            board = await _board(at)
            return board.buttons != old and not await at.owing()

        await at.stage.until(changed, PATIENCE)


async def _by_others(
    at: Seats, message: Any, people: Iterable[dict], told: Pressed, *, half: bool = False
) -> None:
    """Each of *people* presses each button of *message* and of what he is answered with."""
    buttons, edits = message.buttons, len(message.history)
    version = (await at.stage.table(at.code)).version
    for who in people:
        plays = who in (at.first, at.second)
        for button in buttons:
            code = button.get("callback_data", "")
            if message.deleted or not code or is_own(code, plays=plays):
                continue
            if Action(code[0]) in (Action.JOIN, Action.SAY_WORDS) and "j." not in code:
                continue
            began = time.monotonic()
            handle = await at.stage.pressed(who, message, code=code)
            told.presses += 1
            if not (handle.answer.get("text") or handle.answer.get("url")):
                told.wrong.append(f"{button['text']} says nothing to {who['first_name']}")
            if (now := (await at.stage.table(at.code)).version) != version:
                said = handle.answer.get("text")
                told.wrong.append(f"{who['first_name']} moved on by {button['text']}: {said}")
                version = now
            if code.startswith(Action.MORE):
                await _card(at, handle, who, began, told)
    await at.stage.until(lambda: _quiet(at), PATIENCE)
    told.edits += len(message.history) - edits
    told.lost += half and message.buttons != buttons


async def _quiet(at: Seats) -> bool:
    return not await at.owing()


async def _card(at: Seats, handle: Any, who: dict, began: float, told: Pressed) -> None:
    """Press what stands on somebody's own card, short of what he asks of the others."""
    card = await _handed(at, handle, who, began)
    if card is None:
        return
    if card.chat_id == at.group["id"]:
        another = at.stranger if who is not at.stranger else at.manager
        for button in card.buttons:
            heard = await at.stage.pressed(another, card, code=button["callback_data"])
            told.presses += 1
            if not heard.answer.get("alert"):
                told.wrong.append(f"{button['text']} of another's card was taken")
    for button in card.buttons:
        code = button.get("callback_data", "")
        if card.deleted or not code or code[0] in _ASKS_ALL:
            continue
        await at.stage.pressed(who, card, code=code)
        told.presses += 1


async def _handed(at: Seats, handle: Any, who: dict, began: float) -> Any:
    """The card of *who* that *handle* led to: in private where he is known there, else here."""
    fake = at.stage.fake
    if url := handle.answer.get("url"):
        asked = await fake.follow_link(who, url)
        return await asked.reply(PATIENCE, predicate=lambda m: m.buttons)

    async def posted() -> Any:
        sent = [m for t, m, how, place in fake.effects if t >= began and how == "sent"]
        mine = [m for m in sent if m.chat_id == at.group["id"] and who["first_name"] in m.text]
        return next((m for m in mine if m.buttons and not m.photo), None)

    try:
        return await at.stage.until(posted, CARD)
    except TimeoutError:
        return None


async def _asked_back(at: Seats, who: dict, line: str) -> Any:
    """The question that *line* of *who* leads to, where he can see it."""
    fake, began = at.stage.fake, time.monotonic()
    await fake.say(who, line, at.group)

    async def asked() -> Any:
        for sent, message, _, place in fake.effects:
            here = place in (at.group["id"], who["id"]) and sent >= began
            codes = [b.get("callback_data", "") for b in message.buttons]
            if here and any(c.startswith(Action.RESIGN) and ".yes" in c for c in codes):
                return message
            urls = [b["url"] for b in message.buttons if "url" in b]
            if here and urls and not message.photo:
                await fake.follow_link(who, urls[0])
        return None

    return await at.stage.until(asked, PATIENCE)


async def _says_yes(at: Seats, who: dict) -> None:
    """*who* resigns, asked back."""
    asked = await _asked_back(at, who, f"/resign {at.code}")
    yes = next(b for b in asked.buttons if ".yes" in b["callback_data"])
    await at.stage.pressed(who, asked, code=yes["callback_data"])
    await at.stage.until(at.over, PATIENCE)


async def _resigned(at: Seats, asks: dict, others: Iterable[dict], told: Pressed) -> None:
    """*asks* is asked whether he resigns, and everybody else says yes for him."""
    asked = await _asked_back(at, asks, f"/resign {at.code}")
    yes = next(b for b in asked.buttons if ".yes" in b["callback_data"])["callback_data"]
    # Where he is asked in private the others have the bytes, and a board to send them from.
    message = asked if asked.chat_id == at.group["id"] else await _board(at)
    for who in others:
        await at.stage.pressed(who, message, code=yes)
        told.presses += 1
        told.resigned += await at.over()


async def _offered(at: Seats, asks: dict, other: dict, told: Pressed) -> None:
    """*asks* offers a draw, and everybody but *other* answers for him."""
    shown = (await at.shown()).buttons
    await at.stage.fake.say(asks, f"/draw {at.code}", at.group)
    try:
        await at.stage.until(lambda: _other_than(at, shown), 5.0)
    except TimeoutError:
        # Not every game knows draws by consent.
        return
    message = await at.shown()
    await _by_others(at, message, at.others, told)
    no = [
        b["callback_data"] for b in message.buttons if b["callback_data"].startswith(Action.ANSWER)
    ]
    if no:
        await at.stage.pressed(other, message, code=no[-1])
        await at.shown()


async def _other_than(at: Seats, shown: Any) -> bool:
    return (await _board(at)).buttons != shown and not await at.owing()


# ---------------------------------------------------------------- in flight


async def in_flight(folder: Path, dose: Dose) -> Findings:
    """Presses 0 to 0.3 s after each other's moves, through a network of 200 ms."""
    return await _meeting(folder, dose.of(40, 4), 0.2, max(15.0, dose.share * 90.0))


async def far_away(folder: Path, dose: Dose) -> Findings:
    """The same through a network of two seconds."""
    return await _meeting(folder, dose.of(40, 2), 2.0, max(20.0, dose.share * 90.0))


async def _meeting(folder: Path, count: int, away: float, seconds: float) -> Findings:
    found = Findings(0, f"presses at {count} tables, {away:g} s away", slowest=SLOWEST)
    async with staged(folder, flood=True) as stage:
        tables = [Seats.made(stage, str(number), "en") for number in range(count)]
        games = ("cirya", "niya", "storill", "shogi")
        await asyncio.gather(*(_sat(at, games[n % 4]) for n, at in enumerate(tables)))
        slow(stage, away)
        toasts, until = Toasts(), time.monotonic() + seconds
        await asyncio.gather(*(_in_flight(at, toasts, until) for at in tables))
        await asyncio.gather(*(stage.until(lambda a=at: _quiet(a), PATIENCE + 20) for at in tables))
        with suppress(TimeoutError):
            await stage.until(lambda: _all_answered(toasts), 20.0)
        found.count = len(toasts.handles)
        found.latencies = [one.latency for one in toasts.handles if one.latency is not None]
        found.unanswered = toasts.unanswered()
        found.also["blank"] = toasts.blank()
        found.also["sent to an old board"] = toasts.old()
        found.also["foretold"] = len(toasts.foretold)
        found.also["x 429"] = sum(one.status == 429 for one in stage.fake.records)
        found.wrong += _sentences(toasts)
        await concluded(stage, found)
    return found


SLOWEST = 6.0
"""Seconds after which a press may have its answer through the slowest network driven here."""


async def _all_answered(toasts: Toasts) -> bool:
    return not toasts.unanswered()


def _sentences(toasts: Toasts) -> list[str]:
    wrong = []
    if toasts.blank():
        wrong.append("a press was answered with nothing")
    if toasts.old():
        wrong.append("an old board sent its reader to itself")
    return wrong


async def _sat(at: Seats, game: str) -> None:
    """The first two play."""
    message = await at.begun(game)
    accept = next(b for b in message.buttons if b["callback_data"].startswith("j."))
    await at.stage.pressed(at.second, message, code=accept["callback_data"])
    await at.shown()


async def _in_flight(at: Seats, toasts: Toasts, until: float) -> None:
    """The one moves, and the other presses something before the board has come."""
    people: Sequence[dict] = (at.first, at.second)
    await asyncio.sleep(2.0 * at.rng.random())
    while time.monotonic() < until and not await at.over():
        message = await _board(at)
        moves = shown_moves(message)
        if not moves:
            await asyncio.sleep(0.5)
            continue
        who, before = mover(people, message), len(message.history)
        mine = await at.stage.press(who, message, code=at.rng.choice(moves))
        wait = 0.3 * at.rng.random()
        await asyncio.sleep(wait)
        other = at.second if who is at.first else at.first
        pressable = [b["callback_data"] for b in message.buttons if _pressable(b)]
        theirs = await at.stage.press(other, message, code=at.rng.choice(pressable))
        toasts.handles += [mine, theirs]
        # Two presses in two seconds: one a second in this place.
        await asyncio.sleep(2.0 - wait)
        toasts.seen(mine, message, before)


def _pressable(button: dict) -> bool:
    """Whether a press of *button* is one that others may make: no form, and no end."""
    code = button.get("callback_data", "")
    return bool(code) and code[0] not in (Action.SAY_WORDS, Action.REMATCH)
