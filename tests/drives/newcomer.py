"""What a newcomer must do, and how long it takes: ``python -m tests.drives.newcomer``.

On an emulated Discord, which checks every request: commands, presses and seconds to a first board
with a person, to one with the computer, to changed settings, to a tournament that takes entries.
``--tree PATH`` walks there with the program of another checkout. Then, unless that is asked for:
every name that a command has in any language is typed on Telegram, and must be known there.
``--old PATH`` lets that checkout post its cards and boards first, and presses every button of them
and chooses every option once ours runs on the same database. Ends with 1 where anything is
unanswered, unknown or against the specification, or registered beyond Discord's limits.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bot.facade import COMMANDS
from bot.texts import LANGUAGES
from tests.drives.world import EMULATORS, MOVE, ROOT, bot_process, emulators, require_emulators

LONGEST, SUBCOMMANDS, TOP = 8000, 25, 100
"""Characters of a command in its longest language, commands of a group, and all at the top."""

THIRD = 11
"""The type of a picture beside words."""

LIST = 3
"""The type of a list of options, which is opened before one is chosen."""

GREEN = 3
"""The style of a key that goes on."""


@dataclass
class Walk:
    """What one person does on an emulated Discord until they are where they wanted to be."""

    fake: Any
    me: Any
    friend: Any
    typed: int = 0
    pressed: int = 0
    began: float = 0.0

    async def command(self, who: Any, *names: str, **values: Any) -> Any:
        """Type that one of *names* which there is; its answer."""
        self.began = self.began or time.monotonic()
        self.typed += 1
        known = next(name for name in names if name in self.fake.command_names())
        return await (await self.fake.slash(who, known, values)).reply(timeout=30)

    async def press(self, who: Any, message: Any, **what: Any) -> Any:
        """Press a key of *message* and wait for what comes of it."""
        self.began = self.began or time.monotonic()
        self.pressed += 1
        handle = await self.fake.click(who, message, **what)
        await handle.acked()
        return handle

    async def choose(self, who: Any, message: Any, values: list[Any], code: str) -> None:
        """Choose *values* from the list *code*."""
        self.pressed += 2  # the list is opened first
        await (await self.fake.select(who, message, values, custom_id=code)).acked()

    async def until(self, found: Callable[[], Any]) -> Any:
        """What *found* answers once it is something."""
        await self.fake.w.until(found, 30, "what the newcomer waits for")
        return found()

    def shown(self, goal: Callable[[Any], bool]) -> Any:
        """The newest message that reaches the *goal*."""
        every = [one for one in self.fake.messages.values() if not one.deleted]
        return next((one for one in reversed(every) if goal(one)), None)


def key(message: Any, *starts: str, style: int | None = None) -> str | None:
    """The code of the first living key of *message* whose label begins so, or that has *style*."""
    for one in message.buttons:
        if one.get("disabled") or "custom_id" not in one:
            continue
        if one["label"].startswith(starts or "") and style in (None, one["style"]):
            return str(one["custom_id"])
    return None


def plays(message: Any) -> bool:
    """Whether *message* is a board on which a move can be made."""
    return any(one.get("custom_id", "").startswith(MOVE) for one in message.buttons)


async def _sheet(walk: Walk) -> Any:
    """The sheet of a game of Niya, from the bare command."""
    shelf = await walk.command(walk.me, "play")
    kinds = [one["type"] for one in shelf.components]
    print(f"  the shelf has {kinds.count(THIRD)} pictures")
    await walk.press(walk.me, shelf, custom_id=key(shelf, "Niya"))
    await walk.until(lambda: shelf.selects)
    return shelf


async def with_person(walk: Walk) -> None:
    """To the first board of a game with somebody, by keys alone."""
    sheet = await _sheet(walk)
    who = next(one["custom_id"] for one in sheet.selects if ".who." in one["custom_id"])
    await walk.choose(walk.me, sheet, [walk.friend], who)
    await walk.press(walk.me, sheet, custom_id=await walk.until(lambda: key(sheet, "Challenge")))
    asked = await walk.until(lambda: walk.shown(lambda one: bool(key(one, "Accept"))))
    await walk.press(walk.friend, asked, label="Accept")
    await walk.until(lambda: walk.shown(plays))


async def with_computer(walk: Walk) -> None:
    """To the first board of a game with the computer, by keys alone."""
    sheet = await _sheet(walk)
    level = next(one for one in sheet.selects if ".against," in one["custom_id"])
    await walk.choose(walk.me, sheet, [level["options"][0]["value"]], level["custom_id"])
    known = set(walk.fake.messages)
    await walk.press(walk.me, sheet, custom_id=await walk.until(lambda: key(sheet, "Start")))
    await walk.until(lambda: walk.shown(lambda one: one.id not in known and plays(one)))


async def by_greeting(walk: Walk) -> None:
    """To the first board, from what stands in a server to which the bot has been added."""
    guild = walk.fake.add_guild("New", [walk.me, walk.friend])
    await walk.fake.join_guild(guild)
    found = await walk.until(lambda: walk.shown(lambda one: bool(key(one, "Set up a game"))))
    handle = await walk.press(walk.me, found, custom_id=key(found, "Set up a game"))
    shelf = await handle.reply(timeout=30)
    await walk.press(walk.me, shelf, custom_id=key(shelf, "Niya"))
    await walk.press(walk.me, shelf, custom_id=await walk.until(lambda: key(shelf, "Open the")))
    found = await walk.until(lambda: walk.shown(lambda one: bool(key(one, "Sit down"))))
    known = walk.shown(plays)
    await walk.press(walk.friend, found, custom_id=key(found, "Sit down"))
    await walk.until(lambda: walk.shown(plays) is not known)


async def settings(walk: Walk) -> None:
    """To a dark theme and calls when nobody looks: two settings."""
    card = await walk.command(walk.me, "me settings", "settings")
    for form, name, wanted in (("Appearance", "theme", "dark"), ("Notif", "calls", "away")):
        if code := key(card, form):
            handle = await walk.press(walk.me, card, custom_id=code)
            asked = [part["component"] for part in handle.modal["components"]]
            field = next(one for one in asked if wanted in json.dumps(one).casefold())
            value = _option(field, wanted)
            walk.pressed += 2 + (field["type"] == LIST)  # the choice, and «Save»
            await (await walk.fake.submit_modal(handle, {field["custom_id"]: value})).acked()
        else:
            field = next(one for one in card.selects if f",{name}," in one["custom_id"])
            await walk.choose(walk.me, card, [_option(field, wanted)], field["custom_id"])
    await walk.until(lambda: "Theme: dark" in card.text or _chosen(card, "Theme: dark"))


def _chosen(card: Any, label: str) -> bool:
    """Whether the option *label* of a list of *card* is chosen."""
    every = [option for one in card.selects for option in one.get("options", ())]
    return any(one["label"] == label and one.get("default") for one in every)


def _option(field: Any, wanted: str) -> str:
    """The value of the option of *field* that is about *wanted*, or else of its last one."""
    for one in field["options"]:
        if wanted in json.dumps(one).casefold():
            return str(one["value"])
    return str(field["options"][-1]["value"])


async def tournament(walk: Walk) -> None:
    """To a tournament of Niya that takes entries, by the first green key of each card."""
    owner = walk.fake.owner  # who may open one
    card = await walk.command(owner, "tournament")
    await walk.press(owner, card, custom_id=key(card, "Niya"))
    code = await walk.until(lambda: key(card, style=GREEN))
    await walk.press(owner, card, custom_id=code)
    await walk.until(lambda: walk.shown(lambda one: not one.ephemeral and "tournament" in one.text))


WALKS = (with_person, with_computer, settings, tournament, by_greeting)


def oversized(fake: Any) -> list[str]:
    """What is registered beyond Discord's limits."""
    found, every = [], list(fake.commands["global"].values())
    slash = [one for one in every if one.get("type", 1) == 1]
    if len(slash) > TOP:
        found.append(f"{len(slash)} commands")
    for one in slash:
        inner = [part for part in one.get("options", ()) if part["type"] == 1]
        size = max(_characters(one, locale) for locale in ("", "es-ES", "es-419"))
        if len(inner) > SUBCOMMANDS or size > LONGEST:
            found.append(f"/{one['name']}: {len(inner)} in it, {size} characters")
    sizes = {one["name"]: max(_characters(one, at) for at in ("", "es-ES")) for one in slash}
    print(f"  {len(slash)} commands at the top, the longest {max(sizes.values())} characters")
    return found


