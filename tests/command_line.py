"""The command line in the process of the tests, which starts no interpreter and imports nothing."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import pytest

from bot.app.main import main
from bot.app.shell_texts import from_below


@dataclass(frozen=True)
class Done:
    """What a command has printed, and the status with which it has ended."""

    returncode: int
    stdout: str
    stderr: str


Ludoteca: TypeAlias = Callable[..., Done]
"""Runs the command in a folder with arguments, and settings by keyword."""


@pytest.fixture
def ludoteca(monkeypatch, capsys) -> Ludoteca:
    """The command as it is typed, with nothing of our own environment's settings.

    A setting that is ``None`` is left to the file ``.env``.
    """

    def done(folder: Path, *arguments: str, **environment: str | None) -> Done:
        with monkeypatch.context() as here, logs_as_they_were():
            for name in os.environ:
                if name.startswith(("DISCORD", "TELEGRAM", "LANG", "LC_", "LUDOTECA_LANGUAGE")):
                    here.delenv(name)
            for name, value in {"WEB_PORT": "0", **environment}.items():
                if value is not None:
                    here.setenv(name, value)
            here.chdir(folder)
            capsys.readouterr()
            with pytest.raises(SystemExit) as ended:
                main(arguments)
        told = capsys.readouterr()
        assert isinstance(ended.value.code, int)
        return Done(ended.value.code, told.out, told.err)

    return done


@contextmanager
def logs_as_they_were() -> Iterator[None]:
    """Take back what the bot's start does to the logs of a process."""
    root, known = logging.getLogger(), dict(logging.Logger.manager.loggerDict)
    loggers = [root, *(one for one in known.values() if isinstance(one, logging.Logger))]
    before = [(one, one.level, one.handlers[:], one.filters[:]) for one in loggers]
    root.handlers = []  # which would be closed
    try:
        yield
    finally:
        for one, level, handlers, filters in before:
            one.setLevel(level)
            one.handlers, one.filters = handlers, filters


def has_spanish_words(said: str) -> bool:
    """Whether *said*, a sentence from below, is told in other words to a Spanish operator."""
    with pytest.MonkeyPatch.context() as here:
        here.setenv("LUDOTECA_LANGUAGE", "es")
        return from_below(said) != said


def one_sentence(done: Done, status: int) -> str:
    """The sentence with which a command was refused with *status*."""
    assert done.returncode == status, done.stderr
    assert "Traceback" not in done.stderr
    lines = done.stderr.strip().splitlines()
    assert len(lines) == 1, done.stderr
    return lines[0]
