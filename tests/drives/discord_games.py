"""Games on Discord as people play them, and people who try what they may not."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from typing import Any

from games.core.shelf import shelf as games
from tests.drives.bench import Bench, bench
from tests.drives.discord_checks import judged
from tests.drives.findings import told
from tests.drives.minds import button_for, wanted, written

HOSTILE = (
    "@everyone",
    "<@1> <@&2> <#3>",
    "**bold** __under__ ~~gone~~ ||spoiler||",
    "`code` ```block```",
    "# head\n> quote\n- list\n1. one",
    "[link](https://example.org) https://example.org",
    "\x00\x07\x1b[31m\u202eright to left\u2066",
    ":smile: <:x:1> <t:0:R>",
    "\\*not escaped\\*",
    "-# small",
    "ﷺ" * 30,
    "a" * 64,
)


async def buttons(folder: Path, full: bool) -> tuple[bool, str]:
    """Whole games by buttons alone."""
    async with bench(folder) as at:
        games, shown = 20 if full else 2, []
        for _ in range(games):
            message = await at.open()
            while not at.over(message):
                shown.append(await at.move(message))
            kept = len(message.images)
            if kept != 1 or not message.images[0].description:
                return False, f"{kept} pictures on a board, or no words beside it"
        return judged(at, f"{games} games, press to new board {told(shown)}")


async def shelf(folder: Path, full: bool) -> tuple[bool, str]:
    """Every game of the shelf, through its menus, at random."""
    async with bench(folder) as at:
        told_of = []
        for game in games():
            fixed = "setup=fixed" if game.startswith("storill") else ""
            message = await at.open(game=game, options=fixed)
            presses = menus = 0
            while presses < (300 if full else 30) and at.moves(message) and not at.over(message):
                head, edits = message.text, message.edits
                who, code = at.mover(message), at.rng.choice(at.moves(message))["custom_id"]
                await at.click(who, message, custom_id=code)
                await at.until(lambda m=message, e=edits: m.edits > e, "something new")
                menus += message.text.split("\n")[0] == head.split("\n")[0]
                presses += 1
                if len(message.images) != 1 or not message.images[0].description:
                    return False, f"{game}: {len(message.images)} pictures, or no words beside"
            most = max(len(m.components) for m in (message,))
            told_of.append(f"{game} {presses} presses ({menus} kept the turn, {most} components)")
        return judged(at, ", ".join(told_of))


async def hidden(folder: Path, full: bool) -> tuple[bool, str]:
    """A hidden set-up, each behind a private answer; the channel sees neither."""
    async with bench(folder) as at:
        fake = at.fake
        wish = {"game": "storilljudhjorrayc", "opponent": fake.B}
        message = await at.kept(await fake.slash(fake.A, "play", wish)).reply()
        await at.click(fake.B, message, label="Accept")
        await at.until(lambda: any("Set up" in b["label"] for b in message.buttons), "the set-up")
        for who in (fake.A, fake.B):
            board = repr((message.text, [one.description for one in message.images]))
            if "KM" in board:
                return False, "the channel saw a set-up"
            mine = await (await at.click(who, message, label="Set up mine")).reply()
            if not mine.ephemeral or "KM" not in mine.images[0].description:
                return False, "the set-up is not shown to its owner alone"
            ready = next(b for b in mine.buttons if "eady" in b["label"])
            await at.click(who, mine, custom_id=ready["custom_id"])
        await at.until(lambda: at.moves(message), "the battle")
        code = at.code(message)
        presses = await _to_the_end(at, message, code)
        return judged(at, f"both set up in private, both were shown, {presses} presses to the end")


async def parchis(folder: Path, full: bool) -> tuple[bool, str]:
    """Three people and a computer, to the end: one leaves, the process is killed once."""
    async with bench(folder) as at:
        fake = at.fake
        message = await at.kept(await fake.slash(fake.A, "play", {"game": "parchis"})).reply()
        people = [fake.A, fake.B, fake.C]
        for who in people[1:]:
            await at.click(who, message, label="Sit down")
        await at.click(people[0], message, label="+ computer")
        await at.until(lambda: at.moves(message), "the first board")
        presses = 0
        while not at.over(message):
            if not at.moves(message):
                await at.until(lambda: at.moves(message) or at.over(message), "a person's turn")
                continue
            edits, codes = message.edits, at.moves(message)
            code = at.rng.choice(codes)["custom_id"]
            await at.click(at.mover(message), message, custom_id=code)
            await at.until(lambda e=edits: message.edits > e, "the next board")
            presses += 1
            if presses == 30:
                await at.killed()
            if presses == 60:
                await at.kept(await fake.slash(people[2], "leave", {})).reply()
        dice = [n for (n,) in at.rows("select data from event where kind = 'draw' order by number")]
        if len(set(dice)) != len(dice):
            return False, "a die was rolled twice"
        return judged(at, f"{presses} presses, {len(dice)} dice")


async def _to_the_end(at: Bench, message: Any, code: str) -> int:
    """Play by buttons until the game is over; how many were pressed."""
    presses = 0
    while not at.over(message):
        table = at.table(code)
        (seat,) = table.actors()
        steps = await asyncio.to_thread(wanted, table, seat, at.rng)
        while at.table(code).version == table.version:
            edits, codes = message.edits, [b["custom_id"] for b in at.moves(message)]
            chosen = button_for(codes, steps)
            assert chosen, f"no button for {steps}"
            await at.click(at.mover(message), message, custom_id=chosen)
            await at.until(lambda e=edits: message.edits > e, "something new")
            presses += 1
        turns = at.table(code).turns
        await at.until(lambda t=turns: at.current(message, t), "the newest board")
    return presses


async def whole(folder: Path, full: bool) -> tuple[bool, str]:
    """Shogi, Cirya and Storilljuðjorrayc to their end by buttons."""
    async with bench(folder) as at:
        told_of = []
        for game in ("cirya", "shogi", "storilljudhjorrayc"):
            fixed = "setup=fixed" if game.startswith("storill") else ""
            message = await at.open(game=game, options=fixed)
            code = at.code(message)
            presses = await _to_the_end(at, message, code)
            ended = at.table(code)
            reason = ended.outcome.reason if ended.outcome else "?"
            told_of.append(f"{game} {len(ended.log)} plies, {presses} presses: {reason}")
        return judged(at, "; ".join(told_of))


async def typed(folder: Path, full: bool) -> tuple[bool, str]:
    """A whole game typed, every move completed from what is legal."""
    async with bench(folder) as at:
        fake, moves = at.fake, 0
        message = await at.open()
        while not at.over(message):
            who, edits = at.mover(message), message.edits
            found = await fake.autocomplete(who, "move", {"move": ""}, "move")
            at.kept(fake.last_autocomplete)
            said, value = at.rng.choice(found)
            if not 0 < len(found) <= 25 or value not in said:
                return False, f"completions {found}"
            handle = at.kept(await fake.slash(who, "move", {"move": value.lower()}))
            answer = await handle.reply()
            if not answer.ephemeral:
                return False, "an answer to /move that everybody sees"
            await at.until(lambda e=edits: message.edits > e, "the next board")
            moves += 1
        for command, focused in (("play", "game"), ("rules", "game"), ("board", "table")):
            found = await fake.autocomplete(fake.A, command, {focused: ""}, focused)
            at.kept(fake.last_autocomplete)
            if not 0 < len(found) <= 25:
                return False, f"/{command} {focused}: {found}"
        return judged(at, f"{moves} moves")


async def completed(folder: Path, full: bool) -> tuple[bool, str]:
    """Shogi and Cirya typed to their end, each move found among the completions."""
    async with bench(folder) as at:
        fake, told_of = at.fake, []
        for game in ("cirya", "shogi"):
            message = await at.open(game=game)
            code = at.code(message)
            while not at.over(message):
                table = at.table(code)
                (seat,) = table.actors()
                text = await asyncio.to_thread(written, table, seat, at.rng)
                who, edits = at.mover(message), message.edits
                values = {"move": text[: max(2, len(text) - 1)], "table": code}
                found = await fake.autocomplete(who, "move", values, "move")
                at.kept(fake.last_autocomplete)
                if text not in [value for _, value in found]:
                    return False, f"{game}: {text} is not among {found}"
                at.kept(await fake.slash(who, "move", {"move": text, "table": code}))
                await at.until(lambda e=edits, m=message: m.edits > e, "the next board")
                turns = at.table(code).turns
                await at.until(lambda m=message, t=turns: at.current(m, t), "the newest board")
            told_of.append(f"{game} {len(at.table(code).log)} plies")
        return judged(at, ", ".join(told_of))


async def commands(folder: Path, full: bool) -> tuple[bool, str]:
    """Every command, in a server, in private, in a thread and from a person's own install."""
    async with bench(folder) as at:
        fake = at.fake
        message = await at.open()
        thread = fake.add_channel(
            fake.guild, "thread", type=11, parent=fake.channel["id"], owner_id=fake.A["id"],
            message_count=0, member_count=1, total_message_sent=0,
            thread_metadata={
                "archived": False, "auto_archive_duration": 1440, "locked": False,
                "archive_timestamp": "2026-01-01T00:00:00+00:00",
            },
        )  # fmt: skip
        for name, values in (
            ("board", {"form": "text"}), ("board", {}), ("games", {}), ("rules", {"game": "niya"}),
            ("why", {"move": "zz"}), ("record", {}), ("help", {}), ("help", {"command": "play"}),
            ("draw", {}), ("undo", {}), ("verify", {}), ("words", {"text": "hello"}),
            ("close", {}), ("language", {"language": "en"}), ("resign", {}), ("rematch", {}),
        ):  # fmt: skip
            handle = at.kept(await fake.slash(fake.A, name, values))
            answer = await handle.reply()
            public = name == "board"
            if answer.ephemeral is public and not (name == "board" and "**" not in answer.text):
                return False, f"/{name} {values} is seen by the wrong ones: {answer.text[:80]}"
        # In private one plays the computer, also in a thread and where we are no member.
        places: dict[str, dict[str, Any]] = {
            "private": {"dm": True},
            "thread": {"channel": thread},
            "install": {"guild": fake.add_guild("Elsewhere", foreign=True), "user_install": True},
        }
        for where in places.values():
            values = {"game": "niya", "level": "1"}
            handle = at.kept(await fake.slash(fake.C, "play", values, **where))
            message = await handle.reply()
            for _ in range(3):
                await at.until(lambda m=message: at.moves(m) and "Carol" in m.text, "her turn")
                if at.over(message):
                    break
                await at.move(message)
        menu = at.kept(await fake.context_menu(fake.A, "Challenge", fake.C))
        sheet = await menu.reply()
        await at.click(fake.A, sheet, label=re.compile("^Niya"))
        pressed = await at.click(fake.A, sheet, label="Challenge Carol")
        await pressed.reply()
        board = await fake.next_message(lambda m: "Alice challenges Carol" in m.text, after=0)
        await at.click(fake.C, board, label="Accept")
        return judged(at, f"{len(at.handles)} interactions in {1 + len(places)} kinds of places")


