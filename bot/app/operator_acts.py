"""What the operator's commands ask of the bot that runs: each act by its name.

An act takes a facade and words, and says in one sentence what it has done. It may be asked for
again after a kill, so it must do nothing twice. A new one is a row of ``ACTS``, one of
``bot.app.operator_client.ACT_WORDS``, and a command.
"""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path

from bot.app.ban_commands import BAN_ACTS
from bot.app.output import REFUSED, STUMBLED, CommandError, UnknownPerson
from bot.app.shell_texts import shell_sentence
from bot.app.status import told_status
from bot.chats.web.doors.house_invitations import make_invitation
from bot.facade import (
    LONGEST_ANNOUNCEMENT,
    BadArchive,
    ChatError,
    Operator,
    PuzzleOrigin,
    Stumbled,
    cleaned,
)
from games.core.school import lesson_data, read_lesson
from games.core.shelf import find_game
from storage.errors import (
    DatabaseAway,
    DatabaseBusy,
    DatabaseFull,
    SecondProcess,
    StorageError,
)
from storage.person import people

PASSING = (Stumbled, DatabaseAway, DatabaseBusy, DatabaseFull, SecondProcess)
"""What may be over without a change of the settings: a bot that is started again may run."""


async def _forget(operator: Operator, platform: str, external: str) -> str:
    """Forget the person with this id on *platform*, or ``@name`` if only that is known."""
    key = external.casefold() if external.startswith("@") else external
    person = await operator.store.read(people.find_person, platform, key)
    if person is None:
        raise UnknownPerson(platform, external)
    await operator.forget(person.id)
    return shell_sentence("forgotten")


async def _invite(operator: Operator, days: str, count: str, at: str) -> str:
    """Make an address that lets *count* people into the page *at* for *days* days."""
    if not at:
        raise CommandError(shell_sentence("no-public-page"))
    return f"{at}{await make_invitation(operator.notes, int(days), int(count))}"


async def _import(operator: Operator, file: str, platform: str, place: str) -> str:
    """Import the file of another house into the place with this id on *platform*."""
    try:
        found = await operator.import_place(Path(file), platform, place)
    except (BadArchive, OSError) as wrong:
        why = wrong.strerror if isinstance(wrong, OSError) else str(wrong)
        about = {"file": file, "why": why or type(wrong).__name__}
        raise CommandError(shell_sentence("not-imported", **about)) from None
    key = "imported-partly" if found.unread else "imported"
    return shell_sentence(key, new=found.new, known=found.known, unread=found.unread)


async def _export(operator: Operator, file: str, platform: str, place: str) -> str:
    """Write what the place with this id on *platform* takes along into a new file."""
    data, count = await operator.export_place(platform, place)
    if not count:
        about = {"platform": platform, "place": place}
        raise CommandError(shell_sentence("no-games-there", **about))
    try:
        await asyncio.to_thread(_write_new, Path(file), data)
    except OSError as wrong:
        why = wrong.strerror or type(wrong).__name__
        raise CommandError(shell_sentence("not-exported", file=file, why=why)) from None
    return shell_sentence("exported", file=file, count=count)


def _write_new(file: Path, data: bytes) -> None:
    """Write *data* into a new *file* for its owner alone; raises ``OSError``."""
    with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as made:
        made.write(data)


async def _forget_imported(operator: Operator, erased: str) -> str:
    """Erase this name in all that was imported."""
    return shell_sentence("erased", count=await operator.forget_imported(erased))


async def _announce(operator: Operator, text: str, hours: str) -> str:
    """Put *text* on all living boards for so many *hours*, or take off what stands there."""
    said = cleaned(text, LONGEST_ANNOUNCEMENT + 1)
    if len(said) > LONGEST_ANNOUNCEMENT or bool(text) != bool(said):
        raise CommandError(shell_sentence("bad-announcement", most=LONGEST_ANNOUNCEMENT))
    made = await operator.announcer.announce(said, int(hours))
    if made is None:
        return shell_sentence("nothing-announced")
    return shell_sentence("announced", until=f"{made.until:%Y-%m-%d %H:%M}")


async def _add_puzzles(operator: Operator, game: str, puzzles: str) -> str:
    """Keep *puzzles* of *game*, a list of JSON, which are proved; says how many are new."""
    played = find_game(game)
    lessons = [read_lesson(played.key, one) for one in json.loads(puzzles)]
    return str(await operator.collection.add(played, lessons, PuzzleOrigin.ADDED))


async def _list_puzzles(operator: Operator, game: str, first: str, count: str) -> str:
    """So many of the house's own puzzles of *game* from number *first* on, as a list of JSON."""
    kept = [one for one in await operator.collection.load() if one.row.game == game]
    some = kept[int(first) : int(first) + int(count)]
    return json.dumps([lesson_data(one.exercise.lesson) for one in some])


async def _judge_puzzles(operator: Operator, game: str, verdicts: str) -> str:
    """Put puzzles of *game* no more that do not hold; *verdicts* are pairs of one and why."""
    played = find_game(game)
    for told, fault in json.loads(verdicts):
        await operator.collection.judge(played, read_lesson(played.key, told), fault)
    return ""


ACTS: Mapping[str, Callable[..., Awaitable[str]]] = {
    "forget": _forget,
    **BAN_ACTS,
    "invite": _invite,
    "announce": _announce,
    "status": told_status,
    "export": _export,
    "import": _import,
    "forget-imported": _forget_imported,
    "add-puzzles": _add_puzzles,
    "list-puzzles": _list_puzzles,
    "judge-puzzles": _judge_puzzles,
}
"""Every act by the name of its command: takes what the operator may ask and words by their names.

Each raises ``CommandError`` or ``StorageError``.
"""


def act_status(wrong: Exception) -> int | None:
    """The status of a command that fails by *wrong*; ``None`` where that is a fault of ours."""
    match wrong:
        case CommandError():
            return wrong.status
        case StorageError() | ChatError():
            return STUMBLED if isinstance(wrong, PASSING) else REFUSED
    return None
