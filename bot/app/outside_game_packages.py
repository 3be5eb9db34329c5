"""Games from other distributions are tried before they are used; what is broken is left out.

Who installs a package trusts it: it runs in our own processes.
"""

from __future__ import annotations

import logging
from importlib import resources

from games.core.shelf import game_packages, leave_out, refused_packages, shelf

log = logging.getLogger(__name__)


def check_packages() -> None:
    """Try every game package, and leave out those that fail."""
    # The catalogues of all are read together: what cannot be read is out before.
    for trial in (_unreadable, _failure):
        for key in tuple(game_packages()):
            try:
                why = trial(key)
            except Exception as wrong:
                why = f"it fails: {type(wrong).__name__}: {wrong}"
            if why:
                leave_out({key: " ".join(why.split())[:300]})


def log_packages() -> None:
    """Log each game package that is left out, and each language with faults, in a line."""
    from bot.texts import OUTSIDE, catalogues_of

    for name, why in refused_packages().items():
        log.warning("the game %s is left out: %s", name, why)
    for code in OUTSIDE:
        if faults := catalogues_of(code).faults:
            log.warning("texts of %s are left out, %d in all: %s", code, len(faults), faults[0])


def _unreadable(key: str) -> str:
    """What is wrong with the placeholders in the texts of the game *key*; raises ``ValueError``."""
    from bot.texts import FALLBACK, OURS
    from bot.texts.catalogues import read_ours, strange_placeholders

    texts = resources.files(game_packages()[key].module).joinpath("texts")
    found = {code: texts.joinpath(code, f"{key}.po") for code in (FALLBACK, *OURS)}
    known = {
        code: read_ours(iter([(file, f"{key}.")]), code).templates
        for code, file in found.items()
        if file.is_file()
    }
    for code, templates in known.items():
        if strange := strange_placeholders(templates, known[FALLBACK]):
            return f"in {code} {strange[0]}"
    return ""


def _failure(key: str) -> str:
    """Why the game *key* cannot be used, found by using it; "" where it can."""
    from bot.session.visibility import public
    from bot.texts import OURS, language, rules
    from games.core import phrase
    from render.kit import painter

    game = shelf()[key]
    painter(key)
    position = game.start(game.setting())
    for code in OURS:
        for name in ("name", "blurb", *(f"side.{side}" for side in game.rules.sides)):
            language(code).say(phrase(f"{key}.{name}"))
        for said in game.speech.describe(public(position)):
            language(code).say(said)
        rules(key, code)
    return ""
