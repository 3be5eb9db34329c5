"""The output of a command: lines, or one sentence and a status."""

from __future__ import annotations

from bot.app.shell_texts import shell_sentence

REFUSED = 2
"""The status for a refused token, a busy port, a bad setting or command line …"""

STUMBLED = 75
"""The status for what may be over by itself (EX_TEMPFAIL): start the bot anew."""


class CommandError(Exception):
    """A command that fails: one sentence, and the exit *status* of the process."""

    def __init__(self, sentence: str, status: int = REFUSED) -> None:
        super().__init__(sentence)
        self.status = status


class UnknownPerson(CommandError):
    """Nobody is known by this id on this platform."""

    def __init__(self, platform: str, external: str, how: str = "nobody-known") -> None:
        super().__init__(shell_sentence(how, platform=platform, external=external))


def say(text: str) -> None:
    """Print a line of a command's output."""
    print(text, flush=True)  # noqa: T201 - the answer of a command
