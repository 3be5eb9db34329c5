"""The command line. What a command needs is imported only when it runs, for a fast start."""

from __future__ import annotations

import argparse
import gc
import os
import re
import sys
from collections import namedtuple
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module

from bot.app.output import REFUSED, CommandError, say
from bot.app.shell_texts import (
    from_below,
    other_words,
    shell_sentence,
    shell_texts,
    spoken_in_shell,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path
    from typing import NoReturn

Argument = namedtuple("Argument", "names options")
"""The names and options of an argument, as ``argparse`` takes them."""

Command = namedtuple("Command", "run arguments statuses", defaults=((), ()))
"""The function that does a command, in ``bot.app``, its arguments, and its own exit statuses."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command and exit with its status; an error is printed as one sentence."""
    gc.set_threshold(GARBAGE)
    asked = parser().parse_args(arguments)
    try:
        sys.exit(_status(asked))
    except CommandError as refused:
        if asked.command is None and refused.status == REFUSED and os.getpid() == 1:
            _wait_as_container(str(refused))
        _refuse(from_below(str(refused)), refused.status)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)
    except Exception as refused:
        from bot.texts import language
        from games.core import RuleError

        if not isinstance(refused, RuleError):
            raise
        _refuse(language(spoken_in_shell()).say(refused.phrase), 1)


def _wait_as_container(sentence: str) -> None:
    """Say why nothing starts and wait to be stopped: whoever runs a container would start it again.

    Nobody answers on the port of its health meanwhile.
    """
    import signal

    told = {signal.SIGTERM, signal.SIGINT}
    # Before it is said: the first process of a container is never told a signal that none awaits.
    signal.pthread_sigmask(signal.SIG_BLOCK, told)
    say(f"{sentence} {shell_sentence('waits')}")
    signal.sigwait(told)


def _refuse(sentence: str, status: int) -> None:
    print(sentence, file=sys.stderr)  # noqa: T201 - why a command was refused
    sys.exit(status)


def _status(asked: argparse.Namespace) -> int:
    _refuse_bad_id(asked)
    if asked.command == "help":
        parser().parse_args([*filter(None, [asked.topic]), "--help"])
    if asked.command in _ACTS:
        from bot.app.operator_client import done_by_bot

        if done_by_bot(asked):
            return 0
    if asked.command in ("ban", "unban"):
        from bot.app.ban_commands import done_by_database

        if done_by_database(asked):
            return 0
    if asked.command != "new-game":
        from bot.app.game_list import declares_games

        if declares_games():
            from bot.app.outside_game_packages import check_packages

            check_packages()
    module, name = (_RUN if asked.command is None else COMMANDS[asked.command].run).split(".")
    run: Callable[..., int | None] = getattr(import_module(f"bot.app.{module}"), name)
    return run(asked) or 0


def _refuse_bad_id(asked: argparse.Namespace) -> None:
    """Raise ``CommandError`` for an id that nobody, or no place, can have on the platform."""
    words = vars(asked)
    external: str | None = words.get("external", words.get("place"))
    if external is None or words.get("erased"):
        return
    if asked.command == "forget" and not external:
        raise CommandError(shell_sentence("forget-whom"))
    handle = asked.command == "forget" and asked.platform and re.fullmatch(r"@\w+", external)
    form = (PLACE_FORMS if "place" in words else ID_FORMS).get(asked.platform)
    if not handle and (form is None or not re.fullmatch(form, external)):
        about = {"platform": asked.platform, "external": " ".join(external[:40].split()) or "ID"}
        raise CommandError(shell_sentence("no-place" if "place" in words else "bad-id", **about))


class _Version(argparse.Action):
    """Prints the release and ends; what it takes is imported only then."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        from bot.app.release import release

        say(f"{parser.prog} {release()}")
        parser.exit()


class _Parser(argparse.ArgumentParser):
    """Says which command is meant by one that there is not."""

    def _check_value(self, action: argparse.Action, value: object) -> None:
        if action.choices is None or value in action.choices:
            return
        from difflib import get_close_matches

        words = dict(zip(action.choices, action.choices, strict=True))
        if action.dest == "command":
            words = {word: f"ludoteca {name}" for word, name in (words | other_words()).items()}
        near = get_close_matches(str(value).lower(), words, 1) or ["help"]
        meant = words[near[0]].removesuffix(" ludoteca")
        raise argparse.ArgumentError(action, shell_sentence("unknown", value=value, meant=meant))


class _Filled(argparse.HelpFormatter):
    """Fills paragraphs, and leaves the lines of a list as they are."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        fill = super()._fill_text
        lines = text.split("\n")
        return "\n".join(one if one[:2] == "  " else fill(one, width, indent) for one in lines)


