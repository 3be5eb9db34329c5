"""The command line: ``ludoteca`` runs the bot, its subcommands look at games and databases."""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from bot import __version__
from bot.app import shelf_commands
from bot.app.doctor import asked as platforms
from bot.app.doctor import computers, examined
from bot.app.forget import UnknownPerson, forget
from bot.app.new_game import NoSkeleton, new_game
from bot.app.runner import run
from bot.app.settings import BadSettings, Settings, read_settings
from bot.app.shelf_commands import say
from bot.port import ChatError, Stumbled
from bot.texts import language
from games.core import RuleError
from storage import Finding, backup, move, restore
from storage.errors import StorageError

STUMBLED = 75
"""The status where a chat failed again and again (EX_TEMPFAIL): start the bot anew."""

REFUSED = 2
"""The status of a refused token, a busy port, a broken setting, a bad command line …"""


def parser() -> argparse.ArgumentParser:
    """The command line as argparse knows it."""
    top = argparse.ArgumentParser(
        prog="ludoteca",
        description="Without a command: start the browser chat, and every chat that has a token.",
    )
    top.add_argument("--version", action="version", version=f"%(prog)s {__version__}")
    commands = top.add_subparsers(dest="command", metavar="COMMAND")
    commands.add_parser("doctor", help="is everything well")
    keep = commands.add_parser("backup", help="a consistent copy, also beside a running bot")
    keep.add_argument("file", type=Path)
    back = commands.add_parser("restore", help="put a copy in the place of the database")
    back.add_argument("file", type=Path)
    moved = commands.add_parser("move-database", help="all rows into an empty database")
    moved.add_argument("source", metavar="from", help="an address such as DATABASE_URL's")
    moved.add_argument("target", metavar="to", help="another one, of an empty database")
    erased = commands.add_parser("forget", help="erase who somebody is, as /forgetme does")
    erased.add_argument("platform", help="discord, telegram or web")
    erased.add_argument("id", help="there; or @name, of whoever has only been challenged by it")
    shelf_commands.declare(commands)
    skeleton = commands.add_parser("new-game", help="the skeleton of a game, in a checkout")
    skeleton.add_argument("key")
    skeleton.add_argument("--title", default="", help="as players read it; the key by default")
    return top


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command; ends with status 0 and its answer, or with a sentence and another one."""
    asked = parser().parse_args(arguments)
    try:
        sys.exit(_done(asked))
    except RuleError as refused:
        _refuse(language("en").say(refused.phrase), 1)
    except Stumbled as stumbled:
        _refuse(str(stumbled), STUMBLED)
    except (BadSettings, StorageError, ChatError, NoSkeleton, UnknownPerson) as refused:
        _refuse(str(refused), REFUSED)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)


def _refuse(sentence: str, status: int) -> None:
    print(sentence, file=sys.stderr)  # noqa: T201
    sys.exit(status)


def _done(asked: argparse.Namespace) -> int:
    settings = read_settings()
    match asked.command:
        case None:
            asyncio.run(run(settings))
            return 0
        case "doctor":
            return _doctor(settings)
        case "backup":
            asyncio.run(backup(settings.database_url, asked.file))
            say(f"{asked.file}")
            return 0
        case "restore":
            aside = asyncio.run(restore(settings.database_url, asked.file))
            kept = (
                "; there was none before" if aside is None else f"; the old one is kept as {aside}"
            )
            say(f"The copy {asked.file} is the database now{kept}.")
            return 0
        case "move-database":
            rows = asyncio.run(move(asked.source, asked.target))
            say(f"{sum(rows.values())} rows moved and compared; the old database is as it was.")
            return 0
        case "forget":
            asyncio.run(forget(settings, asked.platform, asked.id))
            say("Forgotten. Copies made before keep what was in them until they are dropped.")
            return 0
        case "new-game":
            for file in new_game(asked.key, asked.title, Path.cwd()):
                say(f"{file.relative_to(Path.cwd())}")
            return 0
        case _:
            work: Callable[[argparse.Namespace], int] = asked.work
            return work(asked)


def _doctor(settings: Settings) -> int:
    async def found() -> list[Finding]:
        sound = await examined(settings.database_url, settings.backup_dir)
        return [*sound, computers(), *await platforms(settings)]

    findings = asyncio.run(found())
    for finding in findings:
        say(f"{finding.level:8}{finding.text}")
    return 1 if any(finding.level == "error" for finding in findings) else 0


if __name__ == "__main__":
    main()
