"""Boards where the bot is no member: whole games on the answers to guests and on inline messages.

``python -m tests.drives.telegram_guests`` plays each game once in each of three houses: pictures by
an address of the page, by ids of copies in a chat of the operator's, and none. The bot is a process
of its own, and killed in the middle of every game. ``--moves 30`` ends each game after so many.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import signal
import socket
import sys
import tempfile
import time
import urllib.request
from pathlib import Path
from typing import Any

from games.core.shelf import shelf
from tests.drives.world import MOVE, bot_process, emulators, require_emulators

WAYS = ("address", "store", "words", "topics")
"""How pictures come; in topics of a private chat they are uploaded."""

OWN = 0.25
"""The share of moves that are made by messages of one's own."""

START, SET_UP = "Start", "Set up mine"
"""Keys of boards."""

LATER = ("·", "🎲 Roll next")
"""Keys that do nothing, or nothing on every board that shows them."""

PATIENCE = 40.0
"""The seconds that a board may take."""


def fetching(port: int) -> type[Any]:
    """The emulator, which fetches pictures at addresses as Telegram does, from *port* here."""
    assert emulators()
    from fake_telegram import ApiError, FakeTelegram
    from harness_common import store

    class Fetching(FakeTelegram):  # type: ignore[misc]
        fetched = 0

        def _media(self, kind: str, value: Any, files: Any, r: Any) -> Any:
            if isinstance(value, str) and value.startswith("https://"):
                address = f"http://127.0.0.1:{port}/{value.split('/', 3)[3]}"
                try:
                    with urllib.request.urlopen(address, timeout=5) as found:
                        data = found.read()
                except OSError:
                    raise ApiError(400, "Bad Request: failed to get HTTP URL content") from None
                self.fetched += 1
                files = {"it": store(self.outdir, r.n, "photo", "board.png", data)}
                value = "attach://it"
            return super()._media(kind, value, files, r)

    return Fetching


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def keys(board: Any) -> list[str]:
    """The codes of the keys of *board* that move."""
    return [one["callback_data"] for one in board.buttons if _moves(one)]


def shown(board: Any, label: str) -> bool:
    """Whether *board* has a key that says *label*."""
    return any(one["text"] == label for one in board.buttons)


def over(board: Any) -> bool:
    """Whether *board* shows an ended game, or is gone since it was won and comes anew."""
    return board.deleted or board.text.startswith("★")


def changed(board: Any, edits: int) -> bool:
    """Whether *board* shows something new since so many *edits*."""
    return board.deleted or len(board.history) > edits


def _moves(button: Any) -> bool:
    return button.get("callback_data", "").startswith(MOVE) and button["text"] not in LATER


async def until(found: Any, seconds: float = PATIENCE) -> bool:
    """Whether *found* answers true within *seconds*."""
    end = time.monotonic() + seconds
    while not found():
        if time.monotonic() > end:
            return False
        await asyncio.sleep(0.02)
    return True