async def strangers(folder: Path, full: bool) -> tuple[bool, str]:
    """Foreign, untimely, stale and forged presses: a private no, and nothing changes."""
    async with bench(folder) as at:
        fake = at.fake
        message = await at.open()
        stale = dict(at.moves(message)[0])
        await at.move(message)
        await at.move(message)
        before = at.log_length(message)
        good = at.moves(message)[0]["custom_id"]
        forged = [good[:-1] + "~", "m", ".", "x" * 100, "💥", "challenge.x", "m.AAAAAA.0..aaaaaa"]
        tried = [(fake.C, at.moves(message)[0]), (at.mover(message), stale)]
        tried += [(at.other(message, (fake.A, fake.B)), at.moves(message)[0])]
        tried += [(fake.A, {"custom_id": code, "type": 2, "style": 1}) for code in forged]
        private = 0
        for who, button in tried * (20 if full else 1):
            handle = await at.click(who, message, stale=button)
            if handle.type == 4:
                private += handle.message.ephemeral
        after = at.log_length(message)
        good = before == after and private >= len(tried) - 1
        counted = len(tried) * (20 if full else 1)
        said = f"{counted} presses, {private} private answers, {after - before} moves"
        return judged(at, said, good=good)


async def servers(folder: Path, full: bool) -> tuple[bool, str]:
    """Nothing of one server's tables is seen from another."""
    async with bench(folder) as at:
        fake = at.fake
        message = await at.open()
        code = at.code(message)
        away = fake.add_guild("Away", [fake.C, fake.owner, fake.bot])
        await fake.emit("GUILD_CREATE", fake._guild_payload(away), away["id"])
        leaks = []
        for name in ("move", "board", "join", "leave", "resign", "draw", "undo", "record", "words"):
            values = {"move": "x", "text": "x"} if name in ("move", "words") else {}
            keys = {o["name"] for o in fake.command(name)["options"]}
            values = {key: value for key, value in values.items() if key in keys}
            found = await fake.autocomplete(
                fake.C, name, {**values, "table": ""}, "table", guild=away
            )
            at.kept(fake.last_autocomplete)
            if any(code in said for pair in found for said in pair):
                leaks.append(f"completions of {name}")
            if name == "join":
                continue
            handle = at.kept(await fake.slash(fake.C, name, values, guild=away))
            answer = await handle.reply()
            if code in answer.text or "Alice" in answer.text:
                leaks.append(f"/{name}")
        handle = at.kept(await fake.slash(fake.C, "games", guild=away))
        if code in (await handle.reply()).text:
            leaks.append("/games")
        return judged(at, f"leaks: {leaks or 'none'}", good=not leaks)


