"""The command line. A subcommand's module is imported only when it runs, for a fast start."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NoReturn

from bot.app.help_texts import BOT, HELP
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
    if asked.command not in ("help", "new-game"):
        from bot.app.outside_game_packages import check_packages

        check_packages()
    match asked.command:
        case (
            None
            | "doctor"
            | "backup"
            | "restore"
            | "move-database"
            | "upgrade"
            | "forget"
            | "person"
            | "ban"
            | "invite"
            | "unban"
            | "import"
            | "export"
            | "status"
            | "announce"
        ):
            from bot.app import operator_commands

            return operator_commands.run_operator_command(asked)
        case "ratings":
            from bot.app import rating_commands

            return rating_commands.run_rating_command(asked)
        case "help":
            parser().parse_args([*filter(None, [asked.about]), "--help"])
            return 0
        case "new-game":
            from bot.app.new_game import new_game

            for file in new_game(asked.key, asked.title, Path.cwd(), package=asked.package):
                say(f"{file.relative_to(Path.cwd())}")
            return 0
        case "puzzles":
            from bot.app.puzzle_commands import run_puzzle_command

            return run_puzzle_command(asked)
        case "texts":
            from bot.app.texts_command import run_texts_command

            return run_texts_command(asked)
        case "check-game":
            from bot.app.offline_game_commands import check_game_command

            return check_game_command(asked)
        case _:
            from bot.app import offline_game_commands

            return offline_game_commands.run_game_command(asked)


_WISH = "a house rule, as `ludoteca games` lists them; may be given several times"


class _Version(argparse.Action):
    """Prints the release and ends; what it takes is imported only then."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        from bot.app.release import release

        say(f"{parser.prog} {release()}")
        parser.exit()