class Guests:
    """One house without a group of its own, and what is played in it."""

    def __init__(self, fake: Any, bot: Any, most: int, seed: int) -> None:
        self.fake, self.bot, self.most = fake, bot, most
        self.chance = random.Random(seed)
        self.refused = self.presses = self.lost = self.own = 0

    async def begin_in_topic(self, game: str) -> Any:
        """A board of Alice's against the computer, in a topic of her private chat."""
        fake, known = self.fake, set(self.fake.messages)
        await fake.say(fake.A, f"/play {game} computer 1")

        def found() -> Any:
            new = [fake.messages[key] for key in set(fake.messages) - known]
            return next((one for one in new if "photo" in one.data and keys(one)), None)

        assert await until(found, PATIENCE), (game, [one.text for one in fake.messages.values()])
        board = found()
        assert board.data.get("message_thread_id"), "no topic"
        return board

    async def begin(self, game: str, *, inline: bool) -> Any:
        """A board on which Alice and Bob play *game*, in a chat where the bot is no member."""
        fake = self.fake
        chat = fake.add_group("Elsewhere", [fake.A, fake.B, fake.C], bot=None)
        if inline:
            board = await fake.choose(await fake.inline_query(fake.A, game, chat=chat))
        else:
            asked = await fake.summon(fake.A, f"@{fake.me['username']} {game}", chat)
            board = await asked.reply()
        await self.press(fake.A if inline else fake.B, board, "Sit down")
        await until(lambda: len(board.buttons) > 1)
        if inline:
            await self.press(fake.B, board, "Sit down")
        await until(lambda: keys(board) or shown(board, SET_UP), 1.0)
        if shown(board, START):
            await self.press(fake.A, board, START)
        if shown(board, SET_UP):
            for user in (fake.A, fake.B):
                await self.set_up(user, board)
        assert await until(lambda: keys(board)), (game, board.text, board.labels)
        return board

    async def set_up(self, user: Any, board: Any) -> None:
        """Make in private the set-up of *user* to which *board* leads."""
        pressed = await self.fake.press(user, board, SET_UP)
        self.presses += 1
        heard = await pressed.answered(PATIENCE)
        assert heard.get("url"), ("no link to the set-up", heard)
        link = heard["url"]
        asked = await self.fake.follow_link(user, link)
        own = await asked.reply(PATIENCE, lambda shown: bool(keys(shown)))
        while codes := keys(own):
            edits = len(own.history)
            await self.press(user, own, code=self.chance.choice(codes))
            if not await until(lambda edits=edits: len(own.history) > edits, 5.0):
                break

    async def press(self, user: Any, board: Any, label: str = "", code: str = "") -> str:
        """Press; answers what the presser hears."""
        self.presses += 1
        pressed = await self.fake.press(user, board, label or None, data=code or None)
        try:
            answer = await pressed.answered(PATIENCE)
        except (AssertionError, TimeoutError):
            self.lost += 1
            return ""
        return str(answer.get("text", ""))

    async def move_by_message(self, board: Any, code: str) -> bool:
        """Whether a message of somebody's own has moved on *board*, which has a key of *code*."""
        fake, edits, table = self.fake, len(board.history), code.split(".")[1]
        for user in (fake.A, fake.B):
            typed = f"{table} "
            while typed:
                asked = await fake.inline_query(user, typed, chat=board.place, timeout=PATIENCE)
                listed = [n for n, one in enumerate(asked.results) if one["id"].startswith(MOVE)]
                if not listed:
                    break
                chosen = self.chance.choice(listed)
                keys_of = asked.results[chosen].get("reply_markup")
                await fake.choose(asked, chosen, chat=board.place)
                typed = ""
                if keys_of:
                    typed = keys_of["inline_keyboard"][0][0]["switch_inline_query_current_chat"]
                elif await until(lambda: len(board.history) > edits):
                    return True
        return False

    async def play(self, board: Any) -> int:
        """Play *board* to its end, or ``most`` moves; answers how many were made."""
        fake, moves, kill = self.fake, 0, self.chance.randrange(3, 9)
        # Between two moves the computer may think, or a board be late.
        while await until(lambda: keys(board) or over(board)) and moves < self.most:
            codes = keys(board)
            if not codes:
                break
            if moves == kill:
                if board.inline:
                    heard = await self.press(fake.C, board, code=self.chance.choice(codes))
                    self.refused += bool(heard)
                await self.bot.restart(signal.SIGKILL)
                await fake.wait_ready(bot=self.bot, timeout=120)
                kill = -1
            code, edits = self.chance.choice(codes), len(board.history)
            turn = board.text.split("\n")[0]
            first = fake.B if "Bob" in turn else fake.A
            if (
                board.inline
                and self.chance.random() < OWN
                and await self.move_by_message(board, code)
            ):
                moves += 1
                self.own += 1
                continue
            other = fake.A if first is fake.B else fake.B
            for user in (first, other) if board.inline else (fake.A,):
                heard = await self.press(user, board, code=code)
                if await until(lambda edits=edits: changed(board, edits), 3.0):
                    moves += 1
                    break
            else:
                if not await until(lambda edits=edits: changed(board, edits)):
                    self.lost += 1
                    print("no board after", code, repr(heard), board.text[:200])
                    return moves
        return moves


async def drive(way: str, folder: Path, most: int, seed: int, games: list[str]) -> bool:
    """Play all *games* where pictures come by *way*; whether nothing was lost."""
    port, env = free_port(), {"LUDOTECA_LANGUAGE": "en"}
    env |= {"WEB_PORT": str(port)}
    async with fetching(port)(
        folder / "out", guest=True, private_topics=way == "topics", human_delay=0
    ) as fake:
        if way == "address":
            env |= {"WEB_PUBLIC_URL": "https://play.example.org"}
        elif way == "store":
            env |= {"TELEGRAM_STORE_CHAT": str(fake.add_group("Store", [fake.A])["id"])}
        bot = await bot_process(folder, fake, **env).start()
        await fake.wait_ready(bot=bot, timeout=120)
        at = Guests(fake, bot, most, seed)
        for number, game in enumerate(games):
            inline, began = bool(number % 2), time.monotonic()
            kind = way if way == "topics" else "inline" if inline else "guest"
            if way == "topics":
                board = await at.begin_in_topic(game)
            else:
                board = await at.begin(game, inline=inline)
            moves, pictured = await at.play(board), "photo" in board.data
            took = time.monotonic() - began
            print(
                f"{way:8} {game:18} {kind:6} {moves:4} moves, {took:5.1f} s, picture {pictured},"
                f" over {over(board)}: {board.text.splitlines()[0][:70]}",
                flush=True,
            )
            if pictured != (way != "words") or not (over(board) or moves == most):
                at.lost += 1
        late = fake.unanswered
        print(f"{way:8} {at.presses} presses, {len(late)} unanswered, {at.lost} lost,", end=" ")
        print(f"{at.own} moves by messages, {at.refused} strangers refused,", end=" ")
        print(f"{len(fake.violations)} violations", flush=True)
        for wrong in fake.violations[:5]:
            print("  ", wrong)
        await bot.stop()
        return not (at.lost or late or fake.violations)


def main() -> None:
    """Read the arguments, and drive."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--moves", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--ways", nargs="*", default=list(WAYS))
    parser.add_argument("--games", nargs="*", default=list(shelf()))
    told = parser.parse_args()
    require_emulators()
    good = True
    for way in told.ways:
        with tempfile.TemporaryDirectory(prefix="guests-") as folder:
            good &= asyncio.run(drive(way, Path(folder), told.moves, told.seed, told.games))
    sys.exit(not good)


if __name__ == "__main__":
    main()
