"""What a table that has not started shows: its chairs, its options and its draws."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from bot.port import Button
from bot.presenters.base import Scribe
from bot.presenters.buttons import Action
from bot.presenters.matches import best_of
from bot.session.time_controls import read_control
from games.core import CHANCE, Game, Phrase, Who, phrase, verbatim

SEAL, GROUP = 32, 4
"""How many hexadecimal digits of the seal are shown, and how many of them without a gap.

Nobody finds two secrets for 128 bits.
"""

Rows: TypeAlias = tuple[tuple[Button, ...], ...]


def invitation(scribe: Scribe) -> tuple[str, tuple[str, ...], Rows]:
    """The headline, the lines and the buttons of an invitation."""
    return _headline(scribe), _lines(scribe), (*_rows(scribe), *own_words(scribe))


def own_words(scribe: Scribe) -> Rows:
    """The button for a player's own words, where cards or dice decide."""
    viewer = scribe.viewer
    if not is_dealt(scribe.table.game) or (viewer.personal and viewer.seat is None):
        return ()
    return ((scribe.button("house.button.own-words", Action.SAY_WORDS),),)


def to_send(scribe: Scribe) -> str:
    """What its reader may send to somebody who is not where he is; nothing where others are."""
    table, viewer = scribe.table, scribe.viewer
    if not viewer.personal or viewer.seat is None or _asks(scribe):
        return ""
    host, name = scribe.names[viewer.seat], phrase(f"{table.game.key}.name")
    return scribe.say(phrase("house.invitation-sent", host=host, game=name))


def _asks(scribe: Scribe) -> bool:
    """Whether whoever reads, alone, is the one who is challenged."""
    seat = scribe.viewer.seat
    return scribe.viewer.personal and seat is not None and scribe.table.players[seat].invited


def changed_rules(game: Game, options: Mapping[str, str]) -> tuple[Phrase, ...]:
    """The house rules of *options* that are not the usual ones of *game*."""
    return tuple(
        phrase(
            "house.option",
            option=phrase(f"{game.key}.option.{option.key}"),
            value=phrase(f"{game.key}.option.{option.key}.{options[option.key]}"),
        )
        for option in game.options
        if options[option.key] != option.default
    )


def legible(seal: str) -> str:
    """The beginning of *seal* in groups, so that people can compare it."""
    return " ".join(seal[at : at + GROUP] for at in range(0, SEAL, GROUP))


def is_dealt(game: Game) -> bool:
    """Whether cards or dice decide in *game*, and not only the lot before it."""
    return CHANCE in game.start(game.setting()).actors()


def _headline(scribe: Scribe) -> str:
    table = scribe.table
    name = phrase(f"{table.game.key}.name")
    invited = [n for n, player in enumerate(table.players) if player.invited]
    seat = table.seat_of(table.host)
    host = scribe.names[seat] if seat is not None else ""
    if _asks(scribe):
        return scribe.say(phrase("house.call.challenge", who=Who(seat or 0), game=name))
    if invited:
        guest = scribe.names[invited[0]]
        return scribe.say(phrase("house.challenge", host=host, guest=guest, game=name))
    return scribe.say(phrase("house.invitation", host=host, game=name, code=table.code))


def _lines(scribe: Scribe) -> tuple[str, ...]:
    table = scribe.table
    lines = []
    for number, player in enumerate(table.players, 1):
        who: Phrase = phrase("house.chair.free")
        if player.invited:
            who = phrase("house.chair.invited", name=scribe.names[number - 1])
        elif player.person is not None:
            who = verbatim(scribe.names[number - 1])
        elif player.level is not None:
            who = phrase("house.computer", level=player.level)
        chair = phrase("house.chair", number=number, who=who)
        if player.side is not None:
            side = phrase(f"{table.game.key}.side.{player.side}")
            chair = phrase("house.chair.side", number=number, who=who, side=side)
        lines.append(scribe.say(chair))
    lines += map(scribe.say, changed_rules(table.game, table.options))
    control = read_control(table.control)
    if control is not None:
        lines.append(scribe.say(phrase("clock.set", what=control.said())))
    if table.match is not None:
        lines.append(scribe.say(best_of(table.match)))
    if table.hints:
        lines.append(scribe.say(phrase("house.hints-allowed")))
    if scribe.viewer.personal and not _asks(scribe):
        lines.append(scribe.say(phrase("house.to-send", code=table.code)))
    if is_dealt(table.game):
        lines.append(scribe.say(phrase("house.commitment", code=legible(table.commitment))))
    if table.words:
        lines.append(scribe.say(phrase("house.words-said", words=table.words)))
    return tuple(lines)


def _challenge_rows(scribe: Scribe) -> Rows:
    """Yes and no for whoever is challenged, and back for who challenges: in private one's own."""
    table, viewer = scribe.table, scribe.viewer
    yes = scribe.button("house.button.accept.challenge", Action.JOIN, style="good")
    no = scribe.button("house.button.decline", Action.LEAVE, "no")
    withdraw = scribe.button("house.button.withdraw-challenge", Action.LEAVE, "back")
    never = scribe.button("house.button.never", Action.LEAVE, "never")
    if not viewer.personal:
        return ((yes, no, withdraw), (never,))
    if viewer.seat is None:
        # He may be the one who is meant by an @name and has not been here yet.
        return ((yes,),)
    return ((yes, no), (never,)) if table.players[viewer.seat].invited else ((withdraw,),)


def _rows(scribe: Scribe) -> Rows:
    table = scribe.table
    if any(player.invited for player in table.players):
        return _challenge_rows(scribe)
    viewer = scribe.viewer
    first = []
    if not viewer.personal or viewer.seat is None:
        first.append(scribe.button("house.button.join", Action.JOIN, style="good"))
    if not viewer.personal or viewer.seat is not None:
        first.append(scribe.button("house.button.computer", Action.COMPUTER))
    rows: list[tuple[Button, ...]] = [tuple(first)]
    taken = {player.side for player in table.players}
    free = [side for side in table.game.sides if side not in taken]
    if len(free) > 1 or len(table.game.sides) > 2:

        def join_as(side: str) -> Button:
            name = phrase(f"{table.game.key}.side.{side}")
            said = scribe.say(phrase("house.button.join-as", side=name))
            return Button(said, scribe.code(Action.JOIN, side))

        rows.append(tuple(map(join_as, free[:4])))
    if viewer.personal and viewer.seat is None:
        return tuple(rows)
    seated = sum(player.seated for player in table.players)
    last = [scribe.button("house.button.cancel", Action.LEAVE)]
    if seated in table.game.seats and seated < len(table.players):
        last.insert(0, scribe.button("house.button.start", Action.START, style="good"))
    rows.append(tuple(last))
    return tuple(rows)
