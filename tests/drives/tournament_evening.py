"""A whole tournament in three chats at once: ``python -m tests.drives.tournament_evening swiss``.

On emulated Discord and Telegram and on a page, all on one real process: it is set up by buttons on
Discord, entered there, by its code in private chats of Telegram and on the page; some stay away
from the first round, one leaves. Rounds begin by themselves, games end by resigning, until the
podium stands in the message. Nobody resigns before they were called. Both platforms answer a fifth
of a second late and refuse what comes too fast. Needs ``../shared/emulators``.

With ``--people 9`` and ``--rounds 3`` it is shorter; an arena lasts six minutes here. Where a game
does not end although somebody resigned, they do so again, which is counted. ``--pictures`` names a
folder for what was shown and for what the bot logged. On a busy machine ``--deadline 15`` lets
Discord wait for so many seconds instead of three until it gives a press up.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack, suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from bot.service.tournaments import folded
from bot.tournament.values import Phase, Tournament
from storage import games, people
from storage import tournaments as stored
from tests.drives.patched_main import ARENA, AS_PEOPLE
from tests.drives.stage import emulators
from tests.drives.telegram_pace import slow
from tests.drives.together import Together, opened
from tests.drives.tournament_calls import Calls, refused
from tests.tournament import laws

LATE = 200
"""How many milliseconds late both platforms answer."""

PATIENCE = 2400.0
"""For how many seconds the evening may last, unless it is said otherwise."""

AGAIN = 60.0
"""After how many seconds somebody resigns once more."""

CALLED = 45.0
"""For how many seconds people wait to be called before they resign all the same."""

ARENA_LASTS = 6
"""For how many minutes people play in an arena."""

STAYS = 4.0
"""Every how many seconds the page says that it is there."""

FORMATS = {
    "swiss": ("Niya", "Swiss", "rounds"),
    "robin": ("Niya", "everybody", ""),
    "knockout": ("Niya", "knockout", ""),
    "tables": ("Parch", "tables", "rounds"),
    "arena": ("Niya", "arena", "lasts"),
}
"""By format: the label of its game, that of the format, and the choice that says how long."""

ON_TELEGRAM = (
    *(("Tina", "en"), ("Tomás", "es"), ("Teo", "es"), ("Tara", "en")),
    *(("Tadeo", "es"), ("Thea", "en"), ("Toni", "es")),
)
ON_DISCORD = ("Dario", "Dina", "Dora", "Diego", "Duna")


class Evening:
    """The chats, the people by their names, and the tournament."""

    def __init__(self, at: Together) -> None:
        self.at = at
        self.code = ""
        self.on_discord: dict[str, Any] = {}
        self.on_telegram: dict[str, Any] = {}
        self.away: frozenset[str] = frozenset()
        self.handles: list[Any] = []
        self.again = 0
        self.calls = (
            Calls(at.discord, self.on_discord),
            Calls(at.telegram, self.on_telegram, answering=True),
        )
        self.seen: dict[str, float] = {}
        """Since when the table of each game has stood."""
        self.page_free = asyncio.Lock()

    async def now(self) -> Tournament:
        async with self.at.store.reading() as tx:
            return folded(self.code, await stored.load_tournament_events(tx, self.code))

    async def names(self, tournament: Tournament) -> dict[int, str]:
        ids = [one.person for one in tournament.entrants]
        async with self.at.store.reading() as tx:
            found = await people.load_names(tx, ids)
        return {one.number: found[one.person].name for one in tournament.entrants}

    # ------------------------------------------------------------ the beginning

    async def set_up(self, form: str, rounds: int) -> None:
        """The owner opens the tournament on Discord, for people from elsewhere too."""
        game, named, length = FORMATS[form]
        fake = self.at.discord
        card = await self._kept(await fake.slash(fake.owner, "tournament")).reply()
        await self._press(fake.owner, card, "New tournament")
        await self._press(fake.owner, card, game)
        choices = [("Time", "5 min plus"), ("Also", "yes")]
        if length:
            lasting = ("Rounds", f"{rounds} rounds"), ("It lasts", f"{ARENA_LASTS} minutes")
            choices.append(lasting[length == "lasts"])
        for label, value in (("Format", named), *choices):
            await self._choose(card, label, value)
        await self._press(fake.owner, card, "Open the")
        message = await self._until(self._message, "the message of the tournament")
        self.code = message.buttons[0]["custom_id"].split(".")[1]

    def _message(self) -> Any:
        found = [m for m in self.at.discord.messages.values() if not m.ephemeral and m.buttons]
        return next((m for m in found if m.buttons[0]["custom_id"].startswith("U.")), None)

    async def _choose(self, card: Any, label: str, value: str) -> None:
        fake, word = self.at.discord, value.split()[0].casefold()

        def offered() -> Any:
            rows = (row for row in card.selects if row["options"][0]["label"].startswith(label))
            row = next(rows, None)
            found = [o for o in row["options"] if word in o["label"].casefold()] if row else []
            return (row["custom_id"], found[-1]["value"]) if row and found else None

        code, wanted = await self._until(offered, f"the choice {label}: {value}")
        await fake.select(fake.owner, card, [wanted], custom_id=code)
        await asyncio.sleep(1.0)

    async def enter_all(self, people: int) -> None:
        """Half of so many on Discord, the others on Telegram in private, and one on the page."""
        fake, telegram = self.at.discord, self.at.telegram
        guests = [fake.A, fake.B, fake.C, *map(fake.add_user, ON_DISCORD)][: people // 2]
        message = self._message()
        for user in guests:
            self.on_discord[str(user["global_name"])] = user
            await self._press(user, message, "Enter")
        for name, code in ON_TELEGRAM[: people - people // 2 - 1]:
            user = telegram.add_user(name, name.lower(), lang=code, started=True)
            self.on_telegram[name] = user
            await telegram.say(user, f"/tournament {self.code}")
            shown = await self._until(lambda u=user: self._private(u, "U."), "the card")
            label = next(b["text"] for b in shown.buttons if b["text"] in ("Enter", "Apuntarme"))
            await (await telegram.press(user, shown, label)).answered()
        card = (await self._on_page("call", line=f"/torneo {self.code}", table=""))["card"]
        await self._press_on_page(card, "Apuntarme")
        self.away = frozenset((*list(self.on_discord)[-1:], *list(self.on_telegram)[-1:]))

    async def _on_page(self, kind: str, **told: str) -> Any:
        async with self.page_free:
            return await self.at.page.ask(kind, **told)

    async def _press_on_page(self, card: Any, label: str) -> Any:
        buttons = [one for row in card["rows"] for one in row]
        code = next(one["code"] for one in buttons if one["label"].startswith(label))
        return await self._on_page("press", code=code, message="")

    async def stay(self) -> None:
        """Keep the page alive: whoever reads nothing for long is taken for gone."""
        while True:
            await self._on_page("ping")
            await asyncio.sleep(STAYS)

    def _private(self, user: Any, begin: str) -> Any:
        found = [
            m
            for m in self.at.telegram.messages.values()
            if m.chat_id == user["id"]
            and any((b.get("callback_data") or "").startswith(begin) for b in m.buttons)
        ]
        return found[-1] if found else None

    # ------------------------------------------------------------ the games

    async def play(self, patience: float) -> Tournament:
        """Let all but one at each table resign, until the tournament is over."""
        until, resigned, left = time.monotonic() + patience, dict[str, float](), False
        while (now := await self.now()).phase is not Phase.ENDED:
            names = await self.names(now)
            if time.monotonic() > until:
                raise AssertionError(f"it does not end: {self._state(now, names)}")
            waiting = [game for _, _, game in now.games() if game.result is None]
            for game in waiting:
                who = [names[n] for n in game.seats if names[n] not in self.away]
                # Whoever plays on the page wins, and so is there for long.
                who.sort(key=lambda name: name in self.on_discord or name in self.on_telegram)
                last = resigned.get(game.code)
                if len(who) < 2 or (last is not None and time.monotonic() < last + AGAIN):
                    continue
                if await self._is_called(game.code, who):
                    # Whoever has left a table of four sits there no more.
                    table = await self.at.table(game.code)
                    there = {one.name for one in table.players if one.person is not None}
                    who = [name for name in who if name in there]
                    self.again += last is not None
                    for name in who[1:]:
                        await self._resign(name, game.code)
                    resigned[game.code] = time.monotonic()
            if now.number > 1 and not left:
                left, self.away = True, frozenset()
                await self._press(self.on_discord["Carol"], self._message(), "Leave")
            await asyncio.sleep(0.5)
        return now

    async def _is_called(self, code: str, names: Sequence[str]) -> bool:
        """Whether the table *code* stands, and *names* were called to it or waited for long."""
        async with self.at.store.reading() as tx:
            if await games.load_game(tx, code) is None:
                return False
        stood = time.monotonic() - self.seen.setdefault(code, time.monotonic())
        for calls in self.calls:
            calls.read()
        waits = [
            name
            for name in names
            for calls in self.calls
            if name in calls.users and not calls.begun[name, code]
        ]
        return not waits or stood > CALLED

    @staticmethod
    def _state(now: Tournament, names: dict[int, str]) -> str:
        games = [
            (game.code, [names[n] for n in game.seats])
            for _, _, game in now.games()
            if game.result is None
        ]
        return f"round {now.number}, played still: {games}"

    async def _resign(self, name: str, code: str) -> None:
        if name in self.on_discord:
            await self._resign_on_discord(name, code)
        elif name in self.on_telegram:
            telegram, user = self.at.telegram, self.on_telegram[name]
            await telegram.say(user, f"/resign {code}")
            try:
                shown = await self._until(lambda: self._private(user, f"r.{code}."), "")
            except AssertionError:
                told = [m.text for m in telegram.messages.values() if m.chat_id == user["id"]]
                raise AssertionError(f"{name} resigns {code} and is told {told[-2:]}") from None
            button = next(b for b in shown.buttons if b["callback_data"].startswith(f"r.{code}."))
            await (await telegram.press(user, shown, button["text"])).answered()
        else:
            raise AssertionError(f"{name} plays on no chat")

    async def _resign_on_discord(self, name: str, code: str) -> None:
        fake, user = self.at.discord, self.on_discord[name]
        asked = None
        while asked is None:
            handle = self._kept(await fake.slash(user, "resign", {"table": code}))
            with suppress(TimeoutError):
                asked = await handle.reply()
        if asked.buttons:  # else the game has ended meanwhile
            await self._click(user, asked, custom_id=asked.buttons[0]["custom_id"])

    # ------------------------------------------------------------ presses

    def _kept(self, handle: Any) -> Any:
        self.handles.append(handle)
        return handle

    async def _press(self, user: Any, message: Any, label: str) -> None:
        def offered() -> Any:
            return next((b for b in message.buttons if b["label"].startswith(label)), None)

        button = await self._until(offered, f"the button {label}")
        await self._click(user, message, custom_id=button["custom_id"])

    async def _click(self, user: Any, message: Any, **what: Any) -> None:
        handle = self._kept(await self.at.discord.click(user, message, **what))
        with suppress(TimeoutError):
            await handle.acked()
        await asyncio.sleep(0.8)

    async def _until(self, found: Any, what: str) -> Any:
        async def there() -> Any:
            return found()

        return await self.at.until(there, what)


async def drive(folder: Path, asked: argparse.Namespace) -> str:
    """The evening from the sheet to the podium; what was seen."""
    async with AsyncExitStack() as stack:
        command = (sys.executable, "-m", "tests.drives.patched_main")
        environment = {AS_PEOPLE: "1", ARENA: str(ARENA_LASTS)}
        at = await opened(stack, folder, command, environment)
        at.discord.ack_deadline = asked.deadline
        evening = Evening(at)
        staying = asyncio.create_task(evening.stay())
        stack.callback(staying.cancel)
        await evening.set_up(asked.form, asked.rounds)
        await evening.enter_all(asked.people)
        at.discord.latency_ms = LATE
        at.discord.ratelimits = at.telegram.flood = True
        slow(SimpleNamespace(fake=at.telegram), LATE / 1000)
        await evening._press(at.discord.owner, evening._message(), "Start")
        tournament = await evening.play(asked.patience)
        await evening._until(lambda: "🥇" in evening._message().text, "the podium")
        await asyncio.sleep(CALLED / 3)  # whoever is called too often is so within this time
        if asked.pictures:
            await asyncio.to_thread(keep_pictures, at, Path(asked.pictures), asked.form)
            (Path(asked.pictures) / f"{asked.form}.log").write_text(at.bot.output)
        return await judged(evening, tournament)


async def judged(evening: Evening, tournament: Tournament) -> str:
    """What is to be said of the evening; raises ``AssertionError`` with all that was wrong."""
    laws.check(tournament)
    discord, telegram, output = evening.at.discord, evening.at.telegram, evening.at.bot.output
    names = await evening.names(tournament)
    seats = {
        game.code: frozenset(names[n] for n in game.seats)
        for _, _, game in tournament.games()
        if game.code
    }
    wrong = {
        "nobody answered": [one for one in evening.handles if one.latency is None],
        "violations": [*discord.violations, *telegram.violations],
        "unanswered on Telegram": telegram.unanswered,
        "too fast": refused(telegram, discord),
        "tracebacks": ["Traceback"] * output.count("Traceback"),
    }
    gone = {names[one.number] for one in tournament.entrants if one.gone is not None}
    if "Carol" not in gone:
        wrong["not gone"] = ["Carol"]
    for calls in evening.calls:
        calls.read()
        wrong[f"wrong calls on {type(calls.fake).__name__}"] = calls.wrong(seats)
        wrong[f"not called once on {type(calls.fake).__name__}"] = calls.not_once(seats)
    forfeits = sum(game.forfeited for _, _, game in tournament.games())
    called = sum(calls.begun.total() for calls in evening.calls)
    said = (
        f"{len(tournament.entrants)} entrants in three chats, {tournament.number} rounds, "
        f"{len(seats)} games ({forfeits} forfeited), {len(gone)} gone, {called} calls to them, "
        f"{len(evening.handles)} presses on Discord, {evening.again} resigned again"
    )
    found = [f"{len(those)} {what}: {those[:5]}" for what, those in wrong.items() if those]
    assert not found, "; ".join([said, *found])
    return f"{said}; each game called once, no call wrong, no press unanswered, nothing too fast"


def keep_pictures(at: Together, folder: Path, form: str) -> None:
    """Put all that the message of the tournament showed, and some boards, into *folder*."""
    folder.mkdir(parents=True, exist_ok=True)
    first, *others = [one for one in at.discord.messages.values() if one.images]
    shown = [first.images_at(n) for n in range(len(first.history))]
    found = {image.sha256: image.data for images in shown for image in images[:1]}
    for n, data in enumerate(found.values()):
        (folder / f"{form}-discord-tournament-{n}.png").write_bytes(data)
    for number, message in enumerate(others[-2:]):
        (folder / f"{form}-discord-board-{number}.png").write_bytes(message.images[0].data)
    photos = [one for one in at.telegram.messages.values() if one.photo is not None]
    for number, message in enumerate((*photos[:1], *photos[-2:])):
        (folder / f"{form}-telegram-{number}.png").write_bytes(message.photo.data)


def main() -> int:
    """Run the drive."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("form", choices=sorted(FORMATS))
    parser.add_argument("--people", type=int, default=16)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--patience", type=float, default=PATIENCE)
    parser.add_argument("--pictures", default="")
    parser.add_argument("--deadline", type=float, default=3.0)
    asked = parser.parse_args()
    if not emulators():
        print("There are no emulators: nothing is driven.")
        return 0
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        said = asyncio.run(drive(Path(folder), asked))
    print(f"{asked.form}: {said} ({time.monotonic() - began:.0f} s)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
