"""Lively groups of an emulated Telegram: ``python -m tests.drives.telegram_group [--seconds N]``.

Thirty people at ten tables in three groups, one of them a forum with two topics and one a basic
group, with the limits of Telegram: whoever sees on their client that it is their turn presses what
they see, people ask for «More», type commands, and passers-by press what is not theirs. *old* is
the share of people whose client shows no ephemeral messages. Needs ``../shared/emulators``.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import re
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from storage import views as stored
from tests.drives.stage import EMULATORS, Stage, emulators, staged
from tests.drives.telegram_checks import clean
from tests.drives.telegram_pace import slow

SECONDS = 170.0
"""How long the groups are lively."""

THINKS = (7.0, 18.0)
"""Between how many seconds a person looks at the board again: a move in about twenty seconds at
each table, nearly as much as a group of three or four tables takes. *brisk* people need half."""

GAMES = ("niya", "cirya", "shogi", "storill setup=fixed", "niya", "cirya", "parchis", "shogi")
"""What is played at the tables, in this order and from the beginning again."""

COMMANDS = {
    "en": ("/games", "/help", "/privacy", "/rules niya", "/board", "/hint"),
    "es": ("/partidas", "/ayuda", "/privacidad", "/reglas niya", "/tablero", "/pista"),
}
"""What people type, by the language of their client."""

_WAITS = re.compile("Somebody was faster|Acaba de pasar algo")
_FORETOLD = re.compile(r"(?:The board follows in|El tablero llega en) (\d+)")
_PACED = re.compile(r"(?i)^(send|edit)")
_ASIDE = re.compile(r"^[a-zA-Z]\.([0-9A-Z]{4,8})\.")


@dataclass
class Seen:
    """What came of the presses."""

    handles: list[Any] = field(default_factory=list)
    strangers: list[Any] = field(default_factory=list)
    pictures: list[tuple[int, float]] = field(default_factory=list)
    """Where moves were shown, and after how many seconds."""
    late: int = 0
    thinks: tuple[float, float] = THINKS

    def waits(self) -> int:
        """How many presses of players were told that the board is behind."""
        return sum(bool(_WAITS.search(_text(one))) for one in self.handles)

    def foretold(self) -> int:
        return sum(bool(_FORETOLD.search(_text(one))) for one in self.handles)


def _text(handle: Any) -> str:
    return (handle.answer or {}).get("text") or ""


@dataclass
class Group:
    """Three groups with their people and their tables."""

    stage: Stage
    rng: random.Random
    seen: Seen = field(default_factory=Seen)
    until: float = 0.0
    absent: set[int] = field(default_factory=set)
    """The groups in which nobody can press anything now, since the bot is not there."""
    moved: dict[int, dict] = field(default_factory=dict)
    """What groups have become, by the numbers that they had."""

    async def opened(self, place: dict, people: list[dict], game: str, topic: int | None) -> str:
        """A table of *game* between *people* in *place*; its code."""
        fake, stage = self.stage.fake, self.stage
        asked = await fake.say(people[0], f"/play {game}", place, thread=topic)
        board = await asked.reply(60, predicate=lambda m: not m.ephemeral and _seats(m))
        code = _seats(board)[0]["callback_data"].split(".")[1]
        for person in people[1:]:
            sit = _seats(board)[0]
            await (await fake.press(person, board, stale=sit)).answered()
            await asyncio.sleep(1.0)
        start = [b for b in board.buttons if b.get("callback_data", "").startswith("g.")]
        if (await stage.table(code)).position is None and start:
            await (await fake.press(people[0], board, stale=start[0])).answered()

        async def playing() -> bool:
            return (await stage.table(code)).position is not None

        await stage.until(playing, 60)
        stage.known.add(code)
        return code

    def boards(self, who: dict, place: dict, code: str) -> list[Any]:
        """The messages with buttons of the table *code* that *who* sees in *place*."""
        found = []
        for message in self.stage.fake.sees(who, place):
            codes = [b.get("callback_data", "") for b in message.buttons]
            if any(one.split(".")[1:2] == [code] for one in codes):
                found.append(message)
        return found

    async def plays(self, who: dict, place: dict, code: str) -> None:
        """*who* plays at the table *code*, by what their client shows."""
        rng = random.Random(f"{who['id']} {code}")
        while time.monotonic() < self.until:
            await asyncio.sleep(rng.uniform(*self.seen.thinks))
            if await self.stage.over(code):
                return
            place = self.moved.get(place["id"], place)
            if not self._is_in(who, place):
                continue
            boards = [m for m in self.boards(who, place, code) if m.photo]
            if not boards:
                continue
            board = boards[-1]
            if not _calls_on(who, board.text.split("\n")[0]):
                continue
            moves = [b for b in board.buttons if b.get("style") and _is_move(b)]
            if rng.random() < 0.08:
                moves = [b for b in board.buttons if b.get("callback_data", "").startswith("z.")]
            if not moves:
                continue
            await self.pressed(who, board, rng.choice(moves), code)

    def _is_in(self, who: dict, place: dict) -> bool:
        """Whether *who* can press something in *place*, and the bot hears of it."""
        return place["id"] not in self.absent and self.stage.fake._in(place, who["id"])

    async def pressed(self, who: dict, board: Any, button: dict, code: str) -> None:
        stage = self.stage
        before = (await stage.table(code)).version
        handle = await stage.fake.press(who, board, stale=button)
        self.seen.handles.append(handle)
        with suppress(TimeoutError):
            # Whoever hears nothing is counted at the end.
            await handle.answered(20)
        after = (await stage.table(code)).version
        if after > before and handle.answer is not None:
            asyncio.get_running_loop().create_task(
                self.pictured(board.chat_id, code, after, handle.answer_t)
            )

    async def pictured(self, place: int, code: str, version: int, since: float) -> None:
        """Note when the board of *version* stood there."""
        began = time.monotonic()
        while time.monotonic() - began < 60:
            async with self.stage.store.reading() as tx:
                rows = await stored.views_of_game(tx, code)
            if rows and min(row.shown for row in rows) >= version:
                self.seen.pictures.append((place, max(0.0, time.monotonic() - since)))
                return
            await asyncio.sleep(0.1)
        self.seen.late += 1

    async def passes_by(self, who: dict, place: dict, topics: tuple[int | None, ...]) -> None:
        """*who* presses what is not theirs, and types a command now and then."""
        rng, fake = random.Random(who["id"]), self.stage.fake
        while time.monotonic() < self.until:
            await asyncio.sleep(rng.uniform(4.0, 9.0))
            place = self.moved.get(place["id"], place)
            if not self._is_in(who, place):
                continue
            if rng.random() < 0.12:
                await fake.say(
                    who,
                    rng.choice(COMMANDS.get(who["language_code"], COMMANDS["en"])),
                    place,
                    thread=rng.choice(topics),
                )
                continue
            boards = [m for m in fake.sees(who, place) if m.photo and m.buttons]
            if boards:
                board = rng.choice(boards)
                buttons = [b for b in board.buttons if "callback_data" in b]
                if buttons:
                    handle = await fake.press(who, board, stale=rng.choice(buttons))
                    self.seen.strangers.append(handle)


def _seats(message: Any) -> list[dict]:
    """The buttons of an invitation that sit somebody down."""
    return [b for b in message.buttons if b.get("callback_data", "").startswith("j.")]


def _calls_on(who: dict, headline: str) -> bool:
    """Whether it is the turn of *who* by the first line of a board, or they are called by it."""
    name = who["first_name"]
    return name in headline if headline.startswith("▶") else headline.startswith(f"{name}:")


def _is_move(button: dict) -> bool:
    return button.get("callback_data", "").startswith("m.")


async def lively(folder: Path, seconds: float, old: float, *, brisk: bool, free: bool) -> str:
    """The groups for so many *seconds*; what came of it in a few lines.

    *free* says that ephemeral messages do not count against the limits, which nobody knows.
    """
    options = {"flood": True, "flood_penalty": True, "ephemeral_counts": not free}
    async with staged(folder, **options) as stage:
        return await _lively(stage, seconds, old, brisk=brisk)


async def _lively(stage: Stage, seconds: float, old: float, *, brisk: bool) -> str:
    rng, fake = random.Random(35), stage.fake
    people = [
        fake.add_user(f"P{n}x", lang=("es", "en")[n % 2], ephemeral=rng.random() >= old)
        for n in range(30)
    ]
    places = [
        fake.add_group("Lively", people[:12]),
        fake.add_group("Forum", people[12:22], forum=True),
        fake.add_group("Basic", people[22:], basic=True),
    ]
    for person in people[::3]:
        await fake.start_bot(person)
    members = [people[:12], people[12:22], people[22:]]
    topics: list[tuple[int | None, ...]] = [(None,), (None,), (None,)]
    topics[1] = tuple(fake.add_topic(places[1], name) for name in ("One", "Two"))
    group, seats = Group(stage, rng), []
    if brisk:
        group.seen.thinks = (THINKS[0] / 2, THINKS[1] / 2)
    for number in range(10):
        at = number % 3
        free = members[at]
        pair = number // 3 * 2
        several = 3 if GAMES[number % 8] == "parchis" else 2
        chairs = [free[(pair + n) % len(free)] for n in range(several)]
        topic = topics[at][number // 3 % len(topics[at])]
        code = await group.opened(places[at], chairs, GAMES[number % 8], topic)
        seats.append((code, places[at], chairs))
    slow(stage)
    began, asked = time.monotonic(), len(fake.records)
    group.until = began + seconds
    works = [group.plays(who, place, code) for code, place, chairs in seats for who in chairs]
    for at, place in enumerate(places):
        works += [group.passes_by(who, place, topics[at]) for who in members[at][-4:]]
    await asyncio.gather(*works)
    await asyncio.sleep(25.0)
    await stage.until(partial(_nothing_owed, stage), 90)
    clean(stage)
    return _told(stage, group, asked, seconds + 25.0)


async def _nothing_owed(stage: Stage) -> bool:
    async with stage.store.reading() as tx:
        return not await stored.owing_views(tx)


def _told(stage: Stage, group: Group, asked: int, seconds: float) -> str:
    fake, seen = stage.fake, group.seen
    calls = Counter(one.method for one in fake.records[asked:])
    shown = [wait for _, wait in seen.pictures]
    presses = len(seen.handles)
    walls = [m for m in fake.messages.values() if m.chat_id < 0 and _is_wall(m)]
    calling = [m for m in walls if _is_unanswered(fake, m, seen)]
    left = [m for m in walls if m not in calling]
    counted = sum(count for name, count in calls.items() if _PACED.match(name))
    moves = max(1, len(shown))
    lines = (
        f"presses {presses} of players, {len(seen.strangers)} of others, "
        f"unanswered {sum(h.answer is None for h in (*seen.handles, *seen.strangers))}",
        f"moves {len(shown) + seen.late}, picture {spread(shown)}, {seen.late} not within 60 s",
        f"told to wait {seen.waits()} ({100 * seen.waits() / max(1, presses):.0f} %), "
        f"told in how many seconds {seen.foretold()}",
        f"calls {dict(calls.most_common())}",
        f"sent: {dict(Counter(map(_kind, fake.records[asked:])).most_common())}",
        f"against the pace a move {counted / moves:.2f}; without ephemeral messages "
        f"{(counted - _ephemeral(fake, asked)) / moves:.2f}",
        *_by_place(stage, seen, asked, seconds),
        f"429: {sum(one.status == 429 for one in fake.records)}",
        f"calls that stand, each to somebody who has not acted since: {len(calling)}",
        f"left behind by the bot, besides boards, invitations and these: {len(left)}",
        *(f"  {m.text[:70]!r}" for m in left[:12]),
    )
    return "\n".join(lines)


def spread(waits: list[float]) -> str:
    """How long a picture took, in the middle, at nine tenths and at most."""
    waits = sorted(waits) or [0.0]
    tenth = waits[int(0.9 * (len(waits) - 1))]
    return f"p50 {statistics.median(waits):.1f} s, p90 {tenth:.1f} s, max {waits[-1]:.1f} s"


def _by_place(stage: Stage, seen: Seen, asked: int, seconds: float) -> Iterator[str]:
    """What was spent in each place of what it takes, and how long its moves waited."""
    for place in sorted({at for at, _ in seen.pictures}, reverse=True):
        paced = [
            one
            for one in stage.fake.records[asked:]
            if _PACED.match(one.method) and str((one.params or {}).get("chat_id")) == str(place)
        ]
        kinds = dict(Counter(map(_kind, paced)).most_common())
        moves = [wait for at, wait in seen.pictures if at == place]
        yield (
            f"in {place}: {len(paced)} of {18 * seconds / 60:.0f} calls {kinds}, "
            f"{len(moves)} moves, picture {spread(moves)}"
        )


def _kind(record: Any) -> str:
    """What a call is for."""
    told = record.params or {}
    if "ephemeral_message_parameters" in told or "Ephemeral" in record.method:
        return "for one person"
    if record.method.startswith("edit"):
        return "boards" if record.method == "editMessageMedia" else "steps"
    if not record.method.startswith("send"):
        return "free of pace"
    if record.method == "sendPhoto":
        return "new boards"
    return "calls and words" if "tg://user" in str(told.get("text")) else "cards and words"


def _ephemeral(fake: Any, asked: int) -> int:
    """How many of the calls that count were of messages that one person sees."""
    found = 0
    for one in fake.records[asked:]:
        if _PACED.match(one.method):
            params = one.params or {}
            found += "ephemeral_message_parameters" in params or "Ephemeral" in one.method
    return found


def _is_unanswered(fake: Any, message: Any, seen: Seen) -> bool:
    """Whether *message* calls people of whom none has pressed anything since at that table."""
    called = {who for _, who, one, _ in fake.notifications if one.id == message.id}
    board = (message.data.get("reply_to_message") or {}).get("message_id")
    since = message.history[0][0]
    answered = any(
        one.user["id"] in called and one.injected > since and one.message.id == board
        for one in (*seen.handles, *seen.strangers)
    )
    return bool(called) and not answered


def _is_wall(message: Any) -> bool:
    """Whether *message* is none of a board, a result or an invitation."""
    if not message.data.get("_mine") or message.photo is not None:
        return False
    codes = [b.get("callback_data", "") for b in message.buttons]
    return not any(one[:2] in ("j.", "c.", "g.") for one in codes)


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m tests.drives.telegram_group", description=__doc__
    )
    parser.add_argument("--seconds", type=float, default=SECONDS)
    parser.add_argument("--old", type=float, default=0.0, help="share of old clients")
    parser.add_argument("--brisk", action="store_true", help="people who think half as long")
    parser.add_argument("--free", action="store_true", help="ephemeral messages cost no pace")
    asked = parser.parse_args()
    if not emulators():
        print(f"There are no emulators in {EMULATORS}: nothing is driven.")
        return
    with tempfile.TemporaryDirectory() as folder:
        try:
            how = lively(
                *(Path(folder), asked.seconds, asked.old), brisk=asked.brisk, free=asked.free
            )
            print(asyncio.run(how))
        except (AssertionError, TimeoutError) as wrong:
            print(f"FAIL {type(wrong).__name__} {wrong}")
            log = Path(folder) / "bot.log"
            print(log.read_text()[-3000:] if log.exists() else "", file=sys.stderr)
            sys.exit(1)


if __name__ == "__main__":
    main()
