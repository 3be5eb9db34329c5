"""The command line: ``ludoteca`` runs the bot, its subcommands look at games and databases.

A subcommand is imported where it is asked for, so that none waits for another's libraries.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from bot.app.output import CommandError, say
from bot.app.parser import parser
from bot.texts import language
from games.core import RuleError


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command; ends with status 0 and its answer, or with a sentence and another one."""
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


if __name__ == "__main__":
    main()