def parser() -> argparse.ArgumentParser:
    """The parser of ``ludoteca``; without a subcommand its ``command`` is ``None``."""
    texts = shell_texts()

    def text(name: str, key: str) -> str:
        return texts.get(f"shell.{name}.{key}") or texts[f"shell.any.{key}"]

    def describe(one: argparse.ArgumentParser, name: str, statuses: Sequence[int]) -> None:
        about, more = text(name, "about"), texts.get(f"shell.{name}.more")
        lines = [f"  {n:<3} {text(name, f'status.{n}')}" for n in sorted({0, 2, *statuses})]
        sentence = f"{about[0].upper()}{about[1:]}."
        one.description = "\n\n".join(filter(None, (sentence, more)))
        one.epilog = "\n".join((f"{text(name, 'statuses')}:", *lines))
        one.formatter_class = _Filled

    # The library has no other way to let it speak another language than the system's.
    argparse._ = lambda said: texts.get(f"shell.argparse.{said}", said)  # type: ignore[attr-defined]
    top = _Parser("ludoteca")
    describe(top, "ludoteca", (1, 3, 75, 130))
    top.add_argument("-V", "--version", action=_Version, nargs=0, help=text("ludoteca", "version"))
    commands = top.add_subparsers(dest="command", metavar="COMMAND")
    for name, command in COMMANDS.items():
        one = commands.add_parser(name, help=text(name, "about"))
        describe(one, name, command.statuses)
        for names, options in command.arguments:
            added = one.add_argument(*names, **options)
            added.help = text(name, added.dest)
    return top


# ------------------------------------------------------------------------------ what there is


def _path(text: str) -> Path:
    from pathlib import Path

    return Path(text)


def _png(text: str) -> Path:
    if not text.lower().endswith(".png"):
        raise argparse.ArgumentTypeError(shell_sentence("png"))
    return _path(text)


def _platform(text: str) -> str:
    if text and text not in ID_FORMS:
        raise argparse.ArgumentTypeError(shell_sentence("one-of", known=", ".join(ID_FORMS)))
    return text


def _language(text: str) -> str:
    from bot.texts import LANGUAGES

    if text not in LANGUAGES:
        raise argparse.ArgumentTypeError(shell_sentence("one-of", known=", ".join(LANGUAGES)))
    return text


def _at_most(most: int) -> Callable[[str], int]:
    """Reads a whole number from 1 to *most*."""

    def number(text: str) -> int:
        if not text.isdecimal() or not 1 <= int(text[:9]) <= most:
            raise argparse.ArgumentTypeError(shell_sentence("up-to", most=most))
        return int(text)

    return number


def _argument(*names: str, **options: object) -> Argument:
    if not names[0].startswith("-"):
        options.setdefault("metavar", names[0].upper())
    return Argument(names, options)


def _flag(name: str) -> Argument:
    return Argument((name,), {"action": "store_true"})


def _number(name: str, default: int, **options: object) -> Argument:
    return Argument((name,), {"type": int, "default": default, **options})


ID_FORMS: Mapping[str, str] = {
    "discord": "[1-9][0-9]{0,19}",
    "telegram": "[1-9][0-9]{0,19}",
    "web": "[0-9a-f]{32}",
}
"""The form of somebody's id on each platform."""

PLACE_FORMS: Mapping[str, str] = {**ID_FORMS, "telegram": "-?[1-9][0-9]{0,19}", "web": ".+"}
"""The form of a place's id on each platform."""

GARBAGE = 50_000
"""How many new objects the garbage collector waits for: modules that are read are none."""

