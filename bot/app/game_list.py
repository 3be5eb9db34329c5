"""``ludoteca games``: a list made ahead where there are our own games alone, for a fast start."""

from __future__ import annotations

import glob
import os
import sys

from bot.app.output import say
from bot.app.shell_texts import spoken_in_shell

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse


def games_command(_asked: argparse.Namespace) -> None:
    """Tell every game, its names and its options."""
    if declares_games():
        from bot.app.offline_game_commands import tell_games

        tell_games()
        return
    with open(list_file(spoken_in_shell()), encoding="utf-8") as file:
        say(file.read().rstrip("\n"))


def list_file(code: str) -> str:
    """The file with the list of our games in the language *code*; a test says that it is true."""
    return os.path.join(os.path.dirname(os.path.dirname(__file__)), "texts", code, "games.txt")


def declares_games() -> bool:
    """Whether a distribution that is installed here declares a game.

    ``importlib.metadata`` knows as well, and takes ten times as long.
    """
    for folder in map(os.path.abspath, sys.path):
        for file in glob.iglob(os.path.join(glob.escape(folder), "*-info", "entry_points.txt")):
            with open(file, encoding="utf-8", errors="replace") as declared:
                if "[ludoteca.games]" in declared.read():
                    return True
    return False
