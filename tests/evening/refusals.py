"""Why the platforms refuse a call, as a list of the tests' own.

It stands beside the tables of the project and knows more than they do: what a platform says today
may be new tomorrow, and the house has to bear it. Sources: the documentation of both platforms,
https://discord.com/developers/docs/topics/opcodes-and-status-codes and the texts of
https://github.com/tdlib/telegram-bot-api (Client.cpp).
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Refusal:
    """An answer without an effect: Discord's *code* or Telegram's *words*.

    *meets* says which calls: ``send`` a new message, ``edit``, ``write`` both, ``group`` both in
    a group, ``picture`` what carries one, ``name`` what names a certain person, ``word`` what has
    a certain word, ``private`` in a private chat, ``thread`` in a topic or thread, ``answer`` the
    first one to a press, ``token`` what goes by the token of one, ``delete``, ``react``.
    """

    name: str
    platform: str
    status: int
    meets: str
    code: int = 0
    words: str = ""
    once: bool = True
    """Whether a single call may meet it; others are states that last."""
    wait: float = 0.0
    """The seconds that a caller who is too fast has to wait."""
    announced: bool = False
    """Whether the platform tells the bot when it begins and when it ends."""


_LIST = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))

REFUSALS = tuple(Refusal(**one) for one in _LIST["refusal"])
"""All of them, as ``refusals.toml`` lists them."""
