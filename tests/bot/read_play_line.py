"""What `/play` is asked for in a typed line, and how it refuses one."""

from __future__ import annotations

import unicodedata

import pytest

from bot.commands.table.creation import read_game_request
from bot.presenters.typed_command_parser import parse
from bot.texts import language
from games.core import RuleError


def wished(line: str):
    read = parse(line)
    assert read is not None
    return read_game_request(read[1], mentioned=False)


def refused(line: str, code: str) -> str:
    with pytest.raises(RuleError) as raised:
        wished(line)
    return language(code).say(raised.value.phrase)


def unaccented(text: str) -> str:
    letters = unicodedata.normalize("NFD", text)
    return "".join(c for c in letters if not unicodedata.combining(c))
