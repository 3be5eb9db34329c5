"""What a command says: lines of an answer, or one sentence and a status."""

from __future__ import annotations

REFUSED = 2
"""The status of a refused token, a busy port, a broken setting, a bad command line …"""

STUMBLED = 75
"""The status where a chat failed again and again (EX_TEMPFAIL): start the bot anew."""


class CommandError(Exception):
    """A command cannot be done; the text is one sentence, *status* what the process ends with."""

    def __init__(self, sentence: str, status: int = REFUSED) -> None:
        super().__init__(sentence)
        self.status = status


def say(text: str) -> None:
    """Print a line of a command's answer."""
    print(text)  # noqa: T201 - the answer of a command
