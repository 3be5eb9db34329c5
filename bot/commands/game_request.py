"""What somebody wants to play: the words of ``/play`` understood."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from bot.presenters.command_specs import BY_NAME, ParameterKind, bare, words_of
from bot.presenters.labels import begin_key, joined, meant, side_keys
from bot.session.draft import DEFAULT_LEVEL, HINTS, MATCH, rules_of
from bot.session.levels import check_level, level_name
from bot.session.match import Match
from bot.session.names import cleaned
from bot.session.time_controls import Control, read_control
from bot.session.unit_of_work import Refused
from games.core import Game, Phrase, phrase
from games.core.shelf import find_game

LONGEST_HANDLE = 33
"""An @name has at most 32 characters on every platform, its @ not counted."""

_PAIR = re.compile(r"[^\s=]*=\s+[^\s=]+(?![^\s=]*=)|\S+")
"""A word, or two where the first ends with a sign of equality that joins them."""

_HANDLE = re.compile(r"@\w[\w.]*")


@dataclass(frozen=True)
class Wish:
    """What somebody wants to play: every word of ``/play`` understood."""

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
    """Whether players may ask the house what it thinks."""
    named: str | None
    """The @name of an opponent whom the platform did not tell us the id of."""


def read_wish(values: Mapping[str, str], *, mentioned: bool) -> Wish:
    """The wish that the values of ``/play`` say.

    Raises a ``RuleError`` with one sentence for an unknown game, option, level, side …
    """
    game = find_game(values.get("game", ""))
    sides = side_keys(game)
    values = _sided(sides, values, ("level",) if mentioned else ("opponent", "level"))
    level, opponent = _level_and_opponent(game, values)
    computer = says(opponent, "house.word.computer")
    anyone = not opponent or says(opponent, "house.word.anyone")
    named = None
    if not (mentioned or computer or anyone):
        named = cleaned(opponent, LONGEST_HANDLE)
        if not _HANDLE.fullmatch(named):
            raise Refused(phrase("house.bad-opponent", text=cleaned(opponent)))
    seats = values.get("seats", "").strip()
    if seats and not (seats.isascii() and seats.isdigit()):
        raise Refused(phrase("core.bad-seats", few=min(game.seats), many=max(game.seats)))
    # Whoever comes may sit down: an open invitation has every chair, and starts when enough sit.
    open_to_all = anyone and not mentioned and level is None
    number = int(seats[:4]) if seats else (max if open_to_all else min)(game.seats)
    game.sides_for(number)
    ways = {begins: begin_key(game, begins) for begins in game.begins}
    side, begins = (values.get(name, "").strip() for name in ("side", "begins"))
    options = _options(game, values.get("options", ""))
    games = int(options.pop(MATCH, "1"))
    return Wish(
        game=game,
        hints=options.pop(HINTS, "") == "on",
        options=game.chosen(options),
        begins=_one_of(ways, begins, "house.bad-begins") if begins else "",
        seats=number,
        side=_one_of(sides, side, "house.bad-side") if side else None,
        level=min(DEFAULT_LEVEL, game.levels) if level is None else level,
        against_computer=computer or (level is not None and anyone),
        control=_control(values.get("clock", "").strip()),
        match=Match(games) if games > 1 else None,
        named=named,
    )


def _sided(
    sides: Mapping[str, str], values: Mapping[str, str], places: Iterable[str]
) -> Mapping[str, str]:
    """*values* with a side named as such that stands alone: «/jugar shogi nivel 3 gote».

    *sides* are the keys of the sides' labels; *places* is for what it may be taken. Nobody is
    called like one without an @.
    """
    for name in places:
        said = values.get(name, "").strip()
        if said.startswith("@") or values.get("side"):
            continue
        if meant(sides, said) is not None:
            return {**values, name: "", "side": said}
    return values


def _level_and_opponent(game: Game, values: Mapping[str, str]) -> tuple[int | None, str]:
    """The level that *values* say, ``None`` where they say none, and the opponent.

    Raises ``BadOption`` for a level that *game* has not.
    """
    level, opponent = (values.get(name, "").strip() for name in ("level", "opponent"))
    number = None
    if level:
        words = [word for word in level.split() if not says(word, "command.play.level.name")]
        number = _level_meant(game, " ".join(words)) or 0
    elif (number := _level_meant(game, opponent)) is not None:
        # Nobody is called so without an @: «/jugar cirya 3», «/jugar cirya experto».
        opponent = ""
    if number is not None:
        check_level(game, number)
    return number, opponent


def _level_meant(game: Game, text: str) -> int | None:
    """The level that *text* says by its number, which *game* need not have, or by its name."""
    if any(c.isdigit() for c in text):
        return int(text[:4]) if text.isascii() and text.isdigit() else None
    names = {str(n): level_name(game, n).key for n in range(1, game.levels + 1)}
    found = meant(names, text)
    return None if found is None else int(found)


def _control(text: str) -> Control | None:
    """The time control that was typed, ``None`` where it is none."""
    return None if says(text, "clock.word.none") else read_control(text)


def says(text: str, key: str) -> bool:
    """Whether *text* is one of the words, separated by blanks, that *key* lists in a language."""
    return bare(text) in words_of(key)


def _options(game: Game, text: str) -> dict[str, str]:
    """``key=value`` pairs, keys and values in ASCII or as the catalogues label them."""
    rules = {rule.key: rule for rule in rules_of(game)}
    labels = {key: rule.label for key, rule in rules.items()}
    wishes: dict[str, str] = {}
    for word in _PAIR.findall(joined(text).replace(";", " ")):
        typed, mark, value = word.partition("=")
        key = meant(labels, typed) if mark else None
        if mark and key is None:
            raise Refused(
                phrase(
                    "house.bad-option",
                    option=_parted(typed)[:32],
                    known=_quoted(labels.values()),
                    others=_OTHERS,
                )
            )
        value = value.strip()
        if key is None or not value:
            raise Refused(phrase("house.bad-option-form", text=_parted(typed)[:40]))
        label = labels[key]
        ways = {one: f"{label}.{one}" for one in rules[key].values}
        chosen = meant(ways, value)
        if chosen is None:
            raise Refused(
                phrase(
                    "house.bad-value",
                    option=phrase(label),
                    value=_parted(value)[:32],
                    known=_quoted(ways.values()),
                )
            )
        wishes[key] = chosen
    return wishes


def _parted(word: str) -> str:
    """*word* as it was typed, before its words were joined."""
    return word.replace("-", " ")


_OTHERS = tuple(
    phrase(f"command.play.{one.name}.name")
    for one in BY_NAME["play"].parameters
    if one.kind not in (ParameterKind.GAME, ParameterKind.OPTIONS)
)
"""What is chosen for every game, and typed with a sign of equality as well."""


def _quoted(keys: Iterable[str]) -> tuple[Phrase, ...]:
    return tuple(phrase("house.quoted", what=phrase(key)) for key in keys)


def _one_of(keys: Mapping[str, str], text: str, refusal: str) -> str:
    """The value that *text* means; *keys* are those of the values' labels.

    Raises ``Refused`` with the phrase *refusal* where there is none.
    """
    value = meant(keys, text)
    if value is None:
        known = tuple(phrase(key) for key in keys.values())
        raise Refused(phrase(refusal, value=text[:32], known=known))
    return value
