"""Games from other distributions are tried in a child process before we import them.

What raises, loops or has no words is left out, and so do our children: they find the keys in the
environment.
"""

from __future__ import annotations

import contextlib
import logging
import os
import subprocess
import sys
import time

from games.core.packages import declared
from games.core.shelf import (
    LEFT_OUT,
    leave_out,
    leave_out_named,
    refused_packages,
    shelf,
)

log = logging.getLogger(__name__)

PATIENCE = 10
"""The seconds of processor time that a package may take to be imported."""

FINE = "fine"
"""What the child prints of a package that can be used."""

LONGEST_WAIT = 60.0
"""Wall seconds after which a package is given up that neither works nor ends."""


def check_packages() -> None:
    """Try every game package, and leave out those that fail; called before ``shelf``."""
    if (known := os.environ.get(LEFT_OUT)) is not None:
        leave_out_named(known)
        return
    keys = list(dict.fromkeys(package.key for package in declared()))
    if not keys:
        return
    failed = _failures([key for key in keys if key.isidentifier()])
    os.environ[LEFT_OUT] = " ".join(failed)
    leave_out(failed)


def log_packages() -> None:
    """Log each game package that is left out, and each language with faults, in a line."""
    from bot.texts import OUTSIDE, catalogues_of

    for name, why in refused_packages().items():
        log.warning("the game %s is left out: %s", name, why)
    for code in OUTSIDE:
        if faults := catalogues_of(code).faults:
            log.warning("texts of %s are left out, %d in all: %s", code, len(faults), faults[0])


def _failures(keys: list[str]) -> dict[str, str]:
    """Why each of *keys* cannot be used, for those that cannot; all are tried at once."""
    command = (sys.executable, "-m", __spec__.name if __spec__ else __name__)
    trials = {
        key: subprocess.Popen(  # noqa: S603 - ourselves
            (*command, key, *(other for other in keys if other != key)),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        for key in keys
    }
    until = time.monotonic() + LONGEST_WAIT
    found = {key: _failure(trial, until) for key, trial in trials.items()}
    return {key: why for key, why in found.items() if why}


def _failure(trial: subprocess.Popen[str], until: float) -> str:
    """Why the package that *trial* imports cannot be used; "" where it can."""
    try:
        said, _ = trial.communicate(timeout=max(0.0, until - time.monotonic()))
    except subprocess.TimeoutExpired:
        trial.kill()
        trial.communicate()
        return f"it takes longer than {LONGEST_WAIT:.0f} seconds to be imported"
    if trial.returncode < 0:
        return f"it works longer than {PATIENCE} seconds while it is imported, or crashes"
    lines = said.strip().splitlines()
    why = lines[-1] if lines else "its import ends without a word"
    return "" if why == FINE else why


def _try(key: str, others: list[str]) -> str:
    """Why the package *key* cannot be used, found by using it; "" where it can."""
    from bot.session.visibility import public
    from bot.texts import FALLBACK, OURS, catalogues_of, language, rules
    from bot.texts.catalogues import strange_placeholders
    from games.core import phrase
    from render.kit import painter

    leave_out(dict.fromkeys(others, "another one is tried"))
    if key not in shelf():
        told = (why for name, why in refused_packages().items() if name.startswith(f"{key} "))
        return next(told, "it is not on the shelf")
    game = shelf()[key]
    painter(key)
    english = catalogues_of(FALLBACK).templates
    for code in OURS:
        if strange := strange_placeholders(catalogues_of(code).templates, english):
            return f"in {code} {strange[0]}"
    position = game.start(game.setting())
    for code in OURS:
        for name in ("name", "blurb", *(f"side.{side}" for side in game.sides)):
            language(code).say(phrase(f"{key}.{name}"))
        for said in game.speech.describe(public(position)):
            language(code).say(said)
        rules(key, code)
    return ""


def _limit() -> None:
    """End this process once it has worked for ``PATIENCE`` seconds."""
    with contextlib.suppress(ImportError):  # not on Windows
        import resource

        resource.setrlimit(resource.RLIMIT_CPU, (PATIENCE, PATIENCE + 1))


def try_package(key: str, *others: str) -> None:
    """Try the package *key* without *others*; prints why it fails, in one line."""
    _limit()
    try:
        why = _try(key, list(others))
    except BaseException as wrong:
        why = f"it fails: {type(wrong).__name__}: {wrong}"
    print(" ".join(why.split())[:300] or FINE)  # noqa: T201 - the answer to who started this


if __name__ == "__main__":
    try_package(*sys.argv[1:])