_ANY = {"nargs": "?", "default": ""}
_GAME, _FILE = _argument("game"), _argument("file", type=_path)
_PLATFORM = _argument("platform", type=_platform)
_IDENTITY = (_PLATFORM, _argument("external", metavar="ID"))
_ARCHIVE = (_FILE, _PLATFORM, _argument("place"))
_POSITION = (
    _GAME,
    _argument("--position", default="", metavar="TEXT"),
    _argument("--option", action="append", default=[], metavar="K=V"),
    _flag("--demo"),
)
_RUN = "operator_commands.run_operator_command"
_ACTS = ("announce", "ban", "unban", "forget", "export", "import")
"""What the bot that runs is asked for first: it takes no second to import."""

_PLAY = "offline_game_commands"

COMMANDS: Mapping[str, Command] = {
    "help": Command("", (_argument("topic", nargs="?", metavar="COMMAND"),)),
    "demo": Command(_RUN),
    "doctor": Command(_RUN, (_flag("--json"), _flag("--quiet")), (1,)),
    "status": Command(_RUN, (_flag("--json"),), (1, 75)),
    "announce": Command(
        _RUN, (_argument("text", **_ANY), _number("--hours", 12, type=_at_most(168))), (75,)
    ),
    "backup": Command(_RUN, (_FILE,)),
    "restore": Command(_RUN, (_FILE,)),
    "move-database": Command(
        _RUN, (_argument("source", metavar="FROM"), _argument("target", metavar="TO"))
    ),
    "upgrade": Command(_RUN, (_flag("--no-copy"),)),
    "person": Command(_RUN, _IDENTITY),
    "ratings": Command(
        "rating_commands.run_rating_command",
        (_argument("game", **_ANY), _flag("--check"), _flag("--rebuild")),
        (1,),
    ),
    "invite": Command(
        _RUN,
        (
            _number("--days", 30, type=_at_most(365)),
            _number("--for", 1, type=_at_most(10_000), dest="count"),
        ),
        (75,),
    ),
    **dict.fromkeys(("ban", "unban"), Command(_RUN, _IDENTITY, (75,))),
    "forget": Command(
        _RUN,
        (
            _argument("platform", type=_platform, **_ANY),
            _argument("external", metavar="ID", **_ANY),
            _argument("--imported", metavar="NAME", default="", dest="erased"),
        ),
        (75,),
    ),
    **dict.fromkeys(("export", "import"), Command(_RUN, _ARCHIVE, (75,))),
    "games": Command("game_list.games_command"),
    "check-game": Command(
        f"{_PLAY}.check_game_command",
        (_argument("game", metavar="KEY"), _number("--walks", 50, metavar="N")),
        (1,),
    ),
    "puzzles": Command(
        "puzzle_commands.run_puzzle_command",
        (
            Argument(("what",), {"choices": ("mine", "check", "add")}),
            _argument("game", **_ANY),
            _argument("file", nargs="?", type=_path),
            _number("--games", 20, metavar="N"),
            _number("--seed", 1, metavar="N"),
            _argument("--all", action="store_true"),
            _number("--jobs", 1, metavar="N"),
        ),
        (1,),
    ),
    "verify": Command(f"{_PLAY}.verify_command", (_FILE, _argument("seal", nargs="*")), (1, 3)),
    "perft": Command(f"{_PLAY}.perft_command", (*_POSITION, _argument("depth", type=int)), (1,)),
    "moves": Command(f"{_PLAY}.moves_command", _POSITION, (1,)),
    "replay": Command(f"{_PLAY}.replay_command", (_GAME, _FILE), (1,)),
    "picture": Command(
        f"{_PLAY}.picture_command",
        (
            *_POSITION,
            _argument("-o", "--output", metavar="FILE", type=_png, required=True),
            _argument("--theme", default="light"),
            _argument("--pieces", default="one"),
            _argument("--side", default=""),
            _number("--size", 800),
            _argument("--move", default=""),
            _argument("--name", action="append", default=[]),
            _argument("--language", default="en", type=_language),
        ),
        (1,),
    ),
    "best": Command(
        f"{_PLAY}.best_command", (*_POSITION, _number("--level", 0), _number("--nodes", 0)), (1,)
    ),
    "texts": Command(
        "texts_command.run_texts_command", (_argument("code", **_ANY), _flag("--missing")), (1,)
    ),
    "new-game": Command(
        "new_game.run_new_game",
        (_argument("key"), _argument("--title", default=""), _flag("--package")),
    ),
}
"""Every command by its name, in the order of ``ludoteca help``; ``shell.po`` says what they do."""


if __name__ == "__main__":
    main()
