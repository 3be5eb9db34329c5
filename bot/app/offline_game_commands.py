"""The commands on games: games, verify, perft, moves, replay, picture, best."""

from __future__ import annotations

import argparse
import random
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bot.app.output import CommandError, say
from bot.app.shell_texts import from_below, shell_sentence, spoken_in_shell
from bot.session.names import check_level
from bot.session.visibility import public
from bot.texts import language
from bot.texts.orthography import capital
from games.core import (
    CHANCE,
    BadOption,
    Game,
    IllegalMove,
    Outcome,
    Phrase,
    Position,
    Record,
    Refusal,
    RuleError,
    Seat,
    UnknownGame,
    Unreadable,
    phrase,
    read_move,
)
from games.core.move_parsing import demo_position
from games.core.recognition import decode_file, read_file, recognise
from games.core.record import LONGEST_RECORD, stated_outcome
from games.core.record_verification import verify
from games.core.search import perft
from games.core.shelf import find_game, game_packages, refused_packages, shelf
from render.scene import Last, Scene

NOT_HONEST, UNREADABLE, NOT_SHOWN = 1, 2, 3
"""The exit statuses of ``verify`` beside 0 for honest, the same as ``docs/check_draws.py`` has."""

MOST_WALKS = 100_000
"""How many random games ``check-game`` tries at most."""


def wishes_of(pairs: list[str]) -> dict[str, str]:
    """The options that *pairs* name as ``key=value``; raises ``BadOption``."""
    wishes = {}
    for pair in pairs:
        key, mark, value = pair.partition("=")
        if not mark:
            raise BadOption(phrase("house.bad-option-form", text=pair[:40]))
        wishes[key] = value
    return wishes


def _position(asked: argparse.Namespace) -> tuple[Game, Position[Any]]:
    """The game and the position asked for; by default its start, with draws of the public seed."""
    game, wishes = find_game(asked.game), wishes_of(asked.option)
    if asked.position:
        return game, game.notation.read(asked.position, game.chosen(wishes))
    return game, demo_position(game, game.setting({**game.rules.solo, **wishes}), played=asked.demo)


def tell_games() -> None:
    """Tell every game, its names and its options."""
    tongue = language(spoken_in_shell())
    for game in shelf().values():
        names = ", ".join((game.key, *game.aliases))
        package = game_packages().get(game.key)
        origin = "" if package is None else f" [{package.distribution}]"
        say(f"{game.title} ({names}): {tongue.say(phrase(f'{game.key}.blurb'))}{origin}")
        for option in game.rules.options:
            label = tongue.say(phrase(f"{game.key}.option.{option.key}"))
            say(f"  {option.key} = {', '.join(option.values)}  ({label})")
    _say_what_is_left_out()


def _say_what_is_left_out() -> None:
    for name, why in refused_packages().items():
        say(from_below(f"Left out: {name}: {why}"))


def check_game_command(asked: argparse.Namespace) -> int:
    """Print the verdict of each law on a game; 1 where one is broken."""
    # What draws and what speaks is needed here alone.
    from bot.app.check_game import check_game

    if not 1 <= asked.walks <= MOST_WALKS:
        raise CommandError(shell_sentence("walks", most=MOST_WALKS))
    status = 0
    try:
        game = find_game(asked.game)
    except UnknownGame:
        _say_what_is_left_out()
        raise
    for verdict in check_game(game, asked.walks):
        say(
            f"BROKEN  {verdict.law}: {verdict.broken}"
            if verdict.broken
            else f"ok      {verdict.law}"
        )
        status = 1 if verdict.broken else status
    return status


def verify_command(asked: argparse.Namespace) -> int:
    """Verify a record; the status is 0 for honest."""
    tongue = language(spoken_in_shell())
    try:
        record = Record.read_strictly(text_in(asked.file))
        verdict = verify(record, find_game(record.game), "".join(asked.seal))
    except RuleError as refused:
        raise CommandError(tongue.say(refused.phrase), UNREADABLE) from None
    for draw in verdict.draws:
        mark = "ok" if draw.honest else "WRONG"
        say(f"{draw.number}\t{draw.cases}\t{draw.written}\t{draw.expected}\t{mark}")
    for fault in verdict.faults:
        say(tongue.say(phrase("core.fault", line=fault.line, why=fault.why)))
    if verdict.lacking:
        say(tongue.say(phrase("core.lacking", lines=verdict.lacking)))
    for one in verdict.unproved:
        say(tongue.say(one.said))
    if verdict.faults:
        say(from_below("NOT HONEST"))
        return NOT_HONEST
    say(from_below("not shown" if verdict.lacking else "honest"))
    return NOT_SHOWN if verdict.lacking else 0


def perft_command(asked: argparse.Namespace) -> None:
    """Count the lines of play from a position, depth by depth."""
    _, position = _position(asked)
    if not 0 <= asked.depth <= 20:
        raise BadOption(phrase("house.bad-depth", n=20))
    for depth in range(1, asked.depth + 1):
        say(f"{depth} {perft(position, depth)}")


def moves_command(asked: argparse.Namespace) -> None:
    """Tell every legal move of a position."""
    game, position = _position(asked)
    for seat in sorted(position.actors()):
        for move in position.legal_moves(seat):
            say(game.notation.written(position, move))