async def hostile(folder: Path, full: bool) -> tuple[bool, str]:
    """Names and notation full of marks and mentions ping nobody and break nothing."""
    async with bench(folder) as at:
        fake, tried = at.fake, 0
        for number, text in enumerate(HOSTILE * (10 if full else 1)):
            host, guest = fake.add_user(f"h{number}"), fake.add_user(f"g{number}")
            host["global_name"], guest["global_name"] = text, text[::-1]
            values = {"game": "niya", "opponent": guest}
            handle = at.kept(await fake.slash(host, "play", values))
            message = await handle.reply()
            await at.click(guest, message, label="Accept")
            for name in ("move", "why", "words", "help", "rules", "join", "play"):
                key = {"help": "command", "rules": "game", "join": "table", "play": "game",
                       "words": "text"}.get(name, "move")  # fmt: skip
                handle = at.kept(await fake.slash(host, name, {key: text}))
                await handle.reply()
                tried += 1
        pings = [
            m
            for m in fake.records
            if isinstance(m.body, dict) and (m.body.get("allowed_mentions") or {}).get("parse")
        ]
        loud = [m for m in fake.messages.values() if m.data["mention_everyone"]]
        said = f"{tried} texts, {len(pings) + len(loud)} that could ping"
        return judged(at, said, good=not pings and not loud)


DRIVES = {
    "buttons": buttons,
    "shelf": shelf,
    "hidden": hidden,
    "parchis": parchis,
    "whole": whole,
    "typed": typed,
    "completed": completed,
    "commands": commands,
    "strangers": strangers,
    "servers": servers,
    "hostile": hostile,
}