def _characters(part: Any, locale: str) -> int:
    """The characters of names, descriptions and values of *part* that Discord counts."""
    told = sum(
        len((part.get(f"{what}_localizations") or {}).get(locale) or part.get(what) or "")
        for what in ("name", "description")
    )
    inner = (*part.get("options", ()), *part.get("choices", ()))
    return told + len(str(part.get("value", ""))) + sum(_characters(one, locale) for one in inner)


async def walk_all(folder: Path, tree: Path, patience: float) -> list[str]:
    """Walk everywhere with the program of *tree*; what is wrong."""
    from fake_discord import FakeDiscord

    async with FakeDiscord(folder / "out", human_delay=0) as fake:
        bot = await _program(folder, tree, fake).start()
        await fake.wait_ready(bot=bot, timeout=120)
        await asyncio.sleep(patience)  # until the pictures of buttons are there
        wrong = oversized(fake)
        for one in WALKS:
            walk = Walk(
                fake, fake.add_user(f"{one.__name__}"), fake.add_user(f"friend of {one.__name__}")
            )
            try:
                await one(walk)
            except (AssertionError, TimeoutError, StopIteration, TypeError, ValueError) as why:
                wrong.append(f"{one.__name__} is not reached: {why!r:.90}")
                continue
            took = time.monotonic() - walk.began
            told = f"{walk.typed} command, {walk.pressed} presses, {took:.1f} s"
            print(f"{one.__name__:14} {told}", flush=True)
        wrong += [str(one) for one in fake.violations]
        await bot.stop()
    return wrong