def replay_command(asked: argparse.Namespace) -> None:
    """Tell how the game of a file ends, and its last position."""
    game = find_game(asked.game)
    file = read_file(text_in(asked.file, game), {game.key: game})
    record, position = file.record, file.positions[-1]
    outcome = position.outcome() or stated_outcome(record)
    result = "*" if outcome is None else outcome.reason
    if outcome is not None and outcome.winner is not None:
        result += f" {record.sides[outcome.winner]}"
    say(result)
    say(game.notation.text(position))
    if file.refusal is not None:
        raise Unreadable(file.refusal)


def record_in(game: Game, file: Path) -> Record:
    """The record in *file*; raises the ``RuleError`` of the format that it is."""
    found = recognise(text_in(file, game), {game.key: game})
    return found.form.read(game, found.text)


def text_in(file: Path, game: Game | None = None) -> str:
    """The text of *file*, in UTF-8 or a likely encoding of *game*; raises ``Unreadable``."""
    try:
        data = file.read_bytes()
    except OSError as wrong:
        raise no_file(file, wrong) from None
    if len(data) > LONGEST_RECORD:
        raise Unreadable(phrase("core.record-too-long", n=LONGEST_RECORD // 1024))
    text = decode_file(data, game.records.encodings if game is not None else ())
    if text is None:
        raise Unreadable(phrase("core.no-text", name=file.name))
    return text


def no_file(file: Path, wrong: OSError) -> CommandError:
    """Why *file* can be neither read nor written."""
    why = wrong.strerror or type(wrong).__name__
    return CommandError(shell_sentence("no-file", name=file, why=why))


def picture_command(asked: argparse.Namespace) -> None:
    """Write the picture of a position."""
    from render.kit import THEMES, paint, painter, png, themed
    from render.kit.fonts import drawable
    from render.kit.painters import captions

    game, position = _position(asked)
    sides = game.notation.sides(position) or game.setting(wishes_of(asked.option)).sides
    if asked.side and asked.side not in sides:
        raise BadOption(phrase("house.bad-side", value=asked.side, known=sides))
    if asked.theme not in THEMES:
        raise BadOption(phrase("house.bad-theme", text=asked.theme, known=tuple(THEMES)))
    check_pieces(game, asked.pieces)
    if not 90 <= asked.size <= 1600:
        raise BadOption(phrase("house.bad-size", few=90, many=1600))
    bottom: Seat = sides.index(asked.side) if asked.side else painter(game.key).BOTTOM
    position, last = _moved(game, position, asked.move)
    seen, tongue = public(position), language(asked.language)
    called = [capital(tongue.say(phrase(f"{game.key}.side.{side}"))) for side in sides]
    # A name without any letter that can be drawn leaves its plate to the side.
    given = [
        name if drawable(name) else side for name, side in zip(asked.name, called, strict=False)
    ]
    scene = Scene(
        game=game.key,
        seen=seen,
        names=(*given, *called[len(given) :]),
        bottom=bottom,
        theme=themed(game.key, asked.theme, asked.pieces),
        captions=captions(game.key, seen, tongue.say),
        last=last,
        size=asked.size,
    )
    try:
        asked.output.write_bytes(png(paint(scene)))
    except OSError as wrong:
        raise no_file(asked.output, wrong) from None
    say(str(asked.output))


def check_pieces(game: Game, pieces: str) -> None:
    """Raise ``BadOption`` unless the painter of *game* has this set of pieces."""
    from render.kit import painter

    sets = ("one", *getattr(painter(game.key), "SETS", ()))
    if pieces not in sets:
        raise BadOption(phrase("house.bad-pieces", text=pieces, known=sets))


def _moved(
    game: Game, position: Position[Any], text: str
) -> tuple[Position[Any], tuple[Last, ...]]:
    """*position* after the move *text*, if any, and that move for the picture to mark."""
    if not text:
        return position, ()
    seat = min(position.actors())
    move = read_move(game, position, seat, text)
    return position.after(move), (Last(public(position), seat, move),)


@dataclass
class _Nodes:
    """A budget of a number of nodes, and of ten seconds."""

    nodes: int
    until: float = field(default_factory=lambda: time.monotonic() + 10)

    def is_spent(self) -> bool:
        self.nodes -= 1
        return self.nodes == 0 or time.monotonic() > self.until


def best_command(asked: argparse.Namespace) -> None:
    """Tell the move that a computer chooses."""
    game, position = _position(asked)
    level = asked.level or game.computer.levels
    check_level(game, level)
    if outcome := position.outcome():
        raise IllegalMove(Refusal("", _over(game, position, outcome)))
    movers = sorted(position.actors() - {CHANCE})
    if not movers:
        raise IllegalMove(game.speech.refusal(position, 0, ""))
    below = random.Random(0).randrange
    choice = game.computer.choose(position, movers[0], level, _Nodes(asked.nodes), below)
    say(game.notation.written(position, choice.move))
    proved = " (proved)" if choice.exact else ""
    line = " ".join(choice.line) or "—"
    say(from_below(f"value {choice.value:+.3f}{proved}; expects {line}"))


def _over(game: Game, position: Position[Any], outcome: Outcome) -> Phrase:
    """The refusal of a game that is over: how it ended, and who has won."""
    sides = game.notation.sides(position) or game.rules.sides
    named = [phrase(f"{game.key}.side.{sides[seat]}") for seat in sorted(outcome.places[0])]
    winner = named[0] if len(named) == 1 else tuple(named)
    return phrase("house.over-how", how=phrase(f"{game.key}.end.{outcome.reason}", winner=winner))