def parser() -> argparse.ArgumentParser:
    """The parser of ``ludoteca``; without a subcommand its ``command`` is ``None``."""
    top = argparse.ArgumentParser(
        prog="ludoteca",
        description=f"{BOT.about}\n\n{BOT.more}",
        epilog=BOT.epilog,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    top.add_argument("--version", action=_Version, nargs=0, help="which release this is")
    commands = top.add_subparsers(dest="command", metavar="COMMAND")
    asked = _command(commands, "help")
    which = "one of those that `ludoteca help` lists"
    asked.add_argument("about", metavar="COMMAND", nargs="?", choices=sorted(HELP), help=which)
    _for_operators(commands)
    _for_games(commands)
    spoken = _command(commands, "texts")
    spoken.add_argument("code", metavar="CODE", nargs="?", default="", help="a language, as in pt")
    lacking = "a catalogue of what that language lacks, to be filled"
    spoken.add_argument("--missing", action="store_true", help=lacking)
    skeleton = _command(commands, "new-game")
    skeleton.add_argument("key", metavar="KEY", help="its name in files and commands, as in oca")
    skeleton.add_argument("--title", default="", help="as players read it; the key by default")
    apart = "as a package of its own, in a new folder here"
    skeleton.add_argument("--package", action="store_true", help=apart)
    return top


def _command(commands: Any, name: str) -> argparse.ArgumentParser:
    """The parser of the command *name*, with its help."""
    told = HELP[name]
    parser: argparse.ArgumentParser = commands.add_parser(
        name,
        help=told.about,
        description=f"{told.about[0].upper()}{told.about[1:]}.\n\n{told.more}".rstrip(),
        epilog=told.epilog,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    return parser


def _at_most(most: int) -> Callable[[str], int]:
    """Reads a whole number from 1 to *most*."""

    def number(text: str) -> int:
        if not text.isdecimal() or not 1 <= int(text[:9]) <= most:
            raise argparse.ArgumentTypeError(f"a whole number from 1 to {most}")
        return int(text)

    return number


def _for_operators(commands: Any) -> None:
    well = _command(commands, "doctor")
    well.add_argument("--json", action="store_true", help="the findings as a list of objects")
    well.add_argument("--quiet", action="store_true", help="only what is not fine")
    now = _command(commands, "status")
    now.add_argument("--json", action="store_true", help="as an object")
    told = _command(commands, "announce")
    told.add_argument("text", metavar="TEXT", nargs="?", default="", help="ends it where none is")
    told.add_argument(
        "--hours", type=_at_most(168), default=12, help="for how long; 12 unless said"
    )
    keep = _command(commands, "backup")
    keep.add_argument("file", metavar="FILE", type=Path, help="the copy to be written")
    back = _command(commands, "restore")
    back.add_argument("file", metavar="FILE", type=Path, help="a copy made before")
    moved = _command(commands, "move-database")
    address = "an address in the form of DATABASE_URL"
    moved.add_argument("source", metavar="FROM", help=f"the database that is: {address}")
    moved.add_argument("target", metavar="TO", help=f"the empty one: {address}")
    newer = _command(commands, "upgrade")
    copied = "of a database on a server: you have made a copy of it yourself"
    newer.add_argument("--no-copy", action="store_true", help=copied)
    shown = _command(commands, "person")
    shown.add_argument("platform", metavar="PLATFORM", help="discord, telegram or web")
    shown.add_argument("id", metavar="ID", help="their id there")
    rated = _command(commands, "ratings")
    named = "as `ludoteca games` names it; all games by default"
    rated.add_argument("game", metavar="GAME", nargs="?", default="", help=named)
    rated.add_argument("--check", action="store_true", help="fold the journal anew and compare")
    rated.add_argument("--rebuild", action="store_true", help="write the rows anew")
    invited = _command(commands, "invite")
    invited.add_argument(
        "--days", type=_at_most(365), default=30, help="for how long; 30 unless said"
    )
    invited.add_argument(
        "--for",
        dest="count",
        type=_at_most(10_000),
        default=1,
        help="for how many people; 1 unless said",
    )
    for name in ("ban", "unban"):
        barred = _command(commands, name)
        barred.add_argument("platform", metavar="PLATFORM", help="discord, telegram or web")
        barred.add_argument("id", metavar="ID", help="their id there")
    erased = _command(commands, "forget")
    which = "discord, telegram or web"
    erased.add_argument("platform", metavar="PLATFORM", nargs="?", default="", help=which)
    number = "their id there; or @name, of whoever has only been challenged by it"
    erased.add_argument("id", metavar="ID", nargs="?", default="", help=number)
    text = "instead of a person, a name in all that was imported"
    erased.add_argument("--imported", metavar="NAME", default="", help=text)
    taken = _command(commands, "export")
    taken.add_argument("file", metavar="FILE", type=Path, help="the file to be written")
    taken.add_argument("platform", metavar="PLATFORM", help="discord, telegram or web")
    taken.add_argument("id", metavar="PLACE", help="the id of the place that leaves")
    brought = _command(commands, "import")
    brought.add_argument("file", metavar="FILE", type=Path, help="what /export has written")
    brought.add_argument("platform", metavar="PLATFORM", help="discord, telegram or web")
    brought.add_argument("id", metavar="PLACE", help="the id of the place that takes it in")


def _for_games(commands: Any) -> None:
    _command(commands, "games")
    laws = _command(commands, "check-game")
    laws.add_argument("game", metavar="KEY", help="as `ludoteca games` names it")
    tries = "how many random games each law is tried on"
    laws.add_argument("--walks", type=int, default=50, metavar="N", help=tries)
    found = _command(commands, "puzzles")
    found.add_argument("what", choices=("mine", "check", "add"), help="find, prove or keep")
    named = "as `ludoteca games` names it; for check all games by default"
    found.add_argument("game", metavar="GAME", nargs="?", default="", help=named)
    own = "with add: the file of your puzzles"
    found.add_argument("file", metavar="FILE", nargs="?", type=Path, help=own)
    played = "with mine: how many games computers play"
    found.add_argument("--games", type=int, default=20, metavar="N", help=played)
    lot = "another number gives other games, and other luck to play out"
    found.add_argument("--seed", type=int, default=1, metavar="N", help=lot)
    check = _command(commands, "verify")
    check.add_argument("file", metavar="FILE", type=Path, help="the record of a game")
    shown = "what the table showed before the game: 32 digits or more"
    check.add_argument("seal", metavar="SEAL", nargs="*", help=shown)
    count = _of_game(commands, "perft")
    count.add_argument("depth", metavar="DEPTH", type=int, help="how many moves ahead, up to 20")
    _of_game(commands, "moves")
    again = _command(commands, "replay")
    again.add_argument("game", metavar="GAME", help="as `ludoteca games` names it")
    again.add_argument("file", metavar="FILE", type=Path, help="the record of a game")
    picture = _of_game(commands, "picture")
    written = "the PNG file to be written"
    picture.add_argument("-o", "--output", metavar="FILE", type=Path, required=True, help=written)
    picture.add_argument("--theme", default="light", help="light (the default), dark …")
    picture.add_argument("--pieces", default="one", help="the set of pieces, of shogi")
    picture.add_argument("--side", default="", help="the side at the bottom")
    picture.add_argument("--size", type=int, default=800, help="pixels of width, 90 to 1600")
    picture.add_argument("--move", default="", help="is made first, and marked as the last")
    picture.add_argument("--name", action="append", default=[], help="of a player, by seats")
    picture.add_argument("--language", choices=LANGUAGES, default="en")
    best = _of_game(commands, "best")
    best.add_argument("--level", type=int, default=0, help="the highest by default")
    best.add_argument("--nodes", type=int, default=0, help="positions to look at, at most")


def _of_game(commands: Any, name: str) -> argparse.ArgumentParser:
    parser = _command(commands, name)
    parser.add_argument("game", metavar="GAME", help="as `ludoteca games` names it")
    parser.add_argument("--position", default="", metavar="TEXT", help="the start by default")
    parser.add_argument("--option", action="append", default=[], metavar="K=V", help=_WISH)
    parser.add_argument("--demo", action="store_true", help="some moves into a game")
    return parser


if __name__ == "__main__":
    main()
