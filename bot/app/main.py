"""The command line. A subcommand's module is imported only when it runs, for a fast start."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bot import __version__
from bot.app.output import CommandError, say
from bot.texts import LANGUAGES, language
from games.core import RuleError


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command and exit with its status; an error is printed as one sentence."""
    asked = parser().parse_args(arguments)
    try:
        sys.exit(_status(asked))
    except RuleError as refused:
        _refuse(language("en").say(refused.phrase), 1)
    except CommandError as refused:
        _refuse(str(refused), refused.status)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)


def _refuse(sentence: str, status: int) -> None:
    print(sentence, file=sys.stderr)  # noqa: T201 - why a command was refused
    sys.exit(status)


def _status(asked: argparse.Namespace) -> int:
    match asked.command:
        case None | "doctor" | "backup" | "restore" | "move-database" | "forget":
            from bot.app import operator_commands

            return operator_commands.run_operator_command(asked)
        case "new-game":
            from bot.app.new_game import new_game

            for file in new_game(asked.key, asked.title, Path.cwd()):
                say(f"{file.relative_to(Path.cwd())}")
            return 0
        case _:
            from bot.app import shelf_commands

            return shelf_commands.run_game_command(asked)


def parser() -> argparse.ArgumentParser:
    """The parser of ``ludoteca``; without a subcommand its ``command`` is ``None``."""
    top = argparse.ArgumentParser(
        prog="ludoteca",
        description="Without a command: start the browser chat, and every chat that has a token.",
    )
    top.add_argument("--version", action="version", version=f"%(prog)s {__version__}")
    commands = top.add_subparsers(dest="command", metavar="COMMAND")
    _for_operators(commands)
    _for_games(commands)
    skeleton = commands.add_parser("new-game", help="the skeleton of a game, in a checkout")
    skeleton.add_argument("key")
    skeleton.add_argument("--title", default="", help="as players read it; the key by default")
    return top


def _for_operators(commands: Any) -> None:
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


def _for_games(commands: Any) -> None:
    commands.add_parser("games", help="the shelf, with the options of each game")
    check = commands.add_parser("verify", help="check the draws of a record")
    check.add_argument("file", type=Path)
    count = _of_game(commands, "perft", "legal-move counts by depth")
    count.add_argument("depth", type=int)
    _of_game(commands, "moves", "the legal moves, one a line")
    again = commands.add_parser("replay", help="read a record: result and final position")
    again.add_argument("game")
    again.add_argument("file", type=Path)
    picture = _of_game(commands, "picture", "the position as a PNG file")
    picture.add_argument("-o", "--output", type=Path, required=True)
    picture.add_argument("--theme", default="light")
    picture.add_argument("--pieces", default="one")
    picture.add_argument("--side", default="")
    picture.add_argument("--size", type=int, default=800)
    picture.add_argument("--move", default="", help="is made first, and marked as the last")
    picture.add_argument("--name", action="append", default=[], help="of a player, by seats")
    picture.add_argument("--language", choices=LANGUAGES, default="en")
    best = _of_game(commands, "best", "the computer's move, then its opinion")
    best.add_argument("--level", type=int, default=0)
    best.add_argument("--nodes", type=int, default=0)


def _of_game(commands: Any, name: str, text: str) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = commands.add_parser(name, help=text)
    parser.add_argument("game")
    parser.add_argument("--position", default="")
    parser.add_argument("--option", action="append", default=[], metavar="K=V")
    parser.add_argument("--demo", action="store_true", help="some moves into a game")
    return parser


if __name__ == "__main__":
    main()