def _program(folder: Path, tree: Path, *fakes: Any) -> Any:
    """The program of *tree* as a process."""
    more = ":".join((f"{EMULATORS}/inject", str(tree), str(tree / "more")))
    env = {"LUDOTECA_LANGUAGE": "en", "PYTHONPATH": more}
    return bot_process(folder, *fakes, command=("-m", "bot.app.main"), **env)


# ---------------------------------------------------------------- old buttons


async def press_old(folder: Path, tree: Path) -> list[str]:
    """Press under ours whatever the program of *tree* has posted."""
    from fake_discord import FakeDiscord

    async with FakeDiscord(folder / "out", human_delay=0) as fake:
        bot = await _program(folder, tree, fake).start()
        await fake.wait_ready(bot=bot, timeout=120)
        walk = Walk(fake, fake.A, fake.B)
        await with_person(walk)
        cards = {}
        for name in fake.command_names():
            if "forgetme" not in name:
                await asyncio.sleep(1.5)  # nobody is told that they are too fast
                answer = await (await fake.slash(fake.A, name, {})).reply(30)
                cards[answer.id] = answer
        await bot.stop()
        bot = await _program(folder, ROOT, fake).start()
        await fake.wait_ready(bot=bot, timeout=120)
        cards |= {one.id: one for one in fake.messages.values() if not one.deleted}
        wrong, count, gone = list[str](), 0, 0
        for message in cards.values():
            for one in [*message.buttons, *message.selects]:
                code = one.get("custom_id")
                if not code or one.get("disabled"):
                    continue
                chosen = [option["value"] for option in one.get("options", ())][:1]
                person = [fake.B] if one["type"] == 5 else chosen
                try:
                    handle = await (
                        fake.click(fake.A, message, stale=one)
                        if one["type"] == 2
                        else fake.select(fake.A, message, person, custom_id=code)
                    )
                except Exception as why:  # the card shows something else by now
                    if type(why).__name__ != "ClientRefused":
                        raise
                    gone += 1
                    continue
                count += 1
                try:
                    await handle.acked()
                except (AssertionError, TimeoutError):
                    wrong.append(f"no answer to {code} of {message.text[:40]!r}")
                await asyncio.sleep(0.8)
        told = f"{count} old keys of {len(cards)} messages pressed, {gone} gone by then"
        print(f"{told}, {len(wrong)} unanswered")
        wrong += [str(one) for one in fake.violations]
        wrong += ["a traceback is in the log"] * ("Traceback" in bot.output)
        await bot.stop()
    return wrong


# ---------------------------------------------------------------- old names


async def type_all(folder: Path) -> list[str]:
    """Type every name of every command on Telegram; those that are not known there."""
    from fake_telegram import FakeTelegram

    names = {command.name_in(code) for command in COMMANDS for code in LANGUAGES}
    names |= {command.name for command in COMMANDS} - {"forgetme", "olvidame"}
    async with FakeTelegram(folder / "out", human_delay=0) as fake:
        bot = await _program(folder, ROOT, fake).start()
        await fake.wait_ready(bot=bot, timeout=120)
        people = [fake.add_user(f"P{number}") for number in range(12)]

        async def answer(who: Any, name: str) -> str:
            try:
                said = await (await fake.say(who, f"/{name}")).reply(20)
            except (AssertionError, TimeoutError):
                return ""
            return str(said.text)

        unknown = (await answer(people[0], "qwertyuiop")).split("qwertyuiop")[0][:12]
        wrong = []
        for number, name in enumerate(sorted(names)):
            said = await answer(people[number % len(people)], name)
            if not said or (unknown and said.startswith(unknown)):
                wrong.append(f"/{name}: {said[:60]!r}")
        print(f"{len(names)} names typed, {len(wrong)} not known ({unknown!r} is what that says)")
        wrong += [str(one) for one in fake.violations]
        await bot.stop()
    return wrong


def main() -> None:
    """Read the arguments, and walk."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--tree", type=Path, default=ROOT)
    parser.add_argument("--old", type=Path)
    parser.add_argument("--patience", type=float, default=40)
    told = parser.parse_args()
    require_emulators()
    assert emulators()
    ways: list[Callable[[Path], Awaitable[list[str]]]] = [
        lambda folder: walk_all(folder, told.tree.resolve(), told.patience)
    ]
    if told.tree == ROOT:
        ways.append(type_all)
    if told.old is not None:
        ways.append(lambda folder: press_old(folder, told.old.resolve()))
    wrong = []
    for way in ways:
        with tempfile.TemporaryDirectory(prefix="newcomer-") as folder:
            wrong += asyncio.run(way(Path(folder)))
    print(*wrong[:20], sep="\n")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
