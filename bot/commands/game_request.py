"""What somebody wants to play: the values of ``/play`` understood."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from bot.presenters.command_specs import BY_NAME, ParameterKind, says
from bot.presenters.labels import begin_key, side_keys, value_named
from bot.presenters.typed_line import parse_options
from bot.session.draft import DEFAULT_LEVEL, HINTS, MATCH, rules_of
from bot.session.match import Match
from bot.session.names import check_level, cleaned, level_name
from bot.session.time_controls import Control, read_control
from bot.session.unit_of_work import Refused
from games.core import Game, Phrase, phrase
from games.core.shelf import find_game

LONGEST_HANDLE = 33
"""An @name has at most 32 characters on every platform, its @ not counted."""

_HANDLE = re.compile(r"@\w[\w.]*")

_PARAMETERS = BY_NAME["play"].parameters


@dataclass(frozen=True)
class GameRequest:
    """What somebody wants to play."""

    game: Game
    options: Mapping[str, str]
    begins: str
    seats: int
    side: str | None
    level: int
    against_computer: bool
    control: Control | None
    match: Match | None
    hints: bool
    """Whether players may ask for hints."""
    named: str | None
    """The @name of an opponent whose id the platform did not tell."""


def read_game_request(values: Mapping[str, str], *, mentioned: bool) -> GameRequest:
    """The wish that the *values* of ``/play`` say, an option's under the name of the option.

    *mentioned* says that the platform told who the opponent is. Raises a ``RuleError`` with one
    sentence for an unknown game, option, level, side …
    """
    game = find_game(values.get("game", ""))
    said = _with_side(game, _said(values), ("level",) if mentioned else ("opponent", "level"))
    level, opponent = _level_and_opponent(game, said)
    computer = says(opponent, "house.word.computer")
    anyone = not opponent or says(opponent, "house.word.anyone")
    options = _options(game, values)
    games = int(options.pop(MATCH, "1"))
    ways = {begins: begin_key(game, begins) for begins in game.begins}
    return GameRequest(
        game=game,
        hints=options.pop(HINTS, "") == "on",
        options=game.chosen(options),
        begins=_one_of(ways, said["begins"], "house.bad-begins") or "",
        seats=_seats(game, said["seats"], invites=anyone and not mentioned and level is None),
        side=_one_of(side_keys(game), said["side"], "house.bad-side"),
        level=min(DEFAULT_LEVEL, game.levels) if level is None else level,
        against_computer=computer or (level is not None and anyone),
        control=None if says(said["clock"], "clock.word.none") else read_control(said["clock"]),
        match=Match(games) if games > 1 else None,
        named=None if mentioned or computer or anyone else _handle(opponent),
    )


def _said(values: Mapping[str, str]) -> dict[str, str]:
    """What is said for each parameter of ``/play``."""
    return {one.name: values.get(one.name, "").strip() for one in _PARAMETERS}


def _with_side(game: Game, said: Mapping[str, str], places: Iterable[str]) -> Mapping[str, str]:
    """*said* with the side that stands in one of *places*: «/jugar shogi nivel 3 gote»."""
    for name in places:
        if said["side"] or said[name].startswith("@"):
            continue
        if value_named(side_keys(game), said[name]) is not None:
            return {**said, name: "", "side": said[name]}
    return said


def _level_and_opponent(game: Game, said: Mapping[str, str]) -> tuple[int | None, str]:
    """The level, ``None`` where none is said, and the opponent; raises ``BadOption``."""
    opponent = said["opponent"]
    if said["level"]:
        words = (word for word in said["level"].split() if not says(word, _LEVEL))
        number = _level(game, " ".join(words)) or 0
    elif (found := _level(game, opponent)) is not None:
        # A person called so has an @: «/jugar cirya 3», «/jugar cirya experto».
        number, opponent = found, ""
    else:
        return None, opponent
    check_level(game, number)
    return number, opponent


_LEVEL = "command.play.level.name"


def _level(game: Game, text: str) -> int | None:
    """The level that *text* says by its number, which *game* need not have, or by its name."""
    if any(c.isdigit() for c in text):
        return int(text[:4]) if text.isascii() and text.isdigit() else None
    labels = {str(n): level_name(game, n).key for n in range(1, game.levels + 1)}
    found = value_named(labels, text)
    return None if found is None else int(found)


def _handle(opponent: str) -> str:
    """The @name that *opponent* is; raises ``Refused`` where it is none."""
    named = cleaned(opponent, LONGEST_HANDLE)
    if not _HANDLE.fullmatch(named):
        raise Refused(phrase("house.bad-opponent", text=cleaned(opponent)))
    return named


def _seats(game: Game, text: str, *, invites: bool) -> int:
    """How many sit: as *text* says, else as many as may where the table *invites* anyone."""
    few, many = min(game.seats), max(game.seats)
    if text and not (text.isascii() and text.isdigit()):
        raise Refused(phrase("core.bad-seats", few=few, many=many))
    number = int(text[:4]) if text else (many if invites else few)
    game.sides_for(number)
    return number


def _options(game: Game, values: Mapping[str, str]) -> dict[str, str]:
    """The options of *game* by key; in *values* by name, or in one text: «tablero 6x6»."""
    typed, loose = parse_options(values.get("options", ""))
    names = {one.name for one in _PARAMETERS}
    typed |= {name: value for name, value in values.items() if name not in names}
    if loose:
        raise Refused(phrase("house.bad-option-form", text=" ".join(loose)[:40]))
    rules = {rule.key: rule for rule in rules_of(game)}
    labels = {key: rule.label for key, rule in rules.items()}
    chosen: dict[str, str] = {}
    for name, value in typed.items():
        key = value_named(labels, name)
        if key is None:
            known = _quoted(labels.values())
            raise Refused(phrase("house.bad-option", option=name[:32], known=known, others=_OTHERS))
        if not value:
            raise Refused(phrase("house.bad-option-form", text=name[:40]))
        ways = {one: f"{labels[key]}.{one}" for one in rules[key].values}
        found = value_named(ways, value)
        if found is None:
            option, known = phrase(labels[key]), _quoted(ways.values())
            raise Refused(phrase("house.bad-value", option=option, value=value[:32], known=known))
        chosen[key] = found
    return chosen


_OTHERS = tuple(
    phrase(f"command.play.{one.name}.name")
    for one in _PARAMETERS
    if one.kind not in (ParameterKind.GAME, ParameterKind.OPTIONS)
)
"""What is chosen for every game, and typed with a sign of equality as well."""


def _quoted(keys: Iterable[str]) -> tuple[Phrase, ...]:
    return tuple(phrase("house.quoted", what=phrase(key)) for key in keys)


def _one_of(labels: Mapping[str, str], text: str, refusal: str) -> str | None:
    """The value that *text* names, if any; raises ``Refused`` with *refusal* for an unknown one."""
    value = value_named(labels, text) if text else None
    if text and value is None:
        known = tuple(phrase(key) for key in labels.values())
        raise Refused(phrase(refusal, value=text[:32], known=known))
    return value
