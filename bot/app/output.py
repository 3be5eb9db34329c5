"""The output of a command: lines, or one sentence and a status."""

from __future__ import annotations

REFUSED = 2
"""The status for a refused token, a busy port, a bad setting or command line …"""

STUMBLED = 75
"""The status for what may be over by itself (EX_TEMPFAIL): start the bot anew."""


class CommandError(Exception):
    """A command that fails: one sentence, and the exit *status* of the process."""

    def __init__(self, sentence: str, status: int = REFUSED) -> None:
        super().__init__(sentence)
        self.status = status


def say(text: str) -> None:
    """Print a line of a command's output."""
    print(text)  # noqa: T201 - the answer of a command
