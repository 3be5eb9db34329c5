"""``ludoteca check-game KEY``: the laws of every game, tried on one.

Beside the laws of positions (``games.core.laws``) a game must have words for all that it says, and
pictures of all that can happen.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from bot.session.visibility import public
from bot.texts import FALLBACK, OURS, Language, language, rules
from games.core import CHANCE, Game, Menu, Phrase, phrase, pick
from games.core.computer import Below
from games.core.laws import (
    LAWS,
    BrokenLaw,
    Law,
    hold,
    random_position,
    random_view,
    the_computer_plays_legal_moves,
)
from games.core.shelf import game_packages
from render.club.cheat_sheet import CHEAT
from render.kit import THEMES, figure, paint, painter, png
from render.kit.painters import captions
from render.scene import Scene, Target

LONGEST_SENTENCE = 600
"""How many characters one sentence takes at most: several fit below a picture."""

HEAVIEST_PICTURE = 80 * 1024
"""Bytes of a picture at most."""

SMALLEST_SPOT = 0.02
"""How wide and high a spot is at least, as a fraction of the picture: a finger must hit it."""

SEED = 2026
"""The seed of the walks, so that two runs can be compared."""


@dataclass(frozen=True)
class Verdict:
    """Whether a game keeps a *law*: *broken* says how it does not, "" where it does."""

    law: str
    broken: str = ""


def check_game(game: Game, walks: int) -> Iterator[Verdict]:
    """The verdicts on *game*, each law tried on so many random *walks*; the first fault counts."""
    own = (what_is_said_has_words, every_position_can_be_painted)
    for law in (*LAWS, the_computer_plays_legal_moves, *own, the_rules_have_their_figures):
        name = law.__name__.replace("_", " ")
        yield Verdict(name, next(filter(None, _faults(law, game, walks)), ""))


def _faults(law: Law, game: Game, walks: int) -> Iterator[str]:
    for seed in range(SEED, SEED + (1 if law is the_rules_have_their_figures else walks)):
        try:
            law(game, random.Random(seed).randrange)
        except BrokenLaw as broken:
            yield f"{broken} (walk {seed})"
        except Exception as wrong:
            yield f"{type(wrong).__name__}: {wrong} (walk {seed})"


def what_is_said_has_words(game: Game, below: Below) -> None:
    """Every phrase about a position has words in every language the game must speak."""
    _, position = random_position(game, below)
    said: list[Phrase] = [
        *game.speech.describe(public(position)),
        *game.speech.notices(position),
        *game.speech.hints(position),
    ]
    outcome = position.outcome()
    if outcome is not None:
        said.append(outcome.ending(f"{game.key}.end.{outcome.reason}"))
    for seat in position.actors():
        said.append(game.menus.question(position, seat, ()))
        for move in position.legal_moves(seat)[:8]:
            said.append(game.speech.spoken(position, move))
            steps = game.menus.steps(position, move)
            said += [
                game.menus.label(position, seat, steps[:n], step) for n, step in enumerate(steps)
            ]
            said += [game.menus.question(position, seat, steps[:n]) for n in range(len(steps))]
        said.append(game.speech.refusal(position, seat, "zz9").phrase)
    for tongue in _languages(game):
        for one in said:
            text = tongue.say(one)
            hold(text.strip(), f"{one.key} is empty in {tongue.code}")
            hold(len(text) <= LONGEST_SENTENCE, f"{one.key} is too long in {tongue.code}: {text}")


def every_position_can_be_painted(game: Game, below: Below) -> None:
    """Each position has a picture in each theme, small and with spots that a finger can hit."""
    setting, seen, viewer = random_view(game, below)
    theme = list(THEMES)[below(len(THEMES))]
    scene = Scene(game.key, seen, ("Ana", "W" * 32, "龍" * 32, "Íñigo")[: len(setting.sides)])
    scene = replace(scene, bottom=viewer, theme=theme, targets=_targets(game, seen, viewer))
    drawn = painter(game.key)
    for tongue in _languages(game):
        picture = paint(replace(scene, captions=captions(game.key, seen, tongue.say)))
        hold((picture.mode, picture.width) == ("P", 800), "a picture is of mode P and 800 wide")
        weight = len(png(picture))
        hold(weight <= HEAVIEST_PICTURE, f"a picture weighs {weight // 1024} KB in {theme}")
    steps = {target.step for target in scene.targets}
    for spot in drawn.spots(scene):
        hold(spot.step in steps, f"a spot of nothing that is asked: {spot.step}")
        hold(min(spot.w, spot.h) > SMALLEST_SPOT, f"the spot of {spot.step} is too small")
        hold(
            0 <= spot.x <= 1 - spot.w and 0 <= spot.y <= 1 - spot.h,
            f"the spot of {spot.step} lies outside",
        )


def the_rules_have_their_figures(game: Game, _below: Below) -> None:
    """The rule text can be read in every language, and its figures and the cover can be drawn."""
    drawn = painter(game.key)
    hold(drawn.COVER in drawn.FIGURES, "the cover is no figure")
    for tongue in _languages(game):
        for key in ("name", "blurb", "lasts", "ease", "first-step"):
            hold(tongue.say(phrase(f"{game.key}.{key}")).strip(), f"{game.key}.{key} is empty")
        for option in game.rules.options:
            tongue.say(phrase(f"{game.key}.option.{option.key}"))
            for value in option.values:
                tongue.say(phrase(f"{game.key}.option.{option.key}.{value}"))
        for side in game.rules.sides:
            tongue.say(phrase(f"{game.key}.side.{side}"))
        named = re.findall(r"\(figure:([^)]+)\)", rules(game.key, tongue.code))
        hold(named, f"the rules have no figure in {tongue.code}")
        for name in {*named} - {CHEAT}:
            figure(game.key, name, next(iter(THEMES)), tongue.say)


def _languages(game: Game) -> Iterator[Language]:
    """The languages that *game* must speak by itself."""
    for code in (FALLBACK,) if game.key in game_packages() else OURS:
        yield replace(language(code), fallback=None)


def _targets(game: Game, seen: object, viewer: int) -> tuple[Target, ...]:
    """What *viewer* may choose first in the position *seen*, if it is theirs to move."""
    position: Any = seen
    if viewer not in position.actors() - {CHANCE}:
        return ()
    asked = pick(game, position, viewer)
    if not isinstance(asked, Menu):
        return ()
    letters = "abcdefghijklmnopqrstuvwxyz"
    return tuple(Target(letters[n % 26], step) for n, step in enumerate(asked.options))
